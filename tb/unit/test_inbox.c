// SPDX-License-Identifier: Apache-2.0
//
// totem_inbox: the rows of the contract's table of meetings, then a long random run against a plain list.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "totem_inbox.h"

// One clock: the outputs before the edge are left in `o`.
static void clock_edge(totem_inbox *s, totem_inbox_out *o, bool valid, uint64_t data, bool take)
{
    const totem_inbox_in i = {.in_valid = valid, .in_data = data, .out_take = take};

    totem_inbox_outputs(s, o);
    totem_inbox_step(s, &i);
}

static void expect(const totem_inbox *s, bool ready, bool valid, uint64_t data)
{
    totem_inbox_out o;

    totem_inbox_outputs(s, &o);
    assert_int_equal(o.in_ready, ready);
    assert_int_equal(o.out_valid, valid);
    if (valid)
        assert_int_equal(o.out_data, data);
}

static void reset_empties(void **state)
{
    totem_inbox     s;
    totem_inbox_out o;

    (void)state;
    memset(&s, 0, sizeof s);
    expect(&s, true, false, 0);
    clock_edge(&s, &o, true, 1, false);
    clock_edge(&s, &o, true, 2, false);
    totem_inbox_reset(&s);
    expect(&s, true, false, 0);
}

static void word_is_there_one_clock_later(void **state)
{
    totem_inbox     s = {0};
    totem_inbox_out o;

    (void)state;
    clock_edge(&s, &o, true, 0xfedcba9876543210u, false);
    assert_false(o.out_valid);
    expect(&s, true, true, 0xfedcba9876543210u);
}

static void accept_meets_take(void **state)
{
    totem_inbox     s = {0};
    totem_inbox_out o;

    (void)state;
    clock_edge(&s, &o, true, 1, false);
    clock_edge(&s, &o, true, 2, true);
    expect(&s, true, true, 2);
}

static void offer_to_a_full_inbox_is_not_accepted(void **state)
{
    totem_inbox     s = {0};
    totem_inbox_out o;

    (void)state;
    clock_edge(&s, &o, true, 1, false);
    clock_edge(&s, &o, true, 2, false);
    expect(&s, false, true, 1);
    clock_edge(&s, &o, true, 3, true);
    expect(&s, true, true, 2);
    clock_edge(&s, &o, false, 0, true);
    expect(&s, true, false, 0);
}

static void take_from_an_empty_inbox_is_ignored(void **state)
{
    totem_inbox     s = {0};
    totem_inbox_out o;

    (void)state;
    clock_edge(&s, &o, false, 0, true);
    expect(&s, true, false, 0);
    clock_edge(&s, &o, true, 7, true);
    expect(&s, true, true, 7);
}

static void full_rate(void **state)
{
    totem_inbox     s = {0};
    totem_inbox_out o;

    (void)state;
    for (uint64_t word = 0; word < 100; word++) {
        clock_edge(&s, &o, true, word, true);
        assert_true(o.in_ready);
        assert_int_equal(o.out_valid, word > 0);
        if (o.out_valid)
            assert_int_equal(o.out_data, word - 1);
    }
}

// What went in comes out, all of it, in order, never more than two inside.
static void nothing_is_lost_or_swapped(void **state)
{
    enum { ROUNDS = 200000 };
    totem_inbox     s = {0};
    totem_inbox_out o;
    uint64_t        random = 1, sent = 0, received = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        // The share of offers and of takes changes now and then, so that empty and full both last.
        const unsigned offers = (unsigned)(round >> 8) & 3;
        const unsigned takes  = (unsigned)(round >> 10) & 3;
        const bool     offer  = ((random >> 40) & 3) <= offers;
        const bool     take   = ((random >> 50) & 3) <= takes;

        clock_edge(&s, &o, offer, sent * 0x9e3779b97f4a7c15u, take);
        assert_int_equal(o.in_ready, sent - received < 2);
        assert_int_equal(o.out_valid, sent != received);
        if (o.out_valid)
            assert_int_equal(o.out_data, received * 0x9e3779b97f4a7c15u);
        sent += offer && o.in_ready;
        received += take && o.out_valid;
    }
    assert_true(received > ROUNDS / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reset_empties),
        cmocka_unit_test(word_is_there_one_clock_later),
        cmocka_unit_test(accept_meets_take),
        cmocka_unit_test(offer_to_a_full_inbox_is_not_accepted),
        cmocka_unit_test(take_from_an_empty_inbox_is_ignored),
        cmocka_unit_test(full_rate),
        cmocka_unit_test(nothing_is_lost_or_swapped),
    };

    return cmocka_run_group_tests_name("inbox", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_walker: rules, latencies and meetings of docs/contract/walker.md.

#include "block_bench.h"

#include "totem_walker.h"

BENCH(walker)

#define ID(x, y, z) ((uint64_t)(z) << 48 | (uint64_t)(y) << 32 | (uint64_t)(x))

static void start(bench *b, uint64_t end)
{
    b->i.packet_start               = true;
    b->i.packet_start_fresh_at_zero = true;
    b->i.packet_start_end           = end;
    tick(b);
}

static void take(bench *b, uint8_t engine)
{
    b->i.dc_take        = true;
    b->i.dc_take_engine = engine;
    tick(b);
}

static void grant(bench *b, unsigned engine)
{
    b->i.grant_valid[engine] = true;
    tick(b);
}

static void start_take_grant(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    assert_false(b.o.busy || b.o.group_valid);
    start(&b, ID(3, 1, 1));
    assert_true(b.o.busy && b.o.group_valid);
    assert_int_equal(b.o.group, 0);
    assert_int_equal(b.o.low, 0);
    take(&b, 0);
    assert_true(b.o.group_valid && b.o.outstanding[0]);
    assert_int_equal(b.o.group, 1);
    take(&b, 0);
    take(&b, 0);
    assert_false(b.o.group_valid); // past the last id
    assert_true(b.o.busy);
    grant(&b, 0);
    assert_int_equal(b.o.low, 0); // one clock later it steps
    assert_int_equal(b.o.mask, 0);
    tick(&b);
    assert_int_equal(b.o.low, 1);
    grant(&b, 0);
    assert_true(b.o.busy);
    grant(&b, 0);
    assert_false(b.o.busy || b.o.outstanding[0] || b.o.mismatch);
}

// x, then y, then z; every dimension from its start to its exclusive end.
static void walk_of_three_dimensions(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    b.hold.bank_origin   = ID(2, 1, 3);
    b.i                  = b.hold;
    b.i.packet_start     = true;
    b.i.packet_start_end = ID(4, 3, 5);
    tick(&b);
    for (unsigned n = 0; n < 8; n++) {
        assert_true(b.o.group_valid);
        assert_int_equal(b.o.group, ID(2 + n % 2, 1 + n / 2 % 2, 3 + n / 4));
        take(&b, 0);
        grant(&b, 0);
        tick(&b); // the window moves
    }
    assert_false(b.o.busy || b.o.mismatch);
}

static void ends_of_all_widths(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    b.hold.bank_origin   = ID(0xfffffffe, 0xfffe, 0xfffe);
    b.i                  = b.hold;
    b.i.packet_start     = true;
    b.i.packet_start_end = ID(0xffffffff, 0xffff, 0xffff);
    tick(&b);
    assert_int_equal(b.o.group, ID(0xfffffffe, 0xfffe, 0xfffe));
    take(&b, 0);
    assert_false(b.o.group_valid);
    grant(&b, 0);
    assert_false(b.o.busy);
}

static void empty_grids_never_rise(void **state)
{
    static const uint64_t ends[] = {ID(0, 1, 1), ID(1, 0, 1), ID(1, 1, 0), ID(5, 4, 9), ID(6, 3, 9), ID(6, 4, 8)};
    (void)state;
    for (unsigned n = 0; n < 6; n++) {
        bench b;
        fresh(&b);
        b.i.packet_start               = true;
        b.i.packet_start_fresh_at_zero = n < 3;
        b.i.bank_origin                = ID(5, 3, 8);
        b.i.packet_start_end           = ends[n];
        tick(&b);
        assert_false(b.o.busy || b.o.group_valid);
    }
}

static void start_while_busy_is_ignored(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(9, 1, 1));
    take(&b, 0);
    start(&b, ID(2, 1, 1));
    assert_int_equal(b.o.group, 1);
    assert_int_equal(b.s.last, ID(9, 1, 1));
}

static void four_at_an_engine_eight_in_the_window(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(20, 1, 1));
    for (unsigned n = 0; n < 4; n++) {
        assert_true(b.o.room[0]);
        take(&b, 0);
    }
    assert_false(b.o.room[0]);
#if TOTEM_SE_COUNT > 1
    assert_true(b.o.room[1]);
    for (unsigned n = 0; n < 4; n++)
        take(&b, 1);
    assert_false(b.o.group_valid); // the window is full
    grant(&b, 1);                  // place 4: the lowest is not granted, so nothing moves
    ticks(&b, 3);
    assert_false(b.o.group_valid);
    assert_int_equal(b.o.low, 0);
    assert_int_equal(b.o.mask, 8);
    grant(&b, 0); // in n; the window is free from n+2 on
    assert_false(b.o.group_valid);
    tick(&b);
    assert_true(b.o.group_valid);
    assert_int_equal(b.o.group, 8);
    assert_int_equal(b.o.low, 1);
#endif
}

static void stop_recall_and_resume(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(20, 1, 1));
    for (unsigned n = 0; n < 4; n++)
        take(&b, 0);
    LEVEL(&b, packet_stop, true);
    tick(&b);
    assert_false(b.o.group_valid || b.o.stopped);
    grant(&b, 0);
    b.i.answer_valid[0] = true;
    b.i.answer_count[0] = 3;
    tick(&b);
    assert_true(b.o.stopped); // the clock after the last answer
    assert_int_equal(b.o.low, 1);
    assert_int_equal(b.o.mask, 0);
    assert_true(b.o.busy);
    LEVEL(&b, packet_stop, false);
    tick(&b);
    assert_false(b.o.busy || b.o.mismatch); // given up
    assert_int_equal(b.o.low, 1);           // kept

    // Resumed with id 2 granted: 1, 3, 4 are offered.
    b.i.packet_start        = true;
    b.i.packet_start_resume = true;
    b.i.bank_restart        = ID(1, 0, 0);
    b.i.bank_restart_mask   = 1;
    b.i.bank_restart_end    = ID(5, 1, 1);
    tick(&b);
    assert_int_equal(b.o.group, 1);
    assert_int_equal(b.o.mask, 1);
    take(&b, 0);
    assert_false(b.o.group_valid); // steps over what is granted, one a clock
    tick(&b);
    assert_int_equal(b.o.group, 3);
    take(&b, 0);
    take(&b, 0);
    assert_false(b.o.group_valid);
    grant(&b, 0);
    grant(&b, 0);
    assert_true(b.o.busy);
    grant(&b, 0);
    assert_false(b.o.busy || b.o.mismatch);
}

// A resumed grid wraps to its saved start, not to the registers.
static void resumed_walk_wraps_to_its_own_start(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    b.i.packet_start        = true;
    b.i.packet_start_resume = true;
    b.i.bank_origin         = ID(7, 7, 7);
    b.i.packet_start_end    = ID(9, 9, 9);
    b.i.bank_restart        = ID(3, 2, 0);
    b.i.bank_restart_origin = ID(1, 1, 0);
    b.i.bank_restart_end    = ID(4, 4, 1);
    tick(&b);
    take(&b, 0);
    assert_int_equal(b.o.group, ID(1, 3, 0));
}

// ---- meetings

static void grant_meets_answer_of_the_same_engine(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(20, 1, 1));
    take(&b, 0);
    take(&b, 0);
    LEVEL(&b, packet_stop, true);
    tick(&b);
    b.i.grant_valid[0]  = true;
    b.i.answer_valid[0] = true;
    b.i.answer_count[0] = 1; // what is left after the grant
    tick(&b);
    assert_false(b.o.mismatch);
    tick(&b);
    assert_true(b.o.stopped);
    assert_int_equal(b.o.low, 1);
}

static void take_meets_grant(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(20, 1, 1));
    take(&b, 0);
    b.i.grant_valid[0] = true;
    take(&b, 0);
    assert_int_equal(b.s.count[0], 1);
    assert_int_equal(b.s.fifo[0], 1);
    assert_false(b.o.mismatch);
}

// The group just taken stays presented; the offer goes back to the lowest id and steps over it.
static void take_meets_answer(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(20, 1, 1));
    take(&b, 0);
    take(&b, 0);
    b.i.answer_valid[0] = true;
    b.i.answer_count[0] = 2;
    take(&b, 0); // id 2
    assert_false(b.o.mismatch);
    assert_int_equal(b.s.count[0], 1);
    assert_true(b.o.group_valid);
    assert_int_equal(b.o.group, 0);
    take(&b, 0);
    assert_int_equal(b.o.group, 1);
    take(&b, 0);
    assert_false(b.o.group_valid); // id 2 is presented
    tick(&b);
    assert_int_equal(b.o.group, 3);
}

static void take_meets_stop(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(20, 1, 1));
    LEVEL(&b, packet_stop, true);
    take(&b, 0);
    assert_true(b.o.outstanding[0]);
    assert_false(b.o.group_valid || b.o.stopped);
}

static void last_grant_meets_stop(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(1, 1, 1));
    take(&b, 0);
    LEVEL(&b, packet_stop, true);
    grant(&b, 0);
    assert_false(b.o.busy);
    assert_true(b.o.stopped); // with busy 0: complete
}

static void window_meets_return(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(20, 1, 1));
    take(&b, 0);
    take(&b, 0);
    take(&b, 0);
    grant(&b, 0);
    b.i.answer_valid[0] = true; // in the clock in which `low` steps
    b.i.answer_count[0] = 2;
    tick(&b);
    assert_int_equal(b.o.low, 1);
    assert_true(b.o.group_valid);
    assert_int_equal(b.o.group, 1);
}

#if TOTEM_SE_COUNT > 1
static void reports_of_several_engines(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(20, 1, 1));
    take(&b, 0);
    take(&b, 1);
    take(&b, 1);
    b.i.grant_valid[0] = b.i.grant_valid[1] = true;
    tick(&b);
    assert_int_equal(b.s.count[0], 0);
    assert_int_equal(b.s.count[1], 1);
    tick(&b);
    tick(&b);
    assert_int_equal(b.o.low, 2);
    b.i.answer_valid[0] = b.i.answer_valid[1] = true;
    b.i.answer_count[1]                       = 1;
    tick(&b);
    assert_false(b.o.mismatch);
    assert_int_equal(b.o.group, 2);
}

// `stopped` waits until `low` has stepped over what was granted.
static void stopped_means_exact(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(20, 1, 1));
    take(&b, 0);
    take(&b, 1);
    take(&b, 1);
    take(&b, 1);
    LEVEL(&b, packet_stop, true);
    grant(&b, 1);
    grant(&b, 1);
    assert_false(b.o.stopped);
    b.i.grant_valid[0]  = true;
    b.i.answer_valid[1] = true;
    b.i.answer_count[1] = 1;
    tick(&b);
    for (unsigned n = 0; n < 3; n++) {
        assert_false(b.o.stopped);
        tick(&b);
    }
    assert_true(b.o.stopped);
    assert_int_equal(b.o.low, 3);
    assert_int_equal(b.o.mask, 0);
}
#endif

static void mismatches_stick(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 5; row++) {
        bench b;
        fresh(&b);
        start(&b, ID(row == 3 ? 1 : 20, 1, 1));
        switch (row) {
        case 0: b.i.grant_valid[0] = true; break;
        case 1: b.i.answer_valid[0] = true, b.i.answer_count[0] = 1; break;
        case 2:
            for (unsigned n = 0; n < 4; n++)
                take(&b, 0);
            b.i.dc_take = true; // a fifth at this engine
            break;
        case 3: take(&b, 0), b.i.dc_take = true; break; // nothing is offered
        default:
            take(&b, 0), take(&b, 0);
            b.i.answer_valid[0] = true;
            b.i.answer_count[0] = 1;
        }
        assert_false(b.o.mismatch);
        const uint8_t count = b.s.count[0];
        tick(&b);
        assert_true(b.o.mismatch);
        if (row == 2 || row == 3)
            assert_int_equal(b.s.count[0], count); // nothing is taken
        ticks(&b, 3);
        assert_true(b.o.mismatch);
    }
}

// The last group of each dimension is marked, at a fresh start and at a resumed one, and again when it was returned.
static void partial_groups_are_marked(void **state)
{
    (void)state;
    for (unsigned partial = 0; partial < 2; partial++) {
        bench b;
        fresh(&b);
        b.i.packet_start_partial = partial;
        start(&b, ID(3, 2, 2));
        for (unsigned n = 0; n < 12; n++) {
            const unsigned edge = (n % 3 == 2) | (n / 3 % 2 == 1) << 1 | (n / 6 == 1) << 2;
            assert_true(b.o.group_valid);
            assert_int_equal(b.o.group, ID(n % 3, n / 3 % 2, n / 6));
            assert_int_equal(b.o.group_partial, partial ? edge : 0);
            take(&b, 0);
            if (n % 4 == 1) { // returned: it is offered again
                b.i.answer_valid[0] = true;
                b.i.answer_count[0] = 1;
                tick(&b);
                CLOCKS_UNTIL(&b, b.o.group_valid, 8);
                assert_int_equal(b.o.group_partial, partial ? edge : 0);
                take(&b, 0);
            }
            grant(&b, 0);
            ticks(&b, 2);
        }
        assert_false(b.o.busy);
    }
    bench b;
    fresh(&b);
    b.i.packet_start         = true;
    b.i.packet_start_resume  = true;
    b.i.packet_start_partial = true;
    b.i.bank_restart         = ID(4, 0, 0);
    b.i.bank_restart_end     = ID(5, 2, 1);
    tick(&b);
    assert_int_equal(b.o.group_partial, 5);
}

// The only group of an engine is granted when it answers a recall: nothing came back, the offer stays where it is.
static void grant_leaves_nothing_to_return(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    start(&b, ID(3, 1, 1));
    take(&b, 0);
    b.i.answer_valid[0] = true;
    b.i.answer_count[0] = 0;
    grant(&b, 0);
    assert_true(b.o.group_valid);
    assert_int_equal(b.o.group, 1);
    assert_false(b.o.mismatch);
}

// Every bit of the restart mask is a later id that has been granted.
static void resumed_with_every_mask(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 128; mask++) {
        bench b;
        fresh(&b);
        b.i.packet_start        = true;
        b.i.packet_start_resume = true;
        b.i.bank_restart        = ID(1, 0, 0);
        b.i.bank_restart_mask   = (uint8_t)mask;
        b.i.bank_restart_end    = ID(9, 1, 1);
        tick(&b);
        assert_int_equal(b.o.mask, mask);
        unsigned offered = 0;
        for (unsigned n = 0; n < 16; n++) {
            if (b.o.group_valid && b.o.room[0]) {
                offered |= 1u << b.o.group;
                take(&b, 0);
                grant(&b, 0);
            } else
                tick(&b);
        }
        for (unsigned n = 0; n < 16; n++)
            tick(&b);
        assert_int_equal(offered & 0x3fc & (mask << 2), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_take_grant),
        cmocka_unit_test(walk_of_three_dimensions),
        cmocka_unit_test(ends_of_all_widths),
        cmocka_unit_test(empty_grids_never_rise),
        cmocka_unit_test(start_while_busy_is_ignored),
        cmocka_unit_test(four_at_an_engine_eight_in_the_window),
        cmocka_unit_test(stop_recall_and_resume),
        cmocka_unit_test(resumed_walk_wraps_to_its_own_start),
        cmocka_unit_test(grant_meets_answer_of_the_same_engine),
        cmocka_unit_test(grant_leaves_nothing_to_return),
        cmocka_unit_test(resumed_with_every_mask),
        cmocka_unit_test(take_meets_grant),
        cmocka_unit_test(take_meets_answer),
        cmocka_unit_test(take_meets_stop),
        cmocka_unit_test(last_grant_meets_stop),
        cmocka_unit_test(window_meets_return),
#if TOTEM_SE_COUNT > 1
        cmocka_unit_test(reports_of_several_engines),
        cmocka_unit_test(stopped_means_exact),
#endif
        cmocka_unit_test(mismatches_stick),
        cmocka_unit_test(partial_groups_are_marked),
    };

    return cmocka_run_group_tests_name("walker", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_issue: rules, latencies and meetings of docs/contract/issue.md.

#include "block_bench.h"

#include "totem_issue.h"

BENCH(issue)

enum { PIPE_COUNT = TOTEM_FE_COUNT * TOTEM_PIPES };

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, launch_room, true);
}

// A group at the head of that port from now on.
static void head(bench *b, unsigned fe, bool pipe, uint8_t priority, uint8_t waves, uint8_t vgprs, uint16_t lds)
{
    b->hold.head_valid[fe]    = true;
    b->hold.head_pipe[fe]     = pipe;
    b->hold.head_priority[fe] = priority;
    b->hold.head_waves[fe]    = waves;
    b->hold.head_vgprs[fe]    = vgprs;
    b->hold.head_total[fe]    = (uint16_t)(waves * vgprs);
    b->hold.head_lds[fe]      = lds;
    b->i                      = b->hold;
}

static void free_wave(bench *b, uint8_t vgprs, uint16_t lds)
{
    b->i.free_valid = true;
    b->i.free_vgprs = vgprs;
    b->i.free_lds   = lds;
}

static void grant_carries_the_head(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    assert_int_equal(b.o.free_slots, TOTEM_SLOTS);
    assert_true(b.o.idle);
    assert_int_equal(b.o.free_vgprs_left, TOTEM_VGPRS);
    assert_int_equal(b.o.free_lds_left, TOTEM_LDS);
    for (unsigned n = 0; n < PIPE_COUNT; n++)
        assert_int_equal(b.o.order[n], n);
    head(&b, 0, TOTEM_PIPES > 1, 1, 3, 5, 7);
    b.hold.head_buffer[0]  = true;
    b.hold.head_new[0]     = true;
    b.hold.head_group[0]   = 0x123456789abcdef0;
    b.hold.head_threads[0] = 33;
    b.hold.head_wave32[0]  = true;
    b.hold.head_program[0] = 0xfedcba9876;
    b.hold.head_queue[0]   = 2;
    b.hold.head_epoch[0]   = 3;
    b.i                    = b.hold;
    assert_false(b.o.grant_valid);
    tick(&b);
    assert_true(b.o.grant_valid && b.o.grant_buffer && b.o.grant_new && b.o.grant_wave32);
    assert_int_equal(b.o.grant_fe, 0);
    assert_int_equal(b.o.grant_pipe, TOTEM_PIPES > 1);
    assert_int_equal(b.o.grant_group, 0x123456789abcdef0);
    assert_int_equal(b.o.grant_waves, 3);
    assert_int_equal(b.o.grant_threads, 33);
    assert_int_equal(b.o.grant_vgprs, 5);
    assert_int_equal(b.o.grant_lds, 7);
    assert_int_equal(b.o.grant_program, 0xfedcba9876);
    assert_int_equal(b.o.grant_queue, 2);
    assert_int_equal(b.o.grant_epoch, 3);
    assert_int_equal(b.o.free_slots, TOTEM_SLOTS - 3);
    assert_false(b.o.idle);
    assert_int_equal(b.o.free_vgprs_left, TOTEM_VGPRS - 15);
    assert_int_equal(b.o.free_lds_left, TOTEM_LDS - 7);
}

static void one_contender_every_second_clock(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    head(&b, 0, false, 0, 1, 1, 0);
    for (unsigned n = 0; n < 10; n++) {
        tick(&b);
        assert_int_equal(b.o.grant_valid, n % 2 == 0);
    }
}

// Each of the three resources holds a group back, and the last unit lets it through.
static void fit(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 3; row++) {
        bench b;
        open_bench(&b);
        b.s.free_slots      = 4;
        b.s.free_vgprs_left = 20;
        b.s.free_lds_left   = 9;
        head(&b, 0, false, 0, row == 0 ? 5 : 4, row == 1 ? 6 : 4, row == 2 ? 10 : 9);
        ticks(&b, 3);
        assert_false(b.o.grant_valid);
        free_wave(&b, 4, 1);
        tick(&b);
        assert_false(b.o.grant_valid); // the free counts from the next clock on
        tick(&b);
        assert_true(b.o.grant_valid);
    }
}

static void free_meets_grant(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    b.s.free_slots      = TOTEM_SLOTS - 5;
    b.s.free_vgprs_left = TOTEM_VGPRS - 50;
    b.s.free_lds_left   = TOTEM_LDS - 20;
    head(&b, 0, false, 0, 2, 3, 4);
    free_wave(&b, 10, 6);
    tick(&b);
    assert_true(b.o.grant_valid);
    assert_int_equal(b.o.free_slots, TOTEM_SLOTS - 5 - 2 + 1);
    assert_int_equal(b.o.free_vgprs_left, TOTEM_VGPRS - 50 - 6 + 10);
    assert_int_equal(b.o.free_lds_left, TOTEM_LDS - 20 - 4 + 6);
}

static void no_room_no_grant_and_the_pole_stays(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, launch_room, false);
    head(&b, 0, false, 2, 1, 1, 0);
    ticks(&b, 5);
    assert_false(b.o.grant_valid);
    for (unsigned n = 0; n < PIPE_COUNT; n++)
        assert_int_equal(b.o.order[n], n);
    LEVEL(&b, launch_room, true);
    tick(&b);
    assert_true(b.o.grant_valid);
}

#if TOTEM_FE_COUNT == 4 && TOTEM_PIPES == 2
static void expect_pole(const bench *b, const uint8_t order[8])
{
    for (unsigned n = 0; n < 8; n++)
        assert_int_equal(b->o.order[n], order[n]);
}

static void two_contenders_every_clock(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    head(&b, 1, false, 0, 1, 1, 0);
    head(&b, 3, false, 0, 1, 1, 0);
    for (unsigned n = 0; n < 10; n++) {
        tick(&b);
        assert_true(b.o.grant_valid);
        assert_int_equal(b.o.grant_fe, n % 2 ? 3 : 1);
    }
}

static void tiers(void **state)
{
    static const uint8_t order[] = {2, 0, 3, 1}; // CS_HIGH, CS_MEDIUM, then by the pole: 3 counts as CS_LOW
    bench                b;
    (void)state;
    open_bench(&b);
    head(&b, 0, false, 1, 1, 1, 0);
    head(&b, 1, true, 0, 1, 1, 0);
    head(&b, 2, false, 2, 1, 1, 0);
    head(&b, 3, false, 3, 1, 1, 0);
    b.s.order[1] = 6, b.s.order[6] = 1; // front end 3 above front end 1
    for (unsigned n = 0; n < 4; n++) {
        tick(&b);
        assert_int_equal(b.o.grant_fe, order[n]);
        b.hold.head_valid[order[n]] = false;
        b.i                         = b.hold;
    }
}

// A better tier that does not fit does not keep a lower one back.
static void tier_that_does_not_fit(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    b.s.free_slots = 3;
    head(&b, 0, false, 2, 4, 1, 0);
    head(&b, 1, false, 0, 3, 1, 0);
    tick(&b);
    assert_int_equal(b.o.grant_fe, 1);
}

// The pipe that is granted moves to the bottom, those below it move up, across tiers.
static void totem_pole(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    head(&b, 1, true, 2, 1, 1, 0); // pipe 3
    tick(&b);
    expect_pole(&b, (const uint8_t[]){0, 1, 2, 4, 5, 6, 7, 3});
    b.hold.head_valid[1] = false;
    head(&b, 0, false, 0, 1, 1, 0); // pipe 0, the top
    tick(&b);
    expect_pole(&b, (const uint8_t[]){1, 2, 4, 5, 6, 7, 3, 0});
    b.hold.head_valid[0] = false;
    head(&b, 0, false, 0, 1, 1, 0);
    b.i.head_valid[0] = false; // nobody wants
    tick(&b);
    expect_pole(&b, (const uint8_t[]){1, 2, 4, 5, 6, 7, 3, 0});
    tick(&b); // the bottom again: it stays there
    expect_pole(&b, (const uint8_t[]){1, 2, 4, 5, 6, 7, 3, 0});
    assert_true(b.o.grant_valid);
}

// A pipe that is eligible without a break waits at most P - 2 grants of its tier, and it may be as many: every pipe but
// its partner goes first.
static void longest_wait(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    head(&b, 0, false, 0, 1, 1, 0);
    tick(&b); // pipe 0 to the bottom
    for (unsigned n = 0; n < PIPE_COUNT - 2; n++) {
        const unsigned fe = 1 + n % 3;
        memset(b.hold.head_valid, 0, sizeof b.hold.head_valid);
        head(&b, fe, n >= 3, 0, 1, 1, 0);
        b.hold.head_valid[0] = b.i.head_valid[0] = true;
        tick(&b);
        assert_true(b.o.grant_valid);
        assert_int_equal(b.o.grant_fe, fe);
    }
    for (unsigned fe = 1; fe < 4; fe++)
        head(&b, fe, false, 0, 1, 1, 0);
    tick(&b);
    assert_int_equal(b.o.grant_fe, 0);
}
#endif

static void self_check(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 4; row++) {
        bench b;
        open_bench(&b);
        switch (row) {
        case 0: b.s.order[0] = PIPE_COUNT > 1 ? 1 : 1; break; // 0 is missing
        case 1: b.s.free_slots = TOTEM_SLOTS + 1; break;
        case 2: b.s.free_vgprs_left = TOTEM_VGPRS + 1; break;
        default: b.s.free_lds_left = TOTEM_LDS + 1; break;
        }
        show(&b);
        assert_false(b.o.fault);
        tick(&b);
        assert_true(b.o.fault);
        fresh(&b);
        b.s.fault          = true; // sticky, and nothing is granted any more
        b.hold.launch_room = true;
        head(&b, 0, false, 2, 1, 1, 0);
        ticks(&b, 3);
        assert_true(b.o.fault);
        assert_false(b.o.grant_valid);
    }
}

// A self-check anywhere: nothing more is granted, and what was goes on; frees still count.
static void events_stop(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    head(&b, 0, false, 2, 1, 1, 0);
    tick(&b);
    assert_true(b.o.grant_valid);
    LEVEL(&b, events_stop, true);
    for (unsigned n = 0; n < 6; n++) {
        tick(&b);
        assert_false(b.o.grant_valid);
        assert_false(b.o.fault);
    }
    free_wave(&b, 1, 0);
    tick(&b);
    assert_int_equal(b.o.free_slots, TOTEM_SLOTS);
    LEVEL(&b, events_stop, false);
    tick(&b);
    assert_true(b.o.grant_valid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grant_carries_the_head),
        cmocka_unit_test(one_contender_every_second_clock),
        cmocka_unit_test(fit),
        cmocka_unit_test(free_meets_grant),
        cmocka_unit_test(no_room_no_grant_and_the_pole_stays),
#if TOTEM_FE_COUNT == 4 && TOTEM_PIPES == 2
        cmocka_unit_test(two_contenders_every_clock),
        cmocka_unit_test(tiers),
        cmocka_unit_test(tier_that_does_not_fit),
        cmocka_unit_test(totem_pole),
        cmocka_unit_test(longest_wait),
#endif
        cmocka_unit_test(self_check),
        cmocka_unit_test(events_stop),
    };

    return cmocka_run_group_tests_name("issue", tests, NULL, NULL);
}

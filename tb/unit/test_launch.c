// SPDX-License-Identifier: Apache-2.0
//
// totem_launch: rules, latencies and meetings of docs/contract/launch.md.

#include "block_bench.h"

#include "totem_launch.h"

BENCH(launch)

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, launch_ready, true);
    ticks(b, 2); // a slot is set aside, `room` was seen
}

static void grant(bench *b, uint8_t waves, uint64_t id)
{
    b->i.grant_valid   = true;
    b->i.grant_waves   = waves;
    b->i.grant_group   = id;
    b->i.grant_threads = 20;
    b->i.grant_vgprs   = 3;
    b->i.grant_lds     = 11;
    b->i.grant_queue   = 2;
    b->i.grant_epoch   = 1;
    b->i.grant_program = 0x9876543210;
    b->i.grant_new     = true;
    b->i.grant_buffer  = true;
}

static void waves_of_a_group_one_a_clock(void **state)
{
    (void)state;
    for (unsigned wave32 = 0; wave32 < 2; wave32++) {
        bench b;
        open_bench(&b);
        assert_true(b.o.room);
        assert_false(b.o.launch_valid);
        grant(&b, 3, 77);
        b.i.grant_wave32 = wave32;
        tick(&b);
        for (unsigned n = 0; n < 3; n++) { // the first in n+1
            assert_true(b.o.launch_valid && b.o.launch_buffer);
            assert_int_equal(b.o.launch_index, n);
            assert_int_equal(b.o.launch_slot, n);
            assert_int_equal(b.o.launch_waves, 3);
            assert_int_equal(b.o.launch_group, 77);
            assert_int_equal(b.o.launch_threads, n == 2 ? 20 : wave32 ? 32 : 64);
            assert_int_equal(b.o.launch_wave32, wave32);
            assert_int_equal(b.o.launch_state_new, n == 0);
            assert_int_equal(b.o.launch_program, 0x9876543210);
            assert_int_equal(b.o.launch_kind, 0);
            assert_int_equal(b.o.launch_path, 0);
            tick(&b);
            assert_true(b.o.alloc_valid); // one clock after the acceptance
            assert_int_equal(b.o.alloc_slot, n);
            assert_int_equal(b.o.alloc_first, n == 0);
            assert_int_equal(b.o.alloc_waves, 3);
            assert_int_equal(b.o.alloc_vgprs, 3);
            assert_int_equal(b.o.alloc_lds, 11);
            assert_int_equal(b.o.alloc_queue, 2);
            assert_int_equal(b.o.alloc_epoch, 1);
            assert_int_equal(b.o.release_valid, n == 2);
        }
        assert_true(b.o.release_buffer);
        assert_false(b.o.launch_valid);
        tick(&b);
        assert_false(b.o.alloc_valid || b.o.release_valid);
    }
}

static void offer_stays_until_it_is_taken(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, launch_ready, false);
    grant(&b, 2, 5);
    tick(&b);
    for (unsigned n = 0; n < 5; n++) {
        assert_true(b.o.launch_valid && b.o.launch_state_new);
        assert_int_equal(b.o.launch_slot, 0);
        assert_int_equal(b.o.launch_index, 0);
        assert_false(b.o.alloc_valid);
        tick(&b);
    }
}

// Grants whenever `room` was 1 in the clock before: no clock without a wave, also for groups of one wave.
static void no_clock_is_lost(void **state)
{
    (void)state;
    for (uint8_t waves = 1; waves <= 3; waves++) {
        bench    b;
        bool     asked = false;
        uint64_t sent = 0, seen = 0;
        unsigned index = 0, idle = 0;
        open_bench(&b);
        asked = b.o.room;
        tick(&b);
        for (unsigned n = 0; n < 60; n++) {
            if (asked)
                grant(&b, waves, sent++);
            asked = b.o.room;
            if (b.o.launch_valid) {
                assert_int_equal(b.o.launch_group, seen);
                assert_int_equal(b.o.launch_index, index);
                if (++index == waves)
                    index = 0, seen++;
            } else {
                idle++;
            }
            b.i.free_valid = b.o.alloc_valid;
            b.i.free_slot  = b.o.alloc_slot;
            tick(&b);
        }
        assert_true(idle <= 1); // the clock before the first
        assert_true(sent - seen <= 3);
    }
}

static void three_groups_are_held(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, launch_ready, false);
    grant(&b, 1, 1);
    tick(&b);
    assert_true(b.o.room); // one held, one may be on its way: not yet full
    grant(&b, 1, 2);
    tick(&b);
    assert_false(b.o.room); // two held and one on its way
    grant(&b, 1, 3);
    tick(&b);
    assert_false(b.o.room);
    grant(&b, 1, 4); // nobody asked: ignored
    tick(&b);
    LEVEL(&b, launch_ready, true);
    for (uint64_t id = 1; id <= 3; id++) {
        assert_true(b.o.launch_valid);
        assert_int_equal(b.o.launch_group, id);
        tick(&b);
    }
    assert_false(b.o.launch_valid);
}

// More than two waves held: nothing is needed yet.
static void long_group_asks_late(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, launch_ready, true);
    grant(&b, 4, 1);
    tick(&b);
    assert_false(b.o.room); // 4 left
    tick(&b);
    assert_false(b.o.room); // 3 left
    tick(&b);
    assert_true(b.o.room); // 2 left
}

static void last_wave_meets_grant(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    grant(&b, 1, 1);
    tick(&b);
    assert_true(b.o.launch_valid);
    grant(&b, 1, 2); // in the clock in which the only wave is accepted
    tick(&b);
    assert_true(b.o.launch_valid);
    assert_int_equal(b.o.launch_group, 2);
    assert_true(b.o.release_valid);
}

static void no_free_slot_no_offer(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    grant(&b, 64, 1);
    unsigned accepted = 0;
    for (unsigned n = 0; n < 2 * TOTEM_SLOTS; n++) {
        tick(&b);
        accepted += b.o.launch_valid;
    }
    assert_int_equal(accepted, TOTEM_SLOTS);
    if (TOTEM_SLOTS < 64) {
        b.i.free_valid = true;
        b.i.free_slot  = 5;
        tick(&b);
        assert_false(b.o.launch_valid); // set aside from the next clock on
        tick(&b);
        assert_true(b.o.launch_valid);
        assert_int_equal(b.o.launch_slot, 5);
        assert_int_equal(b.o.launch_index, TOTEM_SLOTS);
    }
}

static void retire_meets_accept(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    grant(&b, 3, 1);
    tick(&b); // wave 0 in slot 0
    tick(&b); // wave 1 in slot 1
    assert_int_equal(b.o.launch_slot, 1);
    b.i.free_valid = true;
    b.i.free_slot  = 0; // while slot 1 is accepted
    tick(&b);
    assert_int_equal(b.o.launch_slot, 2); // by what was free before
    tick(&b);
    assert_int_equal(b.s.slot, 0);
    assert_true(b.s.used[1] && !b.s.used[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_of_a_group_one_a_clock),
        cmocka_unit_test(offer_stays_until_it_is_taken),
        cmocka_unit_test(no_clock_is_lost),
        cmocka_unit_test(three_groups_are_held),
        cmocka_unit_test(long_group_asks_late),
        cmocka_unit_test(last_wave_meets_grant),
        cmocka_unit_test(no_free_slot_no_offer),
        cmocka_unit_test(retire_meets_accept),
    };

    return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}

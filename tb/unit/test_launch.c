// SPDX-License-Identifier: Apache-2.0
//
// totem_launch: rules, latencies and meetings of docs/contract/launch.md.

#include "block_bench.h"

#include "totem_launch.h"

BENCH(launch)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

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
    b->i.grant_lds     = (uint16_t)(id & 511);
    b->i.grant_queue   = 2;
    b->i.grant_epoch   = 1;
    b->i.grant_program = 0x9876543210;
    b->i.grant_new     = true;
    b->i.grant_buffer  = true;
}

static void group(bench *b, unsigned id, uint64_t waves)
{
    grant(b, (uint8_t)waves, id);
}

// group[n]: a grant of group n with so many waves.
static const script_word words[] = {
    ACT(group),
    WORD(ready, i.launch_ready),
    OUTPUT(room),
    WORD(valid, o.launch_valid),
    WORD(id, o.launch_group),
    WORD(lds, o.launch_lds),
    {0},
};

static const script_row rows[] = {
    {"three_groups_are_held", open_bench, // no more is asked for when one may be on its way; a fourth is ignored
     "ready==0 group[1]=1; room:1 group[2]=1; room:0 group[3]=1; room:0 group[4]=1;"
     "ready==1 valid:1 id:1 lds:1; valid:1 id:2 lds:2; valid:1 id:3 lds:3; valid:0"},
    {"long_group_asks_late", open_bench, "group=4; room:0; room:0; room:1"}, // when two waves are left
    {"longest_groups_ask_late", open_bench, "ready==0 group=64; group=64; room:0; room:0"},
};

TEST(waves_of_a_group_one_a_clock)
{
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
            assert_int_equal(b.o.alloc_lds, 77);
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

// Grants whenever `room` was 1 in the clock before: no clock without a wave, also for groups of one wave.
TEST(no_clock_is_lost)
{
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

SCRIPTS(rows)

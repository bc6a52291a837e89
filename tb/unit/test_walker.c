// SPDX-License-Identifier: Apache-2.0
//
// totem_walker: rules, latencies and meetings of docs/contract/walker.md.

#include "block_bench.h"

#include "totem_walker.h"

BENCH(walker)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

#define ID(x, y, z) ((uint64_t)(z) << 48 | (uint64_t)(y) << 32 | (uint64_t)(x))

static const script_word words[] = {
    WORD(stop, i.packet_stop),
    WORD(origin, i.bank_origin),
    WORD(take, i.dc_take),
    WORD(engine, i.dc_take_engine),
    WORD(grant, i.grant_valid[0]),
    WORD(answer, i.answer_valid[0]),
    WORD(left, i.answer_count[0]),
    OUTPUT(busy),
    WORD(offer, o.group_valid),
    OUTPUT(group),
    OUTPUT(low),
    OUTPUT(mask),
    WORD(room, o.room[0]),
    WORD(outstanding, o.outstanding[0]),
    OUTPUT(stopped),
    OUTPUT(mismatch),
    WORD(count, s.count[0]),
    WORD(start, i.packet_start),
    WORD(end, i.packet_start_end),
    {0},
};

static void start(bench *b, uint64_t end)
{
    b->i.packet_start               = true;
    b->i.packet_start_fresh_at_zero = true;
    b->i.packet_start_end           = end;
    tick(b);
}

static void grid_of_3(bench *b)
{
    fresh(b);
    start(b, ID(3, 1, 1));
}

static void grid_of_20(bench *b)
{
    fresh(b);
    start(b, ID(20, 1, 1));
}

static const script_row rows[] = {
    {"take_and_grant", grid_of_3, // `low` steps one clock behind a grant
     "busy:1 offer:1 group:0 low:0 take; outstanding:1 offer:1 group:1 take; take; offer:0 busy:1 grant;"
     "low:0 mask:0; low:1 grant; busy:1 grant; busy:0 outstanding:0 mismatch:0"},
    {"x_beyond_16_bits", fresh,
     "origin==0xfffe start end=0x0001000100010001; group:0xfffe take; take; group:0x10000 take; offer:0"},
    {"four_at_an_engine", grid_of_20, "room:1 take; room:1 take; room:1 take; room:1 take; room:0"},
    {"stop_and_recall", grid_of_20, // `stopped` in the clock behind the last answer; the window is kept
     "take; take; take; take; stop==1; offer:0 stopped:0 grant; answer left=3;"
     "stopped:1 low:1 mask:0 busy:1 stop==0; busy:0 mismatch:0 low:1"},
    {"grant_leaves_nothing_to_return", grid_of_3, "take; grant answer left=0; offer:1 group:1 mismatch:0"},
    {"take_meets_answer", grid_of_20, // id 2, just taken, stays presented; the offer goes back to the lowest
     "take; take; take answer left=2; mismatch:0 count:1 offer:1 group:0 take; group:1 take; offer:0; group:3"},
#if TOTEM_SE_COUNT > 1
    {"eight_in_the_window", grid_of_20, // nothing moves before the lowest is granted; free two clocks later
     "take; take; take; take; room[1]:1 take engine=1; take engine=1; take engine=1; take engine=1;"
     "offer:0 grant[1]; 3; offer:0 low:0 mask:8 grant; offer:0; offer:1 group:8 low:1"},
    {"stopped_means_exact", grid_of_20, // it waits until `low` has stepped over what was granted
     "take; take engine=1; take engine=1; take engine=1; stop==1 grant[1]; grant[1];"
     "stopped:0 grant answer[1] left[1]=1; stopped:0 3; stopped:1 low:3 mask:0"},
#endif
    {"grant_of_nothing_is_a_mismatch", grid_of_20, "mismatch:0 grant; mismatch:1 4;"},
    {"answer_of_nothing_is_a_mismatch", grid_of_20, "mismatch:0 answer left=1; mismatch:1 4;"},
    {"fifth_at_an_engine_is_a_mismatch", grid_of_20, // and is not taken
     "take; take; take; take; mismatch:0 take; count:4 mismatch:1 4;"},
};

// x, then y, then z, every dimension from its start to its exclusive end. The last group of each dimension is marked
// if there are partial groups, and again when it was returned.
TEST(walk_and_marks)
{
    for (unsigned way = 0; way < 4; way++) {
        const bool     partial = way % 2, moved = way / 2;
        const uint64_t origin = moved ? ID(2, 1, 3) : 0;
        bench          b;
        fresh(&b);
        LEVEL(&b, bank_origin, origin);
        b.i.packet_start               = true;
        b.i.packet_start_fresh_at_zero = !moved;
        b.i.packet_start_partial       = partial;
        b.i.packet_start_end           = origin + ID(3, 2, 2);
        tick(&b);
        for (unsigned n = 0; n < 12; n++) {
            const unsigned edge = (n % 3 == 2) | (n / 3 % 2 == 1) << 1 | (n / 6 == 1) << 2;
            for (unsigned offers = 0; offers <= (n % 4 == 1); offers++) { // some are returned once
                CLOCKS_UNTIL(&b, b.o.group_valid, offers ? 8 : 0);
                assert_int_equal(b.o.group, origin + ID(n % 3, n / 3 % 2, n / 6));
                assert_int_equal(b.o.group_partial, partial ? edge : 0);
                b.i.dc_take = true;
                tick(&b);
                b.i.answer_valid[0] = n % 4 == 1 && offers == 0;
                b.i.answer_count[0] = 1;
                b.i.grant_valid[0]  = !b.i.answer_valid[0];
                tick(&b);
            }
            ticks(&b, 2); // the window moves
        }
        assert_false(b.o.busy || b.o.mismatch);
    }
}

TEST(empty_grids_never_rise)
{
    static const uint64_t ends[] = {ID(0, 1, 1), ID(1, 0, 1), ID(1, 1, 0), ID(5, 4, 9), ID(6, 3, 9), ID(6, 4, 8)};
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

// Every bit of the restart mask is a later id that has been granted.
TEST(resumed_with_every_mask)
{
    for (unsigned mask = 0; mask < 128; mask++) {
        bench    b;
        unsigned offered = 0;
        fresh(&b);
        b.i.packet_start        = true;
        b.i.packet_start_resume = true;
        b.i.bank_restart        = ID(1, 0, 0);
        b.i.bank_restart_mask   = (uint8_t)mask;
        b.i.bank_restart_end    = ID(9, 1, 1);
        tick(&b);
        assert_int_equal(b.o.mask, mask);
        for (unsigned n = 0; n < 32; n++) {
            const bool taken = b.o.group_valid && b.o.room[0];
            offered |= taken ? 1u << b.o.group : 0;
            b.i.dc_take = taken;
            tick(&b);
            b.i.grant_valid[0] = taken;
        }
        assert_int_equal(offered, 0x1fe & ~(mask << 2));
    }
}

SCRIPTS(rows)

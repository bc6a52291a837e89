// SPDX-License-Identifier: Apache-2.0
//
// totem_draw_count: rules and meetings of docs/contract/draw_count.md.

#include "block_bench.h"

#include "totem_draw_count.h"

BENCH(draw_count)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

enum { ENGINES = TOTEM_SE_COUNT };

// A grant at that engine of that draw state: of geometry, or of a pixel wave.
static void geometry(bench *b, unsigned e, uint64_t state)
{
    b->i.geometry_valid[e] = true;
    b->i.grant_state[e]    = (uint8_t)state;
}

static void pixel(bench *b, unsigned e, uint64_t state)
{
    b->i.pixel_valid[e] = true;
    b->i.grant_state[e] = (uint8_t)state;
}

static void done(bench *b, unsigned e, uint64_t state)
{
    b->i.complete_valid[e] = true;
    b->i.complete_state[e] = (uint8_t)state;
}

static void mark(bench *b, unsigned e, uint64_t state)
{
    b->i.mark_valid[e] = true;
    b->i.mark_state[e] = (uint8_t)state;
}

// Marks of draw state 1 that are given back.
static void cull(bench *b, unsigned e, uint64_t count)
{
    b->i.cull_valid[e] = true;
    b->i.cull_state[e] = 1;
    b->i.cull_count[e] = (uint8_t)count;
}

static uint64_t more(const bench *b) // of draw state 1, than a geometry wave brings
{
    return (uint64_t)b->s.count[1] + 8 - ENGINES; // 8: that many
}

static const script_word words[] = {
    ACT(geometry),           ACT(pixel),   ACT(done),     ACT(mark), ACT(cull), VIEW(more), WORD(count, s.count[0]),
    WORD(empty, o.empty[0]), OUTPUT(idle), OUTPUT(fault), {0},
};

static const script_row rows[] = {
    {"a_geometry_wave_has_a_mark_for_each_converter", fresh,
     "idle:1 empty[1]:1 geometry[0]=1; more:8 empty[1]:0 empty[0]:1 idle:0 geometry[0]=1; geometry[0]=0; empty[0]:0"},
    {"a_meeting_counts_all", fresh,
     "pixel[0]=1; pixel[0]=1; pixel[0]=1; count[1]:3 geometry[0]=1 done[0]=1 mark[0]=1 cull[0]=1; more:8 fault:0"},
    {"a_grant_in_the_clock_does_not_help", fresh, // what is given back must have been counted before
     "pixel[0]=1 mark[0]=1; fault:1 count[1]:1"},
    {"a_count_below_zero_is_a_fault", fresh, "pixel[0]=1; fault:0 cull[0]=2; fault:1 count[1]:0; fault:1"},
#if TOTEM_SE_COUNT == 4
    {"engines_meet", fresh,
     "geometry[0]=1 geometry[1]=1; geometry[0]=1 pixel[1]=1 mark[0]=1 cull[1]=2 done[1]=1;"
     "fault:0 count[1]:9 cull[0]=4 cull[1]=4; fault:0 mark[0]=1; fault:0 idle:1 mark[0]=1; fault:1"},
#endif
};

// As many as there can be of one draw state.
TEST(thousands)
{
    bench b;
    fresh(&b);
    for (unsigned n = 1; n <= 4095 / ENGINES; n++) {
        geometry(&b, 0, 1);
        tick(&b);
        assert_int_equal(b.s.count[1], n * ENGINES);
    }
}

SCRIPTS(rows)

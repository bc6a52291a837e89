// SPDX-License-Identifier: Apache-2.0
//
// totem_issue: rules, latencies and meetings of docs/contract/issue.md.

#include "block_bench.h"

#include "totem_issue.h"

BENCH(issue)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

enum { PIPE_COUNT = TOTEM_FE_COUNT * TOTEM_PIPES };

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, launch_room, true);
}

// A group at the head of that port from now on.
static void head(bench *b, unsigned fe, bool pipe, uint8_t priority, uint8_t waves, uint8_t vgprs, uint16_t lds)
{
    const unsigned n         = fe * TOTEM_PIPES + (pipe ? 1 : 0);
    b->hold.head_valid[n]    = true;
    b->hold.head_priority[n] = priority;
    b->hold.head_waves[n]    = waves;
    b->hold.head_vgprs[n]    = vgprs;
    b->hold.head_total[n]    = (uint16_t)(waves * vgprs);
    b->hold.head_lds[n]      = lds;
    b->i                     = b->hold;
}

// A group of one wave at the head of pipe `place`, from now on.
static void wants(bench *b, unsigned place, uint64_t priority)
{
    head(b, place / TOTEM_PIPES, place % TOTEM_PIPES != 0, (uint8_t)priority, 1, 1, 0);
}

// It has other sizes: waves, blocks of VGPRs a wave, blocks of LDS, of two decimal figures each.
static void size(bench *b, unsigned place, uint64_t value)
{
    head(b, place / TOTEM_PIPES, place % TOTEM_PIPES != 0, b->i.head_priority[place], (uint8_t)(value / 10000),
         (uint8_t)(value / 100 % 100), (uint16_t)(value % 100));
}

// It holds the engine from now on; `older` has a bit for each hold that began before.
static inline void holds(bench *b, unsigned place, uint64_t older)
{
    b->hold.hold_valid[place]  = true;
    b->hold.hold_before[place] = (uint8_t)older;
    b->i                       = b->hold;
}

// The totem pole from the top on, a hexadecimal figure each.
static uint64_t pole(const bench *b)
{
    uint64_t order = 0;
    for (unsigned n = 0; n < PIPE_COUNT; n++)
        order = order << 4 | b->o.order[n];
    return order;
}

static const script_word words[] = {
    ACT(wants),
    ACT(size),
    ACT(holds),
    VIEW(pole),
    WORD(head, i.head_valid[0]),
    WORD(lacks, o.lacks[0]),
    WORD(passed, o.passed[0]),
    WORD(free, i.free_valid),
    WORD(free_vgprs, i.free_vgprs),
    WORD(free_lds, i.free_lds),
    WORD(grant, o.grant_valid),
    WORD(fe, o.grant_fe),
    WORD(pipe, o.grant_pipe),
    WORD(slots, s.free_slots),
    WORD(vgprs, s.free_vgprs_left),
    WORD(lds, s.free_lds_left),
    {0},
};

static const script_row rows[] = {
    {"too_few_vgprs", open_bench,
     "slots=4 vgprs=20 lds=9 wants=0 size=40609; grant:0 2; grant:0 free free_vgprs=4 free_lds=1; grant:0; grant:1"},
    {"too_little_lds", open_bench,
     "slots=4 vgprs=20 lds=9 wants=0 size=40410; grant:0 2; grant:0 free free_vgprs=4 free_lds=1; grant:0; grant:1"},
    {"lacks", open_bench, "slots=4 wants=0 size=50100; grant:0 lacks:1 free; lacks:1; grant:1 lacks:0 passed:0"},
#if TOTEM_FE_COUNT == 4 && TOTEM_PIPES == 2
    {"passed", open_bench, "wants[1]=0 wants[2]=1; fe:1 passed[1]:1 passed[2]:0; fe:0 passed[1]:0"},
    {"hold", open_bench, // keeps back its own and lower tiers, its partner too; not better ones
     "slots=3 wants[1]=1 size[1]=40100 holds[1]=0 wants=0 wants[4]=1; grant:0 passed[4]:0 lacks[4]:1 lacks[1]:1;"
     "grant:0 wants[6]=2; fe:3 head[6]==0; grant:0 slots=9; fe:0 pipe:1; grant:1"}, // then all may go again
    {"hold_waits_for_an_older_one_of_its_tier", open_bench,
     "slots=3 wants[1]=1 size[1]=40100 wants[4]=1 holds[1]=0 holds[4]=2; grant:0; grant:0 slots=5; fe:0; fe:2"},
    {"totem_pole", open_bench, // what is granted moves to the bottom, those below move up, across tiers
     "pole:0x01234567 wants[3]=2; pole:0x01245673 head[3]==0 wants=0; pole:0x12456730 head=0; pole:0x12456730;"
     "pole:0x12456730 grant:1"}, // nobody wants; the bottom again
#endif
};

TEST(grant_carries_the_head)
{
    bench b;
    open_bench(&b);
    assert_int_equal(b.o.free_slots, TOTEM_SLOTS);
    assert_true(b.o.idle);
    assert_int_equal(b.o.free_vgprs_left, TOTEM_VGPRS);
    assert_int_equal(b.o.free_lds_left, TOTEM_LDS);
    for (unsigned n = 0; n < PIPE_COUNT; n++)
        assert_int_equal(b.o.order[n], n);
    enum { N = TOTEM_PIPES > 1 };
    head(&b, 0, N == 1, 1, 3, 5, 7);
    b.hold.head_buffer[N]  = true;
    b.hold.head_new[N]     = true;
    b.hold.head_group[N]   = 0x123456789abcdef0;
    b.hold.head_threads[N] = 33;
    b.hold.head_wave32[N]  = true;
    b.hold.head_program[N] = 0xfedcba9876;
    b.hold.head_queue[N]   = 2;
    b.hold.head_epoch[N]   = 3;
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

TEST(self_check)
{
    for (unsigned row = 0; row < 4; row++) {
        bench b;
        open_bench(&b);
        b.s.order[0]        = row == 0 ? 1 : 0; // 0 is missing
        b.s.free_slots      = TOTEM_SLOTS + (row == 1);
        b.s.free_vgprs_left = TOTEM_VGPRS + (row == 2);
        b.s.free_lds_left   = TOTEM_LDS + (row == 3);
        show(&b);
        assert_false(b.o.fault);
        tick(&b);
        assert_true(b.o.fault);
    }
}

SCRIPTS(rows)

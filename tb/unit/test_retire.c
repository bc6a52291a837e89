// SPDX-License-Identifier: Apache-2.0
//
// totem_retire: rules, latencies and meetings of docs/contract/retire.md. The bench holds the slot table.

#include "block_bench.h"

#include "totem_retire.h"

BENCH(retire)

typedef struct {
    bench    b;
    uint64_t table[TOTEM_SLOTS];
} table_bench;

// A clock of block and table: a word that is asked for is there in the next clock.
static void clock_edge(bench *b)
{
    table_bench *t = (table_bench *)b;
    TICK_WITH_RAM(t, t->table, table);
}

#define SCRIPT_BENCH table_bench
#define SCRIPT_CLOCK clock_edge
#include "script_bench.h"

static void open_bench(bench *b)
{
    memset(b, 0, sizeof(table_bench));
    fresh(b);
}

static void no_name_left(bench *b)
{
    open_bench(b);
    memset(b->s.live, 1, sizeof b->s.live);
}

static void alloc(bench *b, unsigned slot, bool first, unsigned waves, unsigned lds)
{
    b->i.alloc_valid = true;
    b->i.alloc_slot  = (uint8_t)slot;
    b->i.alloc_first = first;
    b->i.alloc_waves = (uint8_t)waves;
    b->i.alloc_fe    = TOTEM_FE_COUNT - 1;
    b->i.alloc_pipe  = TOTEM_PIPES - 1;
    b->i.alloc_queue = 3;
    b->i.alloc_epoch = 2;
    b->i.alloc_vgprs = 5;
    b->i.alloc_lds   = (uint16_t)lds;
}

// The first wave of a group in that slot; 1000 x waves of the group + its LDS.
static void first(bench *b, unsigned slot, uint64_t group)
{
    alloc(b, slot, true, (unsigned)group / 1000, (unsigned)group % 1000);
}

static void later(bench *b, unsigned slot, uint64_t group)
{
    alloc(b, slot, false, (unsigned)group / 1000, (unsigned)group % 1000);
}

static void done(bench *b, unsigned none, uint64_t slot)
{
    (void)none;
    b->i.done_valid = true;
    b->i.done_slot  = (uint8_t)slot;
}

// Whether the completion is that of the pipe of `alloc`.
static uint64_t own_pipe(const bench *b)
{
    return b->o.complete_fe == TOTEM_FE_COUNT - 1 && b->o.complete_pipe == (TOTEM_PIPES > 1);
}

static const script_word words[] = {
    ACT(first),
    ACT(later),
    ACT(done),
    WORD(free, o.free_valid),
    WORD(slot, o.free_slot),
    WORD(vgprs, o.free_vgprs),
    WORD(lds, o.free_lds),
    WORD(complete, o.complete_valid),
    VIEW(own_pipe),
    WORD(queue, o.complete_queue),
    WORD(epoch, o.complete_epoch),
    OUTPUT(fault),
    WORD(live, s.live[0]),
    WORD(occupied, s.occupied[0]),
    {0},
};

static const script_row rows[] = {
    {"one_wave", open_bench, // done in clock n, freed and completed in n+4
     "first[7]=1300 2; done=7; free:0 3; free:1 slot:7 vgprs:5 lds:300 complete:1 own_pipe:1 queue:3 epoch:2;"
     "free:0 fault:0"},
    {"slot_is_used_again_before_the_group_ends", open_bench,
     "first=2060; later[1]=2060; done=0 6; first=1009 2; done=0 4; lds:9 done=1 4; lds:60 fault:0"},
    {"group_of_64_waves", open_bench, "first=64060; live:64"},
    {"alloc_meets_done", open_bench, // of another slot, then of its own: a core that answers at once
     "first=1001; done=0 first[1]=1002; done=2 first[2]=1003; free:0 2; free:1 lds:1; free:1 lds:3;"
     "free:0 fault:0 occupied:0 occupied[1]:1 occupied[2]:0"},
    {"end_of_no_wave_is_a_fault", open_bench, "done=3 2; fault:1 free:0 6;"},
    {"end_of_a_wave_without_a_group_is_a_fault", open_bench, "first=1001 2; live=0 done=0 4; fault:1 free:1 live:0"},
    {"group_without_a_name_is_a_fault", no_name_left, "first=1001; fault:1"},
};

SCRIPTS(rows)

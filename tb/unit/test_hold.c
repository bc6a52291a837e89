// SPDX-License-Identifier: Apache-2.0
//
// totem_hold: rules, latencies and meetings of docs/contract/hold.md.

#include "block_bench.h"

#include "totem_hold.h"

BENCH(hold)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

enum { PIPE_COUNT = TOTEM_FE_COUNT * TOTEM_PIPES };

// HOLD_AFTER 2, 3 and 4; the pole as after reset.
static void open_bench(bench *b)
{
    fresh(b);
    b->hold.settings_hold_high   = 2;
    b->hold.settings_hold_medium = 3;
    b->hold.settings_hold_low    = 4;
    for (unsigned n = 0; n < PIPE_COUNT; n++)
        b->hold.issue_order[n] = (uint8_t)n;
    b->i = b->hold;
}

// The head of that pipe wants and does not fit from now on.
static void lacks(bench *b, unsigned place, uint64_t priority)
{
    b->hold.head_valid[place]    = true;
    b->hold.head_priority[place] = (uint8_t)priority;
    b->hold.issue_lacks[place]   = true;
    b->i                         = b->hold;
}

static void grant(bench *b, unsigned place, uint64_t none)
{
    (void)none;
    b->i.grant_valid = true;
    b->i.grant_fe    = (uint8_t)(place / TOTEM_PIPES);
    b->i.grant_pipe  = place % TOTEM_PIPES != 0;
}

static const script_word words[] = {
    ACT(lacks),
    ACT(grant),
    WORD(head, i.head_valid[0]),
    WORD(short, i.issue_lacks[0]),
    WORD(order, i.issue_order[0]),
    WORD(valid, o.valid[0]),
    WORD(before, o.hold_before[0]),
    WORD(waited, s.waited[0]),
    {0},
};

static const script_row rows[] = {
    {"clocks_add_up", open_bench, // while it fits the clocks stay, and nothing begins
     "lacks=0; 3; short==0 waited:4 9; valid:0 short==1; valid:1 waited:5"},
    {"grant_ends_it_and_clears_the_clocks", open_bench, "lacks=2; 3; valid:1 grant; valid:0 waited:0; 2; valid:1"},
    {"return_ends_it_and_keeps_the_clocks", open_bench,
     "lacks=2; 3; valid:1 head==0 short==0; valid:0 waited:4 9; valid:0 head==1 short==1; valid:1"},
    {"clocks_do_not_wrap", open_bench, "waited=0xfffffe lacks=0; waited:0xffffff; waited:0xffffff"},
#if TOTEM_FE_COUNT == 4 && TOTEM_PIPES == 2
    {"older_holds", open_bench, // what began before has a bit; one that ends has none
     "lacks[3]=2; 2; lacks[5]=2 valid[3]:1; 2; valid[5]:1 before[5]:8 before[3]:0 lacks[1]=2; 2; before[1]:0x28"
     " grant[3]; valid[3]:0 before[5]:0 before[1]:0x20"},
    {"one_begins_a_clock_by_the_pole", open_bench,
     "order==5 order[5]==0 lacks=2 lacks[5]=2 lacks[6]=2; 2; valid[5]:1 valid:0 valid[6]:0; valid:1 before:0x20;"
     "valid[6]:1 before[6]:0x21"},
#endif
};

SCRIPTS(rows)

// SPDX-License-Identifier: Apache-2.0
//
// totem_stats: rules, latencies and meetings of docs/contract/stats.md.

#include "block_bench.h"

#include "totem_stats.h"

BENCH(stats)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

// An access: 0 to 3 which of the pipe `place`, and its byte strobes if it is a write.
static void look(bench *b, unsigned place, uint64_t which)
{
    b->i.host_valid = true;
    b->i.host_dword = (uint8_t)(place << 2 | (which & 3));
}

static void clear(bench *b, unsigned place, uint64_t strobe)
{
    look(b, place, 0);
    b->i.host_write  = true;
    b->i.host_strobe = (uint8_t)strobe;
}

static const script_word words[] = {
    ACT(look),
    ACT(clear),
    WORD(passed, i.issue_passed[0]),
    WORD(lacks, i.issue_lacks[0]),
    WORD(waited, i.hold_waited[0]),
    WORD(grant, i.grant_valid),
    WORD(pipe, i.grant_pipe),
    WORD(done, o.host_done),
    WORD(data, o.host_rdata),
    WORD(run, s.run[0]),
    WORD(longest, s.passed_longest[0]),
    {0},
};

static const script_row rows[] = {
    {"sums", fresh, "passed==1 3; passed==0 lacks==1 2; lacks==0; look=0; done:1 data:3; done:0 look=1; done:1 data:2"},
    {"longest", fresh, // of two waits with a grant between; one that still lasts counts too
     "passed==1 3; passed==0 grant; passed=1; look=2; data:3; passed==1 4; passed==0; look=2; data:5 run:5;"},
    {"longest_without_room", fresh, "waited=7; waited=5; look=3; done:1 data:7"},
    {"clear", fresh, // the four of the pipe; the wait that lasts comes again as a whole
     "passed==1 lacks==1 waited==9 3; clear=1; done:1 data:3; look=0; data:1 passed==0; look=2; data:6"},
    {"long_run", fresh, "run=0xfffff passed; run:0x100000"},
    {"no_strobe_no_clear", fresh, "passed==1 3; passed==0 clear=0; done:1; look=0; data:3"},
#if TOTEM_FE_COUNT == 4 && TOTEM_PIPES == 2
    {"pipes_apart", fresh, // also of grants and clears
     "passed[7]==1 2; passed==1 grant pipe; passed[7]==0 passed==0; look=0; data:1 longest[7]:3 run:1; clear[7]=1;"
     "longest[7]:0; look=0; data:1"},
#endif
};

SCRIPTS(rows)

// SPDX-License-Identifier: Apache-2.0
//
// totem_stats: twin of rtl/issue/totem_stats.v, from docs/contract/stats.md.

#include "totem_stats.h"

#include "../host/totem_regs_map.h"

enum { PIPE_COUNT = TOTEM_FE_COUNT * TOTEM_PIPES };

#define SUM_FULL ((uint32_t)(((uint64_t)1 << TOTEM_COUNT_BITS) - 1))

void totem_stats_outputs(const totem_stats *s, totem_stats_out *o)
{
    o->host_done  = s->done;
    o->host_rdata = s->rdata;
}

void totem_stats_step(totem_stats *s, const totem_stats_in *i)
{
    const bool     access = i->host_valid && !s->done;
    const bool     clear  = access && i->host_write && i->host_strobe != 0;
    const unsigned asked  = i->host_dword >> 2 & 7;

    // 4 Access. It reads before anything is counted.
    s->done = access;
    if (access) {
        s->rdata = 0;
        for (unsigned n = 0; n < PIPE_COUNT; n++)
            if (n == asked)
                switch (i->host_dword & 3) {
                case TOTEM_REG_WAITS_PASSED: s->rdata = s->passed[n]; break;
                case TOTEM_REG_WAITS_LACKED: s->rdata = s->lacked[n]; break;
                case TOTEM_REG_WAITS_PASSED_LONGEST: s->rdata = s->passed_longest[n]; break;
                default: s->rdata = s->lacked_longest[n]; break;
                }
    }

    for (unsigned n = 0; n < PIPE_COUNT; n++) {
        const bool granted = i->grant_valid && i->grant_fe == n / TOTEM_PIPES && i->grant_pipe == n % TOTEM_PIPES;

        // 1 Sums
        if (i->issue_passed[n] && s->passed[n] != SUM_FULL)
            s->passed[n]++;
        if (i->issue_lacks[n] && s->lacked[n] != SUM_FULL)
            s->lacked[n]++;
        // 3 Longest
        if (s->run[n] > s->passed_longest[n])
            s->passed_longest[n] = s->run[n];
        if (i->hold_waited[n] > s->lacked_longest[n])
            s->lacked_longest[n] = i->hold_waited[n];
        // 2 Run
        if (granted)
            s->run[n] = 0;
        else if (i->issue_passed[n] && s->run[n] != 0xffffff)
            s->run[n]++;

        // 4 Access, continued
        if (clear && n == asked) {
            s->passed[n]         = 0;
            s->lacked[n]         = 0;
            s->passed_longest[n] = 0;
            s->lacked_longest[n] = 0;
        }
    }
}

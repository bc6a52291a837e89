// SPDX-License-Identifier: Apache-2.0
//
// run_resume: see run_resume.h.

#include "run_resume.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "driver.h"

#include <inttypes.h>
#include <stdio.h>

enum { RESUME = 1, PAGE = 12 };

static bool of_memory(const session_error *e)
{
    return e->code >> 5 == TOTEM_ERROR_MEMORY_READ_SLVERR >> 5;
}

static bool halted(session *s, int pipe, unsigned queue)
{
    return session_out(s)->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.execute.halted[queue];
}

void run_resume_clock(run_resume *r, session *s)
{
    while (r->after && r->seen < session_count(s).errors) {
        const session_error *e = session_error_at(s, r->seen);
        if (e->clock + r->after > session_clock(s))
            return;
        r->seen++;
        if (!of_memory(e) || e->pipe < 0 || e->pipe >= TOTEM_PIPE_COUNT || !halted(s, e->pipe, e->queue))
            continue;
        host_port     *h      = session_host(s);
        const uint32_t window = driver_window((uint32_t)e->pipe, e->queue, TOTEM_REG_QUEUE_CONTROL);
        host_insert(h, host_write(h, session_clock(s), window, RESUME));
    }
}

bool run_resume_done(const run_resume *r, session *s)
{
    return !r->after || r->seen == session_count(s).errors;
}

uint64_t run_resume_records(session *s)
{
    uint64_t count = 0;
    for (uint64_t n = 0; n < session_count(s).errors; n++)
        count += of_memory(session_error_at(s, n)) || session_error_at(s, n)->code == TOTEM_ERROR_HOST_RESUME ||
                 session_error_at(s, n)->code == TOTEM_ERROR_HOST_DOORBELL_UNMAPPED;
    return count;
}

bool run_resume_check(session *s, char message[256])
{
    uint32_t            faults;
    const memory_fault *list = memory_listed(session_memory(s), &faults);
    for (uint64_t n = 0; n < session_count(s).errors; n++) {
        const session_error *e     = session_error_at(s, n);
        bool                 found = !of_memory(e);
        for (uint32_t k = 0; k < faults; k++)
            found = found || (list[k].used && list[k].address >> PAGE == e->address >> PAGE);
        if (!found) {
            snprintf(message, 256, "a record of clock %" PRIu64 " speaks of 0x%010" PRIx64 ", where nothing failed",
                     e->clock, e->address);
            return false;
        }
    }
    for (uint32_t k = 0; k < faults; k++) {
        bool found = !list[k].used || list[k].kind < MEMORY_WRITE_SLVERR;
        for (uint64_t n = 0; n < session_count(s).errors; n++) {
            const session_error *e = session_error_at(s, n);
            found                  = found || (of_memory(e) && list[k].address >> PAGE == e->address >> PAGE);
        }
        if (!found) {
            snprintf(message, 256, "a write to 0x%010" PRIx64 " failed, and no record says so", list[k].address);
            return false;
        }
    }
    return true;
}

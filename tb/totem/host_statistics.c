// SPDX-License-Identifier: Apache-2.0
#include "host_statistics.h"

#include "register_name.h"
#include "totem_configurations.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIGURATIONS = sizeof totem_configurations / sizeof *totem_configurations };

static bool read_one(host_board *b, host_run *r, const char *format, ...)
{
    enum { ROOM = 64 };
    char     message[256];
    uint32_t address;
    va_list  list;
    if (r->statistics_count % ROOM == 0) {
        r->statistics = realloc(r->statistics, (r->statistics_count + ROOM) * sizeof *r->statistics);
        if (!r->statistics)
            abort();
    }
    host_run_statistic *s = &r->statistics[r->statistics_count];
    *s                    = (host_run_statistic){0};
    va_start(list, format);
    vsnprintf(s->name, sizeof s->name, format, list);
    va_end(list);
    if (!totem_register_address(s->name, &address, message, sizeof message))
        return true;
    // Refused by both: this machine does not have it. Both count the refusal as an error of the host.
    const bool there = board_model_register(&r->model, address, &s->model);
    const bool read  = host_link_ask(&b->link, BRIDGE_READ, HOST_MACHINE | address, &s->board, 1);
    if (!read && !b->link.refused)
        return false;
    if (!read && !there)
        return true;
    s->differs = r->model.idle && (read != there || s->board != s->model);
    r->statistics_differ += s->differs;
    r->statistics_count++;
    return true;
}

static bool of_queue(host_board *b, host_run *r, uint32_t pipe, uint32_t queue)
{
    static const char *const names[] = {"CP_HQD_ACTIVE", "CP_HQD_PQ_RPTR", "CP_HQD_PQ_WPTR_LO",
                                        "STATE",         "WAVES",          "CP_HQD_ERROR"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (!read_one(b, r, "pipe[%" PRIu32 "].queue[%" PRIu32 "].%s", pipe, queue, names[n]))
            return false;
    return true;
}

// The registers from that number on do not count: reset leaves them, and what stands there is of an earlier run.
static void forget(host_run *r, uint32_t from)
{
    for (; from < r->statistics_count; from++) {
        r->statistics_differ -= r->statistics[from].differs;
        r->statistics[from].differs = false;
    }
}

// It counts if it holds an error.
static bool of_record(host_board *b, host_run *r)
{
    static const char *const fields[] = {"", "_ADDRESS_LO", "_ADDRESS_HI", "_WORD", "_TIME_LO"};
    const uint32_t           first    = r->statistics_count;
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
        if (!read_one(b, r, "events.RECORD%s", fields[n]))
            return false;
    if (((r->statistics[first].board | r->statistics[first].model) & 1) == 0)
        forget(r, first);
    return true;
}

// It counts if the queue has told one.
static bool of_interrupt(host_board *b, host_run *r, uint32_t pipe, uint32_t queue)
{
    const uint32_t first = r->statistics_count;
    if (!read_one(b, r, "events.INT_CTXID[%" PRIu32 "]", 8 * pipe + queue))
        return false;
    if (first < r->statistics_count && r->statistics[first].model == 0)
        forget(r, first);
    return true;
}

bool host_statistics_read(host_board *b, const totem_workload *w, host_run *r)
{
    const totem_configuration *c       = totem_configurations;
    static const char *const   plain[] = {"machine.STATUS",    "machine.ERRORS_LOST", "events.INTERRUPT_STATUS",
                                          "events.SELF_CHECK", "events.RECORD_LATER", "events.EOP_STATUS[0]"};
    static const char *const   waits[] = {"PASSED", "LACKED", "PASSED_LONGEST", "LACKED_LONGEST"};
    while (strcmp(c->name, w->configuration) != 0 && c < totem_configurations + CONFIGURATIONS - 1)
        c++;
    bool good = of_record(b, r);
    for (size_t n = 0; n < sizeof plain / sizeof *plain && good; n++)
        good = read_one(b, r, "%s", plain[n]);
    for (uint32_t n = 0; n < ERROR_CLASSES && good; n++)
        good = read_one(b, r, "events.ERROR_COUNT[%" PRIu32 "]", n);
    for (uint32_t p = 0; p < c->pipes && good; p++)
        good = read_one(b, r, "machine.DRAINS[%" PRIu32 "]", p) && read_one(b, r, "machine.ABANDONED[%" PRIu32 "]", p);
    for (uint32_t e = 0; e < c->engines && good; e++) {
        good = read_one(b, r, "engine[%" PRIu32 "].OCCUPIED_LOW", e) &&
               read_one(b, r, "engine[%" PRIu32 "].OCCUPIED_HIGH", e) && read_one(b, r, "engine[%" PRIu32 "].SEED", e);
        for (uint32_t p = 0; p < c->pipes && good; p++)
            for (size_t n = 0; n < 4 && good; n++)
                good = read_one(b, r, "stats[%" PRIu32 "].waits[%" PRIu32 "].%s", e, p, waits[n]);
    }
    for (uint32_t n = 0; n < w->queues_count && good; n++) {
        good = of_queue(b, r, w->queues[n].pipe, w->queues[n].queue) &&
               of_interrupt(b, r, w->queues[n].pipe, w->queues[n].queue);
        for (uint32_t k = 0; k < w->queues[n].map_count && good; k++)
            good = of_queue(b, r, w->queues[n].map[k].pipe, w->queues[n].map[k].queue);
    }
    for (uint32_t n = 0; n < w->rings_count && good; n++) {
        static const char *const names[] = {"ROLLS",   "HITS",     "MISSES",         "FULL_CLOCKS",
                                            "WRITTEN", "FILTERED", "EXPOSED_CLOCKS", "DRAWS"};
        good                             = of_queue(b, r, w->rings[n].pipe, 0);
        for (size_t k = 0; k < sizeof names / sizeof *names && good; k++)
            good = read_one(b, r, "graphics[%" PRIu32 "].%s", w->rings[n].front_end, names[k]);
    }
    return good;
}

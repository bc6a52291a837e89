// SPDX-License-Identifier: Apache-2.0
//
// run_notes: see run_notes.h.

#include "run_notes.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/tool/pm4_decode.h"
#include "driver.h"
#include "ring.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void run_notes_clock(run_notes *n, const session *s)
{
    const totem_machine_out *o = session_out(s);
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_launch_out *l     = &o->se[e].launch;
        const unsigned          entry = l->launch_program & (NOTES_ENTRIES - 1);
        if (!l->launch_valid || !o->wave[e].launch_ready || n->used[entry])
            continue;
        n->used[entry]  = true;
        n->pipe[entry]  = (uint8_t)ring_pipe(l->launch_fe, l->launch_pipe);
        n->queue[entry] = l->launch_queue;
    }
}

static void name_of(unsigned pipe, unsigned queue, char text[24])
{
    if (pipe < RING_PIPE)
        snprintf(text, 24, "%u.%u", pipe, queue);
    else
        snprintf(text, 24, "ring %u", pipe - RING_PIPE);
}

// A piece of work of the host: its accesses to one place that were asked for at the same clock.
typedef struct {
    const char *what;
    char        of[24];
    uint64_t    at;
} work;

static work work_of(const host_access *a)
{
    const uint32_t window = 4 * (TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_HI + 1);
    work           k      = {.what = "access", .at = a->at};
    snprintf(k.of, sizeof k.of, "0x%05x", a->address);
    for (unsigned pipe = 0; pipe < RING_PIPE + RINGS; pipe++)
        for (unsigned queue = 0; queue < TOTEM_QUEUES && (pipe < TOTEM_PIPE_COUNT || pipe >= RING_PIPE); queue++) {
            const uint32_t first = driver_window(pipe, queue, 0);
            if (pipe >= RING_PIPE && queue)
                break;
            if (a->address == driver_address(pipe, queue))
                k.what = "doorbell";
            else if (a->address == driver_window(pipe, queue, TOTEM_REG_QUEUE_MAP))
                k.what = "mapping";
            else if (a->address >= first && a->address < first + window)
                k.what = a->address == driver_window(pipe, queue, TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST) && a->data
                             ? "dequeue"
                             : "mapping";
            else
                continue;
            name_of(pipe, queue, k.of);
            return k;
        }
    return k;
}

static void add(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list      list;
    va_start(list, format);
    vsnprintf(text + used, size - used, format, list);
    va_end(list);
}

void run_notes_late(const host_access *list, size_t count, char *text, size_t size)
{
    uint64_t came = 0; // end of the access before
    unsigned late = 0;
    work     last = {.of = ""};
    text[0]       = 0;
    for (size_t n = 0, next; n < count && list[n].done; n = next) {
        const work     k     = work_of(&list[n]);
        const uint64_t begun = came;
        const bool     timed = !list[n].mask && !list[n].inserted; // by the workload
        for (next = n; next < count && list[next].done; next++) {
            const work other = work_of(&list[next]);
            if (other.at != k.at || strcmp(other.of, k.of) != 0 || other.what != k.what)
                break;
            came = list[next].ended;
        }
        const bool follows = last.at == k.at && strcmp(last.of, k.of) == 0; // a doorbell that the mapping takes along
        last               = k;
        if (!timed || follows || begun <= k.at + NOTES_LATE)
            continue;
        if (late++ < NOTES_LATE_SHOWN)
            add(text, size, "%s %s of %s asked %" PRIu64 ", done %" PRIu64, late == 1 ? "host was late:" : ";", k.what,
                k.of, k.at, came);
    }
    if (late > NOTES_LATE_SHOWN)
        add(text, size, "; and %u more", late - NOTES_LATE_SHOWN);
}

static char *next_note(totem_run_result *r)
{
    return r->notes_count < TOTEM_RUN_NOTES ? r->notes[r->notes_count++] : NULL;
}

void run_notes_end(const run_notes *n, session *s, const totem_workload *w, totem_run_result *r)
{
    const account_sums sums = account_sum(session_account(s));
    char              *text, name[24];
    if (sums.disabled && (text = next_note(r))) {
        name_of((unsigned)sums.disabled_pipe, (unsigned)sums.disabled_queue, name);
        snprintf(text, sizeof *r->notes, "queue %s: %s at 0x%010" PRIx64 " has no compute_shader_en: nothing launched",
                 name, totem_pm4_opcode_name(sums.disabled_op), sums.disabled_at);
        if (sums.disabled > 1)
            add(text, sizeof *r->notes, "; and %" PRIu64 " more", sums.disabled - 1);
    }
    for (uint32_t k = 0, p; k < NOTES_ENTRIES && !w->core; k++) {
        for (p = 0; p < w->programs_count && w->programs[p].entry != k; p++)
            ;
        if (!n->used[k] || p < w->programs_count || !(text = next_note(r)))
            continue;
        name_of(n->pipe[k], n->queue[k], name);
        snprintf(text, sizeof *r->notes, "queue %s: its waves run program %" PRIu32 ", which `programs` does not have",
                 name, k);
    }
    const host_port *h = session_host(s);
    if ((text = next_note(r)))
        run_notes_late(h->list, h->next, text, sizeof *r->notes);
    if (text && !text[0])
        r->notes_count--;
}

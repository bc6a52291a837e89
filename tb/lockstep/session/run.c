// SPDX-License-Identifier: Apache-2.0
//
// run: a workload file played on a session (tb/totem/run.h). When it stops at a difference of model and RTL or at a
// broken rule, folder gets the bundle mismatch.txt, .fst, .gtkw (bundle.h).

#include "../../totem/run.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../totem/commands.h"
#include "bundle.h"
#include "cores_port.h"
#include "ring.h"
#include "run_blocked.h"
#include "run_entries.h"
#include "run_events.h"
#include "run_feed.h"
#include "run_follow.h"
#include "run_notes.h"
#include "run_prepare.h"
#include "run_results.h"
#include "run_resume.h"
#include "run_waits.h"
#include "session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SETTLE = 64 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool fail(totem_run_result *r, const char *format, const char *what)
{
    if (!r->message[0])
        snprintf(r->message, sizeof r->message, format, what);
    return false;
}

static void write_word(void *m, uint64_t address, uint32_t value)
{
    memory_write32(m, address, value);
}

static session *start(const totem_workload *w, const totem_run_options *o, const char *trace, uint64_t from,
                      totem_run_result *r)
{
    memory_fault *faults = calloc(w->memory.faults_count + 1, sizeof *faults);
    if (!faults) {
        fail(r, "%s: out of memory", w->name);
        return NULL;
    }
    for (uint32_t n = 0; n < w->memory.faults_count; n++)
        faults[n] = (memory_fault){.address = w->memory.faults[n].address,
                                   .kind    = (memory_fault_kind)w->memory.faults[n].kind,
                                   .at      = w->memory.faults[n].at,
                                   .until   = w->memory.faults[n].until};
    const uint64_t        seed    = o->seed_given ? o->seed : w->seed;
    const session_options options = {
        .engine     = o->engine == TOTEM_ENGINE_MODEL ? SESSION_MODEL
                      : o->engine == TOTEM_ENGINE_RTL ? SESSION_RTL
                                                      : SESSION_BOTH,
        .cores      = w->core,
        .memory     = {.seed           = seed,
                       .latency        = w->memory.latency,
                       .latency_spread = w->memory.latency_spread,
                       .reorder        = w->memory.latency_spread != 0,
                       .visible_late   = w->memory.visible == TOTEM_VISIBLE_RESPONSE,
                       .remembers      = true,
                       .faults         = faults,
                       .faults_count   = w->memory.faults_count},
        .seed       = seed,
        .trace      = trace,
        .trace_from = from,
        .cover      = o->cover,
    };
    session *s = session_create(&options);
    free(faults);
    if (!s)
        fail(r, "%s: the machine cannot be created; is memory short?", w->name);
    else
        run_prepare(w, session_host(s), write_word, session_memory(s));
    return s;
}

static void progress(const session *s, uint64_t limit, double since, bool last)
{
    const session_counts c = session_count(s);
    fprintf(stderr, "\r%10" PRIu64 " of at most %" PRIu64 " clocks  %8" PRIu64 " waves  %6.0f k clocks/s %s",
            session_clock(s), limit, c.launches, (double)session_clock(s) / 1000.0 / (now() - since + 1e-9),
            last ? "\n" : "");
    fflush(stderr);
}

typedef struct {
    const totem_workload    *workload;
    const totem_run_options *options;
    run_follow               follow;
    run_feed                 feed;
    run_resume               resume;
} same_run;

static session *again_start(void *run, const char *trace, uint64_t from)
{
    same_run        *same = run;
    totem_run_result r    = {0};
    run_follow_open(&same->follow, same->workload);
    run_feed_open(&same->feed, same->workload);
    same->resume = (run_resume){.after = same->workload->memory.resume};
    session *s   = start(same->workload, same->options, trace, from, &r);
    if (!s)
        fprintf(stderr, "%s\n", r.message);
    return s;
}

static session_verdict again_step(void *run, session *s)
{
    same_run *same = run;
    run_feed_clock(&same->feed, s);
    run_resume_clock(&same->resume, s);
    run_follow_clock(&same->follow, s);
    return session_step(s);
}

static void again_end(void *run, session *s)
{
    same_run *same = run;
    run_feed_close(&same->feed);
    session_destroy(s);
}

static void explain(const totem_workload *w, const totem_run_options *o, const session *s, session_verdict verdict,
                    totem_run_result *r)
{
    const char *words = session_report(s);
    snprintf(r->message, sizeof r->message, "%.*s", (int)(strcspn(words, "\n") < 400 ? strcspn(words, "\n") : 400),
             words);
    fprintf(stderr, "\n%s", words);
    same_run           same  = {.workload = w, .options = o};
    const bundle_again again = {&same, again_start, again_step, again_end};
    if (o->folder)
        bundle_write(&again, s, verdict, words, o->folder, "mismatch");
}

// A queue is dequeued for good: not all of its waves are to be launched.
static bool left(const totem_workload *w)
{
    bool any = false;
    for (uint32_t n = 0; n < w->queues_count; n++)
        any = any || w->queues[n].dequeue_count > w->queues[n].map_count;
    for (uint32_t n = 0; n < w->entries_count; n++)
        any = any || w->entries[n].dequeue_count;
    return any;
}

enum { PORT = 0xfffff, ENTRY = 20 }; // address of a record of the run list: of the register, and its entry

// A record of an access that the run list made.
static bool is_entry(const session_error *e)
{
#if TOTEM_RUNLIST
    return e->source == TOTEM_SOURCE_PROXY;
#else
    (void)e;
    return false;
#endif
}

// Whether it is that record. A record of the host port has no pipe; it is that of the doorbell or window accessed.
static bool is_record(const totem_workload_error *wanted, const session_error *e)
{
    int        pipe  = e->pipe;
    unsigned   queue = e->queue;
    const bool entry = is_entry(e);
    if (pipe < 0 && !run_follow_queue((uint32_t)e->address & PORT, &pipe, &queue))
        pipe = -1;
    return e->code == wanted->code && (!wanted->pipe || pipe == (int)*wanted->pipe) &&
           (!wanted->queue || queue == *wanted->queue) &&
           (!wanted->entry || (entry && e->address >> ENTRY == *wanted->entry));
}

// Records of packets like an earlier one of another slot: a queue that has halted when its eviction had begun halts
// again where it is mapped next.
static uint64_t repeated(session *s)
{
    uint64_t count = 0;
    for (uint64_t n = 1; n < session_count(s).errors; n++) {
        const session_error *e     = session_error_at(s, n);
        bool                 again = false;
        for (uint64_t k = 0; k < n && e->code >> 5 == TOTEM_ERROR_PACKET_OPCODE >> 5; k++) {
            const session_error *o = session_error_at(s, k);
            again                  = again || (o->code == e->code && o->address == e->address && o->word == e->word &&
                              (o->pipe != e->pipe || o->queue != e->queue));
        }
        count += again;
    }
    return count;
}

static void read_records(session *s, totem_run_result *r)
{
    r->errors = session_count(s).errors;
    for (uint64_t n = 0; n < r->errors && n < TOTEM_RUN_RECORDS; n++) {
        const session_error *e     = session_error_at(s, n);
        int                  pipe  = e->pipe;
        unsigned             queue = e->queue;
        const bool           host = e->code >> 5 == TOTEM_ERROR_HOST_DOORBELL_RANGE >> 5, entry = is_entry(e);
        const bool           owned =
            pipe >= 0 || ((host || entry) && run_follow_queue((uint32_t)e->address & PORT, &pipe, &queue));
        r->records[n] = (totem_run_record){.clock   = e->clock,
                                           .address = entry ? e->address & PORT : e->address,
                                           .owned   = owned,
                                           .listed  = entry,
                                           .entry   = entry ? (uint32_t)(e->address >> ENTRY) : 0,
                                           .pipe    = owned ? (uint32_t)pipe : 0,
                                           .queue   = queue,
                                           .word    = e->word,
                                           .code    = e->code};
    }
}

// The queue stands at the end: expectations say whether it may.
static bool stands(const totem_run_result *r, int pipe, int queue)
{
    bool found = false;
    for (uint32_t n = 0; n < r->blocked_count; n++)
        found = found || ((int)r->blocked[n].pipe == pipe && (int)r->blocked[n].queue == queue);
    return found;
}

static void check(session *s, const totem_workload *w, const totem_run_options *o, const run_results *results,
                  totem_run_result *r)
{
    const totem_workload_expect *e = &w->expect;
    char                         text[256];
#define EXPECT(good, ...)                             \
    do {                                              \
        r->expectations++;                            \
        if (!(good)) {                                \
            r->unmet++;                               \
            snprintf(text, sizeof text, __VA_ARGS__); \
            fprintf(stderr, "unmet: %s\n", text);     \
            fail(r, "%s", text);                      \
        }                                             \
    } while (0)
    for (uint32_t n = 0; n < e->memory_count; n++) {
        const uint32_t got = memory_read32(session_memory(s), e->memory[n].address);
        EXPECT(got == e->memory[n].value, "memory 0x%010" PRIx64 " is 0x%08x, not 0x%08x", e->memory[n].address, got,
               e->memory[n].value);
    }
    const host_port *h = session_host(s);
    for (uint32_t n = 0; n < e->registers_count; n++)
        for (size_t k = 0; k < h->count; k++) {
            const host_access *a = &h->list[k];
            if (!a->write && !a->mask && !a->inserted && a->at == e->registers[n].at &&
                a->address == e->registers[n].address)
                EXPECT(a->done && !a->response && a->data == e->registers[n].value,
                       "register 0x%05" PRIx32 " reads 0x%08" PRIx32 " at clock %" PRIu64 ", not 0x%08" PRIx32,
                       a->address, a->data, a->at, e->registers[n].value);
        }
    run_results_compare(w, session_memory(s), r);
    if (e->results_count)
        EXPECT(!r->differing,
               "%" PRIu64 " of %" PRIu64 " words of results differ; the first, 0x%010" PRIx64 ", is 0x%08x, not 0x%08x",
               r->differing, r->results, r->differs, r->got, r->expected);
    for (uint32_t n = 0; n < e->results_count; n++)
        if (e->results[n].behind)
            EXPECT(results->seen[n], "no fence was written to 0x%010" PRIx64, e->results[n].behind);
    if (results->message[0])
        EXPECT(false, "%s", results->message);
    if (o->engine == TOTEM_ENGINE_RTL)
        return; // the rest is seen on the model's side
    if (e->waves)
        EXPECT(r->waves == *e->waves, "%" PRIu64 " waves were launched, not %" PRIu64, r->waves, *e->waves);
    if (e->geometry)
        EXPECT(r->geometry == *e->geometry, "%" PRIu64 " geometry waves were launched, not %" PRIu64, r->geometry,
               *e->geometry);
    if (e->draws)
        EXPECT(r->draws == *e->draws, "%" PRIu64 " draws were begun, not %" PRIu64, r->draws, *e->draws);
    if (e->fences)
        EXPECT(r->fences == *e->fences, "%" PRIu64 " fences were written, not %" PRIu64, r->fences, *e->fences);
    if (e->interrupts)
        EXPECT(r->interrupts == *e->interrupts, "%" PRIu64 " interrupts were raised, not %" PRIu64, r->interrupts,
               *e->interrupts);
    session_error  list[64];
    const uint64_t count  = session_errors(s, list, 64);
    const uint64_t beside = (w->memory.resume ? run_resume_records(s) : 0) + repeated(s);
    EXPECT(count - beside == e->errors_count, "%" PRIu64 " error records, not %u", count - beside, e->errors_count);
    char unheard[256];
    if (w->memory.resume)
        EXPECT(run_resume_check(s, unheard), "%s", unheard);
    for (uint32_t n = 0; n < e->errors_count; n++) {
        const totem_workload_error *wanted = &e->errors[n];
        bool                        found  = false;
        for (uint64_t k = 0; k < count && k < 64; k++)
            found = found || is_record(wanted, &list[k]);
        if (wanted->pipe && wanted->queue)
            EXPECT(found, "no error record %s of pipe %" PRIu64 " queue %" PRIu64, wanted->code_name, *wanted->pipe,
                   *wanted->queue);
        else
            EXPECT(found, "no error record %s", wanted->code_name);
    }
    for (uint32_t n = 0; n < e->blocked_count; n++) {
        bool found = false;
        for (uint32_t k = 0; k < r->blocked_count; k++)
            found = found || (r->blocked[k].pipe == e->blocked[n].pipe && r->blocked[k].queue == e->blocked[n].queue);
        EXPECT(found, "pipe %u queue %u does not stand at the end", e->blocked[n].pipe, e->blocked[n].queue);
    }
    if (e->blocked_count)
        EXPECT(r->blocked_count == e->blocked_count, "%u queues stand at the end, not %u", r->blocked_count,
               e->blocked_count);
    if (!e->errors_count && !left(w)) {
        char message[256];
        bool complete = account_complete(session_account(s), message) && tasks_complete(session_tasks(s), message);
#if TOTEM_GRAPHICS
        complete = complete && draws_complete(session_draws(s), message);
#endif
        for (int n = 0; n < TOTEM_PIPE_COUNT * TOTEM_QUEUES && complete; n++)
            complete = stands(r, n / TOTEM_QUEUES, n % TOTEM_QUEUES) ||
                       !account_behind(session_account(s), n / TOTEM_QUEUES, n % TOTEM_QUEUES, message);
        for (int f = 0; f < RINGS && complete; f++)
            complete = stands(r, RING_PIPE + f, 0) || !account_behind(session_account(s), RING_PIPE + f, 0, message);
        EXPECT(complete, "%s", message);
    }
#undef EXPECT
}

// The counters of rings.
static void read_counters(const totem_machine *m, totem_run_result *r)
{
#if TOTEM_GRAPHICS
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_context *c = &m->fe[f].graphics_pipe.graphics_context;
        const totem_frames  *k = &m->fe[f].graphics_pipe.graphics_frames;
        r->rings[f].rolls      = c->rolls;
        r->rings[f].hits       = c->hits;
        r->rings[f].misses     = c->misses;
        r->rings[f].full       = c->full_clocks;
        r->rings[f].written    = k->written;
        r->rings[f].filtered   = k->filtered;
        r->rings[f].exposed    = k->exposed_clocks;
        r->rings[f].draws      = m->fe[f].graphics_pipe.graphics_graphics.draws;
    }
#else
    (void)m;
    (void)r;
#endif
}

// What engines show people at the end.
static void read_engines(const totem_machine *m, totem_run_result *r)
{
    r->engines_count = TOTEM_SE_COUNT;
    r->pipes_count   = TOTEM_PIPE_COUNT;
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
            r->engines[e].passed_longest[n] = m->se[e].stats.passed_longest[n];
            r->engines[e].lacked_longest[n] = m->se[e].stats.lacked_longest[n];
            r->engines[e].passed[n]         = m->se[e].stats.passed[n];
            r->engines[e].lacked[n]         = m->se[e].stats.lacked[n];
        }
#if TOTEM_GRAPHICS
        const totem_throttle *t    = &m->se[e].pixels.throttle;
        r->engines[e].has_throttle = true;
        r->engines[e].closed       = t->closed;
        r->engines[e].dead         = t->dead;
        r->engines[e].stall_a      = t->stall_a;
        r->engines[e].stall_b      = t->stall_b;
        r->engines[e].stall_c      = t->stall_c;
        r->engines[e].status       = m->se[e].pixels.monitor.status;
#endif
    }
}

// What the counters of all queues hold.
static void sum_ignored(const totem_machine *m, totem_run_result *r)
{
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++)
        for (int k = 0; k < TOTEM_QUEUES * 256; k++)
            r->ignored[k % 256] +=
                m->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES].front.tally_ram.data[k / 4] >> k % 4 * 16 & 0xffff;
#if TOTEM_GRAPHICS
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        for (int k = 0; k < 256; k++)
            r->ignored[k] += m->fe[f].graphics_pipe.front.tally_ram.data[k / 4] >> k % 4 * 16 & 0xffff;
#endif
}

int totem_run(const totem_workload *w, const totem_run_options *o, totem_run_result *r)
{
    memset(r, 0, sizeof *r);
    if (strcmp(w->configuration, TOTEM_CONFIG_NAME) != 0) {
        fail(r,
             "the workload wants configuration %s, this tool is built for " TOTEM_CONFIG_NAME "; build it with CONFIG=",
             w->configuration);
        return TOTEM_EXIT_USAGE;
    }
    if (cores_port_there() != (w->core != NULL)) {
        fail(r, "%s: this program is for other cores; start the workload with build/totem", w->name);
        return TOTEM_EXIT_USAGE;
    }
    session *s = start(w, o, o->waves, 0, r);
    if (!s)
        return TOTEM_EXIT_FILE;
    run_events *events = o->events || o->trace ? run_events_open(o->events, o->trace) : NULL;
    if ((o->events || o->trace) && !events) {
        fail(r, "%s: memory is short", w->name);
        session_destroy(s);
        return TOTEM_EXIT_FILE;
    }
    const uint64_t  limit   = o->cycles ? o->cycles : w->cycles;
    const double    began   = now();
    double          shown   = began;
    uint64_t        quiet   = 0;
    session_verdict verdict = SESSION_GOOD;
    run_follow      follow;
    run_blocked     standing;
    run_blocked_open(&standing, w);
    run_follow_open(&follow, w);
    run_feed feed;
    run_feed_open(&feed, w);
    run_notes notes = {0};
    run_waits waits;
    run_waits_open(&waits);
    run_resume  resume = {.after = w->memory.resume};
    run_results results;
    if (!run_results_open(&results, w))
        abort();
    while (session_clock(s) < limit && quiet < SETTLE && verdict == SESSION_GOOD) {
        run_feed_clock(&feed, s);
        run_resume_clock(&resume, s);
        run_follow_clock(&follow, s);
        run_blocked_clock(&standing, s);
        run_waits_clock(&waits, s);
        run_notes_clock(&notes, s);
        if (events)
            run_events_clock(events, s, &waits);
        verdict = session_step(s);
        if (events)
            run_events_after(events, s);
        run_results_clock(&results, s);
        quiet = session_idle(s) && run_feed_done(&feed) && run_resume_done(&resume, s) ? quiet + 1 : 0;
        if (o->progress && (session_clock(s) & 0xfff) == 0 && now() - shown > 0.5) {
            shown = now();
            progress(s, limit, began, false);
        }
    }
    if (verdict == SESSION_GOOD)
        verdict = session_end(s);
    const session_counts c = session_count(s);
    r->cycles              = session_clock(s);
    r->seconds             = now() - began;
    r->idle                = quiet >= SETTLE;
    r->waves               = c.launches;
    r->geometry            = c.geometry;
    r->draws               = c.draws;
    if (session_model(s))
        read_counters(session_model(s), r);
    if (session_model(s))
        read_engines(session_model(s), r);
    if (session_model(s))
        run_waits_end(&waits, r);
    if (session_model(s))
        run_entries_end(s, r);
    if (session_model(s))
        run_notes_end(&notes, s, w, r);
    r->dispatches = c.dispatches;
    r->fences     = c.fences;
    r->interrupts = c.interrupts;
    read_records(s, r);
    r->mismatches = verdict == SESSION_MISMATCH;
    if (session_model(s)) {
        sum_ignored(session_model(s), r);
        run_blocked_end(&standing, s, r);
    }
    if (o->progress)
        progress(s, limit, began, true);
    if (verdict != SESSION_GOOD)
        explain(w, o, s, verdict, r);
    else {
        const host_port *h = session_host(s);
        if (!r->idle && !host_done(h) && h->list[h->next].mask)
            snprintf(r->message, sizeof r->message,
                     "the host still waits for register 0x%05x, since clock %" PRIu64
                     "; was the queue mapped, or does it leave?",
                     h->list[h->next].address, h->list[h->next].at);
        if (!r->idle && !r->stuck)
            fail(
                r,
                session_has_rtl(s)
                    ? "%s: not idle at the limit of clocks; give more with --cycles, or see where it stands with "
                      "--waves"
                    : "%s: not idle at the limit of clocks; give more with --cycles, or see what it does with --events",
                w->name);
        for (size_t n = 0; n < session_host(s)->count; n++) {
            const host_access *a = &session_host(s)->list[n];
            if (a->done && a->response && !w->expect.errors_count && !r->message[0])
                snprintf(r->message, sizeof r->message,
                         "host %s of 0x%05x at clock %" PRIu64 " was answered with an error",
                         a->write ? "write" : "read", a->address, a->ended);
        }
        check(s, w, o, &results, r);
    }
    run_results_close(&results);
    run_blocked_close(&standing);
    run_feed_close(&feed);
    bool written = !events || run_events_close(events, r->cycles, o->trace);
    if (!written)
        fail(r, "%s could not be written to its end; is the disk full?", o->events ? o->events : o->trace);
    if (o->results && !run_results_write(w, session_memory(s), o->results)) {
        fail(r, "%s: results could not be written there; is the disk full?", o->results);
        written = false;
    }
    if (!session_destroy(s) || !written)
        return TOTEM_EXIT_FILE;
    return verdict == SESSION_GOOD && !r->message[0] ? TOTEM_EXIT_GOOD : TOTEM_EXIT_FINDING;
}

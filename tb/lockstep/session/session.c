// SPDX-License-Identifier: Apache-2.0
//
// session: see session.h.

#include "session.h"

#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_arbiter_values.h"
#include "../../../cmodel/tool/pm4_decode.h"
#include "../../../cmodel/top/totem_offers.h"
#include "cause.h"
#include "channels.h"
#include "children.h"
#include "cores_port.h"
#include "coverage.h"
#include "draws.h"
#include "gates.h"
#include "grants.h"
#include "interrupts.h"
#include "probe.h"
#include "promises.h"
#include "ready.h"
#include "ring.h"
#include "roster.h"
#include "rtl.h"
#include "scans.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 64, RESET_CLOCKS = 4, BATCH = 16 };

// What happened, kept as numbers: only a report needs the words.
typedef enum { SELECTED, LEAVES, EXECUTED, DISPATCH, INTERRUPT, GRANT, FAILURE } event_kind;

typedef struct {
    uint64_t   clock;
    event_kind kind;
    int        pipe, queue, engine;
    uint32_t   number; // opcode, waves, error code; 1: a dispatch is resumed
    uint64_t   value;  // group id, address of an error
    uint32_t   word;
} event;

// The model's outputs as the RTL has them (probe_table.h).
typedef struct {
    uint64_t kind3[PROBE_KIND3 + 1];
    uint32_t kind2[PROBE_KIND2 + 1], kind4[PROBE_KIND4 + 1];
    uint16_t kind1[PROBE_KIND1 + 1];
    uint8_t  kind0[PROBE_KIND0 + 1];
    bool     idle, fatal;
} outputs;

// A clock that the RTL has still to take. It follows BATCH clocks at a time, so that model and RTL do not drive each
// other out of the processor's caches in every clock.
typedef struct {
    outputs          shown;
    totem_machine_in in;
    totem_wave_out   waves[TOTEM_SE_COUNT]; // of cores
    uint64_t         clock;
    bool             stepped; // `in` is there
} clock_waiting;

struct session {
    session_options options;
    memory         *memory;
    host_port       host;
    account        *account;
    tasks          *tasks;
    children       *children;
    char            tasks_message[256]; // what it has against an error record
    pairs          *pairs;
    roster         *roster;
    channels       *channels;
    promises       *promises;
#if TOTEM_GRAPHICS
    draws *draws;
    gates *gates;
    scans *scans;
#endif
    grants            *grants;
    interrupts        *interrupts;
    readiness         *readiness;
    coverage          *coverage; // NULL: not asked for
    cores_port        *cores;    // NULL: the machine has its wave engines
    totem_machine     *model;
    totem_machine_seen still; // of the model
    const rtl_calls   *calls;
    rtl               *rtl;
    totem_machine_out  out;
    totem_machine_in   in;
    outputs            shown;              // the model's in the present clock
    void              *kinds[PROBE_KINDS]; // its arrays
    clock_waiting      waiting[BATCH];
    unsigned           waiting_count;
    bool               irq;
    uint64_t           clock;
    session_counts     counts;
    session_error     *errors;
    uint64_t           errors_room;
    uint32_t           first_words[TOTEM_ERROR_SOURCES][2]; // error messages under way: word 0
    bool               first_taken[TOTEM_ERROR_SOURCES];
    event              events[EVENTS];
    uint64_t           events_count;
    FILE              *words; // into `report`
    char              *report;
    size_t             report_size;
    cause             *cause; // NULL: nobody asks
    bool               exact; // waves are recorded: RAMs are compared every clock
    turn_watch         turns[TOTEM_PIPE_COUNT];
    switch_watch       switches[TOTEM_PIPE_COUNT];
    bool               unbound[TOTEM_PIPE_COUNT]; // its switch under way is one of the sources, which has no bound
    session_switch     seen;                      // NULL: nobody asks
    void              *context;
};

static event *note(session *s, event_kind kind, int pipe, int queue)
{
    event *e = &s->events[s->events_count++ % EVENTS];
    *e       = (event){.clock = s->clock, .kind = kind, .pipe = pipe, .queue = queue};
    return e;
}

static void arrays_of(outputs *o, void *kinds[PROBE_KINDS])
{
    kinds[0] = o->kind0;
    kinds[1] = o->kind1;
    kinds[2] = o->kind2;
    kinds[3] = o->kind3;
    kinds[4] = o->kind4;
}

static void look(session *s)
{
    if (s->cores) {
        totem_core_outputs(s->model, &s->out, &s->still);
        cores_port_look(s->cores, s->out.wave);
    } else if (s->model)
        totem_machine_outputs(s->model, &s->out, &s->still);
    // Those that were not written anew lie there already.
    for (int n = 0; s->model && s->rtl && n < PROBE_COUNT; n++) {
        const probe_instance *p = &probe_table[n];
        if (p->shown == PROBE_ALWAYS || *(const bool *)((const char *)&s->still + p->shown))
            p->lay((const char *)&s->out + p->offset, s->kinds, p->at);
    }
    if (s->rtl && !s->model)
        s->calls->ports(s->rtl, &s->out, &s->irq);
    else
        s->irq = s->out.events.irq;
    if (s->exact)
        s->calls->trace_clock(s->rtl);
}

static void edge(session *s, bool reset)
{
    if (s->waiting_count > 0) {
        clock_waiting *w = &s->waiting[s->waiting_count - 1];
        w->in            = s->in;
        w->stepped       = true;
        if (s->cores)
            memcpy(w->waves, s->out.wave, sizeof w->waves);
    } else if (s->rtl)
        s->calls->step(s->rtl, reset, &s->in, s->out.wave);
    if (s->cores)
        cores_port_step(s->cores, reset, &s->out, s->memory);
    if (s->model) {
        if (s->cores)
            totem_core_step(s->model, &s->out, &s->in, &s->still);
        else
            totem_machine_step(s->model, &s->out, &s->in, &s->still);
        if (reset) {
            totem_machine_reset(s->model);
            memset(&s->still, 0, sizeof s->still);
        }
    }
}

session *session_create(const session_options *options)
{
    session *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->options                = *options;
    s->options.memory.engines = options->cores;
    arrays_of(&s->shown, s->kinds);
    s->words      = open_memstream(&s->report, &s->report_size);
    s->memory     = memory_create(&s->options.memory);
    s->account    = account_create();
    s->tasks      = s->memory && s->account ? tasks_create(s->account, s->memory) : NULL;
    s->children   = children_create(s->tasks);
    s->pairs      = pairs_create();
    s->roster     = roster_create();
    s->channels   = channels_create();
    s->promises   = promises_create();
    s->grants     = grants_create();
    s->interrupts = interrupts_create();
    s->readiness  = ready_create();
#if TOTEM_GRAPHICS
    s->draws = draws_create();
    s->gates = gates_create();
    s->scans = scans_create();
    if (!s->draws || !s->gates || !s->scans) {
        session_destroy(s);
        return NULL;
    }
#endif
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++)
        turns_open(&s->turns[n]);
    host_port_init(&s->host, options->seed, options->host_stall);
    if (options->engine != SESSION_RTL)
        s->model = calloc(1, sizeof *s->model);
    if (options->engine != SESSION_MODEL)
        s->calls = options->trace ? rtl_waves() : rtl_plain();
    if (s->calls)
        s->rtl = s->calls->create();
    if (options->cores && s->model)
        s->cores = cores_port_create();
    if (options->cover && s->model)
        s->coverage = coverage_create();
    if (!s->words || !s->memory || !s->account || !s->tasks || !s->children || !s->pairs || !s->roster ||
        !s->channels || !s->promises || !s->grants || !s->interrupts || !s->readiness ||
        (options->cores && !s->cores) || (options->cover && s->model && !s->coverage) ||
        (options->engine != SESSION_RTL && !s->model) || (options->engine != SESSION_MODEL && !s->rtl)) {
        session_destroy(s);
        return NULL;
    }
    for (int n = 0; n < RESET_CLOCKS; n++) {
        look(s);
        edge(s, true);
    }
    if (options->trace && options->trace_from == 0) {
        s->exact = s->rtl && s->calls->trace_open(s->rtl, options->trace, 0, NULL, s->kinds);
        if (!s->exact) {
            session_destroy(s);
            return NULL;
        }
    }
    look(s);
    return s;
}

bool session_destroy(session *s)
{
    if (!s)
        return true;
    const bool written = !s->coverage || coverage_write(s->coverage, s->options.cover);
    if (!written)
        fprintf(stderr, "%s: the hits of coverage cannot be written there; name a folder\n", s->options.cover);
    coverage_destroy(s->coverage);
    cause_destroy(s->cause);
    cores_port_destroy(s->cores);
    memory_destroy(s->memory);
    host_port_free(&s->host);
    tasks_destroy(s->tasks);
    children_destroy(s->children);
    account_destroy(s->account);
    pairs_destroy(s->pairs);
    roster_destroy(s->roster);
    channels_destroy(s->channels);
    promises_destroy(s->promises);
#if TOTEM_GRAPHICS
    draws_destroy(s->draws);
    gates_destroy(s->gates);
    scans_destroy(s->scans);
#endif
    grants_destroy(s->grants);
    interrupts_destroy(s->interrupts);
    ready_destroy(s->readiness);
    free(s->model);
    free(s->errors);
    if (s->words)
        fclose(s->words);
    free(s->report);
    if (s->rtl)
        s->calls->destroy(s->rtl);
    free(s);
    return written;
}

memory *session_memory(const session *s)
{
    return s->memory;
}

host_port *session_host(session *s)
{
    return &s->host;
}

const pairs *session_pairs(const session *s)
{
    return s->pairs;
}

#if TOTEM_GRAPHICS
draws *session_draws(session *s)
{
    return s->draws;
}
#endif

const grants *session_grants(const session *s)
{
    return s->grants;
}

const children *session_children(const session *s)
{
    return s->children;
}

tasks *session_tasks(session *s)
{
    return s->tasks;
}

account *session_account(session *s)
{
    return s->account;
}

void session_watch_switches(session *s, session_switch seen, void *context)
{
    s->seen    = seen;
    s->context = context;
}

const totem_machine_out *session_out(const session *s)
{
    return &s->out;
}

const totem_machine_in *session_inputs(const session *s)
{
    return &s->in;
}

const totem_machine *session_model(const session *s)
{
    return s->model;
}

totem_machine *session_change(session *s)
{
    memset(&s->still, 0, sizeof s->still);
    return s->model;
}

uint64_t session_clock(const session *s)
{
    return s->clock;
}

session_counts session_count(const session *s)
{
    return s->counts;
}

uint64_t session_errors(const session *s, session_error *list, uint64_t room)
{
    for (uint64_t n = 0; n < s->counts.errors && n < room; n++)
        list[n] = s->errors[n];
    return s->counts.errors;
}

const session_error *session_error_at(const session *s, uint64_t n)
{
    return &s->errors[n];
}

bool session_irq(const session *s)
{
    return s->irq;
}

bool session_idle(const session *s)
{
    const bool machine = s->model ? s->out.machine_idle.all : s->calls->idle(s->rtl);
    return machine && memory_idle(s->memory) && host_done(&s->host);
}

static void append(session *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(s->words, format, arguments);
    va_end(arguments);
}

static void append_event(session *s, const event *e)
{
    append(s, "%9" PRIu64 "  ", e->clock);
    const char *name   = totem_error_name((uint8_t)e->number);
    const char *opcode = totem_pm4_opcode_name((uint8_t)e->number);
    switch (e->kind) {
    case SELECTED: append(s, "pipe %d: queue %d selected\n", e->pipe, e->queue); break;
    case LEAVES: append(s, "pipe %d: queue %d leaves\n", e->pipe, e->queue); break;
    case EXECUTED:
        append(s, "pipe %d: queue %d executed %s (opcode 0x%02x)\n", e->pipe, e->queue, opcode ? opcode : "?",
               e->number);
        break;
    case DISPATCH:
        append(s, "pipe %d: queue %d dispatch %s\n", e->pipe, e->queue, e->number ? "resumed" : "started");
        break;
    case INTERRUPT: append(s, "pipe %d: end-of-pipe interrupt, queue %d\n", e->pipe, e->queue); break;
    case GRANT:
        append(s, "engine %d: pipe %d queue %d group (%u, %u, %u) granted, %u waves\n", e->engine, e->pipe, e->queue,
               (unsigned)(uint32_t)e->value, (unsigned)(e->value >> 32 & 0xffff), (unsigned)(e->value >> 48),
               e->number);
        break;
    case FAILURE:
        append(s, "error %s: pipe %d queue %d address 0x%" PRIx64 " word 0x%08x\n", name ? name : "?", e->pipe,
               e->queue, e->value, e->word);
        break;
    }
}

static void append_events(session *s)
{
    append(s, "The last events:\n");
    const uint64_t from = s->events_count > EVENTS ? s->events_count - EVENTS : 0;
    for (uint64_t n = from; n < s->events_count; n++)
        if (s->events[n % EVENTS].clock <= s->clock)
            append_event(s, &s->events[n % EVENTS]);
}

static cause_sides sides(const session *s, void *const kinds[PROBE_KINDS])
{
    return (cause_sides){s->calls, s->rtl, s->model, kinds};
}

static bool same_outputs(session *s, outputs *shown)
{
    void *kinds[PROBE_KINDS];
    arrays_of(shown, kinds);
    if (s->calls->compare(s->rtl, kinds) >= 0) {
        const cause_sides both = sides(s, kinds);
        cause_outputs(s->words, &both, s->clock);
        return false;
    }
    const bool idle = shown->idle, fatal = shown->fatal;
    if (s->calls->idle(s->rtl) == idle && s->calls->fatal(s->rtl) == fatal)
        return true;
    append(s, "Mismatch at clock %" PRIu64 " in the wiring of the machine\n  RTL   totem_tb.dut\n", s->clock);
    append(s, "  output %-26s model %-18d | RTL %d\n", "idle", idle, s->calls->idle(s->rtl));
    append(s, "  output %-26s model %-18d | RTL %d\n", "fatal", fatal, s->calls->fatal(s->rtl));
    return false;
}

static bool same_rams(session *s)
{
    uint32_t  word;
    const int ram = s->calls->compare_rams(s->rtl, s->model, 0, &word);
    if (ram < 0)
        return true;
    const probe_ram *r        = &probe_rams[ram];
    uint64_t         expected = 0; // the low bytes come first
    memcpy(&expected, (const char *)s->model + r->offset + word * r->size, r->size);
    append(s, "Mismatch at clock %" PRIu64 " in the words of a RAM\n  RTL   %s\n  model totem_machine.%s\n", s->clock,
           r->rtl, probe_table[r->probe].model);
    append(s, "  word   %-26u model 0x%-16" PRIx64 " | RTL 0x%" PRIx64 "\n", word, expected,
           s->calls->ram_word(s->rtl, ram, word));
    if (!s->exact)
        append(s, "  (RAMs are compared every %d clocks: it was written in one of these)\n", RAM_CLOCKS);
    return false;
}

// The RTL takes the clocks that wait. At a difference the session's clock is that of it.
static bool catch_up(session *s)
{
    const uint64_t clock = s->clock;
    bool           good  = true;
    for (unsigned n = 0; good && n < s->waiting_count; n++) {
        clock_waiting *w = &s->waiting[n];
        s->clock         = w->clock;
        good             = same_outputs(s, &w->shown);
        if (good && w->stepped)
            s->calls->step(s->rtl, false, &w->in, w->waves);
    }
    s->waiting_count = 0;
    if (!good) {
        append_events(s);
        return false;
    }
    s->clock = clock;
    return true;
}

// Compares the present clock, now or with those that wait.
static bool same(session *s, bool rams)
{
    s->shown.idle  = s->out.machine_idle.all;
    s->shown.fatal = s->out.machine_fatal.any;
    if (!rams && !s->options.trace && s->waiting_count < BATCH) {
        clock_waiting *w = &s->waiting[s->waiting_count++];
        w->shown         = s->shown;
        w->clock         = s->clock;
        w->stepped       = false;
        return true;
    }
    if (!catch_up(s))
        return false;
    if (same_outputs(s, &s->shown) && (!rams || same_rams(s)))
        return true;
    append_events(s);
    return false;
}

static bool is_runner(int source, int pipe)
{
#if TOTEM_TASKS
    return source == TOTEM_SOURCE_RUNNER(pipe);
#else
    (void)source, (void)pipe;
    return false;
#endif
}

// An error message of the pipe, -1 none.
static void note_error(session *s, int source, int pipe, bool valid, bool ready, uint64_t word)
{
    if (!valid || !ready)
        return;
    if (!s->first_taken[source]) {
        s->first_taken[source]    = true;
        s->first_words[source][0] = (uint32_t)word;
        s->first_words[source][1] = (uint32_t)(word >> 32);
        return;
    }
    s->first_taken[source] = false;
    const uint64_t first   = (uint64_t)s->first_words[source][1] << 32 | s->first_words[source][0];
    session_error  e       = {
               .code    = (uint8_t)(first >> 56),
               .pipe    = pipe,
               .queue   = (uint8_t)(first >> 48 & 7),
               .address = first & 0xffffffffffu,
               .word    = (uint32_t)word,
               .clock   = s->clock,
               .source  = source,
    };
    if (pipe >= 0 && pipe < TOTEM_PIPE_COUNT && source == TOTEM_SOURCE_MQD(pipe))
        e.record = s->out.fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.record.error_valid;
    if (pipe >= 0 && pipe < TOTEM_PIPE_COUNT)
        tasks_error(s->tasks, pipe * TOTEM_QUEUES + e.queue, is_runner(source, pipe), e.code, e.address, e.word,
                    s->clock, &e.task, s->tasks_message);
    if (s->counts.errors == s->errors_room) {
        s->errors_room        = s->errors_room ? 2 * s->errors_room : 64;
        session_error *larger = realloc(s->errors, s->errors_room * sizeof *larger);
        if (!larger)
            abort();
        s->errors = larger;
    }
    s->errors[s->counts.errors++] = e;
    interrupts_error(s->interrupts, e.code);
    if (s->coverage)
        coverage_error(s->coverage, e.code);
    event *failure  = note(s, FAILURE, e.pipe, e.queue);
    failure->number = e.code;
    failure->value  = e.address;
    failure->word   = e.word;
}

#if TOTEM_GRAPHICS
static bool ring_interrupt(const totem_machine_out *o, int f)
{
    const totem_graphics_front_out *p = &o->fe[f].graphics_pipe.front;
    return o->events.graphics_interrupt_ready[f] && (p->fence.interrupt_valid || p->mqd.interrupt_valid);
}
#endif

void session_count_work(const totem_machine_out *o, session_counts *c)
{
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
        const totem_front_out  *p = &o->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES].front;
        const totem_memory_out *m = &o->fe[n / TOTEM_PIPES].memory;
        c->dispatches += p->execute.start;
        c->interrupts += totem_offers_interrupt(p) && o->events.interrupt_ready[n];
        c->fences += m->ack_valid && m->ack_target == TOTEM_WRITER_FENCE(n % TOTEM_PIPES);
    }
#if TOTEM_GRAPHICS
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_graphics_pipe_out *own = &o->fe[f].graphics_pipe;
        const totem_memory_out        *m   = &o->fe[f].memory;
        c->dispatches += own->front.execute.start;
        c->interrupts += ring_interrupt(o, f);
        c->fences += m->ack_valid && m->ack_target == TOTEM_WRITER_GRAPHICS_FENCE;
        c->draws += own->graphics_render.draw_valid && own->graphics_context.draw_ready;
    }
#endif
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const bool launched = o->se[e].launch.launch_valid && o->wave[e].launch_ready;
        c->launches += launched;
        c->geometry += launched && o->se[e].launch.launch_kind == WAVE_GEOMETRY;
    }
}

#if TOTEM_GRAPHICS
static void watch_ring(session *s, int f)
{
    const totem_machine_out        *o    = &s->out;
    const totem_graphics_front_out *p    = &o->fe[f].graphics_pipe.front;
    const int                       ring = RING_PIPE + f;
    note_error(s, TOTEM_SOURCE_GRAPHICS_EXECUTE(f), ring, p->execute.error_valid,
               o->events.graphics_packet_error_ready[f], p->execute.error_word);
    note_error(s, TOTEM_SOURCE_GRAPHICS_FENCE(f), ring, p->fence.error_valid, o->events.graphics_fence_error_ready[f],
               p->fence.error_word);
    note_error(s, TOTEM_SOURCE_GRAPHICS_FETCH(f), ring, p->fetch.error_valid, o->events.graphics_fetch_error_ready[f],
               p->fetch.error_word);
    note_error(s, TOTEM_SOURCE_GRAPHICS_MQD(f), ring, totem_offers_ring_error(p), o->events.graphics_mqd_error_ready[f],
               totem_offers_ring_error_word(p));
    if (p->arbiter.go) {
        s->counts.switches++;
        note(s, SELECTED, ring, 0);
    }
    if (p->execute.left)
        note(s, LEAVES, ring, 0);
    if (p->execute.executed) {
        s->counts.packets++;
        note(s, EXECUTED, ring, 0)->number = p->execute.executed_opcode;
    }
    if (p->execute.start)
        note(s, DISPATCH, ring, 0)->number = p->execute.start_resume;
    if (ring_interrupt(o, f))
        note(s, INTERRUPT, ring, 0);
}
#endif

// Events and counts of this clock, from the model's outputs.
static void watch(session *s)
{
    const totem_machine_out *o = &s->out;
    note_error(s, TOTEM_SOURCE_HOST, -1, o->host.error_valid, o->events.host_error_ready, o->host.error_word);
#if TOTEM_RUNLIST
    note_error(s, TOTEM_SOURCE_PROXY, -1, o->proxy.error_valid, o->events.proxy_error_ready, o->proxy.error_word);
#endif
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        note_error(s, TOTEM_SOURCE_MEMORY(f), -1, o->fe[f].memory.error_valid, o->events.memory_error_ready[f],
                   o->fe[f].memory.error_word);
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
        const totem_pipe_out  *own = &o->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES];
        const totem_front_out *p   = &own->front;
        note_error(s, TOTEM_SOURCE_EXECUTE(n), n, p->execute.error_valid, o->events.packet_error_ready[n],
                   p->execute.error_word);
        note_error(s, TOTEM_SOURCE_FENCE(n), n, p->fence.error_valid, o->events.fence_error_ready[n],
                   p->fence.error_word);
        note_error(s, TOTEM_SOURCE_MQD(n), n, totem_offers_error(p), o->events.mqd_error_ready[n],
                   totem_offers_error_word(p));
        note_error(s, TOTEM_SOURCE_FETCH(n), n, p->fetch.error_valid, o->events.fetch_error_ready[n],
                   p->fetch.error_word);
#if TOTEM_TASKS
        note_error(s, TOTEM_SOURCE_RUNNER(n), n, own->runner.error_valid, o->events.runner_error_ready[n],
                   own->runner.error_word);
#endif
        if (p->arbiter.go) {
            s->counts.switches++;
            note(s, SELECTED, n, p->arbiter.selected);
        }
        if (p->execute.left)
            note(s, LEAVES, n, p->arbiter.selected);
        if (p->execute.executed) {
            s->counts.packets++;
            note(s, EXECUTED, n, p->arbiter.selected)->number = p->execute.executed_opcode;
        }
        if (p->execute.start)
            note(s, DISPATCH, n, p->arbiter.selected)->number = p->execute.start_resume;
        if (totem_offers_interrupt(p) && o->events.interrupt_ready[n])
            note(s, INTERRUPT, n, (int)(totem_offers_interrupt_word(p) >> 32 & 7));
    }
#if TOTEM_GRAPHICS
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        watch_ring(s, f);
#endif
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_issue_out *g = &o->se[e].issue;
        if (g->grant_valid) {
            s->counts.grants++;
            event *grant  = note(s, GRANT, ring_pipe(g->grant_fe, g->grant_pipe), g->grant_queue);
            grant->engine = e;
            grant->number = g->grant_waves;
            grant->value  = g->grant_group;
        }
    }
    session_count_work(o, &s->counts);
}

static bool turns_right(session *s, char message[320])
{
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
        char words[256];
        if (!turns_step(&s->turns[n], s->model, &s->out, n, words, sizeof words)) {
            snprintf(message, 320, "clock %" PRIu64 ", %s", s->clock, words);
            return false;
        }
    }
    return true;
}

// The bound of every queue switch: docs/queue.md.
static bool switches_in_time(session *s, char message[320])
{
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
        switch_turn            turn;
        const totem_front     *p   = &s->model->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES].front;
        const totem_pipe_out  *own = &s->out.fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES];
        const totem_front_out *o   = &own->front;
        // The sources' switch has no bound: the bit, or a move that it has left behind, anywhere from the boundary on.
        const bool unbound = s->out.host.settings_mqd_save || o->arbiter.move != MOVE_NONE;
        const bool excused = s->unbound[n] || unbound;
        if (o->arbiter.go && !o->bank.prepared[o->arbiter.selected]) { // bank and its proof take this for granted
            snprintf(message, 320,
                     "clock %" PRIu64 ", pipe %d: queue %d is selected and its registers are not in place", s->clock, n,
                     o->arbiter.selected);
            return false;
        }
        s->unbound[n] = o->execute.left ? unbound : excused;
        if (!switch_step(&s->switches[n], p, own, s->clock, &turn))
            continue;
        if (s->seen)
            s->seen(s->context, n, &turn);
        if (!excused && switch_late(&turn)) {
            char words[256];
            switch_words(&turn, words, sizeof words);
            snprintf(message, 320, "clock %" PRIu64 ", pipe %d: %s; the bound is %d", s->clock, n, words, SWITCH_BOUND);
            return false;
        }
    }
    return true;
}

static void advance(session *s)
{
    const session_around *around = &s->options.around;
    if (around->drive)
        around->drive(around->user, &s->in);
    else {
        memory_drive(s->memory, s->in.axi);
        host_drive(&s->host, &s->in.axil);
    }
    edge(s, false);
    if (s->coverage)
        coverage_step(s->coverage, s->model, &s->out);
    if (around->drive)
        around->step(around->user, &s->out);
    else {
        memory_step(s->memory, &s->out, s->in.axi);
        host_step(&s->host, &s->out);
    }
    s->clock++;
    look(s);
}

// Fences among the writes that memory has just taken.
static bool fences_good(session *s, char message[256])
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        uint32_t            count;
        const memory_write *w = memory_taken(s->memory, f, &count);
        for (uint32_t n = 0; n < 2 * count; n++) {
            const uint32_t half    = n % 2;
            const uint64_t address = (w[n / 2].address & ~(uint64_t)7) + 4 * (uint64_t)half;
            const uint32_t data    = (uint32_t)(w[n / 2].data >> 32 * half);
            if (!(w[n / 2].strobe >> 4 * half & 15))
                continue;
            if (!account_write(s->account, address, data, s->clock, message) ||
                !tasks_write(s->tasks, address, data, s->clock, message))
                return false;
#if TOTEM_GRAPHICS
            if (!draws_write(s->draws, address, data, s->clock, message))
                return false;
#endif
        }
    }
    return true;
}

static session_verdict rule_broken(session *s, const char *message)
{
    if (!catch_up(s))
        return SESSION_MISMATCH;
    append(s, "Broken rule: %s\n", message);
    append_events(s);
    return SESSION_BROKEN;
}

static void look_for_cause(session *s)
{
    const cause_sides both = sides(s, s->kinds);
    if (s->cause)
        cause_look(s->cause, &both, s->clock);
}

static void open_trace(session *s)
{
    s->exact = s->calls->trace_open(s->rtl, s->options.trace, s->clock, s->cause ? s->model : NULL, s->kinds);
}

static bool judged(const session *s)
{
    return s->model && !s->options.around.drive;
}

session_verdict session_step(session *s)
{
    char message[320];
    look_for_cause(s);
    if (s->model && s->rtl && !same(s, s->exact || s->clock % RAM_CLOCKS == 0))
        return SESSION_MISMATCH;
    if (s->model)
        watch(s);
    if (judged(s)) {
        if (s->tasks_message[0])
            return rule_broken(s, s->tasks_message);
        if (!promises_step(s->promises, &s->out, s->clock, message) ||
            (!s->cores && !children_step(s->children, &s->out, s->clock, message)) ||
            !tasks_step(s->tasks, &s->out, s->clock, message) ||
            !account_step(s->account, &s->out, s->clock, message) ||
            !pairs_step(s->pairs, s->model, &s->out, s->memory, s->clock, message) ||
            !roster_step(s->roster, &s->out, s->memory, s->clock, message) ||
            !channels_step(s->channels, &s->out, s->memory, s->clock, message) ||
            !grants_step(s->grants, &s->out, s->clock, message) ||
            !interrupts_step(s->interrupts, &s->out, &s->host, s->memory, s->tasks, s->clock, message) ||
            !ready_step(s->readiness, &s->out, s->interrupts, s->tasks, &s->host, s->memory, s->clock, message) ||
            !turns_right(s, message) || !switches_in_time(s, message))
            return rule_broken(s, message);
#if TOTEM_GRAPHICS
        if (!draws_step(s->draws, s->model, &s->out, s->clock, message) ||
            !gates_step(s->gates, &s->out, &s->host, s->clock, message) ||
            !scans_step(s->scans, &s->out, s->clock, message))
            return rule_broken(s, message);
#endif
    }
    if (s->options.trace && s->options.trace_from == s->clock && s->clock && s->rtl)
        open_trace(s);
    advance(s);
    return judged(s) && !fences_good(s, message) ? rule_broken(s, message) : SESSION_GOOD;
}

session_verdict session_end(session *s)
{
    char message[256];
    look_for_cause(s);
    if (judged(s) && session_idle(s) && !s->out.events.ram_write_enable && // the last one is seen with the next clock
        !interrupts_complete(s->interrupts, message))
        return rule_broken(s, message);
    return !s->model || !s->rtl || same(s, true) ? SESSION_GOOD : SESSION_MISMATCH;
}

// Only runs that record waves are extended, and in these no clock waits.
void session_extend(session *s, uint64_t clocks)
{
    if (s->clock <= s->options.trace_from && !s->exact) { // it differs before waves begin, after reset
        open_trace(s);
        s->calls->trace_clock(s->rtl);
    }
    while (clocks--) {
        advance(s);
        look_for_cause(s);
    }
}

bool session_seek_cause(session *s)
{
    s->cause = s->model && s->rtl && s->options.trace ? cause_create() : NULL;
    return s->cause;
}

const cause *session_cause(const session *s)
{
    return s->cause;
}

const char *session_report(const session *s)
{
    fflush(s->words);
    return s->report;
}

bool session_has_rtl(const session *s)
{
    return s->rtl != NULL;
}

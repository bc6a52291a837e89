// SPDX-License-Identifier: Apache-2.0
//
// session: see session.h.

#include "session.h"

#include "../../cmodel/queue/totem_pm4.h"
#include "../../cmodel/tool/pm4_decode.h"
#include "probe.h"
#include "rtl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 32, EVENT_TEXT = 120, RESET_CLOCKS = 4, ERRORS = 256, REPORT = 8192 };

struct session {
    session_options   options;
    memory           *memory;
    host_port         host;
    account          *account;
    totem_machine    *model;
    rtl              *rtl;
    totem_machine_out out;
    totem_machine_in  in;
    uint32_t          probes[PROBE_WORDS];
    bool              irq;
    uint64_t          clock;
    session_counts    counts;
    session_error     errors[ERRORS];
    uint32_t          first_words[1 + 2 * TOTEM_PIPE_COUNT][2]; // error messages under way: word 0
    bool              first_taken[1 + 2 * TOTEM_PIPE_COUNT];
    char              events[EVENTS][EVENT_TEXT];
    uint64_t          events_count;
    char              report[REPORT];
    int               probe; // in question; -1 none
    const char       *signal;
};

static void event(session *s, const char *format, ...)
{
    char   *text = s->events[s->events_count++ % EVENTS];
    int     used = snprintf(text, EVENT_TEXT, "%9" PRIu64 "  ", s->clock);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, EVENT_TEXT - (size_t)used, format, arguments);
    va_end(arguments);
}

static void look(session *s)
{
    if (s->model)
        totem_machine_outputs(s->model, &s->out);
    if (s->rtl && !s->model)
        rtl_ports(s->rtl, &s->out, &s->irq);
    else
        s->irq = s->out.events.irq;
}

static void edge(session *s, bool reset)
{
    if (s->model) {
        totem_machine_step(s->model, &s->out, &s->in);
        if (reset)
            totem_machine_reset(s->model);
    }
    if (s->rtl)
        rtl_step(s->rtl, reset, &s->in);
}

session *session_create(const session_options *options)
{
    session *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->options = *options;
    s->probe   = -1;
    s->memory  = memory_create(&options->memory);
    s->account = account_create();
    host_port_init(&s->host, options->seed, options->host_stall);
    if (options->engine != SESSION_RTL)
        s->model = calloc(1, sizeof *s->model);
    if (options->engine != SESSION_MODEL)
        s->rtl = rtl_create();
    if (!s->memory || !s->account || (options->engine != SESSION_RTL && !s->model) ||
        (options->engine != SESSION_MODEL && !s->rtl)) {
        session_destroy(s);
        return NULL;
    }
    for (int n = 0; n < RESET_CLOCKS; n++) {
        look(s);
        edge(s, true);
    }
    if (options->trace && options->trace_from == 0 && !(s->rtl && rtl_trace_open(s->rtl, options->trace, 0))) {
        session_destroy(s);
        return NULL;
    }
    look(s);
    return s;
}

void session_destroy(session *s)
{
    if (!s)
        return;
    memory_destroy(s->memory);
    host_port_free(&s->host);
    account_destroy(s->account);
    free(s->model);
    rtl_destroy(s->rtl);
    free(s);
}

memory *session_memory(session *s)
{
    return s->memory;
}

host_port *session_host(session *s)
{
    return &s->host;
}

account *session_account(session *s)
{
    return s->account;
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
    for (uint64_t n = 0; n < s->counts.errors && n < room && n < ERRORS; n++)
        list[n] = s->errors[n];
    return s->counts.errors;
}

bool session_irq(const session *s)
{
    return s->irq;
}

bool session_idle(const session *s)
{
    const bool machine = s->model ? totem_machine_idle(&s->out) : rtl_idle(s->rtl);
    return machine && memory_idle(s->memory) && host_done(&s->host);
}

// A value of a field out of packed words.
static uint64_t field_value(const uint32_t *words, const probe_field *f, uint32_t element)
{
    uint64_t value = 0;
    for (uint32_t n = 0; n < f->width; n++) {
        const uint32_t bit = f->bit + element * f->width + n;
        value |= (uint64_t)(words[bit / 32] >> bit % 32 & 1) << n;
    }
    return value;
}

static void append(session *s, const char *format, ...)
{
    const size_t used = strlen(s->report);
    va_list      arguments;
    va_start(arguments, format);
    vsnprintf(s->report + used, REPORT - used, format, arguments);
    va_end(arguments);
}

static void append_events(session *s)
{
    append(s, "The last events:\n");
    const uint64_t from = s->events_count > EVENTS ? s->events_count - EVENTS : 0;
    for (uint64_t n = from; n < s->events_count; n++)
        append(s, "%s\n", s->events[n % EVENTS]);
}

static bool same(session *s)
{
    for (int n = 0; n < PROBE_COUNT; n++)
        probe_table[n].pack((const char *)&s->out + probe_table[n].offset, s->probes + probe_table[n].first);
    s->probe = rtl_compare(s->rtl, s->probes);
    if (s->probe < 0 && rtl_idle(s->rtl) == totem_machine_idle(&s->out))
        return true;
    if (s->probe < 0) {
        append(s, "Mismatch at clock %" PRIu64 ": idle of the machine is %d in the model, %d in the RTL\n", s->clock, totem_machine_idle(&s->out), rtl_idle(s->rtl));
        append_events(s);
        return false;
    }
    const probe_instance *p = &probe_table[s->probe];
    uint32_t              got[PROBE_WORDS];
    rtl_probe(s->rtl, s->probe, got);
    append(s, "Mismatch at clock %" PRIu64 " in block %s\n  RTL   %s\n  model totem_machine_out.%s\n", s->clock,
           p->block, p->rtl, p->model);
    for (uint32_t f = 0; f < p->fields_count; f++)
        for (uint32_t e = 0; e < (p->fields[f].elements ? p->fields[f].elements : 1); e++) {
            const uint64_t expected = field_value(s->probes + p->first, &p->fields[f], e),
                           seen     = field_value(got, &p->fields[f], e);
            if (expected == seen)
                continue;
            char name[80];
            if (p->fields[f].elements)
                snprintf(name, sizeof name, "%s[%u]", p->fields[f].name, e);
            else
                snprintf(name, sizeof name, "%s", p->fields[f].name);
            append(s, "  %-28s model 0x%-16" PRIx64 " RTL 0x%" PRIx64 "\n", name, expected, seen);
            if (!s->signal)
                s->signal = p->fields[f].name;
        }
    append_events(s);
    return false;
}

static void note_error(session *s, int source, bool valid, bool ready, uint64_t word)
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
               .pipe    = source == 0 ? -1 : (source - 1) / 2,
               .queue   = (uint8_t)(first >> 48 & 7),
               .address = first & 0xffffffffffu,
               .word    = (uint32_t)word,
               .clock   = s->clock,
    };
    if (s->counts.errors < ERRORS)
        s->errors[s->counts.errors] = e;
    s->counts.errors++;
    const char *name = totem_error_name(e.code);
    event(s, "error %s: pipe %d queue %u address 0x%" PRIx64 " word 0x%08x", name ? name : "?", e.pipe, e.queue,
          e.address, e.word);
}

// Events and counts of this clock, from the model's outputs.
static void watch(session *s)
{
    const totem_machine_out *o = &s->out;
    note_error(s, 0, o->host.error_valid, o->events.error_ready[0], o->host.error_word);
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
        const totem_pipe_out *p = &o->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES];
        note_error(s, 1 + 2 * n, p->packet.error_valid, o->events.error_ready[1 + 2 * n], p->packet.error_word);
        note_error(s, 2 + 2 * n, p->fence.error_valid, o->events.error_ready[2 + 2 * n], p->fence.error_word);
        if (p->arbiter.go) {
            s->counts.switches++;
            event(s, "pipe %d: queue %u selected", n, p->arbiter.selected);
        }
        if (p->packet.left)
            event(s, "pipe %d: queue %u leaves", n, p->arbiter.selected);
        if (p->packet.executed) {
            s->counts.packets++;
            event(s, "pipe %d: queue %u executed %s", n, p->arbiter.selected,
                  totem_pm4_opcode_name(p->packet.executed_opcode));
        }
        if (p->packet.start) {
            s->counts.dispatches++;
            event(s, "pipe %d: queue %u dispatch %s", n, p->arbiter.selected,
                  p->packet.start_resume ? "resumed" : "started");
        }
        if (p->fence.interrupt_valid && o->events.interrupt_ready[n]) {
            s->counts.interrupts++;
            event(s, "pipe %d: end-of-pipe interrupt, queue %u", n, (unsigned)(p->fence.interrupt_word >> 32 & 7));
        }
        if (o->fe[n / TOTEM_PIPES].memory.ack_valid &&
            o->fe[n / TOTEM_PIPES].memory.ack_target == 3 * (n % TOTEM_PIPES) + 2)
            s->counts.fences++;
    }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_issue_out *g = &o->se[e].issue;
        if (g->grant_valid) {
            s->counts.grants++;
            event(s, "engine %d: pipe %d queue %u group (%u, %u, %u) granted, %u waves", e,
                  g->grant_fe * TOTEM_PIPES + g->grant_pipe, g->grant_queue, (unsigned)(uint32_t)g->grant_group,
                  (unsigned)(g->grant_group >> 32 & 0xffff), (unsigned)(g->grant_group >> 48), g->grant_waves);
        }
        s->counts.launches += o->se[e].launch.launch_valid && o->wave[e].launch_ready;
    }
}

static void advance(session *s)
{
    memory_drive(s->memory, s->in.axi);
    host_drive(&s->host, &s->in.axil);
    edge(s, false);
    memory_step(s->memory, &s->out, s->in.axi);
    host_step(&s->host, &s->out);
    s->clock++;
    look(s);
}

session_verdict session_step(session *s)
{
    if (s->model && s->rtl && !same(s))
        return SESSION_MISMATCH;
    if (s->model) {
        char message[256];
        watch(s);
        if (!account_step(s->account, &s->out, s->clock, message)) {
            append(s, "Broken rule: %s\n", message);
            append_events(s);
            return SESSION_BROKEN;
        }
    }
    if (s->options.trace && s->options.trace_from == s->clock && s->clock && s->rtl)
        rtl_trace_open(s->rtl, s->options.trace, s->clock);
    advance(s);
    return SESSION_GOOD;
}

void session_extend(session *s, uint64_t clocks)
{
    while (clocks--)
        advance(s);
}

const char *session_report(const session *s)
{
    return s->report;
}

const char *session_block(const session *s, const char **rtl_path, const char **signal)
{
    if (rtl_path)
        *rtl_path = s->probe < 0 ? "" : probe_table[s->probe].rtl;
    if (signal)
        *signal = s->signal ? s->signal : "";
    return s->probe < 0 ? "" : probe_table[s->probe].model;
}

bool session_save_view(const session *s, const char *path, const char *trace, uint64_t clock)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n[size] 1600 900\n[pos] -1 -1\n", trace,
            clock > 40 ? 2 * (clock - 40) : 0);
    fprintf(file, "*-4.000000 %" PRIu64, 2 * clock);
    for (int n = 0; n < 27; n++)
        fprintf(file, " -1");
    fprintf(file, "\n[sst_width] 240\n[signals_width] 360\n[sst_expanded] 1\n@28\ntotem_tb.clk\n");
    if (s->probe >= 0) {
        const probe_instance *p = &probe_table[s->probe];
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t f = 0; f < p->fields_count; f++) {
                const uint32_t bits  = p->fields[f].width * (p->fields[f].elements ? p->fields[f].elements : 1);
                const bool     asked = s->signal && strcmp(s->signal, p->fields[f].name) == 0;
                if (asked != (pass == 0))
                    continue;
                if (pass == 0)
                    fprintf(file, "@200\n-in question: %s\n", p->model);
                if (bits == 1)
                    fprintf(file, "@28\n%s.%s\n", p->rtl, p->fields[f].name);
                else
                    fprintf(file, "@22\n%s.%s[%u:0]\n", p->rtl, p->fields[f].name, bits - 1);
                if (pass == 0)
                    fprintf(file, "@200\n-outputs of the block\n");
            }
    }
    return fclose(file) == 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// machine: the machine with its cores as a program of its own, which processes of a framework share. Clients connect to
// a socket; they map its memory at the addresses that it has in the machine, so a pointer of theirs is an address. Time
// goes on only while a client waits for a register or for a word of memory, so with one client the same commands give
// the same clocks. docs/framework.md is the page.
//
// Commands are lines, and each gets one line; numbers are decimal:
//   read A, write A V    "ok V" or "refused"
//   wait A V N           "REASON CLOCKS ERRORS": clocks gone by, error records so far; the 64-bit
//                        word at A has reached V (reached), irq is 1 (irq), N clocks are over (limit), or no work is
//                        anywhere (idle)
//   error N              record N in words
//   counts               clocks, waves, packets, dispatches, fences, interrupts
// If model and RTL differ or a rule is broken, the answer is "broken", standard error says why, and the program ends
// with 1.

#include "../../cmodel/tool/pm4_decode.h"
#include "../lockstep/session/run_events.h"
#include "../lockstep/session/run_follow.h"
#include "../lockstep/session/session.h"

#include <argp.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { CLIENTS = 8, LINE = 128, TURN = 1024, LATENCY = 8 };
// Above the heap of a program that lies low, below what the cores keep for themselves.
#define BASE UINT64_C(0x80000000)
#define PART UINT64_C(0x08000000) // of the memory, for what one client allocates

typedef enum { NOTHING, ACCESS, WAIT } work;

typedef struct {
    int      socket; // -1: free
    char     line[LINE];
    size_t   length;
    work     work;
    size_t   access; // in the host's list
    uint64_t address, value, since, until;
} client;

typedef struct {
    session       *s;
    uint8_t       *memory;
    client         clients[CLIENTS];
    unsigned       greeted; // a part of memory is used once: what was in it may still be mapped
    run_follow     follow;
    run_waits      waits;
    run_events    *events; // NULL: not asked for
    bool           broken;
    uint32_t       spread;
    const char    *path, *events_path, *trace_path;
    session_engine engine;
} machine;

static void answer(client *c, const char *format, ...)
{
    char    text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text - 1, format, arguments);
    va_end(arguments);
    length         = length < (int)sizeof text - 2 ? length : (int)sizeof text - 2;
    text[length++] = '\n';
    c->work        = NOTHING;
    // A client that is gone is noticed by the next read.
    if (send(c->socket, text, (size_t)length, MSG_NOSIGNAL) < 0)
        c->length = 0;
}

static uint64_t word_at(const machine *m, uint64_t address)
{
    uint64_t word;
    memcpy(&word, m->memory + (address - BASE), sizeof word);
    return word;
}

static void tell_error(const machine *m, client *c, uint64_t n)
{
    if (n >= session_count(m->s).errors) {
        answer(c, "none");
        return;
    }
    const session_error *e    = session_error_at(m->s, n);
    const char          *name = totem_error_name(e->code);
    answer(c, "%d %u %s at clock %" PRIu64 ", address 0x%" PRIx64 ", word 0x%08" PRIx32, e->pipe, e->queue,
           name ? name : "?", e->clock, e->address, e->word);
}

static void command(machine *m, client *c)
{
    host_port *h    = session_host(m->s);
    char      *rest = strchr(c->line, ' ');
    uint64_t   n[3] = {0};
    for (int k = 0; rest && k < 3; k++)
        n[k] = strtoull(rest, &rest, 10);
    const uint64_t bytes = CLIENTS * PART;
    if (strncmp(c->line, "wait ", 5) == 0 && n[0] - BASE <= bytes - 8) {
        c->address = n[0];
        c->value   = n[1];
        c->since   = session_clock(m->s);
        c->until   = c->since + n[2];
        c->work    = WAIT;
    } else if (strncmp(c->line, "write ", 6) == 0) {
        c->access = host_write(h, session_clock(m->s), (uint32_t)n[0], (uint32_t)n[1]);
        c->work   = ACCESS;
    } else if (strncmp(c->line, "read ", 5) == 0) {
        c->access = host_read(h, session_clock(m->s), (uint32_t)n[0]);
        c->work   = ACCESS;
    } else if (strncmp(c->line, "error ", 6) == 0) {
        tell_error(m, c, n[0]);
    } else if (strcmp(c->line, "counts") == 0) {
        const session_counts k = session_count(m->s);
        answer(c, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, session_clock(m->s),
               k.launches, k.packets, k.dispatches, k.fences, k.interrupts);
    } else
        answer(c, "what is '%s'?", c->line);
}

// Ends what the present clock ends.
static void look(machine *m, client *c)
{
    const host_port *h     = session_host(m->s);
    const uint64_t   clock = session_clock(m->s);
    if (c->work == ACCESS && h->list[c->access].done) {
        const host_access *a = &h->list[c->access];
        if (a->response)
            answer(c, "refused");
        else
            answer(c, "ok %" PRIu32, a->data);
    } else if (c->work == WAIT) {
        const char *reason = word_at(m, c->address) >= c->value      ? "reached"
                             : session_irq(m->s)                     ? "irq"
                             : clock >= c->until                     ? "limit"
                             : clock % 64 == 0 && session_idle(m->s) ? "idle"
                                                                     : NULL;
        if (reason)
            answer(c, "%s %" PRIu64 " %" PRIu64, reason, clock - c->since, session_count(m->s).errors);
    }
}

static void step(machine *m)
{
    run_follow_clock(&m->follow, m->s);
    if (m->events) {
        run_waits_clock(&m->waits, m->s);
        run_events_clock(m->events, m->s, &m->waits);
    }
    m->broken = session_step(m->s) != SESSION_GOOD;
    if (m->events)
        run_events_after(m->events, m->s);
}

static void take(machine *m, client *c)
{
    const ssize_t got = recv(c->socket, c->line + c->length, LINE - 1 - c->length, 0);
    if (got <= 0 || c->length + (size_t)got == LINE - 1) {
        close(c->socket);
        c->socket = -1;
        return;
    }
    c->length += (size_t)got;
    c->line[c->length] = 0;
    char *end          = strchr(c->line, '\n');
    if (end) { // a client has one command under way
        *end      = 0;
        c->length = 0;
        command(m, c);
    }
}

static void greet(machine *m, int listener, int memory)
{
    const int made = accept(listener, NULL, NULL);
    if (made < 0 || m->greeted == CLIENTS) {
        close(made);
        return;
    }
    const unsigned n = m->greeted++;
    m->clients[n]    = (client){.socket = made};
    answer(&m->clients[n], "%s %d %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %d %d", TOTEM_CONFIG_NAME, getpid(), memory,
           BASE, CLIENTS * PART, PART, n, TOTEM_PIPE_COUNT, TOTEM_QUEUES);
}

// Until standard input ends.
static void serve(machine *m, int listener, int memory)
{
    for (;;) {
        struct pollfd all[CLIENTS + 2] = {{.fd = 0, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
        bool          busy             = false;
        for (unsigned n = 0; n < CLIENTS; n++) {
            all[n + 2] = (struct pollfd){.fd = m->clients[n].socket, .events = POLLIN};
            busy       = busy || m->clients[n].work != NOTHING;
        }
        if (poll(all, CLIENTS + 2, busy ? 0 : -1) < 0 || all[0].revents)
            return;
        if (all[1].revents)
            greet(m, listener, memory);
        for (unsigned n = 0; n < CLIENTS; n++)
            if (all[n + 2].revents && m->clients[n].socket >= 0)
                take(m, &m->clients[n]);
        for (unsigned k = 0; busy && !m->broken && k < TURN; k++) {
            step(m);
            busy = false;
            for (unsigned n = 0; n < CLIENTS; n++) {
                look(m, &m->clients[n]);
                busy = busy || m->clients[n].work != NOTHING;
            }
        }
        for (unsigned n = 0; m->broken && n < CLIENTS; n++)
            if (m->clients[n].work != NOTHING)
                answer(&m->clients[n], "broken");
        if (m->broken)
            return;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    machine *m = state->input;
    switch (key) {
    case 'e':
        if (strcmp(argument, "model") != 0 && strcmp(argument, "both") != 0)
            argp_error(state, "--engine: '%s' is none; take model or both", argument);
        m->engine = strcmp(argument, "model") == 0 ? SESSION_MODEL : SESSION_BOTH;
        return 0;
    case 's': m->spread = (uint32_t)strtoul(argument, NULL, 10); return 0;
    case 'v': m->events_path = argument; return 0;
    case 't': m->trace_path = argument; return 0;
    case ARGP_KEY_ARG: m->path = argument; return 0;
    case ARGP_KEY_END:
        if (!m->path)
            argp_error(state, "name the socket");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int fail(const char *what)
{
    perror(what);
    return 3;
}

int main(int argc, char **argv)
{
    static const struct argp_option list[] = {
        {"engine", 'e', "ENGINE", 0, "model (default), or both: model and RTL in lockstep", 0},
        {"spread", 's', "CLOCKS", 0, "memory answers up to so many clocks later, at random, in any order", 0},
        {"events", 'v', "FILE", 0, "what happens, as JSON lines", 0},
        {"trace", 't', "FILE", 0, "the same as a trace for Perfetto", 0},
        {0}};
    const struct argp argp = {.options  = list,
                              .parser   = parse,
                              .args_doc = "SOCKET",
                              .doc      = "The machine with its cores, for processes that connect to the socket."};
    static machine    m    = {.engine = SESSION_MODEL};
    if (argp_parse(&argp, argc, argv, 0, NULL, &m) || !m.path)
        return 2;
    const int memory = memfd_create("totem", 0);
    if (memory < 0 || ftruncate(memory, CLIENTS * PART))
        return fail("memory");
    m.memory = mmap(NULL, CLIENTS * PART, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (m.memory == MAP_FAILED)
        return fail("memory");
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    if (strlen(m.path) >= sizeof place.sun_path) {
        fprintf(stderr, "%s: the name of a socket has at most %zu characters\n", m.path, sizeof place.sun_path - 1);
        return 2;
    }
    snprintf(place.sun_path, sizeof place.sun_path, "%s", m.path);
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&place, sizeof place) || listen(listener, CLIENTS))
        return fail(m.path);
    const session_options options = {
        .engine = m.engine,
        .cores  = true,
        .memory = {.latency        = LATENCY,
                   .latency_spread = m.spread,
                   .reorder        = m.spread != 0,
                   .visible_late   = true,
                   .remembers      = true,
                   .arena          = m.memory,
                   .arena_from     = BASE,
                   .arena_bytes    = CLIENTS * PART},
    };
    static const totem_workload nothing;
    m.s = session_create(&options);
    if (!m.s) {
        fprintf(stderr, "machine: it cannot be created; is memory short?\n");
        return 3;
    }
    if ((m.events_path || m.trace_path) && !(m.events = run_events_open(m.events_path, m.trace_path != NULL)))
        return fail("events");
    run_follow_open(&m.follow, &nothing);
    run_waits_open(&m.waits);
    for (unsigned n = 0; n < CLIENTS; n++)
        m.clients[n].socket = -1;
    puts("ready");
    fflush(stdout);
    serve(&m, listener, memory);
    unlink(m.path);
    m.broken = m.broken || session_end(m.s) != SESSION_GOOD;
    if (m.broken)
        fprintf(stderr, "%s", session_report(m.s));
    bool good = !m.broken;
    if (m.events && !run_events_close(m.events, session_clock(m.s), m.trace_path)) {
        fprintf(stderr, "machine: the events could not be written to their end; is the disk full?\n");
        good = false;
    }
    session_destroy(m.s);
    return good ? 0 : 1;
}

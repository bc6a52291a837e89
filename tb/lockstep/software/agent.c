// SPDX-License-Identifier: Apache-2.0
//
// agent: see agent.h. Its parts: agent_state.h.

#include "agent_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool broken(agent *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->message, sizeof a->message, format, arguments);
    va_end(arguments);
    return false;
}

void agent_draw(uint64_t seed, uint64_t clocks, session_options *session, agent_options *options)
{
    totem_random     r         = {seed * 0x9e3779b97f4a7c15u + 0x746f74656d};
    static const int latency[] = {1, 4, 20, 100, 150};
    static const int moves[] = {0, 8, 30, 80}, failures[] = {300, 1500, 5000, 12000};
    *session                       = (session_options){.seed = seed};
    session->memory.seed           = seed;
    session->memory.latency        = (uint32_t)latency[random_below(&r, 5)];
    session->memory.latency_spread = random_below(&r, 2) ? random_below(&r, 60) : 0;
    session->memory.stall          = random_below(&r, 2) ? random_below(&r, 128) : 0;
    session->memory.reorder        = random_below(&r, 2);
    session->host_stall            = random_below(&r, 2) ? random_below(&r, 128) : 0;
    *options                       = (agent_options){
                              .seed     = seed,
                              .clocks   = clocks,
                              .errors   = random_below(&r, 2),
                              .waits    = random_below(&r, 2),
                              .queues   = 1 + random_below(&r, random_below(&r, 2) ? 6 : PIPES * QUEUES),
                              .pipes    = PIPES,
                              .refusals = random_below(&r, 2),
                              .failures = random_below(&r, 2),
                              .moves    = (uint32_t)moves[random_below(&r, 4)],
    };
    session->memory.forgets = seed % 3 == 1 ? 64 : 0;

    options->mqd_save = seed % 2;
    options->bare     = seed % 3 == 0;
    options->tasks    = TOTEM_TASKS && seed % 4 != 0;
    options->strict   = options->tasks && seed % 8 == 5;
    options->kills    = random_below(&r, 2);
    options->patience = random_below(&r, 4) ? 100 + random_below(&r, random_below(&r, 2) ? 400 : 4000) : 0;
    if (!options->failures)
        return;
    session->memory.failures       = (uint32_t)failures[random_below(&r, 4)];
    session->memory.failures_until = clocks;
    session->memory.spared         = MQD_BASE; // a job with an MQD is many accesses
    session->memory.rarer          = 1u << random_below(&r, 5);
    if (random_below(&r, 2))
        return;
    // Longer than any answer takes that is not late; a late one comes when it has been given up.
    options->timeout         = 4000 + random_below(&r, 4000);
    session->memory.late     = 16 + random_below(&r, 160);
    session->memory.lateness = (uint32_t)(2 * options->timeout + 1000);
}

static void set_program(agent *a, uint32_t entry, uint32_t duration)
{
    driver_program(session_host(a->s), 0, entry, duration, chance(a, 128) ? below(a, 8) : 0);
    account_program(session_account(a->s), entry, duration);
}

agent *agent_create(session *s, const agent_options *options)
{
    agent *a = calloc(1, sizeof *a);
    if (!a || !(a->written = calloc(DATA_WORDS, sizeof *a->written)) ||
        !(a->tasks = calloc(TASK_PLACES, sizeof *a->tasks))) {
        if (a)
            free(a->written);
        free(a);
        return NULL;
    }
    a->s            = s;
    a->options      = *options;
    a->tally        = options->tally;
    a->random.state = options->seed ^ 0x6167656e74000000u;
    host_port *h    = session_host(s);
    for (uint32_t entry = 0, most = 0; entry < PROGRAMS; entry++) {
        const uint32_t duration = 1 + below(a, chance(a, 64) ? (chance(a, 100) ? 9000 : 2000) : 200);
        set_program(a, entry, duration);
        if (duration > most && entry < PROGRAM_CHILD) {
            most       = duration;
            a->longest = entry;
        }
    }
    if (options->kills) {
        set_program(a, PROGRAM_ENDLESS, 1u << 30 | below(a, 2000));
        set_program(a, PROGRAM_DEAF, 1u << 31 | (1000 + below(a, 8000)));
        host_write(h, 0, MACHINE(DEQUEUE_TIMEOUT), options->patience);
    }
    // Short units, so that a quantum ends within a seed.
    host_write(h, 0, MACHINE(QUANTUM_UNIT0), 1 + below(a, 200));
    host_write(h, 0, MACHINE(QUANTUM_UNIT1), 1 + below(a, 1500));
    host_write(h, 0, MACHINE(TURN_LIMIT), chance(a, 128) ? 1 + below(a, 4000) : 0);
    static const uint32_t holds[] = {MACHINE(HOLD_AFTER_HIGH), MACHINE(HOLD_AFTER_MEDIUM), MACHINE(HOLD_AFTER_LOW)};
    for (unsigned n = 0; n < sizeof holds / sizeof holds[0]; n++)
        host_write(h, 0, holds[n], chance(a, 64) ? 0 : chance(a, 200) ? below(a, 600) : 0xffffff);
    if (options->timeout)
        host_write(h, 0, MACHINE(MEMORY_TIMEOUT), (uint32_t)options->timeout);
    a->polling = !chance(a, 32);
    a->period  = chance(a, 128) ? below(a, 40) : 1;
    host_write(h, 0, MACHINE(CP_PQ_WPTR_POLL_CNTL), (uint32_t)a->polling << 31 | a->period);
    a->open               = chance(a, 64);
    a->die                = chance(a, 128) ? 0 : below(a, 8);
    const bool rsrc3_gfx9 = chance(a, 128);
    account_options(session_account(a->s), a->die, rsrc3_gfx9);
#if TOTEM_GRAPHICS
    draws_die(session_draws(a->s), a->die);
#endif
    // Priorities of tasks for half of the seeds.
    host_write(h, 0, MACHINE(QUEUE_OPTIONS),
               below(a, 2) | (uint32_t)a->open << 1 | (uint32_t)options->mqd_save << 2 | (uint32_t)rsrc3_gfx9 << 6 |
                   a->die << 8 | (options->tasks ? below(a, 2) << 3 | (uint32_t)options->strict << 4 : 0));
    if (options->tasks)
        chains_child(a);
    for (int n = 0; n < SLOTS; n++) {
        a->clients[n] = (client){.number = n, .pipe = n / QUEUES, .queue = n % QUEUES, .worked = -1, .ran = -1};
        a->in[n]      = &a->clients[n];
    }
    uint32_t used = 0;
    for (uint32_t n = 0; n < options->queues; n++) {
        const uint32_t place = below(a, options->pipes * QUEUES);
        client        *c     = &a->clients[place];
        if (c->used)
            continue;
        c->used          = true;
        c->priority      = chance(a, 128) ? below(a, 16) : 7;
        c->pipe_priority = below(a, 3);
        c->privileged    = chance(a, 128);
        c->tasks         = options->tasks && chance(a, 140);
        c->ring          = RING_BASE + place * RING_STRIDE;
        c->size          = 64u << below(a, 5);
        c->written = c->told = c->posted = chance(a, 64) ? 0xffffffc0u : 0; // pointers wrap modulo 2^32
        c->buffer                        = BUFFER_BASE + place * BUFFER_STRIDE;
        c->next                          = below(a, 400);
        c->until_stop                    = 1 + below(a, 80);
        used++;
    }
    // A mapping may take 60 accesses of the one host port: many queues change places less often.
    a->options.moves = a->options.moves * 6 / (6 + used);
    if (options->waits)
        for (int p = 0; p < PIPES; p++) {
            client *first = NULL;
            for (int q = 0; q < QUEUES; q++) {
                client *c = &a->clients[p * QUEUES + q];
                if (!c->used)
                    continue;
                if (!first) {
                    first           = c;
                    first->waiter   = true;
                    first->priority = 0;
                } else if (c->priority == 0)
                    c->priority = 1;
            }
        }
    return a;
}

void agent_destroy(agent *a)
{
    if (!a)
        return;
    for (int n = 0; n < SLOTS; n++)
        free(a->clients[n].fences);
    free(a->written);
    free(a->tasks);
    free(a->refusals);
    free(a->expiries);
    free(a);
}

const char *agent_message(const agent *a)
{
    return a->message;
}

void agent_stuck(agent *a)
{
    static const char *const states[] = {"away", "coming", "running", "leaving"};
    broken(a, "not idle, and no wave launched for a long time (or far too many clocks):");
    for (int n = 0; n < SLOTS; n++) {
        const client *c    = &a->clients[n];
        const size_t  used = strlen(a->message);
        if (clients_idle(a, c))
            continue;
        const totem_front_out *p = front_of(a, c);
        snprintf(a->message + used, sizeof a->message - used,
                 " [client %d at %d.%d %s, type %u, 0x%x of 0x%x, job %u, %u waves%s%s%s]", n, c->pipe, c->queue,
                 states[c->state], c->type, c->rptr, c->written, p->hqd.request[c->queue], p->flight.waves[c->queue],
                 p->execute.halted[c->queue] ? ", halted" : "", c->half ? ", half" : "",
                 p->mqd.records_differ[c->queue] ? ", behind" : "");
    }
}

// What a driver does with interrupts, at random: it enables some, looks at them and clears them. The session judges
// what it sees (interrupts.h).
static void handle_interrupts(agent *a)
{
    const uint64_t clock = session_clock(a->s);
    host_port     *h     = session_host(a->s);
    if (a->ended || clock < a->next_handler || h->count - h->next > 64)
        return;
    a->next_handler     = clock + 1 + below(a, 1500);
    const uint32_t some = (uint32_t)random_next(&a->random);
    const uint32_t slot = below(a, SLOTS), half = PIPES > 4 ? some >> 28 & 4 : 0;
    switch (below(a, a->options.tasks ? 9 : 8)) {
    case 8:
        host_write(h, clock,
                   TOTEM_REG_TASKS_BASE + below(a, TOTEM_FE_COUNT) * TOTEM_REG_TASKS_STRIDE +
                       4 * TOTEM_REG_TASKS_REPORT_INTERRUPT,
                   some);
        break;
    case 0: host_write(h, clock, EVENTS(INTERRUPT_ENABLE), some & 0x7f); break;
    case 1: host_write(h, clock, EVENTS(INTERRUPT_STATUS), some & 0x7e); break;
    case 2: host_write(h, clock, EVENTS(INTERRUPT_TEST), 2u << (some & 31) & 0x7e); break;
    case 3: host_read(h, clock, EVENTS(INTERRUPT_STATUS)); break;
    case 4: host_read(h, clock, EVENTS(INT_CTXID) + 4 * (slot / QUEUES * 8 + slot % QUEUES)); break;
    case 5: host_read(h, clock, EVENTS(EOP_STATUS) + half); break;
    case 6: host_write(h, clock, EVENTS(EOP_ENABLE) + half, some); break;
    default: host_write(h, clock, some & 1 ? EVENTS(EOP_STATUS) + half : EVENTS(EOP_TEST) + half, some); break;
    }
}

bool agent_step(agent *a)
{
    if (!witness_look(a) || !recovery_records(a))
        return false;
    refusals_look(a);
    chains_look(a);
    handle_interrupts(a);
    for (int n = 0; n < SLOTS; n++) {
        client *c = &a->clients[n];
        if (c->used && !clients_look(a, c))
            return false;
    }
    // Nobody polls any more, so that the memory comes to rest.
    if (!a->ended && clients_done(a)) {
        a->ended = true;
        host_write(session_host(a->s), session_clock(a->s), MACHINE(CP_PQ_WPTR_POLL_CNTL), a->period);
    }
    return true;
}

bool agent_done(const agent *a)
{
    return a->ended && clients_done(a);
}

bool agent_check(agent *a)
{
    char message[256];
    for (int n = 0; n < SLOTS; n++) // a list that was saved, and is not wanted any more
        if (a->clients[n].state == AWAY && !a->clients[n].kept)
            tasks_remap(session_tasks(a->s), slot_of(&a->clients[n]));
    return witness_check(a) && recovery_check(a) && kills_check(a) && refusals_check(a) && chains_check(a) &&
           (account_complete(session_account(a->s), message) || broken(a, "%s", message));
}

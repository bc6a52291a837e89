// SPDX-License-Identifier: Apache-2.0
//
// agent: see agent.h.

#include "agent.h"

#include "../../cmodel/host/totem_regs_map.h"
#include "../../cmodel/queue/totem_pm4.h"
#include "driver.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIPES = TOTEM_PIPE_COUNT, QUEUES = TOTEM_QUEUES, BATCH = 512, SPOILED = 8, LATER = 64 };

#define TYPE3(op, body) (3u << 30 | (uint32_t)((body)-1) << 16 | (uint32_t)(op) << 8 | 2u)
#define RING_BASE 0x0000100000u
#define RING_STRIDE 0x4000u
#define BUFFER_BASE 0x0000800000u
#define BUFFER_STRIDE 0x40000u
#define FENCE_BASE 0x0000400000u
#define DATA_BASE 0x0000500000u
#define WORD_BASE 0x0000600000u // words that packets look at: each is used by one packet
#define MQD_BASE 0x0002000000u
#define MQD_STRIDE 0x1008u // no alignment but that of 8 bytes
#define MACHINE(name) (TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_##name)

// A malformed packet in a ring: when its record has come it is overwritten with fillers, or skipped.
typedef struct {
    uint32_t position, dwords;
    uint8_t  code;
} spoiled;

typedef struct {
    bool            used, mapped;
    int             pipe, queue;
    uint32_t        priority, pipe_priority;
    uint64_t        ring;
    uint32_t        size;    // dwords
    uint32_t        written; // running position behind the last packet
    uint32_t        told;    // write pointer of the last doorbell
    uint64_t        buffer;  // next free place for indirect buffers
    uint32_t        fences;  // value of the last fence given
    uint32_t        interrupts;
    bool            waiter; // may poll for others: lowest priority of its pipe
    bool            privileged;
    const uint32_t *batch; // where the packets begin that are made now; NULL: they go into an indirect buffer
    spoiled         bad[SPOILED];
    uint32_t        bad_count, bad_seen;
    uint32_t        full[3];     // NUM_THREAD_FULL of the last shape
    bool            shape_known; // registers of a dispatch have been set since mapping
    uint64_t        next;        // clock of the next look
} client;

struct agent {
    session      *s;
    agent_options options;
    totem_random  random;
    client        clients[PIPES * QUEUES];
    uint64_t      errors_seen, interrupts, errors_due;
    uint32_t      data; // next word of DATA_BASE
    uint32_t      word; // next word of WORD_BASE
    bool          open; // PRIO_WRITE_OPEN
    // Words that smart waits wait for: written at a clock; until then the wait is not passed.
    struct {
        uint64_t at, delay, address; // at: 0 until the wait is reached
        uint32_t value;
        client  *of; // NULL: the wait is in an indirect buffer
        uint32_t position;
    } later[LATER];
    uint32_t later_count;
    struct {
        uint32_t word, value;
    } written[4096];
    uint32_t written_count;
    char     message[300];
};

static uint32_t below(agent *a, uint32_t count)
{
    return random_below(&a->random, count);
}

static bool chance(agent *a, uint32_t of256)
{
    return below(a, 256) < of256;
}

static bool broken(agent *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(a->message, sizeof a->message, format, arguments);
    va_end(arguments);
    return false;
}

void agent_draw(uint64_t seed, uint64_t clocks, session_options *session, agent_options *options)
{
    totem_random     r             = {seed * 0x9e3779b97f4a7c15u + 0x746f74656d};
    static const int latency[]     = {1, 4, 20, 100, 150};
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
                              .errors   = random_below(&r, 4) == 0,
                              .waits    = random_below(&r, 2),
                              .queues   = 1 + random_below(&r, random_below(&r, 2) ? 6 : PIPES * QUEUES),
                              .mqd_save = seed % 4 == 3,
    };
}

agent *agent_create(session *s, const agent_options *options)
{
    agent *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->s            = s;
    a->options      = *options;
    a->random.state = options->seed ^ 0x6167656e74000000u;
    host_port *h    = session_host(s);
    for (uint32_t entry = 0; entry < 16; entry++)
        driver_program(h, 0, entry, 1 + below(a, chance(a, 64) ? 2000 : 200), chance(a, 128) ? below(a, 8) : 0);
    // Short units, so that a quantum ends within a seed.
    host_write(h, 0, TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_QUANTUM_UNIT0, 1 + below(a, 200));
    host_write(h, 0, TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_QUANTUM_UNIT1, 1 + below(a, 1500));
    host_write(h, 0, TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_TURN_LIMIT,
               chance(a, 128) ? 1 + below(a, 4000) : 0);
    a->open = chance(a, 64);
    host_write(h, 0, MACHINE(QUEUE_OPTIONS), below(a, 2) | (uint32_t)a->open << 1 | (uint32_t)options->mqd_save << 2);
    for (uint32_t n = 0; n < options->queues; n++) {
        const uint32_t place = below(a, PIPES * QUEUES);
        client        *c     = &a->clients[place];
        if (c->used)
            continue;
        c->used          = true;
        c->pipe          = (int)place / QUEUES;
        c->queue         = (int)place % QUEUES;
        c->priority      = chance(a, 128) ? below(a, 16) : 7;
        c->pipe_priority = below(a, 3);
        c->privileged    = chance(a, 128);
        c->ring          = RING_BASE + place * RING_STRIDE;
        c->size          = 64u << below(a, 5);
        c->written = c->told = chance(a, 64) ? 0xffffffc0u : 0; // pointers wrap modulo 2^32
        c->buffer            = BUFFER_BASE + place * BUFFER_STRIDE;
        c->next              = below(a, 400);
    }
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
    free(a);
}

const char *agent_message(const agent *a)
{
    return a->message;
}

// ---- packets: each writes at to[0..] and returns its dwords

static uint32_t set_sh(uint32_t *to, uint32_t offset, const uint32_t *values, uint32_t count)
{
    to[0] = TYPE3(TOTEM_OP_SET_SH_REG, 1 + count);
    to[1] = offset;
    memcpy(to + 2, values, 4 * count);
    return 2 + count;
}

static uint32_t shape(agent *a, client *c, uint32_t *to)
{
    uint32_t       used      = 0;
    const uint32_t program[] = {0x1000u * below(a, 256) + below(a, 16), below(a, 256)};
    used += set_sh(to + used, 0x20c, program, 2);
    // Mostly small groups; sometimes all that an engine has.
    const uint32_t y = chance(a, 180) ? 1 : 1 + below(a, 6), z = chance(a, 200) ? 1 : 1 + below(a, 3);
    const uint32_t full[] = {1 + below(a, (chance(a, 200) ? 130 : 512) / (y * z)), y, z};
    const uint32_t waves  = (full[0] * y * z + 31) / 32;
    memcpy(c->full, full, sizeof full);
    uint32_t threads[3]; // the partial field counts only with PARTIAL_TG_EN
    for (uint32_t n = 0; n < 3; n++)
        threads[n] = full[n] | (1 + below(a, full[n])) << 16;
    const uint32_t most       = TOTEM_VGPRS / waves < 64 ? TOTEM_VGPRS / waves : 64;
    const uint32_t users      = below(a, 17);
    const uint32_t resource[] = {below(a, chance(a, 32) || most < 12 ? most : 12),
                                 below(a, chance(a, 32) ? (TOTEM_LDS < 512 ? TOTEM_LDS : 511) : 24) << 15 | users << 1};
    used += set_sh(to + used, 0x212, resource, 2);
    used += set_sh(to + used, 0x207, threads, 3);
    if (users && chance(a, 200)) {
        uint32_t values[16];
        for (uint32_t n = 0; n < users && n < 16; n++)
            values[n] = (uint32_t)random_next(&a->random);
        used += set_sh(to + used, 0x240, values, users < 16 ? users : 16);
    }
    if (chance(a, 40)) {
        uint32_t mask = 1 + below(a, 15);
        if (!(mask & ((1u << TOTEM_SE_COUNT) - 1)))
            mask = 1;
        const uint32_t low[]  = {mask & 1 ? ~0u : 0, mask & 2 ? ~0u : 0},
                       high[] = {mask & 4 ? ~0u : 0, mask & 8 ? ~0u : 0};
        used += set_sh(to + used, 0x216, low, 2);
        used += set_sh(to + used, 0x219, high, 2);
    }
    if (chance(a, 64)) {
        const uint32_t start[] = {below(a, 4), below(a, 3), below(a, 2)};
        used += set_sh(to + used, 0x204, start, 3);
    }
    return used;
}

// Words that a packet looks at, at any 4-byte boundary.
static uint64_t operand(agent *a, const uint32_t *values, uint32_t count)
{
    a->word += below(a, 3);
    const uint64_t address = WORD_BASE + 4 * (uint64_t)a->word;
    for (uint32_t n = 0; n < count; n++)
        memory_write32(session_memory(a->s), address + 4 * (uint64_t)n, values[n]);
    a->word += count;
    return address;
}

static void put_address(uint32_t *to, uint64_t address)
{
    to[0] = (uint32_t)address;
    to[1] = (uint32_t)(address >> 32);
}

static uint32_t dispatch(agent *a, const client *c, uint32_t *to)
{
    const uint32_t x          = chance(a, 20) ? 0 : 1 + below(a, chance(a, 40) ? 60 : 12);
    const uint32_t y          = chance(a, 200) ? 1 : below(a, 5);
    const uint32_t z          = chance(a, 200) ? 1 : below(a, 4);
    const uint32_t in_threads = 1u << 5; // USE_THREAD_DIMENSIONS
    const uint32_t initiator  = 1u | (chance(a, 200) ? 4u : 0u) | (chance(a, 128) ? 0x8000u : 0u) |
                               (chance(a, 80) ? 2u : 0u) | (chance(a, 60) ? in_threads : 0);
    uint32_t grid[] = {x, y, z};
    if (initiator & in_threads)
        for (uint32_t n = 0; n < 3; n++)
            grid[n] = grid[n] ? grid[n] * c->full[n] - below(a, c->full[n]) : 0;
    if (chance(a, 80)) {
        to[0] = TYPE3(TOTEM_OP_DISPATCH_INDIRECT, 3);
        put_address(to + 1, operand(a, grid, 3));
        to[3] = initiator;
        return 4;
    }
    to[0] = TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4);
    memcpy(to + 1, grid, sizeof grid);
    to[4] = initiator;
    return 5;
}

static uint32_t fence(agent *a, client *c, uint32_t *to)
{
    const uint64_t address = FENCE_BASE + 16 * (uint64_t)(c->pipe * QUEUES + c->queue);
    const bool     irq     = chance(a, 100);
    to[0]                  = TYPE3(TOTEM_OP_RELEASE_MEM, 7);
    to[1]                  = 0x528; // BOTTOM_OF_PIPE_TS, end of pipe
    to[2]                  = 1u << 29 | (irq ? 2u << 24 : 0);
    to[3]                  = (uint32_t)address;
    to[4]                  = 0;
    to[5]                  = ++c->fences;
    to[6]                  = 0;
    to[7]                  = c->fences;
    c->interrupts += irq;
    a->interrupts += irq;
    return 8;
}

static uint32_t wait_for(agent *a, const client *c, uint32_t *to)
{
    // A fence that is already given to its queue: it comes without further packets of this one.
    const client *of = c;
    for (int n = 0; n < 8 && c->waiter; n++) {
        const client *other = &a->clients[below(a, PIPES * QUEUES)];
        if (other->used && other->fences)
            of = other;
    }
    const uint64_t address = FENCE_BASE + 16 * (uint64_t)(of->pipe * QUEUES + of->queue);
    to[0]                  = TYPE3(TOTEM_OP_WAIT_REG_MEM, 6);
    to[1]                  = 1u << 4 | 5u; // memory, >=
    to[2]                  = (uint32_t)address;
    to[3]                  = 0;
    to[4]                  = of->fences;
    to[5]                  = 0xffffffffu;
    to[6]                  = 4;
    return 7;
}

// Preemptable wait for a word that holds already, or that the agent writes later: any queue may, nobody is held up.
static uint32_t wait_smart(agent *a, client *c, uint32_t *to)
{
    const uint32_t before = below(a, 1000), after = before + 1 + below(a, 1000), mask = 0x7ff;
    const bool     later   = a->later_count < LATER && chance(a, 160);
    const uint64_t address = operand(a, later ? &before : &after, 1);
    // Holds of `after`, not of `before`: by function 1 to 6.
    const uint32_t function  = 1 + below(a, 6);
    uint32_t       reference = after;
    uint32_t       value     = after;
    if (function == 1 || function == 2) { // below: the word falls
        value     = before;
        reference = function == 1 ? before + 1 : before;
        memory_write32(session_memory(a->s), address, later ? after : before);
    } else if (function == 4 || function == 6)
        reference = before;
    to[0] = TYPE3(TOTEM_OP_WAIT_REG_MEM, 6);
    to[1] = 3u << 6 | 1u << 4 | function;
    put_address(to + 2, address);
    to[4] = reference;
    to[5] = mask;
    to[6] = chance(a, 200) ? below(a, 12) : below(a, 60); // interval
    if (later) {
        a->later[a->later_count].at       = 0;
        a->later[a->later_count].delay    = 1 + below(a, chance(a, 128) ? 300 : 3000);
        a->later[a->later_count].address  = address;
        a->later[a->later_count].value    = value;
        a->later[a->later_count].of       = c->batch ? c : NULL;
        a->later[a->later_count].position = c->batch ? c->written + (uint32_t)(to - c->batch) : 0;
        a->later_count++;
    }
    return 7;
}

static uint32_t wait_timer(agent *a, uint32_t *to)
{
    to[0] = TYPE3(TOTEM_OP_WAIT_TIMER, 1);
    to[1] = chance(a, 32) ? 0 : 1 + below(a, chance(a, 200) ? 200 : 3000);
    return 2;
}

static uint32_t priority_register(int pipe, int queue)
{
    return driver_window((uint32_t)pipe, (uint32_t)queue, TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY) / 4;
}

// A queue that polls keeps the lowest priority of its pipe, else it could wait for one that it keeps out.
static uint32_t write_priority(agent *a, const client *c, uint32_t *to)
{
    const int count = 1 + (int)below(a, 2); // the second time to the same register: ADDR_INCR says so
    const int queue = c->privileged || a->open ? (int)below(a, QUEUES) : c->queue;
    to[0]           = TYPE3(TOTEM_OP_WRITE_DATA, 3 + count);
    to[1]           = TOTEM_WRITE_DST_REGISTER << 8 | 1u << 16;
    to[2]           = priority_register(c->pipe, queue);
    to[3]           = 0;
    for (int n = 0; n < count; n++)
        to[4 + n] = !a->options.waits                             ? below(a, 16)
                    : a->clients[c->pipe * QUEUES + queue].waiter ? 0
                                                                  : 1 + below(a, 15);
    return 4 + (uint32_t)count;
}

static uint32_t write_data(agent *a, uint32_t *to)
{
    const uint32_t count = 1 + below(a, 6), first = a->data;
    to[0] = TYPE3(TOTEM_OP_WRITE_DATA, 3 + count);
    to[1] = 5u << 8 | 1u << 20;
    to[2] = DATA_BASE + 4 * first;
    to[3] = 0;
    for (uint32_t n = 0; n < count; n++) {
        to[4 + n] = (uint32_t)random_next(&a->random);
        if (a->written_count < 4096) {
            a->written[a->written_count].word    = first + n;
            a->written[a->written_count++].value = to[4 + n];
        }
    }
    a->data += count;
    return 4 + count;
}

static uint32_t filler(agent *a, uint32_t *to)
{
    static const uint32_t ignored[] = {TOTEM_OP_PFP_SYNC_ME, TOTEM_OP_SET_UCONFIG_REG, TOTEM_OP_DMA_DATA,
                                       TOTEM_OP_CONTEXT_CONTROL, TOTEM_OP_COPY_DATA};
    switch (below(a, 6)) {
    case 0: to[0] = 0x80000000u; return 1;
    case 1: to[0] = 0xffff1000u; return 1;
    case 2:
        to[0] = TYPE3(TOTEM_OP_ACQUIRE_MEM, 7);
        memset(to + 1, 0, 28);
        return 8;
    case 3: {
        const uint32_t other[] = {1, 2, 3};
        return set_sh(to, 0x100 + below(a, 0x80), other, 3); // outside the compute block: counted
    }
    default: {
        const uint32_t body = 1 + below(a, 9);
        to[0]               = TYPE3(chance(a, 128) ? TOTEM_OP_NOP : ignored[below(a, 5)], body);
        for (uint32_t n = 0; n < body; n++)
            to[1 + n] = (uint32_t)random_next(&a->random);
        return 1 + body;
    }
    }
}

static uint32_t one(agent *a, client *c, uint32_t *to, bool wait);

// COND_EXEC and a packet that it lets pass or not. What is not to be executed leaves no trace in what the agent expects.
static uint32_t conditional(agent *a, client *c, uint32_t *to, bool wait)
{
    const agent    was   = *a;
    const client   as    = *c;
    const uint32_t word  = chance(a, 128) ? 0 : 1u << below(a, 32);
    const uint32_t skips = one(a, c, to + 5, wait);
    if (word == 0) {
        a->written_count = was.written_count;
        a->interrupts    = was.interrupts;
        a->data          = was.data;
        a->later_count   = was.later_count;
        c->interrupts    = as.interrupts;
        c->fences        = as.fences;
        c->shape_known   = as.shape_known;
        memcpy(c->full, as.full, sizeof c->full);
    }
    to[0] = TYPE3(TOTEM_OP_COND_EXEC, 4);
    put_address(to + 1, operand(a, &word, 1));
    to[3] = 0;
    to[4] = skips;
    return 5 + skips;
}

static uint32_t one(agent *a, client *c, uint32_t *to, bool wait)
{
    uint32_t used = 0;
    switch (below(a, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
        if (!c->shape_known || chance(a, 180))
            used += shape(a, c, to);
        c->shape_known = true;
        return used + dispatch(a, c, to + used);
    case 4:
    case 5: return fence(a, c, to);
    case 6:
        to[0] = TYPE3(TOTEM_OP_EVENT_WRITE, 1);
        to[1] = chance(a, 200) ? 0x407 : 0x16;
        return 2;
    case 7:
        if (wait && c->fences)
            return wait_for(a, c, to);
        return filler(a, to);
    case 8: return write_data(a, to);
    case 9: return wait_smart(a, c, to);
    case 10: return wait_timer(a, to);
    case 11: return write_priority(a, c, to);
    default: return filler(a, to);
    }
}

// A packet, some of them behind a COND_EXEC.
static uint32_t some(agent *a, client *c, uint32_t *to, bool wait)
{
    return chance(a, 20) ? conditional(a, c, to, wait) : one(a, c, to, wait);
}

// Packets of an indirect buffer in memory; returns its dwords. A chained buffer may follow.
static uint32_t buffer(agent *a, client *c, uint64_t *address)
{
    uint32_t words[BATCH], used = 0;
    c->batch = NULL;
    for (uint32_t n = 1 + below(a, 4); n; n--)
        used += some(a, c, words + used, false);
    uint64_t next;
    if (chance(a, 48) &&
        c->buffer + 0x1000 < BUFFER_BASE + (uint64_t)BUFFER_STRIDE * (uint64_t)(c->pipe * QUEUES + c->queue + 1)) {
        const uint32_t size = buffer(a, c, &next);
        words[used]         = TYPE3(TOTEM_OP_INDIRECT_BUFFER, 3);
        words[used + 1]     = (uint32_t)next;
        words[used + 2]     = (uint32_t)(next >> 32);
        words[used + 3]     = size | 1u << 20;
        used += 4;
    }
    *address = c->buffer;
    for (uint32_t n = 0; n < used; n++)
        memory_write32(session_memory(a->s), c->buffer + 4 * (uint64_t)n, words[n]);
    c->buffer += 4 * (used + below(a, 5));
    return used;
}

static uint32_t spoil(agent *a, client *c, uint32_t *to, uint32_t position)
{
    static const uint8_t codes[] = {
        TOTEM_ERROR_PACKET_HEADER_TYPE,      TOTEM_ERROR_PACKET_OPCODE,         TOTEM_ERROR_PACKET_IB_SIZE_ZERO,
        TOTEM_ERROR_PACKET_WAIT_FUNCTION,    TOTEM_ERROR_PACKET_WAIT_OPERATION, TOTEM_ERROR_PACKET_WRITE_DESTINATION,
        TOTEM_ERROR_PACKET_WRITE_REGISTER,   TOTEM_ERROR_PACKET_PRIORITY_VALUE, TOTEM_ERROR_PACKET_GRID_RANGE,
        TOTEM_ERROR_PACKET_PRIORITY_FOREIGN, TOTEM_ERROR_PACKET_COND_SKIP};
    const uint32_t zero = 0;
    spoiled       *b    = &c->bad[c->bad_count++];
    b->position         = position;
    b->dwords           = 1;
    b->code             = codes[below(a, sizeof codes)];
    const int other     = (c->queue + 1) % QUEUES;
    if (b->code == TOTEM_ERROR_PACKET_PRIORITY_FOREIGN && (c->privileged || a->open))
        b->code = TOTEM_ERROR_PACKET_PRIORITY_VALUE;
    memset(to, 0, 8 * sizeof *to);
    switch (b->code) {
    case TOTEM_ERROR_PACKET_HEADER_TYPE: to[0] = 0x00001234u; break; // type 0
    case TOTEM_ERROR_PACKET_OPCODE: to[0] = TYPE3(0x02, 1); break;   // no public list names it
    case TOTEM_ERROR_PACKET_IB_SIZE_ZERO:
        to[0]     = TYPE3(TOTEM_OP_INDIRECT_BUFFER, 3);
        b->dwords = 4;
        break;
    case TOTEM_ERROR_PACKET_WAIT_FUNCTION:
    case TOTEM_ERROR_PACKET_WAIT_OPERATION:
        to[0] = TYPE3(TOTEM_OP_WAIT_REG_MEM, 6);
        to[1] = b->code == TOTEM_ERROR_PACKET_WAIT_FUNCTION ? 3u << 6 | 1u << 4 | 7u
                                                            : (1 + below(a, 2)) << 6 | 1u << 4 | 3u;
        put_address(to + 2, operand(a, &zero, 1));
        b->dwords = 7;
        break;
    case TOTEM_ERROR_PACKET_WRITE_DESTINATION:
        to[0]     = TYPE3(TOTEM_OP_WRITE_DATA, 4);
        to[1]     = TOTEM_WRITE_DST_GDS << 8;
        b->dwords = 5;
        break;
    case TOTEM_ERROR_PACKET_WRITE_REGISTER:
    case TOTEM_ERROR_PACKET_PRIORITY_VALUE:
    case TOTEM_ERROR_PACKET_PRIORITY_FOREIGN:
        to[0] = TYPE3(TOTEM_OP_WRITE_DATA, 4);
        to[1] = TOTEM_WRITE_DST_REGISTER << 8;
        to[2] = priority_register(c->pipe, b->code == TOTEM_ERROR_PACKET_PRIORITY_FOREIGN ? other : c->queue);
        to[4] = b->code == TOTEM_ERROR_PACKET_PRIORITY_VALUE ? 16u + below(a, 1000) : 1;
        if (b->code == TOTEM_ERROR_PACKET_WRITE_REGISTER)
            to[2] += chance(a, 128) ? 1 : 0x400; // another register, another pipe
        b->dwords = 5;
        break;
    case TOTEM_ERROR_PACKET_GRID_RANGE: {
        const uint32_t grid[] = {1, chance(a, 128) ? 65536 : 1, 0x10000 + below(a, 1000)};
        to[0]                 = TYPE3(TOTEM_OP_DISPATCH_INDIRECT, 3);
        put_address(to + 1, operand(a, grid, 3));
        to[3]     = 5;
        b->dwords = 4;
        break;
    }
    default: // nothing that a skip could end at is ever written
        to[0] = TYPE3(TOTEM_OP_COND_EXEC, 4);
        put_address(to + 1, operand(a, &zero, 1));
        to[4]     = 0x3fff;
        b->dwords = 5;
        break;
    }
    a->errors_due++;
    return b->dwords;
}

static const totem_pipe_out *pipe_of(const agent *a, const client *c)
{
    return &session_out(a->s)->fe[c->pipe / TOTEM_PIPES].pipe[c->pipe % TOTEM_PIPES];
}

// ---- what the software does with one queue

static bool give(agent *a, client *c)
{
    const uint32_t rptr = pipe_of(a, c)->fetch.rptr[c->queue];
    uint32_t       words[BATCH], used = 0;
    const uint32_t free = c->size - (c->written - rptr);
    c->batch            = words;
    if (chance(a, 40) &&
        c->buffer + 0x2000 < BUFFER_BASE + (uint64_t)BUFFER_STRIDE * (uint64_t)(c->pipe * QUEUES + c->queue + 1)) {
        if (free < 4)
            return true;
        uint64_t       address;
        const uint32_t size = buffer(a, c, &address);
        words[0]            = TYPE3(TOTEM_OP_INDIRECT_BUFFER, 3);
        words[1]            = (uint32_t)address;
        words[2]            = (uint32_t)(address >> 32);
        words[3]            = size | 1u << 23;
        used                = 4;
    } else {
        if (free < 64)
            return true;
        if (a->options.errors && c->bad_count < SPOILED && chance(a, 24))
            used = spoil(a, c, words, c->written);
        else
            used = some(a, c, words, a->options.waits);
    }
    if (used > free)
        return broken(a, "agent: a packet of %u dwords for a ring with room for %u", used, free);
    for (uint32_t n = 0; n < used; n++)
        memory_write32(session_memory(a->s), c->ring + 4 * (uint64_t)((c->written + n) & (c->size - 1)), words[n]);
    char       message[256];
    const bool bad = c->bad_count && c->bad[c->bad_count - 1].position == c->written;
    if (!bad && !account_stream(session_account(a->s), c->pipe, c->queue, session_memory(a->s), c->ring, c->size,
                                c->written, used, message))
        return broken(a, "%s", message);
    c->written += used;
    return true;
}

// Half of them enabled; many with DURATION 0, where turns are packets and work-groups.
static uint32_t quantum(agent *a)
{
    return below(a, 2) | below(a, 2) << 4 | (chance(a, 100) ? 0 : below(a, 6)) << 8;
}

static void map(agent *a, client *c)
{
    const driver_queue q = {
        .pipe          = (uint32_t)c->pipe,
        .queue         = (uint32_t)c->queue,
        .priority      = c->priority,
        .pipe_priority = c->pipe_priority,
        .privileged    = c->privileged,
        .quantum       = quantum(a),
        .ring          = c->ring,
        .mqd           = a->options.mqd_save ? MQD_BASE + MQD_STRIDE * (uint64_t)(c->pipe * QUEUES + c->queue) : 0,
        .size          = c->size,
        .rptr          = c->written,
        .rptr_report   = chance(a, 128) ? FENCE_BASE + 16 * (uint64_t)(c->pipe * QUEUES + c->queue) + 8 : 0,
    };
    driver_map(session_host(a->s), session_clock(a->s), &q);
    account_remap(session_account(a->s), c->pipe, c->queue);
    c->mapped      = true;
    c->shape_known = false;
    c->told        = c->written;
}

static void look(agent *a, client *c)
{
    host_port     *h     = session_host(a->s);
    const uint64_t clock = session_clock(a->s);
    c->next              = clock + 1 + below(a, chance(a, 200) ? 60 : 3000);
    if (clock >= a->options.clocks) {
        if (c->mapped && c->told != c->written) {
            driver_doorbell(h, clock, (uint32_t)c->pipe, (uint32_t)c->queue, c->written);
            c->told = c->written;
        }
        return;
    }
    if (!c->mapped) {
        const totem_arbiter_out *arbiter = &pipe_of(a, c)->arbiter;
        if (host_done(h) && !arbiter->active[c->queue] && !(arbiter->selected_valid && arbiter->selected == c->queue))
            map(a, c);
        return;
    }
    if (!pipe_of(a, c)->arbiter.active[c->queue] || h->count - h->next > 64)
        return;
    for (uint32_t n = 1 + below(a, 6); n; n--)
        if (!give(a, c))
            return;
    if (c->told != c->written && chance(a, 200)) {
        driver_doorbell(h, clock, (uint32_t)c->pipe, (uint32_t)c->queue, c->written);
        c->told = c->written;
    }
    if (!a->options.waits && chance(a, 24)) {
        c->priority = below(a, 16);
        host_write(h, clock,
                   driver_window((uint32_t)c->pipe, (uint32_t)c->queue, TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY),
                   c->priority);
    }
    if (chance(a, 16))
        host_write(h, clock, driver_window((uint32_t)c->pipe, (uint32_t)c->queue, TOTEM_REG_QUEUE_CP_HQD_QUANTUM),
                   quantum(a));
    if (chance(a, 24))
        host_read(h, clock, driver_window((uint32_t)c->pipe, (uint32_t)c->queue, below(a, 60)));
    // An empty queue may be taken away and mapped again later, from where it stands.
    if (chance(a, 8) && c->told == c->written && pipe_of(a, c)->fetch.rptr[c->queue] == c->written &&
        pipe_of(a, c)->fence.idle[c->queue] && !pipe_of(a, c)->fetch.pending[c->queue] && host_done(h)) {
        driver_unmap(h, clock, (uint32_t)c->pipe, (uint32_t)c->queue);
        c->mapped = false;
    }
}

// Error records: each must be one that was planted; its packet is replaced and the queue resumed.
static bool repair(agent *a)
{
    session_error  list[256];
    const uint64_t count = session_errors(a->s, list, 256);
    for (; a->errors_seen < count && a->errors_seen < 256; a->errors_seen++) {
        const session_error *e = &list[a->errors_seen];
        client              *c = e->pipe < 0 ? NULL : &a->clients[e->pipe * QUEUES + e->queue];
        if (!c || c->bad_seen >= c->bad_count || c->bad[c->bad_seen].code != e->code)
            return broken(a,
                          "an error record that nobody planted: code 0x%02x pipe %d queue %u address 0x%" PRIx64
                          " word 0x%08x",
                          e->code, e->pipe, e->queue, e->address, e->word);
        const spoiled *b       = &c->bad[c->bad_seen++];
        const uint64_t address = c->ring + 4 * (uint64_t)(b->position & (c->size - 1));
        if (pipe_of(a, c)->fetch.rptr[c->queue] != b->position || e->address != address)
            return broken(a, "pipe %d queue %d: halted at 0x%08x (record 0x%" PRIx64 "), planted at 0x%08x", c->pipe,
                          c->queue, pipe_of(a, c)->fetch.rptr[c->queue], e->address, b->position);
        if (chance(a, 128)) {
            host_write(session_host(a->s), session_clock(a->s),
                       driver_window((uint32_t)c->pipe, (uint32_t)c->queue, TOTEM_REG_QUEUE_CONTROL), 2); // SKIP
            continue;
        }
        for (uint32_t n = 0; n < b->dwords; n++)
            memory_write32(session_memory(a->s), c->ring + 4 * (uint64_t)((b->position + n) & (c->size - 1)),
                           0x80000000u);
        driver_resume(session_host(a->s), session_clock(a->s), (uint32_t)c->pipe, (uint32_t)c->queue);
    }
    return true;
}

// Words whose clock has come. The wait for each must still stand; the clocks of one in a ring count from when it is
// reached.
static bool write_later(agent *a)
{
    const uint64_t clock = session_clock(a->s);
    for (uint32_t n = 0; n < a->later_count;) {
        const client *c    = a->later[n].of;
        const int32_t past = c ? (int32_t)(pipe_of(a, c)->fetch.rptr[c->queue] - a->later[n].position) : 0;
        if (past > 0)
            return broken(a, "pipe %d queue %d: the wait at 0x%08x was passed before its word was written", c->pipe,
                          c->queue, a->later[n].position);
        if (past == 0 && a->later[n].at == 0)
            a->later[n].at = clock + a->later[n].delay;
        if (past < 0 || a->later[n].at > clock) {
            n++;
            continue;
        }
        memory_write32(session_memory(a->s), a->later[n].address, a->later[n].value);
        a->later[n] = a->later[--a->later_count];
    }
    return true;
}

bool agent_step(agent *a)
{
    if (!repair(a) || !write_later(a))
        return false;
    for (int n = 0; n < PIPES * QUEUES; n++)
        if (a->clients[n].used && a->clients[n].next <= session_clock(a->s))
            look(a, &a->clients[n]);
    return a->message[0] == 0;
}

bool agent_done(const agent *a)
{
    for (int n = 0; n < PIPES * QUEUES; n++) {
        const client *c = &a->clients[n];
        if (c->used && c->mapped && (c->told != c->written || pipe_of(a, c)->fetch.rptr[c->queue] != c->written))
            return false;
    }
    return session_clock(a->s) >= a->options.clocks;
}

bool agent_check(agent *a)
{
    char message[256];
    for (int n = 0; n < PIPES * QUEUES; n++) {
        const client  *c   = &a->clients[n];
        const uint32_t got = memory_read32(session_memory(a->s), FENCE_BASE + 16 * (uint64_t)n);
        if (c->used && got != c->fences)
            return broken(a, "pipe %d queue %d: last fence is %u, not %u", c->pipe, c->queue, got, c->fences);
        if (c->bad_seen != c->bad_count)
            return broken(a, "pipe %d queue %d: %u of %u planted errors were recorded", c->pipe, c->queue, c->bad_seen,
                          c->bad_count);
    }
    for (uint32_t n = 0; n < a->written_count; n++)
        if (memory_read32(session_memory(a->s), DATA_BASE + 4 * (uint64_t)a->written[n].word) != a->written[n].value)
            return broken(a, "WRITE_DATA: word %u is 0x%08x, not 0x%08x", a->written[n].word,
                          memory_read32(session_memory(a->s), DATA_BASE + 4 * (uint64_t)a->written[n].word),
                          a->written[n].value);
    const session_counts c = session_count(a->s);
    if (c.interrupts != a->interrupts || c.errors != a->errors_due)
        return broken(a, "%" PRIu64 " interrupts and %" PRIu64 " errors, not %" PRIu64 " and %" PRIu64, c.interrupts,
                      c.errors, a->interrupts, a->errors_due);
    for (size_t n = 0; n < session_host(a->s)->count; n++)
        if (session_host(a->s)->list[n].response)
            return broken(a, "host access 0x%05x was answered with an error", session_host(a->s)->list[n].address);
    return account_complete(session_account(a->s), message) || broken(a, "%s", message);
}

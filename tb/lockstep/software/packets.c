// SPDX-License-Identifier: Apache-2.0
//
// packets: the packets that random software writes, good and malformed: see agent_state.h.

#include "agent_state.h"

#include <stdlib.h>

// As SET_SH_REG, as drivers with its index form, or two registers as pairs.
static uint32_t set_sh(agent *a, uint32_t *to, uint32_t offset, const uint32_t *values, uint32_t count)
{
    if (count == 2 && chance(a, 64)) {
        to[0] = TYPE3(chance(a, 128) ? TOTEM_OP_SET_SH_REG_PAIRS_PACKED : TOTEM_OP_SET_SH_REG_PAIRS_PACKED_N, 4);
        to[1] = count;
        to[2] = offset | (offset + 1) << 16;
        memcpy(to + 3, values, 4 * (size_t)count);
        return 5;
    }
    const bool index = chance(a, 64);
    to[0]            = TYPE3(index ? TOTEM_OP_SET_SH_REG_INDEX : TOTEM_OP_SET_SH_REG, 1 + count);
    to[1]            = offset | (index ? 3u << 28 : 0);
    memcpy(to + 2, values, 4 * (size_t)count);
    return 2 + count;
}

static uint32_t shape(agent *a, client *c, uint32_t *to)
{
    uint32_t used  = 0;
    uint32_t entry = below(a, PROGRAMS);
    if (a->options.kills && entry >= PROGRAM_ENDLESS && !chance(a, 160))
        entry = below(a, PROGRAM_ENDLESS);
    if (a->child && !c->tasks && entry == PROGRAM_CHILD) // it would have tasks
        entry = 0;
    if (clients_stay(a, c) && entry == PROGRAM_ENDLESS) // nobody could end its waves
        entry = 0;
    if (a->options.kills && a->options.patience && chance(a, 20))
        entry = PROGRAM_DEAF;
    c->endless               = a->options.kills && entry == PROGRAM_ENDLESS;
    c->deaf                  = a->options.kills && entry == PROGRAM_DEAF;
    const uint32_t program[] = {0x1000u * below(a, 256) + entry, below(a, 256)};
    used += set_sh(a, to + used, 0x20c, program, 2);
    // Mostly small groups; sometimes all that an engine has.
    const uint32_t y = chance(a, 180) ? 1 : 1 + below(a, 6), z = chance(a, 200) ? 1 : 1 + below(a, 3);
    const uint32_t full[] = {1 + below(a, (chance(a, 200) ? 130 : 512) / (y * z)), y, z};
    const uint32_t waves  = (full[0] * y * z + 31) / 32;
    memcpy(c->full, full, sizeof full);
    uint32_t threads[3]; // the partial field counts only with PARTIAL_TG_EN
    for (uint32_t n = 0; n < 3; n++)
        threads[n] = full[n] | (1 + below(a, full[n])) << 16;
    const uint32_t most  = TOTEM_VGPRS / waves < 64 ? TOTEM_VGPRS / waves : 64;
    const uint32_t users = below(a, 17), scratch_enable = chance(a, 128);
    const uint32_t resource[] = {below(a, chance(a, 32) || most < 12 ? most : 12),
                                 below(a, chance(a, 32) ? (TOTEM_LDS < 512 ? TOTEM_LDS : 511) : 24) << 15 | users << 1 |
                                     scratch_enable};
    used += set_sh(a, to + used, 0x212, resource, 2);
    used += set_sh(a, to + used, 0x207, threads, 3);
    if (users && chance(a, 200)) {
        uint32_t values[16];
        for (uint32_t n = 0; n < users && n < 16; n++)
            values[n] = (uint32_t)random_next(&a->random);
        used += set_sh(a, to + used, 0x240, values, users < 16 ? users : 16);
    }
    if (chance(a, 40)) {
        uint32_t mask = 1 + below(a, 15);
        if (!(mask & ((1u << TOTEM_SE_COUNT) - 1)))
            mask = 1;
        const uint32_t low[]  = {mask & 1 ? ~0u : 0, mask & 2 ? ~0u : 0},
                       high[] = {mask & 4 ? ~0u : 0, mask & 8 ? ~0u : 0};
        used += set_sh(a, to + used, 0x216, low, 2);
        used += set_sh(a, to + used, 0x219, high, 2);
    }
    if (chance(a, 100)) {
        const uint32_t scratch[] = {(uint32_t)random_next(&a->random), below(a, 256)};
        used += set_sh(a, to + used, 0x210, scratch, 2);
    }
    if (chance(a, 100)) { // RSRC3, at one of its places
        const uint32_t value = (uint32_t)random_next(&a->random);
        used += set_sh(a, to + used, chance(a, 128) ? 0x228 : 0x22d, &value, 1);
    }
    if (chance(a, 64)) {
        const uint32_t start[] = {below(a, 4), below(a, 3), below(a, 2)};
        used += set_sh(a, to + used, 0x204, start, 3);
    }
    return used;
}

// Words that a packet looks at, at any 4-byte boundary.
static uint64_t operand_at(agent *a, const uint32_t *values, uint32_t count)
{
    const uint64_t address = WORD_BASE + 4 * (uint64_t)a->word;
    for (uint32_t n = 0; n < count; n++)
        memory_write32(session_memory(a->s), address + 4 * (uint64_t)n, values[n]);
    a->word += count;
    return address;
}

static uint64_t operand(agent *a, const uint32_t *values, uint32_t count)
{
    a->word += below(a, 3);
    return operand_at(a, values, count);
}

static void put_address(uint32_t *to, uint64_t address)
{
    to[0] = (uint32_t)address;
    to[1] = (uint32_t)(address >> 32);
}

static uint32_t dispatch(agent *a, client *c, uint32_t *to)
{
    c->unheard = c->unheard || c->deaf;
    if (c->endless && !c->hard) {
        c->hard    = true;
        c->kill_at = session_clock(a->s) + below(a, 3000);
    }
    const uint32_t x          = chance(a, 20) ? 0 : 1 + below(a, chance(a, 40) ? 60 : 12);
    const uint32_t y          = chance(a, 200) ? 1 : below(a, 5);
    const uint32_t z          = chance(a, 200) ? 1 : below(a, 4);
    const uint32_t in_threads = 1u << 5; // USE_THREAD_DIMENSIONS
    const uint32_t initiator  = (chance(a, 16) ? 0u : 1u) | (chance(a, 200) ? 4u : 0u) |
                               (chance(a, 128) ? 0x8000u : 0u) | (chance(a, 80) ? 2u : 0u) |
                               (chance(a, 60) ? in_threads : 0);
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

// One group that runs long, behind which fences wait.
uint32_t packets_long(agent *a, client *c, uint32_t *to)
{
    const uint32_t program[] = {0x1000u * below(a, 256) + a->longest, below(a, 256)};
    const uint32_t words[]   = {TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4), 1, 1, 1, 5};
    const uint32_t used      = set_sh(a, to, 0x20c, program, 2);
    c->endless               = false;
    memcpy(to + used, words, sizeof words);
    return used + 5;
}

uint32_t packets_fence(agent *a, client *c, uint32_t *to)
{
    const uint64_t address = FENCE_BASE + 16 * (uint64_t)c->number;
    const bool     irq = chance(a, 100), wide = chance(a, 64);
    // An interrupt comes with 1 and 2, none with 0 and 3.
    const uint32_t int_sel = irq ? 1 + below(a, 2) : chance(a, 64) ? 3 : 0;
    if (c->fences_count == c->fences_room) {
        c->fences_room      = c->fences_room ? 2 * c->fences_room : 64;
        given_fence *larger = realloc(c->fences, c->fences_room * sizeof *larger);
        if (!larger)
            abort();
        c->fences = larger;
    }
    c->fences[c->fences_count++] = (given_fence){
        .value = ++c->last_fence, .high = wide ? (uint32_t)random_next(&a->random) : 0, .wide = wide, .irq = irq};
    to[0] = TYPE3(TOTEM_OP_RELEASE_MEM, 7);
    to[1] = 0x528; // BOTTOM_OF_PIPE_TS, end of pipe
    to[2] = (wide ? 2u : 1u) << 29 | int_sel << 24;
    to[3] = (uint32_t)address;
    to[4] = 0;
    to[5] = c->last_fence;
    to[6] = c->fences[c->fences_count - 1].high;
    to[7] = (uint32_t)c->number << 24 | c->last_fence;
    return 8;
}

// A fence that nobody follows but the session's judge of interrupts: with its interrupt alone, or with the clock.
uint32_t packets_bare(agent *a, const client *c, uint32_t *to)
{
    const bool     clock   = !a->options.failures && chance(a, c->burst ? 40 : 128);
    const uint32_t int_sel = c->burst ? 1 + below(a, 2) : below(a, 4),
                   context = (uint32_t)BARE << 24 | below(a, 1u << 24);
    const uint32_t words[] = {TYPE3(TOTEM_OP_RELEASE_MEM, 7),
                              0x528,
                              (clock ? 3u : 0u) << 29 | int_sel << 24,
                              (uint32_t)pointer_address(c) + 8,
                              0,
                              0,
                              0,
                              context};
    memcpy(to, words, sizeof words);
    tally_count(a->tally, clock ? "fence.the clock" : "fence.without data");
    return 8;
}

// The wait at `to` for a dword, said as one for its half of a word of 64 bits.
static uint32_t wait_64(uint32_t *to)
{
    const bool     high      = (to[2] & 4) != 0;
    const uint32_t reference = to[4], mask = to[5], interval = to[6];
    to[0] = TYPE3(TOTEM_OP_WAIT_REG_MEM64, 8);
    to[2] &= ~7u;
    to[4] = high ? 0 : reference;
    to[5] = high ? reference : 0;
    to[6] = high ? 0 : mask;
    to[7] = high ? mask : 0;
    to[8] = interval;
    return 9;
}

static uint32_t wait_for(agent *a, const client *c, uint32_t *to)
{
    // A fence that is already given to its queue: it comes without further packets of this one.
    const client *of = c;
    for (int n = 0; n < 8 && c->waiter; n++) {
        const client *other = &a->clients[below(a, SLOTS)];
        if (other->used && other->fences_count)
            of = other;
    }
    const uint64_t address = FENCE_BASE + 16 * (uint64_t)of->number;
    to[0]                  = TYPE3(TOTEM_OP_WAIT_REG_MEM, 6);
    to[1]                  = 1u << 4 | 5u; // memory, >=
    to[2]                  = (uint32_t)address;
    to[3]                  = 0;
    to[4]                  = of->fences[of->fences_count - 1].value;
    to[5]                  = 0xffffffffu;
    to[6]                  = 4;
    return chance(a, 64) ? wait_64(to) : 7;
}

// Smart wait for a word that holds already, or that the agent writes later: any queue may, nobody is held up.
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
    if (chance(a, 128)) {                                 // as drivers say it: optimize_ace_offload_mode
        to[1] &= ~(3u << 6);
        to[6] |= 1u << 31;
    }
    if (later) {
        memset(&a->later[a->later_count], 0, sizeof a->later[0]);
        if (!c->inside && chance(a, 128)) {
            a->later[a->later_count].before = memory_read32(session_memory(a->s), address);
            a->later[a->later_count].blink  = 20 + below(a, 200);
        }
        a->later[a->later_count].delay    = 1 + below(a, chance(a, 128) ? 300 : 3000);
        a->later[a->later_count].address  = address;
        a->later[a->later_count].value    = value;
        a->later[a->later_count].of       = c->inside ? NULL : c;
        a->later[a->later_count].position = c->inside ? 0 : c->written + (uint32_t)(to - c->batch);
        a->later_count++;
    }
    return chance(a, 64) ? wait_64(to) : 7;
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

// On a register: of the queue's own window, when its waves have ended; of its pipe, whatever it holds; or another one,
// or an operation that reads none, which both hold at once.
static uint32_t wait_register(agent *a, client *c, uint32_t *to)
{
    const uint32_t smart = chance(a, 128) ? 3u << 6 : 0, queue = below(a, QUEUES), dword = below(a, 64);
    uint32_t       control = smart | TOTEM_COMPARE_EQ, mask = 0;
    to[2] = driver_window((uint32_t)c->pipe, queue, dword) / 4;
    switch (below(a, 4)) {
    case 0:
        mask = ~0u;
        if (chance(a, 128))
            control = (1 + below(a, 2)) << 6 | TOTEM_COMPARE_EQ;
        else
            to[2] ^= chance(a, 128) ? 0x8000u : 0x1000u << below(a, 8);
        break;
    case 1: break;
    default: // waves that may never end are not waited for
        if (a->options.kills)
            break;
        c->bound = c->written + BATCH;
        mask     = ~0u;
        to[2]    = driver_window((uint32_t)c->pipe, (uint32_t)c->queue, TOTEM_REG_QUEUE_WAVES) / 4;
        if (c->inside || a->later_count == LATER)
            break;
        memset(&a->later[a->later_count], 0, sizeof a->later[0]);
        a->later[a->later_count].waves    = true;
        a->later[a->later_count].of       = c;
        a->later[a->later_count].position = c->written + (uint32_t)(to - c->batch);
        a->later_count++;
    }
    to[0] = TYPE3(TOTEM_OP_WAIT_REG_MEM, 6);
    to[1] = control;
    to[3] = (uint32_t)random_next(&a->random);
    to[4] = 0;
    to[5] = mask;
    to[6] = below(a, 12);
    return 7;
}

// A queue that polls keeps the lowest priority of its pipe, else it could wait for one that it keeps out.
static uint32_t write_priority(agent *a, client *c, uint32_t *to)
{
    c->bound        = c->written + BATCH;   // clients.c puts the place behind what is given now
    const int count = 1 + (int)below(a, 2); // the second time to the same register: ADDR_INCR says so
    const int queue = c->privileged || a->open ? (int)below(a, QUEUES) : c->queue;
    to[0]           = TYPE3(TOTEM_OP_WRITE_DATA, 3 + count);
    to[1]           = TOTEM_WRITE_DST_REGISTER << 8 | 1u << 16;
    to[2]           = priority_register(c->pipe, queue);
    to[3]           = 0;
    for (int n = 0; n < count; n++)
        to[4 + n] = !a->options.waits ? below(a, 16) : a->in[c->pipe * QUEUES + queue]->waiter ? 0 : 1 + below(a, 15);
    return 4 + (uint32_t)count;
}

static uint32_t filler(agent *a, uint32_t *to)
{
    static const uint32_t ignored[] = {TOTEM_OP_PFP_SYNC_ME, TOTEM_OP_SET_UCONFIG_REG, TOTEM_OP_CP_DMA,
                                       TOTEM_OP_CONTEXT_CONTROL, TOTEM_OP_COPY_DW};
    switch (below(a, 6)) {
    case 0: to[0] = 0x80000000u; return 1;
    case 1: to[0] = 0xffff1000u; return 1;
    case 2:
        to[0] = TYPE3(TOTEM_OP_ACQUIRE_MEM, 7);
        memset(to + 1, 0, 28);
        return 8;
    case 3: {
        const uint32_t other[] = {1, 2, 3};
        if (chance(a, 128)) { // registers of units that Totem does not have: counted
            to[0] = TYPE3(TOTEM_OP_WRITE_DATA, 5);
            to[1] = below(a, 2) << 16;
            to[2] = chance(a, 128) ? below(a, 0x2dff) : 0x8000 + below(a, 1u << 30);
            to[3] = (uint32_t)random_next(&a->random);
            memcpy(to + 4, other, 8);
            return 6;
        }
        return set_sh(a, to, 0x100 + below(a, 0x80), other, 3); // outside the compute block: counted
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

// COPY_DATA and DMA_DATA to the data that are looked at: from the packet, or from words of memory.
static uint32_t copy_data(agent *a, client *c, uint32_t *to)
{
    const bool     wide = chance(a, 128), from_memory = chance(a, 128), moves = chance(a, 100);
    const uint32_t count = moves ? 1 + below(a, 6) : wide ? 2u : 1u;
    const bool     fills = moves && !from_memory;
    a->data += !moves && (a->data & 1);
    const uint32_t first = a->data;
    uint32_t       words[6];
    for (uint32_t n = 0; n < count; n++) {
        words[n]                    = fills && n ? words[0] : (uint32_t)random_next(&a->random);
        a->written[first + n].value = words[n];
        a->written[first + n].of    = c;
        a->written[first + n].wide  = !moves && wide;
    }
    a->data += count;
    memcpy(to + 2, words, 8);
    if (from_memory) {
        a->word += !moves && (a->word & 1);
        put_address(to + 2, operand_at(a, words, count));
    }
    put_address(to + 4, DATA_BASE + 4 * (uint64_t)first);
    if (moves) {
        to[0] = TYPE3(TOTEM_OP_DMA_DATA, 6);
        to[1] = (fills ? TOTEM_DMA_SRC_DATA : below(a, 2) * 3) << 29 | (uint32_t)chance(a, 64) << 31;
        to[6] = 4 * count;
        return 7;
    }
    to[0] = TYPE3(TOTEM_OP_COPY_DATA, 5);
    to[1] = (from_memory ? 1 + below(a, 2) : TOTEM_COPY_SRC_IMMEDIATE) | TOTEM_WRITE_DST_MEMORY << 8 |
            (uint32_t)wide << 16 | 1u << 20;
    return 6;
}

// ATOMIC_MEM: adds to a word of all queues, which the witness follows, or changes a word of its own, which holds 0.
static uint32_t atomic(agent *a, client *c, uint32_t *to)
{
    const bool     wide = chance(a, 128), adds = chance(a, 160), compares = chance(a, 128), holds = chance(a, 128);
    const uint32_t operation = adds ? TOTEM_ATOMIC_ADD : compares ? TOTEM_ATOMIC_COMPARE_SWAP : TOTEM_ATOMIC_SWAP;
    uint64_t       address   = atomic_address(wide ? NARROW + below(a, ATOMICS - NARROW) : below(a, NARROW));
    to[0]                    = TYPE3(TOTEM_OP_ATOMIC_MEM, 8);
    to[1]                    = operation | (uint32_t)wide << 5 | (uint32_t)chance(a, 128) << 6 | below(a, 4) << 8;
    for (uint32_t n = 4; n < 8; n++)
        to[n] = (uint32_t)random_next(&a->random);
    to[8]     = below(a, 100);
    a->adding = a->adding || adds;
    if (!adds) {
        const bool     fails = compares && !holds;
        const uint32_t count = wide ? 2 : 1;
        a->data += wide && (a->data & 1);
        address = DATA_BASE + 4 * (uint64_t)a->data;
        if (fails && (to[1] >> 8 & 15) == TOTEM_ATOMIC_COMMAND_LOOP) // for ever
            to[1] &= ~(15u << 8);
        to[6] = fails ? 1 : 0;
        to[7] = wide ? 0 : to[7];
        for (uint32_t n = 0; n < count; n++)
            a->written[a->data + n].of = c;
        a->written[a->data].value     = fails ? 0 : to[4];
        a->written[a->data + 1].value = fails || !wide ? 0 : to[5];
        a->data += count;
    }
    put_address(to + 2, address);
    tally_count(a->tally, adds ? "atomic.add" : compares ? "atomic.compare" : "atomic.swap");
    return 9;
}

static uint32_t write_data(agent *a, client *c, uint32_t *to)
{
    const uint32_t count = 1 + below(a, 6), first = a->data;
    if (first + count + 1 > DATA_WORDS)
        return filler(a, to);
    if (chance(a, 128))
        return copy_data(a, c, to);
    to[0] = TYPE3(TOTEM_OP_WRITE_DATA, 3 + count);
    to[1] = 5u << 8 | 1u << 20;
    to[2] = DATA_BASE + 4 * first;
    to[3] = 0;
    for (uint32_t n = 0; n < count; n++) {
        to[4 + n]                   = (uint32_t)random_next(&a->random);
        a->written[first + n].value = to[4 + n];
        a->written[first + n].of    = c;
    }
    a->data += count;
    return 4 + count;
}

static uint32_t one(agent *a, client *c, uint32_t *to, bool wait);

// COND_EXEC or PRED_EXEC and a packet that it lets pass or not. What is not to be executed leaves no trace in what the
// agent expects.
static uint32_t conditional(agent *a, client *c, uint32_t *to, bool wait)
{
    const bool     by_die = chance(a, 128);
    const uint32_t word = chance(a, 128) ? 0 : 1u << below(a, 32), head = by_die ? 2 : 5, data = a->data,
                   later_count = a->later_count, last_fence = c->last_fence;
    const given_release awaited     = c->awaited;
    const size_t        fences      = c->fences_count;
    const bool          shape_known = c->shape_known, endless = c->endless;
    uint32_t            full[3];
    memcpy(full, c->full, sizeof full);
    const uint32_t skips = one(a, c, to + head, wait);
    if (word == 0) {
        for (uint32_t n = data; n < a->data; n++)
            a->written[n].of = NULL;
        a->data         = data;
        a->later_count  = later_count;
        c->fences_count = fences;
        c->last_fence   = last_fence;
        c->awaited      = awaited;
        c->shape_known  = shape_known;
        c->endless      = endless;
        memcpy(c->full, full, sizeof full);
    }
    if (by_die) {
        const uint32_t others = below(a, 256) & ~(1u << a->die);
        to[0]                 = TYPE3(TOTEM_OP_PRED_EXEC, 1);
        to[1]                 = (others | (uint32_t)(word != 0) << a->die) << 24 | skips;
        tally_count(a->tally, word ? "die.executes" : "die.skips");
        return head + skips;
    }
    to[0] = TYPE3(TOTEM_OP_COND_EXEC, 4);
    put_address(to + 1, operand(a, &word, 1));
    to[3] = 0;
    to[4] = skips;
    return head + skips;
}

static uint32_t one(agent *a, client *c, uint32_t *to, bool wait)
{
    uint32_t used = c->tasks && chance(a, 70) ? chains_draw(a, c, to) : 0;
    if (used)
        return used;
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
    case 5: return a->options.bare && chance(a, 128) ? packets_bare(a, c, to) : packets_fence(a, c, to);
    case 6:
        to[0] = TYPE3(TOTEM_OP_EVENT_WRITE, 1);
        to[1] = chance(a, 200) ? 0x407 : 0x16;
        return 2;
    case 7:
        if (wait && c->fences_count)
            return wait_for(a, c, to);
        return filler(a, to);
    case 8: return write_data(a, c, to);
    case 9: return wait_smart(a, c, to);
    case 10: return wait_timer(a, to);
    case 11: return write_priority(a, c, to);
    case 12: return wait_register(a, c, to);
    case 13: return a->options.failures || a->data + 3 > DATA_WORDS ? filler(a, to) : atomic(a, c, to);
    default: return filler(a, to);
    }
}

// A packet, some of them behind a COND_EXEC.
static uint32_t some(agent *a, client *c, uint32_t *to, bool wait)
{
    return chance(a, 20) ? conditional(a, c, to, wait) : one(a, c, to, wait);
}

uint32_t packets_draw(agent *a, client *c, uint32_t *to)
{
    return some(a, c, to, a->options.waits);
}

bool packets_buffer_room(const client *c)
{
    return c->buffer + 0x2000 < BUFFER_BASE + (uint64_t)BUFFER_STRIDE * (uint64_t)(c->number + 1);
}

// Packets of an indirect buffer in memory; returns its dwords. A chained buffer may follow.
static uint32_t buffer(agent *a, client *c, uint64_t *address)
{
    uint32_t       words[BATCH], used = 0;
    const uint32_t first = c->bad_count;
    c->batch             = words;
    c->inside            = true;
    for (uint32_t n = 1 + below(a, 4); n; n--)
        used +=
            a->options.errors && chance(a, 16) ? packets_spoil(a, c, words + used) : some(a, c, words + used, false);
    uint64_t next;
    if (chance(a, 48) && packets_buffer_room(c)) {
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
    for (uint32_t n = first; n < c->bad_count; n++)
        if (c->bad[n].batch == words) {
            c->bad[n].address = c->buffer + 4 * (uint64_t)c->bad[n].offset;
            c->bad[n].batch   = NULL;
        }
    c->buffer += 4 * (used + below(a, 5));
    return used;
}

uint32_t packets_buffer(agent *a, client *c, uint32_t *to)
{
    uint64_t       address;
    const uint32_t first = c->bad_count, size = buffer(a, c, &address);
    for (uint32_t n = first; n < c->bad_count; n++)
        c->bad[n].position = c->written + 4;
    to[0] = TYPE3(TOTEM_OP_INDIRECT_BUFFER, 3);
    put_address(to + 1, address);
    to[3] = size | 1u << 23;
    return 4;
}

// ---- malformed packets

#define CODE(name) TOTEM_ERROR_PACKET_##name

// Sizes that no packet of that kind has.
static uint32_t count_form(agent *a)
{
    static const uint8_t rows[][2] = {{TOTEM_OP_DISPATCH_DIRECT, 3}, {TOTEM_OP_DISPATCH_DIRECT, 5},
                                      {TOTEM_OP_EVENT_WRITE, 2},     {TOTEM_OP_RELEASE_MEM, 6},
                                      {TOTEM_OP_ACQUIRE_MEM, 5},     {TOTEM_OP_WAIT_REG_MEM, 5},
                                      {TOTEM_OP_WRITE_DATA, 2},      {TOTEM_OP_INDIRECT_BUFFER, 2}};
    const uint32_t       n         = below(a, sizeof rows / sizeof rows[0]);
    return TYPE3(rows[n][0], rows[n][1]);
}

// What of the registers a malformed dispatch needs, then set back to what shape() expects.
static uint32_t bad_shape(agent *a, client *c, uint32_t *to, uint8_t code, uint32_t *initiator, spoiled *b)
{
    const uint32_t none[] = {0, 0};
    uint32_t       full[] = {64, 1, 1}, used = 0;
    uint32_t       resource[] = {0, 0};
    *initiator                = 5;
    b->word                   = 0;
    switch (code) {
    case CODE(NUM_THREAD_ZERO): full[1] = 0; break;
    case CODE(NUM_THREAD_PARTIAL):
        full[0]    = 8 | 3u << 16;
        full[1]    = 8 | 9u << 16;
        full[2]    = 1 | 1u << 16;
        *initiator = 7;
        break;
    case CODE(GROUP_TOO_LARGE):
        full[0]     = 64 * (TOTEM_SLOTS + 1 > 40 ? 40 : TOTEM_SLOTS + 1);
        resource[0] = 63; // blocks of a wave - 1
        b->word     = full[0] / 64;
        break;
    default: // NO_ENGINE
        used += set_sh(a, to + used, 0x216, none, 2);
        used += set_sh(a, to + used, 0x219, none, 2);
        break;
    }
    c->shape_known = false;
    used += set_sh(a, to + used, 0x207, full, 3);
    return used + set_sh(a, to + used, 0x212, resource, 2);
}

// The malformed packet itself at b->words; returns what stands before it at `to`.
static uint32_t make_bad(agent *a, client *c, uint32_t *to, spoiled *b)
{
    const uint32_t zero = 0;
    uint32_t      *w = b->words, used = 0;
    const int      other = (c->queue + 1) % QUEUES;
    switch (b->code) {
    case CODE(HEADER_TYPE): w[0] = chance(a, 128) ? 0x00001234u : 0x40000000u; break;
    case CODE(OPCODE): w[0] = TYPE3(0x02, 1); break; // no public list names it
    case CODE(COUNT_FORM):
        w[0]      = count_form(a);
        b->dwords = (w[0] >> 16 & 0x3fff) + 2;
        break;
    case CODE(FEATURE):
        w[0]      = TYPE3(TOTEM_OP_LAUNCH_TASK, 1);
        b->dwords = 2;
        break;
    case CODE(COUNT_PAST_IB):
        w[0]      = TYPE3(TOTEM_OP_NOP, 1000 + below(a, 1000)); // more than any buffer has
        b->dwords = 1 + below(a, 3);
        break;
    case CODE(IB_SIZE_ZERO):
        w[0]      = TYPE3(TOTEM_OP_INDIRECT_BUFFER, 3);
        w[3]      = c->inside ? 1u << 20 : 0;
        b->dwords = 4;
        b->word   = w[3];
        return 0;
    case CODE(IB_NESTED):
        w[0]      = TYPE3(TOTEM_OP_INDIRECT_BUFFER, 3);
        w[1]      = BUFFER_BASE;
        w[3]      = 4;
        b->dwords = 4;
        break;
    case CODE(SH_OFFSET):
        w[0]      = TYPE3(TOTEM_OP_SET_SH_REG, 3);
        w[1]      = 0x3ff + below(a, 20);
        b->dwords = 4;
        b->word   = w[1];
        return 0;
    case CODE(RELEASE_DATA_SEL):
    case CODE(RELEASE_INT_SEL):
    case CODE(RELEASE_DESTINATION):
        w[0]      = TYPE3(TOTEM_OP_RELEASE_MEM, 7);
        w[1]      = 0x528;
        w[2]      = b->code == CODE(RELEASE_DATA_SEL)  ? (5 + below(a, 3)) << 29
                    : b->code == CODE(RELEASE_INT_SEL) ? 1u << 29 | (4 + below(a, 4)) << 24
                                                       : 1u << 29 | (2 + below(a, 2)) << 16;
        w[3]      = (uint32_t)operand(a, &zero, 1);
        w[5]      = 0xbad;
        b->dwords = 8;
        b->word   = w[2];
        return 0;
    case CODE(WAIT_FUNCTION):
    case CODE(WAIT_OPERATION):
        w[0] = TYPE3(TOTEM_OP_WAIT_REG_MEM, 6);
        w[1] = b->code == CODE(WAIT_FUNCTION) ? (chance(a, 128) ? 3u : 0u) << 6 | 1u << 4 | 7u
               : chance(a, 64)                ? 2u << 4 | 3u
                                              : (1 + below(a, 2)) << 6 | 1u << 4 | 3u;
        put_address(w + 2, operand(a, &zero, 1));
        b->dwords = 7;
        b->word   = w[1];
        return 0;
    case CODE(WRITE_DESTINATION):
        w[0]      = TYPE3(TOTEM_OP_WRITE_DATA, 4);
        w[1]      = TOTEM_WRITE_DST_GDS << 8;
        b->dwords = 5;
        b->word   = w[1];
        return 0;
    case CODE(WRITE_REGISTER):
    case CODE(PRIORITY_VALUE):
    case CODE(PRIORITY_FOREIGN):
        c->bound = c->written + BATCH;
        w[0]     = TYPE3(TOTEM_OP_WRITE_DATA, 4);
        w[1]     = TOTEM_WRITE_DST_REGISTER << 8;
        w[2]     = priority_register(c->pipe, b->code == CODE(PRIORITY_FOREIGN) ? other : c->queue);
        w[4]     = b->code == CODE(PRIORITY_VALUE) ? 16u + below(a, 1000) : 1;
        if (b->code == CODE(WRITE_REGISTER))
            w[2] += chance(a, 128) ? 1 : 0x400; // another register, another pipe
        b->dwords = 5;
        b->word   = b->code == CODE(PRIORITY_VALUE) ? w[4] : w[2];
        return 0;
    case CODE(GRID_RANGE): {
        const uint32_t grid[] = {1, chance(a, 128) ? 65536 : 1, 0x10000 + below(a, 1000)};
        b->word               = grid[1] > 65535 ? grid[1] : grid[2];
        if (chance(a, 128)) {
            w[0] = TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4);
            memcpy(w + 1, grid, sizeof grid);
            w[4]      = 5;
            b->dwords = 5;
            return 0;
        }
        w[0] = TYPE3(TOTEM_OP_DISPATCH_INDIRECT, 3);
        put_address(w + 1, operand(a, grid, 3));
        w[3]      = 5;
        b->dwords = 4;
        return 0;
    }
    case CODE(NUM_THREAD_ZERO):
    case CODE(NUM_THREAD_PARTIAL):
    case CODE(GROUP_TOO_LARGE):
    case CODE(NO_ENGINE): {
        w[0] = TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4);
        w[1] = w[2] = w[3] = 1;
        b->dwords          = 5;
        return bad_shape(a, c, to, b->code, &w[4], b);
    }
    default: // COND_SKIP: nothing that a skip could end at is ever written
        w[0] = TYPE3(TOTEM_OP_COND_EXEC, 4);
        put_address(w + 1, operand(a, &zero, 1));
        w[4]      = 0x3fff;
        b->dwords = 5;
        b->word   = w[4];
        return 0;
    }
    b->word = w[0];
    return used;
}

uint32_t packets_spoil(agent *a, client *c, uint32_t *to)
{
    static const uint8_t codes[] = {
        CODE(HEADER_TYPE),       CODE(OPCODE),         CODE(COUNT_FORM),       CODE(IB_SIZE_ZERO),
        CODE(SH_OFFSET),         CODE(WRITE_REGISTER), CODE(PRIORITY_VALUE),   CODE(WRITE_DESTINATION),
        CODE(WAIT_FUNCTION),     CODE(WAIT_OPERATION), CODE(GRID_RANGE),       CODE(PRIORITY_FOREIGN),
        CODE(COND_SKIP),         CODE(FEATURE),        CODE(RELEASE_DATA_SEL), CODE(RELEASE_INT_SEL),
        CODE(NUM_THREAD_ZERO),   CODE(NO_ENGINE),      CODE(GROUP_TOO_LARGE),  CODE(RELEASE_DESTINATION),
        CODE(NUM_THREAD_PARTIAL)};
    if (c->bad_count == SPOILED)
        return some(a, c, to, false);
    spoiled *b = &c->bad[c->bad_count++];
    memset(b, 0, sizeof *b);
    b->dwords = 1;
    b->code   = codes[below(a, sizeof codes)];
    if (c->inside && chance(a, 48))
        b->code = chance(a, 128) ? CODE(COUNT_PAST_IB) : CODE(IB_NESTED);
    if (TOTEM_TASKS && b->code == CODE(FEATURE)) // no packet needs another feature
        b->code = CODE(OPCODE);
    const bool task = c->tasks && chance(a, 90) && chains_spoil(a, c, b);
    if (b->code == CODE(PRIORITY_FOREIGN) && (c->privileged || a->open))
        b->code = CODE(PRIORITY_VALUE);
    uint32_t used = task ? 0 : make_bad(a, c, to, b);
    b->batch      = c->batch;
    b->inside     = c->inside;
    b->offset     = (uint32_t)(to + used - c->batch);
    for (uint32_t n = 0; n < b->dwords; n++)
        to[used++] = FILLER;
    if (b->code == CODE(NO_ENGINE)) {
        const uint32_t all[] = {~0u, ~0u};
        used += set_sh(a, to + used, 0x216, all, 2);
        used += set_sh(a, to + used, 0x219, all, 2);
    }
    tally_count2(a->tally, "planted", totem_error_name(b->code));
    return used;
}

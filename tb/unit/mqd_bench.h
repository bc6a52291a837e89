// SPDX-License-Identifier: Apache-2.0
//
// mqd_bench: totem_mqd alone. The bench holds the MQDs in memory, the windows and the registers, and answers every
// request as the neighbours do.

#ifndef MQD_BENCH_H
#define MQD_BENCH_H

#include "block_bench.h"

#include "totem_hqd_values.h"
#include "totem_mqd.h"
#include "totem_pm4.h"

BENCH(mqd)

enum { DWORDS = 512, WAIT = 20000 };

typedef struct {
    bench    b;
    uint64_t address; // of the MQD, in bytes; dword 0 of `memory`
    uint32_t memory[DWORDS];
    uint32_t window[TOTEM_QUEUES][64];
    uint32_t registers[TOTEM_QUEUES][128];
    uint64_t block[64];
    uint64_t load[32];      // last load word of every kind
    unsigned loads[32];     // how many came
    uint8_t  refuse;        // error of the next ACTIVE write
    unsigned activations;   // writes of ACTIVE 1
    uint8_t  reason;        // dequeue type that the word ACTIVE answers
    unsigned read_error_at; // dword whose beat fails, 0 none
    bool     write_error;   // the next acknowledge fails
    uint64_t burst[4];      // bursts asked for: address of the next beat
    unsigned beats[4];      // still to come
    unsigned asked;         // how many
    unsigned pace, slow;    // clocks between two beats; until the next one
    unsigned acks;          // still to come
    uint64_t first;         // first word of a burst
    uint32_t dwords;        // its second one
    unsigned words;         // of it
    unsigned writes;        // dwords
    unsigned bursts;
    uint64_t interrupt;
    unsigned interrupts;
    uint64_t error[2];
    unsigned errors;
    uint32_t noise; // not 0: the others that share its ports offer something now and then
} mqd_bench;

static inline void open_at(mqd_bench *t, uint64_t address)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    t->address            = address;
    t->b.hold.write_ready = t->b.hold.read_ready = t->b.hold.bank_ready = true;
    t->b.hold.events_interrupt_ready = t->b.hold.events_error_ready = true;
    t->b.i                                                          = t->b.hold;
    for (unsigned d = 0; d < DWORDS; d++)
        t->memory[d] = 0xabc00000u + d;
    t->memory[96] = t->memory[93]; // its older work has ended
    t->memory[97] = t->memory[107];
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        for (unsigned d = 0; d < 64; d++)
            t->window[q][d] = 0x10000u * q + 0x700 + d;
        t->window[q][0]  = (uint32_t)address;
        t->window[q][1]  = (uint32_t)(address >> 32);
        t->window[q][4]  = 0;
        t->window[q][21] = 0;
        for (unsigned r = 0; r < 128; r++)
            t->registers[q][r] = 0x20000u * q + 0x9000 + r;
    }
}

static inline void open_bench(mqd_bench *t)
{
    open_at(t, 0x80001000);
}

#define RULE(name) RULE_OF(mqd_bench, open_bench, t, name)

static inline uint32_t *memory_at(mqd_bench *t, uint64_t address)
{
    const uint64_t  d = (address - t->address) / 4;
    static uint32_t outside;
    return address >= t->address && d < DWORDS ? &t->memory[d] : &outside;
}

static inline void hqd(mqd_bench *t, const totem_mqd_out *o)
{
    totem_mqd_in *i = &t->b.i;
    uint32_t     *w = t->window[o->access_queue];
    if (!o->access_valid)
        return;
    i->hqd_done = true;
    switch (o->access_kind) {
    case 0: i->hqd_rdata = w[o->access_dword]; break;
    case 1:
        w[o->access_dword] = (uint32_t)o->access_data;
        if (o->access_dword == 2 && (o->access_data & 1)) {
            t->activations++;
            i->hqd_error                           = t->refuse;
            i->hqd_rdata                           = 0x5151;
            t->b.hold.hqd_request[o->access_queue] = t->refuse ? 2 : 1;
            t->b.hold.hqd_active[o->access_queue]  = !t->refuse;
        }
        break;
    default:
        assert_int_equal(o->access_kind, 2);
        assert_true(o->access_dword <= LOAD_MOVED);
        t->load[o->access_dword] = o->access_data;
        t->loads[o->access_dword]++;
        if (o->access_dword == LOAD_MOVED)
            t->b.hold.hqd_request[o->access_queue] = 0;
        if (o->access_dword == LOAD_ACTIVE) {
            t->b.hold.hqd_request[o->access_queue] = 0;
            t->b.hold.hqd_active[o->access_queue]  = o->access_data & 1;
            i->hqd_rdata                           = t->reason;
        }
        break;
    }
}

static inline void clock_edge(mqd_bench *t)
{
    const totem_mqd_out o = t->b.o;
    totem_mqd_in       *i = &t->b.i;

    if (t->noise != 0) {
        t->noise                 = t->noise * 1664525u + 1013904223u;
        i->record_write_valid    = t->noise >> 31 & (t->words == 0);
        i->fence_interrupt_valid = t->noise >> 30 & 1;
        i->record_error_valid    = t->noise >> 29 & 1;
        i->poll_error_valid      = t->noise >> 28 & 1;
        i->poll_error_second     = t->noise >> 27 & 1;
        i->write_ack             = t->noise >> 26 & 1; // record's
        i->ack_error             = t->noise >> 24 & 3;
        i->ack_tag               = (uint8_t)((t->noise >> 18 & 63) | 1);
    }
    hqd(t, &o);
    bool answer = false;
    if (o.bank_valid && i->bank_ready) {
        uint32_t *r = &t->registers[o.bank_queue][o.bank_offset];
        if (o.bank_write)
            *r = o.bank_data;
        else
            answer = true;
        t->b.hold.register_ram_read_data = *r;
    }
    if (t->asked != 0 && t->slow != 0)
        t->slow--;
    else if (t->asked != 0) {
        const uint64_t at = t->burst[0];
        const unsigned d  = (unsigned)((at - t->address) / 4);
        i->data_valid     = true;
        i->data_word      = *memory_at(t, at) | (uint64_t)*memory_at(t, at + 4) << 32;
        i->data_error     = t->read_error_at != 0 && (d == t->read_error_at || d + 1 == t->read_error_at) ? 2 : 0;
        i->data_last      = --t->beats[0] == 0;
        t->burst[0] += 8;
        t->slow = t->pace;
        if (i->data_last) {
            t->asked--;
            memmove(t->burst, t->burst + 1, sizeof t->burst - sizeof *t->burst);
            memmove(t->beats, t->beats + 1, sizeof t->beats - sizeof *t->beats);
        }
    }
    if (o.read_valid && i->read_ready) {
        assert_int_equal(o.read_addr / 128, (o.read_addr + o.read_beats * 8 - 1) / 128);
        assert_true(t->asked < 4);
        t->burst[t->asked]   = o.read_addr;
        t->beats[t->asked++] = o.read_beats;
    }
    if (t->acks != 0) {
        t->acks--;
        i->write_ack   = true;
        i->ack_error   = t->write_error ? 1 : 0;
        i->ack_tag     = 0;
        t->write_error = false;
    }
    if (o.write_valid && i->write_ready && !i->record_write_valid) {
        if (t->words == 0) {
            t->first = o.write_word;
            assert_int_equal(t->first >> 40, 0x80ff);
            assert_int_equal(t->first % 128, 0);
        } else if (t->words == 1) {
            t->dwords = (uint32_t)o.write_word;
        } else {
            const uint64_t to = (t->first & 0xffffffffffull) + 8 * (t->words - 2);
            for (unsigned half = 0; half < 2; half++, t->dwords >>= 1)
                if (t->dwords & 1) {
                    *memory_at(t, to + 4 * half) = (uint32_t)(o.write_word >> 32 * half);
                    t->writes++;
                }
        }
        t->words = (t->words + 1) % 18;
        t->acks += t->words == 0;
        t->bursts += t->words == 0;
    }
    if (o.interrupt_valid && i->events_interrupt_ready && !i->fence_interrupt_valid) {
        t->interrupt = o.interrupt_word;
        t->interrupts++;
    }
    if (o.error_valid && i->events_error_ready && !i->record_error_valid &&
        !(i->poll_error_valid && i->poll_error_second))
        t->error[t->errors++ & 1] = o.error_word;
    if (o.ram_write_enable)
        t->block[o.ram_write_addr] = o.ram_write_data;
    const uint64_t read = o.ram_read_enable ? t->block[o.ram_read_addr] : t->b.hold.ram_read_data;

    // The word ACTIVE and the write of ACTIVE change the request behind this clock edge.
    tick(&t->b);
    t->b.hold.ram_read_data = t->b.i.ram_read_data = read;
    t->b.i.bank_answer                             = answer;
}

static inline void clocks(mqd_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

// Clocks until no job is under way.
static inline unsigned rest(mqd_bench *t)
{
    unsigned clocks = 0;
    for (; t->b.o.busy; clock_edge(t))
        assert_true(++clocks < WAIT);
    return clocks;
}

static inline unsigned run(mqd_bench *t, uint8_t queue, uint8_t job)
{
    LEVEL(&t->b, hqd_request[queue], job);
    clock_edge(t);
    return rest(t);
}

// The registers of a queue are those of the MQD, and no other has been written.
static inline void registers_are_loaded(const mqd_bench *t, uint8_t queue)
{
    for (unsigned r = 0; r < 83; r++)
        assert_int_equal(t->registers[queue][r], 0xabc00001u + r);
    assert_int_equal(t->registers[queue][83], 0x20000u * queue + 0x9000 + 83);
}

static inline void registers_are_saved(const mqd_bench *t, uint8_t queue)
{
    assert_memory_equal(&t->memory[1], t->registers[queue], 83 * sizeof t->memory[1]);
}

// So many messages and interrupts so far.
static inline void told(const mqd_bench *t, unsigned errors, unsigned interrupts)
{
    assert_int_equal(t->errors, errors);
    assert_int_equal(t->interrupts, interrupts);
}

// The last message.
static inline void error_is(const mqd_bench *t, unsigned code, uint64_t address, uint32_t word)
{
    assert_int_equal(t->error[0], (uint64_t)code << 56 | address);
    assert_int_equal(t->error[1], word);
}

// The last word ACTIVE, of so many.
static inline void active_is(const mqd_bench *t, unsigned count, uint64_t data)
{
    assert_int_equal(t->loads[LOAD_ACTIVE], count);
    assert_int_equal(t->load[LOAD_ACTIVE], data);
}

static const uint64_t addresses[] = {0x80001000, 0x80001004, 0xd23456787c, 0xffffffe00};

#endif

// SPDX-License-Identifier: Apache-2.0
//
// packet_bench: totem_packet alone. The bench offers dwords as fast as they are taken; clock 0 is the one in which the
// first of them is offered, so a header is looked at in clock 2 and body dword k taken in clock 2 + k.

#ifndef PACKET_BENCH_H
#define PACKET_BENCH_H

#include "block_bench.h"

#include "totem_load.h"
#include "totem_packet.h"
#include "totem_phases.h"

BENCH(packet)

#define PACKET_PHASE(name, number) PACKET_##name = (number)
enum { TOTEM_PACKET_PHASES(PACKET_PHASE) };

enum {
    QUEUE             = 2,
    LAST              = TOTEM_QUEUES - 1,
    NOP               = 0x10,
    CLEAR_STATE       = 0x12,
    DISPATCH          = 0x15,
    DISPATCH_INDIRECT = 0x16,
    COND_EXEC         = 0x22,
    WRITE_DATA        = 0x37,
    WAIT_REG_MEM      = 0x3c,
    INDIRECT_BUFFER   = 0x3f,
    EVENT_WRITE       = 0x46,
    RELEASE_MEM       = 0x49,
    ACQUIRE_MEM       = 0x58,
    SET_SH_REG        = 0x76,
    LAUNCH_TASK       = 0xfc,
    WAIT_TIMER        = 0xfd,
    PARTIAL_FLUSH     = 7,
};

#define POSITION 0xab12345678u
#define FAULT_POSITION 0xcd9abcdef4u
#define HEADER(op, body) (0xc0000000u | (uint32_t)((body)-1) << 16 | (uint32_t)(op) << 8)

typedef struct {
    bench           b;
    const uint32_t *words;
    unsigned        left;  // words not yet taken
    uint8_t         error; // comes with the last of them
    unsigned        now;
} packet_bench;

static inline void clock_edge(packet_bench *t)
{
    t->b.i.fetch_dword_valid = t->left != 0;
    t->b.i.fetch_dword_data  = t->left != 0 ? *t->words : 0xdeadbeef;
    t->b.i.fetch_dword_error = t->left == 1 ? t->error : 0;
    if (t->left != 0 && t->b.o.dword_ready) {
        t->words++;
        t->left--;
    }
    tick(&t->b);
    t->now++;
    assert_true(totem_packet_invariant(&t->b.s));
}

static inline void to_clock(packet_bench *t, unsigned clock)
{
    assert_true(t->now <= clock);
    while (t->now < clock)
        clock_edge(t);
}

static inline void go(packet_bench *t)
{
    t->left                 = 0;
    t->b.i.arbiter_go       = true;
    t->b.i.arbiter_selected = QUEUE;
    clock_edge(t);
    t->now = 0;
}

static inline void open_bench(packet_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    totem_packet_in *hold      = &t->b.hold;
    hold->fetch_available      = 100000;
    hold->fetch_position       = POSITION;
    hold->fetch_fault_position = FAULT_POSITION;
    hold->bank_loaded          = true;
    hold->bank_threads         = 64;
    hold->bank_vgprs           = 1;
    hold->poll_packet_answer   = true;
    hold->fence_ready = hold->poll_read_ready = hold->write_ready = hold->events_error_ready = true;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        hold->arbiter_active[q] = true;
        hold->fence_room[q]     = true;
        hold->fence_epoch[q]    = (uint8_t)(q % TOTEM_EPOCHS);
    }
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        hold->bank_engines[n] = true;
    t->b.i = t->b.hold;
    go(t);
}

// The words stay the caller's until they are taken.
static inline void offer(packet_bench *t, const uint32_t *words, unsigned count)
{
    t->words = words;
    t->left  = count;
    t->now   = 0;
}

// Nothing is executed, committed or asked of a neighbour before the clock.
static inline void quiet_until(packet_bench *t, unsigned clock)
{
    for (; t->now < clock; clock_edge(t)) {
        const totem_packet_out *o = &t->b.o;
        if (o->commit || o->executed || o->ignored || o->open || o->left || o->error_valid || o->start || o->stop ||
            o->wait_valid || o->priority_write || o->fence_valid || o->fence_close || o->poll_valid || o->bank_save)
            fail_msg("something happens in clock %u, before %u", t->now, clock);
    }
}

static inline void committed(packet_bench *t, unsigned count, bool ignored)
{
    assert_true(t->b.o.commit && t->b.o.executed);
    assert_int_equal(t->b.o.commit_count, count);
    assert_int_equal(t->b.o.ignored, ignored);
}

// The record goes out, the queue is halted and leaves, nothing is committed.
static inline void halts_with(packet_bench *t, unsigned clock, uint64_t address, uint8_t code, uint32_t word)
{
    quiet_until(t, clock);
    assert_true(t->b.o.error_valid);
    assert_int_equal(t->b.o.error_word, address | (uint64_t)QUEUE << 48 | (uint64_t)code << 56);
    assert_false(t->b.o.commit || t->b.o.executed);
    clock_edge(t);
    assert_true(t->b.o.error_valid);
    assert_int_equal(t->b.o.error_word, word);
    assert_false(t->b.o.halted[QUEUE]);
    clock_edge(t);
    assert_true(t->b.o.left && t->b.o.halted[QUEUE]);
    assert_false(t->b.o.error_valid || t->b.o.commit);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        assert_true(q == QUEUE || !t->b.o.halted[q]);
    clock_edge(t);
    assert_false(t->b.o.left);
    assert_int_equal(t->b.s.phase, PACKET_IDLE);
}

static inline void poll_of(packet_bench *t, const uint32_t *words)
{
    open_bench(t);
    offer(t, words, 7);
    quiet_until(t, 10);
}

#endif

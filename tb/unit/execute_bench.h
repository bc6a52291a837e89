// SPDX-License-Identifier: Apache-2.0
//
// execute_bench: totem_execute behind its totem_decode. The bench offers dwords as fast as they are taken; clock 0 is
// the one in which the first of them is offered, so a header is looked at in clock 2 and body dword k taken in 2 + k.
// What decode alone does: test_decode.c.

#ifndef EXECUTE_BENCH_H
#define EXECUTE_BENCH_H

#include "block_bench.h"
#include "tests.h"

#include "totem_bank_values.h"
#include "totem_decode.h"
#include "totem_execute.h"
#include "totem_hqd_values.h"
#include "totem_pm4.h"

// Both blocks: `i` and `o` are those of execute; decode sees the inputs that both have from there.
typedef struct {
    totem_execute     s;
    totem_execute_in  i, hold;
    totem_execute_out o;
    totem_decode      d;
    totem_decode_in   di;
    totem_decode_out  d_o;
} bench;

static inline void show(bench *b)
{
    totem_execute_outputs(&b->s, &b->o);
    totem_decode_outputs(&b->d, &b->d_o);
}

static inline void fresh(bench *b)
{
    memset(b, 0, sizeof *b);
    totem_execute_reset(&b->s);
    totem_decode_reset(&b->d);
    show(b);
}

static inline void tick(bench *b)
{
    b->di.arbiter_leave   = b->i.arbiter_leave;
    b->di.fetch_available = b->i.fetch_available;
    b->di.fetch_in_buffer = b->i.fetch_in_buffer;
    b->di.bank_loaded     = b->i.bank_loaded;
    b->di.execute_ready   = b->o.ready;
    b->di.execute_skip    = b->o.skip;
    b->di.execute_drop    = b->o.drop;
    b->di.execute_left    = b->o.left;

    b->di.execute_group        = b->o.group;
    b->di.execute_deferred     = b->o.deferred;
    b->di.graphics             = b->i.graphics;
    b->i.decode_writes_context = b->d_o.writes_context;

    b->i.decode_boundary = b->d_o.boundary;
    b->i.decode_stream   = b->d_o.stream;
    b->i.decode_valid    = b->d_o.valid;
    b->i.decode_kind     = b->d_o.kind;
    b->i.decode_last     = b->d_o.last;
    b->i.decode_unread   = b->d_o.unread;
    b->i.decode_code     = b->d_o.code;
    b->i.decode_header   = b->d_o.header;
    b->i.decode_length   = b->d_o.length;
    b->i.decode_counted  = b->d_o.counted;
    b->i.decode_control  = b->d_o.control;
    b->i.decode_address  = b->d_o.address;
    b->i.decode_data     = b->d_o.data;
    b->i.decode_extra    = b->d_o.extra;
    b->i.decode_second   = b->d_o.second;
    totem_execute_step(&b->s, &b->i);
    totem_decode_step(&b->d, &b->di);
    b->i = b->hold;
    show(b);
}

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
} execute_bench;

static inline void clock_edge(execute_bench *t)
{
    t->b.di.fetch_dword_valid = t->left != 0;
    t->b.di.fetch_dword_data  = t->left != 0 ? *t->words : 0xdeadbeef;
    t->b.di.fetch_dword_error = t->left == 1 ? t->error : 0;
    if (t->left != 0 && t->b.d_o.dword_ready) {
        t->words++;
        t->left--;
    }
    tick(&t->b);
    t->now++;
    assert_true(totem_decode_invariant(&t->b.d));
}

static inline void to_clock(execute_bench *t, unsigned clock)
{
    assert_true(t->now <= clock);
    while (t->now < clock)
        clock_edge(t);
}

static inline void go(execute_bench *t)
{
    t->left                 = 0;
    t->b.i.arbiter_go       = true;
    t->b.i.arbiter_selected = QUEUE;
    clock_edge(t);
    t->now = 0;
}

static inline void open_bench(execute_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    totem_execute_in *hold     = &t->b.hold;
    hold->fetch_available      = 100000;
    hold->fetch_position       = POSITION;
    hold->fetch_fault_position = FAULT_POSITION;
    hold->bank_loaded          = true;
    hold->bank_threads         = 64;
    hold->bank_vgprs           = 1;
    hold->poll_packet_answer   = true;
    hold->service_room         = true;
    hold->service_still        = true;
    hold->fence_packet_ready = hold->poll_packet_read_ready = hold->write_ready = hold->events_packet_error_ready =
        true;
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
static inline void offer(execute_bench *t, const uint32_t *words, unsigned count)
{
    t->words = words;
    t->left  = count;
    t->now   = 0;
}

static inline void begin(execute_bench *t, const uint32_t *words, unsigned count)
{
    open_bench(t);
    offer(t, words, count);
}

// Nothing is executed, committed or asked of a neighbour before the clock.
static inline void quiet_until(execute_bench *t, unsigned clock)
{
    for (; t->now < clock; clock_edge(t)) {
        const totem_execute_out *o = &t->b.o;
        if (o->commit || o->executed || o->ignored || o->open || o->left || o->error_valid || o->start || o->stop ||
            o->wait_valid || o->priority_write || o->fence_valid || o->fence_close || o->poll_valid || o->bank_save)
            fail_msg("something happens in clock %u, before %u", t->now, clock);
    }
}

static inline void committed(execute_bench *t, unsigned count, bool ignored)
{
    assert_true(t->b.o.commit && t->b.o.executed);
    assert_int_equal(t->b.o.commit_count, count);
    assert_int_equal(t->b.o.ignored, ignored);
}

static inline void commits_in(execute_bench *t, unsigned clock, unsigned count)
{
    quiet_until(t, clock);
    committed(t, count, false);
}

// A grid starts, at most `most` clocks from now.
static inline void starts_within(execute_bench *t, unsigned most)
{
    for (unsigned n = 0; !t->b.o.start; n++, clock_edge(t))
        assert_true(n < most);
}

// The grid that starts in this clock comes to its end; its packet of so many dwords is committed.
static inline void walks(execute_bench *t, unsigned count)
{
    assert_true(t->b.o.start);
    clock_edge(t);
    LEVEL(&t->b, walker_busy, true);
    quiet_until(t, t->now + 20);
    LEVEL(&t->b, walker_busy, false);
    clock_edge(t);
    committed(t, count, false);
}

// The record goes out, the queue is halted and leaves, nothing is committed.
static inline void halts_with(execute_bench *t, unsigned clock, uint64_t address, uint8_t code, uint32_t word)
{
    quiet_until(t, clock);
    assert_true(t->b.o.error_valid);
    assert_int_equal(t->b.o.error_word, address | (uint64_t)QUEUE << 48 | (uint64_t)code << 56);
    assert_false(t->b.o.commit || t->b.o.executed || t->b.o.bank_write);
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
    assert_int_equal(t->b.s.phase, EXECUTE_IDLE);
}

// The read of a dword at the address is asked for within 5 clocks, and answered in the clock behind.
static inline void answer_read(execute_bench *t, uint64_t address, uint32_t value, uint8_t error)
{
    const bool upper = (address & 4) != 0;
    for (unsigned n = 0; !t->b.o.poll_valid; n++, clock_edge(t))
        assert_true(n < 5);
    assert_int_equal(t->b.o.poll_addr, address & ~7ull);
    clock_edge(t);
    assert_false(t->b.o.poll_valid);
    t->b.i.poll_data_valid = true;
    t->b.i.data_word       = upper ? (uint64_t)value << 32 | 0x11111111 : 0x1111111100000000 | value;
    t->b.i.data_error      = error;
    clock_edge(t);
}

#endif

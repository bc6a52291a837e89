// SPDX-License-Identifier: Apache-2.0
//
// fence_bench: the blocks of area fence, joined as in the machine (flight, intake, epoch, settle, failure, fence). `b.s`
// and `b.o` have a member for each of them, `b.i` what comes from outside. The bench holds the entry RAM and answers writes
// when the test says so.

#ifndef FENCE_BENCH_H
#define FENCE_BENCH_H

#include "block_bench.h"

#include "totem_settle.h"
#include "totem_epoch.h"
#include "totem_failure.h"
#include "totem_fence.h"
#include "totem_flight.h"
#include "totem_intake.h"
#include "totem_load.h"
#include "totem_phases.h"

typedef struct {
    totem_flight  flight;
    totem_intake  intake;
    totem_epoch   epoch;
    totem_failure failure;
    totem_fence   fence;
} states;

typedef struct {
    totem_flight_out  flight;
    totem_intake_out  intake;
    totem_epoch_out   epoch;
    totem_settle_out   settle;
    totem_failure_out failure;
    totem_fence_out   fence;
} outs;

// From outside, names as in the contracts.
typedef struct {
    uint8_t  arbiter_selected;
    bool     packet_fence_close, packet_fence_valid, packet_fence_write;
    uint64_t packet_fence_word;
    bool     record_fence_valid;
    uint64_t record_fence_word;
    uint8_t  record_fence_queue;
    bool     kill_abandon[TOTEM_QUEUES];
    bool     load_valid;
    uint8_t  load_queue, load_kind;
    uint64_t load_data;
    bool     grant_valid[TOTEM_SE_COUNT];
    uint8_t  grant_waves[TOTEM_SE_COUNT], grant_queue[TOTEM_SE_COUNT], grant_epoch[TOTEM_SE_COUNT];
    bool     complete_valid[TOTEM_SE_COUNT];
    uint8_t  complete_queue[TOTEM_SE_COUNT], complete_epoch[TOTEM_SE_COUNT];
    bool     write_ready, fence_write_ack, packet_write_ack;
    uint8_t  ack_tag, ack_error;
    uint64_t ack_addr;
    bool     events_interrupt_ready, events_error_ready;
    uint64_t clock, ram_read_data;
} ins;

typedef struct {
    states s;
    ins    i, hold;
    outs   o;
} bench;

#define COPY(to, from, field) memcpy(&(to).field, &(from).field, sizeof (to).field)
#define FROM(to, block, field) memcpy(&(to).block##_##field, &b->o.block.field, sizeof (to).block##_##field)

static void show(bench *b)
{
    totem_settle_in d;
    memset(&d, 0, sizeof d);
    totem_flight_outputs(&b->s.flight, &b->o.flight);
    totem_intake_outputs(&b->s.intake, &b->o.intake);
    totem_epoch_outputs(&b->s.epoch, &b->o.epoch);
    totem_failure_outputs(&b->s.failure, &b->o.failure);
    totem_fence_outputs(&b->s.fence, &b->o.fence);
    FROM(d, flight, empty);
    FROM(d, intake, storing);
    FROM(d, epoch, current);
    FROM(d, epoch, oldest);
    FROM(d, epoch, flushed);
    FROM(d, epoch, single);
    FROM(d, epoch, earlier);
    FROM(d, epoch, mapped);
    FROM(d, epoch, reserved);
    FROM(d, epoch, present);
    FROM(d, epoch, abandoned);
    FROM(d, failure, valid);
    FROM(d, failure, waits);
    FROM(d, fence, free);
    FROM(d, fence, telling);
    FROM(d, fence, away);
    COPY(d, b->i, kill_abandon);
    COPY(d, b->i, record_fence_valid);
    COPY(d, b->i, record_fence_queue);
    totem_settle_outputs(&d, &b->o.settle);
}

static void fresh(bench *b)
{
    memset(b, 0, sizeof *b);
    totem_flight_reset(&b->s.flight);
    totem_intake_reset(&b->s.intake);
    totem_epoch_reset(&b->s.epoch);
    totem_failure_reset(&b->s.failure);
    totem_fence_reset(&b->s.fence);
    show(b);
}

static void step_flight(bench *b)
{
    totem_flight_in n;
    memset(&n, 0, sizeof n);
    COPY(n, b->i, packet_fence_write);
    COPY(n, b->i, arbiter_selected);
    FROM(n, epoch, current);
    FROM(n, epoch, reserved);
    COPY(n, b->i, grant_valid);
    COPY(n, b->i, grant_waves);
    COPY(n, b->i, grant_queue);
    COPY(n, b->i, grant_epoch);
    COPY(n, b->i, complete_valid);
    COPY(n, b->i, complete_queue);
    COPY(n, b->i, complete_epoch);
    COPY(n, b->i, packet_write_ack);
    COPY(n, b->i, ack_tag);
    totem_flight_step(&b->s.flight, &n);
}

static void step_intake(bench *b)
{
    totem_intake_in n;
    memset(&n, 0, sizeof n);
    COPY(n, b->i, packet_fence_valid);
    COPY(n, b->i, packet_fence_word);
    COPY(n, b->i, arbiter_selected);
    COPY(n, b->i, record_fence_valid);
    COPY(n, b->i, record_fence_word);
    COPY(n, b->i, record_fence_queue);
    FROM(n, epoch, current);
    totem_intake_step(&b->s.intake, &n);
}

static void step_epoch(bench *b)
{
    totem_epoch_in n;
    memset(&n, 0, sizeof n);
    COPY(n, b->i, packet_fence_close);
    COPY(n, b->i, arbiter_selected);
    FROM(n, intake, close);
    FROM(n, intake, close_queue);
    FROM(n, intake, close_pair);
    FROM(n, flight, empty);
    FROM(n, settle, drop_valid);
    FROM(n, settle, drop_queue);
    FROM(n, fence, done);
    FROM(n, fence, serve);
    COPY(n, b->i, load_valid);
    COPY(n, b->i, load_queue);
    COPY(n, b->i, load_kind);
    COPY(n, b->i, load_data);
    totem_epoch_step(&b->s.epoch, &n);
}

static void step_failure(bench *b)
{
    totem_failure_in n;
    memset(&n, 0, sizeof n);
    COPY(n, b->i, packet_fence_write);
    COPY(n, b->i, fence_write_ack);
    COPY(n, b->i, packet_write_ack);
    COPY(n, b->i, ack_tag);
    COPY(n, b->i, ack_error);
    COPY(n, b->i, ack_addr);
    FROM(n, epoch, present);
    FROM(n, fence, free);
    totem_failure_step(&b->s.failure, &n);
}

static void step_fence(bench *b)
{
    totem_fence_in n;
    memset(&n, 0, sizeof n);
    FROM(n, epoch, oldest);
    FROM(n, epoch, message);
    FROM(n, epoch, pair);
    FROM(n, epoch, earlier);
    FROM(n, epoch, dropped);
    FROM(n, settle, over);
    FROM(n, settle, drop_valid);
    FROM(n, settle, drop_queue);
    FROM(n, failure, valid);
    FROM(n, failure, slot);
    FROM(n, failure, code);
    FROM(n, failure, addr);
    COPY(n, b->i, load_valid);
    COPY(n, b->i, load_queue);
    COPY(n, b->i, load_kind);
    COPY(n, b->i, load_data);
    COPY(n, b->i, ram_read_data);
    COPY(n, b->i, write_ready);
    n.write_ack = b->i.fence_write_ack;
    COPY(n, b->i, ack_tag);
    COPY(n, b->i, ack_error);
    COPY(n, b->i, events_interrupt_ready);
    COPY(n, b->i, events_error_ready);
    COPY(n, b->i, clock);
    totem_fence_step(&b->s.fence, &n);
}

#define FENCE_PHASE(name, number) FENCE_##name = (number)
enum { TOTEM_FENCE_PHASES(FENCE_PHASE) };

enum { WORDS = TOTEM_QUEUES * TOTEM_EPOCHS * 4 };

typedef struct {
    bench    b;
    uint64_t ram[WORDS];
} entry_bench;

static inline void open_bench(entry_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    t->b.hold.write_ready = t->b.hold.events_interrupt_ready = t->b.hold.events_error_ready = true;
    t->b.i                                                                    = t->b.hold;
}

static inline void clock_edge(entry_bench *t)
{
    bench *b = &t->b;
    show(b); // with the inputs of this clock
    if (b->o.fence.ram_read_enable)
        b->hold.ram_read_data = t->ram[b->o.fence.ram_read_addr];
    if (b->o.intake.ram_write_enable)
        t->ram[b->o.intake.ram_write_addr] = b->o.intake.ram_write_data;
    step_flight(b);
    step_intake(b);
    step_epoch(b);
    step_failure(b);
    step_fence(b);
    b->i = b->hold;
    show(b);
}

static inline void clocks(entry_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static inline unsigned until(entry_bench *t, const bool *condition)
{
    unsigned n = 0;
    while (!*condition) {
        assert_true(n++ < 100);
        clock_edge(t);
    }
    return n;
}

static inline void grant(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t waves)
{
    t->b.i.grant_valid[0] = true;
    t->b.i.grant_waves[0] = waves;
    t->b.i.grant_queue[0] = queue;
    t->b.i.grant_epoch[0] = epoch;
}

static inline void complete(entry_bench *t, uint8_t queue, uint8_t epoch)
{
    t->b.i.complete_valid[0] = true;
    t->b.i.complete_queue[0] = queue;
    t->b.i.complete_epoch[0] = epoch;
}

static inline void close_epoch(entry_bench *t, uint8_t queue)
{
    t->b.i.arbiter_selected = queue;
    t->b.i.packet_fence_close = true;
}

static inline void load(entry_bench *t, uint8_t queue, bool active)
{
    LOAD_WORD(&t->b, queue, LOAD_ACTIVE, active);
    clock_edge(t);
}

static inline void packet_write(entry_bench *t, uint8_t queue)
{
    t->b.i.packet_fence_write = true;
    t->b.i.arbiter_selected = queue;
    clock_edge(t);
}

static inline void packet_answer(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t error, uint64_t address)
{
    t->b.i.packet_write_ack = true;
    t->b.i.ack_tag    = (uint8_t)(epoch << 3 | queue);
    t->b.i.ack_error  = error;
    t->b.i.ack_addr   = address;
    clock_edge(t);
}

static inline void fence_answer(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t error)
{
    t->b.i.fence_write_ack = true;
    t->b.i.ack_tag   = (uint8_t)(epoch << 3 | queue);
    t->b.i.ack_error = error;
    clock_edge(t);
}

static inline void message(entry_bench *t, uint8_t queue, uint64_t address, unsigned data_sel, unsigned int_sel,
                           uint64_t data, uint32_t ctxid)
{
    const uint64_t words[3] = {address | (uint64_t)data_sel << 40 | (uint64_t)int_sel << 43, data, ctxid};
    for (unsigned n = 0; n < 3; n++) {
        assert_true(t->b.o.intake.packet_ready);
        t->b.i.arbiter_selected = queue;
        t->b.i.packet_fence_valid = true;
        t->b.i.packet_fence_word  = words[n];
        clock_edge(t);
        if (n == 1)
            clock_edge(t); // other clocks may lie between
    }
    t->b.i.arbiter_selected = queue;
    clock_edge(t); // stored, closed
}

// A pair of record's, from its first word to its epoch closed.
static inline void pair(entry_bench *t, uint8_t queue, uint64_t address, uint64_t data)
{
    const uint64_t words[3] = {address | 2ull << 40, data, 0};
    LEVEL(&t->b, record_fence_valid, true);
    LEVEL(&t->b, record_fence_queue, queue);
    LEVEL(&t->b, record_fence_word, words[0]);
    until(t, &t->b.o.intake.record_ready);
    for (unsigned n = 0; n < 3; n++) {
        LEVEL(&t->b, record_fence_word, words[n]);
        assert_true(t->b.o.intake.record_ready);
        clock_edge(t);
        assert_false(t->b.o.settle.idle[queue]); // also while the last word is on its way
    }
    LEVEL(&t->b, record_fence_valid, false);
    clocks(t, 2);
}

// Slot 1 is mapped, and waves are granted in its epoch.
static inline void mapped_with(entry_bench *t, uint8_t waves)
{
    load(t, 1, true);
    grant(t, 1, t->b.o.epoch.current[1], waves);
    clock_edge(t);
}

// What slot 1 has in flight is given up.
static inline void give_up(entry_bench *t)
{
    LEVEL(&t->b, kill_abandon[1], true);
    until(t, &t->b.o.epoch.abandoned[1]);
    LEVEL(&t->b, kill_abandon[1], false);
}

// Its waves of that epoch end, and the fence or pair behind them is written.
static inline void completes(entry_bench *t, uint8_t epoch, uint64_t place)
{
    complete(t, 1, epoch);
    clock_edge(t);
    until(t, &t->b.o.fence.write_valid);
    assert_int_equal(t->b.o.fence.write_word & 0xffff, place);
}

#endif

// SPDX-License-Identifier: Apache-2.0
//
// fence_bench: the blocks of area fence (flight, intake, epoch, slot_idle, failure, fence), joined by the wiring of the
// machine. `b.s` has their states, `b.o` what they show, `b.i` what comes from outside. The bench holds the entry RAM
// and answers writes when the test says so.

#ifndef FENCE_BENCH_H
#define FENCE_BENCH_H

#include "block_bench.h"
#include "tests.h"

#include "totem_fence_values.h"
#include "totem_hqd_values.h"
#include "totem_machine.h"

typedef struct {
    totem_flight  flight;
    totem_intake  intake;
    totem_epoch   epoch;
    totem_failure failure;
    totem_fence   fence;
} states;

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
    states            s;
    ins               i, hold;
    totem_machine_out machine; // of the neighbours what the test says, else 0
    totem_front_out  *o;       // the front end of the machine that has the blocks
} bench;

// The outputs of the neighbours.
static void show_neighbours(bench *b)
{
    const ins    *i           = &b->i;
    totem_fe_out *fe          = &b->machine.fe[0];
    b->o->arbiter.selected    = i->arbiter_selected;
    b->o->execute.fence_close = i->packet_fence_close;
    b->o->execute.fence_valid = i->packet_fence_valid;
    b->o->execute.fence_write = i->packet_fence_write;
    b->o->execute.fence_word  = i->packet_fence_word;
    b->o->record.fence_valid  = i->record_fence_valid;
    b->o->record.fence_word   = i->record_fence_word;
    b->o->record.fence_queue  = i->record_fence_queue;
    b->o->hqd.load_valid      = i->load_valid;
    b->o->hqd.load_queue      = i->load_queue;
    b->o->hqd.load_kind       = i->load_kind;
    b->o->hqd.load_data       = i->load_data;
    b->o->entry_ram.read_data = i->ram_read_data;
    memcpy(b->o->kill.abandon, i->kill_abandon, sizeof i->kill_abandon);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        fe->grant_of_pipe[0].mine[e]           = i->grant_valid[e];
        b->machine.se[e].issue.grant_waves     = i->grant_waves[e];
        b->machine.se[e].issue.grant_queue     = i->grant_queue[e];
        b->machine.se[e].issue.grant_epoch     = i->grant_epoch[e];
        fe->complete_of_pipe[0].mine[e]        = i->complete_valid[e];
        b->machine.se[e].retire.complete_queue = i->complete_queue[e];
        b->machine.se[e].retire.complete_epoch = i->complete_epoch[e];
    }
    fe->fence_write_ack[0].mine[0]   = i->fence_write_ack;
    fe->execute_write_ack[0].mine[0] = i->packet_write_ack;
    fe->memory.ack_tag               = i->ack_tag;
    fe->memory.ack_error             = i->ack_error;
    fe->memory.ack_addr              = i->ack_addr;
    memset(fe->memory.write_ready, i->write_ready, sizeof fe->memory.write_ready);
    b->machine.events.interrupt_ready[0]   = i->events_interrupt_ready;
    b->machine.events.fence_error_ready[0] = i->events_error_ready;
    b->machine.host.clock                  = i->clock;
}

static void show(bench *b)
{
    totem_slot_idle_in slot_idle;
    show_neighbours(b);
    totem_flight_outputs(&b->s.flight, &b->o->flight);
    totem_intake_outputs(&b->s.intake, &b->o->intake);
    totem_epoch_outputs(&b->s.epoch, &b->o->epoch);
    totem_failure_outputs(&b->s.failure, &b->o->failure);
    totem_fence_outputs(&b->s.fence, &b->o->fence);
    totem_wire_slot_idle(&b->machine, NULL, 0, 0, &slot_idle);
    totem_slot_idle_outputs(&slot_idle, &b->o->slot_idle);
}

static void fresh(bench *b)
{
    memset(b, 0, sizeof *b);
    b->o = &b->machine.fe[0].pipe[0].front;
    totem_flight_reset(&b->s.flight);
    totem_intake_reset(&b->s.intake);
    totem_epoch_reset(&b->s.epoch);
    totem_failure_reset(&b->s.failure);
    totem_fence_reset(&b->s.fence);
    show(b);
}

static void step(bench *b)
{
    totem_flight_in  flight;
    totem_intake_in  intake;
    totem_epoch_in   epoch;
    totem_failure_in failure;
    totem_fence_in   fence;
    totem_wire_flight(&b->machine, NULL, 0, 0, &flight);
    totem_wire_intake(&b->machine, NULL, 0, 0, &intake);
    totem_wire_epoch(&b->machine, NULL, 0, 0, &epoch);
    totem_wire_failure(&b->machine, NULL, 0, 0, &failure);
    totem_wire_fence(&b->machine, NULL, 0, 0, &fence);
    totem_flight_step(&b->s.flight, &flight);
    totem_intake_step(&b->s.intake, &intake);
    totem_epoch_step(&b->s.epoch, &epoch);
    totem_failure_step(&b->s.failure, &failure);
    totem_fence_step(&b->s.fence, &fence);
}

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
    t->b.i                                                                                  = t->b.hold;
}

static inline void clock_edge(entry_bench *t)
{
    bench *b = &t->b;
    show(b); // with the inputs of this clock
    if (b->o->fence.ram_read_enable)
        b->hold.ram_read_data = t->ram[b->o->fence.ram_read_addr];
    if (b->o->intake.ram_write_enable)
        t->ram[b->o->intake.ram_write_addr] = b->o->intake.ram_write_data;
    step(b);
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
    t->b.i.arbiter_selected   = queue;
    t->b.i.packet_fence_close = true;
}

// The same, each in a clock of its own.
static inline void granted(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t waves)
{
    grant(t, queue, epoch, waves);
    clock_edge(t);
}

static inline void completed(entry_bench *t, uint8_t queue, uint8_t epoch)
{
    complete(t, queue, epoch);
    clock_edge(t);
}

static inline void closed(entry_bench *t, uint8_t queue)
{
    close_epoch(t, queue);
    clock_edge(t);
}

// The next fence write is to that address.
static inline void writes_at(entry_bench *t, uint64_t address)
{
    until(t, &t->b.o->fence.write_valid);
    assert_int_equal(t->b.o->fence.write_word & 0xffffffffff, address);
}

static inline void load(entry_bench *t, uint8_t queue, bool active)
{
    LOAD_WORD(&t->b, queue, LOAD_ACTIVE, active);
    clock_edge(t);
}

static inline void packet_write(entry_bench *t, uint8_t queue)
{
    t->b.i.packet_fence_write = true;
    t->b.i.arbiter_selected   = queue;
    clock_edge(t);
}

static inline void packet_answer(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t error, uint64_t address)
{
    t->b.i.packet_write_ack = true;
    t->b.i.ack_tag          = (uint8_t)(epoch << 3 | queue);
    t->b.i.ack_error        = error;
    t->b.i.ack_addr         = address;
    clock_edge(t);
}

static inline void fence_answer(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t error)
{
    t->b.i.fence_write_ack = true;
    t->b.i.ack_tag         = (uint8_t)(epoch << 3 | queue);
    t->b.i.ack_error       = error;
    clock_edge(t);
}

static inline void message(entry_bench *t, uint8_t queue, uint64_t address, unsigned data_sel, unsigned int_sel,
                           uint64_t data, uint32_t ctxid)
{
    const uint64_t words[3] = {address | (uint64_t)data_sel << 40 | (uint64_t)int_sel << 43, data, ctxid};
    for (unsigned n = 0; n < 3; n++) {
        assert_true(t->b.o->intake.packet_ready);
        t->b.i.arbiter_selected   = queue;
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
    until(t, &t->b.o->intake.record_ready);
    for (unsigned n = 0; n < 3; n++) {
        LEVEL(&t->b, record_fence_word, words[n]);
        assert_true(t->b.o->intake.record_ready);
        clock_edge(t);
        assert_false(t->b.o->slot_idle.idle[queue]); // also while the last word is on its way
    }
    LEVEL(&t->b, record_fence_valid, false);
    clocks(t, 2);
}

// Slot 1 is mapped, and waves are granted in its epoch.
static inline void mapped_with(entry_bench *t, uint8_t waves)
{
    load(t, 1, true);
    granted(t, 1, t->b.o->epoch.current[1], waves);
}

// What slot 1 has in flight is given up.
static inline void give_up(entry_bench *t)
{
    LEVEL(&t->b, kill_abandon[1], true);
    until(t, &t->b.o->epoch.abandoned[1]);
    LEVEL(&t->b, kill_abandon[1], false);
}

#endif

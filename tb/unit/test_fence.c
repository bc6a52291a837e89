// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: rules, latencies and meetings of docs/contract/fence.md. The bench holds the entry RAM and answers
// writes when the test says so.

#include "block_bench.h"

#include "totem_fence.h"
#include "totem_load.h"
#include "totem_phases.h"

BENCH(fence)

#define FENCE_PHASE(name, number) FENCE_##name = (number)
enum { TOTEM_FENCE_PHASES(FENCE_PHASE) };

enum { WORDS = TOTEM_QUEUES * TOTEM_EPOCHS * 4 };

typedef struct {
    bench    b;
    uint64_t ram[WORDS];
} entry_bench;

static void open_bench(entry_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    t->b.hold.write_ready = t->b.hold.interrupt_ready = t->b.hold.error_ready = true;
    t->b.i                                                                    = t->b.hold;
}

static void clock_edge(entry_bench *t)
{
    const totem_fence_out o    = t->b.o;
    const uint64_t        read = o.ram_read_enable ? t->ram[o.ram_read_addr] : t->b.hold.ram_read_data;
    if (o.ram_write_enable)
        t->ram[o.ram_write_addr] = o.ram_write_data;
    tick(&t->b);
    t->b.hold.ram_read_data = t->b.i.ram_read_data = read;
}

static void clocks(entry_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static unsigned until(entry_bench *t, const bool *condition)
{
    unsigned n = 0;
    while (!*condition) {
        assert_true(n++ < 100);
        clock_edge(t);
    }
    return n;
}

static void grant(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t waves)
{
    t->b.i.grant_valid[0] = true;
    t->b.i.grant_waves[0] = waves;
    t->b.i.grant_queue[0] = queue;
    t->b.i.grant_epoch[0] = epoch;
}

static void complete(entry_bench *t, uint8_t queue, uint8_t epoch)
{
    t->b.i.complete_valid[0] = true;
    t->b.i.complete_queue[0] = queue;
    t->b.i.complete_epoch[0] = epoch;
}

static void close_epoch(entry_bench *t, uint8_t queue)
{
    t->b.i.packet_queue = queue;
    t->b.i.packet_close = true;
}

static void load(entry_bench *t, uint8_t queue, bool active)
{
    t->b.i.load_valid = true;
    t->b.i.load_queue = queue;
    t->b.i.load_kind  = LOAD_ACTIVE;
    t->b.i.load_data  = active;
    clock_edge(t);
}

static void packet_write(entry_bench *t, uint8_t queue)
{
    t->b.i.packet_write = true;
    t->b.i.packet_queue = queue;
    clock_edge(t);
}

static void packet_answer(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t error, uint64_t address)
{
    t->b.i.packet_ack = true;
    t->b.i.ack_tag    = (uint8_t)(epoch << 3 | queue);
    t->b.i.ack_error  = error;
    t->b.i.ack_addr   = address;
    clock_edge(t);
}

static void fence_answer(entry_bench *t, uint8_t queue, uint8_t epoch, uint8_t error)
{
    t->b.i.write_ack = true;
    t->b.i.ack_tag   = (uint8_t)(epoch << 3 | queue);
    t->b.i.ack_error = error;
    clock_edge(t);
}

static void message(entry_bench *t, uint8_t queue, uint64_t address, unsigned data_sel, unsigned int_sel, uint64_t data,
                    uint32_t ctxid)
{
    const uint64_t words[3] = {address | (uint64_t)data_sel << 40 | (uint64_t)int_sel << 43, data, ctxid};
    for (unsigned n = 0; n < 3; n++) {
        assert_true(t->b.o.packet_ready);
        t->b.i.packet_queue = queue;
        t->b.i.packet_valid = true;
        t->b.i.packet_word  = words[n];
        clock_edge(t);
        if (n == 1)
            clock_edge(t); // other clocks may lie between
    }
    t->b.i.packet_queue = queue;
    clock_edge(t); // stored, closed
}

// A pair of record's, from its first word to its epoch closed.
static void pair(entry_bench *t, uint8_t queue, uint64_t address, uint64_t data)
{
    const uint64_t words[3] = {address | 2ull << 40, data, 0};
    LEVEL(&t->b, record_valid, true);
    LEVEL(&t->b, record_queue, queue);
    LEVEL(&t->b, record_word, words[0]);
    until(t, &t->b.o.record_ready);
    for (unsigned n = 0; n < 3; n++) {
        LEVEL(&t->b, record_word, words[n]);
        assert_true(t->b.o.record_ready);
        clock_edge(t);
    }
    LEVEL(&t->b, record_valid, false);
    clocks(t, 2);
}

static void waves_and_writes_are_counted(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 1, 0, 3);
    clock_edge(&t);
    assert_int_equal(t.b.o.waves[1], 3);
    assert_false(t.b.o.idle[1]);
    assert_true(t.b.o.idle[0]);
    t.b.i.packet_queue = 1;
    t.b.i.packet_write = true;
    clock_edge(&t);
    assert_int_equal(t.b.s.count[1 * TOTEM_EPOCHS], 4);
    assert_int_equal(t.b.o.waves[1], 3); // writes are no waves
    for (unsigned n = 0; n < 3; n++) {
        complete(&t, 1, 0);
        clock_edge(&t);
    }
    assert_int_equal(t.b.o.waves[1], 0);
    assert_false(t.b.o.idle[1]);
    t.b.i.packet_ack = true;
    t.b.i.ack_tag    = 0 << 3 | 1;
    clock_edge(&t);
    assert_true(t.b.o.idle[1]);
}

// An epoch without message is done 2 clocks after its last completion is counted.
static void close_without_message(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 2, 0, 1);
    clock_edge(&t);
    close_epoch(&t, 2);
    clock_edge(&t);
    assert_int_equal(t.b.o.epoch[2], 1);
    assert_false(t.b.o.flushed[2]);
    clocks(&t, 10);
    assert_false(t.b.o.flushed[2]);
    complete(&t, 2, 0);
    clock_edge(&t); // counted
    clock_edge(&t);
    assert_false(t.b.o.flushed[2]);
    clock_edge(&t);
    assert_true(t.b.o.flushed[2] && t.b.o.idle[2]);
}

static void room_for_epochs(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 0, 0, 1);
    clock_edge(&t);
    for (unsigned n = 0; n < TOTEM_EPOCHS - 1; n++) {
        assert_true(t.b.o.room[0]);
        close_epoch(&t, 0);
        clock_edge(&t);
    }
    assert_false(t.b.o.room[0]);
    assert_true(t.b.o.room[1]);
    complete(&t, 0, 0);
    clock_edge(&t);
    until(&t, &t.b.o.room[0]);
    until(&t, &t.b.o.flushed[0]); // the others follow, one after the other
    assert_int_equal(t.b.o.epoch[0], TOTEM_EPOCHS - 1);
}

// What goes out: address, strobes and data of every data_sel.
static void fence_writes(void **state)
{
    static const struct {
        uint64_t address;
        unsigned data_sel;
        uint64_t strobe, data;
    } rows[] = {
        {0x12345678a0, 1, 0x0f, 0x2222222222222222},
        {0x12345678a4, 1, 0xf0, 0x2222222222222222},
        {0x12345678a8, 2, 0xff, 0x1111111122222222},
        {0x12345678ac, 2, 0xff, 0x1111111122222222},
        {0x12345678a0, 3, 0xff, 0x777},
        {0x12345678a0, 4, 0xff, 0x777},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        entry_bench t;
        open_bench(&t);
        t.b.hold.clock = 0x777;
        message(&t, 3, rows[n].address, rows[n].data_sel, 0, 0x1111111122222222, 9);
        until(&t, &t.b.o.write_valid);
        assert_int_equal(t.b.o.write_word, (rows[n].address & ~(uint64_t)7) | rows[n].strobe << 40 | 3ull << 48);
        clock_edge(&t);
        assert_true(t.b.o.write_valid);
        assert_int_equal(t.b.o.write_word, rows[n].data);
        clock_edge(&t);
        for (unsigned k = 0; k < 5; k++) {
            assert_false(t.b.o.write_valid || t.b.o.flushed[3]); // the response is awaited
            clock_edge(&t);
        }
        fence_answer(&t, 3, 0, 0);
        clock_edge(&t);
        assert_false(t.b.o.flushed[3]);
        clock_edge(&t);
        assert_true(t.b.o.flushed[3]);
        assert_false(t.b.o.interrupt_valid || t.b.o.error_valid);
    }
}

// Due in clock d, four clocks of reading, then the write.
static void four_clocks_of_reading(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 0, 0, 1);
    clock_edge(&t);
    message(&t, 0, 0x1000, 1, 0, 5, 0);
    clocks(&t, 5);
    complete(&t, 0, 0);
    clock_edge(&t); // counted: due is seen in this clock
    clock_edge(&t); // READ
    for (unsigned n = 0; n < 4; n++) {
        assert_false(t.b.o.write_valid);
        clock_edge(&t);
    }
    assert_true(t.b.o.write_valid);
}

static void interrupt_after_the_acknowledge(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    t.b.hold.interrupt_ready = false;
    message(&t, 2, 0x1000, 1, 2, 5, 0xabcdef01);
    until(&t, &t.b.o.write_valid);
    clocks(&t, 8);
    assert_false(t.b.o.interrupt_valid);
    fence_answer(&t, 2, 0, 0);
    for (unsigned n = 0; n < 5; n++) { // int_ctxid is read once more
        assert_false(t.b.o.interrupt_valid);
        clock_edge(&t);
    }
    for (unsigned n = 0; n < 4; n++) { // held until it is taken
        assert_true(t.b.o.interrupt_valid);
        assert_int_equal(t.b.o.interrupt_word, 0xabcdef01u | 2ull << 32);
        assert_false(t.b.o.flushed[2]);
        clock_edge(&t);
    }
    t.b.i.interrupt_ready = true;
    clocks(&t, 2);
    assert_true(t.b.o.flushed[2]);
}

static void interrupt_without_a_write(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    message(&t, 1, 0x1000, 0, 1, 5, 6);
    until(&t, &t.b.o.interrupt_valid);
    assert_int_equal(t.b.o.interrupt_word, 6u | 1ull << 32);
    clocks(&t, 2);
    assert_true(t.b.o.flushed[1]);
    message(&t, 1, 0x1000, 0, 0, 5, 6); // neither: done
    assert_false(t.b.o.flushed[1]);
    until(&t, &t.b.o.flushed[1]);
}

static void epochs_of_a_slot_end_in_order(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 0, 0, 1);
    clock_edge(&t);
    message(&t, 0, 0x1000, 1, 0, 5, 0);
    message(&t, 0, 0x2000, 1, 0, 6, 0); // has nothing in flight, and waits all the same
    clocks(&t, 10);
    assert_false(t.b.o.write_valid);
    complete(&t, 0, 0);
    until(&t, &t.b.o.write_valid);
    assert_int_equal(t.b.o.write_word & 0xffffffffff, 0x1000);
    clocks(&t, 12);
    assert_false(t.b.o.write_valid); // one of a queue at a time
    fence_answer(&t, 0, 0, 0);
    until(&t, &t.b.o.write_valid);
    assert_int_equal(t.b.o.write_word & 0xffffffffff, 0x2000);
    assert_int_equal(t.b.o.write_word >> 48, 1 << 3); // the tag: epoch, queue
}

static void queues_in_turn(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    for (uint8_t q = 0; q < 4; q++) {
        grant(&t, q, 0, 1);
        clock_edge(&t);
        message(&t, q, 0x1000 * (q + 1u), 1, 0, 5, 0);
    }
    t.b.s.serve = 1;
    for (uint8_t q = 0; q < 4; q++) { // all due together
        t.b.s.count[q * TOTEM_EPOCHS] = 0;
        t.b.s.waves[q]                = 0;
    }
    static const unsigned order[] = {2, 3, 0, 1};
    for (unsigned n = 0; n < 4; n++) {
        until(&t, &t.b.o.write_valid);
        assert_int_equal(t.b.o.write_word & 0xffffffffff, 0x1000 * (order[n] + 1));
        clocks(&t, 2); // no answer, and the next one goes out all the same
    }
    fence_answer(&t, 1, 0, 0); // the last one is answered first
    clocks(&t, 2);
    assert_true(t.b.o.flushed[1]);
    assert_false(t.b.o.flushed[0] || t.b.o.flushed[2] || t.b.o.flushed[3]);
}

static void fence_write_that_fails(void **state)
{
    (void)state;
    for (uint8_t error = 1; error <= 3; error++) {
        entry_bench t;
        open_bench(&t);
        load(&t, 2, true);
        message(&t, 2, 0x9876543214, 1, 2, 5, 6);
        until(&t, &t.b.o.write_valid);
        clocks(&t, 2);
        fence_answer(&t, 2, 0, error);
        assert_true(t.b.o.halt);
        assert_int_equal(t.b.o.halt_queue, 2);
        clock_edge(&t);
        assert_false(t.b.o.halt); // one clock
        until(&t, &t.b.o.error_valid);
        assert_int_equal(t.b.o.error_word, 0x9876543214u | 2ull << 48 | (uint64_t)(0x64u + error) << 56);
        clock_edge(&t);
        assert_int_equal(t.b.o.error_word, 0x76543214);
        assert_false(t.b.o.flushed[2]);
        clocks(&t, 2);
        assert_true(t.b.o.flushed[2]); // its epoch counts as done, without its interrupt
        for (unsigned n = 0; n < 5; n++) {
            assert_false(t.b.o.interrupt_valid || t.b.o.error_valid);
            clock_edge(&t);
        }
    }
}

static void packet_write_that_fails(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    load(&t, 3, true);
    packet_write(&t, 3);
    close_epoch(&t, 3);
    clock_edge(&t);
    packet_answer(&t, 3, 0, 2, 0x9876543214);
    assert_true(t.b.o.halt);
    assert_int_equal(t.b.o.halt_queue, 3);
    clock_edge(&t);
    assert_true(t.b.o.error_valid && !t.b.o.halt);
    assert_int_equal(t.b.o.error_word, 3ull << 48 | 0x66ull << 56 | 0x9876543214);
    clock_edge(&t);
    assert_int_equal(t.b.o.error_word, 0x76543214);
    until(&t, &t.b.o.flushed[3]); // its epoch ends by itself
}

// ---- meetings

static void everything_of_one_clock_counts(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    t.b.i.packet_queue = 1;
    t.b.i.packet_write = true;
    clock_edge(&t);
    grant(&t, 1, 0, 5);
    complete(&t, 1, 0);
    unsigned expected = 1 + 5 - 1;
#if TOTEM_SE_COUNT > 1
    t.b.i.grant_valid[1]    = true;
    t.b.i.grant_waves[1]    = 7;
    t.b.i.grant_queue[1]    = 1;
    t.b.i.complete_valid[1] = true;
    t.b.i.complete_queue[1] = 1;
    expected += 7 - 1;
#endif
    t.b.i.packet_queue = 1;
    t.b.i.packet_write = true;
    t.b.i.packet_ack   = true;
    t.b.i.ack_tag      = 1;
    clock_edge(&t);
    assert_int_equal(t.b.s.count[TOTEM_EPOCHS], expected);
    assert_int_equal(t.b.o.waves[1], expected - 1);
}

static void last_completion_meets_close(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 0, 0, 1);
    clock_edge(&t);
    complete(&t, 0, 0);
    close_epoch(&t, 0);
    clock_edge(&t); // due in this clock
    assert_false(t.b.o.flushed[0]);
    clocks(&t, 2);
    assert_true(t.b.o.flushed[0]);
}

static void failed_acknowledge_meets_the_report_of_another(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    packet_write(&t, 1);
    packet_write(&t, 1);
    packet_answer(&t, 1, 0, 1, 0x10);
    packet_answer(&t, 1, 0, 3, 0x20); // while the first begins to be reported
    assert_true(t.b.o.error_valid);
    assert_int_equal(t.b.o.error_word >> 56, 0x65);
    clocks(&t, 2);
    until(&t, &t.b.o.error_valid);
    assert_int_equal(t.b.o.error_word, 0x67ull << 56 | 1ull << 48 | 0x20);
}

// Every failure has its record, however long the first one waits; write_room keeps more from being sent.
static void every_failure_has_its_record(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    t.b.hold.error_ready = t.b.i.error_ready = false;
    for (uint8_t n = 0; n < 5; n++) {
        assert_true(t.b.o.write_room);
        packet_write(&t, n & 3);
    }
    assert_false(t.b.o.write_room); // the fifth is kept from memory
    for (uint8_t n = 0; n < 4; n++)
        packet_answer(&t, n, 0, (uint8_t)(1 + n % 3), 0x1000u * n + 4);
    assert_true(t.b.o.write_room); // one is being reported
    packet_answer(&t, 0, 0, 1, 0x4004);
    for (uint8_t q = 0; q < 4; q++)
        assert_false(t.b.o.idle[q]);
    t.b.hold.error_ready = t.b.i.error_ready = true;
    for (uint64_t n = 0; n < 5; n++) {
        until(&t, &t.b.o.error_valid);
        assert_int_equal(t.b.o.error_word, (0x65 + n % 4 % 3) << 56 | n % 4 << 48 | (0x1000 * n + 4));
        clock_edge(&t);
        clock_edge(&t);
    }
    for (uint8_t q = 0; q < 4; q++)
        assert_true(t.b.o.idle[q]);
}

// What fails late halts the slot only if it is of the present mapping.
static void failure_of_an_earlier_mapping(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    load(&t, 2, true);
    packet_write(&t, 2);
    packet_write(&t, 2);
    load(&t, 2, false);
    packet_answer(&t, 2, 0, 1, 0x1000);
    assert_false(t.b.o.halt || t.b.o.settled[2]);
    load(&t, 2, true);
    assert_int_equal(t.b.o.epoch[2], 1); // an epoch of its own
    assert_true(t.b.o.settled[2] && !t.b.o.flushed[2] && !t.b.o.idle[2]);
    packet_write(&t, 2);
    assert_false(t.b.o.settled[2]);
    packet_answer(&t, 2, 0, 2, 0x2000); // of the earlier mapping
    assert_false(t.b.o.halt);
    packet_answer(&t, 2, 1, 3, 0x3000);
    assert_true(t.b.o.halt && t.b.o.settled[2]);
    for (uint64_t n = 2; n <= 3; n++) {
        until(&t, &t.b.o.error_valid); // records all the same
        assert_int_equal(t.b.o.error_word & 0xffffffffff, 0x1000 * n);
        clocks(&t, 2);
    }
    until(&t, &t.b.o.idle[2]);
}

static void fence_of_an_earlier_mapping(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    load(&t, 1, true);
    message(&t, 1, 0x1000, 1, 0, 5, 0);
    until(&t, &t.b.o.write_valid);
    load(&t, 1, false);
    load(&t, 1, true);
    assert_true(t.b.o.settled[1] && !t.b.o.flushed[1]);
    fence_answer(&t, 1, 0, 1);
    assert_false(t.b.o.halt);
    until(&t, &t.b.o.error_valid);
    assert_int_equal(t.b.o.error_word, 0x1000 | 1ull << 48 | 0x65ull << 56);
    until(&t, &t.b.o.flushed[1]);
}

static void mapping_with_nothing_left(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    load(&t, 1, true);
    assert_int_equal(t.b.o.epoch[1], 0); // nothing to close
    assert_true(t.b.o.settled[1] && t.b.o.flushed[1]);
    t.b.i.load_kind  = LOAD_QUEUE_PRIORITY; // other words of the load bus
    t.b.i.load_valid = true;
    t.b.i.load_queue = 1;
    clock_edge(&t);
    assert_true(t.b.s.mapped[1]);
}

// Time-out of a kill: record, two fences given up, epochs 0 and 2 reserved. Late ends are counted; the queue goes on in
// the epochs that are left, which need not wait for the reserved ones.
static void abandoned_epochs_are_reserved(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    load(&t, 1, true);
    grant(&t, 1, 0, 2);
    clock_edge(&t);
    message(&t, 1, 0x1000, 1, 2, 5, 6); // epoch 0: waves run
    message(&t, 1, 0x1008, 1, 2, 5, 6); // epoch 1: its own are done
    grant(&t, 1, 2, 1);
    clock_edge(&t);
    packet_write(&t, 1);
    assert_int_equal(t.b.o.targets[1], 5);
    assert_false(t.b.o.quiet[1]);
    t.b.hold.error_ready = false;
    LEVEL(&t.b, abandon[1], true);
    clock_edge(&t);
    assert_true(t.b.o.abandoned[1] && t.b.o.error_valid);
    clock_edge(&t);
    LEVEL(&t.b, abandon[1], false);
    assert_false(t.b.o.abandoned[1]);
    assert_int_equal(t.b.o.error_word, 0x89ull << 56 | 1ull << 48);
    t.b.i.error_ready = true;
    clock_edge(&t);
    assert_int_equal(t.b.o.error_word, 2u << 8 | 5u);
    t.b.i.error_ready = true;
    clock_edge(&t);
    assert_false(t.b.o.error_valid);
    assert_int_equal(t.b.o.lost, 2);
    assert_int_equal(t.b.s.reserved[1], 5);
    clocks(&t, 20); // nothing of it is written; the ring is passed
    assert_false(t.b.o.write_valid || t.b.o.interrupt_valid);
    assert_true(t.b.o.flushed[1] && t.b.o.settled[1] && t.b.o.quiet[1] && !t.b.o.idle[1]);
    assert_int_equal(t.b.o.targets[1], 0);
    load(&t, 1, false);
    assert_int_equal(t.b.o.targets[1], 5); // of a slot that is not mapped: all
    assert_false(t.b.o.quiet[1]);

    // A new mapping: epoch 3, then, past 0, epoch 1.
    assert_true(t.b.o.room[1]);
    load(&t, 1, true);
    assert_int_equal(t.b.o.epoch[1], 3);
    grant(&t, 1, 3, 1);
    clock_edge(&t);
    message(&t, 1, 0x2000, 1, 0, 7, 0);
    assert_int_equal(t.b.o.epoch[1], TOTEM_EPOCHS > 4 ? 4 : 1);
    assert_int_equal(t.b.o.targets[1], 8);
    complete(&t, 1, 3);
    clock_edge(&t);
    until(&t, &t.b.o.write_valid);
    assert_int_equal(t.b.o.write_word & 0xffff, 0x2000);
    clocks(&t, 3);
    fence_answer(&t, 1, 3, 0);
    clocks(&t, 8);
    assert_true(t.b.o.flushed[1]);
    // A late write that fails has its record and halts nobody.
    packet_answer(&t, 1, 2, 1, 0x3000);
    assert_false(t.b.o.halt);
    for (unsigned n = 0; n < 3; n++) {
        assert_int_equal(t.b.o.late, n);
        complete(&t, 1, n < 2 ? 0 : 2);
        clock_edge(&t);
    }
    assert_int_equal(t.b.o.late, 3);
    clocks(&t, 2);
    assert_int_equal(t.b.s.reserved[1], 0);
    t.b.hold.error_ready = t.b.i.error_ready = true;
    clocks(&t, 4);
    assert_true(t.b.o.idle[1] && t.b.o.quiet[1]);
}

// Nothing is given up while its fence write is with memory; one of an earlier mapping, which is not given up, holds up nothing.
static void abandon_waits_for_what_is_done(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    load(&t, 1, true);
    grant(&t, 1, 0, 1);
    clock_edge(&t);
    message(&t, 1, 0x1000, 1, 0, 5, 0);
    load(&t, 1, false);
    load(&t, 1, true); // the fence is of an earlier mapping
    assert_int_equal(t.b.o.targets[1], 0);
    grant(&t, 1, 1, 1);
    clock_edge(&t);
    message(&t, 1, 0x2000, 1, 0, 5, 0);
    assert_int_equal(t.b.o.targets[1], 2);
    complete(&t, 1, 0);
    clock_edge(&t);
    until(&t, &t.b.o.write_valid);
    clocks(&t, 30);
    assert_true(t.b.s.sent[1]);
    LEVEL(&t.b, abandon[1], true);
    until(&t, &t.b.o.abandoned[1]);
    LEVEL(&t.b, abandon[1], false);
    clocks(&t, 8);
    assert_int_equal(t.b.o.lost, 1);
    assert_int_equal(t.b.s.reserved[1], 2);
    assert_true(t.b.s.sent[1] && t.b.o.quiet[1]);
    fence_answer(&t, 1, 0, 0);
    clocks(&t, 8);
    assert_true(t.b.o.flushed[1]);

    // Its own: the write is awaited, the fence behind it is given up then, though it could be written.
    message(&t, 1, 0x3000, 1, 0, 5, 0);
    message(&t, 1, 0x3008, 1, 0, 5, 0);
    clocks(&t, 10);
    assert_true(t.b.s.sent[1]);
    LEVEL(&t.b, abandon[1], true);
    clocks(&t, 30);
    assert_int_equal(t.b.o.lost, 1);
    fence_answer(&t, 1, 2, 0);
    until(&t, &t.b.o.abandoned[1]);
    LEVEL(&t.b, abandon[1], false);
    clocks(&t, 30);
    assert_int_equal(t.b.o.lost, 2);
    assert_false(t.b.s.sent[1]);
    assert_true(t.b.o.flushed[1] && t.b.o.settled[1]);
    LEVEL(&t.b, abandon[2], true); // of a slot with nothing in flight
    clocks(&t, 8);
    assert_int_equal(t.b.o.lost, 2);
    assert_int_equal(t.b.s.reserved[2], 0);
}

// Of a slot that is not mapped the pairs are written all the same, each once, whatever still runs; the other fences are dropped.
static void pairs_of_an_unmapped_slot_are_written(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    for (uint8_t m = 0; m < 2;
         m++) { // epochs 0 and 1 in turn: a mapping with waves, a fence and its pair; the second has only a pair
        load(&t, 1, true);
        grant(&t, 1, t.b.o.epoch[1], 1);
        clock_edge(&t);
        if (m == 0)
            message(&t, 1, 0x1000, 1, 2, 5, 6);
        pair(&t, 1, 0x2000 + 0x100u * m, 70 + m);
        load(&t, 1, false);
    }
    assert_int_equal(t.b.o.epoch[1], 3);
    assert_false(t.b.o.quiet[1]);
    LEVEL(&t.b, abandon[1], true);
    until(&t, &t.b.o.abandoned[1]);
    LEVEL(&t.b, abandon[1], false);
    assert_int_equal(t.b.o.lost, 1); // the fence; pairs are not lost
    assert_int_equal(t.b.s.reserved[1], 5);
    for (uint8_t m = 0; m < 2; m++) {
        assert_false(t.b.o.settled[1]);
        until(&t, &t.b.o.write_valid);
        assert_int_equal(t.b.o.write_word & 0xffffffffffu, 0x2000 + 0x100u * m);
        clock_edge(&t);
        assert_int_equal(t.b.o.write_word, 70 + m);
        clocks(&t, 5);
        fence_answer(&t, 1, 1 + m, m == 0 ? 3 : 0); // the first one fails: its record, and on
        clocks(&t, 12);
    }
    assert_true(t.b.o.flushed[1] && t.b.o.settled[1] && !t.b.o.idle[1]);
    assert_false(t.b.o.halt);

    // The ring goes round, past the reserved ones: no pair comes again.
    load(&t, 1, true);
    for (unsigned n = 0; n < 2 * TOTEM_EPOCHS; n++) {
        until(&t, &t.b.o.room[1]);
        assert_false(t.b.s.reserved[1] >> t.b.o.epoch[1] & 1);
        close_epoch(&t, 1);
        for (unsigned k = 0; k < 12; k++) {
            clock_edge(&t);
            assert_false(t.b.o.write_valid);
        }
    }
    assert_int_equal(t.b.s.reserved[1], 5);
    complete(&t, 1, 0);
    clock_edge(&t);
    complete(&t, 1, 2);
    clocks(&t, 8);
    assert_int_equal(t.b.s.reserved[1], 0);
    assert_int_equal(t.b.o.late, 2);
    assert_false(t.b.o.write_valid);
}

// Of a mapped slot a pair is dropped with the fences, and an earlier mapping's pair is not touched. Fences behind an earlier mapping
// count as over only while there is room for the record that follows them.
static void abandoned_mapping_keeps_no_pair(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    load(&t, 1, true);
    grant(&t, 1, 0, 1);
    clock_edge(&t);
    pair(&t, 1, 0x2000, 70); // epoch 0, of the earlier one
    load(&t, 1, false);
    load(&t, 1, true);
    pair(&t, 1, 0x3000, 71);
    assert_true(t.b.o.quiet[1] && !t.b.o.settled[1] && t.b.o.room[1]);
    LEVEL(&t.b, abandon[1], true);
    clocks(&t, 20);
    assert_false(t.b.o.abandoned[1] || t.b.o.settled[1]); // it can follow in its turn
    LEVEL(&t.b, abandon[1], false);
    while (t.b.o.room[1]) {
        close_epoch(&t, 1);
        clock_edge(&t);
    }
    assert_true(t.b.o.quiet[1]);
    LEVEL(&t.b, abandon[1], true);
    until(&t, &t.b.o.abandoned[1]);
    LEVEL(&t.b, abandon[1], false);
    assert_true(t.b.o.settled[1] && !t.b.o.flushed[1]);
    assert_int_equal(t.b.o.lost, 0);
    clocks(&t, 20);
    assert_false(t.b.o.write_valid);
    complete(&t, 1, 0);
    clock_edge(&t);
    until(&t, &t.b.o.write_valid);
    assert_int_equal(t.b.o.write_word & 0xffff, 0x2000);
    clocks(&t, 5);
    fence_answer(&t, 1, 0, 0);
    for (unsigned k = 0; k < 60; k++) {
        clock_edge(&t);
        assert_false(t.b.o.write_valid);
    }
    assert_true(t.b.o.flushed[1]);
}

// A slot all of whose epochs but the current one are reserved has no room.
static void reserved_epochs_leave_no_room(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    for (uint8_t e = 0; e < TOTEM_EPOCHS - 1; e++) {
        assert_true(t.b.o.room[1]);
        load(&t, 1, true);
        assert_int_equal(t.b.o.epoch[1], e);
        grant(&t, 1, e, 1);
        clock_edge(&t);
        LEVEL(&t.b, abandon[1], true);
        until(&t, &t.b.o.abandoned[1]);
        LEVEL(&t.b, abandon[1], false);
        clocks(&t, 4);
        load(&t, 1, false);
        clocks(&t, 8);
    }
    assert_true(t.b.o.room[1]); // the last one
    load(&t, 1, true);
    assert_false(t.b.o.room[1]);
    complete(&t, 1, 1);
    clocks(&t, 3);
    assert_true(t.b.o.room[1]);
    close_epoch(&t, 1);
    clock_edge(&t);
    assert_int_equal(t.b.o.epoch[1], 1);
}

static void epoch_done_meets_epoch_closed(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    close_epoch(&t, 0);
    clock_edge(&t);
    clock_edge(&t);
    assert_int_equal(t.b.s.phase, FENCE_DONE); // in this clock
    close_epoch(&t, 0);
    clock_edge(&t);
    assert_int_equal(t.b.s.oldest[0], 1);
    assert_int_equal(t.b.o.epoch[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_and_writes_are_counted),
        cmocka_unit_test(close_without_message),
        cmocka_unit_test(room_for_epochs),
        cmocka_unit_test(fence_writes),
        cmocka_unit_test(four_clocks_of_reading),
        cmocka_unit_test(interrupt_after_the_acknowledge),
        cmocka_unit_test(interrupt_without_a_write),
        cmocka_unit_test(epochs_of_a_slot_end_in_order),
        cmocka_unit_test(queues_in_turn),
        cmocka_unit_test(fence_write_that_fails),
        cmocka_unit_test(packet_write_that_fails),
        cmocka_unit_test(everything_of_one_clock_counts),
        cmocka_unit_test(last_completion_meets_close),
        cmocka_unit_test(failed_acknowledge_meets_the_report_of_another),
        cmocka_unit_test(epoch_done_meets_epoch_closed),
        cmocka_unit_test(abandoned_epochs_are_reserved),
        cmocka_unit_test(abandon_waits_for_what_is_done),
        cmocka_unit_test(pairs_of_an_unmapped_slot_are_written),
        cmocka_unit_test(abandoned_mapping_keeps_no_pair),
        cmocka_unit_test(reserved_epochs_leave_no_room),
        cmocka_unit_test(every_failure_has_its_record),
        cmocka_unit_test(failure_of_an_earlier_mapping),
        cmocka_unit_test(fence_of_an_earlier_mapping),
        cmocka_unit_test(mapping_with_nothing_left),
    };

    return cmocka_run_group_tests_name("fence", tests, NULL, NULL);
}

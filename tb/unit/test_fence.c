// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: epochs, fence writes and interrupts, their latencies and meetings (docs/contract/fence.md).

#include "fence_bench.h"

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
    t.b.i.arbiter_selected = 1;
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
    t.b.i.packet_write_ack = true;
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
    t.b.hold.events_interrupt_ready = false;
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
    t.b.i.events_interrupt_ready = true;
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
    for (unsigned int_sel = 0; int_sel <= 3; int_sel += 3) { // neither: done
        message(&t, 1, 0x1000, 0, int_sel, 5, 6);
        for (unsigned n = 0; n < 20 && !t.b.o.flushed[1]; n++) {
            assert_false(t.b.o.interrupt_valid);
            clock_edge(&t);
        }
        assert_true(t.b.o.flushed[1]);
    }
    message(&t, 1, 0x1000, 1, 3, 5, 6); // data, without an interrupt
    until(&t, &t.b.o.write_valid);
    clocks(&t, 3);
    fence_answer(&t, 1, (uint8_t)((t.b.o.epoch[1] + TOTEM_EPOCHS - 1) % TOTEM_EPOCHS), 0);
    for (unsigned n = 0; n < 20 && !t.b.o.flushed[1]; n++) {
        assert_false(t.b.o.interrupt_valid);
        clock_edge(&t);
    }
    assert_true(t.b.o.flushed[1]);
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

// ---- meetings

static void everything_of_one_clock_counts(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    t.b.i.arbiter_selected = 1;
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
    t.b.i.arbiter_selected = 1;
    t.b.i.packet_write = true;
    t.b.i.packet_write_ack   = true;
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

static void mapping_with_nothing_left(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    load(&t, 1, true);
    assert_int_equal(t.b.o.epoch[1], 0); // nothing to close
    assert_true(t.b.o.settled[1] && t.b.o.flushed[1]);
    LOAD_WORD(&t.b, 1, LOAD_QUEUE_PRIORITY, 0); // other words of the load bus
    clock_edge(&t);
    assert_true(t.b.s.mapped[1]);
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

// From its first word until it is written nobody takes the slot for idle.
static void pair_of_a_slot_without_work(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    assert_true(t.b.o.idle[1]);
    pair(&t, 1, 0x1000, 5); // looks at idle, too
    assert_false(t.b.o.idle[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_and_writes_are_counted),
        cmocka_unit_test(pair_of_a_slot_without_work),
        cmocka_unit_test(close_without_message),
        cmocka_unit_test(room_for_epochs),
        cmocka_unit_test(fence_writes),
        cmocka_unit_test(four_clocks_of_reading),
        cmocka_unit_test(interrupt_after_the_acknowledge),
        cmocka_unit_test(interrupt_without_a_write),
        cmocka_unit_test(epochs_of_a_slot_end_in_order),
        cmocka_unit_test(queues_in_turn),
        cmocka_unit_test(everything_of_one_clock_counts),
        cmocka_unit_test(last_completion_meets_close),
        cmocka_unit_test(epoch_done_meets_epoch_closed),
        cmocka_unit_test(mapping_with_nothing_left),
    };

    return cmocka_run_group_tests_name("fence", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: writes that fail, of the present mapping and of earlier ones (docs/contract/fence.md).

#include "fence_bench.h"

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

// Of two fences of slot 2, at 0x1000 and 0x2000, the first is with memory.
static void two_fences(entry_bench *t)
{
    open_bench(t);
    load(t, 2, true);
    message(t, 2, 0x1000, 1, 2, 5, 6);
    until(t, &t->b.o.write_valid);
    message(t, 2, 0x2000, 1, 2, 5, 6);
    clocks(t, 3);
}

static void expect_time_out(entry_bench *t, uint8_t queue, uint64_t address)
{
    until(t, &t->b.o.error_valid);
    assert_int_equal(t->b.o.error_word, address | (uint64_t)queue << 48 | 0x67ull << 56);
    clocks(t, 2);
}

// Fences behind one that is never answered are not tried: each would take an ID that all queues share. Pairs of record's are, and
// so is a fence behind RESUME, SKIP, of a new mapping, and of another queue.
static void fence_without_an_answer_is_the_last(void **state)
{
    enum { RESUMED, SKIPPED, MAPPED, PAIR, OTHER, WAYS };
    (void)state;
    for (unsigned way = 0; way < WAYS; way++) {
        entry_bench t;
        two_fences(&t);
        fence_answer(&t, 2, 0, 3);
        expect_time_out(&t, 2, 0x1000);
        expect_time_out(&t, 2, 0x2000);
        assert_false(t.b.o.write_valid || t.b.o.interrupt_valid);
        message(&t, 2, 0x2800, 0, 2, 0, 9); // no write, an interrupt
        until(&t, &t.b.o.interrupt_valid);
        until(&t, &t.b.o.idle[2]);
        if (way == RESUMED || way == SKIPPED) {
            LOAD_WORD(&t.b, 2, way == RESUMED ? LOAD_RESUME : LOAD_SKIP, 0);
            clock_edge(&t);
        } else if (way == MAPPED) {
            load(&t, 2, false);
            load(&t, 2, true);
        }
        if (way == PAIR)
            pair(&t, 2, 0x3000, 7);
        else
            message(&t, way == OTHER ? 1 : 2, 0x3000, 1, 0, 7, 0);
        until(&t, &t.b.o.write_valid);
        assert_int_equal(t.b.o.write_word & 0xffffffffff, 0x3000);
    }
}

// The same of a mapping that has gone: what it left is not tried, what the next one closes is.
static void silence_of_an_earlier_mapping(void **state)
{
    entry_bench t;
    (void)state;
    two_fences(&t);
    load(&t, 2, false);
    load(&t, 2, true);
    message(&t, 2, 0x3000, 1, 0, 7, 0);
    fence_answer(&t, 2, 0, 3);
    assert_false(t.b.o.halt);
    expect_time_out(&t, 2, 0x1000);
    expect_time_out(&t, 2, 0x2000);
    until(&t, &t.b.o.write_valid);
    assert_int_equal(t.b.o.write_word & 0xffffffffff, 0x3000);
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
    t.b.hold.events_error_ready = t.b.i.events_error_ready = false;
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
    t.b.hold.events_error_ready = t.b.i.events_error_ready = true;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fence_write_that_fails),
        cmocka_unit_test(fence_without_an_answer_is_the_last),
        cmocka_unit_test(silence_of_an_earlier_mapping),
        cmocka_unit_test(packet_write_that_fails),
        cmocka_unit_test(failed_acknowledge_meets_the_report_of_another),
        cmocka_unit_test(every_failure_has_its_record),
        cmocka_unit_test(failure_of_an_earlier_mapping),
        cmocka_unit_test(fence_of_an_earlier_mapping),
    };

    return cmocka_run_group_tests_name("fence_failures", tests, NULL, NULL);
}

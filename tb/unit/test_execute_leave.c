// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: leaving meets packets, halts, the sources' switch (docs/contract/execute.md).

#include "execute_bench.h"

static void leave_meets_a_header(void **state)
{
    static const uint32_t words[] = {0, 0, 0};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 3);
    clock_edge(&t);
    t.b.i.arbiter_leave = true;
    clock_edge(&t);
    assert_true(t.b.o.left);
    t.left = 0;
    clock_edge(&t);
    assert_int_equal(t.b.d.dwords.count, 0); // it comes again with the next go
    assert_int_equal(t.b.s.phase, EXECUTE_IDLE);
    assert_false(t.b.o.error_valid || t.b.o.left);
}

static void leave_meets_a_packet(void **state)
{
    static const uint32_t words[] = {HEADER(NOP, 3), 0, 0, 0};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 4);
    to_clock(&t, 2);
    t.b.i.arbiter_leave = true; // CHECK: still the boundary
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.commit || t.b.o.executed);

    open_bench(&t);
    offer(&t, words, 4);
    to_clock(&t, 3);
    LEVEL(&t.b, arbiter_leave, true); // BODY: after the packet
    quiet_until(&t, 7);
    committed(&t, 4, false);
    clock_edge(&t);
    assert_true(t.b.o.left);
}

// What executed in the clock of `executed` asks for comes before the next packet.
static void leave_after_executed(void **state)
{
    static const uint32_t words[] = {0xffff1000, 0xffff1000, 0xffff1000};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 3);
    while (!t.b.o.executed)
        clock_edge(&t);
    clock_edge(&t);
    t.b.i.arbiter_leave = true;
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.commit || t.b.o.executed);
}

typedef enum { BY_FENCE, BY_POLL, BY_FETCH } halt_source;

// A failure of that queue, by whoever reports it.
static void halt(execute_bench *t, halt_source source, uint8_t queue)
{
    if (source == BY_POLL) {
        t->b.i.poll_halt       = true;
        t->b.i.poll_halt_queue = queue;
    } else if (source == BY_FETCH) {
        t->b.i.fetch_halt       = true;
        t->b.i.fetch_halt_queue = queue;
    } else {
        t->b.i.fence_halt       = true;
        t->b.i.fence_halt_queue = queue;
    }
}

static void halted_by(halt_source source)
{
    execute_bench t;
    open_bench(&t);
    for (unsigned round = 0; round < 3; round++) {
        halt(&t, source, LAST);
        clock_edge(&t);
        assert_true(t.b.o.halted[LAST]);
        LOAD_WORD(&t.b, LAST, round == 0 ? LOAD_RESUME : LOAD_ACTIVE, round == 1); // RESUME, mapped, ACTIVE cleared
        clock_edge(&t);
        assert_int_equal(t.b.o.halted[LAST], round == 2);
    }
    for (unsigned kind = LOAD_QUEUE_PRIORITY; kind < LOAD_RESUME; kind++) {
        LOAD_WORD(&t.b, LAST, kind, 1);
        clock_edge(&t);
        assert_true(t.b.o.halted[LAST]);
    }
    LOAD_WORD(&t.b, 0, LOAD_RESUME, 0); // of another queue
    clock_edge(&t);
    assert_true(t.b.o.halted[LAST]);
    for (unsigned kind = LOAD_RESUME; kind <= LOAD_SKIP; kind++) { // the host has not seen this one
        halt(&t, source, LAST);
        LOAD_WORD(&t.b, LAST, kind, 0);
        clock_edge(&t);
        assert_true(t.b.o.halted[LAST]);
    }
    halt(&t, source, LAST); // one of each, of two queues
    halt(&t, (halt_source)((source + 1) % 3), 0);
    clock_edge(&t);
    assert_true(t.b.o.halted[LAST] && t.b.o.halted[0]);
}

static void halts(void **state)
{
    (void)state;
    halted_by(BY_FENCE);
    halted_by(BY_POLL);
    halted_by(BY_FETCH);
}

// The sources' switch: a grid comes back from memory unless it has been dropped meanwhile; a failure halts.
static void moved(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    for (unsigned kept = 0; kept < 2; kept++)
        for (uint64_t data = 0; data < 16; data++) {
            t.b.s.unfinished[LAST] = kept;
            t.b.s.halted[LAST]     = false;
            t.b.s.closed[LAST] = t.b.s.skip[LAST] = true;
            LOAD_WORD(&t.b, LAST, LOAD_MOVED, data);
            clock_edge(&t);
            assert_int_equal(t.b.o.unfinished[LAST], kept && ((data & 1) == 0 || (data & 4) != 0));
            assert_int_equal(t.b.o.halted[LAST], (data & 8) != 0);
            assert_true(t.b.s.closed[LAST] && t.b.s.skip[LAST]);
        }
}

static void halt_of_the_selected_queue(void **state)
{
    static const uint32_t words[] = {HEADER(NOP, 3), 0, 0, 0};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 4);
    to_clock(&t, 4);
    t.b.i.fence_halt       = true;
    t.b.i.fence_halt_queue = QUEUE;
    clock_edge(&t);
    assert_true(t.b.o.halted[QUEUE]);
    quiet_until(&t, 7); // the packet goes on
    committed(&t, 4, false);
}

// The clocks in which the dwords of a WRITE_DATA to memory begin; a cut between two of them stops it there.
enum { DWORDS = 3, FIRST_DWORD = 6, DWORD_CLOCKS = 3, DONE = FIRST_DWORD + DWORDS * DWORD_CLOCKS };

// Writes that begin until the packet has ended. Stopped in clock `clock`, by a halt or by the loss of its mapping.
static unsigned writes_of_a_stopped_packet(execute_bench *t, unsigned clock, int source)
{
    unsigned count = 0;
    while (!t->b.o.left && !t->b.o.commit) {
        if (t->now == clock && source <= (int)BY_FETCH)
            halt(t, (halt_source)source, QUEUE);
        else if (t->now == clock)
            LEVEL(&t->b, arbiter_active[QUEUE], false);
        clock_edge(t);
        count += t->b.o.fence_write;
        assert_true(t->now <= DONE);
        assert_true(t->b.o.write_valid == (t->b.s.phase == EXECUTE_WRITE));
    }
    return count;
}

static void write_data_is_cut(void **state)
{
    static const uint32_t words[] = {HEADER(WRITE_DATA, 6), 0x500, 0x1000, 0, 7, 8, 9};
    (void)state;
    for (int source = BY_FENCE; source <= (int)BY_FETCH + 1; source++)
        for (unsigned clock = 3; clock < DONE; clock++) {
            const unsigned first    = source <= (int)BY_FETCH ? clock + 1 : clock; // clock in which the packet sees it
            unsigned       expected = 0;
            execute_bench  t;
            while (expected < DWORDS && FIRST_DWORD + expected * DWORD_CLOCKS < first)
                expected++;
            open_bench(&t);
            offer(&t, words, 7);
            const unsigned count = writes_of_a_stopped_packet(&t, clock, source);
            if (count != expected)
                fail_msg("source %d, clock %u: %u writes, not %u", source, clock, count, expected);
            assert_int_equal(t.b.o.commit, expected == DWORDS);
            assert_int_equal(t.now, FIRST_DWORD + expected * DWORD_CLOCKS + (expected < DWORDS));
            if (expected == DWORDS)
                continue;
            assert_true(t.b.o.left && !t.b.o.executed && !t.b.o.error_valid); // the read pointer stays on it
            clock_edge(&t);
            assert_int_equal(t.b.s.phase, EXECUTE_IDLE);
            assert_int_equal(t.b.d.dwords.count, 0);
        }
}

// RESUME, and the packet begins anew with its header. A cut does not wait for a dword.
static void cut_packet_begins_anew(void **state)
{
    static const uint32_t words[] = {HEADER(WRITE_DATA, 6), 0x500, 0x1000, 0, 7, 8, 9};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 5);
    to_clock(&t, 20);
    assert_int_equal(t.b.d.phase, DECODE_DATA);
    assert_int_equal(t.b.d.address, 0x1004);
    halt(&t, BY_FENCE, LAST == QUEUE ? 0 : LAST);
    clock_edge(&t);
    clock_edge(&t);
    assert_int_equal(t.b.d.phase, DECODE_DATA); // another queue's
    halt(&t, BY_FENCE, QUEUE);
    clock_edge(&t);
    clock_edge(&t);
    assert_true(t.b.o.left);
    clock_edge(&t);
    LOAD_WORD(&t.b, QUEUE, LOAD_RESUME, 0);
    clock_edge(&t);
    go(&t);
    offer(&t, words, 7);
    assert_int_equal(writes_of_a_stopped_packet(&t, DONE + 1, BY_FENCE), DWORDS);
    committed(&t, 7, false);
    assert_int_equal(t.b.d.address, 0x100c);
}

// A register is no write that can fail.
static void priority_write_is_not_cut(void **state)
{
    const uint32_t own = 0x4006 + 0x40 * QUEUE, words[] = {HEADER(WRITE_DATA, 6), 1u << 16, own, 0, 1, 2, 3};
    execute_bench  t;
    unsigned       count = 0;
    (void)state;
    open_bench(&t);
    offer(&t, words, 7);
    to_clock(&t, 4);
    halt(&t, BY_FENCE, QUEUE);
    LEVEL(&t.b, arbiter_active[QUEUE], false);
    for (; t.now < DONE; clock_edge(&t))
        count += t.b.o.priority_write;
    committed(&t, 7, false);
    assert_int_equal(count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leave_meets_a_header),
        cmocka_unit_test(leave_meets_a_packet),
        cmocka_unit_test(leave_after_executed),
        cmocka_unit_test(halts),
        cmocka_unit_test(moved),
        cmocka_unit_test(halt_of_the_selected_queue),
        cmocka_unit_test(write_data_is_cut),
        cmocka_unit_test(cut_packet_begins_anew),
        cmocka_unit_test(priority_write_is_not_cut),
    };

    return cmocka_run_group_tests_name("execute_leave", tests, NULL, NULL);
}

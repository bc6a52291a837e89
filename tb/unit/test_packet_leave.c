// SPDX-License-Identifier: Apache-2.0
//
// totem_packet: leaving meets packets, halts, the sources' switch (docs/contract/packet.md).

#include "packet_bench.h"

static void leave_meets_a_header(void **state)
{
    static const uint32_t words[] = {0, 0, 0};
    packet_bench          t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 3);
    clock_edge(&t);
    t.b.i.arbiter_leave = true;
    clock_edge(&t);
    assert_true(t.b.o.left);
    t.left = 0;
    clock_edge(&t);
    assert_int_equal(t.b.s.dwords.count, 0); // it comes again with the next go
    assert_int_equal(t.b.s.phase, PACKET_IDLE);
    assert_false(t.b.o.error_valid || t.b.o.left);
}

static void leave_meets_a_packet(void **state)
{
    static const uint32_t words[] = {HEADER(NOP, 3), 0, 0, 0};
    packet_bench          t;
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
    packet_bench          t;
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
static void halt(packet_bench *t, halt_source source, uint8_t queue)
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
    packet_bench t;
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
    packet_bench t;
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
    packet_bench          t;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leave_meets_a_header),
        cmocka_unit_test(leave_meets_a_packet),
        cmocka_unit_test(leave_after_executed),
        cmocka_unit_test(halts),
        cmocka_unit_test(moved),
        cmocka_unit_test(halt_of_the_selected_queue),
    };

    return cmocka_run_group_tests_name("packet_leave", tests, NULL, NULL);
}

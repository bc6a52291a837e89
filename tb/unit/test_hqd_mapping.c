// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: mapping, and the jobs of mqd: with an MQD, by register MAP, the sources' switch (docs/contract/hqd.md).

#include "hqd_bench.h"

static void mapping(void **state)
{
    (void)state;
    for (unsigned quiet = 0; quiet < 2; quiet++) {
        static window_bench t;
        const uint32_t      control = 0x00308503 | (uint32_t)quiet << 27;
        open_bench(&t);
        put(&t, Q, 0, 0xfffffff8, 4, 0);
        put(&t, Q, 1, 0xffffff12, 4, 0);
        put(&t, Q, 4, 0x0be05300, 4, 0);
        put(&t, Q, 5, 0xfffffff2, 4, 0);
        put(&t, Q, 6, 0xfffffff9, 4, 0);
        put(&t, Q, 7, 0x7fff2aef, 4, 0);
        put(&t, Q, 8, 0x89abcdef, 4, 0);
        put(&t, Q, 10, 0xfffffff8, 4, 0);
        put(&t, Q, 11, 0x76543213, 4, 0);
        put(&t, Q, 12, 0xffffff98, 4, 0);
        put(&t, Q, 15, quiet ? 0xbfffffff : 1u << 30, 4, 0);
        put(&t, Q, 17, control, 4, 0);
        put(&t, Q, 54, 0x8, 4, 0); // as far ahead as the ring of 16 is long
        put(&t, Q, 2, 0xfffffff1, 26, 0);
        const load_word expected[] = {
            {14, Q, LOAD_PQ_BASE, 0x89abcdef00},
            {15, Q, LOAD_PQ_CONTROL, control},
            {16, Q, LOAD_RPTR, 0xfffffff8},
            {17, Q, LOAD_WPTR, 0x8},
            {19, Q, LOAD_REPORT_ADDR, quiet ? 0 : 0x9876543210},
            {21, Q, LOAD_MQD_ADDR, 0x12fffffff8},
            {22, Q, LOAD_QUANTUM, 0x7fff2aef},
            {23, Q, LOAD_PIPE_PRIORITY, 2},
            {24, Q, LOAD_POLLED, quiet},
        };
        assert_int_equal(t.loads, 9); // ACTIVE comes from mqd
        assert_int_equal(t.b.o.request[Q], 1);
        for (unsigned n = 0; n < 9; n++) {
            assert_int_equal(t.load[n].clock, expected[n].clock);
            assert_int_equal(t.load[n].queue, expected[n].queue);
            assert_int_equal(t.load[n].kind, expected[n].kind);
            assert_int_equal(t.load[n].data, expected[n].data);
        }
        assert_int_equal(t.ram[Q * 64 + 2], 0xfffffff0);
        read_is(&t, Q, 2, 0xfffffff1);
        put(&t, Q, 2, 1, 4, 0); // once more: nothing happens
        assert_int_equal(t.loads, 0);
        read_is(&t, Q - 1, 2, 0);
    }
}

static void refused_mappings(void **state)
{
    static const struct {
        uint8_t  dword;
        uint32_t value;
        uint8_t  error;
    } rows[] = {
        {4, 0x0be05301, MAP_STATE},
        {4, 0x80000000, MAP_STATE},
        {5, 3, MAP_PIPE_PRIORITY},
        {17, 0x02308509, MAP_AQL},
        {17, 0x04308509, MAP_AQL},
        {17, 0x04308502, MAP_AQL}, // before the size
        {17, 0x00308502, MAP_QUEUE_SIZE},
        {17, 0x0030851f, MAP_QUEUE_SIZE},
        {17, 0x0030853f, MAP_QUEUE_SIZE},
        {21, 0x80000000, MAP_STATE},
        {0, 0x1004, MAP_MQD},
        {0, 1, MAP_MQD},
        {53, 1, MAP_AQL},
        {54, 1025, MAP_POINTERS}, // a ring of 1024
        {10, 1, MAP_POINTERS},    // the write pointer is behind
        {55, 0, MAP_NO_EPOCH},    // below
        {17, 0x00308503, 0},
        {17, 0x0030851e, 0},
        {54, 1024, 0},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        static window_bench t;
        open_bench(&t);
        put(&t, Q, 4, 0, 4, 0);
        put(&t, Q, rows[n].dword, rows[n].value, 4, 0);
        if (rows[n].error == MAP_NO_EPOCH)
            VIEW_HQD(&t, fence_room[Q], false);
        put(&t, Q, 2, 1, rows[n].error != 0 ? 13 : 26, rows[n].error);
        if (rows[n].error != 0)
            loads_are(&t, 1, 13, Q, LOAD_POLLED, 2); // a one-shot that was to come is forgotten
        else
            assert_int_equal(t.loads, 10);
        read_is(&t, Q, 2, rows[n].error == 0);
    }
}

// The first in the order of the steps is told.
static void first_refusal_counts(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    VIEW_HQD(&t, fence_room[Q], false);
    put(&t, Q, 5, 3, 4, 0);
    put(&t, Q, 17, 0, 4, 0);
    put(&t, Q, 53, 1, 4, 0);
    put(&t, Q, 54, 9999, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_PIPE_PRIORITY);
    put(&t, Q, 5, 0, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_QUEUE_SIZE);
    put(&t, Q, 17, 5, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_AQL);
    put(&t, Q, 53, 0, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_STATE); // PRELOAD_REQ without an MQD
    put(&t, Q, 4, 0x80000000, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_STATE); // DISP_ACTIVE without PRELOAD_REQ
    put(&t, Q, 4, 0, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_POINTERS);
    put(&t, Q, 54, 64, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_NO_EPOCH);
    VIEW_HQD(&t, fence_room[Q], true);
    put(&t, Q, 2, 1, 26, 0);
}

// A one-shot to come: whatever the window says, the queue is mapped empty. With an unfinished grid the packet of that
// is written, and the window counts.
static void mapped_for_a_one_shot(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 10, 100, 4, 0);
    put(&t, Q, 54, 9999, 4, 0);
    put(&t, Q, 4, 0, 4, 0);
    VIEW_HQD(&t, poll_once[Q - 1], true);
    put(&t, Q, 2, 1, 13, MAP_POINTERS);
    VIEW_HQD(&t, poll_once[Q], true);
    put(&t, Q, 2, 1, 26, 0);
    assert_int_equal(t.load[2].kind, LOAD_RPTR);
    assert_int_equal(t.load[2].data, 100);
    assert_int_equal(t.load[3].kind, LOAD_WPTR);
    assert_int_equal(t.load[3].data, 100);

    open_bench(&t);
    put(&t, Q, 0, 0x1000, 4, 0);
    put(&t, Q, 4, 1u << 31 | 1, 4, 0);
    put(&t, Q, 10, 100, 4, 0);
    put(&t, Q, 54, 9999, 4, 0);
    VIEW_HQD(&t, poll_once[Q], true);
    put(&t, Q, 2, 1, 26, 0); // with an unfinished grid too
    assert_int_equal(t.load[3].kind, LOAD_WPTR);
    assert_int_equal(t.load[3].data, 100);
}

// ---- jobs of mqd

// A mapping that needs its MQD waits for mqd; it may be called off meanwhile.
static void mapping_with_an_mqd(void **state)
{
    static window_bench t;
    (void)state;
    for (unsigned off = 0; off < 3; off++) {
        open_bench(&t);
        put(&t, Q, 0, 0x1000, 4, 0);
        put(&t, Q, 2, 1, 26, 0);
        assert_int_equal(t.loads, 9);
        assert_int_equal(t.b.o.request[Q], 1);
        read_is(&t, Q, 2, 1);
        read_is(&t, Q, 59, 10u << 16 | 0xa01);
        VIEW(&t, mqd_behind[Q], true);
        read_is(&t, Q, 59, 11u << 16 | 0xa01);
        guest(&t, 2, Q, LOAD_BUFFER, 0x123456789c, 0);
        assert_int_equal(t.load[0].kind, LOAD_BUFFER);
        assert_int_equal(t.load[0].data, 0x123456789c);
        if (off == 1)
            put(&t, Q, 2, 0, 4, 0);
        if (off == 2)
            put(&t, Q, 24, 4, 4, 0);
        assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 7, 0), off == 2 ? 4 : 0);
        assert_int_equal(t.load[0].data, off ? 0 : 7);
        assert_int_equal(t.b.o.request[Q], 0);
        read_is(&t, Q, 2, off == 0);
    }
}

// Register MAP: only mqd writes the window, and sets ACTIVE; the host is locked out.
static void window_from_an_mqd(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 60, 0x1004, 3, VALUE);
    for (uint8_t strobe = 0; strobe < 15; strobe++) { // a part of it is no address
        ask(&t, Q, 60, true, strobe, 0x1008);
        done(&t, 3, VALUE);
    }
    put(&t, Q, 60, 0x2008, 4, 0);
    guest(&t, 2, Q, LOAD_ACTIVE, 0, 0); // it could not be loaded: its one-shot is forgotten
    loads_are(&t, 1, 3, Q, LOAD_POLLED, 2);
    assert_int_equal(t.b.o.request[Q], 0);
    put(&t, Q, 60, 0x1008, 4, 0);
    assert_int_equal(t.ram[Q * 64], 0x1008);
    assert_int_equal(t.b.o.request[Q], 2);
    put(&t, Q, 60, 0x1008, 3, MAP_BUSY);
    put(&t, Q, 2, 1, 3, MAP_BUSY);
    put(&t, Q, 8, 5, 3, LOCKED);
    guest(&t, 1, Q, 4, 0, 0);
    guest(&t, 1, Q, 24, 7, 0);
    assert_int_equal(t.ram[Q * 64 + 24], 0);
    guest(&t, 1, Q, 5, 3, 0);
    assert_int_equal(guest(&t, 1, Q, 2, 1, MAP_PIPE_PRIORITY), 3); // the offending dword
    assert_int_equal(t.b.o.request[Q], 2);
    guest(&t, 1, Q, 5, 1, 0);
    guest(&t, 1, Q, 2, 1, 0);
    assert_int_equal(t.b.o.request[Q], 1); // its records are compared
    assert_int_equal(t.loads, 9);
    guest(&t, 2, Q, LOAD_ACTIVE, 1, 0);
    assert_int_equal(t.load[0].data, 1);
    map(&t, 0);
    put(&t, 0, 60, 0x1000, 3, MAP_BUSY);
}

// The arbiter's moves are jobs 5 and 6, which end with MOVED; what the host may do meanwhile.
static void moves(void **state)
{
    static window_bench t;
    (void)state;
    for (uint8_t move = 1; move <= 2; move++) {
        open_bench(&t);
        LEVEL(&t.b, arbiter_move, move);
        LEVEL(&t.b, arbiter_move_queue, Q);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 0); // no mapped queue
        LEVEL(&t.b, arbiter_move, 0);
        map(&t, Q);
        map(&t, 0);
        LEVEL(&t.b, arbiter_move, move);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 4 + move);
        assert_true(t.b.o.busy);
        VIEW(&t, packet_halted[Q], true);
        // While it is loaded it is never idle or empty.
        read_is(&t, Q, 59, 13u << 16 | 1u << 11 | (move == 1 ? 1u << 9 : 1u << 3) | 1u << 6 | 1u);
        read_is(&t, Q, 32, move == 1 ? 0x40000000 : 0);
        read_is(&t, Q, 17, move == 1 ? 0x00308509 : 0x00300509);
        put(&t, Q, 63, 1, 3, 0); // RESUME
        loads_are(&t, 1, 3, Q, LOAD_RESUME, 0);
        put(&t, Q, 63, 2, 3, move == 1 ? RESUME : 0); // SKIP: there is a packet, in its buffer perhaps
        put(&t, Q, 8, 5, 3, LOCKED);
        put(&t, Q, 7, 0x100, 4, 0);
        guest(&t, 1, Q, 8, 0x123, 0); // mqd may
        assert_int_equal(t.ram[Q * 64 + 8], 0x123);
        guest(&t, 2, Q, LOAD_RPTR, 7, 0);
        assert_int_equal(t.b.o.request[Q], 4 + move);
        assert_int_equal(guest(&t, 2, Q, LOAD_MOVED, 2, 0), 0);
        loads_are(&t, 1, 3, Q, LOAD_MOVED, 2);
        // The bench's arbiter holds its move: a new job, but not in the clock of the word.
        assert_int_equal(t.b.o.request[Q], 0);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 4 + move);
        LEVEL(&t.b, arbiter_move, 0);
        // A dequeue, or ACTIVE cleared: after the job.
        if (move == 1) {
            put(&t, Q, 24, 4, 4, 0);
            assert_int_equal(t.loads, 0);
        } else {
            put(&t, Q, 2, 0, 4, 0);
            loads_are(&t, 1, 3, Q, LOAD_ACTIVE, 0);
        }
        for (unsigned n = 0; n < 30; n++)
            clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 4 + move);
        read_is(&t, Q, 2, 1);
        guest(&t, 2, Q, LOAD_MOVED, 2, 0);
        for (unsigned n = 0; n < 10; n++)
            clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], move == 1 ? 3 : 0);
        read_is(&t, Q, 2, move == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapping),
        cmocka_unit_test(refused_mappings),
        cmocka_unit_test(first_refusal_counts),
        cmocka_unit_test(mapping_with_an_mqd),
        cmocka_unit_test(window_from_an_mqd),
        cmocka_unit_test(moves),
        cmocka_unit_test(mapped_for_a_one_shot),
    };

    return cmocka_run_group_tests_name("hqd_mapping", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: mapping, and the jobs of mqd: with an MQD, by register MAP, the sources' switch (docs/contract/hqd.md).

#include "hqd_bench.h"

RULE(mapping)
{
    for (unsigned quiet = 0; quiet < 2; quiet++) {
        const uint32_t control = 0x00308503 | (uint32_t)quiet << 27;
        const struct {
            uint8_t  dword;
            uint32_t value;
        } window[] = {
            {0, 0xfffffff8},
            {1, 0xffffff12},
            {4, 0x0be05300},
            {5, 0xfffffff2},
            {6, 0xfffffff9},
            {7, 0x7fff2aef},
            {8, 0x09abcdef},
            {9, 0xffffffff}, // bits 47:40: bit 39 at the memory port stands for them
            {10, 0xfffffff8},
            {11, 0x76543213},
            {12, 0xffff0018},
            {17, control},
            {54, 8}, // as far ahead as the ring of 16 is long
            {15, quiet ? 0xbfffffff : 1u << 30},
        };
        const load_word expected[] = {
            {18, Q, LOAD_PQ_BASE, 0x89abcdef00},
            {19, Q, LOAD_PQ_CONTROL, control},
            {20, Q, LOAD_RPTR, 0xfffffff8},
            {21, Q, LOAD_WPTR, 0x8},
            {23, Q, LOAD_REPORT_ADDR, quiet ? 0 : 0x1876543210},
            {25, Q, LOAD_MQD_ADDR, 0x92fffffff8},
            {26, Q, LOAD_QUANTUM, 0x7fff2aef},
            {27, Q, LOAD_PIPE_PRIORITY, 2},
            {28, Q, LOAD_POLLED, quiet},
        };
        open_bench(t);
        LEVEL(&t->b, settings_address_high, 0xff);
        for (unsigned n = 0; n < COUNT(window); n++)
            put(t, Q, window[n].dword, window[n].value, 4, 0);
        put(t, Q, 2, 0xfffffff1, 30, 0);
        assert_int_equal(t->loads, COUNT(expected)); // ACTIVE comes from mqd
        assert_int_equal(t->b.o.request[Q], REQUEST_PRELOAD);
        for (unsigned n = 0; n < COUNT(expected); n++) {
            t->load[0] = t->load[n];
            loads_are(t, COUNT(expected), expected[n].clock, expected[n].kind, expected[n].data);
        }
        assert_int_equal(t->ram[Q * 64 + 2], 0xfffffff0);
        read_is(t, Q, 2, 0xfffffff1);
        stored(t, 2, 1); // once more: nothing happens
        read_is(t, Q - 1, 2, 0);
    }
}

// A one-shot to come: whatever the window says, the queue is mapped empty; with an unfinished grid too.
RULE(mapped_for_a_one_shot)
{
    for (unsigned grid = 0; grid < 2; grid++) {
        open_bench(t);
        put(t, Q, 0, grid ? 0x1000 : 0, 4, 0);
        put(t, Q, 4, grid ? 1u << 31 | 1 : 0, 4, 0);
        put(t, Q, 10, 100, 4, 0);
        put(t, Q, 54, 9999, 4, 0);
        VIEW_HQD(t, poll_once[Q - 1], true);
        put(t, Q, 2, 1, 18, MAP_POINTERS);
        VIEW_HQD(t, poll_once[Q], true);
        put(t, Q, 2, 1, 30, 0);
        for (unsigned n = 2; n < 4; n++) {
            assert_int_equal(t->load[n].kind, n == 2 ? LOAD_RPTR : LOAD_WPTR);
            assert_int_equal(t->load[n].data, 100);
        }
    }
}

// ---- jobs of mqd

// Register MAP: only mqd writes the window, and sets ACTIVE; the host is locked out.
RULE(window_from_an_mqd)
{
    refused(t, 60, 0x1004, VALUE);
    for (uint8_t strobe = 0; strobe < 15; strobe++) { // a part of it is no address
        ask(t, Q, 60, true, strobe, 0x1008);
        done(t, 3, VALUE);
    }
    put(t, Q, 60, 0x2008, 4, 0);
    job_ends(t, Q, 0); // it could not be loaded: its one-shot is forgotten
    loads_are(t, 1, 3, LOAD_POLLED, 2);
    assert_int_equal(t->b.o.request[Q], REQUEST_NONE);
    put(t, Q, 60, 0x1008, 4, 0);
    assert_int_equal(t->ram[Q * 64], 0x1008);
    assert_int_equal(t->b.o.request[Q], REQUEST_WINDOW);
    refused(t, 60, 0x1008, MAP_BUSY);
    refused(t, 2, 1, MAP_BUSY);
    refused(t, 8, 5, LOCKED);
    mqd_access(t, 1, Q, 4, 0, 0);
    mqd_access(t, 1, Q, 24, 7, 0);
    assert_int_equal(t->ram[Q * 64 + 24], 0);
    mqd_access(t, 1, Q, 5, 3, 0);
    assert_int_equal(mqd_access(t, 1, Q, 2, 1, MAP_PIPE_PRIORITY), 3); // the offending dword
    assert_int_equal(t->b.o.request[Q], REQUEST_WINDOW);
    mqd_access(t, 1, Q, 5, 1, 0);
    mqd_access(t, 1, Q, 2, 1, 0);
    assert_int_equal(t->b.o.request[Q], REQUEST_PRELOAD); // its records are compared
    assert_int_equal(t->loads, 9);
    mqd_access(t, 2, Q, LOAD_ACTIVE, 1, 0);
    assert_int_equal(t->load[0].data, 1);
    map(t, 0);
    put(t, 0, 60, 0x1000, 3, MAP_BUSY);
}

// The arbiter's moves are jobs 5 and 6, which end with MOVED; what the host may do meanwhile.
RULE(moves)
{
    for (uint8_t move = 1; move <= 2; move++) {
        const bool save = move == 1;
        open_bench(t);
        LEVEL(&t->b, arbiter_move, move);
        LEVEL(&t->b, arbiter_move_queue, Q);
        clock_edge(t);
        assert_int_equal(t->b.o.request[Q], REQUEST_NONE); // no mapped queue
        LEVEL(&t->b, arbiter_move, 0);
        map(t, Q);
        map(t, 0);
        LEVEL(&t->b, arbiter_move, move);
        clock_edge(t);
        assert_int_equal(t->b.o.request[Q], 4 + move);
        assert_true(t->b.o.busy);
        VIEW(t, packet_halted[Q], true);
        // While it is loaded it is never idle or empty.
        read_is(t, Q, 59, 13u << 16 | 1u << 11 | (save ? 1u << 9 : 1u << 3) | 1u << 6 | 1u);
        read_is(t, Q, 32, save ? 0x40000000 : 0);
        read_is(t, Q, 17, save ? 0x00308509 : 0x00300509);
        sends(t, 63, 1, 3, LOAD_RESUME, 0);
        put(t, Q, 63, 2, 3, save ? RESUME : 0); // SKIP: there is a packet, in its buffer perhaps
        refused(t, 8, 5, LOCKED);
        put(t, Q, 7, 0x100, 4, 0);
        mqd_access(t, 1, Q, 8, 0x123, 0); // mqd may
        assert_int_equal(t->ram[Q * 64 + 8], 0x123);
        mqd_access(t, 2, Q, LOAD_RPTR, 7, 0);
        assert_int_equal(t->b.o.request[Q], 4 + move);
        assert_int_equal(mqd_access(t, 2, Q, LOAD_MOVED, 2, 0), 0);
        loads_are(t, 1, 3, LOAD_MOVED, 2);
        // The bench's arbiter holds its move: a new job, but not in the clock of the word.
        assert_int_equal(t->b.o.request[Q], REQUEST_NONE);
        clock_edge(t);
        assert_int_equal(t->b.o.request[Q], 4 + move);
        LEVEL(&t->b, arbiter_move, 0);
        // A dequeue, or ACTIVE cleared: after the job.
        if (save)
            stored(t, 24, 4);
        else
            sends(t, 2, 0, 4, LOAD_ACTIVE, 0);
        clocks(t, 30);
        assert_int_equal(t->b.o.request[Q], 4 + move);
        read_is(t, Q, 2, 1);
        mqd_access(t, 2, Q, LOAD_MOVED, 2, 0);
        clocks(t, 10);
        assert_int_equal(t->b.o.request[Q], save ? REQUEST_SAVE : REQUEST_NONE);
        read_is(t, Q, 2, save);
    }
}

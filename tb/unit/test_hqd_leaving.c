// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: queues that leave: ACTIVE cleared, dequeue requests, resets (docs/contract/hqd.md).

#include "hqd_bench.h"

static void cleared_while_selected(window_bench *t)
{
    map(t, Q);
    pipe_of_q(t, true);
    put(t, Q, 2, 0, 4, 0);
}

RULE(while_it_leaves)
{
    cleared_while_selected(t);
    read_is(t, Q, 2, 1); // until the pipe has let go of it
    refused(t, 2, 1, MAP_BUSY);
    stored(t, 2, 0); // no second message
    ring_bell(t, Q, 0, 3, UNMAPPED);
    for (uint8_t d = 0; d < 56; d++)
        if (d != 2 && d != 24)
            refused(t, d, 0, LOCKED);
    stored(t, 24, 0); // no request is pending
    refused(t, 24, 1, LOCKED);
    assert_true(t->b.s.leaving[Q]);
    DRAIN(t, arbiter_active[Q], true);
    pipe_of_q(t, false);
    read_is(t, Q, 2, 1); // the arbiter has it still
    assert_true(t->b.s.leaving[Q]);
    DRAIN(t, arbiter_active[Q], false);
    clock_edge(t);
    assert_true(t->b.o.ram_write_enable);
    clocks(t, 2);
    read_is(t, Q, 2, 0);
    put(t, Q, 2, 1, 30, 0);
}

// ---- requests

RULE(dequeue_requests)
{
    static const uint8_t types[] = {1, 3, 4};
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        for (uint32_t v = 1; v <= 7; v++)
            if (v != 2 && (!mapped || v > 4))
                refused(t, 24, v, v <= 4 ? DEQUEUE : DEQUEUE_TYPE);
        read_is(t, Q, 24, 0);
        stored(t, 24, 0x18);
        read_is(t, Q, 24, 8);
        stored(t, 24, 0);
        if (!mapped)
            map(t, Q);
    }
    for (unsigned n = 0; n < COUNT(types); n++) {
        const bool leave = types[n] == 4; // the others wait for its waves
        DRAIN(t, fence_settled[Q], false);
        DRAIN(t, record_busy[Q], true);
        stored(t, 24, types[n] | 0x100); // the queue keeps its grid
        assert_true(t->b.o.dequeuing[Q] && t->b.o.busy);
        read_is(t, Q, 24, types[n] | 0x100u);
        refused(t, 24, 4, LOCKED);
        clocks(t, 20);
        assert_true(t->b.o.leaving[Q]);
        assert_int_equal(t->b.o.parting[Q], leave);
        assert_int_equal(t->b.o.request[Q], REQUEST_NONE); // its records
        DRAIN(t, record_busy[Q], false);
        clocks(t, 2);
        assert_int_equal(t->b.o.request[Q], leave ? REQUEST_SAVE : REQUEST_NONE);
        DRAIN(t, fence_settled[Q], true);
        clocks(t, 2);
        assert_int_equal(t->b.o.request[Q], REQUEST_SAVE);
        assert_int_equal(t->b.o.drains, n > 0);
        job_ends(t, Q, types[n]);
        loads_are(t, 1, 3, LOAD_ACTIVE, 0);
        assert_false(t->b.o.request[Q] || t->b.o.dequeuing[Q] || t->b.o.busy);
        read_is(t, Q, 2, 0);
        read_is(t, Q, 24, 0x100);
        map(t, Q);
    }
}

// The run list asks, and perhaps the host for a reset behind that, or the other way round: the host is told of its own.
RULE(requests_of_the_run_list)
{
    for (unsigned who = 0; who < 4; who++) {
        map(t, Q);
        DRAIN(t, fence_settled[Q], false);
        LEVEL(&t->b, host_request_quiet, who & 1);
        stored(t, 24, 1);
        LEVEL(&t->b, host_request_quiet, who & 2);
        stored(t, 24, 2);
        LEVEL(&t->b, host_request_quiet, false);
        clocks(t, 12);
        kill_ends(t, Q);
        DRAIN(t, fence_settled[Q], true);
        clocks(t, 2);
        job_ends(t, Q, who == 3 ? 0 : 2);
        read_is(t, Q, 2, 0);
    }
}

// Waits for kill, then asks for the save; the slot is dropping all the while.
static void killed(window_bench *t, uint8_t job)
{
    clocks(t, 12);
    assert_true(t->b.o.killing[Q] && t->b.o.dropping[Q] && t->b.o.busy);
    assert_int_equal(t->b.o.request[Q], REQUEST_NONE);
    read_is(t, Q, 24, 2);
    kill_ends(t, Q);
    assert_int_equal(t->b.o.request[Q], job);
    for (unsigned n = 0; n < 6; n++, clock_edge(t))
        assert_true(t->b.o.dropping[Q] && !t->b.o.killing[Q]);
    job_ends(t, Q, 2);
    assert_int_equal(t->loads, job == 3);
    assert_int_equal(t->b.o.request[Q], REQUEST_NONE);
    assert_false(t->b.o.dropping[Q] || t->b.o.busy || t->b.o.killing[Q]);
    read_is(t, Q, 24, 0);
}

// The save ends, without an interrupt, and the reset begins.
RULE(reset_while_the_slot_is_saved_for_another_request)
{
    map(t, Q);
    put(t, Q, 24, 4, 4, 0);
    clocks(t, 20);
    assert_int_equal(t->b.o.request[Q], REQUEST_SAVE);
    stored(t, 24, 2);
    stored(t, 24, 2);
    refused(t, 24, 1, LOCKED);
    read_is(t, Q, 24, 2);
    clocks(t, 20);
    assert_true(t->b.o.resetting[Q] && !t->b.o.dropping[Q] && !t->b.o.killing[Q]);
    assert_int_equal(t->b.o.request[Q], REQUEST_SAVE);
    job_ends(t, Q, 0);
    assert_int_equal(t->loads, 1);
    read_is(t, Q, 2, 0);
    refused(t, 2, 1, MAP_BUSY);
    killed(t, 7);
    assert_false(t->b.o.resetting[Q]);
}

// Queue 1 leaves, in that way, while Q is being killed.
static void another_leaves(window_bench *t, uint32_t way)
{
    map(t, 1);
    ask(t, 1, way ? 24 : 2, true, 0xf, way);
    for (unsigned n = 0; n < 25; n++, clock_edge(t)) {
        assert_true(t->b.o.killing[Q]);
        if (t->b.o.host_done)
            t->access.host_valid = false;
    }
}

// Others that leave, in any way, do not touch a kill, of a slot with a queue or without: it rises once and falls with
// the job. Only the job waits for them.
RULE(kill_stays)
{
    static const uint32_t ways[] = {0, 4, 1, 2};
    for (unsigned row = 0; row < 2 * COUNT(ways); row++) {
        const uint32_t way    = ways[row / 2];
        const bool     active = row % 2;
        unsigned       waited = 0;
        open_bench(t);
        if (active)
            map(t, Q);
        put(t, Q, 24, 2, 4, 0);
        clocks(t, 12);
        another_leaves(t, way);
        if (way == 0)
            another_leaves(t, 0); // again
        if (way == 2) {           // and is killed itself
            assert_true(t->b.o.killing[1]);
            kill_ends(t, 1);
            assert_true(t->b.o.killing[Q] && !t->b.o.killing[1]);
        }
        if (way != 0)
            job_ends(t, 1, way);
        read_is(t, 1, 2, 0);
        map(t, 1);
        put(t, 1, 2, 0, 4, 0);
        for (DRAIN(t, kill_ended[Q], true); t->b.o.killing[Q]; waited++)
            clock_edge(t);
        assert_int_equal(waited, active ? 6 : 1); // the other one settles
        assert_int_equal(t->b.o.request[Q], active ? REQUEST_SAVE : REQUEST_END);
        DRAIN(t, kill_ended[Q], false);
        clocks(t, 20);
        job_ends(t, Q, 2);
        assert_false(t->b.o.resetting[Q] || t->b.o.killing[Q]);
    }
}

// A slot that is not known to be out waits for the last one that left.
RULE(kill_begins_when_all_have_settled)
{
    map(t, Q);
    map(t, 1);
    put(t, Q, 24, 2, 4, 0);
    assert_false(t->b.o.killing[Q]);
    put(t, 1, 2, 0, 4, 0);
    while (!t->b.o.killing[Q])
        clock_edge(t);
    assert_int_equal(t->now, 11);
}

// DRAINS stays at its end.
RULE(drains_saturate)
{
    t->b.s.drains = 0xfffe;
    for (unsigned n = 0; n < 3; n++) {
        map(t, Q);
        put(t, Q, 24, 3, 4, 0);
        assert_int_equal(t->b.o.drains, 0xffff);
        clocks(t, 20);
        job_ends(t, Q, 3);
    }
}

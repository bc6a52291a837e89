// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: a slot waits for the last report of its queue's read pointer, whatever way the queue leaves
// (docs/contract/hqd.md, *writing*). A kill has always ended at once.

#include "hqd_bench.h"

enum { LONG = 400, ACTIVE = 2, DEQUEUE_REQUEST = 24 };
enum { CLEARED = DEQUEUE_NONE }; // a way to leave: ACTIVE is cleared

// In whatever clock.
static void writes(window_bench *t, uint8_t queue, uint8_t dword, uint32_t data, uint8_t error)
{
    ask(t, queue, dword, true, 0xf, data);
    ends(t, error);
}

static void leave(window_bench *t, uint8_t queue, uint32_t way)
{
    writes(t, queue, way == CLEARED ? ACTIVE : DEQUEUE_REQUEST, way, 0);
}

// It can neither be saved nor mapped, and stays as it is.
static void stays(window_bench *t, uint32_t way)
{
    for (unsigned n = 0; n < LONG; n++) {
        assert_true(t->b.s.active[Q] && t->b.o.leaving[Q]);
        assert_int_equal(t->b.o.request[Q], REQUEST_NONE);
        assert_false(t->b.o.ram_write_enable);
        clock_edge(t);
    }
    writes(t, Q, ACTIVE, 1, MAP_BUSY);
    assert_int_equal(t->b.o.killing[Q], way == DEQUEUE_RESET);
    assert_int_equal(t->b.o.parting[Q], way == CLEARED || way == DEQUEUE_LEAVE || way == DEQUEUE_RESET);
}

// Within a few clocks it is saved, or free.
static void goes(window_bench *t, uint8_t queue, uint32_t way)
{
    clocks(t, 4);
    if (way != CLEARED) {
        assert_int_equal(t->b.o.request[queue], REQUEST_SAVE);
        job_ends(t, queue, way);
    }
    assert_false(t->b.s.active[queue] || t->b.o.leaving[queue] || t->b.o.dequeuing[queue]);
}

// A reset takes the place of what waits for a report, and waits for it as well; the kill's end is not kept.
RULE(reset_waits_too)
{
    static const uint8_t ways[] = {CLEARED, DEQUEUE_DRAIN, DEQUEUE_SAVE_WAVES, DEQUEUE_LEAVE};
    for (unsigned n = 0; n < COUNT(ways); n++) {
        map(t, Q);
        DRAIN(t, fetch_reporting[Q], true);
        leave(t, Q, ways[n]);
        clocks(t, 20);
        DRAIN(t, kill_ended[Q], true);
        leave(t, Q, DEQUEUE_RESET);
        clocks(t, 2);
        stays(t, DEQUEUE_RESET);
        assert_true(t->b.o.resetting[Q] && t->b.o.dropping[Q]);
        DRAIN(t, kill_ended[Q], false);
        DRAIN(t, fetch_reporting[Q], false);
        stays(t, DEQUEUE_RESET);
        DRAIN(t, kill_ended[Q], true);
        goes(t, Q, DEQUEUE_RESET);
    }
    // Of a slot that is not active there is no report; one that showed would hold it all the same.
    DRAIN(t, fetch_reporting[Q], true);
    leave(t, Q, DEQUEUE_RESET);
    clocks(t, LONG);
    assert_int_equal(t->b.o.request[Q], REQUEST_NONE);
    DRAIN(t, fetch_reporting[Q], false);
    clocks(t, 2);
    assert_int_equal(t->b.o.request[Q], REQUEST_END);
    job_ends(t, Q, DEQUEUE_RESET);
}

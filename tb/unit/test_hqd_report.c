// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: a slot waits for the last report of its queue's read pointer, whatever way the queue leaves (docs/contract/hqd.md,
// *writing*).

#include "block_bench.h"

#include "totem_hqd.h"

BENCH(hqd)

enum { WORDS = TOTEM_QUEUES * 64, Q = TOTEM_QUEUES - 2, OTHER = Q + 1, LONG = 400 };
enum { ACTIVE = 2, MQD_BASE = 0, PERSISTENT = 4, DEQUEUE = 24, STATE = 59 };
enum { CLEARED = 0, DRAIN = 1, RESET = 2, SAVE_WAVES = 3, LEAVE = 4 }; // ways to leave
enum { JOB_PRELOAD = 1, JOB_SAVE = 3, JOB_END = 7, MAP_BUSY = 16 };

typedef struct {
    bench    b;
    uint32_t ram[WORDS];
} slots;

static void edge(slots *t)
{
    const totem_hqd_out o    = t->b.o;
    const uint32_t      read = o.ram_read_enable ? t->ram[o.ram_read_addr] : t->b.hold.ram_read_data;
    if (o.ram_write_enable)
        t->ram[o.ram_write_addr] = o.ram_write_data;
    if (o.load_valid && o.load_kind == 0)
        LEVEL(&t->b, arbiter_active[o.load_queue], (o.load_data & 1) != 0);
    tick(&t->b);
    LEVEL(&t->b, ram_read_data, read);
    assert_true(totem_hqd_invariant(&t->b.s));
}

static void edges(slots *t, unsigned count)
{
    while (count--)
        edge(t);
}

static uint8_t put(slots *t, unsigned queue, uint8_t dword, uint32_t data)
{
    LEVEL(&t->b, host_valid, true);
    LEVEL(&t->b, host_write, true);
    LEVEL(&t->b, host_queue, (uint8_t)queue);
    LEVEL(&t->b, host_dword, dword);
    LEVEL(&t->b, host_strobe, 15);
    LEVEL(&t->b, host_data, data);
    for (unsigned n = 0; !t->b.o.host_done; n++) {
        assert_true(n < 100);
        edge(t);
    }
    const uint8_t error  = t->b.o.host_error;
    t->b.hold.host_valid = false;
    edge(t);
    return error;
}

// mqd ends its job of the queue: the word ACTIVE.
static uint32_t job_ends(slots *t, unsigned queue, uint64_t active)
{
    LEVEL(&t->b, mqd_valid, true);
    LEVEL(&t->b, mqd_kind, 2);
    LEVEL(&t->b, mqd_queue, (uint8_t)queue);
    LEVEL(&t->b, mqd_dword, 0);
    LEVEL(&t->b, mqd_data, active);
    for (unsigned n = 0; !t->b.o.mqd_done; n++) {
        assert_true(n < 100);
        edge(t);
    }
    const uint32_t answer = t->b.o.mqd_rdata;
    t->b.hold.mqd_valid   = false;
    edge(t);
    return answer;
}

static void map(slots *t, unsigned queue)
{
    assert_int_equal(put(t, queue, PERSISTENT, 0x0be05300), 0);
    assert_int_equal(put(t, queue, ACTIVE, 1), 0);
    assert_true(t->b.s.active[queue]);
}

static void open_slots(slots *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        t->b.hold.fence_room[q] = t->b.hold.fence_idle[q] = t->b.hold.fence_settled[q] = t->b.hold.kill_ended[q] = true;
    t->b.i = t->b.hold;
    edges(t, WORDS);
}

static void leave(slots *t, unsigned queue, uint32_t way)
{
    assert_int_equal(put(t, queue, way == CLEARED ? ACTIVE : DEQUEUE, way), 0);
}

// It can neither be saved nor mapped, and stays as it is.
static void stays(slots *t, uint32_t way)
{
    for (unsigned n = 0; n < LONG; n++) {
        assert_true(t->b.s.active[Q] && t->b.o.leaving[Q]);
        assert_int_equal(t->b.o.request[Q], 0);
        assert_false(t->b.o.ram_write_enable);
        edge(t);
    }
    assert_int_equal(put(t, Q, ACTIVE, 1), MAP_BUSY);
    assert_int_equal(t->b.o.killing[Q], way == RESET);
    assert_int_equal(t->b.o.parting[Q], way == CLEARED || way == LEAVE || way == RESET);
}

// Within a few clocks it is saved, or free.
static void goes(slots *t, uint32_t way)
{
    edges(t, 4);
    if (way != CLEARED) {
        assert_int_equal(t->b.o.request[Q], JOB_SAVE);
        assert_int_equal(job_ends(t, Q, 0), way);
    }
    assert_false(t->b.s.active[Q] || t->b.o.leaving[Q] || t->b.o.dequeuing[Q]);
}

static void every_way_waits(void **state)
{
    static slots t;
    (void)state;
    open_slots(&t);
    for (uint32_t way = CLEARED; way <= LEAVE; way++)
        for (unsigned order = 0; order < 3; order++) {
            map(&t, Q);
            LEVEL(&t.b, arbiter_selected_valid, true);
            LEVEL(&t.b, arbiter_selected, Q);
            LEVEL(&t.b, fetch_reporting[Q], order == 0); // of an earlier read pointer; else the last one only
            leave(&t, Q, way);
            edges(&t, 20);
            assert_int_equal(t.b.o.request[Q], 0);
            LEVEL(&t.b, arbiter_selected_valid, false); // it has left, and reports
            LEVEL(&t.b, fetch_reporting[Q], true);
            LEVEL(&t.b, record_busy[Q], order == 2); // the record is longer
            edges(&t, 2);
            stays(&t, way);
            if (order == 2) {
                LEVEL(&t.b, fetch_reporting[Q], false);
                stays(&t, way);
                LEVEL(&t.b, record_busy[Q], false);
            } else
                LEVEL(&t.b, fetch_reporting[Q], false);
            goes(&t, way);
        }
}

// The report of another queue is no business of this one's; of two that leave the one without a report goes first.
static void only_its_own(void **state)
{
    static slots t;
    (void)state;
    open_slots(&t);
    for (uint32_t way = CLEARED; way <= LEAVE; way++) {
        map(&t, Q);
        map(&t, OTHER);
        LEVEL(&t.b, fetch_reporting[OTHER], true);
        leave(&t, OTHER, way);
        leave(&t, Q, way);
        edges(&t, 12);
        goes(&t, way);
        assert_true(t.b.s.active[OTHER] && t.b.o.leaving[OTHER]);
        LEVEL(&t.b, fetch_reporting[OTHER], false);
        edges(&t, 4);
        if (way != CLEARED)
            assert_int_equal(job_ends(&t, OTHER, 0), way);
        assert_false(t.b.s.active[OTHER]);
    }
}

// A reset takes the place of what waits for a report, and waits for it as well; the kill's end is not kept.
static void reset_waits_too(void **state)
{
    static slots   t;
    const uint32_t ways[] = {CLEARED, DRAIN, SAVE_WAVES, LEAVE};
    (void)state;
    open_slots(&t);
    for (unsigned n = 0; n < sizeof ways / sizeof ways[0]; n++) {
        map(&t, Q);
        LEVEL(&t.b, fetch_reporting[Q], true);
        leave(&t, Q, ways[n]);
        edges(&t, 20);
        leave(&t, Q, RESET);
        edges(&t, 2);
        stays(&t, RESET);
        assert_true(t.b.o.resetting[Q] && t.b.o.dropping[Q]);
        LEVEL(&t.b, kill_ended[Q], false);
        LEVEL(&t.b, fetch_reporting[Q], false);
        stays(&t, RESET);
        LEVEL(&t.b, kill_ended[Q], true);
        goes(&t, RESET);
    }
    // Of a slot that is not active there is no report; one that showed would hold it all the same.
    LEVEL(&t.b, fetch_reporting[Q], true);
    leave(&t, Q, RESET);
    edges(&t, LONG);
    assert_int_equal(t.b.o.request[Q], 0);
    LEVEL(&t.b, fetch_reporting[Q], false);
    edges(&t, 2);
    assert_int_equal(t.b.o.request[Q], JOB_END);
    assert_int_equal(job_ends(&t, Q, 0), RESET);
}

// A mapping that is called off, and the jobs of the sources' switch, have nothing to wait for.
static void no_wait(void **state)
{
    static slots t;
    (void)state;
    open_slots(&t);
    for (uint32_t way = CLEARED; way <= LEAVE; way++) {
        assert_int_equal(put(&t, Q, MQD_BASE, 0x1000), 0);
        map(&t, Q);
        assert_int_equal(t.b.o.request[Q], JOB_PRELOAD);
        leave(&t, Q, way);
        edges(&t, 20);
        job_ends(&t, Q, 1); // complete, but called off
        assert_false(t.b.s.active[Q]);
        assert_int_equal(t.b.o.dequeuing[Q], 0);
    }
    assert_int_equal(put(&t, Q, MQD_BASE, 0), 0);
    map(&t, Q);
    LEVEL(&t.b, fetch_reporting[Q], true);
    LEVEL(&t.b, arbiter_move, 1);
    LEVEL(&t.b, arbiter_move_queue, Q);
    edges(&t, 2);
    assert_int_equal(t.b.o.request[Q], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_waits),
        cmocka_unit_test(only_its_own),
        cmocka_unit_test(reset_waits_too),
        cmocka_unit_test(no_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

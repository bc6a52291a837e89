// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: queues that leave: ACTIVE cleared, dequeue requests, resets (docs/contract/hqd.md).

#include "hqd_bench.h"

static void leaves(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    map(&t, Q);
    VIEW_HQD(&t, fetch_rptr[Q], 0x1234);
    VIEW_HQD(&t, fetch_wptr[Q], 0x5678);
    put(&t, Q, 2, 0xf0, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_ACTIVE, 0);
    for (; t.now < 11; clock_edge(&t)) // settles
        assert_false(t.b.o.ram_write_enable);
    assert_true(t.b.o.ram_write_enable);
    assert_int_equal(t.b.o.ram_write_addr, Q * 64 + 10);
    assert_int_equal(t.b.o.ram_write_data, 0x1234);
    clock_edge(&t);
    assert_true(t.b.o.ram_write_enable);
    assert_int_equal(t.b.o.ram_write_addr, Q * 64 + 54);
    assert_int_equal(t.b.o.ram_write_data, 0x5678);
    clock_edge(&t);
    assert_false(t.b.o.ram_write_enable);
    VIEW_HQD(&t, fetch_rptr[Q], 0);
    VIEW_HQD(&t, fetch_wptr[Q], 0);
    read_is(&t, Q, 2, 0xf0);
    read_is(&t, Q, 10, 0x1234);
    read_is(&t, Q, 54, 0x5678);
}

// Queue Q has the pipe, and its ACTIVE is cleared.
static void cleared_while_selected(window_bench *t)
{
    open_bench(t);
    map(t, Q);
    VIEW_DRAIN(t, arbiter_selected, Q);
    VIEW_DRAIN(t, arbiter_selected_valid, true);
    put(t, Q, 2, 0, 4, 0);
}

static void while_it_leaves(void **state)
{
    static window_bench t;
    (void)state;
    cleared_while_selected(&t);
    read_is(&t, Q, 2, 1); // until the pipe has let go of it
    put(&t, Q, 2, 1, 3, MAP_BUSY);
    put(&t, Q, 2, 0, 4, 0); // no second message
    assert_int_equal(t.loads, 0);
    ring_bell(&t, Q, 0, 3, UNMAPPED);
    for (uint8_t d = 0; d < 56; d++)
        if (d != 2 && d != 24)
            put(&t, Q, d, 0, 3, LOCKED);
    put(&t, Q, 24, 0, 4, 0); // no request is pending
    put(&t, Q, 24, 1, 3, LOCKED);
    assert_true(t.b.s.leaving[Q]);
    DRAIN(&t, arbiter_active[Q], true);
    VIEW_DRAIN(&t, arbiter_selected_valid, false);
    read_is(&t, Q, 2, 1); // the arbiter has it still
    assert_true(t.b.s.leaving[Q]);
    DRAIN(&t, arbiter_active[Q], false);
    clock_edge(&t);
    assert_true(t.b.o.ram_write_enable);
    clock_edge(&t);
    clock_edge(&t);
    read_is(&t, Q, 2, 0);
    put(&t, Q, 2, 1, 26, 0);
}

static void finishing_meets_an_access(void **state)
{
    static window_bench t;
    (void)state;
    cleared_while_selected(&t);
    for (unsigned n = 0; n < 20; n++)
        clock_edge(&t);
    VIEW_DRAIN(&t, arbiter_selected_valid, false);
    ask(&t, Q, 2, false, 0, 0);
    clock_edge(&t);
    assert_true(t.b.o.ram_write_enable);
    while (t.now < 6)
        clock_edge(&t);
    assert_int_equal(t.b.o.host_rdata, 0);
    done(&t, 6, 0);
}

static void lowest_leaves_first(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    map(&t, 1);
    map(&t, Q);
    put(&t, Q, 2, 0, 4, 0);
    put(&t, 1, 2, 0, 4, 0);
    while (!t.b.o.ram_write_enable)
        clock_edge(&t);
    assert_int_equal(t.now, 11); // settles anew
    assert_int_equal(t.b.o.ram_write_addr, 64 + 10);
    clock_edge(&t);
    clock_edge(&t);
    assert_false(t.b.o.ram_write_enable);
    clock_edge(&t);
    assert_true(t.b.o.ram_write_enable);
    assert_int_equal(t.b.o.ram_write_addr, Q * 64 + 10);
}

// ---- requests

static void dequeue_requests(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        for (uint32_t v = 1; v <= 7; v++)
            if (v != 2 && (!mapped || v > 4))
                put(&t, Q, 24, v, 3, v <= 4 ? DEQUEUE : DEQUEUE_TYPE);
        read_is(&t, Q, 24, 0);
        put(&t, Q, 24, 0x18, 4, 0);
        read_is(&t, Q, 24, 8);
        put(&t, Q, 24, 0, 4, 0);
        if (!mapped)
            map(&t, Q);
    }
    for (unsigned n = 0; n < 3; n++) {
        static const uint8_t types[3] = {1, 3, 4};
        DRAIN(&t, fence_settled[Q], false);
        DRAIN(&t, record_busy[Q], true);
        put(&t, Q, 24, types[n] | 0x100, 4, 0);
        assert_int_equal(t.loads, 0); // the queue keeps its grid
        assert_true(t.b.o.dequeuing[Q] && t.b.o.busy);
        read_is(&t, Q, 24, types[n] | 0x100u);
        put(&t, Q, 24, 4, 3, LOCKED);
        for (unsigned k = 0; k < 20; k++)
            clock_edge(&t);
        assert_true(t.b.o.leaving[Q]);
        assert_int_equal(t.b.o.parting[Q], types[n] == 4);
        assert_int_equal(t.b.o.request[Q], 0); // its records
        DRAIN(&t, record_busy[Q], false);
        clock_edge(&t);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], types[n] == 4 ? 3 : 0); // the others wait for its waves
        DRAIN(&t, fence_settled[Q], true);
        clock_edge(&t);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 3);
        assert_int_equal(t.b.o.drains, n > 0);
        assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), types[n]);
        assert_int_equal(t.loads, 1);
        assert_int_equal(t.load[0].kind, LOAD_ACTIVE);
        assert_int_equal(t.load[0].data, 0);
        assert_int_equal(t.b.o.request[Q], 0);
        assert_false(t.b.o.dequeuing[Q] || t.b.o.busy);
        read_is(&t, Q, 2, 0);
        read_is(&t, Q, 24, 0x100);
        map(&t, Q);
    }
}

// ACTIVE = 0 takes the place of a request that waits, but not of a reset, nor of a save that is asked for.
static void cleared_in_place_of_a_request(void **state)
{
    static window_bench t;
    (void)state;
    for (uint32_t type = 1; type <= 4; type++)
        for (unsigned saving = 0; saving < 2; saving++) {
            const bool taken = type != 2 && !saving;
            open_bench(&t);
            map(&t, Q);
            DRAIN(&t, fence_settled[Q], saving);
            DRAIN(&t, record_busy[Q], !saving);
            DRAIN(&t, kill_ended[Q], saving);
            put(&t, Q, 24, type, 4, 0);
            for (unsigned k = 0; k < 20; k++)
                clock_edge(&t);
            assert_int_equal(t.b.o.request[Q], saving ? 3 : 0);
            put(&t, Q, 2, 0, 4, 0);
            if (taken)
                loads_are(&t, 1, 3, Q, LOAD_ACTIVE, 0);
            else
                assert_int_equal(t.loads, 0);
            read_is(&t, Q, 24, taken ? 0 : type);
            put(&t, Q, 24, 0, taken ? 4 : 3, taken ? 0 : LOCKED); // as drivers write it next
            DRAIN(&t, arbiter_active[Q], !taken);
            DRAIN(&t, record_busy[Q], false);
            for (unsigned k = 0; k < 20; k++)
                clock_edge(&t);
            read_is(&t, Q, 2, !taken);
            assert_int_equal(t.b.o.request[Q], saving ? 3 : 0);
        }
}

// Waits for kill, then asks for the save; the slot is dropping all the while.
static void killed(window_bench *t, uint8_t job)
{
    for (unsigned k = 0; k < 12; k++)
        clock_edge(t);
    assert_true(t->b.o.killing[Q] && t->b.o.dropping[Q] && t->b.o.busy);
    assert_int_equal(t->b.o.request[Q], 0);
    read_is(t, Q, 24, 2);
    DRAIN(t, kill_ended[Q], true);
    clock_edge(t);
    DRAIN(t, kill_ended[Q], false);
    assert_false(t->b.o.killing[Q]);
    assert_true(t->b.o.dropping[Q]);
    assert_int_equal(t->b.o.request[Q], job);
    for (unsigned k = 0; k < 5; k++)
        clock_edge(t);
    assert_false(t->b.o.killing[Q]);
    t->loads = 0;
    assert_int_equal(guest(t, 2, Q, LOAD_ACTIVE, 0, 0), 2);
    assert_int_equal(t->loads, job == 3);
    assert_int_equal(t->b.o.request[Q], 0);
    assert_false(t->b.o.dropping[Q] || t->b.o.busy || t->b.o.killing[Q]);
    read_is(t, Q, 24, 0);
}

// Type 2: also in place of another request, also without an active queue.
static void resets(void **state)
{
    static window_bench t;
    (void)state;
    for (uint32_t first = 0; first < 5; first++) {
        if (first == 2)
            continue;
        open_bench(&t);
        map(&t, Q);
        DRAIN(&t, fence_settled[Q], false);
        VIEW_DRAIN(&t, arbiter_selected_valid, true); // it has the pipe
        VIEW_DRAIN(&t, arbiter_selected, Q);
        if (first != 0)
            put(&t, Q, 24, first, 4, 0);
        put(&t, Q, 24, 2, 4, 0);
        assert_int_equal(t.loads, 0);
        put(&t, Q, 24, 2, 4, 0);
        put(&t, Q, 24, 1, 3, LOCKED);
        DRAIN(&t, kill_ended[Q], true); // of an earlier one: not looked at before killing
        for (unsigned k = 0; k < 20; k++)
            clock_edge(&t);
        assert_false(t.b.o.killing[Q]);
        assert_int_equal(t.b.o.request[Q], 0);
        DRAIN(&t, kill_ended[Q], false);
        VIEW_DRAIN(&t, arbiter_selected_valid, false);
        DRAIN(&t, fence_settled[Q], true); // a drain would be done now
        killed(&t, 3);
        read_is(&t, Q, 2, 0);

        put(&t, Q, 24, 2, 4, 0); // what it left
        put(&t, Q, 2, 1, 3, MAP_BUSY);
        put(&t, Q, 60, 0x1000, 3, MAP_BUSY);
        put(&t, Q, 24, 4, 3, DEQUEUE);
        killed(&t, 7);
        map(&t, Q);
    }
    // While the slot is being saved for another request: the save ends, without an interrupt, and the reset begins.
    put(&t, Q, 24, 4, 4, 0);
    for (unsigned k = 0; k < 20; k++)
        clock_edge(&t);
    assert_int_equal(t.b.o.request[Q], 3);
    put(&t, Q, 24, 2, 4, 0);
    put(&t, Q, 24, 2, 4, 0);
    put(&t, Q, 24, 1, 3, LOCKED);
    read_is(&t, Q, 24, 2);
    for (unsigned k = 0; k < 20; k++)
        clock_edge(&t);
    assert_true(t.b.o.resetting[Q] && !t.b.o.dropping[Q] && !t.b.o.killing[Q]);
    assert_int_equal(t.b.o.request[Q], 3);
    t.loads = 0;
    assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), 0);
    assert_int_equal(t.loads, 1);
    read_is(&t, Q, 2, 0);
    put(&t, Q, 2, 1, 3, MAP_BUSY);
    killed(&t, 7);
    assert_false(t.b.o.resetting[Q]);
    // Of its own save a reset is pending already. It takes the place of a cleared ACTIVE.
    map(&t, Q);
    put(&t, Q, 24, 2, 4, 0);
    for (unsigned k = 0; k < 20; k++)
        clock_edge(&t);
    DRAIN(&t, kill_ended[Q], true);
    clock_edge(&t);
    DRAIN(&t, kill_ended[Q], false);
    assert_int_equal(t.b.o.request[Q], 3);
    put(&t, Q, 24, 2, 4, 0);
    assert_true(t.b.o.dropping[Q]);
    assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), 2);
    assert_false(t.b.o.resetting[Q] || t.b.o.busy);
    map(&t, Q);
    put(&t, Q, 2, 0, 4, 0);
    put(&t, Q, 24, 1, 3, LOCKED);
    DRAIN(&t, record_busy[Q], true); // it waits for an epoch
    put(&t, Q, 24, 2, 4, 0);
    assert_true(t.b.o.dropping[Q] && t.b.o.leaving[Q]);
    for (unsigned k = 0; k < 20; k++)
        clock_edge(&t);
    assert_true(t.b.o.killing[Q]);
    DRAIN(&t, record_busy[Q], false);
    DRAIN(&t, kill_ended[Q], true);
    clock_edge(&t);
    DRAIN(&t, kill_ended[Q], false);
    assert_int_equal(t.b.o.request[Q], 3);
    assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), 2);
    assert_false(t.b.o.resetting[Q] || t.b.o.busy);
}

// Queue 1 leaves, in that way, while Q is being killed, or has just become inactive.
static void another_leaves(window_bench *t, uint32_t way)
{
    map(t, 1);
    assert_true(t->b.o.killing[Q]);
    ask(t, 1, way ? 24 : 2, true, 0xf, way);
    while (!t->b.o.host_done) {
        assert_true(t->b.o.killing[Q]);
        clock_edge(t);
    }
    t->access.host_valid = false;
    for (unsigned k = 0; k < 20; k++) {
        clock_edge(t);
        assert_true(t->b.o.killing[Q]);
    }
}

// Others that leave, in any way, do not touch a kill: it rises once and falls with the job. Only the job waits for
// them.
static void kill_stays(void **state)
{
    enum { IN_A_SLOT, INACTIVE, CASES };
    static const uint32_t ways[] = {0, 4, 1, 2};
    (void)state;
    for (unsigned row = 0; row < CASES; row++)
        for (unsigned n = 0; n < 4; n++) {
            static window_bench t;
            open_bench(&t);
            if (row == IN_A_SLOT)
                map(&t, Q);
            put(&t, Q, 24, 2, 4, 0);
            for (unsigned k = 0; k < 12; k++)
                clock_edge(&t);
            another_leaves(&t, ways[n]);
            if (ways[n] == 0)
                another_leaves(&t, 0); // again
            if (ways[n] == 2) {        // and is killed itself
                assert_true(t.b.o.killing[1]);
                DRAIN(&t, kill_ended[1], true);
                clock_edge(&t);
                DRAIN(&t, kill_ended[1], false);
                assert_true(t.b.o.killing[Q] && !t.b.o.killing[1]);
                assert_int_equal(guest(&t, 2, 1, LOAD_ACTIVE, 0, 0), 2);
            } else if (ways[n] != 0)
                assert_int_equal(guest(&t, 2, 1, LOAD_ACTIVE, 0, 0), ways[n]);
            read_is(&t, 1, 2, 0);
            map(&t, 1);
            ask(&t, 1, 2, true, 0xf, 0);
            done(&t, 4, 0);
            DRAIN(&t, kill_ended[Q], true);
            unsigned waited = 0;
            for (; t.b.o.killing[Q]; waited++)
                clock_edge(&t);
            assert_int_equal(waited, row == IN_A_SLOT ? 6 : 1); // the other one settles
            assert_int_equal(t.b.o.request[Q], row == IN_A_SLOT ? 3 : 7);
            DRAIN(&t, kill_ended[Q], false);
            for (unsigned k = 0; k < 20; k++)
                clock_edge(&t);
            assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), 2);
            assert_false(t.b.o.resetting[Q] || t.b.o.killing[Q]);
        }
}

// A slot that is not known to be out waits for the last one that left.
static void kill_begins_when_all_have_settled(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    map(&t, Q);
    map(&t, 1);
    put(&t, Q, 24, 2, 4, 0);
    assert_false(t.b.o.killing[Q]);
    put(&t, 1, 2, 0, 4, 0);
    while (!t.b.o.killing[Q])
        clock_edge(&t);
    assert_int_equal(t.now, 11);
}

// DRAINS stays at its end.
static void drains_saturate(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    t.b.s.drains = 0xfffe;
    for (unsigned n = 0; n < 3; n++) {
        map(&t, Q);
        put(&t, Q, 24, 3, 4, 0);
        assert_int_equal(t.b.o.drains, 0xffff);
        while (t.b.o.request[Q] == 0)
            clock_edge(&t);
        assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dequeue_requests),
        cmocka_unit_test(cleared_in_place_of_a_request),
        cmocka_unit_test(resets),
        cmocka_unit_test(kill_stays),
        cmocka_unit_test(kill_begins_when_all_have_settled),
        cmocka_unit_test(drains_saturate),
        cmocka_unit_test(leaves),
        cmocka_unit_test(while_it_leaves),
        cmocka_unit_test(finishing_meets_an_access),
        cmocka_unit_test(lowest_leaves_first),
    };

    return cmocka_run_group_tests_name("hqd_leaving", tests, NULL, NULL);
}

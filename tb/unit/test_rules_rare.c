// SPDX-License-Identifier: Apache-2.0
//
// Rules on the whole model that the other tests and random work come into seldom or never, found by functional coverage
// (make cover): meetings of a selection, dequeue of queues that wait, jobs of mqd beside running queues, late errors of
// mqd, refused descriptors, forms of packets.

#include "rules_world.h"

enum { GATE = WORLD_DATA, OUT = WORLD_DATA + 0x1000, MQD = 0x600000, MQD_STRIDE = 0x1000, SWEEP = 14 };

static uint32_t window_at(int queue, uint32_t dword)
{
    return driver_window(0, (uint32_t)queue, dword);
}

static uint64_t mqd_of(int queue)
{
    return MQD + (uint64_t)MQD_STRIDE * (uint64_t)queue;
}

static void set_mqd(world *w, int queue, uint32_t dword, uint32_t value)
{
    set(w, mqd_of(queue) + 4 * (uint64_t)dword, value);
}

// The MQD of a queue with `written` dwords in its ring.
static void make_mqd(world *w, int queue, uint32_t priority, uint32_t written)
{
    driver_queue q = world_queue(0, queue, priority);
    q.mqd          = mqd_of(queue);
    put_mqd(w, &q, written);
}

static uint8_t map_register(world *w, int queue)
{
    return host_try(w, window_at(queue, WINDOW(MAP)), (uint32_t)mqd_of(queue));
}

static void dequeue(world *w, int queue, uint32_t type)
{
    host_put(w, window_at(queue, WINDOW(CP_HQD_DEQUEUE_REQUEST)), type);
}

static void map_with(world *w, int queue, uint32_t priority, uint64_t mqd)
{
    driver_queue q = world_queue(0, queue, priority);
    q.mqd          = mqd;
    map_queue(w, &q);
    on(w, 0, queue);
}

// ---- selection

// Queue 0 has the pipe, queue 1 waits for it; queue 0 ends and queue 1 is selected. The clock in which the host takes
// queue 1 away is given from the clock on in which queue 0 may end; NEVER: it does not. Returns the clocks until the
// selection.
enum { NEVER = 1000000 };

static uint32_t selection(uint32_t take_away, bool by_dequeue)
{
    world w;
    world_open(&w);
    map(&w, 0, 1, 7);
    on(&w, 0, 1);
    nops(&w, 200);
    map(&w, 0, 0, 7);
    on(&w, 0, 0);
    slow(&w, 15);
    doorbell(&w, 0, 0);
    UNTIL(&w, selected(&w, 0, 0));
    doorbell(&w, 0, 1);
    steps(&w, 200);
    assert_true(selected(&w, 0, 0));
    const uint64_t begin = now(&w);
    uint32_t       took  = 0;
    if (take_away == NEVER) {
        UNTIL(&w, selected(&w, 0, 1));
        took = (uint32_t)(now(&w) - begin);
        UNTIL(&w, read_up(&w, 1));
    } else {
        host_write(host(&w), begin + take_away,
                   window_at(1, by_dequeue ? WINDOW(CP_HQD_DEQUEUE_REQUEST) : WINDOW(CP_HQD_ACTIVE)),
                   by_dequeue ? 4 : 0);
        UNTIL(&w, host_done(host(&w)));
        UNTIL(&w, !window_active(&w, 0, 1));
        assert_false(selected(&w, 0, 1));
        assert_in_range(rptr(&w, 0, 1), 0, 199);
        give_nop(&w, 0, 0);
        UNTIL(&w, read_up(&w, 0));
    }
    assert_int_equal(errors(&w), 0);
    world_close(&w);
    return took;
}

// In each clock around its selection: it runs, or it does not, and it is gone; the pipe goes on.
TEST(taken_away_at_its_selection)
{
    const uint32_t took = selection(NEVER, false);
    for (uint32_t n = 0; n < SWEEP; n++)
        for (int by_dequeue = 0; by_dequeue < 2; by_dequeue++)
            selection(took > n ? took - n : 0, by_dequeue);
}

// The write pointer of a queue moves in each clock around the one in which it is empty and leaves for a lower one:
// nothing is lost, the better queue goes on.
TEST(filled_when_it_leaves)
{
    for (uint32_t n = 0; n < 40; n++) {
        world w;
        world_open(&w);
        map(&w, 0, 1, 3);
        on(&w, 0, 1);
        nops(&w, 20);
        map(&w, 0, 0, 7);
        give_wait(&w, 0, 0, GATE);
        UNTIL(&w, selected(&w, 0, 0));
        doorbell(&w, 0, 1);
        steps(&w, 200);
        nops(&w, 2);
        set(&w, GATE, 1);
        driver_doorbell(host(&w), now(&w) + n, 0, 0, w.written[0][0]);
        UNTIL(&w, host_done(host(&w)));
        UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// ---- mqd beside running queues

// Three queues are dequeued at once while another one runs: one has nothing to do, one is in a smart wait, one has no
// MQD.
TEST(several_are_saved_beside_a_running_queue)
{
    world w;
    world_open(&w);
    for (int q = 1; q < 4; q++)
        map_with(&w, q, 7, q == 3 ? 0 : mqd_of(q));
    on(&w, 0, 2);
    smart_wait_equal(&w, GATE, 1);
    doorbell(&w, 0, 2);
    UNTIL(&w, front_out(&w, 0)->poll.waiting[2] && !selected(&w, 0, 2));
    map(&w, 0, 0, 3);
    on(&w, 0, 0);
    wait_equal(&w, GATE, 7);
    doorbell(&w, 0, 0);
    UNTIL(&w, selected(&w, 0, 0));
    for (uint32_t n = 0; n < 512; n++)
        set_mqd(&w, 1, n, 0xdeadbeef);
    for (int q = 1; q < 4; q++)
        dequeue(&w, q, 1);
    for (int q = 1; q < 4; q++)
        UNTIL(&w, !window_active(&w, 0, q));
    for (int q = 1; q < 3; q++)
        assert_int_equal(get(&w, mqd_of(q) + 4 * 182), w.written[0][q]);
    for (uint32_t n = 0; n < 512; n++) { // registers, window, the number of tasks; nothing beside them
        const bool kept = n == 0 || (n > 83 && n < 128) || (n > 183 && (n != 383 || TOTEM_TASKS == 0));
        assert_int_equal(get(&w, mqd_of(1) + 4 * n) == 0xdeadbeef, kept);
    }
    assert_int_equal(get(&w, mqd_of(2) + 4 * 138), 0); // the wait begins again
    assert_int_equal(get(&w, mqd_of(3) + 4 * 132), 0); // nothing was saved
    for (int q = 1; q < 4; q++)
        UNTIL(&w, host_get(&w, EVENTS(EOP_STATUS)) >> q & 1);
    set(&w, GATE, 7);
    UNTIL(&w, read_up(&w, 0));
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

// Engine 1 is excluded in the MQD, the others are not.
TEST(preload_brings_the_engines)
{
    enum { GROUPS = 16 };
    world    w;
    unsigned of_engine[TOTEM_SE_COUNT] = {0};
    world_open(&w);
    on(&w, 0, 1);
    account_remap(session_account(w.s), 0, 1);
    shape(&w, 64, 1, 1, 0);
    SET_SH(&w, 0x17, 0);
    const uint32_t registers = position(&w);
    dispatch(&w, GROUPS, 1, 1);
    for (uint32_t n = 0; n < registers; n++) // what the account has read there, the machine reads in the MQD
        set(&w, ring_place(0, 1, n), FILLER);
    make_mqd(&w, 1, 7, position(&w));
    set_mqd(&w, 1, 8, 64); // NUM_THREAD
    set_mqd(&w, 1, 9, 1);
    set_mqd(&w, 1, 10, 1);
    set_mqd(&w, 1, 13, 0x1001); // PGM_LO
    set_mqd(&w, 1, 24, 0);      // STATIC_THREAD_MGMT_SE1
    assert_int_equal(map_register(&w, 1), 0);
    UNTIL(&w, read_up(&w, 1));
    for (unsigned n = 0; n < w.count; n++)
        if (w.events[n].kind == GRANT)
            of_engine[w.events[n].engine]++;
    unsigned sum = 0;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        sum += of_engine[e];
        assert_int_equal(of_engine[e] == 0, e == 1);
    }
    assert_int_equal(sum, GROUPS);
    world_close(&w);
}

// A preload fails: a record, the slot is free and the queue can be mapped; also if the host calls the mapping off
// before the failure is told.
TEST(failed_preload)
{
    for (unsigned called_off = 0; called_off < 2; called_off++) {
        memory_fault fault = {.address = mqd_of(1) + 4 * 40, .kind = MEMORY_READ_SLVERR};
        world        w;
        world_open_with(&w, 100, &fault, 1);
        on(&w, 0, 1);
        nops(&w, 20);
        make_mqd(&w, 1, 7, position(&w));
        assert_int_equal(map_register(&w, 1), 0);
        UNTIL(&w, session_model(w.s)->fe[0].pipe[0].front.mqd.job == REQUEST_PRELOAD);
        if (called_off)
            dequeue(&w, 1, 4);
        assert_int_equal(errors(&w), 0);
        expect_error(&w, 1, TOTEM_ERROR_MEMORY_READ_SLVERR);
        UNTIL(&w, !front_out(&w, 0)->mqd.busy && !window_active(&w, 0, 1));
        assert_int_equal(rptr(&w, 0, 1), 0);
        make_mqd(&w, 1, 7, position(&w));
        assert_int_equal(map_register(&w, 1), 0);
        UNTIL(&w, read_up(&w, 1));
        world_close(&w);
    }
}

// What ACTIVE would refuse is refused when an MQD is mapped by its address, with a record of its own.
TEST(descriptors_that_are_refused)
{
    static const struct {
        uint32_t dword, value;
        uint8_t  code;
    } rows[] = {{133, 3, TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY},
                {181, 1, TOTEM_ERROR_DESCRIPTOR_AQL},
                {145, 5u << 8 | 31, TOTEM_ERROR_DESCRIPTOR_QUEUE_SIZE},
                {182, 1000, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD}};
    world w;
    world_open(&w);
    for (uint32_t row = 0; row < COUNT(rows); row++) {
        make_mqd(&w, 1, 7, 0);
        set_mqd(&w, 1, rows[row].dword, rows[row].value);
        assert_int_equal(map_register(&w, 1), 0);
        expect_error(&w, row + 1, rows[row].code);
        UNTIL(&w, !front_out(&w, 0)->mqd.busy);
        assert_false(window_active(&w, 0, 1));
    }
    assert_int_equal(host_try(&w, window_at(1, WINDOW(MAP)), MQD + 4), 2);
    world_close(&w);
}

// ---- packets

TEST(forms_of_packets)
{
    world w;
    world_open(&w);
    map(&w, 0, 0, 7);
    on(&w, 0, 0);
    PACKET(&w, EVENT_WRITE, 0x400u | TOTEM_EVENT_CS_PARTIAL_FLUSH, OUT, 0);
    PACKET(&w, RELEASE_MEM, 0x528, 1u << 29 | 1u << 16, OUT, 0, 3, 0, 0); // through L2: memory all the same
    PACKET(&w, WAIT_REG_MEM, 0xd0, GATE, 0, 99, 0xffffffffu, 4);          // function 0 holds at once
    w.buffer = WORLD_BUFFER;
    write_word(&w, OUT + 8, 4);
    const uint32_t size = (uint32_t)(w.buffer - WORLD_BUFFER) / 4;

    w.buffer = 0;
    PACKET(&w, INDIRECT_BUFFER, WORLD_BUFFER, 0, size | 1u << 20); // a chain that begins in the ring
    write_word(&w, OUT + 16, 5);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT + 16) == 5);
    UNTIL(&w, get(&w, OUT) == 3);
    assert_int_equal(get(&w, OUT + 8), 4);
    UNTIL(&w, read_up(&w, 0));
    assert_int_equal(errors(&w), 0);
    // Priorities stand 64 dwords apart: the second value of an incrementing write goes to no priority.
    const uint32_t own = window_at(0, WINDOW(CP_HQD_QUEUE_PRIORITY)), at = position(&w);
    PACKET(&w, WRITE_DATA, TOTEM_WRITE_DST_REGISTER << 8, own / 4, 0, 4, 5);
    doorbell(&w, 0, 0);
    expect_error(&w, 1, TOTEM_ERROR_PACKET_WRITE_REGISTER);
    assert_int_equal(rptr(&w, 0, 0), at);
    assert_int_equal(last_error(&w).word, own / 4 + 1);
    assert_int_equal(host_get(&w, own), 4);   // the first one was written
    window_put(&w, 0, 0, WINDOW(CONTROL), 2); // SKIP
    UNTIL(&w, read_up(&w, 0));
    nops(&w, WORLD_SIZE); // the write pointer may lead by the whole ring
    doorbell(&w, 0, 0);
    UNTIL(&w, read_up(&w, 0));
    world_close(&w);
}

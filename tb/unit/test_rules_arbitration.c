// SPDX-License-Identifier: Apache-2.0
//
// Rules of docs/queue.md on the whole model: how queues of one priority take turns. Quantum of both units and of no clocks,
// limit of a turn in which nothing runs, priorities written by the host, the worked example.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules_world.h"

enum { GATE = WORLD_DATA, OUT = WORLD_DATA + 0x1000, TURNS = 512 };

// Dword QUANTUM of a window.
static uint32_t quantum(uint32_t scale, uint32_t duration)
{
    return 1u | scale << 4 | duration << 8;
}

static void map_with(world *w, int queue, uint32_t priority, uint32_t quantum)
{
    driver_queue q = world_queue(0, queue, priority);
    q.quantum      = quantum;
    map_queue(w, &q);
    on(w, 0, queue);
}

static void units(world *w, uint32_t unit0, uint32_t unit1)
{
    host_put(w, MACHINE(QUANTUM_UNIT0), unit0);
    host_put(w, MACHINE(QUANTUM_UNIT1), unit1);
}

static bool all_read(const world *w)
{
    bool all = true;
    for (int q = 0; q < TOTEM_QUEUES; q++)
        all = all && read_up(w, q);
    return all;
}

// Pipe 0 is kept by a queue of the highest priority while the test makes others ready.
static void close_gate(world *w, int queue)
{
    map_with(w, queue, 15, 0);
    wait_equal(w, GATE, 1);
    doorbell(w, 0, queue);
    UNTIL(w, selected(w, 0, queue));
}

static unsigned open_gate(world *w)
{
    steps(w, 300);
    set(w, GATE, 1);
    return w->count;
}

// A selection and what ran in it; `left` is 0 while it lasts.
typedef struct {
    int      queue;
    uint64_t go, left;
    unsigned packets, groups;
} turn;

static unsigned turns_since(const world *w, unsigned from, turn *list)
{
    unsigned count = 0;
    for (unsigned n = from; n < w->count; n++) {
        const event *e = &w->events[n];
        if (e->pipe != 0)
            continue;
        if (e->kind == GO) {
            assert_true(count < TURNS);
            list[count++] = (turn){.queue = e->queue, .go = e->clock};
        } else if (count && e->kind == LEFT)
            list[count - 1].left = e->clock;
        else if (count && e->kind == EXECUTED)
            list[count - 1].packets++;
        else if (count && e->kind == GRANT)
            list[count - 1].groups++;
    }
    return count;
}

// A turn ends at the first boundary after its quantum, each queue's in its own unit; a NOP lasts two clocks.
static void quantum_of_both_units(void **state)
{
    static const struct {
        uint32_t scale, duration, clocks;
    } rows[][2] = {
        {{0, 1, 60}, {0, 4, 240}}, {{1, 1, 130}, {0, 4, 240}}, {{0, 1, 60}, {1, 2, 260}}, {{1, 2, 260}, {1, 1, 130}}};
    (void)state;
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        static turn list[TURNS];
        world       w;
        world_open(&w);
        units(&w, 60, 130);
        close_gate(&w, WORLD_LAST);
        for (int q = 0; q < 2; q++) {
            map_with(&w, q, 7, quantum(rows[r][q].scale, rows[r][q].duration));
            nops(&w, 500);
            doorbell(&w, 0, q);
        }
        const unsigned from = open_gate(&w);
        UNTIL(&w, read_up(&w, 0) || read_up(&w, 1));
        const unsigned count = turns_since(&w, from, list);
        assert_true(count >= 4);
        for (unsigned n = 0; n + 1 < count; n++) {
            assert_int_equal(list[n].queue, n % 2);
            assert_in_range(list[n].left - list[n].go, rows[r][n % 2].clocks + 2, rows[r][n % 2].clocks + 4);
        }
        UNTIL(&w, all_read(&w));
        world_close(&w);
    }
}

// The reset values of the units are those of the specification.
static void units_after_reset(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    assert_int_equal(host_get(&w, MACHINE(QUANTUM_UNIT0)), 5000);
    assert_int_equal(host_get(&w, MACHINE(QUANTUM_UNIT1)), 100000);
    assert_int_equal(host_get(&w, MACHINE(TURN_LIMIT)), 1000000);
    assert_int_equal(host_get(&w, MACHINE(QUEUE_OPTIONS)), 0);
    world_close(&w);
}

// DURATION 0: every queue of the pipe in turn, one packet each, however many dwords it has.
static void turns_of_a_packet(void **state)
{
    enum { PACKETS = 5 };
    static turn list[TURNS];
    world       w;
    (void)state;
    world_open(&w);
    close_gate(&w, WORLD_LAST);
    for (int q = 0; q < WORLD_LAST; q++) {
        map_with(&w, q, 7, quantum(0, 0));
        for (int n = 0; n < PACKETS; n++)
            switch ((q + n) % 4) {
            case 0: nop(&w); break;
            case 1: write_word(&w, OUT + 8 * (uint64_t)q, (uint32_t)n); break;
            case 2: SET_SH(&w, 0x40, 1, 2); break;
            default: PACKET(&w, NOP, 1, 2, 3, 4); break;
            }
        doorbell(&w, 0, q);
    }
    const unsigned from = open_gate(&w);
    UNTIL(&w, all_read(&w));
    const unsigned count = turns_since(&w, from, list);
    assert_int_equal(count, PACKETS * WORLD_LAST);
    for (unsigned n = 0; n < count; n++) {
        assert_int_equal(list[n].queue, n % WORLD_LAST);
        assert_int_equal(list[n].packets, 1);
    }
    world_close(&w);
}

// A poll is a packet: with a quantum of no clocks a queue that waits gives way to an equal one after each.
static void a_wait_does_not_block_equals(void **state)
{
    static turn list[TURNS];
    world       w;
    (void)state;
    world_open(&w);
    map_with(&w, 0, 7, 0);
    wait_equal(&w, OUT, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, selected(&w, 0, 0));
    map_with(&w, 1, 7, quantum(0, 0));
    nops(&w, 3);
    write_word(&w, OUT, 1);
    doorbell(&w, 0, 1);
    for (int n = 0; n < 500; n++) {
        step(&w);
        assert_true(selected(&w, 0, 0)); // without one it keeps the pipe
    }
    const unsigned from = w.count;
    host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_QUANTUM)), quantum(0, 0));
    UNTIL(&w, all_read(&w));
    const unsigned count = turns_since(&w, from, list);
    assert_in_range(count, 7, 9);
    for (unsigned n = 0; n < count; n++) {
        assert_int_equal(list[n].queue, 1 - n % 2);
        if (list[n].left)
            assert_int_equal(list[n].packets, 1);
    }
    world_close(&w);
}

// Grids of equal queues are cut at work-groups; in each turn at least one is launched, and each group once in all.
static void turns_of_a_work_group(void **state)
{
    static turn list[TURNS];
    world       w;
    (void)state;
    world_open(&w);
    program(&w, 1, 150);
    close_gate(&w, WORLD_LAST);
    for (int q = 0; q < 2; q++) {
        map_with(&w, q, 7, quantum(0, 0));
        shape(&w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
        dispatch(&w, 30, 1, 1);
        doorbell(&w, 0, q);
    }
    const unsigned from = open_gate(&w);
    UNTIL(&w, all_read(&w));
    const unsigned count  = turns_since(&w, from, list);
    unsigned       groups = 0, cut = 0;
    for (unsigned n = 0; n < count; n++) {
        assert_int_equal(list[n].queue, n % 2);
        assert_true(list[n].packets + list[n].groups >= 1);
        groups += list[n].groups;
        cut += list[n].groups && !list[n].packets;
    }
    assert_int_equal(groups, 60);
    assert_true(cut >= 6);
    assert_int_equal(count_of(&w, STARTED, 0, 0, from) + count_of(&w, STARTED, 0, 1, from), 2);
    world_close(&w);
}

// Work-groups that find no room: the queue keeps the pipe for TURN_LIMIT clocks, or for good.
static void limit_of_a_turn(void **state)
{
    enum { LIMIT = 1100, LONG = 10000 };
    static turn list[TURNS];
    world       w;
    (void)state;
    world_open(&w);
    program(&w, 1, LONG);
    map_with(&w, 2, 9, 0);
    one_engine(&w);
    shape(&w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
    dispatch(&w, 2, 1, 1);
    doorbell(&w, 0, 2);
    UNTIL(&w, count_of(&w, GRANT, 0, 2, 0) == 2);
    host_put(&w, MACHINE(TURN_LIMIT), 0);
    for (int q = 0; q < 2; q++) {
        map_with(&w, q, 7, quantum(0, 0));
        one_engine(&w);
        shape(&w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
        doorbell(&w, 0, q);
        UNTIL(&w, read_up(&w, q));
        dispatch(&w, 1, 1, 1);
    }
    unsigned from = w.count;
    doorbell(&w, 0, 0);
    UNTIL(&w, count_of(&w, STARTED, 0, 0, from) == 1);
    doorbell(&w, 0, 1);
    for (int n = 0; n < 2000; n++) {
        step(&w);
        assert_true(selected(&w, 0, 0));
    }
    from = w.count;
    host_put(&w, MACHINE(TURN_LIMIT), LIMIT);
    steps(&w, 5 * LIMIT);
    const unsigned count = turns_since(&w, from, list);
    assert_in_range(count, 4, 6);
    for (unsigned n = 0; n + 1 < count; n++) {
        assert_int_equal(list[n].queue, 1 - n % 2);
        assert_in_range(list[n].left - list[n].go, LIMIT + 1, LIMIT + 40); // and the recall
        assert_int_equal(list[n].packets + list[n].groups, 0);
    }
    UNTIL(&w, all_read(&w));
    world_close(&w);
}

static void lone_queue_keeps_the_pipe(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    units(&w, 50, 50);
    map_with(&w, 0, 7, quantum(0, 1));
    wait_equal(&w, OUT, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, selected(&w, 0, 0));
    map_with(&w, 1, 6, 0);
    nop(&w);
    doorbell(&w, 0, 1);
    for (int n = 0; n < 1000; n++) {
        step(&w);
        assert_true(selected(&w, 0, 0)); // its quantum is used up, but nobody is equal
    }
    const unsigned from = w.count;
    map_with(&w, 2, 7, 0);
    nop(&w);
    doorbell(&w, 0, 2);
    UNTIL(&w, pipe_out(&w, 0)->arbiter.ready[2]);
    const uint64_t ready = now(&w);
    UNTIL(&w, selected(&w, 0, 2));
    assert_in_range(now(&w) - ready, 1, 50); // the first arrival takes over, after the poll under way
    set(&w, OUT, 1);
    UNTIL(&w, all_read(&w));
    EXPECT_ORDER(&w, 0, from, 2, 0, 1);
    world_close(&w);
}

// QUEUE_IDLE and STATE.IDLE tell when a queue has nothing to do, also the one that has the pipe because nobody else wants it.
static void lone_queue_is_idle(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 1, 1000);
    map_with(&w, 0, 7, 0);
    assert_int_equal(window_get(&w, 0, 0, WINDOW(CP_HQD_HQ_STATUS0)) >> 30 & 1, 1);
    shape(&w, 64, 1, 1, 0);
    dispatch(&w, 1, 1, 1);
    fence(&w, 1, 0, OUT, 5, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, read_up(&w, 0));
    assert_int_equal(window_get(&w, 0, 0, WINDOW(CP_HQD_HQ_STATUS0)) >> 30 & 1, 0);
    assert_int_equal(queue_state(&w, 0, 0) >> 9 & 1, 0);
    UNTIL(&w, get(&w, OUT) == 5);
    steps(&w, 100);
    assert_true(selected(&w, 0, 0));
    assert_int_equal(window_get(&w, 0, 0, WINDOW(CP_HQD_HQ_STATUS0)) >> 30 & 1, 1);
    assert_int_equal(queue_state(&w, 0, 0) >> 9 & 1, 1);
    world_close(&w);
}

// A turn begins anew at every selection, also of a queue that was preempted.
static void preemption_begins_a_new_turn(void **state)
{
    static turn list[TURNS];
    world       w;
    (void)state;
    world_open(&w);
    units(&w, 400, 1);
    close_gate(&w, WORLD_LAST);
    map_with(&w, 0, 7, quantum(0, 1));
    nops(&w, 500);
    doorbell(&w, 0, 0);
    const unsigned from = open_gate(&w);
    UNTIL(&w, selected(&w, 0, 0));
    steps(&w, 200);
    map_with(&w, 1, 7, quantum(0, 1));
    nops(&w, 500);
    map_with(&w, 2, 9, 0);
    nop(&w);
    UNTIL(&w, read_up(&w, 0)); // it was alone
    on(&w, 0, 0);
    nops(&w, 500);
    doorbell(&w, 0, 0);
    doorbell(&w, 0, 1);
    UNTIL(&w, selected(&w, 0, 1));
    steps(&w, 250);
    doorbell(&w, 0, 2);
    UNTIL(&w, all_read(&w));
    const unsigned count = turns_since(&w, from, list);
    unsigned       n     = 0;
    while (n < count && list[n].queue != 2)
        n++;
    assert_true(n + 3 < count);
    assert_int_equal(list[n - 1].queue, 1);
    assert_true(list[n - 1].left - list[n - 1].go < 400);
    assert_int_equal(list[n + 1].queue, 0); // not the one that was pushed out
    assert_in_range(list[n + 1].left - list[n + 1].go, 402, 404);
    assert_int_equal(list[n + 2].queue, 1);
    assert_in_range(list[n + 2].left - list[n + 2].go, 402, 404); // the whole quantum again
    world_close(&w);
}

// A queue that has no free epoch is no contender until one is; then it takes the pipe from a lower one in the middle of a grid.
static void free_epoch_makes_ready(void **state)
{
    enum { HIGH = 1, LOW = 2, GROUPS = 8 * TOTEM_SLOTS * TOTEM_SE_COUNT };
    world w;
    (void)state;
    world_open(&w);
    program(&w, 1, 3000);
    program(&w, 2, 1000);
    map_with(&w, HIGH, 9, 0);
    shape(&w, 64, 1, 1, 0);
    dispatch(&w, 1, 1, 1);
    for (uint32_t n = 0; n < TOTEM_EPOCHS; n++) // the last one has no epoch to close
        fence(&w, 1, 0, OUT + 8 * n, 1, 0);
    doorbell(&w, 0, HIGH);
    UNTIL(&w, pipe_out(&w, 0)->execute.wait_epoch[HIGH] && !selected(&w, 0, HIGH));
    map_with(&w, LOW, 3, 0);
    shape(&w, 64, 2, 1, 0);
    dispatch(&w, GROUPS, 1, 1);
    doorbell(&w, 0, LOW);
    UNTIL(&w, selected(&w, 0, LOW) && count_of(&w, GRANT, 0, LOW, 0) > 0);
    const unsigned from = w.count;
    UNTIL(&w, selected(&w, 0, HIGH));
    assert_true(count_of(&w, GRANT, 0, LOW, 0) < GROUPS);
    UNTIL(&w, get(&w, OUT + 8 * (TOTEM_EPOCHS - 1)) == 1 && read_up(&w, LOW));
    EXPECT_ORDER(&w, 0, from, HIGH, LOW);
    assert_int_equal(count_of(&w, GRANT, 0, LOW, 0), GROUPS);
    world_close(&w);
}

// EVENT_ON_PRIORITY_WRITE: a write of any priority of the pipe lets an equal queue take over.
static void event_on_priority_write(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 4; row++) {
        const bool timed = row & 1, event = row & 2;
        world      w;
        world_open(&w);
        host_put(&w, MACHINE(QUEUE_OPTIONS), event);
        map_with(&w, 0, 7, timed ? quantum(1, 63) : 0);
        wait_equal(&w, OUT, 1);
        doorbell(&w, 0, 0);
        UNTIL(&w, selected(&w, 0, 0));
        map_with(&w, 1, 7, 0);
        nop(&w);
        doorbell(&w, 0, 1);
        steps(&w, 500);
        // With the event the mapping's own write of a priority came before queue 1 was ready, in the same turn.
        assert_int_equal(read_up(&w, 1), event);
        if (!event) {
            host_put(&w, driver_window(0, 2, WINDOW(CP_HQD_QUEUE_PRIORITY)), 3);
            steps(&w, 500);
            assert_false(read_up(&w, 1));
            host_put(&w, MACHINE(QUEUE_OPTIONS), 1); // what was written in this turn counts
        }
        UNTIL(&w, read_up(&w, 1));
        UNTIL(&w, selected(&w, 0, 0));
        give_nop(&w, 0, 1);
        steps(&w, 500);
        assert_false(read_up(&w, 1)); // a new turn, without a write
        if (TOTEM_PIPE_COUNT > 1) {   // another pipe's is no matter
            host_put(&w, driver_window(1, 2, WINDOW(CP_HQD_QUEUE_PRIORITY)), 3);
            steps(&w, 500);
            assert_false(read_up(&w, 1));
        }
        host_put(&w, driver_window(0, 2, WINDOW(CP_HQD_QUEUE_PRIORITY)), 3);
        UNTIL(&w, read_up(&w, 1));
        set(&w, OUT, 1);
        UNTIL(&w, all_read(&w));
        world_close(&w);
    }
}

// A priority belongs to the slot: it acts at once, whether mapped or not, and a mapping leaves it alone.
static void priority_of_the_slot(void **state)
{
    const uint32_t at = driver_window(0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY));
    world          w;
    (void)state;
    world_open(&w);
    assert_int_equal(host_get(&w, at), 0);
    host_put(&w, at, 0xfffffff9);
    assert_int_equal(host_get(&w, at), 0xfffffff9);
    assert_int_equal(pipe_out(&w, 0)->arbiter.queue_priority[1], 9);
    map_with(&w, 1, 4, 0);
    assert_int_equal(pipe_out(&w, 0)->arbiter.queue_priority[1], 4);
    host_put(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE)), 0);
    UNTIL(&w, !pipe_out(&w, 0)->arbiter.active[1]);
    UNTIL(&w, !(host_get(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE))) & 1));
    host_put(&w, at, 12);
    host_put(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE)), 1);
    assert_int_equal(pipe_out(&w, 0)->arbiter.queue_priority[1], 12);
    assert_int_equal(host_get(&w, at), 12);
    world_close(&w);
}

static void quantum_of_a_mapped_queue(void **state)
{
    const uint32_t at = driver_window(0, 0, WINDOW(CP_HQD_QUANTUM));
    world          w;
    (void)state;
    world_open(&w);
    units(&w, 100, 100000);
    map_with(&w, 0, 7, quantum(1, 5));
    wait_equal(&w, OUT, 1);
    assert_int_equal(host_get(&w, at), quantum(1, 5));
    doorbell(&w, 0, 0);
    UNTIL(&w, selected(&w, 0, 0));
    assert_int_equal(host_get(&w, at), 1u << 31 | quantum(1, 5)); // QUANTUM_ACTIVE
    map_with(&w, 1, 7, 0);
    nop(&w);
    doorbell(&w, 0, 1);
    steps(&w, 1000);
    assert_true(selected(&w, 0, 0));
    host_put(&w, at, quantum(0, 5)); // used up long ago by the shorter unit
    steps(&w, 60);
    assert_true(read_up(&w, 1));
    set(&w, OUT, 1);
    UNTIL(&w, all_read(&w));
    world_close(&w);
}

// A driver enables the quantum, in the longer unit, of a queue that has run for long: all of its turn counts, and no more.
static void quantum_set_late(void **state)
{
    static turn    list[TURNS];
    const uint32_t at = driver_window(0, 0, WINDOW(CP_HQD_QUANTUM));
    (void)state;
    for (unsigned row = 0; row < 2; row++) {
        world w;
        world_open(&w);
        units(&w, row ? 1000000 : 100, 5000);
        map_with(&w, 0, 7, row ? quantum(0, 63) : 0);
        wait_equal(&w, OUT, 1);
        const unsigned from = w.count;
        doorbell(&w, 0, 0);
        UNTIL(&w, selected(&w, 0, 0));
        map_with(&w, 1, 7, 0);
        nop(&w);
        steps(&w, 1000);
        host_put(&w, at, quantum(1, 1));
        doorbell(&w, 0, 1);
        UNTIL(&w, read_up(&w, 1));
        set(&w, OUT, 1);
        UNTIL(&w, all_read(&w));
        assert_true(turns_since(&w, from, list) >= 3);
        assert_int_equal(list[0].queue, 0);
        assert_in_range(list[0].left - list[0].go, 5000, 5050); // the rest is a poll under way
        world_close(&w);
    }
}

#if TOTEM_QUEUES == 8
// The worked example of docs/queue.md, clock by clock as the picture shows it in sim/workloads/worked-example.yaml.
static void worked_example(void **state)
{
    static const int      queues[] = {0, 3, 7, 5, 1, 4};
    static const unsigned length[] = {500, 500, 500, 300, 300, 300};
    static turn           list[TURNS];
    world                 w;
    (void)state;
    world_open(&w);
    units(&w, 200, 1);
    close_gate(&w, 2); // Q7 takes part
    for (int n = 0; n < 6; n++) {
        map_with(&w, queues[n], n < 4 ? 7 : 10, quantum(0, 1));
        nops(&w, length[n]);
    }
    for (int n = 0; n < 3; n++)
        doorbell(&w, 0, queues[n]);
    const unsigned from = open_gate(&w);
    UNTIL(&w, selected(&w, 0, 7));
    UNTIL(&w, selected(&w, 0, 0));
    doorbell(&w, 0, 5);
    UNTIL(&w, selected(&w, 0, 5));
    doorbell(&w, 0, 1);
    doorbell(&w, 0, 4);
    UNTIL(&w, all_read(&w));
    const unsigned   count   = turns_since(&w, from, list);
    static const int begin[] = {0, 3, 7, 0, 3, 5, 1, 4, 1, 4};
    unsigned         n       = 0;
    for (; n < 10; n++)
        assert_int_equal(list[n].queue, begin[n]);
    assert_true(list[5].left - list[5].go < 200); // Q5 does not end its quantum
    while (n < count && (list[n].queue == 1 || list[n].queue == 4)) {
        assert_int_not_equal(list[n].queue, list[n - 1].queue);
        n++;
    }
    static const int end[] = {7, 0, 3, 5, 7};
    for (unsigned k = 0; k < 5; k++, n++) {
        assert_true(n < count);
        assert_int_equal(list[n].queue, end[k]);
    }
    for (unsigned k = 0; k < 5; k++) // until Q5 was pushed out all turns but that are whole quanta
        assert_in_range(list[k].left - list[k].go, 202, 204);
    world_close(&w);
}
#endif

#if TOTEM_PIPE_COUNT >= 4 && TOTEM_SE_COUNT >= 2
// What other pipes are granted is no progress of a queue here: its turn, in which nothing is granted, does not end for an
// equal one, however short its quantum.
static void grants_of_other_pipes_are_no_progress(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    host_put(&w, MACHINE(QUANTUM_UNIT0), 1);
    program(&w, 1, 6000);
    program(&w, 2, 10);
    map(&w, 2, 0, 3); // engine 0 is full
    on(&w, 2, 0);
    shape(&w, 64 * TOTEM_SLOTS, 1, 1, 0);
    one_engine(&w);
    dispatch(&w, 1, 1, 1);
    doorbell(&w, 2, 0);
    UNTIL(&w, count_of(&w, GRANT, 2, 0, 0) == 1);
    map(&w, 0, 0, 3); // grants at engine 1
    on(&w, 0, 0);
    shape(&w, 64, 2, 1, 0);
    SET_SH(&w, 0x16, 0, 0xffffffffu);
    dispatch(&w, 500, 1, 1);
    for (int q = 0; q < 2; q++) {
        driver_queue d = world_queue(1, q, 3);
        d.quantum      = 1u << 8 | 1;
        map_queue(&w, &d);
        on(&w, 1, q);
        shape(&w, 64, 2, 1, 0);
        one_engine(&w);
        dispatch(&w, 3, 1, 1);
    }
    doorbell(&w, 1, 0);
    doorbell(&w, 1, 1);
    steps(&w, 300);
    doorbell(&w, 0, 0);
    const unsigned from = w.count;
    UNTIL(&w, count_of(&w, GRANT, 0, 0, from) == 500);
    assert_int_equal(count_of(&w, GRANT, 1, 0, 0) + count_of(&w, GRANT, 1, 1, 0), 0);
    assert_in_range(count_of(&w, GO, 1, 0, from) + count_of(&w, GO, 1, 1, from), 0, 1);
    world_close(&w);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantum_of_both_units),
        cmocka_unit_test(units_after_reset),
        cmocka_unit_test(turns_of_a_packet),
        cmocka_unit_test(a_wait_does_not_block_equals),
        cmocka_unit_test(turns_of_a_work_group),
        cmocka_unit_test(limit_of_a_turn),
        cmocka_unit_test(lone_queue_keeps_the_pipe),
        cmocka_unit_test(preemption_begins_a_new_turn),
        cmocka_unit_test(lone_queue_is_idle),
        cmocka_unit_test(free_epoch_makes_ready),
        cmocka_unit_test(event_on_priority_write),
        cmocka_unit_test(priority_of_the_slot),
        cmocka_unit_test(quantum_of_a_mapped_queue),
        cmocka_unit_test(quantum_set_late),
#if TOTEM_QUEUES == 8
        cmocka_unit_test(worked_example),
#endif
#if TOTEM_PIPE_COUNT >= 4 && TOTEM_SE_COUNT >= 2
        cmocka_unit_test(grants_of_other_pipes_are_no_progress),
#endif
    };

    return cmocka_run_group_tests_name("rules: arbitration", tests, NULL, NULL);
}

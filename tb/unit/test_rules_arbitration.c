// SPDX-License-Identifier: Apache-2.0
//
// Rules of docs/queue.md on the whole model: how queues of one priority take turns. Quantum of both units and of no
// clocks, limit of a turn in which nothing runs, priorities written by the host, the worked example.

#include <string.h>

#include "tests.h"

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
TEST(quantum_of_both_units)
{
    static const struct {
        uint32_t scale, duration, clocks;
    } rows[][2] = {{{0, 1, 60}, {0, 4, 240}}, {{1, 1, 130}, {0, 4, 240}}, {{1, 2, 260}, {1, 1, 130}}};
    for (unsigned r = 0; r < COUNT(rows); r++) {
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

// DURATION 0: every queue of the pipe in turn, one packet each, however many dwords it has.
RULE(turns_of_a_packet)
{
    enum { PACKETS = 5 };
    static turn list[TURNS];
    close_gate(w, WORLD_LAST);
    for (int q = 0; q < WORLD_LAST; q++) {
        map_with(w, q, 7, quantum(0, 0));
        for (int n = 0; n < PACKETS; n++)
            switch ((q + n) % 4) {
            case 0: nop(w); break;
            case 1: write_word(w, OUT + 8 * (uint64_t)q, (uint32_t)n); break;
            case 2: SET_SH(w, 0x40, 1, 2); break;
            default: PACKET(w, NOP, 1, 2, 3, 4); break;
            }
        doorbell(w, 0, q);
    }
    const unsigned from = open_gate(w);
    UNTIL(w, all_read(w));
    const unsigned count = turns_since(w, from, list);
    assert_int_equal(count, PACKETS * WORLD_LAST);
    for (unsigned n = 0; n < count; n++) {
        assert_int_equal(list[n].queue, n % WORLD_LAST);
        assert_int_equal(list[n].packets, 1);
    }
}

// A poll is a packet: with a quantum of no clocks a queue that waits gives way to an equal one after each.
RULE(turns_of_a_poll)
{
    static turn list[TURNS];
    map_with(w, 0, 7, quantum(0, 0));
    wait_equal(w, OUT, 1);
    doorbell(w, 0, 0);
    UNTIL(w, selected(w, 0, 0));
    map_with(w, 1, 7, quantum(0, 0));
    nops(w, 3);
    write_word(w, OUT, 1);
    const unsigned from = w->count;
    doorbell(w, 0, 1);
    UNTIL(w, all_read(w));
    const unsigned count = turns_since(w, from, list);
    assert_in_range(count, 7, 9);
    for (unsigned n = 0; n < count; n++) {
        assert_int_equal(list[n].queue, 1 - n % 2);
        assert_true(list[n].packets == 1 || !list[n].left);
    }
}

// Grids of equal queues are cut at work-groups; in each turn at least one is launched, and each group once in all.
RULE(turns_of_a_work_group)
{
    static turn list[TURNS];
    program(w, 1, 150);
    close_gate(w, WORLD_LAST);
    for (int q = 0; q < 2; q++) {
        map_with(w, q, 7, quantum(0, 0));
        shape(w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
        dispatch(w, 30, 1, 1);
        doorbell(w, 0, q);
    }
    const unsigned from = open_gate(w);
    UNTIL(w, all_read(w));
    const unsigned count  = turns_since(w, from, list);
    unsigned       groups = 0, cut = 0;
    for (unsigned n = 0; n < count; n++) {
        assert_int_equal(list[n].queue, n % 2);
        assert_true(list[n].packets + list[n].groups >= 1);
        groups += list[n].groups;
        cut += list[n].groups && !list[n].packets;
    }
    assert_int_equal(groups, 60);
    assert_true(cut >= 6);
    assert_int_equal(count_of(w, STARTED, 0, 0, from) + count_of(w, STARTED, 0, 1, from), 2);
}

// Work-groups that find no room: the queue keeps the pipe for TURN_LIMIT clocks, or for good.
RULE(limit_of_a_turn)
{
    enum { LIMIT = 1100, LONG = 10000 };
    static turn list[TURNS];
    program(w, 1, LONG);
    map_with(w, 2, 9, 0);
    one_engine(w);
    shape(w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
    dispatch(w, 2, 1, 1);
    doorbell(w, 0, 2);
    UNTIL(w, count_of(w, GRANT, 0, 2, 0) == 2);
    host_put(w, MACHINE(TURN_LIMIT), 0);
    for (int q = 0; q < 2; q++) {
        map_with(w, q, 7, quantum(0, 0));
        one_engine(w);
        shape(w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
        doorbell(w, 0, q);
        UNTIL(w, read_up(w, q));
        dispatch(w, 1, 1, 1);
    }
    unsigned from = w->count;
    doorbell(w, 0, 0);
    UNTIL(w, count_of(w, STARTED, 0, 0, from) == 1);
    doorbell(w, 0, 1);
    for (int n = 0; n < 2000; n++) {
        step(w);
        assert_true(selected(w, 0, 0));
    }
    from = w->count;
    host_put(w, MACHINE(TURN_LIMIT), LIMIT);
    steps(w, 5 * LIMIT);
    const unsigned count = turns_since(w, from, list);
    assert_in_range(count, 4, 6);
    for (unsigned n = 0; n + 1 < count; n++) {
        assert_int_equal(list[n].queue, 1 - n % 2);
        assert_in_range(list[n].left - list[n].go, LIMIT + 1, LIMIT + 40); // and the recall
        assert_int_equal(list[n].packets + list[n].groups, 0);
    }
    UNTIL(w, all_read(w));
}

// A queue that has no free epoch is no contender until one is; then it takes the pipe from a lower one in the middle of
// a grid.
RULE(free_epoch_makes_ready)
{
    enum { HIGH = 1, LOW = 2, GROUPS = 8 * TOTEM_SLOTS * TOTEM_SE_COUNT };
    program(w, 1, 3000);
    program(w, 2, 1000);
    map_with(w, HIGH, 9, 0);
    grid(w, 1, 1);
    for (uint32_t n = 0; n < TOTEM_EPOCHS; n++) // the last one has no epoch to close
        fence(w, 1, 0, OUT + 8 * n, 1, 0);
    doorbell(w, 0, HIGH);
    UNTIL(w, front_out(w, 0)->execute.wait_epoch[HIGH] && !selected(w, 0, HIGH));
    const uint32_t waiting = queue_state(w, 0, HIGH);
    assert_int_equal(reason(waiting), WINDOW(STATE_REASON_EPOCH));
    assert_int_equal(waiting >> 7 & 0x1f, 2); // WAIT_EPOCH alone
    map_with(w, LOW, 3, 0);
    grid(w, 2, GROUPS);
    doorbell(w, 0, LOW);
    UNTIL(w, selected(w, 0, LOW) && count_of(w, GRANT, 0, LOW, 0) > 0);
    const unsigned from = w->count;
    UNTIL(w, selected(w, 0, HIGH));
    assert_true(count_of(w, GRANT, 0, LOW, 0) < GROUPS);
    UNTIL(w, get(w, OUT + 8 * (TOTEM_EPOCHS - 1)) == 1 && read_up(w, LOW));
    EXPECT_ORDER(w, 0, from, HIGH, LOW);
    assert_int_equal(count_of(w, GRANT, 0, LOW, 0), GROUPS);
}

// EVENT_ON_PRIORITY_WRITE: a write of any priority of the pipe lets an equal queue take over, though a quantum runs.
// What was written in the turn counts, before the bit was set too.
RULE(event_on_priority_write)
{
    map_with(w, 1, 7, 0);
    nop(w);
    map_with(w, 0, 7, quantum(1, 63));
    slow(w, 90);
    doorbell(w, 0, 0);
    UNTIL(w, selected(w, 0, 0));
    doorbell(w, 0, 1);
    window_put(w, 0, 2, WINDOW(CP_HQD_QUEUE_PRIORITY), 3);
    steps(w, 200);
    assert_false(read_up(w, 1));
    host_put(w, MACHINE(QUEUE_OPTIONS), 1);
    UNTIL(w, read_up(w, 1));
    UNTIL(w, selected(w, 0, 0));
    give_nop(w, 0, 1);
    steps(w, 200);
    assert_false(read_up(w, 1)); // a new turn, without a write
    if (TOTEM_PIPE_COUNT > 1) {  // another pipe's is no matter
        window_put(w, 1, 2, WINDOW(CP_HQD_QUEUE_PRIORITY), 3);
        steps(w, 200);
        assert_false(read_up(w, 1));
    }
    window_put(w, 0, 2, WINDOW(CP_HQD_QUEUE_PRIORITY), 3);
    UNTIL(w, read_up(w, 1));
    assert_false(read_up(w, 0));
    UNTIL(w, all_read(w));
}

// A priority belongs to the slot: it acts at once, whether mapped or not, and a mapping leaves it alone.
RULE(priority_of_the_slot)
{
    window_put(w, 0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY), 0xfffffff9);
    assert_int_equal(window_get(w, 0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY)), 0xfffffff9);
    assert_int_equal(front_out(w, 0)->arbiter.queue_priority[1], 9);
    map_with(w, 1, 4, 0);
    assert_int_equal(front_out(w, 0)->arbiter.queue_priority[1], 4);
    clear_active(w, 0, 1);
    window_put(w, 0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY), 12);
    window_put(w, 0, 1, WINDOW(CP_HQD_ACTIVE), 1);
    assert_int_equal(front_out(w, 0)->arbiter.queue_priority[1], 12);
    assert_int_equal(window_get(w, 0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY)), 12);
}

#if TOTEM_QUEUES == 8
// The worked example of docs/queue.md, clock by clock as the picture shows it in sim/workloads/worked-example.yaml.
RULE(worked_example)
{
    static const int      queues[] = {0, 3, 7, 5, 1, 4};
    static const unsigned length[] = {500, 500, 500, 300, 300, 300};
    static turn           list[TURNS];
    units(w, 200, 1);
    close_gate(w, 2); // Q7 takes part
    for (int n = 0; n < 6; n++) {
        map_with(w, queues[n], n < 4 ? 7 : 10, quantum(0, 1));
        nops(w, length[n]);
    }
    for (int n = 0; n < 3; n++)
        doorbell(w, 0, queues[n]);
    const unsigned from = open_gate(w);
    UNTIL(w, selected(w, 0, 7));
    UNTIL(w, selected(w, 0, 0));
    doorbell(w, 0, 5);
    UNTIL(w, selected(w, 0, 5));
    doorbell(w, 0, 1);
    doorbell(w, 0, 4);
    UNTIL(w, all_read(w));
    const unsigned   count   = turns_since(w, from, list);
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
}
#endif

#if TOTEM_PIPE_COUNT >= 4 && TOTEM_SE_COUNT >= 2
// What other pipes are granted is no progress of a queue here: its turn, in which nothing is granted, does not end for
// an equal one, however short its quantum.
RULE(grants_of_other_pipes_are_no_progress)
{
    host_put(w, MACHINE(QUANTUM_UNIT0), 1);
    program(w, 1, 6000);
    program(w, 2, 10);
    map(w, 2, 0, 3); // engine 0 is full
    on(w, 2, 0);
    shape(w, 64 * TOTEM_SLOTS, 1, 1, 0);
    one_engine(w);
    dispatch(w, 1, 1, 1);
    doorbell(w, 2, 0);
    UNTIL(w, count_of(w, GRANT, 2, 0, 0) == 1);
    map(w, 0, 0, 3); // grants at engine 1
    on(w, 0, 0);
    shape(w, 64, 2, 1, 0);
    SET_SH(w, 0x16, 0, 0xffffffffu);
    dispatch(w, 500, 1, 1);
    for (int q = 0; q < 2; q++) {
        driver_queue d = world_queue(1, q, 3);
        d.quantum      = 1u << 8 | 1;
        map_queue(w, &d);
        on(w, 1, q);
        shape(w, 64, 2, 1, 0);
        one_engine(w);
        dispatch(w, 3, 1, 1);
    }
    doorbell(w, 1, 0);
    doorbell(w, 1, 1);
    steps(w, 300);
    doorbell(w, 0, 0);
    const unsigned from = w->count;
    UNTIL(w, count_of(w, GRANT, 0, 0, from) == 500);
    assert_int_equal(count_of(w, GRANT, 1, 0, 0) + count_of(w, GRANT, 1, 1, 0), 0);
    assert_in_range(count_of(w, GO, 1, 0, from) + count_of(w, GO, 1, 1, from), 0, 1);
}
#endif

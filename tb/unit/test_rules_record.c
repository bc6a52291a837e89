// SPDX-License-Identifier: Apache-2.0
//
// Records at top and end of pipe on the whole model (docs/queue.md). That equal pairs mean that all launched work has
// ended is checked in every clock by the harness (tb/lockstep/judges/pairs.c); here are runs in which that is hard to
// keep, and the rules one by one: what is written, when a mapping waits, what an unmapping waits for, what an error
// does.

#include <stdio.h>
#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { MQD = 0x600008, MQD_STRIDE = 0x7f8, OUT = WORLD_DATA };
enum { LAST_PIPE = WORLD_PIPES - 1, DRAIN = 1, LEAVE = 4 };
enum { TOP_WAVES = 92, TOP_RPTR = 93, TOP_BUFFER = 95, END_RPTR = 96, END_SEQUENCE = 97, TOP_SEQUENCE = 107 };
enum { TOP_PENDING = 1 << 13, END_PENDING = 1 << 14, SELECTED = 2, ACTIVE = 1, RECORDS_DIFFER = 11 };

static uint32_t mqd(const world *w, uint64_t address, uint32_t dword)
{
    return get(w, address + 4 * (uint64_t)dword);
}

static void set_mqd(world *w, uint64_t address, uint32_t dword, uint32_t value)
{
    set(w, address + 4 * (uint64_t)dword, value);
}

static bool pairs_equal(const world *w, uint64_t address)
{
    return mqd(w, address, TOP_RPTR) == mqd(w, address, END_RPTR) &&
           mqd(w, address, TOP_SEQUENCE) == mqd(w, address, END_SEQUENCE);
}

// An MQD for the ring of that slot, all of which is written: its queue runs as soon as it is mapped.
static void make_mqd(world *w, int pipe, int queue, uint64_t address)
{
    driver_queue q = world_queue(pipe, queue, 3);
    q.quantum      = 1; // no units
    q.mqd          = address;
    put_mqd(w, &q, w->written[pipe][queue]);
}

static void map_register(world *w, int pipe, int queue, uint64_t address)
{
    window_put(w, pipe, queue, WINDOW(CP_MQD_BASE_ADDR_HI), (uint32_t)(address >> 32));
    window_put(w, pipe, queue, WINDOW(MAP), (uint32_t)address);
}

// A queue whose ring is written is mapped by its MQD.
static void begin(world *w, int pipe, int queue)
{
    make_mqd(w, pipe, queue, MQD);
    account_remap(session_account(w->s), pipe, queue);
    map_register(w, pipe, queue, MQD);
}

static bool unmapped(world *w, int pipe, int queue)
{
    return (queue_state(w, pipe, queue) & ACTIVE) == 0;
}

static void dequeue(world *w, int pipe, int queue, uint32_t type)
{
    window_put(w, pipe, queue, WINDOW(CP_HQD_DEQUEUE_REQUEST), type);
    UNTIL(w, unmapped(w, pipe, queue));
}

// Gives the pipe up until the dword has the value.
static void smart_wait(world *w, uint64_t address, uint32_t value)
{
    PACKET(w, WAIT_REG_MEM, 0xd3, (uint32_t)address, (uint32_t)(address >> 32), value, 0xffffffffu, 4);
}

// A queue with one grid of 60 work-groups that last so many clocks, mapped, some of it running.
static void running(world *w, uint32_t duration, int pipe, int queue)
{
    program(w, 1, duration);
    on(w, pipe, queue);
    grid(w, 1, 60);
    begin(w, pipe, queue);
    UNTIL(w, waves(w, pipe, queue) > 5);
}

// ---- many switch-outs: every queue with grids that are stopped again and again, slots changed by dequeues

typedef struct {
    int      pipe, queue; // slot, also after its unmapping
    uint64_t address;
} carried;

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

// Gives the number of switch-outs.
static uint32_t stopped_often(uint32_t seed)
{
    enum { COUNT = 3, MOVES = 12, LAST_FENCE = 4 };
    const memory_options memory = {
        .seed = seed, .latency = 1 + seed % 90, .latency_spread = 120, .stall = 40, .reorder = true};
    world    w;
    carried  list[COUNT];
    uint32_t switches = 0;
    world_open_memory(&w, &memory);
    program(&w, 1, 100 + seed % 600);
    for (int n = 0; n < COUNT; n++) {
        list[n] = (carried){0, n, MQD + (uint64_t)MQD_STRIDE * (uint64_t)n};
        on(&w, 0, n);
        account_remap(session_account(w.s), 0, n);
        shape(&w, 64 * TOTEM_SLOTS / 4, 1, 1, 0); // four work-groups on an engine
        for (uint32_t k = 0; k < LAST_FENCE; k++) {
            dispatch(&w, 12 + k, 3, 1);
            fence(&w, 1, 0, OUT + 8 * (uint64_t)n, k + 1, 0);
            if (k == 1)
                flush(&w);
        }
        make_mqd(&w, 0, n, list[n].address);
    }
    for (int n = 0; n < COUNT; n++)
        map_register(&w, 0, n, list[n].address);
    for (int k = 0; k < MOVES; k++) {
        const int      n    = (int)draw(&seed, COUNT);
        const uint32_t type = draw(&seed, 3) == 0 ? DRAIN : LEAVE;
        carried       *c    = &list[n];
        int            pipe, queue;
        w.count = 0; // the events are not looked at
        steps(&w, draw(&seed, 600));
        UNTIL(&w, reason(queue_state(&w, c->pipe, c->queue)) != 10);
        if (draw(&seed, 3) == 0) { // preempts, or is preempted
            window_put(&w, c->pipe, c->queue, WINDOW(CP_HQD_QUEUE_PRIORITY), 2 + draw(&seed, 3));
            continue;
        }
        dequeue(&w, c->pipe, c->queue, type);
        do { // a free slot
            pipe  = (int)draw(&seed, WORLD_PIPES);
            queue = (int)draw(&seed, TOTEM_QUEUES);
        } while (!unmapped(&w, pipe, queue) || reason(queue_state(&w, pipe, queue)) == 10 || // its window is loaded
                 !front_out(&w, pipe)->epoch.room[queue]);
        account_move(session_account(w.s), c->pipe, c->queue, pipe, queue);
        c->pipe  = pipe;
        c->queue = queue;
        map_register(&w, pipe, queue, c->address);
    }
    for (int n = 0; n < COUNT; n++) {
        const carried *c = &list[n];
        // What others have still to do may come first.
        for (uint32_t k = 0; k < 5 * WORLD_LIMIT && get(&w, OUT + 8 * (uint64_t)n) != LAST_FENCE; k++, w.count = 0)
            steps(&w, 1);
        assert_int_equal(get(&w, OUT + 8 * (uint64_t)n), LAST_FENCE);
        UNTIL(&w, reason(queue_state(&w, c->pipe, c->queue)) != 10);
        dequeue(&w, c->pipe, c->queue, DRAIN);
        assert_true(pairs_equal(&w, c->address));
        assert_int_equal(mqd(&w, c->address, END_SEQUENCE), window_get(&w, c->pipe, c->queue, WINDOW(SEQUENCE)));
        switches += mqd(&w, c->address, END_SEQUENCE);
    }
    const pairs_counts seen = pairs_count(session_pairs(w.s));
    assert_in_range(seen.equal, 100, 10000000);
    assert_in_range(seen.unequal, 100, 10000000);
    assert_int_equal(errors(&w), 0);
    world_close(&w);
    return switches;
}

TEST(equal_pairs_mean_that_work_has_ended)
{
    uint32_t switches = 0;
    for (uint32_t seed = 1; seed <= 4; seed++)
        switches += stopped_often(seed * 77);
    assert_in_range(switches, 300, 1000000);
}

// ---- rule by rule

// What a switch-out writes, and that the end record waits for the waves.
RULE(records_of_a_switch)
{
    program(w, 1, 2000);
    on(w, 0, 0);
    grid(w, 1, 8);
    const uint32_t behind = position(w);
    smart_wait(w, OUT, 5); // given up
    make_mqd(w, 0, 0, MQD);
    set_mqd(w, MQD, TOP_SEQUENCE, 0xffffffff);
    set_mqd(w, MQD, END_SEQUENCE, 0xffffffff);
    account_remap(session_account(w->s), 0, 0);
    map_register(w, 0, 0, MQD);
    UNTIL(w, count_of(w, LEFT, 0, 0, 0) == 1);
    assert_false(selected(w, 0, 0));
    assert_true(front_out(w, 0)->record.top_pending[0]);
    assert_true(queue_state(w, 0, 0) & TOP_PENDING);
    UNTIL(w, !front_out(w, 0)->record.top_pending[0]);
    assert_int_equal(mqd(w, MQD, TOP_WAVES), 8);
    assert_int_equal(mqd(w, MQD, TOP_RPTR), behind);
    assert_int_equal(mqd(w, MQD, TOP_BUFFER), 0);
    assert_int_equal(mqd(w, MQD, TOP_SEQUENCE), 0); // wraps
    assert_int_equal(mqd(w, MQD, END_SEQUENCE), 0xffffffff);
    assert_int_equal(queue_state(w, 0, 0) & (TOP_PENDING | END_PENDING), END_PENDING);
    assert_int_equal(window_get(w, 0, 0, WINDOW(SEQUENCE)), 0);
    assert_int_equal(window_get(w, 0, 0, WINDOW(SEQUENCE_ENDED)), 0xffffffff);
    UNTIL(w, waves(w, 0, 0) == 0);
    UNTIL(w, pairs_equal(w, MQD));
    UNTIL(w, (queue_state(w, 0, 0) & END_PENDING) == 0);
    assert_int_equal(window_get(w, 0, 0, WINDOW(SEQUENCE_ENDED)), 0);
    assert_int_equal(mqd(w, MQD, END_RPTR), behind);
    set(w, OUT, 5);
    UNTIL(w, rptr(w, 0, 0) == w->written[0][0]);
    assert_int_equal(errors(w), 0);
}

// Dequeued with running waves, mapped in another slot at once: it runs when they have ended, not before.
RULE(mapping_waits_for_older_work)
{
    const int to = LAST_PIPE != 0 ? 2 : 3;
    running(w, 3000, 0, 1);
    dequeue(w, 0, 1, LEAVE);
    const unsigned before = count_of(w, GRANT, 0, 1, 0);
    assert_in_range(waves(w, 0, 1), 1, 60);
    assert_in_range(before, 1, 59);
    assert_false(pairs_equal(w, MQD));
    assert_int_equal(mqd(w, MQD, TOP_SEQUENCE), 1);
    account_move(session_account(w->s), 0, 1, LAST_PIPE, to);
    map_register(w, LAST_PIPE, to, MQD);
    UNTIL(w, reason(queue_state(w, LAST_PIPE, to)) == RECORDS_DIFFER);
    clear_active(w, LAST_PIPE, to); // the host calls it off
    map_register(w, LAST_PIPE, to, MQD);
    UNTIL(w, reason(queue_state(w, LAST_PIPE, to)) == RECORDS_DIFFER);
    while (waves(w, 0, 1) != 0) {
        assert_int_equal(count_of(w, GRANT, LAST_PIPE, to, 0), 0);
        assert_false(pairs_equal(w, MQD));
        step(w);
    }
    UNTIL(w, pairs_equal(w, MQD));
    UNTIL(w, rptr(w, LAST_PIPE, to) == w->written[0][1]);
    assert_int_equal(before + count_of(w, GRANT, LAST_PIPE, to, 0), 60);
    assert_int_equal(window_get(w, LAST_PIPE, to, WINDOW(SEQUENCE)), 1); // goes on from the MQD
    dequeue(w, LAST_PIPE, to, DRAIN);
    assert_int_equal(mqd(w, MQD, TOP_SEQUENCE), 2);
    assert_true(pairs_equal(w, MQD));
    assert_int_equal(errors(w), 0);
}

// Two queues wait for older work; doorbells and priorities are taken, and a third queue runs. Then they go on, the
// better one first.
RULE(others_run_while_two_wait)
{
    const uint64_t mqds[2] = {MQD, MQD + MQD_STRIDE};
    for (int n = 0; n < 2; n++) {
        make_mqd(w, 0, 1 + n, mqds[n]);
        set_mqd(w, mqds[n], TOP_SEQUENCE, 9);
        map_register(w, 0, 1 + n, mqds[n]);
        on(w, 0, 1 + n);
        write_word(w, OUT + 8 * (uint64_t)n, 5);
    }
    UNTIL(w, front_out(w, 0)->mqd.records_differ[1] && front_out(w, 0)->mqd.records_differ[2]);
    map_on(w, 0, 0, 3);
    nops(w, 400);
    doorbell(w, 0, 0);
    for (int n = 0; n < 2; n++) {
        doorbell(w, 0, 1 + n);
        window_put(w, 0, 1 + n, WINDOW(CP_HQD_QUEUE_PRIORITY), 5 + (uint32_t)n);
    }
    UNTIL(w, read_up(w, 0));
    assert_int_equal(get(w, OUT) | get(w, OUT + 8), 0);
    wait_equal(w, OUT + 64, 1); // keeps the pipe until both are ready
    window_put(w, 0, 0, WINDOW(CP_HQD_QUEUE_PRIORITY), 9);
    doorbell(w, 0, 0);
    for (int n = 0; n < 2; n++)
        set_mqd(w, mqds[n], END_SEQUENCE, 9);
    UNTIL(w, front_out(w, 0)->arbiter.ready[1] && front_out(w, 0)->arbiter.ready[2]);
    const unsigned from = w->count;
    set(w, OUT + 64, 1);
    UNTIL(w, get(w, OUT) == 5 && get(w, OUT + 8) == 5);
    EXPECT_ORDER(w, 0, from, 2, 1);
    assert_int_equal(errors(w), 0);
}

// ACTIVE cleared without a request: the records are written, nothing else is, and what runs ends.
RULE(cleared_queue_leaves_its_records)
{
    running(w, 2000, 0, 1);
    window_put(w, 0, 1, WINDOW(CP_HQD_ACTIVE), 0);
    UNTIL(w, unmapped(w, 0, 1));
    assert_in_range(waves(w, 0, 1), 1, 60);
    assert_int_equal(mqd(w, MQD, TOP_SEQUENCE), 1);
    assert_int_equal(mqd(w, MQD, END_SEQUENCE), 0);
    assert_int_equal(mqd(w, MQD, 132), 0x0be05301); // the window is not saved
    UNTIL(w, waves(w, 0, 1) == 0);
    UNTIL(w, pairs_equal(w, MQD));
    w->unfinished = true;
}

// All epochs of a queue are in use, one wave in each, and it is asked to leave, or its ACTIVE is cleared: its slot is
// free at once, with its top record. Nobody is mapped there until the oldest two waves have ended; the end record comes
// behind the last one.
TEST(unmapping_needs_no_epoch)
{
    for (unsigned cleared = 0; cleared < 2; cleared++) {
        world w;
        world_open(&w);
        on(&w, 0, 0);
        for (uint32_t n = 1; n <= TOTEM_EPOCHS; n++) {
            program(&w, n, 4000 + 1500 * n);
            grid(&w, n, 1);
            if (n < TOTEM_EPOCHS)
                fence(&w, 1, 0, OUT, n, 0);
        }
        begin(&w, 0, 0);
        UNTIL(&w, waves(&w, 0, 0) == TOTEM_EPOCHS);
        steps(&w, 100);
        assert_false(front_out(&w, 0)->epoch.room[0]);
        const uint64_t from = now(&w);
        if (cleared)
            window_put(&w, 0, 0, WINDOW(CP_HQD_ACTIVE), 0);
        else
            window_put(&w, 0, 0, WINDOW(CP_HQD_DEQUEUE_REQUEST), LEAVE);
        UNTIL(&w, unmapped(&w, 0, 0));
        assert_in_range(now(&w) - from, 0, 1500);
        assert_int_equal(waves(&w, 0, 0), TOTEM_EPOCHS);
        assert_int_equal(mqd(&w, MQD, TOP_SEQUENCE), 1);
        assert_int_equal(mqd(&w, MQD, TOP_WAVES), TOTEM_EPOCHS);
        UNTIL(&w, !front_out(&w, 0)->mqd.busy);
        while (waves(&w, 0, 0) > TOTEM_EPOCHS - 2) {
            const uint64_t before = errors(&w);
            assert_int_equal(host_try(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 1), 2);
            UNTIL(&w, errors(&w) == before + 1);
            assert_int_equal(last_error(&w).code, TOTEM_ERROR_HOST_MAP_NO_EPOCH);
            steps(&w, 300);
        }
        UNTIL(&w, front_out(&w, 0)->epoch.room[0]);
        assert_int_equal(waves(&w, 0, 0), TOTEM_EPOCHS - 2);
        if (!cleared) { // mapped again, it waits for its own end record
            map_register(&w, 0, 0, MQD);
            UNTIL(&w, reason(queue_state(&w, 0, 0)) == RECORDS_DIFFER);
        }
        while (!pairs_equal(&w, MQD)) {
            step(&w);
            if (waves(&w, 0, 0) != 0)
                assert_int_equal(mqd(&w, MQD, END_SEQUENCE), 0);
            assert_true(now(&w) - from < 40000);
        }
        assert_int_equal(waves(&w, 0, 0), 0);
        assert_int_equal(get(&w, OUT), TOTEM_EPOCHS - 1);
        if (!cleared)
            UNTIL(&w, front_out(&w, 0)->arbiter.active[0]);
        world_close(&w);
    }
}

// A drain waits for the waves of its own mapping; those of an earlier one of the slot may run on.
RULE(drain_waits_for_its_own_waves)
{
    running(w, 15000, 0, 1);
    dequeue(w, 0, 1, LEAVE);
    const uint32_t older = waves(w, 0, 1);
    assert_in_range(older, 1, 60);
    w->written[0][1] = 0;
    make_mqd(w, 0, 1, MQD + MQD_STRIDE);
    map_register(w, 0, 1, MQD + MQD_STRIDE);
    UNTIL(w, front_out(w, 0)->arbiter.active[1]);
    dequeue(w, 0, 1, DRAIN);
    assert_int_equal(waves(w, 0, 1), older);
    UNTIL(w, pairs_equal(w, MQD));
    w->unfinished = true; // the rest of the grid is in the MQD
}

// A failed write of a record is reported; a failed top record leaves TOP_PENDING, and the queue runs on.
TEST(failed_records_are_reported)
{
    static const uint32_t dwords[] = {TOP_RPTR, TOP_BUFFER, TOP_SEQUENCE, END_SEQUENCE};
    for (unsigned row = 0; row < COUNT(dwords); row++) {
        const bool   top   = dwords[row] != END_SEQUENCE;
        memory_fault fault = {.address = MQD + 4 * (uint64_t)dwords[row], .kind = MEMORY_WRITE_SLVERR};
        world        w;
        world_open_with(&w, 20, &fault, 1);
        on(&w, 0, 0);
        smart_wait(&w, OUT, 5);
        smart_wait(&w, OUT, 6);
        begin(&w, 0, 0);
        UNTIL(&w, errors(&w) == 1);
        assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
        assert_int_equal(last_error(&w).address, MQD);
        assert_int_equal(last_error(&w).queue, 0);
        steps(&w, 200);
        // What software finds is what record has said.
        assert_int_equal(host_get(&w, EVENTS(RECORD)) >> 8 & 255, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
        assert_int_equal(host_get(&w, EVENTS(RECORD_ADDRESS_LO)), MQD);
        assert_int_equal(host_get(&w, EVENTS(RECORD_WORD)), last_error(&w).word);
        assert_int_equal((queue_state(&w, 0, 0) & TOP_PENDING) != 0, top);
        assert_false(!top && pairs_equal(&w, MQD));
        set(&w, OUT, 5);
        UNTIL(&w, rptr(&w, 0, 0) == 7 && count_of(&w, LEFT, 0, 0, 0) >= 2);
        UNTIL(&w, (queue_state(&w, 0, 0) & (TOP_PENDING | END_PENDING)) == 0);
        assert_true(pairs_equal(&w, MQD));
        set(&w, OUT, 6);
        UNTIL(&w, rptr(&w, 0, 0) == 14);
        dequeue(&w, 0, 0, DRAIN);
        assert_int_equal(errors(&w), 1);
        world_close(&w);
    }
}

// The end record of a queue that has gone is written by its fence, so its failure is that of a fence's write; the
// driver makes the pairs equal, and the queue goes on where it stopped.
TEST(end_record_behind_a_fence_fails)
{
    memory_fault fault = {.address = MQD + 4 * (uint64_t)END_RPTR, .kind = MEMORY_WRITE_SLVERR};
    world        w;
    world_open_with(&w, 20, &fault, 1);
    running(&w, 3000, 0, 1);
    dequeue(&w, 0, 1, LEAVE);
    assert_int_equal(errors(&w), 0);
    assert_in_range(waves(&w, 0, 1), 1, 60);
    UNTIL(&w, errors(&w) == 1);
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
    assert_int_equal(last_error(&w).address, MQD + 4 * END_RPTR);
    assert_int_equal(last_error(&w).queue, 1);
    assert_int_equal(waves(&w, 0, 1), 0);
    assert_false(pairs_equal(&w, MQD));
    set_mqd(&w, MQD, END_RPTR, mqd(&w, MQD, TOP_RPTR));
    set_mqd(&w, MQD, END_SEQUENCE, mqd(&w, MQD, TOP_SEQUENCE));
    map_register(&w, 0, 1, MQD);
    UNTIL(&w, read_up(&w, 1) && waves(&w, 0, 1) == 0);
    dequeue(&w, 0, 1, DRAIN);
    assert_true(pairs_equal(&w, MQD));
    assert_int_equal(errors(&w), 1);
    world_close(&w);
}

// An MQD that can be read, of which no write is ever answered: one error of its records, one of its save. The fences of
// another queue, which share the IDs that such writes leave reserved, go on; no path of the memory is dead.
TEST(descriptor_that_answers_no_write)
{
    enum { BEATS = 92, TIMES = 8, FENCES = 20 };
    static memory_fault faults[BEATS * TIMES];
    world               w;
    for (unsigned n = 0; n < BEATS * TIMES; n++)
        faults[n] = (memory_fault){.address = MQD + 8 * (uint64_t)(n % BEATS), .kind = MEMORY_WRITE_NOTHING};
    world_open_with(&w, 20, faults, BEATS * TIMES);
    host_put(&w, MACHINE(MEMORY_TIMEOUT), 300);
    map(&w, 0, 1, 3);
    on(&w, 0, 0);
    for (uint32_t n = 1; n <= FENCES; n++)
        smart_wait(&w, OUT, n);
    begin(&w, 0, 0);
    for (uint32_t n = 1; n <= FENCES + 4; n++) {
        if (n < FENCES) {
            set(&w, OUT, n);
            UNTIL(&w, rptr(&w, 0, 0) == 7 * n);
        } else if (n == FENCES) {
            UNTIL(&w, errors(&w) == 1); // of all records; what follows is the save
            dequeue(&w, 0, 0, DRAIN);
            UNTIL(&w, errors(&w) == 2);
        }
        assert_in_range(errors(&w), n > 2, n < FENCES ? 1 : 2);
        on(&w, 0, 1);
        fence(&w, 1, 0, OUT + 64, n, 0);
        doorbell(&w, 0, 1);
        UNTIL(&w, get(&w, OUT + 64) == n);
        steps(&w, 700);
        assert_int_equal(host_get(&w, MACHINE(STATUS)) >> 8, 0); // no path is dead
    }
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT);
    assert_int_equal(last_error(&w).address, MQD);
    // The window says that the MQD is not to be trusted.
    assert_int_equal(window_get(&w, 0, 0, WINDOW(CP_HQD_PERSISTENT_STATE)) & 1, 0);
    world_close(&w);
}

// SPDX-License-Identifier: Apache-2.0
//
// Packets of the scheduler on the whole model: which pipe they come from, and who waits while one of them waits.
// sim/workloads/orders.py plays a list that changes, and every error.
// Configuration: full, because mini has no run list.

#include "tests.h"

#include "rules_world.h"

#if TOTEM_RUNLIST
enum { MQD = 0x600000, POINTER = 0x610000, ENTRY = 5, OTHER = 2, SHORT = 0, LONG = 1, DONE = 0x600d };

static void work(world *w, int pipe, int queue)
{
    on(w, pipe, queue);
    grid(w, SHORT, 1);
    doorbell(w, pipe, queue);
}

// Queue 0 of pipe 0 lists one queue by a buffer, and unmaps all while its wave of `duration` clocks runs.
static void unmap_while_it_runs(world *w, uint32_t duration)
{
    program(w, SHORT, 10);
    program(w, LONG, duration);
    driver_queue q = world_queue(0, 0, 15);
    q.privileged   = true;
    map_queue(w, &q);
    map(w, 0, OTHER, 3);
    map(w, 1, 0, 3);
    q     = world_queue(0, 1, 3);
    q.mqd = MQD;
    put_mqd(w, &q, 0);
    on(w, 0, 1);
    grid(w, LONG, 1);
    set(w, POINTER, position(w));

    on(w, 0, 0);
    PACKET(w, SET_RESOURCES, 0, 1u << 1, 0, 0, 0, 0, 0);
    w->buffer = WORLD_BUFFER;
    PACKET(w, MAP_PROCESS, 10u << 25 | 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    PACKET(w, MAP_QUEUES, 1u << 29 | 1u << 4, ENTRY << 3, MQD, 0, POINTER, 0);
    PACKET(w, RUN_LIST, WORLD_BUFFER, 0, 1u << 20 | 1u << 23 | 26);
    const uint32_t size = (uint32_t)(w->buffer - WORLD_BUFFER) / 4;
    w->buffer           = 0;
    PACKET(w, RUN_LIST, WORLD_BUFFER, 0, 1u << 23 | size);
    doorbell(w, 0, 0);
    UNTIL(w, waves(w, 0, 1) == 1);

    PACKET(w, UNMAP_QUEUES, 2u << 4, 0, 0, 0, 0);
    PACKET(w, QUERY_STATUS, 1u << 30, 0, WORLD_DATA, 0, DONE, 0);
    doorbell(w, 0, 0);
    UNTIL(w, session_out(w->s)->scheduler.waiting);
    assert_int_equal(reason(queue_state(w, 0, 0)), TOTEM_REG_QUEUE_STATE_REASON_WAIT);
    work(w, 0, OTHER);
    work(w, 1, 0);
    UNTIL(w, count_of(w, LAUNCH, 0, OTHER, 0) == 1 && count_of(w, LAUNCH, 1, 0, 0) == 1);
    assert_true(session_out(w->s)->scheduler.waiting && get(w, WORLD_DATA) == 0);
}

// A queue is listed by a buffer, and taken away while its wave runs. Meanwhile the pipe has another queue, and queue 0
// of another pipe does not wait.
RULE(unmap_gives_the_pipe_up)
{
    unmap_while_it_runs(w, 4000);
    UNTIL(w, get(w, WORLD_DATA) == DONE);
    assert_false(window_active(w, 0, 1));
}

// Memory never answers a write of its save. LEAVE, the reset's stage, and two periods of memory behind it (docs/queue.md,
// Time-out), then the packet is answered; and the sweep over all entries, 5 clocks each.
TEST(unmap_of_a_queue_that_hangs)
{
    enum { TIME = 4095, SWEEP = 5 * TOTEM_RUN_QUEUES };
    memory_fault fault = {.address = MQD + 4 * 130, .kind = MEMORY_WRITE_NOTHING};
    world        w;
    world_open_with(&w, 20, &fault, 1);
    w.unfinished = true;
    host_put(&w, MACHINE(MEMORY_TIMEOUT), 0);
    host_put(&w, MACHINE(DEQUEUE_TIMEOUT), TIME);
    host_put(&w, TOTEM_REG_RUNLIST_BASE + 4 * TOTEM_REG_RUNLIST_LEAVE, TIME);
    unmap_while_it_runs(&w, 100);
    const uint64_t asked = now(&w);
    UNTIL(&w, get(&w, WORLD_DATA) == DONE);
    assert_in_range(now(&w) - asked, 2 * TIME, 4 * TIME + SWEEP + 1000);
    assert_false(window_active(&w, 0, 1));
    session_error  list[8]; // of each LEAVE one, and of memory
    const uint64_t count = session_errors(w.s, list, 8);
    assert_in_range(count, 2, 5);
    assert_int_equal(list[0].code, TOTEM_ERROR_RUNLIST_LATE);
    assert_int_equal(list[count - 1].code, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT);
    world_close(&w);
}
#endif

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

// A queue is listed by a buffer, and taken away while its wave runs. Meanwhile the pipe has another queue, and queue 0
// of another pipe does not wait.
RULE(unmap_gives_the_pipe_up)
{
    program(w, SHORT, 10);
    program(w, LONG, 4000);
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
    UNTIL(w, get(w, WORLD_DATA) == DONE);
    assert_false(window_active(w, 0, 1));
}
#endif

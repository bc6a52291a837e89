// SPDX-License-Identifier: Apache-2.0
//
// The report of the read pointer at an unmapping, on the whole model: when ACTIVE reads 0, and when the interrupt of a
// dequeue comes, the last one is in memory, however slow memory is and however many reports of other queues are
// ahead; so the queue may be mapped again anywhere at once, and the place of its report be freed. (docs/queue.md,
// Dequeue and Pointers; docs/queue.md.)

#include "rules_world.h"

enum { MQD = 0x600000, OUT = WORLD_DATA, REPORTS = OUT + 0x1000, ELSEWHERE = OUT + 0x2000 };
enum { Q = 1, LAST_PIPE = WORLD_PIPES - 1 };
enum { CLEARED = 0, DRAIN = 1, RESET = 2, SAVE_WAVES = 3, LEAVE = 4, WAYS = 5 };
enum { SLOW = 400, FREED = 0xfeeefeee, NOPS = 9, LATER = 4000, PATIENCE = 1000 };
enum { EVERY = TOTEM_SE_COUNT > 1 ? 7 : 1 }; // clocks from row to row of a sweep: each of them where a machine is small

static uint64_t place(int queue)
{
    return REPORTS + 64 * (uint64_t)queue;
}

static bool active(const world *w, int pipe, int queue)
{
    return session_model(w->s)->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.hqd.active[queue];
}

static bool interrupted(const world *w, int pipe, int queue)
{
    return session_model(w->s)->events.eop[pipe] >> queue & 1;
}

static driver_queue reporting_queue(int queue, uint64_t mqd)
{
    driver_queue q = world_queue(0, queue, 3);
    q.rptr_report  = place(queue);
    q.mqd          = mqd;
    return q;
}

// How Q is left is written to the host's list, to be done from clock `at` on.
static size_t ask(world *w, uint64_t at, uint32_t way)
{
    const uint32_t dword = way == CLEARED ? WINDOW(CP_HQD_ACTIVE) : WINDOW(CP_HQD_DEQUEUE_REQUEST);
    return host_write(host(w), at, driver_window(0, Q, dword), way);
}

static void leave(world *w, uint32_t way)
{
    const size_t n = ask(w, now(w), way);
    UNTIL(w, host_done(host(w)));
    assert_int_equal(host(w)->list[n].response, 0);
}

// Until the slot is free. Up to then the interrupt has not come; then the report is answered, and what it said is
// final.
static void freed(world *w, uint32_t expected)
{
    uint64_t written = 0;
    UNTIL(w, (assert_false(interrupted(w, 0, Q)),
              written = written == 0 && get(w, place(Q)) == expected ? now(w) : written, !active(w, 0, Q)));
    assert_true(written != 0 && now(w) >= written + SLOW);
    assert_false(front_out(w, 0)->fetch.reporting[Q]);
    assert_int_equal(get(w, place(Q)), expected);
}

static void interrupt_comes(world *w, uint32_t way)
{
    if (way == CLEARED)
        return;
    UNTIL(w, interrupted(w, 0, Q));
    assert_int_equal(host_get(w, EVENTS(INT_CTXID) + 4 * Q), way);
    host_put(w, EVENTS(EOP_STATUS), 1u << Q);
}

// Queues of pipe 0 that report; Q has an MQD or none.
static void open_queues(world *w, const memory_options *memory, uint64_t mqd)
{
    world_open_memory(w, memory);
    for (int n = 0; n <= WORLD_LAST; n++) {
        const driver_queue q = reporting_queue(n, n == Q ? mqd : 0);
        map_queue(w, &q);
    }
}

static void ring(world *w, int queue, unsigned count)
{
    on(w, 0, queue);
    nops(w, count);
    doorbell(w, 0, queue);
}

// All queues become empty and leave the pipe, Q the last of them: its report waits for those of the others.
static void all_report(world *w)
{
    for (int n = 0; n <= WORLD_LAST; n++)
        if (n != Q)
            ring(w, n, 3);
    UNTIL(w, front_out(w, 0)->fetch.busy);
    ring(w, Q, NOPS);
    UNTIL(w, read_up(w, Q));
}

// Every way to leave: the interrupt and ACTIVE 0 wait for the answer of the last report, and no report of another
// queue is lost. At ACTIVE 0 the queue is mapped at once: in the same slot with its report elsewhere, so that the old
// place is freed and stays as it is; or, if it has an MQD, in another slot, of another pipe where there is one, which
// has no reports of others ahead, and what memory says never goes back.
TEST(unmapping_waits)
{
    const memory_options memory = {.seed = 1, .latency = SLOW};
    for (uint32_t row = 0; row < 2 * WAYS; row++) {
        const bool     moves = row % 2;
        const uint32_t way   = row / 2;
        driver_queue   q     = reporting_queue(Q, 0);
        world          w;
        open_queues(&w, &memory, moves ? MQD : 0);
        all_report(&w);
        leave(&w, way);
        assert_int_equal(get(&w, place(Q)), 0); // not yet
        const uint64_t from = now(&w);
        steps(&w, SLOW);
        assert_true(active(&w, 0, Q) && front_out(&w, 0)->fetch.reporting[Q]);
        assert_int_equal(reason(queue_state(&w, 0, Q)), way == RESET ? 12 : 3);
        freed(&w, NOPS);
        assert_true(now(&w) - from > SLOW * 2);
        if (moves) {
            driver_unmap(host(&w), now(&w), 0, 0); // in its own pipe: the slot of queue 0
            UNTIL(&w, host_done(host(&w)) && !active(&w, 0, 0));
            q.pipe  = LAST_PIPE;
            q.queue = 0;
            q.ring  = world_queue(LAST_PIPE, 0, 0).ring;
        } else {
            set(&w, place(Q), FREED);
            q.rptr_report = ELSEWHERE;
        }
        q.rptr = NOPS;
        map_queue(&w, &q);
        interrupt_comes(&w, way);
        on(&w, (int)q.pipe, (int)q.queue);
        nops(&w, 4);
        doorbell(&w, w.pipe, w.queue);
        for (uint32_t last = NOPS; !session_idle(w.s); step(&w)) {
            assert_true(get(&w, place(Q)) >= last);
            last = get(&w, place(Q));
        }
        assert_int_equal(get(&w, q.rptr_report), NOPS + 4);
        if (!moves)
            assert_int_equal(get(&w, place(Q)), FREED);
        for (int n = 0; n <= WORLD_LAST; n++)
            assert_true(n == Q || get(&w, place(n)) == 3);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// A queue in full work, with a report every other dword, is left in each clock: what memory says then is the read
// pointer of the window.
TEST(left_in_each_clock)
{
    for (uint32_t way = 0; way < WAYS; way++)
        for (uint32_t offset = way; offset < 150; offset += EVERY * 3) {
            const memory_options memory = {.seed = 1 + offset, .latency = 15, .latency_spread = 60, .reorder = true};
            world                w;
            driver_queue         q = reporting_queue(Q, offset & 1 ? MQD : 0);
            world_open_memory(&w, &memory);
            w.unfinished = true;
            map_queue(&w, &q);
            map(&w, 0, 0, 3);
            on(&w, 0, Q);
            shape(&w, 64, 0, 1, 0);
            nops(&w, 20);
            dispatch(&w, 40, 1, 1);
            nops(&w, 60);
            on(&w, 0, 0);
            nops(&w, 100);
            doorbell(&w, 0, 0);
            driver_doorbell(host(&w), now(&w), 0, Q, w.written[0][Q]);
            ask(&w, now(&w) + offset, way);
            UNTIL(&w, !active(&w, 0, Q) && host_done(host(&w)));
            const uint32_t at = rptr(&w, 0, Q);
            assert_false(front_out(&w, 0)->fetch.reporting[Q]);
            assert_int_equal(get(&w, place(Q)), at);
            assert_int_equal(window_get(&w, 0, Q, WINDOW(CP_HQD_PQ_RPTR)), at);
            set(&w, place(Q), FREED);
            UNTIL(&w, session_idle(w.s));
            assert_int_equal(get(&w, place(Q)), FREED);
            world_close(&w);
        }
}

// The last report fails: a record, the queue is halted while it leaves (not if ACTIVE was cleared), the unmapping
// goes on, and the slot is good.
TEST(failed_report)
{
    for (uint32_t row = 0; row < 2 * WAYS; row++) {
        memory_fault         fault  = {.address = place(Q), .kind = MEMORY_WRITE_DECERR};
        const memory_options memory = {.seed = 1, .latency = SLOW, .faults = &fault, .faults_count = 1};
        const uint32_t       way    = row / 2;
        world                w;
        driver_queue         q      = reporting_queue(Q, row % 2 ? MQD : 0);
        bool                 halted = false;
        open_queues(&w, &memory, q.mqd);
        all_report(&w);
        leave(&w, way);
        UNTIL(&w, (halted = halted || front_out(&w, 0)->execute.halted[Q], !active(&w, 0, Q)));
        assert_int_equal(halted, way != CLEARED);
        assert_int_equal(errors(&w), 1); // before the interrupt
        assert_false(interrupted(&w, 0, Q));
        assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_WRITE_DECERR);
        assert_int_equal(last_error(&w).pipe, 0);
        assert_int_equal(last_error(&w).queue, Q);
        assert_int_equal(last_error(&w).address, place(Q));
        interrupt_comes(&w, way);
        q.rptr = NOPS;
        q.mqd  = 0;
        map_queue(&w, &q);
        ring(&w, Q, 1);
        UNTIL(&w, get(&w, place(Q)) == NOPS + 1);
        assert_int_equal(errors(&w), 1);
        world_close(&w);
    }
}

// Memory answers no report and has no time-out: an unmapping waits, and a reset ends, the first one or one in place of
// another way, by its own time-out: one record a report, those ahead too. The slot is good then, and so is its report.
TEST(report_without_an_answer)
{
    for (uint32_t way = 0; way < WAYS; way++) {
        memory_fault         faults[TOTEM_QUEUES];
        const memory_options memory = {.seed = 1, .latency = 20, .faults = faults, .faults_count = 2};
        world                w;
        driver_queue         q = reporting_queue(Q, 0);
        for (int n = 0; n < 2; n++)
            faults[n] = (memory_fault){.address = place(n), .kind = MEMORY_WRITE_NOTHING};
        world_open_memory(&w, &memory);
        host_put(&w, MACHINE(MEMORY_TIMEOUT), 0);
        const driver_queue ahead = reporting_queue(0, 0);
        map_queue(&w, &ahead);
        map_queue(&w, &q);
        ring(&w, 0, 3);
        UNTIL(&w, front_out(&w, 0)->fetch.busy);
        ring(&w, Q, NOPS);
        UNTIL(&w, read_up(&w, Q) && !selected(&w, 0, 0));
        leave(&w, way);
        steps(&w, LATER);
        assert_true(active(&w, 0, Q));
        assert_int_equal(errors(&w), 0);
        if (way != RESET)
            leave(&w, RESET);
        steps(&w, LATER);
        assert_true(active(&w, 0, Q)); // DEQUEUE_TIMEOUT 0
        host_put(&w, MACHINE(DEQUEUE_TIMEOUT), PATIENCE);
        UNTIL(&w, !active(&w, 0, Q));
        expect_error(&w, 2, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT);
        assert_int_equal(last_error(&w).queue, Q);
        assert_int_equal(last_error(&w).address, place(Q));
        interrupt_comes(&w, RESET);
        assert_false(front_out(&w, 0)->kill.overdue);
        assert_int_equal(host_get(&w, MACHINE(ABANDONED)), 0);
        q.rptr        = NOPS;
        q.rptr_report = ELSEWHERE; // the late one may still come
        map_queue(&w, &q);
        ring(&w, Q, 1);
        UNTIL(&w, get(&w, ELSEWHERE) == NOPS + 1);
        assert_int_equal(errors(&w), 2);
        world_close(&w);
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// Rules of docs/queue.md on the whole model: packets that wait without the pipe, that look at memory before they act, and
// that write queue priorities, and every error of these.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules_world.h"

enum { GATE = WORLD_DATA, OUT = WORLD_DATA + 0x1000, GRID = WORLD_DATA + 0x2000, SMART = 3 << 6 | 1 << 4 | 3 };

#define H(op, body) TYPE3(TOTEM_OP_##op, body)

static uint32_t priority_register(int pipe, int queue)
{
    return driver_window((uint32_t)pipe, (uint32_t)queue, WINDOW(CP_HQD_QUEUE_PRIORITY));
}

static void map_as(world *w, int queue, uint32_t priority, uint32_t quantum, bool privileged)
{
    driver_queue q = world_queue(0, queue, priority);
    q.quantum      = quantum;
    q.privileged   = privileged;
    map_queue(w, &q);
    on(w, 0, queue);
}

static void smart_wait(world *w, uint64_t address, uint32_t value, uint32_t interval)
{
    PACKET(w, WAIT_REG_MEM, SMART, (uint32_t)address, (uint32_t)(address >> 32), value, 0xffffffffu, interval);
}

static void write_priority(world *w, int queue, uint32_t value)
{
    PACKET(w, WRITE_DATA, TOTEM_WRITE_DST_REGISTER << 8, priority_register(0, queue) / 4, 0, value);
}

static bool waiting(const world *w, int queue)
{
    return pipe_out(w, 0)->poll.waiting[queue] && !selected(w, 0, queue);
}

// ---- smart wait

static void wait_gives_the_pipe_to_a_lower_queue(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map_as(&w, 0, 9, 0, false);
    nop(&w);
    const uint32_t at = position(&w);
    smart_wait(&w, GATE, 1, 4);
    write_word(&w, OUT, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, waiting(&w, 0));
    assert_int_equal(reason(queue_state(&w, 0, 0)), WINDOW(STATE_REASON_WAIT));
    map_as(&w, 1, 2, 0, false);
    nops(&w, 400);
    const unsigned from = w.count;
    doorbell(&w, 0, 1);
    UNTIL(&w, rptr(&w, 0, 1) >= 300);
    assert_int_equal(rptr(&w, 0, 0), at);
    assert_int_equal(get(&w, OUT), 0);
    set(&w, GATE, 1);
    UNTIL(&w, get(&w, OUT) == 1);
    assert_false(read_up(&w, 1)); // the better queue comes back at once
    UNTIL(&w, read_up(&w, 1));
    EXPECT_ORDER(&w, 0, from, 1, 0, 1);
    world_close(&w);
}

// A condition that has held once is not lost: the queue passes although the word has changed again.
static void what_held_once_is_kept(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map_as(&w, 0, 2, 0, false);
    smart_wait(&w, GATE, 1, 4);
    doorbell(&w, 0, 0);
    UNTIL(&w, waiting(&w, 0));
    map_as(&w, 1, 9, 0, false);
    wait_equal(&w, OUT, 1);
    doorbell(&w, 0, 1);
    UNTIL(&w, selected(&w, 0, 1));
    set(&w, GATE, 1);
    steps(&w, 500);
    assert_false(read_up(&w, 0));
    set(&w, GATE, 0);
    set(&w, OUT, 1);
    UNTIL(&w, read_up(&w, 0));
    world_close(&w);
}

// Clock and address of the next accepted poll of pipe 0.
static uint64_t next_poll(world *w, uint64_t *address)
{
    const uint64_t end = now(w) + WORLD_LIMIT;
    bool           asked;
    do {
        asked    = pipe_out(w, 0)->poll.read_valid;
        *address = pipe_out(w, 0)->poll.read_addr;
        step(w);
        assert_true(now(w) < end);
    } while (!asked || pipe_out(w, 0)->poll.read_valid);
    return now(w);
}

// Memory so slow that every queue is due again before its turn comes.
static void waiting_queues_take_turns(void **state)
{
    uint64_t address;
    world    w;
    (void)state;
    world_open_with(&w, 150, NULL, 0);
    for (int q = 0; q < TOTEM_QUEUES; q++) {
        map_as(&w, q, (uint32_t)q, 0, false);
        smart_wait(&w, GATE + 8 * (uint64_t)q, 1, 0);
        doorbell(&w, 0, q);
        UNTIL(&w, waiting(&w, q));
    }
    next_poll(&w, &address);
    for (int n = 0; n < 3 * TOTEM_QUEUES; n++) {
        const uint64_t last = address;
        next_poll(&w, &address);
        assert_int_equal((address - GATE) / 8, ((last - GATE) / 8 + 1) % TOTEM_QUEUES);
    }
    for (int q = 0; q < TOTEM_QUEUES; q++)
        set(&w, GATE + 8 * (uint64_t)q, 1);
    for (int q = 0; q < TOTEM_QUEUES; q++)
        UNTIL(&w, read_up(&w, q));
    world_close(&w);
}

static void timer(void **state)
{
    static const uint32_t rows[] = {0, 1, 100, 3000};
    (void)state;
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        world w;
        world_open(&w);
        map_as(&w, 0, 9, 0, false);
        PACKET(&w, WAIT_TIMER, rows[r]);
        write_word(&w, OUT, 1);
        map_as(&w, 1, 1, 0, false);
        nops(&w, 20);
        doorbell(&w, 0, 0);
        doorbell(&w, 0, 1);
        UNTIL(&w, get(&w, OUT) == 1);
        if (rows[r] == 0) // passes at once
            for (const event *e = w.events; e->kind != EXECUTED || e->queue != 0; e++)
                assert_false(e->kind == LEFT && e->queue == 0);
        else {
            const event *left = find_event(&w, LEFT, 0, 0, 0);
            assert_true(left->clock < find_event(&w, EXECUTED, 0, 0, 0)->clock); // a wait without the pipe
            const unsigned after = (unsigned)(left - w.events) + 1;
            const uint64_t back  = find_event(&w, GO, 0, 0, after)->clock;
            assert_in_range(back - left->clock, rows[r], rows[r] + TOTEM_QUEUES + 12);
            if (rows[r] == 3000)
                assert_true(find_event(&w, GO, 0, 1, after)->clock < back);
        }
        UNTIL(&w, read_up(&w, 1));
        world_close(&w);
    }
}

// ---- COND_EXEC, DISPATCH_INDIRECT

// Skipped: packets of the ring, or the rest of an indirect buffer. The address has bits that are ignored.
static void conditional_execution(void **state)
{
    (void)state;
    for (uint32_t word = 0; word < 3; word++)
        for (int inside = 0; inside < 2; inside++) {
            world w;
            world_open(&w);
            set(&w, GATE + 4, word ? 1u << (31 * (word - 1)) : 0);
            map_as(&w, 0, 7, 0, false);
            shape(&w, 64, 0, 1, 0);
            const uint32_t words[] = {H(COND_EXEC, 4),
                                      GATE + 4 + 3,
                                      0xabcdef00,
                                      0,
                                      10,
                                      H(WRITE_DATA, 4),
                                      5 << 8,
                                      OUT,
                                      0,
                                      1,
                                      H(DISPATCH_DIRECT, 4),
                                      2,
                                      1,
                                      1,
                                      AT_ZERO};
            const uint32_t count = sizeof words / sizeof *words, from = position(&w);
            if (inside)
                w.buffer = WORLD_BUFFER;
            raw(&w, words, count);
            w.buffer = 0;
            char message[256];
            if (inside)
                PACKET(&w, INDIRECT_BUFFER, WORLD_BUFFER, 0, count);
            else if (!account_stream(session_account(w.s), 0, 0, session_memory(w.s), ring_place(0, 0, 0), WORLD_SIZE,
                                     from, count, message))
                fail_msg("%s", message);
            write_word(&w, OUT + 4, 2);
            doorbell(&w, 0, 0);
            UNTIL(&w, get(&w, OUT + 4) == 2 && read_up(&w, 0));
            assert_int_equal(get(&w, OUT), word ? 1 : 0);
            assert_int_equal(count_of(&w, GRANT, 0, 0, 0), word ? 2 : 0);
            assert_int_equal(errors(&w), 0);
            world_close(&w);
        }
}

// What it is to skip is not written yet: an error, until the rest is announced; RESUME then skips all of it in one step.
static void skip_of_what_is_announced_later(void **state)
{
    enum { REST = 5 };
    world w;
    (void)state;
    world_open(&w);
    map_as(&w, 0, 7, 0, false);
    const uint32_t at      = position(&w);
    const uint32_t words[] = {H(COND_EXEC, 4),  GATE,   0,   0, 2 * REST, // and two packets that are skipped
                              H(WRITE_DATA, 4), 5 << 8, OUT, 0, 1,        H(WRITE_DATA, 4), 5 << 8, OUT, 0, 2};
    raw(&w, words, sizeof words / sizeof *words);
    write_word(&w, OUT + 4, 3);
    for (unsigned again = 1; again < 3; again++) {
        if (again == 1)
            window_put(&w, 0, 0, WINDOW(CP_HQD_PQ_WPTR_LO), at + 5 + REST);
        else
            host_put(&w, driver_window(0, 0, WINDOW(CONTROL)), 1); // nothing more: the same again
        UNTIL(&w, errors(&w) == again && pipe_out(&w, 0)->execute.halted[0] && !selected(&w, 0, 0));
        assert_int_equal(last_error(&w).code, TOTEM_ERROR_PACKET_COND_SKIP);
        assert_int_equal(last_error(&w).word, 2 * REST);
        assert_int_equal(rptr(&w, 0, 0), at);
    }
    doorbell(&w, 0, 0);
    steps(&w, 300);
    assert_int_equal(rptr(&w, 0, 0), at);
    host_put(&w, driver_window(0, 0, WINDOW(CONTROL)), 1);
    UNTIL(&w, get(&w, OUT + 4) == 3 && read_up(&w, 0));
    assert_int_equal(get(&w, OUT), 0);
    assert_int_equal(errors(&w), 2);
    world_close(&w);
}

static void indirect(world *w, uint64_t address, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t grid[] = {x, y, z};
    for (uint32_t n = 0; n < 3; n++)
        set(w, address + 4 * n, grid[n]);
    PACKET(w, DISPATCH_INDIRECT, (uint32_t)address, (uint32_t)(address >> 32), AT_ZERO);
}

// Preempted inside its grid: the rest is walked with the dimensions read first, and the packet is passed by its own length.
static void indirect_grid_is_preempted(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 1, 200);
    map_as(&w, 0, 3, 0, false);
    shape(&w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
    indirect(&w, GRID + 4, 5, 3, 2);
    write_word(&w, OUT, 1);
    map_as(&w, 1, 9, 0, false);
    nops(&w, 4);
    doorbell(&w, 0, 0);
    UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) >= 9);
    set(&w, GRID + 4, 1);
    set(&w, GRID + 8, 70000);
    set(&w, GRID + 12, 0);
    doorbell(&w, 0, 1);
    UNTIL(&w, read_up(&w, 1));
    assert_true(count_of(&w, GRANT, 0, 0, 0) < 30);
    UNTIL(&w, read_up(&w, 0));
    UNTIL(&w, get(&w, OUT) == 1);
    assert_int_equal(count_of(&w, GRANT, 0, 0, 0), 30);
    assert_int_equal(count_of(&w, STARTED, 0, 0, 0), 1);
    assert_true(count_of(&w, RESUMED, 0, 0, 0) >= 1);
    world_close(&w);
}

static void indirect_grid_of_nothing(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map_as(&w, 0, 3, 0, false);
    shape(&w, 64, 0, 1, 0);
    indirect(&w, GRID, 4, 0, 2);
    indirect(&w, GRID + 0x20, 4, 1, 2);
    doorbell(&w, 0, 0);
    UNTIL(&w, read_up(&w, 0));
    assert_int_equal(count_of(&w, GRANT, 0, 0, 0), 8);
    world_close(&w);
}

// Dimensions in threads: rounded up; beside partial groups; a queue that comes meanwhile does not wait.
static void dimensions_in_threads(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map_as(&w, 1, 9, 0, false);
    nops(&w, 3);
    map_as(&w, 0, 3, 0, false);
    shape(&w, 64, 0, 1, 0);
    SET_SH(&w, 7, 16 | 5u << 16, 4 | 2u << 16, 1 | 1u << 16);
    PACKET(&w, DISPATCH_DIRECT, 37, 6, 1, AT_ZERO | 1u << 5 | 1u << 1); // 3 x 2 groups
    doorbell(&w, 0, 0);
    UNTIL(&w, pipe_out(&w, 0)->divide.busy);
    doorbell(&w, 0, 1);
    UNTIL(&w, read_up(&w, 1));
    assert_int_equal(count_of(&w, STARTED, 0, 0, 0), 0); // it came inside the division
    UNTIL(&w, read_up(&w, 0));
    assert_int_equal(count_of(&w, GRANT, 0, 0, 0), 6);
    world_close(&w);
}

// ---- priorities written by packets

static void own_priority(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map_as(&w, 1, 5, 0, false);
    nops(&w, 5);
    map_as(&w, 0, 9, 0, false);
    wait_equal(&w, GATE, 1);
    write_priority(&w, 0, 2);
    nops(&w, 5);
    doorbell(&w, 0, 0);
    UNTIL(&w, selected(&w, 0, 0));
    doorbell(&w, 0, 1);
    steps(&w, 300);
    const unsigned from = w.count;
    set(&w, GATE, 1);
    UNTIL(&w, read_up(&w, 0));
    EXPECT_ORDER(&w, 0, from, 1, 0); // it went below the other: that one first
    assert_int_equal(host_get(&w, priority_register(0, 0)), 2);
    world_close(&w);
}

// Another queue's priority: with PRIV_STATE or PRIO_WRITE_OPEN, else an error of the writer.
static void foreign_priority(void **state)
{
    (void)state;
    for (int row = 0; row < 4; row++) {
        const bool privileged = row & 1, open = row & 2;
        world      w;
        world_open(&w);
        host_put(&w, MACHINE(QUEUE_OPTIONS), open ? 2 : 0);
        map_as(&w, 1, 1, 0, false);
        nops(&w, 300);
        map_as(&w, 0, 5, 0, privileged);
        const uint32_t at = position(&w);
        write_priority(&w, 1, 12);
        nops(&w, 300);
        doorbell(&w, 0, 1);
        UNTIL(&w, rptr(&w, 0, 1) > 10);
        const unsigned from = w.count;
        doorbell(&w, 0, 0);
        UNTIL(&w, read_up(&w, 1));
        if (privileged || open) {
            assert_int_equal(host_get(&w, priority_register(0, 1)), 12);
            UNTIL(&w, read_up(&w, 0));
            EXPECT_ORDER(&w, 0, from, 0, 1, 0); // raised above its writer
            assert_int_equal(errors(&w), 0);
        } else {
            assert_int_equal(errors(&w), 1);
            assert_int_equal(last_error(&w).code, TOTEM_ERROR_PACKET_PRIORITY_FOREIGN);
            assert_int_equal(last_error(&w).queue, 0);
            assert_int_equal(last_error(&w).word, priority_register(0, 1) / 4);
            assert_int_equal(rptr(&w, 0, 0), at);
            assert_int_equal(host_get(&w, priority_register(0, 1)), 1);
            host_put(&w, MACHINE(QUEUE_OPTIONS), 2); // mended elsewhere than in the ring
            driver_resume(host(&w), now(&w), 0, 0);
            UNTIL(&w, read_up(&w, 0));
            assert_int_equal(host_get(&w, priority_register(0, 1)), 12);
        }
        world_close(&w);
    }
}

// EVENT_ON_PRIORITY_WRITE: a packet's write, to whatever queue of the pipe, lets an equal queue take over although the quantum
// is enabled; without it the turn goes on.
static void event_by_a_packet(void **state)
{
    enum { EVENT = 1 };
    (void)state;
    for (unsigned row = 0; row < 6; row++) {
        const bool event = row & 1;
        const int  of    = (int)row / 2; // its own priority, one of a queue that is mapped, or of one that is not
        world      w;
        world_open(&w);
        host_put(&w, MACHINE(QUEUE_OPTIONS), event ? EVENT : 0);
        map_as(&w, 1, 7, 0, false);
        map_as(&w, 0, 7, 1u | 1 << 4 | 63 << 8, true);
        wait_equal(&w, OUT, 1);
        write_priority(&w, of, 7);
        wait_equal(&w, GATE, 1);
        doorbell(&w, 0, 0);
        UNTIL(&w, selected(&w, 0, 0));
        give_nop(&w, 0, 1);
        const unsigned from = w.count;
        steps(&w, 500);
        assert_false(read_up(&w, 1)); // ready in this turn, in which nobody has written a priority yet
        set(&w, OUT, 1);
        steps(&w, 500);
        assert_int_equal(read_up(&w, 1), event);
        set(&w, GATE, 1);
        UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
        if (event)
            EXPECT_ORDER(&w, 0, from, 1, 0);
        else
            EXPECT_ORDER(&w, 0, from, 1);
        world_close(&w);
    }
}

// ---- flush

// Queue 0 stands before its flushes, selected, without a quantum or with one not used up; queue 1 of the same priority is
// ready. `busy`: what it did before is still in flight, else all of it has ended.
static void a_flush(const char *name, bool waves, bool done, bool writes, bool busy, bool timed)
{
    enum { REPORT = WORLD_DATA + 0x3000, FLUSHES = 3 };
    world        w;
    driver_queue q = world_queue(0, 0, 7);
    world_open(&w);
    w.row = name;
    program(&w, 1, 400);
    map_as(&w, 1, 7, 0, false);
    nop(&w);
    q.quantum     = timed ? 1 | 1 << 4 | 63 << 8 : 0;
    q.rptr_report = REPORT;
    map_queue(&w, &q);
    on(&w, 0, 0);
    if (waves)
        shape(&w, 64, 1, 1, 0);
    wait_equal(&w, GATE, 1);
    if (waves)
        dispatch(&w, 2, 1, 1);
    if (done)
        fence(&w, 1, 0, OUT, 5, 0);
    if (writes)
        write_word(&w, OUT + 8, 6);
    if (!busy)
        wait_equal(&w, GATE + 8, 1);
    const uint32_t first = position(&w);
    for (unsigned n = 0; n < FLUSHES; n++)
        flush(&w);
    const uint32_t at = position(&w);
    wait_equal(&w, GATE + 16, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, selected(&w, 0, 0));
    doorbell(&w, 0, 1);
    steps(&w, 300);
    assert_true(pipe_out(&w, 0)->arbiter.ready[1]);
    const unsigned from  = w.count;
    const uint8_t  epoch = pipe_out(&w, 0)->epoch.current[0];
    set(&w, GATE, 1);
    if (busy) {
        UNTIL(&w, !selected(&w, 0, 0));
        assert_int_equal(rptr(&w, 0, 0), first);
        assert_int_equal(reason(queue_state(&w, 0, 0)), WINDOW(STATE_REASON_FLUSH));
        UNTIL(&w, read_up(&w, 1));
        UNTIL(&w, rptr(&w, 0, 0) == at); // the others have nothing left to wait for
        assert_true(!waves || account_sum(session_account(w.s)).ended == 2);
        assert_true(!done || get(&w, OUT) == 5);
        assert_true(!writes || get(&w, OUT + 8) == 6);
        EXPECT_ORDER(&w, 0, from, 1, 0);
        assert_int_equal(window_get(&w, 0, 0, WINDOW(SEQUENCE)), 1);
        assert_int_equal(get(&w, REPORT), first);
        assert_int_equal(pipe_out(&w, 0)->epoch.current[0], (epoch + done + 1) % TOTEM_EPOCHS);
    } else {
        steps(&w, 1200);
        assert_int_equal(pipe_out(&w, 0)->epoch.current[0], (epoch + done) % TOTEM_EPOCHS);
        assert_int_equal(waves * account_sum(session_account(w.s)).ended, waves * 2);
        assert_int_equal(rptr(&w, 0, 0), first - 7); // polls
        set(&w, GATE + 8, 1);
        UNTIL(&w, rptr(&w, 0, 0) == at);
        steps(&w, 200);
        assert_true(selected(&w, 0, 0) && pipe_out(&w, 0)->arbiter.ready[1]);
        expect_order(&w, 0, from, NULL, 0);
        assert_int_equal(window_get(&w, 0, 0, WINDOW(SEQUENCE)), 0);
        assert_int_equal(get(&w, REPORT), 0);
        assert_int_equal(pipe_out(&w, 0)->epoch.current[0], (epoch + done) % TOTEM_EPOCHS);
    }
    set(&w, GATE + 16, 1);
    UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
    world_close(&w);
}

// A flush with nothing in flight is no switch-out: the queue keeps the pipe, closes no epoch, reports nothing.
static void flush_gives_up_the_pipe_only_for_what_is_in_flight(void **state)
{
    static const struct {
        const char *name;
        bool        waves, done, writes, busy;
    } rows[] = {
        {"nothing before", false, false, false, false},
        {"waves have ended", true, false, false, false},
        {"waves have ended, and their fence", true, true, false, false},
        {"write acknowledged", false, false, true, false},
        {"waves run", true, false, false, true},
        {"fence not done", false, true, false, true},
        {"write under way", false, false, true, true},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (int timed = 0; timed < 2; timed++)
            a_flush(rows[n].name, rows[n].waves, rows[n].done, rows[n].writes, rows[n].busy, timed);
}

// A failed write before a flush halts the queue before the packet behind it, also if its answer comes when the flush looks.
static void failed_write_before_a_flush(void **state)
{
    enum { FAILS = WORLD_DATA + 0x3000, GAPS = 30, WAITED = 0, PASSED = 1, BEFORE = 2 };
    unsigned seen[3] = {0};
    (void)state;
    for (uint32_t n = 0; n < 2 * GAPS; n++) {
        memory_fault fault = {.address = FAILS, .kind = MEMORY_WRITE_SLVERR};
        world        w;
        world_open_with(&w, 20 + n % 2, &fault, 1); // a NOP lasts two clocks
        map_as(&w, 0, 7, 0, false);
        wait_equal(&w, GATE, 1);
        write_word(&w, FAILS, 1);
        nops(&w, n / 2);
        const uint32_t at = position(&w);
        flush(&w);
        write_word(&w, OUT, 1);
        doorbell(&w, 0, 0);
        steps(&w, 300);
        set(&w, GATE, 1);
        UNTIL(&w, errors(&w) == 1 && !selected(&w, 0, 0));
        steps(&w, 100);
        assert_true(pipe_out(&w, 0)->execute.halted[0]);
        assert_true(rptr(&w, 0, 0) <= at + 2);
        assert_int_equal(get(&w, OUT), 0);
        seen[rptr(&w, 0, 0) == at ? WAITED : rptr(&w, 0, 0) == at + 2 ? PASSED : BEFORE]++;
        driver_resume(host(&w), now(&w), 0, 0);
        UNTIL(&w, read_up(&w, 0));
        world_close(&w);
    }
    assert_true(seen[WAITED] && seen[PASSED] && seen[BEFORE]);
}

// ---- errors

typedef struct {
    const char *name;
    uint32_t    words[8], count;
    uint8_t     code;
    uint32_t    word;
    uint64_t    address; // of the record; 0: that of the packet
} bad_packet;

#define CODE(name) TOTEM_ERROR_PACKET_##name
#define PRIORITY(pipe, queue) (0x4006u + 0x400u * (pipe) + 0x40u * (queue))
#define FAULTY (WORLD_DATA + 0x8000)
#define TO_REGISTER(at, value) {H(WRITE_DATA, 4), 0, at, 0, value}, 5

static const bad_packet bad_packets[] = {
    {"smart wait, function 7", {H(WAIT_REG_MEM, 6), 0xd7, GATE, 0, 1, 1, 4}, 7, CODE(WAIT_FUNCTION), 0xd7, 0},
    {"smart wait, space 2", {H(WAIT_REG_MEM, 6), 0xe3, GATE, 0, 1, 1, 4}, 7, CODE(WAIT_OPERATION), 0xe3, 0},
    {"timer of 2", {H(WAIT_TIMER, 2), 1, 1}, 3, CODE(COUNT_FORM), H(WAIT_TIMER, 2), 0},
    {"COND_EXEC past the end", {H(COND_EXEC, 4), GATE, 0, 0, 0x3fff}, 5, CODE(COND_SKIP), 0x3fff, 0},
    {"indirect, y", {H(DISPATCH_INDIRECT, 3), GRID, 0, 5}, 4, CODE(GRID_RANGE), 0x10000, 0},
    {"indirect, z", {H(DISPATCH_INDIRECT, 3), GRID + 8, 0, 5}, 4, CODE(GRID_RANGE), 0x20000, 0},
    {"no register of a queue", TO_REGISTER(PRIORITY(0, 0) + 1, 1), CODE(WRITE_REGISTER), PRIORITY(0, 0) + 1, 0},
    {"queue that is none", TO_REGISTER(PRIORITY(0, TOTEM_QUEUES), 1), CODE(WRITE_REGISTER), PRIORITY(0, TOTEM_QUEUES),
     0},
    {"another pipe", TO_REGISTER(PRIORITY(1, 0), 1), CODE(WRITE_REGISTER), PRIORITY(1, 0), 0},
    {"another queue", TO_REGISTER(PRIORITY(0, 1), 1), CODE(PRIORITY_FOREIGN), PRIORITY(0, 1), 0},
    {"priority 16", TO_REGISTER(PRIORITY(0, 0), 16), CODE(PRIORITY_VALUE), 16, 0},
    {"read of COND_EXEC", {H(COND_EXEC, 4), FAULTY, 0, 0, 1}, 5, TOTEM_ERROR_MEMORY_READ_SLVERR, FAULTY, FAULTY},
    {"read of indirect",
     {H(DISPATCH_INDIRECT, 3), FAULTY - 4, 0, 5},
     4,
     TOTEM_ERROR_MEMORY_READ_SLVERR,
     FAULTY,
     FAULTY},
    {"poll",
     {H(WAIT_REG_MEM, 6), SMART, FAULTY + 4, 0, 1, 1, 4},
     7,
     TOTEM_ERROR_MEMORY_READ_SLVERR,
     FAULTY + 4,
     FAULTY + 4},
};

// Out of the halt by RESUME behind a mended ring, by SKIP, by ACTIVE cleared and a new mapping.
static void every_error(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof bad_packets / sizeof *bad_packets; n++)
        for (int way = 0; way < 3; way++) {
            const bad_packet *b     = &bad_packets[n];
            memory_fault      fault = {.address = FAULTY, .kind = MEMORY_READ_SLVERR};
            world             w;
            world_open_with(&w, 20, &fault, 1);
            w.row = b->name;
            set(&w, GRID + 4, 0x10000);
            set(&w, GRID + 12, 2);
            set(&w, GRID + 16, 0x20000);
            map_as(&w, 1, 7, 0, false);
            map_as(&w, 0, 7, 0, false);
            shape(&w, 64, 0, 1, 0);
            const uint32_t at = position(&w);
            raw(&w, b->words, b->count);
            write_word(&w, OUT, 1);
            doorbell(&w, 0, 0);
            UNTIL(&w, errors(&w) == 1 && pipe_out(&w, 0)->execute.halted[0] && !selected(&w, 0, 0));
            const session_error e = last_error(&w);
            if (e.code != b->code || e.word != b->word || e.queue != 0 || e.pipe != 0 ||
                e.address != (b->address ? b->address : ring_place(0, 0, at)))
                fail_msg("%s: record 0x%02x 0x%08x at 0x%llx", b->name, e.code, e.word, (unsigned long long)e.address);
            assert_int_equal(rptr(&w, 0, 0), at);
            give_write(&w, 0, 1, OUT + 4, 7);
            UNTIL(&w, get(&w, OUT + 4) == 7 && read_up(&w, 1));
            assert_int_equal(get(&w, OUT), 0);
            assert_int_equal(reason(queue_state(&w, 0, 0)), WINDOW(STATE_REASON_HALTED));
            on(&w, 0, 0);
            if (way == 0) {
                for (uint32_t k = 0; k < b->count; k++)
                    set(&w, ring_place(0, 0, at + k), FILLER);
                driver_resume(host(&w), now(&w), 0, 0);
            } else if (way == 1)
                host_put(&w, driver_window(0, 0, WINDOW(CONTROL)), 2);
            else {
                host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 0);
                UNTIL(&w, !(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1));
                driver_queue q = world_queue(0, 0, 7);
                q.rptr         = position(&w);
                map_queue(&w, &q);
                write_word(&w, OUT, 1);
                doorbell(&w, 0, 0);
            }
            UNTIL(&w, get(&w, OUT) == 1 && read_up(&w, 0));
            assert_int_equal(errors(&w), 1);
            world_close(&w);
        }
}

// A waiting queue is taken away: its wait goes with it, and the next mapping starts fresh.
static void wait_of_a_queue_that_is_taken_away(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map_as(&w, 0, 7, 0, false);
    smart_wait(&w, GATE, 1, 4);
    doorbell(&w, 0, 0);
    UNTIL(&w, waiting(&w, 0));
    host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 0);
    UNTIL(&w, !(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1));
    assert_false(pipe_out(&w, 0)->poll.waiting[0]);
    map_as(&w, 0, 7, 0, false);
    smart_wait(&w, GATE + 8, 1, 4);
    doorbell(&w, 0, 0);
    set(&w, GATE, 1);
    steps(&w, 1000);
    assert_int_equal(rptr(&w, 0, 0), 0);
    set(&w, GATE + 8, 1);
    UNTIL(&w, read_up(&w, 0));
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wait_gives_the_pipe_to_a_lower_queue),
        cmocka_unit_test(what_held_once_is_kept),
        cmocka_unit_test(waiting_queues_take_turns),
        cmocka_unit_test(timer),
        cmocka_unit_test(conditional_execution),
        cmocka_unit_test(skip_of_what_is_announced_later),
        cmocka_unit_test(indirect_grid_is_preempted),
        cmocka_unit_test(indirect_grid_of_nothing),
        cmocka_unit_test(dimensions_in_threads),
        cmocka_unit_test(own_priority),
        cmocka_unit_test(foreign_priority),
        cmocka_unit_test(event_by_a_packet),
        cmocka_unit_test(flush_gives_up_the_pipe_only_for_what_is_in_flight),
        cmocka_unit_test(failed_write_before_a_flush),
        cmocka_unit_test(every_error),
        cmocka_unit_test(wait_of_a_queue_that_is_taken_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

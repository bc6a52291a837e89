// SPDX-License-Identifier: Apache-2.0
//
// Rules of docs/queue.md on the whole model: what a wait is passed by, whom it keeps the pipe from, and waits on
// registers. Timers and what a smart wait does beside other queues: test_rules_packets.c.

#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { GATE = WORLD_DATA, OUT = WORLD_DATA + 0x1000, POLLS = 0, SMART = 3 << 6, SCRATCH = WINDOW(CP_HQD_EOP_EVENTS) };
enum { LESS = 1, EQUAL = 3, AT_LEAST = 5, LONG = 1 | 1 << 4 | 63 << 8 }; // functions; the longest quantum

static void map_with(world *w, int queue, uint32_t priority, uint32_t quantum)
{
    driver_queue q = world_queue(0, queue, priority);
    q.quantum      = quantum;
    map_queue(w, &q);
    on(w, 0, queue);
}

static bool waiting(const world *w, int queue)
{
    return front_out(w, 0)->poll.waiting[queue] && !selected(w, 0, queue);
}

// Dword address at the host port, as packets name a register.
static uint32_t place(int pipe, int queue, uint32_t dword)
{
    return driver_window((uint32_t)pipe, (uint32_t)queue, dword) / 4;
}

static void wait_register(world *w, uint32_t operation, uint32_t function, uint32_t at, uint32_t value, uint32_t mask)
{
    PACKET(w, WAIT_REG_MEM, operation | function, at, 0xffffff00u, value, mask, 4);
}

static uint32_t waits_counted(world *w, int queue)
{
    return host_get(w, TOTEM_REG_TALLY_BASE + (uint32_t)queue * TOTEM_REG_TALLY_STRIDE + 4 * TOTEM_OP_WAIT_REG_MEM);
}

// A queue of a higher priority has the pipe until OUT is 1.
static void keep_out(world *w, int queue)
{
    map_with(w, queue, 9, 0);
    wait_equal(w, OUT, 1);
    doorbell(w, 0, queue);
    UNTIL(w, selected(w, 0, queue));
}

// ---- the second look

// A flag that is set and cleared again before the waiting queue has the pipe is not passed: the queue waits again, and
// gives the pipe up for it. A flag in memory, and a register of the window.
TEST(flag_that_is_cleared_again_is_not_passed)
{
    for (unsigned row = 0; row < 2; row++) {
        world w;
        world_open(&w);
        map_with(&w, 0, 2, 0);
        if (row == 0)
            smart_wait_equal(&w, GATE, 1);
        else
            wait_register(&w, SMART, EQUAL, place(0, WORLD_LAST, SCRATCH), 1, ~0u);
        doorbell(&w, 0, 0);
        UNTIL(&w, waiting(&w, 0));
        keep_out(&w, 1);
        for (unsigned round = 0; round < 3; round++) {
            if (round != 0)
                keep_out(&w, 1);
            row == 0 ? set(&w, GATE, 1) : window_put(&w, 0, WORLD_LAST, SCRATCH, 1);
            UNTIL(&w, front_out(&w, 0)->poll.ended[0]);
            row == 0 ? set(&w, GATE, 0) : window_put(&w, 0, WORLD_LAST, SCRATCH, 0);
            const unsigned from = w.count;
            set(&w, OUT, 1);
            UNTIL(&w, count_of(&w, LEFT, 0, 0, from) == 1);
            assert_int_equal(count_of(&w, EXECUTED, 0, 0, from), 1); // an unsuccessful poll counts as a packet
            steps(&w, 300);
            assert_true(waiting(&w, 0) && !read_up(&w, 0));
            assert_int_equal(count_of(&w, GO, 0, 0, from), 1);
            set(&w, OUT, 0);
            clear_active(&w, 0, 1);
        }
        row == 0 ? set(&w, GATE, 1) : window_put(&w, 0, WORLD_LAST, SCRATCH, 1);
        UNTIL(&w, read_up(&w, 0));
        world_close(&w);
    }
}

// The second look counts as a poll of the wait: the next one keeps its distance.
RULE(second_look_in_vain_rests)
{
    map_with(w, 0, 2, 0);
    PACKET(w, WAIT_REG_MEM, 0xd3, GATE, 0, 1, ~0u, 100);
    doorbell(w, 0, 0);
    UNTIL(w, waiting(w, 0));
    keep_out(w, 1);
    set(w, GATE, 1);
    UNTIL(w, front_out(w, 0)->poll.ended[0]);
    set(w, GATE, 0);
    const unsigned from = w->count;
    set(w, OUT, 1);
    UNTIL(w, count_of(w, LEFT, 0, 0, from) == 1);
    const uint64_t left = now(w);
    UNTIL(w, front_out(w, 0)->poll.read_valid);
    assert_in_range(now(w) - left, 1595, 1625);
    set(w, GATE, 1);
    UNTIL(w, read_up(w, 0));
}

// A timer that has run is passed, however late its queue gets the pipe.
RULE(timer_that_has_run_is_passed)
{
    map_with(w, 0, 2, 0);
    PACKET(w, WAIT_TIMER, 2000);
    doorbell(w, 0, 0);
    UNTIL(w, waiting(w, 0));
    keep_out(w, 1);
    UNTIL(w, front_out(w, 0)->poll.ended[0]);
    steps(w, 1000);
    const unsigned from = w->count;
    set(w, OUT, 1);
    UNTIL(w, read_up(w, 0));
    assert_int_equal(count_of(w, EXECUTED, 0, 0, from), 1);
    assert_int_equal(count_of(w, LEFT, 0, 0, from), 0);
}

// ---- a poll in vain, and equal queues

// Two equal queues, one polls what the other writes, and then the other way round: with a quantum or without.
TEST(equal_queues_that_wait_for_each_other)
{
    for (uint32_t n = 0; n < 4; n++) {
        world w;
        world_open(&w);
        map_with(&w, 0, 7, n & 1 ? LONG : 0);
        map_with(&w, 1, 7, n & 2 ? LONG : 0);
        for (uint32_t round = 1; round <= 3; round++) {
            on(&w, 0, 0);
            wait_equal(&w, OUT, round);
            write_word(&w, OUT + 8, round);
            on(&w, 0, 1);
            nops(&w, 10);
            write_word(&w, OUT, round);
            wait_equal(&w, OUT + 8, round);
        }
        doorbell(&w, 0, 0);
        UNTIL(&w, selected(&w, 0, 0));
        steps(&w, 200);
        doorbell(&w, 0, 1);
        UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
        world_close(&w);
    }
}

// Only the latest packet counts: a queue that waited in vain and goes on keeps the pipe for its quantum. A lower queue
// does not get it while it waits.
RULE(wait_that_is_over_does_not_yield)
{
    map_with(w, 0, 7, LONG);
    wait_equal(w, GATE, 1);
    nops(w, 400);
    doorbell(w, 0, 0);
    UNTIL(w, count_of(w, EXECUTED, 0, 0, 0) > 3);
    map_with(w, 2, 6, 0);
    nop(w);
    doorbell(w, 0, 2);
    steps(w, 500);
    assert_int_equal(count_of(w, LEFT, 0, 0, 0), 0);
    set(w, GATE, 1);
    UNTIL(w, rptr(w, 0, 0) > 20);
    map_with(w, 1, 7, LONG);
    nop(w);
    doorbell(w, 0, 1);
    UNTIL(w, read_up(w, 1) && read_up(w, 2));
    assert_true(read_up(w, 0));
    EXPECT_ORDER(w, 0, 0, 0, 1, 2);
}

// ---- registers

// A register of the pipe's own window, of any queue, is read as the host reads it: by a queue that polls, and by one
// that gives the pipe up meanwhile.
TEST(wait_on_own_register)
{
    static const struct {
        uint32_t dword, function, before, after, value, mask;
    } rows[] = {
        {WINDOW(CP_HQD_QUEUE_PRIORITY), EQUAL, 3, 5, 5, ~0u}, // is in the arbiter
        {SCRATCH, LESS, 0xffff0009, 0xffff0007, 8, 0xff},     // is in the RAM
        {WINDOW(CP_HQD_PQ_BASE), AT_LEAST, 0, 0xfffffffe, 0xfffffffe, ~0u},
    };
    for (unsigned n = 0; n < 2 * COUNT(rows); n++) {
        const bool smart = n % 2;
        world      w;
        world_open(&w);
        window_put(&w, 0, WORLD_LAST, rows[n / 2].dword, rows[n / 2].before);
        map_with(&w, 0, 7, 0);
        const uint32_t at = place(0, WORLD_LAST, rows[n / 2].dword);
        wait_register(&w, smart ? SMART : POLLS, rows[n / 2].function, at, rows[n / 2].value, rows[n / 2].mask);
        write_word(&w, OUT, 1);
        doorbell(&w, 0, 0);
        UNTIL(&w, smart ? waiting(&w, 0) : count_of(&w, EXECUTED, 0, 0, 0) > 2);
        map_with(&w, 1, 2, 0);
        nop(&w);
        doorbell(&w, 0, 1);
        steps(&w, 500);
        assert_int_equal(read_up(&w, 1), smart); // the lower queue
        assert_int_equal(rptr(&w, 0, 0), 0);
        window_put(&w, 0, WORLD_LAST, rows[n / 2].dword, rows[n / 2].after);
        UNTIL(&w, get(&w, OUT) == 1);
        assert_int_equal(waits_counted(&w, 0), 0);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// What other blocks keep: the waves of the queue itself, which end meanwhile; the read pointer of another one.
TEST(wait_on_live_register)
{
    for (uint32_t operation = POLLS; operation <= SMART; operation += SMART) {
        world w;
        world_open(&w);
        program(&w, 1, 2000);
        map_with(&w, 0, 7, 0);
        map_with(&w, 1, 7, 0);
        on(&w, 0, 0);
        grid(&w, 1, 2);
        wait_register(&w, operation, EQUAL, place(0, 0, WINDOW(WAVES)), 0, ~0u);
        write_word(&w, OUT, 1);
        wait_register(&w, operation, AT_LEAST, place(0, 1, WINDOW(CP_HQD_PQ_RPTR)), 50, ~0u);
        doorbell(&w, 0, 0);
        UNTIL(&w, waves(&w, 0, 0) == 2);
        while (waves(&w, 0, 0)) {
            step(&w);
            assert_int_equal(get(&w, OUT), 0);
        }
        UNTIL(&w, get(&w, OUT) == 1);
        steps(&w, 500);
        assert_false(read_up(&w, 0));
        on(&w, 0, 1);
        nops(&w, 60);
        doorbell(&w, 0, 1);
        UNTIL(&w, read_up(&w, 0));
        assert_true(rptr(&w, 0, 1) >= 50);
        world_close(&w);
    }
}

// Reads of the window by a queue that waits without pause take turns with those of the host and of a smart wait.
RULE(wait_on_register_beside_others)
{
    map_with(w, 0, 7, 0);
    wait_register(w, POLLS, EQUAL, place(0, 2, SCRATCH), 1, ~0u);
    map_with(w, 1, 7, 0);
    wait_register(w, SMART, EQUAL, place(0, 3, SCRATCH), 1, ~0u);
    doorbell(w, 0, 1);
    UNTIL(w, waiting(w, 1));
    doorbell(w, 0, 0);
    UNTIL(w, selected(w, 0, 0));
    for (uint32_t n = 0; n < 50; n++) {
        const uint64_t begun = now(w);
        assert_int_equal(window_get(w, 0, 2, SCRATCH), 0);
        assert_in_range(now(w) - begun, 3, 20);
    }
    uint64_t last = 0, reads = 0;
    for (uint32_t n = 0; n < 1000; n++, step(w))
        if (front_out(w, 0)->hqd.poll_done && !front_out(w, 0)->poll.packet_answer) {
            assert_true(last == 0 || now(w) - last >= 64);
            last = now(w);
            reads++;
        }
    assert_in_range(reads, 8, 16);
    window_put(w, 0, 3, SCRATCH, 1);
    window_put(w, 0, 2, SCRATCH, 1);
    UNTIL(w, read_up(w, 0) && read_up(w, 1));
}

// Every other register holds at once, and is counted; a wait for nothing in particular (function 0) is not.
RULE(other_registers_hold_at_once)
{
    const uint32_t own = place(0, 0, SCRATCH);
    const struct {
        uint32_t control, at;
    } rows[] = {{1 << 6 | EQUAL, own},          {2 << 6 | EQUAL, own},      {EQUAL, place(0, TOTEM_QUEUES, 0)},
                {EQUAL, own - 0x4000},          {EQUAL, own + 0x400},       {SMART | EQUAL, own + 0x8000},
                {SMART | EQUAL, own | 1 << 18}, {EQUAL, own | 0x80000000u}, {EQUAL, place(0, 0, 0) - 1}};
    map_with(w, 0, 7, 0);
    for (unsigned n = 0; n < COUNT(rows); n++)
        PACKET(w, WAIT_REG_MEM, rows[n].control, rows[n].at, 0, 1, ~0u, 4);
    PACKET(w, WAIT_REG_MEM, SMART, own, 0, 1, ~0u, 4);
    const unsigned from = w->count;
    doorbell(w, 0, 0);
    UNTIL(w, read_up(w, 0));
    assert_int_equal(count_of(w, EXECUTED, 0, 0, from), COUNT(rows) + 1);
    assert_int_equal(count_of(w, LEFT, 0, 0, from), 0);
    assert_int_equal(waits_counted(w, 0), COUNT(rows));
}

// SPDX-License-Identifier: Apache-2.0
//
// Queue switches on the whole model: every kind of first packet within its bound, dispatches that a better queue interrupts
// again and again, grids counted in threads. Rules: docs/queue.md ("Bound of the switch") and the contracts of bank and packet.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules_world.h"

enum { OUT = WORLD_DATA, GRID = WORLD_DATA + 0x1000, PARTIAL = 1 << 1, IN_THREADS = 1 << 5, TIMES = 30 };

// Queue 1 is the better one and has nothing but timers: it comes in for a moment, every `clocks` clocks and a little.
static void timers(world *w, unsigned count, uint32_t clocks)
{
    on(w, 0, 1);
    for (unsigned n = 0; n < count; n++)
        PACKET(w, WAIT_TIMER, clocks + n % 13);
    on(w, 0, 0);
}

// ---- the bound

typedef struct {
    unsigned count[SWITCH_KINDS];
    uint32_t most[SWITCH_KINDS];
    uint8_t  opcode;
} switches_seen;

static void seen(void *context, int pipe, const switch_turn *turn)
{
    switches_seen *s = context;
    if (pipe != 0 || turn->queue != 0 || (turn->kind != SWITCH_RESUMES && turn->opcode != s->opcode))
        return;
    s->count[turn->kind]++;
    s->most[turn->kind] = turn->end > s->most[turn->kind] ? turn->end : s->most[turn->kind];
}

static void user_data(world *w)
{
    SET_SH(w, 0x40, 1, 2);
}

static void one_group(world *w)
{
    dispatch(w, 1, 1, 1);
}

static void with_partial(world *w)
{
    PACKET(w, DISPATCH_DIRECT, 1, 1, 1, AT_ZERO | PARTIAL);
}

static void in_threads(world *w)
{
    PACKET(w, DISPATCH_DIRECT, 70, 1, 1, AT_ZERO | IN_THREADS);
}

static void large_grid(world *w)
{
    dispatch(w, TOTEM_SLOTS, 1, 1);
}

static void indirect_group(world *w)
{
    PACKET(w, DISPATCH_INDIRECT, GRID, 0, AT_ZERO);
}

static void conditional(world *w)
{
    PACKET(w, COND_EXEC, GRID, 0, 0, 1);
}

static void poll_once(world *w)
{
    wait_equal(w, GRID, 1);
}

static void write_out(world *w)
{
    write_word(w, OUT, 7);
}

static void release(world *w)
{
    fence(w, 1, 0, OUT + 8, 9, 0);
}

static void flush_of_a_group(world *w)
{
    one_group(w);
    flush(w);
}

static void acquire(world *w)
{
    PACKET(w, ACQUIRE_MEM, 0, 0, 0, 0, 0, 10);
}

static void long_nop(world *w)
{
    PACKET(w, NOP, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
}

static void empty_buffer(world *w)
{
    PACKET(w, INDIRECT_BUFFER, WORLD_BUFFER, 0, 1u << 23 | 1);
}

// Every kind of first packet, memory in 100 clocks: the session breaks at a switch that takes longer than its bound.
static void every_first_packet(void **state)
{
    static const struct {
        const char *name;
        void (*put)(world *w);
        uint8_t     opcode;
        switch_kind kind;
        uint32_t    most; // clocks, from the contracts
    } rows[] = {
        {"SET_SH_REG", user_data, TOTEM_OP_SET_SH_REG, SWITCH_ACTS, 19},
        {"DISPATCH_DIRECT", one_group, TOTEM_OP_DISPATCH_DIRECT, SWITCH_ACTS, 18},
        {"partial groups", with_partial, TOTEM_OP_DISPATCH_DIRECT, SWITCH_ACTS, 18},
        {"in threads", in_threads, TOTEM_OP_DISPATCH_DIRECT, SWITCH_DIVIDES, 18},
        {"resumed", large_grid, TOTEM_OP_DISPATCH_DIRECT, SWITCH_RESUMES, 29},
        {"DISPATCH_INDIRECT", indirect_group, TOTEM_OP_DISPATCH_INDIRECT, SWITCH_READS, 15},
        {"COND_EXEC", conditional, TOTEM_OP_COND_EXEC, SWITCH_READS, 16},
        {"WAIT_REG_MEM", poll_once, TOTEM_OP_WAIT_REG_MEM, SWITCH_READS, 18},
        {"WRITE_DATA", write_out, TOTEM_OP_WRITE_DATA, SWITCH_ACTS, 15},
        {"RELEASE_MEM", release, TOTEM_OP_RELEASE_MEM, SWITCH_ACTS, 19},
        {"flush", flush, TOTEM_OP_EVENT_WRITE, SWITCH_ACTS, 14},
        {"flush that waits", flush_of_a_group, TOTEM_OP_EVENT_WRITE, SWITCH_ACTS, 14},
        {"ACQUIRE_MEM", acquire, TOTEM_OP_ACQUIRE_MEM, SWITCH_ACTS, 18},
        {"NOP", long_nop, TOTEM_OP_NOP, SWITCH_ACTS, 12},
        {"INDIRECT_BUFFER", empty_buffer, TOTEM_OP_INDIRECT_BUFFER, SWITCH_ACTS, 15},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        switches_seen all = {.opcode = rows[n].opcode};
        world         w;
        world_open_with(&w, 100, NULL, 0);
        w.row = rows[n].name;
        session_watch_switches(w.s, seen, &all);
        set(&w, GRID, 1);
        set(&w, GRID + 4, 1);
        set(&w, GRID + 8, 1);
        set(&w, WORLD_BUFFER, NOP1);
        program(&w, 0, 20);
        map(&w, 0, 0, 3);
        map(&w, 0, 1, 9);
        on(&w, 0, 0);
        shape(&w, 64, 0, 1, 0);
        SET_SH(&w, 7, 64 | 5u << 16, 1 | 1u << 16, 1 | 1u << 16);
        for (unsigned k = 0; k < TIMES; k++)
            rows[n].put(&w);
        timers(&w, 100, 30);
        doorbell(&w, 0, 0);
        steps(&w, 120);
        doorbell(&w, 0, 1);
        UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
        if (all.count[rows[n].kind] < 3 || all.most[rows[n].kind] > rows[n].most)
            fail_msg("%s: %u switches, most %u clocks, not %u", w.row, all.count[rows[n].kind], all.most[rows[n].kind],
                     rows[n].most);
        world_close(&w);
    }
}

// A queue mapped just before its turn: it is ready when its registers are cleared, not before, and then in time.
static void first_turn_of_a_mapping(void **state)
{
    world w;
    (void)state;
    world_open_with(&w, 4, NULL, 0); // its line is there long before
    for (int q = 0; q < TOTEM_QUEUES; q++)
        map(&w, 0, q, (uint32_t)q);
    for (int q = 0; q < TOTEM_QUEUES; q++) {
        driver_unmap(host(&w), now(&w), 0, (uint32_t)q);
        UNTIL(&w, host_get(&w, driver_window(0, (uint32_t)q, WINDOW(CP_HQD_ACTIVE))) == 0);
    }
    for (int q = 0; q < TOTEM_QUEUES; q++) {
        on(&w, 0, q);
        user_data(&w);
        host_put(&w, driver_window(0, (uint32_t)q, WINDOW(CP_HQD_PQ_WPTR_LO)), w.written[0][q]);
    }
    for (int q = 0; q < TOTEM_QUEUES; q++) // all clears are due at once
        host_write(host(&w), now(&w), driver_window(0, (uint32_t)q, WINDOW(CP_HQD_ACTIVE)), 1);
    for (int q = 0; q < TOTEM_QUEUES; q++)
        UNTIL(&w, read_up(&w, q));
    world_close(&w);
}

// The check of every run finds a switch that is late: registers are held back here from being loaded.
static void late_switch_is_found(void **state)
{
    static const session_options o = {.engine = SESSION_MODEL, .seed = 1, .memory = {.seed = 1, .latency = 20}};
    (void)state;
    for (unsigned held = 0; held <= 30; held += 15) {
        world w;
        memset(&w, 0, sizeof w);
        w.s = session_create(&o);
        assert_non_null(w.s);
        map(&w, 0, 0, 3);
        map(&w, 0, 1, 9);
        on(&w, 0, 0);
        for (unsigned k = 0; k < TIMES; k++)
            user_data(&w);
        timers(&w, 1, 30);
        doorbell(&w, 0, 1);
        driver_doorbell(host(&w), now(&w), 0, 0, w.written[0][0]);
        session_verdict verdict = SESSION_GOOD;
        for (unsigned n = 0; n < 400 && verdict == SESSION_GOOD; n++) {
            totem_bank *bank = (totem_bank *)&session_model(w.s)->fe[0].pipe[0].bank;
            if (bank->loading && bank->step == 1 && w.count < held) {
                bank->step = 0;
                w.count++;
            } else if (!bank->loading)
                w.count = 0;
            verdict = session_step(w.s);
        }
        assert_int_equal(verdict, held == 30 ? SESSION_BROKEN : SESSION_GOOD);
        if (verdict != SESSION_GOOD)
            assert_non_null(strstr(session_report(w.s), "SET_SH_REG acts; the bound is 32"));
        session_destroy(w.s);
    }
}

// ---- a better queue that comes again and again

// The table of partial groups takes longer than the better queue leaves the pipe alone, and that one writes shapes too.
static void table_under_a_better_queue(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 0, 20);
    map(&w, 0, 0, 3);
    map(&w, 0, 1, 9);
    on(&w, 0, 0);
    SET_SH(&w, 0x12, 0, 0);
    SET_SH(&w, 7, 1 | 1u << 16, 64 | 63u << 16, TOTEM_SLOTS | 1u << 16);
    PACKET(&w, DISPATCH_DIRECT, 2, 2, 2, AT_ZERO | PARTIAL);
    on(&w, 0, 1);
    for (unsigned n = 0; n < 40; n++) {
        SET_SH(&w, 7, 3 | 2u << 16, 5 | 2u << 16, 9 | 7u << 16);
        PACKET(&w, WAIT_TIMER, 120);
    }
    doorbell(&w, 0, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, count_of(&w, STARTED, 0, 0, 0) == 1);
    assert_in_range(count_of(&w, LEFT, 0, 0, 0), 1, 3); // in its time, not only when the other one has ended
    UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
    assert_int_equal(count_of(&w, GRANT, 0, 0, 0), 8);
    world_close(&w);
}

// A division takes longer than the better queue leaves the pipe alone: given up once, then not again.
static void division_under_a_better_queue(void **state)
{
    (void)state;
    for (uint32_t partial = 0; partial <= PARTIAL; partial += PARTIAL) {
        world w;
        world_open(&w);
        map(&w, 0, 0, 3);
        map(&w, 0, 1, 9);
        on(&w, 0, 0);
        SET_SH(&w, 0x12, 0, 0);
        SET_SH(&w, 7, 16 | 5u << 16, 4 | 2u << 16, 1 | 1u << 16);
        PACKET(&w, DISPATCH_DIRECT, 37, 6, 1, AT_ZERO | IN_THREADS | partial);
        PACKET(&w, DISPATCH_DIRECT, 64, 4, 2, AT_ZERO | IN_THREADS | partial);
        timers(&w, 60, 64);
        doorbell(&w, 0, 1);
        doorbell(&w, 0, 0);
        UNTIL(&w, count_of(&w, STARTED, 0, 0, 0) == 2);
        assert_in_range(count_of(&w, LEFT, 0, 0, 0), 2, 12);
        UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
        assert_int_equal(count_of(&w, GRANT, 0, 0, 0), 3 * 2 + 4 * 1 * 2);
        world_close(&w);
    }
}

// ---- grids in threads, stopped and resumed

static void grid_in_threads_is_preempted(void **state)
{
    (void)state;
    for (uint32_t partial = 0; partial <= PARTIAL; partial += PARTIAL) {
        world w;
        world_open(&w);
        program(&w, 0, 60);
        map(&w, 0, 0, 3);
        map(&w, 0, 1, 9);
        on(&w, 0, 0);
        SET_SH(&w, 0x12, 0, 0);
        SET_SH(&w, 7, 16 | 3u << 16, 8 | 5u << 16, 2 | 1u << 16);
        PACKET(&w, DISPATCH_DIRECT, 16 * 5 + 3, 8 * 6 + 5, 2 * 7 + 1, AT_ZERO | IN_THREADS | partial);
        timers(&w, 40, 100);
        doorbell(&w, 0, 0);
        UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) >= 5);
        doorbell(&w, 0, 1);
        UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
        assert_int_equal(count_of(&w, GRANT, 0, 0, 0), 6 * 7 * 8); // the dimensions are not divided again
        assert_true(count_of(&w, RESUMED, 0, 0, 0) >= 3);
        world_close(&w);
    }
}

// The same with the dimensions in memory, which change after they were read.
static void indirect_in_threads(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 0, 60);
    map(&w, 0, 0, 3);
    map(&w, 0, 1, 9);
    set(&w, GRID, 16 * 9 - 1);
    set(&w, GRID + 4, 70000); // threads: more than 65535 is no error
    set(&w, GRID + 8, 2);
    on(&w, 0, 0);
    SET_SH(&w, 0x12, 0, 0);
    SET_SH(&w, 7, 16, 10000, 1);
    SET_SH(&w, 7, 1, 10000, 1);
    SET_SH(&w, 7, 16, 4, 1);
    set(&w, GRID + 4, 4 * 5 - 3);
    PACKET(&w, DISPATCH_INDIRECT, GRID, 0, AT_ZERO | IN_THREADS);
    timers(&w, 20, 100);
    doorbell(&w, 0, 0);
    UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) >= 5);
    for (uint32_t n = 0; n < 3; n++)
        set(&w, GRID + 4 * n, 1);
    doorbell(&w, 0, 1);
    UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
    assert_int_equal(count_of(&w, GRANT, 0, 0, 0), 9 * 5 * 2);
    assert_true(count_of(&w, RESUMED, 0, 0, 0) >= 1);
    world_close(&w);
}

// y and z in threads may be beyond 65535, in groups they may not.
static void threads_beyond_groups(void **state)
{
    (void)state;
    for (unsigned indirect = 0; indirect < 2; indirect++)
        for (unsigned row = 0; row < 3; row++) {
            static const uint32_t y[] = {65536 * 8, 65535 * 8 + 1, 0xffffffff};
            world                 w;
            world_open(&w);
            w.unfinished = true;
            map(&w, 0, 0, 3);
            on(&w, 0, 0);
            shape(&w, 1, 0, 1, 0);
            SET_SH(&w, 7, 1, 8, 1);
            set(&w, GRID, 1);
            set(&w, GRID + 4, y[row]);
            set(&w, GRID + 8, 1);
            if (indirect)
                raw(&w, WORDS(TYPE3(TOTEM_OP_DISPATCH_INDIRECT, 3), GRID, 0, AT_ZERO | IN_THREADS));
            else
                raw(&w, WORDS(TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4), 1, y[row], 1, AT_ZERO | IN_THREADS));
            doorbell(&w, 0, 0);
            UNTIL(&w, errors(&w) == 1);
            assert_int_equal(last_error(&w).code, TOTEM_ERROR_PACKET_GRID_RANGE);
            assert_int_equal(last_error(&w).word, y[row] / 8 + (y[row] % 8 != 0));
            assert_int_equal(count_of(&w, STARTED, 0, 0, 0), 0);
            driver_unmap(host(&w), now(&w), 0, 0);
            world_close(&w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_first_packet),
        cmocka_unit_test(first_turn_of_a_mapping),
        cmocka_unit_test(late_switch_is_found),
        cmocka_unit_test(table_under_a_better_queue),
        cmocka_unit_test(division_under_a_better_queue),
        cmocka_unit_test(grid_in_threads_is_preempted),
        cmocka_unit_test(indirect_in_threads),
        cmocka_unit_test(threads_beyond_groups),
    };
    return cmocka_run_group_tests_name("rules_switch", tests, NULL, NULL);
}

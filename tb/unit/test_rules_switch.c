// SPDX-License-Identifier: Apache-2.0
//
// Queue switches on the whole model: every kind of first packet within its bound, dispatches that a better queue
// interrupts again and again, grids counted in threads. Rules: docs/queue.md ("Bound of the switch") and the
// contracts of bank and packet.

#include "rules_world.h"

enum { OUT = WORLD_DATA, GRID = WORLD_DATA + 0x1000, PARTIAL = 1 << 1, IN_THREADS = 1 << 5, TIMES = 30 };
enum { FLUSH = 0x400 | TOTEM_EVENT_CS_PARTIAL_FLUSH };

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

// Every kind of first packet, memory in 100 clocks: the session breaks at a switch that takes longer than its bound.
TEST(every_first_packet)
{
    static const struct {
        const char *name;
        uint8_t     opcode;
        uint32_t    count, body[10];
        switch_kind kind;
        uint32_t    most;        // clocks, from the contracts
        bool        after_group; // a dispatch of one group comes before it
    } rows[] = {
        {"user data", TOTEM_OP_SET_SH_REG, 3, {0x240, 1, 2}, SWITCH_ACTS, 19, 0},
        {"one group", TOTEM_OP_DISPATCH_DIRECT, 4, {1, 1, 1, AT_ZERO}, SWITCH_ACTS, 18, 0},
        {"partial groups", TOTEM_OP_DISPATCH_DIRECT, 4, {1, 1, 1, AT_ZERO | PARTIAL}, SWITCH_ACTS, 18, 0},
        {"in threads", TOTEM_OP_DISPATCH_DIRECT, 4, {70, 1, 1, AT_ZERO | IN_THREADS}, SWITCH_DIVIDES, 18, 0},
        {"resumed", TOTEM_OP_DISPATCH_DIRECT, 4, {TOTEM_SLOTS, 1, 1, AT_ZERO}, SWITCH_RESUMES, 29, 0},
        {"indirect group", TOTEM_OP_DISPATCH_INDIRECT, 3, {GRID, 0, AT_ZERO}, SWITCH_READS, 15, 0},
        {"condition", TOTEM_OP_COND_EXEC, 4, {GRID, 0, 0, 1}, SWITCH_READS, 16, 0},
        {"wait", TOTEM_OP_WAIT_REG_MEM, 6, {0x13, GRID, 0, 1, ~0u, 4}, SWITCH_READS, 18, 0},
        {"second look", TOTEM_OP_WAIT_REG_MEM, 6, {0xd3, GRID, 0, 1, ~0u, 4}, SWITCH_READS, 18, 0},
        {"write", TOTEM_OP_WRITE_DATA, 4, {5 << 8, OUT, 0, 7}, SWITCH_ACTS, 15, 0},
        {"fence", TOTEM_OP_RELEASE_MEM, 7, {0x528, 1 << 29, OUT + 8, 0, 9, 0, 0}, SWITCH_ACTS, 19, 0},
        {"flush", TOTEM_OP_EVENT_WRITE, 1, {FLUSH}, SWITCH_ACTS, 14, 0},
        {"flush that waits", TOTEM_OP_EVENT_WRITE, 1, {FLUSH}, SWITCH_ACTS, 14, true},
        {"ACQUIRE_MEM", TOTEM_OP_ACQUIRE_MEM, 6, {0, 0, 0, 0, 0, 10}, SWITCH_ACTS, 18, 0},
        {"NOP", TOTEM_OP_NOP, 10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, SWITCH_ACTS, 12, 0},
        {"buffer", TOTEM_OP_INDIRECT_BUFFER, 3, {WORLD_BUFFER, 0, 1u << 23 | 1}, SWITCH_ACTS, 15, 0},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        const unsigned more = rows[n].opcode == TOTEM_OP_INDIRECT_BUFFER ? 100 : 0; // few turns begin with it
        switches_seen  all  = {.opcode = rows[n].opcode};
        world          w;
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
        for (unsigned k = 0; k < TIMES + more / 4; k++) {
            if (rows[n].after_group)
                dispatch(&w, 1, 1, 1);
            packet(&w, rows[n].opcode, rows[n].body, rows[n].count);
        }
        timers(&w, 100 + more, 30);
        doorbell(&w, 0, 0);
        steps(&w, 120);
        doorbell(&w, 0, 1);
        UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
        if (all.count[rows[n].kind] < 3)
            fail_msg("%s: only %u switches", w.row, all.count[rows[n].kind]);
        if (all.most[rows[n].kind] > rows[n].most)
            fail_msg("%s: %u clocks, not %u", w.row, all.most[rows[n].kind], rows[n].most);
        world_close(&w);
    }
}

// A queue mapped just before its turn: it is ready when its registers are cleared, not before, and then in time.
TEST(first_turn_of_a_mapping)
{
    world w;
    world_open_with(&w, 4, NULL, 0); // its line is there long before
    for (int q = 0; q < TOTEM_QUEUES; q++)
        map(&w, 0, q, (uint32_t)q);
    for (int q = 0; q < TOTEM_QUEUES; q++) {
        driver_unmap(host(&w), now(&w), 0, (uint32_t)q);
        UNTIL(&w, !window_active(&w, 0, q));
    }
    for (int q = 0; q < TOTEM_QUEUES; q++) {
        on(&w, 0, q);
        SET_SH(&w, 0x40, 1, 2);
        host_put(&w, driver_window(0, (uint32_t)q, WINDOW(CP_HQD_PQ_WPTR_LO)), w.written[0][q]);
    }
    for (int q = 0; q < TOTEM_QUEUES; q++) // all clears are due at once
        host_write(host(&w), now(&w), driver_window(0, (uint32_t)q, WINDOW(CP_HQD_ACTIVE)), 1);
    for (int q = 0; q < TOTEM_QUEUES; q++)
        UNTIL(&w, read_up(&w, q));
    world_close(&w);
}

// The check of every run finds a switch that is late: registers are held back here from being loaded.
TEST(late_switch_is_found)
{
    static const session_options o = {.engine = SESSION_MODEL, .seed = 1, .memory = {.seed = 1, .latency = 20}};
    for (unsigned held = 0; held <= 30; held += 15) {
        world w;
        memset(&w, 0, sizeof w);
        w.s = session_create(&o);
        assert_non_null(w.s);
        map(&w, 0, 0, 3);
        map(&w, 0, 1, 9);
        on(&w, 0, 0);
        for (unsigned k = 0; k < TIMES; k++)
            SET_SH(&w, 0x40, 1, 2);
        timers(&w, 1, 30);
        doorbell(&w, 0, 1);
        driver_doorbell(host(&w), now(&w), 0, 0, w.written[0][0]);
        session_verdict verdict = SESSION_GOOD;
        for (unsigned n = 0; n < 400 && verdict == SESSION_GOOD; n++) {
            totem_bank *bank = (totem_bank *)&session_model(w.s)->fe[0].pipe[0].front.bank;
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

static void two_queues(world *w, uint32_t duration)
{
    world_open(w);
    program(w, 0, duration);
    map(w, 0, 0, 3);
    map(w, 0, 1, 9);
    on(w, 0, 0);
    SET_SH(w, 0x12, 0, 0);
}

// The table of partial groups takes longer than the better queue leaves the pipe alone, and that one writes shapes too.
TEST(table_under_a_better_queue)
{
    world w;
    two_queues(&w, 20);
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
TEST(division_under_a_better_queue)
{
    for (uint32_t partial = 0; partial <= PARTIAL; partial += PARTIAL) {
        world w;
        two_queues(&w, 0);
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

TEST(grid_in_threads_is_preempted)
{
    static const struct {
        const char *name;
        uint32_t    threads[3], shape[3], flags, groups;
        bool        indirect; // the dimensions are in memory, and change after they were read
    } rows[] = {
        {"direct", {16 * 5 + 3, 8 * 6 + 5, 2 * 7 + 1}, {16, 8, 2}, 0, 6 * 7 * 8, false},
        {"partial groups",
         {16 * 5 + 3, 8 * 6 + 5, 2 * 7 + 1},
         {16 | 3 << 16, 8 | 5 << 16, 2 | 1 << 16},
         PARTIAL,
         6 * 7 * 8,
         false},
        {"indirect", {16 * 9 - 1, 4 * 5 - 3, 2}, {16, 4, 1}, 0, 9 * 5 * 2, true},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        const uint32_t *threads = rows[n].threads, *groups = rows[n].shape,
                       flags = AT_ZERO | IN_THREADS | rows[n].flags;
        world w;
        two_queues(&w, 60);
        w.row = rows[n].name;
        SET_SH(&w, 7, groups[0], groups[1], groups[2]);
        for (uint32_t k = 0; k < 3; k++)
            set(&w, GRID + 4 * k, threads[k]);
        if (rows[n].indirect)
            PACKET(&w, DISPATCH_INDIRECT, GRID, 0, flags);
        else
            PACKET(&w, DISPATCH_DIRECT, threads[0], threads[1], threads[2], flags);
        timers(&w, 40, 100);
        doorbell(&w, 0, 0);
        UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) >= 5);
        for (uint32_t k = 0; k < 3; k++)
            set(&w, GRID + 4 * k, 1);
        doorbell(&w, 0, 1);
        UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
        assert_int_equal(count_of(&w, GRANT, 0, 0, 0), rows[n].groups); // the dimensions are not divided again
        assert_true(count_of(&w, RESUMED, 0, 0, 0) >= (rows[n].indirect ? 1 : 3));
        world_close(&w);
    }
}

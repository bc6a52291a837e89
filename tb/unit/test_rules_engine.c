// SPDX-License-Identifier: Apache-2.0
//
// Dispatches on the whole model: shapes of waves, engine masks, starts and ends of grids, latency of the first wave,
// pipe priority, the totem pole, interrupts and status as software sees them. Rules: docs/issue.md, docs/engine.md,
// docs/host.md and the contracts.

#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { OUT = WORLD_DATA };

// ---- shapes

// Groups run together as long as slots, registers and LDS are there, and no longer.
RULE(resources_limit_what_runs_together)
{
    static const struct {
        uint32_t threads, vgprs, lds, most;
    } rows[] = {
        {64 * 4, 1, 0, TOTEM_SLOTS / 4},
        {64, 64, 0, TOTEM_VGPRS / 64},
        {128, 48, 0, TOTEM_VGPRS / 96},
        {64, 1, TOTEM_LDS / 5, TOTEM_LDS / (TOTEM_LDS / 5)},
    };
    program(w, 1, 900);
    map_on(w, 0, 0, 3);
    one_engine(w);
    for (uint32_t n = 0; n < COUNT(rows); n++) {
        const unsigned from = w->count;
        shape(w, rows[n].threads, 1, rows[n].vgprs, rows[n].lds);
        dispatch(w, rows[n].most + 3, 1, 1);
        doorbell(w, 0, 0);
        UNTIL(w, count_of(w, GRANT, 0, 0, from) == 1);
        steps(w, 400);
        assert_int_equal(count_of(w, GRANT, 0, 0, from), rows[n].most);
        UNTIL(w, session_idle(w->s));
        assert_int_equal(count_of(w, GRANT, 0, 0, from), rows[n].most + 3);
    }
}

RULE(engine_masks)
{
    map_on(w, 0, 0, 3);
    for (uint32_t mask = 1; mask < 1u << TOTEM_SE_COUNT; mask++) {
        const unsigned from = w->count;
        unsigned       used = 0;
        shape(w, 64, 0, 1, 0);
        SET_SH(w, 0x16, mask & 1 ? 1u : 0, mask & 2 ? 0x80000000u : 0);
        SET_SH(w, 0x19, mask & 4 ? 0x100u : 0, mask & 8 ? ~0u : 0);
        dispatch(w, 12, 1, 1);
        doorbell(w, 0, 0);
        UNTIL(w, session_idle(w->s) && rptr(w, 0, 0) == position(w));
        for (unsigned n = from; n < w->count; n++)
            if (w->events[n].kind == GRANT)
                used |= 1u << w->events[n].engine;
        assert_int_equal(used, mask); // all of them, for the freest is taken
    }
}

// ---- grids

// ---- launch state

// State word n of the dispatch with that number: sixteen user-data registers behind the two resource words.
// Word 15 is the base of its scratch memory, which every second dispatch has.
static uint64_t state_of(uint64_t number, unsigned n)
{
    if (n == 15)
        return (number + 1) << 32 | ~(uint32_t)number;
    if (n == 0)
        return (number << 24 | 16 << 1 | (number & 1)) << 32 | number << 16;
    return (number << 8 | (n << 1 | 1)) << 32 | (number << 8 | n << 1);
}

RULE(empty_grids_are_complete_at_once)
{
    static const uint32_t ends[][3] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {0, 0, 0}, {0, 65535, 65535}};
    map_on(w, 0, 0, 3);
    shape(w, 64, 0, 1, 0);
    for (uint32_t n = 0; n < 5; n++)
        dispatch(w, ends[n][0], ends[n][1], ends[n][2]);
    SET_SH(w, 4, 3, 0, 0);
    PACKET(w, DISPATCH_DIRECT, 3, 1, 1, 1); // its start lies at its end
    SET_SH(w, 4, 0, 9, 0);
    PACKET(w, DISPATCH_DIRECT, 3, 4, 1, 1); // beyond it
    write_word(w, OUT, 1);
    doorbell(w, 0, 0);
    UNTIL(w, get(w, OUT) == 1);
    assert_int_equal(count_of(w, STARTED, 0, 0, 0), 7);
    assert_int_equal(count_of(w, GRANT, 0, 0, 0), 0);
    assert_int_equal(errors(w), 0);
}

// When a wave is on offer all words of its dispatch stand in the RAM of its engine, in the place of its pipe and
// buffer. What the engine reads of them is looked at by the account.
static void state_words(world *w, bool gfx9)
{
    enum { DISPATCHES = 5, GROUPS = 2 * TOTEM_SE_COUNT, WAVES = 3, NUMBERS = 2 * WORLD_PIPES * DISPATCHES };
    uint64_t number = 0;
    unsigned seen   = 0;
    host_put(w, MACHINE(QUEUE_OPTIONS), gfx9 ? 0x40 : 0);
    account_options(session_account(w->s), 0, gfx9);
    for (int n = 0; n < 2 * WORLD_PIPES; n++) {
        const int pipe = n / 2, queue = n % 2 ? WORLD_LAST : 1;
        map_on(w, pipe, queue, 3);
        SET_SH(w, 7, 64 * WAVES, 1, 1);
        for (unsigned d = 0; d < DISPATCHES; d++, number++) {
            SET_SH(w, 0x0c, (uint32_t)number << 4, 0);
            SET_SH(w, 0x12, (uint32_t)state_of(number, 0), (uint32_t)(state_of(number, 0) >> 32));
            SET_SH(w, gfx9 ? 0x2d : 0x28, (uint32_t)state_of(number, 1));
            SET_SH(w, gfx9 ? 0x28 : 0x2d, ~(uint32_t)state_of(number, 1)); // no RSRC3 there
            SET_SH(w, 0x18, (uint32_t)(state_of(number, 1) >> 32));
            SET_SH(w, 0x10, (uint32_t)state_of(number, 15), (uint32_t)(state_of(number, 15) >> 32));
            for (unsigned k = 2; k < 10; k++)
                SET_SH(w, 0x40 + 2 * (k - 2), (uint32_t)state_of(number, k), (uint32_t)(state_of(number, k) >> 32));
            dispatch(w, GROUPS, 1, 1);
        }
    }
    for (uint32_t n = 0; n < 2 * WORLD_PIPES; n++) {
        const uint32_t queue = n % 2 ? WORLD_LAST : 1;
        driver_doorbell(host(w), now(w), n / 2, queue, w->written[n / 2][queue]);
    }
    while (seen < NUMBERS * GROUPS * WAVES) {
        for (int e = 0; e < TOTEM_SE_COUNT; e++) {
            const totem_launch_out *l = &session_out(w->s)->se[e].launch;
            if (!l->launch_valid)
                continue;
            const uint64_t *words      = session_model(w->s)->se[e].state_ram[l->launch_fe].data;
            const uint64_t  dispatched = l->launch_program >> 4;
            for (unsigned k = 0; k < (dispatched & 1 ? 16 : 10); k += k == 9 ? 6 : 1)
                assert_int_equal(words[64u * l->launch_pipe + 32u * l->launch_buffer + k], state_of(dispatched, k));
            seen += session_out(w->s)->wave[e].launch_ready;
        }
        step(w);
        assert_true(now(w) < WORLD_LIMIT);
    }
}

RULE(state_words_of_every_wave)
{
    state_words(w, false);
}

// With RSRC3 where GFX9.4 has it.
RULE(state_words_of_gfx9)
{
    state_words(w, true);
}

// ---- latency: docs/architecture.md, "Latency of the first wave"

TEST(first_wave)
{
    for (uint32_t registers = 0; registers <= 16; registers += 4) {
        world w;
        world_open(&w);
        map_on(&w, 0, 0, 3);
        shape(&w, 64, 0, 1, 0);
        const uint32_t scratch = registers == 8;
        SET_SH(&w, 0x13, registers << 1 | scratch); // USER_SGPR, SCRATCH_EN
        dispatch(&w, 1, 1, 1);
        doorbell(&w, 0, 0);
        UNTIL(&w, count_of(&w, LAUNCH, 0, 0, 0) == 1);
        const uint64_t start = find_event(&w, STARTED, 0, 0, 0)->clock;
        assert_int_equal(find_event(&w, GRANT, 0, 0, 0)->clock - start, 9 + registers / 2 + scratch);
        assert_int_equal(find_event(&w, LAUNCH, 0, 0, 0)->clock - start, 10 + registers / 2 + scratch);
        world_close(&w);
    }
}

// One wave a clock, for groups of two waves or more.
RULE(one_wave_a_clock)
{
    enum { GROUPS = TOTEM_SLOTS / 4 };
    uint64_t first = 0, last = 0;

    program(w, 1, 2000);
    map_on(w, 0, 0, 3);
    shape(w, 64 * 4, 1, 1, 0);
    one_engine(w);
    dispatch(w, GROUPS, 1, 1);
    doorbell(w, 0, 0);
    UNTIL(w, count_of(w, LAUNCH, 0, 0, 0) == TOTEM_SLOTS);
    for (unsigned n = 0; n < w->count; n++)
        if (w->events[n].kind == LAUNCH) {
            first = first ? first : w->events[n].clock;
            last  = w->events[n].clock;
        }
    assert_int_equal(last - first, TOTEM_SLOTS - 1);
}

// ---- pipes and front ends

#if TOTEM_PIPE_COUNT >= 8
// A long grid of groups that fill engine 0, of a queue of that pipe.
static void fill_engine_0(world *w, int pipe, uint32_t pipe_priority, uint32_t groups)
{
    driver_queue q  = world_queue(pipe, 0, 3);
    q.pipe_priority = pipe_priority;
    map_queue(w, &q);
    on(w, pipe, 0);
    shape(w, 64 * TOTEM_SLOTS, 1, 1, 0);
    one_engine(w);
    dispatch(w, groups, 1, 1);
}

static void ring_together(world *w, int count, const int *pipes)
{
    for (int n = 0; n < count; n++)
        driver_doorbell(host(w), now(w), (uint32_t)pipes[n], 0, w->written[pipes[n]][0]);
}

// At a full engine CS_HIGH gets every grant until it has no more work, then CS_MEDIUM, then CS_LOW.
RULE(pipe_priority_at_a_full_engine)
{
    enum { GROUPS = 6 };
    static const int pipes[] = {0, 2, 4};
    program(w, 1, 100);
    for (uint32_t n = 0; n < 3; n++)
        fill_engine_0(w, pipes[n], n, GROUPS); // 0 CS_LOW, 2 CS_MEDIUM, 4 CS_HIGH
    ring_together(w, 3, pipes);
    UNTIL(w, count_of(w, GRANT, 4, 0, 0) > 0);
    const unsigned from = w->count;
    UNTIL(w, count_of(w, GRANT, 4, 0, 0) == GROUPS);
    assert_int_equal(count_of(w, GRANT, 0, 0, from) + count_of(w, GRANT, 2, 0, from), 0);
    const unsigned then = w->count;
    UNTIL(w, count_of(w, GRANT, 2, 0, 0) == GROUPS);
    assert_int_equal(count_of(w, GRANT, 0, 0, then), 0);
    UNTIL(w, count_of(w, GRANT, 0, 0, 0) == GROUPS);
}

#endif

// ---- interrupts and status

RULE(interrupt_with_its_context_id)
{
    const int      pipe = WORLD_PIPES - 1, queue = WORLD_LAST;
    const uint32_t number = (uint32_t)(8 * pipe + queue), bit = 1u << number % 32;
    const uint32_t eop = EVENTS(EOP_STATUS) + 4 * (number / 32), ctxid = EVENTS(INT_CTXID) + 4 * number;
    host_put(w, EVENTS(INTERRUPT_ENABLE), 1);
    host_put(w, EVENTS(EOP_ENABLE) + 4 * (number / 32), bit);
    map_on(w, pipe, queue, 3);
    for (uint32_t int_sel = 1; int_sel <= 2; int_sel++) {
        fence(w, 2, int_sel, OUT, 0x1111111100000000u + int_sel, 0xabc0 + int_sel);
        doorbell(w, pipe, queue);
        UNTIL(w, session_irq(w->s));
        assert_int_equal(get(w, OUT), int_sel); // after the write's acknowledge
        assert_int_equal(host_get(w, EVENTS(INTERRUPT_STATUS)), 1);
        assert_int_equal(host_get(w, eop), bit);
        assert_int_equal(host_get(w, ctxid), 0xabc0 + int_sel);
        assert_true(session_irq(w->s)); // until it is cleared
        host_put(w, eop, bit);
        steps(w, 2);
        assert_false(session_irq(w->s));
        assert_int_equal(host_get(w, eop), 0);
    }
    fence(w, 0, 2, OUT, 0, 77); // an interrupt without a write
    fence(w, 1, 0, OUT, 8, 78); // a write without an interrupt
    fence(w, 1, 3, OUT, 9, 79); // likewise
    fence(w, 0, 3, OUT, 0, 80); // neither
    doorbell(w, pipe, queue);
    UNTIL(w, get(w, OUT) == 9);
    UNTIL(w, session_idle(w->s));
    assert_int_equal(host_get(w, ctxid), 77);
    assert_int_equal(session_count(w->s).interrupts, 3);
    // Not enabled: the bit is there, irq is not.
    host_put(w, eop, bit);
    host_put(w, EVENTS(INTERRUPT_ENABLE), 0);
    fence(w, 0, 1, 0, 0, 79);
    doorbell(w, pipe, queue);
    UNTIL(w, host_get(w, eop) == bit);
}

// Idle is true if and only if no work is anywhere; the status of a queue shows what runs.
RULE(idle_and_queue_status)
{
    assert_int_equal(host_get(w, MACHINE(STATUS)) & 1, 1);
    program(w, 1, 3000);
    map_on(w, 0, 0, 3);
    assert_int_equal(host_get(w, MACHINE(STATUS)) & 1, 1);
    assert_int_equal(reason(queue_state(w, 0, 0)), WINDOW(STATE_REASON_EMPTY));
    shape(w, 130, 1, 1, 0);
    dispatch(w, 2, 1, 1);
    doorbell(w, 0, 0);
    UNTIL(w, rptr(w, 0, 0) == position(w));
    steps(w, 50);
    assert_int_equal(window_get(w, 0, 0, WINDOW(WAVES)), 6);
    assert_int_equal(host_get(w, MACHINE(STATUS)) & 1, 0);
    assert_int_equal(window_get(w, 0, 0, WINDOW(CP_HQD_HQ_STATUS0)) >> 30 & 1, 0);
    assert_int_equal(queue_state(w, 0, 0) >> 9 & 1, 0);
    uint32_t occupied = 0;
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++)
        for (uint32_t half = 0; half < 2; half++) {
            const uint32_t slots = host_get(w, TOTEM_REG_ENGINE_BASE + e * TOTEM_REG_ENGINE_STRIDE +
                                                   4 * (TOTEM_REG_ENGINE_OCCUPIED_LOW + half));
            occupied += (uint32_t)__builtin_popcount(slots);
        }
    assert_int_equal(occupied, 6);
    UNTIL(w, session_idle(w->s));
    assert_int_equal(window_get(w, 0, 0, WINDOW(WAVES)), 0);
    assert_int_equal(host_get(w, MACHINE(STATUS)) & 1, 1);
    assert_true(selected(w, 0, 0)); // idle, though it has the pipe because no other queue wants it
    assert_int_equal(window_get(w, 0, 0, WINDOW(CP_HQD_HQ_STATUS0)) >> 30 & 1, 1);
    assert_int_equal(queue_state(w, 0, 0) >> 9 & 1, 1);
    wait_equal(w, OUT, 1); // a queue that polls is work
    doorbell(w, 0, 0);
    UNTIL(w, count_of(w, EXECUTED, 0, 0, 0) > 5);
    assert_int_equal(host_get(w, MACHINE(STATUS)) & 1, 0);
    assert_int_equal(reason(queue_state(w, 0, 0)), WINDOW(STATE_REASON_RUNNING));
    set(w, OUT, 1);
    UNTIL(w, host_get(w, MACHINE(STATUS)) & 1);
}

// Nor is the machine idle while memory has an answer to give that nobody waits for any more.
TEST(idle_waits_for_memory)
{
    world    w;
    unsigned alone = 0;
    world_open_with(&w, 400, NULL, 0);
    map_on(&w, 0, 0, 3);
    nops(&w, 20);
    driver_doorbell(host(&w), now(&w), 0, 0, position(&w));
    UNTIL(&w, !memory_idle(session_memory(w.s)));
    host_write(host(&w), now(&w), driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 0);
    while (!memory_idle(session_memory(w.s))) {
        alone += front_out(&w, 0)->pipe_idle.idle;
        assert_false(session_out(w.s)->machine_idle.all);
        step(&w);
    }
    assert_true(alone > 0);
    w.unfinished = true;
    UNTIL(&w, host_get(&w, MACHINE(STATUS)) & 1);
    world_close(&w);
}

// ---- self-check

// A self-check that fires in any block stops the launches of every engine, and nothing else: what was granted ends, the
// host reads. No check fires in a correct machine, so the test sets the state of one.
TEST(self_check_stops_every_engine)
{
    if (WORLD_ENGINE == SESSION_BOTH) // it changes the state of the model alone
        skip();
    for (unsigned row = 0; row < 4; row++) {
        world w;
        world_open(&w);
        program(&w, 1, 600);
        for (int p = 0; p < WORLD_PIPES; p++) {
            map_on(&w, p, 0, 3);
            grid(&w, 1, 100000);
            doorbell(&w, p, 0);
        }
        steps(&w, 3000);
        for (int e = 0; e < TOTEM_SE_COUNT; e++) {
            unsigned granted = 0;
            for (unsigned n = 0; n < w.count; n++)
                granted += w.events[n].kind == GRANT && w.events[n].engine == e;
            assert_true(granted > 20);
        }
        // The judge of grants does not see the change: nothing is to be granted in this clock.
        UNTIL(&w, session_out(w.s)->se[0].issue.free_slots == 0);
        totem_machine *m = session_change(w.s);
        switch (row) {
        case 0: m->fe[TOTEM_FE_COUNT - 1].pipe[TOTEM_PIPES - 1].walker.mismatch = true; break;
        case 1: m->se[TOTEM_SE_COUNT - 1].port[TOTEM_FE_COUNT - 1].overrun = true; break;
        case 2: m->se[0].issue.fault = true; break;
        default: m->se[TOTEM_SE_COUNT - 1].retire.fault = true; break;
        }
        steps(&w, 4);
        const unsigned from = w.count;
        steps(&w, 5000);
        for (unsigned n = from; n < w.count; n++)
            assert_true(w.events[n].kind != GRANT);
        for (int e = 0; e < TOTEM_SE_COUNT; e++)
            assert_int_equal(session_out(w.s)->se[e].issue.free_slots, TOTEM_SLOTS);
        assert_int_equal(host_get(&w, EVENTS(SELF_CHECK)), 1);
        assert_int_equal(host_get(&w, EVENTS(INTERRUPT_STATUS)) >> 6 & 1, 1);
        assert_int_equal(window_get(&w, 0, 0, WINDOW(CP_HQD_ACTIVE)) & 1, 1);
        assert_int_equal(host_get(&w, MACHINE(STATUS)) & 1, 0);
        session_destroy(w.s); // the grids stay unfinished until reset
    }
}

// ---- partial groups

enum { PARTIAL = 1 << 1 };

// Every group of a grid with partial ones has its own waves: the account multiplies them by itself and follows each.
RULE(partial_groups)
{
    static const struct {
        uint32_t full[3], last[3], grid[3], flags;
    } rows[] = {
        {{64, 1, 1}, {1, 1, 1}, {5, 1, 1}, 0},       {{16, 8, 1}, {3, 5, 1}, {4, 3, 2}, 0},
        {{16, 8, 2}, {3, 5, 1}, {3, 3, 3}, WAVE32},  {{100, 2, 2}, {99, 1, 2}, {2, 2, 2}, 0},
        {{64, 4, 1}, {64, 4, 1}, {3, 3, 1}, WAVE32}, {{33, 3, 3}, {32, 1, 1}, {1, 1, 1}, 0},
        {{8, 8, 8}, {7, 6, 5}, {1, 4, 3}, WAVE32},   {{64, 1, 1}, {63, 1, 1}, {40, 1, 1}, 0},
    };
    program(w, 0, 50);
    map_on(w, 0, 0, 3);
    for (uint32_t n = 0; n < COUNT(rows); n++) {
        const uint32_t *f = rows[n].full, *l = rows[n].last, *g = rows[n].grid;
        SET_SH(w, 7, f[0] | l[0] << 16, f[1] | l[1] << 16, f[2] | l[2] << 16);
        SET_SH(w, 0x12, 0, 0);
        PACKET(w, DISPATCH_DIRECT, g[0], g[1], g[2], AT_ZERO | PARTIAL | rows[n].flags);
        PACKET(w, DISPATCH_DIRECT, 1, 1, 1, AT_ZERO | rows[n].flags); // the same registers, no partial group
        doorbell(w, 0, 0);
        UNTIL(w, session_idle(w->s) && rptr(w, 0, 0) == position(w));
    }
}

// A grid with partial groups is preempted again and again, and resumes: the account finds every wave once.
RULE(partial_grid_is_preempted)
{
    program(w, 0, 90);
    map(w, 0, 0, 3);
    map(w, 0, 1, 9);
    on(w, 0, 0);
    SET_SH(w, 7, 16 | 5u << 16, 8 | 3u << 16, 2 | 1u << 16);
    SET_SH(w, 0x12, 0, 0);
    PACKET(w, DISPATCH_DIRECT, 3, 5, 20, AT_ZERO | PARTIAL);
    doorbell(w, 0, 0);
    for (unsigned n = 0; n < 20; n++) {
        steps(w, 150 + 7 * n);
        on(w, 0, 1);
        SET_SH(w, 7, 32 | 31u << 16, 1 | 1u << 16, 1 | 1u << 16);
        PACKET(w, DISPATCH_DIRECT, 2, 1, 1, AT_ZERO | PARTIAL);
        doorbell(w, 0, 1);
    }
    UNTIL(w, session_idle(w->s));
    assert_true(count_of(w, RESUMED, 0, 0, 0) >= 3);
}

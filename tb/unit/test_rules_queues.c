// SPDX-License-Identifier: Apache-2.0
//
// Rules of docs/queue.md on the whole model: which queue runs, when it is replaced, how a dispatch is cut and resumed,
// flushes, epochs, fences, indirect buffers, waits. Expectations are those of the contracts.
// Configuration: full, because a grid that is cut has holes only where several engines take from it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules_world.h"

enum { OUT = WORLD_DATA + 0x1000 };

static bool all_read(const world *w)
{
    for (int p = 0; p < WORLD_PIPES; p++)
        for (int q = 0; q < TOTEM_QUEUES; q++)
            if (rptr(w, p, q) != w->written[p][q])
                return false;
    return true;
}

// ---- selection

static void priority_of_a_mapped_queue_may_change(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map(&w, 0, 0, 7);
    map(&w, 0, 1, 7);
    give_wait(&w, 0, 0, OUT);
    give_nop(&w, 0, 1);
    steps(&w, 500);
    assert_true(selected(&w, 0, 0)); // equal: the running queue stays
    host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_QUEUE_PRIORITY)), 6);
    UNTIL(&w, rptr(&w, 0, 1) == 1);
    set(&w, OUT, 1);
    UNTIL(&w, all_read(&w));
    EXPECT_ORDER(&w, 0, 0, 0, 1, 0);
    world_close(&w);
}

// Condition 5, and that a lone queue keeps the pipe.
static void empty_queue_leaves_for_any_other(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map(&w, 0, 0, 15);
    map(&w, 0, 1, 0);
    give_nop(&w, 0, 0);
    UNTIL(&w, rptr(&w, 0, 0) == 1);
    for (int n = 0; n < 500; n++) {
        step(&w);
        assert_true(selected(&w, 0, 0));
    }
    give_nop(&w, 0, 1);
    UNTIL(&w, rptr(&w, 0, 1) == 1);
    EXPECT_ORDER(&w, 0, 0, 0, 1);
    world_close(&w);
}

// ---- dispatches that are cut

// Restart state by the grants alone: lowest id not granted, and which of the seven behind it are.
static uint32_t expect_restart(const world *w, int queue, uint32_t width, uint32_t height)
{
    bool     granted[4096] = {false};
    uint32_t low = 0, mask = 0;
    for (unsigned n = 0; n < w->count; n++)
        if (w->events[n].kind == GRANT && w->events[n].queue == queue)
            granted[(uint32_t)w->events[n].value + width * (uint32_t)(w->events[n].value >> 32)] = true;
    while (granted[low])
        low++;
    for (uint32_t n = 0; n < 7; n++)
        mask |= (uint32_t)granted[low + 1 + n] << n;
    const totem_bank_out *b = &pipe_out(w, 0)->bank;
    assert_true(low < width * height);
    assert_int_equal(b->restart, (uint64_t)(low / width) << 32 | low % width);
    assert_int_equal(b->restart_mask, mask);
    return mask;
}

static void preempted_dispatch_resumes_exactly(void **state)
{
    enum { WIDTH = 9, HEIGHT = 12, TIMES = 5 };
    world    w;
    uint32_t masks = 0;
    (void)state;
    world_open(&w);
    // Engines of different speed, so that ids are granted out of order.
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++)
        host_put(&w, TOTEM_REG_ENGINE_BASE + e * TOTEM_REG_ENGINE_STRIDE + 4, 40 + 150 * e);
    program(&w, 2, 5);
    map(&w, 0, 0, 1);
    map(&w, 0, 1, 9);
    on(&w, 0, 0);
    shape(&w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
    SET_SH(&w, 4, 3, 2, 1); // COMPUTE_START, which a dispatch with FORCE_START_AT_000 does not look at
    const uint32_t at = position(&w);
    dispatch(&w, WIDTH, HEIGHT, 1);
    fence(&w, 1, 0, OUT, 77, 0);
    doorbell(&w, 0, 0);
    on(&w, 0, 1);
    shape(&w, 100, 2, 3, 2);
    for (unsigned k = 0; k < TIMES; k++) {
        const unsigned grants = count_of(&w, GRANT, 0, 0, 0);
        UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) > grants + 5 + k);
        const unsigned from = w.count;
        dispatch(&w, 3, 1, 1);
        doorbell(&w, 0, 1);
        UNTIL(&w, count_of(&w, LEFT, 0, 0, from) == 1);
        assert_int_equal(rptr(&w, 0, 0), at);
        const unsigned left = w.count;
        UNTIL(&w, count_of(&w, STARTED, 0, 1, from) == 1);
        assert_true(pipe_out(&w, 0)->execute.unfinished[0]);
        UNTIL(&w, pipe_out(&w, 0)->execute.start && pipe_out(&w, 0)->execute.start_resume);
        assert_int_equal(count_of(&w, GRANT, 0, 0, left), 0); // what was granted was granted before it left
        assert_int_equal(count_of(&w, GRANT, 0, 1, from), 3);
        masks |= expect_restart(&w, 0, WIDTH, HEIGHT);
        step(&w);
    }
    UNTIL(&w, all_read(&w));
    assert_int_equal(count_of(&w, GRANT, 0, 0, 0), WIDTH * HEIGHT);
    assert_int_equal(count_of(&w, STARTED, 0, 0, 0), 1);
    assert_int_equal(count_of(&w, RESUMED, 0, 0, 0), TIMES);
    UNTIL(&w, get(&w, OUT) == 77);
    assert_int_equal(account_sum(session_account(w.s)).ended, account_sum(session_account(w.s)).waves);
    assert_int_equal(masks != 0, TOTEM_SE_COUNT > 1);
    world_close(&w);
}

// The walk begins at COMPUTE_START, and a resumed grid wraps to it.
static void resumed_grid_keeps_its_start(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 1, 60);
    map(&w, 0, 0, 1);
    map(&w, 0, 1, 9);
    on(&w, 0, 0);
    shape(&w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
    one_engine(&w);
    SET_SH(&w, 4, 3, 2, 1);
    PACKET(&w, DISPATCH_DIRECT, 6, 6, 4, 1); // 3 x 4 x 3 groups
    doorbell(&w, 0, 0);
    for (int k = 0; k < 3; k++) {
        const unsigned grants = count_of(&w, GRANT, 0, 0, 0);
        UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) == grants + 7);
        give_nop(&w, 0, 1);
        UNTIL(&w, selected(&w, 0, 1));
        // COMPUTE_START belongs to the queue; the other one has its own.
        UNTIL(&w, selected(&w, 0, 0));
    }
    UNTIL(&w, all_read(&w));
    uint32_t n = 0;
    for (unsigned k = 0; k < w.count; k++)
        if (w.events[k].kind == GRANT) { // one engine: in the order of the walk
            const uint64_t id = (uint64_t)(1 + n / 12) << 48 | (uint64_t)(2 + n / 3 % 4) << 32 | (3 + n % 3);
            assert_int_equal(w.events[k].value, id);
            n++;
        }
    assert_int_equal(n, 36);
    assert_true(count_of(&w, RESUMED, 0, 0, 0) >= 2);
    world_close(&w);
}

static void cut_inside_an_indirect_buffer(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 1, 80);
    map(&w, 0, 0, 1);
    map(&w, 0, 1, 9);
    on(&w, 0, 0);
    w.buffer = WORLD_BUFFER + 20;
    shape(&w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
    const uint64_t at = w.buffer;
    dispatch(&w, 5 * TOTEM_SE_COUNT, 2, 1);
    write_word(&w, OUT, 1);
    const uint32_t size = (uint32_t)(w.buffer - WORLD_BUFFER - 20) / 4;
    w.buffer            = 0;
    PACKET(&w, INDIRECT_BUFFER, WORLD_BUFFER + 20, 0, size | 1u << 23);
    write_word(&w, OUT + 8, 2);
    doorbell(&w, 0, 0);
    UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) > 2);
    assert_int_equal(rptr(&w, 0, 0), 4); // behind the packet that opened the buffer
    give_write(&w, 0, 1, OUT + 16, 3);
    UNTIL(&w, count_of(&w, LEFT, 0, 0, 0) == 1);
    assert_int_equal(pipe_out(&w, 0)->fetch.position, at);
    assert_true(pipe_out(&w, 0)->fetch.in_buffer);
    UNTIL(&w, get(&w, OUT + 16) == 3);
    assert_int_equal(get(&w, OUT), 0);
    UNTIL(&w, all_read(&w) && get(&w, OUT + 8) == 2);
    assert_int_equal(get(&w, OUT), 1);
    assert_int_equal(count_of(&w, RESUMED, 0, 0, 0), 1);
    world_close(&w);
}

// Condition 7: the rest of the grid is dropped, closed fences complete, nobody else notices.
static void active_cleared_inside_a_dispatch(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    w.unfinished = true;
    program(&w, 1, 400);
    program(&w, 2, 3);
    map(&w, 0, 0, 5);
    map(&w, 0, 1, 5);
    on(&w, 0, 0);
    shape(&w, 64, 1, 1, 0);
    dispatch(&w, 2, 1, 1);
    fence(&w, 1, 0, OUT, 11, 0);
    shape(&w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
    const uint32_t at = position(&w);
    dispatch(&w, 7 * TOTEM_SE_COUNT, 1, 1);
    fence(&w, 1, 0, OUT + 8, 12, 0);
    doorbell(&w, 0, 0);
    on(&w, 0, 1);
    shape(&w, 100, 2, 2, 1);
    dispatch(&w, 4, 2, 1);
    fence(&w, 1, 0, OUT + 16, 13, 0);
    doorbell(&w, 0, 1);
    UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) == 4);
    assert_int_equal(get(&w, OUT), 0); // its waves still run
    host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 0);
    UNTIL(&w, count_of(&w, LEFT, 0, 0, 0) == 1);
    const unsigned from = w.count;
    UNTIL(&w, get(&w, OUT + 16) == 13 && get(&w, OUT) == 11);
    UNTIL(&w, session_idle(w.s));
    const unsigned granted = count_of(&w, GRANT, 0, 0, 0);
    assert_true(granted < 2 + 7 * TOTEM_SE_COUNT);
    assert_int_equal(count_of(&w, GRANT, 0, 0, from), 0);
    assert_int_equal(count_of(&w, GO, 0, 0, from), 0);
    assert_int_equal(count_of(&w, GRANT, 0, 1, 0), 8);
    assert_int_equal(get(&w, OUT + 8), 0);
    assert_int_equal(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1, 0);
    assert_int_equal(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_PQ_RPTR))), at);
    assert_int_equal(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_PQ_WPTR_LO))),
                     position(&w) > 0 ? w.written[0][0] : 0);
    assert_int_equal(reason(queue_state(&w, 0, 0)), WINDOW(STATE_REASON_UNMAPPED));
    assert_int_equal(host_get(&w, MACHINE(STATUS)) & 1, 1);

    // Mapped again behind all that, the slot works.
    driver_queue again = world_queue(0, 0, 5);
    again.rptr         = w.written[0][0];
    map_queue(&w, &again);
    give_write(&w, 0, 0, OUT + 24, 14);
    UNTIL(&w, get(&w, OUT + 24) == 14);
    world_close(&w);
}

// ---- flush, epochs, fences

static void flush_gives_up_the_pipe_and_resumes(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 1, 2500);
    map(&w, 0, 0, 9);
    map(&w, 0, 1, 0);
    on(&w, 0, 0);
    shape(&w, 128, 1, 1, 0);
    dispatch(&w, 2, 1, 1);
    const uint32_t at = position(&w);
    flush(&w);
    write_word(&w, OUT, 1);
    doorbell(&w, 0, 0);
    give_write(&w, 0, 1, OUT + 8, 2);
    UNTIL(&w, get(&w, OUT + 8) == 2); // lower priority, and yet it runs meanwhile
    assert_int_equal(rptr(&w, 0, 0), at);
    assert_int_equal(get(&w, OUT), 0);
    const uint32_t flushing = queue_state(&w, 0, 0);
    assert_int_equal(reason(flushing), WINDOW(STATE_REASON_FLUSH));
    assert_true(flushing >> 7 & 1);
    assert_int_equal(account_sum(session_account(w.s)).ended, 0);
    UNTIL(&w, get(&w, OUT) == 1);
    assert_int_equal(account_sum(session_account(w.s)).ended, 4); // nothing before the waves have ended
    EXPECT_ORDER(&w, 0, 0, 0, 1, 0);

    // A second flush closes an epoch of its own.
    on(&w, 0, 0);
    dispatch(&w, 1, 1, 1);
    flush(&w);
    write_word(&w, OUT, 3);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT) == 3);
    assert_int_equal(account_sum(session_account(w.s)).ended, 6);
    world_close(&w);
}

// At most EPOCHS - 1 closed epochs wait; the next RELEASE_MEM gives the pipe up.
static void no_free_epoch(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 1, 6000);
    map(&w, 0, 0, 9);
    map(&w, 0, 1, 0);
    on(&w, 0, 0);
    shape(&w, 64, 1, 1, 0);
    dispatch(&w, 1, 1, 1);
    uint32_t at = 0;
    for (uint32_t n = 0; n < TOTEM_EPOCHS + 2; n++) {
        if (n == TOTEM_EPOCHS - 1)
            at = position(&w);
        fence(&w, 1, 0, OUT + 8 * n, 100 + n, 0);
    }
    doorbell(&w, 0, 0);
    give_write(&w, 0, 1, OUT + 0x800, 2);
    UNTIL(&w, get(&w, OUT + 0x800) == 2);
    assert_int_equal(rptr(&w, 0, 0), at);
    const uint32_t waiting = queue_state(&w, 0, 0);
    assert_int_equal(reason(waiting), WINDOW(STATE_REASON_EPOCH));
    assert_true(waiting >> 8 & 1);
    assert_false(waiting >> 11 & 1);
    assert_int_equal(account_sum(session_account(w.s)).ended, 0);
    while (!(all_read(&w) && get(&w, OUT + 8 * (TOTEM_EPOCHS + 1)))) {
        step(&w);
        assert_true(now(&w) < 30000);
        for (uint32_t n = 0; n <= TOTEM_EPOCHS; n++) // in their order
            if (get(&w, OUT + 8 * n + 8))
                assert_int_equal(get(&w, OUT + 8 * n), 100 + n);
    }
    assert_int_equal(get(&w, OUT + 8 * (TOTEM_EPOCHS + 1)), 101 + TOTEM_EPOCHS);
    world_close(&w);
}

// A slot whose epochs are all in use cannot be mapped again until the waves of the earlier mapping have ended.
static void mapping_without_an_epoch_is_refused(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 1, 6000);
    map(&w, 0, 0, 9);
    on(&w, 0, 0);
    shape(&w, 64, 1, 1, 0);
    dispatch(&w, 1, 1, 1);
    for (uint32_t n = 0; n < TOTEM_EPOCHS - 1; n++)
        fence(&w, 1, 0, OUT + 8 * n, 100 + n, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, all_read(&w));
    host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 0);
    UNTIL(&w, !(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1));
    assert_int_equal(host_try(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 1), 2);
    UNTIL(&w, errors(&w) == 1);
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_HOST_MAP_NO_EPOCH);
    assert_int_equal(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1, 0);
    UNTIL(&w, get(&w, OUT + 8 * (TOTEM_EPOCHS - 2)) == 98 + TOTEM_EPOCHS);
    UNTIL(&w, pipe_out(&w, 0)->settle.idle[0]);
    host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 1);
    world_close(&w);
}

// A fence waits for what came before it and for nothing later.
static void fence_waits_for_its_epoch_only(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    program(&w, 1, 300);
    program(&w, 2, 4000);
    map(&w, 0, 0, 3);
    on(&w, 0, 0);
    shape(&w, 64, 1, 1, 0);
    dispatch(&w, 2, 1, 1);
    fence(&w, 1, 0, OUT, 1, 0);
    shape(&w, 64, 2, 1, 0);
    dispatch(&w, 3, 1, 1);
    fence(&w, 1, 0, OUT + 8, 2, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT) == 1);
    assert_int_equal(account_sum(session_account(w.s)).ended, 2);
    UNTIL(&w, get(&w, OUT + 8) == 2);
    assert_int_equal(account_sum(session_account(w.s)).ended, 5);
    world_close(&w);
}

static void fence_writes_what_data_sel_says(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    for (uint32_t n = 0; n < 10; n++)
        set(&w, OUT + 4 * n, 0xeeeeeeeeu);
    map(&w, 0, 0, 3);
    on(&w, 0, 0);
    fence(&w, 0, 0, OUT, 0x1111111122222222u, 0);
    fence(&w, 1, 0, OUT + 8, 0x3333333344444444u, 0);
    fence(&w, 1, 0, OUT + 20, 0x5555555566666666u, 0);
    fence(&w, 2, 0, OUT + 28, 0x7777777788888888u, 0); // to the aligned 8 bytes
    doorbell(&w, 0, 0);
    UNTIL(&w, session_idle(w.s) && all_read(&w));
    static const uint32_t expected[] = {0xeeeeeeee, 0xeeeeeeee, 0x44444444, 0xeeeeeeee, 0xeeeeeeee,
                                        0x66666666, 0x88888888, 0x77777777, 0xeeeeeeee, 0xeeeeeeee};
    for (uint32_t n = 0; n < 10; n++)
        assert_int_equal(get(&w, OUT + 4 * n), expected[n]);
    world_close(&w);
}

static uint64_t get64(const world *w, uint64_t address)
{
    return (uint64_t)get(w, address + 4) << 32 | get(w, address);
}

// Timestamps are taken when the fence is made: after its waves, before its write.
static void timestamps_rise(void **state)
{
    world    w;
    uint64_t last = 0;
    (void)state;
    world_open(&w);
    program(&w, 1, 250);
    map(&w, 0, 0, 3);
    on(&w, 0, 0);
    shape(&w, 64, 1, 1, 0);
    for (uint32_t n = 0; n < 3; n++) {
        dispatch(&w, 1, 1, 1);
        fence(&w, n == 1 ? 4 : 3, 0, OUT + 8 * n, 0, 0);
    }
    doorbell(&w, 0, 0);
    for (uint32_t n = 0; n < 3; n++) {
        UNTIL(&w, get64(&w, OUT + 8 * n));
        const uint64_t stamp = get64(&w, OUT + 8 * n);
        assert_true(stamp > last);
        assert_true(stamp < session_out(w.s)->host.clock);
        last = stamp;
    }
    assert_true(get64(&w, OUT) >= find_event(&w, LAUNCH, 0, 0, 0)->clock + 250);
    world_close(&w);
}

// ---- packets

static void indirect_buffer_then_chain_then_ring(void **state)
{
    enum { SECOND = WORLD_BUFFER + 0x800 };
    world w;
    (void)state;
    world_open(&w);
    map(&w, 0, 0, 3);
    on(&w, 0, 0);
    // The second buffer is longer than the four lines on chip; every write is to the same place, so their order shows.
    w.buffer = SECOND;
    write_word(&w, OUT, 3);
    for (uint32_t n = 0; n < 90; n++)
        nop(&w);
    wait_equal(&w, OUT, 3);
    write_word(&w, OUT, 4);
    const uint32_t second = (uint32_t)(w.buffer - SECOND) / 4;
    w.buffer              = WORLD_BUFFER + 4;
    wait_equal(&w, OUT, 1);
    write_word(&w, OUT, 2);
    wait_equal(&w, OUT, 2);
    PACKET(&w, INDIRECT_BUFFER, SECOND, 0, second | 1u << 20);
    write_word(&w, OUT + 0x100, 99); // behind the chain: never executed
    const uint32_t first = (uint32_t)(w.buffer - WORLD_BUFFER - 4) / 4;
    w.buffer             = 0;
    write_word(&w, OUT, 1);
    PACKET(&w, INDIRECT_BUFFER, WORLD_BUFFER + 4, 0, first);
    wait_equal(&w, OUT, 4);
    write_word(&w, OUT, 5);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT) == 5);
    assert_int_equal(get(&w, OUT + 0x100), 0);
    UNTIL(&w, all_read(&w));
    assert_false(pipe_out(&w, 0)->fetch.in_buffer);
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

// A read waits for the outstanding write of the same front end to its 4 KiB.
static void wait_sees_the_write_before_it(void **state)
{
    world w;
    (void)state;
    world_open_with(&w, 100, NULL, 0);
    map(&w, 0, 0, 3);
    on(&w, 0, 0);
    write_word(&w, OUT, 123);
    wait_equal(&w, OUT, 123);
    doorbell(&w, 0, 0);
    UNTIL(&w, all_read(&w));
    assert_int_equal(count_of(&w, EXECUTED, 0, 0, 0), 2); // passed at its first poll
    world_close(&w);
}

static void write_data_increments_or_not(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map(&w, 0, 0, 3);
    on(&w, 0, 0);
    PACKET(&w, WRITE_DATA, 5u << 8, OUT + 4, 0, 1, 2, 3);
    PACKET(&w, WRITE_DATA, 5u << 8 | 1u << 16, OUT + 0x20, 0, 4, 5, 6);
    PACKET(&w, WRITE_DATA, 2u << 8, OUT + 0x40, 0, 7);
    doorbell(&w, 0, 0);
    UNTIL(&w, session_idle(w.s) && all_read(&w));
    static const uint32_t expected[] = {0, 1, 2, 3, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0};
    for (uint32_t n = 0; n < sizeof expected / 4; n++)
        assert_int_equal(get(&w, OUT + 4 * n), expected[n]);
    world_close(&w);
}

// Known packets without a rule, waits on registers, registers outside the compute block: consumed and counted.
static void what_has_no_rule_is_ignored(void **state)
{
    world    w;
    unsigned ignored = 0;
    (void)state;
    world_open(&w);
    map(&w, 0, 0, 3);
    on(&w, 0, 0);
    PACKET(&w, DMA_DATA, 1, 2, 3, 4, 5, 6);
    PACKET(&w, WAIT_REG_MEM, 3, 0x1234, 0, 1, 0xffffffffu, 4);
    PACKET(&w, SET_SH_REG, 0x3ff, 1);
    PACKET(&w, SET_SH_REG, 0x27f, 1, 2); // the second is outside
    PACKET(&w, SET_SH_REG, 0x280);       // outside without a value
    PACKET(&w, SET_SH_REG, 0x1ff);
    PACKET(&w, SET_SH_REG, 0x240, 1); // not counted from here on
    PACKET(&w, SET_SH_REG, 0x27f);
    PACKET(&w, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
    PACKET(&w, EVENT_WRITE, 0x16);
    nop(&w);
    raw(&w, WORDS(FILLER));
    doorbell(&w, 0, 0);
    while (!all_read(&w)) {
        ignored += pipe_out(&w, 0)->execute.ignored;
        step(&w);
        assert_true(now(&w) < WORLD_LIMIT);
    }
    ignored += pipe_out(&w, 0)->execute.ignored;
    assert_int_equal(ignored, 6);
    assert_int_equal(count_of(&w, EXECUTED, 0, 0, 0), 12);
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

// ---- pointers

static void pointers_wrap_in_ring_and_number(void **state)
{
    enum { SIZE = 16, FROM = 0xfffffff5u % SIZE };
    const uint64_t base = WORLD_RING;
    world          w;
    driver_queue   q  = world_queue(0, 0, 3);
    uint32_t       at = 0xfffffff5u;
    (void)state;
    world_open(&w);
    q.size        = SIZE;
    q.rptr        = at;
    q.rptr_report = OUT + 0x800;
    map_queue(&w, &q);
    for (uint32_t n = 1; n <= 12; n++) { // packets of 5 dwords, 60 in all: past 0 and round the ring
        const uint32_t words[] = {TYPE3(TOTEM_OP_WRITE_DATA, 4), 5u << 8, OUT + 4 * n, 0, n};
        for (uint32_t k = 0; k < 5; k++)
            set(&w, base + 4 * (uint64_t)((at + k) % SIZE), words[k]);
        at += 5;
        w.written[0][0] = at;
        doorbell(&w, 0, 0);
        UNTIL(&w, rptr(&w, 0, 0) == at && get(&w, OUT + 4 * n) == n);
    }
    UNTIL(&w, session_idle(w.s));
    assert_int_equal(at, 0xfffffff5u + 60);
    assert_int_equal(get(&w, OUT + 0x800), at); // reported when it became empty
    world_close(&w);
}

static void read_pointer_is_reported(void **state)
{
    world        w;
    driver_queue q = world_queue(0, 0, 3);
    (void)state;
    world_open(&w);
    q.rptr_report = OUT + 0x804; // 4-byte aligned: the other half stays
    set(&w, OUT + 0x800, 0x5a5a5a5a);
    map_queue(&w, &q);
    on(&w, 0, 0);
    for (uint32_t n = 0; n < 70; n++)
        nop(&w);
    wait_equal(&w, OUT, 1); // not empty: only the multiple of 64 (RPTR_BLOCK_SIZE 5) is reported
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT + 0x804));
    const uint32_t reported = get(&w, OUT + 0x804);
    assert_in_range(reported, 64, 70);
    set(&w, OUT, 1);
    UNTIL(&w, get(&w, OUT + 0x804) == 77);
    assert_int_equal(get(&w, OUT + 0x800), 0x5a5a5a5a);
    world_close(&w);
}

// ---- who asks memory

// Areas of 64 KiB, in each of them 4 KiB for a pipe.
enum { WORDS_AT = OUT + 0x10000, WAITS_AT = OUT + 0x20000, REPORTS_AT = OUT + 0x30000, MQDS_AT = OUT + 0x40000 };
enum { FENCES_AT = OUT + 0x50000, AREA_BITS = 16, AREAS = 6, RINGS = AREAS };

typedef struct {
    unsigned count[2][WORLD_PIPES][AREAS + 1]; // reads, writes
} accesses;

// Every access has the ID of its requester (docs/memory.md): rings are read by fetch, words of waits by poll, MQDs by mqd;
// reports, WRITE_DATA and saves are streams of their own, fences have IDs from 8.
static void look_at_memory(const world *w, accesses *seen)
{
    static const char *const names[] = {"", "WRITE_DATA", "wait", "report", "MQD", "fence", "ring"};
    for (int n = 0; n < 2 * TOTEM_FE_COUNT; n++) {
        const totem_memory_out *m     = &session_out(w->s)->fe[n / 2].memory;
        const bool              write = n % 2;
        if (!(write ? m->m_axi_awvalid : m->m_axi_arvalid))
            continue;
        const uint64_t address = write ? m->m_axi_awaddr : m->m_axi_araddr;
        const int      id      = write ? m->m_axi_awid : m->m_axi_arid;
        const bool     ring    = address < OUT;
        const int      area    = ring ? RINGS : (int)((address - OUT) >> AREA_BITS);
        const int      pipe =
            ring ? (int)(address - WORLD_RING) / WORLD_STRIDE / TOTEM_QUEUES : (int)(address - OUT) >> 12 & 15;
        const int p    = pipe % TOTEM_PIPES;
        bool      good = pipe / TOTEM_PIPES == n / 2;
        switch (OUT + (area << AREA_BITS)) {
        case WORDS_AT: good = good && write && id == 2 * p + 1; break;
        case WAITS_AT: good = good && !write && id == 2 * p + 1; break;
        case REPORTS_AT: good = good && write && id == 2 * p; break;
        case MQDS_AT:
            good = good && (id == 2 * TOTEM_PIPES + p || (write && id >= TOTEM_MEMORY_FENCE_ID));
            break; // end records
        case FENCES_AT: good = good && write && id >= TOTEM_MEMORY_FENCE_ID; break;
        default: good = good && ring && !write && id == 2 * p;
        }
        if (!good)
            fail_msg("front end %d, %s of pipe %d: %s with ID %d", n / 2, names[area], pipe, write ? "write" : "read",
                     id);
        seen->count[write][pipe][area]++;
    }
}

#define LOOK_UNTIL(w, seen, condition)     \
    while (!(condition)) {                 \
        look_at_memory((w), (seen));       \
        step(w);                           \
        assert_true(now(w) < WORLD_LIMIT); \
    }

static void requesters_have_their_ids(void **state)
{
    accesses seen = {0};
    world    w;
    (void)state;
    world_open(&w);
    for (int p = 0; p < WORLD_PIPES; p++) {
        const uint32_t at = 0x1000 * (uint32_t)p;
        driver_queue   q  = world_queue(p, 0, 3);
        q.rptr_report     = REPORTS_AT + at;
        q.mqd             = MQDS_AT + at;
        put_mqd(&w, &q, 0);
        account_remap(session_account(w.s), p, 0);
        driver_map_mqd(host(&w), now(&w), (uint32_t)p, 0, q.mqd);
        LOOK_UNTIL(&w, &seen, pipe_out(&w, p)->arbiter.active[0]);
        on(&w, p, 0);
        set(&w, WAITS_AT + at, 1);
        write_word(&w, WORDS_AT + at, 1);
        wait_equal(&w, WAITS_AT + at, 1);
        fence(&w, 1, 0, FENCES_AT + at, 1, 0);
        driver_doorbell(host(&w), now(&w), (uint32_t)p, 0, w.written[p][0]);
    }
    for (int p = 0; p < WORLD_PIPES; p++) {
        LOOK_UNTIL(&w, &seen, get(&w, FENCES_AT + 0x1000 * (uint32_t)p) == 1);
        LOOK_UNTIL(&w, &seen, get(&w, REPORTS_AT + 0x1000 * (uint32_t)p) == w.written[p][0]);
        driver_ask_dequeue(host(&w), now(&w), (uint32_t)p, 0, 1);
        LOOK_UNTIL(&w, &seen, !pipe_out(&w, p)->arbiter.active[0]);
        LOOK_UNTIL(&w, &seen, session_idle(w.s));
        for (unsigned area = 1; area <= RINGS; area++)
            assert_true(seen.count[0][p][area] || seen.count[1][p][area]);
        assert_true(seen.count[0][p][4] && seen.count[1][p][4]);
    }
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priority_of_a_mapped_queue_may_change),
        cmocka_unit_test(empty_queue_leaves_for_any_other),
        cmocka_unit_test(preempted_dispatch_resumes_exactly),
        cmocka_unit_test(resumed_grid_keeps_its_start),
        cmocka_unit_test(cut_inside_an_indirect_buffer),
        cmocka_unit_test(active_cleared_inside_a_dispatch),
        cmocka_unit_test(flush_gives_up_the_pipe_and_resumes),
        cmocka_unit_test(no_free_epoch),
        cmocka_unit_test(mapping_without_an_epoch_is_refused),
        cmocka_unit_test(fence_waits_for_its_epoch_only),
        cmocka_unit_test(fence_writes_what_data_sel_says),
        cmocka_unit_test(timestamps_rise),
        cmocka_unit_test(indirect_buffer_then_chain_then_ring),
        cmocka_unit_test(wait_sees_the_write_before_it),
        cmocka_unit_test(write_data_increments_or_not),
        cmocka_unit_test(what_has_no_rule_is_ignored),
        cmocka_unit_test(pointers_wrap_in_ring_and_number),
        cmocka_unit_test(read_pointer_is_reported),
        cmocka_unit_test(requesters_have_their_ids),
    };

    return cmocka_run_group_tests_name("rules_queues", tests, NULL, NULL);
}

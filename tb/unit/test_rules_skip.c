// SPDX-License-Identifier: Apache-2.0
//
// What is left over when the host steps in, on the whole model: a grid that is skipped leaves nothing to the next one, and
// stays until its packet has been passed; a
// packet that is not there cannot be skipped, a machine whose last poll is still to be answered is not idle.

#include <stdio.h>
#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { OUT = WORLD_DATA, BAD = WORLD_DATA + 0x10000, MQD = 0x600000, SKIP = 2, RESUME = 1, LEAVE = 4 };
enum { SMALL = 64 * TOTEM_SLOTS / 4, PLACE = 32, HEIGHT = 4 + 4 * TOTEM_SE_COUNT, FIRST = 9 * HEIGHT, SECOND = 50 };

static void skip_it(world *w)
{
    account_skip(session_account(w->s), 0, 0, ACCOUNT_SKIPPED);
    host_put(w, driver_window(0, 0, WINDOW(CONTROL)), SKIP);
}

static void resume(world *w)
{
    account_skip(session_account(w->s), 0, 0, ACCOUNT_GOES_ON);
    host_put(w, driver_window(0, 0, WINDOW(CONTROL)), RESUME);
}

static bool unfinished(const world *w)
{
    return front_out(w, 0)->execute.unfinished[0];
}

static bool mapped(const world *w)
{
    return front_out(w, 0)->arbiter.active[0];
}

static uint32_t mqd(const world *w, uint32_t dword)
{
    return get(w, MQD + 4 * (uint64_t)dword);
}

// Queue 0 halts by a late failure of its own inside the first of two grids, whose packet is at PLACE.
static void halted_in_a_grid(world *w)
{
    uint32_t     image[DRIVER_MQD];
    driver_queue q = world_queue(0, 0, 3);
    q.mqd          = MQD;
    driver_image(&q, true, image);
    for (uint32_t n = 0; n < DRIVER_MQD; n++)
        set(w, MQD + 4 * (uint64_t)n, image[n]);
    program(w, 1, 60);
    account_remap(session_account(w->s), 0, 0);
    driver_map_image(host(w), now(w), 0, 0, true, image);
    UNTIL(w, host_done(host(w)) && mapped(w));
    on(w, 0, 0);
    shape(w, SMALL, 1, 1, 0);
    while (position(w) < PLACE - 5)
        nop(w);
    write_word(w, BAD, 7);
    dispatch(w, 9, HEIGHT, 1);
    dispatch(w, SECOND, 1, 1);
    doorbell(w, 0, 0);
    UNTIL(w, front_out(w, 0)->execute.halted[0] && !selected(w, 0, 0) && errors(w) == 1);
    assert_true(unfinished(w));
    assert_int_equal(rptr(w, 0, 0), PLACE);
    assert_in_range(count_of(w, GRANT, 0, 0, 0), 1, FIRST - 1);
}

// The packet of a grid is passed without being read: that its line fails now changes nothing.
TEST(unreadable_packet_is_passed)
{
    for (uint32_t n = 0; n < 2; n++) {
        memory_fault faults[] = {{.address = BAD, .kind = MEMORY_WRITE_SLVERR},
                                 {.address = WORLD_RING + 4 * PLACE + 8 * n, .kind = MEMORY_READ_SLVERR, .at = 6000}};
        world        w;
        world_open_with(&w, 150, faults, 2);
        halted_in_a_grid(&w);
        assert_in_range(now(&w), 0, 5999); // the line has been read
        UNTIL(&w, now(&w) > 6000);
        const unsigned from = w.count;
        skip_it(&w);
        UNTIL(&w, rptr(&w, 0, 0) == w.written[0][0]);
        assert_false(unfinished(&w));
        assert_int_equal(errors(&w), 1);
        assert_int_equal(count_of(&w, RESUMED, 0, 0, from), 0);
        assert_int_equal(count_of(&w, GRANT, 0, 0, from), SECOND);
        world_close(&w);
    }
}

// A packet that is not all written cannot be passed: its grid stays where it stood, for RESUME and for SKIP.
TEST(grid_outlives_a_skip_in_vain)
{
    for (int way = 0; way < 2; way++) {
        memory_fault fault = {.address = BAD, .kind = MEMORY_WRITE_SLVERR};
        world        w;
        world_open_with(&w, 150, &fault, 1);
        halted_in_a_grid(&w);
        host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_DEQUEUE_REQUEST)), LEAVE);
        UNTIL(&w, !mapped(&w) && !front_out(&w, 0)->mqd.busy);
        set(&w, MQD + 4 * 182, PLACE + 3); // a wrong write pointer
        set(&w, MQD + 4 * 143, mqd(&w, 143) | 1u << 30);
        const unsigned before = count_of(&w, GRANT, 0, 0, 0);
        driver_map_mqd(host(&w), now(&w), 0, 0, MQD);
        UNTIL(&w, errors(&w) == 2 && front_out(&w, 0)->execute.halted[0] && !selected(&w, 0, 0));
        for (unsigned n = 3; n < 5; n++) {
            skip_it(&w);
            UNTIL(&w, errors(&w) == n && front_out(&w, 0)->execute.halted[0] && !selected(&w, 0, 0));
            assert_int_equal(last_error(&w).code, TOTEM_ERROR_PACKET_COUNT_PAST_WPTR);
            assert_int_equal(last_error(&w).address, WORLD_RING + 4 * PLACE);
            assert_int_equal(rptr(&w, 0, 0), PLACE);
            assert_true(unfinished(&w));
        }
        doorbell(&w, 0, 0);
        if (way == 0)
            resume(&w);
        else
            skip_it(&w);
        UNTIL(&w, rptr(&w, 0, 0) == w.written[0][0]);
        assert_int_equal(count_of(&w, GRANT, 0, 0, 0), (way == 0 ? FIRST : before) + SECOND);
        assert_int_equal(count_of(&w, RESUMED, 0, 0, 0), way == 0);
        assert_int_equal(errors(&w), 4);
        world_close(&w);
    }
}

// Dequeued before its packet could be passed: the grid is in the MQD, and goes on from there.
TEST(dequeue_before_it_is_passed)
{
    memory_fault fault = {.address = BAD, .kind = MEMORY_WRITE_SLVERR};
    world        w;
    world_open_with(&w, 150, &fault, 1);
    halted_in_a_grid(&w);
    program(&w, 2, 3000);
    map(&w, 0, 1, 9);
    on(&w, 0, 1);
    shape(&w, SMALL, 2, 1, 0);
    dispatch(&w, 100, 1, 1);
    doorbell(&w, 0, 1);
    UNTIL(&w, selected(&w, 0, 1));
    const unsigned before = count_of(&w, GRANT, 0, 0, 0);
    skip_it(&w);
    steps(&w, 1000);
    assert_true(unfinished(&w) && selected(&w, 0, 1));
    account_skip(session_account(w.s), 0, 0, ACCOUNT_LEFT);
    host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_DEQUEUE_REQUEST)), LEAVE);
    UNTIL(&w, !mapped(&w) && !front_out(&w, 0)->mqd.busy);
    account_skip(session_account(w.s), 0, 0, ACCOUNT_GOES_ON);
    assert_int_equal(mqd(&w, 132) >> 31, 1);
    assert_int_equal(mqd(&w, 138), PLACE);
    host_put(&w, driver_window(0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY)), 1);
    set(&w, MQD + 4 * 143, mqd(&w, 143) | 1u << 30);
    driver_map_mqd(host(&w), now(&w), 0, 0, MQD);
    UNTIL(&w, rptr(&w, 0, 0) == w.written[0][0]);
    assert_int_equal(count_of(&w, GRANT, 0, 0, 0), FIRST + SECOND);
    assert_in_range(before, 1, FIRST - 1);
    assert_int_equal(count_of(&w, RESUMED, 0, 0, 0), 1);
    w.unfinished = true; // queue 1 runs on
    host_put(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE)), 0);
    world_close(&w);
}

// A write fails while a grid runs; the host skips the grid, and the next one is preempted once. It has its own groups, no more.
TEST(grid_is_skipped)
{
    memory_fault fault = {.address = BAD, .kind = MEMORY_WRITE_SLVERR};
    world        w;
    world_open_with(&w, 150, &fault, 1);
    program(&w, 0, 300);
    program(&w, 1, 300);
    map(&w, 0, 0, 3);
    map(&w, 0, 1, 9);
    on(&w, 0, 0);
    shape(&w, 64 * 8, 0, 1, 0);
    write_word(&w, BAD, 7);
    dispatch(&w, 1000, 1, 1);
    shape(&w, 64 * 8, 1, 1, 0);
    dispatch(&w, 100, 1, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, front_out(&w, 0)->execute.halted[0] && !selected(&w, 0, 0));
    assert_true(front_out(&w, 0)->execute.unfinished[0]);
    steps(&w, 400); // what is granted is launched
    const unsigned from = w.count;
    skip_it(&w);
    UNTIL(&w, count_of(&w, GRANT, 0, 0, from) >= 20);
    give_nop(&w, 0, 1);
    UNTIL(&w, rptr(&w, 0, 0) == w.written[0][0]);
    assert_int_equal(count_of(&w, RESUMED, 0, 0, from), 1);
    assert_int_equal(count_of(&w, GRANT, 0, 0, from), 100);
    world_close(&w);
}

// A queue is halted by a late failure of its last packet: there is nothing to skip, and what comes later is executed.
TEST(nothing_to_skip)
{
    memory_fault fault = {.address = BAD, .kind = MEMORY_WRITE_SLVERR};
    world        w;
    world_open_with(&w, 20, &fault, 1);
    map(&w, 0, 0, 3);
    give_write(&w, 0, 0, BAD, 7);
    UNTIL(&w, front_out(&w, 0)->execute.halted[0] && !selected(&w, 0, 0) && errors(&w) == 1);
    assert_int_not_equal(host_try(&w, driver_window(0, 0, WINDOW(CONTROL)), SKIP), 0);
    UNTIL(&w, errors(&w) == 2);
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_HOST_RESUME);
    write_word(&w, OUT, 99);
    write_word(&w, OUT + 8, 98);
    doorbell(&w, 0, 0);
    host_put(&w, driver_window(0, 0, WINDOW(CONTROL)), RESUME);
    UNTIL(&w, get(&w, OUT + 8) == 98);
    assert_int_equal(get(&w, OUT), 99);
    world_close(&w);
}

// ACTIVE is cleared in each clock of a poll: from idle on, nothing is asked of the memory.
TEST(idle_means_no_poll)
{
    for (uint32_t offset = 0; offset < 80; offset++) {
        world w;
        world_open(&w);
        map(&w, 0, 0, 3);
        on(&w, 0, 0);
        PACKET(&w, WAIT_REG_MEM, 0xd3, OUT, 0, 1, 0xffffffffu, 4); // memory, equal, smart
        doorbell(&w, 0, 0);
        UNTIL(&w, front_out(&w, 0)->poll.waiting[0]);
        steps(&w, 100 + offset);
        host_write(host(&w), now(&w), driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 0);
        bool idle = false;
        for (int n = 0; n < 200; n++) {
            step(&w);
            idle = idle || session_out(w.s)->machine_idle.all;
            assert_false(idle && session_out(w.s)->fe[0].memory.m_axi_arvalid);
        }
        assert_true(idle);
        world_close(&w);
    }
}

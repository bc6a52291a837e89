// SPDX-License-Identifier: Apache-2.0
//
// What is left over when the host steps in, on the whole model: a grid that is skipped leaves nothing to the next one, a
// packet that is not there cannot be skipped, a machine whose last poll is still to be answered is not idle.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules_world.h"

enum { OUT = WORLD_DATA, BAD = WORLD_DATA + 0x10000, SKIP = 2, RESUME = 1 };

// A write fails while a grid runs; the host skips the grid, and the next one is preempted once. It has its own groups, no more.
static void grid_is_skipped(void **state)
{
    (void)state;
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
    UNTIL(&w, pipe_out(&w, 0)->packet.halted[0] && !selected(&w, 0, 0));
    assert_true(pipe_out(&w, 0)->packet.unfinished[0]);
    steps(&w, 400); // what is granted is launched
    const unsigned from = w.count;
    account_skip(session_account(w.s), 0, 0);
    host_put(&w, driver_window(0, 0, WINDOW(CONTROL)), SKIP);
    assert_false(pipe_out(&w, 0)->packet.unfinished[0]);
    UNTIL(&w, count_of(&w, GRANT, 0, 0, from) >= 20);
    on(&w, 0, 1);
    nop(&w);
    doorbell(&w, 0, 1);
    UNTIL(&w, rptr(&w, 0, 0) == w.written[0][0]);
    assert_int_equal(count_of(&w, RESUMED, 0, 0, from), 1);
    assert_int_equal(count_of(&w, GRANT, 0, 0, from), 100);
    world_close(&w);
}

// A queue is halted by a late failure of its last packet: there is nothing to skip, and what comes later is executed.
static void nothing_to_skip(void **state)
{
    (void)state;
    memory_fault fault = {.address = BAD, .kind = MEMORY_WRITE_SLVERR};
    world        w;
    world_open_with(&w, 20, &fault, 1);
    map(&w, 0, 0, 3);
    on(&w, 0, 0);
    write_word(&w, BAD, 7);
    doorbell(&w, 0, 0);
    UNTIL(&w, pipe_out(&w, 0)->packet.halted[0] && !selected(&w, 0, 0) && errors(&w) == 1);
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
static void idle_means_no_poll(void **state)
{
    (void)state;
    for (uint32_t offset = 0; offset < 80; offset++) {
        world w;
        world_open(&w);
        map(&w, 0, 0, 3);
        on(&w, 0, 0);
        PACKET(&w, WAIT_REG_MEM, 0xd3, OUT, 0, 1, 0xffffffffu, 4); // memory, equal, preemptable
        doorbell(&w, 0, 0);
        UNTIL(&w, pipe_out(&w, 0)->poll.waiting[0]);
        steps(&w, 100 + offset);
        host_write(host(&w), now(&w), driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 0);
        bool idle = false;
        for (int n = 0; n < 200; n++) {
            step(&w);
            idle = idle || totem_machine_idle(session_out(w.s));
            assert_false(idle && session_out(w.s)->fe[0].memory.m_axi_arvalid);
        }
        assert_true(idle);
        world_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_is_skipped),
        cmocka_unit_test(nothing_to_skip),
        cmocka_unit_test(idle_means_no_poll),
    };
    return cmocka_run_group_tests_name("rules: skip", tests, NULL, NULL);
}

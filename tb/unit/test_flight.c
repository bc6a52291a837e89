// SPDX-License-Identifier: Apache-2.0
//
// totem_flight: what is in flight is counted (docs/contract/flight.md).

#include "fence_bench.h"

static void waves_and_writes_are_counted(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    grant(&t, 1, 0, 3);
    clock_edge(&t);
    assert_int_equal(t.b.o.flight.waves[1], 3);
    assert_false(t.b.o.settle.idle[1]);
    assert_true(t.b.o.settle.idle[0]);
    t.b.i.arbiter_selected = 1;
    t.b.i.packet_fence_write = true;
    clock_edge(&t);
    assert_int_equal(t.b.s.flight.count[1 * TOTEM_EPOCHS], 4);
    assert_int_equal(t.b.o.flight.waves[1], 3); // writes are no waves
    for (unsigned n = 0; n < 3; n++) {
        complete(&t, 1, 0);
        clock_edge(&t);
    }
    assert_int_equal(t.b.o.flight.waves[1], 0);
    assert_false(t.b.o.settle.idle[1]);
    t.b.i.packet_write_ack = true;
    t.b.i.ack_tag    = 0 << 3 | 1;
    clock_edge(&t);
    assert_true(t.b.o.settle.idle[1]);
}

static void everything_of_one_clock_counts(void **state)
{
    entry_bench t;
    (void)state;
    open_bench(&t);
    t.b.i.arbiter_selected = 1;
    t.b.i.packet_fence_write = true;
    clock_edge(&t);
    grant(&t, 1, 0, 5);
    complete(&t, 1, 0);
    unsigned expected = 1 + 5 - 1;
#if TOTEM_SE_COUNT > 1
    t.b.i.grant_valid[1]    = true;
    t.b.i.grant_waves[1]    = 7;
    t.b.i.grant_queue[1]    = 1;
    t.b.i.complete_valid[1] = true;
    t.b.i.complete_queue[1] = 1;
    expected += 7 - 1;
#endif
    t.b.i.arbiter_selected = 1;
    t.b.i.packet_fence_write = true;
    t.b.i.packet_write_ack   = true;
    t.b.i.ack_tag      = 1;
    clock_edge(&t);
    assert_int_equal(t.b.s.flight.count[TOTEM_EPOCHS], expected);
    assert_int_equal(t.b.o.flight.waves[1], expected - 1);
}

static void late_ends_saturate(void **state)
{
    (void)state;
    for (unsigned ends = 1; ends <= TOTEM_SE_COUNT; ends++)
        for (unsigned missing = 0; missing <= ends + 1; missing++) {
            entry_bench t;
            open_bench(&t);
            mapped_with(&t, 8);
            give_up(&t);
            t.b.s.flight.late = (uint16_t)(0xffff - missing);
            for (unsigned e = 0; e < ends; e++) {
                t.b.i.complete_valid[e] = true;
                t.b.i.complete_queue[e] = 1;
                t.b.i.complete_epoch[e] = 0;
            }
            clock_edge(&t);
            assert_int_equal(t.b.o.flight.late, 0xffff - missing + (missing < ends ? missing : ends));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_and_writes_are_counted),
        cmocka_unit_test(everything_of_one_clock_counts),
        cmocka_unit_test(late_ends_saturate),
    };

    return cmocka_run_group_tests_name("flight", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_flight: what is in flight is counted (docs/contract/flight.md).

#include "fence_bench.h"

// Writes are no waves.
TEST(waves_and_writes_are_counted)
{
    entry_bench t;
    open_bench(&t);
    granted(&t, 1, 0, 3);
    packet_write(&t, 1);
    assert_int_equal(t.b.s.flight.count[1 * TOTEM_EPOCHS], 4);
    for (unsigned n = 3; n > 0; n--) {
        assert_int_equal(t.b.o->flight.waves[1], n);
        completed(&t, 1, 0);
    }
    assert_int_equal(t.b.o->flight.waves[1], 0);
    assert_true(t.b.o->slot_idle.idle[0] && !t.b.o->slot_idle.idle[1]);
    packet_answer(&t, 1, 0, 0, 0);
    assert_true(t.b.o->slot_idle.idle[1]);
}

TEST(everything_of_one_clock_counts)
{
    entry_bench t;
    open_bench(&t);
    packet_write(&t, 1);
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
    t.b.i.arbiter_selected   = 1;
    t.b.i.packet_fence_write = true;
    t.b.i.packet_write_ack   = true;
    t.b.i.ack_tag            = 1;
    clock_edge(&t);
    assert_int_equal(t.b.s.flight.count[TOTEM_EPOCHS], expected);
    assert_int_equal(t.b.o->flight.waves[1], expected - 1);
}

TEST(late_ends_saturate)
{
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
            assert_int_equal(t.b.o->flight.late, 0xffff - missing + (missing < ends ? missing : ends));
        }
}

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

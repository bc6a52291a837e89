// SPDX-License-Identifier: Apache-2.0
//
// totem_intake: messages of packet and of record on their way to the entry RAM (docs/contract/intake.md).

#include "fence_bench.h"

enum { FIRST = 1 * TOTEM_EPOCHS * 4 }; // place of epoch 0 of slot 1 in the RAM

// record comes while packet's message is under way, or begins in the same clock: it waits for the third word, and for
// one clock more.
TEST(record_waits_for_a_message_of_packet)
{
    for (unsigned from = 0; from < 3; from++) {
        entry_bench t;
        open_bench(&t);
        for (unsigned n = 0; n < 3; n++) {
            if (n == from) {
                LEVEL(&t.b, record_fence_valid, true);
                LEVEL(&t.b, record_fence_queue, 0);
                LEVEL(&t.b, record_fence_word, 0x77);
            }
            t.b.i.arbiter_selected   = 1;
            t.b.i.packet_fence_valid = true;
            t.b.i.packet_fence_word  = n;
            assert_false(t.b.o->intake.record_ready);
            clock_edge(&t);
        }
        assert_false(t.b.o->intake.record_ready);
        clock_edge(&t);
        for (unsigned n = 0; n < 3; n++) {
            assert_true(t.b.o->intake.record_ready && !t.b.o->intake.packet_ready);
            clock_edge(&t);
            assert_int_equal(t.b.o->intake.ram_write_addr, n);
            assert_true(t.b.o->intake.storing[0] && !t.b.o->intake.storing[1]);
        }
        assert_true(t.b.o->intake.close && t.b.o->intake.close_pair && t.b.o->intake.packet_ready);
        assert_int_equal(t.b.o->intake.close_queue, 0);
        LEVEL(&t.b, record_fence_valid, false);
    }
}

// From its first word until it is written nobody takes the slot for idle.
TEST(pair_of_a_slot_without_work)
{
    entry_bench t;
    open_bench(&t);
    assert_true(t.b.o->slot_idle.idle[1]);
    pair(&t, 1, 0x1000, 5); // looks at idle, too
    assert_false(t.b.o->slot_idle.idle[1]);
}

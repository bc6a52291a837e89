// SPDX-License-Identifier: Apache-2.0
//
// totem_failure: packet writes that fail, of the present mapping and of earlier ones (docs/contract/failure.md).

#include "fence_bench.h"

// Every failure has its record, however long the first one waits; write_room keeps more from being sent.
TEST(every_failure_has_its_record)
{
    entry_bench t;
    open_bench(&t);
    t.b.hold.events_error_ready = t.b.i.events_error_ready = false;
    for (uint8_t n = 0; n < 5; n++) {
        assert_true(t.b.o->failure.write_room);
        packet_write(&t, n & 3);
    }
    assert_false(t.b.o->failure.write_room); // the fifth is kept from memory
    for (uint8_t n = 0; n < 4; n++)
        packet_answer(&t, n, 0, (uint8_t)(1 + n % 3), 0x1000u * n + 4);
    assert_true(t.b.o->failure.write_room); // one is being reported
    packet_answer(&t, 0, 0, 1, 0x4004);
    for (uint8_t q = 0; q < 4; q++)
        assert_false(t.b.o->slot_idle.idle[q]);
    t.b.hold.events_error_ready = t.b.i.events_error_ready = true;
    for (uint64_t n = 0; n < 5; n++) {
        until(&t, &t.b.o->fence.error_valid);
        assert_int_equal(t.b.o->fence.error_word, (0x65 + n % 4 % 3) << 56 | n % 4 << 48 | (0x1000 * n + 4));
        clock_edge(&t);
        clock_edge(&t);
    }
    for (uint8_t q = 0; q < 4; q++)
        assert_true(t.b.o->slot_idle.idle[q]);
}

// What fails late halts the slot only if it is of the present mapping.
TEST(failure_of_an_earlier_mapping)
{
    entry_bench t;
    open_bench(&t);
    load(&t, 2, true);
    packet_write(&t, 2);
    packet_write(&t, 2);
    load(&t, 2, false);
    packet_answer(&t, 2, 0, 1, 0x1000);
    assert_false(t.b.o->failure.halt || t.b.o->slot_idle.settled[2]);
    load(&t, 2, true);
    assert_int_equal(t.b.o->epoch.current[2], 1); // an epoch of its own
    assert_true(t.b.o->slot_idle.settled[2] && t.b.o->epoch.closed[2] != 0 && !t.b.o->slot_idle.idle[2]);
    packet_write(&t, 2);
    assert_false(t.b.o->slot_idle.settled[2]);
    packet_answer(&t, 2, 0, 2, 0x2000); // of the earlier mapping
    assert_false(t.b.o->failure.halt);
    packet_answer(&t, 2, 1, 3, 0x3000);
    assert_true(t.b.o->failure.halt && t.b.o->slot_idle.settled[2]);
    for (uint64_t n = 2; n <= 3; n++) {
        until(&t, &t.b.o->fence.error_valid); // records all the same
        assert_int_equal(t.b.o->fence.error_word & 0xffffffffff, 0x1000 * n);
        clocks(&t, 2);
    }
    until(&t, &t.b.o->slot_idle.idle[2]);
}

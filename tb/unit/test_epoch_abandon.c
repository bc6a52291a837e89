// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: what is in flight is given up: epochs reserved, late ends, pairs (docs/contract/epoch.md).

#include "fence_bench.h"

// Time-out of a kill: record, two fences given up, epochs 0 and 2 reserved. Late ends are counted; the queue goes on in
// the epochs that are left, which need not wait for the reserved ones.
TEST(abandoned_epochs_are_reserved)
{
    entry_bench t;
    open_bench(&t);
    mapped_with(&t, 2);
    message(&t, 1, 0x1000, 1, 2, 5, 6); // epoch 0: waves run
    message(&t, 1, 0x1008, 1, 2, 5, 6); // epoch 1: its own are done
    granted(&t, 1, 2, 1);
    packet_write(&t, 1);
    assert_int_equal(t.b.o->slot_idle.targets[1], 5);
    assert_false(t.b.o->slot_idle.quiet[1]);
    t.b.hold.events_error_ready = false;
    LEVEL(&t.b, kill_abandon[1], true);
    clock_edge(&t);
    assert_true(t.b.o->epoch.abandoned[1] && t.b.o->fence.error_valid);
    clock_edge(&t);
    LEVEL(&t.b, kill_abandon[1], false);
    assert_false(t.b.o->epoch.abandoned[1]);
    assert_int_equal(t.b.o->fence.error_word, 0x89ull << 56 | 1ull << 48);
    t.b.i.events_error_ready = true;
    clock_edge(&t);
    assert_int_equal(t.b.o->fence.error_word, 2u << 8 | 5u);
    t.b.i.events_error_ready = true;
    clock_edge(&t);
    assert_false(t.b.o->fence.error_valid);
    assert_int_equal(t.b.o->epoch.lost, 2);
    assert_int_equal(t.b.s.epoch.reserved[1], 5);
    clocks(&t, 20); // nothing of it is written; the ring is passed
    assert_false(t.b.o->fence.write_valid || t.b.o->fence.interrupt_valid);
    assert_true(t.b.o->epoch.flushed[1] && t.b.o->slot_idle.settled[1] && t.b.o->slot_idle.quiet[1] &&
                !t.b.o->slot_idle.idle[1]);
    assert_int_equal(t.b.o->slot_idle.targets[1], 0);
    load(&t, 1, false);
    assert_int_equal(t.b.o->slot_idle.targets[1], 5); // of a slot that is not mapped: all
    assert_false(t.b.o->slot_idle.quiet[1]);

    // A new mapping: epoch 3, then, past 0, epoch 1.
    assert_true(t.b.o->epoch.room[1]);
    load(&t, 1, true);
    assert_int_equal(t.b.o->epoch.current[1], 3);
    granted(&t, 1, 3, 1);
    message(&t, 1, 0x2000, 1, 0, 7, 0);
    assert_int_equal(t.b.o->epoch.current[1], TOTEM_EPOCHS > 4 ? 4 : 1);
    assert_int_equal(t.b.o->slot_idle.targets[1], 8);
    completed(&t, 1, 3);
    writes_at(&t, 0x2000);
    clocks(&t, 3);
    fence_answer(&t, 1, 3, 0);
    clocks(&t, 8);
    assert_true(t.b.o->epoch.flushed[1]);
    // A late write that fails has its record and halts nobody.
    packet_answer(&t, 1, 2, 1, 0x3000);
    assert_false(t.b.o->failure.halt);
    for (unsigned n = 0; n < 3; n++) {
        assert_int_equal(t.b.o->flight.late, n);
        completed(&t, 1, n < 2 ? 0 : 2);
    }
    assert_int_equal(t.b.o->flight.late, 3);
    clocks(&t, 2);
    assert_int_equal(t.b.s.epoch.reserved[1], 0);
    t.b.hold.events_error_ready = t.b.i.events_error_ready = true;
    clocks(&t, 4);
    assert_true(t.b.o->slot_idle.idle[1] && t.b.o->slot_idle.quiet[1]);
}

// Nothing is given up while its fence write is with memory; one of an earlier mapping, which is not given up, holds up
// nothing.
TEST(abandon_waits_for_what_is_done)
{
    entry_bench t;
    open_bench(&t);
    mapped_with(&t, 1);
    message(&t, 1, 0x1000, 1, 0, 5, 0);
    load(&t, 1, false);
    load(&t, 1, true); // the fence is of an earlier mapping
    assert_int_equal(t.b.o->slot_idle.targets[1], 0);
    granted(&t, 1, 1, 1);
    message(&t, 1, 0x2000, 1, 0, 5, 0);
    assert_int_equal(t.b.o->slot_idle.targets[1], 2);
    completed(&t, 1, 0);
    until(&t, &t.b.o->fence.write_valid);
    clocks(&t, 30);
    assert_int_equal(t.b.s.fence.sent[1], 1);
    give_up(&t);
    clocks(&t, 8);
    assert_int_equal(t.b.o->epoch.lost, 1);
    assert_int_equal(t.b.s.epoch.reserved[1], 2);
    assert_true(t.b.s.fence.sent[1] == 1 && t.b.o->slot_idle.quiet[1] && t.b.o->epoch.flushed[1]);
    fence_answer(&t, 1, 0, 0);
    clocks(&t, 8);
    assert_int_equal(t.b.o->epoch.closed[1], 0);

    // Its own: the write is awaited, the fence behind it is given up then, though it could be written.
    message(&t, 1, 0x3000, 1, 0, 5, 0);
    message(&t, 1, 0x3008, 1, 0, 5, 0);
    clocks(&t, 10);
    assert_int_equal(t.b.s.fence.sent[1], 4);
    LEVEL(&t.b, kill_abandon[1], true);
    clocks(&t, 30);
    assert_int_equal(t.b.o->epoch.lost, 1);
    fence_answer(&t, 1, 2, 0);
    until(&t, &t.b.o->epoch.abandoned[1]);
    LEVEL(&t.b, kill_abandon[1], false);
    clocks(&t, 30);
    assert_int_equal(t.b.o->epoch.lost, 2);
    assert_int_equal(t.b.s.fence.sent[1], 0);
    assert_true(t.b.o->epoch.flushed[1] && t.b.o->slot_idle.settled[1]);
    LEVEL(&t.b, kill_abandon[2], true); // of a slot with nothing in flight
    clocks(&t, 8);
    assert_int_equal(t.b.o->epoch.lost, 2);
    assert_int_equal(t.b.s.epoch.reserved[2], 0);
}

// Of a slot that is not mapped the pairs are written all the same, each once, whatever still runs; the other fences are
// dropped.
TEST(pairs_of_an_unmapped_slot_are_written)
{
    entry_bench t;
    open_bench(&t);
    // Epochs 0 and 1 in turn: a mapping with waves, a fence and its pair; the second has only a pair.
    for (uint8_t m = 0; m < 2; m++) {
        mapped_with(&t, 1);
        if (m == 0)
            message(&t, 1, 0x1000, 1, 2, 5, 6);
        pair(&t, 1, 0x2000 + 0x100u * m, 70 + m);
        load(&t, 1, false);
    }
    assert_int_equal(t.b.o->epoch.current[1], 3);
    assert_false(t.b.o->slot_idle.quiet[1]);
    give_up(&t);
    assert_int_equal(t.b.o->epoch.lost, 1); // the fence; pairs are not lost
    assert_int_equal(t.b.s.epoch.reserved[1], 5);
    for (uint8_t m = 2; m-- > 0;) { // neither waits for the other; the older one is behind what is dropped
        writes_at(&t, 0x2000 + 0x100u * m);
        clock_edge(&t);
        assert_int_equal(t.b.o->fence.write_word, 70 + m);
        clock_edge(&t);
    }
    for (uint8_t m = 0; m < 2; m++) {
        assert_false(t.b.o->slot_idle.settled[1]);
        fence_answer(&t, 1, 1 + m, m == 0 ? 3 : 0); // the first one fails: its record, and on
        clocks(&t, 12);
    }
    assert_true(t.b.o->epoch.flushed[1] && t.b.o->slot_idle.settled[1] && !t.b.o->slot_idle.idle[1]);
    assert_false(t.b.o->failure.halt);

    // The ring goes round, past the reserved ones: no pair comes again.
    load(&t, 1, true);
    for (unsigned n = 0; n < 2 * TOTEM_EPOCHS; n++) {
        until(&t, &t.b.o->epoch.room[1]);
        assert_false(t.b.s.epoch.reserved[1] >> t.b.o->epoch.current[1] & 1);
        close_epoch(&t, 1);
        for (unsigned k = 0; k < 12; k++) {
            clock_edge(&t);
            assert_false(t.b.o->fence.write_valid);
        }
    }
    assert_int_equal(t.b.s.epoch.reserved[1], 5);
    completed(&t, 1, 0);
    complete(&t, 1, 2);
    clocks(&t, 8);
    assert_int_equal(t.b.s.epoch.reserved[1], 0);
    assert_int_equal(t.b.o->flight.late, 2);
    assert_false(t.b.o->fence.write_valid);
}

// Both counts of ABANDONED stop at 0xFFFF, whatever comes in one clock.
TEST(lost_fences_saturate)
{
    for (unsigned fences = 1; fences < TOTEM_EPOCHS; fences++)
        for (unsigned missing = 0; missing <= fences + 1; missing++) {
            entry_bench t;
            open_bench(&t);
            mapped_with(&t, 1); // all fences wait behind it
            for (unsigned n = 0; n < fences; n++)
                message(&t, 1, 0x1000, 1, 0, 5, 0);
            t.b.s.epoch.lost = (uint16_t)(0xffff - missing);
            give_up(&t);
            assert_int_equal(t.b.o->epoch.lost, 0xffff - missing + (missing < fences ? missing : fences));
        }
}

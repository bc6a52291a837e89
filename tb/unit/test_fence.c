// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: fence writes and interrupts, their order and latencies (docs/contract/fence.md).

#include "fence_bench.h"

// What goes out: address, strobes and data of every data_sel.
TEST(fence_writes)
{
    static const struct {
        uint64_t address;
        unsigned data_sel;
        uint64_t strobe, data;
    } rows[] = {{0x12345678a0, 1, 0x0f, 0x2222222222222222}, {0x12345678a4, 1, 0xf0, 0x2222222222222222},
                {0x12345678a8, 2, 0xff, 0x1111111122222222}, {0x12345678ac, 2, 0xff, 0x1111111122222222},
                {0x12345678a0, 3, 0xff, 0x2100000777},       {0x12345678a0, 4, 0xff, 0x2100000777}};
    for (unsigned n = 0; n < COUNT(rows); n++) {
        entry_bench t;
        open_bench(&t);
        t.b.hold.clock = 0x2100000777;
        message(&t, 3, rows[n].address, rows[n].data_sel, 0, 0x1111111122222222, 9);
        until(&t, &t.b.o->fence.write_valid);
        assert_int_equal(t.b.o->fence.write_word, (rows[n].address & ~(uint64_t)7) | rows[n].strobe << 40 | 3ull << 48);
        clock_edge(&t);
        assert_true(t.b.o->fence.write_valid);
        assert_int_equal(t.b.o->fence.write_word, rows[n].data);
        clock_edge(&t);
        for (unsigned k = 0; k < 5; k++) {
            assert_false(t.b.o->fence.write_valid || t.b.o->epoch.flushed[3]); // the response is awaited
            clock_edge(&t);
        }
        fence_answer(&t, 3, 0, 0);
        clock_edge(&t);
        assert_false(t.b.o->epoch.flushed[3]);
        clock_edge(&t);
        assert_true(t.b.o->epoch.flushed[3]);
        assert_false(t.b.o->fence.interrupt_valid || t.b.o->fence.error_valid);
    }
}

TEST(interrupt_after_the_acknowledge)
{
    entry_bench t;
    open_bench(&t);
    t.b.hold.events_interrupt_ready = false;
    message(&t, 2, 0x1000, 1, 2, 5, 0xabcdef01);
    until(&t, &t.b.o->fence.write_valid);
    clocks(&t, 8);
    assert_false(t.b.o->fence.interrupt_valid);
    fence_answer(&t, 2, 0, 0);
    for (unsigned n = 0; n < 5; n++, clock_edge(&t)) // int_ctxid is read once more
        assert_false(t.b.o->fence.interrupt_valid);
    for (unsigned n = 0; n < 4; n++) { // held until it is taken
        assert_true(t.b.o->fence.interrupt_valid);
        assert_int_equal(t.b.o->fence.interrupt_word, 0xabcdef01u | 2ull << 32);
        assert_false(t.b.o->epoch.flushed[2]);
        clock_edge(&t);
    }
    t.b.i.events_interrupt_ready = true;
    clocks(&t, 2);
    assert_true(t.b.o->epoch.flushed[2]);
}

TEST(queues_in_turn)
{
    entry_bench t;
    open_bench(&t);
    for (uint8_t q = 0; q < 4; q++) {
        granted(&t, q, 0, 1);
        message(&t, q, 0x1000 * (q + 1u), 1, 0, 5, 0);
    }
    t.b.s.fence.serve = 1;
    for (uint8_t q = 0; q < 4; q++) { // all due together
        t.b.s.flight.count[q * TOTEM_EPOCHS] = 0;
        t.b.s.flight.waves[q]                = 0;
    }
    static const unsigned order[] = {2, 3, 0, 1};
    for (unsigned n = 0; n < 4; n++) {
        writes_at(&t, 0x1000 * (order[n] + 1));
        clocks(&t, 2); // no answer, and the next one goes out all the same
    }
    fence_answer(&t, 1, 0, 0); // the last one is answered first
    clocks(&t, 2);
    assert_true(t.b.o->epoch.flushed[1]);
    assert_false(t.b.o->epoch.flushed[0] || t.b.o->epoch.flushed[2] || t.b.o->epoch.flushed[3]);
}

// A fence whose write is not answered delays none of another mapping of the slot; those that are due take turns.
TEST(mappings_in_turn)
{
    enum { MAPPINGS = TOTEM_EPOCHS - 1 };
    entry_bench t;
    open_bench(&t);
    for (uint8_t m = 0; m < MAPPINGS; m++) {
        load(&t, 1, true);
        granted(&t, 1, m, 1);
        message(&t, 1, 0x1000 * (m + 1u), 1, 0, 5, 0);
        load(&t, 1, false);
    }
    t.b.s.fence.latest[1] = 1;
    for (uint8_t m = 0; m < MAPPINGS; m++) { // all due together
        t.b.s.flight.count[TOTEM_EPOCHS + m] = 0;
        t.b.s.flight.waves[1]                = 0;
    }
    for (unsigned n = 0; n < MAPPINGS; n++) {
        const unsigned m = (n + 2) % MAPPINGS;
        writes_at(&t, 0x1000 * (m + 1));
        assert_int_equal(t.b.o->fence.write_word >> 48, m << 3 | 1);
        clocks(&t, 2); // no answer
    }
    fence_answer(&t, 1, 1, 0);
    clocks(&t, 3);
    assert_int_equal(t.b.o->epoch.closed[1], (1u << MAPPINGS) - 1 - 2);
}

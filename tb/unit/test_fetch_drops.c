// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: words that cannot be read, lines that are dropped (docs/contract/fetch.md).

#include "fetch_bench.h"

// A queue with 64 dwords; the burst for the first of them is asked for, and the one behind if there are two.
static void asked_for(lines *l, unsigned bursts)
{
    open_ring(l, 9, 0);
    LEVEL(&l->b, read_ready, true);
    selects(l, 1);
    send(l, 1, LOAD_WPTR, 64);
    for (unsigned n = 0; l->b.s.burst_count < bursts; n++, edge(l))
        assert_true(n < 10);
}

// The queue is delivered what came before the beat, then the error again and again, and nothing is fetched until
// RESUME.
TEST(failing_beat_meets_another_burst)
{
    static lines l;
    for (uint8_t error = 1; error <= 3; error++) {
        asked_for(&l, 2);
        edges(&l, 2);
        beat_of(&l, 0x000003e9000003e8, false, 0);
        beat_of(&l, 0x5555555555555555, true, error);
        assert_false(l.b.o.line_write_enable || l.b.s.burst_live[0]);
        edge(&l);
        beat_of(&l, 0x6666666666666666, true, 0); // thrown away
        assert_false(l.b.o.line_write_enable);
        assert_true(l.b.o.line[1]);
        takes(&l, 0, 2);
        for (unsigned n = 0; !l.b.o.dword_valid; n++, edge(&l))
            assert_true(n < 5);
        for (unsigned n = 0; n < 6; n++) {
            assert_true(l.b.o.dword_valid);
            assert_int_equal(l.b.o.dword_error, error);
            assert_int_equal(l.b.o.fault_position, RING + 8);
            assert_false(l.b.o.read_valid);
            l.b.i.packet_dword_ready = true;
            edge(&l);
        }
        l.b.i.packet_left = true;
        edge(&l);
        assert_true(l.b.o.line[1]);
        send(&l, 1, LOAD_RESUME, 0);
        assert_false(l.b.o.line[1]);
        edges(&l, 2);
        assert_true(l.b.o.read_valid);
        assert_int_equal(l.b.o.read_addr, RING);
    }
}

// The failing beat need not be the last; the other burst may be asked for in its clock.
TEST(failing_beat_amid_a_burst)
{
    static lines l;
    for (unsigned asked = 0; asked < 2; asked++) {
        asked_for(&l, 2 - asked);
        for (unsigned n = 0; asked && (l.b.o.read_valid || !l.b.s.pick_valid); n++, edge(&l))
            assert_true(n < 10);
        beat_of(&l, 0, false, 1);
        assert_int_equal(l.b.s.burst_count, 2);
        assert_false(l.b.s.burst_live[0] || l.b.s.burst_live[1]);
    }
}

TEST(drop_meets_a_beat)
{
    for (unsigned after = 0; after < 2; after++) { // the beat, its landing
        static lines l;
        open_ring(&l, 9, 0);
        LEVEL(&l.b, read_ready, true);
        send(&l, 1, LOAD_WPTR, 2);
        edges(&l, 3);
        if (after)
            beat_of(&l, 1, true, 0);
        l.b.i.data_valid = l.b.i.data_last = !after;
        send(&l, 1, LOAD_RESUME, 0);
        assert_false(l.b.o.line[1]);
        edges(&l, 2);
        assert_false(l.b.o.line[1]);
        assert_true(l.b.o.read_valid); // asked for again
    }
}

TEST(drop_meets_a_request)
{
    static lines l;
    open_ring(&l, 9, 0);
    send(&l, 1, LOAD_WPTR, 2);
    edge(&l);
    send(&l, 1, LOAD_RESUME, 0);
    assert_true(l.b.o.read_valid); // asked for all the same
    assert_int_equal(l.b.s.burst_count, 1);
    l.b.i.read_ready = true;
    edge(&l);
    beat_of(&l, 1, true, 0);
    assert_false(l.b.o.line_write_enable); // its response is thrown away
}

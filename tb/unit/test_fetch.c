// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: requests, lines, commits and indirect buffers, their latencies and meetings (docs/contract/fetch.md).

#include "fetch_bench.h"

// Near the end of 128 bytes the next burst is asked for behind the first, and the queue is ready with 8 dwords, not
// with 7 (from an odd place there are 7 at a time), or with all of them.
TEST(line_reaches_into_the_next)
{
    for (uint32_t written = 1; written <= 40; written++) {
        static lines   l;
        const uint32_t start = 28 + (written & 1), count = (written + 1) / 2;
        open_ring(&l, 9, start);
        LEVEL(&l.b, read_ready, true);
        send(&l, 1, LOAD_WPTR, start + count);
        unsigned beats[2] = {0}, asked = 0;
        for (unsigned n = 0; n < 10; n++) { // no beat has come yet
            if (l.b.o.read_valid && asked < 2)
                beats[asked++] = l.b.o.read_beats;
            edge(&l);
        }
        assert_int_equal(asked, start + count > 32 ? 2 : 1);
        for (unsigned have = 0, e = 0; e < asked; e++)
            for (unsigned k = 0; k < beats[e]; k++) {
                assert_int_equal(l.b.s.have[1], have);
                assert_int_equal(l.b.o.line[1], have >= 8 || have == count);
                beat_of(&l, 0, k + 1 == beats[e], 0);
                edges(&l, 2);
                have += (start + have) % 2 == 0 && have + 2 <= count ? 2 : 1;
            }
        assert_int_equal(l.b.s.have[1], count);
        assert_true(l.b.o.line[1]);
    }
}

// Of queues that do not run the one of the highest priority, then in turn.
TEST(order_of_requests)
{
    static lines   l;
    const unsigned order[] = {3, 2, 0, 1};
    open_bench(&l);
    for (unsigned q = 0; q < 4; q++)
        ring_of(&l, q, 9, 0);
    for (unsigned q = 0; q < 4; q++) // all at once
        l.b.s.wptr[q] = 2;
    show(&l.b);
    LEVEL(&l.b, arbiter_queue_priority[3], 9);
    l.b.s.last = 0;
    for (unsigned n = 0; n < 4; n++) {
        for (unsigned k = 0; !l.b.o.read_valid; k++, edge(&l))
            assert_true(k < 5);
        assert_int_equal(l.b.s.burst_queue[l.b.s.burst_count - 1], order[n]);
        if (n == 0)
            l.b.s.last = 1; // the turn of the others from there
        l.b.i.read_ready = true;
        edge(&l);
        beat_of(&l, 0, true, 0);
    }
}

// Its rest has 20 bits, as its size.
TEST(buffer_is_loaded)
{
    static lines l;
    open_ring(&l, 9 | 31u << 8, 0);
    selects(&l, 1);
    send(&l, 1, LOAD_BUFFER, 0x1234567894);
    send(&l, 1, LOAD_BUFFER_LEFT, 0xc0005);
    assert_true(l.b.o.in_buffer);
    assert_int_equal(l.b.o.position, 0x1234567894);
    assert_int_equal(l.b.o.available, 0xc0005);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_memory: time-outs, and what is reserved or shut after them (docs/contract/memory.md).

#include "memory_bench.h"

enum { PERIOD = 20 };

static void in_phase(bench *b, unsigned phase)
{
    open_bench(b);
    LEVEL(b, settings_timeout, PERIOD);
    ticks(b, phase);
}

// Given up after more than one and at most two periods; the ID is reserved until the late response has been dropped.
RULE(read_times_out)
{
    for (unsigned phase = 0; phase < PERIOD; phase++) {
        in_phase(b, phase);
        ask(b, 0, 0x1000, 2);
        ticks(b, 2); // sent
        const unsigned n = CLOCKS_UNTIL(b, b->o.data_valid, 3 * PERIOD);
        assert_in_range(n, PERIOD, 2 * PERIOD + 2);
        expect_data(b, 0, 0, true, MEMORY_TIME_OUT);
        assert_true(b->o.dead);
        tick(b);
        assert_true(b->o.idle); // reserved IDs count as drained
        ask(b, 0, 0x2000, 1);   // waits with the same patience
        const unsigned k = CLOCKS_UNTIL(b, b->o.data_valid, 3 * PERIOD);
        assert_in_range(k, PERIOD, 2 * PERIOD + 3);
        expect_data(b, 0, 0, true, MEMORY_TIME_OUT);
        assert_false(b->o.m_axi_arvalid); // without having been sent
        beat(b, 0, 7, false, 0);          // late
        assert_false(b->o.data_valid);
        assert_true(b->o.dead);
        beat(b, 0, 8, true, 0);
        assert_false(b->o.data_valid || b->o.dead);
        ask(b, 0, 0x3000, 1);
        ticks(b, 2);
        assert_true(b->o.m_axi_arvalid);
    }
}

// Clocks of a period; 0 if time does not run.
static unsigned period(bench *b)
{
    CLOCKS_UNTIL(b, b->s.period == 0, 20000);
    tick(b);
    return b->s.period == 0 ? 0 : 1 + CLOCKS_UNTIL(b, b->s.period == 0, 20000);
}

// While a reset of any pipe takes too long, and a time-out is set for it, periods are 4096 n - 1 clocks at most.
RULE(reset_hurries)
{
    static const struct {
        unsigned timeout, dequeue, slow, clocks;
    } t[] = {
        {9000, 0, 0, 9000},    {9000, 0, 1, 9000},    {9000, 1, 0, 9000}, {9000, 1, 1, 4095}, {9000, 4095, 1, 4095},
        {9000, 4096, 1, 8191}, {9000, 8192, 1, 9000}, {4095, 1, 1, 4095}, {4096, 1, 1, 4095}, {4094, 1, 1, 4094},
        {0, 4097, 1, 8191},    {0, 4097, 0, 0},       {0, 0, 1, 0},
    };
    for (unsigned p = 0; p < TOTEM_FE_PIPES; p++)
        for (unsigned n = 0; n < COUNT(t); n++) {
            open_bench(b);
            LEVEL(b, settings_timeout, t[n].timeout);
            LEVEL(b, settings_dequeue_timeout, t[n].dequeue);
            LEVEL(b, kill_overdue[p], t[n].slow);
            assert_int_equal(period(b), t[n].clocks);
        }
}

// A period that is shortened below what has passed of it ends at once.
RULE(period_is_shortened)
{
    LEVEL(b, settings_timeout, 9000);
    ticks(b, 100);
    LEVEL(b, settings_timeout, PERIOD);
    tick(b);
    assert_int_equal(b->s.period, 0);
}

RULE(write_times_out)
{
    for (unsigned phase = 0; phase < PERIOD; phase++) {
        in_phase(b, phase);
        write(b, 1, 0x1000, 0xff, 5, 1);
        tick(b); // sent
        const unsigned n = CLOCKS_UNTIL(b, b->o.ack_valid, 3 * PERIOD);
        assert_in_range(n, PERIOD, 2 * PERIOD + 2);
        expect_ack(b, 1, 5, MEMORY_TIME_OUT);
        assert_false(b->o.dead); // there are others
        // Another requester goes on.
        write(b, 0, 0x1000, 0xff, 6, 1);
        ticks(b, 2);
        response(b, 0, 0);
        expect_ack(b, 0, 6, 0);
        // So does this one, with a borrowed ID, and again with its own when the late response has come.
        assert_in_range(write(b, 1, 0x2008, 0xf0, 7, 1), 1, 4);
        CLOCKS_UNTIL(b, b->o.m_axi_awvalid, 3);
        assert_int_equal(b->o.m_axi_awid, FENCE_ID);
        tick(b);
        response(b, 1, 0);
        assert_false(b->o.ack_valid);
        response(b, FENCE_ID, 2);
        expect_ack(b, 1, 7, MEMORY_SLVERR);
        assert_int_equal(b->o.ack_addr, 0x200c);
        write(b, 1, 0x1000, 0xff, 8, 1);
        CLOCKS_UNTIL(b, b->o.m_axi_awvalid, 3);
        assert_int_equal(b->o.m_axi_awid, 1);
    }
}

// An exclusive access has the ID that poll and packet writes share, and says how it was answered. It borrows none.
RULE(exclusive_borrows_nothing)
{
    const unsigned exclusive = 1 << 6;
    LEVEL(b, settings_timeout, 50);
    LEVEL(b, poll_read_exclusive[0], true);
    ask(b, 1, 0x1008, 1);
    ticks(b, 2);
    assert_true(b->o.m_axi_arvalid && b->o.m_axi_arlock);
    assert_int_equal(b->o.m_axi_arid, 1);
    beat(b, 1, 7, true, 1);
    assert_true(b->o.data_valid && b->o.data_exokay);
    for (unsigned code = 0; code < 2; code++) {
        write(b, 1, 0x1008, 0xff, exclusive | 5, 8);
        CLOCKS_UNTIL(b, b->o.m_axi_awvalid, 3);
        assert_true(b->o.m_axi_awlock);
        assert_int_equal(b->o.m_axi_awid, 1);
        tick(b);
        response(b, 1, code);
        expect_ack(b, 1, 5, 0);
        assert_true(b->o.ack_exclusive);
        assert_int_equal(b->o.ack_exokay, code);
    }
    write(b, 1, 0x1008, 0xff, 5, 9); // is not answered
    CLOCKS_UNTIL(b, b->o.ack_valid, 150);
    expect_ack(b, 1, 5, MEMORY_TIME_OUT);
    assert_false(b->o.ack_exclusive);
    write(b, 1, 0x1008, 0xff, exclusive | 6, 9);
    assert_in_range(CLOCKS_UNTIL(b, b->o.ack_valid, 8), 0, 8);
    expect_ack(b, 1, 6, MEMORY_TIME_OUT);
    assert_true(b->o.ack_exclusive);
    assert_false(b->o.m_axi_awvalid);
}

// Borrowed IDs: one write of the stream at a time, also across the late response that gives its own ID back; reads of
// that page wait; when all IDs are reserved the path is dead, and the next write waits as long, then ends unsent.
RULE(streams_borrow)
{
    LEVEL(b, settings_timeout, 50);
    write(b, 1, 0x1000, 0xff, 60, 1);
    CLOCKS_UNTIL(b, b->o.ack_valid, 150);
    tick(b);
    for (unsigned k = 0; k < TOTEM_FENCES; k++) {
        write(b, 1, 0x3000 + 8 * k, 0xff, k, k);
        CLOCKS_UNTIL(b, b->o.m_axi_awvalid, 3);
        assert_int_equal(b->o.m_axi_awid, FENCE_ID + k);
        for (unsigned n = 0; n < 8; n++) { // the next one waits for it
            b->i.write_valid[1] = true;
            assert_false(b->o.write_ready[1]);
            tick(b);
        }
        CLOCKS_UNTIL(b, b->o.ack_valid, 150);
        expect_ack(b, 1, k, MEMORY_TIME_OUT);
        assert_int_equal(b->o.ack_addr, 0x3000 + 8 * k);
        assert_int_equal(b->o.dead, k + 1 == TOTEM_FENCES);
    }
    tick(b);
    unsigned n = 0;
    for (unsigned words = 0; !b->o.ack_valid; n++) {
        b->i.write_valid[1] = words < 2;
        words += b->o.write_ready[1];
        tick(b);
        assert_false(b->o.m_axi_awvalid);
        assert_true(n < 150);
    }
    assert_in_range(n, 50, 110);
    assert_int_equal(b->o.ack_error, MEMORY_TIME_OUT);
    response(b, FENCE_ID, 0); // one comes back
    assert_false(b->o.ack_valid || b->o.dead);
    write(b, 1, 0x7000, 0xff, 9, 1);
    CLOCKS_UNTIL(b, b->o.m_axi_awvalid, 3);
    assert_int_equal(b->o.m_axi_awid, FENCE_ID);
    tick(b);
    response(b, 1, 0); // its own, but the write behind must not overtake
    ask(b, 0, 0x7f80, 1);
    for (n = 0; n < 8; n++) {
        b->i.write_valid[1] = true;
        assert_false(b->o.write_ready[1] || b->o.m_axi_arvalid);
        tick(b);
    }
    response(b, FENCE_ID, 0);
    expect_ack(b, 1, 9, 0);
    CLOCKS_UNTIL(b, b->o.m_axi_arvalid, 3);
    write(b, 1, 0x7000, 0xff, 10, 1);
    CLOCKS_UNTIL(b, b->o.m_axi_awvalid, 3);
    assert_int_equal(b->o.m_axi_awid, 1);
}

// Memory stops in the middle of a burst: that one is given up, then one message of each requester after the other, as
// if it had no ID. When memory goes on, the burst ends as it was, and nothing of the others is sent.
RULE(stuck_burst)
{
    LEVEL(b, settings_timeout, 50);
    write_burst(b, 0, 0x1000, ~0u, 100);
    ticks(b, 6);
    LEVEL(b, m_axi_wready, false);
    const uint64_t shown = b->o.m_axi_wdata;
    CLOCKS_UNTIL(b, b->o.ack_valid, 110);
    expect_ack(b, 0, 0, MEMORY_TIME_OUT);
    tick(b);
    for (unsigned w = 0; w < WRITERS; w++) {
        const uint64_t words[18] = {0x2000ull | 0xffull << 40 | (uint64_t)w << 48 | (w % 2 ? 1ull << 55 : 0)};
        unsigned       taken = 0, clocks = 0;
        for (; !b->o.ack_valid; clocks++) {
            b->i.write_valid[w] = taken < (w % 2 ? 18 : 2);
            b->i.write_word[w]  = words[taken % 18];
            taken += b->o.write_ready[w];
            tick(b);
            assert_true(clocks < 150);
        }
        assert_in_range(clocks, 50, 130);
        expect_ack(b, w, w, MEMORY_TIME_OUT);
        tick(b);
    }
    LEVEL(b, m_axi_wready, true);
    for (uint64_t beat = shown; beat < 116; beat++) {
        assert_true(b->o.m_axi_wvalid);
        assert_int_equal(b->o.m_axi_wdata, beat);
        tick(b);
    }
    assert_false(b->o.m_axi_wvalid || b->o.m_axi_awvalid);
    response(b, 0, 0); // late
    assert_false(b->o.ack_valid);
    write(b, 0, 0x3000, 0xff, 5, 1);
    CLOCKS_UNTIL(b, b->o.m_axi_awvalid, 3);
    assert_int_equal(b->o.m_axi_awid, 0);
}

// Of every path that is shut one message goes out, when the one before it is through; it comes again when the path was
// open in between.
RULE(shut_paths_are_told)
{
    enum { PATHS = READERS + 1 };
    open_bench(b);
    for (unsigned round = 0; round < 2; round++) {
        ticks(b, 3);
        assert_false(b->o.error_valid || b->o.dead);
        for (unsigned n = 0; n < READERS; n++)
            b->s.reads_late[n] = 1;
        for (unsigned n = 0; n < TOTEM_FENCES; n++)
            b->s.fence_late[n] = true;
        show(b);
        assert_true(b->o.dead && !b->o.error_valid);
        for (unsigned path = 0; path < PATHS; path++) {
            tick(b);
            for (unsigned n = 0; n < 3; n++) {
                assert_true(b->o.error_valid);
                assert_int_equal(b->o.error_word, 0x6aull << 56);
                b->i.events_error_ready = n == 2;
                tick(b);
            }
            assert_true(b->o.error_valid);
            assert_int_equal(b->o.error_word, path);
            b->i.events_error_ready = true;
            tick(b);
        }
        ticks(b, 5);
        assert_false(b->o.error_valid); // each once
        for (unsigned n = 0; n < READERS; n++)
            beat(b, n, 0, true, 0);
        for (unsigned n = 0; n < TOTEM_FENCES; n++)
            response(b, FENCE_ID + n, 0);
    }
}

// A beat is progress, also in the clock in which the requester would be given up.
RULE(progress_renews_patience)
{
    LEVEL(b, settings_timeout, PERIOD);
    ask(b, 0, 0x1000, 16);
    ticks(b, 3);
    for (unsigned n = 0; n < 15; n++) {
        for (unsigned k = 0; k < PERIOD - 1; k++) {
            tick(b);
            assert_false(b->o.data_valid);
        }
        beat(b, 0, n, false, 0);
        expect_data(b, 0, n, false, 0);
    }
    beat(b, 0, 15, true, 0);
    expect_data(b, 0, 15, true, 0);
}

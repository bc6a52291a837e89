// SPDX-License-Identifier: Apache-2.0
//
// totem_memory: reads and writes of every requester, their latencies and meetings (docs/contract/memory.md).

#include "memory_bench.h"

// Request in t: arvalid in t+2. Beat in t: data_valid in t+1.
RULE(read_of_every_requester)
{
    for (unsigned r = 0; r < READERS; r++) {
        open_bench(b);
        assert_true(b->o.idle);
        ask(b, r, 0x123456780, 3);
        tick(b);
        assert_false(b->o.m_axi_arvalid || b->o.idle || b->o.read_ready[r]);
        tick(b);
        assert_true(b->o.m_axi_arvalid);
        assert_int_equal(b->o.m_axi_arid, r);
        assert_int_equal(b->o.m_axi_araddr, 0x123456780);
        assert_int_equal(b->o.m_axi_arlen, 2);
        assert_int_equal(b->o.m_axi_arsize, 3);
        assert_int_equal(b->o.m_axi_arburst, 1);
        tick(b);
        assert_false(b->o.m_axi_arvalid);
        for (unsigned n = 0; n < 3; n++) {
            beat(b, r, 70 + n, n == 2, 0);
            expect_data(b, r, 70 + n, n == 2, 0);
        }
        tick(b);
        assert_true(b->o.idle);
        assert_false(b->o.data_valid);
    }
}

// Offer in t, words taken in t+1 and t+2, awvalid and wvalid in t+4. Response in t: ack in t+1.
RULE(write_of_every_requester)
{
    for (unsigned w = 0; w < WRITERS; w++) {
        open_bench(b);
        assert_int_equal(write(b, w, 0x1234567898, 0xf0, 0x2a, 0xfeedface), 3);
        assert_false(b->o.m_axi_awvalid || b->o.m_axi_wvalid);
        tick(b);
        assert_true(b->o.m_axi_awvalid && b->o.m_axi_wvalid && b->o.m_axi_wlast);
        assert_int_equal(b->o.m_axi_awid, w < STREAMS ? w : FENCE_ID);
        assert_int_equal(b->o.m_axi_awaddr, 0x1234567898);
        assert_int_equal(b->o.m_axi_awlen, 0);
        assert_int_equal(b->o.m_axi_wdata, 0xfeedface);
        assert_int_equal(b->o.m_axi_wstrb, 0xf0);
        tick(b);
        assert_false(b->o.m_axi_awvalid || b->o.m_axi_wvalid || b->o.idle);
        response(b, w < STREAMS ? w : FENCE_ID, 0);
        expect_ack(b, w, 0x2a, 0);
        assert_int_equal(b->o.ack_addr, 0x123456789c); // where the strobe begins
        tick(b);
        assert_true(b->o.idle);
    }
}

// A burst is taken whole, then leaves without a pause, as fast as memory takes it; each beat has its strobes. Others
// wait so long, also behind a bus that does not take it.
RULE(burst_of_every_stream)
{
    static const uint32_t dwords = 0x8123fedc;
    for (unsigned w = 0; w < STREAMS; w++)
        for (unsigned slow = 1; slow < 4; slow++) {
            open_bench(b);
            write_burst(b, w, 0x1234567880, dwords, 100);
            assert_false(b->o.m_axi_awvalid);
            tick(b);
            assert_true(b->o.m_axi_awvalid);
            assert_int_equal(b->o.m_axi_awaddr, 0x1234567880);
            assert_int_equal(b->o.m_axi_awlen, 15);
            for (unsigned n = 0; n < 16; n++) {
                const unsigned two = dwords >> 2 * n & 3;
                assert_true(b->o.m_axi_wvalid);
                assert_int_equal(b->o.m_axi_wdata, 100 + n);
                assert_int_equal(b->o.m_axi_wstrb, (two & 1 ? 0x0f : 0) | (two & 2 ? 0xf0 : 0));
                assert_int_equal(b->o.m_axi_wlast, n == 15);
                for (unsigned k = 1; k < slow; k++) {
                    b->i.m_axi_wready                   = false;
                    b->i.write_valid[(w + 1) % WRITERS] = n < 15;
                    tick(b);
                    assert_false(b->o.write_ready[(w + 1) % WRITERS]);
                }
                tick(b);
            }
            assert_false(b->o.m_axi_wvalid || b->o.m_axi_awvalid || b->o.idle);
            ask(b, 0, 0x1234567ff8, 1); // of the same 4 KiB
            ticks(b, 4);
            assert_false(b->o.m_axi_arvalid);
            response(b, w, 2);
            expect_ack(b, w, 0, MEMORY_SLVERR);
            assert_int_equal(b->o.ack_addr, 0x1234567880);
            CLOCKS_UNTIL(b, b->o.m_axi_arvalid, 2);
            write_burst(b, w, 0x1000, ~0u, 7); // the next one has nothing of it
            for (unsigned n = 0; n < 16; n++) {
                tick(b);
                assert_int_equal(b->o.m_axi_wdata, 7 + n);
            }
        }
}

// The address of a write is that of its first dword, also of a part of it.
RULE(address_of_a_part)
{
    for (unsigned byte = 0; byte < 8; byte++) {
        open_bench(b);
        write(b, 0, 0x2000, 1u << byte, 0, 0);
        ticks(b, 2);
        response(b, 0, 0);
        assert_int_equal(b->o.ack_addr, 0x2000 + (byte & 4));
    }
}

RULE(bursts_of_the_wrong_length)
{
    ask(b, 0, 0x1000, 3);
    ticks(b, 3);
    beat(b, 0, 1, false, 0);
    beat(b, 0, 2, true, 0); // too short
    expect_data(b, 0, 2, true, MEMORY_SLVERR);
    ask(b, 0, 0x1000, 1);
    ticks(b, 3);
    beat(b, 0, 3, false, 0); // too long: the rest is dropped
    expect_data(b, 0, 3, true, MEMORY_SLVERR);
    assert_true(b->o.dead);
    beat(b, 0, 4, true, 0);
    assert_false(b->o.data_valid || b->o.dead);
    beat(b, 0, 5, true, 0); // answers nothing
    assert_false(b->o.data_valid);
    response(b, 0, 0);
    assert_false(b->o.ack_valid);
    beat(b, (1 << TOTEM_READER_BITS) - 1, 5, true, 0); // nobody's
    assert_false(b->o.data_valid);
    assert_true(b->o.idle);
}

RULE(two_outstanding_in_order)
{
    unsigned sent = 0;
    open_bench(b);
    for (unsigned n = 0; n < 3; n++) {
        ask(b, 0, 0x1000 + 64 * n, (uint8_t)(n + 1));
        for (unsigned k = 0; k < 4; k++) {
            tick(b);
            sent += b->o.m_axi_arvalid;
        }
    }
    assert_int_equal(sent, 2); // the third waits
    beat(b, 0, 1, true, 0);
    expect_data(b, 0, 1, true, 0);
    CLOCKS_UNTIL(b, b->o.m_axi_arvalid, 2);
    beat(b, 0, 2, false, 0);
    expect_data(b, 0, 2, false, 0);
    beat(b, 0, 3, true, 0);
    expect_data(b, 0, 3, true, 0);
}

// The turn moves on also past a read that has to wait for a write: whoever else asks is sent, also again and again.
RULE(turn_passes_a_blocked_read)
{
    for (unsigned blocked = 0; blocked < READERS; blocked++)
        for (unsigned other = 0; other < READERS; other++) {
            if (other == blocked)
                continue;
            open_bench(b);
            write(b, 0, 0x5008, 0xff, 1, 5);
            ticks(b, 2);
            ask(b, blocked, 0x5ff8, 1);
            ticks(b, READERS); // it is looked at, and asked again in every second clock
            for (unsigned n = 0; n < 3; n++) {
                ask(b, other, 0x6000, 1);
                CLOCKS_UNTIL(b, b->o.m_axi_arvalid, 4);
                assert_int_equal(b->o.m_axi_arid, other);
                tick(b);
                beat(b, other, n, true, 0);
                expect_data(b, other, n, true, 0);
            }
            response(b, 0, 0);
            CLOCKS_UNTIL(b, b->o.m_axi_arvalid, 2);
            assert_int_equal(b->o.m_axi_arid, blocked);
        }
}

// A packet write is taken only with room in fence, and not in the first clock of the write; the other pipe's flags do
// not matter.
RULE(packet_waits_for_room)
{
    for (unsigned p = 0; p < TOTEM_FE_PIPES; p++) {
        const unsigned w = 2 * p + 1;
        open_bench(b);
        for (unsigned other = 0; other < TOTEM_FE_PIPES; other++) {
            LEVEL(b, fence_write_room[other], other != p);
            LEVEL(b, packet_fence_write[other], other != p);
        }
        LEVEL(b, write_valid[w], true);
        ticks(b, 5);
        assert_true(b->o.idle);
        LEVEL(b, fence_write_room[p], true);
        b->i.packet_fence_write[p] = true;
        tick(b);
        assert_true(b->o.idle);
        tick(b);
        assert_true(b->o.write_ready[w]);
        LEVEL(b, fence_write_room[p], false); // each word needs it
        ticks(b, 3);
        assert_true(b->o.write_ready[w]);
        LEVEL(b, fence_write_room[p], true);
        ticks(b, 3);
        assert_true(b->o.m_axi_awvalid);
    }
}

// record has the stream of mqd, alone or before it.
RULE(record_goes_first)
{
    for (unsigned p = 0; p < TOTEM_FE_PIPES; p++)
        for (unsigned both = 0; both < 2; both++) {
            const unsigned w = 2 * TOTEM_FE_PIPES + p;
            open_bench(b);
            LEVEL(b, write_valid[w], both);
            LEVEL(b, write_word[w], 0x2000 | 0xffull << 40 | 2ull << 48);
            LEVEL(b, record_write_valid[p], true);
            LEVEL(b, record_write_word[p], 0x1000 | 0xffull << 40 | 1ull << 48);
            CLOCKS_UNTIL(b, b->o.write_ready[w], 2);
            tick(b);
            LEVEL(b, record_write_word[p], 77);
            tick(b);
            LEVEL(b, record_write_valid[p], false);
            tick(b);
            assert_true(b->o.m_axi_awvalid);
            assert_int_equal(b->o.m_axi_awid, w);
            assert_int_equal(b->o.m_axi_awaddr, 0x1000);
            assert_int_equal(b->o.m_axi_wdata, 77);
            response(b, w, 0);
            expect_ack(b, w, 1, 0);
            if (!both)
                continue;
            CLOCKS_UNTIL(b, b->o.m_axi_awvalid, 4);
            assert_int_equal(b->o.m_axi_awaddr, 0x2000);
        }
}

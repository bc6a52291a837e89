// SPDX-License-Identifier: Apache-2.0
//
// totem_store (docs/contract/store.md): a master's bursts, exclusive accesses, and addresses beyond the memory.

#include "tests.h"

#include "totem_store.h"

enum { WORDS = TOTEM_STORE_BYTES / 8, OKAY = 0, EXOKAY = 1, DECERR = 3, MOST = 100 };

typedef struct {
    totem_store     s;
    totem_store_in  i;
    totem_store_out o;
    uint8_t         lane[8][WORDS];
    uint64_t        data[256]; // of the last read
    unsigned        beats;
} bench;

static void tick(bench *b)
{
    uint8_t seen[8];
    for (unsigned l = 0; l < 8; l++) {
        seen[l] = b->o.ram_read_enable[l] ? b->lane[l][b->o.ram_read_addr[l]] : b->i.ram_read_data[l];
        if (b->o.ram_write_enable[l])
            b->lane[l][b->o.ram_write_addr[l]] = b->o.ram_write_data[l];
    }
    totem_store_step(&b->s, &b->i);
    memcpy(b->i.ram_read_data, seen, sizeof seen);
    totem_store_outputs(&b->s, &b->o);
}

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    totem_store_reset(&b->s);
    totem_store_outputs(&b->s, &b->o);
    b->i.m_axi_rready = b->i.m_axi_bready = true;
}

// A write of one beat; returns the response.
static unsigned put(bench *b, uint64_t address, uint64_t data, bool lock, uint8_t id)
{
    b->i.m_axi_awaddr  = address;
    b->i.m_axi_awid    = id;
    b->i.m_axi_awlock  = lock;
    b->i.m_axi_awvalid = true;
    if (!b->o.m_axi_awready)
        tick(b); // it is the core's turn
    tick(b);
    b->i.m_axi_awvalid = false;
    b->i.m_axi_wdata   = data;
    b->i.m_axi_wstrb   = 0xff;
    b->i.m_axi_wlast = b->i.m_axi_wvalid = true;
    for (unsigned n = 0; n < MOST && !b->o.m_axi_bvalid; n++) {
        const bool taken = b->o.m_axi_wready;
        tick(b);
        b->i.m_axi_wvalid = b->i.m_axi_wvalid && !taken;
    }
    assert_true(b->o.m_axi_bvalid);
    assert_int_equal(b->o.m_axi_bid, id);
    const unsigned response = b->o.m_axi_bresp;
    tick(b);
    return response;
}

// A read; returns the response, equal in all beats. The master takes every `slow`th clock.
static unsigned get(bench *b, uint64_t address, unsigned beats, bool lock, uint8_t id, unsigned slow)
{
    unsigned response  = 0;
    b->beats           = 0;
    b->i.m_axi_araddr  = address;
    b->i.m_axi_arid    = id;
    b->i.m_axi_arlen   = (uint8_t)(beats - 1);
    b->i.m_axi_arlock  = lock;
    b->i.m_axi_arvalid = true;
    tick(b);
    b->i.m_axi_arvalid = false;
    for (unsigned n = 0, last = 0; !last; n++) {
        assert_true(n < MOST * slow);
        b->i.m_axi_rready = n % slow == 0;
        if (b->o.m_axi_rvalid && b->i.m_axi_rready) {
            assert_int_equal(b->o.m_axi_rid, id);
            assert_true(b->beats == 0 || response == b->o.m_axi_rresp);
            response            = b->o.m_axi_rresp;
            b->data[b->beats++] = b->o.m_axi_rdata;
            last                = b->o.m_axi_rlast;
        }
        tick(b);
    }
    assert_int_equal(b->beats, beats);
    return response;
}

RULE_OF(bench, open_bench, b, bursts_give_what_was_written)
{
    for (uint64_t n = 0; n < 16; n++)
        assert_int_equal(put(b, 8 * n + TOTEM_STORE_BYTES - 128, n * 0x0101010101010101, false, 1), OKAY);
    for (unsigned slow = 1; slow < 5; slow++) {
        assert_int_equal(get(b, TOTEM_STORE_BYTES - 128, 16, false, 1, slow), OKAY);
        for (uint64_t n = 0; n < 16; n++)
            assert_int_equal(b->data[n], n * 0x0101010101010101);
    }
}

// A burst of writes, as of a save: each beat has its strobes; it has one response.
RULE_OF(bench, open_bench, b, burst_of_writes)
{
    b->i.m_axi_awaddr  = 128;
    b->i.m_axi_awvalid = true;
    tick(b);
    b->i.m_axi_awvalid = false;
    for (unsigned n = 0; n < 16; n++) {
        assert_true(b->o.m_axi_wready && !b->o.m_axi_bvalid);
        b->i.m_axi_wvalid = true;
        b->i.m_axi_wlast  = n == 15;
        b->i.m_axi_wstrb  = n % 4 == 3 ? 0xf0 : n % 4 == 2 ? 0 : 0xff;
        b->i.m_axi_wdata  = ~0ull;
        tick(b);
    }
    b->i.m_axi_wvalid = false;
    assert_true(b->o.m_axi_bvalid);
    assert_int_equal(b->o.m_axi_bresp, OKAY);
    tick(b);
    assert_false(b->o.m_axi_bvalid);
    assert_int_equal(get(b, 120, 18, false, 1, 1), OKAY);
    for (unsigned n = 0; n < 18; n++)
        assert_int_equal(b->data[n], n == 0 || n == 17 || n % 4 == 3 ? 0 : n % 4 == 0 ? ~0ull << 32 : ~0ull);
}

RULE_OF(bench, open_bench, b, nothing_lies_beyond)
{
    static const uint64_t beyond[] = {TOTEM_STORE_BYTES, 1ull << 39, 0xfffffffff8};
    for (unsigned n = 0; n < COUNT(beyond); n++) {
        assert_int_equal(put(b, beyond[n], ~0ull, false, 1), DECERR);
        assert_int_equal(get(b, beyond[n], 4, false, 1, 1), DECERR);
    }
    for (unsigned l = 0; l < 8; l++)
        for (unsigned n = 0; n < WORDS; n++)
            assert_int_equal(b->lane[l][n], 0);
    assert_int_equal(get(b, TOTEM_STORE_BYTES - 8, 1, false, 1, 1), OKAY);
}

// An exclusive write needs the exclusive read of its ID and word, with no write to the word in between; else it is
// answered OKAY and writes nothing.
RULE_OF(bench, open_bench, b, exclusive_accesses)
{
    assert_int_equal(put(b, 64, 1, true, 1), OKAY);
    assert_int_equal(get(b, 64, 1, true, 1, 1), EXOKAY);
    assert_int_equal(b->data[0], 0);
    assert_int_equal(put(b, 64, 2, true, 1), EXOKAY);
    assert_int_equal(put(b, 64, 3, true, 1), OKAY); // used up
    get(b, 64, 1, true, 1, 1);
    put(b, 64, 4, false, 2);
    assert_int_equal(put(b, 64, 5, true, 1), OKAY); // written in between
    get(b, 64, 1, true, 1, 1);
    assert_int_equal(put(b, 72, 6, true, 1), OKAY); // another word
    assert_int_equal(put(b, 64, 7, true, 2), OKAY); // another ID
    assert_int_equal(get(b, 64, 2, false, 1, 1), OKAY);
    assert_int_equal(b->data[0], 4);
    assert_int_equal(b->data[1], 0);
}

// Machine and core ask all the time: bursts take turns, each master gets its own words, and loses none.
RULE_OF(bench, open_bench, b, masters_take_turns)
{
    for (uint64_t n = 0; n < 32; n++)
        put(b, 8 * n, n, false, 1);
    unsigned machine = 0, core = 0, begun[2] = {0}, done[2] = {0};
    b->i.m_axi_arlen   = 1;
    b->i.m_axi_araddr  = 8;
    b->i.core_arlen    = 3;
    b->i.core_araddr   = 128;
    b->i.m_axi_awaddr  = 256;
    b->i.core_awaddr   = 264;
    b->i.m_axi_wdata   = 0x1111;
    b->i.core_wdata    = 0x2222;
    b->i.m_axi_arvalid = b->i.core_arvalid = b->i.m_axi_awvalid = b->i.core_awvalid = true;
    b->i.m_axi_wvalid = b->i.core_wvalid = b->i.m_axi_wlast = b->i.core_wlast = true;
    b->i.m_axi_wstrb = b->i.core_wstrb = 0xff;
    for (unsigned n = 0; n < MOST; n++) {
        b->i.m_axi_rready = n % 3 > 0;
        b->i.core_rready  = n % 5 > 0;
        b->i.m_axi_bready = b->i.core_bready = n % 2;
        begun[0] += b->o.m_axi_arready;
        begun[1] += b->o.core_arready;
        assert_true(begun[0] - begun[1] < 2); // the machine is the first
        if (b->o.m_axi_rvalid && b->i.m_axi_rready)
            assert_int_equal(b->o.m_axi_rdata, 1 + machine++ % 2);
        if (b->o.core_rvalid && b->i.core_rready)
            assert_int_equal(b->o.core_rdata, 16 + core++ % 4);
        done[0] += b->o.m_axi_bvalid && b->i.m_axi_bready;
        done[1] += b->o.core_bvalid && b->i.core_bready;
        assert_true(done[0] - done[1] < 2);
        tick(b);
    }
    assert_true(machine >= 10 && core >= 20 && done[1] >= 10);
    assert_int_equal(b->lane[0][32], 0x11);
    assert_int_equal(b->lane[0][33], 0x22);
}

// A write of the core ends the machine's reservation; its lock pin means nothing to the core.
RULE_OF(bench, open_bench, b, core_and_exclusive_accesses)
{
    get(b, 64, 1, true, 1, 1);
    b->i.core_awaddr  = 64;
    b->i.core_wdata   = 9;
    b->i.core_wstrb   = 0xff;
    b->i.core_awvalid = b->i.core_wvalid = b->i.core_wlast = b->i.core_bready = b->i.m_axi_awlock = true;
    for (unsigned n = 0; n < 4 && !b->o.core_bvalid; n++)
        tick(b);
    assert_true(b->o.core_bvalid && !b->o.m_axi_bvalid);
    assert_int_equal(b->o.core_bresp, OKAY);
    b->i.core_awvalid = b->i.core_wvalid = false;
    tick(b);
    assert_int_equal(put(b, 64, 5, true, 1), OKAY);
    assert_int_equal(b->lane[0][8], 9);
}

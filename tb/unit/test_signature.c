// SPDX-License-Identifier: Apache-2.0
//
// totem_signature against a computation of its own, bit by bit from the table of words in docs/contract/signature.md.
// Every pin is random in every clock.
//
// Configuration: full, because the words of more than one front end are turned beyond their end.

#include "totem_signature.h"

#include "totem_bridge_values.h"

#include "block_bench.h"

BENCH(signature)

enum { MOST = 1024, POINTS = TOTEM_SIGNATURE_POINTS, PAGE = BRIDGE_PAGE_POINTS << 16 };

typedef struct {
    bench    b;
    uint64_t points[POINTS];     // the RAM
    uint64_t expected[MOST + 1]; // signature of so many clocks of the run
    unsigned clocks;             // of the run
    unsigned clock;              // number of this one
    unsigned stride, written;
    unsigned lives, shifts;        // clocks with fold_live, with fold_shift
    bool     start, running, mute; // this clock; no valid is 1 in it
    bool     zero;                 // what does not count is 0
    uint64_t seed;
} world;

static void open_world(world *t)
{
    memset(t, 0, sizeof *t);
    t->seed = 0x9e3779b97f4a7c15;
    fresh(&t->b);
}

static uint64_t any(world *t, unsigned bits)
{
    t->seed ^= t->seed << 13;
    t->seed ^= t->seed >> 7;
    t->seed ^= t->seed << 17;
    return t->seed >> (64 - bits);
}

static bool valid(world *t)
{
    return any(t, 1) && !t->mute;
}

static uint64_t payload(world *t, unsigned bits, bool counts)
{
    const uint64_t value = any(t, bits);
    return t->zero && !counts ? 0 : value;
}

static void draw_pins(world *t, totem_signature_in *i)
{
    i->s_axil_awready = any(t, 1);
    i->s_axil_wready  = any(t, 1);
    i->s_axil_arready = any(t, 1);
    i->irq            = any(t, 1);
    i->s_axil_bvalid  = valid(t);
    i->s_axil_bresp   = (uint8_t)payload(t, 2, i->s_axil_bvalid);
    i->s_axil_rvalid  = valid(t);
    i->s_axil_rresp   = (uint8_t)payload(t, 2, i->s_axil_rvalid);
    i->s_axil_rdata   = (uint32_t)payload(t, 32, i->s_axil_rvalid);
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        i->m_axi_bready[f]  = any(t, 1);
        i->m_axi_rready[f]  = any(t, 1);
        i->m_axi_wvalid[f]  = valid(t);
        i->m_axi_wdata[f]   = payload(t, 64, i->m_axi_wvalid[f]);
        i->m_axi_wstrb[f]   = (uint8_t)payload(t, 8, i->m_axi_wvalid[f]);
        i->m_axi_wlast[f]   = payload(t, 1, i->m_axi_wvalid[f]);
        i->m_axi_awvalid[f] = valid(t);
        i->m_axi_awid[f]    = (uint8_t)payload(t, 3, i->m_axi_awvalid[f]);
        i->m_axi_awaddr[f]  = payload(t, 40, i->m_axi_awvalid[f]);
        i->m_axi_awlen[f]   = (uint8_t)payload(t, 8, i->m_axi_awvalid[f]);
        i->m_axi_awsize[f]  = (uint8_t)payload(t, 3, i->m_axi_awvalid[f]);
        i->m_axi_awburst[f] = (uint8_t)payload(t, 2, i->m_axi_awvalid[f]);
        i->m_axi_awlock[f]  = payload(t, 1, i->m_axi_awvalid[f]);
        i->m_axi_arvalid[f] = valid(t);
        i->m_axi_arid[f]    = (uint8_t)payload(t, 2, i->m_axi_arvalid[f]);
        i->m_axi_araddr[f]  = payload(t, 40, i->m_axi_arvalid[f]);
        i->m_axi_arlen[f]   = (uint8_t)payload(t, 8, i->m_axi_arvalid[f]);
        i->m_axi_arsize[f]  = (uint8_t)payload(t, 3, i->m_axi_arvalid[f]);
        i->m_axi_arburst[f] = (uint8_t)payload(t, 2, i->m_axi_arvalid[f]);
        i->m_axi_arlock[f]  = payload(t, 1, i->m_axi_arvalid[f]);
    }
}

// Bits `low` and up of word n, of a pin that counts, into the fold.
static void pin(uint64_t *fold, unsigned n, unsigned low, unsigned bits, uint64_t value, bool counts)
{
    for (unsigned k = 0; k < bits && counts; k++)
        *fold ^= (value >> k & 1) << (low + k + 13 * n) % 64;
}

static uint64_t fold_of(const totem_signature_in *i)
{
    uint64_t fold = 0;
    pin(&fold, 0, 0, 32, i->s_axil_rdata, i->s_axil_rvalid);
    pin(&fold, 0, 32, 2, i->s_axil_rresp, i->s_axil_rvalid);
    pin(&fold, 0, 34, 1, i->s_axil_rvalid, true);
    pin(&fold, 0, 35, 2, i->s_axil_bresp, i->s_axil_bvalid);
    pin(&fold, 0, 37, 1, i->s_axil_bvalid, true);
    pin(&fold, 0, 38, 1, i->s_axil_awready, true);
    pin(&fold, 0, 39, 1, i->s_axil_wready, true);
    pin(&fold, 0, 40, 1, i->s_axil_arready, true);
    pin(&fold, 0, 41, 1, i->irq, true);
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        const bool w = i->m_axi_wvalid[f], aw = i->m_axi_awvalid[f], ar = i->m_axi_arvalid[f];
        pin(&fold, 4 * f + 1, 0, 64, i->m_axi_wdata[f], w);
        pin(&fold, 4 * f + 2, 0, 40, i->m_axi_awaddr[f], aw);
        pin(&fold, 4 * f + 2, 40, 8, i->m_axi_awlen[f], aw);
        pin(&fold, 4 * f + 2, 48, 3, i->m_axi_awsize[f], aw);
        pin(&fold, 4 * f + 2, 51, 2, i->m_axi_awburst[f], aw);
        pin(&fold, 4 * f + 2, 53, 1, i->m_axi_awlock[f], aw);
        pin(&fold, 4 * f + 2, 54, 1, aw, true);
        pin(&fold, 4 * f + 2, 56, 8, i->m_axi_awid[f], aw);
        pin(&fold, 4 * f + 3, 0, 40, i->m_axi_araddr[f], ar);
        pin(&fold, 4 * f + 3, 40, 8, i->m_axi_arlen[f], ar);
        pin(&fold, 4 * f + 3, 48, 3, i->m_axi_arsize[f], ar);
        pin(&fold, 4 * f + 3, 51, 2, i->m_axi_arburst[f], ar);
        pin(&fold, 4 * f + 3, 53, 1, i->m_axi_arlock[f], ar);
        pin(&fold, 4 * f + 3, 54, 1, ar, true);
        pin(&fold, 4 * f + 3, 56, 8, i->m_axi_arid[f], ar);
        pin(&fold, 4 * f + 4, 0, 8, i->m_axi_wstrb[f], w);
        pin(&fold, 4 * f + 4, 8, 1, i->m_axi_wlast[f], w);
        pin(&fold, 4 * f + 4, 9, 1, w, true);
        pin(&fold, 4 * f + 4, 10, 1, i->m_axi_bready[f], true);
        pin(&fold, 4 * f + 4, 11, 1, i->m_axi_rready[f], true);
    }
    return fold;
}

// A clock, of a run or not. A checkpoint is written three clocks behind the last that it covers.
static void clock_of(world *t)
{
    const totem_signature_out *o = &t->b.o;
    draw_pins(t, &t->b.i);
    t->b.i.boot_start   = t->start;
    t->b.i.boot_running = t->running;
    assert_false(o->point_write_enable && o->point_read_enable);
    assert_false(o->fold_live && o->fold_shift);
    t->lives += o->fold_live;
    t->shifts += o->fold_shift;
    if (o->point_write_enable) {
        assert_int_equal(o->point_write_addr, t->written++);
        assert_int_equal(t->clock, (t->written << t->stride) + 2);
        assert_true(o->point_write_data == t->expected[t->written << t->stride]);
    }
    if (t->running) {
        const uint64_t s = t->expected[t->clocks++], rule = 0x420b0ebe378c74dc, fold = fold_of(&t->b.i);
        uint64_t       next = 0;
        for (unsigned k = 0; k < 64; k++) {
            const uint64_t below = k == 0 ? 0 : s >> (k - 1), above = k == 63 ? 0 : s >> (k + 1);
            next |= ((below ^ above ^ (s & rule) >> k ^ fold >> k) & 1) << k;
        }
        t->expected[t->clocks] = next;
    }
    t->clock++;
    if (t->start) {
        t->expected[0] = 1;
        t->clocks = t->clock = t->written = 0;
    }
    TICK_WITH_RAM(t, t->points, point);
}

static void clocks_of(world *t, unsigned clocks)
{
    while (clocks--)
        clock_of(t);
}

static unsigned access(world *t, bool write, uint32_t address, uint32_t data)
{
    LEVEL(&t->b, bridge_points_valid, true);
    LEVEL(&t->b, bridge_request_write, write);
    LEVEL(&t->b, bridge_request_address, BRIDGE_REGISTERS << 20 | address);
    LEVEL(&t->b, bridge_request_data, data);
    for (unsigned n = 0; n < 6 && !t->b.o.done; n++)
        clock_of(t);
    assert_true(t->b.o.done);
    LEVEL(&t->b, bridge_points_valid, false);
    const unsigned status         = t->b.o.status;
    t->b.hold.bridge_request_data = t->b.o.rdata; // what was read, until the next access
    clock_of(t);
    return status;
}

static uint32_t get(world *t, uint32_t address)
{
    assert_int_equal(access(t, false, address, 0), BRIDGE_OK);
    return t->b.hold.bridge_request_data;
}

static uint64_t both(world *t, uint32_t address)
{
    return get(t, address) | (uint64_t)get(t, address + 4) << 32;
}

static void begin(world *t, unsigned stride)
{
    assert_int_equal(access(t, true, BRIDGE_STRIDE, stride), BRIDGE_OK);
    assert_int_equal(get(t, BRIDGE_STRIDE), stride);
    t->stride = stride;
    t->start  = true;
    clock_of(t);
    t->start   = false;
    t->running = true;
}

static void run(world *t, unsigned stride, unsigned clocks)
{
    begin(t, stride);
    clocks_of(t, clocks);
    t->running = false;
    clocks_of(t, 3);
}

#define RULE(name) RULE_OF(world, open_world, t, name)

// The clocks of the run and no others, whatever the pins do before and behind it; the same at once and later.
RULE(covers_the_clocks_of_the_run)
{
    for (unsigned clocks = 1; clocks < 40; clocks += clocks < 4 ? 1 : 7) {
        run(t, 20, clocks);
        assert_int_equal(t->clocks, clocks);
        assert_true(both(t, BRIDGE_SIGNATURE_LOW) == t->expected[clocks]);
        clocks_of(t, 20);
        assert_true(both(t, BRIDGE_SIGNATURE_LOW) == t->expected[clocks]);
        assert_int_equal(get(t, BRIDGE_POINTS), 0);
    }
}

// A run that begins in the clock behind another: nothing of that is left.
RULE(a_second_start)
{
    run(t, 1, 50);
    begin(t, 0);
    clocks_of(t, 30);
    t->running = false;
    t->start   = true;
    clock_of(t);
    t->start   = false;
    t->running = true;
    clocks_of(t, 7);
    t->running = false;
    clocks_of(t, 5);
    assert_int_equal(get(t, BRIDGE_POINTS), 7);
    assert_true(both(t, BRIDGE_SIGNATURE_LOW) == t->expected[7]);
    assert_true(both(t, PAGE + 8 * 6) == t->expected[7]);
}

// One behind every 2^k clocks, and when all are used the first stay and the signature goes on.
RULE(checkpoints)
{
    for (unsigned stride = 0; stride < 7; stride++) {
        run(t, stride, 200);
        clock_of(t);
        assert_int_equal(get(t, BRIDGE_POINTS), 200u >> stride);
        for (unsigned n = 0; n < 200u >> stride; n++)
            assert_true(both(t, PAGE + 8 * n) == t->expected[(n + 1) << stride]);
    }
    run(t, 0, POINTS + 100);
    assert_int_equal(get(t, BRIDGE_POINTS), POINTS);
    assert_true(both(t, BRIDGE_SIGNATURE_LOW) == t->expected[POINTS + 100]);
    for (unsigned n = 0; n < POINTS; n++)
        assert_true(both(t, PAGE + 8 * n) == t->expected[n + 1]);
}

// In a run the read waits for a write, and gives what was written before.
RULE(a_checkpoint_is_read_while_others_are_written)
{
    begin(t, 1);
    for (unsigned n = 0; n < 30; n++) {
        clocks_of(t, 7 + n % 3);
        const unsigned last = t->written - 1;
        assert_true(both(t, PAGE + 8 * last) == t->expected[(last + 1) << 1]);
    }
}

// With no valid the payloads do not count, but valids, readys and irq do.
RULE(payloads_are_left_out)
{
    uint64_t signatures[2];
    t->mute = true;
    for (unsigned n = 0; n < 2; n++) {
        t->seed = 77;
        t->zero = n;
        run(t, 20, 40);
        signatures[n] = both(t, BRIDGE_SIGNATURE_LOW);
    }
    assert_true(signatures[0] == signatures[1] && signatures[0] == t->expected[40]);
}

// The folds take every clock of the run; behind the last one they are read, and the chain moves once for each word.
RULE(folds)
{
    enum { FOLDS = BRIDGE_PAGE_FOLDS << 16 };
    begin(t, 5);
    clocks_of(t, 9);
    assert_int_equal(access(t, false, FOLDS, 0), BRIDGE_BUSY);
    t->running = false;
    clock_of(t);
    assert_int_equal(access(t, false, FOLDS, 0), BRIDGE_BUSY);
    assert_int_equal(t->lives, t->clocks);
    assert_int_equal(t->shifts, 0);
    for (unsigned n = 1; n < 4; n++) {
        LEVEL(&t->b, fold_word, (uint16_t)(0x3333 * n));
        assert_int_equal(get(t, FOLDS + 4 * n), 0x3333 * n);
        clocks_of(t, 2);
        assert_int_equal(t->shifts, n);
    }
    assert_int_equal(access(t, true, FOLDS, 0), BRIDGE_READONLY);
    clocks_of(t, 2);
    assert_int_equal(t->shifts, 3);
}

RULE(what_cannot_be_written)
{
    static const uint32_t places[] = {BRIDGE_POINTS, BRIDGE_SIGNATURE_LOW, BRIDGE_SIGNATURE_HIGH, PAGE + BRIDGE_STRIDE,
                                      (BRIDGE_PAGE_FOLDS << 16) + BRIDGE_STRIDE};
    run(t, 5, 40);
    for (unsigned n = 0; n < COUNT(places); n++)
        assert_int_equal(access(t, true, places[n], 9), BRIDGE_READONLY);
    assert_int_equal(get(t, BRIDGE_STRIDE), 5);
    assert_int_equal(get(t, BRIDGE_POINTS), 1);
    assert_true(both(t, BRIDGE_SIGNATURE_LOW) == t->expected[40]);
}

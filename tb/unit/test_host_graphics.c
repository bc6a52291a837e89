// SPDX-License-Identifier: Apache-2.0
//
// totem_host in a machine with graphics pipes (docs/contract/host.md).
// Configuration: full, because there are more rings than one.

#include "block_bench.h"

// The twin of a machine with graphics stands in the place of the library's.
#include "totem_config.h"
#undef TOTEM_GRAPHICS
#define TOTEM_GRAPHICS 1
#include "totem_host.c"

BENCH(host)

enum { F = TOTEM_FE_COUNT, L = F - 1, S = TOTEM_SE_COUNT, E = S - 1, P = TOTEM_PIPE_COUNT, SLVERR = 2 };

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, s_axil_bready, true);
    LEVEL(b, s_axil_rready, true);
    LEVEL(b, events_error_ready, true);
    LEVEL(b, rings_idle, true);
}

#define RULE(name) RULE_OF(bench, open_bench, b, name)

static void offer(bench *b, bool write, uint32_t address, uint32_t data, uint8_t strobe)
{
    b->i.s_axil_awvalid = b->i.s_axil_wvalid = write;
    b->i.s_axil_arvalid                      = !write;
    b->i.s_axil_awaddr = b->i.s_axil_araddr = address;
    b->i.s_axil_wdata                       = data;
    b->i.s_axil_wstrb                       = strobe;
}

// An access that this block answers.
static uint32_t access_of(bench *b, bool write, uint32_t address, uint32_t data, uint8_t strobe, unsigned response)
{
    offer(b, write, address, data, strobe);
    ticks(b, 3);
    assert_true(write ? b->o.s_axil_bvalid : b->o.s_axil_rvalid);
    assert_int_equal(write ? b->o.s_axil_bresp : b->o.s_axil_rresp, response);
    const uint32_t got = b->o.s_axil_rdata;
    ticks(b, 3);
    return got;
}

// Everybody who can be asked, by kind and index: whether he is.
enum { HQD, TALLY, PAGE, GROUPS, GEOMETRY, PIXELS, CONTROLS, OTHERS };

static bool is_asked(const bench *b, unsigned kind, unsigned n)
{
    bool others = b->o.events_valid;
    for (unsigned p = 0; p < P; p++)
        others = others || b->o.hqd_valid[p] || b->o.tally_valid[p];
    for (unsigned e = 0; e < S; e++)
        others = others || b->o.wave_valid[e] || b->o.stats_valid[e];
    switch (kind) {
    case HQD: return n < F && b->o.graphics_hqd_valid[n];
    case TALLY: return n < F && b->o.graphics_tally_valid[n];
    case PAGE: return n < F && b->o.graphics_valid[n];
    case GROUPS: return n < S && b->o.graphics_stats_valid[n];
    case GEOMETRY: return n < S && b->o.geometry_stats_valid[n];
    case PIXELS: return n < S && b->o.pixel_stats_valid[n];
    case CONTROLS: return n == 0 && b->o.controls_valid;
    default: return others;
    }
}

static void answers(bench *b, unsigned kind, unsigned n, uint8_t error)
{
    for (unsigned f = 0; f < F; f++) {
        b->i.graphics_hqd_done[f]    = kind == HQD && f == n;
        b->i.graphics_tally_done[f]  = kind == TALLY && f == n;
        b->i.graphics_done[f]        = kind == PAGE && f == n;
        b->i.graphics_hqd_error[f]   = kind == HQD && f == n ? error : 3;
        b->i.graphics_error[f]       = kind == PAGE && f == n ? error : 3;
        b->i.graphics_hqd_rdata[f]   = 0xfeed0 + HQD;
        b->i.graphics_tally_rdata[f] = 0xeed0 + TALLY;
        b->i.graphics_rdata[f]       = 0xfeed0 + PAGE;
    }
    for (unsigned e = 0; e < S; e++) {
        b->i.graphics_stats_done[e]  = kind == GROUPS && e == n;
        b->i.geometry_stats_done[e]  = kind == GEOMETRY && e == n;
        b->i.pixel_stats_done[e]     = kind == PIXELS && e == n;
        b->i.pixel_stats_rdata[e]    = 0xfeed0 + PIXELS;
        b->i.graphics_stats_rdata[e] = 0xfeed0 + GROUPS;
        b->i.geometry_stats_rdata[e] = 0xfeed0 + GEOMETRY;
    }
    b->i.controls_done  = kind == CONTROLS;
    b->i.controls_error = kind == CONTROLS ? error : 3;
    b->i.controls_rdata = 0xfeed0 + CONTROLS;
    tick(b);
}

static bool has_errors(unsigned kind)
{
    return kind == HQD || kind == PAGE || kind == CONTROLS;
}

// Address, target and what goes with it; then the answer of the target comes back.
RULE(requests)
{
    static const struct {
        uint32_t address;
        uint8_t  kind, index, dword;
        bool     doorbell;
    } rows[] = {
        {0x04100, HQD, 0, 64, true},      {0x04100 + 4 * L, HQD, L, 64 + L, true},
        {0x05000, PAGE, 0, 0, false},     {0x053fc + 0x400 * L, PAGE, L, 255, false},
        {0x18000, HQD, 0, 0, false},      {0x180fc + 0x1000 * L, HQD, L, 63, false},
        {0x30000, TALLY, 0, 0, false},    {0x303fc + 0x2000 * L, TALLY, L, 255, false},
        {0x03080, GROUPS, 0, 0, false},   {0x0308c + 0x400 * E + 0x10 * L, GROUPS, E, 3 + 4 * L, false},
        {0x030c0, GEOMETRY, 0, 0, false}, {0x030c8 + 0x400 * E + 0x10 * L, GEOMETRY, E, 2 + 4 * L, false},
        {0x03100, PIXELS, 0, 0, false},   {0x0310c + 0x400 * E + 0x10 * L, PIXELS, E, 3 + 4 * L, false},
        {0x06000, CONTROLS, 0, 0, false}, {0x0607c, CONTROLS, 0, 31, false},
    };
    for (unsigned n = 0; n < COUNT(rows); n++)
        for (unsigned way = 0; way < (has_errors(rows[n].kind) ? 4 : 2); way++) {
            const bool write = way & 1, error = way & 2;
            open_bench(b);
            offer(b, write, rows[n].address, 0x12345678, 5);
            ticks(b, 3);
            for (unsigned held = 0; held < 3; held++, tick(b)) {
                for (unsigned kind = 0; kind <= OTHERS; kind++)
                    for (unsigned k = 0; k < 4; k++)
                        assert_int_equal(is_asked(b, kind, k), kind == rows[n].kind && k == rows[n].index);
                assert_int_equal(b->o.request_doorbell, rows[n].doorbell);
                assert_int_equal(b->o.request_queue, 0);
                assert_int_equal(b->o.request_dword, rows[n].dword);
            }
            answers(b, rows[n].kind, rows[n].index, error * 4);
            assert_int_equal(write ? b->o.s_axil_bresp : b->o.s_axil_rresp, error * SLVERR);
            assert_true(write || b->o.s_axil_rdata == (error                   ? 0
                                                       : rows[n].kind == TALLY ? 0xeed1
                                                                               : 0xfeed0u + rows[n].kind));
        }
}

RULE(holes)
{
    static const uint32_t addresses[] = {
        0x040fc + 0x20, 0x04200, 0x06080, 0x18100, 0x18200, 0x18400, 0x18800,        0x1c000,
        0x1fffc,        0x30400, 0x31000, 0x38000, 0x3fffc, 0x03140, 0x00028 + 0x08, 0x000d8,
    };
    for (unsigned n = 0; n < COUNT(addresses); n++) {
        access_of(b, true, addresses[n], 1, 15, SLVERR);
        access_of(b, false, addresses[n], 0, 0, SLVERR);
    }
}

RULE(settings)
{
    assert_int_equal(access_of(b, false, 0x0c, 0, 0, 0) & 1, 1); // FEATURES
    assert_int_equal(access_of(b, false, 0xcc, 0, 0, 0), 4096);
    access_of(b, true, 0xcc, 0xffabcdef, 15, 0);
    access_of(b, true, 0xcc, 0x00110000, 4, 0);
    assert_int_equal(access_of(b, false, 0xcc, 0, 0, 0), 0x11cdef);
    assert_int_equal(b->o.settings_hold_graphics, 0x11cdef);
    assert_int_equal(access_of(b, false, 0xd4, 0, 0, 0), 255u << 20 | 64 << 8 | 1);
    access_of(b, true, 0xd4, 0xffffffff, 15, 0);
    assert_int_equal(access_of(b, false, 0xd4, 0, 0, 0), 0x3fffff7f);
    access_of(b, true, 0xd4, 0x12345678, 15, 0);
    assert_int_equal(b->o.settings_reserve_slots, 0x78);
    assert_int_equal(b->o.settings_reserve_vgprs, 0x456);
    assert_int_equal(b->o.settings_reserve_lds, 0x123);
}

// While a ring is mapped, or a draw is anywhere, the reserve stands; other settings may change.
RULE(reserve_locked)
{
    LEVEL(b, rings_idle, false);
    access_of(b, true, 0xd4, 0, 15, SLVERR);
    assert_int_equal(access_of(b, false, 0xd4, 0, 0, 0), 255u << 20 | 64 << 8 | 1);
    access_of(b, true, 0xcc, 5, 15, 0);
    assert_int_equal(b->o.settings_hold_graphics, 5);
    LEVEL(b, rings_idle, true);
    access_of(b, true, 0xd4, 0, 15, 0);
    assert_int_equal(access_of(b, false, 0xd4, 0, 0, 0), 0);
}

RULE(counters)
{
    for (unsigned f = 0; f < F; f++) {
        LEVEL(b, graphics_hqd_drains[f], (uint16_t)(0x8001 + f));
        LEVEL(b, graphics_fence_lost[f], (uint16_t)(0x4011 + f));
        LEVEL(b, graphics_fence_late[f], (uint16_t)(0x9021 + f));
        assert_int_equal(access_of(b, false, 0xe0 + 4 * f, 0, 0, 0), 0x8001 + f);
        assert_int_equal(access_of(b, false, 0xf0 + 4 * f, 0, 0, 0), (0x9021u + f) << 16 | (0x4011u + f));
        access_of(b, true, 0xe0 + 4 * f, 1, 15, SLVERR);
        access_of(b, true, 0xf0 + 4 * f, 1, 15, SLVERR);
    }
}

// One clock, queue 0 of the rings that are named; without the byte nobody.
RULE(polls)
{
    for (unsigned strobe = 14; strobe < 16; strobe++) {
        unsigned clocks = 0, named = 1u | 1u << L * TOTEM_GRAPHICS_QUEUES; // the first and the last
        offer(b, true, 0x6c, 0xfffffff1u | 1u << L, (uint8_t)strobe);
        for (unsigned n = 0; n < 8; n++, tick(b)) {
            unsigned asked = 0;
            for (unsigned k = 0; k < F * TOTEM_GRAPHICS_QUEUES; k++)
                asked |= (unsigned)b->o.graphics_poll_once[k] << k;
            assert_true(asked == 0 || asked == named);
            clocks += asked != 0;
        }
        assert_int_equal(clocks, strobe & 1);
    }
    assert_int_equal(access_of(b, false, 0x6c, 0, 0, 0), 0);
}

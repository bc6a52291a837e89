// SPDX-License-Identifier: Apache-2.0
//
// totem_throttle: rules, meetings and numbers of docs/contract/throttle.md.

#include "block_bench.h"

#include "totem_controls_values.h"
#include "totem_issue_values.h"
#include "totem_throttle.h"

BENCH(throttle)

enum {
    SLOTS      = TOTEM_SLOTS,
    SHORTEST   = 100, // clocks between samples, code 0
    PH_ENABLE  = 1,   // of a program
    SPI_ENABLE = 2,
    LEVEL_MODE = PH_MODE_LEVEL << 16,
    LOOK       = SLOTS + 2, // from a sample to the last lifetime of a wave in flight
};

// cntl1: PH base, PH step, VGPR, LDS, SPI interval, SPI base, SPI step.
static uint32_t first(unsigned ph_base, unsigned ph_step, unsigned vgprs, unsigned lds, unsigned interval,
                      unsigned base, unsigned step)
{
    return ph_base << 4 | ph_step << 8 | vgprs << 12 | lds << 16 | interval << 20 | base << 24 | step << 28;
}

// cntl2 of measurement C: threshold, factor, penalties.
static uint32_t second(unsigned t, unsigned factor, unsigned penalty1, unsigned penalty2)
{
    return t << 2 | factor << 6 | penalty1 << 8 | penalty2 << 11;
}

typedef struct {
    bench    b;
    uint32_t life[SLOTS];
} world;

static void open(world *w, uint32_t cntl1, uint32_t cntl2)
{
    memset(w, 0, sizeof *w);
    fresh(&w->b);
    LEVEL(&w->b, controls_cntl1, cntl1);
    LEVEL(&w->b, controls_cntl2, cntl2);
}

// A clock with the RAM, which no word may meet in.
static void go(world *w)
{
    assert_false(w->b.o.life_read_enable && w->b.o.life_write_enable &&
                 w->b.o.life_read_addr == w->b.o.life_write_addr);
    TICK_WITH_RAM(w, w->life, life);
}

static void gos(world *w, unsigned clocks)
{
    while (clocks--)
        go(w);
}

static void poll(world *w, unsigned status)
{
    LEVEL(&w->b, monitor_status, (uint8_t)status);
    w->b.i.monitor_polled = true;
    go(w);
}

static void grant(world *w, unsigned kind, unsigned enables, unsigned vgprs, unsigned lds)
{
    w->b.i.grant_valid    = true;
    w->b.i.grant_kind     = (uint8_t)kind;
    w->b.i.grant_throttle = (uint8_t)enables;
    w->b.i.grant_vgprs    = (uint8_t)vgprs;
    w->b.i.grant_lds      = (uint16_t)lds;
}

static void launch(world *w, unsigned slot)
{
    w->b.i.alloc_valid = true;
    w->b.i.alloc_kind  = WAVE_GEOMETRY;
    w->b.i.alloc_slot  = (uint8_t)slot;
}

static void end(world *w, unsigned kind, unsigned slot, unsigned vgprs, unsigned lds)
{
    w->b.i.free_valid = true;
    w->b.i.free_kind  = (uint8_t)kind;
    w->b.i.free_slot  = (uint8_t)slot;
    w->b.i.free_vgprs = (uint8_t)vgprs;
    w->b.i.free_lds   = (uint16_t)lds;
}

// A pixel wave finds no room in this clock.
static void lack(world *w, bool wave64)
{
    w->b.i.issue_pixel_lacks[0] = true;
    w->b.i.pixel_wave32[0]      = !wave64;
}

// To the clock of the next sample, a pixel wave lacking room in the last clocks before it.
static void until_sample(world *w, unsigned lacks, bool wave64)
{
    while (w->b.s.elapsed + 1 < SHORTEST) {
        if (w->b.s.elapsed + 1 + lacks >= SHORTEST)
            lack(w, wave64);
        go(w);
    }
}

// Over the next sample.
static void sample(world *w, unsigned lacks, bool wave64)
{
    until_sample(w, lacks, wave64);
    go(w);
    assert_int_equal(w->b.s.elapsed, 0);
}

// Clocks in which the gate is shut behind a geometry grant of this clock.
static unsigned shut(world *w, unsigned enables)
{
    unsigned clocks = 0;
    assert_true(w->b.o.gate);
    grant(w, WAVE_GEOMETRY, enables, 0, 0);
    go(w);
    for (; !w->b.o.gate; clocks++)
        go(w);
    return clocks;
}

// ---- gate

// The largest of what is on: by the host, or by the program of the wave itself.
TEST(largest_of_what_is_on)
{
    static const struct {
        bool     ph, spi, life;
        unsigned enables, dead;
    } row[] = {
        {false, false, true, 0, 0},  {false, false, true, PH_ENABLE, 20},
        {true, false, true, 0, 20},  {false, false, false, SPI_ENABLE, 30},
        {false, true, false, 0, 30}, {false, false, true, SPI_ENABLE, 40},
        {false, true, true, 0, 40},  {true, true, true, 3, 40},
        {false, false, true, 3, 40}, {true, false, false, SPI_ENABLE, 30},
    };
    for (unsigned n = 0; n < COUNT(row); n++) {
        world w;
        open(&w, 0, row[n].life ? second(1, 0, 0, 0) : second(0, 3, 7, 7) | LEVEL_MODE);
        w.b.s.stall_a = 20;
        w.b.s.stall_b = 30;
        w.b.s.stall_c = 40;
        LEVEL(&w.b, controls_ph_enable, row[n].ph);
        LEVEL(&w.b, controls_spi_enable, row[n].spi);
        assert_int_equal(shut(&w, row[n].enables), row[n].dead ? row[n].dead - 1 : 0);
    }
    world w; // A alone is the largest
    open(&w, 0, second(1, 0, 0, 0));
    w.b.s.stall_a = 50;
    w.b.s.stall_b = 30;
    w.b.s.stall_c = 40;
    assert_int_equal(shut(&w, 3), 49);
    w.b.s.stall_b = 60;
    assert_int_equal(shut(&w, 3), 59);
}

TEST(limit)
{
    world w;
    open(&w, 0, 0);
    LEVEL(&w.b, controls_limit, 2);
    go(&w);
    for (unsigned n = 0; n < 2; n++) {
        assert_true(w.b.o.gate);
        grant(&w, WAVE_GEOMETRY, 0, 0, 0);
        go(&w);
    }
    assert_false(w.b.o.gate);
    grant(&w, WAVE_PIXEL, 0, 0, 0); // of pixels none are counted
    end(&w, WAVE_PIXEL, 0, 0, 0);
    go(&w);
    assert_int_equal(w.b.s.waves, 2);
    assert_false(w.b.o.gate);
    grant(&w, WAVE_GEOMETRY, 0, 0, 0); // one granted, one ended: as many
    end(&w, WAVE_GEOMETRY, 0, 0, 0);
    go(&w);
    assert_int_equal(w.b.s.waves, 2);
    end(&w, WAVE_GEOMETRY, 0, 0, 0);
    go(&w);
    assert_true(w.b.o.gate);
    LEVEL(&w.b, controls_limit, 1); // counts a clock later
    go(&w);
    assert_false(w.b.o.gate);
    LEVEL(&w.b, controls_limit, 0); // any number
    go(&w);
    assert_true(w.b.o.gate);
}

// Clocks with the gate closed, by dead cycles and by the limit.
TEST(closed_is_counted)
{
    world w;
    open(&w, 0, LEVEL_MODE);
    w.b.s.stall_b = 30;
    LEVEL(&w.b, controls_b_hold, true);
    assert_int_equal(shut(&w, SPI_ENABLE), 29);
    assert_int_equal(w.b.o.closed, 29);
    LEVEL(&w.b, controls_limit, 1);
    gos(&w, 11);
    assert_int_equal(w.b.o.closed, 39);
    end(&w, WAVE_GEOMETRY, 0, 0, 0);
    gos(&w, 5);
    assert_int_equal(w.b.o.closed, 40);
}

// ---- A

// The worked example: 256, 128, 0, at the grants of its clocks.
static void example(uint32_t cntl1, uint32_t cntl2)
{
    static const struct {
        unsigned clock;
        int      status; // shown there; -1: a grant
        unsigned dead;
    } row[] = {
        {100, 0, 0},     {1000, 2, 256}, {1200, -1, 256}, {3000, 1, 128},
        {3100, -1, 128}, {3500, 0, 0},   {3600, 0, 0},    {3700, -1, 0},
    };
    world    w;
    unsigned status = 0;
    open(&w, cntl1, cntl2);
    for (unsigned n = 0, clock = 0; clock < 3800; clock++) {
        const bool     now  = n < COUNT(row) && row[n].clock == clock;
        const unsigned dead = row[n < COUNT(row) ? n : 0].dead;
        if (now && row[n].status >= 0)
            status = (unsigned)row[n].status;
        if (now && row[n].status < 0) {
            assert_true(w.b.o.gate);
            grant(&w, WAVE_GEOMETRY, PH_ENABLE, 0, 0);
            go(&w);
            assert_int_equal(w.b.o.dead, dead ? dead - 1 : 0);
        } else if (clock % 100 == 0)
            poll(&w, status);
        else
            go(&w);
        if (now && row[n].status >= 0)
            assert_int_equal(w.b.o.stall_a, dead);
        n += now;
    }
}

TEST(example_in_level_mode)
{
    example(first(2, 1, 0, 0, 3, 0, 0), LEVEL_MODE);
}

// Down by the step of this poll, not below 0.
TEST(a_longer_step)
{
    world w;
    open(&w, first(0, 0, 0, 0, 3, 0, 0), 0);
    LEVEL(&w.b, controls_ph_enable, true);
    poll(&w, 2);
    assert_int_equal(w.b.o.stall_a, 32);
    LEVEL(&w.b, controls_cntl1, first(0, 3, 0, 0, 3, 0, 0));
    poll(&w, 1);
    assert_int_equal(w.b.o.stall_a, 0);
}

// Codes, cut to 1024, and the four classes.
TEST(levels)
{
    for (unsigned base = 0; base < 16; base++)
        for (unsigned status = 0; status < 4; status++) {
            const unsigned dead = base < 6 ? 16u << base : 1024, all = status ? dead << status : 0;
            world          w;
            open(&w, first(base, 0, 0, 0, 3, 0, 0), LEVEL_MODE);
            poll(&w, status);
            assert_int_equal(w.b.o.stall_a, all > 1024 ? 1024 : all);
        }
}

// Statuses and dead cycles behind each, base 100.., step 32.
TEST(steps)
{
    static const struct {
        unsigned base, step; // codes
        unsigned status[8], dead[8];
    } row[] = {
        {2, 1, {1, 1, 2, 3, 3, 2, 1, 0}, {64, 64, 96, 128, 160, 128, 96, 0}},
        {2, 1, {2, 3, 1, 3, 3, 3, 0, 1}, {96, 128, 64, 128, 160, 192, 0, 64}},
        {2, 1, {3, 3, 0, 0, 2, 2, 3, 0}, {128, 160, 0, 0, 96, 96, 128, 0}},
        {0, 3, {2, 1, 2, 1, 3, 1, 0, 0}, {144, 16, 144, 16, 272, 16, 0, 0}},
        {0, 5, {1, 3, 3, 3, 2, 1, 3, 3}, {16, 1024, 1024, 1024, 512, 0, 1024, 1024}}, // at most, at least
        {6, 15, {1, 2, 1, 1, 2, 0, 3, 1}, {1024, 1024, 0, 0, 1024, 0, 1024, 0}},      // a step of 1024
        {15, 0, {3, 2, 1, 3, 3, 2, 1, 2}, {1024, 1008, 992, 1024, 1024, 1008, 992, 1008}},
    };
    for (unsigned n = 0; n < COUNT(row); n++) {
        world w;
        open(&w, first(row[n].base, row[n].step, 0, 0, 3, 0, 0), 0);
        LEVEL(&w.b, controls_ph_enable, true);
        for (unsigned k = 0; k < 8; k++) {
            poll(&w, row[n].status[k]);
            assert_int_equal(w.b.o.stall_a, row[n].dead[k]);
            go(&w); // status shown, no poll
            assert_int_equal(w.b.o.stall_a, row[n].dead[k]);
        }
    }
}

// Polls without A leave nothing behind: the first wave that enables it loads what leaving 00 gives, 64 + 2 x 32, and so
// does the first one behind a wave that did not.
TEST(nothing_accumulates_while_off)
{
    world w;
    open(&w, first(2, 1, 0, 0, 3, 0, 0), 0);
    for (unsigned n = 0; n < 20; n++)
        poll(&w, 3);
    assert_int_equal(shut(&w, 0), 0);
    gos(&w, 2);
    assert_int_equal(shut(&w, PH_ENABLE), 127);
    for (unsigned n = 0; n < 3; n++) // it counts now
        poll(&w, 3);
    assert_int_equal(w.b.o.stall_a, 128 + 3 * 32);
    assert_int_equal(shut(&w, 0), 0);
    go(&w);
    assert_int_equal(shut(&w, PH_ENABLE), 127);
    poll(&w, 2);
    assert_int_equal(w.b.o.stall_a, 96);
    grant(&w, WAVE_GEOMETRY, 0, 0, 0);
    gos(&w, 2);
    LEVEL(&w.b, controls_cntl1, first(3, 1, 0, 0, 3, 0, 0)); // by the fields of now
    go(&w);
    assert_int_equal(w.b.o.stall_a, 160);
    LEVEL(&w.b, controls_ph_enable, true);
    poll(&w, 1);
    assert_int_equal(w.b.o.stall_a, 128);
}

// ---- B

// Geometry that holds nothing does not throttle, but in mode 2 and 3; half of the engine in mode 0, half of what is
// held in mode 1.
TEST(triggers)
{
    static const struct {
        unsigned mode, vgprs, lds; // thresholds in tenths
        unsigned gs_vgprs, gs_lds, ps_vgprs, ps_lds;
        bool     active;
    } row[] = {
        {0, 0, 0, 0, 0, 0, 0, false},
        {0, 0, 9, 1, 0, 0, 0, true},
        {0, 9, 0, 0, 1, 0, 0, true},
        {0, 5, 5, TOTEM_VGPRS / 2, 0, 0, 0, true},
        {0, 5, 5, TOTEM_VGPRS / 2 - 1, TOTEM_LDS / 2 - 1, 0, 0, false},
        {0, 5, 5, 0, TOTEM_LDS / 2, 0, 0, true},
        {0, 5, 5, 10, 10, 0, 0, false},
        {1, 5, 5, 10, 0, 10, 0, true},
        {1, 5, 5, 10, 0, 11, 0, false},
        {1, 5, 5, 0, 10, 5, 10, true},
        {1, 5, 5, 0, 10, 5, 11, false},
        {1, 9, 9, 9, 0, 1, 0, true},
        {1, 9, 9, 8, 0, 1, 0, false},
        {1, 0, 0, 0, 0, 100, 100, false},
        {1, 5, 9, 300, 1, 300, 100, true},
        {1, 5, 9, 2000, 0, 2100, 0, false}, // the sum has a bit more
        {2, 9, 9, 0, 0, 100, 100, true},
        {3, 9, 9, 0, 0, 0, 0, true},
    };
    for (unsigned n = 0; n < COUNT(row); n++) {
        world w;
        open(&w, first(0, 0, row[n].vgprs, row[n].lds, 0, 2, 1), row[n].mode);
        LEVEL(&w.b, controls_spi_enable, true);
        w.b.s.gs_vgprs = (uint16_t)row[n].gs_vgprs;
        w.b.s.gs_lds   = (uint16_t)row[n].gs_lds;
        w.b.s.ps_vgprs = (uint16_t)row[n].ps_vgprs;
        w.b.s.ps_lds   = (uint16_t)row[n].ps_lds;
        sample(&w, 1, false);
        assert_int_equal(w.b.o.stall_b, row[n].active ? 64 : 0);
    }
}

// What grants take and ends give back.
TEST(use_is_counted)
{
    world w;
    open(&w, 0, 0);
    grant(&w, WAVE_GEOMETRY, 0, 127, 511);
    go(&w);
    grant(&w, WAVE_PIXEL, 0, 20, 30);
    end(&w, WAVE_GEOMETRY, 0, 7, 11);
    go(&w);
    grant(&w, 0, 0, 99, 99); // compute does not count
    end(&w, WAVE_PIXEL, 0, 5, 6);
    go(&w);
    end(&w, 0, 0, 99, 99);
    go(&w);
    assert_int_equal(w.b.s.waves, 0);
    assert_int_equal(w.b.s.gs_vgprs, 120);
    assert_int_equal(w.b.s.gs_lds, 500);
    assert_int_equal(w.b.s.ps_vgprs, 15);
    assert_int_equal(w.b.s.ps_lds, 24);
}

// Base, then steps up while active, steps down while not; enabled by the host or by the last geometry wave.
TEST(steps_of_b)
{
    for (unsigned by_program = 0; by_program < 2; by_program++) {
        world w;
        open(&w, first(0, 0, 0, 0, 0, 2, 3), 2);
        if (by_program) {
            grant(&w, WAVE_GEOMETRY, SPI_ENABLE, 0, 0);
            go(&w);
            grant(&w, WAVE_PIXEL, 0, 0, 0);
            go(&w);
        } else
            LEVEL(&w.b, controls_spi_enable, true);
        sample(&w, 10, false);
        assert_int_equal(w.b.o.stall_b, 64);
        sample(&w, 20, false);
        assert_int_equal(w.b.o.stall_b, 192);
        sample(&w, 0, false);
        assert_int_equal(w.b.o.stall_b, 64);
        sample(&w, 0, false);
        assert_int_equal(w.b.o.stall_b, 0);
        sample(&w, 30, false);
        assert_int_equal(w.b.o.stall_b, 64);
        for (unsigned n = 0; n < 10; n++)
            sample(&w, 40 + n, false);
        assert_int_equal(w.b.o.stall_b, 1024);
        if (by_program) { // the last one does not enable it
            grant(&w, WAVE_GEOMETRY, PH_ENABLE, 0, 0);
            go(&w);
            sample(&w, 60, false);
            assert_int_equal(w.b.o.stall_b, 896);
        }
    }
    world w;
    open(&w, first(0, 0, 0, 0, 0, 2, 3), 2);
    sample(&w, 10, false);
    assert_int_equal(w.b.o.stall_b, 0);
}

// B_HOLD: it stays until a sample without a stall.
TEST(b_hold)
{
    world w;
    open(&w, first(0, 0, 0, 0, 0, 2, 1), 2);
    LEVEL(&w.b, controls_spi_enable, true);
    LEVEL(&w.b, controls_b_hold, true);
    sample(&w, 40, false);
    assert_int_equal(w.b.o.stall_b, 64);
    sample(&w, 1, false); // below the average of 5
    assert_int_equal(w.b.o.stall_b, 64);
    sample(&w, 0, false);
    assert_int_equal(w.b.o.stall_b, 0);
}

// The average is that of the 8 samples before this one: the ninth has left it, this one does not count.
TEST(average)
{
    static const struct {
        unsigned before[9], now;
        bool     active;
    } row[] = {
        {{90, 10, 10, 10, 10, 10, 10, 10, 10}, 10, true},  {{0, 10, 10, 10, 10, 10, 10, 10, 10}, 9, false},
        {{0, 10, 10, 10, 10, 10, 10, 10, 11}, 10, false}, // 10.125
        {{0, 10, 10, 10, 10, 10, 10, 10, 9}, 10, true},    {{0, 80, 0, 0, 0, 0, 0, 0, 0}, 10, true},
        {{0, 81, 0, 0, 0, 0, 0, 0, 0}, 10, false},         {{0, 0, 0, 0, 0, 0, 0, 0, 81}, 10, false},
        {{99, 99, 99, 99, 99, 99, 99, 99, 99}, 98, false}, {{100, 100, 100, 100, 100, 100, 100, 100, 100}, 100, true},
    };
    for (unsigned n = 0; n < COUNT(row); n++) {
        world w;
        open(&w, first(0, 0, 0, 0, 0, 2, 1), 2);
        for (unsigned k = 0; k < 9; k++)
            sample(&w, row[n].before[k], false);
        LEVEL(&w.b, controls_spi_enable, true);
        const unsigned down = w.b.o.stall_b;
        assert_int_equal(down, 0);
        sample(&w, row[n].now, false);
        assert_int_equal(w.b.o.stall_b, row[n].active ? 64 : 0);
        uint32_t sum = 0;
        for (unsigned k = 0; k < 8; k++)
            sum += w.b.s.history[k];
        assert_int_equal(w.b.s.sum, sum);
    }
}

// The largest count there is, though the average is above it: a stall in every clock. Counts of wave64 before it are
// twice as large.
TEST(most)
{
    for (unsigned all = 0; all < 2; all++) {
        world w;
        open(&w, first(0, 0, 0, 0, 0, 2, 1), 2);
        LEVEL(&w.b, issue_pixel_lacks[0], true);
        gos(&w, SHORTEST - 1 + 9 * SHORTEST); // to a sample
        assert_int_equal(w.b.s.history[0], 2 * SHORTEST);
        assert_int_equal(w.b.s.sum, 8 * 2 * SHORTEST);
        go(&w);
        LEVEL(&w.b, controls_spi_enable, true);
        LEVEL(&w.b, pixel_wave32[0], true);
        w.b.i.issue_pixel_lacks[0] = all;
        sample(&w, 0, false);
        assert_int_equal(w.b.s.history[0], SHORTEST - 1 + all);
        assert_int_equal(w.b.o.stall_b, all ? 64 : 0);
        LEVEL(&w.b, issue_pixel_lacks[0], false);
        sample(&w, 80, true); // 160 of 200, and the one of the sample; the average is about 187
        assert_int_equal(w.b.s.history[0], 162);
        assert_int_equal(w.b.o.stall_b, all ? 32 : 0);
    }
}

// A stall in the clock of a sample counts in the new interval, and so does its width.
TEST(stall_meets_sample)
{
    world w;
    open(&w, first(0, 0, 0, 0, 0, 2, 1), 2);
    until_sample(&w, 3, false);
    lack(&w, true);
    go(&w);
    assert_int_equal(w.b.s.history[0], 3 + 0);
    assert_int_equal(w.b.s.stalls, 1);
    assert_true(w.b.s.wide);
    sample(&w, 0, false);
    assert_int_equal(w.b.s.history[0], 2);
    assert_false(w.b.s.wide);
    sample(&w, 0, false);
    assert_int_equal(w.b.s.history[0], 0);
}

// {0, 1/8, 1/4, 1/2} of the interval; a count of wave64 counts twice against it.
TEST(stall_threshold)
{
    static const unsigned least[4] = {1, 13, 25, 50};
    for (unsigned code = 0; code < 4; code++)
        for (unsigned below = 0; below < 2; below++)
            for (unsigned wave64 = 0; wave64 < 2; wave64++) {
                const unsigned lacks = wave64 ? (least[code] - below + 1 - below) / 2 : least[code] - below;
                const unsigned count = lacks << wave64;
                world          w;
                open(&w, first(0, 0, 0, 0, 0, 2, 1), 2 | code << 14);
                LEVEL(&w.b, controls_spi_enable, true);
                sample(&w, lacks, wave64);
                assert_int_equal(w.b.s.history[0], count);
                assert_int_equal(w.b.o.stall_b, count >= least[code] ? 64 : 0);
            }
}

// Lengths of all codes, first sample behind reset; a shorter one counts at once.
TEST(intervals)
{
    for (unsigned code = 0; code < 16; code++) {
        const uint32_t length = code ? 125u << code : 100;
        world          w;
        open(&w, first(0, 0, 0, 0, code, 0, 0), 0);
        w.b.s.elapsed = length - 3;
        go(&w);
        go(&w);
        assert_int_equal(w.b.s.elapsed, length - 1);
        go(&w);
        assert_int_equal(w.b.s.elapsed, 0);
    }
    world w;
    open(&w, first(0, 0, 0, 0, 3, 2, 0), 2);
    LEVEL(&w.b, controls_spi_enable, true);
    for (unsigned n = 0; n < 300; n++) {
        lack(&w, false);
        go(&w);
    }
    LEVEL(&w.b, controls_cntl1, first(0, 0, 0, 0, 0, 2, 0));
    go(&w);
    assert_int_equal(w.b.s.elapsed, 0);
    assert_int_equal(w.b.s.history[0], 300); // above the largest of the new length
    assert_int_equal(w.b.o.stall_b, 64);
}

// ---- C

// A wave of that lifetime at its core: launched, ended, and what C says 7 clocks behind its done, not earlier.
static unsigned lives(world *w, unsigned slot, unsigned clocks)
{
    const unsigned before = w->b.o.stall_c;
    launch(w, slot); // accepted in the clock before
    gos(w, clocks + 3);
    end(w, WAVE_GEOMETRY, slot, 0, 0); // done 4 clocks before
    gos(w, 2);
    assert_int_equal(w->b.o.stall_c, before);
    go(w);
    return w->b.o.stall_c;
}

enum { NEVER = 15 }; // a long interval between samples

// Threshold 256: penalty 2 beyond it, penalty 1 beyond twice that.
TEST(penalties)
{
    static const struct {
        unsigned t, factor, clocks, dead;
    } row[] = {
        {1, 0, 256, 0},    {1, 0, 257, 64},   {1, 0, 512, 64},  {1, 0, 513, 256},  {2, 0, 512, 0},
        {2, 0, 513, 64},   {2, 0, 1025, 256}, {1, 1, 1024, 0},  {1, 1, 1025, 64},  {1, 1, 2049, 256},
        {3, 1, 3072, 0},   {3, 1, 3073, 64},  {1, 2, 4096, 0},  {1, 2, 4097, 64},  {1, 3, 16384, 0},
        {1, 3, 16385, 64}, {0, 0, 5000, 0},   {15, 0, 3840, 0}, {15, 0, 3841, 64}, {15, 0, 7681, 256},
    };
    for (unsigned n = 0; n < COUNT(row); n++) {
        world w;
        open(&w, first(0, 0, 0, 0, NEVER, 0, 0), second(row[n].t, row[n].factor, 4, 2));
        assert_int_equal(lives(&w, n % SLOTS, row[n].clocks), row[n].dead);
    }
    for (unsigned code = 0; code < 8; code++) {
        world w;
        open(&w, first(0, 0, 0, 0, NEVER, 0, 0), second(1, 0, 7 - code, code));
        assert_int_equal(lives(&w, 0, 300), code < 6 ? 16u << code : 1024);
        assert_int_equal(lives(&w, 1, 600), 7 - code < 6 ? 16u << (7 - code) : 1024);
    }
}

// Inside an interval a short lifetime, or a lesser one, does not lower the value; it is set, not added up.
TEST(value_stays_inside_an_interval)
{
    world w;
    open(&w, first(0, 0, 0, 0, NEVER, 0, 0), second(1, 0, 4, 2));
    assert_int_equal(lives(&w, 0, 300), 64);
    assert_int_equal(lives(&w, 0, 301), 64);
    assert_int_equal(lives(&w, 0, 10), 64);
    assert_int_equal(lives(&w, 1, 600), 256);
    assert_int_equal(lives(&w, 1, 300), 256);
    assert_int_equal(lives(&w, 1, 0), 256);
}

// Samples every 500 clocks, from the clock behind one.
enum { INTERVAL_CODE = 2, INTERVAL = 500 };

static void between(world *w)
{
    do
        go(w);
    while (w->b.s.elapsed != 0);
}

// A wave in flight is seen at samples, in whichever slot; its done comes later. Sample in clock t, the count holds in
// t + SLOTS + 3.
TEST(wave_in_flight)
{
    for (unsigned slot = 0; slot < SLOTS; slot += SLOTS / 2 - 1) {
        world w;
        open(&w, first(0, 0, 0, 0, INTERVAL_CODE, 0, 0), second(1, 0, 4, 2));
        launch(&w, slot);
        between(&w); // lived 500
        gos(&w, LOOK - 1);
        assert_int_equal(w.b.o.stall_c, 0);
        go(&w);
        assert_int_equal(w.b.o.stall_c, 64);
        between(&w);
        gos(&w, LOOK - 1);
        assert_int_equal(w.b.o.stall_c, 64);
        go(&w);
        assert_int_equal(w.b.o.stall_c, 256); // 1000
        end(&w, WAVE_GEOMETRY, slot, 0, 0);
        between(&w); // it ended in this interval
        gos(&w, LOOK);
        assert_int_equal(w.b.o.stall_c, 256);
        between(&w);
        gos(&w, LOOK);
        assert_int_equal(w.b.o.stall_c, 0);
    }
}

// The lifetime of a wave in flight at the sample: 256 or 257 clocks from its acceptance, one before the alloc.
TEST(wave_in_flight_at_the_threshold)
{
    for (unsigned more = 0; more < 2; more++) {
        world w;
        open(&w, first(0, 0, 0, 0, INTERVAL_CODE, 0, 0), second(1, 0, 4, 2));
        gos(&w, INTERVAL - 1 - 255 - more);
        launch(&w, 1);
        between(&w);
        gos(&w, LOOK);
        assert_int_equal(w.b.o.stall_c, more ? 64 : 0);
    }
}

// An end and the walk in one clock: the ended one is read, the walk goes on in the next clock.
TEST(end_meets_walk)
{
    for (unsigned when = 0; when < LOOK; when++) {
        world w;
        open(&w, first(0, 0, 0, 0, INTERVAL_CODE, 0, 0), second(1, 0, 4, 2));
        launch(&w, SLOTS - 1);
        gos(&w, 400);
        launch(&w, 0);
        between(&w);
        gos(&w, when);
        end(&w, WAVE_GEOMETRY, 0, 0, 0); // short
        gos(&w, LOOK + 1 - when);
        assert_int_equal(w.b.o.stall_c, 64); // that of the last slot
        end(&w, WAVE_GEOMETRY, SLOTS - 1, 0, 0);
        gos(&w, 3);
        assert_int_equal(w.b.o.stall_c, 256);
    }
}

// Waves of other kinds have no lifetime here.
TEST(others_have_no_lifetime)
{
    world w;
    open(&w, first(0, 0, 0, 0, NEVER, 0, 0), second(1, 0, 4, 2));
    for (unsigned kind = 0; kind < 4; kind += kind ? 1 : 2) {
        launch(&w, 5);
        w.b.i.alloc_kind = (uint8_t)kind;
        gos(&w, 600);
        end(&w, kind, 5, 0, 0);
        gos(&w, 5);
        assert_int_equal(w.b.o.stall_c, 0);
    }
    end(&w, WAVE_GEOMETRY, 5, 0, 0); // nobody's
    gos(&w, 5);
    assert_int_equal(w.b.o.stall_c, 0);
}

// The interval became shorter while waves are looked at: the walk begins again, and what it saw counts.
TEST(sample_meets_walk)
{
    world w;
    open(&w, first(0, 0, 0, 0, INTERVAL_CODE, 0, 0), second(1, 0, 4, 2));
    launch(&w, 0);
    between(&w);
    gos(&w, 6);                   // slot 0 was looked at: 500
    w.b.s.elapsed = INTERVAL - 1; // as if it were that long ago
    go(&w);
    assert_int_equal(w.b.s.elapsed, 0);
    assert_true(w.b.s.walk);
    assert_int_equal(w.b.s.walk_slot, 0);
    assert_int_equal(w.b.s.old, 1);
    gos(&w, LOOK);
    assert_int_equal(w.b.o.stall_c, 64);
}

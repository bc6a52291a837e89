// SPDX-License-Identifier: Apache-2.0
//
// totem_monitor: rules, meetings and intervals of docs/contract/monitor.md.

#include "block_bench.h"

#include "totem_monitor.h"

BENCH(monitor)

enum { FIFOS = TOTEM_SE_COUNT, DEPTH = 64, SHORTEST = 100 };

// Lengths of the codes.
static const uint32_t lengths[16] = {
    100, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000, 512000, 1024000, 2048000, 4096000,
};

// All FIFOs hold so many from now on.
static void counts(bench *b, unsigned none, uint64_t count)
{
    (void)none;
    for (unsigned c = 0; c < FIFOS; c++)
        LEVEL(b, count[c], (uint8_t)count);
}

static void offer(bench *b, unsigned first, unsigned second, unsigned third)
{
    b->i.write_valid         = true;
    b->i.write_thresholds[0] = (uint8_t)first;
    b->i.write_thresholds[1] = (uint8_t)second;
    b->i.write_thresholds[2] = (uint8_t)third;
}

static uint64_t now(const bench *b)
{
    return b->o.thresholds[0] * 10000ull + b->o.thresholds[1] * 100ull + b->o.thresholds[2];
}

// From a clock that shows a poll, or from clock 0, to the next one, which has to come after that many clocks.
static uint8_t next_poll(bench *b, uint32_t after)
{
    const uint8_t before = b->o.status;
    for (uint32_t n = 1; n <= after; n++) {
        tick(b);
        assert_int_equal(b->o.polled, n == after);
        if (n < after)
            assert_int_equal(b->o.status, before);
    }
    return b->o.status;
}

TEST(every_interval)
{
    for (uint8_t code = 0; code < 16; code++) {
        bench b;
        fresh(&b);
        LEVEL(&b, interval, code);
        for (unsigned n = 0; n < (code < 12 ? 3 : 1); n++)
            next_poll(&b, lengths[code]);
    }
}

// ---- thresholds

// The fullest FIFO decides, whichever it is.
TEST(written_thresholds)
{
    static const uint8_t good[][3] = {{16, 32, 48}, {1, 2, 3}, {62, 63, 64}, {1, 2, 64}, {1, 63, 64}, {20, 21, 60}};
    for (unsigned n = 0; n < COUNT(good); n++) {
        const uint8_t *t = good[n];
        bench          b;
        fresh(&b);
        offer(&b, t[0], t[1], t[2]);
        tick(&b);
        assert_false(b.o.refused);
        next_poll(&b, SHORTEST - 1);
        for (unsigned level = 0; level <= DEPTH; level++) {
            counts(&b, 0, level / 3);
            LEVEL(&b, count[(level + n) % FIFOS], (uint8_t)level);
            assert_int_equal(next_poll(&b, SHORTEST), level < t[0] ? 0 : level < t[1] ? 1 : level < t[2] ? 2 : 3);
        }
        assert_int_equal(now(&b), t[0] * 10000 + t[1] * 100 + t[2]);
    }
}

TEST(refused_thresholds)
{
    static const uint8_t bad[][3] = {
        {0, 1, 2},    {0, 32, 48},   {0, 0, 0},    {1, 1, 2},    {16, 16, 48}, {1, 2, 2},
        {16, 32, 32}, {32, 16, 48},  {16, 48, 32}, {48, 32, 16}, {32, 48, 16}, {64, 1, 2},
        {62, 63, 65}, {16, 32, 127}, {16, 65, 66}, {64, 64, 64}, {127, 0, 1},  {48, 16, 32},
    };
    bench b;
    fresh(&b);
    offer(&b, 10, 20, 30);
    tick(&b);
    for (unsigned n = 0; n < COUNT(bad); n++) {
        offer(&b, bad[n][0], bad[n][1], bad[n][2]);
        tick(&b);
        assert_true(b.o.refused);
        assert_int_equal(now(&b), 102030);
        if (n % 2 == 0) { // the others come in the clock that shows the refusal
            tick(&b);
            assert_false(b.o.refused);
        }
    }
    offer(&b, 11, 21, 31); // judged alone
    tick(&b);
    assert_false(b.o.refused);
    assert_int_equal(now(&b), 112131);
}

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

TEST(held_between_polls)
{
    bench b;
    fresh(&b);
    counts(&b, 0, 40);
    assert_int_equal(next_poll(&b, SHORTEST), 2);
    for (unsigned n = 1; n < SHORTEST; n++) {
        counts(&b, 0, n % (DEPTH + 1));
        tick(&b);
        assert_int_equal(b.o.status, 2);
        assert_false(b.o.polled);
    }
    counts(&b, 0, 63); // the clock that the poll's edge ends
    tick(&b);
    assert_true(b.o.polled);
    assert_int_equal(b.o.status, 3);
    counts(&b, 0, 15);
    assert_int_equal(next_poll(&b, SHORTEST), 0);
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

// A write neither moves a poll nor counts for the poll whose edge ends its clock.
TEST(write_meets_poll)
{
    for (unsigned when = SHORTEST - 5; when < SHORTEST + 5; when++) {
        bench b;
        fresh(&b);
        counts(&b, 0, 10);
        for (unsigned n = 0; n < 2 * SHORTEST; n++) {
            if (n == when)
                offer(&b, 9, 10, 11);
            tick(&b);
            assert_int_equal(b.o.polled, n % SHORTEST == SHORTEST - 1);
            assert_int_equal(b.o.status, n >= 2 * SHORTEST - 1 || (n >= SHORTEST - 1 && when < SHORTEST - 1) ? 2 : 0);
        }
    }
}

TEST(interval_changes)
{
    static const struct {
        unsigned clock, from, to, shown;
    } change[] = {
        {100, 3, 1, 250},                       // shorter, not yet passed
        {249, 3, 1, 250},                       // it passes in this clock
        {250, 3, 1, 251},                       // it has passed: the next clock
        {700, 3, 0, 701},                       // long ago
        {99, 0, 1, 250},                        // longer, in the clock that would have ended the shorter one
        {50, 0, 3, 1000},                       // longer
        {249, 1, 15, 4096000}, {99, 1, 0, 100}, // code 0 is the shortest
    };
    for (unsigned n = 0; n < COUNT(change); n++)
        for (unsigned polls = 0; polls < 2; polls++) { // from reset, and from a poll
            bench b;
            fresh(&b);
            LEVEL(&b, interval, (uint8_t)change[n].from);
            for (unsigned k = 0; k < polls; k++)
                next_poll(&b, lengths[change[n].from]);
            ticks(&b, change[n].clock);
            assert_int_equal(b.o.polled, polls != 0 && change[n].clock == 0);
            LEVEL(&b, interval, (uint8_t)change[n].to);
            next_poll(&b, change[n].shown - change[n].clock);
            next_poll(&b, lengths[change[n].to]);
        }
}

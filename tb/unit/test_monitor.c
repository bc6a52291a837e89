// SPDX-License-Identifier: Apache-2.0
//
// totem_monitor: rules, meetings and intervals of docs/contract/monitor.md, alone and behind a totem_hub with its RAMs,
// where it plays the worked example of docs/throttle.md.

#include "block_bench.h"

#include "totem_hub.h"
#include "totem_monitor.h"
#include "totem_ram.h"

BENCH(monitor)

TOTEM_RAM(primitive_ram, uint32_t, TOTEM_HUB_DEPTH)

enum { FIFOS = TOTEM_SE_COUNT, DEPTH = 64, SHORTEST = 100 };

// Lengths of the codes.
static const uint32_t lengths[16] = {
    100, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000, 512000, 1024000, 2048000, 4096000,
};

static void counts(bench *b, unsigned count)
{
    for (unsigned c = 0; c < FIFOS; c++)
        LEVEL(b, count[c], (uint8_t)count);
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

static void offer(bench *b, uint8_t first, uint8_t second, uint8_t third)
{
    b->i.write_valid         = true;
    b->i.write_thresholds[0] = first;
    b->i.write_thresholds[1] = second;
    b->i.write_thresholds[2] = third;
}

static void expect_thresholds(const bench *b, uint8_t first, uint8_t second, uint8_t third)
{
    assert_int_equal(b->o.thresholds[0], first);
    assert_int_equal(b->o.thresholds[1], second);
    assert_int_equal(b->o.thresholds[2], third);
}

static void after_reset(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    counts(&b, DEPTH);
    ticks(&b, 2 * SHORTEST);
    assert_int_equal(b.o.status, 3);
    offer(&b, 1, 2, 3);
    ticks(&b, 50);
    totem_monitor_reset(&b.s);
    show(&b);
    expect_thresholds(&b, 16, 32, 48);
    assert_false(b.o.polled || b.o.refused);
    assert_int_equal(b.o.status, 0);
    assert_int_equal(next_poll(&b, SHORTEST), 3); // in full, from reset
}

static void every_interval(void **state)
{
    (void)state;
    for (uint8_t code = 0; code < 16; code++) {
        bench b;
        fresh(&b);
        LEVEL(&b, interval, code);
        for (unsigned n = 0; n < (code < 12 ? 3 : 1); n++)
            next_poll(&b, lengths[code]);
    }
}

// The fullest FIFO decides, whichever it is.
static void every_level(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    assert_int_equal(next_poll(&b, SHORTEST), 0); // empty
    for (unsigned fullest = 0; fullest < FIFOS; fullest++)
        for (unsigned level = 0; level <= DEPTH; level++) {
            counts(&b, level / 3);
            LEVEL(&b, count[fullest], (uint8_t)level);
            assert_int_equal(next_poll(&b, SHORTEST), level < 16 ? 0 : level < 32 ? 1 : level < 48 ? 2 : 3);
        }
}

static void held_between_polls(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    counts(&b, 40);
    assert_int_equal(next_poll(&b, SHORTEST), 2);
    for (unsigned n = 1; n < SHORTEST; n++) {
        counts(&b, n % (DEPTH + 1));
        tick(&b);
        assert_int_equal(b.o.status, 2);
        assert_false(b.o.polled);
    }
    counts(&b, 63); // the clock that the poll's edge ends
    tick(&b);
    assert_true(b.o.polled);
    assert_int_equal(b.o.status, 3);
}

// ---- thresholds

static void written_thresholds(void **state)
{
    static const uint8_t good[][3] = {{1, 2, 3}, {62, 63, 64}, {1, 2, 64}, {1, 63, 64}, {20, 21, 60}};
    (void)state;
    for (unsigned n = 0; n < sizeof good / sizeof *good; n++) {
        const uint8_t *t = good[n];
        bench          b;
        fresh(&b);
        offer(&b, t[0], t[1], t[2]);
        tick(&b);
        assert_false(b.o.refused);
        expect_thresholds(&b, t[0], t[1], t[2]);
        next_poll(&b, SHORTEST - 1);
        for (unsigned level = 0; level <= DEPTH; level++) {
            counts(&b, level);
            assert_int_equal(next_poll(&b, SHORTEST), level < t[0] ? 0 : level < t[1] ? 1 : level < t[2] ? 2 : 3);
        }
        expect_thresholds(&b, t[0], t[1], t[2]);
    }
}

static void refused_thresholds(void **state)
{
    static const uint8_t bad[][3] = {
        {0, 1, 2},    {0, 32, 48},   {0, 0, 0},    {1, 1, 2},    {16, 16, 48}, {1, 2, 2},
        {16, 32, 32}, {32, 16, 48},  {16, 48, 32}, {48, 32, 16}, {32, 48, 16}, {64, 1, 2},
        {62, 63, 65}, {16, 32, 127}, {16, 65, 66}, {64, 64, 64}, {127, 0, 1},  {48, 16, 32},
    };
    bench b;
    (void)state;
    fresh(&b);
    offer(&b, 10, 20, 30);
    tick(&b);
    for (unsigned n = 0; n < sizeof bad / sizeof *bad; n++) {
        offer(&b, bad[n][0], bad[n][1], bad[n][2]);
        tick(&b);
        assert_true(b.o.refused);
        expect_thresholds(&b, 10, 20, 30);
        if (n % 2 == 0) { // the others come in the clock that shows the refusal
            tick(&b);
            assert_false(b.o.refused);
        }
    }
    offer(&b, 11, 21, 31); // judged alone
    tick(&b);
    assert_false(b.o.refused);
    expect_thresholds(&b, 11, 21, 31);
}

// Without write_valid the payload says nothing.
static void no_write(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    for (uint8_t n = 0; n < 128; n++) {
        offer(&b, n, (uint8_t)(n + 1) % 128, (uint8_t)(n + 2) % 128);
        b.i.write_valid = false;
        tick(&b);
        assert_false(b.o.refused);
        expect_thresholds(&b, 16, 32, 48);
    }
}

// A write neither moves a poll nor counts for the poll whose edge ends its clock.
static void write_meets_poll(void **state)
{
    (void)state;
    for (unsigned when = SHORTEST - 5; when < SHORTEST + 5; when++) {
        bench b;
        fresh(&b);
        counts(&b, 10);
        for (unsigned n = 0; n < 2 * SHORTEST; n++) {
            if (n == when)
                offer(&b, 9, 10, 11);
            tick(&b);
            assert_int_equal(b.o.polled, n % SHORTEST == SHORTEST - 1);
            assert_int_equal(b.o.status, n >= 2 * SHORTEST - 1 || (n >= SHORTEST - 1 && when < SHORTEST - 1) ? 2 : 0);
        }
    }
}

// ---- the interval changes: clock of the change, codes, clocks after which the poll is shown

static void interval_changes(void **state)
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
    (void)state;
    for (unsigned n = 0; n < sizeof change / sizeof *change; n++)
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

static void interval_changes_at_a_poll(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    next_poll(&b, 100);
    LEVEL(&b, interval, 2); // in the clock that shows it
    next_poll(&b, 500);
    LEVEL(&b, interval, 0);
    next_poll(&b, 100);
}

// ---- behind the hub

typedef struct {
    bench         m;
    totem_hub     hub;
    totem_hub_in  in;
    totem_hub_out out;
    primitive_ram ram[FIFOS];
    unsigned      clock;
    uint8_t       level[FIFOS]; // each FIFO is pushed or popped until it holds as many
} machine;

static void open_machine(machine *t)
{
    memset(t, 0, sizeof *t);
    totem_hub_reset(&t->hub);
    totem_hub_outputs(&t->hub, &t->out);
    fresh(&t->m);
}

// The machine's wiring for one clock.
static void work(machine *t)
{
    for (unsigned c = 0; c < FIFOS; c++) {
        primitive_ram_out word;
        primitive_ram_outputs(&t->ram[c], &word);
        t->in.push_valid[c]    = t->out.count[c] < t->level[c];
        t->in.push_data[c]     = t->clock;
        t->in.pop_ready[c]     = t->out.count[c] > t->level[c];
        t->in.ram_read_data[c] = word.read_data;
        t->m.i.count[c]        = t->out.count[c];
        primitive_ram_step(&t->ram[c], &(primitive_ram_in){.write_enable = t->out.ram_write_enable[c],
                                                           .write_addr   = t->out.ram_write_addr[c],
                                                           .write_data   = t->out.ram_write_data[c],
                                                           .read_enable  = t->out.ram_read_enable[c],
                                                           .read_addr    = t->out.ram_read_addr[c]});
    }
    totem_hub_step(&t->hub, &t->in);
    totem_hub_outputs(&t->hub, &t->out);
    tick(&t->m);
    assert_false(t->out.fault);
    t->clock++;
}

// A push or pop is seen by the poll shown two clocks later, not by the one shown in the next clock.
static void push_meets_poll(void **state)
{
    (void)state;
    for (unsigned accepted = 96; accepted < 102; accepted++)
        for (unsigned pop = 0; pop < 2; pop++) {
            machine t;
            open_machine(&t);
            t.level[0] = (uint8_t)(15 + pop);
            while (t.clock < 200) {
                if (t.clock == accepted)
                    t.level[0] = (uint8_t)(16 - pop);
                work(&t);
                if (t.clock == 100)
                    assert_int_equal(t.m.o.status, pop ? accepted > 98 : accepted <= 98);
            }
            assert_int_equal(t.m.o.status, !pop);
        }
}

// The monitor's part of the worked example, interval code 0. The levels are reached well before the polls.
static void worked_example(void **state)
{
    static const struct {
        unsigned clock;
        uint8_t  level, other; // of the FIFO that is the fullest from then on, and of the others
    } plan[] = {{0, 8, 3}, {905, 40, 12}, {2905, 20, 20}, {3405, 15, 0}};
    static const struct {
        unsigned clock;
        uint8_t  status; // from this poll on
    } expected[] = {{100, 0}, {1000, 2}, {3000, 1}, {3500, 0}};
    (void)state;
    for (unsigned fullest = 0; fullest < FIFOS; fullest++) {
        machine  t;
        unsigned next = 0, polls = 0, shown = 0;
        open_machine(&t);
        while (t.clock < 3600) {
            if (next < 4 && t.clock == plan[next].clock) {
                for (unsigned c = 0; c < FIFOS; c++)
                    t.level[c] = c == fullest ? plan[next].level : plan[next].other;
                next++;
            }
            work(&t);
            assert_int_equal(t.m.o.polled, t.clock % 100 == 0);
            polls += t.m.o.polled;
            if (shown < 3 && t.clock == expected[shown + 1].clock)
                shown++;
            assert_int_equal(t.m.o.status, expected[shown].status);
        }
        assert_int_equal(polls, 36);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_reset),        cmocka_unit_test(every_interval),
        cmocka_unit_test(every_level),        cmocka_unit_test(held_between_polls),
        cmocka_unit_test(written_thresholds), cmocka_unit_test(refused_thresholds),
        cmocka_unit_test(no_write),           cmocka_unit_test(write_meets_poll),
        cmocka_unit_test(interval_changes),   cmocka_unit_test(interval_changes_at_a_poll),
        cmocka_unit_test(push_meets_poll),    cmocka_unit_test(worked_example),
    };

    return cmocka_run_group_tests_name("monitor", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_wave: rules, latencies and meetings of docs/contract/wave.md. The bench holds the deadlines.

#include "block_bench.h"

#include "totem_wave.h"

BENCH(wave)

enum { HOLE = 1, READ_ONLY, VALUE, SPREAD = 16, SEED = 32, RATE, OCCUPIED_LOW, OCCUPIED_HIGH };

// A deadline, with graphics also what the wave exports.
typedef __typeof__(((totem_wave_in *)0)->time_read_data) time_word;

typedef struct {
    bench     b;
    time_word time[TOTEM_SLOTS];
} time_bench;

static void open_bench(time_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
}

// A clock of block and deadlines: a read returns what was there before a write of the same clock.
static void clock_edge(time_bench *t)
{
    assert_true(t->b.o.time_read_enable);
    TICK_WITH_RAM(t, t->time, time);
}

static uint32_t reg(time_bench *t, bool write, unsigned dword, unsigned strobe, uint32_t data, unsigned error)
{
    t->b.hold.host_valid  = true;
    t->b.hold.host_write  = write;
    t->b.hold.host_dword  = (uint8_t)dword;
    t->b.hold.host_strobe = (uint8_t)strobe;
    t->b.hold.host_data   = data;
    const time_word read  = t->b.hold.time_read_data;
    t->b.i                = t->b.hold;
    t->b.i.time_read_data = read;
    clock_edge(t);
    assert_true(t->b.o.host_done); // one clock later
    assert_int_equal(t->b.o.host_error, error);
    const uint32_t got   = t->b.o.host_rdata;
    t->b.hold.host_valid = t->b.i.host_valid = false;
    clock_edge(t);
    assert_false(t->b.o.host_done);
    return got;
}

static void launch(time_bench *t, unsigned slot, unsigned entry)
{
    t->b.i.launch_valid   = true;
    t->b.i.launch_slot    = (uint8_t)slot;
    t->b.i.launch_program = 0x123450u | entry;
    clock_edge(t);
}

// Launched in n, with d = n + 1 + duration: done between max(d + 1, n + 4) and max(d, n + 3) + SLOTS.
TEST(wave_ends_after_its_duration)
{
    static const uint32_t durations[] = {0, 1, 2, 3, 5, 17, 100, 1000};
    for (unsigned row = 0; row < 8; row++)
        for (unsigned slot = 0; slot < TOTEM_SLOTS; slot += 5) {
            time_bench     t;
            const uint32_t d = 1 + durations[row];
            open_bench(&t);
            reg(&t, true, 3, 15, durations[row], 0);
            launch(&t, slot, 3);
            unsigned n = 1;
            while (!t.b.o.done_valid) {
                assert_true(t.b.o.occupied[slot]);
                assert_true(n < 3000);
                clock_edge(&t);
                n++;
            }
            assert_int_equal(t.b.o.done_slot, slot);
            assert_true(n >= (d + 1 > 4 ? d + 1 : 4));
            assert_true(n <= (d > 3 ? d : 3) + TOTEM_SLOTS);
            assert_false(t.b.o.occupied[slot]);
            for (unsigned k = 0; k < 2 * TOTEM_SLOTS; k++) { // once
                clock_edge(&t);
                assert_false(t.b.o.done_valid);
            }
        }
}

// The longest duration and spread: a deadline is compared modulo 2^32.
TEST(longest_duration)
{
    time_bench t;
    open_bench(&t);
    reg(&t, true, 3, 15, (1u << 30) - 1, 0);
    reg(&t, true, SPREAD + 3, 15, 30, 0);
    reg(&t, true, SEED, 15, ~0u, 0);
    launch(&t, 0, 3);
    const uint32_t end = t.b.s.now + 2 * ((1u << 30) - 1);
    for (unsigned n = 0; n < 2 * TOTEM_SLOTS; n++, clock_edge(&t))
        assert_false(t.b.o.done_valid);
    assert_int_equal((uint32_t)t.time[0], end);
    t.b.s.now = end - TOTEM_SLOTS;
    for (unsigned n = 0; n < TOTEM_SLOTS; n++, clock_edge(&t))
        assert_false(t.b.o.done_valid);
    for (unsigned n = 0; !t.b.o.done_valid; n++, clock_edge(&t))
        assert_true(n < TOTEM_SLOTS + 2);
}

static uint32_t xorshift(uint32_t s)
{
    s ^= s << 13;
    s ^= s >> 17;
    return s ^ s << 5;
}

TEST(deadline_and_seed)
{
    time_bench t;
    open_bench(&t);
    reg(&t, true, 5, 15, 1000, 0);
    reg(&t, true, SPREAD + 5, 15, 9, 0);
    reg(&t, true, SEED, 15, 0xdeadbeef, 0);
    uint32_t seed = 0xdeadbeef;
    for (unsigned n = 0; n < 10; n++) {
        launch(&t, n, 5);
        assert_true(t.b.o.time_write_enable);
        assert_int_equal(t.b.o.time_write_addr, n);
        assert_int_equal((uint32_t)t.b.o.time_write_data, t.b.s.now + 1000 + (seed & 0x1ff));
        seed = xorshift(seed);
    }
    clock_edge(&t);
    assert_int_equal(reg(&t, false, SEED, 15, 0, 0), seed);
}

TEST(rate_of_launches)
{
    static const uint32_t rates[] = {0, 1, 2, 3, 4, 5, 300};
    for (unsigned row = 0; row < COUNT(rates); row++) {
        const uint32_t rate = rates[row];
        time_bench     t;
        unsigned       taken = 0;
        open_bench(&t);
        reg(&t, true, RATE, 15, rate, 0);
        for (unsigned n = 0; n < 2 * rate + 12; n++) {
            const bool ready = t.b.o.launch_ready;
            assert_int_equal(ready, rate < 2 || n % rate == 0);
            launch(&t, taken, 0);
            taken += ready;
        }
    }
}

TEST(host_registers)
{
    time_bench t;
    open_bench(&t);
    assert_int_equal(reg(&t, false, SEED, 15, 0, 0), 1);
    for (unsigned n = 0; n < 34; n++) {
        const uint32_t value = n < 16 ? 0xfffffff0u + n : n < 32 ? 30 - (n - 16) : n == SEED ? 0x12345678 : 0xffff;
        assert_int_equal(reg(&t, true, n, 15, value, 0), 0);
        assert_int_equal(reg(&t, false, n, 0, 0, 0), value);
    }
    reg(&t, true, SPREAD, 15, 31, VALUE);
    reg(&t, true, SPREAD, 15, 0x100, VALUE);
    reg(&t, true, SEED, 15, 0, VALUE);
    reg(&t, true, RATE, 15, 0x10000, VALUE);
    reg(&t, true, OCCUPIED_LOW, 15, 0, READ_ONLY);
    reg(&t, true, OCCUPIED_HIGH, 15, 0, READ_ONLY);
    reg(&t, true, 254, 15, 0, HOLE);
    assert_int_equal(reg(&t, false, 255, 15, 0, HOLE), 0);
    assert_int_equal(reg(&t, false, 0, 15, 0, 0), 0xfffffff0);
    reg(&t, true, 0, 4, 0x00ab0000, 0); // byte strobes
    assert_int_equal(reg(&t, false, 0, 15, 0, 0), 0xffabfff0);
    reg(&t, true, SPREAD, 2, 0x0100, VALUE); // what results from the merge counts
    reg(&t, true, 1, 0, 0, 0);               // nothing is written
    assert_int_equal(reg(&t, false, 1, 15, 0, 0), 0xfffffff1);
}

TEST(occupied_is_shown)
{
    time_bench t;
    open_bench(&t);
    reg(&t, true, 0, 15, 5000, 0);
    launch(&t, 3, 0);
    launch(&t, TOTEM_SLOTS - 1, 0);
    assert_int_equal(reg(&t, false, OCCUPIED_LOW, 15, 0, 0),
                     8u | (TOTEM_SLOTS <= 32 ? 1u << (TOTEM_SLOTS - 1) % 32 : 0));
    assert_int_equal(reg(&t, false, OCCUPIED_HIGH, 15, 0, 0), TOTEM_SLOTS > 32 ? 1u << (TOTEM_SLOTS - 1) % 32 : 0);
}

// A wave of queue q, epoch e of (fe 0, pipe 0).
static void launch_of(time_bench *t, unsigned slot, unsigned entry, unsigned q, unsigned e)
{
    t->b.i.launch_queue = (uint8_t)q;
    t->b.i.launch_epoch = (uint8_t)e;
    launch(t, slot, entry);
}

static void kill(time_bench *t, unsigned fe, unsigned pipe, unsigned q, unsigned epochs)
{
    t->b.i.kill_valid  = true;
    t->b.i.kill_fe     = (uint8_t)fe;
    t->b.i.kill_pipe   = pipe != 0;
    t->b.i.kill_queue  = (uint8_t)q;
    t->b.i.kill_epochs = (uint8_t)epochs;
    clock_edge(t);
}

// Which of the first four slots end within a round, each once.
static unsigned ends(time_bench *t)
{
    unsigned ended = 0;
    for (unsigned n = 0; n < TOTEM_SLOTS + 2; n++) {
        if (t->b.o.done_valid) {
            assert_true(t->b.o.done_slot < 4);
            assert_int_equal(ended >> t->b.o.done_slot & 1, 0);
            ended |= 1u << t->b.o.done_slot;
        }
        clock_edge(t);
    }
    return ended;
}

// Endless waves end by a kill that names them, all of it; deaf ones at their time.
TEST(kills)
{
    enum { NEVER = 1, DEAF = 2 };
    time_bench t;
    open_bench(&t);
    reg(&t, true, NEVER, 15, 1u << 30, 0);
    reg(&t, true, DEAF, 15, 1u << 31 | 12 * TOTEM_SLOTS, 0);
    launch_of(&t, 0, NEVER, 1, 0);
    launch_of(&t, 1, NEVER, 1, 1);
    launch_of(&t, 2, NEVER, 2, 0);
    launch_of(&t, 3, DEAF, 1, 0);
    assert_int_equal(ends(&t), 0);
    kill(&t, 1, 0, 1, 3);
    kill(&t, 0, 1, 1, 3);
    kill(&t, 0, 0, 0, 3);
    kill(&t, 0, 0, 1, TOTEM_EPOCHS > 2 ? 4 : 0);
    assert_int_equal(ends(&t), 0); // nobody was meant
    kill(&t, 0, 0, 1, 2);
    assert_int_equal(ends(&t), 2);
    kill(&t, 0, 0, 1, 3);
    assert_int_equal(ends(&t), 1); // not the deaf one
    kill(&t, 0, 0, 2, 1);
    assert_int_equal(ends(&t), 4);
    unsigned late = 0;
    for (unsigned n = 0; n < 12 && late == 0; n++)
        late = ends(&t);
    assert_int_equal(late, 8);
    launch_of(&t, 1, NEVER, 1, 1); // a mark does not outlive its wave
    assert_int_equal(ends(&t), 0);
}

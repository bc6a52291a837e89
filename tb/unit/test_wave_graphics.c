// SPDX-License-Identifier: Apache-2.0
//
// totem_wave in a machine with graphics: geometry waves export before they are done (docs/contract/wave.md). The bench
// holds the deadlines.

#include "block_bench.h"

// The twin of a machine with graphics stands in the place of the library's.
#include "totem_config.h"
#undef TOTEM_GRAPHICS
#define TOTEM_GRAPHICS 1
#undef TOTEM_TASKS
#define TOTEM_TASKS 0
#include "totem_wave.c"

BENCH(wave)

enum { HOST_HOLE = 1, HOST_VALUE = 3, FOREVER = 1 << 30, ROUND = TOTEM_SLOTS + 4 };

typedef struct {
    bench    b;
    uint64_t time[TOTEM_SLOTS];
    unsigned exports[TOTEM_SLOTS], dones[TOTEM_SLOTS];
} time_bench;

static void open_bench(time_bench *t, bool ready)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    LEVEL(&t->b, export_ready, ready);
}

// Counts what was exported and what is done.
static void clock_edge(time_bench *t)
{
    if (t->b.o.export_valid && t->b.i.export_ready)
        t->exports[t->b.o.export_slot]++;
    TICK_WITH_RAM(t, t->time, time);
    if (t->b.o.done_valid)
        t->dones[t->b.o.done_slot]++;
}

static void clocks(time_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static uint32_t reg(time_bench *t, bool write, unsigned dword, uint32_t data, unsigned error)
{
    t->b.i.host_valid  = true;
    t->b.i.host_write  = write;
    t->b.i.host_dword  = (uint8_t)dword;
    t->b.i.host_strobe = 15;
    t->b.i.host_data   = data;
    clock_edge(t);
    assert_true(t->b.o.host_done);
    assert_int_equal(t->b.o.host_error, error);
    const uint32_t got = t->b.o.host_rdata;
    clock_edge(t);
    return got;
}

static void launch(time_bench *t, unsigned slot, unsigned kind, unsigned entry, unsigned primitives)
{
    t->b.i.launch_valid      = true;
    t->b.i.launch_slot       = (uint8_t)slot;
    t->b.i.launch_kind       = (uint8_t)kind;
    t->b.i.launch_program    = 0x678900u | entry;
    t->b.i.launch_primitives = (uint8_t)primitives;
    clock_edge(t);
}

static void kill(time_bench *t)
{
    t->b.i.kill_valid  = true;
    t->b.i.kill_epochs = 1;
    clock_edge(t);
}

static unsigned until_offer(time_bench *t)
{
    unsigned n = 0;
    for (; !t->b.o.export_valid; n++) {
        assert_true(n < 3 * ROUND);
        clock_edge(t);
    }
    return n;
}

// Whether slots are visited in the clock `ahead` of this one.
static void until_visit(time_bench *t, unsigned slot, unsigned ahead)
{
    while ((t->b.s.visit + ahead) % TOTEM_SLOTS != slot)
        clock_edge(t);
}

TEST(registers)
{
    time_bench t;
    open_bench(&t, true);
    for (unsigned n = 0; n < 16; n++) {
        assert_int_equal(reg(&t, false, 48 + n, 0, 0), 1);
        assert_int_equal(reg(&t, false, 64 + n, 0, 0), 0);
        reg(&t, true, 48 + n, n % 5 | n << 12, 0);
        reg(&t, true, 64 + n, 0xfffff - n, 0);
    }
    for (unsigned n = 0; n < 16; n++) {
        assert_int_equal(reg(&t, false, 48 + n, 0, 0), n % 5 | n << 12);
        assert_int_equal(reg(&t, false, 64 + n, 0, 0), 0xfffff - n);
    }
    reg(&t, true, 48, 5, HOST_VALUE);
    reg(&t, true, 48, 8, HOST_VALUE);
    reg(&t, true, 63, 1 << 16, HOST_VALUE);
    reg(&t, true, 79, 1 << 20, HOST_VALUE);
    reg(&t, false, 36, 0, HOST_HOLE);
    reg(&t, true, 47, 0, HOST_HOLE);
    reg(&t, false, 80, 0, HOST_HOLE);
}

// p x PRIMITIVES, less n/256 of them.
TEST(primitives_of_an_export)
{
    static const struct {
        unsigned primitives, multiplier, culled, out;
    } rows[] = {{64, 4, 0, 256}, {64, 4, 255, 1}, {64, 1, 128, 32}, {1, 1, 255, 1}, {3, 3, 100, 6},
                {1, 0, 0, 0},    {0, 4, 10, 0},   {63, 2, 1, 126},  {64, 4, 1, 255}};
    for (unsigned n = 0; n < COUNT(rows); n++) {
        time_bench t;
        open_bench(&t, false);
        reg(&t, true, 48 + 7, rows[n].multiplier | rows[n].culled << 8, 0);
        reg(&t, true, 64 + 7, 0xffff0 + n, 0);
        launch(&t, 5, WAVE_GEOMETRY, 7, rows[n].primitives);
        until_offer(&t);
        assert_int_equal(t.b.o.export_slot, 5);
        assert_int_equal(t.b.o.export_primitives, rows[n].out);
        assert_int_equal(t.b.o.export_pixels, 0xffff0 + n);
    }
}

// Killed before its export begins: none of its primitives.
TEST(killed_wave_exports_nothing)
{
    time_bench t;
    open_bench(&t, false);
    reg(&t, true, 1, FOREVER, 0);
    launch(&t, 6, WAVE_GEOMETRY, 1, 64);
    clocks(&t, 2 * ROUND);
    assert_false(t.b.o.export_valid);
    kill(&t);
    until_offer(&t);
    assert_true(t.b.o.export_slot == 6 && t.b.o.export_primitives == 0);
    LEVEL(&t.b, export_ready, true);
    clocks(&t, ROUND);
    assert_int_equal(t.dones[6], 1);
}

// ---- meetings

// The end of other waves waits for no export.
TEST(full_assembler_holds_geometry_only)
{
    time_bench t;
    open_bench(&t, false);
    for (unsigned slot = 0; slot < 8; slot++)
        launch(&t, slot, slot % 2 ? WAVE_COMPUTE : WAVE_GEOMETRY, 0, 5);
    clocks(&t, 2 * ROUND);
    for (unsigned slot = 0; slot < 8; slot++)
        assert_true(t.dones[slot] == slot % 2 && t.b.o.occupied[slot] == !(slot % 2));
    LEVEL(&t.b, export_ready, true);
    clocks(&t, 5 * ROUND);
    for (unsigned slot = 0; slot < 8; slot++)
        assert_int_equal(t.dones[slot], 1);
}

// Slot 1 is visited while slot 0 exports, always: slot 0 has a new wave in every round. It comes next all the same.
TEST(refused_wave_comes_next)
{
    time_bench t;
    open_bench(&t, true);
    until_visit(&t, 0, 4);
    launch(&t, 0, WAVE_GEOMETRY, 0, 1);
    launch(&t, 1, WAVE_GEOMETRY, 0, 1);
    for (unsigned n = 0; n < 8 * ROUND && !t.dones[1]; n++)
        if (!t.b.o.occupied[0] && !t.b.o.done_valid)
            launch(&t, 0, WAVE_GEOMETRY, 0, 1);
        else
            clock_edge(&t);
    assert_true(t.dones[1] == 1 && t.dones[0] >= 4);
    assert_true(t.dones[0] <= 5);
}

// SPDX-License-Identifier: Apache-2.0
//
// bank_bench: totem_bank alone. The bench holds the register RAM and the launch state RAM. Clock 0 is the one in which
// a neighbour asks.

#ifndef BANK_BENCH_H
#define BANK_BENCH_H

#include "block_bench.h"
#include "tests.h"

#include "totem_bank.h"
#include "totem_hqd_values.h"

BENCH(bank)

enum {
    Q         = TOTEM_QUEUES - 1,
    INITIATOR = 0x00,
    DIM       = 0x01,
    START     = 0x04,
    THREAD_X  = 0x07,
    THREAD_Y  = 0x08,
    THREAD_Z  = 0x09,
    PGM_LO    = 0x0c,
    PGM_HI    = 0x0d,
    RSRC1     = 0x12,
    RSRC2     = 0x13,
    TMPRING   = 0x18,
    SCRATCH   = 0x10, // its low half
    RESTART   = 0x1b,
    RELAUNCH  = 0x22,
    RSRC3     = 0x28,
    RSRC3_OLD = 0x2d, // of GFX9.4
    USER_DATA = 0x40,
    DERIVED   = 0x7c,
    THREADS   = 0x7d,
    LOADED    = 10, // clocks from go to loaded
    RESUMED   = 18, // with an unfinished grid
};

typedef struct {
    bench    b;
    uint32_t ram[TOTEM_QUEUES * 128];
    uint32_t low[TOTEM_QUEUES * 16], high[TOTEM_QUEUES * 16];
    unsigned now, reads;
    uint16_t read[16];
} register_bench;

static inline void clock_edge(register_bench *t)
{
    const totem_bank_out o = t->b.o;
    assert_false(o.ram_read_enable && o.ram_write_enable && o.ram_read_addr == o.ram_write_addr);
    if (o.ram_read_enable && t->reads < 16)
        t->read[t->reads++] = o.ram_read_addr;
    if (o.state_low_write_enable)
        t->low[o.state_low_write_addr] = o.state_low_write_data;
    if (o.state_high_write_enable)
        t->high[o.state_high_write_addr] = o.state_high_write_data;
    TICK_WITH_RAM(t, t->ram, ram);
    t->now++;
    assert_false((t->b.s.loading && t->b.s.saving) || (t->b.s.loaded && (t->b.s.loading || t->b.s.saving)));
    assert_false(t->b.s.go_pending && (t->b.s.loaded || t->b.s.loading));
}

static inline void clocks(register_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static inline void open_bench(register_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
}

static inline void mapped(register_bench *t, uint8_t queue)
{
    LOAD_WORD(&t->b, queue, LOAD_ACTIVE, 1);
}

static inline void go(register_bench *t, uint8_t queue)
{
    t->b.i.arbiter_go       = true;
    t->b.i.arbiter_selected = queue;
    t->now = t->reads = 0;
}

static inline void loaded_in(register_bench *t, unsigned clock)
{
    while (t->now < clock) {
        clock_edge(t);
        if (t->b.o.loaded != (t->now == clock))
            fail_msg("loaded is %d in clock %u, not %u", t->b.o.loaded, t->now, clock);
    }
}

static inline void put(register_bench *t, uint8_t offset, uint32_t data)
{
    t->b.i.packet_write  = true;
    t->b.i.packet_offset = offset;
    t->b.i.packet_data   = data;
}

// A write of the packet processor, and the clock behind it.
static inline void puts_in(register_bench *t, uint8_t offset, uint32_t data)
{
    put(t, offset, data);
    clock_edge(t);
}

// Another queue takes the pipe.
static inline void goes(register_bench *t, uint8_t queue, unsigned clock)
{
    go(t, queue);
    loaded_in(t, clock);
}

// A write of the RAM in this clock.
static inline void writes(register_bench *t, uint8_t queue, unsigned offset)
{
    assert_true(t->b.o.ram_write_enable);
    assert_int_equal(t->b.o.ram_write_addr, queue * 128 + offset);
}

// The clear of that queue writes from this offset on, one a clock.
static inline void clears(register_bench *t, uint8_t queue, unsigned from)
{
    for (unsigned n = from; n < 128; n++, clock_edge(t))
        writes(t, queue, n);
}

// A queue selected with all its registers 0.
static inline void selected(register_bench *t, uint8_t queue)
{
    open_bench(t);
    goes(t, queue, LOADED);
}

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_divide: rules of docs/contract/divide.md.

#include "block_bench.h"
#include "tests.h"

#include "totem_divide.h"

BENCH(divide)

enum { CLOCKS = 108 };

typedef struct {
    uint32_t threads[3], per_group[3];
} grid;

// The register RAM behind bank: what was asked for in this clock stands there two clocks later.
static void answer(bench *b, const grid *g, uint32_t pipe[2])
{
    b->i.register_ram_read_data = pipe[1];
    pipe[1]                     = pipe[0];
    pipe[0]                     = b->o.read ? 0xabcd0000u | g->per_group[b->o.read_place] : 0x55555555u;
}

static void hand_over(bench *b, const grid *g)
{
    for (uint8_t n = 0; n < 3; n++) {
        b->i.packet_valid = true;
        b->i.packet_place = n;
        b->i.packet_data  = g->threads[n];
        tick(b);
        assert_false(b->o.busy);
    }
}

static void divide(bench *b, const grid *g, unsigned clocks)
{
    uint32_t pipe[2]  = {0, 0};
    b->i.packet_start = true;
    tick(b);
    for (unsigned n = 0; n < clocks; n++) {
        assert_true(b->o.busy);
        answer(b, g, pipe);
        tick(b);
    }
}

static void check(const bench *b, const grid *g)
{
    assert_false(b->o.busy);
    bool uneven = false;
    for (unsigned n = 0; n < 3; n++) {
        const uint32_t full = g->per_group[n], left = g->threads[n] % full;
        assert_int_equal(b->o.quotient[n], ((uint64_t)g->threads[n] + full - 1) / full);
        assert_int_equal(b->o.fields[n], (left ? left : full) << 16 | full);
        uneven = uneven || left;
    }
    assert_int_equal(b->o.uneven, uneven);
}

static void divided(bench *b, const grid *g)
{
    hand_over(b, g);
    divide(b, g, CLOCKS);
    check(b, g);
}

static const grid grids[] = {
    {{1, 1, 1}, {1, 1, 1}},
    {{0, 0, 0}, {64, 1, 7}},
    {{640, 480, 1}, {64, 4, 1}},
    {{641, 481, 2}, {64, 4, 1}},
    {{0xffffffff, 0xffffffff, 0xffffffff}, {1, 2, 65535}},
    {{0xffffffff, 0x80000000, 0x80000001}, {65534, 0x8000, 0x8000}},
    {{65535, 65536, 65537}, {65535, 65535, 65535}},
    {{1, 2, 3}, {65535, 3, 2}},
    {{1000003, 99991, 1021}, {997, 251, 13}},
    {{0x12345678, 0xfedcba98, 0x7fffffff}, {0x1234, 0x8001, 3}},
    {{0xaaaaaaaa, 0x55555555, 0x00ffff00}, {0x5555, 0xaaaa, 0xff}},
};

// A packet that comes again: its first dimension ends the division, whatever it has come to.
TEST(given_up)
{
    bench b;
    fresh(&b);
    for (unsigned clocks = 0; clocks < CLOCKS; clocks++) {
        hand_over(&b, &grids[8]);
        divide(&b, &grids[8], clocks);
        assert_true(b.o.busy);
        divided(&b, &grids[3]);
    }
}

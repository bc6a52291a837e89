// SPDX-License-Identifier: Apache-2.0
//
// totem_launch in a machine with graphics: what a GS or PS wave carries (docs/contract/launch.md).

#include "block_bench.h"

// The twin of a machine with graphics stands in the place of the library's.
#include "totem_config.h"
#undef TOTEM_GRAPHICS
#define TOTEM_GRAPHICS 1
#include "totem_launch.c"

BENCH(launch)

// Two waves and a group, one behind the other: each has its kind, draw state, set and primitives, and only the group
// releases a state buffer.
TEST(kinds)
{
    bench b;
    fresh(&b);
    b.i.grant_program = 0;
    ticks(&b, 2);
    for (unsigned n = 0; n < 3; n++) {
        const uint8_t kind   = (uint8_t)((n + 1) % 3);
        b.i.grant_valid      = b.o.room;
        b.i.grant_pipe       = 2;
        b.i.grant_waves      = 1;
        b.i.grant_kind       = kind;
        b.i.grant_draw       = kind;
        b.i.grant_set        = kind & 1;
        b.i.grant_group      = 0x100000000 + n;
        b.i.grant_threads    = 32;
        b.i.grant_primitives = (uint8_t)(64 - n);
        tick(&b);
        assert_true(b.o.launch_valid);
        tick(&b); // not ready: it stays
        assert_int_equal(b.o.launch_kind, kind);
        assert_int_equal(b.o.launch_draw, kind);
        assert_int_equal(b.o.launch_set, kind & 1);
        assert_int_equal(b.o.launch_primitives, 64 - n);
        assert_int_equal(b.o.launch_group, 0x100000000 + n);
        b.i.launch_ready = true;
        tick(&b);
        assert_true(b.o.alloc_valid);
        assert_int_equal(b.o.alloc_kind, kind);
        assert_int_equal(b.o.alloc_draw, kind);
        assert_int_equal(b.o.release_valid, kind == WAVE_COMPUTE);
    }
}

// They move up with their wave.
TEST(kinds_move_up)
{
    bench b;
    fresh(&b);
    ticks(&b, 2);
    for (unsigned n = 0; n < 2; n++) {
        b.i.grant_valid      = true;
        b.i.grant_waves      = 1;
        b.i.grant_kind       = (uint8_t)(n + 1);
        b.i.grant_draw       = (uint8_t)(n + 1);
        b.i.grant_set        = (uint8_t)n;
        b.i.grant_primitives = (uint8_t)(n + 5);
        tick(&b);
    }
    for (unsigned n = 0; n < 2; n++) {
        assert_int_equal(b.o.launch_kind, n + 1);
        assert_int_equal(b.o.launch_draw, n + 1);
        assert_int_equal(b.o.launch_set, n);
        assert_int_equal(b.o.launch_primitives, n + 5);
        b.i.launch_ready = true;
        tick(&b);
    }
}

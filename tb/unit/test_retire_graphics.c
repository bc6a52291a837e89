// SPDX-License-Identifier: Apache-2.0
//
// totem_retire in a machine with graphics: kind and draw state come back (docs/contract/retire.md).

#include "block_bench.h"

// The twin of a machine with graphics stands in the place of the library's.
#include "totem_config.h"
#undef TOTEM_GRAPHICS
#define TOTEM_GRAPHICS 1
#include "totem_retire.c"

BENCH(retire)

typedef struct {
    bench    b;
    uint64_t table[TOTEM_SLOTS];
} table_bench;

TEST(kind_and_draw_state_come_back)
{
    table_bench t = {0};
    fresh(&t.b);
    for (unsigned n = 0; n < 3; n++) {
        t.b.i.alloc_valid = t.b.i.alloc_first = true;
        t.b.i.alloc_waves                     = 1;
        t.b.i.alloc_pipe                      = 2;
        t.b.i.alloc_epoch                     = 3;
        t.b.i.alloc_slot                      = (uint8_t)(5 - n);
        t.b.i.alloc_kind                      = (uint8_t)n;
        t.b.i.alloc_draw                      = (uint8_t)(TOTEM_DRAW_STATES - 1 - n);
        TICK_WITH_RAM(&t, t.table, table);
    }
    TICK_WITH_RAM(&t, t.table, table);
    assert_int_equal(t.table[3] >> 32 & 3, 2); // the word of the last one
    assert_int_equal(t.table[3] >> 34, TOTEM_DRAW_STATES - 3);
    for (unsigned n = 0; n < 3; n++) {
        t.b.i.done_valid = true;
        t.b.i.done_slot  = (uint8_t)(5 - n);
        for (unsigned clock = 0; clock < 4; clock++) {
            assert_false(t.b.o.complete_valid && n == 0);
            TICK_WITH_RAM(&t, t.table, table);
        }
        assert_true(t.b.o.free_valid && t.b.o.complete_valid);
        assert_int_equal(t.b.o.free_kind, n);
        assert_int_equal(t.b.o.complete_kind, n);
        assert_int_equal(t.b.o.complete_draw, TOTEM_DRAW_STATES - 1 - n);
        assert_int_equal(t.b.o.complete_pipe, 2);
        assert_int_equal(t.b.o.complete_epoch, 3);
    }
}

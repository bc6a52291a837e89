// SPDX-License-Identifier: Apache-2.0
//
// totem_engine_kill in a machine with graphics (docs/contract/engine_kill.md).
// Configuration: full, because a front end alone shares nothing.

#include "block_bench.h"

// The twin of a machine with graphics stands in the place of the library's.
#include "totem_config.h"
#undef TOTEM_GRAPHICS
#define TOTEM_GRAPHICS 1
#include "totem_engine_kill.c"

// Every set of graphics ports that have a kill: the lowest is shown, as pipe 2, and taken, unless a compute port has
// one.
TEST(graphics_behind_compute)
{
    for (unsigned who = 0; who < 2u << TOTEM_FE_COUNT; who++) {
        const bool            compute = who >> TOTEM_FE_COUNT != 0;
        totem_engine_kill_in  i       = {0};
        totem_engine_kill_out o;
        unsigned              front = 0;
        while ((who & ((1u << TOTEM_FE_COUNT) - 1)) != 0 && (who >> front & 1) == 0)
            front++;
        const bool graphics = !compute && who != 0;

        for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
            i.graphics_port_kill_valid[f]  = who >> f & 1;
            i.graphics_port_kill_queue[f]  = f % 2;
            i.graphics_port_kill_epochs[f] = (uint8_t)(1 << f);
        }
        i.port_kill_valid[TOTEM_FE_COUNT - 1]  = compute;
        i.port_kill_queue[TOTEM_FE_COUNT - 1]  = 3;
        i.port_kill_epochs[TOTEM_FE_COUNT - 1] = 9;
        totem_engine_kill_outputs(&i, &o);
        assert_int_equal(o.kill_valid, who != 0);
        if (who != 0) {
            assert_int_equal(o.kill_fe, graphics ? front : TOTEM_FE_COUNT - 1);
            assert_int_equal(o.kill_pipe, graphics ? 2 : 0);
            assert_int_equal(o.kill_queue, graphics ? front % 2 : 3);
            assert_int_equal(o.kill_epochs, graphics ? 1 << front : 9);
        }
        for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
            assert_int_equal(o.graphics_port_kill_ready[f], graphics && f == front);
    }
}

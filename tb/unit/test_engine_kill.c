// SPDX-License-Identifier: Apache-2.0
//
// totem_engine_kill: rules of docs/contract/engine_kill.md.
// Configuration: full, because a front end alone shares nothing.

#include "block_bench.h"

#include "totem_engine_kill.h"

// Every set of front ends that have a kill: the lowest is shown with all that it says, and it alone is taken. Without a
// kill the first is ready.
TEST(lowest_front_end_first)
{
    totem_engine_kill_in  i = {0};
    totem_engine_kill_out o;
    for (unsigned who = 0; who < 1u << TOTEM_FE_COUNT; who++) {
        unsigned front = 0;
        while (who != 0 && (who >> front & 1) == 0)
            front++;
        for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
            i.port_kill_valid[f]  = who >> f & 1;
            i.port_kill_pipe[f]   = f % 2 == 1;
            i.port_kill_queue[f]  = (uint8_t)(TOTEM_QUEUES - 1 - f);
            i.port_kill_epochs[f] = (uint8_t)(3 << f);
        }
        totem_engine_kill_outputs(&i, &o);
        assert_int_equal(o.kill_valid, who != 0);
        assert_int_equal(o.kill_path, 0);
        assert_int_equal(o.kill_fe, front);
        assert_int_equal(o.kill_pipe, front % 2);
        assert_int_equal(o.kill_queue, TOTEM_QUEUES - 1 - front);
        assert_int_equal(o.kill_epochs, 3 << front);
        for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
            assert_int_equal(o.kill_ready[f], f == front);
    }
}

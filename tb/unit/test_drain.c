// SPDX-License-Identifier: Apache-2.0
//
// totem_drain: what a slot that leaves waits for, every case of a queue (docs/contract/drain.md).

#include "block_bench.h"

#include "totem_drain.h"

enum { RESET = 2, LEAVE = 4 };

// What queue q says, in bits.
static void says(totem_drain_in *i, unsigned q, unsigned type, unsigned bits)
{
    i->hqd_dequeue[q]     = (uint8_t)type;
    i->hqd_killing[q]     = bits & 1;
    i->kill_ended[q]      = bits & 2;
    i->fence_settled[q]   = bits & 4;
    i->record_busy[q]     = bits & 8;
    i->fetch_reporting[q] = bits & 16;
    i->arbiter_active[q]  = bits & 32;
}

TEST(every_case)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        for (unsigned type = 0; type <= LEAVE; type++)
            for (unsigned bits = 0; bits < 128; bits++) {
                totem_drain_in  i = {0};
                totem_drain_out o;
                for (unsigned n = 0; n < TOTEM_QUEUES; n++) // the others do not count
                    says(&i, n, bits & 64 ? LEAVE : 0, bits & 64 ? 47 : 16);
                says(&i, q, type, bits);
                totem_drain_outputs(&i, &o);
                const bool waves = type == RESET ? (bits & 3) == 3 : type == LEAVE || (bits & 4);
                assert_int_equal(o.drained[q], waves && !(bits & 24));
                assert_int_equal(o.free[q], !(bits & 56));
            }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_bus: rules of docs/contract/bus.md.
// Configuration: full, because one lane has no turn.

#include "block_bench.h"

#include "totem_bus.h"

BENCH(bus)

// Source n of front end f.
static unsigned at(unsigned f, unsigned n)
{
    return f * TOTEM_SOURCES + n;
}

// Every word of a clock is on a lane of its own in the next, lanes in turn, front ends ascending. Source 0 alone is
// always ready.
TEST(lanes_in_turn)
{
    bench    b;
    unsigned turn = 0;
    uint64_t word = 1;
    fresh(&b);
    for (unsigned round = 0; round < 200; round++) {
        const unsigned senders               = round * 7 % (1u << TOTEM_FE_COUNT);
        uint64_t       expected[TOTEM_LANES] = {0};
        for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
            assert_true(b.o.source_ready[at(f, 0)]);
            b.i.source_valid[at(f, 0)] = senders >> f & 1;
            b.i.source_word[at(f, 0)]  = word * 0x9e3779b97f4a7c15u;
            b.i.source_tag[at(f, 0)]   = (uint16_t)(word & 0x7fff);
            if (senders >> f & 1) {
                expected[turn] = word;
                turn           = (turn + 1) % TOTEM_LANES;
            }
            word++;
        }
        tick(&b);
        for (unsigned n = 0; n < TOTEM_LANES; n++) {
            assert_int_equal(b.o.lane_valid[n], expected[n] != 0);
            if (expected[n]) {
                assert_int_equal(b.o.lane_word[n], expected[n] * 0x9e3779b97f4a7c15u);
                assert_int_equal(b.o.lane_tag[n], expected[n] & 0x7fff);
            }
        }
        assert_int_equal(b.s.turn, turn);
    }
}

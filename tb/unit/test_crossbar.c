// SPDX-License-Identifier: Apache-2.0
//
// totem_crossbar: docs/contract/crossbar.md.
// Configuration: full, because one engine has nothing to cross.

#include "tests.h"

#include "totem_crossbar.h"

enum { N = TOTEM_SE_COUNT };

// Whatever else is on offer, a converter sees FIFO n of every hub.
TEST(primitives)
{
    for (unsigned who = 0; who < 1u << N; who++) {
        totem_crossbar_in  i = {0};
        totem_crossbar_out o;
        for (unsigned k = 0; k < N * N; k++) {
            i.hub_pop_valid[k] = (who >> k % N & 1) != (k / N == who % N);
            i.hub_pop_data[k]  = 0xc3000000u + k;
        }
        totem_crossbar_outputs(&i, &o);
        for (unsigned e = 0; e < N; e++)
            for (unsigned n = 0; n < N; n++) {
                assert_int_equal(o.valid[n * N + e], i.hub_pop_valid[e * N + n]);
                assert_int_equal(o.data[n * N + e], 0xc3000000u + e * N + n);
            }
    }
}

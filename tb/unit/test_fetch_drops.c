// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: words that cannot be read, lines that are dropped (docs/contract/fetch.md).

#include "fetch_bench.h"

TEST(drop_meets_a_request)
{
    static lines l;
    open_ring(&l, 9, 0);
    send(&l, 1, LOAD_WPTR, 2);
    edge(&l);
    send(&l, 1, LOAD_RESUME, 0);
    assert_true(l.b.o.read_valid); // asked for all the same
    assert_int_equal(l.b.s.burst_count, 1);
    l.b.i.read_ready = true;
    edge(&l);
    beat_of(&l, 1, true, 0);
    assert_false(l.b.o.line_write_enable); // its response is thrown away
}

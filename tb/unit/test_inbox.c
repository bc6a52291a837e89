// SPDX-License-Identifier: Apache-2.0
//
// totem_inbox: the rows of the contract's table of meetings. That nothing is lost or swapped in any order is a
// property of rtl/lib/totem_inbox.v.

#include "block_bench.h"

#include "totem_inbox.h"

BENCH(inbox)

// One clock after the other, from reset on: what is given in it, and what is seen in it.
TEST(meetings)
{
    enum { WIDE = -2 }; // all bits of a word are its own
    static const struct {
        const char *name;
        int         give; // word, 0 none
        bool        take, ready;
        int         there; // word, 0 none
    } rows[] = {
        {"empty after reset, a word comes", 1, false, true, 0},
        {"it is there one clock later", 0, false, true, 1},
        {"it stays, a second one comes", 2, false, true, 1},
        {"full: what is offered is not accepted", 3, false, false, 1},
        {"full: a word is taken, one offered is not accepted", 4, true, false, 1},
        {"accept meets take", 5, true, true, 2},
        {"and again, at full rate", WIDE, true, true, 5},
        {"the last one is taken", 0, true, true, WIDE},
        {"take from empty is ignored", 0, true, true, 0},
        {"also if a word comes", 6, true, true, 0},
        {"which is there", 7, false, true, 6},
        {"in order", 0, true, false, 6},
        {"to the last", 0, false, true, 7},
    };
    bench b;
    fresh(&b);
    for (unsigned n = 0; n < COUNT(rows); n++) {
        const bool valid = rows[n].there != 0;
        if (b.o.in_ready != rows[n].ready || b.o.out_valid != valid ||
            (valid && b.o.out_data != (uint64_t)rows[n].there))
            fail_msg("%s: ready %d, valid %d, word %llx", rows[n].name, b.o.in_ready, b.o.out_valid,
                     (unsigned long long)b.o.out_data);
        b.i.in_valid = rows[n].give != 0;
        b.i.in_data  = (uint64_t)rows[n].give;
        b.i.out_take = rows[n].take;
        tick(&b);
    }
    b.i.in_valid = true;
    tick(&b);
    totem_inbox_reset(&b.s);
    show(&b);
    assert_true(b.o.in_ready && !b.o.out_valid);
}

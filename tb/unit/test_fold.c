// SPDX-License-Identifier: Apache-2.0
//
// totem_fold against a computation of its own, bit by bit; everything is random in every clock.

#include "totem_fold.h"

#include "block_bench.h"

BENCH(fold)

enum { WIDTH = TOTEM_FOLD_WIDTH, CLOCKS = 400 };

typedef struct {
    bench    b;
    uint16_t signature, folds[2]; // expected; folds of the clock before, and of the one before that
    uint64_t seed;
} world;

static void open_world(world *t)
{
    memset(t, 0, sizeof *t);
    t->seed      = 0x9e3779b97f4a7c15;
    t->signature = 1;
    fresh(&t->b);
}

static bool any(world *t)
{
    t->seed ^= t->seed << 13;
    t->seed ^= t->seed >> 7;
    t->seed ^= t->seed << 17;
    return t->seed >> 63;
}

static void clock_of(world *t, bool live, bool shift, uint16_t from)
{
    totem_fold_in *i    = &t->b.i;
    uint16_t       fold = 0;
    for (unsigned k = 0; k < WIDTH; k++) {
        i->data[k] = any(t);
        i->keep[k] = any(t);
        if (i->data[k] && i->keep[k])
            fold = (uint16_t)(fold ^ 1u << (k % 16 + 5 * (k / 16)) % 16);
    }
    i->signature_live  = live;
    i->signature_shift = shift;
    i->chain_in        = from;
    if (live) {
        const uint16_t s = t->signature;
        t->signature     = (uint16_t)(s << 1 ^ s >> 1 ^ (s & 0xc77e) ^ t->folds[1]);
    } else if (shift)
        t->signature = from;
    t->folds[1] = t->folds[0];
    t->folds[0] = fold;
    tick(&t->b);
    assert_int_equal(t->b.o.chain_out, t->signature);
}

#define RULE(name) RULE_OF(world, open_world, t, name)

RULE(steps_and_shifts)
{
    assert_int_equal(t->b.o.chain_out, FOLD_START);
    clock_of(t, false, false, 0);
    clock_of(t, false, false, 0);
    for (unsigned n = 0; n < CLOCKS; n++)
        clock_of(t, n < 100 || any(t), n >= 100 && any(t), (uint16_t)(n * 259));
}

RULE(reset_begins_anew)
{
    clock_of(t, true, false, 0);
    totem_fold_reset(&t->b.s);
    show(&t->b);
    assert_int_equal(t->b.o.chain_out, FOLD_START);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_dispatches: rules and meetings of docs/contract/dispatches.md. The bench is packet processor, walker, context
// and engines.

#include "block_bench.h"

#include "totem_dispatches.h"

BENCH(dispatches)

enum { SETS = TOTEM_SETS, ENGINES = TOTEM_SE_COUNT, LAST = SETS - 1 };

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, context_draw_ready, true);
}

// A dispatch starts on that set; its grid has groups from the next clock on.
static void start(bench *b, unsigned set)
{
    LEVEL(b, context_current, (uint8_t)set);
    b->i.packet_start = true;
    LEVEL(b, walker_busy, true);
    tick(b);
}

static void grant(bench *b, unsigned engine, unsigned waves)
{
    b->i.grant_valid[engine] = true;
    b->i.grant_waves[engine] = (uint8_t)waves;
    b->i.grant_set[engine]   = b->o.dispatch_set;
}

static void complete(bench *b, unsigned engine, unsigned set)
{
    b->i.complete_valid[engine] = true;
    b->i.complete_set[engine]   = (uint8_t)set;
}

static void draw_ends(bench *b, unsigned set)
{
    b->i.draws_end_valid = true;
    b->i.draws_end_set   = (uint8_t)set;
}

// The grid has no group left, or the queue has left.
static void close_grid(bench *b)
{
    LEVEL(b, walker_busy, false);
    tick(b);
}

static void ends(const bench *b, unsigned set)
{
    assert_true(b->o.end_valid && b->o.end_set == set && !b->o.fault);
}

// A use from the start to the last wave, of two engines; grants and ends of one clock all count.
TEST(use)
{
    bench b;
    open_bench(&b);
    start(&b, LAST);
    assert_true(b.o.use_valid && b.o.dispatch_set == LAST && !b.o.idle);
    grant(&b, 0, 3);
    grant(&b, ENGINES - 1, 3); // with one engine the same
    tick(&b);
    assert_false(b.o.use_valid);
    grant(&b, 0, 2);
    complete(&b, 0, LAST);
    close_grid(&b);
    for (unsigned left = ENGINES == 1 ? 4 : 7; left > 0; left--) {
        ticks(&b, 3);
        assert_false(b.o.end_valid || b.o.idle);
        complete(&b, ENGINES - 1, LAST);
        tick(&b);
    }
    assert_false(b.o.end_valid);
    tick(&b);
    ends(&b, LAST);
    assert_false(b.o.idle);
    tick(&b);
    assert_true(b.o.idle && !b.o.end_valid && !b.o.fault);
}

// Ends of draws go first, and a start too; then lower sets first.
TEST(order)
{
    bench b;
    open_bench(&b);
    start(&b, 1);
    grant(&b, 0, 1);
    close_grid(&b);
    start(&b, 0);
    grant(&b, 0, 1);
    close_grid(&b);
    complete(&b, 0, 0);
    tick(&b);
    complete(&b, 0, 1);
    draw_ends(&b, LAST);
    tick(&b);
    ends(&b, LAST); // a draw, before set 0
    draw_ends(&b, 1);
    tick(&b);
    ends(&b, 1); // another draw
    tick(&b);
    ends(&b, 0);
    b.i.packet_start = true;
    LEVEL(&b, context_current, 0);
    tick(&b);
    assert_true(b.o.use_valid && !b.o.end_valid); // a start
    tick(&b);
    ends(&b, 1);
}

// What cannot be is seen: each alone sets `fault`.
TEST(faults)
{
    bench b;
    for (unsigned n = 0; n < 7; n++) {
        open_bench(&b);
        if (n < 6)
            start(&b, 1);
        assert_false(b.o.fault);
        switch (n) {
        case 0: b.i.context_draw_ready = false; break;
        case 1: b.i.render_draw_valid = true; break;
        case 2: b.i.context_current = 0; break;
        case 3:
            grant(&b, 0, 1);
            b.i.grant_set[0] = 0;
            break;
        case 4: complete(&b, 0, 1); break;
        case 5:
            grant(&b, 0, 1);
            complete(&b, 0, 1); // not granted before
            break;
        default: grant(&b, 0, 1); // without a dispatch
        }
        tick(&b);
        assert_true(b.o.fault);
        ticks(&b, 3);
        assert_true(b.o.fault);
    }
}

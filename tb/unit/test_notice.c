// SPDX-License-Identifier: Apache-2.0
//
// totem_notice: rules, latencies and meetings of docs/contract/notice.md. The bench is events, ledger and the RAM.

#include "block_bench.h"

#include "totem_notice.h"

BENCH(notice)

typedef struct {
    bench    b;
    uint64_t ram[TOTEM_NOTICE_DEPTH];
} notice_bench;

static void open_bench(notice_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
}

#define RULE(name) RULE_OF(notice_bench, open_bench, t, name)

static void step(notice_bench *t)
{
    TICK_WITH_RAM(t, t->ram, ram);
}

static void come(notice_bench *t, unsigned n)
{
    t->b.i.events_notice_valid   = true;
    t->b.i.events_notice_entry   = (uint16_t)(n * 5 % 1024);
    t->b.i.events_notice_context = 0xc0000000u + n;
    step(t);
}

static void shows(const notice_bench *t, unsigned n)
{
    assert_true(t->b.o.valid && t->b.o.due);
    assert_int_equal(t->b.o.entry, n * 5 % 1024);
    assert_int_equal(t->b.o.ctxid, 0xc0000000u + n);
}

static void take(notice_bench *t)
{
    t->b.i.ledger_take = true;
    step(t);
    assert_false(t->b.o.valid);
}

RULE(one_after_the_other)
{
    come(t, 1);
    for (unsigned n = 0; n < 3; n++) {
        assert_false(t->b.o.valid || t->b.o.due);
        step(t);
    }
    shows(t, 1);
    come(t, 2);
    come(t, 3);
    shows(t, 1);
    take(t);
    step(t);
    assert_false(t->b.o.valid);
    step(t);
    shows(t, 2);
    take(t);
    step(t);
    step(t);
    shows(t, 3);
    take(t);
    for (unsigned n = 0; n < 8; n++, step(t))
        assert_false(t->b.o.due);
}

// The first one and DEPTH more have room. What is lost is told until the host clears it, and again if it meets that.
RULE(lost)
{
    enum { ROOM = TOTEM_NOTICE_DEPTH + 1 };
    for (unsigned n = 0; n < ROOM; n++) {
        come(t, n);
        step(t);
        step(t);
        step(t);
    }
    assert_false(t->b.o.lost);
    come(t, ROOM);
    step(t);
    assert_true(t->b.o.lost && t->b.o.due);
    t->b.i.ledger_clear = true;
    step(t);
    assert_false(t->b.o.lost);
    come(t, ROOM + 1);
    t->b.i.ledger_clear = true;
    step(t);
    assert_true(t->b.o.lost);
    for (unsigned n = 0; n < ROOM; n++) {
        shows(t, n);
        take(t);
        step(t);
        step(t);
    }
    assert_true(!t->b.o.valid && t->b.o.lost && t->b.o.due);
}

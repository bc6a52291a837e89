// SPDX-License-Identifier: Apache-2.0
//
// totem_notice: rules, latencies and meetings of docs/contract/notice.md. The bench is events, ledger and the RAM.

#include "block_bench.h"

#include "totem_notice.h"

BENCH(notice)

#define RULE(name) RULE_OF(bench, fresh, b, name)

static uint64_t words[TOTEM_NOTICE_DEPTH];

// A clock, with the RAM.
static void step(bench *b)
{
    const uint64_t read = words[b->o.ram_read_addr];
    const bool     asks = b->o.ram_read_enable;
    if (b->o.ram_write_enable)
        words[b->o.ram_write_addr] = b->o.ram_write_data;
    tick(b);
    if (asks)
        LEVEL(b, ram_read_data, read);
}

static void come(bench *b, unsigned n)
{
    b->i.events_notice_valid   = true;
    b->i.events_notice_entry   = (uint16_t)(n * 5 % 1024);
    b->i.events_notice_context = 0xc0000000u + n;
    step(b);
}

static void shows(const bench *b, unsigned n)
{
    assert_true(b->o.valid && b->o.due);
    assert_int_equal(b->o.entry, n * 5 % 1024);
    assert_int_equal(b->o.ctxid, 0xc0000000u + n);
}

static void take(bench *b)
{
    b->i.ledger_take = true;
    step(b);
    assert_false(b->o.valid);
}

RULE(one_after_the_other)
{
    come(b, 1);
    for (unsigned n = 0; n < 3; n++) {
        assert_false(b->o.valid || b->o.due);
        step(b);
    }
    shows(b, 1);
    come(b, 2);
    come(b, 3);
    shows(b, 1);
    take(b);
    step(b);
    assert_false(b->o.valid);
    step(b);
    shows(b, 2);
    take(b);
    step(b);
    step(b);
    shows(b, 3);
    take(b);
    for (unsigned n = 0; n < 8; n++, step(b))
        assert_false(b->o.due);
}

// The first one and DEPTH more have room. What is lost is told until the host clears it, and again if it meets that.
RULE(lost)
{
    enum { ROOM = TOTEM_NOTICE_DEPTH + 1 };
    for (unsigned n = 0; n < ROOM; n++) {
        come(b, n);
        step(b);
        step(b);
        step(b);
    }
    assert_false(b->o.lost);
    come(b, ROOM);
    step(b);
    assert_true(b->o.lost && b->o.due);
    b->i.ledger_clear = true;
    step(b);
    assert_false(b->o.lost);
    come(b, ROOM + 1);
    b->i.ledger_clear = true;
    step(b);
    assert_true(b->o.lost);
    for (unsigned n = 0; n < ROOM; n++) {
        shows(b, n);
        take(b);
        step(b);
        step(b);
    }
    assert_true(!b->o.valid && b->o.lost && b->o.due);
}

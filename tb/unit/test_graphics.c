// SPDX-License-Identifier: Apache-2.0
//
// totem_graphics: rules, latencies and meetings of docs/contract/graphics.md.

#include "block_bench.h"

#include "totem_graphics.h"

BENCH(graphics)

#define RULE(name) RULE_OF(bench, fresh, b, name)

enum { GRAPHICS, TABLE_INDEX, TABLE_DATA, BOUNCE_FLUSH, ROLLS, DRAWS = 11 };
enum { HOLE = 1, READ_ONLY, VALUE, LOCKED };

static void ask(bench *b, bool write, unsigned dword, unsigned strobe, uint32_t data)
{
    LEVEL(b, host_valid, true);
    LEVEL(b, host_write, write);
    LEVEL(b, host_dword, (uint8_t)dword);
    LEVEL(b, host_strobe, (uint8_t)strobe);
    LEVEL(b, host_data, data);
}

static uint32_t access_of(bench *b, bool write, unsigned dword, unsigned strobe, uint32_t data, unsigned error)
{
    ask(b, write, dword, strobe, data);
    assert_false(b->o.host_done);
    tick(b);
    assert_true(b->o.host_done);
    assert_int_equal(b->o.host_error, error);
    const uint32_t got = b->o.host_rdata;
    tick(b); // it still stands: it is not made twice
    assert_false(b->o.host_done);
    LEVEL(b, host_valid, false);
    return got;
}

static uint32_t get(bench *b, unsigned dword)
{
    return access_of(b, false, dword, 0, 0, 0);
}

RULE(kind)
{
    assert_int_equal(get(b, GRAPHICS), 0x16);
    assert_true(!b->o.hp3d && b->o.bounce_enable && b->o.filter_enable && b->o.generation == GENERATION_GFX10);
    access_of(b, true, GRAPHICS, 15, 0xffffff21, 0);
    assert_true(b->o.hp3d && !b->o.bounce_enable && !b->o.filter_enable && b->o.generation == GENERATION_GFX11);
    assert_int_equal(get(b, GRAPHICS), 0x21);
    access_of(b, true, GRAPHICS, 14, 0, 0); // not its byte
    assert_int_equal(get(b, GRAPHICS), 0x21);
    access_of(b, true, GRAPHICS, 1, 0x36, VALUE);
    assert_int_equal(get(b, GRAPHICS), 0x21);
}

// While the ring is mapped only the two enables may change; slot 1 is nobody.
RULE(locked)
{
    LEVEL(b, arbiter_active[0], true);
    access_of(b, true, GRAPHICS, 15, 0x17, LOCKED);
    access_of(b, true, GRAPHICS, 15, 0x06, LOCKED);
    access_of(b, true, GRAPHICS, 15, 0x32, VALUE);
    assert_int_equal(get(b, GRAPHICS), 0x16);
    access_of(b, true, GRAPHICS, 15, 0x12, 0);
    assert_true(b->o.bounce_enable && !b->o.filter_enable);
    LEVEL(b, arbiter_active[0], false);
    LEVEL(b, arbiter_active[1], true);
    access_of(b, true, GRAPHICS, 15, 0x01, 0);
    assert_int_equal(get(b, GRAPHICS), 0x01);
}

// The host may change the reserve while every ring is unmapped: told a clock later; slot 1 is nobody.
RULE(unmapped)
{
    assert_false(b->o.unmapped);
    tick(b);
    assert_true(b->o.unmapped);
    LEVEL(b, arbiter_active[1], true);
    tick(b);
    assert_true(b->o.unmapped);
    LEVEL(b, arbiter_active[0], true);
    assert_true(b->o.unmapped);
    tick(b);
    assert_false(b->o.unmapped);
}

// BOUNCE_FLUSH drops tags; a mapping of slot 0 and a RESET of it make the groups plain, too.
RULE(flush)
{
    tick(b);
    ask(b, true, BOUNCE_FLUSH, 1, 0);
    tick(b);
    assert_true(b->o.host_done && b->o.host_error == 0 && b->o.flush_valid && !b->o.flush_plain);
    tick(b);
    assert_false(b->o.flush_valid);
    LEVEL(b, host_valid, false);
    access_of(b, true, BOUNCE_FLUSH, 0, 1, 0); // no byte
    assert_int_equal(get(b, BOUNCE_FLUSH), 0);
    for (unsigned n = 0; n < 2; n++) {
        LEVEL(b, arbiter_active[1 - n], true);
        tick(b);
        assert_true(b->o.flush_valid == (n == 1) && b->o.flush_plain == (n == 1));
        tick(b);
        assert_false(b->o.flush_valid);
        LEVEL(b, hqd_resetting[1 - n], true);
        tick(b);
        tick(b);
        assert_true(b->o.flush_valid == (n == 1) && b->o.flush_plain == (n == 1));
    }
}

// A word waits until frames takes it; then the index moves on, and the access is done.
RULE(table)
{
    access_of(b, true, TABLE_INDEX, 15, 0xfffffffe, 0);
    assert_int_equal(get(b, TABLE_INDEX), 0x3fe);
    for (unsigned n = 0; n < 3; n++) {
        ask(b, true, TABLE_DATA, n == 2 ? 2 : 15, 0x11223344);
        for (unsigned held = 0; held <= 3 * n; held++) {
            tick(b);
            assert_true(b->o.table_valid && !b->o.host_done);
            assert_int_equal(b->o.table_index, (0x3fe + n) % 0x400);
            assert_int_equal(b->o.table_data, n == 2 ? 0x3300 : 0x11223344);
        }
        b->i.frames_table_ready = true;
        tick(b);
        assert_true(!b->o.table_valid && b->o.host_done && b->o.host_error == 0);
        tick(b);
        assert_true(!b->o.table_valid && !b->o.host_done); // one word
        LEVEL(b, host_valid, false);
    }
    assert_int_equal(get(b, TABLE_INDEX), 1);
    access_of(b, true, TABLE_DATA, 0, 5, 0); // no byte: no word
    assert_int_equal(get(b, TABLE_INDEX), 1);
    assert_int_equal(get(b, TABLE_DATA), 0);
}

RULE(refused)
{
    for (unsigned d = 0; d < 256; d++) {
        const bool hole = d > DRAWS;
        access_of(b, false, d, 0, 0, hole ? HOLE : 0);
        if (hole || d >= ROLLS)
            access_of(b, true, d, 15, 0, hole ? HOLE : READ_ONLY);
    }
    assert_int_equal(get(b, GRAPHICS), 0x16);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: clears, loads and writes of the packet processor (docs/contract/bank.md).

#include "bank_bench.h"

#define EVERY_ENGINE (((1u << TOTEM_SE_COUNT) - 1) << 6)

static uint32_t reset_value(unsigned offset)
{
    if (offset == DERIVED)
        return EVERY_ENGINE;
    return offset == 0x16 || offset == 0x17 || offset == 0x19 || offset == 0x1a || (offset >= 0x25 && offset <= 0x28)
               ? 0xffffffff
               : 0;
}

static unsigned rsrc3 = RSRC3; // its place

static bool in_launch_state(unsigned offset, unsigned *word, bool *high)
{
    if (offset == SCRATCH || offset == SCRATCH + 1) {
        *word = 15;
        *high = offset != SCRATCH;
        return true;
    }
    *word = offset >= USER_DATA ? 2 + (offset - USER_DATA) / 2 : offset == rsrc3 || offset == TMPRING;
    *high = offset >= USER_DATA ? offset & 1 : offset == RSRC2 || offset == TMPRING;
    return (offset >= USER_DATA && offset < USER_DATA + 16) || offset == RSRC1 || offset == RSRC2 || offset == rsrc3 ||
           offset == TMPRING;
}

TEST(mapping_clears)
{
    static register_bench t;
    open_bench(&t);
    memset(t.ram, 0x55, sizeof t.ram);
    memset(t.low, 0x55, sizeof t.low);
    memset(t.high, 0x55, sizeof t.high);
    mapped(&t, Q);
    clocks(&t, 2);
    for (unsigned n = 0; n < 128; n++, clock_edge(&t)) {
        unsigned   word;
        bool       high;
        const bool launch = in_launch_state(n, &word, &high);
        writes(&t, Q, n);
        assert_int_equal(t.b.o.ram_write_data, reset_value(n));
        assert_int_equal(t.b.o.state_low_write_enable, launch && !high);
        assert_int_equal(t.b.o.state_high_write_enable, launch && high);
    }
    assert_false(t.b.o.ram_write_enable);
    for (unsigned n = 0; n < TOTEM_QUEUES * 16; n++) {
        const bool cleared = n / 16 == Q && (n % 16 < 10 || n % 16 == 15);
        assert_int_equal(t.low[n], cleared ? 0 : 0x55555555);
        assert_int_equal(t.high[n], cleared ? 0 : 0x55555555);
    }
    goes(&t, Q, LOADED);
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        assert_true(t.b.o.engines[n]);
    assert_int_equal(t.b.o.vgprs, 1);
    assert_int_equal(t.b.o.threads, 0);
}

// The sources' switch has loaded the registers: they are read anew as after a preload, the grid only if it is still
// kept.
TEST(moved)
{
    static register_bench t;
    for (unsigned kept = 0; kept < 2; kept++)
        for (uint64_t data = 0; data < 8; data++) {
            open_bench(&t);
            t.b.s.saved[Q] = kept;
            LOAD_WORD(&t.b, Q, LOAD_MOVED, data);
            clock_edge(&t);
            const bool loaded = data & 1, grid = kept && (!loaded || (data & 4) != 0);
            assert_int_equal(t.b.s.stage[Q] != STAGE_NONE, loaded);
            assert_int_equal(t.b.s.saved[Q], grid);
            assert_int_equal(t.b.o.ram_write_enable, 0); // nothing is cleared
            assert_int_equal(t.b.o.prepared[Q], !loaded);
            for (unsigned n = 0; n < 250 && !t.b.o.prepared[Q]; n++)
                clock_edge(&t);
            assert_true(t.b.o.prepared[Q]); // derived meanwhile
            goes(&t, Q, grid ? RESUMED : LOADED);
        }
}

// ---- load

TEST(load)
{
    static const uint8_t  order[] = {DERIVED, THREADS, RSRC2, PGM_LO, PGM_HI, START, START + 1, START + 2};
    static register_bench t;
    open_bench(&t);
    uint32_t *r  = &t.ram[Q * 128];
    r[DERIVED]   = 1u << 6 | 0x15u;
    r[THREADS]   = 0x1abc;
    r[RSRC2]     = 0x1a5u << 15 | 7u << 1;
    r[PGM_LO]    = 0x89abcdef;
    r[PGM_HI]    = 0xffffff67;
    r[START]     = 0xfffffffe;
    r[START + 1] = 65535;
    r[START + 2] = 65536;
    r[INITIATOR] = 4;
    go(&t, Q);
    clock_edge(&t);
    assert_true(t.b.o.ram_read_enable); // in t + 1
    while (t.now < LOADED) {
        assert_false(t.b.o.loaded);
        clock_edge(&t);
    }
    assert_true(t.b.o.loaded);
    assert_false(t.b.o.busy);
    assert_int_equal(t.reads, 8);
    for (unsigned n = 0; n < 8; n++)
        assert_int_equal(t.read[n], Q * 128 + order[n]);
    assert_int_equal(t.b.o.threads, 0x1abc);
    assert_int_equal(t.b.o.vgprs, 0x16);
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        assert_int_equal(t.b.o.engines[n], n == 0);
    assert_int_equal(t.b.o.lds, 0x1a5);
    assert_int_equal(t.b.o.words, 2 + 4 + t.b.o.scratch);
    assert_int_equal(t.b.o.program_addr, 0x6789abcdef);
    assert_int_equal(t.b.o.origin, 0xfffffffffffffffe);
}

TEST(words_of_the_launch_state)
{
    static register_bench t;
    selected(&t, Q);
    for (uint32_t user = 0; user < 32; user++) {
        puts_in(&t, RSRC2, user << 1);
        assert_int_equal(t.b.o.words, 2 + ((user > 16 ? 16 : user) + 1) / 2);
        puts_in(&t, RSRC2, user << 1 | 1);
        assert_int_equal(t.b.o.words, 3 + ((user > 16 ? 16 : user) + 1) / 2);
    }
}

// ---- writes of the packet processor

static void writes_reach(unsigned place)
{
    static register_bench t;
    rsrc3 = place;
    selected(&t, Q);
    clocks(&t, 20);
    for (uint8_t offset = 0; offset < 128; offset++) {
        const uint32_t data = 0x11000000u * (offset & 7u) + 0xa5a500u + offset;
        unsigned       word;
        bool           high;
        const bool     launch     = in_launch_state(offset, &word, &high);
        t.b.i.settings_rsrc3_gfx9 = place == RSRC3_OLD;
        puts_in(&t, offset, data); // in the next clock
        if (offset == DERIVED || offset == THREADS) {
            assert_true(!t.b.o.ram_write_enable || t.b.o.ram_write_data != data);
            assert_true(!t.b.o.state_low_write_enable || (t.b.o.state_low_write_addr & 15) >= 10);
            assert_true(!t.b.o.state_high_write_enable || (t.b.o.state_high_write_addr & 15) >= 10);
            continue;
        }
        writes(&t, Q, offset);
        assert_int_equal(t.b.o.ram_write_data, data);
        assert_int_equal(t.b.o.state_low_write_enable, launch && !high);
        assert_int_equal(t.b.o.state_high_write_enable, launch && high);
        if (launch) {
            assert_int_equal(high ? t.b.o.state_high_write_addr : t.b.o.state_low_write_addr, Q * 16 + word);
            assert_int_equal(high ? t.b.o.state_high_write_data : t.b.o.state_low_write_data, data);
        }
    }
}

TEST(writes_reach_their_places)
{
    writes_reach(RSRC3);
}

TEST(writes_reach_their_places_of_gfx9)
{
    writes_reach(RSRC3_OLD);
    rsrc3 = RSRC3;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: dispatches, and grids that are recalled and go on (docs/contract/execute.md).

#include "execute_bench.h"

static const uint32_t dispatch[] = {HEADER(DISPATCH, 4), 0x12345678, 0x9abc, 0xdef0, 0x00000041};

// The initiator is written behind the last dword (taken in clock 6), then the grid starts.
TEST(dispatch_starts)
{
    for (unsigned at_zero = 0; at_zero < 2; at_zero++) {
        const uint32_t words[] = {dispatch[0], 0x12345678, 0x9abc, 0xdef0, at_zero ? 0x45 : 0x41};
        execute_bench  t;
        begin(&t, words, 5);
        quiet_until(&t, 8);
        assert_true(t.b.o.bank_write);
        assert_int_equal(t.b.o.bank_offset, 0); // DISPATCH_INITIATOR
        assert_int_equal(t.b.o.bank_data, words[4]);
        clock_edge(&t);
        assert_true(t.b.o.start);
        assert_false(t.b.o.start_resume || t.b.o.start_partial || t.b.o.bank_write);
        assert_int_equal(t.b.o.start_fresh_at_zero, at_zero);
        assert_int_equal(t.b.o.start_end, 0xdef09abc12345678);
        assert_int_equal(t.b.o.dispatch_queue, QUEUE);
        assert_int_equal(t.b.o.dispatch_epoch, QUEUE % TOTEM_EPOCHS);
        walks(&t, 5);
        assert_int_equal(t.b.o.executed_opcode, DISPATCH);
    }
}

// What an empty engine can hold starts, one more is an error.
TEST(group_and_engine)
{
    enum { ALL = (1 << TOTEM_SE_COUNT) - 1, LAST_ENGINE = 1 << (TOTEM_SE_COUNT - 1) };
    static const struct {
        const char *rule;
        unsigned    threads, vgprs, lds, engines;
        uint8_t     code; // 0: it starts
        uint32_t    word;
    } rows[] = {
        {"registers: waves of 64 blocks", TOTEM_VGPRS, 64, 0, ALL, 0, 0},
        {"LDS", 64, 1, TOTEM_LDS < 511 ? TOTEM_LDS : 511, ALL, 0, 0},
#if TOTEM_LDS < 511 // its register can say more
        {"LDS", 64, 1, TOTEM_LDS + 1, ALL, 0x34, 1},
#endif
        {"no threads", 0, 1, 0, ALL, 0x32, 0},
        {"no engine comes first", 64 * TOTEM_SLOTS + 1, 1, 0, 0, 0x35, 0},
        {"one engine is enough", 64, 1, 0, LAST_ENGINE, 0, 0},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        execute_bench t;
        begin(&t, dispatch, 5);
        LEVEL(&t.b, bank_threads, (uint16_t)rows[n].threads);
        LEVEL(&t.b, bank_vgprs, (uint8_t)rows[n].vgprs);
        LEVEL(&t.b, bank_lds, (uint16_t)rows[n].lds);
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            LEVEL(&t.b, bank_engines[e], rows[n].engines >> e & 1);
        if (rows[n].code != 0) {
            halts_with(&t, rows[n].code == 0x32 ? 8 : 9, POSITION, rows[n].code, rows[n].word);
        } else {
            quiet_until(&t, 9);
            if (!t.b.o.start)
                fail_msg("%s: row %u does not start", rows[n].rule, n);
        }
    }
}

// ---- recalled

static void running(execute_bench *t)
{
    begin(t, dispatch, 5);
    to_clock(t, 10);
    LEVEL(&t->b, walker_busy, true);
    to_clock(t, 12);
}

static void recalled(execute_bench *t)
{
    running(t);
    t->b.i.arbiter_leave = true;
    clock_edge(t);
    t->b.i.walker_stopped = true;
    clock_edge(t);
    LEVEL(&t->b, walker_busy, false);
    clock_edge(t);
    assert_true(t->b.o.unfinished[QUEUE]);
}

// What fetch has read again is neither looked at nor taken, and forgotten at the end.
TEST(unfinished_grid_goes_on)
{
    static const uint32_t words[] = {0, 0, 0};
    execute_bench         t;
    recalled(&t);
    LEVEL(&t.b, bank_loaded, false);
    LEVEL(&t.b, bank_initiator, 0x8045);
    LEVEL(&t.b, bank_threads, 33);
    go(&t);
    offer(&t, words, 3);
    quiet_until(&t, 9);
    LEVEL(&t.b, bank_loaded, true);
    LEVEL(&t.b, bank_busy, true);
    quiet_until(&t, 11);
    LEVEL(&t.b, bank_busy, false);
    for (; t.now < 14; clock_edge(&t)) // RESUME, EXECUTE, FIT
        assert_false(t.b.o.bank_write || t.b.o.start);
    assert_true(t.b.o.start && t.b.o.start_resume && t.b.o.start_fresh_at_zero && t.b.o.dispatch_wave32);
    assert_int_equal(t.b.o.dispatch_waves, 2);
    assert_int_equal(t.b.o.dispatch_threads, 1);
    assert_true(t.b.o.unfinished[QUEUE] && !t.b.d_o.dword_ready);
    walks(&t, 5);
    assert_int_equal(t.b.o.executed_opcode, DISPATCH);
    assert_false(t.b.o.unfinished[QUEUE]);
    t.left = 0;
    clock_edge(&t);
    assert_int_equal(t.b.d.dwords.count, 0);
    offer(&t, dispatch, 1);
    clock_edge(&t);
    clock_edge(&t);
    assert_int_equal(t.b.d.header, dispatch[0]);
}

// ---- partial groups

// PARTIAL_TG_EN waits for the table of partial groups, gives way meanwhile, and looks at what it says.
TEST(partial_groups)
{
    static const uint32_t words[] = {HEADER(DISPATCH, 4), 2, 3, 4, 0x07};
    execute_bench         t;
    begin(&t, words, 5);
    quiet_until(&t, 40); // bank_partial is 0
    LEVEL(&t.b, bank_partial, PARTIAL_READY);
    quiet_until(&t, 42);
    assert_true(t.b.o.start && t.b.o.start_partial && t.b.o.start_fresh_at_zero);

    begin(&t, words, 5);
    quiet_until(&t, 40);
    t.b.i.arbiter_leave = true;
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.unfinished[QUEUE] || t.b.o.halted[QUEUE] || t.b.o.commit);

    for (uint8_t n = 2; n < 4; n++) {
        begin(&t, words, 5);
        LEVEL(&t.b, bank_partial, n);
        halts_with(&t, 8, POSITION, n == 2 ? 0x32 : 0x39, n == 2);
    }
}

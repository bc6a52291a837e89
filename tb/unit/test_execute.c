// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: packets one by one, in which clock they are executed or halt the queue; registers,
// writes, indirect buffers (docs/contract/execute.md).

#include "execute_bench.h"

static void after_reset(void **state)
{
    execute_bench t;
    (void)state;
    memset(&t, 0, sizeof t);
    fresh(&t.b);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        assert_false(t.b.o.unfinished[q] || t.b.o.halted[q] || t.b.o.wait_flush[q] || t.b.o.wait_epoch[q]);
    assert_true(t.b.d_o.dword_ready);
    static const uint32_t words[] = {0x80000000, 0x80000000, 0x80000000};
    offer(&t, words, 3);
    quiet_until(&t, 10); // nothing is looked at before go
    assert_int_equal(t.left, 1);
    assert_false(t.b.d_o.dword_ready);
}

static void clocks_of_a_packet(void **state)
{
    static const struct {
        uint32_t words[9];
        unsigned count, clock;
        bool     ignored;
    } rows[] = {
        {{0x80000000}, 1, 4, false}, // type 2
        {{0xbfffffff}, 1, 4, false},
        {{0xffff1000}, 1, 4, false}, // NOP without body
        {{HEADER(NOP, 1), 7}, 2, 5, false},
        {{HEADER(NOP, 4), 7, 7, 7, 7}, 5, 8, false},
        {{HEADER(NOP, 1) | 0xff, 7}, 2, 5, false}, // header bits [7:0] are nothing
        {{HEADER(CLEAR_STATE, 1), 0}, 2, 5, true}, // known, without a rule
        {{HEADER(CLEAR_STATE, 3), 0, 0, 0}, 4, 7, true},
        {{HEADER(ACQUIRE_MEM, 6)}, 7, 10, false},
        {{HEADER(ACQUIRE_MEM, 7)}, 8, 11, false},
        {{HEADER(EVENT_WRITE, 1), 0x10}, 2, 5, false},
        {{HEADER(EVENT_WRITE, 3), 0x10, 8, 0}, 4, 7, false},
        {{HEADER(WAIT_REG_MEM, 6), 0x03, 0x100, 0, 1, 1, 4}, 7, 10, true},  // on a register
        {{HEADER(WAIT_REG_MEM, 6), 0x10, 0x100, 0, 1, 1, 4}, 7, 10, false}, // function 0: always
        {{HEADER(WAIT_REG_MEM, 6), 0xd0, 0x100, 0, 1, 1, 4}, 7, 10, false},
        {{HEADER(WAIT_REG_MEM, 6), 0xc3, 0x100, 0, 1, 1, 4}, 7, 10, true},
        {{HEADER(WAIT_TIMER, 1), 0}, 2, 5, false},
        {{HEADER(SET_SH_REG, 1), 0x207}, 2, 5, false}, // no value
        {{HEADER(SET_SH_REG, 2), 0x207, 5}, 3, 5, false},
        {{HEADER(SET_SH_REG, 4), 0x207, 5, 6, 7}, 5, 7, false},
        {{HEADER(SET_SH_REG, 4), 0x100, 5, 6, 7}, 5, 7, true},
        {{HEADER(WRITE_DATA, 3), 0x500, 0x1000, 0}, 4, 7, false},    // no data
        {{HEADER(WRITE_DATA, 4), 0x500, 0x1000, 0, 9}, 5, 9, false}, // 3 clocks for a dword of data
        {{HEADER(WRITE_DATA, 6), 0x500, 0x1000, 0, 9, 8, 7}, 7, 15, false},
        {{HEADER(INDIRECT_BUFFER, 3), 0x1000, 0, 9}, 4, 7, false},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        execute_bench t;
        open_bench(&t);
        t.b.hold.fetch_available = t.b.i.fetch_available = rows[n].count; // just written
        offer(&t, rows[n].words, rows[n].count);
        for (; t.now < rows[n].clock; clock_edge(&t))
            if (t.b.o.commit || t.b.o.executed || t.b.o.ignored)
                fail_msg("row %u: executed in clock %u", n, t.now);
        if (!t.b.o.commit)
            fail_msg("row %u: not committed in clock %u", n, t.now);
        committed(&t, rows[n].count, rows[n].ignored);
        assert_int_equal(t.b.o.executed_opcode, rows[n].words[0] >> 8 & 0xff);
        clock_edge(&t);
        assert_false(t.b.o.commit || t.b.o.executed || t.b.o.ignored);
        assert_int_equal(t.left, 0);
    }
}

// The next header is taken in the clock of the commit.
static void packets_one_after_the_other(void **state)
{
    static const uint32_t words[] = {0x80000000, 0xffff1000, HEADER(NOP, 1), 0, 0x80000000};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 5);
    quiet_until(&t, 4);
    committed(&t, 1, false);
    clock_edge(&t);
    quiet_until(&t, 7);
    committed(&t, 1, false);
    clock_edge(&t);
    quiet_until(&t, 11);
    committed(&t, 2, false);
    clock_edge(&t);
    quiet_until(&t, 14);
    committed(&t, 1, false);
}

// Packets that halt the queue: in which clock, with which code and word.
static void errors_of_packets(void **state)
{
    static const struct {
        uint32_t words[9];
        unsigned count, clock;
        uint8_t  code;
        uint32_t word;
    } rows[] = {
        {{0x00001234}, 1, 4, 0x21, 0x00001234}, // types 0, 1
        {{0x7fff1000}, 1, 4, 0x21, 0x7fff1000},
        {{HEADER(0x14, 1)}, 1, 4, 0x22, HEADER(0x14, 1)}, // no such opcode
        {{HEADER(0x00, 1)}, 1, 4, 0x22, HEADER(0x00, 1)},
        // sizes
        {{HEADER(DISPATCH, 3)}, 1, 4, 0x25, HEADER(DISPATCH, 3)},
        {{HEADER(DISPATCH, 5)}, 1, 4, 0x25, HEADER(DISPATCH, 5)},
        {{HEADER(DISPATCH_INDIRECT, 2)}, 1, 4, 0x25, HEADER(DISPATCH_INDIRECT, 2)},
        {{HEADER(DISPATCH_INDIRECT, 4)}, 1, 4, 0x25, HEADER(DISPATCH_INDIRECT, 4)},
        {{HEADER(COND_EXEC, 3)}, 1, 4, 0x25, HEADER(COND_EXEC, 3)},
        {{HEADER(COND_EXEC, 5)}, 1, 4, 0x25, HEADER(COND_EXEC, 5)},
        {{HEADER(WRITE_DATA, 2)}, 1, 4, 0x25, HEADER(WRITE_DATA, 2)},
        {{HEADER(WAIT_REG_MEM, 5)}, 1, 4, 0x25, HEADER(WAIT_REG_MEM, 5)},
        {{HEADER(WAIT_REG_MEM, 7)}, 1, 4, 0x25, HEADER(WAIT_REG_MEM, 7)},
        {{HEADER(INDIRECT_BUFFER, 2)}, 1, 4, 0x25, HEADER(INDIRECT_BUFFER, 2)},
        {{HEADER(INDIRECT_BUFFER, 4)}, 1, 4, 0x25, HEADER(INDIRECT_BUFFER, 4)},
        {{HEADER(EVENT_WRITE, 2)}, 1, 4, 0x25, HEADER(EVENT_WRITE, 2)}, // inside the range all the same
        {{HEADER(EVENT_WRITE, 4)}, 1, 4, 0x25, HEADER(EVENT_WRITE, 4)},
        {{HEADER(RELEASE_MEM, 6)}, 1, 4, 0x25, HEADER(RELEASE_MEM, 6)},
        {{HEADER(RELEASE_MEM, 8)}, 1, 4, 0x25, HEADER(RELEASE_MEM, 8)},
        {{HEADER(ACQUIRE_MEM, 5)}, 1, 4, 0x25, HEADER(ACQUIRE_MEM, 5)},
        {{HEADER(ACQUIRE_MEM, 8)}, 1, 4, 0x25, HEADER(ACQUIRE_MEM, 8)},
        {{HEADER(LAUNCH_TASK, 2)}, 1, 4, 0x25, HEADER(LAUNCH_TASK, 2)},
        {{HEADER(WAIT_TIMER, 2)}, 1, 4, 0x25, HEADER(WAIT_TIMER, 2)},
        // not executed yet
        {{HEADER(LAUNCH_TASK, 1)}, 1, 4, 0x36, HEADER(LAUNCH_TASK, 1)},
        {{HEADER(DISPATCH, 4), 1, 65536, 1, 0x03}, 5, 8, 0x33, 65536},
        // body dwords
        {{HEADER(WRITE_DATA, 4), 0x100, 0x1000, 0, 1}, 5, 7, 0x29, 0x100},
        {{HEADER(WRITE_DATA, 4), 0xf00, 0x1000, 0, 1}, 5, 7, 0x29, 0xf00},
        {{HEADER(SET_SH_REG, 2), 0x400, 1}, 3, 5, 0x28, 0x400},
        {{HEADER(SET_SH_REG, 3), 0x3ff, 1, 1}, 4, 5, 0x28, 0x3ff},
        {{HEADER(SET_SH_REG, 1), 0x400}, 2, 5, 0x28, 0x400}, // without values
        {{HEADER(SET_SH_REG, 1), 0x401}, 2, 5, 0x28, 0x401},
        {{HEADER(SET_SH_REG, 1), 0xffff}, 2, 5, 0x28, 0xffff},
        {{HEADER(DISPATCH, 4), 1, 65536, 70000, 1}, 5, 8, 0x33, 65536},
        {{HEADER(DISPATCH, 4), 1, 65535, 70000, 1}, 5, 8, 0x33, 70000},
        {{HEADER(RELEASE_MEM, 7), 0, 5u << 29 | 4u << 24 | 2u << 16}, 8, 11, 0x2d, 5u << 29 | 4u << 24 | 2u << 16},
        {{HEADER(RELEASE_MEM, 7), 0, 4u << 29 | 4u << 24 | 2u << 16}, 8, 11, 0x2e, 4u << 29 | 4u << 24 | 2u << 16},
        {{HEADER(RELEASE_MEM, 7), 0, 4u << 29 | 3u << 24 | 2u << 16}, 8, 11, 0x2f, 4u << 29 | 3u << 24 | 2u << 16},
        {{HEADER(WAIT_REG_MEM, 6), 0xe7}, 7, 10, 0x31, 0xe7}, // space 2, 3 before all else
        {{HEADER(WAIT_REG_MEM, 6), 0x33}, 7, 10, 0x31, 0x33},
        {{HEADER(WAIT_REG_MEM, 6), 0x57}, 7, 10, 0x31, 0x57}, // operation before function
        {{HEADER(WAIT_REG_MEM, 6), 0x93}, 7, 10, 0x31, 0x93},
        {{HEADER(WAIT_REG_MEM, 6), 0x17}, 7, 10, 0x30, 0x17},
        {{HEADER(WAIT_REG_MEM, 6), 0xd7}, 7, 10, 0x30, 0xd7},
        {{HEADER(INDIRECT_BUFFER, 3), 0x1000, 0, 0xfff00000}, 4, 7, 0x26, 0xfff00000},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        execute_bench t;
        open_bench(&t);
        offer(&t, rows[n].words, rows[n].count);
        halts_with(&t, rows[n].clock, POSITION, rows[n].code, rows[n].word);
    }
}

// At the end of what is written, or of the indirect buffer; the form is looked at later.
static void packet_reaches_too_far(void **state)
{
    static const uint32_t words[] = {HEADER(DISPATCH, 5), 0, 0, 0, 0, 0};
    (void)state;
    for (unsigned buffer = 0; buffer < 2; buffer++) {
        execute_bench t;
        open_bench(&t);
        t.b.hold.fetch_in_buffer = t.b.i.fetch_in_buffer = buffer != 0;
        t.b.hold.fetch_available = t.b.i.fetch_available = 5;
        offer(&t, words, 1);
        halts_with(&t, 4, POSITION, buffer ? 0x24 : 0x23, words[0]);
        open_bench(&t);
        t.b.hold.fetch_available = t.b.i.fetch_available = 6;
        offer(&t, words, 1);
        halts_with(&t, 4, POSITION, 0x25, words[0]);
    }
}

// The record of the header has the packet's address, that of a dword behind it the dword's own.
static void unread_dwords(void **state)
{
    static const uint32_t nop[] = {HEADER(NOP, 2), 1, 2}, set[] = {HEADER(SET_SH_REG, 3), 0x200, 1, 2};
    (void)state;
    for (uint8_t error = 1; error <= 3; error++) {
        execute_bench t;
        open_bench(&t);
        t.error = error;
        offer(&t, nop, 1); // the header; what it says does not matter
        halts_with(&t, 4, POSITION, (uint8_t)(0x60 + error), (uint32_t)POSITION);
        open_bench(&t);
        t.error = error;
        offer(&t, nop, 3); // the second of the body
        halts_with(&t, 5, FAULT_POSITION, (uint8_t)(0x60 + error), (uint32_t)FAULT_POSITION);
        open_bench(&t);
        t.error = error;
        offer(&t, set, 4); // a value: it is not written
        to_clock(&t, 5);
        assert_true(t.b.o.bank_write);
        clock_edge(&t);
        assert_false(t.b.o.bank_write);
        halts_with(&t, 6, FAULT_POSITION, (uint8_t)(0x60 + error), (uint32_t)FAULT_POSITION);
    }
}

static void error_waits_for_its_reader(void **state)
{
    static const uint32_t words[] = {0};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, events_packet_error_ready, false);
    offer(&t, words, 1);
    to_clock(&t, 8);
    assert_true(t.b.o.error_valid);
    assert_int_equal(t.b.o.error_word >> 56, 0x21);
    t.b.i.events_packet_error_ready = true;
    clock_edge(&t);
    to_clock(&t, 12);
    assert_int_equal(t.b.o.error_word, 0);
    assert_false(t.b.o.left);
    t.b.i.events_packet_error_ready = true;
    clock_edge(&t);
    assert_true(t.b.o.left && t.b.o.halted[QUEUE]);
}

// One register in every clock; only 0x200 to 0x27f are the bank's.
static void registers_written(void **state)
{
    static const uint32_t first[] = {HEADER(SET_SH_REG, 4), 0x1ff, 10, 11, 12},
                          last[] = {HEADER(SET_SH_REG, 3), 0x27f, 20, 21}, top[] = {HEADER(SET_SH_REG, 2), 0x3ff, 30};
    execute_bench t;
    (void)state;
    open_bench(&t);
    offer(&t, first, 5);
    to_clock(&t, 5);
    assert_false(t.b.o.bank_write);
    for (unsigned n = 0; n < 2; n++) {
        clock_edge(&t);
        assert_true(t.b.o.bank_write);
        assert_int_equal(t.b.o.bank_offset, n);
        assert_int_equal(t.b.o.bank_data, 11 + n);
    }
    committed(&t, 5, true); // in the clock in which the last one is written
    clock_edge(&t);
    assert_false(t.b.o.bank_write);
    open_bench(&t);
    offer(&t, last, 4);
    to_clock(&t, 5);
    assert_true(t.b.o.bank_write);
    assert_int_equal(t.b.o.bank_offset, 0x7f);
    assert_int_equal(t.b.o.bank_data, 20);
    clock_edge(&t);
    assert_false(t.b.o.bank_write);
    committed(&t, 4, true);
    open_bench(&t);
    offer(&t, top, 3);
    quiet_until(&t, 5);
    committed(&t, 3, true);
}

// No value, no write; it counts by its offset alone.
static void registers_without_values(void **state)
{
    static const struct {
        uint32_t offset;
        bool     ignored;
    } rows[] = {{0, true},     {0x1ff, true}, {0x200, false}, {0x240, false},       {0x27f, false},
                {0x280, true}, {0x300, true}, {0x3ff, true},  {0xabcd0200u, false}, {0xabcd03ffu, true}};
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const uint32_t words[] = {HEADER(SET_SH_REG, 1), rows[n].offset};
        execute_bench  t;
        open_bench(&t);
        offer(&t, words, 2);
        for (quiet_until(&t, 4); t.now < 5; clock_edge(&t))
            assert_false(t.b.o.bank_write);
        committed(&t, 2, rows[n].ignored);
    }
}

// A gap in the dwords is a clock without a write.
static void values_are_waited_for(void **state)
{
    static const uint32_t words[] = {HEADER(SET_SH_REG, 2), 0x245, 10};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 2);
    to_clock(&t, 8);
    assert_false(t.b.o.bank_write || t.b.o.commit);
    t.words = words + 2;
    t.left  = 1;
    clock_edge(&t);
    assert_false(t.b.o.bank_write);
    clock_edge(&t);
    assert_true(t.b.o.bank_write);
    assert_int_equal(t.b.o.bank_offset, 0x45);
    committed(&t, 3, false);
}

static void set_sh_reg_waits_for_the_bank(void **state)
{
    static const uint32_t words[] = {HEADER(NOP, 1), 0, HEADER(SET_SH_REG, 2), 0x207, 5};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, bank_loaded, false);
    offer(&t, words, 5);
    quiet_until(&t, 5);
    committed(&t, 2, false); // others do not
    clock_edge(&t);
    quiet_until(&t, 20);
    assert_false(t.b.o.bank_write);
    LEVEL(&t.b, bank_loaded, true);
    clock_edge(&t); // 21: body
    clock_edge(&t);
    assert_false(t.b.o.bank_write);
    clock_edge(&t);
    assert_true(t.b.o.bank_write);
    committed(&t, 3, false);
}

// ---- writes, buffers

static void data_written(void **state)
{
    (void)state;
    for (unsigned one = 0; one < 2; one++) {
        const uint32_t words[] = {HEADER(WRITE_DATA, 6), one ? 0x10200u : 0x500u, 0xfffffffa, 0xabcdef12, 7, 8, 9};
        execute_bench  t;
        open_bench(&t);
        offer(&t, words, 7);
        for (unsigned n = 0; n < 3; n++) {
            const uint64_t address = one ? 0x12fffffff8 : 0x12fffffff8 + 4 * n;
            for (; t.now < 7 + 3 * n; clock_edge(&t))
                assert_false(t.b.o.write_valid || t.b.o.fence_write);
            assert_true(t.b.o.write_valid && t.b.o.fence_write); // noted before its first word is taken
            assert_int_equal(t.b.o.dispatch_epoch, QUEUE % TOTEM_EPOCHS);
            assert_int_equal(t.b.o.write_word, (address & ~7ull) | (address & 4 ? 0xf0ull : 0x0full) << 40 |
                                                   (uint64_t)QUEUE << 48 | (uint64_t)(QUEUE % TOTEM_EPOCHS) << 51);
            clock_edge(&t);
            assert_true(t.b.o.write_valid);
            assert_false(t.b.o.fence_write);
            assert_int_equal(t.b.o.write_word, (7ull + n) << 32 | (7 + n));
            clock_edge(&t);
        }
        committed(&t, 7, false);
    }
}

static void write_is_held(void **state)
{
    static const uint32_t words[] = {HEADER(WRITE_DATA, 4), 0x500, 0x1000, 0, 7};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, write_ready, false);
    offer(&t, words, 5);
    to_clock(&t, 7);
    assert_true(t.b.o.fence_write);
    clock_edge(&t);
    for (; t.now < 14; clock_edge(&t)) {
        assert_true(t.b.o.write_valid && !t.b.o.fence_write);
        assert_int_equal(t.b.o.write_word & 0xffffffffff, 0x1000);
    }
    LEVEL(&t.b, write_ready, true);
    clock_edge(&t);
    clock_edge(&t);
    committed(&t, 5, false);
}

static void indirect_buffer_opens(void **state)
{
    static const struct {
        bool     inside;
        uint32_t control;
    } rows[] = {{false, 0x12345}, {false, 0x112345}, {true, 0xfff12345}};
    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        const uint32_t words[] = {HEADER(INDIRECT_BUFFER, 3), 0x89abcdef, 0xffffff45, rows[n].control, 0, 0, 0};
        execute_bench  t;
        open_bench(&t);
        LEVEL(&t.b, fetch_in_buffer, rows[n].inside);
        offer(&t, words, 7);
        quiet_until(&t, 7);
        committed(&t, 4, false);
        assert_true(t.b.o.open);
        assert_true(t.b.o.drop);
        assert_int_equal(t.b.o.open_addr, 0x4589abcdec);
        assert_int_equal(t.b.o.open_size, 0x12345);
        assert_int_equal(t.b.d.dwords.count, 2); // of what stands behind the packet
        clock_edge(&t);
        assert_false(t.b.o.open || t.b.o.commit);
        assert_int_equal(t.b.d.dwords.count, 0);
        assert_int_equal(t.b.s.phase, EXECUTE_READY); // and was not taken as a header
    }
    static const uint32_t nested[] = {HEADER(INDIRECT_BUFFER, 3), 0x1000, 0, 5};
    execute_bench         t;
    open_bench(&t);
    LEVEL(&t.b, fetch_in_buffer, true);
    offer(&t, nested, 4);
    halts_with(&t, 7, POSITION, 0x27, nested[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_reset),
        cmocka_unit_test(clocks_of_a_packet),
        cmocka_unit_test(packets_one_after_the_other),
        cmocka_unit_test(errors_of_packets),
        cmocka_unit_test(packet_reaches_too_far),
        cmocka_unit_test(unread_dwords),
        cmocka_unit_test(error_waits_for_its_reader),
        cmocka_unit_test(registers_written),
        cmocka_unit_test(registers_without_values),
        cmocka_unit_test(values_are_waited_for),
        cmocka_unit_test(set_sh_reg_waits_for_the_bank),
        cmocka_unit_test(data_written),
        cmocka_unit_test(write_is_held),
        cmocka_unit_test(indirect_buffer_opens),
    };

    return cmocka_run_group_tests_name("execute", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: packets one by one, in which clock they are executed or halt the queue; registers,
// writes, indirect buffers (docs/contract/execute.md). Which packets decode refuses, and with what: test_decode.c.

#include "execute_bench.h"

// Registers are written one a clock from clock 5 on, the last one in the clock of the commit; only 0x200 to 0x27f are
// the bank's.
TEST(clocks_of_a_packet)
{
    static const struct {
        const char *rule;
        uint32_t    words[8];
        unsigned    count, clock, registers;
        bool        ignored;
    } rows[] = {
        {"filler", {0x80000000}, 1, 4, 0, false},
        {"no body", {0xffff1000}, 1, 4, 0, false},
        {"header bits [7:0] are nothing", {HEADER(NOP, 1) | 0xff, 7}, 2, 5, 0, false},
        {"body", {HEADER(NOP, 4), 7, 7, 7, 7}, 5, 8, 0, false},
        {"known, without a rule", {HEADER(CLEAR_STATE, 3), 0, 0, 0}, 4, 7, 0, true},
        {"ACQUIRE_MEM", {HEADER(ACQUIRE_MEM, 6)}, 7, 10, 0, false},
        {"another event", {HEADER(EVENT_WRITE, 1), 0x10}, 2, 5, 0, false},
        {"event with an address", {HEADER(EVENT_WRITE, 3), 0x10, 8, 0}, 4, 7, 0, true},
        {"wait on a register", {HEADER(WAIT_REG_MEM, 6), 0x03, 0x100, 0, 1, 1, 4}, 7, 10, 0, true},
        {"smart wait on a register", {HEADER(WAIT_REG_MEM, 6), 0xc3, 0x100, 0, 1, 1, 4}, 7, 10, 0, true},
        {"function 0: always", {HEADER(WAIT_REG_MEM, 6), 0x10, 0x100, 0, 1, 1, 4}, 7, 10, 0, false},
        {"smart, function 0", {HEADER(WAIT_REG_MEM, 6), 0xd0, 0x100, 0, 1, 1, 4}, 7, 10, 0, false},
        {"timer of 0", {HEADER(WAIT_TIMER, 1), 0}, 2, 5, 0, false},
        {"no value", {HEADER(SET_SH_REG, 1), 0x207}, 2, 5, 0, false},
        {"no value, outside", {HEADER(SET_SH_REG, 1), 0x3ff}, 2, 5, 0, true},
        {"one register", {HEADER(SET_SH_REG, 2), 0x207, 5}, 3, 5, 1, false},
        {"three registers", {HEADER(SET_SH_REG, 4), 0x207, 5, 6, 7}, 5, 7, 3, false},
        {"first one outside", {HEADER(SET_SH_REG, 4), 0x1ff, 5, 6, 7}, 5, 7, 2, true},
        {"last one outside", {HEADER(SET_SH_REG, 3), 0x27f, 20, 21}, 4, 6, 1, true},
        {"all outside", {HEADER(SET_SH_REG, 4), 0x100, 5, 6, 7}, 5, 7, 0, true},
        {"highest register", {HEADER(SET_SH_REG, 2), 0x3ff, 30}, 3, 5, 0, true},
        {"no data", {HEADER(WRITE_DATA, 3), 0x500, 0x1000, 0}, 4, 7, 0, false},
        {"3 clocks for a dword of data", {HEADER(WRITE_DATA, 4), 0x500, 0x1000, 0, 9}, 5, 9, 0, false},
        {"three dwords", {HEADER(WRITE_DATA, 6), 0x500, 0x1000, 0, 9, 8, 7}, 7, 15, 0, false},
        {"indirect buffer", {HEADER(INDIRECT_BUFFER, 3), 0x1000, 0, 9}, 4, 7, 0, false},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        execute_bench t;
        unsigned      registers = 0;
        begin(&t, rows[n].words, rows[n].count);
        LEVEL(&t.b, fetch_available, rows[n].count); // just written
        for (;; clock_edge(&t)) {
            if (t.b.o.bank_write) {
                assert_int_equal(t.b.o.bank_offset, rows[n].words[1] + t.now - 5 - 0x200);
                assert_int_equal(t.b.o.bank_data, rows[n].words[t.now - 3]);
                registers++;
            }
            if (t.now == rows[n].clock)
                break;
            if (t.b.o.commit || t.b.o.executed || t.b.o.ignored)
                fail_msg("%s: executed in clock %u", rows[n].rule, t.now);
        }
        if (!t.b.o.commit || registers != rows[n].registers)
            fail_msg("%s: not committed, or %u registers", rows[n].rule, registers);
        committed(&t, rows[n].count, rows[n].ignored);
        assert_int_equal(t.b.o.executed_opcode, rows[n].words[0] >> 8 & 0xff);
        clock_edge(&t);
        assert_false(t.b.o.commit || t.b.o.executed || t.b.o.ignored || t.b.o.bank_write);
        assert_int_equal(t.left, 0);
    }
}

// Records: in which clock, with which code and word. That of a dword that could not be read has its own address, any
// other one that of the packet.
TEST(errors_of_packets)
{
    static const struct {
        const char *rule;
        uint32_t    words[9];
        unsigned    count, clock;
        uint8_t     code;
        uint32_t    word;
        uint8_t     unread; // error of the last dword
    } rows[] = {
        {"type", {0x00001234}, 1, 4, 0x21, 0x00001234, 0},
        {"opcode", {HEADER(0x14, 1)}, 1, 4, 0x22, HEADER(0x14, 1), 0},
        {"size", {HEADER(DISPATCH, 3)}, 1, 4, 0x25, HEADER(DISPATCH, 3), 0},
        {"write control", {HEADER(WRITE_DATA, 4), 0x100, 0x1000, 0, 1}, 5, 7, 0x29, 0x100, 0},
        {"register", {HEADER(SET_SH_REG, 2), 0x400, 1}, 3, 5, 0x28, 0x400, 0},
        {"register, no values", {HEADER(SET_SH_REG, 1), 0x400}, 2, 5, 0x28, 0x400, 0},
        {"y", {HEADER(DISPATCH, 4), 1, 65536, 1, 3}, 5, 8, 0x33, 65536, 0}, // waits for no partial group
        {"y before z", {HEADER(DISPATCH, 4), 1, 65536, 70000, 1}, 5, 8, 0x33, 65536, 0},
        {"z", {HEADER(DISPATCH, 4), 1, 65535, 70000, 1}, 5, 8, 0x33, 70000, 0},
        {"RELEASE_MEM", {HEADER(RELEASE_MEM, 7), 0, 0xa4020000}, 8, 11, 0x2d, 0xa4020000, 0},
        {"wait", {HEADER(WAIT_REG_MEM, 6), 0xe7}, 7, 10, 0x31, 0xe7, 0},
        {"unread header", {HEADER(NOP, 2)}, 1, 4, 0x61, (uint32_t)FAULT_POSITION, 1},
        {"unread body", {HEADER(NOP, 2), 1, 2}, 3, 5, 0x62, (uint32_t)FAULT_POSITION, 2},
        {"unread value", {HEADER(SET_SH_REG, 3), 0x200, 1, 2}, 4, 6, 0x63, (uint32_t)FAULT_POSITION, 3},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        execute_bench  t;
        const uint64_t address = rows[n].unread ? FAULT_POSITION : POSITION;
        begin(&t, rows[n].words, rows[n].count);
        t.error = rows[n].unread;
        halts_with(&t, rows[n].clock, address, rows[n].code, rows[n].word);
    }
    static const uint32_t nested[] = {HEADER(INDIRECT_BUFFER, 3), 0x1000, 0, 5};
    execute_bench         t;
    begin(&t, nested, 4);
    LEVEL(&t.b, fetch_in_buffer, true);
    halts_with(&t, 7, POSITION, 0x27, nested[0]);
}

// ---- writes, buffers

// The write is noted by the fence before its first word is taken.
TEST(data_written)
{
    for (unsigned one = 0; one < 2; one++) {
        const uint32_t words[] = {HEADER(WRITE_DATA, 6), one ? 0x10200u : 0x500u, 0xfffffffa, 0xabcd0012, 7, 8, 9};
        execute_bench  t;
        begin(&t, words, 7);
        for (unsigned n = 0; n < 3; n++) {
            const uint64_t strobes = !one && n % 2 ? 0xf0 : 0x0f, epoch = QUEUE % TOTEM_EPOCHS;
            const uint64_t address = one ? 0x12fffffff8 : 0x12fffffff8 + n / 2 * 8;
            for (; t.now < 7 + 3 * n; clock_edge(&t))
                assert_false(t.b.o.write_valid || t.b.o.fence_write);
            assert_true(t.b.o.write_valid && t.b.o.fence_write);
            assert_int_equal(t.b.o.dispatch_epoch, epoch);
            assert_int_equal(t.b.o.write_word, address | strobes << 40 | (uint64_t)QUEUE << 48 | epoch << 51);
            clock_edge(&t);
            assert_true(t.b.o.write_valid && !t.b.o.fence_write);
            assert_int_equal(t.b.o.write_word, (7ull + n) << 32 | (7 + n));
            clock_edge(&t);
        }
        committed(&t, 7, false);
    }
}

// What stands behind the packet is dropped, and not taken as a header. In a buffer CHAIN opens the next one.
TEST(indirect_buffer_opens)
{
    static const struct {
        bool     inside;
        uint32_t control;
    } rows[] = {{false, 0x92345}, {false, 0x192345}, {true, 0xfff92345}};
    for (unsigned n = 0; n < COUNT(rows); n++) {
        const uint32_t words[] = {HEADER(INDIRECT_BUFFER, 3), 0x89abcdef, 0xffff0045, rows[n].control, 0, 0, 0};
        execute_bench  t;
        begin(&t, words, 7);
        LEVEL(&t.b, fetch_in_buffer, rows[n].inside);
        commits_in(&t, 7, 4);
        assert_true(t.b.o.open && t.b.o.drop);
        assert_int_equal(t.b.o.open_addr, 0x4589abcdec);
        assert_int_equal(t.b.o.open_size, 0x92345);
        assert_int_equal(t.b.d.dwords.count, 2);
        clock_edge(&t);
        assert_false(t.b.o.open || t.b.o.commit);
        assert_int_equal(t.b.d.dwords.count, 0);
        assert_int_equal(t.b.s.phase, EXECUTE_READY);
    }
}

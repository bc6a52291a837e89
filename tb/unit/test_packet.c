// SPDX-License-Identifier: Apache-2.0
//
// totem_packet: rules, latencies and meetings of docs/contract/packet.md. The bench offers dwords as fast as they are
// taken; clock 0 is the one in which the first of them is offered, so a header is looked at in clock 2 and body dword k
// taken in clock 2 + k.

#include "packet_bench.h"

static void after_reset(void **state)
{
    packet_bench t;
    (void)state;
    memset(&t, 0, sizeof t);
    fresh(&t.b);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        assert_false(t.b.o.unfinished[q] || t.b.o.halted[q] || t.b.o.wait_flush[q] || t.b.o.wait_epoch[q]);
    assert_true(t.b.o.dword_ready);
    static const uint32_t words[] = {0x80000000, 0x80000000, 0x80000000};
    offer(&t, words, 3);
    quiet_until(&t, 10); // nothing is looked at before go
    assert_int_equal(t.left, 1);
    assert_false(t.b.o.dword_ready);
}

static void clocks_of_a_packet(void **state)
{
    static const struct {
        uint32_t words[9];
        unsigned count, clock;
        bool     ignored;
    } rows[] = {
        {{0x80000000}, 1, 3, false}, // type 2
        {{0xbfffffff}, 1, 3, false},
        {{0xffff1000}, 1, 3, false}, // NOP without body
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
        packet_bench t;
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
    packet_bench          t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 5);
    quiet_until(&t, 3);
    committed(&t, 1, false);
    clock_edge(&t);
    quiet_until(&t, 5);
    committed(&t, 1, false);
    clock_edge(&t);
    quiet_until(&t, 9);
    committed(&t, 2, false);
    clock_edge(&t);
    quiet_until(&t, 11);
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
        {{0x00001234}, 1, 3, 0x21, 0x00001234}, // types 0, 1
        {{0x7fff1000}, 1, 3, 0x21, 0x7fff1000},
        {{HEADER(0x14, 1)}, 1, 3, 0x22, HEADER(0x14, 1)}, // no such opcode
        {{HEADER(0x00, 1)}, 1, 3, 0x22, HEADER(0x00, 1)},
        // sizes
        {{HEADER(DISPATCH, 3)}, 1, 3, 0x25, HEADER(DISPATCH, 3)},
        {{HEADER(DISPATCH, 5)}, 1, 3, 0x25, HEADER(DISPATCH, 5)},
        {{HEADER(DISPATCH_INDIRECT, 2)}, 1, 3, 0x25, HEADER(DISPATCH_INDIRECT, 2)},
        {{HEADER(DISPATCH_INDIRECT, 4)}, 1, 3, 0x25, HEADER(DISPATCH_INDIRECT, 4)},
        {{HEADER(COND_EXEC, 3)}, 1, 3, 0x25, HEADER(COND_EXEC, 3)},
        {{HEADER(COND_EXEC, 5)}, 1, 3, 0x25, HEADER(COND_EXEC, 5)},
        {{HEADER(WRITE_DATA, 2)}, 1, 3, 0x25, HEADER(WRITE_DATA, 2)},
        {{HEADER(WAIT_REG_MEM, 5)}, 1, 3, 0x25, HEADER(WAIT_REG_MEM, 5)},
        {{HEADER(WAIT_REG_MEM, 7)}, 1, 3, 0x25, HEADER(WAIT_REG_MEM, 7)},
        {{HEADER(INDIRECT_BUFFER, 2)}, 1, 3, 0x25, HEADER(INDIRECT_BUFFER, 2)},
        {{HEADER(INDIRECT_BUFFER, 4)}, 1, 3, 0x25, HEADER(INDIRECT_BUFFER, 4)},
        {{HEADER(EVENT_WRITE, 2)}, 1, 3, 0x25, HEADER(EVENT_WRITE, 2)}, // inside the range all the same
        {{HEADER(EVENT_WRITE, 4)}, 1, 3, 0x25, HEADER(EVENT_WRITE, 4)},
        {{HEADER(RELEASE_MEM, 6)}, 1, 3, 0x25, HEADER(RELEASE_MEM, 6)},
        {{HEADER(RELEASE_MEM, 8)}, 1, 3, 0x25, HEADER(RELEASE_MEM, 8)},
        {{HEADER(ACQUIRE_MEM, 5)}, 1, 3, 0x25, HEADER(ACQUIRE_MEM, 5)},
        {{HEADER(ACQUIRE_MEM, 8)}, 1, 3, 0x25, HEADER(ACQUIRE_MEM, 8)},
        {{HEADER(LAUNCH_TASK, 2)}, 1, 3, 0x25, HEADER(LAUNCH_TASK, 2)},
        {{HEADER(WAIT_TIMER, 2)}, 1, 3, 0x25, HEADER(WAIT_TIMER, 2)},
        // not executed yet
        {{HEADER(LAUNCH_TASK, 1)}, 1, 3, 0x36, HEADER(LAUNCH_TASK, 1)},
        {{HEADER(DISPATCH, 4), 1, 65536, 1, 0x03}, 5, 8, 0x33, 65536},
        // body dwords
        {{HEADER(WRITE_DATA, 4), 0x100, 0x1000, 0, 1}, 5, 4, 0x29, 0x100},
        {{HEADER(WRITE_DATA, 4), 0xf00, 0x1000, 0, 1}, 5, 4, 0x29, 0xf00},
        {{HEADER(SET_SH_REG, 2), 0x400, 1}, 3, 4, 0x28, 0x400},
        {{HEADER(SET_SH_REG, 3), 0x3ff, 1, 1}, 4, 4, 0x28, 0x3ff},
        {{HEADER(SET_SH_REG, 1), 0x401}, 2, 4, 0x28, 0x401}, // without values
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
        packet_bench t;
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
        packet_bench t;
        open_bench(&t);
        t.b.hold.fetch_in_buffer = t.b.i.fetch_in_buffer = buffer != 0;
        t.b.hold.fetch_available = t.b.i.fetch_available = 5;
        offer(&t, words, 1);
        halts_with(&t, 3, POSITION, buffer ? 0x24 : 0x23, words[0]);
        open_bench(&t);
        t.b.hold.fetch_available = t.b.i.fetch_available = 6;
        offer(&t, words, 1);
        halts_with(&t, 3, POSITION, 0x25, words[0]);
    }
}

static void unread_dwords(void **state)
{
    static const uint32_t nop[] = {HEADER(NOP, 2), 1, 2}, set[] = {HEADER(SET_SH_REG, 3), 0x200, 1, 2};
    (void)state;
    for (uint8_t error = 1; error <= 3; error++) {
        packet_bench t;
        open_bench(&t);
        t.error = error;
        offer(&t, nop, 1); // the header; what it says does not matter
        halts_with(&t, 3, POSITION, (uint8_t)(0x60 + error), (uint32_t)POSITION);
        open_bench(&t);
        t.error = error;
        offer(&t, nop, 3); // the second of the body
        halts_with(&t, 5, POSITION, (uint8_t)(0x60 + error), (uint32_t)POSITION);
        open_bench(&t);
        t.error = error;
        offer(&t, set, 4); // a value: it is not written
        to_clock(&t, 4);
        assert_true(t.b.o.bank_write);
        clock_edge(&t);
        assert_false(t.b.o.bank_write);
        halts_with(&t, 6, POSITION, (uint8_t)(0x60 + error), (uint32_t)POSITION);
    }
}

static void error_waits_for_its_reader(void **state)
{
    static const uint32_t words[] = {0};
    packet_bench          t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, error_ready, false);
    offer(&t, words, 1);
    to_clock(&t, 8);
    assert_true(t.b.o.error_valid);
    assert_int_equal(t.b.o.error_word >> 56, 0x21);
    t.b.i.error_ready = true;
    clock_edge(&t);
    to_clock(&t, 12);
    assert_int_equal(t.b.o.error_word, 0);
    assert_false(t.b.o.left);
    t.b.i.error_ready = true;
    clock_edge(&t);
    assert_true(t.b.o.left && t.b.o.halted[QUEUE]);
}

// One register in every clock; only 0x200 to 0x27f are the bank's.
static void registers_written(void **state)
{
    static const uint32_t first[] = {HEADER(SET_SH_REG, 4), 0x1ff, 10, 11, 12},
                          last[] = {HEADER(SET_SH_REG, 3), 0x27f, 20, 21}, top[] = {HEADER(SET_SH_REG, 2), 0x3ff, 30};
    packet_bench t;
    (void)state;
    open_bench(&t);
    offer(&t, first, 5);
    to_clock(&t, 4);
    assert_false(t.b.o.bank_write);
    for (unsigned n = 0; n < 2; n++) {
        clock_edge(&t);
        assert_true(t.b.o.bank_write);
        assert_int_equal(t.b.o.bank_offset, n);
        assert_int_equal(t.b.o.bank_data, 11 + n);
    }
    clock_edge(&t);
    assert_false(t.b.o.bank_write);
    committed(&t, 5, true);
    open_bench(&t);
    offer(&t, last, 4);
    to_clock(&t, 4);
    assert_true(t.b.o.bank_write);
    assert_int_equal(t.b.o.bank_offset, 0x7f);
    assert_int_equal(t.b.o.bank_data, 20);
    clock_edge(&t);
    assert_false(t.b.o.bank_write);
    clock_edge(&t);
    committed(&t, 4, true);
    open_bench(&t);
    offer(&t, top, 3);
    quiet_until(&t, 5);
    committed(&t, 3, true);
}

// A gap in the dwords is a clock without a write.
static void values_are_waited_for(void **state)
{
    static const uint32_t words[] = {HEADER(SET_SH_REG, 2), 0x245, 10};
    packet_bench          t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 2);
    to_clock(&t, 8);
    assert_false(t.b.o.bank_write || t.b.o.commit);
    t.words = words + 2;
    t.left  = 1;
    clock_edge(&t);
    assert_true(t.b.o.bank_write);
    assert_int_equal(t.b.o.bank_offset, 0x45);
    clock_edge(&t);
    committed(&t, 3, false);
}

static void set_sh_reg_waits_for_the_bank(void **state)
{
    static const uint32_t words[] = {HEADER(NOP, 1), 0, HEADER(SET_SH_REG, 2), 0x207, 5};
    packet_bench          t;
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
    assert_true(t.b.o.bank_write);
    clock_edge(&t);
    committed(&t, 3, false);
}

// ---- dispatches

static const uint32_t dispatch[] = {HEADER(DISPATCH, 4), 0x12345678, 0x9abc, 0xdef0, 0x00000041};

static void dispatch_starts(void **state)
{
    (void)state;
    for (unsigned at_zero = 0; at_zero < 2; at_zero++) {
        uint32_t     words[5];
        packet_bench t;
        memcpy(words, dispatch, sizeof words);
        words[4] |= at_zero ? 4 : 0;
        open_bench(&t);
        offer(&t, words, 5);
        quiet_until(&t, 8); // the last dword is taken in 6
        assert_true(t.b.o.bank_write);
        assert_int_equal(t.b.o.bank_offset, 0); // DISPATCH_INITIATOR
        assert_int_equal(t.b.o.bank_data, words[4]);
        clock_edge(&t);
        assert_true(t.b.o.start);
        assert_false(t.b.o.start_resume || t.b.o.bank_write);
        assert_int_equal(t.b.o.start_fresh_at_zero, at_zero);
        assert_int_equal(t.b.o.start_end, 0xdef09abc12345678);
        assert_int_equal(t.b.o.dispatch_waves, 1);
        assert_int_equal(t.b.o.dispatch_threads, 64);
        assert_false(t.b.o.dispatch_wave32);
        assert_int_equal(t.b.o.dispatch_queue, QUEUE);
        assert_int_equal(t.b.o.dispatch_epoch, QUEUE % TOTEM_EPOCHS);
        clock_edge(&t);
        LEVEL(&t.b, walker_busy, true);
        quiet_until(&t, 30);
        LEVEL(&t.b, walker_busy, false);
        clock_edge(&t);
        committed(&t, 5, false);
        assert_int_equal(t.b.o.executed_opcode, DISPATCH);
    }
}

static void waves_of_a_group(void **state)
{
    static const struct {
        uint16_t threads;
        bool     wave32;
        uint8_t  waves, last;
    } rows[] = {{1, 0, 1, 1}, {63, 0, 1, 63}, {64, 0, 1, 64}, {65, 0, 2, 1}, {1000, 0, 16, 40}, {1024, 0, 16, 64},
                {1, 1, 1, 1}, {31, 1, 1, 31}, {32, 1, 1, 32}, {33, 1, 2, 1}, {500, 1, 16, 20},  {512, 1, 16, 32}};
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const uint32_t words[] = {dispatch[0], 1, 1, 1, rows[n].wave32 ? 0x8001 : 1};
        packet_bench   t;
        open_bench(&t);
        LEVEL(&t.b, bank_threads, rows[n].threads);
        offer(&t, words, 5);
        to_clock(&t, 9);
        assert_true(t.b.o.start);
        assert_int_equal(t.b.o.dispatch_waves, rows[n].waves);
        assert_int_equal(t.b.o.dispatch_threads, rows[n].last);
        assert_int_equal(t.b.o.dispatch_wave32, rows[n].wave32);
    }
}

static void dispatch_waits_for_the_bank(void **state)
{
    packet_bench t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, bank_loaded, false);
    LEVEL(&t.b, bank_busy, true);
    LEVEL(&t.b, bank_threads, 0);
    offer(&t, dispatch, 5);
    quiet_until(&t, 15);
    LEVEL(&t.b, bank_loaded, true);
    quiet_until(&t, 20);
    LEVEL(&t.b, bank_busy, false);
    LEVEL(&t.b, bank_threads, 128);
    quiet_until(&t, 22);
    assert_true(t.b.o.start);
    assert_int_equal(t.b.o.dispatch_waves, 2);
}

// What an empty engine can hold starts, one more is an error.
static void group_and_engine(void **state)
{
    static const struct {
        uint16_t threads;
        uint8_t  vgprs;
        uint16_t lds;
        uint32_t word; // 0: it starts
    } rows[] = {
        {64 * TOTEM_SLOTS, 1, 0, 0},
        {64 * TOTEM_SLOTS + 1, 1, 0, TOTEM_SLOTS + 1},
        {TOTEM_VGPRS, 64, 0, 0}, // VGPRS / 64 waves of 64 blocks
        {TOTEM_VGPRS + 1, 64, 0, TOTEM_VGPRS / 64 + 1},
#if TOTEM_LDS < 511
        {64, 1, TOTEM_LDS, 0},
        {64, 1, TOTEM_LDS + 1, 1},
#else
        {64, 1, 511, 0}, // more than its register can say
#endif
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        packet_bench t;
        open_bench(&t);
        LEVEL(&t.b, bank_threads, rows[n].threads);
        LEVEL(&t.b, bank_vgprs, rows[n].vgprs);
        LEVEL(&t.b, bank_lds, rows[n].lds);
        offer(&t, dispatch, 5);
        if (rows[n].word != 0) {
            halts_with(&t, 9, POSITION, 0x34, rows[n].word);
        } else {
            quiet_until(&t, 9);
            assert_true(t.b.o.start);
        }
    }
    packet_bench t;
    open_bench(&t);
    LEVEL(&t.b, bank_threads, 0);
    offer(&t, dispatch, 5);
    halts_with(&t, 8, POSITION, 0x32, 0);
    open_bench(&t);
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        LEVEL(&t.b, bank_engines[n], false);
    LEVEL(&t.b, bank_threads, 64 * TOTEM_SLOTS + 1); // no engine comes first
    offer(&t, dispatch, 5);
    halts_with(&t, 9, POSITION, 0x35, 0);
    open_bench(&t);
    for (unsigned n = 0; n + 1 < TOTEM_SE_COUNT; n++)
        LEVEL(&t.b, bank_engines[n], false);
    offer(&t, dispatch, 5); // one is enough
    quiet_until(&t, 9);
    assert_true(t.b.o.start);
}

static void running(packet_bench *t)
{
    open_bench(t);
    offer(t, dispatch, 5);
    to_clock(t, 10);
    LEVEL(&t->b, walker_busy, true);
    to_clock(t, 12);
}

static void leave_recalls_the_grid(void **state)
{
    packet_bench t;
    (void)state;
    running(&t);
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    for (; t.now < 20; clock_edge(&t)) {
        assert_true(t.b.o.stop);
        assert_false(t.b.o.left || t.b.o.bank_save);
    }
    t.b.i.walker_stopped = true;
    clock_edge(&t);
    assert_true(t.b.o.left && t.b.o.bank_save && t.b.o.unfinished[QUEUE]);
    assert_false(t.b.o.stop || t.b.o.commit);
    clock_edge(&t);
    assert_false(t.b.o.left || t.b.o.bank_save);
    assert_true(t.b.o.unfinished[QUEUE]);
}

static void nothing_was_left_to_recall(void **state)
{
    packet_bench t;
    (void)state;
    running(&t);
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    LEVEL(&t.b, walker_busy, false);
    clock_edge(&t);
    assert_true(t.b.o.stop); // until the walker has stopped
    t.b.i.walker_stopped = true;
    clock_edge(&t);
    committed(&t, 5, false);
    assert_false(t.b.o.left || t.b.o.bank_save || t.b.o.unfinished[QUEUE]);
    clock_edge(&t);
    assert_true(t.b.o.left); // the boundary
}

static void last_group_meets_leave(void **state)
{
    packet_bench t;
    (void)state;
    running(&t);
    LEVEL(&t.b, arbiter_leave, true);
    LEVEL(&t.b, walker_busy, false);
    clock_edge(&t);
    committed(&t, 5, false);
    assert_false(t.b.o.stop);
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.unfinished[QUEUE]);
}

static void unmapped_while_it_is_recalled(void **state)
{
    packet_bench t;
    (void)state;
    running(&t); // not active: nothing is kept
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    LEVEL(&t.b, arbiter_active[QUEUE], false);
    t.b.i.walker_stopped = true;
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.bank_save || t.b.o.unfinished[QUEUE] || t.b.o.commit);

    running(&t); // ACTIVE is cleared as STOP ends
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    t.b.i.walker_stopped = true;
    t.b.i.load_valid     = true;
    t.b.i.load_queue     = QUEUE;
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.unfinished[QUEUE]);
}

static void recalled(packet_bench *t)
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

static void unfinished_grid_goes_on(void **state)
{
    static const uint32_t words[] = {0, 0, 0}; // what fetch has read again is not looked at
    packet_bench          t;
    (void)state;
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
    assert_true(t.b.o.unfinished[QUEUE]);
    clock_edge(&t);
    assert_false(t.b.o.unfinished[QUEUE]);
    LEVEL(&t.b, walker_busy, true);
    quiet_until(&t, 20);
    assert_false(t.b.o.dword_ready); // nobody has taken one
    t.left = 0;
    LEVEL(&t.b, walker_busy, false);
    clock_edge(&t);
    committed(&t, 5, false);
    assert_int_equal(t.b.o.executed_opcode, DISPATCH);
    clock_edge(&t); // forgotten
    assert_int_equal(t.b.s.dwords.count, 0);
    offer(&t, dispatch, 1);
    clock_edge(&t);
    clock_edge(&t);
    assert_int_equal(t.b.s.header, dispatch[0]);
}

static void leave_before_the_grid_goes_on(void **state)
{
    packet_bench t;
    (void)state;
    recalled(&t);
    go(&t);
    t.b.i.arbiter_leave = true; // and the bank is loaded
    clock_edge(&t);
    assert_true(t.b.o.left && t.b.o.unfinished[QUEUE]);
}

// ---- fences

static const uint32_t release[] = {
    HEADER(RELEASE_MEM, 7), 0x514, 0x62010000, 0x89abcdef, 0xffffff45, 0x11111111, 0x22222222, 0x33333333};

static void release_goes_to_the_fence(void **state)
{
    packet_bench t;
    (void)state;
    open_bench(&t);
    offer(&t, release, 8);
    quiet_until(&t, 11);
    assert_true(t.b.o.fence_valid);
    assert_int_equal(t.b.o.fence_word, 0x4589abcdec | 3ull << 40 | 2ull << 43);
    clock_edge(&t);
    assert_int_equal(t.b.o.fence_word, 0x2222222211111111);
    t.b.i.fence_ready = false;
    clock_edge(&t);
    assert_int_equal(t.b.o.fence_word, 0x2222222211111111); // not taken
    clock_edge(&t);
    assert_true(t.b.o.fence_valid);
    assert_int_equal(t.b.o.fence_word, 0x33333333);
    clock_edge(&t);
    quiet_until(&t, 25); // until its epoch is closed
    LEVEL(&t.b, fence_epoch[QUEUE], (QUEUE + 1) % TOTEM_EPOCHS);
    clock_edge(&t);
    committed(&t, 8, false);
    assert_false(t.b.o.fence_close || t.b.o.fence_write);
}

static void release_without_a_free_epoch(void **state)
{
    packet_bench t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, fence_room[QUEUE], false);
    offer(&t, release, 8);
    quiet_until(&t, 11);
    assert_true(t.b.o.left && t.b.o.wait_epoch[QUEUE]);
    assert_false(t.b.o.wait_flush[QUEUE] || t.b.o.commit || t.b.o.fence_valid);
    clock_edge(&t);
    assert_true(t.b.o.wait_epoch[QUEUE] && !t.b.o.left);
    go(&t);
    assert_false(t.b.o.wait_epoch[QUEUE]);
    LEVEL(&t.b, fence_room[QUEUE], true);
    offer(&t, release, 8); // from the start
    quiet_until(&t, 11);
    assert_true(t.b.o.fence_valid);
}

static const uint32_t flush[] = {HEADER(EVENT_WRITE, 1), 0x400 | PARTIAL_FLUSH};

static void flush_closes_its_epoch_once(void **state)
{
    packet_bench t;
    (void)state;
    open_bench(&t);
    offer(&t, flush, 2);
    quiet_until(&t, 5);
    assert_true(t.b.o.fence_close);
    assert_int_equal(t.b.o.dispatch_queue, QUEUE);
    clock_edge(&t); // `flushed` is looked at from here on
    assert_false(t.b.o.fence_close || t.b.o.left || t.b.o.commit);
    clock_edge(&t);
    assert_true(t.b.o.left && t.b.o.wait_flush[QUEUE]);
    assert_false(t.b.o.wait_epoch[QUEUE] || t.b.o.commit);
    clock_edge(&t);
    LEVEL(&t.b, fence_room[QUEUE], false); // is not needed any more
    go(&t);
    assert_false(t.b.o.wait_flush[QUEUE]);
    offer(&t, flush, 2);
    quiet_until(&t, 6); // no close
    assert_true(t.b.o.left && t.b.o.wait_flush[QUEUE]);
    clock_edge(&t);
    LEVEL(&t.b, fence_flushed[QUEUE], true);
    go(&t);
    offer(&t, flush, 2);
    quiet_until(&t, 6);
    committed(&t, 2, false);
    LEVEL(&t.b, fence_room[QUEUE], true);
    clock_edge(&t);
    offer(&t, flush, 2); // the next flush closes again
    quiet_until(&t, 5);
    assert_true(t.b.o.fence_close);
    clock_edge(&t);
    clock_edge(&t);
    committed(&t, 2, false);
}

static void flush_without_a_free_epoch(void **state)
{
    packet_bench t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, fence_room[QUEUE], false);
    offer(&t, flush, 2);
    quiet_until(&t, 5);
    assert_true(t.b.o.left && t.b.o.wait_epoch[QUEUE]);
    assert_false(t.b.o.fence_close || t.b.o.wait_flush[QUEUE]);
}

// ---- waits

static void compare_functions(void **state)
{
    // below, equal, above; bits outside the mask differ
    static const bool met[7][3] = {{1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 1}, {0, 1, 1}, {0, 0, 1}};
    (void)state;
    for (unsigned function = 1; function <= 6; function++)
        for (unsigned n = 0; n < 3; n++)
            for (unsigned upper = 0; upper < 2; upper++) {
                const uint32_t words[] = {HEADER(WAIT_REG_MEM, 6),
                                          0x10 | function,
                                          0x89abcde0 | upper << 2 | 2,
                                          0xffffff45,
                                          0x80000010,
                                          0xffff00ff,
                                          4};
                const uint64_t value   = 0x8000550full + n; // masked 0x8000000f and so on
                packet_bench   t;
                poll_of(&t, words);
                assert_true(t.b.o.poll_valid);
                assert_int_equal(t.b.o.poll_addr, 0x4589abcde0);
                clock_edge(&t);
                quiet_until(&t, 14);
                t.b.i.poll_data_valid = true;
                t.b.i.poll_data       = upper ? value << 32 : value;
                clock_edge(&t);
                assert_true(t.b.o.executed); // counted, met or not
                assert_int_equal(t.b.o.executed_opcode, WAIT_REG_MEM);
                if (t.b.o.commit != met[function][n])
                    fail_msg("function %u, case %u", function, n);
                clock_edge(&t);
                assert_false(t.b.o.poll_valid); // the arbiter may ask the queue to leave
                clock_edge(&t);
                assert_int_equal(t.b.o.poll_valid, !met[function][n]); // once more
            }
}

static const uint32_t wait_equal[] = {HEADER(WAIT_REG_MEM, 6), 0x13, 0x1004, 0x20, 5, 0xffffffff, 4};

static void poll_is_held_and_repeated(void **state)
{
    packet_bench t;
    (void)state;
    poll_of(&t, wait_equal);
    for (unsigned n = 0; n < 3; n++) {
        t.b.i.poll_ready = false;
        assert_true(t.b.o.poll_valid);
        clock_edge(&t);
    }
    for (unsigned n = 0; n < 4; n++) {
        assert_true(t.b.o.poll_valid);
        assert_int_equal(t.b.o.poll_addr, 0x2000001000);
        clock_edge(&t);
        assert_false(t.b.o.poll_valid);
        t.b.i.arbiter_leave   = true; // not in ANSWER
        t.b.i.poll_data_valid = true;
        t.b.i.poll_data       = n < 3 ? 5 : 5ull << 32;
        clock_edge(&t);
        assert_true(t.b.o.executed);
        assert_int_equal(t.b.o.commit, n == 3);
        if (n < 3) {
            clock_edge(&t);
            clock_edge(&t);
        }
    }
}

static void leave_between_two_polls(void **state)
{
    packet_bench t;
    (void)state;
    poll_of(&t, wait_equal);
    clock_edge(&t);
    t.b.i.poll_data_valid = true;
    clock_edge(&t);
    assert_true(t.b.o.executed);
    clock_edge(&t);
    t.b.i.arbiter_leave = true; // as the arbiter answers to a packet executed
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.commit || t.b.o.poll_valid || t.b.o.executed);
}

static void poll_that_fails(void **state)
{
    (void)state;
    for (uint8_t error = 1; error <= 3; error++) {
        uint32_t     words[7];
        packet_bench t;
        memcpy(words, wait_equal, sizeof words);
        words[2] |= 3;
        poll_of(&t, words);
        clock_edge(&t);
        t.b.i.poll_data_valid = true;
        t.b.i.poll_data       = 5ull << 32; // is nothing
        t.b.i.poll_error      = error;
        clock_edge(&t);
        halts_with(&t, 12, 0x2000001004, (uint8_t)(0x60 + error), 0x1004);
    }
}

// ---- writes, buffers

static void data_written(void **state)
{
    (void)state;
    for (unsigned one = 0; one < 2; one++) {
        const uint32_t words[] = {HEADER(WRITE_DATA, 6), one ? 0x10200u : 0x500u, 0xfffffffa, 0xabcdef12, 7, 8, 9};
        packet_bench   t;
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
    packet_bench          t;
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
        packet_bench   t;
        open_bench(&t);
        LEVEL(&t.b, fetch_in_buffer, rows[n].inside);
        offer(&t, words, 7);
        quiet_until(&t, 7);
        committed(&t, 4, false);
        assert_true(t.b.o.open);
        assert_true(t.b.o.drop);
        assert_int_equal(t.b.o.open_addr, 0x4589abcdec);
        assert_int_equal(t.b.o.open_size, 0x12345);
        assert_int_equal(t.b.s.dwords.count, 2); // of what stands behind the packet
        clock_edge(&t);
        assert_false(t.b.o.open || t.b.o.commit);
        assert_int_equal(t.b.s.dwords.count, 0);
        assert_int_equal(t.b.s.phase, PACKET_HEADER); // and was not taken as a header
    }
    static const uint32_t nested[] = {HEADER(INDIRECT_BUFFER, 3), 0x1000, 0, 5};
    packet_bench          t;
    open_bench(&t);
    LEVEL(&t.b, fetch_in_buffer, true);
    offer(&t, nested, 4);
    halts_with(&t, 7, POSITION, 0x27, nested[0]);
}

// ---- meetings

static void leave_meets_a_header(void **state)
{
    static const uint32_t words[] = {0, 0, 0};
    packet_bench          t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 3);
    clock_edge(&t);
    t.b.i.arbiter_leave = true;
    clock_edge(&t);
    assert_true(t.b.o.left);
    t.left = 0;
    clock_edge(&t);
    assert_int_equal(t.b.s.dwords.count, 0); // it comes again with the next go
    assert_int_equal(t.b.s.phase, PACKET_IDLE);
    assert_false(t.b.o.error_valid || t.b.o.left);
}

static void leave_meets_a_packet(void **state)
{
    static const uint32_t words[] = {HEADER(NOP, 3), 0, 0, 0};
    packet_bench          t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 4);
    to_clock(&t, 2);
    t.b.i.arbiter_leave = true; // CHECK: still the boundary
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.commit || t.b.o.executed);

    open_bench(&t);
    offer(&t, words, 4);
    to_clock(&t, 3);
    LEVEL(&t.b, arbiter_leave, true); // BODY: after the packet
    quiet_until(&t, 7);
    committed(&t, 4, false);
    clock_edge(&t);
    assert_true(t.b.o.left);
}

// What executed in the clock of `executed` asks for comes before the next packet.
static void leave_after_executed(void **state)
{
    static const uint32_t words[] = {0xffff1000, 0xffff1000, 0xffff1000};
    packet_bench          t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 3);
    while (!t.b.o.executed)
        clock_edge(&t);
    clock_edge(&t);
    t.b.i.arbiter_leave = true;
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.commit || t.b.o.executed);
}

typedef enum { BY_FENCE, BY_POLL, BY_FETCH } halt_source;

// A failure of that queue, by whoever reports it.
static void halt(packet_bench *t, halt_source source, uint8_t queue)
{
    if (source == BY_POLL) {
        t->b.i.poll_halt       = true;
        t->b.i.poll_halt_queue = queue;
    } else if (source == BY_FETCH) {
        t->b.i.fetch_halt       = true;
        t->b.i.fetch_halt_queue = queue;
    } else {
        t->b.i.fence_halt       = true;
        t->b.i.fence_halt_queue = queue;
    }
}

static void halted_by(halt_source source)
{
    packet_bench t;
    open_bench(&t);
    for (unsigned round = 0; round < 3; round++) {
        halt(&t, source, LAST);
        clock_edge(&t);
        assert_true(t.b.o.halted[LAST]);
        t.b.i.load_valid = true;
        t.b.i.load_queue = LAST;
        t.b.i.load_kind  = round == 0 ? LOAD_RESUME : LOAD_ACTIVE; // mapped, ACTIVE cleared
        t.b.i.load_data  = round == 1;
        clock_edge(&t);
        assert_int_equal(t.b.o.halted[LAST], round == 2);
    }
    for (uint8_t kind = LOAD_QUEUE_PRIORITY; kind < LOAD_RESUME; kind++) {
        t.b.i.load_valid = true;
        t.b.i.load_queue = LAST;
        t.b.i.load_kind  = kind;
        t.b.i.load_data  = 1;
        clock_edge(&t);
        assert_true(t.b.o.halted[LAST]);
    }
    t.b.i.load_valid = true; // of another queue
    t.b.i.load_queue = 0;
    t.b.i.load_kind  = LOAD_RESUME;
    clock_edge(&t);
    assert_true(t.b.o.halted[LAST]);
    for (uint8_t kind = LOAD_RESUME; kind <= LOAD_SKIP; kind++) { // the host has not seen this one
        halt(&t, source, LAST);
        t.b.i.load_valid = true;
        t.b.i.load_queue = LAST;
        t.b.i.load_kind  = kind;
        clock_edge(&t);
        assert_true(t.b.o.halted[LAST]);
    }
    halt(&t, source, LAST); // one of each, of two queues
    halt(&t, (halt_source)((source + 1) % 3), 0);
    clock_edge(&t);
    assert_true(t.b.o.halted[LAST] && t.b.o.halted[0]);
}

static void halts(void **state)
{
    (void)state;
    halted_by(BY_FENCE);
    halted_by(BY_POLL);
    halted_by(BY_FETCH);
}

// The sources' switch: a grid comes back from memory unless it has been dropped meanwhile; a failure halts.
static void moved(void **state)
{
    packet_bench t;
    (void)state;
    open_bench(&t);
    for (unsigned kept = 0; kept < 2; kept++)
        for (uint64_t data = 0; data < 16; data++) {
            t.b.s.unfinished[LAST] = kept;
            t.b.s.halted[LAST]     = false;
            t.b.s.closed[LAST] = t.b.s.skip[LAST] = true;
            t.b.i.load_valid                      = true;
            t.b.i.load_queue                      = LAST;
            t.b.i.load_kind                       = LOAD_MOVED;
            t.b.i.load_data                       = data;
            clock_edge(&t);
            assert_int_equal(t.b.o.unfinished[LAST], kept && ((data & 1) == 0 || (data & 4) != 0));
            assert_int_equal(t.b.o.halted[LAST], (data & 8) != 0);
            assert_true(t.b.s.closed[LAST] && t.b.s.skip[LAST]);
        }
}

static void halt_of_the_selected_queue(void **state)
{
    static const uint32_t words[] = {HEADER(NOP, 3), 0, 0, 0};
    packet_bench          t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 4);
    to_clock(&t, 4);
    t.b.i.fence_halt       = true;
    t.b.i.fence_halt_queue = QUEUE;
    clock_edge(&t);
    assert_true(t.b.o.halted[QUEUE]);
    quiet_until(&t, 7); // the packet goes on
    committed(&t, 4, false);
}

static void mapping_forgets(void **state)
{
    packet_bench t;
    (void)state;
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        open_bench(&t); // a flush that has closed its epoch
        offer(&t, flush, 2);
        to_clock(&t, 8);
        assert_true(t.b.o.wait_flush[QUEUE] && t.b.s.closed[QUEUE]);
        t.b.s.unfinished[QUEUE] = t.b.s.wait_epoch[QUEUE] = t.b.s.unfinished[0] = true;
        t.b.i.load_valid                                                        = true;
        t.b.i.load_queue                                                        = QUEUE;
        t.b.i.load_data                                                         = mapped;
        clock_edge(&t);
        assert_false(t.b.o.unfinished[QUEUE] || t.b.o.wait_flush[QUEUE] || t.b.o.wait_epoch[QUEUE] ||
                     t.b.s.closed[QUEUE]);
        assert_true(t.b.o.unfinished[0]);
    }
}

// PARTIAL_TG_EN waits for the table of partial groups, gives way meanwhile, and looks at what it says.
static void partial_groups(void **state)
{
    static packet_bench   t;
    static const uint32_t words[] = {HEADER(DISPATCH, 4), 2, 3, 4, 0x07};
    (void)state;
    open_bench(&t);
    offer(&t, words, 5);
    quiet_until(&t, 40); // bank_partial is 0
    LEVEL(&t.b, bank_partial, 1);
    while (!t.b.o.start)
        clock_edge(&t);
    assert_int_equal(t.now, 42);
    assert_true(t.b.o.start_partial && t.b.o.start_fresh_at_zero);

    open_bench(&t);
    offer(&t, words, 5);
    quiet_until(&t, 40);
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.unfinished[QUEUE] || t.b.o.halted[QUEUE] || t.b.o.commit);

    for (uint8_t n = 2; n < 4; n++) {
        open_bench(&t);
        LEVEL(&t.b, bank_partial, n);
        offer(&t, words, 5);
        halts_with(&t, 8, POSITION, n == 2 ? 0x32 : 0x39, n == 2);
    }

    static const uint32_t full[] = {HEADER(DISPATCH, 4), 2, 3, 4, 0x05};
    open_bench(&t);
    offer(&t, full, 5); // without the bit nothing waits
    while (!t.b.o.start)
        clock_edge(&t);
    assert_false(t.b.o.start_partial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partial_groups),
        cmocka_unit_test(after_reset),
        cmocka_unit_test(clocks_of_a_packet),
        cmocka_unit_test(packets_one_after_the_other),
        cmocka_unit_test(errors_of_packets),
        cmocka_unit_test(packet_reaches_too_far),
        cmocka_unit_test(unread_dwords),
        cmocka_unit_test(error_waits_for_its_reader),
        cmocka_unit_test(registers_written),
        cmocka_unit_test(values_are_waited_for),
        cmocka_unit_test(set_sh_reg_waits_for_the_bank),
        cmocka_unit_test(dispatch_starts),
        cmocka_unit_test(waves_of_a_group),
        cmocka_unit_test(dispatch_waits_for_the_bank),
        cmocka_unit_test(group_and_engine),
        cmocka_unit_test(leave_recalls_the_grid),
        cmocka_unit_test(nothing_was_left_to_recall),
        cmocka_unit_test(last_group_meets_leave),
        cmocka_unit_test(unmapped_while_it_is_recalled),
        cmocka_unit_test(unfinished_grid_goes_on),
        cmocka_unit_test(leave_before_the_grid_goes_on),
        cmocka_unit_test(release_goes_to_the_fence),
        cmocka_unit_test(release_without_a_free_epoch),
        cmocka_unit_test(flush_closes_its_epoch_once),
        cmocka_unit_test(flush_without_a_free_epoch),
        cmocka_unit_test(compare_functions),
        cmocka_unit_test(poll_is_held_and_repeated),
        cmocka_unit_test(leave_between_two_polls),
        cmocka_unit_test(poll_that_fails),
        cmocka_unit_test(data_written),
        cmocka_unit_test(write_is_held),
        cmocka_unit_test(indirect_buffer_opens),
        cmocka_unit_test(leave_meets_a_header),
        cmocka_unit_test(leave_meets_a_packet),
        cmocka_unit_test(leave_after_executed),
        cmocka_unit_test(halts),
        cmocka_unit_test(moved),
        cmocka_unit_test(halt_of_the_selected_queue),
        cmocka_unit_test(mapping_forgets),
    };

    return cmocka_run_group_tests_name("packet", tests, NULL, NULL);
}

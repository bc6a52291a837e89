// SPDX-License-Identifier: Apache-2.0
//
// totem_decode: which word is handed over for which dwords, and when (docs/contract/decode.md). The numbers are those
// of the public lists, not those of the table.

#include "block_bench.h"
#include "tests.h"

#include "totem_decode.h"
#include "totem_pm4.h"

BENCH(decode)

#define HEADER(op, body) (0xc0000000u | (uint32_t)((body)-1) << 16 | (uint32_t)(op) << 8)

enum {
    NOP         = 0x10,
    COUNTED     = 0x12,
    DISPATCH    = 0x15,
    INDIRECT    = 0x16,
    COND_EXEC   = 0x22,
    WRITE_DATA  = 0x37,
    WAIT        = 0x3c,
    BUFFER      = 0x3f,
    EVENT       = 0x46,
    RELEASE     = 0x49,
    ACQUIRE     = 0x58,
    SET         = 0x76,
    LAUNCH_TASK = 0xfc,
    TIMER       = 0xfd,
    MOST        = 12,
};

typedef struct {
    bench           b;
    const uint32_t *words;
    unsigned        left;  // words not yet taken
    uint8_t         error; // comes with the last of them
    unsigned        now;
} decode_bench;

static void clock_edge(decode_bench *t)
{
    t->b.i.fetch_dword_valid = t->left != 0;
    t->b.i.fetch_dword_data  = t->left != 0 ? *t->words : 0xdeadbeef;
    t->b.i.fetch_dword_error = t->left == 1 ? t->error : 0;
    if (t->left != 0 && t->b.o.dword_ready) {
        t->words++;
        t->left--;
    }
    tick(&t->b);
    t->now++;
    assert_true(totem_decode_invariant(&t->b.s));
}

// Clock 0 is the one in which the first dword is offered: header checked in clock 2, body dword k taken in clock 2 + k.
static void begin(decode_bench *t, const uint32_t *words, unsigned count)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    t->b.hold.fetch_available = 100000;
    t->b.hold.bank_loaded     = true;
    t->b.hold.execute_ready   = true;
    t->b.i                    = t->b.hold;
    t->words                  = words;
    t->left                   = count;
}

static void to_clock(decode_bench *t, unsigned clock)
{
    while (t->now < clock)
        clock_edge(t);
}

// Up to the first word.
static void to_word(decode_bench *t, unsigned clock)
{
    for (; t->now < clock; clock_edge(t))
        if (t->b.o.valid)
            fail_msg("a word in clock %u, before %u", t->now, clock);
    if (!t->b.o.valid)
        fail_msg("no word in clock %u", clock);
}

// Headers, and what comes of them alone.
TEST(headers)
{
    static const struct {
        uint32_t word;
        uint8_t  kind, code;
        bool     skip;
        uint16_t length;
    } rows[] = {
        {0x80000000, TOTEM_KIND_NONE, 0, false, 1},
        {0xbfffffff, TOTEM_KIND_NONE, 0, false, 1},
        {0xbfff4900, TOTEM_KIND_NONE, 0, true, 1}, // a filler is passed as it is
        {0xffff1000, TOTEM_KIND_NONE, 0, false, 1},
        {0x00001234, TOTEM_KIND_ERROR, 0x21, false, 1},
        {0x7fff1000, TOTEM_KIND_ERROR, 0x21, false, 1},
        {0x40001234, TOTEM_KIND_PASS, 0, true, 1},
        {HEADER(0x14, 3), TOTEM_KIND_ERROR, 0x22, false, 4},
        {HEADER(0x14, 3), TOTEM_KIND_PASS, 0, true, 1},
        {HEADER(0x00, 1), TOTEM_KIND_ERROR, 0x22, false, 2},
        {HEADER(RELEASE, 7), TOTEM_KIND_PASS, 0, true, 8},
        {HEADER(DISPATCH, 9), TOTEM_KIND_PASS, 0, true, 10},
#if !TOTEM_TASKS
        {HEADER(LAUNCH_TASK, 1), TOTEM_KIND_ERROR, 0x36, false, 2},
#endif
        {HEADER(LAUNCH_TASK, 2), TOTEM_KIND_ERROR, 0x25, false, 3},
        {0xffff1000, TOTEM_KIND_PASS, 0, true, 1},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        decode_bench t;
        begin(&t, &rows[n].word, 1);
        LEVEL(&t.b, execute_skip, rows[n].skip);
        to_word(&t, 3);
        assert_int_equal(t.b.o.kind, rows[n].kind);
        assert_int_equal(t.b.o.code, rows[n].code);
        assert_int_equal(t.b.o.length, rows[n].length);
        assert_int_equal(t.b.o.header, rows[n].word);
        assert_true(t.b.o.last && !t.b.o.counted && !t.b.o.unread);
        if (rows[n].code != 0)
            assert_int_equal(t.b.o.control, rows[n].word);
    }
}

// Bodies that a packet may have: 1 to MOST dwords, by bits; ~0: all.
TEST(sizes)
{
    static const struct {
        uint8_t  op;
        uint32_t bodies;
    } rows[] = {
        {NOP, ~0u},         {COUNTED, ~0u},  {DISPATCH, 1u << 4}, {INDIRECT, 1u << 3}, {COND_EXEC, 1u << 4},
        {WRITE_DATA, ~6u},  {WAIT, 1u << 6}, {BUFFER, 1u << 3},   {EVENT, 2u | 8u},    {RELEASE, 1u << 7},
        {ACQUIRE, 3u << 6}, {SET, ~0u},      {TIMER, 1u << 1},
    };
    for (unsigned n = 0; n < COUNT(rows); n++)
        for (unsigned body = 1; body <= MOST; body++) {
            const uint32_t word = HEADER(rows[n].op, body);
            const bool     fits = (rows[n].bodies >> body & 1) != 0;
            decode_bench   t;
            begin(&t, &word, 1);
            to_clock(&t, 3);
            if (t.b.o.valid == fits)
                fail_msg("opcode 0x%02x with %u dwords: %s", rows[n].op, body, fits ? "refused" : "taken");
            if (!fits)
                assert_true(t.b.o.kind == TOTEM_KIND_ERROR && t.b.o.code == 0x25 && t.b.o.control == word);
            else
                assert_int_equal(t.b.s.phase, DECODE_BODY);
        }
}

// What every operand is. Body dword k is 0x11111111 * k, but one that a row names.
TEST(operands)
{
    static const struct {
        uint32_t header;
        unsigned place; // of that one
        uint32_t value;
        uint8_t  kind;
        uint32_t control;
        uint64_t address, data;
        uint32_t extra;
        bool     counted;
    } rows[] = {
        {HEADER(NOP, 2), 0, 0, TOTEM_KIND_NONE, 0, 0, 0, 0, false},
        {HEADER(COUNTED, 2), 0, 0, TOTEM_KIND_NONE, 0, 0, 0, 0, true},
        {HEADER(ACQUIRE, 6), 0, 0, TOTEM_KIND_NONE, 0, 0, 0, 0, false},
        {HEADER(DISPATCH, 4), 0, 0, TOTEM_KIND_DISPATCH, 0x44444444, 0, 0x2222222211111111, 0x33333333, false},
        {HEADER(INDIRECT, 3), 0, 0, TOTEM_KIND_DISPATCH_INDIRECT, 0x33333333, 0xa211111111, 0, 0, false},
        {HEADER(COND_EXEC, 4), 0, 0, TOTEM_KIND_COND_EXEC, 0x44444444, 0xa211111111, 0, 0, false},
        {HEADER(WAIT, 6), 1, 0xd3, TOTEM_KIND_WAIT, 0xd3, 0xb322222222, 0x5555555544444444, 0x66666666, false},
        {HEADER(BUFFER, 3), 0, 0, TOTEM_KIND_BUFFER, 0x33333333, 0xa211111111, 0, 0, false},
        {HEADER(EVENT, 1), 1, 7, TOTEM_KIND_EVENT, 7, 0, 0, 0, false},
        {HEADER(EVENT, 3), 1, 7, TOTEM_KIND_EVENT, 7, 0, 0, 0, false},
        {HEADER(RELEASE, 7), 2, 0x22000000, TOTEM_KIND_RELEASE, 0x22000000, 0xc433333333, 0x6666666655555555,
         0x77777777, false},
        {HEADER(TIMER, 1), 0, 0, TOTEM_KIND_TIMER, 0, 0, 0x11111111, 0, false},
        {HEADER(WRITE_DATA, 3), 1, 0x500, TOTEM_KIND_WRITE, 0x500, 0xb322222222, 0, 0, false}, // no data
        {HEADER(SET, 1), 1, 0x245, TOTEM_KIND_REGISTERS, 0x245, 0x245, 0, 0, false},           // no value
        {HEADER(SET, 1), 1, 0x1ff, TOTEM_KIND_REGISTERS, 0x1ff, 0x1ff, 0, 0, true},
        {HEADER(SET, 1), 1, 0x280, TOTEM_KIND_REGISTERS, 0x280, 0x280, 0, 0, true},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        const unsigned count    = 2 + (rows[n].header >> 16 & 0x3fff);
        uint32_t       words[9] = {rows[n].header};
        decode_bench   t;
        for (unsigned k = 1; k < count; k++)
            words[k] = k == rows[n].place ? rows[n].value : 0x11111111 * k;
        begin(&t, words, count);
        LEVEL(&t.b, fetch_available, count); // just written
        LEVEL(&t.b, fe_number, 2);           // bits 47:40 are those of its addresses
        LEVEL(&t.b, settings_address_high, 0xff00ffffu | (uint32_t)(rows[n].address >> 32 & 0x7f) << 16);
        to_word(&t, count + 2);
        assert_int_equal(t.b.o.kind, rows[n].kind);
        assert_int_equal(t.b.o.code, 0);
        assert_int_equal(t.b.o.length, count);
        assert_int_equal(t.b.o.counted, rows[n].counted);
        assert_true(t.b.o.last && !t.b.o.stream && !t.b.o.boundary);
        assert_true(rows[n].control == 0 || t.b.o.control == rows[n].control);
        assert_int_equal(t.b.o.address, rows[n].address);
        assert_int_equal(t.b.o.data, rows[n].data);
        assert_int_equal(t.b.o.extra, rows[n].extra);
        clock_edge(&t);
        assert_true(t.b.o.boundary && !t.b.o.valid); // taken
    }
}

// Operands that no packet may have; the first word of a stream is refused like a packet of one word.
TEST(bad_operands)
{
    static const struct {
        uint32_t words[9];
        unsigned count, clock;
        uint8_t  code; // 0: none
        uint32_t word;
    } rows[] = {
        {{HEADER(WRITE_DATA, 4), 0x100, 0, 0, 1}, 5, 6, 0x29, 0x100},
        {{HEADER(WRITE_DATA, 4), 0xf00, 0, 0, 1}, 5, 6, 0x29, 0xf00},
        {{HEADER(WRITE_DATA, 3), 0x300, 0, 0}, 4, 6, 0x29, 0x300},
        {{HEADER(WRITE_DATA, 4), 0x200, 0, 0, 1}, 5, 6, 0, 0},
        {{HEADER(WRITE_DATA, 4), 0x000, 0, 0, 1}, 5, 6, 0, 0},
        {{HEADER(SET, 2), 0x400, 1}, 3, 4, 0x28, 0x400},
        {{HEADER(SET, 3), 0x3ff, 1, 1}, 4, 4, 0x28, 0x3ff},
        {{HEADER(SET, 2), 0x3ff, 1}, 3, 4, 0, 0},
        {{HEADER(SET, 1), 0x3ff}, 2, 4, 0, 0},
        {{HEADER(SET, 1), 0x400}, 2, 4, 0x28, 0x400},
        {{HEADER(SET, 1), 0xffff}, 2, 4, 0x28, 0xffff},
        {{HEADER(SET, 2), 0xabcd0200, 1}, 3, 4, 0, 0}, // bits above the offset
        {{HEADER(RELEASE, 7), 0, 5u << 29 | 4u << 24 | 2u << 16}, 8, 10, 0x2d, 5u << 29 | 4u << 24 | 2u << 16},
        {{HEADER(RELEASE, 7), 0, 4u << 29 | 4u << 24 | 2u << 16}, 8, 10, 0x2e, 4u << 29 | 4u << 24 | 2u << 16},
        {{HEADER(RELEASE, 7), 0, 4u << 29 | 3u << 24 | 2u << 16}, 8, 10, 0x2f, 4u << 29 | 3u << 24 | 2u << 16},
        {{HEADER(RELEASE, 7), 0, 4u << 29 | 3u << 24 | 1u << 16}, 8, 10, 0, 0},
        {{HEADER(WAIT, 6), 0xe7}, 7, 9, 0x31, 0xe7}, // space 2, 3 before all else
        {{HEADER(WAIT, 6), 0x33}, 7, 9, 0x31, 0x33},
        {{HEADER(WAIT, 6), 0x57}, 7, 9, 0x31, 0x57}, // operation before function
        {{HEADER(WAIT, 6), 0x93}, 7, 9, 0x31, 0x93},
        {{HEADER(WAIT, 6), 0x17}, 7, 9, 0x30, 0x17},
        {{HEADER(WAIT, 6), 0xd7}, 7, 9, 0x30, 0xd7},
        {{HEADER(WAIT, 6), 0x87}, 7, 9, 0, 0}, // on a register: nothing else counts
        {{HEADER(BUFFER, 3), 0x1000, 0, 0xfff00000}, 4, 6, 0x26, 0xfff00000},
        {{HEADER(BUFFER, 3), 0x1000, 0, 1}, 4, 6, 0, 0},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        decode_bench t;
        begin(&t, rows[n].words, rows[n].count);
        to_word(&t, rows[n].clock);
        if (t.b.o.code != rows[n].code)
            fail_msg("row %u: code 0x%02x", n, t.b.o.code);
        if (rows[n].code != 0)
            assert_int_equal(t.b.o.control, rows[n].word);
        clock_edge(&t);
        assert_true(rows[n].code == 0 || t.b.o.boundary);
    }
}

// Addresses whose upper half the front end has, or has not. What is no access is not looked at.
TEST(upper_addresses)
{
    static const struct {
        uint32_t words[8];
        uint8_t  above;
        uint16_t upper;
        uint8_t  code; // 0: none
        uint8_t  top;  // then bits 39:32 of the address
    } rows[] = {
        {{HEADER(COND_EXEC, 4), 0x100, 2, 0, 5}, 0, 0x00ff, 0, 0xff},
        {{HEADER(COND_EXEC, 4), 0x100, 2, 0, 5}, 0, 0x0100, 0x37, 0},
        {{HEADER(COND_EXEC, 4), 0x100, 2, 0, 5}, 0x80, 0x007f, 0, 0x7f},
        {{HEADER(COND_EXEC, 4), 0x100, 2, 0, 5}, 0x80, 0x807f, 0, 0xff},
        {{HEADER(COND_EXEC, 4), 0x100, 2, 0, 5}, 0x80, 0x0080, 0x37, 0},
        {{HEADER(COND_EXEC, 4), 0x100, 2, 0, 5}, 0x80, 0x8080, 0x37, 0},
        {{HEADER(COND_EXEC, 4), 0x100, 2, 0, 5}, 0x80, 0x8100, 0x37, 0},
        {{HEADER(BUFFER, 3), 0x100, 2, 0}, 0x80, 0x4000, 0x37, 0}, // before its size
        {{HEADER(WRITE_DATA, 4), 0x500, 0x100, 3, 1}, 0, 0x0100, 0x37, 0},
        {{HEADER(WRITE_DATA, 4), 0x200, 0x100, 3, 1}, 0, 0x0100, 0x37, 0},
        {{HEADER(WRITE_DATA, 4), 0x000, 0x100, 3, 1}, 0, 0x0101, 0, 0x01}, // to a register
        {{HEADER(WAIT, 6), 0x13, 0x100, 3}, 0, 0x0100, 0x37, 0},
        {{HEADER(WAIT, 6), 0x03, 0x100, 3}, 0, 0x0100, 0, 0},
        {{HEADER(RELEASE, 7), 0, 1u << 29, 0x100, 4}, 0, 0x0100, 0x37, 0},
        {{HEADER(RELEASE, 7), 0, 0, 0x100, 4}, 0, 0x0100, 0, 0}, // without data
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        const unsigned count    = 2 + (rows[n].words[0] >> 16 & 0x3fff);
        uint32_t       words[8] = {0};
        unsigned       place    = 0;
        decode_bench   t;
        for (unsigned k = 0; k < count; k++) {
            words[k] = rows[n].words[k];
            place    = words[k] == 0x100 ? k + 1 : place;
        }
        words[place] = 0xabcd0000u | rows[n].upper;
        begin(&t, words, count);
        LEVEL(&t.b, settings_address_high, rows[n].above | 0x01010100u);
        to_word(&t, (words[0] >> 8 & 0xff) == WRITE_DATA ? 6 : count + 2);
        if (t.b.o.code != rows[n].code)
            fail_msg("row %u: code 0x%02x", n, t.b.o.code);
        if (rows[n].code != 0)
            assert_int_equal(t.b.o.control, words[place]);
        else
            assert_int_equal(t.b.o.address >> 32, rows[n].top);
        clock_edge(&t);
        assert_true(rows[n].code == 0 || t.b.o.boundary);
    }
}

// A dword that could not be read: the header, one of the body, one of a stream.
TEST(unread)
{
    static const struct {
        uint32_t words[4];
        unsigned count, clock;
    } rows[] = {{{HEADER(NOP, 2)}, 1, 3}, {{HEADER(NOP, 2), 1, 2}, 3, 4}, {{HEADER(SET, 3), 0x200, 1, 2}, 4, 5}};
    for (unsigned row = 0; row < 3 * COUNT(rows); row++) {
        const unsigned n = row / 3, error = 1 + row % 3;
        decode_bench   t;
        begin(&t, rows[n].words, rows[n].count);
        t.error = (uint8_t)error;
        to_word(&t, n == 2 ? 4 : rows[n].clock);
        if (n == 2) { // a word of the stream before it
            assert_true(!t.b.o.unread && t.b.o.code == 0);
            clock_edge(&t);
        }
        assert_true(t.b.o.valid && t.b.o.code == 0x60 + error && t.b.o.unread);
        clock_edge(&t);
        assert_true(t.b.o.boundary);
    }
}

// One word a clock, each with its address; a word waits for `execute`, and the inbox fills behind it.
TEST(streams)
{
    static const struct {
        uint8_t  op;
        uint32_t control;
        unsigned step;
    } rows[] = {{WRITE_DATA, 0x500, 4},
                {WRITE_DATA, 0x10500, 0},
                {WRITE_DATA, 0, 1},
                {WRITE_DATA, 0x10000, 0},
                {SET, 0x27e, 1}};
    for (unsigned n = 0; n < COUNT(rows); n++)
        for (unsigned pause = 0; pause < 3; pause++) {
            const bool     set     = rows[n].op == SET;
            const uint64_t address = set ? 0x27e : 0xfffffffffe;
            uint32_t       words[] = {HEADER(WRITE_DATA, 6), rows[n].control, 0xfffffffe, 0xff, 7, 8, 9};
            decode_bench   t;
            if (set) {
                words[2] = HEADER(SET, 4);
                words[3] = rows[n].control;
            }
            begin(&t, set ? words + 2 : words, set ? 5 : 7);
            to_word(&t, set ? 4 : 6);
            for (unsigned k = 0; k < 3; k++) {
                for (unsigned clocks = 0; clocks <= pause; clocks++) {
                    t.b.i.execute_ready = clocks == pause;
                    assert_true(t.b.o.valid && t.b.o.stream && t.b.o.code == 0);
                    assert_int_equal(t.b.o.kind, set ? TOTEM_KIND_REGISTERS : TOTEM_KIND_WRITE);
                    assert_int_equal(t.b.o.address, (address + (uint64_t)rows[n].step * k) & 0xffffffffff);
                    assert_int_equal((uint32_t)t.b.o.data, 7 + k);
                    assert_int_equal(t.b.o.control, rows[n].control);
                    assert_int_equal(t.b.o.last, k == 2);
                    assert_int_equal(t.b.o.counted, set && k == 2); // 0x280 is not in the compute block
                    clock_edge(&t);
                }
            }
            assert_true(t.b.o.boundary && !t.b.o.valid);
        }
}

TEST(registers_wait_for_the_bank)
{
    static const uint32_t set[] = {HEADER(SET, 2), 0x240, 1}, nop[] = {HEADER(NOP, 1), 1};
    decode_bench          t;
    begin(&t, set, 3);
    LEVEL(&t.b, bank_loaded, false);
    to_clock(&t, 12);
    assert_true(t.b.o.boundary && !t.b.o.valid && t.b.s.phase == DECODE_CHECK);
    LEVEL(&t.b, bank_loaded, true);
    to_word(&t, 14);
    begin(&t, nop, 2);
    LEVEL(&t.b, bank_loaded, false);
    to_word(&t, 4);
}

// Nothing is looked at while execute has something in hand, nor behind a jump; leaving forgets header and dwords.
TEST(leaves_and_jumps)
{
    static const uint32_t words[] = {HEADER(NOP, 1), 1, 0x80000000, 0x80000000};
    decode_bench          t;
    begin(&t, words, 4);
    LEVEL(&t.b, execute_ready, false);
    to_clock(&t, 10);
    assert_true(t.b.o.boundary && t.b.s.phase == DECODE_HEADER && t.b.s.dwords.count == 2);
    t.b.i.execute_ready = t.b.i.execute_drop = true;
    clock_edge(&t);
    assert_true(t.b.s.phase == DECODE_HEADER && t.b.s.dwords.count == 0);
    begin(&t, words, 4);
    to_clock(&t, 2);
    assert_int_equal(t.b.s.phase, DECODE_CHECK);
    t.b.i.arbiter_leave = true;
    clock_edge(&t);
    assert_int_equal(t.b.s.phase, DECODE_HEADER);
    t.b.i.execute_ready = false;
    t.b.i.execute_left  = true;
    clock_edge(&t);
    assert_true(t.b.s.phase == DECODE_HEADER && t.b.s.dwords.count == 0);
    begin(&t, words, 4);
    to_clock(&t, 1);
    t.b.i.arbiter_leave = true; // before a header
    clock_edge(&t);
    assert_int_equal(t.b.s.phase, DECODE_HEADER);
    assert_true(t.b.s.dwords.count != 0);
}

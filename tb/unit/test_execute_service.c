// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode on a graphics queue: the server beside it, groups, what a graphics queue executes in
// another way (docs/contract/execute.md, docs/graphics.md). The test is the server.

#include "execute_bench.h"

enum {
    BOUNCE  = TOTEM_OP_CONTEXT_BOUNCE,
    CONTEXT = 0x69,
    MODIFY  = 0x51,
    LOAD    = 0x9f,
    UCONFIG = 0x79,
    DRAW    = 0x2d,
    PAIRS   = 0xb8,
};

static void open_graphics(execute_bench *t, const uint32_t *words, unsigned count)
{
    open_bench(t);
    LEVEL(&t->b, graphics, true);
    offer(t, words, count);
}

static void begins(execute_bench *t, uint8_t kind)
{
    for (unsigned n = 0; !t->b.o.service_valid; n++, clock_edge(t))
        assert_true(n < 20);
    assert_int_equal(t->b.o.service_kind, kind);
}

// The server's answer, in this clock; fields of `answer` are those of the inputs.
static void answers(execute_bench *t, uint8_t code, uint32_t word, uint16_t skip, uint16_t group)
{
    t->b.i.service_done  = true;
    t->b.i.service_code  = code;
    t->b.i.service_word  = word;
    t->b.i.service_skip  = skip;
    t->b.i.service_group = group;
    clock_edge(t);
    assert_true(!t->b.o.service_valid || t->b.o.service_kind < TOTEM_KIND_MODIFY);
}

static const uint32_t bounce[] = {HEADER(BOUNCE, 3),
                                  7,
                                  0x11111111,
                                  0x22222222, // a group of 7 dwords
                                  HEADER(CONTEXT, 3),
                                  5,
                                  50,
                                  60,
                                  0xffff1000, //
                                  HEADER(10 + 6, 1),
                                  0,
                                  HEADER(DRAW, 2),
                                  3,
                                  2};

// Words of a stream go to the server, one a clock, registers of the bank to the bank.
TEST(streams)
{
    static const struct {
        uint32_t words[6];
        uint8_t  kind;
        uint16_t first;
        bool     bank[3];
    } rows[] = {{{HEADER(CONTEXT, 4), 0x11f, 7, 8, 9}, TOTEM_KIND_CONTEXT, 0x11f, {false}},
                {{HEADER(UCONFIG, 4), 0x242, 7, 8, 9}, TOTEM_KIND_USER, 0x242, {false}},
                {{HEADER(SET_SH_REG, 4), 0x1fe, 7, 8, 9}, TOTEM_KIND_SHADER, 0x1fe, {false, false, true}},
                {{HEADER(SET_SH_REG, 4), 0x27e, 7, 8, 9}, TOTEM_KIND_SHADER, 0x27e, {true, true, false}}};
    for (unsigned n = 0; n < COUNT(rows); n++) {
        execute_bench t;
        open_graphics(&t, rows[n].words, 5);
        quiet_until(&t, 5);
        for (unsigned k = 0; k < 3; k++, clock_edge(&t)) {
            const totem_execute_out *o = &t.b.o;
            assert_int_equal(o->service_valid, !rows[n].bank[k]);
            assert_int_equal(o->bank_write, rows[n].bank[k]);
            if (o->bank_write)
                assert_true(o->bank_offset == ((rows[n].first + k) & 0x7f) && o->bank_data == 7 + k);
            else
                assert_true(o->service_kind == rows[n].kind && o->service_address == rows[n].first + k &&
                            (uint32_t)o->service_data == 7 + k);
            assert_int_equal(o->commit, k == 2);
        }
        assert_false(t.b.o.service_valid || t.b.o.bank_write);
    }
}

// The server waits: it is told to stop, and the packet is executed again.
TEST(again)
{
    static const uint32_t words[] = {HEADER(DRAW, 2), 3, 2};
    execute_bench         t;
    open_graphics(&t, words, 3);
    begins(&t, TOTEM_KIND_DRAW);
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    assert_true(t.b.o.service_stop);
    LEVEL(&t.b, arbiter_leave, false);
    t.b.i.service_again = true;
    answers(&t, 0, 0, 0, 0);
    assert_true(t.b.o.left && !t.b.o.commit && !t.b.o.executed && !t.b.o.service_resume);
    clock_edge(&t);
    go(&t);
    offer(&t, words, 3);
    begins(&t, TOTEM_KIND_DRAW);
    answers(&t, 0, 0, 0, 0);
    committed(&t, 3, false);
}

// Every range of a LOAD_CONTEXT_REG is a packet of its own for the server. It is committed with the last one, or behind
// an offset without a number. An error is that of the whole packet.
TEST(ranges)
{
    static const uint32_t words[] = {HEADER(TOTEM_OP_LOAD_CONTEXT_REG, 7), 0xfffff002, 0x12, 5, 2, 0x3f0, 4, 9};
    for (unsigned dwords = 7; dwords <= 8; dwords++)
        for (uint8_t code = 0; code < 2; code++) {
            uint32_t given[8];
            memcpy(given, words, sizeof given);
            given[0] = HEADER(TOTEM_OP_LOAD_CONTEXT_REG, dwords - 1);
            execute_bench t;
            open_graphics(&t, given, dwords);
            for (unsigned k = 0; k < 2; k++) {
                begins(&t, TOTEM_KIND_LOAD);
                assert_true(t.b.o.service_address == (k ? 0x12fffffFc0 : 0x12fffff014) &&
                            t.b.o.service_extra == given[3 + 2 * k] && t.b.o.service_control == given[4 + 2 * k]);
                assert_false(t.b.o.commit || t.b.o.executed);
                answers(&t, k ? code : 0, 0x77, 0, 0);
            }
            while (!code && dwords == 8 && !t.b.o.commit && t.now < 60)
                clock_edge(&t);
            if (code)
                halts_with(&t, t.now, POSITION, code, 0x77);
            else
                committed(&t, (uint16_t)dwords, false);
        }
}

// Reads of the server: one after the other; one that fails halts at the packet, without an answer.
TEST(reads)
{
    static const uint32_t words[] = {HEADER(LOAD, 4), 0x1000, 0x12, 5, 2};
    for (uint8_t error = 0; error < 4; error++) {
        execute_bench t;
        open_graphics(&t, words, 5);
        begins(&t, TOTEM_KIND_LOAD);
        assert_true(t.b.o.service_address == 0x1200001000 && t.b.o.service_extra == 5 && t.b.o.service_control == 2);
        for (unsigned k = 0; k < 2; k++) {
            LEVEL(&t.b, service_read, true);
            LEVEL(&t.b, service_read_addr, 0x1200001000 + 4 * k);
            answer_read(&t, 0x1200001000 + 4 * k, 0xabc0 + k, k == 1 ? error : 0);
            if (k == 1 && error != 0)
                break;
            assert_true(t.b.o.service_valid && t.b.o.service_read_done && t.b.o.service_read_data == 0xabc0 + k);
            clock_edge(&t); // the server has not dropped its wish yet
            assert_true(!t.b.o.service_read_done && !t.b.o.poll_valid && t.b.o.service_valid);
            LEVEL(&t.b, service_read, false);
        }
        if (error != 0) {
            assert_false(t.b.o.service_valid);
            halts_with(&t, t.now, 0x1200001004, (uint8_t)(0x60 + error), 0x1004);
            continue;
        }
        answers(&t, 0, 0, 0, 0);
        committed(&t, 5, false);
    }
}

// A hit: the group is passed over with its packet. It may end where what is written ends.
TEST(hit)
{
    for (unsigned available = 10; available < 12; available++) {
        execute_bench t;
        open_graphics(&t, bounce, 4);
        LEVEL(&t.b, fetch_available, available);
        begins(&t, TOTEM_KIND_BOUNCE);
        assert_true(t.b.o.service_control == 7 && t.b.o.service_data == 0x2222222211111111);
        answers(&t, 0, 0, 7, 0);
        if (available == 10) {
            assert_true(t.b.o.service_resume && !t.b.o.service_resume_plain);
            halts_with(&t, t.now, POSITION, 0x3b, 7);
            continue;
        }
        committed(&t, 11, false);
        assert_true(t.b.o.drop && !t.b.o.service_group_end);
    }
}

// A miss: nothing is committed before the last packet of the group, then all of it.
TEST(miss)
{
    execute_bench t;
    unsigned      executed = 0, words = 0;
    open_graphics(&t, bounce, COUNT(bounce));
    LEVEL(&t.b, fetch_available, COUNT(bounce));
    begins(&t, TOTEM_KIND_BOUNCE);
    answers(&t, 0, 0, 0, 7);
    assert_true(t.b.o.executed && !t.b.o.commit && t.b.o.group == 7 && t.b.o.deferred == 4);
    for (; !t.b.o.commit; clock_edge(&t)) {
        executed += t.b.o.executed;
        words += t.b.o.service_valid;
        assert_true(!t.b.o.service_group_end && !t.b.o.left && words <= 2);
    }
    committed(&t, 11, false);
    assert_true(executed == 3 && words == 2 && t.b.o.service_group_end && !t.b.o.drop && t.b.o.group == 0 &&
                t.b.o.deferred == 0);
    clock_edge(&t);
    assert_false(t.b.o.commit || t.b.o.service_group_end);
    begins(&t, TOTEM_KIND_DRAW); // behind it all is as before
    answers(&t, 0, 0, 0, 0);
    committed(&t, 3, false);
}

// A group past the end of what is written, that cuts a packet, or with a packet that may not stand there.
TEST(bad_groups)
{
    static const struct {
        uint16_t group, available;
        uint8_t  code;
        uint32_t word;
        bool     opened;
    } rows[] = {{7, 10, 0x3b, 7, false},
                {6, 14, 0x3b, HEADER(10 + 6, 1), true},
                {3, 14, 0x3b, HEADER(CONTEXT, 3), true},
                {8, 14, 0x3b, HEADER(DRAW, 2), true},
                {10, 14, 0x3c, HEADER(DRAW, 2), true}};
    for (unsigned n = 0; n < COUNT(rows); n++) {
        execute_bench t;
        open_graphics(&t, bounce, COUNT(bounce));
        LEVEL(&t.b, fetch_available, rows[n].available);
        begins(&t, TOTEM_KIND_BOUNCE);
        answers(&t, 0, 0, 0, rows[n].group);
        for (unsigned k = 0; !t.b.o.error_valid; k++, clock_edge(&t))
            assert_true(k < 40 && !t.b.o.commit);
        assert_int_equal(t.b.o.service_resume, !rows[n].opened);
        LEVEL(&t.b, arbiter_leave, false);
        halts_with(&t, t.now, POSITION, rows[n].code, rows[n].word);
        assert_int_equal(t.b.o.service_resume, rows[n].opened); // behind leaving
        assert_true(!t.b.o.service_resume_plain && t.b.o.group == 0 && t.b.o.deferred == 0);
    }
}

// SKIP passes a packet; of one that writes context registers the server is told. In a group it is for its first packet.
TEST(skips)
{
    static const uint32_t rows[][4] = {{HEADER(CONTEXT, 2), 0x400, 1}, {HEADER(BOUNCE, 3), 0, 0, 0},
                                       {HEADER(0x12, 1), 1},           {HEADER(MODIFY, 3), 0x400, 0, 0},
                                       {HEADER(PAIRS, 2), 0x400, 0},   {HEADER(DRAW, 2), 3, 2}};
    static const bool     plain[]   = {true, false, true, true, true, false};
    for (unsigned n = 0; n < COUNT(rows); n++) {
        execute_bench t;
        open_graphics(&t, rows[n], 4);
        LOAD_WORD(&t.b, QUEUE, LOAD_SKIP, 0);
        clock_edge(&t);
        for (; !t.b.o.commit; clock_edge(&t))
            assert_true(t.now < 10);
        assert_true(t.b.o.drop && !t.b.o.executed);
        assert_int_equal(t.b.o.commit_count, 2 + (rows[n][0] >> 16 & 0x3fff));
        assert_int_equal(t.b.o.service_resume, plain[n]);
        assert_int_equal(t.b.o.service_resume_plain, plain[n]);
    }
    execute_bench t;
    open_graphics(&t, bounce, COUNT(bounce));
    begins(&t, TOTEM_KIND_BOUNCE);
    answers(&t, 0, 0, 0, 7);
    LOAD_WORD(&t.b, QUEUE, LOAD_SKIP, 0);
    clock_edge(&t);
    assert_false(t.b.o.skip);
    for (; !t.b.o.commit; clock_edge(&t))
        assert_false(t.b.o.service_resume);
    committed(&t, 11, false);
    assert_false(t.b.s.skip[QUEUE]);
}

// WRITE_DATA to what Totem lacks is counted; queue priorities are written, those of the ring's own window.
TEST(write_data)
{
    static const uint32_t nowhere[]  = {HEADER(WRITE_DATA, 5), 0x800, 0, 0, 1, 2};
    static const uint32_t stranger[] = {HEADER(WRITE_DATA, 4), 0x000, 0xe26, 0, 1};
    execute_bench         t;
    open_graphics(&t, nowhere, 6);
    while (!t.b.o.commit) {
        assert_false(t.b.o.write_valid || t.b.o.fence_write);
        clock_edge(&t);
    }
    committed(&t, 6, true);
    open_graphics(&t, stranger, 5);
    while (!t.b.o.commit)
        clock_edge(&t);
    committed(&t, 5, true);
    const uint32_t own[] = {HEADER(WRITE_DATA, 4), 0, 0x6006 + 0x40 * QUEUE, 0, 9};
    open_graphics(&t, own, 5);
    for (unsigned n = 0; !t.b.o.priority_write; n++, clock_edge(&t))
        assert_true(n < 20);
    assert_true(t.b.o.priority_queue == QUEUE && t.b.o.priority_data == 9);
}

// A dispatch starts when the server has executed the words before it, and not sooner; a queue that is to leave goes.
TEST(dispatch_waits_for_the_server)
{
    static const uint32_t words[] = {HEADER(DISPATCH, 4), 2, 3, 4, 0x41};
    for (unsigned leaves = 0; leaves < 2; leaves++) {
        execute_bench t;
        open_graphics(&t, words, 5);
        LEVEL(&t.b, service_still, false);
        for (unsigned n = 0; n < 30; n++, clock_edge(&t))
            assert_false(t.b.o.start || t.b.o.left || t.b.o.commit);
        LEVEL(&t.b, service_still, !leaves);
        LEVEL(&t.b, arbiter_leave, leaves != 0);
        unsigned n = 0;
        for (; !t.b.o.start && !t.b.o.left; n++, clock_edge(&t))
            assert_true(n < 8);
        assert_int_equal(t.b.o.start, !leaves);
        assert_int_equal(t.b.o.left, leaves);
    }
}

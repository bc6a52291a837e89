// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: waits that give the pipe up, reads, queue priorities, packets that are passed over
// (docs/contract/execute.md).

#include "execute_bench.h"

// ---- waits that give the pipe up

static const uint32_t smart[] = {
    HEADER(WAIT_REG_MEM, 6), 0xd5, 0x89abcde4, 0xffff0045, 0x80000010, 0xffff00ff, 0x80001234};
static const uint32_t timer[] = {HEADER(WAIT_TIMER, 1), 0xfedcba98};

// A word of the wait message; behind the last one the queue leaves.
static void waits_with(execute_bench *t, uint64_t word, bool last, bool of_timer)
{
    assert_true(t->b.o.wait_valid && t->b.o.wait_last == last && t->b.o.wait_timer == of_timer);
    assert_int_equal(t->b.o.wait_word, word);
    clock_edge(t);
    assert_int_equal(t->b.o.left, last);
    assert_false(t->b.o.commit || t->b.o.executed || t->b.o.poll_valid);
}

TEST(waits_are_handed_over)
{
    execute_bench t;
    begin(&t, smart, 7);
    quiet_until(&t, 10);
    waits_with(&t, 0x4589abcde4 | 5ull << 40 | 0x1234ull << 43, false, false);
    waits_with(&t, 0xffff00ff80000010, true, false);
    assert_false(t.b.o.wait_valid);
    begin(&t, timer, 2);
    quiet_until(&t, 5);
    waits_with(&t, 0xfedcba98, true, true);
    assert_false(t.b.o.wait_valid);
}

// A condition that has held is read once more, and passed by what that read brings. If it holds no more it is a packet
// executed, and the wait is handed over as before; a read that fails halts.
TEST(second_look)
{
    for (unsigned row = 0; row < 3; row++) {
        execute_bench t;
        begin(&t, smart, 7);
        LEVEL(&t.b, poll_ended[QUEUE], true);
        quiet_until(&t, 10);
        assert_false(t.b.o.poll_register);
        LEVEL(&t.b, arbiter_leave, true); // not looked at
        answer_read(&t, 0x4589abcde4, row == 0 ? 0x80000000 : 0x80000010, row == 2 ? 2 : 0);
        if (row == 2) {
            halts_with(&t, 12, 0x4589abcde4, 0x62, 0x89abcde4);
            continue;
        }
        assert_true(t.b.o.executed);
        assert_int_equal(t.b.o.commit, row != 0);
        if (row != 0)
            continue;
        assert_true(t.b.o.unsuccessful);
        waits_with(&t, 0x4589abcde4 | 5ull << 40 | 0x1234ull << 43, false, false);
        waits_with(&t, 0xffff00ff80000010, true, false);
    }
}

// A register of the pipe's window is asked of poll by its byte address at the host port; the answer is what hqd read.
// Other registers hold at once, and are counted.
TEST(wait_on_a_register)
{
    const uint32_t first = TOTEM_PIPES == 2 ? 0x5400 : 0x4800; // front end 2, pipe 1
    const struct {
        uint32_t operation, at;
        bool     read;
    } rows[] = {{0, first, true},
                {0, first + 0x40 * TOTEM_QUEUES - 1, true},
                {3, first + 0x79, true},
                {0, first - 1, false},
                {0, first + 0x40 * TOTEM_QUEUES, false},
                {1, first, false},
                {2, first, false},
                {3, first ^ 0x400, false},
                {3, first + 0x4000, false},
                {0, first | 1u << 31, false}};
    for (unsigned row = 0; row < COUNT(rows); row++) {
        const uint32_t words[] = {
            HEADER(WAIT_REG_MEM, 6), rows[row].operation << 6 | 3, rows[row].at, 0xffff0045, 5, 0xff, 0x1234};
        execute_bench t;
        begin(&t, words, 7);
        LEVEL(&t.b, fe_number, 2);
        LEVEL(&t.b, pipe_number, 1);
        quiet_until(&t, 10);
        if (!rows[row].read) {
            committed(&t, 7, true);
            continue;
        }
        if (rows[row].operation == 3) {
            waits_with(&t, 4 * (uint64_t)rows[row].at | 3ull << 40 | 0x1234ull << 43 | 1ull << 59, false, false);
            waits_with(&t, 0xff00000005, true, false);
            continue;
        }
        for (unsigned n = 0; n < 2; n++) { // 4, and 5
            assert_true(t.b.o.poll_valid && t.b.o.poll_register);
            assert_int_equal(t.b.o.poll_addr, 4 * (uint64_t)rows[row].at);
            clock_edge(&t);
            t.b.i.poll_data_valid = true; // memory's is none of its own
            t.b.i.data_word       = 0x500000005;
            clock_edge(&t);
            assert_false(t.b.o.executed);
            t.b.i.data_error     = 3;
            t.b.i.hqd_poll_done  = true;
            t.b.i.hqd_poll_rdata = 0xabcdef04 + n;
            clock_edge(&t);
            assert_true(t.b.o.executed && t.b.o.commit == (n == 1) && !t.b.o.ignored);
            clock_edge(&t);
            clock_edge(&t);
        }
    }
}

// ---- reads

TEST(cond_exec)
{
    static const struct {
        uint32_t value, count, available, commits; // 0: error
    } rows[] = {
        {1, 7, 5, 5},         {0x80000000, 7, 5, 5}, {0, 0, 5, 5},    {0, 1, 6, 6}, {0, 2, 100, 7},
        {0, 3, 100, 8},       {0, 95, 100, 100},     {0, 96, 100, 0}, {0, 1, 5, 0}, {0, 16383, 100000, 16388},
        {0, 16383, 16387, 0},
    };
    for (unsigned n = 0; n < COUNT(rows); n++)
        for (unsigned upper = 0; upper < 2; upper++) {
            const uint32_t words[] = {HEADER(COND_EXEC, 4),        0x1003 | upper << 2, 0xffff0045, 0xffffffff,
                                      0xffffc000u | rows[n].count, 0x80000000,          0x80000000};
            execute_bench  t;
            begin(&t, words, 7);
            LEVEL(&t.b, fetch_available, rows[n].available);
            quiet_until(&t, 8);
            answer_read(&t, 0x4500001000 | upper << 2, rows[n].value, 0);
            if (rows[n].commits == 0) {
                halts_with(&t, t.now, POSITION, 0x38, words[4]);
                continue;
            }
            committed(&t, rows[n].commits, false);
            assert_int_equal(t.b.o.drop, rows[n].value == 0);
            assert_int_equal(t.b.o.executed_opcode, COND_EXEC);
            if (!t.b.o.drop)
                continue;
            clock_edge(&t); // what came ahead is forgotten
            assert_int_equal(t.b.d.dwords.count, 0);
            assert_int_equal(t.b.s.phase, EXECUTE_READY);
        }
}

static const uint32_t indirect[] = {HEADER(DISPATCH_INDIRECT, 3), 0xfffffffc, 0xffff0012, 0x45};

// y and z are looked at as they come; what is wrong is not followed by a read.
TEST(dispatch_indirect)
{
    static const struct {
        const char *rule;
        uint32_t    values[3];
        unsigned    reads;
        uint8_t     unread, code; // error of the last read; 0: it starts
        uint64_t    address;
        uint32_t    word;
    } rows[] = {
        {"starts", {0x89abcdef, 0xffff, 3}, 3, 0, 0, 0, 0},
        {"y", {0x89abcdef, 0x10000}, 2, 0, 0x33, POSITION, 0x10000},
        {"z", {0, 0, 0x10001}, 3, 0, 0x33, POSITION, 0x10001},
        {"second read fails", {1, 0}, 2, 2, 0x62, 0x1300000000, 0},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        execute_bench t;
        begin(&t, indirect, 4);
        quiet_until(&t, 7);
        for (unsigned k = 0; k < rows[n].reads; k++) {
            assert_false(t.b.o.start);
            answer_read(&t, 0x12fffffffc + 4 * k, rows[n].values[k], k + 1 == rows[n].reads ? rows[n].unread : 0);
        }
        if (rows[n].code != 0) {
            halts_with(&t, t.now + (rows[n].unread == 0), rows[n].address, rows[n].code, rows[n].word);
            continue;
        }
        quiet_until(&t, t.now + 3);
        assert_true(t.b.o.start_fresh_at_zero && !t.b.o.start_resume);
        assert_int_equal(t.b.o.start_end, 0x0003ffff89abcdefull);
        walks(&t, 4);
    }
}

// The initiator in the bank says which packet a grid is of, and so how long that is.
TEST(indirect_grid_is_resumed)
{
    static const uint32_t direct[] = {HEADER(DISPATCH, 4), 1, 1, 1, 0xffff0045};
    for (unsigned n = 0; n < 2; n++) {
        execute_bench t;
        begin(&t, n == 0 ? direct : indirect, n == 0 ? 5 : 4);
        while (!t.b.o.bank_write) {
            t.b.i.poll_data_valid = t.b.s.phase == EXECUTE_ANSWER;
            clock_edge(&t);
        }
        const uint32_t initiator = t.b.o.bank_data;
        assert_int_equal(initiator, n == 0 ? 0x7fff0045 : 0x80000045);
        open_bench(&t);
        t.b.s.phase             = EXECUTE_RESUME;
        t.b.s.unfinished[QUEUE] = true;
        LEVEL(&t.b, bank_initiator, initiator);
        starts_within(&t, 5);
        assert_true(t.b.o.start_resume);
        walks(&t, n == 0 ? 5 : 4);
        assert_true(t.b.o.drop);
    }
}

// ---- queue priorities

// The second pipe of a front end; where it has one only, the bit does not count.
static uint32_t second_pipe(execute_bench *t, uint8_t fe)
{
    LEVEL(&t->b, fe_number, fe);
    LEVEL(&t->b, pipe_number, true);
    return 0x4006 + 0x400 * (TOTEM_PIPES == 2 ? 2u * fe + 1 : fe);
}

TEST(priority_errors)
{
    enum { FRONT = 1, PIPE = TOTEM_PIPES == 2 ? 3 : 1 };
    const uint32_t own = 0x4006 + 0x400 * PIPE + 0x40 * QUEUE, none = own - 0x40 * QUEUE + 0x40 * TOTEM_QUEUES;
    const struct {
        const char *rule;
        bool        privileged, open;
        uint32_t    address, value;
        uint8_t     code; // 0: written
        uint32_t    word;
    } rows[] = {
        {"value, all bits", false, false, own, 0x80000000, 0x2c, 0x80000000},
        {"foreign before value", false, false, own + 0x40, 16, 0x2b, own + 0x40},
        {"privileged, value", true, false, own + 0x40, 16, 0x2c, 16},
        {"open to all", false, true, own + 0x40, 7, 0, 0},
        {"the quantum", true, true, own + 1, 7, 0x2a, own + 1},
        {"the pipe priority", true, true, own - 1, 7, 0x2a, own - 1},
        {"pipe above", true, true, own + 0x400, 7, 0x2a, own + 0x400},
        {"pipe below", true, true, own - 0x400, 7, 0x2a, own - 0x400},
        {"bit 13", true, true, own + 0x2000, 7, 0x2a, own + 0x2000},
        {"first of the own pages", true, true, 0x4000, 7, 0x2a, 0x4000},
        {"last of the own pages", true, true, 0x7fff, 7, 0x2a, 0x7fff},
        {"first compute register", true, true, 0x2e00, 7, 0x2a, 0x2e00},
        {"last compute register", true, true, 0x2e7f, 7, 0x2a, 0x2e7f},
        {"no such queue", true, true, none, 7, 0x2a, none},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        const uint32_t words[] = {HEADER(WRITE_DATA, 4), 0x10000, rows[n].address, 0, rows[n].value};
        execute_bench  t;
        open_bench(&t);
        second_pipe(&t, FRONT);
        LEVEL(&t.b, settings_priority_write_open, rows[n].open);
        LOAD_WORD(&t.b, rows[n].privileged ? QUEUE : LAST, LOAD_PQ_CONTROL, 1u << 30);
        offer(&t, words, 5);
        if (rows[n].code != 0) {
            halts_with(&t, 8, POSITION, rows[n].code, rows[n].word);
            continue;
        }
        quiet_until(&t, 8);
        if (!t.b.o.priority_write || t.b.o.priority_data != rows[n].value)
            fail_msg("%s: not written", rows[n].rule);
    }
}

// Registers of units that Totem does not have are passed; the packet is counted.
TEST(foreign_registers_are_passed)
{
    static const uint32_t rows[] = {6, 0x1a74, 0x2dff, 0x2e80, 0x3fff, 0x8000, 0x4006u | 1u << 31};
    for (unsigned n = 0; n < COUNT(rows); n++) {
        const uint32_t words[] = {HEADER(WRITE_DATA, 4), 0, rows[n], 0, 16};
        execute_bench  t;
        begin(&t, words, 5);
        quiet_until(&t, 8);
        committed(&t, 5, true);
    }
}

// ---- passed over

TEST(skip_and_the_grid)
{
    static const uint8_t kinds[] = {LOAD_SKIP, LOAD_RESUME, LOAD_ACTIVE};
    for (unsigned n = 0; n < 3; n++) {
        execute_bench t;
        open_bench(&t);
        t.b.s.unfinished[QUEUE] = t.b.s.halted[QUEUE] = t.b.s.closed[QUEUE] = t.b.s.halted[0] = true;
        t.b.s.skip[QUEUE]                                                                     = n != 0;
        LOAD_WORD(&t.b, QUEUE, kinds[n], 1);
        clock_edge(&t);
        assert_int_equal(t.b.s.skip[QUEUE], n == 0);
        assert_int_equal(t.b.s.unfinished[QUEUE], n != 2); // until its packet is passed over
        assert_false(t.b.s.halted[QUEUE] || t.b.s.closed[QUEUE]);
        assert_true(t.b.s.halted[0]);
    }
}

// A queue with an unfinished grid that is to be passed over.
static void to_be_passed(execute_bench *t, uint32_t initiator, uint32_t available)
{
    open_bench(t);
    t->b.s.phase             = EXECUTE_RESUME;
    t->b.s.unfinished[QUEUE] = t->b.s.unfinished[0] = t->b.s.skip[QUEUE] = t->b.s.skip[0] = true;
    LEVEL(&t->b, bank_initiator, initiator);
    LEVEL(&t->b, fetch_available, available);
}

// The packet of an unfinished grid is passed over without being read; the grid goes in that clock.
TEST(grid_is_passed_over)
{
    static const uint32_t words[] = {0xc0001099, 0x99, 0x99};
    for (unsigned n = 0; n < 2; n++) {
        execute_bench t;
        to_be_passed(&t, n == 0 ? 0x45 : 0x80000045, n == 0 ? 5 : 4);
        LEVEL(&t.b, bank_loaded, false);
        offer(&t, words, 3); // what fetch has read: not looked at
        quiet_until(&t, 5);
        LEVEL(&t.b, bank_loaded, true);
        LEVEL(&t.b, bank_busy, true);
        quiet_until(&t, 7);
        LEVEL(&t.b, bank_busy, false);
        assert_true(t.b.o.unfinished[QUEUE] && t.b.s.skip[QUEUE]);
        clock_edge(&t);
        assert_true(t.b.o.commit && t.b.o.drop && t.b.o.bank_forget);
        assert_false(t.b.o.executed || t.b.o.bank_save || t.b.o.start || t.b.s.skip[QUEUE] || t.b.o.unfinished[QUEUE]);
        assert_int_equal(t.b.o.commit_count, n == 0 ? 5 : 4);
        assert_true(t.b.o.unfinished[0] && t.b.s.skip[0]); // of another queue
        clock_edge(&t);
        assert_false(t.b.o.commit || t.b.o.bank_forget);
        assert_int_equal(t.b.d.dwords.count, 0);
        assert_int_equal(t.b.s.phase, EXECUTE_READY);
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: waits that give the pipe up, reads, queue priorities, packets that are passed over
// (docs/contract/execute.md).

#include "execute_bench.h"

// ---- waits that give the pipe up

static void smart_wait_is_handed_over(void **state)
{
    static const uint32_t words[] = {
        HEADER(WAIT_REG_MEM, 6), 0xd5, 0x89abcde4, 0xffffff45, 0x80000010, 0xffff00ff, 0x80001234};
    execute_bench t;
    (void)state;
    poll_of(&t, words);
    assert_true(t.b.o.wait_valid && !t.b.o.wait_last);
    assert_int_equal(t.b.o.wait_word, 0x4589abcde4 | 5ull << 40 | 0x1234ull << 43);
    clock_edge(&t);
    assert_true(t.b.o.wait_valid && t.b.o.wait_last && t.b.o.wait_timer == (t.b.o.wait_word == 0xfedcba98));
    assert_int_equal(t.b.o.wait_word, 0xffff00ff80000010);
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.wait_valid || t.b.o.commit || t.b.o.executed || t.b.o.poll_valid);
}

static void timer_is_handed_over(void **state)
{
    static const uint32_t words[] = {HEADER(WAIT_TIMER, 1), 0xfedcba98};
    execute_bench         t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 2);
    quiet_until(&t, 5);
    assert_true(t.b.o.wait_valid && t.b.o.wait_last && t.b.o.wait_timer == (t.b.o.wait_word == 0xfedcba98));
    assert_int_equal(t.b.o.wait_word, 0xfedcba98);
    clock_edge(&t);
    assert_true(t.b.o.left && !t.b.o.wait_valid);
}

// Executed again, the packet passes; of another queue's wait nothing is taken.
static void ended_wait_passes(void **state)
{
    static const uint32_t timer[] = {HEADER(WAIT_TIMER, 1), 99};
    static const uint32_t words[] = {HEADER(WAIT_REG_MEM, 6), 0xd3, 0x1006, 0x20, 5, 0xffffffff, 4};
    (void)state;
    for (unsigned other = 0; other < 2; other++) {
        execute_bench t;
        open_bench(&t);
        t.b.hold.poll_ended[other ? LAST : QUEUE] = t.b.i.poll_ended[other ? LAST : QUEUE] = true;
        offer(&t, timer, 2);
        quiet_until(&t, 5);
        assert_int_equal(t.b.o.commit, !other);
        assert_int_equal(t.b.o.wait_valid, other);
    }
    for (uint8_t error = 0; error <= 3; error++) {
        execute_bench t;
        open_bench(&t);
        t.b.hold.poll_ended[QUEUE] = t.b.i.poll_ended[QUEUE] = true;
        t.b.hold.poll_error[QUEUE] = t.b.i.poll_error[QUEUE] = error;
        offer(&t, words, 7);
        if (error == 0) {
            quiet_until(&t, 10);
            committed(&t, 7, false);
        } else {
            halts_with(&t, 10, 0x2000001004, (uint8_t)(0x60 + error), 0x1004);
        }
    }
}

// ---- reads

// Clocks pass, then the answer to a read at the address comes.
static void answer_read(execute_bench *t, uint64_t address, uint32_t value)
{
    for (unsigned n = 0; !t->b.o.poll_valid; n++) {
        assert_true(n < 5);
        clock_edge(t);
    }
    assert_int_equal(t->b.o.poll_addr, address & ~7ull);
    clock_edge(t);
    t->b.i.poll_data_valid = true;
    t->b.i.data_word       = (uint64_t)0x11111111 << (address & 4 ? 0 : 32) | (uint64_t)value << (address & 4 ? 32 : 0);
    clock_edge(t);
}

static void cond_exec(void **state)
{
    static const struct {
        uint32_t value, count, available, commits; // 0: error
    } rows[] = {
        {1, 7, 5, 5},         {0x80000000, 7, 5, 5}, {0, 0, 5, 5},    {0, 1, 6, 6}, {0, 2, 100, 7},
        {0, 3, 100, 8},       {0, 95, 100, 100},     {0, 96, 100, 0}, {0, 1, 5, 0}, {0, 16383, 100000, 16388},
        {0, 16383, 16387, 0},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned upper = 0; upper < 2; upper++) {
            const uint32_t words[] = {HEADER(COND_EXEC, 4),        0x1003 | upper << 2, 0xffffff45, 0xffffffff,
                                      0xffffc000u | rows[n].count, 0x80000000,          0x80000000};
            execute_bench  t;
            open_bench(&t);
            LEVEL(&t.b, fetch_available, rows[n].available);
            offer(&t, words, 7);
            quiet_until(&t, 8);
            answer_read(&t, 0x4500001000 | upper << 2, rows[n].value);
            if (rows[n].commits == 0) {
                halts_with(&t, t.now, POSITION, 0x38, words[4]);
                continue;
            }
            committed(&t, rows[n].commits, false);
            assert_int_equal(t.b.o.drop, rows[n].value == 0);
            assert_int_equal(t.b.o.executed_opcode, COND_EXEC);
            if (!t.b.o.drop)
                continue;
            // What came ahead is forgotten: nothing more is executed of it.
            clock_edge(&t);
            assert_int_equal(t.b.d.dwords.count, 0);
            assert_int_equal(t.b.s.phase, EXECUTE_READY);
        }
}

static const uint32_t indirect[] = {HEADER(DISPATCH_INDIRECT, 3), 0xfffffffc, 0xffffff12, 0x45};

static void dispatch_indirect(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    offer(&t, indirect, 4);
    quiet_until(&t, 7);
    answer_read(&t, 0x12fffffffc, 0x89abcdef);
    answer_read(&t, 0x1300000000, 0xffff);
    assert_false(t.b.o.start);
    answer_read(&t, 0x1300000004, 3);
    const unsigned from = t.now;
    while (!t.b.o.start)
        clock_edge(&t);
    assert_int_equal(t.now, from + 3);
    assert_int_equal(t.b.o.start_end, 0x0003ffff89abcdefull);
    assert_true(t.b.o.start_fresh_at_zero && !t.b.o.start_resume);
    LEVEL(&t.b, walker_busy, true);
    clock_edge(&t);
    clock_edge(&t);
    LEVEL(&t.b, walker_busy, false);
    clock_edge(&t);
    clock_edge(&t);
    clock_edge(&t);
    assert_int_equal(t.b.s.phase, EXECUTE_READY);
    assert_int_equal(t.b.o.commit_count, 4);
}

// The initiator in the bank says which packet a grid is of, and so how long that is.
static void indirect_grid_is_resumed(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        execute_bench t;
        open_bench(&t);
        offer(&t, indirect, 4);
        if (n == 0) {
            static const uint32_t direct[] = {HEADER(DISPATCH, 4), 1, 1, 1, 0xffff0045};
            offer(&t, direct, 5);
        }
        while (!t.b.o.bank_write) {
            t.b.i.poll_data_valid = t.b.s.phase == EXECUTE_ANSWER;
            clock_edge(&t);
        }
        const uint32_t initiator = t.b.o.bank_data;
        assert_int_equal(initiator, n == 0 ? 0x7fff0045 : 0x80000045);
        fresh(&t.b);
        open_bench(&t);
        t.b.s.phase             = EXECUTE_RESUME;
        t.b.s.unfinished[QUEUE] = true;
        LEVEL(&t.b, bank_initiator, initiator);
        while (!t.b.o.start)
            clock_edge(&t);
        assert_true(t.b.o.start_resume);
        LEVEL(&t.b, walker_busy, true);
        clock_edge(&t);
        clock_edge(&t);
        LEVEL(&t.b, walker_busy, false);
        while (!t.b.o.commit)
            clock_edge(&t);
        assert_true(t.b.o.drop);
        assert_int_equal(t.b.o.commit_count, n == 0 ? 5 : 4);
    }
}

static void errors_of_indirect(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t); // y too large: z is not read
    offer(&t, indirect, 4);
    quiet_until(&t, 7);
    answer_read(&t, 0x12fffffffc, 0x89abcdef);
    answer_read(&t, 0x1300000000, 0x10000);
    halts_with(&t, t.now + 1, POSITION, 0x33, 0x10000);
    open_bench(&t);
    offer(&t, indirect, 4);
    quiet_until(&t, 7);
    answer_read(&t, 0x12fffffffc, 0);
    answer_read(&t, 0x1300000000, 0);
    answer_read(&t, 0x1300000004, 0x10001);
    halts_with(&t, t.now + 1, POSITION, 0x33, 0x10001);
    open_bench(&t); // the second read fails
    offer(&t, indirect, 4);
    quiet_until(&t, 7);
    answer_read(&t, 0x12fffffffc, 1);
    while (!t.b.o.poll_valid)
        clock_edge(&t);
    clock_edge(&t);
    t.b.i.poll_data_valid    = true; // of a poll
    t.b.i.data_error         = 1;
    t.b.i.poll_packet_answer = false;
    clock_edge(&t);
    assert_int_equal(t.b.s.phase, EXECUTE_ANSWER);
    t.b.i.poll_data_valid = true;
    t.b.i.data_error      = 2;
    clock_edge(&t);
    halts_with(&t, t.now, 0x1300000000, 0x62, 0);
}

// ---- queue priorities

// The second pipe of a front end; where it has one only, the bit does not count.
static uint32_t second_pipe(execute_bench *t, uint8_t fe)
{
    LEVEL(&t->b, fe_number, fe);
    LEVEL(&t->b, pipe_number, true);
    return 0x4006 + 0x400 * (TOTEM_PIPES == 2 ? 2u * fe + 1 : fe);
}

static void priority_written(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    const uint32_t at      = second_pipe(&t, 2) + 0x40 * LAST;
    const uint32_t words[] = {HEADER(WRITE_DATA, 5), 0x10000, at, 0xffffffff, 15, 0};
    LEVEL(&t.b, settings_priority_write_open, true);
    offer(&t, words, 6);
    for (unsigned n = 0; n < 2; n++) {
        for (; t.now < 8 + 3 * n; clock_edge(&t))
            assert_false(t.b.o.priority_write || t.b.o.commit || t.b.o.write_valid || t.b.o.fence_write);
        assert_true(t.b.o.priority_write);
        assert_int_equal(t.b.o.priority_queue, LAST);
        assert_int_equal(t.b.o.priority_data, n == 0 ? 15 : 0);
        clock_edge(&t);
    }
    committed(&t, 6, false); // a clock after the write, so the arbiter knows it by then
    assert_false(t.b.o.priority_write);
}

static void priority_errors(void **state)
{
    enum { FRONT = 1, PIPE = TOTEM_PIPES == 2 ? 3 : 1 };
    const uint32_t own = 0x4006 + 0x400 * PIPE + 0x40 * QUEUE;
    const struct {
        bool     privileged, open;
        uint32_t address, value;
        uint8_t  code; // 0: written
        uint32_t word;
    } rows[] = {
        {false, false, own, 15, 0, 0},
        {false, false, own, 16, 0x2c, 16},
        {false, false, own, 0x80000000, 0x2c, 0x80000000},
        {false, false, own + 0x40, 16, 0x2b, own + 0x40}, // foreign before value
        {true, false, own + 0x40, 16, 0x2c, 16},
        {true, false, own + 0x40, 7, 0, 0},
        {false, true, own + 0x40, 7, 0, 0},
        {true, true, own + 1, 7, 0x2a, own + 1}, // the quantum
        {true, true, own - 1, 7, 0x2a, own - 1},
        {true, true, own + 0x400, 7, 0x2a, own + 0x400}, // another pipe
        {true, true, own - 0x400, 7, 0x2a, own - 0x400},
        {true, true, own + 0x2000, 7, 0x2a, own + 0x2000},
        {true, true, own + 0x4000, 7, 0x2a, own + 0x4000},
        {true, true, own | 0x80000000, 7, 0x2a, own | 0x80000000},
        {true, true, own - 0x40 * QUEUE + 0x40 * TOTEM_QUEUES, 7, 0x2a, own - 0x40 * QUEUE + 0x40 * TOTEM_QUEUES},
        {true, true, 6, 7, 0x2a, 6},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const uint32_t words[] = {HEADER(WRITE_DATA, 4), 0x10000, rows[n].address, 0, rows[n].value};
        execute_bench  t;
        open_bench(&t);
        second_pipe(&t, FRONT);
        LEVEL(&t.b, settings_priority_write_open, rows[n].open);
        LOAD_WORD(&t.b, rows[n].privileged ? QUEUE : LAST, LOAD_PQ_CONTROL, 1u << 30);
        offer(&t, words, 5);
        if (rows[n].code != 0) {
            halts_with(&t, 8, POSITION, rows[n].code, rows[n].word);
        } else {
            quiet_until(&t, 8);
            assert_true(t.b.o.priority_write);
            assert_int_equal(t.b.o.priority_data, rows[n].value);
        }
    }
}

// ADDR_INCR 0: the second dword goes to the register behind.
static void priority_address_goes_on(void **state)
{
    const uint32_t own     = 0x4006 + 0x40 * QUEUE;
    const uint32_t words[] = {HEADER(WRITE_DATA, 5), 0, own, 0, 1, 1};
    execute_bench  t;
    (void)state;
    open_bench(&t);
    offer(&t, words, 6);
    while (!t.b.o.priority_write)
        clock_edge(&t);
    while (!t.b.o.error_valid)
        clock_edge(&t);
    assert_int_equal(t.b.o.error_word >> 56, 0x2a);
    clock_edge(&t);
    assert_int_equal(t.b.o.error_word, own + 1);
}

// ---- passed over

static void tell(execute_bench *t, uint8_t kind, uint64_t data)
{
    LOAD_WORD(&t->b, QUEUE, kind, data);
    clock_edge(t);
}

static void packets_passed_over(void **state)
{
    static const struct {
        uint32_t header;
        unsigned count;
        uint8_t  code; // 0: passed
    } rows[] = {
        {HEADER(DISPATCH, 4), 5, 0}, {HEADER(DISPATCH, 9), 10, 0},     {HEADER(LAUNCH_TASK, 1), 2, 0},
        {HEADER(NOP, 0x3fff), 1, 0}, {HEADER(SET_SH_REG, 2), 3, 0},    {0x00001234, 1, 0},
        {0x7fff1000, 1, 0},          {HEADER(0x14, 5), 1, 0},          {0xffff1000, 1, 0},
        {0x80000000, 1, 0},          {HEADER(DISPATCH, 50), 51, 0x23}, {HEADER(DISPATCH, 49), 50, 0},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        const uint32_t words[] = {rows[n].header, 0x80000000, 0x80000000};
        execute_bench  t;
        open_bench(&t);
        tell(&t, LOAD_SKIP, 0);
        LEVEL(&t.b, fetch_available, n == 3 ? 100000u : 50u);
        offer(&t, words, 3);
        if (rows[n].code != 0) {
            halts_with(&t, 4, POSITION, rows[n].code, rows[n].header);
            assert_false(t.b.s.skip[QUEUE]);
            continue;
        }
        quiet_until(&t, 4);
        assert_true(t.b.o.commit);
        assert_int_equal(t.b.o.executed, rows[n].header == 0x80000000);
        assert_int_equal(t.b.o.commit_count, n == 3 ? 0x4000 : rows[n].count);
        assert_int_equal(t.b.o.drop, rows[n].header != 0x80000000);
        assert_false(t.b.o.ignored || t.b.s.skip[QUEUE]);
    }
}

static void skip_and_the_grid(void **state)
{
    static const uint8_t kinds[] = {LOAD_SKIP, LOAD_RESUME, LOAD_ACTIVE};
    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        execute_bench t;
        open_bench(&t);
        t.b.s.unfinished[QUEUE] = t.b.s.halted[QUEUE] = t.b.s.closed[QUEUE] = t.b.s.halted[0] = true;
        t.b.s.skip[QUEUE]                                                                     = n != 0;
        tell(&t, kinds[n], 1);
        assert_int_equal(t.b.s.skip[QUEUE], n == 0);
        assert_int_equal(t.b.s.unfinished[QUEUE], n != 2); // until its packet is passed over
        assert_false(t.b.s.halted[QUEUE] || t.b.s.closed[QUEUE]);
        assert_true(t.b.s.halted[0]);
    }
}

// The packet of an unfinished grid is passed over without being read; the grid goes in that clock.
static void grid_is_passed_over(void **state)
{
    static const uint32_t words[] = {0xc0001099, 0x99, 0x99};
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        execute_bench t;
        open_bench(&t);
        t.b.s.phase             = EXECUTE_RESUME;
        t.b.s.unfinished[QUEUE] = t.b.s.unfinished[0] = t.b.s.skip[QUEUE] = t.b.s.skip[0] = true;
        LEVEL(&t.b, bank_initiator, n == 0 ? 0x45 : 0x80000045);
        LEVEL(&t.b, bank_loaded, false);
        LEVEL(&t.b, fetch_available, n == 0 ? 5 : 4);
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

// What cannot be passed over leaves the grid where it is; so does leaving before it is.
static void grid_is_not_passed_over(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        execute_bench t;
        open_bench(&t);
        t.b.s.phase             = EXECUTE_RESUME;
        t.b.s.unfinished[QUEUE] = t.b.s.skip[QUEUE] = true;
        LEVEL(&t.b, bank_initiator, 0x45);
        LEVEL(&t.b, fetch_available, n == 2 ? 5 : 4);
        LEVEL(&t.b, fetch_in_buffer, n == 1);
        t.b.i.arbiter_leave = n == 2;
        if (n == 2) {
            clock_edge(&t);
            assert_true(t.b.o.left && t.b.s.skip[QUEUE]);
        } else {
            halts_with(&t, 1, POSITION, n == 1 ? 0x24 : 0x23, 0xc0031500);
            assert_false(t.b.s.skip[QUEUE]);
        }
        assert_true(t.b.o.unfinished[QUEUE]);
        assert_false(t.b.o.bank_forget || t.b.o.commit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smart_wait_is_handed_over), cmocka_unit_test(timer_is_handed_over),
        cmocka_unit_test(ended_wait_passes),         cmocka_unit_test(cond_exec),
        cmocka_unit_test(dispatch_indirect),         cmocka_unit_test(indirect_grid_is_resumed),
        cmocka_unit_test(errors_of_indirect),        cmocka_unit_test(priority_written),
        cmocka_unit_test(priority_errors),           cmocka_unit_test(priority_address_goes_on),
        cmocka_unit_test(packets_passed_over),       cmocka_unit_test(skip_and_the_grid),
        cmocka_unit_test(grid_is_passed_over),       cmocka_unit_test(grid_is_not_passed_over),
    };
    return cmocka_run_group_tests_name("execute_reads", tests, NULL, NULL);
}

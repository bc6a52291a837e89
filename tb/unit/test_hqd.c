// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: the window of a queue, what it reads and what a write does, mapped and not (docs/contract/hqd.md).

#include "hqd_bench.h"

static uint32_t reset_value(unsigned dword)
{
    switch (dword) {
    case 4: return 0x0be05301;
    case 17: return 0x00308509;
    case 21: return 0x00300000;
    case 32: return 0x40000000;
    case 34: return 0x00000100;
    case 39: return 0x00000006;
    case 40: return 0x40000000;
    case 41: return 0x007f8000;
    default: return 0;
    }
}

static uint32_t kept(unsigned dword)
{
    switch (dword) {
    case 7: return 0x80000000;
    case 15: return 0xa0000000;
    case 17: return 0x000080c0;
    case 22: return 0xc0000000;
    case 24: return 0x00000010;
    case 32: return 0x4000038f;
    case 34: return 0x00001000;
    case 39: return 0xe0002100;
    case 40: return 0x60000000;
    case 41: return 0x1fff8000;
    case 42: return 0x00010000;
    default: return 0;
    }
}

static void sweep(void **state)
{
    window_bench t;
    (void)state;
    memset(&t, 0, sizeof t);
    fresh(&t.b);
    ask(&t, 1, 17, false, 0, 0); // waits for its end
    for (unsigned n = 0; n < WORDS; n++) {
        assert_true(t.b.o.ram_write_enable);
        assert_false(t.b.o.host_done || t.b.o.load_valid || t.b.o.ram_read_enable);
        assert_int_equal(t.b.o.ram_write_addr, n);
        assert_int_equal(t.b.o.ram_write_data, reset_value(n % 64));
        clock_edge(&t);
    }
    assert_false(t.b.o.ram_write_enable);
    done(&t, WORDS + 3, 0);
}

// Every dword of the window but ACTIVE: what it reads after reset, and what a write of ones leaves of the kept bits.
static void window(void **state)
{
    static window_bench t;
    uint32_t            expected[WORDS];
    (void)state;
    open_bench(&t);
    for (unsigned n = 0; n < WORDS; n++)
        expected[n] = reset_value(n % 64);
    for (uint8_t d = 0; d < 56; d++) {
        read_is(&t, Q, d, reset_value(d));
        if (d == 2)
            continue;
        const uint32_t ones = d == 24 ? 0xfffffff8 : 0xffffffff; // without a request
        put(&t, Q, d, ones, 4, 0);
        if (d == 6)
            loads_are(&t, 1, 3, Q, LOAD_QUEUE_PRIORITY, 15);
        else
            assert_int_equal(t.loads, 0);
        expected[Q * 64 + d] = (ones & ~kept(d)) | (reset_value(d) & kept(d));
        read_is(&t, Q, d, expected[Q * 64 + d]);
        for (unsigned n = 0; n < WORDS; n++)
            assert_int_equal(t.ram[n], expected[n]);
    }
    put(&t, Q, 2, 0xfffffffe, 4, 0); // stays unmapped
    assert_int_equal(t.loads, 0);
    read_is(&t, Q, 2, 0xfffffffe);
}

static void byte_strobes(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    for (uint8_t strobe = 0; strobe < 16; strobe++) {
        uint32_t expected = 0xaabbccdd;
        put(&t, 1, 20, 0xaabbccdd, 4, 0);
        ask(&t, 1, 20, true, strobe, 0x11223344);
        done(&t, 4, 0);
        for (unsigned n = 0; n < 4; n++)
            if (strobe >> n & 1)
                expected = (expected & ~(0xffu << 8 * n)) | (0x11223344u & 0xffu << 8 * n);
        read_is(&t, 1, 20, expected);
    }
    ask(&t, 1, 2, true, 0xe, 1); // the byte of ACTIVE is not written
    done(&t, 4, 0);
    read_is(&t, 1, 59, 2u << 16 | 1u << 11 | 1u << 9);
}

// Which queue: mini has 4, the upper bit is cut off.
static void queue_of_the_access(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    for (uint8_t q = 0; q < 8; q++) {
        put(&t, q, 30, 100u + q, 4, 0);
        assert_int_equal(t.ram[q % TOTEM_QUEUES * 64 + 30], 100 + q);
    }
}

static void status_registers(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        VIEW(&t, sequence_data, 0x12345678u + mapped);
        for (uint8_t d = 61; d <= 62; d++) {
            read_is(&t, Q, d, 0x12345678u + mapped);
            put(&t, Q, d, 0, 3, READ_ONLY);
        }
        for (uint8_t d = 56; d <= 59; d++)
            put(&t, Q, d, 0, 3, READ_ONLY);
        read_is(&t, Q, 63, 0);
        put(&t, Q, 63, 0, 3, 0);
        put(&t, Q, 63, 3, 3, VALUE);
        put(&t, Q, 63, 4, 3, VALUE);
        put(&t, Q, 63, 0x80000001, 3, VALUE);
        ask(&t, Q, 63, true, 1, 0xffffff00); // other bytes are not written
        done(&t, 3, 0);
        assert_int_equal(t.loads, 0);
        if (!mapped)
            map(&t, Q);
    }
}

// ---- a mapped queue

static void locked_dwords(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    map(&t, Q);
    for (uint8_t d = 0; d < 56; d++) {
        const uint32_t before = t.ram[Q * 64 + d];
        if (d == 2 || d == 5 || d == 6 || d == 7 || d == 54)
            continue;
        if (d == 24 || d == 55) {
            put(&t, Q, d, 0x8, 4, 0);
            assert_int_equal(t.ram[Q * 64 + d], 0x8);
        } else {
            put(&t, Q, d, ~before, 3, LOCKED);
            assert_int_equal(t.ram[Q * 64 + d], before);
        }
        assert_int_equal(t.loads, 0);
        put(&t, Q - 1, d, 0, 4, 0); // only of that queue
    }
}

static void priorities(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 5, 2, 4, 0);
    loads_are(&t, 0, 0, 0, 0, 0); // not mapped
    put(&t, Q, 6, 0x35, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_QUEUE_PRIORITY, 5); // all the same: the arbiter keeps it
    put(&t, Q, 5, 0, 4, 0);
    map(&t, Q);
    put(&t, Q, 5, 0xfffffff2, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_PIPE_PRIORITY, 2);
    put(&t, Q, 6, 0xffffff7b, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_QUEUE_PRIORITY, 0xb);
    put(&t, Q, 5, 3, 3, VALUE);
    loads_are(&t, 0, 0, 0, 0, 0);
    read_is(&t, Q, 5, 0xfffffff2);
    read_is(&t, Q, 6, 0xffffff7b);
    VIEW(&t, arbiter_queue_priority[Q], 4); // a packet has written it
    read_is(&t, Q, 6, 0xffffff74);
    ask(&t, Q, 6, true, 0xe, 0); // the byte of the priority is not written
    done(&t, 4, 0);
    loads_are(&t, 0, 0, 0, 0, 0);
    read_is(&t, Q, 6, 0x00000074 & 0xff);
    read_is(&t, Q - 1, 6, 0);
}

static void quantum(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 7, 0x511, 4, 0);
    loads_are(&t, 0, 0, 0, 0, 0); // sent by the mapping
    map(&t, Q);
    assert_int_equal(t.load[6].kind, LOAD_QUANTUM);
    assert_int_equal(t.load[6].data, 0x511);
    put(&t, Q, 7, 0xffffffff, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_QUANTUM, 0x7fffffff);
    VIEW_DRAIN(&t, arbiter_selected, Q);
    read_is(&t, Q, 7, 0x7fffffff);
    VIEW_DRAIN(&t, arbiter_selected_valid, true);
    read_is(&t, Q, 7, 0xffffffff); // QUANTUM_ACTIVE
    put(&t, Q, 7, 0x3f10, 4, 0);
    read_is(&t, Q, 7, 0x3f10); // not enabled
    read_is(&t, Q - 1, 7, 0);
}

static void resume(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    VIEW(&t, packet_halted[Q], true);
    put(&t, Q, 63, 1, 3, RESUME); // unmapped
    map(&t, Q);
    put(&t, Q, 63, 1, 3, 0);
    loads_are(&t, 1, 3, Q, LOAD_RESUME, 0);
    put(&t, Q, 63, 2, 3, RESUME); // no packet there
    VIEW(&t, fetch_pending[Q], true);
    put(&t, Q, 63, 2, 3, 0);
    loads_are(&t, 1, 3, Q, LOAD_SKIP, 0);
    VIEW_DRAIN(&t, arbiter_selected, Q);
    VIEW_DRAIN(&t, arbiter_selected_valid, true);
    put(&t, Q, 63, 1, 3, RESUME);
    loads_are(&t, 0, 0, 0, 0, 0);
    VIEW_DRAIN(&t, arbiter_selected_valid, false);
    VIEW(&t, packet_halted[Q], false);
    VIEW(&t, packet_halted[Q + 1], true);
    put(&t, Q, 63, 1, 3, RESUME);
    put(&t, Q, 63, 2, 3, RESUME);
    VIEW(&t, packet_halted[Q], true);
    put(&t, Q, 2, 0, 4, 0);
    put(&t, Q, 63, 1, 3, RESUME); // leaving
    loads_are(&t, 0, 0, 0, 0, 0);
}

// Host, mqd and poll all ask: they are served in turn, and one that has withdrawn is not.
static void three_take_turns(void **state)
{
    static window_bench t;
    unsigned            served[3] = {0};
    (void)state;
    open_bench(&t);
    ask(&t, Q, 58, false, 0, 0);
    ACCESS(&t, mqd_access_valid, true);
    ACCESS(&t, poll_access_valid, true);
    for (unsigned n = 0, last = 0; n < 400; n++, clock_edge(&t)) {
        const bool done_now[3] = {t.b.o.host_done, t.b.o.mqd_done, t.b.o.poll_done};
        for (unsigned k = 0; k < 3; k++)
            if (done_now[k]) {
                assert_true(n < 10 || k == (last + 1) % 3);
                served[last = k]++;
            }
        assert_true(done_now[0] + done_now[1] + done_now[2] <= 1);
    }
    for (unsigned k = 0; k < 3; k++)
        assert_in_range(served[k], 33, 34);
    ACCESS(&t, poll_access_valid, false);
    for (unsigned n = 0; n < 5; n++)
        clock_edge(&t);
    for (unsigned n = 0; n < 40; n++, clock_edge(&t))
        assert_false(t.b.o.poll_done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweep),
        cmocka_unit_test(window),
        cmocka_unit_test(byte_strobes),
        cmocka_unit_test(queue_of_the_access),
        cmocka_unit_test(status_registers),
        cmocka_unit_test(locked_dwords),
        cmocka_unit_test(priorities),
        cmocka_unit_test(quantum),
        cmocka_unit_test(resume),
        cmocka_unit_test(three_take_turns),
    };

    return cmocka_run_group_tests_name("hqd", tests, NULL, NULL);
}

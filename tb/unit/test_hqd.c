// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: the window of a queue, what it reads and what a write does, mapped and not (docs/contract/hqd.md).

#include "hqd_bench.h"

static const uint32_t at_reset[64] = {
    [4] = 0x0be05301,  [17] = 0x00308509, [21] = 0x00300000, [32] = 0x40000000,
    [34] = 0x00000100, [39] = 0x00000006, [40] = 0x40000000, [41] = 0x007f8000,
};

// Bits that a write leaves as they are.
static const uint32_t kept[56] = {
    [7] = 0x80000000,  [15] = 0xa0000000, [17] = 0x000080c0, [22] = 0xc0000000, [24] = 0x00000010, [32] = 0x4000038f,
    [34] = 0x00001000, [39] = 0xe0002100, [40] = 0x60000000, [41] = 0x1fff8000, [42] = 0x00010000,
};

RULE(sweep)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    ask(t, 1, 17, false, 0, 0); // waits for its end
    for (unsigned n = 0; n < WORDS; n++) {
        assert_true(t->b.o.ram_write_enable);
        assert_false(t->b.o.host_done || t->b.o.load_valid || t->b.o.ram_read_enable);
        assert_int_equal(t->b.o.ram_write_addr, n);
        assert_int_equal(t->b.o.ram_write_data, at_reset[n % 64]);
        clock_edge(t);
    }
    assert_false(t->b.o.ram_write_enable);
    done(t, WORDS + 3, 0);
}

// Every dword of the window but ACTIVE: what it reads after reset, and what a write of ones leaves of the kept bits.
RULE(window)
{
    uint32_t expected[WORDS];
    for (unsigned n = 0; n < WORDS; n++)
        expected[n] = at_reset[n % 64];
    for (uint8_t d = 0; d < 56; d++) {
        const uint32_t ones = d == 24 ? 0xfffffff8 : 0xffffffff; // without a request
        read_is(t, Q, d, at_reset[d]);
        if (d == 2)
            continue;
        if (d == 6)
            sends(t, 6, ones, 4, LOAD_QUEUE_PRIORITY, 15);
        else
            stored(t, d, ones);
        expected[Q * 64 + d] = (ones & ~kept[d]) | (at_reset[d] & kept[d]);
        read_is(t, Q, d, expected[Q * 64 + d]);
        assert_memory_equal(t->ram, expected, sizeof expected);
    }
    stored(t, 2, 0xfffffffe); // stays unmapped
    read_is(t, Q, 2, 0xfffffffe);
}

RULE(byte_strobes)
{
    for (uint8_t strobe = 0; strobe < 16; strobe++) {
        uint32_t expected = 0xaabbccdd;
        stored(t, 20, expected);
        ask(t, Q, 20, true, strobe, 0x11223344);
        done(t, 4, 0);
        for (unsigned n = 0; n < 4; n++)
            if (strobe >> n & 1)
                expected = (expected & ~(0xffu << 8 * n)) | (0x11223344u & 0xffu << 8 * n);
        read_is(t, Q, 20, expected);
    }
    ask(t, Q, 2, true, 0xe, 1); // the byte of ACTIVE is not written
    done(t, 4, 0);
    read_is(t, Q, 59, 2u << 16 | 1u << 11 | 1u << 9);
}

RULE(status_registers)
{
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        VIEW(t, sequence_data, 0x12345678u + mapped);
        for (uint8_t d = 56; d <= 62; d++)
            if (d != 60)
                refused(t, d, 0, READ_ONLY);
        read_is(t, Q, 61, 0x12345678u + mapped);
        read_is(t, Q, 62, 0x12345678u + mapped);
        read_is(t, Q, 63, 0);
        refused(t, 63, 0, 0);
        refused(t, 63, 3, VALUE);
        refused(t, 63, 4, VALUE);
        refused(t, 63, 0x80000001, VALUE);
        ask(t, Q, 63, true, 1, 0xffffff00); // other bytes are not written
        done(t, 3, 0);
        if (!mapped)
            map(t, Q);
    }
}

// ---- a mapped queue

RULE(locked_dwords)
{
    map(t, Q);
    for (uint8_t d = 0; d < 56; d++) {
        const uint32_t before = t->ram[Q * 64 + d];
        const bool     open   = d == 24 || d == 55;
        if (d == 2 || d == 5 || d == 6 || d == 7 || d == 54)
            continue;
        if (open)
            stored(t, d, 8);
        else
            refused(t, d, ~before, LOCKED);
        assert_int_equal(t->ram[Q * 64 + d], open ? 8 : before);
        put(t, Q - 1, d, 0, 4, 0); // only of that queue
    }
}

RULE(priorities)
{
    stored(t, 5, 2);                              // not mapped
    sends(t, 6, 0x35, 4, LOAD_QUEUE_PRIORITY, 5); // all the same: the arbiter keeps it
    stored(t, 5, 0);
    map(t, Q);
    sends(t, 5, 0xfffffff2, 4, LOAD_PIPE_PRIORITY, 2);
    sends(t, 6, 0xffffff7b, 4, LOAD_QUEUE_PRIORITY, 0xb);
    refused(t, 5, 3, VALUE);
    read_is(t, Q, 5, 0xfffffff2);
    read_is(t, Q, 6, 0xffffff7b);
    VIEW(t, arbiter_queue_priority[Q], 4); // a packet has written it
    read_is(t, Q, 6, 0xffffff74);
    ask(t, Q, 6, true, 0xe, 0); // the byte of the priority is not written
    done(t, 4, 0);
    assert_int_equal(t->loads, 0);
    read_is(t, Q, 6, 0x74);
    read_is(t, Q - 1, 6, 0);
}

RULE(quantum)
{
    stored(t, 7, 0x511); // sent by the mapping
    map(t, Q);
    assert_int_equal(t->load[6].kind, LOAD_QUANTUM);
    assert_int_equal(t->load[6].data, 0x511);
    sends(t, 7, 0xffffffff, 4, LOAD_QUANTUM, 0x7fffffff);
    pipe_of_q(t, false);
    read_is(t, Q, 7, 0x7fffffff);
    pipe_of_q(t, true);
    read_is(t, Q, 7, 0xffffffff); // QUANTUM_ACTIVE
    put(t, Q, 7, 0x3f10, 4, 0);
    read_is(t, Q, 7, 0x3f10); // not enabled
    read_is(t, Q - 1, 7, 0);
}

RULE(resume)
{
    VIEW(t, packet_halted[Q], true);
    refused(t, 63, 1, RESUME); // unmapped
    map(t, Q);
    sends(t, 63, 1, 3, LOAD_RESUME, 0);
    refused(t, 63, 2, RESUME); // no packet there
    VIEW(t, fetch_pending[Q], true);
    sends(t, 63, 2, 3, LOAD_SKIP, 0);
    pipe_of_q(t, true);
    refused(t, 63, 1, RESUME);
    pipe_of_q(t, false);
    VIEW(t, packet_halted[Q], false);
    VIEW(t, packet_halted[Q + 1], true);
    refused(t, 63, 1, RESUME);
    refused(t, 63, 2, RESUME);
    VIEW(t, packet_halted[Q], true);
    put(t, Q, 2, 0, 4, 0);
    refused(t, 63, 1, RESUME); // leaving
}

// Host, mqd and poll all ask: they are served in turn, and one that has withdrawn is not.
RULE(three_take_turns)
{
    unsigned served[3] = {0};
    ask(t, Q, 58, false, 0, 0);
    ACCESS(t, mqd_access_valid, true);
    ACCESS(t, poll_access_valid, true);
    for (unsigned n = 0, last = 0; n < 400; n++, clock_edge(t)) {
        const bool done_now[3] = {t->b.o.host_done, t->b.o.mqd_done, t->b.o.poll_done};
        for (unsigned k = 0; k < 3; k++)
            if (done_now[k]) {
                assert_true(n < 10 || k == (last + 1) % 3);
                served[last = k]++;
            }
        assert_true(done_now[0] + done_now[1] + done_now[2] <= 1);
    }
    for (unsigned k = 0; k < 3; k++)
        assert_in_range(served[k], 33, 34);
    ACCESS(t, poll_access_valid, false);
    clocks(t, 5);
    for (unsigned n = 0; n < 40; n++, clock_edge(t))
        assert_false(t->b.o.poll_done);
}

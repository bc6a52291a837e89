// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: the window of a queue, what it reads and what a write does, mapped and not (docs/contract/hqd.md).

#include "hqd_bench.h"

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

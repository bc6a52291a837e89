// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: write pointers of the host, of doorbells and of poll (docs/contract/hqd.md).

#include "hqd_bench.h"

enum { HOST, BELL, POLL, WAYS };

// A write pointer of queue Q that comes this way, and ends in that clock.
static void pointer(window_bench *t, unsigned way, uint32_t data, unsigned clock, uint8_t error)
{
    if (way == POLL) {
        ACCESS(t, poll_access_valid, true);
        ACCESS(t, poll_access_write, true);
        ACCESS(t, poll_access_queue, Q);
        ACCESS(t, poll_access_dword, 54);
        ACCESS(t, poll_access_data, data);
        t->now = t->loads = 0;
        while (!t->b.o.poll_done && t->now < clock)
            clock_edge(t);
        assert_true(t->b.o.poll_done && !t->b.o.host_done && !t->b.o.mqd_done);
        assert_int_equal(t->b.o.poll_error, error);
        assert_int_equal(t->now, clock);
        ACCESS(t, poll_access_valid, false);
        clock_edge(t);
    } else {
        ask(t, Q, way == BELL ? 0 : 54, true, 0xf, data);
        ACCESS(t, host_doorbell, way == BELL);
        done(t, clock, error);
    }
    loads_are(t, error == 0, clock, LOAD_WPTR, data);
}

// A ring of 64. What poll has read comes as a doorbell does, but DOORBELL_EN is the doorbell's alone.
RULE(write_pointers)
{
    static const struct {
        uint32_t value;
        uint8_t  error;
    } rows[] = {{0xfffffff8, 0},     {0x00000000, 0},     {0x00000030, 0},    {0x00000031, RANGE},
                {0x80000000, RANGE}, {0xfffffff7, RANGE}, {0xffffffef, RANGE}};
    pointer(t, BELL, 5, 3, UNMAPPED);
    pointer(t, POLL, 5, 3, UNMAPPED);
    put(t, Q, 17, 5, 4, 0);
    map(t, Q);
    pointers_of_q(t, 0xfffffff0, 0xfffffff8);
    pointer(t, BELL, 0xfffffff9, 5, DISABLED);
    pointer(t, HOST, 0xfffffff9, 6, 0);
    pointer(t, POLL, 0xfffffff9, 6, 0);
    refused(t, 15, 1u << 30, LOCKED);
    t->ram[Q * 64 + 15] = 1u << 30;
    for (unsigned n = 0; n < COUNT(rows); n++)
        for (unsigned way = 0; way < WAYS; way++)
            pointer(t, way, rows[n].value, 6, rows[n].error);
    ask(t, Q, 54, true, 1, 0xfffffffc); // the other bytes are those of the pointer before
    done(t, 6, 0);
    loads_are(t, 1, 6, LOAD_WPTR, 0xfffffffc);
    assert_int_equal(t->ram[Q * 64 + 54], 0); // kept by fetch while it is mapped
    put(t, Q, 24, 4, 4, 0);
    pointer(t, POLL, 0x30, 3, UNMAPPED); // it leaves
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd: mappings from an MQD, their errors, the order of jobs (docs/contract/mqd.md).

#include "mqd_bench.h"

// Clocks until the next burst is asked for.
static unsigned next_read(mqd_bench *t)
{
    unsigned clocks = 0;
    do {
        assert_true(++clocks < WAIT);
        clock_edge(t);
    } while (!t->b.o.read_valid);
    return clocks;
}

// Records that differ are read again, at a distance, until they are equal; other slots are served in between.
RULE(records_are_compared)
{
    static const unsigned dwords[] = {93, 96, 97, 107};
    for (unsigned a = 0; a < 4; a++)
        for (unsigned d = 0; d < 4; d++) {
            open_at(t, addresses[a]);
            t->pace = d;
            t->memory[dwords[d]] ^= 0x100u << d;
            run(t, 1, 1);
            assert_true(t->b.o.records_differ[1]);
            assert_int_equal(t->loads[LOAD_ACTIVE] + t->loads[LOAD_SEQUENCE], 0);
            const unsigned first = next_read(t);
            assert_in_range(first, 64, 70);
            rest(t);
            assert_true(t->b.o.records_differ[1]);
            LEVEL(&t->b, hqd_request[2 % TOTEM_QUEUES], 3); // a save meanwhile
            t->window[2 % TOTEM_QUEUES][0] = t->window[2 % TOTEM_QUEUES][1] = 0;
            clocks(t, 40);
            assert_int_equal(t->loads[LOAD_ACTIVE], 1);
            t->memory[dwords[d]] ^= 0x100u << d;
            while (t->b.o.records_differ[1] || t->b.o.busy)
                clock_edge(t);
            assert_int_equal(t->loads[LOAD_SEQUENCE], 1);
            assert_int_equal(t->load[LOAD_SEQUENCE], t->memory[107]);
            active_is(t, 2, 1);
            assert_int_equal(t->errors + t->interrupts + t->writes, 0);
        }
}

RULE(open_buffer_goes_over_the_load_bus)
{
    for (unsigned n = 0; n < 2; n++) {
        const uint32_t done = n == 0 ? 5 : 100; // nothing left of it: none is open
        open_bench(t);
        t->window[2][18] = 0x40000010;
        t->window[2][19] = 0x12;
        t->window[2][20] = done;
        t->window[2][21] = 0x80000000u | 100;
        run(t, 2, 1);
        assert_int_equal(t->loads[LOAD_BUFFER], n == 0);
        assert_int_equal(t->load[LOAD_BUFFER], n == 0 ? 0x1240000024 : 0);
        assert_int_equal(t->loads[LOAD_BUFFER_LEFT], n == 0);
        assert_int_equal(t->load[LOAD_BUFFER_LEFT], 100 - done);
        assert_int_equal(t->load[LOAD_ACTIVE], 1);
    }
}

// The job ends when all its bursts have ended, at any pace of memory.
RULE(failed_read_refuses_the_mapping)
{
    static const unsigned at[] = {2, 40, 82, 96, 106, 130, 182};
    for (unsigned n = 0; n < COUNT(at); n++)
        for (unsigned pace = 0; pace < 6; pace++) {
            const uint32_t failed = 0x80001000 + 4 * at[n];
            open_bench(t);
            t->pace          = pace;
            t->window[0][4]  = 1;
            t->read_error_at = at[n];
            run(t, 0, at[n] < 128 ? 1 : 2);
            assert_int_equal(t->asked, 0);
            active_is(t, 1, 0);
            told(t, 2, 0);
            error_is(t, TOTEM_ERROR_MEMORY_READ_DECERR, failed, failed);
            assert_int_equal(t->activations, 0);
            // Called off by a dequeue: its interrupt follows the record.
            t->reason = 1;
            run(t, 0, at[n] < 128 ? 1 : 2);
            told(t, 4, 1);
        }
}

RULE(slots_take_turns)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        LEVEL(&t->b, hqd_request[q], 1);
    for (unsigned n = 1; n <= TOTEM_QUEUES; n++) {
        while (t->loads[LOAD_ACTIVE] < n)
            clock_edge(t);
        assert_int_equal(t->b.s.queue, n % TOTEM_QUEUES);
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_poll: write pointers that are polled, and one-shots (docs/contract/poll.md).

#include "poll_bench.h"

enum { RANGE = 7, UNMAPPED = 5 };

// hqd: an access of poll is answered after 3 clocks.
static void window_access(poll_bench *t, bool write, uint8_t q, uint8_t dword, uint32_t data, uint8_t error)
{
    for (unsigned n = 0; !t->b.o.access_valid; n++, clock_edge(t))
        assert_true(n < 5000);
    for (unsigned n = 0; n < 3; n++, clock_edge(t)) {
        assert_true(t->b.o.access_valid && t->b.o.access_write == write);
        assert_true(t->b.o.access_queue == q && t->b.o.access_dword == dword);
        if (write)
            assert_int_equal(t->b.o.access_data, data);
    }
    t->b.i.hqd_done  = true;
    t->b.i.hqd_error = error;
    t->b.i.hqd_rdata = data;
    clock_edge(t);
}

// The low bits of the address are none, nor are those above 39.
static void address_read(poll_bench *t, uint8_t q, uint64_t address)
{
    window_access(t, false, q, 13, (uint32_t)address | 7, 0);
    window_access(t, false, q, 14, (uint32_t)(address >> 32) | 0xffffff00, 0);
}

// To the read of a pointer at that address; the clock in which it is asked for.
static uint64_t pointer_read(poll_bench *t, uint8_t q, uint64_t address)
{
    address_read(t, q, address);
    return request(t, address);
}

// The pointer that has been read, and what hqd says of it.
static void pointer_comes(poll_bench *t, uint8_t q, uint32_t pointer, uint8_t error)
{
    answer(t, 0x1234567800000000 | pointer, 0);
    window_access(t, true, q, 54, pointer, error);
}

static void map_polled(poll_bench *t, uint8_t q)
{
    LEVEL(&t->b, settings_poll_enable, true);
    load(t, q, LOAD_POLLED, 1);
    load(t, q, LOAD_ACTIVE, 1);
    assert_true(t->b.o.polled[q]);
}

static void once(poll_bench *t, uint8_t q)
{
    t->b.i.host_poll_once[q] = true;
    clock_edge(t);
    assert_true(t->b.o.once[q]);
}

TEST(pointers_are_read_again_and_again)
{
    static const uint8_t periods[] = {0, 1, 3, 4, 5, 255};
    for (unsigned n = 0; n < sizeof periods; n++)
        for (unsigned slow = 0; slow < 9000; slow = slow * 3 + 30) {
            const uint64_t least = periods[n] < 4 ? 64 : periods[n] * 16u;
            uint64_t       last  = 0;
            poll_bench     t;
            open_bench(&t, 8189);
            LEVEL(&t.b, settings_poll_period, periods[n]);
            map_polled(&t, Q);
            for (unsigned k = 0; k < 5; k++) {
                const uint64_t seen = pointer_read(&t, Q, 0xab12345670);
                clocks(&t, slow);
                pointer_comes(&t, Q, 40 + k, k % 2 ? UNMAPPED : 0);
                assert_false(t.b.o.halt || t.b.o.error_valid || t.b.o.busy);
                if (k > 0 && seen - last < least)
                    fail_msg("period %u: after %u clocks", periods[n], (unsigned)(seen - last));
                if (k > 0 && slow < 50)
                    assert_true(seen - last <= least + TOTEM_QUEUES + 10);
                last = seen;
            }
        }
}

TEST(pointer_without_address)
{
    poll_bench t;
    open_bench(&t, 0);
    map_polled(&t, Q);
    address_read(&t, Q, 0);
    assert_false(t.b.o.polled[Q] || t.b.o.busy);
    clocks(&t, 500);
    assert_false(t.b.o.read_valid || t.b.o.busy);
}

// It waits for the mapping, and is dropped if that is refused.
TEST(one_shot_before_the_mapping)
{
    for (unsigned refused = 0; refused < 2; refused++) {
        poll_bench t;
        open_bench(&t, 0);
        LEVEL(&t.b, arbiter_active[Q], false);
        once(&t, Q);
        clocks(&t, 100);
        assert_true(t.b.o.once[Q] && !t.b.o.busy);
        load(&t, Q, LOAD_POLLED, 2 * refused);
        assert_int_equal(t.b.o.once[Q], !refused);
        load(&t, Q, LOAD_ACTIVE, 1);
        LEVEL(&t.b, arbiter_active[Q], true);
        if (!refused)
            pointer_read(&t, Q, 0x1000);
        clocks(&t, 100);
        assert_true(t.b.o.busy != refused && !t.b.o.once[Q]);
    }
}

TEST(bad_pointers_and_failed_reads)
{
    for (uint8_t error = 0; error < 4; error++) {
        poll_bench t;
        open_bench(&t, 0);
        map_polled(&t, LAST);
        pointer_read(&t, LAST, 0x8912345678);
        answer(&t, 0xfedcba98, error);
        if (error == 0)
            window_access(&t, true, LAST, 54, 0xfedcba98, RANGE);
        assert_true(t.b.o.halt && t.b.o.halt_queue == LAST && !t.b.o.error_valid);
        LEVEL(&t.b, packet_halted[LAST], true);
        clock_edge(&t);
        for (unsigned n = 0; n < 4; n++) {
            assert_true(!t.b.o.halt && t.b.o.error_valid && !t.b.o.error_second);
            assert_int_equal(t.b.o.error_word,
                             (error ? 0x60ull + error : 0x3aull) << 56 | (uint64_t)LAST << 48 | 0x8912345678ull);
            t.b.i.events_mqd_error_ready = n != 0; // record and mqd go first
            t.b.i.record_error_valid     = n == 1;
            t.b.i.mqd_error_valid        = n == 2;
            clock_edge(&t);
        }
        for (unsigned n = 0; n < 4; n++) {
            assert_true(t.b.o.error_valid && t.b.o.error_second);
            assert_int_equal(t.b.o.error_word, error ? 0x12345678 : 0xfedcba98);
            t.b.i.events_mqd_error_ready = n == 3; // nothing comes between
            t.b.i.record_error_valid = t.b.i.mqd_error_valid = true;
            clock_edge(&t);
        }
        clocks(&t, 500);
        assert_false(t.b.o.busy);
        LEVEL(&t.b, packet_halted[LAST], false);
        pointer_read(&t, LAST, 0x1000);
    }
}

// ACTIVE is cleared in the clock of the halt: the record is sent, the queue is unmapped, nothing is read again.
TEST(unmapped_at_the_halt)
{
    poll_bench t;
    open_bench(&t, 0);
    map_polled(&t, Q);
    pointer_read(&t, Q, 0x1000);
    pointer_comes(&t, Q, 7, RANGE);
    assert_true(t.b.o.halt && t.b.o.halt_queue == Q);
    LOAD_WORD(&t.b, Q, LOAD_ACTIVE, 0);
    LEVEL(&t.b, events_mqd_error_ready, true);
    clock_edge(&t);
    LEVEL(&t.b, arbiter_active[Q], false);
    assert_true(t.b.o.error_valid && !t.b.o.error_second);
    assert_int_equal(t.b.o.error_word, 0x3aull << 56 | (uint64_t)Q << 48 | 0x1000);
    clock_edge(&t);
    assert_true(t.b.o.error_valid && t.b.o.error_second);
    clocks(&t, 500);
    assert_false(t.b.o.busy || t.b.o.once[Q] || t.b.o.polled[Q]);
}

// Dropped at each of its steps: unmapped, or overtaken by a pointer that the host writes.
TEST(dropped_pointers)
{
    unsigned given = 0; // the step in which nothing can be dropped any more
    for (int kind = 31; kind >= 0; kind--)
        for (unsigned at = 0; at < 30; at++) {
            const bool drops = kind == LOAD_ACTIVE || kind == LOAD_WPTR;
            unsigned   gave  = 0;
            poll_bench t;
            open_bench(&t, 0);
            map_polled(&t, Q);
            LEVEL(&t.b, settings_poll_period, 255);
            clocks(&t, 2);
            bool over = false; // this read, not the next one
            for (unsigned n = 0, wait = 0; n < 60; n++) {
                over = over || !t.b.o.busy;
                if (n == at) {
                    LOAD_WORD(&t.b, Q, kind, 0);
                }
                // hqd answers every third clock of an access, memory at once
                wait             = t.b.o.access_valid ? wait + 1 : 0;
                t.b.i.hqd_done   = wait == 3;
                t.b.i.hqd_rdata  = 0x1000;
                t.b.i.data_valid = t.b.s.phase == POLL_ANSWER;
                if (t.b.i.hqd_done && t.b.o.access_write && !over) {
                    gave++;
                    given = kind == LOAD_POLLED ? n : given;
                }
                wait = wait == 3 ? 0 : wait;
                clock_edge(&t);
            }
            assert_int_equal(gave, drops && at < given ? 0 : 1);
            assert_int_equal(t.b.o.polled[Q], kind != LOAD_ACTIVE && kind != LOAD_POLLED);
            assert_false(t.b.o.busy);
        }
}

TEST(quiet_knows_pointers)
{
    for (unsigned n = 0; n < 9000; n += 777) {
        poll_bench t;
        open_bench(&t, n);
        LEVEL(&t.b, settings_poll_period, (uint8_t)(n / 40));
        map_polled(&t, LAST);
        pointer_read(&t, LAST, 0x1000);
        pointer_comes(&t, LAST, 0, 0);
        clocks(&t, 2);
        while (!t.b.s.ripe[LAST])
            clock_as_told(&t);
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_poll: waits and timers, their polls, latencies and meetings (docs/contract/poll.md).

#include "poll_bench.h"

// From the counter of the clocks, wherever it stands: `count` + 1 clocks, and at most as many more as there are queues.
// The wait has ended until a packet of its queue is passed.
TEST(timers_run)
{
    static const uint32_t counts[] = {1, 2, 7, 8, 100, 0x7fffffff, 0x80000000, 0xffffffff};
    static const uint64_t starts[] = {0, 0x1fffffff0, 0xfffffff0, 0xffffffffffffff00};
    for (unsigned row = 0; row < COUNT(counts) * COUNT(starts) * TOTEM_QUEUES; row++) {
        const uint8_t  q     = (uint8_t)(row % TOTEM_QUEUES);
        const uint64_t count = counts[row / TOTEM_QUEUES % COUNT(counts)];
        poll_bench     t;
        open_bench(&t, starts[row / TOTEM_QUEUES / COUNT(counts)]);
        clocks(&t, row % 8);
        timer(&t, q, (uint32_t)count);
        const uint64_t begun = t.now;
        assert_true(t.b.o.waiting[q]);
        if (count > 1000) { // nothing happens but in clocks that look at this queue
            clocks(&t, 100);
            t.now = begun + count - 50;
        }
        while (t.b.o.waiting[q])
            clock_edge(&t);
        assert_true(t.b.o.ended[q] && t.b.o.error[q] == 0);
        const uint64_t took = t.now - begun + 1;
        if (took < count + 1 || took > count + TOTEM_QUEUES)
            fail_msg("timer of %llu took %llu", (unsigned long long)count, (unsigned long long)took);
        for (unsigned n = TOTEM_QUEUES; n-- > 0;) { // the last one is its own
            assert_true(t.b.o.ended[q] && !t.b.o.read_valid);
            t.b.i.packet_commit  = true;
            t.b.i.dispatch_queue = (uint8_t)((q + n) % TOTEM_QUEUES);
            clock_edge(&t);
        }
        assert_false(t.b.o.ended[q] || t.b.o.waiting[q]);
    }
}

// A read that fails ends the wait, whatever it brings.
TEST(conditions)
{
    // below, equal, above 5 (by its highest bit alone)
    static const bool met[8][3] = {{1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {1, 0, 1}, {0, 1, 1}, {0, 0, 1}, {1, 1, 1}};
    for (unsigned function = 0; function < 8; function++)
        for (unsigned row = 0; row < 3 * 2 * 4; row++) {
            const unsigned n = row % 3, upper = row / 3 % 2, error = row / 6;
            const uint64_t value = (n < 2 ? 0x7fff0004 : 0xffff0004) + n, address = 0x8912345670 | upper << 2;
            const bool     ends = met[function][n] || error != 0;
            poll_bench     t;
            open_bench(&t, 77);
            wait_for(&t, LAST, address, function, 0, 0x8000ffff);
            const uint64_t begun = t.now;
            assert_true(t.b.o.waiting[LAST]);
            assert_int_equal(request(&t, address), begun + 3);
            answer(&t, upper ? value << 32 | 5 : value | 5ull << 32, (uint8_t)error);
            assert_int_equal(t.b.o.ended[LAST], ends);
            assert_int_equal(t.b.o.waiting[LAST], !ends);
            assert_int_equal(t.b.o.error[LAST], error);
            for (unsigned k = 0; ends && k < 80; k++, clock_edge(&t))
                assert_false(t.b.o.read_valid);
        }
}

TEST(polls_keep_their_distance)
{
    static const uint32_t intervals[] = {0, 1, 3, 4, 5, 60};
    for (unsigned n = 0; n < COUNT(intervals); n++)
        for (unsigned slow = 0; slow < 150; slow += 30) { // clocks until the request is taken, and until the answer
            const uint64_t least = intervals[n] < 4 ? 64 : intervals[n] * 16;
            uint64_t       last  = 0;
            poll_bench     t;
            open_bench(&t, 5);
            wait_for(&t, Q, 0x1000, FUNCTION_EQ, intervals[n], ~0u);
            for (unsigned k = 0; k < 6; k++) {
                LEVEL(&t.b, read_ready, false);
                while (!t.b.o.read_valid)
                    clock_edge(&t);
                clocks(&t, k % 2 ? slow : 0);
                LEVEL(&t.b, read_ready, true);
                const uint64_t taken = request(&t, 0x1000);
                clocks(&t, slow);
                answer(&t, 4, 0);
                if (k > 0 && taken - last < least)
                    fail_msg("interval %u: after %u clocks", intervals[n], (unsigned)(taken - last));
                if (k > 0 && k % 2 == 0 && slow < least - 10)
                    assert_true(taken - last <= least + TOTEM_QUEUES + 3);
                last = taken;
            }
        }
}

// A register of the window: read by an access to hqd, for a packet or for a wait, at the wait's distances.
TEST(registers)
{
    const uint64_t place = 4 * (0x5400 + 0x40 * (uint64_t)LAST + 0x3a);
    poll_bench     t;
    open_bench(&t, 0);
    t.b.i.packet_poll_valid    = true;
    t.b.i.packet_poll_register = true;
    t.b.i.packet_poll_addr     = place;
    clock_edge(&t);
    for (unsigned n = 0; n < 5; n++, clock_edge(&t)) {
        assert_true(t.b.o.access_valid && !t.b.o.access_write && t.b.o.packet_answer && !t.b.o.read_valid);
        assert_int_equal(t.b.o.access_queue, LAST);
        assert_int_equal(t.b.o.access_dword, 0x3a);
        t.b.i.hqd_done = n == 4;
    }
    assert_true(!t.b.o.busy && !t.b.o.packet_answer);
    uint64_t last = 0;
    word(&t, Q, false, place | (uint64_t)FUNCTION_EQ << 40 | 5ull << 43 | 1ull << 59);
    word(&t, Q, true, 0xff00000005);
    for (unsigned n = 0; n < 4; n++) {
        for (unsigned k = 0; !t.b.o.access_valid; k++, clock_edge(&t))
            assert_true(k < 100 && !t.b.o.read_valid);
        assert_true(t.b.o.waiting[Q] && !t.b.o.packet_answer);
        assert_int_equal(t.b.o.access_queue, LAST);
        clocks(&t, n);
        if (n != 0)
            assert_in_range(t.now - last, 80, 80 + TOTEM_QUEUES + 6);
        last            = t.now;
        t.b.i.hqd_done  = true;
        t.b.i.hqd_rdata = 0x12345600 + 2 + n;
        t.b.i.data_word = 5; // memory's is none of its own
        clock_edge(&t);
    }
    assert_true(t.b.o.ended[Q] && !t.b.o.waiting[Q] && t.b.o.error[Q] == 0);
}

// Its condition held and holds no more: the wait begins again, and rests as between two polls.
TEST(waits_again)
{
    static const uint32_t intervals[] = {0, 4, 0xffff};
    for (unsigned n = 0; n < COUNT(intervals); n++) {
        const uint64_t least = intervals[n] < 4 ? 64 : 16 * intervals[n];
        poll_bench     t;
        open_bench(&t, 3);
        wait_equal(&t, Q, 0x1000);
        request(&t, 0x1000);
        answer(&t, 5, 0);
        clocks(&t, 200);
        wait_for(&t, Q, 0x1000, FUNCTION_EQ, intervals[n], ~0u);
        assert_true(t.b.o.waiting[Q]);
        const uint64_t begun = t.now - 2;
        clocks(&t, 30);
        if (n == 2)
            t.now = begun + least - 40;
        assert_in_range(request(&t, 0x1000) - begun, least, least + TOTEM_QUEUES + 4);
        answer(&t, 5, 0);
        t.b.i.packet_commit  = true; // passed: the next wait is another one
        t.b.i.dispatch_queue = Q;
        clock_edge(&t);
        wait_for(&t, Q, 0x1000, FUNCTION_EQ, intervals[n], ~0u);
        clocks(&t, 3);
        assert_true(t.b.o.read_valid);
    }
}

TEST(dropped)
{
    for (unsigned kind = LOAD_ACTIVE; kind < LOAD_MOVED; kind++) {
        const bool drops = kind == LOAD_ACTIVE || kind == LOAD_RESUME || kind == LOAD_SKIP;
        poll_bench t;
        open_bench(&t, 0); // a timer, while it runs and after
        timer(&t, Q, 20);
        load(&t, 0, kind, 0);
        assert_true(t.b.o.waiting[Q]);
        load(&t, Q, kind, 0);
        assert_int_equal(t.b.o.waiting[Q], !drops);
        clocks(&t, 40);
        assert_int_equal(t.b.o.ended[Q], !drops);
        load(&t, Q, kind, 0);
        assert_int_equal(t.b.o.ended[Q], !drops);
        for (unsigned at = 0; at < 8; at++) { // a poll, at each of its steps
            open_bench(&t, 0);
            wait_equal(&t, Q, 0x1000);
            clocks(&t, at);
            load(&t, Q, kind, 0);
            clocks(&t, 8);
            if (t.b.s.phase != POLL_FREE)
                answer(&t, 5, 0);
            assert_int_equal(t.b.o.ended[Q], !drops);
            assert_false(t.b.o.waiting[Q]);
        }
    }
}

TEST(quiet_is_exact)
{
    for (unsigned n = 0; n < 300; n += 7) {
        poll_bench t;
        open_bench(&t, n);
        timer(&t, Q, n);
        wait_equal(&t, LAST, 0x1000);
        request(&t, 0x1000);
        answer(&t, 0, 0);
        while (t.b.o.waiting[Q] && t.b.s.phase == POLL_FREE && !t.b.s.due[LAST])
            clock_as_told(&t);
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_poll: waits and timers, their polls, latencies and meetings (docs/contract/poll.md).

#include "poll_bench.h"

static void after_reset(void **state)
{
    poll_bench t;
    (void)state;
    open_bench(&t, 0);
    for (unsigned n = 0; n < 200; n++) {
        for (unsigned q = 0; q < TOTEM_QUEUES; q++)
            assert_false(t.b.o.waiting[q] || t.b.o.ended[q]);
        assert_false(t.b.o.read_valid || t.b.o.packet_answer || t.b.o.ram_read_enable);
        assert_true(t.b.o.packet_read_ready);
        clock_edge(&t);
    }
}

static void timers_run(void **state)
{
    static const uint32_t counts[] = {1, 2, 7, 8, 100, 0x7fffffff, 0x80000000, 0xffffffff};
    static const uint64_t starts[] = {0, 0x1fffffff0, 0xfffffff0, 0xffffffffffffff00};
    (void)state;
    for (unsigned s = 0; s < 4; s++)
        for (unsigned n = 0; n < sizeof counts / sizeof *counts; n++)
            for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
                poll_bench t;
                open_bench(&t, starts[s]);
                clocks(&t, n);
                timer(&t, q, counts[n]);
                const uint64_t begun = t.now;
                assert_true(t.b.o.waiting[q]);
                // Nothing happens but in clocks that look at this queue.
                if (counts[n] > 1000) {
                    clocks(&t, 100);
                    t.now = begun + counts[n] - 50;
                }
                while (t.b.o.waiting[q])
                    clock_edge(&t);
                assert_true(t.b.o.ended[q] && t.b.o.error[q] == 0);
                const uint64_t took = t.now - begun + 1;
                if (took < (uint64_t)counts[n] + 1 || took > (uint64_t)counts[n] + TOTEM_QUEUES)
                    fail_msg("timer of %u took %llu", counts[n], (unsigned long long)took);
                assert_false(t.b.o.read_valid);
                clocks(&t, 20);
                assert_true(t.b.o.ended[q]);
                t.b.i.packet_commit = true;
                t.b.i.dispatch_queue  = (uint8_t)((q + 1) % TOTEM_QUEUES);
                clock_edge(&t);
                assert_true(t.b.o.ended[q]); // another's packet was passed
                t.b.i.packet_commit = true;
                t.b.i.dispatch_queue  = q;
                clock_edge(&t);
                assert_false(t.b.o.ended[q] || t.b.o.waiting[q]);
            }
}

static void conditions(void **state)
{
    // below, equal, above 5
    static const bool met[8][3] = {{1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {1, 0, 1}, {0, 1, 1}, {0, 0, 1}, {1, 1, 1}};
    (void)state;
    for (unsigned function = 0; function < 8; function++)
        for (unsigned n = 0; n < 3; n++)
            for (unsigned upper = 0; upper < 2; upper++) {
                const uint64_t value = 0xffff0004 + n, address = 0x8912345670 | upper << 2;
                poll_bench     t;
                open_bench(&t, 77);
                wait_for(&t, LAST, address, function, 0, 0xffff);
                const uint64_t begun = t.now;
                assert_true(t.b.o.waiting[LAST]);
                assert_int_equal(request(&t, address), begun + 3);
                answer(&t, upper ? value << 32 | 5 : value | 5ull << 32, 0);
                assert_int_equal(t.b.o.ended[LAST], met[function][n]);
                assert_int_equal(t.b.o.waiting[LAST], !met[function][n]);
                assert_int_equal(t.b.o.error[LAST], 0);
            }
}

static void failed_poll_ends_the_wait(void **state)
{
    (void)state;
    for (uint8_t error = 1; error <= 3; error++) {
        poll_bench t;
        open_bench(&t, 0);
        wait_for(&t, Q, 0x1000, FUNCTION_EQ, 0, ~0u);
        request(&t, 0x1000);
        answer(&t, 5, error);
        assert_true(t.b.o.ended[Q] && !t.b.o.waiting[Q]);
        assert_int_equal(t.b.o.error[Q], error);
        clocks(&t, 300);
        assert_false(t.b.o.read_valid);
    }
}

static void polls_keep_their_distance(void **state)
{
    static const uint32_t intervals[] = {0, 1, 3, 4, 5, 60};
    (void)state;
    for (unsigned n = 0; n < sizeof intervals / sizeof *intervals; n++)
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
                const uint64_t taken = t.now;
                clock_edge(&t);
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

static void queues_take_turns(void **state)
{
    unsigned   polls[TOTEM_QUEUES] = {0};
    poll_bench t;
    (void)state;
    open_bench(&t, 0);
    LEVEL(&t.b, read_ready, false); // until all of them wait
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++)
        wait_for(&t, q, 0x1000u + 8u * q, FUNCTION_EQ, 0, ~0u);
    LEVEL(&t.b, read_ready, true);
    for (unsigned n = 0; n < 4 * TOTEM_QUEUES; n++) { // an answer takes 100 clocks: all are due again by then
        while (!t.b.o.read_valid)
            clock_edge(&t);
        polls[(t.b.o.read_addr - 0x1000) / 8]++;
        clocks(&t, 100);
        answer(&t, 0, 0);
    }
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        assert_in_range(polls[q], 3, 5);
}

static void packet_reads(void **state)
{
    poll_bench t;
    (void)state;
    open_bench(&t, 0);
    LEVEL(&t.b, packet_poll_valid, true);
    LEVEL(&t.b, packet_poll_addr, 0xabcdef1237);
    assert_true(t.b.o.packet_read_ready);
    clock_edge(&t);
    assert_true(t.b.o.read_valid && !t.b.o.packet_read_ready && !t.b.o.packet_answer);
    assert_int_equal(t.b.o.read_addr, 0xabcdef1230);
    clock_edge(&t);
    assert_true(t.b.o.packet_answer);
    wait_for(&t, Q, 0x1000, FUNCTION_EQ, 0, ~0u);
    answer(&t, 5, 0);
    assert_true(t.b.o.waiting[Q]); // was none of his
    // Now the poll comes first, and the packet's next read after it, then again in turn.
    assert_false(t.b.o.packet_read_ready);
    request(&t, 0x1000);
    assert_false(t.b.o.packet_answer || t.b.o.packet_read_ready);
    answer(&t, 5, 0);
    assert_true(t.b.o.ended[Q] && t.b.o.packet_read_ready);
    clock_edge(&t);
    assert_int_equal(t.b.o.read_addr, 0xabcdef1230);
}

static void drop(poll_bench *t, uint8_t q, unsigned kind)
{
    LOAD_WORD(&t->b, q, kind, 0);
    clock_edge(t);
}

static void dropped(void **state)
{
    (void)state;
    for (unsigned kind = LOAD_ACTIVE; kind < LOAD_MOVED; kind++) {
        const bool drops = kind == LOAD_ACTIVE || kind == LOAD_RESUME || kind == LOAD_SKIP;
        poll_bench t;
        open_bench(&t, 0); // a timer, while it runs and after
        timer(&t, Q, 20);
        drop(&t, 0, kind);
        assert_true(t.b.o.waiting[Q]);
        drop(&t, Q, kind);
        assert_int_equal(t.b.o.waiting[Q], !drops);
        clocks(&t, 40);
        assert_int_equal(t.b.o.ended[Q], !drops);
        drop(&t, Q, kind);
        assert_int_equal(t.b.o.ended[Q], !drops);
        for (unsigned at = 0; at < 8; at++) { // a poll, at each of its steps
            open_bench(&t, 0);
            wait_for(&t, Q, 0x1000, FUNCTION_EQ, 0, ~0u);
            clocks(&t, at);
            drop(&t, Q, kind);
            clocks(&t, 8);
            if (t.b.s.phase != POLL_FREE)
                answer(&t, 5, 0);
            assert_int_equal(t.b.o.ended[Q], !drops);
            assert_false(t.b.o.waiting[Q]);
        }
    }
}

// A late answer is none of the next wait's, and does not touch its deadline.
static void late_answer(void **state)
{
    poll_bench t;
    (void)state;
    open_bench(&t, 0);
    LEVEL(&t.b, read_ready, false);
    wait_for(&t, Q, 0x1000, FUNCTION_EQ, 0xffff, ~0u);
    clocks(&t, 5);
    assert_true(t.b.o.read_valid);
    drop(&t, Q, LOAD_ACTIVE);
    timer(&t, Q, 30);
    LEVEL(&t.b, read_ready, true);
    clock_edge(&t);
    answer(&t, 5, 0);
    assert_true(t.b.o.waiting[Q]);
    clocks(&t, 30 + TOTEM_QUEUES);
    assert_true(t.b.o.ended[Q]);
}

static void wait_meets_unmapping(void **state)
{
    poll_bench t;
    (void)state;
    open_bench(&t, 0);
    LOAD_WORD(&t.b, Q, LOAD_ACTIVE, 0); // in the same clock
    timer(&t, Q, 5);
    assert_false(t.b.o.waiting[Q]);
    LEVEL(&t.b, arbiter_active[Q], false); // after it
    timer(&t, Q, 5);
    assert_false(t.b.o.waiting[Q]);
    timer(&t, 0, 5);
    assert_true(t.b.o.waiting[0]);
}

static void quiet_is_exact(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 300; n += 7) {
        poll_bench t;
        open_bench(&t, n);
        timer(&t, Q, n);
        wait_for(&t, LAST, 0x1000, FUNCTION_EQ, 0, ~0u);
        request(&t, 0x1000);
        answer(&t, 0, 0);
        while (t.b.o.waiting[Q] && t.b.s.phase == POLL_FREE && !t.b.s.due[LAST])
            clock_as_told(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_reset),
        cmocka_unit_test(timers_run),
        cmocka_unit_test(conditions),
        cmocka_unit_test(failed_poll_ends_the_wait),
        cmocka_unit_test(polls_keep_their_distance),
        cmocka_unit_test(queues_take_turns),
        cmocka_unit_test(packet_reads),
        cmocka_unit_test(dropped),
        cmocka_unit_test(late_answer),
        cmocka_unit_test(wait_meets_unmapping),
        cmocka_unit_test(quiet_is_exact),
    };

    return cmocka_run_group_tests_name("poll", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_kill: rules, latencies and meetings of docs/contract/kill.md. The bench is dc (a word is on the
// bus one clock after it is offered, if the test says so) and the clock.
// Configuration: full, because a kill goes to several engines.

#include "block_bench.h"

#include "totem_kill.h"

BENCH(kill)

enum { PAUSE = 63, SES = TOTEM_SE_COUNT };

#define RULE(name) RULE_OF(bench, fresh, b, name)

static void clocks(bench *b, unsigned count)
{
    while (count--) {
        const bool next = b->o.word_valid && !b->i.dc_killed;
        tick(b);
        LEVEL(b, dc_killed, next);
        LEVEL(b, clock, b->hold.clock + 1);
    }
}

static void ask(bench *b, unsigned queue, unsigned epochs)
{
    LEVEL(b, hqd_resetting[queue], true);
    LEVEL(b, hqd_killing[queue], true);
    LEVEL(b, fence_targets[queue], (uint8_t)epochs);
}

// fence has given up what it could.
static void abandoned(bench *b)
{
    b->i.fence_abandoned[1] = true;
    clocks(b, 1);
}

static void ends_when_settled(bench *b)
{
    LEVEL(b, fence_settled[1], true);
    clocks(b, 1);
    assert_true(b->o.ended[1]);
}

// The words of a round: every engine once, in order.
static unsigned round_of(bench *b, unsigned queue, unsigned epochs)
{
    unsigned waited = 0;
    for (; !b->o.word_valid; clocks(b, 1))
        assert_true(waited++ < 100);
    for (unsigned e = 0; e < SES; e++) {
        assert_true(b->o.word_valid);
        assert_int_equal(b->o.word_engine, e);
        assert_int_equal(b->o.word_queue, queue);
        assert_int_equal(b->o.word_epochs, epochs);
        clocks(b, 2);
    }
    assert_false(b->o.word_valid);
    return waited;
}

RULE(rounds_until_nothing_is_in_flight)
{
    clocks(b, 3);
    ask(b, 1, 5);
    assert_int_equal(round_of(b, 1, 5), 1);
    LEVEL(b, fence_targets[1], 4);
    assert_int_equal(round_of(b, 1, 4), PAUSE + 1);
    LEVEL(b, fence_targets[1], 0);
    clocks(b, 200);
    assert_false(b->o.word_valid || b->o.ended[1] || b->o.abandon[1]); // a fence is still to be written, no time-out
    LEVEL(b, fence_quiet[1], true);
    clocks(b, 1);
    assert_true(b->o.ended[1]);
    LEVEL(b, hqd_killing[1], false);
    clocks(b, 1);
    assert_false(b->o.ended[1]);
}

// Over when fence says so. What is given up is over only when its pairs are written.
RULE(given_up_ends_with_its_pairs)
{
    for (unsigned row = 0; row < 4; row++) {
        const bool settled = row & 1, over = row & 2;
        fresh(b);
        LEVEL(b, settings_dequeue_timeout, 100);
        LEVEL(b, fence_quiet[1], over);
        LEVEL(b, fence_settled[1], settled);
        ask(b, 1, 0);
        clocks(b, 3);
        assert_int_equal(b->o.ended[1], over);
        clocks(b, 200);
        assert_int_equal(b->o.ended[1], over);
        assert_int_equal(b->o.abandon[1], !over);
        if (over)
            continue;
        abandoned(b);
        clocks(b, 20);
        assert_int_equal(b->o.ended[1], settled);
        assert_false(b->o.abandon[1]);
        ends_when_settled(b);
    }
}

// A reset of slot 1, `skew` clocks after the turns of the slots have begun.
static void begins(bench *b, uint32_t time_out, unsigned skew)
{
    fresh(b);
    LEVEL(b, settings_dequeue_timeout, time_out);
    clocks(b, skew);
    LEVEL(b, hqd_resetting[1], true);
}

// overdue: by the stage, and with every stage anew.
RULE(reset_that_takes_too_long)
{
    enum { TIME = 300, WITHIN = 2 * TOTEM_QUEUES + 1 };
    for (unsigned skew = 0; skew < TOTEM_QUEUES; skew++) {
        begins(b, TIME, skew);
        for (unsigned stage = 0; stage < 3; stage++) {
            clocks(b, TIME - WITHIN);
            assert_false(b->o.overdue || b->o.abandon[1]);
            clocks(b, 2 * WITHIN);
            assert_true(b->o.overdue);
            assert_int_equal(b->o.abandon[1], stage == 1);
            assert_false(b->o.abandon[0] || b->o.ended[1]);
            if (stage == 2)
                break;
            LEVEL(b, hqd_killing[1], stage == 0);
            clocks(b, 1);
            assert_false(b->o.overdue || b->o.abandon[1]);
        }
        LEVEL(b, hqd_resetting[1], false);
        clocks(b, 1);
        assert_false(b->o.overdue);
        LEVEL(b, settings_dequeue_timeout, 0);
        LEVEL(b, hqd_resetting[1], true);
        clocks(b, 4 * TIME);
        assert_false(b->o.overdue);
    }
    begins(b, 0x800000, 0); // the highest bit counts
    clocks(b, 4 * TIME);
    assert_false(b->o.overdue);
}

RULE(slots_in_turn)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        if (q != 1)
            ask(b, q, 1 + q % 2);
    for (unsigned n = 1; n < 2 * TOTEM_QUEUES; n++)
        if (n % TOTEM_QUEUES != 1)
            round_of(b, n % TOTEM_QUEUES, 1 + n % TOTEM_QUEUES % 2);
}

// abandon comes `timeout` clocks after the request, to within QUEUES; when fence has answered the kill has ended.
RULE(time_out)
{
    static const uint32_t times[] = {1, 16, 100, 1000, 5000};
    for (unsigned row = 0; row < 5; row++)
        for (unsigned skew = 0; skew < TOTEM_QUEUES; skew++) {
            unsigned n = 0;
            fresh(b);
            LEVEL(b, settings_dequeue_timeout, times[row]);
            clocks(b, skew);
            ask(b, 1, 3);
            ask(b, 0, 1);
            for (; !b->o.abandon[1]; n++, clocks(b, 1))
                assert_false(b->o.ended[1]);
            assert_in_range(n + TOTEM_QUEUES, times[row], times[row] + 2 * TOTEM_QUEUES + 1);
            LEVEL(b, hqd_killing[0], false); // another slot: nothing of it stays
            clocks(b, 20);
            assert_true(b->o.abandon[1] && !b->o.abandon[0] && !b->o.ended[0]);
            abandoned(b);
            assert_false(b->o.abandon[1]);
            ends_when_settled(b);
            clocks(b, 40);
            assert_false(b->o.abandon[1]); // once
            LEVEL(b, hqd_killing[1], false);
            clocks(b, 1);
            LEVEL(b, hqd_killing[1], true);
            clocks(b, 2);
            assert_false(b->o.ended[1]); // the next request begins anew
        }
}

// The time-out is cleared when a stage takes too long: nothing does any more, until it is written again; then it counts
// from the beginning of the stage. What fence has given up by then is given up.
RULE(time_out_becomes_zero)
{
    enum { TIME = 300, WITHIN = 2 * TOTEM_QUEUES + 1 };
    for (unsigned killing = 0; killing < 2; killing++)
        for (unsigned skew = 0; skew < TOTEM_QUEUES; skew++) {
            begins(b, TIME, skew);
            LEVEL(b, hqd_killing[1], killing);
            clocks(b, TIME + WITHIN);
            assert_true(b->o.overdue);
            assert_int_equal(b->o.abandon[1], killing);
            LEVEL(b, settings_dequeue_timeout, 0);
            clocks(b, 1);
            for (unsigned n = 0; n < 2 * TIME; n++, clocks(b, 1))
                assert_false(b->o.overdue || b->o.abandon[1] || b->o.ended[1]);
            LEVEL(b, settings_dequeue_timeout, 6 * TIME);
            clocks(b, TIME);
            assert_false(b->o.overdue || b->o.abandon[1]);
            LEVEL(b, settings_dequeue_timeout, 2 * TIME);
            clocks(b, WITHIN);
            assert_true(b->o.overdue);
            assert_int_equal(b->o.abandon[1], killing);
            if (!killing)
                continue;
            LEVEL(b, settings_dequeue_timeout, 0);
            b->i.fence_abandoned[1] = true; // it has seen it before
            clocks(b, 1);
            assert_false(b->o.overdue || b->o.abandon[1]);
            LEVEL(b, settings_dequeue_timeout, 2 * TIME);
            clocks(b, WITHIN);
            assert_true(b->o.overdue && !b->o.abandon[1]); // once
            assert_false(b->o.ended[1]);
            ends_when_settled(b);
        }
}

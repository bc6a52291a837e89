// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: fences, flushes and waits that poll (docs/contract/execute.md).

#include "execute_bench.h"

// ---- fences

static const uint32_t release[] = {
    HEADER(RELEASE_MEM, 7), 0x514, 0x62010000, 0x89abcdef, 0xffffff45, 0x11111111, 0x22222222, 0x33333333};

static void release_goes_to_the_fence(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    offer(&t, release, 8);
    quiet_until(&t, 11);
    assert_true(t.b.o.fence_valid);
    assert_int_equal(t.b.o.fence_word, 0x4589abcdec | 3ull << 40 | 2ull << 43);
    clock_edge(&t);
    assert_int_equal(t.b.o.fence_word, 0x2222222211111111);
    t.b.i.fence_packet_ready = false;
    clock_edge(&t);
    assert_int_equal(t.b.o.fence_word, 0x2222222211111111); // not taken
    clock_edge(&t);
    assert_true(t.b.o.fence_valid);
    assert_int_equal(t.b.o.fence_word, 0x33333333);
    clock_edge(&t);
    quiet_until(&t, 25); // until its epoch is closed
    LEVEL(&t.b, fence_epoch[QUEUE], (QUEUE + 1) % TOTEM_EPOCHS);
    clock_edge(&t);
    committed(&t, 8, false);
    assert_false(t.b.o.fence_close || t.b.o.fence_write);
}

static void release_without_a_free_epoch(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, fence_room[QUEUE], false);
    offer(&t, release, 8);
    quiet_until(&t, 11);
    assert_true(t.b.o.left && t.b.o.wait_epoch[QUEUE]);
    assert_false(t.b.o.wait_flush[QUEUE] || t.b.o.commit || t.b.o.fence_valid);
    clock_edge(&t);
    assert_true(t.b.o.wait_epoch[QUEUE] && !t.b.o.left);
    go(&t);
    assert_false(t.b.o.wait_epoch[QUEUE]);
    LEVEL(&t.b, fence_room[QUEUE], true);
    offer(&t, release, 8); // from the start
    quiet_until(&t, 11);
    assert_true(t.b.o.fence_valid);
}

static const uint32_t flush[] = {HEADER(EVENT_WRITE, 1), 0x400 | PARTIAL_FLUSH};

static void flush_closes_its_epoch_once(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    offer(&t, flush, 2);
    quiet_until(&t, 5);
    assert_true(t.b.o.fence_close);
    assert_int_equal(t.b.o.dispatch_queue, QUEUE);
    clock_edge(&t); // `flushed` is looked at from here on
    assert_false(t.b.o.fence_close || t.b.o.left || t.b.o.commit);
    clock_edge(&t);
    assert_true(t.b.o.left && t.b.o.wait_flush[QUEUE]);
    assert_false(t.b.o.wait_epoch[QUEUE] || t.b.o.commit);
    clock_edge(&t);
    LEVEL(&t.b, fence_room[QUEUE], false); // is not needed any more
    go(&t);
    assert_false(t.b.o.wait_flush[QUEUE]);
    offer(&t, flush, 2);
    quiet_until(&t, 6); // no close
    assert_true(t.b.o.left && t.b.o.wait_flush[QUEUE]);
    clock_edge(&t);
    LEVEL(&t.b, fence_flushed[QUEUE], true);
    go(&t);
    offer(&t, flush, 2);
    quiet_until(&t, 6);
    committed(&t, 2, false);
    LEVEL(&t.b, fence_room[QUEUE], true);
    clock_edge(&t);
    offer(&t, flush, 2); // the next flush closes again
    quiet_until(&t, 5);
    assert_true(t.b.o.fence_close);
    clock_edge(&t);
    clock_edge(&t);
    committed(&t, 2, false);
}

// It passes at once if nothing of the slot is in flight, and closes nothing then; other slots do not matter.
static void flush_with_nothing_in_flight(void **state)
{
    execute_bench t;
    (void)state;
    for (unsigned row = 0; row < 16; row++) {
        const bool flushed = row & 1, settled = row & 2, room = row & 4, closed = row & 8;
        open_bench(&t);
        for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
            LEVEL(&t.b, fence_flushed[q], (q == QUEUE) == flushed);
            LEVEL(&t.b, fence_settled[q], (q == QUEUE) == settled);
            LEVEL(&t.b, fence_room[q], (q == QUEUE) == room);
        }
        t.b.s.closed[QUEUE] = closed;
        offer(&t, flush, 2);
        quiet_until(&t, 5);
        if (!closed && flushed && settled) {
            committed(&t, 2, false);
            assert_false(t.b.s.closed[QUEUE]);
        } else {
            assert_int_equal(t.b.o.fence_close, !closed && room);
            assert_int_equal(t.b.o.wait_epoch[QUEUE], !closed && !room);
            assert_false(t.b.o.commit);
        }
        assert_int_equal(t.b.o.left, !closed && !(flushed && settled) && !room);
        assert_false(t.b.o.wait_flush[QUEUE]);
    }
    open_bench(&t); // one after the other, each as quick as any packet
    LEVEL(&t.b, fence_flushed[QUEUE], true);
    LEVEL(&t.b, fence_settled[QUEUE], true);
    for (unsigned n = 0; n < 3; n++) {
        offer(&t, flush, 2);
        quiet_until(&t, 5);
        committed(&t, 2, false);
        clock_edge(&t);
    }
    LEVEL(&t.b, fence_settled[QUEUE], false);
    offer(&t, flush, 2);
    quiet_until(&t, 5);
    assert_true(t.b.o.fence_close);
}

static void flush_without_a_free_epoch(void **state)
{
    execute_bench t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, fence_room[QUEUE], false);
    offer(&t, flush, 2);
    quiet_until(&t, 5);
    assert_true(t.b.o.left && t.b.o.wait_epoch[QUEUE]);
    assert_false(t.b.o.fence_close || t.b.o.wait_flush[QUEUE]);
}

static void mapping_forgets(void **state)
{
    execute_bench t;
    (void)state;
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        open_bench(&t); // a flush that has closed its epoch
        offer(&t, flush, 2);
        to_clock(&t, 8);
        assert_true(t.b.o.wait_flush[QUEUE] && t.b.s.closed[QUEUE]);
        t.b.s.unfinished[QUEUE] = t.b.s.wait_epoch[QUEUE] = t.b.s.unfinished[0] = true;
        LOAD_WORD(&t.b, QUEUE, LOAD_ACTIVE, mapped);
        clock_edge(&t);
        assert_false(t.b.o.unfinished[QUEUE] || t.b.o.wait_flush[QUEUE] || t.b.o.wait_epoch[QUEUE] ||
                     t.b.s.closed[QUEUE]);
        assert_true(t.b.o.unfinished[0]);
    }
}

// ---- waits

static void compare_functions(void **state)
{
    // below, equal, above; bits outside the mask differ
    static const bool met[7][3] = {{1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 1}, {0, 1, 1}, {0, 0, 1}};
    (void)state;
    for (unsigned function = 1; function <= 6; function++)
        for (unsigned n = 0; n < 3; n++)
            for (unsigned upper = 0; upper < 2; upper++) {
                const uint32_t words[] = {HEADER(WAIT_REG_MEM, 6),
                                          0x10 | function,
                                          0x89abcde0 | upper << 2 | 2,
                                          0xffffff45,
                                          0x80000010,
                                          0xffff00ff,
                                          4};
                const uint64_t value   = 0x8000550full + n; // masked 0x8000000f and so on
                execute_bench  t;
                poll_of(&t, words);
                assert_true(t.b.o.poll_valid);
                assert_int_equal(t.b.o.poll_addr, 0x4589abcde0);
                clock_edge(&t);
                quiet_until(&t, 14);
                t.b.i.poll_data_valid = true;
                t.b.i.data_word       = upper ? value << 32 : value;
                clock_edge(&t);
                assert_true(t.b.o.executed); // counted, met or not
                assert_int_equal(t.b.o.executed_opcode, WAIT_REG_MEM);
                if (t.b.o.commit != met[function][n])
                    fail_msg("function %u, case %u", function, n);
                clock_edge(&t);
                assert_false(t.b.o.poll_valid); // the arbiter may ask the queue to leave
                clock_edge(&t);
                assert_int_equal(t.b.o.poll_valid, !met[function][n]); // once more
            }
}

static const uint32_t wait_equal[] = {HEADER(WAIT_REG_MEM, 6), 0x13, 0x1004, 0x20, 5, 0xffffffff, 4};

static void poll_is_held_and_repeated(void **state)
{
    execute_bench t;
    (void)state;
    poll_of(&t, wait_equal);
    for (unsigned n = 0; n < 3; n++) {
        t.b.i.poll_packet_read_ready = false;
        assert_true(t.b.o.poll_valid);
        clock_edge(&t);
    }
    for (unsigned n = 0; n < 4; n++) {
        assert_true(t.b.o.poll_valid);
        assert_int_equal(t.b.o.poll_addr, 0x2000001000);
        clock_edge(&t);
        assert_false(t.b.o.poll_valid);
        t.b.i.arbiter_leave   = true; // not in ANSWER
        t.b.i.poll_data_valid = true;
        t.b.i.data_word       = n < 3 ? 5 : 5ull << 32;
        clock_edge(&t);
        assert_true(t.b.o.executed);
        assert_int_equal(t.b.o.commit, n == 3);
        if (n < 3) {
            clock_edge(&t);
            clock_edge(&t);
        }
    }
}

static void leave_between_two_polls(void **state)
{
    execute_bench t;
    (void)state;
    poll_of(&t, wait_equal);
    clock_edge(&t);
    t.b.i.poll_data_valid = true;
    clock_edge(&t);
    assert_true(t.b.o.executed);
    clock_edge(&t);
    t.b.i.arbiter_leave = true; // as the arbiter answers to a packet executed
    clock_edge(&t);
    assert_true(t.b.o.left);
    assert_false(t.b.o.commit || t.b.o.poll_valid || t.b.o.executed);
}

static void poll_that_fails(void **state)
{
    (void)state;
    for (uint8_t error = 1; error <= 3; error++) {
        uint32_t      words[7];
        execute_bench t;
        memcpy(words, wait_equal, sizeof words);
        words[2] |= 3;
        poll_of(&t, words);
        clock_edge(&t);
        t.b.i.poll_data_valid = true;
        t.b.i.data_word       = 5ull << 32; // is nothing
        t.b.i.data_error      = error;
        clock_edge(&t);
        halts_with(&t, 12, 0x2000001004, (uint8_t)(0x60 + error), 0x1004);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(release_goes_to_the_fence),
        cmocka_unit_test(release_without_a_free_epoch),
        cmocka_unit_test(flush_closes_its_epoch_once),
        cmocka_unit_test(flush_with_nothing_in_flight),
        cmocka_unit_test(flush_without_a_free_epoch),
        cmocka_unit_test(compare_functions),
        cmocka_unit_test(poll_is_held_and_repeated),
        cmocka_unit_test(leave_between_two_polls),
        cmocka_unit_test(poll_that_fails),
        cmocka_unit_test(mapping_forgets),
    };

    return cmocka_run_group_tests_name("execute_waits", tests, NULL, NULL);
}

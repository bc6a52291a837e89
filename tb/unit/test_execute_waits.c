// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: fences, flushes and waits that poll (docs/contract/execute.md).

#include "execute_bench.h"

// ---- fences

static const uint32_t release[] = {
    HEADER(RELEASE_MEM, 7), 0x514, 0x62010000, 0x89abcdef, 0xffff0045, 0x11111111, 0x22222222, 0x33333333};

// Three words, then it waits until its epoch is closed.
TEST(release_goes_to_the_fence)
{
    static const uint64_t words[] = {0x4589abcdec | 3ull << 40 | 2ull << 43, 0x2222222211111111, 0x33333333};
    execute_bench         t;
    begin(&t, release, 8);
    quiet_until(&t, 11);
    for (unsigned n = 0; n < 3; n++)
        for (unsigned held = 0; held < 2; held++) {
            assert_true(t.b.o.fence_valid);
            assert_int_equal(t.b.o.fence_word, words[n]);
            t.b.i.fence_packet_ready = held != 0;
            clock_edge(&t);
        }
    quiet_until(&t, 25);
    LEVEL(&t.b, fence_epoch[QUEUE], (QUEUE + 1) % TOTEM_EPOCHS);
    clock_edge(&t);
    committed(&t, 8, false);
    assert_false(t.b.o.fence_close || t.b.o.fence_write);
}

static const uint32_t flush[] = {HEADER(EVENT_WRITE, 1), 0x400 | PARTIAL_FLUSH};

// Without a free epoch a queue gives the pipe up, and begins its packet again.
TEST(no_free_epoch)
{
    for (unsigned n = 0; n < 2; n++) {
        const uint32_t *words = n == 0 ? release : flush;
        const unsigned  count = n == 0 ? 8 : 2;
        execute_bench   t;
        begin(&t, words, count);
        LEVEL(&t.b, fence_room[QUEUE], false);
        quiet_until(&t, count + 3);
        assert_true(t.b.o.left && t.b.o.wait_epoch[QUEUE]);
        assert_false(t.b.o.wait_flush[QUEUE] || t.b.o.commit || t.b.o.fence_valid || t.b.o.fence_close);
        clock_edge(&t);
        assert_true(t.b.o.wait_epoch[QUEUE] && !t.b.o.left);
        go(&t);
        assert_false(t.b.o.wait_epoch[QUEUE]);
        LEVEL(&t.b, fence_room[QUEUE], true);
        offer(&t, words, count);
        quiet_until(&t, count + 3);
        assert_true(n == 0 ? t.b.o.fence_valid : t.b.o.fence_close);
    }
}

TEST(mapping_forgets)
{
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        execute_bench t;
        begin(&t, flush, 2); // a flush that has closed its epoch
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

// Counted, met or not; one that is not met polls again.
TEST(compare_functions)
{
    // below (by the highest bit), equal, above; bits outside the mask differ
    static const bool met[7][3] = {{1, 1, 1}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 1}, {0, 1, 1}, {0, 0, 1}};
    for (unsigned function = 1; function <= 6; function++)
        for (unsigned n = 0; n < 3; n++)
            for (uint32_t upper = 0; upper < 8; upper += 4) {
                const uint32_t words[] = {HEADER(WAIT_REG_MEM, 6),
                                          0x10 | function,
                                          0x89abcde2 | upper,
                                          0xffff0045,
                                          0x80000010,
                                          0xffff00ff,
                                          4};
                execute_bench  t;
                begin(&t, words, 7);
                quiet_until(&t, 10);
                answer_read(&t, 0x4589abcde0 | upper, (n == 0 ? 0x7fff550f : 0x8000550f) + n, 0);
                assert_true(t.b.o.executed);
                assert_int_equal(t.b.o.executed_opcode, WAIT_REG_MEM);
                if (t.b.o.commit != met[function][n] || t.b.o.unsuccessful == met[function][n])
                    fail_msg("function %u, case %u", function, n);
                clock_edge(&t);
                assert_false(t.b.o.poll_valid); // the arbiter may ask the queue to leave
                clock_edge(&t);
                assert_int_equal(t.b.o.poll_valid, !met[function][n]); // once more
            }
}

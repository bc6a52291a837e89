// SPDX-License-Identifier: Apache-2.0
//
// totem_execute with totem_decode: packets of the scheduler (docs/contract/execute.md). The test is `service`.
// Configuration: full, because mini has no run list.

#include "execute_bench.h"

#include "totem_service_values.h"

#if TOTEM_RUNLIST
static const uint32_t unmap[] = {HEADER(TOTEM_OP_UNMAP_QUEUES, 5), 0x21, 0x32, 0x43, 0x54, 0x65};

enum { LENGTH = COUNT(unmap) };

static void open_order(execute_bench *t)
{
    begin(t, unmap, LENGTH);
    t->b.s.queue = 0;
    t->b.o.ready = false;
    show(&t->b);
    LEVEL(&t->b, schedule_ready, true);
}

// Every dword is handed over once, and waits for that as long as it has to.
static void handed_over(execute_bench *t, unsigned wait)
{
    for (unsigned n = 0; n < LENGTH; n++) {
        LEVEL(&t->b, schedule_ready, false);
        for (unsigned k = 0; !t->b.o.order_valid; k++, clock_edge(t))
            assert_true(k < 10 && !t->b.o.left && !t->b.o.error_valid);
        for (unsigned k = 0; k <= wait; k++) {
            assert_true(t->b.o.order_valid && t->b.o.order_index == n && t->b.o.order_word == unmap[n]);
            assert_true(t->b.o.order_last == (n + 1 == LENGTH) && t->b.o.order_privileged == t->b.s.privileged[0]);
            if (k == wait)
                LEVEL(&t->b, schedule_ready, true);
            clock_edge(t);
        }
    }
    assert_false(t->b.o.order_valid || t->b.o.commit);
}

static void answers(execute_bench *t, uint8_t answer)
{
    t->b.i.schedule_done    = true;
    t->b.i.schedule_answer  = answer;
    t->b.i.schedule_control = 2u << 29 | 1u << 24 | 0x123;
    t->b.i.schedule_address = 0xab12345670;
    t->b.i.schedule_data    = 0x1122334455667788;
    t->b.i.schedule_extra   = 0x99aabbcc;
    clock_edge(t);
}

TEST(order_is_handed_over)
{
    for (unsigned wait = 0; wait < 3; wait++) {
        execute_bench t;
        open_order(&t);
        t.b.s.privileged[0] = wait == 1;
        show(&t.b);
        handed_over(&t, wait);
        quiet_until(&t, t.now + 20);
        answers(&t, SERVICE_PLAIN);
        committed(&t, LENGTH, false);
    }
}

// The list is opened, the rest of one is passed over: as far as a commit reaches.
TEST(order_of_lists)
{
    static const uint32_t available[] = {LENGTH, 1000, 0x7fff, 0x8000};
    execute_bench         t;
    open_order(&t);
    handed_over(&t, 0);
    answers(&t, SERVICE_LIST);
    committed(&t, LENGTH, false);
    assert_true(t.b.o.open && t.b.o.drop && t.b.o.open_addr == 0xab12345670 && t.b.o.open_size == 0x123);
    for (unsigned n = 0; n < COUNT(available); n++) {
        open_order(&t);
        LEVEL(&t.b, fetch_available, available[n]);
        handed_over(&t, 0);
        answers(&t, SERVICE_END);
        if (available[n] > 0x7fff) {
            assert_true(t.b.o.error_valid && t.b.o.error_word >> 56 == TOTEM_ERROR_RUNLIST_LAYOUT);
            continue;
        }
        committed(&t, (uint16_t)available[n], false);
        assert_true(t.b.o.drop && !t.b.o.open);
    }
}

// The fence message has what service says; without an epoch the packet is given up.
TEST(order_of_a_fence)
{
    execute_bench t;
    open_order(&t);
    handed_over(&t, 0);
    answers(&t, SERVICE_FENCE);
    static const uint64_t message[] = {0xab12345670 | 2ull << 40 | 1ull << 43, 0x1122334455667788, 0x99aabbcc};
    for (unsigned n = 0; n < COUNT(message); n++, clock_edge(&t))
        assert_true(t.b.o.fence_valid && t.b.o.fence_word == message[n]);
    LEVEL(&t.b, fence_epoch[0], 1);
    clock_edge(&t);
    committed(&t, LENGTH, false);
    open_order(&t);
    handed_over(&t, 0);
    LEVEL(&t.b, fence_room[0], false);
    answers(&t, SERVICE_FENCE);
    assert_true(t.b.o.left && t.b.o.wait_epoch[0] && !t.b.o.fence_valid);
}

TEST(order_ends_otherwise)
{
    execute_bench t;
    open_order(&t);
    handed_over(&t, 0);
    t.b.i.schedule_again = true;
    t.b.i.schedule_code  = 0x77; // says nothing of a packet that is given up
    answers(&t, SERVICE_PLAIN);
    assert_true(t.b.o.left && !t.b.o.commit && !t.b.o.wait_epoch[0]);

    open_order(&t);
    handed_over(&t, 0);
    t.b.i.schedule_code = TOTEM_ERROR_RUNLIST_MQD;
    t.b.i.schedule_word = 0x4711;
    answers(&t, SERVICE_FENCE);
    assert_true(t.b.o.error_valid && t.b.o.error_word == (POSITION | (uint64_t)TOTEM_ERROR_RUNLIST_MQD << 56));
    clock_edge(&t);
    assert_int_equal(t.b.o.error_word, 0x4711);

    // Service has not ended another packet: the queue leaves with nothing handed over.
    open_order(&t);
    LEVEL(&t.b, schedule_ready, false);
    for (unsigned n = 0; !t.b.o.order_valid; n++, clock_edge(&t))
        assert_true(n < 10);
    LEVEL(&t.b, arbiter_leave, true);
    clock_edge(&t);
    assert_true(t.b.o.left);

    // One that cannot be read leaves nothing behind: the next one begins with its header.
    open_order(&t);
    t.error = 1;
    for (unsigned n = 0; !t.b.o.error_valid; n++, clock_edge(&t))
        assert_true(n < 30);
    while (!t.b.o.left)
        clock_edge(&t);
    clock_edge(&t);
    t.error = 0;
    go(&t);
    t.b.s.queue = 0;
    offer(&t, unmap, LENGTH);
    handed_over(&t, 0);
}

// Of another queue, pipe or front end it is an error, of another size too.
TEST(order_of_strangers)
{
    for (unsigned who = 0; who < 4; who++) {
        static const uint32_t longer[] = {HEADER(TOTEM_OP_UNMAP_QUEUES, 6), 0x21, 0, 0, 0, 0, 0};
        execute_bench         t;
        open_order(&t);
        t.b.s.queue = who == 0;
        LEVEL(&t.b, pipe_number, who == 1);
        LEVEL(&t.b, fe_number, who == 2);
        if (who == 3)
            offer(&t, longer, COUNT(longer));
        const uint8_t code = who == 3 ? TOTEM_ERROR_PACKET_COUNT_FORM : TOTEM_ERROR_RUNLIST_PRIVILEGE;
        for (unsigned n = 0; !t.b.o.error_valid; n++, clock_edge(&t))
            assert_true(n < 20 && !t.b.o.order_valid);
        assert_int_equal(t.b.o.error_word >> 56, code);
        clock_edge(&t);
        assert_int_equal(t.b.o.error_word, who == 3 ? longer[0] : unmap[0]);
    }
}
#endif

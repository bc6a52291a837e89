// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: write pointers of the host, of doorbells and of poll (docs/contract/hqd.md).

#include "hqd_bench.h"

static void write_pointers(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    ring_bell(&t, Q, 5, 3, UNMAPPED);
    put(&t, Q, 17, 5, 4, 0); // a ring of 64
    map(&t, Q);
    VIEW_HQD(&t, fetch_rptr[Q], 0xfffffff0);
    VIEW_HQD(&t, fetch_wptr[Q], 0xfffffff8);
    ring_bell(&t, Q, 0xfffffff9, 5, DISABLED);
    put(&t, Q, 54, 0xfffffff9, 6, 0); // by its register all the same
    loads_are(&t, 1, 6, Q, LOAD_WPTR, 0xfffffff9);
    put(&t, Q, 15, 1u << 30, 3, LOCKED);
    t.ram[Q * 64 + 15] = 1u << 30;
    static const struct {
        uint32_t value;
        uint8_t  error;
    } rows[] = {{0xfffffff8, 0},     {0x00000000, 0},     {0x00000030, 0},    {0x00000031, RANGE},
                {0x80000000, RANGE}, {0xfffffff7, RANGE}, {0xffffffef, RANGE}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned bell = 0; bell < 2; bell++) {
            if (bell)
                ring_bell(&t, Q, rows[n].value, 6, rows[n].error);
            else
                put(&t, Q, 54, rows[n].value, 6, rows[n].error);
            loads_are(&t, rows[n].error == 0, 6, Q, LOAD_WPTR, rows[n].value);
        }
    ask(&t, Q, 54, true, 1, 0xfffffffc); // the other bytes are those of the pointer before
    done(&t, 6, 0);
    loads_are(&t, 1, 6, Q, LOAD_WPTR, 0xfffffffc);
    assert_int_equal(t.ram[Q * 64 + 54], 0); // kept by fetch while it is mapped
}

// An access of poll; gives what it answers.
static uint32_t pointer(window_bench *t, bool write, uint8_t queue, uint8_t dword, uint32_t data, unsigned clock,
                        uint8_t error)
{
    ACCESS(t, poll_access_valid, true);
    ACCESS(t, poll_access_write, write);
    ACCESS(t, poll_access_queue, queue);
    ACCESS(t, poll_access_dword, dword);
    ACCESS(t, poll_access_data, data);
    t->now   = 0;
    t->loads = 0;
    while (!t->b.o.poll_done) {
        assert_true(t->now < 100);
        assert_false(t->b.o.host_done || t->b.o.mqd_done);
        clock_edge(t);
    }
    const uint32_t answer = t->b.o.poll_rdata;
    assert_int_equal(t->b.o.poll_error, error);
    assert_int_equal(t->now, clock);
    t->access.poll_access_valid = false;
    clock_edge(t);
    return answer;
}

// What poll has read comes as a doorbell does, whatever DOORBELL_EN says.
static void polled_pointers(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    pointer(&t, true, Q, 54, 5, 3, UNMAPPED);
    put(&t, Q, 13, 0x12345678, 4, 0);
    put(&t, Q, 14, 0xab, 4, 0);
    put(&t, Q, 17, 5, 4, 0); // a ring of 64
    map(&t, Q);
    assert_int_equal(pointer(&t, false, Q, 13, 0, 3, 0), 0x12345678);
    assert_int_equal(pointer(&t, false, Q, 14, 0, 3, 0), 0xab);
    for (unsigned bell = 0; bell < 2; bell++) {
        VIEW_HQD(&t, fetch_rptr[Q], 0xfffffff0);
        VIEW_HQD(&t, fetch_wptr[Q], 0xfffffff8);
        pointer(&t, true, Q, 54, 0xfffffff8, 6, 0); // nothing new
        loads_are(&t, 1, 6, Q, LOAD_WPTR, 0xfffffff8);
        pointer(&t, true, Q, 54, 0x30, 6, 0);
        loads_are(&t, 1, 6, Q, LOAD_WPTR, 0x30);
        pointer(&t, true, Q, 54, 0x31, 6, RANGE);
        loads_are(&t, 0, 0, 0, 0, 0);
        pointer(&t, true, Q, 54, 0xfffffff7, 6, RANGE);
        pointer(&t, true, Q, 54, 0xffffffef, 6, RANGE);
        t.ram[Q * 64 + 15] = 1u << 30;
    }
    put(&t, Q, 24, 4, 4, 0);
    pointer(&t, true, Q, 54, 0x30, 3, UNMAPPED); // it leaves
    loads_are(&t, 0, 0, 0, 0, 0);
}

static void doorbell_of_the_largest_ring(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 17, 30, 4, 0);
    map(&t, Q);
    VIEW_HQD(&t, fetch_rptr[Q], 3);
    VIEW_HQD(&t, fetch_wptr[Q], 3);
    put(&t, Q, 54, 0x80000003, 6, 0);
    put(&t, Q, 54, 0x80000004, 6, RANGE);
}

// The pointers seen in the clock of the check count.
static void read_pointer_moves_meanwhile(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 17, 5, 4, 0);
    map(&t, Q);
    VIEW_HQD(&t, fetch_wptr[Q], 1);
    for (unsigned clock = 5; clock <= 6; clock++) {
        VIEW_HQD(&t, fetch_rptr[Q], 0);
        ask(&t, Q, 54, true, 0xf, 65);
        while (t.now < clock)
            clock_edge(&t);
        VIEW_HQD(&t, fetch_rptr[Q], 1);
        done(&t, 6, clock == 5 ? 0 : RANGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write_pointers),
        cmocka_unit_test(polled_pointers),
        cmocka_unit_test(doorbell_of_the_largest_ring),
        cmocka_unit_test(read_pointer_moves_meanwhile),
    };

    return cmocka_run_group_tests_name("hqd_pointers", tests, NULL, NULL);
}

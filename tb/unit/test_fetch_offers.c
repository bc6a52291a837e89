// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: is a write pointer that hqd asks about legal (docs/contract/fetch.md, offer_fits)?

#include "fetch_bench.h"

// It is shown for one clock, and kept.
static void offers(lines *l, uint8_t queue, uint32_t pointer)
{
    l->b.i.hqd_offer_valid = true;
    l->b.i.hqd_offer_queue = queue;
    l->b.i.hqd_offer_wptr  = pointer;
    edge(l);
}

static void range_of_a_ring(void **state)
{
    static lines l;
    static const struct {
        uint32_t pointer;
        bool     fits;
    } rows[] = {{0xfffffff8, true},  {0xfffffff9, true},  {0x00000000, true},  {0x00000030, true},
                {0x00000031, false}, {0x80000000, false}, {0xfffffff7, false}, {0xffffffef, false}};
    (void)state;
    open_ring(&l, 5 | 31u << 8, 0xfffffff0); // 64 dwords
    send(&l, 1, LOAD_WPTR, 0xfffffff8);
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        offers(&l, 1, rows[n].pointer);
        for (unsigned k = 0; k < 5; k++, edge(&l))
            assert_int_equal(l.b.o.offer_fits, rows[n].fits);
        assert_int_equal(l.b.s.wptr[1], 0xfffffff8); // only asked
    }
    l.b.i.hqd_offer_queue = 0; // without valid
    l.b.i.hqd_offer_wptr  = 0;
    edge(&l);
    assert_false(l.b.o.offer_fits);
    ring_of(&l, 0, 9 | 31u << 8, 0); // another queue has another ring
    offers(&l, 0, 1024);
    assert_true(l.b.o.offer_fits);
    offers(&l, 0, 1025);
    assert_false(l.b.o.offer_fits);
    offers(&l, 1, 1024);
    assert_false(l.b.o.offer_fits);
}

static void largest_ring(void **state)
{
    static lines l;
    (void)state;
    open_ring(&l, 30 | 31u << 8, 3);
    offers(&l, 1, 0x80000003);
    assert_true(l.b.o.offer_fits);
    offers(&l, 1, 0x80000004);
    assert_false(l.b.o.offer_fits);
}

// The pointers of the present clock count.
static void pointers_move_meanwhile(void **state)
{
    static lines l;
    (void)state;
    filled(&l, 1, 8);
    selects(&l, 1);
    offers(&l, 1, 1025);
    assert_false(l.b.o.offer_fits);
    l.b.i.packet_commit       = true;
    l.b.i.packet_commit_count = 1;
    edge(&l);
    assert_true(l.b.o.offer_fits);
    offers(&l, 1, 8);
    assert_true(l.b.o.offer_fits);
    send(&l, 1, LOAD_WPTR, 9);
    assert_false(l.b.o.offer_fits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_of_a_ring),
        cmocka_unit_test(largest_ring),
        cmocka_unit_test(pointers_move_meanwhile),
    };

    return cmocka_run_group_tests_name("fetch_offers", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: is a write pointer that hqd asks about legal (docs/contract/fetch.md, offer_fits)?

#include "fetch_bench.h"

// It is shown for one clock, and kept; what is only asked does not move the write pointer.
static void offers(lines *l, uint8_t queue, uint32_t pointer, bool fits)
{
    const uint32_t before  = l->b.s.wptr[1];
    l->b.i.hqd_offer_valid = true;
    l->b.i.hqd_offer_queue = queue;
    l->b.i.hqd_offer_wptr  = pointer;
    edge(l);
    for (unsigned k = 0; k < 3; k++, edge(l))
        if (l->b.o.offer_fits != fits)
            fail_msg("queue %u, pointer 0x%08x: %d", queue, pointer, l->b.o.offer_fits);
    assert_int_equal(l->b.s.wptr[1], before);
}

// Of 64 dwords in queue 1, of 1024 in queue 0; 2^31 dwords are the largest ring.
TEST(range_of_a_ring)
{
    static lines l;
    static const struct {
        uint8_t  queue;
        uint32_t pointer;
        bool     fits;
    } rows[] = {{1, 0xfffffff8, true},  {1, 0xfffffff9, true},  {1, 0x00000000, true},  {1, 0x00000030, true},
                {1, 0x00000031, false}, {1, 0x80000000, false}, {1, 0xfffffff7, false}, {1, 0xffffffef, false},
                {0, 1024, true},        {0, 1025, false},       {1, 1024, false}};
    open_ring(&l, 5 | 31u << 8, 0xfffffff0);
    ring_of(&l, 0, 9 | 31u << 8, 0);
    send(&l, 1, LOAD_WPTR, 0xfffffff8);
    for (unsigned n = 0; n < COUNT(rows); n++)
        offers(&l, rows[n].queue, rows[n].pointer, rows[n].fits);
    l.b.i.hqd_offer_wptr = 0; // without valid
    edge(&l);
    assert_false(l.b.o.offer_fits);
    open_ring(&l, 30 | 31u << 8, 3);
    offers(&l, 1, 0x80000003, true);
    offers(&l, 1, 0x80000004, false);
}

// The pointers of the present clock count.
TEST(pointers_move_meanwhile)
{
    static lines l;
    filled(&l, 1, 8);
    selects(&l, 1);
    offers(&l, 1, 1025, false);
    l.b.i.packet_commit       = true;
    l.b.i.packet_commit_count = 1;
    edge(&l);
    assert_true(l.b.o.offer_fits);
    offers(&l, 1, 8, true);
    send(&l, 1, LOAD_WPTR, 9);
    assert_false(l.b.o.offer_fits);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_memory: fence writes, and reads and writes beside them (docs/contract/memory.md).

#include "memory_bench.h"

// A fence write without an answer ends with error 3 and reserves its ID only; when all are reserved, the next one is
// not sent.
RULE(fence_writes_without_an_answer)
{
    LEVEL(b, settings_timeout, 50);
    for (unsigned k = 0; k < TOTEM_FENCES; k++) {
        write(b, FENCE, 0x3000 + 8 * k, 0xff, k, k);
        CLOCKS_UNTIL(b, b->o.ack_valid, 150);
        expect_ack(b, FENCE, k, MEMORY_TIME_OUT);
        assert_int_equal(b->o.ack_addr, 0x3000 + 8 * k);
        assert_int_equal(b->o.dead, k + 1 == TOTEM_FENCES);
        ask(b, 0, 0x3000, 1); // a write given up keeps no read away
        CLOCKS_UNTIL(b, b->o.m_axi_arvalid, 4);
        tick(b);
        beat(b, 0, 1, true, 0);
    }
    unsigned n     = 0;
    unsigned words = 0;
    while (!b->o.ack_valid) {
        b->i.write_valid[FENCE] = words < 2;
        b->i.write_word[FENCE]  = words == 0 ? 0x4004 | 0xf0ull << 40 | 9ull << 48 : 5;
        words += b->o.write_ready[FENCE];
        tick(b);
        assert_false(b->o.m_axi_awvalid);
        assert_true(n++ < 150);
    }
    assert_in_range(n, 50, 110);
    expect_ack(b, FENCE, 9, MEMORY_TIME_OUT);
    assert_int_equal(b->o.ack_addr, 0x4004);
    response(b, FENCE_ID + TOTEM_FENCES - 1, 0); // late: dropped, the ID is free again
    assert_false(b->o.ack_valid || b->o.dead);
    write(b, FENCE, 0x5000, 0xff, 1, 1);
    CLOCKS_UNTIL(b, b->o.m_axi_awvalid, 4);
    assert_int_equal(b->o.m_axi_awid, FENCE_ID + TOTEM_FENCES - 1);
}

// Two writes of a stream are out at once: the answers come in order, each with its own tag and address.
RULE(two_writes_have_their_own_tags)
{
    write(b, 0, 0x1000, 0xff, 1, 1);
    write(b, 0, 0x2000, 0xff, 2, 2);
    for (unsigned n = 0; n < 4; n++)
        tick(b);
    assert_int_equal(b->s.writes[0], 2);
    for (unsigned n = 1; n <= 2; n++) {
        response(b, 0, 0);
        expect_ack(b, 0, n, 0);
        assert_int_equal(b->o.ack_addr, 0x1000 * n);
    }
}

// A write that a busy channel holds back is not outstanding yet: a read of its page waits behind it all the same.
RULE(a_read_waits_for_a_write_that_is_held)
{
    LEVEL(b, m_axi_awready, false);
    write(b, 0, 0x4000, 0xff, 1, 1);
    write(b, 1, 0x5000, 0xff, 2, 2);
    ask(b, 1, 0x5010, 1);
    for (unsigned n = 0; n < 10; n++) {
        tick(b);
        assert_false(b->o.m_axi_arvalid);
        assert_int_equal(b->o.m_axi_awaddr, 0x4000);
    }
    LEVEL(b, m_axi_awready, true);
    CLOCKS_UNTIL(b, b->o.m_axi_awvalid && b->o.m_axi_awaddr == 0x5000, 2);
    response(b, 0, 0);
    assert_false(b->o.m_axi_arvalid);
    response(b, 1, 0);
    CLOCKS_UNTIL(b, b->o.m_axi_arvalid, 3);
    assert_int_equal(b->o.m_axi_araddr, 0x5010);
}

// Of the two writes of a stream that are outstanding a read waits for the one to its page, be it the second.
RULE(a_read_waits_for_the_second_write)
{
    for (unsigned w = 0; w < STREAMS; w++) {
        open_bench(b);
        write(b, w, 0x4000, 0xff, 1, 1);
        write(b, w, 0x5000, 0xff, 2, 2);
        CLOCKS_UNTIL(b, b->s.writes[w] == 2, 4);
        ask(b, 0, 0x5010, 1);
        for (unsigned n = 0; n < 10; n++, tick(b))
            assert_false(b->o.m_axi_arvalid);
        response(b, w, 0); // of the first: the second is the oldest now
        for (unsigned n = 0; n < 10; n++, tick(b))
            assert_false(b->o.m_axi_arvalid);
        response(b, w, 0);
        CLOCKS_UNTIL(b, b->o.m_axi_arvalid, 3);
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: requests, lines, commits and indirect buffers, their latencies and meetings (docs/contract/fetch.md).

#include "fetch_bench.h"

// The sources' switch: nothing is fetched for a queue that is not running; MOVED drops lines.
TEST(switch_through_memory)
{
    static lines l;
    open_ring(&l, 9 | 31u << 8, 0);
    LEVEL(&l.b, settings_mqd_save, true);
    send(&l, 1, LOAD_WPTR, 20);
    for (unsigned n = 0; n < 20; n++, edge(&l))
        assert_false(l.b.o.read_valid);
    selects(&l, 1);
    edges(&l, 2);
    assert_true(l.b.o.read_valid);
    filled(&l, 1, 20);
    assert_true(l.b.o.line[1]);
    LEVEL(&l.b, settings_mqd_save, true);
    send(&l, 0, LOAD_MOVED, 2);
    assert_true(l.b.o.line[1]);
    send(&l, 1, LOAD_MOVED, 2);
    assert_false(l.b.o.line[1]);
    assert_true(l.b.o.pending[1]);
    edges(&l, 10);
    assert_false(l.b.o.read_valid || l.b.o.line[1]);
}

// Three clocks after the write pointer the request stands there; how long it is.
TEST(request_behind_a_write_pointer)
{
    static const struct {
        uint32_t size, rptr, wptr, place, beats;
    } rows[] = {{9, 0, 1, 0, 1},
                {9, 1, 2, 0, 1},
                {9, 1, 3, 0, 2},
                {9, 0, 32, 0, 16},
                {9, 0, 100, 0, 16},
                {9, 5, 100, 4, 14},
                {9, 31, 100, 30, 1},
                {9, 64, 70, 64, 3},
                {9, 1023, 1030, 1022, 1},
                {9, 1030, 1031, 6, 1},
                {3, 10, 26, 10, 3},
                {3, 0, 16, 0, 8},
                {9, 0xfffffffe, 4, 1022, 1},
                {31, 0xfffffffe, 4, 0xfffffffe, 1}};
    for (unsigned n = 0; n < COUNT(rows); n++) {
        static lines l;
        open_ring(&l, rows[n].size, rows[n].rptr);
        send(&l, 1, LOAD_WPTR, rows[n].wptr);
        assert_true(l.b.o.pending[1]);
        assert_false(l.b.o.read_valid);
        edge(&l);
        assert_false(l.b.o.read_valid);
        edge(&l);
        for (unsigned k = 0; k < 3; k++) { // held
            assert_true(l.b.o.read_valid);
            assert_int_equal(l.b.o.read_addr, (RING + (uint64_t)rows[n].place * 4) & 0xffffffffff);
            assert_int_equal(l.b.o.read_beats, rows[n].beats);
            edge(&l);
        }
        l.b.i.read_ready = true;
        edge(&l);
        assert_false(l.b.o.read_valid);
    }
}

// Beats are on chip two clocks behind; the odd start is no dword of the queue.
TEST(last_beat_to_the_line)
{
    static lines l;
    open_ring(&l, 9, 3);
    LEVEL(&l.b, read_ready, true);
    send(&l, 1, LOAD_WPTR, 6);
    edges(&l, 3);
    beat_of(&l, 0x000003e8ffffffff, false, 0);
    assert_true(l.b.o.line_write_enable); // in the clock after
    assert_int_equal(l.b.o.line_write_addr, 1 << 5 | 1);
    assert_int_equal(l.b.o.line_write_data, 0x000003e8ffffffff);
    beat_of(&l, 0x000003ea000003e9, true, 0);
    assert_int_equal(l.b.o.line_write_addr, 1 << 5 | 2);
    assert_int_equal(l.b.s.have[1], 1);
    edge(&l);
    assert_int_equal(l.b.s.have[1], 3);
    assert_true(l.b.o.line[1]);
    edges(&l, 5);
    assert_false(l.b.o.read_valid); // all is here
    selects(&l, 1);
    edge(&l);
    assert_false(l.b.o.dword_valid);
    edge(&l);
    takes(&l, 0, 3);
    assert_false(l.b.o.dword_valid);
}

// Near the end of 128 bytes the next burst is asked for behind the first, and the queue is ready with 8 dwords, not
// with 7 (from an odd place there are 7 at a time), or with all of them.
TEST(line_reaches_into_the_next)
{
    for (uint32_t written = 1; written <= 40; written++) {
        static lines   l;
        const uint32_t start = 28 + (written & 1), count = (written + 1) / 2;
        open_ring(&l, 9, start);
        LEVEL(&l.b, read_ready, true);
        send(&l, 1, LOAD_WPTR, start + count);
        unsigned beats[2] = {0}, asked = 0;
        for (unsigned n = 0; n < 10; n++) { // no beat has come yet
            if (l.b.o.read_valid && asked < 2)
                beats[asked++] = l.b.o.read_beats;
            edge(&l);
        }
        assert_int_equal(asked, start + count > 32 ? 2 : 1);
        for (unsigned have = 0, e = 0; e < asked; e++)
            for (unsigned k = 0; k < beats[e]; k++) {
                assert_int_equal(l.b.s.have[1], have);
                assert_int_equal(l.b.o.line[1], have >= 8 || have == count);
                beat_of(&l, 0, k + 1 == beats[e], 0);
                edges(&l, 2);
                have += (start + have) % 2 == 0 && have + 2 <= count ? 2 : 1;
            }
        assert_int_equal(l.b.s.have[1], count);
        assert_true(l.b.o.line[1]);
    }
}

TEST(write_pointer_does_not_go_back)
{
    static const struct {
        bool     active;
        uint32_t offered, taken;
    } rows[] = {{true, 8, 8}, {true, 7, 8}, {true, 0xfffffff0, 8}, {true, 9, 9}, {false, 7, 7}};
    static lines l;
    open_ring(&l, 9, 0xfffffff0);
    for (unsigned n = 0; n < COUNT(rows); n++) {
        LEVEL(&l.b, arbiter_active[1], rows[n].active);
        send(&l, 1, LOAD_WPTR, rows[n].offered);
        assert_int_equal(l.b.o.wptr[1], rows[n].taken);
    }
}

// The request that is about to be made is that of the old one.
TEST(write_pointer_meets_a_request)
{
    static lines l;
    open_ring(&l, 9, 0);
    send(&l, 1, LOAD_WPTR, 1);
    edge(&l);
    send(&l, 1, LOAD_WPTR, 9);
    assert_true(l.b.o.read_valid);
    assert_int_equal(l.b.o.read_beats, 1);
}

// Of queues that do not run the one of the highest priority, then in turn.
TEST(order_of_requests)
{
    static lines   l;
    const unsigned order[] = {3, 2, 0, 1};
    open_bench(&l);
    for (unsigned q = 0; q < 4; q++)
        ring_of(&l, q, 9, 0);
    for (unsigned q = 0; q < 4; q++) // all at once
        l.b.s.wptr[q] = 2;
    show(&l.b);
    LEVEL(&l.b, arbiter_queue_priority[3], 9);
    l.b.s.last = 0;
    for (unsigned n = 0; n < 4; n++) {
        for (unsigned k = 0; !l.b.o.read_valid; k++, edge(&l))
            assert_true(k < 5);
        assert_int_equal(l.b.s.burst_queue[l.b.s.burst_count - 1], order[n]);
        if (n == 0)
            l.b.s.last = 1; // the turn of the others from there
        l.b.i.read_ready = true;
        edge(&l);
        beat_of(&l, 0, true, 0);
    }
}

// ---- commits

// Queue 1 with 40 dwords on chip, of which so many have been taken.
static void delivered(lines *l, uint32_t count)
{
    filled(l, 1, 40);
    selects(l, 1);
    edges(l, 2);
    takes(l, 0, count);
}

static void commit(lines *l, uint32_t count)
{
    l->b.i.packet_commit       = true;
    l->b.i.packet_commit_count = (uint16_t)count;
}

TEST(commit_meets_a_transfer)
{
    static lines l;
    delivered(&l, 3);
    commit(&l, 2);
    takes(&l, 3, 1); // counts as delivered beyond
    assert_int_equal(l.b.o.rptr[1], 2);
    assert_int_equal(l.b.o.position, RING + 8);
    assert_int_equal(l.b.o.available, 38);
    assert_int_equal(l.b.s.given, 2);
    takes(&l, 4, 6);
    commit(&l, 8); // exactly what was given before
    takes(&l, 10, 1);
    assert_int_equal(l.b.o.rptr[1], 10);
    takes(&l, 11, 29); // one in every clock
    assert_false(l.b.o.dword_valid);
}

TEST(jump_meets_a_transfer)
{
    static lines l;
    delivered(&l, 3);
    commit(&l, 4);   // one more than was given
    takes(&l, 3, 1); // forgotten
    assert_false(l.b.o.dword_valid);
    assert_int_equal(l.b.o.rptr[1], 4);
    assert_int_equal(l.b.s.given, 0);
    assert_true(l.b.o.line[1]);
    edge(&l);
    assert_false(l.b.o.dword_valid);
    edge(&l);
    takes(&l, 4, 36); // what is on chip stays
    assert_int_equal(l.b.s.given, 36);
}

TEST(left_meets_a_transfer)
{
    static lines l;
    delivered(&l, 3);
    l.b.i.packet_left = true;
    takes(&l, 3, 1);
    assert_false(l.b.o.dword_valid);
    edges(&l, 5);
    assert_false(l.b.o.dword_valid || l.b.o.line_read_enable);
    selects(&l, 1);
    edges(&l, 2);
    takes(&l, 0, 40);
}

// Its rest has 20 bits, as its size.
TEST(buffer_is_loaded)
{
    static lines l;
    open_ring(&l, 9 | 31u << 8, 0);
    selects(&l, 1);
    send(&l, 1, LOAD_BUFFER, 0x1234567894);
    send(&l, 1, LOAD_BUFFER_LEFT, 0xc0005);
    assert_true(l.b.o.in_buffer);
    assert_int_equal(l.b.o.position, 0x1234567894);
    assert_int_equal(l.b.o.available, 0xc0005);
}

TEST(buffer_opens_and_ends)
{
    static lines l;
    delivered(&l, 4);
    commit(&l, 4);
    l.b.i.packet_open      = true;
    l.b.i.packet_open_addr = 0x1234567894;
    l.b.i.packet_open_size = 5;
    takes(&l, 4, 1);
    assert_false(l.b.o.dword_valid || l.b.o.line[1]);
    assert_true(l.b.o.in_buffer && l.b.o.pending[1]);
    assert_int_equal(l.b.o.position, 0x1234567894);
    assert_int_equal(l.b.o.available, 5);
    assert_int_equal(l.b.o.rptr[1], 4);
    edge(&l);
    assert_false(l.b.o.read_valid);
    edge(&l);
    assert_true(l.b.o.read_valid);
    assert_int_equal(l.b.o.read_addr, 0x1234567890);
    assert_int_equal(l.b.o.read_beats, 3);
    commit(&l, 2);
    edge(&l);
    assert_int_equal(l.b.o.position, 0x123456789c);
    assert_int_equal(l.b.o.available, 3);
    commit(&l, 3);
    edge(&l);
    assert_false(l.b.o.in_buffer);
    assert_int_equal(l.b.o.position, RING + 16);
    assert_int_equal(l.b.o.available, 36);
    assert_int_equal(l.b.o.rptr[1], 4);
}

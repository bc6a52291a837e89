// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: reports of the read pointer, and what it says of them beside a memory that takes and answers when it
// likes: from the clock behind the commit or the leaving on until the answer, without a gap, each queue's in turn
// (docs/contract/fetch.md).

#include "fetch_bench.h"

enum { FIRST = 1, SIZE = 9, NO_BLOCKS = 31 << 8 };

static void commits(lines *l, uint32_t count)
{
    l->b.i.packet_commit       = true;
    l->b.i.packet_commit_count = (uint16_t)count;
    edge(l);
}

static void leaves(lines *l)
{
    l->b.i.packet_left = true;
    edge(l);
}

// A queue that reports, empty on chip.
static void maps(lines *l, unsigned queue, uint32_t control, uint64_t address, uint32_t written)
{
    ring_of(l, queue, control, 0);
    send(l, queue, LOAD_WPTR, written);
    send(l, queue, LOAD_REPORT_ADDR, address);
}

// Queue 1 alone, selected.
static void reporting(lines *l, uint32_t control, uint64_t address, uint32_t written)
{
    open_bench(l);
    maps(l, FIRST, control, address, written);
    selects(l, FIRST);
}

// The queues that are reporting.
static unsigned said(const lines *l)
{
    unsigned bits = 0;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        bits |= (unsigned)l->b.o.reporting[q] << q;
    assert_int_equal(l->b.o.busy, bits != 0);
    return bits;
}

// A word of the report is held until it is taken.
static uint64_t word_of_a_report(lines *l)
{
    for (unsigned n = 0; !l->b.o.write_valid; n++, edge(l))
        assert_true(n < 4);
    const uint64_t word = l->b.o.write_word;
    edge(l);
    assert_true(l->b.o.write_valid);
    assert_int_equal(l->b.o.write_word, word);
    l->b.i.write_ready = true;
    edge(l);
    return word;
}

static void answer(lines *l, uint8_t error)
{
    l->b.i.write_ack = true;
    l->b.i.ack_error = error;
    edge(l);
}

// One that fails has a record, which is held until it is taken, and halts the queue.
TEST(report_goes_out)
{
    for (unsigned upper = 0; upper < 2; upper++) {
        static lines l;
        reporting(&l, SIZE | NO_BLOCKS, 0x1234567890 + 4 * upper, 8);
        commits(&l, 3);
        assert_false(l.b.o.busy);
        commits(&l, 5); // empty
        assert_true(l.b.o.busy && !l.b.o.write_valid);
        edge(&l);
        assert_true(l.b.o.write_valid);
        assert_int_equal(word_of_a_report(&l), 0x1234567890 | (upper ? 0xf0ull : 0x0full) << 40 | 1ull << 48);
        assert_int_equal(word_of_a_report(&l), 8ull << 32 | 8);
        assert_true(l.b.o.busy && !l.b.o.write_valid);
        answer(&l, (uint8_t)(2 * upper));
        assert_int_equal(l.b.o.halt, upper);
        for (unsigned word = 0; upper && word < 2; word++) {
            assert_int_equal(l.b.o.halt_queue, FIRST);
            for (unsigned n = 0; n < 3; n++) {
                assert_true(l.b.o.error_valid && l.b.o.busy);
                assert_int_equal(l.b.o.error_word, word ? 0x34567894 : 0x1234567894 | 1ull << 48 | 0x66ull << 56);
                l.b.i.events_error_ready = n == 2;
                edge(&l);
                assert_false(l.b.o.halt);
            }
        }
        assert_false(l.b.o.busy || l.b.o.error_valid || l.b.o.halt);
    }
}

// A report that fails when its mapping has ended has its record, which keeps the slot too, and halts nobody.
TEST(failed_report_of_an_earlier_mapping)
{
    for (unsigned when = 0; when < 6; when++) { // 5: not at all
        static lines l;
        reporting(&l, SIZE | NO_BLOCKS, 0x1000, 8);
        commits(&l, 8);
        for (unsigned n = 0; n < 5; n++) {
            if (n == when)
                LOAD_WORD(&l.b, FIRST, LOAD_ACTIVE, 0);
            edge(&l);
            l.b.i.write_ready = l.b.o.write_valid;
        }
        for (; l.b.s.report_state != REPORT_ANSWER; edge(&l))
            l.b.i.write_ready = true;
        answer(&l, 3);
        assert_true(l.b.o.error_valid);
        assert_int_equal(l.b.o.error_word >> 56, 0x67);
        assert_int_equal(l.b.o.halt, when == 5);
        for (unsigned n = 0; n < 2; n++) {
            assert_int_equal(said(&l), 1 << FIRST);
            l.b.i.events_error_ready = true;
            edge(&l);
        }
        assert_int_equal(said(&l), 0);
    }
}

TEST(when_a_queue_reports)
{
    static const struct {
        const char *rule;
        uint32_t    control;
        uint64_t    address;
        uint32_t    commits[2]; // of 40 dwords
        bool        leaves, reports;
    } rows[] = {
        {"inside a block of 8", SIZE | 2 << 8, 0x1000, {7, 0}, false, false},
        {"at its end", SIZE | 2 << 8, 0x1000, {7, 1}, false, true},
        {"nowhere to report to", SIZE, 0, {40, 0}, true, false},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        static lines l;
        reporting(&l, rows[n].control, rows[n].address, 40);
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(said(&l), 0);
            if (rows[n].commits[k] != 0)
                commits(&l, rows[n].commits[k]);
        }
        if (rows[n].leaves) {
            assert_int_equal(said(&l), 0);
            leaves(&l);
        }
        if (said(&l) != (unsigned)rows[n].reports << FIRST)
            fail_msg("%s", rows[n].rule);
    }
}

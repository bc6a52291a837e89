// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: reports of the read pointer, and what it says of them beside a memory that takes and answers when it likes:
// from the clock behind the commit or the leaving on until the answer, without a gap, each queue's in turn
// (docs/contract/fetch.md).

#include "fetch_bench.h"

enum { QUIET = 1 << 27, PLACE = 0x2000, FIRST = 1, EVERYONE = (1 << TOTEM_QUEUES) - 1, SIZE = 9, NO_BLOCKS = 31 << 8 };

static void reporting(lines *l, uint32_t control, uint64_t address, uint32_t count)
{
    filled(l, 1, count);
    send(l, 1, LOAD_PQ_CONTROL, control);
    send(l, 1, LOAD_REPORT_ADDR, address);
    selects(l, 1);
    edges(l, 2);
}

static void commits(lines *l, uint32_t count)
{
    l->b.i.packet_commit       = true;
    l->b.i.packet_commit_count = (uint16_t)count;
    edge(l);
}

static void report_goes_out(void **state)
{
    (void)state;
    for (unsigned upper = 0; upper < 2; upper++) {
        static lines l;
        reporting(&l, 9 | 31u << 8, 0x1234567890 + 4 * upper, 8);
        takes(&l, 0, 8);
        commits(&l, 3);
        assert_false(l.b.o.busy);
        commits(&l, 5); // empty
        assert_true(l.b.o.busy);
        assert_false(l.b.o.write_valid);
        edge(&l);
        for (unsigned n = 0; n < 2; n++) {
            assert_true(l.b.o.write_valid);
            assert_int_equal(l.b.o.write_word, 0x1234567890 | (upper ? 0xf0ull : 0x0full) << 40 | 1ull << 48);
            edge(&l);
        }
        l.b.i.write_ready = true;
        edge(&l);
        assert_true(l.b.o.write_valid);
        assert_int_equal(l.b.o.write_word, 8ull << 32 | 8);
        l.b.i.write_ready = true;
        edge(&l);
        assert_true(l.b.o.busy && !l.b.o.write_valid);
        l.b.i.write_ack       = true;
        l.b.i.ack_error = (uint8_t)(2 * upper);
        edge(&l);
        assert_int_equal(l.b.o.busy, upper);
        assert_int_equal(l.b.o.halt, upper);
        if (upper) { // failed: a record, and the queue is halted
            assert_int_equal(l.b.o.halt_queue, 1);
            for (unsigned n = 0; n < 2; n++) {
                assert_true(l.b.o.error_valid);
                assert_int_equal(l.b.o.error_word, 0x1234567894 | 1ull << 48 | 0x66ull << 56);
                edge(&l);
                assert_false(l.b.o.halt);
            }
            l.b.i.events_error_ready = true;
            edge(&l);
            assert_true(l.b.o.error_valid && l.b.o.busy);
            assert_int_equal(l.b.o.error_word, 0x34567894);
            l.b.i.events_error_ready = true;
            edge(&l);
        }
        assert_false(l.b.o.busy || l.b.o.error_valid || l.b.o.halt);
    }
}

// A report that fails when its mapping has ended has its record and halts nobody.
static void failed_report_of_an_earlier_mapping(void **state)
{
    (void)state;
    for (unsigned when = 0; when < 6; when++) {
        static lines l;
        reporting(&l, 9 | 31u << 8, 0x1000, 8);
        takes(&l, 0, 8);
        commits(&l, 8);
        for (unsigned n = 0; n < 5; n++) {
            if (n == when) // 5: not at all
                send(&l, 1, LOAD_ACTIVE, 0);
            else
                edge(&l);
            l.b.i.write_ready = l.b.o.write_valid;
        }
        while (l.b.s.report_state != 3) {
            l.b.i.write_ready = true;
            edge(&l);
        }
        l.b.i.write_ack       = true;
        l.b.i.ack_error = 3;
        edge(&l);
        assert_true(l.b.o.error_valid);
        assert_int_equal(l.b.o.error_word >> 56, 0x67);
        assert_int_equal(l.b.o.halt, when == 5);
        for (unsigned n = 0; n < 4; n++) {
            l.b.i.events_error_ready = true;
            edge(&l);
        }
        assert_false(l.b.o.busy);
    }
}

static void when_a_queue_reports(void **state)
{
    static lines l;
    (void)state;
    reporting(&l, 9 | 2u << 8, 0x1000, 40); // blocks of 8
    takes(&l, 0, 30);
    commits(&l, 7);
    assert_false(l.b.o.busy);
    commits(&l, 1);
    assert_true(l.b.o.busy);
    reporting(&l, 9 | 2u << 8 | QUIET, 0x1000, 40);
    takes(&l, 0, 40);
    commits(&l, 40);
    assert_false(l.b.o.busy);
    reporting(&l, 9 | 2u << 8, 0, 40); // nowhere to report to
    takes(&l, 0, 40);
    commits(&l, 40);
    assert_false(l.b.o.busy);
    reporting(&l, 9 | 31u << 8, 0x1000, 40);
    takes(&l, 0, 1);
    l.b.i.packet_left = true;
    edge(&l);
    assert_true(l.b.o.busy);
}

static void report_meets_the_next_commit(void **state)
{
    static lines l;
    (void)state;
    reporting(&l, 9 | 0u << 8, 0x1000, 8);
    takes(&l, 0, 8);
    commits(&l, 2);
    commits(&l, 6); // in the clock in which the report of 2 begins
    LEVEL(&l.b, write_ready, true);
    edge(&l);
    assert_int_equal(l.b.o.write_word, 2ull << 32 | 2);
    edge(&l);
    l.b.i.write_ack = true;
    edge(&l);
    assert_true(l.b.o.busy);
    edges(&l, 2);
    assert_int_equal(l.b.o.write_word, 8ull << 32 | 8);
}

// A queue that reports, empty on chip.
static void maps(lines *l, unsigned queue, uint32_t control, uint64_t address, uint32_t written)
{
    ring_of(l, queue, control, 0);
    send(l, queue, LOAD_WPTR, written);
    send(l, queue, LOAD_REPORT_ADDR, address);
}

static void leaves(lines *l)
{
    l->b.i.packet_left = true;
    edge(l);
}

static unsigned said(const lines *l)
{
    unsigned bits = 0;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        bits |= (unsigned)l->b.o.reporting[q] << q;
    assert_int_equal(l->b.o.busy, bits != 0);
    return bits;
}

// The report that is offered: which queue's, and where it stands.
static unsigned offered(lines *l, uint32_t *value)
{
    for (unsigned n = 0; !l->b.o.write_valid; n++) {
        assert_true(n < 4);
        edge(l);
    }
    const unsigned queue = (unsigned)(l->b.o.write_word >> 48);
    l->b.i.write_ready   = true;
    edge(l);
    assert_true(l->b.o.write_valid);
    *value             = (uint32_t)l->b.o.write_word;
    l->b.i.write_ready = true;
    edge(l);
    assert_false(l->b.o.write_valid);
    return queue;
}

static void answer(lines *l, uint8_t error)
{
    l->b.i.write_ack       = true;
    l->b.i.ack_error = error;
    edge(l);
}

// One queue: empty, and again at a switch. It stands until the answer.
static void until_its_answer(void **state)
{
    static lines l;
    uint32_t     value;
    (void)state;
    open_bench(&l);
    maps(&l, FIRST, SIZE | NO_BLOCKS, PLACE, 8);
    selects(&l, FIRST);
    commits(&l, 3);
    assert_int_equal(said(&l), 0);
    commits(&l, 5);
    assert_int_equal(said(&l), 1 << FIRST);
    edges(&l, 30); // not taken
    assert_int_equal(said(&l), 1 << FIRST);
    assert_int_equal(offered(&l, &value), FIRST);
    assert_int_equal(value, 8);
    for (unsigned n = 0; n < 30; n++) { // not answered
        assert_int_equal(said(&l), 1 << FIRST);
        edge(&l);
    }
    answer(&l, 0);
    assert_int_equal(said(&l), 0);
    leaves(&l);
    assert_int_equal(said(&l), 1 << FIRST);
    assert_int_equal(offered(&l, &value), FIRST);
    answer(&l, 0);
    assert_int_equal(said(&l), 0);
}

// The last report becomes due in each clock of the one before, that of its answer too: no clock between
// them says that there is none.
static void no_gap(void **state)
{
    (void)state;
    for (unsigned when = 0; when < 12; when++) {
        static lines l;
        unsigned     sent = 0, answered = 0;
        uint32_t     last = 0;
        open_bench(&l);
        maps(&l, FIRST, SIZE | 0 << 8, PLACE, 40); // every two dwords
        selects(&l, FIRST);
        commits(&l, 2);
        for (unsigned n = 0; n < 40; n++) {
            l.b.i.write_ready = l.b.o.write_valid;
            l.b.i.write_ack   = sent != answered && n % 4 == 0;
            answered += l.b.i.write_ack;
            if (l.b.s.report_state == 2) {
                last = (uint32_t)l.b.o.write_word;
                sent++;
            }
            if (n == when) {
                l.b.i.packet_commit       = true;
                l.b.i.packet_commit_count = 5;
                l.b.i.packet_left         = true;
            }
            edge(&l);
            assert_int_equal(said(&l) != 0, n == when || sent != answered || (n > when && last != 7) || sent == 0);
        }
        assert_int_equal(said(&l), 0);
    }
}

// All queues are due: each has its turn, and nobody's second report comes before another's first.
static void in_turn(void **state)
{
    static lines l;
    unsigned     due = EVERYONE;
    uint32_t     value;
    (void)state;
    open_bench(&l);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        maps(&l, q, SIZE | NO_BLOCKS, PLACE + 64 * q, 100);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        selects(&l, q);
        commits(&l, 1 + q);
        leaves(&l);
    }
    assert_int_equal(said(&l), EVERYONE);
    for (unsigned n = 0; n < TOTEM_QUEUES; n++) {
        const unsigned queue = offered(&l, &value);
        assert_true(due >> queue & 1);
        assert_int_equal(value, 1 + queue);
        selects(&l, queue); // once more
        leaves(&l);
        assert_int_equal(said(&l), EVERYONE);
        answer(&l, 0);
        assert_int_equal(said(&l), EVERYONE);
        due &= ~(1u << queue);
    }
    assert_int_equal(due, 0);
    for (unsigned n = 0, left = EVERYONE; n < TOTEM_QUEUES; n++) {
        left &= ~(1u << offered(&l, &value));
        answer(&l, 0);
        assert_int_equal(said(&l), left);
    }
}

// A report that fails has ended when its message is taken, both words, also when ACTIVE was cleared meanwhile.
static void failed(void **state)
{
    (void)state;
    for (unsigned cleared = 0; cleared < 2; cleared++) {
        static lines l;
        uint32_t     value;
        open_bench(&l);
        maps(&l, FIRST, SIZE | NO_BLOCKS, PLACE, 8);
        selects(&l, FIRST);
        if (cleared) {
            LEVEL(&l.b, arbiter_active[FIRST], false);
            send(&l, FIRST, LOAD_ACTIVE, 0);
        }
        leaves(&l);
        assert_int_equal(offered(&l, &value), FIRST);
        answer(&l, 3);
        assert_int_equal(l.b.o.halt, !cleared);
        for (unsigned n = 0; n < 20; n++) {
            assert_int_equal(said(&l), 1 << FIRST);
            assert_true(l.b.o.error_valid);
            edge(&l);
        }
        l.b.i.events_error_ready = true;
        edge(&l);
        assert_int_equal(said(&l), 1 << FIRST);
        l.b.i.events_error_ready = true;
        edge(&l);
        assert_int_equal(said(&l), 0);
    }
}

// Who does not report is never said to.
static void no_reports(void **state)
{
    static lines l;
    (void)state;
    open_bench(&l);
    maps(&l, 0, SIZE | QUIET, PLACE, 8);
    maps(&l, 1, SIZE, 0, 8);
    for (unsigned q = 0; q < 2; q++) {
        selects(&l, q);
        commits(&l, 8);
        assert_int_equal(said(&l), 0);
        leaves(&l);
        assert_int_equal(said(&l), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report_goes_out),
        cmocka_unit_test(failed_report_of_an_earlier_mapping),
        cmocka_unit_test(when_a_queue_reports),
        cmocka_unit_test(report_meets_the_next_commit),
        cmocka_unit_test(until_its_answer),
        cmocka_unit_test(no_gap),
        cmocka_unit_test(in_turn),
        cmocka_unit_test(failed),
        cmocka_unit_test(no_reports),
    };

    return cmocka_run_group_tests_name("fetch_reports", tests, NULL, NULL);
}

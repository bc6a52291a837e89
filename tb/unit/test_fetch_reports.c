// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: reports of the read pointer (docs/contract/fetch.md).

#include "fetch_bench.h"

enum { QUIET = 1 << 27 };

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
        l.b.i.write_ack_error = (uint8_t)(2 * upper);
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
            l.b.i.error_ready = true;
            edge(&l);
            assert_true(l.b.o.error_valid && l.b.o.busy);
            assert_int_equal(l.b.o.error_word, 0x34567894);
            l.b.i.error_ready = true;
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
        l.b.i.write_ack_error = 3;
        edge(&l);
        assert_true(l.b.o.error_valid);
        assert_int_equal(l.b.o.error_word >> 56, 0x67);
        assert_int_equal(l.b.o.halt, when == 5);
        for (unsigned n = 0; n < 4; n++) {
            l.b.i.error_ready = true;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report_goes_out),
        cmocka_unit_test(failed_report_of_an_earlier_mapping),
        cmocka_unit_test(when_a_queue_reports),
        cmocka_unit_test(report_meets_the_next_commit),
    };

    return cmocka_run_group_tests_name("fetch_reports", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: what it says of the reports of the read pointers (docs/contract/fetch.md, `reporting`), beside a memory that takes and answers
// when it likes: from the clock behind the commit or the leaving on until the answer, without a gap, each queue's in turn.

#include "block_bench.h"

#include "totem_fetch.h"

BENCH(fetch)

enum { PLACE = 0x2000, FIRST = 1, EVERYONE = (1 << TOTEM_QUEUES) - 1 };
enum { RPTR = 6, WPTR = 7, CONTROL = 5, REPORT_ADDR = 8, ACTIVE = 0 }; // kinds of load words
enum { SIZE = 9, NO_BLOCKS = 31 << 8, QUIET = 1 << 27 };

static void load(bench *b, unsigned queue, uint8_t kind, uint64_t data)
{
    b->i.load_valid = true;
    b->i.load_queue = (uint8_t)queue;
    b->i.load_kind  = kind;
    b->i.load_data  = data;
    tick(b);
}

static void map(bench *b, unsigned queue, uint32_t control, uint64_t address, uint32_t written)
{
    load(b, queue, CONTROL, control);
    load(b, queue, RPTR, 0);
    load(b, queue, WPTR, written);
    load(b, queue, REPORT_ADDR, address);
    LEVEL(b, arbiter_active[queue], true);
}

static void go(bench *b, unsigned queue)
{
    b->i.arbiter_go       = true;
    b->i.arbiter_selected = (uint8_t)queue;
    tick(b);
}

static void commit(bench *b, uint16_t count)
{
    b->i.packet_commit       = true;
    b->i.packet_commit_count = count;
    tick(b);
}

static void leave(bench *b)
{
    b->i.packet_left = true;
    tick(b);
}

static unsigned said(const bench *b)
{
    unsigned bits = 0;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        bits |= (unsigned)b->o.reporting[q] << q;
    assert_int_equal(b->o.busy, bits != 0);
    return bits;
}

// The report that is offered: which queue's, and where it stands.
static unsigned offered(bench *b, uint32_t *value)
{
    CLOCKS_UNTIL(b, b->o.write_valid, 4);
    const unsigned queue = (unsigned)(b->o.write_word >> 48);
    b->i.write_ready     = true;
    tick(b);
    assert_true(b->o.write_valid);
    *value           = (uint32_t)b->o.write_word;
    b->i.write_ready = true;
    tick(b);
    assert_false(b->o.write_valid);
    return queue;
}

static void answer(bench *b, uint8_t error)
{
    b->i.write_ack       = true;
    b->i.write_ack_error = error;
    tick(b);
}

// One queue: empty, and again at a switch. It stands until the answer.
static void until_its_answer(void **state)
{
    static bench b;
    uint32_t     value;
    (void)state;
    fresh(&b);
    map(&b, FIRST, SIZE | NO_BLOCKS, PLACE, 8);
    go(&b, FIRST);
    commit(&b, 3);
    assert_int_equal(said(&b), 0);
    commit(&b, 5);
    assert_int_equal(said(&b), 1 << FIRST);
    ticks(&b, 30); // not taken
    assert_int_equal(said(&b), 1 << FIRST);
    assert_int_equal(offered(&b, &value), FIRST);
    assert_int_equal(value, 8);
    for (unsigned n = 0; n < 30; n++) { // not answered
        assert_int_equal(said(&b), 1 << FIRST);
        tick(&b);
    }
    answer(&b, 0);
    assert_int_equal(said(&b), 0);
    leave(&b);
    assert_int_equal(said(&b), 1 << FIRST);
    assert_int_equal(offered(&b, &value), FIRST);
    answer(&b, 0);
    assert_int_equal(said(&b), 0);
}

// The last report becomes due in each clock of the one before, that of its answer too: no clock between them says that there is none.
static void no_gap(void **state)
{
    (void)state;
    for (unsigned when = 0; when < 12; when++) {
        static bench b;
        unsigned     sent = 0, answered = 0;
        uint32_t     last = 0;
        fresh(&b);
        map(&b, FIRST, SIZE | 0 << 8, PLACE, 40); // every two dwords
        go(&b, FIRST);
        commit(&b, 2);
        for (unsigned n = 0; n < 40; n++) {
            b.i.write_ready = b.o.write_valid;
            b.i.write_ack   = sent != answered && n % 4 == 0;
            answered += b.i.write_ack;
            if (b.s.report_state == 2) {
                last = (uint32_t)b.o.write_word;
                sent++;
            }
            if (n == when) {
                b.i.packet_commit       = true;
                b.i.packet_commit_count = 5;
                b.i.packet_left         = true;
            }
            tick(&b);
            assert_int_equal(said(&b) != 0, n == when || sent != answered || (n > when && last != 7) || sent == 0);
        }
        assert_int_equal(said(&b), 0);
    }
}

// All queues are due: each has its turn, and nobody's second report comes before another's first.
static void in_turn(void **state)
{
    static bench b;
    unsigned     due = EVERYONE;
    uint32_t     value;
    (void)state;
    fresh(&b);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        map(&b, q, SIZE | NO_BLOCKS, PLACE + 64 * q, 100);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        go(&b, q);
        commit(&b, (uint16_t)(1 + q));
        leave(&b);
    }
    assert_int_equal(said(&b), EVERYONE);
    for (unsigned n = 0; n < TOTEM_QUEUES; n++) {
        const unsigned queue = offered(&b, &value);
        assert_true(due >> queue & 1);
        assert_int_equal(value, 1 + queue);
        go(&b, queue); // once more
        leave(&b);
        assert_int_equal(said(&b), EVERYONE);
        answer(&b, 0);
        assert_int_equal(said(&b), EVERYONE);
        due &= ~(1u << queue);
    }
    assert_int_equal(due, 0);
    for (unsigned n = 0, left = EVERYONE; n < TOTEM_QUEUES; n++) {
        left &= ~(1u << offered(&b, &value));
        answer(&b, 0);
        assert_int_equal(said(&b), left);
    }
}

// A report that fails has ended when its message is taken, both words, also when ACTIVE was cleared meanwhile.
static void failed(void **state)
{
    (void)state;
    for (unsigned cleared = 0; cleared < 2; cleared++) {
        static bench b;
        uint32_t     value;
        fresh(&b);
        map(&b, FIRST, SIZE | NO_BLOCKS, PLACE, 8);
        go(&b, FIRST);
        if (cleared) {
            LEVEL(&b, arbiter_active[FIRST], false);
            load(&b, FIRST, ACTIVE, 0);
        }
        leave(&b);
        assert_int_equal(offered(&b, &value), FIRST);
        answer(&b, 3);
        assert_int_equal(b.o.halt, !cleared);
        for (unsigned n = 0; n < 20; n++) {
            assert_int_equal(said(&b), 1 << FIRST);
            assert_true(b.o.error_valid);
            tick(&b);
        }
        b.i.error_ready = true;
        tick(&b);
        assert_int_equal(said(&b), 1 << FIRST);
        b.i.error_ready = true;
        tick(&b);
        assert_int_equal(said(&b), 0);
    }
}

// Who does not report is never said to.
static void no_reports(void **state)
{
    static bench b;
    (void)state;
    fresh(&b);
    map(&b, 0, SIZE | QUIET, PLACE, 8);
    map(&b, 1, SIZE, 0, 8);
    for (unsigned q = 0; q < 2; q++) {
        go(&b, q);
        commit(&b, 8);
        assert_int_equal(said(&b), 0);
        leave(&b);
        assert_int_equal(said(&b), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(until_its_answer), cmocka_unit_test(no_gap),     cmocka_unit_test(in_turn),
        cmocka_unit_test(failed),           cmocka_unit_test(no_reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_finish (docs/contract/finish.md). The bench is the RAM of metadata and memory, which takes every word at once and
// answers when the test says.

#include "block_bench.h"

#include "totem_finish.h"

BENCH(finish)

enum { LONG = 60, WRITES = 8 };
enum { FOUR = 0, ONE = 1, TWO = 2 };

typedef struct {
    uint64_t address, data;
    uint8_t  strobe, tag;
} written;

typedef struct {
    bench    b;
    uint64_t meta[TOTEM_ENTRIES * 8];
    written  list[WRITES];
    unsigned count;
    bool     second; // word of the message that comes
} finish_bench;

static void open_bench(finish_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    LEVEL(&t->b, write_ready, true);
    LEVEL(&t->b, clock, 0x1122334455667788);
}

static void close_bench(finish_bench *t)
{
    (void)t;
}

#define FINISH_RULE(name) RULE_IN(finish_bench, open_bench, close_bench, t, name)

static void clock_edge(finish_bench *t)
{
    const totem_finish_out *o = &t->b.o;
    if (o->tmd_read_enable)
        t->b.hold.tmd_read_data = t->meta[o->tmd_read_addr];
    if (o->write_valid && t->b.i.write_ready) {
        written *w = &t->list[t->count];
        if (t->second)
            w->data = o->write_word;
        else
            *w = (written){.address = o->write_word & 0xffffffffff,
                           .strobe  = o->write_word >> 40 & 0xff,
                           .tag     = o->write_word >> 48 & 63};
        t->count += t->second;
        t->second = !t->second;
    }
    tick(&t->b);
}

static void clocks(finish_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

#define UNTIL(condition)                                              \
    do {                                                              \
        unsigned clocks_ = 0;                                         \
        while (!(condition)) {                                        \
            if (++clocks_ > LONG)                                     \
                fail_msg("line %d: never: %s", __LINE__, #condition); \
            clock_edge(t);                                            \
        }                                                             \
    } while (0)

static void release(finish_bench *t, unsigned entry, unsigned which, uint64_t address, unsigned size, bool wide,
                    bool trap, uint64_t value)
{
    t->meta[entry * 8 + 3 + 2 * which] =
        address | 1ull << 40 | (uint64_t)size << 41 | (uint64_t)wide << 43 | (uint64_t)trap << 44 | 0x3ull << 46;
    t->meta[entry * 8 + 4 + 2 * which] = value;
}

static void ended(finish_bench *t, unsigned queue, unsigned entry)
{
    const unsigned pipe = queue / TOTEM_QUEUES;
    LEVEL(&t->b, fence_task_valid[pipe], true);
    LEVEL(&t->b, fence_task_queue[pipe], queue % TOTEM_QUEUES);
    LEVEL(&t->b, fence_task_entry[pipe], (TOTEM_FINISH_ENTRY)entry);
    UNTIL(t->b.o.fence_ready[pipe]);
    clock_edge(t);
    LEVEL(&t->b, fence_task_valid[pipe], false);
    assert_true(t->b.o.ending[queue]);
}

static void acknowledge(finish_bench *t, unsigned queue, unsigned error, uint64_t address)
{
    t->b.i.write_ack = true;
    t->b.i.ack_tag   = (uint8_t)queue;
    t->b.i.ack_error = (uint8_t)error;
    t->b.i.ack_addr  = address;
    clock_edge(t);
}

static void dealt_with(finish_bench *t, unsigned queue, unsigned entry)
{
    UNTIL(t->b.o.over_valid);
    assert_int_equal(t->b.o.over_queue, queue);
    assert_int_equal(t->b.o.over_entry, entry);
    t->b.i.task_over_ready = true;
    clock_edge(t);
    assert_false(t->b.o.ending[queue]);
}

static void wrote(const finish_bench *t, unsigned n, uint64_t address, uint8_t strobe, uint64_t data)
{
    assert_true(n < t->count);
    assert_int_equal(t->list[n].address, address);
    assert_int_equal(t->list[n].strobe, strobe);
    assert_int_equal(t->list[n].data, data);
}

FINISH_RULE(one_word)
{
    release(t, 2, 0, 0x1000, ONE, false, false, 0xaabbccdd00000011);
    release(t, 2, 1, 0x2004, ONE, true, false, 0xaabbccdd00000022);
    ended(t, 0, 2);
    clocks(t, 30);
    assert_int_equal(t->count, 2);
    wrote(t, 0, 0x1000, 0x0f, 0x0000001100000011);
    wrote(t, 1, 0x2000, 0xf0, 0x0000002200000022);
    assert_false(t->b.o.over_valid);
    acknowledge(t, 0, 0, 0);
    clocks(t, 5);
    assert_false(t->b.o.over_valid);
    acknowledge(t, 0, 0, 0);
    assert_int_equal(t->b.o.over_error, 0);
    dealt_with(t, 0, 2);
}

FINISH_RULE(two_words_narrow_and_wide)
{
    release(t, 2, 0, 0x1000, TWO, false, false, 0xaabbccdd00000011);
    release(t, 2, 1, 0x2000, TWO, true, false, 0xaabbccdd00000022);
    ended(t, 3, 2);
    clocks(t, 30);
    wrote(t, 0, 0x1000, 0xff, 0x0000000000000011);
    wrote(t, 1, 0x2000, 0xff, 0xaabbccdd00000022);
    assert_int_equal(t->list[0].tag, 3);
}

// The clock counter stands behind the payload and is written first.
FINISH_RULE(four_words)
{
    release(t, 2, 1, 0xfffffffff0, FOUR, true, false, 0xaabbccdd00000022);
    ended(t, 0, 2);
    clocks(t, 30);
    assert_int_equal(t->count, 2);
    wrote(t, 0, 0xfffffffff8, 0xff, 0x1122334455667788);
    wrote(t, 1, 0xfffffffff0, 0xff, 0xaabbccdd00000022);
}

FINISH_RULE(an_error_is_that_of_the_first_write_that_failed)
{
    release(t, 2, 0, 0x1000, FOUR, true, true, 1);
    ended(t, 0, 2);
    clocks(t, 30);
    acknowledge(t, 0, 2, 0x1008);
    acknowledge(t, 0, 1, 0x1000);
    UNTIL(t->b.o.over_valid);
    assert_int_equal(t->b.o.over_error, 2);
    assert_int_equal(t->b.o.over_addr, 0x1008);
    assert_true(t->b.o.over_trap);
    dealt_with(t, 0, 2);
    ended(t, 0, 3); // the next one has no error
    UNTIL(t->b.o.over_valid);
    assert_int_equal(t->b.o.over_error, 0);
    assert_false(t->b.o.over_trap);
}

// Of one queue the acknowledge is missing; the other one does not wait for it.
FINISH_RULE(queues_do_not_wait_for_each_other)
{
    release(t, 2, 0, 0x1000, ONE, false, false, 1);
    release(t, 3, 0, 0x1008, ONE, false, false, 2);
    ended(t, 0, 2);
    clocks(t, 30);
    ended(t, 1, 3);
    clocks(t, 30);
    acknowledge(t, 1, 0, 0);
    dealt_with(t, 1, 3);
    acknowledge(t, 0, 0, 0);
    dealt_with(t, 0, 2);
}

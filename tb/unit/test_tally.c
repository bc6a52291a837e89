// SPDX-License-Identifier: Apache-2.0
//
// totem_tally: rules, latencies and meetings of docs/contract/tally.md. The bench is the tally RAM.

#include "block_bench.h"
#include "tests.h"

#include "totem_tally.h"

BENCH(tally)

enum { LAST = TOTEM_QUEUES - 1, WORDS = TOTEM_QUEUES * 64, MOST = 0xffff, GAP = 4 };

typedef struct {
    bench    b;
    uint64_t ram[WORDS];
} tally_bench;

static void clock_edge(tally_bench *t)
{
    assert_false(t->b.o.ram_read_enable && t->b.o.ram_write_enable);
    TICK_WITH_RAM(t, t->ram, ram);
}

static void clocks(tally_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static void open_bench(tally_bench *t)
{
    memset(t, 0xa5, sizeof *t);
    fresh(&t->b);
    clocks(t, WORDS);
}

// A packet in this clock.
static void ignore(tally_bench *t, uint8_t queue, uint8_t opcode)
{
    t->b.i.packet_ignored         = true;
    t->b.i.dispatch_queue         = queue;
    t->b.i.packet_executed_opcode = opcode;
}

static void count(tally_bench *t, uint8_t queue, uint8_t opcode)
{
    ignore(t, queue, opcode);
    clocks(t, GAP);
}

// An access of the host alone: 3 clocks.
static uint16_t access_alone(tally_bench *t, bool write, uint8_t queue, uint8_t opcode, uint8_t strobe)
{
    LEVEL(&t->b, host_valid, true);
    LEVEL(&t->b, host_write, write);
    LEVEL(&t->b, host_queue, queue);
    LEVEL(&t->b, host_dword, opcode);
    LEVEL(&t->b, host_strobe, strobe);
    for (unsigned n = 0; n < 3; n++, clock_edge(t))
        assert_false(t->b.o.host_done);
    assert_true(t->b.o.host_done);
    const uint16_t data = t->b.o.host_rdata;
    clock_edge(t);
    LEVEL(&t->b, host_valid, false);
    assert_false(t->b.o.host_done);
    return data;
}

static uint16_t value(tally_bench *t, uint8_t queue, uint8_t opcode)
{
    return access_alone(t, false, queue, opcode, 0);
}

// Every counter has its own place.
TEST(places)
{
    tally_bench t;
    open_bench(&t);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        for (unsigned opcode = 0; opcode < 256; opcode++)
            for (unsigned n = 0; n < (q + opcode) % 3; n++)
                count(&t, (uint8_t)q, (uint8_t)opcode);
    clocks(&t, 8);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            assert_int_equal(t.ram[q * 64 + opcode / 4] >> opcode % 4 * 16 & MOST, (q + opcode) % 3);
            assert_int_equal(value(&t, (uint8_t)q, (uint8_t)opcode), (q + opcode) % 3);
        }
}

TEST(saturates)
{
    tally_bench t;
    open_bench(&t);
    for (unsigned k = 0; k < 4; k++) {
        memset(t.ram, 0, sizeof t.ram);
        t.ram[64 + 5] = 0x8000800080008000u & ~((uint64_t)MOST << 16 * k);
        t.ram[64 + 5] |= (uint64_t)(MOST - 1) << 16 * k;
        const uint64_t others = t.ram[64 + 5] & ~((uint64_t)MOST << 16 * k);
        for (unsigned n = 0; n < 3; n++)
            count(&t, 1, (uint8_t)(20 + k));
        assert_int_equal(value(&t, 1, (uint8_t)(20 + k)), MOST);
        assert_int_equal(t.ram[64 + 5], others | (uint64_t)MOST << 16 * k);
    }
}

TEST(a_write_clears)
{
    tally_bench t;
    open_bench(&t);
    for (uint8_t strobe = 0; strobe < 16; strobe++) {
        for (uint8_t opcode = 100; opcode < 104; opcode++)
            count(&t, LAST, opcode);
        access_alone(&t, true, LAST, 102, strobe);
        for (uint8_t opcode = 100; opcode < 104; opcode++)
            assert_int_equal(value(&t, LAST, opcode), opcode == 102 ? strobe == 0 : strobe + 1);
    }
}

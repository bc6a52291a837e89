// SPDX-License-Identifier: Apache-2.0
//
// totem_events: rules, latencies and meetings of docs/contract/events.md. The bench holds the int_ctxid RAM.

#include "block_bench.h"

#include "totem_events.h"

BENCH(events)

#define RULE(name) RULE_OF(bench, fresh, b, name)

enum { P = TOTEM_PIPE_COUNT, N = 1 + 4 * P + TOTEM_FE_COUNT, HOLE = 1, READ_ONLY = 2, LEGAL = (1 << TOTEM_QUEUES) - 1 };
enum {
    STATUS,
    ENABLE,
    TEST,
    SELF_CHECK,
    EOP_STATUS,
    EOP_ENABLE = 6,
    EOP_TEST   = 8,
    RECORD     = 16,
    RECORD_ADDRESS,
    RECORD_WORD = 19,
    RECORD_TIME,
    RECORD_LATER = 22,
    COUNT        = 32,
    CTXID        = 64
};

static uint32_t ram[8 * P];

static void clock_edge(bench *b)
{
    const totem_events_out o    = b->o;
    const uint32_t         read = o.ram_read_enable ? ram[o.ram_read_addr] : b->hold.ram_read_data;
    if (o.ram_write_enable)
        ram[o.ram_write_addr] = o.ram_write_data;
    tick(b);
    b->hold.ram_read_data = b->i.ram_read_data = read;
}

static void ask(bench *b, bool write, unsigned dword, unsigned strobe, uint32_t data)
{
    LEVEL(b, host_valid, true);
    LEVEL(b, host_write, write);
    LEVEL(b, host_dword, (uint8_t)dword);
    LEVEL(b, host_strobe, (uint8_t)strobe);
    LEVEL(b, host_data, data);
}

static uint32_t finish(bench *b, unsigned error)
{
    assert_true(b->o.host_done);
    assert_int_equal(b->o.host_error, error);
    const uint32_t got = b->o.host_rdata;
    LEVEL(b, host_valid, false);
    clock_edge(b);
    assert_false(b->o.host_done);
    return got;
}

static uint32_t access_with(bench *b, bool write, unsigned dword, unsigned strobe, uint32_t data, unsigned error)
{
    ask(b, write, dword, strobe, data);
    for (unsigned n = 0; n < 3; n++) { // 3 clocks
        assert_false(b->o.host_done);
        clock_edge(b);
    }
    return finish(b, error);
}

static uint32_t get(bench *b, unsigned dword)
{
    return access_with(b, false, dword, 0, 0, 0);
}

static void put(bench *b, unsigned dword, uint32_t data)
{
    access_with(b, true, dword, 15, data, 0);
}

// The ports of an error source; those of mqd stand for its group. The numbers are written out once more here.
enum { MQD = 1 + 2 * P, FETCH = 1 + 3 * P, MEMORY = 1 + 4 * P };

typedef struct {
    bool     *valid;
    uint64_t *word;
    bool      ready;
} port;

static port port_of(totem_events_in *i, const totem_events_out *o, unsigned s)
{
    const unsigned pipe = s % 2 == 1 ? s / 2 : s / 2 - 1;
    if (s == 0)
        return (port){&i->host_error_valid, &i->host_error_word, o->host_error_ready};
#define PORT(block, n)                                                                   \
    (port)                                                                               \
    {                                                                                    \
        &i->block##_error_valid[n], &i->block##_error_word[n], o->block##_error_ready[n] \
    }
    if (s >= FETCH)
        return s >= MEMORY ? PORT(memory, s - MEMORY) : PORT(fetch, s - FETCH);
    if (s >= MQD)
        return PORT(mqd, s - MQD);
    return s % 2 == 1 ? PORT(packet, pipe) : PORT(fence, pipe);
#undef PORT
}

static bool ready(bench *b, unsigned source)
{
    return port_of(&b->i, &b->o, source).ready;
}

// A word of that source in this clock.
static void offer(bench *b, unsigned source, uint64_t word)
{
    const port p = port_of(&b->i, &b->o, source);
    *p.valid     = true;
    *p.word      = word;
}

// A message of that source; the clock in which its second word is taken is the present one minus 1.
static void error(bench *b, unsigned source, uint64_t first, uint32_t second)
{
    for (unsigned n = 0; !ready(b, source); n++) {
        assert_true(n < TOTEM_ERROR_SOURCES);
        offer(b, source, first);
        clock_edge(b);
    }
    offer(b, source, first);
    clock_edge(b);
    assert_true(ready(b, source)); // its turn stays
    offer(b, source, second);
    clock_edge(b);
}

static uint64_t code(unsigned value)
{
    return (uint64_t)value << 56;
}

RULE(first_record_is_kept)
{
    static const struct {
        unsigned dword;
        uint32_t value;
    } rows[] = {
        {RECORD, 1u | 0x27u << 8 | 3u << 16 | (uint32_t)(N - 1) << 24},
        {RECORD_ADDRESS, 0xdcba9876},
        {RECORD_ADDRESS + 1, 0xfe},
        {RECORD_WORD, 0x11223344},
        {RECORD_TIME, 0x9abcdef0},
        {RECORD_TIME + 1, 0x12345678},
        {RECORD_LATER, 2},
        {COUNT, 1},
        {COUNT + 1, 0},
        {COUNT + 2, 1},
        {COUNT + 3, 1},
        {STATUS, 1u << 1 | 1u << 3 | 1u << 4},
    };
    LEVEL(b, clock, 0x123456789abcdef0);
    error(b, N - 1, code(0x27) | 3ull << 48 | 0xfedcba9876, 0x11223344);
    LEVEL(b, clock, 5);
    error(b, 1, code(0x61) | 1ull << 48 | 0x1000, 7);
    error(b, 0, code(0x83), 8);
    for (unsigned n = 0; n < COUNT(rows); n++)
        assert_int_equal(get(b, rows[n].dword), rows[n].value);
    put(b, RECORD, 1);
    assert_int_equal(get(b, RECORD) & 1, 0);
    assert_int_equal(get(b, RECORD_LATER), 0);
    assert_int_equal(get(b, RECORD_WORD), 0x11223344); // shown all the same
    error(b, 1, code(0x22), 9);
    assert_int_equal(get(b, RECORD_WORD), 9);
}

RULE(a_class_without_a_counter)
{
    error(b, 0, code(0x01), 0);
    for (unsigned n = 0; n < 7; n++)
        assert_int_equal(get(b, COUNT + n), 0);
    assert_int_equal(get(b, STATUS), 0);
    assert_int_equal(get(b, RECORD) & 1, 1);
}

// The host clears a class in the clock in which the error of some class is kept: the first is cleared, the second set.
RULE(clear_meets_an_error)
{
    for (unsigned class = 0; class < 7; class ++)
        for (unsigned cleared = 0; cleared < 7; cleared++) {
            fresh(b);
            put(b, TEST, 0xfe);
            while (!ready(b, 0))
                clock_edge(b);
            offer(b, 0, code(0x21 + 0x20 * class));
            clock_edge(b);
            ask(b, true, STATUS, 15, 2u << cleared);
            clock_edge(b);
            clock_edge(b);
            offer(b, 0, 7);
            clock_edge(b);
            finish(b, 0);
            assert_int_equal(get(b, COUNT + class), 1);
            assert_int_equal(get(b, STATUS), 0xfe & (~(2u << cleared) | 2u << class));
        }
}

static void interrupt(bench *b, unsigned pipe, unsigned queue, uint32_t ctxid)
{
    unsigned n = 0;
    LEVEL(b, fence_interrupt_valid[pipe], true);
    LEVEL(b, fence_interrupt_word[pipe], ctxid | (uint64_t)queue << 32);
    while (!b->o.interrupt_ready[pipe]) {
        assert_true(n++ < P);
        clock_edge(b);
    }
    clock_edge(b);
    LEVEL(b, fence_interrupt_valid[pipe], false);
}

RULE(interrupts)
{
    const unsigned pipe = P - 1, queue = TOTEM_QUEUES - 1, k = pipe / 4;
    const uint32_t bit = 1u << (8 * (pipe % 4) + queue);
    fresh(b);
    interrupt(b, pipe, queue, 0xcafe);
    clock_edge(b);
    assert_int_equal(get(b, CTXID + 8 * pipe + queue), 0xcafe);
    assert_int_equal(get(b, EOP_STATUS + k), bit);
    assert_int_equal(get(b, STATUS), 0); // not enabled: does not count
    put(b, EOP_ENABLE + k, bit);
    assert_int_equal(get(b, STATUS), 1);
    assert_false(b->o.irq);
    put(b, ENABLE, 1);
    clock_edge(b);
    assert_true(b->o.irq);
    put(b, EOP_STATUS + k, ~bit); // others only
    assert_true(b->o.irq);
    put(b, EOP_STATUS + k, bit);
    clock_edge(b);
    assert_false(b->o.irq);
    put(b, EOP_TEST + k, 0xffffffff);
    const uint32_t legal = P >= 4 ? LEGAL * 0x01010101u : LEGAL;
    assert_int_equal(get(b, EOP_STATUS + k), legal);
    put(b, EOP_ENABLE + k, 0xffffffff);
    assert_int_equal(get(b, EOP_ENABLE + k), legal);
    access_with(b, true, EOP_ENABLE + k, 1, 0, 0); // byte strobes
    assert_int_equal(get(b, EOP_ENABLE + k), legal & ~0xffu);
}

RULE(fatal_sticks)
{
    assert_false(b->o.stop);
    b->i.machine_fatal = true;
    clock_edge(b);
    assert_true(b->o.stop);
    assert_int_equal(get(b, SELF_CHECK), 1);
    assert_int_equal(get(b, STATUS), 1u << 6);
    put(b, STATUS, 1u << 6);
    b->i.machine_fatal = true; // only the first one raises the bit
    clock_edge(b);
    assert_int_equal(get(b, STATUS), 0);
    assert_int_equal(get(b, SELF_CHECK), 1);
    assert_true(b->o.stop);
}

RULE(holes_and_read_only)
{
    for (unsigned d = 0; d < 256; d++) {
        const bool pair   = d == EOP_STATUS + 1 || d == EOP_ENABLE + 1 || d == EOP_TEST + 1;
        const bool exists = (d <= 9 && !(pair && P <= 4)) || (d >= 16 && d <= 22) || (d >= 32 && d <= 38) ||
                            (d >= 64 && d < 128 && (d - 64) / 8 < P && d % 8 < TOTEM_QUEUES);
        const bool writes = exists && d != SELF_CHECK && (d < 10 || d == RECORD);
        if (TOTEM_GRAPHICS && ((d >= 10 && d <= 12) || (d >= 40 && d < 40 + TOTEM_FE_COUNT)))
            continue; // of rings: test_events_graphics.c
        if (!exists)
            assert_int_equal(access_with(b, false, d, 0, 0, HOLE), 0);
        else
            get(b, d);
        access_with(b, true, d, 15, 0, !exists ? HOLE : writes ? 0 : READ_ONLY);
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_events in a machine with graphics pipes, tasks and a run list (docs/contract/events.md).
// Configuration: full, because there are more rings than one.

#include "block_bench.h"

// The twin of a machine with graphics stands in the place of the library's.
#include "totem_config.h"
#undef TOTEM_GRAPHICS
#define TOTEM_GRAPHICS 1
#undef TOTEM_TASKS
#define TOTEM_TASKS 1
#undef TOTEM_RUNLIST
#define TOTEM_RUNLIST 1
#undef TOTEM_ERROR_SOURCES
#define TOTEM_ERROR_SOURCES (2 + 5 * TOTEM_PIPE_COUNT + 5 * TOTEM_FE_COUNT)
#include "totem_events.c"

BENCH(events)

#define RULE(name) RULE_OF(bench, fresh, b, name)

enum { F = TOTEM_FE_COUNT, LAST = F - 1, P = TOTEM_PIPE_COUNT, FIRST = 1 + 4 * P + F, HOLE = 1, READ_ONLY = 2 };
enum { STATUS = 0, ENABLE = 1, RING_STATUS = 10, RING_ENABLE, RING_TEST, RECORD = 16, RECORD_WORD = 19, CTXID = 40 };

static uint32_t access_of(bench *b, bool write, unsigned dword, unsigned strobe, uint32_t data, unsigned error)
{
    LEVEL(b, host_valid, true);
    LEVEL(b, host_write, write);
    LEVEL(b, host_dword, (uint8_t)dword);
    LEVEL(b, host_strobe, (uint8_t)strobe);
    LEVEL(b, host_data, data);
    CLOCKS_UNTIL(b, b->o.host_done, 4);
    assert_int_equal(b->o.host_error, error);
    LEVEL(b, host_valid, false);
    const uint32_t got = b->o.host_rdata;
    tick(b);
    return got;
}

// The ports of the sources of a ring, then of a runner, by their number behind FIRST; those of mqd stand for its group.
typedef struct {
    bool     *valid;
    uint64_t *word;
    bool      ready;
} port;

static port port_of(bench *b, unsigned n)
{
#define PORT(block, n)                                                                   \
    (port)                                                                               \
    {                                                                                    \
        &b->i.graphics_##block##_error_valid[n], &b->i.graphics_##block##_error_word[n], \
            b->o.graphics_##block##_error_ready[n]                                       \
    }
    if (n >= 4 * F)
        return (port){&b->i.runner_error_valid[n - 4 * F], &b->i.runner_error_word[n - 4 * F],
                      b->o.runner_error_ready[n - 4 * F]};
    if (n >= 3 * F)
        return PORT(fetch, n - 3 * F);
    if (n >= 2 * F)
        return PORT(mqd, n - 2 * F);
    return n % 2 == 0 ? PORT(packet, n / 2) : PORT(fence, n / 2);
#undef PORT
}

// A message of every source becomes the record, with the number of its source.
RULE(sources_have_numbers)
{
    assert_int_equal(TOTEM_ERROR_SOURCES, FIRST + 4 * F + P + 1); // the last one is proxy
    for (unsigned n = 0; n < 4 * F + P; n++) {
        for (unsigned word = 0; word < 2; word++) {
            CLOCKS_UNTIL(b, port_of(b, n).ready, TOTEM_ERROR_SOURCES);
            *port_of(b, n).valid = true;
            *port_of(b, n).word  = word == 0 ? 0x25ull << 56 | 0x1000 : 0x1234 + n;
            tick(b);
        }
        assert_int_equal(access_of(b, false, RECORD, 0, 0, 0), 1u | 0x25u << 8 | (FIRST + n) << 24);
        assert_int_equal(access_of(b, false, RECORD_WORD, 0, 0, 0), 0x1234 + n);
        access_of(b, true, RECORD, 1, 1, 0);
    }
}

// record before mqd, poll at its second word before both: those of one ring do not mix.
RULE(one_message_at_a_time)
{
    LEVEL(b, graphics_mqd_error_valid[LAST], true);
    LEVEL(b, graphics_mqd_error_word[LAST], 0x21ull << 56 | 1);
    LEVEL(b, graphics_record_error_valid[LAST], true);
    LEVEL(b, graphics_record_error_word[LAST], 0x21ull << 56 | 2);
    LEVEL(b, graphics_poll_error_valid[LAST], true);
    LEVEL(b, graphics_poll_error_word[LAST], 0x21ull << 56 | 3);
    for (unsigned second = 0; second < 2; second++) {
        LEVEL(b, graphics_poll_error_second[LAST], second);
        CLOCKS_UNTIL(b, b->o.graphics_mqd_error_ready[LAST], TOTEM_ERROR_SOURCES);
        ticks(b, 2);
        assert_int_equal(b->s.record_address, second ? 3 : 2);
        access_of(b, true, RECORD, 1, 1, 0);
        b->s.part = b->s.record_valid = false;
    }
}

// An interrupt sets the bit of its ring, whatever queue it names, and its int_ctxid goes behind those of the pipes;
// fence's goes before that of mqd. A bit that is cleared in the clock of its event stays set.
RULE(interrupts)
{
    for (unsigned f = 0; f < F; f++) {
        LEVEL(b, graphics_mqd_interrupt_valid[f], true);
        LEVEL(b, graphics_mqd_interrupt_word[f], 0x77);
        for (unsigned fence = 0; fence < 2; fence++) {
            CLOCKS_UNTIL(b, b->o.graphics_interrupt_ready[f], P + F - 1);
            b->i.graphics_fence_interrupt_valid[f] = fence;
            b->i.graphics_fence_interrupt_word[f]  = 7ull << 32 | (0x100 + f);
            b->s.phase                             = 2; // the host clears the bits in this clock
            b->s.dword                             = RING_STATUS;
            LEVEL(b, host_write, true);
            LEVEL(b, host_strobe, 15);
            LEVEL(b, host_data, 0xffffffff);
            tick(b);
            tick(b);
            assert_int_equal(b->o.ram_write_enable, false); // it was in the clock before
            assert_int_equal(b->s.context_addr, 8 * P + f);
            assert_int_equal(b->s.context_word, fence ? 0x100 + f : 0x77);
            assert_int_equal(access_of(b, false, RING_STATUS, 0, 0, 0), 1u << f);
        }
        LEVEL(b, graphics_mqd_interrupt_valid[f], false);
    }
    for (unsigned p = 0; p < P; p++)
        assert_int_equal(b->s.eop[p], 0);
}

// Enabled bits of rings are pending, and raise irq.
RULE(end_of_pipe_bits)
{
    access_of(b, true, ENABLE, 15, 1, 0);
    access_of(b, true, RING_TEST, 15, 0xfffffff1u | 1u << LAST, 0);
    assert_int_equal(access_of(b, false, RING_TEST, 0, 0, 0), 0);
    assert_int_equal(access_of(b, false, RING_STATUS, 0, 0, 0), 1u | 1u << LAST);
    assert_false(b->o.irq);
    access_of(b, true, RING_ENABLE, 14, 0xff, 0); // not its byte
    assert_int_equal(access_of(b, false, RING_ENABLE, 0, 0, 0), 0);
    access_of(b, true, RING_ENABLE, 15, 0xf0u | 1u << LAST, 0);
    assert_int_equal(access_of(b, false, RING_ENABLE, 0, 0, 0), 1u << LAST);
    assert_true(b->o.irq);
    assert_int_equal(access_of(b, false, STATUS, 0, 0, 0), 1);
    access_of(b, true, RING_STATUS, 15, 1u << LAST, 0);
    assert_int_equal(access_of(b, false, RING_STATUS, 0, 0, 0), F > 1);
    assert_false(b->o.irq);
}

// The host reads the last int_ctxid of every ring; nothing else of the page has changed its place.
RULE(contexts)
{
    for (unsigned f = 0; f < F; f++) {
        LEVEL(b, ram_read_data, 0xc0 + f);
        LEVEL(b, host_valid, true);
        LEVEL(b, host_write, false);
        LEVEL(b, host_dword, (uint8_t)(CTXID + f));
        tick(b);
        assert_true(b->o.ram_read_enable);
        assert_int_equal(b->o.ram_read_addr, 8 * P + f);
        assert_int_equal(access_of(b, false, CTXID + f, 0, 0, 0), 0xc0 + f);
        access_of(b, true, CTXID + f, 15, 1, READ_ONLY);
    }
    access_of(b, false, 13, 0, 0, HOLE);
    access_of(b, false, CTXID + F, 0, 0, HOLE);
    b->s.dword = 64 + 8 * P - 1;
    show(b);
    assert_int_equal(b->o.ram_read_addr, 8 * P - 1);
}

// One that names an entry goes to notice, and leaves the slot's bits and int_ctxid alone. NOTICE follows its neighbour.
RULE(named_interrupts)
{
    for (unsigned named = 0; named < 2; named++) {
        LEVEL(b, fence_interrupt_valid[P - 1], true);
        LEVEL(b, fence_interrupt_word[P - 1], 0xcafe | 3ull << 32 | 0x2a5ull << 36 | (uint64_t)named << 46);
        CLOCKS_UNTIL(b, b->o.interrupt_ready[P - 1], P + F);
        tick(b);
        LEVEL(b, fence_interrupt_valid[P - 1], false);
        assert_true(b->o.notice_valid == named && b->o.ram_write_enable == !named);
        if (named)
            assert_true(b->o.notice_entry == 0x2a5 && b->o.notice_context == 0xcafe);
        assert_int_equal(b->s.eop[P - 1], 8); // of the first one
        tick(b);
        assert_false(b->o.notice_valid || b->o.ram_write_enable);
    }
    access_of(b, true, ENABLE, 15, 0x100, 0);
    assert_false(b->o.irq);
    LEVEL(b, notice_due, true);
    assert_int_equal(access_of(b, false, STATUS, 0, 0, 0), 0x100);
    assert_true(b->o.irq);
    access_of(b, true, STATUS, 15, 0x1ff, 0);
    assert_int_equal(access_of(b, false, STATUS, 0, 0, 0), 0x100);
}

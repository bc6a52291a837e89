// SPDX-License-Identifier: Apache-2.0
//
// memory_bench: totem_memory alone. Requests and responses are those of the test.

#ifndef MEMORY_BENCH_H
#define MEMORY_BENCH_H

#include "block_bench.h"

#include "totem_memory.h"

BENCH(memory)

enum {
    READERS  = TOTEM_READERS,
    STREAMS  = TOTEM_STREAMS,
    WRITERS  = TOTEM_WRITERS,
    FENCE    = STREAMS,
    FENCE_ID = TOTEM_MEMORY_FENCE_ID
};

static inline void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, m_axi_arready, true);
    LEVEL(b, m_axi_awready, true);
    LEVEL(b, m_axi_wready, true);
    for (unsigned p = 0; p < TOTEM_FE_PIPES; p++)
        LEVEL(b, fence_write_room[p], true);
}

#define RULE(name) RULE_OF(bench, open_bench, b, name)

static inline void ask(bench *b, unsigned r, uint64_t address, uint8_t beats)
{
    assert_true(b->o.read_ready[r]);
    b->i.read_valid[r] = true;
    b->i.read_addr[r]  = address;
    b->i.read_beats[r] = beats;
}

static inline void beat(bench *b, unsigned r, uint64_t data, bool last, unsigned response)
{
    b->i.m_axi_rvalid = true;
    b->i.m_axi_rid    = (uint8_t)r;
    b->i.m_axi_rdata  = data;
    b->i.m_axi_rlast  = last;
    b->i.m_axi_rresp  = (uint8_t)response;
    tick(b);
}

static inline void response(bench *b, unsigned w, unsigned code)
{
    b->i.m_axi_bvalid = true;
    b->i.m_axi_bid    = (uint8_t)w;
    b->i.m_axi_bresp  = (uint8_t)code;
    tick(b);
}

// Offers a write message until all its words are taken; returns the clocks from the offer to the last word.
static inline unsigned offer(bench *b, unsigned w, unsigned count, const uint64_t *words)
{
    unsigned clocks = 0;
    for (unsigned n = 0; n < count;) {
        b->i.write_valid[w] = true;
        b->i.write_word[w]  = words[n];
        assert_true(n == 0 || b->o.write_ready[w]);
        n += b->o.write_ready[w];
        tick(b);
        assert_true(++clocks < 60);
    }
    return clocks;
}

static inline unsigned write(bench *b, unsigned w, uint64_t address, unsigned strobe, unsigned tag, uint64_t data)
{
    const uint64_t words[2] = {address | (uint64_t)strobe << 40 | (uint64_t)tag << 48, data};
    return offer(b, w, 2, words);
}

// A burst of beats data, data + 1, ..
static inline unsigned write_burst(bench *b, unsigned w, uint64_t address, uint32_t dwords, uint64_t data)
{
    uint64_t words[18] = {address | 0xffull << 40 | 1ull << 55, dwords};
    for (unsigned n = 0; n < 16; n++)
        words[2 + n] = data + n;
    return offer(b, w, 18, words);
}

static inline void expect_data(const bench *b, unsigned r, uint64_t word, bool last, unsigned error)
{
    assert_true(b->o.data_valid);
    assert_int_equal(b->o.data_target, r);
    assert_int_equal(b->o.data_word, word);
    assert_int_equal(b->o.data_last, last);
    assert_int_equal(b->o.data_error, error);
}

static inline void expect_ack(const bench *b, unsigned w, unsigned tag, unsigned error)
{
    assert_true(b->o.ack_valid);
    assert_int_equal(b->o.ack_target, w);
    assert_int_equal(b->o.ack_tag, tag);
    assert_int_equal(b->o.ack_error, error);
}

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_portion: rules and meetings of docs/contract/portion.md. The bench is the two RAMs, a memory whose words say
// their address and how often the memory was changed, and the engines that look at every beat.

#include "block_bench.h"

#include "totem_portion.h"

BENCH(portion)

enum { E = TOTEM_SE_COUNT, FE = TOTEM_FE_COUNT, WRITES = TOTEM_PORTION_WRITES, BEATS = 8, LINE = 64, MANY = 200 };

typedef struct {
    bench    b;
    uint64_t data[64 * BEATS];
    uint32_t tag[64];
    uint8_t  version; // of all memory
    unsigned delay;   // clocks between the address of a fill and its first beat
    // memory
    bool     fill[E]; // an address was taken
    uint64_t fill_addr[E];
    unsigned fill_wait[E], fill_beat[E];
    unsigned resp[BEATS];   // of the beats of every fill
    unsigned short_by;      // beats that are missing at the end
    bool     write[WRITES]; // a write was taken
    uint64_t write_addr[WRITES];
    bool     responds; // memory answers writes
    unsigned write_resp;
    // engines
    unsigned beats[E], lasts[E], id[E], answers[E], answer_id[E], answer_resp[E];
    uint64_t word[E][BEATS]; // of the last answer
    unsigned error[E];
} portion_bench;

static uint64_t word_of(const portion_bench *t, uint64_t addr)
{
    return addr << 8 | t->version;
}

static void open_bench(portion_bench *t)
{
    memset(t, 0, sizeof *t);
    memset(t->tag, 0x5a, sizeof t->tag);
    fresh(&t->b);
    t->version  = 1;
    t->delay    = 3;
    t->responds = true;
    LEVEL(&t->b, r_ready, true);
    LEVEL(&t->b, b_ready, true);
    LEVEL(&t->b, route_ar_ready, true);
    LEVEL(&t->b, route_aw_ready, true);
}

#define RULE(name) RULE_OF(portion_bench, open_bench, t, name)

// Memory offers a beat or a response; it is seen in the same clock.
static void memory(portion_bench *t)
{
    bool beat = false;
    for (unsigned e = 0; e < E; e++) {
        if (!t->fill[e] || beat)
            continue;
        if (t->fill_wait[e] != 0) {
            t->fill_wait[e]--;
            continue;
        }
        beat                 = true;
        t->b.i.route_r_valid = true;
        t->b.i.route_r_id    = (uint8_t)e;
        t->b.i.route_r_data  = word_of(t, t->fill_addr[e] + 8 * t->fill_beat[e]);
        t->b.i.route_r_resp  = (uint8_t)t->resp[t->fill_beat[e]];
        t->b.i.route_r_last  = t->fill_beat[e] == BEATS - 1 - t->short_by;
        t->fill[e]           = !t->b.i.route_r_last;
        t->fill_beat[e]++;
    }
    for (unsigned w = 0; w < WRITES && t->responds && t->b.o.m_b_ready; w++)
        if (t->write[w]) {
            t->write[w]          = false;
            t->b.i.route_b_valid = true;
            t->b.i.route_b_id    = (uint8_t)w;
            t->b.i.route_b_resp  = (uint8_t)t->write_resp;
            break;
        }
}

static void clock_edge(portion_bench *t)
{
    const totem_portion_out *o = &t->b.o;

    memory(t);
    if (o->m_ar_valid && t->b.i.route_ar_ready) {
        assert_false(t->fill[o->m_ar_id]);
        assert_int_equal(o->m_ar_addr % LINE, 0);
        t->fill[o->m_ar_id]      = true;
        t->fill_addr[o->m_ar_id] = o->m_ar_addr;
        t->fill_wait[o->m_ar_id] = t->delay;
        t->fill_beat[o->m_ar_id] = 0;
    }
    if (o->m_aw_valid && t->b.i.route_aw_ready) {
        assert_false(t->write[o->m_aw_id]);
        t->write[o->m_aw_id]      = true;
        t->write_addr[o->m_aw_id] = o->m_aw_addr;
    }
    if (o->r_valid && t->b.i.r_ready) {
        const unsigned e = o->r_engine;
        assert_in_range(t->beats[e], 0, BEATS - 1);
        t->word[e][t->beats[e]++] = o->r_data;
        t->id[e]                  = o->r_id;
        t->error[e]               = o->r_resp;
        t->lasts[e] += o->r_last;
    }
    if (o->b_valid && t->b.i.b_ready) {
        t->answers[o->b_engine]++;
        t->answer_id[o->b_engine]   = o->b_id;
        t->answer_resp[o->b_engine] = o->b_resp;
    }
    assert_false(o->data_read_enable && o->data_write_enable && o->data_read_addr == o->data_write_addr);
    if (o->tag_read_enable)
        t->b.hold.tag_read_data = t->tag[o->tag_read_addr];
    if (o->tag_write_enable)
        t->tag[o->tag_write_addr] = o->tag_write_data;
    TICK_WITH_RAM(t, t->data, data);
}

static void clocks(portion_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static void ask(portion_bench *t, unsigned e, uint64_t addr, unsigned beats)
{
    assert_true(t->b.o.ar_ready[e]);
    t->beats[e] = t->lasts[e] = 0;
    t->b.i.engine_ar_valid[e] = true;
    t->b.i.engine_ar_id[e]    = (uint8_t)(10 + e);
    t->b.i.engine_ar_addr[e]  = addr;
    t->b.i.engine_ar_len[e]   = (uint8_t)(beats - 1);
}

static void give(portion_bench *t, unsigned e, unsigned id, uint64_t addr)
{
    assert_true(t->b.o.aw_ready[e]);
    t->b.i.engine_aw_valid[e] = true;
    t->b.i.engine_aw_id[e]    = (uint8_t)id;
    t->b.i.engine_aw_addr[e]  = addr;
    t->b.i.engine_w_data[e]   = ~addr;
    t->b.i.engine_w_strb[e]   = 0xf0;
}

static unsigned until_last(portion_bench *t, unsigned e)
{
    unsigned n = 0;
    for (; t->lasts[e] == 0; n++) {
        assert_in_range(n, 0, MANY);
        clock_edge(t);
    }
    return n;
}

// The answer of a read: its beats, from memory of that version.
static void answered(portion_bench *t, unsigned e, uint64_t addr, unsigned beats, unsigned version)
{
    assert_int_equal(t->beats[e], beats);
    assert_int_equal(t->lasts[e], 1);
    assert_int_equal(t->id[e], 10 + e);
    for (unsigned k = 0; k < beats; k++)
        assert_true(t->word[e][k] == (((addr & ~7ull) + 8 * k) << 8 | version));
}

static void reads(portion_bench *t, unsigned e, uint64_t addr, unsigned beats, unsigned version)
{
    ask(t, e, addr, beats);
    until_last(t, e);
    answered(t, e, addr, beats, version);
    assert_true(t->b.o.ar_ready[e]);
}

// Rules 3, 4, 5, 7, 8: a miss, then hits in every part of the line by every engine, with stalls of the answer.
RULE(miss_and_hits)
{
    const uint64_t addr = 0x12345678c0;
    assert_true(t->b.o.idle);
    reads(t, E - 1, addr, 8, 1);
    assert_int_equal(t->b.o.misses, 1);
    t->version = 2; // not seen: the line is valid
    for (unsigned n = 0; n < 36; n++) {
        const unsigned first = n % 8, e = n % E, beats = n % (8 - first) + 1;
        ask(t, e, addr + 8 * first, beats);
        for (unsigned k = 0; k < MANY && t->lasts[e] == 0; k++) {
            t->b.i.r_ready = (k * 5 + n) % 7 < 3;
            clock_edge(t);
        }
        answered(t, e, addr + 8 * first, beats, 1);
    }
    assert_int_equal(t->b.o.hits, 36);
    ask(t, 0, addr, 8);
    assert_in_range(until_last(t, 0), 5 + 8, 6 + 8); // the Latency of a hit
    assert_true(t->b.o.idle);
}

// The place of a line: the two low bits are folded, the others are not. Lines of one place drive each other out.
RULE(places)
{
    const uint64_t base = 0x40000;
    for (unsigned n = 0; n < 64; n++)
        reads(t, n % E, base + n * LINE, 1, 1);
    t->version = 2;
    for (unsigned n = 0; n < 64; n++)
        reads(t, 0, base + n * LINE + 56, 1, 1);
    assert_int_equal(t->b.o.hits, 64);
    reads(t, 0, base + 0x1000, 1, 2); // place 1 instead of 0
    reads(t, 0, base, 1, 1);
    reads(t, 0, base + LINE, 1, 2);   // driven out
    reads(t, 0, base + 0x4000, 1, 2); // place 0
    reads(t, 0, base, 1, 2);
    assert_int_equal(t->b.o.misses, 64 + 4);
}

// One beat a clock over several answers, whoever gets them.
RULE(throughput)
{
    reads(t, 0, 0, 8, 1);
    for (unsigned beats = 2; beats <= 8; beats++) {
        for (unsigned e = 0; e < E; e++)
            ask(t, e, 0, beats);
        clocks(t, beats * E + 6);
        for (unsigned e = 0; e < E; e++)
            answered(t, e, 0, beats, 1);
    }
}

// Rule 3: an error in any beat, and a burst of another length: the requester gets it, the line is not valid.
RULE(errors)
{
    for (unsigned k = 0; k < BEATS; k++) {
        t->resp[k] = k % 2 ? 2 : 3;
        reads(t, k % E, 0x100, 3, 1);
        assert_int_equal(t->error[k % E], k % 2 ? 2 : 3);
        t->resp[k] = 0;
    }
    t->short_by = 1;
    reads(t, 0, 0x100, 8 - 1, 1);
    assert_int_equal(t->error[0], 2);
    t->short_by = 0;
    assert_int_equal(t->b.o.refusals, BEATS + 1);
    reads(t, 0, 0x100, 3, 1);
    assert_int_equal(t->error[0], 0);
    assert_int_equal(t->b.o.misses, BEATS + 2);
    assert_int_equal(t->b.o.hits, 0);
}

// Rule 13: after any clock of a fill a snoop of one of its lines, or a flush; the requester is answered, the line is
// not valid. A snoop of another place changes nothing.
RULE(poison)
{
    for (unsigned kind = 0; kind < 4; kind++)
        for (unsigned when = 0; when < 32; when++) {
            t->b.i.flush = true;
            clock_edge(t);
            const uint32_t before = t->b.o.misses;
            ask(t, 0, 0x1040, 8);
            clocks(t, when);
            const bool looked          = t->b.o.misses != before || t->b.s.look; // the fill has started or starts now
            t->b.i.flush               = kind == 0;
            t->b.i.snoop_valid[FE - 1] = kind != 0;
            t->b.i.snoop_addr[FE - 1]  = kind == 1 ? 0x41 : kind == 2 ? 0x40 : 0x42;
            t->b.i.snoop_pair[FE - 1]  = kind != 1;
            clock_edge(t);
            if (t->lasts[0] == 0)
                until_last(t, 0);
            answered(t, 0, 0x1040, 8, 1);
            reads(t, E - 1, 0x1040, 1, 1);
            assert_int_equal(t->b.o.misses - before, kind == 3 || !looked ? 1 : 2);
        }
}

// Rule 10: a write goes to memory, empties its place, and gets its response; reads of the line wait for that.
RULE(writes)
{
    const unsigned writer = E - 1;
    reads(t, 0, 0x2000, 1, 1);
    t->responds = false;
    give(t, writer, 7, 0x2004);
    clock_edge(t);
    ask(t, writer, 0x2010, 1);
    for (unsigned n = 0; !t->b.o.m_aw_valid; n++) {
        assert_in_range(n, 0, 2);
        clock_edge(t);
    }
    assert_true(t->b.o.m_aw_addr == 0x2000 && t->b.o.m_w_data == ~0x2004ull && t->b.o.m_w_strb == 0xf0);
    if (E > 1)
        ask(t, 0, 0x2000, 1);
    clocks(t, 30);
    assert_int_equal(t->lasts[writer], 0);
    assert_int_equal(t->b.o.misses, 1);
    t->version    = 2;
    t->responds   = true;
    t->write_resp = 3;
    until_last(t, writer);
    answered(t, writer, 0x2010, 1, 2);
    if (E > 1) {
        until_last(t, 0);
        answered(t, 0, 0x2000, 1, 2);
    }
    assert_int_equal(t->answers[writer], 1);
    assert_int_equal(t->answer_id[writer], 7);
    assert_int_equal(t->answer_resp[writer], 3);
    assert_int_equal(t->b.o.refusals, 1);
}

#if TOTEM_SE_COUNT == 4 // in others engines do not meet, or fewer
// Reads of a line that is being filled wait and hit; one of another place goes past them.
RULE(waiting)
{
    t->delay = 50;
    ask(t, 0, 0x8000, 8);
    clocks(t, 8);
    ask(t, 1, 0x8008, 2);
    ask(t, 2, 0xc000, 1); // the same place, another line
    ask(t, 3, 0x8040, 1);
    clocks(t, 20);
    assert_int_equal(t->b.o.misses, 2);
    until_last(t, 2);
    answered(t, 0, 0x8000, 8, 1);
    answered(t, 2, 0xc000, 1, 1);
    until_last(t, 3);
    answered(t, 3, 0x8040, 1, 1);
    until_last(t, 1);
    answered(t, 1, 0x8008, 2, 1);
    clock_edge(t);
    assert_true(t->b.o.idle);
}

// A read behind a write of its engine and line waits, also while that write cannot be sent yet.
RULE(a_write_that_is_not_sent)
{
    reads(t, 0, 0x2000, 1, 1);
    LEVEL(&t->b, route_aw_ready, false);
    give(t, 1, 1, 0x4000);
    clocks(t, 10);
    give(t, 0, 7, 0x2004);
    clock_edge(t);
    ask(t, 0, 0x2000, 1);
    clocks(t, 30);
    assert_int_equal(t->lasts[0], 0);
    t->version = 2;
    LEVEL(&t->b, route_aw_ready, true);
    until_last(t, 0);
    answered(t, 0, 0x2000, 1, 2);
}

// Writes of other lines and IDs are in flight together, the last entry is for the one that comes first; the same ID, or
// the same line, waits.
RULE(writes_in_flight)
{
    t->responds = false;
    give(t, 0, 1, 0x100);
    clocks(t, 6);
    give(t, 0, 1, 0x200); // the same ID
    give(t, 1, 1, 0x108); // the same line
    clocks(t, 20);
    assert_false(t->b.o.aw_ready[0] || t->b.o.aw_ready[1]);
    for (unsigned n = 0; n < WRITES; n++) {
        if (t->b.o.aw_ready[2])
            give(t, 2, n, 0x1000 + n * LINE);
        clocks(t, 20);
    }
    unsigned flying = 0;
    for (unsigned w = 0; w < WRITES; w++)
        flying += t->b.s.flying[w];
    assert_int_equal(flying, WRITES - 1);
    t->responds = true;
    clocks(t, 60);
    assert_true(t->b.o.idle);
    assert_int_equal(t->answers[0], 2);
    assert_int_equal(t->answers[1], 1);
}

// Invariant 12: two engines that drive each other's line out do not keep a third from the place, and engines that write
// a line all the time do not keep a read of it waiting.
RULE(first)
{
    unsigned served = 0, own = 0;
    for (unsigned n = 0; n < 2000; n++) {
        for (unsigned e = 0; e < 2; e++)
            if (t->b.o.ar_ready[e])
                ask(t, e, 0x4000 * (e + 1), 1);
        for (unsigned e = 1; e < E; e++)
            if (t->b.o.aw_ready[e])
                give(t, e, n % 4, 0xc000);
        if (t->b.o.ar_ready[2])
            served++, ask(t, 2, 0xc000, 1);
        if (t->b.o.ar_ready[3])
            own++, ask(t, 3, 0x10000, 1);
        clock_edge(t);
    }
    assert_true(served > 10 && own > 10);
}
#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_hub: rules, latencies and meetings of docs/contract/hub.md. The bench is the primitive RAMs, and it knows in
// every clock which primitives each FIFO holds.

#include "block_bench.h"

#include "totem_hub.h"

BENCH(hub)

enum { CONVERTERS = TOTEM_SE_COUNT, DEPTH = 64, LATENCY = 4 };

typedef struct {
    bench    b;
    uint32_t ram[CONVERTERS][DEPTH];
    uint32_t pushed[CONVERTERS], popped[CONVERTERS]; // primitives so far
    unsigned wait[CONVERTERS];                       // clocks with primitives and without pop_valid
} hub_bench;

// The n-th primitive that is offered to a converter.
static uint32_t primitive(unsigned converter, uint32_t n)
{
    return (n + 1) * 0x9e3779b1u ^ converter << 30;
}

// One clock. Every primitive that leaves is the one whose turn it is, and `count` is exact.
static void clock_edge(hub_bench *h)
{
    for (unsigned c = 0; c < CONVERTERS; c++) {
        const totem_hub_out *o = &h->b.o;
        assert_int_equal(o->count[c], h->pushed[c] - h->popped[c]);
        assert_int_equal(o->push_ready[c], o->count[c] < DEPTH);
        h->wait[c] = o->count[c] != 0 && !o->pop_valid[c] ? h->wait[c] + 1 : 0;
        assert_in_range(h->wait[c], 0, LATENCY - 1);
        if (o->pop_valid[c])
            assert_int_equal(o->pop_data[c], primitive(c, h->popped[c]));
        h->b.i.push_data[c] = h->b.i.push_valid[c] ? primitive(c, h->pushed[c]) : 0xdeadbeef;
        h->pushed[c] += h->b.i.push_valid[c] && o->push_ready[c];
        h->popped[c] += h->b.i.pop_ready[c] && o->pop_valid[c];
        assert_false(o->ram_read_enable[c] && o->ram_write_enable[c] && o->ram_read_addr[c] == o->ram_write_addr[c]);
        if (o->ram_read_enable[c])
            h->b.hold.ram_read_data[c] = h->ram[c][o->ram_read_addr[c]];
        if (o->ram_write_enable[c])
            h->ram[c][o->ram_write_addr[c]] = o->ram_write_data[c];
    }
    assert_false(h->b.o.fault);
    tick(&h->b);
}

static void clocks(hub_bench *h, unsigned count)
{
    while (count--)
        clock_edge(h);
}

static void open_bench(hub_bench *h)
{
    memset(h, 0, sizeof *h);
    memset(h->ram, 0xa5, sizeof h->ram);
    fresh(&h->b);
}

// All converters at once, or one.
static void levels(hub_bench *h, bool push, bool pop)
{
    for (unsigned c = 0; c < CONVERTERS; c++) {
        LEVEL(&h->b, push_valid[c], push);
        LEVEL(&h->b, pop_ready[c], pop);
    }
}

static void fill(hub_bench *h, unsigned count)
{
    levels(h, true, false);
    clocks(h, count);
    levels(h, false, false);
}

static void drain(hub_bench *h)
{
    levels(h, false, true);
    clocks(h, DEPTH + LATENCY);
    for (unsigned c = 0; c < CONVERTERS; c++) {
        assert_int_equal(h->pushed[c], h->popped[c]);
        assert_false(h->b.o.pop_valid[c] || h->b.o.ram_read_enable[c]);
    }
    levels(h, false, false);
}

// Pushes and pops in all small rhythms, each converter in its own, up to full and down to empty: order, contents,
// count and push_ready are those of clock_edge.
TEST(rhythms)
{
    for (unsigned in = 1; in < 7; in++)
        for (unsigned out = 1; out < 7; out++)
            for (unsigned stall = 0; stall < 80; stall += 13) {
                hub_bench h;
                open_bench(&h);
                for (unsigned n = 0; n < 600; n++) {
                    for (unsigned c = 0; c < CONVERTERS; c++) {
                        h.b.i.push_valid[c] = n % (in + c) == 0 || n % 150 < 40;
                        h.b.i.pop_ready[c]  = n % (out + c / 2) == 0 && n % 200 >= stall;
                    }
                    clock_edge(&h);
                }
                drain(&h);
            }
}

// Rule 6: fault in the clock after the damage, and until reset.
static void expect_fault(hub_bench *h, bool expected)
{
    show(&h->b);
    assert_false(h->b.o.fault);
    tick(&h->b);
    assert_int_equal(h->b.o.fault, expected);
    for (unsigned c = 0; c < CONVERTERS; c++)
        h->b.s.count[c] = h->b.s.write_place[c] = h->b.s.read_place[c] = h->b.s.held[c] = h->b.s.fetched[c] = 0;
    tick(&h->b);
    assert_int_equal(h->b.o.fault, expected);
    totem_hub_reset(&h->b.s);
    show(&h->b);
    assert_false(h->b.o.fault);
}

TEST(self_check)
{
    for (unsigned c = 0; c < CONVERTERS; c++)
        for (unsigned damage = 0; damage < 8; damage++) {
            hub_bench h;
            open_bench(&h);
            fill(&h, damage == 0 ? DEPTH : 20);
            clocks(&h, 5);
            totem_hub *s = &h.b.s;
            switch (damage) {
            case 0: s->count[c] = DEPTH + 1, s->entry_valid[c] = true; break; // the stages agree: it is too many
            case 1: s->count[c]--; break;
            case 2: s->count[c]++; break;
            case 3: s->held[c]--; break;
            case 4: s->fetched[c] = false; break;
            case 5: s->entry_valid[c] = true; break;
            case 6: s->read_place[c] = (uint8_t)((s->read_place[c] + 1) % DEPTH); break;
            default: break; // nothing is wrong
            }
            expect_fault(&h, damage < 7);
        }
}

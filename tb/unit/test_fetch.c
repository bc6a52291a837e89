// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch between a memory and a reader of packets, both made of chance: rings of all sizes round and round, indirect
// buffers, packets longer than the lines, jumps, switches, failing words. Every dword delivered is compared with what the
// producer wrote there, every request with what may be read at that moment.
// Then rules, latencies and meetings of docs/contract/fetch.md one by one.

#include "block_bench.h"

#include "totem_fetch.h"
#include "totem_load.h"
#include "totem_ram.h"

BENCH(fetch)

TOTEM_RAM(line_ram, uint64_t, TOTEM_QUEUES * 32)

enum {
    QUEUES     = TOTEM_QUEUES,
    RING_PLACE = 1 << 14,
    IB_PLACE   = RING_PLACE * QUEUES,
    WORDS      = IB_PLACE + 8192,
    WAITING    = 4
};

static uint32_t words[WORDS]; // memory, in dwords
static bool     bad[WORDS];   // words that cannot be read

typedef struct {
    uint64_t addr; // dword address of its next beat
    uint32_t beats;
    uint32_t wait;
} burst;

typedef struct {
    totem_fetch     fetch;
    line_ram        ram;
    totem_fetch_in  in;
    totem_fetch_out out;
    uint64_t        seed;
    burst           bursts[WAITING];
    unsigned        waiting;
    uint32_t        latency;
    bool            steady; // every burst takes the same time
    bool            active[QUEUES];
    uint32_t        size[QUEUES]; // dwords of the ring
    uint32_t        wptr[QUEUES];
    uint32_t        rptr[QUEUES];
    bool            in_buffer[QUEUES];
    uint32_t        buffer_at[QUEUES]; // dword address
    uint32_t        buffer_left[QUEUES];
    uint32_t        reported[QUEUES];
    bool            word1;
    uint64_t        report_to;
    uint32_t        ack_wait;
} world;

static uint32_t chance(world *w, uint32_t below)
{
    w->seed ^= w->seed << 13;
    w->seed ^= w->seed >> 7;
    w->seed ^= w->seed << 17;
    return (uint32_t)(w->seed >> 16) % below;
}

static uint32_t ring_at(const world *w, unsigned q, uint32_t position)
{
    return q * RING_PLACE + (position & (w->size[q] - 1));
}

// Dword address of the dword `offset` behind the committed position.
static uint32_t place(const world *w, unsigned q, uint32_t offset)
{
    return w->in_buffer[q] ? w->buffer_at[q] + offset : ring_at(w, q, w->rptr[q] + offset);
}

static uint32_t written(const world *w, unsigned q)
{
    return w->in_buffer[q] ? w->buffer_left[q] : w->wptr[q] - w->rptr[q];
}

// A request reads words of which each has a dword that is written and not yet committed, inside 128 bytes.
static void check_request(const world *w, uint64_t addr, uint32_t beats)
{
    const unsigned q     = w->fetch.burst_queue[w->fetch.burst_count - 1];
    const uint32_t first = (uint32_t)(addr / 4);

    assert_true(beats >= 1 && addr % 128 / 8 + beats <= 16);
    assert_true(w->active[q] || (w->fetch.running && w->fetch.queue == q));
    if (!w->fetch.burst_live[w->fetch.burst_count - 1])
        return;
    for (uint32_t beat = 0; beat < beats; beat++) {
        bool wanted = false;
        for (uint32_t half = 0; half < 2; half++) {
            const uint32_t at = first + 2 * beat + half;
            uint32_t       offset;
            if (w->in_buffer[q])
                offset = at - w->buffer_at[q];
            else
                offset = (at - q * RING_PLACE - w->rptr[q]) & (w->size[q] - 1);
            wanted = wanted || (offset < written(w, q) && place(w, q, offset) == at);
        }
        assert_true(wanted);
    }
}

// One clock: the memory and the acknowledges of reports move by themselves, the rest of `in` is the caller's.
static void clock_edge(world *w)
{
    const totem_fetch_out o = w->out;

    w->in.data_valid = false;
    if (w->waiting != 0 && w->bursts[0].wait == 0 && chance(w, 4) != 0) {
        burst         *b  = &w->bursts[0];
        const uint32_t at = (uint32_t)b->addr & ~1u;
        w->in.data_valid  = true;
        w->in.data_word   = (uint64_t)words[at + 1] << 32 | words[at];
        w->in.data_error  = bad[at] ? 1 : 0;
        w->in.data_last   = --b->beats == 0;
        b->addr += 2;
        if (w->in.data_last) {
            memmove(b, b + 1, sizeof *b * (WAITING - 1));
            w->waiting--;
        }
    }
    for (unsigned n = 0; n < w->waiting; n++)
        w->bursts[n].wait -= w->bursts[n].wait > 0;

    w->in.read_ready = chance(w, 2) != 0;
    if (o.read_valid && w->in.read_ready) {
        assert_true(w->waiting < WAITING);
        w->bursts[w->waiting++] =
            (burst){o.read_addr / 4, o.read_beats, w->steady || w->latency == 0 ? w->latency : chance(w, w->latency)};
    }

    w->in.write_ack   = w->ack_wait == 1;
    w->ack_wait       = w->ack_wait > 0 ? w->ack_wait - 1 : 0;
    w->in.write_ready = chance(w, 3) == 0;
    if (o.write_valid && w->in.write_ready) {
        if (w->word1) {
            const unsigned q = w->report_to >> 48 & 7;
            assert_int_equal(w->report_to & 0xffffffffffu, (0x7000u + 64 * q) & ~7u);
            assert_true((uint32_t)o.write_word - w->reported[q] <= w->rptr[q] - w->reported[q]); // forwards only
            w->reported[q] = (uint32_t)o.write_word;
            w->ack_wait    = 1 + chance(w, 20);
        } else {
            w->report_to = o.write_word;
        }
        w->word1 = !w->word1;
    }

    line_ram_out r;
    line_ram_outputs(&w->ram, &r);
    w->in.line_read_data = r.read_data;
    const line_ram_in i  = {o.line_write_enable, o.line_write_addr, o.line_write_data, o.line_read_enable,
                            o.line_read_addr};
    for (unsigned q = 0; q < QUEUES; q++) {
        w->in.arbiter_active[q]         = w->active[q];
        w->in.arbiter_queue_priority[q] = (uint8_t)(q & 3);
    }
    const bool asking = w->fetch.read_valid;
    totem_fetch_step(&w->fetch, &w->in);
    line_ram_step(&w->ram, &i);
    totem_fetch_outputs(&w->fetch, &w->out);
    assert_true(totem_fetch_invariant(&w->fetch));
    if (!asking && w->fetch.read_valid)
        check_request(w, w->out.read_addr, w->out.read_beats);
    w->in.load_valid = w->in.arbiter_go = w->in.packet_commit = w->in.packet_open = w->in.packet_left = false;
    w->in.dword_ready                                                                                 = false;
}

static void load(world *w, unsigned q, uint8_t kind, uint64_t data)
{
    w->in.load_valid = true;
    w->in.load_queue = (uint8_t)q;
    w->in.load_kind  = kind;
    w->in.load_data  = data;
    clock_edge(w);
}

// The producer writes new dwords behind the write pointer and rings.
static void produce(world *w, unsigned q, uint32_t most)
{
    const uint32_t room  = w->size[q] - (w->wptr[q] - w->rptr[q]);
    const uint32_t count = room == 0 ? 0 : chance(w, (room < most ? room : most) + 1);

    for (uint32_t n = 0; n < count; n++)
        words[ring_at(w, q, w->wptr[q] + n)] = (uint32_t)chance(w, 0x7fffffff) << 1 | chance(w, 2);
    if (count == 0)
        return;
    w->wptr[q] += count;
    load(w, q, LOAD_WPTR, w->wptr[q]);
}

static void map(world *w, unsigned q, unsigned size, uint32_t pointer)
{
    w->size[q]      = 2u << size;
    w->rptr[q]      = pointer;
    w->wptr[q]      = pointer;
    w->reported[q]  = pointer;
    w->in_buffer[q] = false;
    load(w, q, LOAD_PQ_BASE, (uint64_t)q * RING_PLACE * 4);
    load(w, q, LOAD_PQ_CONTROL, size | 4u << 8);
    load(w, q, LOAD_RPTR, pointer);
    load(w, q, LOAD_WPTR, pointer);
    load(w, q, LOAD_REPORT_ADDR, 0x7000u + 64 * q + 4);
    w->active[q] = true;
    load(w, q, LOAD_ACTIVE, 1);
}

static void create(world *w, uint64_t seed, uint32_t latency)
{
    memset(w, 0, sizeof *w);
    memset(words, 0, sizeof words);
    memset(bad, 0, sizeof bad);
    w->seed    = seed * 0x9e3779b97f4a7c15u + 1;
    w->latency = latency;
    for (uint32_t n = IB_PLACE; n < WORDS; n++)
        words[n] = n * 2654435761u;
    totem_fetch_reset(&w->fetch);
    totem_fetch_outputs(&w->fetch, &w->out);
}

static void go(world *w, unsigned q)
{
    w->in.arbiter_go       = true;
    w->in.arbiter_selected = (uint8_t)q;
    clock_edge(w);
}

// Reads dwords until `count` have come; returns how many, fewer if one could not be read. The producers go on.
static uint32_t take(world *w, unsigned q, uint32_t from, uint32_t count)
{
    uint32_t taken = 0;

    for (uint32_t clocks = 0; taken < count; clocks++) {
        assert_true(clocks < 40000);
        if (chance(w, 40) == 0)
            produce(w, chance(w, QUEUES), 100);
        const totem_fetch_out o = w->out;
        const bool            r = chance(w, 4) != 0;
        w->in.dword_ready       = r;
        if (o.dword_valid && r) {
            const uint32_t at = place(w, q, from + taken);
            if (o.dword_error != 0) {
                assert_true(bad[at & ~1u]);
                clock_edge(w);
                return taken;
            }
            assert_int_equal(o.dword_data, words[at]);
            taken++;
        }
        clock_edge(w);
    }
    return taken;
}

static void commit(world *w, unsigned q, uint32_t count)
{
    w->in.packet_commit       = true;
    w->in.packet_commit_count = (uint16_t)count;
    if (w->in_buffer[q]) {
        w->buffer_at[q] += count;
        w->buffer_left[q] -= count;
        w->in_buffer[q] = w->buffer_left[q] != 0;
    } else {
        w->rptr[q] += count;
    }
}

static void forget_errors(world *w)
{
    for (uint32_t n = 0; n < WORDS; n++)
        bad[n] = false;
    for (unsigned q = 0; q < QUEUES; q++)
        load(w, q, LOAD_RESUME, 0);
}

static void chance_world(uint64_t seed, uint32_t latency)
{
    static world w;
    unsigned     longest = 0;

    create(&w, seed, latency);
    for (unsigned q = 0; q < QUEUES; q++)
        map(&w, q, chance(&w, 4) == 0 ? chance(&w, 4) : chance(&w, 12),
            chance(&w, 2) == 0 ? 0xffffff00u + q : chance(&w, 1000));

    for (unsigned turn = 0; turn < 300; turn++) {
        const unsigned q = chance(&w, QUEUES);
        produce(&w, q, w.size[q]);
        if (written(&w, q) == 0)
            continue;
        const bool failing = chance(&w, 8) == 0;
        if (failing)
            bad[place(&w, q, chance(&w, written(&w, q))) & ~1u] = true;
        go(&w, q);
        uint32_t ahead = 0; // dwords taken beyond the committed position
        for (unsigned packet = 0; packet < 12 && written(&w, q) > ahead; packet++) {
            const uint32_t left = written(&w, q) - ahead;
            uint32_t       most = chance(&w, 6) == 0 ? 400 : 12;
            most                = left < most ? left : most;
            const uint32_t want = 1 + chance(&w, most);
            const uint32_t got  = take(&w, q, ahead, want);
            ahead += got;
            longest = ahead > longest ? ahead : longest;
            assert_int_equal(w.out.available, written(&w, q));
            assert_int_equal(w.out.in_buffer, w.in_buffer[q]);
            assert_int_equal(w.out.position, (uint64_t)place(&w, q, 0) * 4);
            if (got != want)
                break;
            switch (chance(&w, 6)) {
            case 0: // an indirect buffer opens behind the packet
                commit(&w, q, ahead);
                w.in.packet_open      = true;
                w.buffer_at[q]        = (uint32_t)IB_PLACE + chance(&w, 4096);
                w.buffer_left[q]      = 1 + chance(&w, 200);
                w.in.packet_open_addr = (uint64_t)w.buffer_at[q] * 4;
                w.in.packet_open_size = w.buffer_left[q];
                w.in_buffer[q]        = true;
                w.in.dword_ready      = true; // what comes in this clock is forgotten
                clock_edge(&w);
                assert_false(w.out.dword_valid);
                ahead = 0;
                break;
            case 1: { // a jump over dwords that were not taken
                const uint32_t skip = ahead + 1 + chance(&w, 60);
                if (skip > written(&w, q))
                    break;
                commit(&w, q, skip);
                w.in.dword_ready = true;
                clock_edge(&w);
                assert_false(w.out.dword_valid);
                ahead = 0;
                break;
            }
            case 2: break; // a longer packet
            default: {
                const uint32_t count = 1 + chance(&w, ahead);
                commit(&w, q, count);
                clock_edge(&w);
                ahead -= count;
                break;
            }
            }
            assert_int_equal(w.out.rptr[q], w.rptr[q]);
        }
        w.in.packet_left = true;
        w.in.dword_ready = chance(&w, 2) != 0;
        clock_edge(&w);
        if (failing)
            forget_errors(&w);
    }
    assert_true(longest > 64);
    for (unsigned n = 0; n < 4000; n++)
        clock_edge(&w);
    assert_false(w.out.busy);
    for (unsigned q = 0; q < QUEUES; q++) // a switch reports
        assert_true(w.reported[q] == w.rptr[q]);
}

static void every_dword_is_the_right_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++)
        chance_world(seed, seed % 3 == 0 ? 0 : seed % 3 == 1 ? 20 : 200);
}

// A line on chip: the first dword 3 clocks after go, then one in every clock, through the lines and beyond.
static void first_dword_and_rate(void **state)
{
    static world w;

    (void)state;
    create(&w, 99, 1);
    map(&w, 1, 9, 5);
    for (uint32_t n = 0; n < 300; n++)
        words[ring_at(&w, 1, 5 + n)] = n;
    w.wptr[1] = 305;
    load(&w, 1, LOAD_WPTR, 305);
    for (unsigned n = 0; n < 200; n++)
        clock_edge(&w);
    assert_true(w.out.line[1] && w.out.pending[1]);
    assert_true(w.fetch.have[1] >= 16);

    go(&w, 1);
    unsigned clocks = 1;
    for (; !w.out.dword_valid; clocks++)
        clock_edge(&w);
    assert_int_equal(clocks, 3);
    for (uint32_t n = 0; n < w.fetch.have[1]; n++) {
        assert_true(w.out.dword_valid);
        assert_int_equal(w.out.dword_data, n);
        w.in.dword_ready = true;
        clock_edge(&w);
    }
}

// A queue that is not running is fetched although the running one wants every burst: both get on.
static void nobody_starves(void **state)
{
    static world w;

    (void)state;
    create(&w, 7, 24);
    w.steady = true;
    map(&w, 0, 11, 0);
    map(&w, 1, 11, 0);
    go(&w, 0);
    unsigned clocks = 0;
    uint32_t at     = 0;
    bool     took   = false;
    for (; clocks < 2000 && !w.out.line[1]; clocks++) {
        if (took) // every dword is a packet of its own
            commit(&w, 0, 1);
        took             = w.out.dword_valid;
        w.in.dword_ready = took;
        at += took;
        if (clocks == 500) {
            w.wptr[1] = 1;
            load(&w, 1, LOAD_WPTR, 1);
        } else { // doorbells as fast as there is something new to be asked for when a burst ends
            w.wptr[0] += clocks % 3 == 0 && w.wptr[0] - w.rptr[0] < w.size[0];
            load(&w, 0, LOAD_WPTR, w.wptr[0]);
        }
    }
    assert_true(w.out.line[1]);
    assert_true(at > 20);
    assert_true(clocks < 1000);
}

// ---- the rules one by one, clock by clock

enum { QUIET = 1 << 27 };

#define BASE 0xabcdef00u // ring base, byte address [39:8]
#define RING ((uint64_t)BASE << 8)

typedef struct {
    bench    b;
    uint64_t ram[QUEUES * 32];
} lines;

static void edge(lines *l)
{
    const totem_fetch_out o    = l->b.o;
    const uint64_t        read = o.line_read_enable ? l->ram[o.line_read_addr] : l->b.hold.line_read_data;
    if (o.line_write_enable)
        l->ram[o.line_write_addr] = o.line_write_data;
    tick(&l->b);
    LEVEL(&l->b, line_read_data, read);
    assert_true(totem_fetch_invariant(&l->b.s));
}

static void edges(lines *l, unsigned count)
{
    while (count--)
        edge(l);
}

static void send(lines *l, unsigned q, uint8_t kind, uint64_t data)
{
    l->b.i.load_valid = true;
    l->b.i.load_queue = (uint8_t)q;
    l->b.i.load_kind  = kind;
    l->b.i.load_data  = data;
    edge(l);
}

static void ring_of(lines *l, unsigned q, uint32_t control, uint32_t pointer)
{
    LEVEL(&l->b, arbiter_active[q], false);
    send(l, q, LOAD_PQ_BASE, RING);
    send(l, q, LOAD_PQ_CONTROL, control);
    send(l, q, LOAD_RPTR, pointer);
    send(l, q, LOAD_WPTR, pointer);
    send(l, q, LOAD_REPORT_ADDR, 0);
    LEVEL(&l->b, arbiter_active[q], true);
}

// A queue with `count` dwords, all on chip: dword k reads k + 1000.
static void filled(lines *l, unsigned q, uint32_t count)
{
    memset(l, 0, sizeof *l);
    fresh(&l->b);
    ring_of(l, q, 9 | 31u << 8, 0);
    for (uint32_t n = 0; n < 64; n += 2)
        l->ram[q << 5 | n >> 1] = (uint64_t)(n + 1001) << 32 | (n + 1000);
    l->b.s.have[q] = (uint8_t)count;
    send(l, q, LOAD_WPTR, count);
}

static void selects(lines *l, unsigned q)
{
    l->b.i.arbiter_go       = true;
    l->b.i.arbiter_selected = (uint8_t)q;
    edge(l);
}

static void takes(lines *l, uint32_t first, uint32_t count)
{
    for (uint32_t n = first; n < first + count; n++) {
        assert_true(l->b.o.dword_valid);
        assert_int_equal(l->b.o.dword_data, n + 1000);
        assert_int_equal(l->b.o.dword_error, 0);
        l->b.i.dword_ready = true;
        edge(l);
    }
}

static void beat_of(lines *l, uint64_t word, bool last, uint8_t error)
{
    l->b.i.data_valid = true;
    l->b.i.data_word  = word;
    l->b.i.data_last  = last;
    l->b.i.data_error = error;
    edge(l);
}

// The sources' switch: nothing is fetched for a queue that is not running; MOVED drops lines.
static void switch_through_memory(void **state)
{
    static lines l;
    (void)state;
    memset(&l, 0, sizeof l);
    fresh(&l.b);
    ring_of(&l, 1, 9 | 31u << 8, 0);
    LEVEL(&l.b, settings_mqd_save, true);
    send(&l, 1, LOAD_WPTR, 20);
    for (unsigned n = 0; n < 20; n++) {
        assert_false(l.b.o.read_valid);
        edge(&l);
    }
    selects(&l, 1);
    edges(&l, 2);
    assert_true(l.b.o.read_valid);
    filled(&l, 1, 20);
    assert_true(l.b.o.line[1]);
    LEVEL(&l.b, settings_mqd_save, true);
    send(&l, 0, LOAD_MOVED, 2);
    assert_true(l.b.o.line[1]);
    send(&l, 1, LOAD_MOVED, 2);
    assert_false(l.b.o.line[1]);
    assert_true(l.b.o.pending[1]);
    edges(&l, 10);
    assert_false(l.b.o.read_valid || l.b.o.line[1]);
}

// Three clocks after the write pointer the request stands there; how long it is.
static void request_behind_a_write_pointer(void **state)
{
    static const struct {
        uint32_t size, rptr, wptr, place, beats;
    } rows[] = {
        {9, 0, 1, 0, 1},
        {9, 1, 2, 0, 1},
        {9, 1, 3, 0, 2},
        {9, 0, 32, 0, 16},
        {9, 0, 100, 0, 16},
        {9, 5, 100, 4, 14},
        {9, 31, 100, 30, 1},
        {9, 64, 70, 64, 3},
        {9, 1023, 1030, 1022, 1},
        {9, 1030, 1031, 6, 1},
        {3, 10, 26, 10, 3},
        {3, 0, 16, 0, 8},
        {9, 0xfffffffe, 4, 1022, 1},
        {31, 0xfffffffe, 4, 0xfffffffe, 1},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        static lines l;
        memset(&l, 0, sizeof l);
        fresh(&l.b);
        ring_of(&l, 1, rows[n].size, rows[n].rptr);
        send(&l, 1, LOAD_WPTR, rows[n].wptr);
        assert_true(l.b.o.pending[1]);
        assert_false(l.b.o.read_valid);
        edge(&l);
        assert_false(l.b.o.read_valid);
        edge(&l);
        for (unsigned k = 0; k < 3; k++) { // held
            assert_true(l.b.o.read_valid);
            assert_int_equal(l.b.o.read_addr, (RING + (uint64_t)rows[n].place * 4) & 0xffffffffff);
            assert_int_equal(l.b.o.read_beats, rows[n].beats);
            edge(&l);
        }
        l.b.i.read_ready = true;
        edge(&l);
        assert_false(l.b.o.read_valid);
    }
}

static void last_beat_to_the_line(void **state)
{
    static lines l;
    (void)state;
    memset(&l, 0, sizeof l);
    fresh(&l.b);
    ring_of(&l, 1, 9, 3);
    LEVEL(&l.b, read_ready, true);
    send(&l, 1, LOAD_WPTR, 6);
    edges(&l, 3);
    beat_of(&l, 0x1111111100000000, false, 0);
    assert_true(l.b.o.line_write_enable); // in the clock after
    assert_int_equal(l.b.o.line_write_addr, 1 << 5 | 1);
    assert_int_equal(l.b.o.line_write_data, 0x1111111100000000);
    beat_of(&l, 0x3333333322222222, true, 0);
    assert_int_equal(l.b.o.line_write_addr, 1 << 5 | 2);
    assert_int_equal(l.b.s.have[1], 1); // the odd start
    edge(&l);
    assert_int_equal(l.b.s.have[1], 3); // two clocks behind the last beat
    assert_true(l.b.o.line[1]);
    edges(&l, 5);
    assert_false(l.b.o.read_valid); // all is here
    selects(&l, 1);
    edges(&l, 1);
    assert_false(l.b.o.dword_valid);
    edge(&l);
    static const uint32_t expected[] = {0x11111111, 0x22222222, 0x33333333};
    for (unsigned n = 0; n < 3; n++) {
        assert_true(l.b.o.dword_valid);
        assert_int_equal(l.b.o.dword_data, expected[n]);
        l.b.i.dword_ready = true;
        edge(&l);
    }
    assert_false(l.b.o.dword_valid);
}

// Near the end of 128 bytes the next burst is asked for behind the first, and the queue is ready with 8 dwords, or with all of them.
static void line_reaches_into_the_next(void **state)
{
    (void)state;
    for (uint32_t written = 1; written <= 20; written++) {
        static lines l;
        memset(&l, 0, sizeof l);
        fresh(&l.b);
        ring_of(&l, 1, 9, 28);
        LEVEL(&l.b, read_ready, true);
        send(&l, 1, LOAD_WPTR, 28 + written);
        unsigned beats[2] = {0}, asked = 0;
        for (unsigned n = 0; n < 10; n++) { // no beat has come yet
            if (l.b.o.read_valid && asked < 2)
                beats[asked++] = l.b.o.read_beats;
            edge(&l);
        }
        assert_int_equal(asked, written > 4 ? 2 : 1);
        for (unsigned have = 0, e = 0; e < asked; e++)
            for (unsigned k = 0; k < beats[e]; k++) {
                assert_int_equal(l.b.s.have[1], have);
                assert_int_equal(l.b.o.line[1], have >= 8 || have == written);
                beat_of(&l, 0, k + 1 == beats[e], 0);
                edges(&l, 2);
                have += have + 2 <= written ? 2 : 1;
            }
        assert_int_equal(l.b.s.have[1], written);
        assert_true(l.b.o.line[1]);
    }
}

static void write_pointer_does_not_go_back(void **state)
{
    static lines l;
    (void)state;
    memset(&l, 0, sizeof l);
    fresh(&l.b);
    ring_of(&l, 1, 9, 0xfffffff0);
    send(&l, 1, LOAD_WPTR, 8);
    assert_int_equal(l.b.o.wptr[1], 8);
    send(&l, 1, LOAD_WPTR, 7);
    assert_int_equal(l.b.o.wptr[1], 8);
    send(&l, 1, LOAD_WPTR, 0xfffffff0);
    assert_int_equal(l.b.o.wptr[1], 8);
    send(&l, 1, LOAD_WPTR, 9);
    assert_int_equal(l.b.o.wptr[1], 9);
    LEVEL(&l.b, arbiter_active[1], false);
    send(&l, 1, LOAD_WPTR, 7);
    assert_int_equal(l.b.o.wptr[1], 7);
}

// ---- commits

static void commit_meets_a_transfer(void **state)
{
    static lines l;
    (void)state;
    filled(&l, 1, 40);
    selects(&l, 1);
    assert_false(l.b.o.dword_valid);
    edges(&l, 2);
    takes(&l, 0, 3);
    l.b.i.packet_commit       = true;
    l.b.i.packet_commit_count = 2;
    takes(&l, 3, 1); // counts as delivered beyond
    assert_int_equal(l.b.o.rptr[1], 2);
    assert_int_equal(l.b.o.position, RING + 8);
    assert_int_equal(l.b.o.available, 38);
    assert_int_equal(l.b.s.given, 2);
    takes(&l, 4, 6);
    l.b.i.packet_commit       = true; // exactly what was given before
    l.b.i.packet_commit_count = 8;
    takes(&l, 10, 1);
    assert_int_equal(l.b.o.rptr[1], 10);
    takes(&l, 11, 29); // one in every clock
    assert_false(l.b.o.dword_valid);
}

static void jump_meets_a_transfer(void **state)
{
    static lines l;
    (void)state;
    filled(&l, 1, 40);
    selects(&l, 1);
    edges(&l, 2);
    takes(&l, 0, 3);
    l.b.i.packet_commit       = true;
    l.b.i.packet_commit_count = 4; // one more than was given
    takes(&l, 3, 1);               // forgotten
    assert_false(l.b.o.dword_valid);
    assert_int_equal(l.b.o.rptr[1], 4);
    assert_int_equal(l.b.s.given, 0);
    assert_true(l.b.o.line[1]);
    edge(&l);
    assert_false(l.b.o.dword_valid);
    edge(&l);
    takes(&l, 4, 36); // what is on chip stays
    assert_int_equal(l.b.s.given, 36);
}

static void left_meets_a_transfer(void **state)
{
    static lines l;
    (void)state;
    filled(&l, 1, 40);
    selects(&l, 1);
    edges(&l, 2);
    takes(&l, 0, 3);
    l.b.i.packet_left = true;
    takes(&l, 3, 1);
    assert_false(l.b.o.dword_valid);
    edges(&l, 5);
    assert_false(l.b.o.dword_valid || l.b.o.line_read_enable);
    selects(&l, 1);
    edges(&l, 2);
    takes(&l, 0, 40);
}

static void buffer_opens_and_ends(void **state)
{
    static lines l;
    (void)state;
    filled(&l, 1, 40);
    selects(&l, 1);
    edges(&l, 2);
    takes(&l, 0, 4);
    l.b.i.packet_commit = l.b.i.packet_open = true;
    l.b.i.packet_commit_count               = 4;
    l.b.i.packet_open_addr                  = 0x1234567894;
    l.b.i.packet_open_size                  = 5;
    takes(&l, 4, 1);
    assert_false(l.b.o.dword_valid || l.b.o.line[1]);
    assert_true(l.b.o.in_buffer && l.b.o.pending[1]);
    assert_int_equal(l.b.o.position, 0x1234567894);
    assert_int_equal(l.b.o.available, 5);
    assert_int_equal(l.b.o.rptr[1], 4);
    edge(&l);
    assert_false(l.b.o.read_valid);
    edge(&l);
    assert_true(l.b.o.read_valid);
    assert_int_equal(l.b.o.read_addr, 0x1234567890);
    assert_int_equal(l.b.o.read_beats, 3);
    l.b.i.packet_commit       = true;
    l.b.i.packet_commit_count = 2;
    edge(&l);
    assert_int_equal(l.b.o.position, 0x123456789c);
    assert_int_equal(l.b.o.available, 3);
    l.b.i.packet_commit       = true;
    l.b.i.packet_commit_count = 3;
    edge(&l);
    assert_false(l.b.o.in_buffer);
    assert_int_equal(l.b.o.position, RING + 16);
    assert_int_equal(l.b.o.available, 36);
    assert_int_equal(l.b.o.rptr[1], 4);
}

// ---- words that cannot be read, lines that are dropped

static void failing_beat_meets_another_burst(void **state)
{
    static lines l;
    (void)state;
    for (uint8_t error = 1; error <= 3; error++) {
        memset(&l, 0, sizeof l);
        fresh(&l.b);
        ring_of(&l, 1, 9, 0);
        LEVEL(&l.b, read_ready, true);
        selects(&l, 1);
        send(&l, 1, LOAD_WPTR, 64);
        edges(&l, 8); // both bursts are asked for
        assert_int_equal(l.b.s.burst_count, 2);
        beat_of(&l, 0x000003e9000003e8, false, 0);
        beat_of(&l, 0x5555555555555555, true, error);
        assert_false(l.b.o.line_write_enable);
        assert_false(l.b.s.burst_live[0]);
        edge(&l);
        beat_of(&l, 0x6666666666666666, true, 0); // thrown away
        assert_false(l.b.o.line_write_enable);
        assert_true(l.b.o.line[1]);
        takes(&l, 0, 2);
        while (!l.b.o.dword_valid)
            edge(&l);
        for (unsigned n = 0; n < 6; n++) { // again and again, and nothing is fetched
            assert_true(l.b.o.dword_valid);
            assert_int_equal(l.b.o.dword_error, error);
            assert_false(l.b.o.read_valid);
            l.b.i.dword_ready = true;
            edge(&l);
        }
        l.b.i.packet_left = true;
        edge(&l);
        assert_true(l.b.o.line[1]);
        send(&l, 1, LOAD_RESUME, 0);
        assert_false(l.b.o.line[1]);
        edges(&l, 2);
        assert_true(l.b.o.read_valid);
        assert_int_equal(l.b.o.read_addr, RING);
    }
}

// The failing beat need not be the last; the other burst may be asked for in its clock.
static void failing_beat_amid_a_burst(void **state)
{
    static lines l;
    (void)state;
    for (unsigned asked = 0; asked < 2; asked++) {
        memset(&l, 0, sizeof l);
        fresh(&l.b);
        ring_of(&l, 1, 9, 0);
        LEVEL(&l.b, read_ready, true);
        selects(&l, 1);
        send(&l, 1, LOAD_WPTR, 64);
        for (unsigned n = 0; l.b.s.burst_count < 2 - asked; n++) {
            assert_true(n < 10);
            edge(&l);
        }
        for (unsigned n = 0; asked && (l.b.o.read_valid || !l.b.s.pick_valid); n++) {
            assert_true(n < 10);
            edge(&l);
        }
        beat_of(&l, 0, false, 1);
        assert_int_equal(l.b.s.burst_count, 2);
        assert_false(l.b.s.burst_live[0] || l.b.s.burst_live[1]);
    }
}

static void drop_meets_a_beat(void **state)
{
    (void)state;
    for (unsigned after = 0; after < 2; after++) { // the beat, its landing
        static lines l;
        memset(&l, 0, sizeof l);
        fresh(&l.b);
        ring_of(&l, 1, 9, 0);
        LEVEL(&l.b, read_ready, true);
        send(&l, 1, LOAD_WPTR, 2);
        edges(&l, 3);
        if (after)
            beat_of(&l, 1, true, 0);
        l.b.i.data_valid = l.b.i.data_last = !after;
        send(&l, 1, LOAD_RESUME, 0);
        assert_false(l.b.o.line[1]);
        edges(&l, 2);
        assert_false(l.b.o.line[1]);
        assert_true(l.b.o.read_valid); // asked for again
    }
}

static void drop_meets_a_request(void **state)
{
    static lines l;
    (void)state;
    memset(&l, 0, sizeof l);
    fresh(&l.b);
    ring_of(&l, 1, 9, 0);
    send(&l, 1, LOAD_WPTR, 2);
    edge(&l);
    send(&l, 1, LOAD_RESUME, 0);
    assert_true(l.b.o.read_valid); // asked for all the same
    assert_int_equal(l.b.s.burst_count, 1);
    l.b.i.read_ready = true;
    edge(&l);
    beat_of(&l, 1, true, 0);
    assert_false(l.b.o.line_write_enable); // its response is thrown away
}

static void write_pointer_meets_a_request(void **state)
{
    static lines l;
    (void)state;
    memset(&l, 0, sizeof l);
    fresh(&l.b);
    ring_of(&l, 1, 9, 0);
    send(&l, 1, LOAD_WPTR, 1);
    edge(&l);
    send(&l, 1, LOAD_WPTR, 9);
    assert_true(l.b.o.read_valid);
    assert_int_equal(l.b.o.read_beats, 1); // the old one
}

// Of queues that do not run the one of the highest priority, then in turn.
static void order_of_requests(void **state)
{
    static lines   l;
    const unsigned order[] = {3, 2, 0, 1};
    (void)state;
    memset(&l, 0, sizeof l);
    fresh(&l.b);
    for (unsigned q = 0; q < 4; q++)
        ring_of(&l, q, 9, 0);
    for (unsigned q = 0; q < 4; q++) // all at once
        l.b.s.wptr[q] = 2;
    show(&l.b);
    LEVEL(&l.b, arbiter_queue_priority[3], 9);
    l.b.s.last = 0;
    for (unsigned n = 0; n < 4; n++) {
        for (unsigned k = 0; !l.b.o.read_valid; k++) {
            assert_true(k < 5);
            edge(&l);
        }
        assert_int_equal(l.b.s.burst_queue[l.b.s.burst_count - 1], order[n]);
        if (n == 0)
            l.b.s.last = 1; // the turn of the others from there
        l.b.i.read_ready = true;
        edge(&l);
        beat_of(&l, 0, true, 0);
    }
}

// ---- reports

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
        cmocka_unit_test(every_dword_is_the_right_one),
        cmocka_unit_test(first_dword_and_rate),
        cmocka_unit_test(nobody_starves),
        cmocka_unit_test(switch_through_memory),
        cmocka_unit_test(request_behind_a_write_pointer),
        cmocka_unit_test(last_beat_to_the_line),
        cmocka_unit_test(line_reaches_into_the_next),
        cmocka_unit_test(write_pointer_does_not_go_back),
        cmocka_unit_test(commit_meets_a_transfer),
        cmocka_unit_test(jump_meets_a_transfer),
        cmocka_unit_test(left_meets_a_transfer),
        cmocka_unit_test(buffer_opens_and_ends),
        cmocka_unit_test(failing_beat_meets_another_burst),
        cmocka_unit_test(failing_beat_amid_a_burst),
        cmocka_unit_test(drop_meets_a_beat),
        cmocka_unit_test(drop_meets_a_request),
        cmocka_unit_test(write_pointer_meets_a_request),
        cmocka_unit_test(order_of_requests),
        cmocka_unit_test(report_goes_out),
        cmocka_unit_test(failed_report_of_an_earlier_mapping),
        cmocka_unit_test(when_a_queue_reports),
        cmocka_unit_test(report_meets_the_next_commit),
    };

    return cmocka_run_group_tests_name("fetch", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch between a memory and a reader of packets, both made of chance: rings of all sizes round and round,
// indirect buffers, packets longer than the lines, jumps, switches, failing words. Every dword delivered is compared
// with what the producer wrote there, every request with what may be read at that moment.

#include "fetch_bench.h"

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
    uint32_t addr; // dword address of its next beat
    uint32_t beats, wait;
} burst;

typedef struct {
    uint32_t size, wptr, rptr; // dwords of the ring
    bool     in_buffer;
    uint32_t buffer_at, buffer_left; // dword address, dwords
} queue;

typedef struct {
    lines    l;
    uint64_t seed;
    burst    bursts[WAITING];
    unsigned waiting;
    uint32_t latency;
    bool     steady; // every burst takes the same time
    queue    queues[QUEUES];
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
    return q * RING_PLACE + (position & (w->queues[q].size - 1));
}

// Dword address of the dword `offset` behind the committed position.
static uint32_t place(const world *w, unsigned q, uint32_t offset)
{
    const queue *k = &w->queues[q];
    return k->in_buffer ? k->buffer_at + offset : ring_at(w, q, k->rptr + offset);
}

static uint32_t written(const world *w, unsigned q)
{
    const queue *k = &w->queues[q];
    return k->in_buffer ? k->buffer_left : k->wptr - k->rptr;
}

// A request reads words of which each has a dword that is written and not yet committed, inside 128 bytes.
static void check_request(const world *w, uint64_t addr, uint32_t beats)
{
    const totem_fetch *s     = &w->l.b.s;
    const unsigned     q     = s->burst_queue[s->burst_count - 1];
    const uint32_t     first = (uint32_t)(addr / 4);

    assert_true(beats >= 1 && addr % 128 / 8 + beats <= 16);
    for (uint32_t beat = 0; beat < beats && s->burst_live[s->burst_count - 1]; beat++) {
        bool wanted = false;
        for (uint32_t at = first + 2 * beat; at < first + 2 * beat + 2; at++) {
            const queue   *k      = &w->queues[q];
            const uint32_t ring   = (at - q * RING_PLACE - k->rptr) & (k->size - 1);
            const uint32_t offset = k->in_buffer ? at - k->buffer_at : ring;
            wanted                = wanted || (offset < written(w, q) && place(w, q, offset) == at);
        }
        assert_true(wanted);
    }
}

// One clock: the memory moves by itself, the rest of the inputs is the caller's.
static void step(world *w)
{
    bench *b = &w->l.b;
    if (w->waiting != 0 && w->bursts[0].wait == 0 && chance(w, 4) != 0) {
        burst         *first = &w->bursts[0];
        const uint32_t at    = first->addr & ~1u;
        b->i.data_valid      = true;
        b->i.data_word       = (uint64_t)words[at + 1] << 32 | words[at];
        b->i.data_error      = bad[at] ? 1 : 0;
        b->i.data_last       = --first->beats == 0;
        first->addr += 2;
        if (b->i.data_last)
            memmove(first, first + 1, sizeof *first * (--w->waiting));
    }
    for (unsigned n = 0; n < w->waiting; n++)
        w->bursts[n].wait -= w->bursts[n].wait > 0;
    b->i.read_ready = chance(w, 2) != 0;
    if (b->o.read_valid && b->i.read_ready) {
        const uint32_t wait = w->steady || w->latency == 0 ? w->latency : chance(w, w->latency);
        assert_true(w->waiting < WAITING);
        w->bursts[w->waiting++] = (burst){(uint32_t)(b->o.read_addr / 4), b->o.read_beats, wait};
    }
    const bool asking = b->o.read_valid;
    edge(&w->l);
    if (!asking && b->o.read_valid)
        check_request(w, b->o.read_addr, b->o.read_beats);
}

static void load(world *w, unsigned q, uint8_t kind, uint64_t data)
{
    LOAD_WORD(&w->l.b, q, kind, data);
    step(w);
}

// The producer writes new dwords behind the write pointer and rings.
static void produce(world *w, unsigned q, uint32_t most)
{
    queue         *k     = &w->queues[q];
    const uint32_t room  = k->size - (k->wptr - k->rptr);
    const uint32_t count = room == 0 ? 0 : chance(w, (room < most ? room : most) + 1);

    for (uint32_t n = 0; n < count; n++)
        words[ring_at(w, q, k->wptr + n)] = (uint32_t)chance(w, 0x7fffffff) << 1 | chance(w, 2);
    k->wptr += count;
    load(w, q, LOAD_WPTR, k->wptr);
}

static void map(world *w, unsigned q, unsigned size, uint32_t pointer)
{
    w->queues[q] = (queue){.size = 2u << size, .rptr = pointer, .wptr = pointer};
    ring_of(&w->l, q, size | 4u << 8, pointer);
    load(w, q, LOAD_PQ_BASE, (uint64_t)q * RING_PLACE * 4);
    LEVEL(&w->l.b, arbiter_queue_priority[q], (uint8_t)(q & 3));
}

static void create(world *w, uint64_t seed, uint32_t latency)
{
    memset(w, 0, sizeof *w);
    memset(bad, 0, sizeof bad);
    w->seed    = seed * 0x9e3779b97f4a7c15u + 1;
    w->latency = latency;
    for (uint32_t n = 0; n < WORDS; n++)
        words[n] = n * 2654435761u;
    open_bench(&w->l);
}

static void go(world *w, unsigned q)
{
    w->l.b.i.arbiter_go       = true;
    w->l.b.i.arbiter_selected = (uint8_t)q;
    step(w);
}

// Reads dwords until `count` have come; returns how many, fewer if one could not be read. The producers go on.
static uint32_t take(world *w, unsigned q, uint32_t from, uint32_t count)
{
    const totem_fetch_out *o     = &w->l.b.o;
    uint32_t               taken = 0;

    for (uint32_t clocks = 0; taken < count; clocks++, step(w)) {
        assert_true(clocks < 40000);
        if (chance(w, 40) == 0)
            produce(w, chance(w, QUEUES), 100);
        w->l.b.i.packet_dword_ready = chance(w, 4) != 0;
        if (!o->dword_valid || !w->l.b.i.packet_dword_ready)
            continue;
        const uint32_t at = place(w, q, from + taken);
        if (o->dword_error != 0) {
            assert_true(bad[at & ~1u]);
            for (unsigned n = 1 + chance(w, 6); n > 0;
                 n--, step(w)) // taken or not, it is that one's address that counts
                assert_int_equal(o->fault_position, (uint64_t)at * 4);
            return taken;
        }
        assert_int_equal(o->dword_data, words[at]);
        taken++;
    }
    return taken;
}

// In this clock; what comes in it is forgotten by a jump.
static void commit(world *w, unsigned q, uint32_t count)
{
    queue *k                     = &w->queues[q];
    w->l.b.i.packet_commit       = true;
    w->l.b.i.packet_commit_count = (uint16_t)count;
    k->rptr += k->in_buffer ? 0 : count;
    k->buffer_at += count;
    k->buffer_left -= count;
    k->in_buffer = k->in_buffer && k->buffer_left != 0;
}

// Behind a packet, `ahead` dwords beyond the committed position; how many are then.
static uint32_t goes_on(world *w, unsigned q, uint32_t ahead)
{
    enum { BUFFER, JUMP, LONGER, WAYS = 6 };
    const uint32_t way = chance(w, WAYS), jump = ahead + 1 + chance(w, 60), count = 1 + chance(w, ahead);

    if (way == LONGER || (way == JUMP && jump > written(w, q)))
        return ahead;
    commit(w, q, way == BUFFER ? ahead : way == JUMP ? jump : count);
    if (way == BUFFER) {
        queue *k                  = &w->queues[q];
        k->in_buffer              = true;
        k->buffer_at              = (uint32_t)IB_PLACE + chance(w, 4096);
        k->buffer_left            = 1 + chance(w, 200);
        w->l.b.i.packet_open      = true;
        w->l.b.i.packet_open_addr = (uint64_t)k->buffer_at * 4;
        w->l.b.i.packet_open_size = k->buffer_left;
    }
    w->l.b.i.packet_dword_ready = way == BUFFER || way == JUMP;
    step(w);
    if (way != BUFFER && way != JUMP)
        return ahead - count;
    assert_false(w->l.b.o.dword_valid);
    return 0;
}

static void chance_world(uint64_t seed, uint32_t latency)
{
    static world           w;
    const totem_fetch_out *o       = &w.l.b.o;
    unsigned               longest = 0;

    create(&w, seed, latency);
    for (unsigned q = 0; q < QUEUES; q++)
        map(&w, q, chance(&w, 4) == 0 ? chance(&w, 4) : chance(&w, 12),
            chance(&w, 2) == 0 ? 0xffffff00u + q : chance(&w, 1000));
    for (unsigned turn = 0; turn < 300; turn++) {
        const unsigned q = chance(&w, QUEUES);
        produce(&w, q, w.queues[q].size);
        if (written(&w, q) == 0)
            continue;
        const bool failing = chance(&w, 8) == 0;
        if (failing)
            bad[place(&w, q, chance(&w, written(&w, q))) & ~1u] = true;
        go(&w, q);
        uint32_t ahead = 0; // dwords taken beyond the committed position
        for (unsigned packet = 0; packet < 12 && written(&w, q) > ahead; packet++) {
            const uint32_t left = written(&w, q) - ahead, most = chance(&w, 6) == 0 ? 400 : 12;
            const uint32_t want = 1 + chance(&w, left < most ? left : most);
            const uint32_t got  = take(&w, q, ahead, want);
            ahead += got;
            longest = ahead > longest ? ahead : longest;
            assert_int_equal(o->available, written(&w, q));
            assert_int_equal(o->in_buffer, w.queues[q].in_buffer);
            assert_int_equal(o->position, (uint64_t)place(&w, q, 0) * 4);
            if (got != want)
                break;
            ahead = goes_on(&w, q, ahead);
            assert_int_equal(o->rptr[q], w.queues[q].rptr);
        }
        w.l.b.i.packet_left        = true;
        w.l.b.i.packet_dword_ready = chance(&w, 2) != 0;
        step(&w);
        memset(bad, 0, sizeof bad);
        for (unsigned n = 0; failing && n < QUEUES; n++)
            load(&w, n, LOAD_RESUME, 0);
    }
    assert_true(longest > 64);
}

TEST(every_dword_is_the_right_one)
{
    for (uint64_t seed = 1; seed <= 12; seed++)
        chance_world(seed, seed % 3 == 0 ? 0 : seed % 3 == 1 ? 20 : 200);
}

// A queue that is not running is fetched although the running one, with doorbells as fast as there is something new to
// be asked for when a burst ends, wants every burst: both get on.
TEST(nobody_starves)
{
    static world w;
    uint32_t     taken = 0;
    create(&w, 7, 24);
    w.steady = true;
    map(&w, 0, 11, 0);
    map(&w, 1, 11, 0);
    go(&w, 0);
    for (unsigned clocks = 0; !w.l.b.o.line[1]; clocks++) {
        queue *k = &w.queues[clocks == 500];
        assert_true(clocks < 1000);
        k->wptr += clocks == 500 || (clocks % 3 == 0 && k->wptr - k->rptr < k->size);
        if (taken > w.queues[0].rptr) // every dword is a packet of its own
            commit(&w, 0, 1);
        w.l.b.i.packet_dword_ready = w.l.b.o.dword_valid;
        taken += w.l.b.o.dword_valid;
        LOAD_WORD(&w.l.b, clocks == 500, LOAD_WPTR, k->wptr);
        step(&w);
    }
    assert_true(taken > 20);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch between a memory and a reader of packets, both made of chance: rings of all sizes round and round, indirect
// buffers, packets longer than the lines, jumps, switches, failing words. Every dword delivered is compared with what the
// producer wrote there, every request with what may be read at that moment.

#include "block_bench.h"

#include "totem_fetch.h"
#include "totem_load.h"
#include "totem_ram.h"

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
    w->in.packet_dword_ready                                                                                 = false;
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
        w->in.packet_dword_ready       = r;
        if (o.dword_valid && r) {
            const uint32_t at = place(w, q, from + taken);
            if (o.dword_error != 0) {
                assert_true(bad[at & ~1u]);
                for (unsigned n = chance(w, 6); n > 0; n--) { // taken or not, it is that one's address that counts
                    assert_int_equal(w->out.fault_position, (uint64_t)at * 4);
                    clock_edge(w);
                }
                assert_int_equal(w->out.fault_position, (uint64_t)at * 4);
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
                w.in.packet_dword_ready      = true; // what comes in this clock is forgotten
                clock_edge(&w);
                assert_false(w.out.dword_valid);
                ahead = 0;
                break;
            case 1: { // a jump over dwords that were not taken
                const uint32_t skip = ahead + 1 + chance(&w, 60);
                if (skip > written(&w, q))
                    break;
                commit(&w, q, skip);
                w.in.packet_dword_ready = true;
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
        w.in.packet_dword_ready = chance(&w, 2) != 0;
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
        w.in.packet_dword_ready = true;
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
        w.in.packet_dword_ready = took;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dword_is_the_right_one),
        cmocka_unit_test(first_dword_and_rate),
        cmocka_unit_test(nobody_starves),
    };

    return cmocka_run_group_tests_name("fetch_random", tests, NULL, NULL);
}

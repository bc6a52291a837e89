// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: twin of rtl/packet/totem_fetch.v, from docs/contract/fetch.md.

#include "totem_fetch.h"

#include "../memory/totem_memory_values.h"
#include "../queue/totem_hqd_values.h"
#include "totem_pm4.h"

enum {
    BLOCK  = 32,
    AHEAD  = 2 * BLOCK,
    LINE   = 16,
    ENOUGH = 8
}; // dwords: 128 bytes, two of those, a line, the most that a packet needs to act
enum { BURSTS = 2, OUT_PLACES = 3 };

static const uint64_t dword_address = 0x3fffffffffu; // 38 bits: byte address [39:2]

static uint8_t queue_index(unsigned number)
{
    return (uint8_t)(number & (TOTEM_QUEUES - 1));
}

static bool is_running(const totem_fetch *s, unsigned q)
{
    return s->running && s->queue == q;
}

static uint32_t slide(const totem_fetch *s, unsigned q)
{
    return is_running(s, q) ? s->slid : 0;
}

static uint32_t flight(const totem_fetch *s, unsigned q)
{
    uint32_t dwords = s->land_valid && s->land_queue == q ? s->land_count : 0;
    for (unsigned e = 0; e < BURSTS; e++)
        if (s->burst_live[e] && s->burst_queue[e] == q)
            dwords += s->burst_dwords[e];
    return dwords;
}

static bool open(const totem_fetch *s, unsigned q)
{
    const uint32_t held  = s->have[q] + flight(s, q);
    const uint32_t ahead = slide(s, q) + held;
    return s->buffer[q] ? s->buffer_left[q] != ahead : s->rptr[q] + ahead != s->wptr[q];
}

static bool failed(const totem_fetch *s, unsigned q)
{
    return s->fault[q] != MEMORY_OK || (s->land_valid && s->land_queue == q && s->land_error != MEMORY_OK);
}

static bool line(const totem_fetch *s, unsigned q)
{
    const bool all = s->have[q] != 0 && flight(s, q) == 0 && !open(s, q);
    return s->fault[q] != MEMORY_OK || s->have[q] >= ENOUGH || all;
}

static uint32_t ring_mask(const totem_fetch *s, unsigned q)
{
    return (uint32_t)(((uint64_t)2 << (s->size[q] & 31)) - 1);
}

// The terms that the rules ask for by a queue's number.
typedef struct {
    bool     wants[TOTEM_QUEUES];
    uint8_t  start[TOTEM_QUEUES]; // place of the first dword on chip in its 128 bytes
    uint16_t held[TOTEM_QUEUES];  // dwords on chip and on their way
    uint32_t ahead[TOTEM_QUEUES]; // dwords from the committed position to the first one that is not
    uint32_t next[TOTEM_QUEUES];  // that one's place in the ring, when no indirect buffer is open
} terms;

static void find_terms(terms *t, const totem_fetch *s, const totem_fetch_in *i)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        const uint32_t ring      = (s->rptr[q] + slide(s, q)) & ring_mask(s, q);
        const uint32_t in_buffer = (uint32_t)s->buffer_addr[q] + slide(s, q);
        const uint32_t begin     = (s->buffer[q] ? in_buffer : ring) & (BLOCK - 1);
        const uint32_t held      = s->have[q] + flight(s, q);
        const uint32_t ahead     = slide(s, q) + held;
        const uint32_t next      = s->rptr[q] + ahead;

        const bool room = begin + held < AHEAD;
        const bool low  = held < LINE || begin + held < BLOCK;
        const bool more = !i->settings_mqd_save && i->arbiter_active[q] && low;
        const bool may  = is_running(s, q) ? room : more;

        t->wants[q] = !failed(s, q) && open(s, q) && may;
        t->start[q] = (uint8_t)begin;
        t->held[q]  = (uint16_t)held;
        t->ahead[q] = ahead;
        t->next[q]  = next;
    }
}

static bool pending(const totem_fetch *s, unsigned q)
{
    return s->buffer[q] || s->rptr[q] != s->wptr[q];
}

static bool reports(const totem_fetch *s, unsigned q)
{
    return s->report_addr[q] != 0 && !s->quiet[q];
}

// Byte address [39:2] of a dword: `offset` from the committed position of an indirect buffer, `place` in the ring.
static uint64_t address_of(const totem_fetch *s, unsigned q, uint32_t offset, uint32_t place)
{
    const uint64_t ring = ((uint64_t)s->base[q] << 6) + (place & ring_mask(s, q));
    return (s->buffer[q] ? s->buffer_addr[q] + offset : ring) & dword_address;
}

// What is read for delivery in this clock.
typedef struct {
    bool     read_dword;
    bool     read_fault;
    uint32_t index; // i of the contract, as far as it counts: dword address [5:0]
} delivery;

static delivery deliver(const totem_fetch *s)
{
    const uint8_t  q          = queue_index(s->queue);
    const uint32_t place      = (uint32_t)s->given + s->out_count + s->reading;
    const bool     place_room = s->running && s->out_count + s->reading < OUT_PLACES && place >= s->slid;
    const uint32_t depth      = place - s->slid;
    delivery       d;

    d.read_dword = place_room && depth < s->have[q];
    d.read_fault = place_room && depth >= s->have[q] && s->fault[q] != MEMORY_OK;
    d.index      = (s->buffer[q] ? (uint32_t)s->buffer_addr[q] + place : (s->rptr[q] + place) & ring_mask(s, q)) & 63;
    return d;
}

// Neither behind the present write pointer nor farther ahead than the ring is long.
static bool offer_fits(const totem_fetch *s)
{
    const uint8_t  q    = queue_index(s->offer_queue);
    const uint32_t ring = (uint32_t)((uint64_t)2 << s->size[q]);
    const uint32_t lead = s->offer_wptr - s->rptr[q];
    return lead <= ring && lead >= s->wptr[q] - s->rptr[q];
}

void totem_fetch_outputs(const totem_fetch *s, totem_fetch_out *o)
{
    const uint8_t  q    = queue_index(s->queue);
    const delivery read = deliver(s);

    o->dword_valid = s->out_count != 0;
    o->dword_data  = s->out_data[0];
    o->dword_error = s->out_error[0];
    o->available   = s->buffer[q] ? s->buffer_left[q] : s->wptr[q] - s->rptr[q];
    o->in_buffer   = s->buffer[q];
    o->position    = address_of(s, q, 0, s->rptr[q]) << 2;

    const uint32_t ahead = slide(s, q) + s->have[q] + flight(s, q);
    o->fault_position    = address_of(s, q, ahead, s->rptr[q] + ahead) << 2;

    o->offer_fits = offer_fits(s);
    o->busy       = false;
    for (unsigned n = 0; n < TOTEM_QUEUES; n++) {
        o->pending[n]     = pending(s, n);
        o->line[n]        = line(s, n);
        o->rptr[n]        = s->rptr[n];
        o->wptr[n]        = s->wptr[n];
        o->buffer[n]      = s->buffer[n];
        o->buffer_addr[n] = s->buffer_addr[n];
        o->buffer_left[n] = s->buffer_left[n];
        o->reporting[n]   = s->report_due[n] || (s->report_state != REPORT_NONE && s->report_queue == n);
        o->busy           = o->busy || o->reporting[n];
    }

    o->line_write_enable = s->land_valid && s->land_error == MEMORY_OK;
    o->line_write_addr   = (uint8_t)(s->land_queue << 5 | s->land_word);
    o->line_write_data   = s->land_data;
    o->line_read_enable  = read.read_dword;
    o->line_read_addr    = (uint8_t)((unsigned)q << 5 | read.index >> 1);

    o->read_valid = s->read_valid;
    o->read_addr  = s->read_addr << 3;
    o->read_beats = s->read_beats;

    o->write_valid = s->report_state == REPORT_ADDRESS || s->report_state == REPORT_VALUE;
    if (s->report_state == REPORT_VALUE)
        o->write_word = (uint64_t)s->report_value << 32 | s->report_value;
    else
        o->write_word = (uint64_t)s->report_queue << 48 | (uint64_t)((s->report_to & 1) != 0 ? 0xf0 : 0x0f) << 40 |
                        s->report_to >> 1 << 3;
    o->halt        = s->halt;
    o->halt_queue  = s->report_queue;
    o->error_valid = s->report_state == REPORT_ERROR || s->report_state == REPORT_WORD;
    o->error_word  = s->report_to << 2 & 0xffffffffu;
    if (s->report_state == REPORT_ERROR)
        o->error_word = (uint64_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1u + s->report_error) << 56 |
                        (uint64_t)s->report_queue << 48 | s->report_to << 2;
}

// 1 Report
static void report(totem_fetch *n, const totem_fetch *s, const totem_fetch_in *i)
{
    n->halt = false;
    if (s->report_state == REPORT_NONE) {
        bool    found = false;
        uint8_t next  = 0;
        for (unsigned distance = TOTEM_QUEUES; distance > 0; distance--) { // the nearest stays
            const uint8_t q = queue_index(s->report_queue + distance);
            if (s->report_due[q]) {
                found = true;
                next  = q;
            }
        }
        if (found) {
            n->report_state     = REPORT_ADDRESS;
            n->report_queue     = next;
            n->report_to        = s->report_addr[next];
            n->report_value     = s->rptr[next];
            n->report_live      = i->arbiter_active[next];
            n->report_due[next] = false;
        }
    }
    if (s->report_state == REPORT_ADDRESS && i->write_ready)
        n->report_state = REPORT_VALUE;
    if (s->report_state == REPORT_VALUE && i->write_ready)
        n->report_state = REPORT_ANSWER;
    if (s->report_state == REPORT_ANSWER && i->write_ack) {
        n->report_state = REPORT_NONE;
        if (i->ack_error != MEMORY_OK) {
            n->report_state = REPORT_ERROR;
            n->report_error = i->ack_error;
            n->halt         = s->report_live;
        }
    }
    if (s->report_state == REPORT_ERROR && i->events_error_ready)
        n->report_state = REPORT_WORD;
    if ((s->report_state == REPORT_WORD && i->events_error_ready) || s->report_state > REPORT_WORD)
        n->report_state = REPORT_NONE;
}

static void land(totem_fetch *n, const totem_fetch *s, const totem_fetch_in *i)
{
    // 2 Landing
    if (s->land_valid) {
        const uint8_t q = queue_index(s->land_queue);
        n->have[q]      = (uint8_t)((s->have[q] + s->land_count) & 127);
        if (s->land_error != MEMORY_OK)
            n->fault[q] = s->land_error;
    }

    // 3 Beat
    n->land_valid = false;
    if (i->data_valid && s->burst_count != 0) {
        const uint8_t most  = s->burst_index[0] & 1 ? 1 : 2;
        const uint8_t taken = s->burst_dwords[0] < most ? s->burst_dwords[0] : most;

        if (s->burst_live[0]) {
            n->land_valid = true;
            n->land_queue = s->burst_queue[0];
            n->land_error = i->data_error;
            n->land_count = i->data_error == MEMORY_OK ? taken : 0;
            n->land_word  = s->burst_index[0] >> 1;
            n->land_data  = i->data_word;
        }
        n->burst_dwords[0] = (uint8_t)(s->burst_dwords[0] - taken);
        n->burst_index[0]  = (uint8_t)((s->burst_index[0] | 1u) + 1) & 63;
        if (i->data_last) {
            n->burst_queue[0]  = n->burst_queue[1];
            n->burst_live[0]   = n->burst_live[1];
            n->burst_index[0]  = n->burst_index[1];
            n->burst_dwords[0] = n->burst_dwords[1];
            n->burst_live[1]   = false;
            n->burst_count     = (uint8_t)(s->burst_count - 1);
        }
    }
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void ask(totem_fetch *n, const totem_fetch *s, const totem_fetch_in *i, const terms *t)
{
    const uint8_t q = queue_index(s->pick);

    // 4 Request taken
    if (s->read_valid && i->read_ready)
        n->read_valid = false;

    // 5 Burst
    if (s->pick_valid && !s->read_valid && s->burst_count < BURSTS && t->wants[q]) {
        const uint64_t a    = address_of(s, q, t->ahead[q], t->next[q]);
        const uint32_t left = s->buffer[q] ? (s->buffer_left[q] - t->ahead[q]) & 0xfffff : s->wptr[q] - t->next[q];
        const unsigned k    = n->burst_count & 1u;

        uint32_t dwords = lesser(left, BLOCK - ((uint32_t)a & (BLOCK - 1)));
        dwords          = lesser(dwords, (uint32_t)AHEAD - t->start[q] - t->held[q]);
        if (!s->buffer[q] && s->size[q] < 4)
            dwords = lesser(dwords, (2u << (s->size[q] & 3)) - (t->next[q] & ring_mask(s, q)));

        n->read_valid      = true;
        n->read_addr       = a >> 1;
        n->read_beats      = (uint8_t)(((a & 1) + dwords + 1) / 2 & 31);
        n->burst_queue[k]  = q;
        n->burst_live[k]   = true;
        n->burst_index[k]  = (uint8_t)(a & 63);
        n->burst_dwords[k] = (uint8_t)(dwords & 63);
        n->burst_count     = (uint8_t)(k + 1);
        n->turn            = is_running(s, q);
        if (!is_running(s, q))
            n->last = q;
    }

    // 3 Beat, continued. Nothing lands behind a beat that failed, not even what is asked for in the same clock.
    if (i->data_valid && s->burst_count != 0 && s->burst_live[0] && i->data_error != MEMORY_OK)
        for (unsigned e = 0; e < BURSTS; e++)
            if (n->burst_queue[e] == s->burst_queue[0])
                n->burst_live[e] = false;
}

// 6 Candidate
static void choose(totem_fetch *n, const totem_fetch *s, const totem_fetch_in *i, const terms *t)
{
    const uint8_t own     = queue_index(s->queue);
    bool          any     = false;
    uint8_t       highest = 0;
    bool          others[TOTEM_QUEUES];

    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        others[q] = t->wants[q] && !is_running(s, q);
        any       = any || others[q];
        if (others[q] && i->arbiter_queue_priority[q] > highest)
            highest = i->arbiter_queue_priority[q];
    }

    n->pick_valid = true;
    if (s->running && t->wants[own] && !(s->turn && any))
        n->pick = own;
    else if (any) {
        for (unsigned distance = TOTEM_QUEUES; distance > 0; distance--) { // the nearest stays
            const uint8_t q = queue_index(s->last + distance);
            if (others[q] && i->arbiter_queue_priority[q] == highest)
                n->pick = q;
        }
    } else
        n->pick_valid = false;
}

static void give(totem_fetch *n, const totem_fetch *s, const totem_fetch_in *i)
{
    const delivery read     = deliver(s);
    const bool     transfer = s->out_count != 0 && i->packet_dword_ready;

    // 7 Reading
    n->reading = read.read_dword || read.read_fault;
    if (n->reading) {
        n->reading_high  = (read.index & 1) != 0;
        n->reading_error = read.read_dword ? 0 : s->fault[queue_index(s->queue)];
    }

    // 8 Output buffer
    if (transfer) {
        for (unsigned k = 0; k + 1 < OUT_PLACES; k++) {
            n->out_data[k]  = s->out_data[k + 1];
            n->out_error[k] = s->out_error[k + 1];
        }
        n->given = (uint16_t)((s->given + 1) & 0x7fff);
    }
    for (unsigned k = 0; k < OUT_PLACES; k++)
        if (s->reading && s->out_count == k + transfer) {
            n->out_data[k]  = (uint32_t)(s->reading_high ? i->line_read_data >> 32 : i->line_read_data);
            n->out_error[k] = s->reading_error;
        }
    n->out_count = (uint8_t)((s->out_count - transfer + s->reading) & 3);
}

static void stop_delivery(totem_fetch *n)
{
    n->given     = 0;
    n->out_count = 0;
    n->reading   = false;
}

// 10 Commit. Says whether the running queue's lines are dropped.
static bool commit(totem_fetch *n, const totem_fetch *s, const totem_fetch_in *i)
{
    const uint8_t  q       = queue_index(s->queue);
    const uint16_t c       = i->packet_commit_count;
    const uint16_t over    = c > s->slid ? (uint16_t)(c - s->slid) : 0;
    const bool     ends    = s->buffer[q] && c >= s->buffer_left[q];
    const bool     restart = i->packet_open || ends || over > n->have[q];

    if (s->buffer[q]) {
        n->buffer_addr[q] = (s->buffer_addr[q] + c) & dword_address;
        n->buffer_left[q] = (s->buffer_left[q] - c) & 0xfffff;
        if (ends)
            n->buffer[q] = false;
    } else
        n->rptr[q] = s->rptr[q] + c;

    if (i->packet_open) {
        n->buffer[q]      = true;
        n->buffer_addr[q] = i->packet_open_addr >> 2 & dword_address;
        n->buffer_left[q] = i->packet_open_size;
    }

    if (!restart) {
        n->have[q] = (uint8_t)(n->have[q] - over);
        n->slid    = c > s->slid ? 0 : (uint16_t)(s->slid - c);
        if (i->packet_drop || c > s->given)
            stop_delivery(n);
        else
            n->given = (uint16_t)((n->given - c) & 0x7fff);
    }

    const bool crossed =
        !s->buffer[q] && s->block[q] < 31 && (uint64_t)(s->rptr[q] ^ n->rptr[q]) >> (s->block[q] + 1) != 0;
    const bool empty = !n->buffer[q] && n->rptr[q] == s->wptr[q];
    if (reports(s, q) && (empty || crossed))
        n->report_due[q] = true;
    return restart;
}

// 12 Load. Says whether the lines of the loaded queue are dropped.
static bool load(totem_fetch *n, const totem_fetch *s, const totem_fetch_in *i)
{
    const uint8_t  q             = queue_index(i->load_queue);
    const uint32_t word          = (uint32_t)i->load_data;
    const uint8_t  size_of_block = (uint8_t)(word >> 8 & 63);

    switch (i->load_kind) {
    case LOAD_ACTIVE:
        if (n->report_queue == q)
            n->report_live = false;
        return false;
    case LOAD_PQ_BASE: n->base[q] = (uint32_t)(i->load_data >> 8); return true;
    case LOAD_PQ_CONTROL:
        n->size[q]  = (uint8_t)(word & 31);
        n->block[q] = size_of_block < 31 ? size_of_block : 31;
        n->quiet[q] = (word >> 27 & 1) != 0;
        return false;
    case LOAD_RPTR:
        n->rptr[q]   = word;
        n->buffer[q] = false;
        return true;
    case LOAD_WPTR:
        if (!i->arbiter_active[q] || word - s->rptr[q] >= s->wptr[q] - s->rptr[q])
            n->wptr[q] = word;
        return false;
    case LOAD_REPORT_ADDR:
        n->report_addr[q] = i->load_data >> 2 & dword_address;
        n->report_due[q]  = false;
        return false;
    case LOAD_RESUME:
    case LOAD_SKIP:
    case LOAD_MOVED: return true;
    case LOAD_BUFFER: n->buffer_addr[q] = i->load_data >> 2 & dword_address; return false;
    case LOAD_BUFFER_LEFT:
        n->buffer_left[q] = word & 0xfffff;
        n->buffer[q]      = n->buffer_left[q] != 0;
        return true;
    default: return false;
    }
}

// 13 Drop
static void drop(totem_fetch *n, const totem_fetch *s, unsigned q)
{
    n->have[q]  = 0;
    n->fault[q] = MEMORY_OK;
    for (unsigned e = 0; e < BURSTS; e++)
        if (n->burst_queue[e] == q)
            n->burst_live[e] = false;
    if (n->land_queue == q)
        n->land_valid = false;
    if (s->queue == q) {
        stop_delivery(n);
        n->slid = 0;
    }
}

void totem_fetch_step(totem_fetch *s, const totem_fetch_in *i)
{
    totem_fetch   n    = *s; // what follows the clock edge; s stays as it was before
    const uint8_t own  = queue_index(s->queue);
    bool          anew = false;
    terms         t;

    find_terms(&t, s, i);
    report(&n, s, i);
    land(&n, s, i);
    ask(&n, s, i, &t);
    choose(&n, s, i, &t);
    give(&n, s, i);

    // 9 Slide
    const bool sliding =
        s->running && !i->packet_commit && s->given >= s->slid + BLOCK + 1 && s->have[own] >= BLOCK + 1;
    if (sliding) {
        const uint32_t d = (uint32_t)BLOCK - t.start[own];
        n.slid           = (uint16_t)((s->slid + d) & 0x7fff);
        n.have[own]      = (uint8_t)((n.have[own] - d) & 127);
    }

    if (i->packet_commit && s->running)
        anew = commit(&n, s, i);

    // 11 Left and go
    if (i->packet_left && s->running) {
        anew      = anew || n.slid != 0;
        n.running = false;
        n.slid    = 0;
        stop_delivery(&n);
        if (reports(s, own))
            n.report_due[own] = true;
    }
    if (i->arbiter_go) {
        n.running = true;
        n.queue   = queue_index(i->arbiter_selected);
        n.slid    = 0;
        stop_delivery(&n);
    }

    const bool cleared = i->load_valid && load(&n, s, i);

    if (i->hqd_offer_valid) {
        n.offer_queue = queue_index(i->hqd_offer_queue);
        n.offer_wptr  = i->hqd_offer_wptr;
    }

    // 13 Drop, continued
    if (anew)
        drop(&n, s, own);
    if (cleared)
        drop(&n, s, queue_index(i->load_queue));

    *s = n;
}

// The Invariants of the contract that hold whatever the neighbours do.
bool totem_fetch_invariant(const totem_fetch *s)
{
    bool good = s->burst_count <= BURSTS && s->out_count + s->reading <= OUT_PLACES;
    for (unsigned e = 0; e < BURSTS; e++)
        good = good && (!s->burst_live[e] || e < s->burst_count);
    return good;
}

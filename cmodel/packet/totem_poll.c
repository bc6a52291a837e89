// SPDX-License-Identifier: Apache-2.0
//
// totem_poll: twin of rtl/packet/totem_poll.v, from docs/contract/poll.md.

#include "totem_poll.h"

#include "../host/totem_regs_map.h"
#include "../lib/totem_upper.h"
#include "../memory/totem_memory_values.h"
#include "../queue/totem_hqd_values.h"
#include "totem_pm4.h"

enum { PLACES = 2 * TOTEM_QUEUES, AGAIN_MASK = (1 << 13) - 1, AGAIN_HALF = 1 << 12 };

#define CLOCK_MASK (((uint64_t)1 << 33) - 1)
#define HALF ((uint64_t)1 << 32)

static uint8_t queue_index(uint64_t number)
{
    return (uint8_t)(number % TOTEM_QUEUES);
}

static bool places(const totem_poll *s, unsigned place)
{
    return place < TOTEM_QUEUES ? s->due[place] : s->wanted[place - TOTEM_QUEUES];
}

static bool any_place(const totem_poll *s)
{
    bool any = false;
    for (unsigned place = 0; place < PLACES; place++)
        any = any || places(s, place);
    return any;
}

static bool polls(const totem_poll *s)
{
    return s->phase != POLL_FREE && !s->own && !s->pointer && s->live;
}

static bool fetches(const totem_poll *s)
{
    return s->phase != POLL_FREE && !s->own && s->pointer;
}

void totem_poll_outputs(const totem_poll *s, totem_poll_out *o)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->waiting[q] = s->waiting[q];
        o->ended[q]   = s->ended[q];
        o->error[q]   = s->error[q];
        o->polled[q]  = s->polled[q];
        o->once[q]    = s->once[q];
    }
    o->packet_read_ready = s->phase == POLL_FREE && !(s->own && any_place(s));
    o->packet_answer     = s->own && (s->phase == POLL_ANSWER || s->phase == POLL_WINDOW);
    o->ram_read_enable   = s->phase == POLL_LOOK || s->phase == POLL_TAKE || s->phase == POLL_MASK;
    o->ram_read_addr     = (uint8_t)(s->queue * 4 + (s->phase == POLL_TAKE ? 1 : s->phase == POLL_MASK ? 2 : 0));
    o->busy              = s->phase != POLL_FREE;
    o->read_valid        = s->phase == POLL_ASK;
    o->read_addr         = s->address >> 1 << 3;
    o->read_beats        = 1;
    o->read_exclusive    = s->own && s->exclusive;

    const bool window = s->phase == POLL_WINDOW;
    o->access_valid   = s->live && (s->phase == POLL_LOW || s->phase == POLL_HIGH || s->phase == POLL_GIVE);
    if (window)
        o->access_valid = s->own || s->live;
    o->access_write = s->phase == POLL_GIVE;
    o->access_queue = window ? queue_index(s->address >> 6) : s->queue;
    o->access_dword = window                  ? s->address & 63
                      : s->phase == POLL_LOW  ? TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_POLL_ADDR
                      : s->phase == POLL_HIGH ? TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_POLL_ADDR_HI
                                              : TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO;
    o->access_data  = s->value;

    const uint64_t code =
        s->fault == MEMORY_OK ? TOTEM_ERROR_PACKET_WPTR_RANGE : TOTEM_ERROR_MEMORY_READ_SLVERR - 1u + s->fault;
    o->halt         = s->phase == POLL_HALT && s->live;
    o->halt_queue   = s->queue;
    o->error_valid  = s->phase == POLL_RECORD || s->phase == POLL_WORD;
    o->error_word   = s->phase == POLL_RECORD ? code << 56 | (uint64_t)s->queue << 48 | s->address << 2 : s->value;
    o->error_second = s->phase == POLL_WORD;
}

static void end_wait(totem_poll *n, unsigned q, uint8_t error)
{
    n->waiting[q] = false;
    n->due[q]     = false;
    n->ended[q]   = true;
    n->error[q]   = error;
}

static bool holds(const totem_poll *s, const totem_poll_in *i, uint32_t read)
{
    const uint32_t dword     = read & (uint32_t)(i->ram_read_data >> 32);
    const uint64_t value     = s->whole ? i->data_word & s->mask : dword;
    const uint64_t reference = s->whole ? i->ram_read_data : (uint32_t)i->ram_read_data;

    switch (s->compare) {
    case TOTEM_COMPARE_LT: return value < reference;
    case TOTEM_COMPARE_LE: return value <= reference;
    case TOTEM_COMPARE_EQ: return value == reference;
    case TOTEM_COMPARE_NE: return value != reference;
    case TOTEM_COMPARE_GE: return value >= reference;
    case TOTEM_COMPARE_GT: return value > reference;
    default: return true;
    }
}

// Clocks between two polls, by the first word of the wait.
static uint32_t pause_of(uint64_t word)
{
    const uint32_t interval = word >> 43 & 0xffff;
    return interval < 4 ? 64 : interval * 16;
}

// 2 Read in hand, continued: POLL_FREE.
static void choose(totem_poll *n, const totem_poll *s, const totem_poll_in *i)
{
    const bool any = any_place(s);

    if (i->packet_poll_valid && !(s->own && any)) {
        n->own     = true;
        n->address = i->packet_poll_addr >> 2;
        n->phase   = i->packet_poll_register ? POLL_WINDOW : POLL_ASK;

        n->exclusive = i->packet_poll_exclusive;
    } else if (any) {
        // From the farthest to the nearest, so the nearest stays.
        const unsigned last = (unsigned)s->queue + (s->pointer ? TOTEM_QUEUES : 0);
        unsigned       next = last;
        for (unsigned distance = PLACES; distance > 0; distance--)
            if (places(s, (last + distance) % PLACES))
                next = (last + distance) % PLACES;
        n->pointer = next >= TOTEM_QUEUES;
        n->queue   = queue_index(next);
        n->own     = false;
        n->live    = true;
        if (n->pointer) {
            n->ripe[n->queue] = false;
            n->once[n->queue] = false;
            n->phase          = POLL_LOW;
        } else {
            n->due[n->queue] = false;
            n->phase         = POLL_LOOK;
        }
    }
}

// What the upper dword of an address says.
static totem_upper_out upper(const totem_poll_in *i, uint32_t dword)
{
    const totem_upper_in in = {.address = (uint16_t)dword,
                               .above   = (uint8_t)(i->settings_address_high >> 8 * i->fe_number)};
    totem_upper_out      out;
    totem_upper_outputs(&in, &out);
    return out;
}

// 2 Read in hand, continued: a write pointer.
static void look_after_pointer(totem_poll *n, const totem_poll *s, const totem_poll_in *i)
{
    const uint8_t q = queue_index(s->queue);

    if (s->phase == POLL_RECORD) { // record and mqd go first
        if (i->events_mqd_error_ready && !i->record_error_valid && !i->mqd_error_valid)
            n->phase = POLL_WORD;
        return;
    }
    if (s->phase == POLL_WORD) { // nobody does
        if (i->events_mqd_error_ready)
            n->phase = POLL_FREE;
        return;
    }
    if (!s->live) {
        n->phase = POLL_FREE;
        return;
    }
    if (s->phase == POLL_HALT) {
        n->once[q] = true;
        n->phase   = POLL_RECORD;
        return;
    }
    if (!i->hqd_done)
        return;
    if (s->phase == POLL_LOW) {
        n->address = (s->address >> 30 << 30) | (uint64_t)(i->hqd_rdata >> 3) << 1;
        n->phase   = POLL_HIGH;
    } else if (s->phase == POLL_HIGH) {
        n->address = (s->address & 0x3fffffff) | (uint64_t)upper(i, i->hqd_rdata).page << 30;
        n->phase   = POLL_ASK;
        if (n->address == 0) {
            n->polled[q] = false;
            n->ripe[q]   = false;
            n->phase     = POLL_FREE;
        }
    } else
        n->phase = i->hqd_error == (TOTEM_ERROR_HOST_DOORBELL_RANGE & 31) ? POLL_HALT : POLL_FREE;
}

// 5 Load bus, continued
static void load(totem_poll *n, const totem_poll_in *i)
{
    const uint8_t q   = queue_index(i->load_queue);
    const bool    set = (i->load_data & 1) != 0;

    if (i->load_kind == LOAD_ACTIVE || i->load_kind == LOAD_RESUME || i->load_kind == LOAD_SKIP) {
        n->waiting[q] = false;
        n->due[q]     = false;
        n->ended[q]   = false;
        if (n->queue == q && !n->pointer)
            n->live = false;
    }
    if ((i->load_kind == LOAD_ACTIVE || i->load_kind == LOAD_WPTR) && n->queue == q && n->pointer)
        n->live = false;
    if (i->load_kind == LOAD_ACTIVE && set) {
        n->ripe[q] = n->polled[q];
    } else if (i->load_kind == LOAD_ACTIVE) {
        n->polled[q] = false;
        n->ripe[q]   = false;
        n->once[q]   = false;
    } else if (i->load_kind == LOAD_POLLED) {
        n->polled[q] = set;
        n->ripe[q]   = false;
        if ((i->load_data & 2) != 0)
            n->once[q] = false;
    }
}

// 4 Wait, continued: a timer is one word; the first word of a condition has the interval.
static void begin_wait(totem_poll *n, const totem_poll *s, const totem_poll_in *i)
{
    const uint8_t q = queue_index(i->dispatch_queue);

    if (i->packet_wait_timer)
        n->deadline[q] = (i->clock + (uint32_t)i->packet_wait_word) & CLOCK_MASK;
    else if (i->packet_wait_step == 0)
        n->deadline[q] = (i->clock + pause_of(i->packet_wait_word)) & CLOCK_MASK;
    if (i->packet_wait_last && i->arbiter_active[q]) {
        n->waiting[q] = true;
        n->ended[q]   = false;
        n->timer[q]   = i->packet_wait_timer;
        n->due[q]     = !i->packet_wait_timer && !s->ended[q];
    }
}

void totem_poll_step(totem_poll *s, const totem_poll_in *i)
{
    totem_poll     n     = *s; // what follows the clock edge; s stays as it was before
    const uint8_t  visit = queue_index(i->clock);
    const uint8_t  own   = queue_index(s->queue);
    const uint32_t half  = (uint32_t)((s->address & 1) != 0 ? i->data_word >> 32 : i->data_word);

    // 1 Deadlines
    const bool reached = s->waiting[visit] && !s->due[visit] && !(polls(s) && s->queue == visit) &&
                         ((i->clock - s->deadline[visit]) & CLOCK_MASK) < HALF;
    const bool ripens = s->polled[visit] && !(fetches(s) && s->queue == visit) &&
                        ((i->clock - s->again[visit]) & AGAIN_MASK) < AGAIN_HALF;
    if (reached) {
        if (s->timer[visit])
            end_wait(&n, visit, 0);
        else
            n.due[visit] = true;
    }
    if (ripens)
        n.ripe[visit] = true;

    // 2 Read in hand
    switch (s->phase) {
    case POLL_FREE: choose(&n, s, i); break;
    case POLL_LOOK: n.phase = POLL_TAKE; break;
    case POLL_TAKE:
        n.address = (i->ram_read_data & 0xffffffffffu) >> 2;
        n.compare = i->ram_read_data >> 40 & 7;
        n.pause   = pause_of(i->ram_read_data);
        n.whole   = (i->ram_read_data >> 60 & 1) != 0;
        n.phase   = (i->ram_read_data >> 59 & 1) != 0 ? POLL_WINDOW : POLL_ASK;
        if (n.whole)
            n.phase = POLL_MASK;
        break;
    case POLL_MASK:
        n.mask  = i->ram_read_data;
        n.phase = POLL_ASK;
        break;
    case POLL_ASK:
        if (i->read_ready) {
            const unsigned period = i->settings_poll_period < 4 ? 64 : i->settings_poll_period * 16u;
            if (fetches(s))
                n.again[own] = (uint16_t)((i->clock + period) & AGAIN_MASK);
            else if (polls(s))
                n.deadline[own] = (i->clock + s->pause) & CLOCK_MASK;
            n.phase = POLL_ANSWER;
        }
        break;
    case POLL_ANSWER:
        if (i->data_valid) {
            n.phase = POLL_FREE;
            if (fetches(s) && s->live) {
                n.fault = i->data_error;
                n.value = i->data_error != MEMORY_OK ? (uint32_t)(s->address << 2) : (uint32_t)i->data_word;
                n.phase = i->data_error != MEMORY_OK ? POLL_HALT : POLL_GIVE;
            } else if (polls(s) && (i->data_error != MEMORY_OK || holds(s, i, half)))
                end_wait(&n, own, i->data_error);
        }
        break;
    case POLL_WINDOW:
        if (!s->own && !s->live) {
            n.phase = POLL_FREE;
        } else if (i->hqd_done) {
            n.phase = POLL_FREE;
            if (!s->own) {
                n.deadline[own] = (i->clock + s->pause) & CLOCK_MASK;
                if (holds(s, i, i->hqd_rdata))
                    end_wait(&n, own, 0);
            }
        }
        break;
    case POLL_LOW:
    case POLL_HIGH:
    case POLL_GIVE:
    case POLL_HALT:
    case POLL_RECORD:
    case POLL_WORD: look_after_pointer(&n, s, i); break;
    default: break;
    }

    // 3 Passed
    if (i->packet_commit)
        n.ended[queue_index(i->dispatch_queue)] = false;

    // 4 Wait
    if (i->packet_wait_valid)
        begin_wait(&n, s, i);

    // 5 Load bus
    if (i->load_valid)
        load(&n, i);

    // 6 One-shot
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        if (i->host_poll_once[q])
            n.once[q] = true;

    // 7 Wanted
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        n.wanted[q] =
            i->arbiter_active[q] && !i->packet_halted[q] && (s->once[q] || (s->ripe[q] && i->settings_poll_enable));

    *s = n;
}

// Clocks from this one to that in which the queue is looked at.
static unsigned to_visit(unsigned q, uint64_t clock)
{
    return (unsigned)((q + TOTEM_QUEUES - clock % TOTEM_QUEUES) % TOTEM_QUEUES);
}

// Clocks until a deadline is found reached (1 Deadlines), if nothing else happens and `clock` is now.
uint64_t totem_poll_quiet(const totem_poll *s, uint64_t clock)
{
    uint64_t least = UINT64_MAX;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        if (s->waiting[q] && !s->due[q] && !(polls(s) && s->queue == q)) {
            // To the deadline, and from there to the clock in which this queue is looked at.
            const uint64_t past = (clock - s->deadline[q]) & CLOCK_MASK;
            uint64_t       n    = past < HALF ? 0 : (CLOCK_MASK - past) + 1;
            n += to_visit(q, clock + n);
            least = n < least ? n : least;
        }
        if (s->polled[q] && !s->ripe[q] && !(fetches(s) && s->queue == q)) {
            const uint64_t past = (clock - s->again[q]) & AGAIN_MASK;
            uint64_t       n    = past < AGAIN_HALF ? 0 : (AGAIN_MASK - past) + 1;
            n += to_visit(q, clock + n);
            least = n < least ? n : least;
        }
    }
    return least;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_fence: twin of rtl/fence/totem_fence.v, from docs/contract/fence.md.

#include "totem_fence.h"

#include "../packet/totem_pm4.h"
#include "../queue/totem_load.h"
#include "../queue/totem_phases.h"

enum { TOTEM_FENCE_PHASES(TOTEM_PHASE) };
enum { FAILURES = 4 }; // places for failed packet writes
enum { TIME_OUT = 3 }; // error of a write that was never answered
enum { COUNT_MASK = 0x3ff, CODE_TIMEOUT = 4, COUNTER_END = 0xffff };

static uint8_t epoch_after(uint8_t epoch)
{
    return (uint8_t)((epoch + 1) & (TOTEM_EPOCHS - 1));
}

// Steps from one epoch to another, round the ring.
static uint8_t way(uint8_t from, uint8_t to)
{
    return (uint8_t)((to - from) & (TOTEM_EPOCHS - 1));
}

static bool is_reserved(const totem_fence *s, uint8_t queue, uint8_t epoch)
{
    return (s->reserved[queue] >> epoch & 1) != 0;
}

// The epoch to go on with: the first behind the current one that is not reserved.
static uint8_t next_epoch(const totem_fence *s, uint8_t queue)
{
    uint8_t candidate = s->epoch[queue];
    for (unsigned k = 1; k < TOTEM_EPOCHS; k++) {
        candidate = epoch_after(candidate);
        if (!is_reserved(s, queue, candidate))
            return candidate;
    }
    return epoch_after(s->epoch[queue]);
}

// Does an epoch belong to what a kill of the slot means: its present mapping, or, while there is none, all of the ring?
static bool is_meant(const totem_fence *s, uint8_t queue, uint8_t epoch)
{
    const uint8_t from = s->mapped[queue] ? s->first[queue] : s->oldest[queue];
    return way(from, epoch) <= way(from, s->epoch[queue]);
}

// Place of (queue, epoch) in the arrays of all epochs.
static unsigned entry(uint8_t queue, uint8_t epoch)
{
    return (unsigned)queue * TOTEM_EPOCHS + epoch;
}

static uint8_t ram_place(uint8_t queue, uint8_t epoch, uint8_t word)
{
    return (uint8_t)(entry(queue, epoch) * 4 + word);
}

// Nothing of the current epoch is in flight.
static bool is_empty(const totem_fence *s, uint8_t q)
{
    return s->count[entry(q, s->epoch[q])] == 0;
}

static bool is_settled(const totem_fence *s, uint8_t q)
{
    const bool over = is_empty(s, q) || is_reserved(s, q, s->epoch[q]);
    return over && s->first[q] == s->epoch[q] && !s->shut[q];
}

// An epoch of the queue is closed and not done; the current one may be the only one.
static bool has_closed(const totem_fence *s, uint8_t q)
{
    return s->shut[q] || s->oldest[q] != s->epoch[q];
}

static bool is_idle(const totem_fence *s, uint8_t q)
{
    bool kept = (s->phase == ERROR && s->serve == q) || (s->store_valid && s->store_queue == q);
    for (unsigned f = 0; f < FAILURES; f++)
        kept = kept || (f < s->failures && s->failure_queue[f] == q);
    return !has_closed(s, q) && is_empty(s, q) && s->reserved[q] == 0 && !kept;
}

// Epochs that a kill of the slot names, bit = epoch.
static uint8_t targets(const totem_fence *s, uint8_t q)
{
    unsigned found = 0;
    for (uint8_t e = 0; e < TOTEM_EPOCHS; e++) {
        const bool own = !s->mapped[q] || (!is_reserved(s, q, e) && is_meant(s, q, e));
        if (own && s->count[entry(q, e)] != 0)
            found |= 1u << e;
    }
    return (uint8_t)found;
}

static bool is_quiet(const totem_fence *s, uint8_t q)
{
    if (!s->mapped[q])
        return is_idle(s, q);
    return targets(s, q) == 0 && (is_settled(s, q) || s->oldest[q] != s->first[q]);
}

// There is an epoch to go on with.
static bool has_successor(const totem_fence *s, uint8_t q)
{
    const uint8_t next = next_epoch(s, q);
    const uint8_t base = epoch_after(s->epoch[q]);
    return !is_reserved(s, q, next) && way(base, next) < way(base, s->oldest[q]);
}

void totem_fence_outputs(const totem_fence *s, totem_fence_out *o)
{
    o->packet_ready = !s->guest;
    o->record_ready = s->guest;
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        o->epoch[q]     = s->epoch[q];
        o->room[q]      = has_successor(s, q) && !s->shut[q];
        o->flushed[q]   = !has_closed(s, q);
        o->settled[q]   = is_settled(s, q);
        o->waves[q]     = s->waves[q];
        o->idle[q]      = is_idle(s, q);
        o->quiet[q]     = is_quiet(s, q);
        o->abandoned[q] = s->abandoned[q];
        o->targets[q]   = targets(s, q);
    }
    o->lost       = s->lost;
    o->late       = s->late;
    o->write_room = s->owed + s->failures <= FAILURES;
    o->halt       = s->halt;
    o->halt_queue = s->halt_queue;

    o->ram_write_enable = s->store_valid;
    o->ram_write_addr   = ram_place(s->store_queue, s->epoch[s->store_queue], s->store_place);
    o->ram_write_data   = s->store_word;
    o->ram_read_enable  = s->phase == READ && s->step < 3;
    o->ram_read_addr    = ram_place(s->serve, s->oldest[s->serve], s->step);

    const uint64_t low    = s->data & 0xffffffffu;
    const uint64_t strobe = s->data_sel != 1 ? 0xff : (s->address & 4) != 0 ? 0xf0 : 0x0f;
    o->write_valid        = s->phase == WRITE;
    if (s->step == 0)
        o->write_word =
            (uint64_t)s->oldest[s->serve] << 51 | (uint64_t)s->serve << 48 | strobe << 40 | (s->address & ~(uint64_t)7);
    else
        o->write_word = s->data_sel == 1 ? low << 32 | low : s->data;

    o->interrupt_valid = s->phase == INTERRUPT;
    o->interrupt_word  = (uint64_t)s->serve << 32 | s->ctxid;

    o->error_valid         = s->phase == ERROR;
    const bool     timeout = s->code == CODE_TIMEOUT;
    const uint64_t code =
        timeout ? TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT : TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1u + (s->code & 3u);
    if (s->step == 0)
        o->error_word = code << 56 | (uint64_t)s->serve << 48 | s->address;
    else
        o->error_word = (timeout ? s->data : s->address) & 0xffffffffu;
}

static uint8_t tag_queue(const totem_fence_in *i)
{
    return i->ack_tag & (TOTEM_QUEUES - 1);
}

static uint8_t tag_epoch(const totem_fence_in *i)
{
    return i->ack_tag >> 3 & (TOTEM_EPOCHS - 1);
}

// A counter of the host: stays at its end.
static uint16_t counted(uint16_t counter, unsigned more)
{
    return counter > COUNTER_END - more ? COUNTER_END : (uint16_t)(counter + more);
}

static void add(uint16_t *count, int amount)
{
    *count = (uint16_t)(*count + amount) & COUNT_MASK;
}

// Rule 1: everything that begins or ends in this clock counts.
static void counts(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    uint16_t granted = 0;
    bool     any     = false;
    uint8_t  queue   = 0;
    uint8_t  epoch   = 0;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        if (!i->grant_valid[e])
            continue;
        if (!any) { // all grants of a clock are of one dispatch
            queue = i->grant_queue[e];
            epoch = i->grant_epoch[e];
        }
        any     = true;
        granted = (uint16_t)(granted + i->grant_waves[e]);
    }
    if (any) {
        add(&n->count[entry(queue, epoch)], granted);
        n->waves[queue] = (uint16_t)(n->waves[queue] + granted);
    }
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        if (!i->complete_valid[e])
            continue;
        add(&n->count[entry(i->complete_queue[e], i->complete_epoch[e])], -1);
        n->waves[i->complete_queue[e]] = (uint16_t)(n->waves[i->complete_queue[e]] - 1);
    }
    unsigned late = 0;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (i->complete_valid[e] && is_reserved(s, i->complete_queue[e], i->complete_epoch[e]))
            late++;
    n->late = counted(s->late, late);
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++)
        for (uint8_t e = 0; e < TOTEM_EPOCHS; e++)
            if (s->count[entry(q, e)] == 0)
                n->reserved[q] = (uint8_t)(n->reserved[q] & ~(1u << e));
    if (i->packet_write)
        add(&n->count[entry(i->arbiter_selected, s->epoch[i->arbiter_selected])], 1);
    if (i->packet_write_ack)
        add(&n->count[entry(tag_queue(i), tag_epoch(i))], -1);
    n->owed = (uint8_t)((s->owed + i->packet_write - i->packet_write_ack) & 7);
}

// Rule 2: a write of the present mapping that failed halts its queue.
static void answers(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    const uint8_t q         = tag_queue(i);
    const uint8_t age       = (uint8_t)(tag_epoch(i) - s->oldest[q]) & (TOTEM_EPOCHS - 1);
    const uint8_t first_age = (uint8_t)(s->first[q] - s->oldest[q]) & (TOTEM_EPOCHS - 1);

    n->halt = (i->write_ack || i->packet_write_ack) && i->ack_error != 0 && s->mapped[q] && age >= first_age &&
              !is_reserved(s, q, tag_epoch(i));
    if (n->halt)
        n->halt_queue = q;
    if (i->write_ack) {
        n->sent[q]     = false;
        n->answered[q] = true;
        n->fault[q]    = i->ack_error;
    }
    for (uint8_t k = 0; k < TOTEM_QUEUES; k++)
        n->silent_before[k] = s->silent_before[k] && s->oldest[k] != s->first[k];
    if (i->write_ack && i->ack_error == TIME_OUT) {
        if (age >= first_age)
            n->silent[q] = true;
        else
            n->silent_before[q] = true;
    }
}

// Rules 3 and 4: messages, closing.
static void messages(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    n->store_valid = s->guest ? i->record_valid : i->packet_valid;
    if (n->store_valid) {
        n->store_word  = s->guest ? i->record_word : i->packet_word;
        n->store_place = s->place;
        n->store_queue = s->guest ? i->record_queue : i->arbiter_selected;
        n->store_guest = s->guest;
        n->place       = s->place >= 2 ? 0 : (uint8_t)(s->place + 1);
    }
    if (!s->guest)
        n->guest = i->record_valid && !i->packet_valid && s->place == 0;
    else if (i->record_valid && s->place >= 2)
        n->guest = false;
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        const bool     closes = s->store_valid && s->store_place == 2 && s->store_queue == q;
        const unsigned own    = entry(q, s->epoch[q]);
        if (closes) {
            n->message[own] = true;
            n->pair[own]    = s->store_guest;
        }
        if (closes || s->shut[q]) {
            n->shut[q] = !has_successor(s, q);
            if (!n->shut[q])
                n->epoch[q] = next_epoch(s, q);
        }
    }
    if (i->packet_close) {
        const uint8_t q                   = i->arbiter_selected;
        n->message[entry(q, s->epoch[q])] = false;
        n->epoch[q]                       = next_epoch(s, q);
    }
}

// Can the oldest epoch of the queue be ended?
static bool is_due(const totem_fence *s, uint8_t q)
{
    const bool done = s->count[entry(q, s->oldest[q])] == 0 || is_reserved(s, q, s->oldest[q]);
    return has_closed(s, q) && (s->answered[q] || (!s->sent[q] && done));
}

static bool gives_up(const totem_fence *s, const totem_fence_in *i, uint8_t q)
{
    const bool arrives = (i->record_valid && i->record_queue == q) || (s->store_valid && s->store_queue == q);
    // A fence write of what would be abandoned is with memory, or its answer waits; one of an earlier mapping does not count.
    const bool earlier = s->mapped[q] && s->oldest[q] != s->first[q];
    const bool writes  = !earlier && (s->sent[q] || s->answered[q]);
    return i->kill_abandon[q] && !s->abandoned[q] && !arrives && !writes && !is_quiet(s, q);
}

// Rule 5, IDLE: what is left of a queue is abandoned.
static void abandon(totem_fence *n, const totem_fence *s, uint8_t q)
{
    uint32_t fences = 0;
    for (uint8_t e = 0; e < TOTEM_EPOCHS; e++) {
        const unsigned c = entry(q, e);
        if (!is_meant(s, q, e))
            continue;
        const bool current = e == s->epoch[q];
        const bool closed  = !current || s->shut[q];
        if (!current && s->message[c] && !s->pair[c])
            fences++;
        if (s->mapped[q] || !closed || !s->pair[c]) // the pairs of an unmapped slot are still written
            n->message[c] = false;
        if (s->count[c] != 0)
            n->reserved[q] = (uint8_t)(n->reserved[q] | 1u << e);
        else
            n->reserved[q] = (uint8_t)(n->reserved[q] & ~(1u << e));
    }
    n->first[q]     = s->mapped[q] ? s->epoch[q] : s->oldest[q];
    n->shut[q]      = n->shut[q] && !s->mapped[q];
    n->abandoned[q] = true;
    n->lost         = counted(s->lost, fences);
    n->serve        = q;
    n->own          = false;
    n->code         = CODE_TIMEOUT;
    n->address      = 0;
    n->data         = fences << 8 | n->reserved[q];
    n->step         = 0;
    n->phase        = ERROR;
}

// Rule 5, IDLE: the oldest failure of a packet write, else a queue that is given up, else the next one with something
// to be done.
static void choose(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    if (s->failures != 0) {
        n->serve   = s->failure_queue[0];
        n->code    = s->failure_code[0];
        n->address = s->failure_addr[0];
        n->own     = false;
        n->step    = 0;
        n->phase   = ERROR;
        for (unsigned f = 0; f + 1 < FAILURES; f++) {
            n->failure_queue[f] = s->failure_queue[f + 1];
            n->failure_code[f]  = s->failure_code[f + 1];
            n->failure_addr[f]  = s->failure_addr[f + 1];
        }
        n->failures = (uint8_t)(s->failures - 1);
        return;
    }
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++)
        if (gives_up(s, i, q)) {
            abandon(n, s, q);
            return;
        }
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t  q = (uint8_t)((s->serve + k) & (TOTEM_QUEUES - 1));
        const unsigned c = entry(q, s->oldest[q]);
        if (!is_due(s, q))
            continue;
        n->serve = q;
        n->step  = 0;
        n->own   = true;
        n->again = s->answered[q];
        if (s->answered[q]) {
            n->answered[q] = false;
            n->code        = s->fault[q];
            n->phase       = s->fault[q] != 0 || s->notify[q] ? READ : DONE;
        } else {
            n->code  = 0;
            n->phase = s->message[c] ? READ : DONE;
        }
        return;
    }
}

// int_sel 3 asks for the data alone.
static bool wants_interrupt(const totem_fence *s)
{
    return s->int_sel == TOTEM_INT_INTERRUPT || s->int_sel == TOTEM_INT_INTERRUPT_AFTER_WRITE;
}

// A fence was closed behind one without an answer, which has halted its queue: it would take one more ID that all share.
static bool is_hushed(const totem_fence *s)
{
    const uint8_t q      = s->serve;
    const bool    silent = s->oldest[q] == s->first[q] ? s->silent[q] : s->silent_before[q];
    return silent && !s->pair[entry(q, s->oldest[q])];
}

// Rule 5.
static void phases(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        n->abandoned[q] = false;
    switch (s->phase) {
    case IDLE: choose(n, s, i); break;
    case READ:
        if (s->step < 3) {
            n->step = (uint8_t)(s->step + 1);
        } else {
            n->step = 0;
            if (s->again)
                n->phase = s->code != 0 ? ERROR : INTERRUPT;
            else if (s->data_sel != 0 && is_hushed(s)) {
                n->code  = TIME_OUT;
                n->phase = ERROR;
            } else
                n->phase = s->data_sel != 0 ? WRITE : wants_interrupt(s) ? INTERRUPT : DONE;
        }
        if (s->step == 1) {
            n->address  = i->ram_read_data & 0xffffffffffu;
            n->data_sel = i->ram_read_data >> 40 & 7;
            n->int_sel  = i->ram_read_data >> 43 & 7;
        }
        if (s->step == 2)
            n->data = i->ram_read_data;
        if (s->step == 3) {
            n->ctxid = (uint32_t)i->ram_read_data;
            if (s->data_sel == 3 || s->data_sel == 4)
                n->data = i->clock;
        }
        break;
    case WRITE:
        if (i->write_ready && s->step == 0) {
            n->step = 1;
        } else if (i->write_ready) {
            n->sent[s->serve]   = true;
            n->notify[s->serve] = wants_interrupt(s);
            n->phase            = IDLE;
        }
        break;
    case INTERRUPT:
        if (i->events_interrupt_ready)
            n->phase = DONE;
        break;
    case DONE:
        n->message[entry(s->serve, s->oldest[s->serve])] = false;
        n->phase                                         = IDLE;
        if (s->oldest[s->serve] == s->epoch[s->serve]) { // it was shut: work may go on in it
            n->shut[s->serve] = false;
            break;
        }
        n->oldest[s->serve] = epoch_after(s->oldest[s->serve]);
        if (s->first[s->serve] == s->oldest[s->serve])
            n->first[s->serve] = epoch_after(s->oldest[s->serve]);
        break;
    case ERROR:
        if (i->events_error_ready) {
            if (s->step == 0)
                n->step = 1;
            else
                n->phase = s->own ? DONE : IDLE;
        }
        break;
    default: break;
    }
}

// Rule 6: what the packet writes left that failed in this clock.
static void failures(totem_fence *n, const totem_fence_in *i)
{
    const uint8_t f = n->failures;
    if (!i->packet_write_ack || i->ack_error == 0 || f >= FAILURES)
        return;
    n->failure_queue[f] = tag_queue(i);
    n->failure_code[f]  = i->ack_error;
    n->failure_addr[f]  = i->ack_addr;
    n->failures         = (uint8_t)(f + 1);
}

// Rule 7: a mapping begins with an epoch of its own.
static void mapping(totem_fence *n, const totem_fence *s, const totem_fence_in *i)
{
    const uint8_t q = i->load_queue;
    if (!i->load_valid)
        return;
    if (i->load_kind == LOAD_RESUME || i->load_kind == LOAD_SKIP)
        n->silent[q] = false;
    if (i->load_kind != LOAD_ACTIVE)
        return;
    const uint8_t epoch = s->epoch[q];
    n->mapped[q]        = i->load_data & 1;
    if (!n->mapped[q])
        return;
    n->silent_before[q] = n->silent_before[q] || n->silent[q];
    n->silent[q]        = false;
    n->first[q]         = epoch;
    if (s->count[entry(q, epoch)] != 0) {
        n->message[entry(q, epoch)] = false;
        n->epoch[q]                 = next_epoch(s, q);
        n->first[q]                 = next_epoch(s, q);
    }
}

void totem_fence_step(totem_fence *s, const totem_fence_in *i)
{
    totem_fence n = *s; // what follows the clock edge; s stays as it was before

    counts(&n, s, i);
    answers(&n, s, i);
    messages(&n, s, i);
    phases(&n, s, i);
    failures(&n, i);
    mapping(&n, s, i);

    *s = n;
}

// Representation of the contract: sizes of counters that are narrower than their C type.
bool totem_fence_invariant(const totem_fence *s)
{
    bool good = s->place <= 2 && s->store_place <= 2 && s->phase <= ERROR && s->phase != 3;
    if (s->phase == WRITE || s->phase == ERROR)
        good = good && s->step <= 1;
    return good && s->failures <= FAILURES;
}

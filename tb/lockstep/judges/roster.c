// SPDX-License-Identifier: Apache-2.0
//
// roster: see roster.h.

#include "roster.h"

#include <stdlib.h>

#if TOTEM_RUNLIST

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/queue/totem_hqd_values.h"
#include "../../../cmodel/schedule/totem_bell_values.h"
#include "../../../cmodel/schedule/totem_runlist_values.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    SLOTS   = TOTEM_PIPE_COUNT * TOTEM_QUEUES,
    ENTRIES = TOTEM_RUN_QUEUES,
    NONE    = -1,
    RECORDS = 1024, // placements that are remembered
    LEAST   = 4096, // clocks before a move is late
    TURN    = 64    // clocks in which a queue is selected, and has had its turn
};
// Clocks between two things. A slot is shown to `place` at most SHOWN clocks before its queue is asked to leave, and a
// move is seen to have ended at most SEEN clocks before the order to `bell`. A choice, its scan and the accesses behind
// it take at most CHOICE clocks; waits that begin less than SLACK apart may be taken in either order. The first access
// of a placement begins at most FRESH clocks behind it. Slow things are looked at every LOOK clocks.
enum { SHOWN = SLOTS + 64, SEEN = 24, CHOICE = 64 * 12 + 2 * SLOTS + 200, SLACK = 64, FRESH = 24, LOOK = 64 };

typedef enum { FREE, LISTED, PLACED } whereabouts;

typedef struct {
    whereabouts where;
    bool        known, waits, removed, by_reset, fixed, pending;
    uint8_t     priority, quantum;
    uint16_t    process;
    int         slot;
    uint64_t    mqd;           // byte address
    uint32_t    wptr, taken;   // last doorbell; the one that was to be sent last
    uint64_t    since, turned; // clock in which it began to wait; of its last new priority
    uint64_t    waited, bound; // clocks of that wait that count, and its bound
    uint64_t    owed;          // clocks for which its doorbell has not been dealt with
} entry;

// A placement, complete when its queue is mapped.
typedef struct {
    bool     whole, exact, yield; // exact: nobody has changed its priority
    uint32_t index;               // MOVES
    uint64_t clock, since, lulls;
    uint8_t  priority;           // of the queue that came
    bool     idle, parked, used; // of the queue that left: it may have been that
    bool     idler, parker;      // another one was idle, parked
    uint8_t  left, lowest;       // priority of the one that left; lowest of those that might have
    uint8_t  room;               // lowest priority for which there was an empty slot, 16: none
} placement;

typedef struct {
    int      entry;
    uint8_t  phase;               // PHASE_EMPTY to PHASE_LEAVING
    uint64_t since, ended, spare; // clock in which that began; last ones in which no move was under way, or epochs free
    bool wanted, stuck, claimed, resets, lost; // resets: its last dequeue request was a reset; lost: its save failed
    bool vain[2], turn[2];                     // its last packet was a poll in vain, it has had its turn: for
                                               // certain, perhaps
    uint32_t  ran, limit, still[2], turned;    // still: likewise clocks for which it has got no further
    uint32_t  works, idle, parked, unparked, usable, unusable, active, ready; // clocks for which it has been so
    uint32_t  wrong; // looks at which SLOT showed something else
    placement claim;
} slot;

struct roster {
    entry     entries[ENTRIES];
    slot      slots[SLOTS];
    placement records[RECORDS];                                        // by number modulo RECORDS
    uint64_t  owned, clock, placed, asked, set, longest, lulls, quiet; // clocks: of the last placement; of the command
                                                                       // under way; since settings stand
    uint32_t                 moves, lull, removals, stalled, waiting;
    uint32_t                 settings[4];
    bool                     held, commanded, followed; // the last placement has had an access
    int                      access;                    // slot of the access under way
    char                    *message;
    const totem_machine_out *out;
};

roster *roster_create(void)
{
    roster *r = calloc(1, sizeof *r);
    for (int n = 0; r && n < SLOTS; n++)
        r->slots[n].entry = NONE;
    return r;
}

void roster_destroy(roster *r)
{
    free(r);
}

static bool broken(roster *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool broken(roster *r, const char *format, ...)
{
    va_list   arguments;
    const int used = snprintf(r->message, 256, "clock %" PRIu64 ", run list: ", r->clock);
    va_start(arguments, format);
    vsnprintf(r->message + used, 256 - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

static const totem_pipe_out *pipe_of(const roster *r, int s)
{
    const int pipe = s / TOTEM_QUEUES;
    return &r->out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES];
}

static bool has_work(const roster *r, int s)
{
    const totem_pipe_out *p   = pipe_of(r, s);
    const int             q   = s % TOTEM_QUEUES;
    bool                  due = false;
#if TOTEM_TASKS
    const int pipe = s / TOTEM_QUEUES;
    due = p->runner.due[q] || r->out->fe[pipe / TOTEM_PIPES].tasks.pending[pipe % TOTEM_PIPES * TOTEM_QUEUES + q];
#endif
    return due || p->front.fetch.pending[q] || p->front.execute.unfinished[q];
}

static uint32_t more(bool is, uint32_t count)
{
    return is ? count + (count < UINT32_MAX) : 0;
}

static void watch(roster *r, int s)
{
    slot                  *w     = &r->slots[s];
    const totem_front_out *p     = &pipe_of(r, s)->front;
    const int              q     = s % TOTEM_QUEUES;
    const bool             works = has_work(r, s), active = p->hqd.active[q];
    const bool             quiet   = p->hqd.request[q] == REQUEST_NONE && !p->hqd.dequeuing[q];
    const bool             selects = p->arbiter.selected_valid && p->arbiter.selected == q;
    const uint8_t         *level   = p->arbiter.queue_priority;
    const bool turns = p->arbiter.ready[q] && !(p->arbiter.selected_valid && level[p->arbiter.selected] > level[q]);
    if (active && p->hqd.request[q] == REQUEST_NONE)
        w->wanted = works;
    if (quiet && (active ? w->phase == PHASE_LOADING : !p->record.busy[q]))
        w->ended = r->clock;
    if (p->slot_idle.spare[q] && !active)
        w->spare = r->clock;
    w->ready = more(w->spare == r->clock && w->phase == PHASE_EMPTY, w->ready);
    w->ran += w->phase == PHASE_RUNNING && selects;
    w->turn[0] = w->turn[0] || (w->phase == PHASE_RUNNING && selects && (p->execute.executed || w->ran > TURN));
    w->turn[1] = w->turn[1] || (selects && (p->execute.executed || w->ran + 2 * SEEN > TURN));
    w->turned  = more(w->turn[0], w->turned);
    for (int n = 0; n < 2; n++) {
        if (w->phase != PHASE_RUNNING || !works || (selects && !w->vain[n]))
            w->still[n] = 0;
        else
            w->still[n] += w->vain[n] || !turns;
        if (selects && p->execute.executed)
            w->vain[n] = p->execute.unsuccessful;
        // Polls count from its mapping on, which has ended a few clocks before the access by which it is known here.
        if (n ? !active : w->phase != PHASE_RUNNING)
            w->vain[n] = false;
    }
    const bool parked = w->still[0] >= r->settings[1], unparked = w->still[1] < r->settings[1];
    const bool usable = !p->execute.halted[q] && !w->stuck && (r->owned >> s & 1) && w->phase == PHASE_RUNNING;

    w->active   = more(active, w->active);
    w->works    = more(works, w->works);
    w->idle     = more(!works, w->idle);
    w->parked   = more(parked, w->parked);
    w->unparked = more(unparked, w->unparked);
    w->usable   = more(usable, w->usable);
    w->unusable = more(!usable, w->unusable);
}

// A placement came to nothing: its slot lacked epochs, was not owned any more, or did not become free, or its entry was
// removed. Nobody knows whom it was for, so nothing can be said of the order of those that wait.
static void lapses(roster *r)
{
    for (int n = 0; n < ENTRIES; n++)
        if (r->entries[n].waits)
            r->entries[n].turned = r->clock;
}

// A queue whose save has failed, as the record of its pipe says, has left, and stays where it was: nobody gets its
// slot.
static void look_for_losses(roster *r, int s)
{
    slot                *w = &r->slots[s];
    const totem_mqd_out *m = &pipe_of(r, s)->front.mqd;
    if (w->phase != PHASE_LEAVING || !m->error_valid || m->error_word >> 56 == 0 ||
        (m->error_word >> 48 & 7) != (uint64_t)(s % TOTEM_QUEUES) ||
        (m->error_word & 0xffffffffff) != r->entries[w->entry].mqd || r->entries[w->entry].removed)
        return;
    if (w->claimed)
        lapses(r);
    w->claimed = false;
    w->lost = w->stuck = true;
    w->phase           = PHASE_RUNNING;
    w->since           = r->clock;
}

static void empty(roster *r, slot *w)
{
    if (r->clock - w->since > r->longest)
        r->longest = r->clock - w->since;
    w->entry = NONE;
    w->phase = PHASE_EMPTY;
    w->since = r->clock;
    w->stuck = w->lost = false;
}

static void begin_wait(roster *r, entry *e)
{
    e->waits  = true;
    e->since  = r->clock;
    e->waited = 0;
    e->bound  = ++r->waiting;
}

static bool release(roster *r, entry *e)
{
    r->removals -= e->removed;
    r->waiting -= e->waits;
    *e       = (entry){.turned = e->turned};
    r->quiet = r->clock;
    return true;
}

// -- who may go where -----------------------------------------------------------------------------------------------

// The lowest priority that may take an empty slot of the pipe whose first slot that is.
static uint8_t kept_for(const roster *r, int first)
{
    uint32_t room = 0, highest = 0;
    for (int s = first; s < first + TOTEM_QUEUES; s++) {
        const slot *w = &r->slots[s];
        room += w->phase == PHASE_EMPTY && (r->owned >> s & 1);
        if ((w->phase == PHASE_LOADING || w->phase == PHASE_RUNNING) && r->entries[w->entry].priority >= highest)
            highest = r->entries[w->entry].priority + 1u;
    }
    return (uint8_t)(room > r->settings[2] ? 0 : highest);
}

// The lowest priority for which an empty slot is certain to be there; 16: none is.
static uint8_t room_for(const roster *r)
{
    uint8_t best = 16;
    for (int s = 0; s < SLOTS; s++) {
        const slot *w = &r->slots[s];
        if (w->phase == PHASE_EMPTY && (r->owned >> s & 1) && w->ready > SHOWN) {
            const uint8_t least = kept_for(r, s - s % TOTEM_QUEUES);
            best                = least < best ? least : best;
        }
    }
    return best;
}

// What can be said of the others when the queue of this slot is asked to leave.
static placement look_round(const roster *r, int own, int first, int count)
{
    const slot *w = &r->slots[own];
    placement   c = {.clock  = r->placed,
                     .index  = r->moves,
                     .lulls  = r->lulls,
                     .idle   = w->works < SHOWN,
                     .parked = w->unparked < SHOWN,
                     .used   = w->turn[1] && w->ran + 8 >= w->limit,
                     .left   = r->entries[w->entry].priority,
                     .lowest = 16,
                     .room   = room_for(r)};
    for (int s = first; s < first + count; s++) {
        const slot *o = &r->slots[s];
        if (s == own || o->usable <= SHOWN)
            continue;
        c.idler  = c.idler || o->idle > SHOWN;
        c.parker = c.parker || o->parked > SHOWN;
        if (o->turned > SHOWN && r->entries[o->entry].turned + SHOWN < r->clock &&
            r->entries[o->entry].priority < c.lowest)
            c.lowest = r->entries[o->entry].priority;
    }
    return c;
}

static bool changed(const roster *r, uint64_t since)
{
    return r->set + SHOWN >= since;
}

// A placement that must be a YIELD: nobody but the longest wait may have one, and only one in so many.
static bool yields(roster *r, placement *c)
{
    const uint32_t every = r->settings[0];
    if (c->yield || changed(r, c->clock))
        return true;
    c->yield = true;
    if (every == 0)
        return broken(r, "placement %" PRIu32 " is as only a YIELD may be, and YIELD is 0", c->index);
    for (uint32_t n = 1; n <= every; n++) {
        const placement *o     = &r->records[(c->index - n) % RECORDS];
        const uint64_t   lulls = c->lulls - (n < c->index && o->index == c->index - n ? o->lulls : 0);
        if ((n == c->index || (o->yield && o->index == c->index - n && !changed(r, o->clock))) && n + lulls + 1 < every)
            return broken(r, "placements %" PRIu32 " and %" PRIu32 " are as only a YIELD may be, and YIELD is %" PRIu32,
                          c->index - n, c->index, every);
    }
    return true;
}

// Of two that waited, one was placed first.
static bool in_order(roster *r, placement *first, const placement *then)
{
    if (!first->whole || !first->exact || !then->exact || then->since + CHOICE >= first->clock)
        return true;
    const bool older = first->since <= then->since + SLACK;
    if (first->priority == then->priority && !older && !first->yield)
        return broken(r,
                      "placement %" PRIu32 " is of a queue that has waited since clock %" PRIu64
                      ", and an equal one waited since %" PRIu64,
                      first->index, first->since, then->since);
    if (first->priority < then->priority && !yields(r, first))
        return false;
    if (first->yield && !older && !changed(r, first->clock))
        return broken(r,
                      "YIELD %" PRIu32 " is of a queue that has waited since clock %" PRIu64 ", another since %" PRIu64,
                      first->index, first->since, then->since);
    return true;
}

// So many placements in a row passed somebody who had waited longer: no YIELD was among them.
static bool passed(roster *r, uint64_t since, uint32_t last)
{
    uint32_t row = 0;
    for (uint32_t n = last; n != 0 && last - n < RECORDS && r->settings[0]; n--) {
        const placement *c = &r->records[n % RECORDS];
        if (c->index != n || c->clock <= since + CHOICE || changed(r, c->clock))
            break;
        row = c->whole && c->exact && c->since > since + SLACK ? row + 1 : 0;
        if (row > r->settings[0])
            return broken(r,
                          "%" PRIu32 " placements from %" PRIu32 " on pass a queue that has waited since clock %" PRIu64
                          ", and YIELD is %" PRIu32,
                          row, n, since, r->settings[0]);
    }
    return true;
}

// The queue is known that a placement was for; `slot` < 0: it took an empty one.
static bool completed(roster *r, placement c, const entry *e, bool evicted)
{
    c.whole          = true;
    c.exact          = e->turned < e->since;
    c.since          = e->since;
    c.priority       = e->priority;
    const bool plain = c.idle || c.parked || c.priority > c.left || (c.priority == c.left && c.used);
    if (evicted && c.exact && !changed(r, c.clock)) {
        if (c.priority >= c.room)
            return broken(r, "placement %" PRIu32 " takes a slot away, and one was empty", c.index);
        if (!c.idle && (c.idler || (c.parker && !c.parked)))
            return broken(r, "placement %" PRIu32 " takes a slot away, and another queue was %s", c.index,
                          c.idler ? "idle" : "parked");
        if (!c.idle && !c.parked && c.priority > c.lowest && c.left > c.lowest)
            return broken(r, "placement %" PRIu32 " evicts priority %d, the lowest is %d", c.index, c.left, c.lowest);
        if (!plain && !yields(r, &c))
            return false;
    }
    placement *own = &r->records[c.index % RECORDS];
    *own           = c;
    for (uint32_t n = 0; n < RECORDS; n++) {
        placement *o = &r->records[n];
        if (o != own && o->whole && !(o->clock < c.clock ? in_order(r, o, own) : in_order(r, own, o)))
            return false;
    }
    return !c.exact || passed(r, c.since, c.index - 1);
}

// -- accesses of the run list ---------------------------------------------------------------------------------------

// The command under way removes it.
static bool meant(const roster *r, const entry *e, int number)
{
    const totem_ledger_out *l = &r->out->ledger;
    if (!l->command_valid || e->where == FREE)
        return false;
    switch (l->command_op) {
    case RUN_REMOVE: return l->command_entry == number;
    case RUN_REMOVE_PROCESS: return e->process == l->command_process;
    case RUN_REMOVE_ALL: return true;
    case RUN_REMOVE_DYNAMIC: return !e->fixed;
    default: return false;
    }
}

static void look_for_lapses(roster *r, int filled)
{
    for (int s = 0; s < SLOTS; s++) {
        slot *w = &r->slots[s];
        if (s != filled && w->claimed && w->phase == PHASE_EMPTY && r->clock - w->since > FRESH) {
            w->claimed = false;
            lapses(r);
        }
    }
}

static bool fills(roster *r, int s, int number, uint32_t data)
{
    slot                  *w     = &r->slots[s];
    entry                 *e     = &r->entries[number];
    const totem_front_out *p     = &pipe_of(r, s)->front;
    const bool             fresh = r->clock - r->placed < FRESH;
    look_for_lapses(r, s);
    if (!(r->owned >> s & 1) || w->phase != PHASE_EMPTY || p->hqd.active[s % TOTEM_QUEUES])
        return broken(r, "entry %d is mapped to slot %d, which is %s", number, s,
                      w->phase != PHASE_EMPTY ? "not empty"
                      : r->owned >> s & 1     ? "active"
                                              : "not its own");
    if (r->clock - w->spare > SEEN)
        return broken(r, "entry %d is mapped to slot %d, which lacks epochs", number, s);
    if (e->where != LISTED || !e->waits || e->removed || data != e->mqd >> 32)
        return broken(r, "entry %d is mapped to slot %d, and it %s", number, s,
                      e->where == PLACED ? "is in another one"
                      : e->removed       ? "is removed"
                      : !e->waits        ? "does not wait"
                                         : "has another MQD");
    if (!fresh && !w->claimed)
        return broken(r, "entry %d is mapped to slot %d without a placement", number, s);
    if (fresh && !changed(r, r->clock) && e->priority < kept_for(r, s - s % TOTEM_QUEUES))
        return broken(r, "entry %d of priority %d takes slot %d, which is kept for better ones", number, e->priority,
                      s);
    const placement free_slot = {.clock = r->placed, .index = r->moves, .lulls = r->lulls};
    r->followed               = r->followed || fresh;
    if (!completed(r, fresh ? free_slot : w->claim, e, !fresh))
        return false;
    w->claimed = w->wanted = w->turn[1] = false;
    w->ran                              = 0;
    w->entry                            = number;
    w->phase                            = PHASE_LOADING;
    w->since                            = r->clock;
    const uint64_t limit                = (uint64_t)(e->quantum ? e->quantum : 1) * r->out->host.settings_quantum_unit0;
    w->limit                            = limit < 0xffffff ? (uint32_t)limit : 0xffffff;
    e->where                            = PLACED;
    e->waits                            = false;
    r->waiting--;
    e->slot = s;
    return true;
}

static bool evicts(roster *r, int s, int number, uint32_t type)
{
    slot          *w   = &r->slots[s];
    entry         *e   = &r->entries[number];
    const bool     now = meant(r, e, number), mine = now || e->removed;
    const uint32_t limit  = r->settings[3] > LEAST ? r->settings[3] : LEAST;
    const bool     late   = r->settings[3] && r->clock - w->since + SEEN >= limit;
    const bool     resets = e->by_reset || (now && r->out->ledger.command_reset);
    if (w->entry != number)
        return broken(r, "slot %d is asked to let entry %d go, which is not in it", s, number);
    if (type == DEQUEUE_RESET && !(resets && mine) && !(w->phase == PHASE_LEAVING && late))
        return broken(r, "entry %d in slot %d is reset without a reason", number, s);
    w->resets = type == DEQUEUE_RESET;
    if (w->phase == PHASE_LEAVING && type == DEQUEUE_RESET) {
        w->since = r->clock;
        return true;
    }
    if (w->phase == PHASE_LOADING && type == DEQUEUE_LEAVE && late) {
        w->since  = r->clock;
        w->wanted = true;
        return true;
    }
    if (w->phase != PHASE_RUNNING || (type != DEQUEUE_LEAVE && type != DEQUEUE_RESET))
        return broken(r, "entry %d in slot %d gets dequeue request %" PRIu32 " in phase %d", number, s, type, w->phase);
    // While the command is under way, an eviction that had begun before it may still be asked for.
    if (e->removed && e->by_reset && type == DEQUEUE_LEAVE)
        return broken(r, "entry %d in slot %d is to be reset, and only leaves", number, s);
    if (!mine && w->unusable >= SHOWN)
        return broken(r, "entry %d has to leave slot %d, and it has halted or refused its doorbell", number, s);
    if (r->clock - r->placed < FRESH) {
        r->followed = true;
        w->claim    = look_round(r, s, 0, SLOTS);
        w->claimed  = true;
    } else if (!mine) { // for a slot that is to be empty
        const int       first   = s - s % TOTEM_QUEUES;
        const placement c       = look_round(r, s, first, TOTEM_QUEUES);
        uint32_t        running = 0, room = 0;
        for (int n = first; n < first + TOTEM_QUEUES; n++) {
            const slot *o = &r->slots[n];
            running += o->phase == PHASE_RUNNING && (r->owned >> n & 1);
            room += (r->owned >> n & 1) && (o->phase == PHASE_EMPTY || (o->phase == PHASE_LEAVING && !o->claimed));
        }
        if (!changed(r, r->clock) && (running < 2 || room >= r->settings[2] || !r->waiting))
            return broken(r, "entry %d has to leave slot %d without a reason", number, s);
        if (!c.idle && !c.parked && c.left > c.lowest)
            return broken(r, "entry %d of priority %d makes room in its pipe, the lowest is %d", number, c.left,
                          c.lowest);
    }
    if (!mine && !w->turn[1] && w->works >= SHOWN && w->unparked >= SHOWN && !changed(r, r->clock))
        return broken(r, "entry %d has to leave slot %d before it has had its turn", number, s);
    w->phase = PHASE_LEAVING;
    w->since = r->clock;
    return true;
}

static bool access_begins(roster *r)
{
    const uint32_t a = r->out->proxy.address, data = r->out->proxy.data;
    const uint32_t window = TOTEM_REG_PIPE_BASE / 4, bell = TOTEM_REG_DOORBELL_BASE / 4;
    const int      number = r->out->runlist.access_entry;
    entry         *e      = &r->entries[number];
    const bool     rings  = a >= bell && a < bell + TOTEM_PIPE_COUNT * 8;
    const uint32_t pipe = rings ? (a - bell) / 8 : (a - window) / 0x400, queue = rings ? a % 8 : a / 0x40 % 16;
    const int      s = (int)(pipe * TOTEM_QUEUES + queue);
    if (!r->out->proxy.write || pipe >= TOTEM_PIPE_COUNT || queue >= TOTEM_QUEUES || (!rings && a < window))
        return broken(r, "access to dword 0x%" PRIx32, a);
    slot *w   = &r->slots[s];
    r->access = s;
    switch (rings ? 64 : a % 0x40) {
    case 64:
        if (w->entry != number || w->phase != PHASE_RUNNING || data != e->taken)
            return broken(r, "slot %d gets doorbell 0x%" PRIx32 " of entry %d; to be slot %d, 0x%" PRIx32, s, data,
                          number, e->where == PLACED ? e->slot : NONE, e->taken);
        return true;
    case 1: return fills(r, s, number, data);
    case 60:
        return (w->entry == number && w->phase == PHASE_LOADING && data == (uint32_t)e->mqd) ||
               broken(r, "slot %d is mapped from MQD 0x%" PRIx32 ", not for entry %d", s, data, number);
    case 6:
        if (r->out->ledger.command_valid && r->out->ledger.command_op == RUN_PRIORITY && w->phase == PHASE_RUNNING)
            e->priority = (uint8_t)(r->out->ledger.command_data & 15);
        else if (w->phase != PHASE_LOADING || r->clock - w->ended > SEEN)
            return broken(r, "slot %d gets a priority, and its mapping has not ended", s);
        else {
            w->phase = PHASE_RUNNING;
            w->since = r->clock;
            w->ran = w->still[0] = w->turned = 0;
            w->still[1]                      = SEEN; // its mapping has ended so many clocks ago, at most
            w->turn[0]                       = false;
        }
        return (w->entry == number && data == e->priority) ||
               broken(r, "slot %d gets priority %" PRIu32 ", entry %d has %d", s, data, w->entry, e->priority);
    case 24: return evicts(r, s, number, data);
    default: return broken(r, "access to dword %" PRIu32 " of slot %d", a % 0x40, s);
    }
}

static void access_ends(roster *r)
{
    slot *w = &r->slots[r->access];
    if (r->out->host.proxy_error && r->out->proxy.address < TOTEM_REG_PIPE_BASE / 4)
        w->stuck = true;
}

// -- doorbells and commands -----------------------------------------------------------------------------------------

static bool rung(roster *r)
{
    const totem_host_out *h      = &r->out->host;
    const int             number = h->request_entry;
    entry                *e      = &r->entries[number];
    if (!h->request_write)
        return true;
    if ((r->out->bell.host_error == 0) != e->known)
        return broken(r, "a doorbell of entry %d is %s", number, e->known ? "refused" : "taken, and it is not listed");
    for (int n = 0; e->known && n < 4; n++)
        if (h->request_strobe >> n & 1)
            e->wptr = (e->wptr & ~(0xffu << 8 * n)) | (h->request_data & 0xffu << 8 * n);
    e->pending = e->known;
    return true;
}

static bool ordered(roster *r)
{
    const totem_runlist_out *o      = &r->out->runlist;
    const int                number = o->order_entry;
    entry                   *e      = &r->entries[number];
    slot                    *w      = e->where == PLACED ? &r->slots[e->slot] : NULL;
    const bool               leaves = w && w->phase != PHASE_RUNNING;
    if (o->order_op == BELL_LIST) {
        e->known = true;
        e->wptr  = e->pending ? e->wptr : o->order_data;
        return e->where == FREE || broken(r, "entry %d is listed, and it is", number);
    }
    if (leaves && r->clock - w->ended > SEEN)
        return broken(r, "entry %d leaves slot %d, and %s", number, e->slot,
                      pipe_of(r, e->slot)->front.record.busy[e->slot % TOTEM_QUEUES]
                          ? "a record of it is not acknowledged"
                          : "it is active");
    if (o->order_op == BELL_DROP) {
        if (e->where == FREE) { // it could not be listed
            *e = (entry){0};
            return true;
        }
        if (!(e->removed || meant(r, e, number)) || (w && !leaves))
            return broken(r, "entry %d is free, and it %s", number, w ? "is in a slot" : "is not removed");
        if (w)
            empty(r, w);
        return release(r, e);
    }
    if (r->out->bell.order_pending != e->pending || r->out->bell.order_wptr != e->wptr)
        return broken(r, "entry %d is %spending with 0x%" PRIx32 "; to be 0x%" PRIx32, number,
                      r->out->bell.order_pending ? "" : "not ", r->out->bell.order_wptr, e->wptr);
    e->taken = e->wptr;
    if (!w)
        return broken(r, "the doorbell of entry %d is taken, and it is in no slot", number);
    if (leaves) {
        const bool waits = w->wanted || e->pending;
        e->where         = LISTED;
        empty(r, w);
        if (waits)
            begin_wait(r, e);
    }
    e->pending = false;
    return true;
}

static bool added(roster *r, const memory *m)
{
    const totem_ledger_out *l      = &r->out->ledger;
    const int               number = l->command_entry;
    entry                  *e      = &r->entries[number];
    const uint64_t          mqd = l->command_mqd << 3, pointer = l->command_pointer << 3;
    const uint8_t           answer = r->out->runlist.command_answer;
    if ((answer == RUN_ENTRY) != (e->where != FREE))
        return broken(r, "entry %d is %s", number, answer == RUN_ENTRY ? "free, and not listed" : "listed again");
    if (answer != RUN_GOOD)
        return true;
    const uint32_t read = memory_seen(m, mqd + 4 * 138, r->asked), write = memory_seen(m, pointer, r->asked);
    e->where    = LISTED;
    e->mqd      = mqd;
    e->process  = l->command_process;
    e->quantum  = l->command_quantum;
    e->fixed    = l->command_static;
    e->priority = (uint8_t)(memory_seen(m, mqd + 4 * 134, r->asked) & 15);
    if (!e->pending && e->wptr != write)
        return broken(r, "entry %d is listed with write pointer 0x%" PRIx32 ", not 0x%" PRIx32, number, e->wptr, write);
    if (read != write || memory_seen(m, mqd + 4 * 132, r->asked) >> 31 ||
        memory_seen(m, mqd + 4 * 149, r->asked) >> 31 || (memory_seen(m, mqd + 4 * 383, r->asked) & 0x7f))
        begin_wait(r, e);
    return true;
}

static bool commanded(roster *r, const memory *m)
{
    const totem_ledger_out *l = &r->out->ledger;
    entry                  *e = &r->entries[l->command_entry];
    switch (l->command_op) {
    case RUN_ADD: return added(r, m);
    case RUN_MASK: r->owned = l->command_data & ~1ull; return true;
    case RUN_PRIORITY:
        if ((r->out->runlist.command_answer == RUN_ENTRY) != (e->where == FREE))
            return broken(r, "a priority of entry %d has answer %d", l->command_entry, r->out->runlist.command_answer);
        e->priority = (uint8_t)(l->command_data & 15);
        e->turned   = r->clock;
        return true;
    default: break;
    }
    for (int n = 0; n < ENTRIES; n++) {
        e = &r->entries[n];
        if (e->where == FREE || !meant(r, e, n))
            continue;
        if (l->command_reset && e->where == PLACED && r->slots[e->slot].phase == PHASE_LEAVING &&
            !r->slots[e->slot].resets && pipe_of(r, e->slot)->front.hqd.active[e->slot % TOTEM_QUEUES])
            return broken(r, "entry %d in slot %d is to be reset, and only leaves", n, e->slot);
        if (e->where == PLACED && r->slots[e->slot].lost)
            r->slots[e->slot].phase = PHASE_LEAVING;
        e->by_reset = e->by_reset || l->command_reset;
        r->removals += !e->removed;
        e->removed = true;
        r->quiet   = r->clock;
    }
    return true;
}

// -- what must happen -----------------------------------------------------------------------------------------------

// Every wait, every doorbell and every removal ends.
static bool in_time(roster *r)
{
    const uint32_t unit = r->out->host.settings_quantum_unit0;
    bool           able = false, room = false;
    uint32_t       pending = 0, claims = 0, waiting = 0;
    int            best = NONE; // who is next: the highest level, or with YIELD perhaps the lowest
    look_for_lapses(r, NONE);
    for (int s = 0; s < SLOTS; s++) {
        slot *w = &r->slots[s];
        able    = able || w->usable || (w->phase == PHASE_EMPTY && w->spare == r->clock && (r->owned >> s & 1));
        claims += w->claimed;
        const uint64_t moves = w->phase == PHASE_LOADING || w->phase == PHASE_LEAVING ? r->clock - w->since : 0;
        r->longest           = moves > r->longest ? moves : r->longest;
        if (r->settings[3] && moves > r->settings[3] + LEAST + 4 * CHOICE && w->active > moves &&
            r->set + moves < r->clock)
            return broken(r, "the move of slot %d does not end, and it is not reset", s);
        w->wrong = more(r->out->runlist.place_phase[s] != w->phase ||
                            (w->phase != PHASE_EMPTY && r->out->runlist.place_entry[s] != w->entry),
                        w->wrong);
        if (w->wrong > CHOICE / LOOK && !r->held)
            return broken(r, "SLOT %d shows phase %d, entry %d; to be %d, %d", s, r->out->runlist.place_phase[s],
                          r->out->runlist.place_entry[s], w->phase, w->entry);
    }
    for (int n = 0; n < ENTRIES; n++) {
        const entry *e = &r->entries[n];
        pending += e->pending;
        waiting += e->waits && !e->removed;
        if (e->waits && !e->removed && r->clock - e->since > 2 * CHOICE &&
            (best == NONE || (e->priority > best) != (r->settings[0] != 0)))
            best = e->priority;
    }
    for (int n = 0; n < ENTRIES; n++) {
        entry     *e = &r->entries[n];
        const bool owes =
            e->pending &&
            (e->where == LISTED ? !e->waits : e->where == PLACED && r->slots[e->slot].phase == PHASE_RUNNING);
        e->owed = owes && !r->commanded ? e->owed + LOOK : 0;
        if (e->owed > (pending + 2ull) * 2 * CHOICE)
            return broken(r, "a doorbell of entry %d is not heard", n);
        if (!e->waits || e->removed)
            continue;
        e->waited += able && !r->commanded ? LOOK : 0;
        if (r->settings[0] && r->set < e->since &&
            e->waited > e->bound * (r->settings[0] * (128ull * unit + CHOICE + LOOK) + r->longest))
            return broken(r, "entry %d has waited since clock %" PRIu64 ", longer than its bound", n, e->since);
        if (!claims && e->turned < e->since && !passed(r, e->since, r->moves))
            return false;
    }
    room = best != NONE && room_for(r) <= best;
    for (int s = 0; best != NONE && s < SLOTS; s++) {
        const slot *w = &r->slots[s];
        room          = room || (w->usable > CHOICE && (w->idle > CHOICE || w->parked > CHOICE ||
                                               (w->entry != NONE && r->entries[w->entry].priority < best)));
    }
    r->stalled = waiting > claims && room && !r->commanded ? r->stalled + LOOK : 0;
    return r->stalled <= 4 * CHOICE + LEAST || broken(r, "a queue of priority %d waits, and a slot is there", best);
}

static bool at_rest(roster *r)
{
    for (int n = 0; n < ENTRIES; n++)
        if (r->entries[n].waits && r->clock - r->entries[n].since > SEEN)
            return broken(r, "it is idle, and entry %d waits", n);
    for (int s = 0; s < SLOTS; s++)
        if ((r->slots[s].phase == PHASE_LOADING || r->slots[s].phase == PHASE_LEAVING) &&
            r->clock - r->slots[s].since > SEEN)
            return broken(r, "it is idle, and slot %d moves", s);
    return true;
}

bool roster_step(roster *r, const totem_machine_out *out, const memory *m, uint64_t clock, char message[256])
{
    const totem_ledger_out  *l      = &out->ledger;
    const totem_runlist_out *o      = &out->runlist;
    const uint32_t           now[4] = {l->settings_yield, l->settings_park, l->settings_spare, l->settings_leave};
    r->clock                        = clock;
    r->out                          = out;
    r->message                      = message;
    for (int n = 0; n < 4; n++) {
        r->set         = now[n] != r->settings[n] ? clock : r->set;
        r->settings[n] = now[n];
    }
    for (int s = 1; s < SLOTS; s++)
        if (r->owned >> s & 1 || r->slots[s].phase != PHASE_EMPTY)
            watch(r, s);
    for (int s = 1; s < SLOTS; s++)
        look_for_losses(r, s);
    r->lull = r->waiting && r->lull < 128ull * out->host.settings_quantum_unit0 ? r->lull + 1 : 0;
    r->lulls += r->waiting && r->lull == 0;
    if (o->moves != r->moves) {
        if (!r->followed)
            lapses(r);
        r->followed = false;
        r->moves    = o->moves;
        r->placed   = clock;
        r->stalled = r->lull = 0;
    }
    if (l->command_valid && !r->commanded)
        r->asked = clock;
    r->commanded = l->command_valid;
    if ((out->host.bell_valid && out->bell.host_done && !rung(r)) ||
        (o->order_valid && out->bell.order_done && !ordered(r)) || (out->proxy.valid && !r->held && !access_begins(r)))
        return false;
    r->held = out->proxy.valid;
    if (out->proxy.valid && out->host.proxy_done)
        access_ends(r);
    if (out->bell.event_valid && o->event_take) {
        entry *e = &r->entries[out->bell.event_entry];
        if (e->where == LISTED && !e->waits)
            begin_wait(r, e);
    }
    if (l->command_valid && o->command_done && !commanded(r, m))
        return false;
    if ((r->removals != 0) != o->removing && !l->command_valid && clock - r->quiet > SEEN)
        return broken(r, "STATUS says %d, and %" PRIu32 " entries are still to leave", o->removing, r->removals);
    return clock % LOOK || (in_time(r) && (!o->idle || at_rest(r)));
}

#else

roster *roster_create(void)
{
    return calloc(1, 1);
}

void roster_destroy(roster *r)
{
    free(r);
}

bool roster_step(roster *r, const totem_machine_out *out, const memory *m, uint64_t clock, char message[256])
{
    (void)r, (void)out, (void)m, (void)clock, (void)message;
    return true;
}

#endif

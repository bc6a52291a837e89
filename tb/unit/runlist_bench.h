// SPDX-License-Identifier: Apache-2.0
//
// runlist_bench: runlist with its real neighbours bell, roster, place and proxy, and a world behind them: slots that
// load, run one queue of a pipe at a time, leave, and end; MQDs in memory; a driver that rings. In each clock the
// world compares what the RAM of entries and the slot table say with an account of its own.

#ifndef RUNLIST_BENCH_H
#define RUNLIST_BENCH_H

#include "block_bench.h"

#include "totem_bell.h"
#include "totem_hqd_values.h"
#include "totem_memory_values.h"
#include "totem_place.h"
#include "totem_place_values.h"
#include "totem_pm4.h"
#include "totem_proxy.h"
#include "totem_regs_map.h"
#include "totem_roster.h"
#include "totem_runlist.h"

BENCH(runlist)

enum {
    SLOTS   = TOTEM_PIPE_COUNT * TOTEM_QUEUES,
    QUEUES  = 16,     // that the tests use; queue k is entry k
    DRIVERS = QUEUES, // the queue of the driver in slot 0, if any
    NONE    = 99,
    LOAD    = 12, // clocks of the moves of the model
    SAVE    = 9,
    RECORD  = 6,
    HOST    = 2,
    QUANTUM = 30,
    PARK    = 400,
    TURN    = 5, // the pipe changes among equals
    LONG    = 20000
};

#define MQDS UINT64_C(0x1200000000)

typedef struct {
    uint32_t announced;              // last write pointer that the driver has written into memory
    uint32_t rptr, wptr;             // of the MQD
    uint8_t  level, tasks;           // of the MQD: priority; tasks
    bool     grid, ib;               // of the MQD: unfinished grid; open indirect buffer
    bool     holds, broken;          // does not leave unless it is reset; cannot be mapped
    bool     lingers;                // its mapping does not end
    bool     spoils;                 // its saves fail
    bool     deaf;                   // refuses doorbells
    bool     polls;                  // its packet polls in vain while it has a pipe
    bool     unread, unread_pointer; // its MQD or its write pointer cannot be read
    uint32_t needs;                  // runs only when queue `producer` has done so much
    unsigned producer;               // NONE: needs nothing
    uint64_t mapped, evicted;        // when last
    unsigned maps, starved;          // mappings; those that ended without a turn
    uint32_t selected;               // clocks since it was mapped
    bool     listed;                 // in a list of roster
    unsigned list;
} queue_model;

typedef enum { EMPTY, LOADS, LIVES, LEAVES, ENDS } life;

typedef struct {
    life     life;
    unsigned clocks, queue;
    uint32_t high, rptr, wptr, level;
    bool     reset, lost;
} slot_model;

typedef struct {
    bench                       b;
    totem_bell                  bell;
    totem_bell_in               bell_i;
    totem_roster                roster;
    totem_roster_in             roster_i;
    totem_place                 place;
    totem_proxy                 proxy;
    uint64_t                    entries[4 * TOTEM_RUN_QUEUES], bells[TOTEM_RUN_QUEUES];
    TOTEM_BELL_ENTRY            bell_queue[TOTEM_RUN_QUEUES];
    TOTEM_ROSTER_LINK_READ_DATA links[TOTEM_RUN_QUEUES], ends[TOTEM_ROSTER_RUN_LISTS];
    queue_model                 queue[QUEUES + 1];
    slot_model                  slot[SLOTS];
    unsigned chosen[TOTEM_PIPE_COUNT], turn[TOTEM_PIPE_COUNT]; // slot that the pipe has selected, or NONE
    unsigned access, answer, resets, beat, own;                // own: clocks of the act that are not a neighbour's
    uint64_t clock;
    bool     refused, no_maps; // the last doorbell; MAP is
    unsigned messages;         // of proxy,
    uint64_t message;          // first word of the last one
} runlist_bench;

// -- the slots --------------------------------------------------------------------------------------------------------

static uint32_t done_of(const runlist_bench *t, unsigned k)
{
    for (unsigned n = 0; n < SLOTS; n++)
        if (t->slot[n].queue == k && (t->slot[n].life == LIVES || t->slot[n].life == LEAVES))
            return t->slot[n].rptr;
    return t->queue[k].rptr;
}

static unsigned slot_of(const runlist_bench *t, unsigned k)
{
    for (unsigned n = 0; n < SLOTS; n++)
        if (t->slot[n].queue == k && t->slot[n].life != EMPTY)
            return n;
    return NONE;
}

static bool can_run(const runlist_bench *t, unsigned n)
{
    const slot_model  *s = &t->slot[n];
    const queue_model *q = &t->queue[s->queue];
    return s->life == LIVES && !q->lingers && (s->rptr != s->wptr || q->grid || q->ib || q->tasks) &&
           (q->producer == NONE || done_of(t, q->producer) >= q->needs);
}

static void run_pipe(runlist_bench *t, unsigned p)
{
    const unsigned first = p * TOTEM_QUEUES, now = t->chosen[p];
    unsigned       next = NONE;
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) { // in turn, the highest first
        const unsigned n = first + (now + k) % TOTEM_QUEUES;
        if (can_run(t, n) && (next == NONE || t->slot[n].level > t->slot[next].level))
            next = n;
    }
    if (next != now && now != NONE && can_run(t, now) && t->slot[next].level == t->slot[now].level &&
        ++t->turn[p] < TURN)
        next = now;
    if (next != now)
        t->turn[p] = 0;
    t->chosen[p] = next;
    if (next == NONE)
        return;
    queue_model *q = &t->queue[t->slot[next].queue];
    q->selected++;
    if (q->polls)
        return;
    if (t->slot[next].rptr != t->slot[next].wptr)
        t->slot[next].rptr++;
    q->grid = q->ib = false;
    q->tasks        = 0;
}

static void run_slot(runlist_bench *t, unsigned n)
{
    slot_model  *s = &t->slot[n];
    queue_model *q = &t->queue[s->queue];
    s->clocks++;
    if (s->life == LOADS && s->clocks >= LOAD) {
        s->life = q->broken ? EMPTY : LIVES;
        s->lost = false;
        s->rptr = q->rptr;
        s->wptr = q->wptr;
        if (q->broken)
            return;
        q->mapped   = t->clock;
        q->selected = 0;
        q->maps++;
    } else if (s->life == LEAVES && s->clocks >= SAVE && (!q->holds || s->reset)) {
        q->rptr    = s->rptr;
        q->wptr    = s->wptr;
        q->evicted = t->clock;
        q->starved += q->selected == 0;
        s->lost   = q->spoils;
        s->life   = ENDS;
        s->clocks = 0;
    } else if (s->life == ENDS && s->clocks >= RECORD) {
        s->life = EMPTY;
    }
}

// An access behind proxy: its error.
static uint8_t host(runlist_bench *t, uint32_t address, uint32_t data)
{
    const bool     bell = address < TOTEM_REG_PIPE_BASE / 4;
    const unsigned pipe = bell ? (address - TOTEM_REG_DOORBELL_BASE / 4) / 8 : address / 0x400 % 16;
    const unsigned n    = pipe * TOTEM_QUEUES + (bell ? address % 8 : address / 0x40 % 16);
    assert_true(n < SLOTS && (t->b.s.owned[n] || t->b.s.place_phase[n] != PHASE_EMPTY)); // 5 own
    slot_model  *s = &t->slot[n];
    queue_model *q = &t->queue[s->queue];
    if (bell) {
        if (s->life != LIVES || q->deaf || (int32_t)(data - s->wptr) < 0)
            return TOTEM_ERROR_HOST_DOORBELL_RANGE & 31;
        s->wptr = data;
        return 0;
    }
    assert_int_equal(address / 0x4000, 1);
    switch (address % 0x40) {
    case TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI: s->high = data; break;
    case TOTEM_REG_QUEUE_MAP:
        if (t->no_maps)
            return TOTEM_ERROR_HOST_MAP_BUSY & 31;
        assert_int_equal(s->life, EMPTY);
        assert_int_equal(s->high, 0x12);
        s->queue = data / 0x1000 - 0x100;
        assert_true(s->queue < QUEUES);
        s->life   = LOADS;
        s->clocks = 0;
        s->reset  = false;
        break;
    case TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY:
        assert_int_equal(s->life, LIVES);
        s->level = data;
        break;
    case TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST:
        assert_in_range(data, DEQUEUE_RESET, DEQUEUE_LEAVE);
        s->reset |= data == DEQUEUE_RESET;
        t->resets += data == DEQUEUE_RESET;
        if (s->life == LIVES) {
            s->life   = LEAVES;
            s->clocks = 0;
        }
        break;
    default: fail_msg("dword %u", address % 0x40);
    }
    return 0;
}

static const queue_model *model_at(const runlist_bench *t, uint64_t address)
{
    assert_true(address >= MQDS + 0x100000 && address < MQDS + 0x100000 + 0x1000 * QUEUES);
    return &t->queue[(address - MQDS) / 0x1000 - 0x100];
}

static bool readable(const runlist_bench *t, uint64_t address)
{
    if (address < MQDS)
        return !t->queue[(address - 0x800000) / 8].unread_pointer;
    return !model_at(t, address)->unread;
}

static uint64_t memory(const runlist_bench *t, uint64_t address)
{
    if (address < MQDS)
        return t->queue[(address - 0x800000) / 8].announced | UINT64_C(1) << 63;
    const queue_model *q = model_at(t, address);
    switch (address % 0x1000 / 4) {
    case 132: return (uint64_t)q->grid << 31;
    case 134: return q->level | 0xfff0;
    case 138: return q->rptr | UINT64_C(0xffffffff) << 32;
    case 148: return (uint64_t)q->ib << 63;
    case 382: return (uint64_t)q->tasks << 32 | 0xffffffff;
    default: fail_msg("dword %u", (unsigned)(address % 0x1000 / 4)); return 0;
    }
}

// -- the account ------------------------------------------------------------------------------------------------------

static unsigned state_of(const runlist_bench *t, unsigned k)
{
    return t->entries[4 * k] >> 60 & 3;
}

static bool waits(const runlist_bench *t, unsigned k)
{
    return t->entries[4 * k] >> 62 & 1;
}

static bool removed(const runlist_bench *t, unsigned k)
{
    return t->entries[4 * k] >> 63 & 1;
}

static void account(const runlist_bench *t)
{
    const totem_runlist *s          = &t->b.s;
    unsigned             in[QUEUES] = {0}, removals = 0;
    bool                 there[QUEUES + 1] = {0};
    for (unsigned n = 0; n < SLOTS; n++)
        if (t->slot[n].life != EMPTY) {
            assert_false(there[t->slot[n].queue]);
            there[t->slot[n].queue] = true;
        }
    if (s->phase != RUNLIST_REST)
        return;
    for (unsigned n = 0; n < SLOTS; n++) {
        const unsigned k = s->place_entry[n];
        if (s->place_phase[n] != PHASE_EMPTY) {
            in[k]++;
            assert_int_equal(t->entries[4 * k + 1] & 63, n); // 2 inverse
            if (s->place_phase[n] != PHASE_RUNNING)
                assert_int_equal(state_of(t, k), RUN_MOVING); // 3 running
            else
                assert_int_equal(s->priority[n], t->entries[4 * k] >> 54 & 15);
        } else if (n != 0) {
            assert_int_equal(t->slot[n].life, EMPTY);
        }
        if (s->claimed[n]) {
            assert_int_equal(s->place_phase[n], PHASE_LEAVING);
            in[s->claimant[n]]++;
            assert_int_equal(t->entries[4 * s->claimant[n] + 1] & 63, n);
        }
    }
    for (unsigned k = 0; k < QUEUES; k++) {
        assert_int_equal(t->queue[k].listed, state_of(t, k) == RUN_LISTED && waits(t, k)); // 1 one
        assert_int_equal(in[k], state_of(t, k) >= RUN_MOVING);                             // 2 inverse
        assert_true(!removed(t, k) || state_of(t, k) == RUN_MOVING);
        removals += removed(t, k);
        if (t->queue[k].listed)
            assert_int_equal(t->queue[k].list, t->entries[4 * k] >> 54 & 63);
    }
    assert_int_equal(s->removals, removals); // 6 removals
}

static void note_request(runlist_bench *t, const totem_runlist_out *o)
{
    queue_model *q = &t->queue[o->request_entry];
    if (o->request_op == ROSTER_FIRST)
        return;
    assert_int_equal(q->listed, o->request_op == ROSTER_REMOVE);
    if (q->listed)
        assert_int_equal(q->list, o->request_list);
    q->listed = !q->listed;
    q->list   = o->request_list;
}

// -- a clock ----------------------------------------------------------------------------------------------------------

#define WITH_RAM(in, out, ram, port)                                         \
    do {                                                                     \
        assert_false((out).port##_read_enable && (out).port##_write_enable); \
        if ((out).port##_read_enable)                                        \
            (in).port##_read_data = (ram)[(out).port##_read_addr];           \
        if ((out).port##_write_enable)                                       \
            (ram)[(out).port##_write_addr] = (out).port##_write_data;        \
    } while (0)

static void show_world(runlist_bench *t, totem_runlist_in *i)
{
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++) {
        run_pipe(t, p);
        i->arbiter_selected_valid[p] = t->chosen[p] != NONE;
        if (t->chosen[p] != NONE)
            i->arbiter_selected[p] = (uint8_t)(t->chosen[p] % TOTEM_QUEUES);
        i->packet_executed[p]     = t->chosen[p] != NONE;
        i->packet_unsuccessful[p] = t->chosen[p] != NONE && t->queue[t->slot[t->chosen[p]].queue].polls;
    }
    for (unsigned n = 0; n < SLOTS; n++) {
        const slot_model  *s      = &t->slot[n];
        const queue_model *q      = &t->queue[s->queue];
        const bool         active = s->life == LIVES || s->life == LEAVES;
        i->hqd_active[n]          = active;
        const bool saves          = s->life == LEAVES && s->clocks >= SAVE / 2;
        i->hqd_request[n]         = REQUEST_NONE;
        if (s->life == LOADS)
            i->hqd_request[n] = REQUEST_WINDOW;
        else if (s->life == LIVES && q->lingers)
            i->hqd_request[n] = REQUEST_PRELOAD;
        else if (saves)
            i->hqd_request[n] = REQUEST_SAVE;
        i->hqd_dequeuing[n]          = s->life == LEAVES;
        i->record_busy[n]            = s->life == ENDS;
        i->mqd_lost[n]               = s->lost;
        i->fetch_pending[n]          = active && (s->rptr != s->wptr || q->ib);
        i->packet_unfinished[n]      = active && q->grid;
        i->task_pending[n]           = active && q->tasks && !saves; // a save takes them away
        i->arbiter_queue_priority[n] = s->level & 15;
        i->arbiter_ready[n]          = can_run(t, n);
    }
}

// An act has at most 40 clocks of its own; a sweep, and the search for the longest wait, have more.
static void bounded(runlist_bench *t)
{
    const totem_runlist *s = &t->b.s;
    const bool asks        = s->phase == RUNLIST_ORDER || s->phase == RUNLIST_REQUEST || s->phase == RUNLIST_ANSWER ||
                      s->phase == RUNLIST_SCAN || s->phase == RUNLIST_ACCESS || s->phase == RUNLIST_ASK ||
                      s->phase == RUNLIST_BEAT;
    t->own += !asks;
    if (s->phase == RUNLIST_REST || s->phase == RUNLIST_SWEEP || (s->commanded && s->sweeping) ||
        (s->act == ACT_CHOOSE && s->yielding))
        t->own = 0;
    assert_true(t->own <= 40);
}

static void clock_edge(runlist_bench *t)
{
    const totem_runlist_out o = t->b.o;
    totem_runlist_in       *i = &t->b.i;
    totem_bell_out          bell;
    totem_roster_out        roster;
    totem_place_out         place;
    totem_proxy_out         proxy;
    totem_proxy_in          proxy_i = {.events_error_ready = true, .runlist_write = true};

    totem_bell_outputs(&t->bell, &bell);
    totem_roster_outputs(&t->roster, &roster);
    totem_place_outputs(&t->place, &place);
    totem_proxy_outputs(&t->proxy, &proxy);
    account(t);
    show_world(t, i);
    assert_true(o.order_valid + o.request_valid + o.start + o.access_valid + o.read_valid <= 1); // 4 asked
    bounded(t);

    i->bell_event_valid   = bell.event_valid;
    i->bell_event_entry   = bell.event_entry;
    i->bell_order_done    = bell.order_done;
    i->bell_order_pending = bell.order_pending;
    i->bell_order_wptr    = bell.order_wptr;
    t->bell_i.event_take  = o.event_take;
    t->bell_i.order_valid = o.order_valid;
    t->bell_i.order_op    = o.order_op;
    t->bell_i.order_entry = o.order_entry;
    t->bell_i.order_data  = o.order_data;

    i->roster_request_ready  = roster.request_ready;
    i->roster_answer_valid   = roster.answer_valid;
    i->roster_answer_refused = roster.answer_refused;
    i->roster_answer_entry   = roster.answer_entry;
    for (unsigned n = 0; n < TOTEM_ROSTER_RUN_LISTS; n++)
        i->roster_filled[n] = roster.filled[n];
    t->roster_i.request_valid = o.request_valid;
    t->roster_i.request_op    = o.request_op;
    t->roster_i.request_list  = o.request_list;
    t->roster_i.request_entry = o.request_entry;
    if (o.request_valid && roster.request_ready)
        note_request(t, &o);

    i->place_ask                 = place.ask;
    i->place_slot                = place.slot;
    i->place_done                = place.done;
    i->place_found               = place.found;
    i->place_chosen              = place.chosen;
    i->place_reason              = place.reason;
    const totem_place_in place_i = {o.start,       o.start_priority, o.start_yield,   o.slot_usable,
                                    o.slot_phase,  o.slot_wants,     o.slot_parked,   o.slot_turn,
                                    o.slot_used,   o.slot_priority,  o.slot_selected, o.pipe_running,
                                    o.pipe_mapped, o.pipe_empty,     o.pipe_highest,  i->settings_spare};

    i->proxy_done           = proxy.done;
    i->proxy_error          = proxy.error;
    proxy_i.runlist_valid   = o.access_valid;
    proxy_i.runlist_address = o.access_address;
    proxy_i.runlist_data    = o.access_data;
    proxy_i.runlist_entry   = o.access_entry;
    proxy_i.runlist_late    = o.access_late;
    if (proxy.error_valid && proxy.error_word >> 56 != 0) {
        t->messages++;
        t->message = proxy.error_word;
    }
    if (proxy.valid && ++t->access > HOST) {
        t->access                = 0;
        proxy_i.host_proxy_done  = true;
        proxy_i.host_proxy_error = host(t, proxy.address, proxy.data);
    }

    i->data_valid = t->beat != 0 && --t->beat == 0;
    i->read_ready = o.read_valid && t->clock % 2;
    if (i->read_ready) {
        t->beat              = 3;
        t->b.hold.data_word  = memory(t, o.read_addr);
        t->b.hold.data_error = readable(t, o.read_addr) ? MEMORY_OK : MEMORY_DECERR;
    }
    for (unsigned n = 0; n < SLOTS; n++)
        run_slot(t, n);

    totem_bell_step(&t->bell, &t->bell_i);
    WITH_RAM(t->bell_i, bell, t->bells, word);
    WITH_RAM(t->bell_i, bell, t->bell_queue, queue);
    if (bell.host_done) {
        t->bell_i.host_bell_valid = false;
        t->refused                = bell.host_error != 0;
    }
    totem_roster_step(&t->roster, &t->roster_i);
    WITH_RAM(t->roster_i, roster, t->links, link);
    WITH_RAM(t->roster_i, roster, t->ends, ends);
    totem_place_step(&t->place, &place_i);
    totem_proxy_step(&t->proxy, &proxy_i);
    if (o.command_done) {
        assert_true(i->command_valid); // 7 answered
        t->b.hold.command_valid = false;
        t->answer               = o.command_answer;
    }
    t->clock++;
    assert_false(o.ram_read_enable && o.ram_write_enable);
    TICK_WITH_RAM(t, t->entries, ram);
}

static void run(runlist_bench *t, unsigned clocks)
{
    while (clocks--)
        clock_edge(t);
}

// Clocks until the condition holds, at most `most`.
#define UNTIL(condition, most)                                                                         \
    __extension__({                                                                                    \
        unsigned clocks_ = 0;                                                                          \
        while (!(condition)) {                                                                         \
            if (++clocks_ > (most))                                                                    \
                fail_msg("line %d: not within %u clocks: %s", __LINE__, (unsigned)(most), #condition); \
            clock_edge(t);                                                                             \
        }                                                                                              \
        clocks_;                                                                                       \
    })

// -- what the driver does ---------------------------------------------------------------------------------------------

static unsigned command(runlist_bench *t, unsigned op, unsigned k)
{
    LEVEL(&t->b, command_op, (uint8_t)op);
    LEVEL(&t->b, command_entry, (TOTEM_RUNLIST_ENTRY)k);
    LEVEL(&t->b, command_valid, true);
    UNTIL(!t->b.hold.command_valid, 6 * TOTEM_RUN_QUEUES + 100 * QUEUES);
    run(t, 1); // its last clock
    return t->answer;
}

static unsigned with_data(runlist_bench *t, unsigned op, unsigned k, uint64_t data)
{
    LEVEL(&t->b, command_data, data);
    return command(t, op, k);
}

static unsigned add(runlist_bench *t, unsigned k)
{
    LEVEL(&t->b, command_mqd, (MQDS + 0x100000 + k * 0x1000) / 8);
    LEVEL(&t->b, command_pointer, (0x800000 + k * 8) / 8);
    return command(t, RUN_ADD, k);
}

static void ring(runlist_bench *t, unsigned k, uint32_t work)
{
    t->queue[k].announced += work;
    t->bell_i.host_bell_valid     = true;
    t->bell_i.host_request_write  = true;
    t->bell_i.host_request_strobe = 15;
    t->bell_i.host_request_entry  = (TOTEM_BELL_ENTRY)k;
    t->bell_i.host_request_data   = t->queue[k].announced;
    UNTIL(!t->bell_i.host_bell_valid, 14);
}

// The last message of proxy is of this code and queue.
static void told(const runlist_bench *t, unsigned code, unsigned k)
{
    assert_int_equal(t->message >> 56, code);
    assert_int_equal(t->message >> 20 & 0xfff, k);
}

static bool done(const runlist_bench *t, unsigned k)
{
    return done_of(t, k) == t->queue[k].announced;
}

static bool all_done(const runlist_bench *t, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (!done(t, k))
            return false;
    return true;
}

static void open_bench(runlist_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    totem_bell_reset(&t->bell);
    totem_roster_reset(&t->roster);
    totem_place_reset(&t->place);
    totem_proxy_reset(&t->proxy);
    memset(t->entries, 0xff, sizeof t->entries);
    for (unsigned k = 0; k <= QUEUES; k++)
        t->queue[k].producer = NONE;
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        t->chosen[p] = NONE;
    for (unsigned n = 0; n < SLOTS; n++)
        LEVEL(&t->b, fence_spare[n], true);
    LEVEL(&t->b, settings_quantum_unit0, QUANTUM);
    LEVEL(&t->b, settings_park, PARK);
    LEVEL(&t->b, command_quantum, 1);
    while (t->b.s.phase == RUNLIST_SWEEP) {
        assert_true(t->clock <= TOTEM_RUN_QUEUES);
        t->b.i.ram_read_data = 0;
        clock_edge(t);
    }
}

static void close_bench(runlist_bench *t)
{
    (void)t;
}

#define RUNLIST_RULE(name) RULE_IN(runlist_bench, open_bench, close_bench, t, name)

#endif

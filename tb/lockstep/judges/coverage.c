// SPDX-License-Identifier: Apache-2.0
//
// coverage: see coverage.h. The points are in coverage.def.

// mkstemp and fdopen.
#define _POSIX_C_SOURCE 200809L

#include "coverage.h"

#include "../../../cmodel/fence/totem_fence_values.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_arbiter_values.h"
#include "../../../cmodel/queue/totem_hqd_values.h"
#include "../../../cmodel/tool/pm4_decode.h"
#include "ring.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUEUES = TOTEM_QUEUES, PIPES = TOTEM_PIPE_COUNT, ENGINES = TOTEM_SE_COUNT, RECENT = 4, NO_LOAD = 32 };

// Phases that have no generated names yet.

// What kept a queue from being ready when it was not; NO_LINE: nothing but its line. DEQUEUED ends in UNMAPPED.
typedef enum { UNMAPPED, EMPTY, HALTED, FLUSHING, NO_EPOCH, WAITING, DEQUEUED, NO_LINE, BLOCKERS } blocker;

// What a clock edge of a pipe does, and what led to it.
typedef struct {
    unsigned own;  // the selected queue
    unsigned best; // selected by this edge
    bool     asks; // `leave` rises
    // Conditions of replacement, as in docs/queue.md.
    bool     better, equal, may, used_up, yields, event, empties, stops;
    bool     lower;          // a queue of lower priority is ready
    bool     other;          // another queue is ready
    bool     choice[QUEUES]; // could be selected
    unsigned choices;        // how many
    bool     empty, stalled; // the selected queue
    blocker  why;            // what had kept the queue that displaces from being ready
    bool     by_packet;      // a packet has just written a priority
    bool     by_host;        // the host has
    bool     done;           // a packet ends
    uint8_t  op;             // its opcode
    uint32_t control;        // its control dword
    unsigned load;           // kind of the load bus word, NO_LOAD: none
    unsigned slot;           // its queue
    bool     becomes_ready;
    unsigned becomes_ready_queue, becomes_ready_after;
    bool     passes_lower, ready_below, candidate_lost, better_next; // at a selection
    bool     fetch_passed_over, burst_cut, ring_wraps, reported, left;
    bool     write_cut;                // a WRITE_DATA is given up before its last dword
    bool     given_up, given_up_above; // the last turn ended so
    bool     dequeue_asked, dequeue_cleared, drains, leaves_waves;
    unsigned dequeue_queue, jobs;
    bool     report_waited; // a slot that could be saved, or free, has a report without its answer; by way of leaving
    unsigned report_way;
    bool     returned; // work-groups come back from a recall
    bool     mapping_closes, epochs_full, next_epoch_waits, epoch_overtakes, old_failed;
    unsigned fences_out;                       // queues with a fence write with memory
    unsigned zero, extents, partial, excluded; // of a grid that starts, of a group
    bool     taken;
    unsigned grants, completions; // of the engines in this clock
    // Of records, kill and epochs that are given up; a queue of QUEUES: none.
    bool     end_waits, blocks, blocked_moves, blocked_done, end_beside, polled_halted;
    unsigned kill_ends, kill_ends_at_once, kill_queue, abandons, reset_replaces;
    bool     kill_expires, kill_spares_earlier, kill_beside, abandon_waits, unreserved, reserved_passed;
    bool     unprepared; // a queue has all it needs but its registers
    unsigned products;   // queues with something to be derived
    // Of memory: requests of this pipe that are given up, borrowed IDs, paths; NONE: none.
    unsigned read_given_up, write_given_up, borrows, borrow_answered, borrow_given_up, path_dead, path_back;
    bool     late_read, late_write;
} facts;

enum { NONE = 99 };

// What a pipe has done.
typedef struct {
    blocker  why[QUEUES];
    bool     pushed[16]; // the queue last served on this level was displaced by a higher one
    uint64_t packet_write, host_write;
    unsigned writer_target;
    bool     wrote_own, wrote_other, wrote_same;
    bool     asked_7;          // the last turn ended by condition 7
    bool     gave_up;          // or by condition 4
    bool     unsuccessful;     // the latest poll of the wait was
    bool     was_unsuccessful; // a poll of this turn was
    unsigned loaded;           // 1 + the queue that the sources' switch has loaded and that has not run since, 0 none
    uint32_t timeout;          // DEQUEUE_TIMEOUT a clock ago
} past;

// The points, one after the other.
enum {
#define SECTION(title)
#define POINT(name, rule, ...) AT_##name,
#define EACH(name, count, rule, index, ...) AT_##name, AT_##name##_last = AT_##name + (count)-1,
#define BITS(name, count, rule, value, ...) AT_##name, AT_##name##_last = AT_##name + (count)-1,
#define WAIVED(name, reason)
#include "coverage.def"
#undef SECTION
#undef POINT
#undef EACH
#undef BITS
#undef WAIVED
    POINTS
};

struct coverage {
    uint64_t     clock;
    totem_pipe   before[PIPES]; // the blocks that are asked about; not the RAMs
    totem_memory memory[TOTEM_FE_COUNT];
    past         past[PIPES];
    uint64_t     hits[POINTS];
    uint64_t     errors[256];
};

coverage *coverage_create(void)
{
    coverage *c = calloc(1, sizeof *c);
    return c;
}

void coverage_destroy(coverage *c)
{
    free(c);
}

void coverage_error(coverage *c, uint8_t code)
{
    c->errors[code]++;
}

// ---- the file

typedef struct {
    const char *name, *reason;
} waiver;

static const waiver waivers[] = {
#define SECTION(title)
#define POINT(name, rule, ...)
#define EACH(name, count, rule, index, ...)
#define BITS(name, count, rule, value, ...)
#define WAIVED(name, reason) {name, reason},
#include "coverage.def"
#undef SECTION
#undef POINT
#undef EACH
#undef BITS
#undef WAIVED
    {NULL, NULL}};

static void write_line(FILE *file, uint64_t hits, const char *section, const char *name, const char *rule)
{
    const waiver *w = waivers;
    while (w->name && strcmp(w->name, name) != 0)
        w++;
    fprintf(file, "%" PRIu64 "\t%s\t%s\t%s\t%s\n", hits, section, name, w->name ? w->reason : "", rule);
}

static void write_each(FILE *file, const uint64_t *hits, unsigned count, const char *section, const char *name,
                       const char *rule)
{
    for (unsigned n = 0; n < count; n++) {
        char full[80];
        snprintf(full, sizeof full, "%s[%u]", name, n);
        write_line(file, hits[n], section, full, rule);
    }
}

static void write_points(const coverage *c, FILE *file)
{
    const char *section = "";
#define SECTION(title) section = title;
#define POINT(name, rule, ...) write_line(file, c->hits[AT_##name], section, #name, rule);
#define EACH(name, count, rule, index, ...) write_each(file, c->hits + AT_##name, count, section, #name, rule);
#define BITS(name, count, rule, value, ...) write_each(file, c->hits + AT_##name, count, section, #name, rule);
#define WAIVED(name, reason)
#include "coverage.def"
#undef SECTION
#undef POINT
#undef EACH
#undef BITS
#undef WAIVED
    for (unsigned code = 0; code < 256; code++)
        if (totem_error_name((uint8_t)code))
            write_line(file, c->errors[code], "Error codes", totem_error_name((uint8_t)code),
                       "Every error code of rtl/host/errors.yaml is recorded");
}

bool coverage_write(const coverage *c, const char *folder)
{
    char name[4096];
    if ((size_t)snprintf(name, sizeof name, "%s/hits-XXXXXX", folder) >= sizeof name)
        return false;
    const int descriptor = mkstemp(name);
    FILE     *file       = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        return false;
    write_points(c, file);
    return fclose(file) == 0;
}

// ---- a clock

static blocker blocked(const totem_front *s, const totem_front_out *o, unsigned q)
{
    if (!s->arbiter.active[q])
        return UNMAPPED;
    if (!o->fetch.pending[q] && !s->execute.unfinished[q])
        return EMPTY;
    if (s->execute.halted[q])
        return HALTED;
    if (s->execute.wait_flush[q] && !o->epoch.flushed[q])
        return FLUSHING;
    if (s->execute.wait_epoch[q] && !o->epoch.room[q])
        return NO_EPOCH;
    if (o->poll.waiting[q])
        return WAITING;
    if (o->hqd.dequeuing[q])
        return DEQUEUED;
    return o->fetch.line[q] || s->execute.unfinished[q] ? BLOCKERS : NO_LINE;
}

static bool is_stall(blocker b)
{
    return b >= HALTED && b <= DEQUEUED;
}

static void learn_selection(facts *f, const past *p, const totem_front *s, const totem_front *n)
{
    const totem_arbiter *a = &s->arbiter;
    for (unsigned q = 0; q < QUEUES; q++) {
        if (!a->ready[q] && n->arbiter.ready[q] && !f->becomes_ready) {
            f->becomes_ready       = true;
            f->becomes_ready_queue = q;
            f->becomes_ready_after = p->why[q];
        }
        f->passes_lower   = f->passes_lower || (f->choice[q] && q < f->best);
        f->ready_below    = f->ready_below || (a->ready[q] && a->queue_priority[q] < a->level);
        f->better_next    = f->better_next || (a->ready[q] && a->queue_priority[q] > a->level);
        f->candidate_lost = f->candidate_lost || (a->candidates[q] && !a->ready[q]);
    }
    f->given_up       = p->gave_up;
    f->given_up_above = p->gave_up && a->queue_priority[f->best] < a->queue_priority[f->own];
}

static void learn_fetch(facts *f, const totem_front *s, const totem_front_out *o, const totem_front *n)
{
    const unsigned queue = s->fetch.queue;
    const uint32_t mask  = (2u << (s->fetch.size[queue] & 31)) - 1;

    for (unsigned q = 0; q < QUEUES; q++)
        if (q != n->fetch.pick && q != queue && s->arbiter.active[q] && o->fetch.pending[q] && !o->fetch.line[q] &&
            s->arbiter.queue_priority[q] < s->arbiter.queue_priority[n->fetch.pick])
            f->fetch_passed_over = true;
    if (n->fetch.burst_count) {
        const unsigned k = n->fetch.burst_count - 1u;
        f->burst_cut     = (n->fetch.burst_index[k] + n->fetch.burst_dwords[k]) % 32 != 0;
    }
    f->ring_wraps = (n->fetch.rptr[queue] & mask) < (s->fetch.rptr[queue] & mask) && f->load == NO_LOAD;
    f->reported   = !s->fetch.report_due[queue] && n->fetch.report_due[queue];
    f->left       = o->execute.left;
}

static bool is_blocked(const totem_epoch *e, unsigned q)
{
    return (e->closed[q] >> e->epoch[q] & 1) != 0;
}

// Of mapping, dequeue and epochs.
static void learn_slots(facts *f, const totem_front *s, const totem_front_out *o, const totem_front *n)
{
    const totem_epoch *e = &s->epoch;
    for (unsigned q = 0; q < QUEUES; q++) {
        const unsigned type    = s->hqd.dequeue[q];
        const uint8_t  ended   = (uint8_t)(e->closed[q] & ~n->epoch.closed[q]);
        const uint8_t  answers = (uint8_t)(n->fence.answered[q] & ~s->fence.answered[q]);
        if (type && !n->hqd.dequeue[q] && n->hqd.leaving[q])
            f->dequeue_cleared = true;
        if (type == 0 && n->hqd.dequeue[q]) {
            f->dequeue_asked = true;
            f->dequeue_queue = q;
        }
        f->jobs += s->hqd.request[q] != REQUEST_NONE;
        f->drains       = f->drains || ((type == 1 || type == 3) && s->hqd.settle == 0 && s->flight.waves[q] &&
                                  !(s->arbiter.selected_valid && s->arbiter.selected == q));
        f->leaves_waves = f->leaves_waves || (type == DEQUEUE_LEAVE && s->hqd.request[q] == REQUEST_NONE &&
                                              n->hqd.request[q] && s->flight.waves[q]);
        if (s->hqd.leaving[q] && s->hqd.settle == 0 && s->hqd.request[q] == REQUEST_NONE && o->fetch.reporting[q] &&
            !o->record.busy[q] && !(s->arbiter.selected_valid && s->arbiter.selected == q) &&
            (type == 0 || type == 4 || (type == 2 ? s->hqd.killing[q] && o->kill.ended[q] : o->slot_idle.settled[q]))) {
            f->report_waited = true;
            f->report_way    = type;
        }
        f->epochs_full = f->epochs_full || (s->arbiter.active[q] && !o->epoch.room[q]);
        f->fences_out += s->fence.sent[q] != 0;
        f->next_epoch_waits = f->next_epoch_waits || (e->closed[q] & e->waits[q] & o->flight.empty[q]);
        f->epoch_overtakes  = f->epoch_overtakes || ((ended & e->own[q]) && (n->epoch.closed[q] & ~e->own[q]));
        for (unsigned k = 0; k < TOTEM_EPOCHS; k++)
            f->old_failed =
                f->old_failed || ((answers >> k & 1) && n->fence.fault[q * TOTEM_EPOCHS + k] && !n->failure.halt);
    }
    f->old_failed     = f->old_failed || (n->failure.failures > s->failure.failures && !n->failure.halt);
    f->mapping_closes = f->load == LOAD_ACTIVE && n->epoch.epoch[f->slot] != e->epoch[f->slot];
}

static void learn_grid(facts *f, const totem_pipe *before, const totem_pipe_out *shown, const totem_pipe *after)
{
    const totem_front_out *o = &shown->front;
    const uint64_t         x = o->execute.start_end & 0xffffffffu, y = o->execute.start_end >> 32 & 0xffff,
                   z = o->execute.start_end >> 48;
    unsigned held = 0, left = 0;
    f->zero     = x == 0 ? 0 : y == 0 ? 1 : z == 0 ? 2 : 3;
    f->extents  = (x > 1) | (y > 1) << 1 | (z > 1) << 2;
    f->partial  = shown->walker.group_partial;
    f->excluded = 4;
    for (unsigned e = 0; e < ENGINES; e++) {
        if (!o->bank.engines[e])
            f->excluded = e;
        held += before->walker.count[e];
        left += after->walker.count[e];
    }
    f->returned = held > left; // without the grants of this clock: learn_reports
    f->grants   = held - left;
}

// Of records, kill, epochs that are given up, and products.
static void learn_ends(facts *f, const totem_front *s, const totem_front_out *o, const totem_front *n)
{
    const totem_epoch *e = &s->epoch;
    f->kill_ends = f->kill_ends_at_once = f->kill_queue = f->abandons = f->reset_replaces = QUEUES;
    for (unsigned q = 0; q < QUEUES; q++) {
        const bool settled = o->slot_idle.settled[q], kills = s->hqd.killing[q];
        const bool ends = s->record.phase == RECORD_IDLE && s->record.end_due[q] && !s->record.top_due[q] && !settled;
        const uint8_t freed = (uint8_t)(e->reserved[q] & ~n->epoch.reserved[q]);
        f->end_waits        = f->end_waits || (ends && !o->hqd.parting[q]);
        f->blocks           = f->blocks || (!is_blocked(e, q) && is_blocked(&n->epoch, q));
        if (is_blocked(e, q) && !is_blocked(&n->epoch, q)) {
            const bool moves = n->epoch.epoch[q] != e->epoch[q];
            f->blocked_moves = f->blocked_moves || moves;
            f->blocked_done  = f->blocked_done || (!moves && n->epoch.abandoned[q] == 0);
        }
        f->polled_halted = f->polled_halted || (s->poll.ripe[q] && s->execute.halted[q] && s->arbiter.active[q]);
        if (kills && !s->kill.ended[q] && n->kill.ended[q]) {
            f->kill_ends    = q;
            f->kill_expires = s->kill.expired[q];
            if (s->kill.since[q] == 0)
                f->kill_ends_at_once = q;
        }
        if (!kills && n->hqd.killing[q])
            f->kill_queue = q;
        if (n->epoch.abandoned[q])
            f->abandons = q;
        if (s->hqd.dequeue[q] != DEQUEUE_NONE && s->hqd.dequeue[q] != DEQUEUE_RESET &&
            n->hqd.dequeue[q] == DEQUEUE_RESET)
            f->reset_replaces = s->hqd.dequeue[q];
        for (unsigned k = 0; k < TOTEM_EPOCHS; k++)
            f->kill_spares_earlier =
                f->kill_spares_earlier || (kills && s->arbiter.active[q] && s->flight.count[q * TOTEM_EPOCHS + k] &&
                                           !(o->slot_idle.targets[q] >> k & 1) && !(e->reserved[q] >> k & 1));
        f->kill_beside     = f->kill_beside || (kills && o->slot_idle.quiet[q] && (e->closed[q] & ~e->own[q]));
        f->abandon_waits   = f->abandon_waits || (s->kill.abandon[q] && (s->fence.sent[q] || s->fence.answered[q]));
        f->unreserved      = f->unreserved || freed;
        f->reserved_passed = f->reserved_passed || (n->epoch.epoch[q] != e->epoch[q] &&
                                                    n->epoch.epoch[q] != (e->epoch[q] + 1) % TOTEM_EPOCHS);
        f->products += s->bank.stage[q] != STAGE_NONE;
        f->unprepared =
            f->unprepared || (s->arbiter.active[q] && o->fetch.pending[q] && o->fetch.line[q] && !o->bank.prepared[q]);
    }
}

// Of the memory port: what is of this pipe, and the front end's common path of writes.
static void learn_memory(facts *f, const totem_memory *s, const totem_memory *n, unsigned pipe)
{
    // Readers fetch, poll, mqd have the numbers of streams fetch, execute, mqd; then the fence writes.
    const unsigned who[4] = {TOTEM_WRITER_FETCH(pipe), TOTEM_WRITER_EXECUTE(pipe), TOTEM_WRITER_MQD(pipe),
                             TOTEM_WRITER_FENCE(pipe)};
    f->read_given_up = f->write_given_up = f->borrows = f->borrow_answered = f->borrow_given_up = NONE;
    f->path_dead = f->path_back = NONE;
    for (unsigned k = 0; k < 4; k++) {
        const unsigned w    = who[k];
        const unsigned path = k < 3 ? w : TOTEM_READERS;
        if (k < 3 && n->data_valid && n->data_target == w && n->data_error == MEMORY_TIME_OUT)
            f->read_given_up = k;
        if (n->ack_valid && n->ack_target == w && n->ack_error == MEMORY_TIME_OUT)
            f->write_given_up = k;
        if (s->error_left == 0 && n->error_left != 0 && n->error_path == path)
            f->path_dead = k;
        if (s->told[path] && !n->told[path])
            f->path_back = k;
        f->late_read  = f->late_read || (k < 3 && s->reads_late[w] > n->reads_late[w]);
        f->late_write = f->late_write || (k < 3 && s->writes_late[w] > n->writes_late[w]);
        for (unsigned i = 0; i < TOTEM_FENCES; i++) {
            if (k == 3 || (s->fence_busy[i] ? s : n)->fence_owner[i] != w)
                continue;
            if (!s->fence_busy[i] && n->fence_busy[i])
                f->borrows = k;
            if (s->fence_busy[i] && !n->fence_busy[i] && !n->fence_late[i])
                f->borrow_answered = k;
            if (s->fence_busy[i] && n->fence_late[i])
                f->borrow_given_up = k;
        }
    }
}

static facts learn(const coverage *c, const past *p, const totem_pipe *before, const totem_pipe_out *shown,
                   const totem_pipe *after, const totem_host_out *host)
{
    const totem_front     *s = &before->front, *n = &after->front;
    const totem_front_out *o = &shown->front;
    const totem_arbiter   *a = &s->arbiter;
    facts                  f = {.own = a->selected, .best = n->arbiter.selected};

    bool any = false, rival = false;
    for (unsigned q = 0; q < QUEUES; q++) {
        const bool else_ready = a->ready[q] && q != f.own;
        f.choice[q]           = a->candidates[q] && a->ready[q] && n->arbiter.active[q];
        f.choices += f.choice[q];
        any     = any || f.choice[q];
        rival   = rival || (f.choice[q] && q != f.own);
        f.other = f.other || else_ready;
        f.lower = f.lower || (else_ready && a->queue_priority[q] < a->queue_priority[f.own]);
    }
    learn_selection(&f, p, s, n);
    f.asks    = a->selected_valid && !a->leave && n->arbiter.leave;
    f.empty   = !o->fetch.pending[f.own] && !s->execute.unfinished[f.own];
    f.stalled = is_stall(blocked(s, o, f.own));
    if (a->selected_valid) {
        f.equal  = rival && a->level == a->queue_priority[f.own];
        f.better = any && a->level > a->queue_priority[f.own];
        f.may    = n->arbiter.ran ||
                (host->settings_turn_limit != 0 && a->turn >= 1024 && a->turn >= host->settings_turn_limit);
        f.used_up = a->timed && a->turn >= a->limit;
        f.yields  = a->wrote && !a->quantum_enable[f.own];
        f.event   = host->settings_event_on_priority_write && (a->wrote || a->host_wrote);
        f.empties = f.empty && !shown->walker.busy && f.other;
        f.stops   = f.stalled || !a->active[f.own];
        for (unsigned q = 0; q < QUEUES; q++)
            if (f.choice[q] && q != f.own)
                f.why = p->why[q];
    }
    f.by_packet = c->clock - p->packet_write <= RECENT;
    f.by_host   = c->clock - p->host_write <= RECENT;

    f.done      = s->execute.commit && s->execute.executed;
    f.write_cut = s->execute.phase == EXECUTE_READY && s->decode.phase == DECODE_DATA &&
                  n->execute.phase == EXECUTE_LEAVE && (s->decode.header >> 8 & 0xff) == TOTEM_OP_WRITE_DATA &&
                  (s->execute.halted[f.own] || !s->arbiter.active[f.own]);
    f.op      = s->execute.opcode;
    f.control = s->execute.control;
    f.load    = o->hqd.load_valid ? o->hqd.load_kind : NO_LOAD;
    f.slot    = o->hqd.load_queue;
    learn_fetch(&f, s, o, n);
    learn_slots(&f, s, o, n);
    learn_grid(&f, before, shown, after);
    learn_ends(&f, s, o, n);
    return f;
}

// Several engines report in one clock.
static void learn_reports(facts *f, const totem_machine_out *m, unsigned pipe)
{
    const unsigned gone = f->returned ? f->grants : 0;
    f->grants           = 0;
    for (unsigned e = 0; e < ENGINES; e++) {
        f->grants += m->se[e].issue.grant_valid &&
                     (unsigned)ring_pipe(m->se[e].issue.grant_fe, m->se[e].issue.grant_pipe) == pipe;
        f->completions += m->se[e].retire.complete_valid &&
                          (unsigned)ring_pipe(m->se[e].retire.complete_fe, m->se[e].retire.complete_pipe) == pipe;
    }
    f->returned = gone > f->grants;
    f->taken    = m->fe[pipe / TOTEM_PIPES].dc.take[pipe % TOTEM_PIPES];
}

static void remember(coverage *c, past *p, const facts *f, const totem_front *s, const totem_front_out *o,
                     const totem_front *n, const totem_host_out *host)
{
    const totem_arbiter *a = &s->arbiter;

    p->timeout = host->settings_dequeue_timeout;
    if (f->load == LOAD_MOVED && (o->hqd.load_data & 1))
        p->loaded = f->slot + 1;
    else if (n->arbiter.go || f->load == LOAD_ACTIVE)
        p->loaded = 0;

    for (unsigned q = 0; q < QUEUES; q++) {
        const blocker b = blocked(s, o, q);
        if ((b != BLOCKERS && b != NO_LINE) || (b == NO_LINE && a->ready[q]))
            p->why[q] = b;
    }
    if (a->go) {
        p->wrote_own = p->wrote_other = p->wrote_same = false;
        p->pushed[a->queue_priority[f->own]]          = false;
    }
    if (o->execute.priority_write) {
        p->packet_write  = c->clock;
        p->writer_target = o->execute.priority_queue;
        p->wrote_own     = p->wrote_own || o->execute.priority_queue == f->own;
        p->wrote_other   = p->wrote_other || o->execute.priority_queue != f->own;
        p->wrote_same    = p->wrote_same || o->execute.priority_data == a->queue_priority[o->execute.priority_queue];
    }
    if (f->load == LOAD_QUEUE_PRIORITY)
        p->host_write = c->clock;
    if (f->asks && f->better)
        p->pushed[a->queue_priority[f->own]] = true;
    if (s->arbiter.go)
        p->asked_7 = p->gave_up = p->was_unsuccessful = false;
    if (f->asks)
        p->asked_7 = f->stops;
    if (s->execute.phase == EXECUTE_GIVE || s->execute.phase == EXECUTE_FLUSH)
        p->gave_up = n->execute.phase == EXECUTE_LEAVE;
    if (s->execute.phase == EXECUTE_RETRY)
        p->unsuccessful = p->was_unsuccessful = true;
    if (f->done || s->execute.phase == EXECUTE_LEAVE)
        p->unsuccessful = false;
}

// How many queues of the pipe have this.
static unsigned sum(const bool *flags)
{
    unsigned count = 0;
    for (unsigned q = 0; q < QUEUES; q++)
        count += flags[q];
    return count;
}

static void evaluate(uint64_t *hits, const totem_pipe *before, const totem_pipe_out *shown, const totem_pipe *after,
                     const facts *f, const past *p, const totem_machine_out *m, unsigned pipe)
{
    const totem_front     *s = &before->front, *n = &after->front;
    const totem_front_out *o   = &shown->front;
    const totem_arbiter   *a   = &s->arbiter;
    const unsigned         own = f->own, slot = f->slot, op = f->op;
    const uint32_t         control  = f->control;
    const bool             turn     = a->selected_valid;
    const bool             buffer   = o->fetch.in_buffer;
    const bool             mqd_save = m->host.settings_mqd_save;
    // Queues of the pipe that a one-shot names in this clock.
    const unsigned asked = m->host.poll_once[pipe];
#if TOTEM_TASKS
    const totem_runner_out *r = &shown->runner;
#endif

#define SECTION(title)
#define POINT(name, rule, ...) \
    if (__VA_ARGS__)           \
        hits[AT_##name]++;
#define EACH(name, count, rule, index, ...)       \
    if (__VA_ARGS__) {                            \
        const unsigned which = (unsigned)(index); \
        if (which < (count))                      \
            hits[AT_##name + which]++;            \
    }
#define BITS(name, count, rule, value, ...)                \
    if (__VA_ARGS__)                                       \
        for (unsigned which = 0; which < (count); which++) \
            hits[AT_##name + which] += (unsigned)(value) >> which & 1;
#define WAIVED(name, reason)
#include "coverage.def"
#undef SECTION
#undef POINT
#undef EACH
#undef BITS
#undef WAIVED
}

void coverage_step(coverage *c, const totem_machine *after, const totem_machine_out *before)
{
    for (unsigned k = 0; k < PIPES; k++) {
        const totem_pipe     *n = &after->fe[k / TOTEM_PIPES].pipe[k % TOTEM_PIPES];
        const totem_pipe_out *o = &before->fe[k / TOTEM_PIPES].pipe[k % TOTEM_PIPES];
        totem_pipe           *s = &c->before[k];
        facts                 f = learn(c, &c->past[k], s, o, n, &before->host);
        learn_reports(&f, before, k);
        learn_memory(&f, &c->memory[k / TOTEM_PIPES], &after->fe[k / TOTEM_PIPES].memory, k % TOTEM_PIPES);
        if (c->clock)
            evaluate(c->hits, s, o, n, &f, &c->past[k], before, k);
        remember(c, &c->past[k], &f, &s->front, &o->front, &n->front, &before->host);
        memcpy(&s->front, &n->front, offsetof(totem_front, window_ram));
        s->walker = n->walker;
#if TOTEM_TASKS
        s->runner = n->runner;
#endif
    }
    for (unsigned e = 0; e < TOTEM_FE_COUNT; e++)
        c->memory[e] = after->fe[e].memory;
    c->clock++;
}

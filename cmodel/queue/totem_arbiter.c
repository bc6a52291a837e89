// SPDX-License-Identifier: Apache-2.0
//
// totem_arbiter: twin of rtl/queue/totem_arbiter.v, from docs/contract/arbiter.md.

#include "totem_arbiter.h"

#include "totem_hqd_values.h"

enum { TURN_END = 0x3fffffff };

// An index of a queue; QUEUES is a power of two.
static uint8_t queue_index(unsigned number)
{
    return (uint8_t)(number & (TOTEM_QUEUES - 1));
}

void totem_arbiter_outputs(const totem_arbiter *s, totem_arbiter_out *o)
{
    o->go             = s->go;
    o->selected_valid = s->selected_valid;
    o->selected       = s->selected;
    o->leave          = s->leave;
    o->move           = s->move;
    o->move_queue     = s->move_queue;
    o->pipe_priority  = s->pipe_priorities[queue_index(s->selected)];
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->active[q]         = s->active[q];
        o->ready[q]          = s->ready[q];
        o->queue_priority[q] = s->queue_priority[q];
    }
}

// Clocks of the quantum of the selected queue.
static uint32_t quantum_of(const totem_arbiter *s, const totem_arbiter_in *i)
{
    const uint8_t q    = queue_index(s->selected);
    uint32_t      unit = s->quantum_scale[q] ? i->settings_quantum_unit1 : i->settings_quantum_unit0;
    if (unit == 0)
        unit = 1;
    return s->quantum_duration[q] * unit;
}

// 6 The turn, continued: its clocks, and what happens in it.
static void step_turn(totem_arbiter *n, const totem_arbiter *s, const totem_arbiter_in *i, bool host_write)
{
    if (s->turn < TURN_END)
        n->turn = s->turn + 1;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        n->ran = n->ran || i->grant_valid[e];
    n->ran        = n->ran || i->packet_executed;
    n->wrote      = s->wrote || i->packet_priority_write;
    n->host_wrote = s->host_wrote || host_write;
    if (i->packet_executed)
        n->unsuccessful = i->packet_unsuccessful;
}

// 2 Load bus, continued: mqd has ended its part of a switch of queue q. Says whether that ends the move.
static bool moved(totem_arbiter *n, const totem_arbiter *s, uint8_t q, uint64_t data)
{
    n->in_mqd[q] = (data & 3) == 2; // in the MQD, and not loaded
    if ((s->move != MOVE_SAVE && s->move != MOVE_LOAD) || q != s->move_queue)
        return false;
    if (s->move == MOVE_SAVE)
        n->resident = false;
    n->move = s->move == MOVE_LOAD && (data & 1) != 0 ? MOVE_DERIVE : MOVE_NONE;
    return n->move == MOVE_NONE;
}

void totem_arbiter_step(totem_arbiter *s, const totem_arbiter_in *i)
{
    totem_arbiter n = *s; // what follows the clock edge; s stays as it was before
    bool          stalled[TOTEM_QUEUES];
    bool          empty[TOTEM_QUEUES];
    bool          begins[TOTEM_QUEUES]; // what it begins with is on chip
    bool          choice[TOTEM_QUEUES];
    bool          any_choice = false;
    bool          ended      = false; // a move
    const bool    host_write = i->load_valid && i->load_kind == LOAD_QUEUE_PRIORITY;

    // 1 Packet write
    if (i->packet_priority_write)
        n.queue_priority[queue_index(i->packet_priority_queue)] = i->packet_priority_data;

    // 2 Load bus
    if (i->load_valid) {
        const uint8_t q = queue_index(i->load_queue);
        if (i->load_kind == LOAD_ACTIVE) {
            n.active[q] = (i->load_data & 1) != 0;
            n.in_mqd[q] = false;
        }
        if (i->load_kind == LOAD_QUEUE_PRIORITY)
            n.queue_priority[q] = (uint8_t)(i->load_data & 15);
        if (i->load_kind == LOAD_PIPE_PRIORITY)
            n.pipe_priorities[q] = (uint8_t)(i->load_data & 3);
        if (i->load_kind == LOAD_QUANTUM) {
            n.quantum_enable[q]   = (i->load_data & 1) != 0;
            n.quantum_scale[q]    = (i->load_data >> 4 & 1) != 0;
            n.quantum_duration[q] = (uint8_t)(i->load_data >> 8 & 63);
        }
        if (i->load_kind == LOAD_MOVED)
            ended = moved(&n, s, q, i->load_data);
    }
    if (s->move == MOVE_DERIVE && i->bank_prepared[s->move_queue]) {
        n.move = MOVE_NONE;
        ended  = true;
    }

    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        choice[q]  = s->candidates[q] && s->ready[q] && n.active[q];
        any_choice = any_choice || choice[q];
    }

    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        const bool flush = i->packet_wait_flush[q] && !i->fence_flushed[q];
        const bool entry = i->packet_wait_entry[q] && !i->task_room[q];
        const bool order = q == 0 && i->schedule_waiting;
        const bool held  = flush || entry || i->poll_waiting[q]; // the ring, not its tasks

        stalled[q] = order || i->task_stall[q] || i->packet_halted[q] ||
                     (i->packet_wait_epoch[q] && !i->fence_room[q]) || i->hqd_dequeuing[q] ||
                     (held && !i->runner_due[q]);
        empty[q]  = !i->fetch_pending[q] && !i->task_pending[q];
        begins[q] = i->runner_due[q] || (i->fetch_pending[q] && !held &&
                                         (i->fetch_line[q] || i->packet_unfinished[q] || i->settings_mqd_save));
    }

    // 3 Readiness
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        n.ready[q] = s->active[q] && n.active[q] && !empty[q] && !stalled[q] && i->bank_prepared[q] && begins[q];

    // 4 Maximum
    n.level = 0;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        if (s->ready[q] && s->queue_priority[q] > n.level)
            n.level = s->queue_priority[q];
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        n.candidates[q] = s->ready[q] && s->queue_priority[q] == n.level && !i->packet_priority_write && !host_write;

    // 5 Settling
    if (ended)
        n.settle = 2;
    else if (s->settle != 0)
        n.settle = (uint8_t)(s->settle - 1);

    // 6 The turn
    n.limit = quantum_of(s, i);
    n.timed = s->quantum_enable[queue_index(s->selected)];
    if (s->selected_valid)
        step_turn(&n, s, i, host_write);

    // 7 Selection: from the farthest to the nearest after the one served last, so the nearest stays.
    uint8_t winner = 0;
    for (unsigned distance = TOTEM_QUEUES; distance > 0; distance--) {
        const uint8_t q = queue_index((unsigned)s->scoreboard[s->level & 15] + distance);
        if (choice[q])
            winner = q;
    }
    const bool    pick = !s->selected_valid && s->settle == 0 && s->move == MOVE_NONE && any_choice;
    const uint8_t old  = queue_index(s->selected);
    n.go               = false;
    if (pick && i->settings_mqd_save && s->resident && winner != s->selected && n.active[old] &&
        !i->hqd_dequeuing[old]) {
        n.move       = MOVE_SAVE;
        n.move_queue = old;
    } else if (pick && s->in_mqd[winner]) {
        n.move       = MOVE_LOAD;
        n.move_queue = winner;
    } else if (pick) {
        n.selected                  = winner;
        n.resident                  = true;
        n.scoreboard[s->level & 15] = winner;
        n.selected_valid            = true;
        n.go                        = true;
        n.turn                      = 0;
        n.ran                       = false;
        n.wrote                     = false;
        n.host_wrote                = false;
        n.unsuccessful              = false;
    }

    // 8 Replacement
    if (s->selected_valid) {
        const uint8_t own   = queue_index(s->selected);
        bool          other = false; // ready
        bool          rival = false; // to be chosen
        for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
            other = other || (s->ready[q] && q != own);
            rival = rival || (choice[q] && q != own);
        }
        const bool equal = rival && s->level == s->queue_priority[own];
        const bool may = n.ran || (i->settings_turn_limit != 0 && s->turn >= 1024 && s->turn >= i->settings_turn_limit);
        const bool written = s->wrote || s->host_wrote;

        const bool better  = any_choice && s->level > s->queue_priority[own]; // condition 1
        const bool used_up = s->timed && s->turn >= s->limit;                 // 2
        const bool yielded = (s->wrote && !s->quantum_enable[own]) ||         // 3
                             (i->settings_event_on_priority_write && written) || n.unsuccessful;
        const bool exhausted = empty[own] && !i->walker_busy && other; // 5
        const bool unable    = stalled[own] || !s->active[own];        // 7
        if (better || (equal && may && (used_up || yielded)) || exhausted || unable)
            n.leave = true;
    }

    // 9 Giving up
    if (i->packet_left && s->selected_valid) {
        n.selected_valid = false;
        n.leave          = false;
        n.go             = false;
        n.settle         = 2;
    }

    *s = n;
}

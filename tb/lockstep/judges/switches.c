// SPDX-License-Identifier: Apache-2.0
//
// switches: see switches.h.

#include "switches.h"

#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_arbiter_values.h"
#include "../../../cmodel/tool/pm4_decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool starts_task(const totem_pipe_out *o)
{
#if TOTEM_TASKS
    return o->runner.start;
#else
    (void)o;
    return false;
#endif
}

// Does the first packet act in this clock? A packet that is only consumed does with its second dword, register writes
// with the first value.
static bool acts(const totem_front *s, const totem_pipe_out *o)
{
    const totem_decode      *d = &s->decode;
    const totem_execute_out *p = &o->front.execute;
    if ((d->phase == DECODE_DATA && d->kind == TOTEM_KIND_REGISTERS) ||
        (d->phase == DECODE_BODY && (d->counted || (d->header >> 8 & 0xff) == TOTEM_OP_NOP)))
        return d->dwords.count != 0;
    return p->start || starts_task(o) || (p->service_valid && p->service_kind == TOTEM_KIND_LAUNCH) || p->left ||
           p->commit || p->executed || p->poll_valid || p->divide_start || p->write_valid || p->priority_write ||
           p->fence_valid || p->fence_close || p->wait_valid || p->error_valid || p->order_valid;
}

static switch_kind kind_of(const totem_execute *s, const totem_pipe_out *o)
{
    const totem_execute_out *p = &o->front.execute;
    if ((p->start && s->resume) || starts_task(o))
        return SWITCH_RESUMES;
    if (p->poll_valid || p->service_valid)
        return SWITCH_READS;
    return p->divide_start ? SWITCH_DIVIDES : SWITCH_ACTS;
}

bool switch_step(switch_watch *w, const totem_front *model, const totem_pipe_out *pipe, uint64_t clock,
                 switch_turn *turn)
{
    const totem_front_out *out  = &pipe->front;
    const totem_execute   *s    = &model->execute;
    const totem_decode    *d    = &model->decode;
    const uint32_t         past = (uint32_t)(clock - w->turn.left);
    bool                   seen = false;

    for (int q = 0; q < TOTEM_QUEUES; q++) {
        const bool has = out->arbiter.selected_valid && out->arbiter.selected == q;
        if ((has && !out->arbiter.go) || !out->arbiter.active[q])
            w->waited[q] = 0;
        else if (!has && out->arbiter.selected_valid && out->fetch.pending[q] && !out->fetch.line[q])
            w->waited[q]++;
    }
    // What the sources' switch moves is not ready while it is under way.
    if (w->running && !w->turn.go && out->arbiter.move == MOVE_NONE)
        for (int q = 0; q < TOTEM_QUEUES; q++)
            w->ready[q] = w->ready[q] && (out->arbiter.ready[q] || out->arbiter.go);
    if (w->running && out->arbiter.go) {
        w->turn.go     = past;
        w->turn.queue  = out->arbiter.selected;
        w->turn.hidden = w->waited[w->turn.queue];
    }
    if (w->running && w->turn.go && clock > w->turn.left + w->turn.go) {
        if (!w->turn.loaded && out->bank.loaded)
            w->turn.loaded = past;
        if (!w->turn.first && d->dwords.count != 0)
            w->turn.first = past;
        if (acts(model, pipe)) {
            w->turn.end    = past;
            w->turn.opcode = d->phase == DECODE_BODY || d->phase == DECODE_DATA ? (uint8_t)(d->header >> 8) : s->opcode;
            w->turn.kind   = kind_of(s, pipe);
            *turn          = w->turn;
            seen           = w->ready[w->turn.queue];
            w->running     = false;
        }
    }
    if (out->execute.left) {
        w->running = true;
        w->turn    = (switch_turn){.left = clock};
        for (int q = 0; q < TOTEM_QUEUES; q++)
            w->ready[q] = out->arbiter.ready[q] && q != out->arbiter.selected;
    }
    return seen;
}

bool switch_late(const switch_turn *turn)
{
    return turn->end > SWITCH_BOUND;
}

const char *switch_name(switch_kind kind)
{
    static const char *const names[SWITCH_KINDS] = {"acts", "resumes", "reads", "divides"};
    return names[kind];
}

void switch_words(const switch_turn *turn, char *text, size_t room)
{
    const char *opcode = turn->opcode ? totem_pm4_opcode_name(turn->opcode) : "a task";
    snprintf(text, room,
             "switch to queue %d took %" PRIu32 " clocks: boundary in clock %" PRIu64 ", selected after %" PRIu32
             ", first dword %" PRIu32 ", registers %" PRIu32 " (0: not waited for), %s %s",
             turn->queue, turn->end, turn->left, turn->go, turn->first, turn->loaded, opcode ? opcode : "?",
             switch_name(turn->kind));
}

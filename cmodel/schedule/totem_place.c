// SPDX-License-Identifier: Apache-2.0
//
// totem_place: which slot a queue of the run list takes, and why.
// Twin of rtl/schedule/totem_place.v; the rules are those of docs/contract/place.md.

#include "totem_place.h"

enum { SLOTS = TOTEM_FE_COUNT * TOTEM_PIPES * TOTEM_QUEUES, NUMBERS = 1 << TOTEM_BITS(SLOTS) };

enum { CLOCKS = 0xffffff };

typedef struct {
    uint8_t  why;
    uint32_t order;
} rank;

void totem_place_outputs(const totem_place *s, totem_place_out *o)
{
    o->ask    = s->ask;
    o->slot   = s->slot;
    o->done   = s->done;
    o->found  = s->reason != PLACE_NONE;
    o->chosen = s->chosen;
    o->reason = s->reason;
}

// The slot may be taken although it is one of few.
static bool roomy(const totem_place *s, const totem_place_in *i)
{
    return i->pipe_empty > i->spare || s->candidate + 1u > i->pipe_highest;
}

static rank of_pipe(uint8_t why, const totem_place_in *i)
{
    return (rank){why, (uint32_t)i->pipe_running << 23 | (uint32_t)i->pipe_mapped << 19};
}

// The longest selected first.
static rank of_queue(uint8_t why, unsigned level, const totem_place_in *i)
{
    return (rank){why, (uint32_t)level << 24 | (CLOCKS - i->slot_selected)};
}

static rank rank_of(const totem_place *s, const totem_place_in *i)
{
    static const rank none = {PLACE_NONE, 0};

    if (!i->slot_usable)
        return none;
    if (i->slot_phase == SLOT_EMPTY)
        return roomy(s, i) ? of_pipe(PLACE_FREE, i) : none;
    if (i->slot_phase != SLOT_RUNNING)
        return none;
    if (!i->slot_wants)
        return of_pipe(PLACE_IDLE, i);
    if (i->slot_parked)
        return of_pipe(PLACE_PARKED, i);
    if (i->slot_priority < s->candidate)
        return of_queue(PLACE_LOWER, i->slot_priority, i);
    if (i->slot_priority == s->candidate && i->slot_turn && i->slot_used)
        return of_queue(PLACE_QUANTUM, 0, i);
    return s->yield && i->slot_turn ? of_queue(PLACE_YIELD, 0, i) : none;
}

static bool better(const totem_place *s)
{
    if (s->ranked_reason != s->reason)
        return s->ranked_reason < s->reason;
    return s->ranked_key < s->key;
}

void totem_place_step(totem_place *s, const totem_place_in *i)
{
    totem_place n          = *s; // what follows the clock edge; s stays as it was before
    const bool  scanning   = s->ask || s->shown || s->ranked;
    const bool  begin_scan = i->start && !scanning;
    const rank  now        = rank_of(s, i);

    // 1 Compare
    if (s->ranked && better(s)) {
        n.chosen = s->ranked_slot;
        n.reason = s->ranked_reason;
        n.key    = s->ranked_key;
    }
    n.done = s->ranked && !s->ask && !s->shown;

    // 2 Rank
    n.ranked        = s->shown;
    n.ranked_slot   = s->shown_slot;
    n.ranked_reason = now.why;
    n.ranked_key    = now.order;

    // 3 Show
    n.shown      = s->ask;
    n.shown_slot = s->slot;

    // 4 Ask
    if (s->ask && s->slot == SLOTS - 1) {
        n.ask  = false;
        n.slot = 0;
    } else if (s->ask) {
        n.slot = (uint8_t)((s->slot + 1u) % NUMBERS);
    }

    // 5 Start
    if (begin_scan) {
        n.ask       = true;
        n.candidate = i->start_priority;
        n.yield     = i->start_yield;
        n.reason    = PLACE_NONE;
        n.key       = 0;
    }

    *s = n;
}

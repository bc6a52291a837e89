// SPDX-License-Identifier: Apache-2.0
//
// judge: see judge.h.

#include "judge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HIT, MISS, PLAIN, REFUSED, NONE };

void judge_open(judge *j, const uint32_t *table, bool filter)
{
    *j = (judge){.table = table, .filter = filter, .time = TOTEM_SETS};
    // Set 1 is the least recently used after reset, then 2, 3, ..; set 0 is the most recently used.
    for (uint32_t s = 0; s < TOTEM_SETS; s++)
        j->since[s] = s ? s - 1 : TOTEM_SETS - 1;
}

__attribute__((format(printf, 2, 3))) static void object(judge *j, const char *form, ...)
{
    va_list list;
    if (j->message[0])
        return;
    va_start(list, form);
    vsnprintf(j->message, sizeof j->message, form, list);
    va_end(list);
}

static void make_current(judge *j, uint32_t set)
{
    j->current    = set;
    j->since[set] = j->time++;
}

// The set that a roll takes; TOTEM_SETS: every one is in use.
static uint32_t to_retire(const judge *j)
{
    uint32_t best = TOTEM_SETS;
    for (uint32_t s = 0; s < TOTEM_SETS; s++) {
        if (s == j->current || j->uses[s] || j->pending[s])
            continue;
        if (best == TOTEM_SETS || (j->tagged[best] && !j->tagged[s]) ||
            (j->tagged[best] == j->tagged[s] && j->since[s] < j->since[best]))
            best = s;
    }
    return best;
}

static uint32_t wanted(const judge *j)
{
    uint32_t found = TOTEM_SETS;
    for (uint32_t s = 0; s < TOTEM_SETS; s++)
        if (j->tagged[s] && j->tag[s] == j->hash)
            found = s;
    return found;
}

// `set`: the one with that tag; `can_miss`: there is a roll in this clock, or the current set is neither tagged nor
// used.
static void decide_lookup(judge *j, uint32_t set, bool can_miss)
{
    j->answered = true;
    if (j->plain) {
        j->answer = PLAIN;
    } else if (set != TOTEM_SETS) {
        j->answer = HIT;
        j->hits++;
        make_current(j, set);
    } else if (can_miss) {
        j->answer = MISS;
        j->misses++;
        j->group = true;
    } else {
        j->answered = false;
    }
    j->looking = !j->answered;
}

static bool same(const judge *j, const judge_op *op)
{
    return ((j->value[j->current][op->index] ^ op->data) & op->mask) == 0;
}

void judge_clock(judge *j, const world *w)
{
    const totem_context_in *in     = w->context_in;
    const totem_frames_in  *write  = w->frames_in;
    const uint32_t          found  = wanted(j);
    const bool              placed = !j->tagged[j->current] && !j->uses[j->current];
    const bool              lookup = j->looking && !j->plain && found == TOTEM_SETS && !placed;
    const bool              wants  = lookup || w->frames->roll_want;
    const uint32_t          set = to_retire(j), left = j->current;
    const bool              rolls = wants && set != TOTEM_SETS && w->frames->roll_room;
    bool                    ended[TOTEM_SETS];

    j->was_used = j->uses[left] != 0;
    j->wanted   = w->frames->roll_want;
    for (uint32_t s = 0; s < TOTEM_SETS; s++)
        ended[s] = j->uses[s] == 0;
    if (in->draw_valid && w->context->draw_ready)
        j->uses[left]++;
    if (in->end_valid && j->uses[in->end_set]-- == 0)
        object(j, "a draw ended on set %u, which has none", in->end_set);
    for (uint32_t s = 0; s < TOTEM_SETS; s++)
        j->pending[s] = j->pending[s] && !ended[s];
    if (w->frames->changed || w->frames->cleared)
        j->tagged[left] = false;
    if (in->group_end && j->group) {
        j->tagged[left] = true;
        j->tag[left]    = j->hash;
        j->group        = false;
    }
    j->full += wants && set == TOTEM_SETS;
    if (rolls) {
        memcpy(j->value[set], j->value[left], sizeof j->value[set]);
        j->pending[left] = true;
        j->tagged[set]   = false;
        j->rolls++;
        make_current(j, set);
    }
    j->answered = false;
    if (j->looking)
        decide_lookup(j, found, rolls || placed);
    if (in->hash_valid && w->context->hash_ready) {
        j->hash    = j->half ? j->hash | (uint64_t)in->hash_data << 32 : in->hash_data;
        j->looking = j->half;
        j->plain   = !in->bounce_enable;
        j->half    = !j->half;
    }
    if (write->op_valid && w->frames->op_ready && j->ops < JUDGE_OPS)
        j->op[j->ops++] = (judge_op){write->op_kind == 1, write->op_index, write->op_data, write->op_mask};
}

static void leave(judge *j)
{
    j->ops--;
    memmove(j->op, j->op + 1, j->ops * sizeof *j->op);
}

// What frames did with the oldest write of the clock before.
static void check_write(judge *j, const world *w)
{
    const totem_frames_out *now = w->frames;
    judge_op               *op  = &j->op[0];
    if ((now->written != j->written || now->filtered != j->filtered || now->cleared) && !j->ops) {
        object(j, "a write that nobody gave");
        return;
    }
    // A write waits for a roll only if a draw uses the set, and if it changes something or nothing is filtered.
    if (now->roll_want && !j->wanted && (!j->ops || !j->was_used || (!op->clear && same(j, op) && j->filter)))
        object(j, "a roll is wanted without need");
    if (now->cleared) {
        if (!op->clear)
            object(j, "a CLEAR_STATE instead of a write");
        memcpy(j->value[j->current], j->table, sizeof j->value[0]);
        leave(j);
    } else if (now->written != j->written) {
        j->written++;
        if (op->clear || j->was_used || (same(j, op) && j->filter))
            object(j, "register %u is written though %s", op->index,
                   j->was_used ? "a draw uses the set" : "it is equal");
        j->value[j->current][op->index] = (j->value[j->current][op->index] & ~op->mask) | (op->data & op->mask);
        leave(j);
    } else if (now->filtered != j->filtered) {
        j->filtered++;
        if (op->clear || !same(j, op) || !j->filter)
            object(j, "a write of register %u, which changes it, is dropped", op->index);
        leave(j);
    }
    if (now->written != j->written || now->filtered != j->filtered)
        object(j, "frames counted %" PRIu32 " written, %" PRIu32 " filtered, not %" PRIu32 ", %" PRIu32, now->written,
               now->filtered, j->written, j->filtered);
    if (now->refused)
        object(j, "an operation was refused");
}

void judge_check(judge *j, const world *w)
{
    const totem_context_out *now = w->context;
    check_write(j, w);
    if (now->current != j->current)
        object(j, "set %u is current, not %" PRIu32, now->current, j->current);
    if (now->rolls != j->rolls || now->hits != j->hits || now->misses != j->misses || now->full_clocks != j->full)
        object(j, "context counted rolls %u hits %u misses %u full %u, not %u %u %u %u", now->rolls, now->hits,
               now->misses, now->full_clocks, j->rolls, j->hits, j->misses, j->full);
    if (now->answer_valid != j->answered || (j->answered && now->answer != j->answer))
        object(j, "answer %u, not %u", now->answer_valid ? now->answer : NONE, j->answered ? j->answer : NONE);
    if (now->used != (j->uses[j->current] != 0) || now->has_tag != j->tagged[j->current] || now->group != j->group)
        object(j, "used %d tagged %d group %d, not %d %d %d", now->used, now->has_tag, now->group,
               j->uses[j->current] != 0, j->tagged[j->current], j->group);
    if (now->fault || now->end_refused)
        object(j, "%s", now->fault ? "two tags matched" : "the end of a draw was refused");
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_context: twin of rtl/context/totem_context.v, from docs/contract/context.md.

#include "totem_context.h"

enum { SETS = TOTEM_SETS, MOST = 255 };

_Static_assert(SETS >= 2 && SETS <= 16 && (SETS & (SETS - 1)) == 0, "TOTEM_SETS is a power of two from 2 to 16");

// Bits j < i: the sets that element i of `newer` speaks about.
static unsigned below(unsigned i)
{
    return (1u << i) - 1;
}

// Set a was current later than set b.
static bool later(const totem_context *s, unsigned a, unsigned b)
{
    return a > b ? (s->newer[a] >> b & 1) != 0 : (s->newer[b] >> a & 1) == 0;
}

// Set `set` becomes the most recently used.
static void touch(totem_context *n, unsigned set)
{
    for (unsigned i = 0; i < SETS; i++) {
        unsigned bits = n->newer[i] & below(i);
        if (i == set)
            bits = below(i);
        if (i > set)
            bits &= ~(1u << set);
        n->newer[i] = (TOTEM_CONTEXT_NEWER)bits;
    }
}

// What follows from the state alone.
typedef struct {
    bool    hit;
    uint8_t hit_set;
    bool    several; // two tags match
    bool    in_place;
    bool    roll_want;
    bool    roll_free;
    uint8_t roll_set;
} view;

static void look(const totem_context *s, view *v)
{
    unsigned found = 0;
    bool     free[SETS], bare = false;

    v->hit_set   = 0;
    v->roll_free = false;
    v->roll_set  = 0;
    for (unsigned set = SETS; set-- > 0;) {
        if (s->match[set] && s->tagged[set]) {
            found++;
            v->hit_set = (uint8_t)set;
        }
        free[set]    = set != s->current && s->uses[set] == 0 && !s->pending[set];
        v->roll_free = v->roll_free || free[set];
        bare         = bare || (free[set] && !s->tagged[set]);
    }
    v->hit       = s->looking && s->kind == LOOKUP_CAM && found > 0;
    v->several   = s->looking && s->kind == LOOKUP_CAM && found > 1;
    v->in_place  = !s->tagged[s->current] && s->uses[s->current] == 0;
    v->roll_want = s->looking && s->kind == LOOKUP_CAM && found == 0 && !v->in_place;

    for (unsigned set = 0; set < SETS; set++) {
        bool oldest = free[set] && !(bare && s->tagged[set]);
        for (unsigned other = 0; other < SETS; other++)
            if (other != set && free[other] && !(bare && s->tagged[other]) && later(s, set, other))
                oldest = false;
        if (oldest)
            v->roll_set = (uint8_t)set;
    }
}

static bool hash_ready(const totem_context *s, const view *v)
{
    return !s->group && (!s->looking || (!s->half && v->hit));
}

static bool draw_ready(const totem_context *s)
{
    return !s->looking && s->uses[s->current] != MOST;
}

void totem_context_outputs(const totem_context *s, totem_context_out *o)
{
    view v;

    look(s, &v);
    o->hash_ready   = hash_ready(s, &v);
    o->answer_valid = s->answer_valid;
    o->answer       = s->answer;
    o->draw_ready   = draw_ready(s);
    o->current      = s->current;
    o->used         = s->uses[s->current] != 0;
    o->has_tag      = s->tagged[s->current];
    o->group        = s->group;
    o->idle         = !s->half && !s->looking;
    o->end_refused  = s->end_refused;
    for (unsigned set = 0; set < SETS; set++)
        o->done[set] = s->pending[set] && s->uses[set] == 0;
    o->roll_want   = v.roll_want;
    o->roll_free   = v.roll_free;
    o->roll_set    = v.roll_set;
    o->hit_valid   = v.hit;
    o->hit_set     = v.hit_set;
    o->rolls       = s->rolls;
    o->hits        = s->hits;
    o->misses      = s->misses;
    o->full_clocks = s->full_clocks;
    o->fault       = s->fault;
}

// 5 Lookup, continued
static void decide(totem_context *n, const totem_context *s, const view *v, bool roll)
{
    if (s->kind != LOOKUP_CAM) {
        n->answer = s->kind == ANSWER_REFUSED ? ANSWER_REFUSED : ANSWER_PLAIN;
        n->misses = s->misses + (s->kind == LOOKUP_MISS);
    } else if (v->hit) {
        n->current = v->hit_set;
        touch(n, v->hit_set);
        n->hits   = s->hits + 1;
        n->answer = ANSWER_HIT;
    } else if (v->in_place || roll) {
        n->misses = s->misses + 1;
        n->group  = true;
        n->answer = ANSWER_MISS;
    } else {
        return;
    }
    n->answer_valid = true;
    n->looking      = false;
}

// 6 Hash, continued: a dword is on offer.
static void take_hash(totem_context *n, const totem_context *s, const totem_context_in *i, bool ready)
{
    if (!s->half) { // low and near follow the dword on offer until it is taken
        n->low = i->hash_data;
        for (unsigned set = 0; set < SETS; set++)
            n->near[set] = s->tag_low[set] == i->hash_data;
        n->half = ready;
        return;
    }
    if (!ready)
        return;
    n->hash_low  = s->low;
    n->hash_high = i->hash_data;
    for (unsigned set = 0; set < SETS; set++)
        n->match[set] = s->near[set] && s->tag_high[set] == i->hash_data;
    n->half    = false;
    n->looking = true;
    if (!i->bounce_enable)
        n->kind = ANSWER_PLAIN;
    else if (s->plain)
        n->kind = LOOKUP_MISS;
    else
        n->kind = i->hash_count == 0 ? ANSWER_REFUSED : LOOKUP_CAM;
}

void totem_context_step(totem_context *s, const totem_context_in *i)
{
    totem_context n = *s; // what follows the clock edge; s stays as it was before
    view          v;

    look(s, &v);
    const bool roll = (v.roll_want || i->frames_want) && v.roll_free && i->frames_room;

    // 1 Events
    n.answer_valid = false;
    n.end_refused  = false;
    for (unsigned set = 0; set < SETS; set++)
        if (s->uses[set] == 0)
            n.pending[set] = false;

    // 2 Changes
    if (i->frames_changed || i->frames_cleared)
        n.tagged[s->current] = false;
    if (i->render_clear)
        n.plain = false;

    // 3 Group end
    if (i->group_end && s->group) {
        n.tag_low[s->current]  = s->hash_low;
        n.tag_high[s->current] = s->hash_high;
        n.tagged[s->current]   = true;
        n.group                = false;
    }

    // 4 Roll
    if (roll) {
        n.pending[s->current] = true;
        n.tagged[v.roll_set]  = false;
        n.current             = v.roll_set;
        touch(&n, v.roll_set);
        n.rolls = s->rolls + 1;
    } else if ((v.roll_want || i->frames_want) && !v.roll_free) {
        n.full_clocks = s->full_clocks + 1;
    }

    // 5 Lookup
    if (s->looking)
        decide(&n, s, &v, roll);

    // 6 Hash
    if (i->hash_valid)
        take_hash(&n, s, i, hash_ready(s, &v));

    // 7 Draws
    if (i->end_valid && s->uses[i->end_set] == 0)
        n.end_refused = true;
    for (unsigned set = 0; set < SETS; set++) {
        const bool begins = i->draw_valid && draw_ready(s) && set == s->current;
        const bool ends   = i->end_valid && set == i->end_set && s->uses[set] != 0;
        n.uses[set]       = (uint8_t)(s->uses[set] + begins - ends);
    }

    // 8 Resume
    if (i->resume_valid) {
        n.half         = false;
        n.looking      = false;
        n.answer_valid = false;
        if (i->resume_plain)
            n.plain = true;
    }

    // 9 Flush
    if (i->graphics_flush_valid && i->graphics_flush_plain) {
        n.plain = true;
        if (n.looking && n.kind == LOOKUP_CAM)
            n.kind = LOOKUP_MISS;
    }

    // 8 Resume, continued, and 9: the tags
    if (i->resume_valid || i->graphics_flush_valid) {
        for (unsigned set = 0; set < SETS; set++)
            n.tagged[set] = false;
        n.group = false;
    }

    // 10 Fault
    if (v.several)
        n.fault = true;

    *s = n;
}

// The order of use is total.
bool totem_context_invariant(const totem_context *s)
{
    bool good = true;

    for (unsigned a = 0; a < SETS; a++) {
        good = good && (s->newer[a] & ~below(a)) == 0;
        for (unsigned b = 0; b < SETS; b++)
            for (unsigned c = 0; c < SETS; c++)
                if (a != b && b != c && a != c && later(s, a, b) && later(s, b, c) && !later(s, a, c))
                    good = false;
    }
    return good;
}

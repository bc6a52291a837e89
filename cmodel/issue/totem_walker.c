// SPDX-License-Identifier: Apache-2.0
//
// totem_walker: twin of rtl/issue/totem_walker.v, from docs/contract/walker.md.

#include "totem_walker.h"

enum { PLACES = 8, DEPTH = 4 };

static uint64_t id_x(uint64_t id)
{
    return id & 0xffffffffu;
}

static uint64_t id_y(uint64_t id)
{
    return id >> 32 & 0xffffu;
}

static uint64_t id_z(uint64_t id)
{
    return id >> 48;
}

// The id behind this one in the walk.
static uint64_t after(uint64_t id, uint64_t first, uint64_t last)
{
    const bool x_inside = id_x(id) + 1 < id_x(last);
    const bool y_inside = id_y(id) + 1 < id_y(last);

    const uint64_t x = x_inside ? id_x(id) + 1 : id_x(first);
    const uint64_t y = x_inside ? id_y(id) : y_inside ? id_y(id) + 1 : id_y(first);
    const uint64_t z = x_inside || y_inside ? id_z(id) : (id_z(id) + 1) & 0xffffu;
    return z << 48 | y << 32 | x;
}

// The walk ends with the step from this id.
static bool id_ends(uint64_t id, uint64_t last)
{
    return !(id_x(id) + 1 < id_x(last)) && !(id_y(id) + 1 < id_y(last)) && !(id_z(id) + 1 < id_z(last));
}

static uint8_t place_of(unsigned number)
{
    return (uint8_t)(number & (PLACES - 1));
}

void totem_walker_outputs(const totem_walker *s, totem_walker_out *o)
{
    const uint8_t at         = place_of((unsigned)s->head + s->ahead);
    bool          none_there = true;

    o->mask = 0;
    for (unsigned n = 0; n < 7; n++)
        if (s->granted[place_of(s->head + 1u + n)])
            o->mask = (uint8_t)(o->mask | 1u << n);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        o->room[e]        = s->count[e] < DEPTH;
        o->outstanding[e] = s->count[e] != 0;
        none_there        = none_there && s->count[e] == 0;
    }
    o->busy          = s->busy;
    o->low           = s->low;
    o->mismatch      = s->mismatch;
    o->group_valid   = s->busy && !s->stop && !s->beyond && s->ahead < PLACES && !s->presented[at] && !s->granted[at];
    o->group         = s->next;
    o->group_partial = 0;
    if (s->partial && !(id_x(s->next) + 1 < id_x(s->last)))
        o->group_partial |= 1;
    if (s->partial && !(id_y(s->next) + 1 < id_y(s->last)))
        o->group_partial |= 2;
    if (s->partial && !(id_z(s->next) + 1 < id_z(s->last)))
        o->group_partial |= 4;
    o->stopped = s->stop && none_there && !(s->busy && s->granted[place_of(s->head)]);
}

void totem_walker_step(totem_walker *s, const totem_walker_in *i)
{
    const totem_walker old = *s; // before the clock edge
    totem_walker_out   out;
    totem_walker_outputs(&old, &out);

    const uint8_t at       = place_of((unsigned)old.head + old.ahead);
    const uint8_t head     = place_of(old.head);
    const bool    placed   = old.presented[at] || old.granted[at];
    bool          returned = false;
    bool          taken    = false;

    // 1 Stop
    s->stop = i->packet_stop;

    // 2 Grants
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        uint8_t *fifo = &s->fifo[e * DEPTH];
        if (i->grant_valid[e] && s->count[e] == 0)
            s->mismatch = true;
        if (i->grant_valid[e] && s->count[e] != 0) {
            const uint8_t p = place_of(fifo[0]);
            s->presented[p] = false;
            s->granted[p]   = true;
            for (unsigned n = 0; n + 1 < DEPTH; n++)
                fifo[n] = fifo[n + 1];
            s->count[e] = (uint8_t)(s->count[e] - 1);
        }
    }

    // 3 Answers
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (i->answer_valid[e]) {
            if (i->answer_count[e] != s->count[e])
                s->mismatch = true;
            for (unsigned n = 0; n < DEPTH; n++)
                if (n < s->count[e]) {
                    s->presented[place_of(s->fifo[e * DEPTH + n])] = false;
                    returned                                       = true;
                }
            s->count[e] = 0;
        }

    // 4 Take
    if (i->dc_take) {
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            if (i->dc_take_engine == e && out.group_valid && old.count[e] != DEPTH) {
                taken = true;
                for (unsigned n = 0; n < DEPTH; n++)
                    if (n == s->count[e])
                        s->fifo[e * DEPTH + n] = at;
                s->count[e] = (uint8_t)((s->count[e] + 1) & 7);
            }
        if (taken)
            s->presented[at] = true;
        else
            s->mismatch = true;
    }

    // 5 Walk
    const bool moves = old.busy && (taken || (!old.beyond && old.ahead < PLACES && placed));
    if (moves) {
        s->next   = after(old.next, old.first, old.last);
        s->beyond = old.beyond || id_ends(old.next, old.last);
        s->ahead  = (uint8_t)((s->ahead + 1) & 15);
    }

    // 6 Window
    const bool slides = old.busy && old.granted[head] && (old.ahead != 0 || moves);
    if (slides) {
        s->low           = after(old.low, old.first, old.last);
        s->granted[head] = false;
        s->head          = place_of(old.head + 1u);
        s->ahead         = (uint8_t)((s->ahead - 1) & 15);
    }

    // 7 Return
    if (returned) {
        s->next   = s->low;
        s->ahead  = 0;
        s->beyond = false;
    }

    // 8 End
    bool none_there = true;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        none_there = none_there && s->count[e] == 0;
    if (old.busy && s->beyond && none_there)
        s->busy = false;
    if (out.stopped && !i->packet_stop)
        s->busy = false;

    // 9 Start
    if (i->packet_start && !old.busy) {
        const uint64_t fresh    = i->packet_start_fresh_at_zero ? 0 : i->bank_origin;
        const uint64_t begin_id = i->packet_start_resume ? i->bank_restart : fresh;

        s->first   = i->packet_start_resume ? i->bank_restart_origin : fresh;
        s->last    = i->packet_start_resume ? i->bank_restart_end : i->packet_start_end;
        s->partial = i->packet_start_partial;
        s->low     = begin_id;
        s->next    = begin_id;
        s->head    = 0;
        s->ahead   = 0;
        s->beyond  = false;
        for (unsigned p = 0; p < PLACES; p++)
            s->presented[p] = false;
        s->granted[0] = false;
        for (unsigned n = 0; n < 7; n++)
            s->granted[n + 1] = i->packet_start_resume && (i->bank_restart_mask >> n & 1) != 0;
        s->busy = id_x(begin_id) < id_x(s->last) && id_y(begin_id) < id_y(s->last) && id_z(begin_id) < id_z(s->last);
    }
}

// From the Invariants of the contract: what the step relies on. A FIFO never holds more than its depth.
bool totem_walker_invariant(const totem_walker *s)
{
    bool good = true;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        good = good && s->count[e] <= DEPTH;
    return good;
}

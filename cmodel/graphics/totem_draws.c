// SPDX-License-Identifier: Apache-2.0
//
// totem_draws: twin of rtl/graphics/totem_draws.v, from docs/contract/draws.md.

#include "totem_draws.h"

enum { ENGINES = TOTEM_SE_COUNT, STATES = TOTEM_DRAW_STATES };
enum { CREDITS = 8, FLIGHT_MOST = 1023, WAVE_MOST = 64, TAIL_KNOWN = 7 };

// Vertices of the first primitive and of each further one; types without primitives, and patches, have 0.
static const struct {
    uint8_t first, step;
} types[64] = {
    [PRIMITIVE_POINT_LIST]               = {1, 1},
    [PRIMITIVE_LINE_LIST]                = {2, 2},
    [PRIMITIVE_LINE_STRIP]               = {2, 1},
    [PRIMITIVE_TRIANGLE_LIST]            = {3, 3},
    [PRIMITIVE_TRIANGLE_FAN]             = {3, 1},
    [PRIMITIVE_TRIANGLE_STRIP]           = {3, 1},
    [PRIMITIVE_RECTANGLE_2D]             = {3, 3},
    [PRIMITIVE_LINE_LIST_ADJACENCY]      = {4, 4},
    [PRIMITIVE_LINE_STRIP_ADJACENCY]     = {4, 1},
    [PRIMITIVE_TRIANGLE_LIST_ADJACENCY]  = {6, 6},
    [PRIMITIVE_TRIANGLE_STRIP_ADJACENCY] = {6, 2},
    [PRIMITIVE_RECTANGLE_LIST]           = {3, 3},
    [PRIMITIVE_LINE_LOOP]                = {2, 1},
    [PRIMITIVE_QUAD_LIST]                = {4, 4},
    [PRIMITIVE_QUAD_STRIP]               = {4, 2},
    [PRIMITIVE_POLYGON]                  = {3, 1},
};

// What follows from the state alone; STATES stands for none.
typedef struct {
    unsigned free;
    unsigned over;
} view;

static void look(const totem_draws *s, view *v)
{
    v->free = v->over = STATES;
    for (unsigned d = STATES; d-- > 0;) {
        if (!s->taken[d])
            v->free = d;
        else if (s->sent[d] && s->flight[d] == 0 && s->drained[d])
            v->over = d;
    }
}

void totem_draws_outputs(const totem_draws *s, totem_draws_out *o)
{
    view v;

    look(s, &v);
    bool any = false;
    for (unsigned d = 0; d < STATES; d++)
        any = any || s->taken[d];

    o->draw_ready = s->inbox.count < 2;
    o->room       = s->step == STEP_COUNTS && s->inbox.count == 0 && v.free != STATES;
    o->bus_valid  = s->bus_valid;
    o->bus_word   = s->bus_word;
    o->bus_tag    = s->bus_tag;
    o->end_valid  = v.over != STATES;
    o->end_set    = s->set[v.over % STATES];
    o->end_epoch  = s->epoch[v.over % STATES];
    o->idle       = s->step == STEP_COUNTS && s->inbox.count == 0 && !s->bus_valid && !any;
    o->fault      = s->fault;
}

// A word goes to the bus.
static void put(totem_draws *n, const totem_draws_in *i, unsigned kind, unsigned engine, uint64_t word)
{
    const unsigned class = n->hp3d ? CLASS_HP3D : CLASS_GFX;

    n->bus_valid = true;
    n->bus_word  = word;
    n->bus_tag   = (uint16_t)(i->fe_number * 4u | engine << 4 | class << 6 | 1u << 8 | kind << 9 | n->draw * 0x1000u);
}

// 3 Word 1, continued
static void take_shape(totem_draws *n, const totem_draws *s, uint64_t word)
{
    const unsigned type       = word & 0x3f;
    const uint8_t  points     = (uint8_t)(word >> 6 & 0x3f);
    const uint8_t  type_first = type == PRIMITIVE_PATCH ? points : types[type].first;
    const uint8_t  type_step  = type == PRIMITIVE_PATCH ? points : types[type].step;

    n->stride         = type_step;
    n->wave32         = (word >> 12 & 1) != 0;
    n->vgprs          = (uint8_t)(word >> 13 & 0x7f);
    n->lds            = (uint16_t)(word >> 20 & 0x1ff);
    n->set[s->draw]   = (uint8_t)(word >> 29 & (TOTEM_SETS - 1));
    n->epoch[s->draw] = (uint8_t)(word >> 33 & (TOTEM_EPOCHS - 1));
    n->hp3d           = (word >> 36 & 1) != 0;
    n->words          = (uint8_t)(word >> 37 & 0x1f);
    n->pixel_words    = (uint8_t)(word >> 42 & 0x1f);
    n->behind         = s->behind - type_first;
    n->left           = n->behind;
    n->more           = type_step != 0 && s->behind >= type_first && s->instances != 0;
    n->tail           = 0;
    n->tail_bit       = 5;
    n->step           = STEP_HEADER;
}

// 7 Prepare, continued
static void prepare(totem_draws *n, const totem_draws *s, bool gap)
{
    const uint32_t all  = (uint32_t)s->stride * WAVE_MOST;
    const bool     full = s->left >= all;

    if (full) {
        if (gap) {
            n->wave_valid = true;
            n->wave_size  = WAVE_MOST;
            n->left       = s->left - all;
        }
    } else if (s->tail_bit != TAIL_KNOWN) {
        const uint32_t piece = (uint32_t)s->stride << s->tail_bit;
        if (s->left >= piece) {
            n->left = s->left - piece;
            n->tail = (uint8_t)((s->tail | 1u << s->tail_bit) & 0x3f);
        }
        n->tail_bit = (uint8_t)((s->tail_bit + 7) & 7);
    } else if (gap) {
        n->wave_valid = true;
        n->wave_size  = (uint8_t)(s->tail + 1);
        n->left       = s->behind;
        n->instances  = s->instances - 1;
        if (s->instances == 1)
            n->more = false;
    }
}

// 9 Counts, continued: what one count loses and gets. True if it would have fallen below zero.
static bool settle(unsigned *count, unsigned loss, bool gain)
{
    const bool below = loss > *count;

    *count = (below ? 0 : *count - loss) + gain;
    return below;
}

void totem_draws_step(totem_draws *s, const totem_draws_in *i)
{
    totem_draws    n = *s; // what follows the clock edge; s stays as it was before
    view           v;
    totem_inbox_in in         = {i->render_draw_valid, i->render_draw_word, false};
    const bool     word_valid = s->inbox.count != 0;
    const uint64_t word       = s->inbox.head;
    const bool     open       = !s->bus_valid || i->bus_ready;

    look(s, &v);

    // 1 Inputs
    for (unsigned d = 0; d < STATES; d++)
        n.drained[d] = i->draw_count_empty[d];
    if (i->bus_ready)
        n.bus_valid = false;

    // 2 Word 0
    if (s->step == STEP_COUNTS && word_valid && v.free != STATES) {
        in.out_take     = true;
        n.behind        = (uint32_t)word;
        n.instances     = (uint32_t)(word >> 32);
        n.number        = 0;
        n.dropped       = false;
        n.draw          = (uint8_t)v.free;
        n.taken[v.free] = true;
        n.sent[v.free]  = false;
        n.step          = STEP_SHAPE;
    }

    // 3 Word 1
    if (s->step == STEP_SHAPE && word_valid) {
        in.out_take = true;
        take_shape(&n, s, word);
    }

    // 4 Header
    if (s->step == STEP_HEADER && word_valid && open) {
        in.out_take = true;
        put(&n, i, DRAW_HEADER, 0, word & 0x3ffffffffffu);
        n.step = s->words == 0 ? STEP_PIXEL_HEADER : STEP_STATE;
    }

    // 5 State words
    if (s->step == STEP_STATE && word_valid && open) {
        in.out_take = true;
        put(&n, i, DRAW_STATE_WORD, 0, word);
        n.words = (uint8_t)((s->words - 1) & 0x1f);
        if (s->words == 1)
            n.step = STEP_PIXEL_HEADER;
    }
    if (s->step == STEP_PIXEL_HEADER && word_valid && open) {
        in.out_take = true;
        put(&n, i, DRAW_PIXEL_HEADER, 0, word);
        n.step = s->pixel_words == 0 ? STEP_WAVES : STEP_PIXEL_STATE;
    }
    if (s->step == STEP_PIXEL_STATE && word_valid && open) {
        in.out_take = true;
        put(&n, i, DRAW_STATE_WORD, 0, word);
        n.pixel_words = (uint8_t)((s->pixel_words - 1) & 0x1f);
        if (s->pixel_words == 1)
            n.step = STEP_WAVES;
    }

    // 6 Send
    const bool send = s->step == STEP_WAVES && s->wave_valid && !s->dropped && s->used[s->turn] < CREDITS &&
                      s->flight[s->draw] != FLIGHT_MOST && open;
    if (send) {
        put(&n, i, DRAW_WAVE, s->turn,
            s->vgprs | (uint64_t)s->lds << 7 | (uint64_t)s->wave_size << 16 | (uint64_t)s->wave32 << 23 |
                (uint64_t)s->epoch[s->draw] << 24 | (uint64_t)s->set[s->draw] << 27 | s->number << 31);
        n.number     = (s->number + 1) & 0x1ffffffff;
        n.wave_valid = false;
        n.turn       = (uint8_t)(s->turn == ENGINES - 1 ? 0 : s->turn + 1);
        if (!s->more) {
            n.sent[s->draw] = true;
            n.step          = STEP_COUNTS;
        }
    }

    // 7 Prepare
    const bool gap = !s->wave_valid || send;
    if (s->more)
        prepare(&n, s, gap);

    // 8 Finish
    if (s->step == STEP_WAVES && (s->dropped || (!s->wave_valid && !s->more))) {
        n.sent[s->draw] = true;
        n.step          = STEP_COUNTS;
        n.more          = false;
        n.wave_valid    = false;
    }

    // 9 Counts
    for (unsigned e = 0; e < ENGINES; e++) {
        unsigned used = s->used[e];
        if (settle(&used, i->grant_valid[e], send && s->turn == e))
            n.fault = true;
        n.used[e] = (uint8_t)(used & 0xf);
    }
    for (unsigned d = 0; d < STATES; d++) {
        unsigned grants = 0, completions = 0, queued = s->queued[d], flight = s->flight[d];
        for (unsigned e = 0; e < ENGINES; e++) {
            grants += i->grant_valid[e] && i->grant_state[e] == d;
            completions += i->complete_valid[e] && i->complete_state[e] == d;
        }
        if (settle(&queued, grants, send && s->draw == d))
            n.fault = true;
        if (settle(&flight, completions, send && s->draw == d))
            n.fault = true;
        n.queued[d] = (uint8_t)(queued & 0x3f);
        n.flight[d] = (uint16_t)(flight & 0x3ff);
    }

    // 10 End
    if (v.over != STATES)
        n.taken[v.over] = false;

    // 11 Kill
    if (i->kill_word_valid && s->step >= STEP_HEADER && (i->kill_word_epochs >> s->epoch[s->draw] & 1) != 0)
        n.dropped = true;

    totem_inbox_step(&n.inbox, &in);
    *s = n;
}

// What the step relies on: the inbox has two places, every turn is that of an engine, and waves are prepared only once
// word 1 of a draw is taken.
bool totem_draws_invariant(const totem_draws *s)
{
    return s->inbox.count <= 2 && s->turn < ENGINES && (s->step >= STEP_HEADER || (!s->more && !s->wave_valid));
}

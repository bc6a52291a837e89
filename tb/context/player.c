// SPDX-License-Identifier: Apache-2.0
//
// player: see player.h.

#include "player.h"

#include "judge.h"
#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { DRAWS_MOST = 1024, STILL_MOST = 100000 };

typedef struct {
    uint32_t set, use;
    uint64_t end;
} draw;

typedef struct {
    const totem_context_stream *s;
    const totem_bounce_plan    *p;
    registers                  *expected;
    const player_settings      *settings;
    player_figures             *figures;
    world                      *w;
    judge                       judge;
    size_t                      item;
    uint32_t                    dword;    // of the item
    bool                        asked;    // a lookup has been given and is not answered
    bool                        closing;  // the last packet of a group is consumed, its end is not told
    bool                        in_group; // of a miss
    draw                        draw[DRAWS_MOST];
    uint32_t                    first, draws; // in the pipe
    uint64_t                    start, last_end;
    uint64_t                    moved; // clock in which a dword was consumed
    XXH64_state_t              *digest;
    int                         shown; // item of this clock, for the trace
    const char                 *name;
    char                       *message;
    size_t                      size;
} player;

static bool object(player *p, uint32_t use, uint32_t x, const char *when, uint32_t found)
{
    snprintf(p->message, p->size, "clock %" PRIu64 ": draw %u, register %u: %08x %s, %08x in the plain replay",
             p->w->clock - p->start, use, x, found, when, p->expected[use][x]);
    return false;
}

// All registers of the current set, when a draw is issued; also what the judge has of them.
static bool look_at_issue(player *p, uint32_t use)
{
    const uint32_t set    = p->w->context->current;
    uint64_t       digest = 0;
    for (uint32_t x = 0; x < TOTEM_REGISTERS; x++) {
        uint32_t value = world_logical(p->w, set, x);
        if (value != p->expected[use][x])
            return object(p, use, x, "when it is issued", value);
        if (value != p->judge.value[set][x])
            return object(p, use, x, "in the frames is not what the judge has", p->judge.value[set][x]);
        digest ^= totem_context_mix(x, value);
    }
    XXH64_update(p->digest, &digest, sizeof digest);
    return true;
}

static bool look_at_end(player *p, const draw *d)
{
    const totem_frames_out *f       = p->w->frames;
    const bool              settled = !f->copying || f->copy_target != f->frame[d->set];
    p->figures->unsettled += !settled;
    for (uint32_t x = 0; x < TOTEM_REGISTERS; x++) {
        uint32_t value = settled ? world_register(p->w, d->set, x) : world_logical(p->w, d->set, x);
        if (value != p->expected[d->use][x])
            return object(p, d->use, x, "when it ends", value);
    }
    return true;
}

static bool end_draws(player *p)
{
    const draw *d = &p->draw[p->first % DRAWS_MOST];
    if (!p->draws || p->w->clock < d->end)
        return true;
    p->w->context_in->end_valid = true;
    p->w->context_in->end_set   = (uint8_t)d->set;
    p->first++;
    p->draws--;
    return look_at_end(p, d);
}

// A draw or a dispatch of the stream. False: it must wait.
static bool give_draw(player *p, bool *good)
{
    world *w = p->w;
    if (!w->frames->idle || !w->context->idle || !w->context->draw_ready || p->draws == DRAWS_MOST)
        return false;
    w->context_in->draw_valid = true;
    *good                     = look_at_issue(p, p->figures->uses);
    uint64_t end              = w->clock + p->settings->latency;
    if (end < p->last_end + p->settings->service)
        end = p->last_end + p->settings->service;
    p->last_end                                   = end;
    p->draw[(p->first + p->draws++) % DRAWS_MOST] = (draw){w->context->current, p->figures->uses++, end};
    return true;
}

static bool give_write(player *p, const totem_context_write *write)
{
    world *w = p->w;
    if (!w->frames->op_ready || !w->context->idle || p->closing)
        return false;
    w->frames_in->op_valid = true;
    w->frames_in->op_kind  = write ? 0 : 1;
    if (write) {
        w->frames_in->op_index = (uint16_t)write->index;
        w->frames_in->op_data  = write->data;
        w->frames_in->op_mask  = write->mask;
    }
    return true;
}

// The next dword of CONTEXT_BOUNCE. False: it must wait.
static bool give_bounce(player *p, const totem_bounce_item *item)
{
    world *w = p->w;
    if (p->dword == 2 || p->dword == 3) {
        if (!w->frames->idle || !w->context->hash_ready || p->closing)
            return false;
        w->context_in->hash_valid    = true;
        w->context_in->hash_data     = (uint32_t)(p->dword == 2 ? item->hash : item->hash >> 32);
        w->context_in->hash_count    = (uint16_t)item->dwords;
        w->context_in->bounce_enable = p->settings->bounce_enable;
    }
    if (++p->dword == TOTEM_BOUNCE_DWORDS) {
        p->asked = true;
        p->dword = 0;
    }
    return true;
}

// What a lookup answers takes no clock: a hit leaves the group out.
static void take_answer(player *p)
{
    if (!p->asked || !p->w->context->answer_valid)
        return;
    const uint32_t packets = p->p->item[p->item].packets;
    p->asked               = false;
    p->item += 1 + (p->w->context->answer == 0 ? packets : 0);
    p->in_group = p->w->context->answer == 1;
}

// The next dword of a packet. False: it must wait.
static bool give_dword(player *p, const totem_bounce_item *item, bool *good)
{
    const totem_context_packet *packet = &p->s->packet[item->packet];
    const bool                  last   = p->dword + 1 == packet->dwords;
    if (last && packet->kind == TOTEM_CONTEXT_CLEAR && !give_write(p, NULL))
        return false;
    if (last && (packet->kind == TOTEM_CONTEXT_DRAW || packet->kind == TOTEM_CONTEXT_DISPATCH) && !give_draw(p, good))
        return false;
    for (uint32_t n = 0; n < packet->writes; n++) {
        const totem_context_write *write = &p->s->write[packet->first + n];
        if (write->dword == p->dword && !give_write(p, write))
            return false;
    }
    p->dword++;
    if (last) {
        p->closing |= item->last && p->in_group;
        p->item++;
        p->dword = 0;
    }
    return true;
}

static void count_wait(player *p)
{
    const totem_bounce_item *item = &p->p->item[p->item];
    uint32_t                 why  = PLAYER_WAIT_WRITE;
    if (p->closing)
        why = PLAYER_WAIT_GROUP;
    else if (item->bounce)
        why = PLAYER_WAIT_LOOKUP;
    else if (p->s->packet[item->packet].kind == TOTEM_CONTEXT_DRAW ||
             p->s->packet[item->packet].kind == TOTEM_CONTEXT_DISPATCH)
        why = PLAYER_WAIT_DRAW;
    p->figures->waits[why]++;
}

static const char *item_name(const player *p)
{
    static const char *const names[] = {"other", "writes", "clear", "draw", "dispatch", "load", "barrier"};
    if (p->item == p->p->items)
        return "none";
    const totem_bounce_item *item = &p->p->item[p->item];
    return item->bounce ? "bounce" : names[p->s->packet[item->packet].kind];
}

// What is given to the blocks in this clock.
static bool give(player *p)
{
    bool good = end_draws(p);
    take_answer(p);
    p->shown = p->item < p->p->items ? (int)p->item : -1;
    p->name  = item_name(p);
    if (p->closing && p->w->frames->idle) {
        p->w->context_in->group_end = true;
        p->closing = p->in_group = false;
    }
    p->w->frames_in->filter_enable = p->settings->filter;
    if (p->item == p->p->items)
        return good;
    const totem_bounce_item *item = &p->p->item[p->item];
    if (p->asked || !(item->bounce ? give_bounce(p, item) : give_dword(p, item, &good)))
        count_wait(p);
    else
        p->moved = p->w->clock;
    return good;
}

static bool clock_once(player *p)
{
    judge_clock(&p->judge, p->w);
    if (!world_step(p->w)) {
        p->message[0] = 0;
        return false;
    }
    judge_check(&p->judge, p->w);
    if (p->judge.message[0])
        snprintf(p->message, p->size, "clock %" PRIu64 ": %s", p->w->clock - p->start, p->judge.message);
    return !p->judge.message[0];
}

static void explain_hang(player *p)
{
    const world *w = p->w;
    snprintf(p->message, p->size,
             "clock %" PRIu64
             ": stands at item %zu, dword %u; asked %d closing %d group %d; context idle %d hash_ready %d "
             "roll_want %d draws %u; frames idle %d op_ready %d roll_want %d",
             w->clock - p->start, p->item, p->dword, p->asked, p->closing, p->in_group, w->context->idle,
             w->context->hash_ready, w->context->roll_want, p->draws, w->frames->idle, w->frames->op_ready,
             w->frames->roll_want);
}

static bool load_table(player *p, const uint32_t *table)
{
    for (uint32_t x = 0; x < TOTEM_REGISTERS || !p->w->frames->idle;) {
        if (x < TOTEM_REGISTERS) {
            p->w->frames_in->table_valid = true;
            p->w->frames_in->table_index = (uint16_t)x;
            p->w->frames_in->table_data  = table[x];
            x += p->w->frames->table_ready;
        }
        if (!clock_once(p))
            return false;
    }
    return true;
}

static void finish(player *p)
{
    player_figures *f = p->figures;
    f->clocks         = p->w->clock - p->start;
    f->written        = p->w->frames->written;
    f->filtered       = p->w->frames->filtered;
    f->exposed        = p->w->frames->exposed_clocks;
    f->rolls          = p->w->context->rolls;
    f->hits           = p->w->context->hits;
    f->misses         = p->w->context->misses;
    f->full           = p->w->context->full_clocks;
    f->digest         = XXH64_digest(p->digest);
}

bool play(void *given, const totem_context_stream *s, const totem_bounce_plan *prog, const uint32_t *table,
          registers *expected, const player_settings *settings, player_figures *figures, FILE *trace, char *message,
          size_t size)
{
    player *p = calloc(1, sizeof *p);
    if (!p || !(p->digest = XXH64_createState())) {
        fprintf(stderr, "no memory for the player\n");
        exit(2);
    }
    *figures    = (player_figures){0};
    p->s        = s;
    p->p        = prog;
    p->expected = expected;
    p->settings = settings;
    p->figures  = figures;
    p->message  = message;
    p->size     = size;
    p->w        = world_open(given);
    XXH64_reset(p->digest, 0);
    judge_open(&p->judge, table, settings->filter);
    bool good = load_table(p, table);
    p->start = p->moved = p->w->clock;
    if (trace)
        trace_head(trace);
    while (good && (p->item < prog->items || p->draws || p->closing || !p->w->frames->idle)) {
        good = give(p);
        if (trace)
            trace_clock(trace, p->w, p->w->clock - p->start, p->shown, p->name);
        if (p->item < prog->items || p->closing)
            figures->stream_clocks = p->w->clock - p->start + 1;
        uint32_t sets = 0;
        for (uint32_t n = 0; n < TOTEM_SETS; n++)
            sets += p->judge.uses[n] != 0;
        if (sets > figures->most_sets)
            figures->most_sets = sets;
        good = good && clock_once(p);
        if (good && p->w->clock - p->moved > STILL_MOST + settings->latency) {
            explain_hang(p);
            good = false;
        }
    }
    if (good && figures->uses != s->draws + s->dispatches) {
        snprintf(message, size, "%u draws and dispatches of %u", figures->uses, s->draws + s->dispatches);
        good = false;
    }
    finish(p);
    world_close(p->w);
    XXH64_freeState(p->digest);
    free(p);
    return good;
}

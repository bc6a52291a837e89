// SPDX-License-Identifier: Apache-2.0
//
// pixels: see pixels.h.

#include "pixels.h"

#include "ring.h"

#include "../../../cmodel/graphics/totem_graphics_values.h"

#include <stdlib.h>

#if TOTEM_GRAPHICS

enum { DEPTH = 8, PRIMITIVES = 256, NUMBERS = 33 };

// A pixel wave that is granted and not launched.
typedef struct {
    pixel_draw *draw;
    uint64_t    number;
    uint32_t    threads;
} wave;

typedef struct {
    pixel_draw *geometry[TOTEM_SLOTS]; // whose; NULL: none
    bool        exported[TOTEM_SLOTS];
    pixel_draw *pixels[TOTEM_SLOTS];
    bool        open; // an export is under way
    uint8_t     slot;
    uint32_t    primitives, each;
    wave        waiting[TOTEM_FE_COUNT][DEPTH];
    int         waiting_count[TOTEM_FE_COUNT];
    uint64_t    number[TOTEM_FE_COUNT]; // pixel waves granted
    uint64_t    words[TOTEM_FE_COUNT][TOTEM_DRAW_STATES * 32];
    // In the clock before: a pixel wave was on offer, and this word asked for.
    bool    asked;
    uint8_t asked_index, asked_fe, asked_state;
} engine;

struct pixels {
    engine      engines[TOTEM_SE_COUNT];
    pixels_sums sums;
};

pixels *pixels_create(void)
{
    return calloc(1, sizeof(pixels));
}

void pixels_destroy(pixels *p)
{
    free(p);
}

pixels_sums pixels_sum(const pixels *p)
{
    return p->sums;
}

static uint64_t pair(const uint32_t *words, uint32_t low)
{
    return (uint64_t)words[low + 1] << 32 | words[low];
}

static uint64_t pair_given(const bool *given, uint32_t low)
{
    return (given[low + 1] ? ~0ull << 32 : 0) | (given[low] ? 0xffffffffu : 0);
}

// Registers of the pixel stage: 0x07 RSRC3, 0x08 and 0x09 program, 0x0a RSRC1, 0x0b RSRC2, from 0x0c on user data.
void pixels_shape(pixel_draw *d, const uint32_t *shader, const bool *given, uint32_t control, bool control_known,
                  uint32_t generation)
{
    const uint32_t rsrc2 = shader[0x0b];
    const uint32_t users = (rsrc2 >> 1 & 31) + (rsrc2 >> 27 & 1) * 32;
    d->vgprs             = (shader[0x0a] & 63) + 1;
    d->vgprs_given       = given[0x0a];
    d->lds               = rsrc2 >> 8 & 0xff;
    d->lds_given         = given[0x0b];
    d->wave32            = generation != 0 && (control >> 15 & 1);
    d->wave32_given      = generation == GENERATION_GFX9 || control_known;
    d->program           = pair(shader, 0x08) & 0xffffffffffu;
    d->program_given     = pair_given(given, 0x08) & 0xffffffffffu;
    d->words             = given[0x0b] ? 2 + ((users < 32 ? users : 32) + 1) / 2 : 0;
    d->word[0]           = pair(shader, 0x0a);
    d->word_given[0]     = pair_given(given, 0x0a);
    d->word[1]           = shader[0x07];
    d->word_given[1]     = given[0x07] ? 0xffffffffu : 0;
    for (uint32_t k = 2; k < PIXEL_WORDS; k++) {
        d->word[k]       = pair(shader, 0x0c + 2 * (k - 2));
        d->word_given[k] = pair_given(given, 0x0c + 2 * (k - 2));
    }
}

void pixels_geometry(pixels *p, int e, uint32_t slot, pixel_draw *d)
{
    p->engines[e].geometry[slot] = d;
    p->engines[e].exported[slot] = false;
}

const char *pixels_grant(pixels *p, const totem_issue_out *i, int e, pixel_draw *d)
{
    engine        *n      = &p->engines[e];
    const int      f      = i->grant_fe;
    const uint64_t number = n->number[f]++ & ((1ull << NUMBERS) - 1);
    const uint32_t size   = i->grant_wave32 ? 32 : 64;
    if (i->grant_group != number)
        return "a pixel wave is granted out of turn";
    if (i->grant_set != d->set || i->grant_epoch != d->epoch)
        return "a pixel wave has another set or epoch than its draw";
    if ((d->vgprs_given && i->grant_vgprs != d->vgprs) || (d->lds_given && i->grant_lds != d->lds) ||
        (d->wave32_given && i->grant_wave32 != d->wave32) || i->grant_waves != 1 || i->grant_primitives != 0)
        return "a pixel wave of wrong shape is granted";
    if ((i->grant_program ^ d->program) & d->program_given)
        return "a pixel wave is granted with the wrong program";
    if (i->grant_threads == 0 || i->grant_threads > size)
        return "a pixel wave has no thread, or more than its size";
    d->given[e] += i->grant_threads;
    d->granted++;
    if (d->given[e] > d->due[e])
        return "its pixel waves have more threads than its primitives have pixels";
    if (n->waiting_count[f] == DEPTH)
        return "more pixel waves are granted than launch holds";
    n->waiting[f][n->waiting_count[f]++] = (wave){d, number, i->grant_threads};
    return NULL;
}

const char *pixels_launch(pixels *p, const totem_launch_out *l, int e, const pixel_draw *d)
{
    engine   *n = &p->engines[e];
    const int f = l->launch_fe;
    if (n->waiting_count[f] == 0)
        return "a pixel wave is launched that was not granted";
    const wave v = n->waiting[f][0];
    for (int k = 1; k < n->waiting_count[f]; k++)
        n->waiting[f][k - 1] = n->waiting[f][k];
    n->waiting_count[f]--;
    if (v.draw != d || l->launch_group != v.number || l->launch_threads != v.threads || l->launch_set != d->set ||
        l->launch_epoch != d->epoch || (d->wave32_given && l->launch_wave32 != d->wave32) || l->launch_index != 0 ||
        l->launch_waves != 1 || (d->vgprs_given && l->launch_vgprs != d->vgprs) ||
        (d->lds_given && l->launch_lds != d->lds) || l->launch_primitives != 0 || !l->launch_state_new)
        return "a pixel wave of wrong shape is launched";
    if ((l->launch_program ^ d->program) & d->program_given)
        return "a pixel wave is launched with the wrong program";
    for (uint32_t k = 0; k < d->words; k++)
        if ((n->words[f][32u * l->launch_draw + k] ^ d->word[k]) & d->word_given[k])
            return "a state word of its pixel waves is not that of its stream";
    if (n->geometry[l->launch_slot] || n->pixels[l->launch_slot])
        return "the slot of a pixel wave is taken";
    n->pixels[l->launch_slot] = v.draw;
    v.draw->launched++;
    p->sums.waves++;
    return NULL;
}

// Converter c gets primitives c, c + n, and so on.
static void deal(pixels *p, engine *n)
{
    pixel_draw *d = n->geometry[n->slot];
    for (uint32_t c = 0; c < TOTEM_SE_COUNT; c++)
        if (n->primitives > c)
            d->due[c] += (uint64_t)((n->primitives - c + TOTEM_SE_COUNT - 1) / TOTEM_SE_COUNT) * n->each;
    d->exported++;
    p->sums.exports++;
    p->sums.primitives += n->primitives;
    p->sums.pixels += (uint64_t)n->primitives * n->each;
}

static const char *exports(pixels *p, const totem_machine_out *out, int e, int *ring)
{
    engine               *n = &p->engines[e];
    const totem_wave_out *w = &out->wave[e];
    if (!w->export_valid)
        return n->open ? "an export is taken back" : NULL;
    const pixel_draw *d = n->geometry[w->export_slot];
    *ring               = d ? (int)d->ring : 0;
    if (n->open && (w->export_slot != n->slot || w->export_primitives != n->primitives || w->export_pixels != n->each))
        return "what is exported does not stand";
    if (!n->open) {
        if (!d || n->exported[w->export_slot])
            return "a wave exports that owes nothing";
        if (w->export_primitives > PRIMITIVES)
            return "a wave exports more primitives than it can have";
        n->open       = true;
        n->slot       = w->export_slot;
        n->primitives = w->export_primitives;
        n->each       = w->export_pixels;
        deal(p, n);
    }
    if (out->se[e].pixels.assemble.export_ready) {
        n->exported[n->slot] = true;
        n->open              = false;
    }
    return NULL;
}

static const char *ended(engine *n, const totem_wave_out *w, int *ring)
{
    if (!w->done_valid)
        return NULL;
    pixel_draw **geometry = &n->geometry[w->done_slot], **pixel = &n->pixels[w->done_slot];
    if (*geometry && !n->exported[w->done_slot]) {
        *ring = (int)(*geometry)->ring;
        return "a geometry wave ends that has not exported";
    }
    if (*pixel)
        (*pixel)->ended++;
    *geometry = *pixel = NULL;
    return NULL;
}

// The state word asked for in the clock before is sure while a pixel wave with the same state is still on offer.
static const char *state_word(engine *n, const totem_machine_out *out, int e, int *ring)
{
    const totem_launch_out *l     = &out->se[e].launch;
    const bool              mine  = l->launch_valid && l->launch_kind == WAVE_PIXEL;
    const bool              sure  = mine && n->asked && n->asked_fe == l->launch_fe && n->asked_state == l->launch_draw;
    const uint32_t          index = n->asked_index;
    n->asked                      = mine;
    n->asked_index                = out->wave[e].state_index;
    n->asked_fe                   = l->launch_fe;
    n->asked_state                = l->launch_draw;
    if (!sure || n->waiting_count[l->launch_fe] == 0)
        return NULL;
    const pixel_draw *d = n->waiting[l->launch_fe][0].draw;
    *ring               = (int)d->ring;
    if (index < d->words && (out->se[e].word_pick.word ^ d->word[index]) & d->word_given[index])
        return "the core reads another state word of a pixel wave";
    return NULL;
}

const char *pixels_clock(pixels *p, const totem_machine_out *out, int e, int *ring)
{
    engine     *n    = &p->engines[e];
    const char *what = ended(n, &out->wave[e], ring);
    if (!what)
        what = exports(p, out, e, ring);
    if (!what)
        what = state_word(n, out, e, ring);
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_geometry_out *y = &out->se[e].graphics_engine[f].graphics_geometry;
        if (y->pixel_write_enable)
            n->words[f][y->pixel_write_addr] = y->pixel_write_data;
    }
    return what;
}

bool pixels_ended(const pixel_draw *d, bool killed)
{
    for (int e = 0; !killed && e < TOTEM_SE_COUNT; e++)
        if (d->given[e] != d->due[e])
            return false;
    return d->ended == d->granted;
}

#endif

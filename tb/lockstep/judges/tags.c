// SPDX-License-Identifier: Apache-2.0
//
// tags: see tags.h.

#include "tags.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_hqd_values.h"

#include <stdlib.h>

#if TOTEM_GRAPHICS

// Clocks from a served write of BOUNCE_FLUSH to the answers of lookups that were decided behind it; from the decision
// that a group is executed plainly, because BOUNCE_EN is 0, to its answer.
enum { FLUSH = 3, DECIDED = 8 };

void tags_end(tags *t)
{
    free(t->hash);
}

static bool known(const tags *t, uint64_t hash)
{
    for (size_t n = 0; n < t->count; n++)
        if (t->hash[n] == hash)
            return true;
    return false;
}

static void add(tags *t, uint64_t hash)
{
    if (known(t, hash))
        return;
    if (t->count == t->room) {
        t->room         = t->room ? 2 * t->room : 16;
        uint64_t *wider = realloc(t->hash, t->room * sizeof *wider);
        if (!wider)
            abort();
        t->hash = wider;
    }
    t->hash[t->count++] = hash;
}

static void drop(tags *t, bool plain)
{
    t->count = 0;
    t->open  = false;
    t->plain = t->plain || plain;
}

// Dword n of the packet at the read pointer.
static uint32_t dword(const tags *t, uint64_t position, uint32_t n)
{
    uint64_t at = position + 4 * (uint64_t)n;
    if (position >= t->base && position < t->base + 4 * (uint64_t)t->size && at >= t->base + 4 * (uint64_t)t->size)
        at -= 4 * (uint64_t)t->size;
    return memory_read32(t->memory, at);
}

static bool writes_context(uint32_t header)
{
    switch (header >> 8 & 0xff) {
    case TOTEM_OP_CLEAR_STATE:
    case TOTEM_OP_CONTEXT_REG_RMW:
    case TOTEM_OP_LOAD_CONTEXT_REG:
    case TOTEM_OP_LOAD_CONTEXT_REG_INDEX:
    case TOTEM_OP_SET_CONTEXT_REG:
    case TOTEM_OP_SET_CONTEXT_REG_INDEX:
    case TOTEM_OP_SET_CONTEXT_REG_PAIRS:
    case TOTEM_OP_SET_CONTEXT_REG_PAIRS_PACKED: return header >> 30 == 3;
    default: return false;
    }
}

// A CONTEXT_BOUNCE is answered: it finds its state, or a group opens, or neither.
static const char *answer(tags *t, const totem_graphics_render_out *r, uint64_t position)
{
    const uint64_t hash = (uint64_t)dword(t, position, 3) << 32 | dword(t, position, 2);
    if (r->skip) {
        if (t->plain)
            return "a CONTEXT_BOUNCE finds a state, and there was no CLEAR_STATE in this mapping, or since a SKIP";
        return known(t, hash) ? NULL : "a CONTEXT_BOUNCE finds a state that this mapping has not made, or has lost";
    }
    if (r->group && t->plain)
        return "a group is tagged, and there was no CLEAR_STATE in this mapping, or since a SKIP";
    if (!r->group && !t->plain && t->enabled > DECIDED)
        return "a group is executed plainly without a reason";
    t->open  = r->group != 0;
    t->group = hash;
    return NULL;
}

const char *tags_clock(tags *t, const totem_machine_out *out, int fe)
{
    const totem_graphics_pipe_out    *p = &out->fe[fe].graphics_pipe;
    const totem_graphics_execute_out *e = &p->front.execute;
    const totem_graphics_render_out  *r = &p->graphics_render;
    if (!t->memory)
        return NULL;
    if (t->flushing && --t->flushing == 0)
        drop(t, false);
    if (p->graphics_graphics.host_done && p->graphics_graphics.host_error == 0 && out->host.request_write &&
        out->host.request_dword == TOTEM_REG_GRAPHICS_BOUNCE_FLUSH && out->host.request_strobe)
        t->flushing = FLUSH;
    t->enabled = p->graphics_graphics.bounce_enable ? t->enabled + (t->enabled <= DECIDED) : 0;
    if (p->front.hqd.load_valid && p->front.hqd.load_kind == LOAD_ACTIVE && p->front.hqd.load_data & 1)
        drop(t, true);
    if (e->commit && !e->executed && writes_context(dword(t, p->front.fetch.position, 0)))
        drop(t, true);
    if (e->executed && e->executed_opcode == TOTEM_OP_CLEAR_STATE)
        t->plain = false;
    if (e->service_group_end && t->open)
        add(t, t->group);
    if (e->service_group_end || e->left)
        t->open = false;
    if (r->done && e->service_kind == TOTEM_KIND_BOUNCE && r->code == 0 && !r->again)
        return answer(t, r, p->front.fetch.position);
    return NULL;
}

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_graphics: twin of rtl/graphics/totem_graphics.v, from docs/contract/graphics.md.

#include "totem_graphics.h"

#include "../host/totem_regs_map.h"
#include "../packet/totem_pm4.h"

static uint32_t read_value(const totem_graphics *s, const totem_graphics_in *i)
{
    switch (i->host_dword) {
    case TOTEM_REG_GRAPHICS_GRAPHICS:
        return (s->hp3d ? 1u : 0u) | (s->bounce_enable ? 2u : 0u) | (s->filter_enable ? 4u : 0u) |
               (uint32_t)s->generation << 4;
    case TOTEM_REG_GRAPHICS_TABLE_INDEX: return s->index;
    case TOTEM_REG_GRAPHICS_ROLLS: return i->context_rolls;
    case TOTEM_REG_GRAPHICS_HITS: return i->context_hits;
    case TOTEM_REG_GRAPHICS_MISSES: return i->context_misses;
    case TOTEM_REG_GRAPHICS_FULL_CLOCKS: return i->context_full_clocks;
    case TOTEM_REG_GRAPHICS_WRITTEN: return i->frames_written;
    case TOTEM_REG_GRAPHICS_FILTERED: return i->frames_filtered;
    case TOTEM_REG_GRAPHICS_EXPOSED_CLOCKS: return i->frames_exposed_clocks;
    case TOTEM_REG_GRAPHICS_DRAWS: return s->draws;
    default: return 0;
    }
}

// What a write puts into the dword.
static uint32_t put_value(const totem_graphics_in *i, uint32_t value)
{
    for (unsigned b = 0; b < 4; b++) {
        const uint32_t byte = 0xffu << 8 * b;
        if ((i->host_strobe >> b & 1) != 0)
            value = (value & ~byte) | (i->host_data & byte);
    }
    return value;
}

static uint8_t refusal(const totem_graphics *s, const totem_graphics_in *i, uint32_t put)
{
    const uint8_t d          = i->host_dword;
    const bool    hp3d       = (put & 1) != 0;
    const uint8_t generation = put >> 4 & 3;

    if (d > TOTEM_REG_GRAPHICS_DRAWS)
        return TOTEM_ERROR_HOST_HOLE & 31;
    if (!i->host_write)
        return 0;
    if (d >= TOTEM_REG_GRAPHICS_ROLLS)
        return TOTEM_ERROR_HOST_READ_ONLY & 31;
    if (d == TOTEM_REG_GRAPHICS_GRAPHICS && generation > GENERATION_GFX11)
        return TOTEM_ERROR_HOST_VALUE & 31;
    if (d == TOTEM_REG_GRAPHICS_GRAPHICS && i->arbiter_active[0] && (hp3d != s->hp3d || generation != s->generation))
        return TOTEM_ERROR_HOST_LOCKED & 31;
    return 0;
}

void totem_graphics_outputs(const totem_graphics *s, totem_graphics_out *o)
{
    o->host_done     = s->done;
    o->host_error    = s->error;
    o->host_rdata    = s->rdata;
    o->hp3d          = s->hp3d;
    o->generation    = s->generation;
    o->bounce_enable = s->bounce_enable;
    o->filter_enable = s->filter_enable;
    o->unmapped      = s->unmapped;
    o->flush_valid   = s->flush_valid;
    o->flush_plain   = s->flush_plain;
    o->table_valid   = s->table_valid;
    o->table_index   = s->index;
    o->table_data    = s->table_data;
}

void totem_graphics_step(totem_graphics *s, const totem_graphics_in *i)
{
    totem_graphics n = *s; // what follows the clock edge; s stays as it was before

    // 1 Counts
    n.draws    = s->draws + i->render_draw_begun;
    n.done     = false;
    n.unmapped = !i->arbiter_active[0];

    // 4 Flush
    n.flush_plain = i->hqd_resetting[0] || (i->arbiter_active[0] && s->unmapped);
    n.flush_valid = n.flush_plain;

    // 2 Access
    const bool access = i->host_valid && !s->done && !s->table_valid;
    if (access) {
        const uint32_t value = read_value(s, i);
        const uint32_t put   = put_value(i, value);

        n.done  = true;
        n.rdata = value;
        n.error = refusal(s, i, put);
        if (i->host_write && n.error == 0) {
            if (i->host_dword == TOTEM_REG_GRAPHICS_GRAPHICS) {
                n.hp3d          = (put & 1) != 0;
                n.bounce_enable = (put >> 1 & 1) != 0;
                n.filter_enable = (put >> 2 & 1) != 0;
                n.generation    = put >> 4 & 3;
            } else if (i->host_dword == TOTEM_REG_GRAPHICS_TABLE_INDEX)
                n.index = put & (TOTEM_REGISTERS - 1);
            else if (i->host_dword == TOTEM_REG_GRAPHICS_BOUNCE_FLUSH)
                n.flush_valid = n.flush_plain || i->host_strobe != 0;
            else if (i->host_strobe != 0) {
                n.done        = false;
                n.table_valid = true;
                n.table_data  = put;
            }
        }
    }

    // 3 Table
    if (s->table_valid && i->frames_table_ready) {
        n.table_valid = false;
        n.index       = (s->index + 1) & (TOTEM_REGISTERS - 1);
        n.done        = true;
    }

    *s = n;
}

bool totem_graphics_invariant(const totem_graphics *s)
{
    return s->generation <= GENERATION_GFX11 && !(s->table_valid && s->done);
}

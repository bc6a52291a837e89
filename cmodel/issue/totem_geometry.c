// SPDX-License-Identifier: Apache-2.0
//
// totem_geometry: twin of rtl/issue/totem_geometry.v, from docs/contract/geometry.md.

#include "totem_geometry.h"

#include "../graphics/totem_draws_values.h"

enum { DEPTH = 8, STATES = TOTEM_DRAW_STATES };

// The program RAM shows the program of the head.
static bool here(const totem_geometry *s)
{
    return s->held && s->held_state == s->fifo_state[s->first];
}

static bool fetches(const totem_geometry *s)
{
    return s->count != 0 && !here(s) && !s->program_write_enable;
}

void totem_geometry_outputs(const totem_geometry *s, totem_geometry_out *o)
{
    const uint64_t head = s->fifo_word[s->first];
    const uint8_t  lead = s->fifo_state[s->first];

    o->head_valid      = s->count != 0 && here(s);
    o->head_hp3d       = s->fifo_hp3d[s->first];
    o->head_state      = lead;
    o->head_vgprs      = (uint8_t)(head & 0x7f);
    o->head_lds        = (uint16_t)(head >> 7 & 0x1ff);
    o->head_primitives = (uint8_t)(head >> 16 & 0x7f);
    o->head_wave32     = (head >> 23 & 1) != 0;
    o->head_epoch      = (uint8_t)(head >> 24 & (TOTEM_EPOCHS - 1));
    o->head_set        = (uint8_t)(head >> 27 & (TOTEM_SETS - 1));
    o->head_number     = head >> 31;
    o->head_throttle   = s->enables[lead];

    o->state_write_enable   = s->state_write_enable;
    o->state_write_addr     = s->state_write_addr;
    o->state_write_data     = s->state_write_data;
    o->pixel_write_enable   = s->pixel_write_enable;
    o->pixel_write_addr     = s->state_write_addr;
    o->pixel_write_data     = s->state_write_data;
    o->header_write_enable  = s->header_write_enable;
    o->header_write_addr    = s->program_write_addr;
    o->header_write_data    = s->state_write_data;
    o->program_write_enable = s->program_write_enable;
    o->program_write_addr   = s->program_write_addr;
    o->program_write_data   = s->program_write_data;
    o->program_read_enable  = fetches(s);
    o->program_read_addr    = lead;
    o->idle                 = s->count == 0;
    o->overrun              = s->overrun;
}

static bool is_mine(uint16_t tag, const totem_geometry_in *i)
{
    const unsigned class = tag >> 6 & 3, kind = tag >> 9 & 3;

    if ((tag >> 2 & 3) != i->fe_number || (class != CLASS_HP3D && class != CLASS_GFX) || (tag >> 8 & 1) == 0)
        return false;
    return kind != DRAW_WAVE || (tag >> 4 & 3) == i->se_number;
}

void totem_geometry_step(totem_geometry *s, const totem_geometry_in *i)
{
    totem_geometry n    = *s; // what follows the clock edge; s stays as it was before
    bool           any  = false;
    uint64_t       word = 0;
    uint16_t       tag  = 0;

    for (unsigned lane = 0; lane < TOTEM_LANES; lane++)
        if (i->bus_lane_valid[lane] && is_mine(i->bus_lane_tag[lane], i)) {
            any = true;
            word |= i->bus_lane_word[lane];
            tag |= i->bus_lane_tag[lane];
        }
    const unsigned kind  = tag >> 9 & 3;
    const uint8_t  state = (uint8_t)(tag >> 12 & (STATES - 1));

    // 1 Writes
    n.state_write_enable   = false;
    n.pixel_write_enable   = false;
    n.header_write_enable  = false;
    n.program_write_enable = false;

    // 2 Grant
    if (i->pop && s->count != 0 && here(s)) {
        n.count = (uint8_t)((s->count - 1) & 0xf);
        n.first = (uint8_t)((s->first + 1) % DEPTH);
    }

    // 3 Read ahead
    if (fetches(s)) {
        n.held       = true;
        n.held_state = s->fifo_state[s->first];
    }

    // 4 Headers
    if (any && kind == DRAW_HEADER) {
        n.program_write_enable = true;
        n.program_write_addr   = state;
        n.program_write_data   = word & 0xffffffffffu;
        n.enables[state]       = (uint8_t)(word >> 40 & 3);
        n.index                = 0;
        n.pixels               = false;
        if (n.held_state == state)
            n.held = false;
    }
    if (any && kind == DRAW_PIXEL_HEADER) {
        n.header_write_enable = true;
        n.program_write_addr  = state;
        n.state_write_data    = word;
        n.index               = 0;
        n.pixels              = true;
    }

    // 5 State word
    if (any && kind == DRAW_STATE_WORD) {
        if (s->pixels)
            n.pixel_write_enable = true;
        else
            n.state_write_enable = true;
        n.state_write_addr = (TOTEM_GEOMETRY_STATE_ADDR)(state << 5 | s->index);
        n.state_write_data = word;
        n.index            = (uint8_t)((s->index + 1) & 0x1f);
    }

    // 6 Wave
    if (any && kind == DRAW_WAVE) {
        const unsigned place = (unsigned)(s->first + s->count) % DEPTH;
        if (s->count == DEPTH)
            n.overrun = true;
        else {
            n.fifo_word[place]  = word;
            n.fifo_state[place] = state;
            n.fifo_hp3d[place]  = (tag >> 6 & 3) == CLASS_HP3D;
            n.count             = (uint8_t)((n.count + 1) & 0xf);
        }
    }

    *s = n;
}

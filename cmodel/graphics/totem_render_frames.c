// SPDX-License-Identifier: Apache-2.0
//
// totem_render_frames: twin of rtl/graphics/totem_render_frames.v, from docs/contract/render.md.

#include "totem_render_frames.h"

#include "../packet/totem_pm4.h"
#include "totem_frames_values.h"

enum { HELD = 8 };

#define ALL 0xffffffffu

bool totem_render_free(const totem_render *s)
{
    return s->held == 0 && !s->ending;
}

static bool offers(const totem_render *s)
{
    if (s->held != 0)
        return !s->ending || s->inside != 0;
    return !s->ending && (s->phase == RENDER_OP || s->phase == RENDER_PUT ||
                          (s->phase == RENDER_GATHER && s->asked < TOTEM_RENDER_CONTEXT_READS));
}

bool totem_render_op_taken(const totem_render *s, const totem_render_in *i)
{
    return s->held == 0 && offers(s) && i->frames_op_ready;
}

static uint16_t gathered(const totem_render *s)
{
    switch (s->asked) {
    case 0: return TOTEM_CONTEXT_VGT_LS_HS_CONFIG;
    case 1: return TOTEM_CONTEXT_VGT_SHADER_STAGES_EN;
    case 2: return TOTEM_CONTEXT_SPI_TMPRING_SIZE;
    default: return TOTEM_CONTEXT_SPI_PS_IN_CONTROL;
    }
}

void totem_render_operation(const totem_render *s, totem_render_out *o)
{
    o->op_valid = offers(s);
    o->op_kind  = OP_WRITE;
    o->op_data  = 0;
    o->op_mask  = ALL;
    if (s->held != 0) {
        o->op_index = s->held_index[0];
        o->op_data  = s->held_data[0];
    } else if (s->phase == RENDER_OP) {
        o->op_kind  = s->kind == TOTEM_KIND_CLEAR ? OP_CLEAR : OP_WRITE;
        o->op_index = s->address & 0xffff;
        o->op_data  = (uint32_t)(s->data >> 32);
        o->op_mask  = (uint32_t)s->data;
    } else if (s->phase == RENDER_PUT) {
        o->op_index = s->extra & 0xffff;
        o->op_data  = s->low;
    } else {
        o->op_kind  = OP_READ;
        o->op_index = gathered(s);
        o->op_mask  = 0;
    }
}

// 2 Operation, continued
void totem_render_take(totem_render *n, const totem_render *s, const totem_render_in *i)
{
    if (s->held == 0 || !offers(s) || !i->frames_op_ready)
        return;
    for (unsigned k = 0; k < HELD; k++) {
        n->held_index[k] = k + 1 < HELD ? s->held_index[k + 1] : 0;
        n->held_data[k]  = k + 1 < HELD ? s->held_data[k + 1] : 0;
    }
    n->held = (s->held - 1) & 15;
    if (s->inside != 0)
        n->inside = (uint8_t)(s->inside - 1);
}

// 3 Streams, continued
void totem_render_hold(totem_render *n, uint16_t index, uint32_t data)
{
    if (n->held >= HELD)
        return;
    n->held_index[n->held] = index;
    n->held_data[n->held]  = data;
    n->held++;
}

// 17 Groups, continued
void totem_render_groups(totem_render *n, const totem_render *s, const totem_render_in *i)
{
    if (i->execute_service_group_end) {
        n->ending = true;
        n->inside = n->held;
    } else if (s->ending && s->inside == 0 && i->frames_idle) {
        n->ending    = false;
        n->group_end = true;
    }
}

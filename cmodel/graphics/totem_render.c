// SPDX-License-Identifier: Apache-2.0
//
// totem_render: twin of rtl/graphics/totem_render.v, from docs/contract/render.md.

#include "totem_render.h"

#include "../packet/totem_pm4.h"
#include "totem_context_values.h"
#include "totem_frames_values.h"
#include "totem_graphics_values.h"
#include "totem_render_frames.h"
#include "totem_render_message.h"
#include "totem_render_registers.h"

enum { HELD = 8, WINDOW = 0x400, SHADER_READS = 9 }; // registers that a draw gathers

#define ADDRESS_MASK ((uint64_t)0xffffffffffu)
#define ALL 0xffffffffu

static bool still(const totem_render *s, const totem_render_in *i)
{
    return totem_render_free(s) && i->frames_idle;
}

void totem_render_outputs(const totem_render *s, totem_render_out *o)
{
    const totem_render_waves w    = totem_render_waves_of(s);
    const bool               free = totem_render_free(s);

    o->room         = s->held < 5;
    o->empty        = free;
    o->read         = s->phase == RENDER_READ;
    o->read_addr    = s->address & ~(uint64_t)3;
    o->done         = s->phase == RENDER_DONE;
    o->code         = s->code;
    o->word         = s->word;
    o->again        = s->again;
    o->skip         = s->skip;
    o->group        = s->group;
    o->hash_valid   = s->phase == RENDER_LOW || s->phase == RENDER_HIGH;
    o->hash_data    = (uint32_t)(s->phase == RENDER_HIGH ? s->data >> 32 : s->data);
    o->hash_count   = s->control & 0x3fff;
    o->group_end    = s->group_end;
    o->draw_valid   = s->phase == RENDER_ISSUE;
    o->resume_valid = s->resume_valid;
    o->resume_plain = s->resume_plain;
    o->draw_begun   = s->draw_begun;
    o->clear        = s->clear;

    o->throttle_write_valid  = s->throttle_write_valid;
    o->throttle_write_second = s->throttle_write_second;
    o->throttle_write_data   = s->throttle_write_data;

    o->shader_write_enable = s->put;
    o->shader_write_addr   = s->put_index;
    o->shader_write_data   = s->put_data;
    o->shader_read_addr    = totem_render_place(s);
    if (s->phase == RENDER_GATHER)
        o->shader_read_enable = s->place < SHADER_READS;
    else
        o->shader_read_enable =
            s->phase == RENDER_SEND && s->fetch < (s->part ? w.pixel_words : w.words) && (!s->half || !s->full);
    totem_render_operation(s, o);
    totem_render_message(s, &w, o);
}

static void finish(totem_render *n)
{
    n->code  = 0;
    n->word  = 0;
    n->again = false;
    n->skip  = 0;
    n->group = 0;
    n->phase = RENDER_DONE;
}

static void fail(totem_render *n, unsigned code, uint32_t word)
{
    finish(n);
    n->code = (uint8_t)code;
    n->word = word;
}

static void again(totem_render *n)
{
    finish(n);
    n->again = true;
}

static void wants(totem_render *n, uint8_t item)
{
    n->item  = item;
    n->phase = RENDER_READ;
}

static void draw(totem_render *n, const totem_render_in *i)
{
    if (n->vertices == 0 || n->copies == 0) {
        n->phase = RENDER_NEXT;
        return;
    }
    n->asked = 0;
    n->got   = 0;
    n->place = 0;
    n->old   = i->graphics_generation == GENERATION_GFX9;
    n->phase = RENDER_GATHER;
}

// Offsets stand in memory, each in front of its value.
static bool offsets(const totem_render *s)
{
    return s->extra >> 31 != 0;
}

// 4 Packet, continued
static void load(totem_render *n)
{
    const uint32_t count = n->control & 0x3fff;

    const bool load_beyond = !offsets(n) && (n->extra & 0xffff) + count > WINDOW;

    if (load_beyond) {
        fail(n, TOTEM_ERROR_PACKET_CONTEXT_OFFSET, n->extra);
    } else if (count == 0) {
        finish(n);
    } else if ((n->address & 3) != 0) {
        fail(n, TOTEM_ERROR_PACKET_FEATURE, (uint32_t)n->address);
    } else {
        n->left = count;
        wants(n, offsets(n) ? ITEM_OFFSET : ITEM_REGISTER);
    }
}

// 4 Packet, continued
static void indirect(totem_render *n, bool several)
{
    const uint64_t at = (n->base + n->extra) & ADDRESS_MASK;

    n->arguments = at;
    if (several && (n->control >> 30 & 1) != 0) {
        wants(n, ITEM_NUMBER);
        return;
    }
    if (several && (uint32_t)n->data == 0) {
        finish(n);
        return;
    }
    n->left    = several ? (uint32_t)n->data : 1;
    n->address = at;
    wants(n, ITEM_VERTICES);
}

// 4 Packet
static void begin(totem_render *n, const totem_render_in *i)
{
    if (!i->execute_service_valid || i->execute_service_kind < TOTEM_KIND_MODIFY)
        return;
    n->kind    = i->execute_service_kind;
    n->control = i->execute_service_control;
    n->address = i->execute_service_address;
    n->data    = i->execute_service_data;
    n->extra   = i->execute_service_extra;
    n->issued  = false;
    switch (n->kind) {
    case TOTEM_KIND_MODIFY:
    case TOTEM_KIND_CLEAR: n->phase = RENDER_OP; break;
    case TOTEM_KIND_LOAD: load(n); break;
    case TOTEM_KIND_INSTANCES:
        n->instances = (uint32_t)n->data;
        finish(n);
        break;
    case TOTEM_KIND_BASE:
        if ((n->control & 15) == 1)
            n->base = n->address;
        finish(n);
        break;
    case TOTEM_KIND_DRAW:
        n->left     = 1;
        n->vertices = (uint32_t)n->data;
        n->copies   = n->instances;
        draw(n, i);
        break;
    case TOTEM_KIND_DRAW_INDIRECT: indirect(n, false); break;
    case TOTEM_KIND_DRAW_MULTI: indirect(n, true); break;
    case TOTEM_KIND_BOUNCE: n->phase = RENDER_HASH; break;
    default: finish(n); break;
    }
}

// 6 Read
static void take_read(totem_render *n, const totem_render *s, const totem_render_in *i)
{
    const uint32_t w = i->execute_service_read_data, most = (uint32_t)s->data;

    if (!i->execute_service_read_done) {
        if (!i->execute_service_valid)
            n->phase = RENDER_IDLE;
        return;
    }
    switch (s->item) {
    case ITEM_OFFSET:
        if ((w & 0xffff) >= WINDOW) {
            fail(n, TOTEM_ERROR_PACKET_CONTEXT_OFFSET, w);
            break;
        }
        n->extra   = (s->extra & 0xffff0000u) | (w & 0xffff);
        n->address = (s->address + 4) & ADDRESS_MASK;
        n->item    = ITEM_REGISTER;
        break;
    case ITEM_REGISTER:
        n->low   = w;
        n->phase = RENDER_PUT;
        break;
    case ITEM_NUMBER:
        if (w == 0 || most == 0) {
            finish(n);
            break;
        }
        n->left    = w < most ? w : most;
        n->item    = ITEM_VERTICES;
        n->address = s->arguments;
        break;
    case ITEM_VERTICES:
        n->vertices = w;
        n->item     = ITEM_INSTANCES;
        n->address  = (s->address + 4) & ADDRESS_MASK;
        break;
    default:
        n->copies = w;
        draw(n, i);
        break;
    }
}

// 8 Gather
static void gather(totem_render *n, const totem_render *s, const totem_render_in *i, bool op_taken)
{
    const uint32_t c = i->frames_read_data, d = i->shader_read_data;

    if (op_taken)
        n->asked = (s->asked + 1) & 7;
    if (i->frames_read_valid) {
        n->got = (s->got + 1) & 7;
        if (s->got == 0) {
            n->points = c >> TOTEM_VGT_LS_HS_CONFIG_HS_NUM_INPUT_CP_LSB & TOTEM_VGT_LS_HS_CONFIG_HS_NUM_INPUT_CP_MASK;
        } else if (s->got == 1) {
            n->stages[0] = (c >> TOTEM_VGT_SHADER_STAGES_EN_GS_W32_EN_LSB & 1) != 0;
            n->stages[1] = (c >> TOTEM_VGT_SHADER_STAGES_EN_VS_W32_EN_LSB & 1) != 0;
        } else if (s->got == 2) {
            n->scratch = c;
        } else {
            n->pixel_wave32 = (c >> TOTEM_SPI_PS_IN_CONTROL_PS_W32_EN_LSB & 1) != 0;
        }
    }
    if (s->place < SHADER_READS)
        n->place = (uint8_t)(s->place + 1);
    if (s->look)
        switch (s->place) {
        case 1: n->rsrc1 = d; break;
        case 2: n->rsrc2 = d; break;
        case 3: n->program_addr = (s->program_addr & ~(uint64_t)ALL) | d; break;
        case 4: n->program_addr = (s->program_addr & ALL) | (uint64_t)(d & 0xff) << 32; break;
        case 5: n->pixel_rsrc1 = d; break;
        case 6: n->pixel_rsrc2 = d; break;
        case 7: n->pixel_program = (s->pixel_program & ~(uint64_t)ALL) | d; break;
        case 8: n->pixel_program = (s->pixel_program & ALL) | (uint64_t)(d & 0xff) << 32; break;
        case 9:
            n->throttle = i->graphics_generation == GENERATION_GFX11 && s->wrote[0]
                              ? d >> TOTEM_SPI_SHADER_PGM_RSRC4_GS_PH_THROTTLE_EN_LSB & 3
                              : 0;
            break;
        default: break;
        }
    if (s->got == TOTEM_RENDER_CONTEXT_READS && s->place == SHADER_READS && !s->look)
        n->phase = RENDER_FIT;
}

// 9 Fit: a geometry wave must fit an empty engine less the reserve, a pixel wave the reserve.
static void fit(totem_render *n, const totem_render *s, const totem_render_in *i)
{
    const totem_render_waves w = totem_render_waves_of(s);

    const bool too_large = w.vgprs + (uint32_t)i->settings_reserve_vgprs > TOTEM_VGPRS ||
                           w.blocks + (uint32_t)i->settings_reserve_lds > TOTEM_LDS ||
                           i->settings_reserve_slots >= TOTEM_SLOTS;
    const bool pixel_large = w.pixel_vgprs > i->settings_reserve_vgprs || w.pixel_blocks > i->settings_reserve_lds ||
                             i->settings_reserve_slots == 0;

    n->phase = RENDER_WAIT;
    if (too_large)
        fail(n, TOTEM_ERROR_PACKET_DRAW_STATE, (uint32_t)w.blocks << 16 | w.vgprs);
    else if (pixel_large)
        fail(n, TOTEM_ERROR_PACKET_DRAW_STATE, 1u << 31 | (uint32_t)w.pixel_blocks << 16 | w.pixel_vgprs);
}

// 11 Issue
static void issue(totem_render *n, const totem_render *s, const totem_render_in *i)
{
    if (i->context_draw_ready) {
        n->set        = i->context_current;
        n->epoch      = i->fence_epoch[i->execute_dispatch_queue];
        n->hp3d       = i->graphics_hp3d;
        n->issued     = true;
        n->draw_begun = true;
        n->step       = 0;
        n->part       = false;
        n->fetch      = 0;
        n->half       = false;
        n->full       = false;
        n->phase      = RENDER_SEND;
    } else if (i->execute_service_stop && !s->issued) {
        again(n);
    }
}

// 12 Send
static void send(totem_render *n, const totem_render *s, const totem_render_in *i, const totem_render_out *o)
{
    const totem_render_waves w = totem_render_waves_of(s);

    if (o->message_valid && i->draws_message_ready) {
        n->step = (s->step + 1) & 63;
        if (s->step > 2 && !totem_render_header(s, &w))
            n->full = false;
        if (o->message_last)
            n->phase = RENDER_NEXT;
    }
    if (o->shader_read_enable) {
        n->half = !s->half;
        if (s->half) {
            n->fetch = (s->fetch + 1) & 31;
            if (!s->part && s->fetch == w.words - 1) {
                n->fetch = 0;
                n->part  = true;
            }
        }
    }
    if (!s->look)
        return;
    if (s->half) {
        n->low = i->shader_read_data;
    } else {
        n->full       = true;
        n->state_word = (uint64_t)(s->fetched == 1 ? s->scratch : i->shader_read_data) << 32 | s->low;
    }
}

// 13 Next
static void next(totem_render *n, const totem_render *s)
{
    if (s->left <= 1 || s->kind != TOTEM_KIND_DRAW_MULTI) {
        finish(n);
        return;
    }
    n->left      = s->left - 1;
    n->arguments = (s->arguments + (s->data >> 32)) & ADDRESS_MASK;
    n->address   = n->arguments;
    wants(n, ITEM_VERTICES);
}

// 15 Answer
static void answer(totem_render *n, const totem_render *s, const totem_render_in *i)
{
    const uint16_t count = s->control & 0x3fff;

    if (!i->context_answer_valid) {
        if (i->execute_service_stop) {
            n->resume_valid = true;
            n->resume_plain = false;
            again(n);
        }
        return;
    }
    switch (i->context_answer) {
    case ANSWER_HIT:
        finish(n);
        n->skip = count;
        break;
    case ANSWER_MISS:
        finish(n);
        n->group = count;
        break;
    case ANSWER_PLAIN: finish(n); break;
    default: fail(n, TOTEM_ERROR_PACKET_BOUNCE_COUNT, s->control); break;
    }
}

static void by_phase(totem_render *n, const totem_render *s, const totem_render_in *i, const totem_render_out *o)
{
    const bool op_taken = totem_render_op_taken(s, i);

    switch (s->phase) {
    case RENDER_IDLE: begin(n, i); break;
    // 5 Op
    case RENDER_OP:
        if (op_taken) {
            if (s->kind == TOTEM_KIND_CLEAR)
                n->wrote[0] = n->wrote[1] = false;
            n->clear = s->kind == TOTEM_KIND_CLEAR;
            finish(n);
        }
        break;
    case RENDER_READ: take_read(n, s, i); break;
    // 7 Put
    case RENDER_PUT:
        if (!op_taken)
            break;
        n->extra   = s->extra + 1;
        n->address = (s->address + 4) & ADDRESS_MASK;
        n->left    = s->left - 1;
        n->phase   = RENDER_READ;
        if (offsets(s))
            n->item = ITEM_OFFSET;
        if (s->left == 1)
            finish(n);
        else if (i->execute_service_stop)
            again(n);
        break;
    case RENDER_GATHER: gather(n, s, i, op_taken); break;
    case RENDER_FIT: fit(n, s, i); break;
    // 10 Wait
    case RENDER_WAIT:
        if (still(s, i) && i->draws_free)
            n->phase = RENDER_ISSUE;
        else if (i->execute_service_stop && !s->issued)
            again(n);
        break;
    case RENDER_ISSUE: issue(n, s, i); break;
    case RENDER_SEND: send(n, s, i, o); break;
    case RENDER_NEXT: next(n, s); break;
    // 14 Lookup
    case RENDER_HASH:
        if (still(s, i))
            n->phase = RENDER_LOW;
        else if (i->execute_service_stop)
            again(n);
        break;
    case RENDER_LOW:
        if (i->context_hash_ready)
            n->phase = RENDER_HIGH;
        break;
    case RENDER_HIGH:
        if (i->context_hash_ready)
            n->phase = RENDER_ANSWER;
        break;
    case RENDER_ANSWER: answer(n, s, i); break;
    // 16 Done
    case RENDER_DONE: n->phase = RENDER_IDLE; break;
    default: break;
    }
}

// 3 Streams
static void stream(totem_render *n, const totem_render_in *i)
{
    const uint16_t place = i->execute_service_address & 0xffff;
    const uint32_t value = (uint32_t)i->execute_service_data;

    if (!i->execute_service_valid)
        return;
    switch (i->execute_service_kind) {
    case TOTEM_KIND_CONTEXT: totem_render_hold(n, place, value); break;
    case TOTEM_KIND_SHADER:
        if (place > 0x1ff)
            break;
        n->put       = true;
        n->put_index = place;
        n->put_data  = value;
        if (place == TOTEM_SH_SPI_SHADER_PGM_RSRC1_GS)
            n->wrote[0] = true;
        if (place == TOTEM_SH_SPI_SHADER_PGM_RSRC2_GS)
            n->wrote[1] = true;
        break;
    case TOTEM_KIND_USER:
        if (place == TOTEM_UCONFIG_VGT_PRIMITIVE_TYPE)
            n->primitive = value & 0x3f;
        if (place == TOTEM_UCONFIG_VGT_NUM_INSTANCES)
            n->instances = value;
        if ((place == TOTEM_UCONFIG_SPI_GS_THROTTLE_CNTL1 || place == TOTEM_UCONFIG_SPI_GS_THROTTLE_CNTL2) &&
            i->graphics_generation == GENERATION_GFX11) {
            n->throttle_write_valid  = true;
            n->throttle_write_second = place == TOTEM_UCONFIG_SPI_GS_THROTTLE_CNTL2;
            n->throttle_write_data   = value;
        }
        break;
    default: break;
    }
}

void totem_render_step(totem_render *s, const totem_render_in *i)
{
    totem_render     n = *s; // what follows the clock edge; s stays as it was before
    totem_render_out o;

    totem_render_outputs(s, &o);

    // 1 Pulses
    n.put                  = false;
    n.group_end            = false;
    n.resume_valid         = false;
    n.draw_begun           = false;
    n.clear                = false;
    n.throttle_write_valid = false;
    n.look                 = o.shader_read_enable;
    if (o.shader_read_enable)
        n.fetched = s->fetch;

    // 2 Operation
    totem_render_take(&n, s, i);

    // 3 Streams, continued
    stream(&n, i);
    by_phase(&n, s, i, &o);

    // 17 Groups
    totem_render_groups(&n, s, i);

    // 18 Resume
    if (i->execute_service_resume) {
        n.resume_valid = true;
        n.resume_plain = i->execute_service_resume_plain;
        n.ending       = false;
        n.inside       = 0;
    }

    *s = n;
}

bool totem_render_invariant(const totem_render *s)
{
    return s->phase <= RENDER_DONE && s->held <= HELD && s->inside <= s->held && (s->ending || s->inside == 0);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_render: twin of rtl/graphics/totem_render.v, from docs/contract/render.md.

#include "totem_render.h"

#include "../packet/totem_pm4.h"

enum { IDLE, OP, READ, PUT, GATHER, FIT, WAIT, ISSUE, SEND, NEXT, HASH, LOW, HIGH, ANSWER, DONE };
enum { OF_REGISTER, OF_NUMBER, OF_VERTICES, OF_COPIES }; // `item`
enum { WRITE = 0, CLEAR = 1, LOOK_UP = 2 };              // operations of frames
enum { HIT, MISS, PLAIN };
enum { HELD = 8, WINDOW = 0x400 };
enum { VGT_LS_HS_CONFIG = 0x2d6, VGT_SHADER_STAGES_EN = 0x2d5, SPI_TMPRING_SIZE = 0x1ba, SPI_PS_IN_CONTROL = 0x1b6 };
enum { VGT_PRIMITIVE_TYPE = 0x242, VGT_NUM_INSTANCES = 0x24d, THROTTLE_CNTL1 = 0x444, THROTTLE_CNTL2 = 0x445 };
enum { RSRC1_GS = 0x8a, RSRC2_GS = 0x8b, RSRC4_GS = 0x81, RSRC1_VS = 0x4a, RSRC2_VS = 0x4b };
enum { RSRC3_PS = 0x07, PGM_LO_PS = 0x08, PGM_HI_PS = 0x09, RSRC1_PS = 0x0a, RSRC2_PS = 0x0b, USER_DATA_PS = 0x0c };
enum { CONTEXT_READS = 4, SHADER_READS = 9 }; // what a draw gathers

#define ADDRESS_MASK ((uint64_t)0xffffffffffu)
#define ALL 0xffffffffu

// -- what follows from the state alone ---------------------------------------------------------------------------

static bool is_free(const totem_render *s)
{
    return s->held == 0 && !s->ending;
}

static bool is_still(const totem_render *s, const totem_render_in *i)
{
    return is_free(s) && i->frames_idle;
}

static uint16_t user_register(const totem_render *s)
{
    if (!s->wrote[0])
        return 0x4c;
    return s->old ? 0xcc : 0x8c;
}

static uint16_t program_register(const totem_render *s)
{
    if (!s->wrote[0])
        return 0x48;
    return s->old ? 0x84 : 0xc8;
}

static uint8_t vgprs(const totem_render *s)
{
    return (uint8_t)((s->rsrc1 & 0x3f) + 1);
}

static uint8_t lds_blocks(const totem_render *s)
{
    return s->wrote[1] ? s->rsrc2 >> 19 & 0xff : 0;
}

static uint8_t state_words(const totem_render *s)
{
    const unsigned high = s->rsrc2 >> (s->old ? 28 : 27) & 1;
    const unsigned user = high != 0 ? 32 : s->rsrc2 >> 1 & 31;

    return (uint8_t)(2 + (user + 1) / 2);
}

static uint8_t pixel_words(const totem_render *s)
{
    const unsigned user = (s->pixel_rsrc2 >> 27 & 1) != 0 ? 32 : s->pixel_rsrc2 >> 1 & 31;

    return (uint8_t)(2 + (user + 1) / 2);
}

static uint8_t pixel_blocks(const totem_render *s)
{
    return s->pixel_rsrc2 >> 8 & 0xff;
}

static uint64_t pixel_header(const totem_render *s)
{
    const bool wave32 = s->pixel_wave32 && !s->old;

    return s->pixel_program | (uint64_t)(s->pixel_rsrc1 & 0x3f) << 40 | (uint64_t)pixel_blocks(s) << 46 |
           (uint64_t)wave32 << 55 | (uint64_t)s->set << 56 | (uint64_t)s->epoch << 60 | (uint64_t)s->hp3d << 63;
}

static bool offers(const totem_render *s)
{
    if (s->held != 0)
        return !s->ending || s->inside != 0;
    return !s->ending && (s->phase == OP || s->phase == PUT || (s->phase == GATHER && s->asked < CONTEXT_READS));
}

// The packet's operation is taken.
static bool op_taken(const totem_render *s, const totem_render_in *i)
{
    return s->held == 0 && offers(s) && i->frames_op_ready;
}

static void operation(const totem_render *s, totem_render_out *o)
{
    o->op_valid = offers(s);
    o->op_kind  = WRITE;
    o->op_data  = 0;
    o->op_mask  = ALL;
    if (s->held != 0) {
        o->op_index = s->held_index[0];
        o->op_data  = s->held_data[0];
    } else if (s->phase == OP) {
        o->op_kind  = s->kind == TOTEM_KIND_CLEAR ? CLEAR : WRITE;
        o->op_index = s->address & 0xffff;
        o->op_data  = (uint32_t)(s->data >> 32);
        o->op_mask  = (uint32_t)s->data;
    } else if (s->phase == PUT) {
        o->op_index = s->extra & 0xffff;
        o->op_data  = s->low;
    } else {
        o->op_kind = LOOK_UP;
        o->op_mask = 0;
        switch (s->asked) {
        case 0: o->op_index = VGT_LS_HS_CONFIG; break;
        case 1: o->op_index = VGT_SHADER_STAGES_EN; break;
        case 2: o->op_index = SPI_TMPRING_SIZE; break;
        default: o->op_index = SPI_PS_IN_CONTROL; break;
        }
    }
}

static void shader_read(const totem_render *s, totem_render_out *o)
{
    const uint16_t rsrc1 = s->wrote[0] ? RSRC1_GS : RSRC1_VS;
    const uint16_t rsrc2 = s->wrote[1] ? RSRC2_GS : RSRC2_VS;
    uint32_t       place;

    if (s->phase == GATHER) {
        o->shader_read_enable = s->place < SHADER_READS;
        switch (s->place) {
        case 0: place = rsrc1; break;
        case 1: place = rsrc2; break;
        case 2: place = program_register(s); break;
        case 3: place = program_register(s) + 1u; break;
        case 4: place = RSRC1_PS; break;
        case 5: place = RSRC2_PS; break;
        case 6: place = PGM_LO_PS; break;
        case 7: place = PGM_HI_PS; break;
        default: place = RSRC4_GS; break;
        }
    } else if (s->part) {
        o->shader_read_enable = s->phase == SEND && s->fetch < pixel_words(s) && (!s->half || !s->full);
        switch (s->fetch) {
        case 0: place = s->half ? RSRC2_PS : RSRC1_PS; break;
        case 1: place = RSRC3_PS; break;
        default: place = USER_DATA_PS + 2u * ((s->fetch - 2u) & 31) + s->half; break;
        }
    } else {
        o->shader_read_enable = s->phase == SEND && s->fetch < state_words(s) && (!s->half || !s->full);
        switch (s->fetch) {
        case 0: place = s->half ? rsrc2 : rsrc1; break;
        case 1: place = s->wrote[0] ? 0x87 : 0x46; break;
        default: place = user_register(s) + 2u * ((s->fetch - 2u) & 31) + s->half; break;
        }
    }
    o->shader_read_addr = place & 0x1ff;
}

static void message(const totem_render *s, totem_render_out *o)
{
    const bool wave32 = !s->old && s->stages[s->wrote[0] ? 0 : 1];

    const unsigned header = state_words(s) + 3u; // its step

    o->message_valid = s->phase == SEND && (s->step < 3 || s->step == header || s->full);
    o->message_last  = s->step == header + pixel_words(s);
    switch (s->step) {
    case 0: o->message_word = (uint64_t)s->copies << 32 | s->vertices; break;
    case 1:
        o->message_word = s->primitive | (uint64_t)s->points << 6 | (uint64_t)wave32 << 12 | (uint64_t)vgprs(s) << 13 |
                          (uint64_t)lds_blocks(s) << 20 | (uint64_t)s->set << 29 | (uint64_t)s->epoch << 33 |
                          (uint64_t)s->hp3d << 36 | (uint64_t)state_words(s) << 37 | (uint64_t)pixel_words(s) << 42;
        break;
    case 2: o->message_word = s->program_addr | (uint64_t)s->throttle << 40; break;
    default: o->message_word = s->step == header ? pixel_header(s) : s->state_word; break;
    }
}

void totem_render_outputs(const totem_render *s, totem_render_out *o)
{
    o->room         = s->held < 5;
    o->empty        = is_free(s);
    o->read         = s->phase == READ;
    o->read_addr    = s->address & ~(uint64_t)3;
    o->done         = s->phase == DONE;
    o->code         = s->code;
    o->word         = s->word;
    o->again        = s->again;
    o->skip         = s->skip;
    o->group        = s->group;
    o->hash_valid   = s->phase == LOW || s->phase == HIGH;
    o->hash_data    = (uint32_t)(s->phase == HIGH ? s->data >> 32 : s->data);
    o->hash_count   = s->control & 0x3fff;
    o->group_end    = s->group_end;
    o->draw_valid   = s->phase == ISSUE;
    o->resume_valid = s->resume_valid;
    o->resume_plain = s->resume_plain;
    o->draw_begun   = s->draw_begun;

    o->throttle_write_valid  = s->throttle_write_valid;
    o->throttle_write_second = s->throttle_write_second;
    o->throttle_write_data   = s->throttle_write_data;

    o->shader_write_enable = s->put;
    o->shader_write_addr   = s->put_index;
    o->shader_write_data   = s->put_data;
    operation(s, o);
    shader_read(s, o);
    message(s, o);
}

// -- rule 4 ------------------------------------------------------------------------------------------------------

static void done(totem_render *n)
{
    n->code  = 0;
    n->word  = 0;
    n->again = false;
    n->skip  = 0;
    n->group = 0;
    n->phase = DONE;
}

static void fail(totem_render *n, unsigned code, uint32_t word)
{
    done(n);
    n->code = (uint8_t)code;
    n->word = word;
}

static void again(totem_render *n)
{
    done(n);
    n->again = true;
}

static void wants(totem_render *n, uint8_t item)
{
    n->item  = item;
    n->phase = READ;
}

static void draw(totem_render *n, const totem_render_in *i)
{
    if (n->vertices == 0 || n->copies == 0) {
        n->phase = NEXT;
        return;
    }
    n->asked = 0;
    n->got   = 0;
    n->place = 0;
    n->old   = i->graphics_generation == 0;
    n->phase = GATHER;
}

static void load(totem_render *n)
{
    const uint32_t count = n->control & 0x3fff;

    if ((n->extra & 0xffff) + count > WINDOW) {
        fail(n, TOTEM_ERROR_PACKET_CONTEXT_OFFSET, n->extra);
    } else if (count == 0) {
        done(n);
    } else {
        n->left = count;
        wants(n, OF_REGISTER);
    }
}

static void indirect(totem_render *n, bool several)
{
    const uint64_t at = (n->base + n->extra) & ADDRESS_MASK;

    n->arguments = at;
    if (several && (n->control >> 30 & 1) != 0) {
        wants(n, OF_NUMBER);
        return;
    }
    if (several && (uint32_t)n->data == 0) {
        done(n);
        return;
    }
    n->left    = several ? (uint32_t)n->data : 1;
    n->address = at;
    wants(n, OF_VERTICES);
}

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
    case TOTEM_KIND_CLEAR: n->phase = OP; break;
    case TOTEM_KIND_LOAD: load(n); break;
    case TOTEM_KIND_INSTANCES:
        n->instances = (uint32_t)n->data;
        done(n);
        break;
    case TOTEM_KIND_BASE:
        if ((n->control & 15) == 1)
            n->base = n->address;
        done(n);
        break;
    case TOTEM_KIND_DRAW:
        n->left     = 1;
        n->vertices = (uint32_t)n->data;
        n->copies   = n->instances;
        draw(n, i);
        break;
    case TOTEM_KIND_DRAW_INDIRECT: indirect(n, false); break;
    case TOTEM_KIND_DRAW_MULTI: indirect(n, true); break;
    case TOTEM_KIND_BOUNCE: n->phase = HASH; break;
    default: done(n); break;
    }
}

static void take_read(totem_render *n, const totem_render *s, const totem_render_in *i)
{
    const uint32_t w = i->execute_service_read_data, most = (uint32_t)s->data;

    if (!i->execute_service_read_done) {
        if (!i->execute_service_valid)
            n->phase = IDLE;
        return;
    }
    switch (s->item) {
    case OF_REGISTER:
        n->low   = w;
        n->phase = PUT;
        break;
    case OF_NUMBER:
        if (w == 0 || most == 0) {
            done(n);
            break;
        }
        n->left    = w < most ? w : most;
        n->item    = OF_VERTICES;
        n->address = s->arguments;
        break;
    case OF_VERTICES:
        n->vertices = w;
        n->item     = OF_COPIES;
        n->address  = (s->address + 4) & ADDRESS_MASK;
        break;
    default:
        n->copies = w;
        draw(n, i);
        break;
    }
}

static void gather(totem_render *n, const totem_render *s, const totem_render_in *i)
{
    const uint32_t c = i->frames_read_data, d = i->shader_read_data;

    if (op_taken(s, i))
        n->asked = (s->asked + 1) & 7;
    if (i->frames_read_valid) {
        n->got = (s->got + 1) & 7;
        if (s->got == 0) {
            n->points = c >> 8 & 0x3f;
        } else if (s->got == 1) {
            n->stages[0] = (c >> 22 & 1) != 0;
            n->stages[1] = (c >> 23 & 1) != 0;
        } else if (s->got == 2) {
            n->scratch = c;
        } else {
            n->pixel_wave32 = (c >> 15 & 1) != 0;
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
        case 9: n->throttle = i->graphics_generation == 2 && s->wrote[0] ? d >> 14 & 3 : 0; break;
        default: break;
        }
    if (s->got == CONTEXT_READS && s->place == SHADER_READS && !s->look)
        n->phase = FIT;
}

// A geometry wave must fit an empty engine less the reserve, a pixel wave the reserve.
static void fit(totem_render *n, const totem_render *s, const totem_render_in *i)
{
    const uint32_t registers = vgprs(s), blocks = lds_blocks(s);
    const uint32_t pixel_vgprs = (s->pixel_rsrc1 & 0x3f) + 1, pixel_lds = pixel_blocks(s);

    n->phase = WAIT;
    if (registers + i->settings_reserve_vgprs > TOTEM_VGPRS || blocks + i->settings_reserve_lds > TOTEM_LDS ||
        i->settings_reserve_slots >= TOTEM_SLOTS)
        fail(n, TOTEM_ERROR_PACKET_DRAW_STATE, blocks << 16 | registers);
    else if (pixel_vgprs > i->settings_reserve_vgprs || pixel_lds > i->settings_reserve_lds ||
             i->settings_reserve_slots == 0)
        fail(n, TOTEM_ERROR_PACKET_DRAW_STATE, 1u << 31 | pixel_lds << 16 | pixel_vgprs);
}

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
        n->phase      = SEND;
    } else if (i->execute_service_stop && !s->issued) {
        again(n);
    }
}

static void send(totem_render *n, const totem_render *s, const totem_render_in *i, const totem_render_out *o)
{
    if (o->message_valid && i->draws_message_ready) {
        n->step = (s->step + 1) & 63;
        if (s->step > 2 && s->step != state_words(s) + 3)
            n->full = false;
        if (o->message_last)
            n->phase = NEXT;
    }
    if (o->shader_read_enable) {
        n->half = !s->half;
        if (s->half) {
            n->fetch = (s->fetch + 1) & 31;
            if (!s->part && s->fetch == state_words(s) - 1) {
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

static void next(totem_render *n, const totem_render *s)
{
    if (s->left <= 1 || s->kind != TOTEM_KIND_DRAW_MULTI) {
        done(n);
        return;
    }
    n->left      = s->left - 1;
    n->arguments = (s->arguments + (s->data >> 32)) & ADDRESS_MASK;
    n->address   = n->arguments;
    wants(n, OF_VERTICES);
}

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
    case HIT:
        done(n);
        n->skip = count;
        break;
    case MISS:
        done(n);
        n->group = count;
        break;
    case PLAIN: done(n); break;
    default: fail(n, TOTEM_ERROR_PACKET_BOUNCE_COUNT, s->control); break;
    }
}

static void by_phase(totem_render *n, const totem_render *s, const totem_render_in *i, const totem_render_out *o)
{
    switch (s->phase) {
    case IDLE: begin(n, i); break;
    case OP:
        if (op_taken(s, i)) {
            if (s->kind == TOTEM_KIND_CLEAR)
                n->wrote[0] = n->wrote[1] = false;
            done(n);
        }
        break;
    case READ: take_read(n, s, i); break;
    case PUT:
        if (!op_taken(s, i))
            break;
        n->extra   = s->extra + 1;
        n->address = (s->address + 4) & ADDRESS_MASK;
        n->left    = s->left - 1;
        n->phase   = READ;
        if (s->left == 1)
            done(n);
        else if (i->execute_service_stop)
            again(n);
        break;
    case GATHER: gather(n, s, i); break;
    case FIT: fit(n, s, i); break;
    case WAIT:
        if (is_still(s, i) && i->draws_free)
            n->phase = ISSUE;
        else if (i->execute_service_stop && !s->issued)
            again(n);
        break;
    case ISSUE: issue(n, s, i); break;
    case SEND: send(n, s, i, o); break;
    case NEXT: next(n, s); break;
    case HASH:
        if (is_still(s, i))
            n->phase = LOW;
        else if (i->execute_service_stop)
            again(n);
        break;
    case LOW:
        if (i->context_hash_ready)
            n->phase = HIGH;
        break;
    case HIGH:
        if (i->context_hash_ready)
            n->phase = ANSWER;
        break;
    case ANSWER: answer(n, s, i); break;
    case DONE: n->phase = IDLE; break;
    default: break;
    }
}

// -- the other rules ---------------------------------------------------------------------------------------------

static void stream(totem_render *n, const totem_render_in *i)
{
    const uint16_t place = i->execute_service_address & 0xffff;
    const uint32_t value = (uint32_t)i->execute_service_data;

    if (!i->execute_service_valid)
        return;
    switch (i->execute_service_kind) {
    case TOTEM_KIND_CONTEXT:
        if (n->held < HELD) {
            n->held_index[n->held] = place;
            n->held_data[n->held]  = value;
            n->held++;
        }
        break;
    case TOTEM_KIND_SHADER:
        if (place > 0x1ff)
            break;
        n->put       = true;
        n->put_index = place;
        n->put_data  = value;
        if (place == RSRC1_GS)
            n->wrote[0] = true;
        if (place == RSRC2_GS)
            n->wrote[1] = true;
        break;
    case TOTEM_KIND_USER:
        if (place == VGT_PRIMITIVE_TYPE)
            n->primitive = value & 0x3f;
        if (place == VGT_NUM_INSTANCES)
            n->instances = value;
        if ((place == THROTTLE_CNTL1 || place == THROTTLE_CNTL2) && i->graphics_generation == 2) {
            n->throttle_write_valid  = true;
            n->throttle_write_second = place == THROTTLE_CNTL2;
            n->throttle_write_data   = value;
        }
        break;
    default: break;
    }
}

// The oldest word held leaves.
static void move_up(totem_render *n)
{
    for (unsigned k = 0; k < HELD; k++) {
        n->held_index[k] = k + 1 < HELD ? n->held_index[k + 1] : 0;
        n->held_data[k]  = k + 1 < HELD ? n->held_data[k + 1] : 0;
    }
    n->held = (n->held - 1) & 15;
    if (n->inside != 0)
        n->inside--;
}

void totem_render_step(totem_render *s, const totem_render_in *i)
{
    totem_render     n = *s; // what follows the clock edge; s stays as it was before
    totem_render_out o;

    totem_render_outputs(s, &o);
    n.put                  = false;
    n.group_end            = false;
    n.resume_valid         = false;
    n.draw_begun           = false;
    n.throttle_write_valid = false;
    n.look                 = o.shader_read_enable;
    if (o.shader_read_enable)
        n.fetched = s->fetch;

    if (s->held != 0 && o.op_valid && i->frames_op_ready)
        move_up(&n);
    stream(&n, i);
    by_phase(&n, s, i, &o);

    if (i->execute_service_group_end) {
        n.ending = true;
        n.inside = n.held;
    } else if (s->ending && s->inside == 0 && i->frames_idle) {
        n.ending    = false;
        n.group_end = true;
    }
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
    return s->phase <= DONE && s->held <= HELD && s->inside <= s->held && (s->ending || s->inside == 0);
}

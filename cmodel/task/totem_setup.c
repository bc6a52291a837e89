// SPDX-License-Identifier: Apache-2.0
//
// totem_setup: twin of rtl/task/totem_setup.v, from docs/contract/setup.md.

#include "totem_setup.h"

#include "../queue/totem_hqd_values.h"

enum { REST, READ, TAKE, WRITE, DRAIN, SEND, PAUSE, DONE, RELAY, HEAR, TOLD };
enum { BEFORE = 12, BEHIND = 17, LAST = 22, BLOCK = 512, BLOCKS_MOST = 511 };

typedef struct {
    uint8_t  offset;
    uint32_t value;
} pair;

// Word of the metadata that a step needs; steps without one read word 0.
static uint8_t word_of(uint8_t step)
{
    if (step < 2)
        return 7;
    if (step < 5)
        return 1;
    if (step < 9)
        return 2;
    return step == 9 ? 3 : 0;
}

static uint32_t half(uint64_t w, unsigned place)
{
    return w >> place & 0xffff;
}

// Fields VGPRS and LDS_SIZE.
static uint32_t resources(uint64_t w)
{
    const uint32_t registers = w & 0x1ff;
    return registers == 0 ? 0 : (registers - 1) / 8;
}

static uint32_t local(uint64_t w)
{
    const uint32_t blocks = ((uint32_t)(w >> 46) + BLOCK - 1) / BLOCK;
    return 2u << 1 | (blocks > BLOCKS_MOST ? BLOCKS_MOST : blocks) << 15;
}

// The register of a step and its value.
static pair what(uint8_t step, uint64_t w)
{
    const uint32_t ones = 0xffffffffu;

    switch (step) {
    case 0: return (pair){0x0c, (uint32_t)(w >> 8)};
    case 1: return (pair){0x0d, 0};
    case 2: return (pair){0x01, (uint32_t)w};
    case 3: return (pair){0x02, half(w, 32)};
    case 4: return (pair){0x03, half(w, 48)};
    case 5: return (pair){0x07, half(w, 16)};
    case 6: return (pair){0x08, half(w, 32)};
    case 7: return (pair){0x09, half(w, 48)};
    case 8: return (pair){0x12, resources(w)};
    case 9: return (pair){0x13, local(w)};
    case 10: return (pair){0x40, (uint32_t)w << 8};
    case 11: return (pair){0x41, (uint32_t)w >> 24};
    case 12: return (pair){0x00, 0x8005};
    case 13: return (pair){0x1b, 0};
    case 14: return (pair){0x1c, 0};
    case 15: return (pair){0x1d, 0};
    case 16: return (pair){0x22, 0};
    case 17: return (pair){0x16, ones};
    case 18: return (pair){0x17, ones};
    case 19: return (pair){0x19, ones};
    case 20: return (pair){0x1a, ones};
    case 21: return (pair){0x18, 0};
    case 22: return (pair){0x28, 0};
    default: return (pair){0, 0};
    }
}

void totem_setup_outputs(const totem_setup *s, totem_setup_out *o)
{
    const pair now = what(s->step, s->word);

    o->done             = s->phase == DONE;
    o->meta_read_enable = s->phase == READ;
    o->meta_read_addr   = (TOTEM_SETUP_META_ADDR)(s->entry * 8u + word_of(s->step));
    o->bank_queue       = s->queue;
    o->bank_write       = s->phase != RELAY || s->write;
    o->bank_offset      = s->phase == RELAY ? s->offset : now.offset;
    o->bank_data        = s->phase == RELAY ? (uint32_t)s->word : now.value;
    o->mark_data        = (uint16_t)((s->word >> 55 & 0x3f) | (s->word >> 52 & 1) << 6 | (s->word >> 53 & 3) << 7);
    o->relay_done       = s->phase == TOLD;
    o->relay_data       = (uint32_t)s->word;
    o->load_queue       = s->queue;
    o->load_kind        = LOAD_ACTIVE;
    o->load_data        = 7;
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        o->mark_valid[p] = s->phase == WRITE && s->step == 0 && s->pipe == p;
        o->bank_valid[p] = (s->phase == WRITE || s->phase == RELAY) && s->pipe == p;
        o->load_valid[p] = s->phase == SEND && s->pipe == p;
    }
}

// REST: task first.
static void begin(totem_setup *n, const totem_setup_in *i)
{
    if (i->task_setup_valid) {
        n->pipe   = i->task_setup_pipe;
        n->queue  = i->task_setup_queue;
        n->entry  = i->task_setup_entry;
        n->resume = i->task_setup_resume;
        n->step   = 0;
        n->phase  = READ;
        return;
    }
    if (i->roll_relay_valid) {
        n->pipe   = i->roll_relay_pipe;
        n->queue  = i->roll_relay_queue;
        n->write  = i->roll_relay_write;
        n->offset = i->roll_relay_offset;
        n->word   = i->roll_relay_data;
        n->phase  = RELAY;
    }
}

void totem_setup_step(totem_setup *s, const totem_setup_in *i)
{
    totem_setup n     = *s;
    bool        ready = false, loading = false, answer = false;
    uint32_t    data = 0;

    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        if (s->pipe == p) {
            ready   = i->bank_ready[p];
            loading = i->runner_loading[p];
            answer  = i->bank_answer[p];
            data    = i->bank_read_data[p];
        }
    switch (s->phase) {
    case REST: begin(&n, i); break;
    case READ:
        if (!loading)
            n.phase = TAKE;
        break;
    case TAKE:
        n.word  = i->meta_read_data;
        n.phase = WRITE;
        break;
    case WRITE:
        if (!ready)
            break;
        n.step = s->step == BEFORE && s->resume ? BEHIND : (s->step + 1) & 31;
        if (s->step >= LAST)
            n.phase = DRAIN;
        else if (word_of(s->step) != word_of(n.step) && n.step <= 10)
            n.phase = READ;
        break;
    case DRAIN:
        if (ready)
            n.phase = SEND;
        break;
    case SEND: n.phase = PAUSE; break;
    case PAUSE: n.phase = DONE; break;
    case RELAY:
        if (ready)
            n.phase = s->write ? TOLD : HEAR;
        break;
    case HEAR:
        if (answer) {
            n.word  = data;
            n.phase = TOLD;
        }
        break;
    default: n.phase = REST; break;
    }

    *s = n;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_bank_write: part of totem_bank, twin of rtl/packet/totem_bank_write.v, from docs/contract/bank.md.

#include "totem_bank_write.h"

enum { USER_FIRST = OFFSET(USER_DATA_0), USER_COUNT = 16, TABLE_WORD = 10, SCRATCH_WORD = 15 };

// Launch state: where a register lies among the state words.
typedef struct {
    bool    low;
    bool    high;
    uint8_t word;
} half;

static half half_of(const totem_bank *s, uint8_t offset)
{
    half h = {false, false, 0};
    if (offset == OFFSET(PGM_RSRC1)) {
        h.low = true;
    } else if (offset == OFFSET(PGM_RSRC2)) {
        h.high = true;
    } else if (offset == (s->rsrc3_gfx9 ? OFFSET_RSRC3_GFX9 : OFFSET_RSRC3)) {
        h.low  = true;
        h.word = 1;
    } else if (offset == OFFSET(TMPRING_SIZE)) {
        h.high = true;
        h.word = 1;
    } else if (offset == OFFSET(DISPATCH_SCRATCH_BASE_LO) || offset == OFFSET(DISPATCH_SCRATCH_BASE_HI)) {
        h.high = offset == OFFSET(DISPATCH_SCRATCH_BASE_HI);
        h.low  = !h.high;
        h.word = SCRATCH_WORD;
    } else if (offset >= USER_FIRST && offset < USER_FIRST + USER_COUNT) {
        const unsigned k = offset - (unsigned)USER_FIRST;
        h.low            = (k & 1) == 0;
        h.high           = (k & 1) == 1;
        h.word           = (uint8_t)(2 + k / 2);
    }
    return h;
}

static uint32_t derived_word(const totem_bank *s)
{
    uint32_t word = s->vgprs;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        word |= (uint32_t)s->engines[e] << (ENGINES_AT + e);
    return word;
}

static uint32_t cleared(uint8_t offset)
{
    if (offset == OFFSET_DERIVED)
        return ((1u << TOTEM_SE_COUNT) - 1) << ENGINES_AT;
    return totem_sh_reset(TOTEM_SH_COMPUTE_FIRST + offset);
}

// The word of a save, by step.
static uint32_t save_word(const totem_bank *s, unsigned *to)
{
    unsigned offset;
    uint32_t value;

    switch (s->step) {
    case 0:
        offset = OFFSET(RESTART_X);
        value  = (uint32_t)s->restart;
        break;
    case 1:
        offset = OFFSET(RESTART_Y);
        value  = (uint32_t)(s->restart >> 32 & 0xffff);
        break;
    case 2:
        offset = OFFSET(RESTART_Z);
        value  = (uint32_t)(s->restart >> 48);
        break;
    case 3:
        offset = OFFSET(RELAUNCH);
        value  = s->restart_mask;
        break;
    case 4:
        offset = OFFSET(DIM_X);
        value  = (uint32_t)s->restart_end;
        break;
    case 5:
        offset = OFFSET(DIM_Y);
        value  = (uint32_t)(s->restart_end >> 32 & 0xffff);
        break;
    default:
        offset = OFFSET(DIM_Z);
        value  = (uint32_t)(s->restart_end >> 48);
        break;
    }
    *to = offset;
    return value;
}

static void write_registers(const totem_bank *s, totem_bank_out *o)
{
    unsigned offset = s->access_offset;
    uint32_t value  = s->access_data;
    uint8_t  queue  = s->access_queue;

    if (s->write_valid) {
        queue  = s->queue;
        offset = s->write_offset;
        value  = s->write_data;
    } else if (write_save(s)) {
        queue = s->queue;
        value = save_word(s, &offset);
    } else if (write_derived(s)) {
        queue  = s->queue;
        offset = OFFSET_DERIVED;
        value  = derived_word(s);
    } else if (write_result(s)) {
        queue  = s->derive_queue;
        offset = stage_of(s) == STAGE_WORDS ? OFFSET_DERIVED : OFFSET_THREADS;
        value  = s->sum;
    } else if (write_clear(s)) {
        queue  = s->clear_queue;
        offset = s->clear_step;
        value  = cleared(s->clear_step);
    }
    o->ram_write_enable = (others_write(s) && !(write_result(s) && in_table(s))) || write_clear(s) || write_access(s);
    o->ram_write_addr   = ram_place(queue, offset);
    o->ram_write_data   = value;
}

// A register that is also launch state, or a number of the table.
static void write_state(const totem_bank *s, totem_bank_out *o)
{
    uint8_t  shown = s->clear_step;
    uint8_t  owner = s->clear_queue;
    uint32_t word  = 0;

    if (s->write_valid) {
        shown = s->write_offset;
        owner = s->queue;
        word  = s->write_data;
    } else if (write_access(s)) {
        shown = s->access_offset;
        owner = s->access_queue;
        word  = s->access_data;
    }
    const half h   = half_of(s, shown);
    const bool any = s->write_valid || write_clear(s) || write_access(s);

    o->state_low_write_enable  = any && h.low;
    o->state_high_write_enable = any && h.high;
    o->state_low_write_addr    = (uint8_t)(owner * 16 + h.word);
    o->state_low_write_data    = word;
    if (write_result(s)) {
        o->state_low_write_enable  = in_table(s) && (combo(s) & 1) == 0;
        o->state_high_write_enable = in_table(s) && (combo(s) & 1) == 1;
        o->state_low_write_addr    = (uint8_t)(s->derive_queue * 16u + TABLE_WORD + combo(s) / 2);
        o->state_low_write_data    = s->sum;
    }
    o->state_high_write_addr = o->state_low_write_addr;
    o->state_high_write_data = o->state_low_write_data;
}

void totem_bank_write(const totem_bank *s, totem_bank_out *o)
{
    write_registers(s, o);
    write_state(s, o);
}

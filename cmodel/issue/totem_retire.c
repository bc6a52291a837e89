// SPDX-License-Identifier: Apache-2.0
//
// totem_retire: twin of rtl/issue/totem_retire.v, from docs/contract/retire.md.

#include "totem_retire.h"

static unsigned slot_of(unsigned number)
{
    return number & (TOTEM_SLOTS - 1);
}

void totem_retire_outputs(const totem_retire *s, totem_retire_out *o)
{
    o->table_write_enable = s->write_valid;
    o->table_write_addr   = s->write_slot;
    o->table_write_data   = s->write_word;
    o->table_read_enable  = s->read_valid;
    o->table_read_addr    = s->read_slot;
    o->free_valid         = s->free_valid;
    o->free_slot          = s->free_slot;
    o->free_vgprs         = s->free_vgprs;
    o->free_lds           = s->free_lds;
    o->complete_valid     = s->free_valid;
    o->complete_fe        = s->complete_fe;
    o->complete_pipe      = s->complete_pipe;
    o->complete_queue     = s->complete_queue;
    o->complete_epoch     = s->complete_epoch;
    o->complete_kind      = s->complete_kind;
    o->complete_draw      = s->complete_draw;
    o->free_kind          = s->complete_kind;
    o->fault              = s->fault;
}

void totem_retire_step(totem_retire *s, const totem_retire_in *i)
{
    const bool    end_valid  = s->end_valid;
    const uint8_t end_slot   = s->end_slot;
    const bool    read_valid = s->read_valid;
    const uint8_t read_slot  = s->read_slot;
    const bool    look_valid = s->look_valid;
    const uint8_t look_slot  = s->look_slot;

    bool    spare_valid = false;
    uint8_t spare       = 0;
    for (unsigned n = TOTEM_SLOTS; n-- > 0;)
        if (s->live[n] == 0) {
            spare_valid = true;
            spare       = (uint8_t)n;
        }

    // 1 Stage 1
    s->end_valid = i->done_valid;
    if (i->done_valid)
        s->end_slot = i->done_slot;

    // 2 Stage 2
    s->read_valid = end_valid && s->occupied[slot_of(end_slot)];
    if (end_valid) {
        s->read_slot = end_slot;
        if (!s->occupied[slot_of(end_slot)])
            s->fault = true;
        s->occupied[slot_of(end_slot)] = false;
    }

    // 3 Stage 3
    s->look_valid = read_valid;
    if (read_valid)
        s->look_slot = read_slot;

    // 4 End
    s->free_valid = look_valid;
    if (look_valid) {
        const uint64_t word  = i->table_read_data;
        const unsigned owner = slot_of((unsigned)(word >> 26 & 63));

        s->free_slot      = look_slot;
        s->free_vgprs     = (uint8_t)(word >> 9 & 127);
        s->complete_fe    = (uint8_t)(word >> 16 & 3);
        s->complete_pipe  = (uint8_t)(word >> 18 & 3);
        s->complete_queue = (uint8_t)(word >> 20 & (TOTEM_QUEUES - 1));
        s->complete_epoch = (uint8_t)(word >> 23 & (TOTEM_EPOCHS - 1));
        if (TOTEM_GRAPHICS) {
            s->complete_kind = (uint8_t)(word >> 32 & 3);
            s->complete_draw = (uint8_t)(word >> 34 & (TOTEM_DRAW_STATES - 1));
        }
        s->free_lds = s->live[owner] == 1 ? (uint16_t)(word & 511) : 0;
        if (s->live[owner] == 0)
            s->fault = true;
        else
            s->live[owner] = (uint8_t)(s->live[owner] - 1);
    }

    // 5 Launch
    s->write_valid = i->alloc_valid;
    if (i->alloc_valid) {
        const uint8_t m = i->alloc_first ? spare : s->name;

        s->write_slot = i->alloc_slot;
        s->write_word = (uint64_t)i->alloc_lds | (uint64_t)i->alloc_vgprs << 9 | (uint64_t)i->alloc_fe << 16 |
                        (uint64_t)i->alloc_pipe << 18 | (uint64_t)i->alloc_queue << 20 |
                        (uint64_t)i->alloc_epoch << 23 | (uint64_t)m << 26;
        if (TOTEM_GRAPHICS)
            s->write_word |= (uint64_t)i->alloc_kind << 32 | (uint64_t)i->alloc_draw << 34;
        if (i->alloc_first) {
            if (!spare_valid)
                s->fault = true;
            s->name             = m;
            s->live[slot_of(m)] = i->alloc_waves;
        }
        s->occupied[slot_of(i->alloc_slot)] = true;
    }
}

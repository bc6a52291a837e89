// SPDX-License-Identifier: Apache-2.0
//
// totem_pixel: twin of rtl/throttle/totem_pixel.v, from docs/contract/pixel.md.

#include "totem_pixel.h"

enum { PLACES = 2 }; // of the FIFO

static const uint64_t NUMBERS = 1ull << 33; // of waves granted

static bool wave(const totem_pixel *s)
{
    return s->count != 0 && s->fifo_threads[0] != 0;
}

static bool head_valid(const totem_pixel *s)
{
    return wave(s) && s->held && s->held_state == s->fifo_state[0];
}

// Bits of the header of the head.
static uint64_t field(const totem_pixel *s, unsigned first, unsigned values)
{
    return s->header >> first & (values - 1);
}

void totem_pixel_outputs(const totem_pixel *s, totem_pixel_out *o)
{
    o->ready = s->count < PLACES;

    o->head_valid   = head_valid(s);
    o->head_state   = s->fifo_state[0];
    o->head_threads = s->fifo_threads[0];
    o->head_number  = s->number;
    o->head_program = s->header & 0xffffffffff;
    o->head_vgprs   = (uint8_t)(field(s, 40, 1 << 6) + 1);
    o->head_lds     = (uint16_t)field(s, 46, 1 << 9);
    o->head_wave32  = field(s, 55, 2) != 0;
    o->head_set     = (uint8_t)field(s, 56, TOTEM_SETS);
    o->head_epoch   = (uint8_t)field(s, 60, TOTEM_EPOCHS);
    o->head_hp3d    = field(s, 63, 2) != 0 || s->urgent;

    o->header_read_enable = s->look;
    o->header_read_addr   = s->look_state;

    o->mark_valid = s->mark_valid;
    o->mark_state = s->mark_state;
    o->idle       = s->count == 0 && !s->mark_valid;
}

void totem_pixel_step(totem_pixel *s, const totem_pixel_in *i)
{
    totem_pixel n      = *s; // what follows the clock edge; s stays as it was before
    const bool  taken  = head_valid(s) && i->pop;
    const bool  leaves = taken || (s->count != 0 && !wave(s));
    const bool  accept = i->scan_wave_valid && i->scan_wave_fe == i->fe_number && s->count < PLACES;

    // 1 Leave
    n.mark_valid = false;
    if (leaves) {
        n.fifo_state[0]   = s->fifo_state[1];
        n.fifo_threads[0] = s->fifo_threads[1];
        n.fifo_mark[0]    = s->fifo_mark[1];
        n.count           = (uint8_t)(s->count - 1);
        n.mark_valid      = s->fifo_mark[0];
        n.mark_state      = s->fifo_state[0];
    }
    if (taken)
        n.number = (s->number + 1) % NUMBERS;

    // 2 Header
    if (s->fetched) {
        n.header = i->header_read_data;
        n.held   = true;
    }
    if (s->look) {
        n.held_state = s->look_state;
        n.held       = false;
    }
    n.fetched = s->look;

    // 3 Arrival
    if (accept) {
        for (unsigned place = 0; place < PLACES; place++)
            if (place == n.count) {
                n.fifo_state[place]   = i->scan_wave_state;
                n.fifo_threads[place] = i->scan_wave_threads;
                n.fifo_mark[place]    = i->scan_wave_mark;
            }
        n.count++;
    }

    // 4 Stale: the header that is here, or on its way, is the last one no more.
    if (i->header_valid && i->header_state == n.held_state) {
        n.fetched = false;
        n.held    = false;
    }

    // 5 Look
    const bool known = (n.held || n.fetched) && n.held_state == n.fifo_state[0];
    n.look           = wave(&n) && !known;
    if (n.look)
        n.look_state = n.fifo_state[0];

    // 6 Urgent
    n.urgent = i->scan_hp3d;

    *s = n;
}

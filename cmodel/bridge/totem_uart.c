// SPDX-License-Identifier: Apache-2.0
//
// totem_uart: serial line of the host bridge.
// Twin of rtl/bridge/totem_uart.v; the rules are those of docs/contract/uart.md.

#include "totem_uart.h"

enum { BITS = 10 }; // of a byte on the line, start and stop bit included

void totem_uart_outputs(const totem_uart *s, totem_uart_out *o)
{
    o->txd         = s->send_shift & 1;
    o->ready       = s->send_bits == 0;
    o->byte_valid  = s->byte_valid;
    o->byte_data   = s->shift;
    o->byte_broken = s->byte_broken;
}

static void receive(totem_uart *n, const totem_uart *s, uint16_t divide)
{
    const bool level  = s->line >> 1 & 1;
    const bool fall   = (s->line >> 2 & 1) && !level;
    const bool sample = s->bits != 0 && s->timer == 0;
    const bool start  = s->bits == BITS;
    const bool stop   = s->bits == 1;

    n->byte_valid  = sample && stop && level;
    n->byte_broken = sample && stop && !level;

    // 2 Start
    if (s->bits == 0) {
        if (fall) {
            n->bits  = BITS;
            n->timer = (uint16_t)(divide / 2 - 1);
        }
        return;
    }

    // 3 Sample
    if (!sample) {
        n->timer = (uint16_t)(s->timer - 1);
        return;
    }
    n->timer = (uint16_t)(divide - 1);
    n->bits  = start && level ? 0 : (uint8_t)(s->bits - 1);
    if (!start && !stop)
        n->shift = (uint8_t)((level ? 0x80u : 0u) | s->shift >> 1);
}

void totem_uart_step(totem_uart *s, const totem_uart_in *i)
{
    totem_uart n = *s; // what follows the clock edge; s stays as it was before

    // 1 Line
    n.line = (uint8_t)((s->line << 1 | i->rxd) & 7);

    receive(&n, s, i->divide);

    if (s->send_bits == 0) {
        // 5 Take
        if (i->frame_send_valid) {
            n.send_bits  = BITS;
            n.send_timer = (uint16_t)(i->divide - 1);
            n.send_shift = (uint16_t)(0x200 | i->frame_send_data << 1);
        }
    } else if (s->send_timer != 0) {
        n.send_timer = (uint16_t)(s->send_timer - 1);
    } else {
        // 4 Send
        n.send_timer = (uint16_t)(i->divide - 1);
        n.send_bits  = (uint8_t)(s->send_bits - 1);
        n.send_shift = (uint16_t)(0x200 | s->send_shift >> 1);
    }

    *s = n;
}

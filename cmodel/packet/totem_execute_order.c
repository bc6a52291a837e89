// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_order: part of totem_execute, twin of rtl/packet/totem_execute_order.v, from docs/contract/execute.md.

#include "totem_execute_order.h"

#include "../schedule/totem_service_values.h"
#include "totem_execute_end.h"
#include "totem_execute_packet.h"

enum { FIRST_OF_STREAM = 2, LONGEST_COMMIT = 0x7fff };

void totem_execute_order(totem_execute *n, const totem_execute_in *i)
{
    if (n->queue != 0 || (i->pipe_number & 1) != 0 || i->fe_number != 0)
        fail(n, i, TOTEM_ERROR_RUNLIST_PRIVILEGE, n->control);
    else
        n->phase = EXECUTE_ORDER;
}

static void hand_over(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (!i->schedule_ready) {
        if (s->place == 0 && i->arbiter_leave)
            n->phase = EXECUTE_LEAVE; // service is busy with another packet
        return;
    }
    n->place = (s->place + 1) & 15;
    if (s->place < FIRST_OF_STREAM)
        return;
    n->phase = EXECUTE_READY;
    if (s->last) {
        n->place = 0;
        n->phase = EXECUTE_ORDERED;
    }
}

// The packet is passed together with what follows it in the buffer.
static void end_buffer(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (i->fetch_available > LONGEST_COMMIT) {
        fail(n, i, TOTEM_ERROR_RUNLIST_LAYOUT, s->control);
        return;
    }
    n->length = (uint16_t)i->fetch_available;
    n->drop   = true;
    finish(n, s->counted);
}

static void answered(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    switch (i->schedule_answer) {
    case SERVICE_PLAIN: finish(n, s->counted); return;
    case SERVICE_END: end_buffer(n, s, i); return;
    default: break;
    }
    n->control = i->schedule_control;
    n->address = i->schedule_address;
    n->data    = i->schedule_data;
    n->extra   = i->schedule_extra;
    if (i->schedule_answer == SERVICE_LIST) {
        n->open = true;
        n->drop = true;
        finish(n, s->counted);
    } else {
        totem_execute_release(n, i);
    }
}

void totem_execute_ordered(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (s->phase == EXECUTE_ORDER)
        hand_over(n, s, i);
    else if (!i->schedule_done)
        return;
    else if (i->schedule_again)
        n->phase = EXECUTE_LEAVE;
    else if (i->schedule_code != 0)
        fail(n, i, i->schedule_code, i->schedule_word);
    else
        answered(n, s, i);
}

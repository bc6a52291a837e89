// SPDX-License-Identifier: Apache-2.0
//
// totem_access: twin of rtl/queue/totem_access.v, from docs/contract/access.md.

#include "totem_access.h"

#include "../descriptor/totem_mqd_values.h"
#include "../host/totem_regs_map.h"

enum { HOST, MQD, POLL, ASKERS };

static void choose_next(const totem_access_in *i, totem_access_out *o)
{
    const bool     asks[ASKERS] = {[HOST] = i->host_valid, [MQD] = i->mqd_access_valid, [POLL] = i->poll_access_valid};
    const unsigned last         = i->hqd_pointer ? POLL : i->hqd_from_mqd ? MQD : HOST;
    unsigned       next         = ASKERS;
    for (unsigned distance = ASKERS; distance > 0; distance--) // from the farthest to the nearest, so the nearest stays
        if (asks[(last + distance) % ASKERS])
            next = (last + distance) % ASKERS;

    o->next_valid    = next != ASKERS;
    o->next_from_mqd = next == MQD;
    o->next_pointer  = next == POLL;
    switch (next) {
    case HOST:
        o->next_queue = i->host_queue & (TOTEM_QUEUES - 1);
        o->next_dword = i->host_doorbell ? TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO : i->host_dword & 63;
        break;
    case MQD:
        o->next_queue = i->mqd_access_queue;
        o->next_dword = i->mqd_access_dword;
        break;
    default:
        o->next_queue = i->poll_access_queue;
        o->next_dword = i->poll_access_dword;
        break;
    }
}

void totem_access_outputs(const totem_access_in *i, totem_access_out *o)
{
    choose_next(i, o);
    o->load     = false;
    o->doorbell = false;
    o->strobe   = 15;
    if (i->hqd_from_mqd) {
        o->write = i->mqd_access_kind == ACCESS_WRITE;
        o->load  = i->mqd_access_kind >= ACCESS_LOAD;
        o->data  = i->mqd_access_data;
    } else if (i->hqd_pointer) {
        o->write = i->poll_access_write;
        o->data  = i->poll_access_data;
    } else {
        o->write    = i->host_write;
        o->doorbell = i->host_doorbell;
        o->strobe   = i->host_strobe;
        o->data     = i->host_data;
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_proxy: register accesses of the run list, one at a time.
// Twin of rtl/schedule/totem_proxy.v; the rules are those of docs/contract/proxy.md.

#include "totem_proxy.h"

#include "../packet/totem_pm4.h"

enum { CLASS_HOST = 0x80, LOST_MOST = 0xffff };

void totem_proxy_outputs(const totem_proxy *s, totem_proxy_out *o)
{
    o->valid   = s->phase == PROXY_ASK;
    o->write   = s->write;
    o->address = s->address;
    o->data    = s->data;
    o->done    = s->phase == PROXY_DONE;
    o->error   = s->error;
    o->rdata   = s->rdata;
    o->lost    = s->lost;

    o->error_valid = s->error_left != 0;
    o->error_word  = s->error_data;
    if (s->error_left == 2)
        o->error_word =
            (uint64_t)s->error_code << 56 | (uint64_t)s->error_entry << 20 | (uint64_t)s->error_address << 2;
}

// 4 Told: a message, if none is on its way.
static void tell(totem_proxy *n, const totem_proxy *s, const totem_proxy_in *i, bool fails)
{
    if (s->error_left == 0) {
        n->error_left    = 2;
        n->error_code    = TOTEM_ERROR_RUNLIST_LATE;
        n->error_entry   = i->runlist_entry;
        n->error_address = s->address;
        n->error_data    = s->write ? s->data : 0;
        if (fails)
            n->error_code = (uint8_t)(CLASS_HOST + i->host_proxy_error);
    } else if (s->lost < LOST_MOST) {
        n->lost = (uint16_t)(s->lost + 1);
    }
}

void totem_proxy_step(totem_proxy *s, const totem_proxy_in *i)
{
    totem_proxy n     = *s; // what follows the clock edge; s stays as it was before
    const bool  ends  = s->phase == PROXY_ASK && i->host_proxy_done;
    const bool  fails = ends && i->host_proxy_error != 0;
    const bool  tells = fails || (ends && i->runlist_late);

    // 1 Message
    if (s->error_left != 0 && i->events_error_ready)
        n.error_left = (uint8_t)(s->error_left - 1);

    // 2 Take
    if (s->phase == PROXY_REST && i->runlist_valid) {
        n.phase   = PROXY_ASK;
        n.write   = i->runlist_write;
        n.address = i->runlist_address;
        n.data    = i->runlist_data;
    }

    // 3 Answer
    if (ends) {
        n.phase = PROXY_DONE;
        n.error = i->host_proxy_error;
        n.rdata = i->host_proxy_rdata;
    }
    if (tells)
        tell(&n, s, i, fails);

    // 5 End
    if (s->phase >= PROXY_DONE)
        n.phase = PROXY_REST;

    *s = n;
}

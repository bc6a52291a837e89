// SPDX-License-Identifier: Apache-2.0
//
// host: see host.h.

#include "host.h"

#include <stdlib.h>
#include <string.h>

void host_port_init(host_port *h, uint64_t seed, uint32_t stall)
{
    memset(h, 0, sizeof *h);
    h->stall        = stall;
    h->random.state = seed ^ 0x686f737400000000u;
}

void host_port_free(host_port *h)
{
    free(h->list);
    h->list = NULL;
}

static size_t append(host_port *h, host_access access)
{
    if (h->count == h->room) {
        h->room             = h->room ? 2 * h->room : 256;
        host_access *larger = realloc(h->list, h->room * sizeof *larger);
        if (!larger)
            abort();
        h->list = larger;
    }
    h->list[h->count]       = access;
    h->list[h->count].order = h->count;
    return h->count++;
}

size_t host_write(host_port *h, uint64_t at, uint32_t address, uint32_t data)
{
    return append(h, (host_access){.at = at, .address = address, .write = true, .data = data, .bytes = 15});
}

size_t host_read(host_port *h, uint64_t at, uint32_t address)
{
    return append(h, (host_access){.at = at, .address = address});
}

size_t host_wait(host_port *h, uint64_t at, uint32_t address, uint32_t mask, uint32_t wanted)
{
    return append(h, (host_access){.at = at, .address = address, .mask = mask, .wanted = wanted});
}

static int earlier(const void *left, const void *right)
{
    const host_access *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void host_sort(host_port *h)
{
    qsort(h->list, h->count, sizeof *h->list, earlier);
}

size_t host_insert(host_port *h, size_t appended)
{
    const host_access access = h->list[appended];
    size_t            n      = h->next;
    while (n < appended && h->list[n].at <= h->clock)
        n++;
    memmove(&h->list[n + 1], &h->list[n], (appended - n) * sizeof *h->list);
    h->list[n]          = access;
    h->list[n].inserted = true;
    return n;
}

static bool hold(host_port *h)
{
    return h->stall && random_below(&h->random, 256) < h->stall;
}

void host_drive(host_port *h, totem_axil_in *in)
{
    const host_access *a     = h->next < h->count ? &h->list[h->next] : NULL;
    const bool         ready = a && h->clock >= a->at;
    // A valid that is up stays up until it is taken; a new one may be held back.
    h->aw_up = ready && a->write && !h->address_sent && (h->aw_up || !hold(h));
    h->w_up  = ready && a->write && !h->data_sent && (h->w_up || !hold(h));
    h->ar_up = ready && !a->write && !h->address_sent && (h->ar_up || !hold(h));
    h->b_up  = !hold(h);
    h->r_up  = !hold(h);
    *in      = (totem_axil_in){
             .awaddr  = h->aw_up ? a->address : 0,
             .awvalid = h->aw_up,
             .wdata   = h->w_up ? a->data : 0,
             .wstrb   = h->w_up ? a->bytes : 0,
             .wvalid  = h->w_up,
             .bready  = h->b_up,
             .araddr  = h->ar_up ? a->address : 0,
             .arvalid = h->ar_up,
             .rready  = h->r_up,
    };
}

static void finish(host_port *h, uint8_t response)
{
    host_access *a  = &h->list[h->next++];
    a->response     = response;
    a->done         = true;
    a->ended        = h->clock;
    h->address_sent = h->data_sent = false;
}

void host_step(host_port *h, const totem_machine_out *out)
{
    const totem_host_out *o = &out->host;
    if (h->aw_up && o->s_axil_awready) {
        h->address_sent = true;
        h->aw_up        = false;
    }
    if (h->w_up && o->s_axil_wready) {
        h->data_sent = true;
        h->w_up      = false;
    }
    if (h->ar_up && o->s_axil_arready) {
        h->address_sent = true;
        h->ar_up        = false;
    }
    if (h->b_up && o->s_axil_bvalid)
        finish(h, o->s_axil_bresp);
    else if (h->r_up && o->s_axil_rvalid) {
        host_access *a = &h->list[h->next];
        a->data        = o->s_axil_rdata;
        if (o->s_axil_rresp == 0 && (a->data & a->mask) != a->wanted)
            h->address_sent = false;
        else
            finish(h, o->s_axil_rresp);
    }
    h->clock++;
}

bool host_done(const host_port *h)
{
    return h->next == h->count;
}

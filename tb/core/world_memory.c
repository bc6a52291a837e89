// SPDX-License-Identifier: Apache-2.0
//
// The memory of a world (world.h): any order of responses that AXI allows, refusals, DECERR behind its end. What was
// written is there from its response on; what is read is what was there when the address was accepted. So a core that
// does not wait for a response sees, or shows, the old word.

#include "world.h"

enum { DECERR = 3 };

static uint64_t quad_at(const world *w, uint64_t address)
{
    uint64_t word;
    memcpy(&word, w->memory + address, sizeof word);
    return word;
}

static burst *new_burst(world *w, uint8_t id, bool write, uint64_t address)
{
    for (unsigned n = 0; n < BURSTS; n++)
        if (!w->bursts[n].valid) {
            // Those before it are older: there is no hole, as remove_burst closes it.
            w->bursts[n] = (burst){.valid   = true,
                                   .write   = write,
                                   .id      = id,
                                   .address = address,
                                   .beats   = 1,
                                   .error   = address >= MEMORY,
                                   .due     = w->clock + w->latency + draw_random(w) % (w->latency / 4 + 1)};
            return &w->bursts[n];
        }
    fail_msg("more than %d accesses under way", BURSTS);
    return NULL;
}

static void remove_burst(world *w, burst *b)
{
    const size_t behind = (size_t)(w->bursts + BURSTS - 1 - b);
    memmove(b, b + 1, behind * sizeof *b);
    w->bursts[BURSTS - 1].valid = false;
}

// One of those that are due and the oldest of their ID and direction, by chance.
static burst *answer(world *w, bool write)
{
    burst   *found = NULL;
    unsigned seen = 0, among = 0;
    for (burst *b = w->bursts; b < w->bursts + BURSTS && b->valid; b++) {
        if (b->write != write || seen >> b->id & 1)
            continue;
        seen |= 1u << b->id;
        if (b->due <= w->clock && draw_random(w) % ++among == 0)
            found = b;
    }
    return w->deaf || refuses(w) ? NULL : found;
}

void memory_clock(world *w, cores_axi_in *in)
{
    const cores_axi_out *o = &w->axi, *p = &w->before;
    // What was offered and not taken stands.
    if (p->arvalid)
        assert_true(o->arvalid && o->araddr == p->araddr && o->arlen == p->arlen && o->arid == p->arid);
    if (p->awvalid)
        assert_true(o->awvalid && o->awaddr == p->awaddr && o->awid == p->awid);
    if (p->wvalid)
        assert_true(o->wvalid && o->wdata == p->wdata && o->wstrb == p->wstrb);
    assert_true(o->rready && o->bready);

    burst *read = answer(w, false), *write = answer(w, true);
    if (read) {
        in->rvalid = true;
        in->rid    = read->id;
        in->rdata  = read->words[read->beat];
        in->rresp  = read->error ? DECERR : 0;
        in->rlast  = ++read->beat == read->beats;
    }
    if (write) {
        in->bvalid = true;
        in->bid    = write->id;
        in->bresp  = write->error ? DECERR : 0;
        // Memory has what was written when it says so, not before.
        for (unsigned n = 0; n < 8 && !write->error; n++)
            if (write->strobe >> n & 1)
                w->memory[write->address + n] = (uint8_t)(write->data >> 8 * n);
        w->writes--;
    }
    if (read && in->rlast) {
        if (write > read)
            write--;
        remove_burst(w, read);
    }
    if (write)
        remove_burst(w, write);

    if (o->arvalid && !refuses(w)) {
        in->arready = true;
        burst *b    = new_burst(w, o->arid, false, o->araddr);
        b->beats    = (uint8_t)(o->arlen + 1);
        assert_true(b->beats == 1 || (b->beats == 4 && o->araddr % 32 == 0));
        for (unsigned n = 0; n < b->beats && !b->error; n++)
            b->words[n] = quad_at(w, o->araddr + 8 * n);
    }
    if (o->awvalid && !w->has_address && !refuses(w)) {
        in->awready = w->has_address = true;
        w->address = o->awaddr, w->id = o->awid;
        assert_int_equal(o->awlen, 0);
    }
    if (o->wvalid && !w->has_data && !refuses(w)) {
        in->wready = w->has_data = true;
        w->data = o->wdata, w->strobe = o->wstrb;
        assert_true(o->wlast && o->wstrb);
    }
    if (w->has_address && w->has_data) {
        burst *b  = new_burst(w, w->id, true, w->address);
        b->data   = w->data;
        b->strobe = w->strobe;
        w->writes++;
        w->has_address = w->has_data = false;
    }
    w->before         = *o;
    w->before.arvalid = o->arvalid && !in->arready;
    w->before.awvalid = o->awvalid && !in->awready;
    w->before.wvalid  = o->wvalid && !in->wready;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_tally: twin of rtl/packet/totem_tally.v, from docs/contract/tally.md.

#include "totem_tally.h"

enum { WORDS = TOTEM_QUEUES * 64, MOST = 0xffff };

// Bit of the word at which the counter in hand begins.
static unsigned shift(const totem_tally *s)
{
    return (s->place & 3u) * 16;
}

static uint16_t counter(uint8_t queue, uint8_t opcode)
{
    return (uint16_t)(queue % TOTEM_QUEUES << 8 | opcode);
}

void totem_tally_outputs(const totem_tally *s, totem_tally_out *o)
{
    o->host_done        = s->phase == TALLY_STORE && s->for_host;
    o->host_rdata       = (uint16_t)(s->word >> shift(s));
    o->ram_write_enable = s->phase == TALLY_SWEEP || s->phase == TALLY_STORE;
    o->ram_write_addr   = (TOTEM_TALLY_RAM_ADDR)(s->place / 4);
    o->ram_write_data   = s->phase == TALLY_SWEEP ? 0 : s->word;
    o->ram_read_enable  = s->phase == TALLY_READ;
    o->ram_read_addr    = (TOTEM_TALLY_RAM_ADDR)(s->place / 4);
}

// 1 Counter in hand, continued: what comes next.
static void choose(totem_tally *n, const totem_tally *s, const totem_tally_in *i)
{
    const bool answered = s->phase == TALLY_STORE && s->for_host;

    n->phase = TALLY_IDLE;
    if (s->pending) {
        n->place    = s->pending_place;
        n->pending  = false;
        n->for_host = false;
        n->phase    = TALLY_READ;
    } else if (i->host_valid && !answered) {
        n->place    = counter(i->host_queue, i->host_dword);
        n->for_host = true;
        n->phase    = TALLY_READ;
    }
}

// 1 Counter in hand, continued: the word as it is to be.
static uint64_t changed(const totem_tally *s, const totem_tally_in *i)
{
    const uint64_t word  = i->ram_read_data;
    const uint64_t count = word >> shift(s) & MOST;

    if (!s->for_host)
        return count == MOST ? word : word + ((uint64_t)1 << shift(s));
    if (i->host_write && i->host_strobe != 0)
        return word - (count << shift(s));
    return word;
}

void totem_tally_step(totem_tally *s, const totem_tally_in *i)
{
    totem_tally n = *s; // what follows the clock edge; s stays as it was before

    // 1 Counter in hand
    switch (s->phase) {
    case TALLY_SWEEP:
        n.place = (uint16_t)((s->place + 4) % (WORDS * 4));
        if (s->place / 4 == WORDS - 1)
            n.phase = TALLY_IDLE;
        break;
    case TALLY_READ: n.phase = TALLY_TAKE; break;
    case TALLY_TAKE:
        n.word  = changed(s, i);
        n.phase = TALLY_STORE;
        break;
    case TALLY_IDLE:
    case TALLY_STORE: choose(&n, s, i); break;
    default: n.phase = TALLY_IDLE; break;
    }

    // 2 A packet
    if (i->packet_ignored) {
        n.pending       = true;
        n.pending_place = counter(i->dispatch_queue, i->packet_executed_opcode);
    }

    *s = n;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_roster: twin of rtl/schedule/totem_roster.v, from docs/contract/roster.md.

#include "totem_roster.h"

#include "totem_bits.h"

enum {
    ENTRIES    = TOTEM_RUN_QUEUES,
    LISTS      = TOTEM_ROSTER_RUN_LISTS,
    COUNTS     = 2 * ENTRIES, // waiting has the values below COUNTS
    ENTRY_BITS = TOTEM_BITS(ENTRIES)
};

_Static_assert(ENTRIES >= 2 && ENTRIES <= 1024 && (ENTRIES & (ENTRIES - 1)) == 0,
               "RUN_QUEUES is a power of two from 2 to 1024");
_Static_assert(LISTS >= 2 && LISTS <= 64 && (LISTS & (LISTS - 1)) == 0, "RUN_LISTS is a power of two from 2 to 64");

// A word of the RAMs: of links entry before and behind, of ends last and first entry.
typedef struct {
    unsigned high, low;
} word;

static uint32_t pack(word w)
{
    return (uint32_t)(w.high << ENTRY_BITS | w.low);
}

static word unpack(uint32_t data)
{
    return (word){.high = data >> ENTRY_BITS, .low = data % ENTRIES};
}

// Which link is written, and what.
typedef struct {
    unsigned entry;
    word     link;
} change;

// Of the links that are written the one of the entry ahead in the list comes first.
static change link_change(const totem_roster *s)
{
    const bool   before = s->phase == ROSTER_LINK;
    const change own    = {s->entry, {s->ahead, s->behind}};

    switch (s->op) {
    case ROSTER_PUSH: return before ? (change){s->ahead, {s->ahead_previous, s->entry}} : own;
    case ROSTER_PUSH_FIRST: return before ? own : (change){s->behind, {s->entry, s->behind_next}};
    default: break;
    }
    if (before)
        return (change){s->ahead, {s->ahead_previous, s->behind}};
    return (change){s->behind, {s->ahead, s->behind_next}};
}

static word ends_after(const totem_roster *s)
{
    switch (s->op) {
    case ROSTER_PUSH: return (word){s->entry, s->linked ? s->behind : s->entry};
    case ROSTER_PUSH_FIRST: return (word){s->linked ? s->ahead : s->entry, s->entry};
    default: return (word){s->ahead, s->behind};
    }
}

static bool ready(const totem_roster *s)
{
    return s->phase == ROSTER_REST || s->phase == ROSTER_WRITE;
}

void totem_roster_outputs(const totem_roster *s, totem_roster_out *o)
{
    const change written = link_change(s);

    o->request_ready  = ready(s);
    o->answer_valid   = s->answer_valid;
    o->answer_refused = s->answer_refused;
    o->answer_entry   = s->answer_entry;
    for (unsigned n = 0; n < LISTS; n++)
        o->filled[n] = s->filled[n];
    o->waiting           = s->waiting;
    o->link_write_enable = s->phase == ROSTER_LINK || (s->phase == ROSTER_WRITE && s->linked);
    o->link_write_addr   = (TOTEM_ROSTER_ENTRY)written.entry;
    o->link_write_data   = (TOTEM_ROSTER_LINK_READ_DATA)pack(written.link);
    switch (s->phase) {
    case ROSTER_AHEAD: o->link_read_addr = s->ahead; break;
    case ROSTER_BEHIND: o->link_read_addr = s->behind; break;
    default: o->link_read_addr = s->entry; break;
    }
    o->link_read_enable  = s->phase == ROSTER_READ || s->phase == ROSTER_AHEAD || s->phase == ROSTER_BEHIND;
    o->ends_write_enable = s->phase == ROSTER_WRITE && (s->op != ROSTER_REMOVE || !s->linked);
    o->ends_write_addr   = s->list;
    o->ends_write_data   = (TOTEM_ROSTER_LINK_READ_DATA)pack(ends_after(s));
    o->ends_read_enable  = s->phase == ROSTER_READ;
    o->ends_read_addr    = s->list;
}

// 3 Look
static void look(totem_roster *n, const totem_roster *s, const totem_roster_in *i)
{
    const word     link    = unpack(i->link_read_data);
    const unsigned first   = unpack(i->ends_read_data).low;
    const unsigned last    = unpack(i->ends_read_data).high;
    const bool     pushes  = s->op == ROSTER_PUSH || s->op == ROSTER_PUSH_FIRST;
    const bool     removes = s->op == ROSTER_REMOVE;
    const bool     leads   = removes && s->entry == first;
    const bool     trails  = removes && s->entry == last;
    const bool     present = s->filled[s->list % LISTS];
    const bool     joins   = removes ? !leads && !trails : present;

    n->answer_valid   = true;
    n->answer_refused = s->op == ROSTER_FIRST && !present;
    n->answer_entry   = s->op == ROSTER_FIRST ? (TOTEM_ROSTER_ENTRY)first : s->entry;
    n->linked         = joins;
    if (s->op == ROSTER_FIRST)
        n->phase = ROSTER_REST;
    else
        n->phase = joins ? ROSTER_AHEAD : ROSTER_WRITE;

    // 4 Neighbours
    n->ahead  = (TOTEM_ROSTER_ENTRY)(removes && !leads ? link.high : last);
    n->behind = (TOTEM_ROSTER_ENTRY)(removes && !trails ? link.low : first);

    // 5 Count
    if (pushes)
        n->filled[s->list % LISTS] = true;
    else if (leads && trails)
        n->filled[s->list % LISTS] = false;
    if (pushes || removes)
        n->waiting = (TOTEM_ROSTER_WAITING)((s->waiting + (pushes ? 1u : COUNTS - 1u)) % COUNTS);
}

void totem_roster_step(totem_roster *s, const totem_roster_in *i)
{
    totem_roster n = *s; // what follows the clock edge; s stays as it was before

    const bool accept = i->request_valid && ready(s);

    // 1 Answer
    n.answer_valid = false;
    switch (s->phase) {
    // 2 Read
    case ROSTER_READ: n.phase = ROSTER_LOOK; break;
    case ROSTER_LOOK: look(&n, s, i); break;
    // 6 Links
    case ROSTER_AHEAD: n.phase = ROSTER_BEHIND; break;
    case ROSTER_BEHIND:
        n.ahead_previous = (TOTEM_ROSTER_ENTRY)unpack(i->link_read_data).high;
        n.phase          = ROSTER_LINK;
        break;
    case ROSTER_LINK:
        n.behind_next = (TOTEM_ROSTER_ENTRY)unpack(i->link_read_data).low;
        n.phase       = ROSTER_WRITE;
        break;
    case ROSTER_WRITE: n.phase = ROSTER_REST; break;
    default: break;
    }

    // 7 Accept
    if (accept) {
        n.op    = i->request_op;
        n.list  = i->request_list;
        n.entry = i->request_entry;
        n.phase = ROSTER_READ;
    }

    *s = n;
}

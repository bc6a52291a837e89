// SPDX-License-Identifier: Apache-2.0
//
// totem_lists: twin of rtl/lib/totem_lists.v, from docs/contract/lists.md.

#include "totem_lists.h"

#include "totem_bits.h"

enum {
    ENTRIES    = TOTEM_ENTRIES,
    LISTS      = TOTEM_LISTS,
    COUNTS     = 2 * ENTRIES, // returned and mark have the values below COUNTS
    ENTRY_BITS = TOTEM_BITS(ENTRIES)
};

enum { REST, RETURN, READ, LOOK, FOLLOW, NEXT, WRITE };

_Static_assert(ENTRIES >= 2 && ENTRIES <= 4096 && (ENTRIES & (ENTRIES - 1)) == 0,
               "ENTRIES is a power of two from 2 to 4096");
_Static_assert(LISTS >= 2 && LISTS <= 64 && (LISTS & (LISTS - 1)) == 0, "LISTS is a power of two from 2 to 64");

static bool is_ready(const totem_lists *s)
{
    return s->phase == REST || s->phase == RETURN || s->phase == WRITE;
}

static bool is_push(const totem_lists *s)
{
    return s->op == TOTEM_LISTS_PUSH_TAIL || s->op == TOTEM_LISTS_PUSH_HEAD;
}

static bool is_filled(const totem_lists *s)
{
    return s->filled[s->list % LISTS];
}

// Whether the link of an entry is written in this clock.
static bool links(const totem_lists *s)
{
    if (s->phase != WRITE)
        return s->phase == RETURN;
    return is_push(s) ? is_filled(s) : s->op == TOTEM_LISTS_REPLACE && !s->sole;
}

// Head and tail of the list after the request, as a word of the RAM of ends.
static TOTEM_LISTS_ENDS_READ_DATA ends_after(const totem_lists *s)
{
    unsigned head = s->head; // of POP: the next one already
    unsigned tail = s->tail;

    if (s->op == TOTEM_LISTS_PUSH_TAIL) {
        head = is_filled(s) ? s->head : s->entry;
        tail = s->entry;
    } else if (s->op == TOTEM_LISTS_PUSH_HEAD) {
        head = s->entry;
        tail = is_filled(s) ? s->tail : s->entry;
    } else if (s->op == TOTEM_LISTS_REPLACE) {
        head = s->entry;
        tail = s->sole ? s->entry : s->tail;
    }
    return (TOTEM_LISTS_ENDS_READ_DATA)(tail << ENTRY_BITS | head);
}

void totem_lists_outputs(const totem_lists *s, totem_lists_out *o)
{
    const bool behind = s->phase == WRITE && s->op == TOTEM_LISTS_PUSH_TAIL; // the old tail gets the link

    o->request_ready  = is_ready(s);
    o->answer_valid   = s->answer_valid;
    o->answer_refused = s->answer_refused;
    o->answer_entry   = s->answer_entry;
    for (unsigned n = 0; n < LISTS; n++)
        o->filled[n] = s->filled[n];
    o->room              = (TOTEM_LISTS_RETURNED)((unsigned)(s->returned + ENTRIES + COUNTS - s->mark) % COUNTS);
    o->link_write_enable = links(s);
    o->link_write_addr   = behind ? s->tail : s->entry;
    o->link_write_data   = behind ? s->entry : s->head;
    o->link_read_enable  = s->phase == FOLLOW;
    o->link_read_addr    = s->head;
    o->ends_write_enable = s->phase == WRITE && !(s->op == TOTEM_LISTS_POP && s->sole);
    o->ends_write_addr   = s->list;
    o->ends_write_data   = ends_after(s);
    o->ends_read_enable  = s->phase == READ;
    o->ends_read_addr    = s->list;
}

// Rule 4: the ends have come.
static void look(totem_lists *n, const totem_lists *s, const totem_lists_in *i)
{
    const unsigned head    = i->ends_read_data % ENTRIES;
    const unsigned tail    = i->ends_read_data >> ENTRY_BITS;
    const bool     removes = s->op == TOTEM_LISTS_POP || s->op == TOTEM_LISTS_REPLACE;

    n->head           = (TOTEM_LISTS_ENTRY)head;
    n->tail           = (TOTEM_LISTS_ENTRY)tail;
    n->sole           = head == tail;
    n->answer_valid   = true;
    n->answer_refused = !is_push(s) && !is_filled(s);
    n->answer_entry   = is_push(s) ? s->entry : (TOTEM_LISTS_ENTRY)head;
    if (is_push(s))
        n->phase = WRITE;
    else if (!is_filled(s) || !removes)
        n->phase = REST;
    else
        n->phase = head == tail ? WRITE : FOLLOW;
}

// Rules 8 and 9.
static void accept(totem_lists *n, const totem_lists *s, const totem_lists_in *i)
{
    n->op    = i->request_op;
    n->list  = i->request_list;
    n->entry = i->request_entry;
    n->phase = i->request_op <= TOTEM_LISTS_REPLACE ? READ : REST;
    if (i->request_op <= TOTEM_LISTS_REPLACE)
        return;

    n->answer_valid   = true;
    n->answer_refused = true;
    n->answer_entry   = i->request_entry;
    if (i->request_op == TOTEM_LISTS_TAKE && s->returned != 0) {
        n->answer_refused = false;
        n->answer_entry   = s->top;
        n->head           = s->top;
        n->returned       = (TOTEM_LISTS_RETURNED)((s->returned + COUNTS - 1u) % COUNTS);
        n->phase          = FOLLOW;
    } else if (i->request_op == TOTEM_LISTS_TAKE && s->mark != ENTRIES) {
        n->answer_refused = false;
        n->answer_entry   = (TOTEM_LISTS_ENTRY)(s->mark % ENTRIES);
        n->mark           = (TOTEM_LISTS_RETURNED)((s->mark + 1u) % COUNTS);
    } else if (i->request_op == TOTEM_LISTS_FREE && s->returned != s->mark) {
        n->answer_refused = false;
        n->head           = s->top;
        n->top            = i->request_entry;
        n->returned       = (TOTEM_LISTS_RETURNED)((s->returned + 1u) % COUNTS);
        n->phase          = RETURN;
    }
}

void totem_lists_step(totem_lists *s, const totem_lists_in *i)
{
    totem_lists n = *s; // what follows the clock edge; s stays as it was before

    n.answer_valid = false; // 1.
    switch (s->phase) {
    case RETURN: n.phase = REST; break;
    case READ: n.phase = LOOK; break;
    case LOOK: look(&n, s, i); break;
    case FOLLOW: n.phase = NEXT; break;
    case NEXT: // 6.
        if (s->op == TOTEM_LISTS_TAKE) {
            n.top   = i->link_read_data;
            n.phase = REST;
        } else {
            n.head  = i->link_read_data;
            n.phase = WRITE;
        }
        break;
    case WRITE: // 7.
        n.phase = REST;
        if (is_push(s))
            n.filled[s->list % LISTS] = true;
        else if (s->op == TOTEM_LISTS_POP && s->sole)
            n.filled[s->list % LISTS] = false;
        break;
    default: break;
    }
    if (i->request_valid && is_ready(s))
        accept(&n, s, i);

    *s = n;
}

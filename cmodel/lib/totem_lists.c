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

_Static_assert(ENTRIES >= 2 && ENTRIES <= 4096 && (ENTRIES & (ENTRIES - 1)) == 0,
               "ENTRIES is a power of two from 2 to 4096");
_Static_assert(LISTS >= 2 && LISTS <= 64 && (LISTS & (LISTS - 1)) == 0, "LISTS is a power of two from 2 to 64");

static bool is_ready(const totem_lists *s)
{
    return s->phase == LISTS_REST || s->phase == LISTS_RETURN || s->phase == LISTS_WRITE;
}

static bool pushes(const totem_lists *s)
{
    return s->op == LISTS_PUSH_TAIL || s->op == LISTS_PUSH_HEAD;
}

static bool present(const totem_lists *s)
{
    return s->filled[s->list % LISTS];
}

// Whether the link of an entry is written in this clock.
static bool links(const totem_lists *s)
{
    if (s->phase != LISTS_WRITE)
        return s->phase == LISTS_RETURN;
    return pushes(s) ? present(s) : s->op == LISTS_REPLACE && !s->sole;
}

// Head and tail of the list after the request, as a word of the RAM of ends.
static TOTEM_LISTS_ENDS_READ_DATA ends_after(const totem_lists *s)
{
    unsigned head = s->head; // of POP: the next one already
    unsigned tail = s->tail;

    if (s->op == LISTS_PUSH_TAIL) {
        head = present(s) ? s->head : s->entry;
        tail = s->entry;
    } else if (s->op == LISTS_PUSH_HEAD) {
        head = s->entry;
        tail = present(s) ? s->tail : s->entry;
    } else if (s->op == LISTS_REPLACE) {
        head = s->entry;
        tail = s->sole ? s->entry : s->tail;
    }
    return (TOTEM_LISTS_ENDS_READ_DATA)(tail << ENTRY_BITS | head);
}

void totem_lists_outputs(const totem_lists *s, totem_lists_out *o)
{
    const bool behind = s->phase == LISTS_WRITE && s->op == LISTS_PUSH_TAIL; // the old tail gets the link

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
    o->link_read_enable  = s->phase == LISTS_FOLLOW;
    o->link_read_addr    = s->head;
    o->ends_write_enable = s->phase == LISTS_WRITE && !(s->op == LISTS_POP && s->sole);
    o->ends_write_addr   = s->list;
    o->ends_write_data   = ends_after(s);
    o->ends_read_enable  = s->phase == LISTS_READ;
    o->ends_read_addr    = s->list;
}

// 4 Look
static void look(totem_lists *n, const totem_lists *s, const totem_lists_in *i)
{
    const unsigned head    = i->ends_read_data % ENTRIES;
    const unsigned tail    = i->ends_read_data >> ENTRY_BITS;
    const bool     removes = s->op == LISTS_POP || s->op == LISTS_REPLACE;

    n->head           = (TOTEM_LISTS_ENTRY)head;
    n->tail           = (TOTEM_LISTS_ENTRY)tail;
    n->sole           = head == tail;
    n->answer_valid   = true;
    n->answer_refused = !pushes(s) && !present(s);
    n->answer_entry   = pushes(s) ? s->entry : (TOTEM_LISTS_ENTRY)head;
    if (pushes(s))
        n->phase = LISTS_WRITE;
    else if (!present(s) || !removes)
        n->phase = LISTS_REST;
    else
        n->phase = head == tail ? LISTS_WRITE : LISTS_FOLLOW;
}

// 8 Accept
static void take_request(totem_lists *n, const totem_lists *s, const totem_lists_in *i)
{
    n->op    = i->request_op;
    n->list  = i->request_list;
    n->entry = i->request_entry;
    n->phase = i->request_op <= LISTS_REPLACE ? LISTS_READ : LISTS_REST;
    if (i->request_op <= LISTS_REPLACE)
        return;

    // 9 Free entries
    n->answer_valid   = true;
    n->answer_refused = true;
    n->answer_entry   = i->request_entry;
    if (i->request_op == LISTS_TAKE && s->returned != 0) {
        n->answer_refused = false;
        n->answer_entry   = s->top;
        n->head           = s->top;
        n->returned       = (TOTEM_LISTS_RETURNED)((s->returned + COUNTS - 1u) % COUNTS);
        n->phase          = LISTS_FOLLOW;
    } else if (i->request_op == LISTS_TAKE && s->mark != ENTRIES) {
        n->answer_refused = false;
        n->answer_entry   = (TOTEM_LISTS_ENTRY)(s->mark % ENTRIES);
        n->mark           = (TOTEM_LISTS_RETURNED)((s->mark + 1u) % COUNTS);
    } else if (i->request_op == LISTS_FREE && s->returned != s->mark) {
        n->answer_refused = false;
        n->head           = s->top;
        n->top            = i->request_entry;
        n->returned       = (TOTEM_LISTS_RETURNED)((s->returned + 1u) % COUNTS);
        n->phase          = LISTS_RETURN;
    }
}

void totem_lists_step(totem_lists *s, const totem_lists_in *i)
{
    totem_lists n = *s; // what follows the clock edge; s stays as it was before

    const bool accept = i->request_valid && is_ready(s);

    // 1 Answer
    n.answer_valid = false;
    switch (s->phase) {
    // 2 Return
    case LISTS_RETURN: n.phase = LISTS_REST; break;
    // 3 Read
    case LISTS_READ: n.phase = LISTS_LOOK; break;
    case LISTS_LOOK: look(&n, s, i); break;
    // 5 Follow
    case LISTS_FOLLOW: n.phase = LISTS_NEXT; break;
    // 6 Next
    case LISTS_NEXT:
        if (s->op == LISTS_TAKE) {
            n.top   = i->link_read_data;
            n.phase = LISTS_REST;
        } else {
            n.head  = i->link_read_data;
            n.phase = LISTS_WRITE;
        }
        break;
    // 7 Write
    case LISTS_WRITE:
        n.phase = LISTS_REST;
        if (pushes(s))
            n.filled[s->list % LISTS] = true;
        else if (s->op == LISTS_POP && s->sole)
            n.filled[s->list % LISTS] = false;
        break;
    default: break;
    }
    if (accept)
        take_request(&n, s, i);

    *s = n;
}

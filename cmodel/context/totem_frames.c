// SPDX-License-Identifier: Apache-2.0
//
// totem_frames: twin of rtl/context/totem_frames.v, from docs/contract/frames.md.

#include "totem_frames.h"

enum { SETS = TOTEM_SETS, BANKS = TOTEM_BANKS, REGISTERS = TOTEM_REGISTERS, ROWS = REGISTERS / BANKS };
enum { OPS = 3, TABLE = SETS + 1 };

_Static_assert(SETS >= 2 && SETS <= 16 && (SETS & (SETS - 1)) == 0, "TOTEM_SETS is a power of two from 2 to 16");
_Static_assert((BANKS & (BANKS - 1)) == 0 && (REGISTERS & (REGISTERS - 1)) == 0 && REGISTERS >= 2 * BANKS,
               "TOTEM_BANKS and TOTEM_REGISTERS are powers of two, at least two rows");

static unsigned bank(unsigned index)
{
    return index % BANKS;
}

static unsigned row(unsigned index)
{
    return index / BANKS;
}

static uint16_t address(unsigned frame, unsigned place)
{
    return (uint16_t)(frame * ROWS + place % ROWS);
}

static bool accesses(uint8_t kind)
{
    return kind == OP_WRITE || kind == OP_READ;
}

// Who has the turn of which bank.
typedef struct {
    uint16_t index; // register of the next operation
    bool     lacks;
    bool     issue;
    bool     table_turn;
    bool     copy_turn[BANKS];
} turns;

static void share(const totem_frames *s, turns *t)
{
    const unsigned e         = s->look ? 1 : 0;
    const bool     candidate = s->op_count > e && accesses(s->op_kind[e]) && !s->want;

    t->index         = s->op_index[e];
    const bool there = !(s->copying && (s->copy_target == s->now || (s->copy_source == s->now && !s->fresh))) ||
                       row(t->index) < s->copy_done[bank(t->index)];
    t->lacks      = candidate && !there;
    t->issue      = candidate && there;
    t->table_turn = s->table_held && !s->table_look && !t->issue && !(s->op_count > 0 && s->op_kind[0] == OP_CLEAR) &&
                    !(s->copying && s->copy_source == TABLE);
    for (unsigned b = 0; b < BANKS; b++)
        t->copy_turn[b] = s->copying && s->copy_read[b] < ROWS && !(t->issue && bank(t->index) == b) &&
                          !(t->table_turn && bank(s->table_index) == b);
}

static bool roll_room(const totem_frames *s)
{
    return !s->copying || s->fresh;
}

void totem_frames_outputs(const totem_frames *s, totem_frames_out *o)
{
    turns t;

    share(s, &t);
    o->op_ready    = s->op_count < OPS;
    o->idle        = s->op_count == 0 && (!s->put || s->put_table);
    o->read_valid  = s->read_valid;
    o->read_data   = s->read_data;
    o->refused     = s->refused;
    o->table_ready = !s->table_held;
    o->roll_want   = s->want;
    o->roll_room   = roll_room(s);
    o->changed     = s->put && !s->put_table;
    o->cleared     = s->cleared;
    for (unsigned set = 0; set < SETS; set++)
        o->frame[set] = s->frame[set];
    o->copying        = s->copying;
    o->copy_target    = s->copy_target;
    o->written        = s->written;
    o->filtered       = s->filtered;
    o->exposed_clocks = s->exposed_clocks;

    for (unsigned b = 0; b < BANKS; b++) {
        const bool written     = s->put && bank(s->put_index) == b;
        const bool issued      = t.issue && bank(t.index) == b;
        const bool forwarded   = s->put && s->put_frame == s->now && s->put_index == t.index;
        o->ram_write_enable[b] = written || s->copy_put[b];
        o->ram_write_addr[b] =
            written ? address(s->put_frame, row(s->put_index)) : address(s->copy_target, s->copy_done[b]);
        o->ram_write_data[b]  = written ? s->put_data : s->copy_data[b];
        o->ram_read_enable[b] = t.copy_turn[b] || (issued && !forwarded);
        o->ram_read_addr[b]   = issued ? address(s->now, row(t.index)) : address(s->copy_source, s->copy_read[b]);
    }
}

static void start(totem_frames *n, uint8_t source, uint8_t target)
{
    n->copying     = true;
    n->copy_source = source;
    n->copy_target = target;
    for (unsigned b = 0; b < BANKS; b++) {
        n->copy_read[b] = 0;
        n->copy_done[b] = 0;
        n->copy_look[b] = false;
        n->copy_put[b]  = false;
    }
}

static void stop(totem_frames *n)
{
    n->copying = false;
    for (unsigned b = 0; b < BANKS; b++) {
        n->copy_look[b] = false;
        n->copy_put[b]  = false;
    }
}

// 2 Copy, continued
static void copy(totem_frames *n, const totem_frames *s, const totem_frames_in *i, const turns *t)
{
    bool all = true;

    for (unsigned b = 0; b < BANKS; b++) {
        all = all && s->copy_done[b] == ROWS;
        if (s->copy_put[b])
            n->copy_done[b] = (uint8_t)((s->copy_done[b] + 1) % (2 * ROWS));
        n->copy_put[b] = s->copy_look[b];
        if (s->copy_look[b])
            n->copy_data[b] = i->ram_read_data[b];
        n->copy_look[b] = t->copy_turn[b];
        if (t->copy_turn[b])
            n->copy_read[b] = (uint8_t)(s->copy_read[b] + 1);
    }
    if (s->copying && all)
        n->copying = false;
}

// 6 Operation 0, continued: a WRITE or READ is decided. Says whether it leaves.
static bool decide(totem_frames *n, const totem_frames *s, const totem_frames_in *i)
{
    const uint16_t index = s->op_index[0];
    uint32_t       old   = i->ram_read_data[bank(index)];

    if (s->put && s->put_frame == s->now && s->put_index == index)
        old = s->put_data;
    else if (s->past && s->past_frame == s->now && s->past_index == index)
        old = s->past_data;
    const uint32_t value = (old & ~s->op_mask[0]) | (s->op_data[0] & s->op_mask[0]);

    if (s->op_kind[0] == OP_READ) {
        n->read_valid = true;
        n->read_data  = old;
    } else if (value == old && i->filter_enable) {
        n->filtered = s->filtered + 1;
    } else if (i->context_used) {
        n->want = true;
        n->look = false; // what was issued behind it is issued again later
        return false;
    } else {
        n->put       = true;
        n->put_table = false;
        n->put_frame = s->now;
        n->put_index = index;
        n->put_data  = value;
        n->written   = s->written + 1;
        if (n->fresh) {
            n->fresh = false;
            if (n->copying)
                stop(n);
        }
    }
    return true;
}

// 6 Operation 0, continued. Says whether it leaves.
static bool execute(totem_frames *n, const totem_frames *s, const totem_frames_in *i, bool roll, bool clear_waits)
{
    if (s->look)
        return decide(n, s, i);
    if (s->want) {
        if (!roll && !i->context_used)
            n->want = false; // the draws have ended: it is tried again
        return false;
    }
    if (s->op_count == 0)
        return false;
    if (s->op_kind[0] == OP_REFUSED) {
        n->refused = true;
        return true;
    }
    if (s->op_kind[0] != OP_CLEAR || s->table_look || clear_waits)
        return false;
    if (i->context_used) {
        n->want = true;
        return false;
    }
    start(n, TABLE, s->now);
    n->fresh   = false;
    n->cleared = true;
    return true;
}

// 8 Roll, continued. Says whether operation 0 leaves.
static bool follow_roll(totem_frames *n, const totem_frames *s, const totem_frames_in *i)
{
    const bool clear = s->want && s->op_kind[0] == OP_CLEAR;

    n->now                        = s->spare;
    n->spare                      = s->frame[i->context_roll_set];
    n->frame[i->context_roll_set] = s->spare;
    if (clear) {
        start(n, TABLE, s->spare);
        n->cleared = true;
    } else if (!s->fresh) {
        start(n, s->now, s->spare);
    }
    n->fresh = false;
    n->want  = false;
    return clear;
}

// 9 Queue, continued
static void queue(totem_frames *n, const totem_frames *s, const totem_frames_in *i, bool leaves)
{
    const unsigned left = (s->op_count - (leaves ? 1u : 0u)) % (OPS + 1);
    const bool     take = i->op_valid && s->op_count < OPS;

    for (unsigned k = 0; k + 1 < OPS; k++)
        if (leaves) {
            n->op_kind[k]  = s->op_kind[k + 1];
            n->op_index[k] = s->op_index[k + 1];
            n->op_data[k]  = s->op_data[k + 1];
            n->op_mask[k]  = s->op_mask[k + 1];
        }
    for (unsigned k = 0; k < OPS; k++)
        if (take && k == left) {
            const bool outside = accesses(i->op_kind) && i->op_index >= REGISTERS;
            n->op_kind[k]      = outside ? OP_REFUSED : i->op_kind;
            n->op_index[k]     = (uint16_t)(i->op_index % REGISTERS);
            n->op_data[k]      = i->op_data;
            n->op_mask[k]      = i->op_mask;
        }
    n->op_count = (uint8_t)((left + (take ? 1u : 0u)) % (OPS + 1));
}

void totem_frames_step(totem_frames *s, const totem_frames_in *i)
{
    totem_frames n = *s; // what follows the clock edge; s stays as it was before
    turns        t;

    share(s, &t);
    const bool want        = s->want || i->context_roll_want;
    const bool roll        = want && i->context_roll_free && roll_room(s);
    const bool clear_waits = !s->look && !s->want && s->op_count > 0 && s->op_kind[0] == OP_CLEAR && !s->table_look &&
                             !i->context_used && s->copying && !s->fresh && s->copy_target != s->now;

    // 1 Past
    n.past       = s->put;
    n.past_frame = s->put_frame;
    n.past_index = s->put_index;
    n.past_data  = s->put_data;
    n.put        = false;
    n.put_table  = false;
    n.read_valid = false;
    n.refused    = false;
    n.cleared    = false;

    // 2 Copy
    copy(&n, s, i, &t);

    // 3 Copy-ahead
    if ((i->context_used || i->context_has_tag) && !s->fresh && !s->copying && !s->put && !roll &&
        !i->context_hit_valid) {
        start(&n, s->now, s->spare);
        n.fresh = true;
    }

    // 4 Table
    n.table_look = t.table_turn;
    if (s->table_look) {
        n.put        = true;
        n.put_table  = true;
        n.put_frame  = TABLE;
        n.put_index  = s->table_index;
        n.put_data   = s->table_data;
        n.table_held = false;
    }
    if (i->table_valid && !s->table_held) {
        n.table_held  = true;
        n.table_index = i->table_index;
        n.table_data  = i->table_data;
    }

    // 5 Issue
    n.look = t.issue;

    // 6 Operation 0
    bool leaves = execute(&n, s, i, roll, clear_waits);

    // 7 Hit
    if (i->context_hit_valid && s->frame[i->context_hit_set] != s->now) {
        n.now = s->frame[i->context_hit_set];
        if (s->fresh) {
            n.fresh = false;
            if (s->copying)
                stop(&n);
        }
    }

    // 8 Roll
    if (roll && follow_roll(&n, s, i))
        leaves = true;

    // 9 Queue
    queue(&n, s, i, leaves);

    // 10 Statistics
    if (t.lacks || clear_waits || (want && i->context_roll_free && !roll_room(s)))
        n.exposed_clocks = s->exposed_clocks + 1;

    *s = n;
}

// Operation 0 is there, and of a kind that can be looked at, or can wait for a roll.
bool totem_frames_invariant(const totem_frames *s)
{
    return !(s->look && s->want) && (!s->look || (s->op_count > 0 && accesses(s->op_kind[0]))) &&
           (!s->want || (s->op_count > 0 && (s->op_kind[0] == OP_WRITE || s->op_kind[0] == OP_CLEAR)));
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_route: twin of rtl/partition/totem_route.v, from docs/contract/route.md.

#include "totem_route.h"

enum {
    TARGETS   = TOTEM_ROUTE_TARGETS,
    READ_IDS  = 1 << TOTEM_READER_BITS,
    WRITE_IDS = 1 << TOTEM_WRITE_ID_BITS, // of a master at a target, too
    MOST      = 3,                        // outstanding of an ID
    HERE      = TARGETS,                  // place of what is refused in the turns
    KEPT      = TARGETS + 1,              // of responses that were kept
    PLACES    = TARGETS + 2,
    NONE      = 0,     // response of nothing
    LAST      = 1 << 8 // of strobe, r_head_tag, r_tail_tag
};

_Static_assert(TARGETS >= 1 && TARGETS <= 4, "TARGETS is 1 to 4");
_Static_assert(TOTEM_WRITE_ID_BITS <= 6, "a write ID has at most 6 bits");
_Static_assert(TOTEM_READER_BITS <= TOTEM_WRITE_ID_BITS, "a read ID has no more bits than a write ID");

// A request in an inbox.
typedef struct {
    uint64_t addr;
    uint8_t  len, target, id;
    bool     lock;
} request;

static uint64_t pack(request r)
{
    return r.addr | (uint64_t)r.len << 37 | (uint64_t)r.lock << 41 | (uint64_t)r.target << 42 | (uint64_t)r.id << 45;
}

// `ids`: READ_IDS or WRITE_IDS.
static request unpack(uint64_t word, unsigned ids)
{
    return (request){.addr   = word & ((UINT64_C(1) << 37) - 1),
                     .len    = word >> 37 & 15,
                     .lock   = word >> 41 & 1,
                     .target = word >> 42 & 7,
                     .id     = (uint8_t)(word >> 45 & (ids - 1))};
}

// -- reads ------------------------------------------------------------------------------------------------------------

static bool aside_may(const totem_route *s, unsigned id)
{
    return s->aside_valid[id] && s->reads[id] == 0 &&
           !(unpack(s->aside[id], READ_IDS).target == ROUTE_NOWHERE && s->read_refused);
}

// The first ID of turn, turn + 1, .. of which that holds; the turn if there is none.
static uint8_t first_id(const totem_route *s, bool (*holds)(const totem_route *, unsigned), unsigned ids, uint8_t turn,
                        bool *some)
{
    uint8_t low = turn, high = turn;
    bool    below = false, above = false;
    for (unsigned k = ids; k-- > 0;)
        if (holds(s, k)) {
            low   = k < turn ? (uint8_t)k : low;
            high  = k >= turn ? (uint8_t)k : high;
            below = below || k < turn;
            above = above || k >= turn;
        }
    *some = below || above;
    return above ? high : low;
}

// What may leave: a read that was put aside, or the first of the inbox.
typedef struct {
    request read;
    bool    may, from_aside;
} candidate;

static bool head_may(const totem_route *s)
{
    const request r = unpack(s->ar.head, READ_IDS);
    const bool    fits =
        s->reads[r.id] == 0 || (s->reads[r.id] < MOST && s->read_at[r.id] == r.target && r.target != ROUTE_NOWHERE);
    return s->ar.count != 0 && !s->aside_valid[r.id] && fits && !(r.target == ROUTE_NOWHERE && s->read_refused);
}

static bool head_moves(const totem_route *s)
{
    const request r = unpack(s->ar.head, READ_IDS);
    return s->ar.count != 0 && !s->aside_valid[r.id] && s->reads[r.id] != 0 &&
           (s->read_at[r.id] != r.target || r.target == ROUTE_NOWHERE);
}

static candidate next_read(const totem_route *s)
{
    bool          some;
    const uint8_t aside_pick = first_id(s, aside_may, READ_IDS, s->aside_turn, &some);
    const bool    from_aside = some && !s->head_stands;
    request       read       = unpack(from_aside ? s->aside[aside_pick & (READ_IDS - 1)] : s->ar.head, READ_IDS);
    if (from_aside)
        read.id = aside_pick;
    const bool read_may = from_aside || head_may(s);
    return (candidate){.read = read, .may = read_may, .from_aside = from_aside};
}

// -- writes -----------------------------------------------------------------------------------------------------------

static bool aw_may(const totem_route *s)
{
    const request r = unpack(s->aw.head, WRITE_IDS);
    return s->aw.count != 0 && !s->open && s->writes[r.id] < 2 && !s->early_valid[r.id] &&
           !(r.target == ROUTE_NOWHERE && s->write_refused);
}

static bool w_may(const totem_route *s)
{
    return s->open && s->data.count != 0;
}

// It goes: its target is ready, or it has none.
static bool goes(bool may, uint8_t target, const bool ready[TARGETS])
{
    return may && (target == ROUTE_NOWHERE || (target < TARGETS && ready[target]));
}

// -- responses --------------------------------------------------------------------------------------------------------

static bool early_may(const totem_route *s, unsigned id)
{
    return s->early_valid[id] && s->writes[id] == 1;
}

// There is a response of a target, or of what is refused (HERE).
static bool there(const totem_route *s, unsigned place)
{
    return place == HERE ? s->write_refused : s->b_count[place] != 0;
}

// The write that it answers is the first of its ID.
static bool leads(const totem_route *s, unsigned place)
{
    return place == HERE ? s->write_at[s->write_refused_id] == ROUTE_NOWHERE
                         : s->write_at[s->b_head[place] & (WRITE_IDS - 1)] == place;
}

static bool due(const totem_route *s, unsigned place)
{
    return there(s, place) && leads(s, place);
}

static bool moves(const totem_route *s, unsigned place)
{
    return there(s, place) && !leads(s, place);
}

// What goes to the master.
typedef struct {
    uint8_t place, id; // early_pick if the place is KEPT
    bool    some;
} answer;

static answer next_response(const totem_route *s)
{
    bool          kept;
    const uint8_t early_pick = first_id(s, early_may, WRITE_IDS, s->early_turn, &kept);
    uint8_t       low = 0xff, high = 0xff; // the first below the turn, and from it on
    for (uint8_t place = 0; place < PLACES; place++) {
        const bool has = place == KEPT ? kept : due(s, place);
        if (has && place < s->b_turn && low == 0xff)
            low = place;
        if (has && place >= s->b_turn && high == 0xff)
            high = place;
    }
    const bool    b_some = low != 0xff || high != 0xff;
    const uint8_t b_pick = high != 0xff ? high : b_some ? low : s->b_turn;
    return (answer){.place = b_pick, .id = early_pick, .some = b_some};
}

// The first of turn, turn + 1, .. (modulo TARGETS + 1) that has a beat; the turn if none has.
static uint8_t pick(const uint8_t count[TARGETS], bool refused, uint8_t turn)
{
    uint8_t low = 0xff, high = 0xff; // the first below the turn, and from it on
    for (uint8_t n = 0; n <= TARGETS; n++) {
        const bool has = n == HERE ? refused : count[n] != 0;
        if (has && n < turn && low == 0xff)
            low = n;
        if (has && n >= turn && high == 0xff)
            high = n;
    }
    return high != 0xff ? high : low != 0xff ? low : turn;
}

static bool some(const uint8_t count[TARGETS], bool refused)
{
    for (unsigned c = 0; c < TARGETS; c++)
        refused = refused || count[c] != 0;
    return refused;
}

void totem_route_outputs(const totem_route *s, totem_route_out *o)
{
    const candidate next = next_read(s);
    const request   read = next.read, write = unpack(s->aw.head, WRITE_IDS);
    const uint8_t   r_pick = pick(s->r_count, s->read_refused, s->r_turn);
    const answer    b      = next_response(s);

    o->ar_ready = s->ar.count < 2;
    o->aw_ready = s->aw.count < 2;
    o->w_ready  = s->data.count < 2;

    o->to_ar_id    = read.id;
    o->to_ar_addr  = read.addr;
    o->to_ar_len   = read.len;
    o->to_ar_lock  = read.lock;
    o->to_aw_id    = write.id;
    o->to_aw_addr  = write.addr;
    o->to_aw_len   = write.len;
    o->to_aw_lock  = write.lock;
    o->to_w_data   = s->data.head;
    o->to_w_strobe = (uint8_t)s->strobe.head;
    o->to_w_last   = s->strobe.head & LAST;
    o->idle        = s->ar.count == 0 && s->aw.count == 0 && s->data.count == 0 && !s->open;

    for (unsigned c = 0; c < TARGETS; c++) {
        o->to_ar_valid[c] = next.may && read.target == c;
        o->to_aw_valid[c] = aw_may(s) && write.target == c;
        o->to_w_valid[c]  = w_may(s) && s->open_at == c;
        o->r_room[c]      = s->r_count[c] != 2;
        o->b_room[c]      = s->b_count[c] != 2;
        o->busy[c]        = s->waits[c] != 0;
    }
    for (unsigned id = 0; id < READ_IDS; id++) {
        o->idle = o->idle && !s->aside_valid[id] && s->reads[id] == 0;
        for (unsigned c = 0; c < TARGETS; c++)
            o->busy[c] = o->busy[c] || (s->aside_valid[id] && unpack(s->aside[id], READ_IDS).target == c) ||
                         (s->reads[id] != 0 && s->read_at[id] == c);
    }
    for (unsigned id = 0; id < WRITE_IDS; id++) {
        o->idle = o->idle && s->writes[id] == 0;
        for (unsigned c = 0; c < TARGETS; c++)
            o->busy[c] = o->busy[c] || (s->writes[id] != 0 && s->write_at[id] == c) ||
                         (s->writes[id] >= 2 && s->write_then[id] == c);
    }

    const bool r_some = some(s->r_count, s->read_refused), b_some = b.some;
    o->r_valid    = r_some;
    o->r_id       = 0;
    o->r_data     = 0;
    o->r_response = NONE;
    o->r_last     = false;
    o->b_valid    = b_some;
    o->b_id       = 0;
    o->b_response = NONE;
    if (r_some && r_pick == HERE) {
        o->r_id       = s->read_refused_id;
        o->r_response = ROUTE_SLVERR;
        o->r_last     = s->read_refused_left == 0;
    }
    if (b_some && b.place == HERE) {
        o->b_id       = s->write_refused_id;
        o->b_response = ROUTE_SLVERR;
    }
    if (b_some && b.place == KEPT) {
        o->b_id       = b.id;
        o->b_response = s->early[b.id & (WRITE_IDS - 1)];
    }
    for (unsigned c = 0; c < TARGETS; c++) {
        if (r_some && r_pick == c) {
            o->r_id       = (uint8_t)(s->r_head_tag[c] & (READ_IDS - 1));
            o->r_data     = s->r_head[c];
            o->r_response = s->r_head_tag[c] >> 6 & 3;
            o->r_last     = s->r_head_tag[c] & LAST;
        }
        if (b_some && b.place == c) {
            o->b_id       = s->b_head[c] & (WRITE_IDS - 1);
            o->b_response = s->b_head[c] >> 6;
        }
    }

    o->refused_valid = s->refused_valid;
    o->refused_id    = s->refused_id;
    o->refused_write = s->refused_write;
    o->refusals      = s->refusals;
}

// 1 Requests
static void requests(totem_route *n, const totem_route *s, const totem_route_in *i, bool ar_take, bool aw_goes,
                     bool w_goes)
{
    const request  read   = {.addr   = i->read_addr,
                             .len    = i->master_ar_len,
                             .lock   = i->master_ar_lock,
                             .target = i->read_hit ? i->read_target : ROUTE_NOWHERE,
                             .id     = i->master_ar_id};
    const request  write  = {.addr   = i->write_addr,
                             .len    = i->master_aw_len,
                             .lock   = i->master_aw_lock,
                             .target = i->write_hit ? i->write_target : ROUTE_NOWHERE,
                             .id     = i->master_aw_id};
    totem_inbox_in ar     = {.in_valid = i->master_ar_valid, .in_data = pack(read), .out_take = ar_take};
    totem_inbox_in aw     = {.in_valid = i->master_aw_valid, .in_data = pack(write), .out_take = aw_goes};
    totem_inbox_in data   = {.in_valid = i->master_w_valid, .in_data = i->master_w_data, .out_take = w_goes};
    totem_inbox_in strobe = {.in_valid = i->master_w_valid && s->data.count < 2,
                             .in_data  = (uint64_t)(i->master_w_last ? LAST : 0) | i->master_w_strobe,
                             .out_take = w_goes};
    totem_inbox_step(&n->ar, &ar);
    totem_inbox_step(&n->aw, &aw);
    totem_inbox_step(&n->data, &data);
    totem_inbox_step(&n->strobe, &strobe);

    const uint8_t from_ar = unpack(s->ar.head, READ_IDS).target, from_aw = unpack(s->aw.head, WRITE_IDS).target;
    for (unsigned c = 0; c < TARGETS; c++) {
        const int come = (i->master_ar_valid && s->ar.count < 2 && read.target == c) +
                         (i->master_aw_valid && s->aw.count < 2 && write.target == c);
        const int go = (ar_take && from_ar == c) + (aw_goes && from_aw == c);
        n->waits[c]  = (uint8_t)((s->waits[c] + come - go) & 7);
    }
}

// 3 Beats. And the first beat of r_pick that is gone (4).
static void beats(totem_route *n, const totem_route *s, const totem_route_in *i, bool taken, uint8_t r_pick)
{
    for (unsigned c = 0; c < TARGETS; c++) {
        const bool beat_comes = i->target_r_valid[c] && i->target_r_ready[c] && s->r_count[c] != 2 &&
                                i->target_r_id[c] / WRITE_IDS == i->source_number;
        const bool     gone = taken && r_pick == c;
        const uint16_t tag  = (uint16_t)((i->target_r_last[c] ? LAST : 0) | i->target_r_response[c] << 6 |
                                        (i->target_r_id[c] & (READ_IDS - 1)));
        if (gone) {
            n->r_head[c]     = s->r_tail[c];
            n->r_head_tag[c] = s->r_tail_tag[c];
        }
        if (beat_comes && (s->r_count[c] == 0 || (gone && s->r_count[c] == 1))) {
            n->r_head[c]     = i->target_r_data[c];
            n->r_head_tag[c] = tag;
        } else if (beat_comes) {
            n->r_tail[c]     = i->target_r_data[c];
            n->r_tail_tag[c] = tag;
        }
        n->r_count[c] = (uint8_t)((s->r_count[c] + beat_comes - gone) & 3);
    }
}

// 5 Write
static void writes(totem_route *n, const totem_route *s, const request *write, bool aw_goes, bool b_taken, uint8_t b_id)
{
    if (b_taken) {
        n->writes[b_id]   = (uint8_t)((s->writes[b_id] - 1) & 3);
        n->write_at[b_id] = s->write_then[b_id];
    }
    if (!aw_goes)
        return;
    if (n->writes[write->id] == 0)
        n->write_at[write->id] = write->target;
    else
        n->write_then[write->id] = write->target;
    n->writes[write->id] = (uint8_t)((n->writes[write->id] + 1) & 3);
    n->open              = true;
    n->open_at           = write->target;
    n->open_id           = write->id;
}

// 7 Responses
static void responses(totem_route *n, const totem_route *s, const totem_route_in *i, bool b_taken, const answer *b)
{
    for (unsigned c = 0; c < TARGETS; c++) {
        const bool response_comes = i->target_b_valid[c] && i->target_b_ready[c] && s->b_count[c] != 2 &&
                                    i->target_b_id[c] / WRITE_IDS == i->source_number;
        const bool    gone = moves(s, c) || (b_taken && b->place == c);
        const uint8_t word = (uint8_t)(i->target_b_response[c] << 6 | (i->target_b_id[c] & (WRITE_IDS - 1)));
        if (moves(s, c)) {
            n->early_valid[s->b_head[c] & (WRITE_IDS - 1)] = true;
            n->early[s->b_head[c] & (WRITE_IDS - 1)]       = s->b_head[c] >> 6;
        }
        if (gone)
            n->b_head[c] = s->b_tail[c];
        if (response_comes && (s->b_count[c] == 0 || (gone && s->b_count[c] == 1)))
            n->b_head[c] = word;
        else if (response_comes)
            n->b_tail[c] = word;
        n->b_count[c] = (uint8_t)((s->b_count[c] + response_comes - gone) & 3);
    }
    if (moves(s, HERE)) {
        n->early_valid[s->write_refused_id] = true;
        n->early[s->write_refused_id]       = ROUTE_SLVERR;
    }
    if (moves(s, HERE) || (b_taken && b->place == HERE))
        n->write_refused = false;
    if (b_taken && b->place == KEPT)
        n->early_valid[b->id] = false;
    if (b->some && b->place == KEPT)
        n->early_turn = b_taken ? (uint8_t)((b->id + 1) % WRITE_IDS) : b->id;
    if (b->some)
        n->b_turn = !b_taken ? b->place : b->place == KEPT ? 0 : (uint8_t)((b->place + 1) & 7);
}

// The turn behind this pick.
static uint8_t next_turn(uint8_t picked, bool taken)
{
    if (!taken)
        return picked;
    return picked == HERE ? 0 : (uint8_t)((picked + 1) & 7);
}

void totem_route_step(totem_route *s, const totem_route_in *i)
{
    totem_route     n = *s; // what follows the clock edge; s stays as it was before
    totem_route_out o;
    totem_route_outputs(s, &o);
    const candidate next = next_read(s);
    const request   read = next.read, write = unpack(s->aw.head, WRITE_IDS);
    const bool      read_goes = goes(next.may, read.target, i->target_ar_ready);
    const bool      ar_take   = head_moves(s) || (read_goes && !next.from_aside);
    const bool      aw_goes   = goes(aw_may(s), write.target, i->target_aw_ready);
    const bool      w_goes    = goes(w_may(s), s->open_at, i->target_w_ready);
    const uint8_t   r_pick    = pick(s->r_count, s->read_refused, s->r_turn);
    const answer    b         = next_response(s);
    const bool      r_taken = o.r_valid && i->master_r_ready, b_taken = o.b_valid && i->master_b_ready;
    const bool      no_read  = read_goes && read.target == ROUTE_NOWHERE;
    const bool      no_write = aw_goes && write.target == ROUTE_NOWHERE;

    requests(&n, s, i, ar_take, aw_goes, w_goes);

    // 2 Read
    if (head_moves(s)) {
        const uint8_t id  = unpack(s->ar.head, READ_IDS).id;
        n.aside_valid[id] = true;
        n.aside[id]       = s->ar.head & ((UINT64_C(1) << 45) - 1);
    }
    if (read_goes) {
        n.reads[read.id]   = (uint8_t)((s->reads[read.id] + 1) & 3);
        n.read_at[read.id] = read.target;
        if (next.from_aside)
            n.aside_valid[read.id] = false;
    }
    if (no_read) {
        n.read_refused      = true;
        n.read_refused_id   = read.id;
        n.read_refused_left = read.len;
    }
    n.head_stands = head_may(s) && !next.from_aside && !read_goes;
    if (next.from_aside)
        n.aside_turn = read_goes ? (uint8_t)((read.id + 1) % READ_IDS) : read.id;

    beats(&n, s, i, r_taken, r_pick);

    // 4 To the master
    if (r_taken && r_pick == HERE) {
        n.read_refused_left = (uint8_t)((s->read_refused_left - 1) & 15);
        if (s->read_refused_left == 0)
            n.read_refused = false;
    }
    if (r_taken && o.r_last)
        n.reads[o.r_id] = (uint8_t)((n.reads[o.r_id] - 1) & 3);
    if (o.r_valid)
        n.r_turn = next_turn(r_pick, r_taken);

    writes(&n, s, &write, aw_goes, b_taken, o.b_id);

    // 6 Data
    if (w_goes && s->strobe.head & LAST) {
        n.open = false;
        if (s->open_at == ROUTE_NOWHERE) {
            n.write_refused    = true;
            n.write_refused_id = s->open_id;
        }
    }

    responses(&n, s, i, b_taken, &b);

    // 8 Refusals
    n.refused_valid = no_read || no_write;
    if (n.refused_valid) {
        n.refused_write = no_write;
        n.refused_id    = no_write ? write.id : read.id;
    }
    n.refusals = s->refusals + no_read + no_write;

    *s = n;
}

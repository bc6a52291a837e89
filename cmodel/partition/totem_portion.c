// SPDX-License-Identifier: Apache-2.0
//
// totem_portion: one cache portion, 64 lines of 64 bytes between the shader engines and the memory channels.
// Twin of rtl/partition/totem_portion.v; the rules are those of docs/contract/portion.md.

#include "totem_portion.h"

enum { ENGINES = TOTEM_SE_COUNT, WRITES = TOTEM_PORTION_WRITES, NO_ENTRY = WRITES };

_Static_assert(WRITES >= 2 && WRITES <= 16 && (WRITES & (WRITES - 1)) == 0, "WRITES is a power of two from 2 to 16");

// A line address has bits [39:6] of an address, a word address bits [39:3].
static uint64_t line_of(uint64_t word)
{
    return word >> 3;
}

static unsigned place_of(uint64_t line)
{
    return (unsigned)((line & 0x3c) | ((line ^ line >> 6) & 3));
}

static uint32_t tag_of(uint64_t line)
{
    return (uint32_t)(line >> 6);
}

static uint64_t bit_of(unsigned place)
{
    return (uint64_t)1 << place;
}

static bool is_error(unsigned resp)
{
    return resp >= 2;
}

static unsigned read_place(const totem_portion *s, unsigned e)
{
    return place_of(line_of(s->read_addr[e]));
}

static bool wants(const totem_portion *s, unsigned e)
{
    return s->phase[e] == PORTION_WAIT || s->phase[e] == PORTION_FULL;
}

static bool filling(const totem_portion *s, unsigned e)
{
    return s->phase[e] == PORTION_FILL || s->phase[e] == PORTION_FULL;
}

static bool data_read(const totem_portion *s)
{
    return s->serve_valid && (!s->fetched || s->held < 2);
}

void totem_portion_outputs(const totem_portion *s, totem_portion_out *o)
{
    o->idle = !s->b_valid;
    for (unsigned w = 0; w < WRITES; w++)
        o->idle = o->idle && !s->flying[w];

    o->r_id = o->r_resp  = 0;
    o->data_read_addr    = s->serve_word;
    o->data_write_enable = false;
    o->data_write_addr   = 0;
    o->tag_read_enable   = false;
    o->tag_read_addr     = 0;
    for (unsigned e = 0; e < ENGINES; e++) {
        o->ar_ready[e] = s->phase[e] == PORTION_EMPTY;
        o->aw_ready[e] = !s->write_valid[e];
        o->idle        = o->idle && o->ar_ready[e] && o->aw_ready[e];
        if (e == s->head_engine) {
            o->r_id   = s->read_id[e];
            o->r_resp = s->read_resp[e];
        }
        if (e == s->serve_engine)
            o->data_read_addr = (uint16_t)(read_place(s, e) << 3 | s->serve_word);
        if (e == s->beat_fill) {
            o->data_write_enable = s->beat_valid && s->phase[e] == PORTION_FILL;
            o->data_write_addr   = (uint16_t)(read_place(s, e) << 3 | s->fill_word[e]);
        }
        if (e == s->turn) {
            o->tag_read_enable = !s->look && wants(s, e);
            o->tag_read_addr   = (uint8_t)read_place(s, e);
        }
    }

    o->r_valid          = s->held != 0;
    o->r_engine         = s->head_engine;
    o->r_data           = s->head_data;
    o->r_last           = s->head_last;
    o->b_valid          = s->b_valid;
    o->b_engine         = s->b_engine;
    o->b_id             = s->b_id;
    o->b_resp           = s->b_resp;
    o->m_ar_valid       = s->m_ar_valid;
    o->m_ar_id          = s->m_ar_id;
    o->m_ar_addr        = s->m_ar_line << 6;
    o->m_aw_valid       = s->m_aw_valid;
    o->m_aw_id          = s->m_aw_id;
    o->m_aw_addr        = s->m_aw_word << 3;
    o->m_w_data         = s->m_w_data;
    o->m_w_strb         = s->m_w_strb;
    o->m_r_ready        = true;
    o->m_b_ready        = !s->b_valid;
    o->data_read_enable = data_read(s);
    o->data_write_data  = s->beat_data;
    o->tag_write_enable = s->m_ar_valid;
    o->tag_write_addr   = (uint8_t)place_of(s->m_ar_line);
    o->tag_write_data   = tag_of(s->m_ar_line);
    o->hits             = s->hits;
    o->misses           = s->misses;
    o->refusals         = s->refusals;
}

// What comes first: the line of a read that waits, the line of a write, or both.
typedef struct {
    bool     chief_read, chief_write;
    uint64_t read_line, write_line;
} chiefs;

static chiefs chiefs_of(const totem_portion *s)
{
    chiefs c = {0};
    for (unsigned e = 0; e < ENGINES; e++)
        if (e == s->first) {
            c.chief_read  = !s->first_write && s->phase[e] == PORTION_WAIT;
            c.chief_write = s->write_valid[e] && (s->first_write || (c.chief_read && s->behind[e]));
            c.read_line   = line_of(s->read_addr[e]);
            c.write_line  = line_of(s->write_addr[e]);
        }
    return c;
}

// The lowest engine above the present one that wants, or else the lowest; the present one if none wants.
static uint8_t next_of(const bool wanting[ENGINES], unsigned engine)
{
    unsigned next = engine;
    for (unsigned e = ENGINES; e-- > 0;)
        if (wanting[e])
            next = e;
    for (unsigned e = ENGINES; e-- > 0;)
        if (wanting[e] && e > engine)
            next = e;
    return (uint8_t)next;
}

static bool blocked(const totem_portion *s, unsigned e)
{
    const uint64_t line   = line_of(s->read_addr[e]);
    bool           result = s->behind[e] && line_of(s->write_addr[e]) == line;
    for (unsigned w = 0; w < WRITES; w++)
        result = result || (s->flying[w] && s->flying_line[w] == line);
    for (unsigned other = 0; other < ENGINES; other++)
        result = result || (other != e && filling(s, other) && read_place(s, other) == read_place(s, e));
    return result;
}

// The lookup of the read whose turn it is.
typedef struct {
    bool looks, hit, miss, full, serves, starts;
} lookup;

static lookup lookup_of(const totem_portion *s, const totem_portion_in *i, const chiefs *c, unsigned e)
{
    const uint64_t line    = line_of(s->read_addr[e]);
    const bool     open    = s->phase[e] == PORTION_WAIT && !blocked(s, e);
    const bool     room    = !s->serve_valid || (data_read(s) && s->serve_left == 0);
    const bool     present = (s->valid & bit_of(place_of(line))) != 0 && i->tag_read_data == tag_of(line);
    const bool     later   = c->chief_read && s->first != e && place_of(c->read_line) == place_of(line);
    lookup         l;

    l.looks  = s->look && wants(s, e);
    l.full   = s->phase[e] == PORTION_FULL;
    l.hit    = open && present;
    l.miss   = open && !present && !later;
    l.serves = l.looks && room && (l.hit || l.full);
    l.starts = l.looks && room && l.miss && (!s->m_ar_valid || i->route_ar_ready);
    return l;
}

static bool same(const totem_portion *s, unsigned e)
{
    bool result = false;
    for (unsigned w = 0; w < WRITES; w++)
        result = result || (s->flying[w] && (s->flying_line[w] == line_of(s->write_addr[e]) ||
                                             (s->flying_engine[w] == e && s->flying_id[w] == s->write_id[e])));
    return result;
}

// The entry that the write of engine e takes now, or NO_ENTRY.
static unsigned sends(const totem_portion *s, const totem_portion_in *i, const chiefs *c, unsigned e)
{
    const uint64_t line  = line_of(s->write_addr[e]);
    const bool     chief = c->chief_write && s->first == e;
    const bool     yields =
        !chief && ((c->chief_read && c->read_line == line) || (c->chief_write && c->write_line == line));
    unsigned entry = NO_ENTRY;
    unsigned spare = 0;
    for (unsigned w = WRITES; w-- > 0;)
        if (!s->flying[w]) {
            entry = w;
            spare++;
        }
    if (!s->write_valid[e] || same(s, e) || yields || spare < (chief ? 1 : 2) || (s->m_aw_valid && !i->route_aw_ready))
        return NO_ENTRY;
    return entry;
}

// A response ends the write of entry w.
static bool returns(const totem_portion *s, const totem_portion_in *i, unsigned w)
{
    return i->route_b_valid && !s->b_valid && w == i->route_b_id && s->flying[w];
}

static void accept(totem_portion *n, const totem_portion *s, const totem_portion_in *i, unsigned e)
{
    // 1 Accept
    if (i->engine_ar_valid[e] && s->phase[e] == PORTION_EMPTY) {
        n->phase[e]     = PORTION_WAIT;
        n->read_id[e]   = i->engine_ar_id[e];
        n->read_addr[e] = i->engine_ar_addr[e] >> 3;
        n->read_len[e]  = i->engine_ar_len[e];
        n->behind[e]    = s->write_valid[e];
    }
    if (i->engine_aw_valid[e] && !s->write_valid[e]) {
        n->write_valid[e] = true;
        n->write_id[e]    = i->engine_aw_id[e];
        n->write_addr[e]  = i->engine_aw_addr[e] >> 3;
        n->write_data[e]  = i->engine_w_data[e];
        n->write_strb[e]  = i->engine_w_strb[e];
    }
}

static void fill(totem_portion *n, const totem_portion *s, unsigned e)
{
    // 3 Fill
    const bool fails = is_error(s->beat_resp) || s->beat_last != (s->fill_word[e] == 7);
    n->fill_word[e]  = (s->fill_word[e] + 1) & 7;
    if (fails && s->read_resp[e] == 0)
        n->read_resp[e] = is_error(s->beat_resp) ? s->beat_resp : 2;
    if (s->beat_last) {
        n->phase[e] = PORTION_FULL;
        if (n->read_resp[e] != 0)
            n->refusals++;
        else if (!s->poisoned[e])
            n->valid |= bit_of(read_place(s, e));
    }
}

static void answer(totem_portion *n, const totem_portion *s, const totem_portion_in *i)
{
    const bool take = i->r_ready && s->held != 0;
    const bool move = s->fetched && s->held < 2;

    // 4 Buffer
    if (take || s->held == 0) {
        n->head_data   = s->held >= 2 ? s->tail_data : i->data_read_data;
        n->head_engine = s->held >= 2 ? s->tail_engine : s->fetched_engine;
        n->head_last   = s->held >= 2 ? s->tail_last : s->fetched_last;
    }
    if (s->held < 2) {
        n->tail_data   = i->data_read_data;
        n->tail_engine = s->fetched_engine;
        n->tail_last   = s->fetched_last;
    }
    n->held = (uint8_t)((4u + s->held + move - take) & 3);
    for (unsigned e = 0; e < ENGINES; e++)
        if (take && s->head_last && e == s->head_engine)
            n->phase[e] = PORTION_EMPTY;

    // 5 Read
    if (data_read(s)) {
        n->fetched        = true;
        n->fetched_engine = s->serve_engine;
        n->fetched_last   = s->serve_left == 0;
        n->serve_valid    = s->serve_left != 0;
        n->serve_word     = (s->serve_word + 1) & 7;
        n->serve_left     = (uint8_t)(s->serve_left + 7u) & 7;
    } else if (move)
        n->fetched = false;
}

// Rules 7 and 8; true if the lookup holds.
static bool look_up(totem_portion *n, const totem_portion *s, const totem_portion_in *i, const chiefs *c, unsigned e)
{
    const lookup l = lookup_of(s, i, c, e);

    // 7 Serve
    if (l.serves) {
        n->phase[e]     = PORTION_ANSWER;
        n->serve_valid  = true;
        n->serve_engine = (uint8_t)e;
        n->serve_word   = s->read_addr[e] & 7;
        n->serve_left   = s->read_len[e];
        if (l.hit) {
            n->read_resp[e] = 0;
            n->hits++;
        }
    }

    // 8 Start
    if (l.starts) {
        n->phase[e]     = PORTION_FILL;
        n->read_resp[e] = 0;
        n->poisoned[e]  = false;
        n->fill_word[e] = 0;
        n->misses++;
        n->valid &= ~bit_of(read_place(s, e));
        n->m_ar_valid = true;
        n->m_ar_id    = (uint8_t)e;
        n->m_ar_line  = line_of(s->read_addr[e]);
    }
    return l.looks && (l.hit || l.miss || l.full) && !l.serves && !l.starts;
}

// The write of engine e goes to memory as that of an entry.
static void send(totem_portion *n, const totem_portion *s, unsigned e, unsigned entry)
{
    // 10 Send
    n->write_valid[e] = false;
    n->behind[e]      = false;
    n->m_aw_valid     = true;
    n->m_aw_id        = (uint8_t)entry;
    n->m_aw_word      = s->write_addr[e];
    n->m_w_data       = s->write_data[e];
    n->m_w_strb       = s->write_strb[e];
    for (unsigned w = 0; w < WRITES; w++)
        if (w == entry) {
            n->flying[w]        = true;
            n->flying_engine[w] = (uint8_t)e;
            n->flying_id[w]     = s->write_id[e];
            n->flying_line[w]   = line_of(s->write_addr[e]);
        }
}

// Places that the snoops and a flush empty.
static uint64_t snooped(const totem_portion_in *i)
{
    uint64_t emptied = i->flush ? ~(uint64_t)0 : 0;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (i->snoop_valid[f]) {
            emptied |= bit_of(place_of(i->snoop_addr[f]));
            if (i->snoop_pair[f])
                emptied |= bit_of(place_of(i->snoop_addr[f] + 1));
        }
    return emptied;
}

void totem_portion_step(totem_portion *s, const totem_portion_in *i)
{
    totem_portion n       = *s; // what follows the clock edge; s stays as it was before
    const chiefs  c       = chiefs_of(s);
    uint64_t      emptied = snooped(i);
    bool          asked   = false;
    bool          holds   = false;
    bool          wanting[ENGINES];

    for (unsigned e = 0; e < ENGINES; e++) {
        wanting[e] = wants(s, e);
        accept(&n, s, i, e);
        if (e == s->beat_fill && s->beat_valid && s->phase[e] == PORTION_FILL)
            fill(&n, s, e);
    }

    // 2 Beat
    n.beat_valid = i->route_r_valid;
    n.beat_fill  = i->route_r_id;
    n.beat_data  = i->route_r_data;
    n.beat_resp  = i->route_r_resp;
    n.beat_last  = i->route_r_last;

    answer(&n, s, i);

    // 6 Sent
    if (i->route_ar_ready)
        n.m_ar_valid = false;
    if (i->route_aw_ready)
        n.m_aw_valid = false;
    if (i->b_ready)
        n.b_valid = false;

    for (unsigned e = 0; e < ENGINES; e++)
        if (e == s->turn) {
            asked = !s->look && wanting[e];
            holds = look_up(&n, s, i, &c, e);
        }

    // 9 Turn
    if (asked)
        n.look = true;
    else if (!holds) {
        n.look = false;
        n.turn = next_of(wanting, s->turn);
    }

    // 10 Send, continued
    for (unsigned e = 0; e < ENGINES; e++)
        if (e == s->write_turn) {
            const unsigned entry = sends(s, i, &c, e);
            if (entry != NO_ENTRY) {
                send(&n, s, e, entry);
                emptied |= bit_of(place_of(line_of(s->write_addr[e])));
            }
        }
    if (!s->m_aw_valid || i->route_aw_ready)
        n.write_turn = next_of(s->write_valid, s->write_turn);

    // 11 Response
    for (unsigned w = 0; w < WRITES; w++)
        if (returns(s, i, w)) {
            n.flying[w] = false;
            n.b_valid   = true;
            n.b_engine  = s->flying_engine[w];
            n.b_id      = s->flying_id[w];
            n.b_resp    = i->route_b_resp;
            if (is_error(i->route_b_resp))
                n.refusals++;
        }

    // 12 First
    if (!s->first_write) {
        if (!c.chief_read)
            n.first_write = true;
    } else if (!c.chief_write) {
        n.first_write = false;
        n.first       = (uint8_t)(s->first + 1u < ENGINES ? s->first + 1u : 0);
    }

    // 13 Empty
    n.valid &= ~emptied;
    for (unsigned e = 0; e < ENGINES; e++)
        if (emptied & bit_of(read_place(s, e)))
            n.poisoned[e] = true;

    *s = n;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_partition: who owns every unit, requests for another map, and the decision for applications.
// Twin of rtl/partition/totem_partition.v; the rules are those of docs/contract/partition.md.

#include "totem_partition.h"

enum {
    FE_AT      = 0, // number of the first unit of a kind
    SE_AT      = TOTEM_FE_COUNT,
    LANE_AT    = SE_AT + TOTEM_SE_COUNT,
    PORTION_AT = LANE_AT + TOTEM_LANES,
    CHANNEL_AT = PORTION_AT + TOTEM_PORTIONS,
    UNITS      = CHANNEL_AT + TOTEM_CHANNELS
};

enum { PATHS = 4, HOMES = 4, WEIGHTS = 16, MAIL = 5, MAILED = 32 }; // MAILED: units that dwords 1 to 4 have bits for

#define LEAST(a, b) ((a) < (b) ? (a) : (b))

enum {
    SLICES = LEAST(LEAST(LEAST(TOTEM_FE_COUNT, TOTEM_SE_COUNT), TOTEM_LANES), LEAST(TOTEM_PORTIONS, TOTEM_CHANNELS))
};

_Static_assert(TOTEM_FE_COUNT <= 4 && TOTEM_SE_COUNT <= 4 && TOTEM_PORTIONS <= 4 && TOTEM_CHANNELS <= 4,
               "at most 4 of each kind but lanes");
_Static_assert(TOTEM_FE_COUNT <= TOTEM_LANES && TOTEM_LANES <= 8, "FE_COUNT to 8 lanes");

typedef struct {
    bool is[6];
} failures;

typedef struct {
    uint8_t portion[HOMES];
} home_list;

static bool busy(const totem_partition *s)
{
    return s->phase != PARTITION_REST && s->phase != PARTITION_ANSWER;
}

static bool answer_valid(const totem_partition *s)
{
    return s->phase == PARTITION_ANSWER || s->refused;
}

static uint8_t answer_code(const totem_partition *s)
{
    return s->phase == PARTITION_ANSWER ? s->code : REQUEST_BUSY;
}

static uint8_t path_of(const totem_partition *s, unsigned unit)
{
    return s->owner[unit] & 3u;
}

static bool foreign(const totem_partition *s, unsigned a, unsigned b)
{
    const bool on = s->owner[a] < OWNER_NONE && s->owner[b] < OWNER_NONE;
    return !(on && s->owner[a] == s->owner[b]);
}

void totem_partition_outputs(const totem_partition *s, totem_partition_out *o)
{
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        o->path_of_fe[f] = path_of(s, FE_AT + f);
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            o->foreign_fe_se[f * TOTEM_SE_COUNT + e] = foreign(s, FE_AT + f, SE_AT + e);
        for (unsigned l = 0; l < TOTEM_LANES; l++)
            o->foreign_fe_lane[f * TOTEM_LANES + l] = foreign(s, FE_AT + f, LANE_AT + l);
        for (unsigned p = 0; p < TOTEM_PORTIONS; p++)
            o->foreign_fe_portion[f * TOTEM_PORTIONS + p] = foreign(s, FE_AT + f, PORTION_AT + p);
        for (unsigned c = 0; c < TOTEM_CHANNELS; c++)
            o->foreign_fe_channel[f * TOTEM_CHANNELS + c] = foreign(s, FE_AT + f, CHANNEL_AT + c);
    }
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        o->path_of_se[e] = path_of(s, SE_AT + e);
        for (unsigned t = 0; t < TOTEM_SE_COUNT; t++)
            o->foreign_se_se[e * TOTEM_SE_COUNT + t] = e != t && foreign(s, SE_AT + e, SE_AT + t);
        for (unsigned p = 0; p < TOTEM_PORTIONS; p++)
            o->foreign_se_portion[e * TOTEM_PORTIONS + p] = foreign(s, SE_AT + e, PORTION_AT + p);
    }
    for (unsigned l = 0; l < TOTEM_LANES; l++) {
        o->path_of_lane[l] = path_of(s, LANE_AT + l);
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            o->foreign_lane_se[l * TOTEM_SE_COUNT + e] = foreign(s, LANE_AT + l, SE_AT + e);
    }
    for (unsigned p = 0; p < TOTEM_PORTIONS; p++) {
        o->path_of_portion[p] = path_of(s, PORTION_AT + p);
        for (unsigned c = 0; c < TOTEM_CHANNELS; c++)
            o->foreign_portion_channel[p * TOTEM_CHANNELS + c] = foreign(s, PORTION_AT + p, CHANNEL_AT + c);
    }
    for (unsigned c = 0; c < TOTEM_CHANNELS; c++)
        o->path_of_channel[c] = path_of(s, CHANNEL_AT + c);

    for (unsigned u = 0; u < UNITS; u++) {
        o->owner[u]   = s->owner[u];
        o->wanted[u]  = s->wanted[u];
        o->changes[u] = s->changes[u];
    }
    for (unsigned h = 0; h < PATHS * HOMES; h++)
        o->homes[h] = s->homes[h];
    for (unsigned p = 0; p < PATHS; p++) {
        o->fe_per_path[p]    = s->fe_per_path[p];
        o->lanes_per_path[p] = s->lanes_per_path[p];
    }
    o->homes_valid   = s->homes_valid;
    o->mail_busy     = busy(s);
    o->change_valid  = s->phase == PARTITION_CHANGE;
    o->answer_valid  = answer_valid(s);
    o->answer_code   = answer_code(s);
    o->answer_source = s->phase == PARTITION_ANSWER ? s->source : s->refused_source;
    o->done_count    = s->done_count;
    o->refused_count = s->refused_count;
}

// The 4 bits of a unit in dwords 1 to 4.
static uint8_t named(const totem_partition *s, unsigned unit)
{
    return (uint8_t)(s->mail[1 + unit / 8] >> unit % 8 * 4 & 15);
}

static bool misnamed(const totem_partition *s)
{
    bool found = s->beyond;
    for (unsigned u = 0; u < MAILED; u++)
        found |= u < UNITS ? named(s, u) > OWNER_NONE : named(s, u) != 0;
    return found;
}

static unsigned kind(const totem_partition *s)
{
    return s->mail[0] & 3;
}

static bool present(const totem_partition *s)
{
    if (kind(s) == REQUEST_PATHS)
        return s->step < (s->mail[1] & 7);
    return s->mail[1 + s->step] >> 31;
}

static uint8_t weighs(const totem_partition *s)
{
    const uint32_t application = s->mail[1 + s->step];
    if (kind(s) == REQUEST_PATHS)
        return 1;
    return s->weights[(application & 3) << 2 | (application >> 2 & 3)];
}

static bool beats(const totem_partition *s, unsigned a, unsigned b)
{
    if (s->share[b] == 0)
        return false;
    return s->share[a] == 0 || (uint32_t)s->weight[b] * s->share[a] > (uint32_t)s->weight[a] * s->share[b];
}

static unsigned greatest(const totem_partition *s)
{
    const unsigned lower = beats(s, 0, 1) ? 1 : 0;
    const unsigned upper = beats(s, 2, 3) ? 3 : 2;
    return beats(s, lower, upper) ? upper : lower;
}

// Who owns slice `step` now.
static uint8_t keeper(const totem_partition *s)
{
    if (s->step >= SLICES)
        return OWNER_NONE;
    const uint8_t of = s->owner[FE_AT + s->step];
    if (s->owner[SE_AT + s->step] != of || s->owner[PORTION_AT + s->step] != of || s->owner[CHANNEL_AT + s->step] != of)
        return OWNER_NONE;
    return of;
}

static uint8_t taker(const totem_partition *s)
{
    for (uint8_t p = 0; p < PATHS - 1; p++)
        if (s->share[p] != 0)
            return p;
    return PATHS - 1;
}

static unsigned count(const uint8_t *map, unsigned path, unsigned first, unsigned end)
{
    unsigned found = 0;
    for (unsigned u = first; u < end; u++)
        found += map[u] == path;
    return found;
}

static failures lacks(const totem_partition *s)
{
    const unsigned front_ends = count(s->wanted, s->step, FE_AT, SE_AT);
    const unsigned engines    = count(s->wanted, s->step, SE_AT, LANE_AT);
    const unsigned lanes      = count(s->wanted, s->step, LANE_AT, PORTION_AT);
    const unsigned portions   = count(s->wanted, s->step, PORTION_AT, CHANNEL_AT);
    const unsigned channels   = count(s->wanted, s->step, CHANNEL_AT, UNITS);
    const bool     any        = front_ends + engines + lanes + portions + channels != 0;
    return (failures){{any && front_ends == 0, any && engines == 0, any && lanes == 0, any && portions == 0,
                       any && channels == 0, front_ends > lanes}};
}

static bool moved(const totem_partition *s, unsigned unit)
{
    return s->wanted[unit] != s->owner[unit];
}

// The answer to what is wanted; REQUEST_DONE: nothing speaks against it.
static uint8_t verdict(const totem_partition *s, const totem_partition_in *i)
{
    static const uint8_t codes[6] = {REQUEST_EMPTY_FE,      REQUEST_EMPTY_SE,      REQUEST_EMPTY_LANE,
                                     REQUEST_EMPTY_PORTION, REQUEST_EMPTY_CHANNEL, REQUEST_LANES};

    for (unsigned k = 0; k < 6; k++)
        if (s->fails >> k & 1)
            return codes[k];
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (moved(s, FE_AT + f) && i->without_mqd[f])
            return REQUEST_MQD;
    for (unsigned c = 0; c < TOTEM_CHANNELS; c++)
        if (moved(s, CHANNEL_AT + c) && i->live_window[c])
            return REQUEST_LIVE_WINDOW;
    for (unsigned u = 0; u < UNITS; u++)
        if (moved(s, u))
            return REQUEST_DONE;
    return REQUEST_SAME;
}

// Portions of path `home_step` in ascending order, again and again.
static home_list home(const totem_partition *s)
{
    home_list list  = {{0}};
    uint8_t   below = TOTEM_PORTIONS - 1; // the next one is the lowest
    for (unsigned h = 0; h < HOMES; h++) {
        uint8_t next  = 0;
        bool    found = false;
        for (uint8_t k = 1; k <= TOTEM_PORTIONS; k++) {
            const uint8_t portion = (uint8_t)(below + k < TOTEM_PORTIONS ? below + k : below + k - TOTEM_PORTIONS);
            if (!found && s->owner[PORTION_AT + portion] == s->home_step) {
                next  = portion;
                found = true;
            }
        }
        if (found)
            list.portion[h] = below = next;
    }
    return list;
}

static void answer(totem_partition *n, uint8_t code)
{
    n->code  = code;
    n->phase = PARTITION_ANSWER;
}

static void read(totem_partition *n, const totem_partition *s)
{
    // 3 Read
    n->step  = 0;
    n->left  = SLICES;
    n->fails = 0;
    if (s->mail[0] >> 2 != 0 || (kind(s) == REQUEST_PATHS && (s->mail[1] & 7) > PATHS)) {
        answer(n, REQUEST_KIND);
    } else if (kind(s) == REQUEST_NO_CHANGE) {
        answer(n, REQUEST_SAME);
    } else if (kind(s) != REQUEST_OWNERS) {
        n->phase = PARTITION_WEIGH;
    } else if (misnamed(s)) {
        answer(n, REQUEST_UNIT);
    } else {
        for (unsigned u = 0; u < UNITS; u++)
            n->wanted[u] = named(s, u) & 7;
        n->phase = PARTITION_CHECK;
    }
}

static void weigh(totem_partition *n, const totem_partition *s)
{
    const bool takes_part = present(s);

    // 4 Weigh
    n->weight[s->step & 3] = weighs(s);
    n->share[s->step & 3]  = takes_part;
    n->left                = (uint8_t)(8 + s->left - takes_part) % 8;
    n->step                = (s->step + 1u) % PATHS;
    if (takes_part && s->left == 0)
        answer(n, REQUEST_EMPTY_FE);
    else if (s->step == PATHS - 1) {
        n->phase = PARTITION_GIVE;
        if (s->left == SLICES && !takes_part)
            answer(n, REQUEST_KIND);
    }
}

static void give(totem_partition *n, const totem_partition *s)
{
    // 5 Give
    if (s->left == 0) {
        n->phase = PARTITION_KEEP;
    } else {
        const unsigned path = greatest(s);
        n->share[path]      = (s->share[path] + 1u) % 8;
        n->left             = (s->left + 7u) % 8;
    }
}

static void next_slice(totem_partition *n, const totem_partition *s, uint8_t behind)
{
    if (s->step == SLICES - 1) {
        n->step  = 0;
        n->phase = behind;
    } else {
        n->step = (s->step + 1u) % 4;
    }
}

static void keep(totem_partition *n, const totem_partition *s)
{
    const uint8_t path = keeper(s);

    // 6 Keep
    n->slice[s->step & 3] = OWNER_NONE;
    if (path < PATHS && s->share[path] != 0) {
        n->slice[s->step & 3] = path;
        n->share[path]        = (s->share[path] + 7u) % 8;
    }
    next_slice(n, s, PARTITION_FILL);
}

static void fill(totem_partition *n, const totem_partition *s)
{
    const uint8_t path = taker(s);

    // 7 Fill
    if (s->slice[s->step & 3] == OWNER_NONE) {
        n->slice[s->step & 3] = path;
        n->share[path]        = (s->share[path] + 7u) % 8;
    }
    next_slice(n, s, PARTITION_SPREAD);
}

// 8 Spread
static void spread_kind(totem_partition *n, const totem_partition *s, unsigned first, unsigned units)
{
    for (unsigned k = 0; k < units; k++)
        n->wanted[first + k] = s->slice[k % SLICES];
}

static void spread(totem_partition *n, const totem_partition *s)
{
    spread_kind(n, s, FE_AT, TOTEM_FE_COUNT);
    spread_kind(n, s, SE_AT, TOTEM_SE_COUNT);
    spread_kind(n, s, LANE_AT, TOTEM_LANES);
    spread_kind(n, s, PORTION_AT, TOTEM_PORTIONS);
    spread_kind(n, s, CHANNEL_AT, TOTEM_CHANNELS);
    n->phase = PARTITION_CHECK;
}

static void check(totem_partition *n, const totem_partition *s)
{
    const failures now = lacks(s);

    // 9 Check
    for (unsigned k = 0; k < 6; k++)
        n->fails = (uint8_t)(n->fails | now.is[k] << k);
    n->step = (s->step + 1u) % PATHS;
    if (s->step == PATHS - 1)
        n->phase = PARTITION_JUDGE;
}

static void judge(totem_partition *n, const totem_partition *s, const totem_partition_in *i)
{
    // 10 Judge
    for (unsigned u = 0; u < UNITS; u++)
        n->changes[u] = moved(s, u);
    n->committed = false;
    n->code      = verdict(s, i);
    n->phase     = n->code == REQUEST_DONE ? PARTITION_CHANGE : PARTITION_ANSWER;
}

static void change(totem_partition *n, const totem_partition *s, const totem_partition_in *i)
{
    const bool took = s->committed || i->quiesce_commit;

    // 11 Change
    if (i->quiesce_commit) {
        for (unsigned u = 0; u < UNITS; u++)
            n->owner[u] = s->wanted[u];
        n->committed = true;
    }
    if (i->quiesce_done || i->quiesce_released)
        answer(n, took ? REQUEST_DONE : REQUEST_TIMEOUT);
}

static void work(totem_partition *n, const totem_partition *s, const totem_partition_in *i)
{
    switch (s->phase) {
    case PARTITION_READ: read(n, s); break;
    case PARTITION_WEIGH: weigh(n, s); break;
    case PARTITION_GIVE: give(n, s); break;
    case PARTITION_KEEP: keep(n, s); break;
    case PARTITION_FILL: fill(n, s); break;
    case PARTITION_SPREAD: spread(n, s); break;
    case PARTITION_CHECK: check(n, s); break;
    case PARTITION_JUDGE: judge(n, s, i); break;
    case PARTITION_CHANGE: change(n, s, i); break;
    // 12 Answer
    case PARTITION_ANSWER: n->phase = PARTITION_REST; break;
    default: break;
    }
}

static void list_homes(totem_partition *n, const totem_partition *s, const totem_partition_in *i)
{
    // 15 Homes
    if (!s->homes_valid) {
        const home_list list = home(s);
        for (unsigned p = 0; p < PATHS; p++)
            for (unsigned h = 0; h < HOMES && p == s->home_step; h++)
                n->homes[p * HOMES + h] = list.portion[h];
        n->fe_per_path[s->home_step]    = (uint8_t)count(s->owner, s->home_step, FE_AT, SE_AT);
        n->lanes_per_path[s->home_step] = (uint8_t)count(s->owner, s->home_step, LANE_AT, PORTION_AT);
        n->homes_valid                  = s->home_step == PATHS - 1;
        n->home_step                    = (s->home_step + 1u) % PATHS;
    }
    if (s->phase == PARTITION_CHANGE && i->quiesce_commit) {
        n->homes_valid = false;
        n->home_step   = 0;
    }
}

void totem_partition_step(totem_partition *s, const totem_partition_in *i)
{
    totem_partition n      = *s; // what follows the clock edge; s stays as it was before
    const bool      accept = i->mail_send && !busy(s);

    // 1 Mail
    if (i->mail_valid && !busy(s)) {
        if (i->mail_index < MAIL)
            n.mail[i->mail_index] = i->mail_data;
        else if (i->mail_data != 0)
            n.beyond = true;
    }

    // 2 Weights
    if (i->weight_write)
        n.weights[i->weight_index] = i->weight_value;

    work(&n, s, i);

    // 12 Answer, continued
    if (n.phase == PARTITION_ANSWER) {
        for (unsigned d = 0; d < MAIL; d++)
            n.mail[d] = 0;
        n.beyond = false;
    }
    if (answer_valid(s) && (answer_code(s) == REQUEST_DONE || answer_code(s) == REQUEST_SAME))
        n.done_count = s->done_count + 1;
    else if (answer_valid(s))
        n.refused_count = s->refused_count + 1;

    // 13 Request
    if (accept) {
        n.phase  = PARTITION_READ;
        n.source = i->mail_source;
    }

    // 14 Refuse
    n.refused = (i->mail_send && busy(s)) || (s->refused && s->phase == PARTITION_ANSWER);
    if (i->mail_send && busy(s))
        n.refused_source = i->mail_source;

    list_homes(&n, s, i);

    *s = n;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_partition: maps, decisions, refusals and meetings of docs/contract/partition.md. The bench plays the mailbox's
// writers and `quiesce`, which commits a few clocks after it is asked.
//
// Configuration: full, because four slices show every rule.

#include "block_bench.h"

#include "totem_partition.h"

BENCH(partition)

enum { MOST = 60 };

// Everything belongs to path 0, and the homes are listed.
static void open_bench(bench *b)
{
    fresh(b);
    ticks(b, 4);
}

#define RULE(name) RULE_OF(bench, open_bench, b, name)

static void put(bench *b, unsigned index, uint32_t data)
{
    b->i.mail_valid = true;
    b->i.mail_index = (uint8_t)index;
    b->i.mail_data  = data;
    tick(b);
}

// The request that stands in the mailbox, until it is answered or given to quiesce.
static void send(bench *b)
{
    b->i.mail_send = true;
    tick(b);
    CLOCKS_UNTIL(b, b->o.answer_valid || b->o.change_valid, MOST);
}

// The same, with a commit; the answer is left standing.
static unsigned request(bench *b)
{
    send(b);
    if (b->o.change_valid) {
        ticks(b, 3);
        b->i.quiesce_commit = true;
        tick(b);
        b->i.quiesce_done = true;
        tick(b);
    }
    assert_true(b->o.answer_valid);
    return b->o.answer_code;
}

static unsigned paths(bench *b, unsigned count)
{
    put(b, 0, REQUEST_PATHS);
    put(b, 1, count);
    return request(b);
}

#if TOTEM_SE_COUNT == 1
// A machine with one slice: no second path.
RULE(one_slice)
{
    assert_int_equal(paths(b, 1), REQUEST_SAME);
    assert_int_equal(paths(b, 2), REQUEST_EMPTY_FE);
    assert_int_equal(b->o.owner[0], 0);
    put(b, 0, REQUEST_APPLICATIONS);
    put(b, 3, 1u << 31);
    assert_int_equal(request(b), REQUEST_DONE);
    assert_int_equal(b->o.owner[0], 2);
    CLOCKS_UNTIL(b, b->o.homes_valid, 4);
    assert_int_equal(b->o.fe_per_path[2], 1);
    put(b, 0, REQUEST_OWNERS);
    assert_int_equal(request(b), REQUEST_DONE);
    assert_int_equal(b->o.owner[0], 0);
}
#endif

#if TOTEM_SE_COUNT == 4
enum { FE = 0, SE = 4, LANE = 8, PORTION = 16, CHANNEL = 20, UNITS = 24, NONE = OWNER_NONE };

static void put_owners(bench *b, const uint8_t *map)
{
    put(b, 0, REQUEST_OWNERS);
    for (unsigned d = 0; d < UNITS / 8; d++) {
        uint32_t data = 0;
        for (unsigned k = 0; k < 8; k++)
            data |= (uint32_t)map[d * 8 + k] << 4 * k;
        put(b, 1 + d, data);
    }
}

static unsigned owners(bench *b, const uint8_t *map)
{
    put_owners(b, map);
    return request(b);
}

enum { ABSENT = 16 };

// Four applications: complexity in [3:2], resolution in [1:0], or ABSENT.
static unsigned applications(bench *b, unsigned p0, unsigned p1, unsigned p2, unsigned p3)
{
    const unsigned what[4] = {p0, p1, p2, p3};

    put(b, 0, REQUEST_APPLICATIONS);
    for (unsigned p = 0; p < 4; p++)
        if (what[p] != ABSENT)
            put(b, 1 + p, 1u << 31 | what[p] >> 2 | (what[p] & 3) << 2);
    return request(b);
}

// Slice i with all its units belongs to that path.
static void slices(bench *b, unsigned s0, unsigned s1, unsigned s2, unsigned s3)
{
    const unsigned of[4] = {s0, s1, s2, s3};

    for (unsigned u = 0; u < UNITS; u++)
        assert_int_equal(b->o.owner[u], of[u % 4]);
}

static void homes(bench *b, unsigned path, unsigned h0, unsigned h1, unsigned h2, unsigned h3)
{
    const unsigned of[4] = {h0, h1, h2, h3};

    CLOCKS_UNTIL(b, b->o.homes_valid, 4);
    for (unsigned h = 0; h < 4; h++)
        assert_int_equal(b->o.homes[4 * path + h], of[h]);
}

static const uint8_t one[UNITS], two[UNITS] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};

RULE(reset)
{
    slices(b, 0, 0, 0, 0);
    homes(b, 0, 0, 1, 2, 3);
    assert_int_equal(b->o.fe_per_path[0], 4);
    assert_int_equal(b->o.lanes_per_path[0], 8);
    for (unsigned k = 0; k < 16; k++)
        assert_false(b->o.foreign_fe_se[k] || b->o.foreign_se_se[k] || b->o.foreign_portion_channel[k]);
}

// Pairs of units of the maps: foreign unless one path owns both.
static void pairs(bench *b)
{
    const uint8_t *of = b->o.owner;

#define PAIR(port, first, second) assert_int_equal(b->o.port, of[first] == NONE || of[first] != of[second])
    for (unsigned x = 0; x < 4; x++)
        for (unsigned y = 0; y < 8; y++) {
            PAIR(foreign_fe_lane[x * 8 + y], FE + x, LANE + y);
            PAIR(foreign_lane_se[y * 4 + x], SE + x, LANE + y);
            if (y >= 4)
                continue;
            PAIR(foreign_fe_se[x * 4 + y], FE + x, SE + y);
            PAIR(foreign_se_portion[x * 4 + y], SE + x, PORTION + y);
            PAIR(foreign_portion_channel[x * 4 + y], PORTION + x, CHANNEL + y);
            PAIR(foreign_fe_channel[x * 4 + y], FE + x, CHANNEL + y);
            PAIR(foreign_fe_portion[x * 4 + y], FE + x, PORTION + y);
            if (x != y)
                PAIR(foreign_se_se[x * 4 + y], SE + x, SE + y);
            else
                assert_false(b->o.foreign_se_se[x * 4 + y]);
        }
#undef PAIR
    for (unsigned k = 0; k < 4; k++) {
        assert_int_equal(b->o.path_of_fe[k], of[FE + k] & 3);
        assert_int_equal(b->o.path_of_se[k], of[SE + k] & 3);
        assert_int_equal(b->o.path_of_portion[k], of[PORTION + k] & 3);
        assert_int_equal(b->o.path_of_channel[k], of[CHANNEL + k] & 3);
    }
    for (unsigned k = 0; k < 8; k++)
        assert_int_equal(b->o.path_of_lane[k], of[LANE + k] & 3);
}

// Engines 0, 1 with portions 0, 1 and engines 2, 3 with portions 2, 3; then four paths; and back.
RULE(worked_example)
{
    assert_int_equal(owners(b, two), REQUEST_DONE);
    slices(b, 0, 0, 1, 1);
    pairs(b);
    assert_false(b->o.foreign_se_se[0 * 4 + 1] || b->o.foreign_se_se[2 * 4 + 3]);
    assert_true(b->o.foreign_se_se[1 * 4 + 2] && b->o.foreign_se_se[3 * 4 + 0]);
    homes(b, 0, 0, 1, 0, 1);
    homes(b, 1, 2, 3, 2, 3);
    homes(b, 2, 0, 0, 0, 0);
    assert_int_equal(b->o.fe_per_path[1], 2);
    assert_int_equal(b->o.lanes_per_path[1], 4);
    assert_int_equal(b->o.lanes_per_path[3], 0);

    assert_int_equal(paths(b, 4), REQUEST_DONE);
    slices(b, 0, 2, 1, 3); // each keeps the lowest of its own
    pairs(b);
    homes(b, 1, 2, 2, 2, 2);
    homes(b, 2, 1, 1, 1, 1);

    assert_int_equal(paths(b, 2), REQUEST_DONE);
    slices(b, 0, 0, 1, 1);
    pairs(b);
    assert_int_equal(owners(b, two), REQUEST_SAME);
    assert_int_equal(b->o.done_count, 3);
    tick(b);
    assert_int_equal(b->o.done_count, 4);
    assert_int_equal(b->o.refused_count, 0);
}

// Owners need not follow slices, and a unit may be off. Homes of three portions.
RULE(free_maps)
{
    static const uint8_t map[UNITS] = {3,    NONE, NONE, 1, 1, 3, 3, NONE, 3, 1, 3, 3,
                                       NONE, 3,    3,    3, 3, 1, 3, 3,    3, 3, 1, 1};

    assert_int_equal(owners(b, map), REQUEST_DONE);
    assert_memory_equal(b->o.owner, map, UNITS);
    pairs(b);
    homes(b, 3, 0, 2, 3, 0);
    homes(b, 1, 1, 1, 1, 1);
    assert_int_equal(b->o.fe_per_path[3], 1);
    assert_int_equal(b->o.lanes_per_path[3], 6);
    assert_int_equal(paths(b, 2), REQUEST_DONE); // nobody owns a slice
    slices(b, 0, 0, 1, 1);
}

static void refuses(bench *b, unsigned unit, unsigned path, unsigned code)
{
    uint8_t map[UNITS];

    memcpy(map, two, UNITS);
    map[unit] = (uint8_t)path;
    assert_int_equal(owners(b, map), code);
    slices(b, 0, 0, 1, 1);
}

RULE(refusals)
{
    unsigned refused = 0;

    assert_int_equal(owners(b, two), REQUEST_DONE);
    put(b, 0, 4);
    assert_int_equal((refused++, request(b)), REQUEST_KIND);
    assert_int_equal((refused++, paths(b, 0)), REQUEST_KIND);
    assert_int_equal((refused++, paths(b, 5)), REQUEST_KIND);
    assert_int_equal((refused++, applications(b, ABSENT, ABSENT, ABSENT, ABSENT)), REQUEST_KIND);
    refuses(b, 7, 5, REQUEST_UNIT);
    refuses(b, 7, 8, REQUEST_UNIT);
    for (unsigned d = 4; d < 16; d++) { // a unit behind the last
        put(b, d, 1);
        refuses(b, 7, 1, REQUEST_UNIT);
    }
    refused += 14;
    static const uint8_t first[5] = {FE, SE, LANE, PORTION, CHANNEL};
    static const uint8_t codes[5] = {REQUEST_EMPTY_FE, REQUEST_EMPTY_SE, REQUEST_EMPTY_LANE, REQUEST_EMPTY_PORTION,
                                     REQUEST_EMPTY_CHANNEL};
    for (unsigned k = 0; k < 5; k++) { // path 3 has all but that; then paths 2 and 3, the lowest code counts
        uint8_t map[UNITS];
        memcpy(map, two, UNITS);
        for (unsigned m = 0; m < 5; m++)
            if (m != k)
                map[first[m]] = 3;
        assert_int_equal((refused++, owners(b, map)), codes[k]);
        map[CHANNEL] = 2;
        if (k == 4)
            map[FE] = 3;
        assert_int_equal((refused++, owners(b, map)), REQUEST_EMPTY_FE);
        slices(b, 0, 0, 1, 1);
    }
    static const uint8_t few_lanes[UNITS] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};
    assert_int_equal((refused++, owners(b, few_lanes)), REQUEST_LANES);

    LEVEL(b, without_mqd[1], true);
    LEVEL(b, live_window[3], true);
    refuses(b, FE + 1, 1, REQUEST_MQD);
    refuses(b, CHANNEL + 3, 0, REQUEST_LIVE_WINDOW);
    assert_int_equal((refused++, owners(b, one)), REQUEST_LIVE_WINDOW); // front end 1 stays
    LEVEL(b, live_window[3], false);
    assert_int_equal((refused++, paths(b, 4)), REQUEST_MQD);
    refused += 2;
    slices(b, 0, 0, 1, 1);
    tick(b);
    assert_int_equal(b->o.refused_count, refused);
    put(b, 0, REQUEST_NO_CHANGE);
    assert_int_equal(request(b), REQUEST_SAME);
}

// Weights at reset: 4 simple, 2 medium, 1 complex application; and mixes.
RULE(mixes)
{
    enum { SIMPLE = 0, MEDIUM = 5, COMPLEX = 15 }; // 1, 4 and 16
    assert_int_equal(applications(b, SIMPLE, SIMPLE, SIMPLE, SIMPLE), REQUEST_DONE);
    slices(b, 0, 1, 2, 3);
    assert_int_equal(applications(b, ABSENT, MEDIUM, MEDIUM, ABSENT), REQUEST_DONE);
    slices(b, 1, 1, 2, 2);
    assert_int_equal(applications(b, ABSENT, ABSENT, ABSENT, COMPLEX), REQUEST_DONE);
    slices(b, 3, 3, 3, 3);
    assert_int_equal(applications(b, SIMPLE, ABSENT, COMPLEX, ABSENT), REQUEST_DONE);
    slices(b, 0, 2, 2, 2);
    assert_int_equal(applications(b, SIMPLE, MEDIUM, COMPLEX, ABSENT), REQUEST_DONE);
    slices(b, 0, 2, 2, 1); // path 2 keeps its two lowest: nothing of 0 moves
}

// Equal weight / slices: the lower path. The table is written, and read by {complexity, resolution}.
RULE(ties)
{
    assert_int_equal(paths(b, 3), REQUEST_DONE);
    slices(b, 0, 0, 1, 2);
    b->i.weight_write = true;
    b->i.weight_index = 6; // complexity 1, resolution 2
    b->i.weight_value = 30;
    tick(b);
    b->i.weight_write = true;
    b->i.weight_index = 9;
    b->i.weight_value = 10;
    tick(b);
    assert_int_equal(applications(b, ABSENT, 9, ABSENT, 6), REQUEST_DONE); // 10/1 = 30/3 only when all are given
    slices(b, 3, 3, 1, 3);
    b->i.weight_write = true;
    b->i.weight_index = 9;
    b->i.weight_value = 15;
    tick(b);
    assert_int_equal(applications(b, 9, ABSENT, ABSENT, 6), REQUEST_DONE); // 30/1, then 15/1 = 30/2: path 0
    slices(b, 3, 3, 0, 0);
    b->i.weight_write = true;
    b->i.weight_index = 6;
    b->i.weight_value = 0;
    tick(b);
    assert_int_equal(applications(b, ABSENT, ABSENT, 6, 0), REQUEST_DONE); // a weight of 0 still has one
    slices(b, 3, 3, 2, 3);
}

// A request while one is under way is refused, and does not touch it.
RULE(busy)
{
    put_owners(b, two);
    b->i.mail_source = MAIL_HOST;
    send(b);
    assert_true(b->o.change_valid && b->o.mail_busy);
    assert_memory_equal(b->o.wanted, two, UNITS);
    for (unsigned u = 0; u < UNITS; u++)
        assert_int_equal(b->o.changes[u], two[u] != 0);
    b->i.mail_send   = true;
    b->i.mail_source = MAIL_PACKET;
    tick(b);
    assert_true(b->o.answer_valid && b->o.change_valid);
    assert_int_equal(b->o.answer_code, REQUEST_BUSY);
    assert_int_equal(b->o.answer_source, MAIL_PACKET);
    tick(b);
    assert_false(b->o.answer_valid);

    // In the clock in which the change ends: its answer comes first. Then the next request is taken, with its dword.
    b->i.quiesce_commit = b->i.quiesce_done = true;
    b->i.mail_send                          = true;
    b->i.mail_source                        = MAIL_PACKET;
    tick(b);
    assert_int_equal(b->o.answer_code, REQUEST_DONE);
    assert_int_equal(b->o.answer_source, MAIL_HOST);
    slices(b, 0, 0, 1, 1);
    b->i.mail_send  = true;
    b->i.mail_valid = true;
    b->i.mail_data  = REQUEST_NO_CHANGE;
    tick(b);
    assert_true(b->o.answer_valid && b->o.mail_busy);
    assert_int_equal(b->o.answer_code, REQUEST_BUSY);
    assert_int_equal(b->o.answer_source, MAIL_PACKET);
    tick(b);
    assert_int_equal(b->o.answer_code, REQUEST_SAME);
    assert_int_equal(b->o.answer_source, MAIL_HOST);
    tick(b);
    assert_false(b->o.answer_valid || b->o.mail_busy);
    assert_int_equal(b->o.done_count, 2);
    assert_int_equal(b->o.refused_count, 2);
}

// A dword that is written in the clock of the commit is not taken; the mailbox is empty behind the answer.
RULE(commit_and_mail)
{
    put_owners(b, two);
    send(b);
    b->i.quiesce_commit = b->i.quiesce_done = true;
    put(b, 4, 1);
    assert_int_equal(b->o.answer_code, REQUEST_DONE);
    assert_false(b->o.homes_valid);
    assert_int_equal(CLOCKS_UNTIL(b, b->o.homes_valid, 8), 4);
    put(b, 0, REQUEST_OWNERS); // all others are 0
    assert_int_equal(request(b), REQUEST_DONE);
    slices(b, 0, 0, 0, 0);
}

// What quiesce abandons changes nothing; whatever it says, the answer tells whether the owners have changed.
RULE(abandoned)
{
    put_owners(b, two);
    send(b);
    ticks(b, 20);
    assert_true(b->o.change_valid);
    b->i.quiesce_released = true;
    tick(b);
    assert_true(b->o.answer_valid && !b->o.change_valid);
    assert_int_equal(b->o.answer_code, REQUEST_TIMEOUT);
    slices(b, 0, 0, 0, 0);
    b->i.quiesce_commit = true; // nothing is asked
    tick(b);
    slices(b, 0, 0, 0, 0);

    put_owners(b, two);
    send(b);
    b->i.quiesce_done = true;
    tick(b);
    assert_int_equal(b->o.answer_code, REQUEST_TIMEOUT);
    slices(b, 0, 0, 0, 0);

    put_owners(b, two);
    send(b);
    b->i.quiesce_commit = true;
    tick(b);
    b->i.quiesce_released = true;
    tick(b);
    assert_int_equal(b->o.answer_code, REQUEST_DONE);
    slices(b, 0, 0, 1, 1);
}

// As long as the contract says, at most.
RULE(latency)
{
    put_owners(b, two);
    b->i.mail_send = true;
    assert_int_equal(CLOCKS_UNTIL(b, b->o.change_valid, MOST), 7);
    b->i.quiesce_released = true;
    ticks(b, 2);
    put(b, 0, REQUEST_PATHS);
    put(b, 1, 1);
    b->i.mail_send = true;
    assert_int_equal(CLOCKS_UNTIL(b, b->o.answer_valid, MOST), 24);
    assert_int_equal(b->o.answer_code, REQUEST_SAME);
}
#endif

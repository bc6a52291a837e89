// SPDX-License-Identifier: Apache-2.0
//
// context_world: context and frames together, driven as a packet processor and engines would, with a shadow
// of everything: registers of every set, order of use, tags, draws, events and statistics. Every clock is compared with
// it. tb/context/judge.c recounts the same rules from a stream and its results alone, in lockstep too: two recounts on
// purpose, since a rule misread in one of them shows in the other.

#ifndef CONTEXT_WORLD_H
#define CONTEXT_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "frames_banks.h"
#include "totem_context.h"

enum { HIT, MISS, PLAIN, REFUSED };
enum { DRAWS = 4 * SETS, ENOUGH = 100000 };

typedef struct {
    totem_context     context;
    totem_context_in  ci;
    totem_context_out co;
    totem_frames      frames;
    totem_frames_in   fi;
    totem_frames_out  fo;
    frames_banks      banks;
    // shadow
    uint32_t value[REGISTERS];        // as the packets have it
    uint32_t shadow[SETS][REGISTERS]; // of every set
    uint32_t table[REGISTERS];
    unsigned order[SETS]; // least recently used first
    bool     tagged[SETS], pending[SETS], changed, plain, group;
    uint64_t tag[SETS], hash; // hash: of the open group
    unsigned current, uses[SETS];
    unsigned draws, draw_set[DRAWS];
    uint32_t draw_value[DRAWS][REGISTERS];
    uint32_t rolls, hits, misses, full_clocks, written, filtered;
    // the engines
    unsigned ends; // a draw ends in one clock of so many, 0 never
    uint32_t random;
} world;

static inline unsigned draw_lot(world *w, unsigned count)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 17;
    w->random ^= w->random << 5;
    return w->random % count;
}

static inline void compare(world *w, unsigned set, const uint32_t *value)
{
    for (unsigned x = 0; x < REGISTERS; x++)
        if (in_set(&w->banks, &w->frames, set, x) != value[x])
            fail_msg("set %u, register %u: %u, shadow %u", set, x, in_set(&w->banks, &w->frames, set, x), value[x]);
}

static inline void use(world *w, unsigned set)
{
    unsigned place = 0;
    while (w->order[place] != set)
        place++;
    for (; place < SETS - 1; place++)
        w->order[place] = w->order[place + 1];
    w->order[SETS - 1] = set;
}

// The set that a roll takes; SETS if there is none.
static inline unsigned victim(const world *w)
{
    for (unsigned with_tag = 0; with_tag < 2; with_tag++)
        for (unsigned place = 0; place < SETS; place++) {
            const unsigned set = w->order[place];
            if (set != w->current && w->uses[set] == 0 && !w->pending[set] && w->tagged[set] == with_tag)
                return set;
        }
    return SETS;
}

// A draw of the list ends in this clock: its set is as it was when it began.
static inline void end_draw(world *w, unsigned draw)
{
    const unsigned set = w->draw_set[draw];

    compare(w, set, w->draw_value[draw]);
    w->ci.end_valid = true;
    w->ci.end_set   = (uint8_t)set;
    w->draws--;
    w->draw_set[draw] = w->draw_set[w->draws];
    memcpy(w->draw_value[draw], w->draw_value[w->draws], sizeof w->draw_value[draw]);
}

// What the shadow says about this clock, and what follows from it.
static inline void follow(world *w)
{
    const bool     want  = w->co.roll_want || w->fo.roll_want;
    const unsigned taken = victim(w);

    assert_int_equal(w->co.current, w->current);
    assert_int_equal(w->co.used, w->uses[w->current] != 0);
    assert_int_equal(w->co.roll_free, taken != SETS);
    assert_false(w->co.fault || w->co.end_refused || w->fo.refused);
    for (unsigned set = 0; set < SETS; set++) {
        const bool done = w->pending[set] && w->uses[set] == 0;
        assert_int_equal(w->co.done[set], done);
        w->pending[set] = w->pending[set] && !done;
    }
    if (w->ci.end_valid)
        w->uses[w->ci.end_set]--;
    if (w->ci.draw_valid && w->co.draw_ready)
        w->uses[w->current]++;
    if (w->co.hit_valid) {
        assert_true(w->tagged[w->co.hit_set]);
        w->current = w->co.hit_set;
        use(w, w->current);
        w->hits++;
    }
    if (want && taken == SETS)
        w->full_clocks++;
    if (want && taken != SETS && w->fo.roll_room) {
        assert_int_equal(w->co.roll_set, taken);
        memcpy(w->shadow[taken], w->shadow[w->current], sizeof w->shadow[taken]);
        w->pending[w->current] = true;
        w->tagged[taken]       = false;
        w->current             = taken;
        use(w, taken);
        w->rolls++;
    }
}

static inline void show(world *w)
{
    totem_context_outputs(&w->context, &w->co);
    totem_frames_outputs(&w->frames, &w->fo);
}

static inline void clock_edge(world *w)
{
    uint32_t read_data[BANKS];

    if (w->ends != 0 && w->draws != 0 && draw_lot(w, w->ends) == 0)
        end_draw(w, draw_lot(w, w->draws));
    w->ci.frames_want       = w->fo.roll_want;
    w->ci.frames_room       = w->fo.roll_room;
    w->ci.frames_changed    = w->fo.changed;
    w->ci.frames_cleared    = w->fo.cleared;
    w->fi.context_used      = w->co.used;
    w->fi.context_has_tag   = w->co.has_tag;
    w->fi.context_roll_want = w->co.roll_want;
    w->fi.context_roll_free = w->co.roll_free;
    w->fi.context_roll_set  = w->co.roll_set;
    w->fi.context_hit_valid = w->co.hit_valid;
    w->fi.context_hit_set   = w->co.hit_set;
    follow(w);
    memcpy(read_data, w->fi.ram_read_data, sizeof read_data);
    banks_clock(&w->banks, &w->fo, read_data);
    totem_context_step(&w->context, &w->ci);
    totem_frames_step(&w->frames, &w->fi);
    memcpy(w->fi.ram_read_data, read_data, sizeof read_data);
    w->ci.hash_valid = w->ci.group_end = w->ci.draw_valid = w->ci.resume_valid = w->ci.resume_plain = w->ci.end_valid =
        false;
    w->fi.op_valid = w->fi.table_valid = false;
    show(w);
}

static inline void clocks(world *w, unsigned count)
{
    while (count--)
        clock_edge(w);
}

#define CLOCKS(w, condition)                                \
    __extension__({                                         \
        unsigned clocks_ = 0;                               \
        for (; !(condition); clock_edge(w))                 \
            if (++clocks_ > ENOUGH)                         \
                fail_msg("line %d: " #condition, __LINE__); \
        clocks_;                                            \
    })

static inline void open_world(world *w, bool filter, uint32_t random)
{
    memset(w, 0, sizeof *w);
    memset(&w->banks, 0xa5, sizeof w->banks);
    totem_context_reset(&w->context);
    totem_frames_reset(&w->frames);
    w->fi.filter_enable = filter;
    w->ci.bounce_enable = true;
    w->random           = random;
    for (unsigned x = 0; x < REGISTERS; x++) {
        w->table[x] = *in_frame(&w->banks, TABLE, x) = 5000 + x;
        w->value[x]                                  = *in_frame(&w->banks, 0, x);
    }
    for (unsigned set = 0; set < SETS; set++) {
        w->order[set] = (set + 1) % SETS;
        for (unsigned x = 0; x < REGISTERS; x++)
            w->shadow[set][x] = *in_frame(&w->banks, set, x);
    }
    show(w);
}

// ---- the packet processor

// Everything given is executed: the current set is as the packets have it.
static inline void settle(world *w)
{
    CLOCKS(w, w->fo.idle && w->co.idle);
    memcpy(w->shadow[w->current], w->value, sizeof w->value);
    if (w->changed)
        w->tagged[w->current] = false;
    w->changed = false;
    assert_int_equal(w->co.has_tag && !w->fo.cleared, w->tagged[w->current]); // CLEAR drops the tag in this clock
    assert_int_equal(w->co.group, w->group);
}

static inline void give(world *w, unsigned kind, unsigned index, uint32_t data, uint32_t mask)
{
    CLOCKS(w, w->co.idle && w->fo.op_ready);
    w->fi.op_valid = true;
    w->fi.op_kind  = (uint8_t)kind;
    w->fi.op_index = (uint16_t)index;
    w->fi.op_data  = data;
    w->fi.op_mask  = mask;
    clock_edge(w);
}

static inline void write_bits(world *w, unsigned index, uint32_t data, uint32_t mask)
{
    const uint32_t value = (w->value[index] & ~mask) | (data & mask);

    give(w, WRITE, index, data, mask);
    if (w->fi.filter_enable && value == w->value[index]) {
        w->filtered++;
        return;
    }
    w->value[index] = value;
    w->changed      = true;
    w->written++;
}

static inline void write_register(world *w, unsigned index, uint32_t data)
{
    write_bits(w, index, data, 0xffffffff);
}

static inline uint32_t read_register(world *w, unsigned index)
{
    give(w, READ, index, 0, 0);
    CLOCKS(w, w->fo.read_valid);
    return w->fo.read_data;
}

static inline void load_table(world *w, unsigned index, uint32_t data)
{
    settle(w); // so that it is known whether a CLEAR has it
    CLOCKS(w, w->fo.table_ready);
    w->fi.table_valid = true;
    w->fi.table_index = (uint16_t)index;
    w->fi.table_data  = data;
    w->table[index]   = data;
    clock_edge(w);
}

static inline void clear_state(world *w)
{
    CLOCKS(w, w->fo.table_ready);
    clocks(w, 2);
    give(w, CLEAR, 0, 0, 0);
    memcpy(w->value, w->table, sizeof w->value);
    w->changed = true;
    w->plain   = false;
}

static inline unsigned draw(world *w)
{
    settle(w);
    CLOCKS(w, w->co.draw_ready && w->draws < DRAWS);
    w->ci.draw_valid = true;
    compare(w, w->current, w->value);
    const unsigned set = w->current;
    clock_edge(w);
    w->draw_set[w->draws] = set;
    memcpy(w->draw_value[w->draws++], w->value, sizeof w->value);
    return set;
}

// The dword in this clock, as soon as it is taken.
static inline void send(world *w, uint32_t dword, unsigned count)
{
    CLOCKS(w, w->co.hash_ready);
    w->ci.hash_valid = true;
    w->ci.hash_data  = dword;
    w->ci.hash_count = (uint16_t)count;
    clock_edge(w);
}

// CONTEXT_BOUNCE; the answer is what the shadow says. `value` is the state with that hash.
static inline unsigned bounce(world *w, uint64_t hash, unsigned count, const uint32_t *value)
{
    unsigned expected = MISS;

    settle(w);
    send(w, (uint32_t)hash, count);
    send(w, (uint32_t)(hash >> 32), count);
    for (unsigned set = 0; set < SETS; set++)
        if (w->tagged[set] && w->tag[set] == hash)
            expected = HIT;
    if (count == 0)
        expected = REFUSED;
    if (w->plain || !w->ci.bounce_enable)
        expected = PLAIN;
    CLOCKS(w, w->co.answer_valid);
    assert_int_equal(w->co.answer, expected);
    if (expected == MISS) {
        w->misses++;
        w->group = true;
        w->hash  = hash;
    }
    if (expected == HIT) {
        assert_true(w->tag[w->current] == hash);
        memcpy(w->value, value, sizeof w->value);
        compare(w, w->current, w->value);
    }
    return expected;
}

static inline void end_group(world *w)
{
    settle(w);
    w->ci.group_end = true;
    if (w->group) {
        w->tagged[w->current] = true;
        w->tag[w->current]    = w->hash;
    }
    w->group = false;
    clock_edge(w);
}

static inline void resume(world *w, bool plain)
{
    settle(w);
    w->ci.resume_valid = true;
    w->ci.resume_plain = plain;
    w->plain           = w->plain || plain;
    w->group           = false;
    memset(w->tagged, 0, sizeof w->tagged);
    clock_edge(w);
}

static inline void statistics(world *w)
{
    settle(w);
    assert_int_equal(w->co.rolls, w->rolls);
    assert_int_equal(w->co.hits, w->hits);
    assert_int_equal(w->co.misses, w->misses);
    assert_int_equal(w->co.full_clocks, w->full_clocks);
    assert_int_equal(w->fo.written, w->written);
    assert_int_equal(w->fo.filtered, w->filtered);
}

static inline void end_draws(world *w)
{
    while (w->draws != 0) {
        end_draw(w, 0);
        clock_edge(w);
    }
}

#endif

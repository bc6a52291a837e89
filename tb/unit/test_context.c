// SPDX-License-Identifier: Apache-2.0
//
// totem_context: rules, latencies and meetings of docs/contract/context.md. The bench is sender, engines and frames.

#include "block_bench.h"

#include "totem_context.h"

BENCH(context)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

enum { SETS = TOTEM_SETS, LAST = SETS - 1 };

// One clock in which the input is 1.
#define PULSE(b, field) ((b)->i.field = true, tick(b))

static void open_bench(bench *b)
{
    memset(b, 0xa5, sizeof *b);
    fresh(b);
    LEVEL(b, frames_room, true);
    LEVEL(b, bounce_enable, true);
    LEVEL(b, hash_count, 5);
}

// ---- acts, which take their clocks themselves; `one` is not used

static void send(bench *b, unsigned one, uint64_t dword)
{
    (void)one;
    assert_true(b->o.hash_ready);
    b->i.hash_data = (uint32_t)dword;
    PULSE(b, hash_valid);
}

// Both dwords; in the present clock the lookup is decided.
static void hash(bench *b, unsigned one, uint64_t value)
{
    send(b, one, (uint32_t)value);
    assert_false(b->o.idle);
    send(b, one, value >> 32);
    assert_false(b->o.idle || b->o.answer_valid || b->o.draw_ready);
}

static void lookup(bench *b, uint64_t value, unsigned answer)
{
    hash(b, 0, value);
    tick(b);
    assert_true(b->o.answer_valid && b->o.idle);
    assert_int_equal(b->o.answer, answer);
    assert_int_equal(b->o.group, answer == ANSWER_MISS);
}

static void hit(bench *b, unsigned one, uint64_t value)
{
    (void)one;
    lookup(b, value, ANSWER_HIT);
}

static void group(bench *b, unsigned one, uint64_t value)
{
    (void)one;
    lookup(b, value, ANSWER_MISS);
}

static void plain(bench *b, unsigned one, uint64_t value)
{
    (void)one;
    lookup(b, value, ANSWER_PLAIN);
}

static void refused(bench *b, unsigned one, uint64_t value)
{
    (void)one;
    lookup(b, value, ANSWER_REFUSED);
}

// A group that is not there, and its tag.
static void miss(bench *b, unsigned one, uint64_t value)
{
    group(b, one, value);
    PULSE(b, group_end);
    assert_true(b->o.has_tag && !b->o.group && !b->o.answer_valid);
}

static void draw(bench *b, unsigned one, uint64_t none)
{
    (void)one;
    (void)none;
    assert_true(b->o.draw_ready);
    PULSE(b, draw_valid);
    assert_true(b->o.used);
}

// The end of a draw; of the last set: end_last.
static void end(bench *b, unsigned one, uint64_t set)
{
    (void)one;
    b->i.end_set = (uint8_t)set;
    PULSE(b, end_valid);
}

static void end_last(bench *b, unsigned one, uint64_t none)
{
    (void)none;
    end(b, one, LAST);
}

static void roll(bench *b, unsigned one, uint64_t none)
{
    const unsigned set = b->o.roll_set;
    (void)one;
    (void)none;
    assert_true(b->o.roll_free);
    PULSE(b, frames_want);
    assert_int_equal(b->o.current, set);
}

static uint64_t at_last(const bench *b)
{
    return b->o.current == LAST;
}

static uint64_t takes_last(const bench *b)
{
    return b->o.roll_set == LAST;
}

static const script_word words[] = {
    ACT(send),
    ACT(hash),
    ACT(hit),
    ACT(group),
    ACT(plain),
    ACT(refused),
    ACT(miss),
    ACT(draw),
    ACT(roll),
    ACT(end),
    ACT(end_last),
    WORD(draw_valid, i.draw_valid),
    WORD(end_valid, i.end_valid),
    WORD(end_set, i.end_set),
    WORD(group_end, i.group_end),
    WORD(resume, i.resume_valid),
    WORD(skip, i.resume_plain),
    WORD(want, i.frames_want),
    WORD(room, i.frames_room),
    WORD(changed, i.frames_changed),
    WORD(cleared, i.frames_cleared),
    WORD(flush, i.graphics_flush_valid),
    WORD(owner, i.graphics_flush_plain),
    WORD(clear, i.render_clear),
    WORD(enable, i.bounce_enable),
    WORD(count, i.hash_count),
    VIEW(at_last),
    OUTPUT(current),
    OUTPUT(used),
    OUTPUT(has_tag),
    WORD(open, o.group),
    OUTPUT(idle),
    OUTPUT(hash_ready),
    OUTPUT(draw_ready),
    OUTPUT(roll_want),
    OUTPUT(roll_free),
    OUTPUT(roll_set),
    OUTPUT(hit_valid),
    OUTPUT(hit_set),
    OUTPUT(answer_valid),
    OUTPUT(answer),
    WORD(done, o.done[0]),
    WORD(done_last, o.done[LAST]),
    OUTPUT(end_refused),
    OUTPUT(fault),
    OUTPUT(rolls),
    OUTPUT(hits),
    OUTPUT(misses),
    WORD(full, o.full_clocks),
    WORD(uses, s.uses[0]),
    WORD(pending, s.pending[0]),
    WORD(pending_last, s.pending[LAST]),
    WORD(tag_low, s.tag_low[0]),
    VIEW(takes_last),
    {0},
};

static void all_used(bench *b)
{
    open_bench(b);
    for (unsigned n = 0; n < SETS; n++) {
        draw(b, 0, 0);
        if (n < LAST)
            roll(b, 0, 0);
    }
}

// Set n has the tag n + 1.
static void all_used_with_tags(bench *b)
{
    open_bench(b);
    for (unsigned n = 0; n < SETS; n++) {
        miss(b, 0, n + 1);
        draw(b, 0, 0);
    }
}

// Answers: 0 hit, 1 miss, 2 plain, 3 refused.
static const script_row rows[] = {
    {"miss_and_hit", open_bench, // the first group runs in the set without use and tag, the next ones roll
     "miss=0x100000001 current:0 rolls:0 draw draw hash=0x200000001 roll_want:1 hit_valid:0;" // the low dword matches
     "answer_valid:1 answer:1 open:1 hash_ready:0 current:1 group_end;"
     "hash=0x100000001 hit_valid:1 roll_want:0 hit_set:0; answer_valid:1 answer:0 idle:1 current:0 hit=0x100000001"
     " hit=0x200000001 current:1 rolls:1 hits:3 misses:2 group_end; hit=0x100000001 fault:0"},
    {"bare_answers", open_bench, // refused also where it would hit
     "miss=9 draw count==0 refused=9 refused=10 enable==0 hash=9 hit_valid:0 roll_want:0 hash_ready:0;"
     "answer_valid:1 idle:1 answer:2 open:0 hits:0 misses:1 rolls:0 has_tag:1"},
    {"used_sets_are_not_taken", all_used, // the last draw ends: the event in the next clock, the roll in the one behind
     "roll_free:0 want==1; full:1; full:2; full:3 at_last:1 end=0 done:1 roll_free:0;"
     "done:0 roll_free:1 roll_set:0 full:5 room==0;" // frames cannot follow: no roll, and not counted
     "at_last:1 room==1; current:0 full:5"},
    {"left_by_a_hit", all_used_with_tags, // without an event; free one clock after the last draw ends
     "hit=1 pending:1 pending_last:0 end_last roll_free:1 done_last:0 takes_last:1 draw end=0 done:0"
     " end=0 done:1 roll at_last:1 done:1; done:0"}, // the earlier event is sent in the clock of the roll
    {"end_without_a_draw_is_refused", open_bench,    // also beside a draw, which counts; not with one before
     "end_last end_refused:1; end_refused:0 draw_valid end=0 end_refused:1 used:1 draw_valid end=0 end_refused:0"
     " uses:1"},
    {"255_draws_of_a_set", open_bench, // more are not taken; a draw of the clock of a roll is on the set that is left
     "draw_valid==1 255; draw_ready:0 uses:255; end=0 uses:254 draw_valid==0 draw_valid=1 want; uses:255 used:0"
     " current:1 end_valid==1 end_set==0; done:0 254; done:1 end_refused:0"},
    {"group_stays_open_until_its_end", open_bench, "group=1; open:1 has_tag:0 5; group_end; open:0 has_tag:1"},
    {"resume_meets_a_hit", open_bench, // no answer, the hit is done; every tag is dropped
     "miss=1 draw miss=2 hash=1 resume; idle:1 answer_valid:0 has_tag:0 current:0 hits:1 group=1 resume group_end;"
     "has_tag:0 open:0"},
    {"resume_between_the_dwords", open_bench, "send=1 resume; idle:1 hash_ready:1 miss=1 hit=1"},
    {"skip_is_plain_until_clear", open_bench, // it counts with resume only; RESUME leaves it; it wins over a CLEAR
     "skip; miss=1 clear skip resume; plain=1 count==0 plain=1 count==1 changed cleared; plain=1 resume; plain=1"
     " misses:5 clear; group=1"},
    {"flush", open_bench, // without a plain phase: the lookup finds no tag, its group gets none
     "miss=1 draw miss=2 hash=1 flush; hits:1 flush; has_tag:0 group=1 flush; open:0 group_end; has_tag:0 miss=2 "
     "hit=2"},
    {"flush_of_the_owner", open_bench, // the lookup under way is plain, and a miss
     "miss=1 hit=1 flush owner; plain=1 clear; miss=1 draw room==0 hash=5 flush owner; answer_valid:0; answer_valid:1"
     " answer:2 open:0 misses:4 plain=1 misses:5 clear; room==1 group=1"},
    {"two_tags_match", open_bench, // a fault of the machine
     "miss=1 miss=2 tag_low[1]=1 enable==0 plain=1 fault:0 enable==1 hit=1 current:0; fault:1 5;"},
};

TEST(after_reset)
{
    bench b;
    open_bench(&b);
    assert_true(b.o.hash_ready && b.o.draw_ready && b.o.idle && b.o.roll_free && totem_context_invariant(&b.s));
    assert_false(b.o.used || b.o.has_tag || b.o.group || b.o.roll_want || b.o.hit_valid || b.o.fault);
    assert_int_equal(b.o.current, 0);
    for (unsigned n = 0; n < 2 * SETS; n++) { // from the least recently used on; an event is pending one clock
        assert_int_equal(b.o.roll_set, (n + 1) % SETS);
        roll(&b, 0, 0);
        for (unsigned set = 0; set < SETS; set++)
            assert_int_equal(b.o.done[set], set == n % SETS);
        tick(&b);
        assert_false(b.o.done[n % SETS]);
    }
    assert_int_equal(b.o.rolls, 2 * SETS);
}

// A hash that differs in any one bit is another hash.
TEST(every_bit_counts)
{
    const uint64_t own = 0x123456789abcdef0u;
    bench          b;
    open_bench(&b);
    miss(&b, 0, own);
    for (unsigned bit = 0; bit < 64; bit++) {
        hash(&b, 0, own ^ (uint64_t)1 << bit);
        assert_false(b.o.hit_valid);
        b.i.resume_plain = false; // drops every tag, and the lookup
        PULSE(&b, resume_valid);
        miss(&b, 0, own);
        lookup(&b, own, ANSWER_HIT);
    }
}

// What a set with a tag is worth when a roll takes one.
TEST(victims)
{
    bench b;
    for (unsigned bare = 0; bare < SETS; bare++) {
        open_bench(&b);
        for (unsigned n = 0; n < SETS; n++) { // every set has a tag, and 0 is the least recently used
            miss(&b, 0, n + 1);
            tick(&b);
        }
        assert_int_equal(b.o.current, LAST);
        assert_int_equal(b.o.roll_set, 0);
        lookup(&b, 1, ANSWER_HIT); // a hit is a use
        assert_int_equal(b.o.roll_set, 1);
        lookup(&b, LAST + 1, ANSWER_HIT);
        assert_int_equal(b.o.roll_set, SETS > 2 ? 1 : 0);
        lookup(&b, bare + 1, ANSWER_HIT); // a write outside a group drops the tag in place
        PULSE(&b, frames_changed);
        assert_false(b.o.has_tag);
        lookup(&b, bare == LAST ? 1 : LAST + 1, ANSWER_HIT);
        assert_int_equal(b.o.roll_set, bare);
        roll(&b, 0, 0);
        lookup(&b, bare + 1, ANSWER_MISS);
        PULSE(&b, group_end);
        roll(&b, 0, 0);
        assert_false(b.o.has_tag); // a set that a roll takes has no tag
    }
}

SCRIPTS(rows)

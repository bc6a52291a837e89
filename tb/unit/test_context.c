// SPDX-License-Identifier: Apache-2.0
//
// totem_context: rules, latencies and meetings of docs/contract/context.md. The bench is sender, engines and frames.

#include "block_bench.h"

#include "totem_context.h"

BENCH(context)

enum { SETS = TOTEM_SETS, LAST = SETS - 1 };
enum { HIT, MISS, PLAIN, REFUSED };

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

static void send(bench *b, uint32_t dword)
{
    assert_true(b->o.hash_ready);
    b->i.hash_data = dword;
    PULSE(b, hash_valid);
}

// Both dwords; in the present clock the lookup is decided.
static void send_hash(bench *b, uint64_t hash)
{
    send(b, (uint32_t)hash);
    assert_false(b->o.idle);
    send(b, (uint32_t)(hash >> 32));
    assert_false(b->o.idle || b->o.answer_valid || b->o.draw_ready);
}

static void answered(bench *b, unsigned answer)
{
    tick(b);
    assert_true(b->o.answer_valid && b->o.idle);
    assert_int_equal(b->o.answer, answer);
    assert_int_equal(b->o.group, answer == MISS);
}

static void lookup(bench *b, uint64_t hash, unsigned answer)
{
    send_hash(b, hash);
    answered(b, answer);
}

// A group that is not there, and its tag.
static void miss(bench *b, uint64_t hash)
{
    lookup(b, hash, MISS);
    PULSE(b, group_end);
    assert_true(b->o.has_tag && !b->o.group && !b->o.answer_valid);
}

static void draw(bench *b)
{
    assert_true(b->o.draw_ready);
    PULSE(b, draw_valid);
    assert_true(b->o.used);
}

static void end(bench *b, unsigned set)
{
    b->i.end_set = (uint8_t)set;
    PULSE(b, end_valid);
}

static unsigned roll(bench *b)
{
    const unsigned set = b->o.roll_set;
    assert_true(b->o.roll_free);
    PULSE(b, frames_want);
    assert_int_equal(b->o.current, set);
    return set;
}

static void after_reset(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    assert_true(b.o.hash_ready && b.o.draw_ready && b.o.idle && b.o.roll_free && totem_context_invariant(&b.s));
    assert_false(b.o.used || b.o.has_tag || b.o.group || b.o.roll_want || b.o.hit_valid || b.o.fault);
    assert_int_equal(b.o.current, 0);
    for (unsigned n = 0; n < 2 * SETS; n++) { // from the least recently used on; an event is pending one clock
        assert_int_equal(b.o.roll_set, (n + 1) % SETS);
        assert_int_equal(roll(&b), (n + 1) % SETS);
        for (unsigned set = 0; set < SETS; set++)
            assert_int_equal(b.o.done[set], set == n % SETS);
        tick(&b);
        assert_false(b.o.done[n % SETS]);
    }
    assert_int_equal(b.o.rolls, 2 * SETS);
}

// The first group runs in the set that nothing uses and that has no tag, the next ones roll.
static void miss_and_hit(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    miss(&b, 0x100000001u);
    assert_int_equal(b.o.current, 0);
    assert_int_equal(b.o.rolls, 0);
    draw(&b);
    draw(&b);
    send_hash(&b, 0x200000001u); // the low dword matches
    assert_true(b.o.roll_want && !b.o.hit_valid);
    answered(&b, MISS);
    assert_false(b.o.hash_ready); // a group is open
    assert_int_equal(b.o.current, 1);
    PULSE(&b, group_end);
    send_hash(&b, 0x100000001u);
    assert_true(b.o.hit_valid && !b.o.roll_want);
    assert_int_equal(b.o.hit_set, 0);
    answered(&b, HIT);
    assert_int_equal(b.o.current, 0);
    lookup(&b, 0x100000001u, HIT); // the current set
    lookup(&b, 0x200000001u, HIT);
    assert_int_equal(b.o.current, 1);
    assert_int_equal(b.o.rolls, 1);
    assert_int_equal(b.o.hits, 3);
    assert_int_equal(b.o.misses, 2);
    PULSE(&b, group_end); // without an open group: nothing
    lookup(&b, 0x100000001u, HIT);
    assert_false(b.o.fault);
}

// A hash that differs in any one bit is another hash.
static void every_bit_counts(void **state)
{
    const uint64_t hash = 0x123456789abcdef0u;
    bench          b;
    (void)state;
    open_bench(&b);
    miss(&b, hash);
    for (unsigned bit = 0; bit < 64; bit++) {
        send_hash(&b, hash ^ (uint64_t)1 << bit);
        assert_false(b.o.hit_valid);
        b.i.resume_plain = false; // drops every tag, and the lookup
        PULSE(&b, resume_valid);
        miss(&b, hash);
        lookup(&b, hash, HIT);
    }
}

static void hits_without_pause(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    miss(&b, 7);
    for (unsigned n = 0; n < 20; n++) {
        assert_true(b.o.hash_ready);
        b.i.hash_data  = n % 2 ? 0 : 7;
        b.i.hash_valid = true;
        tick(&b);
        assert_int_equal(b.o.hits, n / 2);
    }
}

static void bare_answers(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    miss(&b, 9);
    draw(&b);
    LEVEL(&b, hash_count, 0);
    lookup(&b, 9, REFUSED); // also where it would hit
    lookup(&b, 10, REFUSED);
    LEVEL(&b, bounce_enable, false);
    send_hash(&b, 9);
    assert_false(b.o.hit_valid || b.o.roll_want || b.o.hash_ready);
    answered(&b, PLAIN);
    assert_int_equal(b.o.hits, 0);
    assert_int_equal(b.o.misses, 1);
    assert_int_equal(b.o.rolls, 0);
    assert_true(b.o.has_tag);
}

// What a set with a tag is worth when a roll takes one.
static void victims(void **state)
{
    bench b;
    (void)state;
    for (unsigned bare = 0; bare < SETS; bare++) {
        open_bench(&b);
        for (unsigned n = 0; n < SETS; n++) { // every set has a tag, and 0 is the least recently used
            miss(&b, n + 1);
            tick(&b);
        }
        assert_int_equal(b.o.current, LAST);
        assert_int_equal(b.o.roll_set, 0);
        lookup(&b, 1, HIT); // a hit is a use
        assert_int_equal(b.o.roll_set, 1);
        lookup(&b, LAST + 1, HIT);
        assert_int_equal(b.o.roll_set, SETS > 2 ? 1 : 0);
        lookup(&b, bare + 1, HIT); // a write outside a group drops the tag in place
        PULSE(&b, frames_changed);
        assert_false(b.o.has_tag);
        lookup(&b, bare == LAST ? 1 : LAST + 1, HIT);
        assert_int_equal(b.o.roll_set, bare);
        roll(&b);
        lookup(&b, bare + 1, MISS);
        PULSE(&b, group_end);
        roll(&b);
        assert_false(b.o.has_tag); // a set that a roll takes has no tag
    }
}

static void used_sets_are_not_taken(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    for (unsigned n = 0; n < SETS; n++) {
        draw(&b);
        if (n < LAST)
            roll(&b);
    }
    assert_false(b.o.roll_free);
    LEVEL(&b, frames_want, true);
    for (unsigned n = 0; n < 10; n++) {
        assert_int_equal(b.o.full_clocks, n);
        tick(&b);
    }
    assert_int_equal(b.o.current, LAST);
    end(&b, 0); // the last draw: the event in the next clock, the roll in the one behind
    assert_true(b.o.done[0] && !b.o.roll_free);
    tick(&b);
    assert_true(!b.o.done[0] && b.o.roll_free);
    assert_int_equal(b.o.roll_set, 0);
    assert_int_equal(b.o.full_clocks, 12);
    LEVEL(&b, frames_room, false); // frames cannot follow: no roll, and not counted
    tick(&b);
    assert_int_equal(b.o.current, LAST);
    LEVEL(&b, frames_room, true);
    tick(&b);
    assert_int_equal(b.o.current, 0);
    assert_int_equal(b.o.full_clocks, 12);
}

// A set left by a hit has no event: it is free one clock after its last draw ends.
static void left_by_a_hit(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    for (unsigned n = 0; n < SETS; n++) {
        miss(&b, n + 1);
        draw(&b);
    }
    lookup(&b, 1, HIT); // back to a set whose event is pending
    assert_true(b.s.pending[0] && !b.s.pending[LAST]);
    end(&b, LAST);
    assert_true(b.o.roll_free && !b.o.done[LAST]);
    assert_int_equal(b.o.roll_set, LAST);
    draw(&b);
    end(&b, 0);
    assert_false(b.o.done[0]); // it waits for the draw behind the hit
    end(&b, 0);
    assert_true(b.o.done[0]);
    assert_int_equal(roll(&b), LAST); // the earlier event is sent in the clock in which a roll leaves the set
    assert_true(b.o.done[0]);
    tick(&b);
    assert_false(b.o.done[0]);
}

static void miss_waits(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    miss(&b, 1);
    LEVEL(&b, frames_room, false);
    send_hash(&b, 2);
    for (unsigned n = 0; n < 5; n++, tick(&b))
        assert_true(b.o.roll_want && !b.o.idle && !b.o.answer_valid && !b.o.hash_ready && !b.o.draw_ready);
    LEVEL(&b, frames_room, true);
    answered(&b, MISS);
    assert_int_equal(b.o.rolls, 1);
    assert_int_equal(b.o.misses, 2);
    assert_int_equal(b.o.full_clocks, 0);
    // A miss that waits does not wait any longer if the set becomes bare.
    PULSE(&b, group_end);
    LEVEL(&b, frames_room, false);
    send_hash(&b, 3);
    PULSE(&b, frames_changed);
    assert_false(b.o.roll_want);
    answered(&b, MISS);
    assert_int_equal(b.o.rolls, 1);
}

static void counts(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    end(&b, LAST); // a set that no draw uses
    assert_true(b.o.end_refused);
    tick(&b);
    assert_false(b.o.end_refused);
    b.i.draw_valid = true;
    end(&b, 0); // meets a draw: refused, and the draw counts
    assert_true(b.o.end_refused && b.o.used);
    b.i.draw_valid = true;
    end(&b, 0); // the count stays
    assert_false(b.o.end_refused);
    assert_int_equal(b.s.uses[0], 1);
    for (unsigned n = 1; n < 255; n++)
        draw(&b);
    assert_false(b.o.draw_ready);
    PULSE(&b, draw_valid); // not taken
    b.i.draw_valid = true;
    end(&b, 0); // not taken either
    assert_int_equal(b.s.uses[0], 254);
    b.i.draw_valid  = true; // on the set that is left
    b.i.frames_want = true;
    tick(&b);
    assert_int_equal(b.s.uses[0], 255);
    assert_true(!b.o.used && b.o.current == 1);
    for (unsigned n = 0; n < 255; n++)
        end(&b, 0);
    assert_true(b.o.done[0] && !b.o.end_refused);
}

static void writes_and_tags(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    lookup(&b, 4, MISS);
    b.i.frames_changed = true; // the last write of the group
    PULSE(&b, group_end);
    assert_true(b.o.has_tag);
    draw(&b);
    b.i.frames_changed = true; // drops the tag of the set that the roll leaves
    roll(&b);
    assert_false(b.s.tagged[0] || b.s.tagged[1]);
    miss(&b, 5);
    PULSE(&b, frames_cleared);
    assert_false(b.o.has_tag);
    lookup(&b, 5, MISS);
}

static void resume(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    miss(&b, 1);
    draw(&b);
    miss(&b, 2);
    send_hash(&b, 1); // in the clock of a hit: no answer, the hit is done
    PULSE(&b, resume_valid);
    assert_true(b.o.idle && !b.o.answer_valid && !b.o.has_tag && b.o.current == 0);
    assert_int_equal(b.o.hits, 1);
    lookup(&b, 1, MISS); // every tag is dropped
    b.i.resume_valid = true;
    PULSE(&b, group_end);
    assert_false(b.o.has_tag || b.o.group);
    send(&b, 1);
    PULSE(&b, resume_valid); // between the dwords
    assert_true(b.o.idle && b.o.hash_ready);
    end(&b, 0);
    draw(&b);
    send_hash(&b, 1); // in the clock of a roll
    const uint8_t before = b.o.current;
    PULSE(&b, resume_valid);
    assert_true(b.o.idle && !b.o.group && !b.o.answer_valid && b.o.current != before);
    lookup(&b, 1, MISS);
    PULSE(&b, group_end);
    lookup(&b, 1, HIT);
}

static void skip_is_plain(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    b.i.resume_plain = true; // counts only with resume_valid
    tick(&b);
    miss(&b, 1);
    b.i.frames_cleared = true; // plain wins
    b.i.resume_plain   = true;
    PULSE(&b, resume_valid);
    lookup(&b, 1, PLAIN);
    LEVEL(&b, hash_count, 0);
    lookup(&b, 1, PLAIN);
    LEVEL(&b, hash_count, 1);
    PULSE(&b, frames_changed);
    lookup(&b, 1, PLAIN);
    PULSE(&b, resume_valid); // RESUME leaves it
    lookup(&b, 1, PLAIN);
    PULSE(&b, frames_cleared);
    lookup(&b, 1, MISS);
}

static void two_tags_match(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    miss(&b, 1);
    miss(&b, 2);
    b.s.tag_low[1] = 1; // a fault of the machine
    LEVEL(&b, bounce_enable, false);
    lookup(&b, 1, PLAIN);
    assert_false(b.o.fault);
    LEVEL(&b, bounce_enable, true);
    lookup(&b, 1, HIT);
    assert_int_equal(b.o.current, 0);
    assert_true(b.o.fault);
    ticks(&b, 5);
    assert_true(b.o.fault);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_reset),
        cmocka_unit_test(miss_and_hit),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(hits_without_pause),
        cmocka_unit_test(bare_answers),
        cmocka_unit_test(victims),
        cmocka_unit_test(used_sets_are_not_taken),
        cmocka_unit_test(left_by_a_hit),
        cmocka_unit_test(miss_waits),
        cmocka_unit_test(counts),
        cmocka_unit_test(writes_and_tags),
        cmocka_unit_test(resume),
        cmocka_unit_test(skip_is_plain),
        cmocka_unit_test(two_tags_match),
    };

    return cmocka_run_group_tests_name("context", tests, NULL, NULL);
}

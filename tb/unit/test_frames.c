// SPDX-License-Identifier: Apache-2.0
//
// totem_frames: rules, latencies and meetings of docs/contract/frames.md. The bench is sender, context and banks.

#include "block_bench.h"

#include "frames_banks.h"

BENCH(frames)

enum { FAR = REGISTERS - 1, COPY = ROWS + 3 };

typedef struct {
    bench        b;
    frames_banks banks;
    uint32_t     value[REGISTERS]; // of the current set, as it is to be
    unsigned     answers;          // READs answered
    uint32_t     answer[64];       // the first of them
} frames_bench;

static void clock_edge(frames_bench *t)
{
    banks_clock(&t->banks, &t->b.o, t->b.hold.ram_read_data);
    tick(&t->b);
    if (t->b.o.read_valid) {
        if (t->answers < 64)
            t->answer[t->answers] = t->b.o.read_data;
        t->answers++;
    }
}

static void clocks(frames_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

#define CLOCKS(t, condition)                                \
    __extension__({                                         \
        unsigned clocks_ = 0;                               \
        for (; !(condition); clock_edge(t))                 \
            if (++clocks_ > 4 * COPY)                       \
                fail_msg("line %d: " #condition, __LINE__); \
        clocks_;                                            \
    })

// Set 0 has other words in every register, the table again others.
static void open_bench(frames_bench *t, bool filter)
{
    memset(t, 0xa5, sizeof *t);
    fresh(&t->b);
    t->answers = 0;
    LEVEL(&t->b, filter_enable, filter);
    for (unsigned x = 0; x < REGISTERS; x++) {
        t->value[x] = *in_frame(&t->banks, 0, x) = 1000 + x;
        *in_frame(&t->banks, TABLE, x)           = 5000 + x;
    }
}

// An operation, as soon as it is taken.
static void give(frames_bench *t, unsigned kind, unsigned index, uint32_t data, uint32_t mask)
{
    CLOCKS(t, t->b.o.op_ready);
    t->b.i.op_valid = true;
    t->b.i.op_kind  = (uint8_t)kind;
    t->b.i.op_index = (uint16_t)index;
    t->b.i.op_data  = data;
    t->b.i.op_mask  = mask;
    clock_edge(t);
    if (kind == WRITE && index < REGISTERS)
        t->value[index] = (t->value[index] & ~mask) | (data & mask);
    for (unsigned x = 0; kind == CLEAR && x < REGISTERS; x++)
        t->value[x] = *in_frame(&t->banks, TABLE, x);
}

static void set(frames_bench *t, unsigned index, uint32_t data)
{
    give(t, WRITE, index, data, 0xffffffff);
}

static void settle(frames_bench *t)
{
    CLOCKS(t, t->b.o.idle && !t->b.o.copying);
}

// The set has these words in all its registers.
static void holds(frames_bench *t, unsigned set, const uint32_t *value)
{
    for (unsigned x = 0; x < REGISTERS; x++)
        assert_int_equal(in_set(&t->banks, &t->b.s, set, x), value[x]);
}

// The context block rolls in this clock, for a WRITE that wants it or for a miss. Draws stay with the set that is left.
static void roll(frames_bench *t, unsigned set, bool miss)
{
    assert_true(t->b.o.roll_room && (miss || t->b.o.roll_want));
    t->b.i.context_roll_want = miss;
    t->b.i.context_roll_free = true;
    t->b.i.context_roll_set  = (uint8_t)set;
    clock_edge(t);
    LEVEL(&t->b, context_used, false);
    LEVEL(&t->b, context_has_tag, false);
}

static void hit(frames_bench *t, unsigned set)
{
    t->b.i.context_hit_valid = true;
    t->b.i.context_hit_set   = (uint8_t)set;
    clock_edge(t);
}

static void latencies(void **state)
{
    frames_bench t;
    (void)state;
    open_bench(&t, true);
    give(&t, WRITE, 17, 0xdd, 0xf0);
    for (unsigned n = 0; n < 2; n++, clock_edge(&t))
        assert_false(t.b.o.changed || t.b.o.idle);
    assert_true(t.b.o.changed && !t.b.o.idle);
    assert_int_equal(*in_frame(&t.banks, 0, 17), 1017);
    clock_edge(&t);
    assert_true(!t.b.o.changed && t.b.o.idle);
    assert_int_equal(*in_frame(&t.banks, 0, 17), (1017 & ~0xf0) | 0xd0);
    give(&t, READ, 17, 0, 0);
    clocks(&t, 2);
    assert_true(t.b.o.read_valid && t.b.o.read_data == t.value[17]);
    clock_edge(&t);
    assert_false(t.b.o.read_valid);
    give(&t, WRITE, 17, 0xd0, 0xf0); // changes nothing
    give(&t, WRITE, 17, 0, 0);       // nor this
    settle(&t);
    assert_int_equal(t.b.o.filtered, 2);
    assert_int_equal(t.b.o.written, 1);
    LEVEL(&t.b, filter_enable, false);
    give(&t, WRITE, 17, 0, 0);
    clocks(&t, 2);
    assert_true(t.b.o.changed);
    settle(&t);
    assert_int_equal(t.b.o.written, 2);
    holds(&t, 0, t.value);
}

// One WRITE a clock, of one register, of two in turn, of three, .., each of another part of it; READs between.
static void one_a_clock(void **state)
{
    (void)state;
    for (unsigned run = 0; run < 12; run++)
        for (unsigned step = 1; step <= BANKS; step += BANKS - 1) {
            frames_bench t;
            uint32_t     expected[64];
            unsigned     reads = 0;
            open_bench(&t, run % 2);
            for (unsigned n = 0; n < 200; n++) {
                const unsigned index = n % (1 + run / 2) * step;
                assert_true(t.b.o.op_ready);
                if (n % 5 == 4 && reads < 64) {
                    expected[reads++] = t.value[index];
                    give(&t, READ, index, 0, 0);
                } else
                    give(&t, WRITE, index, n % 7 / 2 * 0x11111111u, n % 3 == 0 ? 0xffffffff : 0xffu << n % 4 * 8);
            }
            assert_in_range(CLOCKS(&t, t.b.o.idle), 2, 3);
            assert_int_equal(t.answers, reads);
            for (unsigned n = 0; n < reads; n++)
                assert_int_equal(t.answer[n], expected[n]);
            assert_int_equal(t.b.o.written + t.b.o.filtered + reads, 200);
            assert_true((t.b.o.filtered != 0) == (run % 2));
            holds(&t, 0, t.value);
        }
}

static void refused(void **state)
{
    static const struct {
        uint8_t  kind;
        uint16_t index;
    } bad[] = {{WRITE, REGISTERS}, {READ, REGISTERS}, {WRITE, 0xffff}, {READ, 0x8000}, {3, 0}, {3, 0xffff}};
    frames_bench t;
    (void)state;
    open_bench(&t, false);
    for (unsigned n = 0; n < sizeof bad / sizeof *bad; n++) {
        give(&t, bad[n].kind, bad[n].index, 1, 0xffffffff);
        assert_false(t.b.o.refused);
        clock_edge(&t);
        assert_true(t.b.o.refused && t.b.o.idle);
        clock_edge(&t);
        assert_false(t.b.o.refused || t.b.o.read_valid);
    }
    set(&t, FAR, 3); // in its place between others
    give(&t, 3, 0, 1, 1);
    set(&t, FAR, 4);
    settle(&t);
    assert_int_equal(t.b.o.written, 2);
    holds(&t, 0, t.value);
    give(&t, CLEAR, 0xffff, 1, 1); // CLEAR has no index
    clock_edge(&t);
    assert_true(t.b.o.cleared && t.b.o.copying && !t.b.o.refused);
}

// ---- copies and rolls

// From the first draw on, in every clock of the copy and behind it: a roll of a WRITE, far or near. The set that
// is left keeps every register; the new one is there from the first clock on.
static void write_meets_copy_ahead(void **state)
{
    (void)state;
    for (unsigned gap = 0; gap < COPY + 5; gap++)
        for (unsigned far = 0; far < 2; far++) {
            frames_bench t;
            uint32_t     old[REGISTERS];
            open_bench(&t, gap % 2);
            memcpy(old, t.value, sizeof old);
            LEVEL(&t.b, context_used, true);
            clocks(&t, gap);
            assert_int_equal(t.b.o.copying, gap > 0 && gap <= COPY);
            if (gap > 0 && gap <= COPY)
                assert_int_equal(t.b.o.copy_target, SETS);
            set(&t, far ? FAR : 0, 1);
            set(&t, far ? 0 : FAR, 2);
            CLOCKS(&t, t.b.o.roll_want);
            assert_false(t.b.o.changed || t.b.o.idle);
            roll(&t, 1, false);
            assert_int_equal(t.b.o.frame[1], SETS);
            holds(&t, 1, old);
            if (gap > COPY) { // two clocks from the roll to the second decision
                clocks(&t, 2);
                assert_true(t.b.o.changed);
            }
            CLOCKS(&t, t.b.o.idle);
            holds(&t, 0, old);
            holds(&t, 1, t.value);
            if (gap >= COPY)
                assert_int_equal(t.b.o.exposed_clocks, 0);
            else if (gap < COPY - 8)
                assert_in_range(t.b.o.exposed_clocks, 1, COPY);
            settle(&t);
            holds(&t, 0, old);
            holds(&t, 1, t.value);
            assert_int_equal(t.b.o.written, 2);
        }
}

// Only its own row of its own bank keeps a WRITE waiting, and READs as well.
static void own_row(void **state)
{
    frames_bench t;
    (void)state;
    open_bench(&t, true);
    roll(&t, 1, true); // without copy-ahead: a copy from the old set
    assert_true(t.b.o.copying);
    LEVEL(&t.b, context_roll_want, true); // a miss that waits for a set does not wait for the copy
    clocks(&t, 3 + 4);                    // rows 0 to 3 are there
    LEVEL(&t.b, context_roll_want, false);
    for (unsigned x = 0; x < 4; x++)
        set(&t, x * BANKS, x);
    give(&t, READ, 4 * BANKS - 1, 0, 0);
    CLOCKS(&t, t.b.o.idle);
    assert_int_equal(t.b.o.exposed_clocks, 0);
    give(&t, READ, FAR, 0, 0);
    settle(&t);
    assert_int_equal(t.answers, 2);
    assert_int_equal(t.answer[1], 1000 + FAR);
    assert_in_range(t.b.o.exposed_clocks, ROWS - 16, ROWS);
    holds(&t, 1, t.value);
}

// Redundant WRITEs of registers that are not copied yet wait, and are dropped.
static void filter_meets_copy(void **state)
{
    frames_bench t;
    (void)state;
    open_bench(&t, true);
    LEVEL(&t.b, context_used, true);
    clocks(&t, 2);
    roll(&t, 1, true);
    LEVEL(&t.b, context_used, true); // a draw on the new set too
    set(&t, FAR, 1000 + FAR);
    clocks(&t, 4);
    assert_false(t.b.o.idle || t.b.o.filtered);
    CLOCKS(&t, t.b.o.idle);
    assert_int_equal(t.b.o.filtered, 1);
    assert_true(!t.b.o.roll_want && t.b.o.exposed_clocks > 0);
    set(&t, FAR, 1);
    clocks(&t, 2);
    for (; t.b.o.copying && !t.b.s.fresh; clock_edge(&t)) // one copy at a time
        assert_false(t.b.o.roll_room);
    roll(&t, 0, false);
    settle(&t);
    holds(&t, 0, t.value);
    assert_int_equal(in_set(&t.banks, &t.b.s, 1, FAR), 1000 + FAR);
}

// In place: the copy-ahead stops and starts anew; at the roll the spare has everything.
static void write_in_place(void **state)
{
    (void)state;
    for (unsigned gap = 0; gap < COPY + 3; gap++) {
        frames_bench t;
        open_bench(&t, true);
        LEVEL(&t.b, context_has_tag, true);
        clocks(&t, gap);
        set(&t, gap * 5 % REGISTERS, 1);
        CLOCKS(&t, t.b.o.changed);
        assert_false(t.b.o.copying);
        for (unsigned n = 0; n < 2; n++, clock_edge(&t))
            assert_false(t.b.o.copying);
        clocks(&t, gap / 2);
        roll(&t, 1, true);
        settle(&t);
        holds(&t, 0, t.value);
        holds(&t, 1, t.value);
    }
    frames_bench t; // dropped: the copy goes on
    open_bench(&t, true);
    LEVEL(&t.b, context_has_tag, true);
    clocks(&t, 9);
    set(&t, 3, 1003);
    CLOCKS(&t, t.b.o.idle);
    assert_true(t.b.o.copying);
    // COPY clocks, and at most one more for the turn taken.
    assert_in_range(CLOCKS(&t, !t.b.o.copying), COPY - 11, COPY - 10);
}

static void draws_end(void **state)
{
    frames_bench t;
    (void)state;
    open_bench(&t, true);
    LEVEL(&t.b, context_used, true);
    set(&t, 8, 1);
    set(&t, 9, 2); // issued behind it, and issued again later
    set(&t, 8, 3);
    assert_true(t.b.o.roll_want);
    assert_false(t.b.o.op_ready);
    clocks(&t, 20);
    LEVEL(&t.b, context_used, false);
    clock_edge(&t);
    assert_false(t.b.o.roll_want);
    settle(&t);
    assert_int_equal(t.b.o.written, 3);
    assert_int_equal(t.b.o.frame[0], 0);
    holds(&t, 0, t.value);
}

static void hits(void **state)
{
    (void)state;
    for (unsigned gap = 0; gap < COPY + 3; gap++) {
        frames_bench t;
        uint32_t     old[REGISTERS];
        open_bench(&t, true);
        memcpy(old, t.value, sizeof old);
        roll(&t, 1, true); // a copy from set 0 into set 1
        clocks(&t, gap);
        hit(&t, 0); // it ends, then the next one starts
        LEVEL(&t.b, context_has_tag, true);
        if (gap < COPY - 1)
            assert_true(t.b.o.copying && t.b.o.copy_target == SETS && !t.b.o.roll_room);
        CLOCKS(&t, t.b.s.fresh);
        holds(&t, 1, old);
        clocks(&t, gap);
        hit(&t, 0); // the current set: nothing
        assert_true(t.b.s.fresh && (t.b.o.copying || gap > COPY - 3));
        hit(&t, 1); // another one: the copy stops
        assert_false(t.b.s.fresh || t.b.o.copying);
        clocks(&t, 2);
        assert_true(t.b.s.fresh && t.b.s.copy_source == SETS);
        settle(&t);
        set(&t, 5, 6); // in place
        settle(&t);
        holds(&t, 0, old);
        holds(&t, 1, t.value);
    }
}

// A hit goes back to the set from which the set that it leaves is still being copied. A WRITE there, in place, waits
// until the copy has its register; the left set keeps the word of the roll.
static void write_into_the_source(void **state)
{
    (void)state;
    for (unsigned gap = 0; gap < COPY + 3; gap++)
        for (unsigned far = 0; far < 2; far++) {
            frames_bench t;
            uint32_t     old[REGISTERS];
            open_bench(&t, true);
            memcpy(old, t.value, sizeof old);
            LEVEL(&t.b, context_used, far); // with and without copy-ahead
            clocks(&t, gap);
            roll(&t, 1, true);
            hit(&t, 0);
            set(&t, far ? FAR : gap, 1);
            CLOCKS(&t, t.b.o.idle);
            holds(&t, 1, old);
            settle(&t);
            holds(&t, 0, t.value);
            holds(&t, 1, old);
        }
}

// ---- CLEAR and the table

static void clear_in_place(void **state)
{
    (void)state;
    for (unsigned gap = 0; gap < COPY + 3; gap += 3)
        for (unsigned way = 0; way < 3; way++) { // no copy; one into the set; one ahead
            frames_bench t;
            open_bench(&t, true);
            if (way == 1)
                roll(&t, 1, true);
            LEVEL(&t.b, context_has_tag, way == 2);
            clocks(&t, gap);
            if (gap % 2)
                set(&t, 2, 1);
            give(&t, CLEAR, 0, 0, 0);
            set(&t, REGISTERS / 2, 7); // waits for its row, and leaves the copy running
            if (gap % 2)
                CLOCKS(&t, t.b.o.cleared);
            assert_true(t.b.o.cleared); // without a WRITE before it at once
            assert_true(t.b.o.copying && t.b.o.copy_target == t.b.o.frame[way == 1]);
            give(&t, READ, 3, 0, 0);
            assert_false(t.b.o.cleared);
            LEVEL(&t.b, context_has_tag, false);
            CLOCKS(&t, t.b.o.idle);
            assert_int_equal(t.answer[0], 5003);
            settle(&t);
            holds(&t, way == 1, t.value);
            assert_int_equal(t.b.o.written, 1 + gap % 2);
            assert_int_equal(*in_frame(&t.banks, TABLE, FAR), 5000 + FAR);
        }
}

static void clear_rolls(void **state)
{
    (void)state;
    for (unsigned gap = 0; gap < COPY + 3; gap += 3) {
        frames_bench t;
        uint32_t     old[REGISTERS];
        open_bench(&t, true);
        memcpy(old, t.value, sizeof old);
        LEVEL(&t.b, context_used, true);
        clocks(&t, gap);
        give(&t, CLEAR, 0, 0, 0);
        set(&t, FAR, 7);
        CLOCKS(&t, t.b.o.roll_want);
        assert_false(t.b.o.cleared);
        roll(&t, 1, false); // the copy from the table replaces the copy-ahead
        assert_true(t.b.o.cleared && t.b.o.copying && t.b.s.copy_source == TABLE);
        settle(&t);
        holds(&t, 0, old);
        holds(&t, 1, t.value);
    }
}

static void clear_waits(void **state)
{
    frames_bench t;
    uint32_t     old[REGISTERS];
    (void)state;
    open_bench(&t, true);
    memcpy(old, t.value, sizeof old);
    roll(&t, 1, true);
    hit(&t, 0); // the copy into set 1 goes on
    give(&t, CLEAR, 0, 0, 0);
    clocks(&t, 9);
    assert_false(t.b.o.cleared);
    assert_int_equal(t.b.o.exposed_clocks, 9);
    CLOCKS(&t, t.b.o.cleared);
    assert_int_equal(t.b.o.exposed_clocks, COPY - 2);
    holds(&t, 1, old);
    settle(&t);
    holds(&t, 0, t.value);
    holds(&t, 1, old);
}

static void load_table(frames_bench *t, unsigned index, uint32_t data)
{
    assert_true(t->b.o.table_ready);
    t->b.i.table_valid = true;
    t->b.i.table_index = (uint16_t)index;
    t->b.i.table_data  = data;
    clock_edge(t);
    assert_false(t->b.o.table_ready);
}

static void table_words(void **state)
{
    frames_bench t;
    (void)state;
    open_bench(&t, true);
    load_table(&t, 4, 44);
    clocks(&t, 2);
    assert_true(t.b.o.idle && t.b.o.table_ready && !t.b.o.changed); // the word is being written
    clock_edge(&t);
    assert_int_equal(*in_frame(&t.banks, TABLE, 4), 44);
    // An operation goes first, in any bank; a CLEAR takes the table without the word, all of one moment.
    load_table(&t, FAR, 55);
    set(&t, 0, 1); // the word has its turn in this clock
    clock_edge(&t);
    assert_int_equal(t.b.o.table_ready, true);
    settle(&t);
    for (unsigned x = 0; x < REGISTERS; x++)
        t.value[x] = *in_frame(&t.banks, TABLE, x);
    assert_int_equal(t.value[FAR], 55);
    give(&t, CLEAR, 0, 0, 0);
    load_table(&t, FAR, 66);
    set(&t, 1, 1);
    for (; t.b.o.copying; clock_edge(&t))
        assert_false(t.b.o.table_ready);
    holds(&t, 0, t.value);
    CLOCKS(&t, t.b.o.table_ready);
    clock_edge(&t);
    assert_int_equal(*in_frame(&t.banks, TABLE, FAR), 66);
    holds(&t, 0, t.value);
}

// A word that comes in any clock around a CLEAR is in the set or is not; the table has it in the end.
static void table_meets_clear(void **state)
{
    (void)state;
    for (unsigned clock = 0; clock < COPY + 8; clock++) {
        frames_bench t;
        open_bench(&t, true);
        for (unsigned n = 0; n < COPY + 12; n++) {
            if (n == clock) {
                t.b.i.table_valid = true;
                t.b.i.table_index = BANKS;
                t.b.i.table_data  = 77;
            }
            if (n == 4)
                give(&t, CLEAR, 0, 0, 0);
            else
                clock_edge(&t);
        }
        assert_true(t.b.o.idle && t.b.o.table_ready && !t.b.o.copying);
        assert_int_equal(*in_frame(&t.banks, TABLE, BANKS), 77);
        // Its turn is in the clock behind the one in which it comes; CLEAR keeps it from clock 5 on.
        t.value[BANKS] = clock <= 3 ? 77 : 5000 + BANKS;
        holds(&t, 0, t.value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies),
        cmocka_unit_test(one_a_clock),
        cmocka_unit_test(refused),
        cmocka_unit_test(write_meets_copy_ahead),
        cmocka_unit_test(own_row),
        cmocka_unit_test(filter_meets_copy),
        cmocka_unit_test(write_in_place),
        cmocka_unit_test(draws_end),
        cmocka_unit_test(hits),
        cmocka_unit_test(write_into_the_source),
        cmocka_unit_test(clear_in_place),
        cmocka_unit_test(clear_rolls),
        cmocka_unit_test(clear_waits),
        cmocka_unit_test(table_words),
        cmocka_unit_test(table_meets_clear),
    };

    return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}

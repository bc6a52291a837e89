// SPDX-License-Identifier: Apache-2.0
//
// totem_frames: rules, latencies and meetings of docs/contract/frames.md. The bench is sender, context and banks.

#include "block_bench.h"

#include "totem_frames.h"

BENCH(frames)

enum {
    SETS      = TOTEM_SETS,
    BANKS     = TOTEM_BANKS,
    REGISTERS = TOTEM_REGISTERS,
    ROWS      = REGISTERS / BANKS,
    TABLE     = SETS + 1,
    WORDS     = 2 * SETS * ROWS, // of a bank
};
enum { FAR = REGISTERS - 1, COPY = ROWS + 3 };

typedef struct {
    bench    b;
    uint32_t bank[BANKS][WORDS];
    uint32_t old[REGISTERS];   // of set 0 at first
    uint32_t value[REGISTERS]; // of the current set, as it is to be
    unsigned answers;          // READs answered
    uint32_t answer[64];       // the first of them
} frames_bench;

// Far too big for the stack.
static frames_bench t;

static uint32_t *in_frame(unsigned frame, unsigned index)
{
    return &t.bank[index % BANKS][frame * ROWS + index / BANKS];
}

// Register of a set: in its frame, or where the copy that has not reached it takes it from.
static uint32_t in_set(unsigned set, unsigned index)
{
    const totem_frames *s     = &t.b.s;
    unsigned            frame = s->frame[set];
    if (s->copying && s->copy_target == frame && index / BANKS >= s->copy_done[index % BANKS])
        frame = s->copy_source;
    return *in_frame(frame, index);
}

// The banks return the old word; no word is read while it is written.
static void clock_edge(void)
{
    const totem_frames_out *o = &t.b.o;
    for (unsigned n = 0; n < BANKS; n++) {
        assert_true(o->ram_write_addr[n] < WORDS && o->ram_read_addr[n] < WORDS);
        assert_false(o->ram_read_enable[n] && o->ram_write_enable[n] && o->ram_read_addr[n] == o->ram_write_addr[n]);
        if (o->ram_read_enable[n])
            t.b.hold.ram_read_data[n] = t.bank[n][o->ram_read_addr[n]];
        if (o->ram_write_enable[n])
            t.bank[n][o->ram_write_addr[n]] = o->ram_write_data[n];
    }
    tick(&t.b);
    if (t.b.o.read_valid) {
        if (t.answers < 64)
            t.answer[t.answers] = t.b.o.read_data;
        t.answers++;
    }
}

static void clocks(unsigned count)
{
    while (count--)
        clock_edge();
}

#define CLOCKS(condition)                                   \
    __extension__({                                         \
        unsigned clocks_ = 0;                               \
        for (; !(condition); clock_edge())                  \
            if (++clocks_ > 4 * COPY)                       \
                fail_msg("line %d: " #condition, __LINE__); \
        clocks_;                                            \
    })

// Set 0 has other words in every register, the table again others.
static void open_bench(bool filter)
{
    memset(&t, 0xa5, sizeof t);
    fresh(&t.b);
    t.answers = 0;
    LEVEL(&t.b, filter_enable, filter);
    for (unsigned x = 0; x < REGISTERS; x++) {
        t.value[x] = *in_frame(0, x) = 1000 + x;
        *in_frame(TABLE, x)          = 5000 + x;
    }
    memcpy(t.old, t.value, sizeof t.old);
}

// An operation, as soon as it is taken.
static void give(unsigned kind, unsigned index, uint32_t data, uint32_t mask)
{
    CLOCKS(t.b.o.op_ready);
    t.b.i.op_valid = true;
    t.b.i.op_kind  = (uint8_t)kind;
    t.b.i.op_index = (uint16_t)index;
    t.b.i.op_data  = data;
    t.b.i.op_mask  = mask;
    clock_edge();
    if (kind == OP_WRITE && index < REGISTERS)
        t.value[index] = (t.value[index] & ~mask) | (data & mask);
    for (unsigned x = 0; kind == OP_CLEAR && x < REGISTERS; x++)
        t.value[x] = *in_frame(TABLE, x);
}

static void set(unsigned index, uint32_t data)
{
    give(OP_WRITE, index, data, 0xffffffff);
}

static void settle(void)
{
    CLOCKS(t.b.o.idle && !t.b.o.copying);
}

// The set has these words in all its registers.
static void holds(unsigned set, const uint32_t *value)
{
    for (unsigned x = 0; x < REGISTERS; x++)
        assert_int_equal(in_set(set, x), value[x]);
}

// Set 0 is as it was, set 1 as the packets have it; or the other way round.
static void rolled(void)
{
    holds(0, t.old);
    holds(1, t.value);
}

static void back(void)
{
    holds(0, t.value);
    holds(1, t.old);
}

// The context block rolls in this clock, for a WRITE that wants it or for a miss. Draws stay with the set that is left.
static void roll(unsigned set, bool miss)
{
    assert_true(t.b.o.roll_room && (miss || t.b.o.roll_want));
    t.b.i.context_roll_want = miss;
    t.b.i.context_roll_free = true;
    t.b.i.context_roll_set  = (uint8_t)set;
    clock_edge();
    LEVEL(&t.b, context_used, false);
    LEVEL(&t.b, context_has_tag, false);
}

static void hit(unsigned set)
{
    t.b.i.context_hit_valid = true;
    t.b.i.context_hit_set   = (uint8_t)set;
    clock_edge();
}

// One WRITE a clock, of one register, of two in turn, of three, .., each of another part of it; READs between.
TEST(one_a_clock)
{
    for (unsigned run = 0; run < 12; run++)
        for (unsigned step = 1; step <= BANKS; step += BANKS - 1) {
            uint32_t expected[64];
            unsigned reads = 0;
            open_bench(run % 2);
            for (unsigned n = 0; n < 200; n++) {
                const unsigned index = n % (1 + run / 2) * step;
                assert_true(t.b.o.op_ready);
                if (n % 5 == 4 && reads < 64) {
                    expected[reads++] = t.value[index];
                    give(OP_READ, index, 0, 0);
                } else
                    give(OP_WRITE, index, n % 7 / 2 * 0x11111111u, n % 3 == 0 ? 0xffffffff : 0xffu << n % 4 * 8);
            }
            assert_in_range(CLOCKS(t.b.o.idle), 2, 3);
            assert_int_equal(t.answers, reads);
            for (unsigned n = 0; n < reads; n++)
                assert_int_equal(t.answer[n], expected[n]);
            assert_int_equal(t.b.o.written + t.b.o.filtered + reads, 200);
            assert_true((t.b.o.filtered != 0) == (run % 2));
            holds(0, t.value);
        }
}

TEST(refused)
{
    static const struct {
        uint8_t  kind;
        uint16_t index;
    } bad[] = {{OP_WRITE, REGISTERS}, {OP_READ, REGISTERS}, {OP_WRITE, 0xffff},
               {OP_READ, 0x8000},     {OP_REFUSED, 0},      {OP_REFUSED, 0xffff}};
    open_bench(false);
    for (unsigned n = 0; n < COUNT(bad); n++) {
        give(bad[n].kind, bad[n].index, 1, 0xffffffff);
        assert_false(t.b.o.refused);
        clock_edge();
        assert_true(t.b.o.refused && t.b.o.idle);
        clock_edge();
        assert_false(t.b.o.refused || t.b.o.read_valid);
    }
    set(FAR, 3); // in its place between others
    give(3, 0, 1, 1);
    set(FAR, 4);
    settle();
    assert_int_equal(t.b.o.written, 2);
    holds(0, t.value);
    give(OP_CLEAR, 0xffff, 1, 1); // CLEAR has no index
    clock_edge();
    assert_true(t.b.o.cleared && t.b.o.copying && !t.b.o.refused);
}

// ---- copies and rolls

// No clock is exposed if the copy is done when the WRITE comes; else the WRITE waits until its register is there.
TEST(exposed)
{
    for (unsigned gap = 0; gap <= COPY + 1; gap++) {
        open_bench(true);
        LEVEL(&t.b, context_used, true);
        clocks(gap);
        set(FAR, 1);
        CLOCKS(t.b.o.roll_want);
        roll(1, false);
        CLOCKS(t.b.o.idle);
        assert_int_equal(t.b.o.exposed_clocks, gap < COPY - 3 ? COPY - 3 - gap : 0);
    }
}

// In place: the copy-ahead stops and starts anew; at the roll the spare has everything.
TEST(write_in_place)
{
    for (unsigned gap = 0; gap < COPY + 3; gap++) {
        open_bench(true);
        LEVEL(&t.b, context_has_tag, true);
        clocks(gap);
        set(gap * 5 % REGISTERS, 1);
        CLOCKS(t.b.o.changed);
        assert_false(t.b.o.copying);
        for (unsigned n = 0; n < 2; n++, clock_edge())
            assert_false(t.b.o.copying);
        clocks(gap / 2);
        roll(1, true);
        settle();
        holds(0, t.value);
        holds(1, t.value);
    }
    // dropped: the copy goes on
    open_bench(true);
    LEVEL(&t.b, context_has_tag, true);
    clocks(9);
    set(3, 1003);
    CLOCKS(t.b.o.idle);
    assert_true(t.b.o.copying);
    // COPY clocks, and at most one more for the turn taken.
    assert_in_range(CLOCKS(!t.b.o.copying), COPY - 11, COPY - 10);
}

TEST(draws_end)
{
    open_bench(true);
    LEVEL(&t.b, context_used, true);
    set(8, 1);
    set(9, 2); // issued behind it, and issued again later
    set(8, 3);
    for (unsigned n = 0; n < 20; n++, clock_edge())
        assert_true(t.b.o.roll_want && !t.b.o.op_ready);
    LEVEL(&t.b, context_used, false);
    clock_edge();
    assert_false(t.b.o.roll_want);
    settle();
    assert_int_equal(t.b.o.written, 3);
    assert_int_equal(t.b.o.frame[0], 0);
    holds(0, t.value);
}

TEST(hits)
{
    for (unsigned gap = 0; gap < COPY + 3; gap++) {
        open_bench(true);
        roll(1, true); // a copy from set 0 into set 1
        clocks(gap);
        hit(0); // it ends, then the next one starts
        LEVEL(&t.b, context_has_tag, true);
        if (gap < COPY - 1)
            assert_true(t.b.o.copying && t.b.o.copy_target == SETS && !t.b.o.roll_room);
        CLOCKS(t.b.s.fresh);
        holds(1, t.old);
        clocks(gap);
        hit(0); // the current set: nothing
        assert_true(t.b.s.fresh && (t.b.o.copying || gap > COPY - 3));
        hit(1); // another one: the copy stops
        assert_false(t.b.s.fresh || t.b.o.copying);
        clocks(2);
        assert_true(t.b.s.fresh && t.b.s.copy_source == SETS);
        settle();
        set(5, 6); // in place
        settle();
        rolled();
    }
}

// A hit goes back to the set from which the set that it leaves is still being copied. A WRITE there, in place, waits
// until the copy has its register; the left set keeps the word of the roll.
TEST(write_into_the_source)
{
    for (unsigned gap = 0; gap < COPY + 3; gap++)
        for (unsigned far = 0; far < 2; far++) {
            open_bench(true);
            LEVEL(&t.b, context_used, far); // with and without copy-ahead
            clocks(gap);
            roll(1, true);
            hit(0);
            set(far ? FAR : gap, 1);
            CLOCKS(t.b.o.idle);
            holds(1, t.old);
            settle();
            back();
        }
}

// ---- CLEAR and the table

TEST(clear_in_place)
{
    for (unsigned gap = 0; gap < COPY + 3; gap += 3)
        for (unsigned way = 0; way < 3; way++) { // no copy; one into the set; one ahead
            open_bench(true);
            if (way == 1)
                roll(1, true);
            LEVEL(&t.b, context_has_tag, way == 2);
            clocks(gap);
            if (gap % 2)
                set(2, 1);
            give(OP_CLEAR, 0, 0, 0);
            set(REGISTERS / 2, 7); // waits for its row, and leaves the copy running
            if (gap % 2)
                CLOCKS(t.b.o.cleared);
            assert_true(t.b.o.cleared); // without a WRITE before it at once
            assert_true(t.b.o.copying && t.b.o.copy_target == t.b.o.frame[way == 1]);
            give(OP_READ, 3, 0, 0);
            assert_false(t.b.o.cleared);
            LEVEL(&t.b, context_has_tag, false);
            CLOCKS(t.b.o.idle);
            assert_int_equal(t.answer[0], 5003);
            settle();
            holds(way == 1, t.value);
            assert_int_equal(t.b.o.written, 1 + gap % 2);
            assert_int_equal(*in_frame(TABLE, FAR), 5000 + FAR);
        }
}

TEST(clear_rolls)
{
    for (unsigned gap = 0; gap < COPY + 3; gap += 3) {
        open_bench(true);
        LEVEL(&t.b, context_used, true);
        clocks(gap);
        give(OP_CLEAR, 0, 0, 0);
        set(FAR, 7);
        CLOCKS(t.b.o.roll_want);
        assert_false(t.b.o.cleared);
        roll(1, false); // the copy from the table replaces the copy-ahead
        assert_true(t.b.o.cleared && t.b.o.copying && t.b.s.copy_source == TABLE);
        settle();
        rolled();
    }
}

TEST(clear_waits)
{
    open_bench(true);
    roll(1, true);
    hit(0); // the copy into set 1 goes on
    give(OP_CLEAR, 0, 0, 0);
    clocks(9);
    assert_false(t.b.o.cleared);
    assert_int_equal(t.b.o.exposed_clocks, 9);
    CLOCKS(t.b.o.cleared);
    assert_int_equal(t.b.o.exposed_clocks, COPY - 2);
    holds(1, t.old);
    settle();
    back();
}

static void load_table(unsigned index, uint32_t data)
{
    assert_true(t.b.o.table_ready);
    t.b.i.table_valid = true;
    t.b.i.table_index = (uint16_t)index;
    t.b.i.table_data  = data;
    clock_edge();
    assert_false(t.b.o.table_ready);
}

TEST(table_words)
{
    open_bench(true);
    load_table(4, 44);
    clocks(2);
    assert_true(t.b.o.idle && t.b.o.table_ready && !t.b.o.changed); // the word is being written
    clock_edge();
    assert_int_equal(*in_frame(TABLE, 4), 44);
    // An operation goes first, in any bank; a CLEAR takes the table without the word, all of one moment.
    load_table(FAR, 55);
    set(0, 1); // the word has its turn in this clock
    clock_edge();
    assert_int_equal(t.b.o.table_ready, true);
    settle();
    for (unsigned x = 0; x < REGISTERS; x++)
        t.value[x] = *in_frame(TABLE, x);
    assert_int_equal(t.value[FAR], 55);
    give(OP_CLEAR, 0, 0, 0);
    load_table(FAR, 66);
    set(1, 1);
    for (; t.b.o.copying; clock_edge())
        assert_false(t.b.o.table_ready);
    holds(0, t.value);
    CLOCKS(t.b.o.table_ready);
    clock_edge();
    assert_int_equal(*in_frame(TABLE, FAR), 66);
    holds(0, t.value);
}

// A word that comes in any clock around a CLEAR is in the set or is not; the table has it in the end.
TEST(table_meets_clear)
{
    for (unsigned clock = 0; clock < COPY + 8; clock++) {
        open_bench(true);
        for (unsigned n = 0; n < COPY + 12; n++) {
            if (n == clock) {
                t.b.i.table_valid = true;
                t.b.i.table_index = BANKS;
                t.b.i.table_data  = 77;
            }
            if (n == 4)
                give(OP_CLEAR, 0, 0, 0);
            else
                clock_edge();
        }
        assert_true(t.b.o.idle && t.b.o.table_ready && !t.b.o.copying);
        assert_int_equal(*in_frame(TABLE, BANKS), 77);
        // Its turn is in the clock behind the one in which it comes; CLEAR keeps it from clock 5 on.
        t.value[BANKS] = clock <= 3 ? 77 : 5000 + BANKS;
        holds(0, t.value);
    }
}

TEST(rolls_in_turn)
{
    uint32_t left[REGISTERS];
    open_bench(true);
    for (unsigned n = 0; n < 3 * SETS; n++) {
        LEVEL(&t.b, context_used, true);
        clocks(n % 2 ? COPY : 2);
        if (n > 0)
            holds((n - 1) % SETS, left);
        memcpy(left, t.value, sizeof left);
        set(n, n + 1);
        CLOCKS(t.b.o.roll_want && t.b.o.roll_room);
        roll((n + 1) % SETS, false);
        holds(n % SETS, left);
        CLOCKS(t.b.o.idle);
        holds((n + 1) % SETS, t.value);
    }
}

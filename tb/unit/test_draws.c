// SPDX-License-Identifier: Apache-2.0
//
// totem_draws: rules, latencies and meetings of docs/contract/draws.md. The bench is render, bus and engines.

#include "block_bench.h"

#include "totem_draws.h"

BENCH(draws)

enum { ENGINES = TOTEM_SE_COUNT, STATES = TOTEM_DRAW_STATES, CREDITS = 8, MOST = 4096 };
enum { SET_MASK = TOTEM_SETS - 1, EPOCH_MASK = TOTEM_EPOCHS - 1, EPOCHS_MASK = (1 << TOTEM_EPOCHS) - 1 };

typedef struct {
    bench    b;
    uint64_t feed[256]; // words of draws, and how many came and went
    unsigned fed, taken;
    uint64_t word[MOST]; // what was on the bus, and in which clock
    uint16_t tag[MOST];
    unsigned at[MOST], words, clock;
    uint8_t  wait[ENGINES][CREDITS], run[ENGINES][256]; // draw states of waves, in their order
    unsigned waits[ENGINES], runs[ENGINES];
    bool     no_grants, no_ends;
    unsigned noise;              // this part of 16 of all readies, grants and ends does not come
    bool     marked;             // waves leave marks, which go when they like
    unsigned marks[STATES];      // of each draw state
    uint8_t  set[64], epoch[64]; // of the draws that have ended
    unsigned ended;
    uint64_t seed;
} world;

static world t;

typedef struct {
    unsigned type, points, vertices, instances, words, set, epoch, hp3d, pixel_words;
} draw;

static void open_world(void)
{
    memset(&t, 0, sizeof t);
    fresh(&t.b);
    t.b.hold.fe_number = t.b.i.fe_number = 1;
    t.b.i.bus_ready                      = true;
    for (unsigned d = 0; d < STATES; d++)
        LEVEL(&t.b, draw_count_empty[d], true);
}

static bool comes(void)
{
    t.seed = t.seed * 6364136223846793005u + 1442695040888963407u;
    return (t.seed >> 40) % 16 >= t.noise;
}

// Kind, engine, draw state and primitives of a word that was on the bus.
static unsigned kind(unsigned n)
{
    return t.tag[n] >> 9 & 3;
}

static unsigned size(unsigned n)
{
    return t.word[n] >> 16 & 0x7f;
}

// A clock: the bus takes a word, engines grant and end a wave each.
static void cycle(void)
{
    const totem_draws_out o = t.b.o;
    if (o.bus_valid && t.b.i.bus_ready) {
        const unsigned n = t.words++ % MOST, e = o.bus_tag >> 4 & 3;
        t.word[n] = o.bus_word;
        t.tag[n]  = o.bus_tag;
        t.at[n]   = t.clock;
        if (kind(n) == DRAW_WAVE) {
            assert_in_range(t.waits[e], 0, CREDITS - 1);
            t.wait[e][t.waits[e]++] = (uint8_t)(o.bus_tag >> 12);
        }
    }
    if (o.end_valid) {
        t.set[t.ended % 64]     = o.end_set;
        t.epoch[t.ended++ % 64] = o.end_epoch;
    }
    t.b.i.render_draw_valid = t.taken < t.fed;
    t.b.i.render_draw_word  = t.feed[t.taken % 256];
    t.taken += t.b.i.render_draw_valid && o.draw_ready;
    tick(&t.b);
    t.clock++;
    t.b.i.bus_ready = comes();
    for (unsigned d = 0; t.marked && d < STATES; d++) {
        assert_true(t.b.s.taken[d] || t.marks[d] == 0); // a draw has not ended before
        t.b.i.draw_count_empty[d] = t.marks[d] == 0;
        t.marks[d] -= t.marks[d] != 0 && comes();
    }
    for (unsigned e = 0; e < ENGINES; e++) {
        if (t.runs[e] > 0 && !t.no_ends && comes()) {
            t.b.i.complete_valid[e] = true;
            t.b.i.complete_state[e] = t.run[e][0];
            memmove(t.run[e], t.run[e] + 1, --t.runs[e]);
        }
        if (t.waits[e] > 0 && !t.no_grants && t.runs[e] < 64 && comes()) {
            t.b.i.grant_valid[e] = true;
            t.b.i.grant_state[e] = t.wait[e][0];
            t.marks[t.wait[e][0]] += t.marked;
            t.run[e][t.runs[e]++] = t.wait[e][0];
            memmove(t.wait[e], t.wait[e] + 1, --t.waits[e]);
        }
    }
}

static void cycles(unsigned count)
{
    while (count--)
        cycle();
}

static void give(const draw *d)
{
    const uint64_t shape = d->type | d->points << 6 | 1u << 12 | 5u << 13 | 9u << 20 | (uint64_t)d->set << 29 |
                           (uint64_t)d->epoch << 33 | (uint64_t)d->hp3d << 36 | (uint64_t)d->words << 37 |
                           (uint64_t)d->pixel_words << 42;
    const uint64_t words[3] = {(uint64_t)d->instances << 32 | d->vertices, shape, 0xaf123456789a};
    for (unsigned n = 0; n < 4 + d->words + d->pixel_words; n++)
        t.feed[t.fed++ % 256] = n < 3 ? words[n] : 100 + n;
}

static void play(const draw *d)
{
    const unsigned begin = t.clock;
    t.words              = 0;
    give(d);
    do {
        cycle();
        assert_in_range(t.clock - begin, 0, 100000);
    } while (t.taken < t.fed || !t.b.o.idle);
    assert_false(t.b.o.fault);
}

// Primitives of a type, from what it is.
static unsigned primitives(unsigned type, unsigned points, unsigned v)
{
    switch (type) {
    case PRIMITIVE_POINT_LIST: return v;    // points
    case PRIMITIVE_LINE_LIST: return v / 2; // separate lines
    case PRIMITIVE_LINE_STRIP:
    case PRIMITIVE_LINE_LOOP: return v < 2 ? 0 : v - 1; // connected ones
    case PRIMITIVE_TRIANGLE_LIST:
    case PRIMITIVE_RECTANGLE_2D:
    case PRIMITIVE_RECTANGLE_LIST: return v / 3; // separate triangles, rectangles
    case PRIMITIVE_TRIANGLE_FAN:
    case PRIMITIVE_TRIANGLE_STRIP:
    case PRIMITIVE_POLYGON: return v < 3 ? 0 : v - 2;
    case PRIMITIVE_PATCH: return points ? v / points : 0;
    case PRIMITIVE_LINE_LIST_ADJACENCY:
    case PRIMITIVE_QUAD_LIST: return v / 4;
    case PRIMITIVE_LINE_STRIP_ADJACENCY: return v < 4 ? 0 : v - 3;
    case PRIMITIVE_TRIANGLE_LIST_ADJACENCY: return v / 6;
    case PRIMITIVE_TRIANGLE_STRIP_ADJACENCY: return v < 6 ? 0 : (v - 4) / 2;
    case PRIMITIVE_QUAD_STRIP: return v < 4 ? 0 : (v - 2) / 2;
    default: return 0;
    }
}

// The waves on the bus are those of a draw: 64 primitives each, but the last of every instance.
static void check_waves(const draw *d)
{
    const unsigned count = primitives(d->type, d->points, d->vertices);
    const unsigned first = 2 + d->words + d->pixel_words;
    unsigned       n     = first;
    for (unsigned i = 0; i < d->instances; i++)
        for (unsigned left = count; left > 0; n++) {
            assert_in_range(n, 0, t.words - 1);
            assert_int_equal(kind(n), DRAW_WAVE);
            assert_int_equal(size(n), left < 64 ? left : 64);
            assert_int_equal(t.word[n] >> 31, n - first);
            left -= size(n);
        }
    assert_int_equal(t.words, n);
}

// Large counts: the last vertices of 32 bits do not wrap; the number of a wave is that of the draw.
TEST(long_draws)
{
    const draw row[] = {
        {4, 0, 100000, 2, 0, 0, 0, 0, 0}, {1, 0, 65, 500, 0, 0, 0, 0, 0}, {9, 63, 200000, 3, 1, 0, 0, 0, 1}};
    open_world();
    for (unsigned n = 0; n < COUNT(row); n++) {
        play(&row[n]);
        check_waves(&row[n]);
    }
    const draw most = {4, 0, 0xffffffff, 1, 0, 0, 0, 0, 0};
    give(&most);
    cycles(3000);
    assert_int_equal(t.b.s.left, 0xffffffff - 3 - 192 * (uint32_t)(t.b.s.number + 1));
    assert_true(t.b.s.more && t.b.s.number > 2900);
}

// State words of geometry behind the header, those of pixels behind the pixel header; then the waves.
TEST(words_on_the_bus)
{
    enum { MINE = 1 << 2 | 1 << 8, PIXELS = 19, WAVES = PIXELS + 19 };
    const draw d = {4, 0, 200, 1, 18, 6, 5, 1, 18}, e = {4, 0, 3, 1, 0, 1, 2, 0, 0};
    open_world();
    t.no_ends = true;
    give(&d);
    give(&e);
    cycles(90);
    assert_int_equal(t.tag[0], MINE | CLASS_HP3D << 6);
    assert_int_equal(t.word[0], 0x3123456789a); // program and two enables
    for (unsigned n = 1; n < WAVES; n++) {
        assert_int_equal(t.tag[n], MINE | CLASS_HP3D << 6 | (n == PIXELS ? DRAW_PIXEL_HEADER : DRAW_STATE_WORD) << 9);
        assert_int_equal(t.word[n], 102 + n);
        assert_int_equal(t.at[n], t.at[0] + n);
    }
    for (unsigned n = WAVES; n < WAVES + 2; n++) {
        const unsigned number = n - WAVES;
        assert_int_equal(t.tag[n], MINE | CLASS_HP3D << 6 | DRAW_WAVE << 9 | number % ENGINES << 4);
        assert_int_equal(t.word[n], 5u | 9u << 7 | (number == 0 ? 64u : 2u) << 16 | 1u << 23 | (5u & EPOCH_MASK) << 24 |
                                        (6u & SET_MASK) << 27 | (uint64_t)number << 31);
        assert_int_equal(t.at[n], t.at[0] + n);
    }
    const unsigned next = WAVES + 2; // draw state 1, GFX
    assert_int_equal(t.tag[next], MINE | CLASS_GFX << 6 | 1 << 12);
    assert_int_equal(t.tag[next + 1], MINE | CLASS_GFX << 6 | 1 << 12 | DRAW_PIXEL_HEADER << 9);
    assert_int_equal(t.tag[next + 2], MINE | CLASS_GFX << 6 | 1 << 12 | DRAW_WAVE << 9 | 2 % ENGINES << 4);
    assert_int_equal(t.words, next + 3);
    assert_int_equal(t.ended, 0);
    t.no_ends = false;
    cycles(8);
    assert_int_equal(t.ended, 2);
    assert_true(t.set[0] == (6 & SET_MASK) && t.epoch[0] == (5 & EPOCH_MASK));
    assert_true(t.set[1] == 1 && t.epoch[1] == 2);
}

// From word 0 to the first wave; then a wave a clock, over all instances.
TEST(latency_and_rate)
{
    static const unsigned vertices[] = {64, 128, 65, 70};
    for (unsigned k = 0; k < COUNT(vertices); k++) {
        const draw d = {1, 0, vertices[k], 40, 0, 0, 0, 0, 0};
        open_world();
        play(&d);
        check_waves(&d);
        const unsigned first = vertices[k] > 64 ? 3 : 2; // the last wave of the first instance waits for its count
        for (unsigned n = 0; n < first; n++)
            assert_int_equal(t.at[n], 4 + n);
        for (unsigned n = first + 1; n < t.words; n++)
            assert_int_equal(t.at[n], t.at[n - 1] + 1);
        assert_int_equal(t.at[first], 9 + first);
    }
}

// Strictly in turn: an engine without credit holds up all. A grant gives one wave.
TEST(credit_and_turns)
{
    const draw d = {1, 0, 64, 100, 0, 0, 0, 0, 0};
    open_world();
    t.no_grants = true;
    give(&d);
    cycles(100);
    assert_int_equal(t.words, 2 + CREDITS * ENGINES);
    for (unsigned n = 2; n < t.words; n++)
        assert_int_equal(t.tag[n] >> 4 & 3, (n - 2) % ENGINES);
    for (unsigned e = ENGINES; e-- > 0;) { // the turn is at engine 0
        t.b.i.grant_valid[e] = true;
        t.waits[e]--;
        t.run[e][t.runs[e]++] = 0;
        cycles(10);
        assert_int_equal(t.words, 2 + CREDITS * ENGINES + (e == 0 ? ENGINES : 0));
    }
    t.no_grants = false;
    cycles(300);
    check_waves(&d);
    assert_true(t.b.o.idle);
}

// Waves of a killed draw that are not sent never come; it ends all the same. Other epochs stay.
TEST(kill)
{
    const draw d = {1, 0, 6400, 1, 18, 3, 2, 0, 2}, next = {4, 0, 3, 1, 0, 1, 2, 0, 0};
    for (unsigned when = 0; when < 60; when++)
        for (unsigned named = 0; named < 2; named++) {
            open_world();
            give(&d);
            cycles(when);
            t.b.i.kill_word_valid  = true;
            t.b.i.kill_word_epochs = named ? 1 << 2 : EPOCHS_MASK ^ 1 << 2;
            const unsigned step = t.b.s.step, sent = (unsigned)t.b.s.number;
            cycle();
            const bool in_that_clock = step == 6 && t.b.s.number > sent;
            cycles(300);
            assert_true(t.b.o.idle && !t.b.o.fault);
            assert_int_equal(t.ended, 1);
            assert_int_equal(t.words, 22 + (named && step >= 2 ? sent + in_that_clock : 100));
            const unsigned words = t.words;
            give(&next);
            cycles(60);
            assert_int_equal(t.words, words + 3);
        }
}

#if TOTEM_SE_COUNT > 3
// A count stays at zero, and says so; one at its top holds the draw up.
TEST(counts)
{
    const draw d = {1, 0, 200, 1, 0, 0, 0, 0, 0};
    for (unsigned what = 0; what < 4; what++) {
        open_world();
        t.no_ends = t.no_grants = true;
        give(&d);
        cycles(40);
        const uint8_t queued = t.b.s.queued[0];
        assert_int_equal(queued, 4);
        t.b.i.grant_valid[1]    = what < 2;
        t.b.i.grant_state[1]    = what == 1;
        t.b.i.complete_valid[2] = what >= 2;
        t.b.i.complete_state[2] = what == 3;
        cycle();
        assert_int_equal(t.b.o.fault, what == 1 || what == 3);
        assert_int_equal(t.b.s.queued[0], queued - (what == 0));
        assert_int_equal(t.b.s.queued[1], 0);
        assert_int_equal(t.b.s.flight[0], 4 - (what == 2));
        assert_int_equal(t.b.s.used[1], what < 2 ? 0 : 1);
        t.b.i.grant_valid[1] = true; // its only wave was granted
        t.b.i.grant_state[1] = 0;
        cycles(2);
        assert_int_equal(t.b.o.fault, what != 2);
    }
    open_world();
    t.no_ends = true;
    give(&d);
    cycles(4);
    t.b.s.flight[0] = 1022;
    cycles(20);
    assert_int_equal(t.b.s.number, 1);
    t.b.i.complete_valid[3] = true;
    cycles(20);
    assert_int_equal(t.b.s.number, 2);
}

#endif

// A draw waits for a draw state; the one given back is the next one taken.
TEST(draw_states)
{
    const draw d = {1, 0, 3, 1, 1, 2, 1, 0, 0};
    open_world();
    t.no_ends = true;
    for (unsigned n = 0; n <= STATES; n++) {
        assert_int_equal(t.b.o.room, n < STATES);
        give(&d);
        cycles(20);
    }
    assert_int_equal(t.words, 4 * STATES);
    assert_int_equal(t.b.s.step, 0);
    assert_false(t.b.o.idle);
    t.b.i.complete_valid[0] = true; // of the last draw state, before those of others
    t.b.i.complete_state[0] = STATES - 1;
    cycles(20);
    assert_int_equal(t.words, 4 * STATES + 4);
    assert_int_equal(t.tag[4 * STATES] >> 12, STATES - 1);
    assert_int_equal(t.ended, 1);
}

// Draws at random, with a bus, grants and ends that come when they like: nothing is lost, doubled or overtaken.
TEST(random_draws)
{
    open_world();
    t.marked = true;
    for (unsigned n = 0; n < 2000; n++) {
        const unsigned r = (unsigned)(t.seed >> 33);
        const draw     d = {
                r % 23, r >> 5 & 31, 1 + (r >> 10 & 0x1ff), 1 + (r >> 19 & 3), r >> 21 & 15, r >> 3 & 7, r >> 8 & 7,
                r & 1,  r >> 25 & 3};
        t.noise = n % 15;
        play(&d);
        check_waves(&d);
        assert_int_equal(t.ended, n + 1);
        assert_int_equal(t.epoch[n % 64], d.epoch & EPOCH_MASK);
        assert_int_equal(t.set[n % 64], d.set & SET_MASK);
    }
}

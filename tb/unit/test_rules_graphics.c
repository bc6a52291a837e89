// SPDX-License-Identifier: Apache-2.0
//
// Rules of docs/graphics.md on the whole model: a graphics ring, from its packets to geometry waves and back.
// Configuration: full, because mini has no graphics pipe.

#include "tests.h"

#include "grants.h"
#include "rules_ring.h"
#include "rules_world.h"

#if TOTEM_GRAPHICS

enum { ARGUMENTS = WORLD_DATA + 0x200, TABLE = 8 };
enum { LINES = 2, TRIANGLES = 4, FAN = 5, STRIP = 6, PATCH = 9 };
enum { PROGRAM_GS = 0xc8, USER_GS = 0x8c, RSRC1_GS = 0x8a, CONTEXT = 0x100, IN_CONTROL = 0x1b6 };
enum { SHORT, LONG, ENDLESS }; // entries of the engines' program table

#define GRAPHICS(name) (TOTEM_REG_GRAPHICS_BASE + 4 * TOTEM_REG_GRAPHICS_##name)

static uint32_t graphics_get(ring *r, uint32_t address)
{
    return host_get(&r->w, address);
}

static uint32_t ring_window(ring *r, uint32_t dword)
{
    return host_get(&r->w, driver_window(RING_PIPE, 0, dword));
}

static void ring_open(ring *r)
{
    memset(r, 0, sizeof *r);
    world_open(&r->w);
    program(&r->w, SHORT, 50);
    program(&r->w, LONG, 3000);
    program(&r->w, ENDLESS, 1u << 30);
    host_put(&r->w, GRAPHICS(TABLE_INDEX), CONTEXT);
    for (uint32_t n = 0; n < TABLE; n++)
        host_put(&r->w, GRAPHICS(TABLE_DATA), 0x1000 + n);
    ring_map(r);
    begin(r, SHORT);
}

static void type(ring *r, uint32_t primitive)
{
    PUT(r, SET_UCONFIG_REG, 0x242, primitive);
}

static void state(ring *r, uint32_t value)
{
    PUT(r, SET_CONTEXT_REG, CONTEXT, value);
}

static unsigned draw_waves(const ring *r)
{
    unsigned count = 0;
    for (unsigned n = 0; n < r->w.count; n++)
        count += r->w.events[n].kind == LAUNCH && r->w.events[n].pipe == 2;
    return count;
}

// Runs what is written, to its end.
static void play(ring *r)
{
    const uint32_t last = ring_fence(r);
    ring_go(r);
    UNTIL(&r->w, get(&r->w, FENCE) == last);
}

#define GIVEN(name) RULE_IN(ring, ring_open, ring_close, r, name)

// 64 primitives a wave, an instance never shares one.
GIVEN(draw_becomes_waves)
{
    static const struct {
        uint32_t type, vertices, waves;
    } rows[]       = {{POINTS, 64, 1}, {LINES, 130, 2}, {TRIANGLES, 3 * 65, 2}, {FAN, 3, 1},
                      {STRIP, 130, 2}, {STRIP, 131, 3}, {TRIANGLES, 2, 0}};
    unsigned waves = 0;
    for (size_t n = 0; n < COUNT(rows); n++) {
        type(r, rows[n].type);
        draw(r, rows[n].vertices);
        waves += rows[n].waves;
    }
    PUT(r, NUM_INSTANCES, 3);
    draw(r, 3);
    play(r);
    assert_int_equal(draw_waves(r), waves + 3);
    assert_int_equal(draws_sum(session_draws(r->w.s)).waves, waves + 3);
    assert_int_equal(graphics_get(r, GRAPHICS(DRAWS)), COUNT(rows) + 1);
    assert_int_equal(ring_window(r, WINDOW(CP_HQD_PQ_RPTR)) % SIZE, r->at % SIZE);
}

// The program, resource words and user data of a draw are those that the stream has written before it, of VS or of GS
// (the judge looks); control points of a patch and the size of a wave come from context registers.
GIVEN(state_of_a_draw)
{
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++) // waves stay on offer: the core reads a state word
        host_put(&r->w, TOTEM_REG_ENGINE_BASE + e * TOTEM_REG_ENGINE_STRIDE + 4 * TOTEM_REG_ENGINE_RATE, 64);
    draw(r, 12 * 64);
    PUT(r, SET_SH_REG, USER, 0x55, 0x66);
    draw(r, 8 * 64 - 63);
    PUT(r, SET_SH_REG, PROGRAM_GS, 0x3000, 0);
    PUT(r, SET_SH_REG, RSRC1_GS, 3, 3u << 1 | 2u << 19, 0x77, 0x88, 0x99, 0xaa);
    type(r, PATCH);
    PUT(r, SET_CONTEXT_REG, 0x2d6, 4u << 8);
    PUT(r, SET_CONTEXT_REG, 0x2d5, 1u << 22);
    PUT(r, SET_CONTEXT_REG, 0x1ba, 0x123);
    draw(r, 4 * (3 * 64 + 1));
    PUT(r, CLEAR_STATE, 0);
    draw(r, 4 * 65); // a patch of 0 control points, and the registers of VS again
    play(r);
    assert_int_equal(draw_waves(r), 12 + 8 + 4);
    assert_true(draws_sum(session_draws(r->w.s)).compared >= 4 * TABLE);
}

// What there was of geometry and pixel waves, and what ran at most.
typedef struct {
    unsigned launched, ended, threads, largest; // pixel waves
    unsigned flight[TOTEM_SE_COUNT], most;      // geometry waves of an engine
    unsigned words;                             // state words of pixel waves that were looked at
    uint64_t program, word;                     // what every pixel wave has
    bool     offered[TOTEM_SE_COUNT];           // a pixel wave was on offer in the clock before
} count_of_waves;

// One clock.
static void count(count_of_waves *c, world *w)
{
    const totem_machine_out *o = session_out(w->s);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_launch_out *l = &o->se[e].launch;
        const totem_issue_out  *i = &o->se[e].issue;
        const totem_retire_out *t = &o->se[e].retire;
        const bool              p = l->launch_valid && l->launch_kind == PIXELS;
        if (p && c->offered[e]) {
            assert_int_equal(o->se[e].word_pick.word, c->word); // the core asks for word 0
            c->words++;
        }
        c->offered[e] = p;
        if (p && o->wave[e].launch_ready) {
            assert_int_equal(l->launch_program, c->program);
            assert_true(l->launch_vgprs == 6 && l->launch_lds == 7);
            c->launched++;
            c->threads += l->launch_threads;
            c->largest = l->launch_threads > c->largest ? l->launch_threads : c->largest;
        }
        c->ended += t->complete_valid && t->complete_kind == PIXELS;
        c->flight[e] += i->grant_valid && i->grant_kind == GEOMETRY;
        c->flight[e] -= t->free_valid && t->free_kind == GEOMETRY;
        c->most = c->flight[e] > c->most ? c->flight[e] : c->most;
    }
    assert_in_range(now(w), 0, 4 * WORLD_LIMIT);
    step(w);
}

// The pixels of every primitive run in waves of 64 or 32 with program, resources and state words of their own; a fence
// waits for them, and for those of a wave whose primitives do not reach every converter.
GIVEN(pixels_of_a_draw)
{
    enum { EACH = 10, RSRC1 = 5, RSRC2 = 7 << 8 | 2 << 1 };
    world *w = &r->w;
    driver_pixels(host(w), now(w), SHORT, EACH);
    UNTIL(w, host_done(host(w)));
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++) // waves stay on offer: the core reads a state word
        host_put(w, TOTEM_REG_ENGINE_BASE + e * TOTEM_REG_ENGINE_STRIDE + 4 * TOTEM_REG_ENGINE_RATE, 8);
    PUT(r, SET_SH_REG, PROGRAM_PS, 0x5000 + LONG, 0x12, RSRC1, RSRC2, 0x33, 0x44);
    for (unsigned wave32 = 0; wave32 < 2; wave32++) {
        count_of_waves c = {.program = 0x1200005000 + LONG, .word = (uint64_t)RSRC2 << 32 | RSRC1};
        PUT(r, SET_CONTEXT_REG, IN_CONTROL, wave32 << 15);
        draw(r, 64 * 5 + 1);
        const uint32_t last = ring_fence(r);
        ring_go(r);
        while (get(w, FENCE) != last)
            count(&c, w);
        assert_int_equal(c.threads, EACH * (64 * 5 + 1));
        assert_int_equal(c.largest, wave32 ? 32 : 64);
        assert_int_equal(c.ended, c.launched);
        assert_true(c.words > 0);
    }
}

// GS_LIMIT holds geometry back at every engine; so nothing but pixel waves passes.
GIVEN(geometry_is_held_back)
{
    enum { LIMIT = 3 };
    count_of_waves c = {0};
    host_put(&r->w, TOTEM_REG_CONTROLS_BASE + 4 * TOTEM_REG_CONTROLS_GS_LIMIT, LIMIT);
    draw(r, 64 * 8 * LIMIT * TOTEM_SE_COUNT);
    const uint32_t last = ring_fence(r);
    ring_go(r);
    while (get(&r->w, FENCE) != last)
        count(&c, &r->w);
    assert_int_equal(c.most, LIMIT);
}

// What geometry leaves to pixel waves stands while a ring is mapped.
GIVEN(reserve_is_locked)
{
    enum { OTHER = 2 << 20 | 128 << 8 | 2 };
    world         *w       = &r->w;
    const uint32_t request = driver_window(RING_PIPE, 0, WINDOW(CP_HQD_DEQUEUE_REQUEST)), reserve = MACHINE(PS_RESERVE);
    const uint32_t before = host_get(w, reserve);
    draw(r, 64);
    play(r);
    assert_int_not_equal(host_try(w, reserve, OTHER), 0);
    assert_int_equal(host_get(w, reserve), before);
    host_put(w, request, 1);
    UNTIL(w, (host_get(w, request) & 7) == 0 && session_idle(w->s));
    host_put(w, reserve, OTHER);
    assert_int_equal(host_get(w, reserve), OTHER);
}

// A write behind a draw in flight does not reach its set.
GIVEN(two_states_are_on_two_sets)
{
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + LONG, 0);
    state(r, 1);
    draw(r, 100);
    state(r, 2);
    draw(r, 100);
    state(r, 2); // changes nothing
    draw(r, 100);
    const uint32_t last = ring_fence(r);
    ring_go(r);
    UNTIL(&r->w, draw_waves(r) == 6);
    assert_int_equal(graphics_get(r, GRAPHICS(ROLLS)), 1);
    assert_int_not_equal(get(&r->w, FENCE), last);
    const totem_context *c = &session_model(r->w.s)->fe[0].graphics_pipe.graphics_context;
    assert_int_equal(c->uses[0], 1);
    assert_int_equal(c->uses[c->current], 2);
    UNTIL(&r->w, get(&r->w, FENCE) == last);
}

// A fence is written when the geometry before it has ended, and not later.
GIVEN(release_waits_for_geometry)
{
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + LONG, 0);
    draw(r, 64);
    const uint32_t last = ring_fence(r);
    draw(r, 64); // behind it: its wave may run
    ring_go(r);
    UNTIL(&r->w, draw_waves(r) == 1);
    const uint64_t from = now(&r->w);
    UNTIL(&r->w, get(&r->w, FENCE) == last);
    assert_in_range(now(&r->w) - from, 3000, 3300);
    assert_int_equal(draw_waves(r), 2);
    draw(r, 64 * (TOTEM_SLOTS * TOTEM_SE_COUNT + 20)); // of some waves nothing is granted for long
    play(r);
}

// Every partial flush of a graphics queue waits for the draws before it (the judge looks at each draw behind one).
GIVEN(flush_waits_for_geometry)
{
    static const uint32_t events[] = {TOTEM_EVENT_CS_PARTIAL_FLUSH, TOTEM_EVENT_VS_PARTIAL_FLUSH,
                                      TOTEM_EVENT_PS_PARTIAL_FLUSH};
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + LONG, 0);
    const uint64_t from = now(&r->w);
    for (size_t n = 0; n < COUNT(events); n++) {
        draw(r, 64);
        PUT(r, EVENT_WRITE, 0x400u | events[n]);
    }
    play(r);
    assert_in_range(now(&r->w) - from, 9000, 10500);
}

// Groups on every engine, of so many threads.
static void group_shape(ring *r, uint32_t threads)
{
    PUT(r, SET_SH_REG, 0x207, threads, 1, 1);
    PUT(r, SET_SH_REG, 0x20c, 0x1000 + SHORT, 0);
    PUT(r, SET_SH_REG, 0x212, 0, 0);
    PUT(r, SET_SH_REG, 0x216, 0xffffffff, 0);
    PUT(r, SET_SH_REG, 0x219, 0, 0);
}

// The account reads the stream from dword `from` on.
static void groups(ring *r, uint32_t count, uint32_t from)
{
    PUT(r, DISPATCH_DIRECT, count, 1, 1, AT_ZERO);
    char message[256];
    assert_true(account_stream(session_account(r->w.s), RING_PIPE, 0, session_memory(r->w.s), RING, SIZE, from,
                               r->at - from, message));
}

// A dispatch starts when the writes in front of it are in place, and takes the set that is current then (the judge
// looks at its registers): here the last write waits for a set until the first draw has ended.
GIVEN(dispatch_waits_for_writes)
{
    const uint32_t from = r->at;
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + LONG, 0);
    group_shape(r, 64);
    for (uint32_t n = 0; n < TOTEM_SETS; n++) {
        state(r, n + 1);
        draw(r, 64);
    }
    state(r, TOTEM_SETS + 1);
    groups(r, 1, from);
    play(r);
    assert_int_not_equal(graphics_get(r, GRAPHICS(FULL_CLOCKS)), 0);
}

// The statistics of every engine are clocks of the heads that they are said to be of, as the judge of grants counts
// them: groups, geometry and pixel waves of the rings compete.
GIVEN(waits_are_those_of_each_kind)
{
    enum { EACH = 6, WAITS = TOTEM_REG_WAITS_STRIDE, PAGE = 0x80, KIND = 0x40 };
    static const unsigned first_head[] = {TOTEM_PIPE_COUNT + RINGS, TOTEM_PIPE_COUNT, TOTEM_PIPE_COUNT + 2 * RINGS};
    world                *w            = &r->w;
    driver_pixels(host(w), now(w), SHORT, EACH);
    UNTIL(w, host_done(host(w)));
    for (uint32_t f = 0; f < RINGS; f++) {
        const uint32_t from = r->at;
        if (f > 0) {
            ring_on(r, f);
            ring_map(r);
            begin(r, SHORT);
        }
        PUT(r, SET_SH_REG, PROGRAM_PS, 0x5000 + SHORT, 0x12, 20, 0);
        draw(r, 64 * 24);
        if (f == 0) {
            group_shape(r, 64);
            groups(r, 60, from);
        }
        draw(r, 64 * 24);
    }
    for (uint32_t f = 0; f < RINGS; f++) {
        ring_on(r, f);
        driver_doorbell(host(w), now(w), RING_PIPE + f, 0, r->at);
    }
    UNTIL(w, session_idle(w->s) && host_done(host(w)));
    for (unsigned kind = 0; kind < 3; kind++) {
        uint32_t sum = 0;
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            for (unsigned f = 0; f < RINGS; f++)
                for (unsigned lacking = 0; lacking < 2; lacking++) {
                    const uint32_t clocks =
                        grants_clocks(session_grants(w->s), (int)e, (int)(first_head[kind] + f), lacking);
                    assert_int_equal(host_get(w, TOTEM_REG_STATS_BASE + e * TOTEM_REG_STATS_STRIDE + PAGE +
                                                     kind * KIND + f * WAITS + 4 * lacking),
                                     clocks);
                    sum += clocks;
                }
        assert_int_not_equal(sum, 0);
    }
}

// Every self-check of a graphics pipe, and of an engine's graphics, is one of the machine.
GIVEN(self_checks_of_graphics)
{
    if (WORLD_ENGINE == SESSION_BOTH) // it changes the state of the model alone
        skip();
    for (unsigned row = 0; row < 9; row++) {
        world w;
        world_open(&w);
        totem_machine       *m     = session_change(w.s);
        totem_graphics_pipe *pipe  = &m->fe[TOTEM_FE_COUNT - 1].graphics_pipe;
        totem_se            *se    = &m->se[TOTEM_SE_COUNT - 1];
        bool *const          all[] = {&pipe->graphics_walker.mismatch,
                                      &pipe->graphics_context.fault,
                                      &pipe->graphics_draws.fault,
                                      &pipe->graphics_dispatches.fault,
                                      &pipe->graphics_draw_count.fault,
                                      &se->graphics_engine[TOTEM_FE_COUNT - 1].graphics_port.overrun,
                                      &se->graphics_engine[TOTEM_FE_COUNT - 1].graphics_geometry.overrun,
                                      &se->pixels.assemble.fault,
                                      &se->pixels.hub.fault};
        *all[row]                  = true;
        steps(&w, 4);
        assert_int_equal(host_get(&w, EVENTS(SELF_CHECK)), 1);
        session_destroy(w.s);
    }
}

#if TOTEM_PIPE_COUNT > 5
// A group of the ring that needs half of an engine holds it against CS_LOW, HOLD_AFTER_GFX clocks behind its arrival;
// else the small groups, that keep the engine full, would pass it as long as there are some.
GIVEN(groups_of_a_ring_hold)
{
    enum { OTHER = 2, SPARE = 4, HALF = TOTEM_SLOTS / 2, AFTER = 300, LONGEST = 400 };
    world *w = &r->w;
    host_put(w, TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_HOLD_AFTER_GFX, AFTER);
    for (uint32_t entry = 1; entry <= 4; entry++)
        program(w, SPARE + entry, LONGEST / 4 * entry);
    for (int pipe = OTHER; pipe < OTHER + 4; pipe++) {
        driver_queue q = world_queue(pipe, 0, 3);
        map_queue(w, &q);
        on(w, pipe, 0);
        one_engine(w);
        shape(w, 64, SPARE + 1 + (uint32_t)pipe % 4, 1, 0);
        dispatch(w, 200, 1, 1);
    }
    for (int pipe = OTHER; pipe < OTHER + 4; pipe++)
        doorbell(w, pipe, 0);
    UNTIL(w, session_out(w->s)->se[0].issue.free_slots == 0);

    const uint32_t from = r->at;
    group_shape(r, 64 * HALF);
    groups(r, 1, from);
    ring_go(r);
    UNTIL(w, session_out(w->s)->se[0].graphics_engine[0].graphics_port.head_valid[0]);
    const uint64_t begin = now(w);
    UNTIL(w, session_out(w->s)->se[0].issue.grant_valid && session_out(w->s)->se[0].issue.grant_pipe == 2);
    assert_in_range(now(w) - begin, AFTER, AFTER + LONGEST + 20);
}
#endif

static void bounce(ring *r, uint32_t dwords, uint32_t hash)
{
    PUT(r, CONTEXT_BOUNCE, dwords, hash, ~hash);
}

// A group whose state is on chip is skipped, and gives the registers that it would have given.
GIVEN(bounce_misses_then_hits)
{
    for (uint32_t n = 0; n < 6; n++) {
        bounce(r, 3, n % 2);
        state(r, 0x10 + n % 2);
        draw(r, 64);
    }
    play(r);
    assert_int_equal(graphics_get(r, GRAPHICS(MISSES)), 2);
    assert_int_equal(graphics_get(r, GRAPHICS(HITS)), 4);
    assert_in_range(graphics_get(r, GRAPHICS(ROLLS)), 1, 2);
    host_put(&r->w, GRAPHICS(GRAPHICS), 0x14); // BOUNCE_EN 0: executed plainly
    bounce(r, 3, 0);
    state(r, 0x10);
    draw(r, 64);
    play(r);
    assert_int_equal(graphics_get(r, GRAPHICS(HITS)), 4);
}

static void bounced_draw(ring *r, uint32_t hash, uint32_t value)
{
    bounce(r, 3, hash);
    state(r, value);
    draw(r, 64);
}

// HITS and MISSES by now.
static void bounces(ring *r, uint32_t hits, uint32_t misses)
{
    play(r);
    assert_int_equal(graphics_get(r, GRAPHICS(HITS)), hits);
    assert_int_equal(graphics_get(r, GRAPHICS(MISSES)), misses);
}

// A tag belongs to one mapping: the next owner of the ring gives the same hash to another state. Its groups are executed
// plainly, and count as misses, until its CLEAR_STATE. BOUNCE_FLUSH drops tags without a plain phase.
GIVEN(tags_end_with_their_mapping)
{
    world *w = &r->w;
    bounced_draw(r, 1, 0xaaaa);
    bounced_draw(r, 2, 0xbbbb);
    bounced_draw(r, 1, 0xaaaa);
    bounces(r, 1, 2);
    UNTIL(w, session_idle(w->s));
    host_put(w, driver_window(RING_PIPE, 0, WINDOW(CP_HQD_ACTIVE)), 0);
    UNTIL(w, (ring_window(r, WINDOW(CP_HQD_ACTIVE)) & 1) == 0);
    ring_map(r);
    bounced_draw(r, 1, 0xcccc);
    bounced_draw(r, 1, 0xdddd); // not even those of its own: it has not said CLEAR_STATE
    bounces(r, 1, 4);
    PUT(r, CLEAR_STATE, 0);
    bounced_draw(r, 1, 0xcccc);
    bounced_draw(r, 2, 0xeeee);
    bounced_draw(r, 1, 0xcccc);
    bounces(r, 2, 6);
    host_put(w, GRAPHICS(BOUNCE_FLUSH), 0);
    bounced_draw(r, 1, 0xffff);
    bounced_draw(r, 2, 0xeeee);
    bounced_draw(r, 1, 0xffff);
    bounces(r, 3, 8);
}

// A CLEAR_STATE that waits for a set does not end what a SKIP behind it has begun.
GIVEN(late_clear_is_not_that_behind_a_skip)
{
    static const uint32_t bad[] = {TYPE3(TOTEM_OP_SET_CONTEXT_REG, 2), 0x400, 1};
    world                *w     = &r->w;
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + LONG, 0);
    for (uint32_t n = 0; n < TOTEM_SETS; n++) {
        state(r, 0x20 + n);
        draw(r, 64);
    }
    PUT(r, CLEAR_STATE, 0);
    raw_put(r, bad, 3);
    ring_go(r);
    expect_error(w, 1, TOTEM_ERROR_PACKET_CONTEXT_OFFSET);
    UNTIL(w, !session_out(w->s)->fe[0].graphics_pipe.front.arbiter.selected_valid);
    assert_true(session_out(w->s)->fe[0].graphics_pipe.graphics_frames.roll_want);
    host_put(w, driver_window(RING_PIPE, 0, WINDOW(CONTROL)), 2);
    bounced_draw(r, 1, 5);
    bounced_draw(r, 1, 5);
    bounces(r, 0, 2);
}

#if TOTEM_DRAW_STATES > 4 // one for each of its draws
// The worked example of docs/context.md: state A for two draws, B for two, A again for one. What the contexts of the
// ring do, in its order, a clock each.
typedef enum { COPY, TAG, UNTAG, ROLL, ANSWER, WRITES, ISSUED, OVER } act_kind;

typedef struct {
    act_kind kind;
    unsigned value; // COPY: source and target frame; ANSWER: of context; else the set
    uint64_t clock; // WRITES: of the first one
    uint64_t last;  // of several writes in a row
    unsigned count; // of these
} act;

typedef struct {
    act      acts[64];
    unsigned count;
    bool     copying, tagged[TOTEM_SETS];
    uint64_t burst[128]; // byte addresses that the ring's fetch asked for
    uint64_t asked_at[128];
    unsigned beats[128], bursts;
} account_of_sets;

enum { GAP = 100, RUNS = 3, TABLE_FRAME = TOTEM_SETS + 1, SPARE_FRAME = TOTEM_SETS };
#define FRAMES(source, target) (unsigned)((source) << 8 | (target))

static act *add(account_of_sets *a, const world *w, act_kind kind, unsigned value)
{
    assert_in_range(a->count, 0, COUNT(a->acts) - 1);
    act *n = &a->acts[a->count++];
    *n     = (act){.kind = kind, .value = value, .clock = now(w), .last = now(w), .count = 1};
    return n;
}

// One clock.
static void watch(account_of_sets *a, world *w)
{
    const totem_graphics_pipe_out  *o = &session_out(w->s)->fe[0].graphics_pipe;
    const totem_context            *c = &session_model(w->s)->fe[0].graphics_pipe.graphics_context;
    const totem_frames             *f = &session_model(w->s)->fe[0].graphics_pipe.graphics_frames;
    const totem_graphics_fetch_out *r = &o->front.fetch;
    if (f->copying && !a->copying)
        add(a, w, COPY, FRAMES(f->copy_source, f->copy_target));
    a->copying = f->copying;
    for (unsigned n = 0; n < TOTEM_SETS; n++) {
        if (c->tagged[n] != a->tagged[n])
            add(a, w, c->tagged[n] ? TAG : UNTAG, n);
        a->tagged[n] = c->tagged[n];
        if (o->graphics_context.done[n])
            add(a, w, OVER, n);
    }
    if (o->graphics_context.answer_valid)
        add(a, w, ANSWER, o->graphics_context.answer);
    if ((o->graphics_context.roll_want || o->graphics_frames.roll_want) && o->graphics_context.roll_free &&
        o->graphics_frames.roll_room)
        add(a, w, ROLL, o->graphics_context.roll_set);
    if (o->graphics_frames.changed) {
        act *before = a->count != 0 ? &a->acts[a->count - 1] : NULL;
        if (!before || before->kind != WRITES)
            add(a, w, WRITES, c->current);
        else {
            assert_int_equal(before->value, c->current);
            before->last = now(w);
            before->count++;
        }
    }
    if (o->graphics_render.draw_valid && o->graphics_context.draw_ready)
        add(a, w, ISSUED, c->current);
    if (r->read_valid && (a->bursts == 0 || a->burst[a->bursts - 1] != r->read_addr)) {
        assert_in_range(a->bursts, 0, COUNT(a->burst) - 1);
        a->burst[a->bursts]    = r->read_addr;
        a->asked_at[a->bursts] = now(w);
        a->beats[a->bursts++]  = r->read_beats;
    }
    assert_in_range(now(w), 0, WORLD_LIMIT);
    step(w);
}

// Three packets of 52, 52 and 48 registers behind a CONTEXT_BOUNCE; the dword behind the group.
static uint32_t bounced_state(ring *r, uint32_t hash)
{
    static const struct {
        uint32_t first, count;
    } runs[RUNS] = {{0x318, 52}, {0x10f, 52}, {0x191, 48}};
    bounce(r, 52 + 52 + 48 + 2 * RUNS, hash);
    for (unsigned n = 0; n < RUNS; n++) {
        uint32_t body[53] = {runs[n].first};
        for (uint32_t k = 0; k < runs[n].count; k++)
            body[1 + k] = hash << 16 | (runs[n].first + k);
        put(r, TOTEM_OP_SET_CONTEXT_REG, body, 1 + runs[n].count);
    }
    return r->at;
}

static void gap(ring *r)
{
    static const uint32_t body[GAP];
    put(r, TOTEM_OP_NOP, body, GAP);
}

// Bytes of the dwords from..to of the ring that fetch asked for since that clock.
static uint32_t bytes_asked(const account_of_sets *a, uint64_t since, uint32_t from, uint32_t to)
{
    uint32_t bytes = 0;
    for (unsigned n = 0; n < a->bursts; n++)
        for (unsigned k = 0; k < 2 * a->beats[n] && a->asked_at[n] >= since; k++) {
            const uint64_t at = a->burst[n] + 4 * k;
            bytes += at >= RING + 4 * (uint64_t)from && at < RING + 4 * (uint64_t)to ? 4 : 0;
        }
    return bytes;
}

GIVEN(worked_example)
{
    enum { REGISTERS = 52 + 52 + 48, GROUP = REGISTERS + 2 * RUNS };
    static const struct {
        act_kind kind;
        unsigned value;
    } expected[] = {{COPY, FRAMES(TABLE_FRAME, 0)}, // CLEAR_STATE
                    {ANSWER, ANSWER_MISS},          // A, in place
                    {WRITES, 0},
                    {TAG, 0},
                    {COPY, FRAMES(0, SPARE_FRAME)},
                    {ISSUED, 0},
                    {ISSUED, 0},
                    {ROLL, 1}, // B
                    {ANSWER, ANSWER_MISS},
                    {WRITES, 1},
                    {TAG, 1},
                    {COPY, FRAMES(SPARE_FRAME, 1)},
                    {ISSUED, 1},
                    {ISSUED, 1},
                    {ANSWER, ANSWER_HIT}, // A: no roll, no write, no tag
                    {COPY, FRAMES(0, 1)},
                    {ISSUED, 0},
                    {OVER, 0}};
    static account_of_sets seen;
    const act             *a = seen.acts;
    world                 *w = &r->w;
    totem_frames           before;
    const totem_context   *c = &session_model(w->s)->fe[0].graphics_pipe.graphics_context;
    const totem_frames    *f = &session_model(w->s)->fe[0].graphics_pipe.graphics_frames;
    memset(&seen, 0, sizeof seen);
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + LONG, 0); // every draw lasts until the last one is issued
    gap(r);
    bounced_state(r, 0xa);
    draw(r, 64);
    draw(r, 128);
    gap(r);
    const uint32_t missed = bounced_state(r, 0xb);
    draw(r, 64);
    draw(r, 128);
    gap(r);
    const uint32_t drained = bounced_state(r, 0xa);
    draw(r, 64);
    const uint32_t last = ring_fence(r);
    assert_in_range(r->at, 0, SIZE - 1);
    ring_go(r);
    while (seen.count < COUNT(expected) - 4)
        watch(&seen, w);
    before = *f; // both draws of B are issued
    while (seen.count < COUNT(expected) - 1)
        watch(&seen, w);
    assert_memory_equal(f->frame, before.frame, sizeof f->frame);
    assert_int_equal(f->spare, before.spare);
    assert_int_equal(c->current, 0);
    assert_int_equal(c->uses[0], 3);
    assert_int_equal(c->uses[1], 2);
    assert_true(c->pending[0] && !c->pending[1]);
    while (get(w, FENCE) != last)
        watch(&seen, w);
    for (unsigned n = 0; n < COUNT(expected); n++)
        if (n >= seen.count || a[n].kind != expected[n].kind || a[n].value != expected[n].value)
            fail_msg("act %u is %d of %x, expected %d of %x", n, (int)a[n].kind, a[n].value, (int)expected[n].kind,
                     expected[n].value);
    assert_int_equal(seen.count, COUNT(expected));
    // Each group: a register a clock, the tag behind the last one, the draw behind the tag.
    for (unsigned first = 2; first <= 9; first += 7) {
        assert_int_equal(a[first].count, REGISTERS);
        assert_in_range(a[first].last - a[first].clock, GROUP - 3, GROUP + 40);
        assert_in_range(a[first].clock - a[first - 1].clock, 1, 16);
        assert_in_range(a[first + 1].clock - a[first].last, 1, 8);
        assert_int_equal(a[first + 2].clock, a[first + 1].clock + 1);
        assert_in_range(a[first + 3].clock - a[first + 1].clock, 0, 16);
    }
    assert_int_equal(a[8].clock, a[7].clock + 1);             // the miss is answered behind its roll
    assert_int_equal(a[15].clock, a[14].clock + 1);           // the hit: that set is the source of the next copy
    assert_in_range(a[16].clock - a[14].clock, 1, GROUP / 2); // its draw does not wait for as many dwords
    assert_in_range(a[17].clock - a[5].clock, 3000, WORLD_LIMIT);
    // Lines in the group: all at the miss; at the hit those that had been asked for before it, and none behind it.
    assert_int_equal(bytes_asked(&seen, 0, missed - GROUP, missed), 4 * GROUP);
    assert_in_range(bytes_asked(&seen, 0, drained - GROUP, drained), 0, 4 * GROUP - 256);
    assert_in_range(bytes_asked(&seen, a[14].clock, drained - GROUP, drained), 0, 28);
    assert_int_equal(graphics_get(r, GRAPHICS(ROLLS)), 1);
    assert_int_equal(graphics_get(r, GRAPHICS(MISSES)), 2);
    assert_int_equal(graphics_get(r, GRAPHICS(HITS)), 1);
    assert_int_equal(graphics_get(r, GRAPHICS(WRITTEN)), 2 * REGISTERS);
    assert_int_equal(graphics_get(r, GRAPHICS(FILTERED)), 0);
    assert_int_equal(graphics_get(r, GRAPHICS(FULL_CLOCKS)), 0);
    assert_int_equal(graphics_get(r, GRAPHICS(EXPOSED_CLOCKS)), 0);
    assert_int_equal(graphics_get(r, GRAPHICS(DRAWS)), 5);
    assert_int_equal(draw_waves(r), 3 + 3 + 1);
}
#endif

GIVEN(indirect_draws)
{
    static const uint32_t arguments[] = {130, 1, 0, 0, 64, 2, 0, 0, 0, 1, 0, 0, 7, 1, 0, 0};
    for (uint32_t n = 0; n < COUNT(arguments); n++)
        set(&r->w, ARGUMENTS + 4 * n, arguments[n]);
    set(&r->w, ARGUMENTS + 0x80, 3);
    PUT(r, SET_BASE, 1, ARGUMENTS - 0x40, 0);
    PUT(r, DRAW_INDIRECT, 0x40, 0, 0, 2);
    PUT(r, DRAW_INDIRECT_MULTI, 0x40, 0, 0, 0, 4, 0, 0, 16, 2);
    PUT(r, DRAW_INDEX_INDIRECT_MULTI, 0x40, 0, 0, 1u << 30, 4, ARGUMENTS + 0x80, 0, 16, 0);
    play(r);
    assert_int_equal(draw_waves(r), 3 + (3 + 2 + 1) + (3 + 2));
    assert_int_equal(graphics_get(r, GRAPHICS(DRAWS)), 1 + 3 + 2);
}

// What halts a ring has its record, and stands at its packet; compute queues go on; the ring goes on after it has been
// mended, or past it. (DRAW_STATE: the machine's engines are larger than any wave; tb/unit/test_render.c.)
typedef struct {
    const char *name;
    uint32_t    count, bad[8], good[8];
    uint8_t     code;
    uint32_t    word;
    bool        plain; // SKIP passes a CONTEXT_BOUNCE: its group is executed
} bad_packet;

#define H(op, body) TYPE3(TOTEM_OP_##op, body)
#define BOUNCED(dwords) H(CONTEXT_BOUNCE, 3), dwords, 1, 2
#define VALUE H(SET_CONTEXT_REG, 2), CONTEXT, 5
#define CODE(name) TOTEM_ERROR_PACKET_##name

static const bad_packet bad_packets[] = {
    {"group of 0", 7, {BOUNCED(0), VALUE}, {BOUNCED(3), VALUE}, CODE(BOUNCE_COUNT), 0, true},
    {"past the end", 7, {BOUNCED(999), VALUE}, {BOUNCED(3), VALUE}, CODE(BOUNCE_COUNT), 999, true},
    {"cut", 7, {BOUNCED(2), VALUE}, {BOUNCED(3), VALUE}, CODE(BOUNCE_COUNT), H(SET_CONTEXT_REG, 2), true},
    {"a draw in it",
     7,
     {BOUNCED(3), H(DRAW_INDEX_AUTO, 2), 64, 2},
     {BOUNCED(3), VALUE},
     CODE(BOUNCE_CONTENT),
     H(DRAW_INDEX_AUTO, 2),
     true},
    {"CLEAR_STATE 1", 2, {H(CLEAR_STATE, 1), 1}, {H(CLEAR_STATE, 1), 0}, CODE(CLEAR_COMMAND), 1, false},
    {"register 0x400",
     4,
     {H(SET_CONTEXT_REG, 3), 0x3ff, 1, 2},
     {H(SET_CONTEXT_REG, 3), 0x3fe, 1, 2},
     CODE(CONTEXT_OFFSET),
     0x3ff,
     false},
    {"user register 0x4000",
     3,
     {H(SET_UCONFIG_REG, 2), 0x4000, 1},
     {H(SET_UCONFIG_REG, 2), 0x242, LINES},
     CODE(CONTEXT_OFFSET),
     0x4000,
     false},
};

static void halts(ring *r, const bad_packet *c, bool skip)
{
    world *w = &r->w;
    w->row   = c->name;
    state(r, 3);
    draw(r, 64);
    const uint32_t at = r->at;
    raw_put(r, skip ? c->bad : c->good, c->count);
    if (!skip || c->plain)
        tell(r, at); // what will be executed
    for (uint32_t n = 0; n < c->count; n++)
        set(w, RING + 4 * (uint64_t)((at + n) % SIZE), c->bad[n]);
    draw(r, 130);
    const uint32_t last = ring_fence(r);
    ring_go(r);
    expect_error(w, 1, c->code);
    assert_int_equal(last_error(w).pipe, RING_PIPE);
    assert_int_equal(last_error(w).address, RING + 4 * (at % SIZE));
    assert_int_equal(last_error(w).word, c->word);
    map(w, 0, 0, 0);
    give_write(w, 0, 0, WORLD_DATA, 0xabcd);
    UNTIL(w, get(w, WORLD_DATA) == 0xabcd);
    UNTIL(w, ring_window(r, WINDOW(CP_HQD_PQ_RPTR)) == at);
    for (uint32_t n = 0; !skip && n < c->count; n++)
        set(w, RING + 4 * (uint64_t)((at + n) % SIZE), c->good[n]);
    host_put(w, driver_window(RING_PIPE, 0, WINDOW(CONTROL)), skip ? 2 : 1);
    UNTIL(w, get(w, FENCE) == last);
    assert_int_equal(errors(w), 1);
}

TEST(errors_halt_the_ring)
{
    static ring r;
    for (size_t n = 0; n < 2 * COUNT(bad_packets); n++) {
        ring_open(&r);
        halts(&r, &bad_packets[n / 2], n % 2);
        ring_close(&r);
    }
}

// As PUT, and nobody is told yet.
static void hold(ring *r, uint32_t op, const uint32_t *body, uint32_t count)
{
    raw_put(r, WORDS(TYPE3(op, count)));
    raw_put(r, body, count);
}

#define HOLD(r, op, ...) hold(r, TOTEM_OP_##op, WORDS(__VA_ARGS__))

// Registers come from memory, one behind the other or with their offsets, and from where copies in front of them
// have put them; those of the compute block stay in execute. The judge reads the whole before it runs.
GIVEN(registers_and_copies)
{
    enum { FROM = ARGUMENTS, TO = ARGUMENTS + 0x100, PAIRS = 1u << 31, SYNC = 1u << 31 };
    static const uint32_t words[] = {0x77, 0x88, USER + 2, 0x99, USER + 3, 0xaa, 0x207, 128};
    for (uint32_t n = 0; n < COUNT(words); n++)
        set(&r->w, FROM + 4 * n, words[n]);
    const uint32_t from = r->at;
    group_shape(r, 64);
    PUT(r, SET_BASE, 1, TO, 0);
    const uint32_t begin = r->at;
    HOLD(r, SET_SH_REG_INDEX, 3u << 28 | USER, 0x55);
    HOLD(r, LOAD_CONTEXT_REG, FROM - 4 * CONTEXT, 0, CONTEXT, 2, 0, 0, CONTEXT + 3, 1);
    HOLD(r, LOAD_CONTEXT_REG_INDEX, FROM + 8, 0, PAIRS, 2);
    HOLD(r, LOAD_SH_REG_INDEX, FROM, 0, USER, 2);
    HOLD(r, COPY_DATA, 5 | 5u << 8 | 1u << 16, 128, 2, TO, 0); // two instances
    HOLD(r, DRAW_INDIRECT, 0, 0, 0, 2);
    HOLD(r, DMA_DATA, SYNC, FROM + 8, 0, TO, 0, 24);
    HOLD(r, LOAD_SH_REG_INDEX, TO, 0, PAIRS, 3);
    HOLD(r, WAIT_REG_MEM64, 0x13, TO, 0, USER + 2, 0x99, ~0u, ~0u, 4);
    HOLD(r, DRAW_INDEX_AUTO, 64, 2);
    tell(r, begin);
    groups(r, 1, from); // of two waves
    play(r);
    assert_int_equal(draw_waves(r), 2 * 2 + 1 + 2);
    for (uint32_t n = 0; n < 6; n++)
        assert_int_equal(get(&r->w, TO + 4 * n), words[2 + n]);
    assert_int_equal(errors(&r->w), 0);
}

// A dequeue request of type 2 ends the waves of a ring; those that are not sent never come. The next mapping is whole.
GIVEN(killed_ring)
{
    world         *w       = &r->w;
    const uint32_t request = driver_window(RING_PIPE, 0, WINDOW(CP_HQD_DEQUEUE_REQUEST));
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + ENDLESS, 0);
    draw(r, 64 * (TOTEM_SLOTS * TOTEM_SE_COUNT + 30));
    draw(r, 64);
    ring_go(r);
    UNTIL(w, draw_waves(r) == (TOTEM_SLOTS - 1) * TOTEM_SE_COUNT); // one is left to pixel waves
    draws_kill(session_draws(w->s), 0, true);
    host_put(w, request, 2);
    UNTIL(w, (host_get(w, request) & 7) == 0);
    assert_int_equal(ring_window(r, WINDOW(CP_HQD_ACTIVE)) & 1, 0);
    draws_kill(session_draws(w->s), 0, false);
    draws_drop(session_draws(w->s), 0);
    ring_map(r);
    begin(r, SHORT);
    draw(r, 130);
    play(r);
}

#else

TEST(no_graphics)
{
    skip();
}

#endif

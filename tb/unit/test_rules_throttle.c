// SPDX-License-Identifier: Apache-2.0
//
// The worked example of docs/throttle.md on the whole machine: draws fill the hub of engine 0, their pixels empty it,
// and geometry waves that wait are granted by the dead cycles 256, 128, 0. sim/workloads/throttle.yaml is the same in
// board.
// Configuration: full, because mini has no graphics pipe.

#include "tests.h"

#include "rules_ring.h"
#include "rules_world.h"

#if TOTEM_GRAPHICS

// Entries of the engines' program table: geometry that exports nothing, geometry whose primitives have many pixels or
// fewer, pixel waves.
enum { QUIET, LARGE, SMALL, PIXEL };
enum { POLL = 100, WAITING = 28 };
// Primitives of each of the first two waves and of the third one, for each converter: a converter takes three at once,
// the others are status 00; the third wave takes the FIFO from there to 10, SE_COUNT clocks a primitive. Waves before.
enum { FIRST = 9, SECOND = 25, EARLY = 4 };
enum { LEVEL_MODE = 0x1544d, STEP_MODE = 0x0544d };
enum { BASE_64 = 0x12355120, BASE_AND_STEP_128 = 0x12355330 }; // interval code 0, all else as after reset

static const unsigned count_of_status[4] = {0, 128, 256, ~0u}; // in both modes

// What engine 0 did.
typedef struct {
    unsigned status;      // shown last
    unsigned fullest;     // FIFO of its hub, in the clock before
    uint64_t polled;      // clock of the last poll; 0: none
    unsigned seen[8];     // statuses, each time another one
    uint64_t seen_at[8];  // their clocks
    unsigned changes;     // how many
    unsigned stall[64];   // count in force at each grant of geometry
    uint64_t granted[64]; // its clock
    unsigned grants;      // how many
    unsigned exact;       // of them: behind a wave with a count, by a wave that waited
    bool     waited;      // a wave waits, and the gate is open for the first time
} account_of_gate;

// One clock, judged by the rules of docs/throttle.md.
static void watch(account_of_gate *a, world *w, bool enabled)
{
    const totem_se_out *e     = &session_out(w->s)->se[0];
    const uint64_t      clock = now(w);
    const unsigned      n     = a->grants ? a->stall[a->grants - 1] : 0;
    const uint64_t      last  = a->grants ? a->granted[a->grants - 1] : 0;

    // Polls: one interval apart, the class of the fullest FIFO one clock ago; the count stands a clock behind.
    assert_int_equal(e->pixels.monitor.polled, clock == a->polled + POLL);
    assert_int_equal(e->pixels.throttle.stall_a, count_of_status[a->status]);
    if (e->pixels.monitor.polled) {
        a->polled = clock;
        assert_int_equal(e->pixels.monitor.status, a->fullest / 16 > 3 ? 3 : a->fullest / 16);
        if (e->pixels.monitor.status != a->status) {
            assert_in_range(a->changes, 0, COUNT(a->seen) - 1);
            a->seen_at[a->changes] = clock;
            a->seen[a->changes++]  = e->pixels.monitor.status;
        }
        a->status = e->pixels.monitor.status;
    }
    a->fullest = 0;
    for (int c = 0; c < TOTEM_SE_COUNT; c++)
        if (e->pixels.hub.count[c] > a->fullest)
            a->fullest = e->pixels.hub.count[c];

    // Granted in t with count N: the gate opens in t + N, and a wave that waits there is granted in t + 1 + N.
    const bool granted = e->issue.grant_valid && e->issue.grant_kind == GEOMETRY;
    if (a->grants && n && clock > last)
        assert_int_equal(e->pixels.throttle.gate, clock >= last + n);
    if (granted) {
        assert_in_range(a->grants, 0, COUNT(a->granted) - 1);
        assert_true(!a->grants || clock >= last + (n ? 1 + n : 2));
        a->stall[a->grants]     = enabled ? e->pixels.throttle.stall_a : 0;
        a->granted[a->grants++] = clock;
    }
    if (a->waited) {
        assert_true(granted);
        a->exact++;
    }
    a->waited = n && clock == last + n && e->graphics_engine[0].graphics_geometry.head_valid;
    w->count  = 0; // pixel waves are many
    step(w);
}

// A draw of so many geometry waves for each engine, or of one for engine 0 alone.
static void waves_of(ring *r, uint32_t entry, uint32_t waves)
{
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + entry);
    draw(r, 64 * waves * TOTEM_SE_COUNT);
}

static void wave_of(ring *r, uint32_t entry, uint32_t primitives)
{
    PUT(r, SET_SH_REG, PROGRAM, 0x2000 + entry);
    draw(r, primitives);
    if (TOTEM_SE_COUNT > 1) { // its turn is that of engine 0 again
        PUT(r, SET_SH_REG, PROGRAM, 0x2000 + QUIET);
        draw(r, 64 * (TOTEM_SE_COUNT - 1));
    }
}

static void control(ring *r, uint32_t dword, uint32_t value)
{
    host_put(&r->w, TOTEM_REG_CONTROLS_BASE + 4 * dword, value);
}

// The doorbell of all that is written, in this clock, which is returned.
static uint64_t ring_rung(ring *r)
{
    driver_doorbell(host(&r->w), now(&r->w), RING_PIPE, 0, r->at);
    return now(&r->w);
}

static void ring_open(ring *r)
{
    memset(r, 0, sizeof *r);
    world_open(&r->w);
    for (uint32_t entry = QUIET; entry <= PIXEL; entry++) {
        program(&r->w, entry, 20);
        driver_export(host(&r->w), now(&r->w), entry, entry == QUIET ? 0 : TOTEM_SE_COUNT, 0); // of each vertex
    }
    driver_pixels(host(&r->w), now(&r->w), LARGE, 3200); // 200 clocks in a converter
    driver_pixels(host(&r->w), now(&r->w), SMALL, 496);  // 31
    ring_map(r);
    begin(r, QUIET);
    PUT(r, SET_SH_REG, PROGRAM_PS, 0x5000 + PIXEL, 0, 1, 0);
}

static void example(ring *r, uint32_t cntl1, uint32_t cntl2, bool enabled)
{
    static account_of_gate a;
    world                 *w = &r->w;
    memset(&a, 0, sizeof a);
    control(r, TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2, cntl2);
    control(r, TOTEM_REG_CONTROLS_THROTTLE, enabled);
    control(r, TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1, cntl1);
    UNTIL(w, session_out(w->s)->se[0].pixels.monitor.polled);
    a.polled = now(w) - POLL;

    // Status 00: nothing is held back.
    waves_of(r, QUIET, EARLY);
    ring_rung(r);
    for (uint64_t end = now(w) + 5 * POLL; now(w) < end;)
        watch(&a, w, enabled);
    assert_int_equal(a.grants, EARLY);
    assert_int_equal(a.changes, 0);

    // Three waves fill the FIFOs of engine 0. The last one begins behind a poll, as long after its doorbell as the one
    // before, and is done before the next: from 00 to 10.
    wave_of(r, LARGE, FIRST);
    ring_rung(r);
    while (a.fullest < FIRST - 3)
        watch(&a, w, enabled);
    wave_of(r, LARGE, FIRST);
    const uint64_t rung = ring_rung(r);
    while (a.fullest < FIRST)
        watch(&a, w, enabled);
    const uint64_t later = now(w) - rung;
    while (now(w) < rung + 2 * POLL || (now(w) + later - a.polled) % POLL != POLL / 2)
        watch(&a, w, enabled);
    assert_in_range(a.fullest, 2 * FIRST - 6, 15);
    wave_of(r, SMALL, SECOND);
    ring_rung(r);
    while (a.changes == 0)
        watch(&a, w, enabled);

    // More waves than engine 0 is granted until the status is 00 again.
    waves_of(r, QUIET, WAITING);
    ring_rung(r);
    while (a.changes < 3 || a.grants < EARLY + 3 + WAITING) {
        assert_in_range(now(w), 0, WORLD_LIMIT);
        watch(&a, w, enabled);
    }

    // 00, 10, 01, 00, and the counts of the waves in their order.
    static const unsigned seen[] = {2, 1, 0};
    assert_int_equal(a.changes, COUNT(seen));
    assert_memory_equal(a.seen, seen, sizeof seen);
    assert_int_equal(a.grants, EARLY + 3 + WAITING);
    unsigned of[3] = {0}, over[2] = {0};
    for (unsigned n = EARLY + 3; n < a.grants; n++) {
        const uint64_t t = a.granted[n];
        assert_int_equal(a.stall[n], !enabled || t > a.seen_at[2] ? 0 : t > a.seen_at[1] ? 128 : 256);
        of[a.stall[n] / 128]++;
        for (unsigned k = 0; n + 1 < a.grants && k < 2; k++) // dead cycles that another status does not change
            over[k] += t < a.seen_at[1 + k] && a.granted[n + 1] > a.seen_at[1 + k] + 1;
        if (n + 1 < a.grants && a.stall[n])
            assert_int_equal(a.granted[n + 1], t + 1 + a.stall[n]);
    }
    if (enabled) {
        assert_true(of[2] >= 4 && of[1] >= 3 && of[0] >= 3);
        assert_int_equal(a.exact, of[2] + of[1]);
        assert_true(over[0] == 1 && over[1] == 1);
    } else
        assert_int_equal(of[0], WAITING);
}

#define GIVEN(name) RULE_IN(ring, ring_open, ring_close, r, name)

GIVEN(example_in_level_mode)
{
    example(r, BASE_64, LEVEL_MODE, true);
}

GIVEN(example_in_step_mode)
{
    example(r, BASE_AND_STEP_128, STEP_MODE, true);
}

// The same statuses and counts, and no wave is held back.
GIVEN(example_not_enabled)
{
    example(r, BASE_64, LEVEL_MODE, false);
}

#else

TEST(no_graphics)
{
    skip();
}

#endif

// SPDX-License-Identifier: Apache-2.0
//
// The worked example of docs/issue.md on the whole machine: eight pipes with mixed priorities, a graphics ring in HP3D
// and one in GFX at one engine, as in sim/workloads/pole.yaml.
// Configuration: full, because mini has one pipe and no ring; pole has both, too.

#include "tests.h"

#include "rules_ring.h"
#include "rules_world.h"

#if TOTEM_GRAPHICS && TOTEM_PIPE_COUNT == 8

enum { CS_LOW, CS_MEDIUM, CS_HIGH };
enum { SHORT, LONG };                                    // entries of the engines' program table
enum { HP3D_RING = 1, GFX_RING = 2 };                    // their front ends
enum { GROUP = 300, WAVE = 255, RESERVE = 255 };         // LDS blocks: two groups never fit, nor two geometry waves
enum { PIPES = TOTEM_PIPE_COUNT, NONE = -1, MOST = 32 }; // a grant of no pipe

// A grant: of a group of a pipe, or of a wave of ring RING_PIPE + its front end.
typedef struct {
    int pipe, kind;
} grant;

static const uint32_t tiers[PIPES] = {CS_LOW, CS_HIGH, CS_MEDIUM, CS_HIGH, CS_MEDIUM, CS_LOW, CS_HIGH, CS_MEDIUM};

// Engine 0: its grants, and by the rules the pole, what pixel waves hold, and the grant of this clock.
typedef struct {
    grant    list[MOST], next;
    unsigned count;
    int      pole[PIPES]; // the most favoured pipe first
    uint32_t held;
} account_of_pole;

static grant granted(const totem_issue_out *i)
{
    if (!i->grant_valid)
        return (grant){NONE, 0};
    return (grant){ring_pipe(i->grant_fe, i->grant_pipe), i->grant_kind};
}

static bool same(grant a, grant b)
{
    return a.pipe == b.pipe && a.kind == b.kind;
}

// The least recently issued pipe of a tier whose group fits.
static int of_pole(const account_of_pole *a, const totem_se_out *e, grant now_granted, uint32_t tier)
{
    for (unsigned k = 0; k < PIPES; k++) {
        const int pipe = a->pole[k] & (PIPES - 1); // below PIPES, as static analysis cannot know
        if (tiers[pipe] == tier && e->port[pipe / TOTEM_PIPES].head_valid[pipe % TOTEM_PIPES] &&
            now_granted.pipe != pipe && e->issue.free_lds_left >= GROUP)
            return pipe;
    }
    return NONE;
}

// A wave of a ring; geometry leaves the reserve, less what pixel waves hold of it.
static grant of_ring(const account_of_pole *a, const totem_se_out *e, grant now_granted, int front_end)
{
    const totem_graphics_engine_out *g    = &e->graphics_engine[front_end];
    const uint32_t                   left = e->issue.free_lds_left;
    const grant geometry = {RING_PIPE + front_end, GEOMETRY}, pixels = {RING_PIPE + front_end, PIXELS};
    if (g->graphics_geometry.head_valid && !same(now_granted, geometry) && left >= WAVE &&
        left + a->held >= WAVE + RESERVE)
        return geometry;
    if (g->graphics_pixel.head_valid && !same(now_granted, pixels) && left >= WAVE)
        return pixels;
    return (grant){NONE, 0};
}

// The grant of the next clock: the best tier with a contender that fits.
static grant decide(const account_of_pole *a, const totem_se_out *e, grant now_granted)
{
    for (uint32_t tier = CS_HIGH;; tier--) {
        const int pipe = of_pole(a, e, now_granted, tier);
        if (pipe != NONE || tier == CS_LOW)
            return (grant){pipe, 0};
        const grant wave = of_ring(a, e, now_granted, tier == CS_HIGH ? HP3D_RING : GFX_RING);
        if (wave.pipe != NONE)
            return wave;
    }
}

// One clock.
static void watch(account_of_pole *a, world *w)
{
    const totem_se_out *e = &session_out(w->s)->se[0];
    const grant         g = granted(&e->issue);
    if (!same(g, a->next))
        fail_msg("clock %llu: grant %u is of %d, kind %d; by the rules of %d, kind %d", (unsigned long long)now(w),
                 a->count, g.pipe, g.kind, a->next.pipe, a->next.kind);
    if (g.pipe != NONE) {
        assert_in_range(a->count, 0, MOST - 1);
        a->list[a->count++] = g;
    }
    if (g.pipe >= 0 && g.pipe < PIPES) {
        unsigned k = 0;
        while (k + 1 < PIPES && a->pole[k] != g.pipe)
            k++;
        for (; k + 1 < PIPES; k++)
            a->pole[k] = a->pole[k + 1];
        a->pole[k] = g.pipe;
    }
    for (unsigned k = 0; k < PIPES; k++)
        assert_int_equal(e->issue.order[k], a->pole[k]);
    a->held += g.kind == PIXELS ? WAVE : 0;
    a->next = decide(a, e, g);
    a->held -= e->retire.free_valid && e->retire.free_kind == PIXELS ? WAVE : 0;
    assert_in_range(now(w), 0, 2 * WORLD_LIMIT);
    step(w);
}

static unsigned granted_to(const account_of_pole *a, int pipe)
{
    unsigned count = 0;
    for (unsigned n = 0; n < a->count; n++)
        count += a->list[n].pipe == pipe;
    return count;
}

static void ring_open(ring *r)
{
    memset(r, 0, sizeof *r);
    world_open(&r->w);
    program(&r->w, SHORT, 200);
    program(&r->w, LONG, 5000);
    driver_pixels(host(&r->w), now(&r->w), SHORT, 64);
}

// A geometry wave of one point, and a pixel wave behind it.
static void open_ring(ring *r, uint32_t front_end)
{
    ring_on(r, front_end);
    host_put(&r->w, TOTEM_REG_GRAPHICS_BASE + front_end * TOTEM_REG_GRAPHICS_STRIDE + 4 * TOTEM_REG_GRAPHICS_GRAPHICS,
             0x16 | (front_end == HP3D_RING));
    ring_map(r);
    begin(r, SHORT);
    PUT(r, SET_SH_REG, 0xc8, 0x2000 + SHORT, 0); // SPI_SHADER_PGM_LO_ES
    PUT(r, SET_SH_REG, 0x8a, 1, WAVE << 19);     // SPI_SHADER_PGM_RSRC1_GS, RSRC2_GS
    PUT(r, SET_SH_REG, PROGRAM_PS, 0x2000 + SHORT, 0, 1, WAVE << 8);
    draw(r, 1);
}

// P3 keeps the engine until the others have presented their groups; then the best tier, and among pipes the least
// recently issued. The pixels of a wave are not there when it ends: a group comes between.
RULE_IN(ring, ring_open, ring_close, r, totem_pole_example)
{
    static const uint32_t groups[PIPES] = {2, 1, 2, 1, 2, 1, 2, 1};
    static const grant    order[]       = {
                 {3, 0}, {1, 0}, {6, 0}, {6, 0}, {RING_PIPE + HP3D_RING, GEOMETRY}, {2, 0}, {RING_PIPE + HP3D_RING, PIXELS},
                 {4, 0}, {7, 0}, {2, 0}, {4, 0}, {RING_PIPE + GFX_RING, GEOMETRY},  {0, 0}, {RING_PIPE + GFX_RING, PIXELS},
                 {5, 0}, {0, 0}};
    account_of_pole a = {.next = {NONE, 0}};
    world          *w = &r->w;
    for (int pipe = 0; pipe < PIPES; pipe++) {
        driver_queue q  = world_queue(pipe, 0, 3);
        q.pipe_priority = tiers[pipe];
        map_queue(w, &q);
        on(w, pipe, 0);
        one_engine(w);
        shape(w, 64, pipe == 3 ? LONG : SHORT, 1, GROUP);
        dispatch(w, groups[pipe], 1, 1);
        a.pole[pipe] = pipe;
    }
    open_ring(r, HP3D_RING);
    open_ring(r, GFX_RING);
    driver_doorbell(host(w), now(w), 3, 0, w->written[3][0]);
    while (a.count == 0)
        watch(&a, w);
    for (uint32_t pipe = 0; pipe < PIPES; pipe++)
        if (pipe != 3)
            driver_doorbell(host(w), now(w), pipe, 0, w->written[pipe][0]);
    ring_on(r, HP3D_RING);
    driver_doorbell(host(w), now(w), RING_PIPE + HP3D_RING, 0, r->at);
    while (granted_to(&a, 7) == 0)
        watch(&a, w);
    ring_on(r, GFX_RING);
    driver_doorbell(host(w), now(w), RING_PIPE + GFX_RING, 0, r->at);
    while (!session_idle(w->s))
        watch(&a, w);
    for (unsigned n = 0; n < COUNT(order); n++)
        if (!same(a.list[n], order[n]))
            fail_msg("grant %u is of %d, kind %d, expected of %d, kind %d", n, a.list[n].pipe, a.list[n].kind,
                     order[n].pipe, order[n].kind);
    assert_int_equal(a.count, COUNT(order));
}

#else

TEST(no_graphics)
{
    skip();
}

#endif

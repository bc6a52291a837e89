// SPDX-License-Identifier: Apache-2.0
//
// A shader core of one's own on libtotem: a wave reads USER_DATA[0] and runs for so many clocks, 0xffffffff for ever. A
// geometry wave then exports its primitives, PIXELS of each (docs/engine.md). One queue dispatches 10 waves that end
// and a fence behind them, then 10 that do not, and is reset. Where there is graphics, the ring draws 200 points.
// Build: make -C cmodel core, or cc core.c $(pkg-config --cflags --libs libtotem).

#include "surroundings.h"

#include <stdio.h>

enum {
    SLOTS_MAX = 64,
    USER_DATA = 2,
    PIXELS    = 16,
    RING      = 0x1000,
    MQD       = 0x2000,
    FENCE     = 0x3000,
    WINDOW    = 0x10000,
    DOORBELL  = 0x4000,
    RINGS     = 0x18000, // window and doorbell of the ring of front end 0
    BELL      = 0x4100
};

enum { COMPUTE, GEOMETRY, PIXEL }; // kinds of waves

typedef struct {
    bool     busy, owes; // owes: it has primitives to export
    uint8_t  fe, pipe, queue, epoch, primitives;
    uint64_t end;
} wave;

typedef struct {
    wave  waves[SLOTS_MAX];
    wave *exports; // the one that offers its primitives, or NULL
    bool  asked;   // state_index was shown while a wave was offered: its word is there
} core;

typedef struct {
    surroundings around;
    core         cores[TOTEM_ENGINES_MAX];
    unsigned     accepted, ended, killed, kinds[3], primitives;
} world;

// One wave after the other offers its primitives, until all of them are taken.
static void export_clock(world *w, core *c, uint64_t clock, const totem_engine_pins_out *o, totem_engine_pins_in *i)
{
    for (wave *v = c->waves; !c->exports && v < c->waves + SLOTS_MAX; v++)
        if (v->busy && v->owes && v->end <= clock)
            c->exports = v;
    if (!c->exports)
        return;
    i->export_valid      = true;
    i->export_slot       = (uint8_t)(c->exports - c->waves);
    i->export_primitives = c->exports->primitives;
    i->export_pixels     = PIXELS;
    if (o->export_ready) {
        w->primitives += c->exports->primitives;
        c->exports->owes = false;
        c->exports       = NULL;
    }
}

static void core_clock(world *w, core *c, uint64_t clock, const totem_engine_pins_out *o, totem_engine_pins_in *i)
{
    // A core without registers answers every access to its page at once: no such register.
    *i = (totem_engine_pins_in){.state_index = USER_DATA, .host_done = o->host_valid, .host_error = 1};
    for (uint8_t slot = 0; slot < SLOTS_MAX && !i->done_valid; slot++)
        if (c->waves[slot].busy && !c->waves[slot].owes && c->waves[slot].end <= clock) {
            c->waves[slot].busy = false;
            i->done_valid       = true;
            i->done_slot        = slot;
            w->ended++;
        }
    export_clock(w, c, clock, o, i);
    for (wave *v = c->waves; o->kill_valid && v < c->waves + SLOTS_MAX; v++)
        if (v->busy && v->fe == o->kill_fe && v->pipe == o->kill_pipe && v->queue == o->kill_queue &&
            (o->kill_epochs >> v->epoch & 1) && v->end > clock) {
            v->end        = clock;
            v->primitives = 0; // none if it is killed before
            w->killed++;
        }
    if (o->launch_valid && c->asked) {
        const uint32_t clocks    = (uint32_t)o->state_data;
        const uint64_t end       = clocks == UINT32_MAX ? UINT64_MAX : clock + (clocks < 2 ? 2 : clocks);
        c->waves[o->launch_slot] = (wave){.busy       = true,
                                          .owes       = o->launch_kind == GEOMETRY,
                                          .fe         = o->launch_fe,
                                          .pipe       = o->launch_pipe,
                                          .queue      = o->launch_queue,
                                          .epoch      = o->launch_epoch,
                                          .primitives = o->launch_primitives,
                                          .end        = end};
        i->launch_ready          = true;
        w->accepted++;
        w->kinds[o->launch_kind]++;
    }
    c->asked = o->launch_valid && !c->asked;
}

static void drive(void *user, uint64_t clock, const totem_outputs *outputs, totem_inputs *inputs)
{
    world *w = user;
    host_clock(&w->around, &outputs->host, &inputs->host);
    for (int f = 0; f < TOTEM_FRONT_ENDS_MAX; f++)
        memory_clock(&w->around, f, &outputs->memory[f], &inputs->memory[f]);
    for (int e = 0; e < TOTEM_ENGINES_MAX; e++)
        core_clock(w, &w->cores[e], clock, &outputs->engine[e], &inputs->engine[e]);
}

static uint32_t grid(world *w, uint32_t at, uint32_t clocks)
{
    static const uint32_t threads[] = {0x207, 64, 1, 1}, resources[] = {0x212, 0, 2 << 1}, groups[] = {10, 1, 1, 1};
    const uint32_t        data[] = {0x240, clocks, 0};
    at = packet(&w->around, RING, at, 0x76, 4, threads); // SET_SH_REG: COMPUTE_NUM_THREAD_X..Z
    at = packet(&w->around, RING, at, 0x76, 3, resources);
    at = packet(&w->around, RING, at, 0x76, 3, data);     // COMPUTE_USER_DATA_0, _1
    return packet(&w->around, RING, at, 0x15, 4, groups); // DISPATCH_DIRECT
}

static uint32_t fence(world *w, uint32_t at, uint32_t value)
{
    const uint32_t release[] = {0x14, 1u << 29, FENCE, 0, value, 0, 0}; // RELEASE_MEM: value to FENCE
    return packet(&w->around, RING, at, 0x49, 7, release);
}

// The queue in slot 0 of pipe 0, or the ring of front end 0, begins at RING.
static void map(world *w, uint32_t window, uint32_t doorbell)
{
    const uint32_t writes[][2] = {{0, MQD},         {4, 0x0be05300}, {8, RING >> 8}, {15, 1u << 30 | doorbell << 2},
                                  {17, 0x00300007}, {2, 1}};
    for (size_t n = 0; n < sizeof writes / sizeof *writes; n++) // docs/registers.md, queue
        host_write(&w->around, window + 4 * writes[n][0], writes[n][1]);
}

// 200 points: four geometry waves of up to 64.
static uint32_t points(world *w)
{
    static const uint32_t state[]  = {0};                                // CLEAR_STATE
    static const uint32_t pixel[]  = {0x08, 0x300, 0, 1, 2 << 1, 50, 0}; // SPI_SHADER_PGM_LO_PS .. USER_DATA_PS_1
    static const uint32_t vertex[] = {0x48, 0x400, 0, 1, 2 << 1, 80, 0}; // those of VS
    static const uint32_t type[]   = {0x242, 1};                         // VGT_PRIMITIVE_TYPE: points
    static const uint32_t draw[]   = {200, 2};                           // DRAW_INDEX_AUTO
    uint32_t              at       = packet(&w->around, RING, 0, 0x12, 1, state);
    at                             = packet(&w->around, RING, at, 0x76, 7, pixel);
    at                             = packet(&w->around, RING, at, 0x76, 7, vertex);
    at                             = packet(&w->around, RING, at, 0x79, 2, type);
    return packet(&w->around, RING, at, 0x2d, 2, draw);
}

int main(void)
{
    static world      w;
    totem_sizes       sizes;
    const totem_world around  = {.user = &w, .drive = drive};
    totem            *machine = totem_create_core();
    if (!machine)
        return 1;
    const uint32_t dwords = fence(&w, grid(&w, 0, 100), 1);
    map(&w, WINDOW, 0);
    host_write(&w.around, DOORBELL, dwords);
    totem_run(machine, &around, 2000);
    printf("accepted %u, ended %u, killed %u, fence %u\n", w.accepted, w.ended, w.killed, w.around.bytes[FENCE]);
    host_write(&w.around, DOORBELL, grid(&w, dwords, UINT32_MAX));
    totem_run(machine, &around, 3000);
    host_write(&w.around, WINDOW + 4 * 24, 2); // reset
    totem_run(machine, &around, 6000);
    printf("accepted %u, ended %u, killed %u, idle %d\n", w.accepted, w.ended, w.killed, totem_idle(machine));
    totem_configuration(&sizes);
    if (sizes.graphics) {
        map(&w, RINGS, (BELL - DOORBELL) / 4);
        host_write(&w.around, BELL, fence(&w, points(&w), 2));
        totem_run(machine, &around, 10000);
        printf("geometry %u, primitives %u, pixel waves %u, fence %u\n", w.kinds[GEOMETRY], w.primitives,
               w.kinds[PIXEL], w.around.bytes[FENCE]);
    }
    totem_destroy(machine);
    return 0;
}

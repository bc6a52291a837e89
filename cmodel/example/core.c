// SPDX-License-Identifier: Apache-2.0
//
// Work for the shader core of core.h on libtotem. One queue dispatches 10 waves that end and a fence behind them, then
// 10 that do not, and is reset. Where there is graphics, the ring draws 200 points.
// Build: make -C cmodel core, or cc core.c $(pkg-config --cflags --libs libtotem).

#include "core.h"
#include "surroundings.h"

#include <stdio.h>

enum {
    RING     = 0x1000,
    MQD      = 0x2000,
    FENCE    = 0x3000,
    WINDOW   = 0x10000,
    DOORBELL = 0x4000,
    RINGS    = 0x18000, // window and doorbell of the ring of front end 0
    BELL     = 0x4100
};

typedef struct {
    surroundings around;
    core         cores[TOTEM_ENGINES_MAX];
    core_counts  counts;
} world;

static void drive(void *user, uint64_t clock, const totem_outputs *outputs, totem_inputs *inputs)
{
    world *w = user;
    host_clock(&w->around, &outputs->host, &inputs->host);
    for (int f = 0; f < TOTEM_FRONT_ENDS_MAX; f++)
        memory_clock(&w->around, f, &outputs->memory[f], &inputs->memory[f]);
    for (int e = 0; e < TOTEM_ENGINES_MAX; e++)
        core_clock(&w->cores[e], &w->counts, clock, &outputs->engine[e], &inputs->engine[e]);
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
    printf("accepted %u, ended %u, killed %u, fence %u\n", w.counts.accepted, w.counts.ended, w.counts.killed,
           w.around.bytes[FENCE]);
    host_write(&w.around, DOORBELL, grid(&w, dwords, UINT32_MAX));
    totem_run(machine, &around, 3000);
    host_write(&w.around, WINDOW + 4 * 24, 2); // reset
    totem_run(machine, &around, 6000);
    printf("accepted %u, ended %u, killed %u, idle %d\n", w.counts.accepted, w.counts.ended, w.counts.killed,
           totem_idle(machine));
    totem_configuration(&sizes);
    if (sizes.graphics) {
        map(&w, RINGS, (BELL - DOORBELL) / 4);
        host_write(&w.around, BELL, fence(&w, points(&w), 2));
        totem_run(machine, &around, 10000);
        printf("geometry %u, primitives %u, pixel waves %u, fence %u\n", w.counts.kinds[GEOMETRY], w.counts.primitives,
               w.counts.kinds[PIXEL], w.around.bytes[FENCE]);
    }
    totem_destroy(machine);
    return 0;
}

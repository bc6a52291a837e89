// SPDX-License-Identifier: Apache-2.0
//
// A shader core of one's own on libtotem: a wave reads USER_DATA[0] and runs for so many clocks, 0xffffffff for ever.
// One queue dispatches 10 waves that end and a fence behind them, then 10 that do not, and is reset (docs/engine.md).
// Build: make -C cmodel core, or cc core.c $(pkg-config --cflags --libs libtotem).

#include "surroundings.h"

#include <stdio.h>

enum {
    SLOTS_MAX = 64,
    USER_DATA = 2,
    RING      = 0x1000,
    MQD       = 0x2000,
    FENCE     = 0x3000,
    WINDOW    = 0x10000,
    DOORBELL  = 0x4000
};

typedef struct {
    bool     busy;
    uint8_t  fe, pipe, queue, epoch;
    uint64_t end;
} wave;

typedef struct {
    wave waves[SLOTS_MAX];
    bool asked; // state_index was shown while a wave was offered: its word is there
} core;

typedef struct {
    surroundings around;
    core         cores[TOTEM_ENGINES_MAX];
    unsigned     accepted, ended, killed;
} world;

static void core_clock(world *w, core *c, uint64_t clock, const totem_engine_pins_out *o, totem_engine_pins_in *i)
{
    // A core without registers answers every access to its page at once: no such register.
    *i = (totem_engine_pins_in){.state_index = USER_DATA, .host_done = o->host_valid, .host_error = 1};
    for (uint8_t slot = 0; slot < SLOTS_MAX && !i->done_valid; slot++)
        if (c->waves[slot].busy && c->waves[slot].end <= clock) {
            c->waves[slot].busy = false;
            i->done_valid       = true;
            i->done_slot        = slot;
            w->ended++;
        }
    for (wave *v = c->waves; o->kill_valid && v < c->waves + SLOTS_MAX; v++)
        if (v->busy && v->fe == o->kill_fe && v->pipe == o->kill_pipe && v->queue == o->kill_queue &&
            (o->kill_epochs >> v->epoch & 1) && v->end > clock) {
            v->end = clock;
            w->killed++;
        }
    if (o->launch_valid && c->asked) {
        const uint32_t clocks    = (uint32_t)o->state_data;
        const uint64_t end       = clocks == UINT32_MAX ? UINT64_MAX : clock + clocks;
        c->waves[o->launch_slot] = (wave){true, o->launch_fe, o->launch_pipe, o->launch_queue, o->launch_epoch, end};
        i->launch_ready          = true;
        w->accepted++;
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

int main(void)
{
    static world          w;
    static const uint32_t release[]   = {0x14, 1u << 29, FENCE, 0, 1, 0, 0}; // RELEASE_MEM: 1 to FENCE
    static const uint32_t window[][2] = {{0, MQD},       {4, 0x0be05300},  {8, RING >> 8},
                                         {15, 1u << 30}, {17, 0x00300007}, {2, 1}}; // docs/registers.md, queue
    const totem_world     around      = {.user = &w, .drive = drive};
    totem                *machine     = totem_create_core();
    if (!machine)
        return 1;
    uint32_t dwords = packet(&w.around, RING, grid(&w, 0, 100), 0x49, 7, release);
    for (size_t n = 0; n < sizeof window / sizeof *window; n++)
        host_write(&w.around, WINDOW + 4 * window[n][0], window[n][1]);
    host_write(&w.around, DOORBELL, dwords);
    totem_run(machine, &around, 2000);
    printf("accepted %u, ended %u, killed %u, fence %u\n", w.accepted, w.ended, w.killed, w.around.bytes[FENCE]);
    host_write(&w.around, DOORBELL, grid(&w, dwords, UINT32_MAX));
    totem_run(machine, &around, 3000);
    host_write(&w.around, WINDOW + 4 * 24, 2); // reset
    totem_run(machine, &around, 6000);
    printf("accepted %u, ended %u, killed %u, idle %d\n", w.accepted, w.ended, w.killed, totem_idle(machine));
    totem_destroy(machine);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// mix_main: the draws of a captured frame on all graphics rings of the machine (C model), and what geometry throttling
// makes of them. The rings play the same frame, each begins a part of its time later. A draw is known by its counters:
// vertex threads and pixel threads. It is drawn as points, so that 64 vertex threads are a geometry wave; a wave
// exports a primitive for every three of its threads, and the pixels of a draw are spread evenly over its primitives.
//
// The shader core is one of our own (docs/engine.md): all geometry waves have one size and time, and so have all pixel
// waves (PROGRAMS below). Prints one JSON object: clocks, stall clocks, waves in flight.

#include "../../cmodel/example/surroundings.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "mix [options] DRAWS.csv       CSV with the columns event_id,vs_threads,ps_threads,warps_launched,gpu_time_ns\n"
    "  --part N           an N-th of the threads of each draw (1)\n"
    "  --write OFFSET=VALUE  a host write of a register before the rings are mapped; may be repeated\n"
    "  --cycles N         most clocks (50000000)\n"
    "  --trace FILE       CSV: every 100 clocks, of each engine: waves of geometry and of pixels, dead cycles\n";

// -- programs: what a wave takes and how long it runs ---------------------------------------------------------------
enum {
    GEOMETRY_VGPRS  = 32, // blocks of 256 lane registers: 128 registers of 64 threads
    GEOMETRY_LDS    = 4,  // blocks of 128 dwords: 8 dwords a thread
    GEOMETRY_CLOCKS = 400,
    PIXEL_VGPRS     = 16, // 64 registers
    PIXEL_CLOCKS    = 320
};

enum {
    DRAWS_MOST  = 512,
    RING_BYTES  = MEMORY_BYTES / TOTEM_FRONT_ENDS_MAX,
    RING_CODE   = 11, // 2^12 dwords
    MQD         = RING_BYTES - 0x800,
    WINDOWS     = 0x18000,
    WINDOW      = 0x1000,
    BELLS       = 0x4100,
    BELLS_FIRST = 0x40,
    SLOTS       = 64,
    TRACED      = 100
};

enum { COMPUTE, GEOMETRY, PIXEL };

typedef struct {
    uint32_t threads, primitives;
    uint64_t pixels, time;
} draw;

typedef struct {
    uint64_t threads, primitives, pixels; // of the waves of a draw that have exported
} progress;

typedef struct {
    bool     busy;
    uint8_t  kind, threads, fe;
    uint16_t draw;
    uint64_t end;
} wave;

typedef struct {
    wave     waves[SLOTS];
    uint8_t  queue[SLOTS]; // geometry waves that wait for their export, oldest first
    unsigned queued, in_flight[3];
    bool     offered, exported; // the first of the queue is offered; has been taken
    uint16_t primitives;
    uint32_t pixels;
    uint64_t next; // no wave ends before
    uint64_t sum[3], done[3];
} core;

typedef struct {
    surroundings   around;
    const totem   *machine;
    draw           draws[DRAWS_MOST];
    uint32_t       count;
    progress       past[TOTEM_FRONT_ENDS_MAX][DRAWS_MOST];
    core           cores[TOTEM_ENGINES_MAX];
    totem_sizes    sizes;
    totem_register lacks[TOTEM_ENGINES_MAX], dead[TOTEM_ENGINES_MAX];
    uint64_t       stalls, held, pixels, begun;
    FILE          *trace;
} world;

// What the first wave of the queue exports: its part of the primitives and pixels of its draw, so that all waves of the
// draw so far have theirs. Pixels that do not divide go to the next wave.
static void offer(world *w, core *c)
{
    const wave *v = &c->waves[c->queue[0]];
    const draw *d = &w->draws[v->draw];
    progress   *p = &w->past[v->fe][v->draw];
    p->threads += v->threads;
    const uint64_t primitives = p->threads * d->primitives / d->threads - p->primitives;
    p->primitives += primitives;
    c->primitives = (uint16_t)primitives;
    c->pixels     = 0;
    if (primitives != 0)
        c->pixels = (uint32_t)((d->pixels * p->primitives / d->primitives - p->pixels) / primitives);
    p->pixels += primitives * c->pixels;
    c->offered = true;
}

static void ends(core *c, uint8_t slot, totem_engine_pins_in *i)
{
    wave *v       = &c->waves[slot];
    i->done_valid = true;
    i->done_slot  = slot;
    v->busy       = false;
    c->in_flight[v->kind]--;
    c->done[v->kind]++;
}

static void core_clock(world *w, core *c, uint64_t clock, const totem_engine_pins_out *o, totem_engine_pins_in *i)
{
    *i = (totem_engine_pins_in){.host_done = o->host_valid, .host_error = 1, .launch_ready = o->launch_valid};
    if (c->exported) {
        ends(c, c->queue[0], i);
        c->exported = c->offered = false;
        memmove(c->queue, c->queue + 1, --c->queued);
    }
    if (clock >= c->next) {
        c->next = UINT64_MAX;
        for (uint8_t slot = 0; slot < SLOTS; slot++) {
            wave *v = &c->waves[slot];
            if (!v->busy || v->end == UINT64_MAX)
                continue;
            if (v->end <= clock && v->kind == GEOMETRY) {
                c->queue[c->queued++] = slot;
                v->end                = UINT64_MAX;
                continue;
            }
            if (v->end <= clock && !i->done_valid) {
                ends(c, slot, i);
                continue;
            }
            c->next = v->end < c->next ? v->end : c->next;
        }
    }
    if (c->queued && !c->offered)
        offer(w, c);
    if (c->offered) {
        i->export_valid      = true;
        i->export_slot       = c->queue[0];
        i->export_primitives = c->primitives;
        i->export_pixels     = c->pixels;
        c->exported          = o->export_ready;
    }
    if (o->launch_valid) {
        const uint64_t end       = clock + (o->launch_kind == PIXEL ? PIXEL_CLOCKS : GEOMETRY_CLOCKS);
        c->waves[o->launch_slot] = (wave){.busy    = true,
                                          .kind    = o->launch_kind,
                                          .threads = o->launch_primitives,
                                          .fe      = o->launch_fe,
                                          .draw    = (uint16_t)(o->launch_program & 0xffff),
                                          .end     = end};
        c->in_flight[o->launch_kind]++;
        c->next = end < c->next ? end : c->next;
        if (o->launch_kind == PIXEL)
            w->pixels += o->launch_threads;
    }
    for (int kind = 0; kind < 3; kind++)
        c->sum[kind] += c->in_flight[kind];
}

static void drive(void *user, uint64_t clock, const totem_outputs *outputs, totem_inputs *inputs)
{
    world *w = user;
    host_clock(&w->around, &outputs->host, &inputs->host);
    for (uint32_t f = 0; f < w->sizes.front_ends; f++)
        memory_clock(&w->around, (int)f, &outputs->memory[f], &inputs->memory[f]);
    for (uint32_t e = 0; e < w->sizes.engines; e++) {
        core_clock(w, &w->cores[e], clock, &outputs->engine[e], &inputs->engine[e]);
        bool lack = false;
        for (uint32_t f = 0; f < w->sizes.front_ends; f++)
            lack = lack || totem_get(w->machine, &w->lacks[e], f);
        w->stalls += lack;
        w->held += totem_get(w->machine, &w->dead[e], 0) != 0;
    }
    if (!w->trace || clock % TRACED)
        return;
    fprintf(w->trace, "%" PRIu64, clock);
    for (uint32_t e = 0; e < w->sizes.engines; e++)
        fprintf(w->trace, ",%u,%u,%" PRIu64, w->cores[e].in_flight[GEOMETRY], w->cores[e].in_flight[PIXEL],
                totem_get(w->machine, &w->dead[e], 0));
    fputc('\n', w->trace);
}

static bool stop(void *user, const totem *machine)
{
    const world *w = user;
    return w->around.done == w->around.count && totem_clock(machine) % 64 == 0 && totem_idle(machine);
}

// The stream of a ring: state once, then for each draw its program, whose address is the draw's number, and points.
static void ring(world *w, uint32_t f, uint32_t first)
{
    const uint32_t at = f * RING_BYTES, window = WINDOWS + f * WINDOW;
    const uint32_t clear[]  = {0};
    const uint32_t pixel[]  = {0x08, 0, 0, PIXEL_VGPRS - 1, 0};               // SPI_SHADER_PGM_LO_PS .. RSRC2_PS
    const uint32_t vertex[] = {0x8a, GEOMETRY_VGPRS - 1, GEOMETRY_LDS << 19}; // SPI_SHADER_PGM_RSRC1_GS, _RSRC2_GS
    const uint32_t points[] = {0x242, 1};                                     // VGT_PRIMITIVE_TYPE
    uint32_t       dwords   = packet(&w->around, at, 0, 0x12, 1, clear);
    dwords                  = packet(&w->around, at, dwords, 0x76, 5, pixel);
    dwords                  = packet(&w->around, at, dwords, 0x76, 3, vertex);
    dwords                  = packet(&w->around, at, dwords, 0x79, 2, points);
    for (uint32_t n = 0; n < w->count; n++) {
        const uint32_t number    = (first + n) % w->count;
        const uint32_t program[] = {0xc8, number, 0}; // SPI_SHADER_PGM_LO_ES, _HI_ES
        const uint32_t body[]    = {w->draws[number].threads, 2};
        dwords                   = packet(&w->around, at, dwords, 0x76, 3, program);
        dwords                   = packet(&w->around, at, dwords, 0x2d, 2, body); // DRAW_INDEX_AUTO
    }
    if (4 * dwords > MQD) {
        fprintf(stderr, "mix: the stream of %u dwords does not fit a ring; the file has too many draws\n", dwords);
        exit(2);
    }
    const uint32_t writes[][2] = {{0, at + MQD},
                                  {4, 0x0be05300},
                                  {8, at >> 8},
                                  {15, 1u << 30 | (BELLS_FIRST + f) << 2},
                                  {17, 0x00300000 | RING_CODE},
                                  {2, 1}};
    for (size_t n = 0; n < sizeof writes / sizeof *writes; n++) // docs/registers.md, queue
        host_write(&w->around, window + 4 * writes[n][0], writes[n][1]);
    host_write(&w->around, BELLS + 4 * f, dwords);
}

static void read_draws(world *w, const char *path, uint32_t part)
{
    FILE    *file   = fopen(path, "r");
    unsigned number = 0;
    char     line[512];
    if (!file) {
        fprintf(stderr, "mix: %s cannot be read\n", path);
        exit(2);
    }
    while (fgets(line, sizeof line, file)) {
        uint32_t event, threads, warps;
        uint64_t pixels, time;
        number++;
        // NOLINTNEXTLINE(cert-err34-c): what is no number is a comment or the names of the columns
        if (sscanf(line, "%" SCNu32 ",%" SCNu32 ",%" SCNu64 ",%" SCNu32 ",%" SCNu64, &event, &threads, &pixels, &warps,
                   &time) != 5 ||
            threads < 3)
            continue; // a comment, the names of the columns, or nothing to draw
        if (w->count == DRAWS_MOST) {
            fprintf(stderr, "mix: %s:%u: more than %d draws; split the file\n", path, number, DRAWS_MOST);
            exit(2);
        }
        const uint32_t least = threads / 3 / part ? threads / 3 / part : 1;
        w->draws[w->count++] = (draw){threads / part < least ? least : threads / part, least, pixels / part, time};
    }
    fclose(file);
    if (!w->count) {
        fprintf(stderr,
                "mix: %s:%u: no draw with a primitive; expected lines of event_id,vs_threads,ps_threads,"
                "warps_launched,gpu_time_ns\n",
                path, number);
        exit(2);
    }
}

// The draw with which ring f begins: f parts of all rings into the time of the frame.
static uint32_t first_of(const world *w, uint32_t f)
{
    uint64_t whole = 0, before = 0;
    uint32_t n = 0;
    for (uint32_t d = 0; d < w->count; d++)
        whole += w->draws[d].time;
    while (n < w->count && before * w->sizes.front_ends < whole * f)
        before += w->draws[n++].time;
    return w->count ? n % w->count : 0;
}

static bool find(totem_register *found, const char *what, uint32_t engine)
{
    char name[64];
    snprintf(name, sizeof name, "se[%u].%s", engine, what);
    if (totem_find(name, found) == TOTEM_STATUS_OK)
        return true;
    fprintf(stderr, "mix: the machine has no %s; build with graphics\n", name);
    return false;
}

static void result(const world *w, bool idle)
{
    const uint64_t clocks = totem_clock(w->machine) - w->begun;
    uint64_t       sum[3] = {0}, done[3] = {0}, asked = 0;
    for (uint32_t e = 0; e < w->sizes.engines; e++)
        for (int kind = 0; kind < 3; kind++) {
            sum[kind] += w->cores[e].sum[kind];
            done[kind] += w->cores[e].done[kind];
        }
    for (uint32_t d = 0; d < w->count; d++)
        asked += w->draws[d].pixels * w->sizes.front_ends;
    const double each = (double)clocks * w->sizes.engines;
    printf("{\"ended\": %s, \"clocks\": %" PRIu64 ", \"pixel\": %" PRIu64 ", \"geometry\": %" PRIu64
           ", \"threads\": %" PRIu64 ", \"asked\": %" PRIu64 ", \"stalls\": %" PRIu64 ", \"held\": %" PRIu64
           ", \"geometry_in_flight\": %.2f, \"pixel_in_flight\": %.2f}\n",
           idle ? "true" : "false", clocks, done[PIXEL], done[GEOMETRY], w->pixels, asked, w->stalls, w->held,
           (double)sum[GEOMETRY] / each, (double)sum[PIXEL] / each);
}

int main(int argc, char **argv)
{
    static const struct option known[] = {{"part", 1, NULL, 'p'},  {"write", 1, NULL, 'w'}, {"cycles", 1, NULL, 'c'},
                                          {"trace", 1, NULL, 't'}, {"help", 0, NULL, 'h'},  {NULL, 0, NULL, 0}};
    static world               w;
    uint32_t                   part   = 1;
    uint64_t                   cycles = 50000000;
    bool                       good   = true;
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        char *rest = "";
        switch (option) {
        case 'p': part = (uint32_t)strtoul(optarg, &rest, 0); break;
        case 'c': cycles = strtoull(optarg, &rest, 0); break;
        case 't': good = good && (w.trace = fopen(optarg, "w")); break;
        case 'w': {
            const uint32_t address = (uint32_t)strtoul(optarg, &rest, 0);
            good                   = good && *rest == '=' && w.around.count < WRITES / 4;
            if (good)
                host_write(&w.around, address, (uint32_t)strtoul(rest + 1, &rest, 0));
            break;
        }
        default: good = false; break;
        }
        good = good && *rest == '\0';
    }
    if (!good || optind + 1 != argc || part == 0) {
        fputs(help, stderr);
        return 2;
    }
    totem *machine = totem_create_core();
    if (!machine)
        return 1;
    w.machine = machine;
    totem_configuration(&w.sizes);
    read_draws(&w, argv[optind], part);
    for (uint32_t e = 0; e < w.sizes.engines; e++)
        if (!find(&w.lacks[e], "issue.pixel_lacks", e) || !find(&w.dead[e], "pixels.throttle.dead", e))
            return 2;
    for (uint32_t f = 0; f < w.sizes.front_ends; f++)
        ring(&w, f, first_of(&w, f));
    const totem_world around = {.user = &w, .drive = drive, .stop = stop};
    const bool        idle   = totem_run(machine, &around, cycles);
    result(&w, idle);
    if (w.trace)
        fclose(w.trace);
    totem_destroy(machine);
    return idle ? 0 : 1;
}

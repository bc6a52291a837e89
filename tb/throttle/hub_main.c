// SPDX-License-Identifier: Apache-2.0
//
// hub_main: primitives through the blocks hub and monitor, and what the monitor says of it. Either the worked example
// of docs/throttle.md, or the draws of a frame: a primitive for every three vertex threads, a pixel for every pixel
// thread, the pixels of a draw spread evenly over its primitives. The primitive assembler gives at most one primitive
// a clock, primitive k to converter k mod SE_COUNT; a converter takes a primitive when it is done with the pixels of
// the last one.
//
// Checked by a count of its own: every primitive leaves once, in order, unchanged; every level in every clock; every
// poll.

#include "hub_world.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LOCKSTEP
#include "../block/block.h"
#endif

static const char help[] =
    "hub [options] example | DRAWS.csv      CSV with the columns event_id,vs_threads,ps_threads\n"
    "  --pixels N       pixels a clock and converter (4)\n"
    "  --interval N     code of the poll interval (0: 100 clocks)\n"
    "  --trace FILE     CSV: example: every clock; draws: every poll\n"
    "  --folder F       of the words and waves of a mismatch\n";

enum { DRAWS_MOST = 4096, EXAMPLE_CLOCKS = 3700 };

typedef struct {
    uint32_t event, primitives, pixels;
} draw;

typedef struct {
    const char *source, *trace, *folder;
    uint32_t    pixels;
    uint8_t     interval;
} options;

typedef struct {
    const options *o;
    const draw    *draw;
    uint32_t       draws, now;                  // the draw whose primitives come
    uint32_t       next;                        // its next primitive
    uint64_t       given, busy[TOTEM_SE_COUNT]; // primitives given; clocks until a converter is done
    uint32_t       level[TOTEM_SE_COUNT], passed[TOTEM_SE_COUNT], last_level;
    uint64_t       order[TOTEM_SE_COUNT][TOTEM_HUB_DEPTH]; // what is in each FIFO
    uint64_t       since, polls[4], waits, levels[4];
    uint32_t       status;
    FILE          *trace;
    char           message[160];
} run;

// Level of converter 0 in the worked example: it goes up by pushes and down by pops, one a clock.
static uint32_t example_level(uint64_t clock)
{
    return clock < 50 ? 0 : clock < 940 ? 8 : clock < 2940 ? 40 : clock < 3440 ? 20 : 15;
}

// Pixels of a primitive: their sum over a draw is that of the draw.
static uint32_t pixels_of(const draw *d, uint32_t primitive)
{
    return (uint32_t)((uint64_t)d->pixels * (primitive + 1) / d->primitives -
                      (uint64_t)d->pixels * primitive / d->primitives);
}

static void give_draws(run *r, hub_world *w)
{
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++) {
        w->hub_in->pop_ready[n] = r->busy[n] <= 1;
        r->busy[n] -= r->busy[n] != 0;
    }
    while (r->now < r->draws && r->next == r->draw[r->now].primitives) {
        r->now++;
        r->next = 0;
    }
    if (r->now == r->draws)
        return;
    const unsigned to         = r->given % TOTEM_SE_COUNT;
    w->hub_in->push_valid[to] = true;
    w->hub_in->push_data[to]  = pixels_of(&r->draw[r->now], r->next);
    if (!w->hub->push_ready[to]) {
        r->waits++;
        return;
    }
    r->next++;
    r->given++;
}

static void give_example(const run *r, hub_world *w)
{
    const uint32_t wanted    = example_level(w->clock);
    w->hub_in->push_valid[0] = r->level[0] < wanted;
    w->hub_in->push_data[0]  = (uint32_t)w->clock;
    w->hub_in->pop_ready[0]  = r->level[0] > wanted;
}

static uint32_t class_of(uint32_t level)
{
    return level / (TOTEM_HUB_DEPTH / 4) > 3 ? 3 : level / (TOTEM_HUB_DEPTH / 4);
}

// What happens in this clock, by the rules of a queue; and the poll that its edge ends.
static void follow(run *r, const hub_world *w)
{
    uint32_t fullest = 0;
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        fullest = r->level[n] > fullest ? r->level[n] : fullest;
    r->levels[class_of(fullest)]++;
    if (w->clock - r->since + 1 >= (r->o->interval ? 125u << r->o->interval : 100u)) {
        r->since  = w->clock + 1;
        r->status = class_of(fullest);
        r->polls[r->status]++;
        r->last_level = fullest;
    }
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++) {
        if (w->hub_in->pop_ready[n] && w->hub->pop_valid[n]) {
            if (w->hub->pop_data[n] != r->order[n][r->passed[n]++ % TOTEM_HUB_DEPTH])
                snprintf(r->message, sizeof r->message, "a primitive out of order at converter %u", n);
            r->busy[n] = (w->hub->pop_data[n] + r->o->pixels - 1) / r->o->pixels;
            r->level[n]--;
        }
        if (w->hub_in->push_valid[n] && w->hub->push_ready[n])
            r->order[n][(r->passed[n] + r->level[n]++) % TOTEM_HUB_DEPTH] = w->hub_in->push_data[n];
    }
}

static void check(run *r, const hub_world *w)
{
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        if (w->hub->count[n] != r->level[n] || w->hub->fault)
            snprintf(r->message, sizeof r->message, "converter %u: %u primitives, not %u%s", n, w->hub->count[n],
                     r->level[n], w->hub->fault ? "; fault" : "");
    if (w->monitor->status != r->status || w->monitor->polled != (r->since == w->clock))
        snprintf(r->message, sizeof r->message, "status %u, not %u", w->monitor->status, r->status);
}

static bool ended(const run *r, const hub_world *w)
{
    uint32_t left = 0;
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        left += r->level[n] + (r->busy[n] != 0);
    return r->draw ? r->now == r->draws && !left : w->clock == EXAMPLE_CLOCKS;
}

#ifdef LOCKSTEP
static bool play(block_bench *bench, void *given)
#else
static bool play(void *bench, void *given)
#endif
{
    run       *r    = given;
    hub_world *w    = hub_world_open(bench);
    bool       good = true;
    *r              = (run){.o = r->o, .draw = r->draw, .draws = r->draws, .trace = r->trace}; // it may be played again
    w->monitor_in->interval = r->o->interval;
    if (r->trace)
        fprintf(r->trace, "clock,event,level,status\n");
    while (good && !ended(r, w)) {
        if (r->draw)
            give_draws(r, w);
        else
            give_example(r, w);
        if (r->trace && (!r->draw || w->monitor->polled))
            fprintf(r->trace, "%" PRIu64 ",%u,%u,%u\n", w->clock,
                    r->draw && r->now < r->draws ? r->draw[r->now].event : 0, r->draw ? r->last_level : r->level[0],
                    w->monitor->status);
        follow(r, w);
        good = hub_world_step(w);
        if (good)
            check(r, w);
        if (r->message[0]) {
            fprintf(stderr, "clock %" PRIu64 ": %s\n", w->clock, r->message);
            good = false;
        }
    }
    if (good)
        printf("%" PRIu64 " clocks, %" PRIu64 " primitives; the assembler waits %" PRIu64 "; polls 00 %" PRIu64
               ", 01 %" PRIu64 ", 10 %" PRIu64 ", 11 %" PRIu64 "\n",
               w->clock, r->given, r->waits, r->polls[0], r->polls[1], r->polls[2], r->polls[3]);
    hub_world_close(w);
    return good;
}

static uint32_t read_draws(const char *path, draw *list)
{
    FILE    *file  = fopen(path, "r");
    uint32_t count = 0, number = 0;
    char     line[512];
    if (!file) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    while (fgets(line, sizeof line, file)) {
        number++;
        char          *rest;
        const uint32_t event = (uint32_t)strtoul(line, &rest, 10);
        if (rest == line || *rest != ',')
            continue; // a comment, or the names of the columns
        const uint32_t vertices = (uint32_t)strtoul(rest + 1, &rest, 10);
        const uint32_t pixels   = *rest == ',' ? (uint32_t)strtoul(rest + 1, &rest, 10) : 0;
        if (vertices >= 3 && count == DRAWS_MOST) {
            fprintf(stderr, "%s:%u: more than %u draws with primitives; split the file\n", path, number, DRAWS_MOST);
            exit(2);
        }
        if (vertices >= 3)
            list[count++] = (draw){event, vertices / 3, pixels};
    }
    fclose(file);
    if (count == 0) {
        fprintf(stderr,
                "%s:%u: the file ends without a draw that has primitives; expected lines of "
                "event_id,vs_threads,ps_threads\n",
                path, number);
        exit(2);
    }
    return count;
}

int main(int argc, char **argv)
{
    static const struct option known[] = {{"pixels", 1, NULL, 'p'}, {"interval", 1, NULL, 'i'}, {"trace", 1, NULL, 't'},
                                          {"folder", 1, NULL, 'f'}, {"help", 0, NULL, 'h'},     {NULL, 0, NULL, 0}};
    static draw                draws[DRAWS_MOST];
    static run                 r;
    static options             o    = {.pixels = 4};
    bool                       good = true;
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 'p': o.pixels = (uint32_t)strtoul(optarg, NULL, 0); break;
        case 'i': o.interval = (uint8_t)(strtoul(optarg, NULL, 0) & 15u); break;
        case 't': o.trace = optarg; break;
        case 'f': o.folder = optarg; break;
        default: good = false; break;
        }
    }
    if (!good || optind + 1 != argc || o.pixels == 0) {
        fputs(help, stderr);
        return 2;
    }
    o.source = argv[optind];
    r.o      = &o;
    if (strcmp(o.source, "example") != 0) {
        r.draw  = draws;
        r.draws = read_draws(o.source, draws);
    }
    if (o.trace && !(r.trace = fopen(o.trace, "w"))) {
        fprintf(stderr, "%s cannot be written\n", o.trace);
        return 2;
    }
#ifdef LOCKSTEP
    block_bench bench = {.folder = o.folder, .name = "hub-draws"};
    good              = block_run(&bench, play, &r);
#else
    good = play(NULL, &r);
#endif
    if (r.trace)
        fclose(r.trace);
    return !good;
}

// SPDX-License-Identifier: Apache-2.0
//
// context_main: plays a stream through context and frames in every variant (plain, bounced, bounced with BOUNCE_EN 0;
// filter on and off), checks every draw (player.h) and prints what it cost. The program is built for one size:
// tb/context/Makefile.

#include "player.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#ifdef LOCKSTEP
#include "../block/block.h"
#endif

static const char help[] =
    "streams [options] FILE.hex [FILE.hex]   one stream, files one behind the other\n"
    "  --table FILE     values of CLEAR_STATE, a stream that writes them\n"
    "  --latency N      clocks from the issue of a draw to its end, at least (1000)\n"
    "  --service N      clocks between the ends of two draws, at least (1)\n"
    "  --program P      plain, bounced or off (bounced, but BOUNCE_EN is 0); default: all three\n"
    "  --filter F       on or off; default: both\n"
    "  --facts          what the stream has, whatever plays it\n"
    "  --trace FILE     every clock as CSV; takes one program and one filter\n"
    "  --folder F       of the words and waves of a mismatch\n";

enum { PROGRAM_PLAIN, PROGRAM_BOUNCED, PROGRAM_OFF, PROGRAMS };
static const char *const program_names[] = {"plain", "bounced", "off"};

typedef struct {
    const char     *table_path, *trace, *folder;
    bool            facts, program[PROGRAMS], filter[2];
    player_settings settings;
} options;

// One variant.
typedef struct {
    const totem_context_stream *s;
    const totem_bounce_plan    *p;
    const uint32_t             *table;
    registers                  *expected;
    player_settings             settings;
    player_figures              figures;
    FILE                       *trace;
    char                        message[256];
} variant;

#ifdef LOCKSTEP
static bool play_variant(block_bench *bench, void *given)
#else
static bool play_variant(void *bench, void *given)
#endif
{
    variant *v = given;
    return play(bench, v->s, v->p, v->table, v->expected, &v->settings, &v->figures, v->trace, v->message,
                sizeof v->message);
}

static bool run_variant(variant *v, const char *folder)
{
#ifdef LOCKSTEP
    block_bench bench = {.folder = folder, .name = "context-streams"};
    return block_run(&bench, play_variant, v);
#else
    (void)folder;
    return play_variant(NULL, v);
#endif
}

static bool parse(int argc, char **argv, options *o)
{
    static const struct option known[] = {
        {"table", 1, NULL, 't'},  {"latency", 1, NULL, 'l'}, {"service", 1, NULL, 's'}, {"program", 1, NULL, 'p'},
        {"filter", 1, NULL, 'f'}, {"facts", 0, NULL, 'F'},   {"trace", 1, NULL, 'T'},   {"folder", 1, NULL, 'o'},
        {"help", 0, NULL, 'h'},   {NULL, 0, NULL, 0}};
    bool program = false, filter = false, good = true;
    *o = (options){.settings = {.latency = 1000, .service = 1}};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 't': o->table_path = optarg; break;
        case 'l': o->settings.latency = (uint32_t)strtoul(optarg, NULL, 0); break;
        case 's': o->settings.service = (uint32_t)strtoul(optarg, NULL, 0); break;
        case 'p':
            program = true;
            for (unsigned n = 0; n < PROGRAMS; n++)
                o->program[n] |= strcmp(optarg, program_names[n]) == 0;
            break;
        case 'f':
            filter                               = true;
            o->filter[strcmp(optarg, "on") == 0] = true;
            break;
        case 'F': o->facts = true; break;
        case 'T': o->trace = optarg; break;
        case 'o': o->folder = optarg; break;
        default: good = false; break;
        }
    }
    for (unsigned n = 0; n < PROGRAMS; n++)
        o->program[n] |= !program;
    o->filter[0] |= !filter;
    o->filter[1] |= !filter;
    return good && optind < argc && argc - optind <= STREAM_FILES && o->settings.latency > 0;
}

static void print_facts(const totem_context_stream *s, const uint32_t *table, const totem_bounce_plan *bounced,
                        size_t golden, bool added)
{
    program_facts f = program_look(s, table);
    printf("%zu dwords, %zu packets, %u draws%s, %u dispatches, %zu registers as the other decoder has them\n",
           s->dwords, s->packets, s->draws, added ? " (added)" : "", s->dispatches, golden);
    printf("context writes %u, of which %u change nothing; rolls %u, by draws alone %u; states %u, different %u\n",
           f.writes, f.same, f.rolls, f.draw_rolls, f.states, f.distinct);
    printf("state is one of the last N: N=2 %u, N=4 %u, N=8 %u, N=16 %u\n", f.reuse[1], f.reuse[2], f.reuse[3],
           f.reuse[4]);
    printf("medians: first draw to next write %u dwords, from header to header %u; written from roll to roll %u, "
           "changed %u\n",
           f.apart, f.headers, f.written, f.changed);
    printf("groups %u: bounced %u (of which %u apart), plain %u (a barrier in between), %u (registers unknown)\n",
           bounced->groups, bounced->bounced, bounced->moved, bounced->crossed, bounced->unknown);
}

static void print_head(void)
{
    printf("%4s %5s %-8s %-4s %8s %8s %7s %8s %5s %4s %6s %6s %7s %5s %6s %6s %5s %6s  %s\n", "sets", "banks",
           "program", "filt", "clocks", "stream", "written", "filtered", "rolls", "hits", "misses", "full", "exposed",
           "wwait", "lookup", "draw", "group", "in use", "digest");
}

static void print_figures(const variant *v, const char *name)
{
    const player_figures *f = &v->figures;
    printf("%4d %5d %-8s %-4s %8" PRIu64 " %8" PRIu64 " %7u %8u %5u %4u %6u %6u %7u %5" PRIu64 " %6" PRIu64 " %6" PRIu64
           " %5" PRIu64 " %6u  %016" PRIx64 "\n",
           TOTEM_SETS, TOTEM_BANKS, name, v->settings.filter ? "on" : "off", f->clocks, f->stream_clocks, f->written,
           f->filtered, f->rolls, f->hits, f->misses, f->full, f->exposed, f->waits[PLAYER_WAIT_WRITE],
           f->waits[PLAYER_WAIT_LOOKUP], f->waits[PLAYER_WAIT_DRAW], f->waits[PLAYER_WAIT_GROUP], f->most_sets,
           f->digest);
}

// Every variant that was asked for. All must leave the same digest.
static int run_all(const options *o, const totem_context_stream *s, const uint32_t *table,
                   const totem_bounce_plan *programs)
{
    registers *expected = program_replay(s, table);
    FILE      *trace    = o->trace ? fopen(o->trace, "w") : NULL;
    uint64_t   digest   = 0;
    int        bad      = 0;
    if (o->trace && !trace) {
        fprintf(stderr, "%s cannot be written\n", o->trace);
        exit(2);
    }
    print_head();
    for (unsigned n = 0; n < PROGRAMS; n++)
        for (unsigned filter = 0; filter < 2; filter++) {
            if (!o->program[n] || !o->filter[filter])
                continue;
            variant v                = {.s        = s,
                                        .p        = &programs[n != PROGRAM_PLAIN],
                                        .table    = table,
                                        .expected = expected,
                                        .settings = o->settings,
                                        .trace    = trace};
            v.settings.filter        = filter;
            v.settings.bounce_enable = n == PROGRAM_BOUNCED;
            if (!run_variant(&v, o->folder)) {
                fprintf(stderr, "%s, filter %u: %s\n", program_names[n], filter, v.message);
                bad++;
                continue;
            }
            print_figures(&v, program_names[n]);
            bad += digest && digest != v.figures.digest;
            digest = v.figures.digest;
        }
    free(expected);
    if (trace)
        fclose(trace);
    return bad;
}

int main(int argc, char **argv)
{
    options              o;
    totem_context_stream s;
    totem_bounce_plan    programs[2];
    bool                 added;
    static registers     table;
    size_t               golden;
    char                 message[512];
    if (!parse(argc, argv, &o)) {
        fputs(help, stderr);
        return 2;
    }
    if (!stream_read(&s, (const char *const *)argv + optind, (size_t)(argc - optind), &golden, &added, message,
                     sizeof message) ||
        (o.table_path && !stream_table(table, o.table_path, message, sizeof message))) {
        fprintf(stderr, "%s\n", message);
        return 2;
    }
    if (!totem_bounce_plain(&programs[0], &s) || !totem_bounce_make(&programs[1], &s, table)) {
        fprintf(stderr, "no memory for the program\n");
        return 2;
    }
    if (o.facts)
        print_facts(&s, table, &programs[1], golden, added);
    const int bad = run_all(&o, &s, table, programs);
    totem_bounce_free(&programs[0]);
    totem_bounce_free(&programs[1]);
    totem_context_free(&s);
    return bad != 0;
}

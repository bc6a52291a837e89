// SPDX-License-Identifier: Apache-2.0
//
// random: lockstep on random work.
//
//   random [--from SEED] [--seeds N] [--clocks N] [--engine both|model] [--folder DIR] [--cover DIR] [--all]
//          [--quiet] [--tally]
//
// One line for every seed: seed, clocks, waves, packets, switches, errors, verdict; with --tally, at the end, how often
// what was drawn and seen. Exit code 1 at the first seed that fails, or with --all after the last one; the line says
// why, and --folder gets the bundle mismatch-SEED.txt, .fst, .gtkw (bundle.h).

#include "../../totem/number.h"
#include "agent.h"
#include "bundle.h"
#include "probe.h"
#include "rings.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLE = 64 };

typedef struct {
    uint64_t       from, seeds, clocks;
    session_engine engine;
    const char    *folder, *cover;
    bool           quiet, all, tally;
} arguments;

static const struct argp_option options[] = {
    {"from", 'f', "SEED", 0, "First seed (default 1)", 0},
    {"seeds", 'n', "N", 0, "How many seeds (default 10)", 0},
    {"clocks", 'c', "N", 0,
     "Clocks in which new work is given (default 20000); the run then goes on until all has ended", 0},
    {"engine", 'e', "both|model", 0, "What runs (default both)", 0},
    {"folder", 'd', "DIR", 0, "Write words and waves of a seed that fails there", 0},
    {"cover", 'o', "DIR", 0, "Write the hits of functional coverage there, a file for each seed", 0},
    {"all", 'a', NULL, 0, "Go on after a seed that fails", 0},
    {"quiet", 'q', NULL, 0, "Only seeds that fail, and the sum", 0},
    {"tally", 't', NULL, 0, "At the end what was drawn and seen, and how often", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a      = state->input;
    uint64_t  *number = key == 'f' ? &a->from : key == 'n' ? &a->seeds : key == 'c' ? &a->clocks : NULL;
    if (number && !totem_number(text, UINT64_MAX, number))
        argp_error(state, "'%s' is no number; " TOTEM_NUMBER_TEXT, text);
    if (number)
        return 0;
    switch (key) {
    case 'd': a->folder = text; return 0;
    case 'o': a->cover = text; return 0;
    case 'q': a->quiet = true; return 0;
    case 'a': a->all = true; return 0;
    case 't': a->tally = true; return 0;
    case 'e':
        if (strcmp(text, "both") == 0)
            a->engine = SESSION_BOTH;
        else if (strcmp(text, "model") == 0)
            a->engine = SESSION_MODEL;
        else
            argp_error(state, "--engine=%s: take both or model", text);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

typedef struct {
    const arguments *a;
    uint64_t         seed;
    agent           *agent;
    rings           *rings;
    tally           *tally;
} same_run;

static session *start(void *run, const char *trace, uint64_t from)
{
    same_run       *r = run;
    session_options so;
    agent_options   ao;
    agent_draw(r->seed, r->a->clocks, &so, &ao);
    ao.tally               = r->tally;
    so.engine              = r->a->engine;
    so.trace               = trace;
    so.trace_from          = from;
    so.cover               = r->a->cover;
    session            *s  = session_create(&so);
    const rings_options ro = {.seed     = r->seed,
                              .clocks   = ao.clocks,
                              .patience = ao.kills ? ao.patience : 0,
                              .failures = ao.failures,
                              .tally    = r->tally};
    r->agent               = s ? agent_create(s, &ao) : NULL;
    r->rings               = s ? rings_create(s, &ro) : NULL;
    if (r->agent)
        return s;
    rings_destroy(r->rings);
    session_destroy(s);
    return NULL;
}

static session_verdict step(void *run, session *s)
{
    const same_run       *r       = run;
    const bool            good    = agent_step(r->agent) && (!r->rings || rings_step(r->rings));
    const session_verdict verdict = session_step(s);
    return verdict == SESSION_GOOD && !good ? SESSION_BROKEN : verdict;
}

static void end(void *run, session *s)
{
    const same_run *r = run;
    agent_destroy(r->agent);
    rings_destroy(r->rings);
    session_destroy(s);
}

static bool run(const arguments *a, uint64_t seed, tally *counts, uint64_t *clocks, uint64_t *waves)
{
    same_run r = {.a = a, .seed = seed, .tally = counts};
    session *s = start(&r, NULL, 0);
    if (!s) {
        fprintf(stderr, "seed %" PRIu64 ": the machine cannot be created (memory, or a RAM that is not found)\n", seed);
        exit(3);
    }
    // What is given must end: while work is left, waves are launched within so many clocks, and there is an end to
    // them.
    const uint64_t  silence = a->clocks * 4 + 400000, last = 20 * silence;
    uint64_t        limit = silence, launched = 0, quiet = 0;
    session_verdict verdict = SESSION_GOOD;
    while (verdict == SESSION_GOOD && quiet < SETTLE && session_clock(s) < limit) {
        verdict = step(&r, s);
        quiet   = agent_done(r.agent) && (!r.rings || rings_done(r.rings)) && session_idle(s) ? quiet + 1 : 0;
        if (session_clock(s) == limit && limit < last && session_count(s).launches > launched) {
            launched = session_count(s).launches;
            limit += silence;
        }
    }
    if (verdict == SESSION_GOOD)
        verdict = session_end(s);
    const session_counts c   = session_count(s);
    const char          *why = "";
    if (verdict != SESSION_GOOD)
        why = session_report(s)[0]                   ? session_report(s)
              : r.rings && rings_message(r.rings)[0] ? rings_message(r.rings)
                                                     : agent_message(r.agent);
    else if (quiet < SETTLE) {
        agent_stuck(r.agent);
        why =
            r.rings && !rings_done(r.rings) ? "a ring has not executed all that it was given" : agent_message(r.agent);
    } else if (!agent_check(r.agent))
        why = agent_message(r.agent);
    else if (r.rings && !rings_check(r.rings))
        why = rings_message(r.rings);
    const bool passed = why[0] == 0;
    if (!passed || !a->quiet)
        printf("seed %6" PRIu64 "  %9" PRIu64 " clocks  %8" PRIu64 " waves  %7" PRIu64 " packets  %6" PRIu64
               " switches  %5" PRIu64 " errors  %s%s\n",
               seed, session_clock(s), c.launches, c.packets, c.switches, c.errors, passed ? "good" : "FAILED: ", why);
    fflush(stdout);
    if (!passed && a->folder) {
        char name[40];
        char words[9000];
        snprintf(name, sizeof name, "mismatch-%" PRIu64, seed);
        snprintf(words, sizeof words, "seed %" PRIu64 " --clocks %" PRIu64 "\n%s", seed, a->clocks, why);
        same_run           same  = {.a = a, .seed = seed};
        const bundle_again again = {&same, start, step, end};
        bundle_write(&again, s, verdict, words, a->folder, name);
    }
    *clocks += session_clock(s);
    *waves += c.launches;
    agent_destroy(r.agent);
    rings_destroy(r.rings);
    if (!session_destroy(s))
        exit(3);
    return passed;
}

int main(int argc, char **argv)
{
    const struct argp argp = {
        .options = options,
        .parser  = parse,
        .doc     = "Lockstep of model and RTL on random work. Exit codes: 0 good, 1 a seed failed, 2 usage."};
    arguments a = {.from = 1, .seeds = 10, .clocks = 20000, .engine = SESSION_BOTH};
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return 2;
    uint64_t clocks = 0, waves = 0, failed = 0;
    tally   *counts = a.tally ? tally_create() : NULL;
    for (uint64_t n = 0; n < a.seeds && (a.all || !failed); n++)
        failed += !run(&a, a.from + n, counts, &clocks, &waves);
    printf("%" PRIu64 " clocks, %" PRIu64 " waves, %d words of outputs compared a clock, RAMs every %d, %" PRIu64
           " seeds failed\n",
           clocks, waves, a.engine == SESSION_BOTH ? PROBE_WORDS : 0, RAM_CLOCKS, failed);
    if (counts)
        tally_print(counts);
    tally_destroy(counts);
    return failed != 0;
}

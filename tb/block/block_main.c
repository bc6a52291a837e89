// SPDX-License-Identifier: Apache-2.0
//
// The program of `make block`: one block, random inputs or a file of them. BLOCK_KIND is the block.

#include "block.h"
#include "draw.h"
#include "stimuli.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef BLOCK_KIND // given by the build; lint reads this file without
#define BLOCK_KIND tally_block
#endif

extern const block_kind BLOCK_KIND;

static const char help[] =
    "block: C twin and RTL of one block, every output compared in every clock\n"
    "  --seed N       the first seed (1)\n"
    "  --seeds N      how many (4)\n"
    "  --cycles N     clocks of each (1000000)\n"
    "  --jobs N       seeds at a time (2)\n"
    "  --stimuli FILE inputs from a file instead: names of inputs, then lines `clocks value value ...`\n"
    "  --dump FILE    every clock as CSV: clock, rst, inputs, outputs of the C twin (with one seed)\n"
    "  --folder F     of the words and waves of a mismatch\n"
    "  --ports        inputs and outputs, and how inputs are drawn\n";

enum { JOBS_MOST = 16, PROGRESS_EVERY = 4096 };

// Counted by each job, shown by the first process.
typedef struct {
    uint64_t clocks, mismatches;
} count;

typedef struct {
    uint64_t    seed, seeds, cycles;
    uint32_t    jobs;
    const char *stimuli, *dump, *folder;
    FILE       *dump_to; // one seed, or the file, writes into it
    count      *counts;
} options;

// One run: a seed, or the file.
typedef struct {
    const options *options;
    uint64_t       seed;
    count         *count;
    uint64_t       clocks;
    FILE          *dump;
    bool           bad;
} one;

static bool step(one *run, block *b, bool reset)
{
    if (run->dump)
        block_dump_row(b, reset, run->dump);
    run->clocks++;
    return block_step(b, reset);
}

static bool run_seed(block_bench *bench, void *given)
{
    one        *run = given;
    static draw d;
    draw_begin(&d, run->seed);
    block *b    = block_open(bench, &BLOCK_KIND);
    bool   good = true;
    run->clocks = 0;
    if (bench->waves) // every clock has been written
        run->dump = NULL;
    if (run->dump)
        block_dump_head(b, run->dump);
    const uint64_t before = run->count->clocks;
    while (good && run->clocks < run->options->cycles) {
        const bool reset = draw_inputs(&d, &BLOCK_KIND, block_in(b));
        good             = step(run, b, reset);
        if (run->clocks % PROGRESS_EVERY == 0 && !bench->waves)
            run->count->clocks = before + run->clocks;
    }
    if (!bench->waves)
        run->count->clocks = before + run->clocks;
    block_close(b);
    return good;
}

static bool run_file(block_bench *bench, void *given)
{
    one           *run = given;
    static stimuli s;
    if (!stimuli_open(&s, run->options->stimuli, &BLOCK_KIND)) {
        run->bad = true;
        stimuli_close(&s);
        return true;
    }
    block   *b    = block_open(bench, &BLOCK_KIND);
    bool     good = true;
    uint64_t clocks;
    run->clocks = 0;
    if (bench->waves) // every clock has been written
        run->dump = NULL;
    if (run->dump)
        block_dump_head(b, run->dump);
    while (good && (clocks = stimuli_next(&s, block_in(b))) > 0)
        for (uint64_t n = 0; good && n < clocks; n++)
            good = step(run, b, s.reset);
    run->bad = s.bad;
    if (!bench->waves)
        run->count->clocks = run->clocks;
    block_close(b);
    stimuli_close(&s);
    return good;
}

static bool one_run(const options *o, uint64_t seed, count *counted)
{
    char        name[40] = "mismatch", again[200];
    block_bench bench    = {.folder = o->folder, .name = name, .again = again};
    one         run      = {.options = o, .seed = seed, .count = counted};
    if (o->stimuli) {
        snprintf(again, sizeof again, "--stimuli %s", o->stimuli);
    } else {
        snprintf(name, sizeof name, "mismatch-%" PRIu64, seed);
        snprintf(again, sizeof again, "--seed %" PRIu64 " --seeds 1 --cycles %" PRIu64, seed, o->cycles);
    }
    run.dump        = o->dump_to;
    const bool good = block_run(&bench, o->stimuli ? run_file : run_seed, &run);
    if (o->dump_to)
        fflush(o->dump_to);
    if (run.bad)
        exit(2);
    counted->mismatches += !good;
    return good;
}

// Seeds job, job + jobs, ..; a job ends at its first mismatch.
static void job(const options *o, uint32_t place)
{
    for (uint64_t n = place; n < o->seeds; n += o->jobs)
        if (!one_run(o, o->seed + n, &o->counts[place]))
            return;
}

static void progress(const options *o)
{
    uint64_t clocks = 0;
    for (uint32_t n = 0; n < o->jobs; n++)
        clocks += o->counts[n].clocks;
    fprintf(stderr, "\rblock %s %s: %" PRIu64 " of %" PRIu64 " thousand clocks ", BLOCK_KIND.name, BLOCK_KIND.config,
            clocks / 1000, o->seeds * o->cycles / 1000);
}

static void jobs(const options *o)
{
    pid_t children[JOBS_MOST];
    for (uint32_t n = 0; n < o->jobs; n++) {
        children[n] = fork();
        if (children[n] == 0) {
            job(o, n);
            exit(0);
        }
    }
    bool shown = false;
    for (uint32_t n = 0, ticks = 0; n < o->jobs;) {
        int         status;
        const pid_t ended = waitpid(children[n], &status, WNOHANG);
        if (ended != 0) {
            if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) {
                fprintf(stderr, "block %s: a job ended badly\n", BLOCK_KIND.name);
                exit(2);
            }
            n++;
            continue;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        if (++ticks >= 100 && ticks % 25 == 0 && isatty(2)) {
            progress(o);
            shown = true;
        } else if (ticks % 500 == 0 && !isatty(2)) {
            progress(o);
            fputc('\n', stderr);
        }
    }
    if (shown)
        fprintf(stderr, "\r%90s\r", "");
}

static const char *draw_name(block_draw draw)
{
    switch (draw) {
    case DRAW_KEPT: return "kept by the bench";
    case DRAW_ANY: return "any";
    case DRAW_ONE_IN: return "one_in";
    case DRAW_NOT_IN: return "not_in";
    case DRAW_FEW: return "few";
    case DRAW_LOW: return "low";
    case DRAW_CONSTANT: return "constant";
    default: return "";
    }
}

static void list(void)
{
    for (uint32_t p = 0; p < BLOCK_KIND.ports_count; p++) {
        const block_port *port = &BLOCK_KIND.ports[p];
        printf("%-3s %-30s %4u x %2u", p < BLOCK_KIND.inputs ? "in" : "out", port->name,
               port->elements ? port->elements : 1, port->width);
        if (port->draw == DRAW_NONE)
            printf("%s%s\n", *port->mask ? "  counts with " : "", port->mask);
        else if (port->draw == DRAW_ANY || port->draw == DRAW_KEPT)
            printf("  %s\n", draw_name(port->draw));
        else
            printf("  %s %" PRIu64 "%s\n", draw_name(port->draw), port->number, port->listed ? "" : " (default)");
    }
}

static uint64_t number(const char *text, uint64_t least)
{
    char *end;
    errno                = 0;
    const uint64_t value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno || value < least) {
        fprintf(stderr, "'%s': expected a number from %" PRIu64 " to %" PRIu64 "\n", text, least, UINT64_MAX);
        exit(2);
    }
    return value;
}

int main(int count_of, char **words)
{
    static const struct option known[] = {
        {"seed", 1, NULL, 's'},    {"seeds", 1, NULL, 'n'},
        {"cycles", 1, NULL, 'c'},  {"jobs", 1, NULL, 'j'},
        {"stimuli", 1, NULL, 'f'}, {"dump", 1, NULL, 'd'},
        {"folder", 1, NULL, 'o'},  {"ports", 0, NULL, 'p'},
        {"help", 0, NULL, 'h'},    {0},
    };
    options  o      = {.seed = 1, .seeds = 4, .cycles = 1000000};
    uint64_t wanted = 2;
    for (int c; (c = getopt_long(count_of, words, "", known, NULL)) != -1;) {
        switch (c) {
        case 's': o.seed = number(optarg, 0); break;
        case 'n': o.seeds = number(optarg, 1); break;
        case 'c': o.cycles = number(optarg, 1); break;
        case 'j': wanted = number(optarg, 1); break;
        case 'f': o.stimuli = optarg; break;
        case 'd': o.dump = optarg; break;
        case 'o': o.folder = optarg; break;
        case 'p': list(); return 0;
        case 'h': fputs(help, stdout); return 0;
        default: fputs(help, stderr); return 2;
        }
    }
    if (o.stimuli || o.dump)
        o.seeds = 1;
    wanted = wanted > o.seeds ? o.seeds : wanted;
    o.jobs = wanted > JOBS_MOST ? JOBS_MOST : (uint32_t)wanted;
    if (o.dump && !(o.dump_to = fopen(o.dump, "w"))) {
        fprintf(stderr, "%s cannot be written; name a file in an existing folder\n", o.dump);
        return 2;
    }
    o.counts = mmap(NULL, sizeof(count) * JOBS_MOST, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (o.counts == MAP_FAILED) {
        fprintf(stderr, "no memory for the counts\n");
        return 2;
    }
    if (o.stimuli)
        one_run(&o, o.seed, &o.counts[0]);
    else
        jobs(&o);
    count sum = {0};
    for (uint32_t n = 0; n < o.jobs; n++) {
        sum.clocks += o.counts[n].clocks;
        sum.mismatches += o.counts[n].mismatches;
    }
    uint64_t outputs = 0;
    for (uint32_t p = BLOCK_KIND.inputs; p < BLOCK_KIND.ports_count; p++)
        outputs += BLOCK_KIND.ports[p].elements ? BLOCK_KIND.ports[p].elements : 1;
    if (o.stimuli)
        printf("block %s %s: %" PRIu64 " clocks of %s, %" PRIu64 " outputs compared, %" PRIu64 " mismatches\n",
               BLOCK_KIND.name, BLOCK_KIND.config, sum.clocks, o.stimuli, sum.clocks * outputs, sum.mismatches);
    else
        printf("block %s %s: %" PRIu64 " clocks, %" PRIu64 " seeds, %" PRIu64 " mismatches\n", BLOCK_KIND.name,
               BLOCK_KIND.config, sum.clocks, o.seeds, sum.mismatches);
    return sum.mismatches ? 1 : 0;
}

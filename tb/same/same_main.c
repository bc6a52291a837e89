// SPDX-License-Identifier: Apache-2.0
//
// same: are the pins of the present machine those of an older revision, clock by clock?
//
//   same [--base NAME] [--from SEED] [--seeds N] [--clocks N] [--work N]
//
// The present machine is the C model, which lockstep and proofs hold equal to the present RTL; the random work of
// random_main.c drives it. The older machine is Verilated (base.h) and gets the same inputs in every clock. All output
// pins are compared in every clock, payload too while nothing is valid. In every fourth seed both are reset amid the
// work, as a copy of the session's machine: the session goes on without them and what it drives is any input to them.
// The first difference ends the run. A seed whose random work finds fault with the present model ends there, and is
// named; that is random_main.c's to judge. Exit codes: 0 equal, 1 a difference, or most seeds ended early, 2 usage.

#include "agent.h"
#include "base.h"
#include "packer.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    const char *name, *mask;
    uint32_t    at, width, elements;
} same_pin;

#include "same_pins.h"

enum { SETTLE = 64, RESET_CLOCKS = 4, RESET_SEEDS = 4 };

typedef struct {
    uint64_t    from, seeds, clocks, work;
    const char *base;
} arguments;

static const struct argp_option options[] = {
    {"base", 'b', "NAME", 0, "What the older machine is called in words", 0},
    {"from", 'f', "SEED", 0, "First seed (default 1)", 0},
    {"seeds", 'n', "N", 0, "At most so many seeds (default: as many as the clocks take)", 0},
    {"clocks", 'c', "N", 0, "Clocks in all, over the seeds (default 1000000)", 0},
    {"work", 'w', "N", 0, "Clocks of a seed in which new work is given (default 20000)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    uint64_t  *number;
    char      *end;
    switch (key) {
    case 'b': a->base = text; return 0;
    case 'f': number = &a->from; break;
    case 'n': number = &a->seeds; break;
    case 'c': number = &a->clocks; break;
    case 'w': number = &a->work; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    *number = strtoull(text, &end, 10);
    if (*end || *number == 0 || text[0] == '-')
        argp_error(state, "'%s': take a number of at least 1", text);
    return 0;
}

typedef struct {
    const arguments   *a;
    uint64_t           seed, clocks, waves, packets; // sums of all seeds
    uint64_t           early;                        // seeds that ended before their work did
    int64_t            clock;                        // of the seed; below 0 in its first reset
    int64_t            reset_at;                     // -1: not in this seed
    base              *base;
    totem_machine     *machine; // that is compared in place of the session's; what it shows
    totem_machine_out  out;
    totem_machine_seen seen;
    struct timespec    began;
    double             said; // when progress was printed last
} comparison;

static double seconds(const comparison *c)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - c->began.tv_sec) + (double)(now.tv_nsec - c->began.tv_nsec) * 1e-9;
}

static void progress(comparison *c)
{
    const double now = seconds(c);
    if (now < 2 || now < c->said + 1)
        return;
    c->said = now;
    fprintf(stderr, "\rseed %" PRIu64 ", %" PRIu64 " of %" PRIu64 " clocks, %.1f k clocks/s ", c->seed, c->clocks,
            c->a->clocks, (double)c->clocks / now / 1000);
}

static uint64_t value_at(const uint32_t *words, uint32_t at, uint32_t width)
{
    uint64_t value = 0;
    for (uint32_t n = 0; n < width; n++)
        value |= (uint64_t)(words[(at + n) / 32] >> (at + n) % 32 & 1) << n;
    return value;
}

static const same_pin *find_pin(const char *name)
{
    for (size_t n = 0; n < sizeof same_pins / sizeof *same_pins; n++)
        if (strcmp(same_pins[n].name, name) == 0)
            return &same_pins[n];
    return NULL;
}

static void explain(const comparison *c, const uint32_t *present, const uint32_t *older)
{
    printf("%sDifference at seed %" PRIu64 " clock %" PRId64, c->said > 0 ? "\n" : "", c->seed, c->clock);
    if (c->reset_at >= 0 && c->clock > c->reset_at)
        printf(" (reset at clock %" PRId64 ")", c->reset_at);
    printf("\n");
    for (size_t n = 0; n < sizeof same_pins / sizeof *same_pins; n++)
        for (uint32_t e = 0; e < same_pins[n].elements; e++) {
            const same_pin *p   = &same_pins[n];
            const same_pin *m   = find_pin(p->mask);
            const uint32_t  at  = p->at + e * p->width;
            const uint64_t  now = value_at(present, at, p->width), was = value_at(older, at, p->width);
            if (now == was)
                continue;
            char name[40];
            snprintf(name, sizeof name, p->elements > 1 ? "%s[%u]" : "%s", p->name, e);
            printf("  %-18s %s 0x%" PRIx64 ", present 0x%" PRIx64, name, c->a->base, was, now);
            if (m && !value_at(present, m->at + e, 1) && !value_at(older, m->at + e, 1))
                printf(" (%s is 0: nobody looks at it)", m->name);
            printf("\n");
        }
}

static bool same(const comparison *c, const totem_machine_out *out)
{
    uint32_t        present[SAME_WORDS] = {0};
    const uint32_t *older               = base_pins(c->base);
    same_pack(out, present);
    if (memcmp(present, older, sizeof present) == 0)
        return true;
    explain(c, present, older);
    return false;
}

static void step_base(const comparison *c, bool reset, const totem_machine_in *in)
{
    uint32_t words[SAME_INPUT_WORDS] = {0};
    packer   k                       = {words, 0, 0};
    put(&k, reset, 1);
#include "replay_inputs.h"
    finish(&k);
    base_step(c->base, words);
}

// Its outputs, whatever has become of it.
static void show(comparison *c)
{
    memset(&c->seen, 0, sizeof c->seen);
    totem_machine_outputs(c->machine, &c->out, &c->seen);
}

static void step_machine(comparison *c, bool reset, const totem_machine_in *in)
{
    totem_machine_step(c->machine, &c->out, in, &c->seen);
    if (reset)
        totem_machine_reset(c->machine);
    show(c);
}

// The session has applied its reset already: here it is applied to a machine of our own.
static bool first_reset(comparison *c)
{
    const totem_machine_in nothing = {0};
    memset(c->machine, 0, sizeof *c->machine);
    show(c);
    for (c->clock = -RESET_CLOCKS; c->clock < 0; c->clock++) {
        if (!same(c, &c->out))
            return false;
        step_base(c, true, &nothing);
        step_machine(c, true, &nothing);
    }
    return true;
}

typedef enum { EQUAL, DIFFERENT, EARLY } verdict;

static verdict end_early(comparison *c, const char *why)
{
    printf("%sSeed %" PRIu64 " ends at clock %" PRId64
           ", equal so far: the random work says of the present model\n  %s\n",
           c->said > 0 ? "\n" : "", c->seed, c->clock, why);
    c->early++;
    return EARLY;
}

static verdict one_clock(comparison *c, session *s, agent *g)
{
    const bool alone = c->reset_at >= 0 && c->clock >= c->reset_at;
    const bool reset = alone && c->clock < c->reset_at + RESET_CLOCKS;
    if (alone && c->clock == c->reset_at) {
        *c->machine = *session_model(s);
        show(c);
    }
    if (!same(c, alone ? &c->out : session_out(s)))
        return DIFFERENT;
    const bool good = agent_step(g);
    if (session_step(s) != SESSION_GOOD || !good)
        return end_early(c, session_report(s)[0] ? session_report(s) : agent_message(g));
    step_base(c, reset, session_inputs(s));
    if (alone)
        step_machine(c, reset, session_inputs(s));
    c->clock++;
    if (++c->clocks % 256 == 0)
        progress(c);
    return EQUAL;
}

static bool one_seed(comparison *c)
{
    session_options so;
    agent_options   ao;
    agent_draw(c->seed, c->a->work, &so, &ao);
    so.engine  = SESSION_MODEL;
    session *s = session_create(&so);
    agent   *g = s ? agent_create(s, &ao) : NULL;
    if (!g) {
        fprintf(stderr, "same: out of memory\n");
        exit(3);
    }
    const uint64_t last  = 20 * (c->a->work * 4 + 400000); // as random_main.c
    uint64_t       quiet = 0;
    c->base              = base_create();
    c->reset_at          = -1;
    verdict now          = first_reset(c) ? EQUAL : DIFFERENT;
    if (c->seed % RESET_SEEDS == 0)
        c->reset_at = (int64_t)(c->seed * 0x9e3779b97f4a7c15u % c->a->work);
    while (now == EQUAL && quiet < SETTLE && c->clocks < c->a->clocks) {
        now   = one_clock(c, s, g);
        quiet = agent_done(g) && session_idle(s) ? quiet + 1 : 0;
        if (now == EQUAL && (uint64_t)c->clock == last)
            now = end_early(c, "it does not come to its end");
    }
    const session_counts counts = session_count(s);
    c->waves += counts.launches;
    c->packets += counts.packets;
    base_destroy(c->base);
    agent_destroy(g);
    session_destroy(s);
    return now != DIFFERENT;
}

int main(int argc, char **argv)
{
    const struct argp argp = {.options = options,
                              .parser  = parse,
                              .doc     = "Compares the pins of the present model with those of an older RTL on random "
                                         "work. Exit codes: 0 equal, 1 a difference or most seeds ended early, "
                                         "2 usage."};
    arguments         a    = {.from = 1, .seeds = UINT64_MAX, .clocks = 1000000, .work = 20000, .base = "older"};
    comparison        c    = {.a = &a};
    uint64_t          done = 0;
    bool              good = true;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return 2;
    c.machine = calloc(1, sizeof *c.machine);
    if (!c.machine)
        return 3;
    clock_gettime(CLOCK_MONOTONIC, &c.began);
    for (; good && done < a.seeds && c.clocks < a.clocks && c.early < 8 + done / 2; done++) {
        c.seed = a.from + done;
        good   = one_seed(&c);
    }
    free(c.machine);
    if (good)
        printf("%s%s: %d bits of pins equal to those of %s in %" PRIu64 " clocks, %" PRIu64 " seeds, %" PRIu64
               " packets, %" PRIu64 " waves, %.1f k clocks/s\n",
               c.said > 0 ? "\n" : "", TOTEM_CONFIG_NAME, SAME_BITS, a.base, c.clocks, done, c.packets, c.waves,
               (double)c.clocks / seconds(&c) / 1000);
    if (c.early)
        printf("%" PRIu64 " seeds ended early\n", c.early);
    return !good || 2 * c.early > done;
}

// SPDX-License-Identifier: Apache-2.0
//
// record: random work on the model, written down clock by clock for a second simulator (totem_replay.v).
//
//   record [--seed SEED] [--clocks N] FILE              inputs of every clock, and a digest over all outputs of blocks
//   record [--seed SEED] [--clocks N] --explain DUMP    names what differs in a dump of totem_replay
//
// The first line of FILE is `totem-record <configuration hash> <bits of inputs> <clocks>`; every further line is one
// clock: inputs, digest, both hexadecimal. Random work and seed are those of tb/lockstep/session/random_main.c.

#include "agent.h"
#include "packer.h"
#include "probe.h"
#include "rtl.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESET_CLOCKS = 4, INPUT_WORDS = 64 };

typedef struct {
    uint64_t    seed, clocks;
    const char *file, *explain;
} arguments;

static const struct argp_option options[] = {
    {"seed", 's', "SEED", 0, "Seed of memory, host and work (default 1)", 0},
    {"clocks", 'c', "N", 0, "Clocks, reset included (default 2000)", 0},
    {"explain", 'e', "DUMP", 0, "Compare with the words that totem_replay wrote at a difference", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 's': a->seed = strtoull(text, NULL, 0); return 0;
    case 'c': a->clocks = strtoull(text, NULL, 0); return 0;
    case 'e': a->explain = text; return 0;
    case ARGP_KEY_ARG:
        if (a->file)
            return ARGP_ERR_UNKNOWN;
        a->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!a->file == !a->explain)
            argp_error(state, "give a FILE to write or --explain=DUMP");
        if (a->clocks <= RESET_CLOCKS)
            argp_error(state, "--clocks: at least %d", RESET_CLOCKS + 1);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static uint32_t digest(const uint32_t *words)
{
    uint32_t value = 0;
    for (int n = 0; n < PROBE_WORDS; n++) {
        value ^= words[n];
        value = (value << 5 | value >> 27) * 0x9e3779b1u;
    }
    return value;
}

static void pack_outputs(const totem_machine_out *out, uint32_t words[PROBE_WORDS])
{
    memset(words, 0, PROBE_WORDS * sizeof *words);
    for (int n = 0; n < PROBE_COUNT; n++)
        probe_pack[n]((const char *)out + probe_table[n].offset, words + probe_table[n].first);
}

static void write_clock(FILE *file, bool reset, const totem_machine_in *in, uint32_t value)
{
    uint32_t words[INPUT_WORDS] = {0};
    packer   k                  = {words, 0, 0};
    put(&k, reset, 1);
#include "replay_inputs.h"
    _Static_assert(REPLAY_INPUT_BITS <= 32 * INPUT_WORDS, "room for the inputs");
    finish(&k);
    for (int n = (REPLAY_INPUT_BITS + 31) / 32 - 1; n >= 0; n--)
        fprintf(file, "%08x", words[n]);
    fprintf(file, " %08x\n", value);
}

// A field of binary digits as hexadecimal where they are known, else as they are.
static void print_field(const char *bits)
{
    const size_t width = strlen(bits);
    if (strspn(bits, "01") == width) {
        uint64_t value = 0;
        for (size_t n = 0; n < width; n++)
            value = value << 1 | (bits[n] == '1');
        printf("0x%" PRIx64, value);
    } else {
        printf("%s", bits);
    }
}

// The digits of a field, most significant first. The digit of bit b of word w stands at text[w][31 - b].
static void field_digits(char (*text)[40], const probe_field *f, uint32_t element, char digits[65])
{
    for (uint32_t n = 0; n < f->width; n++) {
        const uint32_t bit       = f->bit + element * f->width + n;
        digits[f->width - 1 - n] = text[bit / 32][31 - bit % 32];
    }
    digits[f->width] = 0;
}

static int explain(const uint32_t *model, char (*seen)[40], uint64_t clock)
{
    static char expected[PROBE_WORDS][40];
    int         differences = 0;
    for (int w = 0; w < PROBE_WORDS; w++)
        for (int b = 0; b < 32; b++)
            expected[w][31 - b] = (char)('0' + (model[w] >> b & 1));
    for (int n = 0; n < PROBE_COUNT; n++) {
        const probe_instance *p     = &probe_table[n];
        bool                  named = false;
        for (uint32_t f = 0; f < p->fields_count; f++)
            for (uint32_t e = 0; e < (p->fields[f].elements ? p->fields[f].elements : 1); e++) {
                char a[65], b[65];
                field_digits(expected + p->first, &p->fields[f], e, a);
                field_digits(seen + p->first, &p->fields[f], e, b);
                if (strcmp(a, b) == 0)
                    continue;
                if (!named)
                    printf("clock %" PRIu64 " probe %d block %s\n  RTL   %s\n  model totem_machine_out.%s\n", clock, n,
                           p->block, p->rtl, p->model);
                named = true;
                printf("  %s", p->fields[f].name);
                if (p->fields[f].elements)
                    printf("[%u]", e);
                printf("  model ");
                print_field(a);
                printf("  Icarus ");
                print_field(b);
                printf("\n");
                differences++;
            }
    }
    if (!differences)
        printf("clock %" PRIu64 ": the dump agrees with the model\n", clock);
    return differences ? 1 : 0;
}

static bool read_dump(const char *path, uint64_t *clock, char (*words)[40])
{
    FILE *file = fopen(path, "r");
    char  number[40];
    bool  good = file && fscanf(file, "%39s", number) == 1;
    *clock     = good ? strtoull(number, NULL, 10) : 0;
    for (int n = 0; good && n < PROBE_WORDS; n++)
        good = fscanf(file, "%39s", words[n]) == 1 && strlen(words[n]) == 32;
    if (file)
        fclose(file);
    return good;
}

int main(int argc, char **argv)
{
    const struct argp argp = {.options  = options,
                              .parser   = parse,
                              .args_doc = "[FILE]",
                              .doc      = "Records a run of the model for a second simulator. Exit codes: 0 good, 1 a "
                                          "difference, 2 usage, 3 a file or memory."};
    arguments         a    = {.seed = 1, .clocks = 2000};
    static char       dump[PROBE_WORDS][40];
    uint64_t          stop = 0;
    if (argp_parse(&argp, argc, argv, 0, NULL, &a))
        return 2;
    if (a.explain && !read_dump(a.explain, &stop, dump)) {
        fprintf(stderr, "record: %s is no dump of totem_replay in this configuration\n", a.explain);
        return 3;
    }
    session_options so;
    agent_options   ao;
    agent_draw(a.seed, a.clocks, &so, &ao);
    so.engine     = SESSION_MODEL;
    session *s    = session_create(&so);
    agent   *g    = s ? agent_create(s, &ao) : NULL;
    FILE    *file = a.file ? fopen(a.file, "w") : NULL;
    if (!g || (a.file && !file)) {
        fprintf(stderr, "record: %s\n", g ? "cannot write the file" : "out of memory");
        return 3;
    }

    static uint32_t words[PROBE_WORDS];
    if (file) {
        const totem_machine_in nothing = {0};
        fprintf(file, "totem-record %08x %d %" PRIu64 "\n", TOTEM_CONFIG_HASH, REPLAY_INPUT_BITS, a.clocks);
        // What the blocks show while the session applies the reset is not compared.
        for (int n = 0; n < RESET_CLOCKS; n++)
            write_clock(file, true, &nothing, 0);
    }
    for (uint64_t clock = RESET_CLOCKS; clock < a.clocks; clock++) {
        pack_outputs(session_out(s), words);
        if (a.explain && clock == stop)
            return explain(words, dump, clock);
        if (!agent_step(g) || session_step(s) != SESSION_GOOD) {
            fprintf(stderr, "record: %s%s\n", agent_message(g), session_report(s));
            return 1;
        }
        if (file)
            write_clock(file, false, session_inputs(s), digest(words));
    }
    if (a.explain) {
        fprintf(stderr, "record: the dump is of clock %" PRIu64 ", the run has %" PRIu64 "\n", stop, a.clocks);
        return 3;
    }
    const bool           written = fclose(file) == 0;
    const session_counts c       = session_count(s);
    printf("seed %" PRIu64 ": %" PRIu64 " clocks, %" PRIu64 " packets, %" PRIu64 " switches, %" PRIu64
           " dispatches, %" PRIu64 " waves, %d words a clock\n",
           a.seed, a.clocks, c.packets, c.switches, c.dispatches, c.launches, PROBE_WORDS);
    agent_destroy(g);
    session_destroy(s);
    if (!written)
        fprintf(stderr, "record: cannot write %s\n", a.file);
    return written ? 0 : 3;
}

// SPDX-License-Identifier: Apache-2.0
//
// cause: see cause.h.

#include "cause.h"

#include "probe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 12, READ_SHOWN = 3 };
#define NEVER UINT64_MAX

struct cause {
    uint64_t  first[PROBE_COUNT];                      // clock in which registers, words or outputs differ first
    uint64_t  shown[PROBE_COUNT];                      // its outputs
    uint64_t *fields[PROBE_COUNT];                     // each output
    char     *words[PROBE_COUNT], *waves[PROBE_COUNT]; // of that clock
    uint64_t  first_clock;                             // of all
};

static difference_signal signal_of(const probe_field *f)
{
    return (difference_signal){f->name, f->name, f->width, f->elements, f->values};
}

static void output_sides(const cause_sides *s, int probe, uint32_t field, difference_side *model, difference_side *rtl)
{
    const probe_instance *p = &probe_table[probe];
    const probe_field    *f = &p->fields[field];
    *model = (difference_side){(const char *)s->kinds[f->kind] + probe_bytes[f->kind] * (p->at[f->kind] + f->index), 0,
                               f->width};
    *rtl   = (difference_side){s->calls->output(s->rtl, probe, field), 0, f->width};
}

static void state_sides(const cause_sides *s, int probe, uint32_t state, difference_side *model, difference_side *rtl)
{
    const probe_instance *p = &probe_table[probe];
    const probe_state    *q = &p->states[state];
    *model                  = (difference_side){(const char *)s->model + p->state + q->offset, 0, 8 * q->size};
    *rtl                    = (difference_side){s->calls->state(s->rtl, probe, state), 0, q->signal.width};
}

static bool output_differs(const cause_sides *s, int probe, uint32_t field)
{
    difference_side         model, rtl;
    const difference_signal signal = signal_of(&probe_table[probe].fields[field]);
    output_sides(s, probe, field, &model, &rtl);
    return difference_any(&signal, model, rtl);
}

static bool combinational(int probe)
{
    return probe_table[probe].state == PROBE_ALWAYS;
}

// Fields of drivers that differ, as far as this block has seen them.
static void reads(FILE *file, int probe, bool (*differs)(const void *given, int probe, uint32_t field),
                  const void *given)
{
    const probe_instance *p     = &probe_table[probe];
    uint32_t              found = 0;
    for (uint32_t n = 0; n < p->drivers_count; n++) {
        const probe_edge *e = &p->drivers[n];
        if (!differs(given, e->probe, e->field))
            continue;
        if (found++ < READ_SHOWN)
            fprintf(file, "%s %s.%s", found == 1 ? ", reads" : ",", probe_table[e->probe].model,
                    probe_table[e->probe].fields[e->field].name);
    }
    if (found > READ_SHOWN)
        fprintf(file, " and %u more", found - READ_SHOWN);
}

// The next block to tell: registers before what only passes values, that behind what drives it. -1: none is left.
static int next(const bool *left)
{
    int best = -1;
    for (int n = 0; n < PROBE_COUNT; n++) {
        if (!left[n])
            continue;
        if (!combinational(n))
            return n;
        bool waits = false;
        for (uint32_t e = 0; e < probe_table[n].drivers_count; e++)
            waits = waits || left[probe_table[n].drivers[e].probe];
        if (!waits && best < 0)
            best = n;
    }
    return best;
}

static bool now(const void *given, int probe, uint32_t field)
{
    return output_differs(given, probe, field);
}

static void head(FILE *file, int probe, uint64_t clock)
{
    const probe_instance *p = &probe_table[probe];
    fprintf(file, "Mismatch at clock %" PRIu64 " in block %s\n  RTL   %s\n  model totem_machine_out.%s\n", clock,
            p->block, p->rtl, p->model);
}

int cause_outputs(FILE *file, const cause_sides *s, uint64_t clock)
{
    static bool left[PROBE_COUNT];
    int         first = -1, told = 0, count = 0;
    for (int n = 0; n < PROBE_COUNT; n++) {
        left[n] = false;
        for (uint32_t f = 0; f < probe_table[n].fields_count; f++)
            left[n] = left[n] || output_differs(s, n, f);
        count += left[n];
    }
    for (int n; (n = next(left)) >= 0; left[n] = false) {
        if (first < 0) {
            first = n;
            head(file, n, clock);
        } else if (told < LISTED) {
            fprintf(file, "%s %s (%s)", combinational(n) ? "then" : "and ", probe_table[n].block, probe_table[n].model);
            if (combinational(n))
                reads(file, n, now, s);
            fputc('\n', file);
        }
        if (told++ >= LISTED)
            continue;
        for (uint32_t f = 0; f < probe_table[n].fields_count; f++) {
            difference_side         model, rtl;
            const difference_signal signal = signal_of(&probe_table[n].fields[f]);
            output_sides(s, n, f, &model, &rtl);
            difference_words(file, "output", &signal, model, rtl);
        }
    }
    if (told > LISTED)
        fprintf(file, "and %d more blocks of %d\n", told - LISTED, count);
    return first;
}

cause *cause_create(void)
{
    cause *c = calloc(1, sizeof *c);
    if (c)
        c->first_clock = NEVER;
    for (int n = 0; c && n < PROBE_COUNT; n++) {
        c->first[n] = c->shown[n] = NEVER;
        c->fields[n]              = malloc((probe_table[n].fields_count + 1) * sizeof(uint64_t));
        for (uint32_t f = 0; c->fields[n] && f < probe_table[n].fields_count; f++)
            c->fields[n][f] = NEVER;
        if (!c->fields[n]) {
            cause_destroy(c);
            return NULL;
        }
    }
    return c;
}

void cause_destroy(cause *c)
{
    for (int n = 0; c && n < PROBE_COUNT; n++) {
        free(c->fields[n]);
        free(c->words[n]);
        free(c->waves[n]);
    }
    free(c);
}

// Scopes of a block in the trace.
static void scopes(int probe, char model[400], char rtl[400])
{
    static const char dut[] = "totem_tb.dut.";
    snprintf(model, 400, "TOP.model.%s", probe_table[probe].rtl + sizeof dut - 1);
    snprintf(rtl, 400, "TOP.%s", probe_table[probe].rtl);
}

typedef struct {
    FILE  *words, *waves;
    char  *text[2];
    size_t size[2];
} told;

static void open_told(told *t)
{
    if (t->words)
        return;
    t->words = open_memstream(&t->text[0], &t->size[0]);
    t->waves = open_memstream(&t->text[1], &t->size[1]);
}

// Registers have differed before.
static void later(told *t, uint64_t clock)
{
    open_told(t);
    fprintf(t->words, "  in clock %" PRIu64 "\n", clock);
}

static void tell(told *t, int probe, const char *kind, const difference_signal *signal, difference_side model,
                 difference_side rtl)
{
    char scope[2][400];
    open_told(t);
    scopes(probe, scope[0], scope[1]);
    difference_words(t->words, kind, signal, model, rtl);
    difference_waves(t->waves, signal, model, rtl, scope[0], scope[1]);
}

static void add(char **to, char *more)
{
    char *both = NULL;
    if (asprintf(&both, "%s%s", *to ? *to : "", more ? more : "") >= 0) {
        free(*to);
        *to = both;
    }
    free(more);
}

// A register with the name of an output is that output.
static bool told_as_state(const probe_instance *p, const cause_sides *s, int probe, const char *name)
{
    for (uint32_t q = 0; p->states[q].signal.name; q++) {
        difference_side model, rtl;
        if (strcmp(p->states[q].signal.name, name) != 0)
            continue;
        state_sides(s, probe, q, &model, &rtl);
        return difference_any(&p->states[q].signal, model, rtl);
    }
    return false;
}

static void keep(cause *c, told *t, int probe, uint64_t clock)
{
    if (!t->words)
        return;
    fclose(t->words);
    fclose(t->waves);
    add(&c->words[probe], t->text[0]);
    add(&c->waves[probe], t->text[1]);
    if (c->first[probe] == NEVER)
        c->first[probe] = clock;
    if (c->first_clock == NEVER)
        c->first_clock = clock;
    *t = (told){0};
}

static void look_ram(cause *c, const cause_sides *s, uint64_t clock, int ram, uint32_t word)
{
    const probe_ram *r        = &probe_rams[ram];
    uint64_t         expected = 0;
    char             name[32], scope[2][400];
    told             t = {0};
    memcpy(&expected, (const char *)s->model + r->offset + word * r->size, r->size);
    const uint64_t          seen   = s->calls->ram_word(s->rtl, ram, word);
    const difference_signal signal = {name, name, probe_table[r->probe].fields[0].width, 0, NULL};
    snprintf(name, sizeof name, "%u", word);
    open_told(&t);
    difference_words(t.words, "word", &signal, (difference_side){&expected, 0, 64}, (difference_side){&seen, 0, 64});
    // The write port, from which its words come.
    scopes(r->probe, scope[0], scope[1]);
    for (const probe_input *i = probe_table[r->probe].inputs; i->name; i++) {
        char path[500];
        snprintf(path, sizeof path, "%s.%s", scope[1], i->name);
        difference_wave(t.waves, i->name, path, i->bits);
    }
    keep(c, &t, r->probe, clock);
}

static void look_rams(cause *c, const cause_sides *s, uint64_t clock)
{
    uint32_t word;
    for (int ram = -1; (ram = s->calls->compare_rams(s->rtl, s->model, ram + 1, &word)) >= 0;)
        if (c->first[probe_rams[ram].probe] == NEVER)
            look_ram(c, s, clock, ram, word);
}

void cause_look(cause *c, const cause_sides *s, uint64_t clock)
{
    for (int n = 0; n < PROBE_COUNT; n++) {
        const probe_instance *p = &probe_table[n];
        told                  t = {0};
        const bool begins = c->first_clock == NEVER || c->first_clock == clock, stated = c->first[n] == NEVER;
        for (uint32_t q = 0; c->first[n] == NEVER && p->states[q].signal.name; q++) {
            difference_side model, rtl;
            state_sides(s, n, q, &model, &rtl);
            if (!difference_any(&p->states[q].signal, model, rtl))
                continue;
            tell(&t, n, "state", &p->states[q].signal, model, rtl);
            if (begins)
                difference_lines(t.words, p->area, p->block, p->states[q].signal.rtl);
        }
        for (uint32_t f = 0; f < p->fields_count; f++) {
            if (c->fields[n][f] != NEVER || !output_differs(s, n, f))
                continue;
            c->fields[n][f] = clock;
            if (c->shown[n] != NEVER && c->shown[n] != clock)
                continue;
            difference_side         model, rtl;
            const difference_signal signal = signal_of(&p->fields[f]);
            c->shown[n]                    = clock;
            output_sides(s, n, f, &model, &rtl);
            if (!stated && !t.words)
                later(&t, clock);
            if (stated && told_as_state(p, s, n, signal.name))
                continue;
            const bool only = begins && !t.words;
            tell(&t, n, "output", &signal, model, rtl);
            if (only)
                difference_lines(t.words, p->area, p->block, signal.rtl);
        }
        keep(c, &t, n, clock);
    }
    look_rams(c, s, clock);
}

uint64_t cause_clock(const cause *c)
{
    return c->first_clock;
}

// Blocks of the chain, in causal order; how many.
static int chain(const cause *c, int order[PROBE_COUNT], uint64_t until)
{
    static bool left[PROBE_COUNT];
    int         count = 0;
    for (uint64_t clock = cause_clock(c), later; clock <= until; clock = later) {
        later = NEVER;
        for (int n = 0; n < PROBE_COUNT; n++) {
            left[n] = c->first[n] == clock;
            later   = c->first[n] > clock && c->first[n] < later ? c->first[n] : later;
        }
        for (int n; (n = next(left)) >= 0; left[n] = false)
            order[count++] = n;
        if (later == NEVER)
            break;
    }
    return count;
}

typedef struct {
    const cause *cause;
    uint64_t     end; // values of earlier clocks count
} before;

static bool had(const void *given, int probe, uint32_t field)
{
    const before *b = given;
    return b->cause->fields[probe][field] < b->end;
}

// It differs in the first clock, and nothing that it reads does before.
static bool begins(const cause *c, int probe)
{
    if (c->first[probe] != c->first_clock)
        return false;
    const probe_instance *p    = &probe_table[probe];
    const before          b    = {c, c->first[probe] + combinational(probe)};
    bool                  none = true;
    for (uint32_t n = 0; n < p->drivers_count; n++)
        none = none && !had(&b, p->drivers[n].probe, p->drivers[n].field);
    return none;
}

// The head of the words: blocks in which it began, in the first clock; one that stands more than once is named once.
static void begin_words(const cause *c, FILE *file, const int *order, int count)
{
    bool also = false;
    for (int k = 0; k < count; k++) {
        const probe_instance *p     = &probe_table[order[k]];
        bool                  named = !begins(c, order[k]);
        for (int n = 0; n < k; n++)
            named = named || strcmp(probe_table[order[n]].block, p->block) == 0;
        if (named)
            continue;
        fprintf(file, "%s in clock %" PRIu64 " in block %s: everything it reads was equal\n",
                also ? "It also began" : "It began", c->first_clock, p->block);
        fprintf(file, "  docs/contract/%s.md  rtl/%s/totem_%s.v  cmodel/%s/totem_%s.c\n", p->block, p->area, p->block,
                p->area, p->block);
        also = true;
    }
}

bool cause_words(const cause *c, FILE *file, uint64_t until)
{
    static int order[PROBE_COUNT];
    const int  count = cause_clock(c) == NEVER ? 0 : chain(c, order, until);
    if (!count)
        return false;
    begin_words(c, file, order, count);
    for (int k = 0; k < count && k < LISTED; k++) {
        const int    n = order[k];
        const before b = {c, c->first[n] + combinational(n)};
        fprintf(file, "clock %" PRIu64 "  %s (%s)", c->first[n], probe_table[n].block, probe_table[n].model);
        if (k > 0)
            reads(file, n, had, &b);
        fprintf(file, "\n%s", c->words[n] ? c->words[n] : "");
    }
    if (count > LISTED)
        fprintf(file, "and %d more blocks up to clock %" PRIu64 "\n", count - LISTED, until);
    return true;
}

// Outputs that a block takes, by the block that has them; also those that what has no registers takes for it.
static void upstream(FILE *view, int reader, bool *seen)
{
    const probe_instance *p = &probe_table[reader];
    char                  title[500], scope[2][400], path[500];
    for (uint32_t n = 0; n < p->drivers_count; n++) {
        const int driver = p->drivers[n].probe;
        if (seen[driver])
            continue;
        seen[driver] = true;
        snprintf(title, sizeof title, "upstream: %s", probe_table[driver].model);
        difference_title(view, title);
        scopes(driver, scope[0], scope[1]);
        for (uint32_t m = n; m < p->drivers_count; m++) {
            const probe_field *f = &probe_table[driver].fields[p->drivers[m].field];
            if (p->drivers[m].probe != driver)
                continue;
            snprintf(path, sizeof path, "%s.%s", scope[1], f->name);
            difference_wave(view, f->name, path, f->width * (f->elements ? f->elements : 1));
        }
        if (combinational(driver))
            upstream(view, driver, seen);
    }
}

void cause_view(const cause *c, FILE *view, uint64_t until)
{
    static int  order[PROBE_COUNT];
    static bool seen[PROBE_COUNT];
    char        title[500], scope[2][400];
    const int   count = cause_clock(c) == NEVER ? 0 : chain(c, order, until);
    for (int k = 0; k < count && k < LISTED; k++) {
        snprintf(title, sizeof title, "%s %s", begins(c, order[k]) ? "it began in" : "then",
                 probe_table[order[k]].model);
        difference_title(view, title);
        fputs(c->waves[order[k]] ? c->waves[order[k]] : "", view);
    }
    memset(seen, 0, sizeof seen);
    for (int k = 0; k < count && k < LISTED; k++)
        seen[order[k]] = begins(c, order[k]);
    for (int k = 0; k < count && k < LISTED; k++) {
        const probe_instance *p = &probe_table[order[k]];
        if (!begins(c, order[k]))
            continue;
        scopes(order[k], scope[0], scope[1]);
        snprintf(title, sizeof title, "inputs of %s", p->model);
        difference_title(view, title);
        for (const probe_input *i = p->inputs; i->name; i++) {
            char path[500];
            snprintf(path, sizeof path, "%s.%s", scope[1], i->name);
            difference_wave(view, i->name, path, i->bits);
        }
        upstream(view, order[k], seen);
    }
}

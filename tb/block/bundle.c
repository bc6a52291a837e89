// SPDX-License-Identifier: Apache-2.0
//
// bundle: see bundle.h.

#include "bundle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void path_of(const block *b, const char *end, char *path, size_t size)
{
    const char *name = b->bench->name ? b->bench->name : "mismatch";
    if (b->bench->open[1]) // several blocks
        snprintf(path, size, "%s/%s-%s.%s", b->bench->folder, name, b->kind->name, end);
    else
        snprintf(path, size, "%s/%s.%s", b->bench->folder, name, end);
}

static uint32_t elements(const block_port *port)
{
    return port->elements ? port->elements : 1;
}

static void name_of(const block_port *port, uint32_t element, char *name, size_t size)
{
    if (port->elements)
        snprintf(name, size, "%s[%u]", port->name, element);
    else
        snprintf(name, size, "%s", port->name);
}

typedef struct {
    const char       *kind;
    difference_signal signal;
    difference_side   model, rtl;
} pair;

// The n-th register (of a build with waves), then the n-th output, as both sides have it; false: there is no more.
static bool pair_at(const block *b, uint32_t n, pair *p)
{
    const block_kind *kind      = b->kind;
    const uint32_t   *states    = kind->rtl->states ? kind->rtl->states(b->rtl) : NULL;
    uint32_t          registers = 0;
    while (states && kind->registers[registers].signal.name)
        registers++;
    if (n < registers) {
        const block_register *r = &kind->registers[n];
        *p                      = (pair){"state",
                                         r->signal,
                                         {(const char *)b->state + r->offset, 0, 8 * r->size},
                                         {states, r->bit, r->signal.width}};
        return true;
    }
    n += kind->inputs - registers;
    if (n >= kind->ports_count)
        return false;
    const block_port *port = &kind->ports[n];
    *p                     = (pair){"output",
                                    {port->name, port->name, port->width, port->elements, port->values},
                                    {b->out_words, port->bit, port->width},
                                    {kind->rtl->probe(b->rtl), port->bit, port->width}};
    return true;
}

// Inputs of the clock before: one line each, of arrays the elements that are not 0.
static void inputs_of(const block *b, bool reset, FILE *file)
{
    fprintf(file, "Inputs of clock %" PRIu64 ", which led to it\n  input  %-26s %d\n", b->clock - 1, "rst", reset);
    for (uint32_t p = 0; p < b->kind->inputs; p++) {
        const block_port *port = &b->kind->ports[p];
        fprintf(file, "  input  %-26s", port->name);
        bool any = false;
        for (uint32_t n = 0; n < elements(port); n++) {
            const uint64_t value =
                difference_get((difference_side){b->in_words, port->bit, port->width}, port->width, n);
            if (value && port->elements)
                fprintf(file, " [%u]", n);
            if (value)
                fprintf(file, " 0x%0*" PRIx64, (int)(port->width + 3) / 4, value);
            any = any || value;
        }
        fputs(any ? "\n" : " 0\n", file);
    }
}

static void differences(const block *b, FILE *file)
{
    pair p;
    for (uint32_t n = 0; pair_at(b, n, &p); n++)
        difference_words(file, p.kind, &p.signal, p.model, p.rtl);
}

static void words_of(const block *b, bool reset, FILE *file)
{
    const block_kind *kind = b->kind;
    fprintf(file, "Mismatch at clock %" PRIu64 " in block %s %s\n", b->clock, kind->name, kind->config);
    differences(b, file);
    if (!b->words)
        inputs_of(b, reset, file);
    if (b->bench->again)
        fprintf(file, "Again: %s\n", b->bench->again);
}

static void view_signal(const block *b, FILE *file, const char *name, uint32_t bits)
{
    char path[400];
    snprintf(path, sizeof path, "TOP.%s_bench.dut.%s", b->kind->name, name);
    difference_wave(file, name, path, bits);
}

// What differs, model and RTL together; kind "": registers and outputs.
static void differing_waves(const block *b, const char *kind, FILE *file)
{
    pair p;
    char scope[200];
    snprintf(scope, sizeof scope, "TOP.%s_bench.dut", b->kind->name);
    for (uint32_t n = 0; pair_at(b, n, &p); n++)
        if (!*kind || strcmp(p.kind, kind) == 0)
            difference_waves(file, &p.signal, p.model, p.rtl, "TOP.model", scope);
}

static bool write_view(const block *b)
{
    const block_kind *kind = b->kind;
    char              path[600], trace[600];
    path_of(b, "gtkw", path, sizeof path);
    path_of(b, "fst", trace, sizeof trace);
    FILE *file = difference_view(path, trace, b->bench->began, b->clock);
    if (!file)
        return false;

    difference_title(file, "it began in");
    fputs(b->waves ? b->waves : "", file);
    if (b->bench->began < b->clock) {
        difference_title(file, "then, at the mismatch");
        differing_waves(b, "output", file);
    }
    for (uint32_t p = 0; p < kind->ports_count; p++) {
        if (p == 0 || p == kind->inputs)
            difference_title(file, p ? "outputs" : "inputs");
        view_signal(b, file, kind->ports[p].name, kind->ports[p].width * elements(&kind->ports[p]));
    }
    difference_title(file, "registers");
    for (const block_register *r = kind->registers; r->signal.name; r++)
        view_signal(b, file, r->signal.rtl, r->signal.width * (r->signal.elements ? r->signal.elements : 1));
    return fclose(file) == 0;
}

void bundle_trace(block *b)
{
    if (!b->kind->rtl->trace || b->clock < b->bench->from)
        return;
    char path[600];
    path_of(b, "fst", path, sizeof path);
    b->tracing = true;
    if (!b->kind->rtl->trace(b->rtl, path, b->clock, b->kind, b->state, b->out))
        fprintf(stderr, "%s cannot be written; name a folder in an existing one\n", path);
}

void bundle_clock(block *b, bool reset)
{
    if (b->tracing)
        b->kind->rtl->trace_clock(b->rtl);
    pair p;
    bool any = false;
    for (uint32_t n = 0; !b->words && pair_at(b, n, &p); n++)
        any = any || difference_any(&p.signal, p.model, p.rtl);
    if (!any || b->place != b->bench->which)
        return;
    size_t size[2];
    FILE  *words = open_memstream(&b->words, &size[0]), *waves = open_memstream(&b->waves, &size[1]);
    fprintf(words,
            "It began in clock %" PRIu64
            " in block %s\n  docs/contract/%s.md  rtl/%s/totem_%s.v  cmodel/%s/totem_%s.c\n",
            b->clock, b->kind->name, b->kind->name, b->kind->area, b->kind->name, b->kind->area, b->kind->name);
    any = false; // lines of registers, else of the first output
    for (uint32_t n = 0; pair_at(b, n, &p); n++) {
        difference_words(words, p.kind, &p.signal, p.model, p.rtl);
        if (!difference_any(&p.signal, p.model, p.rtl) || (any && strcmp(p.kind, "state") != 0))
            continue;
        difference_lines(words, b->kind->area, b->kind->name, p.signal.rtl);
        any = true;
    }
    inputs_of(b, reset, words);
    differing_waves(b, "", waves);
    fclose(words);
    fclose(waves);
    b->bench->began = b->clock;
}

void bundle_mismatch(block *b, bool reset)
{
    block_bench *bench = b->bench;
    char         path[600];
    if (bench->waves) {
        bench->recorded = b->clock == bench->clock && b->place == bench->which;
        if (!b->tracing || !bench->recorded || bench->began < bench->from)
            return;
    } else {
        bench->failed = true;
        bench->clock  = b->clock;
        bench->which  = b->place;
        words_of(b, reset, stderr);
    }
    if (!bench->folder)
        return;
    mkdir(bench->folder, 0777);
    path_of(b, "txt", path, sizeof path);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "%s cannot be written; name a folder in an existing one\n", path);
        return;
    }
    if (b->words)
        fprintf(file, "%s\n", b->words);
    words_of(b, reset, file);
    fclose(file);
    if (!bench->waves) {
        fprintf(stderr, "Words: %s\n", path);
        return;
    }
    const bool viewed = write_view(b);
    path_of(b, "gtkw", path, sizeof path);
    for (int n = 0; n < DIFFERENCE_BEHIND; n++) {
        b->kind->rtl->step(b->rtl, false, b->in_words);
        b->kind->step(b->state, b->in);
        b->kind->outputs(b->state, b->out);
        b->kind->rtl->trace_clock(b->rtl);
    }
    char trace[600];
    path_of(b, "fst", trace, sizeof trace);
    if (viewed)
        b->kind->rtl->trace_rows(b->rtl, path, trace);
    b->tracing = false;
    fprintf(stderr, "%s", b->words ? b->words : "");
    if (viewed)
        fprintf(stderr, "Waves of %" PRIu64 " clocks: gtkwave %s\n", b->clock + DIFFERENCE_BEHIND - bench->from, path);
    else
        fprintf(stderr, "%s cannot be written\n", path);
}

void block_dump_head(const block *b, FILE *file)
{
    char name[100];
    fprintf(file, "clock,rst");
    for (uint32_t p = 0; p < b->kind->ports_count; p++)
        for (uint32_t n = 0; n < elements(&b->kind->ports[p]); n++) {
            name_of(&b->kind->ports[p], n, name, sizeof name);
            fprintf(file, ",%s", name);
        }
    fputc('\n', file);
}

void block_dump_row(block *b, bool reset, FILE *file)
{
    block_read_data(b);
    fprintf(file, "%" PRIu64 ",%d", b->clock, reset);
    for (uint32_t p = 0; p < b->kind->ports_count; p++)
        for (uint32_t n = 0; n < elements(&b->kind->ports[p]); n++)
            fprintf(file, ",%" PRIu64, block_get(p < b->kind->inputs ? b->in : b->out, &b->kind->ports[p], n));
    fputc('\n', file);
}

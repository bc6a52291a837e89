// SPDX-License-Identifier: Apache-2.0
//
// bundle: see bundle.h.

#include "bundle.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum { BEHIND = 20, PS_PER_CLOCK = 1000 };

static void path_of(const block *b, const char *end, char *path, size_t size)
{
    const char *name = b->bench->name ? b->bench->name : "mismatch";
    if (b->bench->open[1]) // several blocks
        snprintf(path, size, "%s/%s-%s.%s", b->bench->folder, name, b->kind->name, end);
    else
        snprintf(path, size, "%s/%s.%s", b->bench->folder, name, end);
}

// Bits of the packed words, from bit `at` on.
static uint64_t field(const uint32_t *words, uint32_t at, uint32_t width)
{
    uint64_t value = 0;
    for (uint32_t bit = 0; bit < width; bit++)
        value |= (uint64_t)(words[(at + bit) / 32] >> (at + bit) % 32 & 1) << bit;
    return value;
}

static bool differs(const block *b, const uint32_t *rtl, const block_port *port, uint32_t element)
{
    const uint32_t at = port->bit + element * port->width;
    return field(rtl, at, port->width) != field(b->out_words, at, port->width);
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

static void words_of(const block *b, bool reset, FILE *file)
{
    const block_kind *kind = b->kind;
    const uint32_t   *rtl  = kind->rtl->probe(b->rtl);
    char              name[100];
    fprintf(file, "Mismatch at clock %" PRIu64 " in block %s %s\n", b->clock, kind->name, kind->config);
    for (uint32_t p = kind->inputs; p < kind->ports_count; p++)
        for (uint32_t n = 0; n < elements(&kind->ports[p]); n++) {
            const block_port *port = &kind->ports[p];
            const uint32_t    at   = port->bit + n * port->width;
            name_of(port, n, name, sizeof name);
            if (differs(b, rtl, port, n))
                fprintf(file, "  %-32s C 0x%0*" PRIx64 "  RTL 0x%0*" PRIx64 "\n", name, (int)(port->width + 3) / 4,
                        field(b->out_words, at, port->width), (int)(port->width + 3) / 4, field(rtl, at, port->width));
        }
    fprintf(file, "Inputs of clock %" PRIu64 ", which led to it\n  %-32s %d\n", b->clock - 1, "rst", reset);
    for (uint32_t p = 0; p < kind->inputs; p++)
        for (uint32_t n = 0; n < elements(&kind->ports[p]); n++) {
            name_of(&kind->ports[p], n, name, sizeof name);
            fprintf(file, "  %-32s 0x%0*" PRIx64 "\n", name, (int)(kind->ports[p].width + 3) / 4,
                    field(b->in_words, kind->ports[p].bit + n * kind->ports[p].width, kind->ports[p].width));
        }
    if (b->bench->again)
        fprintf(file, "Again: %s\n", b->bench->again);
}

static void view_signal(const block *b, FILE *file, const char *name, uint32_t bits)
{
    if (bits == 1)
        fprintf(file, "@28\nTOP.%s_bench.dut.%s\n", b->kind->name, name);
    else
        fprintf(file, "@22\nTOP.%s_bench.dut.%s[%u:0]\n", b->kind->name, name, bits - 1);
}

static bool write_view(const block *b)
{
    const block_kind *kind = b->kind;
    const uint32_t   *rtl  = kind->rtl->probe(b->rtl);
    char              path[600], trace[600];
    path_of(b, "gtkw", path, sizeof path);
    path_of(b, "fst", trace, sizeof trace);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n[size] 1600 900\n[pos] -1 -1\n", trace,
            b->clock > 40 ? PS_PER_CLOCK * (b->clock - 40) : 0);
    fprintf(file, "*-13.000000 %" PRIu64, PS_PER_CLOCK * b->clock);
    for (int n = 0; n < 27; n++)
        fprintf(file, " -1");
    fprintf(file,
            "\n[sst_width] 240\n[signals_width] 360\n[sst_expanded] 1\n@28\nTOP.%s_bench.clk\n@200\n-in question\n",
            kind->name);
    for (int rest = 0; rest < 2; rest++) {
        for (uint32_t p = rest ? 0 : kind->inputs; p < kind->ports_count; p++) {
            bool asked = false;
            for (uint32_t n = 0; p >= kind->inputs && n < elements(&kind->ports[p]); n++)
                asked = asked || differs(b, rtl, &kind->ports[p], n);
            if (rest && (p == 0 || p == kind->inputs))
                fprintf(file, "@200\n-%s\n", p ? "outputs" : "inputs");
            if (asked != (rest != 0))
                view_signal(b, file, kind->ports[p].name, kind->ports[p].width * elements(&kind->ports[p]));
        }
    }
    fprintf(file, "@200\n-registers\n");
    for (const block_register *r = kind->registers; r->name; r++)
        view_signal(b, file, r->name, r->bits);
    return fclose(file) == 0;
}

void bundle_trace(block *b)
{
    const block_bench *bench = b->bench;
    if (!b->kind->rtl->trace || b->clock + BLOCK_WINDOW < bench->clock)
        return;
    char path[600];
    path_of(b, "fst", path, sizeof path);
    b->tracing = true;
    if (!b->kind->rtl->trace(b->rtl, path, b->clock))
        fprintf(stderr, "%s cannot be written; name a folder in an existing one\n", path);
}

void bundle_mismatch(block *b, bool reset)
{
    block_bench *bench = b->bench;
    char         path[600];
    if (!bench->waves) {
        bench->failed = true;
        bench->clock  = b->clock;
        bench->which  = b->place;
        words_of(b, reset, stderr);
        if (!bench->folder)
            return;
        mkdir(bench->folder, 0777);
        path_of(b, "txt", path, sizeof path);
        FILE *file = fopen(path, "w");
        if (file) {
            words_of(b, reset, file);
            fclose(file);
            fprintf(stderr, "Words: %s\n", path);
        } else {
            fprintf(stderr, "%s cannot be written; name a folder in an existing one\n", path);
        }
        return;
    }
    bench->recorded = b->clock == bench->clock && b->place == bench->which;
    if (!b->tracing || !bench->recorded)
        return;
    const bool viewed = write_view(b);
    path_of(b, "gtkw", path, sizeof path);
    for (int n = 0; n < BEHIND; n++)
        b->kind->rtl->step(b->rtl, false, b->in_words);
    if (viewed)
        fprintf(stderr, "Waves of the last %d clocks: gtkwave %s\n", BLOCK_WINDOW, path);
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

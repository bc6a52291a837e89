// SPDX-License-Identifier: Apache-2.0
//
// run_results: see run_results.h.

#include "run_results.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool run_results_open(run_results *r, const totem_workload *w)
{
    const totem_workload_expect *e = &w->expect;
    *r = (run_results){.workload = w, .seen = calloc(e->results_count + 1, sizeof *r->seen)};
    for (uint32_t n = 0; n < e->results_count; n++)
        r->waiting += e->results[n].behind != 0;
    return r->seen;
}

void run_results_close(run_results *r)
{
    free(r->seen);
}

// Words that differ; the first one is number *first.
static uint32_t differing(const memory *m, const totem_workload_result *b, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t k = b->stream.words_count; k-- > 0;)
        if (memory_read32(m, b->address + 4 * (uint64_t)k) != b->stream.words[k]) {
            count++;
            *first = k;
        }
    return count;
}

static bool written(const memory *m, uint64_t address)
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        uint32_t            count;
        const memory_write *w = memory_taken(m, f, &count);
        for (; count-- > 0; w++)
            if ((w->address ^ address) < 8 && w->strobe >> (address & 4) & 15)
                return true;
    }
    return false;
}

void run_results_clock(run_results *r, const session *s)
{
    const totem_workload_expect *e = &r->workload->expect;
    const memory                *m = session_memory(s);
    for (uint32_t n = 0; r->waiting && n < e->results_count; n++) {
        const totem_workload_result *b     = &e->results[n];
        uint32_t                     first = 0;
        if (!b->behind || r->seen[n] || !written(m, b->behind))
            continue;
        r->seen[n] = true;
        r->waiting--;
        const uint32_t count = differing(m, b, &first);
        if (count && !r->message[0])
            snprintf(r->message, sizeof r->message,
                     "the fence 0x%010" PRIx64 " is written at clock %" PRIu64 " and %" PRIu32
                     " words of expect.results[%" PRIu32 "] are not there yet, the first 0x%010" PRIx64,
                     b->behind, session_clock(s) - 1, count, n, b->address + 4 * (uint64_t)first);
    }
}

void run_results_compare(const totem_workload *w, const memory *m, totem_run_result *result)
{
    for (uint32_t n = 0; n < w->expect.results_count; n++) {
        const totem_workload_result *b     = &w->expect.results[n];
        uint32_t                     first = 0;
        const uint32_t               count = differing(m, b, &first);
        if (count && !result->differing) {
            result->differs  = b->address + 4 * (uint64_t)first;
            result->got      = memory_read32(m, result->differs);
            result->expected = b->stream.words[first];
        }
        result->results += b->stream.words_count;
        result->differing += count;
    }
}

bool run_results_write(const totem_workload *w, const memory *m, const char *folder)
{
    bool good = true;
    for (uint32_t n = 0; good && n < w->expect.results_count; n++) {
        const totem_workload_result *b = &w->expect.results[n];
        char                         path[1024];
        snprintf(path, sizeof path, "%s/%" PRIu32 ".hex", folder, n);
        FILE *file = fopen(path, "w");
        for (uint32_t k = 0; file && k < b->stream.words_count; k++)
            fprintf(file, "%08" PRIx32 "\n", memory_read32(m, b->address + 4 * (uint64_t)k));
        good = file && !ferror(file);
        good = file && fclose(file) == 0 && good;
    }
    return good;
}

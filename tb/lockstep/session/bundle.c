// SPDX-License-Identifier: Apache-2.0
//
// bundle: see bundle.h.

#include "bundle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { WINDOW = 500, BEHIND = 20, PS_PER_CLOCK = 1000 };
_Static_assert((int)RAM_CLOCKS < (int)WINDOW, "a wrong write to a RAM lies in the window");

static void view_signal(FILE *file, const probe_instance *p, const char *name, uint32_t bits)
{
    if (bits == 1)
        fprintf(file, "@28\nTOP.%s.%s\n", p->rtl, name);
    else
        fprintf(file, "@22\nTOP.%s.%s[%u:0]\n", p->rtl, name, bits - 1);
}

// The write port of a RAM: what its words come from.
static void view_writes(FILE *file, const probe_instance *p)
{
    uint32_t address = 1;
    for (size_t words = session_ram_words(p); 1u << address < words;)
        address++;
    view_signal(file, p, "write_enable", 1);
    view_signal(file, p, "write_addr", address);
    view_signal(file, p, "write_data", p->fields[0].width);
}

static bool write_view(const session *s, const char *path, const char *trace)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const uint64_t clock = session_clock(s);
    fprintf(file, "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n[size] 1600 900\n[pos] -1 -1\n", trace,
            clock > 40 ? PS_PER_CLOCK * (clock - 40) : 0);
    fprintf(file, "*-13.000000 %" PRIu64, PS_PER_CLOCK * clock);
    for (int n = 0; n < 27; n++)
        fprintf(file, " -1");
    fprintf(file, "\n[sst_width] 240\n[signals_width] 360\n[sst_expanded] 1\n@28\nTOP.totem_tb.clk\n");
    const char           *signal;
    const probe_instance *p = session_probe(s, &signal);
    for (int pass = 0; p && pass < 2; pass++)
        for (uint32_t f = 0; f < p->fields_count; f++) {
            const uint32_t bits  = p->fields[f].width * (p->fields[f].elements ? p->fields[f].elements : 1);
            const bool     asked = strcmp(signal, p->fields[f].name) == 0;
            if (asked != (pass == 0))
                continue;
            if (asked)
                fprintf(file, "@200\n-in question: %s\n", p->model);
            view_signal(file, p, p->fields[f].name, bits);
            if (asked && strcmp(p->block, "ram") == 0)
                view_writes(file, p);
            if (asked)
                fprintf(file, "@200\n-outputs of the block\n");
        }
    return fclose(file) == 0;
}

void bundle_write(const bundle_again *again, const session *first, session_verdict verdict, const char *words,
                  const char *folder, const char *name)
{
    char           text[600], trace[600], view[600];
    const uint64_t clock = session_clock(first);
    snprintf(text, sizeof text, "%s/%s.txt", folder, name);
    snprintf(trace, sizeof trace, "%s/%s.fst", folder, name);
    snprintf(view, sizeof view, "%s/%s.gtkw", folder, name);
    FILE *file = mkdir(folder, 0777) == 0 || errno == EEXIST ? fopen(text, "w") : NULL;
    if (!file) {
        fprintf(stderr, "%s cannot be written; name a folder in an existing one\n", text);
        return;
    }
    fprintf(file, "%s\n", words);
    session *s = session_has_rtl(first) ? again->start(again->run, trace, clock > WINDOW ? clock - WINDOW : 0) : NULL;
    if (!s) {
        fclose(file);
        fprintf(stderr, "Words: %s%s\n", text, session_has_rtl(first) ? "; the waves cannot be recorded" : "");
        return;
    }
    session_verdict seen = SESSION_GOOD;
    while (seen == SESSION_GOOD && session_clock(s) < clock)
        seen = again->step(again->run, s);
    if (seen == SESSION_GOOD &&
        verdict != SESSION_GOOD) // at `clock` itself, where a run that ends well compares once more
        seen = verdict == SESSION_MISMATCH ? session_end(s) : again->step(again->run, s);
    // A RAM is now compared in every clock, so the clock of its first wrong word is exact.
    if (seen == SESSION_MISMATCH && session_clock(s) < clock) {
        fprintf(file, "The second run, in every clock:\n%s\n", session_report(s));
        fprintf(stderr, "The second run, in every clock:\n%s\n", session_report(s));
    }
    fclose(file);
    const bool viewed = write_view(s, view, trace);
    session_extend(s, BEHIND);
    again->end(again->run, s);
    if (seen == verdict && viewed)
        fprintf(stderr, "Words: %s; waves of the last %d clocks: gtkwave %s\n", text, WINDOW, view);
    else
        fprintf(stderr, "The second run did not fail in the same way, or %s cannot be written.\n", view);
}

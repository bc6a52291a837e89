// SPDX-License-Identifier: Apache-2.0
//
// bundle: see bundle.h.

#include "bundle.h"
#include "cause.h"
#include "rtl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// LONGEST: waves of a difference that begins before the window end so many clocks behind its begin.
enum { WINDOW = 500, BEFORE = 60, LONGEST = 20000 };
_Static_assert((int)RAM_CLOCKS < (int)WINDOW, "a wrong write to a RAM lies in the window");

// The run made again with waves from a clock on, up to the clock of the failure and some behind. NULL: it cannot start.
static session *again_until(const bundle_again *again, const char *trace, uint64_t from, uint64_t clock,
                            session_verdict verdict, session_verdict *seen)
{
    session *s = again->start(again->run, trace, from);
    if (!s)
        return NULL;
    session_seek_cause(s);
    *seen = SESSION_GOOD;
    while (*seen == SESSION_GOOD && session_clock(s) < clock)
        *seen = again->step(again->run, s);
    if (*seen == SESSION_GOOD &&
        verdict != SESSION_GOOD) // at `clock` itself, where a run that ends well compares once more
        *seen = verdict == SESSION_MISMATCH ? session_end(s) : again->step(again->run, s);
    return s;
}

static bool write_words(const char *path, const cause *c, uint64_t until, const char *words)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    if (c && cause_words(c, file, until))
        fputc('\n', file);
    fprintf(file, "%s\n", words);
    return fclose(file) == 0;
}

static bool write_view(const session *s, const char *path, const char *trace, uint64_t until, bool cut)
{
    const cause   *c     = session_cause(s);
    const uint64_t first = c && cause_clock(c) < until ? cause_clock(c) : until;
    FILE          *file  = difference_view(path, trace, first, cut ? first : until);
    if (!file)
        return false;

    if (c)
        cause_view(c, file, until);
    return fclose(file) == 0;
}

void bundle_write(const bundle_again *again, const session *first, session_verdict verdict, const char *words,
                  const char *folder, const char *name)
{
    char     text[600], trace[600], view[600];
    uint64_t clock = session_clock(first);
    bool     cut   = false;
    snprintf(text, sizeof text, "%s/%s.txt", folder, name);
    snprintf(trace, sizeof trace, "%s/%s.fst", folder, name);
    snprintf(view, sizeof view, "%s/%s.gtkw", folder, name);
    if ((mkdir(folder, 0777) != 0 && errno != EEXIST) || !write_words(text, NULL, 0, words)) {
        fprintf(stderr, "%s cannot be written; name a folder in an existing one\n", text);
        return;
    }
    if (session_has_rtl(first))
        fprintf(stderr, "%s is complete up to here, Ctrl-C is safe; once more with waves, to where it began\n", text);
    uint64_t        from = clock > WINDOW ? clock - WINDOW : 1;
    session_verdict seen;
    session        *s = session_has_rtl(first) ? again_until(again, trace, from, clock, verdict, &seen) : NULL;
    // It began before the window: once more, from there on.
    const uint64_t began = s && session_cause(s) ? cause_clock(session_cause(s)) : UINT64_MAX;
    if (began < from + BEFORE && from > 1) {
        again->end(again->run, s);
        from = began > BEFORE ? began - BEFORE : 1;
        cut  = clock > began + LONGEST;
        s    = again_until(again, trace, from, cut ? began + LONGEST : clock, cut ? SESSION_GOOD : verdict, &seen);
        cut  = cut && seen == SESSION_GOOD;
    }
    if (!s) {
        fprintf(stderr, "Words: %s%s\n", text, session_has_rtl(first) ? "; the waves cannot be recorded" : "");
        return;
    }
    // A RAM is now compared in every clock, so the clock of its first wrong word is exact.
    const uint64_t end = session_clock(s);
    session_extend(s, DIFFERENCE_BEHIND);
    if (session_cause(s) && cause_words(session_cause(s), stderr, end))
        fputc('\n', stderr);
    const bool viewed = write_words(text, session_cause(s), end, words) && write_view(s, view, trace, end, cut);
    again->end(again->run, s);
    if (viewed)
        rtl_waves()->trace_rows(view, trace);
    if (cut)
        fprintf(stderr, "The waves end before the failure at clock %" PRIu64 ".\n", clock);
    if ((cut || seen == verdict) && viewed)
        fprintf(stderr, "Words: %s; waves of %" PRIu64 " clocks: gtkwave %s\n", text, end + DIFFERENCE_BEHIND - from,
                view);
    else
        fprintf(stderr, "The second run did not fail in the same way, or %s cannot be written.\n", view);
}

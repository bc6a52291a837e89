// SPDX-License-Identifier: Apache-2.0
//
// bundle: what people get when a run fails: the words, and waves of the last clocks from the same run made again.

#ifndef BUNDLE_H
#define BUNDLE_H

#include "session.h"

// How to make the same run again.
typedef struct {
    void *run;
    // Waves into `trace` from clock `from` on. NULL: it cannot start.
    session *(*start)(void *run, const char *trace, uint64_t from);
    session_verdict (*step)(void *run, session *s);
    void (*end)(void *run, session *s);
} bundle_again;

// Writes NAME.txt (the words), NAME.fst (waves of the last clocks before `first` stopped, and some behind) and
// NAME.gtkw (GTKWave view: the block in question, the marker on the clock) into folder, which is made if it is missing.
// Says on standard error where they are, or what is wrong. Without RTL in the run there are only the words.
void bundle_write(const bundle_again *again, const session *first, session_verdict verdict, const char *words,
                  const char *folder, const char *name);

#endif

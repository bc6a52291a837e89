// SPDX-License-Identifier: Apache-2.0
//
// tally: counts by name of what random work has drawn and seen, over all seeds of a run.

#ifndef TALLY_H
#define TALLY_H

#include <stdint.h>

typedef struct tally tally;

tally *tally_create(void);
void   tally_destroy(tally *t);
// t may be NULL: nothing is counted.
void tally_count(tally *t, const char *name);
void tally_count2(tally *t, const char *group, const char *name);
// One line each: "tally NAME COUNT", by name.
void tally_print(const tally *t);

#endif

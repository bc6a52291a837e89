// SPDX-License-Identifier: Apache-2.0
//
// tally: see tally.h.

#include "tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

typedef struct {
    char           name[64];
    uint64_t       count;
    UT_hash_handle hh;
} entry;

struct tally {
    entry *entries;
};

tally *tally_create(void)
{
    return calloc(1, sizeof(tally));
}

void tally_destroy(tally *t)
{
    if (!t)
        return;
    entry *e = t->entries;
    HASH_CLEAR(hh, t->entries); // the table; the entries stay chained
    while (e) {
        entry *next = e->hh.next;
        free(e);
        e = next;
    }
    free(t);
}

void tally_count(tally *t, const char *name)
{
    if (!t)
        return;
    entry *e;
    HASH_FIND_STR(t->entries, name, e);
    if (!e) {
        e = calloc(1, sizeof *e);
        if (!e)
            abort();
        snprintf(e->name, sizeof e->name, "%s", name);
        HASH_ADD_STR(t->entries, name, e);
    }
    e->count++;
}

void tally_count2(tally *t, const char *group, const char *name)
{
    char both[64];
    snprintf(both, sizeof both, "%s.%s", group, name);
    tally_count(t, both);
}

static int by_name(entry *left, entry *right)
{
    return strcmp(left->name, right->name);
}

void tally_print(const tally *t)
{
    entry *sorted = t->entries;
    HASH_SORT(sorted, by_name);
    for (const entry *e = sorted; e; e = e->hh.next)
        printf("tally %-44s %" PRIu64 "\n", e->name, e->count);
}

// SPDX-License-Identifier: Apache-2.0
//
// The names nearest to one that is not known, for messages.
#ifndef TOTEM_NEAREST_H
#define TOTEM_NEAREST_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { TOTEM_NEAREST = 3, TOTEM_NEAREST_LONGEST = 80 };

typedef struct {
    unsigned    count;
    const char *name[TOTEM_NEAREST]; // the nearest first
    size_t      far[TOTEM_NEAREST];
} totem_nearest;

// Letters to insert, remove or replace until a is b; SIZE_MAX: b is too long to be looked at.
static inline size_t totem_distance(const char *a, size_t a_length, const char *b)
{
    size_t row[TOTEM_NEAREST_LONGEST + 1], length = strlen(b);
    if (length > TOTEM_NEAREST_LONGEST)
        return (size_t)-1;
    for (size_t n = 0; n <= length; n++)
        row[n] = n;
    for (size_t m = 0; m < a_length; m++) {
        size_t before = row[0];
        row[0]        = m + 1;
        for (size_t n = 0; n < length; n++) {
            size_t best = before + (a[m] != b[n]);
            best        = row[n] + 1 < best ? row[n] + 1 : best;
            before      = row[n + 1];
            row[n + 1]  = before + 1 < best ? before + 1 : best;
        }
    }
    return row[length];
}

// Keeps the name if it is one of the nearest. Of equally near ones the first stays in front.
static inline void totem_nearest_see(totem_nearest *list, const char *wanted, size_t length, const char *name)
{
    const size_t far = totem_distance(wanted, length, name);
    unsigned     n   = list->count;
    for (unsigned k = 0; k < list->count; k++)
        if (strcmp(list->name[k], name) == 0)
            return;
    while (n > 0 && far < list->far[n - 1])
        n--;
    if (n == TOTEM_NEAREST)
        return;
    list->count += list->count < TOTEM_NEAREST;
    for (unsigned k = list->count - 1; k > n; k--) {
        list->name[k] = list->name[k - 1];
        list->far[k]  = list->far[k - 1];
    }
    list->name[n] = name;
    list->far[n]  = far;
}

// "A, B, C"
static inline const char *totem_nearest_text(const totem_nearest *list, char *text, size_t size)
{
    size_t used = 0;
    text[0]     = 0;
    for (unsigned n = 0; n < list->count && used < size; n++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", n ? ", " : "", list->name[n]);
    return text;
}

#endif

// SPDX-License-Identifier: Apache-2.0
//
// script_bench: rules of one block as rows of a table. A script says clock by clock what the block shows and what it
// gets, by the words of a table of the test:
//
//   name:value   shown in this clock, or held as state
//   name=value   given in this clock, or put into the state; `name` alone: 1
//   name==value  given from this clock on
//   ;            the clock ends; `5;`: five clocks, and what is shown in the first is shown in all of them
//
// name[3] is an element of an array, name its first one.
//
// Included behind BENCH, with SCRIPT_BENCH, the type of the bench (a bigger one begins with that of the block), and
// SCRIPT_CLOCK, what goes to its next clock.

#ifndef SCRIPT_BENCH_H
#define SCRIPT_BENCH_H

#include <stdlib.h>

typedef struct {
    const char *name;
    size_t      offset, size; // in the bench; of an array its first element
    // Instead, what has no field of its own: to give it, or to see it.
    void (*give)(bench *b, unsigned place, uint64_t value);
    uint64_t (*see)(const bench *b);
} script_word;

// A test: the bench is opened, then the script is played.
typedef struct {
    const char *rule;
    void (*open)(bench *b);
    const char *script;
} script_row;

#define WORD(name, field)                                                       \
    {                                                                           \
#name, offsetof(bench, field), sizeof((bench *)NULL)->field, NULL, NULL \
    }
#define OUTPUT(field) WORD(field, o.field)
#define ACT(name)               \
    {                           \
#name, 0, 0, name, NULL \
    }
#define VIEW(name)              \
    {                           \
#name, 0, 0, NULL, name \
    }

static const script_word words[]; // of the test, up to one without a name

// The words of one clock; `again`: it is a later one of several clocks, nothing is given.
static void script_clock(bench *b, const script_row *row, const char *at, const char *end, bool again)
{
    while ((at += strspn(at, " ")) < end) {
        const size_t       length = strcspn(at, "[:=; ");
        const script_word *word   = words;
        const char        *text   = at;
        while (word->name && (strncmp(word->name, at, length) != 0 || word->name[length] != 0))
            word++;
        if (!word->name)
            fail_msg("%s: no word \"%.*s\"", row->rule, (int)length, at);
        char         *rest  = (char *)at + length;
        unsigned long index = 0;
        if (*rest == '[') {
            index = strtoul(rest + 1, &rest, 0);
            rest++;
        }
        const size_t   place = word->offset + index * word->size;
        const size_t   form  = strspn(rest, ":=");
        const char     first = *rest;
        const uint64_t value = form ? strtoull(rest + form, &rest, 0) : 1;
        uint64_t       shown = 0;
        at                   = rest;
        if (first == ':') {
            memcpy(&shown, (char *)b + place, word->size);
            if (word->see)
                shown = word->see(b);
            if (shown != value)
                fail_msg("%s: %llx instead of %.*s in .. %s", row->rule, (unsigned long long)shown, (int)(rest - text),
                         text, text);
        } else if (word->give) {
            if (!again)
                word->give(b, (unsigned)index, value);
        } else if (!again) {
            memcpy((char *)b + place, &value, word->size);
            if (form == 2)
                memcpy((char *)b + place - offsetof(bench, i) + offsetof(bench, hold), &value, word->size);
        }
    }
}

static void play(bench *b, void (*clock)(bench *b), const script_row *row)
{
    for (const char *from = row->script, *end; *from; from = end) {
        end                = from + strcspn(from, ";");
        const char *number = end;
        while (number > from && number[-1] >= '0' && number[-1] <= '9')
            number--;
        if (number == end || (number > from && number[-1] != ' '))
            number = end; // the last figures of a value
        const unsigned long clocks = number == end ? *end == ';' : strtoul(number, NULL, 10);
        script_clock(b, row, from, number, false);
        for (unsigned long n = 0; n < clocks; n++) {
            if (n > 0)
                script_clock(b, row, from, number, true);
            clock(b);
        }
        end += *end == ';';
    }
}

// A row as a test.
static void play_row(void **state)
{
    const script_row *row = *state;
    SCRIPT_BENCH      t;
    row->open((bench *)&t);
    play((bench *)&t, SCRIPT_CLOCK, row);
}

// All rows of a table.
#define SCRIPTS(rows)                                                                              \
    static void __attribute__((constructor)) rows##_are_listed(void)                               \
    {                                                                                              \
        for (size_t n = 0; n < COUNT(rows); n++)                                                   \
            add_test((struct CMUnitTest){rows[n].rule, play_row, NULL, NULL, (void *)&(rows)[n]}); \
    }

#endif

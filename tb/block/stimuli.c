// SPDX-License-Identifier: Apache-2.0
//
// stimuli: see stimuli.h.

#include "stimuli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 65536 };

static bool fail(stimuli *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(stimuli *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%u: ", s->path, s->line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    s->bad = true;
    return false;
}

// The words of the next line that has some; NULL at the end.
static char *words(stimuli *s, char *line)
{
    while (fgets(line, LINE, s->file)) {
        s->line++;
        line[strcspn(line, "#\r\n")] = '\0';
        char *word                   = strtok(line, " \t");
        if (word)
            return word;
    }
    return NULL;
}

static bool column(stimuli *s, char *name)
{
    char *bracket = strchr(name, '[');
    char *end     = NULL;
    long  element = -1;
    if (s->count == STIMULI_COLUMNS)
        return fail(s, "more than %d columns; leave out those that are 0", STIMULI_COLUMNS);
    if (strcmp(name, "rst") == 0) {
        s->columns[s->count++] = (stimuli_column){NULL, -1};
        return true;
    }
    if (bracket) {
        *bracket = '\0';
        element  = strtol(bracket + 1, &end, 10);
        if (end == bracket + 1 || strcmp(end, "]") != 0)
            return fail(s, "'%s[%s' is not name[number]; correct the name", name, bracket + 1);
    }
    for (uint32_t p = 0; p < s->kind->inputs; p++) {
        const block_port *port = &s->kind->ports[p];
        if (strcmp(port->name, name) != 0)
            continue;
        if (port->draw == DRAW_KEPT)
            return fail(s, "%s is read from the memory that the bench keeps; remove the column", name);
        if (bracket && (element < 0 || element >= (long)port->elements))
            return fail(s, "%s has no element %ld; it has %u", name, element, port->elements);
        s->columns[s->count++] = (stimuli_column){port, (int32_t)element};
        return true;
    }
    fail(s, "block %s has no input %s; its inputs are rst and", s->kind->name, name);
    for (uint32_t p = 0; p < s->kind->inputs; p++)
        if (s->kind->ports[p].draw != DRAW_KEPT)
            fprintf(stderr, " %s", s->kind->ports[p].name);
    fputc('\n', stderr);
    return false;
}

bool stimuli_open(stimuli *s, const char *path, const block_kind *kind)
{
    static char line[LINE];
    memset(s, 0, sizeof *s);
    s->path = path;
    s->kind = kind;
    s->file = fopen(path, "r");
    if (!s->file) {
        fprintf(stderr, "%s: %s; name a file of stimuli\n", path, strerror(errno));
        return false;
    }
    for (char *word = words(s, line); word; word = strtok(NULL, " \t"))
        if (!column(s, word))
            return false;
    return s->count > 0 || fail(s, "the file is empty; write a line with names of inputs first");
}

static bool number(stimuli *s, const char *word, uint64_t *value)
{
    char *end;
    errno  = 0;
    *value = strtoull(word, &end, strncmp(word, "0x", 2) == 0 ? 16 : 10);
    if (*end || errno || *word == '-')
        return fail(s, "'%s' is not a number; write a decimal one or 0x..", word);
    return true;
}

uint64_t stimuli_next(stimuli *s, void *in)
{
    static char line[LINE];
    char       *word = words(s, line);
    uint64_t    clocks, value;
    if (!word || !number(s, word, &clocks))
        return 0;
    if (clocks == 0) {
        fail(s, "a line of 0 clocks; write at least 1");
        return 0;
    }
    for (uint32_t n = 0; n < s->count; n++) {
        const stimuli_column *c     = &s->columns[n];
        const uint32_t        width = c->port ? c->port->width : 1;
        const char           *name  = c->port ? c->port->name : "rst";
        word                        = strtok(NULL, " \t");
        if (!word) {
            fail(s, "%u values for %u columns; write the number of clocks, then a value for each", n, s->count);
            return 0;
        }
        if (!number(s, word, &value))
            return 0;
        if (width < 64 && value >> width) {
            fail(s, "%s does not fit in the %u bits of %s; write a smaller value", word, width, name);
            return 0;
        }
        if (!c->port)
            s->reset = value;
        for (uint32_t e = 0; c->port && e < (c->port->elements ? c->port->elements : 1); e++)
            if (c->element < 0 || (uint32_t)c->element == e)
                block_set(in, c->port, e, value);
    }
    if (strtok(NULL, " \t")) {
        fail(s, "more than %u values; remove what has no column", s->count);
        return 0;
    }
    return clocks;
}

void stimuli_close(stimuli *s)
{
    if (s->file)
        fclose(s->file);
}

// SPDX-License-Identifier: Apache-2.0
#include "mqd_dump.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char     *path;
    char           *message;
    size_t          size;
    totem_mqd_dump *dump;
    char            process[96], queue[96];
    uint32_t        line;
} reader;

static bool fail(const reader *r, const char *text)
{
    snprintf(r->message, r->size, "%s:%" PRIu32 ": %s", r->path, r->line, text);
    return false;
}

// The offset in front of dwords, as 00000020: (at least 4 digits), and where they begin; NULL: the line has none.
static const char *dwords_of(const char *line, uint32_t *offset)
{
    char *end;
    while (isspace((unsigned char)*line))
        line++;
    const unsigned long value = strtoul(line, &end, 16);
    if (!isxdigit((unsigned char)*line) || end - line < 4 || end - line > 8 || *end != ':')
        return NULL;
    *offset = (uint32_t)value;
    return end + 1;
}

// A line of words: a process, or a queue of it.
static void title(reader *r, char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strlen(line);
    while (length && (isspace((unsigned char)line[length - 1]) || line[length - 1] == ':'))
        line[--length] = 0;
    if (length == 0)
        return;
    const bool process = strncmp(line, "Process", 7) == 0;
    snprintf(process ? r->process : r->queue, sizeof r->queue, "%s", line);
    if (process)
        r->queue[0] = 0;
}

static bool begin(reader *r)
{
    totem_mqd_dump   *d    = r->dump;
    totem_mqd_dumped *more = realloc(d->descriptors, (d->count + 1) * sizeof *more);
    if (!more)
        return fail(r, "out of memory; give fewer descriptors");
    d->descriptors         = more;
    totem_mqd_dumped *last = &more[d->count++];
    *last                  = (totem_mqd_dumped){.line = r->line};
    snprintf(last->title, sizeof last->title, "%s%s%s", r->process, r->process[0] && r->queue[0] ? ", " : "", r->queue);
    return true;
}

static bool add(reader *r, totem_hex *hex, uint32_t word)
{
    uint32_t *words = realloc(hex->words, (hex->count + 1) * sizeof *words);
    hex->words      = words ? words : hex->words;
    uint32_t *lines = realloc(hex->lines, (hex->count + 1) * sizeof *lines);
    hex->lines      = lines ? lines : hex->lines;
    if (!words || !lines)
        return fail(r, "out of memory; give fewer descriptors");
    hex->lines[hex->count]   = r->line;
    hex->words[hex->count++] = word;
    return true;
}

static bool add_dwords(reader *r, uint32_t offset, const char *text)
{
    if (offset == 0 && !begin(r))
        return false;
    totem_hex *hex = r->dump->count ? &r->dump->descriptors[r->dump->count - 1].hex : NULL;
    if (!hex || offset != 4 * hex->count)
        return fail(r, "the offset does not follow that of the line before; give the dump whole, from offset 0 on");
    for (;;) {
        char *end;
        while (isspace((unsigned char)*text))
            text++;
        if (!*text)
            return true;
        const unsigned long value = strtoul(text, &end, 16);
        if (!isxdigit((unsigned char)*text) || end - text != 8 || (*end && !isspace((unsigned char)*end)))
            return fail(r, "not a hexadecimal dword of 8 digits behind the offset");
        if (!add(r, hex, (uint32_t)value))
            return false;
        text = end;
    }
}

bool totem_mqd_dump_read(const char *path, totem_mqd_dump *dump, char *message, size_t size)
{
    reader r    = {.path = path, .message = message, .size = size, .dump = dump};
    char  *line = NULL;
    size_t room = 0;
    bool   good = true;
    *dump       = (totem_mqd_dump){0};
    FILE *file  = fopen(path, "r");
    if (!file) {
        snprintf(message, size, "%s: %s; check the name and the rights", path, strerror(errno));
        return false;
    }
    while (good && getline(&line, &room, file) >= 0) {
        uint32_t    offset;
        const char *text = dwords_of(line, &offset);
        r.line++;
        if (text)
            good = add_dwords(&r, offset, text);
        else
            title(&r, line);
    }
    free(line);
    fclose(file);
    return good;
}

void totem_mqd_dump_free(totem_mqd_dump *dump)
{
    for (size_t n = 0; n < dump->count; n++)
        totem_hex_free(&dump->descriptors[n].hex);
    free(dump->descriptors);
    *dump = (totem_mqd_dump){0};
}

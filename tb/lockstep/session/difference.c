// SPDX-License-Identifier: Apache-2.0
//
// difference: see difference.h.

#include "difference.h"

#include <ctype.h>
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SHOWN = 4, LINES = 8, PS_PER_CLOCK = 1000, BEFORE = 12 };
// GTKWave's zoom is the binary logarithm of frames of 200 pixels a unit of time; the wave pane has some 1250.
static const double PIXELS = 1250, FRAME = 200;

static uint32_t count_of(const difference_signal *s)
{
    return s->elements ? s->elements : 1;
}

uint64_t difference_get(difference_side side, uint32_t width, uint32_t element)
{
    const size_t   bit = side.bit + element * side.stride, shift = bit % 8, count = (shift + width + 7) / 8;
    const uint8_t *bytes = (const uint8_t *)side.at + bit / 8; // the low bytes come first
    uint64_t       value = 0;
    memcpy(&value, bytes, count < 8 ? count : 8);
    value >>= shift;
    if (count > 8)
        value |= (uint64_t)bytes[8] << (64 - shift);
    return value & ~0ull >> (64 - width);
}

static uint64_t of_element(const difference_signal *s, difference_side side, uint32_t element)
{
    return difference_get(side, s->width, element);
}

bool difference_any(const difference_signal *s, difference_side model, difference_side rtl)
{
    for (uint32_t e = 0; e < count_of(s); e++)
        if (of_element(s, model, e) != of_element(s, rtl, e))
            return true;
    return false;
}

// A value in hex (below ten it is the same in decimal), with the names that it has.
static void value_words(char *to, size_t room, const difference_signal *s, uint64_t value)
{
    int used = s->width <= 3 ? snprintf(to, room, "%" PRIu64, value)
                             : snprintf(to, room, "0x%0*" PRIx64, (int)(s->width + 3) / 4, value);
    for (const difference_value *v = s->values; v && v->name; v++)
        if ((value >> v->low & ~0ull >> (63 - v->high + v->low)) == v->number && used < (int)room)
            used += snprintf(to + used, room - (size_t)used, " %s", v->name);
}

static void name_of(char *to, size_t room, const difference_signal *s, uint32_t element)
{
    if (s->elements)
        snprintf(to, room, "%s[%u]", s->name, element);
    else
        snprintf(to, room, "%s", s->name);
}

void difference_words(FILE *file, const char *kind, const difference_signal *s, difference_side model,
                      difference_side rtl)
{
    uint32_t found = 0;
    for (uint32_t e = 0; e < count_of(s); e++) {
        const uint64_t one = of_element(s, model, e), other = of_element(s, rtl, e), change = one ^ other;
        if (!change || ++found > SHOWN)
            continue;
        char name[80], ours[160], theirs[160];
        name_of(name, sizeof name, s, e);
        value_words(ours, sizeof ours, s, one);
        value_words(theirs, sizeof theirs, s, other);
        const int high = 63 - __builtin_clzll(change), low = __builtin_ctzll(change);
        char      bits[32] = "";
        if (s->width > 8 && high == low)
            snprintf(bits, sizeof bits, ", bit [%d]", low);
        else if (s->width > 8)
            snprintf(bits, sizeof bits, ", bits [%d:%d]", high, low);
        fprintf(file, "  %-6s %-26s model %-18s | RTL %s%s\n", kind, name, ours, theirs, bits);
    }
    if (found > SHOWN)
        fprintf(file, "  %-6s %s: %u more elements of %u\n", kind, s->name, found - SHOWN, s->elements);
}

// A line in which `name` or an element of it is assigned, not just kept (x_d = x_q, x_q <= x_d).
static bool assigns(const char *line, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = line; (at = strstr(at, name)); at += length) {
        const char *end = at + length;
        if ((at > line && (isalnum((unsigned char)at[-1]) || at[-1] == '_')) || isalnum((unsigned char)*end) ||
            *end == '_')
            continue;
        end += strspn(end, " ");
        for (int depth = 0; *end == '[' || depth > 0; end++)
            depth += *end == '\0' ? -depth : (*end == '[') - (*end == ']');
        end += strspn(end, " ");
        if (*end == '<')
            end++;
        if (*end != '=' || end[1] == '=')
            continue;
        end += 1 + strspn(end + 1, " ");
        // x_d and x_q differ in the last letter.
        return strncmp(end, name, length - 1) != 0 || end[length + strspn(end + length, " ")] != ';';
    }
    return false;
}

void difference_lines(FILE *file, const char *area, const char *block, const char *rtl_name)
{
    char   pattern[200], line[400], name[100];
    glob_t found;
    int    told = 0;
    snprintf(pattern, sizeof pattern, "rtl/%s/totem_%s*.v", area, block);
    snprintf(name, sizeof name, "%s", rtl_name);
    if (strlen(name) > 2 && strcmp(name + strlen(name) - 2, "_q") == 0)
        name[strlen(name) - 1] = 'd';
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t n = 0; n < found.gl_pathc; n++) {
        FILE *source = fopen(found.gl_pathv[n], "r");
        for (int number = 1; source && fgets(line, sizeof line, source); number++)
            if (assigns(line, name) && told++ < LINES)
                fprintf(file, "    %s:%d: %s", found.gl_pathv[n], number, line + strspn(line, " "));
        if (source)
            fclose(source);
    }
    if (told > LINES)
        fprintf(file, "    and %d more lines that assign %s\n", told - LINES, name);
    globfree(&found);
}

FILE *difference_view(const char *path, const char *trace, uint64_t first, uint64_t second)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return NULL;
    fprintf(file, "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n[size] 1600 900\n[pos] -1 -1\n", trace,
            first > BEFORE ? PS_PER_CLOCK * (first - BEFORE) : 0);
    fprintf(file, "*%f %" PRIu64, log2(PIXELS / FRAME / (DIFFERENCE_WINDOW * PS_PER_CLOCK)), PS_PER_CLOCK * first);
    if (second == first)
        fprintf(file, " -1");
    else
        fprintf(file, " %" PRIu64, PS_PER_CLOCK * second);
    for (int n = 1; n < 27; n++)
        fprintf(file, " -1");
    if (second != first)
        fprintf(file, "\n[markername_long] A seen");
    fprintf(file, "\n[sst_width] 200\n[signals_width] 320\n[sst_expanded] 1\n@24\n+{clock} TOP.clock[31:0]\n");
    return file;
}

void difference_title(FILE *file, const char *text)
{
    fprintf(file, "@200\n-%s\n", text);
}

void difference_wave(FILE *file, const char *alias, const char *name, uint32_t bits)
{
    if (bits == 1)
        fprintf(file, "@28\n+{%s} %s\n", alias, name);
    else
        fprintf(file, "@22\n+{%s} %s[%u:0]\n", alias, name, bits - 1);
}

// Some bits of a vector; GTKWave numbers them from its most significant one.
static void part(FILE *file, const char *alias, const char *name, uint32_t bits, uint32_t low, uint32_t width)
{
    if (bits == width) {
        difference_wave(file, alias, name, bits);
        return;
    }
    fprintf(file, "@%s\n#{%s}", width == 1 ? "28" : "22", alias);
    for (uint32_t n = width; n-- > 0;)
        fprintf(file, " (%u)%s[%u:0]", bits - 1 - low - n, name, bits - 1);
    fputc('\n', file);
}

void difference_waves(FILE *file, const difference_signal *s, difference_side model, difference_side rtl,
                      const char *model_scope, const char *rtl_scope)
{
    const uint32_t bits  = count_of(s) * s->width;
    uint32_t       found = 0;
    for (uint32_t e = 0; e < count_of(s); e++) {
        if (of_element(s, model, e) == of_element(s, rtl, e) || ++found > SHOWN)
            continue;
        char name[80], alias[100], path[400];
        name_of(name, sizeof name, s, e);
        snprintf(alias, sizeof alias, "%s model", name);
        snprintf(path, sizeof path, "%s.%s", model_scope, s->name);
        part(file, alias, path, bits, e * s->width, s->width);
        snprintf(alias, sizeof alias, "%s RTL", name);
        snprintf(path, sizeof path, "%s.%s", rtl_scope, s->rtl);
        part(file, alias, path, bits, e * s->width, s->width);
    }
}

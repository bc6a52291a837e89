// SPDX-License-Identifier: Apache-2.0
//
// stream: see stream.h.

#include "stream.h"

#include "../../cmodel/packet/totem_pm4.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(TOTEM_REGISTERS == TOTEM_CONTEXT_REGISTERS, "a set is what a stream writes");

static bool writes_context(unsigned op)
{
    return op == TOTEM_OP_CONTEXT_REG_RMW || op == TOTEM_OP_SET_CONTEXT_REG || op == TOTEM_OP_SET_CONTEXT_REG_INDEX ||
           op == TOTEM_OP_SET_CONTEXT_REG_PAIRS || op == TOTEM_OP_SET_CONTEXT_REG_PAIRS_PACKED;
}

// The next line of the other decoder that is a context write: its dword and value. P dword opcode name body_dwords,
// then R dword register value for each register.
static bool next_golden(FILE *file, unsigned *op, size_t *dword, uint32_t *value)
{
    char line[256];
    while (fgets(line, sizeof line, file)) {
        if (line[0] != 'P' && line[0] != 'R')
            continue;
        char *rest;
        *dword = strtoul(line + 1, &rest, 10);
        if (line[0] == 'P') {
            *op = (unsigned)strtoul(rest, NULL, 16);
            continue;
        }
        const char *last = strrchr(line, ' ');
        *value           = last ? (uint32_t)strtoul(last, NULL, 16) : 0;
        if (writes_context(*op))
            return true;
    }
    return false;
}

// The writes of the packets from `first` on against what the other decoder printed: the same ones, in the same order.
static bool compare_golden(const totem_context_stream *s, size_t first, size_t start, const char *path, size_t *golden,
                           char *message, size_t size)
{
    char   name[512];
    size_t stem = strlen(path) > 4 ? strlen(path) - 4 : 0;
    snprintf(name, sizeof name, "%.*s.golden.txt", (int)stem, path);
    FILE *file = fopen(name, "r");
    if (!file)
        return true;
    unsigned op    = 0;
    size_t   dword = 0;
    uint32_t value = 0;
    bool     good  = true;
    for (size_t p = first; good && p < s->packets; p++)
        for (uint32_t n = 0; good && n < s->packet[p].writes; n++) {
            const totem_context_write *write = &s->write[s->packet[p].first + n];
            const size_t               ours  = s->packet[p].at + write->dword - start;
            if (!next_golden(file, &op, &dword, &value)) {
                snprintf(message, size, "%s: the context write of dword %zu is not in %s", path, ours, name);
                good = false;
            } else if (dword != ours || value != write->data) {
                snprintf(message, size, "%s: dword %zu writes %08" PRIx32 ", in %s dword %zu writes %08" PRIx32, path,
                         ours, write->data, name, dword, value);
                good = false;
            }
            *golden += good;
        }
    if (good && next_golden(file, &op, &dword, &value)) {
        snprintf(message, size, "%s: has no context write of dword %zu, which is in %s", path, dword, name);
        good = false;
    }
    fclose(file);
    return good;
}

bool stream_read(totem_context_stream *s, const char *const *paths, size_t count, size_t *golden, bool *added,
                 char *message, size_t size)
{
    *s      = (totem_context_stream){0};
    *golden = 0;
    for (size_t n = 0; n < count; n++) {
        const size_t first = s->packets, start = s->dwords;
        totem_hex    hex;
        if (!totem_hex_read(paths[n], &hex, message, size)) {
            totem_context_free(s);
            return false;
        }
        const bool good = totem_context_add(s, paths[n], &hex, message, size);
        totem_hex_free(&hex);
        if (!good)
            return false;
        if (!compare_golden(s, first, start, paths[n], golden, message, size)) {
            totem_context_free(s);
            return false;
        }
    }
    *added = s->draws == 0;
    if (*added) {
        s->packet[s->packets++] = (totem_context_packet){.kind   = TOTEM_CONTEXT_DRAW,
                                                         .op     = TOTEM_OP_DRAW_INDEX_AUTO,
                                                         .at     = (uint32_t)s->dwords,
                                                         .dwords = STREAM_DRAW_DWORDS,
                                                         .first  = (uint32_t)s->writes};
        s->dwords += STREAM_DRAW_DWORDS;
        s->draws = 1;
    }
    return true;
}

bool stream_table(uint32_t *table, const char *path, char *message, size_t size)
{
    totem_context_stream s;
    size_t               golden;
    bool                 added;
    if (!stream_read(&s, &path, 1, &golden, &added, message, size))
        return false;
    totem_context_table(table, &s);
    totem_context_free(&s);
    return true;
}

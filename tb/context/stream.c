// SPDX-License-Identifier: Apache-2.0
//
// stream: see stream.h.

#include "stream.h"

#include "../../cmodel/tool/pm4_decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Opcodes (rtl/packet/pm4.yaml has the names).
enum {
    OP_CLEAR_STATE              = 0x12,
    OP_DISPATCH_DIRECT          = 0x15,
    OP_DISPATCH_INDIRECT        = 0x16,
    OP_COND_EXEC                = 0x22,
    OP_DRAW_INDIRECT            = 0x24,
    OP_DRAW_INDEX_INDIRECT      = 0x25,
    OP_DRAW_INDEX_2             = 0x27,
    OP_DRAW_INDIRECT_MULTI      = 0x2c,
    OP_DRAW_INDEX_AUTO          = 0x2d,
    OP_DRAW_INDEX_OFFSET_2      = 0x35,
    OP_DRAW_INDEX_INDIRECT_MORE = 0x38,
    OP_WAIT_REG_MEM             = 0x3c,
    OP_INDIRECT_BUFFER          = 0x3f,
    OP_CP_DMA                   = 0x41,
    OP_EVENT_WRITE              = 0x46,
    OP_RELEASE_MEM              = 0x49,
    OP_DMA_DATA                 = 0x50,
    OP_CONTEXT_REG_RMW          = 0x51,
    OP_ACQUIRE_MEM              = 0x58,
    OP_LOAD_CONTEXT_REG         = 0x61,
    OP_SET_CONTEXT_REG          = 0x69,
    OP_SET_CONTEXT_REG_INDEX    = 0x6a,
    OP_LOAD_CONTEXT_REG_INDEX   = 0x9f,
    OP_CONTEXT_REG_PAIRS        = 0xb8,
    OP_CONTEXT_REG_PACKED       = 0xb9,
};

static packet_kind kind_of(const totem_pm4_packet *packet)
{
    if (packet->type != 3)
        return PACKET_OTHER;
    switch (packet->op) {
    case OP_CLEAR_STATE: return PACKET_CLEAR;
    case OP_DISPATCH_DIRECT:
    case OP_DISPATCH_INDIRECT: return PACKET_DISPATCH;
    case OP_DRAW_INDIRECT:
    case OP_DRAW_INDEX_INDIRECT:
    case OP_DRAW_INDEX_2:
    case OP_DRAW_INDIRECT_MULTI:
    case OP_DRAW_INDEX_AUTO:
    case OP_DRAW_INDEX_OFFSET_2:
    case OP_DRAW_INDEX_INDIRECT_MORE: return PACKET_DRAW;
    case OP_COND_EXEC:
    case OP_WAIT_REG_MEM:
    case OP_INDIRECT_BUFFER:
    case OP_CP_DMA:
    case OP_EVENT_WRITE:
    case OP_RELEASE_MEM:
    case OP_DMA_DATA:
    case OP_ACQUIRE_MEM: return PACKET_BARRIER;
    case OP_LOAD_CONTEXT_REG:
    case OP_LOAD_CONTEXT_REG_INDEX: return PACKET_LOAD;
    case OP_CONTEXT_REG_RMW:
    case OP_SET_CONTEXT_REG:
    case OP_SET_CONTEXT_REG_INDEX:
    case OP_CONTEXT_REG_PAIRS:
    case OP_CONTEXT_REG_PACKED: return PACKET_WRITES;
    default: return PACKET_OTHER;
    }
}

static void add_write(stream *s, uint32_t index, uint32_t data, uint32_t mask, uint32_t dword)
{
    s->write[s->writes++] = (stream_write){index & 0xffffu, data, mask, dword};
}

// The writes of a packet of n dwords.
static void add_writes(stream *s, uint8_t op, const uint32_t *body, uint32_t n)
{
    const uint32_t all = UINT32_MAX;
    if (op == OP_CONTEXT_REG_RMW) {
        add_write(s, body[1], body[3], body[2], 3);
    } else if (op == OP_CONTEXT_REG_PAIRS) {
        for (uint32_t d = 1; d + 1 < n; d += 2)
            add_write(s, body[d], body[d + 1], all, d + 1);
    } else if (op == OP_CONTEXT_REG_PACKED) {
        for (uint32_t d = 2; d + 2 < n; d += 3) {
            add_write(s, body[d], body[d + 1], all, d + 1);
            add_write(s, body[d] >> 16, body[d + 2], all, d + 2);
        }
    } else {
        for (uint32_t d = 2; d < n; d++)
            add_write(s, body[1] + d - 2, body[d], all, d);
    }
}

static bool cut(stream *s, const char *path, const totem_hex *hex, char *message, size_t size)
{
    for (size_t at = 0; at < hex->count;) {
        totem_pm4_packet packet;
        totem_pm4_cut(hex->words, hex->count, at, true, &packet);
        if (packet.fault != TOTEM_PM4_SOUND) {
            char why[256];
            totem_pm4_explain(&packet, why, sizeof why);
            snprintf(message, size, "%s:%" PRIu32 ": %s", path, hex->lines[at], why);
            return false;
        }
        stream_packet *to = &s->packet[s->packets++];
        *to               = (stream_packet){kind_of(&packet),        packet.op,           (uint32_t)(s->dwords + at),
                                            (uint32_t)packet.dwords, (uint32_t)s->writes, 0};
        if (to->kind == PACKET_WRITES)
            add_writes(s, packet.op, hex->words + at, to->dwords);
        to->writes = (uint32_t)s->writes - to->first;
        s->draws += to->kind == PACKET_DRAW;
        s->dispatches += to->kind == PACKET_DISPATCH;
        at += packet.dwords;
    }
    return true;
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
        if (kind_of(&(totem_pm4_packet){.type = 3, .op = (uint8_t)*op}) == PACKET_WRITES)
            return true;
    }
    return false;
}

// The writes of the packets from `first` on against what the other decoder printed: the same ones, in the same order.
static bool compare_golden(const stream *s, size_t first, const char *path, size_t *golden, char *message, size_t size)
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
            const stream_write *write = &s->write[s->packet[p].first + n];
            const size_t        ours  = s->packet[p].at + write->dword - s->dwords;
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

static void *grown(void *old, size_t count, size_t each)
{
    void *new = realloc(old, count * each);
    if (!new) {
        fprintf(stderr, "no memory for the stream\n");
        exit(2);
    }
    return new;
}

bool stream_read(stream *s, const char *const *paths, size_t count, size_t *golden, char *message, size_t size)
{
    bool good = true;
    *s        = (stream){0};
    *golden   = 0;
    for (size_t n = 0; good && n < count; n++) {
        totem_hex hex;
        if (!totem_hex_read(paths[n], &hex, message, size)) {
            stream_free(s);
            return false;
        }
        size_t first = s->packets;
        s->packet    = grown(s->packet, s->packets + hex.count + 1, sizeof *s->packet);
        s->write     = grown(s->write, s->writes + hex.count + 1, sizeof *s->write);
        good = cut(s, paths[n], &hex, message, size) && compare_golden(s, first, paths[n], golden, message, size);
        s->dwords += hex.count;
        totem_hex_free(&hex);
    }
    if (!good) {
        stream_free(s);
        return false;
    }
    s->added = s->draws == 0;
    if (s->added) {
        s->packet[s->packets++] = (stream_packet){PACKET_DRAW,        OP_DRAW_INDEX_AUTO,  (uint32_t)s->dwords,
                                                  STREAM_DRAW_DWORDS, (uint32_t)s->writes, 0};
        s->dwords += STREAM_DRAW_DWORDS;
        s->draws = 1;
    }
    return true;
}

void stream_free(stream *s)
{
    free(s->packet);
    free(s->write);
    *s = (stream){0};
}

bool stream_table(uint32_t *table, const char *path, char *message, size_t size)
{
    stream s;
    size_t golden;
    memset(table, 0, TOTEM_REGISTERS * sizeof *table);
    if (!stream_read(&s, &path, 1, &golden, message, size))
        return false;
    for (size_t n = 0; n < s.writes; n++)
        if (s.write[n].index < TOTEM_REGISTERS)
            table[s.write[n].index] = s.write[n].data;
    stream_free(&s);
    return true;
}

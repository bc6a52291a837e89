// SPDX-License-Identifier: Apache-2.0
#include "pm4_context.h"

#include "../packet/totem_pm4.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static totem_context_kind kind_of(uint8_t op)
{
    switch (op) {
    case TOTEM_OP_CLEAR_STATE: return TOTEM_CONTEXT_CLEAR;
    case TOTEM_OP_DISPATCH_DIRECT:
    case TOTEM_OP_DISPATCH_INDIRECT: return TOTEM_CONTEXT_DISPATCH;
    case TOTEM_OP_DRAW_INDIRECT:
    case TOTEM_OP_DRAW_INDEX_INDIRECT:
    case TOTEM_OP_DRAW_INDEX_2:
    case TOTEM_OP_DRAW_INDIRECT_MULTI:
    case TOTEM_OP_DRAW_INDEX_AUTO:
    case TOTEM_OP_DRAW_INDEX_OFFSET_2:
    case TOTEM_OP_DRAW_INDEX_INDIRECT_MULTI: return TOTEM_CONTEXT_DRAW;
    case TOTEM_OP_CONTEXT_REG_RMW:
    case TOTEM_OP_SET_CONTEXT_REG:
    case TOTEM_OP_SET_CONTEXT_REG_INDEX:
    case TOTEM_OP_SET_CONTEXT_REG_PAIRS:
    case TOTEM_OP_SET_CONTEXT_REG_PAIRS_PACKED:
    case TOTEM_OP_LOAD_CONTEXT_REG:
    case TOTEM_OP_LOAD_CONTEXT_REG_INDEX: return TOTEM_CONTEXT_WRITES;
    // In a buffer that is not at hand.
    case TOTEM_OP_SET_CONTEXT_REG_INDIRECT:
    case TOTEM_OP_INDIRECT_BUFFER:
    case TOTEM_OP_INDIRECT_BUFFER_PRIV:
    case TOTEM_OP_INDIRECT_BUFFER_CNST:
    case TOTEM_OP_INDIRECT_BUFFER_PASID:
    case TOTEM_OP_CONTEXT_PUSH:
    case TOTEM_OP_CONTEXT_POP:
    case TOTEM_OP_EXECUTE_INDIRECT:
    case TOTEM_OP_EXECUTE_INDIRECT_V2: return TOTEM_CONTEXT_LOSS;
    // Order: events, waits, copies, conditions, and draws that a graphics queue only counts.
    case TOTEM_OP_EVENT_WRITE:
    case TOTEM_OP_EVENT_WRITE_EOP:
    case TOTEM_OP_EVENT_WRITE_EOS:
    case TOTEM_OP_EVENT_WRITE_ZPASS:
    case TOTEM_OP_RELEASE_MEM:
    case TOTEM_OP_ACQUIRE_MEM:
    case TOTEM_OP_SURFACE_SYNC:
    case TOTEM_OP_WAIT_REG_MEM:
    case TOTEM_OP_WAIT_REG_MEM64:
    case TOTEM_OP_WAIT_ON_CE_COUNTER:
    case TOTEM_OP_WAIT_ON_DE_COUNTER_DIFF:
    case TOTEM_OP_WAIT_TIMER:
    case TOTEM_OP_WAIT_FOR_WRITE_CONFIRM:
    case TOTEM_OP_FENCE_WAIT_MULTI:
    case TOTEM_OP_MEM_SEMAPHORE:
    case TOTEM_OP_REWIND:
    case TOTEM_OP_COPY_DATA:
    case TOTEM_OP_CP_DMA:
    case TOTEM_OP_DMA_DATA:
    case TOTEM_OP_DMA_DATA_FILL_MULTI:
    case TOTEM_OP_COND_EXEC:
    case TOTEM_OP_PRED_EXEC:
    case TOTEM_OP_DRAW_INDEX_MULTI_AUTO:
    case TOTEM_OP_DRAW_INDEX_MULTI_INST:
    case TOTEM_OP_DRAW_INDIRECT_COUNT_MULTI:
    case TOTEM_OP_DRAW_INDEX_INDIRECT_COUNT_MULTI:
    case TOTEM_OP_DISPATCH_MESH_DIRECT:
    case TOTEM_OP_DISPATCH_MESH_INDIRECT_MULTI:
    case TOTEM_OP_DISPATCH_TASKMESH_GFX:
    case TOTEM_OP_DISPATCH_DRAW:
    case TOTEM_OP_UBER_DRAWS: return TOTEM_CONTEXT_BARRIER;
    default: return TOTEM_CONTEXT_OTHER;
    }
}

static void add_write(totem_context_stream *s, uint32_t index, uint32_t data, uint32_t mask, uint32_t dword)
{
    s->write[s->writes++] = (totem_context_write){index & 0xffffu, data, mask, dword, 0};
}

static void add_load(totem_context_stream *s, uint32_t index, uint32_t count, uint32_t dword)
{
    if ((count & 0x3fffu) != 0)
        s->write[s->writes++] = (totem_context_write){index & 0xffffu, 0, 0, dword, count & 0x3fffu};
}

// A LOAD packet of n dwords. Offsets in memory, or an address that is none, may mean every register.
static void add_loads(totem_context_stream *s, uint8_t op, const uint32_t *body, uint32_t n)
{
    if (op == TOTEM_OP_LOAD_CONTEXT_REG)
        for (uint32_t d = 3; d + 1 < n; d += 2)
            add_load(s, body[d], body[d + 1], d);
    else if (body[3] >> 31 != 0) // data_format
        add_load(s, 0, (body[4] & 0x3fffu) != 0 ? TOTEM_CONTEXT_REGISTERS : 0, 4);
    else
        add_load(s, body[3], body[4], 3);
}

// The writes of a packet of n dwords.
static void add_writes(totem_context_stream *s, uint8_t op, const uint32_t *body, uint32_t n)
{
    const uint32_t all = UINT32_MAX;
    if (op == TOTEM_OP_LOAD_CONTEXT_REG || op == TOTEM_OP_LOAD_CONTEXT_REG_INDEX) {
        add_loads(s, op, body, n);
    } else if (op == TOTEM_OP_CONTEXT_REG_RMW) {
        if (n == 4)
            add_write(s, body[1], body[3], body[2], 3);
    } else if (op == TOTEM_OP_SET_CONTEXT_REG_PAIRS) {
        for (uint32_t d = 1; d + 1 < n; d += 2)
            add_write(s, body[d], body[d + 1], all, d + 1);
    } else if (op == TOTEM_OP_SET_CONTEXT_REG_PAIRS_PACKED) {
        for (uint32_t d = 2; d + 2 < n; d += 3) {
            add_write(s, body[d], body[d + 1], all, d + 1);
            add_write(s, body[d] >> 16, body[d + 2], all, d + 2);
        }
    } else {
        for (uint32_t d = 2; d < n; d++)
            add_write(s, (body[1] & 0xffffu) + d - 2, body[d], all, d);
    }
}

// What a graphics pipe would halt at, beside what the decoder calls a fault. False: `why` says it, and the remedy.
static bool accepted(const totem_context_stream *s, const totem_pm4_packet *packet, const uint32_t *body, char *why,
                     size_t size)
{
    if (packet->type == 3 && packet->op == TOTEM_OP_CONTEXT_BOUNCE) {
        snprintf(why, size, "CONTEXT_BOUNCE: the stream is bounced already; give the one that it was made from");
        return false;
    }
    if (packet->type == 3 && packet->op == TOTEM_OP_CLEAR_STATE && (packet->dwords < 2 || body[1] & 0xfu)) {
        snprintf(why, size, "CLEAR_STATE with command %" PRIu32 "; Totem knows 0 only, clear", body[1] & 0xfu);
        return false;
    }
    if (packet->type == 3 && packet->op == TOTEM_OP_LOAD_CONTEXT_REG_INDEX && body[1] & 3u && body[4] & 0x3fffu) {
        snprintf(why, size, "LOAD_CONTEXT_REG_INDEX with index %" PRIu32 "; Totem knows 0 only, an address",
                 body[1] & 3u);
        return false;
    }
    const totem_context_packet *last = &s->packet[s->packets - 1];
    for (uint32_t n = 0; n < last->writes; n++) {
        const totem_context_write *write = &s->write[last->first + n];
        if (write->index + (write->loaded ? write->loaded - 1 : 0) < TOTEM_CONTEXT_REGISTERS)
            continue;
        snprintf(why, size,
                 "%s writes offset 0x%" PRIx32 ", outside the 1024 context registers; correct its offset or its count",
                 packet->name, write->index + (write->loaded ? write->loaded - 1 : 0));
        return false;
    }
    return true;
}

static bool cut(totem_context_stream *s, const char *path, const totem_hex *hex, char *message, size_t size)
{
    size_t condition = 0; // packets before this dword are executed if a COND_EXEC finds its condition true
    for (size_t at = 0; at < hex->count;) {
        const uint32_t  *body = hex->words + at;
        totem_pm4_packet packet;
        char             why[256];
        totem_pm4_cut(hex->words, hex->count, at, true, &packet);
        totem_pm4_explain(&packet, why, sizeof why);
        totem_context_packet *to = &s->packet[s->packets++];

        *to      = (totem_context_packet){.op     = packet.op,
                                          .at     = (uint32_t)(s->dwords + at),
                                          .dwords = (uint32_t)packet.dwords,
                                          .first  = (uint32_t)s->writes};
        to->kind = packet.type == 3 ? kind_of(packet.op) : TOTEM_CONTEXT_OTHER;
        if (packet.fault == TOTEM_PM4_SOUND && to->kind == TOTEM_CONTEXT_WRITES)
            add_writes(s, packet.op, body, (uint32_t)packet.dwords);
        to->writes = (uint32_t)s->writes - to->first;
        if (packet.fault != TOTEM_PM4_SOUND || !accepted(s, &packet, body, why, sizeof why)) {
            snprintf(message, size, "%s:%" PRIu32 ": dword %zu: %s", path, hex->lines[at], at, why);
            return false;
        }
        // A chain does not come back: what follows here is what it leads to.
        if (packet.type == 3 && packet.op == TOTEM_OP_INDIRECT_BUFFER && packet.dwords == 4 &&
            body[3] >> TOTEM_PM4_INDIRECT_BUFFER_CHAIN_LSB & 1u)
            to->kind = TOTEM_CONTEXT_BARRIER;
        if (at < condition && (to->kind == TOTEM_CONTEXT_WRITES || to->kind == TOTEM_CONTEXT_CLEAR)) {
            to->kind   = TOTEM_CONTEXT_LOSS;
            to->writes = 0;
        }
        if (packet.type == 3 && packet.op == TOTEM_OP_COND_EXEC && packet.dwords == 5)
            condition = at + 5 + (body[4] & TOTEM_PM4_COND_EXEC_EXEC_COUNT_MASK);
        if (packet.type == 3 && packet.op == TOTEM_OP_PRED_EXEC && packet.dwords == 2)
            condition = at + 2 + (body[1] & TOTEM_PM4_COND_EXEC_EXEC_COUNT_MASK);
        s->draws += to->kind == TOTEM_CONTEXT_DRAW;
        s->dispatches += to->kind == TOTEM_CONTEXT_DISPATCH;
        at += packet.dwords;
    }
    s->dwords += hex->count;
    return true;
}

bool totem_context_add(totem_context_stream *s, const char *path, const totem_hex *hex, char *message, size_t size)
{
    // A packet and a write each take a dword at least; one packet more, for what a caller adds.
    totem_context_packet *packet = realloc(s->packet, (s->packets + hex->count + 1) * sizeof *packet);
    if (packet)
        s->packet = packet;
    totem_context_write *write = realloc(s->write, (s->writes + hex->count + 1) * sizeof *write);
    if (write)
        s->write = write;
    const bool room = packet && write;
    if (!room)
        snprintf(message, size, "%s: out of memory; split the file", path);
    if (room && cut(s, path, hex, message, size))
        return true;
    totem_context_free(s);
    return false;
}

void totem_context_free(totem_context_stream *s)
{
    free(s->packet);
    free(s->write);
    *s = (totem_context_stream){0};
}

void totem_context_table(uint32_t table[TOTEM_CONTEXT_REGISTERS], const totem_context_stream *s)
{
    memset(table, 0, TOTEM_CONTEXT_REGISTERS * sizeof *table);
    for (size_t n = 0; n < s->writes; n++)
        if (!s->write[n].loaded)
            table[s->write[n].index] = s->write[n].data;
}

void totem_context_begin(totem_context_shadow *shadow)
{
    *shadow = (totem_context_shadow){.unknown = TOTEM_CONTEXT_REGISTERS};
}

static void set_known(totem_context_shadow *shadow, uint32_t index, bool known)
{
    shadow->unknown += (uint32_t)shadow->known[index] - (uint32_t)known;
    shadow->known[index] = known;
}

void totem_context_apply(totem_context_shadow *shadow, const totem_context_stream *s,
                         const totem_context_packet *packet, const uint32_t *table)
{
    if (packet->kind == TOTEM_CONTEXT_CLEAR && table)
        memcpy(shadow->value, table, sizeof shadow->value);
    if (packet->kind == TOTEM_CONTEXT_CLEAR || packet->kind == TOTEM_CONTEXT_LOSS)
        for (uint32_t x = 0; x < TOTEM_CONTEXT_REGISTERS; x++)
            set_known(shadow, x, packet->kind == TOTEM_CONTEXT_CLEAR && table);
    for (uint32_t n = 0; n < packet->writes; n++) {
        const totem_context_write *write = &s->write[packet->first + n];
        uint32_t                  *value = &shadow->value[write->index];
        for (uint32_t x = 0; x < write->loaded; x++)
            set_known(shadow, write->index + x, false);
        *value = (*value & ~write->mask) | (write->data & write->mask);
        if (write->mask == UINT32_MAX)
            set_known(shadow, write->index, true);
    }
}

uint64_t totem_context_mix(uint32_t index, uint32_t value)
{
    uint64_t x = (uint64_t)index << 32 | value;
    x          = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x          = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t totem_context_digest(const uint32_t value[TOTEM_CONTEXT_REGISTERS])
{
    uint64_t digest = 0;
    for (uint32_t x = 0; x < TOTEM_CONTEXT_REGISTERS; x++)
        digest ^= totem_context_mix(x, value[x]);
    return digest;
}

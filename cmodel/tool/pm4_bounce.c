// SPDX-License-Identifier: Apache-2.0
#include "pm4_bounce.h"

#include "../packet/totem_pm4.h"

#include <inttypes.h>
#include <stdlib.h>
#include <xxhash.h>

enum { MOST_DWORDS = 0x3fff, LINE_DWORDS = 12 }; // of a group: 14 bits; of a line of the output

uint64_t totem_bounce_hash(const uint32_t value[TOTEM_CONTEXT_REGISTERS])
{
    uint8_t bytes[TOTEM_CONTEXT_REGISTERS][4];
    for (uint32_t x = 0; x < TOTEM_CONTEXT_REGISTERS; x++)
        for (unsigned n = 0; n < 4; n++)
            bytes[x][n] = (uint8_t)(value[x] >> 8 * n);
    return XXH64(bytes, sizeof bytes, 0);
}

static bool begin(totem_bounce_plan *plan, size_t items)
{
    *plan = (totem_bounce_plan){.item = calloc(items + 1, sizeof *plan->item)};
    return plan->item != NULL;
}

bool totem_bounce_plain(totem_bounce_plan *plan, const totem_context_stream *s)
{
    if (!begin(plan, s->packets))
        return false;
    for (uint32_t n = 0; n < s->packets; n++)
        plan->item[plan->items++] = (totem_bounce_item){.packet = n};
    return true;
}

// The writes from packet `first` to the next draw.
typedef struct {
    uint32_t place;   // the group comes in front of this packet: the draw, or a barrier before it
    uint32_t dwords;  // of the packets with writes
    bool     drawn;   // there is a draw
    bool     crossed; // a barrier between the first and the last of them
    bool     apart;
} reach;

static reach look_ahead(const totem_context_stream *s, uint32_t first)
{
    reach    found   = {0};
    uint32_t barrier = 0, last = first;
    for (uint32_t n = first; n < s->packets && !found.drawn; n++) {
        const totem_context_packet *packet = &s->packet[n];
        if (packet->kind == TOTEM_CONTEXT_WRITES) {
            found.crossed |= barrier != 0;
            found.apart |= n > last + 1;
            found.dwords += packet->dwords;
            last = n;
        } else if (packet->kind != TOTEM_CONTEXT_OTHER && !barrier) {
            barrier = n;
        }
        found.drawn = packet->kind == TOTEM_CONTEXT_DRAW;
    }
    found.place = barrier;
    return found;
}

// Whether the group from packet `first` on can stand behind a CONTEXT_BOUNCE; counts it. Its hash is that of the
// registers behind it, so what it loads must be overwritten in it; then it does not matter when it is loaded.
static bool decide(totem_bounce_plan *plan, const reach *ahead, const totem_context_stream *s, uint32_t first,
                   totem_context_shadow shadow)
{
    if (!ahead->drawn)
        return false;
    for (uint32_t n = first; n < ahead->place; n++)
        if (s->packet[n].kind == TOTEM_CONTEXT_WRITES)
            totem_context_apply(&shadow, s, &s->packet[n], NULL);
    plan->groups++;
    if (ahead->crossed)
        plan->crossed++;
    else if (shadow.unknown)
        plan->unknown++;
    else if (ahead->dwords > MOST_DWORDS)
        plan->large++;
    else {
        plan->bounced++;
        plan->moved += ahead->apart;
        return true;
    }
    return false;
}

// CONTEXT_BOUNCE and the writes among the packets from `first` to `place`.
static void add_group(totem_bounce_plan *plan, const totem_context_stream *s, uint32_t first, uint32_t place,
                      const totem_context_shadow *shadow)
{
    totem_bounce_item *header = &plan->item[plan->items++];
    *header                   = (totem_bounce_item){.bounce = true, .hash = totem_bounce_hash(shadow->value)};
    for (uint32_t n = first; n < place; n++) {
        if (s->packet[n].kind != TOTEM_CONTEXT_WRITES)
            continue;
        plan->item[plan->items++] = (totem_bounce_item){.packet = n};
        header->packets++;
        header->dwords += s->packet[n].dwords;
    }
    plan->item[plan->items - 1].last = true;
}

bool totem_bounce_make(totem_bounce_plan *plan, const totem_context_stream *s, const uint32_t *table)
{
    const uint32_t       none = UINT32_MAX;
    totem_context_shadow shadow;
    if (!begin(plan, 2 * s->packets)) // at most a CONTEXT_BOUNCE for each packet
        return false;
    totem_context_begin(&shadow);
    bool plain = false; // the writes up to the next draw stay where they are
    for (uint32_t n = 0, first = none, place = 0; n < s->packets; n++) {
        const totem_context_packet *packet = &s->packet[n];
        if (packet->kind == TOTEM_CONTEXT_WRITES && first == none && !plain) {
            const reach ahead = look_ahead(s, n);
            plain             = !decide(plan, &ahead, s, n, shadow);
            first             = plain ? none : n;
            place             = ahead.place;
        }
        if (first != none && n == place) {
            add_group(plan, s, first, place, &shadow);
            first = none;
        }
        totem_context_apply(&shadow, s, packet, table);
        if (first == none || packet->kind != TOTEM_CONTEXT_WRITES)
            plan->item[plan->items++] = (totem_bounce_item){.packet = n};
        if (packet->kind == TOTEM_CONTEXT_DRAW)
            plain = false;
    }
    return true;
}

void totem_bounce_free(totem_bounce_plan *plan)
{
    free(plan->item);
    *plan = (totem_bounce_plan){0};
}

static void write_dwords(FILE *out, const uint32_t *words, size_t count)
{
    for (size_t n = 0; n < count; n++)
        fprintf(out, "%08" PRIx32 "%c", words[n], n + 1 == count || n % LINE_DWORDS == LINE_DWORDS - 1 ? '\n' : ' ');
}

void totem_bounce_write(FILE *out, const totem_bounce_plan *plan, const totem_context_stream *s, const uint32_t *words)
{
    const uint32_t header = 3u << TOTEM_PM4_HEADER_TYPE_LSB | (TOTEM_BOUNCE_DWORDS - 2u) << TOTEM_PM4_HEADER_COUNT_LSB |
                            TOTEM_OP_CONTEXT_BOUNCE << TOTEM_PM4_HEADER_OPCODE_LSB;
    for (size_t n = 0; n < plan->items; n++) {
        const totem_bounce_item    *item                        = &plan->item[n];
        const totem_context_packet *packet                      = &s->packet[item->packet];
        const uint32_t              bounce[TOTEM_BOUNCE_DWORDS] = {header, item->dwords, (uint32_t)item->hash,
                                                                   (uint32_t)(item->hash >> 32)};
        if (item->bounce)
            write_dwords(out, bounce, TOTEM_BOUNCE_DWORDS);
        else
            write_dwords(out, words + packet->at, packet->dwords);
    }
}

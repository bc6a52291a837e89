// SPDX-License-Identifier: Apache-2.0
//
// program: see program.h.

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void *zeros(size_t count, size_t each)
{
    void *words = calloc(count, each);
    if (!words) {
        fprintf(stderr, "no memory for the program\n");
        exit(2);
    }
    return words;
}

uint64_t program_hash(const uint32_t *state)
{
    return XXH64(state, TOTEM_REGISTERS * sizeof *state, 0);
}

static void apply(const stream *s, const stream_packet *packet, const uint32_t *table, uint32_t *state, bool *known)
{
    if (packet->kind == PACKET_CLEAR) {
        memcpy(state, table, sizeof(registers));
        memset(known, 1, TOTEM_REGISTERS);
    }
    if (packet->kind == PACKET_LOAD)
        memset(known, 0, TOTEM_REGISTERS);
    for (uint32_t n = 0; n < packet->writes; n++) {
        const stream_write *write = &s->write[packet->first + n];
        if (write->index >= TOTEM_REGISTERS)
            continue;
        state[write->index] = (state[write->index] & ~write->mask) | (write->data & write->mask);
        known[write->index] |= write->mask == UINT32_MAX;
    }
}

registers *program_replay(const stream *s, const uint32_t *table)
{
    registers *at = zeros(s->draws + s->dispatches, sizeof *at), state = {0};
    bool       known[TOTEM_REGISTERS] = {0};
    size_t     use                    = 0;
    for (size_t p = 0; p < s->packets; p++) {
        apply(s, &s->packet[p], table, state, known);
        if (s->packet[p].kind == PACKET_DRAW || s->packet[p].kind == PACKET_DISPATCH)
            memcpy(at[use++], state, sizeof state);
    }
    return at;
}

void program_plain(program *p, const stream *s)
{
    *p = (program){.item = zeros(s->packets, sizeof *p->item)};
    for (uint32_t n = 0; n < s->packets; n++)
        p->item[p->items++] = (program_item){.packet = n};
}

// The writes from packet `first` to the next draw.
typedef struct {
    uint32_t last;    // packet with the last of them
    uint32_t place;   // the group comes in front of this packet: the draw, or a barrier before it
    bool     drawn;   // there is a draw
    bool     crossed; // a barrier between the first and the last of them
    bool     apart;
} reach;

static bool stops(const stream_packet *packet)
{
    return packet->kind != PACKET_OTHER && packet->kind != PACKET_WRITES;
}

static reach look_ahead(const stream *s, uint32_t first)
{
    reach    found   = {.last = first};
    uint32_t barrier = 0;
    for (uint32_t n = first; n < s->packets && !found.drawn; n++) {
        const stream_packet *packet = &s->packet[n];
        if (packet->kind == PACKET_WRITES) {
            found.crossed |= barrier != 0;
            found.apart |= n > found.last + 1;
            found.last = n;
        } else if (stops(packet) && !barrier) {
            barrier = n;
        }
        found.drawn = packet->kind == PACKET_DRAW;
    }
    found.place = barrier;
    return found;
}

void program_bounced(program *p, const stream *s, const uint32_t *table)
{
    *p                               = (program){.item = zeros(2 * s->packets, sizeof *p->item)};
    registers state                  = {0};
    bool      known[TOTEM_REGISTERS] = {0};
    bool      plain                  = false; // the writes up to the next draw stay where they are
    for (uint32_t n = 0, held = UINT32_MAX, place = 0; n < s->packets; n++) {
        const stream_packet *packet = &s->packet[n];
        if (packet->kind == PACKET_WRITES && held == UINT32_MAX && !plain) {
            reach    ahead = look_ahead(s, n);
            uint32_t lost  = 0;
            for (uint32_t x = 0; x < TOTEM_REGISTERS; x++)
                lost += !known[x];
            p->groups += ahead.drawn;
            p->stuck += ahead.drawn && ahead.crossed;
            p->early += ahead.drawn && !ahead.crossed && lost;
            plain = !ahead.drawn || ahead.crossed || lost;
            if (!plain) {
                held  = n;
                place = ahead.place;
                p->bounced++;
                p->moved += ahead.apart;
            }
        }
        if (held != UINT32_MAX && n == place) {
            size_t header   = p->items++;
            p->item[header] = (program_item){.bounce = true, .hash = program_hash(state)};
            for (uint32_t m = held; m < place; m++) {
                if (s->packet[m].kind != PACKET_WRITES)
                    continue;
                p->item[p->items++] = (program_item){.packet = m};
                p->item[header].packets++;
                p->item[header].dwords += s->packet[m].dwords;
            }
            p->item[p->items - 1].last = true;
            held                       = UINT32_MAX;
        }
        apply(s, packet, table, state, known);
        if (held == UINT32_MAX || packet->kind != PACKET_WRITES)
            p->item[p->items++] = (program_item){.packet = n};
        if (packet->kind == PACKET_DRAW)
            plain = false;
    }
}

void program_free(program *p)
{
    free(p->item);
    *p = (program){0};
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static uint32_t median(uint32_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return count ? numbers[count / 2] : 0;
}

// Place of the hash among the most recently used ones, which it becomes the first of; `count` if it is not there.
static uint32_t recall(uint64_t *recent, uint32_t *count, uint64_t hash)
{
    uint32_t place = 0;
    while (place < *count && recent[place] != hash)
        place++;
    uint32_t found = place;
    if (place == *count)
        (*count)++;
    memmove(recent + 1, recent, place * sizeof *recent);
    recent[0] = hash;
    return found;
}

program_facts program_look(const stream *s, const uint32_t *table)
{
    program_facts facts                  = {0};
    registers     state                  = {0};
    bool          known[TOTEM_REGISTERS] = {0}, used = false, drawn = false;
    uint64_t     *recent = zeros(s->draws + 1, sizeof *recent), last = 0;
    uint32_t     *apart = zeros(s->packets + 1, sizeof *apart), *written = zeros(s->packets + 1, sizeof *apart);
    uint32_t     *changed = zeros(s->packets + 1, sizeof *apart), *headers = zeros(s->packets + 1, sizeof *apart);
    uint32_t      count = 0, from = 0, header = 0;
    for (size_t p = 0; p < s->packets; p++) {
        const stream_packet *packet = &s->packet[p];
        for (uint32_t n = 0; n < packet->writes; n++) {
            const stream_write *write = &s->write[packet->first + n];
            uint32_t            old   = write->index < TOTEM_REGISTERS ? state[write->index] : 0;
            bool                same  = ((old ^ write->data) & write->mask) == 0;
            if (used) {
                headers[facts.rolls] = packet->at - header;
                apart[facts.rolls++] = packet->at + write->dword - from;
            }
            facts.draw_rolls += drawn;
            used = drawn = false;
            facts.writes++;
            facts.same += same;
            if (facts.rolls) {
                written[facts.rolls - 1]++;
                changed[facts.rolls - 1] += !same;
            }
        }
        apply(s, packet, table, state, known);
        if (packet->kind != PACKET_DRAW && packet->kind != PACKET_DISPATCH)
            continue;
        if (!used) { // the first draw on the set: its copy starts here
            header = packet->at;
            from   = packet->at + packet->dwords - 1;
        }
        used = true;
        if (packet->kind == PACKET_DISPATCH)
            continue;
        drawn         = true;
        uint64_t hash = program_hash(state);
        if (facts.states && hash == last)
            continue;
        last                  = hash;
        uint32_t known_states = count, place = recall(recent, &count, hash);
        facts.states++;
        for (uint32_t k = 0; k < 5; k++)
            facts.reuse[k] += place < known_states && place < 1u << k;
    }
    facts.distinct = count;
    facts.apart    = median(apart, facts.rolls);
    facts.headers  = median(headers, facts.rolls);
    facts.written  = median(written, facts.rolls);
    facts.changed  = median(changed, facts.rolls);
    free(recent);
    free(apart);
    free(headers);
    free(written);
    free(changed);
    return facts;
}

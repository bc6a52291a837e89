// SPDX-License-Identifier: Apache-2.0
//
// program: see program.h.

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *zeros(size_t count, size_t each)
{
    void *words = calloc(count, each);
    if (!words) {
        fprintf(stderr, "no memory for the program\n");
        exit(2);
    }
    return words;
}

registers *program_replay(const totem_context_stream *s, const uint32_t *table)
{
    registers           *at = zeros(s->draws + s->dispatches, sizeof *at);
    totem_context_shadow shadow;
    size_t               use = 0;
    totem_context_begin(&shadow);
    for (size_t p = 0; p < s->packets; p++) {
        totem_context_apply(&shadow, s, &s->packet[p], table);
        if (s->packet[p].kind == TOTEM_CONTEXT_DRAW || s->packet[p].kind == TOTEM_CONTEXT_DISPATCH)
            memcpy(at[use++], shadow.value, sizeof shadow.value);
    }
    return at;
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

program_facts program_look(const totem_context_stream *s, const uint32_t *table)
{
    program_facts        facts = {0};
    totem_context_shadow shadow;
    bool                 used = false, drawn = false;
    uint64_t            *recent = zeros(s->draws + 1, sizeof *recent), last = 0;
    uint32_t            *apart = zeros(s->packets + 1, sizeof *apart), *written = zeros(s->packets + 1, sizeof *apart);
    uint32_t *changed = zeros(s->packets + 1, sizeof *apart), *headers = zeros(s->packets + 1, sizeof *apart);
    uint32_t  count = 0, from = 0, header = 0;
    totem_context_begin(&shadow);
    for (size_t p = 0; p < s->packets; p++) {
        const totem_context_packet *packet = &s->packet[p];
        for (uint32_t n = 0; n < packet->writes; n++) {
            const totem_context_write *write = &s->write[packet->first + n];
            bool                       same  = ((shadow.value[write->index] ^ write->data) & write->mask) == 0;
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
        totem_context_apply(&shadow, s, packet, table);
        if (packet->kind != TOTEM_CONTEXT_DRAW && packet->kind != TOTEM_CONTEXT_DISPATCH)
            continue;
        if (!used) { // the first draw on the set: its copy starts here
            header = packet->at;
            from   = packet->at + packet->dwords - 1;
        }
        used = true;
        if (packet->kind == TOTEM_CONTEXT_DISPATCH)
            continue;
        drawn         = true;
        uint64_t hash = totem_bounce_hash(shadow.value);
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

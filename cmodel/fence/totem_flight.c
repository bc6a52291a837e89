// SPDX-License-Identifier: Apache-2.0
//
// totem_flight: twin of rtl/fence/totem_flight.v, from docs/contract/flight.md.

#include "totem_flight.h"

#include "totem_epochs.h"

enum { COUNT_MASK = 0x3ff, COUNTER_END = 0xffff };

void totem_flight_outputs(const totem_flight *s, totem_flight_out *o)
{
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        unsigned empty = 0;
        for (uint8_t e = 0; e < TOTEM_EPOCHS; e++)
            if (s->count[entry(q, e)] == 0)
                empty |= 1u << e;
        o->empty[q] = (uint8_t)empty;
        o->waves[q] = s->waves[q];
    }
    o->late = s->late;
}

static void add(uint16_t *count, int amount)
{
    *count = (uint16_t)(*count + amount) & COUNT_MASK;
}

// 1 Grants
static void grants(totem_flight *n, const totem_flight_in *i)
{
    uint16_t grant_sum   = 0;
    bool     any         = false;
    unsigned grant_entry = 0;
    uint8_t  queue       = 0;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        if (!i->grant_valid[e])
            continue;
        if (!any) { // all groups of a clock are of one dispatch
            queue       = i->grant_queue[e];
            grant_entry = entry(queue, i->grant_epoch[e]);
        }
        any       = true;
        grant_sum = (uint16_t)(grant_sum + i->grant_waves[e]);
    }
    if (any) {
        add(&n->count[grant_entry], grant_sum);
        n->waves[queue] = (uint16_t)(n->waves[queue] + grant_sum);
    }
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (i->geometry_valid[e]) {
            add(&n->count[entry(i->grant_queue[e], i->grant_epoch[e])], 1);
            n->waves[i->grant_queue[e]] = (uint16_t)(n->waves[i->grant_queue[e]] + 1);
        }
}

// 2 Completions
static void completions(totem_flight *n, const totem_flight_in *i)
{
    unsigned late = 0;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        const uint8_t queue = i->complete_queue[e];
        if (!i->complete_valid[e])
            continue;
        add(&n->count[entry(queue, i->complete_epoch[e])], -1);
        n->waves[queue] = (uint16_t)(n->waves[queue] - 1);
        late += i->epoch_reserved[queue] >> i->complete_epoch[e] & 1u;
    }
    n->late = n->late > COUNTER_END - late ? COUNTER_END : (uint16_t)(n->late + late);
}

// 3 Writes
static void writes(totem_flight *n, const totem_flight_in *i)
{
    const unsigned write_entry = entry(i->arbiter_selected, i->epoch_current[i->arbiter_selected]);
    const unsigned ack_entry   = entry(i->ack_tag & (TOTEM_QUEUES - 1), i->ack_tag >> 3 & (TOTEM_EPOCHS - 1));
    if (i->packet_fence_write)
        add(&n->count[write_entry], 1);
    if (i->packet_write_ack)
        add(&n->count[ack_entry], -1);
}

// 4 Draws
static void draws(totem_flight *n, const totem_flight_in *i)
{
    if (i->draw_begun)
        add(&n->count[entry(0, i->epoch_current[0])], 1);
    if (i->draw_end_valid)
        add(&n->count[entry(0, i->draw_end_epoch)], -1);
}

void totem_flight_step(totem_flight *s, const totem_flight_in *i)
{
    grants(s, i);
    completions(s, i);
    writes(s, i);
    draws(s, i);
}

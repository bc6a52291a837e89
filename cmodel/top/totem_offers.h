// SPDX-License-Identifier: Apache-2.0
//
// totem_offers: what the blocks of a pipe offer to events, merged as events does it (docs/contract/events.md). For
// totem_skip.c and totem_watch.c; no block of the machine uses it.

#ifndef TOTEM_OFFERS_H
#define TOTEM_OFFERS_H

#include "totem_machine.h"

static inline bool totem_offers_interrupt(const totem_front_out *o)
{
    return o->fence.interrupt_valid || o->mqd.interrupt_valid;
}

static inline uint64_t totem_offers_interrupt_word(const totem_front_out *o)
{
    return o->fence.interrupt_valid ? o->fence.interrupt_word : o->mqd.interrupt_word;
}

// The error source of mqd, record and poll.
static inline bool totem_offers_error(const totem_front_out *o)
{
    return o->mqd.error_valid || o->record.error_valid || o->poll.error_valid;
}

static inline uint64_t totem_offers_error_word(const totem_front_out *o)
{
    const bool others = o->mqd.error_valid || o->record.error_valid;

    if (o->poll.error_valid && (o->poll.error_second || !others))
        return o->poll.error_word;
    return o->record.error_valid ? o->record.error_word : o->mqd.error_word;
}

#if TOTEM_GRAPHICS
// The same of a graphics ring.
static inline bool totem_offers_ring_error(const totem_graphics_front_out *o)
{
    return o->mqd.error_valid || o->record.error_valid || o->poll.error_valid;
}

static inline uint64_t totem_offers_ring_error_word(const totem_graphics_front_out *o)
{
    const bool others = o->mqd.error_valid || o->record.error_valid;

    if (o->poll.error_valid && (o->poll.error_second || !others))
        return o->poll.error_word;
    return o->record.error_valid ? o->record.error_word : o->mqd.error_word;
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_intake: twin of rtl/fence/totem_intake.v, from docs/contract/intake.md.

#include "totem_intake.h"

#include "../schedule/totem_runlist_values.h"

enum { LAST = 2, NAME_LOW = 36, LISTED = 0x400 }; // third word of a message, and bits of it

// What the run list calls the queue.
static uint64_t name(const totem_intake_in *i, uint8_t queue)
{
#if TOTEM_RUNLIST
    return (i->runlist_place_phase[queue] != PHASE_EMPTY ? LISTED : 0) | i->runlist_place_entry[queue];
#else
    (void)i;
    (void)queue;
    return 0;
#endif
}

void totem_intake_outputs(const totem_intake *s, totem_intake_out *o)
{
    o->packet_ready = !s->from_record;
    o->record_ready = s->from_record;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        o->storing[q] = s->store_valid && s->store_queue == q;
    o->close       = s->store_valid && s->store_place == LAST;
    o->close_queue = s->store_queue;
    o->close_pair  = s->store_from_record;

    o->ram_write_enable = s->store_valid;
    o->ram_write_addr   = (uint8_t)((s->store_queue * TOTEM_EPOCHS + s->store_epoch) * 4 + s->store_place);
    o->ram_write_data   = s->store_word;
}

void totem_intake_step(totem_intake *s, const totem_intake_in *i)
{
    const bool    from_record = s->from_record;
    const bool    last        = s->place >= LAST;
    const bool    first       = s->place == 0;
    const bool    word_valid  = from_record ? i->record_fence_valid : i->packet_fence_valid;
    const uint8_t word_queue  = from_record ? i->record_fence_queue : i->arbiter_selected;

    // 1 Word
    s->store_valid = word_valid;
    if (word_valid) {
        s->store_word = from_record ? i->record_fence_word : i->packet_fence_word;
        if (last)
            s->store_word = (s->store_word & ~(0x7ffull << NAME_LOW)) | name(i, word_queue) << NAME_LOW;
        s->store_place       = s->place;
        s->store_queue       = word_queue;
        s->store_epoch       = i->epoch_current[word_queue];
        s->store_from_record = from_record;
        s->place             = last ? 0 : (uint8_t)(s->place + 1);
    }

    // 2 Sender
    if (from_record)
        s->from_record = !(i->record_fence_valid && last);
    else
        s->from_record = i->record_fence_valid && !i->packet_fence_valid && first;
}

// Counters that are narrower than their C type.
bool totem_intake_invariant(const totem_intake *s)
{
    return s->place <= LAST && s->store_place <= LAST;
}

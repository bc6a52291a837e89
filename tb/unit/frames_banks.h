// SPDX-License-Identifier: Apache-2.0
//
// frames_banks: the RAM banks of the context registers, kept by a test, and what lies in them.

#ifndef FRAMES_BANKS_H
#define FRAMES_BANKS_H

#include <stdint.h>

#include "totem_frames.h"

enum {
    SETS      = TOTEM_SETS,
    BANKS     = TOTEM_BANKS,
    REGISTERS = TOTEM_REGISTERS,
    ROWS      = REGISTERS / BANKS,
    TABLE     = SETS + 1,
    WORDS     = 2 * SETS * ROWS, // of a bank
};
enum { WRITE, CLEAR, READ };

typedef struct {
    uint32_t word[BANKS][WORDS];
} frames_banks;

// A clock of the banks: the old word is read; no word is read while it is written.
static inline void banks_clock(frames_banks *m, const totem_frames_out *o, uint32_t *read_data)
{
    for (unsigned b = 0; b < BANKS; b++) {
        assert_true(o->ram_write_addr[b] < WORDS && o->ram_read_addr[b] < WORDS);
        assert_false(o->ram_read_enable[b] && o->ram_write_enable[b] && o->ram_read_addr[b] == o->ram_write_addr[b]);
        if (o->ram_read_enable[b])
            read_data[b] = m->word[b][o->ram_read_addr[b]];
        if (o->ram_write_enable[b])
            m->word[b][o->ram_write_addr[b]] = o->ram_write_data[b];
    }
}

static inline uint32_t *in_frame(frames_banks *m, unsigned frame, unsigned index)
{
    return &m->word[index % BANKS][frame * ROWS + index / BANKS];
}

// Register of a set: in its frame, or where the copy that has not reached it takes it from.
static inline uint32_t in_set(frames_banks *m, const totem_frames *s, unsigned set, unsigned index)
{
    unsigned frame = s->frame[set];

    if (s->copying && s->copy_target == frame && index / BANKS >= s->copy_done[index % BANKS])
        frame = s->copy_source;
    return *in_frame(m, frame, index);
}

#endif

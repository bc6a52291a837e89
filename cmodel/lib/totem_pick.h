// SPDX-License-Identifier: Apache-2.0
//
// totem_pick: one of several words, by its number; the first if there is none of the number. Twin of
// rtl/lib/totem_pick.v, combinational.
//
//     TOTEM_PICK(totem_state_pick, TOTEM_FE_COUNT, uint64_t)
//
// gives the structs totem_state_pick_in, totem_state_pick_out and the function totem_state_pick_outputs. The type is
// the one the contract form gives to a word.

#ifndef TOTEM_PICK_H
#define TOTEM_PICK_H

#include <stdbool.h>
#include <stdint.h>

#define TOTEM_PICK(name, count, type)                                    \
    typedef struct {                                                     \
        type    words[count];                                            \
        uint8_t index;                                                   \
    } name##_in;                                                         \
                                                                         \
    typedef struct {                                                     \
        type word;                                                       \
    } name##_out;                                                        \
                                                                         \
    static inline void name##_outputs(const name##_in *i, name##_out *o) \
    {                                                                    \
        o->word = i->words[i->index < (count) ? i->index : 0];           \
    }

// The size of the contract, which the port check and the proof take.
TOTEM_PICK(totem_pick, 4, uint64_t)

#endif

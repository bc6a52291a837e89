// SPDX-License-Identifier: Apache-2.0
//
// totem_match: which of several tagged words are meant for one receiver. Twin of rtl/lib/totem_match.v, combinational.
//
//     TOTEM_MATCH(totem_grant_match, TOTEM_SE_COUNT, uint8_t)
//
// gives the structs totem_grant_match_in, totem_grant_match_out and the function totem_grant_match_outputs. The type
// is the one the contract form gives to a tag.

#ifndef TOTEM_MATCH_H
#define TOTEM_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#define TOTEM_MATCH(name, count, type)                                   \
    typedef struct {                                                     \
        bool valid[count];                                               \
        type tag[count];                                                 \
        type value;                                                      \
    } name##_in;                                                         \
                                                                         \
    typedef struct {                                                     \
        bool mine[count];                                                \
    } name##_out;                                                        \
                                                                         \
    static inline void name##_outputs(const name##_in *i, name##_out *o) \
    {                                                                    \
        for (unsigned n = 0; n < (count); n++)                           \
            o->mine[n] = i->valid[n] && i->tag[n] == i->value;           \
    }

// The size of the contract, which the port check and the proof take.
TOTEM_MATCH(totem_match, 4, uint8_t)

#endif

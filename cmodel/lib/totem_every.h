// SPDX-License-Identifier: Apache-2.0
//
// totem_every: whether all of several bits are 1. Twin of rtl/lib/totem_every.v, combinational.
//
//     TOTEM_EVERY(totem_engine_every, 6)
//
// gives the structs totem_engine_every_in, totem_engine_every_out and the function totem_engine_every_outputs.

#ifndef TOTEM_EVERY_H
#define TOTEM_EVERY_H

#include <stdbool.h>

#define TOTEM_EVERY(name, count)                                         \
    typedef struct {                                                     \
        bool each[count];                                                \
    } name##_in;                                                         \
                                                                         \
    typedef struct {                                                     \
        bool all;                                                        \
    } name##_out;                                                        \
                                                                         \
    static inline void name##_outputs(const name##_in *i, name##_out *o) \
    {                                                                    \
        o->all = true;                                                   \
        for (unsigned n = 0; n < (count); n++)                           \
            o->all = o->all && i->each[n];                               \
    }

// The size of the contract, which the port check and the proof take.
TOTEM_EVERY(totem_every, 4)

#endif

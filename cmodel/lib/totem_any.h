// SPDX-License-Identifier: Apache-2.0
//
// totem_any: whether any of several bits is 1. Twin of rtl/lib/totem_any.v, combinational.
//
//     TOTEM_ANY(totem_engine_any, 6)
//
// gives the structs totem_engine_any_in, totem_engine_any_out and the function totem_engine_any_outputs.

#ifndef TOTEM_ANY_H
#define TOTEM_ANY_H

#include <stdbool.h>

#define TOTEM_ANY(name, count)                                           \
    typedef struct {                                                     \
        bool each[count];                                                \
    } name##_in;                                                         \
                                                                         \
    typedef struct {                                                     \
        bool any;                                                        \
    } name##_out;                                                        \
                                                                         \
    static inline void name##_outputs(const name##_in *i, name##_out *o) \
    {                                                                    \
        o->any = false;                                                  \
        for (unsigned n = 0; n < (count); n++)                           \
            o->any = o->any || i->each[n];                               \
    }

// The size of the contract, which the port check and the proof take.
TOTEM_ANY(totem_any, 4)

#endif

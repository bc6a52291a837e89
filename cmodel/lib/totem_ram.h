// SPDX-License-Identifier: Apache-2.0
//
// totem_ram: memory with one write port and one read port whose data is registered.
// Twin of rtl/lib/totem_ram.v: the same names, the same rules, one step per clock.
//
// A C array has a fixed size and type, so each memory is declared once where its owner is:
//
//     TOTEM_RAM(totem_line_ram, uint32_t, 512)
//
// gives the structs totem_line_ram (state), totem_line_ram_in, totem_line_ram_out and the functions
// totem_line_ram_reset, _outputs and _step, as every block has them. The type is the one the
// contract form gives to a word of the width; words and addresses are within their widths.
// The depth is a constant, a power of two from 2.

#ifndef TOTEM_RAM_H
#define TOTEM_RAM_H

#include <stdbool.h>
#include <stdint.h>

#define TOTEM_RAM(name, type, depth)                                            \
    _Static_assert((depth) >= 2 && ((depth) & ((depth)-1)) == 0,                \
                   #name ": the depth of a RAM is a power of two from 2");      \
                                                                                \
    typedef struct {                                                            \
        type data[depth];                                                       \
        type read_data;                                                         \
    } name;                                                                     \
                                                                                \
    typedef struct {                                                            \
        bool     write_enable;                                                  \
        uint32_t write_addr;                                                    \
        type     write_data;                                                    \
        bool     read_enable;                                                   \
        uint32_t read_addr;                                                     \
    } name##_in;                                                                \
                                                                                \
    typedef struct {                                                            \
        type read_data;                                                         \
    } name##_out;                                                               \
                                                                                \
    /* Reset changes nothing; creation of the model clears the memory. */       \
    static inline void name##_reset(name *s)                                    \
    {                                                                           \
        (void)s;                                                                \
    }                                                                           \
                                                                                \
    static inline void name##_outputs(const name *s, name##_out *o)             \
    {                                                                           \
        o->read_data = s->read_data;                                            \
    }                                                                           \
                                                                                \
    /* The read comes first: a word read while it is written is the old one. */ \
    static inline void name##_step(name *s, const name##_in *i)                 \
    {                                                                           \
        /* 1 Read */                                                            \
        if (i->read_enable)                                                     \
            s->read_data = s->data[i->read_addr & ((depth)-1)];                 \
        /* 2 Write */                                                           \
        if (i->write_enable)                                                    \
            s->data[i->write_addr & ((depth)-1)] = i->write_data;               \
    }

// The memory of the contract's default shape, which the port check and the proof take.
TOTEM_RAM(totem_ram, uint64_t, 16)

#endif

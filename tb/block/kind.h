// SPDX-License-Identifier: Apache-2.0
//
// kind: what sim/gen/gen_block.py makes of a block's contract, and what tb/block/rtl.cpp makes of its Verilated RTL.

#ifndef KIND_H
#define KIND_H

#include "../lockstep/session/difference.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// How an input is drawn (docs/contract/README.md, Stimuli). KEPT: read data of a memory that the bench keeps.
typedef enum {
    DRAW_NONE,
    DRAW_KEPT,
    DRAW_ANY,
    DRAW_ONE_IN,
    DRAW_NOT_IN,
    DRAW_FEW,
    DRAW_LOW,
    DRAW_CONSTANT,
} block_draw;

typedef struct {
    const char *name;
    const char *mask;     // port, or ""
    uint32_t    bit;      // first bit in the packed words
    uint32_t    width;    // bits of an element
    uint32_t    elements; // 0: a single word
    size_t      offset;   // in the C twin's struct
    size_t      size;     // bytes of an element there
    block_draw  draw;
    uint64_t    number; // of the draw
    bool        listed; // the draw is one of the contract's table, not a default

    const difference_value *values; // of an output: NULL: none has a name
} block_port;

// Places of a memory's ports in the table of ports.
enum { RAM_READ_ENABLE, RAM_READ_ADDR, RAM_READ_DATA, RAM_WRITE_ENABLE, RAM_WRITE_ADDR, RAM_WRITE_DATA, RAM_PORTS };

typedef struct {
    const char *prefix;
    uint32_t    banks;
    uint32_t    addr_bits;
    uint32_t    port[RAM_PORTS];
} block_ram;

// A state; the last one has no name.
typedef struct {
    difference_signal signal;
    size_t            bit;    // first one in the RTL's words of states
    size_t            offset; // in the C twin's struct
    size_t            size;   // bytes of an element there
} block_register;

struct block_kind;

// The Verilated model. In a build without waves trace and states are NULL.
typedef struct block_rtl {
    void *(*create)(void);
    void (*destroy)(void *rtl);
    void (*step)(void *rtl, bool reset, const uint32_t *in);
    const uint32_t *(*probe)(void *rtl);
    // With the C twin's state and outputs in the scope TOP.model.
    bool (*trace)(void *rtl, const char *path, uint64_t clock, const struct block_kind *kind, const void *state,
                  const void *out);
    void (*trace_clock)(void *rtl); // the clock behind the last step, which the C twin has taken too
    void (*trace_rows)(void *rtl, const char *view, const char *trace); // ends the trace; as rtl.h has it
    const uint32_t *(*states)(void *rtl);
} block_rtl;

typedef struct block_kind {
    const char *name;
    const char *area;
    const char *config; // with the values that were replaced
    size_t      state_size, in_size, out_size;
    void (*reset)(void *state);
    void (*outputs)(const void *state, void *out);
    void (*step)(void *state, const void *in);
    void (*pack_in)(const void *in, uint32_t *words);
    void (*pack_out)(const void *out, uint32_t *words);
    uint32_t              in_words, out_words;
    const block_port     *ports; // the inputs first
    uint32_t              inputs, ports_count;
    const block_ram      *rams;
    uint32_t              rams_count;
    const block_register *registers;
    const block_rtl      *rtl;
} block_kind;

#ifdef __cplusplus
}
#endif

#endif

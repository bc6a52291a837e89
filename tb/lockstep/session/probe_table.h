// SPDX-License-Identifier: Apache-2.0
//
// Probes: every output of every block (sim/gen/gen_lockstep.py). In lockstep an output lies in memory as Verilator has
// it, so that it is compared where it stands: bits from the lowest on, in 1, 2, 4 or 8 bytes, or in 32-bit words if it
// has more than 64. The model's are put into arrays, one for each of these five kinds. Recorded runs (tb/icarus) pack
// the outputs of a block into words instead.

#ifndef PROBE_TABLE_H
#define PROBE_TABLE_H

#include "difference.h"
#include "totem_machine.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name;
    uint32_t    bit;      // first bit in the probe
    uint32_t    width;    // bits of an element
    uint32_t    elements; // 0: a single word
    uint32_t    kind;     // of its memory: 0 to 4
    uint32_t    index;    // in the array of that kind, behind the probe's first

    const difference_value *values; // NULL: none has a name
} probe_field;

// A state of a block; the last one has no name.
typedef struct {
    difference_signal signal;
    size_t            offset; // in the struct of the block's state
    size_t            size;   // bytes of an element there
} probe_state;

// An input; the last one has no name.
typedef struct {
    const char *name;
    uint32_t    bits;
} probe_input;

// An output that a block takes: a field of a probe.
typedef struct {
    uint16_t probe, field;
} probe_edge;

enum { PROBE_KINDS = 5 };
// Bytes of an element of each kind.
static const size_t probe_bytes[PROBE_KINDS] = {1, 2, 4, 8, 4};

typedef struct {
    const char *model; // place in totem_machine_out
    const char *rtl;   // hierarchical name
    const char *block;
    size_t      offset; // of the block's outputs in totem_machine_out
    void (*lay)(const void *outputs, void *const to[PROBE_KINDS], const uint32_t *at);
    uint32_t           at[PROBE_KINDS]; // first element in the array of each kind
    uint32_t           first;           // word of the probe among all words
    uint32_t           words;
    const probe_field *fields;
    uint32_t           fields_count;
    size_t             shown; // of the block's `shown` in totem_machine_seen; PROBE_ALWAYS: it has none
    size_t             state; // of the block's in totem_machine; PROBE_ALWAYS: it has none
    const char        *area;  // folder
    const probe_state *states;
    const probe_input *inputs;
    const probe_edge  *drivers;
    uint32_t           drivers_count;
} probe_instance;

#define PROBE_ALWAYS ((size_t)-1)

extern const probe_instance probe_table[];
// Packs the outputs of a block into its words; what does not count is 0.
extern void (*const probe_pack[])(const void *outputs, uint32_t *to);

// The blocks with a fold on a board, as they are read: from the end of the chain (docs/contract/fold.md).
typedef struct {
    uint16_t probe;
    uint16_t words;
    void (*pack)(const void *outputs, uint32_t *to); // those in the fold, as probe_pack
} probe_fold;

extern const probe_fold probe_folds[];

// Levels of blocks in the trace of a board (docs/contract/trace.md), of a totem_machine_out.
uint16_t probe_traced(const void *outputs);

// A RAM: its words are the same on both sides, of the same C type.
typedef struct {
    const char *rtl;    // hierarchical name
    int         probe;  // that compares its read data
    size_t      offset; // of its words in totem_machine
    size_t      bytes;  // of all words
    size_t      size;   // of a word
} probe_ram;

extern const probe_ram probe_rams[];

#endif

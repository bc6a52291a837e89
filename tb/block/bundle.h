// SPDX-License-Identifier: Apache-2.0
//
// bundle: what is told of a mismatch: words, waves and a view of GTKWave.

#ifndef BUNDLE_H
#define BUNDLE_H

#include "block.h"

typedef struct {
    uint64_t *data; // bank after bank
    uint64_t *read; // what each bank read last
} block_memory;

struct block {
    block_bench      *bench;
    const block_kind *kind;
    uint32_t          place; // in the bench
    void             *state, *in, *out;
    uint32_t         *in_words, *out_words;
    block_memory     *memories;
    void             *rtl;
    uint64_t          clock;
    bool              tracing;
    char             *words, *waves; // of the clock in which registers or outputs differ first; NULL: not yet
};

// Sets the read data of the memories, which the inputs of this clock have.
void block_read_data(block *b);

// In the second run: opens the trace when the window before the mismatch begins.
void bundle_trace(block *b);

// In the second run, behind every step: the clock into the trace, and a look for the first difference of registers.
void bundle_clock(block *b, bool reset);

// Outputs differ after a step with this reset. The first run tells it, the second one ends the waves and writes the
// view.
void bundle_mismatch(block *b, bool reset);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// block: a block's C twin and its Verilated RTL, clocked side by side. A program opens one block or several, sets the
// inputs of each in every clock (from a generator, a file, or the outputs of the others) and steps them:
//
//     static bool run(block_bench *bench, void *given)
//     {
//         block                   *c    = block_open(bench, &context_block);
//         totem_context_in        *in   = block_in(c);
//         const totem_context_out *out  = block_out(c);
//         bool                     good = true;
//         for (int n = 0; good && n < 1000; n++) {
//             in->take = out->offer_valid;
//             good     = block_step(c, false);
//         }
//         block_close(c);
//         return good;
//     }
//     int main(void)
//     {
//         block_bench bench = { .folder = "build/block" };
//         return block_run(&bench, run, NULL) ? 0 : 1;
//     }
//
// block_run calls `run` once more after a mismatch, to record waves; so it must do the same again.

#ifndef BLOCK_H
#define BLOCK_H

#include "kind.h"

#include <stdio.h>

enum { BLOCK_WINDOW = 500, BLOCK_BEFORE = 60, BLOCK_MOST = 8 };

typedef struct block block;

// Filled with zeros but for the first three.
typedef struct {
    const char *folder; // of the bundle; NULL: words on the terminal alone
    const char *name;   // of its files; NULL: mismatch
    const char *again;  // said in the words: how this run is made again; may be NULL
    block      *open[BLOCK_MOST];
    bool        failed; // a mismatch was seen,
    uint64_t    clock;  // in this clock
    uint32_t    which;  // of this block of `open`
    bool        traced; // the build has waves
    bool        waves;  // this is the second run
    bool        recorded;
    uint64_t    from;  // waves begin in this clock
    uint64_t    began; // registers or outputs differ first
} block_bench;

// Both sides after one clock of reset with all inputs 0. Ends the program if there is no memory.
block *block_open(block_bench *bench, const block_kind *kind);
void   block_close(block *b);

// The structs totem_<block>_in and totem_<block>_out of the C twin. A value that is wider than its port is cut. Read
// data of a memory that the bench keeps need not be set.
void       *block_in(block *b);
const void *block_out(const block *b);
uint64_t    block_clock(const block *b); // clocks since block_open

// One clock of both sides with the inputs as they are, then comparison of all outputs. False at a mismatch, which is
// told.
bool block_step(block *b, bool reset);

// Calls run; after a mismatch again, with waves if the program has been built with TRACE=1. What run returned the
// first time.
bool block_run(block_bench *bench, bool (*run)(block_bench *bench, void *given), void *given);

// An element of a port in the C twin's struct.
uint64_t block_get(const void *from, const block_port *port, uint32_t element);
void     block_set(void *to, const block_port *port, uint32_t element, uint64_t value);

// Every clock as a line of CSV: clock, rst, inputs, outputs of the C twin. The row is of the clock that is to be
// stepped.
void block_dump_head(const block *b, FILE *file);
void block_dump_row(block *b, bool reset, FILE *file);

#endif

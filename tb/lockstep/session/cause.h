// SPDX-License-Identifier: Apache-2.0
//
// cause: which blocks differ, and where it began. Outputs of a block are functions of its registers; so the block whose
// registers differ first, its inputs still equal, is the one with the fault. Blocks of lib without registers follow
// from what they read in the same clock.

#ifndef CAUSE_H
#define CAUSE_H

#include "rtl.h"

#include <stdio.h>

typedef struct {
    const rtl_calls     *calls;
    rtl                 *rtl;
    const totem_machine *model;
    void *const         *kinds; // the model's outputs (probe_table.h)
} cause_sides;

// Every block whose outputs differ now, in causal order, in words. The first one; -1: none.
int cause_outputs(FILE *file, const cause_sides *s, uint64_t clock);

// In a build with waves: registers, words of RAMs and outputs are compared in every clock.
typedef struct cause cause;

cause   *cause_create(void);
void     cause_destroy(cause *c);
void     cause_look(cause *c, const cause_sides *s, uint64_t clock);
uint64_t cause_clock(const cause *c); // of the first difference; UINT64_MAX: none
// Where it began, and the chain from there up to a clock, in words; false: nothing differs.
bool cause_words(const cause *c, FILE *file, uint64_t until);
// The same as waves: model and RTL of each signal, then inputs of the block in which it began, and what drives them.
void cause_view(const cause *c, FILE *view, uint64_t until);

#endif

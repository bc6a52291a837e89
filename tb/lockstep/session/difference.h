// SPDX-License-Identifier: Apache-2.0
//
// difference: how a difference of model and RTL is told, in words and in a view of GTKWave. The same for the machine
// (make run, make demo-mismatch) and for one block (make block); synth/equiv/report.py has the words for a proof.

#ifndef DIFFERENCE_H
#define DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// A value with a name (contract, Values), of the bits high to low of an element.
typedef struct {
    uint32_t    high, low;
    uint64_t    number;
    const char *name; // NULL: the end of a list
} difference_value;

typedef struct {
    const char             *name;     // in the contract, which is its name in the model
    const char             *rtl;      // its name in the RTL, below the block
    uint32_t                width;    // bits of an element
    uint32_t                elements; // 0: a single word
    const difference_value *values;   // NULL: none
} difference_signal;

// Where the elements lie: from a bit on, each so many bits behind the one before.
typedef struct {
    const void *at;
    size_t      bit, stride;
} difference_side;

uint64_t difference_get(difference_side side, uint32_t width, uint32_t element);
bool     difference_any(const difference_signal *s, difference_side model, difference_side rtl);

// One line for each element that differs, the first four: kind, name, values of model and RTL with their names, and
// which bits differ where the element is wide.
void difference_words(FILE *file, const char *kind, const difference_signal *s, difference_side model,
                      difference_side rtl);

// Where the RTL assigns a signal (by its name there), of a project in the present folder: file, line, text.
void difference_lines(FILE *file, const char *area, const char *block, const char *rtl_name);

// A save file of GTKWave: a few clocks around the first one fill the window, so that values can be read. GTKWave takes
// no window that reaches behind the end of the trace, and is wider on some screens: DIFFERENCE_BEHIND clocks behind the
// second one are to be recorded. Markers: the first clock, and A on the second. NULL: it cannot be written.
enum { DIFFERENCE_WINDOW = 25, DIFFERENCE_BEHIND = 40 };
FILE *difference_view(const char *path, const char *trace, uint64_t first, uint64_t second);
void  difference_title(FILE *file, const char *text);
// A signal by its name in the trace, shown as `alias`.
void difference_wave(FILE *file, const char *alias, const char *name, uint32_t bits);
// The elements that differ (the first four), each beside the other side's.
void difference_waves(FILE *file, const difference_signal *s, difference_side model, difference_side rtl,
                      const char *model_scope, const char *rtl_scope);

#ifdef __cplusplus
}
#endif

#endif

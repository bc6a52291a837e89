// SPDX-License-Identifier: Apache-2.0
//
// stimuli: inputs of a block from a file. Its first line names columns: inputs (`name`, all elements of an array, or
// `name[i]`) and `rst`; each further line is `clocks value value ...`, held for that many clocks. What no column
// names is 0.

#ifndef STIMULI_H
#define STIMULI_H

#include "block.h"

enum { STIMULI_COLUMNS = 1024 };

typedef struct {
    const block_port *port;    // NULL: rst
    int32_t           element; // -1: all
} stimuli_column;

typedef struct {
    const char       *path;
    const block_kind *kind;
    FILE             *file;
    uint32_t          line;
    uint32_t          count;
    stimuli_column    columns[STIMULI_COLUMNS];
    bool              reset;
    bool              bad; // an error was told
} stimuli;

// False if the file cannot be used, which is told with file, line and remedy.
bool stimuli_open(stimuli *s, const char *path, const block_kind *kind);

// The next line: sets the inputs and `reset`; for how many clocks. 0 at the end or at an error (`bad`).
uint64_t stimuli_next(stimuli *s, void *in);
void     stimuli_close(stimuli *s);

#endif

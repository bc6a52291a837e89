// SPDX-License-Identifier: Apache-2.0
//
// switches: watches the queue switches of a pipe: clocks from the boundary (`execute.left`) to the clock in which the
// first packet of the next queue acts. docs/queue.md, "Bound of the switch", says which of them may take how long.

#ifndef SWITCHES_H
#define SWITCHES_H

#include "totem_machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SWITCH_BOUND = 32 };

// What the first packet does.
typedef enum {
    SWITCH_ACTS,    // it is executed, writes, starts its grid, closes an epoch, gives the pipe up
    SWITCH_RESUMES, // the queue's unfinished grid is started again
    SWITCH_READS,   // it reads memory before it acts: counted to its read
    SWITCH_DIVIDES, // it is a dispatch in threads: counted to the clock in which its dimensions begin to be divided
    SWITCH_KINDS
} switch_kind;

typedef struct {
    switch_kind kind;
    uint8_t     queue, opcode;
    uint64_t    left;                   // clock of the boundary
    uint32_t    go, loaded, first, end; // clocks after it: selected, registers in place, first dword taken, it acts
    uint32_t    hidden; // clocks that its queue had waited for its line before it, while others had the pipe
} switch_turn;

typedef struct {
    bool        running; // a boundary was seen, and what came after it has not acted yet
    bool        ready[TOTEM_QUEUES];
    uint32_t    waited[TOTEM_QUEUES]; // for its line, since it had the pipe last
    switch_turn turn;
} switch_watch;

// One clock of a pipe. True in the clock in which the first packet acts, if its queue is another one than the last and
// was ready from the boundary to its selection: *turn is that switch.
bool switch_step(switch_watch *w, const totem_front *model, const totem_pipe_out *pipe, uint64_t clock,
                 switch_turn *turn);
// Did it take longer than the bound?
bool switch_late(const switch_turn *turn);
// In words, for a report.
void switch_words(const switch_turn *turn, char *text, size_t room);

const char *switch_name(switch_kind kind);

#endif

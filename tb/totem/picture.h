// SPDX-License-Identifier: Apache-2.0
//
// picture: what `totem picture` draws of a file of events (docs/workloads.md).
#ifndef TOTEM_PICTURE_H
#define TOTEM_PICTURE_H

#include "run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PICTURE_PIPES = 12, PICTURE_QUEUES = 8, PICTURE_ENGINES = 4, PICTURE_KINDS = 3 };

typedef enum {
    PICTURE_TURN,     // row: pipe, value: queue
    PICTURE_STATE,    // row: 8 * pipe + queue, value: REASON
    PICTURE_LACKS,    // row: engine; a head lacks it
    PICTURE_STARTED,  // row: engine, value: kind of the wave, from: clock
    PICTURE_ENDED,    // likewise
    PICTURE_DOORBELL, // row as of states, from: clock
    PICTURE_FENCE,
    PICTURE_ENTRY, // row as of states, value: the queue of the run list that is mapped there
} picture_what;

typedef struct {
    uint64_t from, to;
    uint8_t  what, row;
    uint16_t value;
} picture_span;

typedef struct {
    picture_span *spans;
    size_t        count, room;
    uint64_t      first, last; // clocks that are drawn
    bool          pipe[PICTURE_PIPES], queue[PICTURE_PIPES * PICTURE_QUEUES], engine[PICTURE_ENGINES];
    bool          slot[PICTURE_PIPES * PICTURE_QUEUES]; // the run list has had a queue there
} picture;

// Reads the file. Returns an exit code of commands.h, and else than 0 a message.
int picture_read(picture *p, const char *path, char *message, size_t room);
// `of`: name of the run, for the title.
void picture_draw(const picture *p, const char *of, FILE *out);

#endif

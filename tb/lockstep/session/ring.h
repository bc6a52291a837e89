// SPDX-License-Identifier: Apache-2.0
//
// ring: numbers of graphics rings. The host knows ring f as pipe 8 + f, an engine as pipe 2 of front end f. And of
// queues of the run list that are in no slot: the harness counts them on from pipe 16.

#ifndef RING_H
#define RING_H

#include "../../../cmodel/lib/totem_config.h"

#include <stdbool.h>

enum { RING_PIPE = 8, RINGS = TOTEM_GRAPHICS ? TOTEM_FE_COUNT : 0 };
enum { PARKED_PIPE = 16, PARKED = TOTEM_RUNLIST ? TOTEM_RUN_QUEUES : 0 };
enum { HARNESS_PLACES = PARKED_PIPE * TOTEM_QUEUES + PARKED }; // pipe x queues + queue is below

static inline bool ring_of_front_end(int pipe)
{
    return pipe == 2;
}

// What an engine says of a group or a wave: the number of the pipe in the machine, or of the ring as the host has it.
static inline int ring_pipe(int fe, int pipe)
{
    return ring_of_front_end(pipe) ? RING_PIPE + fe : fe * TOTEM_PIPES + pipe;
}

#endif

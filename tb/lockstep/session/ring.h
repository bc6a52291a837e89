// SPDX-License-Identifier: Apache-2.0
//
// ring: numbers of graphics rings, and of other queues that are not like those of slots. The host knows ring f as pipe
// 8 + f, an engine as pipe 2 of front end f. And of queues of the run list that are in no slot: the harness counts them
// on from pipe 16.

#ifndef RING_H
#define RING_H

#include "totem_machine.h"

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

// A packet of the scheduler in this queue was given up, and is not done.
static inline bool scheduler_waits(const totem_machine_out *o, int pipe, unsigned queue)
{
#if TOTEM_RUNLIST
    return pipe == 0 && queue == 0 && o->scheduler.waiting;
#else
    (void)o, (void)pipe, (void)queue;
    return false;
#endif
}

#endif

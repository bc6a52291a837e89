// SPDX-License-Identifier: Apache-2.0
//
// turns: the harness's own judgement of who has a pipe, and for how long. From readiness and priorities it follows whom
// the arbiter may select and when it must, or must not, ask a queue to leave (docs/queue.md, "Which queue runs");
// clocks of a turn, quantum and order of service are counted here.

#ifndef TURNS_H
#define TURNS_H

#include "totem_machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Clocks back from now in which something was so last; TURNS_LONG: not for a while.
enum { TURNS_LONG = 255 };

typedef struct {
    bool     ready[2][TOTEM_QUEUES]; // one and two clocks ago
    uint8_t  priority[2][TOTEM_QUEUES];
    uint8_t  stood[TOTEM_QUEUES];          // clocks in which it has been ready, no priority of the pipe written
    uint32_t quantum[TOTEM_QUEUES];        // dword QUANTUM as written last
    uint8_t  served[16];                   // last queue of each priority
    uint32_t unit[2];                      // registers, in the clock before
    uint8_t  set;                          // clocks since one of these was written
    bool     left, ran, wrote, host_wrote; // of the turn
    bool     unsuccessful;                 // its latest packet is an unsuccessful poll
    uint64_t clocks;                       // of the turn
    bool     event;                        // EVENT_ON_PRIORITY_WRITE, in the clock before
    uint8_t  stuck;                        // clocks in which the selected queue could not go on
    uint8_t  spared;                       // clocks in which it was empty, and another one ready
    uint8_t  ran_for, better, equal, hindered, spare; // clocks since
} turn_watch;

void turns_open(turn_watch *w);
// One clock of pipe `pipe`. False: the rules are broken, message.
bool turns_step(turn_watch *w, const totem_machine *model, const totem_machine_out *out, int pipe, char *message,
                size_t room);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// run_slot: what is looked at of a queue, or a ring, at the end of a run; and its packets.

#ifndef RUN_SLOT_H
#define RUN_SLOT_H

#include "../../../cmodel/tool/pm4_decode.h"
#include "ring.h"
#include "session.h"

enum { RUN_PIPES = RING_PIPE + TOTEM_FE_COUNT };

// What is looked at of a queue at the end. A ring is queue 0 of pipe RING_PIPE + its front end.
typedef struct {
    bool     mapped, halted, selected, buffer, timer, idle; // idle: no wave, write or fence of it is under way
    uint8_t  priority, reason, size;
    uint32_t base, rptr, wptr, left, waves;
    uint64_t address, deadline;
} run_slot;

// False: there is none.
bool run_slot_read(const session *s, int pipe, unsigned q, run_slot *v);

// Address of the dword `n` behind the committed position, and how many there are from the position on.
uint64_t run_slot_dword(const run_slot *v, uint32_t n);
uint32_t run_slot_written(const run_slot *v);

// The packet `from` dwords behind the position, with at most `room` of its dwords. False: nothing is written there.
bool run_slot_packet(const memory *m, const run_slot *v, bool ring, uint32_t from, uint32_t words[], uint32_t room,
                     totem_pm4_packet *packet);

// "pipe 0 queue 1"
const char *run_slot_owner(int pipe, unsigned queue, char text[40]);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// agent: random software on a session: maps queues, fills their rings with random packets while they run, rings
// doorbells, changes priorities, repairs halted queues, remaps idle ones. It knows what must hold at the end.

#ifndef AGENT_H
#define AGENT_H

#include "session.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t seed;
    uint64_t clocks;   // new work is given up to this clock; then everything must end
    bool     errors;   // malformed packets, repaired after their record
    bool     waits;    // WAIT_REG_MEM on other queues' fences
    uint32_t queues;   // how many queues at most
    bool     mqd_save; // switches through memory: QUEUE_OPTIONS.MQD_SAVE, every queue with an MQD
} agent_options;

typedef struct agent agent;

// Options of a seed's session and agent: what differs from seed to seed is drawn here.
void agent_draw(uint64_t seed, uint64_t clocks, session_options *session, agent_options *options);

agent *agent_create(session *s, const agent_options *options);
void   agent_destroy(agent *a);

// Before every session_step. False: a rule is broken; agent_message says which.
bool agent_step(agent *a);
// Everything given has been consumed.
bool agent_done(const agent *a);
// After the machine is idle: fences, error records, waves. False: agent_message says what is wrong.
bool        agent_check(agent *a);
const char *agent_message(const agent *a);

#endif

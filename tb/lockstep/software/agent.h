// SPDX-License-Identifier: Apache-2.0
//
// agent: random software on a session: maps queues, fills their rings with random packets while they run, rings
// doorbells, changes priorities, takes queues away at any time and maps them again elsewhere, meets faults of the
// memory, malformed packets and descriptors, repairs halted queues, makes accesses that are refused. It knows what must
// hold, in every clock and at the end.

#ifndef AGENT_H
#define AGENT_H

#include "session.h"
#include "tally.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t seed;
    uint64_t clocks;   // new work is given up to this clock; then everything must end
    bool     errors;   // malformed packets
    bool     waits;    // WAIT_REG_MEM on other queues' fences
    bool     refusals; // host accesses and descriptors that must be refused
    bool     failures; // the memory fails at random (memory_options)
    uint64_t timeout;  // MEMORY_TIMEOUT; 0: as after reset
    bool     kills;    // dequeue requests 2, waves that never end, waves that do not hear
    uint32_t patience; // DEQUEUE_TIMEOUT, 0 none
    bool     bare;     // fences without data, and with the clock
    uint32_t moves;    // of 256 looks at a queue, how many take it away
    uint32_t queues;   // how many queues at most
    uint32_t pipes;    // pipes that have queues, from 0
    bool     tasks;    // some queues launch tasks
    bool     strict;   // GROUP_STRICT
    bool     mqd_save; // switches through memory: QUEUE_OPTIONS.MQD_SAVE
    tally   *tally;    // what is drawn and seen is counted there; may be NULL
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
// After the machine is idle: fences, interrupts, records, written words, refused accesses, waves. False: agent_message
// says what is wrong.
bool        agent_check(agent *a);
const char *agent_message(const agent *a);
// Sets the message to who is not done.
void agent_stuck(agent *a);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// session: model and RTL side by side with one memory, one host and the account of waves, clock by clock. Everything
// that happens follows from the options: the same options give the same run.

#ifndef SESSION_H
#define SESSION_H

#include "account.h"
#include "children.h"
#include "draws.h"
#include "host.h"
#include "memory.h"
#include "pairs.h"
#include "probe_table.h"
#include "ring.h"
#include "switches.h"
#include "tasks.h"
#include "turns.h"

#include <stdbool.h>
#include <stdint.h>

// Clocks between two comparisons of the words of all RAMs; in every clock while waves are recorded. A difference still
// lies in the window of waves that a bundle has (bundle.c).
enum { RAM_CLOCKS = 256 };

typedef enum { SESSION_BOTH, SESSION_MODEL, SESSION_RTL } session_engine;

// What stands around the machine in the place of memory and host. Then model and RTL are compared, and nothing is
// judged.
typedef struct {
    void *user;
    void (*drive)(void *user, totem_machine_in *in);            // inputs of the present clock
    void (*step)(void *user, const totem_machine_out *outputs); // goes on to the next one
} session_around;

typedef struct {
    session_engine engine;
    bool           cores; // the wave interfaces are those of cores (cores_port.h); the model runs
    memory_options memory;
    uint64_t       seed;
    uint32_t       host_stall; // of 256 clocks, how many hold back the host's side
    const char    *trace;      // FST file; NULL none
    uint64_t       trace_from; // first clock in it
    const char    *cover;      // folder for the hits of functional coverage (coverage.h); NULL: they are not counted
    session_around around;     // without `drive`: memory and host of the session
} session_options;

typedef enum {
    SESSION_GOOD,
    SESSION_MISMATCH, // model and RTL differ
    SESSION_BROKEN    // the account or a self-check found a broken rule
} session_verdict;

typedef struct {
    uint64_t fences, interrupts, errors, packets, switches, dispatches, grants;
    uint64_t launches; // waves
    uint64_t geometry; // of these, of draws
    uint64_t draws;    // draws of rings that were begun
} session_counts;

// Adds the work of this clock: fences, interrupts, dispatches, launches, geometry, draws.
void session_count_work(const totem_machine_out *o, session_counts *c);

// An error record as it left its block.
typedef struct {
    uint8_t  code;
    int      pipe; // -1: the host port, or a memory path (class memory); 8 + f: ring f
    uint8_t  queue;
    uint64_t address;
    uint32_t word;
    uint64_t clock;
    int      source; // of the blocks' error messages (events)
    bool     record; // of the source that mqd and record share: record's
    bool     task;   // of a task, no packet's (tasks.h)
} session_error;

// A queue switch that has ended in the present clock.
typedef void (*session_switch)(void *context, int pipe, const switch_turn *turn);

typedef struct session session;

// NULL if memory is short or the trace cannot be written. Reset has been applied: clock 0 is the first without it.
session *session_create(const session_options *options);
// False: the hits of coverage cannot be written; stderr says so.
bool session_destroy(session *s);

memory    *session_memory(const session *s);
host_port *session_host(session *s);
account   *session_account(session *s);
tasks     *session_tasks(session *s);
// Its account of launches by waves and the host.
const children *session_children(const session *s);
draws          *session_draws(session *s); // of a machine with graphics
// Its account of what engines grant.
const struct grants *session_grants(const session *s);
// Its check of the records at top and end of pipe.
const pairs *session_pairs(const session *s);

// What the blocks show in the present clock (engine RTL: only ports of the machine).
const totem_machine_out *session_out(const session *s);
// What memory and host drove in the clock before the present one.
const totem_machine_in *session_inputs(const session *s);
// The model's state; NULL without a model.
const totem_machine *session_model(const session *s);
// The same to be changed from outside, between two clocks.
totem_machine *session_change(session *s);
uint64_t       session_clock(const session *s);
session_counts session_count(const session *s);
// Error records so far, at most `room`; returns how many there were.
uint64_t session_errors(const session *s, session_error *list, uint64_t room);
// The n-th of them, n below session_count(s).errors.
const session_error *session_error_at(const session *s, uint64_t n);
bool                 session_irq(const session *s);
// No work anywhere: machine, memory, host list.
bool session_idle(const session *s);

// Calls `seen` for every queue switch to a queue that was ready; one that takes longer than its bound breaks the run in
// any case.
void session_watch_switches(session *s, session_switch seen, void *context);

// Compares the present clock and goes on to the next. In lockstep the RTL follows some clocks behind: a difference is
// told a few steps late, and session_clock is then the clock in which it was. Runs that record waves compare at once.
session_verdict session_step(session *s);

// Compares the present clock, words of the RAMs included: the last thing of a run.
session_verdict session_end(session *s);

// Goes on for some clocks without comparing, so that waves show what came after a difference.
void session_extend(session *s, uint64_t clocks);

// After a verdict that is not good: the difference or the broken rule, and the last events, in words.
const char *session_report(const session *s);
// From now on the session looks for the cause of a difference (cause.h) in every clock, and a trace that begins later
// has the model's signals too. Only a run with a trace can; false if it cannot.
bool                session_seek_cause(session *s);
const struct cause *session_cause(const session *s);
bool                session_has_rtl(const session *s);

#endif

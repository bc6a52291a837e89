// SPDX-License-Identifier: Apache-2.0
//
// The seam between `totem run` and what runs: totem_run is that of the harness (tb/lockstep/session/run.c), or hands
// over to a program that has it (hand_over.c).
#ifndef TOTEM_RUN_H
#define TOTEM_RUN_H

#include "workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { TOTEM_ENGINE_BOTH, TOTEM_ENGINE_MODEL, TOTEM_ENGINE_RTL } totem_engine;

typedef struct {
    char       **words; // the command's arguments, ended by NULL; the first is its name
    totem_engine engine;
    uint64_t     cycles; // 0: as the workload says
    uint64_t     seed;   // used if seed_given, else the workload's
    bool         seed_given;
    bool         progress; // a progress line on standard error
    const char  *folder;   // reports go here; NULL: none are written
    const char  *waves;    // FST file; NULL: none
    const char  *events;   // JSON lines of what happens; NULL: none
    const char  *trace;    // the same as a trace for Perfetto; NULL: none
    const char  *results;  // folder for what memory holds of the blocks of expect.results; NULL: not written
    const char  *cover;    // folder for the hits of functional coverage; NULL: they are not counted
} totem_run_options;

enum {
    TOTEM_RUN_ENTRIES = 1024,
    TOTEM_RUN_NOTES   = 18,
    TOTEM_RUN_BLOCKED = 72,
    TOTEM_RUN_WORDS   = 16,
    TOTEM_RUN_RECORDS = 16
};

// An error record.
typedef struct {
    uint64_t clock, address;
    bool     owned;  // by a queue or a ring; else it is the host's, or a memory path's
    bool     listed; // it is of an access of the run list for this entry
    uint32_t entry;
    uint32_t pipe, queue, word;
    uint8_t  code;
} totem_run_record;

// A queue or a ring that stands at the end of a run: it is halted, waits, or has packets left.
typedef struct {
    uint32_t    pipe, queue; // of a ring 8 + its front end, 0
    bool        halted;
    uint8_t     reason;                 // REASON of STATE (docs/registers.md)
    uint64_t    since;                  // clock of the last packet it passed, or of its mapping, halt or last doorbell
    uint64_t    address;                // of its next packet at the memory port
    const char *packet;                 // name; NULL: none is written there
    uint8_t     opcode, code;           // code of its record, 0: none
    uint32_t    dwords, present;        // of the packet, and how many are written
    uint32_t    words[TOTEM_RUN_WORDS]; // the first of them
    uint32_t    record_word, polls;
    uint64_t    task;                        // descriptor of the task with its record
    const char *field;                       // of that, which is refused; NULL: the record is of none
    bool        goes_on;                     // its waves are granted or end: it does not stand
    bool        waits, wait_memory, written; // for a register or memory; something that the run holds writes it
    const char *wait_function;
    uint64_t    wait_address, wait_value, wait_wanted, wait_mask;
    char        writer[400];
    char        text[1000]; // all of it in a sentence
} totem_run_blocked;

// What a queue does: values of REASON (docs/registers.md) that somebody asks for; and behind them two of what RUNNING
// says of a queue that does not work.
enum {
    TOTEM_REASON_RUNNING, // selected, and it works
    TOTEM_REASON_WAITS_TURN,
    TOTEM_REASON_UNMAPPED,
    TOTEM_REASON_FLUSH = 5,
    TOTEM_REASON_EPOCH,
    TOTEM_REASON_LINE,
    TOTEM_REASON_EMPTY,
    TOTEM_REASON_WAIT,
    TOTEM_REASON_POLLS = 14, // selected, and its packet has polled in vain
    TOTEM_REASON_IDLE,       // selected, and there is nothing to do
    TOTEM_REASON_COUNT
};

// Why a queue left its pipe: conditions 1 to 7 of docs/queue.md; of 4, behind them, by what its packet waits for.
enum {
    TOTEM_LEFT_GIVES_UP = 4,
    TOTEM_LEFT_FLUSH    = 8,
    TOTEM_LEFT_EPOCH,
    TOTEM_LEFT_ENTRY,
    TOTEM_LEFT_WAIT,
    TOTEM_LEFT_COUNT
};

// A queue, or a ring, that was mapped at any time of a run.
typedef struct {
    uint32_t pipe, queue;
    uint64_t clocks[TOTEM_REASON_COUNT]; // by REASON; they are those of the run together
    uint64_t left[TOTEM_LEFT_COUNT];     // times it left its pipe
    uint64_t waves;                      // launched
    uint64_t lacked;                     // clocks in which a head of it did not fit, over all engines
    uint64_t longest, longest_from;      // most clocks of one reason without a break in which it waited, and the first
    uint8_t  longest_reason;
} totem_run_queue;

// A queue of the run list (docs/runlist.md).
typedef struct {
    uint32_t entry, moves;         // its number; how often it was given a slot
    uint8_t  state;                // RUN_FREE to RUN_MAPPED
    bool     waits;                // for a slot
    uint8_t  priority, reason;     // of the last placement
    uint32_t pipe, queue;          // the slot of that, if it moves or is mapped
    uint64_t waited, longest, ran; // clocks for a slot, all and of one wait; selected
} totem_run_entry;

typedef struct {
    uint64_t         cycles; // clocks run
    uint64_t         waves, fences, interrupts, errors;
    totem_run_record records[TOTEM_RUN_RECORDS]; // the first of the errors
    uint64_t         geometry, draws;            // geometry waves among the waves; draws of graphics rings
    struct {
        uint32_t rolls, hits, misses, full, written, filtered, exposed, draws; // counters of its page
    } rings[4];
    // Of each engine at the end, as its registers show it: the waits of each pipe, and what holds geometry back; and
    // its wave slots.
    uint32_t engines_count, pipes_count;
    struct {
        uint32_t passed_longest[8], lacked_longest[8], passed[8], lacked[8];
        uint32_t slots, slots_max; // wave slots, and how many were in use at most
        uint64_t slots_sum;        // in use, summed over all clocks
        bool     has_throttle;
        uint32_t closed, dead, stall_a, stall_b, stall_c, status;
    } engines[4];
    uint64_t        mismatches; // clocks in which model and RTL differed (the run stops at the first)
    uint64_t        expectations, unmet;
    uint64_t        results, differing; // words of expect.results, and how many of them are others in memory at the end
    uint64_t        differs;            // address of the first of these
    uint32_t        expected, got;      // there
    uint64_t        ignored[256]; // packets consumed without a rule, by opcode (counters of the model; each saturates)
    bool            idle;         // everything ended before the limit of clocks
    bool            stuck;        // it did not, and more clocks cannot help
    uint64_t        dispatches;   // grids started or resumed by packets
    uint32_t        queues_count;
    totem_run_queue queues[TOTEM_RUN_BLOCKED];        // only with a model
    uint32_t        placements, scans, entries_count; // of the run list
    totem_run_entry entries[TOTEM_RUN_ENTRIES];       // only with a model
    uint32_t        blocked_count;
    totem_run_blocked blocked[TOTEM_RUN_BLOCKED]; // only with a model
    uint32_t          notes_count;
    char              notes[TOTEM_RUN_NOTES][400]; // what the author may not have meant, a sentence each
    double            seconds;
    char              message[512]; // what went wrong first, with a remedy; "" if nothing did
} totem_run_result;

// Name of what a queue does, in small letters; NULL: there is none.
const char *totem_reason_name(unsigned reason);
// Of what becomes of an entry of the run list: free, listed, waits, moves or mapped; and why it was given its slot.
const char *totem_entry_state(const totem_run_entry *entry);
const char *totem_entry_reason(const totem_run_entry *entry);

// Runs the workload. Returns an exit code of commands.h: 0 all as expected; 1 a mismatch, an unmet expectation, an
// error that was not expected or the limit of clocks; 2 options that cannot be met; 3 a file cannot be written. May end
// the process in its place, with that code.
int totem_run(const totem_workload *workload, const totem_run_options *options, totem_run_result *result);

#endif

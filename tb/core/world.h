// SPDX-License-Identifier: Apache-2.0
//
// world: one engine's cores alone, behind cores.h, with memory beside them. Waves are offered as the machine offers
// them; what the cores promise on the wave interface (docs/engine.md) and as AXI master is judged in every clock.

#ifndef CORE_WORLD_H
#define CORE_WORLD_H

#include "cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum {
    MEMORY   = 0x40000, // bytes; behind them DECERR
    SLOTS    = 16,
    QUEUED   = 256, // waves of a test
    BURSTS   = 128, // accesses to memory under way
    PROGRAM  = 0x10000,
    USER_MAX = 16
};

typedef enum { COMPUTE, GEOMETRY, PIXEL } wave_kind;

// A dispatch, or a draw: `groups` of `waves` waves each.
typedef struct {
    wave_kind kind;
    uint32_t  program; // byte address
    uint32_t  groups_x, groups_y;
    uint8_t   waves, last_threads; // threads of the last wave of a group
    bool      wave32;
    uint16_t  lds; // blocks
    uint8_t   fe, pipe, queue, epoch;
    uint8_t   primitives;
    bool      scratch;
    uint8_t   user_count;
    uint32_t  user[USER_MAX];
} grid;

typedef enum { WAITS, RUNS, IS_DONE } wave_state;

typedef struct {
    totem_engine_pins_out launch;
    uint64_t              words[18]; // state words: the first `valid` are there, and number 15 of CS
    unsigned              valid;
    wave_state            state;
    bool                  exported;
    uint64_t              accepted, done; // clocks
} wave_record;

typedef struct {
    bool     valid, write, error;
    uint8_t  id, beats, beat;
    uint64_t address, due;
    uint64_t data;
    uint8_t  strobe;
    uint64_t words[4]; // of a read, as they were when it was accepted
} burst;

typedef struct {
    cores                *cores;
    uint8_t               memory[MEMORY];
    uint64_t              clock;
    uint32_t              seed;
    unsigned              latency; // of memory, in clocks; a random part of a quarter comes on top
    bool                  busy;    // memory refuses addresses and data now and then
    bool                  deaf;    // memory does not answer
    totem_engine_pins_in  pins;
    cores_axi_out         axi, before;
    totem_engine_pins_out next;  // kill, host and task answers for the next clock
    uint8_t               asked; // state_index of the clock before
    wave_record           waves[QUEUED];
    unsigned              count, offered, done;
    int                   in_slot[SLOTS]; // number of the wave, -1 none
    uint64_t              free_at[SLOTS];
    burst                 bursts[BURSTS];        // in the order of their acceptance
    bool                  has_address, has_data; // of a write: one came, not yet the other
    uint64_t              address, data;
    uint8_t               id, strobe;
    unsigned              writes; // that are not acknowledged
    unsigned              export_wait, exports, primitives;
    uint32_t              pixels;
    unsigned              task_wait, tasks; // clocks before a task is answered; tasks asked for
    bool                  task_refuse;
    totem_engine_pins_in  task, export; // as they were offered; valid: not taken
    uint8_t               host_error;   // of the last access
    uint32_t              host_rdata;
} world;

void open_world(world *w);
void close_world(world *w);
// One clock.
void step(world *w);
// Reset of cores and memory, which keeps its contents.
void reset(world *w);
// Until every wave is done, at most so many clocks. Returns the clocks.
unsigned run(world *w, unsigned most);
void     steps(world *w, unsigned count);
// Loads a kernel at an address.
void load(world *w, const char *kernel, uint32_t address);
// Queues the waves of a grid; returns the number of the first.
unsigned dispatch(world *w, const grid *g);
void     kill(world *w, uint8_t pipe, uint8_t queue, uint8_t epochs);
uint32_t host_read(world *w, uint8_t dword);
uint8_t  host_write(world *w, uint8_t dword, uint32_t value); // returns the error
uint32_t word_at(const world *w, uint32_t address);
void     put_word(world *w, uint32_t address, uint32_t value);
uint32_t draw_random(world *w);
bool     refuses(world *w); // what is offered in this clock is not taken
// Between world.c and world_memory.c: a clock of the memory.
void memory_clock(world *w, cores_axi_in *in);

// For programs with tests.h.
#define RULE(name) RULE_IN(world, open_world, close_world, w, name)

#endif

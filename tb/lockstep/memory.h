// SPDX-License-Identifier: Apache-2.0
//
// memory: the memory behind the machine's AXI4 ports: sparse contents shared by all ports, latency, any response order
// that AXI allows, back-pressure, injected faults. All random choices come from the seed.

#ifndef MEMORY_H
#define MEMORY_H

#include "../../cmodel/top/totem_machine.h"
#include "random.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    MEMORY_READ_SLVERR,
    MEMORY_READ_DECERR,
    MEMORY_READ_NOTHING,
    MEMORY_WRITE_SLVERR,
    MEMORY_WRITE_DECERR,
    MEMORY_WRITE_NOTHING
} memory_fault_kind;

typedef struct {
    uint64_t          address; // the 8 bytes around it
    memory_fault_kind kind;
    uint64_t          at; // from this clock on, once
    bool              used;
} memory_fault;

typedef struct {
    uint64_t      seed;
    uint32_t      latency;        // clocks from the accepted address to the first beat or the response, at least 1
    uint32_t      latency_spread; // up to so many more, at random
    uint32_t      stall;          // of 256 clocks, how many refuse on each channel (back-pressure)
    bool          reorder;        // responses of different IDs overtake and interleave
    memory_fault *faults;
    uint32_t      faults_count;
} memory_options;

typedef struct memory memory;

memory *memory_create(const memory_options *options);
void    memory_destroy(memory *m);

uint32_t memory_read32(const memory *m, uint64_t address);
void     memory_write32(memory *m, uint64_t address, uint32_t value);

// What the memory drives at every port in this clock. A function of what it has accepted so far and of the seed.
void memory_drive(memory *m, totem_axi_in in[TOTEM_FE_COUNT]);

// The clock edge: takes what both sides agreed on.
void memory_step(memory *m, const totem_machine_out *out, const totem_axi_in in[TOTEM_FE_COUNT]);

// Nothing accepted that is not yet answered.
bool memory_idle(const memory *m);

typedef struct {
    uint64_t reads, read_beats, writes;
} memory_counts;
memory_counts memory_count(const memory *m);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// memory: the memory behind the machine's AXI4 ports: sparse contents shared by all ports, latency, any response order
// that AXI allows, back-pressure, injected faults. All random choices come from the seed. A beat that fails, or that
// comes after its requester has been told a time-out, has other data than what lies there.

#ifndef MEMORY_H
#define MEMORY_H

#include "random.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stddef.h>
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
    uint64_t          at, until; // from this clock on, once, before that one (0: for ever)
    bool              used;
} memory_fault;

typedef struct {
    uint64_t      seed;
    uint32_t      latency;        // clocks from the accepted address to the first beat or the response, at least 1
    uint32_t      latency_spread; // up to so many more, at random
    uint32_t      stall;          // of 256 clocks, how many refuse on each channel (back-pressure)
    bool          reorder;        // responses of different IDs overtake and interleave
    bool          engines;        // every engine has a port, behind those of the front ends
    bool          visible_late;   // a read finds a write from its response on, not from its acceptance on
    bool          shared;         // it has no exclusive accesses
    bool          remembers;      // what it delivers to the front ends, for memory_seen
    uint32_t      forgets;        // of 256 exclusive writes, how many find that another one came between
    memory_fault *faults;
    uint32_t      faults_count;
    // Faults at random, besides those listed:
    uint32_t failures; // of 65536 accesses, how many fail
    uint32_t late; // of 256 that fail, how many are done but answered late; the others with SLVERR or DECERR, not done
    uint32_t lateness;       // clocks that a late answer comes later, at least
    uint64_t spared;         // not 0: of writes to this address and above that would fail one in `rarer` does
    uint32_t rarer;          // 0: none; of reads four times as many; of writes with the shared IDs all
    uint64_t failures_until; // none from this clock on
    uint8_t *arena;          // NULL: it has contents of its own; else these are they, from address arena_from on, and
    uint64_t arena_from;     // an access outside of them is answered with DECERR
    uint64_t arena_bytes;
} memory_options;

// A fault that was drawn at random, as the memory knows it.
typedef struct {
    memory_fault_kind kind; // .._NOTHING: late
    int               fe;
    uint8_t           id;
    uint64_t          address; // of the 8 bytes that failed; of a late read, of the first
    uint32_t          bytes;
    uint64_t          data; // of a write
    uint8_t           strobe;
    uint64_t          clock;    // of the access
    uint64_t          answered; // clock of the last beat or the response, 0 not yet
    bool              told;     // for the user: a record speaks of it
    uint64_t          of;       // for the user: what lies there
} memory_failure;

// 8 bytes that the memory took for writing in the last clock.
typedef struct {
    uint64_t address;
    uint64_t data;
    uint8_t  strobe;
} memory_write;

// A read that the memory took in the last clock.
typedef struct {
    uint8_t  id;     // at its master,
    int      source; // which is that of this port: a front end, or an engine behind them
    uint64_t address;
    uint32_t beats;
} memory_read;

typedef struct memory memory;

// Those of the front ends, then one of each engine, which only some machines have.
enum { MEMORY_PORTS = TOTEM_FE_COUNT + TOTEM_SE_COUNT };

memory *memory_create(const memory_options *options);
void    memory_destroy(memory *m);

uint32_t memory_read32(const memory *m, uint64_t address);
void     memory_write32(memory *m, uint64_t address, uint32_t value);

// The value of a dword for somebody who may have read it from clock `since` on: what a good beat of a front end had
// last, of those that memory has read since then, if it remembers them; else what it holds. Both are right in a clock
// of that time.
uint32_t memory_seen(const memory *m, uint64_t address, uint64_t since);

// What the memory drives at every port in this clock. A function of what it has accepted so far and of the seed.
void memory_drive(memory *m, totem_axi_in in[TOTEM_FE_COUNT]);

// The clock edge: takes what both sides agreed on. Ports of engines before those of the front ends.
void memory_step(memory *m, const totem_machine_out *out, const totem_axi_in in[TOTEM_FE_COUNT]);

// The same of one port.
void memory_drive_port(memory *m, int number, totem_axi_in *in);
void memory_step_port(memory *m, int number, const totem_memory_out *out, const totem_axi_in *in);

// What a port took for writing at the last clock edge: a burst at once, without beats that write nothing.
const memory_write *memory_taken(const memory *m, int port, uint32_t *count);
// The read that it took; NULL: none.
const memory_read *memory_asked(const memory *m, int port);
// The listed faults.
const memory_fault *memory_listed(const memory *m, uint32_t *count);
// All faults drawn so far.
memory_failure *memory_failures(memory *m, size_t *count);

// Some write of this port is not answered; some read of requester `id` is not.
bool memory_owes_writes(const memory *m, int fe);
bool memory_owes_reads(const memory *m, int fe, uint32_t id);

// Nothing accepted that is not yet answered.
bool memory_idle(const memory *m);

typedef struct {
    uint64_t reads, read_beats, writes;
} memory_counts;
memory_counts memory_count(const memory *m);

#endif

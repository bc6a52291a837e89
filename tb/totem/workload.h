// SPDX-License-Identifier: Apache-2.0
//
// Workload files: what a run has in memory, what the host does and when, and what must hold at the end. The YAML form
// is described in docs/totem.1; sim/workloads/hello.yaml is the smallest example.
//
// All strings and arrays belong to the workload and live until totem_workload_free. Times are clocks from the end of
// reset, addresses are byte addresses of 40 bits, sizes are dwords unless said otherwise.
#ifndef TOTEM_WORKLOAD_H
#define TOTEM_WORKLOAD_H

#include "../../cmodel/task/totem_tmd.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Dwords from a file, as numbers, or as packets: what the file gave, and `words` in any case.
typedef struct {
    char     *hex;
    uint32_t *dwords;
    uint32_t  dwords_count;
    char    **packets;
    uint32_t  packets_count;
    uint32_t *words; // the dwords themselves
    uint32_t  words_count;
    uint32_t *packet_ends; // `packets` only: dwords up to and with packet n, packets_count entries; else NULL
} totem_workload_stream;

// A piece of the memory image at the start; memory that no piece covers reads 0.
typedef struct {
    uint64_t              address; // 4-byte aligned
    totem_workload_stream stream;
} totem_workload_piece;

typedef enum {
    TOTEM_MEMORY_READ_SLVERR,
    TOTEM_MEMORY_READ_DECERR,
    TOTEM_MEMORY_READ_TIMEOUT, // no response at all
    TOTEM_MEMORY_WRITE_SLVERR,
    TOTEM_MEMORY_WRITE_DECERR,
    TOTEM_MEMORY_WRITE_TIMEOUT
} totem_memory_fault_kind;

// One injected fault: the first access of this kind to the 8 bytes around `address`, from clock `at` on, and before
// `until`.
typedef struct {
    uint64_t                address;
    totem_memory_fault_kind kind;
    uint64_t                at, until; // until: 0 never
} totem_workload_fault;

typedef enum { TOTEM_VISIBLE_ACCEPTED, TOTEM_VISIBLE_RESPONSE } totem_memory_visible;

typedef struct {
    uint32_t              latency;        // clocks from request to first beat
    uint32_t              latency_spread; // up to so many clocks more, at random from the seed
    totem_memory_visible  visible;        // from when on reads find what a write has written
    totem_workload_fault *faults;
    uint32_t              faults_count;
    uint32_t              resume; // clocks after which the host resumes what halts by them; 0: it does not
} totem_workload_memory;

typedef struct {
    uint64_t address; // 256-byte aligned
    uint32_t size;    // dwords, a power of two, 64 or more: QUEUE_SIZE = log2(size) - 1
} totem_workload_ring;

typedef struct {
    bool     enable;
    uint32_t scale;    // 0 or 1
    uint32_t duration; // 0..63
} totem_workload_quantum;

typedef struct {
    uint64_t at;
    uint32_t packets;       // the file's form: announces the first so many packets (or dwords of hex and dwords);
                            // 0, or left out: all
    uint32_t write_pointer; // the value to ring: dwords from the start of the stream
} totem_workload_doorbell;

// Dequeue request of the type, 1 to 4.
typedef struct {
    uint64_t at;
    uint32_t type;
} totem_workload_dequeue;

// The queue is mapped again, from its MQD, into this slot.
typedef struct {
    uint64_t at;
    uint32_t pipe, queue;
} totem_workload_map;

// A write to a register of the window of the slot in which the queue then is.
typedef struct {
    uint64_t at;
    char    *name; // of the register
    uint32_t dword;
    uint32_t value;
} totem_workload_window;

// Register GRAPHICS of a ring.
typedef struct {
    bool     hp3d, bounce, filter;
    uint32_t generation; // 9, 10 or 11
} totem_workload_graphics;

// Default table of CLEAR_STATE: a stream whose SET_CONTEXT_REG write it.
typedef struct {
    totem_workload_stream stream;
} totem_workload_table;

// The run list: which slots it has, and its settings. A pointer that is NULL leaves its register as after reset.
typedef struct {
    uint64_t  slots; // bit s: slot s = pipe x queues of a pipe + queue
    uint32_t *yield, *park, *spare, *leave;
} totem_workload_run_list;

// A queue that the host maps at clock map_at by the driver's sequence of register writes. `stream` lies in the ring
// from its first dword on; the host announces it with the doorbells. A graphics ring has no slot, priorities, MQD and
// further mappings: its pipe is TOTEM_WORKLOAD_RING and its front end. A queue of the run list has an entry in the
// place of a slot: its pipe is TOTEM_WORKLOAD_ENTRY, its queue the entry.
typedef struct {
    uint32_t                 pipe, queue;
    uint32_t                 priority;      // 0..15
    uint32_t                 pipe_priority; // 0 low, 1 medium, 2 high
    bool                     privileged;    // PQ_CONTROL.PRIV_STATE
    totem_workload_ring      ring;
    totem_workload_quantum   quantum;
    uint64_t                 mqd;         // MQD address, 0: none
    uint64_t                 rptr_report; // where the read pointer is reported, 0: not
    uint64_t                 map_at;
    totem_workload_doorbell *doorbells;
    uint32_t                 doorbells_count; // at least 1: without a list one at map_at for all of the stream
    totem_workload_dequeue  *dequeue;
    uint32_t                 dequeue_count;
    totem_workload_map      *map; // number n follows dequeue number n
    uint32_t                 map_count;
    totem_workload_window   *write;
    uint32_t                 write_count;
    totem_workload_stream    stream;
    uint32_t                 front_end;                // rings only, as those below
    totem_workload_graphics *graphics;                 // NULL: as after reset
    totem_workload_table    *table;                    // NULL: none is written
    uint32_t                 process, process_quantum; // entries only, as those below
    bool                     stays;                    // an UNMAP of all that are not static leaves it
    uint64_t                 pointer;                  // where its write pointer is in memory; 0: in its MQD
} totem_workload_queue;

enum { TOTEM_WORKLOAD_RING = 8, TOTEM_WORKLOAD_ENTRY = 16, TOTEM_WORKLOAD_MQD = 512 }; // dwords of an entry's MQD

// Entry of the program table of every wave engine: a wave whose COMPUTE_PGM_LO ends in the entry's four bits runs
// duration clocks and a random number below 2^spread more. What geometry waves export: a pointer that is NULL leaves the
// register as after reset.
typedef struct {
    uint32_t  entry;      // 0..15
    uint32_t  duration;   // below 2^30
    uint32_t  spread;     // 0..30
    uint32_t *primitives; // out for each one in, 0..4
    uint32_t *culled;     // of 256
    uint32_t *pixels;     // of each primitive, below 2^20
    uint64_t *child;      // address of the descriptor of the task that its compute waves launch
} totem_workload_program;

// Fields of a descriptor, by number; NULL: not given.
typedef struct {
    uint64_t *value[TOTEM_TMD_FIELDS];
} totem_workload_fields;

// A task descriptor in memory. A LAUNCH_TASK of the file may name it.
typedef struct {
    char                 *name;
    uint64_t              address;   // 256-byte aligned
    char                 *version;   // NULL: 03_00
    char                 *dependent; // name of another task, or this one; NULL: none
    totem_workload_fields fields;
    uint32_t              words[TOTEM_TMD_DWORDS]; // the descriptor
} totem_workload_task;

// Page of controls of geometry throttling. A pointer that is NULL leaves its register, or field, as after reset.
typedef struct {
    uint32_t *cntl1, *cntl2; // SPI_GS_THROTTLE_CNTL1, _CNTL2
    bool      ph, spi;       // PH_ENABLE, SPI_ENABLE
    bool      b_hold;
    uint32_t *limit;      // GS_LIMIT
    uint32_t *thresholds; // of the monitors, three that ascend from 1 to 64
    uint32_t  thresholds_count;
} totem_workload_throttle;

// PS_RESERVE: what geometry leaves to pixel waves.
typedef struct {
    uint32_t slots, vgprs, lds;
} totem_workload_reserve;

// An access to a register by the host. The file gives a name (register_name.h) or an address, the byte address on the host
// port; `address` is there in any case, `name` is NULL if it was not given.
typedef struct {
    uint64_t at;
    char    *name;
    uint32_t address;
    uint32_t value;
} totem_workload_write;

typedef struct {
    uint64_t address; // 4-byte aligned
    uint32_t value;
} totem_workload_word;

// What the host has computed of a block of memory: it must lie there at the end, and be there already when the first
// write to the dword `behind` is taken, that of a fence (0: no such write).
typedef struct {
    uint64_t              address; // 4-byte aligned
    uint64_t              behind;
    totem_workload_stream stream;
} totem_workload_result;

// An error record that must appear. No other record may.
typedef struct {
    char     *code_name;            // as in rtl/host/errors.yaml with its class: PACKET_OPCODE
    uint64_t *pipe, *queue, *entry; // NULL: of any
    uint8_t   code;
} totem_workload_error;

// A queue that stands at the end: it is halted or waits. No other queue may. A ring is queue 0 of pipe 8 + its front
// end.
typedef struct {
    uint32_t pipe, queue;
} totem_workload_blocked;

// Checked at the end. A pointer that is NULL: not checked.
typedef struct {
    totem_workload_word    *memory;
    uint32_t                memory_count;
    totem_workload_write   *registers; // what a read of the host at this clock gives
    uint32_t                registers_count;
    totem_workload_result  *results;
    uint32_t                results_count;
    uint64_t               *waves;      // waves launched, in all
    uint64_t               *geometry;   // of these, geometry waves
    uint64_t               *draws;      // draws of rings
    uint64_t               *fences;     // fence writes made (RELEASE_MEM with data), in all
    uint64_t               *interrupts; // end-of-pipe interrupts raised, in all
    totem_workload_error   *errors;
    uint32_t                errors_count;
    totem_workload_blocked *blocked;
    uint32_t                blocked_count;
} totem_workload_expect;

typedef struct {
    char                    *path; // of the file
    char                    *name;
    char                    *about;         // may be NULL
    char                    *configuration; // of totem_configurations.h
    char                    *core;          // on the wave interfaces: rv32; NULL: the shipped wave engine
    uint64_t                 seed;
    uint64_t                 cycles; // most clocks of the run; it ends earlier when everything is idle
    totem_workload_memory    memory;
    totem_workload_piece    *image;
    uint32_t                 image_count;
    totem_workload_program  *programs;
    uint32_t                 programs_count;
    totem_workload_task     *tasks;
    uint32_t                 tasks_count;
    totem_workload_throttle *throttle; // NULL: as after reset, as the next
    totem_workload_reserve  *reserve;
    totem_workload_queue    *queues;
    uint32_t                 queues_count;
    totem_workload_queue    *rings;
    uint32_t                 rings_count;
    totem_workload_run_list *run_list; // NULL: it has no slots
    totem_workload_queue    *entries;
    uint32_t                 entries_count;
    totem_workload_write    *writes;
    uint32_t                 writes_count;
    totem_workload_expect    expect;
} totem_workload;

// Reads and checks a workload file; names of .hex files in it are relative to its folder. False: `message` says file,
// line, what is wrong and what to write instead, and *workload is NULL.
bool totem_workload_load(const char *path, totem_workload **workload, char *message, size_t size);

// The stream is longer than the ring: the host writes it piece by piece, as the read pointer goes on.
bool totem_workload_fed(const totem_workload_queue *queue);
// End of what has to be written together from dword `at` on: a packet, with what a COND_EXEC or PRED_EXEC may skip.
uint32_t totem_workload_unit(const totem_workload_stream *stream, uint32_t at);

// Mappings of a queue, beyond the first, that have begun at this clock: it is in the slot of the last one.
uint32_t totem_workload_mapped(const totem_workload_queue *queue, uint64_t at);

// "FILE:LINE: KEY" of a key such as queues[3].ring, for messages that only a run can make.
void totem_workload_place(const totem_workload *workload, const char *key, char *text, size_t size);

void totem_workload_free(totem_workload *workload);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_driver: a driver of Totem in portable C99, for an operating system's driver or firmware to be built on.
// docs/driver.md leads from reset to the first fence.
//
// It knows no machine but by the caller's callbacks, allocates nothing but by them, and has no variables: all its state
// is in the structs below. Sizes are those that the machine says (COUNTS), so one build serves every configuration.
// Every wait has a limit. It needs <totem/regs.h>, pm4.h, errors.h and mqd.h, and calls no function of a C library; a
// compiler may put memset and memcpy in.
//
// The caller has a lock for each queue, and one around totem_driver_launch. totem_driver_interrupt needs none, as it
// touches nothing that other calls use, but it never runs beside itself: two would mix up the error record.
// Memory is little-endian, as the CPU is taken to be.

#ifndef TOTEM_DRIVER_H
#define TOTEM_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// X(NAME, "what has happened; what to do").
#define TOTEM_DRIVER_RESULTS(X)                                                                                      \
    X(OK, "done")                                                                                                    \
    X(ARGUMENT, "an argument is outside what the header says; correct the call")                                     \
    X(MACHINE, "MAGIC, version or sizes are not those of a Totem that this driver knows; check base address, reset " \
               "and clock, or take the driver of that version")                                                      \
    X(ABSENT, "this machine has no such queue, ring or feature; ask its sizes first")                                \
    X(MEMORY, "the allocator gave no memory, or none that is aligned and below 2^40; give it more")                  \
    X(BUS, "an access was answered by an error, or as a machine that is gone would; take the error record, or see "  \
           "whether the machine is there")                                                                           \
    X(TIMEOUT, "a wait has reached its limit; read the state of the queue, then wait again or reset the queue")      \
    X(REFUSED, "the machine has refused the request and changed nothing; take the error record")                     \
    X(HALTED, "the queue stands at an error; take the error record, then resume, skip or reset it")                  \
    X(FULL, "the ring has no room for so many dwords; wait for a fence, then push again")                            \
    X(STATE, "the call is not for a queue in this state (mapped, not mapped); map or unmap it first")

typedef enum {
#define TOTEM_DRIVER_RESULT(name, text) TOTEM_DRIVER_##name,
    TOTEM_DRIVER_RESULTS(TOTEM_DRIVER_RESULT)
#undef TOTEM_DRIVER_RESULT
        TOTEM_DRIVER_RESULT_COUNT
} totem_driver_result;

// "TIMEOUT: a wait has ..", for logs.
const char *totem_driver_text(totem_driver_result result);

// ---- the platform

// Memory that CPU and machine see. `device`: its address on the machine's memory port, below 2^40.
typedef struct {
    void    *cpu;
    uint64_t device;
    size_t   bytes;
} totem_driver_memory;

typedef struct {
    void *context; // first argument of all callbacks

    // A register of the host port, byte address from its base (20 bits). Not 0: answered by an error (SLVERR). A
    // platform that cannot see this returns 0.
    int (*read32)(void *context, uint32_t address, uint32_t *value);
    int (*write32)(void *context, uint32_t address, uint32_t value);

    // `alignment` is a power of 2 and at most 4096. Not 0: no memory. `release` may be NULL.
    int (*allocate)(void *context, size_t bytes, size_t alignment, totem_driver_memory *memory);
    void (*release)(void *context, totem_driver_memory *memory);

    // `flush`: what the CPU has written to these bytes is in memory when the next register is written.
    // `invalidate`: the next read of the CPU sees what the machine had written there when the last register was read.
    // NULL: that is always so. It is not where caches are not coherent, nor where the CPU reorders memory against
    // device accesses (Arm, RISC-V): `flush` is then at least a write barrier, `invalidate` a read barrier.
    void (*flush)(void *context, const totem_driver_memory *memory, size_t offset, size_t bytes);
    void (*invalidate)(void *context, const totem_driver_memory *memory, size_t offset, size_t bytes);

    // Between two polls of a wait: sleeps, yields, looks at a clock. `poll` counts from 1. Not 0: give up. May be NULL.
    int (*pause)(void *context, uint32_t poll);
    uint32_t polls; // a wait gives up after so many, whatever `pause` says; not 0
} totem_driver_platform;

// ---- the machine

typedef struct {
    totem_driver_platform platform;
    uint32_t              version, configuration; // registers VERSION, CONFIG_HASH
    uint32_t              front_ends, pipes;      // compute pipes of all front ends
    uint32_t              queues, engines;        // queues of a pipe
    uint32_t              epochs, slots;          // fence epochs of a queue; wave slots of an engine
    uint32_t              vgprs, lds;             // of an engine: blocks of 256 lane registers, blocks of 128 dwords
    bool                  graphics, tasks;        // graphics rings, one for each front end; task units
} totem_driver;

// Identifies the machine behind the callbacks and fills `machine` in. Writes nothing. ARGUMENT, BUS, MACHINE.
totem_driver_result totem_driver_open(totem_driver *machine, const totem_driver_platform *platform);

// Clocks after which a memory access is given up (0: never), and after which a reset abandons what does not end
// (0: never; below 2^24). With 0 a dead memory or a dead wave holds a queue for ever. ARGUMENT, BUS.
totem_driver_result totem_driver_timeouts(totem_driver *machine, uint32_t memory, uint32_t reset);

// Enables all interrupts: errors by class, and the end-of-pipe bit of every queue and ring. BUS.
totem_driver_result totem_driver_enable(totem_driver *machine);

// ---- interrupts and errors

typedef struct {
    uint8_t  code; // TOTEM_ERROR_ of <totem/errors.h>
    uint8_t  source, queue;
    uint32_t word;
    uint64_t address;
    uint64_t clock;
} totem_driver_error;

// Queue q of pipe p has bit 8 p + q, [n] holds bits 32 n to 32 n + 31; ring f has bit f.
typedef struct {
    uint32_t           status;                  // INTERRUPT_STATUS; 0: not Totem's; all ones: it is gone
    uint32_t           ended[2], rings_ended;   // an end-of-pipe interrupt has come
    uint32_t           halted[2], rings_halted; // stand at an error; looked for after an error only
    bool               record;                  // `error` is there
    totem_driver_error error;
    uint32_t           later; // errors behind it, without a record
    bool               fatal; // a self-check has fired: only a reset of the core helps
} totem_driver_events;

// The interrupt handler: reads and clears what has come. Returns in bounded time, waits for nothing, and reads no
// register that this machine does not have. BUS: `events` has what was read until then.
totem_driver_result totem_driver_interrupt(const totem_driver *machine, totem_driver_events *events);

// The last int_ctxid of a queue; read it after its end-of-pipe bit was cleared. Below 16 it is the type of an
// unmapping: fences count from 16 on (only behind 2^32 - 1 they come to 0). ABSENT, BUS.
totem_driver_result totem_driver_ctxid(const totem_driver *machine, uint32_t pipe, uint32_t queue, uint32_t *ctxid);

// An error in words, cut to `room` bytes with the final 0: who, what, where, remedy. Returns the length without cut.
// A record is read once: the interrupt handler keeps it for those who wait for the queue.
size_t totem_driver_describe(const totem_driver *machine, const totem_driver_error *error, char *text, size_t room);

// ---- queues

// Pipe number of graphics ring f, that of front end f; its queue is 0.
#define TOTEM_DRIVER_RING(f) (8u + (uint32_t)(f))

typedef struct {
    uint32_t priority;      // 0 lowest .. 15
    uint32_t pipe_priority; // TOTEM_PIPE_PRIORITY_
    uint32_t quantum;       // as CP_HQD_QUANTUM; 0: none
    bool     privileged;    // may write priorities of other queues
} totem_driver_settings;

typedef struct {
    totem_driver       *machine;
    uint32_t            pipe, queue;
    uint32_t            window;                   // address of its registers
    totem_driver_memory ring, state;              // `state`: MQD, reported read pointer, fence
    uint32_t            dwords;                   // of the ring
    uint32_t            read, announced, written; // running counts of dwords; `read`: as last seen
    uint32_t            fence;                    // value of the last fence that was pushed
    bool                mapped;
} totem_driver_queue;

// Memory of a queue: ring of `dwords` (a power of 2, 16 .. 2^20), MQD, fence. The queue is not mapped. `settings` may
// be NULL: all 0. ARGUMENT, ABSENT, MEMORY.
totem_driver_result totem_driver_create(totem_driver *machine, totem_driver_queue *queue, uint32_t pipe, uint32_t slot,
                                        uint32_t dwords, const totem_driver_settings *settings);
// Gives it back. The queue is not mapped, and its waves have ended: else STATE, and the memory stays. BUS if the
// machine is gone: `ring` and `state` are then the caller's to release, once nothing can write there any more.
totem_driver_result totem_driver_destroy(totem_driver_queue *queue);

// What a graphics ring is: tier HP3D or GFX; 9, 10 or 11. While it is not mapped. ARGUMENT, ABSENT, STATE, BUS.
totem_driver_result totem_driver_ring_kind(totem_driver_queue *ring, bool hp3d, uint32_t generation);

// Maps the queue: the first writes the 56 dwords of its window, as the kernel's driver of GFX9 does; the second lets
// the machine read them from the MQD. Both begin where the last unmapping has stopped, and wait until older work of the
// queue has ended. STATE, BUS, REFUSED, TIMEOUT (it is unmapped again then; if not, `mapped` is true: reset it).
totem_driver_result totem_driver_map(totem_driver_queue *queue);
totem_driver_result totem_driver_map_mqd(totem_driver_queue *queue);

// Copies whole packets behind those in the ring; the doorbell announces them. ARGUMENT, FULL, BUS (also for a read
// pointer outside the ring).
totem_driver_result totem_driver_push(totem_driver_queue *queue, const uint32_t *packets, uint32_t dwords);
// A fence behind them: `value` is what totem_driver_wait waits for, and the int_ctxid of its interrupt.
totem_driver_result totem_driver_push_fence(totem_driver_queue *queue, uint32_t *value);
// Launches the task whose descriptor is at that address (a multiple of 256, below 2^40, not 0), behind the packets.
totem_driver_result totem_driver_push_task(totem_driver_queue *queue, uint64_t descriptor);
// Announces all that was pushed. STATE, REFUSED.
totem_driver_result totem_driver_doorbell(totem_driver_queue *queue);

// Launches a task from the host, its descriptor as there. ARGUMENT, ABSENT, STATE, REFUSED (no entry: try again later).
totem_driver_result totem_driver_launch(totem_driver_queue *queue, uint64_t descriptor);

// Tasks of the queue that have ended since reset, modulo 2^32. ABSENT, BUS.
totem_driver_result totem_driver_tasks_done(const totem_driver_queue *queue, uint32_t *count);

// Waits for a fence. HALTED, STATE (unmapped meanwhile), TIMEOUT, BUS.
totem_driver_result totem_driver_wait(totem_driver_queue *queue, uint32_t value);

// Register STATE; its field REASON says why the queue does not run. BUS.
totem_driver_result totem_driver_state(const totem_driver_queue *queue, uint32_t *state);

// A halted queue goes on at its packet, which was mended, or behind it. Behind an error of memory it is resumed, after
// an error of a packet mended and resumed, or skipped. STATE, REFUSED (it is not halted, or has no packet to skip).
totem_driver_result totem_driver_resume(totem_driver_queue *queue);
totem_driver_result totem_driver_skip(totem_driver_queue *queue);

// Saves the queue in its MQD and unmaps it. `type`: TOTEM_DEQUEUE_; a RESET also takes the place of a request that has
// timed out, and of an unmapped queue kills what is left. TIMEOUT: the request goes on; call again, or with RESET.
// ARGUMENT, STATE, REFUSED, BUS.
totem_driver_result totem_driver_unmap(totem_driver_queue *queue, uint32_t type);

// After a reset: the rest of the ring is dropped, fences in it count as passed, the next mapping begins with reset
// registers. STATE: it is mapped, or waves or fences of it still run (after a LEAVE).
totem_driver_result totem_driver_discard(totem_driver_queue *queue);

#ifdef __cplusplus
}
#endif

#endif

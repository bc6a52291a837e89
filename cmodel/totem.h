// SPDX-License-Identifier: Apache-2.0
//
// libtotem: the whole machine, bit and cycle accurate, as a C library. docs/model.md is its page.
//
// A machine is made by totem_create and lives in one block of memory; nothing is allocated after that, and there are
// no globals, so machines in different threads do not meet. Sizes are those of the configuration that the library
// was built for (totem_configuration). One step is one rising edge of `clk`. Time is counted in clocks since reset.
//
// Every output pin is a function of the state only (docs/architecture.md). So in each clock: look at the outputs,
// choose the inputs, step.

#ifndef TOTEM_H
#define TOTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct totem totem;

// -- pins ----------------------------------------------------------------------------------------------------------

enum { TOTEM_FRONT_ENDS_MAX = 4, TOTEM_ENGINES_MAX = 4 };

// Host port, AXI4-Lite slave; names of the pins without s_axil_. Byte addresses, 20 bits (docs/registers.md).
typedef struct {
    uint32_t awaddr;
    uint8_t  awprot;
    bool     awvalid;
    uint32_t wdata;
    uint8_t  wstrb; // 4 bits
    bool     wvalid;
    bool     bready;
    uint32_t araddr;
    uint8_t  arprot;
    bool     arvalid;
    bool     rready;
} totem_host_pins_in;

typedef struct {
    bool     awready;
    bool     wready;
    uint8_t  bresp; // 0 OKAY, 2 SLVERR; counts only while bvalid
    bool     bvalid;
    bool     arready;
    uint32_t rdata; // counts, like rresp, only while rvalid
    uint8_t  rresp;
    bool     rvalid;
} totem_host_pins_out;

// Memory port of a front end, AXI4 master; names of the pins without m_axi_ (docs/contract/memory.md). With PARTITION
// that of a memory channel, whose IDs are {front end, ID} (docs/partition.md).
typedef struct {
    bool     awready;
    bool     wready;
    uint8_t  bid; // as many bits as awid has; those above are dropped
    uint8_t  bresp;
    bool     bvalid;
    bool     arready;
    uint8_t  rid; // as arid
    uint64_t rdata;
    uint8_t  rresp;
    bool     rlast;
    bool     rvalid;
} totem_memory_pins_in;

// The payload of a channel counts only while its valid is true.
typedef struct {
    uint8_t  awid;
    uint64_t awaddr; // bytes, 40 bits
    uint8_t  awlen;  // beats - 1: 0, or 15 of a save of an MQD
    uint8_t  awsize;
    uint8_t  awburst;
    bool     awlock; // an exclusive write
    bool     awvalid;
    uint64_t wdata;
    uint8_t  wstrb;
    bool     wlast;
    bool     wvalid;
    bool     bready;
    uint8_t  arid;
    uint64_t araddr; // bytes, 40 bits
    uint8_t  arlen;
    uint8_t  arsize;
    uint8_t  arburst;
    bool     arlock; // an exclusive read
    bool     arvalid;
    bool     rready;
} totem_memory_pins_out;

// Wave interface of a shader engine, for a machine of totem_create_core: what its shader core shows the machine.
// Signals and their timing: docs/engine.md. Only what the machine has offered may be answered.
typedef struct {
    bool     launch_ready; // the wave on the port is accepted in this clock
    uint8_t  state_index;  // 5 bits: state word wanted
    bool     done_valid;   // a wave has ended, at the earliest in the clock after its acceptance, of GS its export
    uint8_t  done_slot;    // its slot; a slot without a wave is a fault, after which nothing is launched any more
    bool     export_valid; // a GS wave offers its primitives, once, until export_ready
    uint8_t  export_slot;
    uint16_t export_primitives; // that survive culling, 0..256
    uint32_t export_pixels;     // of each of them, 20 bits
    bool     task_valid;        // a CS wave launches a task, before its done; stays until task_ready
    uint32_t task_pointer;      // address of its descriptor >> 8
    uint8_t  task_fe;           // as its launch said
    uint8_t  task_pipe;
    uint8_t  task_queue;
    uint8_t  task_epoch;
    bool     host_done;  // answers host_valid, for one clock
    uint8_t  host_error; // 5 bits: 0 good, 1 no such register, 2 read-only, 3 illegal value
    uint32_t host_rdata;
} totem_engine_pins_in;

// What the machine shows the shader core. The payload of launch, kill and host counts only while its valid is true.
typedef struct {
    bool     launch_valid; // a wave is offered, and stays until it is accepted
    uint8_t  launch_kind;  // 0 CS, 1 GS, 2 PS
    uint8_t  launch_path;
    uint8_t  launch_fe; // front end, and pipe in it: 0, 1 compute, 2 graphics
    uint8_t  launch_pipe;
    uint8_t  launch_queue;
    uint8_t  launch_epoch;
    uint64_t launch_group;      // {z[15:0], y[15:0], x[31:0]}; of GS and PS number of the wave in its draw
    uint8_t  launch_index;      // number of the wave in its group
    uint8_t  launch_waves;      // waves of the group, 1..64
    bool     launch_wave32;     // 32 threads a wave instead of 64
    uint8_t  launch_invalidate; // caches that the core invalidates before this wave runs (docs/engine.md)
    uint8_t  launch_threads;    // threads of this wave
    uint64_t launch_program;    // byte address of the program >> 8
    uint8_t  launch_vgprs;      // blocks of 256 lane registers, of the wave
    uint16_t launch_lds;        // blocks of 128 dwords, of the group
    uint8_t  launch_slot;       // wave slot, named again by done
    uint8_t  launch_buffer;
    bool     launch_state_new;  // first wave since this pipe's state changed at this engine
    uint8_t  launch_draw;       // of GS and PS: draw state
    uint8_t  launch_set;        // and context set
    uint8_t  launch_primitives; // of GS
    uint64_t state_data;        // the word that state_index named in the clock before
    bool     export_ready;      // the primitives that are offered have been taken
    bool     task_ready;        // the task that is offered is answered: one clock
    bool     task_refused;      // with task_ready: nothing was done
    bool     kill_valid;        // waves are to end soon: one clock
    uint8_t  kill_path;
    uint8_t  kill_fe;
    uint8_t  kill_pipe;
    uint8_t  kill_queue;
    uint8_t  kill_epochs; // bit e: those of epoch e
    bool     host_valid;  // access to byte 0x2000 + 0x400 engine + 4 host_dword; held until host_done
    bool     host_write;
    uint8_t  host_dword;
    uint8_t  host_strobe; // 4 bits, bytes to be written
    uint32_t host_data;
} totem_engine_pins_out;

// Front ends and engines beyond the configuration's are ignored as inputs and 0 as outputs; so are all engines of a
// machine of totem_create.
typedef struct {
    totem_host_pins_in   host;
    totem_memory_pins_in memory[TOTEM_FRONT_ENDS_MAX];
    totem_engine_pins_in engine[TOTEM_ENGINES_MAX];
} totem_inputs;

typedef struct {
    totem_host_pins_out   host;
    totem_memory_pins_out memory[TOTEM_FRONT_ENDS_MAX];
    totem_engine_pins_out engine[TOTEM_ENGINES_MAX];
    bool                  irq;
} totem_outputs;

// -- life ----------------------------------------------------------------------------------------------------------

typedef enum {
    TOTEM_STATUS_OK,
    TOTEM_STATUS_NAME,          // no state of that name
    TOTEM_STATUS_ELEMENT,       // an array without an element, an element beyond the end, or one of a single word
    TOTEM_STATUS_SIZE,          // an image of another length
    TOTEM_STATUS_IMAGE,         // no image of a machine, or a damaged one
    TOTEM_STATUS_CONFIGURATION, // an image of another configuration or state layout, or of the other kind of machine
    TOTEM_STATUS_RANGE          // an image with a value that does not fit its register
} totem_status;

// What went wrong and what to do, one English line.
const char *totem_status_text(totem_status status);

// Sizes of the machine, as in rtl/top/config.yaml.
typedef struct {
    const char *name;
    uint32_t    hash;
    uint32_t    front_ends, engines, pipes; // compute pipes of a front end
    uint32_t    graphics;                   // and its graphics pipes, 0 or 1
    uint32_t    queues, epochs;             // queues of a pipe, epochs of a queue
    uint32_t    slots, vgprs, lds; // of an engine: wave slots, blocks of 256 lane registers, blocks of 128 dwords
    uint32_t    lanes;
} totem_sizes;

void totem_configuration(totem_sizes *sizes);

// A machine in clock 0, reset applied; storage without reset is 0. NULL if memory is short.
totem *totem_create(void);

// The same without the shipped wave engines (twin of rtl/top/totem_core.v): the caller is the shader core of every
// engine, and answers its wave interface in each clock (totem_inputs.engine, totem_outputs.engine). All other functions
// serve both. Registers of the wave engines (`wave[e]`, `time_ram[e]`) keep their reset values.
totem *totem_create_core(void);

void totem_destroy(totem *machine);

// One clock with `rst` high and all other inputs 0. Storage without reset keeps its values, as in the RTL.
void totem_reset(totem *machine);

// What the pins show in the present clock.
void totem_look(const totem *machine, totem_outputs *outputs);

// The edge that ends the present clock. `outputs` (or NULL) takes what the pins show after it.
void totem_step(totem *machine, const totem_inputs *inputs, totem_outputs *outputs);

// The present clock; it is what a read of CLOCK would give.
uint64_t totem_clock(const totem *machine);

// No work anywhere in the machine (register STATUS, bit 0).
bool totem_idle(const totem *machine);

// -- running -------------------------------------------------------------------------------------------------------

// What surrounds the machine. All members may be NULL or absent.
typedef struct {
    void *user;
    // Chooses the inputs of a clock. `inputs` holds those of the clock before (first call: all 0). Absent: all 0.
    void (*drive)(void *user, uint64_t clock, const totem_outputs *outputs, totem_inputs *inputs);
    // The first clock >= `clock` in which `drive` may give other inputs than in clock `clock` - 1, provided that the
    // outputs stay as they are; UINT64_MAX: never. Absent, but `drive` there: `clock`, so nothing is skipped.
    uint64_t (*steady)(void *user, uint64_t clock);
    // True ends the run before the edge of the present clock. Asked in every clock that is not skipped.
    bool (*stop)(void *user, const totem *machine);
} totem_world;

// Runs until `stop` says so (true) or the present clock is `until` (false).
//
// Idle time is skipped exactly: where nothing but free-running counters moves (the clock, the shipped wave engines'
// visit of their slots, time-out periods, turns of idle arbiters), the state after n clocks is computed at once, bit
// for bit what n steps give. No event falls into skipped clocks. So `stop` sees everything if it looks at anything but
// these counters. How: cmodel/top/totem_skip.h.
bool totem_run(totem *machine, const totem_world *world, uint64_t until);

// Off: totem_run steps through every clock. On at creation.
void totem_set_skipping(totem *machine, bool on);

// Clocks skipped since creation.
uint64_t totem_skipped(const totem *machine);

// -- events --------------------------------------------------------------------------------------------------------

typedef enum {
    TOTEM_EVENT_SELECTED  = 1 << 0, // pipe, queue: a queue got the pipe
    TOTEM_EVENT_EXECUTED  = 1 << 1, // pipe, queue, code = opcode: a packet was executed, or a poll was unsuccessful
    TOTEM_EVENT_DISPATCH  = 1 << 2, // pipe, queue, resumed: a dispatch starts
    TOTEM_EVENT_GRANT     = 1 << 3, // engine, pipe, queue, epoch, group, waves: a work-group got an engine
    TOTEM_EVENT_LAUNCH    = 1 << 4, // engine, slot, pipe, queue, epoch, group, wave (of the group): a wave starts
    TOTEM_EVENT_DONE      = 1 << 5, // engine, slot: a wave has ended
    TOTEM_EVENT_FENCE     = 1 << 6, // pipe, queue, code = response, 0 good: the write of a fence is acknowledged
    TOTEM_EVENT_INTERRUPT = 1 << 7, // pipe, queue, word = int_ctxid: an end-of-pipe interrupt is taken
    TOTEM_EVENT_ERROR     = 1 << 8, // pipe (-1: host port), queue, code, address, word: an error record is taken
    TOTEM_EVENT_ALL       = (1 << 9) - 1
} totem_event_kind;

// Members that the kind does not name are 0, `pipe` and `engine` -1. Pipes are numbered through all front ends.
typedef struct {
    totem_event_kind kind;
    uint64_t         clock;
    int              pipe;
    int              engine;
    uint8_t          queue;
    uint8_t          epoch;
    uint8_t          slot;
    uint8_t          waves;
    uint8_t          wave;
    uint8_t          code; // of errors: rtl/host/errors.yaml
    bool             resumed;
    uint64_t         group; // {z[15:0], y[15:0], x[31:0]}
    uint64_t         address;
    uint32_t         word;
} totem_event;

typedef void (*totem_event_function)(void *user, const totem_event *event);

// Calls `function` for the events of the kinds in `kinds` (a sum), from the present clock on, in each clock before its
// edge, in the order of the list above, then by pipe and engine. NULL or 0: no more. The function may read the machine,
// not step it.
void totem_set_events(totem *machine, uint32_t kinds, totem_event_function function, void *user);

// -- state by name -------------------------------------------------------------------------------------------------

// Names are <block>.<state>: the block as in tb/lockstep/instances.txt, the state as in its contract, for example
// `fe[0].pipe[1].front.arbiter.selected` or, an element, `se[2].issue.order[0]`.
typedef struct {
    size_t   offset;   // where it lies; for this library only
    uint8_t  size;     // bytes of an element in memory
    uint8_t  width;    // bits of an element, 1..64
    uint32_t elements; // 0: a single word
    uint32_t element;  // that the name gave, 0 if none
    bool     given;    // the name gave one
} totem_register;

// Looks a name up. TOTEM_STATUS_NAME, _ELEMENT.
totem_status totem_find(const char *name, totem_register *found);

// Value of an element (0 of a single word) of a register found; 0 beyond its end.
uint64_t totem_get(const totem *machine, const totem_register *which, uint32_t element);

// Both in one: the value of a single word or of an element. TOTEM_STATUS_NAME, _ELEMENT.
totem_status totem_read(const totem *machine, const char *name, uint64_t *value);

// Number of all registers and arrays; the name of number `index`, cut to `room` bytes with the final 0 (false beyond
// the end).
size_t totem_names(void);
bool   totem_name(size_t index, char *text, size_t room, totem_register *found);

// -- save and restore ----------------------------------------------------------------------------------------------

// The whole state as bytes, the same on every computer; of this configuration and kind of machine only. Events,
// skipping and the caller's shader cores are not part of it.
size_t totem_image_size(void);
void   totem_save(const totem *machine, void *image);
// The machine is as it was when the image is refused. TOTEM_STATUS_SIZE, _IMAGE, _CONFIGURATION, _RANGE.
totem_status totem_restore(totem *machine, const void *image, size_t size);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
//
// agent_state: what the parts of the agent share. agent.c puts them together; packets.c draws packets, chains.c tasks,
// clients.c is what the software does with a queue, kills.c resets queues, recovery.c deals with error records,
// refusals.c makes accesses that must be refused, witness.c looks at the machine in every clock, tally.c counts
// what was drawn and seen.

#ifndef AGENT_STATE_H
#define AGENT_STATE_H

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/tool/pm4_decode.h"
#include "agent.h"
#include "driver.h"

#include <string.h>

enum { PIPES = TOTEM_PIPE_COUNT, QUEUES = TOTEM_QUEUES, SLOTS = PIPES * QUEUES };
enum { PROGRAM_CHILD = 13, PROGRAM_ENDLESS = 14, PROGRAM_DEAF = 15, PROGRAMS = 16 }; // with options.tasks, with .kills
enum { PLACES = TOTEM_EPOCHS }; // of a client: records of its last mappings may still come
enum { BATCH = 512, SPOILED = 64, LATER = 64, DATA_WORDS = 65536, POSTED = 16 };

enum { NARROW = 4, ATOMICS = 6 }; // words at ATOMIC_BASE, so many of 32 bits
enum { TASK_PLACES = 16384, CALLED = 16, ROUNDS = 8 };

enum { BARE = 0xff }; // high byte of the int_ctxid of a fence that is in nobody's list

#define TYPE3(op, body) (3u << 30 | (uint32_t)((body)-1) << 16 | (uint32_t)(op) << 8 | 2u)
#define FILLER 0x80000000u
#define RING_BASE 0x0000100000u
#define RING_STRIDE 0x4000u
#define FENCE_BASE 0x0000400000u   // of each client: 16 bytes: fence, nothing, reported read pointer
#define DATA_BASE 0x0000500000u    // words that packets write: each is written once
#define WORD_BASE 0x0000600000u    // words that packets look at: each is used by one packet
#define POINTER_BASE 0x0000780000u // of each client: 16 bytes: its write pointer, 64 bits
#define ATOMIC_BASE 0x00007f0000u  // words that atomics of all queues add to: first those of 32 bits, then of 64
#define TASK_BASE 0x0001800000u    // descriptors of tasks: each is launched at most once
#define TASK_STRIDE 0x100u
#define RELEASE_BASE 0x0001e00000u // of each task: 32 bytes
#define RELEASE_STRIDE 0x20u
#define BUFFER_BASE 0x0000800000u
#define BUFFER_STRIDE 0x40000u
#define MQD_BASE 0x0002000000u
#define MQD_STRIDE 0x20000u // PLACES of them must leave room for one more
#define MACHINE(name) (TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_##name)
#define EVENTS(name) (TOTEM_REG_EVENTS_BASE + 4 * TOTEM_REG_EVENTS_##name)
#define WINDOW(name) TOTEM_REG_QUEUE_##name

// A malformed packet. Until all that is given with it is read by the account, fillers stand in its place.
typedef struct {
    uint32_t        words[8];
    uint32_t        dwords;
    const uint32_t *batch; // where it was made; NULL: it is in memory
    uint32_t        offset;
    bool            inside;   // an indirect buffer
    uint64_t        address;  // of the packet in memory
    uint32_t        position; // read pointer of the ring while the queue stands at it
    uint8_t         code;
    uint32_t        word; // of the record
} spoiled;

// A RELEASE_MEM as it was given; values grow.
typedef struct {
    uint32_t value, high; // the 32 bits above are written too, if
    bool     wide;
    bool     irq;
    bool     lost; // abandoned: it is never written
    bool     written, notified;
    bool     silent; // its write was never answered
    int      slot;   // where its packet was executed
    size_t   first;  // first fence of its mapping
} given_fence;

// What a task writes when it has ended, its first two words; 0 words: nothing.
typedef struct {
    uint64_t address;
    uint32_t value[2], words;
} given_release;

typedef struct {
    given_release releases[2];
    bool          more; // its dependent has the next place
} given_task;

typedef enum { AWAY, COMING, RUNNING, LEAVING } client_state;

// How a mapping hears of its write pointer: by its doorbell; from memory, polled; from memory by one-shots, beside its
// doorbell; without a doorbell and without an address: by the window alone.
typedef enum { BELL, POLLED, ONCE, NOWHERE } client_way;

// A queue of the software, in a slot that may change while it is away.
typedef struct {
    bool          used;
    int           number; // its place in memory
    int           pipe, queue;
    client_state  state;
    uint32_t      priority, pipe_priority;
    bool          privileged;
    bool          waiter; // may poll for others: lowest priority of its pipe, and stays in its slot
    uint64_t      ring;
    uint32_t      size;    // dwords
    uint32_t      written; // running position behind the last packet
    client_way    way;     // of its last mapping
    uint32_t      told;    // write pointer of the last doorbell; POLLED and ONCE: that the machine has
    uint32_t      posted;  // told last, by whatever way
    uint32_t      posts[POSTED], posts_count; // POLLED and ONCE: those that the machine may take, in their order
    bool          once;                       // a one-shot is asked for, and its mapping has not begun
    uint32_t      guess;                      // once: dword 54 of its MQD, not looked at
    uint32_t      bad_pointer;                // in memory instead of `posted`
    bool          pointer_bad;                // it stands there
    bool          pointer_told;               // and was recorded
    bool          pointer_again;              // it was put right while it may have been read once more
    int           pointer_slot;               // where it was read
    size_t        bell;                       // last access that told a write pointer or asked for a one-shot
    bool          belled;                     // there is one
    uint64_t      buffer;                     // next free place for indirect buffers
    uint64_t      mqd;                        // 0: it is mapped without
    uint64_t      places[PLACES];             // its last MQDs
    int           open_places;                // of these, taken since all of its work had ended
    bool          kept;                       // its state is in the MQD: it goes on from there
    uint64_t      next;                       // clock of the next look
    bool          tasks;                      // it launches tasks
    given_release awaited;                    // a release of a task that it has launched, 0 words: none
    bool          renew;                      // it goes, so that a task that names itself is loaded again
    uint32_t      until_stop;                 // so many clocks more in grids of tasks, and it is stopped
    uint32_t      late_stops;                 // since no new work is given
    uint32_t      launches;                   // so many more, one behind the other: they take all entries

    size_t   access;   // of the host list: what the next look waits for
    bool     asked;    // there is one
    uint32_t type;     // LEAVING: dequeue request, 0: ACTIVE was cleared
    bool     answered; // its interrupt has come
    bool     refused;  // COMING: a record says that the mapping failed
    uint8_t  refusal;  // code that it must be, 0 none
    uint32_t refusal_word;
    bool     crowded;             // COMING: there were no two free epochs when it asked: it may be refused
    bool     had_room;            // there have been two since
    uint64_t full_at;             // last clock without two
    uint32_t control, persistent; // dwords of its window as mapped, to repair a refused one
    bool     called_off;          // LEAVING: its mapping, unless it has just failed: then access `kill` is refused
    bool     dropped;             // its last mapping, by ACTIVE 0
    bool     torn;                // its MQD was not saved as a whole
    bool     doubtful;            // a record of its MQD failed: the driver makes the pairs equal
    int      worked;              // slot of its last mapping, -1 none
    int      ran;                 // slot of the last one that began, -1 none
    uint32_t mapping;             // number of mappings of its slot, as last seen
    bool     behind;              // COMING: its pairs have been seen to differ
    bool     guarded;             // the pairs of its MQD speak of all that it has running
    bool     began;               // its last mapping has begun
    size_t   first_executed;      // fences executed before it began
    bool     endless;             // the program in its registers never ends
    bool     deaf;                // the program in its registers does not hear a kill
    bool     unheard;             // it has been dispatched, and waves have been in flight since
    bool     hard;                // there may be waves of it that never end
    uint64_t kill_at;             // clock from which these are to be killed
    bool     inactive;            // LEAVING: its slot was not active
    bool     killing;             // a dequeue request 2 is made: in place of `type`, unless that is 2
    size_t   kill;                // that access
    bool     killed;              // its interrupt has come
    bool     kills;               // the waves of the slot were to end
    bool     later;               // it waited for the save of the request before, which keeps the grid
    uint64_t replace_at;          // LEAVING: clock in which request 2 takes the place of the other one, 0 never
    uint64_t clear_at;            // LEAVING: clock in which ACTIVE = 0 takes the place of the request, 0 never
    bool     clearing;            // that is under way,
    size_t   clear;               // that access
    uint32_t rptr;                // of the ring, as last seen
    uint32_t came;                // with which it was mapped last
    bool     reports;             // to memory

    const uint32_t *batch;       // where packets are made now
    bool            inside;      // for an indirect buffer
    uint32_t        bound;       // up to this position packets name their slot
    uint32_t        full[3];     // NUM_THREAD_FULL of the last shape
    bool            shape_known; // registers of a dispatch have been set since mapping

    given_fence *fences;
    size_t       fences_count, fences_room; // given
    size_t       executed, written_fences;  // before it all are written or lost
    uint32_t     last_fence;                // value of the last one, abandoned ones too
    bool         owes_fence;                // fences that others may wait for were abandoned
    uint32_t     crowd;                     // so many fences more, one behind the other: they take all epochs
    uint32_t     burst;                     // so many interrupts more, as fast as they go

    spoiled  bad[SPOILED];
    uint32_t bad_count, bad_seen;
    bool     skipping; // SKIP was written for the last one seen
    bool     standing; // at the last one seen, not dealt with
    bool     half;     // the last packet is announced in part only
    uint32_t halts;    // records that halt it, not yet dealt with
    uint64_t recorded; // clock of the last of them
    uint64_t mapped;   // clock from which it has run
    uint64_t resumed;  // clock of the last RESUME or SKIP
} client;

typedef struct {
    size_t   access; // of the host list
    uint8_t  code, queue;
    uint8_t  other; // another code that it may have; 0 none
    bool     recorded;
    bool     lost;  // a later one was recorded first
    bool     maybe; // it may be refused or not
    uint32_t check; // of a read that must give `word`
    uint32_t word;
} refusal;

struct agent {
    session      *s;
    agent_options options;
    totem_random  random;
    client        clients[SLOTS];
    client       *in[SLOTS];   // who is in which slot: a permutation
    client       *held[SLOTS]; // whose save the window of a free slot holds
    uint32_t      longest;     // program whose waves run longest, of those that end
    bool          open;        // PRIO_WRITE_OPEN
    uint32_t      die;         // DIE
    bool          polling;     // EN of CP_PQ_WPTR_POLL_CNTL
    uint32_t      period;      // its PERIOD
    bool          ended;       // all is done: EN was cleared
    uint64_t      errors_seen;
    size_t        failures_seen; // of the memory's list
    uint32_t      data;          // next word of DATA_BASE
    uint32_t      word;          // next word of WORD_BASE
    uint64_t      sums[ATOMICS]; // what was added at ATOMIC_BASE
    bool          adding;        // some packet does
    uint32_t      task;          // next place of TASK_BASE
    given_task   *tasks;         // of each place
    bool          child;         // waves of PROGRAM_CHILD launch a task
    struct {
        size_t   access; // of the host's list
        uint64_t address;
    } called[CALLED]; // launches by the host that are not answered
    uint32_t called_count;
    struct {
        uint64_t at, address; // of the dword with its enable bit, which is cleared at this clock
        uint32_t value;       // then
        bool     begun;       // the task has been seen to run
        client  *of;          // queue that has to be mapped again, NULL: none
    } rounds[ROUNDS];         // tasks that name themselves
    uint32_t rounds_count;
    struct {
        uint32_t value;
        client  *of;   // NULL: nothing is expected there
        bool     wide; // in one write with the next word
    } * written;
    // Words that smart waits wait for: written at a clock; until then the wait is not passed. A word that blinks is
    // written for `blink` clocks first, and set back if its queue has not the pipe then.
    struct {
        uint64_t at, delay, address; // at: 0 until the wait is reached
        uint32_t value, before, blink;
        bool     shown; // it is written, and may be set back
        bool     waves; // no word: the wait is for the end of the queue's waves, in its window
        client  *of;    // NULL: the wait is in an indirect buffer
        uint32_t position;
    } later[LATER];
    uint32_t later_count;
    refusal *refusals;
    size_t   refusals_count, refusals_room, refusals_first;
    uint64_t next_refusal;
    uint64_t next_handler; // clock of its next look at interrupts
    struct {
        int      pipe, queue;
        uint32_t epochs, fences; // at least
        bool     exact;          // so many fences, and at most as many ends of tasks
        uint32_t ends;
        bool     recorded;
    } * expiries; // time-outs of dequeue requests 2
    size_t   expiries_count, expiries_room;
    uint32_t lost[PIPES]; // fences that were abandoned
    struct {
        uint64_t killing; // clock in which its waves were first to end, 0 not yet
        uint64_t asked;   // clock in which fence was first asked to abandon it, 0 not yet
        bool     ended;   // what is to end has ended
        bool     abandoned;
    } resets[SLOTS]; // the reset that is pending in a slot
    tally *tally;
    char   message[600];
};

static inline uint32_t below(agent *a, uint32_t count)
{
    return random_below(&a->random, count);
}

static inline bool chance(agent *a, uint32_t of256)
{
    return below(a, 256) < of256;
}

// Sets the message; always false.
bool broken(agent *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline uint64_t atomic_address(uint32_t word)
{
    return ATOMIC_BASE + (word < NARROW ? 4 * word : 8 * word);
}

static inline const totem_front_out *front_of(const agent *a, const client *c)
{
    return &session_out(a->s)->fe[c->pipe / TOTEM_PIPES].pipe[c->pipe % TOTEM_PIPES].front;
}

static inline const totem_front_out *slot_front(const agent *a, int slot)
{
    const int pipe = slot / QUEUES;
    return &session_out(a->s)->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front;
}

static inline int slot_of(const client *c)
{
    return c->pipe * QUEUES + c->queue;
}

static inline uint32_t window_of(const client *c, uint32_t dword)
{
    return driver_window((uint32_t)c->pipe, (uint32_t)c->queue, dword);
}

static inline uint64_t ring_address(const client *c, uint32_t position)
{
    return c->ring + 4 * (uint64_t)(position & (c->size - 1));
}

static inline uint64_t pointer_address(const client *c)
{
    return POINTER_BASE + 16 * (uint64_t)c->number;
}

// Its write pointer is read from memory.
static inline bool reads_pointer(const client *c)
{
    return c->way == POLLED || c->way == ONCE;
}

// The n-th dword of a malformed packet.
static inline uint64_t spoiled_address(const client *c, const spoiled *b, uint32_t n)
{
    return b->inside ? b->address + 4 * (uint64_t)n : ring_address(c, b->position + n);
}

// packets.c: each draws at to[0..] and returns its dwords.
uint32_t packets_draw(agent *a, client *c, uint32_t *to);   // one packet of the ring, or two
uint32_t packets_buffer(agent *a, client *c, uint32_t *to); // one that opens an indirect buffer, made here; 0: no room
uint32_t packets_spoil(agent *a, client *c, uint32_t *to);  // a malformed one, and what it needs around it
uint32_t packets_fence(agent *a, client *c, uint32_t *to);
uint32_t packets_bare(agent *a, const client *c, uint32_t *to); // a fence without data, or with the clock
uint32_t packets_long(agent *a, client *c, uint32_t *to);
bool     packets_buffer_room(const client *c);

// chains.c
uint32_t chains_draw(agent *a, client *c, uint32_t *to);      // a launch, or a wait for a release; 0: no room
uint32_t chains_launch(agent *a, client *c, uint32_t *to);    // 0: no room
bool     chains_spoil(agent *a, const client *c, spoiled *b); // a launch that is refused; false: no room
void     chains_child(agent *a);                              // waves of PROGRAM_CHILD launch a task from now on
void     chains_host(agent *a, client *c);                    // the host launches a chain
void     chains_look(agent *a);                               // what became of that
bool     chains_is_load(uint64_t address);
bool     chains_is_release(uint64_t address);
void     chains_lost(agent *a, uint64_t address);     // a descriptor was not loaded: it and those behind it do not run
void     chains_released(agent *a, uint64_t address); // a release has failed
bool     chains_check(agent *a);

// clients.c
bool clients_stay(const agent *a, const client *c); // never taken away nor moved
void clients_mend(agent *a, client *c);             // the pairs of its MQD, after a record that failed
bool clients_look(agent *a, client *c);
void clients_correct(agent *a, client *c); // the write pointer in memory
bool clients_done(const agent *a);
bool clients_idle(const agent *a, const client *c);        // of one
bool clients_equal_pairs(const agent *a, const client *c); // its records say that all of its work has ended
void clients_leave(agent *a, client *c, uint32_t type);    // dequeue request, 0: ACTIVE is cleared
void clients_tell(agent *a, client *c, uint32_t value);    // a new write pointer

// kills.c
bool kills_beside(const agent *a, const client *c); // whether another slot of its pipe is being killed
bool kills_look(agent *a);                          // abandoned slots
void kills_ask(agent *a, client *c);                // request 2, of whatever stands in its slot
void kills_answered(agent *a, client *c);           // by an interrupt or a refusal
bool kills_mapping(const client *c);     // whether it ends what is its mapping's, not all that is in the slot
bool kills_pending(agent *a, client *c); // LEAVING: makes the request in place of another; whether an answer is awaited
bool kills_left(agent *a, client *c);    // it has been reset: how it goes on
bool kills_record(agent *a, const session_error *e);
bool kills_check(agent *a);

// recovery.c
bool recovery_records(agent *a);         // new error records
bool recovery_look(agent *a, client *c); // of a halted queue
void recovery_repair(agent  *a,
                     client *c); // puts fillers where the malformed packet stands, or announces the rest of it
bool recovery_check(agent *a);   // every fault has its record

// refusals.c
void refusals_look(agent *a);
void refusals_launch(agent *a, size_t access, uint32_t word); // a launch of a task may be refused
void refusals_maybe(agent *a, size_t access, uint8_t code, int queue, uint32_t word); // may be refused with that code
bool refusals_record(agent *a, const session_error *e);
void refusals_torn(agent *a, const client *c); // the window of a slot whose save has failed
bool refusals_check(agent *a);

// witness.c
bool witness_look(agent *a);
bool witness_check(agent *a);

#endif

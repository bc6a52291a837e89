// SPDX-License-Identifier: Apache-2.0
//
// rules_world: what a directed test of the whole model needs: a session without RTL, rings that are filled packet by
// packet, host accesses that wait for their answer, and a list of what the machine did. Every wait has a limit of
// clocks.

#ifndef RULES_WORLD_H
#define RULES_WORLD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests.h"

#include "../../cmodel/host/totem_regs_map.h"
#include "../../cmodel/packet/totem_pm4.h"
#include "../lockstep/session/driver.h"
#include "../lockstep/session/session.h"

#ifndef WORLD_ENGINE
#define WORLD_ENGINE SESSION_MODEL // SESSION_BOTH in a program linked with the RTL
#endif

enum {
    WORLD_RING   = 0x100000, // rings, one every WORLD_STRIDE bytes
    WORLD_STRIDE = 0x1000,
    WORLD_SIZE   = 512,      // dwords of a ring
    WORLD_BUFFER = 0x400000, // indirect buffers
    WORLD_DATA   = 0x500000, // what packets write
    WORLD_LIMIT  = 20000,    // clocks that a wait may take
    WORLD_EVENTS = 8192,
    WORLD_PIPES  = TOTEM_PIPE_COUNT,
    WORLD_LAST   = TOTEM_QUEUES - 1
};

#define TYPE3(op, body) (3u << 30 | (uint32_t)((body)-1) << 16 | (uint32_t)(op) << 8)
#define FILLER 0x80000000u
#define NOP1 0xffff1000u
#define AT_ZERO 5u // COMPUTE_SHADER_EN, FORCE_START_AT_000
#define WAVE32 0x8000u
#define WINDOW(name) TOTEM_REG_QUEUE_##name
#define EVENTS(name) (TOTEM_REG_EVENTS_BASE + 4 * TOTEM_REG_EVENTS_##name)
#define MACHINE(name) (TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_##name)

typedef enum { GO, LEFT, EXECUTED, STARTED, RESUMED, GRANT, LAUNCH } event_kind;

typedef struct {
    event_kind kind;
    uint64_t   clock;
    int        pipe, queue, engine;
    uint64_t   value; // EXECUTED: opcode; GRANT, LAUNCH: group id
    uint32_t   waves, index, threads;
} event;

typedef struct {
    session    *s;
    int         pipe, queue; // whose ring is written
    uint32_t    written[WORLD_PIPES][TOTEM_QUEUES];
    uint64_t    buffer; // not 0: packets go there, this is the next place
    event       events[WORLD_EVENTS];
    unsigned    count;
    const char *row;        // of a table of cases, for messages; NULL none
    bool        unfinished; // a test drops work on purpose: waves are not all expected
} world;

static inline void world_open_memory(world *w, const memory_options *memory)
{
    const session_options o = {
        .engine = WORLD_ENGINE, .seed = memory->seed, .cover = getenv("TOTEM_COVER"), .memory = *memory};
    memset(w, 0, sizeof *w);
    w->s = session_create(&o);
    assert_non_null(w->s);
}

static inline void world_open_with(world *w, uint32_t latency, memory_fault *faults, uint32_t faults_count)
{
    const memory_options o = {.seed = 1, .latency = latency, .faults = faults, .faults_count = faults_count};
    world_open_memory(w, &o);
}

static inline void world_open(world *w)
{
    world_open_with(w, 20, NULL, 0);
}

static inline uint64_t now(const world *w)
{
    return session_clock(w->s);
}

static inline host_port *host(const world *w)
{
    return session_host(w->s);
}

static inline const totem_front_out *front_out(const world *w, int pipe)
{
    return &session_out(w->s)->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front;
}

static inline void note(world *w, event e)
{
    assert_true(w->count < WORLD_EVENTS);
    e.clock               = now(w);
    w->events[w->count++] = e;
}

// Notes what this clock shows, then goes on to the next.
static inline void step(world *w)
{
    const totem_machine_out *o = session_out(w->s);
    for (int n = 0; n < WORLD_PIPES; n++) {
        const totem_front_out *p = front_out(w, n);
        const int              q = p->arbiter.selected;
        if (p->arbiter.go)
            note(w, (event){.kind = GO, .pipe = n, .queue = q});
        if (p->execute.left)
            note(w, (event){.kind = LEFT, .pipe = n, .queue = q});
        if (p->execute.executed)
            note(w, (event){.kind = EXECUTED, .pipe = n, .queue = q, .value = p->execute.executed_opcode});
        if (p->execute.start)
            note(w, (event){.kind = p->execute.start_resume ? RESUMED : STARTED, .pipe = n, .queue = q});
    }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_issue_out  *g = &o->se[e].issue;
        const totem_launch_out *l = &o->se[e].launch;
        if (g->grant_valid)
            note(w, (event){.kind   = GRANT,
                            .pipe   = g->grant_fe * TOTEM_PIPES + g->grant_pipe,
                            .queue  = g->grant_queue,
                            .engine = e,
                            .value  = g->grant_group,
                            .waves  = g->grant_waves});
        if (l->launch_valid && o->wave[e].launch_ready)
            note(w, (event){.kind    = LAUNCH,
                            .pipe    = l->launch_fe * TOTEM_PIPES + l->launch_pipe,
                            .queue   = l->launch_queue,
                            .engine  = e,
                            .value   = l->launch_group,
                            .waves   = l->launch_waves,
                            .index   = l->launch_index,
                            .threads = l->launch_threads});
    }
    if (session_step(w->s) != SESSION_GOOD)
        fail_msg("%s", session_report(w->s));
}

static inline void steps(world *w, uint32_t count)
{
    while (count--)
        step(w);
}

// Goes on until the condition holds.
#define UNTIL(w, condition)                                                                                            \
    do {                                                                                                               \
        const uint64_t until_end = now(w) + WORLD_LIMIT;                                                               \
        while (!(condition)) {                                                                                         \
            if (now(w) >= until_end)                                                                                   \
                fail_msg("line %d: still not so after %d clocks%s%s: %s", __LINE__, WORLD_LIMIT, (w)->row ? ", " : "", \
                         (w)->row ? (w)->row : "", #condition);                                                        \
            step(w);                                                                                                   \
        }                                                                                                              \
    } while (0)

// Everything ends, nothing is lost, no self-check fired.
static inline void world_close(world *w)
{
    char message[256];
    UNTIL(w, session_idle(w->s));
    const account_sums sums = account_sum(session_account(w->s));
    assert_int_equal(sums.launched, sums.ended);
    if (!w->unfinished && !account_complete(session_account(w->s), message))
        fail_msg("%s", message);
    assert_false(session_model(w->s)->events.checked);
    if (session_end(w->s) != SESSION_GOOD)
        fail_msg("%s", session_report(w->s));
    session_destroy(w->s);
}

// ---- host

static inline uint32_t host_get(world *w, uint32_t address)
{
    const size_t n = host_read(host(w), now(w), address);
    UNTIL(w, host_done(host(w)));
    assert_int_equal(host(w)->list[n].response, 0);
    return host(w)->list[n].data;
}

static inline uint8_t host_try(world *w, uint32_t address, uint32_t data)
{
    const size_t n = host_write(host(w), now(w), address, data);
    UNTIL(w, host_done(host(w)));
    return host(w)->list[n].response;
}

static inline void host_put(world *w, uint32_t address, uint32_t data)
{
    assert_int_equal(host_try(w, address, data), 0);
}

static inline uint32_t window_get(world *w, int pipe, int queue, uint32_t dword)
{
    return host_get(w, driver_window((uint32_t)pipe, (uint32_t)queue, dword));
}

static inline void window_put(world *w, int pipe, int queue, uint32_t dword, uint32_t value)
{
    host_put(w, driver_window((uint32_t)pipe, (uint32_t)queue, dword), value);
}

static inline driver_queue world_queue(int pipe, int queue, uint32_t priority)
{
    return (driver_queue){.pipe     = (uint32_t)pipe,
                          .queue    = (uint32_t)queue,
                          .priority = priority,
                          .size     = WORLD_SIZE,
                          .ring     = WORLD_RING + (uint64_t)WORLD_STRIDE * (uint64_t)(pipe * TOTEM_QUEUES + queue)};
}

static inline void map_queue(world *w, const driver_queue *q)
{
    const size_t first = host(w)->count;
    driver_map(host(w), now(w), q);
    account_remap(session_account(w->s), (int)q->pipe, (int)q->queue);
    w->written[q->pipe][q->queue] = q->rptr;
    UNTIL(w, host_done(host(w)));
    for (size_t n = first; n < host(w)->count; n++)
        assert_int_equal(host(w)->list[n].response, 0);
}

static inline void map(world *w, int pipe, int queue, uint32_t priority)
{
    const driver_queue q = world_queue(pipe, queue, priority);
    map_queue(w, &q);
}

static inline void program(world *w, uint32_t entry, uint32_t duration)
{
    driver_program(host(w), now(w), entry, duration, 0);
    UNTIL(w, host_done(host(w)));
}

static inline uint32_t queue_state(world *w, int pipe, int queue)
{
    return host_get(w, driver_window((uint32_t)pipe, (uint32_t)queue, WINDOW(STATE)));
}

static inline uint32_t reason(uint32_t state)
{
    return state >> 16 & 15;
}

// ACTIVE as the host reads it.
static inline bool window_active(world *w, int pipe, int queue)
{
    return window_get(w, pipe, queue, WINDOW(CP_HQD_ACTIVE)) & 1;
}

static inline session_error last_error(const world *w)
{
    session_error  list[256];
    const uint64_t count = session_errors(w->s, list, 256);
    assert_in_range(count, 1, 256);
    return list[count - 1];
}

static inline uint64_t errors(const world *w)
{
    return session_count(w->s).errors;
}

// There are so many records; the last one has that code.
static inline void expect_error(world *w, uint64_t count, uint8_t code)
{
    UNTIL(w, errors(w) == count);
    assert_int_equal(last_error(w).code, code);
}

// ---- packets

static inline uint32_t get(const world *w, uint64_t address)
{
    return memory_read32(session_memory(w->s), address);
}

static inline void set(world *w, uint64_t address, uint32_t value)
{
    memory_write32(session_memory(w->s), address, value);
}

// The MQD of a queue that begins at the first dword of its ring, with so many written; doorbells are taken.
static inline void put_mqd(world *w, const driver_queue *q, uint32_t written)
{
    uint32_t image[DRIVER_MQD];
    driver_image(q, true, image);
    image[DRIVER_WINDOW + WINDOW(CP_HQD_PQ_DOORBELL_CONTROL)] |= 1u << 30;
    image[DRIVER_WINDOW + WINDOW(CP_HQD_PQ_WPTR_LO)] = written;
    for (uint32_t n = 0; n < DRIVER_MQD; n++)
        set(w, q->mqd + 4 * (uint64_t)n, image[n]);
}

static inline void on(world *w, int pipe, int queue)
{
    w->pipe  = pipe;
    w->queue = queue;
}

static inline uint64_t ring_place(int pipe, int queue, uint32_t position)
{
    return world_queue(pipe, queue, 0).ring + 4 * (uint64_t)(position % WORLD_SIZE);
}

static inline uint32_t position(const world *w)
{
    return w->written[w->pipe][w->queue];
}

// Dwords that the account does not look at.
static inline void raw(world *w, const uint32_t *words, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        set(w, w->buffer ? w->buffer : ring_place(w->pipe, w->queue, position(w)), words[n]);
        if (w->buffer)
            w->buffer += 4;
        else
            w->written[w->pipe][w->queue]++;
    }
}

static inline void packet(world *w, uint32_t op, const uint32_t *body, uint32_t count)
{
    char           message[256];
    const uint32_t from = position(w), header = TYPE3(op, count);
    raw(w, &header, 1);
    raw(w, body, count);
    if (!w->buffer && !account_stream(session_account(w->s), w->pipe, w->queue, session_memory(w->s),
                                      ring_place(w->pipe, w->queue, 0), WORLD_SIZE, from, count + 1, message))
        fail_msg("%s", message);
}

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define PACKET(w, op, ...) packet(w, TOTEM_OP_##op, WORDS(__VA_ARGS__))
#define SET_SH(w, offset, ...) packet(w, TOTEM_OP_SET_SH_REG, WORDS(0x200u + (offset), __VA_ARGS__))

static inline void nop(world *w)
{
    raw(w, WORDS(NOP1));
}

static inline void nops(world *w, unsigned count)
{
    while (count--)
        nop(w);
}

static inline void write_word(world *w, uint64_t address, uint32_t value)
{
    PACKET(w, WRITE_DATA, 5u << 8, (uint32_t)address, (uint32_t)(address >> 32), value);
}

// Gives the pipe up until the dword has the value.
static inline void smart_wait_equal(world *w, uint64_t address, uint32_t value)
{
    PACKET(w, WAIT_REG_MEM, 0xd3, (uint32_t)address, (uint32_t)(address >> 32), value, 0xffffffffu, 4);
}

static inline void wait_equal(world *w, uint64_t address, uint32_t value)
{
    PACKET(w, WAIT_REG_MEM, 0x13, (uint32_t)address, (uint32_t)(address >> 32), value, 0xffffffffu, 4);
}

// Packets that keep the pipe without a poll in vain, each for a read of memory: COND_EXEC that skips nothing.
static inline void slow(world *w, unsigned count)
{
    while (count--)
        PACKET(w, COND_EXEC, WORLD_DATA - 8, 0, 0, 0);
}

static inline void flush(world *w)
{
    PACKET(w, EVENT_WRITE, 0x400u | TOTEM_EVENT_CS_PARTIAL_FLUSH);
}

static inline void fence(world *w, uint32_t data_sel, uint32_t int_sel, uint64_t address, uint64_t value,
                         uint32_t ctxid)
{
    PACKET(w, RELEASE_MEM, 0x528, data_sel << 29 | int_sel << 24, (uint32_t)address, (uint32_t)(address >> 32),
           (uint32_t)value, (uint32_t)(value >> 32), ctxid);
}

// Registers of a dispatch: threads of a group, program table entry, VGPR blocks of a wave, LDS blocks.
static inline void shape(world *w, uint32_t threads, uint32_t entry, uint32_t vgprs, uint32_t lds)
{
    SET_SH(w, 7, threads, 1, 1);
    SET_SH(w, 0x0c, 0x1000u | entry, 0);
    SET_SH(w, 0x12, vgprs - 1, lds << 15);
}

static inline void dispatch(world *w, uint32_t x, uint32_t y, uint32_t z)
{
    PACKET(w, DISPATCH_DIRECT, x, y, z, AT_ZERO);
}

// Only engine 0.
static inline void one_engine(world *w)
{
    SET_SH(w, 0x16, 0xffffffffu, 0);
    SET_SH(w, 0x19, 0, 0);
}

static inline void doorbell(world *w, int pipe, int queue)
{
    driver_doorbell(host(w), now(w), (uint32_t)pipe, (uint32_t)queue, w->written[pipe][queue]);
    UNTIL(w, host_done(host(w)));
    assert_int_equal(host(w)->list[host(w)->count - 1].response, 0);
}

// One packet in the ring of a queue, and its doorbell.
static inline void give_nop(world *w, int pipe, int queue)
{
    on(w, pipe, queue);
    nop(w);
    doorbell(w, pipe, queue);
}

static inline void give_write(world *w, int pipe, int queue, uint64_t address, uint32_t value)
{
    on(w, pipe, queue);
    write_word(w, address, value);
    doorbell(w, pipe, queue);
}

// Waits until the dword is 1.
static inline void give_wait(world *w, int pipe, int queue, uint64_t address)
{
    on(w, pipe, queue);
    wait_equal(w, address, 1);
    doorbell(w, pipe, queue);
}

static inline uint32_t rptr(const world *w, int pipe, int queue)
{
    return front_out(w, pipe)->fetch.rptr[queue];
}

// The queue of pipe 0 has executed all that is written.
static inline bool read_up(const world *w, int queue)
{
    return rptr(w, 0, queue) == w->written[0][queue];
}

static inline unsigned waves(const world *w, int pipe, int queue)
{
    return front_out(w, pipe)->flight.waves[queue];
}

static inline bool selected(const world *w, int pipe, int queue)
{
    const totem_arbiter_out *a = &front_out(w, pipe)->arbiter;
    return a->selected_valid && a->selected == queue;
}

// ---- what happened

static inline unsigned count_of(const world *w, event_kind kind, int pipe, int queue, unsigned from)
{
    unsigned count = 0;
    for (unsigned n = from; n < w->count; n++)
        count += w->events[n].kind == kind && w->events[n].pipe == pipe && w->events[n].queue == queue;
    return count;
}

static inline const event *find_event(const world *w, event_kind kind, int pipe, int queue, unsigned from)
{
    for (unsigned n = from; n < w->count; n++)
        if (w->events[n].kind == kind && w->events[n].pipe == pipe && w->events[n].queue == queue)
            return &w->events[n];
    fail_msg("event %d of pipe %d queue %d did not happen", (int)kind, pipe, queue);
    return NULL;
}

// The queues selected since event `from`, in this order and no others.
static inline void expect_order(const world *w, int pipe, unsigned from, const int *queues, unsigned count)
{
    unsigned k = 0;
    for (unsigned n = from; n < w->count; n++) {
        if (w->events[n].kind != GO || w->events[n].pipe != pipe)
            continue;
        if (k >= count) {
            fail_msg("a selection too many: queue %d", w->events[n].queue);
            return;
        }
        assert_int_equal(w->events[n].queue, queues[k]);
        k++;
    }
    assert_int_equal(k, count);
}

#define EXPECT_ORDER(w, pipe, from, ...)                    \
    expect_order(w, pipe, from, (const int[]){__VA_ARGS__}, \
                 (unsigned)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))

// ---- what many tests do

// A rule in a world with nothing mapped, which must be idle at its end.
#define RULE(name) RULE_IN(world, world_open, world_close, w, name)

static inline void map_on(world *w, int pipe, int queue, uint32_t priority)
{
    map(w, pipe, queue, priority);
    on(w, pipe, queue);
}

static inline void clear_active(world *w, int pipe, int queue)
{
    window_put(w, pipe, queue, WINDOW(CP_HQD_ACTIVE), 0);
    UNTIL(w, !window_active(w, pipe, queue));
}

// Behind all that its ring holds.
static inline void map_again(world *w, int pipe, int queue, uint32_t priority)
{
    driver_queue q = world_queue(pipe, queue, priority);
    q.rptr         = w->written[pipe][queue];
    map_queue(w, &q);
    on(w, pipe, queue);
}

// A grid of work-groups of one wave.
static inline void grid(world *w, uint32_t entry, uint32_t groups)
{
    shape(w, 64, entry, 1, 0);
    dispatch(w, groups, 1, 1);
}

// The queue of pipe 0 stands at its error.
static inline void until_halted(world *w, int queue)
{
    UNTIL(w, front_out(w, 0)->execute.halted[queue] && !selected(w, 0, queue));
}

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_submit: twin of rtl/task/totem_submit.v, from docs/contract/submit.md.

#include "totem_submit.h"

#include "../host/totem_regs_map.h"
#include "../packet/totem_pm4.h"
#include "totem_setup_values.h"
#include "totem_task_values.h"

enum { ALL = TOTEM_PIPES * TOTEM_QUEUES, HOST_TURN = TOTEM_SE_COUNT };
enum { COPIES = 6, SYSTEM, DEVICE }; // places in `counts` behind the invalidates
enum { BARRIER = 7 };                // its place in the marks
enum { LAUNCH_PIPE = 3, LAUNCH_BITS = 4, ALL_BYTES = 15 };

static bool is_report(uint8_t dword)
{
    return dword >= TOTEM_REG_TASKS_TASKS_DONE && dword < TOTEM_REG_TASKS_TASKS_DONE + 2 * ALL;
}

static bool is_count(uint8_t dword)
{
    return dword >= TOTEM_REG_TASKS_INVALIDATES && dword <= TOTEM_REG_TASKS_BARRIERS_DEVICE;
}

static uint32_t read_value(const totem_submit *s, const totem_submit_in *i)
{
    const uint8_t dword = i->host_dword;
    uint32_t      value = 0;

    switch (dword) {
    case TOTEM_REG_TASKS_TASK_POINTER: return s->pointer;
    case TOTEM_REG_TASKS_REPORT_INTERRUPT:
        for (unsigned x = 0; x < ALL; x++)
            value |= (uint32_t)s->reports[x] << x;
        return value;
    case TOTEM_REG_TASKS_TASK_ENTRIES: return TOTEM_ENTRIES;
    case TOTEM_REG_TASKS_CHILDREN: return s->children;
    case TOTEM_REG_TASKS_CHILDREN_REFUSED: return s->children_refused;
    case TOTEM_REG_TASKS_HOST_LAUNCHES: return s->launches;
    default: break;
    }
    if (is_count(dword))
        return s->counts[dword - TOTEM_REG_TASKS_INVALIDATES];
    if (is_report(dword))
        return (uint32_t)(i->report_read_data >> (dword & 1 ? 32 : 0));
    return 0;
}

static bool read_only(uint8_t dword)
{
    return dword == TOTEM_REG_TASKS_TASK_ENTRIES || dword == TOTEM_REG_TASKS_CHILDREN ||
           dword == TOTEM_REG_TASKS_CHILDREN_REFUSED || dword == TOTEM_REG_TASKS_HOST_LAUNCHES || is_count(dword) ||
           is_report(dword);
}

static bool hole(uint8_t dword)
{
    return !read_only(dword) && dword != TOTEM_REG_TASKS_TASK_POINTER && dword != TOTEM_REG_TASKS_REPORT_INTERRUPT &&
           dword != TOTEM_REG_TASKS_TASK_LAUNCH;
}

// The host launches a task of a queue that there is, or writes another register.
static bool legal(const totem_submit_in *i)
{
    const unsigned pipe = i->host_data >> LAUNCH_PIPE & 1, queue = i->host_data & 7;
    return i->host_dword != TOTEM_REG_TASKS_TASK_LAUNCH ||
           (i->host_strobe == ALL_BYTES && i->host_data >> LAUNCH_BITS == 0 && pipe < TOTEM_PIPES &&
            queue < TOTEM_QUEUES);
}

static uint8_t refusal(const totem_submit_in *i)
{
    if (hole(i->host_dword))
        return TOTEM_ERROR_HOST_HOLE & 31;
    if (i->host_write && read_only(i->host_dword))
        return TOTEM_ERROR_HOST_READ_ONLY & 31;
    if (i->host_write && !legal(i))
        return TOTEM_ERROR_HOST_VALUE & 31;
    return 0;
}

void totem_submit_outputs(const totem_submit *s, totem_submit_out *o)
{
    bool answers = false;

    o->host_done    = s->host_done;
    o->host_error   = s->host_error;
    o->host_rdata   = s->host_rdata;
    o->call_valid   = s->call_valid;
    o->call_queue   = s->call_queue;
    o->call_pointer = s->call_pointer;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        o->task_ready[e]   = s->task_ready[e];
        o->task_refused[e] = s->refused;
        answers            = answers || s->task_ready[e];
    }
    o->room = !s->interrupt;
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        o->interrupt_valid[p] = s->interrupt && s->interrupt_queue / TOTEM_QUEUES == p;
    o->interrupt_word     = (uint64_t)(s->interrupt_queue % TOTEM_QUEUES) << 32 | s->interrupt_word;
    o->report_read_enable = s->step == SUBMIT_READ;
    o->report_read_addr   = s->read;
    o->idle               = !s->call_valid && !s->interrupt && !answers;
}

static void answer_wave(totem_submit *n, unsigned engine, bool refused)
{
    n->refused = refused;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (e == engine)
            n->task_ready[e] = true;
    if (refused)
        n->children_refused++;
    else
        n->children++;
}

// 2 Call
static void call_answered(totem_submit *n, const totem_submit *s, uint8_t answer)
{
    n->call_valid = false;
    if (s->turn != HOST_TURN) {
        answer_wave(n, s->turn, answer != CALL_TAKEN);
        return;
    }
    n->step       = SUBMIT_REST;
    n->host_done  = true;
    n->host_rdata = 0;
    n->host_error = 0;
    if (answer == CALL_TAKEN)
        n->launches++;
    else
        n->host_error = (answer == CALL_UNMAPPED ? TOTEM_ERROR_HOST_TASK_UNMAPPED : TOTEM_ERROR_HOST_TASK_FULL) & 31;
}

// Engine e has a request for this front end.
static bool asks(const totem_submit *s, const totem_submit_in *i, unsigned e)
{
    return i->wave_task_valid[e] && i->wave_task_fe[e] == i->fe_number && !s->task_ready[e];
}

// The wave's epoch belongs to the present mapping of its queue.
static bool there(const totem_submit_in *i, unsigned e, unsigned x)
{
    if (i->wave_task_pipe[e] >= TOTEM_PIPES)
        return false;
    for (unsigned y = 0; y < ALL; y++)
        if (y == x)
            return (i->epoch_present[y] >> i->wave_task_epoch[e] & 1) != 0;
    return false;
}

static uint8_t onward(const totem_submit *s)
{
    return s->turn == HOST_TURN ? 0 : (s->turn + 1u) & 7;
}

// 3 Engine
static void engine(totem_submit *n, const totem_submit *s, const totem_submit_in *i, unsigned e)
{
    const unsigned x = (unsigned)i->wave_task_pipe[e] * TOTEM_QUEUES + i->wave_task_queue[e];

    if (there(i, e, x)) {
        n->call_valid   = true;
        n->call_queue   = (uint8_t)(x % ALL);
        n->call_pointer = i->wave_task_pointer[e];
    } else {
        n->turn = onward(s);
        answer_wave(n, e, true);
    }
}

static void requests(totem_submit *n, const totem_submit *s, const totem_submit_in *i)
{
    if (s->call_valid) {
        if (i->tasks_call_done) {
            n->turn = onward(s);
            call_answered(n, s, i->tasks_call_answer);
        }
        return;
    }
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (s->turn == e && asks(s, i, e)) {
            engine(n, s, i, e);
            return;
        }
    // 4 Turn
    if (s->turn == HOST_TURN && s->step == SUBMIT_LAUNCH) {
        n->call_valid = true;
        n->call_queue =
            (uint8_t)(((i->host_data >> LAUNCH_PIPE & 1) * TOTEM_QUEUES + i->host_data % TOTEM_QUEUES) % ALL);
        n->call_pointer = s->pointer;
        return;
    }
    n->turn = onward(s);
}

static uint32_t put_value(const totem_submit_in *i, uint32_t value)
{
    uint32_t word = 0;
    for (unsigned b = 0; b < 4; b++)
        word |= ((i->host_strobe >> b & 1) != 0 ? i->host_data : value) & 0xffu << 8 * b;
    return word;
}

// 5 Host
static void host(totem_submit *n, const totem_submit *s, const totem_submit_in *i)
{
    const uint32_t value = read_value(s, i), put = put_value(i, value);

    if (s->step == SUBMIT_REST && i->host_valid && !s->host_done) {
        n->step = SUBMIT_READ;
        n->read = (i->host_dword >> 1) % ALL;
    }
    if (s->step == SUBMIT_READ)
        n->step = SUBMIT_ACT;
    if (s->step != SUBMIT_ACT)
        return;
    n->step       = SUBMIT_REST;
    n->host_done  = true;
    n->host_rdata = value;
    n->host_error = refusal(i);
    // 6 Write
    if (!i->host_write || n->host_error != 0)
        return;
    switch (i->host_dword) {
    case TOTEM_REG_TASKS_TASK_POINTER: n->pointer = put; break;
    case TOTEM_REG_TASKS_REPORT_INTERRUPT:
        for (unsigned x = 0; x < ALL; x++)
            n->reports[x] = (put >> x & 1) != 0;
        break;
    default: // TASK_LAUNCH
        n->host_done = false;
        n->step      = SUBMIT_LAUNCH;
    }
}

// 7 Marks
static void marks(totem_submit *n, const totem_submit_in *i)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        const unsigned barrier = i->runner_marks[p] >> BARRIER & 3;

        if (!i->runner_granted[p])
            continue;
        for (unsigned k = 0; k <= COPIES; k++)
            n->counts[k] += i->runner_marks[p] >> k & 1;
        n->counts[SYSTEM] += barrier == MARK_BARRIER_SYSTEM;
        n->counts[DEVICE] += barrier == MARK_BARRIER_DEVICE;
    }
}

// events takes the interrupt of the pipe.
static bool taken(const totem_submit_in *i, unsigned p)
{
    return i->events_interrupt_ready[p] && !i->fence_interrupt_valid[p] && !i->mqd_interrupt_valid[p];
}

// 8 Interrupts
static void interrupts(totem_submit *n, const totem_submit *s, const totem_submit_in *i)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        if (s->interrupt && s->interrupt_queue / TOTEM_QUEUES == p && taken(i, p))
            n->interrupt = false;
    if (!i->tasks_over_ready)
        return;
    if (i->finish_over_trap || (i->tasks_report_write_enable && s->reports[i->tasks_report_write_addr])) {
        n->interrupt       = true;
        n->interrupt_queue = i->tasks_report_write_addr;
        n->interrupt_word  = (uint32_t)(i->tasks_report_write_data >> 32);
    }
}

void totem_submit_step(totem_submit *s, const totem_submit_in *i)
{
    totem_submit n = *s;

    // 1 Defaults
    n.host_done = false;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        n.task_ready[e] = false;
    requests(&n, s, i);
    host(&n, s, i);
    marks(&n, i);
    interrupts(&n, s, i);
    *s = n;
}

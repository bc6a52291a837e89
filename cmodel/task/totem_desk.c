// SPDX-License-Identifier: Apache-2.0
//
// totem_desk: twin of rtl/task/totem_desk.v, from docs/contract/desk.md.

#include "totem_desk.h"

#include "../host/totem_regs_map.h"
#include "../packet/totem_pm4.h"

enum { ALL = TOTEM_PIPES * TOTEM_QUEUES, HOST_TURN = TOTEM_SE_COUNT };
enum { REST, READ, ACT, LAUNCH };
enum { ANSWER_TAKEN, ANSWER_UNMAPPED };
enum { COPIES = 6, SYSTEM, DEVICE };                               // places in `counts` behind the invalidates
enum { MARK_BARRIER = 7, BARRIER_SYSTEM = 1, BARRIER_DEVICE = 3 }; // of the marks
enum { LAUNCH_PIPE = 3, LAUNCH_BITS = 4, ALL_BYTES = 15 };

static bool is_report(uint8_t dword)
{
    return dword >= TOTEM_REG_TASKS_TASKS_DONE && dword < TOTEM_REG_TASKS_TASKS_DONE + 2 * ALL;
}

static bool is_count(uint8_t dword)
{
    return dword >= TOTEM_REG_TASKS_INVALIDATES && dword <= TOTEM_REG_TASKS_BARRIERS_DEVICE;
}

static uint32_t read_value(const totem_desk *s, const totem_desk_in *i)
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

// The host launches a task of a queue that there is.
static bool is_launch(const totem_desk_in *i)
{
    const unsigned pipe = i->host_data >> LAUNCH_PIPE & 1, queue = i->host_data & 7;
    return i->host_strobe == ALL_BYTES && i->host_data >> LAUNCH_BITS == 0 && pipe < TOTEM_PIPES &&
           queue < TOTEM_QUEUES;
}

static uint8_t refusal(const totem_desk_in *i)
{
    const uint8_t dword = i->host_dword;
    const bool    kept  = dword == TOTEM_REG_TASKS_TASK_POINTER || dword == TOTEM_REG_TASKS_REPORT_INTERRUPT;
    const bool    shown = dword == TOTEM_REG_TASKS_TASK_ENTRIES || dword == TOTEM_REG_TASKS_CHILDREN ||
                       dword == TOTEM_REG_TASKS_CHILDREN_REFUSED || dword == TOTEM_REG_TASKS_HOST_LAUNCHES ||
                       is_count(dword) || is_report(dword);

    if (!kept && !shown && dword != TOTEM_REG_TASKS_TASK_LAUNCH)
        return TOTEM_ERROR_HOST_HOLE & 31;
    if (i->host_write && shown)
        return TOTEM_ERROR_HOST_READ_ONLY & 31;
    if (i->host_write && dword == TOTEM_REG_TASKS_TASK_LAUNCH && !is_launch(i))
        return TOTEM_ERROR_HOST_VALUE & 31;
    return 0;
}

void totem_desk_outputs(const totem_desk *s, totem_desk_out *o)
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
    o->report_read_enable = s->step == READ;
    o->report_read_addr   = s->read;
    o->idle               = !s->call_valid && !s->interrupt && !answers;
}

static void answer_wave(totem_desk *n, unsigned engine, bool refused)
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

// The call of whoever has the turn is answered.
static void call_answered(totem_desk *n, const totem_desk *s, uint8_t answer)
{
    n->call_valid = false;
    if (s->turn != HOST_TURN) {
        answer_wave(n, s->turn, answer != ANSWER_TAKEN);
        return;
    }
    n->step       = REST;
    n->host_done  = true;
    n->host_rdata = 0;
    n->host_error = 0;
    if (answer == ANSWER_TAKEN)
        n->launches++;
    else
        n->host_error = (answer == ANSWER_UNMAPPED ? TOTEM_ERROR_HOST_TASK_UNMAPPED : TOTEM_ERROR_HOST_TASK_FULL) & 31;
}

// The wave's epoch belongs to the present mapping of its queue.
static bool is_present(const totem_desk_in *i, unsigned e, unsigned x)
{
    for (unsigned y = 0; y < ALL; y++)
        if (y == x)
            return (i->epoch_present[y] >> i->wave_task_epoch[e] & 1) != 0;
    return false;
}

// Rule 2.
static void requests(totem_desk *n, const totem_desk *s, const totem_desk_in *i)
{
    const uint8_t onward = s->turn == HOST_TURN ? 0 : (s->turn + 1u) & 7;

    if (s->call_valid) {
        if (i->tasks_call_done) {
            n->turn = onward;
            call_answered(n, s, i->tasks_call_answer);
        }
        return;
    }
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        if (s->turn != e || !i->wave_task_valid[e] || i->wave_task_fe[e] != i->fe_number || s->task_ready[e])
            continue;
        const unsigned x = (unsigned)i->wave_task_pipe[e] * TOTEM_QUEUES + i->wave_task_queue[e];

        if (i->wave_task_pipe[e] < TOTEM_PIPES && is_present(i, e, x)) {
            n->call_valid   = true;
            n->call_queue   = (uint8_t)(x % ALL);
            n->call_pointer = i->wave_task_pointer[e];
        } else {
            n->turn = onward;
            answer_wave(n, e, true);
        }
        return;
    }
    if (s->turn == HOST_TURN && s->step == LAUNCH) {
        n->call_valid = true;
        n->call_queue =
            (uint8_t)(((i->host_data >> LAUNCH_PIPE & 1) * TOTEM_QUEUES + i->host_data % TOTEM_QUEUES) % ALL);
        n->call_pointer = s->pointer;
        return;
    }
    n->turn = onward;
}

static uint32_t put_value(const totem_desk_in *i, uint32_t value)
{
    uint32_t word = 0;
    for (unsigned b = 0; b < 4; b++)
        word |= ((i->host_strobe >> b & 1) != 0 ? i->host_data : value) & 0xffu << 8 * b;
    return word;
}

// Rule 3.
static void host(totem_desk *n, const totem_desk *s, const totem_desk_in *i)
{
    const uint32_t value = read_value(s, i), put = put_value(i, value);

    if (s->step == REST && i->host_valid && !s->host_done) {
        n->step = READ;
        n->read = (i->host_dword >> 1) % ALL;
    }
    if (s->step == READ)
        n->step = ACT;
    if (s->step != ACT)
        return;
    n->step       = REST;
    n->host_done  = true;
    n->host_rdata = value;
    n->host_error = refusal(i);
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
        n->step      = LAUNCH;
    }
}

// Rules 4 and 5.
static void notices(totem_desk *n, const totem_desk *s, const totem_desk_in *i)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        const unsigned barrier = i->runner_marks[p] >> MARK_BARRIER & 3;

        if (i->runner_granted[p]) {
            for (unsigned k = 0; k <= COPIES; k++)
                n->counts[k] += i->runner_marks[p] >> k & 1;
            n->counts[SYSTEM] += barrier == BARRIER_SYSTEM;
            n->counts[DEVICE] += barrier == BARRIER_DEVICE;
        }
        if (s->interrupt && s->interrupt_queue / TOTEM_QUEUES == p && i->events_interrupt_ready[p] &&
            !i->fence_interrupt_valid[p] && !i->mqd_interrupt_valid[p])
            n->interrupt = false;
    }
    if (!i->tasks_over_ready)
        return;
    if (i->finish_over_trap || (i->tasks_report_write_enable && s->reports[i->tasks_report_write_addr])) {
        n->interrupt       = true;
        n->interrupt_queue = i->tasks_report_write_addr;
        n->interrupt_word  = (uint32_t)(i->tasks_report_write_data >> 32);
    }
}

void totem_desk_step(totem_desk *s, const totem_desk_in *i)
{
    totem_desk n = *s;

    n.host_done = false;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        n.task_ready[e] = false;
    requests(&n, s, i);
    host(&n, s, i);
    notices(&n, s, i);
    *s = n;
}

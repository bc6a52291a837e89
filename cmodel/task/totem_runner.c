// SPDX-License-Identifier: Apache-2.0
//
// totem_runner: twin of rtl/task/totem_runner.v, from docs/contract/runner.md.

#include "totem_runner.h"

#include "../packet/totem_pm4.h"
#include "../queue/totem_hqd_values.h"

enum { PAUSE = 3, WAVE = 32, MOST = 2048 };

static bool on(const totem_runner *s)
{
    return s->phase == RUNNER_START || s->phase == RUNNER_RUN || s->phase == RUNNER_STOP;
}

void totem_runner_outputs(const totem_runner *s, totem_runner_out *o)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->stall[q]      = s->stall[q];
        o->due[q]        = s->begun[q] || (s->able[q] && (s->turn[q] || !s->here[q]));
        o->begun[q]      = s->begun[q];
        o->lists_turn[q] = s->turn[q];
    }

    o->done     = s->phase == RUNNER_DONE;
    o->code     = s->code;
    o->word     = s->word;
    o->again    = s->again;
    o->go       = s->go;
    o->go_queue = s->go_queue;
    o->save     = s->save;
    o->loading  = s->loading;

    o->on      = on(s);
    o->start   = s->phase == RUNNER_START;
    o->stop    = s->phase == RUNNER_STOP;
    o->waves   = s->waves;
    o->threads = s->threads;

    o->taken          = s->taken;
    o->granted        = s->granted;
    o->refused        = s->refused;
    o->task_queue     = s->queue;
    o->marks          = s->marks[s->queue];
    o->launch_valid   = s->phase == RUNNER_LAUNCH;
    o->launch_queue   = s->queue;
    o->launch_pointer = s->pointer;

    o->fault_ready = s->telling == TELLING_DONE;
    o->halt        = s->telling == TELLING_DONE && !s->fault_orphaned;
    o->halt_queue  = s->fault_queue;
    o->error_valid = s->telling == TELLING_PLACE || s->telling == TELLING_WORD;
    o->error_word  = s->fault_word;
    if (s->telling == TELLING_PLACE)
        o->error_word = (uint64_t)s->fault_code << 56 | (uint64_t)s->fault_queue << 48 | s->fault_addr;
}

// 3 Marks
static void mark(totem_runner *n, const totem_runner_in *i)
{
    if (i->setup_mark_valid)
        n->marks[i->setup_bank_queue] = i->setup_mark_data;
}

// The ring of the queue waits.
static bool waits(const totem_runner_in *i, unsigned y)
{
    return (i->packet_wait_flush[y] && !i->fence_flushed[y]) || i->poll_waiting[y] ||
           (i->packet_wait_entry[y] && !i->task_room[y]);
}

// 1 Readiness
static void observe(totem_runner *n, const totem_runner_in *i)
{
    n->taken   = false;
    n->granted = false;
    n->refused = false;
    n->go      = false;
    n->save    = false;
    for (unsigned y = 0; y < TOTEM_QUEUES; y++) {
        n->able[y]  = i->task_run[y] && i->bank_prepared[y];
        n->stall[y] = i->task_resume[y] && !n->able[y];
        n->here[y]  = i->fetch_pending[y] && !waits(i, y);
    }
}

// The registers of the selected queue are to be loaded.
static bool reads(const totem_runner *s, const totem_runner_in *i)
{
    const uint8_t q = i->arbiter_selected;

    return i->arbiter_selected_valid && i->task_written[q] && i->bank_prepared[q] && s->pause == 0 && !on(s) &&
           !(s->held && s->go_queue == q);
}

// 4 Registers
static void load(totem_runner *n, const totem_runner *s, const totem_runner_in *i)
{
    if (s->pause != 0)
        n->pause = (uint8_t)(s->pause - 1);
    if (s->loading && i->bank_loaded && !s->go)
        n->loading = false;
    if (s->held && !i->task_written[s->go_queue])
        n->held = false;
    if (!reads(s, i))
        return;
    n->go       = true;
    n->go_queue = i->arbiter_selected;
    n->held     = true;
    n->loading  = true;
}

// 5 Service
static void serve(totem_runner *n, const totem_runner *s, const totem_runner_in *i)
{
    const uint8_t q = i->arbiter_selected;

    n->queue = q;
    n->code  = 0;
    n->again = false;
    if (i->packet_service_kind == TOTEM_KIND_LAUNCH) {
        n->pointer = (uint32_t)i->packet_service_data;
        n->phase   = RUNNER_LAUNCH;
    } else if (s->begun[q]) {
        n->phase = RUNNER_LOAD;
    } else if (i->task_run[q] && s->able[q]) {
        n->taken    = true;
        n->begun[q] = true;
        n->phase    = RUNNER_LOAD;
    } else {
        n->again = true;
        n->phase = RUNNER_DONE;
    }
}

// The bank has the registers of the queue.
static bool has(const totem_runner *s, const totem_runner_in *i)
{
    return s->held && s->go_queue == s->queue && !s->go && i->bank_loaded && !i->bank_busy;
}

// 7 Load
static void loaded(totem_runner *n, const totem_runner *s, const totem_runner_in *i)
{
    if (i->packet_service_stop) {
        n->again = true;
        n->phase = RUNNER_DONE;
        return;
    }
    if (!has(s, i))
        return;
    n->waves   = (uint8_t)((i->bank_threads + (WAVE - 1u)) / WAVE & 0x7f);
    n->threads = (uint8_t)((i->bank_threads - 1u) % WAVE + 1);
    n->phase   = RUNNER_FIT;
}

static bool too_large(const totem_runner *s, const totem_runner_in *i)
{
    const uint32_t vgprs = (uint32_t)s->waves * i->bank_vgprs;

    return i->bank_threads > MOST || s->waves > TOTEM_SLOTS || vgprs > TOTEM_VGPRS || i->bank_lds > TOTEM_LDS;
}

// 8 Fit
static void fit(totem_runner *n, const totem_runner *s, const totem_runner_in *i)
{
    n->phase = RUNNER_START;
    if (!too_large(s, i))
        return;
    n->code            = TOTEM_ERROR_PACKET_GROUP_TOO_LARGE;
    n->word            = (i->bank_threads + (WAVE - 1u)) / WAVE;
    n->refused         = true;
    n->begun[s->queue] = false;
    n->phase           = RUNNER_DONE;
}

static void all_granted(totem_runner *n, const totem_runner *s, const totem_runner_in *i)
{
    n->granted         = true;
    n->begun[s->queue] = false;
    n->word            = i->task_entry[s->queue];
    n->phase           = RUNNER_DONE;
}

// 10 Stop
static void stopped(totem_runner *n, const totem_runner *s, const totem_runner_in *i)
{
    if (!i->walker_stopped)
        return;
    if (!i->walker_busy) {
        all_granted(n, s, i);
        return;
    }
    n->again = true;
    n->phase = RUNNER_DONE;
    if (i->arbiter_active[s->queue]) {
        n->save  = true;
        n->held  = false;
        n->pause = PAUSE;
    }
}

static void phases(totem_runner *n, const totem_runner *s, const totem_runner_in *i)
{
    switch (s->phase) {
    case RUNNER_IDLE:
        if (i->packet_service_valid)
            serve(n, s, i);
        break;
    // 6 Launch
    case RUNNER_LAUNCH:
        if (i->task_launch_done) {
            n->again = i->task_launch_again;
            n->code  = i->task_launch_code;
            n->word  = i->task_launch_word;
            n->phase = RUNNER_DONE;
        }
        break;
    case RUNNER_LOAD: loaded(n, s, i); break;
    case RUNNER_FIT: fit(n, s, i); break;
    // 9 Run
    case RUNNER_START: n->phase = RUNNER_RUN; break;
    case RUNNER_RUN:
        if (!i->walker_busy)
            all_granted(n, s, i);
        else if (i->packet_service_stop)
            n->phase = RUNNER_STOP;
        break;
    case RUNNER_STOP: stopped(n, s, i); break;
    // 11 Done
    default:
        n->phase = RUNNER_IDLE;
        if (!s->again && s->code == 0)
            n->served = true;
        break;
    }
}

// 13 Faults
static void faults(totem_runner *n, const totem_runner *s, const totem_runner_in *i)
{
    switch (s->telling) {
    case TELLING_NOTHING:
        if (i->task_fault_valid) {
            n->fault_queue    = i->task_fault_queue;
            n->fault_code     = i->task_fault_code;
            n->fault_word     = i->task_fault_word;
            n->fault_addr     = i->task_fault_addr;
            n->fault_orphaned = i->task_fault_orphaned;
            n->telling        = TELLING_PLACE;
        }
        break;
    case TELLING_DONE: n->telling = TELLING_NOTHING; break;
    default:
        if (i->events_error_ready)
            n->telling = (uint8_t)(s->telling + 1);
        break;
    }
}

void totem_runner_step(totem_runner *s, const totem_runner_in *i)
{
    totem_runner n = *s;

    observe(&n, i);
    mark(&n, i);
    // 2 Turn
    if (i->packet_executed) {
        n.turn[i->arbiter_selected] = !s->served;
        n.served                    = false;
    }
    load(&n, s, i);
    phases(&n, s, i);
    // 12 Mapping
    if (i->load_valid && i->load_kind == LOAD_ACTIVE) {
        n.turn[i->load_queue]  = (i->load_data & 8) != 0;
        n.begun[i->load_queue] = false;
    }
    faults(&n, s, i);

    *s = n;
}

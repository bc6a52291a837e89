// SPDX-License-Identifier: Apache-2.0
//
// run_follow: see run_follow.h. A queue is known by the address of its ring.

#include "run_follow.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "driver.h"

#include <string.h>

#define WINDOW(name) TOTEM_REG_QUEUE_##name

enum { SKIP = 2, RESET = 2, PRELOAD = 1, GRID = 31, BUFFER = 31 }; // bits of PERSISTENT_STATE and IB_CONTROL
enum { DOORBELL_EN = 30, ONE_SHOTS = 4 * TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL1 };

void run_follow_open(run_follow *f, const totem_workload *w)
{
    memset(f, 0, sizeof *f);
    f->workload = w;
}

// Slot and dword of a window register; false: it is another register.
static bool window_of(uint32_t address, int *slot, uint32_t *dword)
{
    const uint32_t offset = address - TOTEM_REG_PIPE_BASE, pipe = offset / TOTEM_REG_PIPE_STRIDE,
                   queue = offset % TOTEM_REG_PIPE_STRIDE / TOTEM_REG_QUEUE_STRIDE;
    *slot                = (int)(pipe * TOTEM_QUEUES + queue);
    *dword               = offset % TOTEM_REG_QUEUE_STRIDE / 4;
    return address >= TOTEM_REG_PIPE_BASE && pipe < TOTEM_PIPE_COUNT && queue < TOTEM_QUEUES;
}

bool run_follow_queue(uint32_t address, int *pipe, unsigned *queue)
{
    int            slot;
    uint32_t       dword;
    const uint32_t bell = (address - TOTEM_REG_DOORBELL_BASE) / TOTEM_REG_DOORBELL_STRIDE;
    if (address >= TOTEM_REG_DOORBELL_BASE && bell < TOTEM_PIPE_COUNT * TOTEM_REG_QUEUE_COUNT &&
        bell % TOTEM_REG_QUEUE_COUNT < TOTEM_QUEUES) {
        *pipe  = (int)(bell / TOTEM_REG_QUEUE_COUNT);
        *queue = bell % TOTEM_REG_QUEUE_COUNT;
        return true;
    }
    if (!window_of(address, &slot, &dword))
        return false;
    *pipe  = slot / TOTEM_QUEUES;
    *queue = (unsigned)(slot % TOTEM_QUEUES);
    return true;
}

// The queue with this window is mapped into the slot. `kept`: dwords that are as the queue left them, when it was asked
// to leave: it goes on there, but for the grid of one that was reset. `once`: the host has asked for one-shots.
// What it was asked is known until it is mapped again, of the queue that had the slot too.
static void mapped(run_follow *f, session *s, int slot, const uint32_t window[56], uint64_t kept, bool reset,
                   uint64_t mqd)
{
    account       *a    = session_account(s);
    const uint64_t ring = ((uint64_t)window[WINDOW(CP_HQD_PQ_BASE_HI)] << 32 | window[WINDOW(CP_HQD_PQ_BASE)]) << 8;
    const int      pipe = slot / TOTEM_QUEUES, queue = slot % TOTEM_QUEUES;
    const int      known = account_find(a, ring), from = known >= 0 ? known : account_unused(a);
    const uint32_t state = window[WINDOW(CP_HQD_PERSISTENT_STATE)];
    const bool     goes  = known >= 0 && (kept >> WINDOW(CP_HQD_PERSISTENT_STATE) & 1) != 0;
    if (from >= 0 && from != slot) {
        f->asked[from] = f->asked[slot];
        f->mqd[from]   = f->mqd[slot];
        account_move(a, from / TOTEM_QUEUES, from % TOTEM_QUEUES, pipe, queue);
        tasks_move(session_tasks(s), from, slot);
    }
    f->asked[slot] = 0;
    account_execute(a, pipe, queue, session_memory(s), ring,
                    (uint32_t)(UINT64_C(2) << (window[WINDOW(CP_HQD_PQ_CONTROL)] & 63)), session_clock(s));
    account_skip(a, pipe, queue, ACCOUNT_GOES_ON);
    // Without it in the MQD, the grid that it was in begins anew. A reset that came in a save has left it there.
    if ((!goes || reset) && !(state >> GRID))
        account_restart(a, pipe, queue);
    if (known < 0 || !(kept >> WINDOW(CP_HQD_PQ_RPTR) & 1)) {
        const bool bell = window[WINDOW(CP_HQD_PQ_DOORBELL_CONTROL)] >> DOORBELL_EN & 1;
        const bool read = window[WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR)] || window[WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR_HI)];
        account_position(a, pipe, queue, window[WINDOW(CP_HQD_PQ_RPTR)], read && (!bell || f->once));
        account_announce(a, pipe, queue, window[WINDOW(CP_HQD_PQ_WPTR_LO)], session_clock(s));
    } else if (!(kept >> WINDOW(CP_HQD_IB_CONTROL) & 1) && !(window[WINDOW(CP_HQD_IB_CONTROL)] >> BUFFER))
        account_buffer_lost(a, pipe, queue);
    if (!goes && !(state & PRELOAD))
        account_remap(a, pipe, queue);
    else if (!goes && mqd)
        account_registers(a, pipe, queue, mqd);
}

static void begins(run_follow *f, const session *s, account *a, const host_access *access, bool *told)
{
    int        slot, pipe;
    unsigned   queue;
    uint32_t   dword    = 64;
    const int  bell     = (int)((access->address - TOTEM_REG_RING_DOORBELL_BASE) / TOTEM_REG_DOORBELL_STRIDE);
    const bool doorbell = access->address < TOTEM_REG_PIPE_BASE;
    if (access->write && access->address >= TOTEM_REG_RING_DOORBELL_BASE && bell < RINGS) {
        account_announce(a, RING_PIPE + bell, 0, access->data, session_clock(s));
        return;
    }
    if (access->write && access->address - ONE_SHOTS < 8) {
        f->once = true;
        account_polled(a);
    }
    if (!access->write || !run_follow_queue(access->address, &pipe, &queue))
        return;
    window_of(access->address, &slot, &dword);
    if (doorbell || dword == WINDOW(CP_HQD_PQ_WPTR_LO)) {
        *told = f->window[pipe * TOTEM_QUEUES + (int)queue].mapped;
        if (*told)
            account_announce(a, pipe, (int)queue, access->data, session_clock(s));
    } else if (dword == WINDOW(CONTROL)) {
        const totem_machine_out *o = session_out(s);
        const bool grid            = o->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.execute.unfinished[queue];
        account_skip(a, pipe, (int)queue, access->data == SKIP && grid ? ACCOUNT_SKIPPED : ACCOUNT_GOES_ON);
        account_pass(a, pipe, (int)queue, access->data == SKIP);
    } else if (dword == WINDOW(CP_HQD_DEQUEUE_REQUEST) || (dword == WINDOW(CP_HQD_ACTIVE) && !(access->data & 1))) {
        account_skip(a, pipe, (int)queue, ACCOUNT_LEFT);
        f->window[slot].mapped = false;
    }
}

// Window dwords are as the queue has left them if nobody has written them since. Nothing is saved without a request,
// but for the pointers.
static uint64_t left_alone(const run_window *v, uint32_t asked)
{
    const uint64_t pointers = UINT64_C(1) << WINDOW(CP_HQD_PQ_RPTR);
    return (asked ? ~UINT64_C(0) : pointers) & ~v->since;
}

static void ended(run_follow *f, session *s, const host_access *access, bool told)
{
    int       slot, pipe;
    unsigned  queue;
    uint32_t  dword;
    const int bell = (int)((access->address - TOTEM_REG_RING_DOORBELL_BASE) / TOTEM_REG_DOORBELL_STRIDE);
    if (access->write && access->response && access->address >= TOTEM_REG_RING_DOORBELL_BASE && bell < RINGS)
        account_refused(session_account(s), RING_PIPE + bell, 0);
    if (!access->write || !run_follow_queue(access->address, &pipe, &queue))
        return;
    const bool window = window_of(access->address, &slot, &dword);
    if (access->response) {
        if (told && (!window || dword == WINDOW(CP_HQD_PQ_WPTR_LO)))
            account_refused(session_account(s), pipe, (int)queue);
        return;
    }
    if (!window)
        return;
    run_window *v = &f->window[slot];
    if (dword < 56) {
        v->dword[dword] = access->data;
        v->since |= UINT64_C(1) << dword;
    }
    if (dword == WINDOW(CP_HQD_DEQUEUE_REQUEST) && access->data) { // 0: a driver writes the whole window
        f->asked[slot] = access->data;
        v->since       = 0;
    } else if (dword == WINDOW(CP_HQD_ACTIVE) && (access->data & 1)) {
        const uint64_t mqd = (uint64_t)v->dword[WINDOW(CP_MQD_BASE_ADDR_HI)] << 32 | v->dword[WINDOW(CP_MQD_BASE_ADDR)];
        mapped(f, s, slot, v->dword, left_alone(v, f->asked[slot]), f->asked[slot] == RESET, mqd);
        v->mapped = true;
        v->since  = 0;
    } else if (dword == WINDOW(MAP)) {
        const uint64_t mqd = (uint64_t)v->dword[WINDOW(CP_MQD_BASE_ADDR_HI)] << 32 | access->data;
        uint32_t       read[56];
        for (uint32_t n = 0; n < 56; n++)
            read[n] = memory_read32(session_memory(s), mqd + 4 * (uint64_t)(DRIVER_WINDOW + n));
        const uint64_t ring = ((uint64_t)read[WINDOW(CP_HQD_PQ_BASE_HI)] << 32 | read[WINDOW(CP_HQD_PQ_BASE)]) << 8;
        const int      from = account_find(session_account(s), ring);
        // With another MQD it is a queue that begins anew.
        const uint32_t asked = from >= 0 && f->mqd[from] == mqd ? f->asked[from] : 0;
        mapped(f, s, slot, read, asked ? ~UINT64_C(0) : 0, asked == RESET, mqd);
        f->mqd[slot] = mqd;
        memcpy(v->dword, read, sizeof read);
        v->mapped = true;
        v->since  = 0;
    }
}

// What a ring is to draw is read when it is mapped: its table is loaded by then. What it dispatches is read as it
// executes.
static void rings(run_follow *f, session *s)
{
#if TOTEM_GRAPHICS
    for (uint32_t n = 0; n < f->workload->rings_count; n++) {
        const totem_workload_queue *q = &f->workload->rings[n];
        if (f->given[q->front_end] || !session_out(s)->fe[q->front_end].graphics_pipe.front.arbiter.active[0])
            continue;
        f->given[q->front_end] = true;
        account_execute(session_account(s), (int)q->pipe, 0, session_memory(s), q->ring.address, q->ring.size,
                        session_clock(s));
        char message[256];
        draws_stream(session_draws(s), (int)q->front_end, session_memory(s), q->ring.address, q->ring.size, 0,
                     q->doorbells_count ? q->doorbells[q->doorbells_count - 1].write_pointer : 0, message);
    }
#else
    (void)f;
    (void)s;
#endif
}

// Accesses that the run list makes.
static void proxied(run_follow *f, session *s)
{
#if TOTEM_RUNLIST
    const totem_machine_out *o      = session_out(s);
    const totem_proxy_out   *p      = &o->proxy;
    const host_access        access = {
               .write = p->write, .address = p->address << 2, .data = p->data, .response = o->host.proxy_error != 0};
    if (p->valid && !f->proxied)
        begins(f, s, session_account(s), &access, &f->told[1]);
    if (p->valid && o->host.proxy_done)
        ended(f, s, &access, f->told[1]);
    f->proxied = p->valid && !o->host.proxy_done;
#else
    (void)f;
    (void)s;
#endif
}

void run_follow_clock(run_follow *f, session *s)
{
    const host_port *h = session_host(s);
    if (!session_model(s))
        return;
    rings(f, s);
    proxied(f, s);
    for (; f->seen < h->next; f->seen++)
        ended(f, s, &h->list[f->seen], f->told[0]);
    if (f->begun <= h->next && h->next < h->count && h->clock >= h->list[h->next].at) {
        begins(f, s, session_account(s), &h->list[h->next], &f->told[0]);
        f->begun = h->next + 1;
    }
}

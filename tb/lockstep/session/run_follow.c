// SPDX-License-Identifier: Apache-2.0
//
// run_follow: see run_follow.h. A queue is known by the address of its ring.

#include "run_follow.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "driver.h"

#include <string.h>

#define WINDOW(name) TOTEM_REG_QUEUE_##name

enum { SKIP = 2, GRID = 31 };

void run_follow_open(run_follow *f, const totem_workload *w)
{
    memset(f, 0, sizeof *f);
    f->workload = w;
    for (int n = 0; n < RUN_QUEUES; n++)
        f->in[n] = -1;
    for (uint32_t n = 0; n < w->queues_count; n++)
        f->in[w->queues[n].pipe * TOTEM_QUEUES + w->queues[n].queue] = (int)n;
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
    if (address >= TOTEM_REG_DOORBELL_BASE && bell < TOTEM_PIPE_COUNT * TOTEM_REG_QUEUE_COUNT) {
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

// The queue with this ring is mapped into the slot.
static void mapped(run_follow *f, session *s, int slot, const uint32_t ring[2], bool grid)
{
    account       *a       = session_account(s);
    const uint64_t address = ((uint64_t)ring[1] << 32 | ring[0]) << 8;
    const int      pipe = slot / TOTEM_QUEUES, queue = slot % TOTEM_QUEUES;
    for (int from = 0; from < RUN_QUEUES; from++) {
        const int n = f->in[from];
        if (n < 0 || f->workload->queues[n].ring.address != address)
            continue;
        if (from != slot) {
            account_move(a, from / TOTEM_QUEUES, from % TOTEM_QUEUES, pipe, queue);
            tasks_move(session_tasks(s), from, slot);
            f->in[from] = f->in[slot];
            f->in[slot] = n;
        }
        account_skip(a, pipe, queue, ACCOUNT_GOES_ON);
        // Without it in the MQD, the grid that it was in begins anew.
        if (!grid && account_begun(a, pipe, queue))
            account_restart(a, pipe, queue);
        return;
    }
}

static void begins(const session *s, account *a, const host_access *access)
{
    int      slot;
    uint32_t dword;
    if (!access->write || !window_of(access->address, &slot, &dword))
        return;
    const int pipe = slot / TOTEM_QUEUES, queue = slot % TOTEM_QUEUES;
    if (dword == WINDOW(CONTROL)) {
        const totem_machine_out *o = session_out(s);
        const bool grid            = o->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.execute.unfinished[queue];
        account_skip(a, pipe, queue, access->data == SKIP && grid ? ACCOUNT_SKIPPED : ACCOUNT_GOES_ON);
    } else if (dword == WINDOW(CP_HQD_DEQUEUE_REQUEST) || (dword == WINDOW(CP_HQD_ACTIVE) && !(access->data & 1)))
        account_skip(a, pipe, queue, ACCOUNT_LEFT);
}

static void ended(run_follow *f, session *s, const host_access *access)
{
    int      slot;
    uint32_t dword;
    if (!access->write || access->response || !window_of(access->address, &slot, &dword))
        return;
    switch (dword) {
    case WINDOW(CP_HQD_PQ_BASE): f->window[slot].ring[0] = access->data; break;
    case WINDOW(CP_HQD_PQ_BASE_HI): f->window[slot].ring[1] = access->data; break;
    case WINDOW(CP_HQD_PERSISTENT_STATE): f->window[slot].grid = access->data >> GRID; break;
    case WINDOW(CP_MQD_BASE_ADDR_HI): f->window[slot].mqd_high = access->data; break;
    case WINDOW(CP_HQD_ACTIVE):
        if (access->data & 1)
            mapped(f, s, slot, f->window[slot].ring, f->window[slot].grid);
        break;
    case WINDOW(MAP): {
        const uint64_t mqd     = ((uint64_t)f->window[slot].mqd_high << 32 | access->data) + 4 * DRIVER_WINDOW;
        const memory  *m       = session_memory(s);
        const uint32_t ring[2] = {memory_read32(m, mqd + 4 * WINDOW(CP_HQD_PQ_BASE)),
                                  memory_read32(m, mqd + 4 * WINDOW(CP_HQD_PQ_BASE_HI))};
        mapped(f, s, slot, ring, memory_read32(m, mqd + 4 * WINDOW(CP_HQD_PERSISTENT_STATE)) >> GRID);
        break;
    }
    default: break;
    }
}

// What a ring is to draw is read when it is mapped: its table is loaded by then.
static void rings(run_follow *f, session *s)
{
#if TOTEM_GRAPHICS
    for (uint32_t n = 0; n < f->workload->rings_count; n++) {
        const totem_workload_queue *q = &f->workload->rings[n];
        if (f->given[q->front_end] || !session_out(s)->fe[q->front_end].graphics_pipe.front.arbiter.active[0])
            continue;
        f->given[q->front_end] = true;
        // A ring that cannot be read is refused by the account of waves before.
        char message[256];
        draws_stream(session_draws(s), (int)q->front_end, session_memory(s), q->ring.address, q->ring.size, 0,
                     q->doorbells_count ? q->doorbells[q->doorbells_count - 1].write_pointer : 0, message);
    }
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
    for (; f->seen < h->next; f->seen++)
        ended(f, s, &h->list[f->seen]);
    if (f->begun <= h->next && h->next < h->count && h->clock >= h->list[h->next].at) {
        begins(s, session_account(s), &h->list[h->next]);
        f->begun = h->next + 1;
    }
}

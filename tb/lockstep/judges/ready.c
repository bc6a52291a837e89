// SPDX-License-Identifier: Apache-2.0
//
// ready: see ready.h.

#include "ready.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/queue/totem_hqd_values.h"
#include "ring.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { P = TOTEM_PIPE_COUNT, QUEUES = TOTEM_QUEUES, SLOTS = P * QUEUES };

typedef struct {
    bool     active, buffer;
    uint32_t rptr, wptr, left; // of the ring; dwords left of the buffer
    bool     may;              // in the clock before: it is mapped, has work and waits for nothing
    // Since it may be ready and is not:
    uint32_t waited;   // clocks since the last read of its pipe
    uint32_t reads;    // of its pipe
    uint32_t allowed;  // so many
    uint32_t prepared; // clocks in which its registers were not in place
} queue_watch;

struct readiness {
    queue_watch queues[SLOTS];
    size_t      seen; // accesses of the host
};

readiness *ready_create(void)
{
    return calloc(1, sizeof(readiness));
}

void ready_destroy(readiness *r)
{
    free(r);
}

// ---- what a queue has to do

static bool has_work(const queue_watch *q)
{
    return q->buffer || q->rptr != q->wptr;
}

// The words of the load bus that count here.
static void load(queue_watch *q, uint32_t kind, uint64_t data)
{
    switch (kind) {
    case LOAD_ACTIVE: q->active = data & 1; break;
    case LOAD_RPTR:
        q->rptr   = (uint32_t)data;
        q->buffer = false;
        break;
    case LOAD_WPTR: q->wptr = (uint32_t)data; break;
    case LOAD_BUFFER_LEFT:
        q->left   = (uint32_t)data & 0xfffff;
        q->buffer = q->left != 0;
        break;
    default: break;
    }
}

static void pass(queue_watch *q, const totem_execute_out *x)
{
    if (!q->buffer)
        q->rptr += x->commit_count;
    else if (x->commit_count >= q->left)
        q->buffer = false;
    else
        q->left -= x->commit_count;
    if (x->open) {
        q->buffer = true;
        q->left   = x->open_size;
    }
}

static bool broken(char message[256], uint64_t clock, int slot, const queue_watch *q, const char *what)
{
    snprintf(message, 256,
             "clock %" PRIu64
             ", pipe %d queue %d: %s (read pointer 0x%x, write pointer 0x%x, buffer %d; %u clocks since "
             "the last read, %u reads, %u clocks for registers)",
             clock, slot / QUEUES, slot % QUEUES, what, q->rptr, q->wptr, q->buffer, q->waited, q->reads, q->prepared);
    return false;
}

// Doorbells that were answered with OKAY: the queue has the pointer, whatever came of it on the load bus. (A pointer of
// the window of a slot that is not mapped comes with the mapping.)
static bool doorbells(readiness *r, const totem_machine_out *out, const host_port *h, uint64_t clock, char message[256])
{
    for (; r->seen < h->next; r->seen++) {
        const host_access *a    = &h->list[r->seen];
        const uint32_t     bell = (a->address - TOTEM_REG_DOORBELL_BASE) / TOTEM_REG_DOORBELL_STRIDE;
        const uint32_t     at = a->address - TOTEM_REG_PIPE_BASE, window = at % TOTEM_REG_QUEUE_STRIDE / 4;
        uint32_t           pipe = bell / 8, queue = bell % 8;
        if (!a->write || a->response || a->bytes != 15)
            continue;
        if (a->address >= TOTEM_REG_PIPE_BASE && window == TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO) {
            pipe  = at / TOTEM_REG_PIPE_STRIDE;
            queue = at % TOTEM_REG_PIPE_STRIDE / TOTEM_REG_QUEUE_STRIDE;
        } else if (a->address < TOTEM_REG_DOORBELL_BASE || bell >= TOTEM_REG_DOORBELL_COUNT)
            continue;
        if (pipe >= P || queue >= QUEUES)
            continue;
        queue_watch           *q = &r->queues[pipe * QUEUES + queue];
        const totem_front_out *p = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front;
        if ((int32_t)(a->data - q->wptr) > 0)
            q->wptr = a->data;
        if (p->hqd.active[queue] && (int32_t)(a->data - p->fetch.wptr[queue]) > 0)
            return broken(message, clock, (int)(pipe * QUEUES + queue), q, "a doorbell was taken, and is lost");
    }
    return true;
}

// ---- what is shown

static void begin(queue_watch *q)
{
    q->waited = q->reads = q->prepared = 0;
    q->allowed                         = READY_READS * QUEUES;
}

// Memory, or its order of reads behind writes, keeps the pipe's next read back.
static bool held(const totem_memory_out *o, const memory *m, int fe, uint32_t reader)
{
    return memory_owes_reads(m, fe, reader) || o->m_axi_arvalid ||
           (!o->read_ready[reader] && (o->m_axi_awvalid || o->m_axi_wvalid || memory_owes_writes(m, fe)));
}

static bool judge(readiness *r, const totem_machine_out *out, const interrupts *i, const tasks *t, const memory *m,
                  int pipe, uint64_t clock, char message[256])
{
    const int                fe     = pipe / TOTEM_PIPES;
    const uint32_t           reader = 2 * (uint32_t)(pipe % TOTEM_PIPES);
    const totem_memory_out  *o      = &out->fe[fe].memory;
    const totem_front_out   *p      = &out->fe[fe].pipe[pipe % TOTEM_PIPES].front;
    const totem_arbiter_out *a      = &p->arbiter;
    for (int n = 0; n < QUEUES; n++) {
        const int    slot = pipe * QUEUES + n;
        queue_watch *q    = &r->queues[slot];
        if (a->ready[n] && !q->may)
            return broken(message, clock, slot, q, "it is ready, and is not mapped, has nothing to do, or waits");
        const bool flushed = !p->execute.wait_flush[n] || interrupts_flushed(i, slot);
        const bool waits   = scheduler_waits(out, pipe, (unsigned)n);
        const bool stands  = !q->active || p->execute.halted[n] || p->hqd.dequeuing[n] || waits;
        const bool ring    = has_work(q) && !p->poll.waiting[n] && flushed;
        q->may             = !stands && (ring || tasks_wait(t, slot, clock));
        const bool lacks   = !stands && ring && !tasks_resume(t, slot) && !p->execute.wait_entry[n] && !a->ready[n] &&
                           !(a->selected_valid && a->selected == n) && !(a->move && a->move_queue == n) &&
                           (!p->execute.wait_epoch[n] || interrupts_empty(i, slot));
        if (!lacks) {
            begin(q);
            continue;
        }
        if (!p->bank.prepared[n]) {
            if (++q->prepared > READY_PREPARED)
                return broken(message, clock, slot, q, "its registers are not in place in time");
            continue;
        }
        // The end of what it has waited for comes to it through the fence unit and memory.
        const bool     epoch = p->execute.wait_flush[n] || p->execute.wait_epoch[n];
        const uint32_t bound = READY_READ + (epoch ? INTERRUPTS_SERVES * INTERRUPTS_SERVE : 0);
        if (!out->host.settings_mqd_save && p->fetch.read_valid && o->read_ready[reader]) {
            q->waited = 0;
            q->reads++;
        } else
            q->waited += !held(o, m, fe, reader) && !(epoch && memory_owes_writes(m, fe));
        q->allowed += a->go || p->hqd.load_valid ? READY_READS : 0;
        if (q->waited > bound || q->reads > q->allowed)
            return broken(message, clock, slot, q, "it has work, and does not become ready");
    }
    return true;
}

bool ready_step(readiness *r, const totem_machine_out *out, const interrupts *i, const tasks *t, const host_port *h,
                const memory *m, uint64_t clock, char message[256])
{
    if (!doorbells(r, out, h, clock, message))
        return false;
    for (int n = 0; n < P; n++) {
        const totem_front_out *p = &out->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES].front;
        if (!judge(r, out, i, t, m, n, clock, message))
            return false;
        if (p->execute.commit)
            pass(&r->queues[n * QUEUES + p->execute.dispatch_queue], &p->execute);
        if (p->hqd.load_valid)
            load(&r->queues[n * QUEUES + p->hqd.load_queue], p->hqd.load_kind, p->hqd.load_data);
    }
    return true;
}

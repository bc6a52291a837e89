// SPDX-License-Identifier: Apache-2.0
//
// run_feed: see run_feed.h.

#include "run_feed.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "driver.h"

#include <stdlib.h>

enum { PAUSE = 64 }; // clocks between two reads of a read pointer

void run_feed_open(run_feed *f, const totem_workload *w)
{
    f->workload = w;
    f->queues   = calloc(w->queues_count + 1, sizeof *f->queues);
    if (!f->queues)
        abort();
}

void run_feed_close(run_feed *f)
{
    free(f->queues);
    f->queues = NULL;
}

static uint32_t goal(const totem_workload_queue *q, uint64_t clock)
{
    uint32_t pointer = 0;
    for (uint32_t n = 0; n < q->doorbells_count && q->doorbells[n].at <= clock; n++)
        pointer = q->doorbells[n].write_pointer;
    return pointer;
}

static void feed(run_feed_queue *f, const totem_workload_queue *q, session *s)
{
    host_port     *h     = session_host(s);
    const uint64_t clock = session_clock(s);
    const uint32_t to    = goal(q, clock);
    if (f->asked) {
        if (!h->list[f->access].done)
            return;
        f->rptr  = h->list[f->access].data;
        f->asked = false;
        f->next  = clock + PAUSE;
    }
    uint32_t end = f->rung;
    while (end < to) {
        const uint32_t unit = totem_workload_unit(&q->stream, end), behind = unit < to ? unit : to;
        if (behind - f->rptr > q->ring.size)
            break;
        end = behind;
    }
    for (uint32_t n = f->rung; n < end; n++)
        memory_write32(session_memory(s), q->ring.address + 4 * (uint64_t)(n & (q->ring.size - 1)), q->stream.words[n]);
    if (end != f->rung) {
        host_insert(h, driver_doorbell(h, clock, q->pipe, q->queue, end));
        f->rung = end;
    } else if (end < to && clock >= f->next) {
        f->access =
            host_insert(h, host_read(h, clock, driver_window(q->pipe, q->queue, TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR)));
        f->asked = true;
    }
}

void run_feed_clock(run_feed *f, session *s)
{
    for (uint32_t n = 0; n < f->workload->queues_count; n++) {
        const totem_workload_queue *q = &f->workload->queues[n];
        if (totem_workload_fed(q) && (f->queues[n].rung < q->stream.words_count || f->queues[n].asked))
            feed(&f->queues[n], q, s);
    }
}

bool run_feed_done(const run_feed *f)
{
    bool done = true;
    for (uint32_t n = 0; n < f->workload->queues_count; n++) {
        const totem_workload_queue *q = &f->workload->queues[n];
        done                          = done && (!totem_workload_fed(q) || f->queues[n].rung == goal(q, UINT64_MAX));
    }
    return done;
}

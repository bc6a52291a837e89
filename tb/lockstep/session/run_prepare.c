// SPDX-License-Identifier: Apache-2.0
//
// run_prepare: see run_prepare.h.

#include "run_prepare.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "driver.h"

// Before an access to a queue that was mapped again: the mapping has been made. Returns the queue's slot.
static totem_workload_map slot_at(host_port *h, const totem_workload_queue *q, uint64_t at)
{
    const uint32_t n = totem_workload_mapped(q, at);
    if (n == 0)
        return (totem_workload_map){.pipe = q->pipe, .queue = q->queue};
    const totem_workload_map slot = q->map[n - 1];
    host_wait(h, at, driver_window(slot.pipe, slot.queue, TOTEM_REG_QUEUE_CP_HQD_ACTIVE), 1, 1);
    return slot;
}

// What the host does to a queue, or a ring, after its first mapping.
static void later(host_port *h, const totem_workload_queue *q)
{
    totem_workload_map slot = {.pipe = q->pipe, .queue = q->queue};
    for (uint32_t k = 0; k < q->dequeue_count; k++) {
        driver_ask_dequeue(h, q->dequeue[k].at, slot.pipe, slot.queue, q->dequeue[k].type);
        if (k == q->map_count)
            break;
        const uint32_t left = driver_window(slot.pipe, slot.queue, TOTEM_REG_QUEUE_CP_HQD_ACTIVE);
        slot                = q->map[k];
        host_wait(h, slot.at, left, 1, 0);
        driver_map_mqd(h, slot.at, slot.pipe, slot.queue, q->mqd);
    }
    for (uint32_t k = 0; k < q->doorbells_count && !totem_workload_fed(q); k++) {
        slot = slot_at(h, q, q->doorbells[k].at);
        driver_doorbell(h, q->doorbells[k].at, slot.pipe, slot.queue, q->doorbells[k].write_pointer);
    }
    for (uint32_t k = 0; k < q->write_count; k++) {
        slot = slot_at(h, q, q->write[k].at);
        host_write(h, q->write[k].at, driver_window(slot.pipe, slot.queue, q->write[k].dword), q->write[k].value);
    }
}

enum { BELL = 1 << 30 }; // DOORBELL_EN

static driver_queue queue_of(const totem_workload_queue *q)
{
    return (driver_queue){
        .pipe          = q->pipe,
        .queue         = q->queue,
        .priority      = q->priority,
        .pipe_priority = q->pipe_priority,
        .privileged    = q->privileged,
        .ring          = q->ring.address,
        .size          = q->ring.size,
        .quantum       = q->quantum.enable | q->quantum.scale << 4 | q->quantum.duration << 8,
        .mqd           = q->mqd,
        .rptr_report   = q->rptr_report,
    };
}

static void map(host_port *h, run_word *word, void *user, const totem_workload_queue *q)
{
    for (uint32_t k = 0; k < q->stream.words_count && !totem_workload_fed(q); k++)
        word(user, q->ring.address + 4 * (uint64_t)k, q->stream.words[k]);
    const driver_queue queue = queue_of(q);
    driver_map(h, q->map_at, &queue);
    later(h, q);
}

// The settings of the run list, and its slots.
static void set_run_list(host_port *h, const totem_workload_run_list *l)
{
    const uint32_t page = TOTEM_REG_RUNLIST_BASE;
    const struct {
        const uint32_t *value;
        uint32_t        dword;
    } settings[] = {{l->yield, TOTEM_REG_RUNLIST_YIELD},
                    {l->park, TOTEM_REG_RUNLIST_PARK},
                    {l->spare, TOTEM_REG_RUNLIST_SPARE},
                    {l->leave, TOTEM_REG_RUNLIST_LEAVE}};
    for (unsigned n = 0; n < sizeof settings / sizeof *settings; n++)
        if (settings[n].value)
            host_write(h, 0, page + 4 * settings[n].dword, *settings[n].value);
    driver_mask(h, 0, l->slots);
}

// A queue of the run list: its MQD in memory, its listing, and what the host does to it then.
static void list(host_port *h, run_word *word, void *user, const totem_workload_queue *q)
{
    const driver_queue queue = queue_of(q);
    const driver_entry entry = {
        .entry   = q->queue,
        .mqd     = q->mqd,
        .pointer = q->pointer ? q->pointer : q->mqd + 4 * (DRIVER_WINDOW + TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO),
        .process = q->process,
        .quantum = q->process_quantum,
        .stays   = q->stays};
    uint32_t image[DRIVER_MQD];
    driver_image(&queue, false, image);
    image[DRIVER_WINDOW + TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL] = BELL | q->queue << 3;
    for (uint32_t k = 0; k < DRIVER_MQD; k++)
        word(user, q->mqd + 4 * (uint64_t)k, image[k]);
    for (uint32_t k = 0; k < q->stream.words_count; k++)
        word(user, q->ring.address + 4 * (uint64_t)k, q->stream.words[k]);
    driver_list(h, q->map_at, &entry);
    for (uint32_t k = 0; k < q->doorbells_count; k++)
        host_write(h, q->doorbells[k].at, TOTEM_REG_ENTRY_BASE + q->queue * TOTEM_REG_ENTRY_STRIDE,
                   q->doorbells[k].write_pointer);
    for (uint32_t k = 0; k < q->dequeue_count; k++)
        driver_unlist(h, q->dequeue[k].at, q->queue, q->dequeue[k].type == 2);
}

// Before the mapping of a ring: its own page.
static void set_graphics(host_port *h, const totem_workload_queue *q)
{
    const uint32_t                 page = TOTEM_REG_GRAPHICS_BASE + q->front_end * TOTEM_REG_GRAPHICS_STRIDE;
    const totem_workload_graphics *g    = q->graphics;
    if (g)
        host_write(h, q->map_at, page + 4 * TOTEM_REG_GRAPHICS_GRAPHICS,
                   (uint32_t)g->hp3d | (uint32_t)g->bounce << 1 | (uint32_t)g->filter << 2 | (g->generation - 9) << 4);
    const totem_workload_stream *t = q->table ? &q->table->stream : NULL;
    for (uint32_t n = 0; t && n < t->words_count;) {
        const uint32_t header = t->words[n], body = header >> 30 == 3 ? (header >> 16 & 0x3fff) + 1 : 0;
        if (body && (header >> 8 & 0xff) == TOTEM_OP_SET_CONTEXT_REG && n + 1 < t->words_count)
            host_write(h, q->map_at, page + 4 * TOTEM_REG_GRAPHICS_TABLE_INDEX, t->words[n + 1] & 0xffff);
        for (uint32_t k = 2; (header >> 8 & 0xff) == TOTEM_OP_SET_CONTEXT_REG && k <= body && n + k < t->words_count;
             k++)
            host_write(h, q->map_at, page + 4 * TOTEM_REG_GRAPHICS_TABLE_DATA, t->words[n + k]);
        n += 1 + body;
    }
}

static void set_program(host_port *h, const totem_workload_program *p)
{
    driver_program(h, 0, p->entry, p->duration, p->spread);
    if (p->primitives || p->culled)
        driver_export(h, 0, p->entry, p->primitives ? *p->primitives : 1, p->culled ? *p->culled : 0);
    if (p->pixels)
        driver_pixels(h, 0, p->entry, *p->pixels);
    if (p->child)
        driver_child(h, 0, p->entry, (uint32_t)(*p->child >> 8));
}

// What geometry throttling has for all engines, and what geometry leaves to pixel waves: before rings are mapped.
static void set_throttle(host_port *h, const totem_workload *w)
{
    const totem_workload_throttle *t    = w->throttle;
    const totem_workload_reserve  *v    = w->reserve;
    const uint32_t                 page = TOTEM_REG_CONTROLS_BASE;
    if (v)
        host_write(h, 0, 4 * TOTEM_REG_MACHINE_PS_RESERVE, v->slots | v->vgprs << 8 | v->lds << 20);
    if (!t)
        return;
    if (t->cntl1)
        host_write(h, 0, page + 4 * TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1, *t->cntl1);
    if (t->cntl2)
        host_write(h, 0, page + 4 * TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2, *t->cntl2);
    if (t->limit)
        host_write(h, 0, page + 4 * TOTEM_REG_CONTROLS_GS_LIMIT, *t->limit);
    if (t->thresholds)
        host_write(h, 0, page + 4 * TOTEM_REG_CONTROLS_PH_THRESHOLDS,
                   t->thresholds[0] | t->thresholds[1] << 8 | t->thresholds[2] << 16);
    host_write(h, 0, page + 4 * TOTEM_REG_CONTROLS_THROTTLE,
               (uint32_t)t->ph | (uint32_t)t->spi << 1 | (uint32_t)t->b_hold << 2);
}

void run_prepare(const totem_workload *w, host_port *h, run_word *word, void *user)
{
    for (uint32_t n = 0; n < w->image_count; n++)
        for (uint32_t k = 0; k < w->image[n].stream.words_count; k++)
            word(user, w->image[n].address + 4 * (uint64_t)k, w->image[n].stream.words[k]);
    for (uint32_t n = 0; n < w->tasks_count; n++)
        for (uint32_t k = 0; k < TOTEM_TMD_DWORDS; k++)
            word(user, w->tasks[n].address + 4 * (uint64_t)k, w->tasks[n].words[k]);
    set_throttle(h, w);
    for (uint32_t n = 0; n < w->programs_count; n++)
        set_program(h, &w->programs[n]);
    for (uint32_t n = 0; n < w->queues_count; n++)
        map(h, word, user, &w->queues[n]);
    for (uint32_t n = 0; n < w->rings_count; n++) {
        set_graphics(h, &w->rings[n]);
        map(h, word, user, &w->rings[n]);
    }
    if (w->run_list)
        set_run_list(h, w->run_list);
    for (uint32_t n = 0; n < w->entries_count; n++)
        list(h, word, user, &w->entries[n]);
    for (uint32_t n = 0; n < w->writes_count; n++)
        host_write(h, w->writes[n].at, w->writes[n].address, w->writes[n].value);
    for (uint32_t n = 0; n < w->expect.registers_count; n++)
        host_read(h, w->expect.registers[n].at, w->expect.registers[n].address);
    host_sort(h);
}

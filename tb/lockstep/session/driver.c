// SPDX-License-Identifier: Apache-2.0
//
// driver: see driver.h.

#include "driver.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "ring.h"

#include <string.h>

#define Q(name) TOTEM_REG_QUEUE_##name

uint32_t driver_window(uint32_t pipe, uint32_t queue, uint32_t dword)
{
    return TOTEM_REG_PIPE_BASE + pipe * TOTEM_REG_PIPE_STRIDE + queue * TOTEM_REG_QUEUE_STRIDE + 4 * dword;
}

static uint32_t log2_of(uint32_t size)
{
    uint32_t n = 0;
    while ((1u << n) < size)
        n++;
    return n;
}

// Dword of the doorbell, from the first one on.
static uint32_t doorbell(uint32_t pipe, uint32_t queue)
{
    if (pipe >= RING_PIPE)
        return (TOTEM_REG_RING_DOORBELL_BASE - TOTEM_REG_DOORBELL_BASE) / 4 + pipe - RING_PIPE;
    return pipe * TOTEM_REG_QUEUE_COUNT + queue;
}

uint32_t driver_address(uint32_t pipe, uint32_t queue)
{
    return TOTEM_REG_DOORBELL_BASE + 4 * doorbell(pipe, queue);
}

void driver_image(const driver_queue *q, bool preload, uint32_t image[DRIVER_MQD])
{
    uint32_t *window = image + DRIVER_WINDOW;
    memset(image, 0, DRIVER_MQD * sizeof *image);
    image[0]                                 = 0xC0310800;
    image[1 + 0x16]                          = 0xffffffff; // COMPUTE_STATIC_THREAD_MGMT_SE0..3
    image[1 + 0x17]                          = 0xffffffff;
    image[1 + 0x19]                          = 0xffffffff;
    image[1 + 0x1a]                          = 0xffffffff;
    window[Q(CP_MQD_BASE_ADDR)]              = (uint32_t)q->mqd;
    window[Q(CP_MQD_BASE_ADDR_HI)]           = (uint32_t)(q->mqd >> 32);
    window[Q(CP_HQD_PERSISTENT_STATE)]       = 0x0be05300 | preload; // the chip's reset value has PRELOAD_REQ
    window[Q(CP_HQD_PIPE_PRIORITY)]          = q->pipe_priority;
    window[Q(CP_HQD_QUEUE_PRIORITY)]         = q->priority;
    window[Q(CP_HQD_QUANTUM)]                = q->quantum;
    window[Q(CP_HQD_PQ_BASE)]                = (uint32_t)(q->ring >> 8);
    window[Q(CP_HQD_PQ_BASE_HI)]             = (uint32_t)(q->ring >> 40);
    window[Q(CP_HQD_PQ_RPTR)]                = q->rptr;
    window[Q(CP_HQD_PQ_RPTR_REPORT_ADDR)]    = (uint32_t)q->rptr_report;
    window[Q(CP_HQD_PQ_RPTR_REPORT_ADDR_HI)] = (uint32_t)(q->rptr_report >> 32);
    window[Q(CP_HQD_PQ_DOORBELL_CONTROL)]    = doorbell(q->pipe, q->queue) << 2;
    window[Q(CP_HQD_PQ_CONTROL)]             = 5u << 8 | (log2_of(q->size) - 1) | (uint32_t)q->privileged << 30;
    window[Q(CP_HQD_IB_CONTROL)]             = 0x00b00000;
    window[Q(CP_MQD_CONTROL)]                = 0x00000100;
    window[Q(CP_HQD_EOP_RPTR)]               = 0x40000000;
    window[Q(CP_HQD_PQ_WPTR_LO)]             = q->rptr;
}

size_t driver_map_image(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue, bool doorbell,
                        const uint32_t image[DRIVER_MQD])
{
    const uint32_t *window = image + DRIVER_WINDOW;
    for (uint32_t n = 0; n <= Q(CP_HQD_PQ_WPTR_HI); n++)
        host_write(h, at, driver_window(pipe, queue, n), n == Q(CP_HQD_ACTIVE) ? 0 : window[n]);
    host_write(h, at, driver_window(pipe, queue, Q(CP_HQD_PQ_DOORBELL_CONTROL)),
               window[Q(CP_HQD_PQ_DOORBELL_CONTROL)] | (uint32_t)doorbell << 30);
    host_write(h, at, driver_window(pipe, queue, Q(CP_HQD_PQ_WPTR_LO)), window[Q(CP_HQD_PQ_WPTR_LO)]);
    host_write(h, at, driver_window(pipe, queue, Q(CP_HQD_EOP_RPTR)), 0x80000000u);
    return host_write(h, at, driver_window(pipe, queue, Q(CP_HQD_ACTIVE)), 1);
}

void driver_map(host_port *h, uint64_t at, const driver_queue *q)
{
    uint32_t image[DRIVER_MQD];
    driver_image(q, false, image);
    driver_map_image(h, at, q->pipe, q->queue, true, image);
}

size_t driver_map_mqd(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue, uint64_t mqd)
{
    host_write(h, at, driver_window(pipe, queue, Q(CP_MQD_BASE_ADDR_HI)), (uint32_t)(mqd >> 32));
    return host_write(h, at, driver_window(pipe, queue, Q(MAP)), (uint32_t)mqd);
}

void driver_ask_dequeue(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue, uint32_t type)
{
    host_write(h, at, driver_window(pipe, queue, Q(CP_HQD_DEQUEUE_REQUEST)), type);
}

size_t driver_unmap(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue)
{
    return host_write(h, at, driver_window(pipe, queue, Q(CP_HQD_ACTIVE)), 0);
}

void driver_resume(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue)
{
    host_write(h, at, driver_window(pipe, queue, Q(CONTROL)), 1);
}

size_t driver_doorbell(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue, uint32_t write_pointer)
{
    return host_write(h, at, driver_address(pipe, queue), write_pointer);
}

enum { BUSY = 2, WITH_RESET = 8, IS_STATIC = 18, QUANTUM = 25 }; // of STATUS, COMMAND, and places in PROCESS

static void run_list(host_port *h, uint64_t at, uint32_t dword, uint32_t value)
{
    host_write(h, at, TOTEM_REG_RUNLIST_BASE + 4 * dword, value);
}

static void command(host_port *h, uint64_t at, uint32_t op)
{
    run_list(h, at, TOTEM_REG_RUNLIST_COMMAND, op);
    host_wait(h, at, TOTEM_REG_RUNLIST_BASE + 4 * TOTEM_REG_RUNLIST_STATUS, BUSY, 0);
}

void driver_list(host_port *h, uint64_t at, const driver_entry *e)
{
    run_list(h, at, TOTEM_REG_RUNLIST_ENTRY, e->entry);
    run_list(h, at, TOTEM_REG_RUNLIST_MQD_LO, (uint32_t)e->mqd);
    run_list(h, at, TOTEM_REG_RUNLIST_MQD_HI, (uint32_t)(e->mqd >> 32));
    run_list(h, at, TOTEM_REG_RUNLIST_POINTER_LO, (uint32_t)e->pointer);
    run_list(h, at, TOTEM_REG_RUNLIST_POINTER_HI, (uint32_t)(e->pointer >> 32));
    run_list(h, at, TOTEM_REG_RUNLIST_PROCESS, e->process | (uint32_t)e->stays << IS_STATIC | e->quantum << QUANTUM);
    command(h, at, TOTEM_REG_RUNLIST_COMMAND_OP_ADD);
}

void driver_unlist(host_port *h, uint64_t at, uint32_t entry, bool reset)
{
    run_list(h, at, TOTEM_REG_RUNLIST_ENTRY, entry);
    command(h, at, TOTEM_REG_RUNLIST_COMMAND_OP_REMOVE | (reset ? WITH_RESET : 0));
}

void driver_mask(host_port *h, uint64_t at, uint64_t slots)
{
    run_list(h, at, TOTEM_REG_RUNLIST_DATA_LO, (uint32_t)slots);
    run_list(h, at, TOTEM_REG_RUNLIST_DATA_HI, (uint32_t)(slots >> 32));
    command(h, at, TOTEM_REG_RUNLIST_COMMAND_OP_MASK);
}

void driver_program(host_port *h, uint64_t at, uint32_t entry, uint32_t duration, uint32_t spread)
{
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++) {
        const uint32_t base = TOTEM_REG_ENGINE_BASE + e * TOTEM_REG_ENGINE_STRIDE;
        host_write(h, at, base + 4 * (TOTEM_REG_ENGINE_DURATION + entry), duration);
        host_write(h, at, base + 4 * (TOTEM_REG_ENGINE_SPREAD + entry), spread);
    }
}

static void every_engine(host_port *h, uint64_t at, uint32_t dword, uint32_t value)
{
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++)
        host_write(h, at, TOTEM_REG_ENGINE_BASE + e * TOTEM_REG_ENGINE_STRIDE + 4 * dword, value);
}

void driver_export(host_port *h, uint64_t at, uint32_t entry, uint32_t primitives, uint32_t culled)
{
    every_engine(h, at, TOTEM_REG_ENGINE_EXPORT + entry, primitives | culled << 8);
}

void driver_pixels(host_port *h, uint64_t at, uint32_t entry, uint32_t pixels)
{
    every_engine(h, at, TOTEM_REG_ENGINE_PIXELS + entry, pixels);
}

void driver_child(host_port *h, uint64_t at, uint32_t entry, uint32_t pointer)
{
    every_engine(h, at, TOTEM_REG_ENGINE_CHILD + entry, pointer);
}

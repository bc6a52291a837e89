// SPDX-License-Identifier: Apache-2.0
//
// driver: see driver.h.

#include "driver.h"

#include "../../cmodel/host/totem_regs_map.h"

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

void driver_map(host_port *h, uint64_t at, const driver_queue *q)
{
    // DOORBELL_EN comes after the 56 dwords, then the write pointer, then ACTIVE.
    const uint32_t offset                           = (q->pipe * TOTEM_REG_QUEUE_COUNT + q->queue) << 2;
    uint32_t       window[Q(CP_HQD_PQ_WPTR_HI) + 1] = {0};
    window[Q(CP_MQD_BASE_ADDR)]                     = (uint32_t)q->mqd;
    window[Q(CP_MQD_BASE_ADDR_HI)]                  = (uint32_t)(q->mqd >> 32);
    window[Q(CP_HQD_PERSISTENT_STATE)]              = 0x0be05300; // the chip's reset value without PRELOAD_REQ
    window[Q(CP_HQD_PIPE_PRIORITY)]                 = q->pipe_priority;
    window[Q(CP_HQD_QUEUE_PRIORITY)]                = q->priority;
    window[Q(CP_HQD_QUANTUM)]                       = q->quantum;
    window[Q(CP_HQD_PQ_BASE)]                       = (uint32_t)(q->ring >> 8);
    window[Q(CP_HQD_PQ_BASE_HI)]                    = (uint32_t)(q->ring >> 40);
    window[Q(CP_HQD_PQ_RPTR)]                       = q->rptr;
    window[Q(CP_HQD_PQ_RPTR_REPORT_ADDR)]           = (uint32_t)q->rptr_report;
    window[Q(CP_HQD_PQ_RPTR_REPORT_ADDR_HI)]        = (uint32_t)(q->rptr_report >> 32);
    window[Q(CP_HQD_PQ_DOORBELL_CONTROL)]           = offset;
    window[Q(CP_HQD_PQ_CONTROL)]                    = 5u << 8 | (log2_of(q->size) - 1) | (uint32_t)q->privileged << 30;
    window[Q(CP_HQD_IB_CONTROL)]                    = 0x00b00000;
    window[Q(CP_MQD_CONTROL)]                       = 0x00000100;
    window[Q(CP_HQD_EOP_RPTR)]                      = 0x40000000;
    window[Q(CP_HQD_PQ_WPTR_LO)]                    = q->rptr;
    for (uint32_t n = 0; n <= Q(CP_HQD_PQ_WPTR_HI); n++)
        host_write(h, at, driver_window(q->pipe, q->queue, n), window[n]);
    host_write(h, at, driver_window(q->pipe, q->queue, Q(CP_HQD_PQ_DOORBELL_CONTROL)), offset | 1u << 30);
    host_write(h, at, driver_window(q->pipe, q->queue, Q(CP_HQD_PQ_WPTR_LO)), q->rptr);
    host_write(h, at, driver_window(q->pipe, q->queue, Q(CP_HQD_EOP_RPTR)), 0x80000000u);
    host_write(h, at, driver_window(q->pipe, q->queue, Q(CP_HQD_ACTIVE)), 1);
}

void driver_unmap(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue)
{
    host_write(h, at, driver_window(pipe, queue, Q(CP_HQD_ACTIVE)), 0);
}

void driver_resume(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue)
{
    host_write(h, at, driver_window(pipe, queue, Q(CONTROL)), 1);
}

void driver_doorbell(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue, uint32_t write_pointer)
{
    host_write(h, at, TOTEM_REG_DOORBELL_BASE + (pipe * TOTEM_REG_QUEUE_COUNT + queue) * TOTEM_REG_DOORBELL_STRIDE,
               write_pointer);
}

void driver_program(host_port *h, uint64_t at, uint32_t entry, uint32_t duration, uint32_t spread)
{
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++) {
        const uint32_t base = TOTEM_REG_ENGINE_BASE + e * TOTEM_REG_ENGINE_STRIDE;
        host_write(h, at, base + 4 * (TOTEM_REG_ENGINE_DURATION + entry), duration);
        host_write(h, at, base + 4 * (TOTEM_REG_ENGINE_SPREAD + entry), spread);
    }
}

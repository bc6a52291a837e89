// SPDX-License-Identifier: Apache-2.0
//
// driver: what a kernel driver writes, as lists of host accesses: maps a queue by the window and the order of writes of
// the Linux driver's hqd_load (docs/queue.md), rings doorbells, sets the wave engines' programs.

#ifndef DRIVER_H
#define DRIVER_H

#include "host.h"

typedef struct {
    uint32_t pipe, queue;
    uint32_t priority, pipe_priority;
    bool     privileged;
    uint64_t ring; // byte address, 256-byte aligned
    uint32_t size; // dwords, a power of two
    uint32_t quantum;
    uint64_t mqd;
    uint64_t rptr_report; // byte address, 0 none
    uint32_t rptr;        // where the queue starts, running dword count
} driver_queue;

enum { DRIVER_MQD = 512, DRIVER_WINDOW = 128 }; // dwords of an MQD, and where the window begins in it

// The MQD of a queue that has not run; with preload its compute registers are loaded from it.
void driver_image(const driver_queue *q, bool preload, uint32_t image[DRIVER_MQD]);
// Maps a queue: the 56 dwords of the window in order, DOORBELL_EN if it has a doorbell, write pointer, ACTIVE. Returns
// the access to ACTIVE.
size_t driver_map_image(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue, bool doorbell,
                        const uint32_t image[DRIVER_MQD]);
void   driver_map(host_port *h, uint64_t at, const driver_queue *q);
// Maps a queue by register MAP. Returns that access.
size_t driver_map_mqd(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue, uint64_t mqd);
void   driver_ask_dequeue(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue, uint32_t type);
size_t driver_unmap(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue);
void   driver_resume(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue);
size_t driver_doorbell(host_port *h, uint64_t at, uint32_t pipe, uint32_t queue, uint32_t write_pointer);
// A queue of the run list (docs/runlist.md).
typedef struct {
    uint32_t entry, process, quantum; // quantum in units of QUANTUM_UNIT0
    bool     stays;                   // static
    uint64_t mqd, pointer;            // byte addresses: of its MQD, and where its write pointer is in memory
} driver_entry;

// Commands of the run list; each is answered when what follows in the list is made. The entry is listed.
void driver_list(host_port *h, uint64_t at, const driver_entry *e);
// The entry is removed; reset: at once, not at a work-group boundary.
void driver_unlist(host_port *h, uint64_t at, uint32_t entry, bool reset);
// The run list owns slot s where bit s is 1.
void driver_mask(host_port *h, uint64_t at, uint64_t slots);
// Every engine gets the entry.
void driver_program(host_port *h, uint64_t at, uint32_t entry, uint32_t duration, uint32_t spread);
// What its geometry waves export.
void driver_export(host_port *h, uint64_t at, uint32_t entry, uint32_t primitives, uint32_t culled);
void driver_pixels(host_port *h, uint64_t at, uint32_t entry, uint32_t pixels);
// The task that its compute waves launch: address of the descriptor >> 8, 0 none.
void driver_child(host_port *h, uint64_t at, uint32_t entry, uint32_t pointer);
// Byte address of dword `dword` of a queue's window.
uint32_t driver_window(uint32_t pipe, uint32_t queue, uint32_t dword);
// That of its doorbell.
uint32_t driver_address(uint32_t pipe, uint32_t queue);

#endif

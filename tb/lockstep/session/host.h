// SPDX-License-Identifier: Apache-2.0
//
// host: an AXI4-Lite master that plays the driver: a list of register accesses, each not before its clock, in order.

#ifndef HOST_H
#define HOST_H

#include "random.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t at;      // not before this clock
    size_t   order;   // place in which it was appended
    uint32_t address; // byte address of the host port
    bool     write;
    uint32_t data;         // of a write; of a read what came back
    uint8_t  bytes;        // of a write: those that are written, a bit each
    uint8_t  response;     // 0 OKAY, 2 SLVERR; valid when done
    uint32_t mask, wanted; // of a read: it is repeated until these bits have these values; mask 0: made once
    bool     inserted;     // while the list ran
    bool     expect_error; // an SLVERR is what the list wants
    bool     done;
    uint64_t ended; // clock of the response
} host_access;

typedef struct {
    host_access *list;
    size_t       count, room;
    size_t       next; // first access not yet done
    bool         address_sent, data_sent;
    uint64_t     clock;
    uint32_t     stall; // of 256 clocks, how many hold back a valid or a ready
    totem_random random;
    bool         aw_up, w_up, ar_up, b_up, r_up; // what is driven in this clock
} host_port;

void host_port_init(host_port *h, uint64_t seed, uint32_t stall);
void host_port_free(host_port *h);

// Appends; accesses are made in the order of the list. Returns the index. Aborts when memory is short.
size_t host_write(host_port *h, uint64_t at, uint32_t address, uint32_t data);
size_t host_read(host_port *h, uint64_t at, uint32_t address);
// Reads until the bits of the mask are `wanted`, or the read is answered with an error; what follows waits.
size_t host_wait(host_port *h, uint64_t at, uint32_t address, uint32_t mask, uint32_t wanted);
// Brings the list into the order of its clocks, before the first clock; equal clocks stay in the order appended.
void host_sort(host_port *h);

// The access that was appended last goes in front of those that are not due yet. Returns its index.
size_t host_insert(host_port *h, size_t appended);

void host_drive(host_port *h, totem_axil_in *in);
void host_step(host_port *h, const totem_machine_out *out);
bool host_done(const host_port *h);

#endif

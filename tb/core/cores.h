// SPDX-License-Identifier: Apache-2.0
//
// cores: the RISC-V cores of all engines (tb/core/*.v), Verilated, behind plain C functions. docs/core.md is the page.

#ifndef CORES_H
#define CORES_H

#include "../../cmodel/totem.h" // totem_engine_pins_in/_out: wave interface of one engine

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cores cores;

// AXI4 master of one engine, 64-bit data, 40-bit addresses, INCR, 8 bytes a beat.
typedef struct {
    bool     arvalid;
    uint64_t araddr;
    uint8_t  arlen, arid;
    bool     rready;
    bool     awvalid;
    uint64_t awaddr;
    uint8_t  awlen, awid;
    bool     wvalid;
    uint64_t wdata;
    uint8_t  wstrb;
    bool     wlast;
    bool     bready;
} cores_axi_out;

typedef struct {
    bool     arready;
    uint8_t  rid;
    bool     rvalid;
    uint64_t rdata;
    uint8_t  rresp;
    bool     rlast;
    bool     awready, wready;
    uint8_t  bid;
    bool     bvalid;
    uint8_t  bresp;
} cores_axi_in;

// In reset, everything 0; NULL if memory is short.
cores *cores_create(unsigned engines);
void   cores_destroy(cores *c);

// What the cores show in the present clock: a function of their state only. Arrays of `engines` elements.
void cores_look(cores *c, totem_engine_pins_in pins[], cores_axi_out axi[]);

// The clock edge.
void cores_step(cores *c, bool reset, const totem_engine_pins_out pins[], const cores_axi_in axi[]);

#ifdef __cplusplus
}
#endif

#endif

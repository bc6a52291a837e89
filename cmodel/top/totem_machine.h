// SPDX-License-Identifier: Apache-2.0
//
// totem_machine: the whole machine: host, events, front ends, command bus, engines, and how they are wired.
// Twin of rtl/top/totem.v. No state of its own. The library's interface is cmodel/totem.h.

#ifndef TOTEM_MACHINE_H
#define TOTEM_MACHINE_H

#include "../engine/totem_wave.h"
#include "../host/totem_events.h"
#include "../host/totem_host.h"
#include "../issue/totem_bus.h"
#include "totem_config.h"
#include "totem_fe.h"
#include "totem_se.h"

// Last int_ctxid of every queue: 8 places a pipe in every configuration.
TOTEM_RAM(totem_context_ram, uint32_t, TOTEM_PIPE_COUNT * 8)
TOTEM_RAM(totem_time_ram, uint32_t, TOTEM_SLOTS)

typedef struct {
    totem_host        host;
    totem_events      events;
    totem_context_ram context_ram;
    totem_bus         bus;
    totem_fe          fe[TOTEM_FE_COUNT];
    totem_se          se[TOTEM_SE_COUNT];
    totem_wave        wave[TOTEM_SE_COUNT];
    totem_time_ram    time_ram[TOTEM_SE_COUNT];
} totem_machine;

// What every block of the machine shows in this clock.
typedef struct {
    totem_host_out        host;
    totem_events_out      events;
    totem_context_ram_out context_ram;
    totem_bus_out         bus;
    totem_fe_out          fe[TOTEM_FE_COUNT];
    totem_se_out          se[TOTEM_SE_COUNT];
    totem_wave_out        wave[TOTEM_SE_COUNT];
    totem_time_ram_out    time_ram[TOTEM_SE_COUNT];
} totem_machine_out;

// What the host drives in this clock (AXI4-Lite, names of the port without s_axil_).
typedef struct {
    uint32_t awaddr;
    uint8_t  awprot;
    bool     awvalid;
    uint32_t wdata;
    uint8_t  wstrb;
    bool     wvalid;
    bool     bready;
    uint32_t araddr;
    uint8_t  arprot;
    bool     arvalid;
    bool     rready;
} totem_axil_in;

typedef struct {
    totem_axil_in axil;
    totem_axi_in  axi[TOTEM_FE_COUNT];
} totem_machine_in;

void totem_machine_reset(totem_machine *s);
void totem_machine_outputs(const totem_machine *s, totem_machine_out *o);
// True if and only if no work is anywhere in the machine.
bool totem_machine_idle(const totem_machine_out *o);
// A self-check of any block has fired.
bool totem_machine_fatal(const totem_machine_out *o);
void totem_machine_step(totem_machine *s, const totem_machine_out *o, const totem_machine_in *i);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// cores_port: see cores_port.h.

#include "cores_port.h"

#include "../../../cmodel/top/totem_library.h"
#include "../../core/cores.h"

#include <stdlib.h>

// Without the library these are NULL.
#pragma weak cores_create
#pragma weak cores_destroy
#pragma weak cores_look
#pragma weak cores_step

struct cores_port {
    cores               *cores;
    totem_engine_pins_in shown[TOTEM_SE_COUNT];
    cores_axi_out        asked[TOTEM_SE_COUNT];
};

bool cores_port_there(void)
{
    return cores_create;
}

cores_port *cores_port_create(void)
{
    cores_port *p = cores_port_there() ? calloc(1, sizeof *p) : NULL;
    if (p)
        p->cores = cores_create(TOTEM_SE_COUNT);
    if (p && p->cores)
        return p;
    free(p);
    return NULL;
}

void cores_port_destroy(cores_port *p)
{
    if (p)
        cores_destroy(p->cores);
    free(p);
}

void cores_port_look(cores_port *p, totem_wave_out waves[TOTEM_SE_COUNT])
{
    cores_look(p->cores, p->shown, p->asked);
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        waves[e] = totem_engine_core(&p->shown[e]);
}

totem_memory_out cores_port_asked(const cores_port *p, int engine)
{
    const cores_axi_out *a = &p->asked[engine];
    return (totem_memory_out){
        .m_axi_arvalid = a->arvalid,
        .m_axi_araddr  = a->araddr,
        .m_axi_arlen   = a->arlen,
        .m_axi_arid    = a->arid,
        .m_axi_rready  = a->rready,
        .m_axi_awvalid = a->awvalid,
        .m_axi_awaddr  = a->awaddr,
        .m_axi_awlen   = a->awlen,
        .m_axi_awid    = a->awid,
        .m_axi_wvalid  = a->wvalid,
        .m_axi_wdata   = a->wdata,
        .m_axi_wstrb   = a->wstrb,
        .m_axi_wlast   = a->wlast,
        .m_axi_bready  = a->bready,
    };
}

void cores_port_step(cores_port *p, bool reset, const totem_machine_out *out, memory *m)
{
    totem_axi_in driven[TOTEM_SE_COUNT] = {0};
    for (int e = 0; e < TOTEM_SE_COUNT && !reset; e++) {
        const totem_memory_out asked = cores_port_asked(p, e);
        memory_drive_port(m, TOTEM_FE_COUNT + e, &driven[e]);
        memory_step_port(m, TOTEM_FE_COUNT + e, &asked, &driven[e]);
    }
    cores_port_edge(p, reset, out, driven);
}

void cores_port_edge(cores_port *p, bool reset, const totem_machine_out *out, const totem_axi_in driven[TOTEM_SE_COUNT])
{
    totem_engine_pins_out machine[TOTEM_SE_COUNT];
    cores_axi_in          pins[TOTEM_SE_COUNT];
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_axi_in *in = &driven[e];
        machine[e]             = totem_engine_pins(out, e);
        pins[e]                = (cores_axi_in){
                           .arready = in->arready,
                           .rid     = in->rid,
                           .rvalid  = in->rvalid,
                           .rdata   = in->rdata,
                           .rresp   = in->rresp,
                           .rlast   = in->rlast,
                           .awready = in->awready,
                           .wready  = in->wready,
                           .bid     = in->bid,
                           .bvalid  = in->bvalid,
                           .bresp   = in->bresp,
        };
    }
    cores_step(p->cores, reset, machine, pins);
}

// SPDX-License-Identifier: Apache-2.0
//
// cores_port: see cores_port.h.

#include "cores_port.h"

#include "../core/cores.h"

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
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_engine_pins_in *c = &p->shown[e];
        waves[e]                      = (totem_wave_out){
                                 .launch_ready      = c->launch_ready,
                                 .state_index       = c->state_index,
                                 .done_valid        = c->done_valid,
                                 .done_slot         = c->done_slot,
                                 .export_valid      = c->export_valid,
                                 .export_slot       = c->export_slot,
                                 .export_primitives = c->export_primitives,
                                 .export_pixels     = c->export_pixels,
                                 .task_valid        = c->task_valid,
                                 .task_pointer      = c->task_pointer,
                                 .task_fe           = c->task_fe,
                                 .task_pipe         = c->task_pipe,
                                 .task_queue        = c->task_queue,
                                 .task_epoch        = c->task_epoch,
                                 .host_done         = c->host_done,
                                 .host_error        = c->host_error,
                                 .host_rdata        = c->host_rdata,
        };
    }
}

static totem_engine_pins_out pins(const totem_machine_out *o, int engine)
{
    const totem_launch_out *l = &o->se[engine].launch;
    const totem_share_out  *k = &o->se[engine].share;
    totem_engine_pins_out   p = {
          .launch_valid      = l->launch_valid,
          .launch_kind       = l->launch_kind,
          .launch_path       = l->launch_path,
          .launch_fe         = l->launch_fe,
          .launch_pipe       = l->launch_pipe,
          .launch_queue      = l->launch_queue,
          .launch_epoch      = l->launch_epoch,
          .launch_group      = l->launch_group,
          .launch_index      = l->launch_index,
          .launch_waves      = l->launch_waves,
          .launch_wave32     = l->launch_wave32,
          .launch_invalidate = l->launch_invalidate,
          .launch_threads    = l->launch_threads,
          .launch_program    = l->launch_program,
          .launch_vgprs      = l->launch_vgprs,
          .launch_lds        = l->launch_lds,
          .launch_slot       = l->launch_slot,
          .launch_buffer     = l->launch_buffer,
          .launch_state_new  = l->launch_state_new,
          .launch_draw       = l->launch_draw,
          .launch_set        = l->launch_set,
          .launch_primitives = l->launch_primitives,
          .state_data        = o->se[engine].word_pick.word,
          .kill_valid        = k->kill_valid,
          .kill_path         = k->kill_path,
          .kill_fe           = k->kill_fe,
          .kill_pipe         = k->kill_pipe,
          .kill_queue        = k->kill_queue,
          .kill_epochs       = k->kill_epochs,
          .host_valid        = o->host.wave_valid[engine],
          .host_write        = o->host.request_write,
          .host_dword        = o->host.request_dword,
          .host_strobe       = o->host.request_strobe,
          .host_data         = o->host.request_data,
    };
#if TOTEM_GRAPHICS
    p.export_ready = o->se[engine].assemble.export_ready;
#endif
#if TOTEM_TASKS
    p.task_ready   = o->se[engine].task_answer.any;
    p.task_refused = o->se[engine].task_refusal.any;
#endif
    return p;
}

static totem_memory_out port_of(const cores_axi_out *a)
{
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
    totem_engine_pins_out machine[TOTEM_SE_COUNT];
    cores_axi_in          driven[TOTEM_SE_COUNT];
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        totem_axi_in           in    = {0};
        const totem_memory_out asked = port_of(&p->asked[e]);
        machine[e]                   = pins(out, e);
        if (!reset) {
            memory_drive_port(m, TOTEM_FE_COUNT + e, &in);
            memory_step_port(m, TOTEM_FE_COUNT + e, &asked, &in);
        }
        driven[e] = (cores_axi_in){
            .arready = in.arready,
            .rid     = in.rid,
            .rvalid  = in.rvalid,
            .rdata   = in.rdata,
            .rresp   = in.rresp,
            .rlast   = in.rlast,
            .awready = in.awready,
            .wready  = in.wready,
            .bid     = in.bid,
            .bvalid  = in.bvalid,
            .bresp   = in.bresp,
        };
    }
    cores_step(p->cores, reset, machine, driven);
}

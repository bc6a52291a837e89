// SPDX-License-Identifier: Apache-2.0
//
// cores: see cores.h. Each engine is an instance of the Verilated totem_rv32.

#include "cores.h"

#include "Vtotem_rv32.h"
#include "verilated.h"

#include <memory>
#include <new>
#include <vector>

struct cores {
    VerilatedContext                          context;
    std::vector<std::unique_ptr<Vtotem_rv32>> engines;
};

static void edge(Vtotem_rv32 *v)
{
    v->clk = 1;
    v->eval();
    v->clk = 0;
    v->eval();
}

cores *cores_create(unsigned engines)
{
    try {
        auto c = std::make_unique<cores>();
        for (unsigned e = 0; e < engines; e++) {
            c->engines.push_back(std::make_unique<Vtotem_rv32>(&c->context, "rv32"));
            c->engines.back()->eval(); // without it the first edge is none
            c->engines.back()->rst = 1;
            edge(c->engines.back().get());
        }
        return c.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void cores_destroy(cores *c)
{
    delete c;
}

void cores_look(cores *c, totem_engine_pins_in pins[], cores_axi_out axi[])
{
    for (size_t e = 0; e < c->engines.size(); e++) {
        const Vtotem_rv32 &v = *c->engines[e];

        totem_engine_pins_in p = {};
        p.launch_ready         = v.launch_ready;
        p.state_index          = v.state_index;
        p.done_valid           = v.done_valid;
        p.done_slot            = v.done_slot;
        p.export_valid         = v.export_valid;
        p.export_slot          = v.export_slot;
        p.export_primitives    = v.export_primitives;
        p.export_pixels        = v.export_pixels;
        p.task_valid           = v.task_valid;
        p.task_pointer         = v.task_pointer;
        p.task_fe              = v.task_fe;
        p.task_pipe            = v.task_pipe;
        p.task_queue           = v.task_queue;
        p.task_epoch           = v.task_epoch;
        p.host_done            = v.host_done;
        p.host_error           = v.host_error;
        p.host_rdata           = v.host_rdata;
        pins[e]                = p;

        cores_axi_out a = {};
        a.arvalid       = v.m_axi_arvalid;
        a.araddr        = v.m_axi_araddr;
        a.arlen         = v.m_axi_arlen;
        a.arid          = v.m_axi_arid;
        a.rready        = v.m_axi_rready;
        a.awvalid       = v.m_axi_awvalid;
        a.awaddr        = v.m_axi_awaddr;
        a.awlen         = v.m_axi_awlen;
        a.awid          = v.m_axi_awid;
        a.wvalid        = v.m_axi_wvalid;
        a.wdata         = v.m_axi_wdata;
        a.wstrb         = v.m_axi_wstrb;
        a.wlast         = v.m_axi_wlast;
        a.bready        = v.m_axi_bready;
        axi[e]          = a;
    }
}

void cores_step(cores *c, bool reset, const totem_engine_pins_out pins[], const cores_axi_in axi[])
{
    for (size_t e = 0; e < c->engines.size(); e++) {
        Vtotem_rv32                 &v = *c->engines[e];
        const totem_engine_pins_out &p = pins[e];
        const cores_axi_in          &a = axi[e];

        v.rst               = reset;
        v.launch_valid      = p.launch_valid;
        v.launch_kind       = p.launch_kind;
        v.launch_fe         = p.launch_fe;
        v.launch_pipe       = p.launch_pipe;
        v.launch_queue      = p.launch_queue;
        v.launch_epoch      = p.launch_epoch;
        v.launch_group      = p.launch_group;
        v.launch_index      = p.launch_index;
        v.launch_waves      = p.launch_waves;
        v.launch_wave32     = p.launch_wave32;
        v.launch_threads    = p.launch_threads;
        v.launch_program    = p.launch_program;
        v.launch_lds        = p.launch_lds;
        v.launch_slot       = p.launch_slot;
        v.launch_draw       = p.launch_draw;
        v.launch_set        = p.launch_set;
        v.launch_primitives = p.launch_primitives;
        v.state_data        = p.state_data;
        v.export_ready      = p.export_ready;
        v.task_ready        = p.task_ready;
        v.task_refused      = p.task_refused;
        v.kill_valid        = p.kill_valid;
        v.kill_fe           = p.kill_fe;
        v.kill_pipe         = p.kill_pipe;
        v.kill_queue        = p.kill_queue;
        v.kill_epochs       = p.kill_epochs;
        v.host_valid        = p.host_valid;
        v.host_write        = p.host_write;
        v.host_dword        = p.host_dword;
        v.host_strobe       = p.host_strobe;
        v.host_data         = p.host_data;

        v.m_axi_arready = a.arready;
        v.m_axi_rid     = a.rid;
        v.m_axi_rvalid  = a.rvalid;
        v.m_axi_rdata   = a.rdata;
        v.m_axi_rresp   = a.rresp;
        v.m_axi_rlast   = a.rlast;
        v.m_axi_awready = a.awready;
        v.m_axi_wready  = a.wready;
        v.m_axi_bid     = a.bid;
        v.m_axi_bvalid  = a.bvalid;
        v.m_axi_bresp   = a.bresp;
        edge(&v);
    }
}

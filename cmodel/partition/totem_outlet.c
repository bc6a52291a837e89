// SPDX-License-Identifier: Apache-2.0
//
// totem_outlet: twin of rtl/partition/totem_outlet.v, from docs/contract/outlet.md.

#include "totem_outlet.h"

#include <string.h>

#if TOTEM_PARTITION
// The port is that of the channel; memory stands before its route.
void totem_outlet_outputs(const totem_outlet_in *i, totem_outlet_out *o)
{
    o->m_axi_awid      = i->channel_m_axi_awid;
    o->m_axi_awaddr    = i->channel_m_axi_awaddr;
    o->m_axi_awlen     = i->channel_m_axi_awlen;
    o->m_axi_awsize    = i->channel_m_axi_awsize;
    o->m_axi_awburst   = i->channel_m_axi_awburst;
    o->m_axi_awlock    = i->channel_m_axi_awlock;
    o->m_axi_awvalid   = i->channel_m_axi_awvalid;
    o->m_axi_wdata     = i->channel_m_axi_wdata;
    o->m_axi_wstrb     = i->channel_m_axi_wstrb;
    o->m_axi_wlast     = i->channel_m_axi_wlast;
    o->m_axi_wvalid    = i->channel_m_axi_wvalid;
    o->m_axi_arid      = i->channel_m_axi_arid;
    o->m_axi_araddr    = i->channel_m_axi_araddr;
    o->m_axi_arlen     = i->channel_m_axi_arlen;
    o->m_axi_arsize    = i->channel_m_axi_arsize;
    o->m_axi_arburst   = i->channel_m_axi_arburst;
    o->m_axi_arlock    = i->channel_m_axi_arlock;
    o->m_axi_arvalid   = i->channel_m_axi_arvalid;
    o->m_axi_bready    = i->lattice_b_ready;
    o->m_axi_rready    = i->lattice_r_ready;
    o->read_address    = i->memory_m_axi_araddr >> 3;
    o->write_address   = i->memory_m_axi_awaddr >> 3;
    o->master_ar_valid = i->memory_m_axi_arvalid;
    o->master_ar_id    = i->memory_m_axi_arid;
    o->master_ar_len   = i->memory_m_axi_arlen & 15;
    o->master_ar_lock  = i->memory_m_axi_arlock;
    o->master_aw_valid = i->memory_m_axi_awvalid;
    o->master_aw_id    = i->memory_m_axi_awid;
    o->master_aw_len   = i->memory_m_axi_awlen & 15;
    o->master_aw_lock  = i->memory_m_axi_awlock;
    o->master_w_valid  = i->memory_m_axi_wvalid;
    o->master_w_data   = i->memory_m_axi_wdata;
    o->master_w_strobe = i->memory_m_axi_wstrb;
    o->master_w_last   = i->memory_m_axi_wlast;
    o->master_r_ready  = i->memory_m_axi_rready;
    o->master_b_ready  = i->memory_m_axi_bready;
}
#else
// Memory stands at the pins.
void totem_outlet_outputs(const totem_outlet_in *i, totem_outlet_out *o)
{
    memset(o, 0, sizeof *o);
    o->m_axi_awid    = i->memory_m_axi_awid;
    o->m_axi_awaddr  = i->memory_m_axi_awaddr;
    o->m_axi_awlen   = i->memory_m_axi_awlen;
    o->m_axi_awsize  = i->memory_m_axi_awsize;
    o->m_axi_awburst = i->memory_m_axi_awburst;
    o->m_axi_awlock  = i->memory_m_axi_awlock;
    o->m_axi_awvalid = i->memory_m_axi_awvalid;
    o->m_axi_wdata   = i->memory_m_axi_wdata;
    o->m_axi_wstrb   = i->memory_m_axi_wstrb;
    o->m_axi_wlast   = i->memory_m_axi_wlast;
    o->m_axi_wvalid  = i->memory_m_axi_wvalid;
    o->m_axi_bready  = i->memory_m_axi_bready;
    o->m_axi_arid    = i->memory_m_axi_arid;
    o->m_axi_araddr  = i->memory_m_axi_araddr;
    o->m_axi_arlen   = i->memory_m_axi_arlen;
    o->m_axi_arsize  = i->memory_m_axi_arsize;
    o->m_axi_arburst = i->memory_m_axi_arburst;
    o->m_axi_arlock  = i->memory_m_axi_arlock;
    o->m_axi_arvalid = i->memory_m_axi_arvalid;
    o->m_axi_rready  = i->memory_m_axi_rready;
}
#endif

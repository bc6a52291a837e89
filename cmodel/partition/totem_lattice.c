// SPDX-License-Identifier: Apache-2.0
//
// totem_lattice: twin of rtl/partition/totem_lattice.v, from docs/contract/lattice.md.

#include "totem_lattice.h"

enum { SIDE = TOTEM_FE_COUNT };

void totem_lattice_outputs(const totem_lattice_in *i, totem_lattice_out *o)
{
    // What masters offer, to every channel.
    for (unsigned f = 0; f < SIDE; f++) {
        o->source_ar_id[f]    = i->route_to_ar_id[f];
        o->source_ar_addr[f]  = i->route_to_ar_addr[f];
        o->source_ar_len[f]   = i->route_to_ar_len[f];
        o->source_ar_lock[f]  = i->route_to_ar_lock[f];
        o->source_aw_id[f]    = i->route_to_aw_id[f];
        o->source_aw_addr[f]  = i->route_to_aw_addr[f];
        o->source_aw_len[f]   = i->route_to_aw_len[f];
        o->source_aw_lock[f]  = i->route_to_aw_lock[f];
        o->source_w_data[f]   = i->route_to_w_data[f];
        o->source_w_strobe[f] = i->route_to_w_strobe[f];
        o->source_w_last[f]   = i->route_to_w_last[f];
    }

    // Which channel it is for, and who is ready.
    for (unsigned c = 0; c < SIDE; c++) {
        o->r_ready[c] = o->b_ready[c] = true;
        for (unsigned f = 0; f < SIDE; f++) {
            const unsigned of_master = f * SIDE + c, of_channel = c * SIDE + f;

            o->source_ar_valid[of_channel] = i->route_to_ar_valid[of_master];
            o->source_aw_valid[of_channel] = i->route_to_aw_valid[of_master];
            o->source_w_valid[of_channel]  = i->route_to_w_valid[of_master];
            o->target_ar_ready[of_master]  = i->channel_ar_ready[of_channel];
            o->target_aw_ready[of_master]  = i->channel_aw_ready[of_channel];
            o->target_w_ready[of_master]   = i->channel_w_ready[of_channel];
            o->r_ready[c]                  = o->r_ready[c] && i->route_r_room[of_master];
            o->b_ready[c]                  = o->b_ready[c] && i->route_b_room[of_master];
        }
    }

    for (unsigned c = 0; c < SIDE; c++) {
        o->target_r_ready[c] = o->r_ready[c];
        o->target_b_ready[c] = o->b_ready[c];
    }
}

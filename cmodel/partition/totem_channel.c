// SPDX-License-Identifier: Apache-2.0
//
// totem_channel: twin of rtl/partition/totem_channel.v, from docs/contract/channel.md.

#include "totem_channel.h"

enum {
    MASTERS = TOTEM_CHANNEL_MASTERS,
    IDS     = 1 << TOTEM_WRITE_ID_BITS, // of a master, as the port tells them apart
    SIZE_8  = 3,                        // 8 bytes a beat
    INCR    = 1,
    LAST    = 1 << 8 // of w_head_tag, w_tail_tag
};

_Static_assert(MASTERS >= 2 && MASTERS <= 8, "MASTERS is 2 to 8");
_Static_assert(TOTEM_WRITE_ID_BITS <= 5, "a write ID has at most 5 bits");
_Static_assert(TOTEM_READER_BITS <= TOTEM_WRITE_ID_BITS, "a read ID has no more bits than a write ID");

// The first of turn, turn + 1, .. that waits; the turn if there is none.
static uint8_t first(const bool waits[MASTERS], uint8_t turn)
{
    uint8_t pick = turn;
    bool    some = false;
    for (unsigned n = 0; n < 2 * MASTERS; n++)
        if (!some && n >= turn && waits[n % MASTERS]) {
            pick = (uint8_t)(n % MASTERS);
            some = true;
        }
    return pick;
}

static bool any(const bool waits[MASTERS])
{
    bool some = false;
    for (unsigned s = 0; s < MASTERS; s++)
        some = some || waits[s];
    return some;
}

void totem_channel_outputs(const totem_channel *s, totem_channel_out *o)
{
    const uint8_t ar_pick = first(s->ar_valid, s->ar_turn) % MASTERS;
    const uint8_t writes  = s->open_source % MASTERS;

    for (unsigned k = 0; k < MASTERS; k++) {
        o->ar_ready[k] = !s->ar_valid[k];
        o->aw_ready[k] = !s->aw_valid[k];
        o->w_ready[k]  = s->open && s->open_source == k && s->w_count != 2;
    }
    o->m_axi_arid    = (uint8_t)(ar_pick * IDS + s->ar_id[ar_pick]);
    o->m_axi_araddr  = s->ar_addr[ar_pick] << 3;
    o->m_axi_arlen   = s->ar_len[ar_pick];
    o->m_axi_arsize  = SIZE_8;
    o->m_axi_arburst = INCR;
    o->m_axi_arlock  = s->ar_lock[ar_pick];
    o->m_axi_arvalid = any(s->ar_valid);
    o->m_axi_awid    = (uint8_t)(s->open_source * IDS + (s->open_source < MASTERS ? s->aw_id[writes] : 0));
    o->m_axi_awaddr  = s->aw_addr[writes] << 3;
    o->m_axi_awlen   = s->aw_len[writes];
    o->m_axi_awsize  = SIZE_8;
    o->m_axi_awburst = INCR;
    o->m_axi_awlock  = s->aw_lock[writes];
    o->m_axi_awvalid = s->aw_out;
    o->m_axi_wdata   = s->w_head;
    o->m_axi_wstrb   = (uint8_t)s->w_head_tag;
    o->m_axi_wlast   = s->w_head_tag & LAST;
    o->m_axi_wvalid  = s->w_count != 0;
    o->idle          = !any(s->ar_valid) && !any(s->aw_valid) && !s->aw_out && !s->open && s->w_count == 0;
}

void totem_channel_step(totem_channel *s, const totem_channel_in *i)
{
    totem_channel n       = *s; // what follows the clock edge; s stays as it was before
    const uint8_t ar_pick = first(s->ar_valid, s->ar_turn) % MASTERS;
    const uint8_t aw_pick = first(s->aw_valid, s->aw_turn) % MASTERS;
    const uint8_t source  = s->open_source % MASTERS;
    const bool    beat    = s->open && s->open_source < MASTERS && i->source_w_valid[source] && s->w_count != 2;

    // 1 Reads
    for (unsigned k = 0; k < MASTERS; k++)
        if (i->source_ar_valid[k] && !s->ar_valid[k]) {
            n.ar_valid[k] = true;
            n.ar_id[k]    = i->source_ar_id[k];
            n.ar_addr[k]  = i->source_ar_addr[k];
            n.ar_len[k]   = i->source_ar_len[k];
            n.ar_lock[k]  = i->source_ar_lock[k];
        }
    if (any(s->ar_valid)) {
        n.ar_turn = ar_pick;
        if (i->m_axi_arready) {
            n.ar_valid[ar_pick] = false;
            n.ar_turn           = (uint8_t)((ar_pick + 1) % MASTERS);
        }
    }

    // 2 Writes
    for (unsigned k = 0; k < MASTERS; k++)
        if (i->source_aw_valid[k] && !s->aw_valid[k]) {
            n.aw_valid[k] = true;
            n.aw_id[k]    = i->source_aw_id[k];
            n.aw_addr[k]  = i->source_aw_addr[k];
            n.aw_len[k]   = i->source_aw_len[k];
            n.aw_lock[k]  = i->source_aw_lock[k];
        }
    if (s->aw_out && i->m_axi_awready) {
        n.aw_out           = false;
        n.aw_valid[source] = false;
    }
    if (!s->aw_out && !s->open && any(s->aw_valid)) {
        n.aw_out      = true;
        n.open        = true;
        n.open_source = aw_pick;
        n.aw_turn     = (uint8_t)((aw_pick + 1) % MASTERS);
    }

    // 3 Data
    const bool gone = s->w_count != 0 && i->m_axi_wready;
    if (gone) {
        n.w_head     = s->w_tail;
        n.w_head_tag = s->w_tail_tag;
    }
    if (beat) {
        const bool     first = s->w_count == (gone ? 1 : 0);
        const uint16_t tag   = (uint16_t)((i->source_w_last[source] ? LAST : 0) | i->source_w_strobe[source]);

        *(first ? &n.w_head : &n.w_tail)         = i->source_w_data[source];
        *(first ? &n.w_head_tag : &n.w_tail_tag) = tag;
        if (i->source_w_last[source])
            n.open = false;
    }
    n.w_count = (uint8_t)((s->w_count + beat - gone) & 3);

    *s = n;
}

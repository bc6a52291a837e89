// SPDX-License-Identifier: Apache-2.0
//
// totem_store: see totem_store.h and docs/contract/store.md.

#include "totem_store.h"

enum { LANES = 8, RESP_EXOKAY = 1, RESP_DECERR = 3 };
enum { WORDS = TOTEM_STORE_BYTES / 8 };

static uint32_t word_of(uint64_t address)
{
    return (uint32_t)(address >> 3 & (WORDS - 1));
}

static bool beyond(uint64_t address)
{
    return (address & 0xffffffffffu) >= TOTEM_STORE_BYTES;
}

static bool putting(const totem_store *s)
{
    return s->put_strobe != 0;
}

// A word is read from the RAMs for the burst of the machine.
static bool issue(const totem_store *s)
{
    const bool meets = putting(s) && s->put_word == s->read_word;
    return s->read_left > 0 && !s->skid_valid && !meets;
}

static uint64_t shown(const uint8_t lane[LANES])
{
    uint64_t word = 0;
    for (unsigned l = 0; l < LANES; l++)
        word |= (uint64_t)lane[l] << 8 * l;
    return word;
}

void totem_store_outputs(const totem_store *s, totem_store_out *o)
{
    const bool waits = s->access == STORE_WAIT;

    o->m_axi_awready = o->core_awready = !(s->write_busy || s->b_valid);
    o->m_axi_wready = o->core_wready = s->write_busy && !waits;
    o->m_axi_bvalid = o->core_bvalid = s->b_valid;
    o->m_axi_arready = o->core_arready = !(s->read_busy || waits);
    o->m_axi_rvalid = o->core_rvalid = s->r_valid;
    if (s->write_core)
        o->m_axi_awready = o->m_axi_wready = o->m_axi_bvalid = false;
    else
        o->core_awready = o->core_wready = o->core_bvalid = false;
    if (s->read_core)
        o->m_axi_arready = o->m_axi_rvalid = false;
    else
        o->core_arready = o->core_rvalid = false;
    o->m_axi_bid   = s->write_id;
    o->m_axi_bresp = o->core_bresp = s->b_resp;
    o->m_axi_rid                   = s->read_id;
    o->m_axi_rdata = o->core_rdata = s->r_data;
    o->m_axi_rlast = o->core_rlast = s->r_last;
    o->m_axi_rresp = o->core_rresp = s->read_error ? RESP_DECERR : s->read_lock ? RESP_EXOKAY : 0;
    o->done                        = s->access == STORE_DONE;
    o->rdata                       = s->rdata;
    for (unsigned l = 0; l < LANES; l++) {
        o->ram_write_enable[l] = (s->put_strobe >> l & 1) != 0;
        o->ram_write_addr[l]   = s->put_word;
        o->ram_write_data[l]   = (uint8_t)(s->put_data >> 8 * l);
        o->ram_read_enable[l]  = issue(s) || s->access == STORE_READ;
        o->ram_read_addr[l]    = s->read_word;
    }
}

void totem_store_step(totem_store *s, const totem_store_in *i)
{
    totem_store     n = *s; // what follows the clock edge; s stays as it was before
    totem_store_out o;
    totem_store_outputs(s, &o);

    // Of the writer and the reader.
    const bool     write_wanted  = s->write_core ? i->core_awvalid : i->m_axi_awvalid;
    const uint64_t write_address = s->write_core ? i->core_awaddr : i->m_axi_awaddr;
    const bool     write_taken   = write_wanted && (o.m_axi_awready || o.core_awready);
    const bool     beat_taken    = s->write_core ? i->core_wvalid && o.core_wready : i->m_axi_wvalid && o.m_axi_wready;
    const uint64_t beat_data     = s->write_core ? i->core_wdata : i->m_axi_wdata;
    const uint8_t  beat_strobe   = s->write_core ? i->core_wstrb : i->m_axi_wstrb;
    const bool     beat_last     = s->write_core ? i->core_wlast : i->m_axi_wlast;
    const bool     read_wanted   = s->read_core ? i->core_arvalid : i->m_axi_arvalid;
    const uint64_t read_address  = s->read_core ? i->core_araddr : i->m_axi_araddr;
    const uint8_t  read_length   = s->read_core ? i->core_arlen : i->m_axi_arlen;
    const bool     read_taken    = read_wanted && (o.m_axi_arready || o.core_arready);

    const bool write_beyond = beyond(write_address);
    const bool read_beyond  = beyond(read_address);
    const bool spoiled      = putting(s) && s->put_word == s->monitor_word;
    const bool reserved =
        s->monitor_valid && s->monitor_word == s->write_word && s->monitor_id == s->write_id && !spoiled;
    const bool     allowed    = !s->write_error && (reserved || !s->write_lock);
    const bool     room       = !s->r_valid || (s->read_core ? i->core_rready : i->m_axi_rready);
    const bool     exclusive  = i->m_axi_arlock && !s->read_core && read_length == 0 && !read_beyond;
    const uint64_t read       = shown(i->ram_read_data);
    const uint64_t heard      = s->read_error ? 0 : read;
    const bool     upper      = (i->bridge_request_address & 4) != 0;
    const uint16_t asked_word = (uint16_t)word_of(i->bridge_request_address);

    // 1 Bridge
    n.put_strobe = 0;
    switch (s->access) {
    case STORE_REST: n.access = i->bridge_memory_valid ? STORE_WAIT : STORE_REST; break;
    case STORE_WAIT:
        if (i->bridge_request_write && i->bridge_memory_valid) {
            n.put_strobe = upper ? 0xf0 : 0x0f;
            n.put_word   = asked_word;
            n.put_data   = (uint64_t)i->bridge_request_data << 32 | i->bridge_request_data;
            n.access     = STORE_DONE;
        } else if (!s->read_busy && i->bridge_memory_valid) {
            n.read_word = asked_word;
            n.access    = STORE_READ;
        }
        break;
    case STORE_READ: n.access = STORE_TAKE; break;
    case STORE_TAKE:
        if (i->bridge_memory_valid)
            n.rdata = (uint32_t)(upper ? read >> 32 : read);
        n.access = STORE_DONE;
        break;
    default: n.access = STORE_REST; break;
    }
    if (!i->bridge_memory_valid)
        n.access = STORE_REST;

    // 2 Write address
    if (write_taken) {
        n.write_busy  = true;
        n.write_word  = (uint16_t)word_of(write_address);
        n.write_error = write_beyond;
        n.write_lock  = i->m_axi_awlock && !s->write_core;
        n.write_id    = s->write_core ? s->write_id : i->m_axi_awid;
    }

    // 3 Response
    if (s->write_core ? i->core_bready : i->m_axi_bready)
        n.b_valid = false;

    // 4 Write beat
    if (beat_taken) {
        n.put_strobe = allowed ? beat_strobe : 0;
        n.put_word   = s->write_word;
        n.put_data   = beat_data;
        n.write_word = (uint16_t)((s->write_word + 1) & (WORDS - 1));
        if (beat_last) {
            n.write_busy = false;
            n.b_valid    = true;
            n.b_resp     = s->write_error ? RESP_DECERR : s->write_lock && reserved ? RESP_EXOKAY : 0;
        }
    }

    // 5 Monitor
    if (spoiled)
        n.monitor_valid = false;
    if (read_taken && exclusive) {
        n.monitor_valid = true;
        n.monitor_word  = (uint16_t)word_of(read_address);
        n.monitor_id    = i->m_axi_arid;
    }

    // 6 Beat: the skid holds the older of two.
    if (room) {
        n.r_valid    = s->fetched || s->skid_valid;
        n.r_data     = s->skid_valid ? s->skid_data : heard;
        n.r_last     = s->skid_valid ? s->skid_last : s->fetched_last;
        n.skid_valid = false;
    } else if (!s->skid_valid && s->fetched) {
        n.skid_valid = true;
        n.skid_data  = heard;
        n.skid_last  = s->fetched_last;
    }
    n.fetched = s->fetched && s->skid_valid;
    if (s->r_valid && s->r_last && room)
        n.read_busy = false;

    // 7 Issue
    if (issue(s)) {
        n.fetched      = true;
        n.fetched_last = s->read_left == 1;
        n.read_left    = (uint16_t)(s->read_left - 1);
        n.read_word    = (uint16_t)((s->read_word + 1) & (WORDS - 1));
    }

    // 8 Read address
    if (read_taken) {
        n.read_busy  = true;
        n.read_word  = (uint16_t)word_of(read_address);
        n.read_left  = (uint16_t)(read_length + 1);
        n.read_error = read_beyond;
        n.read_lock  = exclusive;
        n.read_id    = s->read_core ? s->read_id : i->m_axi_arid;
    }

    // 9 Turns: the writer's or reader's burst has ended, or it has none and wants none.
    const bool write_ends = s->write_busy || s->b_valid || !write_wanted;
    const bool read_ends  = s->read_busy || !read_wanted;
    if (write_ends && !n.write_busy && !n.b_valid)
        n.write_core = s->write_core ? !i->m_axi_awvalid : i->core_awvalid;
    if (read_ends && !n.read_busy)
        n.read_core = s->read_core ? !i->m_axi_arvalid : i->core_arvalid;

    // 10 In reset
    if (i->boot_reset) {
        n.write_core = n.write_busy = n.b_valid = false;
        n.read_core = n.read_busy = n.fetched = n.skid_valid = n.r_valid = false;
        n.read_left                                                      = 0;
        n.monitor_valid                                                  = false;
    }

    *s = n;
}

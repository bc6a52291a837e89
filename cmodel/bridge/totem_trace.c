// SPDX-License-Identifier: Apache-2.0
//
// totem_trace: keeps the last events of a run, and stops behind a trigger.
// Twin of rtl/bridge/totem_trace.v; the rules are those of docs/contract/trace.md.

#include "totem_trace.h"

#include "totem_bridge_values.h"

enum { RECORDS_PAGE = 1 << 16, INNER = 16 };

// What the twelve pins of a port say in a clock.
typedef struct {
    bool write, data, written, read, gives, refused;
} handshakes;

static bool both(uint16_t pins, unsigned first)
{
    return (pins >> first & 3) == 3;
}

static handshakes taken(uint16_t pins)
{
    handshakes h = {.write   = both(pins, 0),
                    .data    = both(pins, 2),
                    .written = both(pins, 4),
                    .read    = both(pins, 6),
                    .gives   = both(pins, 8)};
    h.refused    = (h.written && (pins & 1u << 10) != 0) || (h.gives && (pins & 1u << 11) != 0);
    return h;
}

static uint32_t bit(bool value, unsigned place)
{
    return (uint32_t)value << place;
}

static bool kept(const totem_trace *s)
{
    return s->event && (s->capture == TRACE_ARMED || s->capture == TRACE_BEHIND);
}

static bool fires(const totem_trace *s)
{
    switch (s->kind) {
    case TRIGGER_ACCESS: return s->matches && s->suits;
    case TRIGGER_RISE: return s->rises;
    default: return false;
    }
}

void totem_trace_outputs(const totem_trace *s, totem_trace_out *o)
{
    o->done                 = s->access == TRACE_DONE;
    o->status               = s->status;
    o->rdata                = s->rdata;
    o->record_write_enable  = kept(s);
    o->record_write_addr    = (uint16_t)(s->written % TOTEM_TRACE_RECORDS);
    o->record_write_data[0] = (uint64_t)s->before << 32 | s->clock;
    o->record_write_data[1] = s->about;
    o->record_read_enable   = s->access == TRACE_READ && !kept(s);
    o->record_read_addr     = s->chosen_record;
}

static void pins(totem_trace *n, const totem_trace_in *i)
{
    n->host = (uint16_t)(bit(i->s_axil_awvalid, 0) | bit(i->s_axil_awready, 1) | bit(i->s_axil_wvalid, 2) |
                         bit(i->s_axil_wready, 3) | bit(i->s_axil_bvalid, 4) | bit(i->s_axil_bready, 5) |
                         bit(i->s_axil_arvalid, 6) | bit(i->s_axil_arready, 7) | bit(i->s_axil_rvalid, 8) |
                         bit(i->s_axil_rready, 9) | bit((i->s_axil_bresp & 2) != 0, 10) |
                         bit((i->s_axil_rresp & 2) != 0, 11) | bit(i->irq, 12));
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        n->memory[f] =
            (uint16_t)(bit(i->m_axi_awvalid[f], 0) | bit(i->m_axi_awready[f], 1) | bit(i->m_axi_wvalid[f], 2) |
                       bit(i->m_axi_wready[f], 3) | bit(i->m_axi_bvalid[f], 4) | bit(i->m_axi_bready[f], 5) |
                       bit(i->m_axi_arvalid[f], 6) | bit(i->m_axi_arready[f], 7) | bit(i->m_axi_rvalid[f], 8) |
                       bit(i->m_axi_rready[f], 9) | bit((i->m_axi_bresp[f] & 2) != 0, 10) |
                       bit((i->m_axi_rresp[f] & 2) != 0, 11));
    n->write_address = i->s_axil_awaddr;
    n->read_address  = i->s_axil_araddr;
    n->write_data    = i->s_axil_wdata;
    n->read_data     = i->s_axil_rdata;
    n->inner         = i->inner;
    n->pins_live     = i->boot_running;
}

static void find_levels(totem_trace *n, const totem_trace *s)
{
    const handshakes h = taken(s->host);

    n->levels = (uint32_t)s->inner << INNER | bit((s->host & 1u << 12) != 0, TRACE_IRQ) |
                bit(h.write, TRACE_HOST_WRITE) | bit(h.read, TRACE_HOST_READ) | bit(h.refused, TRACE_HOST_ERROR);
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        const handshakes m = taken(s->memory[f]);
        n->levels |= bit(m.write, TRACE_MEMORY_WRITE) | bit(m.data, TRACE_MEMORY_DATA) |
                     bit(m.written, TRACE_MEMORY_WRITTEN) | bit(m.read, TRACE_MEMORY_READ) |
                     bit(m.gives, TRACE_MEMORY_GIVES) | bit(m.refused, TRACE_MEMORY_ERROR);
    }
    n->ends   = s->pins_live && (h.written || h.gives);
    n->writes = h.written;
    n->fails  = h.refused;
    if (h.write || h.read)
        n->address = h.write ? s->write_address : s->read_address;
    if (h.data || h.gives)
        n->data = h.data ? s->write_data : s->read_data;
    n->levels_live = s->pins_live;
}

static void find_event(totem_trace *n, const totem_trace *s)
{
    n->rises   = !s->first && (s->levels & s->value & ~s->before) != 0;
    n->matches = s->ends && s->address == s->place;
    n->suits   = (s->data & s->care) == (s->value & s->care);
    n->event   = s->levels_live && (s->first || s->ends || (s->levels & s->mask) != (s->before & s->mask) ||
                                  (s->kind == TRIGGER_RISE && n->rises));
    n->about   = 0;
    if (s->ends)
        n->about =
            s->data | (uint64_t)s->address << 32 | (uint64_t)s->writes << 52 | (uint64_t)s->fails << 53 | 1ull << 63;
    if (s->levels_live) {
        n->before = s->levels;
        n->first  = false;
        n->clock  = s->clock + 1;
    }
}

static void keep(totem_trace *n, const totem_trace *s)
{
    n->written = s->written + 1;
    if (s->capture == TRACE_BEHIND) {
        n->left = (uint16_t)(s->left - 1);
        if (s->left == 1)
            n->capture = TRACE_STOPPED;
    } else if (fires(s)) {
        n->at      = s->clock;
        n->left    = s->behind;
        n->capture = s->behind == 0 ? TRACE_STOPPED : TRACE_BEHIND;
    }
}

static uint32_t setting(const totem_trace *s, uint8_t chosen)
{
    switch (chosen) {
    case BRIDGE_TRACE_MASK: return s->mask;
    case BRIDGE_TRACE_TRIGGER: return (uint32_t)s->kind << 30 | s->place;
    case BRIDGE_TRACE_VALUE: return s->value;
    case BRIDGE_TRACE_CARE: return s->care;
    case BRIDGE_TRACE_BEHIND: return s->behind;
    case BRIDGE_TRACE_STATE: return TOTEM_TRACE_RECORDS << 16 | s->capture;
    case BRIDGE_TRACE_WRITTEN: return s->written;
    default: return s->at;
    }
}

// False: it cannot be written.
static bool set(totem_trace *n, uint8_t chosen, uint32_t to)
{
    switch (chosen) {
    case BRIDGE_TRACE_MASK: n->mask = to; return true;
    case BRIDGE_TRACE_TRIGGER:
        n->kind  = (uint8_t)(to >> 30);
        n->place = to & 0xfffff;
        return true;
    case BRIDGE_TRACE_VALUE: n->value = to; return true;
    case BRIDGE_TRACE_CARE: n->care = to; return true;
    case BRIDGE_TRACE_BEHIND: n->behind = (uint16_t)to; return true;
    default: return false;
    }
}

static void serve(totem_trace *n, const totem_trace *s, const totem_trace_in *i)
{
    const bool    in_records = (i->bridge_request_address & RECORDS_PAGE) != 0;
    const uint8_t chosen     = (uint8_t)i->bridge_request_address;
    const bool    asked      = s->access == TRACE_REST && i->bridge_trace_valid;

    switch (s->access) {
    case TRACE_REST:
        if (asked) {
            n->access        = TRACE_DONE;
            n->status        = BRIDGE_OK;
            n->chosen_record = (uint16_t)(i->bridge_request_address / 16 % TOTEM_TRACE_RECORDS);
            n->chosen_part   = i->bridge_request_address >> 2 & 3;
            n->rdata         = setting(s, chosen);
            if (i->bridge_request_write && (in_records || !set(n, chosen, i->bridge_request_data)))
                n->status = BRIDGE_READONLY;
            if (!i->bridge_request_write && in_records)
                n->access = TRACE_READ;
        }
        break;
    case TRACE_READ:
        if (!kept(s))
            n->access = TRACE_TAKE;
        break;
    case TRACE_TAKE:
        n->rdata  = (uint32_t)(i->record_read_data[s->chosen_part / 2] >> 32 * (s->chosen_part % 2));
        n->access = TRACE_DONE;
        break;
    default: n->access = TRACE_REST; break;
    }
    if (!i->bridge_trace_valid)
        n->access = TRACE_REST;
}

void totem_trace_step(totem_trace *s, const totem_trace_in *i)
{
    totem_trace n = *s; // what follows the clock edge; s stays as it was before

    // 1 Pins
    pins(&n, i);
    // 2 Levels
    find_levels(&n, s);
    // 3 Event
    find_event(&n, s);
    // 4 Record
    if (kept(s))
        keep(&n, s);
    // 5 Access
    serve(&n, s, i);
    // 6 Start
    if (i->boot_start) {
        n.pins_live = n.levels_live = n.ends = n.event = false;

        n.first   = true;
        n.before  = 0;
        n.clock   = ~0u;
        n.capture = TRACE_ARMED;
        n.written = 0;
        n.at      = 0;
    }

    *s = n;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_controls: twin of rtl/throttle/totem_controls.v, from docs/contract/controls.md.

#include "totem_controls.h"

#include "../host/totem_regs_map.h"
#include "../packet/totem_pm4.h"

enum { DEPTH = TOTEM_CONTROLS_DEPTH, MOST_TENTHS = 9, VGPR_TENTHS = 12, LDS_TENTHS = 16, CNTL2_BITS = 17 };

static uint32_t tenths(uint32_t word, unsigned place)
{
    return word >> place & 15;
}

// Registers of an engine stand in fours.
static bool of_engine(uint8_t dword)
{
    return dword >= TOTEM_REG_CONTROLS_CLOSED && dword < TOTEM_REG_CONTROLS_STATUS + 4 && dword % 4 < TOTEM_SE_COUNT;
}

static uint32_t read_engine(const totem_controls_in *i, uint8_t dword)
{
    const unsigned e = dword % 4;
    switch (dword - e) {
    case TOTEM_REG_CONTROLS_CLOSED: return i->throttle_closed[e];
    case TOTEM_REG_CONTROLS_DEAD: return i->throttle_dead[e];
    case TOTEM_REG_CONTROLS_STALL_A: return i->throttle_stall_a[e];
    case TOTEM_REG_CONTROLS_STALL_B: return i->throttle_stall_b[e];
    case TOTEM_REG_CONTROLS_STALL_C: return i->throttle_stall_c[e];
    default: return i->monitor_status[e];
    }
}

static uint32_t read_value(const totem_controls *s, uint8_t dword)
{
    switch (dword) {
    case TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1: return s->cntl1;
    case TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2: return s->cntl2;
    case TOTEM_REG_CONTROLS_THROTTLE:
        return (s->ph_enable ? 1u : 0u) | (s->spi_enable ? 2u : 0u) | (s->b_hold ? 4u : 0u);
    case TOTEM_REG_CONTROLS_GS_LIMIT: return s->limit;
    case TOTEM_REG_CONTROLS_PH_THRESHOLDS:
        return s->thresholds[0] | (uint32_t)s->thresholds[1] << 8 | (uint32_t)s->thresholds[2] << 16;
    case TOTEM_REG_CONTROLS_CLAMPED: return s->clamped;
    default: return 0;
    }
}

// The word that a write puts into a register with this value.
static uint32_t put_value(const totem_controls_in *i, uint32_t value)
{
    uint32_t word = 0;
    for (unsigned b = 0; b < 4; b++)
        word |= ((i->host_strobe >> b & 1) != 0 ? i->host_data : value) & 0xffu << 8 * b;
    return word;
}

static bool ascending(uint32_t word)
{
    const uint32_t t0 = word & 255, t1 = word >> 8 & 255, t2 = word >> 16 & 255;
    return 1 <= t0 && t0 < t1 && t1 < t2 && t2 <= DEPTH;
}

static uint8_t refusal(const totem_controls_in *i, uint32_t put)
{
    bool wrong = false;

    if (i->host_dword > TOTEM_REG_CONTROLS_CLAMPED && !of_engine(i->host_dword))
        return TOTEM_ERROR_HOST_HOLE & 31;
    if (!i->host_write)
        return 0;
    if (of_engine(i->host_dword))
        return TOTEM_ERROR_HOST_READ_ONLY & 31;
    switch (i->host_dword) {
    case TOTEM_REG_CONTROLS_CLAMPED: return TOTEM_ERROR_HOST_READ_ONLY & 31;
    case TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1:
        wrong = tenths(put, VGPR_TENTHS) > MOST_TENTHS || tenths(put, LDS_TENTHS) > MOST_TENTHS;
        break;
    case TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2: wrong = (put & 3) > SPI_MODE_ANY; break;
    case TOTEM_REG_CONTROLS_PH_THRESHOLDS: wrong = !ascending(put); break;
    default: break;
    }
    return wrong ? TOTEM_ERROR_HOST_VALUE & 31 : 0;
}

// A field of tenths of a packet's word, clamped and counted.
static void clamp_tenths(totem_controls *n, unsigned place)
{
    if (tenths(n->cntl1, place) > MOST_TENTHS) {
        n->cntl1 = (n->cntl1 & ~(15u << place)) | (uint32_t)MOST_TENTHS << place;
        n->clamped++;
    }
}

static void packet(totem_controls *n, bool second, uint32_t data)
{
    if (!second) {
        n->cntl1 = data;
        clamp_tenths(n, VGPR_TENTHS);
        clamp_tenths(n, LDS_TENTHS);
        return;
    }
    n->cntl2 = data & ((1u << CNTL2_BITS) - 1);
    if ((n->cntl2 & 3) > SPI_MODE_ANY) {
        n->cntl2 = (n->cntl2 & ~3u) | SPI_MODE_ANY;
        n->clamped++;
    }
}

void totem_controls_outputs(const totem_controls *s, totem_controls_out *o)
{
    o->host_done        = s->done;
    o->host_error       = s->error;
    o->host_rdata       = s->rdata;
    o->cntl1            = s->cntl1;
    o->cntl2            = s->cntl2;
    o->interval         = s->cntl1 & 15;
    o->ph_enable        = s->ph_enable;
    o->spi_enable       = s->spi_enable;
    o->b_hold           = s->b_hold;
    o->limit            = s->limit;
    o->thresholds_valid = s->thresholds_valid;
    for (unsigned t = 0; t < 3; t++)
        o->thresholds[t] = s->thresholds[t];
}

void totem_controls_step(totem_controls *s, const totem_controls_in *i)
{
    totem_controls n = *s; // what follows the clock edge; s stays as it was before

    // 1 Packets
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (i->packet_valid[f])
            packet(&n, i->packet_second[f], i->packet_data[f]);

    // 2 Host
    n.done             = false;
    n.thresholds_valid = false;
    if (i->host_valid && !s->done) {
        const uint32_t value = of_engine(i->host_dword) ? read_engine(i, i->host_dword) : read_value(s, i->host_dword);
        const uint32_t put   = put_value(i, value);

        n.done  = true;
        n.rdata = value;
        n.error = refusal(i, put);
        if (i->host_write && n.error == 0)
            switch (i->host_dword) {
            case TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1: n.cntl1 = put; break;
            case TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2: n.cntl2 = put & ((1u << CNTL2_BITS) - 1); break;
            case TOTEM_REG_CONTROLS_THROTTLE:
                n.ph_enable  = (put & 1) != 0;
                n.spi_enable = (put & 2) != 0;
                n.b_hold     = (put & 4) != 0;
                break;
            case TOTEM_REG_CONTROLS_GS_LIMIT: n.limit = put & 127; break;
            case TOTEM_REG_CONTROLS_PH_THRESHOLDS:
                n.thresholds_valid = true;
                for (unsigned t = 0; t < 3; t++)
                    n.thresholds[t] = (uint8_t)(put >> 8 * t & 255);
                break;
            default: break;
            }
    }

    *s = n;
}

bool totem_controls_invariant(const totem_controls *s)
{
    return ascending(read_value(s, TOTEM_REG_CONTROLS_PH_THRESHOLDS));
}

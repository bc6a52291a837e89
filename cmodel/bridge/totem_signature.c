// SPDX-License-Identifier: Apache-2.0
//
// totem_signature: see totem_signature.h and docs/contract/signature.md.

#include "totem_signature.h"

#include "totem_bridge_values.h"

enum { WORDS = 1 + 4 * TOTEM_FE_COUNT, PAGE_POINTS = BRIDGE_PAGE_POINTS << 16, PAGE_FOLDS = BRIDGE_PAGE_FOLDS << 16 };

// Bits of a word that are its payload, and the bit that is its valid; see the table of the contract.
#define HOST_READ 0x3ffffffffull
#define HOST_WRITE (3ull << 35)
#define STROBES 0x1ffull
enum { HOST_RVALID = 34, HOST_BVALID = 37, ADDRESS_VALID = 54, DATA_VALID = 9 };

static uint64_t bit(bool value, unsigned place)
{
    return (uint64_t)value << place;
}

// Word 4f + 2 or 4f + 3.
static uint64_t address_word(uint8_t id, uint64_t addr, uint8_t len, uint8_t size, uint8_t burst, bool lock, bool valid)
{
    return addr | (uint64_t)len << 40 | (uint64_t)size << 48 | (uint64_t)burst << 51 | bit(lock, 53) |
           bit(valid, ADDRESS_VALID) | (uint64_t)id << 56;
}

static bool has(uint64_t word, unsigned place)
{
    return (word >> place & 1) != 0;
}

// Word n of the clock before without payloads that do not count.
static uint64_t left_out(const totem_signature *s, unsigned n)
{
    const uint64_t word = s->words[n];

    if (n == 0)
        return word & ~(has(word, HOST_RVALID) ? 0 : HOST_READ) & ~(has(word, HOST_BVALID) ? 0 : HOST_WRITE);
    switch (n % 4) {
    case 1: return has(s->words[n + 3], DATA_VALID) ? word : 0;
    case 0: return has(word, DATA_VALID) ? word : word & ~STROBES;
    default: return has(word, ADDRESS_VALID) ? word : 0;
    }
}

static uint64_t rotated(uint64_t word, unsigned left)
{
    return left == 0 ? word : word << left | word >> (64 - left);
}

static bool mark_wanted(const totem_signature *s)
{
    return s->mark && s->points < TOTEM_SIGNATURE_POINTS;
}

static uint32_t full_gap(const totem_signature *s)
{
    return (uint32_t)((1ull << s->stride) - 1);
}

void totem_signature_outputs(const totem_signature *s, totem_signature_out *o)
{
    o->done               = s->access == SIGNATURE_DONE;
    o->status             = s->status;
    o->rdata              = s->rdata;
    o->fold_live          = s->fold_live;
    o->fold_shift         = s->shift;
    o->point_write_enable = mark_wanted(s);
    o->point_write_addr   = (uint16_t)(s->points & (TOTEM_SIGNATURE_POINTS - 1));
    o->point_write_data   = s->signature;
    o->point_read_enable  = s->access == SIGNATURE_READ && !mark_wanted(s);
    o->point_read_addr    = s->place;
}

void totem_signature_step(totem_signature *s, const totem_signature_in *i)
{
    totem_signature n = *s; // what follows the clock edge; s stays as it was before

    // 1 Pins
    n.words[0] = i->s_axil_rdata | (uint64_t)i->s_axil_rresp << 32 | bit(i->s_axil_rvalid, HOST_RVALID) |
                 (uint64_t)i->s_axil_bresp << 35 | bit(i->s_axil_bvalid, HOST_BVALID) | bit(i->s_axil_awready, 38) |
                 bit(i->s_axil_wready, 39) | bit(i->s_axil_arready, 40) | bit(i->irq, 41);
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        n.words[4 * f + 1] = i->m_axi_wdata[f];
        n.words[4 * f + 2] = address_word(i->m_axi_awid[f], i->m_axi_awaddr[f], i->m_axi_awlen[f], i->m_axi_awsize[f],
                                          i->m_axi_awburst[f], i->m_axi_awlock[f], i->m_axi_awvalid[f]);
        n.words[4 * f + 3] = address_word(i->m_axi_arid[f], i->m_axi_araddr[f], i->m_axi_arlen[f], i->m_axi_arsize[f],
                                          i->m_axi_arburst[f], i->m_axi_arlock[f], i->m_axi_arvalid[f]);
        n.words[4 * f + 4] = i->m_axi_wstrb[f] | bit(i->m_axi_wlast[f], 8) | bit(i->m_axi_wvalid[f], DATA_VALID) |
                             bit(i->m_axi_bready[f], 10) | bit(i->m_axi_rready[f], 11);
    }
    n.words_live = i->boot_running;

    // 2 Fold
    n.fold = 0;
    for (unsigned w = 0; w < WORDS; w++)
        n.fold ^= rotated(left_out(s, w), 13 * w % 64);
    n.fold_live = s->words_live;

    // 3 Step
    n.mark = false;
    if (s->fold_live) {
        n.signature = s->signature << 1 ^ s->signature >> 1 ^ (s->signature & SIGNATURE_RULE) ^ s->fold;
        n.mark      = s->gap == 0;
        n.gap       = n.mark ? full_gap(s) : s->gap - 1;
    }

    // 4 Checkpoint
    if (mark_wanted(s))
        n.points++;

    // 5 Access
    const bool    in_points = (i->bridge_request_address & PAGE_POINTS) != 0;
    const bool    in_folds  = (i->bridge_request_address & PAGE_FOLDS) != 0;
    const uint8_t chosen    = (uint8_t)i->bridge_request_address;
    const bool    asked     = s->access == SIGNATURE_REST && i->bridge_points_valid;
    n.shift                 = false;
    switch (s->access) {
    case SIGNATURE_REST:
        if (asked) {
            const bool setting = chosen == BRIDGE_STRIDE && !in_points && !in_folds;

            n.access = in_points && !i->bridge_request_write ? SIGNATURE_READ : SIGNATURE_DONE;
            n.status = i->bridge_request_write && !setting ? BRIDGE_READONLY : BRIDGE_OK;
            n.place  = (uint16_t)(i->bridge_request_address >> 3 & (TOTEM_SIGNATURE_POINTS - 1));
            n.upper  = (i->bridge_request_address & 4) != 0;
            n.rdata  = chosen == BRIDGE_STRIDE          ? s->stride
                       : chosen == BRIDGE_POINTS        ? s->points
                       : chosen == BRIDGE_SIGNATURE_LOW ? (uint32_t)s->signature
                                                        : (uint32_t)(s->signature >> 32);
            if (setting && i->bridge_request_write)
                n.stride = i->bridge_request_data & 31;
            if (!i->bridge_request_write && in_folds && !in_points) {
                n.rdata  = i->fold_word;
                n.shift  = !i->boot_running && !s->words_live && !s->fold_live;
                n.status = n.shift ? BRIDGE_OK : BRIDGE_BUSY;
            }
        }
        break;
    case SIGNATURE_READ:
        if (!mark_wanted(s))
            n.access = SIGNATURE_TAKE;
        break;
    case SIGNATURE_TAKE:
        n.rdata  = (uint32_t)(s->upper ? i->point_read_data >> 32 : i->point_read_data);
        n.access = SIGNATURE_DONE;
        break;
    default: n.access = SIGNATURE_REST; break;
    }
    if (!i->bridge_points_valid)
        n.access = SIGNATURE_REST;

    // 6 Start
    if (i->boot_start) {
        n.words_live = n.fold_live = n.mark = false;
        n.signature                         = SIGNATURE_START;
        n.points                            = 0;
        n.gap                               = full_gap(s);
    }

    *s = n;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_grid: part of totem_execute, twin of rtl/packet/totem_execute_grid.v, from docs/contract/execute.md.

#include "totem_execute_grid.h"

#include "totem_bank_values.h"
#include "totem_execute_end.h"

// Behind a word that has just been taken, and in EXECUTE_GRID: n has the operands.
static void shape(totem_execute *n, const totem_execute_in *i)
{
    const bool partial = FIELD(n->control, TOTEM_PM4_DISPATCH_DIRECT_PARTIAL_TG_EN) != 0;

    n->phase = EXECUTE_GRID;
    if (!i->bank_loaded || i->bank_busy)
        return;
    if (!i->service_still) {
        if (i->arbiter_leave)
            n->phase = EXECUTE_LEAVE;
    } else if (i->bank_threads == 0) {
        fail(n, i, TOTEM_ERROR_PACKET_NUM_THREAD_ZERO, 0);
    } else if (partial && i->bank_partial == PARTIAL_COMPUTING) {
        if (i->arbiter_leave)
            n->phase = EXECUTE_LEAVE;
    } else if (partial && i->bank_partial == PARTIAL_ZERO) {
        fail(n, i, TOTEM_ERROR_PACKET_NUM_THREAD_ZERO, 1);
    } else if (partial && i->bank_partial == PARTIAL_ABOVE) {
        fail(n, i, TOTEM_ERROR_PACKET_NUM_THREAD_PARTIAL, 0);
    } else {
        const unsigned shift = FIELD(n->control, TOTEM_PM4_DISPATCH_DIRECT_CS_W32_EN) != 0 ? 5 : 6; // waves of 32 or 64
        const unsigned last  = i->bank_threads - 1u;
        n->waves             = (uint16_t)((last >> shift) + 1);
        n->dispatch_threads  = (uint8_t)((last & ((1u << shift) - 1)) + 1);
        n->phase             = EXECUTE_FIT;
        if (in_threads(n)) {
            n->step  = 0;
            n->phase = EXECUTE_PARTS;
        }
    }
}

// *Dimensions*; false if they are an error.
static bool dimensions(totem_execute *n, const totem_execute_in *i)
{
    const uint32_t x = (uint32_t)n->data, y = (uint32_t)(n->data >> 32), z = n->extra;

    n->phase = EXECUTE_GRID;
    if (in_threads(n))
        return true;
    if (y > 0xffff || z > 0xffff) {
        fail(n, i, TOTEM_ERROR_PACKET_GRID_RANGE, y > 0xffff ? y : z);
        return false;
    }
    n->data = (uint64_t)z << 48 | (uint64_t)y << 32 | x;
    return true;
}

static void divide(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const uint32_t x = i->divide_quotient[0], y = i->divide_quotient[1], z = i->divide_quotient[2];

    if (s->step == 0) {
        n->step = 1;
        return;
    }
    if (i->arbiter_leave && !s->patient[s->queue]) {
        n->patient[s->queue] = true;
        n->phase             = EXECUTE_LEAVE;
        return;
    }
    if (i->divide_busy)
        return;
    if ((y | z) > 0xffff) {
        n->patient[s->queue] = false;
        fail(n, i, TOTEM_ERROR_PACKET_GRID_RANGE, y > 0xffff ? y : z);
        return;
    }
    n->data = (uint64_t)z << 48 | (uint64_t)y << 32 | x;
    if (i->divide_uneven && FIELD(s->control, TOTEM_PM4_DISPATCH_DIRECT_PARTIAL_TG_EN) == 0) {
        n->control |= 2; // PARTIAL_TG_EN
        n->extra = i->divide_fields[0];
        n->step  = 0;
        n->phase = EXECUTE_TRIM;
    } else {
        n->patient[s->queue] = false;
        n->phase             = EXECUTE_FIT;
    }
}

// The table of what EXECUTE_TRIM has written: the dispatch may leave once while it is computed.
static void table(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (!s->patient[s->queue] && i->arbiter_leave) {
        n->patient[s->queue] = true;
        n->phase             = EXECUTE_LEAVE;
    } else if (i->bank_partial != PARTIAL_COMPUTING) {
        n->patient[s->queue] = false;
        n->phase             = EXECUTE_FIT;
    }
}

static void fit(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    bool any = false;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        any = any || i->bank_engines[e];

    if (!any) {
        fail(n, i, TOTEM_ERROR_PACKET_NO_ENGINE, 0);
    } else if (s->waves > TOTEM_SLOTS || (uint32_t)s->waves * i->bank_vgprs > TOTEM_VGPRS || i->bank_lds > TOTEM_LDS) {
        fail(n, i, TOTEM_ERROR_PACKET_GROUP_TOO_LARGE, s->waves);
    } else {
        n->dispatch_epoch = i->fence_epoch[s->queue];
        n->phase          = EXECUTE_START;
    }
}

// A dimension of a DISPATCH_INDIRECT.
static void dimension(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (s->step == 0)
        n->data = with_low(s->data, s->extra);
    else if (s->step == 1)
        n->data = with_high(s->data, s->extra);
    if (s->step == 1 && s->extra > 0xffff && !in_threads(s)) {
        fail(n, i, TOTEM_ERROR_PACKET_GRID_RANGE, s->extra);
    } else if (s->step >= 2) {
        (void)dimensions(n, i);
    } else {
        n->step    = (uint8_t)(s->step + 1);
        n->address = (s->address + 4) & ADDRESS_MASK;
        n->phase   = EXECUTE_POLL;
    }
}

void totem_execute_dispatch(totem_execute *n, const totem_execute_in *i, bool taken)
{
    if (dimensions(n, i) && taken)
        shape(n, i);
}

// 3 Phase, continued: a grid.
void totem_execute_grid(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    switch (s->phase) {
    case EXECUTE_GRID: shape(n, i); break;
    case EXECUTE_PARTS:
        n->step = (uint8_t)(s->step + 1) & 3;
        if (s->step >= 2) {
            n->step  = 0;
            n->phase = EXECUTE_DIVIDE;
        }
        break;
    case EXECUTE_DIVIDE: divide(n, s, i); break;
    case EXECUTE_TRIM:
        if (s->step >= 2) {
            n->phase = EXECUTE_TABLE;
        } else {
            n->step  = (uint8_t)(s->step + 1);
            n->extra = i->divide_fields[s->step + 1];
        }
        break;
    case EXECUTE_TABLE: table(n, s, i); break;
    case EXECUTE_DIM: dimension(n, s, i); break;
    default: fit(n, s, i); break;
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// Part of totem_mqd: where a dword of the MQD lies and what it is. Twin of rtl/descriptor/totem_mqd_layout.v, from
// docs/contract/mqd.md.

#ifndef TOTEM_MQD_LAYOUT_H
#define TOTEM_MQD_LAYOUT_H

#include "totem_mqd.h"

#include "../host/totem_regs_map.h"
#include "../lib/totem_upper.h"
#include "../packet/totem_pm4.h"

// Byte addresses [39:2].
#define PLACE_MASK ((1ull << 38) - 1)
#define LEFT_MASK 0xfffffu

static inline uint64_t at(const totem_mqd *s)
{
    return (s->base + s->dword) & PLACE_MASK;
}

static inline bool low(const totem_mqd *s)
{
    return s->dword <= MQD_LAST_REGISTER;
}

static inline bool records(const totem_mqd *s)
{
    return s->dword > MQD_LAST_REGISTER && s->dword <= MQD_TOP_SEQUENCE;
}

// Last dword of what a burst may read here.
static inline uint64_t part_end(const totem_mqd *s)
{
    if (low(s))
        return MQD_LAST_REGISTER;
    return records(s) ? MQD_TOP_SEQUENCE : MQD_LAST_WINDOW;
}

// First dword of what is read here.
static inline uint8_t start(const totem_mqd *s)
{
    if (low(s))
        return MQD_FIRST_REGISTER;
    return records(s) ? MQD_TOP_RPTR : MQD_ACTIVE;
}

// Its place in the block RAM, which has room for a whole part.
static inline uint8_t ram_place(const totem_mqd *s)
{
    return at(s) >> 1 & 63;
}

// The place that is read, and whether its beat is there.
static inline uint8_t sought(const totem_mqd *s)
{
    return (uint8_t)((ram_place(s) + (s->phase == MQD_SET)) & 63);
}

static inline bool there(const totem_mqd *s)
{
    if (s->beat_valid && s->beat_place == sought(s))
        return false;
    if (records(s)) // which are not looked at in turn
        return s->owed == 0;
    return s->fill != sought(s);
}

static inline bool read_failed(const totem_mqd *s)
{
    return s->code >= TOTEM_ERROR_MEMORY_READ_SLVERR && s->code <= TOTEM_ERROR_MEMORY_READ_SLVERR + 3;
}

// Dword of the window.
static inline uint8_t above(const totem_mqd *s)
{
    return (uint8_t)((s->dword - MQD_WINDOW) & 63);
}

// A window dword that a switch does not put back into the window: the pipe itself holds it, or the host may have
// written it.
static inline bool own(const totem_mqd *s)
{
    if (low(s) || records(s))
        return false;
    switch (above(s)) {
    case TOTEM_REG_QUEUE_CP_HQD_ACTIVE:
    case TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE:
    case TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY:
    case TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY:
    case TOTEM_REG_QUEUE_CP_HQD_QUANTUM:
    case TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR:
    case TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR:
    case TOTEM_REG_QUEUE_CP_HQD_IB_BASE_ADDR_HI:
    case TOTEM_REG_QUEUE_CP_HQD_IB_RPTR:
    case TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL:
    case TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST:
    case TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO:
    case TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_HI: return true;
    default: return false;
    }
}

// Not saved: the MQD has it already.
static inline bool spared(const totem_mqd *s)
{
    return s->dword > MQD_ACTIVE && !own(s) && s->kept[s->queue];
}

// The block of the dword is complete with it.
static inline bool full(const totem_mqd *s)
{
    return (at(s) & 31) == 31 || s->dword == MQD_LAST_REGISTER || s->dword == MQD_LAST_WINDOW;
}

// The last word of a burst.
static inline bool put(const totem_mqd *s)
{
    return s->phase == MQD_PUT && s->step == 2 && s->fill == 17;
}

static inline bool odd(const totem_mqd *s)
{
    return (at(s) & 1) != 0;
}

static inline uint64_t low_word(uint64_t word, uint32_t value)
{
    return (word & ~(uint64_t)0xffffffffu) | value;
}

static inline uint64_t high_word(uint64_t word, uint32_t value)
{
    return (word & 0xffffffffu) | (uint64_t)value << 32;
}

// Bits 47:40 of addresses that have bit 39 at the memory port; 0: there are none.
static inline uint8_t front(const totem_mqd_in *i)
{
    return (uint8_t)(i->settings_address_high >> 8 * i->fe_number);
}

// The two halves of an address as window dwords hold them: [31:2] and [47:32].
static inline uint64_t low_place(uint64_t place, uint32_t value)
{
    return (place & ~0x3fffffffull) | value >> 2;
}

// What the upper half says.
static inline totem_upper_out upper(const totem_mqd_in *i, uint32_t dword)
{
    const totem_upper_in in = {.address = (uint16_t)dword, .above = (uint8_t)(front(i))};
    totem_upper_out      out;
    totem_upper_outputs(&in, &out);
    return out;
}

static inline uint64_t high_place(const totem_mqd_in *i, uint64_t place, uint32_t value)
{
    return (place & 0x3fffffffull) | (uint64_t)upper(i, value).page << 30;
}

static inline uint32_t low_dword(uint64_t place)
{
    return (uint32_t)(place << 2);
}

static inline uint32_t high_dword(const totem_mqd_in *i, uint64_t place)
{
    const uint32_t high = (uint32_t)(place >> 30);
    return (high & 0x80) != 0 && front(i) != 0 ? (high & 0x7f) | (uint32_t)front(i) << 8 : high;
}

#endif

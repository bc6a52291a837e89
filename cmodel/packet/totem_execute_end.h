// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_end: part of totem_execute: what ends a packet, and what every part knows of it. n is what follows the
// clock edge.

#ifndef TOTEM_EXECUTE_END_H
#define TOTEM_EXECUTE_END_H

#include "totem_execute.h"

#include "totem_pm4.h"

// A field of a generated register or packet.
#define FIELD(word, name) ((word) >> name##_LSB & name##_MASK)

#define LOW32 ((uint64_t)0xffffffffu)
#define ADDRESS_MASK ((uint64_t)0xffffffffffu)

static inline uint64_t with_low(uint64_t word, uint32_t low)
{
    return (word & ~LOW32) | low;
}

static inline uint64_t with_high(uint64_t word, uint32_t high)
{
    return (word & LOW32) | (uint64_t)high << 32;
}

// A wait for a register of the pipe's window, or a copy of one.
static inline bool for_register(const totem_execute *s)
{
    if (s->kind == TOTEM_KIND_COPY)
        return FIELD(s->control, TOTEM_PM4_COPY_DATA_SRC_SEL) == TOTEM_COPY_SRC_REGISTER;
    return s->kind == TOTEM_KIND_WAIT && FIELD(s->control, TOTEM_PM4_WAIT_REG_MEM_MEM_SPACE) == TOTEM_SPACE_REGISTER;
}

// A copy of 64 bits, or an atomic on them.
static inline bool wide(const totem_execute *s)
{
    if (s->kind == TOTEM_KIND_ATOMIC)
        return FIELD(s->control, TOTEM_PM4_ATOMIC_MEM_WIDE) != 0;
    return s->kind == TOTEM_KIND_COPY && FIELD(s->control, TOTEM_PM4_COPY_DATA_COUNT_SEL) != 0;
}

// No write of the selected queue begins any more.
static inline bool barred(const totem_execute *s, const totem_execute_in *i)
{
    return s->halted[s->queue] || !i->arbiter_active[s->queue];
}

// A wait that keeps the pipe between its polls.
static inline bool polling(const totem_execute *s)
{
    return FIELD(s->control, TOTEM_PM4_WAIT_REG_MEM_OPERATION) == TOTEM_WAIT_OPERATION_WAIT_REG_MEM &&
           FIELD(s->extra, TOTEM_PM4_WAIT_REG_MEM_OPTIMIZE_ACE_OFFLOAD_MODE) == 0;
}

// One that gives it up.
static inline bool smart(const totem_execute *s)
{
    const uint32_t operation = FIELD(s->control, TOTEM_PM4_WAIT_REG_MEM_OPERATION);

    return operation == TOTEM_WAIT_OPERATION_SMART_WAIT ||
           (operation == TOTEM_WAIT_OPERATION_WAIT_REG_MEM && !polling(s));
}

static inline bool copies(const totem_execute *s)
{
    return s->kind == TOTEM_KIND_COPY || s->kind == TOTEM_KIND_LOAD_REGISTERS || s->kind == TOTEM_KIND_DMA ||
           s->kind == TOTEM_KIND_ATOMIC;
}

// A register of the compute block.
static inline bool of_compute(uint32_t place)
{
    return place >= 0x2e00 && place <= 0x2e7f;
}

// A register of a unit that Totem does not have.
static inline bool foreign(uint32_t place)
{
    return (place < 0x4000 || place > 0x7fff) && !of_compute(place);
}

// A dispatch with this initiator launches nothing.
static inline bool disabled(uint32_t initiator)
{
    return FIELD(initiator, TOTEM_PM4_DISPATCH_DIRECT_COMPUTE_SHADER_EN) == 0;
}

// Dimensions of a resumed grid are groups already.
static inline bool in_threads(const totem_execute *s)
{
    return FIELD(s->control, TOTEM_PM4_DISPATCH_DIRECT_USE_THREAD_DIMENSIONS) != 0 && !s->resume;
}

static inline void finish(totem_execute *n, bool ignored)
{
    n->executed       = true;
    n->ignored        = ignored;
    n->skip[n->queue] = false;
    n->phase          = EXECUTE_READY;
    if (n->group == 0) {
        n->commit = true;
        return;
    }
    // In a group dwords add up, and the last packet commits all of them.
    const uint16_t passed = (n->deferred + n->length) & 0x7fff;
    if (n->group <= n->length) {
        n->commit            = true;
        n->service_group_end = true;
        n->length            = passed;
        n->group             = 0;
        n->deferred          = 0;
    } else {
        n->group    = (uint16_t)(n->group - n->length);
        n->deferred = passed;
    }
}

// A dword of a WRITE_DATA that is written nowhere.
static inline void vanish(totem_execute *n)
{
    n->phase = EXECUTE_READY;
    if (n->last)
        finish(n, true);
}

static inline void fail(totem_execute *n, const totem_execute_in *i, unsigned code, uint32_t word)
{
    n->code           = (uint8_t)code;
    n->extra          = word;
    n->address        = i->fetch_position;
    n->step           = 0;
    n->phase          = EXECUTE_ERROR;
    n->skip[n->queue] = false;
}

// The packet ends, and the dwords that it names are skipped.
static inline void skip_with(totem_execute *n, const totem_execute_in *i)
{
    const unsigned skipped = (n->length + (n->control & 0x3fff)) & 0x7fff;
    if (skipped > i->fetch_available) {
        fail(n, i, TOTEM_ERROR_PACKET_COND_SKIP, n->control);
        return;
    }
    n->length = (uint16_t)skipped;
    n->drop   = true;
    finish(n, n->counted);
}

// Of a read whose address the packet has.
static inline void fail_read(totem_execute *n, const totem_execute_in *i, unsigned error)
{
    const uint64_t address = n->address & ~(uint64_t)3;

    fail(n, i, TOTEM_ERROR_MEMORY_READ_SLVERR - 1u + error, (uint32_t)address);
    n->address = address;
}

// Of a dword that could not be read.
static inline void fail_dword(totem_execute *n, const totem_execute_in *i)
{
    fail(n, i, i->decode_code, (uint32_t)i->fetch_fault_position);
    n->address = i->fetch_fault_position;
}

// A register of a unit that Totem does not have, in a packet that names no other.
static inline void absent(totem_execute *n, const totem_execute_in *i)
{
    if (i->settings_strict)
        fail(n, i, TOTEM_ERROR_PACKET_WRITE_REGISTER, (uint32_t)n->address);
    else
        finish(n, true);
}

static inline void pass_over(totem_execute *n)
{
    n->commit         = true;
    n->drop           = true;
    n->skip[n->queue] = false;
    n->phase          = EXECUTE_READY;
}

static inline void give_up(totem_execute *n, bool *flag)
{
    *flag    = true;
    n->phase = EXECUTE_LEAVE;
}

// The condition goes to poll, the queue gives the pipe up.
static inline void give(totem_execute *n)
{
    n->step  = 0;
    n->phase = EXECUTE_GIVE;
}

#endif

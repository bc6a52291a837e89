// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_copy: part of totem_execute, twin of rtl/packet/totem_execute_copy.v, from docs/contract/execute.md.

#include "totem_execute_copy.h"

#include "../host/totem_regs_map.h"
#include "../memory/totem_memory_values.h"
#include "totem_execute_end.h"
#include "totem_execute_packet.h"

enum { MOST = 4096, STEP_LOW = 2, STEP_HIGH = 3, SH_LAST = 0x3ff };

static uint32_t source(const totem_execute *s)
{
    return FIELD(s->control, TOTEM_PM4_COPY_DATA_SRC_SEL);
}

static bool from_memory(const totem_execute *s)
{
    return source(s) == TOTEM_COPY_SRC_MEMORY || source(s) == TOTEM_COPY_SRC_TC_L2;
}

static bool to_register(const totem_execute *s)
{
    return FIELD(s->control, TOTEM_PM4_COPY_DATA_DST_SEL) == TOTEM_WRITE_DST_REGISTER;
}

// The source of a DMA_DATA is a value.
static bool fills(const totem_execute *s)
{
    return FIELD(s->control, TOTEM_PM4_DMA_DATA_SRC_SEL) == TOTEM_DMA_SRC_DATA;
}

static uint32_t bytes(const totem_execute *s)
{
    return FIELD(s->extra, TOTEM_PM4_DMA_DATA_BYTE_COUNT);
}

static uint64_t step_by(uint64_t address, bool keep)
{
    return keep ? address : (address + 4) & ADDRESS_MASK;
}

static void store(totem_execute *n, const totem_execute_in *i)
{
    n->step           = 0;
    n->fence_write    = true;
    n->dispatch_epoch = i->fence_epoch[n->queue];
    n->phase          = EXECUTE_WRITE;
}

static void put(totem_execute *n, const totem_execute_in *i)
{
    n->address = n->second & ADDRESS_MASK;
    if (!to_register(n)) {
        store(n, i);
        return;
    }
    n->step  = 0;
    n->last  = !wide(n);
    n->phase = EXECUTE_REGISTER;
}

static void copy_data(totem_execute *n, const totem_execute_in *i)
{
    const bool uneven = (from_memory(n) && (n->data & 4) != 0) || (!to_register(n) && (n->second & 4) != 0);

    if (barred(n, i)) {
        n->phase = EXECUTE_LEAVE;
        return;
    }
    if (wide(n) && uneven) {
        fail(n, i, TOTEM_ERROR_PACKET_FEATURE, n->control);
        return;
    }
    switch (source(n)) {
    case TOTEM_COPY_SRC_GPU_CLOCK:
        n->data = i->clock;
        put(n, i);
        break;
    case TOTEM_COPY_SRC_REGISTER:
        n->address = n->data & ADDRESS_MASK;
        n->step    = STEP_LOW;
        n->phase   = EXECUTE_REGISTER;
        break;
    case TOTEM_COPY_SRC_MEMORY:
    case TOTEM_COPY_SRC_TC_L2:
        n->address = n->data & ADDRESS_MASK;
        n->phase   = EXECUTE_POLL;
        break;
    default: put(n, i); break; // the data are in the packet
    }
}

static void load_registers(totem_execute *n, const totem_execute_in *i)
{
    if (FIELD(n->control, TOTEM_PM4_LOAD_SH_REG_INDEX_NUM_DWORDS) == 0) {
        finish(n, n->counted);
    } else if ((n->address & 3) != 0) {
        fail(n, i, TOTEM_ERROR_PACKET_FEATURE, (uint32_t)n->address);
    } else {
        n->step  = 0;
        n->phase = EXECUTE_POLL;
    }
}

static bool unable(const totem_execute *s)
{
    const uint64_t places = s->second | bytes(s) | (fills(s) ? 0 : s->data);
    const bool special = FIELD(s->extra, TOTEM_PM4_DMA_DATA_SAS) != 0 || FIELD(s->extra, TOTEM_PM4_DMA_DATA_DAS) != 0 ||
                         FIELD(s->control, TOTEM_PM4_DMA_DATA_SRC_INDIRECT) != 0 ||
                         FIELD(s->control, TOTEM_PM4_DMA_DATA_DST_INDIRECT) != 0;

    return bytes(s) > MOST || (places & 3) != 0 || special;
}

static void move(totem_execute *n, const totem_execute_in *i)
{
    const uint32_t target = FIELD(n->control, TOTEM_PM4_DMA_DATA_DST_SEL);
    const bool     sync   = FIELD(n->control, TOTEM_PM4_DMA_DATA_CP_SYNC) != 0;
    const uint8_t  q      = n->queue;

    if (target == TOTEM_DMA_DST_GDS || target == TOTEM_DMA_DST_NOWHERE) {
        finish(n, true);
    } else if (bytes(n) == 0) {
        finish(n, n->counted);
    } else if (unable(n)) {
        fail(n, i, TOTEM_ERROR_PACKET_FEATURE, n->extra);
    } else if (sync && n->closed[q]) {
        n->phase = EXECUTE_FLUSH; // all is written
    } else if (sync && !i->fence_room[q]) {
        give_up(n, &n->wait_epoch[q]);
    } else if (barred(n, i)) {
        n->phase = EXECUTE_LEAVE;
    } else if (fills(n)) {
        n->address = n->second & ADDRESS_MASK;
        store(n, i);
    } else {
        n->address = n->data & ADDRESS_MASK;
        n->phase   = EXECUTE_POLL;
    }
}

static uint32_t operation(const totem_execute *s)
{
    return FIELD(s->control, TOTEM_PM4_ATOMIC_MEM_ATOMIC);
}

static void change(totem_execute *n, const totem_execute_in *i)
{
    if (barred(n, i)) {
        n->phase = EXECUTE_LEAVE;
        return;
    }
    if (wide(n) && (n->address & 4) != 0) {
        fail(n, i, TOTEM_ERROR_PACKET_FEATURE, n->control);
        return;
    }
    n->phase = EXECUTE_POLL;
    if (operation(n) == TOTEM_ATOMIC_ADD)
        n->second = n->data;
}

void totem_execute_copy(totem_execute *n, const totem_execute_in *i)
{
    switch (n->kind) {
    case TOTEM_KIND_ATOMIC: change(n, i); break;
    case TOTEM_KIND_COPY: copy_data(n, i); break;
    case TOTEM_KIND_LOAD_REGISTERS: load_registers(n, i); break;
    default: move(n, i); break;
    }
}

static void copy_read(totem_execute *n, const totem_execute *s, const totem_execute_in *i, uint32_t read)
{
    const bool window = for_register(s);

    if (window && wide(s) && s->step == STEP_LOW) {
        n->extra   = read;
        n->address = (s->address + 1) & ADDRESS_MASK;
        n->step    = STEP_HIGH;
        n->phase   = EXECUTE_REGISTER;
        return;
    }
    n->data = wide(s) ? i->data_word : read;
    if (window && wide(s))
        n->data = (uint64_t)read << 32 | s->extra;
    if (barred(s, i))
        n->phase = EXECUTE_LEAVE;
    else
        put(n, i);
}

static void load_read(totem_execute *n, const totem_execute *s, const totem_execute_in *i, uint32_t read)
{
    const uint32_t offset = FIELD(s->extra, TOTEM_PM4_LOAD_SH_REG_INDEX_REG_OFFSET);
    const uint32_t format = FIELD(s->extra, TOTEM_PM4_LOAD_SH_REG_INDEX_DATA_FORMAT);

    if (format == TOTEM_LOAD_FORMAT_OFFSET_AND_DATA && s->step == 0) {
        n->extra   = (s->extra & 0xffff0000u) | (read & 0xffff);
        n->address = (s->address + 4) & ADDRESS_MASK;
        n->step    = 1;
        n->phase   = EXECUTE_POLL;
    } else if (offset > SH_LAST) {
        fail(n, i, TOTEM_ERROR_PACKET_SH_OFFSET, s->extra);
    } else {
        const uint32_t left = (s->control - 1) & TOTEM_PM4_LOAD_SH_REG_INDEX_NUM_DWORDS_MASK;

        n->data    = with_low(s->data, read);
        n->second  = s->address;
        n->address = offset;
        n->control = (s->control & ~(uint32_t)TOTEM_PM4_LOAD_SH_REG_INDEX_NUM_DWORDS_MASK) | left;
        n->step    = 0;
        n->phase   = EXECUTE_REGISTER;
    }
}

// The packet is executed once more, as a poll in vain is.
static void try_again(totem_execute *n)
{
    n->executed = true;
    n->phase    = EXECUTE_RETRY;
}

static void change_read(totem_execute *n, const totem_execute *s, const totem_execute_in *i, uint32_t read)
{
    const uint64_t value   = wide(s) ? i->data_word : read;
    const uint64_t compare = wide(s) ? s->second : s->second & LOW32;

    if (operation(s) == TOTEM_ATOMIC_COMPARE_SWAP && value != compare) {
        if (FIELD(s->control, TOTEM_PM4_ATOMIC_MEM_COMMAND) == TOTEM_ATOMIC_COMMAND_LOOP)
            try_again(n);
        else
            finish(n, s->counted);
        return;
    }
    if (operation(s) == TOTEM_ATOMIC_ADD)
        n->data = value + s->second;
    if (barred(s, i))
        n->phase = EXECUTE_LEAVE;
    else
        store(n, i);
}

void totem_execute_copy_read(totem_execute *n, const totem_execute *s, const totem_execute_in *i, uint32_t read)
{
    switch (s->kind) {
    case TOTEM_KIND_ATOMIC: change_read(n, s, i, read); break;
    case TOTEM_KIND_COPY: copy_read(n, s, i, read); break;
    case TOTEM_KIND_LOAD_REGISTERS: load_read(n, s, i, read); break;
    default:
        n->data    = with_low(s->data, read);
        n->address = s->second & ADDRESS_MASK;
        n->second  = step_by(s->address, FIELD(s->extra, TOTEM_PM4_DMA_DATA_SAIC) != 0);
        if (barred(s, i))
            n->phase = EXECUTE_LEAVE;
        else
            store(n, i);
        break;
    }
}

static bool to_bank(const totem_execute *s)
{
    const uint32_t place = (uint32_t)s->address;

    return s->kind == TOTEM_KIND_COPY ? of_compute(place) : (place >> 7 & 7) == 4;
}

// The source of a COPY_DATA.
static void look(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (own(s, i))
        n->phase = EXECUTE_POLL;
    else if (i->graphics || foreign((uint32_t)s->address))
        absent(n, i);
    else
        fail(n, i, TOTEM_ERROR_PACKET_WRITE_REGISTER, (uint32_t)s->address);
}

// A register of a LOAD_SH_REG_INDEX that the bank does not have.
static void load_elsewhere(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (i->graphics && !s->room)
        return;
    n->step = 1;
    if (i->graphics)
        n->flow = true;
    else
        n->counted = true;
}

bool totem_execute_copy_register(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const bool loads = s->kind == TOTEM_KIND_LOAD_REGISTERS;

    if (s->kind == TOTEM_KIND_DMA || s->kind == TOTEM_KIND_ATOMIC)
        return false;
    if (s->step >= STEP_LOW && !loads) {
        look(n, s, i);
    } else if (s->step == 0 && to_bank(s)) {
        n->set  = true;
        n->step = 1;
    } else if (s->step == 0 && loads) {
        load_elsewhere(n, s, i);
    } else if (s->step == 0) {
        const uint32_t place    = (uint32_t)s->address;
        const bool     priority = own(s, i) && place % 0x40 == TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY;
        if (priority || !(i->graphics || foreign(place)))
            return false;
        absent(n, i);
    } else if (loads && FIELD(s->control, TOTEM_PM4_LOAD_SH_REG_INDEX_NUM_DWORDS) == 0) {
        finish(n, s->counted);
    } else if (loads) {
        n->address = (s->second + 4) & ADDRESS_MASK;
        n->extra   = (s->extra & 0xffff0000u) | ((s->extra + 1) & 0xffff);
        n->step    = 0;
        n->phase   = EXECUTE_POLL;
    } else if (!s->last) {
        n->address = (s->address + 1) & ADDRESS_MASK;
        n->data    = s->data >> 32;
        n->last    = true;
        n->step    = 0;
    } else {
        return false;
    }
    return true;
}

void totem_execute_copy_written(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const uint64_t next = step_by(s->address, FIELD(s->extra, TOTEM_PM4_DMA_DATA_DAIC) != 0);

    if (!i->write_ready)
        return;
    if (s->kind == TOTEM_KIND_ATOMIC) {
        n->phase = EXECUTE_CONFIRM;
        return;
    }
    if (bytes(s) == 4) {
        if (FIELD(s->control, TOTEM_PM4_DMA_DATA_CP_SYNC) == 0) {
            finish(n, s->counted);
            return;
        }
        n->closed[s->queue] = true;
        n->fence_close      = true;
        n->phase            = EXECUTE_FLUSH;
    } else if (barred(s, i)) {
        n->phase = EXECUTE_LEAVE;
    } else {
        n->extra = (s->extra & ~(uint32_t)TOTEM_PM4_DMA_DATA_BYTE_COUNT_MASK) |
                   ((bytes(s) - 4) & TOTEM_PM4_DMA_DATA_BYTE_COUNT_MASK);
        if (fills(s)) {
            n->address = next;
            store(n, i);
        } else {
            n->address = s->second & ADDRESS_MASK;
            n->second  = next;
            n->phase   = EXECUTE_POLL;
        }
    }
}

void totem_execute_copy_confirmed(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (!i->write_ack || !i->ack_exclusive)
        return;
    if (i->ack_error != MEMORY_OK)
        n->phase = EXECUTE_LEAVE; // its queue is halted as soon as the failure is told
    else if (i->ack_exokay)
        finish(n, s->counted);
    else
        try_again(n); // another write came between
}

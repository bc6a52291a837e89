// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_packet: part of totem_execute, twin of rtl/packet/totem_execute_packet.v (docs/contract/execute.md).

#include "totem_execute_packet.h"

#include "../memory/totem_memory_values.h"
#include "totem_execute_copy.h"
#include "totem_execute_end.h"
#include "totem_execute_grid.h"
#include "totem_execute_order.h"

enum { COMPUTE = 4 };

static void execute_wait(totem_execute *n, const totem_execute_in *i)
{
    const uint32_t function = FIELD(n->control, TOTEM_PM4_WAIT_REG_MEM_FUNCTION);
    const uint8_t  q        = n->queue;

    if (n->kind == TOTEM_KIND_WAIT_64) {
        const bool of_register = FIELD(n->control, TOTEM_PM4_WAIT_REG_MEM_MEM_SPACE) == TOTEM_SPACE_REGISTER;
        if (of_register ? own(n, i) : (n->address & 4) != 0) {
            fail(n, i, TOTEM_ERROR_PACKET_FEATURE, n->control);
            return;
        }
        if (of_register) {
            absent(n, i);
            return;
        }
    }
    if (for_register(n) && !own(n, i))
        absent(n, i);
    else if (for_register(n) && !polling(n) && !smart(n))
        finish(n, true);
    else if (function == TOTEM_COMPARE_ALWAYS)
        finish(n, n->counted);
    else if (polling(n))
        n->phase = EXECUTE_POLL;
    else if (!i->poll_ended[q])
        give(n);
    else if (i->poll_error[q] != MEMORY_OK)
        fail_read(n, i, i->poll_error[q]);
    else
        n->phase = EXECUTE_POLL; // the second look
}

// A flush: the pipe is given up only for what the slot has in flight.
static void execute_flush(totem_execute *n, const totem_execute_in *i)
{
    const uint8_t q     = n->queue;
    const bool    empty = i->fence_settled[q] && i->fence_flushed[q];

    if (!n->closed[q]) {
        if (empty) {
            finish(n, n->counted);
            return;
        }
        if (!i->fence_room[q]) {
            give_up(n, &n->wait_epoch[q]);
            return;
        }
        n->closed[q]   = true;
        n->fence_close = true;
    }
    n->phase = EXECUTE_FLUSH;
}

void totem_execute_release(totem_execute *n, const totem_execute_in *i)
{
    if (!i->fence_room[n->queue]) {
        give_up(n, &n->wait_epoch[n->queue]);
        return;
    }
    n->dispatch_epoch = i->fence_epoch[n->queue];
    n->step           = 0;
    n->phase          = EXECUTE_RELEASE;
}

static void execute_buffer(totem_execute *n, const totem_execute_in *i)
{
    if (i->fetch_in_buffer && FIELD(n->control, TOTEM_PM4_INDIRECT_BUFFER_CHAIN) == 0) {
        fail(n, i, TOTEM_ERROR_PACKET_IB_NESTED, i->decode_header);
        return;
    }
    n->open = true;
    n->drop = true;
    finish(n, n->counted);
}

static void begin_read(totem_execute *n)
{
    n->step  = 0;
    n->phase = EXECUTE_POLL;
}

// A register: of the bank, or one that the server keeps.
static void stream_register(totem_execute *n)
{
    const bool compute = (n->address >> 7 & 7) == COMPUTE;

    switch (n->kind) {
    case TOTEM_KIND_REGISTERS: n->set = compute; break;
    case TOTEM_KIND_SHADER:
        n->set  = compute;
        n->flow = !compute;
        break;
    default: n->flow = true; break;
    }
    if (n->last)
        finish(n, n->counted);
}

static bool ordered(const totem_execute *n, const totem_execute_in *i)
{
    return TOTEM_RUNLIST != 0 && n->kind == TOTEM_KIND_ORDER && !i->graphics;
}

static bool is_stream(uint8_t kind)
{
    return kind == TOTEM_KIND_REGISTERS || kind == TOTEM_KIND_WRITE || kind == TOTEM_KIND_CONTEXT ||
           kind == TOTEM_KIND_SHADER || kind == TOTEM_KIND_USER;
}

// A dword of a stream.
static void stream(totem_execute *n, const totem_execute_in *i)
{
    const uint32_t destination = FIELD(n->control, TOTEM_PM4_WRITE_DATA_DST_SEL);

    if (n->kind != TOTEM_KIND_WRITE) {
        stream_register(n);
        return;
    }
    if (destination == TOTEM_WRITE_DST_PREEMPTION_META) {
        vanish(n);
        return;
    }
    n->step  = 0;
    n->phase = EXECUTE_REGISTER;
    if (destination != TOTEM_WRITE_DST_REGISTER) {
        n->fence_write    = true;
        n->dispatch_epoch = i->fence_epoch[n->queue];
        n->phase          = EXECUTE_WRITE;
    }
}

static bool is_flush(uint32_t event, bool graphics)
{
    const bool drawing = event == TOTEM_EVENT_VS_PARTIAL_FLUSH || event == TOTEM_EVENT_PS_PARTIAL_FLUSH;

    return event == TOTEM_EVENT_CS_PARTIAL_FLUSH || (graphics && drawing);
}

// A LOAD_CONTEXT_REG comes range by range: an offset, which lies as far behind the address in memory, and a number.
static void load_context(totem_execute *n, const totem_execute_in *i)
{
    if (n->opcode == TOTEM_OP_LOAD_CONTEXT_REG && !i->decode_stream) {
        finish(n, n->counted);
        return;
    }
    if (i->decode_stream) {
        n->extra   = (uint32_t)n->address;
        n->control = (uint32_t)n->data;
        n->address = ((n->second & ~(uint64_t)3) + 4 * (n->address & 0xffff)) & ADDRESS_MASK;
    }
    n->phase = EXECUTE_SERVICE;
}

// 3 Phase, continued: a packet is taken.
void totem_execute_packet(totem_execute *n, const totem_execute_in *i)
{
    if (i->decode_unread) {
        fail_dword(n, i);
        return;
    }
    if (i->decode_code != 0) {
        fail(n, i, i->decode_code, n->control);
        return;
    }
    if (ordered(n, i) && i->decode_stream) {
        totem_execute_order(n, i);
        return;
    }
    if (is_stream(n->kind) && i->decode_stream) {
        stream(n, i);
        return;
    }
    switch (n->kind) {
    case TOTEM_KIND_PASS:
        pass_over(n);
        n->service_resume       = i->decode_writes_context;
        n->service_resume_plain = i->decode_writes_context;
        break;
    case TOTEM_KIND_DISPATCH:
    case TOTEM_KIND_DISPATCH_INDIRECT:
        if (disabled(n->control))
            finish(n, true);
        else if (n->kind == TOTEM_KIND_DISPATCH)
            totem_execute_dispatch(n, i, true);
        else
            begin_read(n);
        break;
    case TOTEM_KIND_COND_EXEC:
        if (n->opcode != TOTEM_OP_PRED_EXEC)
            begin_read(n);
        else if (FIELD(n->control, TOTEM_PM4_PRED_EXEC_DEVICE_SELECT) & 1u << i->settings_die)
            finish(n, n->counted);
        else
            skip_with(n, i);
        break;
    case TOTEM_KIND_TIMER:
        if ((uint32_t)n->data == 0 || i->poll_ended[n->queue])
            finish(n, n->counted);
        else
            give(n);
        break;
    case TOTEM_KIND_RELEASE: totem_execute_release(n, i); break;
    case TOTEM_KIND_EVENT:
        if (is_flush(FIELD(n->control, TOTEM_PM4_EVENT_WRITE_EVENT_TYPE), i->graphics))
            execute_flush(n, i);
        else
            finish(n, n->counted || n->length == 4); // an address: what it is to write is not written
        break;
    case TOTEM_KIND_WAIT:
    case TOTEM_KIND_WAIT_64: execute_wait(n, i); break;
    case TOTEM_KIND_COPY:
    case TOTEM_KIND_LOAD_REGISTERS:
    case TOTEM_KIND_DMA:
    case TOTEM_KIND_ATOMIC: totem_execute_copy(n, i); break;
    case TOTEM_KIND_BUFFER: execute_buffer(n, i); break;
    case TOTEM_KIND_LOAD: load_context(n, i); break;
    default:
        if (serves(n))
            n->phase = EXECUTE_SERVICE;
        else
            finish(n, n->counted);
        break;
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_packet: twin of rtl/packet/totem_packet.v, from docs/contract/packet.md.

#include "totem_packet.h"

#include "../queue/totem_load.h"
#include "../queue/totem_phases.h"
#include "totem_pm4.h"

enum { TOTEM_PACKET_PHASES(TOTEM_PHASE) };

enum {
    READ_ERROR   = TOTEM_ERROR_MEMORY_READ_SLVERR - 1,
    LONG_NOP     = 0x3fff,
    LAST_PLACE   = 7,
    COMPUTE      = 4,
    SH_REGISTERS = 0x400
};

#define LOW32 ((uint64_t)0xffffffffu)
#define ADDRESS_MASK ((uint64_t)0xffffffffffu)

static uint64_t with_low(uint64_t word, uint32_t low)
{
    return (word & ~LOW32) | low;
}

static uint64_t with_high(uint64_t word, uint32_t high)
{
    return (word & LOW32) | (uint64_t)high << 32;
}

// 16 bits at place 32 or 48.
static uint64_t with_half(uint64_t word, unsigned at, uint32_t half)
{
    return (word & ~((uint64_t)0xffff << at)) | (uint64_t)(half & 0xffff) << at;
}

static uint8_t opcode(const totem_packet *s)
{
    return s->header >> 8 & 0xff;
}

static bool control_bit(const totem_packet *s, unsigned bit)
{
    return (s->control >> bit & 1) != 0;
}

// Words of the messages.
static void messages(const totem_packet *s, totem_packet_out *o)
{
    const uint32_t low = (uint32_t)s->data;

    o->fence_valid = s->phase == RELEASE;
    if (s->step == 0)
        o->fence_word =
            (s->address & ~(uint64_t)3) | (uint64_t)(s->control >> 29) << 40 | (uint64_t)(s->control >> 24 & 7) << 43;
    else
        o->fence_word = s->step == 1 ? s->data : s->extra;

    o->write_valid = s->phase == WRITE;
    if (s->step == 0)
        o->write_word = (s->address & ~(uint64_t)7) | (uint64_t)((s->address & 4) != 0 ? 0xf0 : 0x0f) << 40 |
                        (uint64_t)s->queue << 48 | (uint64_t)s->dispatch_epoch << 51;
    else
        o->write_word = (uint64_t)low << 32 | low;

    const bool timer = opcode(s) == TOTEM_OP_WAIT_TIMER;
    o->wait_valid    = s->phase == GIVE;
    o->wait_timer    = timer;
    o->wait_last     = timer || s->step != 0;
    if (timer)
        o->wait_word = low;
    else if (s->step == 0)
        o->wait_word = s->address | (uint64_t)(s->control & 7) << 40 | (uint64_t)(s->extra & 0xffff) << 43;
    else
        o->wait_word = s->data;

    o->error_valid = s->phase == ERROR;
    o->error_word  = s->step == 0 ? s->address | (uint64_t)s->queue << 48 | (uint64_t)s->code << 56 : s->extra;
}

void totem_packet_outputs(const totem_packet *s, totem_packet_out *o)
{
    const bool head_good = s->dwords.count != 0 && (s->dwords.head >> 32 & 3) == 0;

    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->unfinished[q] = s->unfinished[q];
        o->halted[q]     = s->halted[q];
        o->wait_flush[q] = s->wait_flush[q];
        o->wait_epoch[q] = s->wait_epoch[q];
    }
    o->left            = s->phase == LEAVE;
    o->executed        = s->executed;
    o->executed_opcode = opcode(s);
    o->ignored         = s->ignored;

    o->dword_ready  = s->dwords.count < 2;
    o->commit       = s->commit;
    o->commit_count = s->length;
    o->open         = s->open;
    o->drop         = s->drop;
    o->open_addr    = s->address & ~(uint64_t)3;
    o->open_size    = s->control & 0xfffff;

    o->bank_write =
        (s->phase == SET && head_good && (s->control >> 7 & 7) == COMPUTE) || (s->phase == FIT && !s->resume);
    o->bank_offset = s->phase == SET ? s->control & 0x7f : 0;
    o->bank_data   = s->phase == SET
                         ? (uint32_t)s->dwords.head
                         : (s->control & 0x7fffffffu) | (opcode(s) == TOTEM_OP_DISPATCH_INDIRECT ? 1u << 31 : 0);
    o->bank_save   = s->bank_save;
    o->bank_forget = s->bank_forget;

    const bool body = s->phase == BODY;
    const bool dim  = head_good && opcode(s) == TOTEM_OP_DISPATCH_DIRECT && s->place >= 1 && s->place <= 3;
    o->divide_valid = (body && dim) || s->phase == DIM || s->phase == LEAVE;
    o->divide_place = body ? (uint8_t)((s->place + 3) & 3) : s->phase == DIM ? s->step : 0;
    o->divide_data  = body ? (uint32_t)s->dwords.head : s->extra;
    o->divide_start = s->phase == DIVIDE && s->step == 0;

    o->start               = s->phase == START;
    o->start_resume        = s->resume;
    o->start_fresh_at_zero = control_bit(s, 2);
    o->start_partial       = control_bit(s, 1);
    o->start_end           = s->data;
    o->stop                = s->phase == STOP;
    o->dispatch_waves      = s->waves & 0x7f;
    o->dispatch_threads    = s->dispatch_threads;
    o->dispatch_wave32     = control_bit(s, 15);
    o->dispatch_queue      = s->queue;
    o->dispatch_epoch      = s->dispatch_epoch;

    o->fence_close    = s->fence_close;
    o->fence_write    = s->fence_write;
    o->priority_write = s->priority_write;
    o->priority_queue = (uint8_t)((s->address >> 6) % TOTEM_QUEUES);
    o->priority_data  = s->data & 15;
    o->poll_valid     = s->phase == POLL;
    o->poll_addr      = s->address & ~(uint64_t)7;
    messages(s, o);
}

// -- what ends a packet ------------------------------------------------------------------------------------------

static void finish(totem_packet *n, bool ignored)
{
    n->commit         = true;
    n->executed       = true;
    n->ignored        = ignored;
    n->skip[n->queue] = false;
    n->phase          = HEADER;
}

static void fail(totem_packet *n, const totem_packet_in *i, unsigned code, uint32_t word)
{
    n->code           = (uint8_t)code;
    n->extra          = word;
    n->address        = i->fetch_position;
    n->step           = 0;
    n->phase          = ERROR;
    n->skip[n->queue] = false;
}

// Of a read whose address the packet has.
static void fail_read(totem_packet *n, const totem_packet *s, const totem_packet_in *i, unsigned error)
{
    fail(n, i, READ_ERROR + error, (uint32_t)s->address & ~3u);
    n->address = s->address & ~(uint64_t)3;
}

// Of a dword behind the header that could not be read.
static void fail_dword(totem_packet *n, const totem_packet_in *i, unsigned error)
{
    fail(n, i, READ_ERROR + error, (uint32_t)i->fetch_fault_position);
    n->address = i->fetch_fault_position;
}

static void pass_over(totem_packet *n)
{
    n->commit         = true;
    n->drop           = true;
    n->skip[n->queue] = false;
    n->phase          = HEADER;
}

static void give_up(totem_packet *n, bool *flag)
{
    *flag    = true;
    n->phase = LEAVE;
}

// -- rule 3, phase by phase --------------------------------------------------------------------------------------

// The size that the header gives is none of this packet's.
static bool bad_count(uint8_t op, uint32_t count)
{
    uint32_t least;
    uint32_t most;
    switch (op) {
    case TOTEM_OP_DISPATCH_DIRECT:
        least = TOTEM_COUNT_MIN_DISPATCH_DIRECT;
        most  = TOTEM_COUNT_MAX_DISPATCH_DIRECT;
        break;
    case TOTEM_OP_DISPATCH_INDIRECT:
        least = TOTEM_COUNT_MIN_DISPATCH_INDIRECT;
        most  = TOTEM_COUNT_MAX_DISPATCH_INDIRECT;
        break;
    case TOTEM_OP_COND_EXEC:
        least = TOTEM_COUNT_MIN_COND_EXEC;
        most  = TOTEM_COUNT_MAX_COND_EXEC;
        break;
    case TOTEM_OP_WRITE_DATA:
        least = TOTEM_COUNT_MIN_WRITE_DATA;
        most  = TOTEM_COUNT_MAX_WRITE_DATA;
        break;
    case TOTEM_OP_WAIT_REG_MEM:
        least = TOTEM_COUNT_MIN_WAIT_REG_MEM;
        most  = TOTEM_COUNT_MAX_WAIT_REG_MEM;
        break;
    case TOTEM_OP_INDIRECT_BUFFER:
        least = TOTEM_COUNT_MIN_INDIRECT_BUFFER;
        most  = TOTEM_COUNT_MAX_INDIRECT_BUFFER;
        break;
    case TOTEM_OP_EVENT_WRITE:
        least = TOTEM_COUNT_MIN_EVENT_WRITE;
        most  = TOTEM_COUNT_MAX_EVENT_WRITE;
        if (count == 1)
            return true; // between its two forms
        break;
    case TOTEM_OP_RELEASE_MEM:
        least = TOTEM_COUNT_MIN_RELEASE_MEM;
        most  = TOTEM_COUNT_MAX_RELEASE_MEM;
        break;
    case TOTEM_OP_ACQUIRE_MEM:
        least = TOTEM_COUNT_MIN_ACQUIRE_MEM;
        most  = TOTEM_COUNT_MAX_ACQUIRE_MEM;
        break;
    case TOTEM_OP_SET_SH_REG:
        least = TOTEM_COUNT_MIN_SET_SH_REG;
        most  = TOTEM_COUNT_MAX_SET_SH_REG;
        break;
    case TOTEM_OP_LAUNCH_TASK:
        least = TOTEM_COUNT_MIN_LAUNCH_TASK;
        most  = TOTEM_COUNT_MAX_LAUNCH_TASK;
        break;
    case TOTEM_OP_WAIT_TIMER:
        least = TOTEM_COUNT_MIN_WAIT_TIMER;
        most  = TOTEM_COUNT_MAX_WAIT_TIMER;
        break;
    default: return false;
    }
    return count < least || count > most;
}

static void take_header(totem_packet *n, const totem_packet *s)
{
    const uint32_t word  = (uint32_t)s->dwords.head;
    const uint32_t count = word >> 16 & 0x3fff;
    const bool     tiny  = (word >> 8 & 0xff) == TOTEM_OP_NOP && count == LONG_NOP;

    n->header = word;
    n->fault  = s->dwords.head >> 32 & 3;
    n->resume = false;
    n->length = word >> 30 == 3 && !tiny ? (uint16_t)(count + 2) : 1;
    n->phase  = CHECK;
}

static void check(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint8_t  op    = opcode(s);
    const uint32_t count = s->header >> 16 & 0x3fff;
    const uint32_t type  = s->header >> 30;

    if (i->arbiter_leave) {
        n->phase = LEAVE;
    } else if (s->fault != 0) {
        fail(n, i, READ_ERROR + s->fault, (uint32_t)i->fetch_position);
    } else if (type == 2) {
        n->counted = false;
        finish(n, false);
    } else if (type != 3 || !totem_op_known(op)) {
        if (s->skip[s->queue]) {
            n->length = 1; // where the next packet begins is not known
            pass_over(n);
        } else {
            fail(n, i, type != 3 ? TOTEM_ERROR_PACKET_HEADER_TYPE : TOTEM_ERROR_PACKET_OPCODE, s->header);
        }
    } else if (i->fetch_available < s->length) {
        fail(n, i, i->fetch_in_buffer ? TOTEM_ERROR_PACKET_COUNT_PAST_IB : TOTEM_ERROR_PACKET_COUNT_PAST_WPTR,
             s->header);
    } else if (s->skip[s->queue]) {
        pass_over(n);
    } else if (bad_count(op, count)) {
        fail(n, i, TOTEM_ERROR_PACKET_COUNT_FORM, s->header);
    } else if (op == TOTEM_OP_LAUNCH_TASK) {
        fail(n, i, TOTEM_ERROR_PACKET_FEATURE, s->header);
    } else if (op == TOTEM_OP_SET_SH_REG && !i->bank_loaded) {
        // registers of the queue are not in place yet
    } else if (s->length == 1) {
        finish(n, false);
    } else {
        n->rest    = (uint16_t)((s->length - 1) & 0x7fff);
        n->place   = 1;
        n->range   = false;
        n->counted = !totem_op_executed(op);
        n->phase   = BODY;
    }
}

// A body dword goes where its packet needs it.
static void keep(totem_packet *n, const totem_packet *s, uint32_t word)
{
    switch (opcode(s)) {
    case TOTEM_OP_DISPATCH_DIRECT:
        if (s->place == 1) {
            n->data = with_low(s->data, word);
        } else if (s->place == 2) {
            n->data = with_half(s->data, 32, word);
        } else if (s->place == 3) {
            n->data = with_half(s->data, 48, word);
        } else if (s->place >= 4) {
            n->control = word;
        }
        if ((s->place == 2 || (s->place == 3 && !s->range)) && word > 0xffff) {
            n->range = true;
            n->extra = word;
        }
        break;
    case TOTEM_OP_RELEASE_MEM:
        switch (s->place) {
        case 2: n->control = word; break;
        case 3: n->address = with_low(s->address, word); break;
        case 4: n->address = with_high(s->address, word & 0xff); break;
        case 5: n->data = with_low(s->data, word); break;
        case 6: n->data = with_high(s->data, word); break;
        case 7: n->extra = word; break;
        default: break;
        }
        break;
    case TOTEM_OP_WAIT_REG_MEM:
        switch (s->place) {
        case 1: n->control = word; break;
        case 2: n->address = with_low(s->address, word); break;
        case 3: n->address = with_high(s->address, word & 0xff); break;
        case 4: n->data = with_low(s->data, word); break;
        case 5: n->data = with_high(s->data, word); break;
        case 6: n->extra = word; break;
        default: break;
        }
        break;
    case TOTEM_OP_DISPATCH_INDIRECT:
    case TOTEM_OP_INDIRECT_BUFFER:
        switch (s->place) {
        case 1: n->address = with_low(s->address, word); break;
        case 2: n->address = with_high(s->address, word & 0xff); break;
        case 3: n->control = word; break;
        default: break;
        }
        break;
    case TOTEM_OP_COND_EXEC:
        switch (s->place) {
        case 1: n->address = with_low(s->address, word); break;
        case 2: n->address = with_high(s->address, word & 0xff); break;
        case 4: n->control = word; break;
        default: break;
        }
        break;
    case TOTEM_OP_WAIT_TIMER:
        if (s->place == 1)
            n->data = with_low(s->data, word);
        break;
    case TOTEM_OP_WRITE_DATA:
        switch (s->place) {
        case 1: n->control = word; break;
        case 2: n->address = with_low(s->address, word); break;
        case 3: n->address = with_high(s->address, word & 0xff); break;
        default:
            if (s->place >= 4)
                n->data = with_low(s->data, word);
            break;
        }
        break;
    case TOTEM_OP_EVENT_WRITE:
    case TOTEM_OP_SET_SH_REG:
        if (s->place == 1)
            n->control = word;
        break;
    default: break;
    }
}

// Offset and values of a SET_SH_REG: an offset beyond the last register is wrong even without a value.
static bool beyond_window(uint32_t offset, uint32_t values)
{
    return offset >= SH_REGISTERS || offset + values > SH_REGISTERS;
}

// No more dwords of a WRITE_DATA go to memory for a queue that is halted or has lost its mapping.
static bool may_not_write(const totem_packet *s, const totem_packet_in *i)
{
    if ((s->control >> 8 & 15) == TOTEM_WRITE_DST_REGISTER)
        return false;
    return s->halted[s->queue] || !i->arbiter_active[s->queue];
}

static void body(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint8_t  op    = opcode(s);
    const uint32_t word  = (uint32_t)s->dwords.head;
    const uint8_t  error = s->dwords.head >> 32 & 3;

    if (op == TOTEM_OP_WRITE_DATA && s->place >= 4 && may_not_write(s, i)) {
        n->phase = LEAVE;
        return;
    }
    if (s->dwords.count == 0)
        return;
    if (error != 0) {
        fail_dword(n, i, error);
        return;
    }
    n->rest = (uint16_t)((s->rest - 1) & 0x7fff);
    if (s->place != LAST_PLACE)
        n->place = (uint8_t)(s->place + 1);
    keep(n, s, word);

    if (op == TOTEM_OP_SET_SH_REG && s->place == 1 && (word >> 7 & 7) != COMPUTE)
        n->counted = true;

    const uint32_t target = word >> 8 & 0xf;
    if (op == TOTEM_OP_WRITE_DATA && s->place == 1 && target != TOTEM_WRITE_DST_MEMORY &&
        target != TOTEM_WRITE_DST_TC_L2 && target != TOTEM_WRITE_DST_REGISTER) {
        fail(n, i, TOTEM_ERROR_PACKET_WRITE_DESTINATION, word);
    } else if (op == TOTEM_OP_WRITE_DATA && s->place >= 4 && (s->control >> 8 & 15) == TOTEM_WRITE_DST_REGISTER) {
        n->step  = 0;
        n->phase = REGISTER;
    } else if (op == TOTEM_OP_WRITE_DATA && s->place >= 4) {
        n->step           = 0;
        n->fence_write    = true;
        n->dispatch_epoch = i->fence_epoch[s->queue];
        n->phase          = WRITE;
    } else if (op == TOTEM_OP_SET_SH_REG && s->place == 1 && beyond_window(word & 0xffff, s->rest - 1u)) {
        fail(n, i, TOTEM_ERROR_PACKET_SH_OFFSET, word);
    } else if (s->rest == 1) {
        n->phase = op == TOTEM_OP_DISPATCH_DIRECT ? GRID : EXECUTE;
    } else if (op == TOTEM_OP_SET_SH_REG) {
        n->phase = SET;
    }
}

static void set(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint8_t error = s->dwords.head >> 32 & 3;

    if (s->dwords.count == 0)
        return;
    if (error != 0) {
        fail_dword(n, i, error);
        return;
    }
    n->control = (s->control & ~0x3ffu) | ((s->control + 1) & 0x3ff);
    n->rest    = (uint16_t)((s->rest - 1) & 0x7fff);
    if ((s->control >> 7 & 7) != COMPUTE)
        n->counted = true;
    if (s->rest == 1)
        finish(n, n->counted);
}

static void grid(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const bool partial = control_bit(s, 1);

    // Dimensions of a resumed grid are groups already.
    const bool threads = control_bit(s, 5) && !s->resume;

    if (s->range && !threads) {
        fail(n, i, TOTEM_ERROR_PACKET_GRID_RANGE, s->extra);
    } else if (i->bank_loaded && !i->bank_busy) {
        if (i->bank_threads == 0) {
            fail(n, i, TOTEM_ERROR_PACKET_NUM_THREAD_ZERO, 0);
        } else if (partial && i->bank_partial == 0) {
            if (i->arbiter_leave)
                n->phase = LEAVE;
        } else if (partial && i->bank_partial == 2) {
            fail(n, i, TOTEM_ERROR_PACKET_NUM_THREAD_ZERO, 1);
        } else if (partial && i->bank_partial == 3) {
            fail(n, i, TOTEM_ERROR_PACKET_NUM_THREAD_PARTIAL, 0);
        } else {
            const unsigned shift = control_bit(s, 15) ? 5 : 6; // waves of 32 or 64
            const unsigned last  = i->bank_threads - 1u;
            n->waves             = (uint16_t)((last >> shift) + 1);
            n->dispatch_threads  = (uint8_t)((last & ((1u << shift) - 1)) + 1);
            n->phase             = FIT;
            if (threads) {
                n->step  = 0;
                n->phase = DIVIDE;
            }
        }
    }
}

static void divide(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint32_t x = i->divide_quotient[0], y = i->divide_quotient[1], z = i->divide_quotient[2];

    if (s->step == 0) {
        n->step = 1;
        return;
    }
    if (i->arbiter_leave && !s->patient[s->queue]) {
        n->patient[s->queue] = true;
        n->phase             = LEAVE;
        return;
    }
    if (i->divide_busy)
        return;
    n->patient[s->queue] = false;
    if (y > 0xffff)
        fail(n, i, TOTEM_ERROR_PACKET_GRID_RANGE, y);
    else if (z > 0xffff)
        fail(n, i, TOTEM_ERROR_PACKET_GRID_RANGE, z);
    else {
        n->data  = (uint64_t)z << 48 | (uint64_t)y << 32 | x;
        n->phase = FIT;
    }
}

// The condition goes to poll, the queue gives the pipe up.
static void give(totem_packet *n)
{
    n->step  = 0;
    n->phase = GIVE;
}

static void execute_wait(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint32_t space     = s->control >> 4 & 3;
    const uint32_t operation = s->control >> 6 & 3;
    const uint32_t function  = s->control & 7;
    const uint8_t  q         = s->queue;

    if (space == 0)
        finish(n, true);
    else if (space != 1)
        fail(n, i, TOTEM_ERROR_PACKET_WAIT_OPERATION, s->control);
    else if (operation == 1 || operation == 2)
        fail(n, i, TOTEM_ERROR_PACKET_WAIT_OPERATION, s->control);
    else if (function == 7)
        fail(n, i, TOTEM_ERROR_PACKET_WAIT_FUNCTION, s->control);
    else if (function == 0)
        finish(n, s->counted);
    else if (operation == 0)
        n->phase = POLL;
    else if (!i->poll_ended[q])
        give(n);
    else if (i->poll_error[q] != 0)
        fail_read(n, s, i, i->poll_error[q]);
    else
        finish(n, s->counted);
}

// A flush: the pipe is given up only for what the slot has in flight.
static void execute_flush(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint8_t q     = s->queue;
    const bool    empty = i->fence_settled[q] && i->fence_flushed[q];

    if (!s->closed[q]) {
        if (empty) {
            finish(n, s->counted);
            return;
        }
        if (!i->fence_room[q]) {
            give_up(n, &n->wait_epoch[q]);
            return;
        }
        n->closed[q]   = true;
        n->fence_close = true;
    }
    n->phase = FLUSH;
}

static void execute(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint8_t q = s->queue;

    switch (opcode(s)) {
    case TOTEM_OP_DISPATCH_INDIRECT:
    case TOTEM_OP_COND_EXEC:
        n->step  = 0;
        n->phase = POLL;
        break;
    case TOTEM_OP_WAIT_TIMER:
        if ((uint32_t)s->data == 0 || i->poll_ended[q])
            finish(n, s->counted);
        else
            give(n);
        break;
    case TOTEM_OP_RELEASE_MEM:
        if (s->control >> 29 > 4) {
            fail(n, i, TOTEM_ERROR_PACKET_RELEASE_DATA_SEL, s->control);
        } else if ((s->control >> 24 & 7) > 3) {
            fail(n, i, TOTEM_ERROR_PACKET_RELEASE_INT_SEL, s->control);
        } else if ((s->control >> 16 & 3) > 1) {
            fail(n, i, TOTEM_ERROR_PACKET_RELEASE_DESTINATION, s->control);
        } else if (!i->fence_room[q]) {
            give_up(n, &n->wait_epoch[q]);
        } else {
            n->dispatch_epoch = i->fence_epoch[q];
            n->step           = 0;
            n->phase          = RELEASE;
        }
        break;
    case TOTEM_OP_EVENT_WRITE:
        if ((s->control & 0x3f) == TOTEM_EVENT_CS_PARTIAL_FLUSH)
            execute_flush(n, s, i);
        else
            finish(n, s->counted);
        break;
    case TOTEM_OP_WAIT_REG_MEM: execute_wait(n, s, i); break;
    case TOTEM_OP_INDIRECT_BUFFER:
        if ((s->control & 0xfffff) == 0) {
            fail(n, i, TOTEM_ERROR_PACKET_IB_SIZE_ZERO, s->control);
        } else if (i->fetch_in_buffer && !control_bit(s, 20)) {
            fail(n, i, TOTEM_ERROR_PACKET_IB_NESTED, s->header);
        } else {
            n->open = true;
            n->drop = true;
            finish(n, s->counted);
        }
        break;
    default: finish(n, s->counted); break;
    }
}

static void fit(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
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
        n->phase          = START;
    }
}

// RUN and STOP: the dispatch ends, or gives the pipe up with its rest.
static void run(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    if (s->phase == STOP && !i->walker_stopped)
        return;
    if (!i->walker_busy) {
        n->drop = s->resume;
        finish(n, s->counted);
    } else if (s->phase == STOP) {
        if (i->arbiter_active[s->queue]) {
            n->bank_save            = true;
            n->unfinished[s->queue] = true;
        }
        n->phase = LEAVE;
    } else if (i->arbiter_leave) {
        n->phase = STOP;
    }
}

static bool condition(const totem_packet *s, uint32_t read)
{
    const uint32_t value     = read & (uint32_t)(s->data >> 32);
    const uint32_t reference = (uint32_t)s->data;

    switch (s->control & 7) {
    case 1: return value < reference;
    case 2: return value <= reference;
    case 3: return value == reference;
    case 4: return value != reference;
    case 5: return value >= reference;
    case 6: return value > reference;
    default: return true;
    }
}

static void answer(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint32_t read = (uint32_t)((s->address & 4) != 0 ? i->data_word >> 32 : i->data_word);
    const uint16_t leap = (uint16_t)((s->length + (s->control & 0x3fff)) & 0x7fff);
    const uint8_t  op   = opcode(s);

    if (!i->poll_data_valid || !i->poll_packet_answer)
        return;
    if (i->data_error != 0) {
        fail_read(n, s, i, i->data_error);
    } else if (op == TOTEM_OP_DISPATCH_INDIRECT) {
        n->extra = read;
        n->phase = DIM;
    } else if (op == TOTEM_OP_COND_EXEC && read == 0) {
        if (leap > i->fetch_available) {
            fail(n, i, TOTEM_ERROR_PACKET_COND_SKIP, s->control);
        } else {
            n->length = leap;
            n->drop   = true;
            finish(n, s->counted);
        }
    } else if (op == TOTEM_OP_COND_EXEC || condition(s, read)) {
        finish(n, s->counted);
    } else {
        n->executed = true;
        n->phase    = RETRY;
    }
}

// A dimension of a DISPATCH_INDIRECT.
static void dimension(totem_packet *n, const totem_packet *s)
{
    n->data        = s->step == 0 ? with_low(s->data, s->extra) : with_half(s->data, s->step == 1 ? 32 : 48, s->extra);
    const bool far = s->step != 0 && s->extra > 0xffff && !control_bit(s, 5);
    n->range       = far || s->range;
    if (s->step >= 2 || far) {
        n->phase = GRID;
    } else {
        n->step    = (uint8_t)(s->step + 1);
        n->address = (s->address + 4) & ADDRESS_MASK;
        n->phase   = POLL;
    }
}

// WRITE_DATA to a queue priority of the pipe.
static void write_register(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint32_t to    = (uint32_t)s->address;
    const uint32_t value = (uint32_t)s->data;
    const uint32_t pipe  = TOTEM_PIPES == 2 ? i->fe_number * 2u + i->pipe_number : i->fe_number;
    const uint32_t first = 0x4006 + 0x400 * pipe; // queue 0
    const uint32_t slot  = (to - first) >> 6;

    if (s->step != 0) {
        if (!control_bit(s, 16))
            n->address = (s->address + 1) & ADDRESS_MASK;
        if (s->rest == 0)
            finish(n, s->counted);
        else
            n->phase = BODY;
    } else if (to < first || (to - first) % 0x40 != 0 || slot >= TOTEM_QUEUES) {
        fail(n, i, TOTEM_ERROR_PACKET_WRITE_REGISTER, to);
    } else if (slot != s->queue && !s->privileged[s->queue] && !i->settings_priority_write_open) {
        fail(n, i, TOTEM_ERROR_PACKET_PRIORITY_FOREIGN, to);
    } else if (value > 15) {
        fail(n, i, TOTEM_ERROR_PACKET_PRIORITY_VALUE, value);
    } else {
        n->priority_write = true;
        n->step           = 1;
    }
}

// Phases that wait for a neighbour or pass by.
static void wait(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint8_t q = s->queue;

    switch (s->phase) {
    case FLUSH:
        if (s->fence_close)
            break; // the fence has not seen it yet
        if (i->fence_flushed[q]) {
            n->closed[q] = false;
            finish(n, s->counted);
        } else {
            give_up(n, &n->wait_flush[q]);
        }
        break;
    case RELEASE:
        if (i->fence_ready) {
            n->step = (s->step + 1) & 3;
            if (s->step >= 2)
                n->phase = CLOSED;
        }
        break;
    case CLOSED:
        if (i->fence_epoch[q] != s->dispatch_epoch)
            finish(n, s->counted);
        break;
    case WRITE:
        if (!i->write_ready)
            break;
        if (s->step == 0) {
            n->step = 1;
            break;
        }
        if (!control_bit(s, 16))
            n->address = (s->address + 4) & ADDRESS_MASK;
        if (s->rest == 0)
            finish(n, s->counted);
        else
            n->phase = BODY;
        break;
    case POLL:
        if (i->poll_read_ready)
            n->phase = ANSWER;
        break;
    case RETRY:
        if (!s->executed)
            n->phase = i->arbiter_leave ? LEAVE : POLL;
        break;
    case ERROR:
        if (!i->events_error_ready)
            break;
        if (s->step == 0) {
            n->step = 1;
        } else {
            n->halted[q] = true;
            n->phase     = LEAVE;
        }
        break;
    default: break;
    }
}

static void begin(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    switch (s->phase) {
    case IDLE:
        if (i->arbiter_go) {
            const uint8_t q  = i->arbiter_selected;
            n->queue         = q;
            n->wait_flush[q] = false;
            n->wait_epoch[q] = false;
            n->phase         = s->unfinished[q] ? RESUME : HEADER;
        }
        break;
    case RESUME:
        if (i->arbiter_leave) {
            n->phase = LEAVE;
        } else if (i->bank_loaded && !i->bank_busy) {
            const bool     indirect = i->bank_initiator >> 31 != 0;
            const uint32_t header   = indirect ? 0xc0021600u : 0xc0031500u;
            const uint16_t length   = indirect ? 4 : 5;
            if (i->fetch_available < length) {
                fail(n, i, i->fetch_in_buffer ? TOTEM_ERROR_PACKET_COUNT_PAST_IB : TOTEM_ERROR_PACKET_COUNT_PAST_WPTR,
                     header);
                break;
            }
            n->header = header;
            n->length = length;
            if (s->skip[s->queue]) { // the grid goes with its packet, of which nothing else is looked at
                n->resume               = false;
                n->bank_forget          = true;
                n->unfinished[s->queue] = false;
                pass_over(n);
                break;
            }
            n->control = i->bank_initiator;
            n->range   = false;
            n->counted = false;
            n->resume  = true;
            n->phase   = GRID;
        }
        break;
    default: // HEADER
        if (i->arbiter_leave)
            n->phase = LEAVE;
        else if (s->dwords.count != 0 && !s->drop)
            take_header(n, s);
        break;
    }
}

// Rule 2.
static void inbox(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const totem_inbox_in in = {
        .in_valid = i->fetch_dword_valid,
        .in_data  = (uint64_t)i->fetch_dword_error << 32 | i->fetch_dword_data,
        .out_take = (s->phase == HEADER && !i->arbiter_leave && !s->drop) || s->phase == BODY || s->phase == SET,
    };
    totem_inbox_step(&n->dwords, &in);
    if (s->phase == LEAVE || s->drop)
        n->dwords.count = 0;
}

// Rule 5.
static void load(totem_packet *n, const totem_packet *s, const totem_packet_in *i)
{
    const uint8_t q     = i->load_queue;
    const bool    fails = (i->fence_halt && i->fence_halt_queue == q) || (i->poll_halt && i->poll_halt_queue == q) ||
                       (i->fetch_halt && i->fetch_halt_queue == q);

    switch (i->load_kind) {
    case LOAD_ACTIVE:
        n->unfinished[q] = (i->load_data & 5) == 5;
        n->wait_flush[q] = false;
        n->wait_epoch[q] = false;
        n->closed[q]     = false;
        n->skip[q]       = false;
        n->patient[q]    = false;
        if ((i->load_data & 1) != 0)
            n->halted[q] = false;
        break;
    case LOAD_PQ_CONTROL: n->privileged[q] = (i->load_data >> 30 & 1) != 0; break;
    case LOAD_SKIP: // what is left of a grid goes with its packet, not before
        n->halted[q] = fails;
        n->closed[q] = false;
        n->skip[q]   = true;
        break;
    case LOAD_RESUME: // the flush may stand there no longer
        n->halted[q] = fails;
        n->closed[q] = false;
        n->skip[q]   = false;
        break;
    case LOAD_MOVED: // by mqd, at a switch through memory
        if ((i->load_data & 5) == 1)
            n->unfinished[q] = false;
        else if ((i->load_data & 1) != 0)
            n->unfinished[q] = s->unfinished[q];
        if ((i->load_data >> 3 & 1) != 0)
            n->halted[q] = true;
        break;
    default: break;
    }
}

void totem_packet_step(totem_packet *s, const totem_packet_in *i)
{
    totem_packet n = *s; // what follows the clock edge; s stays as it was before

    n.commit         = false;
    n.drop           = false;
    n.open           = false;
    n.executed       = false;
    n.ignored        = false;
    n.bank_save      = false;
    n.bank_forget    = false;
    n.fence_close    = false;
    n.fence_write    = false;
    n.priority_write = false;

    inbox(&n, s, i);
    switch (s->phase) {
    case IDLE:
    case RESUME:
    case HEADER: begin(&n, s, i); break;
    case CHECK: check(&n, s, i); break;
    case BODY: body(&n, s, i); break;
    case SET: set(&n, s, i); break;
    case EXECUTE: execute(&n, s, i); break;
    case GRID: grid(&n, s, i); break;
    case DIVIDE: divide(&n, s, i); break;
    case DIM: dimension(&n, s); break;
    case REGISTER: write_register(&n, s, i); break;
    case GIVE:
        if (s->step != 0 || opcode(s) == TOTEM_OP_WAIT_TIMER)
            n.phase = LEAVE;
        else
            n.step = 1;
        break;
    case FIT: fit(&n, s, i); break;
    case START:
        if (s->resume)
            n.unfinished[s->queue] = false;
        n.phase = RUN;
        break;
    case RUN:
    case STOP: run(&n, s, i); break;
    case ANSWER: answer(&n, s, i); break;
    case LEAVE: n.phase = IDLE; break;
    default: wait(&n, s, i); break;
    }

    if (i->fence_halt)
        n.halted[i->fence_halt_queue] = true;
    if (i->poll_halt)
        n.halted[i->poll_halt_queue] = true;
    if (i->fetch_halt)
        n.halted[i->fetch_halt_queue] = true;
    if (i->load_valid)
        load(&n, s, i);

    *s = n;
}

// The inbox holds at most two dwords; a body dword is still to come in BODY and SET.
bool totem_packet_invariant(const totem_packet *s)
{
    const bool body = s->phase == BODY || s->phase == SET;

    return s->dwords.count <= 2 && (!body || s->rest >= 1);
}

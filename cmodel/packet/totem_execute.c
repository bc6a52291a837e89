// SPDX-License-Identifier: Apache-2.0
//
// totem_execute: twin of rtl/packet/totem_execute.v, from docs/contract/execute.md.

#include "totem_execute.h"

#include "../queue/totem_hqd_values.h"
#include "totem_pm4.h"

enum { READ_ERROR = TOTEM_ERROR_MEMORY_READ_SLVERR - 1, COMPUTE = 4 };

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

static bool control_bit(const totem_execute *s, unsigned bit)
{
    return (s->control >> bit & 1) != 0;
}

// A wait for a register of the pipe's window.
static bool for_register(const totem_execute *s)
{
    return s->kind == TOTEM_KIND_WAIT && (s->control >> 4 & 3) == 0;
}

// Where `poll` reads: a register at its byte address of the host port.
static uint64_t read_address(const totem_execute *s)
{
    return for_register(s) ? (s->address & LOW32) << 2 : s->address;
}

// A packet that the server executes.
static bool serves(const totem_execute *s)
{
    return s->kind >= TOTEM_KIND_MODIFY;
}

// Dimensions of a resumed grid are groups already.
static bool in_threads(const totem_execute *s)
{
    return control_bit(s, 5) && !s->resume;
}

// Words of the messages.
static void messages(const totem_execute *s, totem_execute_out *o)
{
    const uint32_t low = (uint32_t)s->data;

    o->fence_valid = s->phase == EXECUTE_RELEASE;
    if (s->step == 0)
        o->fence_word = (s->address & ~(uint64_t)3) | (uint64_t)(s->control >> 29) << 40 |
                        (uint64_t)(s->control >> 24 & 7) << 43 | (uint64_t)(s->kind == TOTEM_KIND_TASK) << 46;
    else
        o->fence_word = s->step == 1 ? s->data : s->extra;

    o->write_valid = s->phase == EXECUTE_WRITE;
    if (s->step == 0)
        o->write_word = (s->address & ~(uint64_t)7) | (uint64_t)((s->address & 4) != 0 ? 0xf0 : 0x0f) << 40 |
                        (uint64_t)s->queue << 48 | (uint64_t)s->dispatch_epoch << 51;
    else
        o->write_word = (uint64_t)low << 32 | low;

    const bool timer = s->kind == TOTEM_KIND_TIMER;
    o->wait_valid    = s->phase == EXECUTE_GIVE;
    o->wait_timer    = timer;
    o->wait_last     = timer || s->step != 0;
    if (timer)
        o->wait_word = low;
    else if (s->step == 0)
        o->wait_word = read_address(s) | (uint64_t)(s->control & 7) << 40 | (uint64_t)(s->extra & 0xffff) << 43 |
                       (uint64_t)for_register(s) << 59;
    else
        o->wait_word = s->data;

    o->error_valid = s->phase == EXECUTE_ERROR;
    o->error_word  = s->step == 0 ? s->address | (uint64_t)s->queue << 48 | (uint64_t)s->code << 56 : s->extra;
}

void totem_execute_outputs(const totem_execute *s, totem_execute_out *o)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->unfinished[q] = s->unfinished[q];
        o->halted[q]     = s->halted[q];
        o->wait_flush[q] = s->wait_flush[q];
        o->wait_epoch[q] = s->wait_epoch[q];
        o->wait_entry[q] = s->wait_entry[q];
    }
    o->ready           = s->phase == EXECUTE_READY && s->room;
    o->skip            = s->skip[s->queue] && s->group == 0;
    o->group           = s->group;
    o->deferred        = s->deferred;
    o->left            = s->phase == EXECUTE_LEAVE;
    o->executed        = s->executed;
    o->executed_opcode = s->opcode;
    o->vain            = s->phase == EXECUTE_RETRY || s->phase == EXECUTE_GIVE;
    o->ignored         = s->ignored;

    o->commit       = s->commit;
    o->commit_count = s->length;
    o->open         = s->open;
    o->drop         = s->drop;
    o->open_addr    = s->address & ~(uint64_t)3;
    o->open_size    = s->control & 0xfffff;

    const bool initiator = s->phase == EXECUTE_FIT;
    o->bank_write        = s->set || (initiator && !s->resume);
    o->bank_offset       = initiator ? 0 : s->address & 0x7f;
    o->bank_data         = (uint32_t)s->data;
    if (initiator)
        o->bank_data = (s->control & 0x7fffffffu) | (s->kind == TOTEM_KIND_DISPATCH_INDIRECT ? 1u << 31 : 0);
    o->bank_save   = s->bank_save;
    o->bank_forget = s->bank_forget;

    o->divide_valid = s->phase == EXECUTE_PARTS || s->phase == EXECUTE_LEAVE;
    o->divide_place = s->phase == EXECUTE_PARTS ? s->step : 0;
    switch (o->divide_place) {
    case 0: o->divide_data = (uint32_t)s->data; break;
    case 1: o->divide_data = (uint32_t)(s->data >> 32); break;
    default: o->divide_data = s->extra; break;
    }
    o->divide_start = s->phase == EXECUTE_DIVIDE && s->step == 0;

    o->start               = s->phase == EXECUTE_START;
    o->start_resume        = s->resume;
    o->start_fresh_at_zero = control_bit(s, 2);
    o->start_partial       = control_bit(s, 1);
    o->start_end           = s->data;
    o->stop                = s->phase == EXECUTE_STOP;
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
    o->poll_valid     = s->phase == EXECUTE_POLL;
    o->poll_register  = for_register(s);
    o->poll_addr      = for_register(s) ? read_address(s) : s->address & ~(uint64_t)7;
    messages(s, o);

    const bool asks =
        s->phase == EXECUTE_SERVICE || ((s->phase == EXECUTE_POLL || s->phase == EXECUTE_ANSWER) && serves(s));

    o->service_valid        = s->flow || asks;
    o->service_kind         = s->kind;
    o->service_last         = s->last;
    o->service_control      = s->control;
    o->service_address      = s->address;
    o->service_data         = s->data;
    o->service_extra        = s->extra;
    o->service_stop         = s->service_stop;
    o->service_read_done    = s->service_read_done;
    o->service_read_data    = s->extra;
    o->service_resume       = s->service_resume;
    o->service_resume_plain = s->service_resume_plain;
    o->service_group_end    = s->service_group_end;
}

// -- what ends a packet ------------------------------------------------------------------------------------------

static void finish(totem_execute *n, bool ignored)
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
static void vanish(totem_execute *n)
{
    n->phase = EXECUTE_READY;
    if (n->last)
        finish(n, true);
}

static void fail(totem_execute *n, const totem_execute_in *i, unsigned code, uint32_t word)
{
    n->code           = (uint8_t)code;
    n->extra          = word;
    n->address        = i->fetch_position;
    n->step           = 0;
    n->phase          = EXECUTE_ERROR;
    n->skip[n->queue] = false;
}

// Of a read whose address the packet has.
static void fail_read(totem_execute *n, const totem_execute_in *i, unsigned error)
{
    const uint64_t address = n->address & ~(uint64_t)3;

    fail(n, i, READ_ERROR + error, (uint32_t)address);
    n->address = address;
}

// Of a dword that could not be read.
static void fail_dword(totem_execute *n, const totem_execute_in *i)
{
    fail(n, i, i->decode_code, (uint32_t)i->fetch_fault_position);
    n->address = i->fetch_fault_position;
}

static void pass_over(totem_execute *n)
{
    n->commit         = true;
    n->drop           = true;
    n->skip[n->queue] = false;
    n->phase          = EXECUTE_READY;
}

static void give_up(totem_execute *n, bool *flag)
{
    *flag    = true;
    n->phase = EXECUTE_LEAVE;
}

// -- rule 3, phase by phase --------------------------------------------------------------------------------------

// Behind a word that has just been taken, and in GRID: n has the operands.
static void grid(totem_execute *n, const totem_execute_in *i)
{
    const bool partial = control_bit(n, 1);

    n->phase = EXECUTE_GRID;
    if (!i->bank_loaded || i->bank_busy)
        return;
    if (!i->service_still) {
        if (i->arbiter_leave)
            n->phase = EXECUTE_LEAVE;
    } else if (i->bank_threads == 0) {
        fail(n, i, TOTEM_ERROR_PACKET_NUM_THREAD_ZERO, 0);
    } else if (partial && i->bank_partial == 0) {
        if (i->arbiter_leave)
            n->phase = EXECUTE_LEAVE;
    } else if (partial && i->bank_partial == 2) {
        fail(n, i, TOTEM_ERROR_PACKET_NUM_THREAD_ZERO, 1);
    } else if (partial && i->bank_partial == 3) {
        fail(n, i, TOTEM_ERROR_PACKET_NUM_THREAD_PARTIAL, 0);
    } else {
        const unsigned shift = control_bit(n, 15) ? 5 : 6; // waves of 32 or 64
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

// Rule Dimensions; false if they are an error.
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
    n->patient[s->queue] = false;
    if (y > 0xffff)
        fail(n, i, TOTEM_ERROR_PACKET_GRID_RANGE, y);
    else if (z > 0xffff)
        fail(n, i, TOTEM_ERROR_PACKET_GRID_RANGE, z);
    else {
        n->data  = (uint64_t)z << 48 | (uint64_t)y << 32 | x;
        n->phase = EXECUTE_FIT;
    }
}

// The condition goes to poll, the queue gives the pipe up.
static void give(totem_execute *n)
{
    n->step  = 0;
    n->phase = EXECUTE_GIVE;
}

// Dword addresses of the host port: the windows of the pipe's queues begin here.
static uint32_t windows(const totem_execute_in *i)
{
    const uint32_t compute = TOTEM_PIPES == 2 ? i->fe_number * 2u + (i->pipe_number & 1u) : i->fe_number;
    return 0x4000 + 0x400 * (i->graphics ? 8u + i->fe_number : compute);
}

static bool own_window(const totem_execute *n, const totem_execute_in *i)
{
    const uint32_t place = (uint32_t)n->address;
    return place >= windows(i) && place - windows(i) < 0x40 * TOTEM_QUEUES;
}

static void execute_wait(totem_execute *n, const totem_execute_in *i)
{
    const uint32_t operation = n->control >> 6 & 3;
    const uint32_t function  = n->control & 7;
    const uint8_t  q         = n->queue;

    if (for_register(n) && !(own_window(n, i) && (operation == 0 || operation == 3)))
        finish(n, true);
    else if (function == 0)
        finish(n, n->counted);
    else if (operation == 0)
        n->phase = EXECUTE_POLL;
    else if (!i->poll_ended[q])
        give(n);
    else if (i->poll_error[q] != 0)
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

static void execute_release(totem_execute *n, const totem_execute_in *i)
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
    if (i->fetch_in_buffer && !control_bit(n, 20)) {
        fail(n, i, TOTEM_ERROR_PACKET_IB_NESTED, i->decode_header);
        return;
    }
    n->open = true;
    n->drop = true;
    finish(n, n->counted);
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

static bool is_stream(uint8_t kind)
{
    return kind == TOTEM_KIND_REGISTERS || kind == TOTEM_KIND_WRITE || kind == TOTEM_KIND_CONTEXT ||
           kind == TOTEM_KIND_SHADER || kind == TOTEM_KIND_USER;
}

// A dword of a stream.
static void stream(totem_execute *n, const totem_execute_in *i)
{
    const uint32_t destination = n->control >> 8 & 15;

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

// The word that n has taken.
static void execute(totem_execute *n, const totem_execute_in *i)
{
    if (i->decode_unread) {
        fail_dword(n, i);
        return;
    }
    if (i->decode_code != 0) {
        fail(n, i, i->decode_code, n->control);
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
        if (dimensions(n, i))
            grid(n, i);
        break;
    case TOTEM_KIND_DISPATCH_INDIRECT:
    case TOTEM_KIND_COND_EXEC:
        n->step  = 0;
        n->phase = EXECUTE_POLL;
        break;
    case TOTEM_KIND_TIMER:
        if ((uint32_t)n->data == 0 || i->poll_ended[n->queue])
            finish(n, n->counted);
        else
            give(n);
        break;
    case TOTEM_KIND_RELEASE: execute_release(n, i); break;
    case TOTEM_KIND_EVENT:
        if (is_flush(n->control & 0x3f, i->graphics))
            execute_flush(n, i);
        else
            finish(n, n->counted);
        break;
    case TOTEM_KIND_WAIT: execute_wait(n, i); break;
    case TOTEM_KIND_BUFFER: execute_buffer(n, i); break;
    default:
        if (serves(n))
            n->phase = EXECUTE_SERVICE;
        else
            finish(n, n->counted);
        break;
    }
}

// No more dwords of a WRITE_DATA go to memory for a queue that is halted or has lost its mapping.
static bool is_cut(const totem_execute *s, const totem_execute_in *i)
{
    const bool writes = i->decode_stream && i->decode_kind == TOTEM_KIND_WRITE;

    return writes && (i->decode_control >> 8 & 15) != TOTEM_WRITE_DST_REGISTER &&
           (s->halted[s->queue] || !i->arbiter_active[s->queue]);
}

// Rule 2.
static bool take(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (!s->room || !i->decode_valid)
        return false;
    n->kind    = i->decode_kind;
    n->opcode  = i->decode_header >> 8 & 0xff;
    n->length  = i->decode_length;
    n->last    = i->decode_last;
    n->control = i->decode_control;
    n->address = i->decode_address;
    n->data    = i->decode_data;
    n->extra   = i->decode_extra;
    n->counted = i->decode_counted;
    n->resume  = false;
    return true;
}

// A task is asked of the server like a packet without dwords.
static void begin_task(totem_execute *n)
{
    n->kind    = TOTEM_KIND_TASK;
    n->opcode  = 0;
    n->length  = 0;
    n->control = 0;
    n->counted = false;
    n->resume  = false;
    n->phase   = EXECUTE_TASK;
}

// Rule 3 of READY.
static void ready(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (i->arbiter_leave && i->decode_boundary) {
        n->phase = EXECUTE_LEAVE;
        return;
    }
    const bool taken = take(n, s, i);
    if (is_cut(s, i))
        n->phase = EXECUTE_LEAVE;
    else if (i->runner_due[s->queue] && i->decode_boundary && s->group == 0)
        begin_task(n);
    else if (taken)
        execute(n, i);
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

// RUN and STOP: the dispatch ends, or gives the pipe up with its rest.
static void run(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (s->phase == EXECUTE_STOP && !i->walker_stopped)
        return;
    if (!i->walker_busy) {
        n->drop = s->resume;
        finish(n, s->counted);
    } else if (s->phase == EXECUTE_STOP) {
        if (i->arbiter_active[s->queue]) {
            n->bank_save            = true;
            n->unfinished[s->queue] = true;
        }
        n->phase = EXECUTE_LEAVE;
    } else if (i->arbiter_leave) {
        n->phase = EXECUTE_STOP;
    }
}

static bool condition(const totem_execute *s, uint32_t read)
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

static void answer(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const bool     window = for_register(s);
    const uint32_t half   = (uint32_t)((s->address & 4) != 0 ? i->data_word >> 32 : i->data_word);
    const uint32_t read   = window ? i->hqd_poll_rdata : half;
    const uint16_t leap   = (uint16_t)((s->length + (s->control & 0x3fff)) & 0x7fff);

    if (!i->poll_packet_answer || !(window ? i->hqd_poll_done : i->poll_data_valid))
        return;
    if (!window && i->data_error != 0) {
        fail_read(n, i, i->data_error);
    } else if (s->kind == TOTEM_KIND_DISPATCH_INDIRECT) {
        n->extra = read;
        n->phase = EXECUTE_DIM;
    } else if (serves(s)) {
        n->extra             = read;
        n->service_read_done = true;
        n->phase             = EXECUTE_SERVICE;
    } else if (s->kind == TOTEM_KIND_COND_EXEC && read == 0) {
        if (leap > i->fetch_available) {
            fail(n, i, TOTEM_ERROR_PACKET_COND_SKIP, s->control);
        } else {
            n->length = leap;
            n->drop   = true;
            finish(n, s->counted);
        }
    } else if (s->kind == TOTEM_KIND_COND_EXEC || condition(s, read)) {
        finish(n, s->counted);
    } else {
        n->executed = true;
        if ((s->control >> 6 & 3) == 0)
            n->phase = EXECUTE_RETRY;
        else
            give(n);
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

// The server's answer, or what it wants to read.
static void service(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const uint16_t beyond = i->service_group != 0 ? i->service_group : i->service_skip;
    const uint16_t end    = (s->length + beyond) & 0x7fff;

    if (!i->service_done) {
        if (i->service_read && !s->service_read_done) {
            n->address = i->service_read_addr;
            n->phase   = EXECUTE_POLL;
        }
        return;
    }
    if (i->service_code != 0) {
        fail(n, i, i->service_code, i->service_word);
    } else if (i->service_again) {
        n->phase = EXECUTE_LEAVE;
        if (s->kind == TOTEM_KIND_LAUNCH)
            n->wait_entry[s->queue] = true;
    } else if (s->kind == TOTEM_KIND_TASK) {
        n->address = (uint64_t)i->service_word << 2; // its end names the entry
        n->step    = 0;
        n->phase   = EXECUTE_RELEASE;
    } else if (beyond != 0 && end > i->fetch_available) {
        n->service_resume = true;
        fail(n, i, TOTEM_ERROR_PACKET_BOUNCE_COUNT, s->control);
    } else if (i->service_group != 0) {
        n->group    = i->service_group;
        n->deferred = s->length;
        n->executed = true;
        n->phase    = EXECUTE_READY;
    } else {
        if (beyond != 0) {
            n->length = end;
            n->drop   = true;
        }
        finish(n, s->counted);
    }
}

// WRITE_DATA to a queue priority of the pipe.
static void write_register(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const uint32_t to    = (uint32_t)s->address;
    const uint32_t value = (uint32_t)s->data;
    const uint32_t first = windows(i) + 6; // queue 0
    const uint32_t slot  = (to - first) >> 6;

    if (s->step != 0) {
        if (s->last)
            finish(n, s->counted);
        else
            n->phase = EXECUTE_READY;
    } else if (to < first || (to - first) % 0x40 != 0 || slot >= TOTEM_QUEUES) {
        if (i->graphics)
            vanish(n);
        else
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
static void wait(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const uint8_t q = s->queue;

    switch (s->phase) {
    case EXECUTE_FLUSH:
        if (s->fence_close)
            break; // the fence has not seen it yet
        if (i->fence_flushed[q]) {
            n->closed[q] = false;
            finish(n, s->counted);
        } else {
            give_up(n, &n->wait_flush[q]);
        }
        break;
    case EXECUTE_RELEASE:
        if (i->fence_packet_ready) {
            n->step = (s->step + 1) & 3;
            if (s->step >= 2)
                n->phase = EXECUTE_CLOSED;
        }
        break;
    case EXECUTE_CLOSED:
        if (i->fence_epoch[q] == s->dispatch_epoch)
            break;
        if (s->kind == TOTEM_KIND_TASK) {
            n->executed = true;
            n->phase    = EXECUTE_READY;
        } else {
            finish(n, s->counted);
        }
        break;
    case EXECUTE_TASK:
        if (!i->fence_room[q]) {
            give_up(n, &n->wait_epoch[q]);
        } else {
            n->dispatch_epoch = i->fence_epoch[q];
            n->phase          = EXECUTE_SERVICE;
        }
        break;
    case EXECUTE_WRITE:
        if (!i->write_ready)
            break;
        if (s->step == 0) {
            n->step = 1;
            break;
        }
        if (s->last)
            finish(n, s->counted);
        else
            n->phase = EXECUTE_READY;
        break;
    case EXECUTE_POLL:
        if (i->poll_packet_read_ready)
            n->phase = EXECUTE_ANSWER;
        break;
    case EXECUTE_RETRY:
        if (!s->executed)
            n->phase = i->arbiter_leave || i->runner_due[q] ? EXECUTE_LEAVE : EXECUTE_POLL;
        break;
    case EXECUTE_ERROR:
        if (!i->events_packet_error_ready)
            break;
        if (s->step == 0) {
            n->step = 1;
        } else {
            n->halted[q] = true;
            n->phase     = EXECUTE_LEAVE;
        }
        break;
    default: break;
    }
}

static void begin(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    switch (s->phase) {
    case EXECUTE_IDLE:
        if (i->arbiter_go) {
            const uint8_t q  = i->arbiter_selected;
            n->queue         = q;
            n->wait_flush[q] = false;
            n->wait_epoch[q] = false;
            n->wait_entry[q] = false;
            n->phase         = s->unfinished[q] ? EXECUTE_RESUME : EXECUTE_READY;
        }
        break;
    default: // RESUME
        if (i->arbiter_leave) {
            n->phase = EXECUTE_LEAVE;
        } else if (i->bank_loaded && !i->bank_busy) {
            const bool     indirect = i->bank_initiator >> 31 != 0;
            const uint32_t header   = indirect ? 0xc0021600u : 0xc0031500u;
            const uint16_t length   = indirect ? 4 : 5;
            if (i->fetch_available < length) {
                fail(n, i, i->fetch_in_buffer ? TOTEM_ERROR_PACKET_COUNT_PAST_IB : TOTEM_ERROR_PACKET_COUNT_PAST_WPTR,
                     header);
                break;
            }
            n->kind   = indirect ? TOTEM_KIND_DISPATCH_INDIRECT : TOTEM_KIND_DISPATCH;
            n->opcode = indirect ? TOTEM_OP_DISPATCH_INDIRECT : TOTEM_OP_DISPATCH_DIRECT;
            n->length = length;
            if (s->skip[s->queue]) { // the grid goes with its packet, of which nothing else is looked at
                n->resume               = false;
                n->bank_forget          = true;
                n->unfinished[s->queue] = false;
                pass_over(n);
                break;
            }
            n->control = i->bank_initiator;
            n->counted = false;
            n->resume  = true;
            n->phase   = EXECUTE_GRID;
        }
        break;
    }
}

// Rule 5.
static void load(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const uint8_t q     = i->load_queue;
    const bool    fails = (i->fence_halt && i->fence_halt_queue == q) || (i->poll_halt && i->poll_halt_queue == q) ||
                       (i->fetch_halt && i->fetch_halt_queue == q) || (i->runner_halt && i->runner_halt_queue == q);

    switch (i->load_kind) {
    case LOAD_ACTIVE:
        n->unfinished[q] = (i->load_data & 5) == 5;
        n->wait_flush[q] = false;
        n->wait_epoch[q] = false;
        n->wait_entry[q] = false;
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

void totem_execute_step(totem_execute *s, const totem_execute_in *i)
{
    totem_execute n = *s; // what follows the clock edge; s stays as it was before

    n.commit         = false;
    n.drop           = false;
    n.open           = false;
    n.executed       = false;
    n.ignored        = false;
    n.set            = false;
    n.bank_save      = false;
    n.bank_forget    = false;
    n.fence_close    = false;
    n.fence_write    = false;
    n.priority_write = false;
    n.flow           = false;
    n.room           = i->service_room;
    n.service_stop   = s->phase == EXECUTE_SERVICE && i->arbiter_leave;

    n.service_read_done    = false;
    n.service_resume       = false;
    n.service_resume_plain = false;
    n.service_group_end    = false;

    switch (s->phase) {
    case EXECUTE_IDLE:
    case EXECUTE_RESUME: begin(&n, s, i); break;
    case EXECUTE_READY: ready(&n, s, i); break;
    case EXECUTE_GRID: grid(&n, i); break;
    case EXECUTE_PARTS:
        n.step = (uint8_t)(s->step + 1) & 3;
        if (s->step >= 2) {
            n.step  = 0;
            n.phase = EXECUTE_DIVIDE;
        }
        break;
    case EXECUTE_DIVIDE: divide(&n, s, i); break;
    case EXECUTE_DIM: dimension(&n, s, i); break;
    case EXECUTE_REGISTER: write_register(&n, s, i); break;
    case EXECUTE_GIVE:
        if (s->step != 0 || s->kind == TOTEM_KIND_TIMER)
            n.phase = EXECUTE_LEAVE;
        else
            n.step = 1;
        break;
    case EXECUTE_FIT: fit(&n, s, i); break;
    case EXECUTE_START:
        if (s->resume)
            n.unfinished[s->queue] = false;
        n.phase = EXECUTE_RUN;
        break;
    case EXECUTE_RUN:
    case EXECUTE_STOP: run(&n, s, i); break;
    case EXECUTE_ANSWER: answer(&n, s, i); break;
    case EXECUTE_SERVICE: service(&n, s, i); break;
    case EXECUTE_LEAVE:
        n.service_resume = s->group != 0;
        n.group          = 0;
        n.deferred       = 0;
        n.phase          = EXECUTE_IDLE;
        break;
    default: wait(&n, s, i); break;
    }

    if (i->fence_halt)
        n.halted[i->fence_halt_queue] = true;
    if (i->poll_halt)
        n.halted[i->poll_halt_queue] = true;
    if (i->fetch_halt)
        n.halted[i->fetch_halt_queue] = true;
    if (i->runner_halt)
        n.halted[i->runner_halt_queue] = true;
    if (i->load_valid)
        load(&n, s, i);

    *s = n;
}

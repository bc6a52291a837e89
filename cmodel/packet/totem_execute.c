// SPDX-License-Identifier: Apache-2.0
//
// totem_execute: twin of rtl/packet/totem_execute.v, from docs/contract/execute.md.

#include "totem_execute.h"

#include "../host/totem_regs_map.h"
#include "../memory/totem_memory_values.h"
#include "../queue/totem_hqd_values.h"
#include "totem_execute_copy.h"
#include "totem_execute_end.h"
#include "totem_execute_grid.h"
#include "totem_execute_order.h"
#include "totem_execute_packet.h"
#include "totem_execute_wait.h"

// In place of the error of a beat: the memory has no exclusive accesses there.
enum { NOT_EXCLUSIVE = TOTEM_ERROR_MEMORY_EXCLUSIVE - TOTEM_ERROR_MEMORY_READ_SLVERR + 1 };

// Where `poll` reads: a register at its byte address of the host port.
static uint64_t read_address(const totem_execute *s)
{
    return for_register(s) ? (s->address & LOW32) << 2 : s->address;
}

// Words of the messages.
static void messages(const totem_execute *s, totem_execute_out *o)
{
    const uint32_t low   = (uint32_t)s->data;
    const uint8_t  half  = (s->address & 4) != 0 ? 0xf0 : 0x0f;
    const uint8_t  lanes = wide(s) ? 0xff : half;
    const bool     whole = s->kind == TOTEM_KIND_WAIT_64;

    o->fence_valid = s->phase == EXECUTE_RELEASE;
    if (s->step == 0)
        o->fence_word = (s->address & ~(uint64_t)3) |
                        (uint64_t)FIELD(s->control, TOTEM_PM4_RELEASE_MEM_DATA_SEL) << 40 |
                        (uint64_t)FIELD(s->control, TOTEM_PM4_RELEASE_MEM_INT_SEL) << 43 |
                        (uint64_t)(s->kind == TOTEM_KIND_TASK) << 46;
    else
        o->fence_word = s->step == 1 ? s->data : s->extra;

    o->write_valid = s->phase == EXECUTE_WRITE;
    if (s->step == 0)
        o->write_word = (s->address & ~(uint64_t)7) | (uint64_t)lanes << 40 | (uint64_t)s->queue << 48 |
                        (uint64_t)s->dispatch_epoch << 51 | (uint64_t)(s->kind == TOTEM_KIND_ATOMIC) << 54;
    else
        o->write_word = wide(s) ? s->data : (uint64_t)low << 32 | low;

    const bool timer = s->kind == TOTEM_KIND_TIMER;
    o->wait_valid    = s->phase == EXECUTE_GIVE;
    o->wait_timer    = timer;
    o->wait_step     = s->step;
    o->wait_last     = timer || s->step >= 2 || (s->step == 1 && !whole);
    if (timer)
        o->wait_word = low;
    else if (s->step == 0)
        o->wait_word = read_address(s) | (uint64_t)FIELD(s->control, TOTEM_PM4_WAIT_REG_MEM_FUNCTION) << 40 |
                       (uint64_t)(s->extra & 0xffff) << 43 | (uint64_t)for_register(s) << 59 | (uint64_t)whole << 60;
    else
        o->wait_word = whole && s->step == 1 ? s->second : s->data;

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
    o->unsuccessful    = s->phase == EXECUTE_RETRY || s->phase == EXECUTE_GIVE;
    o->ignored         = s->ignored;

    o->commit       = s->commit;
    o->commit_count = s->length;
    o->open         = s->open;
    o->drop         = s->drop;
    o->open_addr    = s->address & ~(uint64_t)3;
    o->open_size    = FIELD(s->control, TOTEM_PM4_INDIRECT_BUFFER_IB_SIZE);

    const bool initiator = s->phase == EXECUTE_FIT;
    o->bank_write        = s->set || s->phase == EXECUTE_TRIM || (initiator && !s->resume);
    o->bank_offset       = initiator ? 0 : s->address & 0x7f;
    o->bank_data         = (uint32_t)s->data;
    if (s->phase == EXECUTE_TRIM) { // NUM_THREAD of a dimension
        o->bank_offset = (uint8_t)((TOTEM_SH_COMPUTE_NUM_THREAD_X & 0x7f) + s->step);
        o->bank_data   = s->extra;
    }
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
    o->start_fresh_at_zero = FIELD(s->control, TOTEM_PM4_DISPATCH_DIRECT_FORCE_START_AT_000) != 0;
    o->start_partial       = FIELD(s->control, TOTEM_PM4_DISPATCH_DIRECT_PARTIAL_TG_EN) != 0;
    o->start_end           = s->data;
    o->stop                = s->phase == EXECUTE_STOP;
    o->dispatch_waves      = s->waves & 0x7f;
    o->dispatch_threads    = s->dispatch_threads;
    o->dispatch_wave32     = FIELD(s->control, TOTEM_PM4_DISPATCH_DIRECT_CS_W32_EN) != 0;
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
    o->poll_exclusive = s->kind == TOTEM_KIND_ATOMIC;
    messages(s, o);

    const bool asks =
        s->phase == EXECUTE_SERVICE || ((s->phase == EXECUTE_POLL || s->phase == EXECUTE_ANSWER) && serves(s));

    o->service_valid        = s->flow || asks;
    o->service_kind         = s->kind == TOTEM_KIND_LOAD_REGISTERS ? TOTEM_KIND_SHADER : s->kind;
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

    o->order_valid      = TOTEM_RUNLIST != 0 && s->phase == EXECUTE_ORDER;
    o->order_index      = s->place;
    o->order_last       = s->last && s->place > 1;
    o->order_privileged = s->privileged[s->queue];
    switch (s->place) {
    case 0: o->order_word = s->control; break; // the header
    case 1: o->order_word = s->extra; break;
    default: o->order_word = (uint32_t)s->data; break;
    }
}

// No more dwords of a WRITE_DATA go to memory for a queue that is halted or has lost its mapping.
static bool cut(const totem_execute *s, const totem_execute_in *i)
{
    const bool writes = i->decode_stream && i->decode_kind == TOTEM_KIND_WRITE;

    return writes && FIELD(i->decode_control, TOTEM_PM4_WRITE_DATA_DST_SEL) != TOTEM_WRITE_DST_REGISTER && barred(s, i);
}

// 2 A word
static bool take(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (!s->room || !i->decode_valid)
        return false;
    n->kind    = i->decode_kind;
    n->opcode  = FIELD(i->decode_header, TOTEM_PM4_HEADER_OPCODE);
    n->length  = i->decode_length;
    n->last    = i->decode_last;
    n->control = i->decode_control;
    n->address = i->decode_address;
    n->data    = i->decode_data;
    n->extra   = i->decode_extra;
    n->second  = i->decode_second;
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

// 3 Phase, continued: EXECUTE_READY.
static void ready(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (i->arbiter_leave && i->decode_boundary) {
        n->phase = EXECUTE_LEAVE;
        return;
    }
    const bool taken    = take(n, s, i);
    const bool task_due = i->runner_due[s->queue] && i->decode_boundary && s->group == 0;
    if (cut(s, i))
        n->phase = EXECUTE_LEAVE;
    else if (task_due)
        begin_task(n);
    else if (taken)
        totem_execute_packet(n, i);
}

// A wait of 64 bits is for the whole word of memory.
static bool holds(const totem_execute *s, uint32_t read, uint64_t word)
{
    const bool     whole     = s->kind == TOTEM_KIND_WAIT_64;
    const uint64_t value     = whole ? word & s->second : read & (uint32_t)(s->data >> 32);
    const uint64_t reference = whole ? s->data : (uint32_t)s->data;

    switch (FIELD(s->control, TOTEM_PM4_WAIT_REG_MEM_FUNCTION)) {
    case TOTEM_COMPARE_LT: return value < reference;
    case TOTEM_COMPARE_LE: return value <= reference;
    case TOTEM_COMPARE_EQ: return value == reference;
    case TOTEM_COMPARE_NE: return value != reference;
    case TOTEM_COMPARE_GE: return value >= reference;
    case TOTEM_COMPARE_GT: return value > reference;
    default: return true;
    }
}

static void answer(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const bool     window = for_register(s);
    const uint32_t half   = (uint32_t)((s->address & 4) != 0 ? i->data_word >> 32 : i->data_word);
    const uint32_t read   = window ? i->hqd_poll_rdata : half;

    if (!i->poll_packet_answer || !(window ? i->hqd_poll_done : i->poll_data_valid))
        return;
    if (!window && i->data_error != MEMORY_OK) {
        fail_read(n, i, i->data_error);
    } else if (s->kind == TOTEM_KIND_ATOMIC && !i->data_exokay) {
        fail_read(n, i, NOT_EXCLUSIVE);
    } else if (copies(s)) {
        totem_execute_copy_read(n, s, i, read);
    } else if (s->kind == TOTEM_KIND_DISPATCH_INDIRECT) {
        n->extra = read;
        n->phase = EXECUTE_DIM;
    } else if (serves(s)) {
        n->extra             = read;
        n->service_read_done = true;
        n->phase             = EXECUTE_SERVICE;
    } else if (s->kind == TOTEM_KIND_COND_EXEC && read == 0) {
        skip_with(n, i);
    } else if (s->kind == TOTEM_KIND_COND_EXEC || holds(s, read, i->data_word)) {
        finish(n, s->counted);
    } else {
        n->executed = true;
        if (polling(s))
            n->phase = EXECUTE_RETRY;
        else
            give(n);
    }
}

// The server's answer, or what it wants to read.
static void service(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const uint16_t beyond  = i->service_group != 0 ? i->service_group : i->service_skip;
    const uint16_t bounced = (s->length + beyond) & 0x7fff;

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
    } else if (!s->last) {
        n->phase = EXECUTE_READY; // for the next range
    } else if (beyond != 0 && bounced > i->fetch_available) {
        n->service_resume = true;
        fail(n, i, TOTEM_ERROR_PACKET_BOUNCE_COUNT, s->control);
    } else if (i->service_group != 0) {
        n->group    = i->service_group;
        n->deferred = s->length;
        n->executed = true;
        n->phase    = EXECUTE_READY;
    } else {
        if (beyond != 0) {
            n->length = bounced;
            n->drop   = true;
        }
        finish(n, s->counted);
    }
}

// WRITE_DATA or COPY_DATA to a queue priority of the pipe.
static void write_register(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const uint32_t to    = (uint32_t)s->address;
    const uint32_t value = (uint32_t)s->data;
    const uint32_t first = window(i) + TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY; // queue 0
    const uint32_t slot  = (to - first) >> 6;

    if (copies(s) && totem_execute_copy_register(n, s, i))
        return;
    if (s->step != 0) {
        if (s->last)
            finish(n, s->counted);
        else
            n->phase = EXECUTE_READY;
    } else if (to < first || (to - first) % 0x40 != 0 || slot >= TOTEM_QUEUES) {
        if ((i->graphics || foreign(to)) && !i->settings_strict)
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
    default: // EXECUTE_RESUME
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
            if (disabled(i->bank_initiator)) {
                n->resume               = false;
                n->bank_forget          = true;
                n->unfinished[s->queue] = false;
                n->drop                 = true;
                finish(n, true);
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

// 5 Load bus, continued
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

    // 1 Single clocks
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

    // 3 Phase
    switch (s->phase) {
    case EXECUTE_IDLE:
    case EXECUTE_RESUME: begin(&n, s, i); break;
    case EXECUTE_READY: ready(&n, s, i); break;
    case EXECUTE_GRID:
    case EXECUTE_PARTS:
    case EXECUTE_DIVIDE:
    case EXECUTE_TRIM:
    case EXECUTE_TABLE:
    case EXECUTE_DIM:
    case EXECUTE_FIT: totem_execute_grid(&n, s, i); break;
    case EXECUTE_REGISTER: write_register(&n, s, i); break;
    case EXECUTE_ANSWER: answer(&n, s, i); break;
    case EXECUTE_SERVICE: service(&n, s, i); break;
    case EXECUTE_ORDER:
    case EXECUTE_ORDERED:
        if (TOTEM_RUNLIST != 0)
            totem_execute_ordered(&n, s, i);
        break;
    case EXECUTE_LEAVE:
        n.place          = 0;
        n.service_resume = s->group != 0;
        n.group          = 0;
        n.deferred       = 0;
        n.phase          = EXECUTE_IDLE;
        break;
    case EXECUTE_WRITE:
        if ((s->kind == TOTEM_KIND_DMA || s->kind == TOTEM_KIND_ATOMIC) && s->step != 0)
            totem_execute_copy_written(&n, s, i);
        else
            totem_execute_wait(&n, s, i);
        break;
    case EXECUTE_CONFIRM: totem_execute_copy_confirmed(&n, s, i); break;
    default: totem_execute_wait(&n, s, i); break;
    }

    // 4 Halts
    if (i->fence_halt)
        n.halted[i->fence_halt_queue] = true;
    if (i->poll_halt)
        n.halted[i->poll_halt_queue] = true;
    if (i->fetch_halt)
        n.halted[i->fetch_halt_queue] = true;
    if (i->runner_halt)
        n.halted[i->runner_halt_queue] = true;

    // 5 Load bus
    if (i->load_valid)
        load(&n, s, i);

    *s = n;
}

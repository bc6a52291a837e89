// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: twin of rtl/queue/totem_hqd.v, from docs/contract/hqd.md.

#include "totem_hqd.h"

#include "../host/totem_regs_map.h"
#include "../lib/totem_upper.h"
#include "../packet/totem_pm4.h"
#include "totem_arbiter_values.h"
#include "totem_hqd_values.h"

enum { ADDR_MASK = TOTEM_QUEUES * 64 - 1, STEP_MASK = 31, STEP_BASE = 14, STEP_LAST = 25, SETTLE = 7 };

#define REG(name) TOTEM_REG_QUEUE_##name
#define HOST_ERROR(name) ((uint8_t)(TOTEM_ERROR_HOST_##name & 31))

static uint8_t queue(const totem_hqd *s)
{
    return (uint8_t)(s->addr >> 6 & (TOTEM_QUEUES - 1));
}

static uint8_t dword(const totem_hqd *s)
{
    return (uint8_t)(s->addr & 63);
}

static TOTEM_HQD_ADDR address(unsigned q, unsigned d)
{
    return (TOTEM_HQD_ADDR)((q << 6 | d) & ADDR_MASK);
}

// Bits 47:40 that an address of the front end may have beside 0.
static uint8_t above(const totem_hqd_in *i)
{
    return (uint8_t)(i->settings_address_high >> 8 * i->fe_number);
}

// 8 Map, continued: what the upper dword of an address says.
static totem_upper_out upper(const totem_hqd_in *i, uint32_t dword)
{
    const totem_upper_in in = {.address = (uint16_t)dword, .above = (uint8_t)(above(i))};
    totem_upper_out      out;
    totem_upper_outputs(&in, &out);
    return out;
}

// The address at the memory port, dword aligned, of which bits 47:32 are in `high`.
static uint64_t byte_address(const totem_hqd_in *i, uint32_t high, uint32_t low)
{
    return (uint64_t)upper(i, high).page << 32 | (low & ~3u);
}

// Dwords of a ring, cut to 32 bits.
static uint32_t ring_dwords(uint32_t size)
{
    return (uint32_t)((uint64_t)2 << (size & 31));
}

static void end_with(totem_hqd *n, uint8_t error)
{
    n->error = error;
    n->phase = HQD_DONE;
}

static void send(totem_hqd *n, uint8_t kind, uint64_t data)
{
    n->load_valid = true;
    n->load_kind  = kind;
    n->load_data  = data & 0xffffffffffu;
}

static void fail(totem_hqd *n, uint8_t error)
{
    if (n->error == 0)
        n->error = error;
}

static bool out(const totem_hqd *s, const totem_hqd_in *i, unsigned q)
{
    return s->settle == 0 && s->leaving[q] && i->drain_not_selected[q];
}

// 3 Idle
static void step_idle(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i)
{
    unsigned finish = TOTEM_QUEUES;
    for (unsigned q = TOTEM_QUEUES; q-- > 0;)
        if (out(s, i, q) && s->dequeue[q] == DEQUEUE_NONE && s->request[q] == REQUEST_NONE && i->drain_free[q])
            finish = q;
    if (finish != TOTEM_QUEUES) {
        n->addr     = address(finish, REG(CP_HQD_PQ_RPTR));
        n->word     = i->fetch_rptr[finish];
        n->from_mqd = false;
        n->pointer  = false;
        n->phase    = HQD_SAVE;
        return;
    }

    if (i->access_next_valid) {
        n->from_mqd = i->access_next_from_mqd;
        n->pointer  = i->access_next_pointer;
        n->addr     = address(i->access_next_queue, i->access_next_dword);
        n->phase    = HQD_READ;
    }
}

static void start_ring(totem_hqd *n, unsigned q)
{
    n->addr  = address(q, REG(CP_HQD_PQ_DOORBELL_CONTROL));
    n->step  = 0;
    n->phase = HQD_RING;
}

// What mqd is told of the request that has ended.
static uint8_t told(const totem_hqd *s, uint8_t q)
{
    return s->silent[q] ? DEQUEUE_NONE : s->dequeue[q];
}

// 5 Load word
static void load_word(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i)
{
    const uint8_t q    = queue(s);
    const uint8_t kind = dword(s) & 31;

    n->word = 0;
    end_with(n, 0);
    if (kind != LOAD_ACTIVE || ((i->access_data & 1) != 0 && !s->leaving[q])) {
        send(n, kind, i->access_data);
        if (kind == LOAD_ACTIVE || kind == LOAD_MOVED)
            n->request[q] = REQUEST_NONE;
    } else if (!s->active[q]) {
        if (s->request[q] == REQUEST_WINDOW) // nothing was mapped
            send(n, LOAD_POLLED, POLLED_FORGET);
        n->word       = told(s, q);
        n->request[q] = REQUEST_NONE;
        n->dequeue[q] = DEQUEUE_NONE;
        n->killing[q] = false;
    } else {
        send(n, LOAD_ACTIVE, 0);
        n->addr  = address(q, REG(CP_HQD_PQ_RPTR));
        n->word  = i->fetch_rptr[q];
        n->phase = HQD_SAVE;
    }
}

// 6 Write, continued: MAP.
static void load_window(totem_hqd *n, const totem_hqd *s, uint8_t q, uint32_t control, uint8_t strobe)
{
    if (s->active[q] || s->request[q] != REQUEST_NONE || s->dequeue[q] != DEQUEUE_NONE) {
        end_with(n, HOST_ERROR(MAP_BUSY));
    } else if (strobe != 15 || (control & 7) != 0) {
        end_with(n, HOST_ERROR(VALUE));
    } else {
        n->addr       = address(q, REG(CP_MQD_BASE_ADDR));
        n->word       = control;
        n->request[q] = REQUEST_WINDOW;
        n->phase      = HQD_STORE;
    }
}

// 6 Write, continued: the host is told, unless nobody but the run list asks.
static void ask(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i, uint8_t q, uint8_t type)
{
    n->silent[q]  = i->host_request_quiet && (s->dequeue[q] == DEQUEUE_NONE || s->silent[q]);
    n->dequeue[q] = type;
}

// 6 Write, continued: a reset replaces whatever waits, and needs no active slot.
static bool is_reset(const totem_hqd *s, uint8_t q, uint32_t merged)
{
    return (merged & 7) == DEQUEUE_RESET && !s->from_mqd && s->request[q] != REQUEST_WINDOW;
}

static void reset_request(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i, uint8_t q, uint32_t merged,
                          bool saving)
{
    n->word  = merged & ~7u;
    n->phase = HQD_STORE;
    if (saving && s->dequeue[q] != DEQUEUE_RESET) // it is being saved for another request
        n->later[q] = true;
    ask(n, s, i, q, DEQUEUE_RESET);
    if (s->active[q] && !s->leaving[q]) {
        n->leaving[q] = true;
        n->settle     = SETTLE;
    }
}

// 6 Write, continued: the other dequeue requests.
static void dequeue_request(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i, uint8_t q, uint32_t merged)
{
    const uint8_t type = merged & 7;

    n->word  = merged & ~7u;
    n->phase = HQD_STORE;
    if (type == DEQUEUE_NONE || s->from_mqd)
        return;
    if (type > DEQUEUE_LEAVE) {
        end_with(n, HOST_ERROR(DEQUEUE_TYPE));
    } else if (!s->active[q]) {
        end_with(n, HOST_ERROR(DEQUEUE));
    } else {
        ask(n, s, i, q, type);
        n->leaving[q] = true;
        n->settle     = SETTLE;
        if (type == DEQUEUE_SAVE_WAVES && s->drains != 0xffff)
            n->drains = (uint16_t)(s->drains + 1);
    }
}

// 6 Write
static void write_dword(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i)
{
    const uint8_t  q       = queue(s);
    const uint8_t  d       = dword(s);
    const bool     active  = s->active[q];
    const bool     leaving = s->leaving[q];
    const bool     held    = active && !leaving;
    const bool     saving  = n->request[q] == REQUEST_SAVE;
    const bool     locked  = s->request[q] == REQUEST_WINDOW && !s->from_mqd;
    const uint32_t data    = (uint32_t)i->access_data;

    uint32_t enabled = 0;
    for (unsigned b = 0; b < 4; b++)
        if ((i->access_strobe >> b & 1) != 0)
            enabled |= 0xffu << 8 * b;
    enabled &= ~totem_reg_queue_kept(d);

    const uint32_t control = data & enabled;
    const uint32_t merged  = (i->view_value & ~enabled) | control;
    const bool live = d == REG(CP_HQD_PIPE_PRIORITY) || d == REG(CP_HQD_QUEUE_PRIORITY) || d == REG(CP_HQD_QUANTUM) ||
                      d == REG(CP_HQD_DEQUEUE_REQUEST) || d == REG(CP_HQD_PQ_WPTR_LO) || d == REG(CP_HQD_PQ_WPTR_HI);

    n->word = merged;
    if (i->access_doorbell || s->pointer) {
        if (!held)
            end_with(n, HOST_ERROR(DOORBELL_UNMAPPED));
        else
            start_ring(n, q);
    } else if (d == REG(MAP)) {
        load_window(n, s, q, control, i->access_strobe);
    } else if ((d >= REG(RPTR) && d <= REG(STATE)) || d == REG(SEQUENCE) || d == REG(SEQUENCE_ENDED)) {
        end_with(n, HOST_ERROR(READ_ONLY));
    } else if (d == REG(CONTROL)) {
        if (control > 2)
            end_with(n, HOST_ERROR(VALUE));
        else if (control == 0)
            end_with(n, 0);
        else if (held && s->request[q] != REQUEST_PRELOAD && i->view_stopped && (control == 1 || i->view_waiting)) {
            send(n, control == 2 ? LOAD_SKIP : LOAD_RESUME, 0);
            end_with(n, 0);
        } else
            end_with(n, HOST_ERROR(RESUME));
    } else if (d == REG(CP_HQD_ACTIVE) && (merged & 1) != 0) {
        n->word = merged & ~1u;
        if (leaving || locked || s->dequeue[q] != DEQUEUE_NONE)
            end_with(n, HOST_ERROR(MAP_BUSY));
        else if (active)
            n->phase = HQD_STORE;
        else {
            n->addr  = address(q, REG(CP_HQD_PERSISTENT_STATE));
            n->step  = 0;
            n->phase = HQD_MAP;
        }
    } else if (d == REG(CP_HQD_ACTIVE)) {
        n->phase = HQD_STORE;
        // It replaces a request that waits, except a reset.
        if (held || (active && s->dequeue[q] != DEQUEUE_NONE && s->dequeue[q] != DEQUEUE_RESET && !saving)) {
            n->leaving[q] = true;
            n->dequeue[q] = DEQUEUE_NONE;
            n->settle     = SETTLE;
            if (s->request[q] != REQUEST_PRELOAD)
                send(n, LOAD_ACTIVE, 0);
        }
    } else if (d == REG(CP_HQD_DEQUEUE_REQUEST) && is_reset(s, q, merged)) {
        reset_request(n, s, i, q, merged, saving);
    } else if (d == REG(CP_HQD_DEQUEUE_REQUEST) && (merged & 7) == DEQUEUE_NONE && leaving &&
               s->dequeue[q] == DEQUEUE_NONE && !s->from_mqd) {
        n->phase = HQD_STORE;
    } else if (!s->from_mqd && (leaving || (active && !live) || locked)) {
        end_with(n, HOST_ERROR(LOCKED));
    } else if (d == REG(CP_HQD_DEQUEUE_REQUEST)) {
        dequeue_request(n, s, i, q, merged);
    } else if (active && d == REG(CP_HQD_PIPE_PRIORITY) && (merged & 3) == 3) {
        end_with(n, HOST_ERROR(VALUE));
    } else if (active && d == REG(CP_HQD_PQ_WPTR_LO)) {
        start_ring(n, q);
    } else {
        n->phase = HQD_STORE;
        if (active && d == REG(CP_HQD_PIPE_PRIORITY))
            send(n, LOAD_PIPE_PRIORITY, merged & 3);
        if (d == REG(CP_HQD_QUEUE_PRIORITY) && (i->access_strobe & 1) != 0)
            send(n, LOAD_QUEUE_PRIORITY, merged & 15);
        if (active && d == REG(CP_HQD_QUANTUM))
            send(n, LOAD_QUANTUM, merged);
    }
}

// The old value has been read.
static void step_decide(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i)
{
    n->error = 0;
    if (s->from_mqd && i->access_load) {
        load_word(n, s, i);
    } else if (!i->access_write) { // 5 Load word, continued: a read
        n->word = i->view_value;
        end_with(n, 0);
    } else {
        write_dword(n, s, i);
    }
}

// 7 Ring
static void step_ring(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i)
{
    n->step = (uint8_t)((s->step + 1) & STEP_MASK);
    if (s->step == 0) // fetch sees it
        return;
    if (s->step == 1) {
        if (i->access_doorbell && (i->ram_read_data >> 30 & 1) == 0)
            end_with(n, HOST_ERROR(DOORBELL_DISABLED));
    } else if (!i->fetch_offer_fits) {
        end_with(n, HOST_ERROR(DOORBELL_RANGE));
    } else {
        send(n, LOAD_WPTR, s->word);
        end_with(n, 0);
    }
}

// 8 Map
static void step_map(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i)
{
    static const uint8_t next[STEP_LAST + 1] = {
        // checks
        REG(CP_HQD_PIPE_PRIORITY), REG(CP_HQD_IB_CONTROL), REG(CP_HQD_IB_BASE_ADDR_HI), REG(CP_HQD_PQ_CONTROL),
        REG(CP_HQD_AQL_CONTROL), REG(CP_MQD_BASE_ADDR), REG(CP_MQD_BASE_ADDR_HI), REG(CP_HQD_PQ_RPTR_REPORT_ADDR_HI),
        REG(CP_HQD_PQ_WPTR_POLL_ADDR_HI), REG(CP_HQD_PQ_RPTR), REG(CP_HQD_PQ_WPTR_LO), REG(CP_HQD_PQ_BASE_HI),
        // what is sent
        REG(CP_HQD_PQ_BASE), REG(CP_HQD_PQ_CONTROL), REG(CP_HQD_PQ_RPTR), REG(CP_HQD_PQ_WPTR_LO),
        REG(CP_HQD_PQ_RPTR_REPORT_ADDR), REG(CP_HQD_PQ_RPTR_REPORT_ADDR_HI), REG(CP_MQD_BASE_ADDR),
        REG(CP_MQD_BASE_ADDR_HI), REG(CP_HQD_QUANTUM), REG(CP_HQD_PIPE_PRIORITY), REG(CP_HQD_PQ_DOORBELL_CONTROL),
        REG(CP_HQD_ACTIVE), REG(CP_HQD_ACTIVE), REG(CP_HQD_ACTIVE)};

    const uint8_t  q    = queue(s);
    const uint32_t data = i->ram_read_data;

    n->step = (uint8_t)((s->step + 1) & STEP_MASK);
    n->addr = address(q, next[s->step < STEP_LAST ? s->step : STEP_LAST]);
    switch (s->step) {
    case 0: break;
    case 1:
        n->needs = (data & 1) != 0;
        if (data >> 31 != 0 && !n->needs)
            fail(n, HOST_ERROR(MAP_STATE));
        break;
    case 2:
        if ((data & 3) == 3)
            fail(n, HOST_ERROR(MAP_PIPE_PRIORITY));
        break;
    case 3:
        n->low = data;
        if (data >> 31 != 0)
            n->needs = true;
        break;
    case 4:
        if (s->low >> 31 != 0 && upper(i, data).strange)
            fail(n, HOST_ERROR(MAP_ADDRESS));
        break;
    case 5:
        n->size  = (uint8_t)(data & 63);
        n->quiet = (data >> 27 & 1) != 0;
        if ((data >> 25 & 3) != 0)
            fail(n, HOST_ERROR(MAP_AQL));
        else if ((data & 63) < 3 || (data & 63) > 30)
            fail(n, HOST_ERROR(MAP_QUEUE_SIZE));
        break;
    case 6:
        if (data != 0)
            fail(n, HOST_ERROR(MAP_AQL));
        break;
    case 7:
        n->described = data != 0;
        if ((data & 7) != 0)
            fail(n, HOST_ERROR(MAP_MQD));
        break;
    case 8:
        n->described = s->described || (data & 0xffff) != 0;
        if (s->needs && !n->described)
            fail(n, HOST_ERROR(MAP_STATE));
        else if (upper(i, data).strange)
            fail(n, HOST_ERROR(MAP_ADDRESS));
        break;
    case 9:
        if (!s->quiet && upper(i, data).strange)
            fail(n, HOST_ERROR(MAP_ADDRESS));
        break;
    case 10:
        if (upper(i, data).strange)
            fail(n, HOST_ERROR(MAP_ADDRESS));
        break;
    case 12:
        if (!i->poll_once[q] && data - s->low > ring_dwords(s->size))
            fail(n, HOST_ERROR(MAP_POINTERS));
        else if (!i->fence_spare[q])
            fail(n, HOST_ERROR(MAP_NO_EPOCH));
        break;
    case STEP_BASE: {
        const uint64_t base = (uint64_t)s->low << 40 | (uint64_t)data << 8; // of 48 bits
        if (upper(i, (uint32_t)(base >> 32)).strange)
            fail(n, HOST_ERROR(MAP_ADDRESS));
        if (n->error != 0) {
            send(n, LOAD_POLLED, POLLED_FORGET);
            n->phase = HQD_DONE;
        } else {
            send(n, LOAD_PQ_BASE, byte_address(i, (uint32_t)(base >> 32), (uint32_t)base));
        }
        break;
    }
    case 11:
    case 13:
    case 18:
    case 20: n->low = data; break;
    case 15: send(n, LOAD_PQ_CONTROL, data); break;
    case 16:
        n->low = data;
        send(n, LOAD_RPTR, data);
        break;
    case 17: send(n, LOAD_WPTR, i->poll_once[q] ? s->low : data); break; // a one-shot brings the pointer
    case 19: send(n, LOAD_REPORT_ADDR, s->quiet ? 0 : byte_address(i, data, s->low)); break;
    case 21: send(n, LOAD_MQD_ADDR, byte_address(i, data, s->low)); break;
    case 22: send(n, LOAD_QUANTUM, data); break;
    case 23: send(n, LOAD_PIPE_PRIORITY, data & 3); break;
    case 24: send(n, LOAD_POLLED, data >> 30 & 1 ? 0 : 1); break;
    default:
        n->active[q]  = true;
        n->phase      = HQD_STORE;
        n->request[q] = s->described ? REQUEST_PRELOAD : REQUEST_NONE;
        if (!s->described)
            send(n, LOAD_ACTIVE, 1);
        break;
    }
    if (s->error == 0 && n->error != 0)
        n->word = data;
}

void totem_hqd_outputs(const totem_hqd *s, totem_hqd_out *o)
{
    o->host_done  = s->phase == HQD_DONE && !s->from_mqd && !s->pointer;
    o->host_error = s->error;
    o->host_rdata = s->word;
    o->ram_write_enable =
        s->phase == HQD_SWEEP || s->phase == HQD_STORE || s->phase == HQD_SAVE || s->phase == HQD_SAVED;
    o->ram_write_addr  = s->addr;
    o->ram_write_data  = s->phase == HQD_SWEEP ? totem_reg_queue_reset(dword(s)) : s->word;
    o->ram_read_enable = s->phase == HQD_READ || s->phase == HQD_RING || s->phase == HQD_MAP;
    o->ram_read_addr   = s->addr;
    o->load_valid      = s->load_valid;
    o->load_queue      = queue(s);
    o->load_kind       = s->load_kind;
    o->load_data       = s->load_data;
    o->mqd_done        = s->phase == HQD_DONE && s->from_mqd;
    o->mqd_error       = s->error;
    o->mqd_rdata       = s->word;
    o->drains          = s->drains;
    o->poll_done       = s->phase == HQD_DONE && s->pointer;
    o->poll_error      = s->error;
    o->poll_rdata      = s->word;
    o->busy            = false;
    o->from_mqd        = s->from_mqd;
    o->pointer         = s->pointer;
    o->shown_queue     = queue(s);
    o->shown_dword     = dword(s);
    o->offer_valid     = s->phase == HQD_RING;
    o->offer_queue     = queue(s);
    o->offer_wptr      = s->word;

    o->sequence_read_enable = o->ram_read_enable;
    o->sequence_read_addr   = (uint8_t)(queue(s) << 1 | (s->addr >> 1 & 1));
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->request[q] = s->request[q];
        o->active[q]  = s->active[q];
        o->dequeue[q] = s->dequeue[q];
        o->leaving[q] = s->leaving[q];
        o->parting[q] = s->leaving[q] && s->settle == 0 &&
                        (s->dequeue[q] == DEQUEUE_NONE || s->dequeue[q] == DEQUEUE_LEAVE || s->killing[q]);
        o->dequeuing[q] = s->dequeue[q] != DEQUEUE_NONE;
        o->killing[q]   = s->killing[q];
        o->resetting[q] = s->dequeue[q] == DEQUEUE_RESET;
        o->dropping[q]  = s->dequeue[q] == DEQUEUE_RESET && !s->later[q];
        o->busy         = o->busy || s->request[q] != REQUEST_NONE || s->dequeue[q] != DEQUEUE_NONE;
    }
}

// 1 Jobs, continued: of queue q.
static void request_job(totem_hqd *n, const totem_hqd *s, const totem_hqd_in *i, unsigned q)
{
    const bool gone  = out(s, i, q) || !s->active[q];
    const bool moved = s->load_valid && s->load_kind == LOAD_MOVED; // the arbiter does not see it yet
    const bool moves = (i->arbiter_move == MOVE_SAVE || i->arbiter_move == MOVE_LOAD) &&
                       q == (i->arbiter_move_queue & (TOTEM_QUEUES - 1u)) && s->active[q] &&
                       s->request[q] == REQUEST_NONE && !moved;
    const bool saves = gone && s->request[q] == REQUEST_NONE && s->dequeue[q] != DEQUEUE_NONE && i->drain_drained[q];

    if (saves)
        n->request[q] = s->active[q] ? REQUEST_SAVE : REQUEST_END;
    if (moves)
        n->request[q] = i->arbiter_move == MOVE_SAVE ? REQUEST_SWITCH_SAVE : REQUEST_SWITCH_LOAD;
    const bool starts = gone && s->request[q] == REQUEST_NONE && !moves;
    n->killing[q]     = s->dequeue[q] == DEQUEUE_RESET && (starts || s->killing[q]) && (!saves || moves);
}

void totem_hqd_step(totem_hqd *s, const totem_hqd_in *i)
{
    totem_hqd     n = *s; // what follows the clock edge; s stays as it was before
    const uint8_t q = queue(s);

    // 1 Jobs
    n.load_valid = false;
    if (s->settle != 0)
        n.settle = (uint8_t)(s->settle - 1);
    for (unsigned k = 0; k < TOTEM_QUEUES; k++)
        request_job(&n, s, i, k);

    switch (s->phase) {
    // 2 Sweep
    case HQD_SWEEP:
        n.addr = (TOTEM_HQD_ADDR)((s->addr + 1) & ADDR_MASK);
        if (s->addr == ADDR_MASK)
            n.phase = HQD_IDLE;
        break;
    case HQD_IDLE: step_idle(&n, s, i); break;
    // 4 Read
    case HQD_READ: n.phase = HQD_DECIDE; break;
    case HQD_DECIDE: step_decide(&n, s, i); break;
    case HQD_RING: step_ring(&n, s, i); break;
    case HQD_MAP: step_map(&n, s, i); break;
    // 9 Store
    case HQD_STORE: n.phase = HQD_DONE; break;
    // 10 Save
    case HQD_SAVE:
        n.addr  = address(q, REG(CP_HQD_PQ_WPTR_LO));
        n.word  = i->fetch_wptr[q];
        n.phase = HQD_SAVED;
        break;
    // 11 Saved
    case HQD_SAVED:
        n.active[q]  = false;
        n.leaving[q] = false;
        n.dequeue[q] = s->later[q] ? DEQUEUE_RESET : DEQUEUE_NONE;
        n.request[q] = REQUEST_NONE;
        n.killing[q] = false;
        n.later[q]   = false;
        n.phase      = HQD_IDLE;
        if (s->from_mqd) {
            n.word = s->later[q] ? 0 : told(s, q);
            end_with(&n, 0);
        }
        break;
    // 12 Done
    default: n.phase = HQD_IDLE; break;
    }

    *s = n;
}

bool totem_hqd_invariant(const totem_hqd *s)
{
    bool holds = s->phase <= HQD_DONE;
    bool owned = false; // active, of the queue of the access
    bool asked = false; // dequeue request of it
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        const uint8_t job  = s->request[q];
        const uint8_t type = s->dequeue[q];

        holds = holds && (!s->leaving[q] || s->active[q]);
        holds = holds && (type == DEQUEUE_NONE || s->leaving[q] || (type == DEQUEUE_RESET && !s->active[q]));
        holds = holds && job != 4;
        holds = holds && (job == REQUEST_NONE || s->active[q] == (job != REQUEST_WINDOW && job != REQUEST_END));
        holds = holds && (job != REQUEST_SAVE || type != DEQUEUE_NONE) && (job != REQUEST_END || type == DEQUEUE_RESET);
        holds = holds && (job != REQUEST_WINDOW || type == DEQUEUE_NONE);
        holds = holds && (!s->killing[q] || (type == DEQUEUE_RESET && job != REQUEST_SAVE && job != REQUEST_END));
        if (queue(s) == q) {
            owned = s->active[q];
            asked = type != DEQUEUE_NONE;
        }
    }
    if (s->phase == HQD_SAVE || s->phase == HQD_SAVED)
        holds = holds && owned;
    if (s->phase == HQD_MAP)
        holds = holds && s->step <= STEP_LAST && !owned && !asked && (s->step <= STEP_BASE || s->error == 0);
    if (s->phase == HQD_RING)
        holds = holds && s->step <= 2;
    if (s->phase == HQD_STORE)
        holds = holds && s->error == 0;
    return holds;
}

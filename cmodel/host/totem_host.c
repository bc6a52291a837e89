// SPDX-License-Identifier: Apache-2.0
//
// totem_host: twin of rtl/host/totem_host.v, from docs/contract/host.md.

#include "totem_host.h"

#include "../packet/totem_pm4.h"
#include "totem_regs_map.h"

enum { RESP_OKAY = 0, RESP_SLVERR = 2 };

typedef struct {
    int      target;
    unsigned index; // pipe, or TOTEM_PIPE_COUNT + ring; engine; of a page: ring, front end
    uint8_t  queue;
    uint8_t  dword;
} route;

static bool ring_exists(unsigned f)
{
    return TOTEM_GRAPHICS != 0 && f < TOTEM_FE_COUNT;
}

// Whether a dword of the page of the machine has a register.
static bool listed(uint32_t dword)
{
    if (dword >= 64 || (TOTEM_REG_MACHINE_EXISTS >> dword & 1) == 0)
        return false;
    if (dword >= TOTEM_REG_MACHINE_RING_DRAINS)
        return ring_exists(dword & 3);
    if ((TOTEM_REG_MACHINE_WITH_GRAPHICS >> dword & 1) != 0)
        return TOTEM_GRAPHICS != 0;
    if (dword >= TOTEM_REG_MACHINE_DRAINS && dword < TOTEM_REG_MACHINE_HOLD_AFTER_HIGH)
        return (dword & 7) < TOTEM_PIPE_COUNT;
    return true;
}

// Where the dword address leads.
static route find(uint32_t a)
{
    const uint32_t page = a >> 10;

    route r = {TARGET_HOLE, 0, 0, (uint8_t)(a & 0xff)};
    if (page == 0x00) {
        if (listed(a))
            r.target = TARGET_GLOBAL;
    } else if (page == 0x01) {
        if ((a >> 7 & 7) == 0)
            r.target = TARGET_EVENTS;
    } else if (page == 0x02) {
        if ((a >> 8 & 3) < TOTEM_SE_COUNT) {
            r.target = TARGET_ENGINE;
            r.index  = a >> 8 & 3;
        }
    } else if (page == 0x03) {
        if ((a >> 8 & 3) < TOTEM_SE_COUNT && (a >> 5 & 7) == 0 && (a >> 2 & 7) < TOTEM_PIPE_COUNT) {
            r.target = TARGET_STATS;
            r.index  = a >> 8 & 3;
        } else if ((a >> 8 & 3) < TOTEM_SE_COUNT && (a >> 5 & 7) == 1 && ring_exists(a >> 2 & 3)) {
            r.target = (a >> 4 & 1) != 0 ? TARGET_GEOMETRY_STATS : TARGET_RING_STATS;
            r.index  = a >> 8 & 3;
            r.dword  = (uint8_t)(a & 15);
        } else if ((a >> 8 & 3) < TOTEM_SE_COUNT && (a >> 4 & 15) == 4 && ring_exists(a >> 2 & 3)) {
            r.target = TARGET_PIXEL_STATS;
            r.index  = a >> 8 & 3;
            r.dword  = (uint8_t)(a & 15);
        }
    } else if (page == 0x04) {
        if ((a >> 6 & 15) == 0 && (a >> 3 & 7) < TOTEM_PIPE_COUNT && (a & 7) < TOTEM_QUEUES) {
            r.target = TARGET_DOORBELL;
            r.index  = a >> 3 & 7;
            r.queue  = (uint8_t)(a & 7);
        } else if ((a >> 2 & 255) == 16 && ring_exists(a & 3)) {
            r.target = TARGET_DOORBELL;
            r.index  = TOTEM_PIPE_COUNT + (a & 3);
        }
    } else if (page == 0x05) {
        if (ring_exists(a >> 8 & 3)) {
            r.target = TARGET_PAGE;
            r.index  = a >> 8 & 3;
        }
    } else if (page == 0x06) {
        if ((a >> 5 & 31) == 0 && TOTEM_GRAPHICS != 0)
            r.target = TARGET_CONTROLS;
    } else if (page == 0x07) {
        if (TOTEM_TASKS != 0 && (a >> 8 & 3) < TOTEM_FE_COUNT) {
            r.target = TARGET_TASKS;
            r.index  = a >> 8 & 3;
        }
    } else if (page == 0x08) {
        if (TOTEM_RUNLIST != 0 && (a >> 7 & 7) == 0)
            r.target = TARGET_LEDGER;
    } else if (page == 0x40 || page == 0x41) {
        if (TOTEM_RUNLIST != 0 && (a >> 1 & 0x3ff) < TOTEM_RUN_QUEUES)
            r.target = TARGET_BELL;
    } else if (page >= 0x10 && page <= 0x17) {
        if ((a >> 9 & 1) == 0 && (a >> 10 & 7) < TOTEM_PIPE_COUNT && (a >> 6 & 7) < TOTEM_QUEUES) {
            r.target = TARGET_WINDOW;
            r.index  = a >> 10 & 7;
            r.queue  = (uint8_t)(a >> 6 & 7);
            r.dword  = (uint8_t)(a & 0x3f);
        }
    } else if (page >= 0x18 && page <= 0x1f) {
        if ((a >> 6 & 15) == 0 && ring_exists(a >> 10 & 7)) {
            r.target = TARGET_WINDOW;
            r.index  = TOTEM_PIPE_COUNT + (a >> 10 & 7);
            r.dword  = (uint8_t)(a & 0x3f);
        }
    } else if (page >= 0x20 && page <= 0x2f) {
        if ((a >> 11 & 7) < TOTEM_PIPE_COUNT && (a >> 8 & 7) < TOTEM_QUEUES) {
            r.target = TARGET_TALLY;
            r.index  = a >> 11 & 7;
            r.queue  = (uint8_t)(a >> 8 & 7);
        }
    } else if (page >= 0x30 && page <= 0x3f) {
        if (ring_exists(a >> 11 & 7) && (a >> 8 & 7) == 0) {
            r.target = TARGET_TALLY;
            r.index  = TOTEM_PIPE_COUNT + (a >> 11 & 7);
        }
    }
    return r;
}

// The access under way, of proxy or of AXI4-Lite.
static bool writes(const totem_host *s)
{
    return s->proxy ? s->proxy_writes : s->write;
}

static uint32_t access_address(const totem_host *s)
{
    if (s->proxy)
        return s->proxy_addr;
    return s->write ? s->aw_addr : s->ar_addr;
}

static uint32_t word(const totem_host *s)
{
    return s->proxy ? s->proxy_word : s->w_data;
}

static uint8_t strobe(const totem_host *s)
{
    return s->proxy ? 15 : s->w_strobe;
}

// STATUS.
static uint32_t status(const totem_host_in *i)
{
    uint32_t value = i->machine_idle ? 1 : 0;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (i->memory_dead[f])
            value |= 0x100u << f;
    return value;
}

// Registers of a pipe or ring each.
static uint32_t counter_value(const totem_host_in *i, uint32_t dword)
{
    uint32_t value = 0;
    for (uint32_t p = 0; p < TOTEM_PIPE_COUNT; p++) {
        if (dword == TOTEM_REG_MACHINE_DRAINS + p)
            value = i->hqd_drains[p];
        if (dword == TOTEM_REG_MACHINE_ABANDONED + p)
            value = (uint32_t)i->fence_late[p] << 16 | i->fence_lost[p];
    }
    for (uint32_t f = 0; f < TOTEM_FE_COUNT; f++) {
        if (dword == TOTEM_REG_MACHINE_RING_DRAINS + f)
            value = i->graphics_hqd_drains[f];
        if (dword == TOTEM_REG_MACHINE_RING_ABANDONED + f)
            value = (uint32_t)i->graphics_fence_late[f] << 16 | i->graphics_fence_lost[f];
    }
    return value;
}

static uint32_t global_value(const totem_host *s, uint32_t dword, uint32_t status)
{
    switch (dword) {
    case TOTEM_REG_MACHINE_MAGIC: return TOTEM_REG_MACHINE_MAGIC_VALUE;
    case TOTEM_REG_MACHINE_VERSION: return TOTEM_REG_MACHINE_VERSION_VALUE;
    case TOTEM_REG_MACHINE_CONFIG_HASH: return TOTEM_CONFIG_HASH;
    case TOTEM_REG_MACHINE_FEATURES:
        return (uint32_t)TOTEM_GRAPHICS | (uint32_t)TOTEM_TASKS << 1 | (uint32_t)TOTEM_PARTITION << 2 |
               (uint32_t)TOTEM_RUNLIST << 3;
    case TOTEM_REG_MACHINE_COUNTS:
        return (uint32_t)TOTEM_FE_COUNT | (uint32_t)TOTEM_PIPES << 8 | (uint32_t)TOTEM_QUEUES << 16 |
               (uint32_t)TOTEM_SE_COUNT << 24;
    case TOTEM_REG_MACHINE_FRONT:
        return (uint32_t)TOTEM_EPOCHS | (uint32_t)TOTEM_LANES << 8 | (uint32_t)TOTEM_COUNT_BITS << 16;
    case TOTEM_REG_MACHINE_ENGINE: return (uint32_t)TOTEM_SLOTS;
    case TOTEM_REG_MACHINE_RESOURCES: return (uint32_t)TOTEM_VGPRS | (uint32_t)TOTEM_LDS << 16;
    case TOTEM_REG_MACHINE_CLOCK_LO: return (uint32_t)s->clock;
    case TOTEM_REG_MACHINE_CLOCK_HI: return s->clock_high;
    case TOTEM_REG_MACHINE_STATUS: return status;
    case TOTEM_REG_MACHINE_ERRORS_LOST: return s->lost;
    case TOTEM_REG_MACHINE_MEMORY_TIMEOUT: return s->settings_timeout;
    case TOTEM_REG_MACHINE_QUANTUM_UNIT0: return s->settings_quantum_unit0;
    case TOTEM_REG_MACHINE_QUANTUM_UNIT1: return s->settings_quantum_unit1;
    case TOTEM_REG_MACHINE_TURN_LIMIT: return s->settings_turn_limit;
    case TOTEM_REG_MACHINE_QUEUE_OPTIONS:
        return (s->settings_event_on_priority_write ? 1u : 0u) | (s->settings_priority_write_open ? 2u : 0u) |
               (s->settings_mqd_save ? 4u : 0u) | (s->settings_task_priority ? 8u : 0u) |
               (s->settings_group_strict ? 16u : 0u) | (s->settings_strict ? 32u : 0u) |
               (s->settings_rsrc3_gfx9 ? 64u : 0u) | (uint32_t)s->settings_die << 8;
    case TOTEM_REG_MACHINE_DEQUEUE_TIMEOUT: return s->settings_dequeue_timeout;
    case TOTEM_REG_MACHINE_ADDRESS_HIGH: return s->settings_address_high;
    case TOTEM_REG_MACHINE_HOST_TIMEOUT: return s->host_timeout;
    case TOTEM_REG_MACHINE_HOLD_AFTER_HIGH: return s->settings_hold_high;
    case TOTEM_REG_MACHINE_HOLD_AFTER_MEDIUM: return s->settings_hold_medium;
    case TOTEM_REG_MACHINE_HOLD_AFTER_LOW: return s->settings_hold_low;
    case TOTEM_REG_MACHINE_HOLD_AFTER_GFX: return s->settings_hold_graphics;
    case TOTEM_REG_MACHINE_PS_RESERVE:
        return s->settings_reserve_slots | (uint32_t)s->settings_reserve_vgprs << 8 |
               (uint32_t)s->settings_reserve_lds << 20;
    case TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL:
        return s->settings_poll_period | (uint32_t)(s->settings_poll_enable ? 1 : 0) << 31;
    default: return 0;
    }
}

void totem_host_outputs(const totem_host *s, totem_host_out *o)
{
    const route r       = find(access_address(s));
    const bool  waiting = s->phase == HOST_WAIT;

    o->s_axil_awready = !s->aw_valid;
    o->s_axil_wready  = !s->w_valid;
    o->s_axil_arready = !s->ar_valid;
    o->s_axil_bvalid  = s->b_valid;
    o->s_axil_bresp   = s->b_error ? RESP_SLVERR : RESP_OKAY;
    o->s_axil_rvalid  = s->r_valid;
    o->s_axil_rresp   = s->r_error ? RESP_SLVERR : RESP_OKAY;
    o->s_axil_rdata   = s->r_data;

    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        o->hqd_valid[p] = waiting && (r.target == TARGET_DOORBELL || r.target == TARGET_WINDOW) && r.index == p;
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        o->tally_valid[p] = waiting && r.target == TARGET_TALLY && r.index == p;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        o->wave_valid[e]  = waiting && r.target == TARGET_ENGINE && r.index == e;
        o->stats_valid[e] = waiting && r.target == TARGET_STATS && r.index == e;

        o->graphics_stats_valid[e] = waiting && r.target == TARGET_RING_STATS && r.index == e;
        o->geometry_stats_valid[e] = waiting && r.target == TARGET_GEOMETRY_STATS && r.index == e;
        o->pixel_stats_valid[e]    = waiting && r.target == TARGET_PIXEL_STATS && r.index == e;
    }
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        const bool ring = waiting && r.index == TOTEM_PIPE_COUNT + f;

        o->graphics_hqd_valid[f]   = ring && (r.target == TARGET_DOORBELL || r.target == TARGET_WINDOW);
        o->graphics_tally_valid[f] = ring && r.target == TARGET_TALLY;
        o->graphics_valid[f]       = waiting && r.target == TARGET_PAGE && r.index == f;
        o->submit_valid[f]         = waiting && r.target == TARGET_TASKS && r.index == f;
    }
    o->events_valid                     = waiting && r.target == TARGET_EVENTS;
    o->controls_valid                   = waiting && r.target == TARGET_CONTROLS;
    o->ledger_valid                     = waiting && r.target == TARGET_LEDGER;
    o->bell_valid                       = waiting && r.target == TARGET_BELL;
    o->proxy_done                       = s->proxy_done;
    o->proxy_error                      = s->proxy_error;
    o->proxy_rdata                      = s->proxy_rdata;
    o->request_write                    = writes(s);
    o->request_quiet                    = s->proxy;
    o->request_doorbell                 = r.target == TARGET_DOORBELL;
    o->request_queue                    = r.queue;
    o->request_dword                    = r.dword;
    o->request_entry                    = TOTEM_RUNLIST != 0 ? access_address(s) / 2 % TOTEM_RUN_QUEUES : 0;
    o->request_strobe                   = strobe(s);
    o->request_data                     = word(s);
    o->settings_timeout                 = s->settings_timeout;
    o->settings_quantum_unit0           = s->settings_quantum_unit0;
    o->settings_quantum_unit1           = s->settings_quantum_unit1;
    o->settings_turn_limit              = s->settings_turn_limit;
    o->settings_event_on_priority_write = s->settings_event_on_priority_write;
    o->settings_priority_write_open     = s->settings_priority_write_open;
    o->settings_mqd_save                = s->settings_mqd_save;
    o->settings_task_priority           = s->settings_task_priority;
    o->settings_group_strict            = s->settings_group_strict;
    o->settings_strict                  = s->settings_strict;
    o->settings_rsrc3_gfx9              = s->settings_rsrc3_gfx9;
    o->settings_die                     = s->settings_die;
    o->settings_dequeue_timeout         = s->settings_dequeue_timeout;
    o->settings_address_high            = s->settings_address_high;
    o->settings_hold_high               = s->settings_hold_high;
    o->settings_hold_medium             = s->settings_hold_medium;
    o->settings_hold_low                = s->settings_hold_low;
    o->settings_hold_graphics           = s->settings_hold_graphics;
    o->settings_reserve_slots           = s->settings_reserve_slots;
    o->settings_reserve_vgprs           = s->settings_reserve_vgprs;
    o->settings_reserve_lds             = s->settings_reserve_lds;
    o->settings_poll_enable             = s->settings_poll_enable;
    o->settings_poll_period             = s->settings_poll_period;
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        for (unsigned q = 0; q < TOTEM_QUEUES; q++)
            o->poll_once[p * TOTEM_QUEUES + q] = (s->poll_once[p] >> q & 1) != 0;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        for (unsigned q = 0; q < TOTEM_GRAPHICS_QUEUES; q++)
            o->graphics_poll_once[f * TOTEM_GRAPHICS_QUEUES + q] = q == 0 && s->ring_poll_once[f];
    o->clock = s->clock;

    o->error_valid = s->error_left != 0;
    o->error_word  = s->error_data;
    if (s->error_left == 2)
        o->error_word =
            (uint64_t)(0x80u + s->error_code) << 56 | (uint64_t)s->error_queue << 48 | (uint64_t)s->error_addr << 2;
}

// The settings of a global dword after a write; false if there are none.
static bool write_setting(totem_host *n, const totem_host *s, uint32_t dword)
{
    uint32_t enabled = 0;
    for (unsigned b = 0; b < 4; b++)
        if ((strobe(s) >> b & 1) != 0)
            enabled |= 0xffu << 8 * b;
    const uint32_t value = (global_value(s, dword, 0) & ~enabled) | (word(s) & enabled);

    switch (dword) {
    case TOTEM_REG_MACHINE_MEMORY_TIMEOUT: n->settings_timeout = value; return true;
    case TOTEM_REG_MACHINE_QUANTUM_UNIT0: n->settings_quantum_unit0 = value & 0xffffff; return true;
    case TOTEM_REG_MACHINE_QUANTUM_UNIT1: n->settings_quantum_unit1 = value & 0xffffff; return true;
    case TOTEM_REG_MACHINE_TURN_LIMIT: n->settings_turn_limit = value & 0xffffff; return true;
    case TOTEM_REG_MACHINE_DEQUEUE_TIMEOUT: n->settings_dequeue_timeout = value & 0xffffff; return true;
    case TOTEM_REG_MACHINE_ADDRESS_HIGH: n->settings_address_high = value; return true;
    case TOTEM_REG_MACHINE_HOST_TIMEOUT: n->host_timeout = value & 0xffffff; return true;
    case TOTEM_REG_MACHINE_HOLD_AFTER_HIGH: n->settings_hold_high = value & 0xffffff; return true;
    case TOTEM_REG_MACHINE_HOLD_AFTER_MEDIUM: n->settings_hold_medium = value & 0xffffff; return true;
    case TOTEM_REG_MACHINE_HOLD_AFTER_LOW: n->settings_hold_low = value & 0xffffff; return true;
    case TOTEM_REG_MACHINE_HOLD_AFTER_GFX: n->settings_hold_graphics = value & 0xffffff; return true;
    case TOTEM_REG_MACHINE_PS_RESERVE:
        n->settings_reserve_slots = value & 0x7f;
        n->settings_reserve_vgprs = value >> 8 & 0xfff;
        n->settings_reserve_lds   = value >> 20 & 0x3ff;
        return true;
    case TOTEM_REG_MACHINE_RING_POLL_ONCE: // reads 0, so the value has what is written
        for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
            n->ring_poll_once[f] = (value >> f & 1) != 0;
        return true;
    case TOTEM_REG_MACHINE_QUEUE_OPTIONS:
        n->settings_event_on_priority_write = (value & 1) != 0;
        n->settings_priority_write_open     = (value >> 1 & 1) != 0;
        n->settings_mqd_save                = (value >> 2 & 1) != 0;
        n->settings_task_priority           = TOTEM_TASKS != 0 && (value >> 3 & 1) != 0;
        n->settings_group_strict            = TOTEM_TASKS != 0 && (value >> 4 & 1) != 0;
        n->settings_strict                  = (value >> 5 & 1) != 0;
        n->settings_rsrc3_gfx9              = (value >> 6 & 1) != 0;
        n->settings_die                     = value >> 8 & 7;
        return true;
    case TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL:
        n->settings_poll_period = (uint8_t)value;
        n->settings_poll_enable = value >> 31 != 0;
        return true;
    case TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL1:
    case TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL1 + 1: // reads 0, so the value has what is written
        for (unsigned b = 0; b < 4; b++) {
            const unsigned p = 4 * (dword - TOTEM_REG_MACHINE_CP_PQ_WPTR_POLL_CNTL1) + b;
            if (p < TOTEM_PIPE_COUNT)
                n->poll_once[p] = (uint8_t)(value >> 8 * b & ((1u << TOTEM_QUEUES) - 1));
        }
        return true;
    default: return false;
    }
}

// 8 Finish: the access ends with an error code (0: none) and, if it is a read, with data.
static void finish(totem_host *n, const totem_host *s, const route *r, uint8_t code, uint32_t data)
{
    n->phase = HOST_IDLE;
    if (s->proxy) {
        n->proxy_done  = true;
        n->proxy_error = code;
        n->proxy_rdata = code != 0 || s->proxy_writes ? 0 : data;
        return;
    }
    if (s->write) {
        n->aw_valid = false;
        n->w_valid  = false;
        n->b_valid  = true;
        n->b_error  = code != 0;
    } else {
        n->ar_valid = false;
        n->r_valid  = true;
        n->r_error  = code != 0;
        n->r_data   = code != 0 ? 0 : data;
    }
    if (code != 0 && s->error_left == 0) {
        n->error_left  = 2;
        n->error_code  = code;
        n->error_queue = r->queue;
        n->error_addr  = access_address(s);
        n->error_data  = s->write ? s->w_data : 0;
    } else if (code != 0 && s->lost != 0xffff)
        n->lost = (uint16_t)(s->lost + 1);
}

// 6 Wait: the target answers.
static void step_answer(totem_host *n, const totem_host *s, const totem_host_in *i, const route *r)
{
    if (r->target == TARGET_EVENTS && i->events_done)
        finish(n, s, r, i->events_error, i->events_rdata);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (r->target == TARGET_ENGINE && r->index == e && i->wave_done[e])
            finish(n, s, r, i->wave_error[e], i->wave_rdata[e]);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (r->target == TARGET_STATS && r->index == e && i->stats_done[e])
            finish(n, s, r, 0, i->stats_rdata[e]);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (r->target == TARGET_RING_STATS && r->index == e && i->graphics_stats_done[e])
            finish(n, s, r, 0, i->graphics_stats_rdata[e]);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (r->target == TARGET_GEOMETRY_STATS && r->index == e && i->geometry_stats_done[e])
            finish(n, s, r, 0, i->geometry_stats_rdata[e]);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (r->target == TARGET_PIXEL_STATS && r->index == e && i->pixel_stats_done[e])
            finish(n, s, r, 0, i->pixel_stats_rdata[e]);
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        if (r->target == TARGET_TASKS && r->index == f && i->submit_done[f])
            finish(n, s, r, i->submit_error[f], i->submit_rdata[f]);
    if (r->target == TARGET_CONTROLS && i->controls_done)
        finish(n, s, r, i->controls_error, i->controls_rdata);
    if (r->target == TARGET_LEDGER && i->ledger_done)
        finish(n, s, r, i->ledger_error, i->ledger_rdata);
    if (r->target == TARGET_BELL && i->bell_done)
        finish(n, s, r, i->bell_error, i->bell_rdata);
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        if ((r->target == TARGET_DOORBELL || r->target == TARGET_WINDOW) && r->index == p && i->hqd_done[p])
            finish(n, s, r, i->hqd_error[p], i->hqd_rdata[p]);
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        if (r->target == TARGET_TALLY && r->index == p && i->tally_done[p])
            finish(n, s, r, 0, i->tally_rdata[p]);
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        const bool hqd = r->target == TARGET_DOORBELL || r->target == TARGET_WINDOW;

        if (hqd && r->index == TOTEM_PIPE_COUNT + f && i->graphics_hqd_done[f])
            finish(n, s, r, i->graphics_hqd_error[f], i->graphics_hqd_rdata[f]);
        if (r->target == TARGET_TALLY && r->index == TOTEM_PIPE_COUNT + f && i->graphics_tally_done[f])
            finish(n, s, r, 0, i->graphics_tally_rdata[f]);
        if (r->target == TARGET_PAGE && r->index == f && i->graphics_done[f])
            finish(n, s, r, i->graphics_error[f], i->graphics_rdata[f]);
    }
}

// 6 Wait, continued: an engine may answer too late.
static void step_wait(totem_host *n, const totem_host *s, const totem_host_in *i, const route *r)
{
    if (s->left != 0)
        n->left = s->left - 1;
    step_answer(n, s, i, r);
    if (n->phase == HOST_WAIT && r->target == TARGET_ENGINE && s->left == 1) {
        finish(n, s, r, TOTEM_ERROR_HOST_TIME_OUT & 31, 0);
        n->owing[r->index % TOTEM_SE_COUNT] = true;
    }
}

// 5 Route
static void step_route(totem_host *n, const totem_host *s, const totem_host_in *i, const route *r)
{
    if (r->target == TARGET_HOLE)
        finish(n, s, r, TOTEM_ERROR_HOST_HOLE & 31, 0);
    else if (r->target == TARGET_ENGINE && s->owing[r->index % TOTEM_SE_COUNT])
        finish(n, s, r, TOTEM_ERROR_HOST_TIME_OUT & 31, 0);
    else if (r->target == TARGET_BELL && access_address(s) % 2 == 1)
        finish(n, s, r, 0, 0);
    else if (r->target != TARGET_GLOBAL) {
        n->phase = HOST_WAIT;
        n->left  = s->host_timeout;
    } else if (!writes(s)) {
        const uint32_t value = global_value(s, r->dword, status(i)) | counter_value(i, r->dword);

        finish(n, s, r, 0, value);
        if (r->dword == TOTEM_REG_MACHINE_CLOCK_LO)
            n->clock_high = (uint32_t)(s->clock >> 32);
    } else if (r->dword == TOTEM_REG_MACHINE_PS_RESERVE && !i->rings_idle) {
        finish(n, s, r, TOTEM_ERROR_HOST_LOCKED & 31, 0);
    } else {
        const bool known = write_setting(n, s, r->dword);
        finish(n, s, r, known ? 0 : TOTEM_ERROR_HOST_READ_ONLY & 31, 0);
    }
}

void totem_host_step(totem_host *s, const totem_host_in *i)
{
    totem_host     n = *s; // what follows the clock edge; s stays as it was before
    const uint32_t a = access_address(s);
    const route    r = find(a);

    // 1 Clock
    n.clock = s->clock + 1;
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        n.poll_once[p] = 0;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        n.ring_poll_once[f] = false;
    n.proxy_done = false;

    // 2 Channels
    if (i->s_axil_awvalid && !s->aw_valid) {
        n.aw_valid = true;
        n.aw_addr  = i->s_axil_awaddr >> 2;
    }
    if (i->s_axil_wvalid && !s->w_valid) {
        n.w_valid  = true;
        n.w_data   = i->s_axil_wdata;
        n.w_strobe = i->s_axil_wstrb;
    }
    if (i->s_axil_arvalid && !s->ar_valid) {
        n.ar_valid = true;
        n.ar_addr  = i->s_axil_araddr >> 2;
    }
    if (s->b_valid && i->s_axil_bready)
        n.b_valid = false;
    if (s->r_valid && i->s_axil_rready)
        n.r_valid = false;

    // 3 Error message
    if (s->error_left != 0 && i->events_error_ready)
        n.error_left = (uint8_t)(s->error_left - 1);

    switch (s->phase) {
    // 4 Choice
    case HOST_IDLE: {
        const bool can_write = s->aw_valid && s->w_valid && !s->b_valid;
        const bool can_read  = s->ar_valid && !s->r_valid;
        const bool can_proxy = i->proxy_valid && !s->proxy_done;

        const bool proxy_goes = can_proxy && !(s->proxy && (can_write || can_read));
        if (proxy_goes) {
            n.phase        = HOST_ROUTE;
            n.proxy        = true;
            n.proxy_writes = i->proxy_write;
            n.proxy_addr   = i->proxy_address;
            n.proxy_word   = i->proxy_data;
        } else if (can_write || can_read) {
            n.phase = HOST_ROUTE;
            n.proxy = false;
            n.write = can_write && !(can_read && s->write);
        }
        break;
    }
    case HOST_ROUTE: step_route(&n, s, i, &r); break;
    case HOST_WAIT: step_wait(&n, s, i, &r); break;
    // 7 No phase
    default: n.phase = HOST_IDLE; break;
    }

    // 9 Late
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (i->wave_done[e])
            n.owing[e] = false;

    *s = n;
}

bool totem_host_invariant(const totem_host *s)
{
    const route r = find(access_address(s));

    bool holds = s->phase <= HOST_WAIT && s->error_left <= 2;
    if (s->phase != HOST_IDLE && !s->proxy && s->write)
        holds = holds && s->aw_valid && s->w_valid && !s->b_valid;
    if (s->phase != HOST_IDLE && !s->proxy && !s->write)
        holds = holds && s->ar_valid && !s->r_valid;
    if (s->phase == HOST_WAIT)
        holds = holds && r.target != TARGET_HOLE && r.target != TARGET_GLOBAL;
    return holds;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_view: twin of rtl/queue/totem_view.v, from docs/contract/view.md.

#include "totem_view.h"

#include "../host/totem_regs_map.h"
#include "totem_hqd_values.h"

#define REG(name) TOTEM_REG_QUEUE_##name

static bool selected(const totem_view_in *i, unsigned q)
{
    return i->arbiter_selected_valid && i->arbiter_selected == q;
}

// Something of the ring or of a buffer is to be executed; while a switch loads the queue the buffer is closed for a
// moment.
static bool waiting(const totem_view_in *i, unsigned q)
{
    return i->hqd_active[q] && (i->fetch_pending[q] || i->hqd_request[q] == REQUEST_SWITCH_LOAD);
}

static bool idle(const totem_view_in *i, unsigned q)
{
    return i->fence_idle[q] && !i->packet_unfinished[q] && !waiting(i, q);
}

static bool halted(const totem_view_in *i, unsigned q)
{
    return i->hqd_active[q] && i->packet_halted[q];
}

static bool flushing(const totem_view_in *i, unsigned q)
{
    return !i->fence_flushed[q] && i->packet_wait_flush[q];
}

static bool lacking(const totem_view_in *i, unsigned q)
{
    return !i->fence_room[q] && i->packet_wait_epoch[q];
}

static uint32_t with_bit(uint32_t word, unsigned bit, bool value)
{
    return (word & ~(1u << bit)) | (value ? 1u : 0u) << bit;
}

static uint32_t reason(const totem_view_in *i, unsigned q)
{
    const uint8_t request = i->hqd_request[q];
    if (i->hqd_killing[q])
        return REG(STATE_REASON_KILLING);
    if (request == REQUEST_PRELOAD && i->mqd_records_differ[q] && !i->hqd_leaving[q])
        return REG(STATE_REASON_RECORDS);
    if ((request == REQUEST_PRELOAD || request == REQUEST_WINDOW) && !i->hqd_leaving[q])
        return REG(STATE_REASON_MAPPING);
    if (!i->hqd_active[q])
        return REG(STATE_REASON_UNMAPPED);
    if (i->hqd_leaving[q])
        return REG(STATE_REASON_LEAVING);
    if (request == REQUEST_SWITCH_SAVE || request == REQUEST_SWITCH_LOAD)
        return REG(STATE_REASON_MOVING);
    if (selected(i, q))
        return REG(STATE_REASON_RUNNING);
    if (halted(i, q))
        return REG(STATE_REASON_HALTED);
    if (flushing(i, q))
        return REG(STATE_REASON_FLUSH);
    if (lacking(i, q))
        return REG(STATE_REASON_EPOCH);
    if (i->poll_waiting[q] || (q == 0 && i->schedule_waiting))
        return REG(STATE_REASON_WAIT);
    if (i->arbiter_ready[q])
        return REG(STATE_REASON_WAITS_TURN);
    if (!i->fetch_pending[q])
        return REG(STATE_REASON_EMPTY);
    return REG(STATE_REASON_LINE);
}

static uint32_t state_word(const totem_view_in *i, unsigned q)
{
    const bool bits[16] = {i->hqd_active[q],
                           selected(i, q),
                           i->arbiter_ready[q],
                           waiting(i, q),
                           i->fetch_line[q],
                           i->packet_unfinished[q],
                           halted(i, q),
                           flushing(i, q),
                           lacking(i, q),
                           idle(i, q),
                           i->hqd_leaving[q],
                           i->fence_room[q],
                           i->poll_waiting[q],
                           i->record_top_pending[q],
                           i->record_end_pending[q],
                           i->poll_polled[q] || i->poll_once[q]};
    uint32_t   word     = reason(i, q) << 16;
    for (unsigned b = 0; b < 16; b++)
        word = with_bit(word, b, bits[b]);
    return word;
}

static uint32_t value(const totem_view_in *i, unsigned q)
{
    const uint32_t data = i->window_data;
    switch (i->hqd_shown_dword) {
    case REG(CP_HQD_ACTIVE): return with_bit(data, 0, i->hqd_active[q]);
    case REG(CP_HQD_DEQUEUE_REQUEST): return (data & ~7u) | i->hqd_dequeue[q];
    case REG(CP_HQD_QUEUE_PRIORITY): return (data & ~15u) | i->arbiter_queue_priority[q];
    case REG(CP_HQD_QUANTUM): return with_bit(data, 31, selected(i, q) && (data & 1) != 0);
    case REG(CP_HQD_PQ_RPTR): return i->hqd_active[q] ? i->fetch_rptr[q] : data;
    case REG(CP_HQD_PQ_CONTROL): return with_bit(data, 15, !waiting(i, q));
    case REG(CP_HQD_HQ_STATUS0): return with_bit(data, 30, idle(i, q));
    case REG(CP_HQD_PQ_WPTR_LO): return i->hqd_active[q] ? i->fetch_wptr[q] : data;
    case REG(RPTR): return i->fetch_rptr[q];
    case REG(WPTR): return i->fetch_wptr[q];
    case REG(WAVES): return i->fence_waves[q];
    case REG(STATE): return state_word(i, q);
    case REG(SEQUENCE):
    case REG(SEQUENCE_ENDED): return i->sequence_data;
    case REG(MAP):
    case REG(CONTROL): return 0;
    default: return data;
    }
}

void totem_view_outputs(const totem_view_in *i, totem_view_out *o)
{
    const unsigned q = i->hqd_shown_queue & (TOTEM_QUEUES - 1u);

    o->value   = value(i, q);
    o->waiting = waiting(i, q);
    o->stopped = i->packet_halted[q] && !selected(i, q);
}

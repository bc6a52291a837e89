// SPDX-License-Identifier: Apache-2.0
//
// totem_view: what the dwords of a window read, bit by bit, and the reasons in their order (docs/contract/view.md).

#include "block_bench.h"

#include "totem_hqd_values.h"
#include "totem_view.h"

enum { Q = TOTEM_QUEUES - 2, OTHER = Q + 1 };

// Another queue has everything that Q has not.
static void others_differ(totem_view_in *i)
{
    memset(i, 0, sizeof *i);
    i->fetch_rptr[OTHER] = i->fetch_wptr[OTHER] = 0xffffffff;
    i->fence_waves[OTHER]                       = 0xffff;
    i->arbiter_queue_priority[OTHER]            = 15;
    i->hqd_dequeue[OTHER]                       = 7;
    i->hqd_request[OTHER]                       = REQUEST_SWITCH_LOAD;
    i->hqd_active[OTHER] = i->hqd_leaving[OTHER] = i->hqd_killing[OTHER] = i->arbiter_ready[OTHER] =
        i->fetch_pending[OTHER] = i->fetch_line[OTHER] = i->packet_unfinished[OTHER] = i->packet_halted[OTHER] =
            i->packet_wait_flush[OTHER] = i->packet_wait_epoch[OTHER] = i->poll_waiting[OTHER] = i->poll_polled[OTHER] =
                i->poll_once[OTHER] = i->fence_room[OTHER] = i->fence_flushed[OTHER] = i->fence_idle[OTHER] =
                    i->record_top_pending[OTHER] = i->record_end_pending[OTHER] = i->mqd_records_differ[OTHER] = true;
}

#define RULE(name) RULE_OF(totem_view_in, others_differ, i, name)

static totem_view_out of_q(totem_view_in *i)
{
    totem_view_out o;
    i->hqd_shown_queue = Q;
    totem_view_outputs(i, &o);
    return o;
}

// A dword of queue Q; what is stored there is `stored`.
static void reads(totem_view_in *i, uint8_t dword, uint32_t stored, uint32_t expected)
{
    i->hqd_shown_dword = dword;
    i->window_data     = stored;
    assert_int_equal(of_q(i).value, expected);
}

// A step of a story: this input, of one byte, becomes that.
typedef struct {
    size_t  input;
    uint8_t value;
} change;

#define SET(field, value)                     \
    {                                         \
        offsetof(totem_view_in, field), value \
    }

static void apply(totem_view_in *i, change c)
{
    ((uint8_t *)i)[c.input] = c.value;
}

RULE(live_values)
{
    i->fetch_rptr[Q]             = 0x11110000;
    i->fetch_wptr[Q]             = 0x22220000;
    i->fence_waves[Q]            = 0xff01;
    i->arbiter_queue_priority[Q] = 9;
    i->hqd_dequeue[Q]            = 5;
    i->fence_idle[Q]             = true;
    i->fetch_pending[Q]          = true;
    reads(i, 10, 0x1000, 0x1000); // unmapped: what was stored, empty and idle
    reads(i, 54, 0x1008, 0x1008);
    reads(i, 17, 0x00300509, 0x00308509);
    reads(i, 32, 0, 0x40000000);
    reads(i, 2, 0xffffffff, 0xfffffffe);
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        i->hqd_active[Q] = mapped;
        reads(i, 56, 7, 0x11110000);
        reads(i, 57, 7, 0x22220000);
        reads(i, 58, 7, 0xff01);
        reads(i, 6, 0xfffffff0, 0xfffffff9);
        reads(i, 24, 0xf8, 0xfd);
    }
    reads(i, 2, 0, 1);
    reads(i, 10, 0x1000, 0x11110000);
    reads(i, 54, 0x1008, 0x22220000);
    reads(i, 32, 0xffffffff, 0xbfffffff);
    i->arbiter_selected = Q;
    reads(i, 7, 0x511, 0x511); // without valid
    i->arbiter_selected_valid = true;
    reads(i, 7, 0x511, 0x80000511);
    reads(i, 7, 0xffffff10, 0x7fffff10); // no quantum
    i->arbiter_selected = OTHER;
    reads(i, 7, 0x511, 0x511);
}

// Each bit of STATE, and the reasons, each over those of the rows before.
RULE(state_word)
{
    enum {
        MAPPED   = 1 << 0,
        SELECTED = 1 << 1,
        READY    = 1 << 2,
        PENDING  = 1 << 3,
        LINE     = 1 << 4,
        GRID     = 1 << 5,
        HALTED   = 1 << 6,
        FLUSH    = 1 << 7,
        EPOCH    = 1 << 8,
        IDLE     = 1 << 9,
        LEAVING  = 1 << 10,
        ROOM     = 1 << 11,
        WAITING  = 1 << 12,
        TOP      = 1 << 13,
        END      = 1 << 14,
        POLLED   = 1 << 15,
        RUNNABLE = MAPPED | READY | PENDING,
        RUNS     = RUNNABLE | SELECTED | HALTED | FLUSH | EPOCH
    };
    static const struct {
        change   set;
        uint8_t  reason;
        uint16_t bits;
    } rows[] = {
        {SET(fence_flushed[Q], 1), 2, 0},
        {SET(fence_room[Q], 1), 2, ROOM},
        {SET(fence_idle[Q], 1), 2, ROOM | IDLE},
        {SET(fence_room[Q], 0), 2, IDLE},
        {SET(fence_idle[Q], 0), 2, 0},
        {SET(packet_halted[Q], 1), 2, 0}, // of the mapping before
        {SET(packet_halted[Q], 0), 2, 0},
        {SET(hqd_active[Q], 1), 8, MAPPED}, // nothing to do
        {SET(fetch_line[Q], 1), 8, MAPPED | LINE},
        {SET(fetch_line[Q], 0), 8, MAPPED},
        {SET(packet_unfinished[Q], 1), 8, MAPPED | GRID}, // its write pointer is to come
        {SET(packet_unfinished[Q], 0), 8, MAPPED},
        {SET(fetch_pending[Q], 1), 7, MAPPED | PENDING},
        {SET(arbiter_ready[Q], 1), 1, RUNNABLE},
        {SET(poll_waiting[Q], 1), 9, RUNNABLE | WAITING},
        {SET(fence_room[Q], 1), 9, RUNNABLE | WAITING | ROOM},
        {SET(packet_wait_epoch[Q], 1), 9, RUNNABLE | WAITING | ROOM}, // there is one again
        {SET(fence_room[Q], 0), 6, RUNNABLE | WAITING | EPOCH},
        {SET(poll_waiting[Q], 0), 6, RUNNABLE | EPOCH},
        {SET(packet_wait_flush[Q], 1), 6, RUNNABLE | EPOCH}, // it was one, and is over
        {SET(fence_flushed[Q], 0), 5, RUNNABLE | EPOCH | FLUSH},
        {SET(packet_halted[Q], 1), 4, RUNNABLE | EPOCH | FLUSH | HALTED},
        {SET(arbiter_selected_valid, 1), 0, RUNS},
        {SET(poll_polled[Q], 1), 0, RUNS | POLLED},
        {SET(poll_polled[Q], 0), 0, RUNS},
        {SET(poll_once[Q], 1), 0, RUNS | POLLED},
        {SET(poll_once[Q], 0), 0, RUNS},
        {SET(record_top_pending[Q], 1), 0, RUNS | TOP},
        {SET(record_top_pending[Q], 0), 0, RUNS},
        {SET(record_end_pending[Q], 1), 0, RUNS | END},
        {SET(record_end_pending[Q], 0), 0, RUNS},
        {SET(hqd_request[Q], REQUEST_SWITCH_SAVE), 13, RUNS},
        {SET(hqd_request[Q], REQUEST_SWITCH_LOAD), 13, RUNS},
        {SET(hqd_leaving[Q], 1), 3, RUNS | LEAVING},
        {SET(hqd_request[Q], REQUEST_PRELOAD), 3, RUNS | LEAVING}, // called off
        {SET(mqd_records_differ[Q], 1), 3, RUNS | LEAVING},
        {SET(hqd_leaving[Q], 0), 11, RUNS},
        {SET(mqd_records_differ[Q], 0), 10, RUNS},
        {SET(hqd_request[Q], REQUEST_SAVE), 0, RUNS},
        {SET(hqd_killing[Q], 1), 12, RUNS},
    };
    i->arbiter_selected = Q;
    for (unsigned n = 0; n < COUNT(rows); n++) {
        apply(i, rows[n].set);
        reads(i, 59, n == 0 ? 0xffffffff : 0, (uint32_t)rows[n].reason << 16 | rows[n].bits);
    }
    i->hqd_active[Q]         = false;
    i->hqd_killing[Q]        = false;
    i->hqd_request[Q]        = REQUEST_WINDOW;
    i->mqd_records_differ[Q] = true;
    assert_int_equal(of_q(i).value >> 16, 10);
    i->hqd_killing[Q] = true;
    assert_int_equal(of_q(i).value >> 16, 12);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_view: what the dwords of a window read, bit by bit, and the reasons in their order (docs/contract/view.md).

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "totem_view.h"

enum { Q = TOTEM_QUEUES - 2, OTHER = Q + 1 };
enum { JOB_PRELOAD = 1, JOB_WINDOW = 2, JOB_SAVE = 3, TO_MEMORY = 5, FROM_MEMORY = 6 }; // jobs of mqd

// A dword of queue Q; what is stored there is `stored`.
static uint32_t reads(totem_view_in *i, uint8_t dword, uint32_t stored)
{
    totem_view_out o;
    i->hqd_shown_queue = Q;
    i->hqd_shown_dword = dword;
    i->window_data     = stored;
    totem_view_outputs(i, &o);
    return o.value;
}

static bool shows(totem_view_in *i, bool waiting, bool stopped)
{
    totem_view_out o;
    i->hqd_shown_queue = Q;
    totem_view_outputs(i, &o);
    return o.waiting == waiting && o.stopped == stopped;
}

// Another queue has everything that Q has not.
static void others_differ(totem_view_in *i)
{
    i->fetch_rptr[OTHER] = i->fetch_wptr[OTHER] = 0xffffffff;
    i->fence_waves[OTHER]                       = 0xffff;
    i->arbiter_queue_priority[OTHER]            = 15;
    i->hqd_dequeue[OTHER]                       = 7;
    i->hqd_request[OTHER]                       = FROM_MEMORY;
    i->hqd_active[OTHER] = i->hqd_leaving[OTHER] = i->hqd_killing[OTHER] = i->arbiter_ready[OTHER] =
        i->fetch_pending[OTHER] = i->fetch_line[OTHER] = i->packet_unfinished[OTHER] = i->packet_halted[OTHER] =
            i->packet_wait_flush[OTHER] = i->packet_wait_epoch[OTHER] = i->poll_waiting[OTHER] = i->poll_polled[OTHER] =
                i->poll_once[OTHER] = i->fence_room[OTHER] = i->fence_flushed[OTHER] = i->fence_idle[OTHER] =
                    i->record_top_pending[OTHER] = i->record_end_pending[OTHER] = i->mqd_behind[OTHER] = true;
}

static void stored_dwords(void **state)
{
    totem_view_in i;
    (void)state;
    memset(&i, 0, sizeof i);
    others_differ(&i);
    for (uint8_t d = 0; d < 56; d++) {
        const bool     live   = d == 2 || d == 6 || d == 7 || d == 17 || d == 24 || d == 32;
        const uint32_t masked = d == 2    ? 1
                                : d == 6  ? 15
                                : d == 7  ? 1u << 31
                                : d == 17 ? 1u << 15
                                : d == 24 ? 7
                                : d == 32 ? 1u << 30
                                          : 0;
        assert_int_equal(reads(&i, d, 0x5aa5c33cu) & ~masked, 0x5aa5c33cu & ~masked);
        assert_int_equal(reads(&i, d, ~0x5aa5c33cu) & ~masked, ~0x5aa5c33cu & ~masked);
        assert_true(live || masked == 0);
    }
    i.sequence_data = 0x12345678;
    for (uint8_t d = 60; d < 64; d++)
        assert_int_equal(reads(&i, d, 0xffffffff), d == 61 || d == 62 ? 0x12345678 : 0);
}

static void live_values(void **state)
{
    totem_view_in i;
    (void)state;
    memset(&i, 0, sizeof i);
    others_differ(&i);
    i.fetch_rptr[Q]             = 0x11110000;
    i.fetch_wptr[Q]             = 0x22220000;
    i.fence_waves[Q]            = 0xff01;
    i.arbiter_queue_priority[Q] = 9;
    i.hqd_dequeue[Q]            = 5;
    i.fence_idle[Q]             = true;
    i.fetch_pending[Q]          = true;
    assert_int_equal(reads(&i, 10, 0x1000), 0x1000); // unmapped: what was stored, empty and idle
    assert_int_equal(reads(&i, 54, 0x1008), 0x1008);
    assert_int_equal(reads(&i, 17, 0x00300509), 0x00308509);
    assert_int_equal(reads(&i, 32, 0), 0x40000000);
    assert_int_equal(reads(&i, 2, 0xffffffff), 0xfffffffe);
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        i.hqd_active[Q] = mapped;
        assert_int_equal(reads(&i, 56, 7), 0x11110000);
        assert_int_equal(reads(&i, 57, 7), 0x22220000);
        assert_int_equal(reads(&i, 58, 7), 0xff01);
        assert_int_equal(reads(&i, 6, 0xfffffff0), 0xfffffff9);
        assert_int_equal(reads(&i, 24, 0xf8), 0xfd);
    }
    assert_int_equal(reads(&i, 2, 0), 1);
    assert_int_equal(reads(&i, 10, 0x1000), 0x11110000);
    assert_int_equal(reads(&i, 54, 0x1008), 0x22220000);
    assert_int_equal(reads(&i, 17, 0x00308509), 0x00300509);
    assert_int_equal(reads(&i, 32, 0xffffffff), 0xbfffffff);
    i.fetch_pending[Q] = false;
    assert_int_equal(reads(&i, 17, 0x00300509), 0x00308509);
    assert_int_equal(reads(&i, 32, 0), 0x40000000);
    i.hqd_request[Q] = FROM_MEMORY; // its buffer is open again in a moment
    assert_int_equal(reads(&i, 17, 0x00308509), 0x00300509);
    assert_int_equal(reads(&i, 32, 0), 0);
    i.hqd_request[Q]       = TO_MEMORY;
    i.packet_unfinished[Q] = true;
    assert_int_equal(reads(&i, 32, 0), 0);
    i.packet_unfinished[Q] = false;
    i.fence_idle[Q]        = false;
    assert_int_equal(reads(&i, 32, 0), 0);
    i.fence_idle[Q]    = true;
    i.arbiter_selected = Q;
    assert_int_equal(reads(&i, 7, 0x511), 0x511); // without valid
    i.arbiter_selected_valid = true;
    assert_int_equal(reads(&i, 32, 0), 0x40000000); // alone and with nothing to do it keeps the pipe
    assert_int_equal(reads(&i, 7, 0x511), 0x80000511);
    assert_int_equal(reads(&i, 7, 0xffffff10), 0x7fffff10); // no quantum
    i.arbiter_selected = OTHER;
    assert_int_equal(reads(&i, 7, 0x511), 0x511);
}

// Each bit of STATE alone, and the reasons, each over those behind it.
static void state_word(void **state)
{
    totem_view_in i;
    (void)state;
    memset(&i, 0, sizeof i);
    others_differ(&i);
    i.fence_flushed[Q] = true;
    assert_int_equal(reads(&i, 59, 0xffffffff), 2u << 16);
    i.fence_room[Q] = i.fence_idle[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 2u << 16 | 1u << 11 | 1u << 9);
    i.fence_room[Q] = i.fence_idle[Q] = false;
    i.packet_halted[Q]                = true; // of the mapping before
    assert_int_equal(reads(&i, 59, 0), 2u << 16);
    i.packet_halted[Q] = false;
    i.hqd_active[Q]    = true;
    assert_int_equal(reads(&i, 59, 0), 8u << 16 | 1u); // nothing to do
    i.fetch_line[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 8u << 16 | 1u << 4 | 1u);
    i.fetch_line[Q]        = false;
    i.packet_unfinished[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 8u << 16 | 1u << 5 | 1u); // its write pointer is to come
    i.packet_unfinished[Q] = false;
    i.fetch_pending[Q]     = true;
    assert_int_equal(reads(&i, 59, 0), 7u << 16 | 1u << 3 | 1u);
    i.arbiter_ready[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 1u << 16 | 1u << 3 | 1u << 2 | 1u);
    i.poll_waiting[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 9u << 16 | 1u << 12 | 1u << 3 | 1u << 2 | 1u);
    i.packet_wait_epoch[Q] = true;
    i.fence_room[Q]        = true; // there is one again
    assert_int_equal(reads(&i, 59, 0), 9u << 16 | 1u << 12 | 1u << 11 | 1u << 3 | 1u << 2 | 1u);
    i.fence_room[Q] = false;
    assert_int_equal(reads(&i, 59, 0), 6u << 16 | 1u << 12 | 1u << 8 | 1u << 3 | 1u << 2 | 1u);
    i.poll_waiting[Q] = false;
    assert_int_equal(reads(&i, 59, 0), 6u << 16 | 1u << 8 | 1u << 3 | 1u << 2 | 1u);
    i.packet_wait_flush[Q] = true; // it was one, and is over
    assert_int_equal(reads(&i, 59, 0), 6u << 16 | 1u << 8 | 1u << 3 | 1u << 2 | 1u);
    i.fence_flushed[Q] = false;
    assert_int_equal(reads(&i, 59, 0), 5u << 16 | 3u << 7 | 1u << 3 | 1u << 2 | 1u);
    i.packet_halted[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 4u << 16 | 7u << 6 | 1u << 3 | 1u << 2 | 1u);
    i.arbiter_selected       = Q;
    i.arbiter_selected_valid = true;
    const uint32_t bits      = 7u << 6 | 1u << 3 | 1u << 2 | 1u << 1 | 1u;
    assert_int_equal(reads(&i, 59, 0), bits);
    i.poll_polled[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 1u << 15 | bits);
    i.poll_polled[Q] = false;
    i.poll_once[Q]   = true;
    assert_int_equal(reads(&i, 59, 0), 1u << 15 | bits);
    i.poll_once[Q]          = false;
    i.record_top_pending[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 1u << 13 | bits);
    i.record_top_pending[Q] = false;
    i.record_end_pending[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 1u << 14 | bits);
    i.record_end_pending[Q] = false;
    i.hqd_request[Q]        = TO_MEMORY;
    assert_int_equal(reads(&i, 59, 0), 13u << 16 | bits);
    i.hqd_request[Q] = FROM_MEMORY;
    assert_int_equal(reads(&i, 59, 0), 13u << 16 | bits);
    i.hqd_leaving[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 3u << 16 | 1u << 10 | bits);
    i.hqd_request[Q] = JOB_PRELOAD; // called off
    i.mqd_behind[Q]  = true;
    assert_int_equal(reads(&i, 59, 0), 3u << 16 | 1u << 10 | bits);
    i.hqd_leaving[Q] = false;
    assert_int_equal(reads(&i, 59, 0), 11u << 16 | bits);
    i.mqd_behind[Q] = false;
    assert_int_equal(reads(&i, 59, 0), 10u << 16 | bits);
    i.hqd_request[Q] = JOB_SAVE;
    assert_int_equal(reads(&i, 59, 0), bits);
    i.hqd_killing[Q] = true;
    assert_int_equal(reads(&i, 59, 0), 12u << 16 | bits);
    i.hqd_active[Q]  = false;
    i.hqd_killing[Q] = false;
    i.hqd_request[Q] = JOB_WINDOW;
    i.mqd_behind[Q]  = true;
    assert_int_equal(reads(&i, 59, 0) >> 16, 10);
    i.hqd_killing[Q] = true;
    assert_int_equal(reads(&i, 59, 0) >> 16, 12);
}

static void waits_and_stops(void **state)
{
    totem_view_in i;
    (void)state;
    memset(&i, 0, sizeof i);
    others_differ(&i);
    assert_true(shows(&i, false, false));
    i.fetch_pending[Q] = true;
    assert_true(shows(&i, false, false));
    i.hqd_active[Q] = true;
    assert_true(shows(&i, true, false));
    i.packet_halted[Q] = true;
    assert_true(shows(&i, true, true));
    i.arbiter_selected = Q;
    assert_true(shows(&i, true, true));
    i.arbiter_selected_valid = true;
    assert_true(shows(&i, true, false));
    i.arbiter_selected = OTHER;
    i.fetch_pending[Q] = false;
    assert_true(shows(&i, false, true));
    i.hqd_request[Q] = FROM_MEMORY;
    assert_true(shows(&i, true, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_dwords),
        cmocka_unit_test(live_values),
        cmocka_unit_test(state_word),
        cmocka_unit_test(waits_and_stops),
    };

    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}

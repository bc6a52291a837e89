// SPDX-License-Identifier: Apache-2.0
//
// totem_feed (docs/contract/feed.md): every input has a value of its own, so that each output shows where it comes
// from.

#include "tests.h"

#include "totem_feed.h"

// The ring has values from 1 on, tasks from 65 on; bits that a task must not see are 1 at the ring, and the reverse.
static totem_feed_in both(bool task)
{
    totem_feed_in i = {
        .runner_on                   = task,
        .execute_start_resume        = !task,
        .execute_start_fresh_at_zero = true,
        .execute_start_partial       = true,
        .execute_start_end           = 1,
        .execute_dispatch_waves      = 2,
        .execute_dispatch_threads    = 3,
        .bank_origin                 = 4,
        .bank_restart                = 5,
        .bank_restart_mask           = 6,
        .bank_restart_end            = 7,
        .bank_restart_origin         = 8,
        .bank_program_addr           = 9,
        .bank_vgprs                  = 10,
        .bank_lds                    = 11,
        .bank_words                  = 12,
        .ring_low_data               = 13,
        .ring_high_data              = 14,
        .runner_waves                = 66,
        .runner_threads              = 67,
        .task_restart                = 69,
        .task_restart_mask           = 70,
        .task_restart_end            = 71,
        .task_program_addr           = 73,
        .task_vgprs                  = 74,
        .task_lds                    = 75,
        .task_words                  = 15,
        .task_low_data               = 77,
        .task_high_data              = 78,
    };
    return i;
}

static totem_feed_out feed(const totem_feed_in *i)
{
    totem_feed_out o;
    totem_feed_outputs(i, &o);
    return o;
}

TEST(a_ring_has_its_own)
{
    totem_feed_in        i = both(false);
    const totem_feed_out o = feed(&i);

    assert_true(o.start_resume && o.start_fresh_at_zero && o.start_partial);
    assert_false(o.wave32);
    assert_int_equal(o.start_end, 1);
    assert_int_equal(o.waves, 2);
    assert_int_equal(o.threads, 3);
    assert_int_equal(o.origin, 4);
    assert_int_equal(o.restart, 5);
    assert_int_equal(o.restart_mask, 6);
    assert_int_equal(o.restart_end, 7);
    assert_int_equal(o.restart_origin, 8);
    assert_int_equal(o.program_addr, 9);
    assert_int_equal(o.vgprs, 10);
    assert_int_equal(o.lds, 11);
    assert_int_equal(o.words, 12);
    assert_int_equal(o.low_data, 13);
    assert_int_equal(o.high_data, 14);
}

// An unfinished grid from work-group 0, 0, 0 on, of waves of 32 threads, whatever the ring has.
TEST(a_task_has_its_own)
{
    totem_feed_in        i = both(true);
    const totem_feed_out o = feed(&i);

    assert_true(o.start_resume && o.wave32);
    assert_false(o.start_fresh_at_zero || o.start_partial);
    assert_int_equal(o.start_end, 0);
    assert_int_equal(o.waves, 66);
    assert_int_equal(o.threads, 67);
    assert_int_equal(o.origin, 0);
    assert_int_equal(o.restart, 69);
    assert_int_equal(o.restart_mask, 70);
    assert_int_equal(o.restart_end, 71);
    assert_int_equal(o.restart_origin, 0);
    assert_int_equal(o.program_addr, 73);
    assert_int_equal(o.vgprs, 74);
    assert_int_equal(o.lds, 75);
    assert_int_equal(o.words, 15);
    assert_int_equal(o.low_data, 77);
    assert_int_equal(o.high_data, 78);
}

// Start and stop come from the side that has walker and dispatch controller, and only from there.
TEST(one_side_starts_and_stops)
{
    for (unsigned n = 0; n < 32; n++) {
        const totem_feed_in  i    = {.runner_on     = n & 1,
                                     .runner_start  = n & 2,
                                     .execute_start = n & 4,
                                     .runner_stop   = n & 8,
                                     .execute_stop  = n & 16};
        const totem_feed_out o    = feed(&i);
        const bool           task = n & 1;
        assert_int_equal(o.start, task ? (n & 2) != 0 : (n & 4) != 0);
        assert_int_equal(o.stop, task ? (n & 8) != 0 : (n & 16) != 0);
    }
}

// Ring and task run on the engines that they name.
TEST(engines)
{
    for (unsigned set = 0; set < 1u << TOTEM_SE_COUNT; set++)
        for (unsigned task = 0; task < 2; task++) {
            totem_feed_in i = both(task);
            for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
                (task ? i.task_engines : i.bank_engines)[e] = set >> e & 1;
            const totem_feed_out o = feed(&i);
            for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
                assert_int_equal(o.engines[e], set >> e & 1);
        }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_drain: what a slot that leaves waits for, every case of a queue (docs/contract/drain.md).

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "totem_drain.h"

enum { RESET = 2, LEAVE = 4 };

static void every_case(void **state)
{
    (void)state;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        for (unsigned type = 0; type <= LEAVE; type++)
            for (unsigned bits = 0; bits < 128; bits++) {
                const bool      killing = bits & 1, ended = bits & 2, settled = bits & 4, record = bits & 8;
                const bool      report = bits & 16, active = bits & 32, rest = bits & 64;
                totem_drain_in  i;
                totem_drain_out o;
                memset(&i, 0, sizeof i);
                for (unsigned n = 0; n < TOTEM_QUEUES; n++) { // the others do not count
                    i.hqd_dequeue[n]     = rest ? LEAVE : 0;
                    i.hqd_killing[n]     = rest;
                    i.kill_ended[n]      = rest;
                    i.fence_settled[n]   = rest;
                    i.record_busy[n]     = rest;
                    i.fetch_reporting[n] = !rest;
                    i.arbiter_active[n]  = rest;
                }
                i.hqd_dequeue[q]     = (uint8_t)type;
                i.hqd_killing[q]     = killing;
                i.kill_ended[q]      = ended;
                i.fence_settled[q]   = settled;
                i.record_busy[q]     = record;
                i.fetch_reporting[q] = report;
                i.arbiter_active[q]  = active;
                totem_drain_outputs(&i, &o);
                const bool waves = type == RESET ? killing && ended : type == LEAVE || settled;
                assert_int_equal(o.drained[q], waves && !record && !report);
                assert_int_equal(o.free[q], !active && !record && !report);
            }
}

static void who_has_the_pipe(void **state)
{
    (void)state;
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++)
        for (unsigned valid = 0; valid < 2; valid++) {
            totem_drain_in  i;
            totem_drain_out o;
            memset(&i, 0, sizeof i);
            i.arbiter_selected       = q;
            i.arbiter_selected_valid = valid;
            totem_drain_outputs(&i, &o);
            for (unsigned n = 0; n < TOTEM_QUEUES; n++)
                assert_int_equal(o.away[n], !valid || n != q);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case),
        cmocka_unit_test(who_has_the_pipe),
    };

    return cmocka_run_group_tests_name("drain", tests, NULL, NULL);
}

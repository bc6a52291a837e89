// SPDX-License-Identifier: Apache-2.0
//
// totem_access: whose turn it is, and what the one served asks for (docs/contract/access.md).

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "totem_access.h"

enum { HOST, MQD, POLL, ASKERS };

static totem_access_in three(void)
{
    totem_access_in i;
    memset(&i, 0, sizeof i);
    i.host_queue        = 1;
    i.host_dword        = 0xca; // 10, and bits that are ignored
    i.host_strobe       = 5;
    i.host_data         = 0x11111111;
    i.mqd_access_queue  = TOTEM_QUEUES - 1;
    i.mqd_access_dword  = 20;
    i.mqd_access_data   = 0x2222222222;
    i.poll_access_dword = 30;
    i.poll_access_data  = 0x33333333;
    return i;
}

// The one behind the last one that asks, in the order host, mqd, poll; itself last.
static void turns(void **state)
{
    (void)state;
    for (unsigned last = 0; last < ASKERS; last++)
        for (unsigned asks = 0; asks < 8; asks++) {
            totem_access_in  i = three();
            totem_access_out o;
            unsigned         next = ASKERS;
            i.host_valid          = asks & 1;
            i.mqd_access_valid    = asks & 2;
            i.poll_access_valid   = asks & 4;
            i.hqd_guest           = last == MQD;
            i.hqd_pointer         = last == POLL;
            totem_access_outputs(&i, &o);
            for (unsigned n = 1; n <= ASKERS && next == ASKERS; n++)
                if (asks >> (last + n) % ASKERS & 1)
                    next = (last + n) % ASKERS;
            assert_int_equal(o.next_valid, asks != 0);
            assert_int_equal(o.next_guest, next == MQD);
            assert_int_equal(o.next_pointer, next == POLL);
            if (asks != 0) {
                assert_int_equal(o.next_queue, next == HOST ? 1 : next == MQD ? TOTEM_QUEUES - 1 : 0);
                assert_int_equal(o.next_dword, next == HOST ? 10 : next == MQD ? 20 : 30);
            }
        }
}

static void access_of_the_host(void **state)
{
    (void)state;
    for (unsigned bell = 0; bell < 2; bell++)
        for (unsigned write = 0; write < 2; write++)
            for (uint8_t q = 0; q < 8; q++) {
                totem_access_in  i = three();
                totem_access_out o;
                i.host_valid    = true;
                i.host_queue    = q; // mini has 4: the upper bit is cut off
                i.host_doorbell = bell;
                i.host_write    = write;
                totem_access_outputs(&i, &o);
                assert_int_equal(o.next_queue, q % TOTEM_QUEUES);
                assert_int_equal(o.next_dword, bell ? 54 : 10);
                assert_int_equal(o.write, write);
                assert_int_equal(o.doorbell, bell);
                assert_int_equal(o.strobe, 5);
                assert_int_equal(o.data, 0x11111111);
                assert_false(o.load);
            }
}

static void accesses_of_the_others(void **state)
{
    totem_access_in  i = three();
    totem_access_out o;
    (void)state;
    i.host_valid = i.host_write = i.host_doorbell = true;
    i.hqd_guest                                   = true;
    for (uint8_t kind = 0; kind < 4; kind++) {
        i.mqd_access_kind = kind;
        totem_access_outputs(&i, &o);
        assert_int_equal(o.write, kind == 1);
        assert_int_equal(o.load, kind >= 2);
        assert_int_equal(o.data, 0x2222222222);
        assert_int_equal(o.strobe, 15);
        assert_false(o.doorbell);
    }
    i.hqd_guest   = false;
    i.hqd_pointer = true;
    for (unsigned write = 0; write < 2; write++) {
        i.poll_access_write = write;
        i.host_write        = !write;
        totem_access_outputs(&i, &o);
        assert_int_equal(o.write, write);
        assert_int_equal(o.data, 0x33333333);
        assert_int_equal(o.strobe, 15);
        assert_false(o.doorbell || o.load);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns),
        cmocka_unit_test(access_of_the_host),
        cmocka_unit_test(accesses_of_the_others),
    };

    return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}

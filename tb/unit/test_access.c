// SPDX-License-Identifier: Apache-2.0
//
// totem_access: whose turn it is, and what the one served asks for (docs/contract/access.md).

#include "block_bench.h"

#include "totem_access.h"

enum { HOST, MQD, POLL, ASKERS };

static void three(totem_access_in *i)
{
    *i = (totem_access_in){.host_queue        = 1,
                           .host_dword        = 0xca, // 10, and bits that are ignored
                           .host_strobe       = 5,
                           .host_data         = 0x11111111,
                           .mqd_access_queue  = TOTEM_QUEUES - 1,
                           .mqd_access_dword  = 20,
                           .mqd_access_data   = 0x2222222222,
                           .poll_access_dword = 30,
                           .poll_access_data  = 0x33333333};
}

#define RULE(name) RULE_OF(totem_access_in, three, i, name)

static totem_access_out outputs(const totem_access_in *i)
{
    totem_access_out o;
    totem_access_outputs(i, &o);
    return o;
}

// The one that is served: what it asks for.
static void served(const totem_access_in *i, bool write, bool load, bool doorbell, uint8_t strobe, uint64_t data)
{
    const totem_access_out o = outputs(i);
    assert_int_equal(o.write, write);
    assert_int_equal(o.load, load);
    assert_int_equal(o.doorbell, doorbell);
    assert_int_equal(o.strobe, strobe);
    assert_int_equal(o.data, data);
}

RULE(accesses_of_the_others)
{
    i->host_valid = i->host_write = i->host_doorbell = i->hqd_from_mqd = true;
    for (uint8_t kind = 0; kind < 4; kind++) {
        i->mqd_access_kind = kind;
        served(i, kind == 1, kind >= 2, false, 15, 0x2222222222);
    }
    i->hqd_from_mqd = false;
    i->hqd_pointer  = true;
    for (unsigned write = 0; write < 2; write++) {
        i->poll_access_write = write;
        i->host_write        = !write;
        served(i, write, false, false, 15, 0x33333333);
    }
}

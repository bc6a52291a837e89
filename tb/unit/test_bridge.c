// SPDX-License-Identifier: Apache-2.0
//
// totem_bridge (docs/contract/bridge.md): requests that come again, that are refused, and targets that refuse.

#include "bridge_bench.h"

// A request that comes again is answered again and not executed; one of sequence 0 always is.
RULE_OF(bench, open_bench, b, a_repeated_request_is_executed_once)
{
    assert_int_equal(ask(b, 9, BRIDGE_READ, 1, MACHINE_AT + 8, none, 0, 0), answer(9, BRIDGE_OK, 1));
    assert_int_equal(ask(b, 9, BRIDGE_READ, 1, MACHINE_AT + 8, none, 0, 0), answer(9, BRIDGE_OK, 1));
    assert_int_equal(b->got[0], 8);
    assert_int_equal(b->machine_accesses, 1);
    for (int n = 0; n < 2; n++)
        assert_int_equal(ask(b, 0, BRIDGE_READ, 1, MACHINE_AT, none, 0, 0), answer(0, BRIDGE_OK, 1));
    assert_int_equal(b->machine_accesses, 3);
}

RULE_OF(bench, open_bench, b, requests_that_are_refused)
{
    static const struct {
        uint8_t  command, count;
        uint32_t address;
        unsigned words, status;
    } rows[] = {
        {3, 1, 0, 0, BRIDGE_COMMAND},
        {BRIDGE_READ, 1, 0, 1, BRIDGE_COMMAND},
        {BRIDGE_WRITE, 2, 0, 1, BRIDGE_COMMAND},
        {BRIDGE_READ, 0, 0, 0, BRIDGE_COUNT},
        {BRIDGE_READ, 65, 0, 0, BRIDGE_COUNT},
        {BRIDGE_READ, 1, 2, 0, BRIDGE_ADDRESS},
        {BRIDGE_READ, 2, 4 * DWORDS - 4, 0, BRIDGE_ADDRESS},
        {BRIDGE_READ, 1, 0xfffffffc, 0, BRIDGE_ADDRESS},
        {BRIDGE_READ, 2, MACHINE_AT + 0xffffc, 0, BRIDGE_ADDRESS},
        {BRIDGE_READ, 1, BRIDGE_AT + BRIDGE_END, 0, BRIDGE_ADDRESS},
        {BRIDGE_READ, 1, BRIDGE_AT + 0x10000 + 8 * 16, 0, BRIDGE_ADDRESS},
        {BRIDGE_READ, 1, BRIDGE_AT + 0x20000 + 8 * 8, 0, BRIDGE_ADDRESS},
        {BRIDGE_READ, 1, BRIDGE_AT + 0x30000 + 16 * 8, 0, BRIDGE_ADDRESS},
        {BRIDGE_WRITE, 1, BRIDGE_AT + BRIDGE_MAGIC, 1, BRIDGE_READONLY},
    };
    for (uint8_t n = 0; n < COUNT(rows); n++)
        assert_int_equal(ask(b, n + 1, rows[n].command, rows[n].count, rows[n].address, none, rows[n].words, 0),
                         answer(n + 1, rows[n].status, 0));
    assert_int_equal(b->machine_accesses, 0);
    b->busy = true;
    assert_int_equal(ask(b, 40, BRIDGE_WRITE, 1, 0, none, 1, 0), answer(40, BRIDGE_BUSY, 0));
    assert_int_equal(ask(b, 41, BRIDGE_READ, 1, MACHINE_AT, none, 0, 0), answer(41, BRIDGE_BUSY, 0));
    assert_int_equal(ask(b, 42, BRIDGE_READ, 1, BRIDGE_AT, none, 0, 0), answer(42, BRIDGE_OK, 1));
}

// The answer says how many words were done before the machine refused one; a target that is silent ends, too.
RULE_OF(bench, open_bench, b, targets_that_refuse)
{
    b->refuse_from = 2;
    assert_int_equal(ask(b, 1, BRIDGE_READ, 5, MACHINE_AT, none, 0, 0), answer(1, BRIDGE_BUS, 2));
    assert_int_equal(b->length, 8);
    b->deaf = true;
    assert_int_equal(ask(b, 2, BRIDGE_READ, 1, 0, none, 0, 0), answer(2, BRIDGE_TIME_OUT, 0));
    b->deaf = false;
    assert_int_equal(ask(b, 3, BRIDGE_READ, 1, 0, none, 0, 0), answer(3, BRIDGE_OK, 1));
}

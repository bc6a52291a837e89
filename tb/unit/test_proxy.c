// SPDX-License-Identifier: Apache-2.0
//
// totem_proxy: rules, latencies and meetings of docs/contract/proxy.md. The bench is requester, host and events.

#include "block_bench.h"

#include "totem_pm4.h"
#include "totem_proxy.h"

BENCH(proxy)

#define RULE(name) RULE_OF(bench, fresh, b, name)

static void offer(bench *b, bool write, uint32_t address, uint32_t data)
{
    LEVEL(b, runlist_valid, true);
    LEVEL(b, runlist_write, write);
    LEVEL(b, runlist_address, address);
    LEVEL(b, runlist_data, data);
}

// An access that the host ends after some clocks, up to the clock of `done`, in which it is still offered.
static void access_of(bench *b, bool write, uint32_t address, uint32_t data, unsigned clocks, uint8_t code)
{
    offer(b, write, address, data);
    for (unsigned n = 0; n <= clocks; n++) {
        tick(b);
        assert_true(b->o.valid && !b->o.done);
        assert_true(b->o.write == write && b->o.address == address && b->o.data == data);
    }
    b->i.host_proxy_done  = true;
    b->i.host_proxy_error = code;
    b->i.host_proxy_rdata = ~data;
    tick(b);
    assert_true(b->o.done && !b->o.valid);
    assert_int_equal(b->o.error, code);
    assert_int_equal(b->o.rdata, ~data);
}

// The next access is taken behind the end of the one before, which is not taken again.
RULE(one_at_a_time)
{
    access_of(b, true, 0x2abcd, 0x12345678, 0, 0);
    tick(b);
    assert_false(b->o.valid || b->o.done);
    access_of(b, false, 0x15432, 0x87654321, 3, 0);
    LEVEL(b, runlist_valid, false);
    for (unsigned n = 0; n < 3; n++) {
        b->i.host_proxy_done = true; // of nobody's access
        tick(b);
        assert_false(b->o.valid || b->o.done || b->o.error_valid);
    }
}

// Two words: code and address, data of a write; each stays until it is taken.
RULE(messages)
{
    for (unsigned write = 0; write < 2; write++) {
        LEVEL(b, runlist_entry, 0x1d);
        access_of(b, write, 0x3fffe, 0xa5a51234, 1, 31);
        LEVEL(b, runlist_entry, 0);
        for (unsigned n = 0; n < 3; n++) {
            assert_true(b->o.error_valid);
            assert_int_equal(b->o.error_word, 0x9f00000001dffff8);
            b->i.events_error_ready = n == 2;
            tick(b);
        }
        for (unsigned n = 0; n < 2; n++) {
            assert_true(b->o.error_valid);
            assert_int_equal(b->o.error_word, write ? 0xa5a51234 : 0);
            b->i.events_error_ready = n == 1;
            tick(b);
        }
        assert_false(b->o.error_valid);
        b->i.host_proxy_done = true; // it was taken again behind its end
        tick(b);
        tick(b);
    }
    assert_int_equal(b->o.lost, 0);
}

// An error behind a message that waits is counted; so is one in the clock in which its last word is taken.
RULE(lost_errors)
{
    access_of(b, true, 1, 11, 0, 3);
    tick(b);
    access_of(b, true, 2, 22, 0, 4);
    assert_int_equal(b->o.lost, 1);
    assert_int_equal(b->o.error_word, 0x8300000000000004);
    b->i.events_error_ready = true;
    tick(b);
    assert_int_equal(b->o.error_word, 11);
    offer(b, true, 3, 33);
    tick(b);
    b->i.events_error_ready = true;
    b->i.host_proxy_done    = true;
    b->i.host_proxy_error   = 5;
    tick(b);
    assert_true(b->o.done && !b->o.error_valid);
    assert_int_equal(b->o.lost, 2);
    tick(b);
    access_of(b, true, 4, 44, 0, 6);
    assert_int_equal(b->o.error_word, 0x8600000000000010);
    b->s.lost = 0xffff;
    tick(b);
    access_of(b, true, 5, 55, 0, 7);
    assert_int_equal(b->o.lost, 0xffff);
}

// A late reset is told though it is no error; if the host refuses it, that is told.
RULE(late_resets)
{
    for (uint8_t code = 0; code < 2; code++) {
        LEVEL(b, runlist_late, true);
        access_of(b, true, 0x00018, 2, 0, code);
        LEVEL(b, runlist_late, false);
        assert_int_equal(b->o.error_word >> 56, code ? 0x81 : TOTEM_ERROR_RUNLIST_LATE);
        for (unsigned n = 0; n < 2; n++) {
            b->i.events_error_ready = true;
            tick(b);
        }
        assert_false(b->o.error_valid);
    }
}

// The requester is not held up by a message: an access behind an error is taken at once.
RULE(messages_hold_nothing_up)
{
    access_of(b, false, 7, 0, 0, 1);
    for (unsigned n = 0; n < 4; n++) {
        tick(b);
        access_of(b, false, 8 + n, n, n, 0);
    }
    assert_true(b->o.error_valid);
    assert_int_equal(b->o.lost, 0);
}

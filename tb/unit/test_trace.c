// SPDX-License-Identifier: Apache-2.0
//
// totem_trace (docs/contract/trace.md): what is an event, what a record holds, triggers, and how the bridge reads it.

#include "tests.h"

#include "totem_bridge_values.h"
#include "totem_trace.h"

enum { ERROR = 2, IRQ = 1 << TRACE_IRQ, RECORD_AT = 0x20030000, REGISTER_AT = 0x20000000 };

typedef struct {
    totem_trace     s;
    totem_trace_in  i;
    totem_trace_out o;
    uint64_t        record[TOTEM_TRACE_RECORDS][2];
} bench;

static void tick(bench *b)
{
    uint64_t seen[2];
    memcpy(seen, b->o.record_read_enable ? b->record[b->o.record_read_addr] : b->i.record_read_data, sizeof seen);
    assert_false(b->o.record_read_enable && b->o.record_write_enable);
    if (b->o.record_write_enable)
        memcpy(b->record[b->o.record_write_addr], b->o.record_write_data, sizeof b->o.record_write_data);
    totem_trace_step(&b->s, &b->i);
    memcpy(b->i.record_read_data, seen, sizeof seen);
    totem_trace_outputs(&b->s, &b->o);
}

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    totem_trace_reset(&b->s);
    totem_trace_outputs(&b->s, &b->o);
    b->i.s_axil_bready = b->i.s_axil_rready = true;
}

// An access of the bridge; returns its status.
static unsigned ask(bench *b, bool write, uint32_t address, uint32_t *data)
{
    b->i.bridge_trace_valid     = true;
    b->i.bridge_request_write   = write;
    b->i.bridge_request_address = address;
    b->i.bridge_request_data    = *data;
    for (unsigned n = 0; n < 8 && !b->o.done; n++)
        tick(b);
    assert_true(b->o.done);
    const unsigned status = b->o.status;
    *data                 = b->o.rdata;
    tick(b);
    b->i.bridge_trace_valid = false;
    tick(b);
    return status;
}

static void put(bench *b, uint32_t which, uint32_t data)
{
    assert_int_equal(ask(b, true, REGISTER_AT + which, &data), BRIDGE_OK);
}

static uint32_t get(bench *b, uint32_t address)
{
    uint32_t data = 0;
    assert_int_equal(ask(b, false, address, &data), BRIDGE_OK);
    return data;
}

static void start(bench *b)
{
    b->i.boot_start = true;
    tick(b);
    b->i.boot_start   = false;
    b->i.boot_running = true;
}

static void end(bench *b)
{
    b->i.boot_running = false;
    for (int n = 0; n < 4; n++)
        tick(b);
}

static void ticks(bench *b, unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        tick(b);
}

// Three clocks: address and data of a write, nothing, the answer.
static void host_write(bench *b, uint32_t address, uint32_t data, uint8_t response)
{
    b->i.s_axil_awaddr  = address;
    b->i.s_axil_wdata   = data;
    b->i.s_axil_awvalid = b->i.s_axil_awready = b->i.s_axil_wvalid = b->i.s_axil_wready = true;
    tick(b);
    b->i.s_axil_awvalid = b->i.s_axil_wvalid = false;
    tick(b);
    b->i.s_axil_bvalid = true;
    b->i.s_axil_bresp  = response;
    tick(b);
    b->i.s_axil_bvalid = false;
}

static void host_read(bench *b, uint32_t address, uint32_t data)
{
    b->i.s_axil_araddr  = address;
    b->i.s_axil_arvalid = b->i.s_axil_arready = true;
    tick(b);
    b->i.s_axil_arvalid = false;
    b->i.s_axil_rvalid  = true;
    b->i.s_axil_rdata   = data;
    tick(b);
    b->i.s_axil_rvalid = false;
}

// Clock 0, changes of levels that the mask names, and ends of accesses, with their clocks.
RULE_OF(bench, open_bench, b, events_and_records)
{
    put(b, BRIDGE_TRACE_MASK, IRQ | 1u << 16);
    start(b);
    ticks(b, 5);
    b->i.irq   = true;
    b->i.inner = 2; // not named
    ticks(b, 2);
    b->i.inner = 3;
    tick(b);
    host_write(b, 0x12344, 0xdeadbeef, ERROR);
    host_read(b, 0x54320, 77);
    b->i.m_axi_rvalid[0] = b->i.m_axi_rready[0] = true;
    end(b);
    const uint64_t wanted[][2] = {
        {0, 0},
        {5 | (uint64_t)(IRQ | 2u << 16) << 32, 0},
        {7 | (uint64_t)(IRQ | 3u << 16) << 32, 0},
        {10 | (uint64_t)(IRQ | 1u << TRACE_HOST_ERROR | 3u << 16) << 32,
         0xdeadbeef | 0x12344ull << 32 | 3ull << 52 | 1ull << 63},
        {12 | (uint64_t)(IRQ | 3u << 16) << 32, 77 | 0x54320ull << 32 | 1ull << 63},
    };
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_WRITTEN), COUNT(wanted));
    for (uint32_t n = 0; n < COUNT(wanted); n++)
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(get(b, RECORD_AT + 16 * n + 4 * k), (uint32_t)(wanted[n][k / 2] >> 32 * (k % 2)));
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_STATE), TOTEM_TRACE_RECORDS << 16 | TRACE_ARMED);
    start(b);
    end(b);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_WRITTEN), 0); // the run had no clock
}

// It is of the address, and of the data in the bits that count; two events behind it end the trace.
RULE_OF(bench, open_bench, b, trigger_at_an_access)
{
    put(b, BRIDGE_TRACE_TRIGGER, (uint32_t)TRIGGER_ACCESS << 30 | 0x100);
    put(b, BRIDGE_TRACE_VALUE, 0x50);
    put(b, BRIDGE_TRACE_CARE, 0xf0);
    put(b, BRIDGE_TRACE_BEHIND, 2);
    start(b);
    host_write(b, 0x104, 0x50, 0); // clock 2
    host_write(b, 0x100, 0x40, 0); // 5
    host_read(b, 0x100, 0x5f);     // 7: the trigger
    for (uint32_t n = 0; n < 4; n++)
        host_write(b, n, n, 0);
    end(b);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_AT), 7);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_WRITTEN), 6);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_STATE) & 3, TRACE_STOPPED);
    assert_int_equal(get(b, RECORD_AT + 16 * 5 + 8), 1);
    start(b); // and anew
    host_read(b, 0x100, 0x51);
    end(b);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_AT), 1);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_STATE) & 3, TRACE_BEHIND);
}

// A level that is 1 from the first clock on does not rise; it is an event though the mask does not name it.
RULE_OF(bench, open_bench, b, trigger_at_a_rise)
{
    put(b, BRIDGE_TRACE_TRIGGER, (uint32_t)TRIGGER_RISE << 30);
    put(b, BRIDGE_TRACE_VALUE, IRQ | 1u << TRACE_MEMORY_ERROR);
    b->i.irq = true;
    start(b);
    ticks(b, 3);
    b->i.irq = false;
    ticks(b, 3);
    b->i.m_axi_bvalid[TOTEM_FE_COUNT - 1] = b->i.m_axi_bready[TOTEM_FE_COUNT - 1] = true;
    b->i.m_axi_bresp[TOTEM_FE_COUNT - 1]                                          = ERROR;
    ticks(b, 3);
    end(b);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_AT), 6);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_WRITTEN), 2);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_STATE) & 3, TRACE_STOPPED);
}

// More events than records: the last stay. While each clock is an event the bridge does not read.
RULE_OF(bench, open_bench, b, the_last_records_stay)
{
    put(b, BRIDGE_TRACE_MASK, IRQ);
    start(b);
    for (unsigned n = 0; n < TOTEM_TRACE_RECORDS + 10; n++) {
        b->i.irq = n % 2;
        tick(b);
    }
    b->i.bridge_trace_valid     = true;
    b->i.bridge_request_write   = false;
    b->i.bridge_request_address = RECORD_AT;
    for (unsigned n = 0; n < 20; n++) {
        b->i.irq = !b->i.irq;
        tick(b);
        assert_false(b->o.done);
    }
    b->i.bridge_trace_valid = false;
    end(b);
    assert_int_equal(get(b, REGISTER_AT + BRIDGE_TRACE_WRITTEN), TOTEM_TRACE_RECORDS + 30);
    assert_int_equal(get(b, RECORD_AT + 16 * 29), TOTEM_TRACE_RECORDS + 29);
    assert_int_equal(get(b, RECORD_AT + 16 * 30), 30);
}

RULE_OF(bench, open_bench, b, registers)
{
    static const uint32_t read_only[] = {RECORD_AT, REGISTER_AT + BRIDGE_TRACE_STATE,
                                         REGISTER_AT + BRIDGE_TRACE_WRITTEN, REGISTER_AT + BRIDGE_TRACE_AT};
    uint32_t              data        = ~0u;
    for (uint32_t r = BRIDGE_TRACE_MASK; r <= BRIDGE_TRACE_BEHIND; r += 4)
        put(b, r, ~r);
    for (uint32_t r = BRIDGE_TRACE_MASK; r <= BRIDGE_TRACE_BEHIND; r += 4)
        assert_int_equal(get(b, REGISTER_AT + r), ~r & (r == BRIDGE_TRACE_TRIGGER  ? 0xc00fffff
                                                        : r == BRIDGE_TRACE_BEHIND ? 0xffff
                                                                                   : ~0u));
    for (unsigned n = 0; n < COUNT(read_only); n++)
        assert_int_equal(ask(b, true, read_only[n], &data), BRIDGE_READONLY);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: rules, latencies and meetings of docs/contract/hqd.md. The bench holds the window RAM and notes what goes
// over the load bus, with the clock in which it goes; clock 0 is the one in which the host asks.

#include "block_bench.h"

#include "totem_hqd.h"
#include "totem_load.h"

BENCH(hqd)

enum {
    WORDS             = TOTEM_QUEUES * 64,
    Q                 = TOTEM_QUEUES - 2,
    READ_ONLY         = 2,
    VALUE             = 3,
    LOCKED            = 4,
    UNMAPPED          = 5,
    DISABLED          = 6,
    RANGE             = 7,
    DEQUEUE_TYPE      = 8,
    RESUME            = 10,
    MAP_PIPE_PRIORITY = 12,
    MAP_AQL           = 13,
    MAP_QUEUE_SIZE    = 14,
    MAP_NO_EPOCH      = 15,
    MAP_BUSY          = 16,
    MAP_POINTERS      = 17,
    MAP_STATE         = 18,
    DEQUEUE           = 19,
    MAP_MQD           = 20,
};

typedef struct {
    unsigned clock;
    uint8_t  queue, kind;
    uint64_t data;
} load_word;

typedef struct {
    bench     b;
    uint32_t  ram[WORDS];
    unsigned  now, loads;
    load_word load[16];
} window_bench;

static void clock_edge(window_bench *t)
{
    const totem_hqd_out o    = t->b.o;
    const uint32_t      read = o.ram_read_enable ? t->ram[o.ram_read_addr] : t->b.hold.ram_read_data;
    if (o.load_valid) {
        assert_true(t->loads < 16);
        t->load[t->loads++] = (load_word){t->now, o.load_queue, o.load_kind, o.load_data};
    }
    if (o.ram_write_enable)
        t->ram[o.ram_write_addr] = o.ram_write_data;
    // The arbiter keeps the queue priorities.
    if (o.load_valid && o.load_kind == LOAD_QUEUE_PRIORITY)
        LEVEL(&t->b, arbiter_queue_priority[o.load_queue], (uint8_t)o.load_data);
    tick(&t->b);
    LEVEL(&t->b, ram_read_data, read);
    t->now++;
    assert_true(totem_hqd_invariant(&t->b.s));
}

static uint32_t reset_value(unsigned dword)
{
    switch (dword) {
    case 4: return 0x0be05301;
    case 17: return 0x00308509;
    case 21: return 0x00300000;
    case 32: return 0x40000000;
    case 34: return 0x00000100;
    case 39: return 0x00000006;
    case 40: return 0x40000000;
    case 41: return 0x007f8000;
    default: return 0;
    }
}

static uint32_t kept(unsigned dword)
{
    switch (dword) {
    case 7: return 0x80000000;
    case 15: return 0xa0000000;
    case 17: return 0x000080c0;
    case 22: return 0xc0000000;
    case 24: return 0x00000010;
    case 32: return 0x4000038f;
    case 34: return 0x00001000;
    case 39: return 0xe0002100;
    case 40: return 0x60000000;
    case 41: return 0x1fff8000;
    case 42: return 0x00010000;
    default: return 0;
    }
}

static void open_bench(window_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        t->b.hold.fence_room[q] = t->b.hold.fence_idle[q] = t->b.hold.fence_settled[q] = true;
    t->b.i = t->b.hold;
    for (unsigned n = 0; n < WORDS; n++)
        clock_edge(t);
}

static void ask(window_bench *t, uint8_t queue, uint8_t dword, bool write, uint8_t strobe, uint32_t data)
{
    LEVEL(&t->b, host_valid, true);
    LEVEL(&t->b, host_write, write);
    LEVEL(&t->b, host_doorbell, false);
    LEVEL(&t->b, host_queue, queue);
    LEVEL(&t->b, host_dword, dword);
    LEVEL(&t->b, host_strobe, strobe);
    LEVEL(&t->b, host_data, data);
    t->now   = 0;
    t->loads = 0;
}

// The access ends in that clock, with that error, for one clock.
static void done(window_bench *t, unsigned clock, uint8_t error)
{
    while (!t->b.o.host_done) {
        assert_true(t->now < 1000);
        clock_edge(t);
    }
    assert_int_equal(t->b.o.host_error, error);
    assert_int_equal(t->now, clock);
    t->b.hold.host_valid = false; // still 1 in this clock
    clock_edge(t);
    assert_false(t->b.o.host_done || t->b.o.load_valid || t->b.o.ram_write_enable);
}

static void put(window_bench *t, uint8_t queue, uint8_t dword, uint32_t data, unsigned clock, uint8_t error)
{
    ask(t, queue, dword, true, 0xf, data);
    done(t, clock, error);
}

static void ring_bell(window_bench *t, uint8_t queue, uint32_t data, unsigned clock, uint8_t error)
{
    ask(t, queue, 0, true, 0xf, data);
    LEVEL(&t->b, host_doorbell, true);
    done(t, clock, error);
}

static void read_is(window_bench *t, uint8_t queue, uint8_t dword, uint32_t expected)
{
    ask(t, queue, dword, false, 0, 0xffffffff);
    while (t->now < 3)
        clock_edge(t);
    assert_true(t->b.o.host_done);
    if (t->b.o.host_rdata != expected)
        fail_msg("queue %u, dword %u: %08x, not %08x", queue, dword, t->b.o.host_rdata, expected);
    done(t, 3, 0);
}

static void loads_are(const window_bench *t, unsigned count, unsigned clock, uint8_t queue, uint8_t kind, uint64_t data)
{
    assert_int_equal(t->loads, count);
    if (count == 0)
        return;
    assert_int_equal(t->load[0].clock, clock);
    assert_int_equal(t->load[0].queue, queue);
    assert_int_equal(t->load[0].kind, kind);
    assert_int_equal(t->load[0].data, data);
}

static void map(window_bench *t, uint8_t queue)
{
    put(t, queue, 4, 0x0be05300, 4, 0);
    put(t, queue, 2, 1, 26, 0);
    LEVEL(&t->b, arbiter_active[queue], true);
}

static void sweep(void **state)
{
    window_bench t;
    (void)state;
    memset(&t, 0, sizeof t);
    fresh(&t.b);
    ask(&t, 1, 17, false, 0, 0); // waits for its end
    for (unsigned n = 0; n < WORDS; n++) {
        assert_true(t.b.o.ram_write_enable);
        assert_false(t.b.o.host_done || t.b.o.load_valid || t.b.o.ram_read_enable);
        assert_int_equal(t.b.o.ram_write_addr, n);
        assert_int_equal(t.b.o.ram_write_data, reset_value(n % 64));
        clock_edge(&t);
    }
    assert_false(t.b.o.ram_write_enable);
    done(&t, WORDS + 3, 0);
}

// Every dword of the window but ACTIVE: what it reads after reset, and what a write of ones leaves of the kept bits.
static void window(void **state)
{
    static window_bench t;
    uint32_t            expected[WORDS];
    (void)state;
    open_bench(&t);
    for (unsigned n = 0; n < WORDS; n++)
        expected[n] = reset_value(n % 64);
    for (uint8_t d = 0; d < 56; d++) {
        read_is(&t, Q, d, reset_value(d));
        if (d == 2)
            continue;
        const uint32_t ones = d == 24 ? 0xfffffff8 : 0xffffffff; // without a request
        put(&t, Q, d, ones, 4, 0);
        if (d == 6)
            loads_are(&t, 1, 3, Q, LOAD_QUEUE_PRIORITY, 15);
        else
            assert_int_equal(t.loads, 0);
        expected[Q * 64 + d] = (ones & ~kept(d)) | (reset_value(d) & kept(d));
        read_is(&t, Q, d, expected[Q * 64 + d]);
        for (unsigned n = 0; n < WORDS; n++)
            assert_int_equal(t.ram[n], expected[n]);
    }
    put(&t, Q, 2, 0xfffffffe, 4, 0); // stays unmapped
    assert_int_equal(t.loads, 0);
    read_is(&t, Q, 2, 0xfffffffe);
}

static void byte_strobes(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    for (uint8_t strobe = 0; strobe < 16; strobe++) {
        uint32_t expected = 0xaabbccdd;
        put(&t, 1, 20, 0xaabbccdd, 4, 0);
        ask(&t, 1, 20, true, strobe, 0x11223344);
        done(&t, 4, 0);
        for (unsigned n = 0; n < 4; n++)
            if (strobe >> n & 1)
                expected = (expected & ~(0xffu << 8 * n)) | (0x11223344u & 0xffu << 8 * n);
        read_is(&t, 1, 20, expected);
    }
    ask(&t, 1, 2, true, 0xe, 1); // the byte of ACTIVE is not written
    done(&t, 4, 0);
    read_is(&t, 1, 59, 2u << 16 | 1u << 11 | 1u << 9);
}

// Which queue: mini has 4, the upper bit is cut off.
static void queue_of_the_access(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    for (uint8_t q = 0; q < 8; q++) {
        put(&t, q, 30, 100u + q, 4, 0);
        assert_int_equal(t.ram[q % TOTEM_QUEUES * 64 + 30], 100 + q);
    }
}

static void live_values(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 10, 0x1000, 4, 0);
    put(&t, Q, 54, 0x1008, 4, 0);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        LEVEL(&t.b, fetch_rptr[q], 0x11110000 + q);
        LEVEL(&t.b, fetch_wptr[q], 0x22220000 + q);
        LEVEL(&t.b, fence_waves[q], (uint16_t)(0xff00 + q));
    }
    read_is(&t, Q, 10, 0x1000);
    read_is(&t, Q, 54, 0x1008);
    read_is(&t, Q, 56, 0x11110000 + Q);
    read_is(&t, Q, 57, 0x22220000 + Q);
    read_is(&t, Q, 58, 0xff00 + Q);
    LEVEL(&t.b, fetch_pending[Q], true);
    read_is(&t, Q, 17, 0x00308509); // unmapped: empty, idle
    read_is(&t, Q, 32, 0x40000000);
    map(&t, Q);
    read_is(&t, Q, 2, 1);
    assert_int_equal(t.ram[Q * 64 + 2], 0);
    read_is(&t, Q, 10, 0x11110000 + Q);
    read_is(&t, Q, 54, 0x22220000 + Q);
    read_is(&t, Q, 17, 0x00300509);
    read_is(&t, Q, 32, 0);
    LEVEL(&t.b, fetch_pending[Q], false);
    read_is(&t, Q, 17, 0x00308509);
    read_is(&t, Q, 32, 0x40000000);
    LEVEL(&t.b, packet_unfinished[Q], true);
    read_is(&t, Q, 32, 0);
    LEVEL(&t.b, packet_unfinished[Q], false);
    LEVEL(&t.b, fence_idle[Q], false);
    read_is(&t, Q, 32, 0);
    LEVEL(&t.b, fence_idle[Q], true);
    LEVEL(&t.b, arbiter_selected, Q);
    read_is(&t, Q, 32, 0x40000000); // without valid
    LEVEL(&t.b, arbiter_selected_valid, true);
    read_is(&t, Q, 32, 0);
    LEVEL(&t.b, arbiter_selected, Q - 1);
    read_is(&t, Q, 32, 0x40000000);
}

// Each bit of the status word alone, and the reasons in their order.
static void status_word(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    read_is(&t, Q, 59, 2u << 16 | 1u << 11 | 1u << 9);
    LEVEL(&t.b, fence_room[Q], false);
    LEVEL(&t.b, fence_idle[Q], false);
    read_is(&t, Q, 59, 2u << 16);
    LEVEL(&t.b, fence_room[Q], true);
    map(&t, Q);
    LEVEL(&t.b, fence_room[Q], false);
    read_is(&t, Q, 59, 8u << 16 | 1u); // nothing to do
    LEVEL(&t.b, fetch_line[Q], true);
    read_is(&t, Q, 59, 8u << 16 | 1u << 4 | 1u);
    LEVEL(&t.b, fetch_line[Q], false);
    LEVEL(&t.b, packet_unfinished[Q], true);
    read_is(&t, Q, 59, 7u << 16 | 1u << 5 | 1u);
    LEVEL(&t.b, packet_unfinished[Q], false);
    LEVEL(&t.b, fetch_pending[Q], true);
    read_is(&t, Q, 59, 7u << 16 | 1u << 3 | 1u);
    LEVEL(&t.b, arbiter_ready[Q], true);
    read_is(&t, Q, 59, 1u << 16 | 1u << 3 | 1u << 2 | 1u);
    LEVEL(&t.b, poll_waiting[Q], true);
    read_is(&t, Q, 59, 9u << 16 | 1u << 12 | 1u << 3 | 1u << 2 | 1u);
    LEVEL(&t.b, packet_wait_epoch[Q], true);
    read_is(&t, Q, 59, 6u << 16 | 1u << 12 | 1u << 8 | 1u << 3 | 1u << 2 | 1u);
    LEVEL(&t.b, poll_waiting[Q], false);
    read_is(&t, Q, 59, 6u << 16 | 1u << 8 | 1u << 3 | 1u << 2 | 1u);
    LEVEL(&t.b, packet_wait_flush[Q], true);
    read_is(&t, Q, 59, 5u << 16 | 3u << 7 | 1u << 3 | 1u << 2 | 1u);
    LEVEL(&t.b, packet_halted[Q], true);
    read_is(&t, Q, 59, 4u << 16 | 7u << 6 | 1u << 3 | 1u << 2 | 1u);
    LEVEL(&t.b, arbiter_selected_valid, true);
    LEVEL(&t.b, arbiter_selected, Q);
    read_is(&t, Q, 59, 0u << 16 | 7u << 6 | 1u << 3 | 1u << 2 | 1u << 1 | 1u);
    LEVEL(&t.b, poll_polled[Q], true);
    read_is(&t, Q, 59, 0u << 16 | 1u << 15 | 7u << 6 | 1u << 3 | 1u << 2 | 1u << 1 | 1u);
    LEVEL(&t.b, poll_polled[Q], false);
    LEVEL(&t.b, poll_once[Q], true);
    read_is(&t, Q, 59, 0u << 16 | 1u << 15 | 7u << 6 | 1u << 3 | 1u << 2 | 1u << 1 | 1u);
    LEVEL(&t.b, poll_once[Q], false);
    put(&t, Q, 2, 0, 4, 0);
    read_is(&t, Q, 59, 3u << 16 | 1u << 10 | 7u << 6 | 1u << 3 | 1u << 2 | 1u << 1 | 1u);
}

static void status_registers(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        LEVEL(&t.b, sequence_data, 0x12345678u + mapped);
        for (uint8_t d = 61; d <= 62; d++) {
            read_is(&t, Q, d, 0x12345678u + mapped);
            put(&t, Q, d, 0, 3, READ_ONLY);
        }
        for (uint8_t d = 56; d <= 59; d++)
            put(&t, Q, d, 0, 3, READ_ONLY);
        read_is(&t, Q, 63, 0);
        put(&t, Q, 63, 0, 3, 0);
        put(&t, Q, 63, 3, 3, VALUE);
        put(&t, Q, 63, 4, 3, VALUE);
        put(&t, Q, 63, 0x80000001, 3, VALUE);
        ask(&t, Q, 63, true, 1, 0xffffff00); // other bytes are not written
        done(&t, 3, 0);
        assert_int_equal(t.loads, 0);
        if (!mapped)
            map(&t, Q);
    }
}

// ---- mapping

static void mapping(void **state)
{
    (void)state;
    for (unsigned quiet = 0; quiet < 2; quiet++) {
        static window_bench t;
        const uint32_t      control = 0x00308503 | (uint32_t)quiet << 27;
        open_bench(&t);
        put(&t, Q, 0, 0xfffffff8, 4, 0);
        put(&t, Q, 1, 0xffffff12, 4, 0);
        put(&t, Q, 4, 0x0be05300, 4, 0);
        put(&t, Q, 5, 0xfffffff2, 4, 0);
        put(&t, Q, 6, 0xfffffff9, 4, 0);
        put(&t, Q, 7, 0x7fff2aef, 4, 0);
        put(&t, Q, 8, 0x89abcdef, 4, 0);
        put(&t, Q, 10, 0xfffffff8, 4, 0);
        put(&t, Q, 11, 0x76543213, 4, 0);
        put(&t, Q, 12, 0xffffff98, 4, 0);
        put(&t, Q, 15, quiet ? 0xbfffffff : 1u << 30, 4, 0);
        put(&t, Q, 17, control, 4, 0);
        put(&t, Q, 54, 0x8, 4, 0); // as far ahead as the ring of 16 is long
        put(&t, Q, 2, 0xfffffff1, 26, 0);
        const load_word expected[] = {
            {14, Q, LOAD_PQ_BASE, 0x89abcdef00},
            {15, Q, LOAD_PQ_CONTROL, control},
            {16, Q, LOAD_RPTR, 0xfffffff8},
            {17, Q, LOAD_WPTR, 0x8},
            {19, Q, LOAD_REPORT_ADDR, quiet ? 0 : 0x9876543210},
            {21, Q, LOAD_MQD_ADDR, 0x12fffffff8},
            {22, Q, LOAD_QUANTUM, 0x7fff2aef},
            {23, Q, LOAD_PIPE_PRIORITY, 2},
            {24, Q, LOAD_POLLED, quiet},
        };
        assert_int_equal(t.loads, 9); // ACTIVE comes from mqd
        assert_int_equal(t.b.o.request[Q], 1);
        for (unsigned n = 0; n < 9; n++) {
            assert_int_equal(t.load[n].clock, expected[n].clock);
            assert_int_equal(t.load[n].queue, expected[n].queue);
            assert_int_equal(t.load[n].kind, expected[n].kind);
            assert_int_equal(t.load[n].data, expected[n].data);
        }
        assert_int_equal(t.ram[Q * 64 + 2], 0xfffffff0);
        read_is(&t, Q, 2, 0xfffffff1);
        put(&t, Q, 2, 1, 4, 0); // once more: nothing happens
        assert_int_equal(t.loads, 0);
        read_is(&t, Q - 1, 2, 0);
    }
}

static void refused_mappings(void **state)
{
    static const struct {
        uint8_t  dword;
        uint32_t value;
        uint8_t  error;
    } rows[] = {
        {4, 0x0be05301, MAP_STATE},
        {4, 0x80000000, MAP_STATE},
        {5, 3, MAP_PIPE_PRIORITY},
        {17, 0x02308509, MAP_AQL},
        {17, 0x04308509, MAP_AQL},
        {17, 0x04308502, MAP_AQL}, // before the size
        {17, 0x00308502, MAP_QUEUE_SIZE},
        {17, 0x0030851f, MAP_QUEUE_SIZE},
        {17, 0x0030853f, MAP_QUEUE_SIZE},
        {21, 0x80000000, MAP_STATE},
        {0, 0x1004, MAP_MQD},
        {0, 1, MAP_MQD},
        {53, 1, MAP_AQL},
        {54, 1025, MAP_POINTERS}, // a ring of 1024
        {10, 1, MAP_POINTERS},    // the write pointer is behind
        {55, 0, MAP_NO_EPOCH},    // below
        {17, 0x00308503, 0},
        {17, 0x0030851e, 0},
        {54, 1024, 0},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        static window_bench t;
        open_bench(&t);
        put(&t, Q, 4, 0, 4, 0);
        put(&t, Q, rows[n].dword, rows[n].value, 4, 0);
        if (rows[n].error == MAP_NO_EPOCH)
            LEVEL(&t.b, fence_room[Q], false);
        put(&t, Q, 2, 1, rows[n].error != 0 ? 13 : 26, rows[n].error);
        assert_int_equal(t.loads, rows[n].error != 0 ? 0 : 10);
        read_is(&t, Q, 2, rows[n].error == 0);
    }
}

// The first in the order of the steps is told.
static void first_refusal_counts(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, fence_room[Q], false);
    put(&t, Q, 5, 3, 4, 0);
    put(&t, Q, 17, 0, 4, 0);
    put(&t, Q, 53, 1, 4, 0);
    put(&t, Q, 54, 9999, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_PIPE_PRIORITY);
    put(&t, Q, 5, 0, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_QUEUE_SIZE);
    put(&t, Q, 17, 5, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_AQL);
    put(&t, Q, 53, 0, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_STATE); // PRELOAD_REQ without an MQD
    put(&t, Q, 4, 0x80000000, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_STATE); // DISP_ACTIVE without PRELOAD_REQ
    put(&t, Q, 4, 0, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_POINTERS);
    put(&t, Q, 54, 64, 4, 0);
    put(&t, Q, 2, 1, 13, MAP_NO_EPOCH);
    LEVEL(&t.b, fence_room[Q], true);
    put(&t, Q, 2, 1, 26, 0);
}

// ---- a mapped queue

static void locked_dwords(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    map(&t, Q);
    for (uint8_t d = 0; d < 56; d++) {
        const uint32_t before = t.ram[Q * 64 + d];
        if (d == 2 || d == 5 || d == 6 || d == 7 || d == 54)
            continue;
        if (d == 24 || d == 55) {
            put(&t, Q, d, 0x8, 4, 0);
            assert_int_equal(t.ram[Q * 64 + d], 0x8);
        } else {
            put(&t, Q, d, ~before, 3, LOCKED);
            assert_int_equal(t.ram[Q * 64 + d], before);
        }
        assert_int_equal(t.loads, 0);
        put(&t, Q - 1, d, 0, 4, 0); // only of that queue
    }
}

static void priorities(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 5, 2, 4, 0);
    loads_are(&t, 0, 0, 0, 0, 0); // not mapped
    put(&t, Q, 6, 0x35, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_QUEUE_PRIORITY, 5); // all the same: the arbiter keeps it
    put(&t, Q, 5, 0, 4, 0);
    map(&t, Q);
    put(&t, Q, 5, 0xfffffff2, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_PIPE_PRIORITY, 2);
    put(&t, Q, 6, 0xffffff7b, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_QUEUE_PRIORITY, 0xb);
    put(&t, Q, 5, 3, 3, VALUE);
    loads_are(&t, 0, 0, 0, 0, 0);
    read_is(&t, Q, 5, 0xfffffff2);
    read_is(&t, Q, 6, 0xffffff7b);
    LEVEL(&t.b, arbiter_queue_priority[Q], 4); // a packet has written it
    read_is(&t, Q, 6, 0xffffff74);
    ask(&t, Q, 6, true, 0xe, 0); // the byte of the priority is not written
    done(&t, 4, 0);
    loads_are(&t, 0, 0, 0, 0, 0);
    read_is(&t, Q, 6, 0x00000074 & 0xff);
    read_is(&t, Q - 1, 6, 0);
}

static void quantum(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 7, 0x511, 4, 0);
    loads_are(&t, 0, 0, 0, 0, 0); // sent by the mapping
    map(&t, Q);
    assert_int_equal(t.load[6].kind, LOAD_QUANTUM);
    assert_int_equal(t.load[6].data, 0x511);
    put(&t, Q, 7, 0xffffffff, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_QUANTUM, 0x7fffffff);
    LEVEL(&t.b, arbiter_selected, Q);
    read_is(&t, Q, 7, 0x7fffffff);
    LEVEL(&t.b, arbiter_selected_valid, true);
    read_is(&t, Q, 7, 0xffffffff); // QUANTUM_ACTIVE
    put(&t, Q, 7, 0x3f10, 4, 0);
    read_is(&t, Q, 7, 0x3f10); // not enabled
    read_is(&t, Q - 1, 7, 0);
}

// An access of mqd, of that kind; gives what it answers.
static uint32_t guest(window_bench *t, uint8_t kind, uint8_t queue, uint8_t dword, uint64_t data, uint8_t error)
{
    LEVEL(&t->b, mqd_valid, true);
    LEVEL(&t->b, mqd_kind, kind);
    LEVEL(&t->b, mqd_queue, queue);
    LEVEL(&t->b, mqd_dword, dword);
    LEVEL(&t->b, mqd_data, data);
    t->now   = 0;
    t->loads = 0;
    while (!t->b.o.mqd_done) {
        assert_true(t->now < 100);
        assert_false(t->b.o.host_done);
        clock_edge(t);
    }
    const uint32_t answer = t->b.o.mqd_rdata;
    assert_int_equal(t->b.o.mqd_error, error);
    t->b.hold.mqd_valid = false;
    clock_edge(t);
    return answer;
}

static void dequeue_requests(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    for (unsigned mapped = 0; mapped < 2; mapped++) {
        for (uint32_t v = 1; v <= 7; v++)
            if (v != 2 && (!mapped || v > 4))
                put(&t, Q, 24, v, 3, v <= 4 ? DEQUEUE : DEQUEUE_TYPE);
        read_is(&t, Q, 24, 0);
        put(&t, Q, 24, 0x18, 4, 0);
        read_is(&t, Q, 24, 8);
        put(&t, Q, 24, 0, 4, 0);
        if (!mapped)
            map(&t, Q);
    }
    for (unsigned n = 0; n < 3; n++) {
        static const uint8_t types[3] = {1, 3, 4};
        LEVEL(&t.b, arbiter_active[Q], true);
        LEVEL(&t.b, fence_settled[Q], false);
        LEVEL(&t.b, record_busy[Q], true);
        put(&t, Q, 24, types[n] | 0x100, 4, 0);
        assert_int_equal(t.loads, 0); // the queue keeps its grid
        assert_true(t.b.o.dequeuing[Q] && t.b.o.busy);
        read_is(&t, Q, 24, types[n] | 0x100u);
        put(&t, Q, 24, 4, 3, LOCKED);
        for (unsigned k = 0; k < 20; k++)
            clock_edge(&t);
        assert_true(t.b.o.leaving[Q]);
        assert_int_equal(t.b.o.parting[Q], types[n] == 4);
        assert_int_equal(t.b.o.request[Q], 0); // its records
        LEVEL(&t.b, record_busy[Q], false);
        clock_edge(&t);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], types[n] == 4 ? 3 : 0); // the others wait for its waves
        LEVEL(&t.b, fence_settled[Q], true);
        clock_edge(&t);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 3);
        assert_int_equal(t.b.o.drains, n > 0);
        assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), types[n]);
        assert_int_equal(t.loads, 1);
        assert_int_equal(t.load[0].kind, LOAD_ACTIVE);
        assert_int_equal(t.load[0].data, 0);
        assert_int_equal(t.b.o.request[Q], 0);
        assert_false(t.b.o.dequeuing[Q] || t.b.o.busy);
        read_is(&t, Q, 2, 0);
        read_is(&t, Q, 24, 0x100);
        LEVEL(&t.b, arbiter_active[Q], false);
        map(&t, Q);
    }
}

// Waits for kill, then asks for the save; the slot is dropping all the while.
static void killed(window_bench *t, uint8_t job)
{
    for (unsigned k = 0; k < 12; k++)
        clock_edge(t);
    assert_true(t->b.o.killing[Q] && t->b.o.dropping[Q] && t->b.o.busy);
    assert_int_equal(t->b.o.request[Q], 0);
    read_is(t, Q, 24, 2);
    t->b.i.kill_ended[Q] = true;
    clock_edge(t);
    assert_false(t->b.o.killing[Q]);
    assert_true(t->b.o.dropping[Q]);
    assert_int_equal(t->b.o.request[Q], job);
    for (unsigned k = 0; k < 5; k++)
        clock_edge(t);
    assert_false(t->b.o.killing[Q]);
    t->loads = 0;
    assert_int_equal(guest(t, 2, Q, LOAD_ACTIVE, 0, 0), 2);
    assert_int_equal(t->loads, job == 3);
    assert_int_equal(t->b.o.request[Q], 0);
    assert_false(t->b.o.dropping[Q] || t->b.o.busy || t->b.o.killing[Q]);
    read_is(t, Q, 24, 0);
}

// Type 2: also in place of another request, also without an active queue.
static void resets(void **state)
{
    static window_bench t;
    (void)state;
    for (uint32_t first = 0; first < 5; first++) {
        if (first == 2)
            continue;
        open_bench(&t);
        map(&t, Q);
        LEVEL(&t.b, arbiter_active[Q], true);
        LEVEL(&t.b, fence_settled[Q], false);
        LEVEL(&t.b, arbiter_selected_valid, true); // it has the pipe
        LEVEL(&t.b, arbiter_selected, Q);
        if (first != 0)
            put(&t, Q, 24, first, 4, 0);
        put(&t, Q, 24, 2, 4, 0);
        assert_int_equal(t.loads, 0);
        put(&t, Q, 24, 2, 4, 0);
        put(&t, Q, 24, 1, 3, LOCKED);
        LEVEL(&t.b, kill_ended[Q], true); // of an earlier one: not looked at before killing
        for (unsigned k = 0; k < 20; k++)
            clock_edge(&t);
        assert_false(t.b.o.killing[Q]);
        assert_int_equal(t.b.o.request[Q], 0);
        LEVEL(&t.b, kill_ended[Q], false);
        LEVEL(&t.b, arbiter_selected_valid, false);
        LEVEL(&t.b, fence_settled[Q], true); // a drain would be done now
        killed(&t, 3);
        read_is(&t, Q, 2, 0);
        LEVEL(&t.b, arbiter_active[Q], false);

        put(&t, Q, 24, 2, 4, 0); // what it left
        put(&t, Q, 2, 1, 3, MAP_BUSY);
        put(&t, Q, 60, 0x1000, 3, MAP_BUSY);
        put(&t, Q, 24, 4, 3, DEQUEUE);
        killed(&t, 7);
        map(&t, Q);
    }
    // While the slot is being saved for another request: the save ends, without an interrupt, and the reset begins.
    put(&t, Q, 24, 4, 4, 0);
    for (unsigned k = 0; k < 20; k++)
        clock_edge(&t);
    assert_int_equal(t.b.o.request[Q], 3);
    put(&t, Q, 24, 2, 4, 0);
    put(&t, Q, 24, 2, 4, 0);
    put(&t, Q, 24, 1, 3, LOCKED);
    read_is(&t, Q, 24, 2);
    for (unsigned k = 0; k < 20; k++)
        clock_edge(&t);
    assert_true(t.b.o.resetting[Q] && !t.b.o.dropping[Q] && !t.b.o.killing[Q]);
    assert_int_equal(t.b.o.request[Q], 3);
    t.loads = 0;
    assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), 0);
    assert_int_equal(t.loads, 1);
    read_is(&t, Q, 2, 0);
    put(&t, Q, 2, 1, 3, MAP_BUSY);
    killed(&t, 7);
    assert_false(t.b.o.resetting[Q]);
    // Of its own save a reset is pending already. It takes the place of a cleared ACTIVE.
    map(&t, Q);
    LEVEL(&t.b, arbiter_active[Q], true);
    put(&t, Q, 24, 2, 4, 0);
    for (unsigned k = 0; k < 20; k++)
        clock_edge(&t);
    t.b.i.kill_ended[Q] = true;
    clock_edge(&t);
    assert_int_equal(t.b.o.request[Q], 3);
    put(&t, Q, 24, 2, 4, 0);
    assert_true(t.b.o.dropping[Q]);
    assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), 2);
    assert_false(t.b.o.resetting[Q] || t.b.o.busy);
    LEVEL(&t.b, arbiter_active[Q], false);
    map(&t, Q);
    LEVEL(&t.b, arbiter_active[Q], true);
    put(&t, Q, 2, 0, 4, 0);
    put(&t, Q, 24, 1, 3, LOCKED);
    LEVEL(&t.b, arbiter_active[Q], false);
    LEVEL(&t.b, record_busy[Q], true); // it waits for an epoch
    put(&t, Q, 24, 2, 4, 0);
    assert_true(t.b.o.dropping[Q] && t.b.o.leaving[Q]);
    for (unsigned k = 0; k < 20; k++)
        clock_edge(&t);
    assert_true(t.b.o.killing[Q]);
    LEVEL(&t.b, record_busy[Q], false);
    t.b.i.kill_ended[Q] = true;
    clock_edge(&t);
    assert_int_equal(t.b.o.request[Q], 3);
    assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 0, 0), 2);
    assert_false(t.b.o.resetting[Q] || t.b.o.busy);
}

// A mapping that needs its MQD waits for mqd; it may be called off meanwhile.
static void mapping_with_an_mqd(void **state)
{
    static window_bench t;
    (void)state;
    for (unsigned off = 0; off < 3; off++) {
        open_bench(&t);
        put(&t, Q, 0, 0x1000, 4, 0);
        put(&t, Q, 2, 1, 26, 0);
        assert_int_equal(t.loads, 9);
        assert_int_equal(t.b.o.request[Q], 1);
        read_is(&t, Q, 2, 1);
        read_is(&t, Q, 59, 10u << 16 | 0xa01);
        LEVEL(&t.b, mqd_behind[Q], true);
        read_is(&t, Q, 59, 11u << 16 | 0xa01);
        guest(&t, 2, Q, LOAD_BUFFER, 0x123456789c, 0);
        assert_int_equal(t.load[0].kind, LOAD_BUFFER);
        assert_int_equal(t.load[0].data, 0x123456789c);
        if (off == 1)
            put(&t, Q, 2, 0, 4, 0);
        if (off == 2)
            put(&t, Q, 24, 4, 4, 0);
        assert_int_equal(guest(&t, 2, Q, LOAD_ACTIVE, 7, 0), off == 2 ? 4 : 0);
        assert_int_equal(t.load[0].data, off ? 0 : 7);
        assert_int_equal(t.b.o.request[Q], 0);
        read_is(&t, Q, 2, off == 0);
    }
}

// Register MAP: only mqd writes the window, and sets ACTIVE; the host is locked out.
static void window_from_an_mqd(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 60, 0x1004, 3, VALUE);
    put(&t, Q, 60, 0x1008, 4, 0);
    assert_int_equal(t.ram[Q * 64], 0x1008);
    assert_int_equal(t.b.o.request[Q], 2);
    put(&t, Q, 60, 0x1008, 3, MAP_BUSY);
    put(&t, Q, 2, 1, 3, MAP_BUSY);
    put(&t, Q, 8, 5, 3, LOCKED);
    guest(&t, 1, Q, 4, 0, 0);
    guest(&t, 1, Q, 24, 7, 0);
    assert_int_equal(t.ram[Q * 64 + 24], 0);
    guest(&t, 1, Q, 5, 3, 0);
    assert_int_equal(guest(&t, 1, Q, 2, 1, MAP_PIPE_PRIORITY), 3); // the offending dword
    assert_int_equal(t.b.o.request[Q], 2);
    guest(&t, 1, Q, 5, 1, 0);
    guest(&t, 1, Q, 2, 1, 0);
    assert_int_equal(t.b.o.request[Q], 1); // its records are compared
    assert_int_equal(t.loads, 9);
    guest(&t, 2, Q, LOAD_ACTIVE, 1, 0);
    assert_int_equal(t.load[0].data, 1);
    map(&t, 0);
    put(&t, 0, 60, 0x1000, 3, MAP_BUSY);
}

// The arbiter's moves are jobs 5 and 6, which end with MOVED; what the host may do meanwhile.
static void moves(void **state)
{
    static window_bench t;
    (void)state;
    for (uint8_t move = 1; move <= 2; move++) {
        open_bench(&t);
        LEVEL(&t.b, arbiter_move, move);
        LEVEL(&t.b, arbiter_move_queue, Q);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 0); // no mapped queue
        LEVEL(&t.b, arbiter_move, 0);
        map(&t, Q);
        map(&t, 0);
        LEVEL(&t.b, arbiter_move, move);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 4 + move);
        assert_true(t.b.o.busy);
        LEVEL(&t.b, packet_halted[Q], true);
        // While it is loaded it is never idle or empty.
        read_is(&t, Q, 59, 13u << 16 | 1u << 11 | (move == 1 ? 1u << 9 : 1u << 3) | 1u << 6 | 1u);
        read_is(&t, Q, 32, move == 1 ? 0x40000000 : 0);
        read_is(&t, Q, 17, move == 1 ? 0x00308509 : 0x00300509);
        put(&t, Q, 63, 1, 3, 0); // RESUME
        loads_are(&t, 1, 3, Q, LOAD_RESUME, 0);
        put(&t, Q, 63, 2, 3, move == 1 ? RESUME : 0); // SKIP: there is a packet, in its buffer perhaps
        put(&t, Q, 8, 5, 3, LOCKED);
        put(&t, Q, 7, 0x100, 4, 0);
        guest(&t, 1, Q, 8, 0x123, 0); // mqd may
        assert_int_equal(t.ram[Q * 64 + 8], 0x123);
        guest(&t, 2, Q, LOAD_RPTR, 7, 0);
        assert_int_equal(t.b.o.request[Q], 4 + move);
        assert_int_equal(guest(&t, 2, Q, LOAD_MOVED, 2, 0), 0);
        loads_are(&t, 1, 3, Q, LOAD_MOVED, 2);
        // The bench's arbiter holds its move: a new job, but not in the clock of the word.
        assert_int_equal(t.b.o.request[Q], 0);
        clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 4 + move);
        LEVEL(&t.b, arbiter_move, 0);
        // A dequeue, or ACTIVE cleared: after the job.
        if (move == 1) {
            put(&t, Q, 24, 4, 4, 0);
            assert_int_equal(t.loads, 0);
        } else {
            put(&t, Q, 2, 0, 4, 0);
            loads_are(&t, 1, 3, Q, LOAD_ACTIVE, 0);
            LEVEL(&t.b, arbiter_active[Q], false);
        }
        for (unsigned n = 0; n < 30; n++)
            clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], 4 + move);
        read_is(&t, Q, 2, 1);
        guest(&t, 2, Q, LOAD_MOVED, 2, 0);
        for (unsigned n = 0; n < 10; n++)
            clock_edge(&t);
        assert_int_equal(t.b.o.request[Q], move == 1 ? 3 : 0);
        read_is(&t, Q, 2, move == 1);
    }
}

static void resume(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    LEVEL(&t.b, packet_halted[Q], true);
    put(&t, Q, 63, 1, 3, RESUME); // unmapped
    map(&t, Q);
    put(&t, Q, 63, 1, 3, 0);
    loads_are(&t, 1, 3, Q, LOAD_RESUME, 0);
    put(&t, Q, 63, 2, 3, RESUME); // no packet there
    LEVEL(&t.b, fetch_pending[Q], true);
    put(&t, Q, 63, 2, 3, 0);
    loads_are(&t, 1, 3, Q, LOAD_SKIP, 0);
    LEVEL(&t.b, arbiter_selected, Q);
    LEVEL(&t.b, arbiter_selected_valid, true);
    put(&t, Q, 63, 1, 3, RESUME);
    loads_are(&t, 0, 0, 0, 0, 0);
    LEVEL(&t.b, arbiter_selected_valid, false);
    LEVEL(&t.b, packet_halted[Q], false);
    LEVEL(&t.b, packet_halted[Q + 1], true);
    put(&t, Q, 63, 1, 3, RESUME);
    put(&t, Q, 63, 2, 3, RESUME);
    LEVEL(&t.b, packet_halted[Q], true);
    put(&t, Q, 2, 0, 4, 0);
    put(&t, Q, 63, 1, 3, RESUME); // leaving
    loads_are(&t, 0, 0, 0, 0, 0);
}

static void write_pointers(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    ring_bell(&t, Q, 5, 3, UNMAPPED);
    put(&t, Q, 17, 5, 4, 0); // a ring of 64
    map(&t, Q);
    LEVEL(&t.b, fetch_rptr[Q], 0xfffffff0);
    LEVEL(&t.b, fetch_wptr[Q], 0xfffffff8);
    ring_bell(&t, Q, 0xfffffff9, 5, DISABLED);
    put(&t, Q, 54, 0xfffffff9, 6, 0); // by its register all the same
    loads_are(&t, 1, 6, Q, LOAD_WPTR, 0xfffffff9);
    put(&t, Q, 15, 1u << 30, 3, LOCKED);
    t.ram[Q * 64 + 15] = 1u << 30;
    static const struct {
        uint32_t value;
        uint8_t  error;
    } rows[] = {{0xfffffff8, 0},     {0x00000000, 0},     {0x00000030, 0},    {0x00000031, RANGE},
                {0x80000000, RANGE}, {0xfffffff7, RANGE}, {0xffffffef, RANGE}};
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned bell = 0; bell < 2; bell++) {
            if (bell)
                ring_bell(&t, Q, rows[n].value, 6, rows[n].error);
            else
                put(&t, Q, 54, rows[n].value, 6, rows[n].error);
            loads_are(&t, rows[n].error == 0, 6, Q, LOAD_WPTR, rows[n].value);
        }
    ask(&t, Q, 54, true, 1, 0xfffffffc); // the other bytes are those of the pointer before
    done(&t, 6, 0);
    loads_are(&t, 1, 6, Q, LOAD_WPTR, 0xfffffffc);
    assert_int_equal(t.ram[Q * 64 + 54], 0); // kept by fetch while it is mapped
}

// An access of poll; gives what it answers.
static uint32_t pointer(window_bench *t, bool write, uint8_t queue, uint8_t dword, uint32_t data, unsigned clock,
                        uint8_t error)
{
    LEVEL(&t->b, poll_valid, true);
    LEVEL(&t->b, poll_write, write);
    LEVEL(&t->b, poll_queue, queue);
    LEVEL(&t->b, poll_dword, dword);
    LEVEL(&t->b, poll_data, data);
    t->now   = 0;
    t->loads = 0;
    while (!t->b.o.poll_done) {
        assert_true(t->now < 100);
        assert_false(t->b.o.host_done || t->b.o.mqd_done);
        clock_edge(t);
    }
    const uint32_t answer = t->b.o.poll_rdata;
    assert_int_equal(t->b.o.poll_error, error);
    assert_int_equal(t->now, clock);
    t->b.hold.poll_valid = false;
    clock_edge(t);
    return answer;
}

// What poll has read comes as a doorbell does, whatever DOORBELL_EN says.
static void polled_pointers(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    pointer(&t, true, Q, 54, 5, 3, UNMAPPED);
    put(&t, Q, 13, 0x12345678, 4, 0);
    put(&t, Q, 14, 0xab, 4, 0);
    put(&t, Q, 17, 5, 4, 0); // a ring of 64
    map(&t, Q);
    assert_int_equal(pointer(&t, false, Q, 13, 0, 3, 0), 0x12345678);
    assert_int_equal(pointer(&t, false, Q, 14, 0, 3, 0), 0xab);
    for (unsigned bell = 0; bell < 2; bell++) {
        LEVEL(&t.b, fetch_rptr[Q], 0xfffffff0);
        LEVEL(&t.b, fetch_wptr[Q], 0xfffffff8);
        pointer(&t, true, Q, 54, 0xfffffff8, 6, 0); // nothing new
        loads_are(&t, 1, 6, Q, LOAD_WPTR, 0xfffffff8);
        pointer(&t, true, Q, 54, 0x30, 6, 0);
        loads_are(&t, 1, 6, Q, LOAD_WPTR, 0x30);
        pointer(&t, true, Q, 54, 0x31, 6, RANGE);
        loads_are(&t, 0, 0, 0, 0, 0);
        pointer(&t, true, Q, 54, 0xfffffff7, 6, RANGE);
        pointer(&t, true, Q, 54, 0xffffffef, 6, RANGE);
        t.ram[Q * 64 + 15] = 1u << 30;
    }
    put(&t, Q, 24, 4, 4, 0);
    pointer(&t, true, Q, 54, 0x30, 3, UNMAPPED); // it leaves
    loads_are(&t, 0, 0, 0, 0, 0);
}

// A one-shot to come: whatever the window says, the queue is mapped empty. With an unfinished grid the packet of that is written,
// and the window counts.
static void mapped_for_a_one_shot(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 10, 100, 4, 0);
    put(&t, Q, 54, 9999, 4, 0);
    put(&t, Q, 4, 0, 4, 0);
    LEVEL(&t.b, poll_once[Q - 1], true);
    put(&t, Q, 2, 1, 13, MAP_POINTERS);
    LEVEL(&t.b, poll_once[Q], true);
    put(&t, Q, 2, 1, 26, 0);
    assert_int_equal(t.load[2].kind, LOAD_RPTR);
    assert_int_equal(t.load[2].data, 100);
    assert_int_equal(t.load[3].kind, LOAD_WPTR);
    assert_int_equal(t.load[3].data, 100);

    open_bench(&t);
    put(&t, Q, 0, 0x1000, 4, 0);
    put(&t, Q, 4, 1u << 31 | 1, 4, 0);
    put(&t, Q, 10, 100, 4, 0);
    put(&t, Q, 54, 9999, 4, 0);
    LEVEL(&t.b, poll_once[Q], true);
    put(&t, Q, 2, 1, 13, MAP_POINTERS);
    put(&t, Q, 54, 105, 4, 0);
    put(&t, Q, 2, 1, 26, 0);
    assert_int_equal(t.load[3].kind, LOAD_WPTR);
    assert_int_equal(t.load[3].data, 105);
}

// Host, mqd and poll all ask: they are served in turn, and one that has withdrawn is not.
static void three_take_turns(void **state)
{
    static window_bench t;
    unsigned            served[3] = {0};
    (void)state;
    open_bench(&t);
    ask(&t, Q, 58, false, 0, 0);
    LEVEL(&t.b, mqd_valid, true);
    LEVEL(&t.b, poll_valid, true);
    for (unsigned n = 0, last = 0; n < 400; n++, clock_edge(&t)) {
        const bool done_now[3] = {t.b.o.host_done, t.b.o.mqd_done, t.b.o.poll_done};
        for (unsigned k = 0; k < 3; k++)
            if (done_now[k]) {
                assert_true(n < 10 || k == (last + 1) % 3);
                served[last = k]++;
            }
        assert_true(done_now[0] + done_now[1] + done_now[2] <= 1);
    }
    for (unsigned k = 0; k < 3; k++)
        assert_in_range(served[k], 33, 34);
    LEVEL(&t.b, poll_valid, false);
    for (unsigned n = 0; n < 5; n++)
        clock_edge(&t);
    for (unsigned n = 0; n < 40; n++, clock_edge(&t))
        assert_false(t.b.o.poll_done);
}

static void doorbell_of_the_largest_ring(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 17, 30, 4, 0);
    map(&t, Q);
    LEVEL(&t.b, fetch_rptr[Q], 3);
    LEVEL(&t.b, fetch_wptr[Q], 3);
    put(&t, Q, 54, 0x80000003, 6, 0);
    put(&t, Q, 54, 0x80000004, 6, RANGE);
}

// The pointers seen in the clock of the check count.
static void read_pointer_moves_meanwhile(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    put(&t, Q, 17, 5, 4, 0);
    map(&t, Q);
    LEVEL(&t.b, fetch_wptr[Q], 1);
    for (unsigned clock = 5; clock <= 6; clock++) {
        LEVEL(&t.b, fetch_rptr[Q], 0);
        ask(&t, Q, 54, true, 0xf, 65);
        while (t.now < clock)
            clock_edge(&t);
        LEVEL(&t.b, fetch_rptr[Q], 1);
        done(&t, 6, clock == 5 ? 0 : RANGE);
    }
}

// ---- a queue that leaves

static void leaves(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    map(&t, Q);
    LEVEL(&t.b, fetch_rptr[Q], 0x1234);
    LEVEL(&t.b, fetch_wptr[Q], 0x5678);
    put(&t, Q, 2, 0xf0, 4, 0);
    loads_are(&t, 1, 3, Q, LOAD_ACTIVE, 0);
    LEVEL(&t.b, arbiter_active[Q], false);
    for (; t.now < 11; clock_edge(&t)) // settles
        assert_false(t.b.o.ram_write_enable);
    assert_true(t.b.o.ram_write_enable);
    assert_int_equal(t.b.o.ram_write_addr, Q * 64 + 10);
    assert_int_equal(t.b.o.ram_write_data, 0x1234);
    clock_edge(&t);
    assert_true(t.b.o.ram_write_enable);
    assert_int_equal(t.b.o.ram_write_addr, Q * 64 + 54);
    assert_int_equal(t.b.o.ram_write_data, 0x5678);
    clock_edge(&t);
    assert_false(t.b.o.ram_write_enable);
    LEVEL(&t.b, fetch_rptr[Q], 0);
    LEVEL(&t.b, fetch_wptr[Q], 0);
    read_is(&t, Q, 2, 0xf0);
    read_is(&t, Q, 10, 0x1234);
    read_is(&t, Q, 54, 0x5678);
}

static void while_it_leaves(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    map(&t, Q);
    LEVEL(&t.b, arbiter_selected, Q);
    LEVEL(&t.b, arbiter_selected_valid, true);
    put(&t, Q, 2, 0, 4, 0);
    LEVEL(&t.b, arbiter_active[Q], false);
    read_is(&t, Q, 2, 1); // until the pipe has let go of it
    put(&t, Q, 2, 1, 3, MAP_BUSY);
    put(&t, Q, 2, 0, 4, 0); // no second message
    assert_int_equal(t.loads, 0);
    ring_bell(&t, Q, 0, 3, UNMAPPED);
    for (uint8_t d = 0; d < 56; d++)
        if (d != 2)
            put(&t, Q, d, 0, 3, LOCKED);
    assert_true(t.b.s.leaving[Q]);
    LEVEL(&t.b, arbiter_active[Q], true);
    LEVEL(&t.b, arbiter_selected_valid, false);
    read_is(&t, Q, 2, 1); // the arbiter has it still
    assert_true(t.b.s.leaving[Q]);
    LEVEL(&t.b, arbiter_active[Q], false);
    clock_edge(&t);
    assert_true(t.b.o.ram_write_enable);
    clock_edge(&t);
    clock_edge(&t);
    read_is(&t, Q, 2, 0);
    put(&t, Q, 2, 1, 26, 0);
}

static void finishing_meets_an_access(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    map(&t, Q);
    LEVEL(&t.b, arbiter_selected, Q);
    LEVEL(&t.b, arbiter_selected_valid, true);
    put(&t, Q, 2, 0, 4, 0);
    LEVEL(&t.b, arbiter_active[Q], false);
    for (unsigned n = 0; n < 20; n++)
        clock_edge(&t);
    LEVEL(&t.b, arbiter_selected_valid, false);
    ask(&t, Q, 2, false, 0, 0);
    clock_edge(&t);
    assert_true(t.b.o.ram_write_enable);
    while (t.now < 6)
        clock_edge(&t);
    assert_int_equal(t.b.o.host_rdata, 0);
    done(&t, 6, 0);
}

static void lowest_leaves_first(void **state)
{
    static window_bench t;
    (void)state;
    open_bench(&t);
    map(&t, 1);
    map(&t, Q);
    put(&t, Q, 2, 0, 4, 0);
    put(&t, 1, 2, 0, 4, 0);
    LEVEL(&t.b, arbiter_active[Q], false);
    LEVEL(&t.b, arbiter_active[1], false);
    while (!t.b.o.ram_write_enable)
        clock_edge(&t);
    assert_int_equal(t.now, 11); // settles anew
    assert_int_equal(t.b.o.ram_write_addr, 64 + 10);
    clock_edge(&t);
    clock_edge(&t);
    assert_false(t.b.o.ram_write_enable);
    clock_edge(&t);
    assert_true(t.b.o.ram_write_enable);
    assert_int_equal(t.b.o.ram_write_addr, Q * 64 + 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweep),
        cmocka_unit_test(window),
        cmocka_unit_test(byte_strobes),
        cmocka_unit_test(queue_of_the_access),
        cmocka_unit_test(live_values),
        cmocka_unit_test(status_word),
        cmocka_unit_test(status_registers),
        cmocka_unit_test(mapping),
        cmocka_unit_test(refused_mappings),
        cmocka_unit_test(first_refusal_counts),
        cmocka_unit_test(locked_dwords),
        cmocka_unit_test(priorities),
        cmocka_unit_test(quantum),
        cmocka_unit_test(dequeue_requests),
        cmocka_unit_test(resets),
        cmocka_unit_test(mapping_with_an_mqd),
        cmocka_unit_test(window_from_an_mqd),
        cmocka_unit_test(moves),
        cmocka_unit_test(resume),
        cmocka_unit_test(write_pointers),
        cmocka_unit_test(polled_pointers),
        cmocka_unit_test(mapped_for_a_one_shot),
        cmocka_unit_test(three_take_turns),
        cmocka_unit_test(doorbell_of_the_largest_ring),
        cmocka_unit_test(read_pointer_moves_meanwhile),
        cmocka_unit_test(leaves),
        cmocka_unit_test(while_it_leaves),
        cmocka_unit_test(finishing_meets_an_access),
        cmocka_unit_test(lowest_leaves_first),
    };

    return cmocka_run_group_tests_name("hqd", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_host: rules, latencies and meetings of docs/contract/host.md.

#include "block_bench.h"

#include "totem_host.h"

BENCH(host)

enum { HOLE = 1, READ_ONLY, TIME_OUT = 24, P = TOTEM_PIPE_COUNT, SLVERR = 2 };

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, s_axil_bready, true);
    LEVEL(b, s_axil_rready, true);
    LEVEL(b, events_error_ready, true);
}

#define RULE(name) RULE_OF(bench, open_bench, b, name)

static void offer(bench *b, bool write, uint32_t address, uint32_t data, uint8_t strobe)
{
    b->i.s_axil_awvalid = b->i.s_axil_wvalid = write;
    b->i.s_axil_arvalid                      = !write;
    b->i.s_axil_awaddr = b->i.s_axil_araddr = address;
    b->i.s_axil_wdata                       = data;
    b->i.s_axil_wstrb                       = strobe;
}

// An access that this block answers: the response is valid 3 clocks after the transfer. Gives what is read.
static uint32_t access_of(bench *b, bool write, uint32_t address, uint32_t data, uint8_t strobe, unsigned response)
{
    offer(b, write, address, data, strobe);
    for (unsigned n = 0; n < 3; n++, tick(b))
        assert_false(b->o.s_axil_bvalid || b->o.s_axil_rvalid);
    assert_int_equal(b->o.s_axil_bvalid, write);
    assert_int_equal(b->o.s_axil_rvalid, !write);
    assert_int_equal(write ? b->o.s_axil_bresp : b->o.s_axil_rresp, response);
    const uint32_t got = b->o.s_axil_rdata;
    tick(b);
    assert_false(b->o.s_axil_bvalid || b->o.s_axil_rvalid);
    return got;
}

static uint32_t get(bench *b, uint32_t address)
{
    return access_of(b, false, address, 0, 0, 0);
}

static void put(bench *b, uint32_t address, uint32_t data, uint8_t strobe)
{
    access_of(b, true, address, data, strobe, 0);
}

static void reads(bench *b, uint32_t address, uint32_t data)
{
    assert_int_equal(get(b, address), data);
}

RULE(constants)
{
    static const uint32_t rows[] = {
        0x544f544d,
        0x00000100,
        TOTEM_CONFIG_HASH,
        TOTEM_GRAPHICS | TOTEM_TASKS << 1 | TOTEM_PARTITION << 2 | TOTEM_RUNLIST << 3,
        TOTEM_FE_COUNT | TOTEM_PIPES << 8 | TOTEM_QUEUES << 16 | (uint32_t)TOTEM_SE_COUNT << 24,
        TOTEM_EPOCHS | TOTEM_LANES << 8 | TOTEM_COUNT_BITS << 16,
        TOTEM_SLOTS,
        TOTEM_VGPRS | (uint32_t)TOTEM_LDS << 16,
    };
    for (unsigned n = 0; n < COUNT(rows); n++)
        reads(b, 4 * n, rows[n]);
    reads(b, 0x2c, 0);
}

RULE(status_and_counters)
{
    reads(b, 0x28, 0);
    LEVEL(b, machine_idle, true);
    reads(b, 0x28, 1);
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        LEVEL(b, memory_dead[f], true);
        reads(b, 0x28, 1u | 0x100u << f);
        LEVEL(b, memory_dead[f], false);
    }
    for (unsigned p = 0; p < P; p++) {
        LEVEL(b, hqd_drains[p], (uint16_t)(0x8001 + p));
        LEVEL(b, fence_lost[p], (uint16_t)(0x4011 + p));
        LEVEL(b, fence_late[p], (uint16_t)(0x9021 + p));
        reads(b, 4 * (32 + p), 0x8001 + p);
        reads(b, 4 * (40 + p), (0x9021u + p) << 16 | (0x4011u + p));
    }
}

RULE(settings)
{
    static const uint32_t resets[] = {0x00100000, 5000, 100000, 1000000, 0, 0};
    for (unsigned n = 0; n < COUNT(resets); n++) {
        const uint32_t options = TOTEM_TASKS ? 0x77f : 0x767, address = 0x40 + 4 * n;
        const uint32_t bits = n == 0 ? 0xffffffff : n == 4 ? options : 0xffffff;
        reads(b, address, resets[n]);
        put(b, address, 0xff89abfe, 15);
        reads(b, address, 0xff89abfe & bits);   // the other bits are ignored
        put(b, address + 3, 0x01020301 + n, 1); // strobes; the low address bits are ignored
        reads(b, address, (0xff89ab01 + n) & bits);
    }
    assert_int_equal(b->o.settings_timeout, 0xff89ab01); // each its own
    assert_int_equal(b->o.settings_quantum_unit0, 0x89ab02);
    assert_int_equal(b->o.settings_quantum_unit1, 0x89ab03);
    assert_int_equal(b->o.settings_turn_limit, 0x89ab04);
    assert_int_equal(b->o.settings_dequeue_timeout, 0x89ab06);
    const uint32_t *holds[] = {&b->o.settings_hold_high, &b->o.settings_hold_medium, &b->o.settings_hold_low};
    for (unsigned n = 0; n < COUNT(holds); n++) {
        reads(b, 0xc0 + 8 * n, n == 0 ? 0 : 4096);
        put(b, 0xc0 + 8 * n, 0xff111100 + n, 15);
        reads(b, 0xc0 + 8 * n, 0x111100 + n);
    }
    for (unsigned n = 0; n < COUNT(holds); n++)
        assert_int_equal(*holds[n], 0x111100 + n);
    reads(b, 0x5c, 0); // HOST_TIMEOUT
    put(b, 0x5c, 0xff654321, 7);
    reads(b, 0x5c, 0x654321);
    put(b, 0x40, 0xaabbccdd, 6);
    assert_int_equal(b->o.settings_timeout, 0xffbbcc01);
    for (unsigned bit = 1; bit < 8; bit *= 2) {
        put(b, 0x50, bit, 1);
        assert_int_equal(b->o.settings_event_on_priority_write, bit == 1);
        assert_int_equal(b->o.settings_priority_write_open, bit == 2);
        assert_int_equal(b->o.settings_mqd_save, bit == 4);
    }
}

// Of the dwords of the page that may have a register; constants, status and counters are read only.
RULE(refused_global_accesses)
{
    for (unsigned d = 0; d < 60; d++) {
        const bool rings   = TOTEM_GRAPHICS != 0;
        const bool counter = (d >= 32 && d < 48 && d % 8 < P) || (rings && d >= 56 && d % 4 < TOTEM_FE_COUNT);
        const bool set =
            (d >= 16 && d < 27) || d == 48 || d == 50 || d == 52 || (rings && (d == 27 || d == 51 || d == 53));
        if (!set)
            access_of(b, true, 4 * d, 1, 15, SLVERR);
        if (!set && d >= 12 && !counter)
            assert_int_equal(access_of(b, false, 4 * d, 0, 0, SLVERR), 0);
    }
}

// CP_PQ_WPTR_POLL_CNTL and CNTL1: what polling is set to, and whom a one-shot is asked for, a byte a pipe, for one
// clock.
RULE(polls)
{
    assert_true(b->o.settings_poll_enable && b->o.settings_poll_period == 1);
    reads(b, 0x60, 0x80000001);
    put(b, 0x60, 0x7fffffff, 15);
    assert_true(!b->o.settings_poll_enable && b->o.settings_poll_period == 0xff);
    reads(b, 0x60, 0xff);
    put(b, 0x60, 0x80000012, 8);
    reads(b, 0x60, 0x800000ff);
    for (unsigned strobe = 0; strobe < 16; strobe++)
        for (unsigned k = 0; k < 2; k++) {
            unsigned clocks = 0, pipes = 0;
            offer(b, true, 0x64 + 4 * k, 0x84a5c3f9, (uint8_t)strobe);
            for (unsigned n = 0; n < 8; n++, tick(b)) {
                bool asked = false;
                for (unsigned p = 0; p < P; p++) {
                    const bool its  = p / 4 == k && (strobe >> p % 4 & 1) != 0;
                    unsigned   once = 0;
                    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
                        once |= (unsigned)b->o.poll_once[p * TOTEM_QUEUES + q] << q;
                    asked = asked || once != 0;
                    pipes += its;
                    if (once != 0)
                        assert_int_equal(once, its ? 0x84a5c3f9u >> 8 * (p % 4) & ((1u << TOTEM_QUEUES) - 1) : 0);
                }
                clocks += asked;
            }
            assert_int_equal(clocks, pipes != 0);
        }
    reads(b, 0x64, 0);
    reads(b, 0x68, 0);
}

// CLOCK_HI is the half that belongs to the CLOCK_LO read before it.
RULE(clock_is_read_in_two_halves)
{
    assert_int_equal(b->o.clock, 0);
    tick(b);
    assert_int_equal(b->o.clock, 1);
    b->s.clock = 0x98765432fffffffd;
    reads(b, 0x20, 0xffffffff);
    assert_int_equal(b->o.clock >> 32, 0x98765433);
    reads(b, 0x24, 0x98765432);
}

enum { PIPE, TALLY, STATS, ENGINE, EVENTS };

static void answers(bench *b, unsigned target, unsigned index, uint8_t error)
{
    switch (target) {
    case PIPE:
        b->i.hqd_done[index]  = true;
        b->i.hqd_error[index] = error;
        b->i.hqd_rdata[index] = 0xfeed;
        break;
    case TALLY:
        b->i.tally_done[index]  = true;
        b->i.tally_rdata[index] = 0xfeed;
        break;
    case STATS:
        b->i.stats_done[index]  = true;
        b->i.stats_rdata[index] = 0xfeed;
        break;
    case ENGINE:
        b->i.wave_done[index]  = true;
        b->i.wave_error[index] = error;
        b->i.wave_rdata[index] = 0xfeed;
        break;
    default:
        b->i.events_done  = true;
        b->i.events_error = error;
        b->i.events_rdata = 0xfeed;
    }
    tick(b);
}

// Address, target and what goes with it; then the answer of the target comes back.
RULE(requests)
{
    enum { LAST_Q = TOTEM_QUEUES - 1, LAST_E = TOTEM_SE_COUNT - 1 };
    static const struct {
        uint32_t address;
        uint8_t  target, index;
        bool     doorbell;
        uint8_t  queue, dword;
    } rows[] = {
        {0x01000, EVENTS, 0, false, 0, 0},
        {0x011fc, EVENTS, 0, false, 0, 127},
        {0x02000, ENGINE, 0, false, 0, 0},
        {0x02000 + 0x400 * LAST_E + 0x3fc, ENGINE, LAST_E, false, 0, 255},
        {0x03000, STATS, 0, false, 0, 0},
        {0x03000 + 0x400 * LAST_E + 0x10 * P - 4, STATS, LAST_E, false, 0, 4 * P - 1},
        {0x04000, PIPE, 0, true, 0, 0},
        {0x04000 + 32 * (P - 1) + 4 * LAST_Q, PIPE, P - 1, true, LAST_Q, 8 * (P - 1) + LAST_Q},
        {0x10000, PIPE, 0, false, 0, 0},
        {0x10000 + 0x1000 * (P - 1) + 0x100 * LAST_Q + 0xfc, PIPE, P - 1, false, LAST_Q, 63},
        {0x20000, TALLY, 0, false, 0, 0},
        {0x20000 + 0x2000 * (P - 1) + 0x400 * LAST_Q + 0x3fc, TALLY, P - 1, false, LAST_Q, 255},
    };
    for (unsigned n = 0; n < COUNT(rows); n++)
        for (unsigned way = 0; way < (rows[n].target == TALLY || rows[n].target == STATS ? 2 : 4); way++) {
            const bool     write = way & 1, error = way & 2;
            const unsigned target = rows[n].target, index = rows[n].index;
            open_bench(b);
            offer(b, write, rows[n].address, 0x12345678, 5);
            ticks(b, 3);
            for (unsigned held = 0; held < 4; held++, tick(b)) {
                for (unsigned p = 0; p < P; p++) {
                    assert_int_equal(b->o.hqd_valid[p], target == PIPE && p == index);
                    assert_int_equal(b->o.tally_valid[p], target == TALLY && p == index);
                }
                for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
                    assert_int_equal(b->o.wave_valid[e], target == ENGINE && e == index);
                    assert_int_equal(b->o.stats_valid[e], target == STATS && e == index);
                }
                assert_int_equal(b->o.events_valid, target == EVENTS);
                assert_int_equal(b->o.request_write, write);
                assert_int_equal(b->o.request_doorbell, rows[n].doorbell);
                assert_int_equal(b->o.request_queue, rows[n].queue);
                assert_int_equal(b->o.request_dword, rows[n].dword);
                assert_true(!write || (b->o.request_data == 0x12345678 && b->o.request_strobe == 5));
            }
            answers(b, target, index, error * 7);
            assert_int_equal(b->o.s_axil_bvalid, write);
            assert_int_equal(b->o.s_axil_rvalid, !write);
            assert_int_equal(write ? b->o.s_axil_bresp : b->o.s_axil_rresp, error * SLVERR);
            assert_true(write || b->o.s_axil_rdata == (error ? 0 : 0xfeed));
            assert_int_equal(b->o.error_valid, error);
            if (error) {
                assert_int_equal(b->o.error_word,
                                 (rows[n].address & 0xffffcu) | (uint64_t)rows[n].queue << 48 | 0x87ull << 56);
                tick(b);
                assert_int_equal(b->o.error_word, write ? 0x12345678 : 0);
                tick(b);
                assert_false(b->o.error_valid);
            }
        }
}

RULE(holes)
{
    static const uint32_t addresses[] = {
        0x00400,
        0x01200,
        0x01ffc,
        0x0fffc,
        0x10800,
        0x10ffc,
        0x1fffc,
        0xffffc,
#if !TOTEM_GRAPHICS                          // else some of it is of rings: test_host_graphics.c
        0x03000 + 16 * P + (P == 8 ? 0 : 4), // no such pipe
        0x04000 + 32 * P,
        0x04100,
        0x05000,
        0x10000 + 0x1000 * P,
        0x18000,
        0x20000 + 0x2000 * P,
        0x30000,
#endif
#if TOTEM_SE_COUNT < 4
        0x02000 + 0x400 * TOTEM_SE_COUNT,
        0x03000 + 0x400 * TOTEM_SE_COUNT,
#endif
#if TOTEM_QUEUES < 8
        0x04000 + 4 * TOTEM_QUEUES,
        0x10000 + 0x100 * TOTEM_QUEUES,
        0x20000 + 0x400 * TOTEM_QUEUES,
#endif
    };
    for (unsigned n = 0; n < COUNT(addresses); n++) {
        assert_int_equal(access_of(b, false, addresses[n], 0, 0, SLVERR), 0);
        tick(b);
        offer(b, true, addresses[n], n, 15);
        ticks(b, 3);
        assert_int_equal(b->o.s_axil_bresp, SLVERR);
        assert_int_equal(b->o.error_word, addresses[n] | (0x80ull + HOLE) << 56);
        tick(b);
        assert_int_equal(b->o.error_word, n);
        tick(b);
        assert_int_equal(b->s.lost, 0);
    }
}

// ---- meetings

RULE(errors_that_find_a_message_waiting)
{
    LEVEL(b, events_error_ready, false);
    for (uint32_t address = 0x3c; address >= 0x34; address -= 4)
        access_of(b, false, address, 0, 0, SLVERR);
    reads(b, 0x2c, 2);
    assert_int_equal(b->o.error_word & 0xfffff, 0x3c); // the first one
    b->s.lost = 0xffff;
    access_of(b, false, 0x34, 0, 0, SLVERR);
    assert_int_equal(b->s.lost, 0xffff);
    b->s.lost = 0x7fff;
    access_of(b, false, 0x34, 0, 0, SLVERR);
    assert_int_equal(b->s.lost, 0x8000);
    // Refused in the very clock in which the last word of the message is taken: counted all the same.
    b->s.lost               = 0;
    b->i.events_error_ready = true;
    tick(b);
    offer(b, false, 0x34, 0, 0);
    ticks(b, 2);
    assert_true(b->o.error_valid);
    b->i.events_error_ready = true; // ROUTE, and the last word
    tick(b);
    assert_true(b->o.s_axil_rvalid);
    assert_false(b->o.error_valid);
    assert_int_equal(b->s.lost, 1);
}

// ---- proxy

static void ask(bench *b, bool write, uint32_t address, uint32_t data)
{
    LEVEL(b, proxy_valid, true);
    LEVEL(b, proxy_write, write);
    LEVEL(b, proxy_address, address >> 2);
    LEVEL(b, proxy_data, data);
}

// In the clock in which an access of proxy ends, in which it still asks.
static void proxy_ends(bench *b, uint8_t error, uint32_t data)
{
    assert_true(b->o.proxy_done);
    assert_int_equal(b->o.proxy_error, error);
    assert_int_equal(b->o.proxy_rdata, data);
    assert_false(b->o.s_axil_bvalid || b->o.s_axil_rvalid || b->o.error_valid);
    tick(b);
    LEVEL(b, proxy_valid, false);
    assert_false(b->o.proxy_done);
}

// Registers, holes and targets: the same rules, no response of AXI4-Lite, no message, nothing counted.
RULE(accesses_of_proxy)
{
    const struct {
        bool     write;
        uint32_t address, data;
        uint8_t  error;
    } rows[] = {
        {false, 0x00, 0x544f544d, 0}, {true, 0x44, 0xff123456, 0}, {false, 0x44, 0x123456, 0},
        {true, 0x04, 1, READ_ONLY},   {false, 0x00400, 0, HOLE},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        ask(b, rows[n].write, rows[n].address, rows[n].data);
        ticks(b, 2);
        proxy_ends(b, rows[n].error, rows[n].write ? 0 : rows[n].data);
    }
    for (unsigned error = 0; error < 2; error++) {
        ask(b, true, 0x100fc, 0x87654321);
        ticks(b, 2);
        for (unsigned n = 0; n < 3; n++, tick(b)) { // it stands, and nobody needs the request any more
            LEVEL(b, proxy_data, 0);
            assert_true(b->o.hqd_valid[0] && b->o.request_write);
            assert_true(b->o.request_data == 0x87654321 && b->o.request_strobe == 15 && b->o.request_dword == 63);
        }
        answers(b, PIPE, 0, (uint8_t)(error * 3));
        proxy_ends(b, (uint8_t)(error * 3), 0);
    }
    ask(b, false, 0x02000, 0);
    ticks(b, 2);
    answers(b, ENGINE, 0, 0);
    proxy_ends(b, 0, 0xfeed);
    assert_int_equal(b->s.lost, 0);
}

// AXI4-Lite and proxy in turn; a write and a read of AXI4-Lite in turn all the same.
RULE(turns)
{
    unsigned writes = 0, reads_done = 0, others = 0;
    for (unsigned n = 0; n < 60; n++, tick(b)) {
        offer(b, true, 0x44, n, 15);
        b->i.s_axil_arvalid = true;
        ask(b, n & 1, 0x48, n);
        if (b->o.proxy_done)
            b->i.proxy_valid = false;
        writes += b->o.s_axil_bvalid;
        reads_done += b->o.s_axil_rvalid;
        others += b->o.proxy_done;
        assert_true(writes + 1 >= reads_done && reads_done + 1 >= writes);
        assert_true(writes + reads_done <= others + 1 && others <= writes + reads_done + 1);
    }
    assert_true(writes >= 7 && reads_done >= 7 && others >= 14);
    LEVEL(b, proxy_valid, false);
    ticks(b, 20);
    ask(b, false, 0, 0); // both can go in the clock behind the end of an access of proxy
    ticks(b, 2);
    assert_true(b->o.proxy_done);
    offer(b, false, 0x44, 0, 0);
    ticks(b, 3);
    assert_true(b->o.s_axil_rvalid && !b->o.proxy_done);
    ticks(b, 2);
    assert_true(b->o.proxy_done);
}

// ---- time-out of engines

// An access of engine e that ends by a time-out: it stands for as many clocks as HOST_TIMEOUT says.
static void times_out(bench *b, unsigned e, unsigned clocks, bool by_proxy)
{
    if (by_proxy)
        ask(b, false, 0x02000 + 0x400 * e, 0);
    else
        offer(b, false, 0x02000 + 0x400 * e, 0, 0);
    ticks(b, by_proxy ? 2 : 3);
    for (unsigned n = 0; n < clocks; n++, tick(b))
        assert_true(b->o.wave_valid[e] && !b->o.s_axil_rvalid);
    assert_false(b->o.wave_valid[e]);
    if (by_proxy) {
        proxy_ends(b, TIME_OUT, 0);
        return;
    }
    assert_true(b->o.s_axil_rvalid && b->o.s_axil_rresp == SLVERR && b->o.s_axil_rdata == 0);
    assert_int_equal(b->o.error_word, (0x02000 + 0x400 * e) | (0x80ull + TIME_OUT) << 56);
    ticks(b, 2);
}

RULE(engines_that_do_not_answer)
{
    enum { E = TOTEM_SE_COUNT - 1, ANSWERED = 5 };
    offer(b, false, 0x02000, 0, 0); // HOST_TIMEOUT 0: for ever
    ticks(b, 300);
    assert_true(b->o.wave_valid[0]);
    answers(b, ENGINE, 0, 0);
    tick(b);
    for (unsigned clocks = 1; clocks < 4; clocks++)
        for (unsigned by_proxy = 0; by_proxy < 2; by_proxy++) {
            put(b, 0x5c, clocks, 15);
            times_out(b, E, clocks, by_proxy);
            // It owes an answer: refused at once, by whomever. Others are not.
            access_of(b, false, 0x02000 + 0x400 * E, 0, 0, SLVERR);
            ticks(b, 2);
            ask(b, true, 0x023fc + 0x400 * E, 1);
            ticks(b, 2);
            proxy_ends(b, TIME_OUT, 0);
#if TOTEM_SE_COUNT > 1
            times_out(b, 0, clocks, !by_proxy);
            answers(b, ENGINE, 0, 0);
#endif
            offer(b, false, 0x01000, 0, 0); // not an engine: it is waited for
            ticks(b, 3 + clocks + 3);
            assert_true(b->o.events_valid);
            answers(b, EVENTS, 0, 0);
            assert_int_equal(b->o.s_axil_rresp, 0);
            tick(b);
            // The late answer is nobody's; behind it the engine is there again, and in time in its last clock.
            answers(b, ENGINE, E, ANSWERED);
            assert_false(b->o.s_axil_rvalid || b->o.error_valid || b->o.proxy_done);
            offer(b, false, 0x02000 + 0x400 * E, 0, 0);
            ticks(b, 3 + clocks - 1);
            assert_true(b->o.wave_valid[E]);
            answers(b, ENGINE, E, 0);
            assert_true(b->o.s_axil_rvalid && b->o.s_axil_rresp == 0 && b->o.s_axil_rdata == 0xfeed);
            tick(b);
        }
}

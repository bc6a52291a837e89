// SPDX-License-Identifier: Apache-2.0
//
// totem_host: rules, latencies and meetings of docs/contract/host.md.

#include "block_bench.h"

#include "totem_host.h"

BENCH(host)

enum { HOLE = 1, READ_ONLY, P = TOTEM_PIPE_COUNT, SLVERR = 2 };

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, s_axil_bready, true);
    LEVEL(b, s_axil_rready, true);
    LEVEL(b, events_error_ready, true);
}

static void offer_write(bench *b, uint32_t address, uint32_t data, uint8_t strobe)
{
    b->i.s_axil_awvalid = b->i.s_axil_wvalid = true;
    b->i.s_axil_awaddr                       = address;
    b->i.s_axil_wdata                        = data;
    b->i.s_axil_wstrb                        = strobe;
}

static void offer_read(bench *b, uint32_t address)
{
    b->i.s_axil_arvalid = true;
    b->i.s_axil_araddr  = address;
}

// A global register: the response is valid 3 clocks after the transfer.
static uint32_t read_global(bench *b, uint32_t address, unsigned response)
{
    offer_read(b, address);
    for (unsigned n = 0; n < 3; n++) {
        assert_false(b->o.s_axil_rvalid);
        tick(b);
    }
    assert_true(b->o.s_axil_rvalid);
    assert_int_equal(b->o.s_axil_rresp, response);
    const uint32_t data = b->o.s_axil_rdata;
    tick(b);
    assert_false(b->o.s_axil_rvalid);
    return data;
}

static void write_global(bench *b, uint32_t address, uint32_t data, uint8_t strobe, unsigned response)
{
    offer_write(b, address, data, strobe);
    for (unsigned n = 0; n < 3; n++) {
        assert_false(b->o.s_axil_bvalid);
        tick(b);
    }
    assert_true(b->o.s_axil_bvalid);
    assert_int_equal(b->o.s_axil_bresp, response);
    tick(b);
    assert_false(b->o.s_axil_bvalid);
}

static void global_registers(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    assert_int_equal(read_global(&b, 0x00, 0), 0x544f544d);
    assert_int_equal(read_global(&b, 0x04, 0), 0x00000100);
    assert_int_equal(read_global(&b, 0x08, 0), TOTEM_CONFIG_HASH);
    assert_int_equal(read_global(&b, 0x0c, 0),
                     TOTEM_GRAPHICS | TOTEM_TASKS << 1 | TOTEM_PARTITION << 2 | TOTEM_RUNLIST << 3);
    assert_int_equal(read_global(&b, 0x10, 0),
                     TOTEM_FE_COUNT | TOTEM_PIPES << 8 | TOTEM_QUEUES << 16 | (uint32_t)TOTEM_SE_COUNT << 24);
    assert_int_equal(read_global(&b, 0x14, 0), TOTEM_EPOCHS | TOTEM_LANES << 8 | TOTEM_COUNT_BITS << 16);
    assert_int_equal(read_global(&b, 0x18, 0), TOTEM_SLOTS);
    assert_int_equal(read_global(&b, 0x1c, 0), TOTEM_VGPRS | (uint32_t)TOTEM_LDS << 16);
    assert_int_equal(read_global(&b, 0x28, 0), 0);
    LEVEL(&b, machine_idle, true);
    assert_int_equal(read_global(&b, 0x28, 0), 1);
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        LEVEL(&b, memory_dead[f], true);
        assert_int_equal(read_global(&b, 0x28, 0), 1u | 0x100u << f);
        LEVEL(&b, memory_dead[f], false);
    }
    assert_int_equal(read_global(&b, 0x2c, 0), 0);
    assert_int_equal(read_global(&b, 0x40, 0), 0x00100000);
    assert_int_equal(b.o.settings_timeout, 0x00100000);
    write_global(&b, 0x40, 0x11223344, 15, 0);
    assert_int_equal(b.o.settings_timeout, 0x11223344);
    write_global(&b, 0x43, 0xaabbccdd, 6, 0); // strobes; the low address bits are ignored
    assert_int_equal(b.o.settings_timeout, 0x11bbcc44);
    assert_int_equal(b.o.settings_quantum_unit0, 5000);
    assert_int_equal(b.o.settings_quantum_unit1, 100000);
    assert_int_equal(b.o.settings_turn_limit, 1000000);
    assert_false(b.o.settings_event_on_priority_write || b.o.settings_priority_write_open || b.o.settings_mqd_save);
    static const uint32_t resets[] = {5000, 100000, 1000000, 0, 0};
    for (unsigned d = 17; d < 22; d++) {
        const uint32_t bits = d == 20 ? 7 : 0xffffff;
        assert_int_equal(read_global(&b, 4 * d, 0), resets[d - 17]);
        write_global(&b, 4 * d, 0xff89abfe, 15, 0);
        assert_int_equal(read_global(&b, 4 * d, 0), 0xff89abfe & bits); // the other bits are ignored
        write_global(&b, 4 * d, 0x01020301, 1, 0);
        assert_int_equal(read_global(&b, 4 * d, 0), 0xff89ab01 & bits);
    }
    assert_int_equal(b.o.settings_timeout, 0x11bbcc44); // each its own
    assert_int_equal(b.o.settings_quantum_unit0, 0x89ab01);
    assert_int_equal(b.o.settings_quantum_unit1, 0x89ab01);
    assert_int_equal(b.o.settings_turn_limit, 0x89ab01);
    assert_int_equal(b.o.settings_dequeue_timeout, 0x89ab01);
    assert_true(b.o.settings_event_on_priority_write && !b.o.settings_priority_write_open);
    write_global(&b, 4 * 20, 2, 1, 0);
    assert_true(!b.o.settings_event_on_priority_write && b.o.settings_priority_write_open && !b.o.settings_mqd_save);
    write_global(&b, 4 * 20, 4, 1, 0);
    assert_true(b.o.settings_mqd_save && !b.o.settings_priority_write_open);
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++) { // counters of the pipes
        LEVEL(&b, hqd_drains[p], (uint16_t)(0x8001 + p));
        LEVEL(&b, fence_lost[p], (uint16_t)(0x4011 + p));
        LEVEL(&b, fence_late[p], (uint16_t)(0x9021 + p));
        assert_int_equal(read_global(&b, 4 * (32 + p), 0), 0x8001 + p);
        assert_int_equal(read_global(&b, 4 * (40 + p), 0), (0x9021u + p) << 16 | (0x4011u + p));
        write_global(&b, 4 * (40 + p), 1, 15, SLVERR);
    }
    if (TOTEM_PIPE_COUNT < 8)
        assert_int_equal(read_global(&b, 4 * (40 + TOTEM_PIPE_COUNT), SLVERR), 0);
    for (unsigned d = 0; d < 12; d++)
        write_global(&b, 4 * d, 1, 15, SLVERR);
    for (unsigned d = 12; d < 60; d++)
        if (d < 16 || (d > 21 && d < 24) || (d > 26 && (d < 32 || d >= 48 || d % 8 >= TOTEM_PIPE_COUNT))) {
            assert_int_equal(read_global(&b, 4 * d, SLVERR), 0);
            write_global(&b, 4 * d, 1, 15, SLVERR);
        }
}

// CP_PQ_WPTR_POLL_CNTL and CNTL1: what polling is set to, and whom a one-shot is asked for, a byte a pipe, for one clock.
static void polls(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    assert_true(b.o.settings_poll_enable && b.o.settings_poll_period == 1);
    assert_int_equal(read_global(&b, 0x60, 0), 0x80000001);
    write_global(&b, 0x60, 0x7fffffff, 15, 0);
    assert_true(!b.o.settings_poll_enable && b.o.settings_poll_period == 0xff);
    assert_int_equal(read_global(&b, 0x60, 0), 0xff);
    write_global(&b, 0x60, 0x80000012, 8, 0);
    assert_int_equal(read_global(&b, 0x60, 0), 0x800000ff);
    for (unsigned strobe = 0; strobe < 16; strobe++)
        for (unsigned k = 0; k < 2; k++) {
            unsigned clocks = 0;
            offer_write(&b, 0x64 + 4 * k, 0x84a5c3f9, (uint8_t)strobe);
            for (unsigned n = 0; n < 8; n++, tick(&b)) {
                bool asked = false;
                for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++) {
                    const unsigned byte = p % 4;
                    unsigned       once = 0;
                    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
                        once |= (unsigned)b.o.poll_once[p * TOTEM_QUEUES + q] << q;
                    asked = asked || once != 0;
                    if (once != 0)
                        assert_int_equal(once, p / 4 == k && (strobe >> byte & 1) != 0
                                                   ? 0x84a5c3f9u >> 8 * byte & ((1u << TOTEM_QUEUES) - 1)
                                                   : 0);
                }
                clocks += asked;
            }
            const unsigned there = TOTEM_PIPE_COUNT <= 4 * k ? 0 : TOTEM_PIPE_COUNT - 4 * k;
            const unsigned pipes = there > 4 ? 15 : (1u << there) - 1;
            assert_int_equal(clocks, (strobe & pipes) != 0);
        }
    assert_int_equal(read_global(&b, 0x64, 0), 0);
    assert_int_equal(read_global(&b, 0x68, 0), 0);
}

// CLOCK_HI is the half that belongs to the CLOCK_LO read before it.
static void clock_is_read_in_two_halves(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    assert_int_equal(b.o.clock, 0);
    tick(&b);
    assert_int_equal(b.o.clock, 1);
    b.s.clock = 0x5fffffffd;
    offer_read(&b, 0x20);
    ticks(&b, 3);
    assert_int_equal(b.o.s_axil_rdata, 0xffffffff);
    tick(&b);
    assert_int_equal(b.o.clock >> 32, 6);
    assert_int_equal(read_global(&b, 0x24, 0), 5);
}

// Address, target and what goes with it; then the answer of the target comes back.
static void requests(void **state)
{
    static const struct {
        uint32_t address;
        char     target; // p pipe, t tally, e engine, v events
        unsigned index;
        bool     doorbell;
        uint8_t  queue, dword;
    } rows[] = {
        {0x01000, 'v', 0, false, 0, 0},
        {0x011fc, 'v', 0, false, 0, 127},
        {0x02000, 'e', 0, false, 0, 0},
        {0x02000 + 0x400 * (TOTEM_SE_COUNT - 1) + 0x3fc, 'e', TOTEM_SE_COUNT - 1, false, 0, 255},
        {0x04000, 'p', 0, true, 0, 0},
        {0x04000 + 32 * (P - 1) + 4 * (TOTEM_QUEUES - 1), 'p', P - 1, true, TOTEM_QUEUES - 1,
         8 * (P - 1) + TOTEM_QUEUES - 1},
        {0x10000, 'p', 0, false, 0, 0},
        {0x10000 + 0x1000 * (P - 1) + 0x100 * (TOTEM_QUEUES - 1) + 0xfc, 'p', P - 1, false, TOTEM_QUEUES - 1, 63},
        {0x20000, 't', 0, false, 0, 0},
        {0x20000 + 0x2000 * (P - 1) + 0x400 * (TOTEM_QUEUES - 1) + 0x3fc, 't', P - 1, false, TOTEM_QUEUES - 1, 255},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned write = 0; write < 2; write++)
            for (uint8_t error = 0; error < (rows[n].target == 't' ? 1 : 2); error++) {
                bench b;
                open_bench(&b);
                if (write)
                    offer_write(&b, rows[n].address, 0x12345678, 5);
                else
                    offer_read(&b, rows[n].address);
                ticks(&b, 3);
                for (unsigned held = 0; held < 4; held++) {
                    for (unsigned p = 0; p < P; p++)
                        assert_int_equal(b.o.hqd_valid[p], rows[n].target == 'p' && p == rows[n].index);
                    for (unsigned p = 0; p < P; p++)
                        assert_int_equal(b.o.tally_valid[p], rows[n].target == 't' && p == rows[n].index);
                    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
                        assert_int_equal(b.o.wave_valid[e], rows[n].target == 'e' && e == rows[n].index);
                    assert_int_equal(b.o.events_valid, rows[n].target == 'v');
                    assert_int_equal(b.o.request_write, write);
                    assert_int_equal(b.o.request_doorbell, rows[n].doorbell);
                    assert_int_equal(b.o.request_queue, rows[n].queue);
                    assert_int_equal(b.o.request_dword, rows[n].dword);
                    if (write) {
                        assert_int_equal(b.o.request_data, 0x12345678);
                        assert_int_equal(b.o.request_strobe, 5);
                    }
                    tick(&b);
                }
                switch (rows[n].target) {
                case 'p':
                    b.i.hqd_done[rows[n].index]  = true;
                    b.i.hqd_error[rows[n].index] = (uint8_t)(error * 7);
                    b.i.hqd_rdata[rows[n].index] = 0xfeed;
                    break;
                case 't':
                    b.i.tally_done[rows[n].index]  = true;
                    b.i.tally_rdata[rows[n].index] = 0xfeed;
                    break;
                case 'e':
                    b.i.wave_done[rows[n].index]  = true;
                    b.i.wave_error[rows[n].index] = (uint8_t)(error * 7);
                    b.i.wave_rdata[rows[n].index] = 0xfeed;
                    break;
                default:
                    b.i.events_done  = true;
                    b.i.events_error = (uint8_t)(error * 7);
                    b.i.events_rdata = 0xfeed;
                }
                tick(&b);
                assert_int_equal(b.o.s_axil_bvalid, write);
                assert_int_equal(b.o.s_axil_rvalid, !write);
                if (write)
                    assert_int_equal(b.o.s_axil_bresp, error * SLVERR);
                else {
                    assert_int_equal(b.o.s_axil_rresp, error * SLVERR);
                    assert_int_equal(b.o.s_axil_rdata, error ? 0 : 0xfeed);
                }
                assert_int_equal(b.o.error_valid, error);
                if (error) {
                    assert_int_equal(b.o.error_word,
                                     (rows[n].address & 0xffffcu) | (uint64_t)rows[n].queue << 48 | 0x87ull << 56);
                    tick(&b);
                    assert_int_equal(b.o.error_word, write ? 0x12345678 : 0);
                    tick(&b);
                    assert_false(b.o.error_valid);
                }
            }
}

static void holes(void **state)
{
    static const uint32_t addresses[] = {
        0x00400 * 1,
        0x01200,
        0x01ffc,
        0x02000 + 0x400 * TOTEM_SE_COUNT,
        0x03000,
        0x04000 + 32 * P,
        0x04100,
        0x05000,
        0x0fffc,
        0x10800,
        0x10ffc,
        0x10000 + 0x1000 * P,
        0x18000,
        0x1fffc,
        0x30000,
        0x20000 + 0x2000 * P,
        0xffffc,
#if TOTEM_QUEUES < 8
        0x04000 + 4 * TOTEM_QUEUES,
        0x10000 + 0x100 * TOTEM_QUEUES,
        0x20000 + 0x400 * TOTEM_QUEUES,
#endif
    };
    bench b;
    (void)state;
    open_bench(&b);
    for (unsigned n = 0; n < sizeof addresses / sizeof *addresses; n++) {
        if (n == 3 && TOTEM_SE_COUNT == 4)
            continue; // 0x3000, tested below
        assert_int_equal(read_global(&b, addresses[n], SLVERR), 0);
        tick(&b);
        offer_write(&b, addresses[n], n, 15);
        ticks(&b, 3);
        assert_int_equal(b.o.s_axil_bresp, SLVERR);
        assert_int_equal(b.o.error_word, addresses[n] | (0x80ull + HOLE) << 56);
        tick(&b);
        assert_int_equal(b.o.error_word, n);
        tick(&b);
        assert_int_equal(b.s.lost, 0);
    }
}

// ---- channels

static void address_and_data_in_any_order(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        bench b;
        open_bench(&b);
        offer_write(&b, 0x40, 77, 15);
        if (first)
            b.i.s_axil_wvalid = false;
        else
            b.i.s_axil_awvalid = false;
        tick(&b);
        assert_int_equal(b.o.s_axil_awready, !first);
        assert_int_equal(b.o.s_axil_wready, first);
        ticks(&b, 5);
        assert_false(b.o.s_axil_bvalid);
        offer_write(&b, 0x40, 77, 15);
        if (first)
            b.i.s_axil_awvalid = false;
        else
            b.i.s_axil_wvalid = false;
        ticks(&b, 3);
        assert_true(b.o.s_axil_bvalid);
        assert_int_equal(b.o.settings_timeout, 77);
    }
}

static void responses_wait_to_be_taken(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, s_axil_bready, false);
    LEVEL(&b, s_axil_rready, false);
    offer_read(&b, 0);
    ticks(&b, 3);
    offer_read(&b, 4); // its address is taken and waits
    for (unsigned n = 0; n < 6; n++) {
        assert_true(b.o.s_axil_rvalid);
        assert_int_equal(b.o.s_axil_rdata, 0x544f544d);
        tick(&b);
    }
    assert_false(b.o.s_axil_arready);
    b.i.s_axil_rready = true;
    tick(&b);
    assert_false(b.o.s_axil_rvalid);
    ticks(&b, 2);
    assert_int_equal(b.o.s_axil_rdata, 0x100);
}

// ---- meetings

static void write_meets_read(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    // After reset a write goes first, then they take turns.
    for (unsigned round = 0; round < 3; round++) {
        offer_write(&b, 0x40, round + 1, 15);
        offer_read(&b, 0x40);
        ticks(&b, 3);
        assert_true(b.o.s_axil_bvalid && !b.o.s_axil_rvalid);
        ticks(&b, 2);
        assert_true(b.o.s_axil_rvalid);
        assert_int_equal(b.o.s_axil_rdata, round + 1);
        tick(&b);
    }
    // The write was served last: now the read goes first.
    offer_write(&b, 0x40, 9, 15);
    ticks(&b, 4);
    offer_write(&b, 0x40, 10, 15);
    offer_read(&b, 0x40);
    ticks(&b, 3);
    assert_true(b.o.s_axil_rvalid && !b.o.s_axil_bvalid);
    assert_int_equal(b.o.s_axil_rdata, 9);
}

static void reads_go_on_while_a_write_response_waits(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, s_axil_bready, false);
    offer_write(&b, 0x40, 5, 15);
    ticks(&b, 3);
    offer_write(&b, 0x40, 6, 15); // held with address and data
    tick(&b);
    for (unsigned n = 0; n < 3; n++)
        assert_int_equal(read_global(&b, 0x40, 0), 5);
    assert_false(b.o.s_axil_awready || b.o.s_axil_wready);
    LEVEL(&b, s_axil_bready, true);
    tick(&b);
    CLOCKS_UNTIL(&b, b.o.s_axil_bvalid, 3);
    assert_int_equal(b.o.settings_timeout, 6);
}

static void errors_that_find_a_message_waiting(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, events_error_ready, false);
    read_global(&b, 0x3c, SLVERR);
    read_global(&b, 0x38, SLVERR);
    read_global(&b, 0x34, SLVERR);
    assert_int_equal(read_global(&b, 0x2c, 0), 2);
    assert_int_equal(b.o.error_word & 0xfffff, 0x3c); // the first one
    b.s.lost = 0xffff;
    read_global(&b, 0x34, SLVERR);
    assert_int_equal(b.s.lost, 0xffff);
    // Refused in the very clock in which the last word of the message is taken: counted all the same.
    b.s.lost        = 0;
    b.i.events_error_ready = true;
    tick(&b);
    offer_read(&b, 0x34);
    ticks(&b, 2);
    assert_true(b.o.error_valid);
    b.i.events_error_ready = true; // ROUTE, and the last word
    tick(&b);
    assert_true(b.o.s_axil_rvalid);
    assert_false(b.o.error_valid);
    assert_int_equal(b.s.lost, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_registers),
        cmocka_unit_test(polls),
        cmocka_unit_test(clock_is_read_in_two_halves),
        cmocka_unit_test(requests),
        cmocka_unit_test(holes),
        cmocka_unit_test(address_and_data_in_any_order),
        cmocka_unit_test(responses_wait_to_be_taken),
        cmocka_unit_test(write_meets_read),
        cmocka_unit_test(reads_go_on_while_a_write_response_waits),
        cmocka_unit_test(errors_that_find_a_message_waiting),
    };

    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}

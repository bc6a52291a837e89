// SPDX-License-Identifier: Apache-2.0
//
// totem_controls: rules and meetings of docs/contract/controls.md.

#include "block_bench.h"

#include "totem_controls.h"

#include "../cmodel/host/totem_regs_map.h"
#include "../cmodel/packet/totem_pm4.h"

BENCH(controls)

enum {
    CNTL1      = TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL1,
    CNTL2      = TOTEM_REG_CONTROLS_SPI_GS_THROTTLE_CNTL2,
    THROTTLE   = TOTEM_REG_CONTROLS_THROTTLE,
    GS_LIMIT   = TOTEM_REG_CONTROLS_GS_LIMIT,
    THRESHOLDS = TOTEM_REG_CONTROLS_PH_THRESHOLDS,
    CLAMPED    = TOTEM_REG_CONTROLS_CLAMPED,
    CLOSED     = TOTEM_REG_CONTROLS_CLOSED,
    STATUS     = TOTEM_REG_CONTROLS_STATUS,
    HOLE       = TOTEM_ERROR_HOST_HOLE & 31,
    READ_ONLY  = TOTEM_ERROR_HOST_READ_ONLY & 31,
    VALUE      = TOTEM_ERROR_HOST_VALUE & 31,
    LAST       = TOTEM_FE_COUNT - 1,
};

static const uint32_t resets[] = {0x12355123, 0x0001544d, 0, 0, 0x302010, 0};

static void ask(bench *b, bool write, unsigned dword, uint32_t data, unsigned strobe)
{
    b->i.host_valid  = true;
    b->i.host_write  = write;
    b->i.host_dword  = (uint8_t)dword;
    b->i.host_strobe = (uint8_t)strobe;
    b->i.host_data   = data;
}

// An access, done in the next clock; its error.
static unsigned access_error(bench *b)
{
    assert_false(b->o.host_done);
    tick(b);
    assert_true(b->o.host_done);
    const unsigned error = b->o.host_error;
    tick(b);
    assert_false(b->o.host_done);
    return error;
}

static unsigned put(bench *b, unsigned dword, uint32_t data)
{
    ask(b, true, dword, data, 15);
    return access_error(b);
}

static uint32_t get(bench *b, unsigned dword)
{
    ask(b, false, dword, 0xffffffff, 15);
    assert_int_equal(access_error(b), 0);
    return b->o.host_rdata;
}

static void packet(bench *b, unsigned front, bool second, uint32_t data)
{
    b->i.packet_valid[front]  = true;
    b->i.packet_second[front] = second;
    b->i.packet_data[front]   = data;
}

// Every register as it was but one.
static void only(bench *b, unsigned changed, uint32_t value)
{
    for (unsigned d = 0; d < COUNT(resets); d++)
        assert_int_equal(get(b, d), d == changed ? value : resets[d]);
}

TEST(after_reset)
{
    bench b;
    fresh(&b);
    only(&b, 0, resets[0]);
    assert_int_equal(b.o.interval, 3);
    assert_int_equal(b.o.limit, 0);
    assert_false(b.o.ph_enable || b.o.spi_enable || b.o.b_hold || b.o.thresholds_valid);
    assert_int_equal(b.o.thresholds[0] * 10000 + b.o.thresholds[1] * 100 + b.o.thresholds[2], 163248);
}

// Fields without a name are not kept, and a register does not reach into another one.
TEST(every_register)
{
    static const struct {
        unsigned dword;
        uint32_t written, read;
    } row[] = {
        {CNTL1, 0xfff99fff, 0xfff99fff},    {CNTL1, 0, 0},
        {CNTL2, 0xfffffffe, 0x1fffe},       {CNTL2, 0xfffc0001, 1},
        {THROTTLE, 0xffffffff, 7},          {THROTTLE, 0x12345672, 2},
        {GS_LIMIT, 0xffffffff, 127},        {GS_LIMIT, 0xabcd80, 0},
        {THRESHOLDS, 0xff403f01, 0x403f01}, {THRESHOLDS, 0x030201, 0x030201},
    };
    for (unsigned n = 0; n < COUNT(row); n++) {
        bench b;
        fresh(&b);
        assert_int_equal(put(&b, row[n].dword, row[n].written), 0);
        assert_int_equal(b.s.rdata, n < 2 ? 0x12355123 : n < 4 ? 0x1544d : n < 8 ? 0 : 0x302010); // as it was
        only(&b, row[n].dword, row[n].read);
    }
    bench b;
    fresh(&b);
    for (unsigned bit = 0; bit < 3; bit++) {
        put(&b, THROTTLE, 1u << bit);
        assert_int_equal(b.o.ph_enable, bit == 0);
        assert_int_equal(b.o.spi_enable, bit == 1);
        assert_int_equal(b.o.b_hold, bit == 2);
    }
    put(&b, GS_LIMIT, 99);
    assert_int_equal(b.o.limit, 99);
    put(&b, CNTL1, 0x8765432a);
    assert_int_equal(b.o.cntl1, 0x8765432a);
    assert_int_equal(b.o.interval, 10);
}

TEST(refused)
{
    static const struct {
        unsigned dword;
        uint32_t data;
        unsigned error;
    } row[] = {
        {CNTL1, 0x1235a123, VALUE},
        {CNTL1, 0x123a5123, VALUE},
        {CNTL1, 0x123f5123, VALUE},
        {CNTL1, 0x1235f123, VALUE},
        {CNTL2, 0x1544f, VALUE},
        {CNTL2, 3, VALUE},
        {THRESHOLDS, 0x302000, VALUE},
        {THRESHOLDS, 0x303010, VALUE},
        {THRESHOLDS, 0x301010, VALUE},
        {THRESHOLDS, 0x102030, VALUE},
        {THRESHOLDS, 0x412010, VALUE},
        {THRESHOLDS, 0xc02010, VALUE}, // 64 beyond 128
        {THRESHOLDS, 0x30a010, VALUE},
        {THRESHOLDS, 0x302090, VALUE},
        {CLAMPED, 0, READ_ONLY},
        {CLOSED, 0, READ_ONLY},
        {CLOSED + TOTEM_SE_COUNT - 1, 0, READ_ONLY},
        {STATUS + TOTEM_SE_COUNT - 1, 0, READ_ONLY},
        {6, 0, HOLE},
        {7, 0, HOLE},
        {32, 0, HOLE}, // a multiple of the page's dwords behind CNTL1
        {0x80, 0, HOLE},
        {255, 0, HOLE},
    };
    bench b;
    fresh(&b);
    for (unsigned n = 0; n < COUNT(row); n++) {
        assert_int_equal(put(&b, row[n].dword, row[n].data), row[n].error);
        assert_false(b.o.thresholds_valid);
        if (row[n].error == HOLE) {
            ask(&b, false, row[n].dword, 0, 15);
            assert_int_equal(access_error(&b), HOLE);
            assert_int_equal(b.o.host_rdata, 0);
        }
    }
    only(&b, 0, resets[0]);
}

// What the throttles and monitors show, each engine its own; engines that are not there are holes.
TEST(engines_are_shown)
{
    static const uint32_t most[] = {0xffffffff, 0x3ff, 0x7ff, 0x7ff, 0x7ff, 3};
    for (unsigned e = 0; e < 4; e++)
        for (unsigned k = 0; k < COUNT(most); k++) {
            bench b;
            fresh(&b);
            if (e >= TOTEM_SE_COUNT) {
                ask(&b, false, CLOSED + 4 * k + e, 0, 15);
                assert_int_equal(access_error(&b), HOLE);
                assert_int_equal(b.o.host_rdata, 0);
                continue;
            }
            LEVEL(&b, throttle_closed[e], k == 0 ? most[k] : 0);
            LEVEL(&b, throttle_dead[e], (uint16_t)(k == 1 ? most[k] : 0));
            LEVEL(&b, throttle_stall_a[e], (uint16_t)(k == 2 ? most[k] : 0));
            LEVEL(&b, throttle_stall_b[e], (uint16_t)(k == 3 ? most[k] : 0));
            LEVEL(&b, throttle_stall_c[e], (uint16_t)(k == 4 ? most[k] : 0));
            LEVEL(&b, monitor_status[e], k == 5 ? 3 : 0);
            for (unsigned j = 0; j < COUNT(most); j++)
                for (unsigned f = 0; f < TOTEM_SE_COUNT; f++)
                    assert_int_equal(get(&b, CLOSED + 4 * j + f), j == k && f == e ? most[k] : 0);
        }
}

// Bytes without a strobe keep their value, and are judged with those that have one.
TEST(strobes)
{
    bench b;
    fresh(&b);
    ask(&b, true, CNTL1, 0xffffffff, 8);
    assert_int_equal(access_error(&b), 0);
    assert_int_equal(b.o.cntl1, 0xff355123);
    ask(&b, true, CNTL1, 0xffffffff, 2);
    assert_int_equal(access_error(&b), VALUE);
    ask(&b, true, THRESHOLDS, 0x00001100, 2); // 16, 17, 48
    assert_int_equal(access_error(&b), 0);
    assert_int_equal(get(&b, THRESHOLDS), 0x301110);
    ask(&b, true, THRESHOLDS, 0x00110011, 5); // 17, 17, 17
    assert_int_equal(access_error(&b), VALUE);
    ask(&b, true, GS_LIMIT, 0xffffffff, 14);
    assert_int_equal(access_error(&b), 0);
    assert_int_equal(b.o.limit, 0);
    assert_int_equal(b.o.cntl1, 0xff355123);
}

// The thresholds go out with a pulse; not so what was refused, or another register.
TEST(thresholds_are_shown)
{
    bench b;
    fresh(&b);
    ask(&b, true, THRESHOLDS, 0x403f3e, 15);
    assert_false(b.o.thresholds_valid);
    tick(&b);
    assert_true(b.o.thresholds_valid);
    assert_int_equal(b.o.thresholds[0] * 10000 + b.o.thresholds[1] * 100 + b.o.thresholds[2], 626364);
    tick(&b);
    assert_false(b.o.thresholds_valid);
    ask(&b, true, THRESHOLDS, 0, 15);
    tick(&b);
    assert_false(b.o.thresholds_valid);
    tick(&b);
    ask(&b, false, THRESHOLDS, 0, 15);
    tick(&b);
    assert_false(b.o.thresholds_valid);
}

// A request stays until it is done and is served once; the one behind it in the next clock but one.
TEST(one_access_at_a_time)
{
    bench b;
    fresh(&b);
    ask(&b, true, GS_LIMIT, 5, 15);
    tick(&b);
    assert_true(b.o.host_done);
    ask(&b, true, GS_LIMIT, 6, 15); // the clock that shows it
    tick(&b);
    assert_false(b.o.host_done);
    assert_int_equal(b.o.limit, 5);
    ask(&b, true, GS_LIMIT, 7, 15);
    tick(&b);
    assert_true(b.o.host_done);
    assert_int_equal(b.o.limit, 7);
}

// ---- packets

TEST(packets_are_clamped)
{
    static const struct {
        bool     second;
        uint32_t data, value, counted;
    } row[] = {
        {false, 0x00099000, 0x00099000, 0}, {false, 0x000a0000, 0x00090000, 1}, {false, 0x0000a000, 0x00009000, 1},
        {false, 0xffffffff, 0xfff99fff, 2}, {false, 0x1235b123, 0x12359123, 1}, {false, 0x123d5123, 0x12395123, 1},
        {false, 0xabcc0def, 0xabc90def, 1}, {false, 0xabcee321, 0xabc99321, 2}, {true, 3, 2, 1},
        {true, 0xffffffff, 0x1fffe, 1},     {true, 0x00020002, 2, 0},           {true, 0x000aa000, 0xa000, 0},
    };
    uint32_t counted = 0;
    bench    b;
    fresh(&b);
    for (unsigned n = 0; n < COUNT(row); n++) {
        packet(&b, n % TOTEM_FE_COUNT, row[n].second, row[n].data);
        tick(&b);
        assert_int_equal(row[n].second ? b.o.cntl2 : b.o.cntl1, row[n].value);
        counted += row[n].counted;
        assert_int_equal(get(&b, CLAMPED), counted);
    }
    assert_int_equal(counted, 11);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_uart (docs/contract/uart.md) at the line: bits are long and short, bytes break off, the line is noisy.

#include "totem_uart.h"

#include "block_bench.h"

BENCH(uart)

static unsigned got[300], count; // bytes that arrived; BROKEN one without its stop bit
enum { BROKEN = 256 };

static void open_bench(bench *b)
{
    fresh(b);
    count = 0;
    LEVEL(b, rxd, true);
    LEVEL(b, divide, 16);
}

// The line has a level for some clocks.
static void line(bench *b, bool level, unsigned clocks)
{
    b->hold.rxd = level;
    for (b->i.rxd = level; clocks--;) {
        tick(b);
        if (b->o.byte_valid)
            got[count++] = b->o.byte_data;
        if (b->o.byte_broken)
            got[count++] = BROKEN;
    }
}

// A byte of a sender whose bit has `percent` of the length; the line as it is behind it for `rest` bits.
static void byte(bench *b, unsigned value, bool stop, unsigned percent, unsigned rest)
{
    const unsigned bits = value << 1 | (stop ? 0x200 : 0), length = b->i.divide * percent;
    for (unsigned n = 0; n < 10; n++)
        line(b, bits >> n & 1, (n + 1) * length / 100 - n * length / 100);
    line(b, stop, rest * b->i.divide);
}

#define RULE(name) RULE_OF(bench, open_bench, b, name)

// Bytes without a pause; the sender may be 4 % off where a bit has clocks enough to show it.
RULE(bytes_arrive)
{
    static const uint16_t divides[] = {4, 5, 7, 50, 217};
    for (unsigned d = 0; d < COUNT(divides); d++)
        for (unsigned percent = 96; percent <= 104; percent += 4) {
            LEVEL(b, divide, divides[d]);
            count = 0;
            memset(got, 0xff, sizeof got);
            const unsigned sent = percent == 100 || divides[d] >= 50 ? 256 : 0;
            for (unsigned n = 0; n < sent; n++) {
                byte(b, n ^ 0x55, true, percent, 0);
                assert_true(n == 0 || got[n - 1] == ((n - 1) ^ 0x55));
            }
            line(b, true, 2 * divides[d]);
            assert_int_equal(count, sent);
            assert_true(!sent || got[255] == (255 ^ 0x55));
        }
}

// Each bit counts in one clock alone, that in its middle, and the byte is told 3 clocks behind that of the stop bit.
RULE(the_middle_counts)
{
    for (uint16_t divide = 4; divide < 12; divide++) {
        LEVEL(b, divide, divide);
        count = 0;
        line(b, false, divide / 2u + 1);
        for (unsigned n = 1; n < 10; n++) {
            const bool level = 0x34b >> n & 1; // 0xa5 and the stop bit
            line(b, !level, divide - 1u);
            line(b, level, 1);
        }
        line(b, true, 1);
        assert_int_equal(count, 0);
        line(b, true, 1);
        assert_true(count == 1 && got[0] == 0xa5);
        line(b, true, 12u * divide);
        assert_int_equal(count, 1);
    }
}

// What is over before the middle of a start bit is none, and the next byte is heard.
RULE(a_disturbance_is_no_start_bit)
{
    for (unsigned clocks = 1; clocks <= 8; clocks++) {
        line(b, false, clocks);
        line(b, true, 8);
        byte(b, 0x31, true, 100, 1);
        assert_true(count == clocks && got[clocks - 1] == 0x31);
    }
    line(b, false, 9);
    line(b, true, 160);
    assert_true(count == 9 && got[8] == 0xff);
}

// A byte without its stop bit is told once, however long the line stays 0; then it has to be 1 before the next.
RULE(a_broken_byte_is_dropped)
{
    byte(b, 0x5a, false, 100, 40);
    assert_true(count == 1 && got[0] == BROKEN);
    line(b, true, 1);
    byte(b, 0x5a, true, 100, 1);
    assert_true(count == 2 && got[1] == 0x5a);
}

// Start bit, data from bit 0 on, stop bit: each for `divide` clocks, from the clock behind the take on; a clock between
// bytes. What arrives meanwhile does not matter.
RULE(bytes_are_sent)
{
    LEVEL(b, divide, 5);
    LEVEL(b, frame_send_valid, true);
    LEVEL(b, frame_send_data, 0xd2);
    for (unsigned n = 0; n < 3; n++) {
        assert_true(b->o.ready && b->o.txd);
        line(b, true, 1);
        for (unsigned clock = 0; clock < 50; clock++) {
            assert_false(b->o.ready);
            assert_int_equal(b->o.txd, (0xd2 << 1 | 0x200) >> clock / 5 & 1);
            line(b, clock % 3, 1);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_frame (docs/contract/frame.md): what is right comes through, what is wrong does nothing.

#include "bridge_bench.h"

RULE_OF(bench, open_bench, b, words_come_back)
{
    uint32_t data[64];
    for (uint32_t n = 0; n < 64; n++)
        data[n] = 0x7d7e0000u + n * 0x01010101u; // flags and escapes among them
    assert_int_equal(ask(b, 1, BRIDGE_WRITE, 64, 0, data, 64, 0), answer(1, BRIDGE_OK, 64));
    assert_memory_equal(b->memory, data, sizeof data);
    assert_int_equal(ask(b, 2, BRIDGE_READ, 64, 0, data, 0, 0), answer(2, BRIDGE_OK, 64));
    assert_int_equal(b->length, sizeof data);
    assert_memory_equal(b->got, data, sizeof data);
    assert_int_equal(ask(b, 3, BRIDGE_READ, 1, BRIDGE_AT + BRIDGE_MEMORY, data, 0, 0), answer(3, BRIDGE_OK, 1));
    assert_int_equal(b->got[0] | b->got[1] << 8, 4 * DWORDS);
}

// The error of a check behind which the receiver's register differs from the right one in that bit alone.
static uint32_t wrong_at(unsigned bit)
{
    uint32_t check = 1u << bit;
    for (unsigned n = 0; n < 32; n++)
        check = (check >> 31 ? (check ^ 0xedb88320) << 1 | 1 : check << 1);
    return check;
}

// Whatever is wrong with the check: no answer, nothing written, one more dropped.
RULE_OF(bench, open_bench, b, a_wrong_check_does_nothing)
{
    for (unsigned n = 0; n < 32; n++) {
        assert_int_equal(ask(b, 1, BRIDGE_WRITE, 1, 4, (uint32_t[]){0x55}, 1, wrong_at(n)), ~0u);
        assert_int_equal(b->memory[1], 0);
        assert_int_equal(b->frame.dropped, n + 1);
    }
    for (int byte = 0; byte < 256; byte++) // garbage, then a frame cut off
        clock_of(b, byte);
    for (int n = 0; n < 9; n++)
        clock_of(b, n == 0 ? FLAG : 1);
    assert_int_equal(ask(b, 1, BRIDGE_WRITE, 1, 4, (uint32_t[]){0x55}, 1, 0), answer(1, BRIDGE_OK, 1));
    assert_int_equal(b->memory[1], 0x55);
}

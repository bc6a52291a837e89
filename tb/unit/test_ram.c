// SPDX-License-Identifier: Apache-2.0
//
// totem_ram: what each clock leaves, the smallest and a large shape. That a read gives the word written last is a
// property of rtl/lib/totem_ram.v.

#include "block_bench.h"

#include "totem_ram.h"

TOTEM_RAM(totem_bits, bool, 2)
TOTEM_RAM(totem_bytes, uint8_t, 512)

BENCH(ram)

// One clock after the other, from creation on: what is given in it, and the read data after it.
TEST(clocks_of_a_ram)
{
    enum { NO = -1, WIDE = -2 };
    static const struct {
        const char *name;
        int         write, word, read; // addresses, NO none
        int         data;
    } rows[] = {
        {"zeros at creation", NO, 0, 15, 0},
        {"a write without a read", 5, 111, NO, 0},
        {"another word", 4, WIDE, NO, 0},
        {"a read", NO, 222, 5, 111},
        {"each has its own word, of all bits", NO, 0, 4, WIDE},
        {"read data stay without a read", 4, 55, NO, WIDE},
        {"a meeting reads the old word", 5, 222, 5, 111},
        {"and the new one is there", NO, 0, 5, 222},
        {"what was written meanwhile", NO, 0, 4, 55},
        {"read and write of two words", 15, 7, 5, 222},
        {"the last word", NO, 0, 15, 7},
    };
    bench b;
    fresh(&b);
    for (unsigned n = 0; n < COUNT(rows); n++) {
        b.i = (totem_ram_in){.write_enable = rows[n].write != NO,
                             .write_addr   = (uint32_t)rows[n].write & 15,
                             .write_data   = (uint64_t)rows[n].word,
                             .read_enable  = rows[n].read != NO,
                             .read_addr    = (uint32_t)rows[n].read & 15};
        tick(&b);
        if (b.o.read_data != (uint64_t)rows[n].data)
            fail_msg("%s: %llx", rows[n].name, (unsigned long long)b.o.read_data);
    }
    totem_ram_reset(&b.s); // changes nothing
    show(&b);
    assert_int_equal(b.o.read_data, 7);
    b.i.read_enable = true;
    b.i.read_addr   = 5;
    tick(&b);
    assert_int_equal(b.o.read_data, 222);
}

// The smallest shape, and one of more than 256 words: every word keeps what was written to it.
TEST(shapes)
{
    static totem_bits  bits;
    static totem_bytes bytes;
    totem_bits_out     bit;
    totem_bytes_out    byte;
    for (uint32_t n = 0; n < 512; n++) {
        totem_bits_step(&bits, &(totem_bits_in){.write_enable = n < 2, .write_addr = n & 1, .write_data = n == 1});
        const uint8_t word = (n * 37 + n / 256) & 255;
        totem_bytes_step(&bytes, &(totem_bytes_in){.write_enable = true, .write_addr = n, .write_data = word});
    }
    for (uint32_t n = 0; n < 512; n++) {
        totem_bits_step(&bits, &(totem_bits_in){.read_enable = true, .read_addr = n & 1});
        totem_bits_outputs(&bits, &bit);
        assert_int_equal(bit.read_data, n & 1);
        totem_bytes_step(&bytes, &(totem_bytes_in){.read_enable = true, .read_addr = n});
        totem_bytes_outputs(&bytes, &byte);
        assert_int_equal(byte.read_data, (n * 37 + n / 256) & 255);
    }
}

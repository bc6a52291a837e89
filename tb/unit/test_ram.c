// SPDX-License-Identifier: Apache-2.0
//
// totem_ram: what a meeting of read and write gives, and a long random run against a log of all writes.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "totem_ram.h"

TOTEM_RAM(bit_ram, bool, 2)
TOTEM_RAM(byte_ram, uint8_t, 512)

static uint64_t read_data(const totem_ram *s)
{
    totem_ram_out o;

    totem_ram_outputs(s, &o);
    return o.read_data;
}

static void write_only(totem_ram *s, uint32_t addr, uint64_t data)
{
    const totem_ram_in i = {.write_enable = true, .write_addr = addr, .write_data = data, .read_addr = addr};

    totem_ram_step(s, &i);
}

static void read_only(totem_ram *s, uint32_t addr)
{
    const totem_ram_in i = {.read_enable = true, .read_addr = addr, .write_addr = addr, .write_data = ~0u};

    totem_ram_step(s, &i);
}

static void starts_with_zeros(void **state)
{
    totem_ram s;

    (void)state;
    memset(&s, 0, sizeof s);
    for (uint32_t addr = 0; addr < 16; addr++) {
        read_only(&s, addr);
        assert_int_equal(read_data(&s), 0);
    }
}

static void every_word_is_its_own(void **state)
{
    totem_ram s = {0};

    (void)state;
    for (uint32_t addr = 0; addr < 16; addr++)
        write_only(&s, addr, 0x0123456789abcdefu * (addr + 1));
    for (uint32_t addr = 0; addr < 16; addr++) {
        read_only(&s, addr);
        assert_int_equal(read_data(&s), 0x0123456789abcdefu * (addr + 1));
    }
}

static void a_meeting_reads_the_old_word(void **state)
{
    totem_ram          s    = {0};
    const totem_ram_in meet = {
        .write_enable = true, .write_addr = 5, .write_data = 222, .read_enable = true, .read_addr = 5};

    (void)state;
    write_only(&s, 5, 111);
    totem_ram_step(&s, &meet);
    assert_int_equal(read_data(&s), 111);
    read_only(&s, 5);
    assert_int_equal(read_data(&s), 222);
}

static void read_data_stays_without_a_read(void **state)
{
    totem_ram s = {0};

    (void)state;
    write_only(&s, 3, 33);
    read_only(&s, 3);
    write_only(&s, 3, 44);
    write_only(&s, 4, 55);
    assert_int_equal(read_data(&s), 33);
}

static void reset_changes_nothing(void **state)
{
    totem_ram s = {0};

    (void)state;
    write_only(&s, 9, 99);
    read_only(&s, 9);
    totem_ram_reset(&s);
    assert_int_equal(read_data(&s), 99);
    read_only(&s, 9);
    assert_int_equal(read_data(&s), 99);
}

static void smallest_shape(void **state)
{
    bit_ram     s = {0};
    bit_ram_in  i = {.write_enable = true, .write_addr = 1, .write_data = true};
    bit_ram_out o;

    (void)state;
    bit_ram_reset(&s);
    bit_ram_step(&s, &i);
    i = (bit_ram_in){.read_enable = true, .read_addr = 1};
    bit_ram_step(&s, &i);
    bit_ram_outputs(&s, &o);
    assert_true(o.read_data);
    i.read_addr = 0;
    bit_ram_step(&s, &i);
    bit_ram_outputs(&s, &o);
    assert_false(o.read_data);
}

// The word a read must give is found by searching the log of writes backwards.
static void reads_follow_the_log_of_writes(void **state)
{
    enum { ROUNDS = 20000, DEPTH = 512 };
    static struct {
        uint32_t addr;
        uint8_t  data;
    } log[ROUNDS];
    byte_ram     s = {0};
    byte_ram_out o;
    uint64_t     random   = 1;
    int          writes   = 0;
    int          meeting  = 0;
    uint8_t      expected = 0;

    (void)state;
    byte_ram_reset(&s);
    for (int round = 0; round < ROUNDS; round++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        // Few addresses half of the time, so that meetings are common.
        const uint32_t    mask = round & 1024 ? 3 : DEPTH - 1;
        const byte_ram_in i    = {.write_enable = (random >> 33) & 1,
                                  .write_addr   = (uint32_t)(random >> 34) & mask,
                                  .write_data   = (uint8_t)(random >> 44),
                                  .read_enable  = (random >> 52) & 1,
                                  .read_addr    = (uint32_t)(random >> 54) & mask};

        if (i.read_enable) {
            expected = 0;
            for (int entry = writes - 1; entry >= 0; entry--)
                if (log[entry].addr == i.read_addr) {
                    expected = log[entry].data;
                    break;
                }
            meeting += i.write_enable && i.write_addr == i.read_addr;
        }
        if (i.write_enable) {
            log[writes].addr = i.write_addr;
            log[writes].data = i.write_data;
            writes++;
        }
        byte_ram_step(&s, &i);
        byte_ram_outputs(&s, &o);
        assert_int_equal(o.read_data, expected);
    }
    assert_true(meeting > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_with_zeros),
        cmocka_unit_test(every_word_is_its_own),
        cmocka_unit_test(a_meeting_reads_the_old_word),
        cmocka_unit_test(read_data_stays_without_a_read),
        cmocka_unit_test(reset_changes_nothing),
        cmocka_unit_test(smallest_shape),
        cmocka_unit_test(reads_follow_the_log_of_writes),
    };

    return cmocka_run_group_tests_name("ram", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd: the sources' switch, saves and loads of a queue that stays mapped (docs/contract/mqd.md).

#include "mqd_bench.h"

RULE(switch_save_keeps_the_slot)
{
    for (unsigned row = 0; row < 3; row++) {
        open_at(t, row == 2 ? 0 : 0x80001008);
        t->reason      = 4; // of another queue: not this one's business
        t->write_error = row == 1;
        LEVEL(&t->b, packet_unfinished[3], true);
        uint32_t before[64];
        memcpy(before, t->window[3], sizeof before);
        run(t, 3, 5);
        assert_memory_equal(t->window[3], before, sizeof before);
        assert_int_equal(t->loads[LOAD_ACTIVE] + t->interrupts, 0);
        assert_int_equal(t->loads[LOAD_MOVED], 1);
        assert_int_equal(t->load[LOAD_MOVED] & 0xb, row == 0 ? 2 : row == 1 ? 8 : 0);
        static const unsigned least[] = {5, 1, 0}, most[] = {5, 2, 0}; // a failed one ends with what was begun
        assert_in_range(t->bursts, least[row], most[row]);
        assert_int_equal(t->errors, row == 1 ? 2 : 0);
        if (row == 1)
            assert_int_equal(t->error[0] >> 56, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
        for (unsigned d = 1; d <= 83 && row == 0; d++)
            assert_int_equal(t->memory[d], 0x60000u + 0x9000 + d - 1);
        if (row == 0)
            assert_int_equal(t->memory[132], 0x80000001u);
    }
}

// What is the pipe's or the host's in the window.
static bool own(unsigned d)
{
    static const uint8_t list[] = {0, 1, 2, 4, 5, 6, 7, 10, 18, 19, 20, 21, 24, 54, 55};
    for (unsigned n = 0; n < sizeof list; n++)
        if (list[n] == d)
            return true;
    return d >= 56;
}

RULE(switch_load_brings_everything)
{
    for (unsigned a = 0; a < 4; a++)
        for (unsigned open = 0; open < 2; open++) {
            open_at(t, addresses[a]);
            t->pace = a * open;
            uint32_t before[64];
            memcpy(before, t->window[1], sizeof before);
            t->memory[132] = open ? 0x80000001u : 1;
            t->memory[146] = 0x40000024;
            t->memory[147] = 0x12;
            t->memory[148] = 3; // not looked at
            t->memory[149] = open ? 0x80300000u | 95 : 0x300000u | 95;
            run(t, 1, 6);
            registers_are_loaded(t, 1);
            for (unsigned d = 0; d < 64; d++)
                assert_int_equal(t->window[1][d], own(d) ? before[d] : 0xabc00080u + d);
            assert_int_equal(t->loads[LOAD_RPTR], 1);
            assert_int_equal(t->load[LOAD_RPTR], 0xabc00080u + 10);
            assert_int_equal(t->load[LOAD_BUFFER], 0x1240000024);
            assert_int_equal(t->load[LOAD_BUFFER_LEFT], open ? 95 : 0);
            assert_int_equal(t->loads[LOAD_MOVED], 1);
            assert_int_equal(t->load[LOAD_MOVED], open ? 7 : 3);
            assert_int_equal(t->loads[LOAD_ACTIVE] + t->errors + t->interrupts + t->writes, 0);
        }
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd: saves into an MQD, of a dequeue and of a reset (docs/contract/mqd.md).

#include "mqd_bench.h"

RULE(save_writes_the_v9_layout)
{
    for (unsigned a = 0; a < 4; a++) {
        open_at(t, addresses[a]);
        t->reason        = 4;
        t->window[3][2]  = 1;
        t->window[3][24] = 0x404;
        LEVEL(&t->b, packet_unfinished[3], true);
        uint32_t before[64];
        memcpy(before, t->window[3], sizeof before);
        run(t, 3, 3);
        // What is saved of grid and buffer is in the window too, nothing else has changed.
        for (unsigned d = 0; d < 64; d++)
            assert_int_equal(t->window[3][d], d == 4 || (d >= 18 && d <= 21) ? t->memory[128 + d] : before[d]);
        for (unsigned d = 0; d < DWORDS; d++) {
            uint32_t want = 0xabc00000u + d;
            if (d == 96 || d == 97) // as it was
                want = 0xabc00000u + (d == 96 ? 93 : 107);
            else if (d >= 128 && d <= 183)
                want = d == 130 ? 0 : d == 132 ? 0x80000001u : d == 149 ? 0 : d == 152 ? 0x400 : t->window[3][d - 128];
            else if (d >= 1 && d <= 83)
                want = 0x60000u + 0x9000 + d - 1;
            assert_int_equal(t->memory[d], want);
        }
        const uint64_t d = addresses[a] / 4; // the blocks of both parts
        assert_int_equal(t->writes, 83 + 56);
        assert_int_equal(t->bursts, (d + 83) / 32 - (d + 1) / 32 + (d + 183) / 32 - (d + 128) / 32 + 2);
        assert_int_equal(t->load[LOAD_ACTIVE], 0);
        told(t, 0, 1);
        assert_int_equal(t->interrupt, 3ull << 32 | 4);
    }
}

// record, fence and poll have words and acknowledges there too: this block waits for its turn, loses nothing and says
// nothing twice.
RULE(shared_ports)
{
    for (uint32_t seed = 1; seed <= 40; seed++) {
        open_bench(t);
        t->reason      = 4;
        t->write_error = seed % 2 != 0;
        t->noise       = seed;
        run(t, 0, 3);
        told(t, seed % 2 != 0 ? 2 : 0, 1);
        assert_int_equal(t->interrupt, 4);
        if (seed % 2 != 0) {
            error_is(t, TOTEM_ERROR_MEMORY_WRITE_SLVERR, 0x80001000, 0x80001000);
            continue;
        }
        assert_int_equal(t->writes, 83 + 56);
        registers_are_saved(t, 0);
        for (unsigned d = 128; d <= 183; d++)
            if (d != 130)
                assert_int_equal(t->memory[d], d == 152 ? t->window[0][24] & ~7u : t->window[0][d - 128]);
    }
}

RULE(reset_drops_the_grid)
{
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        open_bench(t);
        for (uint8_t k = 0; k < TOTEM_QUEUES; k++) {
            LEVEL(&t->b, packet_unfinished[k], true);
            LEVEL(&t->b, hqd_dropping[k], k == q);
        }
        run(t, q, 3);
        assert_int_equal(t->memory[132] >> 31, 0);
        run(t, (uint8_t)((q + 1) % TOTEM_QUEUES), 3);
        assert_int_equal(t->memory[132] >> 31, 1);
    }
}

RULE(save_keeps_the_open_buffer)
{
    LEVEL(&t->b, fetch_buffer[0], true);
    LEVEL(&t->b, fetch_buffer_addr[0], 0x1240000024 >> 2);
    LEVEL(&t->b, fetch_buffer_left[0], 95);
    t->window[0][21] = 0x80300123u;
    run(t, 0, 3);
    assert_int_equal(t->memory[146], 0x40000024);
    assert_int_equal(t->memory[147], 0x12);
    assert_int_equal(t->memory[148], 0);
    assert_int_equal(t->memory[149], 0x80300000u | 95);
    for (unsigned d = 18; d <= 21; d++)
        assert_int_equal(t->window[0][d], t->memory[128 + d]);
    assert_int_equal(t->window[0][4], t->memory[132]);
}

RULE(failed_write_ends_the_save)
{
    t->write_error  = true;
    t->reason       = 1;
    t->window[0][4] = 0x0be05301;
    run(t, 0, 3);
    assert_in_range(t->bursts, 1, 2);              // what was begun when the answer came
    assert_int_equal(t->window[0][4], 0x8be05300); // nothing that can be mapped
    error_is(t, TOTEM_ERROR_MEMORY_WRITE_SLVERR, 0x80001000, 0x80001000);
    assert_int_equal(t->load[LOAD_ACTIVE], 0);
    assert_int_equal(t->interrupts, 1);
    assert_true(t->b.o.lost[0] && !t->b.o.lost[1]);
    // The next save has all of its words, and no half of the one before.
    t->writes = 0;
    run(t, 0, 3);
    assert_false(t->b.o.lost[0]);
    assert_int_equal(t->writes, 83 + 56);
    registers_are_saved(t, 0);
}

// Of a window that register MAP has loaded, or a switch has saved, only what may have changed is written, until the
// slot is mapped otherwise.
RULE(what_the_mqd_has_is_spared)
{
    static const uint8_t own[] = {0, 1, 2, 4, 5, 6, 7, 10, 18, 19, 20, 21, 24, 54, 55};
    for (unsigned n = 0; n < 4; n++) {
        open_at(t, addresses[n]);
        LEVEL(&t->b, hqd_active[1], n % 2);
        run(t, 1, n % 2 ? 5 : 2); // MAP ends with a preload
        assert_int_equal(t->writes, n % 2 ? 83 + 56 : 0);
        for (unsigned d = 2; d < 56; d++)
            t->window[1][d] ^= 0x40000000; // these cannot change in truth
        uint32_t before[56];
        memcpy(before, &t->memory[128], sizeof before);
        t->writes = 0;
        run(t, 1, 3);
        assert_int_equal(t->writes, 83 + sizeof own);
        for (unsigned d = 0, k = 0; d < 56; d++) {
            const bool is_own = k < sizeof own && own[k] == d;
            k += is_own;
            if (!is_own)
                assert_int_equal(t->memory[128 + d], before[d]);
            else if (d != 2 && d != 4 && (d < 18 || d > 24))
                assert_int_equal(t->memory[128 + d], t->window[1][d]);
        }
        registers_are_saved(t, 1);
        t->writes = 0;
        run(t, 1, 3); // of another mapping
        assert_int_equal(t->writes, 83 + 56);
    }
}

RULE(job_ends_only_when_all_writes_are_acknowledged)
{
    LEVEL(&t->b, hqd_request[0], 3);
    for (unsigned n = 0; n < 4000; n++) {
        t->acks = 0; // swallowed
        clock_edge(t);
    }
    assert_true(t->b.o.busy);
    assert_int_equal(t->loads[LOAD_ACTIVE], 0);
    assert_int_equal(t->bursts, 5);
    t->acks = 5;
    clocks(t, 100);
    assert_int_equal(t->loads[LOAD_ACTIVE], 1);
}

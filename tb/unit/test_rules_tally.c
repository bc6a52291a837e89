// SPDX-License-Identifier: Apache-2.0
//
// Counters of packets without a rule on the whole model, as software sees them: docs/queue.md, Packets.

#include "rules_world.h"

enum { OUT = WORLD_DATA, OPCODES = 256 };

static uint32_t place(int pipe, int queue, unsigned opcode)
{
    return TOTEM_REG_TALLY_BASE + (uint32_t)(8 * pipe + queue) * TOTEM_REG_TALLY_STRIDE + 4 * opcode;
}

static void expect_counters(world *w, int pipe, int queue, const uint32_t *expected)
{
    for (unsigned opcode = 0; opcode < OPCODES; opcode++) {
        const uint32_t got = host_get(w, place(pipe, queue, opcode));
        if (got != expected[opcode])
            fail_msg("pipe %d queue %d opcode 0x%02x: %u, not %u", pipe, queue, opcode, got, expected[opcode]);
    }
}

static void run_dry(world *w)
{
    doorbell(w, w->pipe, w->queue);
    UNTIL(w, session_idle(w->s));
    steps(w, 10);
}

// One packet of every kind that has a rule.
static void ruled(world *w)
{
    nop(w);
    raw(w, WORDS(FILLER));
    PACKET(w, NOP, 1, 2, 3);
    PACKET(w, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0);
    PACKET(w, EVENT_WRITE, 0x16);
    flush(w);
    write_word(w, OUT, 1);
    fence(w, 1, 0, OUT + 8, 7, 0);
    raw(w, WORDS(TYPE3(TOTEM_OP_WAIT_REG_MEM, 6), 0x10, OUT, 0, 1, 0xffffffff, 4)); // function 0: holds at once
    raw(w, WORDS(TYPE3(TOTEM_OP_WAIT_TIMER, 1), 3));
    raw(w, WORDS(TYPE3(TOTEM_OP_COND_EXEC, 4), OUT + 0x100, 0, 0, 2));
    raw(w, WORDS(TYPE3(TOTEM_OP_CP_DMA, 1), 0)); // skipped, not counted
    shape(w, 64, 0, 1, 0);
    dispatch(w, 1, 1, 1);
}

TEST(every_opcode)
{
    uint32_t expected[OPCODES] = {0}, none[OPCODES] = {0};
    world    w;
    world_open(&w);
    on(&w, WORLD_PIPES - 1, WORLD_LAST);
    map(&w, w.pipe, w.queue, 3);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned op = 0; op < OPCODES; op++)
            if (totem_op_known((uint8_t)op) && !totem_op_executed((uint8_t)op) &&
                !(TOTEM_RUNLIST && totem_op_scheduled((uint8_t)op)) && op % 3 >= round) {
                raw(&w, WORDS(TYPE3(op, 1), 0));
                expected[op]++;
            }
        run_dry(&w);
        ruled(&w);
        run_dry(&w);
    }
    // Nothing of the packet is looked at but its place: a register that is not there, registers outside the block.
    PACKET(&w, WAIT_REG_MEM, 3, 0x1234, 0, 1, 0xffffffffu, 4);
    PACKET(&w, SET_SH_REG, 0x3ff, 1);
    PACKET(&w, SET_SH_REG, 0x27f, 1, 2); // one packet, whatever it writes
    PACKET(&w, SET_SH_REG, 0x27e, 1, 2);
    // Nor of a dispatch without COMPUTE_SHADER_EN: its dimensions are none, or not in memory.
    PACKET(&w, DISPATCH_DIRECT, 4, 70000, 1, AT_ZERO & ~1u);
    PACKET(&w, DISPATCH_INDIRECT, 0, 0xff, AT_ZERO & ~1u);
    // An event with an address that Totem does not write; the same flush without one has a rule.
    PACKET(&w, EVENT_WRITE, 0x115, OUT + 0x80, 0);
    PACKET(&w, EVENT_WRITE, 0x407, OUT + 0x80, 0);
    expected[TOTEM_OP_EVENT_WRITE]       = 1;
    expected[TOTEM_OP_WAIT_REG_MEM]      = 1;
    expected[TOTEM_OP_SET_SH_REG]        = 2;
    expected[TOTEM_OP_DISPATCH_DIRECT]   = 1;
    expected[TOTEM_OP_DISPATCH_INDIRECT] = 1;
    run_dry(&w);
    expect_counters(&w, w.pipe, w.queue, expected);
    if (w.pipe != 0)
        expect_counters(&w, 0, w.queue, none);
    expect_counters(&w, w.pipe, 0, none);
    assert_int_equal(errors(&w), 0);

    // A write clears one, but not a write of no byte; a new mapping clears none.
    host(&w)->list[host_write(host(&w), now(&w), place(w.pipe, w.queue, TOTEM_OP_SET_SH_REG), 0)].bytes = 0;
    UNTIL(&w, host_done(host(&w)));
    expect_counters(&w, w.pipe, w.queue, expected);
    host_put(&w, place(w.pipe, w.queue, TOTEM_OP_SET_SH_REG), 12345);
    expected[TOTEM_OP_SET_SH_REG] = 0;
    host_put(&w, driver_window((uint32_t)w.pipe, (uint32_t)w.queue, WINDOW(CP_HQD_ACTIVE)), 0);
    UNTIL(&w, !front_out(&w, w.pipe)->arbiter.active[w.queue]);
    steps(&w, 20);
    map(&w, w.pipe, w.queue, 3);
    PACKET(&w, CP_DMA, 1, 2, 3, 4, 5, 6);
    expected[TOTEM_OP_CP_DMA]++;
    run_dry(&w);
    expect_counters(&w, w.pipe, w.queue, expected);
    world_close(&w);
}

// As fast as packets come, while the host reads that very counter: none is lost.
TEST(read_while_counted)
{
    world    w;
    uint32_t total = 0, before = 0;
    world_open(&w);
    on(&w, 0, 0);
    map(&w, 0, 0, 3);
    for (unsigned round = 0; round < 6; round++) {
        for (unsigned n = 0; n < 120; n++) {
            raw(&w, WORDS(TYPE3(TOTEM_OP_CP_DMA, 1), 0));
            nops(&w, round < 3 ? 0 : n * 7 % 3); // one every 4 clocks, or a little less often
        }
        total += 120;
        driver_doorbell(host(&w), now(&w), 0, 0, w.written[0][0]);
        while (rptr(&w, 0, 0) != w.written[0][0]) {
            const uint32_t got = host_get(&w, place(0, 0, TOTEM_OP_CP_DMA));
            assert_in_range(got, before, total);
            before = got;
            steps(&w, got % 5); // accesses and packets meet in every clock
        }
        steps(&w, 10);
        assert_int_equal(host_get(&w, place(0, 0, TOTEM_OP_CP_DMA)), total);
    }
    world_close(&w);
}

// The first access after reset waits for the sweep.
TEST(read_in_the_sweep)
{
    world w;
    world_open(&w);
    assert_int_equal(host_get(&w, place(0, WORLD_LAST, 255)), 0);
    assert_in_range(now(&w), TOTEM_QUEUES * 64, TOTEM_QUEUES * 64 + 40);
    world_close(&w);
}

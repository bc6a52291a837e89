// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: unfinished grids, and what is left of a queue that has left (docs/contract/bank.md).

#include "bank_bench.h"

static void save(register_bench *t)
{
    t->b.i.packet_start     = true;
    t->b.i.packet_start_end = 0x4444333322222222;
    clock_edge(t);
    t->b.i.packet_save = true;
    t->b.i.walker_low  = 0x8888777766666666;
    t->b.i.walker_mask = 0x5a;
    t->now             = 0;
    clock_edge(t);
}

static const struct {
    uint8_t  offset;
    uint32_t data;
} image[] = {{RESTART, 0x66666666}, {RESTART + 1, 0x7777}, {RESTART + 2, 0x8888}, {RELAUNCH, 0x5a},
             {DIM, 0x22222222},     {DIM + 1, 0x3333},     {DIM + 2, 0x4444}};

// A grid with the end 1 starts; the end that stands there.
static void starts(register_bench *t, uint64_t end)
{
    t->b.i.packet_start     = true;
    t->b.i.packet_start_end = 1;
    clock_edge(t);
    assert_int_equal(t->b.o.restart_end, end);
}

TEST(save_and_load_again)
{
    static register_bench t;
    static const uint8_t  order[] = {DERIVED,   THREADS, RSRC2,   PGM_LO,  PGM_HI,  START,       START + 1,   START + 2,
                                     INITIATOR, DIM,     DIM + 1, DIM + 2, RESTART, RESTART + 1, RESTART + 2, RELAUNCH};
    selected(&t, Q);
    puts_in(&t, INITIATOR, 0x8001);
    save(&t);
    for (unsigned n = 0; n < 7; n++, clock_edge(&t)) {
        assert_true(t.b.o.busy && !t.b.o.loaded);
        writes(&t, Q, image[n].offset);
        assert_int_equal(t.b.o.ram_write_data, image[n].data);
    }
    assert_false(t.b.o.busy || t.b.o.ram_write_enable || t.b.o.loaded);
    goes(&t, 0, LOADED); // another queue between has none
    put(&t, INITIATOR, 0);
    clocks(&t, 3);
    goes(&t, Q, RESUMED);
    assert_int_equal(t.reads, 16);
    for (unsigned n = 0; n < 16; n++)
        assert_int_equal(t.read[n], Q * 128 + order[n]);
    assert_int_equal(t.b.o.initiator, 0x8001);
    assert_int_equal(t.b.o.restart, 0x8888777766666666);
    assert_int_equal(t.b.o.restart_mask, 0x5a);
    assert_int_equal(t.b.o.restart_end, 0x4444333322222222);
    starts(&t, 0x4444333322222222); // resumed: the saved end stays
    starts(&t, 1);                  // the next one is fresh
    goes(&t, Q, LOADED);
}

// ---- meetings

TEST(go_meets_what_is_left_of_the_old_queue)
{
    static register_bench t;
    selected(&t, Q);
    save(&t); // clock 0; the last write in clock 7
    t.b.i.arbiter_go       = true;
    t.b.i.arbiter_selected = 0;
    loaded_in(&t, 8 + LOADED);
    for (unsigned n = 0; n < 7; n++)
        assert_int_equal(t.ram[Q * 128 + image[n].offset], image[n].data);

    selected(&t, Q);
    t.ram[Q * 128 + THREAD_X] = t.ram[Q * 128 + THREAD_Y] = 6;
    put(&t, THREAD_Z, 7);
    clocks(&t, 2);
    goes(&t, 0, LOADED); // the product goes on behind it
    assert_int_equal(t.b.o.threads, 0);
    clocks(&t, 3 + 3 + 7);
    assert_int_equal(t.ram[Q * 128 + THREADS], 252);
    assert_int_equal(t.b.o.threads, 0);

    selected(&t, Q);
    put(&t, USER_DATA, 1);
    goes(&t, 0, 2 + LOADED); // written, then its way to the RAM
    assert_int_equal(t.ram[Q * 128 + USER_DATA], 1);
}

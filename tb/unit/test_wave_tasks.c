// SPDX-License-Identifier: Apache-2.0
//
// totem_wave in a machine with tasks: compute waves launch a child task before they are done (docs/contract/wave.md).
// The bench holds the deadlines.

#include "block_bench.h"

// The twin of a machine with tasks stands in the place of the library's.
#include "totem_config.h"
#undef TOTEM_GRAPHICS
#define TOTEM_GRAPHICS 1
#undef TOTEM_TASKS
#define TOTEM_TASKS 1
#include "totem_wave.c"

BENCH(wave)

enum { CHILD_OF = 80, POINTER = 0x00abcd00, ROUND = TOTEM_SLOTS + 4, LAST = TOTEM_SLOTS - 1, FOREVER = 1 << 30 };

typedef struct {
    bench    b;
    uint64_t time[TOTEM_SLOTS];
    unsigned dones[TOTEM_SLOTS];
} time_bench;

static void clock_edge(time_bench *t)
{
    const bool     held = t->b.o.task_valid && !t->b.i.task_ready;
    const uint32_t what = t->b.o.task_pointer ^ (uint32_t)t->b.o.task_queue << 8 ^ t->b.o.task_epoch;
    TICK_WITH_RAM(t, t->time, time);
    if (held) // what is asked stands
        assert_true(t->b.o.task_valid &&
                    what == (t->b.o.task_pointer ^ (uint32_t)t->b.o.task_queue << 8 ^ t->b.o.task_epoch));
    if (t->b.o.done_valid)
        t->dones[t->b.o.done_slot]++;
}

static void clocks(time_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static uint32_t reg(time_bench *t, bool write, unsigned dword, uint32_t data)
{
    t->b.i.host_valid  = true;
    t->b.i.host_write  = write;
    t->b.i.host_dword  = (uint8_t)dword;
    t->b.i.host_strobe = 15;
    t->b.i.host_data   = data;
    clock_edge(t);
    assert_true(t->b.o.host_done && t->b.o.host_error == 0);
    const uint32_t got = t->b.o.host_rdata;
    clock_edge(t);
    return got;
}

// Program 5 has the child, and lasts 20 clocks; program 6 has none.
static void open_bench(time_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    reg(t, true, 5, 20);
    reg(t, true, 6, 20);
    reg(t, true, CHILD_OF + 5, POINTER);
}

static void launch(time_bench *t, unsigned slot, unsigned kind, unsigned pipe, unsigned entry)
{
    t->b.i.launch_valid   = true;
    t->b.i.launch_slot    = (uint8_t)slot;
    t->b.i.launch_kind    = (uint8_t)kind;
    t->b.i.launch_fe      = 0;
    t->b.i.launch_pipe    = (uint8_t)pipe;
    t->b.i.launch_queue   = (uint8_t)(slot % TOTEM_QUEUES);
    t->b.i.launch_epoch   = (uint8_t)((slot + 2) % TOTEM_EPOCHS);
    t->b.i.launch_program = 0x678900u | entry;
    clock_edge(t);
}

static void asked(time_bench *t, unsigned slot)
{
    for (unsigned n = 0; !t->b.o.task_valid; n++, clock_edge(t))
        assert_true(n <= 2 * ROUND + 20);
    assert_int_equal(t->b.o.task_pointer, POINTER);
    assert_int_equal(t->b.o.task_queue, slot % TOTEM_QUEUES);
    assert_int_equal(t->b.o.task_epoch, (slot + 2) % TOTEM_EPOCHS);
    assert_int_equal(t->dones[slot], 0);
}

static void answer(time_bench *t, bool refused)
{
    t->b.i.task_ready   = true;
    t->b.i.task_refused = refused;
    clock_edge(t);
    assert_false(t->b.o.task_valid);
}

static void kill_all(time_bench *t)
{
    t->b.i.kill_valid  = true;
    t->b.i.kill_pipe   = 1;
    t->b.i.kill_queue  = LAST % TOTEM_QUEUES;
    t->b.i.kill_epochs = (uint8_t)((1u << TOTEM_EPOCHS) - 1);
    clock_edge(t);
}

static void done(time_bench *t, unsigned slot)
{
    for (unsigned n = 0; !t->dones[slot]; n++, clock_edge(t))
        assert_true(n <= ROUND);
    clocks(t, 3 * ROUND);
    assert_int_equal(t->dones[slot], 1);
    assert_false(t->b.o.task_valid);
}

// Once, when its time is over; its done is behind the answer, whatever that is.
TEST(a_wave_asks_once)
{
    for (unsigned refused = 0; refused < 2; refused++) {
        time_bench t;
        open_bench(&t);
        launch(&t, LAST, 0, 1, 5);
        clocks(&t, 18);
        assert_false(t.b.o.task_valid);
        asked(&t, LAST);
        clocks(&t, 3 * ROUND);
        assert_int_equal(t.dones[LAST], 0);
        answer(&t, refused);
        done(&t, LAST);
        assert_int_equal(reg(&t, false, 36, 0), !refused);
        assert_int_equal(reg(&t, false, 37, 0), refused);
    }
}

// Pixel waves, waves of a ring and programs without a child end as ever.
TEST(other_waves_do_not_ask)
{
    time_bench t;
    open_bench(&t);
    launch(&t, 0, 2, 2, 5);
    launch(&t, 1, 0, 2, 5);
    launch(&t, 2, 0, 0, 6);
    for (unsigned n = 0; n < 3 * ROUND; n++, clock_edge(&t))
        assert_false(t.b.o.task_valid);
    assert_true(t.dones[0] == 1 && t.dones[1] == 1 && t.dones[2] == 1);
}

// Before it asks: it ends. While it asks: the request stands, and it ends behind the answer.
TEST(a_kill)
{
    time_bench t;
    open_bench(&t);
    launch(&t, LAST, 0, 1, 5);
    kill_all(&t);
    done(&t, LAST);
    open_bench(&t);
    launch(&t, LAST, 0, 1, 5);
    asked(&t, LAST);
    kill_all(&t);
    clocks(&t, 2 * ROUND);
    assert_true(t.b.o.task_valid && !t.dones[LAST]);
    answer(&t, true);
    done(&t, LAST);
    open_bench(&t);
    reg(&t, true, 5, FOREVER); // it never asks by itself
    launch(&t, LAST, 0, 1, 5);
    clocks(&t, 3 * ROUND);
    assert_false(t.b.o.task_valid);
    kill_all(&t);
    done(&t, LAST);
}

// A child that is taken out of the table is not asked for any more, but what is on the port stands.
TEST(a_child_is_withdrawn)
{
    time_bench t;
    open_bench(&t);
    launch(&t, LAST, 0, 1, 5);
    launch(&t, 1, 0, 1, 5);
    for (unsigned n = 0; !t.b.o.task_valid; n++, clock_edge(&t))
        assert_true(n <= 2 * ROUND);
    const unsigned first = t.b.s.task_turn;
    clocks(&t, 2 * ROUND);
    reg(&t, true, CHILD_OF + 5, 0);
    assert_true(t.b.o.task_valid);
    answer(&t, false);
    done(&t, first);
    assert_int_equal(t.dones[first == 1 ? LAST : 1], 1);
    assert_int_equal(reg(&t, false, 36, 0), 1);
}

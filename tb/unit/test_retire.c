// SPDX-License-Identifier: Apache-2.0
//
// totem_retire: rules, latencies and meetings of docs/contract/retire.md. The bench holds the slot table.

#include "block_bench.h"

#include "totem_retire.h"

BENCH(retire)

typedef struct {
    bench    b;
    uint64_t table[TOTEM_SLOTS];
} table_bench;

static void open_bench(table_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
}

// A clock of block and table: a word that is asked for is there in the next clock.
static void clock_edge(table_bench *t)
{
    TICK_WITH_RAM(t, t->table, table);
}

static void alloc(table_bench *t, unsigned slot, bool first, unsigned waves, unsigned lds)
{
    t->b.i.alloc_valid = true;
    t->b.i.alloc_slot  = (uint8_t)slot;
    t->b.i.alloc_first = first;
    t->b.i.alloc_waves = (uint8_t)waves;
    t->b.i.alloc_fe    = TOTEM_FE_COUNT - 1;
    t->b.i.alloc_pipe  = TOTEM_PIPES - 1;
    t->b.i.alloc_queue = 3;
    t->b.i.alloc_epoch = 2;
    t->b.i.alloc_vgprs = 5;
    t->b.i.alloc_lds   = (uint16_t)lds;
    clock_edge(t);
}

static void done(table_bench *t, unsigned slot)
{
    t->b.i.done_valid = true;
    t->b.i.done_slot  = (uint8_t)slot;
    clock_edge(t);
}

// Done in clock n, freed and completed in n+4.
static void one_wave(void **state)
{
    table_bench t;
    (void)state;
    open_bench(&t);
    alloc(&t, 7, true, 1, 300);
    clock_edge(&t);
    done(&t, 7);
    for (unsigned n = 0; n < 3; n++) {
        assert_false(t.b.o.free_valid);
        clock_edge(&t);
    }
    assert_true(t.b.o.free_valid && t.b.o.complete_valid);
    assert_int_equal(t.b.o.free_slot, 7);
    assert_int_equal(t.b.o.free_vgprs, 5);
    assert_int_equal(t.b.o.free_lds, 300);
    assert_int_equal(t.b.o.complete_fe, TOTEM_FE_COUNT - 1);
    assert_int_equal(t.b.o.complete_pipe, TOTEM_PIPES - 1);
    assert_int_equal(t.b.o.complete_queue, 3);
    assert_int_equal(t.b.o.complete_epoch, 2);
    clock_edge(&t);
    assert_false(t.b.o.free_valid || t.b.o.fault);
}

// The table's word as the contract lays it out.
static void word_of_the_table(void **state)
{
    table_bench t;
    (void)state;
    open_bench(&t);
    alloc(&t, 4, true, 2, 257);
    assert_true(t.b.o.table_write_enable);
    assert_int_equal(t.b.o.table_write_addr, 4);
    assert_int_equal(t.b.o.table_write_data, 257u | 5u << 9 | (TOTEM_FE_COUNT - 1) << 16 | (TOTEM_PIPES - 1) << 18 |
                                                 3u << 19 | 2u << 22 | 0u << 25);
    alloc(&t, 6, false, 2, 257); // the second wave has the group's name
    assert_int_equal(t.b.o.table_write_data >> 25, 0);
    alloc(&t, 9, true, 1, 0);
    assert_int_equal(t.b.o.table_write_data >> 25, 1);
}

// LDS with the last wave, in whatever order they end, one a clock.
static void lds_goes_with_the_last_wave(void **state)
{
    static const unsigned order[] = {2, 0, 3, 1};
    table_bench           t;
    unsigned              ended = 0;
    (void)state;
    open_bench(&t);
    for (unsigned n = 0; n < 4; n++)
        alloc(&t, n, n == 0, 4, 60);
    for (unsigned n = 0; n < 8; n++) {
        if (n < 4)
            done(&t, order[n]);
        else
            clock_edge(&t);
        if (t.b.o.free_valid) {
            assert_int_equal(t.b.o.free_slot, order[ended]);
            assert_int_equal(t.b.o.free_lds, ended == 3 ? 60 : 0);
            ended++;
        }
    }
    assert_int_equal(ended, 4);
    assert_false(t.b.o.fault);
}

// A wave may end, and its slot be used by another group, before its group ends.
static void slot_is_used_again_before_the_group_ends(void **state)
{
    table_bench t;
    (void)state;
    open_bench(&t);
    alloc(&t, 0, true, 2, 60);
    alloc(&t, 1, false, 2, 60);
    done(&t, 0);
    for (unsigned n = 0; n < 5; n++)
        clock_edge(&t);
    alloc(&t, 0, true, 1, 9);
    clock_edge(&t);
    done(&t, 0);
    for (unsigned n = 0; n < 3; n++)
        clock_edge(&t);
    assert_int_equal(t.b.o.free_lds, 9);
    done(&t, 1);
    for (unsigned n = 0; n < 3; n++)
        clock_edge(&t);
    assert_int_equal(t.b.o.free_lds, 60);
    assert_false(t.b.o.fault);
}

// ---- meetings

static void alloc_meets_done(void **state)
{
    table_bench t;
    (void)state;
    open_bench(&t);
    alloc(&t, 0, true, 1, 1);
    t.b.i.done_valid = true; // of another slot
    t.b.i.done_slot  = 0;
    alloc(&t, 1, true, 1, 2);
    t.b.i.done_valid = true; // of the same slot: a core that answers at once
    t.b.i.done_slot  = 2;
    alloc(&t, 2, true, 1, 3);
    unsigned seen = 0, lds = 0;
    for (unsigned n = 0; n < 5; n++) {
        seen += t.b.o.free_valid;
        lds += t.b.o.free_valid ? t.b.o.free_lds : 0;
        clock_edge(&t);
    }
    assert_int_equal(seen, 2);
    assert_int_equal(lds, 1 + 3);
    assert_false(t.b.o.fault);
    assert_true(t.b.s.occupied[1] && !t.b.s.occupied[0] && !t.b.s.occupied[2]);
}

static void last_wave_meets_the_next_group(void **state)
{
    table_bench t;
    (void)state;
    open_bench(&t);
    alloc(&t, 0, true, 1, 1); // name 0
    done(&t, 0);
    clock_edge(&t);
    clock_edge(&t);
    alloc(&t, 1, true, 1, 2); // in the clock in which the count of name 0 goes to 0
    assert_true(t.b.o.free_valid);
    assert_int_equal(t.b.o.table_write_data >> 25, 1);
    alloc(&t, 2, true, 1, 2); // from the next clock on it is free
    assert_int_equal(t.b.o.table_write_data >> 25, 0);
}

static void faults(void **state)
{
    table_bench t;
    (void)state;
    open_bench(&t);
    done(&t, 3); // no wave there
    clock_edge(&t);
    assert_true(t.b.o.fault);
    for (unsigned n = 0; n < 5; n++) {
        assert_false(t.b.o.free_valid);
        clock_edge(&t);
    }
    assert_true(t.b.o.fault);

    open_bench(&t);
    alloc(&t, 0, true, 1, 1);
    clock_edge(&t);
    t.b.s.live[0] = 0; // the group's count is gone
    done(&t, 0);
    for (unsigned n = 0; n < 3; n++)
        clock_edge(&t);
    assert_true(t.b.o.fault && t.b.o.free_valid);
    assert_int_equal(t.b.s.live[0], 0);

    open_bench(&t);
    memset(t.b.s.live, 1, sizeof t.b.s.live); // no name left
    alloc(&t, 0, true, 1, 1);
    assert_true(t.b.o.fault);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wave),
        cmocka_unit_test(word_of_the_table),
        cmocka_unit_test(lds_goes_with_the_last_wave),
        cmocka_unit_test(slot_is_used_again_before_the_group_ends),
        cmocka_unit_test(alloc_meets_done),
        cmocka_unit_test(last_wave_meets_the_next_group),
        cmocka_unit_test(faults),
    };

    return cmocka_run_group_tests_name("retire", tests, NULL, NULL);
}

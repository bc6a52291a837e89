// SPDX-License-Identifier: Apache-2.0
//
// context and frames together: the worked examples, stalls, copies, and random streams against a shadow.

#include "context_world.h"

enum { FAR = REGISTERS - 1, COPY = ROWS + 3, SEEDS = 8, STEPS = 1200 };

// Far too big for the stack.
static world the_world;

// A bounce, three state packets, two draws: roll, tag. Later the same state: drained, one draw, nothing allocated.
static void worked_examples(void **state)
{
    world   *w = &the_world;
    uint32_t blue[REGISTERS];
    (void)state;
    open_world(w, true, 1);
    clear_state(w);
    const unsigned plain = draw(w);
    assert_int_equal(bounce(w, 0xb10e00000001u, 6, NULL), MISS);
    assert_int_not_equal(w->current, plain); // a roll
    write_register(w, 10, 1);
    write_register(w, 11, 2);
    write_register(w, 500, 3);
    end_group(w);
    assert_true(w->co.has_tag);
    memcpy(blue, w->value, sizeof blue);
    const unsigned tagged = draw(w);
    assert_int_equal(draw(w), tagged);
    end_draw(w, 0);
    clocks(w, COPY);
    write_register(w, 10, 7); // plain: rolls again, the tag stays where the draws are
    end_draws(w);
    draw(w);
    assert_int_equal(w->rolls, 2);
    statistics(w);
    assert_int_equal(bounce(w, 0xb10e00000001u, 6, blue), HIT); // its dwords are not executed
    assert_int_equal(draw(w), tagged);
    end_draws(w);
    assert_int_equal(w->rolls, 2);
    assert_int_equal(w->hits, 1);
    statistics(w);
}

// No clock is exposed if the copy is done when the WRITE comes; else the WRITE waits until its register is there.
static void exposed(void **state)
{
    (void)state;
    for (unsigned gap = 0; gap <= COPY + 1; gap++) {
        world *w = &the_world;
        open_world(w, true, 1);
        draw(w);
        clocks(w, gap);
        write_register(w, FAR, 1);
        // Taken, read, decided; roll; read, decided, written.
        const unsigned clocks_taken = CLOCKS(w, w->fo.idle);
        assert_int_equal(clocks_taken, 6 + w->fo.exposed_clocks);
        assert_int_equal(w->fo.exposed_clocks, gap < COPY - 3 ? COPY - 3 - gap : 0);
        end_draws(w);
        assert_int_equal(w->rolls, 1);
        statistics(w);
    }
}

// A draw on a set that is being copied still: it sees every register as it is to be; the next WRITE rolls when the copy
// is done.
static void draw_meets_copy(void **state)
{
    (void)state;
    for (unsigned gap = 0; gap < COPY - 16; gap += 7) {
        world *w = &the_world;
        open_world(w, gap % 2, 1);
        draw(w);
        clocks(w, gap);
        write_register(w, 0, 1);
        settle(w);
        assert_int_equal(draw(w), w->current);
        assert_true(w->fo.copying);
        write_register(w, 1, 2); // taken, and waits for the room
        clocks(w, 3);
        assert_true(w->fo.roll_want || w->fo.exposed_clocks > 0);
        if (SETS == 2)
            end_draw(w, 0); // room for the roll
        settle(w);
        assert_int_equal(w->rolls, 2);
        end_draws(w);
        for (unsigned set = 0; set < SETS; set++)
            compare(w, set, w->shadow[set]);
        statistics(w);
    }
}

// All sets used: the WRITE waits and is counted; the end of the last draw of the least recently used set is answered by
// an event in the next clock and a roll in the one behind it.
static void all_used(void **state)
{
    world *w = &the_world;
    (void)state;
    open_world(w, true, 1);
    for (unsigned n = 0; n < SETS; n++) {
        draw(w);
        clocks(w, COPY);
        write_register(w, n, n); // the last one has no set
    }
    clocks(w, 50);
    assert_true(w->fo.roll_want && !w->co.roll_free);
    assert_int_equal(w->fo.exposed_clocks, 0);
    const uint32_t full = w->full_clocks;
    assert_true(full > 40);
    end_draw(w, 0);
    clock_edge(w);
    assert_true(w->co.done[0] && !w->co.roll_free);
    clock_edge(w);
    assert_true(w->co.roll_free && w->co.roll_set == 0);
    clock_edge(w);
    assert_int_equal(w->current, 0);
    assert_int_equal(w->full_clocks, full + 2);
    statistics(w);
    end_draws(w);
}

// The last draw of the current set ends while a WRITE waits: in place, no roll.
static void own_draw_ends(void **state)
{
    world *w = &the_world;
    (void)state;
    open_world(w, true, 1);
    for (unsigned n = 0; n < SETS; n++) {
        draw(w);
        clocks(w, COPY);
        write_register(w, n, n);
    }
    clocks(w, 5);
    end_draw(w, SETS - 1);
    settle(w);
    assert_int_equal(w->rolls, SETS - 1);
    assert_int_equal(w->current, SETS - 1);
    statistics(w);
    end_draws(w);
}

// ---- random streams

static const unsigned registers[] = {0, 1, BANKS - 1, BANKS, REGISTERS / 2, REGISTERS - BANKS, FAR};

enum { POOL = sizeof registers / sizeof *registers };

static uint64_t hash_of(const uint32_t *value)
{
    uint64_t hash = 0;
    for (unsigned x = 0; x < REGISTERS; x++)
        hash = (hash ^ value[x]) * 0x9e3779b97f4a7c15u;
    return hash & 0xffffffff00000003u; // few low dwords
}

static void random_write(world *w)
{
    const unsigned index = draw_lot(w, 16) == 0 ? draw_lot(w, REGISTERS) : registers[draw_lot(w, POOL)];

    if (draw_lot(w, 8) == 0)
        write_bits(w, index, draw_lot(w, 4), 1);
    else
        write_register(w, index, draw_lot(w, 2));
}

// One of a few states, as a group that changes what is needed.
static void random_group(world *w)
{
    uint32_t value[REGISTERS];

    settle(w);
    memcpy(value, w->value, sizeof value);
    const unsigned which = draw_lot(w, 2 * SETS);
    for (unsigned n = 0; n < POOL; n++)
        value[registers[n]] = (which >> n % 5 & 1) + 8;
    const unsigned answer = bounce(w, hash_of(value), draw_lot(w, 16), value);
    if (answer == HIT)
        return;
    for (unsigned n = 0; n < POOL; n++)
        if (value[registers[n]] != w->value[registers[n]] || draw_lot(w, 4) == 0)
            write_register(w, registers[n], value[registers[n]]);
    if (answer == MISS && draw_lot(w, 16) == 0)
        resume(w, draw_lot(w, 4) == 0);
    end_group(w);
}

static void random_step(world *w)
{
    const unsigned lot = draw_lot(w, 100);

    if (lot < 30)
        for (unsigned n = draw_lot(w, 5) + 1; n > 0; n--)
            random_write(w);
    else if (lot < 55)
        random_group(w);
    else if (lot < 80)
        draw(w);
    else if (lot < 82)
        clear_state(w);
    else if (lot < 85) {
        const unsigned index = registers[draw_lot(w, POOL)];
        assert_int_equal(read_register(w, index), w->value[index]);
    } else if (lot < 86)
        resume(w, draw_lot(w, 3) == 0);
    else if (lot < 88)
        load_table(w, registers[draw_lot(w, POOL)], draw_lot(w, 3));
    else if (lot < 89)
        w->ci.bounce_enable = draw_lot(w, 4) != 0;
    else if (lot < 90)
        w->ends = 1u << draw_lot(w, 11);
    else if (lot < 92)
        clocks(w, COPY + draw_lot(w, COPY));
    else
        clocks(w, draw_lot(w, 12));
}

static void random_streams(void **state)
{
    world   *w    = &the_world;
    uint32_t hits = 0, misses = 0, full = 0, filtered = 0;
    (void)state;
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        open_world(w, seed % 4 != 0, seed * 2654435761u);
        w->ends = 64;
        clear_state(w);
        for (unsigned n = 0; n < STEPS; n++) {
            random_step(w);
            if (n % 64 == 0) {
                settle(w);
                for (unsigned set = 0; set < SETS; set++)
                    compare(w, set, w->shadow[set]);
            }
        }
        w->ends = 1;
        settle(w);
        CLOCKS(w, w->draws == 0 && w->fo.table_ready);
        clocks(w, 3);
        statistics(w);
        for (unsigned x = 0; x < REGISTERS; x++)
            assert_int_equal(*in_frame(&w->banks, TABLE, x), w->table[x]);
        for (unsigned set = 0; set < SETS; set++)
            assert_int_equal(w->context.uses[set], 0);
        hits += w->hits;
        misses += w->misses;
        full += w->full_clocks;
        filtered += w->filtered;
    }
    assert_true(hits > 100 && misses > 100 && full > 100 && filtered > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_examples), cmocka_unit_test(exposed),       cmocka_unit_test(draw_meets_copy),
        cmocka_unit_test(all_used),        cmocka_unit_test(own_draw_ends), cmocka_unit_test(random_streams),
    };

    return cmocka_run_group_tests_name("context and frames", tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
//
// Kills of waves on the cores of one engine, in every stage; waves beside them are not hurt. Done comes behind the last
// write. Run by sim/tests.d/77-core.sh.

#include "tests.h"

#include "neighbour.h"

static void until_accepted(world *w, unsigned count)
{
    for (unsigned n = 0; n < MOST && w->offered < count; n++)
        step(w);
    assert_int_equal(w->offered, count);
}

static unsigned of_state(const world *w, unsigned first, unsigned count, wave_state state)
{
    unsigned found = 0;
    for (unsigned n = first; n < first + count; n++)
        found += w->waves[n].state == state;
    return found;
}

// Four run, six wait behind them, then two of the neighbour. The kill ends all ten soon; nothing ends without it.
RULE(kill_of_running_and_queued_waves)
{
    prepare(w, "endless");
    dispatch(w, &(grid){.program = BAD, .groups_x = 10, .groups_y = 1, .waves = 1, .user_count = 1, .user = {C}});
    const grid g = neighbour(2);
    dispatch(w, &g);
    until_accepted(w, 12);
    steps(w, 3000);
    assert_int_equal(w->done, 0);
    assert_int_equal(host_read(w, RUNNING), CORES);
    assert_int_equal(host_read(w, WAITING), 8);
    assert_int_equal(word_at(w, C + 12), 1);
    kill(w, 0, 0, 2); // another epoch
    steps(w, 500);
    kill(w, 1, 0, 1); // another pipe
    steps(w, 500);
    assert_int_equal(w->done, 0);
    kill(w, 0, 0, 1);
    steps(w, 100); // an access to memory, and ten times done
    assert_int_equal(of_state(w, 0, 10, IS_DONE), 10);
    run(w, MOST);
    expect_neighbour(w, 2);
    assert_int_equal(host_read(w, WAVES), 12);
    assert_int_equal(host_read(w, ERRORS), 0);
}

// A kill in each clock of a wave's life: of its launch, its load, its header, its run, its last stores, its done.
RULE(kill_in_every_clock)
{
    prepare(w, "vecadd");
    w->busy            = true;
    unsigned cut_short = 0, whole = 0;
    for (unsigned delay = 0; delay < 1500; delay += delay < 200 ? 1 : 13) {
        const grid g = {.program      = BAD,
                        .groups_x     = 3,
                        .groups_y     = 1,
                        .waves        = 2,
                        .wave32       = true,
                        .last_threads = 2,
                        .user_count   = 4,
                        .user         = {A, A, C, 200}};
        const grid n = neighbour(1);
        w->count = w->offered = w->done = 0;
        memset(w->memory + B, 0, C - B);
        dispatch(w, &g);
        dispatch(w, &n);
        steps(w, delay);
        kill(w, 0, 0, 1);
        while (w->offered < 6) // those that came later hear the next one
            step(w);
        step(w);
        kill(w, 0, 0, 1);
        const uint64_t at = w->clock;
        run(w, 20000);
        for (unsigned k = 0; k < 6; k++) {
            assert_true(w->waves[k].done <= at + 200);
            w->waves[k].done < at ? whole++ : cut_short++;
        }
        expect_neighbour(w, 1);
    }
    assert_true(whole > 10 && cut_short > 100);
}

// One wave of a group waits at the barrier for another that waits for memory, or for a core: both end.
RULE(kill_at_a_barrier)
{
    prepare(w, "reduce");
    for (unsigned waves = 2; waves <= CORES; waves++) {
        w->count = w->offered = w->done = 0;
        dispatch(w, &(grid){.program    = BAD,
                            .groups_x   = 2,
                            .groups_y   = 1,
                            .waves      = (uint8_t)waves,
                            .lds        = 1,
                            .user_count = 3,
                            .user       = {A, C, 1000}});
        w->latency = 20;
        until_accepted(w, 2 * waves);
        steps(w, 1000); // some wait at the barrier, others add up
        w->deaf = true;
        steps(w, 1000);
        kill(w, 0, 0, 1);
        steps(w, 1000);
        assert_true(w->done < 2 * waves); // those whose access is not answered stay
        w->deaf = false;
        run(w, 1000);
    }
    const grid n = neighbour(4);
    dispatch(w, &n);
    run(w, MOST);
    expect_neighbour(w, 4);
}

// Groups with barriers of two queues take turns on the cores; one queue is killed again and again. The other's sums are
// right.
RULE(kills_among_groups)
{
    enum { ROUNDS = 60, GRIDS = 6 };
    prepare(w, "reduce");
    for (unsigned k = 0; k < ROUNDS; k++) {
        w->count = w->offered = w->done = 0;
        w->busy                         = k % 2;
        w->latency                      = 1 + draw_random(w) % 60;
        uint32_t count[GRIDS];
        for (uint32_t n = 0; n < GRIDS; n++) {
            count[n] = draw_random(w) % 40;
            dispatch(w, &(grid){.program    = BAD,
                                .groups_x   = 2,
                                .groups_y   = 1,
                                .waves      = (uint8_t)(1 + draw_random(w) % CORES),
                                .queue      = n % 2,
                                .lds        = 1,
                                .user_count = 3,
                                .user       = {A, C + 8 * n, count[n]}});
        }
        while (w->done < w->count) {
            if (draw_random(w) % 200 == 0)
                kill(w, 0, 0, 1);
            step(w);
        }
        for (uint32_t n = 1; n < GRIDS; n += 2)
            for (uint32_t g = 0; g < 2; g++) {
                const uint32_t first = g * count[n];
                assert_int_equal(word_at(w, C + 8 * n + 4 * g), first * count[n] + count[n] * (count[n] - 1) / 2);
            }
    }
}

// Waves of a group that are accepted behind a kill of the first ones make up the group alone; so do those of the next.
RULE(kill_of_the_first_waves_of_a_group)
{
    prepare(w, "reduce");
    load(w, "endless", PROGRAM + 0x2000);
    for (unsigned killed = 1; killed <= 3; killed++) {
        w->count = w->offered = w->done = 0;
        grid e                          = {.program    = PROGRAM + 0x2000,
                                           .groups_x   = CORES,
                                           .groups_y   = 1,
                                           .waves      = 1,
                                           .queue      = 2,
                                           .user_count = 1,
                                           .user       = {C + 0x100}};
        grid g                          = {.program    = BAD,
                                           .groups_x   = 2,
                                           .groups_y   = 1,
                                           .waves      = CORES,
                                           .lds        = 1,
                                           .user_count = 3,
                                           .user       = {A, C, 40}};
        dispatch(w, &e); // all cores are busy, so the group waits
        dispatch(w, &g);
        put_word(w, C, 0);
        put_word(w, C + 4, 0);
        until_accepted(w, CORES + killed);
        kill(w, 0, 0, 1);
        steps(w, killed + 3); // they are dropped before the next one comes
        assert_int_equal(w->done, killed);
        kill(w, 0, 2, 1);
        run(w, MOST);
        assert_int_equal(word_at(w, C), 0); // the first wave of the group would have written it
        assert_int_equal(word_at(w, C + 4), (40 + 79) * 40 / 2);
    }
}

// A group whose first wave is dropped before the second comes is a group of its own all the same: it has nothing of the
// LDS and the barrier of the one that runs before it.
RULE(a_group_without_its_first_wave)
{
    prepare(w, "reduce");
    load(w, "endless", PROGRAM + 0x2000);
    dispatch(w, &(grid){.program    = PROGRAM + 0x2000,
                        .groups_x   = 2,
                        .groups_y   = 1,
                        .waves      = 1,
                        .queue      = 2,
                        .user_count = 1,
                        .user       = {C + 0x100}});
    grid g = {.program    = BAD,
              .groups_x   = 1,
              .groups_y   = 1,
              .waves      = 2,
              .queue      = 1,
              .lds        = 1,
              .user_count = 3,
              .user       = {A, C, 100}};
    dispatch(w, &g);
    g.queue = 0, g.waves = 3, g.user[2] = 300;
    dispatch(w, &g);
    until_accepted(w, 2 + 2 + 1);
    kill(w, 0, 0, 1);
    steps(w, 4);
    assert_int_equal(w->done, 1);
    kill(w, 0, 2, 1);
    run(w, MOST);
    assert_int_equal(word_at(w, C), 99 * 100 / 2);
}

// Done comes behind the last acknowledgement: a wave whose writes take long has none outstanding at its done.
RULE(done_behind_the_acknowledgements)
{
    prepare(w, "vecadd");
    static const unsigned latencies[] = {1, 7, 400};
    for (unsigned k = 0; k < COUNT(latencies); k++) {
        w->latency = latencies[k];
        dispatch(
            w,
            &(grid){.program = BAD, .groups_x = 1, .groups_y = 1, .waves = 1, .user_count = 4, .user = {A, A, C, 16}});
        unsigned most = 0;
        while (w->done < w->count) {
            most = w->writes > most ? w->writes : most;
            assert_true(!w->pins.done_valid || w->writes == 0);
            step(w);
        }
        assert_true(latencies[k] < 100 || most > 0);
    }
}

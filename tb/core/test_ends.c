// SPDX-License-Identifier: Apache-2.0
//
// How waves end on the cores of one engine: by a kill in every stage, and by every error; waves beside them are not
// hurt. Run by sim/tests.d/77-core.sh.

#include "tests.h"

#include "world.h"

#include <stdio.h>

enum { A = 0x20000, B = 0x24000, C = 0x28000, CORES = 4, MOST = 100000 };
enum { JUMP = 1, MISALIGNED, ILLEGAL, ACCESS, HEADER, BARRIER, LDS }; // codes
enum { RUNNING = 2, WAITING, WAVES, ERRORS, RECORD, ADDRESS, RUN_PROGRAM, GROUP_X, GROUP_YZ, LOW, HIGH };
enum { BAD = PROGRAM, GOOD = PROGRAM + 0x1000 };

// A neighbour of another queue: a vecadd of 64 elements a wave.
static grid neighbour(uint32_t groups)
{
    return (grid){.program    = GOOD,
                  .groups_x   = groups,
                  .groups_y   = 1,
                  .waves      = 1,
                  .queue      = 1,
                  .user_count = 4,
                  .user       = {A, A, B, 64 * groups}};
}

static void expect_neighbour(world *w, uint32_t groups)
{
    for (uint32_t n = 0; n < 64 * groups; n++)
        assert_int_equal(word_at(w, B + 4 * n), 2 * n);
}

// Kernels in place, and what the neighbour reads.
static void prepare(world *w, const char *bad)
{
    load(w, bad, BAD);
    load(w, "vecadd", GOOD);
    for (uint32_t n = 0; n < 1024; n++)
        put_word(w, A + 4 * n, n);
}

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

// -- errors ----------------------------------------------------------------------------------------------------------

static void expect_record(world *w, uint8_t code, uint32_t address, unsigned wave, uint32_t errors)
{
    const totem_engine_pins_out *l = &w->waves[wave].launch;
    if (host_read(w, ERRORS) != errors || host_read(w, RECORD) % 16 != code || host_read(w, ADDRESS) != address)
        fail_msg("errors %u, record %08x, address %08x; expected %u, code %u, %08x", host_read(w, ERRORS),
                 host_read(w, RECORD), host_read(w, ADDRESS), errors, code, address);
    assert_int_equal(host_read(w, RECORD) >> 8, l->launch_epoch << 20 | l->launch_queue << 16 | l->launch_pipe << 12 |
                                                    l->launch_fe << 8 | l->launch_slot);
    assert_int_equal(host_read(w, RUN_PROGRAM), l->launch_program << 8);
    assert_int_equal(host_read(w, GROUP_X), (uint32_t)l->launch_group);
    assert_int_equal(host_read(w, GROUP_YZ), l->launch_group >> 32);
    assert_int_equal(host_write(w, RECORD, 0), 0);
}

// One wave of eight makes the error; the others store what they should, and so does the neighbour.
static void one_bad(world *w, const char *kernel, uint32_t place, uint8_t code, uint32_t address)
{
    prepare(w, kernel);
    memset(w->memory + C, 0, 32);
    const uint32_t errors = host_read(w, ERRORS);
    const unsigned first  = dispatch(w, &(grid){.program    = BAD,
                                                .groups_x   = 4,
                                                .groups_y   = 1,
                                                .waves      = 2,
                                                .pipe       = 1,
                                                .queue      = 3,
                                                .epoch      = 2,
                                                .user_count = 3,
                                                .user       = {place, C, 5}});
    const grid     n      = neighbour(3);
    dispatch(w, &n);
    run(w, MOST);
    for (uint32_t k = 0; k < 8; k++)
        assert_int_equal(word_at(w, C + 4 * k), k == 5 ? 0 : k + 1);
    expect_neighbour(w, 3);
    expect_record(w, code, address, first + 5, errors + 1);
}

RULE(jump_outside_the_program)
{
    one_bad(w, "bad_jump", 0x4000, JUMP, 0x4000);
    w->done = w->count = w->offered = 0;
    one_bad(w, "bad_jump", 0xf0000000, JUMP, 0xf0000000); // LDS holds no program
    w->done = w->count = w->offered = 0;
    one_bad(w, "bad_jump", 0xf0ff0000, JUMP, 0xf0ff0000); // nor is there a way back to the start
    w->done = w->count = w->offered = 0;
    one_bad(w, "bad_jump", BAD - 4, JUMP, BAD - 4);
}

RULE(misaligned_access)
{
    one_bad(w, "bad_misaligned", C + 0x100, MISALIGNED, C + 0x100);
    assert_int_equal(word_at(w, C + 0x100), 0); // nothing is written
}

RULE(illegal_instruction)
{
    prepare(w, "bad_illegal");
    uint32_t at = 0; // the illegal word is a dword 0 of the code
    for (uint32_t n = BAD + 0x24; !at; n += 4)
        at = word_at(w, n) ? 0 : n;
    one_bad(w, "bad_illegal", 0, ILLEGAL, at);
}

// Behind memory; outside of LDS, which the group does not have; holes of the local region.
RULE(access_outside)
{
    static const uint32_t places[] = {MEMORY,     0xe0000000, 0xf0000000, 0xf00100c0,
                                      0xf0010110, 0xf0020800, 0xf0030000, 0xfffffffc};
    for (unsigned k = 0; k < COUNT(places); k++) {
        w->done = w->count = w->offered = 0;
        one_bad(w, "bad_access", places[k], ACCESS, places[k]);
    }
}

// The first and the last dword of the window are in it, those beside them are not; nor does a program run there.
RULE(window)
{
    enum { FIRST = GOOD - 0x400, LAST = C + 0x2000 };
    load(w, "bad_access", GOOD);
    host_write(w, LOW, FIRST);
    host_write(w, HIGH, LAST);
    static const struct {
        uint32_t place;
        bool     inside;
    } rows[]        = {{FIRST, true}, {FIRST - 4, false}, {LAST, true}, {LAST + 4, false}};
    uint32_t errors = 0;
    for (unsigned k = 0; k < COUNT(rows); k++) {
        const unsigned wave = dispatch(w, &(grid){.program    = GOOD,
                                                  .groups_x   = 1,
                                                  .groups_y   = 1,
                                                  .waves      = 1,
                                                  .user_count = 3,
                                                  .user       = {rows[k].place, C, 0}});
        run(w, MOST);
        assert_int_equal(word_at(w, rows[k].place), rows[k].inside);
        if (rows[k].inside)
            assert_int_equal(host_read(w, ERRORS), errors);
        else
            expect_record(w, ACCESS, rows[k].place, wave, ++errors);
    }
    static const uint32_t lows[] = {GOOD + 4, GOOD - 4, 0}, highs[] = {LAST, GOOD + 0x7c, GOOD + 0x1c};
    for (unsigned k = 0; k < COUNT(lows); k++) {
        host_write(w, LOW, lows[k]);
        host_write(w, HIGH, highs[k]);
        const unsigned wave = dispatch(w, &(grid){.program = GOOD, .groups_x = 1, .groups_y = 1, .waves = 1});
        run(w, MOST);
        expect_record(w, ACCESS, GOOD, wave, ++errors);
    }
}

// A store that memory refuses when the program has already gone on.
RULE(refused_store)
{
    prepare(w, "scale");
    const grid n = neighbour(2);
    dispatch(
        w,
        &(grid){
            .program = BAD, .groups_x = 1, .groups_y = 1, .waves = 1, .user_count = 4, .user = {A, MEMORY - 8, 3, 1}});
    dispatch(w, &n);
    run(w, MOST);
    expect_neighbour(w, 2);
    assert_int_equal(word_at(w, MEMORY - 4), 1);
    expect_record(w, ACCESS, MEMORY, 0, 1);
}

// Headers that are none, and programs where no memory is.
RULE(bad_headers)
{
    static const struct {
        uint32_t at, value;
    } faults[]   = {{0, 0x12345678}, {4, 0}, {4, 0x24}, {4, 0xf0000000}, {8, 0x1c}, {8, 0x22}, {8, 0x10000}, {12, 1}};
    const grid n = neighbour(1);
    for (unsigned k = 0; k < COUNT(faults); k++) {
        w->done = w->count = w->offered = 0;
        prepare(w, "vecadd");
        put_word(w, BAD + faults[k].at, faults[k].value);
        dispatch(w, &(grid){.program = BAD, .groups_x = 1, .groups_y = 1, .waves = 1});
        dispatch(w, &n);
        run(w, MOST);
        expect_record(w, HEADER, BAD, 0, k + 1);
        expect_neighbour(w, 1);
    }
    static const struct {
        uint64_t program;
        uint8_t  code;
    } places[] = {{0xf00000, HEADER}, {1 << 24, HEADER}, {MEMORY >> 8, ACCESS}};
    for (unsigned k = 0; k < COUNT(places); k++) {
        w->done = w->count = w->offered = 0;
        dispatch(w, &(grid){.program = BAD, .groups_x = 1, .groups_y = 1, .waves = 1});
        w->waves[0].launch.launch_program = places[k].program;
        run(w, MOST);
        assert_int_equal(host_read(w, RECORD) % 16, places[k].code);
        host_write(w, RECORD, 0);
    }
}

// More LDS than there is, more waves at a barrier than cores: each wave of the group ends.
RULE(too_large_for_the_cores)
{
    prepare(w, "reduce");
    const grid n = neighbour(2);
    dispatch(
        w, &(grid){
               .program = BAD, .groups_x = 1, .groups_y = 1, .waves = 2, .lds = 9, .user_count = 3, .user = {A, C, 8}});
    dispatch(w, &n);
    run(w, MOST);
    expect_record(w, LDS, BAD, 0, 2);
    dispatch(w, &(grid){.program    = BAD,
                        .groups_x   = 1,
                        .groups_y   = 1,
                        .waves      = CORES + 1,
                        .lds        = 8,
                        .user_count = 3,
                        .user       = {A, C, 8}});
    run(w, MOST);
    assert_int_equal(host_read(w, ERRORS), 2 + CORES + 1);
    assert_int_equal(host_read(w, RECORD) % 16, BARRIER);
    expect_neighbour(w, 2);
}

// The first waves of a group end by an error before the barrier: the others pass it.
RULE(barrier_without_a_wave)
{
    prepare(w, "reduce");
    put_word(w, C, 0);
    dispatch(
        w, &(grid){
               .program = BAD, .groups_x = 1, .groups_y = 1, .waves = 3, .lds = 1, .user_count = 3, .user = {A, C, 8}});
    w->waves[1].launch.launch_program = 0xf00000;
    run(w, MOST);
    assert_int_equal(word_at(w, C), 0 + 3 + 6 + 2 + 5); // of wave 1 there is nothing
    expect_record(w, HEADER, 0xf0000000, 1, 1);
}

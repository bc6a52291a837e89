// SPDX-License-Identifier: Apache-2.0
//
// Errors of waves on the cores of one engine: the wave ends, the record names it, waves beside it are not hurt. Run by
// sim/tests.d/77-core.sh.

#include "tests.h"

#include "neighbour.h"

enum { JUMP = 1, MISALIGNED, ILLEGAL, ACCESS, HEADER, BARRIER, LDS }; // codes

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

// SPDX-License-Identifier: Apache-2.0
//
// The other pins of the cores of one engine: launches, exports, tasks, the host's page. Run by sim/tests.d/77-core.sh.

#include "tests.h"

#include "world.h"

enum { A = 0x20000, B = 0x24000, C = 0x28000, CORES = 4, MOST = 100000, LAUNCH = 26 };
enum { HOLE = 1, READ_ONLY, VALUE };
enum { MAGIC, SIZES, RUNNING, WAITING, WAVES, ERRORS, RECORD, LOW = 11, HIGH, EXPORT, PIXELS, END };

static grid endless(uint32_t groups)
{
    return (grid){.program = PROGRAM, .groups_x = groups, .groups_y = 1, .waves = 1, .user_count = 1, .user = {C}};
}

static grid geometry(uint32_t waves, uint8_t primitives)
{
    return (grid){.kind       = GEOMETRY,
                  .program    = PROGRAM,
                  .groups_x   = waves,
                  .groups_y   = 1,
                  .waves      = 1,
                  .pipe       = 2,
                  .primitives = primitives};
}

// While no wave ends, all slots are filled at the rate of the copy.
RULE(launches_wait_for_no_wave)
{
    load(w, "endless", PROGRAM);
    const grid g = endless(SLOTS - 1);
    dispatch(w, &g);
    steps(w, LAUNCH * (SLOTS - 1) + 1);
    assert_int_equal(w->offered, SLOTS - 1);
    for (unsigned n = 1; n < SLOTS - 1; n++)
        assert_int_equal(w->waves[n].accepted - w->waves[n - 1].accepted, LAUNCH);
    kill(w, 0, 0, 1);
    run(w, 200);
}

// Geometry exports and ends while every core is busy for ever; a pixel wave that is killed leaves without a core.
RULE(exports)
{
    load(w, "endless", PROGRAM);
    grid g = endless(CORES);
    dispatch(w, &g);
    g = geometry(3, 20);
    dispatch(w, &g); // none as long as the host says nothing
    steps(w, 1000);
    assert_int_equal(w->exports, 3);
    assert_int_equal(w->primitives, 0);
    assert_int_equal(host_write(w, EXPORT, 1), 0);
    assert_int_equal(host_write(w, PIXELS, 0xabcde), 0);
    w->export_wait = 100;
    dispatch(w, &g);
    steps(w, 1000);
    assert_int_equal(w->exports, 6);
    assert_int_equal(w->primitives, 60);
    assert_int_equal(w->pixels, 0xabcde);
    // Of eight some are offered before the kill, the others export nothing.
    w->export_wait = 1000000;
    g              = geometry(8, 1);
    dispatch(w, &g);
    g = (grid){.kind = PIXEL, .program = PROGRAM, .groups_x = 2, .groups_y = 1, .waves = 1, .pipe = 2};
    dispatch(w, &g);
    steps(w, 11 * LAUNCH);
    assert_int_equal(host_read(w, WAITING), 7 + 2);
    kill(w, 2, 0, 1);
    w->export_wait = 0;
    steps(w, 100);
    assert_int_equal(w->exports, 14);
    assert_int_equal(w->primitives, 61);
    assert_int_equal(w->done, w->count - CORES);
    kill(w, 0, 0, 1);
    run(w, 200);
}

// A task is asked for with the wave's owner, behind the acknowledgement of its stores; the answer comes back.
RULE(tasks)
{
    load(w, "child", PROGRAM);
    grid g = {.program    = PROGRAM,
              .groups_x   = 2,
              .groups_y   = 1,
              .waves      = 1,
              .pipe       = 1,
              .queue      = 2,
              .epoch      = 3,
              .user_count = 2,
              .user       = {0x123456, C}};
    for (unsigned refuse = 0; refuse < 2; refuse++) {
        w->task_refuse = refuse;
        w->task_wait   = 50;
        w->tasks       = 0;
        dispatch(w, &g);
        run(w, MOST);
        assert_int_equal(w->tasks, 1);
        assert_int_equal(w->task.task_pointer, 0x123456);
        assert_int_equal(w->task.task_pipe, 1);
        assert_int_equal(w->task.task_queue, 2);
        assert_int_equal(w->task.task_epoch, 3);
        assert_int_equal(word_at(w, C), 1 + refuse);
    }
    // Neither a graphics pipe nor the pointer 0 comes to the port: refused.
    w->task_refuse = false;
    for (unsigned k = 0; k < 2; k++) {
        put_word(w, C, 0);
        g.pipe    = k ? 1 : 2;
        g.user[0] = k ? 0 : 0x123456;
        dispatch(w, &g);
        run(w, MOST);
        assert_int_equal(w->tasks, 1);
        assert_int_equal(word_at(w, C), 2);
    }
    // A kill while the request stands: it stays until the answer, then the wave is done.
    w->task_wait = 1000000000;
    g.user[0]    = 0x777;
    dispatch(w, &g);
    steps(w, 2000);
    assert_true(w->pins.task_valid);
    kill(w, 1, 2, 8);
    steps(w, 500);
    assert_true(w->pins.task_valid && w->done == w->count - 1);
    w->task_wait = 0;
    run(w, 100);
    assert_int_equal(w->tasks, 2);
}

RULE(host_page)
{
    assert_int_equal(host_read(w, MAGIC), 0x32335652);
    assert_int_equal(host_read(w, SIZES), 512 << 16 | 8 << 8 | CORES);
    for (unsigned n = 0; n < 256; n++) {
        const bool    settable = n == RECORD || (n >= LOW && n <= PIXELS);
        const uint8_t error    = n >= END ? HOLE : settable ? 0 : READ_ONLY;
        assert_int_equal(host_write(w, (uint8_t)n, 0), error);
    }
    assert_int_equal(host_write(w, RECORD, 1), VALUE);
    assert_int_equal(host_write(w, EXPORT, 2), VALUE);
    assert_int_equal(host_write(w, PIXELS, 1 << 20), VALUE);
    static const uint32_t values[][2] = {{LOW, 0x89abcdef}, {HIGH, 0x76543210}, {EXPORT, 1}, {PIXELS, 0xfffff}};
    for (unsigned n = 0; n < COUNT(values); n++) {
        assert_int_equal(host_write(w, (uint8_t)values[n][0], values[n][1]), 0);
        assert_int_equal(host_read(w, (uint8_t)values[n][0]), values[n][1]);
    }
}

// Bytes of a word alone are written.
RULE(bytes_and_halves)
{
    // lui a0, C >> 12; li a1, 0x5a5; sb a1, 1(a0); sh a1, 6(a0); lbu a2, 1(a0); sw a2, 8(a0); lui a3, 0xf0010; END
    static const uint32_t code[] = {0x32335652, 64,         32,         0,          0,          0,
                                    0,          0,          0x00028537, 0x5a500593, 0x00b500a3, 0x00b51323,
                                    0x00154603, 0x00c52423, 0xf00106b7, 0x1006a423};
    for (uint32_t n = 0; n < COUNT(code); n++)
        put_word(w, PROGRAM + 4 * n, code[n]);
    memset(w->memory + C, 0x11, 16);
    dispatch(w, &(grid){.program = PROGRAM, .groups_x = 1, .groups_y = 1, .waves = 1});
    run(w, MOST);
    static const uint32_t words[] = {0x1111a511, 0x05a51111, 0x000000a5, 0x11111111};
    for (uint32_t n = 0; n < COUNT(words); n++)
        assert_int_equal(word_at(w, C + 4 * n), words[n]);
    assert_int_equal(host_read(w, ERRORS), 0);
}

// A reset in any clock of a run leaves nothing behind.
RULE(reset_in_a_run)
{
    load(w, "vecadd", PROGRAM);
    const grid g = {.program      = PROGRAM,
                    .groups_x     = 3,
                    .groups_y     = 1,
                    .waves        = 2,
                    .wave32       = true,
                    .last_threads = 9,
                    .user_count   = 4,
                    .user         = {A, A, C, 200}};
    for (unsigned clocks = 0; clocks < 1500; clocks += 37) {
        dispatch(w, &g);
        steps(w, clocks);
        reset(w);
        assert_false(w->pins.done_valid || w->axi.arvalid || w->axi.awvalid || w->axi.wvalid);
        assert_int_equal(host_read(w, RUNNING) + host_read(w, WAITING) + host_read(w, WAVES), 0);
    }
    put_word(w, A + 4 * 130, 21);
    dispatch(w, &g);
    run(w, MOST);
    assert_int_equal(word_at(w, C + 4 * 130), 42);
    assert_int_equal(host_read(w, ERRORS), 0);
}

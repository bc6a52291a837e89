// SPDX-License-Identifier: Apache-2.0
//
// totem_setup with the totem_bank that it writes (docs/contract/setup.md, docs/contract/bank.md): behind `done` and a go
// the bank shows what the descriptor says, as an unfinished grid.

#include "block_bench.h"

#include "totem_bank.h"
#include "totem_setup.h"

BENCH(setup)

enum { LONG = 900, ENTRY = 3, QUEUE = 2 };

typedef struct {
    bench          b;
    totem_bank     bank;
    totem_bank_in  in;
    totem_bank_out out;
    uint64_t       meta[TOTEM_ENTRIES * 8];
    uint32_t       registers[TOTEM_QUEUES * 128], low[TOTEM_QUEUES * 16], high[TOTEM_QUEUES * 16];
} setup_bench;

static void open_bench(setup_bench *t)
{
    memset(t, 0, sizeof *t);
    memset(t->registers, 0x5a, sizeof t->registers);
    fresh(&t->b);
    totem_bank_reset(&t->bank);
}

static void close_bench(setup_bench *t)
{
    (void)t;
}

#define SETUP_RULE(name) RULE_IN(setup_bench, open_bench, close_bench, t, name)

static void clock_edge(setup_bench *t)
{
    const totem_setup_out *o = &t->b.o;

    totem_bank_outputs(&t->bank, &t->out);
    t->b.i.bank_ready[0] = t->out.mqd_ready;
    t->in.mqd_valid      = o->bank_valid[0];
    t->in.mqd_write      = true;
    t->in.mqd_queue      = o->bank_queue;
    t->in.mqd_offset     = o->bank_offset;
    t->in.mqd_data       = o->bank_data;
    t->in.load_valid     = o->load_valid[0];
    t->in.load_queue     = o->load_queue;
    t->in.load_kind      = o->load_kind;
    t->in.load_data      = o->load_data;
    if (o->tmd_read_enable)
        t->b.hold.tmd_read_data = t->meta[o->tmd_read_addr];
    tick(&t->b);
    totem_bank_step(&t->bank, &t->in);
    t->in.arbiter_go = false;
    if (t->out.ram_read_enable)
        t->in.ram_read_data = t->registers[t->out.ram_read_addr];
    if (t->out.ram_write_enable)
        t->registers[t->out.ram_write_addr] = t->out.ram_write_data;
    if (t->out.state_low_write_enable)
        t->low[t->out.state_low_write_addr] = t->out.state_low_write_data;
    if (t->out.state_high_write_enable)
        t->high[t->out.state_high_write_addr] = t->out.state_high_write_data;
    totem_bank_outputs(&t->bank, &t->out);
}

#define UNTIL(condition)                                              \
    __extension__({                                                   \
        unsigned clocks_ = 0;                                         \
        while (!(condition)) {                                        \
            if (++clocks_ > LONG)                                     \
                fail_msg("line %d: never: %s", __LINE__, #condition); \
            clock_edge(t);                                            \
        }                                                             \
        clocks_;                                                      \
    })

typedef struct {
    uint32_t x, y, z, block[3], registers, disabled, lds, pointer;
    uint64_t program;
} fields;

// The registers are written, prepared, and loaded.
static void written(setup_bench *t, fields f)
{
    uint64_t *m = &t->meta[ENTRY * 8];

    m[0] = 0x7777777700000000 | f.pointer;
    m[1] = (uint64_t)f.z << 48 | (uint64_t)f.y << 32 | f.x;
    m[2] = (uint64_t)f.block[2] << 48 | (uint64_t)f.block[1] << 32 | f.block[0] << 16 | f.disabled << 9 | f.registers;
    m[3] = (uint64_t)f.lds << 46 | 0xfffffffff;
    m[7] = f.program | 0x1ffffull << 48;
    LEVEL(&t->b, task_setup_valid, true);
    LEVEL(&t->b, task_setup_queue, QUEUE);
    LEVEL(&t->b, task_setup_entry, ENTRY);
    assert_in_range(UNTIL(t->b.o.done), t->b.hold.task_setup_resume ? 42 : 50, 61);
    LEVEL(&t->b, task_setup_valid, false);
    assert_false(t->out.prepared[QUEUE]); // not yet, and it says so
    clock_edge(t);
    UNTIL(t->out.prepared[QUEUE]);
    t->in.arbiter_go       = true;
    t->in.arbiter_selected = QUEUE;
    clock_edge(t);
    UNTIL(t->out.loaded);
    assert_false(t->out.busy);
}

SETUP_RULE(a_task_is_an_unfinished_grid)
{
    written(t, (fields){.x         = 0x12345,
                        .y         = 7,
                        .z         = 9,
                        .block     = {33, 2, 3},
                        .registers = 226,
                        .lds       = 82944,
                        .pointer   = 0xab123456,
                        .program   = 0x9c3456789a00});
    assert_int_equal(t->out.threads, 33 * 2 * 3);
    assert_int_equal(t->out.vgprs, 29);
    assert_int_equal(t->out.lds, 162);
    assert_int_equal(t->out.program_addr, 0x9c3456789a);
    assert_int_equal(t->out.restart_end, 9ull << 48 | 7ull << 32 | 0x12345);
    assert_int_equal(t->out.restart, 0);
    assert_int_equal(t->out.restart_mask, 0);
    assert_int_equal(t->out.restart_origin, 0);
    assert_int_equal(t->out.words, 3);
    assert_int_equal(t->low[QUEUE * 16 + 2], 0x12345600);
    assert_int_equal(t->high[QUEUE * 16 + 2], 0xab);
    assert_int_equal(t->low[QUEUE * 16 + 1], 0);
    assert_int_equal(t->high[QUEUE * 16 + 1], 0);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        assert_true(t->out.engines[e]);
    assert_int_equal(t->out.initiator, 0x8005);
}

// What says how far the grid is was given back with the list: it stays.
SETUP_RULE(an_unfinished_task_keeps_its_restart_state)
{
    LEVEL(&t->b, task_setup_resume, true);
    written(t, (fields){.x = 0x12345, .y = 7, .z = 9, .block = {64, 1, 1}, .registers = 8});
    assert_int_equal(t->out.restart, 0x5a5a5a5a5a5a5a5a);
    assert_int_equal(t->out.restart_end, 9ull << 48 | 7ull << 32 | 0x12345);
}

SETUP_RULE(blocks_of_registers_and_lds)
{
    static const struct {
        uint32_t registers, lds;
        uint8_t  vgprs;
        uint16_t blocks;
    } cases[] = {{0, 0, 1, 0}, {1, 1, 1, 1}, {8, 512, 1, 1}, {9, 513, 2, 2}, {511, 262143, 64, 511}};
    for (unsigned n = 0; n < COUNT(cases); n++) {
        open_bench(t);
        written(
            t,
            (fields){.x = 1, .y = 1, .z = 1, .block = {1, 1, 1}, .registers = cases[n].registers, .lds = cases[n].lds});
        assert_int_equal(t->out.vgprs, cases[n].vgprs);
        assert_int_equal(t->out.lds, cases[n].blocks);
    }
}

// All engines but those of the mask, unless it leaves none.
SETUP_RULE(a_task_has_an_engine)
{
    for (unsigned mask = 0; mask < 16; mask++) {
        const unsigned all = (1u << TOTEM_SE_COUNT) - 1, left = all & ~mask ? all & ~mask : all;
        open_bench(t);
        written(t, (fields){.x = 1, .y = 1, .z = 1, .block = {1, 1, 1}, .disabled = mask});
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            assert_int_equal(t->out.engines[e], left >> e & 1);
    }
}

// While the bank is being loaded nothing is written.
SETUP_RULE(it_waits_for_the_bank_to_be_loaded)
{
    LEVEL(&t->b, runner_loading[0], true);
    LEVEL(&t->b, task_setup_valid, true);
    for (unsigned n = 0; n < 40; n++) {
        clock_edge(t);
        assert_false(t->b.o.bank_valid[0]);
    }
    LEVEL(&t->b, runner_loading[0], false);
    UNTIL(t->b.o.bank_valid[0]);
}

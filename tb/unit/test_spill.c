// SPDX-License-Identifier: Apache-2.0
//
// totem_spill (docs/contract/spill.md). The bench is memory, a front end with a list of tasks, and the task registers.
// What is expected stands at its place in the MQD: the format is that of docs/contract/spill.md, its dwords by their
// numbers.

#include "block_bench.h"

#include "totem_mqd_values.h"
#include "totem_pm4.h"
#include "totem_spill.h"

BENCH(spill)

enum { BASE = 0x1000, DWORDS = 512, LONG = 3000, REGISTERS = 128 };

typedef struct {
    bench    b;
    uint32_t mqd[DWORDS];
    uint32_t list[64], given[64]; // what the front end has, what it gets
    unsigned count, out, got;
    bool     resumed[64];
    uint32_t registers[REGISTERS];
    uint64_t address; // of the write under way
    bool     second;
    unsigned read_error, write_error;
} spill_bench;

static void open_bench(spill_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
}

static void close_bench(spill_bench *t)
{
    (void)t;
}

#define ROLL_RULE(name) RULE_IN(spill_bench, open_bench, close_bench, t, name)

static uint32_t *dword_at(spill_bench *t, uint64_t address)
{
    assert_true(address >= BASE && address < BASE + 4 * DWORDS);
    return &t->mqd[(address - BASE) / 4];
}

static void clock_edge(spill_bench *t)
{
    const totem_spill_out o = t->b.o;

    if (o.read_valid) {
        const uint64_t low   = *dword_at(t, o.read_addr);
        t->b.i.read_ready    = true;
        t->b.hold.data_word  = low | (uint64_t)*dword_at(t, o.read_addr + 4) << 32;
        t->b.hold.data_error = (uint8_t)t->read_error;
        t->b.hold.data_valid = true;
    } else {
        t->b.hold.data_valid = false;
    }
    if (o.write_valid) {
        t->b.i.write_ready = true;
        if (!t->second) {
            t->address = o.write_word;
        } else {
            if (t->address >> 40 & 0x0f)
                *dword_at(t, t->address & 0xffffffffff) = (uint32_t)o.write_word;
            if (t->address >> 40 & 0xf0)
                *dword_at(t, (t->address & 0xffffffffff) + 4) = (uint32_t)(o.write_word >> 32);
            t->b.hold.write_ack = true;
        }
        t->second = !t->second;
    }
    if (o.unload_valid) {
        t->b.i.task_unload_done    = true;
        t->b.i.task_unload_last    = t->out == t->count;
        t->b.i.task_unload_pointer = t->out < t->count ? t->list[t->out++] : 0;
    }
    if (o.restore_valid) {
        assert_true(t->got < 64);
        t->resumed[t->got]        = o.restore_resume;
        t->given[t->got++]        = o.restore_pointer;
        t->b.i.task_restore_ready = true;
    }
    if (o.relay_valid) {
        t->b.i.setup_relay_done = true;
        t->b.i.setup_relay_data = t->registers[o.relay_offset];
        if (o.relay_write)
            t->registers[o.relay_offset] = o.relay_data;
    }
    tick(&t->b);
    t->b.hold.data_valid = false;
    t->b.hold.write_ack  = false;
    LEVEL(&t->b, ack_error, (uint8_t)t->write_error);
}

// Until the request is done; what the block then says stays in t->b.o.
static void request(spill_bench *t, unsigned op, unsigned queue, bool grid)
{
    if (t->b.o.done[0])
        clock_edge(t);
    LEVEL(&t->b, mqd_spill_valid[0], true);
    LEVEL(&t->b, mqd_spill_op[0], (uint8_t)op);
    LEVEL(&t->b, mqd_spill_queue[0], (uint8_t)queue);
    LEVEL(&t->b, mqd_spill_base[0], BASE / 4);
    LEVEL(&t->b, mqd_spill_grid[0], grid);
    LEVEL(&t->b, ack_error, (uint8_t)t->write_error);
    for (unsigned n = 0; !t->b.o.done[0]; n++) {
        assert_true(n < LONG);
        clock_edge(t);
    }
    LEVEL(&t->b, mqd_spill_valid[0], false);
}

ROLL_RULE(a_save_has_count_turn_and_pointers)
{
    for (; t->count < 3; t->count++)
        t->list[t->count] = 0x100 + t->count;
    memset(t->mqd, 0xee, sizeof t->mqd);
    LEVEL(&t->b, runner_lists_turn[1], true);
    request(t, SPILL_SAVE, 1, false);
    assert_int_equal(t->b.o.code, 0);
    assert_int_equal(t->mqd[383], 3 | 1u << 30);
    for (unsigned n = 0; n < 3; n++)
        assert_int_equal(t->mqd[384 + n], 0x100 + n);
    assert_int_equal(t->mqd[387], 0xeeeeeeee);
    assert_int_equal(t->mqd[382], 0xeeeeeeee);
    assert_int_equal(t->mqd[28], 0xeeeeeeee);
}

ROLL_RULE(a_save_has_the_restart_state_of_an_unfinished_task)
{
    t->list[t->count++] = 0x77;
    LEVEL(&t->b, runner_begun[1], true);
    t->registers[0x1b] = 5;
    t->registers[0x1c] = 6;
    t->registers[0x1d] = 7;
    t->registers[0x22] = 0x55;
    request(t, SPILL_SAVE, 1, false);
    assert_int_equal(t->mqd[28], 5);
    assert_int_equal(t->mqd[29], 6);
    assert_int_equal(t->mqd[30], 7);
    assert_int_equal(t->mqd[35], 0x55);
    assert_int_equal(t->mqd[383] & 0xc000007f, 1 | 3u << 30);
    assert_int_equal(t->mqd[384], 0x77);
}

ROLL_RULE(a_full_list)
{
    for (; t->count < 64; t->count++)
        t->list[t->count] = 1000 + t->count;
    request(t, SPILL_SAVE, 0, false);
    assert_int_equal(t->mqd[383], 64);
    assert_int_equal(t->mqd[447], 1063);
    request(t, SPILL_LOAD, 1, false);
    assert_int_equal(t->got, 64);
    for (unsigned n = 0; n < 64; n++)
        assert_int_equal(t->given[n], 1000 + n);
}

ROLL_RULE(an_empty_list_is_saved_by_a_reset)
{
    t->list[t->count++] = 0x77;
    t->mqd[383]         = 9;
    LEVEL(&t->b, runner_begun[1], true);
    LEVEL(&t->b, runner_lists_turn[1], true);
    request(t, SPILL_CLEAR, 1, false);
    assert_int_equal(t->mqd[383], 0);
    assert_int_equal(t->out, 0);
}

ROLL_RULE(a_load_gives_back_in_order)
{
    t->mqd[383] = 2 | 1u << 30;
    t->mqd[384] = 11;
    t->mqd[385] = 12;
    request(t, SPILL_LOAD, 0, true);
    assert_int_equal(t->got, 2);
    assert_int_equal(t->given[0], 11);
    assert_int_equal(t->given[1], 12);
    assert_true(t->b.o.turn);
    assert_false(t->b.o.resume);
    assert_false(t->resumed[0]);
}

ROLL_RULE(a_load_goes_on_with_the_unfinished_task)
{
    t->mqd[383] = 2 | 3u << 30;
    t->mqd[28]  = 5;
    t->mqd[29]  = 6;
    t->mqd[30]  = 7;
    t->mqd[35]  = 0x55;
    request(t, SPILL_LOAD, 0, true);
    assert_true(t->b.o.resume);
    assert_true(t->resumed[0]);
    assert_false(t->resumed[1]);
    assert_int_equal(t->registers[0x1b], 5);
    assert_int_equal(t->registers[0x1c], 6);
    assert_int_equal(t->registers[0x1d], 7);
    assert_int_equal(t->registers[0x22], 0x55);
    t->got = 0; // DISP_ACTIVE says that there is none
    request(t, SPILL_LOAD, 0, false);
    assert_false(t->b.o.resume);
    assert_false(t->resumed[0]);
}

ROLL_RULE(a_load_waits_for_what_an_earlier_mapping_left)
{
    LEVEL(&t->b, task_purging[1], true);
    LEVEL(&t->b, mqd_spill_valid[0], true);
    LEVEL(&t->b, mqd_spill_queue[0], 1);
    LEVEL(&t->b, mqd_spill_base[0], BASE / 4);
    for (unsigned n = 0; n < 50; n++) {
        assert_false(t->b.o.read_valid);
        clock_edge(t);
    }
    LEVEL(&t->b, task_purging[1], false);
    request(t, SPILL_LOAD, 1, false);
}

ROLL_RULE(a_count_that_cannot_be_is_refused)
{
    t->mqd[383] = 65;
    request(t, SPILL_LOAD, 0, false);
    assert_int_equal(t->b.o.code, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD);
    assert_int_equal(t->b.o.word, 65);
    t->mqd[383] = 1u << 29 | 1;
    request(t, SPILL_LOAD, 0, false);
    assert_int_equal(t->b.o.code, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD);
    assert_int_equal(t->got, 0);
}

ROLL_RULE(errors_of_memory)
{
    t->read_error = 2;
    request(t, SPILL_LOAD, 0, false);
    assert_int_equal(t->b.o.code, TOTEM_ERROR_MEMORY_READ_SLVERR + 1);
    assert_int_equal(t->b.o.word, BASE + 4 * 383);
    assert_int_equal(t->b.o.where, BASE / 4 + 383);
    t->read_error       = 0;
    t->write_error      = 1;
    t->list[t->count++] = 1;
    request(t, SPILL_SAVE, 0, false);
    assert_int_equal(t->b.o.code, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
    assert_int_equal(t->b.o.word, BASE);
    assert_int_equal(t->b.o.where, BASE / 4);
}

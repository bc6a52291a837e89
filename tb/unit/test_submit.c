// SPDX-License-Identifier: Apache-2.0
//
// totem_submit: requests of waves and of the host, interrupts, counters (docs/contract/submit.md). The test is `task`,
// `events` and the cores.

#include "block_bench.h"

#include "totem_setup_values.h"
#include "totem_submit.h"
#include "totem_task_values.h"

#include "../cmodel/host/totem_regs_map.h"
#include "../cmodel/packet/totem_pm4.h"

BENCH(submit)

#define SUBMIT_RULE(name) RULE_OF(bench, fresh, b, name)

enum { ROUND = 8, LAST_ENGINE = TOTEM_SE_COUNT - 1, LAST_PIPE = TOTEM_PIPES - 1 };
enum { EPOCH = TOTEM_EPOCHS - 1, QUEUE = 1, X = LAST_PIPE * TOTEM_QUEUES + QUEUE };

static void wave_asks(bench *b, unsigned engine, uint32_t pointer)
{
    LEVEL(b, fe_number, 0);
    LEVEL(b, wave_task_valid[engine], true);
    LEVEL(b, wave_task_pointer[engine], pointer);
    LEVEL(b, wave_task_fe[engine], 0);
    LEVEL(b, wave_task_pipe[engine], LAST_PIPE);
    LEVEL(b, wave_task_queue[engine], QUEUE);
    LEVEL(b, wave_task_epoch[engine], EPOCH);
    LEVEL(b, epoch_present[X], 1u << EPOCH);
}

// A call comes within a round; it is answered so.
static void call(bench *b, uint32_t pointer, uint8_t answer)
{
    for (unsigned n = 0; !b->o.call_valid; n++, tick(b))
        assert_true(n < ROUND);
    assert_int_equal(b->o.call_queue, X);
    assert_int_equal(b->o.call_pointer, pointer);
    ticks(b, 5);
    assert_true(b->o.call_valid);
    b->i.tasks_call_done   = true;
    b->i.tasks_call_answer = answer;
    tick(b);
    assert_false(b->o.call_valid);
}

static uint32_t get(bench *b, unsigned dword)
{
    LEVEL(b, host_valid, true);
    LEVEL(b, host_write, false);
    LEVEL(b, host_dword, (uint8_t)dword);
    for (unsigned n = 0; !b->o.host_done; n++, tick(b))
        assert_true(n < ROUND);
    assert_int_equal(b->o.host_error, 0);
    const uint32_t value = b->o.host_rdata;
    LEVEL(b, host_valid, false);
    tick(b);
    return value;
}

SUBMIT_RULE(waves_ask)
{
    static const uint8_t answers[] = {CALL_TAKEN, CALL_UNMAPPED, CALL_FULL};
    for (unsigned n = 0; n < COUNT(answers); n++) {
        wave_asks(b, LAST_ENGINE, 0x100 + n);
        call(b, 0x100 + n, answers[n]);
        assert_true(b->o.task_ready[LAST_ENGINE]);
        assert_int_equal(b->o.task_refused[LAST_ENGINE], answers[n] != CALL_TAKEN);
        LEVEL(b, wave_task_valid[LAST_ENGINE], false);
        tick(b);
        assert_false(b->o.task_ready[LAST_ENGINE]);
    }
    assert_int_equal(get(b, TOTEM_REG_TASKS_CHILDREN), 1);
    assert_int_equal(get(b, TOTEM_REG_TASKS_CHILDREN_REFUSED), 2);
    assert_true(b->o.idle);
}

// Another epoch, pipe or front end: refused without a call, or not looked at.
SUBMIT_RULE(waves_of_earlier_mappings)
{
    for (unsigned n = 0; n < 3; n++) {
        wave_asks(b, 0, 0x100);
        if (n == 0)
            LEVEL(b, wave_task_epoch[0], 0);
        if (n == 1)
            LEVEL(b, wave_task_pipe[0], 2);
        if (n == 2)
            LEVEL(b, wave_task_fe[0], 1);
        bool ready = false;
        for (unsigned k = 0; k < ROUND; k++) {
            tick(b);
            assert_false(b->o.call_valid);
            if (b->o.task_ready[0]) {
                assert_true(b->o.task_refused[0]);
                LEVEL(b, wave_task_valid[0], false);
                ready = true;
            }
        }
        assert_int_equal(ready, n < 2);
    }
}

// The end of a task asks for an interrupt by a release, or as a report that counts; fence and mqd go first.
SUBMIT_RULE(interrupts_of_tasks)
{
    for (unsigned by = 0; by < 4; by++) {
        const bool trap = by & 1, counts = by & 2;
        b->s.reports[X]                = counts;
        b->i.tasks_over_ready          = true;
        b->i.tasks_report_write_enable = true;
        b->i.tasks_report_write_addr   = X;
        b->i.tasks_report_write_data   = 0xabc00000007;
        b->i.finish_over_trap          = trap;
        tick(b);
        assert_int_equal(b->o.interrupt_valid[LAST_PIPE], trap || counts);
        assert_int_equal(b->o.room, !trap && !counts);
        if (!trap && !counts)
            continue;
        assert_int_equal(b->o.interrupt_word, (uint64_t)QUEUE << 32 | 0xabc);
        for (unsigned fence = 0; fence < 2; fence++) {
            b->i.events_interrupt_ready[LAST_PIPE] = true;
            b->i.mqd_interrupt_valid[LAST_PIPE]    = !fence;
            b->i.fence_interrupt_valid[LAST_PIPE]  = fence;
            tick(b);
            assert_true(b->o.interrupt_valid[LAST_PIPE]);
        }
        b->i.events_interrupt_ready[LAST_PIPE] = true;
        tick(b);
        assert_false(b->o.interrupt_valid[LAST_PIPE]);
        assert_true(b->o.room);
    }
}

// Every mark has its counter.
SUBMIT_RULE(marks)
{
    for (unsigned k = 0; k < 9; k++) {
        b->i.runner_granted[LAST_PIPE] = true;
        b->i.runner_marks[LAST_PIPE] =
            (uint16_t)(k < 7 ? 1 << k : (k == 7 ? MARK_BARRIER_SYSTEM : MARK_BARRIER_DEVICE) << 7);
        tick(b);
        for (unsigned n = 0; n < 9; n++)
            assert_int_equal(get(b, TOTEM_REG_TASKS_INVALIDATES + n), n <= k);
    }
}

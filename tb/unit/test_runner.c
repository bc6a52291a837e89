// SPDX-License-Identifier: Apache-2.0
//
// totem_runner (docs/contract/runner.md). The bench is the task bank, which shows registers LOAD_CLOCKS after a go, and
// a walker of which the test says how many clocks its groups take; the test is the packet processor and task.

#include "block_bench.h"

#include "totem_hqd_values.h"
#include "totem_pm4.h"
#include "totem_runner.h"

BENCH(runner)

enum { QUEUES = TOTEM_QUEUES, LOAD_CLOCKS = 6, NEVER = 1000, LONG = 60 };

typedef struct {
    bench    b;
    unsigned loading, groups;                             // clocks left: of a load, of the groups
    unsigned taken, granted, refused, starts, saves, gos; // pulses since the test began
    unsigned since_save;                                  // clocks
} runner_bench;

static void open_bench(runner_bench *t)
{
    memset(t, 0, sizeof *t);
    t->since_save = NEVER;
    fresh(&t->b);
    LEVEL(&t->b, arbiter_selected_valid, true);
    LEVEL(&t->b, bank_threads, 64);
    LEVEL(&t->b, bank_vgprs, 1);
    for (unsigned q = 0; q < QUEUES; q++) {
        LEVEL(&t->b, arbiter_active[q], true);
        LEVEL(&t->b, fetch_pending[q], true);
        LEVEL(&t->b, bank_prepared[q], true);
        LEVEL(&t->b, task_entry[q], (uint8_t)(q + 1));
    }
}

static void close_bench(runner_bench *t)
{
    (void)t;
}

#define RUNNER_RULE(name) RULE_IN(runner_bench, open_bench, close_bench, t, name)

// One clock of everything.
static void clock_edge(runner_bench *t)
{
    const totem_runner_out *o = &t->b.o;

    t->taken += o->taken;
    t->granted += o->granted;
    t->refused += o->refused;
    t->saves += o->save;
    t->gos += o->go;
    t->since_save = o->save ? 0 : t->since_save + 1;
    if (o->go) {
        assert_false(o->on);
        assert_true(t->since_save > 3); // the bank is still saving
        assert_true(t->b.i.task_written[o->go_queue] && t->b.i.bank_prepared[o->go_queue]);
        t->loading = LOAD_CLOCKS;
    }
    if (o->start) {
        t->starts++;
        assert_true(o->begun[o->task_queue] && t->b.i.bank_loaded && o->go_queue == o->task_queue);
    }
    if (t->b.i.walker_busy && t->groups && --t->groups == 0)
        t->b.hold.walker_busy = false;
    if (o->start && t->groups)
        t->b.hold.walker_busy = true;
    if (o->go || o->save)
        t->b.hold.bank_loaded = false;
    else if (t->loading && --t->loading == 0)
        t->b.hold.bank_loaded = true;
    tick(&t->b);
}

static void clocks(runner_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
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

// The queue has a task that can run, and its registers.
static void has_task(runner_bench *t, unsigned queue, bool has)
{
    LEVEL(&t->b, task_run[queue], has);
    LEVEL(&t->b, task_written[queue], has);
}

static void selects(runner_bench *t, unsigned queue)
{
    LEVEL(&t->b, arbiter_selected, (uint8_t)queue);
}

// A packet of the selected queue was executed, or a task of it was granted.
static void executed(runner_bench *t)
{
    t->b.i.packet_executed = true;
    clock_edge(t);
}

// The packet processor asks for a task after it was due, which is a clock after it could run.
static void asks(runner_bench *t, unsigned kind)
{
    clocks(t, 2);
    LEVEL(&t->b, packet_service_valid, true);
    LEVEL(&t->b, packet_service_kind, (uint8_t)kind);
}

typedef struct {
    bool     again;
    uint8_t  code;
    uint32_t word;
} answer;

// Until it is answered. What is begun is then no task that could be taken: task knows it in the next clock.
static answer answered(runner_bench *t)
{
    UNTIL(t->b.o.done);
    const answer a = {t->b.o.again, t->b.o.code, t->b.o.word};
    clock_edge(t);
    assert_false(t->b.o.done);
    LEVEL(&t->b, packet_service_valid, false);
    LEVEL(&t->b, packet_service_stop, false);
    LEVEL(&t->b, walker_stopped, false);
    return a;
}

static answer runs(runner_bench *t, unsigned groups)
{
    t->groups = groups;
    asks(t, TOTEM_KIND_TASK);
    return answered(t);
}

// The task of the selected queue is started, and has groups without end.
static void started(runner_bench *t)
{
    t->groups = NEVER;
    asks(t, TOTEM_KIND_TASK);
    UNTIL(t->b.o.start);
    clocks(t, 5);
    assert_true(t->b.o.on);
}

// The queue has to leave; the walker stops with some groups left, or with none.
static answer leaves(runner_bench *t, bool unfinished)
{
    LEVEL(&t->b, packet_service_stop, true);
    UNTIL(t->b.o.stop);
    clocks(t, 3);
    assert_true(t->b.o.stop); // a level
    t->groups = 0;
    LEVEL(&t->b, walker_stopped, true);
    LEVEL(&t->b, walker_busy, unfinished);
    const answer a = answered(t);
    LEVEL(&t->b, walker_busy, false);
    return a;
}

static bool due(runner_bench *t, unsigned queue)
{
    clocks(t, 2);
    return t->b.o.due[queue];
}

static answer launches(runner_bench *t, bool again, unsigned code, uint32_t word)
{
    asks(t, TOTEM_KIND_LAUNCH);
    LEVEL(&t->b, packet_service_data, 0xffffffff81234567);
    UNTIL(t->b.o.launch_valid);
    for (unsigned n = 0; n < 20; n++) { // the loads of others take their time
        assert_true(t->b.o.launch_valid);
        assert_int_equal(t->b.o.launch_queue, 1);
        assert_int_equal(t->b.o.launch_pointer, 0x81234567);
        assert_false(t->b.o.done);
        clock_edge(t);
    }
    t->b.i.task_launch_done  = true;
    t->b.i.task_launch_again = again;
    t->b.i.task_launch_code  = (uint8_t)code;
    t->b.i.task_launch_word  = word;
    clock_edge(t);
    assert_false(t->b.o.launch_valid);
    return answered(t);
}

// ---- Turns ----

RUNNER_RULE(a_launch_is_no_turn)
{
    has_task(t, 1, true);
    selects(t, 1);
    for (unsigned n = 0; n < 3; n++) {
        launches(t, false, 0, 0);
        executed(t);
        assert_false(due(t, 1));
    }
    launches(t, true, 0, 0); // no entry: it is not executed
    executed(t);             // but another packet is
    assert_true(due(t, 1));
}

RUNNER_RULE(a_ring_that_waits_for_memory)
{
    has_task(t, 1, true);
    LEVEL(&t->b, poll_waiting[1], true);
    assert_true(due(t, 1));
    LEVEL(&t->b, poll_waiting[1], false);
    assert_false(due(t, 1));
}

// ---- Mapping ----

RUNNER_RULE(a_mapping_brings_its_turn)
{
    has_task(t, 1, true);
    for (unsigned list = 0; list < 2; list++) {
        executed(t); // of queue 0
        LOAD_WORD(&t->b, 1, LOAD_ACTIVE, 1 | list << 3);
        clock_edge(t);
        assert_int_equal(t->b.o.lists_turn[1], list);
        assert_int_equal(due(t, 1), list);
        assert_true(t->b.o.lists_turn[0]);
    }
    LOAD_WORD(&t->b, 1, LOAD_ACTIVE + 1, 0); // another word
    clock_edge(t);
    assert_true(t->b.o.lists_turn[1]);
}

// ---- A task ----

RUNNER_RULE(a_task_from_its_start_to_its_last_grant)
{
    has_task(t, 2, true);
    selects(t, 2);
    clocks(t, LOAD_CLOCKS + 3);
    assert_int_equal(t->gos, 1);
    asks(t, TOTEM_KIND_TASK);
    t->groups = 9;
    assert_int_equal(UNTIL(t->b.o.start), 3); // loaded before: at once
    assert_int_equal(t->taken, 1);
    assert_int_equal(t->b.o.task_queue, 2);
    while (t->groups) {
        assert_true(t->b.o.begun[2] && t->b.o.due[2]);
        assert_false(t->b.o.done || t->b.o.granted);
        clock_edge(t);
    }
    UNTIL(t->b.o.granted);
    assert_int_equal(t->b.o.task_queue, 2);
    const answer a = answered(t);
    assert_false(a.again || a.code);
    assert_int_equal(a.word, 3);
    assert_false(t->b.o.begun[2]);
    assert_int_equal(t->taken + t->granted + t->starts, 3);
    assert_int_equal(t->saves + t->refused, 0);
}

RUNNER_RULE(waves_have_32_threads)
{
    static const struct {
        uint16_t group;
        uint8_t  waves, last;
    } cases[] = {{1, 1, 1}, {31, 1, 31}, {32, 1, 32}, {33, 2, 1}, {64, 2, 32}, {290, 10, 2}};
    has_task(t, 0, true);
    for (unsigned n = 0; n < COUNT(cases); n++) {
        LEVEL(&t->b, bank_threads, cases[n].group);
        asks(t, TOTEM_KIND_TASK);
        UNTIL(t->b.o.start);
        assert_int_equal(t->b.o.waves, cases[n].waves);
        assert_int_equal(t->b.o.threads, cases[n].last);
        answered(t);
    }
}

// Between the clock in which it was due and this one a launch for the head takes its place.
RUNNER_RULE(a_task_that_cannot_run_any_more)
{
    has_task(t, 0, true);
    asks(t, TOTEM_KIND_TASK);
    LEVEL(&t->b, task_run[0], false);
    assert_true(answered(t).again);
    assert_int_equal(t->taken + t->starts, 0);
    assert_false(t->b.o.begun[0]);
}

RUNNER_RULE(registers_are_loaded_again_for_the_next_task)
{
    has_task(t, 0, true);
    runs(t, 2);
    has_task(t, 0, false);
    clocks(t, 3);
    has_task(t, 0, true);
    clocks(t, LOAD_CLOCKS + 3);
    assert_int_equal(t->gos, 2);
    clocks(t, 20);
    assert_int_equal(t->gos, 2); // once is enough
}

// ---- Leaving ----

RUNNER_RULE(it_continues_at_the_same_task)
{
    has_task(t, 0, true);
    has_task(t, 1, true);
    started(t);
    assert_true(leaves(t, true).again);
    assert_int_equal(t->saves, 1);
    assert_int_equal(t->granted, 0);
    assert_true(due(t, 0));
    selects(t, 1);
    runs(t, 3);
    assert_int_equal(t->taken, 2);
    assert_true(due(t, 0));
    LEVEL(&t->b, task_run[0], false); // it has started
    selects(t, 0);
    assert_false(runs(t, 3).again);
    assert_int_equal(t->taken, 2); // not another one
    assert_int_equal(t->starts, 3);
    assert_int_equal(t->granted, 2);
    assert_false(due(t, 0));
}

// Its registers have changed: they are loaded again, when the bank has saved them.
RUNNER_RULE(it_continues_with_what_was_saved)
{
    has_task(t, 0, true);
    started(t);
    leaves(t, true);
    assert_in_range(UNTIL(t->b.o.go), 1, 10);
    assert_false(runs(t, 3).again);
    assert_int_equal(t->gos, 2);
}

RUNNER_RULE(the_last_group_is_granted_while_it_leaves)
{
    has_task(t, 0, true);
    started(t);
    const answer a = leaves(t, false);
    assert_false(a.again);
    assert_int_equal(a.word, 1);
    assert_int_equal(t->granted, 1);
    assert_int_equal(t->saves, 0);
    assert_false(t->b.o.begun[0]);
}

RUNNER_RULE(it_leaves_while_its_registers_are_loaded)
{
    has_task(t, 0, true);
    LEVEL(&t->b, packet_service_stop, true);
    const answer a = runs(t, 3);
    assert_true(a.again);
    assert_true(due(t, 0));
    assert_int_equal(t->starts + t->saves, 0);
    runs(t, 3);
    assert_int_equal(t->taken, 1);
    assert_int_equal(t->starts, 1);
}

// ---- A group larger than an engine ----

typedef struct {
    unsigned threads, vgprs, lds;
    bool     fits;
} group;

static void tries(runner_bench *t, group g)
{
    open_bench(t);
    has_task(t, 1, true);
    selects(t, 1);
    LEVEL(&t->b, bank_threads, (uint16_t)g.threads);
    LEVEL(&t->b, bank_vgprs, (uint8_t)g.vgprs);
    LEVEL(&t->b, bank_lds, (uint16_t)g.lds);
    const answer a = runs(t, 3);
    assert_false(a.again);
    assert_int_equal(a.code, g.fits ? 0 : TOTEM_ERROR_PACKET_GROUP_TOO_LARGE);
    assert_int_equal(t->starts, g.fits);
    assert_int_equal(t->granted, g.fits);
    assert_int_equal(t->refused, !g.fits);
    assert_false(t->b.o.begun[1]);
    if (!g.fits)
        assert_int_equal(a.word, (g.threads + 31) / 32);
}

RUNNER_RULE(slots_of_an_engine)
{
    tries(t, (group){TOTEM_SLOTS * 32, 1, 0, true});
    tries(t, (group){TOTEM_SLOTS * 32 + 1, 1, 0, false});
    tries(t, (group){4097, 1, 0, false});
    tries(t, (group){8191, 1, 0, false});
}

RUNNER_RULE(vgprs_of_an_engine)
{
    const unsigned most = TOTEM_VGPRS / TOTEM_SLOTS; // of a wave, in a group of all slots
    tries(t, (group){TOTEM_SLOTS * 32, most, 0, true});
    tries(t, (group){TOTEM_SLOTS * 32, most + 1, 0, false});
    tries(t, (group){32, 64, 0, true});
}

RUNNER_RULE(lds_of_an_engine)
{
    if (TOTEM_LDS < 511)
        tries(t, (group){1, 1, TOTEM_LDS + 1, false});
    tries(t, (group){1, 1, TOTEM_LDS < 511 ? TOTEM_LDS : 511, true});
}

// ---- LAUNCH_TASK ----

RUNNER_RULE(launches_and_their_answers)
{
    selects(t, 1);
    answer a = launches(t, false, TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE, 77);
    assert_int_equal(a.code, TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE);
    assert_int_equal(a.word, 77);
    assert_false(a.again);
    a = launches(t, true, 0, 0); // no entry
    assert_true(a.again);
    a = launches(t, false, 0, 0);
    assert_false(a.again || a.code);
    assert_int_equal(t->taken + t->granted + t->refused, 0);
}

// An unfinished task of the mapping before holds its queue until it can be taken: also while the bank derives.
RUNNER_RULE(an_unfinished_task_comes_before_the_ring)
{
    has_task(t, 1, true);
    LEVEL(&t->b, task_resume[1], true);
    LEVEL(&t->b, bank_prepared[1], false);
    clocks(t, 2);
    for (unsigned n = 0; n < 20; n++, clock_edge(t))
        assert_true(t->b.o.stall[1] && !t->b.o.due[1] && !t->b.o.stall[0]);
    LEVEL(&t->b, bank_prepared[1], true);
    LEVEL(&t->b, fetch_pending[1], false);
    clocks(t, 2);
    assert_true(t->b.o.due[1]);
    assert_false(t->b.o.stall[1]);
}

// ---- Errors that belong to no packet ----

static void fails(runner_bench *t, unsigned queue, bool orphaned)
{
    LEVEL(&t->b, task_fault_valid, true);
    LEVEL(&t->b, task_fault_queue, (uint8_t)queue);
    LEVEL(&t->b, task_fault_code, 0x65);
    LEVEL(&t->b, task_fault_word, 0x89abcdef);
    LEVEL(&t->b, task_fault_addr, 0xfedcba9876);
    LEVEL(&t->b, task_fault_orphaned, orphaned);
}

RUNNER_RULE(an_error_has_a_record_and_halts_its_queue)
{
    selects(t, 0);
    for (unsigned orphaned = 0; orphaned < 2; orphaned++) {
        fails(t, QUEUES - 1, orphaned);
        for (unsigned n = 0; n < 2; n++) {
            UNTIL(t->b.o.error_valid);
            for (unsigned wait = 0; wait < 4; wait++) { // the recorder is busy
                assert_true(t->b.o.error_valid);
                assert_int_equal(t->b.o.error_word,
                                 n ? 0x89abcdefu : 0x65ull << 56 | (uint64_t)(QUEUES - 1) << 48 | 0xfedcba9876);
                assert_false(t->b.o.halt || t->b.o.fault_ready);
                clock_edge(t);
            }
            t->b.i.events_error_ready = true;
            clock_edge(t);
        }
        assert_false(t->b.o.error_valid);
        assert_true(t->b.o.fault_ready);
        assert_int_equal(t->b.o.halt, !orphaned); // of a mapping that has ended nothing halts
        assert_int_equal(t->b.o.halt_queue, QUEUES - 1);
        LEVEL(&t->b, task_fault_valid, false);
        clock_edge(t);
        for (unsigned n = 0; n < 5; n++) {
            assert_false(t->b.o.halt || t->b.o.fault_ready || t->b.o.error_valid);
            clock_edge(t);
        }
    }
}

RUNNER_RULE(a_ring_that_waits_for_an_entry)
{
    has_task(t, 1, true);
    LEVEL(&t->b, packet_wait_entry[1], true);
    assert_true(due(t, 1));
    LEVEL(&t->b, task_room[1], true);
    assert_false(due(t, 1));
}

RUNNER_RULE(a_slot_that_is_unmapped_saves_nothing)
{
    has_task(t, 0, true);
    started(t);
    LEVEL(&t->b, arbiter_active[0], false);
    LOAD_WORD(&t->b, 0, LOAD_ACTIVE, 0);
    clock_edge(t);
    assert_true(leaves(t, true).again);
    assert_int_equal(t->saves + t->granted, 0);
    assert_false(t->b.o.begun[0]);
}

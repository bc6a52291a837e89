// SPDX-License-Identifier: Apache-2.0
//
// totem_task with totem_lists (docs/contract/task.md). The bench is the RAMs, a loader that knows the descriptors of the
// test, and a writer of registers; the test is runner and finish.

#include "block_bench.h"

#include "totem_lists.h"
#include "totem_pm4.h"
#include "totem_task.h"

BENCH(task)

enum { ENTRIES = TOTEM_ENTRIES, LISTS = TOTEM_LISTS, QUEUES = TOTEM_PIPES * TOTEM_QUEUES };
enum { LOAD_CLOCKS = 20, SETUP_CLOCKS = 10, LONG = 300 };

typedef struct {
    uint32_t pointer, dependent; // 0: none
    bool     head, prefetch, renew;
    uint8_t  group, error;
} descriptor;

typedef struct {
    bench                      b;
    totem_lists                lists;
    totem_lists_in             lists_in;
    TOTEM_LISTS_ENTRY          link[ENTRIES];
    TOTEM_LISTS_ENDS_READ_DATA ends[LISTS];
    uint64_t                   pointers[ENTRIES], reports[QUEUES];
    uint32_t                   store[QUEUES * 64];
    descriptor                 known[16];
    unsigned                   count, loads;
    unsigned                   load_clocks[2], setup_clocks; // left
} task_bench;

static void open_bench(task_bench *t)
{
    memset(t, 0, sizeof *t);
    totem_lists_reset(&t->lists);
    fresh(&t->b);
    LEVEL(&t->b, tmd_load_request_ready[0], true);
    LEVEL(&t->b, tmd_load_request_ready[1], true);
    LEVEL(&t->b, submit_room, true);
}

static void close_bench(task_bench *t)
{
    (void)t;
}

#define TASK_RULE(name) RULE_IN(task_bench, open_bench, close_bench, t, name)

static const descriptor *find(const task_bench *t, uint32_t pointer)
{
    for (unsigned n = 0; n < t->count; n++)
        if (t->known[n].pointer == pointer)
            return &t->known[n];
    fail_msg("no descriptor at 0x%x", pointer);
    return NULL;
}

static void answer(task_bench *t, unsigned k)
{
    const descriptor *d             = find(t, t->b.s.load_target[k]);
    t->b.i.tmd_load_answer_valid[k] = true;
    LEVEL(&t->b, tmd_load_answer_error[k], d->error);
    LEVEL(&t->b, tmd_load_answer_word[k], 18);
    LEVEL(&t->b, tmd_load_answer_group[k], d->group);
    LEVEL(&t->b, tmd_load_answer_head[k], d->head);
    LEVEL(&t->b, tmd_load_answer_dependent[k], d->dependent != 0);
    LEVEL(&t->b, tmd_load_answer_pointer[k], d->dependent);
    LEVEL(&t->b, tmd_load_answer_prefetch[k], d->prefetch);
    LEVEL(&t->b, tmd_load_answer_renew[k], d->renew);
}

// One clock of everything.
static void clock_edge(task_bench *t)
{
    totem_lists_out       lo;
    const totem_task_out *o = &t->b.o;

    totem_lists_outputs(&t->lists, &lo);
    t->b.i.lists_request_ready = lo.request_ready;
    t->b.i.lists_answer_valid  = lo.answer_valid;
    t->b.i.lists_answer_entry  = lo.answer_entry;
    memcpy(t->b.i.lists_filled, lo.filled, sizeof t->b.i.lists_filled);
    t->lists_in.request_valid = o->list_valid;
    t->lists_in.request_op    = o->list_op;
    t->lists_in.request_list  = o->list_list;
    t->lists_in.request_entry = o->list_entry;
    const bool accepted[2]    = {o->load_valid, o->load_second};
    for (unsigned k = 0; k < 2; k++) {
        if (t->load_clocks[k] && --t->load_clocks[k] == 0)
            answer(t, k);
        if (accepted[k]) {
            t->load_clocks[k] = LOAD_CLOCKS;
            t->loads++;
        }
    }
    const bool writes = o->setup_valid;
    if (writes && t->setup_clocks == 0)
        t->setup_clocks = SETUP_CLOCKS;
    else if (t->setup_clocks && --t->setup_clocks == 0)
        t->b.i.setup_done = true;
    if (o->pointer_read_enable)
        t->b.hold.pointer_read_data = t->pointers[o->pointer_read_addr];
    if (o->pointer_write_enable)
        t->pointers[o->pointer_write_addr] = o->pointer_write_data;
    if (o->store_read_enable)
        t->b.hold.store_read_data = t->store[o->store_read_addr];
    if (o->store_write_enable)
        t->store[o->store_write_addr] = o->store_write_data;
    totem_lists_in in = t->lists_in;
    TICK_WITH_RAM(t, t->reports, report);
    totem_lists_step(&t->lists, &in);
    if (lo.link_read_enable)
        t->lists_in.link_read_data = t->link[lo.link_read_addr];
    if (lo.link_write_enable)
        t->link[lo.link_write_addr] = lo.link_write_data;
    if (lo.ends_read_enable)
        t->lists_in.ends_read_data = t->ends[lo.ends_read_addr];
    if (lo.ends_write_enable)
        t->ends[lo.ends_write_addr] = lo.ends_write_data;
}

#define UNTIL(condition)                                              \
    do {                                                              \
        unsigned clocks_ = 0;                                         \
        while (!(condition)) {                                        \
            if (++clocks_ > LONG)                                     \
                fail_msg("line %d: never: %s", __LINE__, #condition); \
            clock_edge(t);                                            \
        }                                                             \
    } while (0)

static void clocks(task_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static void describe(task_bench *t, descriptor d)
{
    t->known[t->count++] = d;
}

typedef struct {
    uint8_t code;
    bool    again;
} launched;

static launched launch(task_bench *t, unsigned queue, uint32_t pointer)
{
    const unsigned pipe = queue / TOTEM_QUEUES;
    LEVEL(&t->b, runner_launch_valid[pipe], true);
    LEVEL(&t->b, runner_launch_queue[pipe], queue % TOTEM_QUEUES);
    LEVEL(&t->b, runner_launch_pointer[pipe], pointer);
    UNTIL(t->b.o.launch_done[pipe]);
    const launched a = {t->b.o.launch_code, t->b.o.launch_again};
    clock_edge(t);
    LEVEL(&t->b, runner_launch_valid[pipe], false);
    return a;
}

static void good(task_bench *t, unsigned queue, uint32_t pointer)
{
    const launched a = launch(t, queue, pointer);
    assert_int_equal(a.code, 0);
    assert_false(a.again);
}

// The next task of a queue starts; its entry.
static uint8_t taken(task_bench *t, unsigned queue, uint32_t pointer)
{
    UNTIL(t->b.o.run[queue]);
    const uint8_t entry = t->b.o.entry[queue];
    assert_int_equal((uint32_t)t->pointers[entry], pointer);
    t->b.i.runner_taken[queue / TOTEM_QUEUES] = true;
    t->b.i.runner_queue[queue / TOTEM_QUEUES] = queue % TOTEM_QUEUES;
    clock_edge(t);
    assert_false(t->b.o.run[queue]);
    return entry;
}

static void granted(task_bench *t, unsigned queue)
{
    t->b.i.runner_granted[queue / TOTEM_QUEUES] = true;
    t->b.i.runner_queue[queue / TOTEM_QUEUES]   = queue % TOTEM_QUEUES;
    clock_edge(t);
}

static void over_with(task_bench *t, unsigned queue, uint8_t entry, uint8_t error)
{
    LEVEL(&t->b, finish_over_valid, true);
    LEVEL(&t->b, finish_over_queue, (uint8_t)queue);
    LEVEL(&t->b, finish_over_entry, entry);
    LEVEL(&t->b, finish_over_error, error);
    LEVEL(&t->b, finish_over_addr, 0x1234567890);
}

// A task is over, and dealt with.
static void over(task_bench *t, unsigned queue, uint8_t entry)
{
    over_with(t, queue, entry, 0);
    UNTIL(t->b.o.over_ready);
    clock_edge(t);
    LEVEL(&t->b, finish_over_valid, false);
}

static void run(task_bench *t, unsigned queue, uint32_t pointer)
{
    const uint8_t entry = taken(t, queue, pointer);
    granted(t, queue);
    over(t, queue, entry);
}

static void all_free(task_bench *t)
{
    clocks(t, 20);
    assert_true(t->b.o.idle);
    assert_int_equal(t->b.s.free, ENTRIES);
    for (unsigned queue = 0; queue < QUEUES; queue++)
        assert_false(t->b.o.pending[queue] || t->b.o.written[queue] || t->b.o.owed[queue]);
    for (unsigned list = 0; list < LISTS; list++)
        assert_false(t->b.i.lists_filled[list]);
}

TASK_RULE(one_task)
{
    describe(t, (descriptor){.pointer = 0x100});
    good(t, 2, 0x100);
    assert_false(t->b.o.idle);
    run(t, 2, 0x100);
    assert_int_equal(t->reports[2], 0x100ull << 32 | 1);
    all_free(t);
}

// A launch for the head meets the start of the task that is next: that one has started.
TASK_RULE(the_head_meets_a_start)
{
    for (unsigned late = 0; late < 30; late++) {
        open_bench(t);
        describe(t, (descriptor){.pointer = 0x100});
        describe(t, (descriptor){.pointer = 0x300, .head = true});
        good(t, 0, 0x100);
        UNTIL(t->b.o.run[0]);
        LEVEL(&t->b, runner_launch_valid[0], true);
        LEVEL(&t->b, runner_launch_pointer[0], 0x300);
        UNTIL(t->load_clocks[1] == 1);
        for (unsigned n = 0; n < late && !t->b.o.launch_done[0]; n++)
            clock_edge(t);
        if (t->b.o.launch_done[0])
            return;                      // it comes first, whenever that task starts
        const bool runs = t->b.o.run[0]; // as runner sees it; its notice comes a clock later
        clock_edge(t);
        if (runs) {
            t->b.i.runner_taken[0] = true;
            t->b.i.runner_queue[0] = 0;
        }
        UNTIL(t->b.o.launch_done[0]);
        clock_edge(t);
        LEVEL(&t->b, runner_launch_valid[0], false);
        if (runs) {
            const uint8_t entry = t->b.o.entry[0];
            assert_int_equal((uint32_t)t->pointers[entry], 0x100);
            granted(t, 0);
            over(t, 0, entry);
        }
        run(t, 0, 0x300);
        if (!runs)
            run(t, 0, 0x100);
        all_free(t);
    }
}

TASK_RULE(levels_count_only_with_priority)
{
    for (unsigned with = 0; with < 2; with++) {
        open_bench(t);
        LEVEL(&t->b, settings_task_priority, with);
        describe(t, (descriptor){.pointer = 0x100, .group = 0x0f});
        describe(t, (descriptor){.pointer = 0x200, .group = 0x20});
        describe(t, (descriptor){.pointer = 0x300, .group = 0x30});
        good(t, 1, 0x100);
        good(t, 1, 0x200);
        good(t, 1, 0x300);
        run(t, 1, with ? 0x300 : 0x100);
        run(t, 1, 0x200);
        run(t, 1, with ? 0x100 : 0x300);
        all_free(t);
    }
}

// Loaded early, in its place: it can run in the clock after its parent is over, not before.
TASK_RULE(a_dependent_waits_for_its_parent)
{
    describe(t, (descriptor){.pointer = 0x100, .dependent = 0x200, .prefetch = true});
    describe(t, (descriptor){.pointer = 0x200});
    good(t, 3, 0x100);
    const uint8_t entry = taken(t, 3, 0x100);
    clocks(t, 60);
    assert_int_equal(t->loads, 2);
    granted(t, 3);
    clocks(t, 60);
    assert_true(t->b.o.written[3]);
    assert_false(t->b.o.run[3]);
    assert_false(t->b.o.pending[3]);
    over_with(t, 3, entry, 0);
    clock_edge(t);
    assert_true(t->b.o.run[3]);
    UNTIL(t->b.o.over_ready);
    clock_edge(t);
    LEVEL(&t->b, finish_over_valid, false);
    assert_int_equal(t->reports[3], 0x100ull << 32 | 1);
    run(t, 3, 0x200);
    assert_int_equal(t->loads, 2);
    all_free(t);
}

// The task before its parent is over, and has nothing to do with it.
TASK_RULE(a_dependent_waits_for_its_own_parent)
{
    describe(t, (descriptor){.pointer = 0x100});
    describe(t, (descriptor){.pointer = 0x200, .dependent = 0x300, .prefetch = true});
    describe(t, (descriptor){.pointer = 0x300});
    good(t, 0, 0x100);
    good(t, 0, 0x200);
    const uint8_t entry = taken(t, 0, 0x100);
    granted(t, 0);
    const uint8_t parent = taken(t, 0, 0x200);
    granted(t, 0);
    UNTIL(t->b.o.written[0]);
    over(t, 0, entry);
    clocks(t, 60);
    assert_false(t->b.o.run[0]);
    over(t, 0, parent);
    run(t, 0, 0x300);
    assert_int_equal(t->reports[0], 0x300ull << 32 | 3);
    all_free(t);
}

// Chains side by side: that of the oldest parent is in its place, whatever the numbers of the entries.
TASK_RULE(every_running_task_has_its_dependent_loaded_early)
{
    enum { CHAINS = ENTRIES - QUEUES < 5 ? 2 : 3, LENGTH = 5 };
    uint8_t entry[CHAINS];
    for (uint32_t n = 0; n < CHAINS * LENGTH; n++)
        describe(t, (descriptor){.pointer   = 0x100 + n,
                                 .dependent = n < CHAINS * (LENGTH - 1) ? 0x100 + CHAINS + n : 0,
                                 .prefetch  = true});
    for (uint32_t n = 0; n < CHAINS; n++)
        good(t, 0, 0x100 + n);
    for (uint32_t n = 0; n < CHAINS; n++) {
        entry[n] = taken(t, 0, 0x100 + n);
        granted(t, 0);
    }
    for (uint32_t n = 0; n < CHAINS * LENGTH; n++) {
        const bool more = n < CHAINS * (LENGTH - 1);
        clocks(t, 2 * CHAINS * LOAD_CLOCKS);
        assert_int_equal(t->loads, more && n + 2 * CHAINS < CHAINS * LENGTH ? n + 2 * CHAINS : CHAINS * LENGTH);
        over_with(t, 0, entry[n % CHAINS], 0);
        clock_edge(t);
        assert_int_equal(t->b.o.run[0], more);
        UNTIL(t->b.o.over_ready);
        clock_edge(t);
        LEVEL(&t->b, finish_over_valid, false);
        if (more) {
            entry[n % CHAINS] = taken(t, 0, 0x100 + CHAINS + n);
            granted(t, 0);
        }
    }
    all_free(t);
}

// A launch was there before the parent ended: it comes first, and the dependent is not lost.
TASK_RULE(a_launch_takes_the_place_of_an_early_dependent)
{
    describe(t, (descriptor){.pointer = 0x100, .dependent = 0x200, .prefetch = true});
    describe(t, (descriptor){.pointer = 0x200});
    describe(t, (descriptor){.pointer = 0x300});
    good(t, 0, 0x100);
    const uint8_t entry = taken(t, 0, 0x100);
    granted(t, 0);
    UNTIL(t->b.o.written[0]);
    good(t, 0, 0x300);
    const uint8_t other = taken(t, 0, 0x300);
    granted(t, 0);
    over(t, 0, entry);
    over(t, 0, other);
    run(t, 0, 0x200);
    assert_int_equal(t->reports[0], 0x200ull << 32 | 3);
    all_free(t);
}

TASK_RULE(a_task_that_names_itself_goes_round_unreported)
{
    describe(t, (descriptor){.pointer = 0x100, .dependent = 0x100, .prefetch = true});
    good(t, 0, 0x100);
    for (unsigned n = 0; n < 3; n++)
        run(t, 0, 0x100);
    assert_int_equal(t->reports[0], 0);
    assert_int_equal(t->loads, 1);
    assert_int_equal(t->b.s.free, ENTRIES - 1);
}

// Each round is loaded, early or not; the flag that was loaded with the last one ends it, or a refusal.
TASK_RULE(a_task_that_renews_itself_ends_when_its_flag_is_cleared)
{
    for (unsigned n = 0; n < 4; n++) {
        const bool early = n & 1, refused = n & 2;
        open_bench(t);
        describe(t, (descriptor){.pointer = 0x100, .dependent = 0x100, .prefetch = early, .renew = true});
        good(t, 0, 0x100);
        for (unsigned round = 1; round <= 3; round++) {
            assert_int_equal(t->loads, round);
            run(t, 0, 0x100);
            assert_int_equal(t->reports[0], 0);
        }
        t->known[0].dependent = 0;
        if (refused)
            t->known[0].error = TOTEM_ERROR_DESCRIPTOR_TMD_VERSION;
        const uint8_t entry = taken(t, 0, 0x100);
        granted(t, 0);
        clocks(t, 60);
        over_with(t, 0, entry, 0);
        if (refused) {
            UNTIL(t->b.o.fault_valid[0]);
            t->b.i.runner_fault_ready[0] = true;
        }
        over(t, 0, entry);
        if (!refused) {
            assert_int_equal(t->reports[0], 0);
            run(t, 0, 0x100);
        }
        assert_int_equal(t->reports[0], 0x100ull << 32 | 1);
        all_free(t);
    }
}

// Every queue has an entry that no other takes.
TASK_RULE(a_full_list)
{
    describe(t, (descriptor){.pointer = 0x100});
    for (unsigned n = 0; n < ENTRIES - QUEUES + 1; n++)
        good(t, 0, 0x100);
    assert_false(t->b.o.room[0]);
    const launched a = launch(t, 0, 0x100);
    assert_true(a.again);
    for (unsigned queue = 1; queue < QUEUES; queue++) {
        assert_true(t->b.o.room[queue]);
        good(t, queue, 0x100);
        assert_false(t->b.o.room[queue]);
    }
    run(t, 0, 0x100);
    assert_true(t->b.o.room[0]);
    for (unsigned n = 0; n < ENTRIES - QUEUES; n++)
        run(t, 0, 0x100);
    for (unsigned queue = 1; queue < QUEUES; queue++)
        run(t, queue, 0x100);
    all_free(t);
}

TASK_RULE(a_refused_launch_leaves_nothing)
{
    describe(t, (descriptor){.pointer = 0x100, .error = TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE});
    const launched a = launch(t, 0, 0x100);
    assert_int_equal(a.code, TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE);
    all_free(t);
}

// With or without an early load: the record, and the parent is reported.
TASK_RULE(a_bad_dependent)
{
    for (unsigned early = 0; early < 2; early++) {
        open_bench(t);
        describe(t, (descriptor){.pointer = 0x100, .dependent = 0x200, .prefetch = early});
        describe(t, (descriptor){.pointer = 0x200, .error = TOTEM_ERROR_DESCRIPTOR_TMD_VERSION});
        good(t, 0, 0x100);
        const uint8_t entry = taken(t, 0, 0x100);
        granted(t, 0);
        clocks(t, 60);
        over_with(t, 0, entry, 0);
        UNTIL(t->b.o.fault_valid[0]);
        assert_int_equal(t->b.o.fault_code, TOTEM_ERROR_DESCRIPTOR_TMD_VERSION);
        assert_int_equal(t->b.o.fault_addr, 0x20000);
        assert_int_equal(t->b.o.fault_word, 18);
        clocks(t, 5);
        t->b.i.runner_fault_ready[0] = true;
        UNTIL(t->b.o.over_ready);
        clock_edge(t);
        LEVEL(&t->b, finish_over_valid, false);
        assert_int_equal(t->reports[0], 0x100ull << 32 | 1);
        all_free(t);
    }
}

TASK_RULE(a_failed_release_has_a_record_and_the_dependent_starts)
{
    describe(t, (descriptor){.pointer = 0x100, .dependent = 0x200, .prefetch = true});
    describe(t, (descriptor){.pointer = 0x200});
    good(t, 0, 0x100);
    const uint8_t entry = taken(t, 0, 0x100);
    granted(t, 0);
    UNTIL(t->b.o.written[0]);
    over_with(t, 0, entry, 2);
    UNTIL(t->b.o.fault_valid[0]);
    assert_int_equal(t->b.o.fault_code, TOTEM_ERROR_MEMORY_WRITE_DECERR);
    assert_int_equal(t->b.o.fault_addr, 0x1234567890);
    t->b.i.runner_fault_ready[0] = true;
    UNTIL(t->b.o.over_ready);
    clock_edge(t);
    LEVEL(&t->b, finish_over_valid, false);
    run(t, 0, 0x200);
    all_free(t);
}

// A group larger than an engine: the task is given up, with what was loaded for it.
TASK_RULE(a_task_that_runner_refuses)
{
    for (unsigned wait = 0; wait < 60; wait += 15) {
        open_bench(t);
        describe(t, (descriptor){.pointer = 0x100, .dependent = 0x200, .prefetch = true});
        describe(t, (descriptor){.pointer = 0x200});
        good(t, 0, 0x100);
        taken(t, 0, 0x100);
        clocks(t, wait);
        t->b.i.runner_refused[0] = true;
        t->b.i.runner_queue[0]   = 0;
        clocks(t, 100);
        all_free(t);
    }
}

// ACTIVE of a queue becomes 0.
static void active(task_bench *t, unsigned queue, bool mapped)
{
    const unsigned pipe         = queue / TOTEM_QUEUES;
    t->b.i.hqd_load_valid[pipe] = true;
    t->b.i.hqd_load_queue[pipe] = queue % TOTEM_QUEUES;
    t->b.i.hqd_load_kind[pipe]  = 0;
    t->b.i.hqd_load_data[pipe]  = mapped;
    clock_edge(t);
}

static void unmap(task_bench *t, unsigned queue)
{
    active(t, queue, false);
}

TASK_RULE(a_queue_that_is_unmapped_is_emptied_when_it_has_left_the_pipe)
{
    describe(t, (descriptor){.pointer = 0x100, .dependent = 0x200, .prefetch = true});
    describe(t, (descriptor){.pointer = 0x200});
    good(t, 1, 0x100);
    good(t, 1, 0x200);
    good(t, 1, 0x200);
    taken(t, 1, 0x100);
    clocks(t, 60);
    LEVEL(&t->b, arbiter_selected_valid[0], true);
    LEVEL(&t->b, arbiter_selected[0], 1);
    unmap(t, 1);
    clocks(t, 100);
    assert_true(t->b.o.purging[1]);
    assert_int_not_equal(t->b.s.taken[1], 0);
    LEVEL(&t->b, arbiter_selected_valid[0], false);
    clock_edge(t);
    clock_edge(t);
    assert_false(t->b.o.pending[1]);
    assert_true(launch(t, 1, 0x200).again); // of the next mapping
    UNTIL(!t->b.o.purging[1]);
    all_free(t);
    good(t, 1, 0x200);
    run(t, 1, 0x200);
    all_free(t);
}

// Its waves end when the slot is mapped again: no dependent, no report, and nothing waits for it.
TASK_RULE(a_granted_task_outlives_its_mapping)
{
    describe(t, (descriptor){.pointer = 0x100, .dependent = 0x200});
    describe(t, (descriptor){.pointer = 0x200});
    good(t, 1, 0x100);
    const uint8_t entry = taken(t, 1, 0x100);
    assert_false(t->b.o.owed[1]);
    granted(t, 1);
    assert_true(t->b.o.owed[1]);
    unmap(t, 1);
    UNTIL(!t->b.o.purging[1]);
    assert_false(t->b.o.owed[1]);
    good(t, 1, 0x200);
    over_with(t, 1, entry, 1); // a release of it failed: a record, no halt
    UNTIL(t->b.o.fault_valid[0]);
    assert_true(t->b.o.fault_orphaned);
    t->b.i.runner_fault_ready[0] = true;
    UNTIL(t->b.o.over_ready);
    clock_edge(t);
    LEVEL(&t->b, finish_over_valid, false);
    assert_int_equal(t->reports[1], 0);
    assert_int_equal(t->loads, 2);
    run(t, 1, 0x200);
    assert_int_equal(t->reports[1], 0x200ull << 32 | 1);
    all_free(t);
}

// Of two tasks whose waves do not end, finish has one: the other is given up with its slot.
TASK_RULE(an_abandoned_task_is_never_over)
{
    describe(t, (descriptor){.pointer = 0x100});
    describe(t, (descriptor){.pointer = 0x200, .dependent = 0x300, .prefetch = true});
    describe(t, (descriptor){.pointer = 0x300});
    LEVEL(&t->b, epoch_mapped[1], true);
    good(t, 1, 0x100);
    good(t, 1, 0x200);
    const uint8_t entry = taken(t, 1, 0x100);
    granted(t, 1);
    taken(t, 1, 0x200);
    granted(t, 1);
    UNTIL(t->b.o.written[1]);
    LEVEL(&t->b, finish_ending[1], true);
    LEVEL(&t->b, finish_item[1], entry);
    t->b.i.slot_idle_drop_valid[0] = true;
    t->b.i.slot_idle_drop_queue[0] = 1;
    clocks(t, 30);
    assert_int_equal(t->b.s.taken[1], 1);
    assert_true(t->b.o.owed[1]);
    over(t, 1, entry);
    assert_int_equal(t->reports[1], 0x100ull << 32 | 1);
    all_free(t);
}

static void give_back(task_bench *t, unsigned queue, uint32_t pointer, bool resume)
{
    LEVEL(&t->b, spill_restore_valid, true);
    LEVEL(&t->b, spill_restore_queue, (uint8_t)queue);
    LEVEL(&t->b, spill_restore_pointer, pointer);
    LEVEL(&t->b, spill_restore_resume, resume);
    UNTIL(t->b.o.restore_ready);
    clock_edge(t);
    LEVEL(&t->b, spill_restore_valid, false);
}

static uint32_t take_out(task_bench *t, unsigned queue)
{
    LEVEL(&t->b, spill_unload_valid, true);
    LEVEL(&t->b, spill_unload_queue, (uint8_t)queue);
    UNTIL(t->b.o.unload_done);
    const uint32_t pointer = t->b.o.unload_last ? 0 : t->b.o.unload_pointer;
    LEVEL(&t->b, spill_unload_valid, false);
    clock_edge(t);
    return pointer;
}

// More tasks come back than there are entries; those that still wait are taken out in their order, too.
TASK_RULE(a_list_is_given_back_and_taken_out_in_its_order)
{
    const unsigned many = ENTRIES + 4 < 64 ? ENTRIES + 4 : 64;
    describe(t, (descriptor){.pointer = 0x100, .dependent = 0x900, .prefetch = true});
    for (unsigned n = 1; n < 4; n++)
        describe(t, (descriptor){.pointer = 0x100 + n, .head = n & 1});
    for (unsigned n = 0; n < many; n++)
        give_back(t, 1, 0x100 + n % 4, n == 0);
    assert_true(t->b.o.resume[1]); // the unfinished one comes first
    assert_false(t->b.o.room[1]);
    UNTIL(t->b.o.run[1]);
    assert_true(t->b.o.setup_resume);
    clocks(t, LONG);
    for (unsigned n = 0; n < many; n++)
        assert_int_equal(take_out(t, 1), 0x100 + n % 4);
    assert_int_equal(take_out(t, 1), 0);
    all_free(t);
    unmap(t, 1);
    UNTIL(!t->b.o.purging[1]);
    good(t, 1, 0x101);
    UNTIL(t->b.o.setup_valid);
    assert_false(t->b.o.setup_resume);
    run(t, 1, 0x101);
    all_free(t);
}

// A save before the unfinished task has run again says so once more.
// What a queue loses while the dependent of another one is loaded does not disturb the report of its parent.
TASK_RULE(a_list_is_taken_out_beside_a_task_that_is_over)
{
    describe(t, (descriptor){.pointer = 0x100, .dependent = 0x200});
    describe(t, (descriptor){.pointer = 0x200});
    describe(t, (descriptor){.pointer = 0x300});
    good(t, 2, 0x300);
    good(t, 3, 0x100);
    const uint8_t entry = taken(t, 3, 0x100);
    granted(t, 3);
    const unsigned before = t->loads;
    over_with(t, 3, entry, 0);
    UNTIL(t->loads != before);
    LEVEL(&t->b, spill_unload_valid, true);
    LEVEL(&t->b, spill_unload_queue, 2);
    UNTIL(t->b.o.over_ready);
    clock_edge(t);
    LEVEL(&t->b, finish_over_valid, false);
    assert_int_equal(t->reports[3], 0x100ull << 32 | 1);
    assert_int_equal(take_out(t, 2), 0x300);
    run(t, 3, 0x200);
    assert_int_equal(take_out(t, 2), 0);
    all_free(t);
}

// At the tail it is behind all that wait for entries, though its parent's entry is free.
TASK_RULE(a_dependent_joins_those_that_wait)
{
    const unsigned many = ENTRIES + 4 < 64 ? ENTRIES + 4 : 64;
    for (unsigned head = 0; head < 2; head++) {
        open_bench(t);
        describe(t, (descriptor){.pointer = 0x100, .dependent = 0x900, .prefetch = true});
        describe(t, (descriptor){.pointer = 0x101});
        describe(t, (descriptor){.pointer = 0x900, .head = head});
        for (unsigned n = 0; n < many; n++)
            give_back(t, 1, n ? 0x101 : 0x100, false);
        run(t, 1, 0x100);
        UNTIL(t->b.o.pending[1]);
        clocks(t, 60);
        for (unsigned n = 0; n < many; n++)
            assert_int_equal(take_out(t, 1), n == (head ? 0 : many - 1) ? 0x900 : 0x101);
        assert_int_equal(take_out(t, 1), 0);
        all_free(t);
    }
}

// A round that has its entry keeps it: those that wait get entries first, unless there are none.
TASK_RULE(a_round_that_stands_joins_those_that_wait)
{
    for (unsigned scarce = 0; scarce < 2; scarce++) {
        open_bench(t);
        describe(t, (descriptor){.pointer = 0x100, .dependent = 0x100});
        describe(t, (descriptor){.pointer = 0x101});
        describe(t, (descriptor){.pointer = 0x400});
        for (unsigned n = 0; scarce && n < ENTRIES - QUEUES + 1; n++)
            good(t, 0, 0x400);
        for (unsigned n = 0; n < 4; n++)
            give_back(t, 1, n ? 0x101 : 0x100, false);
        const uint8_t entry = taken(t, 1, 0x100);
        granted(t, 1);
        over(t, 1, entry);
        for (unsigned n = 0; scarce && n < ENTRIES - QUEUES + 1; n++)
            run(t, 0, 0x400);
        if (scarce)
            run(t, 1, 0x100);
        const unsigned loads = t->loads;
        for (unsigned n = 0; n < 3; n++)
            run(t, 1, 0x101);
        assert_true(scarce || t->loads == loads);
        assert_int_equal(taken(t, 1, 0x100), entry);
    }
}

// A round that is over while those that were given back are still being loaded waits for them.
TASK_RULE(a_round_waits_for_what_was_given_back)
{
    describe(t, (descriptor){.pointer = 0x100, .dependent = 0x100});
    describe(t, (descriptor){.pointer = 0x101});
    give_back(t, 1, 0x100, false);
    UNTIL(t->b.o.run[1]);
    const uint8_t entry = taken(t, 1, 0x100);
    granted(t, 1);
    for (unsigned n = 0; n < 3; n++)
        give_back(t, 1, 0x101, false);
    over(t, 1, entry);
    for (unsigned n = 0; n < 3; n++)
        run(t, 1, 0x101);
    assert_int_equal(taken(t, 1, 0x100), entry);
}

// Whatever its level: what is given back behind it is loaded when it is next.
TASK_RULE(the_unfinished_task_is_next_before_another_one_is_loaded)
{
    LEVEL(&t->b, settings_task_priority, true);
    describe(t, (descriptor){.pointer = 0x100});
    describe(t, (descriptor){.pointer = 0x200, .group = 0x30});
    give_back(t, 1, 0x100, true);
    give_back(t, 1, 0x200, false);
    run(t, 1, 0x100);
    run(t, 1, 0x200);
}

// Two descriptors are loaded at a time, and dealt with in order.
TASK_RULE(two_loads_at_a_time)
{
    describe(t, (descriptor){.pointer = 0x100});
    describe(t, (descriptor){.pointer = 0x200});
    give_back(t, 1, 0x100, false);
    give_back(t, 1, 0x200, false);
    give_back(t, 2, 0x200, false);
    UNTIL(t->load_clocks[0] && t->load_clocks[1]);
    t->load_clocks[0] = 2 * LOAD_CLOCKS; // the first one comes late
    UNTIL(!t->load_clocks[1]);
    clocks(t, 10);
    assert_int_equal(t->loads, 2);
    assert_false(t->b.i.lists_filled[4]);
    UNTIL(t->loads == 3);
    for (unsigned n = 1; n <= 2; n++)
        run(t, 1, n * 0x100);
    run(t, 2, 0x200);
    all_free(t);
}

#if TOTEM_PIPES == 2
// A launch that finds no entry is answered while one of the other pipe is loaded, and each has its own answer.
TASK_RULE(launches_of_two_pipes_at_a_time)
{
    describe(t, (descriptor){.pointer = 0x100});
    for (unsigned n = 0; n < ENTRIES - QUEUES; n++)
        good(t, 0, 0x100);
    good(t, TOTEM_QUEUES, 0x100);
    LEVEL(&t->b, runner_launch_valid[0], true);
    LEVEL(&t->b, runner_launch_pointer[0], 0x100);
    UNTIL(t->load_clocks[0] + t->load_clocks[1] != 0);
    assert_true(launch(t, TOTEM_QUEUES, 0x100).again);
    UNTIL(t->b.o.launch_done[0]);
    assert_false(t->b.o.launch_again);
}
#endif

// The unfinished task is the first: what is refused behind it leaves it unfinished.
TASK_RULE(a_refused_descriptor_behind_the_unfinished_task)
{
    describe(t, (descriptor){.pointer = 0x100});
    describe(t, (descriptor){.pointer = 0x200, .error = 7});
    give_back(t, 1, 0x100, true);
    give_back(t, 1, 0x200, false);
    UNTIL(t->b.o.fault_valid[0]);
    assert_int_equal(t->b.o.fault_addr, 0x20000);
    t->b.i.runner_fault_ready[0] = true;
    clock_edge(t);
    assert_true(t->b.o.resume[1]);
    run(t, 1, 0x100);
    assert_false(t->b.o.resume[1]);
    all_free(t);
}

static void map(task_bench *t, unsigned queue)
{
    active(t, queue, true);
}

// A call; its answer.
static unsigned call(task_bench *t, unsigned queue, uint32_t pointer)
{
    LEVEL(&t->b, submit_call_valid, true);
    LEVEL(&t->b, submit_call_queue, (uint8_t)queue);
    LEVEL(&t->b, submit_call_pointer, pointer);
    UNTIL(t->b.o.call_done);
    const unsigned a = t->b.o.call_answer;
    LEVEL(&t->b, submit_call_valid, false);
    clocks(t, 3);
    assert_false(t->b.o.call_done);
    return a;
}

// Answered while a descriptor is being loaded; the entries are set aside, those that no other queue takes stay.
TASK_RULE(calls_do_not_wait_for_memory)
{
    const unsigned many = ENTRIES - QUEUES + 1;

    describe(t, (descriptor){.pointer = 0x100});
    describe(t, (descriptor){.pointer = 0x200});
    assert_int_equal(call(t, 1, 0x100), CALL_UNMAPPED);
    map(t, 1);
    map(t, 2);
    assert_int_equal(call(t, 1, 0x200), CALL_TAKEN);
    for (unsigned n = 1; n < many; n++) {
        assert_int_equal(call(t, 1, 0x100), CALL_TAKEN);
        assert_false(t->b.o.idle);
    }
    assert_true(t->loads <= many / 2 + 1);
    assert_int_equal(call(t, 1, 0x100), CALL_FULL);
    assert_int_equal(call(t, 2, 0x200), CALL_TAKEN);
    assert_true(launch(t, 1, 0x100).again);
    run(t, 1, 0x200);
    for (unsigned n = 1; n < many; n++)
        run(t, 1, 0x100);
    run(t, 2, 0x200);
    all_free(t);
}

TASK_RULE(calls_end_with_their_mapping)
{
    describe(t, (descriptor){.pointer = 0x100});
    describe(t, (descriptor){.pointer = 0x200});
    for (unsigned saved = 0; saved < 2; saved++) {
        map(t, 1);
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(call(t, 1, n ? 0x200 : 0x100), CALL_TAKEN);
        if (saved) {
            for (unsigned n = 0; n < 4; n++)
                assert_int_equal(take_out(t, 1), n ? 0x200 : 0x100);
            assert_int_equal(take_out(t, 1), 0);
        }
        assert_int_equal(call(t, 1, 0x100), saved ? CALL_UNMAPPED : CALL_TAKEN);
        unmap(t, 1);
        UNTIL(!t->b.o.purging[1]);
        all_free(t);
        assert_int_equal(call(t, 1, 0x100), CALL_UNMAPPED);
    }
}

// A call for the head goes to the head, but not before the grid that is unfinished since the mapping.
TASK_RULE(a_call_for_the_head)
{
    for (unsigned resume = 0; resume < 2; resume++) {
        open_bench(t);
        describe(t, (descriptor){.pointer = 0x100});
        describe(t, (descriptor){.pointer = 0x200});
        describe(t, (descriptor){.pointer = 0x300, .head = true});
        give_back(t, 1, 0x100, resume);
        give_back(t, 1, 0x200, false);
        UNTIL(t->b.o.run[1]);
        map(t, 1);
        while (call(t, 1, 0x300) != CALL_TAKEN)
            ;
        clocks(t, 100);
        if (!resume)
            run(t, 1, 0x300);
        run(t, 1, 0x100);
        if (resume)
            run(t, 1, 0x300);
        run(t, 1, 0x200);
        all_free(t);
    }
}

// Children yield their entries to launches, calls and what was given back; each is loaded again when an entry is free,
// or behind its parent. Meanwhile there is room, as it can yield.
TASK_RULE(children_yield)
{
    for (unsigned n = 0; n < 6; n++) {
        const unsigned by = n / 2, left = ENTRIES - QUEUES + 1 - n % 2;
        open_bench(t);
        describe(t, (descriptor){.pointer = 0x100, .dependent = 0x200, .prefetch = true});
        describe(t, (descriptor){.pointer = 0x200});
        describe(t, (descriptor){.pointer = 0x300});
        map(t, 1);
        good(t, 1, 0x100);
        const uint8_t entry = taken(t, 1, 0x100);
        UNTIL(t->b.s.child[entry] == CHILD_HERE);
        granted(t, 1);
        for (unsigned n = 0; n < ENTRIES - QUEUES; n++)
            good(t, 0, 0x300);
        assert_int_equal(t->b.s.free, QUEUES - 2);
        assert_int_equal(t->loads, ENTRIES - QUEUES + 2);
        assert_true(t->b.o.written[1]);
        assert_true(t->b.o.room[0]);
        switch (by) {
        case 0: good(t, 0, 0x300); break;
        case 1:
            map(t, 0);
            assert_int_equal(call(t, 0, 0x300), CALL_TAKEN);
            break;
        default: give_back(t, 0, 0x300, false);
        }
        UNTIL(t->loads == ENTRIES - QUEUES + 3);
        assert_int_equal(t->b.s.child[entry], CHILD_WANTED);
        assert_false(t->b.o.room[0]);
        assert_false(t->b.o.written[1]);
        if (n % 2) {
            run(t, 0, 0x300);
            UNTIL(t->b.o.written[1]);
            assert_int_equal(t->loads, ENTRIES - QUEUES + 4);
        }
        over(t, 1, entry);
        run(t, 1, 0x200);
        assert_int_equal(t->loads, ENTRIES - QUEUES + 4);
        for (unsigned k = 0; k < left; k++)
            run(t, 0, 0x300);
        all_free(t);
    }
}

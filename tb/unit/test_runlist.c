// SPDX-License-Identifier: Apache-2.0
//
// totem_runlist: what docs/contract/runlist.md and docs/runlist.md promise, in the world of runlist_bench.h: 3 slots of
// one pipe and up to 12 queues, unless a test says otherwise.

#include "runlist_bench.h"

enum {
    THREE = 0xe,                         // mask of slots 1 to 3
    ONE   = 0x2,                         // of slot 1
    MOVE  = 2 * SLOTS + 300,             // clocks from a doorbell to the mapping, with an eviction
    ROUND = 3 * (QUANTUM + TURN + MOVE), // clocks in which each slot is taken over once, among equals
    SOME  = 5,                           // work that is done within a quantum
    EDGE  = SLOTS + 30                   // clocks from the end of a move to the end of its act
};

static void own(runlist_bench *t, uint64_t mask)
{
    assert_int_equal(with_data(t, RUN_MASK, 0, mask), RUN_GOOD);
}

static void add_all(runlist_bench *t, unsigned count, unsigned level)
{
    for (unsigned k = 0; k < count; k++) {
        t->queue[k].level = (uint8_t)level;
        assert_int_equal(add(t, k), RUN_GOOD);
    }
}

static void ring_all(runlist_bench *t, unsigned count, uint32_t work)
{
    for (unsigned k = 0; k < count; k++)
        ring(t, k, work);
}

static unsigned priority_of(const runlist_bench *t, unsigned k)
{
    return t->entries[4 * k] >> 54 & 15;
}

static unsigned reason_of(const runlist_bench *t, unsigned k)
{
    return t->entries[4 * k + 1] >> 6 & 7;
}

// Queue k is mapped, and its move has ended.
static bool mapped(const runlist_bench *t, unsigned k)
{
    return state_of(t, k) == RUN_MAPPED && t->b.s.phase == RUNLIST_REST;
}

static bool still_there(const runlist_bench *t, unsigned k)
{
    return slot_of(t, k) != NONE && t->slot[slot_of(t, k)].life == LIVES;
}

RUNLIST_RULE(more_queues_than_slots)
{
    own(t, THREE);
    add_all(t, 9, 3);
    ring_all(t, 9, 4 * QUANTUM);
    UNTIL(all_done(t, 9), 9 * 4 * ROUND);
    for (unsigned k = 0; k < 9; k++) {
        assert_in_range(t->queue[k].maps, 1, 8);
        assert_int_equal(t->queue[k].starved, 0); // none left without a turn
    }
    ring_all(t, 9, SOME);
    UNTIL(all_done(t, 9), 3 * ROUND);
}

// Wait and run of an entry against what the world shows: a wait lasts for some clocks more on each side.
RUNLIST_RULE(clocks_waited_and_run)
{
    own(t, ONE);
    add_all(t, 2, 3);
    ring_all(t, 2, LONG);
    uint32_t waited = 0, longest = 0, now = 0, ran = 0;
    while (t->queue[1].maps < 6 || !mapped(t, 1)) {
        LEVEL(&t->b, settings_quantum_unit0, t->queue[0].maps == 3 ? 20 * QUANTUM : QUANTUM);
        now = still_there(t, 1) ? 0 : now + 1;
        waited += now != 0;
        longest = now > longest ? now : longest;
        ran += t->chosen[0] == 1 && t->slot[1].queue == 0;
        run(t, 1);
    }
    const uint64_t *words = t->entries;
    assert_in_range(words[4 * 1 + 2] & 0xffffffff, waited - 6 * EDGE, waited + 6 * EDGE);
    assert_in_range(words[4 * 1 + 2] >> 32, longest - EDGE, longest + EDGE);
    assert_true(longest > waited / 6 + 2 * EDGE);
    assert_in_range(words[4 * 0 + 3], ran - t->queue[0].maps * EDGE, ran);
    for (unsigned k = 0; k < 2; k++) {
        command(t, RUN_REMOVE, k);
        UNTIL(!t->b.o.removing, MOVE);
        assert_true(words[4 * k + 2] != 0 && words[4 * k + 3] != 0);
        t->queue[k].announced = t->queue[k].rptr;
        assert_int_equal(add(t, k), RUN_GOOD);
        assert_true(words[4 * k + 2] == 0 && words[4 * k + 3] == 0);
    }
}

RUNLIST_RULE(each_is_mapped_within_a_bound)
{
    own(t, THREE);
    add_all(t, 9, 3);
    ring_all(t, 9, LONG);
    for (unsigned round = 0; round < 3; round++) {
        const uint64_t from = t->clock;
        run(t, 3 * ROUND);
        for (unsigned k = 0; k < 9; k++)
            assert_true(t->queue[k].mapped > from);
    }
}

// A queue whose save fails keeps its slot until it is removed; who has claimed the slot waits on, or is removed.
RUNLIST_RULE(a_failed_save_keeps_its_slot)
{
    for (unsigned takes_back = 0; takes_back < 2; takes_back++) {
        own(t, ONE);
        add_all(t, 3, 3);
        t->queue[0].spoils = true;
        ring(t, 0, LONG);
        UNTIL(mapped(t, 0), MOVE);
        ring(t, 1, SOME);
        ring(t, 2, SOME);
        UNTIL(t->slot[1].life == LEAVES, ROUND);
        if (takes_back)
            command(t, RUN_REMOVE, 1);
        run(t, 2 * ROUND);
        assert_true(state_of(t, 0) == RUN_MAPPED && t->b.s.place_phase[1] == PHASE_RUNNING && t->b.s.stuck[1]);
        assert_int_equal(state_of(t, 1), takes_back ? RUN_FREE : RUN_LISTED);
        assert_true(t->queue[1].maps == 0 && t->queue[2].maps == 0 && waits(t, 2));
        own(t, THREE); // the others go on
        UNTIL(done(t, 2) && (takes_back || done(t, 1)), ROUND);
        assert_int_equal(t->slot[1].life, EMPTY);
        command(t, RUN_REMOVE, 0);
        UNTIL(t->b.s.place_phase[1] == PHASE_EMPTY, EDGE);
        assert_true(state_of(t, 0) == RUN_FREE && !t->b.s.stuck[1]);
        own(t, ONE);
        ring(t, 2, SOME);
        UNTIL(done(t, 2), 2 * ROUND);
        command(t, RUN_REMOVE_ALL, 0);
        UNTIL(!t->b.o.removing, ROUND);
        memset(t->queue, 0, sizeof t->queue);
        for (unsigned k = 0; k <= QUEUES; k++)
            t->queue[k].producer = NONE;
    }
}

// What queue 0 has to say in each clock in which it leaves for queue 1, and queue 1 in each of its mapping.
RUNLIST_RULE(no_doorbell_is_lost_in_any_clock_of_a_move)
{
    static runlist_bench before;
    own(t, ONE);
    add_all(t, 2, 3);
    ring(t, 0, SOME);
    UNTIL(done(t, 0), MOVE);
    run(t, 20);
    before             = *t;
    bool     moved     = false;
    unsigned evictions = 0;
    for (unsigned clock = 0; !moved; clock++)
        for (unsigned k = 0; k < 2; k++) {
            *t = before;
            ring(t, 1, SOME);
            run(t, clock);
            moved = done(t, 1);
            evictions += slot_of(t, 0) == 1;
            ring(t, k, SOME);
            UNTIL(all_done(t, 2), 2 * MOVE);
            run(t, 50);
            assert_false(waits(t, 0) || waits(t, 1));
        }
    assert_true(evictions > 20);
}

// A removed entry is free when its move has ended, can be added again, and the other one has run.
RUNLIST_RULE(removal_in_each_clock_of_a_move)
{
    static runlist_bench before;
    own(t, ONE);
    add_all(t, 2, 3);
    ring(t, 0, SOME);
    UNTIL(done(t, 0), MOVE);
    run(t, 20);
    before     = *t;
    bool moved = false;
    for (unsigned clock = 0; !moved; clock++)
        for (unsigned k = 0; k < 2; k++) {
            *t = before;
            ring(t, 1, SOME);
            run(t, clock);
            moved = done(t, 1);
            assert_int_equal(command(t, RUN_REMOVE, k), RUN_GOOD);
            assert_int_equal(command(t, RUN_REMOVE, k), RUN_GOOD);
            UNTIL(!t->b.o.removing, MOVE);
            UNTIL(state_of(t, k) == RUN_FREE, 1);
            assert_int_equal(slot_of(t, k), NONE);
            if (k == 0)
                UNTIL(done(t, 1), MOVE);
            assert_int_equal(add(t, k), RUN_GOOD);
            ring(t, k, SOME);
            UNTIL(all_done(t, 2), 2 * MOVE);
        }
}

// In each clock of a mapping, and behind a removal that the queue does not follow.
RUNLIST_RULE(removal_with_a_reset)
{
    static runlist_bench before;
    own(t, ONE);
    add_all(t, 2, 3);
    t->queue[0].holds = true;
    before            = *t;
    bool moved        = false;
    for (unsigned clock = 0; !moved; clock++)
        for (unsigned again = 0; again < 2; again++) {
            *t = before;
            ring(t, 0, LONG);
            run(t, clock);
            moved = mapped(t, 0);
            if (again) {
                command(t, RUN_REMOVE, 0);
                run(t, 5 + clock);
            }
            LEVEL(&t->b, command_reset, true);
            command(t, again ? RUN_REMOVE_ALL : RUN_REMOVE, 0);
            UNTIL(!t->b.o.removing, MOVE);
            UNTIL(state_of(t, 0) == RUN_FREE, 1);
            assert_int_equal(t->resets, t->queue[0].maps);
            assert_int_equal(state_of(t, 1), again ? RUN_FREE : RUN_LISTED);
        }
    *t = before;
    ring(t, 0, LONG);
    UNTIL(mapped(t, 0), MOVE);
    ring(t, 1, SOME);
    UNTIL(t->slot[1].life == LEAVES, ROUND);
    LEVEL(&t->b, command_reset, true);
    command(t, RUN_REMOVE, 1); // it is in no slot yet
    run(t, MOVE);
    assert_true(t->b.o.removing);
    assert_int_equal(t->resets, 0);
    command(t, RUN_REMOVE, 0);
    UNTIL(!t->b.o.removing, MOVE);
    assert_int_equal(t->resets, 1);
    assert_int_equal(t->messages, 0);
}

RUNLIST_RULE(remove_all_and_add_the_same_again)
{
    own(t, THREE);
    add_all(t, 9, 3);
    for (unsigned round = 0; round < 3; round++) {
        ring_all(t, 9, 2 * QUANTUM);
        run(t, 100 + 61 * round);
        assert_int_equal(command(t, RUN_REMOVE_ALL, 0), RUN_GOOD);
        UNTIL(!t->b.o.removing, MOVE);
        for (unsigned k = 0; k < 9; k++) {
            assert_int_equal(state_of(t, k), RUN_FREE);
            assert_int_equal(slot_of(t, k), NONE);
            ring(t, k, 0);
            assert_true(t->refused);
        }
        add_all(t, 9, 3); // their work is found in memory
    }
    UNTIL(all_done(t, 9), 9 * 4 * ROUND);
}

RUNLIST_RULE(removal_of_a_process_and_of_all_but_static)
{
    own(t, THREE);
    for (unsigned k = 0; k < 6; k++) {
        LEVEL(&t->b, command_process, (uint16_t)(k % 3));
        LEVEL(&t->b, command_static, k < 3);
        add(t, k);
    }
    ring_all(t, 6, LONG);
    LEVEL(&t->b, command_process, 2);
    command(t, RUN_REMOVE_PROCESS, 0);
    UNTIL(!t->b.o.removing, MOVE);
    for (unsigned k = 0; k < 6; k++)
        assert_int_equal(state_of(t, k) == RUN_FREE, k % 3 == 2);
    command(t, RUN_REMOVE_DYNAMIC, 0);
    UNTIL(!t->b.o.removing, MOVE);
    for (unsigned k = 0; k < 6; k++)
        assert_int_equal(state_of(t, k) == RUN_FREE, k >= 2);
}

RUNLIST_RULE(answers_of_commands)
{
    own(t, THREE);
    assert_int_equal(with_data(t, RUN_PRIORITY, 0, 5), RUN_ENTRY);
    LEVEL(&t->b, command_static, true);
    assert_int_equal(add(t, 0), RUN_GOOD);
    assert_int_equal(add(t, 0), RUN_ENTRY);
    t->queue[1].unread = true;
    assert_int_equal(add(t, 1), RUN_MQD);
    assert_int_equal(state_of(t, 1), RUN_FREE);
    LEVEL(&t->b, command_mqd, 0);
    assert_int_equal(command(t, RUN_ADD, 2), RUN_MQD);
    t->queue[3].unread_pointer = true;
    assert_int_equal(add(t, 3), RUN_MQD);
    ring(t, 3, 0);
    assert_true(t->refused); // and its bell is not known
    assert_int_equal(command(t, RUN_REMOVE, 2), RUN_GOOD);
}

// An entry waits at once if its MQD or its write pointer says that there is something to do.
RUNLIST_RULE(work_that_was_there_before)
{
    for (unsigned k = 0; k < 6; k++)
        t->queue[k].rptr = t->queue[k].wptr = t->queue[k].announced = 1000 + k;
    t->queue[1].grid = t->queue[2].ib = true;
    t->queue[3].tasks                 = 64;
    t->queue[4].announced++;
    for (unsigned k = 0; k < 6; k++) {
        add(t, k);
        assert_int_equal(waits(t, k), k >= 1 && k <= 4);
    }
    own(t, THREE);
    UNTIL(!waits(t, 1) && !waits(t, 2) && !waits(t, 3) && !waits(t, 4), 4 * ROUND);
    run(t, ROUND);
    assert_true(all_done(t, 6) && !t->queue[1].grid && !t->queue[2].ib && t->queue[3].tasks == 0);
    assert_int_equal(t->queue[5].maps, 0);
}

// A queue leaves with tasks, which a save takes off the wires: it comes back.
RUNLIST_RULE(tasks_that_leave)
{
    own(t, ONE);
    t->queue[0].tasks    = 3;
    t->queue[0].producer = 1;
    t->queue[0].needs    = SOME;
    t->queue[1].level    = 9;
    add(t, 0);
    add(t, 1);
    UNTIL(mapped(t, 0), MOVE);
    ring(t, 1, SOME);
    UNTIL(done(t, 1), PARK + MOVE); // no better one takes the slot from a queue that has not run, unless it is parked
    assert_int_equal(t->queue[0].tasks, 3);
    UNTIL(t->queue[0].tasks == 0, MOVE);
}

// In each clock of RUN_ADD a doorbell is refused and found in memory, or stays pending.
RUNLIST_RULE(doorbell_while_its_entry_is_added)
{
    static runlist_bench before;
    own(t, THREE);
    before = *t;
    for (unsigned clock = 0; clock < 80; clock++) {
        *t = before;
        LEVEL(&t->b, command_mqd, (MQDS + 0x100000) / 8);
        LEVEL(&t->b, command_pointer, 0x800000 / 8);
        LEVEL(&t->b, command_op, RUN_ADD);
        LEVEL(&t->b, command_valid, true);
        run(t, clock);
        ring(t, 0, SOME);
        UNTIL(done(t, 0), MOVE);
    }
}

RUNLIST_RULE(a_higher_priority_evicts_at_once)
{
    own(t, THREE);
    LEVEL(&t->b, command_quantum, 127);
    add_all(t, 5, 3);
    with_data(t, RUN_PRIORITY, 1, 2);
    with_data(t, RUN_PRIORITY, 4, 9);
    ring_all(t, 4, LONG);
    UNTIL(mapped(t, 0) && mapped(t, 2) && mapped(t, 3), 3 * MOVE); // the lowest waits
    run(t, 100);
    assert_true(waits(t, 1));
    ring(t, 4, SOME);
    assert_true(UNTIL(done(t, 4), MOVE) < MOVE);
    assert_int_equal(reason_of(t, 4), PLACE_LOWER);
    with_data(t, RUN_PRIORITY, 1, 9); // one that waits acts at once too
    UNTIL(mapped(t, 1), MOVE);
    assert_int_equal(t->slot[slot_of(t, 1)].level, 9);
    assert_true(waits(t, 0));
    with_data(t, RUN_PRIORITY, 1, 1); // and one that is mapped: it is the lowest again
    UNTIL(mapped(t, 0), MOVE);
    assert_true(waits(t, 1) && priority_of(t, 1) == 1);
}

RUNLIST_RULE(priority_in_each_clock_of_a_mapping)
{
    static runlist_bench before;
    own(t, ONE);
    add_all(t, 1, 3);
    before     = *t;
    bool moved = false;
    for (unsigned clock = 0; !moved; clock++) {
        *t = before;
        ring(t, 0, LONG);
        run(t, clock);
        moved = mapped(t, 0);
        with_data(t, RUN_PRIORITY, 0, 7);
        UNTIL(mapped(t, 0), MOVE);
        assert_int_equal(t->slot[1].level, 7);
    }
}

// An equal one waits for the quantum, of clocks in which the queue was selected.
RUNLIST_RULE(equals_wait_for_the_quantum)
{
    own(t, 0x6);
    LEVEL(&t->b, command_quantum, 10);
    add_all(t, 3, 3);
    ring_all(t, 2, LONG);
    UNTIL(mapped(t, 0) && mapped(t, 1), 2 * MOVE);
    ring(t, 2, LONG);
    UNTIL(mapped(t, 2), 2 * (10 * QUANTUM + MOVE));
    assert_int_equal(reason_of(t, 2), PLACE_QUANTUM);
    const unsigned left = still_there(t, 0) ? 1 : 0;
    assert_in_range(t->queue[left].selected, 10 * QUANTUM, 10 * QUANTUM + MOVE);
}

// Behind a better queue of the driver nobody has a turn: none leaves for an equal one before it is parked.
RUNLIST_RULE(no_eviction_without_a_turn)
{
    t->slot[0] = (slot_model){.life = LIVES, .queue = DRIVERS, .wptr = 6 * MOVE, .level = 12};
    own(t, ONE);
    LEVEL(&t->b, settings_park, 0xffff);
    add_all(t, 2, 3);
    ring_all(t, 2, SOME);
    UNTIL(t->slot[0].rptr == t->slot[0].wptr, LONG);
    assert_int_equal(t->queue[0].maps + t->queue[1].maps, 1);
    UNTIL(all_done(t, 2), 2 * ROUND);
    LEVEL(&t->b, settings_park, 50);
    t->slot[0].wptr += 6 * MOVE;
    ring_all(t, 2, SOME);
    UNTIL(t->queue[0].maps >= 3 && t->queue[1].maps >= 3, 5 * MOVE);
    UNTIL(all_done(t, 2), LONG);
}

// Among equal priorities the longest wait counts, not the tenant.
RUNLIST_RULE(tenants_take_turns)
{
    own(t, ONE);
    for (unsigned k = 0; k < 4; k++) {
        LEVEL(&t->b, command_tenant, (uint8_t)(3 - k));
        add(t, k);
    }
    ring_all(t, 4, LONG);
    UNTIL(t->queue[3].maps == 3, 4 * ROUND);
    for (unsigned k = 0; k < 4; k++)
        assert_int_equal(t->queue[k].maps, 3);
}

// Two that have begun to wait shortly one behind the other, in the lists that a YIELD looks at first and last.
RUNLIST_RULE(the_longer_of_two_waits)
{
    own(t, ONE);
    LEVEL(&t->b, settings_yield, 1);
    LEVEL(&t->b, fence_spare[1], false);
    for (unsigned k = 0; k < 2; k++) {
        LEVEL(&t->b, command_tenant, k ? 3 : 0);
        t->queue[k].level = k ? 15 : 0;
        add(t, k);
    }
    ring_all(t, 2, SOME);
    UNTIL(waits(t, 0) && waits(t, 1) && t->b.s.phase == RUNLIST_REST && !t->b.s.missed, 2 * MOVE);
    for (unsigned k = 0; k < 2; k++)
        t->entries[4 * k + 1] = (t->entries[4 * k + 1] & 0xffffffff) | (uint64_t)(t->b.s.now - 500 + 9 * k) << 32;
    LEVEL(&t->b, fence_spare[1], true);
    UNTIL(t->b.o.moves == 1, MOVE);
    run(t, 3);
    assert_int_equal(state_of(t, 0), RUN_MOVING);
}

// A YIELD that finds no slot, since all have halted, does not keep a better queue from the slot that SPARE keeps.
RUNLIST_RULE(a_yield_in_vain_holds_nobody_up)
{
    own(t, THREE);
    add_all(t, 4, 9);
    with_data(t, RUN_PRIORITY, 3, 2);
    ring_all(t, 2, LONG);
    UNTIL(t->queue[0].maps + t->queue[1].maps == 2, 3 * MOVE);
    LEVEL(&t->b, settings_spare, 1);
    LEVEL(&t->b, settings_yield, 1);
    for (unsigned n = 1; n <= 3; n++)
        LEVEL(&t->b, packet_halted[n], slot_of(t, 0) == n || slot_of(t, 1) == n);
    ring(t, 3, SOME);
    run(t, MOVE);
    assert_int_equal(t->b.o.moves, 2);
    with_data(t, RUN_PRIORITY, 2, 15);
    ring(t, 2, SOME);
    UNTIL(t->queue[2].maps == 1, 2 * MOVE);
}

// Better queues that never end fill all slots; nothing but lulls brings the next YIELD.
RUNLIST_RULE(nobody_waits_for_ever)
{
    enum { LULL = 128 * QUANTUM };
    own(t, THREE);
    LEVEL(&t->b, settings_yield, 3);
    LEVEL(&t->b, command_quantum, 127);
    add_all(t, 5, 9);
    with_data(t, RUN_PRIORITY, 3, 2);
    with_data(t, RUN_PRIORITY, 4, 1);
    ring_all(t, 3, 100 * LULL);
    UNTIL(t->b.o.moves == 3, 4 * MOVE);
    ring(t, 3, SOME);
    run(t, 10);
    ring(t, 4, SOME);
    run(t, LULL);
    for (unsigned k = 3; k < 5; k++) {
        assert_int_equal(t->queue[k].maps, 0);
        UNTIL(t->queue[k].maps == 1, 3 * LULL);
    }
}

// One placement in YIELD takes the longest waiting one of any level.
RUNLIST_RULE(yield)
{
    own(t, THREE);
    add_all(t, 6, 9);
    with_data(t, RUN_PRIORITY, 4, 3);
    with_data(t, RUN_PRIORITY, 5, 2);
    ring_all(t, 6, LONG);
    run(t, 6 * ROUND);
    assert_int_equal(t->queue[4].maps + t->queue[5].maps, 0); // YIELD 0: strict
    LEVEL(&t->b, settings_yield, 4);
    const uint32_t moves = t->b.o.moves;
    UNTIL(t->queue[4].maps + t->queue[5].maps == 1, 4 * ROUND);
    assert_in_range(t->b.o.moves - moves, 1, 4);
    UNTIL(t->queue[4].maps + t->queue[5].maps == 2, 5 * ROUND);
    assert_in_range(t->b.o.moves - moves, 5, 8);
    assert_int_equal(t->queue[4].maps, 1);
}

// SPARE slots of a pipe stay empty, unless a priority above all comes; then room is made again.
RUNLIST_RULE(spare)
{
    own(t, THREE);
    LEVEL(&t->b, settings_spare, 1);
    LEVEL(&t->b, command_quantum, 127);
    add_all(t, 4, 3);
    with_data(t, RUN_PRIORITY, 3, 8);
    ring_all(t, 3, LONG);
    run(t, 2 * ROUND);
    unsigned taken = 0;
    for (unsigned n = 1; n <= 3; n++)
        taken += t->slot[n].life != EMPTY;
    assert_int_equal(taken, 2);
    ring(t, 3, LONG);
    UNTIL(mapped(t, 3), MOVE);
    assert_int_equal(reason_of(t, 3), PLACE_FREE);
    UNTIL(t->slot[1].life == EMPTY || t->slot[2].life == EMPTY || t->slot[3].life == EMPTY,
          2 * ROUND); // a pipe at a time
    run(t, ROUND);
    assert_true(still_there(t, 3));
}

// With no more slots than SPARE each queue has its quantum nevertheless.
RUNLIST_RULE(spare_of_all_slots)
{
    own(t, ONE);
    LEVEL(&t->b, settings_spare, 2);
    LEVEL(&t->b, command_quantum, 127);
    add_all(t, 2, 3);
    ring_all(t, 2, 9 * QUANTUM);
    UNTIL(all_done(t, 2), 10 * ROUND);
    assert_int_equal(t->queue[0].maps + t->queue[1].maps, 2);
}

// Queues that wait for work of another fill all slots, and leave for it, though it is the lowest.
static void waiters_and_a_producer(runlist_bench *t, unsigned waiters)
{
    own(t, THREE);
    add_all(t, waiters + 1, 9);
    with_data(t, RUN_PRIORITY, waiters, 0);
    for (unsigned k = 0; k < waiters; k++) {
        t->queue[k].producer = waiters;
        t->queue[k].needs    = SOME;
    }
    ring_all(t, waiters, SOME);
    UNTIL(t->b.o.moves == 3, 3 * MOVE); // all slots are taken
    ring(t, waiters, SOME);
    UNTIL(all_done(t, waiters + 1), 4 * waiters * (PARK + MOVE));
}

RUNLIST_RULE(parked_queues_leave_for_their_producer)
{
    waiters_and_a_producer(t, 3);
}

RUNLIST_RULE(so_do_more_parked_queues_than_slots)
{
    LEVEL(&t->b, settings_yield, 4); // else waiters follow waiters
    waiters_and_a_producer(t, 9);
}

// One whose packet polls in vain is parked, though it has the pipe.
RUNLIST_RULE(polls_in_vain_park)
{
    own(t, ONE);
    add_all(t, 2, 9);
    with_data(t, RUN_PRIORITY, 1, 0);
    t->queue[0].polls = true;
    ring(t, 0, SOME);
    UNTIL(t->queue[0].maps == 1, 3 * MOVE);
    ring(t, 1, SOME);
    UNTIL(done_of(t, 1) == SOME, PARK + 6 * MOVE);
}

// Those that wait for their turn among equals are not.
RUNLIST_RULE(turns_do_not_park)
{
    own(t, THREE);
    LEVEL(&t->b, settings_park, TURN); // two others are before it
    add_all(t, 4, 9);
    ring_all(t, 4, LONG);
    UNTIL(t->queue[3].maps == 1, 4 * MOVE + 8 * QUANTUM);
    assert_int_equal(t->entries[4 * 3 + 1] >> 6 & 7, PLACE_QUANTUM);
}

// A queue that does not leave is reset, and its slot goes to the one that has claimed it.
RUNLIST_RULE(a_queue_that_does_not_leave_is_reset)
{
    own(t, ONE);
    LEVEL(&t->b, settings_leave, 10);
    add_all(t, 2, 3);
    t->queue[0].holds = true;
    ring_all(t, 2, SOME);
    UNTIL(t->slot[1].life == LEAVES, ROUND);
    add(t, 2);
    run(t, 4000);
    assert_int_equal(t->resets, 0);
    UNTIL(done(t, 1), MOVE);
    assert_int_equal(t->resets, 1);
    assert_int_equal(t->messages, 1);
    told(t, TOTEM_ERROR_RUNLIST_LATE, 0);
    LEVEL(&t->b, settings_leave, 0); // never
    ring(t, 0, SOME);
    UNTIL(done(t, 0), MOVE);
    ring(t, 1, SOME);
    run(t, 3 * 4096);
    assert_int_equal(t->resets, 1);
    assert_int_equal(t->slot[1].life, LEAVES);
}

// A mapping that does not end is called off; its entry waits again.
RUNLIST_RULE(a_mapping_that_does_not_end_is_called_off)
{
    own(t, ONE);
    LEVEL(&t->b, settings_leave, 5000);
    add_all(t, 2, 3);
    t->queue[0].lingers = true;
    ring_all(t, 2, SOME);
    run(t, 5000);
    assert_int_equal(t->slot[1].life, LIVES);
    assert_int_equal(t->queue[1].maps, 0);
    UNTIL(done(t, 1), 3 * MOVE);
    t->queue[0].lingers = false;
    UNTIL(done(t, 0), MOVE);
    assert_int_equal(t->resets + t->messages, 0);
}

// An entry that cannot be mapped wants nothing until a doorbell comes; that one is not lost.
RUNLIST_RULE(a_mapping_that_fails)
{
    own(t, ONE);
    add_all(t, 2, 3);
    t->queue[0].broken = true;
    for (unsigned clock = 0; clock < 60; clock++) {
        ring(t, 0, 1);
        run(t, clock);
        t->queue[0].broken = false;
        ring(t, 0, 1);
        UNTIL(done(t, 0), MOVE);
        command(t, RUN_REMOVE, 0);
        UNTIL(!t->b.o.removing, MOVE);
        t->queue[0].broken = true;
        add(t, 0);
    }
    ring(t, 0, SOME);
    run(t, 2 * MOVE);
    t->no_maps = true;
    ring(t, 1, SOME);
    run(t, 2 * MOVE);
    for (unsigned k = 0; k < 2; k++)
        assert_true(state_of(t, k) == RUN_LISTED && !waits(t, k));
    t->no_maps = false;
    ring(t, 1, SOME);
    UNTIL(done(t, 1), MOVE);
}

// A queue that has refused a doorbell keeps its slot; so does one that has halted.
RUNLIST_RULE(who_is_not_evicted)
{
    own(t, 0x6);
    add_all(t, 4, 3);
    t->queue[0].deaf = true;
    ring_all(t, 2, SOME);
    UNTIL(mapped(t, 0) && mapped(t, 1), 2 * MOVE);
    LEVEL(&t->b, packet_halted[slot_of(t, 1)], true);
    LEVEL(&t->b, settings_spare, 1);
    ring_all(t, 4, SOME);
    run(t, 3 * ROUND);
    told(t, TOTEM_ERROR_HOST_DOORBELL_RANGE, 0);
    assert_true(still_there(t, 0) && still_there(t, 1));
    LEVEL(&t->b, settings_spare, 0);
    const unsigned left = slot_of(t, 1); // its mark stays until the next mapping
    command(t, RUN_REMOVE, 1);
    UNTIL(mapped(t, 2) || mapped(t, 3), ROUND);
    LEVEL(&t->b, packet_halted[left], false);
    UNTIL(done(t, 2) && done(t, 3), ROUND);
    assert_true(still_there(t, 0));
    command(t, RUN_REMOVE, 0);
    UNTIL(!t->b.o.removing, MOVE);
}

// A slot lacks epochs when it has been left: the entry that has claimed it stands before all others again.
RUNLIST_RULE(a_slot_without_epochs_is_not_filled)
{
    own(t, ONE);
    add_all(t, 3, 3);
    ring(t, 0, SOME);
    UNTIL(done(t, 0), MOVE);
    ring(t, 1, SOME);
    UNTIL(t->slot[1].life == LEAVES, MOVE);
    LEVEL(&t->b, fence_spare[1], false);
    ring(t, 2, SOME);
    run(t, MOVE);
    assert_true(waits(t, 1) && waits(t, 2) && t->slot[1].life == EMPTY);
    LEVEL(&t->b, fence_spare[1], true);
    UNTIL(done(t, 1), MOVE);
    assert_int_equal(t->queue[2].maps, 0);
    UNTIL(done(t, 2), MOVE);
}

// A slot that is taken out of the mask is left to its queue, and then to nobody.
RUNLIST_RULE(mask)
{
    own(t, 0x7); // never slot 0
    LEVEL(&t->b, command_quantum, 127);
    add_all(t, 4, 3);
    ring_all(t, 4, LONG);
    UNTIL(mapped(t, 0) && mapped(t, 1), 2 * MOVE);
    own(t, 0x8);
    run(t, 2 * ROUND);
    assert_true(still_there(t, 0) && still_there(t, 1));
    assert_int_equal(t->slot[0].life, EMPTY);
    assert_int_equal(t->slot[3].life, LIVES);
    with_data(t, RUN_PRIORITY, 3, 9);
    UNTIL(t->slot[3].life == LEAVES, MOVE);
    own(t, ONE);
    UNTIL(mapped(t, 3), 2 * MOVE);
    assert_int_equal(slot_of(t, 3), 1);
}

static unsigned draw(uint64_t *seed, unsigned below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*seed >> 33) % below);
}

// Anything in any order, queues and slots that misbehave; when they do not any more, all work is done.
RUNLIST_RULE(any_order)
{
    static runlist_bench before;
    before = *t;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint64_t random = seed;
        *t              = before;
        LEVEL(&t->b, settings_yield, (uint8_t)draw(&random, 5));
        LEVEL(&t->b, settings_spare, (uint8_t)draw(&random, 3));
        LEVEL(&t->b, settings_leave, 10);
        for (unsigned n = 0; n < 300; n++) {
            const unsigned k = draw(&random, 8);
            queue_model   *q = &t->queue[k];
            switch (draw(&random, 12)) {
            case 0: command(t, draw(&random, 8) ? RUN_REMOVE : RUN_REMOVE_ALL, k); break;
            case 1: LEVEL(&t->b, command_tenant, (uint8_t)draw(&random, 4)); break;
            case 2: with_data(t, RUN_PRIORITY, k, draw(&random, 3)); break;
            case 3: own(t, draw(&random, 16)); break;
            case 4: q->broken = draw(&random, 8) == 0; break;
            case 5: q->holds = draw(&random, 8) == 0; break;
            case 6: q->lingers = draw(&random, 16) == 0; break;
            case 7: LEVEL(&t->b, fence_spare[draw(&random, 4)], draw(&random, 2)); break;
            case 8:
            case 9: add(t, k); break;
            default: ring(t, k, draw(&random, 50)); break;
            }
            run(t, draw(&random, draw(&random, 8) ? 30 : 300));
        }
        for (unsigned n = 0; n < 4; n++)
            LEVEL(&t->b, fence_spare[n], true);
        for (unsigned k = 0; k < 8; k++)
            t->queue[k].holds = t->queue[k].broken = t->queue[k].lingers = false;
        own(t, THREE);
        LEVEL(&t->b, settings_spare, 0);
        LEVEL(&t->b, settings_yield, 4);
        UNTIL(!t->b.o.removing, 2 * 4096);
        for (unsigned k = 0; k < 8; k++) {
            add(t, k); // if it is not listed
            ring(t, k, 1);
            assert_false(t->refused);
        }
        UNTIL(all_done(t, 8), 40 * ROUND);
    }
}

#if TOTEM_PIPE_COUNT > 1
// Queues spread over the pipes. SPARE is of each pipe: the one that has room keeps its queues.
RUNLIST_RULE(pipes)
{
    own(t, THREE << TOTEM_QUEUES | THREE);
    LEVEL(&t->b, command_quantum, 127);
    add_all(t, 7, 3);
    ring_all(t, 2, LONG);
    UNTIL(mapped(t, 0) && mapped(t, 1), 2 * MOVE);
    assert_int_not_equal(slot_of(t, 0) / TOTEM_QUEUES, slot_of(t, 1) / TOTEM_QUEUES);
    ring_all(t, 6, LONG);
    UNTIL(t->b.o.moves == 6 && mapped(t, 5), 6 * MOVE);
    command(t, RUN_REMOVE, 0);
    UNTIL(!t->b.o.removing, MOVE);
    const unsigned roomy = slot_of(t, 1) / TOTEM_QUEUES == 0 ? 1 : 0;
    LEVEL(&t->b, settings_spare, 1);
    ring(t, 6, SOME);
    run(t, 3 * MOVE);
    unsigned there[2] = {0};
    for (unsigned k = 1; k < 6; k++)
        if (slot_of(t, k) != NONE)
            there[slot_of(t, k) / TOTEM_QUEUES]++;
    assert_int_equal(there[roomy], 2);
    assert_int_equal(there[!roomy], 2);
    for (unsigned k = 1; k < 6; k++)
        assert_int_equal(t->queue[k].maps, 1);
}
#endif

// SPDX-License-Identifier: Apache-2.0
//
// Dequeue request 2 on the whole model, played as a driver does: queues whose waves never end are reset, others go on;
// waves that do not hear a kill are given up after the time-out and end late. (docs/queue.md, Dequeue.)

#include <stdio.h>
#include <string.h>

#include "tests.h"

#include "rules_world.h"
#include "totem_hqd_values.h"

enum { MQD = 0x600000, OUT = WORLD_DATA, LAST_PIPE = WORLD_PIPES - 1, Q = 1, OTHER = 2 };
enum { ENDLESS = 1, DEAF, LONG };            // programs
enum { LATE = 9000, LONG_TIME = 12000 };     // clocks of DEAF and LONG
enum { EVERY = TOTEM_SE_COUNT > 1 ? 6 : 1 }; // clocks from row to row of a sweep: each of them where a machine is small
enum { TOP_RPTR = 93, END_RPTR = 96, END_SEQUENCE = 97, TOP_SEQUENCE = 107 };
enum { DEQUEUE_OK = 0, SLVERR = 2, REASON_BEHIND = 11, REASON_KILLING = 12 };

static uint32_t mqd(const world *w, uint32_t dword)
{
    return get(w, MQD + 4 * (uint64_t)dword);
}

static uint8_t request(world *w, int pipe, int queue, uint32_t type)
{
    return host_try(w, driver_window((uint32_t)pipe, (uint32_t)queue, WINDOW(CP_HQD_DEQUEUE_REQUEST)), type);
}

static void ask(world *w, int pipe, int queue, uint32_t type)
{
    assert_int_equal(request(w, pipe, queue, type), DEQUEUE_OK);
}

static uint32_t pending(world *w, int pipe, int queue)
{
    return window_get(w, pipe, queue, WINDOW(CP_HQD_DEQUEUE_REQUEST)) & 7;
}

static bool pairs_equal(const world *w)
{
    return mqd(w, TOP_RPTR) == mqd(w, END_RPTR) && mqd(w, TOP_SEQUENCE) == mqd(w, END_SEQUENCE);
}

static uint32_t eop(world *w, int pipe, int queue)
{
    return host_get(w, EVENTS(EOP_STATUS) + 4 * (uint32_t)(pipe / 4)) >> (8 * (pipe % 4) + queue) & 1;
}

// The request is done: ACTIVE and DEQUEUE_REQ read 0, its interrupt has come.
static void done(world *w, int pipe, int queue, uint32_t type)
{
    UNTIL(w, (window_get(w, pipe, queue, WINDOW(CP_HQD_ACTIVE)) & 1) == 0 && pending(w, pipe, queue) == 0);
    UNTIL(w, !front_out(w, pipe)->mqd.busy);
    steps(w, 20);
    assert_int_equal(eop(w, pipe, queue), 1);
    assert_int_equal(host_get(w, EVENTS(INT_CTXID) + 4 * (uint32_t)(8 * pipe + queue)), type);
    host_put(w, EVENTS(EOP_STATUS) + 4 * (uint32_t)(pipe / 4), 1u << (8 * (pipe % 4) + queue));
}

// Records with that code.
static unsigned recorded(const world *w, uint8_t code)
{
    session_error  list[256];
    const uint64_t count = session_errors(w->s, list, 256);
    unsigned       found = 0;
    for (uint64_t n = 0; n < count; n++)
        found += list[n].code == code;
    return found;
}

// `count` 0: memory answers everything.
static void open_faulty(world *w, memory_fault *fault, uint32_t count)
{
    world_open_with(w, 20, fault, count);
    program(w, ENDLESS, 1u << 30);
    program(w, DEAF, 1u << 31 | LATE);
    program(w, LONG, LONG_TIME);
    w->unfinished = true; // grids are dropped
}

static void open_kills(world *w)
{
    open_faulty(w, NULL, 0);
}

#define KILLS(name) RULE_IN(world, open_kills, world_close, w, name)

// A request that is done.
static void dequeue(world *w, int pipe, int queue, uint32_t type)
{
    ask(w, pipe, queue, type);
    done(w, pipe, queue, type);
}

static void map_mqd(world *w, int pipe, int queue)
{
    driver_queue q = world_queue(pipe, queue, 3);
    q.mqd          = MQD;
    map_queue(w, &q);
    on(w, pipe, queue);
}

// A queue with `groups` groups of one wave of that program and a fence behind them, not rung.
static void work(world *w, int pipe, int queue, uint32_t entry, uint32_t groups, uint64_t at, uint32_t value)
{
    on(w, pipe, queue);
    grid(w, entry, groups);
    fence(w, 1, 2, at, value, value);
}

static void run(world *w, int pipe, int queue, uint32_t entry, uint32_t groups, uint64_t at, uint32_t value)
{
    work(w, pipe, queue, entry, groups, at, value);
    doorbell(w, pipe, queue);
    UNTIL(w, waves(w, pipe, queue) >= groups);
    steps(w, 200); // launched
}

// The slot is as good as new.
static void works_again(world *w, int pipe)
{
    map(w, pipe, Q, 3);
    run(w, pipe, Q, 0, 0, OUT + 0x7f8, 7);
    UNTIL(w, get(w, OUT + 0x7f8) == 7);
}

// A queue whose waves never end is reset: its waves end, its fence is written. Queues of the same pipe, and the same
// slot of other pipes, are not touched.
KILLS(endless_waves_are_reset)
{
    for (int p = 0; p < WORLD_PIPES; p++) {
        map(w, p, Q, 3);
        run(w, p, Q, p == LAST_PIPE ? ENDLESS : LONG, 3, OUT + 64 * (uint64_t)p, 100 + (uint32_t)p);
    }
    map(w, LAST_PIPE, OTHER, 3);
    run(w, LAST_PIPE, OTHER, LONG, 2, OUT + 0x1000, 300);
    steps(w, 500);
    assert_int_equal(waves(w, LAST_PIPE, Q), 3);

    const uint64_t from = now(w);
    dequeue(w, LAST_PIPE, Q, 2);
    assert_true(now(w) - from < 1000);
    assert_int_equal(waves(w, LAST_PIPE, Q), 0);
    assert_int_equal(get(w, OUT + 64 * LAST_PIPE), 100 + LAST_PIPE); // its fence is written
    assert_int_equal(errors(w), 0);
    for (int p = 0; p < LAST_PIPE; p++) {
        assert_int_equal(waves(w, p, Q), 3);
        assert_int_equal(get(w, OUT + 64 * (uint64_t)p), 0);
    }
    assert_int_equal(waves(w, LAST_PIPE, OTHER), 2);
    assert_int_equal(get(w, OUT + 0x1000), 0);
    UNTIL(w, get(w, OUT + 0x1000) == 300);
    for (int p = 0; p < LAST_PIPE; p++)
        UNTIL(w, get(w, OUT + 64 * (uint64_t)p) == 100 + (uint32_t)p);
    assert_int_equal(host_get(w, MACHINE(ABANDONED) + 4 * LAST_PIPE), 0);

    works_again(w, LAST_PIPE);
}

// A grid larger than the machine, most of it granted but not launched yet, the rest at the engines: recalled, and
// dropped. The MQD says so. Groups that are granted are launched and end all the same.
KILLS(granted_groups_end_too)
{
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++)
        host_put(w, TOTEM_REG_ENGINE_BASE + TOTEM_REG_ENGINE_STRIDE * e + 4 * TOTEM_REG_ENGINE_RATE, 150);
    map_mqd(w, 0, Q);
    on(w, 0, Q);
    shape(w, 64 * 2, ENDLESS, 1, 0);
    const uint32_t start = position(w);
    dispatch(w, 1000, 1, 1);
    fence(w, 1, 0, OUT, 77, 0);
    doorbell(w, 0, Q);
    UNTIL(w, count_of(w, LAUNCH, 0, Q, 0) > 2);
    const unsigned before = count_of(w, LAUNCH, 0, Q, 0);
    assert_true(waves(w, 0, Q) > before); // some are granted only
    dequeue(w, 0, Q, 2);
    assert_true(count_of(w, LAUNCH, 0, Q, 0) > before);
    assert_int_equal(count_of(w, LAUNCH, 0, Q, 0), 2 * count_of(w, GRANT, 0, Q, 0));
    assert_int_equal(waves(w, 0, Q), 0);
    assert_int_equal(mqd(w, 130), 0);
    assert_int_equal(mqd(w, 132) >> 31, 0); // no unfinished grid
    assert_int_equal(mqd(w, 138), start);   // the read pointer on the DISPATCH
    assert_int_equal(mqd(w, 152) & 7, 0);
    assert_int_equal(mqd(w, 182), w->written[0][Q]);
    assert_int_equal(get(w, OUT), 0);
}

// A drain that never ends is replaced; other types are refused meanwhile. Type 3 is counted.
TEST(reset_replaces_a_drain)
{
    for (uint32_t type = 1; type <= 3; type += 2) {
        world w;
        open_kills(&w);
        map(&w, LAST_PIPE, Q, 3);
        run(&w, LAST_PIPE, Q, ENDLESS, 2, OUT, 5);
        ask(&w, LAST_PIPE, Q, type);
        steps(&w, 3000);
        assert_int_equal(pending(&w, LAST_PIPE, Q), type);
        assert_int_equal(request(&w, LAST_PIPE, Q, 1), SLVERR);
        assert_int_equal(request(&w, LAST_PIPE, Q, 4), SLVERR);
        assert_int_equal(waves(&w, LAST_PIPE, Q), 2);
        ask(&w, LAST_PIPE, Q, 2);
        dequeue(&w, LAST_PIPE, Q, 2); // once more changes nothing
        assert_int_equal(get(&w, OUT), 5);
        assert_int_equal(host_get(&w, MACHINE(DRAINS) + 4 * LAST_PIPE), type == 3);
        world_close(&w);
    }
}

// Waves that do not hear: after the time-out the slot is unmapped, with a record; its fences are given up and counted,
// its epochs reserved. A new mapping of the slot runs and has its fences while the old waves still run, and is not hurt
// by their late ends.
KILLS(deaf_waves_are_abandoned)
{
    enum { TIME = 600 };
    host_put(w, MACHINE(DEQUEUE_TIMEOUT), TIME);
    map(w, LAST_PIPE, Q, 3);
    run(w, LAST_PIPE, Q, DEAF, 3, OUT, 1);
    work(w, LAST_PIPE, Q, ENDLESS, 2, OUT + 8, 2); // a second fence behind, whose waves do hear
    grid(w, DEAF, 1);                              // and an epoch that no fence has closed
    doorbell(w, LAST_PIPE, Q);
    UNTIL(w, waves(w, LAST_PIPE, Q) == 6);
    steps(w, 200);
    const uint64_t started = now(w);
    ask(w, LAST_PIPE, Q, 2);
    steps(w, TIME / 2);
    assert_int_equal(reason(queue_state(w, LAST_PIPE, Q)), REASON_KILLING);
    assert_int_equal(waves(w, LAST_PIPE, Q), 4); // those that hear have ended
    done(w, LAST_PIPE, Q, 2);
    assert_in_range(now(w) - started, TIME, TIME + 500);
    assert_int_equal(errors(w), 1);
    const session_error e = last_error(w);
    assert_int_equal(e.code, TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT);
    assert_int_equal(e.queue, Q);
    assert_int_equal(e.word, 2u << 8 | 1u | 4u); // two fences, epochs 0 and 2
    assert_int_equal(host_get(w, MACHINE(ABANDONED) + 4 * LAST_PIPE), 2);
    assert_int_equal(get(w, OUT) | get(w, OUT + 8), 0);

    // Two epochs are reserved; the others do.
    map(w, LAST_PIPE, Q, 3);
    for (uint32_t n = 0; n < 5; n++) {
        work(w, LAST_PIPE, Q, 0, 2, OUT + 16 + 8 * n, 10 + n);
        if (n == 3)
            flush(w);
    }
    work(w, LAST_PIPE, Q, LONG, 1, OUT + 0x100, 99);
    doorbell(w, LAST_PIPE, Q);
    UNTIL(w, get(w, OUT + 16 + 8 * 4) == 14);
    for (uint32_t n = 0; n < 5; n++)
        assert_int_equal(get(w, OUT + 16 + 8 * n), 10 + n);
    UNTIL(w, waves(w, LAST_PIPE, Q) == 5);
    assert_int_equal(host_get(w, MACHINE(ABANDONED) + 4 * LAST_PIPE), 2);
    UNTIL(w, waves(w, LAST_PIPE, Q) == 1); // the late ones
    assert_int_equal(host_get(w, MACHINE(ABANDONED) + 4 * LAST_PIPE), 4u << 16 | 2);
    assert_int_equal(get(w, OUT + 0x100), 0);
    UNTIL(w, get(w, OUT + 0x100) == 99);
    assert_int_equal(get(w, OUT) | get(w, OUT + 8), 0); // nobody writes the abandoned fences
    assert_int_equal(errors(w), 1);
}

// What an earlier mapping left in a slot that is not active; an active slot's reset does not name it.
KILLS(inactive_slot_is_killed)
{
    map(w, 0, Q, 3);
    run(w, 0, Q, ENDLESS, 2, OUT, 1);
    dequeue(w, 0, Q, 4);
    assert_int_equal(waves(w, 0, Q), 2);
    assert_int_equal(request(w, 0, Q, 1), SLVERR); // the other types need a queue

    map(w, 0, Q, 3); // a later mapping, reset: the waves of the earlier one run on
    run(w, 0, Q, ENDLESS, 3, OUT + 8, 2);
    assert_int_equal(waves(w, 0, Q), 5);
    dequeue(w, 0, Q, 2);
    assert_int_equal(waves(w, 0, Q), 2);
    assert_int_equal(get(w, OUT), 0);
    assert_int_equal(get(w, OUT + 8), 2); // its fence waits for none of the earlier mapping

    ask(w, 0, Q, 2);
    assert_int_equal(host_try(w, driver_window(0, Q, WINDOW(CP_HQD_ACTIVE)), 1), SLVERR); // not now
    done(w, 0, Q, 2);
    assert_int_equal(waves(w, 0, Q), 0);
    assert_int_equal(get(w, OUT), 1);
    const uint64_t refused = errors(w);
    assert_int_equal(refused, 2);

    // Deaf ones: the time-out, then once more until the late ends have come.
    host_put(w, MACHINE(DEQUEUE_TIMEOUT), 300);
    map(w, 0, Q, 3);
    run(w, 0, Q, DEAF, 2, OUT + 16, 3);
    dequeue(w, 0, Q, 4);
    dequeue(w, 0, Q, 2);
    assert_int_equal(waves(w, 0, Q), 2);
    assert_int_equal(errors(w), refused + 1);
    assert_int_equal(last_error(w).code, TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT);
    assert_int_equal(host_get(w, MACHINE(ABANDONED)), 1);
    host_put(w, MACHINE(DEQUEUE_TIMEOUT), 0);
    dequeue(w, 0, Q, 2);
    assert_int_equal(waves(w, 0, Q), 0);
    assert_int_equal(errors(w), refused + 1);
    assert_int_equal(host_get(w, MACHINE(ABANDONED)), 2u << 16 | 1);
    assert_int_equal(get(w, OUT + 16), 0);

    dequeue(w, 0, Q, 2); // nothing there: done at once
}

// A queue is reset whatever it waits for, or stands at.
TEST(reset_whatever_it_waits_for)
{
    static const char *const rows[] = {"smart wait", "timer", "flush", "halted", "open buffer", "polling", "empty"};
    for (unsigned row = 0; row < 7; row++) {
        world w;
        open_kills(&w);
        w.row = rows[row];
        map_mqd(&w, 0, Q);
        on(&w, 0, Q);
        grid(&w, ENDLESS, 2);
        fence(&w, 1, 0, OUT, 5, 0);
        const uint32_t at = position(&w);
        switch (row) {
        case 0: PACKET(&w, WAIT_REG_MEM, 0xd3, OUT + 64, 0, 1, 0xffffffffu, 4); break;
        case 1: PACKET(&w, WAIT_TIMER, 1000000); break;
        case 2: flush(&w); break;
        case 3: raw(&w, WORDS(0x12345)); break; // type 0
        case 4: {
            const uint32_t ib[] = {NOP1, TYPE3(TOTEM_OP_WAIT_REG_MEM, 6), 0xd3, OUT + 64, 0, 1, 0xffffffffu, 4};
            for (unsigned n = 0; n < 8; n++)
                set(&w, WORLD_BUFFER + 4 * n, ib[n]);
            PACKET(&w, INDIRECT_BUFFER, WORLD_BUFFER, 0, 1u << 23 | 8);
            break;
        }
        case 5: wait_equal(&w, OUT + 64, 1); break;
        default: break;
        }
        doorbell(&w, 0, Q);
        UNTIL(&w, waves(&w, 0, Q) == 2);
        steps(&w, 1000);
        assert_int_equal(front_out(&w, 0)->execute.halted[Q], row == 3);
        dequeue(&w, 0, Q, 2);
        assert_int_equal(get(&w, OUT), 5);
        assert_int_equal(mqd(&w, 138), row == 4 ? at + 4 : at);
        assert_int_equal(mqd(&w, 149) >> 31, row == 4);
        if (row == 4)
            assert_int_equal(mqd(&w, 146), WORLD_BUFFER + 4); // the wait in the buffer
        assert_int_equal(errors(&w), row == 3);
        world_close(&w);
    }
}

// The fence write of a reset queue has no answer: memory's own time-out ends it, and nothing is given up.
TEST(fence_without_an_answer)
{
    memory_fault fault = {.address = OUT, .kind = MEMORY_WRITE_NOTHING};
    world        w;
    open_faulty(&w, &fault, 1);
    host_put(&w, MACHINE(MEMORY_TIMEOUT), 2000);
    host_put(&w, MACHINE(DEQUEUE_TIMEOUT), 500);
    map(&w, 0, Q, 3);
    run(&w, 0, Q, ENDLESS, 2, OUT, 5);
    const uint64_t from = now(&w);
    dequeue(&w, 0, Q, 2);
    assert_in_range(now(&w) - from, 2000, 4500);
    assert_int_equal(errors(&w), 1);
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT);
    assert_int_equal(host_get(&w, MACHINE(ABANDONED)), 0);
    works_again(&w, 0);
    world_close(&w);
}

static bool freed(world *w)
{
    const totem_hqd_out *h = &front_out(w, 0)->hqd;
    return h->load_valid && h->load_kind == LOAD_ACTIVE && h->load_queue == Q && h->load_data == 0;
}

// The pairs are equal in memory before the slot is free: when its waves have ended, and when they are given up and run
// on; also while those of an earlier mapping run.
TEST(records_become_equal)
{
    static const char *const rows[] = {"ended", "given up", "replaces a drain", "beside an earlier mapping"};
    for (unsigned row = 0; row < 4; row++) {
        world w;
        open_kills(&w);
        w.row = rows[row];
        host_put(&w, MACHINE(DEQUEUE_TIMEOUT), 500);
        if (row == 3) {
            map(&w, 0, Q, 3);
            run(&w, 0, Q, LONG, 2, OUT + 8, 4);
            dequeue(&w, 0, Q, 4);
        }
        map_mqd(&w, 0, Q);
        run(&w, 0, Q, row == 1 ? DEAF : ENDLESS, 3, OUT, 5);
        steps(&w, 500);
        if (row == 2) {
            ask(&w, 0, Q, 1);
            steps(&w, 500);
            assert_int_equal(mqd(&w, TOP_SEQUENCE), 1); // it has left
            assert_false(pairs_equal(&w));
        }
        ask(&w, 0, Q, 2);
        UNTIL(&w, freed(&w));
        assert_int_equal(mqd(&w, TOP_SEQUENCE), 1);
        assert_true(pairs_equal(&w));
        assert_int_equal(waves(&w, 0, Q), row == 1 ? 3 : row == 3 ? 2 : 0);
        done(&w, 0, Q, 2);
        assert_int_equal(get(&w, OUT), row == 1 ? 0 : 5);
        assert_int_equal(errors(&w), row == 1);
        world_close(&w);
    }
}

// Waves that do not hear and no fence behind them, while another queue of the pipe runs. The time-out is set in the
// kill and falls into the clocks in which the waves end: nothing is lost or counted twice.
TEST(timeout_set_in_a_kill)
{
    unsigned rows[2] = {0}; // ended by themselves, given up
    for (uint32_t offset = 0; offset < 24; offset += EVERY) {
        world w;
        open_kills(&w);
        program(&w, DEAF, 1u << 31 | 2000);
        map(&w, 0, OTHER, 3);
        map_on(&w, 0, Q, 4);
        grid(&w, DEAF, 3);
        doorbell(&w, 0, Q);
        UNTIL(&w, waves(&w, 0, Q) == 3);
        const uint64_t granted = now(&w);
        ask(&w, 0, Q, 2);
        on(&w, 0, OTHER);
        nops(&w, 60);
        doorbell(&w, 0, OTHER);
        UNTIL(&w, read_up(&w, OTHER) && now(&w) >= granted + 1990);
        host_put(&w, MACHINE(DEQUEUE_TIMEOUT), 1900 + 2 * TOTEM_QUEUES * offset);
        done(&w, 0, Q, 2);
        UNTIL(&w, waves(&w, 0, Q) == 0);
        const uint32_t counted = host_get(&w, MACHINE(ABANDONED));
        assert_int_equal(counted & 0xffff, 0); // there is no fence
        assert_true(counted >> 16 == 0 || errors(&w) == 1);
        rows[errors(&w) != 0]++;
        works_again(&w, 0);
        world_close(&w);
    }
    assert_true(rows[0] > 0 && rows[1] > 0);
}

// A mapping that still waits for its MQD, and a queue without a free epoch.
KILLS(reset_before_it_runs)
{
    driver_queue q = world_queue(0, Q, 3);
    q.mqd          = MQD;
    put_mqd(w, &q, 0);
    set(w, MQD + 4 * TOP_SEQUENCE, 3); // older work that never ends
    set(w, MQD + 4 * 150, 0x1234);     // not what the window has
    driver_map(host(w), now(w), &q);
    UNTIL(w, host_done(host(w)) && front_out(w, 0)->mqd.records_differ[Q]);
    dequeue(w, 0, Q, 2);
    assert_int_equal(mqd(w, END_SEQUENCE), 0);
    assert_int_equal(mqd(w, 150), 0x1234); // nothing is saved

    map_on(w, 0, OTHER, 3);
    shape(w, 64, ENDLESS, 1, 0);
    for (uint32_t n = 0; n < TOTEM_EPOCHS + 1; n++) {
        dispatch(w, 1, 1, 1);
        fence(w, 1, 0, OUT + 8 * n, 1, 0);
    }
    doorbell(w, 0, OTHER);
    UNTIL(w, front_out(w, 0)->execute.wait_epoch[OTHER] && !selected(w, 0, OTHER));
    dequeue(w, 0, OTHER, 2);
    for (uint32_t n = 0; n < TOTEM_EPOCHS - 1; n++)
        assert_int_equal(get(w, OUT + 8 * n), 1);
    assert_int_equal(get(w, OUT + 8 * (TOTEM_EPOCHS - 1)), 0); // it was not executed
    assert_int_equal(errors(w), 0);
}

// A queue that was taken away from deaf waves waits in another slot for its older work. The old slot is reset: at the
// time-out the pair that waited there is written, so the queue goes on; its old fence is given up.
KILLS(pair_of_an_inactive_slot_is_written)
{
    host_put(w, MACHINE(DEQUEUE_TIMEOUT), 300);
    map_mqd(w, 0, Q);
    run(w, 0, Q, DEAF, 2, OUT, 1);
    grid(w, DEAF, 1); // in the epoch that the pair closes
    doorbell(w, 0, Q);
    UNTIL(w, waves(w, 0, Q) == 3);
    steps(w, 200);
    dequeue(w, 0, Q, 4);
    assert_false(pairs_equal(w));
    account_move(session_account(w->s), 0, Q, 0, OTHER);
    set(w, MQD + 4 * 143, mqd(w, 143) | 1u << 30); // its doorbell
    host_put(w, driver_window(0, OTHER, WINDOW(CP_MQD_BASE_ADDR_HI)), 0);
    host_put(w, driver_window(0, OTHER, WINDOW(MAP)), MQD);
    steps(w, 1500);
    assert_int_equal(reason(queue_state(w, 0, OTHER)), REASON_BEHIND);

    ask(w, 0, Q, 2);
    UNTIL(w, pending(w, 0, Q) == 0);
    assert_true(pairs_equal(w)); // before the reset is done
    assert_int_equal(mqd(w, END_SEQUENCE), 1);
    assert_int_equal(waves(w, 0, Q), 3);
    done(w, 0, Q, 2);
    assert_int_equal(errors(w), 1);
    assert_int_equal(last_error(w).code, TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT);
    assert_int_equal(last_error(w).word, 1u << 8 | 3u); // a fence; the pair is none
    assert_int_equal(host_get(w, MACHINE(ABANDONED)), 1);
    UNTIL(w, front_out(w, 0)->arbiter.active[OTHER]);
    assert_int_equal(waves(w, 0, Q), 3);

    UNTIL(w, waves(w, 0, Q) == 0); // the late ones
    assert_int_equal(get(w, OUT), 0);
}

// Waves of earlier mappings that never end hold all epochs of a slot but two, and the present one has both. A reset
// kills its own waves alone and ends; its fence, and its end record if it has an MQD, are written then.
TEST(reset_without_a_free_epoch)
{
    for (unsigned row = 0; row < 2; row++) {
        world w;
        open_kills(&w);
        host_put(&w, MACHINE(DEQUEUE_TIMEOUT), 20000);
        for (unsigned n = 0; n < TOTEM_EPOCHS - 2; n++) {
            map(&w, 0, Q, 3);
            run(&w, 0, Q, ENDLESS, 1, OUT + 8 * (uint64_t)n, 1 + n);
            UNTIL(&w, front_out(&w, 0)->epoch.current[Q] == n + 1);
            dequeue(&w, 0, Q, 4);
        }
        if (row == 0)
            map_mqd(&w, 0, Q);
        else
            map(&w, 0, Q, 3);
        run(&w, 0, Q, ENDLESS, 1, OUT + 0x100, 50);
        UNTIL(&w, waves(&w, 0, Q) == TOTEM_EPOCHS - 1);
        UNTIL(&w, front_out(&w, 0)->epoch.current[Q] == TOTEM_EPOCHS - 1);
        steps(&w, 200);
        assert_false(front_out(&w, 0)->epoch.room[Q]);
        const uint64_t from = now(&w);
        dequeue(&w, 0, Q, 2);
        assert_true(now(&w) - from < 1500);
        assert_int_equal(waves(&w, 0, Q), TOTEM_EPOCHS - 2); // nobody has touched them
        assert_int_equal(get(&w, OUT + 0x100), 50);
        if (row == 0) {
            assert_int_equal(mqd(&w, TOP_SEQUENCE), 1);
            assert_true(pairs_equal(&w));
        }
        dequeue(&w, 0, Q, 2); // the earlier ones
        for (unsigned n = 0; n < TOTEM_EPOCHS - 2; n++)
            assert_int_equal(get(&w, OUT + 8 * (uint64_t)n), 1 + n);
        assert_int_equal(errors(&w), 0);
        assert_int_equal(host_get(&w, MACHINE(ABANDONED)), 0);
        world_close(&w);
    }
}

// A queue with a wave of that program, which never ends or does not hear a kill, in every epoch, and a fence behind
// each but the last.
static void fill_epochs(world *w, uint32_t entry)
{
    map_mqd(w, 0, Q);
    shape(w, 64, entry, 1, 0);
    for (uint32_t n = 0; n < TOTEM_EPOCHS; n++) {
        dispatch(w, 1, 1, 1);
        if (n < TOTEM_EPOCHS - 1)
            fence(w, 1, 0, OUT + 8 * n, 1, 0);
    }
    doorbell(w, 0, Q);
    UNTIL(w, waves(w, 0, Q) == TOTEM_EPOCHS);
    steps(w, 200);
    assert_false(front_out(w, 0)->epoch.room[Q]);
}

// ACTIVE is cleared while waves that never end have all epochs: the slot is free at once, and the end record waits with
// the fences. A reset ends the waves, and with them all that waits.
KILLS(reset_of_a_cleared_active)
{
    fill_epochs(w, ENDLESS);
    driver_unmap(host(w), now(w), 0, Q);
    steps(w, 1000);
    assert_int_equal(window_active(w, 0, Q), 0);
    assert_false(front_out(w, 0)->hqd.leaving[Q]);
    assert_int_equal(waves(w, 0, Q), TOTEM_EPOCHS);
    assert_false(pairs_equal(w));
    dequeue(w, 0, Q, 2);
    for (uint32_t n = 0; n < TOTEM_EPOCHS - 1; n++)
        assert_int_equal(get(w, OUT + 8 * n), 1);
    assert_int_equal(waves(w, 0, Q), 0);
    assert_true(pairs_equal(w));
    assert_int_equal(errors(w), 0);
}

// The waves do not hear the kill: all epochs of the slot stay reserved, none is free. The end record is written all the
// same, and the reset ends; nobody is mapped there before the late ends.
KILLS(reset_leaves_all_epochs_reserved)
{
    enum { LAG = 20000, FENCES = TOTEM_EPOCHS - 1 };
    program(w, DEAF, 1u << 31 | LAG);
    host_put(w, MACHINE(DEQUEUE_TIMEOUT), 500);
    fill_epochs(w, DEAF);
    dequeue(w, 0, Q, 4);
    const uint64_t from = now(w);
    dequeue(w, 0, Q, 2);
    assert_true(now(w) - from < 2500);
    assert_int_equal(waves(w, 0, Q), TOTEM_EPOCHS);
    assert_true(pairs_equal(w));
    assert_int_equal(errors(w), 1);
    assert_int_equal(last_error(w).code, TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT);
    assert_int_equal(last_error(w).word, FENCES << 8 | ((1 << TOTEM_EPOCHS) - 1));
    assert_int_equal(host_try(w, driver_window(0, Q, WINDOW(CP_HQD_ACTIVE)), 1), SLVERR);
    UNTIL(w, errors(w) == 2);
    assert_int_equal(last_error(w).code, TOTEM_ERROR_HOST_MAP_NO_EPOCH);
    UNTIL(w, waves(w, 0, Q) == 0);
    assert_int_equal(host_get(w, MACHINE(ABANDONED)), TOTEM_EPOCHS << 16 | FENCES);
    for (uint32_t n = 0; n < FENCES; n++)
        assert_int_equal(get(w, OUT + 8 * n), 0);
    works_again(w, 0);
}

// A drain that never ends is given up as amdgpu does: ACTIVE = 0, then DEQUEUE_REQUEST = 0. The slot is free at once,
// the waves run on, and a reset of the slot ends them.
TEST(driver_gives_a_drain_up)
{
    for (uint32_t type = 1; type <= 3; type += 2) {
        world w;
        open_kills(&w);
        map(&w, 0, Q, 3);
        run(&w, 0, Q, ENDLESS, 2, OUT, 5);
        ask(&w, 0, Q, type);
        steps(&w, 3000);
        assert_int_equal(pending(&w, 0, Q), type);
        window_put(&w, 0, Q, WINDOW(CP_HQD_ACTIVE), 0);
        window_put(&w, 0, Q, WINDOW(CP_HQD_DEQUEUE_REQUEST), 0);
        steps(&w, 200);
        assert_int_equal(window_active(&w, 0, Q), 0);
        assert_int_equal(pending(&w, 0, Q), 0);
        assert_int_equal(eop(&w, 0, Q), 0); // nobody has ended the request
        assert_int_equal(waves(&w, 0, Q), 2);
        window_put(&w, 0, Q, WINDOW(CP_HQD_PQ_DOORBELL_CONTROL), 0);
        dequeue(&w, 0, Q, 2);
        assert_int_equal(waves(&w, 0, Q), 0);
        assert_int_equal(get(&w, OUT), 5);
        assert_int_equal(errors(&w), 0);
        works_again(&w, 0);
        world_close(&w);
    }
}

// Memory never answers one access that a reset waits for, and has no time-out of its own: the reset ends, with a
// record, in whatever stage it is. Another pipe's work goes on, and the slot is good afterwards.
TEST(memory_never_answers)
{
    enum { FENCE, RECORD, SAVE, SAVE_OF_ANOTHER, PACKET, ROWS };
    static const char *const rows[ROWS]  = {"fence", "record", "save", "save for another request", "packet"};
    static const uint64_t    where[ROWS] = {OUT, MQD + 4 * 92, MQD + 4 * 130, MQD + 4 * 130, OUT + 0x800};
    for (unsigned row = 0; row < ROWS; row++) {
        const int    pipe  = row % 2 ? LAST_PIPE : 0; // the last one of its front end
        memory_fault fault = {.address = where[row],
                              .kind    = row == PACKET ? MEMORY_READ_NOTHING : MEMORY_WRITE_NOTHING};
        world        w;
        open_faulty(&w, &fault, 1);
        w.row = rows[row];
        set(&w, OUT + 0x800, 1);
        host_put(&w, MACHINE(MEMORY_TIMEOUT), 0);
        map_mqd(&w, pipe, Q);
        work(&w, pipe, Q, ENDLESS, 2, OUT, 5);
        if (row == PACKET)
            PACKET(&w, COND_EXEC, OUT + 0x800, 0, 0, 1);
        fence(&w, 1, 2, OUT + 8, 6, 6);
        doorbell(&w, pipe, Q);
        UNTIL(&w, waves(&w, pipe, Q) == 2);
        steps(&w, 300);
        if (row == SAVE_OF_ANOTHER) {
            ask(&w, pipe, Q, 4);
            steps(&w, 2000);
            assert_int_equal(pending(&w, pipe, Q), 4);
            assert_int_equal(front_out(&w, pipe)->hqd.request[Q], REQUEST_SAVE);
        }
        ask(&w, pipe, Q, 2);
        steps(&w, 15000); // no time-out at all: it waits
        assert_int_equal(pending(&w, pipe, Q), 2);
        assert_int_equal(errors(&w), 0);
        host_put(&w, MACHINE(DEQUEUE_TIMEOUT), 1000);
        done(&w, pipe, Q, 2);
        assert_int_equal(waves(&w, pipe, Q), 0);
        assert_false(front_out(&w, pipe)->kill.overdue);
        const uint64_t records = errors(&w);
        // Of the fence behind as well, which is given up; of the reader, which has no other ID.
        assert_int_equal(records, row == FENCE || row == PACKET ? 2 : 1);
        assert_int_equal(
            recorded(&w, row == PACKET ? TOTEM_ERROR_MEMORY_READ_TIMEOUT : TOTEM_ERROR_MEMORY_WRITE_TIMEOUT), 1);
        assert_int_equal(recorded(&w, TOTEM_ERROR_MEMORY_PATH_DEAD), row == PACKET);
        assert_int_equal(recorded(&w, TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT), row == FENCE);
        assert_int_equal(host_get(&w, MACHINE(ABANDONED) + 4 * (uint32_t)pipe), row == FENCE);
        if (row == FENCE)
            assert_true(pairs_equal(&w));

        map(&w, pipe, Q, 3);
        run(&w, pipe, Q, 0, 1, OUT + 16, 7);
        UNTIL(&w, get(&w, OUT + 16) == 7);
        assert_int_equal(errors(&w), records);
        world_close(&w);
    }
}

// A reset takes the place of a leave in each of its clocks: before the records are written, while they are, when the
// end record is on its way to become a fence; or it comes when the slot is saved, and waits until it is free.
TEST(reset_replaces_a_leave)
{
    for (uint32_t offset = 0; offset < 120; offset += EVERY) {
        world w;
        open_kills(&w);
        map_mqd(&w, 0, Q);
        run(&w, 0, Q, ENDLESS, 3, OUT, 5);
        const uint32_t at = driver_window(0, Q, WINDOW(CP_HQD_DEQUEUE_REQUEST));
        host_write(host(&w), now(&w), at, 4);
        const size_t second = host_write(host(&w), now(&w) + offset, at, 2);
        UNTIL(&w, host_done(host(&w)));
        UNTIL(&w, !(window_active(&w, 0, Q)));
        if (host(&w)->list[second].response != 0)
            ask(&w, 0, Q, 2);
        UNTIL(&w, pending(&w, 0, Q) == 0 && waves(&w, 0, Q) == 0);
        UNTIL(&w, get(&w, OUT) == 5 && pairs_equal(&w));
        world_close(&w);
    }
}

// Waves that do not hear are given up in time, once, however often another queue of the pipe leaves meanwhile.
KILLS(others_come_and_go)
{
    enum { TIME = 2000 };
    unsigned comings = 0, times = 0;
    host_put(w, MACHINE(DEQUEUE_TIMEOUT), TIME);
    map(w, LAST_PIPE, OTHER, 3);
    map_mqd(w, LAST_PIPE, Q);
    run(w, LAST_PIPE, Q, DEAF, 2, OUT, 1);
    ask(w, LAST_PIPE, Q, 2);
    UNTIL(w, front_out(w, LAST_PIPE)->hqd.killing[Q]);
    const uint64_t from = now(w);
    uint64_t       gone = 0, next = from;
    for (; front_out(w, LAST_PIPE)->hqd.resetting[Q]; step(w)) {
        assert_true(now(w) - from < 20000);
        if (front_out(w, LAST_PIPE)->epoch.abandoned[Q]) {
            gone = now(w);
            times++;
        }
        if (now(w) < next || !host_done(host(w)))
            continue;
        // ACTIVE is written as 0 and 1 in turn: the queue leaves every TIME / 2 clocks.
        host_write(host(w), now(w), driver_window(LAST_PIPE, OTHER, WINDOW(CP_HQD_ACTIVE)), comings++ % 2);
        next = now(w) + TIME / 4;
    }
    assert_int_equal(times, 1);
    assert_in_range(gone - from, TIME - 2 * TOTEM_QUEUES, TIME + 2 * TOTEM_QUEUES + 20);
    assert_true(comings > 4);
    done(w, LAST_PIPE, Q, 2);
    assert_int_equal(waves(w, LAST_PIPE, Q), 2); // still
    assert_int_equal(recorded(w, TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT), 1);
    assert_int_equal(host_get(w, MACHINE(ABANDONED) + 4 * LAST_PIPE), 1);
}

// DEQUEUE_TIMEOUT is cleared when a reset is overdue already: memory has its patience back, nothing is given up any
// more.
TEST(timeout_cleared_when_overdue)
{
    enum { SAVE, FENCE, ROWS };
    static const uint64_t where[ROWS] = {MQD + 4 * 130, OUT};
    for (unsigned row = 0; row < ROWS; row++) {
        memory_fault fault = {.address = where[row], .kind = MEMORY_WRITE_NOTHING};
        world        w;
        open_faulty(&w, &fault, 1);
        w.row = row ? "fence" : "save";
        host_put(&w, MACHINE(MEMORY_TIMEOUT), 0);
        host_put(&w, MACHINE(DEQUEUE_TIMEOUT), 500);
        map_mqd(&w, LAST_PIPE, Q);
        run(&w, LAST_PIPE, Q, ENDLESS, 2, OUT, 5);
        ask(&w, LAST_PIPE, Q, 2);
        UNTIL(&w, front_out(&w, LAST_PIPE)->kill.overdue);
        assert_int_equal(front_out(&w, LAST_PIPE)->kill.abandon[Q], row == FENCE);
        host_put(&w, MACHINE(DEQUEUE_TIMEOUT), 0);
        steps(&w, 15000);
        assert_int_equal(pending(&w, LAST_PIPE, Q), 2);
        assert_int_equal(errors(&w), 0);
        assert_false(front_out(&w, LAST_PIPE)->kill.overdue || front_out(&w, LAST_PIPE)->kill.abandon[Q]);
        host_put(&w, MACHINE(DEQUEUE_TIMEOUT), 500); // passed long ago
        steps(&w, 2 * TOTEM_QUEUES);
        assert_true(front_out(&w, LAST_PIPE)->kill.overdue);
        done(&w, LAST_PIPE, Q, 2);
        assert_in_range(errors(&w), 1, 2);
        world_close(&w);
    }
}

// Two queues of a pipe, and one of another, at once.
KILLS(several_at_once)
{
    static const int slots[3][2] = {{0, 0}, {0, 1}, {LAST_PIPE, 3}};
    for (int n = 0; n < 3; n++) {
        map(w, slots[n][0], slots[n][1], 3);
        run(w, slots[n][0], slots[n][1], ENDLESS, 2, OUT + 64 * (uint64_t)n, 1 + (uint32_t)n);
    }
    for (int n = 0; n < 3; n++)
        ask(w, slots[n][0], slots[n][1], 2);
    for (int n = 0; n < 3; n++) {
        done(w, slots[n][0], slots[n][1], 2);
        assert_int_equal(get(w, OUT + 64 * (uint64_t)n), 1 + n);
    }
    assert_int_equal(errors(w), 0);
}

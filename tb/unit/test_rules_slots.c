// SPDX-License-Identifier: Apache-2.0
//
// A slot that is mapped again while waves of its earlier mappings run, on the whole model (docs/queue.md, Fences by
// epoch): nothing of a mapping waits for an earlier one, and a mapping is refused unless two epochs are free.

#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { MQD = 0x600000, MQD_STRIDE = 0x800, OUT = WORLD_DATA, Q = 1, MAPPINGS = 4 };
enum { ENDLESS = 1, SHORT, LONG }; // programs
enum { LONG_TIME = 9000, SLVERR = 2 };
enum { DRAIN = 1, RESET = 2, LEAVE = 4 }; // dequeue requests
enum { TOP_RPTR = 93, END_RPTR = 96, END_SEQUENCE = 97, TOP_SEQUENCE = 107, TOP_PENDING = 1 << 13 };

static void open_slots(world *w)
{
    world_open(w);
    program(w, ENDLESS, 1u << 30);
    program(w, SHORT, 200);
    program(w, LONG, LONG_TIME);
    w->unfinished = true; // the streams of the slot come one after the other
}

#define SLOTS_RULE(name) RULE_IN(world, open_slots, world_close, w, name)

static uint64_t mqd_of(unsigned mapping)
{
    return MQD + (uint64_t)MQD_STRIDE * mapping;
}

// Words of a mapping: its fences and what it writes.
static uint64_t word_of(unsigned mapping, unsigned n)
{
    return OUT + 64 * (uint64_t)mapping + 8 * (uint64_t)n;
}

static uint32_t record(const world *w, unsigned mapping, uint32_t dword)
{
    return get(w, mqd_of(mapping) + 4 * (uint64_t)dword);
}

static bool pairs_equal(const world *w, unsigned mapping)
{
    return record(w, mapping, TOP_RPTR) == record(w, mapping, END_RPTR) &&
           record(w, mapping, TOP_SEQUENCE) == record(w, mapping, END_SEQUENCE);
}

static bool interrupted(world *w, uint32_t ctxid)
{
    const uint32_t status = EVENTS(EOP_STATUS);
    if ((host_get(w, status) >> Q & 1) == 0)
        return false;
    host_put(w, status, 1u << Q);
    return host_get(w, EVENTS(INT_CTXID) + 4 * Q) == ctxid;
}

static void map_with(world *w, unsigned mapping)
{
    driver_queue q = world_queue(0, Q, 3);
    q.mqd          = mqd_of(mapping);
    map_queue(w, &q);
    on(w, 0, Q);
}

static void dequeue(world *w, uint32_t type)
{
    window_put(w, 0, Q, WINDOW(CP_HQD_DEQUEUE_REQUEST), type);
    UNTIL(w, !window_active(w, 0, Q));
    UNTIL(w, !front_out(w, 0)->mqd.busy);
    UNTIL(w, interrupted(w, type));
}

// A mapping leaves a wave that never ends, if it is asked to with a fence behind it, and its end record.
static void leave_a_wave(world *w, unsigned mapping, bool with_fence)
{
    const unsigned before = waves(w, 0, Q);
    map_with(w, mapping);
    grid(w, ENDLESS, 1);
    if (with_fence)
        fence(w, 1, 2, word_of(mapping, 0), 1, 1);
    doorbell(w, 0, Q);
    UNTIL(w, waves(w, 0, Q) == before + 1 && read_up(w, Q));
    dequeue(w, LEAVE);
    assert_int_equal(record(w, mapping, TOP_SEQUENCE), 1);
    assert_false(pairs_equal(w, mapping));
}

// A mapping of the slot has its fences with their interrupts, its flush and its end record, and drains, while the waves
// of the earlier ones run; more than once round all epochs.
static void works(world *w, unsigned mapping)
{
    const unsigned old = waves(w, 0, Q);
    map_with(w, mapping);
    for (uint32_t n = 1; n <= 2 * TOTEM_EPOCHS; n++) {
        grid(w, SHORT, 2);
        fence(w, 1, 2, word_of(mapping, 0), n, n);
        if (n & 1)
            continue;
        grid(w, SHORT, 1);
        flush(w);
        write_word(w, word_of(mapping, 1), n);
        smart_wait_equal(w, word_of(mapping, 2), n); // gives the pipe up: records are written
        doorbell(w, 0, Q);
        UNTIL(w, get(w, word_of(mapping, 0)) == n);
        UNTIL(w, interrupted(w, n));
        UNTIL(w, get(w, word_of(mapping, 1)) == n);
        UNTIL(w, (queue_state(w, 0, Q) & TOP_PENDING) == 0 && record(w, mapping, TOP_SEQUENCE) != 0);
        UNTIL(w, pairs_equal(w, mapping));
        set(w, word_of(mapping, 2), n);
        UNTIL(w, read_up(w, Q));
        assert_int_equal(waves(w, 0, Q), old);
    }
    dequeue(w, DRAIN);
    assert_true(pairs_equal(w, mapping));
    assert_int_equal(waves(w, 0, Q), old);
}

SLOTS_RULE(mapping_after_endless_waves)
{
    leave_a_wave(w, 0, true);
    works(w, 1);
    works(w, 2);
    assert_int_equal(get(w, word_of(0, 0)), 0);
    assert_false(pairs_equal(w, 0));
    dequeue(w, RESET);
    assert_int_equal(waves(w, 0, Q), 0);
    assert_int_equal(get(w, word_of(0, 0)), 1);
    assert_true(pairs_equal(w, 0));
    assert_int_equal(errors(w), 0);
}

// Each of three mappings leaves waves; those of the second end, and its end record does not wait for the first one.
SLOTS_RULE(three_mappings)
{
    leave_a_wave(w, 0, false);
    map_with(w, 1);
    grid(w, LONG, 1);
    doorbell(w, 0, Q);
    UNTIL(w, waves(w, 0, Q) == 2 && read_up(w, Q));
    dequeue(w, LEAVE);
    assert_false(pairs_equal(w, 1));
    works(w, 2);
    assert_int_equal(waves(w, 0, Q), 2);
    UNTIL(w, waves(w, 0, Q) == 1);
    UNTIL(w, pairs_equal(w, 1));
    assert_false(pairs_equal(w, 0));
    leave_a_wave(w, 3, false);
    works(w, 2);
    dequeue(w, RESET);
    for (unsigned m = 0; m < MAPPINGS; m++)
        assert_true(pairs_equal(w, m));
    assert_int_equal(waves(w, 0, Q), 0);
    assert_int_equal(errors(w), 0);
}

// A queue without an MQD leaves waves in its current epoch and behind all its fences, so that so many epochs are free.
// With one a mapping is refused, over the window and from an MQD; when one more is free it is taken, and works.
TEST(mapping_needs_two_epochs)
{
    for (unsigned row = 0; row < 4; row++) {
        const bool     from_mqd = row & 1;
        const unsigned free     = 1 + row / 2;
        world          w;
        open_slots(&w);
        map_on(&w, 0, Q, 3);
        for (uint32_t n = 0; n < TOTEM_EPOCHS - free; n++) {
            grid(&w, n == 0 ? LONG : ENDLESS, 1);
            if (n + 1 < TOTEM_EPOCHS - free)
                fence(&w, 1, 0, word_of(0, n), 1, 0);
        }
        doorbell(&w, 0, Q);
        UNTIL(&w, waves(&w, 0, Q) == TOTEM_EPOCHS - free && read_up(&w, Q));
        dequeue(&w, LEAVE);
        if (from_mqd) {
            driver_queue q = world_queue(0, Q, 3);
            q.mqd          = mqd_of(1);
            put_mqd(&w, &q, 0);
            host_put(&w, driver_window(0, Q, WINDOW(CP_MQD_BASE_ADDR_HI)), 0);
        }
        const uint32_t to = driver_window(0, Q, from_mqd ? WINDOW(MAP) : WINDOW(CP_HQD_ACTIVE));
        const uint32_t by = from_mqd ? (uint32_t)mqd_of(1) : 1;
        if (!from_mqd) {
            host_put(&w, driver_window(0, Q, WINDOW(CP_HQD_PQ_RPTR)), 0);
            host_put(&w, driver_window(0, Q, WINDOW(CP_HQD_PQ_WPTR_LO)), 0);
        }
        if (free == 1) {
            assert_int_equal(host_try(&w, to, by), from_mqd ? 0 : SLVERR);
            expect_error(&w, 1, from_mqd ? TOTEM_ERROR_DESCRIPTOR_NO_EPOCH : TOTEM_ERROR_HOST_MAP_NO_EPOCH);
            UNTIL(&w, !front_out(&w, 0)->mqd.busy);
            assert_false(window_active(&w, 0, Q));
            assert_int_equal(waves(&w, 0, Q), TOTEM_EPOCHS - 1);
            UNTIL(&w, waves(&w, 0, Q) == TOTEM_EPOCHS - 2); // the first one ends
            UNTIL(&w, get(&w, word_of(0, 0)) == 1);
            steps(&w, 20);
        }
        assert_int_equal(host_try(&w, to, by), 0);
        UNTIL(&w, front_out(&w, 0)->arbiter.active[Q]);
        account_remap(session_account(w.s), 0, Q);
        w.written[0][Q] = 0;
        on(&w, 0, Q);
        for (uint32_t n = 1; n <= 3; n++) {
            grid(&w, SHORT, 1);
            fence(&w, 1, 0, word_of(1, 0), n, 0);
        }
        doorbell(&w, 0, Q);
        UNTIL(&w, get(&w, word_of(1, 0)) == 3);
        dequeue(&w, DRAIN);
        assert_int_equal(errors(&w), free == 1);
        dequeue(&w, RESET);
        assert_int_equal(waves(&w, 0, Q), 0);
        world_close(&w);
    }
}

// A fence of an earlier mapping is never answered: those of the next one come meanwhile, and after its time-out. It
// halts nobody, and what its own mapping closed behind it is not tried.
TEST(unanswered_fence_of_an_earlier_mapping)
{
    enum { TIME = 3000 };
    memory_fault fault = {.address = word_of(0, 0), .kind = MEMORY_WRITE_NOTHING};
    world        w;
    world_open_with(&w, 20, &fault, 1);
    program(&w, SHORT, 200);
    program(&w, LONG, LONG_TIME);
    host_put(&w, MACHINE(MEMORY_TIMEOUT), TIME);
    map_on(&w, 0, Q, 3);
    fence(&w, 1, 2, word_of(0, 0), 1, 1);
    fence(&w, 1, 2, word_of(0, 1), 2, 2);
    doorbell(&w, 0, Q);
    UNTIL(&w, front_out(&w, 0)->fence.write_pending[Q] && read_up(&w, Q));
    const uint64_t sent = now(&w);
    dequeue(&w, LEAVE);
    map_on(&w, 0, Q, 3);
    for (uint32_t n = 1; n <= TOTEM_EPOCHS; n++) {
        grid(&w, SHORT, 1);
        fence(&w, 1, 0, word_of(1, 0), n, n);
    }
    doorbell(&w, 0, Q);
    UNTIL(&w, get(&w, word_of(1, 0)) == TOTEM_EPOCHS);
    assert_in_range(now(&w) - sent, 0, TIME);
    assert_int_equal(errors(&w), 0);
    expect_error(&w, 2, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT);
    assert_int_equal(last_error(&w).address, word_of(0, 1));
    fence(&w, 1, 2, word_of(1, 0), 99, 99);
    doorbell(&w, 0, Q);
    UNTIL(&w, get(&w, word_of(1, 0)) == 99);
    UNTIL(&w, interrupted(&w, 99));
    assert_int_equal(get(&w, word_of(0, 0)) | get(&w, word_of(0, 1)), 0);
    dequeue(&w, DRAIN);
    assert_int_equal(errors(&w), 2);
    world_close(&w);
}

// SPDX-License-Identifier: Apache-2.0
//
// MQD_SAVE on the whole model: the sources' switch, by which a queue's state goes through its MQD in memory at every
// switch. Nothing is lost or doubled, whatever the host and the memory do meanwhile: the account of the harness follows
// every wave.

#include <stdio.h>
#include <string.h>

#include "tests.h"

#include "rules_world.h"
#include "totem_hqd_values.h"

enum { MQDS = 0x600008, MQD_STRIDE = 0x1000, OUT = WORLD_DATA, UNIT = 600 };
enum { WIDTH = 9, HEIGHT = 4 + 4 * TOTEM_SE_COUNT, GROUPS = WIDTH * HEIGHT };
enum { SAVING = 5, LOADING = 6, DERIVING = 7, MQD_SAVE = 4, RESUME = 1, SKIP = 2 };

// The ends of the jobs of a switch, as they go over the load bus of pipe 0.
typedef struct {
    world    w;
    unsigned saves[TOTEM_QUEUES], loads[TOTEM_QUEUES], failures;
    uint64_t last; // clock of the last one
} save_world;

static bool look(save_world *t)
{
    const totem_hqd_out *h = &front_out(&t->w, 0)->hqd;
    if (h->load_valid && h->load_kind == LOAD_MOVED && now(&t->w) != t->last) {
        t->last = now(&t->w);
        t->failures += (h->load_data & 8) != 0;
        t->loads[h->load_queue] += (h->load_data & 1) != 0;
        t->saves[h->load_queue] += (h->load_data & 1) == 0;
    }
    return false;
}

#define WATCH(t, condition) UNTIL(&(t)->w, look(t) || (condition))

static void watch(save_world *t, unsigned clocks)
{
    while (clocks--) {
        look(t);
        step(&t->w);
    }
}

static uint64_t mqd_address(int queue)
{
    return MQDS + (uint64_t)MQD_STRIDE * (uint64_t)queue;
}

static uint32_t mqd(const save_world *t, int queue, uint32_t dword)
{
    return get(&t->w, mqd_address(queue) + 4 * (uint64_t)dword);
}

static unsigned job(const save_world *t, int queue)
{
    return front_out(&t->w, 0)->hqd.request[queue];
}

static void open_world(save_world *t, memory_fault *fault)
{
    memset(t, 0, sizeof *t);
    world_open_with(&t->w, 20, fault, fault ? 1 : 0);
    program(&t->w, 1, 60);
    host_put(&t->w, MACHINE(QUANTUM_UNIT0), UNIT);
    host_put(&t->w, MACHINE(QUEUE_OPTIONS), MQD_SAVE);
}

static void open_saves(save_world *t)
{
    open_world(t, NULL);
}

static void close_saves(save_world *t)
{
    world_close(&t->w);
}

#define SAVES(name) RULE_IN(save_world, open_saves, close_saves, t, name)

static void map_saved(save_world *t, int queue, uint32_t priority, uint64_t address)
{
    driver_queue q = world_queue(0, queue, priority);
    q.quantum      = 1u << 8 | 1; // one unit
    q.mqd          = address;
    map_queue(&t->w, &q);
}

// A grid of work-groups so large that few run at a time, a fence behind it.
static void grid_and_fence(save_world *t, int queue, uint32_t value, bool inside)
{
    world *w = &t->w;
    on(w, 0, queue);
    shape(w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
    if (inside) {
        const uint64_t buffer = WORLD_BUFFER + 0x1000 * (uint64_t)queue;
        const uint32_t ib[]   = {TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4), WIDTH, HEIGHT, 1, AT_ZERO, NOP1};
        for (unsigned n = 0; n < 6; n++)
            set(w, buffer + 4 * n, ib[n]);
        PACKET(w, INDIRECT_BUFFER, (uint32_t)buffer, 0, 1u << 23 | 6);
    } else {
        dispatch(w, WIDTH, HEIGHT, 1);
    }
    fence(w, 1, 0, OUT + 8 * (uint64_t)queue, value, 0);
    doorbell(w, 0, queue);
}

static bool fenced(const save_world *t, int queue, uint32_t value)
{
    return get(&t->w, OUT + 8 * (uint64_t)queue) == value;
}

// Two equal queues with such grids.
static void two_queues(save_world *t, bool inside)
{
    for (int q = 0; q < 2; q++)
        map_saved(t, q, 7, mqd_address(q));
    for (int q = 0; q < 2; q++)
        grid_and_fence(t, q, 70 + (uint32_t)q, inside);
}

static void both_end(save_world *t)
{
    WATCH(t, fenced(t, 0, 70) && fenced(t, 1, 71));
    for (int q = 0; q < 2; q++)
        assert_int_equal(count_of(&t->w, GRANT, 0, q, 0), GROUPS);
}

// Nothing is fetched for a queue that is not running.
SAVES(only_the_running_queue_fetches)
{
    const uint64_t         ring = world_queue(0, 1, 0).ring;
    const totem_front_out *p;
    map_saved(t, 0, 9, mqd_address(0));
    map_saved(t, 1, 1, mqd_address(1));
    p = front_out(&t->w, 0);
    grid_and_fence(t, 0, 70, false);
    UNTIL(&t->w, count_of(&t->w, GRANT, 0, 0, 0) > 0);
    give_write(&t->w, 0, 1, OUT + 0x100, 5);
    while (!selected(&t->w, 0, 1)) {
        assert_false(p->fetch.read_valid && p->fetch.read_addr - ring < WORLD_STRIDE);
        step(&t->w);
        assert_true(now(&t->w) < WORLD_LIMIT);
    }
    assert_true(fenced(t, 0, 70));
    UNTIL(&t->w, get(&t->w, OUT + 0x100) == 5);
}

TEST(turns_through_memory)
{
    for (int inside = 0; inside < 2; inside++) {
        save_world t;
        open_world(&t, NULL);
        two_queues(&t, inside != 0);
        both_end(&t);
        // Turns of one unit; the first selection of a queue has nothing to load.
        assert_true(t.saves[0] >= 2 && t.saves[1] >= 2);
        for (int q = 0; q < 2; q++)
            assert_int_equal(t.loads[q], count_of(&t.w, GO, 0, q, 0) - 1);
        assert_true(count_of(&t.w, RESUMED, 0, 0, 0) >= 2);
        assert_int_equal(t.failures + errors(&t.w), 0);
        world_close(&t.w);
    }
}

// The lowest group that is not granted, counted along x, then y; then which of the seven behind it are.
static uint32_t lowest_ungranted(const save_world *t, int queue, uint32_t *mask)
{
    bool granted[GROUPS + 8] = {false};
    for (unsigned n = 0; n < t->w.count; n++) {
        const event *e = &t->w.events[n];
        if (e->kind == GRANT && e->pipe == 0 && e->queue == queue)
            granted[(e->value >> 32 & 0xffff) * WIDTH + (e->value & 0xffffffff)] = true;
    }
    uint32_t low = 0;
    while (granted[low])
        low++;
    *mask = 0;
    for (uint32_t n = 0; n < 7; n++)
        *mask |= (uint32_t)granted[low + 1 + n] << n;
    return low;
}

TEST(image_in_memory)
{
    for (int inside = 0; inside < 2; inside++) {
        save_world t;
        uint32_t   mask;
        open_world(&t, NULL);
        two_queues(&t, inside != 0);
        WATCH(&t, job(&t, 0) == SAVING);
        assert_int_equal(reason(queue_state(&t.w, 0, 0)), 13);
        const uint32_t low = lowest_ungranted(&t, 0, &mask);
        assert_in_range(low, 1, GROUPS - 1);
        WATCH(&t, job(&t, 0) == 0);
        assert_true(front_out(&t.w, 0)->arbiter.active[0]);
        watch(&t, 1);
        assert_false(front_out(&t.w, 0)->fetch.line[0]);
        assert_int_equal(mqd(&t, 0, 2), WIDTH);
        assert_int_equal(mqd(&t, 0, 3), HEIGHT);
        assert_int_equal(mqd(&t, 0, 8), 64 * TOTEM_SLOTS / 4);
        assert_int_equal(mqd(&t, 0, 28), low % WIDTH);
        assert_int_equal(mqd(&t, 0, 29), low / WIDTH);
        assert_int_equal(mqd(&t, 0, 35), mask);
        assert_int_equal(mqd(&t, 0, 128), mqd_address(0));
        assert_int_equal(mqd(&t, 0, 130), 0);
        assert_int_equal(mqd(&t, 0, 132), 0x8be05301);
        assert_int_equal(mqd(&t, 0, 138), rptr(&t.w, 0, 0));
        assert_int_equal(mqd(&t, 0, 149), inside ? 0x80b00000u | 6 : 0x00b00000u);
        assert_int_equal(mqd(&t, 0, 182), t.w.written[0][0]);
        both_end(&t);
        world_close(&t.w);
    }
}

// Records at top and end of pipe beside the switch: every switch-out counts, no save writes their dwords, and a queue
// is loaded though work of it still runs, which a mapping would wait for.
SAVES(records_beside_the_switch)
{
    enum { FIRST = 84, LAST = 127, LONG = 8000 };
    static const uint8_t own[]  = {92, 93, 95, 96, 97, 107}; // dwords of the records
    unsigned             behind = 0, loads = 0;
    program(&t->w, 1, LONG);
    for (int q = 0; q < 2; q++)
        for (uint32_t d = FIRST; d <= LAST; d++)
            if (!memchr(own, (int)d, sizeof own))
                set(&t->w, mqd_address(q) + 4 * d, 0x5afe0000u + d);
    two_queues(t, false);
    while (!fenced(t, 0, 70) || !fenced(t, 1, 71)) {
        for (int q = 0; q < 2; q++)
            assert_true(mqd(t, q, 107) <= count_of(&t->w, LEFT, 0, q, 0));
        if (t->loads[0] != loads) {
            loads = t->loads[0];
            behind += mqd(t, 0, 107) != mqd(t, 0, 97);
        }
        watch(t, 16);
    }
    assert_true(behind >= 2);
    for (int q = 0; q < 2; q++) {
        WATCH(t, mqd(t, q, 107) == count_of(&t->w, LEFT, 0, q, 0));
        WATCH(t, mqd(t, q, 97) == mqd(t, q, 107) && mqd(t, q, 96) == mqd(t, q, 93));
        assert_true(t->saves[q] >= 2 && mqd(t, q, 107) >= t->saves[q]);
        for (uint32_t d = FIRST; d <= LAST; d++)
            if (!memchr(own, (int)d, sizeof own))
                assert_int_equal(mqd(t, q, d), 0x5afe0000u + d);
        assert_int_equal(count_of(&t->w, GRANT, 0, q, 0), GROUPS);
    }
    assert_int_equal(t->failures + errors(&t->w), 0);
}

// What memory holds counts: a grid made shorter there is shorter when the queue runs again, and words of the window
// come back.
SAVES(what_memory_holds_counts)
{
    t->w.unfinished = true;
    two_queues(t, false);
    WATCH(t, t->saves[0] == 1);
    assert_in_range(count_of(&t->w, GRANT, 0, 0, 0), 1, WIDTH * (HEIGHT - 3));
    set(&t->w, mqd_address(0) + 4 * 3, HEIGHT - 2);
    set(&t->w, mqd_address(0) + 4 * (128 + 26), 0x12345678);
    WATCH(t, count_of(&t->w, GRANT, 0, 0, 0) == WIDTH * (HEIGHT - 2));
    account_cut(session_account(t->w.s), 0, 0); // the rest of the grid does not come
    WATCH(t, fenced(t, 0, 70) && fenced(t, 1, 71));
    assert_int_equal(count_of(&t->w, GRANT, 0, 0, 0), WIDTH * (HEIGHT - 2));
    assert_int_equal(host_get(&t->w, driver_window(0, 0, 26)), 0x12345678);
}

// The grid is where its bit is: cleared in memory, the dispatch begins anew, with its first group.
SAVES(grid_cleared_in_memory)
{
    two_queues(t, false);
    WATCH(t, t->saves[0] == 1);
    const unsigned from = t->w.count, before = count_of(&t->w, GRANT, 0, 0, 0);
    assert_in_range(before, 1, GROUPS - 1);
    assert_int_equal(mqd(t, 0, 132) >> 31, 1);
    set(&t->w, mqd_address(0) + 4 * 132, mqd(t, 0, 132) & 0x7fffffff);
    account_restart(session_account(t->w.s), 0, 0);
    WATCH(t, t->loads[0] == 1);
    watch(t, 1);
    assert_false(front_out(&t->w, 0)->execute.unfinished[0]);
    WATCH(t, fenced(t, 0, 70) && fenced(t, 1, 71));
    assert_int_equal(count_of(&t->w, STARTED, 0, 0, from), 1);
    assert_int_equal(count_of(&t->w, GRANT, 0, 0, 0), before + GROUPS);
}

TEST(error_in_save)
{
    memory_fault fault = {.address = MQDS + 4 * 40, .kind = MEMORY_WRITE_SLVERR};
    save_world   t;
    open_world(&t, &fault);
    two_queues(&t, false);
    WATCH(&t, errors(&t.w) == 1);
    assert_int_equal(last_error(&t.w).code, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
    assert_int_equal(last_error(&t.w).address, mqd_address(0));
    assert_int_equal(t.failures, 1);
    WATCH(&t, fenced(&t, 1, 71)); // the other one goes on
    assert_int_equal(reason(queue_state(&t.w, 0, 0)), 4);
    assert_in_range(count_of(&t.w, GRANT, 0, 0, 0), 1, GROUPS - 1);
    set(&t.w, mqd_address(0) + 4 * 3, 1); // the MQD is not to be trusted, and not read
    window_put(&t.w, 0, 0, WINDOW(CONTROL), RESUME);
    both_end(&t);
    assert_int_equal(t.loads[0], 0);
    world_close(&t.w);
}

TEST(error_in_load)
{
    static const struct {
        uint32_t          dword;
        memory_fault_kind kind;
        uint8_t           code;
    } rows[] = {
        {5, MEMORY_READ_SLVERR, TOTEM_ERROR_MEMORY_READ_SLVERR},
        {60, MEMORY_READ_DECERR, TOTEM_ERROR_MEMORY_READ_DECERR},
        {182, MEMORY_READ_SLVERR, TOTEM_ERROR_MEMORY_READ_SLVERR},
    };
    for (unsigned r = 0; r < COUNT(rows); r++) {
        memory_fault fault = {.address = MQDS + 4 * (uint64_t)rows[r].dword, .kind = rows[r].kind};
        save_world   t;
        open_world(&t, &fault);
        two_queues(&t, true);
        WATCH(&t, errors(&t.w) == 1);
        assert_int_equal(last_error(&t.w).code, rows[r].code);
        assert_int_equal(t.failures, 1);
        assert_int_equal(t.loads[0], 0);
        WATCH(&t, fenced(&t, 1, 71));
        assert_int_equal(reason(queue_state(&t.w, 0, 0)), 4);
        window_put(&t.w, 0, 0, WINDOW(CONTROL), RESUME); // it is read again
        both_end(&t);
        assert_true(t.loads[0] >= 1);
        world_close(&t.w);
    }
}

// A read without an answer reserves the ID of the block that asked (docs/contract/memory.md): the loads of the other
// queues time out in their turn. Each halts with its record, nothing hangs.
TEST(no_answer_in_load)
{
    memory_fault fault = {.address = MQDS + 4 * 150, .kind = MEMORY_READ_NOTHING};
    save_world   t;
    open_world(&t, &fault);
    t.w.unfinished = true;
    host_put(&t.w, MACHINE(MEMORY_TIMEOUT), 1000);
    two_queues(&t, false);
    WATCH(&t, t.failures == 2 && errors(&t.w) >= 3);
    session_error  list[8];
    const uint64_t count    = session_errors(t.w.s, list, 8);
    unsigned       timeouts = 0;
    for (uint64_t n = 0; n < count; n++)
        timeouts += list[n].code == TOTEM_ERROR_MEMORY_READ_TIMEOUT;
    assert_int_equal(timeouts, 2);
    assert_int_equal(count, 3); // the third says that the path is dead
    for (int q = 0; q < 2; q++) {
        assert_int_equal(reason(queue_state(&t.w, 0, q)), 4);
        clear_active(&t.w, 0, q);
    }
    world_close(&t.w);
}

// Goes to the first save or load of queue 0, or to what follows a load, and `offset` clocks into it.
static void into(save_world *t, unsigned which, unsigned offset)
{
    const totem_arbiter_out *a = &front_out(&t->w, 0)->arbiter;
    WATCH(t, which == DERIVING ? a->move == 3 && a->move_queue == 0 : job(t, 0) == which);
    watch(t, offset);
}

// Clocks into the job: up to beyond its end.
#define OFFSETS(o) \
    for (unsigned o = 0; o < 1300; o = o * (TOTEM_SE_COUNT > 1 ? 6 : 2) + 1) // all where a machine is small

static const int ELSEWHERE[2] = {WORLD_PIPES - 1, 2};

static void dequeued(save_world *t, unsigned offset)
{
    const int pipe = ELSEWHERE[0], queue = ELSEWHERE[1];
    window_put(&t->w, 0, 0, WINDOW(CP_HQD_DEQUEUE_REQUEST), offset & 2 ? 1 : 4);
    UNTIL(&t->w, !window_active(&t->w, 0, 0));
    const unsigned before = count_of(&t->w, GRANT, 0, 0, 0);
    account_move(session_account(t->w.s), 0, 0, pipe, queue);
    for (uint32_t n = 0; n < 56; n++)
        window_put(&t->w, pipe, queue, n, mqd(t, 0, 128 + n));
    window_put(&t->w, pipe, queue, WINDOW(CP_HQD_ACTIVE), 1);
    UNTIL(&t->w, fenced(t, 0, 70) && fenced(t, 1, 71));
    assert_int_equal(before + count_of(&t->w, GRANT, pipe, queue, 0), GROUPS);
}

// The slot is mapped anew: nothing of what memory holds for the earlier mapping comes back.
static void cleared(save_world *t, unsigned offset)
{
    (void)offset;
    t->w.unfinished = true;
    clear_active(&t->w, 0, 0);
    UNTIL(&t->w, fenced(t, 1, 71));
    assert_int_equal(count_of(&t->w, GRANT, 0, 1, 0), GROUPS);
    const unsigned from = t->w.count;
    map_saved(t, 0, 7, mqd_address(0));
    give_write(&t->w, 0, 0, OUT + 0x100, 5);
    UNTIL(&t->w, get(&t->w, OUT + 0x100) == 5);
    assert_int_equal(count_of(&t->w, RESUMED, 0, 0, from), 0);
}

// Doorbells count, and live words of the window are the host's.
static void rung(save_world *t, unsigned offset)
{
    (void)offset;
    give_write(&t->w, 0, 0, OUT + 0x100, 5);
    window_put(&t->w, 0, 0, WINDOW(CP_HQD_QUANTUM), 2u << 8 | 1);
    window_put(&t->w, 0, 0, WINDOW(CP_HQD_PIPE_PRIORITY), 2);
    both_end(t);
    WATCH(t, get(&t->w, OUT + 0x100) == 5);
    assert_int_equal(window_get(&t->w, 0, 0, WINDOW(CP_HQD_QUANTUM)) & 0x7fffffff, 2u << 8 | 1);
    assert_int_equal(window_get(&t->w, 0, 0, WINDOW(CP_HQD_PIPE_PRIORITY)), 2);
}

// What the host does to a queue in every clock of its switch.
TEST(host_meets_a_switch)
{
    static const struct {
        const char *name;
        void (*act)(save_world *t, unsigned offset);
        bool inside; // the grid stands in an indirect buffer
    } rows[] = {{"dequeue", dequeued, true}, {"ACTIVE cleared", cleared, false}, {"doorbell", rung, false}};
    for (unsigned r = 0; r < COUNT(rows); r++)
        for (unsigned which = SAVING; which <= DERIVING; which++)
            OFFSETS(offset)
            {
                save_world t;
                open_world(&t, NULL);
                t.w.row = rows[r].name;
                two_queues(&t, rows[r].inside);
                into(&t, which, offset);
                rows[r].act(&t, offset);
                assert_int_equal(errors(&t.w), 0);
                world_close(&t.w);
            }
}

// Without an MQD address the lines are dropped, and nothing else; beside it a queue that has one.
SAVES(no_descriptor)
{
    map_saved(t, 0, 7, 0);
    map_saved(t, 1, 7, mqd_address(1));
    for (int q = 0; q < 2; q++)
        grid_and_fence(t, q, 70 + (uint32_t)q, true);
    WATCH(t, t->saves[0] == 1);
    step(&t->w);
    assert_false(front_out(&t->w, 0)->fetch.line[0]);
    both_end(t);
    assert_int_equal(t->loads[0], 0);
    assert_true(t->saves[0] >= 2 && t->loads[1] >= 1);
    for (uint32_t n = 0; n < 184; n++)
        assert_int_equal(get(&t->w, 4 * n), 0);
}

// A better queue comes while another one is loaded: it is the one that runs.
SAVES(better_queue_meanwhile)
{
    map_saved(t, 2, 9, mqd_address(2));
    two_queues(t, false);
    into(t, LOADING, 100);
    const unsigned from = t->w.count;
    give_write(&t->w, 0, 2, OUT + 0x100, 5);
    UNTIL(&t->w, get(&t->w, OUT + 0x100) == 5);
    EXPECT_ORDER(&t->w, 0, from, 2);
    both_end(t);
}

// A queue that comes back with no other in between has not been switched, and keeps its lines.
SAVES(no_switch_to_itself)
{
    map_saved(t, 0, 7, mqd_address(0));
    on(&t->w, 0, 0);
    PACKET(&t->w, WAIT_REG_MEM, 0xd3, OUT, 0, 1, 0xffffffffu, 4);
    write_word(&t->w, OUT + 0x100, 5);
    doorbell(&t->w, 0, 0);
    WATCH(t, front_out(&t->w, 0)->poll.waiting[0]);
    watch(t, 200);
    assert_true(front_out(&t->w, 0)->fetch.line[0]);
    set(&t->w, OUT, 1);
    WATCH(t, get(&t->w, OUT + 0x100) == 5);
    assert_int_equal(t->saves[0] + t->loads[0], 0);
    assert_int_equal(count_of(&t->w, GO, 0, 0, 0), 2);
}

// The bit is cleared while a queue is away: that one is loaded, nothing is saved any more.
SAVES(bit_is_cleared)
{
    two_queues(t, false);
    WATCH(t, t->saves[0] == 1);
    host_put(&t->w, MACHINE(QUEUE_OPTIONS), 0);
    WATCH(t, t->loads[0] == 1);
    const unsigned saves = t->saves[0] + t->saves[1];
    both_end(t);
    assert_int_equal(t->saves[0] + t->saves[1], saves);
    assert_true(saves <= 2);
    assert_true(count_of(&t->w, GO, 0, 0, 0) >= 3);
}

// A queue that is halted by its packet is saved for the switch like any other; RESUME or SKIP while that is under way.
TEST(resumed_meanwhile)
{
    for (uint32_t way = RESUME; way <= SKIP; way++)
        OFFSETS(offset)
        {
            save_world t;
            open_world(&t, NULL);
            for (int q = 0; q < 2; q++)
                map_saved(&t, q, 7, mqd_address(q));
            on(&t.w, 0, 0);
            const uint64_t at = ring_place(0, 0, position(&t.w));
            raw(&t.w, WORDS(TYPE3(0x02, 1), FILLER)); // no public list names it
            write_word(&t.w, OUT + 0x100, 5);
            doorbell(&t.w, 0, 0);
            WATCH(&t, errors(&t.w) == 1);
            grid_and_fence(&t, 1, 71, false);
            into(&t, SAVING, offset);
            if (way == RESUME)
                set(&t.w, at, FILLER);
            window_put(&t.w, 0, 0, WINDOW(CONTROL), way);
            WATCH(&t, fenced(&t, 1, 71) && get(&t.w, OUT + 0x100) == 5);
            assert_int_equal(errors(&t.w), 1);
            world_close(&t.w);
        }
}

// A grid that SKIP drops while its queue is away does not come back from memory, neither in packet nor in bank: the
// next grid is a fresh one with its own end.
TEST(skipped_grid_stays_away)
{
    enum { BAD = WORLD_DATA + 0x800 };
    memory_fault fault = {.address = BAD, .kind = MEMORY_WRITE_SLVERR};
    save_world   t;
    open_world(&t, &fault);
    map_saved(&t, 0, 3, mqd_address(0));
    map_saved(&t, 1, 9, mqd_address(1));
    on(&t.w, 0, 0);
    shape(&t.w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
    write_word(&t.w, BAD, 7);
    dispatch(&t.w, WIDTH, 100, 1);
    dispatch(&t.w, 50, 1, 1);
    doorbell(&t.w, 0, 0);
    WATCH(&t, front_out(&t.w, 0)->execute.halted[0] && !selected(&t.w, 0, 0));
    assert_true(front_out(&t.w, 0)->execute.unfinished[0]);
    give_write(&t.w, 0, 1, OUT, 1);
    WATCH(&t, t.saves[0] == 1);
    assert_int_equal(mqd(&t, 0, 132) >> 31, 1);
    UNTIL(&t.w, get(&t.w, OUT) == 1);
    steps(&t.w, 500);
    const unsigned from = t.w.count;
    account_skip(session_account(t.w.s), 0, 0, ACCOUNT_SKIPPED);
    window_put(&t.w, 0, 0, WINDOW(CONTROL), SKIP);
    WATCH(&t, t.loads[0] == 1);
    WATCH(&t, rptr(&t.w, 0, 0) == t.w.written[0][0]);
    assert_int_equal(count_of(&t.w, RESUMED, 0, 0, from), 0);
    assert_int_equal(count_of(&t.w, GRANT, 0, 0, from), 50);
    world_close(&t.w);
}

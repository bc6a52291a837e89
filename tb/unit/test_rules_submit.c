// SPDX-License-Identifier: Apache-2.0
//
// Tasks that the host and waves launch, on the whole model (docs/task.md): the page TASKS of the host, answers without
// memory, what it counts and tells, GROUP_STRICT and TMD_PRIORITY. The judges of the session follow every task.
// Configuration: full, because mini has no tasks.

#include "rules_world.h"

#if TOTEM_TASKS

#define DESK(name) (TOTEM_REG_TASKS_BASE + 4 * TOTEM_REG_TASKS_##name)

enum {
    MQD      = 0x500000,
    AT       = 0x600000, // descriptors, one every 0x100 bytes
    DWORDS   = 64,
    SLVERR   = 2,
    ORDINARY = 1,                                             // entry of the program table
    LONG     = 2,                                             // another one: its waves run until the test has looked
    LAUNCHES = TOTEM_ENTRIES - TOTEM_PIPES * TOTEM_QUEUES + 1 // that one queue gets
};

// A descriptor 03_00 of so many groups of one wave; its address >> 8.
static uint32_t describe(world *w, unsigned n, uint32_t groups, uint32_t entry, uint32_t group)
{
    const uint64_t at = AT + 0x100ull * n;
    for (unsigned k = 0; k < DWORDS; k++)
        set(w, at + 4 * k, 0);
    set(w, at + 4 * 4, group);             // GROUP_ID
    set(w, at + 4 * 5, 0x2au << 26);       // INVALIDATE: 1, 3, 5
    set(w, at + 4 * 11, 3u << 16);         // MEMBAR_TYPE: device
    set(w, at + 4 * 12, groups);           // GRID_X
    set(w, at + 4 * 13, 1);                // GRID_Y
    set(w, at + 4 * 14, 1);                // GRID_Z
    set(w, at + 4 * 18, 0x30 | 32u << 16); // version, BLOCK_X
    set(w, at + 4 * 19, 1 | 1u << 16);     // BLOCK_Y, BLOCK_Z
    set(w, at + 4 * 48, (entry << 8));     // PROGRAM
    return (uint32_t)(at >> 8);
}

static uint8_t launch(world *w, unsigned pipe, unsigned queue, uint32_t pointer)
{
    host_put(w, DESK(TASK_POINTER), pointer);
    return host_try(w, DESK(TASK_LAUNCH), pipe << 3 | queue);
}

static uint32_t done(world *w, unsigned x)
{
    return host_get(w, DESK(TASKS_DONE) + 8 * x);
}

TEST(the_host_launches)
{
    world w;
    world_open(&w);
    const uint32_t first = describe(&w, 0, 5, ORDINARY, 0), second = describe(&w, 1, 2, ORDINARY, 0);
    const unsigned x = TOTEM_QUEUES + 3;
    assert_int_equal(host_get(&w, DESK(TASK_ENTRIES)), TOTEM_ENTRIES);
    assert_int_equal(launch(&w, 1, 3, first), SLVERR);
    expect_error(&w, 1, TOTEM_ERROR_HOST_TASK_UNMAPPED);
    map(&w, 1, 3, 7);
    host_put(&w, DESK(REPORT_INTERRUPT), 1u << x);
    host_put(&w, EVENTS(EOP_STATUS), 0xffffffff);
    assert_int_equal(launch(&w, 1, 3, first), 0);
    assert_int_equal(launch(&w, 1, 3, second), 0);
    UNTIL(&w, done(&w, x) == 2);
    assert_int_equal(host_get(&w, DESK(TASKS_DONE) + 8 * x + 4), second);
    UNTIL(&w, host_get(&w, EVENTS(EOP_STATUS)) == 1u << (8 + 3));
    assert_int_equal(host_get(&w, EVENTS(INT_CTXID) + 4 * (8 + 3)), second);
    for (unsigned n = 0; n < 6; n++)
        assert_int_equal(host_get(&w, DESK(INVALIDATES) + 4 * n), n & 1 ? 2 : 0);
    assert_int_equal(host_get(&w, DESK(BARRIERS_DEVICE)), 2);
    assert_int_equal(host_get(&w, DESK(BARRIERS_SYSTEM)), 0);
    assert_int_equal(host_get(&w, DESK(HOST_LAUNCHES)), 2);
    assert_int_equal(host_try(&w, DESK(TASK_LAUNCH), 16), SLVERR);
    expect_error(&w, 2, TOTEM_ERROR_HOST_VALUE);
    world_close(&w);
}

// A queue gets all entries but one for each other queue; then SLVERR at once, and nothing is lost.
TEST(no_entry)
{
    world w;
    world_open(&w);
    program(&w, LONG, 6000);
    const uint32_t long_one = describe(&w, 0, 1, LONG, 0), other = describe(&w, 1, 1, ORDINARY, 0);
    map(&w, 0, 0, 7);
    map(&w, 0, 1, 7);
    for (unsigned n = 0; n < LAUNCHES; n++)
        assert_int_equal(launch(&w, 0, 0, n ? other : long_one), 0);
    if (done(&w, 0) == 0) {
        assert_int_equal(launch(&w, 0, 0, other), SLVERR);
        expect_error(&w, 1, TOTEM_ERROR_HOST_TASK_FULL);
    } else
        fail_msg("%s", "tasks have ended too soon");
    assert_int_equal(launch(&w, 0, 1, other), 0);
    UNTIL(&w, done(&w, 0) == LAUNCHES && done(&w, 1) == 1);
    world_close(&w);
}

// The record, the halt, and the way back; the tasks behind it run.
TEST(a_group_of_another_queue)
{
    world w;
    world_open(&w);
    const uint32_t right = describe(&w, 0, 2, ORDINARY, 2), wrong = describe(&w, 1, 2, ORDINARY, 3);
    map(&w, 0, 2, 7);
    map(&w, 0, 1, 7);
    assert_int_equal(launch(&w, 0, 2, wrong), 0);
    UNTIL(&w, done(&w, 2) == 1);
    host_put(&w, MACHINE(QUEUE_OPTIONS), 16);
    assert_int_equal(launch(&w, 0, 2, right), 0);
    UNTIL(&w, done(&w, 2) == 2);
    assert_int_equal(launch(&w, 0, 2, wrong), 0);
    expect_error(&w, 1, TOTEM_ERROR_DESCRIPTOR_TMD_GROUP);
    until_halted(&w, 2);
    assert_int_equal(launch(&w, 0, 2, right), 0);
    give_nop(&w, 0, 1); // another queue goes on
    UNTIL(&w, read_up(&w, 1));
    assert_int_equal(done(&w, 2), 2);
    driver_resume(host(&w), now(&w), 0, 2);
    UNTIL(&w, done(&w, 2) == 3);
    assert_int_equal(errors(&w), 1);
    world_close(&w);
}

static bool shows_program(const world *w, uint64_t program)
{
    bool found = false;
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_launch_out *l = &session_out(w->s)->se[e].launch;
        found                     = found || (l->launch_valid && l->launch_program == program);
    }
    return found;
}

// With ADDRESS_HIGH bit 39 at the memory port is that of other addresses: a task that has an address with it, launched
// by the host, a wave or a packet, has a record and halts its queue, which goes on behind it; another queue does not
// notice. Without ADDRESS_HIGH it is an address like others. A program has all bits of its address.
TEST(addresses_of_tasks)
{
    enum { RELEASED = WORLD_DATA + 0x100, TOP = 0x80, ENABLE = 1 << 23, ONE_WORD = 1 << 30, PARENT = 4, SKIP = 2 };
    enum { BY_HOST, BY_WAVE, BY_PACKET };
    static const struct {
        int      by;
        unsigned place; // dword of the descriptor
        uint32_t value, pointer;
    } rows[] = {{BY_HOST, 0, 0, 0x80000000},
                {BY_HOST, 15, 0x80000000 | AT >> 8, 0},
                {BY_HOST, 25, TOP | ENABLE | ONE_WORD, 0},
                {BY_WAVE, 29, TOP | ENABLE | ONE_WORD, 0},
                {BY_WAVE, 0, 0, 0x80000000},
                {BY_PACKET, 0, 0, 0x80000000},
                {BY_PACKET, 29, TOP | ENABLE | ONE_WORD, 0}};
    world w;
    world_open(&w);
    program(&w, PARENT, 100);
    map(&w, 0, 2, 7);
    map(&w, 0, 1, 7);
    const uint32_t right = describe(&w, 0, 2, ORDINARY, 0), far = 0x80000000 | right;
    set(&w, AT + 4 * 49, 0x15678);
    for (unsigned n = 0; n < DWORDS; n++)
        set(&w, ((uint64_t)far << 8) + 4 * n, get(&w, AT + 4 * n));
    set(&w, ((uint64_t)far << 8) + 4 * 24, RELEASED);
    set(&w, ((uint64_t)far << 8) + 4 * 25, TOP | ENABLE | ONE_WORD);
    set(&w, ((uint64_t)far << 8) + 4 * 26, 77);
    assert_int_equal(launch(&w, 0, 2, far), 0);
    UNTIL(&w, shows_program(&w, 0x5678000001));
    UNTIL(&w, done(&w, 2) == 1);
    assert_int_equal(get(&w, RELEASED + ((uint64_t)TOP << 32)), 77);
    assert_int_equal(errors(&w), 0);

    host_put(&w, MACHINE(ADDRESS_HIGH), 0x7f);
    for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        const uint32_t wrong = describe(&w, 1, 2, ORDINARY, 0) | rows[n].pointer;
        const uint32_t count = done(&w, 2), at = w.written[0][2];
        const bool     pointer = rows[n].pointer != 0;
        set(&w, AT + 0x100 + 4 * 16, 3); // the dependent is enabled: its address is that of this task
        set(&w, AT + 0x100 + 4 * 15, right);
        if (!pointer)
            set(&w, AT + 0x100 + 4 * rows[n].place, rows[n].value);
        on(&w, 0, 2);
        if (rows[n].by == BY_HOST)
            assert_int_equal(launch(&w, 0, 2, wrong), 0);
        else if (rows[n].by == BY_PACKET)
            PACKET(&w, LAUNCH_TASK, wrong);
        else {
            driver_child(host(&w), now(&w), PARENT, wrong);
            grid(&w, PARENT, 1);
        }
        doorbell(&w, 0, 2);
        expect_error(&w, n + 1, TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS);
        assert_int_equal(last_error(&w).word, pointer ? wrong : rows[n].value);
        assert_int_equal(last_error(&w).address, rows[n].by == BY_PACKET ? ring_place(0, 2, at) : (uint64_t)wrong << 8);
        until_halted(&w, 2);
        assert_int_equal(launch(&w, 0, 2, right), 0);
        give_nop(&w, 0, 1);
        UNTIL(&w, read_up(&w, 1));
        assert_int_equal(done(&w, 2), count);
        if (rows[n].by == BY_PACKET)
            window_put(&w, 0, 2, WINDOW(CONTROL), SKIP);
        else
            driver_resume(host(&w), now(&w), 0, 2);
        UNTIL(&w, done(&w, 2) == count + 1 && read_up(&w, 2));
    }
    world_close(&w);
}

// What waits starts by its priority.
TEST(priorities_of_tasks)
{
    world w;
    world_open(&w);
    program(&w, LONG, 50);
    map(&w, 0, 0, 7);
    for (unsigned with = 0; with < 2; with++) {
        host_put(&w, MACHINE(QUEUE_OPTIONS), 8 * with);
        const uint32_t before = done(&w, 0);
        w.count               = 0;
        // The first one has more groups than the machine has places: the others wait in the list.
        assert_int_equal(launch(&w, 0, 0, describe(&w, 10, 4 * TOTEM_SE_COUNT * TOTEM_SLOTS, LONG, 0)), 0);
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(launch(&w, 0, 0, describe(&w, 20 + n, 1 + n, ORDINARY, 16 * n)), 0);
        UNTIL(&w, done(&w, 0) == before + 5);
        assert_int_equal(host_get(&w, DESK(TASKS_DONE) + 4), (AT >> 8) + (with ? 20 : 23));
    }
    world_close(&w);
}

// Waves of all front ends, on all engines, launch tasks of their own queues. Those of an earlier mapping are refused.
TEST(waves_launch)
{
    enum { PARENT = 4, GROUPS = 6, OF_FE = TOTEM_REG_TASKS_STRIDE };
    world w;
    world_open(&w);
    const uint32_t child = describe(&w, 0, 1, ORDINARY, 0);
    driver_child(host(&w), now(&w), PARENT, child);
    program(&w, PARENT, 300);
    for (int fe = 0; fe < TOTEM_FE_COUNT; fe++) {
        const int pipe = TOTEM_PIPES * fe + fe % TOTEM_PIPES, queue = fe % TOTEM_QUEUES;
        map(&w, pipe, queue, 7);
        on(&w, pipe, queue);
        grid(&w, PARENT, GROUPS);
        doorbell(&w, pipe, queue);
    }
    for (uint32_t fe = 0; fe < TOTEM_FE_COUNT; fe++) {
        const uint32_t x = fe % TOTEM_PIPES * TOTEM_QUEUES + fe % TOTEM_QUEUES;
        UNTIL(&w, host_get(&w, DESK(TASKS_DONE) + fe * OF_FE + 8 * x) == GROUPS);
        assert_int_equal(host_get(&w, DESK(CHILDREN) + fe * OF_FE), GROUPS);
        assert_int_equal(host_get(&w, DESK(CHILDREN_REFUSED) + fe * OF_FE), 0);
    }
    program(&w, PARENT, 4000);
    on(&w, 0, 0);
    grid(&w, PARENT, GROUPS);
    doorbell(&w, 0, 0);
    UNTIL(&w, account_running(session_account(w.s), 0, 0, false) == GROUPS);
    clear_active(&w, 0, 0);
    map_again(&w, 0, 0, 7);
    UNTIL(&w, host_get(&w, DESK(CHILDREN_REFUSED)) == GROUPS);
    assert_int_equal(host_get(&w, DESK(CHILDREN)), GROUPS);
    // What this front end has refused last is not the answer of another one.
    program(&w, PARENT, 300);
    on(&w, TOTEM_PIPES + 1 % TOTEM_PIPES, 1);
    grid(&w, PARENT, GROUPS);
    doorbell(&w, TOTEM_PIPES + 1 % TOTEM_PIPES, 1);
    UNTIL(&w, host_get(&w, DESK(CHILDREN) + OF_FE) == 2 * GROUPS);
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

// A queue leaves inside a task and comes back, again and again, and its ring gets a grid of its own, sooner or later.
// All groups of the task are granted once, and those of the ring.
TEST(unfinished_task_before_the_ring)
{
    enum { TIMES = 20, STEP = 20, GROUPS = 2000, OWN = 3 };
    world w;
    world_open(&w);
    program(&w, LONG, 2000);
    driver_queue q = world_queue(0, 0, 7);
    q.mqd          = MQD;
    put_mqd(&w, &q, 0);
    window_put(&w, 0, 0, WINDOW(MAP), MQD);
    UNTIL(&w, front_out(&w, 0)->arbiter.active[0]);
    on(&w, 0, 0);
    grid(&w, ORDINARY, OWN);
    doorbell(&w, 0, 0);
    UNTIL(&w, read_up(&w, 0));
    assert_int_equal(launch(&w, 0, 0, describe(&w, 0, GROUPS, LONG, 0)), 0);
    UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) > OWN + 8);
    for (uint32_t n = 0; n < TIMES; n++) {
        window_put(&w, 0, 0, WINDOW(CP_HQD_DEQUEUE_REQUEST), 4);
        UNTIL(&w, !window_active(&w, 0, 0) && !front_out(&w, 0)->mqd.busy);
        assert_int_equal(done(&w, 0), 0);
        window_put(&w, 0, 0, WINDOW(MAP), MQD);
        UNTIL(&w, front_out(&w, 0)->arbiter.active[0]);
        steps(&w, STEP * n);
        dispatch(&w, OWN, 1, 1);
        doorbell(&w, 0, 0);
        const unsigned before = count_of(&w, GRANT, 0, 0, 0);
        UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) > before + 4);
    }
    UNTIL(&w, done(&w, 0) == 1 && read_up(&w, 0));
    UNTIL(&w, session_idle(w.s));
    assert_int_equal(count_of(&w, GRANT, 0, 0, 0), GROUPS + (TIMES + 1) * OWN);
    world_close(&w);
}
#endif

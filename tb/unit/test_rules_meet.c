// SPDX-License-Identifier: Apache-2.0
//
// Meetings on the whole model that one clock decides (the tables "Meetings" of the contracts): the host acts a clock
// later in every round, until both come in the same clock, and in every round the outcome must be that of the order
// in which they came.

#include "../../cmodel/queue/totem_hqd_values.h"
#include "rules_world.h"

enum { GATE = WORLD_DATA, MQD = 0x600000, MQD_STRIDE = 0x800, ROUNDS = 200, END_SEQUENCE = 97, TOP_SEQUENCE = 107 };

static bool loads(const world *w, unsigned kind, int queue)
{
    const totem_hqd_out *h = &front_out(w, 0)->hqd;
    return h->load_valid && h->load_kind == kind && h->load_queue == queue;
}

// Number of the last switch-out.
static uint32_t sequence(world *w, int queue)
{
    return window_get(w, 0, queue, WINDOW(SEQUENCE));
}

// ---- priorities

// A packet's write and the host's of the same queue: the later one counts, and the host's if they meet.
TEST(packet_and_host_write_a_priority)
{
    world    w;
    unsigned met = 0, first[2] = {0, 0};
    world_open(&w);
    map(&w, 0, 1, 7);
    on(&w, 0, 1);
    for (uint32_t round = 0; round < ROUNDS && !(met && first[0] && first[1]); round++) {
        const uint32_t own = 1 + round % 7, hosts = 8 + round % 7;
        uint64_t       written = 0, loaded = 0;
        PACKET(&w, WRITE_DATA, TOTEM_WRITE_DST_REGISTER << 8, driver_window(0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY)) / 4, 0,
               own);
        driver_doorbell(host(&w), now(&w), 0, 1, position(&w));
        host_write(host(&w), now(&w) + ROUNDS - round, driver_window(0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY)), hosts);
        for (uint32_t n = 0; n < 2 * ROUNDS; n++) {
            if (front_out(&w, 0)->execute.priority_write)
                written = now(&w);
            if (loads(&w, LOAD_QUEUE_PRIORITY, 1))
                loaded = now(&w);
            step(&w);
        }
        assert_true(written && loaded);
        met += written == loaded;
        first[loaded > written]++;
        assert_int_equal(window_get(&w, 0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY)), loaded >= written ? hosts : own);
    }
    assert_true(met && first[0] && first[1]);
    world_close(&w);
}

// A queue becomes the best one in the clock of a selection: that takes place as it was, and then it is replaced.
TEST(priority_written_at_a_selection)
{
    enum { RUNNING = 0, NEXT = 1, RAISED = 2 };
    world    w;
    unsigned met = 0, before = 0;
    world_open(&w);
    map(&w, 0, RUNNING, 9);
    map(&w, 0, NEXT, 5);
    map(&w, 0, RAISED, 3);
    for (uint32_t round = 1; round < ROUNDS && !(met && before); round++) {
        on(&w, 0, RUNNING);
        wait_equal(&w, GATE, round);
        doorbell(&w, 0, RUNNING);
        UNTIL(&w, selected(&w, 0, RUNNING));
        for (int q = NEXT; q <= RAISED; q++) {
            on(&w, 0, q);
            nops(&w, 20);
            doorbell(&w, 0, q);
        }
        steps(&w, 100);
        w.count        = 0; // of the events: those of this round
        bool     meets = false, early = false, gone = false;
        unsigned last = 0; // clocks since the write
        set(&w, GATE, round);
        host_write(host(&w), now(&w) + ROUNDS - round, driver_window(0, RAISED, WINDOW(CP_HQD_QUEUE_PRIORITY)), 8);
        for (uint32_t n = 0; n < 2 * ROUNDS; n++) {
            // The clock of `go` is the one behind the selection.
            if (front_out(&w, 0)->arbiter.go && !gone) {
                meets = last == 1;
                early = last > 1;
                gone  = true;
            }
            if (last != 0 || loads(&w, LOAD_QUEUE_PRIORITY, RAISED))
                last++;
            step(&w);
        }
        if (meets || early) {
            assert_int_equal(count_of(&w, GO, 0, RAISED, 0), 1);
            assert_int_equal(count_of(&w, GO, 0, NEXT, 0), meets ? 2 : 1);
        }
        assert_true(gone && last && read_up(&w, NEXT) && read_up(&w, RAISED));
        met += meets;
        before += early;
        window_put(&w, 0, RAISED, WINDOW(CP_HQD_QUEUE_PRIORITY), 3);
    }
    assert_true(met && before);
    world_close(&w);
}

// ---- registers

// A queue without MQD is unmapped, and mapped again by ACTIVE alone, while what follows from its registers is still
// computed: the new mapping begins with reset registers, and has what follows from those that it writes.
TEST(mapped_again_while_it_is_derived)
{
    enum { Q = 1, OTHER = 2 };
    const uint32_t partial = 5u << 16 | 64;
    bool           met     = false;
    for (uint32_t round = 0; round < ROUNDS && !met; round++) {
        world w;
        world_open(&w);
        for (int q = Q; q <= OTHER; q++) { // two of them, so that each waits for the other's products
            map(&w, 0, q, 5);
            on(&w, 0, q);
            SET_SH(&w, 7, partial, partial, partial);
        }
        doorbell(&w, 0, OTHER);
        doorbell(&w, 0, Q);
        UNTIL(&w, read_up(&w, Q));
        host_write(host(&w), now(&w), driver_window(0, Q, WINDOW(CP_HQD_ACTIVE)), 0);
        host_write(host(&w), now(&w) + 12 + round, driver_window(0, Q, WINDOW(CP_HQD_ACTIVE)), 1);
        while (!host_done(host(&w))) {
            const totem_bank *b = &session_model(w.s)->fe[0].pipe[0].front.bank;
            met |= loads(&w, LOAD_ACTIVE, Q) && (front_out(&w, 0)->hqd.load_data & 1) && b->derive_step &&
                   b->derive_queue == Q;
            step(&w);
        }
        UNTIL(&w, !(window_get(&w, 0, Q, WINDOW(STATE)) & 1u << 10));
        if (!(window_get(&w, 0, Q, WINDOW(CP_HQD_ACTIVE)) & 1)) // the second one came too early
            window_put(&w, 0, Q, WINDOW(CP_HQD_ACTIVE), 1);
        account_remap(session_account(w.s), 0, Q);
        on(&w, 0, Q);
        w.count = 0;
        shape(&w, 64 * 2, 0, 1, 0);
        dispatch(&w, 3, 1, 1);
        doorbell(&w, 0, Q);
        UNTIL(&w, count_of(&w, LAUNCH, 0, Q, 0) == 6);
        UNTIL(&w, read_up(&w, Q));
        world_close(&w);
    }
    assert_true(met);
}

// ---- records

// A queue leaves while the number of another one is loaded: both count from their own.
TEST(switch_out_at_a_mapping)
{
    enum { WAITS = 0, COMES = 1 };
    world    w;
    unsigned met = 0;
    uint64_t bell_at =
        0; // clocks behind the mapping; after the first round so that the queue leaves just before that load
    world_open(&w);
    driver_queue q = world_queue(0, WAITS, 3);
    q.mqd          = MQD;
    put_mqd(&w, &q, 0);
    window_put(&w, 0, WAITS, WINDOW(MAP), MQD);
    UNTIL(&w, front_out(&w, 0)->arbiter.active[WAITS]);
    for (uint32_t round = 1; round < ROUNDS && !met; round++) {
        const uint32_t count = sequence(&w, WAITS);
        on(&w, 0, WAITS);
        nops(&w, round % 7); // the doorbell has the turns of the mapping's own accesses
        smart_wait_equal(&w, GATE, round);
        q     = world_queue(0, COMES, 3);
        q.mqd = MQD + MQD_STRIDE;
        put_mqd(&w, &q, 0);
        for (uint32_t n = 0; n < 2; n++)
            set(&w, q.mqd + 4 * (uint64_t)(n ? END_SEQUENCE : TOP_SEQUENCE), 1000 * round);
        uint64_t       left = 0, loaded = 0;
        const uint64_t begin = now(&w);
        host_write(host(&w), now(&w), driver_window(0, COMES, WINDOW(MAP)), (uint32_t)q.mqd);
        const size_t bell = driver_doorbell(host(&w), begin + bell_at + round, 0, WAITS, position(&w));
        w.count           = 0;
        for (uint32_t n = 0; n < 2000; n++) {
            if (front_out(&w, 0)->execute.left)
                left = now(&w);
            if (loads(&w, LOAD_MQD_ADDR, COMES))
                loaded = now(&w);
            step(&w);
        }
        set(&w, GATE, round);
        UNTIL(&w, read_up(&w, WAITS));
        assert_true(host(&w)->list[bell].done && front_out(&w, 0)->arbiter.active[COMES]);
        assert_true(left && loaded);
        met += loaded == left + 1;
        if (round == 1)
            bell_at = loaded - left - 10;
        assert_int_equal(sequence(&w, WAITS), count + 1);
        assert_int_equal(sequence(&w, COMES), 1000 * round);
        window_put(&w, 0, COMES, WINDOW(CP_HQD_DEQUEUE_REQUEST), 1);
        UNTIL(&w, !front_out(&w, 0)->arbiter.active[COMES]);
        UNTIL(&w, !front_out(&w, 0)->mqd.busy);
        steps(&w, 40);
    }
    assert_int_equal(met, 1);
    world_close(&w);
}

// ---- interrupts

// Interrupts of fences come without pause while a queue is dequeued: in some round one meets the dequeue's, and all
// arrive.
TEST(fence_beside_a_dequeue)
{
    enum { FENCES = 0, LEAVES = 1, TYPE = 4, COUNT = 24 };
    world    w;
    unsigned met = 0, told = 0, fences = 0;
    world_open(&w);
    map(&w, 0, FENCES, 7);
    for (uint32_t round = 0; round < 2 * COUNT; round++) {
        map(&w, 0, LEAVES, 3);
        on(&w, 0, FENCES);
        for (uint32_t n = 0; n < COUNT; n++)
            fence(&w, 0, 1, 0, 0, 0x100);
        doorbell(&w, 0, FENCES);
        driver_ask_dequeue(host(&w), now(&w) + round, 0, LEAVES, TYPE);
        for (uint32_t n = 0; n < 1000; n++) {
            const totem_events_out *e = &session_out(w.s)->events;
            met += front_out(&w, 0)->fence.interrupt_valid && front_out(&w, 0)->mqd.interrupt_valid;
            told += e->ram_write_enable && e->ram_write_addr == LEAVES && e->ram_write_data == TYPE;
            fences += e->ram_write_enable && e->ram_write_addr == FENCES && e->ram_write_data == 0x100;
            step(&w);
        }
        assert_int_equal(told, round + 1);
        assert_int_equal(fences, COUNT * (round + 1));
    }
    assert_true(met);
    world_close(&w);
}

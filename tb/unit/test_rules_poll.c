// SPDX-License-Identifier: Apache-2.0
//
// Write pointers that the machine reads by itself, on the whole model: queues without a doorbell, the one-shot poll of a
// driver's mapping, pointers that are wrong or cannot be read, mappings that change while a read is under way. Packets are
// written as ever; software puts the write pointer into memory.

#include <stdio.h>
#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { OUT = WORLD_DATA, POINTER = 0x700008, MQD = 0x600008, EN = 1 << 30, RESUME = 1, SKEW = 0x2000 };

static uint64_t pointer_of(int queue)
{
    return POINTER + (uint64_t)SKEW * (uint64_t)queue;
}

// The 56 dwords in order, as far as they are not 0.
static void load(world *w, int queue, uint32_t rptr, uint32_t wptr, uint64_t pointer, uint32_t doorbell)
{
    const driver_queue q         = world_queue(0, queue, 3);
    uint32_t           words[56] = {0};
    words[4]                     = 0x0be05300;
    words[6]                     = 3;
    words[7]                     = 1; // a quantum of nothing: equal queues take turns packet by packet
    words[8]                     = (uint32_t)(q.ring >> 8);
    words[10]                    = rptr;
    words[13]                    = (uint32_t)pointer;
    words[14]                    = (uint32_t)(pointer >> 32);
    words[15]                    = (uint32_t)queue << 2 | doorbell;
    words[17]                    = 5u << 8 | 8; // WORLD_SIZE dwords
    words[21]                    = 0x00b00000;
    words[34]                    = 0x100;
    words[40]                    = 0x40000000;
    words[54]                    = wptr;
    for (uint32_t n = 0; n < 56; n++)
        window_put(w, 0, queue, n, words[n]);
    account_remap(session_account(w->s), 0, queue);
    w->written[0][queue] = rptr;
}

static void map_polled(world *w, int queue, uint32_t rptr)
{
    load(w, queue, rptr, rptr, pointer_of(queue), 0);
    window_put(w, 0, queue, WINDOW(CP_HQD_ACTIVE), 1);
    on(w, 0, queue);
}

// What software writes instead of a doorbell: 64 bits.
static void announce(world *w, int queue)
{
    set(w, pointer_of(queue), w->written[0][queue]);
    set(w, pointer_of(queue) + 4, 0xdeadbeef); // stored, not compared
}

static void unmap(world *w, int queue)
{
    window_put(w, 0, queue, WINDOW(CP_HQD_ACTIVE), 0);
    UNTIL(w, (window_get(w, 0, queue, WINDOW(CP_HQD_ACTIVE)) & 1) == 0);
}

static bool reads(const world *w, uint64_t address)
{
    const totem_poll_out *p = &front_out(w, 0)->poll;
    return p->read_valid && p->read_addr == (address & ~7ull);
}

static uint32_t poll_bit(world *w, int queue)
{
    return queue_state(w, 0, queue) >> 15 & 1;
}

TEST(polling_finds_the_pointer)
{
    world w;
    world_open(&w);
    program(&w, 0, 30);
    map_polled(&w, 1, 0xfffffff0); // the count wraps
    announce(&w, 1);
    shape(&w, 64, 0, 1, 0);
    dispatch(&w, 5, 1, 1);
    fence(&w, 1, 0, OUT, 77, 0);
    steps(&w, 500);
    assert_int_equal(count_of(&w, GO, 0, 1, 0), 0); // announced is nothing yet
    assert_int_equal(poll_bit(&w, 1), 1);
    assert_int_equal(reason(queue_state(&w, 0, 1)), 8);
    announce(&w, 1);
    UNTIL(&w, get(&w, OUT) == 77);
    assert_int_equal(count_of(&w, LAUNCH, 0, 1, 0), 5);
    write_word(&w, OUT, 78);
    announce(&w, 1);
    UNTIL(&w, get(&w, OUT) == 78);
    assert_int_equal(window_get(&w, 0, 1, WINDOW(CP_HQD_PQ_WPTR_LO)), w.written[0][1]);
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

// Nobody pays for a queue that has nothing new: no switch, and the other queue runs on.
TEST(polling_costs_no_turn)
{
    world w;
    world_open(&w);
    map_polled(&w, 0, 0);
    announce(&w, 0);
    map(&w, 0, 1, 3);
    on(&w, 0, 1);
    for (unsigned n = 0; n < 100; n++)
        nop(&w);
    PACKET(&w, WAIT_TIMER, 3000);
    write_word(&w, OUT, 1);
    doorbell(&w, 0, 1);
    uint64_t last = 0, polls = 0;
    for (bool before = false; get(&w, OUT) != 1; before = reads(&w, POINTER), step(&w))
        if (reads(&w, POINTER) && !before) {
            assert_true(last == 0 || now(&w) - last >= 64);
            last = now(&w);
            polls++;
        }
    assert_in_range(polls, 20, 60);
    assert_int_equal(count_of(&w, GO, 0, 0, 0), 0);
    assert_int_equal(count_of(&w, GO, 0, 1, 0), 2); // and after its timer
    world_close(&w);
}

TEST(doorbell_is_refused)
{
    world w;
    world_open(&w);
    map_polled(&w, 0, 0);
    announce(&w, 0);
    nop(&w);
    assert_int_equal(host_try(&w, TOTEM_REG_DOORBELL_BASE, 1), 2);
    UNTIL(&w, errors(&w) == 1);
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_HOST_DOORBELL_DISABLED);
    steps(&w, 300);
    assert_int_equal(rptr(&w, 0, 0), 0);
    announce(&w, 0);
    UNTIL(&w, rptr(&w, 0, 0) == 1);
    world_close(&w);
}

TEST(period_and_enable)
{
    static const uint32_t rows[][2] = {{0, 64}, {3, 64}, {4, 64}, {5, 80}, {255, 4080}};
    world                 w;
    world_open(&w);
    assert_int_equal(host_get(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL)), 0x80000001);
    map_polled(&w, 0, 0);
    announce(&w, 0);
    for (unsigned n = 0; n < COUNT(rows); n++) {
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL), 0x80000000u | rows[n][0]);
        assert_int_equal(host_get(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL)), 0x80000000u | rows[n][0]);
        uint64_t last = 0;
        for (unsigned polls = 0; polls < 4; polls++) {
            UNTIL(&w, reads(&w, POINTER));
            if (polls > 1)
                assert_in_range(now(&w) - last, rows[n][1] - 3, rows[n][1] + TOTEM_QUEUES + 14);
            last = now(&w);
            UNTIL(&w, !reads(&w, POINTER));
        }
    }
    host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL), 1); // as a driver does that has doorbells only
    steps(&w, 100);
    nop(&w);
    announce(&w, 0);
    for (unsigned n = 0; n < 5000; n++) {
        assert_false(reads(&w, POINTER));
        step(&w);
    }
    host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL), 0x80000001);
    UNTIL(&w, rptr(&w, 0, 0) == 1);
    world_close(&w);
}

// hqd_load with a write pointer that only memory has: the driver guesses the one of the window from the saved one, which can
// be a ring ahead, and asks for one poll before it sets ACTIVE.
TEST(driver_asks_once)
{
    static const uint32_t rptrs[] = {0, 500, 0xfffffff9};
    for (unsigned n = 0; n < 3; n++) {
        const uint32_t from  = rptrs[n];
        const uint32_t saved = from + 20, mask = WORLD_SIZE - 1; // a pointer the ring of which may have wrapped
        const uint32_t guess =
            (from & mask) + ((saved & mask) < (from & mask) ? (uint32_t)WORLD_SIZE : 0) + (saved & ~mask);
        world w;
        world_open(&w);
        load(&w, 2, from, saved, 0, 0);
        on(&w, 0, 2);
        write_word(&w, OUT, 11);
        announce(&w, 2);
        window_put(&w, 0, 2, WINDOW(CP_HQD_PQ_DOORBELL_CONTROL), 2u << 2 | EN);
        window_put(&w, 0, 2, WINDOW(CP_HQD_PQ_WPTR_LO), guess);
        window_put(&w, 0, 2, WINDOW(CP_HQD_PQ_WPTR_HI), 0);
        window_put(&w, 0, 2, WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR), (uint32_t)pointer_of(2));
        window_put(&w, 0, 2, WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR_HI), 0);
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 1u << 2);
        assert_int_equal(host_get(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1)), 0);
        assert_int_equal(poll_bit(&w, 2), 1);
        window_put(&w, 0, 2, WINDOW(CP_HQD_EOP_RPTR), 0x80000000u);
        window_put(&w, 0, 2, WINDOW(CP_HQD_ACTIVE), 1);
        UNTIL(&w, get(&w, OUT) == 11);
        assert_int_equal(poll_bit(&w, 2), 0); // once
        write_word(&w, OUT, 12);
        announce(&w, 2);
        steps(&w, 500);
        assert_int_equal(get(&w, OUT), 11);
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 0xffffff04); // at once; of the others none is mapped
        UNTIL(&w, get(&w, OUT) == 12);
        write_word(&w, OUT, 13);
        doorbell(&w, 0, 2);
        UNTIL(&w, get(&w, OUT) == 13);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// A one-shot goes with the mapping that it was for, if that is refused, by the window or by MAP: the next one has its write pointer.
TEST(refused_mapping_forgets_the_one_shot)
{
    for (unsigned by_register = 0; by_register < 2; by_register++) {
        world w;
        world_open(&w);
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 1u << 2);
        assert_int_equal(poll_bit(&w, 2), 1);
        if (by_register) {
            driver_queue q = world_queue(0, 2, 3);
            q.mqd          = MQD;
            put_mqd(&w, &q, 0);
            set(&w, MQD + 4 * 133, 3); // no such pipe priority
            window_put(&w, 0, 2, WINDOW(MAP), MQD);
            UNTIL(&w, errors(&w) == 1 && !front_out(&w, 0)->mqd.busy);
        } else {
            load(&w, 2, 0, 0, pointer_of(2), EN);
            window_put(&w, 0, 2, WINDOW(CP_HQD_PIPE_PRIORITY), 3);
            assert_int_equal(host_try(&w, driver_window(0, 2, WINDOW(CP_HQD_ACTIVE)), 1), 2);
        }
        assert_int_equal(poll_bit(&w, 2), 0);
        set(&w, pointer_of(2), 400); // of long ago
        load(&w, 2, 0, 5, pointer_of(2), EN);
        on(&w, 0, 2);
        write_word(&w, OUT, 9);
        window_put(&w, 0, 2, WINDOW(CP_HQD_ACTIVE), 1);
        UNTIL(&w, get(&w, OUT) == 9);
        steps(&w, 500);
        assert_int_equal(front_out(&w, 0)->fetch.wptr[2], 5);
        assert_int_equal(errors(&w), 1);
        world_close(&w);
    }
}

// One-shots of several queues in one write, while EN is 0; and another while a read for the first is under way: it is read again.
TEST(several_asked_at_once)
{
    for (uint32_t offset = 0; offset < 40; offset++) {
        world w;
        world_open(&w);
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL), 1);
        for (int q = 0; q < 2; q++) {
            map_polled(&w, q, 0);
            nop(&w);
            announce(&w, q);
        }
        steps(&w, 300);
        assert_int_equal(rptr(&w, 0, 0) + rptr(&w, 0, 1), 0);
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 3);
        UNTIL(&w, rptr(&w, 0, 0) == 1 && rptr(&w, 0, 1) == 1);
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 1); // finds what it has
        steps(&w, offset);
        on(&w, 0, 0);
        nop(&w);
        announce(&w, 0);
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 1);
        UNTIL(&w, rptr(&w, 0, 0) == 2);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// A wait that polls without pause and a write pointer take turns.
TEST(beside_a_wait)
{
    for (uint32_t latency = 5; latency < 40; latency += 2) {
        world    w;
        unsigned pointer = 0, condition = 0;
        world_open_with(&w, latency, NULL, 0);
        map_polled(&w, 0, 0);
        announce(&w, 0);
        map(&w, 0, 1, 3);
        give_wait(&w, 0, 1, OUT);
        UNTIL(&w, selected(&w, 0, 1));
        for (unsigned n = 0; n < 2000; n++) {
            const bool taken = session_out(w.s)->fe[0].memory.read_ready[1];
            pointer += taken && reads(&w, POINTER);
            condition += taken && reads(&w, OUT);
            step(&w);
        }
        assert_in_range(pointer, 12, 31); // once per 64 clocks and what they wait for each other
        assert_true(condition + 2 > pointer);
        set(&w, OUT, 1);
        UNTIL(&w, read_up(&w, 1));
        world_close(&w);
    }
}

// Two polled queues, one that waits besides, one that waits only: their reads take turns, all of them go on.
TEST(all_take_turns)
{
    const uint64_t flag[2] = {OUT + 0x100, OUT + 0x200};
    world          w;
    world_open_with(&w, 150, NULL, 0); // a read takes longer than a period: everybody always asks
    map_polled(&w, 0, 0);
    map_polled(&w, 1, 0);
    map(&w, 0, 2, 3);
    announce(&w, 0);
    on(&w, 0, 1);
    PACKET(&w, WAIT_REG_MEM, 0xd3, (uint32_t)flag[0], 0, 1, 0xffffffffu, 4);
    announce(&w, 1);
    on(&w, 0, 2);
    PACKET(&w, WAIT_REG_MEM, 0xd3, (uint32_t)flag[1], 0, 1, 0xffffffffu, 4);
    doorbell(&w, 0, 2);
    UNTIL(&w, front_out(&w, 0)->poll.waiting[1] && front_out(&w, 0)->poll.waiting[2]);
    const uint64_t places[4] = {flag[0], flag[1], pointer_of(0), pointer_of(1)};
    unsigned       polls[4]  = {0};
    for (unsigned n = 0; n < 20000; n++) {
        for (unsigned k = 0; k < 4; k++)
            polls[k] += reads(&w, places[k]) && session_out(w.s)->fe[0].memory.read_ready[1];
        step(&w);
    }
    for (unsigned k = 0; k < 4; k++)
        assert_in_range(polls[k], polls[0] - 1, polls[0] + 1);
    assert_true(polls[0] > 15);
    on(&w, 0, 1);
    write_word(&w, OUT, 5);
    announce(&w, 1);
    UNTIL(&w, front_out(&w, 0)->fetch.wptr[1] == w.written[0][1]); // it is looked at while the queue waits
    assert_true(front_out(&w, 0)->poll.waiting[1]);
    set(&w, flag[0], 1);
    UNTIL(&w, get(&w, OUT) == 5);
    set(&w, flag[1], 1);
    UNTIL(&w, rptr(&w, 0, 2) == w.written[0][2]);
    on(&w, 0, 0);
    nop(&w);
    announce(&w, 0);
    UNTIL(&w, rptr(&w, 0, 0) == 1);
    world_close(&w);
}

TEST(bad_pointer_halts)
{
    static const uint32_t bad[] = {WORLD_SIZE + 1, 2, 0xffffffff, 0x80000000};
    for (unsigned n = 0; n < 4; n++) {
        world w;
        world_open(&w);
        map(&w, 0, 3, 9);
        map_polled(&w, 0, 0);
        write_word(&w, OUT, 1);
        announce(&w, 0);
        UNTIL(&w, rptr(&w, 0, 0) == w.written[0][0]);
        set(&w, POINTER, n == 0 ? w.written[0][0] + bad[n] : bad[n]);
        UNTIL(&w, errors(&w) == 1);
        const session_error e = last_error(&w);
        assert_int_equal(e.code, TOTEM_ERROR_PACKET_WPTR_RANGE);
        assert_int_equal(e.address, POINTER);
        assert_int_equal(e.queue, 0);
        assert_int_equal(host_get(&w, EVENTS(RECORD_WORD)), get(&w, POINTER));
        assert_int_equal(reason(queue_state(&w, 0, 0)), 4);
        for (unsigned k = 0; k < 500; k++) { // a halted queue is not polled
            assert_false(reads(&w, POINTER));
            step(&w);
        }
        on(&w, 0, 3); // nobody else is stopped
        write_word(&w, OUT + 8, 3);
        doorbell(&w, 0, 3);
        UNTIL(&w, get(&w, OUT + 8) == 3);
        window_put(&w, 0, 0, WINDOW(CONTROL), RESUME); // not corrected: again
        UNTIL(&w, errors(&w) == 2);
        steps(&w, 20);
        on(&w, 0, 0);
        write_word(&w, OUT, 2);
        announce(&w, 0);
        window_put(&w, 0, 0, WINDOW(CONTROL), RESUME);
        UNTIL(&w, get(&w, OUT) == 2);
        assert_int_equal(errors(&w), 2);
        world_close(&w);
    }
}

// The read fails, of a polled queue and of a one-shot; while the queue runs a grid, too.
TEST(failed_read_halts)
{
    static const memory_fault_kind kind[] = {MEMORY_READ_SLVERR, MEMORY_READ_DECERR, MEMORY_READ_NOTHING};
    for (unsigned n = 0; n < 6; n++) {
        const bool   once  = n > 2;
        memory_fault fault = {.address = POINTER, .kind = kind[n % 3]};
        world        w;
        world_open_with(&w, 30, &fault, 1);
        host_put(&w, MACHINE(MEMORY_TIMEOUT), 400);
        load(&w, 0, 0, 0, POINTER, once ? EN : 0);
        on(&w, 0, 0);
        write_word(&w, OUT, 1);
        announce(&w, 0);
        if (once)
            host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 1);
        window_put(&w, 0, 0, WINDOW(CP_HQD_ACTIVE), 1);
        UNTIL(&w, errors(&w) == 1);
        assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_READ_SLVERR + n % 3);
        assert_int_equal(last_error(&w).address, POINTER);
        assert_int_equal(reason(queue_state(&w, 0, 0)), 4);
        assert_int_equal(get(&w, OUT), 0);
        assert_int_equal(poll_bit(&w, 0), 1);
        if (n % 3 != 2) {
            window_put(&w, 0, 0, WINDOW(CONTROL), RESUME);
            UNTIL(&w, get(&w, OUT) == 1);
            world_close(&w);
        } else { // its read ID is reserved: the next read fails as well
            window_put(&w, 0, 0, WINDOW(CONTROL), RESUME);
            UNTIL(&w, errors(&w) == 2);
            unmap(&w, 0);
            w.unfinished = true;
            world_close(&w);
        }
    }
}

// Unmapped in each clock of a read; then mapped with a doorbell: what the read brings is nobody's.
TEST(unmapped_while_read)
{
    for (uint32_t offset = 0; offset < 90; offset++) {
        world w;
        world_open(&w);
        map_polled(&w, 1, 100);
        announce(&w, 1);
        UNTIL(&w, reads(&w, pointer_of(1)));
        raw(&w, WORDS(NOP1, NOP1));
        announce(&w, 1);
        steps(&w, offset);
        host_write(host(&w), now(&w), driver_window(0, 1, WINDOW(CP_HQD_ACTIVE)), 0);
        UNTIL(&w, host_done(host(&w)));
        UNTIL(&w, (window_get(&w, 0, 1, WINDOW(CP_HQD_ACTIVE)) & 1) == 0);
        assert_int_equal(poll_bit(&w, 1), 0);
        window_put(&w, 0, 1, WINDOW(CP_HQD_PQ_DOORBELL_CONTROL), 1u << 2 | EN);
        const uint32_t left = window_get(&w, 0, 1, WINDOW(CP_HQD_PQ_WPTR_LO));
        window_put(&w, 0, 1, WINDOW(CP_HQD_ACTIVE), 1);
        assert_int_equal(poll_bit(&w, 1), 0);
        steps(&w, 300);
        assert_int_equal(front_out(&w, 0)->fetch.wptr[1], left);
        doorbell(&w, 0, 1);
        UNTIL(&w, rptr(&w, 0, 1) == 102);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// Polled, with a doorbell, polled again: each mapping has its own rule.
TEST(mapped_both_ways)
{
    world w;
    world_open(&w);
    map_polled(&w, 1, 0);
    for (uint32_t n = 0; n < 4; n++) {
        write_word(&w, OUT, n + 1);
        announce(&w, 1);
        assert_int_equal(poll_bit(&w, 1), n % 2 == 0);
        if (n % 2 != 0) {
            steps(&w, 300);
            assert_int_equal(get(&w, OUT), n);
            doorbell(&w, 0, 1);
        }
        UNTIL(&w, get(&w, OUT) == n + 1);
        UNTIL(&w, rptr(&w, 0, 1) == w.written[0][1]);
        steps(&w, 100);
        unmap(&w, 1);
        window_put(&w, 0, 1, WINDOW(CP_HQD_PQ_DOORBELL_CONTROL), 1u << 2 | (n % 2 == 0 ? EN : 0));
        window_put(&w, 0, 1, WINDOW(CP_HQD_ACTIVE), 1);
    }
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

// A doorbell that overtakes the read of a one-shot is the newer one, in each clock of that read.
TEST(doorbell_overtakes)
{
    for (uint32_t offset = 0; offset < 60; offset++) {
        world w;
        world_open(&w);
        load(&w, 0, 0, 0, POINTER, EN);
        window_put(&w, 0, 0, WINDOW(CP_HQD_ACTIVE), 1);
        on(&w, 0, 0);
        nop(&w);
        announce(&w, 0); // what the read will find
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 1);
        steps(&w, offset);
        for (unsigned n = 0; n < 30; n++)
            nop(&w);
        doorbell(&w, 0, 0);
        UNTIL(&w, rptr(&w, 0, 0) == 31);
        steps(&w, 100);
        assert_int_equal(front_out(&w, 0)->fetch.wptr[0], 31);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// Address 0 is nowhere: nothing is read, the host writes the write pointer.
TEST(no_address)
{
    world w;
    world_open(&w);
    load(&w, 0, 0, 0, 0, 0);
    host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 1);
    window_put(&w, 0, 0, WINDOW(CP_HQD_ACTIVE), 1);
    on(&w, 0, 0);
    nop(&w);
    for (unsigned n = 0; n < 400; n++) {
        assert_false(front_out(&w, 0)->poll.read_valid);
        step(&w);
    }
    assert_int_equal(poll_bit(&w, 0), 0);
    window_put(&w, 0, 0, WINDOW(CP_HQD_PQ_WPTR_LO), 1);
    UNTIL(&w, rptr(&w, 0, 0) == 1);
    world_close(&w);
}

// Saved in its MQD by a dequeue and mapped in another slot by register MAP, a polled queue goes on being polled. Pointers
// found while it leaves wait for the next mapping.
TEST(moves_with_its_mqd)
{
    for (uint32_t type = 1; type <= 4; type += 3) {
        world w;
        world_open(&w);
        program(&w, 0, 200);
        load(&w, 0, 40, 40, POINTER, 0);
        window_put(&w, 0, 0, WINDOW(CP_MQD_BASE_ADDR), MQD);
        for (uint32_t n = 0; n < 4; n++)
            set(&w, MQD + 4 * (n + 23 + (n > 1)), 0xffffffff);
        window_put(&w, 0, 0, WINDOW(CP_HQD_ACTIVE), 1);
        on(&w, 0, 0);
        shape(&w, 64 * TOTEM_SLOTS / 4, 0, 1, 0);
        dispatch(&w, 100, 1, 1);
        announce(&w, 0);
        UNTIL(&w, count_of(&w, GRANT, 0, 0, 0) > 10);
        window_put(&w, 0, 0, WINDOW(CP_HQD_DEQUEUE_REQUEST), type);
        write_word(&w, OUT, 8);
        announce(&w, 0);
        UNTIL(&w, (window_get(&w, 0, 0, WINDOW(CP_HQD_ACTIVE)) & 1) == 0);
        assert_in_range(count_of(&w, GRANT, 0, 0, 0), 10, 99);
        assert_int_equal(get(&w, MQD + 4 * 141), POINTER);
        account_move(session_account(w.s), 0, 0, 0, 1);
        window_put(&w, 0, 1, WINDOW(CP_MQD_BASE_ADDR_HI), 0);
        window_put(&w, 0, 1, WINDOW(MAP), MQD);
        UNTIL(&w, get(&w, OUT) == 8);
        assert_int_equal(count_of(&w, GRANT, 0, 0, 0) + count_of(&w, GRANT, 0, 1, 0), 100);
        assert_int_equal(poll_bit(&w, 1), 1);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// SPDX-License-Identifier: Apache-2.0
//
// MQD on the whole model, played as a driver does: an MQD is made, its queue is mapped (window dword by dword, or by register
// MAP), runs, is dequeued in the middle of a grid, mapped again in another slot, and goes on. Nothing is lost or doubled: the
// account of the harness follows the queue.

#include <stdio.h>
#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { MQD = 0x600008, OUT = WORLD_DATA };
enum { WIDTH = 9, HEIGHT = 40, LAST_PIPE = WORLD_PIPES - 1 };

static uint32_t mqd(const world *w, uint32_t dword)
{
    return get(w, MQD + 4 * (uint64_t)dword);
}

static void set_mqd(world *w, uint32_t dword, uint32_t value)
{
    set(w, MQD + 4 * (uint64_t)dword, value);
}

static void make_mqd(world *w, int pipe, int queue, uint64_t address)
{
    driver_queue q = world_queue(pipe, queue, 3);
    q.mqd          = address;
    q.quantum      = 1u | 1u << 4 | 1u << 8; // as KFD: EN, SCALE, DURATION 1
    put_mqd(w, &q, 0);
}

// hqd_load: 56 dwords in order, DOORBELL_EN, write pointer, INIT_FETCHER, ACTIVE.
static void driver_begins(world *w, int pipe, int queue)
{
    for (uint32_t n = 0; n < 56; n++)
        window_put(w, pipe, queue, n, mqd(w, 128 + n));
    window_put(w, pipe, queue, WINDOW(CP_HQD_PQ_DOORBELL_CONTROL), mqd(w, 143) | 1u << 30);
}

static void driver_ends(world *w, int pipe, int queue)
{
    window_put(w, pipe, queue, WINDOW(CP_HQD_EOP_RPTR), 1u << 31);
    window_put(w, pipe, queue, WINDOW(CP_HQD_ACTIVE), 1);
}

static void driver_load(world *w, int pipe, int queue)
{
    driver_begins(w, pipe, queue);
    window_put(w, pipe, queue, WINDOW(CP_HQD_PQ_WPTR_LO), mqd(w, 182));
    driver_ends(w, pipe, queue);
}

static void map_register(world *w, int pipe, int queue)
{
    set_mqd(w, 143, mqd(w, 143) | 1u << 30);
    window_put(w, pipe, queue, WINDOW(CP_MQD_BASE_ADDR_HI), 0);
    window_put(w, pipe, queue, WINDOW(MAP), MQD);
}

static bool mapped(world *w, int pipe, int queue)
{
    return front_out(w, pipe)->arbiter.active[queue];
}

static void dequeue(world *w, int pipe, int queue, uint32_t type)
{
    window_put(w, pipe, queue, WINDOW(CP_HQD_DEQUEUE_REQUEST), type);
    UNTIL(w, (window_get(w, pipe, queue, WINDOW(CP_HQD_ACTIVE)) & 1) == 0);
    assert_int_equal(window_get(w, pipe, queue, WINDOW(CP_HQD_DEQUEUE_REQUEST)) & 7, 0);
    UNTIL(w, !front_out(w, pipe)->mqd.busy);
    steps(w, 20);
    assert_int_equal(host_get(w, EVENTS(EOP_STATUS) + 4 * (uint32_t)(pipe / 4)) >> (8 * (pipe % 4) + queue) & 1, 1);
    assert_int_equal(host_get(w, EVENTS(INT_CTXID) + 4 * (uint32_t)(8 * pipe + queue)), type);
}

// A grid, cut `inside` an indirect buffer or in the ring, is dequeued with `type` and goes on in another slot.
static void moves(uint32_t type, bool by_register, bool inside)
{
    const int from = 1, to = LAST_PIPE != 0 ? 2 : 3;
    world     w;
    world_open(&w);
    program(&w, 1, 60);
    make_mqd(&w, 0, from, MQD);
    account_remap(session_account(w.s), 0, from);
    if (by_register)
        map_register(&w, 0, from);
    else
        driver_load(&w, 0, from);
    on(&w, 0, from);
    shape(&w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
    if (inside) {
        const uint32_t ib[] = {TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4), WIDTH, HEIGHT, 1, AT_ZERO, NOP1};
        for (unsigned n = 0; n < 6; n++)
            set(&w, WORLD_BUFFER + 4 * n, ib[n]);
        PACKET(&w, INDIRECT_BUFFER, WORLD_BUFFER, 0, 1u << 23 | 6);
    } else {
        dispatch(&w, WIDTH, HEIGHT, 1);
    }
    fence(&w, 1, 0, OUT, 77, 0);
    UNTIL(&w, (window_get(&w, 0, from, WINDOW(STATE)) & 1) != 0); // mapped, or its registers are coming
    doorbell(&w, 0, from);
    UNTIL(&w, count_of(&w, GRANT, 0, from, 0) > 7);
    dequeue(&w, 0, from, type);

    const unsigned before = count_of(&w, GRANT, 0, from, 0);
    assert_in_range(before, 8, WIDTH * HEIGHT - 1);
    assert_int_equal(mqd(&w, 0), 0xC0310800);
    assert_int_equal(mqd(&w, 130), 0);
    assert_int_equal(mqd(&w, 132), 0x8be05301);
    assert_int_equal(mqd(&w, 2), WIDTH);
    assert_int_equal(mqd(&w, 3), HEIGHT);
    assert_int_equal(mqd(&w, 8), 64 * TOTEM_SLOTS / 4);
    assert_int_equal(mqd(&w, 182), w.written[0][from]);
    assert_int_equal(mqd(&w, 149), inside ? 0x80b00000u | 6 : 0x00b00000u);
    if (inside)
        assert_int_equal(mqd(&w, 146), WORLD_BUFFER);
    if (type != 4)
        assert_int_equal(front_out(&w, 0)->flight.waves[from], 0);

    account_move(session_account(w.s), 0, from, LAST_PIPE, to);
    if (by_register)
        map_register(&w, LAST_PIPE, to);
    else
        driver_load(&w, LAST_PIPE, to);
    UNTIL(&w, get(&w, OUT) == 77);
    assert_int_equal(before + count_of(&w, GRANT, LAST_PIPE, to, 0), WIDTH * HEIGHT);
    assert_int_equal(count_of(&w, RESUMED, LAST_PIPE, to, 0), 1);
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

TEST(queue_moves_by_drain)
{
    moves(1, false, false);
    moves(3, true, false);
}

TEST(queue_moves_by_leave)
{
    moves(4, false, false);
    moves(4, true, false);
}

// A grid of queue 1, in the ring or `inside` an indirect buffer, and a fence behind it, with the queue that is mapped.
static void grid_and_fence(world *w, bool inside, uint32_t value)
{
    on(w, 0, 1);
    shape(w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
    if (inside) {
        const uint32_t ib[] = {NOP1, TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4), WIDTH, HEIGHT, 1, AT_ZERO, NOP1};
        for (unsigned n = 0; n < 7; n++)
            set(w, WORLD_BUFFER + 4 * n, ib[n]);
        PACKET(w, INDIRECT_BUFFER, WORLD_BUFFER, 0, 1u << 23 | 7);
    } else {
        dispatch(w, WIDTH, HEIGHT, 1);
    }
    fence(w, 1, 0, OUT, value, 0);
    UNTIL(w, mapped(w, 0, 1));
    doorbell(w, 0, 1);
}

// It goes on where only memory has the write pointer: the driver writes what it guesses, as amdgpu does (the read pointer, or that and two
// rings where the ring may have wrapped), and asks for one poll. A grid of the ring waits for the pointer, one of a buffer does not.
TEST(grid_waits_for_a_one_shot)
{
    enum { POINTER = OUT + 0x800, ROWS = 8 };
    for (unsigned row = 0; row < ROWS; row++) {
        const bool inside = row & 1, wrapped = row & 2, slow = row & 4;
        world      w;
        world_open_with(&w, slow ? 400 : 20, NULL, 0);
        program(&w, 1, 60);
        make_mqd(&w, 0, 1, MQD);
        account_remap(session_account(w.s), 0, 1);
        driver_load(&w, 0, 1);
        grid_and_fence(&w, inside, 77);
        UNTIL(&w, count_of(&w, GRANT, 0, 1, 0) > 7);
        dequeue(&w, 0, 1, 1);
        const unsigned before = count_of(&w, GRANT, 0, 1, 0);

        account_move(session_account(w.s), 0, 1, 0, 2);
        set(&w, POINTER, w.written[0][1]);
        driver_begins(&w, 0, 2);
        window_put(&w, 0, 2, WINDOW(CP_HQD_PQ_WPTR_LO), mqd(&w, 138) + (wrapped ? 2 * WORLD_SIZE : 0));
        window_put(&w, 0, 2, WINDOW(CP_HQD_PQ_WPTR_HI), 0);
        window_put(&w, 0, 2, WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR), POINTER);
        window_put(&w, 0, 2, WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR_HI), 0);
        host_put(&w, MACHINE(CP_PQ_WPTR_POLL_CNTL1), 1u << 2);
        driver_ends(&w, 0, 2);
        UNTIL(&w, get(&w, OUT) == 77);
        assert_int_equal(before + count_of(&w, GRANT, 0, 2, 0), WIDTH * HEIGHT);
        assert_int_equal(count_of(&w, RESUMED, 0, 2, 0), 1);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// MQD and open buffer of a queue lie where bits 47:40 are ADDRESS_HIGH: at the memory port bit 39 stands for them. The
// saved window and the saved buffer have 48 bits again, so another slot goes on from them. The low addresses keep what
// they had.
TEST(upper_mqd_and_buffer_move)
{
    enum { HIGH = 0x7f };
    static const uint64_t upper = (uint64_t)HIGH << 40, port = UINT64_C(1) << 39;
    const uint32_t        ib[] = {TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4), WIDTH, HEIGHT, 1, AT_ZERO, NOP1};
    world                 w;
    world_open(&w);
    host_put(&w, MACHINE(ADDRESS_HIGH), HIGH);
    program(&w, 1, 60);
    driver_queue q = world_queue(0, 1, 3);
    uint32_t     image[DRIVER_MQD];
    q.mqd         = upper + MQD;
    q.rptr_report = upper + OUT + 0x800;
    driver_image(&q, true, image);
    for (uint32_t n = 0; n < DRIVER_MQD; n++)
        set(&w, port + MQD + 4 * (uint64_t)n, image[n]);
    for (unsigned n = 0; n < COUNT(ib); n++)
        set(&w, port + WORLD_BUFFER + 4 * n, ib[n]);
    account_remap(session_account(w.s), 0, 1);
    for (uint32_t to = 1; to < 3; to++) {
        set(&w, port + MQD + 4 * 143, get(&w, port + MQD + 4 * 143) | 1u << 30); // DOORBELL_EN
        window_put(&w, 0, (int)to, WINDOW(CP_MQD_BASE_ADDR_HI), HIGH << 8);
        window_put(&w, 0, (int)to, WINDOW(MAP), MQD);
        if (to == 2)
            break;
        on(&w, 0, 1);
        shape(&w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
        PACKET(&w, INDIRECT_BUFFER, WORLD_BUFFER, HIGH << 8, 1u << 23 | COUNT(ib));
        fence(&w, 1, 0, OUT, 77, 0);
        UNTIL(&w, mapped(&w, 0, 1));
        doorbell(&w, 0, 1);
        UNTIL(&w, count_of(&w, GRANT, 0, 1, 0) > 7);
        dequeue(&w, 0, 1, 1);
        assert_int_equal(get(&w, port + MQD + 4 * 129), HIGH << 8);
        assert_int_equal(get(&w, port + MQD + 4 * 146), WORLD_BUFFER);
        assert_int_equal(get(&w, port + MQD + 4 * 147), HIGH << 8);
        assert_int_equal(get(&w, port + MQD + 4 * 149), 0x80b00000u | COUNT(ib));
        assert_int_equal(mqd(&w, 132), 0);
        account_move(session_account(w.s), 0, 1, 0, 2);
    }
    UNTIL(&w, get(&w, OUT) == 77);
    assert_int_equal(count_of(&w, GRANT, 0, 1, 0) + count_of(&w, GRANT, 0, 2, 0), WIDTH * HEIGHT);
    assert_int_equal(count_of(&w, RESUMED, 0, 2, 0), 1);
    UNTIL(&w, get(&w, port + OUT + 0x800) == w.written[0][1]);
    assert_int_equal(errors(&w), 0);
    window_put(&w, 0, 3, WINDOW(CP_MQD_BASE_ADDR_HI), 0x7e00); // register MAP: a record, nothing is mapped
    window_put(&w, 0, 3, WINDOW(MAP), MQD);
    UNTIL(&w, errors(&w) == 1);
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD);
    assert_int_equal(last_error(&w).word, 0x7e00);
    assert_false(mapped(&w, 0, 3));
    world_close(&w);
}

TEST(open_buffer_moves)
{
    moves(1, false, true);
    moves(4, true, true);
}

static void window_is_that_of_the_mqd(world *w)
{
    static const uint32_t dwords[] = {4, 10, 18, 19, 20, 21, 54};
    for (unsigned n = 0; n < COUNT(dwords); n++)
        assert_int_equal(window_get(w, 0, 1, dwords[n]), mqd(w, 128 + dwords[n]));
}

// Saved and mapped again in the same slot, by ACTIVE alone: the window is that of the MQD, so the queue goes on where it
// stopped, with nothing left, inside a grid, inside a buffer; what is left of an earlier grid or buffer is not taken up again.
TEST(same_slot_again)
{
    for (int n = 0; n < 4; n++) {
        const bool inside = n & 1, fresh = n & 2;
        world      w;
        world_open(&w);
        program(&w, 1, 60);
        make_mqd(&w, 0, 1, MQD);
        account_remap(session_account(w.s), 0, 1);
        if (fresh)
            driver_load(&w, 0, 1);
        else
            map_register(&w, 0, 1);
        for (uint32_t turn = 0; turn < 3; turn++) {
            unsigned groups = 0;
            w.count         = 0;
            grid_and_fence(&w, inside, 70 + turn);
            for (unsigned cut = 0; cut < 2; cut++) { // twice in every grid
                groups += 9;
                UNTIL(&w, count_of(&w, GRANT, 0, 1, 0) > groups);
                assert_false(get(&w, OUT) == 70 + turn);
                dequeue(&w, 0, 1, turn == 1 ? 4 : 1);
                assert_int_equal(mqd(&w, 132), 0x8be05301);
                assert_int_equal(mqd(&w, 149) >> 31, inside);
                window_is_that_of_the_mqd(&w);
                window_put(&w, 0, 1, WINDOW(CP_HQD_ACTIVE), 1);
            }
            UNTIL(&w, get(&w, OUT) == 70 + turn);
            UNTIL(&w, rptr(&w, 0, 1) == w.written[0][1]);
            assert_int_equal(count_of(&w, GRANT, 0, 1, 0), WIDTH * HEIGHT);
            assert_int_equal(count_of(&w, RESUMED, 0, 1, 0), 2);
            dequeue(&w, 0, 1, 1); // with nothing left
            assert_int_equal(mqd(&w, 132), 0x0be05301);
            window_is_that_of_the_mqd(&w);
            assert_int_equal(window_get(&w, 0, 1, WINDOW(CP_HQD_IB_CONTROL)) >> 31, 0);
            window_put(&w, 0, 1, WINDOW(CP_HQD_ACTIVE), 1);
        }
        UNTIL(&w, mapped(&w, 0, 1));
        assert_int_equal(count_of(&w, GRANT, 0, 1, 0), WIDTH * HEIGHT);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// The upper half of the write pointer is stored and saved, and compared with nothing.
TEST(upper_half_of_the_write_pointer)
{
    enum { UPPER = WINDOW(CP_HQD_PQ_WPTR_HI) };
    world w;
    world_open(&w);
    make_mqd(&w, 0, 1, MQD);
    set_mqd(&w, 128 + UPPER, 0x80000001);
    account_remap(session_account(w.s), 0, 1);
    driver_load(&w, 0, 1);
    on(&w, 0, 1);
    for (uint32_t turn = 0; turn < 2; turn++) {
        assert_int_equal(window_get(&w, 0, 1, UPPER), turn ? 0xffffffffu : 0x80000001u);
        write_word(&w, OUT, 1 + turn);
        doorbell(&w, 0, 1);
        UNTIL(&w, get(&w, OUT) == 1 + turn);
        window_put(&w, 0, 1, UPPER, 0xffffffff); // a live dword
        dequeue(&w, 0, 1, 1);
        assert_int_equal(mqd(&w, 128 + UPPER), 0xffffffff);
        assert_int_equal(mqd(&w, 128 + WINDOW(CP_HQD_PQ_WPTR_LO)), w.written[0][1]);
        window_put(&w, 0, 1, WINDOW(CP_HQD_ACTIVE), 1);
        UNTIL(&w, mapped(&w, 0, 1));
    }
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

// Where the MQD has not everything, the window shows what was open, and cannot be mapped as it is.
TEST(lost_state_is_not_mapped)
{
    for (int n = 0; n < 4; n++) {
        const bool   described = n & 1, inside = n & 2;
        memory_fault fault = {.address = MQD + 4 * 140, .kind = MEMORY_WRITE_SLVERR};
        world        w;
        world_open_with(&w, 20, &fault, 1);
        program(&w, 1, 60);
        make_mqd(&w, 0, 1, MQD);
        if (!described) {
            set_mqd(&w, 128, 0);
            set_mqd(&w, 132, 0x0be05300);
        }
        account_remap(session_account(w.s), 0, 1);
        driver_load(&w, 0, 1);
        grid_and_fence(&w, inside, 70);
        UNTIL(&w, count_of(&w, GRANT, 0, 1, 0) > 9);
        dequeue(&w, 0, 1, 4);
        assert_int_equal(errors(&w), described);
        const unsigned cut = count_of(&w, GRANT, 0, 1, 0);
        assert_in_range(cut, 10, WIDTH * HEIGHT - 1);
        assert_int_equal(window_get(&w, 0, 1, WINDOW(CP_HQD_PERSISTENT_STATE)), 0x8be05300);
        assert_int_equal(window_get(&w, 0, 1, WINDOW(CP_HQD_IB_CONTROL)) >> 31, inside);
        if (inside)
            assert_int_equal(window_get(&w, 0, 1, WINDOW(CP_HQD_IB_BASE_ADDR)), WORLD_BUFFER + 4);
        assert_int_not_equal(host_try(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE)), 1), 0);
        UNTIL(&w, errors(&w) == described + 1u);
        assert_int_equal(last_error(&w).code, TOTEM_ERROR_HOST_MAP_STATE);
        // The driver begins anew behind it.
        window_put(&w, 0, 1, WINDOW(CP_HQD_PERSISTENT_STATE), 0x0be05300);
        if (inside && !described)
            assert_int_not_equal(host_try(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE)), 1), 0);
        window_put(&w, 0, 1, WINDOW(CP_HQD_IB_CONTROL), 0x00b00000);
        window_put(&w, 0, 1, WINDOW(CP_HQD_PQ_RPTR), w.written[0][1]);
        account_drop(session_account(w.s), 0, 1);
        account_remap(session_account(w.s), 0, 1);
        UNTIL(&w, front_out(&w, 0)->flight.waves[1] == 0);
        window_put(&w, 0, 1, WINDOW(CP_HQD_ACTIVE), 1);
        grid_and_fence(&w, false, 71);
        UNTIL(&w, get(&w, OUT) == 71);
        assert_int_equal(count_of(&w, GRANT, 0, 1, 0), cut + WIDTH * HEIGHT);
        assert_int_equal(count_of(&w, RESUMED, 0, 1, 0), 0);
        world_close(&w);
    }
}

// The last register of a preload may have to wait in the bank, here for the clear of another queue that is being mapped. The
// queue becomes active behind it: what its registers say is derived, and its grid runs.
TEST(last_register_is_waited_for)
{
    enum { FIRST = 1, SECOND = 2, NEAR_THE_END = 50, FROM = 26, TO = 44 };
    unsigned held = 0;
    for (unsigned late = FROM; late < TO; late++) {
        const driver_queue q = world_queue(0, SECOND, 3);
        uint32_t           image[DRIVER_MQD];
        world              w;
        world_open(&w);
        make_mqd(&w, 0, FIRST, MQD);
        account_remap(session_account(w.s), 0, FIRST);
        driver_image(&q, false, image);
        for (uint32_t n = 0; n < 56; n++)
            window_put(&w, 0, SECOND, n, image[DRIVER_WINDOW + n]);
        driver_load(&w, 0, FIRST);
        const totem_mqd *m = &session_model(w.s)->fe[0].pipe[0].front.mqd;
        UNTIL(&w, m->job == 1 && m->dword == NEAR_THE_END);
        steps(&w, late);
        host_write(session_host(w.s), now(&w), driver_window(0, SECOND, WINDOW(CP_HQD_ACTIVE)), 1);
        while (!mapped(&w, 0, FIRST)) {
            held += m->phase == MQD_DRAIN && !front_out(&w, 0)->bank.mqd_ready;
            steps(&w, 1);
        }
        on(&w, 0, FIRST);
        shape(&w, 64, 1, 1, 0);
        dispatch(&w, 3, 1, 1);
        fence(&w, 1, 0, OUT, 77, 0);
        doorbell(&w, 0, FIRST);
        UNTIL(&w, get(&w, OUT) == 77);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
    assert_true(held > 100);
}

TEST(failed_preload_refuses)
{
    memory_fault fault = {.address = MQD + 4 * 40, .kind = MEMORY_READ_SLVERR};
    world        w;
    world_open_with(&w, 20, &fault, 1);
    make_mqd(&w, 0, 0, MQD);
    driver_load(&w, 0, 0);
    UNTIL(&w, errors(&w) == 1);
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_READ_SLVERR);
    UNTIL(&w, (window_get(&w, 0, 0, WINDOW(CP_HQD_ACTIVE)) & 1) == 0);
    assert_false(mapped(&w, 0, 0));
    world_close(&w);
}

TEST(illegal_descriptor_is_refused_by_map)
{
    world w;
    world_open(&w);
    make_mqd(&w, 0, 0, MQD);
    set_mqd(&w, 133, 3);
    map_register(&w, 0, 0);
    UNTIL(&w, errors(&w) == 1);
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY);
    steps(&w, 10);
    assert_false(mapped(&w, 0, 0));
    assert_int_equal(host_try(&w, driver_window(0, 0, WINDOW(MAP)), MQD + 4), 2);
    world_close(&w);
}

TEST(dequeue_calls_a_mapping_off)
{
    world w;
    world_open(&w);
    make_mqd(&w, 0, 0, MQD);
    driver_load(&w, 0, 0);
    assert_false(mapped(&w, 0, 0));
    assert_int_equal(reason(queue_state(&w, 0, 0)), 10);
    dequeue(&w, 0, 0, 4);
    assert_false(mapped(&w, 0, 0));
    assert_int_equal(mqd(&w, 132), 0x0be05301);
    driver_load(&w, 0, 0);
    window_put(&w, 0, 0, WINDOW(CP_HQD_ACTIVE), 0);
    UNTIL(&w, (window_get(&w, 0, 0, WINDOW(CP_HQD_ACTIVE)) & 1) == 0);
    assert_false(mapped(&w, 0, 0));
    world_close(&w);
}

// An image that says ACTIVE is 1, as a driver may leave it: the slot is mapped when its window is in place, and with all checks.
TEST(image_with_active_set)
{
    world w;
    for (int bad = 0; bad <= 1; bad++) {
        world_open(&w);
        make_mqd(&w, 0, 1, MQD);
        set_mqd(&w, 130, 1);
        set_mqd(&w, 181, (uint32_t)bad); // AQL
        account_remap(session_account(w.s), 0, 1);
        map_register(&w, 0, 1);
        if (bad) {
            UNTIL(&w, errors(&w) == 1);
            assert_int_equal(last_error(&w).code, TOTEM_ERROR_DESCRIPTOR_AQL);
            steps(&w, 100);
            assert_false(mapped(&w, 0, 1));
        } else {
            UNTIL(&w, mapped(&w, 0, 1));
            on(&w, 0, 1);
            write_word(&w, OUT, 7);
            doorbell(&w, 0, 1);
            UNTIL(&w, get(&w, OUT) == 7);
            assert_int_equal(rptr(&w, 0, 1), 5);
            dequeue(&w, 0, 1, 1);
            assert_int_equal(mqd(&w, 130), 0);
        }
        world_close(&w);
    }
}

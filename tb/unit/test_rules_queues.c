// SPDX-License-Identifier: Apache-2.0
//
// Rules of docs/queue.md on the whole model: which queue runs, when it is replaced, how a dispatch is cut and resumed,
// flushes, epochs, fences, indirect buffers, waits. Expectations are those of the contracts.
// Configuration: full, because a grid that is cut has holes only where several engines take from it.

#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { OUT = WORLD_DATA + 0x1000 };

static bool all_read(const world *w)
{
    for (int p = 0; p < WORLD_PIPES; p++)
        for (int q = 0; q < TOTEM_QUEUES; q++)
            if (rptr(w, p, q) != w->written[p][q])
                return false;
    return true;
}

// ---- dispatches that are cut

// Restart state by the grants alone: lowest id not granted, and which of the seven behind it are.
static uint32_t expect_restart(const world *w, int queue, uint32_t width, uint32_t height)
{
    bool     granted[4096] = {false};
    uint32_t low = 0, mask = 0;
    for (unsigned n = 0; n < w->count; n++)
        if (w->events[n].kind == GRANT && w->events[n].queue == queue)
            granted[(uint32_t)w->events[n].value + width * (uint32_t)(w->events[n].value >> 32)] = true;
    while (granted[low])
        low++;
    for (uint32_t n = 0; n < 7; n++)
        mask |= (uint32_t)granted[low + 1 + n] << n;
    const totem_bank_out *b = &front_out(w, 0)->bank;
    assert_true(low < width * height);
    assert_int_equal(b->restart, (uint64_t)(low / width) << 32 | low % width);
    assert_int_equal(b->restart_mask, mask);
    return mask;
}

RULE(preempted_dispatch_resumes_exactly)
{
    enum { WIDTH = 9, HEIGHT = 12, TIMES = 5 };
    uint32_t masks = 0;
    // Engines of different speed, so that ids are granted out of order.
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++)
        host_put(w, TOTEM_REG_ENGINE_BASE + e * TOTEM_REG_ENGINE_STRIDE + 4, 40 + 150 * e);
    program(w, 2, 5);
    map(w, 0, 0, 1);
    map(w, 0, 1, 9);
    on(w, 0, 0);
    shape(w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
    SET_SH(w, 4, 3, 2, 1); // COMPUTE_START, which a dispatch with FORCE_START_AT_000 does not look at
    const uint32_t at = position(w);
    dispatch(w, WIDTH, HEIGHT, 1);
    fence(w, 1, 0, OUT, 77, 0);
    doorbell(w, 0, 0);
    on(w, 0, 1);
    shape(w, 100, 2, 3, 2);
    for (unsigned k = 0; k < TIMES; k++) {
        const unsigned grants = count_of(w, GRANT, 0, 0, 0);
        UNTIL(w, count_of(w, GRANT, 0, 0, 0) > grants + 5 + k);
        const unsigned from = w->count;
        dispatch(w, 3, 1, 1);
        doorbell(w, 0, 1);
        UNTIL(w, count_of(w, LEFT, 0, 0, from) == 1);
        assert_int_equal(rptr(w, 0, 0), at);
        const unsigned left = w->count;
        UNTIL(w, count_of(w, STARTED, 0, 1, from) == 1);
        assert_true(front_out(w, 0)->execute.unfinished[0]);
        UNTIL(w, front_out(w, 0)->execute.start && front_out(w, 0)->execute.start_resume);
        assert_int_equal(count_of(w, GRANT, 0, 0, left), 0); // what was granted was granted before it left
        assert_int_equal(count_of(w, GRANT, 0, 1, from), 3);
        masks |= expect_restart(w, 0, WIDTH, HEIGHT);
        step(w);
    }
    UNTIL(w, all_read(w));
    assert_int_equal(count_of(w, GRANT, 0, 0, 0), WIDTH * HEIGHT);
    assert_int_equal(count_of(w, STARTED, 0, 0, 0), 1);
    assert_int_equal(count_of(w, RESUMED, 0, 0, 0), TIMES);
    UNTIL(w, get(w, OUT) == 77);
    assert_int_equal(account_sum(session_account(w->s)).ended, account_sum(session_account(w->s)).waves);
    assert_int_equal(masks != 0, TOTEM_SE_COUNT > 1);
}

// The walk begins at COMPUTE_START, and a resumed grid wraps to it.
RULE(resumed_grid_keeps_its_start)
{
    program(w, 1, 60);
    map(w, 0, 0, 1);
    map(w, 0, 1, 9);
    on(w, 0, 0);
    shape(w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
    one_engine(w);
    SET_SH(w, 4, 3, 2, 1);
    PACKET(w, DISPATCH_DIRECT, 6, 6, 4, 1); // 3 x 4 x 3 groups
    doorbell(w, 0, 0);
    for (int k = 0; k < 3; k++) {
        const unsigned grants = count_of(w, GRANT, 0, 0, 0);
        UNTIL(w, count_of(w, GRANT, 0, 0, 0) == grants + 7);
        give_nop(w, 0, 1);
        UNTIL(w, selected(w, 0, 1));
        // COMPUTE_START belongs to the queue; the other one has its own.
        UNTIL(w, selected(w, 0, 0));
    }
    UNTIL(w, all_read(w));
    uint32_t n = 0;
    for (unsigned k = 0; k < w->count; k++)
        if (w->events[k].kind == GRANT) { // one engine: in the order of the walk
            const uint64_t id = (uint64_t)(1 + n / 12) << 48 | (uint64_t)(2 + n / 3 % 4) << 32 | (3 + n % 3);
            assert_int_equal(w->events[k].value, id);
            n++;
        }
    assert_int_equal(n, 36);
    assert_true(count_of(w, RESUMED, 0, 0, 0) >= 2);
}

RULE(cut_inside_an_indirect_buffer)
{
    program(w, 1, 80);
    map(w, 0, 0, 1);
    map(w, 0, 1, 9);
    on(w, 0, 0);
    w->buffer = WORLD_BUFFER + 20;
    shape(w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
    const uint64_t at = w->buffer;
    dispatch(w, 5 * TOTEM_SE_COUNT, 2, 1);
    write_word(w, OUT, 1);
    const uint32_t size = (uint32_t)(w->buffer - WORLD_BUFFER - 20) / 4;
    w->buffer           = 0;
    PACKET(w, INDIRECT_BUFFER, WORLD_BUFFER + 20, 0, size | 1u << 23);
    write_word(w, OUT + 8, 2);
    doorbell(w, 0, 0);
    UNTIL(w, count_of(w, GRANT, 0, 0, 0) > 2);
    assert_int_equal(rptr(w, 0, 0), 4); // behind the packet that opened the buffer
    give_write(w, 0, 1, OUT + 16, 3);
    UNTIL(w, count_of(w, LEFT, 0, 0, 0) == 1);
    assert_int_equal(front_out(w, 0)->fetch.position, at);
    assert_true(front_out(w, 0)->fetch.in_buffer);
    UNTIL(w, get(w, OUT + 16) == 3);
    assert_int_equal(get(w, OUT), 0);
    UNTIL(w, all_read(w) && get(w, OUT + 8) == 2);
    assert_int_equal(get(w, OUT), 1);
    assert_int_equal(count_of(w, RESUMED, 0, 0, 0), 1);
}

// Condition 7: the rest of the grid is dropped, closed fences complete, nobody else notices.
RULE(active_cleared_inside_a_dispatch)
{
    w->unfinished = true;
    program(w, 1, 400);
    program(w, 2, 3);
    map(w, 0, 0, 5);
    map(w, 0, 1, 5);
    on(w, 0, 0);
    grid(w, 1, 2);
    fence(w, 1, 0, OUT, 11, 0);
    shape(w, 64 * TOTEM_SLOTS / 4, 1, 1, 0);
    const uint32_t at = position(w);
    dispatch(w, 7 * TOTEM_SE_COUNT, 1, 1);
    fence(w, 1, 0, OUT + 8, 12, 0);
    doorbell(w, 0, 0);
    on(w, 0, 1);
    shape(w, 100, 2, 2, 1);
    dispatch(w, 4, 2, 1);
    fence(w, 1, 0, OUT + 16, 13, 0);
    doorbell(w, 0, 1);
    UNTIL(w, count_of(w, GRANT, 0, 0, 0) == 4);
    assert_int_equal(get(w, OUT), 0); // its waves still run
    clear_active(w, 0, 0);
    UNTIL(w, count_of(w, LEFT, 0, 0, 0) == 1);
    const unsigned from = w->count;
    UNTIL(w, get(w, OUT + 16) == 13 && get(w, OUT) == 11);
    UNTIL(w, session_idle(w->s));
    const unsigned granted = count_of(w, GRANT, 0, 0, 0);
    assert_true(granted < 2 + 7 * TOTEM_SE_COUNT);
    assert_int_equal(count_of(w, GRANT, 0, 0, from), 0);
    assert_int_equal(count_of(w, GO, 0, 0, from), 0);
    assert_int_equal(count_of(w, GRANT, 0, 1, 0), 8);
    assert_int_equal(get(w, OUT + 8), 0);
    assert_int_equal(window_get(w, 0, 0, WINDOW(CP_HQD_PQ_RPTR)), at);
    assert_int_equal(window_get(w, 0, 0, WINDOW(CP_HQD_PQ_WPTR_LO)), w->written[0][0]);
    assert_int_equal(reason(queue_state(w, 0, 0)), WINDOW(STATE_REASON_UNMAPPED));
    assert_int_equal(host_get(w, MACHINE(STATUS)) & 1, 1);

    // Mapped again behind all that, the slot works.
    map_again(w, 0, 0, 5);
    give_write(w, 0, 0, OUT + 24, 14);
    UNTIL(w, get(w, OUT + 24) == 14);
}

// ---- flush, epochs, fences

static uint64_t get64(const world *w, uint64_t address)
{
    return (uint64_t)get(w, address + 4) << 32 | get(w, address);
}

// A fence waits for what came before it and for nothing later; its timestamp is taken then.
RULE(fence_waits_for_its_epoch_only)
{
    enum { FIRST = 300, SECOND = 4000 };
    program(w, 1, FIRST);
    program(w, 2, SECOND);
    map_on(w, 0, 0, 3);
    for (uint32_t n = 0; n < 2; n++) {
        grid(w, 1 + n, 2 + n);
        fence(w, 3 + n, 0, OUT + 8 * n, 0, 0);
    }
    doorbell(w, 0, 0);
    UNTIL(w, get64(w, OUT));
    assert_int_equal(account_sum(session_account(w->s)).ended, 2);
    UNTIL(w, get64(w, OUT + 8));
    assert_int_equal(account_sum(session_account(w->s)).ended, 5);
    assert_true(get64(w, OUT) >= find_event(w, LAUNCH, 0, 0, 0)->clock + FIRST);
    assert_true(get64(w, OUT + 8) > get64(w, OUT) + SECOND - FIRST);
    assert_true(get64(w, OUT + 8) < session_out(w->s)->host.clock);
}

// Fences by data_sel, each with bytes of its own, and words of WRITE_DATA.
RULE(what_packets_write)
{
    enum { E = 0xeeeeeeee };
    static const uint32_t expected[] = {E, E, 0x44444444, E, E, 0x66666666, 0x88888888, 0x77777777,
                                        1, 2, 3,          E, 6, E,          7,          E};
    for (uint32_t n = 0; n < COUNT(expected); n++)
        set(w, OUT + 4 * n, E);
    map_on(w, 0, 0, 3);
    fence(w, 0, 0, OUT, 0x1111111122222222u, 0);
    fence(w, 1, 0, OUT + 8, 0x3333333344444444u, 0);
    fence(w, 1, 0, OUT + 20, 0x5555555566666666u, 0);
    fence(w, 2, 0, OUT + 28, 0x7777777788888888u, 0); // to the aligned 8 bytes
    PACKET(w, WRITE_DATA, 5u << 8, OUT + 32, 0, 1, 2, 3);
    PACKET(w, WRITE_DATA, 5u << 8 | 1u << 16, OUT + 48, 0, 4, 5, 6); // all to one address
    PACKET(w, WRITE_DATA, 2u << 8, OUT + 56, 0, 7);
    doorbell(w, 0, 0);
    UNTIL(w, session_idle(w->s) && all_read(w));
    for (uint32_t n = 0; n < COUNT(expected); n++)
        assert_int_equal(get(w, OUT + 4 * n), expected[n]);
}

// ---- packets

RULE(indirect_buffer_then_chain_then_ring)
{
    enum { SECOND = WORLD_BUFFER + 0x800 };
    map_on(w, 0, 0, 3);
    // The second buffer is longer than the four lines on chip; every write is to the same place, so their order shows.
    w->buffer = SECOND;
    write_word(w, OUT, 3);
    for (uint32_t n = 0; n < 90; n++)
        nop(w);
    wait_equal(w, OUT, 3);
    write_word(w, OUT, 4);
    const uint32_t second = (uint32_t)(w->buffer - SECOND) / 4;
    w->buffer             = WORLD_BUFFER + 4;
    wait_equal(w, OUT, 1);
    write_word(w, OUT, 2);
    wait_equal(w, OUT, 2);
    PACKET(w, INDIRECT_BUFFER, SECOND, 0, second | 1u << 20);
    write_word(w, OUT + 0x100, 99); // behind the chain: never executed
    const uint32_t first = (uint32_t)(w->buffer - WORLD_BUFFER - 4) / 4;
    w->buffer            = 0;
    write_word(w, OUT, 1);
    PACKET(w, INDIRECT_BUFFER, WORLD_BUFFER + 4, 0, first);
    wait_equal(w, OUT, 4);
    write_word(w, OUT, 5);
    doorbell(w, 0, 0);
    UNTIL(w, get(w, OUT) == 5);
    assert_int_equal(get(w, OUT + 0x100), 0);
    UNTIL(w, all_read(w));
    assert_false(front_out(w, 0)->fetch.in_buffer);
    assert_int_equal(errors(w), 0);
}

// ---- pointers

// The running numbers pass 0, the ring has 16 dwords; the read pointer is reported when the queue becomes empty, and
// before that each 64 dwords (RPTR_BLOCK_SIZE 5), to its 4 bytes.
RULE(pointers_wrap_and_are_reported)
{
    enum { SIZE = 16, FROM = -11, REPORT = OUT + 0x804 };
    driver_queue q  = world_queue(0, 0, 3);
    uint32_t     at = (uint32_t)FROM;
    q.size          = SIZE;
    q.rptr          = at;
    q.rptr_report   = REPORT;
    map_queue(w, &q);
    for (uint32_t n = 1; n <= 12; n++) { // packets of 5 dwords
        const uint32_t words[] = {TYPE3(TOTEM_OP_WRITE_DATA, 4), 5u << 8, OUT + 4 * n, 0, n};
        for (uint32_t k = 0; k < 5; k++)
            set(w, WORLD_RING + 4 * (uint64_t)((at + k) % SIZE), words[k]);
        at += 5;
        w->written[0][0] = at;
        doorbell(w, 0, 0);
        UNTIL(w, rptr(w, 0, 0) == at && get(w, OUT + 4 * n) == n);
    }
    UNTIL(w, get(w, REPORT) == at);
    clear_active(w, 0, 0);
    q             = world_queue(0, 0, 3);
    q.rptr_report = REPORT;
    map_queue(w, &q);
    on(w, 0, 0);
    nops(w, 70);
    wait_equal(w, OUT, 1); // not empty
    doorbell(w, 0, 0);
    UNTIL(w, get(w, REPORT) != at);
    assert_in_range(get(w, REPORT), 64, 70);
    set(w, OUT, 1);
    UNTIL(w, get(w, REPORT) == 77);
    assert_int_equal(get(w, REPORT - 4), 0);
}

// ---- who asks memory

// Areas of 64 KiB, in each of them 4 KiB for a pipe.
enum { WORDS_AT = OUT + 0x10000, WAITS_AT = OUT + 0x20000, REPORTS_AT = OUT + 0x30000, MQDS_AT = OUT + 0x40000 };
enum { SPILL = 3 * TOTEM_FE_PIPES + 1 }; // behind finish; of reads one more, behind two of tmd_load
enum { FENCES_AT = OUT + 0x50000, AREA_BITS = 16, AREAS = 6, RING_AREA = AREAS };

typedef struct {
    unsigned count[2][WORLD_PIPES][AREAS + 1]; // reads, writes
} accesses;

// Every access has the ID of its requester (docs/memory.md): rings are read by fetch, words of waits by poll, MQDs by
// mqd and spill; reports, WRITE_DATA and saves are streams of their own, fences have IDs from 8.
static void look_at_memory(const world *w, accesses *seen)
{
    static const char *const names[] = {"", "WRITE_DATA", "wait", "report", "MQD", "fence", "ring"};
    for (int n = 0; n < 2 * TOTEM_FE_COUNT; n++) {
        const totem_memory_out *m     = &session_out(w->s)->fe[n / 2].memory;
        const bool              write = n % 2;
        if (!(write ? m->m_axi_awvalid : m->m_axi_arvalid))
            continue;
        const uint64_t address = write ? m->m_axi_awaddr : m->m_axi_araddr;
        const int      id      = write ? m->m_axi_awid : m->m_axi_arid;
        const bool     ring    = address < OUT;
        const int      area    = ring ? RING_AREA : (int)((address - OUT) >> AREA_BITS);
        const int      pipe =
            ring ? (int)(address - WORLD_RING) / WORLD_STRIDE / TOTEM_QUEUES : (int)(address - OUT) >> 12 & 15;
        const int p    = pipe % TOTEM_PIPES;
        bool      good = pipe / TOTEM_PIPES == n / 2;
        switch (OUT + (area << AREA_BITS)) {
        case WORDS_AT: good = good && write && id == 2 * p + 1; break;
        case WAITS_AT: good = good && !write && id == 2 * p + 1; break;
        case REPORTS_AT: good = good && write && id == 2 * p; break;
        case MQDS_AT:
            good = good && (id == 2 * TOTEM_FE_PIPES + p || (TOTEM_TASKS && id == SPILL + !write) ||
                            (write && id >= TOTEM_MEMORY_FENCE_ID));
            break; // end records
        case FENCES_AT: good = good && write && id >= TOTEM_MEMORY_FENCE_ID; break;
        default: good = good && ring && !write && id == 2 * p;
        }
        if (!good)
            fail_msg("front end %d, %s of pipe %d: %s with ID %d", n / 2, names[area], pipe, write ? "write" : "read",
                     id);
        seen->count[write][pipe][area]++;
    }
}

#define LOOK_UNTIL(w, seen, condition)     \
    while (!(condition)) {                 \
        look_at_memory((w), (seen));       \
        step(w);                           \
        assert_true(now(w) < WORLD_LIMIT); \
    }

RULE(requesters_have_their_ids)
{
    accesses seen = {0};
    for (int p = 0; p < WORLD_PIPES; p++) {
        const uint32_t at = 0x1000 * (uint32_t)p;
        driver_queue   q  = world_queue(p, 0, 3);
        q.rptr_report     = REPORTS_AT + at;
        q.mqd             = MQDS_AT + at;
        put_mqd(w, &q, 0);
        account_remap(session_account(w->s), p, 0);
        driver_map_mqd(host(w), now(w), (uint32_t)p, 0, q.mqd);
        LOOK_UNTIL(w, &seen, front_out(w, p)->arbiter.active[0]);
        on(w, p, 0);
        set(w, WAITS_AT + at, 1);
        write_word(w, WORDS_AT + at, 1);
        wait_equal(w, WAITS_AT + at, 1);
        fence(w, 1, 0, FENCES_AT + at, 1, 0);
        driver_doorbell(host(w), now(w), (uint32_t)p, 0, w->written[p][0]);
    }
    for (int p = 0; p < WORLD_PIPES; p++) {
        LOOK_UNTIL(w, &seen, get(w, FENCES_AT + 0x1000 * (uint32_t)p) == 1);
        LOOK_UNTIL(w, &seen, get(w, REPORTS_AT + 0x1000 * (uint32_t)p) == w->written[p][0]);
        driver_ask_dequeue(host(w), now(w), (uint32_t)p, 0, 1);
        LOOK_UNTIL(w, &seen, !front_out(w, p)->arbiter.active[0]);
        LOOK_UNTIL(w, &seen, session_idle(w->s));
        for (unsigned area = 1; area <= RING_AREA; area++)
            assert_true(seen.count[0][p][area] || seen.count[1][p][area]);
        assert_true(seen.count[0][p][4] && seen.count[1][p][4]);
    }
}

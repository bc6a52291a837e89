// SPDX-License-Identifier: Apache-2.0
//
// Rules of docs/queue.md on the whole model: packets that wait without the pipe, that look at memory before they act,
// and that write queue priorities. Their errors: test_rules_errors.c.

#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { GATE = WORLD_DATA, OUT = WORLD_DATA + 0x1000, GRID = WORLD_DATA + 0x2000, SMART = 3 << 6 | 1 << 4 | 3 };

#define H(op, body) TYPE3(TOTEM_OP_##op, body)
#define PRIORITY(queue) (driver_window(0, (uint32_t)(queue), WINDOW(CP_HQD_QUEUE_PRIORITY)) / 4)

static void map_as(world *w, int queue, uint32_t priority, uint32_t quantum, bool privileged)
{
    driver_queue q = world_queue(0, queue, priority);
    q.quantum      = quantum;
    q.privileged   = privileged;
    map_queue(w, &q);
    on(w, 0, queue);
}

static void wait_as(world *w, uint32_t control, uint64_t address, uint32_t value, uint32_t interval)
{
    PACKET(w, WAIT_REG_MEM, control, (uint32_t)address, (uint32_t)(address >> 32), value, 0xffffffffu, interval);
}

static void write_priority(world *w, int queue, uint32_t value)
{
    PACKET(w, WRITE_DATA, TOTEM_WRITE_DST_REGISTER << 8, PRIORITY(queue), 0, value);
}

static bool waiting(const world *w, int queue)
{
    return front_out(w, 0)->poll.waiting[queue] && !selected(w, 0, queue);
}

// ---- smart wait

static void gives_the_pipe(world *w, uint32_t control, uint32_t interval)
{
    map_as(w, 0, 9, 0, false);
    nop(w);
    const uint32_t at = position(w);
    wait_as(w, control, GATE, 1, interval);
    write_word(w, OUT, 1);
    doorbell(w, 0, 0);
    UNTIL(w, waiting(w, 0));
    assert_int_equal(reason(queue_state(w, 0, 0)), WINDOW(STATE_REASON_WAIT));
    map_as(w, 1, 2, 0, false);
    nops(w, 400);
    const unsigned from = w->count;
    doorbell(w, 0, 1);
    UNTIL(w, rptr(w, 0, 1) >= 300);
    assert_int_equal(rptr(w, 0, 0), at);
    assert_int_equal(get(w, OUT), 0);
    set(w, GATE, 1);
    UNTIL(w, get(w, OUT) == 1);
    assert_false(read_up(w, 1)); // the better queue comes back at once
    UNTIL(w, read_up(w, 1));
    EXPECT_ORDER(w, 0, from, 1, 0, 1);
}

RULE(wait_gives_the_pipe_to_a_lower_queue)
{
    gives_the_pipe(w, SMART, 4);
}

// Operation 0 with optimize_ace_offload_mode.
RULE(offloaded_wait_gives_the_pipe_to_a_lower_queue)
{
    gives_the_pipe(w, SMART & ~(3 << 6), 1u << 31 | 4);
}

TEST(timer)
{
    static const uint32_t rows[] = {0, 1, 3000};
    for (unsigned r = 0; r < COUNT(rows); r++) {
        world w;
        world_open(&w);
        map_as(&w, 0, 9, 0, false);
        PACKET(&w, WAIT_TIMER, rows[r]);
        write_word(&w, OUT, 1);
        map_as(&w, 1, 1, 0, false);
        nops(&w, 20);
        doorbell(&w, 0, 0);
        doorbell(&w, 0, 1);
        UNTIL(&w, get(&w, OUT) == 1);
        if (rows[r] == 0) // passes at once
            for (const event *e = w.events; e->kind != EXECUTED || e->queue != 0; e++)
                assert_false(e->kind == LEFT && e->queue == 0);
        else {
            const event *left = find_event(&w, LEFT, 0, 0, 0);
            assert_true(left->clock < find_event(&w, EXECUTED, 0, 0, 0)->clock); // a wait without the pipe
            const unsigned after = (unsigned)(left - w.events) + 1;
            const uint64_t back  = find_event(&w, GO, 0, 0, after)->clock;
            assert_in_range(back - left->clock, rows[r], rows[r] + TOTEM_QUEUES + 12);
            if (rows[r] == 3000)
                assert_true(find_event(&w, GO, 0, 1, after)->clock < back);
        }
        UNTIL(&w, read_up(&w, 1));
        world_close(&w);
    }
}

// ---- forms of SET_SH_REG

// Threads of a group, and which engines, by the index form and by pairs: four waves, and none at all. An offset without
// a value, and a register outside the compute block, change nothing; the packet with that is counted.
TEST(registers_by_index_and_in_pairs)
{
    world w;
    world_open(&w);
    map_as(&w, 0, 7, 0, false);
    shape(&w, 64, 0, 1, 0);
    PACKET(&w, SET_SH_REG_INDEX, 3u << 28 | 0x207, 128, 1, 1);
    PACKET(&w, DISPATCH_DIRECT, 1, 1, 1, AT_ZERO);
    PACKET(&w, SET_SH_REG_PAIRS_PACKED_N, 2, 0x208 | 0x207 << 16, 2, 64, 0x209 | 0x207 << 16);
    PACKET(&w, DISPATCH_DIRECT, 1, 1, 1, AT_ZERO);
    PACKET(&w, SET_SH_REG_PAIRS_PACKED, 4, 0x208 | 0x1ff << 16, 1, 7, 0x207 | 0x209 << 16, 256, 1);
    PACKET(&w, DISPATCH_DIRECT, 1, 1, 1, AT_ZERO);
    write_word(&w, OUT, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT) == 1 && read_up(&w, 0));
    static const uint32_t waves[] = {2, 2, 4};
    for (uint32_t n = 0, from = 0; n < COUNT(waves); n++) {
        const event *e = find_event(&w, GRANT, 0, 0, from);
        assert_int_equal(e->waves, waves[n]);
        from = (uint32_t)(e - w.events) + 1;
    }
    const uint32_t tally = TOTEM_REG_TALLY_BASE;
    assert_int_equal(host_get(&w, tally + 4 * TOTEM_OP_SET_SH_REG_PAIRS_PACKED), 1);
    assert_int_equal(host_get(&w, tally + 4 * TOTEM_OP_SET_SH_REG_PAIRS_PACKED_N), 0);
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

// ---- copies

// From where COPY_DATA takes it and where it puts it: memory, the clock, registers of the window and of the bank.
TEST(copy_data)
{
    enum { WIDE = 1 << 16, TO_MEMORY = 5 << 8 };
    world w;
    world_open(&w);
    map_as(&w, 0, 7, 5, false);
    set(&w, GATE, 0x1234);
    set(&w, GATE + 4, 0x5678);
    shape(&w, 64, 0, 1, 0);
    PACKET(&w, COPY_DATA, 5 | TO_MEMORY | WIDE, 7, 8, OUT, 0);
    PACKET(&w, COPY_DATA, 1 | TO_MEMORY | WIDE, GATE, 0, OUT + 8, 0);
    PACKET(&w, COPY_DATA, 2 | TO_MEMORY, GATE + 4, 0, OUT + 20, 0); // 32 bits into an upper half
    PACKET(&w, COPY_DATA, 0 | TO_MEMORY | WIDE, PRIORITY(0), 0, OUT + 24, 0);
    PACKET(&w, COPY_DATA, 9 | TO_MEMORY | WIDE, 0, 0, OUT + 32, 0);
    PACKET(&w, COPY_DATA, 5 | WIDE, 128, 2, 0x2e07, 0); // threads in x and y
    PACKET(&w, COPY_DATA, 5, 3, 0, PRIORITY(0), 0);
    PACKET(&w, COPY_DATA, 0 | TO_MEMORY, 0x8000, 0, OUT + 40, 0); // counted
    PACKET(&w, COPY_DATA, 5, 3, 0, 0x8000, 0);                    // counted
    PACKET(&w, DISPATCH_DIRECT, 1, 1, 1, AT_ZERO);
    write_word(&w, OUT + 44, 1);
    const uint64_t before = now(&w);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT + 44) == 1 && read_up(&w, 0));
    static const uint32_t words[] = {7, 8, 0x1234, 0x5678, 0, 0x5678, 7};
    for (uint32_t n = 0; n < COUNT(words); n++)
        assert_int_equal(get(&w, OUT + 4 * n), words[n]);
    assert_int_equal(get(&w, OUT + 28), host_get(&w, 4 * (PRIORITY(0) + 1)));
    assert_in_range(get(&w, OUT + 32), before, now(&w));
    assert_int_equal(get(&w, OUT + 40), 0);
    assert_int_equal(find_event(&w, GRANT, 0, 0, 0)->waves, 4);
    assert_int_equal(host_get(&w, 4 * PRIORITY(0)), 3);
    assert_int_equal(host_get(&w, TOTEM_REG_TALLY_BASE + 4 * TOTEM_OP_COPY_DATA), 2);
    assert_int_equal(errors(&w), 0);
    world_close(&w);
}

// A fill, a copy, one to a port (daic), and a prefetch, which is counted. With cp_sync the next packet finds all written.
TEST(dma_data)
{
    enum { SYNC = 1u << 31, FILL = 2 << 29 };
    world w;
    world_open(&w);
    map_as(&w, 0, 7, 0, false);
    PACKET(&w, DMA_DATA, FILL, 0xabcd, 0, OUT, 0, 16);
    PACKET(&w, WRITE_DATA, 5 << 8, OUT + 4, 0, 1, 2);
    PACKET(&w, DMA_DATA, SYNC, OUT, 0, OUT + 0x100, 0, 16);
    PACKET(&w, COPY_DATA, 1 | 5 << 8, OUT + 0x108, 0, OUT + 0x200, 0);
    PACKET(&w, DMA_DATA, 3 << 29 | 3 << 20, OUT, 0, OUT + 0x204, 0, 1 << 29 | 12);
    PACKET(&w, DMA_DATA, 2 << 20, GATE, 0, 0, 0, 64);
    write_word(&w, OUT + 0x300, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT + 0x300) == 1 && read_up(&w, 0));
    static const uint32_t words[] = {0xabcd, 1, 2, 0xabcd, 0};
    for (uint32_t n = 0; n < COUNT(words); n++)
        assert_int_equal(get(&w, OUT + 0x100 + 4 * n), words[n]);
    assert_int_equal(get(&w, OUT + 0x200), 2);
    assert_int_equal(get(&w, OUT + 0x204), 2);
    assert_int_equal(get(&w, OUT + 0x208), 0);
    assert_int_equal(host_get(&w, TOTEM_REG_TALLY_BASE + 4 * TOTEM_OP_DMA_DATA), 1);
    world_close(&w);
}

// ---- atomics

enum { SWAP = TOTEM_ATOMIC_SWAP, COMPARE = TOTEM_ATOMIC_COMPARE_SWAP, ADD = TOTEM_ATOMIC_ADD, BITS_64 = 1 << 5 };

// What each makes of a word, of an upper half and of 64 bits; a loop waits until its comparison holds. The memory
// forgets most of what was read exclusively: those attempts are unsuccessful polls, and nothing is done twice.
TEST(atomics)
{
    enum { LOOP = TOTEM_ATOMIC_COMMAND_LOOP << 8 };
    for (uint32_t forgets = 0; forgets <= 200; forgets += 200) {
        const memory_options memory = {.seed = 1, .latency = 10, .forgets = forgets};
        world                w;
        world_open_memory(&w, &memory);
        map_as(&w, 0, 7, 0, false);
        set(&w, GATE, 5);
        set(&w, GATE + 4, ~0u);
        set(&w, GATE + 8, ~0u);
        set(&w, GATE + 12, 1);
        PACKET(&w, ATOMIC_MEM, SWAP, GATE, 0, 6, 0, 0, 0, 0);
        PACKET(&w, ATOMIC_MEM, ADD, GATE + 4, 0, 3, 9, 0, 0, 0);
        PACKET(&w, ATOMIC_MEM, ADD | BITS_64 | 1 << 6, GATE + 8, 0, 1, 1, 0, 0, 0);
        PACKET(&w, ATOMIC_MEM, COMPARE, GATE + 16, 0, 7, 0, 1, 0, 0);
        PACKET(&w, ATOMIC_MEM, COMPARE | BITS_64, GATE + 24, 0, 7, 8, 0, 1, 0);
        PACKET(&w, ATOMIC_MEM, COMPARE | BITS_64, GATE + 32, 0, 7, 8, 0, 0, 0);
        PACKET(&w, ATOMIC_MEM, COMPARE | LOOP, GATE + 40, 0, 7, 0, 2, 0, 0);
        write_word(&w, OUT, 1);
        doorbell(&w, 0, 0);
        steps(&w, 4000);
        assert_int_equal(get(&w, OUT), 0);
        set(&w, GATE + 40, 2);
        UNTIL(&w, get(&w, OUT) == 1);
        static const uint32_t words[] = {6, 2, 0, 3, 0, 0, 0, 0, 7, 8, 7};
        for (uint32_t n = 0; n < COUNT(words); n++)
            assert_int_equal(get(&w, GATE + 4 * n), words[n]);
        assert_int_equal(errors(&w), 0);
        world_close(&w);
    }
}

// An operation that Totem lacks, 64 bits across 8 bytes, and a memory without exclusive accesses.
TEST(atomics_refused)
{
    static const struct {
        uint32_t control, address;
        bool     shared;
        uint8_t  code;
    } rows[] = {{16, GATE, false, TOTEM_ERROR_PACKET_FEATURE},
                {ADD | 4 << 8, GATE, false, TOTEM_ERROR_PACKET_FEATURE},
                {ADD | BITS_64, GATE + 4, false, TOTEM_ERROR_PACKET_FEATURE},
                {ADD, GATE, true, TOTEM_ERROR_MEMORY_EXCLUSIVE}};
    for (uint32_t n = 0; n < COUNT(rows); n++) {
        const memory_options memory = {.seed = 1, .latency = 10, .shared = rows[n].shared};
        world                w;
        world_open_memory(&w, &memory);
        map_as(&w, 0, 7, 0, false);
        PACKET(&w, ATOMIC_MEM, rows[n].control, rows[n].address, 0, 6, 0, 0, 0, 0);
        doorbell(&w, 0, 0);
        UNTIL(&w, errors(&w) == 1);
        const session_error e = last_error(&w);
        assert_int_equal(e.code, rows[n].code);
        assert_int_equal(e.word, rows[n].shared ? rows[n].address : rows[n].control);
        assert_int_equal(get(&w, GATE), 0);
        driver_unmap(host(&w), now(&w), 0, 0);
        w.unfinished = true;
        world_close(&w);
    }
}

// Its write fails: the queue halts at the packet, which a RESUME executes again.
TEST(atomic_write_fails)
{
    memory_fault fault = {.address = GATE, .kind = MEMORY_WRITE_SLVERR};
    world        w;
    world_open_with(&w, 10, &fault, 1);
    map_as(&w, 0, 7, 0, false);
    set(&w, GATE, 5);
    const uint32_t at = position(&w);
    PACKET(&w, ATOMIC_MEM, ADD, GATE, 0, 1, 0, 0, 0, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, errors(&w) == 1);
    steps(&w, 200);
    assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
    assert_int_equal(rptr(&w, 0, 0), at);
    assert_int_equal(get(&w, GATE), 5);
    driver_resume(host(&w), now(&w), 0, 0);
    UNTIL(&w, read_up(&w, 0));
    assert_int_equal(get(&w, GATE), 6);
    world_close(&w);
}

// ---- registers from memory

// Values alone, and offsets with their values; one lies outside the compute block.
TEST(registers_from_memory)
{
    world w;
    world_open(&w);
    map_as(&w, 0, 7, 0, false);
    static const uint32_t values[] = {64, 2, 1, 0x207, 192, 0x1ff, 7, 0x208, 1};
    for (uint32_t n = 0; n < COUNT(values); n++)
        set(&w, GATE + 4 * n, values[n]);
    shape(&w, 64, 0, 1, 0);
    PACKET(&w, LOAD_SH_REG_INDEX, GATE, 0, 0x207, 3);
    PACKET(&w, DISPATCH_DIRECT, 1, 1, 1, AT_ZERO);
    PACKET(&w, LOAD_SH_REG_INDEX, GATE + 12, 0, 1u << 31, 3);
    PACKET(&w, DISPATCH_DIRECT, 1, 1, 1, AT_ZERO);
    write_word(&w, OUT, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT) == 1 && read_up(&w, 0));
    const event *first = find_event(&w, GRANT, 0, 0, 0);
    assert_int_equal(first->waves, 2);
    assert_int_equal(find_event(&w, GRANT, 0, 0, (unsigned)(first - w.events) + 1)->waves, 3);
    assert_int_equal(host_get(&w, TOTEM_REG_TALLY_BASE + 4 * TOTEM_OP_LOAD_SH_REG_INDEX), 1);
    world_close(&w);
}

// The upper half decides, once for a wait that keeps the pipe and once for one that gives it up.
TEST(wait_for_64_bits)
{
    for (uint32_t smart = 0; smart < 2; smart++) {
        world w;
        world_open(&w);
        map_as(&w, 0, 7, 0, false);
        set(&w, GATE, 5);
        PACKET(&w, WAIT_REG_MEM64, 0x13 | smart * (3 << 6), GATE, 0, 5, 2, ~0u, 0xff, 4);
        PACKET(&w, WAIT_REG_MEM64, 0x3, 0x8000, 0, 6, 1, ~0u, ~0u, 4); // a register that Totem does not have
        write_word(&w, OUT, 1);
        doorbell(&w, 0, 0);
        steps(&w, 600);
        assert_int_equal(get(&w, OUT), 0);
        set(&w, GATE + 4, 0x101); // 0x1_0000_0005 under the mask
        steps(&w, 600);
        assert_int_equal(get(&w, OUT), 0);
        set(&w, GATE + 4, 0x102); // equal under the mask alone
        UNTIL(&w, get(&w, OUT) == 1);
        world_close(&w);
    }
}

// ---- COND_EXEC, DISPATCH_INDIRECT

// Skipped: packets of the ring, or the rest of an indirect buffer. The address has bits that are ignored.
// A PRED_EXEC goes by the bit of this die alone: die 5, with bits 4 and 6, all but 5, 5 alone.
TEST(conditional_execution)
{
    static const uint32_t select[] = {0x50, 0xdf, 0x20};
    for (uint32_t n = 0; n < 6; n++)
        for (int inside = 0; inside < 2; inside++) {
            world          w;
            const bool     by_die = n >= 3;
            const uint32_t word   = by_die ? (n == 5) : n;
            world_open(&w);
            set(&w, GATE + 4, word ? 1u << (31 * (word - 1)) : 0);
            host_put(&w, MACHINE(QUEUE_OPTIONS), by_die ? 5 << 8 : 0);
            account_options(session_account(w.s), by_die ? 5 : 0, false);
            map_as(&w, 0, 7, 0, false);
            shape(&w, 64, 0, 1, 0);
            uint32_t       words[] = {H(COND_EXEC, 4),  GATE + 4 + 3, 0xabcd0000, 0, 10, // skips two packets of 5
                                      H(WRITE_DATA, 4), 5 << 8,       OUT,        0, 1,  H(DISPATCH_DIRECT, 4), 2, 1, 1,
                                      AT_ZERO};
            const uint32_t by[]    = {0xffff1000, 0xffff1000, 0xffff1000, H(PRED_EXEC, 1), select[n % 3] << 24 | 10};
            if (by_die)
                memcpy(words, by, sizeof by);
            const uint32_t count = COUNT(words), from = position(&w);
            if (inside)
                w.buffer = WORLD_BUFFER;
            raw(&w, words, count);
            w.buffer = 0;
            char message[256];
            if (inside)
                PACKET(&w, INDIRECT_BUFFER, WORLD_BUFFER, 0, count);
            else if (!account_stream(session_account(w.s), 0, 0, session_memory(w.s), ring_place(0, 0, 0), WORLD_SIZE,
                                     from, count, message))
                fail_msg("%s", message);
            write_word(&w, OUT + 4, 2);
            doorbell(&w, 0, 0);
            UNTIL(&w, get(&w, OUT + 4) == 2 && read_up(&w, 0));
            assert_int_equal(get(&w, OUT), word ? 1 : 0);
            assert_int_equal(count_of(&w, GRANT, 0, 0, 0), word ? 2 : 0);
            assert_int_equal(errors(&w), 0);
            world_close(&w);
        }
}

static void indirect(world *w, uint64_t address, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t grid[] = {x, y, z};
    for (uint32_t n = 0; n < 3; n++)
        set(w, address + 4 * n, grid[n]);
    PACKET(w, DISPATCH_INDIRECT, (uint32_t)address, (uint32_t)(address >> 32), AT_ZERO);
}

// Preempted inside its grid: the rest is walked with the dimensions read first, and the packet is passed by its own
// length.
RULE(indirect_grid_is_preempted)
{
    program(w, 1, 200);
    map_as(w, 0, 3, 0, false);
    shape(w, 64 * TOTEM_SLOTS / 2, 1, 1, 0);
    indirect(w, GRID + 4, 5, 3, 2);
    write_word(w, OUT, 1);
    map_as(w, 1, 9, 0, false);
    nops(w, 4);
    doorbell(w, 0, 0);
    UNTIL(w, count_of(w, GRANT, 0, 0, 0) >= 9);
    set(w, GRID + 4, 1);
    set(w, GRID + 8, 70000);
    set(w, GRID + 12, 0);
    doorbell(w, 0, 1);
    UNTIL(w, read_up(w, 1));
    assert_true(count_of(w, GRANT, 0, 0, 0) < 30);
    UNTIL(w, read_up(w, 0));
    UNTIL(w, get(w, OUT) == 1);
    assert_int_equal(count_of(w, GRANT, 0, 0, 0), 30);
    assert_int_equal(count_of(w, STARTED, 0, 0, 0), 1);
    assert_true(count_of(w, RESUMED, 0, 0, 0) >= 1);
}

// ---- priorities written by packets

// Dimensions in threads: rounded up; beside partial groups; a queue that comes meanwhile does not wait.
RULE(dimensions_in_threads)
{
    map_as(w, 1, 9, 0, false);
    nops(w, 3);
    map_as(w, 0, 3, 0, false);
    shape(w, 64, 0, 1, 0);
    SET_SH(w, 7, 16 | 5u << 16, 4 | 2u << 16, 1 | 1u << 16);
    PACKET(w, DISPATCH_DIRECT, 37, 6, 1, AT_ZERO | 1u << 5 | 1u << 1); // 3 x 2 groups
    doorbell(w, 0, 0);
    UNTIL(w, front_out(w, 0)->divide.busy);
    doorbell(w, 0, 1);
    UNTIL(w, read_up(w, 1));
    assert_int_equal(count_of(w, STARTED, 0, 0, 0), 0); // it came inside the division
    UNTIL(w, read_up(w, 0));
    assert_int_equal(count_of(w, GRANT, 0, 0, 0), 6);
}

// Without PARTIAL_TG_EN the last groups have the remainder of the division: 2 x 2 groups of two waves, of which those at
// the end of x are one. A queue that comes while the table is computed does not wait; the rest continues as it began.
RULE(last_groups_in_threads)
{
    map_as(w, 1, 9, 0, false);
    nops(w, 3);
    map_as(w, 0, 3, 0, false);
    shape(w, 64, 0, 1, 0);
    SET_SH(w, 7, 64, 2, 1);
    PACKET(w, DISPATCH_DIRECT, 64 + 32, 4, 1, AT_ZERO | 1u << 5);
    PACKET(w, DISPATCH_DIRECT, 2, 2, 1, AT_ZERO | 1u << 1); // what it wrote stands
    doorbell(w, 0, 0);
    UNTIL(w, front_out(w, 0)->execute.bank_write && front_out(w, 0)->execute.bank_offset == 9);
    doorbell(w, 0, 1);
    UNTIL(w, read_up(w, 1));
    assert_int_equal(count_of(w, STARTED, 0, 0, 0), 0);
    UNTIL(w, read_up(w, 0));
    assert_int_equal(count_of(w, GRANT, 0, 0, 0), 8);
    assert_int_equal(count_of(w, LAUNCH, 0, 0, 0), 2 * (2 * 2 + 2 * 1));
}

// A queue that goes below another one gives the pipe up to it.
RULE(own_priority)
{
    map_as(w, 1, 5, 0, false);
    nops(w, 5);
    map_as(w, 0, 9, 0, false);
    wait_equal(w, GATE, 1);
    write_priority(w, 0, 2);
    nops(w, 5);
    doorbell(w, 0, 0);
    UNTIL(w, selected(w, 0, 0));
    doorbell(w, 0, 1);
    steps(w, 300);
    const unsigned from = w->count;
    set(w, GATE, 1);
    UNTIL(w, read_up(w, 0));
    EXPECT_ORDER(w, 0, from, 1, 0);
}

// Another queue's priority: with PRIV_STATE or PRIO_WRITE_OPEN, else an error of the writer.
TEST(foreign_priority)
{
    for (int row = 0; row < 4; row++) {
        const bool privileged = row & 1, open = row & 2;
        world      w;
        world_open(&w);
        host_put(&w, MACHINE(QUEUE_OPTIONS), open ? 2 : 0);
        map_as(&w, 1, 1, 0, false);
        nops(&w, 300);
        map_as(&w, 0, 5, 0, privileged);
        const uint32_t at = position(&w);
        write_priority(&w, 1, 12);
        nops(&w, 300);
        doorbell(&w, 0, 1);
        UNTIL(&w, rptr(&w, 0, 1) > 10);
        const unsigned from = w.count;
        doorbell(&w, 0, 0);
        UNTIL(&w, read_up(&w, 1));
        if (privileged || open) {
            assert_int_equal(window_get(&w, 0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY)), 12);
            UNTIL(&w, read_up(&w, 0));
            EXPECT_ORDER(&w, 0, from, 0, 1, 0); // raised above its writer
            assert_int_equal(errors(&w), 0);
        } else {
            assert_int_equal(errors(&w), 1);
            assert_int_equal(last_error(&w).code, TOTEM_ERROR_PACKET_PRIORITY_FOREIGN);
            assert_int_equal(last_error(&w).queue, 0);
            assert_int_equal(last_error(&w).word, PRIORITY(1));
            assert_int_equal(rptr(&w, 0, 0), at);
            assert_int_equal(window_get(&w, 0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY)), 1);
            host_put(&w, MACHINE(QUEUE_OPTIONS), 2); // mended elsewhere than in the ring
            driver_resume(host(&w), now(&w), 0, 0);
            UNTIL(&w, read_up(&w, 0));
            assert_int_equal(window_get(&w, 0, 1, WINDOW(CP_HQD_QUEUE_PRIORITY)), 12);
        }
        world_close(&w);
    }
}

// EVENT_ON_PRIORITY_WRITE: a packet's write, to whatever queue of the pipe, lets an equal queue take over although the
// quantum is enabled; without it the turn goes on.
TEST(event_by_a_packet)
{
    enum { EVENT = 1 };
    for (unsigned row = 0; row < 6; row++) {
        const bool event = row & 1;
        const int  of    = (int)row / 2; // its own priority, one of a queue that is mapped, or of one that is not
        world      w;
        world_open(&w);
        host_put(&w, MACHINE(QUEUE_OPTIONS), event ? EVENT : 0);
        map_as(&w, 1, 7, 0, false);
        map_as(&w, 0, 7, 1u | 1 << 4 | 63 << 8, true);
        slow(&w, 45);
        const uint32_t before = position(&w);
        write_priority(&w, of, 7);
        slow(&w, 45);
        doorbell(&w, 0, 0);
        UNTIL(&w, selected(&w, 0, 0));
        give_nop(&w, 0, 1);
        const unsigned from = w.count;
        UNTIL(&w, rptr(&w, 0, 0) == before);
        assert_false(read_up(&w, 1)); // ready in this turn, in which nobody has written a priority yet
        steps(&w, 200);
        assert_false(read_up(&w, 0));
        assert_int_equal(read_up(&w, 1), event);
        UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
        if (event)
            EXPECT_ORDER(&w, 0, from, 1, 0);
        else
            EXPECT_ORDER(&w, 0, from, 1);
        world_close(&w);
    }
}

// ---- flush

// Queue 0 stands before its flushes, selected, without a quantum or with one not used up; queue 1 of a lower priority
// is ready. `busy`: what it did before is still in flight, else all of it has ended.
static void a_flush(const char *name, bool waves, bool done, bool writes, bool busy, bool timed)
{
    enum { REPORT = WORLD_DATA + 0x3000, FLUSHES = 3 };
    world        w;
    driver_queue q = world_queue(0, 0, 7);
    world_open(&w);
    w.row = name;
    program(&w, 1, 400);
    map_as(&w, 1, 6, 0, false);
    nop(&w);
    q.quantum     = timed ? 1 | 1 << 4 | 63 << 8 : 0;
    q.rptr_report = REPORT;
    map_queue(&w, &q);
    on(&w, 0, 0);
    if (waves)
        shape(&w, 64, 1, 1, 0);
    wait_equal(&w, GATE, 1);
    if (waves)
        dispatch(&w, 2, 1, 1);
    if (done)
        fence(&w, 1, 0, OUT, 5, 0);
    if (writes)
        write_word(&w, OUT + 8, 6);
    if (!busy)
        wait_equal(&w, GATE + 8, 1);
    const uint32_t first = position(&w);
    for (unsigned n = 0; n < FLUSHES; n++)
        flush(&w);
    const uint32_t at = position(&w);
    wait_equal(&w, GATE + 16, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, selected(&w, 0, 0));
    doorbell(&w, 0, 1);
    steps(&w, 300);
    assert_true(front_out(&w, 0)->arbiter.ready[1]);
    const unsigned from  = w.count;
    const uint8_t  epoch = front_out(&w, 0)->epoch.current[0];
    set(&w, GATE, 1);
    if (busy) {
        UNTIL(&w, !selected(&w, 0, 0));
        assert_int_equal(rptr(&w, 0, 0), first);
        assert_int_equal(reason(queue_state(&w, 0, 0)), WINDOW(STATE_REASON_FLUSH));
        assert_int_equal(queue_state(&w, 0, 0) >> 7 & 3, 1); // flush, not epoch
        UNTIL(&w, read_up(&w, 1));
        UNTIL(&w, rptr(&w, 0, 0) == at); // the others have nothing left to wait for
        assert_true(!waves || account_sum(session_account(w.s)).ended == 2);
        assert_true(!done || get(&w, OUT) == 5);
        assert_true(!writes || get(&w, OUT + 8) == 6);
        EXPECT_ORDER(&w, 0, from, 1, 0);
        assert_int_equal(window_get(&w, 0, 0, WINDOW(SEQUENCE)), 1);
        assert_int_equal(get(&w, REPORT), first);
        assert_int_equal(front_out(&w, 0)->epoch.current[0], (epoch + done + 1) % TOTEM_EPOCHS);
    } else {
        steps(&w, 1200);
        assert_int_equal(front_out(&w, 0)->epoch.current[0], (epoch + done) % TOTEM_EPOCHS);
        assert_int_equal(waves * account_sum(session_account(w.s)).ended, waves * 2);
        assert_int_equal(rptr(&w, 0, 0), first - 7); // polls
        set(&w, GATE + 8, 1);
        UNTIL(&w, rptr(&w, 0, 0) == at);
        steps(&w, 200);
        assert_true(selected(&w, 0, 0) && front_out(&w, 0)->arbiter.ready[1]);
        expect_order(&w, 0, from, NULL, 0);
        assert_int_equal(window_get(&w, 0, 0, WINDOW(SEQUENCE)), 0);
        assert_int_equal(get(&w, REPORT), 0);
        assert_int_equal(front_out(&w, 0)->epoch.current[0], (epoch + done) % TOTEM_EPOCHS);
    }
    set(&w, GATE + 16, 1);
    UNTIL(&w, read_up(&w, 0) && read_up(&w, 1));
    world_close(&w);
}

// A flush with nothing in flight is no switch-out: the queue keeps the pipe, closes no epoch, reports nothing.
TEST(flush_gives_up_the_pipe_only_for_what_is_in_flight)
{
    static const struct {
        const char *name;
        bool        waves, done, writes, busy;
    } rows[] = {
        {"nothing before", false, false, false, false},
        {"waves have ended", true, false, false, false},
        {"waves have ended, and their fence", true, true, false, false},
        {"write acknowledged", false, false, true, false},
        {"waves run", true, false, false, true},
        {"fence not done", false, true, false, true},
        {"write under way", false, false, true, true},
    };
    for (unsigned n = 0; n < COUNT(rows); n++)
        for (int timed = 0; timed < 2; timed++)
            a_flush(rows[n].name, rows[n].waves, rows[n].done, rows[n].writes, rows[n].busy, timed);
}

// A failed write before a flush halts the queue before the packet behind it, also if its answer comes when the flush
// looks.
TEST(failed_write_before_a_flush)
{
    enum { FAILS = WORLD_DATA + 0x3000, GAPS = 30, WAITED = 0, PASSED = 1, BEFORE = 2 };
    unsigned seen[3] = {0};
    for (uint32_t n = 0; n < 2 * GAPS; n++) {
        memory_fault fault = {.address = FAILS, .kind = MEMORY_WRITE_SLVERR};
        world        w;
        world_open_with(&w, 20 + n % 2, &fault, 1); // a NOP lasts two clocks
        map_as(&w, 0, 7, 0, false);
        wait_equal(&w, GATE, 1);
        write_word(&w, FAILS, 1);
        nops(&w, n / 2);
        const uint32_t at = position(&w);
        flush(&w);
        write_word(&w, OUT, 1);
        doorbell(&w, 0, 0);
        steps(&w, 300);
        set(&w, GATE, 1);
        UNTIL(&w, errors(&w) == 1 && !selected(&w, 0, 0));
        steps(&w, 100);
        assert_true(front_out(&w, 0)->execute.halted[0]);
        assert_true(rptr(&w, 0, 0) <= at + 2);
        assert_int_equal(get(&w, OUT), 0);
        seen[rptr(&w, 0, 0) == at ? WAITED : rptr(&w, 0, 0) == at + 2 ? PASSED : BEFORE]++;
        driver_resume(host(&w), now(&w), 0, 0);
        UNTIL(&w, read_up(&w, 0));
        world_close(&w);
    }
    assert_true(seen[WAITED] && seen[PASSED] && seen[BEFORE]);
}

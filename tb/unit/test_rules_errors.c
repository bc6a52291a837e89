// SPDX-License-Identifier: Apache-2.0
//
// Errors on the whole model: every error of a packet, of the memory and of the host port has its record, stops only
// what it belongs to, and can be repaired. Codes and words: rtl/host/errors.yaml and docs/contract/decode.md.
// Configuration: mini, because memory paths of other front ends are instances of their own, which random work has.

#include <stdio.h>
#include <string.h>

#include "tests.h"

#include "rules_world.h"

enum { OUT = WORLD_DATA, GRID = WORLD_DATA + 0x8000, FAULTY = WORLD_DATA + 0x10000 };

// ---- packets

// What precedes the packet in question.
static void nothing(world *w)
{
    (void)w;
}

static void a_shape(world *w)
{
    shape(w, 64, 0, 1, 0);
}

static void no_threads(world *w)
{
    shape(w, 64, 0, 1, 0);
    SET_SH(w, 8, 0);
}

static void no_engine(world *w)
{
    a_shape(w);
    SET_SH(w, 0x16, 0, 0);
    SET_SH(w, 0x19, 0, 0);
}

static void too_many_waves(world *w)
{
    shape(w, 64 * (TOTEM_SLOTS + 1), 0, 1, 0);
    SET_SH(w, 0x16, 0xffffffffu, 0xffffffffu);
    SET_SH(w, 0x19, 0xffffffffu, 0xffffffffu);
}

static void strict(world *w)
{
    host_put(w, TOTEM_REG_MACHINE_BASE + 4 * TOTEM_REG_MACHINE_QUEUE_OPTIONS, 32);
}

static void partial_above_full(world *w)
{
    shape(w, 64, 0, 1, 0);
    SET_SH(w, 7, 8 | 3u << 16, 8 | 9u << 16, 1 | 1u << 16);
}

typedef struct {
    const char *name;
    void (*before)(world *w);
    uint32_t words[9];
    uint32_t count;
    uint8_t  code;
    uint32_t word;    // of the record
    uint64_t address; // of the record; 0: that of the packet
} bad_packet;

#define H(op, body) TYPE3(TOTEM_OP_##op, body)
#define DISPATCH(x, y, z, flags) {H(DISPATCH_DIRECT, 4), x, y, z, flags}, 5
#define RELEASE(control) {H(RELEASE_MEM, 7), 0x528, control, OUT + 0x200, 0, 1, 0, 0}, 8
#define WAIT(control, address) {H(WAIT_REG_MEM, 6), control, address, 0, 1, 1, 4}, 7
#define WRITE(control, address, value) {H(WRITE_DATA, 4), control, address, 0, value}, 5
#define INDIRECT(address) {H(DISPATCH_INDIRECT, 3), address, 0, 5}, 4
#define COPY(control, from, to) {H(COPY_DATA, 5), control, from, 0, to, 0}, 6
#define WAIT64(control, address) {H(WAIT_REG_MEM64, 8), control, address, 0, 1, 0, ~0u, ~0u, 4}, 9
#define DMA(control, from, size) {H(DMA_DATA, 6), control, from, 0, OUT + 0x200, 0, size}, 7
#define BUFFER(size) {H(INDIRECT_BUFFER, 3), WORLD_BUFFER, 0, size}, 4
#define COND(address, skip) {H(COND_EXEC, 4), address, 0, 0, skip}, 5
#define CODE(name) TOTEM_ERROR_PACKET_##name
#define PRIORITY(pipe, queue) (0x4006u + 0x400u * (pipe) + 0x40u * (queue))
#define FAILED(address) TOTEM_ERROR_MEMORY_READ_SLVERR, address, address

// Each way in which a packet of the machine may be refused; what is refused for which operand: test_decode.c.
static const bad_packet bad_packets[] = {
    {"type 0", nothing, {0x00001234}, 1, CODE(HEADER_TYPE), 0x00001234, 0},
    {"unknown opcode", nothing, {TYPE3(0xf5, 3), FILLER, FILLER, FILLER}, 4, CODE(OPCODE), TYPE3(0xf5, 3), 0},
    {"timer of 2", nothing, {H(WAIT_TIMER, 2), 1, 1}, 3, CODE(COUNT_FORM), H(WAIT_TIMER, 2), 0},
    {"buffer of size 0", nothing, BUFFER(0x800000), CODE(IB_SIZE_ZERO), 0x800000, 0},
    {"register 0x400", nothing, {H(SET_SH_REG, 2), 0x400, 1}, 3, CODE(SH_OFFSET), 0x400, 0},
    {"write to 1", nothing, WRITE(1 << 8, OUT + 0x200, 1), CODE(WRITE_DESTINATION), 1 << 8, 0},
    {"data_sel 5", nothing, RELEASE(5u << 29), CODE(RELEASE_DATA_SEL), 5u << 29, 0},
    {"int_sel 4", nothing, RELEASE(1u << 29 | 4u << 24), CODE(RELEASE_INT_SEL), 1u << 29 | 4u << 24, 0},
    {"release to 2", nothing, RELEASE(1u << 29 | 2u << 16), CODE(RELEASE_DESTINATION), 1u << 29 | 2u << 16, 0},
    {"function 7", nothing, WAIT(0x17, OUT + 0x200), CODE(WAIT_FUNCTION), 0x17, 0},
    {"operation 1", nothing, WAIT(0x53, OUT + 0x200), CODE(WAIT_OPERATION), 0x53, 0},
    {"smart wait, space 2", nothing, WAIT(0xe3, OUT + 0x200), CODE(WAIT_OPERATION), 0xe3, 0},
    {"no threads", no_threads, DISPATCH(1, 1, 1, AT_ZERO), CODE(NUM_THREAD_ZERO), 0, 0},
    {"partial above full", partial_above_full, DISPATCH(1, 1, 1, AT_ZERO | 1u << 1), CODE(NUM_THREAD_PARTIAL), 0, 0},
    {"y and z", a_shape, DISPATCH(1, 70000, 80000, AT_ZERO), CODE(GRID_RANGE), 70000, 0},
    {"z in threads", a_shape, DISPATCH(1, 65535, 70000, AT_ZERO | 1u << 5), CODE(GRID_RANGE), 70000, 0},
    {"y in memory", a_shape, INDIRECT(GRID), CODE(GRID_RANGE), 0x10000, 0},
    {"z in memory", a_shape, INDIRECT(GRID + 8), CODE(GRID_RANGE), 0x20000, 0},
    {"no engine", no_engine, DISPATCH(1, 1, 1, AT_ZERO), CODE(NO_ENGINE), 0, 0},
    {"waves", too_many_waves, DISPATCH(1, 1, 1, AT_ZERO), CODE(GROUP_TOO_LARGE), TOTEM_SLOTS + 1, 0},
    {"upper address", nothing, {H(WRITE_DATA, 4), 5u << 8, OUT + 0x200, 0x100, 1}, 5, CODE(ADDRESS), 0x100, 0},
    {"write to a register", nothing, WRITE(0, 0x2e05, 1), CODE(WRITE_REGISTER), 0x2e05, 0},
    {"no register of a queue", nothing, WRITE(0, PRIORITY(0, 0) + 1, 1), CODE(WRITE_REGISTER), PRIORITY(0, 0) + 1, 0},
    {"queue that is none", nothing, WRITE(0, PRIORITY(0, TOTEM_QUEUES), 1), CODE(WRITE_REGISTER),
     PRIORITY(0, TOTEM_QUEUES), 0},
    {"another pipe", nothing, WRITE(0, PRIORITY(1, 0), 1), CODE(WRITE_REGISTER), PRIORITY(1, 0), 0},
    {"another queue", nothing, WRITE(0, PRIORITY(0, 1), 1), CODE(PRIORITY_FOREIGN), PRIORITY(0, 1), 0},
    {"priority 16", nothing, WRITE(0, PRIORITY(0, 0), 16), CODE(PRIORITY_VALUE), 16, 0},
    {"copy of 64 bits to half a word", nothing, COPY(5 | 5 << 8 | 1 << 16, 0, OUT + 4), CODE(FEATURE),
     5 | 5 << 8 | 1 << 16, 0},
    {"copy of another pipe's register", nothing, COPY(5 << 8, PRIORITY(1, 0), OUT), CODE(WRITE_REGISTER),
     PRIORITY(1, 0), 0},
    {"copy to 3", nothing, COPY(5 | 3 << 8, 0, OUT), CODE(WRITE_DESTINATION), 5 | 3 << 8, 0},
    {"copy from GDS", nothing, COPY(3 | 5 << 8, 0, OUT), CODE(FEATURE), 3 | 5 << 8, 0},
    {"read of a copy", nothing, COPY(1 | 5 << 8, FAULTY, OUT), FAILED(FAULTY)},
    {"priority 16 by a copy", nothing, COPY(5, 16, PRIORITY(0, 0)), CODE(PRIORITY_VALUE), 16, 0},
    {"64-bit wait of an own register", nothing, WAIT64(3, PRIORITY(0, 0)), CODE(FEATURE), 3, 0},
    {"64-bit wait for half a word", nothing, WAIT64(0x13, OUT + 4), CODE(FEATURE), 0x13, 0},
    {"DMA of 4100 bytes", nothing, DMA(0, OUT, 4100), CODE(FEATURE), 4100, 0},
    {"DMA of 6 bytes", nothing, DMA(0, OUT, 6), CODE(FEATURE), 6, 0},
    {"DMA from an odd address", nothing, DMA(0, OUT + 1, 8), CODE(FEATURE), 8, 0},
    {"DMA from a register", nothing, DMA(0, OUT, 1u << 26 | 8), CODE(FEATURE), 1u << 26 | 8, 0},
    {"DMA from GDS", nothing, DMA(1 << 29, OUT, 8), CODE(FEATURE), 1 << 29, 0},
    {"read of a DMA", nothing, DMA(0, FAULTY, 8), FAILED(FAULTY)},
    {"registers by an index", nothing, {H(LOAD_SH_REG_INDEX, 4), OUT + 1, 0, 0x207, 1}, 5, CODE(FEATURE), OUT + 1, 0},
    {"registers up to 0x400", nothing, {H(LOAD_SH_REG_INDEX, 4), OUT, 0, 0x3ff, 2}, 5, CODE(SH_OFFSET), 0x400, 0},
    {"STRICT: write elsewhere", strict, WRITE(0, 0x8000, 1), CODE(WRITE_REGISTER), 0x8000, 0},
    {"STRICT: wait elsewhere", strict, WAIT(3, 0x1a86), CODE(WRITE_REGISTER), 0x1a86, 0},
    {"STRICT: copy from elsewhere", strict, COPY(5 << 8, 0x1a86, OUT), CODE(WRITE_REGISTER), 0x1a86, 0},
    {"COND_EXEC", nothing, COND(OUT + 0x800, 16383), CODE(COND_SKIP), 16383, 0},
    {"PRED_EXEC", nothing, {H(PRED_EXEC, 1), 0xfe003fff}, 2, CODE(COND_SKIP), 0xfe003fff, 0},
#if !TOTEM_TASKS
    {"LAUNCH_TASK", nothing, {H(LAUNCH_TASK, 1), 0}, 2, CODE(FEATURE), H(LAUNCH_TASK, 1), 0},
#endif
    {"read of COND_EXEC", nothing, COND(FAULTY, 1), FAILED(FAULTY)},
    {"read of a grid", a_shape, INDIRECT(FAULTY - 4), FAILED(FAULTY)},
    {"poll of a smart wait", nothing, WAIT(0xd3, FAULTY + 4), FAILED(FAULTY + 4)},
};

#define EXPECT(name, left, right)                                                                                     \
    do {                                                                                                              \
        const uint64_t expect_left = (uint64_t)(left), expect_right = (uint64_t)(right);                              \
        if (expect_left != expect_right)                                                                              \
            fail_msg("%s, line %d: %s is 0x%llx, not 0x%llx", name, __LINE__, #left, (unsigned long long)expect_left, \
                     (unsigned long long)expect_right);                                                               \
    } while (0)

// The last record of a queue, and how many there are: those of memory paths without an ID come beside them.
static session_error last_fault(const world *w, uint64_t *faults)
{
    session_error  list[256], last = {0};
    const uint64_t count = session_errors(w->s, list, 256);
    *faults              = 0;
    assert_true(count <= 256);
    for (uint64_t n = 0; n < count; n++)
        if (list[n].code != TOTEM_ERROR_MEMORY_PATH_DEAD) {
            last = list[n];
            ++*faults;
        }
    return last;
}

static uint64_t faults(const world *w)
{
    uint64_t count;
    last_fault(w, &count);
    return count;
}

// The queue `queue` of pipe 0 has a record of its own at the host, and stands there.
static void expect_record(world *w, const char *name, int queue, uint8_t code, uint64_t address, uint32_t word)
{
    uint64_t            count;
    const session_error e = last_fault(w, &count);
    EXPECT(name, e.code, code);
    EXPECT(name, e.pipe, 0);
    EXPECT(name, e.queue, queue);
    EXPECT(name, e.address, address);
    EXPECT(name, e.word, word);
    if (count == errors(w)) {
        const uint32_t record = host_get(w, EVENTS(RECORD));
        EXPECT(name, record & 1, 1);
        EXPECT(name, record >> 8 & 0xff, code);
        EXPECT(name, record >> 16 & 7, queue);
        EXPECT(name, host_get(w, EVENTS(RECORD_ADDRESS_LO)), address & 0xffffffffu);
        EXPECT(name, host_get(w, EVENTS(RECORD_ADDRESS_HI)), address >> 32);
        EXPECT(name, host_get(w, EVENTS(RECORD_WORD)), word);
        EXPECT(name, host_get(w, EVENTS(RECORD_TIME_LO)), e.clock);
        EXPECT(name, host_get(w, EVENTS(RECORD_LATER)), 0);
    }
    host_put(w, EVENTS(RECORD), 1);
    EXPECT(name, reason(queue_state(w, 0, queue)), WINDOW(STATE_REASON_HALTED));
}

// Queues that did nothing wrong go on: one of the last pipe, and one of the same pipe unless its path is dead.
static void expect_others_run(world *w, const char *name, uint32_t value, bool same_pipe)
{
    const int pipe = w->pipe, queue = w->queue;
    for (int n = !same_pipe; n < (same_pipe || WORLD_PIPES > 1 ? 2 : 1); n++) {
        const int p = n ? WORLD_PIPES - 1 : 0, q = n ? WORLD_LAST : 1;
        give_write(w, p, q, OUT + 0x100 + 8 * (uint64_t)n, value);
        UNTIL(w, get(w, OUT + 0x100 + 8 * (uint64_t)n) == value);
        UNTIL(w, rptr(w, p, q) == w->written[p][q]);
    }
    EXPECT(name, selected(w, 0, queue), false);
    on(w, pipe, queue);
}

static void map_three(world *w)
{
    map(w, 0, 1, 7);
    map(w, WORLD_PIPES - 1, WORLD_LAST, 7);
    map_on(w, 0, 0, 7);
}

// Every refused packet, left in each way: RESUME behind a mended ring, SKIP, ACTIVE cleared and a new mapping.
TEST(every_packet_error)
{
    enum { MENDED, SKIPPED, MAPPED_AGAIN, WAYS, FAULTS = 5 * WAYS };
    memory_fault failing[FAULTS];
    world        w;
    uint32_t     n = 0, of_packets = 0;
    for (unsigned k = 0; k < FAULTS; k++)
        failing[k] = (memory_fault){.address = FAULTY, .kind = MEMORY_READ_SLVERR};
    world_open_with(&w, 20, failing, FAULTS);
    map_three(&w);
    set(&w, GRID + 4, 0x10000);
    set(&w, GRID + 12, 2);
    set(&w, GRID + 16, 0x20000);
    for (const bad_packet *b = bad_packets; b < bad_packets + COUNT(bad_packets); b++)
        for (unsigned way = 0; way < WAYS; way++, n++) {
            w.row = b->name;
            b->before(&w);
            write_word(&w, OUT, 2 * n + 1);
            const uint32_t at = position(&w);
            raw(&w, b->words, b->count);
            write_word(&w, OUT, 2 * n + 2);
            doorbell(&w, 0, 0);
            UNTIL(&w, errors(&w) == n + 1);
            until_halted(&w, 0);
            UNTIL(&w, get(&w, OUT) == 2 * n + 1);
            EXPECT(b->name, rptr(&w, 0, 0), at);
            expect_others_run(&w, b->name, n + 1, true);
            expect_record(&w, b->name, 0, b->code, b->address ? b->address : ring_place(0, 0, at), b->word);
            EXPECT(b->name, get(&w, OUT), 2 * n + 1);
            EXPECT(b->name, get(&w, OUT + 0x200), 0);
            of_packets += !b->address;
            for (uint32_t k = 0; way == MENDED && k < b->count; k++)
                set(&w, ring_place(0, 0, at + k), FILLER);
            if (way == MENDED)
                driver_resume(host(&w), now(&w), 0, 0);
            else if (way == SKIPPED)
                window_put(&w, 0, 0, WINDOW(CONTROL), 2);
            else {
                clear_active(&w, 0, 0);
                map_again(&w, 0, 0, 7);
                write_word(&w, OUT, 2 * n + 2);
                doorbell(&w, 0, 0);
            }
            UNTIL(&w, get(&w, OUT) == 2 * n + 2);
            UNTIL(&w, get(&w, OUT) == 2 * n + 2 && read_up(&w, 0));
        }
    assert_int_equal(host_get(&w, EVENTS(ERROR_COUNT)), of_packets);
    world_close(&w);
}

// COUNT_PAST_WPTR: half a packet is announced; the rest of it and a RESUME repair it.
RULE(packet_past_the_write_pointer)
{
    const uint32_t words[] = {H(WRITE_DATA, 4), 5u << 8, OUT, 0, 77};
    map_three(w);
    nop(w);
    raw(w, words, 3);
    doorbell(w, 0, 0);
    until_halted(w, 0);
    assert_int_equal(rptr(w, 0, 0), 1);
    expect_record(w, "past the write pointer", 0, CODE(COUNT_PAST_WPTR), ring_place(0, 0, 1), words[0]);
    raw(w, words + 3, 2);
    doorbell(w, 0, 0);
    steps(w, 300);
    assert_int_equal(get(w, OUT), 0); // a doorbell alone does not resume
    driver_resume(host(w), now(w), 0, 0);
    UNTIL(w, get(w, OUT) == 77);
}

// Errors inside a buffer: the record has the address in the buffer, the ring pointer is behind the packet that opens
// it.
RULE(errors_in_an_indirect_buffer)
{
    static const struct {
        const char *name;
        uint32_t    words[5];
        uint32_t    count;
        uint8_t     code;
    } rows[] = {
        {"past the buffer", {H(WRITE_DATA, 4), 5u << 8, OUT, 0}, 4, CODE(COUNT_PAST_IB)},
        {"nested", {H(INDIRECT_BUFFER, 3), WORLD_BUFFER, 0, 4}, 4, CODE(IB_NESTED)},
        {"opcode", {TYPE3(2, 1), 0}, 2, CODE(OPCODE)},
    };
    map_three(w);
    for (uint32_t n = 0; n < COUNT(rows); n++) {
        w->row    = rows[n].name;
        w->buffer = WORLD_BUFFER + 0x100 * (uint64_t)n + 4;
        write_word(w, OUT, n + 1);
        const uint64_t place = w->buffer;
        raw(w, rows[n].words, rows[n].count);
        w->buffer = 0;
        // The account cannot read this buffer, so the packet is written as plain dwords.
        raw(w, WORDS(H(INDIRECT_BUFFER, 3), WORLD_BUFFER + 0x100 * n + 4, 0, 5 + rows[n].count));
        const uint32_t at = position(w);
        write_word(w, OUT + 8, n + 1);
        doorbell(w, 0, 0);
        until_halted(w, 0);
        UNTIL(w, get(w, OUT) == n + 1);
        EXPECT(w->row, rptr(w, 0, 0), at);
        EXPECT(w->row, get(w, OUT + 8), n);
        expect_record(w, w->row, 0, rows[n].code, place, rows[n].words[0]);
        for (uint32_t k = 0; k < rows[n].count; k++)
            set(w, place + 4 * k, FILLER);
        driver_resume(host(w), now(w), 0, 0);
        UNTIL(w, get(w, OUT + 8) == n + 1);
        UNTIL(w, !front_out(w, 0)->execute.halted[0]);
    }
}

// The handler of docs/host.md, while two more queues meet errors: rung before two accesses of the handler, the first of
// them `bell`, behind which it is slow by `gap` clocks. It finds all three, whenever that is.
enum { HANDLED = 3 };

typedef struct {
    world   *w;
    unsigned access, bell, gap;
} handler;

static void between_accesses(handler *h)
{
    const unsigned access = h->access++;
    if (access == h->bell || access == h->bell + 1)
        doorbell(h->w, 0, access == h->bell ? 1 : 2);
    if (access == h->bell)
        steps(h->w, h->gap);
}

static uint32_t handler_get(handler *h, uint32_t address)
{
    between_accesses(h);
    return host_get(h->w, address);
}

static void handler_put(handler *h, uint32_t address, uint32_t data)
{
    between_accesses(h);
    host_put(h->w, address, data);
}

TEST(handler_finds_every_error)
{
    enum { ACCESSES = 6, GAPS = 100, STEP = TOTEM_SE_COUNT > 1 ? 13 : 7, ERROR_STATUS = 0x7e };
    unsigned alone = 0; // runs in which RECORD or RECORD_LATER told of fewer
    for (unsigned n = 0; n < ACCESSES * GAPS; n += STEP) {
        world    w;
        handler  h     = {.w = &w, .bell = n / GAPS, .gap = n % GAPS};
        unsigned found = 0, told = 0; // queues; errors
        world_open(&w);
        host_put(&w, EVENTS(INTERRUPT_ENABLE), ERROR_STATUS);
        for (int q = HANDLED - 1; q >= 0; q--) {
            map_on(&w, 0, q, 7);
            raw(&w, WORDS(0));
        }
        doorbell(&w, 0, 0);
        for (unsigned calls = 0; found != (1u << HANDLED) - 1; calls++) {
            assert_true(calls < HANDLED);
            UNTIL(&w, session_out(w.s)->events.irq);
            handler_put(&h, EVENTS(INTERRUPT_STATUS), handler_get(&h, EVENTS(INTERRUPT_STATUS)));
            told += handler_get(&h, EVENTS(RECORD)) & 1;
            told += handler_get(&h, EVENTS(RECORD_LATER));
            handler_put(&h, EVENTS(RECORD), 1);
            for (int q = 0; q < HANDLED; q++)
                found |= (handler_get(&h, driver_window(0, (uint32_t)q, WINDOW(STATE))) >> 6 & 1u) << q;
            while (h.access < h.bell + 2)
                between_accesses(&h);
        }
        alone += told < HANDLED;
        for (int q = 0; q < HANDLED; q++) {
            clear_active(&w, 0, q);
            assert_int_equal(queue_state(&w, 0, q) >> 6 & 1, 0); // where nobody is mapped nobody is halted
        }
        world_close(&w);
    }
    assert_true(alone > 0);
}

// ---- memory: fetch

// A dword that cannot be read: the read pointer stands on its packet, the record has its own address. The packet has
// `count` body dwords and begins at `at`, in the ring or an indirect buffer; the memory fails at dword `fault` of it, 0
// its header. Of the 8 bytes that fail the first dword that was asked for is the one.
typedef struct {
    const char *name;
    uint32_t    at;
    uint32_t    op;
    uint32_t    count;
    uint32_t    fault;
    uint32_t    named;  // the dword that the record names
    bool        inside; // in a buffer: `at` is the place in it
} unread;

static const unread unread_rows[] = {
    {"header", 32, TOTEM_OP_NOP, 4, 0, 0, false},
    {"upper half of 8 bytes", 6, TOTEM_OP_NOP, 20, 11, 10, false},
    {"far behind the wrap", WORLD_SIZE - 9, TOTEM_OP_NOP, 200, 191, 191, false},
    {"value of a register behind the wrap", WORLD_SIZE - 3, TOTEM_OP_SET_SH_REG, 8, 7, 7, false},
    {"header in a buffer", 7, TOTEM_OP_NOP, 4, 0, 0, true}, // first of a buffer at an odd dword
    {"far in a buffer", 2, TOTEM_OP_NOP, 200, 150, 150, true},
};

TEST(fetch_that_fails)
{
    enum { READY = 6000 }; // what precedes the packet has been read by then
    static const memory_fault_kind kind[2] = {MEMORY_READ_SLVERR, MEMORY_READ_DECERR};
    for (uint32_t k = 0; k < COUNT(unread_rows); k++) {
        const unread  *u       = &unread_rows[k];
        const uint64_t buffer  = WORLD_BUFFER + 4 * u->at;
        const uint64_t fails   = u->inside ? buffer + 4 * u->fault : ring_place(0, 0, u->at + u->fault);
        const uint64_t named   = u->inside ? buffer + 4 * u->named : ring_place(0, 0, u->at + u->named);
        const uint32_t words[] = {TYPE3(u->op, u->count), 0x240};
        memory_fault   fault;
        world          w;
        fault = (memory_fault){.address = fails, .kind = kind[k % 2], .at = READY};
        world_open_with(&w, 10, &fault, 1);
        map_three(&w);
        w.row = u->name;
        while (position(&w) < (u->inside ? 11 : u->at))
            nop(&w);
        doorbell(&w, 0, 0);
        UNTIL(&w, rptr(&w, 0, 0) == position(&w));
        assert_true(now(&w) < READY);
        UNTIL(&w, now(&w) >= READY);
        w.buffer = u->inside ? buffer : 0;
        raw(&w, words, 2);
        for (uint32_t n = 2; n <= u->count; n++)
            raw(&w, &n, 1);
        w.buffer = 0;
        if (u->inside)
            PACKET(&w, INDIRECT_BUFFER, (uint32_t)buffer, 0, (u->count + 1) | 1u << 23);
        const uint32_t stands = u->inside ? position(&w) : u->at;
        write_word(&w, OUT, 1);
        doorbell(&w, 0, 0);
        UNTIL(&w, errors(&w) == 1);
        until_halted(&w, 0);
        EXPECT(u->name, rptr(&w, 0, 0), stands);
        EXPECT(u->name, get(&w, OUT), 0);
        expect_others_run(&w, u->name, 1, true);
        expect_record(&w, u->name, 0, (uint8_t)(TOTEM_ERROR_MEMORY_READ_SLVERR + k % 2), named, (uint32_t)named);
        driver_resume(host(&w), now(&w), 0, 0); // reads it again
        UNTIL(&w, get(&w, OUT) == 1);
        EXPECT(u->name, errors(&w), 1);
        world_close(&w);
    }
}

// ---- memory: every requester

enum { PERIOD = 300 }; // MEMORY_TIMEOUT: what is not answered is given up after more than one and at most two of them

static void a_packet(world *w)
{
    nop(w);
}

static void a_poll(world *w)
{
    set(w, FAULTY + 4, 9);
    nop(w);
    wait_equal(w, FAULTY + 4, 9);
}

static void a_fence(world *w)
{
    fence(w, 1, 2, FAULTY + 4, 1, 123);
}

static void a_write(world *w)
{
    write_word(w, FAULTY + 4, 1);
}

// A queue with nothing to do reports its read pointer.
static void a_report(world *w)
{
    driver_queue q = world_queue(0, 0, 7);
    clear_active(w, 0, 0);
    q.rptr_report = FAULTY + 4;
    map_queue(w, &q);
    nop(w);
}

// The memory port of the first front end asks for these 8 bytes.
static bool at_port(const world *w, uint64_t address)
{
    const totem_memory_out *m = &session_out(w->s)->fe[0].memory;
    return (m->m_axi_awvalid && m->m_axi_awaddr == address) ||
           (m->m_axi_arvalid && m->m_axi_araddr <= address && address < m->m_axi_araddr + 8 * (m->m_axi_arlen + 1u));
}

// The first front end has one path without an ID: a record says which, once, and STATUS.
static void expect_dead(world *w, uint32_t path)
{
    session_error list[64];
    UNTIL(w, errors(w) == faults(w) + 1);
    const uint64_t count = session_errors(w->s, list, 64);
    for (uint64_t n = 0; n < count; n++)
        if (list[n].code == TOTEM_ERROR_MEMORY_PATH_DEAD) {
            assert_int_equal(list[n].pipe, -1);
            assert_int_equal(list[n].word, path);
            assert_int_equal(list[n].address | list[n].queue, 0);
        }
    assert_int_equal(host_get(w, MACHINE(STATUS)) >> 8, 1);
}

// One access of queue 0 is refused, or not answered: its record, nothing else stops, RESUME repairs it; what is lost is
// lost. Where nothing answers the ID stays reserved. Some paths have no other one: there a second try ends like the
// first.
TEST(access_that_fails)
{
    static const struct {
        const char *name;
        void (*work)(world *w);
        uint64_t address;
        uint32_t stands; // read pointer of the halted queue
        bool     write, shared;
        uint32_t path; // that is dead without an answer; not `shared`
    } rows[] = {
        {"fetch", a_packet, WORLD_RING, 0, false, false, 0}, {"poll", a_poll, FAULTY + 4, 1, false, false, 1},
        {"fence", a_fence, FAULTY + 4, 8, true, true, 0},    {"write", a_write, FAULTY + 4, 5, true, true, 0},
        {"report", a_report, FAULTY + 4, 1, true, true, 0},
    };
    for (unsigned n = 0; n < 3 * COUNT(rows); n++) {
        enum { REFUSALS = 2 };
        const unsigned r = n / 3, kind = n % 3;
        const uint8_t  code =
            (uint8_t)(kind + (rows[r].write ? TOTEM_ERROR_MEMORY_WRITE_SLVERR : TOTEM_ERROR_MEMORY_READ_SLVERR));
        const bool   dead  = kind == REFUSALS && !rows[r].shared;
        memory_fault fault = {.address = rows[r].address & ~7ull,
                              .kind    = (memory_fault_kind)((rows[r].write ? MEMORY_WRITE_SLVERR : 0) + kind)};
        world        w;
        world_open_with(&w, 10, &fault, 1);
        w.row = rows[r].name;
        host_put(&w, MACHINE(MEMORY_TIMEOUT), PERIOD);
        map_three(&w);
        rows[r].work(&w);
        driver_doorbell(host(&w), now(&w), 0, 0, w.written[0][0]);
        UNTIL(&w, at_port(&w, fault.address));
        const uint64_t asked = now(&w);
        UNTIL(&w, host_done(host(&w)));
        for (unsigned tries = 1; tries < (dead ? 3 : 2); tries++) {
            UNTIL(&w, faults(&w) == tries && front_out(&w, 0)->execute.halted[0]);
            if (kind == REFUSALS && tries == 1)
                assert_in_range(now(&w) - asked, PERIOD, 2 * PERIOD + 40);
            if (dead)
                expect_dead(&w, rows[r].path);
            EXPECT(w.row, rptr(&w, 0, 0), rows[r].stands);
            expect_others_run(&w, w.row, tries, !dead || rows[r].path != 0);
            expect_record(&w, w.row, 0, code, rows[r].address, (uint32_t)rows[r].address);
            EXPECT(w.row, session_count(w.s).interrupts, 0);
            if (!dead)
                EXPECT(w.row, host_get(&w, MACHINE(STATUS)) >> 8, 0);
            if (tries == 1) {
                write_word(&w, OUT, 1);
                fence(&w, 1, 2, OUT + 8, 2, 124);
                doorbell(&w, 0, 0);
                EXPECT(w.row, rptr(&w, 0, 0), rows[r].stands); // the doorbell does not resume
                driver_resume(host(&w), now(&w), 0, 0);
            }
        }
        if (dead)
            driver_unmap(host(&w), now(&w), 0, 0); // and the machine is idle: the reserved ID counts as drained
        else {
            UNTIL(&w, get(&w, OUT) == 1 && get(&w, OUT + 8) == 2 && session_count(w.s).interrupts == 1);
            UNTIL(&w, r != 4 || get(&w, FAULTY + 4) == position(&w)); // the next report tells the rest
            EXPECT(w.row, faults(&w), 1);
        }
        world_close(&w);
    }
}

// A fence write that nobody answers delays its own queue only; what was closed behind it there is not tried.
TEST(unanswered_fence_delays_its_queue_only)
{
    memory_fault fault = {.address = FAULTY, .kind = MEMORY_WRITE_NOTHING};
    world        w;
    world_open_with(&w, 10, &fault, 1);
    host_put(&w, MACHINE(MEMORY_TIMEOUT), 20000);
    map_three(&w);
    fence(&w, 1, 0, FAULTY, 1, 0);
    fence(&w, 1, 0, OUT, 2, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, session_out(w.s)->fe[0].memory.m_axi_awvalid);
    on(&w, 0, 1);
    fence(&w, 1, 0, OUT + 8, 3, 0);
    const uint64_t asked = now(&w);
    doorbell(&w, 0, 1);
    UNTIL(&w, get(&w, OUT + 8) == 3);
    UNTIL(&w, front_out(&w, 0)->slot_idle.idle[1]);
    assert_true(now(&w) - asked < 500);
    assert_int_equal(errors(&w), 0);
    on(&w, 0, 0);
    assert_int_equal(get(&w, OUT), 0); // behind the one that waits
    host_put(&w, MACHINE(MEMORY_TIMEOUT), PERIOD);
    UNTIL(&w, faults(&w) == 2 && front_out(&w, 0)->execute.halted[0]);
    // The other one of the queue is not tried: its record is the later one.
    uint64_t            count;
    const session_error later = last_fault(&w, &count);
    assert_int_equal(later.code, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT);
    assert_int_equal(later.queue, 0);
    assert_int_equal(later.address, OUT);
    assert_int_equal(host_get(&w, EVENTS(RECORD_ADDRESS_LO)), FAULTY);
    assert_int_equal(host_get(&w, EVENTS(RECORD_LATER)), 1);
    assert_int_equal(get(&w, OUT), 0);
    driver_resume(host(&w), now(&w), 0, 0);
    fence(&w, 1, 0, OUT, 4, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT) == 4);
    assert_int_equal(faults(&w), 2);
    world_close(&w);
}

static unsigned shared_taken(const world *w)
{
    const totem_memory *m     = &session_model(w->s)->fe[0].memory;
    unsigned            count = 0;
    for (unsigned n = 0; n < TOTEM_FENCES; n++)
        count += m->fence_late[n];
    return count;
}

// Every access below the rings is answered, but long after it has been given up: reports, polls, an MQD, a buffer,
// packet writes and more fences than there are IDs. Each queue halts with its record, each path that is shut has its
// message; when the late answers have come the paths are open again, and the queues go on.
TEST(late_answers)
{
    enum { REPORT = 0x1000, POLLED = 0x2000, FENCES = 0x3000, WRITTEN = 0x4000, MQD = 0x5000, BUFFER = 0x6000 };
    enum { LATENESS = 5000, PATHS = 4, CLOSED = 2 };
    const uint32_t       paths[PATHS] = {0, 1, 2 * TOTEM_FE_PIPES, TOTEM_READERS};
    const memory_options memory       = {.seed           = 1,
                                         .latency        = 10,
                                         .failures       = 65536,
                                         .late           = 256,
                                         .lateness       = LATENESS,
                                         .failures_until = 9000,
                                         .spared         = WORLD_RING};
    world                w;
    unsigned             told[PATHS] = {0};
    world_open_memory(&w, &memory);
    host_put(&w, MACHINE(MEMORY_TIMEOUT), PERIOD);
    for (int q = 0; q < 4; q++) {
        driver_queue d = world_queue(0, q, 3);
        d.rptr_report  = q == 0 ? REPORT : 0;
        map_queue(&w, &d);
    }
    set(&w, BUFFER, NOP1);
    set(&w, POLLED, 1);
    give_nop(&w, 0, 0);
    UNTIL(&w, front_out(&w, 0)->execute.halted[0]); // by its report
    driver_resume(host(&w), now(&w), 0, 0);
    nop(&w);
    doorbell(&w, 0, 0);
    UNTIL(&w, !front_out(&w, 0)->execute.halted[0] && read_up(&w, 0));
    UNTIL(&w, front_out(&w, 0)->execute.halted[0]); // with a borrowed ID
    on(&w, 0, 1);
    wait_equal(&w, POLLED, 1);
    write_word(&w, WRITTEN, 11);
    doorbell(&w, 0, 1);
    // Of the fences of a queue that are closed only the first is tried; the driver lets the queues go on until no ID is
    // left.
    uint32_t given = 0;
    for (; given < TOTEM_FENCES && shared_taken(&w) < TOTEM_FENCES; given += CLOSED) {
        for (int q = 2; q < 4; q++) {
            on(&w, 0, q);
            for (uint32_t n = given; n < given + CLOSED; n++)
                fence(&w, 1, 0, FENCES + 0x100 * (uint64_t)q + 8 * n, 20 + n, 0);
            doorbell(&w, 0, q);
            if (front_out(&w, 0)->execute.halted[q])
                driver_resume(host(&w), now(&w), 0, (uint32_t)q);
            UNTIL(&w, host_done(host(&w)));
        }
        UNTIL(&w, front_out(&w, 0)->epoch.flushed[2] && front_out(&w, 0)->epoch.flushed[3] &&
                      front_out(&w, 0)->execute.halted[2] && front_out(&w, 0)->execute.halted[3]);
    }
    for (int q = 2; q < 4; q++) {
        on(&w, 0, q);
        PACKET(&w, INDIRECT_BUFFER, BUFFER, 0, 1u << 23 | 1);
        doorbell(&w, 0, q);
        driver_resume(host(&w), now(&w), 0, (uint32_t)q);
        UNTIL(&w, host_done(host(&w)) && !front_out(&w, 0)->execute.halted[q]);
    }
    UNTIL(&w, front_out(&w, 0)->execute.halted[1] && front_out(&w, 0)->execute.halted[2] &&
                  front_out(&w, 0)->execute.halted[3]);
    clear_active(&w, 0, 0);
    driver_queue d = world_queue(0, 0, 3);
    d.rptr         = position(&w);
    d.mqd          = MQD;
    driver_map(host(&w), now(&w), &d);
    UNTIL(&w, host_done(host(&w)));
    UNTIL(&w, !front_out(&w, 0)->mqd.busy && !window_active(&w, 0, 0)); // refused
    UNTIL(&w, host_get(&w, MACHINE(STATUS)) >> 8 & 1);
    UNTIL(&w, now(&w) > memory.failures_until + 2 * LATENESS);
    assert_int_equal(host_get(&w, MACHINE(STATUS)) >> 8, 0);
    unsigned sent = 0; // the others were not tried, or found no ID
    for (int q = 2; q < 4; q++)
        for (uint32_t n = 0; n < given; n++) {
            const uint32_t value = get(&w, FENCES + 0x100 * (uint64_t)q + 8 * n);
            assert_true(value == 0 || value == 20 + n);
            sent += value != 0;
        }
    assert_in_range(sent, 2, TOTEM_FENCES);
    session_error  list[256];
    const uint64_t count = session_errors(w.s, list, 256);
    for (uint64_t n = 0; n < count; n++)
        for (unsigned k = 0; k < PATHS; k++)
            told[k] += list[n].code == TOTEM_ERROR_MEMORY_PATH_DEAD && list[n].word == paths[k];
    for (unsigned k = 0; k < PATHS; k++)
        assert_in_range(told[k], 1, 9);

    driver_map(host(&w), now(&w), &d); // an MQD whose pairs are equal
    for (int q = 1; q < 4; q++)
        for (unsigned n = 0; n < WORLD_LIMIT && (front_out(&w, 0)->execute.halted[q] || !read_up(&w, q)); n++) {
            if (front_out(&w, 0)->execute.halted[q] && host_done(host(&w)))
                driver_resume(host(&w), now(&w), 0, (uint32_t)q);
            step(&w);
        }
    UNTIL(&w, front_out(&w, 0)->arbiter.active[0]);
    assert_int_equal(get(&w, WRITTEN), 11);
    assert_int_equal(errors(&w), count); // nothing fails any more
    world_close(&w);
}

// A WRITE_DATA of many dwords of queue 0, all to one address or one behind the other.
enum { MANY = 40, MOST_FAILURES = 3, SHARED_TAKEN = 2 };

static void write_many(world *w, bool one, uint64_t address, uint32_t first)
{
    uint32_t body[3 + MANY] = {5u << 8 | (one ? 1u << 16 : 0), (uint32_t)address, (uint32_t)(address >> 32)};
    for (uint32_t n = 0; n < MANY; n++)
        body[3 + n] = first + n;
    on(w, 0, 0);
    packet(w, TOTEM_OP_WRITE_DATA, body, 3 + MANY);
    doorbell(w, 0, 0);
}

// More faults at an address than a test makes writes to it.
static void open_many(world *w, memory_fault_kind kind)
{
    static memory_fault faults[8 * MANY];
    for (unsigned n = 0; n < COUNT(faults); n++)
        faults[n] = (memory_fault){.address = FAULTY, .kind = kind};
    world_open_with(w, 10, faults, COUNT(faults));
    host_put(w, MACHINE(MEMORY_TIMEOUT), PERIOD);
    map_three(w);
#if TOTEM_PIPES > 1
    map(w, TOTEM_PIPES - 1, WORLD_LAST, 7); // the other pipe of the front end
#endif
}

// Fences with interrupts of a queue of the same pipe, of the other one and of the last pipe: all of them come.
static void expect_fences(world *w, uint32_t rounds)
{
    const int      queues[3][2] = {{0, 1}, {TOTEM_PIPES - 1, WORLD_LAST}, {WORLD_PIPES - 1, WORLD_LAST}};
    const uint64_t before       = session_count(w->s).interrupts;
    for (uint32_t n = 1; n <= rounds; n++) {
        for (unsigned k = 0; k < 3; k++) {
            on(w, queues[k][0], queues[k][1]);
            fence(w, 1, 2, OUT + 0x40 * (k + 1), n, n);
            doorbell(w, queues[k][0], queues[k][1]);
        }
        for (unsigned k = 0; k < 3; k++)
            UNTIL(w, get(w, OUT + 0x40 * (k + 1)) == n);
        UNTIL(w, session_count(w->s).interrupts == before + 3 * n);
    }
}

static void expect_cut(world *w, uint32_t at, uint8_t code)
{
    const uint64_t before = faults(w);
    uint64_t       count;
    UNTIL(w, front_out(w, 0)->execute.halted[0] && !selected(w, 0, 0) && front_out(w, 0)->slot_idle.idle[0]);
    const session_error last = last_fault(w, &count);
    assert_int_equal(rptr(w, 0, 0), at); // it stands on the packet, or behind that of its buffer
    assert_in_range(count, before ? before : 1, before + MOST_FAILURES);
    assert_int_equal(last.code, code);
    assert_int_equal(last.queue, 0);
    assert_int_equal(last.address & ~(uint64_t)7, FAULTY);
}

// The long packet is cut at the first failure: few records, the queue's own ID and a few of the shared ones at most,
// once, and the fences of the others find theirs. Where the packet is of a mapping that is cleared meanwhile nobody is
// halted.
TEST(long_write_that_fails)
{
    enum { UNANSWERED, CLEARED, REFUSED, CASES };
    static const char *const rows[CASES] = {"not answered", "not answered, ACTIVE cleared", "refused"};
    for (unsigned row = 0; row < CASES; row++) {
        world w;
        open_many(&w, row == REFUSED ? MEMORY_WRITE_SLVERR : MEMORY_WRITE_NOTHING);
        w.row = rows[row];
        write_many(&w, true, FAULTY, 100);
        UNTIL(&w, session_out(w.s)->fe[0].memory.m_axi_awvalid);
        if (row == CLEARED)
            driver_unmap(host(&w), now(&w), 0, 0);
        expect_fences(&w, 8);
        if (row == CLEARED) {
            UNTIL(&w, !window_active(&w, 0, 0) && front_out(&w, 0)->slot_idle.idle[0]);
            assert_int_equal(window_get(&w, 0, 0, WINDOW(CP_HQD_PQ_RPTR)), 0);
            assert_in_range(faults(&w), 1, MOST_FAILURES);
        } else
            expect_cut(&w, 0, row == REFUSED ? TOTEM_ERROR_MEMORY_WRITE_SLVERR : TOTEM_ERROR_MEMORY_WRITE_TIMEOUT);
        assert_in_range(shared_taken(&w), row == UNANSWERED, SHARED_TAKEN);
        const uint64_t count = faults(&w);
        assert_int_equal(host_get(&w, MACHINE(STATUS)) >> 8, 0);
        expect_fences(&w, 8);
        if (row != CLEARED) {
            window_put(&w, 0, 0, WINDOW(CONTROL), 2);
            write_many(&w, false, OUT + 0x800, 200);
            UNTIL(&w, read_up(&w, 0) && get(&w, OUT + 0x800 + 4 * (MANY - 1)) == 200 + MANY - 1);
            for (uint32_t n = 0; n < MANY; n++)
                assert_int_equal(get(&w, OUT + 0x800 + 4 * n), 200 + n);
        }
        assert_int_equal(faults(&w), count);
        world_close(&w);
    }
}

// One dword in the middle fails: its record, RESUME writes the whole packet again, wherever it stands.
TEST(cut_write_is_repeated)
{
    enum { RING, WRAP, BUFFER, ROWS };
    static const char *const rows[ROWS] = {"in the ring", "across its end", "in a buffer"};
    for (unsigned row = 0; row < ROWS; row++) {
        memory_fault fault = {.address = FAULTY, .kind = MEMORY_WRITE_DECERR};
        world        w;
        world_open_with(&w, 10, &fault, 1);
        w.row = rows[row];
        map_three(&w);
        if (row == WRAP) {
            nops(&w, WORLD_SIZE - 6);
            doorbell(&w, 0, 0);
            UNTIL(&w, read_up(&w, 0));
        }
        if (row == BUFFER) {
            w.buffer = WORLD_BUFFER;
            nop(&w);
        }
        const uint32_t from = position(&w);
        write_many(&w, false, FAULTY - 40, 300);
        if (row == BUFFER) {
            const uint32_t size = (uint32_t)(w.buffer - WORLD_BUFFER) / 4;
            w.buffer            = 0;
            PACKET(&w, INDIRECT_BUFFER, WORLD_BUFFER, 0, size);
            doorbell(&w, 0, 0);
        }
        expect_cut(&w, row == BUFFER ? position(&w) : from, TOTEM_ERROR_MEMORY_WRITE_DECERR);
        assert_int_equal(errors(&w), 1);
        assert_int_equal(get(&w, FAULTY - 4), 309);
        assert_int_equal(get(&w, FAULTY), 0);
        assert_int_equal(get(&w, FAULTY - 40 + 4 * (MANY - 1)), 0); // it has not come so far
        set(&w, FAULTY - 40, 0);
        driver_resume(host(&w), now(&w), 0, 0);
        UNTIL(&w, read_up(&w, 0) && front_out(&w, 0)->slot_idle.idle[0] && get(&w, FAULTY - 40 + 4 * (MANY - 1)) != 0);
        for (uint32_t n = 0; n < MANY; n++)
            assert_int_equal(get(&w, FAULTY - 40 + 4 * n), 300 + n);
        assert_int_equal(errors(&w), 1);
        world_close(&w);
    }
}

// ---- host

typedef struct {
    uint32_t address, data;
    uint8_t  code;
    bool     read;
} bad_access;

TEST(every_refused_access)
{
#define W(name) driver_window(0, 0, WINDOW(name))
    const uint32_t   doorbell_hole = TOTEM_GRAPHICS ? TOTEM_REG_RING_DOORBELL_BASE + 4 * TOTEM_FE_COUNT
                                                    : TOTEM_REG_DOORBELL_BASE + 4 * 8 * TOTEM_PIPE_COUNT;
    const uint32_t   free_queue = driver_window(0, 2, WINDOW(CONTROL)), engine = TOTEM_REG_ENGINE_BASE;
    const bad_access rows[] = {
        {0x0003c, 0, TOTEM_ERROR_HOST_HOLE, true},
        {0xffffc, 0, TOTEM_ERROR_HOST_HOLE, true},
        {TOTEM_REG_EVENTS_BASE + 4 * 13, 1, TOTEM_ERROR_HOST_HOLE, false},
        {engine + 4 * (TOTEM_REG_ENGINE_REFUSED + 1), 0, TOTEM_ERROR_HOST_HOLE, true},
        {driver_window(0, 0, 61), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {driver_window(0, TOTEM_QUEUES, 0), 0, TOTEM_ERROR_HOST_HOLE, true},
        {doorbell_hole, 0, TOTEM_ERROR_HOST_HOLE, false},
        {MACHINE(MAGIC), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {EVENTS(RECORD_WORD), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {engine + 4 * TOTEM_REG_ENGINE_OCCUPIED_LOW, 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {W(RPTR), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {engine + 4 * TOTEM_REG_ENGINE_SPREAD, 31, TOTEM_ERROR_HOST_VALUE, false},
        {W(CP_HQD_PIPE_PRIORITY), 3, TOTEM_ERROR_HOST_VALUE, false},
        {W(CONTROL), 4, TOTEM_ERROR_HOST_VALUE, false},
        {W(CP_HQD_PQ_BASE), 1, TOTEM_ERROR_HOST_LOCKED, false},
        {TOTEM_REG_DOORBELL_BASE + 4 * 2, 4, TOTEM_ERROR_HOST_DOORBELL_UNMAPPED, false},
        {TOTEM_REG_DOORBELL_BASE + 4 * 1, 5, TOTEM_ERROR_HOST_DOORBELL_DISABLED, false},
        {TOTEM_REG_DOORBELL_BASE, 1 + WORLD_SIZE, TOTEM_ERROR_HOST_DOORBELL_RANGE, false}, // rptr 0: one too many
        {TOTEM_REG_DOORBELL_BASE, 0xffffffffu, TOTEM_ERROR_HOST_DOORBELL_RANGE, false},    // before the read pointer
        {W(CP_HQD_PQ_WPTR_LO), 6, TOTEM_ERROR_HOST_DOORBELL_RANGE, false},
        {W(CP_HQD_DEQUEUE_REQUEST), 5, TOTEM_ERROR_HOST_DEQUEUE_TYPE, false},
        {driver_window(0, 2, WINDOW(CP_HQD_DEQUEUE_REQUEST)), 1, TOTEM_ERROR_HOST_DEQUEUE, false},
        {W(CONTROL), 1, TOTEM_ERROR_HOST_RESUME, false}, // not halted
        {free_queue, 1, TOTEM_ERROR_HOST_RESUME, false},
    };
    world    w;
    uint32_t done = 0;
    world_open(&w);
    map(&w, 0, 0, 7);
    map(&w, 0, 1, 7);
    // Queue 0 waits for memory with its read pointer at 0, queue 1 has lost its DOORBELL_EN before it was mapped.
    give_wait(&w, 0, 0, OUT);
    UNTIL(&w, selected(&w, 0, 0));
    clear_active(&w, 0, 1);
    host_put(&w, driver_window(0, 1, WINDOW(CP_HQD_PQ_DOORBELL_CONTROL)), 0);
    host_put(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE)), 1);
    for (uint32_t n = 0; n < COUNT(rows); n++) {
        const bad_access *b = &rows[n];
        char              name[40];
        snprintf(name, sizeof name, "row %u, address 0x%05x", n, b->address);
        uint32_t before = 0;
        // What the register says must not change (doorbells and holes have nothing to read).
        const bool readable = b->code != TOTEM_ERROR_HOST_HOLE && b->address - TOTEM_REG_DOORBELL_BASE >= 0x100u &&
                              (b->address & 0xfffffu) != W(STATE);
        if (readable)
            before = host_get(&w, b->address);
        const size_t k =
            b->read ? host_read(host(&w), now(&w), b->address) : host_write(host(&w), now(&w), b->address, b->data);
        UNTIL(&w, host_done(host(&w)));
        EXPECT(name, host(&w)->list[k].response, 2);
        if (b->read)
            EXPECT(name, host(&w)->list[k].data, 0);
        done++;
        UNTIL(&w, errors(&w) == done);
        const session_error e = last_error(&w);
        EXPECT(name, e.code, b->code);
        EXPECT(name, e.pipe, (uint64_t)-1);
        EXPECT(name, e.address, b->address);
        EXPECT(name, e.word, b->data);
        if (readable)
            EXPECT(name, host_get(&w, b->address), before);
    }
    assert_int_equal(host_get(&w, EVENTS(RECORD_LATER)), done - 1); // the first record is kept
    assert_int_equal(host_get(&w, EVENTS(RECORD)) >> 8 & 0xff, TOTEM_ERROR_HOST_HOLE);
    assert_int_equal(host_get(&w, EVENTS(ERROR_COUNT) + 4 * 3), done);
    assert_int_equal(front_out(&w, 0)->fetch.wptr[0], 7);
    set(&w, OUT, 1);
    UNTIL(&w, rptr(&w, 0, 0) == 7);
    world_close(&w);
#undef W
}

// ACTIVE is refused, and nothing is mapped.
RULE(every_refused_mapping)
{
    static const struct {
        uint32_t dword, value;
        uint8_t  code;
    } rows[] = {
        {WINDOW(CP_HQD_PERSISTENT_STATE), 0x0be05301, TOTEM_ERROR_HOST_MAP_STATE},
        {WINDOW(CP_HQD_IB_CONTROL), 0x80b00000, TOTEM_ERROR_HOST_MAP_STATE},
        {WINDOW(CP_HQD_PIPE_PRIORITY), 3, TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY},
        {WINDOW(CP_HQD_PQ_CONTROL), 2, TOTEM_ERROR_HOST_MAP_QUEUE_SIZE},
        {WINDOW(CP_HQD_PQ_CONTROL), 8 | 1u << 25, TOTEM_ERROR_HOST_MAP_AQL},
        {WINDOW(CP_HQD_PQ_WPTR_LO), WORLD_SIZE + 1, TOTEM_ERROR_HOST_MAP_POINTERS},
        {WINDOW(CP_MQD_BASE_ADDR), 4, TOTEM_ERROR_HOST_MAP_MQD},
        {WINDOW(CP_MQD_BASE_ADDR_HI), 0x7e00, TOTEM_ERROR_HOST_MAP_ADDRESS}, // ADDRESS_HIGH is 0x7f
        {WINDOW(CP_HQD_PQ_BASE_HI), 0x80, TOTEM_ERROR_HOST_MAP_ADDRESS},
        {WINDOW(CP_HQD_PQ_BASE), 0x80000000, TOTEM_ERROR_HOST_MAP_ADDRESS},
        {WINDOW(CP_HQD_PQ_RPTR_REPORT_ADDR_HI), 0x7f80, TOTEM_ERROR_HOST_MAP_ADDRESS},
        {WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR_HI), 0x80, TOTEM_ERROR_HOST_MAP_ADDRESS},
    };
    host_put(w, MACHINE(ADDRESS_HIGH), 0x7f);
    map(w, 0, 0, 7); // leaves a good window behind
    clear_active(w, 0, 0);
    for (uint32_t n = 0; n < COUNT(rows); n++) {
        const uint32_t dword = driver_window(0, 0, rows[n].dword), active = driver_window(0, 0, WINDOW(CP_HQD_ACTIVE));
        const uint32_t good = host_get(w, dword);
        host_put(w, dword, rows[n].value);
        assert_int_equal(host_try(w, active, 1), 2);
        UNTIL(w, errors(w) == n + 1);
        assert_int_equal(last_error(w).code, rows[n].code);
        assert_int_equal(last_error(w).address, active);
        assert_int_equal(host_get(w, active) & 1, 0);
        assert_false(front_out(w, 0)->arbiter.active[0]);
        host_put(w, dword, good);
    }
    host_put(w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 1);
    give_write(w, 0, 0, OUT, 1);
    UNTIL(w, get(w, OUT) == 1);
}

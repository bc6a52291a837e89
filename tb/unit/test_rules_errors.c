// SPDX-License-Identifier: Apache-2.0
//
// Errors on the whole model: every error of a packet, of the memory and of the host port has its record, stops only
// what it belongs to, and can be repaired. Codes and words: rtl/host/errors.yaml and docs/contract/decode.md.
// Configuration: mini, because memory paths of other front ends are instances of their own, which random work has.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules_world.h"

enum { OUT = WORLD_DATA, FAULTY = WORLD_DATA + 0x10000 };

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

static void too_many_registers(world *w)
{
    shape(w, 64 * 40, 0, 64, 0); // 40 waves of 64 blocks
}

#if TOTEM_LDS < 511
static void too_much_lds(world *w)
{
    shape(w, 64, 0, 1, TOTEM_LDS + 1);
}
#endif

static void no_partial_threads(world *w)
{
    shape(w, 64, 0, 1, 0);
    SET_SH(w, 7, 64 | 32u << 16, 1, 1 | 1u << 16); // of y
}

static void partial_above_full(world *w)
{
    shape(w, 64, 0, 1, 0);
    SET_SH(w, 7, 8 | 3u << 16, 8 | 9u << 16, 1 | 1u << 16);
}

typedef struct {
    const char *name;
    void (*before)(world *w);
    uint32_t words[10];
    uint32_t count;
    uint8_t  code;
    uint32_t word; // of the record
} bad_packet;

#define H(op, body) TYPE3(TOTEM_OP_##op, body)
#define BODY4(a, b, c, d) {H(DISPATCH_DIRECT, 4), a, b, c, d}, 5
#define RELEASE(control) {H(RELEASE_MEM, 7), 0x528, control, OUT + 0x200, 0, 1, 0, 0}, 8
#define WAIT(control) {H(WAIT_REG_MEM, 6), control, OUT + 0x200, 0, 1, 1, 4}, 7
#define CODE(name) TOTEM_ERROR_PACKET_##name

static const bad_packet bad_packets[] = {
    {"type 0", nothing, {0x00001234}, 1, CODE(HEADER_TYPE), 0x00001234},
    {"type 1", nothing, {0x40000000}, 1, CODE(HEADER_TYPE), 0x40000000},
    {"unknown opcode", nothing, {TYPE3(0x02, 1), 0}, 2, CODE(OPCODE), TYPE3(0x02, 1)},
    {"another unknown opcode", nothing, {TYPE3(0xf5, 3), 0, 0, 0}, 4, CODE(OPCODE), TYPE3(0xf5, 3)},
    {"dispatch of 3", nothing, {H(DISPATCH_DIRECT, 3), 1, 1, 1}, 4, CODE(COUNT_FORM), H(DISPATCH_DIRECT, 3)},
    {"dispatch of 5", nothing, {H(DISPATCH_DIRECT, 5), 1, 1, 1, 1, 1}, 6, CODE(COUNT_FORM), H(DISPATCH_DIRECT, 5)},
    {"event of 2", nothing, {H(EVENT_WRITE, 2), 7, 0}, 3, CODE(COUNT_FORM), H(EVENT_WRITE, 2)},
    {"release of 6", nothing, {H(RELEASE_MEM, 6), 0, 0, 0, 0, 0, 0}, 7, CODE(COUNT_FORM), H(RELEASE_MEM, 6)},
    {"acquire of 5", nothing, {H(ACQUIRE_MEM, 5), 0, 0, 0, 0, 0}, 6, CODE(COUNT_FORM), H(ACQUIRE_MEM, 5)},
    {"wait of 5", nothing, {H(WAIT_REG_MEM, 5), 0x13, 0, 0, 0, 0}, 6, CODE(COUNT_FORM), H(WAIT_REG_MEM, 5)},
    {"write of 2", nothing, {H(WRITE_DATA, 2), 5 << 8, OUT}, 3, CODE(COUNT_FORM), H(WRITE_DATA, 2)},
    {"buffer of 2", nothing, {H(INDIRECT_BUFFER, 2), 0, 0}, 3, CODE(COUNT_FORM), H(INDIRECT_BUFFER, 2)},
    {"buffer of size 0", nothing, {H(INDIRECT_BUFFER, 3), WORLD_BUFFER, 0, 0x800000}, 4, CODE(IB_SIZE_ZERO), 0x800000},
    {"registers beyond 0x3ff", nothing, {H(SET_SH_REG, 3), 0x3ff, 1, 2}, 4, CODE(SH_OFFSET), 0x3ff},
    {"register 0x400 without a value", nothing, {H(SET_SH_REG, 1), 0x400}, 2, CODE(SH_OFFSET), 0x400},
    {"register 0x400", nothing, {H(SET_SH_REG, 2), 0x400, 1}, 3, CODE(SH_OFFSET), 0x400},
    {"write to 1", nothing, {H(WRITE_DATA, 4), 1 << 8, OUT + 0x200, 0, 1}, 5, CODE(WRITE_DESTINATION), 1 << 8},
    {"write to 15", nothing, {H(WRITE_DATA, 4), 15 << 8, OUT + 0x200, 0, 1}, 5, CODE(WRITE_DESTINATION), 15 << 8},
    {"data_sel 5", nothing, RELEASE(5u << 29), CODE(RELEASE_DATA_SEL), 5u << 29},
    {"data_sel 7", nothing, RELEASE(7u << 29), CODE(RELEASE_DATA_SEL), 7u << 29},
    {"int_sel 4", nothing, RELEASE(1u << 29 | 4u << 24), CODE(RELEASE_INT_SEL), 1u << 29 | 4u << 24},
    {"release to 2", nothing, RELEASE(1u << 29 | 2u << 16), CODE(RELEASE_DESTINATION), 1u << 29 | 2u << 16},
    {"release, all wrong", nothing, RELEASE(6u << 29 | 7u << 24 | 3u << 16), CODE(RELEASE_DATA_SEL),
     6u << 29 | 7u << 24 | 3u << 16},
    {"function 7", nothing, WAIT(0x17), CODE(WAIT_FUNCTION), 0x17},
    {"operation 1", nothing, WAIT(0x53), CODE(WAIT_OPERATION), 0x53},
    {"operation 2", nothing, WAIT(0x93), CODE(WAIT_OPERATION), 0x93},
    {"space 2", nothing, WAIT(0x23), CODE(WAIT_OPERATION), 0x23},
    {"no threads", no_threads, BODY4(1, 1, 1, AT_ZERO), CODE(NUM_THREAD_ZERO), 0},
    {"no partial threads", no_partial_threads, BODY4(1, 1, 1, AT_ZERO | 1u << 1), CODE(NUM_THREAD_ZERO), 1},
    {"partial above full", partial_above_full, BODY4(1, 1, 1, AT_ZERO | 1u << 1), CODE(NUM_THREAD_PARTIAL), 0},
    {"y of 65536", a_shape, BODY4(1, 65536, 1, AT_ZERO), CODE(GRID_RANGE), 65536},
    {"z of 65536", a_shape, BODY4(1, 1, 65536, AT_ZERO), CODE(GRID_RANGE), 65536},
    {"y and z", a_shape, BODY4(1, 70000, 80000, AT_ZERO), CODE(GRID_RANGE), 70000},
    {"no engine", no_engine, BODY4(1, 1, 1, AT_ZERO), CODE(NO_ENGINE), 0},
    {"waves", too_many_waves, BODY4(1, 1, 1, AT_ZERO), CODE(GROUP_TOO_LARGE), TOTEM_SLOTS + 1},
    {"registers", too_many_registers, BODY4(1, 1, 1, AT_ZERO), CODE(GROUP_TOO_LARGE), 40},
#if TOTEM_LDS < 511
    {"LDS", too_much_lds, BODY4(1, 1, 1, AT_ZERO), CODE(GROUP_TOO_LARGE), 1},
#endif
    {"y in threads", a_shape, BODY4(1, 65536, 1, AT_ZERO | 1u << 5), CODE(GRID_RANGE), 65536},
    {"y and z in threads", a_shape, BODY4(1, 80000, 70000, AT_ZERO | 1u << 5), CODE(GRID_RANGE), 80000},
    {"z in threads", a_shape, BODY4(1, 65535, 70000, AT_ZERO | 1u << 5), CODE(GRID_RANGE), 70000},
    {"preemptable wait", nothing, WAIT(0xd7), CODE(WAIT_FUNCTION), 0xd7},
    {"write to a register", nothing, {H(WRITE_DATA, 4), 0, 5, 0, 1}, 5, CODE(WRITE_REGISTER), 5},
    {"COND_EXEC", nothing, {H(COND_EXEC, 4), OUT + 0x800, 0, 0, 16383}, 5, CODE(COND_SKIP), 16383},
    {"LAUNCH_TASK", nothing, {H(LAUNCH_TASK, 1), 0}, 2, CODE(FEATURE), H(LAUNCH_TASK, 1)},
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
    session_error  list[64], last = {0};
    const uint64_t count = session_errors(w->s, list, 64);
    *faults              = 0;
    assert_true(count <= 64);
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

// Queues that did nothing wrong go on: one of the same pipe, one of the last pipe.
static void expect_others_run(world *w, const char *name, uint32_t value)
{
    const int pipe = w->pipe, queue = w->queue;
    for (int n = 0; n < 2; n++) {
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
    map(w, 0, 0, 7);
    map(w, 0, 1, 7);
    map(w, WORLD_PIPES - 1, WORLD_LAST, 7);
    on(w, 0, 0);
}

static void every_packet_error(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map_three(&w);
    for (uint32_t n = 0; n < sizeof bad_packets / sizeof *bad_packets; n++) {
        const bad_packet *b = &bad_packets[n];
        w.row               = b->name;
        b->before(&w);
        write_word(&w, OUT, 2 * n + 1);
        const uint32_t at    = position(&w);
        const uint64_t place = ring_place(0, 0, at);
        raw(&w, b->words, b->count);
        write_word(&w, OUT, 2 * n + 2);
        doorbell(&w, 0, 0);
        UNTIL(&w, errors(&w) == n + 1);
        UNTIL(&w, pipe_out(&w, 0)->execute.halted[0] && !selected(&w, 0, 0));
        UNTIL(&w, get(&w, OUT) == 2 * n + 1);
        EXPECT(b->name, rptr(&w, 0, 0), at);
        expect_others_run(&w, b->name, n + 1);
        expect_record(&w, b->name, 0, b->code, place, b->word);
        EXPECT(b->name, get(&w, OUT), 2 * n + 1);
        EXPECT(b->name, get(&w, OUT + 0x200), 0);
        for (uint32_t k = 0; k < b->count; k++)
            set(&w, ring_place(0, 0, at + k), FILLER);
        driver_resume(host(&w), now(&w), 0, 0);
        UNTIL(&w, get(&w, OUT) == 2 * n + 2);
        UNTIL(&w, rptr(&w, 0, 0) == position(&w));
    }
    assert_int_equal(host_get(&w, EVENTS(ERROR_COUNT)), sizeof bad_packets / sizeof *bad_packets);
    world_close(&w);
}

// COUNT_PAST_WPTR: half a packet is announced; the rest of it and a RESUME repair it.
static void packet_past_the_write_pointer(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map_three(&w);
    const uint32_t words[] = {H(WRITE_DATA, 4), 5u << 8, OUT, 0, 77};
    nop(&w);
    raw(&w, words, 3);
    doorbell(&w, 0, 0);
    UNTIL(&w, errors(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
    assert_int_equal(rptr(&w, 0, 0), 1);
    expect_others_run(&w, "past the write pointer", 1);
    expect_record(&w, "past the write pointer", 0, CODE(COUNT_PAST_WPTR), ring_place(0, 0, 1), words[0]);
    raw(&w, words + 3, 2);
    doorbell(&w, 0, 0);
    steps(&w, 300);
    assert_int_equal(get(&w, OUT), 0); // a doorbell alone does not resume
    driver_resume(host(&w), now(&w), 0, 0);
    UNTIL(&w, get(&w, OUT) == 77);
    world_close(&w);
}

// Errors inside a buffer: the record has the address in the buffer, the ring pointer is behind the packet that opened it.
static void errors_in_an_indirect_buffer(void **state)
{
    const struct {
        const char *name;
        uint32_t    words[5];
        uint32_t    count;
        uint8_t     code;
    } rows[] = {
        {"past the buffer", {H(WRITE_DATA, 4), 5u << 8, OUT, 0}, 4, CODE(COUNT_PAST_IB)},
        {"nested", {H(INDIRECT_BUFFER, 3), WORLD_BUFFER, 0, 4}, 4, CODE(IB_NESTED)},
        {"opcode", {TYPE3(2, 1), 0}, 2, CODE(OPCODE)},
    };
    world w;
    (void)state;
    world_open(&w);
    map_three(&w);
    for (uint32_t n = 0; n < 3; n++) {
        w.buffer = WORLD_BUFFER + 0x100 * (uint64_t)n + 4;
        write_word(&w, OUT, n + 1);
        const uint64_t place = w.buffer;
        raw(&w, rows[n].words, rows[n].count);
        w.buffer = 0;
        // The account cannot read this buffer, so the packet is written as plain dwords.
        raw(&w, WORDS(H(INDIRECT_BUFFER, 3), WORLD_BUFFER + 0x100 * n + 4, 0, 5 + rows[n].count));
        const uint32_t at = position(&w);
        write_word(&w, OUT + 8, n + 1);
        doorbell(&w, 0, 0);
        UNTIL(&w, errors(&w) == n + 1 && pipe_out(&w, 0)->execute.halted[0]);
        UNTIL(&w, get(&w, OUT) == n + 1);
        EXPECT(rows[n].name, rptr(&w, 0, 0), at);
        EXPECT(rows[n].name, get(&w, OUT + 8), n);
        expect_others_run(&w, rows[n].name, n + 1);
        expect_record(&w, rows[n].name, 0, rows[n].code, place, rows[n].words[0]);
        for (uint32_t k = 0; k < rows[n].count; k++)
            set(&w, place + 4 * k, FILLER);
        driver_resume(host(&w), now(&w), 0, 0);
        UNTIL(&w, get(&w, OUT + 8) == n + 1);
    }
    world_close(&w);
}

// The handler of docs/host.md, while two more queues meet errors: rung before two accesses of the handler, the first of them `bell`,
// behind which it is slow by `gap` clocks. It finds all three, whenever that is.
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

static void handler_finds_every_error(void **state)
{
    enum { ACCESSES = 6, GAPS = 100, STEP = TOTEM_SE_COUNT > 1 ? 13 : 7, ERROR_STATUS = 0x7e };
    unsigned alone = 0; // runs in which RECORD or RECORD_LATER told of fewer
    (void)state;
    for (unsigned n = 0; n < ACCESSES * GAPS; n += STEP) {
        world    w;
        handler  h     = {.w = &w, .bell = n / GAPS, .gap = n % GAPS};
        unsigned found = 0, told = 0; // queues; errors
        world_open(&w);
        host_put(&w, EVENTS(INTERRUPT_ENABLE), ERROR_STATUS);
        for (int q = HANDLED - 1; q >= 0; q--) {
            map(&w, 0, q, 7);
            on(&w, 0, q);
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
            driver_unmap(host(&w), now(&w), 0, (uint32_t)q);
            UNTIL(&w, host_done(host(&w)) && !pipe_out(&w, 0)->hqd.leaving[q]);
            assert_int_equal(queue_state(&w, 0, q) >> 6 & 1, 0); // where nobody is mapped nobody is halted
        }
        world_close(&w);
    }
    assert_true(alone > 0);
}

// A halted queue may be taken away and mapped again elsewhere.
static void halted_queue_is_mapped_again(void **state)
{
    world w;
    (void)state;
    world_open(&w);
    map_three(&w);
    raw(&w, WORDS(0));
    doorbell(&w, 0, 0);
    UNTIL(&w, errors(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
    driver_unmap(host(&w), now(&w), 0, 0);
    UNTIL(&w, !(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1));
    driver_queue q = world_queue(0, 0, 7);
    q.rptr         = position(&w);
    map_queue(&w, &q);
    write_word(&w, OUT, 5);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT) == 5);
    world_close(&w);
}

// ---- memory

// Three queues over a memory that answers with an error at the address, once, from the clock on.
static void open_failing_later(world *w, memory_fault *fault, memory_fault_kind kind, uint64_t address, uint64_t clock)
{
    *fault = (memory_fault){.address = address, .kind = kind, .at = clock};
    world_open_with(w, 10, fault, 1);
    map_three(w);
}

static void open_failing(world *w, memory_fault *fault, memory_fault_kind kind, uint64_t address)
{
    open_failing_later(w, fault, kind, address, 0);
}

// A dword that cannot be read: the read pointer stands on its packet, the record has its own address. The packet has `count` body dwords and
// begins at `at`, in the ring or an indirect buffer; the memory fails at dword `fault` of it, 0 its header. Of the 8 bytes that fail the first dword that
// was asked for is the one.
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
    {"odd header, first of its burst", 33, TOTEM_OP_NOP, 4, 0, 0, false},
    {"first of the body", 31, TOTEM_OP_NOP, 4, 1, 1, false},
    {"amid the body", 6, TOTEM_OP_NOP, 20, 10, 10, false},
    {"upper half of 8 bytes", 6, TOTEM_OP_NOP, 20, 11, 10, false},
    {"last of the body", 6, TOTEM_OP_NOP, 20, 20, 20, false},
    {"far behind the lines", 3, TOTEM_OP_NOP, 200, 177, 177, false},
    {"first behind the wrap", WORLD_SIZE - 5, TOTEM_OP_NOP, 20, 5, 5, false},
    {"behind the wrap", WORLD_SIZE - 9, TOTEM_OP_NOP, 20, 15, 15, false},
    {"far behind the wrap", WORLD_SIZE - 9, TOTEM_OP_NOP, 200, 191, 191, false},
    {"value of a register", 20, TOTEM_OP_SET_SH_REG, 8, 6, 6, false},
    {"value of a register behind the wrap", WORLD_SIZE - 3, TOTEM_OP_SET_SH_REG, 8, 7, 7, false},
    {"header in a buffer", 7, TOTEM_OP_NOP, 4, 0, 0, true}, // first of a buffer at an odd dword
    {"body in a buffer", 7, TOTEM_OP_NOP, 20, 11, 11, true},
    {"value of a register in a buffer", 8, TOTEM_OP_SET_SH_REG, 8, 4, 4, true},
    {"far in a buffer", 2, TOTEM_OP_NOP, 200, 150, 150, true},
};

static void fetch_that_fails(void **state)
{
    enum { READY = 6000 }; // what precedes the packet has been read by then
    static const memory_fault_kind kind[2] = {MEMORY_READ_SLVERR, MEMORY_READ_DECERR};
    (void)state;
    for (uint32_t k = 0; k < 2 * sizeof unread_rows / sizeof *unread_rows; k++) {
        const unread  *u       = &unread_rows[k / 2];
        const uint64_t buffer  = WORLD_BUFFER + 4 * u->at;
        const uint64_t fails   = u->inside ? buffer + 4 * u->fault : ring_place(0, 0, u->at + u->fault);
        const uint64_t named   = u->inside ? buffer + 4 * u->named : ring_place(0, 0, u->at + u->named);
        const uint32_t words[] = {TYPE3(u->op, u->count), 0x240};
        memory_fault   fault;
        world          w;
        open_failing_later(&w, &fault, kind[k % 2], fails, READY);
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
        UNTIL(&w, errors(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
        EXPECT(u->name, rptr(&w, 0, 0), stands);
        EXPECT(u->name, get(&w, OUT), 0);
        expect_others_run(&w, u->name, 1);
        expect_record(&w, u->name, 0, (uint8_t)(TOTEM_ERROR_MEMORY_READ_SLVERR + k % 2), named, (uint32_t)named);
        driver_resume(host(&w), now(&w), 0, 0); // reads it again
        UNTIL(&w, get(&w, OUT) == 1);
        EXPECT(u->name, errors(&w), 1);
        world_close(&w);
    }
}

// The burst that fails begins with the upper half of its first 8 bytes, amid the packet: up to there the queue had its dwords before.
static void fetch_that_fails_at_an_odd_dword(void **state)
{
    enum { READY = 6000 };
    memory_fault fault;
    world        w;
    (void)state;
    open_failing_later(&w, &fault, MEMORY_READ_SLVERR, WORLD_RING + 40, READY);
    wait_equal(&w, FAULTY + 4, 9);
    raw(&w, WORDS(TYPE3(TOTEM_OP_NOP, 8), 1, 2, 3)); // up to dword 10
    doorbell(&w, 0, 0);
    UNTIL(&w, session_model(w.s)->fe[0].pipe[0].fetch.have[0] == 11);
    raw(&w, WORDS(4, 5, 6, 7, 8));
    write_word(&w, OUT, 1);
    assert_true(now(&w) < READY);
    UNTIL(&w, now(&w) >= READY);
    doorbell(&w, 0, 0);
    steps(&w, 200);
    set(&w, FAULTY + 4, 9);
    UNTIL(&w, errors(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
    assert_int_equal(rptr(&w, 0, 0), 7);
    expect_others_run(&w, "odd dword", 1);
    expect_record(&w, "odd dword", 0, TOTEM_ERROR_MEMORY_READ_SLVERR, ring_place(0, 0, 11),
                  (uint32_t)ring_place(0, 0, 11));
    driver_resume(host(&w), now(&w), 0, 0);
    UNTIL(&w, get(&w, OUT) == 1);
    world_close(&w);
}

static void poll_that_fails(void **state)
{
    static const memory_fault_kind kind[2] = {MEMORY_READ_SLVERR, MEMORY_READ_DECERR};
    (void)state;
    for (uint32_t n = 0; n < 2; n++) {
        memory_fault fault;
        world        w;
        open_failing(&w, &fault, kind[n], FAULTY);
        set(&w, FAULTY + 4, 9);
        nop(&w);
        wait_equal(&w, FAULTY + 4, 9);
        write_word(&w, OUT, 1);
        doorbell(&w, 0, 0);
        UNTIL(&w, errors(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
        assert_int_equal(rptr(&w, 0, 0), 1);
        expect_others_run(&w, "poll", 1);
        expect_record(&w, "poll", 0, (uint8_t)(TOTEM_ERROR_MEMORY_READ_SLVERR + n), FAULTY + 4, FAULTY + 4);
        assert_int_equal(get(&w, OUT), 0);
        driver_resume(host(&w), now(&w), 0, 0);
        UNTIL(&w, get(&w, OUT) == 1);
        world_close(&w);
    }
}

// The fence is lost and so is its interrupt, its epoch ends; the next fence comes.
static void fence_write_that_fails(void **state)
{
    static const memory_fault_kind kind[2] = {MEMORY_WRITE_SLVERR, MEMORY_WRITE_DECERR};
    (void)state;
    for (uint32_t n = 0; n < 2; n++) {
        memory_fault fault;
        world        w;
        open_failing(&w, &fault, kind[n], FAULTY);
        fence(&w, 1, 2, FAULTY + 4, 1, 123);
        doorbell(&w, 0, 0);
        UNTIL(&w, errors(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
        expect_others_run(&w, "fence", 1);
        expect_record(&w, "fence", 0, (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR + n), FAULTY + 4, FAULTY + 4);
        assert_int_equal(rptr(&w, 0, 0), 8); // behind it
        assert_int_equal(session_count(w.s).interrupts, 0);
        fence(&w, 1, 2, OUT, 2, 124);
        doorbell(&w, 0, 0);
        driver_resume(host(&w), now(&w), 0, 0);
        UNTIL(&w, get(&w, OUT) == 2 && session_count(w.s).interrupts == 1);
        assert_int_equal(get(&w, FAULTY + 4), 0);
        world_close(&w);
    }
}

static void packet_write_that_fails(void **state)
{
    static const memory_fault_kind kind[2] = {MEMORY_WRITE_SLVERR, MEMORY_WRITE_DECERR};
    (void)state;
    for (uint32_t n = 0; n < 2; n++) {
        memory_fault fault;
        world        w;
        open_failing(&w, &fault, kind[n], FAULTY);
        write_word(&w, FAULTY, 1);
        doorbell(&w, 0, 0);
        UNTIL(&w, errors(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
        expect_others_run(&w, "write", 1);
        expect_record(&w, "write", 0, (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR + n), FAULTY, FAULTY);
        write_word(&w, OUT, 2);
        fence(&w, 1, 0, OUT + 8, 3, 0);
        doorbell(&w, 0, 0);
        driver_resume(host(&w), now(&w), 0, 0);
        UNTIL(&w, get(&w, OUT) == 2 && get(&w, OUT + 8) == 3);
        world_close(&w);
    }
}

// Every failed write of a queue has its own record, with its own address.
static void several_packet_writes_that_fail(void **state)
{
    memory_fault fault[3];
    world        w;
    (void)state;
    for (uint32_t n = 0; n < 3; n++)
        fault[n] = (memory_fault){.address = FAULTY + 0x2000 * n, .kind = MEMORY_WRITE_DECERR};
    world_open_with(&w, 60, fault, 3); // all are on their way before the first one has failed
    map_three(&w);
    for (uint32_t n = 0; n < 3; n++)
        write_word(&w, FAULTY + 0x2000 * n + 4 * (n & 1), 1);
    doorbell(&w, 0, 0);
    for (uint32_t n = 0; n < 3; n++) {
        UNTIL(&w, errors(&w) == n + 1);
        const uint64_t at = FAULTY + 0x2000 * n + 4 * (n & 1);
        assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_WRITE_DECERR);
        assert_int_equal(last_error(&w).queue, 0);
        assert_int_equal(last_error(&w).address, at);
    }
    UNTIL(&w, pipe_out(&w, 0)->execute.halted[0] && pipe_out(&w, 0)->settle.idle[0]);
    expect_others_run(&w, "writes", 1);
    world_close(&w);
}

// What an earlier mapping left fails late: a record, but no stop of the queue that has the slot now.
static void write_of_an_earlier_mapping_that_fails(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 2; n++) {
        memory_fault fault = {.address = FAULTY, .kind = MEMORY_WRITE_SLVERR};
        world        w;
        world_open_with(&w, 1500, &fault, 1);
        map(&w, 0, 0, 7);
        on(&w, 0, 0);
        if (n == 0)
            write_word(&w, FAULTY, 1);
        else
            fence(&w, 1, 0, FAULTY, 1, 0);
        doorbell(&w, 0, 0);
        UNTIL(&w, session_out(w.s)->fe[0].memory.m_axi_awvalid);
        driver_unmap(host(&w), now(&w), 0, 0);
        UNTIL(&w, !(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1));
        driver_queue q = world_queue(0, 0, 7);
        q.rptr         = position(&w);
        map_queue(&w, &q);
        fence(&w, 1, 0, OUT, 2, 0);
        doorbell(&w, 0, 0);
        assert_int_equal(errors(&w), 0); // that was quick
        UNTIL(&w, errors(&w) == 1);
        assert_int_equal(last_error(&w).code, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
        assert_int_equal(last_error(&w).queue, 0);
        assert_int_equal(last_error(&w).address, FAULTY);
        UNTIL(&w, get(&w, OUT) == 2);
        assert_false(pipe_out(&w, 0)->execute.halted[0]);
        world_close(&w);
    }
}

// A read-pointer report that fails halts its queue, here one that has nothing to do; the next one tells the rest.
static void report_that_fails(void **state)
{
    static const memory_fault_kind kind[2] = {MEMORY_WRITE_SLVERR, MEMORY_WRITE_DECERR};
    (void)state;
    for (uint32_t n = 0; n < 2; n++) {
        memory_fault fault;
        world        w;
        driver_queue q = world_queue(0, 0, 7);
        open_failing(&w, &fault, kind[n], FAULTY);
        driver_unmap(host(&w), now(&w), 0, 0);
        UNTIL(&w, !(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1));
        q.rptr_report = FAULTY + 4;
        map_queue(&w, &q);
        nop(&w);
        doorbell(&w, 0, 0);
        UNTIL(&w, errors(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
        assert_int_equal(rptr(&w, 0, 0), 1);
        write_word(&w, OUT, 1);
        doorbell(&w, 0, 0); // it stays where it is
        expect_others_run(&w, "report", 1);
        expect_record(&w, "report", 0, (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR + n), FAULTY + 4, FAULTY + 4);
        assert_int_equal(rptr(&w, 0, 0), 1);
        driver_resume(host(&w), now(&w), 0, 0);
        UNTIL(&w, get(&w, OUT) == 1);
        UNTIL(&w, get(&w, FAULTY + 4) == position(&w));
        assert_int_equal(errors(&w), 1);
        world_close(&w);
    }
}

// Nothing answers: the requester is given up after more than one and at most two periods; its ID stays reserved, so a
// second try ends in the same way, and the other requesters go on.
enum { PERIOD = 300 };

static void open_silent(world *w, memory_fault *fault, memory_fault_kind kind, uint64_t address)
{
    *fault = (memory_fault){.address = address, .kind = kind};
    world_open_with(w, 10, fault, 1);
    host_put(w, MACHINE(MEMORY_TIMEOUT), PERIOD);
    map_three(w);
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

static void expect_patience(const world *w, uint64_t asked)
{
    uint64_t       count;
    const uint64_t waited = last_fault(w, &count).clock - asked;
    assert_in_range(waited, PERIOD, 2 * PERIOD + 40);
}

static void fetch_times_out(void **state)
{
    memory_fault fault;
    world        w;
    (void)state;
    open_silent(&w, &fault, MEMORY_READ_NOTHING, WORLD_RING);
    write_word(&w, OUT, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, session_out(w.s)->fe[0].memory.m_axi_arvalid);
    const uint64_t asked = now(&w);
    UNTIL(&w, faults(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
    expect_patience(&w, asked);
    expect_dead(&w, 0);
    expect_record(&w, "fetch", 0, TOTEM_ERROR_MEMORY_READ_TIMEOUT, WORLD_RING, WORLD_RING);
    driver_resume(host(&w), now(&w), 0, 0);
    UNTIL(&w, faults(&w) == 2 && pipe_out(&w, 0)->execute.halted[0]);
    expect_record(&w, "fetch again", 0, TOTEM_ERROR_MEMORY_READ_TIMEOUT, WORLD_RING, WORLD_RING);
    expect_dead(&w, 0); // still one record
    assert_int_equal(rptr(&w, 0, 0), 0);
#if TOTEM_PIPE_COUNT > 1
    on(&w, WORLD_PIPES - 1, WORLD_LAST); // has a requester of its own
    write_word(&w, OUT + 8, 2);
    doorbell(&w, WORLD_PIPES - 1, WORLD_LAST);
    UNTIL(&w, get(&w, OUT + 8) == 2);
#endif
    driver_unmap(host(&w), now(&w), 0, 0);
    world_close(&w); // and the machine is idle: the reserved ID counts as drained
}

static void poll_times_out(void **state)
{
    memory_fault fault;
    world        w;
    (void)state;
    open_silent(&w, &fault, MEMORY_READ_NOTHING, FAULTY);
    wait_equal(&w, FAULTY, 1);
    doorbell(&w, 0, 0);
    UNTIL(&w, pipe_out(&w, 0)->execute.poll_valid);
    const uint64_t asked = now(&w);
    UNTIL(&w, faults(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
    expect_patience(&w, asked);
    expect_others_run(&w, "poll", 1); // fetch, writes have IDs of their own
    expect_dead(&w, 1);
    expect_record(&w, "poll", 0, TOTEM_ERROR_MEMORY_READ_TIMEOUT, FAULTY, FAULTY);
    driver_resume(host(&w), now(&w), 0, 0);
    UNTIL(&w, faults(&w) == 2 && pipe_out(&w, 0)->execute.halted[0]);
    expect_record(&w, "poll again", 0, TOTEM_ERROR_MEMORY_READ_TIMEOUT, FAULTY, FAULTY);
    expect_dead(&w, 1);
    driver_unmap(host(&w), now(&w), 0, 0);
    world_close(&w);
}

static void fence_write_times_out(void **state)
{
    memory_fault fault;
    world        w;
    (void)state;
    open_silent(&w, &fault, MEMORY_WRITE_NOTHING, FAULTY);
    fence(&w, 1, 0, FAULTY, 1, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, session_out(w.s)->fe[0].memory.m_axi_awvalid);
    const uint64_t asked = now(&w);
    UNTIL(&w, faults(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
    expect_patience(&w, asked);
    expect_others_run(&w, "fence", 1);
    expect_record(&w, "fence", 0, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT, FAULTY, FAULTY);
    assert_int_equal(host_get(&w, MACHINE(STATUS)) >> 8, 0); // there are other IDs
    assert_true(pipe_out(&w, 0)->settle.idle[0]);
    world_close(&w);
}

// A fence write that nobody answers delays its own queue only; what was closed behind it there is not tried.
static void unanswered_fence_delays_its_queue_only(void **state)
{
    memory_fault fault;
    world        w;
    (void)state;
    open_silent(&w, &fault, MEMORY_WRITE_NOTHING, FAULTY);
    host_put(&w, MACHINE(MEMORY_TIMEOUT), 20000);
    fence(&w, 1, 0, FAULTY, 1, 0);
    fence(&w, 1, 0, OUT, 2, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, session_out(w.s)->fe[0].memory.m_axi_awvalid);
    on(&w, 0, 1);
    fence(&w, 1, 0, OUT + 8, 3, 0);
    const uint64_t asked = now(&w);
    doorbell(&w, 0, 1);
    UNTIL(&w, get(&w, OUT + 8) == 3);
    UNTIL(&w, pipe_out(&w, 0)->settle.idle[1]);
    assert_true(now(&w) - asked < 500);
    assert_int_equal(errors(&w), 0);
    on(&w, 0, 0);
    assert_int_equal(get(&w, OUT), 0); // behind the one that waits
    host_put(&w, MACHINE(MEMORY_TIMEOUT), PERIOD);
    UNTIL(&w, faults(&w) == 2 && pipe_out(&w, 0)->execute.halted[0]);
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

// Every access below the rings is answered, but long after it has been given up: reports, polls, an MQD, a buffer, packet writes
// and more fences than there are IDs. Each queue halts with its record, each path that is shut has its message; when the late
// answers have come the paths are open again, and the queues go on.
static void late_answers(void **state)
{
    enum { REPORT = 0x1000, POLLED = 0x2000, FENCES = 0x3000, WRITTEN = 0x4000, MQD = 0x5000, BUFFER = 0x6000 };
    enum { LATENESS = 5000, PATHS = 4, CLOSED = 2 };
    const uint32_t       paths[PATHS] = {0, 1, 2 * TOTEM_PIPES, TOTEM_READERS};
    const memory_options memory       = {.seed           = 1,
                                         .latency        = 10,
                                         .failures       = 65536,
                                         .late           = 256,
                                         .lateness       = LATENESS,
                                         .failures_until = 9000,
                                         .spared         = WORLD_RING};
    world                w;
    unsigned             told[PATHS] = {0};
    (void)state;
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
    UNTIL(&w, pipe_out(&w, 0)->execute.halted[0]); // by its report
    driver_resume(host(&w), now(&w), 0, 0);
    nop(&w);
    doorbell(&w, 0, 0);
    UNTIL(&w, !pipe_out(&w, 0)->execute.halted[0] && read_up(&w, 0));
    UNTIL(&w, pipe_out(&w, 0)->execute.halted[0]); // with a borrowed ID
    on(&w, 0, 1);
    wait_equal(&w, POLLED, 1);
    write_word(&w, WRITTEN, 11);
    doorbell(&w, 0, 1);
    // Of the fences of a queue that are closed only the first is tried; the driver lets the queues go on until no ID is left.
    uint32_t given = 0;
    for (; given < TOTEM_FENCES && shared_taken(&w) < TOTEM_FENCES; given += CLOSED) {
        for (int q = 2; q < 4; q++) {
            on(&w, 0, q);
            for (uint32_t n = given; n < given + CLOSED; n++)
                fence(&w, 1, 0, FENCES + 0x100 * (uint64_t)q + 8 * n, 20 + n, 0);
            doorbell(&w, 0, q);
            if (pipe_out(&w, 0)->execute.halted[q])
                driver_resume(host(&w), now(&w), 0, (uint32_t)q);
            UNTIL(&w, host_done(host(&w)));
        }
        UNTIL(&w, pipe_out(&w, 0)->epoch.flushed[2] && pipe_out(&w, 0)->epoch.flushed[3] &&
                      pipe_out(&w, 0)->execute.halted[2] && pipe_out(&w, 0)->execute.halted[3]);
    }
    for (int q = 2; q < 4; q++) {
        on(&w, 0, q);
        PACKET(&w, INDIRECT_BUFFER, BUFFER, 0, 1u << 23 | 1);
        doorbell(&w, 0, q);
        driver_resume(host(&w), now(&w), 0, (uint32_t)q);
        UNTIL(&w, host_done(host(&w)) && !pipe_out(&w, 0)->execute.halted[q]);
    }
    UNTIL(&w,
          pipe_out(&w, 0)->execute.halted[1] && pipe_out(&w, 0)->execute.halted[2] && pipe_out(&w, 0)->execute.halted[3]);
    driver_unmap(host(&w), now(&w), 0, 0);
    UNTIL(&w, host_done(host(&w)));
    UNTIL(&w, !(window_get(&w, 0, 0, WINDOW(CP_HQD_ACTIVE)) & 1));
    driver_queue d = world_queue(0, 0, 3);
    d.rptr         = position(&w);
    d.mqd          = MQD;
    driver_map(host(&w), now(&w), &d);
    UNTIL(&w, host_done(host(&w)));
    UNTIL(&w, !pipe_out(&w, 0)->mqd.busy && !(window_get(&w, 0, 0, WINDOW(CP_HQD_ACTIVE)) & 1)); // refused
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
        for (unsigned n = 0; n < WORLD_LIMIT && (pipe_out(&w, 0)->execute.halted[q] || !read_up(&w, q)); n++) {
            if (pipe_out(&w, 0)->execute.halted[q] && host_done(host(&w)))
                driver_resume(host(&w), now(&w), 0, (uint32_t)q);
            step(&w);
        }
    UNTIL(&w, pipe_out(&w, 0)->arbiter.active[0]);
    assert_int_equal(get(&w, WRITTEN), 11);
    assert_int_equal(errors(&w), count); // nothing fails any more
    world_close(&w);
}

static void packet_write_times_out(void **state)
{
    memory_fault fault;
    world        w;
    (void)state;
    open_silent(&w, &fault, MEMORY_WRITE_NOTHING, FAULTY);
    write_word(&w, FAULTY, 1);
    fence(&w, 1, 0, OUT, 2, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, session_out(w.s)->fe[0].memory.m_axi_awvalid);
    const uint64_t asked = now(&w);
    UNTIL(&w, faults(&w) == 1 && pipe_out(&w, 0)->execute.halted[0]);
    expect_patience(&w, asked);
    assert_int_equal(host_get(&w, MACHINE(STATUS)) >> 8, 0); // there are the IDs for fences
    expect_record(&w, "write", 0, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT, FAULTY, FAULTY);
    UNTIL(&w, get(&w, OUT) == 2); // the epoch ends all the same
    on(&w, 0, 1);                 // and nobody pays for it: the other queues write, and this one after RESUME
    write_word(&w, OUT + 8, 3);
    write_word(&w, OUT + 8, 4);
    doorbell(&w, 0, 1);
    UNTIL(&w, get(&w, OUT + 8) == 4);
    driver_resume(host(&w), now(&w), 0, 0);
    on(&w, 0, 0);
    write_word(&w, OUT + 16, 5);
    fence(&w, 1, 0, OUT + 24, 6, 0);
    doorbell(&w, 0, 0);
    UNTIL(&w, get(&w, OUT + 24) == 6);
    assert_int_equal(get(&w, OUT + 16), 5);
    assert_int_equal(errors(&w), 1);
    assert_false(session_out(w.s)->fe[0].memory.dead);
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
    for (unsigned n = 0; n < sizeof faults / sizeof *faults; n++)
        faults[n] = (memory_fault){.address = FAULTY, .kind = kind};
    world_open_with(w, 10, faults, sizeof faults / sizeof *faults);
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
    UNTIL(w, pipe_out(w, 0)->execute.halted[0] && !selected(w, 0, 0) && pipe_out(w, 0)->settle.idle[0]);
    const session_error last = last_fault(w, &count);
    assert_int_equal(rptr(w, 0, 0), at); // it stands on the packet, or behind that of its buffer
    assert_in_range(count, before ? before : 1, before + MOST_FAILURES);
    assert_int_equal(last.code, code);
    assert_int_equal(last.queue, 0);
    assert_int_equal(last.address & ~(uint64_t)7, FAULTY);
}

// The address never answers. The packet is cut at the first time-out: it takes the queue's own ID and a few of the shared
// ones, once, and the fences of the other queues find theirs. SKIP passes it, and the queue goes on.
static void long_write_without_an_answer(void **state)
{
    world w;
    (void)state;
    open_many(&w, MEMORY_WRITE_NOTHING);
    write_many(&w, true, FAULTY, 100);
    expect_fences(&w, 8);
    expect_cut(&w, 0, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT);
    assert_in_range(shared_taken(&w), 1, SHARED_TAKEN);
    const uint64_t count = faults(&w);
    assert_int_equal(host_get(&w, MACHINE(STATUS)) >> 8, 0);
    expect_fences(&w, 8);
    window_put(&w, 0, 0, WINDOW(CONTROL), 2);
    write_many(&w, false, OUT + 0x800, 200);
    UNTIL(&w, read_up(&w, 0) && get(&w, OUT + 0x800 + 4 * (MANY - 1)) == 200 + MANY - 1);
    for (uint32_t n = 0; n < MANY; n++)
        assert_int_equal(get(&w, OUT + 0x800 + 4 * n), 200 + n);
    assert_int_equal(faults(&w), count);
    assert_in_range(shared_taken(&w), 1, SHARED_TAKEN);
    world_close(&w);
}

// ACTIVE cleared in the middle: nobody is halted by what fails then, and the rest is not written all the same.
static void long_write_of_a_queue_without_mapping(void **state)
{
    world w;
    (void)state;
    open_many(&w, MEMORY_WRITE_NOTHING);
    write_many(&w, true, FAULTY, 100);
    UNTIL(&w, session_out(w.s)->fe[0].memory.m_axi_awvalid);
    driver_unmap(host(&w), now(&w), 0, 0);
    expect_fences(&w, 8);
    UNTIL(&w, !(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1) && pipe_out(&w, 0)->settle.idle[0]);
    assert_int_equal(window_get(&w, 0, 0, WINDOW(CP_HQD_PQ_RPTR)), 0);
    assert_in_range(faults(&w), 1, MOST_FAILURES);
    assert_in_range(shared_taken(&w), 0, SHARED_TAKEN);
    expect_fences(&w, 8);
    world_close(&w);
}

// The same with an address that refuses: few records, and the fences of the others do not wait behind them.
static void long_write_that_is_refused(void **state)
{
    world w;
    (void)state;
    open_many(&w, MEMORY_WRITE_SLVERR);
    on(&w, 0, 1);
    fence(&w, 1, 2, OUT + 8, 1, 1);
    write_many(&w, true, FAULTY, 100);
    UNTIL(&w, session_out(w.s)->fe[0].memory.m_axi_awvalid);
    const uint64_t from = now(&w);
    doorbell(&w, 0, 1);
    UNTIL(&w, session_count(w.s).interrupts == 1);
    assert_in_range(now(&w) - from, 1, 400);
    expect_cut(&w, 0, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
    window_put(&w, 0, 0, WINDOW(CONTROL), 2);
    UNTIL(&w, read_up(&w, 0));
    world_close(&w);
}

// One dword in the middle fails: its record, RESUME writes the whole packet again, wherever it stands.
static void cut_write_is_repeated(void **state)
{
    enum { RING, WRAP, BUFFER, ROWS };
    static const char *const rows[ROWS] = {"in the ring", "across its end", "in a buffer"};
    (void)state;
    for (unsigned row = 0; row < ROWS; row++) {
        memory_fault fault;
        world        w;
        open_failing(&w, &fault, MEMORY_WRITE_DECERR, FAULTY);
        w.row = rows[row];
        on(&w, 0, 0);
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
        UNTIL(&w, read_up(&w, 0) && pipe_out(&w, 0)->settle.idle[0] && get(&w, FAULTY - 40 + 4 * (MANY - 1)) != 0);
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

static void every_refused_access(void **state)
{
#define W(name) driver_window(0, 0, WINDOW(name))
    const uint32_t   free_queue = driver_window(0, 2, WINDOW(CONTROL)), engine = TOTEM_REG_ENGINE_BASE;
    const bad_access rows[] = {
        {0x0003c, 1, TOTEM_ERROR_HOST_HOLE, false},
        {0x0003c, 0, TOTEM_ERROR_HOST_HOLE, true},
        {0x00c00, 0, TOTEM_ERROR_HOST_HOLE, true},
        {0x03000, 0, TOTEM_ERROR_HOST_HOLE, true},
        {0xffffc, 0, TOTEM_ERROR_HOST_HOLE, true},
        {TOTEM_REG_EVENTS_BASE + 4 * 10, 1, TOTEM_ERROR_HOST_HOLE, false},
        {TOTEM_REG_EVENTS_BASE + 4 * 23, 0, TOTEM_ERROR_HOST_HOLE, true},
        {engine + 4 * 36, 0, TOTEM_ERROR_HOST_HOLE, true},
        {engine + 4 * TOTEM_SE_COUNT * 0x100, 0, TOTEM_ERROR_HOST_HOLE, true},
        {driver_window(0, 0, 62), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {driver_window(0, 0, 61), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {driver_window(0, TOTEM_QUEUES, 0), 0, TOTEM_ERROR_HOST_HOLE, true},
        {TOTEM_REG_DOORBELL_BASE + 4 * 8 * TOTEM_PIPE_COUNT, 0, TOTEM_ERROR_HOST_HOLE, false},
        {MACHINE(MAGIC), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {MACHINE(STATUS), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {EVENTS(RECORD_WORD), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {EVENTS(INT_CTXID), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {engine + 4 * TOTEM_REG_ENGINE_OCCUPIED_LOW, 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {W(RPTR), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {W(STATE), 1, TOTEM_ERROR_HOST_READ_ONLY, false},
        {engine + 4 * TOTEM_REG_ENGINE_SPREAD, 31, TOTEM_ERROR_HOST_VALUE, false},
        {engine + 4 * TOTEM_REG_ENGINE_SEED, 0, TOTEM_ERROR_HOST_VALUE, false},
        {engine + 4 * TOTEM_REG_ENGINE_RATE, 0x10000, TOTEM_ERROR_HOST_VALUE, false},
        {W(CP_HQD_PIPE_PRIORITY), 3, TOTEM_ERROR_HOST_VALUE, false},
        {W(CONTROL), 3, TOTEM_ERROR_HOST_VALUE, false},
        {W(CONTROL), 4, TOTEM_ERROR_HOST_VALUE, false},
        {W(CP_HQD_PQ_BASE), 1, TOTEM_ERROR_HOST_LOCKED, false},
        {W(CP_HQD_PQ_RPTR), 1, TOTEM_ERROR_HOST_LOCKED, false},
        {W(CP_HQD_PQ_CONTROL), 1, TOTEM_ERROR_HOST_LOCKED, false},
        {TOTEM_REG_DOORBELL_BASE + 4 * 2, 4, TOTEM_ERROR_HOST_DOORBELL_UNMAPPED, false},
        {TOTEM_REG_DOORBELL_BASE + 4 * 1, 5, TOTEM_ERROR_HOST_DOORBELL_DISABLED, false},
        {TOTEM_REG_DOORBELL_BASE, 1 + WORLD_SIZE, TOTEM_ERROR_HOST_DOORBELL_RANGE, false}, // rptr 0: one too many
        {TOTEM_REG_DOORBELL_BASE, 0xffffffffu, TOTEM_ERROR_HOST_DOORBELL_RANGE, false},    // before the read pointer
        {TOTEM_REG_DOORBELL_BASE, 6, TOTEM_ERROR_HOST_DOORBELL_RANGE, false},              // goes back
        {W(CP_HQD_PQ_WPTR_LO), 6, TOTEM_ERROR_HOST_DOORBELL_RANGE, false},
        {W(CP_HQD_DEQUEUE_REQUEST), 5, TOTEM_ERROR_HOST_DEQUEUE_TYPE, false},
        {driver_window(0, 2, WINDOW(CP_HQD_DEQUEUE_REQUEST)), 1, TOTEM_ERROR_HOST_DEQUEUE, false},
        {W(CONTROL), 1, TOTEM_ERROR_HOST_RESUME, false}, // not halted
        {W(CONTROL), 2, TOTEM_ERROR_HOST_RESUME, false},
        {free_queue, 1, TOTEM_ERROR_HOST_RESUME, false},
    };
    world    w;
    uint32_t done = 0;
    (void)state;
    world_open(&w);
    map(&w, 0, 0, 7);
    map(&w, 0, 1, 7);
    // Queue 0 waits for memory with its read pointer at 0, queue 1 has lost its DOORBELL_EN before it was mapped.
    give_wait(&w, 0, 0, OUT);
    UNTIL(&w, selected(&w, 0, 0));
    host_put(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE)), 0);
    UNTIL(&w, !(host_get(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE))) & 1));
    host_put(&w, driver_window(0, 1, WINDOW(CP_HQD_PQ_DOORBELL_CONTROL)), 0);
    host_put(&w, driver_window(0, 1, WINDOW(CP_HQD_ACTIVE)), 1);
    for (uint32_t n = 0; n < sizeof rows / sizeof *rows; n++) {
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
    assert_int_equal(pipe_out(&w, 0)->fetch.wptr[0], 7);
    set(&w, OUT, 1);
    UNTIL(&w, rptr(&w, 0, 0) == 7);
    world_close(&w);
#undef W
}

// ACTIVE is refused, and nothing is mapped.
static void every_refused_mapping(void **state)
{
    static const struct {
        uint32_t dword, value;
        uint8_t  code;
    } rows[] = {
        {WINDOW(CP_HQD_PERSISTENT_STATE), 0x0be05301, TOTEM_ERROR_HOST_MAP_STATE},
        {WINDOW(CP_HQD_PERSISTENT_STATE), 0x8be05300, TOTEM_ERROR_HOST_MAP_STATE},
        {WINDOW(CP_HQD_IB_CONTROL), 0x80b00000, TOTEM_ERROR_HOST_MAP_STATE},
        {WINDOW(CP_HQD_PIPE_PRIORITY), 3, TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY},
        {WINDOW(CP_HQD_PQ_CONTROL), 2, TOTEM_ERROR_HOST_MAP_QUEUE_SIZE},
        {WINDOW(CP_HQD_PQ_CONTROL), 31, TOTEM_ERROR_HOST_MAP_QUEUE_SIZE},
        {WINDOW(CP_HQD_PQ_CONTROL), 8 | 1u << 25, TOTEM_ERROR_HOST_MAP_AQL},
        {WINDOW(CP_HQD_AQL_CONTROL), 1, TOTEM_ERROR_HOST_MAP_AQL},
        {WINDOW(CP_HQD_PQ_WPTR_LO), WORLD_SIZE + 1, TOTEM_ERROR_HOST_MAP_POINTERS},
        {WINDOW(CP_HQD_PQ_RPTR), 1, TOTEM_ERROR_HOST_MAP_POINTERS},
    };
    world w;
    (void)state;
    world_open(&w);
    map(&w, 0, 0, 7); // leaves a good window behind
    driver_unmap(host(&w), now(&w), 0, 0);
    UNTIL(&w, !(host_get(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE))) & 1));
    for (uint32_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const uint32_t dword = driver_window(0, 0, rows[n].dword), active = driver_window(0, 0, WINDOW(CP_HQD_ACTIVE));
        const uint32_t good = host_get(&w, dword);
        host_put(&w, dword, rows[n].value);
        assert_int_equal(host_try(&w, active, 1), 2);
        UNTIL(&w, errors(&w) == n + 1);
        assert_int_equal(last_error(&w).code, rows[n].code);
        assert_int_equal(last_error(&w).address, active);
        assert_int_equal(host_get(&w, active) & 1, 0);
        assert_false(pipe_out(&w, 0)->arbiter.active[0]);
        host_put(&w, dword, good);
    }
    host_put(&w, driver_window(0, 0, WINDOW(CP_HQD_ACTIVE)), 1);
    give_write(&w, 0, 0, OUT, 1);
    UNTIL(&w, get(&w, OUT) == 1);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_error),
        cmocka_unit_test(packet_past_the_write_pointer),
        cmocka_unit_test(errors_in_an_indirect_buffer),
        cmocka_unit_test(handler_finds_every_error),
        cmocka_unit_test(halted_queue_is_mapped_again),
        cmocka_unit_test(fetch_that_fails),
        cmocka_unit_test(fetch_that_fails_at_an_odd_dword),
        cmocka_unit_test(poll_that_fails),
        cmocka_unit_test(fence_write_that_fails),
        cmocka_unit_test(packet_write_that_fails),
        cmocka_unit_test(several_packet_writes_that_fail),
        cmocka_unit_test(write_of_an_earlier_mapping_that_fails),
        cmocka_unit_test(unanswered_fence_delays_its_queue_only),
        cmocka_unit_test(report_that_fails),
        cmocka_unit_test(fetch_times_out),
        cmocka_unit_test(poll_times_out),
        cmocka_unit_test(fence_write_times_out),
        cmocka_unit_test(packet_write_times_out),
        cmocka_unit_test(late_answers),
        cmocka_unit_test(long_write_without_an_answer),
        cmocka_unit_test(long_write_of_a_queue_without_mapping),
        cmocka_unit_test(long_write_that_is_refused),
        cmocka_unit_test(cut_write_is_repeated),
        cmocka_unit_test(every_refused_access),
        cmocka_unit_test(every_refused_mapping),
    };

    return cmocka_run_group_tests_name("rules: errors", tests, NULL, NULL);
}

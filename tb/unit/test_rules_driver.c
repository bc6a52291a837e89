// SPDX-License-Identifier: Apache-2.0
//
// The driver (cmodel/driver) on the whole machine: what docs/driver.md promises, each recovery once, and machines that
// are wrong or gone. The account, and in lockstep the RTL, judge what the machine does meanwhile.
// Configuration: mini, because only a machine that lacks most has holes; sim/tests.d/40-library.sh has rings and tasks.

#include "rules_world.h"

#include "../../cmodel/driver/totem_driver.h"

enum { BASE = 0x200000, HEAP = 1 << 16, DRAIN = 1, RESET = 2, LEAVE = 4, POLLS = 400, DWORDS = 64 };
enum { SHORT, ENDLESS }; // programs
enum { COUNTS_AT = 0x10, VERSION_AT = 4, RPTR_AT = 0xe0, FENCE_AT = 0x840 };

typedef struct {
    world              w;
    totem_driver       d;
    uint32_t           heap[HEAP / 4];
    size_t             used;
    unsigned           reads, writes, pauses, patience; // patience: pauses until the caller gives up, 0: for ever
    uint32_t           lie_at, lie;                     // the register at this address reads so, 0: none does
    uint32_t           fails_at;                        // it answers with an error
    bool               gone;                            // every register reads `lie`, writes go nowhere
    totem_driver_queue q;
} bench;

static int read32(void *context, uint32_t address, uint32_t *value)
{
    bench *b = context;
    b->reads++;
    if (b->gone || (b->lie && address == b->lie_at)) {
        *value = b->lie;
        return 0;
    }
    const size_t n = host_read(host(&b->w), now(&b->w), address);
    UNTIL(&b->w, host_done(host(&b->w)));
    *value = host(&b->w)->list[n].data;
    return b->fails_at && address == b->fails_at ? -1 : host(&b->w)->list[n].response;
}

static int write32(void *context, uint32_t address, uint32_t value)
{
    bench *b = context;
    b->writes++;
    return b->gone ? 0 : host_try(&b->w, address, value);
}

// The CPU has a copy of its own of all memory: what the driver does not flush or invalidate is not seen.
static int allocate(void *context, size_t bytes, size_t alignment, totem_driver_memory *memory)
{
    bench *b = context;
    b->used  = (b->used + alignment - 1) & ~(alignment - 1);
    if (b->used + bytes > HEAP)
        return -1;
    *memory = (totem_driver_memory){b->heap + b->used / 4, BASE + b->used, bytes};
    b->used += bytes;
    return 0;
}

static void flushed(void *context, const totem_driver_memory *memory, size_t offset, size_t bytes)
{
    bench *b = context;
    for (size_t at = offset; at < offset + bytes; at += 4)
        set(&b->w, memory->device + at, ((uint32_t *)memory->cpu)[at / 4]);
}

static void invalidated(void *context, const totem_driver_memory *memory, size_t offset, size_t bytes)
{
    bench *b = context;
    for (size_t at = offset; at < offset + bytes; at += 4)
        ((uint32_t *)memory->cpu)[at / 4] = get(&b->w, memory->device + at);
}

static int pause_some(void *context, uint32_t poll)
{
    bench *b = context;
    if (!b->gone)
        steps(&b->w, 8);
    b->pauses++;
    return b->patience && poll >= b->patience;
}

static totem_driver_platform platform(bench *b)
{
    return (totem_driver_platform){b, read32, write32, allocate, NULL, flushed, invalidated, pause_some, POLLS};
}

static void bench_open(bench *b)
{
    memset(b, 0, sizeof *b);
    world_open(&b->w);
    const totem_driver_platform p = platform(b);
    assert_int_equal(totem_driver_open(&b->d, &p), TOTEM_DRIVER_OK);
    assert_int_equal(totem_driver_enable(&b->d), TOTEM_DRIVER_OK);
    program(&b->w, SHORT, 40);
    program(&b->w, ENDLESS, 1u << 30);
}

static void bench_close(bench *b)
{
    world_close(&b->w);
}

#define RULE_OF_DRIVER(name) RULE_IN(bench, bench_open, bench_close, b, name)
#define GOOD(call) assert_int_equal((call), TOTEM_DRIVER_OK)

static void map_it(bench *b, bool by_mqd)
{
    GOOD(by_mqd ? totem_driver_map_mqd(&b->q) : totem_driver_map(&b->q));
}

static void made(bench *b, uint32_t slot, bool by_mqd)
{
    GOOD(totem_driver_create(&b->d, &b->q, 0, slot, DWORDS, &(totem_driver_settings){7, 1, 0, false}));
    b->q.written = 0xfffffff0; // the ring begins there: its pointers soon pass 2^32
    GOOD(totem_driver_discard(&b->q));
    map_it(b, by_mqd);
    account_remap(session_account(b->w.s), 0, (int)slot);
}

static void push_grid(bench *b, uint32_t entry, uint32_t groups)
{
    const uint32_t words[] = {TYPE3(TOTEM_OP_SET_SH_REG, 4),
                              0x207,
                              64,
                              1,
                              1,
                              TYPE3(TOTEM_OP_SET_SH_REG, 3),
                              0x20c,
                              0x1000u | entry,
                              0,
                              TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4),
                              groups,
                              1,
                              1,
                              AT_ZERO};
    GOOD(totem_driver_push(&b->q, words, COUNT(words)));
}

// The doorbell, and the account reads what it announces.
static void ring(bench *b)
{
    char message[256];
    for (uint32_t at = 0; at < 4 * DWORDS; at += 4)
        set(&b->w, b->q.ring.device + at, ((uint32_t *)b->q.ring.cpu)[at / 4]);
    if (!account_stream(session_account(b->w.s), 0, (int)b->q.queue, session_memory(b->w.s), b->q.ring.device, DWORDS,
                        b->q.announced, b->q.written - b->q.announced, message))
        fail_msg("%s", message);
    GOOD(totem_driver_doorbell(&b->q));
}

static uint32_t grid_and_fence(bench *b, uint32_t entry, uint32_t groups)
{
    uint32_t value = 0;
    push_grid(b, entry, groups);
    GOOD(totem_driver_push_fence(&b->q, &value));
    ring(b);
    return value;
}

static totem_driver_events interrupt(bench *b)
{
    totem_driver_events e;
    UNTIL(&b->w, session_irq(b->w.s));
    GOOD(totem_driver_interrupt(&b->d, &e));
    return e;
}

static totem_driver_events error_interrupt(bench *b)
{
    totem_driver_events e = interrupt(b);
    while (!e.record) // a fence in front of it
        e = interrupt(b);
    return e;
}

// ---- the machine

RULE_OF_DRIVER(sizes_are_those_of_the_machine)
{
    assert_int_equal(b->d.front_ends, TOTEM_FE_COUNT);
    assert_int_equal(b->d.pipes, TOTEM_PIPE_COUNT);
    assert_int_equal(b->d.queues, TOTEM_QUEUES);
    assert_int_equal(b->d.engines, TOTEM_SE_COUNT);
    assert_int_equal(b->d.slots, TOTEM_SLOTS);
    assert_int_equal(b->d.graphics, TOTEM_GRAPHICS);
    assert_int_equal(b->d.tasks, TOTEM_TASKS);
    const unsigned last = b->d.pipes - 1;
    GOOD(totem_driver_create(&b->d, &b->q, last, b->d.queues - 1, 16, NULL));
    if (last < 7) // behind it stand the rings
        assert_int_equal(totem_driver_create(&b->d, &b->q, last + 1, 0, 16, NULL), TOTEM_DRIVER_ABSENT);
    assert_int_equal(totem_driver_create(&b->d, &b->q, last, b->d.queues, 16, NULL), TOTEM_DRIVER_ABSENT);
    assert_int_equal(totem_driver_create(&b->d, &b->q, TOTEM_DRIVER_RING(0), 1, 16, NULL), TOTEM_DRIVER_ABSENT);
    assert_int_equal(totem_driver_create(&b->d, &b->q, last, 0, 17, NULL), TOTEM_DRIVER_ARGUMENT);
    assert_int_equal(totem_driver_create(&b->d, &b->q, last, 0, 1 << 20, NULL), TOTEM_DRIVER_MEMORY);
    assert_int_equal(errors(&b->w), 0);
}

RULE_OF_DRIVER(a_wrong_machine_is_refused)
{
    static const struct {
        uint32_t at, lie;
    } wrong[] = {{0, 0x544f544e},          {0, 0xffffffff},         {VERSION_AT, 0x00000200}, {VERSION_AT, 0x00010100},
                 {COUNTS_AT, 0x01040102},  {COUNTS_AT, 0x01040105}, {COUNTS_AT, 0x01000101},  {COUNTS_AT, 0x05040101},
                 {COUNTS_AT, 0x01040304u}, {COUNTS_AT, 0xffffffffu}};
    totem_driver          d;
    totem_driver_platform p      = platform(b);
    const unsigned        writes = b->writes;
    for (size_t n = 0; n < COUNT(wrong); n++) {
        b->lie_at = wrong[n].at;
        b->lie    = wrong[n].lie;
        // Two pipes of a front end are a machine that could be.
        assert_int_equal(totem_driver_open(&d, &p),
                         wrong[n].lie == 0x01040102 ? TOTEM_DRIVER_OK : TOTEM_DRIVER_MACHINE);
    }
    b->lie      = 0;
    b->fails_at = COUNTS_AT;
    assert_int_equal(totem_driver_open(&d, &p), TOTEM_DRIVER_BUS);
    b->fails_at = 0;
    p.polls     = 0;
    assert_int_equal(totem_driver_open(&d, &p), TOTEM_DRIVER_ARGUMENT);
    assert_int_equal(b->writes, writes);
}

// A card that was pulled out: all reads give ones, or zeros. No call waits for ever.
RULE_OF_DRIVER(a_machine_that_is_gone)
{
    totem_driver_events e;
    GOOD(totem_driver_create(&b->d, &b->q, 0, 1, DWORDS, NULL));
    b->gone = true;
    for (b->lie = 0xffffffff;; b->lie = 0) {
        const totem_driver_result answer = b->lie ? TOTEM_DRIVER_TIMEOUT : TOTEM_DRIVER_BUS;
        GOOD(totem_driver_interrupt(&b->d, &e));
        assert_int_equal(e.status, b->lie);
        assert_int_equal(e.fatal, b->lie != 0);
        assert_int_equal(totem_driver_map(&b->q), TOTEM_DRIVER_BUS);
        b->q.mapped = false;
        assert_int_equal(totem_driver_map_mqd(&b->q), TOTEM_DRIVER_BUS);
        b->q.mapped = false;
        assert_int_equal(totem_driver_unmap(&b->q, RESET), answer);
        b->q.mapped = true;
        assert_int_equal(totem_driver_wait(&b->q, 16), b->lie ? TOTEM_DRIVER_HALTED : TOTEM_DRIVER_TIMEOUT);
        assert_int_equal(totem_driver_unmap(&b->q, DRAIN), answer);
        b->q.mapped = false;
        assert_int_equal(totem_driver_destroy(&b->q), TOTEM_DRIVER_BUS);
        if (b->lie == 0)
            break;
    }
    assert_in_range(b->pauses, 1, 4 * POLLS);
    b->gone = false;
}

// ---- work

static void first_fence(bench *b, bool by_mqd)
{
    uint32_t ctxid = 0, room = DWORDS;
    made(b, 2, by_mqd);
    uint32_t value = grid_and_fence(b, SHORT, 5);
    GOOD(totem_driver_wait(&b->q, value));
    const totem_driver_events e = interrupt(b);
    steps(&b->w, 2);
    assert_false(session_irq(b->w.s));
    assert_int_equal(e.ended[0], 1u << 2);
    assert_false(e.record || e.fatal || e.halted[0]);
    GOOD(totem_driver_ctxid(&b->d, 0, 2, &ctxid));
    assert_int_equal(ctxid, value);
    for (unsigned n = 0; n < 6; n++) { // round the ring
        value = grid_and_fence(b, SHORT, 2);
        GOOD(totem_driver_wait(&b->q, value));
    }
    while (totem_driver_push(&b->q, (uint32_t[]){NOP1}, 1) == TOTEM_DRIVER_OK)
        room--;
    assert_int_equal(room, 0);
    b->lie_at = b->q.window + RPTR_AT;
    b->lie    = b->q.written + 1; // not in the ring
    assert_int_equal(totem_driver_push(&b->q, (uint32_t[]){NOP1}, 1), TOTEM_DRIVER_BUS);
    b->lie = 0;
    assert_int_equal(totem_driver_push(&b->q, (uint32_t[]){NOP1}, 1), TOTEM_DRIVER_FULL);
    ring(b);
    UNTIL(&b->w, rptr(&b->w, 0, 2) == b->q.written);
    GOOD(totem_driver_push(&b->q, (uint32_t[]){NOP1}, 1));
    ring(b);
    GOOD(totem_driver_unmap(&b->q, DRAIN));
    GOOD(totem_driver_destroy(&b->q));
    assert_int_equal(errors(&b->w), 0); // no hole was touched
}

RULE_OF_DRIVER(first_fence_by_window)
{
    first_fence(b, false);
}

RULE_OF_DRIVER(first_fence_by_mqd)
{
    first_fence(b, true);
}

// ---- errors

static bool says(const bench *b, const totem_driver_error *e, const char *words)
{
    char         text[600];
    const size_t length = totem_driver_describe(&b->d, e, text, sizeof text);
    assert_in_range(length, 40, sizeof text - 1);
    assert_int_equal(totem_driver_describe(&b->d, e, text, 20), length);
    assert_int_equal(strlen(text), 19);
    totem_driver_describe(&b->d, e, text, sizeof text);
    return strstr(text, words);
}

// A bad packet: it is passed over, or mended.
static void bad_packet(bench *b, bool mended)
{
    uint32_t value = 0;
    made(b, 3, false);
    const uint32_t at = b->q.written % DWORDS;
    GOOD(totem_driver_push(&b->q, (uint32_t[]){TYPE3(0x18, 1), 5}, 2));
    GOOD(totem_driver_push_fence(&b->q, &value));
    GOOD(totem_driver_doorbell(&b->q));
    assert_int_equal(totem_driver_wait(&b->q, value), TOTEM_DRIVER_HALTED);
    const totem_driver_events e = error_interrupt(b);
    assert_true(e.later == 0 && e.halted[0] == 1u << 3);
    assert_int_equal(e.error.code, TOTEM_ERROR_PACKET_OPCODE);
    assert_int_equal(e.error.address, b->q.ring.device + 4 * at);
    assert_true(says(b, &e.error, "PACKET_OPCODE by packet processor of pipe 0, queue 3 in clock "));
    assert_true(says(b, &e.error, "; remedy: check the ring"));
    if (mended) {
        set(&b->w, b->q.ring.device + 4 * at, FILLER);
        set(&b->w, b->q.ring.device + 4 * at + 4, FILLER);
        GOOD(totem_driver_resume(&b->q));
    } else {
        set(&b->w, b->q.ring.device + 4 * at + 4, FILLER); // of an unknown packet one dword is passed
        GOOD(totem_driver_skip(&b->q));
    }
    GOOD(totem_driver_wait(&b->q, value));
    assert_int_equal(totem_driver_resume(&b->q), TOTEM_DRIVER_REFUSED); // it is not halted
    const totem_driver_events host_error = error_interrupt(b);
    assert_true(says(b, &host_error.error, "HOST_RESUME by host port in clock "));
    b->q.written += 2 * DWORDS;
    assert_int_equal(totem_driver_doorbell(&b->q), TOTEM_DRIVER_REFUSED); // beyond the ring
    b->q.written -= 2 * DWORDS;
    assert_int_equal(error_interrupt(b).error.code, TOTEM_ERROR_HOST_DOORBELL_RANGE);
    GOOD(totem_driver_unmap(&b->q, LEAVE));
}

RULE_OF_DRIVER(a_bad_packet_is_mended)
{
    bad_packet(b, true);
}

RULE_OF_DRIVER(a_bad_packet_is_skipped)
{
    bad_packet(b, false);
}

// A fence whose write fails; or is not answered, so the next is not tried. After a resume another counts for both.
static void failed_fence(bench *b, memory_fault_kind kind)
{
    memory_fault fault = {.address = BASE + 4 * DWORDS + FENCE_AT, .kind = kind};
    uint32_t     value = 0;
    world_close(&b->w);
    world_open_with(&b->w, 20, &fault, 1);
    GOOD(totem_driver_enable(&b->d));
    GOOD(totem_driver_timeouts(&b->d, 500, 0));
    made(b, 1, false);
    for (unsigned n = 0; n < 2; n++)
        GOOD(totem_driver_push_fence(&b->q, &value));
    ring(b);
    until_halted(&b->w, 1);
    const totem_driver_events e = error_interrupt(b);
    assert_int_equal(e.error.address, fault.address);
    assert_int_equal(e.later, kind == MEMORY_WRITE_NOTHING);
    GOOD(totem_driver_resume(&b->q));
    GOOD(totem_driver_push_fence(&b->q, &value));
    ring(b);
    GOOD(totem_driver_wait(&b->q, value));
    GOOD(totem_driver_unmap(&b->q, DRAIN));
}

RULE_OF_DRIVER(a_failed_fence_is_pushed_again)
{
    failed_fence(b, MEMORY_WRITE_SLVERR);
}

RULE_OF_DRIVER(an_unanswered_fence_is_pushed_again)
{
    failed_fence(b, MEMORY_WRITE_NOTHING);
}

RULE_OF_DRIVER(calls_in_the_wrong_state)
{
    uint32_t value = 0;
    GOOD(totem_driver_create(&b->d, &b->q, 0, 1, DWORDS, NULL));
    GOOD(totem_driver_push_fence(&b->q, &value)); // may be pushed already
    assert_int_equal(totem_driver_doorbell(&b->q), TOTEM_DRIVER_STATE);
    assert_int_equal(totem_driver_wait(&b->q, value), TOTEM_DRIVER_STATE);
    assert_int_equal(totem_driver_resume(&b->q), TOTEM_DRIVER_STATE);
    assert_int_equal(totem_driver_unmap(&b->q, DRAIN), TOTEM_DRIVER_STATE);
    assert_int_equal(totem_driver_launch(&b->q, 0x1000), b->d.tasks ? TOTEM_DRIVER_STATE : TOTEM_DRIVER_ABSENT);
    assert_int_equal(totem_driver_push_task(&b->q, 0x1001), TOTEM_DRIVER_ARGUMENT);
    assert_int_equal(totem_driver_ring_kind(&b->q, true, 10), TOTEM_DRIVER_ABSENT);
    map_it(b, true);
    assert_int_equal(totem_driver_map(&b->q), TOTEM_DRIVER_STATE);
    assert_int_equal(totem_driver_discard(&b->q), TOTEM_DRIVER_STATE);
    assert_int_equal(totem_driver_destroy(&b->q), TOTEM_DRIVER_STATE);
    assert_int_equal(totem_driver_unmap(&b->q, 5), TOTEM_DRIVER_ARGUMENT);
    GOOD(totem_driver_doorbell(&b->q));
    GOOD(totem_driver_wait(&b->q, value));
    assert_int_equal(errors(&b->w), 0);
    // A mapping that the machine refuses: another pipe priority than there is.
    GOOD(totem_driver_unmap(&b->q, DRAIN));
    for (unsigned by_mqd = 0; by_mqd < 2; by_mqd++) {
        set(&b->w, b->q.state.device + 4 * 133, 3);
        assert_int_equal(by_mqd ? totem_driver_map_mqd(&b->q) : totem_driver_map(&b->q), TOTEM_DRIVER_REFUSED);
        assert_int_equal(error_interrupt(b).error.code,
                         by_mqd ? TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY : TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY);
    }
}

// ---- leaving

// A grid is stopped in its middle and goes on, mapped by the other recipe.
RULE_OF_DRIVER(a_queue_that_leaves_goes_on)
{
    for (uint32_t type = DRAIN; type <= LEAVE; type++) {
        if (type == RESET)
            continue;
        made(b, 0, type == LEAVE);
        const unsigned from  = b->w.count;
        const uint32_t value = grid_and_fence(b, SHORT, 3 * TOTEM_SLOTS);
        UNTIL(&b->w, count_of(&b->w, LAUNCH, 0, 0, from) > 3);
        GOOD(totem_driver_unmap(&b->q, type));
        assert_in_range(count_of(&b->w, GRANT, 0, 0, from), 4, 3 * TOTEM_SLOTS - 1);
        map_it(b, type != LEAVE);
        GOOD(totem_driver_wait(&b->q, value));
        assert_int_equal(count_of(&b->w, GRANT, 0, 0, from), 3 * TOTEM_SLOTS);
        GOOD(totem_driver_unmap(&b->q, DRAIN));
    }
    assert_int_equal(errors(&b->w), 0);
}

// Waves that never end: every wait ends, and the reset takes the place of the drain.
RULE_OF_DRIVER(a_hung_queue_is_reset)
{
    made(b, 1, true);
    const uint32_t value = grid_and_fence(b, ENDLESS, 2);
    b->patience          = 20;
    assert_int_equal(totem_driver_wait(&b->q, value), TOTEM_DRIVER_TIMEOUT);
    b->patience         = 0;
    b->d.platform.polls = 10;
    assert_int_equal(totem_driver_wait(&b->q, value), TOTEM_DRIVER_TIMEOUT);
    assert_int_equal(totem_driver_unmap(&b->q, DRAIN), TOTEM_DRIVER_TIMEOUT);
    assert_int_equal(totem_driver_unmap(&b->q, DRAIN), TOTEM_DRIVER_TIMEOUT); // asks once, waits twice
    b->d.platform.polls = POLLS;
    account_kill(session_account(b->w.s), 0, 1, true);
    GOOD(totem_driver_unmap(&b->q, RESET));
    GOOD(totem_driver_discard(&b->q));
    GOOD(totem_driver_wait(&b->q, value)); // counts as passed
    map_it(b, false);
    account_drop(session_account(b->w.s), 0, 1);
    account_remap(session_account(b->w.s), 0, 1);
    GOOD(totem_driver_wait(&b->q, grid_and_fence(b, SHORT, 3)));
    // Behind a queue that has left, its waves hold the next mapping until it gives up; a reset of the slot ends them.
    grid_and_fence(b, ENDLESS, 1);
    UNTIL(&b->w, waves(&b->w, 0, 1) == 1);
    GOOD(totem_driver_unmap(&b->q, LEAVE));
    assert_int_equal(totem_driver_discard(&b->q), TOTEM_DRIVER_STATE); // their fence would come late
    b->d.platform.polls = 10;                                          // not even the window is read then
    assert_int_equal(totem_driver_map_mqd(&b->q), TOTEM_DRIVER_TIMEOUT);
    assert_true(b->q.mapped);
    b->d.platform.polls = POLLS;
    steps(&b->w, 1000);
    GOOD(totem_driver_unmap(&b->q, LEAVE));
    assert_int_equal(totem_driver_map_mqd(&b->q), TOTEM_DRIVER_TIMEOUT);
    assert_false(b->q.mapped);
    assert_int_equal(totem_driver_destroy(&b->q), TOTEM_DRIVER_STATE); // the waves still use it
    account_kill(session_account(b->w.s), 0, 1, true);
    GOOD(totem_driver_unmap(&b->q, RESET));
    GOOD(totem_driver_destroy(&b->q));
    assert_int_equal(errors(&b->w), 0);
}

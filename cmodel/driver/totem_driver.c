// SPDX-License-Identifier: Apache-2.0
//
// totem_driver: see totem_driver.h. What the registers do: docs/registers.md, docs/queue.md, docs/host.md.

#include "totem_driver.h"

#include <totem/errors.h>
#include <totem/mqd.h>
#include <totem/pm4.h>
#include <totem/regs.h>

enum {
    RING_PIPE     = 8, // pipe number of graphics ring 0
    REPORT        = 4 * TOTEM_MQD_DWORDS,
    FENCE         = REPORT + 64, // in a cache line of its own
    STATE_BYTES   = FENCE + 64,
    FIRST_FENCE   = 16, // above the TOTEM_DEQUEUE_ types
    LEAST_DWORDS  = 16,
    MOST_DWORDS   = 1 << 20,
    ALIGNMENT     = 256,
    RELEASE_EVENT = 0x14, // CACHE_FLUSH_AND_INV_TS, as drivers write it
    RELEASE_INDEX = 5
};

#define ADDRESS_END ((uint64_t)1 << 40)
#define BIT(name) TOTEM_PUT(name, 1)

// Returns from the function if a step of it has failed.
#define TRY(step)                                \
    do {                                         \
        const totem_driver_result try_ = (step); \
        if (try_ != TOTEM_DRIVER_OK)             \
            return try_;                         \
    } while (0)

// ---- accesses

static totem_driver_result get(const totem_driver *m, uint32_t address, uint32_t *value)
{
    *value = 0;
    return m->platform.read32(m->platform.context, address, value) ? TOTEM_DRIVER_BUS : TOTEM_DRIVER_OK;
}

static totem_driver_result put(const totem_driver *m, uint32_t address, uint32_t value)
{
    return m->platform.write32(m->platform.context, address, value) ? TOTEM_DRIVER_BUS : TOTEM_DRIVER_OK;
}

// A write that the machine may refuse.
static totem_driver_result ask(const totem_driver *m, uint32_t address, uint32_t value)
{
    return put(m, address, value) == TOTEM_DRIVER_OK ? TOTEM_DRIVER_OK : TOTEM_DRIVER_REFUSED;
}

// Whether the machine still answers: one that is gone reads as ones, or as zeros.
static totem_driver_result present(const totem_driver *m)
{
    uint32_t magic = 0;
    TRY(get(m, TOTEM_MACHINE_MAGIC, &magic));
    return magic == TOTEM_MACHINE_MAGIC_RESET ? TOTEM_DRIVER_OK : TOTEM_DRIVER_BUS;
}

// Between two polls: whether the wait has reached its limit.
static bool expired(const totem_driver *m, uint32_t *polls)
{
    if (++*polls >= m->platform.polls)
        return true;
    return m->platform.pause && m->platform.pause(m->platform.context, *polls) != 0;
}

static void flush(const totem_driver *m, const totem_driver_memory *memory, size_t offset, size_t bytes)
{
    if (m->platform.flush && bytes)
        m->platform.flush(m->platform.context, memory, offset, bytes);
}

static void invalidate(const totem_driver *m, const totem_driver_memory *memory, size_t offset, size_t bytes)
{
    if (m->platform.invalidate)
        m->platform.invalidate(m->platform.context, memory, offset, bytes);
}

static volatile uint32_t *dword(const totem_driver_memory *memory, size_t offset)
{
    return (volatile uint32_t *)memory->cpu + offset / 4;
}

static totem_mqd_v9 *mqd(const totem_driver_queue *q)
{
    return q->state.cpu;
}

// ---- the machine

totem_driver_result totem_driver_open(totem_driver *m, const totem_driver_platform *platform)
{
    uint32_t magic = 0, features = 0, counts = 0, front = 0, engine = 0, resources = 0;
    if (!platform || !platform->read32 || !platform->write32 || !platform->allocate || !platform->polls)
        return TOTEM_DRIVER_ARGUMENT;
    *m          = (totem_driver){0};
    m->platform = *platform;
    TRY(get(m, TOTEM_MACHINE_MAGIC, &magic));
    if (magic != TOTEM_MACHINE_MAGIC_RESET)
        return TOTEM_DRIVER_MACHINE;
    TRY(get(m, TOTEM_MACHINE_VERSION, &m->version));
    if (TOTEM_FIELD(m->version, TOTEM_MACHINE_VERSION_MAJOR) !=
            TOTEM_FIELD(TOTEM_MACHINE_VERSION_RESET, TOTEM_MACHINE_VERSION_MAJOR) ||
        TOTEM_FIELD(m->version, TOTEM_MACHINE_VERSION_MINOR) !=
            TOTEM_FIELD(TOTEM_MACHINE_VERSION_RESET, TOTEM_MACHINE_VERSION_MINOR))
        return TOTEM_DRIVER_MACHINE; // before version 1 a minor version may change registers
    TRY(get(m, TOTEM_MACHINE_CONFIG_HASH, &m->configuration));
    TRY(get(m, TOTEM_MACHINE_FEATURES, &features));
    TRY(get(m, TOTEM_MACHINE_COUNTS, &counts));
    TRY(get(m, TOTEM_MACHINE_FRONT, &front));
    TRY(get(m, TOTEM_MACHINE_ENGINE, &engine));
    TRY(get(m, TOTEM_MACHINE_RESOURCES, &resources));
    m->front_ends = TOTEM_FIELD(counts, TOTEM_MACHINE_COUNTS_FE_COUNT);
    m->pipes      = TOTEM_FIELD(counts, TOTEM_MACHINE_COUNTS_PIPES) * m->front_ends;
    m->queues     = TOTEM_FIELD(counts, TOTEM_MACHINE_COUNTS_QUEUES);
    m->engines    = TOTEM_FIELD(counts, TOTEM_MACHINE_COUNTS_SE_COUNT);
    m->epochs     = TOTEM_FIELD(front, TOTEM_MACHINE_FRONT_EPOCHS);
    m->slots      = TOTEM_FIELD(engine, TOTEM_MACHINE_ENGINE_SLOTS);
    m->vgprs      = TOTEM_FIELD(resources, TOTEM_MACHINE_RESOURCES_VGPRS);
    m->lds        = TOTEM_FIELD(resources, TOTEM_MACHINE_RESOURCES_LDS);
    m->graphics   = TOTEM_FIELD(features, TOTEM_MACHINE_FEATURES_GRAPHICS) != 0;
    m->tasks      = TOTEM_FIELD(features, TOTEM_MACHINE_FEATURES_TASKS) != 0;
    if (!m->front_ends || m->front_ends > TOTEM_GRAPHICS_INSTANCES || !m->pipes || m->pipes > RING_PIPE || !m->queues ||
        m->queues > TOTEM_QUEUE_INSTANCES || !m->engines || m->engines > TOTEM_ENGINE_INSTANCES)
        return TOTEM_DRIVER_MACHINE;
    return TOTEM_DRIVER_OK;
}

totem_driver_result totem_driver_timeouts(totem_driver *m, uint32_t memory, uint32_t reset)
{
    if (reset > TOTEM_MACHINE_DEQUEUE_TIMEOUT_CLOCKS_MASK)
        return TOTEM_DRIVER_ARGUMENT;
    TRY(put(m, TOTEM_MACHINE_MEMORY_TIMEOUT, memory));
    return put(m, TOTEM_MACHINE_DEQUEUE_TIMEOUT, reset);
}

// Registers of end-of-pipe bits have 32 each; a register without a queue is a hole.
static uint32_t eop_words(const totem_driver *m)
{
    return (m->pipes * TOTEM_QUEUE_INSTANCES + 31) / 32;
}

totem_driver_result totem_driver_enable(totem_driver *m)
{
    const uint32_t every = BIT(TOTEM_EVENTS_INTERRUPT_ENABLE_EOP) | BIT(TOTEM_EVENTS_INTERRUPT_ENABLE_PACKET) |
                           BIT(TOTEM_EVENTS_INTERRUPT_ENABLE_DESCRIPTOR) | BIT(TOTEM_EVENTS_INTERRUPT_ENABLE_MEMORY) |
                           BIT(TOTEM_EVENTS_INTERRUPT_ENABLE_HOST) | BIT(TOTEM_EVENTS_INTERRUPT_ENABLE_PARTITION) |
                           BIT(TOTEM_EVENTS_INTERRUPT_ENABLE_SELF_CHECK);
    uint32_t bits[2] = {0, 0};
    for (uint32_t p = 0; p < m->pipes; p++)
        bits[p / 4] |= ((1u << m->queues) - 1) << p % 4 * TOTEM_QUEUE_INSTANCES;
    for (uint32_t n = 0; n < eop_words(m); n++)
        TRY(put(m, TOTEM_EVENTS_EOP_ENABLE + 4 * n, bits[n]));
    if (m->graphics)
        TRY(put(m, TOTEM_EVENTS_RING_EOP_ENABLE, (1u << m->front_ends) - 1));
    return put(m, TOTEM_EVENTS_INTERRUPT_ENABLE, every);
}

// ---- interrupts and errors

// Whether the machine has the queue; rings have pipe numbers from RING_PIPE on, and queue 0.
static bool exists(const totem_driver *m, uint32_t pipe, uint32_t queue)
{
    if (pipe >= RING_PIPE)
        return m->graphics && pipe - RING_PIPE < m->front_ends && queue == 0;
    return pipe < m->pipes && queue < m->queues;
}

static totem_driver_result take_record(const totem_driver *m, totem_driver_events *e)
{
    uint32_t record = 0, low = 0, high = 0;
    TRY(get(m, TOTEM_EVENTS_RECORD, &record));
    e->record = TOTEM_FIELD(record, TOTEM_EVENTS_RECORD_VALID) != 0;
    if (!e->record)
        return TOTEM_DRIVER_OK;
    e->error.code   = (uint8_t)TOTEM_FIELD(record, TOTEM_EVENTS_RECORD_CODE);
    e->error.queue  = (uint8_t)TOTEM_FIELD(record, TOTEM_EVENTS_RECORD_QUEUE);
    e->error.source = (uint8_t)TOTEM_FIELD(record, TOTEM_EVENTS_RECORD_SOURCE);
    TRY(get(m, TOTEM_EVENTS_RECORD_ADDRESS_LO, &low));
    TRY(get(m, TOTEM_EVENTS_RECORD_ADDRESS_HI, &high));
    e->error.address = (uint64_t)high << 32 | low;
    TRY(get(m, TOTEM_EVENTS_RECORD_WORD, &e->error.word));
    TRY(get(m, TOTEM_EVENTS_RECORD_TIME_LO, &low));
    TRY(get(m, TOTEM_EVENTS_RECORD_TIME_HI, &high));
    e->error.clock = (uint64_t)high << 32 | low;
    TRY(get(m, TOTEM_EVENTS_RECORD_LATER, &low));
    e->later = TOTEM_FIELD(low, TOTEM_EVENTS_RECORD_LATER_COUNT);
    return put(m, TOTEM_EVENTS_RECORD, BIT(TOTEM_EVENTS_RECORD_VALID));
}

totem_driver_result totem_driver_interrupt(const totem_driver *m, totem_driver_events *e)
{
    *e = (totem_driver_events){0};
    TRY(get(m, TOTEM_EVENTS_INTERRUPT_STATUS, &e->status));
    const uint32_t errors =
        e->status & ~(BIT(TOTEM_EVENTS_INTERRUPT_STATUS_EOP) | BIT(TOTEM_EVENTS_INTERRUPT_STATUS_NOTICE));
    if (errors)
        TRY(put(m, TOTEM_EVENTS_INTERRUPT_STATUS, errors));
    if (TOTEM_FIELD(e->status, TOTEM_EVENTS_INTERRUPT_STATUS_EOP)) {
        for (uint32_t n = 0; n < eop_words(m); n++) {
            TRY(get(m, TOTEM_EVENTS_EOP_STATUS + 4 * n, &e->ended[n]));
            if (e->ended[n])
                TRY(put(m, TOTEM_EVENTS_EOP_STATUS + 4 * n, e->ended[n]));
        }
        if (m->graphics) {
            TRY(get(m, TOTEM_EVENTS_RING_EOP_STATUS, &e->rings_ended));
            if (e->rings_ended)
                TRY(put(m, TOTEM_EVENTS_RING_EOP_STATUS, e->rings_ended));
        }
    }
    if (!errors)
        return TOTEM_DRIVER_OK;
    e->fatal = TOTEM_FIELD(errors, TOTEM_EVENTS_INTERRUPT_STATUS_SELF_CHECK) != 0;
    TRY(take_record(m, e));
    for (uint32_t pipe = 0; pipe < TOTEM_PIPE_INSTANCES; pipe++)
        for (uint32_t queue = 0; queue < m->queues; queue++) {
            uint32_t state = 0;
            if (!exists(m, pipe, queue))
                continue;
            TRY(get(m, TOTEM_QUEUE(pipe, queue) + TOTEM_QUEUE_STATE, &state));
            if (!TOTEM_FIELD(state, TOTEM_QUEUE_STATE_HALTED))
                continue;
            if (pipe >= RING_PIPE)
                e->rings_halted |= 1u << (pipe - RING_PIPE);
            else
                e->halted[pipe / 4] |= 1u << (pipe % 4 * TOTEM_QUEUE_INSTANCES + queue);
        }
    return TOTEM_DRIVER_OK;
}

totem_driver_result totem_driver_ctxid(const totem_driver *m, uint32_t pipe, uint32_t queue, uint32_t *ctxid)
{
    if (!exists(m, pipe, queue))
        return TOTEM_DRIVER_ABSENT;
    if (pipe >= RING_PIPE)
        return get(m, TOTEM_EVENTS_RING_INT_CTXID + 4 * (pipe - RING_PIPE), ctxid);
    return get(m, TOTEM_EVENTS_INT_CTXID + 4 * (TOTEM_QUEUE_INSTANCES * pipe + queue), ctxid);
}

const char *totem_driver_text(totem_driver_result result)
{
    switch (result) {
#define RESULT(name, text) \
    case TOTEM_DRIVER_##name: return #name ": " text;
        TOTEM_DRIVER_RESULTS(RESULT)
    default: return "no result of totem_driver";
    }
}

typedef struct {
    char  *text;
    size_t room, length;
} line;

static void say(line *l, const char *text)
{
    for (; *text; text++, l->length++)
        if (l->length + 1 < l->room)
            l->text[l->length] = *text;
}

// In parts of 16 bits: a division of 64 bits is a function of the compiler's library where the CPU has 32.
static void say_number(line *l, uint64_t value, uint32_t base)
{
    const uint32_t high = (uint32_t)(value >> 32), low = (uint32_t)value;
    uint32_t       part[4] = {high >> 16, high & 0xffff, low >> 16, low & 0xffff};
    uint32_t       left, rest;
    char           digits[24];
    char          *at = digits + sizeof digits - 1;
    *at               = 0;
    do {
        left = rest = 0;
        for (int n = 0; n < 4; n++) {
            const uint32_t of = rest << 16 | part[n];
            part[n]           = of / base;
            rest              = of % base;
            left |= part[n];
        }
        *--at = "0123456789abcdef"[rest];
    } while (left);
    say(l, base == 16 ? "0x" : "");
    say(l, at);
}

// Who has sent a record: the table of RECORD.SOURCE (docs/host.md).
static void say_source(line *l, const totem_driver *m, const totem_driver_error *e)
{
    const uint32_t rings = 1 + 4 * m->pipes + m->front_ends; // first source of a ring
    const bool     ring  = e->source >= rings;
    const uint32_t count = ring ? m->front_ends : m->pipes;
    const uint32_t at    = e->source - (ring ? rings : 1u);
    const char    *who   = "fetch";
    uint32_t       of    = at % count;
    if (e->source == 0) {
        say(l, "host port");
        return;
    }
    if (!ring && at >= 4 * count) {
        say(l, "memory path of front end ");
        say_number(l, at - 4 * count, 10);
        return;
    }
    if (at < 2 * count) {
        who = at % 2 ? "fence unit" : "packet processor";
        of  = at / 2;
    } else if (at < 3 * count)
        who = "MQD unit";
    say(l, who);
    say(l, ring ? " of ring " : " of pipe ");
    say_number(l, of, 10);
    say(l, ", queue ");
    say_number(l, e->queue, 10);
}

static const struct {
    uint8_t     code;
    const char *name, *what, *word, *remedy;
} errors_known[] = {
#define ERROR(name, what, word, remedy) {TOTEM_ERROR_##name, #name, what, word, remedy},
    TOTEM_ERRORS(ERROR)};

static void say_error(line *l, const totem_driver *m, const totem_driver_error *e)
{
    size_t n = 0;
    while (n < sizeof errors_known / sizeof *errors_known && errors_known[n].code != e->code)
        n++;
    const bool known = n < sizeof errors_known / sizeof *errors_known;
    say(l, known ? errors_known[n].name : "error ");
    if (!known)
        say_number(l, e->code, 16);
    say(l, " by ");
    say_source(l, m, e);
    say(l, " in clock ");
    say_number(l, e->clock, 10);
    say(l, ": ");
    say(l, known ? errors_known[n].what : "a code that this driver does not know");
    say(l, "; address ");
    say_number(l, e->address, 16);
    say(l, ", ");
    say(l, known ? errors_known[n].word : "word");
    say(l, ": ");
    say_number(l, e->word, 16);
    say(l, "; remedy: ");
    say(l, known ? errors_known[n].remedy : "take the driver of this version of the machine");
}

size_t totem_driver_describe(const totem_driver *m, const totem_driver_error *e, char *text, size_t room)
{
    line l = {text, room, 0};
    if (e->code == 0)
        say(&l, "no error record: none has come, or an earlier call took it");
    else
        say_error(&l, m, e);
    if (room)
        text[l.length < room ? l.length : room - 1] = 0;
    return l.length;
}

// ---- queues

static bool usable(const totem_driver_memory *memory, size_t bytes)
{
    return memory->cpu && memory->bytes >= bytes && memory->device % ALIGNMENT == 0 &&
           (uintptr_t)memory->cpu % sizeof(uint32_t) == 0 && memory->device < ADDRESS_END - bytes;
}

static void give_back(const totem_driver *m, totem_driver_memory *memory)
{
    if (memory->cpu && m->platform.release)
        m->platform.release(m->platform.context, memory);
    *memory = (totem_driver_memory){0};
}

static totem_driver_result take(const totem_driver *m, size_t bytes, totem_driver_memory *memory)
{
    *memory = (totem_driver_memory){0};
    if (m->platform.allocate(m->platform.context, bytes, ALIGNMENT, memory)) {
        *memory = (totem_driver_memory){0};
        return TOTEM_DRIVER_MEMORY;
    }
    if (usable(memory, bytes))
        return TOTEM_DRIVER_OK;
    give_back(m, memory);
    return TOTEM_DRIVER_MEMORY;
}

// The MQD of a queue that has not run: what a mapping takes from it.
static void describe_queue(totem_driver_queue *q, const totem_driver_settings *s)
{
    totem_mqd_v9 *d    = mqd(q);
    uint32_t      size = 0;
    while (2u << size < q->dwords)
        size++;
    for (size_t at = 0; at < STATE_BYTES; at += 4)
        *dword(&q->state, at) = 0;
    d->header                         = TOTEM_MQD_HEADER;
    d->compute_static_thread_mgmt_se0 = 0xffffffff; // every engine
    d->compute_static_thread_mgmt_se1 = 0xffffffff;
    d->compute_static_thread_mgmt_se2 = 0xffffffff;
    d->compute_static_thread_mgmt_se3 = 0xffffffff;
    d->cp_mqd_base_addr               = (uint32_t)q->state.device;
    d->cp_mqd_base_addr_hi            = (uint32_t)(q->state.device >> 32);
    // The reset value asks for registers from the MQD.
    d->cp_hqd_persistent_state =
        TOTEM_QUEUE_CP_HQD_PERSISTENT_STATE_RESET & ~BIT(TOTEM_QUEUE_CP_HQD_PERSISTENT_STATE_PRELOAD_REQ);
    d->cp_hqd_pipe_priority          = s->pipe_priority;
    d->cp_hqd_queue_priority         = s->priority;
    d->cp_hqd_quantum                = s->quantum;
    d->cp_hqd_pq_base                = (uint32_t)(q->ring.device >> 8);
    d->cp_hqd_pq_base_hi             = (uint32_t)(q->ring.device >> 40);
    d->cp_hqd_pq_rptr_report_addr    = (uint32_t)(q->state.device + REPORT);
    d->cp_hqd_pq_rptr_report_addr_hi = (uint32_t)((q->state.device + REPORT) >> 32);
    d->cp_hqd_pq_doorbell_control    = BIT(TOTEM_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_EN);
    d->cp_hqd_pq_control             = TOTEM_PUT(TOTEM_QUEUE_CP_HQD_PQ_CONTROL_QUEUE_SIZE, size) |
                           TOTEM_PUT(TOTEM_QUEUE_CP_HQD_PQ_CONTROL_RPTR_BLOCK_SIZE, 5) |
                           TOTEM_PUT(TOTEM_QUEUE_CP_HQD_PQ_CONTROL_PRIV_STATE, s->privileged);
    d->cp_hqd_ib_control = TOTEM_QUEUE_CP_HQD_IB_CONTROL_RESET;
    d->cp_mqd_control    = TOTEM_QUEUE_CP_MQD_CONTROL_RESET;
    d->cp_hqd_eop_rptr   = TOTEM_QUEUE_CP_HQD_EOP_RPTR_RESET;
}

totem_driver_result totem_driver_create(totem_driver *m, totem_driver_queue *q, uint32_t pipe, uint32_t slot,
                                        uint32_t dwords, const totem_driver_settings *settings)
{
    const totem_driver_settings  none = {0, 0, 0, false};
    const totem_driver_settings *s    = settings ? settings : &none;
    if (dwords < LEAST_DWORDS || dwords > MOST_DWORDS || (dwords & (dwords - 1)) ||
        s->priority > TOTEM_QUEUE_CP_HQD_QUEUE_PRIORITY_PRIORITY_LEVEL_MASK ||
        s->pipe_priority > TOTEM_PIPE_PRIORITY_CS_HIGH)
        return TOTEM_DRIVER_ARGUMENT;
    if (!exists(m, pipe, slot))
        return TOTEM_DRIVER_ABSENT;
    *q = (totem_driver_queue){0};
    TRY(take(m, 4 * (size_t)dwords, &q->ring));
    if (take(m, STATE_BYTES, &q->state) != TOTEM_DRIVER_OK) {
        give_back(m, &q->ring);
        return TOTEM_DRIVER_MEMORY;
    }
    q->machine = m;
    q->pipe    = pipe;
    q->queue   = slot;
    q->window  = TOTEM_QUEUE(pipe, slot);
    q->dwords  = dwords;
    q->fence   = FIRST_FENCE - 1;
    describe_queue(q, s);
    flush(m, &q->state, 0, STATE_BYTES);
    return TOTEM_DRIVER_OK;
}

// Nothing of the queue is in flight: no wave, no write.
static bool quiet(const totem_driver_queue *q)
{
    uint32_t state = 0;
    return get(q->machine, q->window + TOTEM_QUEUE_STATE, &state) == TOTEM_DRIVER_OK &&
           TOTEM_FIELD(state, TOTEM_QUEUE_STATE_IDLE);
}

totem_driver_result totem_driver_destroy(totem_driver_queue *q)
{
    TRY(present(q->machine));
    if (q->mapped || !quiet(q))
        return TOTEM_DRIVER_STATE;
    give_back(q->machine, &q->ring);
    give_back(q->machine, &q->state);
    return TOTEM_DRIVER_OK;
}

totem_driver_result totem_driver_ring_kind(totem_driver_queue *ring, bool hp3d, uint32_t generation)
{
    const uint32_t page = TOTEM_GRAPHICS(ring->pipe - RING_PIPE);
    uint32_t       kind = 0;
    if (ring->pipe < RING_PIPE)
        return TOTEM_DRIVER_ABSENT;
    if (generation < 9 || generation > 11)
        return TOTEM_DRIVER_ARGUMENT;
    if (ring->mapped)
        return TOTEM_DRIVER_STATE;
    TRY(get(ring->machine, page + TOTEM_GRAPHICS_GRAPHICS, &kind));
    kind &= ~(BIT(TOTEM_GRAPHICS_GRAPHICS_HP3D) |
              TOTEM_PUT(TOTEM_GRAPHICS_GRAPHICS_GFX_GENERATION, TOTEM_GRAPHICS_GRAPHICS_GFX_GENERATION_MASK));
    return put(ring->machine, page + TOTEM_GRAPHICS_GRAPHICS,
               kind | TOTEM_PUT(TOTEM_GRAPHICS_GRAPHICS_HP3D, hp3d) |
                   TOTEM_PUT(TOTEM_GRAPHICS_GRAPHICS_GFX_GENERATION, generation - 9));
}

static totem_driver_result window_get(const totem_driver_queue *q, uint32_t offset, uint32_t *value)
{
    return get(q->machine, q->window + offset, value);
}

static totem_driver_result window_put(const totem_driver_queue *q, uint32_t offset, uint32_t value)
{
    return put(q->machine, q->window + offset, value);
}

totem_driver_result totem_driver_state(const totem_driver_queue *q, uint32_t *state)
{
    return window_get(q, TOTEM_QUEUE_STATE, state);
}

// ACTIVE has been written: waits until the MQD is read and older work has ended; else calls the mapping off.
static totem_driver_result mapped(totem_driver_queue *q)
{
    totem_driver_result result = TOTEM_DRIVER_OK;
    uint32_t            polls = 0, state = 0;
    for (;;) {
        TRY(totem_driver_state(q, &state));
        const uint32_t reason = TOTEM_FIELD(state, TOTEM_QUEUE_STATE_REASON);
        q->mapped             = TOTEM_FIELD(state, TOTEM_QUEUE_STATE_ACTIVE) != 0;
        if (reason == TOTEM_REASON_UNMAPPED)
            return result == TOTEM_DRIVER_OK ? TOTEM_DRIVER_REFUSED : result;
        if (reason != TOTEM_REASON_MAPPING && reason != TOTEM_REASON_RECORDS && reason != TOTEM_REASON_LEAVING)
            return present(q->machine);
        if (result != TOTEM_DRIVER_OK && q->mapped) // not while the window is read from the MQD
            TRY(window_put(q, TOTEM_QUEUE_CP_HQD_ACTIVE, 0));
        if (!expired(q->machine, &polls))
            continue;
        q->mapped = true; // until it is seen that it is not
        if (result != TOTEM_DRIVER_OK)
            return result;
        result = TOTEM_DRIVER_TIMEOUT;
        polls  = 0;
    }
}

totem_driver_result totem_driver_map(totem_driver_queue *q)
{
    const totem_driver *m = q->machine;
    if (q->mapped)
        return TOTEM_DRIVER_STATE;
    invalidate(m, &q->state, 0, 4 * TOTEM_MQD_DWORDS);
    const uint32_t bell = mqd(q)->cp_hqd_pq_doorbell_control;
    for (uint32_t n = 0; n < TOTEM_MQD_WINDOW_DWORDS; n++) {
        uint32_t value = *dword(&q->state, 4 * (size_t)(TOTEM_MQD_WINDOW + n));
        if (4 * n == TOTEM_QUEUE_CP_HQD_ACTIVE)
            value = 0;
        if (4 * n == TOTEM_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL)
            value &= ~BIT(TOTEM_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_EN);
        if (ask(m, q->window + 4 * n, value) != TOTEM_DRIVER_OK)
            return TOTEM_DRIVER_REFUSED;
    }
    TRY(window_put(q, TOTEM_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL, bell));
    TRY(window_put(q, TOTEM_QUEUE_CP_HQD_PQ_WPTR_LO, mqd(q)->cp_hqd_pq_wptr_lo));
    TRY(window_put(q, TOTEM_QUEUE_CP_HQD_EOP_RPTR, BIT(TOTEM_QUEUE_CP_HQD_EOP_RPTR_INIT_FETCHER)));
    TRY(ask(m, q->window + TOTEM_QUEUE_CP_HQD_ACTIVE, 1));
    return mapped(q);
}

totem_driver_result totem_driver_map_mqd(totem_driver_queue *q)
{
    if (q->mapped)
        return TOTEM_DRIVER_STATE;
    TRY(ask(q->machine, q->window + TOTEM_QUEUE_CP_MQD_BASE_ADDR_HI, (uint32_t)(q->state.device >> 32)));
    TRY(ask(q->machine, q->window + TOTEM_QUEUE_MAP, (uint32_t)q->state.device));
    return mapped(q);
}

totem_driver_result totem_driver_push(totem_driver_queue *q, const uint32_t *packets, uint32_t dwords)
{
    if (!dwords || dwords > q->dwords)
        return TOTEM_DRIVER_ARGUMENT;
    if (dwords > q->dwords - (q->written - q->read) && q->mapped) {
        uint32_t read = 0;
        TRY(window_get(q, TOTEM_QUEUE_RPTR, &read));
        if (q->written - read > q->dwords)
            return TOTEM_DRIVER_BUS;
        q->read = read;
    }
    if (dwords > q->dwords - (q->written - q->read))
        return TOTEM_DRIVER_FULL;
    for (uint32_t n = 0; n < dwords; n++, q->written++)
        *dword(&q->ring, 4 * (size_t)(q->written & (q->dwords - 1))) = packets[n];
    return TOTEM_DRIVER_OK;
}

totem_driver_result totem_driver_push_fence(totem_driver_queue *q, uint32_t *value)
{
    const uint64_t at        = q->state.device + FENCE;
    const uint32_t release[] = {TOTEM_PM4_TYPE3(TOTEM_OP_RELEASE_MEM, 7),
                                TOTEM_PUT(TOTEM_PM4_RELEASE_MEM_EVENT_TYPE, RELEASE_EVENT) |
                                    TOTEM_PUT(TOTEM_PM4_RELEASE_MEM_EVENT_INDEX, RELEASE_INDEX),
                                TOTEM_PUT(TOTEM_PM4_RELEASE_MEM_DATA_SEL, TOTEM_DATA_32_BITS) |
                                    TOTEM_PUT(TOTEM_PM4_RELEASE_MEM_INT_SEL, TOTEM_INT_INTERRUPT_AFTER_WRITE),
                                (uint32_t)at,
                                (uint32_t)(at >> 32),
                                q->fence + 1,
                                0,
                                q->fence + 1};
    TRY(totem_driver_push(q, release, sizeof release / sizeof *release));
    *value = ++q->fence;
    return TOTEM_DRIVER_OK;
}

static bool is_descriptor(uint64_t address)
{
    return address % 256 == 0 && address != 0 && address < ADDRESS_END;
}

totem_driver_result totem_driver_push_task(totem_driver_queue *q, uint64_t descriptor)
{
    const uint32_t launch[] = {TOTEM_PM4_TYPE3(TOTEM_OP_LAUNCH_TASK, 1), (uint32_t)(descriptor >> 8)};
    if (!is_descriptor(descriptor))
        return TOTEM_DRIVER_ARGUMENT;
    if (!q->machine->tasks || q->pipe >= RING_PIPE)
        return TOTEM_DRIVER_ABSENT;
    return totem_driver_push(q, launch, 2);
}

totem_driver_result totem_driver_doorbell(totem_driver_queue *q)
{
    const uint32_t first = q->announced & (q->dwords - 1), count = q->written - q->announced;
    const uint32_t early = count < q->dwords - first ? count : q->dwords - first; // in front of the end of the ring
    if (!q->mapped)
        return TOTEM_DRIVER_STATE;
    flush(q->machine, &q->ring, 4 * (size_t)first, 4 * (size_t)early);
    flush(q->machine, &q->ring, 0, 4 * (size_t)(count - early));
    TRY(ask(q->machine,
            q->pipe >= RING_PIPE ? TOTEM_RING_DOORBELL(q->pipe - RING_PIPE)
                                 : TOTEM_DOORBELL(TOTEM_QUEUE_INSTANCES * q->pipe + q->queue),
            q->written));
    q->announced = q->written;
    return TOTEM_DRIVER_OK;
}

totem_driver_result totem_driver_launch(totem_driver_queue *q, uint64_t descriptor)
{
    const totem_driver *m     = q->machine;
    const uint32_t      pipes = m->pipes / m->front_ends; // of a front end
    const uint32_t      page  = TOTEM_TASKS(q->pipe / pipes);
    if (!is_descriptor(descriptor))
        return TOTEM_DRIVER_ARGUMENT;
    if (!m->tasks || q->pipe >= RING_PIPE)
        return TOTEM_DRIVER_ABSENT;
    if (!q->mapped)
        return TOTEM_DRIVER_STATE;
    TRY(put(m, page + TOTEM_TASKS_TASK_POINTER, (uint32_t)(descriptor >> 8)));
    return ask(m, page + TOTEM_TASKS_TASK_LAUNCH,
               TOTEM_PUT(TOTEM_TASKS_TASK_LAUNCH_QUEUE, q->queue) |
                   TOTEM_PUT(TOTEM_TASKS_TASK_LAUNCH_PIPE, q->pipe % pipes));
}

totem_driver_result totem_driver_tasks_done(const totem_driver_queue *q, uint32_t *count)
{
    const totem_driver *m     = q->machine;
    const uint32_t      pipes = m->pipes / m->front_ends;
    const uint32_t      place = q->pipe % pipes * m->queues + q->queue; // of the queue in its front end
    if (!m->tasks || q->pipe >= RING_PIPE)
        return TOTEM_DRIVER_ABSENT;
    return get(m, TOTEM_TASKS(q->pipe / pipes) + TOTEM_TASKS_TASKS_DONE + 8 * place, count);
}

totem_driver_result totem_driver_wait(totem_driver_queue *q, uint32_t value)
{
    uint32_t polls = 0, state = 0;
    do {
        TRY(totem_driver_state(q, &state)); // before the fence, which may come just then
        invalidate(q->machine, &q->state, FENCE, sizeof(uint32_t));
        if (*dword(&q->state, FENCE) - value < 1u << 31)
            return TOTEM_DRIVER_OK;
        if (TOTEM_FIELD(state, TOTEM_QUEUE_STATE_HALTED))
            return TOTEM_DRIVER_HALTED;
        if (!q->mapped)
            return TOTEM_DRIVER_STATE;
    } while (!expired(q->machine, &polls));
    return TOTEM_DRIVER_TIMEOUT;
}

static totem_driver_result control(const totem_driver_queue *q, uint32_t bit)
{
    return q->mapped ? ask(q->machine, q->window + TOTEM_QUEUE_CONTROL, bit) : TOTEM_DRIVER_STATE;
}

totem_driver_result totem_driver_resume(totem_driver_queue *q)
{
    return control(q, BIT(TOTEM_QUEUE_CONTROL_RESUME));
}

totem_driver_result totem_driver_skip(totem_driver_queue *q)
{
    return control(q, BIT(TOTEM_QUEUE_CONTROL_SKIP));
}

totem_driver_result totem_driver_unmap(totem_driver_queue *q, uint32_t type)
{
    const totem_driver *m     = q->machine;
    uint32_t            polls = 0, request = 0, state = 0;
    bool                asked = false;
    if (type < TOTEM_DEQUEUE_DRAIN || type > TOTEM_DEQUEUE_LEAVE)
        return TOTEM_DRIVER_ARGUMENT;
    if (!q->mapped && type != TOTEM_DEQUEUE_RESET)
        return TOTEM_DRIVER_STATE;
    do {
        TRY(window_get(q, TOTEM_QUEUE_CP_HQD_DEQUEUE_REQUEST, &request));
        TRY(totem_driver_state(q, &state));
        const uint32_t pending = TOTEM_FIELD(request, TOTEM_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ);
        const bool     active  = TOTEM_FIELD(state, TOTEM_QUEUE_STATE_ACTIVE) != 0;
        const bool     reading = !active && TOTEM_FIELD(state, TOTEM_QUEUE_STATE_REASON) == TOTEM_REASON_MAPPING;
        // An earlier call may have asked.
        if (!pending && !active && !reading && (asked || (q->mapped && type != TOTEM_DEQUEUE_RESET))) {
            TRY(present(m));
            q->mapped = false;
            return TOTEM_DRIVER_OK;
        }
        asked = asked || pending == type;
        if (!asked && !reading) { // while the window is read from the MQD no request is taken
            TRY(ask(m, q->window + TOTEM_QUEUE_CP_HQD_DEQUEUE_REQUEST, type));
            asked = true;
        }
    } while (!expired(m, &polls));
    return TOTEM_DRIVER_TIMEOUT;
}

totem_driver_result totem_driver_discard(totem_driver_queue *q)
{
    totem_mqd_v9 *d = mqd(q);
    if (q->mapped || !quiet(q))
        return TOTEM_DRIVER_STATE;
    invalidate(q->machine, &q->state, 0, STATE_BYTES);
    d->cp_hqd_persistent_state &=
        ~(BIT(TOTEM_QUEUE_CP_HQD_PERSISTENT_STATE_PRELOAD_REQ) | BIT(TOTEM_QUEUE_CP_HQD_PERSISTENT_STATE_DISP_ACTIVE));
    d->cp_hqd_ib_control &= ~BIT(TOTEM_QUEUE_CP_HQD_IB_CONTROL_PROCESSING_IB);
    d->cp_hqd_pq_rptr = d->cp_hqd_pq_wptr_lo = q->written;
    q->read = q->announced   = q->written;
    *dword(&q->state, FENCE) = q->fence;
    flush(q->machine, &q->state, 0, STATE_BYTES);
    return TOTEM_DRIVER_OK;
}

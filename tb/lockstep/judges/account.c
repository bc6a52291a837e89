// SPDX-License-Identifier: Apache-2.0
//
// account: see account.h. Packets are cut by cmodel/tool/pm4_decode; what a dispatch means is read here from the rules
// of docs/queue.md, not from the model.

#include "account.h"

#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_hqd_values.h"
#include "../../../cmodel/tool/pm4_decode.h"
#include "address.h"
#include "ring.h"
#include "written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS         = TOTEM_PIPE_COUNT * TOTEM_QUEUES,
    QUEUES        = SLOTS + RINGS,
    PLACES        = QUEUES + PARKED,
    REGISTERS     = 128,
    WAVES_MOST    = 64,
    STATE_WORDS   = 11,
    SCRATCH_WORD  = 15,
    MQD_REGISTERS = 83 // dwords 1 to 83 of an MQD are the first compute registers
};

typedef struct {
    uint32_t start[3], end[3]; // groups, end exclusive
    uint32_t full[3], last[3]; // threads of a group in each dimension; of the last group there
    uint32_t size;             // threads of a wave
    uint64_t waves;            // of all groups
    uint64_t due;              // waves of the groups granted so far
    uint32_t vgprs, lds;       // blocks: of a wave, of a group
    uint64_t program;
    // State words {RSRC2, RSRC1}, {TMPRING_SIZE, RSRC3}, pairs of USER_DATA, and the bits that the stream has written;
    // the last one is the base of scratch memory, whose number is SCRATCH_WORD.
    uint64_t state[STATE_WORDS], given[STATE_WORDS];
    uint32_t state_count;
    bool     engines[4];
    uint64_t groups, granted;
    uint64_t launched, ended; // waves
    uint64_t gone;            // of those granted: given up by a dequeue request 2 before they ended
    bool    *taken;           // of each group: it is granted
    size_t   own, flushed;    // dispatches of its queue, from .. to, that a CS_PARTIAL_FLUSH before it waits for
    uint32_t invalidate;      // of a task
} dispatch;

#define UNKNOWN UINT64_MAX

// A RELEASE_MEM that writes data: when the write comes, all dispatches of its mapping given before it have ended.
typedef struct {
    uint64_t address;
    uint32_t data;
    size_t   own, before; // these dispatches, from .. to
    uint64_t draws;       // of a ring: draws before it, UNKNOWN
    bool     seen;
} release;

// A write pointer that the host has told, and when.
typedef struct {
    uint32_t pointer;
    uint64_t clock;
} announcement;

// Where a queue is that is read as it executes.
typedef struct {
    bool          on;
    uint64_t      base; // of the ring
    uint32_t      wrap; // its size - 1
    uint32_t      rptr;
    uint64_t      buffer; // next dword of the open indirect buffer
    uint32_t      left;   // dwords of it from there on, 0: none is open
    uint64_t      since;  // its dwords may be fetched from this clock on
    uint64_t      moved;  // operands of its packet may be read from this clock on
    bool          started, passing, polled;
    announcement *bells;
    size_t        bells_count, bells_room, bell; // the first one beyond the read pointer
} executing;

typedef struct {
    uint32_t  registers[REGISTERS];
    uint32_t  given[REGISTERS]; // all ones: the stream has written it
    dispatch *list;
    size_t    count, room;
    size_t    first;    // before it everything is granted
    size_t    complete; // before it every wave has ended
    size_t    own;      // dispatches before the present mapping: nothing of this one waits for them
    size_t    flushed;  // dispatches before the last CS_PARTIAL_FLUSH of the stream
    uint64_t  draws;    // of the stream, UNKNOWN
    bool      skipped;  // no group of the first dispatch is granted
    bool      passable; // it may be passed over
    release  *releases;
    size_t    releases_count, releases_room, releases_first; // before it all are seen
    executing run;
} queue_account;

// A granted group, until its last wave has ended. It holds its registers and LDS from the grant on.
typedef struct {
    bool           used;
    queue_account *queue; // NULL: a geometry or pixel wave, a group of its own
    int            kind;
    size_t         dispatch;
    int            place;     // slot of its queue
    uint32_t       mapping;   // of that slot
    bool           abandoned; // by a dequeue request 2 whose time-out has passed: nothing waits for it any more
    uint64_t       id;
    uint32_t       epoch, waves, launched, ended;
    uint64_t       program;
    uint32_t       vgprs, lds; // blocks: of a wave, of the group
    uint32_t       primitives; // of a geometry wave
    uint32_t       threads;    // of a pixel wave
} group_entry;

enum { GROUP, GEOMETRY, PIXELS };  // kinds of waves
enum { GROUPS = TOTEM_SLOTS + 8 }; // launched groups have a slot, a few more are on their way

typedef struct {
    int         slots[TOTEM_SLOTS]; // place in groups, -1: no wave
    group_entry groups[GROUPS];
    uint64_t    launched_at[TOTEM_SLOTS];
    uint32_t    waves, vgprs, lds;
    bool        asked; // in the clock before: a wave was on offer, and its state word 0 asked for
    uint8_t     asked_fe, asked_pipe, asked_kind, asked_buffer;
    uint64_t    words[TOTEM_FE_COUNT][192]; // state words as the ports write them: {pipe, buffer, word}
} engine;

struct account {
    queue_account queues[PLACES];
    queue_account tasks[PLACES]; // of each slot: its tasks as dispatches
    int           home[PLACES];  // of each slot, and of places outside: the queue account of the queue that is in it
    uint32_t
        counted[QUEUES]; // waves of each slot as its fence unit has to count them: granted, completion not yet told
    uint32_t      running[QUEUES]; // waves of each slot granted and not ended
    uint32_t      mapping[QUEUES]; // mappings of each slot so far
    bool          mapped[QUEUES];
    bool          killing[QUEUES];     // a dequeue request 2 of the slot is made and not answered
    uint32_t      left_behind[QUEUES]; // epochs of the waves that the last abandonment of the slot left
    uint32_t      programs[16];        // table of the engines
    uint32_t      die;                 // number of this die
    uint32_t      rsrc3;               // COMPUTE_PGM_RSRC3 - 0x200
    bool          timed;               // it is known
    uint64_t      begun[RINGS + 1];    // draws of each ring
    uint64_t      fenced[RINGS + 1];   // of these, before a fence that is written; looked at if no later one had begun
    uint64_t      drawn[RINGS + 1];    // waves of draws granted and not ended
    engine        engines[TOTEM_SE_COUNT];
    account_sums  sums;
    const memory *memory;  // of queues that are read as they execute; NULL: there are none
    written       reading; // of the packet that is read so
};

// Slots of the pipes, then a slot for each ring, then places of queues in no slot.
static int place_at(int pipe, int queue)
{
    if (PARKED && pipe >= PARKED_PIPE)
        return QUEUES + (pipe - PARKED_PIPE) * TOTEM_QUEUES + queue;
    return RINGS && pipe >= RING_PIPE ? SLOTS + pipe - RING_PIPE : pipe * TOTEM_QUEUES + queue;
}

static queue_account *of_slot(account *a, int pipe, int queue)
{
    return &a->queues[a->home[place_at(pipe, queue)]];
}

static int pipe_of(int place)
{
    if (place >= QUEUES)
        return PARKED_PIPE + (place - QUEUES) / TOTEM_QUEUES;
    return place >= SLOTS ? RING_PIPE + place - SLOTS : place / TOTEM_QUEUES;
}

static int queue_of(int place)
{
    if (place >= QUEUES)
        return (place - QUEUES) % TOTEM_QUEUES;
    return place >= SLOTS ? 0 : place % TOTEM_QUEUES;
}

account *account_create(void)
{
    account *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    account_options(a, 0, false);
    for (int q = 0; q < PLACES; q++)
        a->home[q] = q;
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        for (int n = 0; n < TOTEM_SLOTS; n++)
            a->engines[e].slots[n] = -1;
    for (int q = 0; q < PLACES; q++)
        account_remap(a, pipe_of(q), queue_of(q));
    return a;
}

void account_remap(account *a, int pipe, int queue)
{
    queue_account *q = of_slot(a, pipe, queue);
    q->own           = q->count;
    for (uint32_t r = 0; r < REGISTERS; r++) // COMPUTE_STATIC_THREAD_MGMT_SE0..3
        q->registers[r] = r == 0x16 || r == 0x17 || r == 0x19 || r == 0x1a ? 0xffffffffu : 0;
    memset(q->given, 0, sizeof q->given);
}

void account_destroy(account *a)
{
    if (!a)
        return;
    for (int q = 0; q < 2 * PLACES; q++) {
        queue_account *each = q < PLACES ? &a->queues[q] : &a->tasks[q - PLACES];
        for (size_t d = 0; d < each->count; d++)
            free(each->list[d].taken);
        free(each->list);
        free(each->releases);
        free(each->run.bells);
    }
    free(a);
}

static uint32_t waves_of(const dispatch *d, uint64_t threads)
{
    const uint64_t waves = (threads + d->size - 1) / d->size;
    return waves > UINT32_MAX ? UINT32_MAX : (uint32_t)waves;
}

// Threads of one group: in the last group of a dimension there may be fewer.
static uint32_t threads_of(const dispatch *d, const uint32_t id[3])
{
    uint32_t threads = 1;
    for (int k = 0; k < 3; k++)
        threads *= id[k] == d->end[k] - 1 ? d->last[k] : d->full[k];
    return threads;
}

static void group_id(uint64_t group, uint32_t id[3])
{
    id[0] = (uint32_t)group;
    id[1] = (uint32_t)(group >> 32 & 0xffff);
    id[2] = (uint32_t)(group >> 48);
}

// One more place at the end of the list; returns the list.
static dispatch *append(queue_account *q)
{
    if (q->count == q->room) {
        q->room          = q->room ? 2 * q->room : 16;
        dispatch *larger = realloc(q->list, q->room * sizeof *larger);
        if (!larger)
            abort();
        q->list = larger;
    }
    q->count++;
    return q->list;
}

// Of a grid that no run grants to its end nobody asks whether a group is granted twice.
static bool *taken_of(const dispatch *d)
{
    bool *taken = d->groups > 1u << 28 ? NULL : calloc(d->groups, sizeof *taken);
    if (!taken && d->groups <= 1u << 28)
        abort();
    return taken;
}

static bool add(account *a, queue_account *q, const uint32_t *body, char message[256])
{
    uint32_t *const r         = q->registers;
    const uint32_t  initiator = body[3];
    const bool      partial = initiator & 1u << 1, in_threads = initiator & 1u << 5;
    bool            uneven = false;
    dispatch        d      = {0};
    if (!(initiator & 1)) // COMPUTE_SHADER_EN
        return true;
    d.groups = 1;
    for (int k = 0; k < 3; k++) {
        d.full[k]  = r[7 + k] & 0xffff;
        d.last[k]  = partial ? r[7 + k] >> 16 : d.full[k];
        d.start[k] = initiator & 1u << 2 ? 0 : r[4 + k];
        d.end[k]   = body[k];
        if (in_threads && d.full[k]) { // groups that hold them all, and no more
            const uint32_t rest = body[k] % d.full[k];
            d.end[k]            = body[k] / d.full[k] + (rest != 0);
            if (rest && !partial) {
                d.last[k] = rest;
                uneven    = true;
            }
        }
        d.groups *= d.end[k] > d.start[k] ? d.end[k] - d.start[k] : 0;
    }
    for (int k = 0; uneven && k < 3; k++) // the dispatch writes what it trims
        r[7 + k] = d.last[k] << 16 | d.full[k];
    d.size               = initiator & 1u << 15 ? 32 : 64;
    d.program            = ((uint64_t)r[0xd] << 32 | r[0xc]) & 0xffffffffffu;
    d.vgprs              = (r[0x12] & 0x3f) + 1;
    d.lds                = r[0x13] >> 15 & 0x1ff;
    d.engines[0]         = r[0x16] != 0;
    d.engines[1]         = r[0x17] != 0;
    d.engines[2]         = r[0x19] != 0;
    d.engines[3]         = r[0x1a] != 0;
    const uint32_t users = r[0x13] >> 1 & 0x1f;
    for (uint32_t k = 0; k < STATE_WORDS; k++) {
        const uint32_t low  = k == 0                 ? 0x12
                              : k == 1               ? a->rsrc3
                              : k == STATE_WORDS - 1 ? 0x10
                                                     : 0x40 + 2 * k - 4,
                       high = k == 1 ? 0x18 : low + 1;
        d.state[k]          = (uint64_t)r[high] << 32 | r[low];
        d.given[k]          = (uint64_t)q->given[high] << 32 | q->given[low];
    }
    d.state_count = 2 + ((users < 16 ? users : 16) + 1) / 2;
    if (d.groups == 0)
        return true;
    const uint32_t largest = waves_of(&d, (uint64_t)d.full[0] * d.full[1] * d.full[2]);
    if (largest < 1 || largest > WAVES_MOST) {
        snprintf(message, 256, "account: a dispatch of %llu groups of %u waves is beyond what the account keeps",
                 (unsigned long long)d.groups, largest);
        return false;
    }
    for (unsigned edge = 0; edge < 8; edge++) { // bit k: the last group of dimension k
        uint64_t groups = 1, threads = 1;
        for (int k = 0; k < 3; k++) {
            groups *= edge >> k & 1 ? 1 : d.end[k] - d.start[k] - 1;
            threads *= edge >> k & 1 ? d.last[k] : d.full[k];
        }
        d.waves += groups * waves_of(&d, threads);
    }
    d.own                   = q->own;
    d.flushed               = q->flushed;
    d.taken                 = taken_of(&d);
    append(q)[q->count - 1] = d;
    a->sums.dispatches++;
    a->sums.groups += d.groups;
    a->sums.waves += d.waves;
    return true;
}

static void add_release(queue_account *q, uint64_t address, uint32_t data)
{
    if (q->releases_count == q->releases_room) {
        q->releases_room = q->releases_room ? 2 * q->releases_room : 16;
        release *larger  = realloc(q->releases, q->releases_room * sizeof *larger);
        if (!larger)
            abort();
        q->releases = larger;
    }
    q->releases[q->releases_count++] =
        (release){.address = address, .data = data, .own = q->own, .before = q->count, .draws = q->draws};
}

typedef struct {
    const memory *memory;
    written      *written;
    uint64_t      base;
    uint32_t      wrap; // ring: size - 1; indirect buffer: all ones
    uint32_t      from, dwords;
    executing    *run; // NULL: the stream is read in front of its execution
} source;

static uint32_t load(const source *s, uint64_t address)
{
    return written_read(s->written, s->memory, address);
}

// The clock from which on the dword of the ring at a running position may be fetched: the host has told it, and no
// buffer has ended or begun since.
static uint64_t told(executing *r, uint32_t position)
{
    while (r->bell < r->bells_count && (int32_t)(r->bells[r->bell].pointer - r->rptr) <= 0)
        r->bell++;
    size_t n = r->bell;
    while (n < r->bells_count && (int32_t)(r->bells[n].pointer - position) <= 0)
        n++;
    return n < r->bells_count && r->bells[n].clock > r->since ? r->bells[n].clock : r->since;
}

static uint32_t word(const source *s, uint32_t at)
{
    const uint64_t address = s->base + 4 * (uint64_t)((s->from + at) & s->wrap);
    if (s->run)
        return memory_seen(s->memory, address, s->run->left ? s->run->since : told(s->run, s->from + at));
    return load(s, address);
}

// Address in the first two body dwords of the packet at `at`.
static uint64_t operand(const source *s, uint32_t at)
{
    return packet_address(word(s, at + 1), word(s, at + 2));
}

static bool indirect_draw(uint32_t op)
{
    return op == TOTEM_OP_DRAW_INDIRECT || op == TOTEM_OP_DRAW_INDEX_INDIRECT || op == TOTEM_OP_DRAW_INDIRECT_MULTI ||
           op == TOTEM_OP_DRAW_INDEX_INDIRECT_MULTI;
}

static void set_register(queue_account *q, uint32_t offset, uint32_t value)
{
    if (offset < 0x200 || offset >= 0x200 + REGISTERS)
        return;
    q->registers[offset - 0x200] = value;
    q->given[offset - 0x200]     = ~0u;
}

// COPY_DATA and DMA_DATA: what the stream and memory tell of them.
static void copy(queue_account *q, const source *s, uint32_t at, uint32_t op)
{
    uint32_t w[7], value[2];
    for (uint32_t n = 0; n < 7; n++)
        w[n] = word(s, at + n);
    if (op == TOTEM_OP_DMA_DATA) {
        written_move(s->written, s->memory, w);
    } else if ((w[1] >> 8 & 15) == TOTEM_WRITE_DST_REGISTER) {
        const uint32_t count = written_copied(s->written, s->memory, w, value);
        for (uint32_t n = 0; n < count; n++)
            set_register(q, w[4] + n - TOTEM_WINDOW_SH_FIRST, value[n]);
    } else {
        written_copy(s->written, s->memory, w);
    }
}

// LOAD_SH_REG_INDEX
static void load_registers(queue_account *q, const source *s, uint32_t at)
{
    const uint32_t place = word(s, at + 3), count = word(s, at + 4) & 0x3fff;
    const bool     pairs = place >> 31 != 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint64_t from = operand(s, at) + (pairs ? 8 : 4) * (uint64_t)n;
        if (pairs)
            set_register(q, load(s, from) & 0xffff, load(s, from + 4));
        else
            set_register(q, (place & 0xffff) + n, load(s, from));
    }
}

static bool is_dispatch(uint32_t op)
{
    return op == TOTEM_OP_DISPATCH_DIRECT || op == TOTEM_OP_DISPATCH_INDIRECT;
}

static bool give(account *a, queue_account *q, const source *s, uint32_t at, uint32_t op, char message[256])
{
    uint32_t body[4];
    for (uint32_t n = 0; n < 4; n++)
        body[n] = op == TOTEM_OP_DISPATCH_DIRECT ? word(s, at + 1 + n)
                  : n < 3                        ? load(s, operand(s, at) + 4 * (uint64_t)n)
                                                 : word(s, at + 3);
    return add(a, q, body, message);
}

// What the packet at `at` does, but for dispatches and what leads elsewhere in the stream.
static void apply(queue_account *q, const source *s, uint32_t at, uint32_t op, uint32_t body)
{
    if (op == TOTEM_OP_SET_SH_REG || op == TOTEM_OP_SET_SH_REG_INDEX) {
        const uint32_t first = word(s, at + 1) & 0xffff;
        for (uint32_t n = 0; n + 1 < body; n++)
            set_register(q, first + n, word(s, at + 2 + n));
    } else if (op == TOTEM_OP_SET_SH_REG_PAIRS_PACKED || op == TOTEM_OP_SET_SH_REG_PAIRS_PACKED_N) {
        for (uint32_t n = 2; n <= body; n += 3) { // a dword of two offsets, then their values
            const uint32_t offsets = word(s, at + n);
            for (uint32_t k = 0; k < 2 && n + 1 + k <= body; k++)
                set_register(q, offsets >> 16 * k & 0xffff, word(s, at + n + 1 + k));
        }
    } else if (op == TOTEM_OP_COPY_DATA || op == TOTEM_OP_DMA_DATA) {
        copy(q, s, at, op);
    } else if (op == TOTEM_OP_LOAD_SH_REG_INDEX) {
        load_registers(q, s, at);
    } else if (op == TOTEM_OP_WRITE_DATA && (word(s, at + 1) >> 8 & 15) != TOTEM_WRITE_DST_REGISTER) {
        const uint32_t by = (word(s, at + 1) >> 16 & 1) != 0 ? 0 : 4;
        for (uint32_t n = 0; n + 3 < body; n++)
            written_write(s->written, operand(s, at + 1) + (uint64_t)by * n, word(s, at + 4 + n));
    } else if (op == TOTEM_OP_RELEASE_MEM && (word(s, at + 2) >> 29 == 1 || word(s, at + 2) >> 29 == 2)) {
        add_release(q, packet_address(word(s, at + 3), word(s, at + 4)), word(s, at + 5));
    } else if (op == TOTEM_OP_DRAW_INDEX_2 || op == TOTEM_OP_DRAW_INDEX_AUTO || op == TOTEM_OP_DRAW_INDEX_OFFSET_2) {
        const uint32_t count = op == TOTEM_OP_DRAW_INDEX_2 ? 4 : op == TOTEM_OP_DRAW_INDEX_AUTO ? 1 : 3;
        q->draws += q->draws != UNKNOWN && word(s, at + count) != 0;
    } else if (op == TOTEM_OP_NUM_INSTANCES ? word(s, at + 1) == 0 : indirect_draw(op)) {
        q->draws = UNKNOWN; // how many are begun is not in the stream
    } else if (op == TOTEM_OP_EVENT_WRITE && (word(s, at + 1) & 0x3f) == TOTEM_EVENT_CS_PARTIAL_FLUSH) {
        q->flushed = q->count;
    }
}

// Dwords behind the packet at `at` that it skips.
static uint32_t skipped_by(const account *a, const source *s, uint32_t at, uint32_t op)
{
    if (op == TOTEM_OP_PRED_EXEC)
        return (word(s, at + 1) >> 24 >> a->die & 1) != 0 ? 0 : word(s, at + 1) & 0x3fff;
    return op == TOTEM_OP_COND_EXEC && load(s, operand(s, at)) == 0 ? word(s, at + 4) & 0x3fff : 0;
}

static bool walk(account *a, queue_account *q, source s, bool nested, char message[256])
{
    for (uint32_t at = 0; at < s.dwords;) {
        const uint32_t header = word(&s, at), op = header >> 8 & 0xff;
        const uint32_t body = header == 0xffff1000u ? 0 : (header >> 16 & 0x3fff) + 1;
        if (header >> 30 == 2) {
            at++;
            continue;
        }
        if (header >> 30 != 3 || body >= s.dwords - at) {
            snprintf(message, 256, "account: no packet at dword %u of %s (0x%08x)", at,
                     nested ? "an indirect buffer" : "the ring", header);
            return false;
        }
        if (is_dispatch(op)) {
            if (!give(a, q, &s, at, op, message))
                return false;
        } else if (op == TOTEM_OP_COND_EXEC || op == TOTEM_OP_PRED_EXEC) {
            const uint32_t skipped = skipped_by(a, &s, at, op);
            if (skipped > s.dwords - at - 1 - body) {
                snprintf(message, 256, "account: %s at dword %u of %s skips %u dwords, past its end",
                         totem_pm4_opcode_name((uint8_t)op), at, nested ? "an indirect buffer" : "the ring", skipped);
                return false;
            }
            at += skipped;
        } else if (op == TOTEM_OP_INDIRECT_BUFFER) {
            const uint32_t control = word(&s, at + 3);
            const source   inner   = {
                    .memory  = s.memory,
                    .written = s.written,
                    .base    = operand(&s, at),
                    .wrap    = 0xffffffffu,
                    .dwords  = control & 0xfffff,
            };
            if (nested && control & 1u << 20) { // a chained buffer takes the place of this one
                s  = inner;
                at = 0;
                continue;
            }
            // A call inside a buffer halts the queue, and a SKIP passes it.
            if (!nested && !walk(a, q, inner, true, message))
                return false;
        } else {
            apply(q, &s, at, op, body);
        }
        at += 1 + body;
    }
    return true;
}

bool account_stream(account *a, int pipe, int queue, const memory *m, uint64_t base, uint32_t size, uint32_t from,
                    uint32_t dwords, char message[256])
{
    written      own = {0};
    const source s   = {.memory = m, .written = &own, .base = base, .wrap = size - 1, .from = from, .dwords = dwords};
    return walk(a, of_slot(a, pipe, queue), s, false, message);
}

static void drop_first(account *a, queue_account *q)
{
    dispatch *d = &q->list[q->first++];
    a->sums.waves -= d->waves - d->due;
    a->sums.groups -= d->groups - d->granted;
    d->waves  = d->due;
    d->groups = d->granted;
}

// ---- Queues that are read as they execute

int account_find(const account *a, uint64_t ring)
{
    for (int n = 0; n < PLACES; n++)
        if ((n < SLOTS || n >= QUEUES) && a->queues[a->home[n]].run.on && a->queues[a->home[n]].run.base == ring)
            return pipe_of(n) * TOTEM_QUEUES + queue_of(n);
    return -1;
}

int account_unused(const account *a)
{
    for (int n = 0; n < PLACES; n++)
        if ((n < SLOTS ? !a->mapped[n] : n >= QUEUES) && !a->queues[a->home[n]].run.on && !a->queues[a->home[n]].count)
            return pipe_of(n) * TOTEM_QUEUES + queue_of(n);
    return -1;
}

void account_execute(account *a, int pipe, int queue, const memory *m, uint64_t ring, uint32_t size, uint64_t clock)
{
    executing *r         = &of_slot(a, pipe, queue)->run;
    a->memory            = m;
    a->reading.executing = true;
    r->on                = true;
    r->base              = ring;
    r->wrap              = size - 1;
    r->since = r->moved = clock;
    r->passing          = false;
}

void account_position(account *a, int pipe, int queue, uint32_t rptr, bool polled)
{
    executing *r = &of_slot(a, pipe, queue)->run;
    r->rptr      = rptr;
    r->left      = 0;
    r->bell = r->bells_count = 0;
    r->polled                = polled;
}

void account_polled(account *a)
{
    for (int n = 0; n < PLACES; n++)
        a->queues[n].run.polled = true;
}

void account_buffer_lost(account *a, int pipe, int queue)
{
    of_slot(a, pipe, queue)->run.left = 0;
}

void account_registers(account *a, int pipe, int queue, uint64_t mqd)
{
    queue_account *q = of_slot(a, pipe, queue);
    for (uint32_t n = 0; n < MQD_REGISTERS; n++) {
        q->registers[n] = memory_read32(a->memory, mqd + 4 + 4 * (uint64_t)n);
        q->given[n]     = ~0u;
    }
}

void account_announce(account *a, int pipe, int queue, uint32_t pointer, uint64_t clock)
{
    executing *r = &of_slot(a, pipe, queue)->run;
    if (!r->on)
        return;
    if (r->bells_count == r->bells_room) {
        r->bells_room        = r->bells_room ? 2 * r->bells_room : 16;
        announcement *larger = realloc(r->bells, r->bells_room * sizeof *larger);
        if (!larger)
            abort();
        r->bells = larger;
    }
    r->bells[r->bells_count++] = (announcement){pointer, clock};
}

void account_refused(account *a, int pipe, int queue)
{
    executing *r = &of_slot(a, pipe, queue)->run;
    if (r->on && r->bells_count)
        r->bells_count--;
    if (r->bell > r->bells_count)
        r->bell = r->bells_count;
}

void account_pass(account *a, int pipe, int queue, bool pass)
{
    of_slot(a, pipe, queue)->run.passing = pass;
}

static uint32_t written_to(const executing *r)
{
    return r->bells_count ? r->bells[r->bells_count - 1].pointer : r->rptr;
}

bool account_behind(const account *a, int pipe, int queue, char message[256])
{
    const int            place = place_at(pipe, queue);
    const queue_account *q     = &a->queues[a->home[place]];
    const executing     *r     = &q->run;
    if (!r->on || !a->mapped[place])
        return false;
    for (size_t n = q->releases_first; n < q->releases_count; n++)
        if (!q->releases[n].seen) {
            snprintf(message, 256, "pipe %d queue %d: fence 0x%x at 0x%llx was not written behind all before it", pipe,
                     queue, q->releases[n].data, (unsigned long long)q->releases[n].address);
            return true;
        }
    if (r->left || (!r->polled && r->rptr != written_to(r))) {
        snprintf(message, 256,
                 "pipe %d queue %d: it has executed its ring to dword %u of %u, of an open buffer %u left", pipe, queue,
                 r->rptr, written_to(r), r->left);
        return true;
    }
    return false;
}

// What a pipe shows of its packets in a clock.
typedef struct {
    bool     start, commit, executed;
    uint32_t count;
    uint8_t  opcode;
    int      queue;
} progress;

static bool astray(char message[256], uint64_t clock, int place, const source *s, const char *what)
{
    const unsigned long long at = s->base + 4 * (uint64_t)(s->from & s->wrap);
    snprintf(message, 256, "clock %llu: pipe %d queue %d at 0x%010llx (0x%08x): %s", (unsigned long long)clock,
             pipe_of(place), queue_of(place), at, word(s, 0), what);
    return false;
}

static source stream_of(account *a, queue_account *q)
{
    executing *r     = &q->run;
    a->reading.since = r->moved;
    return r->left ? (source){.memory = a->memory, .written = &a->reading, .base = r->buffer, .wrap = ~0u, .run = r}
                   : (source){.memory  = a->memory,
                              .written = &a->reading,
                              .base    = r->base,
                              .wrap    = r->wrap,
                              .from    = r->rptr,
                              .run     = r};
}

// A dispatch starts afresh: it is that at which the queue is.
static bool starts(account *a, int place, uint64_t clock, char message[256])
{
    queue_account *q  = &a->queues[a->home[place]];
    const source   s  = stream_of(a, q);
    const uint32_t op = word(&s, 0) >> 8 & 0xff;
    if (word(&s, 0) >> 30 != 3 || !is_dispatch(op))
        return astray(message, clock, place, &s, "a dispatch starts, and this packet is none");
    if (q->run.started && q->first != q->count) {
        if (q->list[q->first].granted)
            return astray(message, clock, place, &s, "its dispatch starts again, and some groups are granted");
        drop_first(a, q);
    }
    const size_t before = q->count;
    if (!give(a, q, &s, 0, op, message))
        return false;
    q->run.started = q->count != before;
    return true;
}

// Of a packet of a ring that opens a group of packets: the group is passed or executed with it.
static bool bounces(int place, uint32_t op)
{
    return place >= SLOTS && op == TOTEM_OP_CONTEXT_BOUNCE;
}

// Dwords of a packet that a SKIP passes: where the next one begins behind what is none is not known.
static uint32_t passed_over(int place, const source *s, uint32_t header, uint32_t body, uint32_t count)
{
    const uint8_t  op     = (uint8_t)(header >> 8);
    const uint32_t length = header >> 30 == 3 && totem_pm4_opcode_name(op) ? 1 + body : 1;
    const uint32_t group  = bounces(place, op) ? word(s, 1) & 0x3fff : 0;
    return count == length + group ? count : length;
}

static bool moves(account *a, int place, const progress *p, uint64_t clock, char message[256])
{
    queue_account *q      = &a->queues[a->home[place]];
    executing     *r      = &q->run;
    source         s      = stream_of(a, q);
    const uint32_t header = word(&s, 0), op = header >> 8 & 0xff;
    const uint32_t body   = header >> 30 != 3 || header == 0xffff1000u ? 0 : (header >> 16 & 0x3fff) + 1;
    uint32_t       length = 1 + body;
    const bool     list   = TOTEM_RUNLIST != 0 && op == TOTEM_OP_RUN_LIST;
    const bool     calls  = op == TOTEM_OP_INDIRECT_BUFFER || (list && !r->left);
    const bool     opens  = p->executed && header >> 30 == 3 && calls;
    if (!p->executed && !r->passing)
        return astray(message, clock, place, &s, "passed over, and nobody skips it");
    if (p->executed && header >> 30 == 3 && p->opcode != op && !bounces(place, op))
        return astray(message, clock, place, &s, "another packet than this one was executed");
    if (!p->executed) {
        length = passed_over(place, &s, header, body, p->count);
    } else if (is_dispatch(op)) {
        const size_t before = q->count;
        if (!r->started && !give(a, q, &s, 0, op, message))
            return false;
        if (!(word(&s, op == TOTEM_OP_DISPATCH_DIRECT ? 4 : 3) & 1) && a->sums.disabled++ == 0) {
            a->sums.disabled_pipe  = pipe_of(place);
            a->sums.disabled_queue = queue_of(place);
            a->sums.disabled_op    = (uint8_t)op;
            a->sums.disabled_at    = s.base + 4 * (uint64_t)(s.from & s.wrap);
        }
        if (q->count != before || (r->started && q->first != q->count))
            return astray(message, clock, place, &s, "this dispatch was passed before all of it was granted");
    } else if (op == TOTEM_OP_COND_EXEC || op == TOTEM_OP_PRED_EXEC) {
        length += skipped_by(a, &s, 0, op);
    } else if (bounces(place, op) && p->count == length + (word(&s, 1) & 0x3fff)) {
        length = p->count;
    } else if (list && r->left) {
        length = r->left; // it ends the list
    } else if (header >> 30 == 3 && !opens) {
        apply(q, &s, 0, op, body);
    }
    if (p->count != length)
        return astray(message, clock, place, &s, "the queue goes on at another dword than behind this packet");
    if (r->left ? length > r->left : !r->polled && (int32_t)(written_to(r) - r->rptr - length) < 0)
        return astray(message, clock, place, &s, "this packet reaches past what is written");
    const uint64_t buffer = opens ? operand(&s, 0) : 0;
    const uint32_t left   = opens ? word(&s, 3) & 0xfffff : 0;
    r->started = r->passing = false;
    r->moved                = clock;
    if (r->left) {
        r->buffer += 4 * (uint64_t)length;
        r->left -= length;
        r->since = r->left ? r->since : clock;
    } else {
        r->rptr += length;
    }
    if (opens) {
        r->buffer = buffer;
        r->left   = left;
        r->since  = clock;
    }
    return true;
}

static bool goes_on(account *a, int place, const progress *p, uint64_t clock, char message[256])
{
    if (!a->queues[a->home[place]].run.on)
        return true;
    return (!p->start || starts(a, place, clock, message)) && (!p->commit || moves(a, place, p, clock, message));
}

#define PROGRESS(x)                                                                                  \
    {                                                                                                \
        .start = (x)->start && !(x)->start_resume, .commit = (x)->commit, .executed = (x)->executed, \
        .count = (x)->commit_count, .opcode = (x)->executed_opcode, .queue = (x)->dispatch_queue,    \
    }

static bool go_on(account *a, const totem_machine_out *out, uint64_t clock, char message[256])
{
    for (int pipe = 0; pipe < TOTEM_PIPE_COUNT; pipe++) {
        const totem_execute_out *x = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.execute;
        const progress           p = PROGRESS(x);
        if ((p.start || p.commit) && !goes_on(a, pipe * TOTEM_QUEUES + p.queue, &p, clock, message))
            return false;
    }
#if TOTEM_GRAPHICS
    for (int f = 0; f < RINGS; f++) {
        const totem_graphics_execute_out *x = &out->fe[f].graphics_pipe.front.execute;
        const progress                    p = PROGRESS(x);
        if ((p.start || p.commit) && !goes_on(a, SLOTS + f, &p, clock, message))
            return false;
    }
#endif
    return true;
}

size_t account_task(account *a, int pipe, int queue, const uint32_t registers[128], const uint32_t body[4],
                    uint32_t invalidate, char message[256])
{
    queue_account *q = &a->tasks[a->home[place_at(pipe, queue)]];
    memcpy(q->registers, registers, sizeof q->registers);
    memset(q->given, 0xff, sizeof q->given);
    if (!add(a, q, body, message))
        return SIZE_MAX;
    q->list[q->count - 1].invalidate = invalidate;
    return q->count - 1;
}

bool account_task_open(const account *a, int pipe, int queue)
{
    const queue_account *q = &a->tasks[a->home[place_at(pipe, queue)]];
    return q->first != q->count;
}

void account_task_cut(account *a, int pipe, int queue)
{
    queue_account *q = &a->tasks[a->home[place_at(pipe, queue)]];
    if (q->first != q->count)
        drop_first(a, q);
}

bool account_task_ended(const account *a, int pipe, int queue, size_t number)
{
    const dispatch *d = &a->tasks[a->home[place_at(pipe, queue)]].list[number];
    return d->granted == d->groups && d->ended + d->gone == d->waves;
}

void account_move(account *a, int pipe, int queue, int to_pipe, int to_queue)
{
    int      *from = &a->home[place_at(pipe, queue)], *to = &a->home[place_at(to_pipe, to_queue)];
    const int other = *to;
    *to             = *from;
    *from           = other;
}

void account_skip(account *a, int pipe, int queue, account_wish wish)
{
    queue_account *q = of_slot(a, pipe, queue);
    q->passable      = wish == ACCOUNT_SKIPPED || (wish == ACCOUNT_LEFT && q->passable);
    q->skipped       = wish == ACCOUNT_SKIPPED;
}

void account_cut(account *a, int pipe, int queue)
{
    queue_account *q = of_slot(a, pipe, queue);
    if (q->first != q->count)
        drop_first(a, q);
}

#if TOTEM_GRAPHICS
void account_resume(account *a, int pipe, uint32_t fence)
{
    queue_account *q            = of_slot(a, pipe, 0);
    a->fenced[pipe - RING_PIPE] = 0;
    q->draws                    = UNKNOWN; // which of them are of this mapping
    q->own                      = q->first;
    for (size_t n = 0; n < q->releases_count; n++)
        if (!q->releases[n].seen && q->releases[n].data > fence) {
            q->releases[n].own   = q->own;
            q->releases[n].draws = UNKNOWN;
        }
    for (size_t n = q->first; n < q->count; n++)
        q->list[n].own = q->own;
}
#endif

void account_drop(account *a, int pipe, int queue)
{
    queue_account *q = of_slot(a, pipe, queue);
    while (q->first != q->count)
        drop_first(a, q);
    q->skipped = q->passable = false;
    q->flushed               = 0; // nobody knows which of its flushes were executed
    if (pipe >= RING_PIPE) {
        q->draws                    = UNKNOWN; // draws of an earlier mapping may go on
        a->fenced[pipe - RING_PIPE] = 0;
    }
}

bool account_begun(account *a, int pipe, int queue)
{
    const queue_account *q = of_slot(a, pipe, queue);
    return q->first != q->count && q->list[q->first].granted != 0;
}

static bool grid_of(const queue_account *q, uint64_t *granted, uint64_t *groups)
{
    if (q->first == q->count)
        return false;
    *granted = q->list[q->first].granted;
    *groups  = q->list[q->first].groups;
    return true;
}

bool account_grid(account *a, int pipe, int queue, uint64_t *granted, uint64_t *groups)
{
    return grid_of(of_slot(a, pipe, queue), granted, groups);
}

bool account_task_grid(const account *a, int pipe, int queue, uint64_t *granted, uint64_t *groups)
{
    return grid_of(&a->tasks[a->home[place_at(pipe, queue)]], granted, groups);
}

void account_restart(account *a, int pipe, int queue)
{
    queue_account *q = of_slot(a, pipe, queue);
    if (q->run.on) { // it is read again when it starts
        if (q->run.started && q->first != q->count)
            drop_first(a, q);
        q->run.started = false;
    }
    if (q->run.on || q->first == q->count)
        return;
    dispatch d = q->list[q->first];
    d.due = d.granted = d.launched = d.ended = d.gone = 0;
    d.taken                                           = taken_of(&d);
    drop_first(a, q);
    dispatch *list = append(q);
    memmove(&list[q->first + 1], &list[q->first], (q->count - 1 - q->first) * sizeof *list);
    list[q->first] = d;
    for (size_t n = q->first + 1; n < q->count; n++) {
        list[n].flushed += list[n].flushed >= q->first;
        list[n].own += list[n].own > q->first;
    }
    for (size_t n = 0; n < q->releases_count; n++) {
        q->releases[n].before += q->releases[n].before >= q->first && !q->releases[n].seen;
        q->releases[n].own += q->releases[n].own > q->first && !q->releases[n].seen;
    }
    q->flushed += q->flushed >= q->first;
    q->own += q->own > q->first;
    a->sums.dispatches++;
    a->sums.groups += d.groups;
    a->sums.waves += d.waves;
}

void account_options(account *a, uint32_t die, bool rsrc3_gfx9)
{
    a->die   = die;
    a->rsrc3 = rsrc3_gfx9 ? 0x2d : 0x28;
}

void account_program(account *a, uint32_t entry, uint32_t duration)
{
    a->programs[entry & 15] = duration;
    a->timed                = true;
}

void account_kill(account *a, int pipe, int queue, bool begins)
{
    a->killing[place_at(pipe, queue)] = begins;
}

uint32_t account_mapping(const account *a, int pipe, int queue)
{
    return a->mapping[place_at(pipe, queue)];
}

uint32_t account_left_behind(const account *a, int pipe, int queue)
{
    return a->left_behind[place_at(pipe, queue)];
}

uint32_t account_running(const account *a, int pipe, int queue, bool all)
{
    const int place = place_at(pipe, queue);
    uint32_t  waves = 0;
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        for (int k = 0; k < GROUPS; k++) {
            const group_entry *g = &a->engines[e].groups[k];
            if (g->used && g->place == place && !g->abandoned && (all || g->mapping == a->mapping[place]))
                waves += g->waves - g->ended;
        }
    return waves;
}

static bool broken(char message[256], uint64_t clock, int e, int place, uint64_t group, const char *what)
{
    uint32_t id[3];
    group_id(group, id);
    snprintf(message, 256, "clock %llu: engine %d, pipe %d queue %d, group (%u, %u, %u): %s", (unsigned long long)clock,
             e, pipe_of(place), queue_of(place), id[0], id[1], id[2], what);
    return false;
}

static bool all_ended(const dispatch *d)
{
    return d->ended + d->gone == d->waves && d->granted == d->groups;
}

// The first of the queue's dispatches own .. before - 1 of which some wave has not ended; `before` or more: none.
static size_t first_running(queue_account *q, size_t own, size_t before)
{
    while (q->complete < q->count && all_ended(&q->list[q->complete]))
        q->complete++;
    size_t n = own > q->complete ? own : q->complete;
    while (n < before && all_ended(&q->list[n]))
        n++;
    return n;
}

// What is granted has its resources from now on.
static bool hold(account *a, const totem_issue_out *g, int e, group_entry entry, uint64_t clock, char message[256])
{
    engine *s = &a->engines[e];
    int     n = 0;
    while (n < GROUPS && s->groups[n].used)
        n++;
    s->waves += entry.waves;
    s->vgprs += entry.waves * entry.vgprs;
    s->lds += entry.lds;
    if (n == GROUPS || s->waves > TOTEM_SLOTS || s->vgprs > TOTEM_VGPRS || s->lds > TOTEM_LDS)
        return broken(message, clock, e, entry.place, g->grant_group,
                      "the engine now holds more waves, registers or LDS than it has");
    entry.used    = true;
    entry.mapping = a->mapping[entry.place];
    entry.id      = g->grant_group;
    entry.epoch   = g->grant_epoch;
    entry.program = g->grant_program;
    s->groups[n]  = entry;
    a->running[entry.place] += entry.waves;
    return true;
}

static bool grant_drawn(account *a, const totem_issue_out *g, int e, uint64_t clock, char message[256])
{
    const group_entry entry = {.place      = place_at(ring_pipe(g->grant_fe, g->grant_pipe), g->grant_queue),
                               .kind       = g->grant_kind,
                               .waves      = 1,
                               .vgprs      = g->grant_vgprs,
                               .lds        = g->grant_lds,
                               .primitives = g->grant_primitives,
                               .threads    = g->grant_threads};
    const int         ring  = entry.place - SLOTS;
    a->drawn[ring]++;
    if (a->begun[ring] && a->begun[ring] <= a->fenced[ring])
        return broken(message, clock, e, entry.place, g->grant_group, "granted behind the fence of its draw");
    return hold(a, g, e, entry, clock, message);
}

// A queue works at one dispatch at a time: a group that is granted belongs to the first of its queue that still has
// one.
static bool grant(account *a, const totem_issue_out *g, int e, bool task, uint64_t clock, char message[256])
{
    const int      place = place_at(ring_pipe(g->grant_fe, g->grant_pipe), g->grant_queue);
    queue_account *q     = task ? &a->tasks[a->home[place]] : &a->queues[a->home[place]];
    if (q->first == q->count)
        return broken(message, clock, e, place, g->grant_group, "granted, but no dispatch of this queue wants it now");
    if (q->skipped)
        return broken(message, clock, e, place, g->grant_group, "granted, but its dispatch is to be skipped");
    dispatch *d = &q->list[q->first];
    uint32_t  id[3];
    uint64_t  at = 0;
    group_id(g->grant_group, id);
    for (int k = 2; k >= 0; k--) {
        if (id[k] < d->start[k] || id[k] >= d->end[k])
            return broken(message, clock, e, place, g->grant_group,
                          "granted, but not in the grid that this queue is at");
        at = at * (d->end[k] - d->start[k]) + (id[k] - d->start[k]);
    }
    if (d->granted == 0 && first_running(q, d->own, d->flushed) < d->flushed)
        return broken(message, clock, e, place, g->grant_group,
                      "granted, but a flush before it waits for waves that have not ended");
    if (d->taken && d->taken[at])
        return broken(message, clock, e, place, g->grant_group, "granted twice");
    if (!d->engines[e])
        return broken(message, clock, e, place, g->grant_group, "the dispatch excludes this engine");
    const uint32_t waves = waves_of(d, threads_of(d, id));
    if (g->grant_program != d->program || g->grant_waves != waves || g->grant_wave32 != (d->size == 32) ||
        g->grant_vgprs != d->vgprs || g->grant_lds != d->lds)
        return broken(message, clock, e, place, g->grant_group,
                      "wrong shape (program, waves, wave size, registers or LDS)");
    const group_entry entry = {
        .queue = q, .dispatch = q->first, .place = place, .waves = waves, .vgprs = d->vgprs, .lds = d->lds};
    if (!hold(a, g, e, entry, clock, message))
        return false;
    if (d->taken)
        d->taken[at] = true;
    d->due += waves;
    if (++d->granted == d->groups)
        q->first++;
    a->counted[place] += waves;
    return true;
}

static int place_of(const totem_launch_out *l)
{
    return place_at(ring_pipe(l->launch_fe, l->launch_pipe), l->launch_queue);
}

// Waves of two draws may have the same number: then the shape tells one from the other, or nothing does.
static bool same_drawn(const group_entry *g, const totem_launch_out *l)
{
    return l->launch_index == 0 && l->launch_waves == 1 && l->launch_program == g->program &&
           l->launch_vgprs == g->vgprs && l->launch_lds == g->lds && l->launch_primitives == g->primitives &&
           l->launch_threads == g->threads;
}

// The granted group that the wave on offer is of; GROUPS: none.
static int group_of(const engine *s, const totem_launch_out *l)
{
    const int place = place_of(l);
    int       n     = 0;
    while (n < GROUPS &&
           !(s->groups[n].used && s->groups[n].place == place && s->groups[n].id == l->launch_group &&
             s->groups[n].kind == l->launch_kind && s->groups[n].epoch == l->launch_epoch &&
             s->groups[n].launched < s->groups[n].waves && (s->groups[n].queue || same_drawn(&s->groups[n], l))))
        n++;
    return n;
}

// The state word asked for in the clock before is sure while a wave with the same state is still on offer
// (docs/engine.md).
static bool state_word(account *a, const totem_machine_out *out, int e, uint64_t clock, char message[256])
{
    const totem_launch_out *l = &out->se[e].launch;
    engine                 *s = &a->engines[e];
    const bool sure = s->asked && l->launch_valid && s->asked_fe == l->launch_fe && s->asked_pipe == l->launch_pipe &&
                      s->asked_kind == l->launch_kind && s->asked_buffer == l->launch_buffer;
    s->asked        = l->launch_valid && out->wave[e].state_index == 0;
    s->asked_fe     = l->launch_fe;
    s->asked_pipe   = l->launch_pipe;
    s->asked_kind   = l->launch_kind;
    s->asked_buffer = l->launch_buffer;
    const int n     = sure ? group_of(s, l) : GROUPS;
    if (n == GROUPS || !s->groups[n].queue ||
        out->se[e].word_pick.word == s->groups[n].queue->list[s->groups[n].dispatch].state[0])
        return true;
    return broken(message, clock, e, place_of(l), l->launch_group,
                  "the state word of its wave is not that of its dispatch");
}

static bool launch(account *a, const totem_launch_out *l, int e, uint64_t clock, char message[256])
{
    const int place = place_of(l);
    engine   *s     = &a->engines[e];
    const int n     = group_of(s, l);
    if (n == GROUPS)
        return broken(message, clock, e, place, l->launch_group,
                      "a wave of no group that is granted and waits for one");
    if (s->slots[l->launch_slot] >= 0)
        return broken(message, clock, e, place, l->launch_group, "its wave slot is taken");
    group_entry *g                 = &s->groups[n];
    s->slots[l->launch_slot]       = n;
    s->launched_at[l->launch_slot] = clock;
    a->sums.launched++;
    if (!g->queue) {
        g->launched++;
        return true;
    }
    dispatch *d = &g->queue->list[g->dispatch];
    uint32_t  id[3];
    group_id(l->launch_group, id);
    const uint32_t last    = threads_of(d, id) - (g->waves - 1) * d->size;
    const uint32_t threads = l->launch_index + 1u == g->waves ? last : d->size;
    if (l->launch_index != g->launched || l->launch_program != d->program || l->launch_waves != g->waves ||
        l->launch_threads != threads || l->launch_wave32 != (d->size == 32) || l->launch_vgprs != d->vgprs ||
        l->launch_lds != d->lds)
        return broken(message, clock, e, place, l->launch_group,
                      "wave of wrong shape (index, program, waves, threads, wave size, registers or LDS)");
    if (l->launch_invalidate != (l->launch_state_new ? d->invalidate : 0))
        return broken(message, clock, e, place, l->launch_group, "wave with other INVALIDATE bits than its task");
    for (uint32_t k = 0; k < STATE_WORDS; k++) {
        const bool     scratch = k == STATE_WORDS - 1;
        const uint32_t at      = 64u * l->launch_pipe + 32u * l->launch_buffer + (scratch ? SCRATCH_WORD : k);
        if ((scratch ? (d->state[0] & d->given[0]) >> 32 & 1 : k < d->state_count) &&
            ((s->words[l->launch_fe][at] ^ d->state[k]) & d->given[k]) != 0)
            return broken(
                message, clock, e, place, l->launch_group,
                "a state word of its wave (resources, user data, scratch) is not what the stream has written");
    }
    g->launched++;
    d->launched++;
    return true;
}

// A wave ends when its time has come, or by a kill that names it, if it hears one.
static bool in_time(const account *a, const group_entry *g, uint64_t launched, uint64_t program, uint64_t clock)
{
    const uint32_t word = a->programs[program & 15], duration = word & 0x3fffffff;
    const bool     endless = word >> 30 & 1, deaf = word >> 31;
    const bool     named =
        g->abandoned || (a->killing[g->place] && (!a->mapped[g->place] || g->mapping == a->mapping[g->place]));
    return !a->timed || (!endless && clock > launched + duration) || (named && !deaf);
}

static bool done(account *a, const totem_wave_out *w, int e, uint64_t clock, char message[256])
{
    engine *s = &a->engines[e];
    if (s->slots[w->done_slot] < 0) {
        snprintf(message, 256, "clock %llu: engine %d: slot %u is done but holds no wave", (unsigned long long)clock, e,
                 w->done_slot);
        return false;
    }
    group_entry *g = &s->groups[s->slots[w->done_slot]];
    if (!in_time(a, g, s->launched_at[w->done_slot], g->program, clock))
        return broken(message, clock, e, g->place, g->id, "a wave of it ends before its time, and no kill names it");
    s->slots[w->done_slot] = -1;
    s->waves--;
    s->vgprs -= g->vgprs;
    if (!g->queue)
        a->drawn[g->place - SLOTS]--;
    else
        g->queue->list[g->dispatch].ended += !g->abandoned;
    a->running[g->place]--;
    a->sums.ended++;
    if (++g->ended == g->waves) {
        s->lds -= g->lds;
        g->used = false;
    }
    return true;
}

// The pipes count what the account counts, in every clock.
static bool same_counts(const account *a, const totem_machine_out *out, uint64_t clock, char message[256])
{
    for (int n = 0; n < SLOTS; n++) {
        const int              pipe = n / TOTEM_QUEUES, queue = n % TOTEM_QUEUES;
        const totem_front_out *p    = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front;
        const unsigned         has  = p->flight.waves[queue];
        const bool             idle = p->slot_idle.idle[queue];
        if (has == a->counted[n] && !(idle && a->running[n]))
            continue;
        snprintf(message, 256,
                 "clock %llu: pipe %d queue %d: %u waves in flight, the account has %u, %u of them not ended%s",
                 (unsigned long long)clock, pipe, queue, has, a->counted[n], a->running[n],
                 idle ? "; its slot is idle" : "");
        return false;
    }
    return true;
}

// An active slot's request names the waves of its mapping, else all of the slot.
static void abandon(account *a, int n)
{
    a->left_behind[n] = 0;
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        for (int k = 0; k < GROUPS; k++) {
            group_entry *g = &a->engines[e].groups[k];
            if (!g->used || g->place != n || (a->mapped[n] && g->mapping != a->mapping[n]))
                continue;
            a->left_behind[n] |= 1u << g->epoch;
            if (g->abandoned)
                continue;
            g->abandoned = true;
            if (g->queue)
                g->queue->list[g->dispatch].gone += g->waves - g->ended;
        }
}

static void watch_abandonments(account *a, const totem_machine_out *out)
{
    for (int n = 0; n < SLOTS; n++) {
        const int pipe = n / TOTEM_QUEUES, queue = n % TOTEM_QUEUES;
        if (out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.epoch.abandoned[queue])
            abandon(a, n);
    }
#if TOTEM_GRAPHICS
    for (int f = 0; f < RINGS; f++)
        if (out->fe[f].graphics_pipe.front.epoch.abandoned[0])
            abandon(a, SLOTS + f);
#endif
}

static void map(account *a, int place, bool active)
{
    a->mapped[place] = active;
    a->mapping[place] += active;
}

static void watch_mappings(account *a, const totem_machine_out *out)
{
    for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
        const totem_hqd_out *h = &out->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES].front.hqd;
        if (h->load_valid && h->load_kind == LOAD_ACTIVE)
            map(a, n * TOTEM_QUEUES + h->load_queue, h->load_data & 1);
    }
#if TOTEM_GRAPHICS
    for (int f = 0; f < RINGS; f++) {
        const totem_graphics_hqd_out *h = &out->fe[f].graphics_pipe.front.hqd;
        if (h->load_valid && h->load_kind == LOAD_ACTIVE)
            map(a, SLOTS + f, h->load_data & 1);
    }
#endif
}

// An unfinished grid is given up with its packet, and only if the host skips it.
static bool pass(account *a, int pipe, int queue, uint64_t clock, char message[256])
{
    queue_account *q = of_slot(a, pipe, queue);
    if (!q->passable || q->first == q->count) {
        snprintf(message, 256, "clock %llu: pipe %d queue %d: a grid is passed over that nobody skips",
                 (unsigned long long)clock, pipe, queue);
        return false;
    }
    drop_first(a, q);
    q->passable = q->skipped = false;
    return true;
}

static bool passed(account *a, const totem_machine_out *out, uint64_t clock, char message[256])
{
    for (int pipe = 0; pipe < TOTEM_PIPE_COUNT; pipe++) {
        const totem_execute_out *p = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.execute;
        if (p->bank_forget && !pass(a, pipe, p->dispatch_queue, clock, message))
            return false;
    }
#if TOTEM_GRAPHICS
    for (int f = 0; f < RINGS; f++)
        if (out->fe[f].graphics_pipe.front.execute.bank_forget && !pass(a, RING_PIPE + f, 0, clock, message))
            return false;
#endif
    return true;
}

static bool runs_task(const totem_machine_out *out, const totem_issue_out *g)
{
#if TOTEM_TASKS
    return g->grant_pipe < TOTEM_PIPES && out->fe[g->grant_fe].pipe[g->grant_pipe].runner.on;
#else
    (void)out, (void)g;
    return false;
#endif
}

bool account_step(account *a, const totem_machine_out *out, uint64_t clock, char message[256])
{
    watch_abandonments(a, out);
    if (!passed(a, out, clock, message) || (a->memory && !go_on(a, out, clock, message)))
        return false;
    if (!same_counts(a, out, clock, message))
        return false;
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_se_out     *s = &out->se[e];
        const totem_retire_out *r = &s->retire;
        if (out->wave[e].done_valid && !done(a, &out->wave[e], e, clock, message))
            return false;
        if (!state_word(a, out, e, clock, message))
            return false;
        if (s->launch.launch_valid && out->wave[e].launch_ready && !launch(a, &s->launch, e, clock, message))
            return false;
        if (s->issue.grant_valid && s->issue.grant_kind == GROUP &&
            !grant(a, &s->issue, e, runs_task(out, &s->issue), clock, message))
            return false;
        if (s->issue.grant_valid && s->issue.grant_kind != GROUP && !grant_drawn(a, &s->issue, e, clock, message))
            return false;
        for (int f = 0; f < TOTEM_FE_COUNT; f++) {
            if (s->port[f].state_write_enable)
                a->engines[e].words[f][s->port[f].state_write_addr] = s->port[f].state_write_data;
#if TOTEM_GRAPHICS
            const totem_graphics_port_out *port = &s->graphics_engine[f].graphics_port;
            if (port->state_write_enable)
                a->engines[e].words[f][128 + (port->state_write_addr & 63)] = port->state_write_data;
#endif
        }
        if (r->complete_valid && r->complete_kind == GROUP)
            a->counted[place_at(ring_pipe(r->complete_fe, r->complete_pipe), r->complete_queue)]--;
    }
    watch_mappings(a, out);
#if TOTEM_GRAPHICS
    for (int f = 0; f < RINGS; f++)
        a->begun[f] +=
            out->fe[f].graphics_pipe.graphics_render.draw_valid && out->fe[f].graphics_pipe.graphics_context.draw_ready;
#endif
    return true;
}

bool account_write(account *a, uint64_t address, uint32_t data, uint64_t clock, char message[256])
{
    // Queues may write the same value to the same place: then it is that of one whose work has ended.
    bool early = false;
    for (int n = 0; n < PLACES; n++) {
        queue_account *q = &a->queues[n];
        while (q->releases_first < q->releases_count && q->releases[q->releases_first].seen)
            q->releases_first++;
        for (size_t k = q->releases_first; k < q->releases_count; k++) {
            release *r = &q->releases[k];
            if (r->seen || r->address != address || r->data != data)
                continue;
            if (n >= SLOTS && n < QUEUES && r->draws != UNKNOWN) {
                const int f = n - SLOTS;
                if (a->begun[f] < r->draws || (a->begun[f] == r->draws && a->drawn[f])) {
                    early = true;
                    snprintf(message, 256,
                             "clock %llu: fence 0x%x of ring %d at 0x%llx is written, but %llu of %llu draws before it "
                             "have begun, %llu of their waves run",
                             (unsigned long long)clock, data, f, (unsigned long long)address,
                             (unsigned long long)a->begun[f], (unsigned long long)r->draws,
                             (unsigned long long)a->drawn[f]);
                    continue;
                }
                if (a->begun[f] == r->draws)
                    a->fenced[f] = r->draws;
            }
            const size_t running = first_running(q, r->own, r->before);
            if (running >= r->before) {
                r->seen = true;
                return true;
            }
            early             = true;
            const dispatch *d = &q->list[running];
            snprintf(message, 256,
                     "clock %llu: fence 0x%x at 0x%llx is written, but %llu of %llu waves of dispatch %zu before it "
                     "have ended",
                     (unsigned long long)clock, data, (unsigned long long)address, (unsigned long long)d->ended,
                     (unsigned long long)d->waves, running);
        }
    }
    return !early;
}

account_sums account_sum(const account *a)
{
    return a->sums;
}

bool account_complete(const account *a, char message[256])
{
    for (int place = 0; place < SLOTS; place++)
        if (account_task_open(a, pipe_of(place), queue_of(place))) {
            snprintf(message, 256, "pipe %d queue %d: groups of a task are not granted", pipe_of(place),
                     queue_of(place));
            return false;
        }
    for (int q = 0; q < PLACES; q++)
        for (size_t n = 0; n < a->queues[q].count; n++) {
            const dispatch *d = &a->queues[q].list[n];
            if (d->launched != d->waves) {
                int place = 0;
                while (a->home[place] != q)
                    place++;
                snprintf(message, 256, "pipe %d queue %d: dispatch %zu has launched %llu of %llu waves", pipe_of(place),
                         queue_of(place), n, (unsigned long long)d->launched, (unsigned long long)d->waves);
                return false;
            }
        }
    if (a->sums.launched != a->sums.ended) {
        snprintf(message, 256, "%llu waves are still running", (unsigned long long)(a->sums.launched - a->sums.ended));
        return false;
    }
    return true;
}

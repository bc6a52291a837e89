// SPDX-License-Identifier: Apache-2.0
//
// run_blocked: see run_blocked.h.

#include "run_blocked.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/tool/pm4_decode.h"
#include "address.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define REASON(name) TOTEM_REG_QUEUE_STATE_REASON_##name

enum { SCANNED = 4096 };

// What is looked at of a queue at the end. A ring is queue 0 of pipe RING_PIPE + its front end.
typedef struct {
    bool     mapped, halted, selected, buffer, timer, idle; // idle: no wave, write or fence of it is under way
    uint8_t  priority, reason, size;
    uint32_t base, rptr, wptr, left, waves;
    uint64_t address, deadline;
} slot;

#define READ_SLOT(state, view, wire)                                         \
    do {                                                                     \
        view##_in  in;                                                       \
        view##_out shown;                                                    \
        memset(&in, 0, sizeof in);                                           \
        wire;                                                                \
        in.hqd_shown_queue = (uint8_t)q;                                     \
        in.hqd_shown_dword = TOTEM_REG_QUEUE_STATE;                          \
        view##_outputs(&in, &shown);                                         \
        v->reason   = shown.value >> 16 & 15;                                \
        v->mapped   = in.hqd_active[q];                                      \
        v->halted   = in.packet_halted[q];                                   \
        v->selected = in.arbiter_selected_valid && in.arbiter_selected == q; \
        v->priority = in.arbiter_queue_priority[q];                          \
        v->idle     = in.fence_idle[q];                                      \
        v->waves    = in.fence_waves[q];                                     \
        v->rptr     = in.fetch_rptr[q];                                      \
        v->wptr     = in.fetch_wptr[q];                                      \
        v->base     = (state)->fetch.base[q];                                \
        v->size     = (state)->fetch.size[q];                                \
        v->buffer   = (state)->fetch.buffer[q];                              \
        v->address  = (state)->fetch.buffer_addr[q] << 2;                    \
        v->left     = (state)->fetch.buffer_left[q];                         \
        v->timer    = (state)->poll.timer[q] && (state)->poll.waiting[q];    \
        v->deadline = (state)->poll.deadline[q];                             \
    } while (0)

static bool read_slot(const session *s, int pipe, unsigned q, slot *v)
{
    const totem_machine     *m = session_model(s);
    const totem_machine_out *o = session_out(s);
    memset(v, 0, sizeof *v);
    if (pipe < TOTEM_PIPE_COUNT) {
        const int f = pipe / TOTEM_PIPES, p = pipe % TOTEM_PIPES;
        READ_SLOT(&m->fe[f].pipe[p].front, totem_view, totem_wire_view(o, NULL, f, p, &in));
        return true;
    }
#if TOTEM_GRAPHICS
    const int f = pipe - RING_PIPE;
    if (f >= 0 && f < RINGS && q == 0) {
        READ_SLOT(&m->fe[f].graphics_pipe.front, totem_graphics_view, totem_wire_graphics_view(o, NULL, f, &in));
        return true;
    }
#endif
    return false;
}

#define SAME(field, signal) (memcmp(b->field[pipe], signal, sizeof(signal)) == 0)
#define FOLLOW(model, out, queues)                                                                                   \
    do {                                                                                                             \
        const bool same =                                                                                            \
            SAME(mapped, (out)->hqd.active) && SAME(halted, (out)->execute.halted) && SAME(wptr, (out)->fetch.wptr); \
        for (unsigned q = 0; !same && q < (queues); q++) {                                                           \
            if ((out)->hqd.active[q] != b->mapped[pipe][q] || (out)->execute.halted[q] != b->halted[pipe][q] ||      \
                (out)->fetch.wptr[q] != b->wptr[pipe][q])                                                            \
                b->since[pipe][q] = clock;                                                                           \
            b->mapped[pipe][q] = (out)->hqd.active[q];                                                               \
            b->halted[pipe][q] = (out)->execute.halted[q];                                                           \
            b->wptr[pipe][q]   = (out)->fetch.wptr[q];                                                               \
        }                                                                                                            \
        const unsigned chosen = (out)->arbiter.selected;                                                             \
        if ((out)->execute.commit) {                                                                                 \
            b->since[pipe][chosen] = clock;                                                                          \
            b->polls[pipe][chosen] = 0;                                                                              \
        }                                                                                                            \
        const uint8_t phase = (model)->poll.phase;                                                                   \
        if (phase != b->phase[pipe] && (phase == POLL_ANSWER || phase == POLL_WINDOW) && !(model)->poll.pointer)     \
            b->polls[pipe][(model)->poll.own ? chosen : (model)->poll.queue]++;                                      \
        b->phase[pipe] = phase;                                                                                      \
    } while (0)

void run_blocked_clock(run_blocked *b, const session *s)
{
    const totem_machine     *m     = session_model(s);
    const totem_machine_out *o     = session_out(s);
    const uint64_t           clock = session_clock(s);
    for (int pipe = 0; m && pipe < TOTEM_PIPE_COUNT; pipe++)
        FOLLOW(&m->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front,
               &o->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front, TOTEM_QUEUES);
#if TOTEM_GRAPHICS
    for (int pipe = RING_PIPE; m && pipe < RING_PIPE + RINGS; pipe++)
        FOLLOW(&m->fe[pipe - RING_PIPE].graphics_pipe.front, &o->fe[pipe - RING_PIPE].graphics_pipe.front, 1);
#endif
}

// ---- packets

// Address of the dword `n` behind the committed position, and how many there are from the position on.
static uint64_t dword_at(const slot *v, uint32_t n)
{
    const uint32_t ring = (uint32_t)((UINT64_C(2) << v->size) - 1);
    return v->buffer ? v->address + 4 * (uint64_t)n : ((uint64_t)v->base << 8) + 4 * (uint64_t)((v->rptr + n) & ring);
}

static uint32_t written(const slot *v)
{
    return v->buffer ? v->left : v->wptr - v->rptr;
}

// The packet `from` dwords behind the position, with at most `room` of its dwords. False: nothing is written there.
static bool packet_at(const memory *m, const slot *v, bool ring, uint32_t from, uint32_t words[], uint32_t room,
                      totem_pm4_packet *packet)
{
    const uint32_t left = written(v) > from ? written(v) - from : 0, count = left < room ? left : room;
    for (uint32_t n = 0; n < count; n++)
        words[n] = memory_read32(m, dword_at(v, from + n));
    if (count)
        totem_pm4_cut(words, count, 0, ring, packet);
    return count;
}

// Whether the packet writes the dword at that address.
static bool writes(const totem_pm4_packet *p, const uint32_t w[], uint64_t address)
{
    uint64_t to    = 0;
    uint32_t bytes = 0;
    if (p->type != 3 || p->present < 4)
        return false;
    switch (p->op) {
    case TOTEM_OP_WRITE_DATA:
        to    = (w[1] >> 8 & 15) == 5 || (w[1] >> 8 & 15) == 2 ? packet_address(w[2], w[3]) : 0;
        bytes = 4 * (uint32_t)(p->dwords - 4);
        break;
    case TOTEM_OP_RELEASE_MEM:
        to    = p->present > 4 ? packet_address(w[3], w[4]) : 0;
        bytes = (w[2] >> 29) == 0 ? 0 : (w[2] >> 29) == 1 ? 4 : 8;
        break;
    case TOTEM_OP_COPY_DATA:
        to    = p->present > 5 && ((w[1] >> 8 & 15) == 5 || (w[1] >> 8 & 15) == 2) ? packet_address(w[4], w[5]) : 0;
        bytes = (w[1] >> 16 & 1) != 0 ? 8 : 4;
        break;
    case TOTEM_OP_DMA_DATA:
        to    = p->present > 6 ? packet_address(w[4], w[5]) : 0;
        bytes = p->present > 6 ? w[6] & 0x3ffffff : 0;
        break;
    case TOTEM_OP_ATOMIC_MEM:
        to    = packet_address(w[2], w[3]);
        bytes = 8;
        break;
    default: return false;
    }
    return to != 0 && address >= to && address < to + bytes;
}

static const char *owner(int pipe, unsigned queue, char text[40])
{
    if (pipe >= RING_PIPE)
        snprintf(text, 40, "the ring of front end %d", pipe - RING_PIPE);
    else
        snprintf(text, 40, "pipe %d queue %u", pipe, queue);
    return text;
}

// Which packet that is written and not executed would write the address; false: none does.
static bool writer(session *s, const totem_run_blocked *b, char *text, size_t size)
{
    for (int pipe = 0; pipe < BLOCKED_PIPES; pipe++)
        for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
            slot             v;
            uint32_t         words[16];
            totem_pm4_packet p;
            char             name[40];
            if (!read_slot(s, pipe, q, &v) || !v.mapped)
                continue;
            for (uint32_t from = 0, n = 0; n < SCANNED; n++, from += (uint32_t)p.dwords) {
                if (!packet_at(session_memory(s), &v, pipe >= RING_PIPE, from, words, 16, &p))
                    break;
                if (!writes(&p, words, b->wait_address))
                    continue;
                const bool same = pipe == (int)b->pipe;
                snprintf(text, size, "%s of %s at 0x%010" PRIx64 " writes it%s", p.name, owner(pipe, q, name),
                         dword_at(&v, from),
                         same && q == b->queue                    ? ", behind this packet: never"
                         : v.halted                               ? ", but that queue is halted"
                         : same && v.reason == REASON(WAITS_TURN) ? "; that queue wants the same pipe"
                                                                  : "");
                return true;
            }
        }
    snprintf(text, size, "no packet in the ring or open buffer of a mapped queue writes it");
    return false;
}

// ---- what a queue waits for

static bool holds(uint8_t function, uint64_t value, uint64_t wanted)
{
    switch (function) {
    case 1: return value < wanted;
    case 2: return value <= wanted;
    case 3: return value == wanted;
    case 4: return value != wanted;
    case 5: return value >= wanted;
    case 6: return value > wanted;
    default: return true;
    }
}

// A wait for memory or a register, as its packet has it.
static bool waits(session *s, const slot *v, const totem_pm4_packet *p, const uint32_t w[], totem_run_blocked *b)
{
    static const char *const functions[] = {"always", "<", "<=", "==", "!=", ">=", ">", "?"};
    const bool               wide        = p->op == TOTEM_OP_WAIT_REG_MEM64;
    if (p->type != 3 || (p->op != TOTEM_OP_WAIT_REG_MEM && !wide) || p->present < (wide ? 9u : 7u) || v->halted)
        return false;
    b->waits         = true;
    b->wait_memory   = (w[1] >> 4 & 3) == 1;
    b->wait_function = functions[w[1] & 7];
    b->wait_wanted   = wide ? (uint64_t)w[5] << 32 | w[4] : w[4];
    b->wait_mask     = wide ? (uint64_t)w[7] << 32 | w[6] : w[5];
    b->wait_address  = b->wait_memory ? packet_address(w[2], w[3]) : w[2];
    if (b->wait_memory)
        b->wait_value = memory_read32(session_memory(s), b->wait_address) |
                        (wide ? (uint64_t)memory_read32(session_memory(s), b->wait_address + 4) << 32 : 0);
    return true;
}

static void wait_words(const totem_run_blocked *b, char *text, size_t size)
{
    const int digits = b->wait_mask >> 32 ? 16 : 8;
    if (!b->wait_memory)
        snprintf(text, size,
                 "waits for register 0x%05" PRIx64 ": (value & 0x%0*" PRIx64 ") %s 0x%0*" PRIx64 " is wanted; %" PRIu32
                 " reads in vain",
                 b->wait_address, digits, b->wait_mask, b->wait_function, digits, b->wait_wanted, b->polls);
    else
        snprintf(text, size,
                 "waits for memory 0x%010" PRIx64 ", which is 0x%0*" PRIx64 ": (value & 0x%0*" PRIx64
                 ") %s 0x%0*" PRIx64 " is wanted; %" PRIu32 " reads in vain; %s",
                 b->wait_address, digits, b->wait_value, digits, b->wait_mask, b->wait_function, digits, b->wait_wanted,
                 b->polls, b->writer);
}

static const session_error *record_of(const session *s, int pipe, unsigned queue)
{
    for (uint64_t n = session_count(s).errors; n-- > 0;)
        if (session_error_at(s, n)->pipe == pipe && session_error_at(s, n)->queue == queue)
            return session_error_at(s, n);
    return NULL;
}

static void cause_words(session *s, const slot *v, totem_run_blocked *b, char *text, size_t size)
{
    const session_error *e = record_of(s, (int)b->pipe, b->queue);
    if (v->halted && e) {
        b->code        = e->code;
        b->record_word = e->word;
        snprintf(text, size, "is halted by %s (word 0x%08" PRIx32 "): %s; %s", totem_error_name(e->code), e->word,
                 totem_error_what(e->code), totem_error_remedy(e->code));
    } else if (b->waits)
        wait_words(b, text, size);
    else if (v->timer)
        snprintf(text, size, "waits for its timer until clock %" PRIu64 " (modulo 2^33)", v->deadline);
    else
        switch (v->reason) {
        case REASON(WAITS_TURN): snprintf(text, size, "is ready and waits for its pipe"); break;
        case REASON(LEAVING): snprintf(text, size, "leaves, and %" PRIu32 " of its waves run", v->waves); break;
        case REASON(FLUSH):
            snprintf(text, size, "waits until its work has ended; %" PRIu32 " waves run", v->waves);
            break;
        case REASON(EPOCH):
            snprintf(text, size, "waits for a free fence epoch; %" PRIu32 " waves run", v->waves);
            break;
        case REASON(LINE): snprintf(text, size, "waits for its packets, which come from memory"); break;
        case REASON(MAPPING): snprintf(text, size, "is being mapped: its MQD comes from memory"); break;
        case REASON(RECORDS):
            snprintf(text, size, "waits for the work of its earlier mapping: the records differ");
            break;
        case REASON(KILLING): snprintf(text, size, "is being reset; %" PRIu32 " waves run", v->waves); break;
        default: snprintf(text, size, "has its pipe; %" PRIu32 " of its waves run", v->waves); break;
        }
}

// A queue or ring that has something to execute, or is halted, or is on its way in or out.
static bool stands(const slot *v)
{
    return v->halted ||
           (v->mapped && v->reason != REASON(EMPTY) && v->reason != REASON(UNMAPPED) &&
            (v->reason != REASON(RUNNING) || written(v) != 0)) ||
           (!v->mapped && (v->reason == REASON(MAPPING) || v->reason == REASON(KILLING)));
}

static void describe(const run_blocked *f, session *s, int pipe, unsigned q, const slot *v, totem_run_blocked *b)
{
    uint32_t         words[TOTEM_RUN_WORDS] = {0};
    totem_pm4_packet p                      = {0};
    char             name[40], cause[400];
    *b             = (totem_run_blocked){.pipe = (uint32_t)pipe, .queue = q, .halted = v->halted, .reason = v->reason};
    b->since       = f->since[pipe][q];
    b->polls       = f->polls[pipe][q];
    b->address     = dword_at(v, 0);
    const int used = snprintf(b->text, sizeof b->text, "%s ", owner(pipe, q, name));
    if (packet_at(session_memory(s), v, pipe >= RING_PIPE, 0, words, TOTEM_RUN_WORDS, &p)) {
        b->packet  = p.type == 3 ? p.name : "NOP";
        b->opcode  = p.op;
        b->dwords  = (uint32_t)p.dwords;
        b->present = (uint32_t)p.present;
        memcpy(b->words, words, sizeof b->words);
        if (waits(s, v, &p, words, b) && b->wait_memory)
            b->written = writer(s, b, b->writer, sizeof b->writer);
    }
    cause_words(s, v, b, cause, sizeof cause);
    if (b->packet)
        snprintf(b->text + used, sizeof b->text - (size_t)used,
                 "has stood since clock %" PRIu64 " at 0x%010" PRIx64 ", %s of %" PRIu32 " dwords: it %s", b->since,
                 b->address, b->packet, b->dwords, cause);
    else
        snprintf(b->text + used, sizeof b->text - (size_t)used, "has stood since clock %" PRIu64 ": it %s", b->since,
                 cause);
}

// More clocks cannot help it: it is halted, or waits for what nothing writes, or stands behind such a one on its pipe.
static bool hopeless(const totem_run_result *r, const totem_run_blocked *b, const uint8_t priority[][TOTEM_QUEUES],
                     const bool selected[][TOTEM_QUEUES])
{
    if (b->halted)
        return true;
    if (b->waits && b->wait_memory)
        return !holds((uint8_t)(b->words[1] & 7), b->wait_value & b->wait_mask, b->wait_wanted);
    if (b->reason != REASON(WAITS_TURN))
        return false;
    for (uint32_t n = 0; n < r->blocked_count; n++) {
        const totem_run_blocked *o = &r->blocked[n];
        if (o->pipe == b->pipe && selected[o->pipe][o->queue] && o->waits && o->wait_memory &&
            priority[o->pipe][o->queue] > priority[b->pipe][b->queue])
            return true;
    }
    return false;
}

void run_blocked_end(const run_blocked *f, session *s, totem_run_result *r)
{
    uint8_t priority[BLOCKED_PIPES][TOTEM_QUEUES] = {0};
    bool    selected[BLOCKED_PIPES][TOTEM_QUEUES] = {0};
    bool    idle                                  = true;
    for (int pipe = 0; pipe < BLOCKED_PIPES; pipe++)
        for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
            slot v;
            if (!read_slot(s, pipe, q, &v))
                continue;
            idle              = idle && v.idle;
            priority[pipe][q] = v.priority;
            selected[pipe][q] = v.selected;
            if (stands(&v) && r->blocked_count < TOTEM_RUN_BLOCKED)
                describe(f, s, pipe, q, &v, &r->blocked[r->blocked_count++]);
        }
    const host_port *h = session_host(s);
    r->stuck           = r->blocked_count && idle && (host_done(h) || h->list[h->next].inserted);
    for (uint32_t n = 0; n < r->blocked_count; n++)
        r->stuck = r->stuck && hopeless(r, &r->blocked[n], priority, selected);
}

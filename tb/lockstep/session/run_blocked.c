// SPDX-License-Identifier: Apache-2.0
//
// run_blocked: see run_blocked.h.

#define TOTEM_TMD_TABLES
#include "run_blocked.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/tool/pm4_decode.h"
#include "../../totem/tmd_fields.h"
#include "address.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define REASON(name) TOTEM_REG_QUEUE_STATE_REASON_##name

#define SAME(field, signal) (memcmp(b->field[pipe], signal, sizeof(signal)) == 0)
#define FOLLOW(model, out, queues)                                                                                   \
    do {                                                                                                             \
        for (unsigned q = 0; !SAME(waves, (out)->flight.waves) && q < (queues); q++) {                               \
            if ((out)->flight.waves[q] != b->waves[pipe][q])                                                         \
                b->moved[pipe][q] = clock;                                                                           \
            b->waves[pipe][q] = (out)->flight.waves[q];                                                              \
        }                                                                                                            \
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

void run_blocked_open(run_blocked *b, const totem_workload *w)
{
    memset(b, 0, sizeof *b);
    run_writers_open(&b->writers, w);
}

void run_blocked_close(run_blocked *b)
{
    run_writers_close(&b->writers);
}

void run_blocked_clock(run_blocked *b, const session *s)
{
    run_writers_clock(&b->writers, s);
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
static bool waits(const session *s, const run_slot *v, const totem_pm4_packet *p, const uint32_t w[],
                  totem_run_blocked *b)
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

bool run_blocked_wait(const session *s, int pipe, unsigned q, totem_run_blocked *b)
{
    run_slot         v;
    uint32_t         words[TOTEM_RUN_WORDS] = {0};
    totem_pm4_packet p                      = {0};
    *b                                      = (totem_run_blocked){0};
    return run_slot_read(s, pipe, q, &v) &&
           run_slot_packet(session_memory(s), &v, pipe >= RING_PIPE, 0, words, TOTEM_RUN_WORDS, &p) &&
           waits(s, &v, &p, words, b);
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

// Of the task with the refused descriptor: which field, and who names it. False: the record is of none that is known.
static bool task_words(run_writers *w, session *s, const session_error *e, totem_run_blocked *b, char *text,
                       size_t size)
{
    uint32_t       words[TOTEM_TMD_DWORDS];
    char           task[60], parent[60], values[64] = "";
    uint64_t       names;
    const unsigned version = run_writers_descriptor(s, e->address, words) % TOTEM_TMD_VERSIONS;
    unsigned       field   = 0;
    while (field < TOTEM_TMD_FIELDS &&
           (totem_tmd_refused(words, field) != e->code || words[totem_tmd_fields[field].low[version] / 32] != e->word))
        field++;
    if (field == TOTEM_TMD_FIELDS)
        return false;
    const totem_tmd_field *d = &totem_tmd_fields[field];
    b->task                  = e->address;
    b->field                 = d->key;
    for (unsigned n = 0, used = 0; n < 8; n++)
        if (d->allowed >> n & 1)
            used += (unsigned)snprintf(values + used, sizeof values - used, "%s%u", used ? " or " : "must be ", n);
    run_writers_task(w, e->address, task, sizeof task);
    const int used = snprintf(text, size, "is halted by %s, %s: %s (%s)", task, d->key,
                              d->not_zero ? "must not be 0"
                              : values[0] ? values
                                          : totem_error_what(e->code),
                              totem_error_name(e->code));
    if (run_writers_parent(w, s, e->address, &names)) {
        run_writers_task(w, names, parent, sizeof parent);
        snprintf(text + used, size - (size_t)used, ", dependent of %s", parent);
    }
    return true;
}

// Work of it was granted or has ended in the second half of the time since its last packet.
static bool goes_on(const run_blocked *f, session *s, const run_slot *v, const totem_run_blocked *b)
{
    const uint64_t now = session_clock(s), moved = f->moved[b->pipe][b->queue];
    return v->mapped && !v->halted && !b->waits && moved > b->since && 2 * moved > now + b->since;
}

static void cause_words(run_blocked *f, session *s, const run_slot *v, totem_run_blocked *b, char *text, size_t size)
{
    const session_error *e = record_of(s, (int)b->pipe, b->queue);
    uint64_t             granted, groups;
    const char          *whose = "";
    if (v->halted && e) {
        b->code        = e->code;
        b->record_word = e->word;
        if (e->task && task_words(&f->writers, s, e, b, text, size))
            return;
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
        default:
            if (account_grid(session_account(s), (int)b->pipe, (int)b->queue, &granted, &groups))
                whose = " its grid";
            else if (b->pipe < TOTEM_PIPE_COUNT &&
                     account_task_grid(session_account(s), (int)b->pipe, (int)b->queue, &granted, &groups))
                whose = " a task";
            if (whose[0])
                snprintf(text, size,
                         "has its pipe; %" PRIu64 " groups of%s granted, %" PRIu64 " left; %" PRIu32 " waves run",
                         granted, whose, groups - granted, v->waves);
            else
                snprintf(text, size, "has its pipe%s; %" PRIu32 " of its waves run",
                         b->pipe < TOTEM_PIPE_COUNT &&
                                 tasks_any(session_tasks(s), (int)(b->pipe * TOTEM_QUEUES + b->queue))
                             ? " for its tasks"
                             : "",
                         v->waves);
            break;
        }
}

// A queue or ring that has something to execute, or is halted, or is on its way in or out.
static bool stands(const run_slot *v)
{
    return v->halted ||
           (v->mapped && v->reason != REASON(EMPTY) && v->reason != REASON(UNMAPPED) &&
            (v->reason != REASON(RUNNING) || run_slot_written(v) != 0)) ||
           (!v->mapped && (v->reason == REASON(MAPPING) || v->reason == REASON(KILLING)));
}

static void describe(run_blocked *f, session *s, int pipe, unsigned q, const run_slot *v, totem_run_blocked *b)
{
    uint32_t         words[TOTEM_RUN_WORDS] = {0};
    totem_pm4_packet p                      = {0};
    char             name[40], cause[700];
    *b         = (totem_run_blocked){.pipe = (uint32_t)pipe, .queue = q, .halted = v->halted, .reason = v->reason};
    b->since   = f->since[pipe][q];
    b->polls   = f->polls[pipe][q];
    b->address = run_slot_dword(v, 0);
    int used   = snprintf(b->text, sizeof b->text, "%s ", run_slot_owner(pipe, q, name));
    if (run_slot_packet(session_memory(s), v, pipe >= RING_PIPE, 0, words, TOTEM_RUN_WORDS, &p)) {
        b->packet  = p.type == 3 ? p.name : "NOP";
        b->opcode  = p.op;
        b->dwords  = (uint32_t)p.dwords;
        b->present = (uint32_t)p.present;
        memcpy(b->words, words, sizeof b->words);
        if (waits(s, v, &p, words, b) && b->wait_memory)
            b->written = run_writers_find(&f->writers, s, pipe, q, b->wait_address,
                                          b->opcode == TOTEM_OP_WAIT_REG_MEM64 ? 8 : 4, b->writer, sizeof b->writer);
    }
    cause_words(f, s, v, b, cause, sizeof cause);
    b->goes_on = goes_on(f, s, v, b);
    used += snprintf(b->text + used, sizeof b->text - (size_t)used, "%s since clock %" PRIu64,
                     b->goes_on ? "goes on," : "has stood", b->since);
    if (b->packet && !b->field)
        used += snprintf(b->text + used, sizeof b->text - (size_t)used,
                         " at 0x%010" PRIx64 ", %s of %" PRIu32 " dwords", b->address, b->packet, b->dwords);
    snprintf(b->text + used, sizeof b->text - (size_t)used, ": it %s", cause);
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

void run_blocked_end(run_blocked *f, session *s, totem_run_result *r)
{
    uint8_t priority[RUN_PIPES][TOTEM_QUEUES] = {0};
    bool    selected[RUN_PIPES][TOTEM_QUEUES] = {0};
    bool    idle                              = true;
    for (int pipe = 0; pipe < RUN_PIPES; pipe++)
        for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
            run_slot v;
            if (!run_slot_read(s, pipe, q, &v))
                continue;
            idle              = idle && v.idle;
            priority[pipe][q] = v.priority;
            selected[pipe][q] = v.selected;
            // Nothing is left of its ring, but a task runs, maybe one that names itself.
            const bool task = pipe < TOTEM_PIPE_COUNT && v.mapped && v.reason == REASON(RUNNING) &&
                              tasks_any(session_tasks(s), pipe * TOTEM_QUEUES + (int)q);
            if ((stands(&v) || task) && r->blocked_count < TOTEM_RUN_BLOCKED)
                describe(f, s, pipe, q, &v, &r->blocked[r->blocked_count++]);
        }
    const host_port *h = session_host(s);
    r->stuck           = r->blocked_count && idle && (host_done(h) || h->list[h->next].inserted);
    for (uint32_t n = 0; n < r->blocked_count; n++)
        r->stuck = r->stuck && hopeless(r, &r->blocked[n], priority, selected);
}

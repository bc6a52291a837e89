// SPDX-License-Identifier: Apache-2.0
//
// interrupts: see interrupts.h.

#include "interrupts.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_hqd_values.h"
#include "address.h"
#include "ring.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { P = TOTEM_PIPE_COUNT, QUEUES = TOTEM_QUEUES, EPOCHS = TOTEM_EPOCHS, SLOTS = P * QUEUES, NONE = -1 };
enum { NOTICES = 128 }; // more than there is room for
enum { RESET = 2, TIMED_OUT = 0x67, FRESH = 4 };

// A closed epoch that is not done.
typedef struct {
    bool used, wanted, writes, sent, due; // an interrupt is wanted; it writes data; that is sent; the interrupt is due
    bool message;                         // of a RELEASE_MEM; else a flush or the last group of a task has closed it
    bool task;                            // of a task
    int  entry;                           // its queue in the run list, NONE: it has none
    int  before;                          // epoch that its mapping has closed before it, NONE: that is done
    uint32_t mapping;
    uint64_t address;
    uint32_t context;
    uint32_t waited; // clocks in which it could have gone on, since the unit has ended or sent another one
    uint32_t served; // how many these were
} closed_epoch;

typedef struct {
    closed_epoch closed[EPOCHS];
    uint32_t     used;                          // of these, bit = epoch
    uint32_t     waves[EPOCHS], writes[EPOCHS]; // under way
    uint64_t     base;                          // ring
    uint32_t     size;                          // its dwords
    bool         mapped;
    int          entry;    // of the queue that the run list has mapped there, NONE: the host has
    uint32_t     mapping;  // mappings so far
    int          last;     // epoch that the present mapping has closed last, NONE: that is done
    bool         active;   // in the clock before
    bool         told_of;  // an interrupt of a task is due,
    uint32_t     task;     // with its pointer
    uint64_t     task_end; // since this clock
    bool         ending;   // a task has ended and is not over
    uint8_t      dequeue;  // pending request, in the clock before
    bool         quiet;    // the run list has asked for it
    uint8_t      taken;    // request that came since the host's last access
    uint8_t      due;      // type of a dequeue that is done and not told, 0 none
    uint32_t     waited;
    uint32_t     context, context_before; // last int_ctxid
    uint64_t     told;                    // clock of it
} slot_watch;

typedef struct {
    int16_t  slot;
    uint16_t left; // waves to be launched
    uint8_t  epoch;
} group;

enum { GROUPS = 16 };

typedef struct {
    group    list[GROUPS]; // granted, in the order in which they are launched
    unsigned first, count;
    group    owner[TOTEM_SLOTS];
} engine_watch;

struct interrupts {
    slot_watch   slots[SLOTS];
    uint64_t     busy; // slots with a closed epoch, or a dequeue that is not told, bit = slot
    engine_watch engines[TOTEM_SE_COUNT];
    bool         second[P]; // an error message of fence is at its second word
    uint64_t     words[P];  // its first word
    bool         half[P];   // a fence write is at its second word
    bool         sent[P];   // in this clock it is taken
    uint8_t      tag[P];
    size_t       seen; // accesses of the host
    // The registers of events as they are after each clock.
    uint64_t eop, eop_enable;
    uint32_t reports[TOTEM_FE_COUNT];   // REPORT_INTERRUPT
    uint32_t ring_eop, ring_eop_enable; // bit = ring; what a ring has to tell is not judged here
    uint32_t status, enable;            // status: bit = class - 1
    uint32_t noted, coming;             // classes of errors taken in this clock, and in the one before
    bool     checked, irq;              // irq of the next clock
    uint64_t notices[NOTICES];          // {entry, int_ctxid} that the host has not taken, as they came
    unsigned first, count;
    uint64_t arrived; // that of the clock before
};

interrupts *interrupts_create(void)
{
    interrupts *i = calloc(1, sizeof *i);
    for (int s = 0; i && s < SLOTS; s++)
        i->slots[s].last = i->slots[s].entry = NONE;
    return i;
}

void interrupts_destroy(interrupts *i)
{
    free(i);
}

static bool broken(char message[256], uint64_t clock, int slot, const char *what, uint32_t number)
{
    snprintf(message, 256, "clock %" PRIu64 ", pipe %d queue %d: %s (0x%x)", clock, slot / QUEUES, slot % QUEUES, what,
             number);
    return false;
}

static void look_busy(interrupts *i, int slot)
{
    const uint64_t bit = (uint64_t)1 << slot;
    if (i->slots[slot].used || i->slots[slot].due)
        i->busy |= bit;
    else
        i->busy &= ~bit;
}

static void end(interrupts *i, int slot, int epoch)
{
    slot_watch *s         = &i->slots[slot];
    s->closed[epoch].used = false;
    s->used &= ~(1u << epoch);
    for (int e = 0; e < EPOCHS; e++)
        if (s->closed[e].before == epoch)
            s->closed[e].before = NONE;
    if (s->last == epoch)
        s->last = NONE;
    look_busy(i, slot);
}

static closed_epoch *begin(interrupts *i, int slot, int epoch)
{
    slot_watch   *s = &i->slots[slot];
    closed_epoch *c = &s->closed[epoch];
    *c              = (closed_epoch){.used = true, .before = s->last, .mapping = s->mapping, .entry = NONE};
    s->last         = epoch;
    s->used |= 1u << epoch;
    look_busy(i, slot);
    return c;
}

// Everything in it, and before it, has ended.
static bool over(const slot_watch *s, int epoch)
{
    return s->closed[epoch].before == NONE && s->waves[epoch] == 0 && s->writes[epoch] == 0;
}

// ---- what the packets ask for

static uint32_t packet_word(const slot_watch *s, const totem_fetch_out *f, const memory *m, uint32_t n)
{
    uint64_t at = f->position + 4 * (uint64_t)n;
    if (!f->in_buffer && at >= s->base + 4 * (uint64_t)s->size)
        at -= 4 * (uint64_t)s->size;
    return memory_read32(m, at);
}

static bool packets(interrupts *i, const totem_pipe_out *own, int pipe, const memory *m, uint64_t clock,
                    char message[256])
{
    const totem_front_out   *p    = &own->front;
    const totem_execute_out *x    = &p->execute;
    const int                slot = pipe * QUEUES + x->dispatch_queue;
    slot_watch              *s    = &i->slots[slot];
    if (x->fence_write)
        s->writes[x->dispatch_epoch]++;
#if TOTEM_TASKS
    if (own->runner.granted)
        begin(i, pipe * QUEUES + own->runner.task_queue, x->dispatch_epoch)->task = true;
#endif
    if (x->fence_close)
        begin(i, slot, p->epoch.current[x->dispatch_queue]);
    const bool query = TOTEM_RUNLIST != 0 && x->executed_opcode == TOTEM_OP_QUERY_STATUS;
    if (!x->executed || (x->executed_opcode != TOTEM_OP_RELEASE_MEM && !query))
        return true;
    if (s->closed[x->dispatch_epoch].used)
        return broken(message, clock, slot, "a fence in an epoch whose fence is not done", x->dispatch_epoch);
    // A QUERY_STATUS has its command in dword 1, which says what a RELEASE_MEM says in dword 2, and the context.
    const uint32_t control = packet_word(s, &p->fetch, m, query ? 1 : 2), command = control >> 30;
    const uint32_t wanted = query ? command == 0 || command == 3 : control >> 24 & 7;
    closed_epoch  *c      = begin(i, slot, x->dispatch_epoch);
    c->message            = true;
    c->writes             = query ? command != 0 : control >> 29 != 0;
    c->wanted             = wanted == 1 || wanted == 2;
    c->address            = packet_address(packet_word(s, &p->fetch, m, 3), packet_word(s, &p->fetch, m, 4));
    c->context            = query ? control & 0xfffffff : packet_word(s, &p->fetch, m, 7);
    c->entry              = s->entry;
    return true;
}

static void loads(interrupts *i, const totem_hqd_out *h, int pipe)
{
    slot_watch *s = &i->slots[pipe * QUEUES + h->load_queue];
    switch (h->load_kind) {
    case LOAD_PQ_BASE: s->base = h->load_data; break;
    case LOAD_PQ_CONTROL: s->size = 2u << (h->load_data & 0x1f); break;
    case LOAD_ACTIVE:
        s->mapped = h->load_data & 1;
        if (s->mapped) {
            s->mapping++;
            s->last = NONE;
        }
        break;
    default: break;
    }
}

// ---- what ends

static void waves(interrupts *i, const totem_machine_out *out)
{
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        engine_watch           *n = &i->engines[e];
        const totem_launch_out *l = &out->se[e].launch;
        const totem_issue_out  *g = &out->se[e].issue;
        if (out->wave[e].done_valid) {
            const group *o = &n->owner[out->wave[e].done_slot];
            if (o->slot != NONE)
                i->slots[o->slot].waves[o->epoch]--;
        }
        if (l->launch_valid && out->wave[e].launch_ready && n->count) {
            n->owner[l->launch_slot] = n->list[n->first];
            if (--n->list[n->first].left == 0) {
                n->first = (n->first + 1) % GROUPS;
                n->count--;
            }
        }
        if (g->grant_valid) {
            const int slot = ring_of_front_end(g->grant_pipe)
                                 ? NONE
                                 : (g->grant_fe * TOTEM_PIPES + g->grant_pipe) * QUEUES + g->grant_queue;
            n->list[(n->first + n->count++) % GROUPS] =
                (group){.slot = (int16_t)slot, .left = g->grant_waves, .epoch = g->grant_epoch};
            if (slot != NONE)
                i->slots[slot].waves[g->grant_epoch] += g->grant_waves;
        }
    }
}

static bool answers(interrupts *i, const totem_memory_out *o, int fe, uint64_t clock, char message[256])
{
    if (!o->ack_valid)
        return true;
    const int epoch = o->ack_tag >> 3 & (EPOCHS - 1), queue = o->ack_tag & (QUEUES - 1);
    for (int p = 0; p < TOTEM_PIPES; p++) {
        const int   slot = (fe * TOTEM_PIPES + p) * QUEUES + queue;
        slot_watch *s    = &i->slots[slot];
        if (o->ack_target == TOTEM_WRITER_EXECUTE(p))
            s->writes[epoch]--;
        if (o->ack_target != TOTEM_WRITER_FENCE(p))
            continue;
        closed_epoch *c = &s->closed[epoch];
        if (c->used && c->sent) { // else it is a record's pair
            if (c->due)
                return broken(message, clock, slot, "a fence write is answered twice", c->context);
            c->waited = c->served = 0;
            c->due                = o->ack_error == MEMORY_OK && c->wanted;
            if (!c->due)
                end(i, slot, epoch);
        }
    }
    return true;
}

// The epoch of a task ends when its waves have; until the task is over nothing else of its queue ends.
static bool tasks_end(interrupts *i, const totem_machine_out *out, const tasks *t, int pipe, uint64_t clock,
                      char message[256])
{
#if TOTEM_TASKS
    const totem_fe_out    *fe   = &out->fe[pipe / TOTEM_PIPES];
    const totem_fence_out *f    = &fe->pipe[pipe % TOTEM_PIPES].front.fence;
    const int              slot = pipe * QUEUES + f->serve, ended = fe->finish.over_queue;
    if (fe->tasks.over_ready && ended / QUEUES == pipe % TOTEM_PIPES) {
        slot_watch *s = &i->slots[pipe * QUEUES + ended % QUEUES];
        if (!s->ending)
            return broken(message, clock, pipe * QUEUES + ended % QUEUES, "a task is over, and its epoch is not", 0);
        s->ending = false;
        if (tasks_trap(t, pipe * QUEUES + ended % QUEUES) ||
            (fe->tasks.report_write_enable && i->reports[pipe / TOTEM_PIPES] >> ended & 1)) {
            if (s->told_of)
                return broken(message, clock, pipe * QUEUES + ended % QUEUES, "the interrupt of a task is missing",
                              s->task);
            s->told_of  = true;
            s->task     = (uint32_t)(fe->tasks.report_write_data >> 32);
            s->task_end = clock;
        }
    }
    slot_watch *s = &i->slots[slot];
    if (!f->done || !s->closed[f->serve_epoch].used || !s->closed[f->serve_epoch].task)
        return true;
    if (s->ending || !over(s, f->serve_epoch))
        return broken(message, clock, slot, "the epoch of a task ends before its time", f->serve_epoch);
    s->ending = true;
    end(i, slot, f->serve_epoch);
#else
    (void)i, (void)out, (void)t, (void)pipe, (void)clock, (void)message;
#endif
    return true;
}

// Fence writes that go to memory.
static bool sendings(interrupts *i, const totem_machine_out *out, int pipe, uint64_t clock, char message[256])
{
    const totem_memory_out *o = &out->fe[pipe / TOTEM_PIPES].memory;
    const totem_fence_out  *f = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.fence;
    i->sent[pipe]             = false;
    if (!f->write_valid || !o->write_ready[TOTEM_STREAMS + pipe % TOTEM_PIPES])
        return true;
    i->sent[pipe] = i->half[pipe];
    i->half[pipe] = !i->half[pipe];
    if (i->half[pipe]) {
        i->tag[pipe] = f->write_word >> 48 & 0x3f;
        return true;
    }
    const int     slot = pipe * QUEUES + (i->tag[pipe] & (QUEUES - 1)), epoch = i->tag[pipe] >> 3 & (EPOCHS - 1);
    closed_epoch *c = &i->slots[slot].closed[epoch];
    if (!c->used || !c->message) // a record's pair
        return true;
    if (c->sent || i->slots[slot].ending || !over(&i->slots[slot], epoch))
        return broken(message, clock, slot, "a fence is written twice, or before its time", c->context);
    c->sent = true;
    return true;
}

// A fence that is not tried has its record, and no interrupt: one before it was never answered.
static void records(interrupts *i, const totem_machine_out *out, int pipe)
{
    const totem_fence_out *f = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.fence;
    if (!f->error_valid || !out->events.fence_error_ready[pipe])
        return;
    i->second[pipe] = !i->second[pipe];
    if (i->second[pipe]) {
        i->words[pipe] = f->error_word;
        return;
    }
    const int           slot = pipe * QUEUES + (int)(i->words[pipe] >> 48 & 7);
    const closed_epoch *c    = &i->slots[slot].closed[f->serve_epoch];
    if (c->used && c->message && c->writes && !c->sent && i->words[pipe] >> 56 == TIMED_OUT &&
        c->address == (i->words[pipe] & 0xffffffffffu))
        end(i, slot, f->serve_epoch);
}

// An active slot's request names the epochs of its mapping, else all of the slot.
static bool abandonments(interrupts *i, const totem_front_out *p, int pipe, uint64_t clock, char message[256])
{
    for (int q = 0; q < QUEUES; q++) {
        const int   slot = pipe * QUEUES + q;
        slot_watch *s    = &i->slots[slot];
        if (!p->epoch.abandoned[q])
            continue;
        for (int e = 0; e < EPOCHS; e++) {
            const closed_epoch *c = &s->closed[e];
            if (!c->used || (s->mapped && c->mapping != s->mapping))
                continue;
            if (c->sent)
                return broken(message, clock, slot, "a fence is abandoned after its write", c->context);
            end(i, slot, e);
        }
    }
    return true;
}

// ---- dequeues

static uint32_t window_dword(int slot, uint32_t dword)
{
    return TOTEM_REG_PIPE_BASE + (uint32_t)(slot / QUEUES) * TOTEM_REG_PIPE_STRIDE +
           (uint32_t)(slot % QUEUES) * TOTEM_REG_QUEUE_STRIDE + 4 * dword;
}

// The run list writes `value` there now.
static bool run_list_writes(const totem_machine_out *out, uint32_t address, uint32_t bits, uint32_t value)
{
#if TOTEM_RUNLIST
    const totem_proxy_out *p = &out->proxy;
    return p->valid && p->write && p->address << 2 == address && (p->data & bits) == value;
#else
    (void)out, (void)address, (void)bits, (void)value;
    return false;
#endif
}

// The host writes `value` there now, or has just done so.
static bool host_writes(const host_port *h, uint32_t address, uint32_t bits, uint32_t value)
{
    for (size_t n = h->next ? h->next - 1 : 0; n <= h->next && n < h->count; n++)
        if (h->list[n].write && h->list[n].address == address && h->list[n].bytes & 1 &&
            (h->list[n].data & bits) == value)
            return true;
    return false;
}

// A request ends with its slot free, or without one (job 7): then its interrupt is due. Or ACTIVE = 0 has replaced it.
static bool dequeues(interrupts *i, const totem_machine_out *out, const host_port *h, int pipe, uint64_t clock,
                     char message[256])
{
    const totem_hqd_out *o = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.hqd;
    for (int q = 0; q < QUEUES; q++) {
        const int     slot = pipe * QUEUES + q;
        slot_watch   *s    = &i->slots[slot];
        const uint8_t was = s->dequeue, is = o->dequeue[q];
        const bool    before = s->active;
        s->dequeue           = is;
        s->active            = o->active[q];
        if (is == was)
            continue;
        if (is) {
            const uint32_t address = window_dword(slot, TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST);
            s->quiet               = run_list_writes(out, address, 7, is);
            if (s->quiet)
                continue;
            s->taken = is;
            if (!host_writes(h, address, 7, is))
                return broken(message, clock, slot, "a dequeue that nobody has asked for", is);
        } else if (before && s->active) {
            if (!host_writes(h, window_dword(slot, TOTEM_REG_QUEUE_CP_HQD_ACTIVE), 1, 0))
                return broken(message, clock, slot, "a dequeue is forgotten", was);
        } else if (s->quiet)
            continue;
        else if (s->due)
            return broken(message, clock, slot, "a dequeue ends, and the interrupt of the one before it has not come",
                          was);
        else {
            s->due    = was;
            s->waited = 0;
            look_busy(i, slot);
        }
    }
    return true;
}

// Accesses of the host that were answered: a dequeue request that was granted has been taken.
static bool requests(interrupts *i, const host_port *h, uint64_t clock, char message[256])
{
    for (; i->seen < h->next; i->seen++) {
        const host_access *a    = &h->list[i->seen];
        const uint32_t     at   = a->address - TOTEM_REG_PIPE_BASE;
        const uint32_t     type = a->data & 7;
        const int          slot = (int)(at / TOTEM_REG_PIPE_STRIDE) * QUEUES + (int)(at / TOTEM_REG_QUEUE_STRIDE & 15);
        if (a->address < TOTEM_REG_PIPE_BASE || at / TOTEM_REG_PIPE_STRIDE >= P ||
            (at / TOTEM_REG_QUEUE_STRIDE & 15) >= QUEUES || !a->write)
            continue;
        slot_watch    *s     = &i->slots[slot];
        const uint32_t dword = at % TOTEM_REG_QUEUE_STRIDE / 4;
        if (!a->response && (dword == TOTEM_REG_QUEUE_MAP || (dword == TOTEM_REG_QUEUE_CP_HQD_ACTIVE && a->data & 1)))
            s->entry = NONE;
        if (dword != TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST)
            continue;
        if (a->response == 0 && a->bytes & 1 && type && s->taken != type && !(type == RESET && s->dequeue == RESET))
            return broken(message, clock, slot, "a dequeue request was answered with OKAY and is not taken", type);
        s->taken = 0;
    }
    return true;
}

// ---- what arrives

// The interrupt of a fence, if it is due there.
static bool fence_arrives(interrupts *i, int slot, int entry, uint32_t context)
{
    slot_watch *s = &i->slots[slot];
    for (int e = 0; e < EPOCHS; e++)
        if (s->closed[e].used && s->closed[e].due && s->closed[e].context == context && s->closed[e].entry == entry) {
            for (int q = 0; q < QUEUES; q++) // fence's goes first: a dequeue of the pipe waits from here on
                i->slots[slot - slot % QUEUES + q].waited = 0;
            end(i, slot, e);
            return true;
        }
    return false;
}

#if TOTEM_RUNLIST
// One of a queue of the run list: of whatever slot it was in.
static bool notice(interrupts *i, int entry, uint32_t context, uint64_t clock, char message[256])
{
    int slot = 0;
    while (slot < SLOTS && !fence_arrives(i, slot, entry, context))
        slot++;
    if (slot == SLOTS) {
        snprintf(message, 256, "clock %" PRIu64 ", entry %d: an interrupt that is not due, with int_ctxid 0x%x", clock,
                 entry, context);
        return false;
    }
    i->arrived = (uint64_t)entry << 32 | context;
    return true;
}
#endif

static bool arrival(interrupts *i, int slot, uint32_t context, uint64_t clock, char message[256])
{
    slot_watch *s     = &i->slots[slot];
    s->context_before = s->context;
    s->context        = context;
    s->told           = clock;
    i->eop |= (uint64_t)1 << (8 * (slot / QUEUES) + slot % QUEUES);
    if (fence_arrives(i, slot, NONE, context))
        return true;
    if (s->told_of && s->task == context) {
        s->told_of = false;
        return true;
    }
    if (!s->due || s->due != context)
        return broken(message, clock, slot, "an interrupt that is not due, with int_ctxid", context);
    s->due = 0;
    look_busy(i, slot);
    return true;
}

// What is over goes on; what waits for too long is missing.
static bool waiting(interrupts *i, const totem_machine_out *out, const memory *m, uint64_t clock, char message[256])
{
    for (uint64_t left = i->busy; left; left &= left - 1) {
        const int               slot = __builtin_ctzll(left), pipe = slot / QUEUES, fe = pipe / TOTEM_PIPES;
        const totem_front_out  *p = &out->fe[fe].pipe[pipe % TOTEM_PIPES].front;
        const totem_memory_out *o = &out->fe[fe].memory;
        slot_watch             *s = &i->slots[slot];
        // Held up by memory, or by the records of other blocks.
        const bool held = p->fence.error_valid ||
                          (p->fence.write_valid && (o->m_axi_awvalid || o->m_axi_wvalid || memory_owes_writes(m, fe)));
        for (uint32_t set = s->used; set; set &= set - 1) {
            const int     e = __builtin_ctz(set);
            closed_epoch *c = &s->closed[e];
            if (c->task || s->ending || (c->sent ? !c->due : !over(s, e)))
                continue;
            if (!c->message || (!c->writes && !c->wanted)) {
                end(i, slot, e);
                continue;
            }
            c->due          = c->due || !c->writes;
            const bool next = p->fence.done || i->sent[pipe];
            c->served += next;
            c->waited = next ? 0 : c->waited + !held;
            if (c->waited > INTERRUPTS_SERVE || c->served > INTERRUPTS_SERVES)
                return broken(message, clock, slot,
                              c->due ? "the interrupt of a fence does not come, int_ctxid"
                                     : "a fence is not written in time, int_ctxid",
                              c->context);
        }
        s->waited += s->due && !p->fence.interrupt_valid;
        if (s->due && s->waited > INTERRUPTS_DEQUEUE)
            return broken(message, clock, slot, "the interrupt of a dequeue does not come, of type", s->due);
    }
    return true;
}

// ---- registers of events

void interrupts_error(interrupts *i, uint8_t code)
{
    if (code >> 5 >= 1 && code >> 5 <= 7)
        i->noted |= 1u << ((code >> 5) - 1);
}

static uint64_t legal(void)
{
    uint64_t bits = 0;
    for (int s = 0; s < SLOTS; s++)
        bits |= (uint64_t)1 << (8 * (s / QUEUES) + s % QUEUES);
    return bits;
}

// Bit of INTERRUPT_STATUS: that it is 1 exactly while the host has notices to read is proved of its block.
enum { NOTICE = 0x100 };

static uint32_t due(const totem_machine_out *out)
{
#if TOTEM_RUNLIST
    return out->notice.due ? NOTICE : 0;
#else
    (void)out;
    return 0;
#endif
}

// What the host reads of the first notice, and takes.
static bool notices(interrupts *i, const totem_machine_out *out, uint64_t clock, char message[256])
{
#if TOTEM_RUNLIST
    const totem_host_out *h     = &out->host;
    const uint32_t        data  = out->ledger.host_rdata;
    const uint64_t        first = i->notices[i->first];
    if (out->notice.ram_write_enable && i->count < NOTICES) // else it is lost
        i->notices[(i->first + i->count++) % NOTICES] = i->arrived;
    if (out->events.notice_valid && !notice(i, out->events.notice_entry, out->events.notice_context, clock, message))
        return false;
    if (!out->ledger.host_done || out->ledger.host_error)
        return true;
    const bool shown = h->request_dword == TOTEM_REG_RUNLIST_NOTICE && data >> 31,
               other = (data & 0x3ff) != first >> 32;
    if (shown && (!i->count || other)) {
        snprintf(message, 256, "clock %" PRIu64 ": NOTICE reads 0x%08x, and another one is the first", clock, data);
        return false;
    }
    if (h->request_dword == TOTEM_REG_RUNLIST_NOTICE_CTXID && data && data != (uint32_t)first) {
        snprintf(message, 256, "clock %" PRIu64 ": NOTICE_CTXID reads 0x%08x, not 0x%08x", clock, data,
                 (uint32_t)first);
        return false;
    }
    if (shown && h->request_write && h->request_strobe >> 3 && h->request_data >> 31) {
        i->first = (i->first + 1) % NOTICES;
        i->count--;
    }
#else
    (void)i, (void)out, (void)clock, (void)message;
#endif
    return true;
}

// Which queue of the run list is mapped where: whoever wrote MAP or ACTIVE last.
static void claims(interrupts *i, const totem_machine_out *out)
{
#if TOTEM_RUNLIST
    const totem_proxy_out *p    = &out->proxy;
    const uint32_t         at   = (p->address << 2) - TOTEM_REG_PIPE_BASE;
    const int              slot = (int)(at / TOTEM_REG_PIPE_STRIDE) * QUEUES + (int)(at / TOTEM_REG_QUEUE_STRIDE & 15);
    if (p->valid && p->write && p->address << 2 >= TOTEM_REG_PIPE_BASE && slot < SLOTS &&
        at % TOTEM_REG_QUEUE_STRIDE == 4 * TOTEM_REG_QUEUE_MAP)
        i->slots[slot].entry = out->runlist.access_entry;
#else
    (void)i, (void)out;
#endif
}

// Some end-of-pipe bit that counts.
static bool told(const interrupts *i)
{
    return (i->eop & i->eop_enable) != 0 || (i->ring_eop & i->ring_eop_enable) != 0;
}

// Whether a read gives what is known here.
static bool reads(const interrupts *i, uint32_t dword, uint32_t data, uint64_t clock)
{
    const int pipe = (int)(dword - TOTEM_REG_EVENTS_INT_CTXID) / 8, queue = (int)dword % 8;
    if (dword == TOTEM_REG_EVENTS_INTERRUPT_STATUS)
        return (data & ~(uint32_t)NOTICE) == (i->status << 1 | told(i));
    if (dword - TOTEM_REG_EVENTS_EOP_STATUS < 2)
        return data == (uint32_t)(i->eop >> 32 * (dword - TOTEM_REG_EVENTS_EOP_STATUS));
    if (dword < TOTEM_REG_EVENTS_INT_CTXID || pipe >= P || queue >= QUEUES)
        return true;
    const slot_watch *s = &i->slots[pipe * QUEUES + queue];
    return !s->told || data == s->context || (clock <= s->told + FRESH && data == s->context_before) ||
           (clock <= s->told + FRESH && !s->context_before);
}

static bool registers(interrupts *i, const totem_machine_out *out, const host_port *h, uint64_t clock,
                      char message[256])
{
    const totem_events_out *o = &out->events;
    if (o->irq != i->irq) {
        snprintf(message, 256, "clock %" PRIu64 ": irq is %d, by what has arrived and is enabled it is %d", clock,
                 o->irq, i->irq);
        return false;
    }
    if (o->host_done && !o->host_error && h->next < h->count) {
        const host_access *a     = &h->list[h->next];
        const uint32_t     dword = (a->address - TOTEM_REG_EVENTS_BASE) / 4;
        uint32_t           mask  = 0;
        for (int b = 0; b < 4; b++)
            mask |= a->bytes >> b & 1 ? 0xffu << 8 * b : 0;
        const uint32_t set   = a->data & mask;
        const unsigned place = 32 * (dword & 1);
        if (!a->write && !reads(i, dword, o->host_rdata, clock)) {
            snprintf(message, 256, "clock %" PRIu64 ": register %u of interrupts reads 0x%08x", clock, dword,
                     o->host_rdata);
            return false;
        }
        switch (a->write ? dword : UINT32_MAX) {
        case TOTEM_REG_EVENTS_INTERRUPT_STATUS: i->status &= ~(set >> 1 & 0x7f); break;
        case TOTEM_REG_EVENTS_INTERRUPT_ENABLE: i->enable = (i->enable & ~mask & 0x1ff) | (set & 0x1ff); break;
        case TOTEM_REG_EVENTS_INTERRUPT_TEST: i->status |= set >> 1 & 0x7f; break;
        case TOTEM_REG_EVENTS_EOP_STATUS:
        case TOTEM_REG_EVENTS_EOP_STATUS + 1: i->eop &= ~((uint64_t)set << place); break;
        case TOTEM_REG_EVENTS_EOP_ENABLE:
        case TOTEM_REG_EVENTS_EOP_ENABLE + 1:
            i->eop_enable = ((i->eop_enable & ~((uint64_t)mask << place)) | (uint64_t)set << place) & legal();
            break;
        case TOTEM_REG_EVENTS_RING_EOP_STATUS: i->ring_eop &= ~set; break;
        case TOTEM_REG_EVENTS_RING_EOP_ENABLE:
            i->ring_eop_enable = ((i->ring_eop_enable & ~mask) | set) & ((1u << TOTEM_FE_COUNT) - 1);
            break;
        case TOTEM_REG_EVENTS_RING_EOP_TEST: i->ring_eop |= set & ((1u << TOTEM_FE_COUNT) - 1); break;
        case TOTEM_REG_EVENTS_EOP_TEST:
        case TOTEM_REG_EVENTS_EOP_TEST + 1: i->eop |= (uint64_t)set << place & legal(); break;
        default: break;
        }
    }
    i->status |= i->coming;
    i->coming = 0;
    return true;
}

// A write of REPORT_INTERRUPT counts from the clock of its answer on.
static void choose_reports(interrupts *i, const totem_machine_out *out)
{
#if TOTEM_TASKS
    const totem_host_out *h = &out->host;
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        for (int b = 0; b < 4; b++)
            if (h->submit_valid[f] && h->request_write && out->fe[f].submit.host_done &&
                !out->fe[f].submit.host_error && h->request_dword == TOTEM_REG_TASKS_REPORT_INTERRUPT &&
                h->request_strobe >> b & 1)
                i->reports[f] = (i->reports[f] & ~(0xffu << 8 * b)) | (h->request_data & 0xffu << 8 * b);
#else
    (void)i, (void)out;
#endif
}

bool interrupts_step(interrupts *i, const totem_machine_out *out, const host_port *h, const memory *m, const tasks *t,
                     uint64_t clock, char message[256])
{
    choose_reports(i, out);
    claims(i, out);
    if (!notices(i, out, clock, message))
        return false;
    if (!registers(i, out, h, clock, message))
        return false;
    for (int n = 0; n < P; n++) {
        const totem_pipe_out  *own = &out->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES];
        const totem_front_out *p   = &own->front;
        if (!abandonments(i, p, n, clock, message) || !packets(i, own, n, m, clock, message) ||
            !tasks_end(i, out, t, n, clock, message) || !sendings(i, out, n, clock, message) ||
            !dequeues(i, out, h, n, clock, message))
            return false;
        records(i, out, n);
    }
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        if (!answers(i, &out->fe[f].memory, f, clock, message))
            return false;
    waves(i, out);
    if (out->events.ram_write_enable) {
        const int pipe = out->events.ram_write_addr / 8, queue = out->events.ram_write_addr % 8;
        if (pipe >= P) // a ring's
            i->ring_eop |= 1u << (out->events.ram_write_addr - 8 * P);
        else if (!arrival(i, pipe * QUEUES + queue, out->events.ram_write_data, clock, message))
            return false;
    }
    if (!waiting(i, out, m, clock, message) || !requests(i, h, clock, message))
        return false;
    for (int n = 0; n < P; n++) {
        const totem_hqd_out *o = &out->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES].front.hqd;
        if (o->load_valid)
            loads(i, o, n);
    }
    // Status and irq of the next clock.
    i->irq     = ((due(out) | i->status << 1 | told(i)) & i->enable) != 0;
    i->coming  = i->noted | (out->machine_fatal.any && !i->checked ? 1u << 5 : 0);
    i->checked = i->checked || out->machine_fatal.any;
    i->noted   = 0;
    return true;
}

bool interrupts_complete(const interrupts *i, char message[256])
{
    for (int slot = 0; slot < SLOTS; slot++) {
        const slot_watch *s = &i->slots[slot];
        for (int e = 0; e < EPOCHS; e++)
            if (s->closed[e].used && s->closed[e].due) {
                snprintf(message, 256, "pipe %d queue %d: the interrupt of a fence has not come (int_ctxid 0x%x)",
                         slot / QUEUES, slot % QUEUES, s->closed[e].context);
                return false;
            }
        if (s->told_of) {
            snprintf(message, 256, "pipe %d queue %d: the interrupt of task 0x%x has not come", slot / QUEUES,
                     slot % QUEUES, s->task);
            return false;
        }
        if (s->due) {
            snprintf(message, 256, "pipe %d queue %d: the interrupt of a dequeue of type %u has not come",
                     slot / QUEUES, slot % QUEUES, s->due);
            return false;
        }
    }
    return true;
}

bool interrupts_flushed(const interrupts *i, int slot)
{
    return i->slots[slot].last == NONE;
}

bool interrupts_empty(const interrupts *i, int slot)
{
    const slot_watch *s    = &i->slots[slot];
    bool              some = s->used != 0;
    for (int e = 0; e < EPOCHS; e++)
        some = some || s->waves[e] || s->writes[e];
    return !some;
}

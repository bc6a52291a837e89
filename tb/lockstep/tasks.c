// SPDX-License-Identifier: Apache-2.0
//
// tasks: see tasks.h. Places of fields are those of the published QMD 02_02 and 03_00, written down here once more.

#include "tasks.h"

#include "../../cmodel/packet/totem_pm4.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = TOTEM_PIPE_COUNT * TOTEM_QUEUES, DWORDS = 64, WORDS = 8, REGISTERS = 128 };
enum { MOST = 4096 }; // tasks at a time

// What a release writes: a dword; `any`: the clock.
typedef struct {
    uint64_t address;
    uint32_t data;
    bool     any, seen;
} release;

typedef enum { FREE, WAITING, RUNNING, RELEASING, REPORTABLE } stage;

typedef struct {
    stage    stage;
    int      slot;
    uint32_t pointer;
    bool     dependent;
    uint32_t next; // pointer of the dependent
    uint32_t registers[REGISTERS];
    uint32_t body[4];
    size_t   number; // RUNNING and later: of its queue, as the account numbers them
    release  releases[WORDS];
    int      writes; // of releases
    uint64_t order;
    int64_t  rank; // in its list: at the head before all others, else behind
} task;

struct tasks {
    account      *account;
    const memory *memory;
    task          list[MOST];
    size_t        used; // places of the list that have been used: the others are free
    uint64_t      order;
    uint64_t      taken[SLOTS];   // tasks inserted when the slot last took one
    uint64_t      granted[SLOTS]; // clock of the last group of a task of each slot
    tasks_sums    sums;
};

tasks *tasks_create(account *a, const memory *m)
{
    tasks *t = calloc(1, sizeof *t);
    if (t) {
        t->account = a;
        t->memory  = m;
    }
    return t;
}

void tasks_destroy(tasks *t)
{
    free(t);
}

#if TOTEM_TASKS
static uint32_t field(const uint32_t *d, unsigned high, unsigned low)
{
    const unsigned width = high - low + 1;
    return d[low / 32] >> low % 32 & (width == 32 ? ~0u : (1u << width) - 1);
}

static void add_release(task *t, uint64_t address, uint64_t value, uint32_t size, bool wide)
{
    const int      dwords = size == 1 ? 1 : size == 2 ? 2 : 4;
    const uint64_t at     = address & (dwords == 1 ? ~(uint64_t)3 : ~(uint64_t)7);

    for (int n = 0; n < dwords; n++) {
        release r = {.address = (at + 4u * (unsigned)n) & 0xffffffffffu, .any = n >= 2};
        if (n == 0)
            r.data = (uint32_t)value;
        if (n == 1 && wide)
            r.data = (uint32_t)(value >> 32);
        t->releases[t->writes++] = r;
    }
}

static void read_releases(task *t, const uint32_t *d, bool new)
{
    for (unsigned n = 0; n < 2; n++) {
        const bool enabled = new ? field(d, 823 + 128 * n, 823 + 128 * n) : field(d, 138 + n, 138 + n);
        if (!enabled)
            continue;
        if (new) {
            const unsigned base    = 768 + 128 * n;
            const uint64_t address = (uint64_t)field(d, base + 39, base + 32) << 32 | field(d, base + 31, base);
            const uint64_t value   = (uint64_t)field(d, base + 127, base + 96) << 32 | field(d, base + 95, base + 64);
            const uint32_t size    = field(d, base + 63, base + 62);
            add_release(t, address, value, size, field(d, base + 61, base + 61));
        } else {
            const unsigned base    = 736 + 96 * n;
            const uint64_t address = (uint64_t)field(d, base + 39, base + 32) << 32 | field(d, base + 31, base);
            add_release(t, address, field(d, base + 95, base + 64), field(d, base + 63, base + 63), false);
        }
    }
}

static bool insert(tasks *t, int slot, uint32_t pointer, char message[256])
{
    uint32_t d[DWORDS];
    task    *n = t->list;

    while (n < t->list + t->used && n->stage != FREE)
        n++;
    if (n == t->list + MOST) {
        snprintf(message, 256, "tasks: more than %d tasks at a time, beyond what the harness keeps", MOST);
        return false;
    }
    for (unsigned k = 0; k < DWORDS; k++)
        d[k] = memory_read32(t->memory, ((uint64_t)pointer << 8) + 4 * k);
    if (n == t->list + t->used)
        t->used++;
    const uint32_t version = field(d, 583, 576);
    const bool new         = version == 0x30;
    if (!new &&version != 0x22) {
        snprintf(message, 256, "tasks: the descriptor at 0x%llx has no known version: 0x%x",
                 (unsigned long long)pointer << 8, version);
        return false;
    }
    *n = (task){.stage = WAITING, .slot = slot, .pointer = pointer, .order = t->order++};
    // A thread's registers in blocks of 8, LDS in blocks of 512 bytes.
    const uint32_t count = field(d, 656, 648), lds = (field(d, 561, 544) + 511) / 512;
    uint32_t      *r = n->registers;
    r[0x07]          = field(d, 607, 592);
    r[0x08]          = field(d, 623, 608);
    r[0x09]          = field(d, 639, 624);
    r[0x0c]          = field(d, 1567, 1544) | field(d, 1575, 1568) << 24;
    r[0x12]          = count ? (count - 1) / 8 : 0;
    r[0x13]          = 2u << 1 | (lds > 511 ? 511 : lds) << 15;
    r[0x16] = r[0x17] = r[0x19] = r[0x1a] = ~0u;
    r[0x40]                               = pointer << 8;
    r[0x41]                               = pointer >> 24;
    n->body[0]                            = field(d, 415, 384);
    n->body[1]                            = field(d, 431, 416);
    n->body[2]                            = field(d, 463, 448);
    n->body[3]                            = 1u | 1u << 2 | 1u << 15; // from group 0 on, waves of 32
    n->dependent                          = new ? field(d, 512, 512) : field(d, 141, 141);
    n->next                               = field(d, 511, 480);
    n->rank                               = field(d, 137, 137) ? -(int64_t)n->order : (int64_t)n->order;
    read_releases(n, d, new);
    return true;
}
#endif

static bool broken(char message[256], uint64_t clock, const task *k, const char *what)
{
    snprintf(message, 256, "clock %llu: pipe %d queue %d, task 0x%llx: %s", (unsigned long long)clock,
             k->slot / TOTEM_QUEUES, k->slot % TOTEM_QUEUES, (unsigned long long)k->pointer << 8, what);
    return false;
}

#if TOTEM_TASKS
static bool is_empty(const task *k)
{
    return k->body[0] == 0 || k->body[1] == 0 || k->body[2] == 0;
}

// The task that a group granted to a queue, which is at no task, begins: of those that were there when it was taken and
// that have this program, these registers and that group, the first of the list.
static task *beginning(tasks *t, int slot, const totem_issue_out *g)
{
    const uint32_t at[3] = {(uint32_t)g->grant_group, g->grant_group >> 32 & 0xffff, (uint32_t)(g->grant_group >> 48)};
    task          *found = NULL;
    for (task *k = t->list; k < t->list + t->used; k++) {
        if (k->stage != WAITING || k->slot != slot || k->order >= t->taken[slot] || (found && found->rank < k->rank))
            continue;
        if (k->registers[0x0c] != (uint32_t)g->grant_program || (k->registers[0x12] & 0x3f) + 1 != g->grant_vgprs ||
            k->registers[0x13] >> 15 != g->grant_lds)
            continue;
        if (at[0] < k->body[0] && at[1] < k->body[1] && at[2] < k->body[2])
            found = k;
    }
    return found;
}

static bool granted(tasks *t, const totem_machine_out *out, int e, uint64_t clock, char message[256])
{
    const totem_issue_out *g    = &out->se[e].issue;
    const int              pipe = g->grant_fe * TOTEM_PIPES + g->grant_pipe;
    const int              slot = pipe * TOTEM_QUEUES + g->grant_queue;

    t->granted[slot] = clock;
    if (account_task_open(t->account, pipe, g->grant_queue))
        return true;
    task *k = beginning(t, slot, g);
    if (!k) {
        snprintf(message, 256,
                 "clock %llu: pipe %d queue %d: a group of a task is granted, but none with its program, "
                 "registers and grid may start",
                 (unsigned long long)clock, pipe, g->grant_queue);
        return false;
    }
    k->stage  = RUNNING;
    k->number = account_task(t->account, pipe, g->grant_queue, k->registers, k->body, message);
    t->sums.started++;
    return k->number != SIZE_MAX;
}

static bool all_written(const task *k)
{
    for (int n = 0; n < k->writes; n++)
        if (!k->releases[n].seen)
            return false;
    return true;
}

// What has ended releases; what has released is followed by its dependent.
static bool advance(tasks *t, task *k, char message[256])
{
    const int pipe = k->slot / TOTEM_QUEUES, queue = k->slot % TOTEM_QUEUES;

    if (k->stage == WAITING && is_empty(k)) {
        k->stage = RELEASING;
        t->sums.started++;
    }
    if (k->stage == RUNNING && account_task_ended(t->account, pipe, queue, k->number))
        k->stage = RELEASING;
    if (k->stage == RELEASING && all_written(k)) {
        const bool itself = k->dependent && k->next == k->pointer;
        k->stage          = itself ? FREE : REPORTABLE;
        if (k->dependent)
            return insert(t, k->slot, k->next, message);
    }
    return true;
}

static bool reported(tasks *t, int fe, const totem_task_out *o, uint64_t clock, char message[256])
{
    const int      slot    = fe * TOTEM_PIPES * TOTEM_QUEUES + o->report_write_addr;
    const uint32_t pointer = (uint32_t)(o->report_write_data >> 32);
    task          *found   = NULL;

    for (task *k = t->list; k < t->list + t->used; k++)
        if (k->stage == REPORTABLE && k->slot == slot && k->pointer == pointer && !(found && found->order < k->order))
            found = k;
    if (!found) {
        const task what = {.slot = slot, .pointer = pointer};
        return broken(message, clock, &what, "reported, but it has not ended and released");
    }
    found->stage = FREE;
    t->sums.reported++;
    return true;
}

#endif

bool tasks_step(tasks *t, const totem_machine_out *out, uint64_t clock, char message[256])
{
#if TOTEM_TASKS
    for (int pipe = 0; pipe < TOTEM_PIPE_COUNT; pipe++) {
        const totem_execute_out *x = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].execute;
        if (x->executed && x->executed_opcode == TOTEM_OP_LAUNCH_TASK &&
            !insert(t, pipe * TOTEM_QUEUES + x->dispatch_queue, (uint32_t)x->service_data, message))
            return false;
    }
    for (task *k = t->list; k < t->list + t->used; k++)
        if (k->stage != FREE && !advance(t, k, message))
            return false;
    for (int pipe = 0; pipe < TOTEM_PIPE_COUNT; pipe++) {
        const totem_runner_out *r = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].runner;
        if (r->taken)
            t->taken[pipe * TOTEM_QUEUES + r->task_queue] = t->order;
    }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_issue_out *g = &out->se[e].issue;
        if (g->grant_valid && g->grant_kind == 0 && g->grant_pipe < TOTEM_PIPES &&
            out->fe[g->grant_fe].pipe[g->grant_pipe].runner.on && !granted(t, out, e, clock, message))
            return false;
    }
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        if (out->fe[f].tasks.report_write_enable && !reported(t, f, &out->fe[f].tasks, clock, message))
            return false;
#else
    (void)t, (void)out, (void)clock, (void)message;
#endif
    return true;
}

bool tasks_write(tasks *t, uint64_t address, uint32_t data, uint64_t clock, char message[256])
{
    task *early = NULL;
    for (task *k = t->list; k < t->list + t->used; k++)
        for (int n = 0; k->stage != FREE && k->stage != REPORTABLE && n < k->writes; n++) {
            release *r = &k->releases[n];
            if (r->seen || r->address != address || (r->data != data && !r->any))
                continue;
            if (k->stage == RELEASING) {
                r->seen = true;
                return true;
            }
            early = k;
        }
    return !early || broken(message, clock, early, "a release of it is written before all its waves have ended");
}

bool tasks_wait(const tasks *t, int slot, uint64_t clock)
{
    if (t->granted[slot] && clock <= t->granted[slot] + TASKS_SEEN)
        return true;
    if (account_task_open(t->account, slot / TOTEM_QUEUES, slot % TOTEM_QUEUES))
        return true;
    for (const task *k = t->list; k < t->list + t->used; k++)
        if (k->stage == WAITING && k->slot == slot)
            return true;
    return false;
}

bool tasks_complete(const tasks *t, char message[256])
{
    static const char *const names[] = {"", "has not started", "has not ended", "has not written its releases",
                                        "is not reported"};
    for (const task *k = t->list; k < t->list + t->used; k++)
        if (k->stage != FREE) {
            snprintf(message, 256, "pipe %d queue %d: task 0x%llx %s", k->slot / TOTEM_QUEUES, k->slot % TOTEM_QUEUES,
                     (unsigned long long)k->pointer << 8, names[k->stage]);
            return false;
        }
    return true;
}

tasks_sums tasks_sum(const tasks *t)
{
    return t->sums;
}

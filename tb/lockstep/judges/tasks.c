// SPDX-License-Identifier: Apache-2.0
//
// tasks: see tasks.h. Places of fields are those of the published QMD 02_02 and 03_00, written down here once more.

#include "tasks.h"

#include "../../../cmodel/host/totem_regs_map.h"
#include "../../../cmodel/lib/totem_lists_values.h"
#include "../../../cmodel/packet/totem_pm4.h"
#include "../../../cmodel/queue/totem_hqd_values.h"
#include "../../../cmodel/task/totem_task_values.h"
#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD_LIST, SAVE_LIST }; // what mqd asks spill for; more: to save an empty list
enum { SLOTS = TOTEM_PIPE_COUNT * TOTEM_QUEUES, DWORDS = 64, WORDS = 8, REGISTERS = 128 };
enum { MOST = 4096 };         // tasks at a time
enum { LOADS = 2 };           // of descriptors at a time
enum { THREADS_MOST = 8191 }; // of a work-group are counted

// What a release writes: a dword; `any`: the clock.
typedef struct {
    uint64_t address;
    uint32_t data;
    bool     any, seen;
} release;

// COMING: a dependent whose parent has ended and released, but is not over yet; the one of a parent that is dealt with
// may start. WAITING: in its list.
typedef enum { FREE, COMING, WAITING, RUNNING, RELEASING, ENDED } stage;

typedef struct {
    stage    stage;
    int      slot;
    int      home; // slot of its account: moves with its queue, also when the task itself stays behind
    uint32_t pointer;
    bool     dependent, itself; // it has a dependent; that is itself
    uint32_t next;              // pointer of the dependent
    bool     renew;             // a round of it has its descriptor loaded again
    bool     round, stands;     // it is a round of a task that names itself; its entry is that of the round before
    uint64_t since;             // round: clock of the start of the round before; stands: clock of its load
    bool     refused;           // its dependent has a record
    bool     head;              // it joins its list at the head
    uint32_t level;             // its priority in the list
    uint8_t  code;              // its descriptor must be refused with that error, 0 none
    uint32_t word;
    uint64_t parent; // COMING: number of its parent; 0: launched by the host or a wave, and not in its list yet
    uint32_t registers[REGISTERS];
    uint32_t body[4];
    uint32_t threads, waves, vgprs, lds; // of a work-group
    uint32_t invalidate;
    size_t   number; // RUNNING and later: of its queue, as the account numbers them
    release  releases[WORDS];
    int      writes; // of releases
    bool     trap;   // one of them asks for an interrupt
    uint64_t order;
    int64_t  rank;     // in its list: at the head before all others, else behind
    uint64_t started;  // RUNNING and later: number of its start
    bool     again;    // WAITING: it was unfinished when its mapping ended
    bool     stored;   // it has no entry: it was given back with its queue, or joined those that were
    bool     lost;     // COMING: its mapping has ended; it may have a record, and does not start
    bool     orphaned; // RUNNING and later: its mapping has ended; it has no dependent, and perhaps no report
    bool     given_up; // a reset has abandoned its slot: it may never be over
    unsigned entry;    // RUNNING and later: of the front end
    uint64_t loaded;   // RUNNING and later: clock in which the load of its entry was asked for
    uint64_t clock;    // RUNNING and later: of its start
    uint32_t words[DWORDS];
} task;

struct tasks {
    account      *account;
    const memory *memory;
    task          list[MOST];
    size_t        used; // places of the list that have been used: the others are free
    uint64_t      order, starts;
    uint32_t      reported[SLOTS];
    bool          strict, priority;        // GROUP_STRICT, TMD_PRIORITY
    bool          far[TOTEM_FE_COUNT];     // ADDRESS_HIGH is not 0: no address of a task has bit 39
    unsigned      taken_entry;             // of the task that is being started
    task         *at[HARNESS_PLACES];      // started, and not all of its groups are granted
    bool          trap[SLOTS];             // a task with a trap ends in this clock
    uint64_t      granted[HARNESS_PLACES]; // clock of the last group of a task of each slot
    bool          large[SLOTS];            // a task was given up as too large: its record comes
    uint32_t      large_waves[SLOTS];
    bool          mapped[SLOTS];
    bool          kept[SLOTS];       // the list of the slot has been saved,
    bool          gone[SLOTS];       // or was not, and its mapping has ended; it has not left the pipe yet
    uint32_t      dropped[2 * MOST]; // pointers of tasks that do not run any more, for the software
    size_t        dropped_count;
    uint64_t      halt_by[SLOTS]; // a record has come: the queue halts until this clock, 0 none
    struct {
        uint32_t pointer;
        bool     pushed;
        uint64_t asked; // clock in which its load was asked for
        uint32_t words[DWORDS];
    } entries[TOTEM_FE_COUNT][TOTEM_ENTRIES]; // what is loaded into an entry of a front end
    struct {
        uint64_t asked;
        unsigned beat, entry;
        uint32_t words[DWORDS];
    } loads[TOTEM_FE_COUNT][LOADS]; // what memory has delivered for the loads of a front end
    tasks_sums sums;
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

// A task does not run any more, nor what depends on it. Who asks does so in every clock.
static void tell(tasks *t, uint32_t pointer)
{
    if (t->dropped_count < sizeof t->dropped / sizeof t->dropped[0])
        t->dropped[t->dropped_count++] = pointer;
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
            t->trap = t->trap || field(d, base + 60, base + 59) == 1;
        } else {
            const unsigned base    = 736 + 96 * n;
            const uint64_t address = (uint64_t)field(d, base + 39, base + 32) << 32 | field(d, base + 31, base);
            add_release(t, address, field(d, base + 95, base + 64), field(d, base + 63, base + 63), false);
        }
    }
}

enum { ANY_GROUP = 64 };

// The first check of a task that fails, 0 none, and the dword that it is of: its pointer, then of its descriptor the
// version, then the dwords in ascending order. `group`: what GROUP_ID must be, or ANY_GROUP. `far`: no address may have
// bit 39.
static uint8_t refusal(const task *k, uint32_t group, bool far, uint32_t *word)
{
    const uint32_t *d       = k->words;
    const uint32_t  version = field(d, 583, 576);
    *word                   = k->pointer;
    if (far && k->pointer >> 31)
        return TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS;
    const bool new = version == 0x30;
    *word          = d[18];
    if (!new &&version != 0x22)
        return TOTEM_ERROR_DESCRIPTOR_TMD_VERSION;
    *word = d[4];
    if (field(d, 136, 136))
        return TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE;
    if (new &&field(d, 157, 142))
        return TOTEM_ERROR_DESCRIPTOR_TMD_COUNTER;
    if (!new &&field(d, 141, 141) && !field(d, 142, 142))
        return TOTEM_ERROR_DESCRIPTOR_TMD_TYPE;
    if (group != ANY_GROUP && field(d, 133, 128) != group)
        return TOTEM_ERROR_DESCRIPTOR_TMD_GROUP;
    *word = d[11];
    if (field(d, 367, 367) || field(d, 370, 370) || field(d, 371, 371) || field(d, 369, 368) == 2)
        return TOTEM_ERROR_DESCRIPTOR_TMD_FIELD;
    *word = d[15];
    if (far && field(d, 511, 511) && (new ? field(d, 512, 512) : field(d, 141, 141)))
        return TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS;
    *word                 = d[16];
    const uint32_t action = field(d, 515, 513);
    if (new &&field(d, 517, 517))
        return TOTEM_ERROR_DESCRIPTOR_TMD_DEPENDENT1;
    if (new &&field(d, 512, 512) && action != 1 && action != 3)
        return TOTEM_ERROR_DESCRIPTOR_TMD_ACTION;
    *word = d[18];
    if (field(d, 607, 592) == 0)
        return TOTEM_ERROR_DESCRIPTOR_TMD_FIELD;
    *word = d[19];
    if (field(d, 623, 608) == 0 || field(d, 639, 624) == 0)
        return TOTEM_ERROR_DESCRIPTOR_TMD_FIELD;
    for (unsigned n = 0; n < 2; n++) {
        const unsigned base = new ? 800 + 128 * n : 768 + 96 * n; // of the dword with its flags
        *word               = d[base / 32];
        if (!(new ? field(d, base + 23, base + 23) : field(d, 138 + n, 138 + n)))
            continue;
        if (field(d, base + 26, base + 26) || (new && (field(d, base + 31, base + 30) == 3 || d[base / 32] >> 28 & 1)))
            return TOTEM_ERROR_DESCRIPTOR_TMD_FIELD;
        if (far && field(d, base + 7, base + 7))
            return TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS;
    }
    *word = d[53];
    return new &&field(d, 1719, 1719) ? TOTEM_ERROR_DESCRIPTOR_TMD_FIELD : 0;
}

// What a descriptor says about dependents.
static void follow(task *n)
{
    const uint32_t *d = n->words;
    const bool new    = field(d, 583, 576) == 0x30;
    n->dependent      = new ? field(d, 512, 512) : field(d, 141, 141);
    n->next           = field(d, 511, 480);
    n->itself         = n->dependent && n->next == n->pointer;
    n->renew          = !new || field(d, 515, 513) == 3;
}

// What it says about waves.
static void fill(task *n)
{
    const uint32_t *d = n->words;
    // A thread's registers in blocks of 8, LDS in blocks of 512 bytes.
    const uint32_t count = field(d, 656, 648), lds = (field(d, 561, 544) + 511) / 512;
    uint32_t      *r = n->registers;
    r[0x07]          = field(d, 607, 592);
    r[0x08]          = field(d, 623, 608);
    r[0x09]          = field(d, 639, 624);
    r[0x0c]          = field(d, 1567, 1544) | field(d, 1575, 1568) << 24;
    r[0x0d]          = field(d, 1583, 1576);
    r[0x12]          = count ? (count - 1) / 8 : 0;
    r[0x13]          = 2u << 1 | (lds > 511 ? 511 : lds) << 15;
    // Engines that are not disabled, or all.
    const uint32_t engines = (1u << TOTEM_SE_COUNT) - 1, left = engines & ~d[21];
    for (unsigned e = 0; e < 4; e++)
        r[0x16 + e + (e > 1)] = (left ? left : engines) >> e & 1;
    r[0x40]                = n->pointer << 8;
    r[0x41]                = n->pointer >> 24;
    const uint64_t threads = (uint64_t)r[0x07] * r[0x08] * r[0x09];
    n->threads             = threads > THREADS_MOST ? THREADS_MOST : (uint32_t)threads;
    n->waves               = (n->threads + 31) / 32;
    n->vgprs               = r[0x12] + 1;
    n->lds                 = r[0x13] >> 15;
    n->body[0]             = field(d, 415, 384);
    n->body[1]             = field(d, 431, 416);
    n->body[2]             = field(d, 463, 448);
    n->body[3]             = 1u | 1u << 2 | 1u << 15; // from group 0 on, waves of 32
    n->invalidate          = field(d, 191, 186);
    follow(n);
}

static void join(tasks *t, task *k)
{
    k->stage = WAITING;
    k->order = t->order++;
    k->rank  = (k->head ? -2 : 2) * (int64_t)k->order;
    // A round that has its entry comes before those that have none.
    for (const task *each = t->list; k->stands && !k->head && each < t->list + t->used; each++)
        if (each->stage == WAITING && each->slot == k->slot && each->stored && !each->again && each->rank <= k->rank)
            k->rank = each->rank - 1;
}

static task *insert(tasks *t, int slot, uint32_t pointer, char message[256])
{
    task *n = t->list;

    while (n < t->list + t->used && n->stage != FREE)
        n++;
    if (n == t->list + MOST) {
        snprintf(message, 256, "tasks: more than %d tasks at a time, beyond what the harness keeps", MOST);
        return NULL;
    }
    if (n == t->list + t->used)
        t->used++;
    *n = (task){.stage = COMING, .slot = slot, .home = slot, .pointer = pointer};
    for (unsigned k = 0; k < DWORDS; k++)
        n->words[k] = memory_read32(t->memory, ((uint64_t)pointer << 8) + 4 * k);
    const uint32_t *d    = n->words;
    const unsigned  pipe = (unsigned)slot / TOTEM_QUEUES, queue = (unsigned)slot % TOTEM_QUEUES;
    const uint32_t  group = t->strict ? pipe / TOTEM_PIPES << 4 | pipe % TOTEM_PIPES << 3 | queue : ANY_GROUP;
    n->code               = refusal(n, group, t->far[pipe / TOTEM_PIPES], &n->word);
    n->level              = t->priority ? field(d, 133, 132) : 0;
    n->head               = field(d, 137, 137);
    fill(n);
    if (!n->code)
        read_releases(n, d, field(d, 583, 576) == 0x30);
    return n;
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

static bool is_large(const task *k)
{
    return k->waves > TOTEM_SLOTS || k->waves * k->vgprs > TOTEM_VGPRS || k->lds > TOTEM_LDS;
}

// The task that a queue starts: the first of its list; if the list is empty the dependent of the task that is being
// dealt with, which is the first that has started and is not over.
static task *first_over(tasks *t, int slot)
{
    task *found = NULL;
    for (task *k = t->list; k < t->list + t->used; k++)
        if (k->stage >= RUNNING && k->slot == slot && !k->orphaned && !(found && found->started < k->started))
            found = k;
    return found;
}

// What of a list starts first.
static bool before(const task *a, const task *b)
{
    if (a->again != b->again)
        return a->again;
    if (a->level != b->level)
        return a->level > b->level;
    return a->rank != b->rank ? a->rank < b->rank : a->order < b->order;
}

static task *next_of(tasks *t, int slot)
{
    task       *found = NULL, *child = NULL;
    const task *parent = first_over(t, slot);
    for (task *k = t->list; k < t->list + t->used; k++) {
        if (k->slot != slot || k->stored || k->lost)
            continue;
        if (k->stage == WAITING && !(found && before(found, k)))
            found = k;
        if (k->stage == COMING && parent && k->parent == parent->started && !k->code)
            child = k;
    }
    return found ? found : child;
}

// Its pointer waits; it is loaded when there is an entry.
static void store(task *k)
{
    k->stored = true;
    k->stands = false;
}

// The mapping of the slot has ended with a save: its unfinished task is the first of the list.
static void saved(tasks *t, int slot)
{
    task *k = t->at[slot];
    for (task *each = t->list; each < t->list + t->used; each++)
        if (each->stage != FREE && each->slot == slot)
            store(each);
    if (!k)
        return;
    k->stage    = WAITING;
    k->again    = true;
    k->rank     = INT64_MIN;
    t->at[slot] = NULL;
}

// The mapping of the slot has ended without a save, and it has left the pipe.
static void unmapped(tasks *t, int slot)
{
    task *k = t->at[slot];
    if (k) {
        account_task_cut(t->account, slot / TOTEM_QUEUES, slot % TOTEM_QUEUES);
        k->stage = FREE;
        tell(t, k->pointer);
    }
    t->at[slot] = NULL;
    for (k = t->list; k < t->list + t->used; k++) {
        if (k->slot != slot || k->stage == FREE || k->orphaned || k->lost)
            continue;
        if (k->stage <= WAITING)
            tell(t, k->pointer);
        else if (k->dependent && k->stage != ENDED) // else its child is in the list
            tell(t, k->next);
        k->lost     = k->stage == COMING;
        k->orphaned = k->stage >= RUNNING;
        if (k->stage == WAITING && k->again)
            account_task_cut(t->account, slot / TOTEM_QUEUES, slot % TOTEM_QUEUES);
        if (k->stage == WAITING)
            k->stage = FREE;
    }
}

// A task starts from an entry: what memory delivered for that counts. A round of a task that names itself has a load of
// its own, or the entry of the round before, unless it was given back with its queue.
static bool entered(const tasks *t, task *k, int fe, uint64_t clock, char message[256])
{
    const uint64_t asked = t->entries[fe][t->taken_entry].asked;
    if (t->entries[fe][t->taken_entry].pointer != k->pointer)
        return broken(message, clock, k, "taken, and its entry is of another descriptor");
    if (k->round && (k->stands ? asked != k->since : asked <= k->since))
        return broken(message, clock, k,
                      k->stands ? "it names itself, and is loaded again" : "its round is not loaded");
    k->round  = k->round && !k->again;
    k->clock  = clock;
    k->loaded = asked;
    memcpy(k->words, t->entries[fe][t->taken_entry].words, sizeof k->words);
    uint32_t word;
    if (refusal(k, ANY_GROUP, t->far[fe], &word))
        return broken(message, clock, k, "started, though its descriptor must be refused");
    if (k->again) {
        follow(k);
        return true;
    }
    k->writes = 0;
    k->trap   = false;
    fill(k);
    read_releases(k, k->words, field(k->words, 583, 576) == 0x30);
    return true;
}

static bool starts(tasks *t, int slot, uint64_t clock, char message[256])
{
    task *k = next_of(t, slot);
    if (!k || t->at[slot]) {
        snprintf(message, 256, "clock %llu: pipe %d queue %d: a task is taken, and %s", (unsigned long long)clock,
                 slot / TOTEM_QUEUES, slot % TOTEM_QUEUES, k ? "there is one that is not granted" : "none may start");
        return false;
    }
    if (!entered(t, k, slot / (TOTEM_PIPES * TOTEM_QUEUES), clock, message))
        return false;
    t->sums.early += k->stage == COMING;
    t->sums.rounds += k->round && !k->again;
    k->stage    = RUNNING;
    k->started  = ++t->starts;
    k->entry    = t->taken_entry;
    t->at[slot] = k;
    if (is_large(k) || is_empty(k) || k->again) {
        k->again = false;
        return true;
    }
    k->number = account_task(t->account, slot / TOTEM_QUEUES, slot % TOTEM_QUEUES, k->registers, k->body, k->invalidate,
                             message);
    return k->number != SIZE_MAX;
}

// The task that is at its groups has them all, or is given up.
static bool leaves(tasks *t, int slot, bool refused, uint64_t clock, char message[256])
{
    const task what = {.slot = slot};
    task      *k    = t->at[slot];
    t->at[slot]     = NULL;
    if (!k)
        return broken(message, clock, &what, "it is granted or given up, and has not started");
    if (is_large(k) != refused)
        return broken(message, clock, k, refused ? "given up, and fits" : "granted, and larger than an engine");
    if (!refused) {
        t->granted[slot] = clock;
        t->sums.started++;
        t->sums.empty += is_empty(k);
        if (is_empty(k))
            k->stage = RELEASING;
        return is_empty(k) || !account_task_open(t->account, slot / TOTEM_QUEUES, slot % TOTEM_QUEUES) ||
               broken(message, clock, k, "granted, and groups of it are not");
    }
    t->sums.large++;
    t->large[slot]       = true;
    t->large_waves[slot] = k->waves;
    k->stage             = FREE;
    return true;
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
    const int pipe = k->home / TOTEM_QUEUES, queue = k->home % TOTEM_QUEUES;

    if (k->stage == RUNNING && k != t->at[k->slot] && account_task_ended(t->account, pipe, queue, k->number))
        k->stage = RELEASING;
    if (k->stage != RELEASING || !all_written(k))
        return true;
    k->stage = ENDED;
    if (!k->dependent)
        return true;
    task *child = insert(t, k->slot, k->next, message);
    if (child) {
        child->parent = k->started;
        child->lost   = k->orphaned;
        child->round  = k->itself;
        child->stands = k->itself && !k->renew;
        child->since  = child->stands ? k->loaded : k->clock;
        if (child->stands) {
            child->code  = 0;
            child->level = k->level;
            child->head  = k->head;
            memcpy(child->words, k->words, sizeof k->words);
            fill(child);
        }
    }
    return child;
}

// A task is over: its dependent is in its list, and it is reported unless it names itself.
static bool over(tasks *t, int fe, const totem_machine_out *out, uint64_t clock, char message[256])
{
    const totem_task_out *o    = &out->fe[fe].tasks;
    const int             slot = fe * TOTEM_PIPES * TOTEM_QUEUES + out->fe[fe].finish.over_queue;
    const task            what = {.slot = slot};
    task                 *k    = NULL;

    // Those of earlier mappings are over beside the others.
    for (task *each = t->list; each < t->list + t->used; each++)
        if (each->stage >= RUNNING && each->slot == slot && each->entry == out->fe[fe].finish.over_entry &&
            !(k && !k->given_up))
            k = each;
    if (!k || (!k->orphaned && k != first_over(t, slot)))
        return broken(message, clock, k ? k : &what, "over, and another one of its queue was first");
    if (k->stage != ENDED && !k->given_up)
        return broken(message, clock, k, "over, but it has not ended and released");
    if (((k->itself && !k->refused) == o->report_write_enable && !k->orphaned) ||
        (o->report_write_enable && ((uint32_t)(o->report_write_data >> 32) != k->pointer ||
                                    fe * TOTEM_PIPES * TOTEM_QUEUES + o->report_write_addr != slot)))
        return broken(message, clock, k, "over, and not reported, or another task is");
    // TASKS_DONE counts the reports of a slot, whatever is mapped there.
    if (o->report_write_enable && (uint32_t)o->report_write_data != ++t->reported[slot])
        return broken(message, clock, k, "reported, and TASKS_DONE is not one more");
    for (task *child = t->list; child < t->list + t->used; child++) {
        if (child->stage != COMING || child->slot != slot || child->parent != k->started)
            continue;
        if (child->lost) {
            child->stage = FREE;
            continue;
        }
        if (child->code)
            return broken(message, clock, child, "its descriptor must be refused, and there is no record of it");
        join(t, child);
    }
    t->trap[slot] = k->trap;
    k->stage      = FREE;
    t->sums.reported += o->report_write_enable;
    return true;
}

static bool launched(tasks *t, int slot, uint32_t pointer, uint64_t clock, char message[256])
{
    task *k = insert(t, slot, pointer, message);
    if (!k)
        return false;
    if (k->code)
        return broken(message, clock, k, "launched, though its descriptor must be refused");
    join(t, k);
    return true;
}

#endif

#if TOTEM_TASKS
// The beats that memory delivers for a load.
static void load(tasks *t, const totem_fe_out *fe, int f, uint64_t clock)
{
    enum { READER = TOTEM_PIPES * 3 + TOTEM_GRAPHICS * 3, LAST = DWORDS / 2 - 1 };
    const bool asks[LOADS] = {fe->tasks.load_valid && fe->tmd_load.request_ready,
                              fe->tasks.load_second && fe->tmd_second.request_ready};
    for (unsigned n = 0; n < LOADS; n++) {
        const unsigned beat = t->loads[f][n].beat;
        if (fe->memory.data_valid && fe->memory.data_target == READER + n && beat <= LAST) {
            t->loads[f][n].words[2 * beat]     = (uint32_t)fe->memory.data_word;
            t->loads[f][n].words[2 * beat + 1] = (uint32_t)(fe->memory.data_word >> 32);
            t->loads[f][n].beat                = fe->memory.data_last ? (LAST + 1) / 2 : beat + 1;
        }
        if (asks[n]) {
            t->loads[f][n].asked = clock;
            t->loads[f][n].beat  = 0;
            t->loads[f][n].entry = fe->tasks.load_entry;
        }
    }
}

// The last load that was asked for into an entry.
static unsigned load_of(const tasks *t, int f, unsigned entry)
{
    const bool second = t->loads[f][1].entry == entry && t->loads[f][1].asked != 0;
    return second && (t->loads[f][0].entry != entry || t->loads[f][0].asked < t->loads[f][1].asked);
}

// Launches of the host and of waves: taken, loaded into an entry, and pushed. A descriptor may be launched many times.
static bool calls(tasks *t, const totem_fe_out *fe, int f, uint64_t clock, char message[256])
{
    const totem_task_out *o     = &fe->tasks;
    const int             first = f * TOTEM_PIPES * TOTEM_QUEUES;

    if (o->call_done && o->call_answer == CALL_TAKEN &&
        !insert(t, first + fe->submit.call_queue, fe->submit.call_pointer, message))
        return false;
    // A dependent that joins those that were given back.
    for (task *k = t->list; o->store_write_enable && k < t->list + t->used; k++)
        if (k->stage == COMING && k->parent != 0 && k->slot == first + o->store_write_addr / 64 &&
            k->pointer == o->store_write_data) {
            if (k->stands)
                return broken(message, clock, k, "it names itself, and its round gives up the entry that it has");
            store(k);
        }
    load(t, fe, f, clock);
    if (o->pointer_write_enable) {
        const unsigned n = load_of(t, f, o->pointer_write_addr);

        t->entries[f][o->pointer_write_addr].asked = t->loads[f][n].asked;
        memcpy(t->entries[f][o->pointer_write_addr].words, t->loads[f][n].words, sizeof t->loads[f][n].words);
        t->entries[f][o->pointer_write_addr].pointer = (uint32_t)o->pointer_write_data;
        t->entries[f][o->pointer_write_addr].pushed  = false;
    }
    if (!o->list_valid || o->list_op > LISTS_PUSH_HEAD || !fe->lists.request_ready ||
        t->entries[f][o->list_entry].pushed)
        return true;
    t->entries[f][o->list_entry].pushed = true;
    // Of those with one pointer the ones that were given back come first, in their order.
    task *found = NULL;
    for (task *k = t->list; k < t->list + t->used; k++) {
        if (k->slot != first + o->list_list / 4 || k->pointer != t->entries[f][o->list_entry].pointer)
            continue;
        if (k->stage != FREE && k->stored && !(found && found->stored && before(found, k)))
            found = k;
        if (k->stage == COMING && k->parent == 0 && !k->lost && !found)
            found = k;
    }
    if (found && found->stored)
        found->stored = false;
    else if (found)
        join(t, found);
    return true;
}
#endif

#if TOTEM_TASKS
// The list of a queue is saved, as it is or as an empty one; its mapping ends; it has left the pipe; it is abandoned.
static void leave_mappings(tasks *t, const totem_fe_out *fe, int pipe)
{
    const totem_front_out *p     = &fe->pipe[pipe % TOTEM_PIPES].front;
    const int              first = pipe * TOTEM_QUEUES;
    if (fe->spill.done[pipe % TOTEM_PIPES] && p->mqd.spill_op != LOAD_LIST)
        t->kept[first + p->mqd.spill_queue] = p->mqd.spill_op == SAVE_LIST;
    if (p->hqd.load_valid && p->hqd.load_kind == LOAD_ACTIVE) {
        const int slot = first + p->hqd.load_queue;
        // A mapping that is called off before it begins leaves the list in memory.
        if (!(p->hqd.load_data & 1) && (t->kept[slot] || !t->mapped[slot]))
            saved(t, slot);
        else if (!(p->hqd.load_data & 1))
            t->gone[slot] = true;
        t->kept[slot]   = false;
        t->mapped[slot] = p->hqd.load_data & 1;
    }
    for (int q = 0; q < TOTEM_QUEUES; q++) {
        if (t->gone[first + q] && !(p->arbiter.selected_valid && p->arbiter.selected == q)) {
            t->gone[first + q] = false;
            unmapped(t, first + q);
        }
        for (task *k = t->list; p->epoch.abandoned[q] && k < t->list + t->used; k++)
            if (k->slot == first + q && k->stage >= RUNNING && !k->given_up) {
                k->given_up = true;
                tell(t, k->pointer);
            }
    }
}
#endif

void tasks_remap(tasks *t, int slot)
{
    for (task *k = t->list; k < t->list + t->used; k++)
        if (k->stage == WAITING && k->slot == slot) {
            if (k->again)
                account_task_cut(t->account, slot / TOTEM_QUEUES, slot % TOTEM_QUEUES);
            k->stage = FREE;
            tell(t, k->pointer);
        }
}

bool tasks_dropped(tasks *t, uint32_t *pointer)
{
    if (t->dropped_count == 0)
        return false;
    *pointer = t->dropped[--t->dropped_count];
    return true;
}

uint32_t tasks_unended(const tasks *t, int slot)
{
    uint32_t count = 0;
    for (const task *k = t->list; k < t->list + t->used; k++)
        count += k->stage >= RUNNING && k->slot == slot && !k->orphaned;
    return count;
}

bool tasks_trap(const tasks *t, int slot)
{
    return t->trap[slot];
}

void tasks_move(tasks *t, int from, int to)
{
    task          *at      = t->at[from];
    const uint64_t granted = t->granted[from];

    for (task *k = t->list; k < t->list + t->used; k++) {
        k->home = k->home == from ? to : k->home == to ? from : k->home;
        if (!k->orphaned && !k->lost)
            k->slot = k->slot == from ? to : k->slot == to ? from : k->slot;
    }
    t->at[from]      = t->at[to];
    t->at[to]        = at;
    t->granted[from] = t->granted[to];
    t->granted[to]   = granted;
}

bool tasks_step(tasks *t, const totem_machine_out *out, uint64_t clock, char message[256])
{
#if TOTEM_TASKS
    memset(t->trap, 0, sizeof t->trap);
    t->strict   = out->host.settings_group_strict;
    t->priority = out->host.settings_task_priority;
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        t->far[f] = (out->host.settings_address_high >> 8 * f & 0xff) != 0;
        if (!calls(t, &out->fe[f], f, clock, message))
            return false;
    }
    for (int pipe = 0; pipe < TOTEM_PIPE_COUNT; pipe++) {
        const totem_front_out *p = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front;
        if (p->execute.executed && p->execute.executed_opcode == TOTEM_OP_LAUNCH_TASK &&
            !launched(t, pipe * TOTEM_QUEUES + p->execute.dispatch_queue, (uint32_t)p->execute.service_data, clock,
                      message))
            return false;
        const int ring = pipe * TOTEM_QUEUES + p->execute.dispatch_queue;
        if (p->execute.commit && tasks_resume(t, ring))
            return broken(message, clock, &(task){.slot = ring}, "its ring goes on before its unfinished task");
        leave_mappings(t, &out->fe[pipe / TOTEM_PIPES], pipe);
        for (int q = 0; q < TOTEM_QUEUES; q++) {
            const int  slot = pipe * TOTEM_QUEUES + q;
            const task what = {.slot = slot};
            if (p->execute.halted[q])
                t->halt_by[slot] = 0;
            if (t->halt_by[slot] && clock > t->halt_by[slot])
                return broken(message, clock, &what, "an error of a task is recorded, and its queue does not halt");
        }
    }
    for (task *k = t->list; k < t->list + t->used; k++)
        if (k->stage != FREE && !advance(t, k, message))
            return false;
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        if (out->fe[f].tasks.over_ready && !over(t, f, out, clock, message))
            return false;
    for (int pipe = 0; pipe < TOTEM_PIPE_COUNT; pipe++) {
        const totem_runner_out  *r    = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].runner;
        const totem_execute_out *x    = &out->fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES].front.execute;
        const int                slot = pipe * TOTEM_QUEUES + r->task_queue;
        t->sums.interrupted += r->save;
        t->sums.waited += r->done && r->again && r->code == 0 && x->service_kind == TOTEM_KIND_LAUNCH;
        t->taken_entry = out->fe[pipe / TOTEM_PIPES].tasks.entry[slot % (TOTEM_PIPES * TOTEM_QUEUES)];
        if (r->taken && !starts(t, slot, clock, message))
            return false;
        if ((r->granted || r->refused) && !leaves(t, slot, r->refused, clock, message))
            return false;
    }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_issue_out *g = &out->se[e].issue;
        if (g->grant_valid && g->grant_kind == WAVE_COMPUTE && g->grant_pipe < TOTEM_PIPES &&
            out->fe[g->grant_fe].pipe[g->grant_pipe].runner.on)
            t->granted[(g->grant_fe * TOTEM_PIPES + g->grant_pipe) * TOTEM_QUEUES + g->grant_queue] = clock;
    }
#else
    (void)t, (void)out, (void)clock, (void)message;
#endif
    return true;
}

#if TOTEM_TASKS
enum { CLASS_DESCRIPTOR = 2, CLASS_MEMORY = 3, READ_TIMED_OUT = 3, WRITE_TIMED_OUT = 7, SOON = 8 };

// A write of the task that is dealt with, or of one of an earlier mapping, has failed; those behind one without an
// answer are perhaps not sent. NULL: of none.
static task *release_failed(tasks *t, int slot, uint8_t code, uint64_t address)
{
    for (task *k = t->list; k < t->list + t->used; k++) {
        bool own = false;
        if (k->slot != slot || k->stage < RELEASING || (!k->orphaned && k != first_over(t, slot)))
            continue;
        for (int n = 0; n < k->writes; n++)
            own = own || (k->releases[n].address & ~(uint64_t)7) == (address & ~(uint64_t)7);
        for (int n = 0; own && (code & 31) == WRITE_TIMED_OUT && n < k->writes; n++)
            k->releases[n].seen = true;
        if (own)
            return k;
    }
    return NULL;
}
#endif

bool tasks_error(tasks *t, int slot, bool runner, uint8_t code, uint64_t address, uint32_t word, uint64_t clock,
                 bool *mine, char message[256])
{
    *mine = false;
#if TOTEM_TASKS
    const task what = {.slot = slot, .pointer = (uint32_t)(address >> 8)};
    const int class = code >> 5;
    if (!runner && code == TOTEM_ERROR_PACKET_GROUP_TOO_LARGE && t->large[slot]) {
        *mine            = true;
        t->large[slot]   = false;
        t->halt_by[slot] = clock + SOON;
        return word == t->large_waves[slot] ||
               broken(message, clock, &what, "its record has not the waves of its group");
    }
    if (!runner)
        return true;
    *mine            = true;
    t->halt_by[slot] = clock + SOON;
    if (class == CLASS_MEMORY && (code & 31) > READ_TIMED_OUT) {
        t->sums.releases_failed++;
        const task *k = release_failed(t, slot, code, address);
        if (k && k->orphaned)
            t->halt_by[slot] = 0;
        return k || broken(message, clock, &what, "a release has failed that it has not");
    }
    for (task *k = t->list; k < t->list + t->used; k++) {
        if (k->stage != COMING || k->slot != slot || (uint64_t)k->pointer << 8 != address)
            continue;
        if (class == CLASS_MEMORY ? (word ^ k->pointer << 8) > 255 : code != k->code || word != k->word)
            return broken(message, clock, k, "its record has another error or word");
        k->stage = FREE;
        for (task *parent = t->list; parent < t->list + t->used; parent++)
            if (parent->stage >= RUNNING && parent->started == k->parent)
                parent->refused = true;
        if (k->lost)
            t->halt_by[slot] = 0;
        t->sums.dependents_refused++;
        return true;
    }
    return broken(message, clock, &what, "a record of a dependent that nobody waits for");
#else
    (void)t, (void)slot, (void)runner, (void)code, (void)address, (void)word, (void)clock, (void)message;
    return true;
#endif
}

bool tasks_write(tasks *t, uint64_t address, uint32_t data, uint64_t clock, char message[256])
{
    task *early = NULL;
    for (task *k = t->list; k < t->list + t->used; k++)
        for (int n = 0; k->stage != FREE && k->stage != ENDED && !k->given_up && n < k->writes; n++) {
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
    if (t->at[slot] || (t->granted[slot] && clock <= t->granted[slot] + TASKS_SEEN))
        return true;
    for (const task *k = t->list; k < t->list + t->used; k++)
        if ((k->stage == WAITING || k->stage == COMING) && k->slot == slot && !k->lost)
            return true;
    return false;
}

bool tasks_any(const tasks *t, int slot)
{
    for (const task *k = t->list; k < t->list + t->used; k++)
        if (k->stage != FREE && k->slot == slot && !k->lost && !k->given_up)
            return true;
    return false;
}

bool tasks_resume(const tasks *t, int slot)
{
    for (const task *k = t->list; k < t->list + t->used; k++)
        if (k->stage == WAITING && k->slot == slot && k->again)
            return true;
    return false;
}

bool tasks_inside(const tasks *t, int slot)
{
    return t->at[slot];
}

bool tasks_begun(const tasks *t, uint32_t pointer)
{
    for (const task *k = t->list; k < t->list + t->used; k++)
        if (k->stage != FREE && k->pointer == pointer && (k->stage >= RUNNING || k->round))
            return true;
    return false;
}

bool tasks_complete(const tasks *t, char message[256])
{
    static const char *const names[] = {
        "", "is not inserted", "has not started", "has not ended", "has not written its releases", "is not over"};
    for (const task *k = t->list; k < t->list + t->used; k++)
        if (k->stage != FREE && !k->lost && !k->given_up) {
            snprintf(message, 256, "pipe %d queue %d: task 0x%llx %s", k->slot / TOTEM_QUEUES, k->slot % TOTEM_QUEUES,
                     (unsigned long long)k->pointer << 8, names[k->stage]);
            return false;
        }
    for (int slot = 0; slot < SLOTS; slot++)
        if (t->large[slot]) {
            snprintf(message, 256, "pipe %d queue %d: a task was larger than an engine, and has no record",
                     slot / TOTEM_QUEUES, slot % TOTEM_QUEUES);
            return false;
        }
    return true;
}

tasks_sums tasks_sum(const tasks *t)
{
    return t->sums;
}

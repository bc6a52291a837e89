// SPDX-License-Identifier: Apache-2.0
//
// chains: the tasks that random software launches, by packets, by the host and by its waves: chains of descriptors in
// memory, good and malformed, waits for their releases, and the error records of tasks: see agent_state.h. Which task
// starts when, and which error it must have, is judged by tasks.c; that all launches are made and answered, by
// children.c.

#define TOTEM_TMD_TABLES
#include "../../../cmodel/task/totem_tmd.h"
#include "agent_state.h"

enum { LATEST = 40000, LOOKS = 256 }; // clocks: the last one for an enable bit; between looks at it
enum { LINKS = 24, OLDER = 0, NEWER = 1, NOTHING = 256 };

static uint64_t descriptor_address(uint32_t place)
{
    return TASK_BASE + (uint64_t)place * TASK_STRIDE;
}

static void put(uint32_t *d, int version, int field, uint32_t value)
{
    const totem_tmd_field *f     = &totem_tmd_fields[field];
    const unsigned         low   = f->low[version];
    const unsigned         width = f->high[version] - low + 1u;
    const uint32_t         mask  = width < 32 ? (1u << width) - 1 : ~0u;
    d[low / 32]                  = (d[low / 32] & ~(mask << low % 32)) | (value & mask) << low % 32;
}

#define PUT(field, value) put(d, version, TOTEM_TMD_##field, value)

// Everything that is not looked at is any value.
static void begin(agent *a, const client *c, uint32_t d[TOTEM_TMD_DWORDS], int version)
{
    const uint32_t pipe = c ? (uint32_t)c->pipe : 0, queue = c ? (uint32_t)c->queue : 0;
    for (int n = 0; n < TOTEM_TMD_DWORDS; n++)
        d[n] = (uint32_t)random_next(&a->random);
    for (int n = 0; n < TOTEM_TMD_FIELDS; n++)
        if (!totem_tmd_fields[n].ignored && totem_tmd_fields[n].name[version] && totem_tmd_fields[n].high[version])
            put(d, version, n, 0);
    PUT(QMD_MAJOR_VERSION, totem_tmd_versions[version].number >> 4);
    PUT(QMD_VERSION, totem_tmd_versions[version].number & 15);
    PUT(GROUP_ID, a->options.strict ? pipe / TOTEM_PIPES << 4 | pipe % TOTEM_PIPES << 3 | queue : below(a, 64));
    PUT(INVALIDATE, below(a, 64));
    PUT(SM_DISABLE_MASK, chance(a, 180) ? 0 : (uint32_t)random_next(&a->random));
    PUT(MEMBAR_TYPE, chance(a, 128) ? 0 : chance(a, 128) ? 1 : 3);
}

static void put_shape(agent *a, uint32_t d[TOTEM_TMD_DWORDS], int version, bool large)
{
    const uint32_t y = chance(a, 180) ? 1 : 1 + below(a, 6), z = chance(a, 200) ? 1 : 1 + below(a, 3);
    uint32_t       x = 1 + below(a, (chance(a, 200) ? 130 : 512) / (y * z));
    // Larger by its registers, or by its waves.
    const bool by_registers = large && chance(a, 128);
    if (large)
        x = (by_registers ? TOTEM_VGPRS / 64 + 1 : TOTEM_SLOTS + 1 + below(a, 8)) * 32;
    const uint32_t waves   = (x * y * z + 31) / 32;
    const uint32_t most    = TOTEM_VGPRS / waves < 63 ? TOTEM_VGPRS / waves : 63;
    const uint32_t blocks  = by_registers ? 64 : most ? 1 + below(a, chance(a, 32) || most < 12 ? most : 12) : 1;
    const uint32_t groups  = chance(a, 20) ? 0 : 1 + below(a, chance(a, 60) ? 120 : 10);
    const uint32_t program = 0x1000 * below(a, 0x1000) + below(a, a->options.kills ? PROGRAM_ENDLESS : PROGRAMS);
    PUT(BLOCK_X, x);
    PUT(BLOCK_Y, y);
    PUT(BLOCK_Z, z);
    PUT(GRID_X, groups);
    PUT(GRID_Y, chance(a, 200) ? 1 : below(a, 5));
    PUT(GRID_Z, chance(a, 200) ? 1 : below(a, 4));
    PUT(PROGRAM_LOW, program << 8);
    PUT(PROGRAM_HIGH, below(a, 1u << 17));
    PUT(REGISTER_COUNT, 8 * blocks - below(a, blocks == 1 ? 9 : 8));
    PUT(LDS_SIZE, below(a, chance(a, 32) ? (TOTEM_LDS < 512 ? TOTEM_LDS : 511) * 512 : 24 * 512));
}

// A release, and what it leaves in memory. What does not count of a release that is not enabled is any value.
static void put_release(agent *a, uint32_t d[TOTEM_TMD_DWORDS], int version, int n, uint64_t base, given_release *r)
{
    static const int fields[2][9] = {
        {TOTEM_TMD_RELEASE0_ENABLE, TOTEM_TMD_RELEASE0_ADDRESS_LOW, TOTEM_TMD_RELEASE0_ADDRESS_HIGH,
         TOTEM_TMD_RELEASE0_PAYLOAD_LOW, TOTEM_TMD_RELEASE0_SIZE, TOTEM_TMD_RELEASE0_REDUCTION,
         TOTEM_TMD_RELEASE0_PAYLOAD_HIGH, TOTEM_TMD_RELEASE0_PAYLOAD64, TOTEM_TMD_RELEASE0_TRAP},
        {TOTEM_TMD_RELEASE1_ENABLE, TOTEM_TMD_RELEASE1_ADDRESS_LOW, TOTEM_TMD_RELEASE1_ADDRESS_HIGH,
         TOTEM_TMD_RELEASE1_PAYLOAD_LOW, TOTEM_TMD_RELEASE1_SIZE, TOTEM_TMD_RELEASE1_REDUCTION,
         TOTEM_TMD_RELEASE1_PAYLOAD_HIGH, TOTEM_TMD_RELEASE1_PAYLOAD64, TOTEM_TMD_RELEASE1_TRAP}};
    const int     *f       = fields[n];
    const bool     enabled = chance(a, 90);
    const uint32_t words   = chance(a, 100) ? 1 : version == NEWER && chance(a, 128) ? 2 : 4;
    const bool     wide    = version == NEWER && words > 1 && chance(a, 128);
    const uint32_t place   = words == 1 ? 4 * below(a, 4) : words == 2 ? 8 * below(a, 2) : 0;
    const uint32_t odd     = below(a, words == 1 ? 4 : 8); // not looked at
    *r                     = (given_release){.address = base + 16 * (uint64_t)n + place, .words = enabled ? words : 0};
    r->value[0]            = 1 + below(a, 1u << 20);
    r->value[1]            = wide ? (uint32_t)random_next(&a->random) : 0;
    put(d, version, f[0], enabled);
    put(d, version, f[1], (uint32_t)r->address + odd);
    put(d, version, f[2], 0);
    put(d, version, f[3], r->value[0]);
    put(d, version, f[4], !enabled ? below(a, 4) : version == NEWER ? words & 3u : words == 1);
    put(d, version, f[5], !enabled && chance(a, 128));
    if (version == OLDER)
        return;
    put(d, version, f[6], r->value[1] | (wide ? 0 : (uint32_t)random_next(&a->random)));
    put(d, version, f[7], wide);
    put(d, version, f[8], below(a, enabled ? 2 : 4));
    if (enabled)
        tally_count(a->tally, words == 1   ? "task.release of 1"
                              : words == 2 ? "task.release of 2"
                                           : "task.release of 4");
}

// A descriptor of which one field is refused; returns the dword of it.
static uint32_t spoil(agent *a, uint32_t d[TOTEM_TMD_DWORDS], int version, uint8_t *code)
{
    static const int counts[] = {TOTEM_TMD_COUNT_INCREMENT, TOTEM_TMD_COUNT_DECREMENT, TOTEM_TMD_SEQUENTIAL};
    static const int blocks[] = {TOTEM_TMD_BLOCK_X, TOTEM_TMD_BLOCK_Y, TOTEM_TMD_BLOCK_Z};
    const bool new            = version == NEWER;
    int field;
    *code = TOTEM_ERROR_DESCRIPTOR_TMD_FIELD;
    switch (below(a, a->options.strict ? 11 : 10)) {
    case 10:
        *code = TOTEM_ERROR_DESCRIPTOR_TMD_GROUP;
        put(d, version, field = TOTEM_TMD_GROUP_ID, d[4] ^ (1 + below(a, 63)));
        break;
    case 0:
        *code = TOTEM_ERROR_DESCRIPTOR_TMD_VERSION;
        put(d, version, field = TOTEM_TMD_QMD_MAJOR_VERSION, 4 + below(a, 12));
        break;
    case 1:
        *code = TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE;
        put(d, version, field = TOTEM_TMD_IS_QUEUE, 1);
        break;
    case 2:
        *code = new ? TOTEM_ERROR_DESCRIPTOR_TMD_COUNTER : TOTEM_ERROR_DESCRIPTOR_TMD_TYPE;
        PUT(DEPENDENT_ENABLE, 1);
        if (new)
            PUT(DEPENDENT_ACTION, 1);
        field = new ? TOTEM_TMD_DEPENDENCE_COUNTER : TOTEM_TMD_DEPENDENT_TYPE;
        put(d, version, field, new ? 1 + below(a, 0xffff) : 0);
        break;
    case 3:
        *code = new ? TOTEM_ERROR_DESCRIPTOR_TMD_DEPENDENT1 : TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE;
        put(d, version, field = new ? TOTEM_TMD_DEPENDENT1_ENABLE : TOTEM_TMD_IS_QUEUE, 1);
        break;
    case 4:
        PUT(DEPENDENT_ENABLE, 1);
        if (!new) {
            PUT(DEPENDENT_TYPE, 1);
            put(d, version, field = TOTEM_TMD_MEMBAR_TYPE, 2);
            break;
        }
        *code = TOTEM_ERROR_DESCRIPTOR_TMD_ACTION;
        put(d, version, field = TOTEM_TMD_DEPENDENT_ACTION, chance(a, 128) ? 2 * below(a, 4) : 5 + 2 * below(a, 2));
        break;
    case 5: put(d, version, field = counts[below(a, 3)], 1); break;
    case 6: put(d, version, field = blocks[below(a, 3)], 0); break;
    case 7:
        PUT(RELEASE0_ENABLE, 1);
        if (new) {
            PUT(RELEASE0_SIZE, 1);
            PUT(RELEASE0_TRAP, 0);
        }
        put(d, version, field = TOTEM_TMD_RELEASE0_REDUCTION, 1);
        break;
    case 8:
        PUT(RELEASE1_ENABLE, 1);
        PUT(RELEASE1_REDUCTION, !new);
        field = new ? TOTEM_TMD_RELEASE1_SIZE : TOTEM_TMD_RELEASE1_REDUCTION;
        if (new) {
            PUT(RELEASE1_TRAP, 0);
            PUT(RELEASE1_SIZE, 3);
        }
        break;
    default: field = new ? TOTEM_TMD_RELEASE2_ENABLE : TOTEM_TMD_MEMBAR_TYPE; put(d, version, field, new ? 1 : 2);
    }
    return d[totem_tmd_fields[field].low[version] / 32];
}

// ITSELF, STANDS: it names itself; every round is loaded, or has the entry of the one before.
typedef enum { GOOD, LARGE, REFUSED, CHILD, ITSELF, STANDS } link_kind;

// A queue must come to rest: some time after the task has started the software clears the enable bit. One that
// is not read for every round is read when its queue is mapped again.
static void plan_end(agent *a, const client *c, const uint32_t d[TOTEM_TMD_DWORDS], int version, bool stands)
{
    const unsigned bit                 = totem_tmd_fields[TOTEM_TMD_DEPENDENT_ENABLE].low[version];
    a->rounds[a->rounds_count].at      = session_clock(a->s) + LATEST;
    a->rounds[a->rounds_count].begun   = false;
    a->rounds[a->rounds_count].address = descriptor_address(a->task) + 4 * (uint64_t)(bit / 32);
    a->rounds[a->rounds_count].value   = d[bit / 32] & ~(1u << bit % 32);
    a->rounds[a->rounds_count++].of    = stands ? &a->clients[c->number] : NULL;
}

// The descriptor of the next place, for this queue; `next`: address of its dependent, 0 none. Returns the dword that is
// refused.
static uint32_t descriptor(agent *a, const client *c, link_kind kind, uint64_t next, uint8_t *code)
{
    uint32_t    d[TOTEM_TMD_DWORDS], word = 0;
    const int   version = kind != STANDS && chance(a, 100) ? OLDER : NEWER;
    given_task *t       = &a->tasks[a->task];
    const bool  head = chance(a, 50), early = chance(a, 180);
    begin(a, c, d, version);
    put_shape(a, d, version, kind == LARGE);
    if (kind == CHILD) { // many waves launch it; its own launch none
        PUT(GRID_X, below(a, 4));
        PUT(GRID_Y, 1);
        PUT(GRID_Z, 1);
        PUT(PROGRAM_LOW, below(a, PROGRAM_CHILD) << 8);
    }
    PUT(ADD_TO_HEAD, head);
    const bool itself = kind == ITSELF || kind == STANDS;
    if (itself)
        next = descriptor_address(a->task);
    PUT(DEPENDENT_ENABLE, next != 0);
    PUT(DEPENDENT_POINTER, next ? (uint32_t)(next >> 8) : (uint32_t)random_next(&a->random));
    if (version == NEWER) {
        PUT(DEPENDENT_ACTION, !next ? below(a, 8) : kind == STANDS ? 1 : kind == ITSELF || chance(a, 128) ? 3 : 1);
        PUT(DEPENDENT_PREFETCH, early);
    } else {
        PUT(DEPENDENT_TYPE, next || chance(a, 128));
        PUT(DEPENDENT_FIELD_COPY, below(a, 2));
    }
    if (kind == CHILD) { // releases of the same address do not tell of which launch they are
        PUT(RELEASE0_ENABLE, 0);
        PUT(RELEASE1_ENABLE, 0);
    }
    for (int n = 0; kind != CHILD && n < 2; n++)
        put_release(a, d, version, n, RELEASE_BASE + (uint64_t)a->task * RELEASE_STRIDE, &t->releases[n]);
    if (kind == REFUSED)
        word = spoil(a, d, version, code);
    for (uint32_t n = 0; n < TOTEM_TMD_DWORDS; n++)
        memory_write32(session_memory(a->s), descriptor_address(a->task) + 4 * (uint64_t)n, d[n]);
    if (itself)
        plan_end(a, c, d, version, kind == STANDS);
    tally_count2(a->tally, "task.descriptors", version == OLDER ? "02_02" : "03_00");
    if (itself)
        tally_count2(a->tally, "task.descriptors", kind == STANDS ? "that name themselves" : "read for every round");
    if (head)
        tally_count2(a->tally, "task.descriptors", "for the head");
    if (next && version == NEWER && !early)
        tally_count2(a->tally, "task.descriptors", "whose dependent is not loaded early");
    a->task++;
    return word;
}

static uint32_t packet(uint32_t *to, uint64_t address)
{
    to[0] = TYPE3(TOTEM_OP_LAUNCH_TASK, 1);
    to[1] = (uint32_t)(address >> 8);
    return 2;
}

// A descriptor that nobody has written.
static uint64_t nothing(agent *a)
{
    return descriptor_address(TASK_PLACES + below(a, NOTHING));
}

// Whether the last link of a chain names itself.
static link_kind around(agent *a, const client *c)
{
    if (a->rounds_count == ROUNDS || !chance(a, 20))
        return GOOD;
    return clients_stay(a, c) || chance(a, 170) ? ITSELF : STANDS;
}

// A chain of descriptors; the address of the first one, 0: no room. `host`: also the first one may be refused, since no
// packet waits for it.
static uint64_t chain(agent *a, client *c, bool host)
{
    const uint64_t first = descriptor_address(a->task);
    uint32_t       links = 1;
    while (links < LINKS && chance(a, 128))
        links++;
    if (a->task + links > TASK_PLACES)
        return 0;
    // The last link of some is refused when its parent is over, or too large.
    const bool      bad    = a->options.errors && chance(a, 40);
    const bool      absent = bad && chance(a, 20);
    const link_kind last   = !bad || absent ? GOOD : (links > 1 || host) && chance(a, 190) ? REFUSED : LARGE;
    for (uint32_t n = 1; n <= links; n++) {
        const uint32_t  place = a->task;
        uint8_t         code  = 0;
        const uint64_t  next  = n < links                                    ? descriptor_address(place + 1)
                                : absent || (last != GOOD && chance(a, 128)) ? nothing(a)
                                                                             : 0;
        const link_kind kind  = n == links && last == GOOD && !absent ? around(a, c) : n < links ? GOOD : last;
        descriptor(a, c, kind, next, &code);
        a->tasks[place].more = n < links;
        for (int k = 0; k < 2 && kind != LARGE && kind != REFUSED; k++)
            if (a->tasks[place].releases[k].words && chance(a, 128))
                c->awaited = a->tasks[place].releases[k];
        if (kind == REFUSED)
            tally_count2(a->tally, "planted as a dependent", totem_error_name(code));
        if (kind == LARGE)
            tally_count2(a->tally, "planted", "a task larger than an engine");
    }
    if (absent)
        tally_count2(a->tally, "planted as a dependent", "nothing");
    tally_count(a->tally, links == 1  ? "task.chain of 1"
                          : links < 4 ? "task.chain of 2 or 3"
                                      : "task.chain of 4 or more");
    return first;
}

uint32_t chains_launch(agent *a, client *c, uint32_t *to)
{
    const uint64_t first = chain(a, c, false);
    return first ? packet(to, first) : 0;
}

void chains_child(agent *a)
{
    uint8_t        code;
    const uint64_t at = descriptor_address(a->task);
    if (a->options.strict || !chance(a, 170))
        return;
    descriptor(a, NULL, CHILD, 0, &code);
    driver_child(session_host(a->s), 0, PROGRAM_CHILD, (uint32_t)(at >> 8));
    a->child = true;
}

void chains_host(agent *a, client *c)
{
    host_port     *h    = session_host(a->s);
    const uint32_t page = TOTEM_REG_TASKS_BASE + (uint32_t)(c->pipe / TOTEM_PIPES) * TOTEM_REG_TASKS_STRIDE;
    const uint32_t slot = (uint32_t)(c->pipe % TOTEM_PIPES) << 3 | (uint32_t)c->queue;
    if (a->called_count == CALLED)
        return;
    const uint64_t first = chain(a, c, true);
    if (!first)
        return;
    host_write(h, session_clock(a->s), page + 4 * TOTEM_REG_TASKS_TASK_POINTER, (uint32_t)(first >> 8));
    const size_t access = host_write(h, session_clock(a->s), page + 4 * TOTEM_REG_TASKS_TASK_LAUNCH, slot);
    refusals_launch(a, access, slot);
    a->called[a->called_count].access    = access;
    a->called[a->called_count++].address = first;
}

void chains_look(agent *a)
{
    for (uint32_t pointer; tasks_dropped(session_tasks(a->s), &pointer);)
        if (chains_is_load((uint64_t)pointer << 8)) {
            tally_count(a->tally, "task.dropped with its mapping");
            chains_lost(a, (uint64_t)pointer << 8);
        }
    for (uint32_t n = 0; n < a->rounds_count;) {
        if (session_clock(a->s) < a->rounds[n].at) {
            if (!a->rounds[n].begun && session_clock(a->s) % LOOKS == 0 &&
                tasks_begun(session_tasks(a->s), (uint32_t)(a->rounds[n].address >> 8))) {
                a->rounds[n].begun = true;
                a->rounds[n].at    = session_clock(a->s) + below(a, 16000);
            }
            n++;
            continue;
        }
        memory_write32(session_memory(a->s), a->rounds[n].address, a->rounds[n].value);
        if (a->rounds[n].of)
            a->rounds[n].of->renew = true;
        a->rounds[n] = a->rounds[--a->rounds_count];
    }
    const host_port *h = session_host(a->s);
    for (uint32_t n = 0; n < a->called_count;) {
        const host_access *access = &h->list[a->called[n].access];
        if (!access->done) {
            n++;
            continue;
        }
        tally_count(a->tally, access->response ? "task.launch of the host, refused" : "task.launch of the host");
        if (access->response)
            chains_lost(a, a->called[n].address);
        a->called[n] = a->called[--a->called_count];
    }
}

// For a release of a task that it has launched: in place or smart.
static uint32_t wait(agent *a, const client *c, uint32_t *to)
{
    const bool smart = chance(a, 100);
    to[0]            = TYPE3(TOTEM_OP_WAIT_REG_MEM, 6);
    to[1]            = (smart ? 3u << 6 : 0) | 1u << 4 | (chance(a, 128) ? 3u : 5u); // memory; equal, or not below
    to[2]            = (uint32_t)c->awaited.address;
    to[3]            = 0;
    to[4]            = c->awaited.value[0];
    to[5]            = ~0u;
    to[6]            = below(a, 12);
    tally_count(a->tally, smart ? "task.smart wait for a release" : "task.wait for a release");
    return 7;
}

uint32_t chains_draw(agent *a, client *c, uint32_t *to)
{
    return c->awaited.words && chance(a, 50) ? wait(a, c, to) : chains_launch(a, c, to);
}

bool chains_spoil(agent *a, const client *c, spoiled *b)
{
    if (a->task == TASK_PLACES)
        return false;
    const bool absent = chance(a, 20);
    uint64_t   at     = absent ? nothing(a) : descriptor_address(a->task);
    b->dwords         = packet(b->words, at);
    b->code           = TOTEM_ERROR_DESCRIPTOR_TMD_VERSION;
    b->word           = absent ? 0 : descriptor(a, c, REFUSED, chance(a, 128) ? nothing(a) : 0, &b->code);
    return true;
}

// ---- records

bool chains_is_load(uint64_t address)
{
    return address >= TASK_BASE && address < descriptor_address(TASK_PLACES + NOTHING);
}

bool chains_is_release(uint64_t address)
{
    return address >= RELEASE_BASE && address < RELEASE_BASE + (uint64_t)TASK_PLACES * RELEASE_STRIDE;
}

// What a task would have written, for those who wait for it.
static void release(agent *a, uint32_t place)
{
    for (int n = 0; n < 2; n++) {
        const given_release *r = &a->tasks[place].releases[n];
        for (uint32_t k = 0; k < r->words && k < 2; k++)
            memory_write32(session_memory(a->s), r->address + 4 * (uint64_t)k, r->value[k]);
    }
}

void chains_lost(agent *a, uint64_t address)
{
    uint32_t place = (uint32_t)((address - TASK_BASE) / TASK_STRIDE);
    if (place >= TASK_PLACES)
        return;
    release(a, place);
    while (a->tasks[place].more)
        release(a, ++place);
}

void chains_released(agent *a, uint64_t address)
{
    release(a, (uint32_t)((address - RELEASE_BASE) / RELEASE_STRIDE));
}

// ---- the end

static void count(agent *a, const char *name, uint64_t number)
{
    while (number--)
        tally_count2(a->tally, "task", name);
}

bool chains_check(agent *a)
{
    char             message[256];
    const tasks_sums s = tasks_sum(session_tasks(a->s));
    if (!tasks_complete(session_tasks(a->s), message))
        return broken(a, "%s", message);
    count(a, "run", s.started);
    count(a, "empty", s.empty);
    count(a, "again, by its own name", s.rounds);
    count(a, "larger than an engine", s.large);
    count(a, "reported", s.reported);
    count(a, "interrupted", s.interrupted);
    count(a, "started before its parent was reported", s.early);
    count(a, "launch without an entry", s.waited);
    count(a, "dependent refused or not loaded", s.dependents_refused);
    count(a, "release failed", s.releases_failed);
    const children_sums k = children_sum(session_children(a->s));
    count(a, "launched by a wave", k.waves);
    count(a, "launched by a wave, refused", k.waves_refused);
    return true;
}

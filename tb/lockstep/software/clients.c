// SPDX-License-Identifier: Apache-2.0
//
// clients: what random software does with one queue: maps it, by the window or by register MAP, gives it packets, rings
// its doorbell, takes it away, by dequeue request or by clearing ACTIVE, moves it and its MQD, and maps it again.

#include "../../../cmodel/queue/totem_hqd_values.h"
#include "agent_state.h"

#include <stdlib.h>

static host_port *host(const agent *a)
{
    return session_host(a->s);
}

static uint64_t now(const agent *a)
{
    return session_clock(a->s);
}

static void set_image(agent *a, const client *c, const uint32_t image[DRIVER_MQD])
{
    for (uint32_t n = 0; n < DRIVER_MQD; n++)
        memory_write32(session_memory(a->s), c->mqd + 4 * (uint64_t)n, image[n]);
}

static void get_image(const agent *a, const client *c, uint32_t image[DRIVER_MQD])
{
    for (uint32_t n = 0; n < DRIVER_MQD; n++)
        image[n] = memory_read32(session_memory(a->s), c->mqd + 4 * (uint64_t)n);
}

static uint64_t report_address(const client *c)
{
    return FENCE_BASE + 16 * (uint64_t)c->number + 8;
}

static bool near_place(const client *c, uint64_t place)
{
    for (int n = 0; n < PLACES; n++)
        if ((place > c->places[n] ? place - c->places[n] : c->places[n] - place) < 4 * DRIVER_MQD)
            return true;
    return false;
}

// Any place in the client's memory, 8-byte aligned; mostly as a driver does it. An MQD whose records may still come is
// not used again.
static uint64_t place_of_mqd(agent *a, client *c)
{
    uint64_t place;
    do {
        const uint32_t at = below(a, MQD_STRIDE - 4 * DRIVER_MQD);
        place             = MQD_BASE + MQD_STRIDE * (uint64_t)c->number + (at & (chance(a, 160) ? ~0xffu : ~7u));
    } while (near_place(c, place));
    c->open_places++;
    memmove(c->places + 1, c->places, sizeof c->places - sizeof c->places[0]);
    c->places[0] = place;
    return place;
}

// Half of them enabled; many with DURATION 0, where turns are packets and work-groups.
static uint32_t quantum(agent *a)
{
    return below(a, 2) | below(a, 2) << 4 | (chance(a, 100) ? 0 : below(a, 6)) << 8;
}

enum { LATE_STOPS = 20 }; // of a queue inside grids of tasks, when no more work is given

static size_t ask_once(agent *a, const client *c)
{
    const uint32_t bit = (uint32_t)c->pipe * TOTEM_REG_QUEUE_COUNT + (uint32_t)c->queue;
    return host_write(host(a), now(a), MACHINE(CP_PQ_WPTR_POLL_CNTL1) + 4 * (bit / 32), 1u << bit % 32);
}

// Into memory, the high dword is anything.
static void post(agent *a, client *c, uint32_t value)
{
    memory_write32(session_memory(a->s), pointer_address(c), value);
    memory_write32(session_memory(a->s), pointer_address(c) + 4, (uint32_t)random_next(&a->random));
    if (value != (c->posts_count ? c->posts[c->posts_count - 1] : c->told))
        c->posts[c->posts_count++] = value;
    c->posted = value;
}

static void tell(agent *a, client *c, uint32_t value, bool window)
{
    const bool bell = c->way == BELL || c->way == ONCE;
    if (reads_pointer(c))
        post(a, c, value);
    if (!reads_pointer(c))
        c->told = c->posted = value;
    else if (!window || !chance(a, 48)) {
        const bool once = c->way == ONCE || !a->polling || chance(a, 12);
        tally_count(a->tally, !once            ? "told.memory"
                              : c->way == ONCE ? "told.one-shot"
                                               : "told.one-shot of a polled queue");
        if (once) {
            c->bell   = ask_once(a, c);
            c->belled = true;
        }
        return;
    } else
        window = chance(a, 128);
    if (!bell || window) {
        c->bell = host_write(host(a), now(a), window_of(c, WINDOW(CP_HQD_PQ_WPTR_LO)), value);
        tally_count(a->tally, c->way == POLLED    ? "told.window of a polled queue"
                              : c->way == NOWHERE ? "told.window without a doorbell"
                                                  : "told.window");
    } else
        c->bell = driver_doorbell(host(a), now(a), (uint32_t)c->pipe, (uint32_t)c->queue, value);
    c->belled = true;
}

// What was told by an access before is not overtaken by what memory has: an access that goes back would be refused.
static bool may_tell(const agent *a, const client *c)
{
    return !reads_pointer(c) ||
           (!c->pointer_bad && (!c->belled || host(a)->list[c->bell].done) && c->posts_count < POSTED);
}

// A pointer beyond the ring or behind the one that the queue has: it halts, until the one in memory is put right.
static void spoil_pointer(agent *a, client *c)
{
    if (!reads_pointer(c) || c->told != c->posted || !may_tell(a, c))
        return;
    c->bad_pointer   = chance(a, 128) ? c->told + c->size + 1 + below(a, 1000) : c->told - 1 - below(a, 20);
    c->pointer_bad   = true;
    c->pointer_told  = false;
    c->pointer_again = false;
    c->pointer_slot  = slot_of(c);
    memory_write32(session_memory(a->s), pointer_address(c), c->bad_pointer);
    tally_count2(a->tally, "planted", totem_error_name(TOTEM_ERROR_PACKET_WPTR_RANGE));
    if (c->way == ONCE || !a->polling) {
        c->bell   = ask_once(a, c);
        c->belled = true;
    }
}

void clients_correct(agent *a, client *c)
{
    if (!c->pointer_bad)
        return;
    memory_write32(session_memory(a->s), pointer_address(c), c->posted);
    const totem_poll_out *p = &front_of(a, c)->poll;
    c->pointer_bad          = false;
    c->pointer_again        = p->busy;
    tally_count(a->tally, c->pointer_told ? "recovery.pointer corrected" : "left.pointer not read");
}

void clients_tell(agent *a, client *c, uint32_t value)
{
    tell(a, c, value, false);
}

static void ring(agent *a, client *c)
{
    if (may_tell(a, c))
        tell(a, c, c->written, reads_pointer(c) || chance(a, 48));
}

// ---- mapping

// Whether its records say that all of its work has ended. Until then its MQD belongs to the machine.
bool clients_equal_pairs(const agent *a, const client *c)
{
    const memory *m = session_memory(a->s);
    return memory_read32(m, c->mqd + 4 * 93) == memory_read32(m, c->mqd + 4 * 96) &&
           memory_read32(m, c->mqd + 4 * 107) == memory_read32(m, c->mqd + 4 * 97);
}

static bool settled(const agent *a, const client *c)
{
    return c->ran < 0 || slot_front(a, c->ran)->slot_idle.idle[c->ran % QUEUES];
}

// Whether the slot can be mapped: two of its epochs are free.
static bool room(const agent *a, int slot)
{
    return slot_front(a, slot)->slot_idle.spare[slot % QUEUES];
}

// Whether this queue may go on in that slot now: nothing overtakes what it left running elsewhere:
// from its MQD it may come at once, the machine waits for equal pairs; who begins anew waits himself.
static bool may_follow(const agent *a, const client *c, int slot)
{
    return (c->kept && c->guarded) || c->ran == slot || settled(a, c);
}

// Where a save can fail, what would become of its tasks is not known: a queue that launches some stays mapped there.
bool clients_stay(const agent *a, const client *c)
{
    return c->tasks && a->options.failures;
}

// Whether it may change its slot: a queue that polls keeps its own, and packets that name a slot must have been passed.
static bool may_move(const agent *a, const client *c)
{
    if (!c->used)
        return true;
    if (c->state != AWAY || c->once || (a->options.waits && c->waiter) || clients_stay(a, c) ||
        (c->tasks && a->options.strict))
        return false;
    if (!c->kept)
        return true;
    const uint32_t buffer =
        memory_read32(session_memory(a->s), c->mqd + 4 * (DRIVER_WINDOW + WINDOW(CP_HQD_IB_CONTROL)));
    return (int32_t)(c->rptr - c->bound) >= 0 && !(buffer >> 31);
}

static void move(agent *a, client *c)
{
    const int to   = (int)below(a, chance(a, 128) ? a->options.pipes * QUEUES : QUEUES),
              slot = to < QUEUES ? c->pipe * QUEUES + to : to;
    client *other  = a->in[slot];
    if (other == c || c->hard || other->hard || !may_move(a, c) || !may_move(a, other) || !may_follow(a, c, slot) ||
        !room(a, slot))
        return;
    tally_count(a->tally, !c->kept ? "moved.fresh" : other->pipe == c->pipe ? "moved.slot" : "moved.pipe");
    account_move(session_account(a->s), c->pipe, c->queue, other->pipe, other->queue);
    tasks_move(session_tasks(a->s), slot_of(c), slot);
    const int pipe = c->pipe, queue = c->queue;
    a->in[slot_of(c)] = other;
    a->in[slot]       = c;
    c->pipe           = other->pipe;
    c->queue          = other->queue;
    other->pipe       = pipe;
    other->queue      = queue;
}

// A descriptor that is refused: c->refusal and its word, image spoilt.
static void spoil_image(agent *a, client *c, uint32_t image[DRIVER_MQD])
{
    uint32_t *window = image + DRIVER_WINDOW;
    switch (below(a, c->once ? 4 : 5)) {
    case 0:
        window[WINDOW(CP_HQD_PIPE_PRIORITY)] = c->refusal_word = 3;
        c->refusal                                             = TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY;
        break;
    case 1:
        window[WINDOW(CP_HQD_AQL_CONTROL)] = c->refusal_word = 1 + below(a, 1000);
        c->refusal                                           = TOTEM_ERROR_DESCRIPTOR_AQL;
        break;
    case 2:
        window[WINDOW(CP_HQD_PQ_CONTROL)] = c->refusal_word = 5u << 8 | (chance(a, 128) ? 31 : 2);
        c->refusal                                          = TOTEM_ERROR_DESCRIPTOR_QUEUE_SIZE;
        break;
    case 3:
        window[WINDOW(CP_HQD_PERSISTENT_STATE)] = c->refusal_word = 0x8be05300;
        c->refusal                                                = TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
        break;
    default:
        window[WINDOW(CP_HQD_PQ_WPTR_LO)] = c->refusal_word = window[WINDOW(CP_HQD_PQ_RPTR)] + 2 * c->size;
        c->refusal                                          = TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
        break;
    }
}

void clients_mend(agent *a, client *c)
{
    memory *m = session_memory(a->s);
    if (!c->doubtful || !settled(a, c))
        return;
    c->doubtful = false;
    if (c->mqd && !clients_equal_pairs(a, c)) {
        tally_count(a->tally,
                    c->state == AWAY ? "pairs.written by the driver" : "pairs.written before a mapping that waits");
        memory_write32(m, c->mqd + 4 * 96, memory_read32(m, c->mqd + 4 * 93));
        memory_write32(m, c->mqd + 4 * 97, memory_read32(m, c->mqd + 4 * 107));
    }
}

static bool give(agent *a, client *c);

// How it hears of its write pointer from now on; the first work may be told by memory alone.
static bool choose_way(agent *a, client *c, uint32_t image[DRIVER_MQD], bool over)
{
    uint32_t *window = image + DRIVER_WINDOW;
    if (!over && !c->once)
        c->way = chance(a, 128) ? BELL : chance(a, 160) ? POLLED : chance(a, 200) ? ONCE : NOWHERE;
    if (!c->kept && reads_pointer(c))
        for (uint32_t n = below(a, 3); n; n--)
            if (!give(a, c))
                return false;
    c->posts_count = 0;
    c->belled      = false;
    if (c->half && !over) // as far as it was told
        window[WINDOW(CP_HQD_PQ_WPTR_LO)] = c->told = c->posted;
    const uint64_t address = reads_pointer(c) || (c->way == BELL && chance(a, 128)) ? pointer_address(c) : 0;
    if (!over) {
        window[WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR)]    = (uint32_t)address;
        window[WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR_HI)] = (uint32_t)(address >> 32);
        window[WINDOW(CP_HQD_PQ_DOORBELL_CONTROL)] &= ~(1u << 30);
    }
    if (!reads_pointer(c))
        return true;
    if (c->once || chance(a, 100)) {
        c->once = true;
        c->told = c->rptr; // mapped empty, whatever the window says
        if (!over)
            window[WINDOW(CP_HQD_PQ_WPTR_LO)] = chance(a, 128) ? c->rptr : (uint32_t)random_next(&a->random);
        c->guess = window[WINDOW(CP_HQD_PQ_WPTR_LO)];
        ask_once(a, c);
    }
    post(a, c, c->half ? c->posted : c->written);
    tally_count2(a->tally, c->once ? "mapped.with a one-shot" : "mapped.with memory",
                 c->told == c->posted ? "empty" : "work");
    return true;
}

static bool come(agent *a, client *c)
{
    clients_mend(a, c);
    if (c->doubtful)
        return true;
    if (host(a)->count - host(a)->next > 64)
        return true;
    bool by_register = chance(a, 160); // 2 accesses, not 60
    // Most of all away from its own running waves.
    const bool running = c->kept && c->ran == slot_of(c) && !slot_front(a, c->ran)->slot_idle.idle[c->queue];
    if (chance(a, 128))
        move(a, c);
    for (int n = 0; n < 6 && running && c->ran == slot_of(c); n++)
        move(a, c);
    if (running && c->ran != slot_of(c)) {
        tally_count(a->tally, "moved.from running waves");
        by_register = true;
    }
    const bool crowded = !room(a, slot_of(c)); // a mapping needs two epochs
    // Who takes the slot with another MQD while epochs are out may be refused; records that fail would be of nobody.
    const bool hasty = crowded && a->options.refusals && !a->options.failures;
    if (!may_follow(a, c, slot_of(c)) || (!c->kept && c->mqd && !hasty && !clients_equal_pairs(a, c)) ||
        (crowded && !(a->options.refusals && chance(a, 160))))
        return true;
    // The records of its running work may still come to any of its last MQDs.
    if (settled(a, c))
        c->open_places = 0;
    const bool places = c->open_places < PLACES - 1;
    if (!c->kept && !places)
        return true;
    uint32_t image[DRIVER_MQD];
    // By ACTIVE alone, over the window as it is.
    const bool over =
        c->kept && a->held[slot_of(c)] == c && !(c->half && reads_pointer(c)) && (crowded || chance(a, 80));
    if (over) {
        get_image(a, c, image);
        by_register = false;
    } else if (c->kept) {
        get_image(a, c, image);
        // The MQD moves, unless a record of its last mapping is still to come.
        if (places && clients_equal_pairs(a, c) && chance(a, 80)) {
            for (uint32_t n = 0; n < DRIVER_MQD; n++)
                memory_write32(session_memory(a->s), c->mqd + 4 * (uint64_t)n, 0xdeadbeef);
            c->mqd = place_of_mqd(a, c);
            tally_count(a->tally, "moved.mqd");
        }
        if (!c->half && chance(a, 128))
            image[DRIVER_WINDOW + WINDOW(CP_HQD_PQ_WPTR_LO)] = c->told = c->written;
    } else {
        c->mqd               = !crowded && chance(a, 48) ? 0 : place_of_mqd(a, c);
        c->guarded           = settled(a, c);
        c->awaited.words     = 0; // its launch may have been in the ring that is given up
        const driver_queue q = {
            .pipe          = (uint32_t)c->pipe,
            .queue         = (uint32_t)c->queue,
            .priority      = c->priority,
            .pipe_priority = c->pipe_priority,
            .privileged    = c->privileged,
            .quantum       = quantum(a),
            .ring          = c->ring,
            .size          = c->size,
            .mqd           = c->mqd,
            .rptr          = c->written,
            .rptr_report   = chance(a, 128) ? report_address(c) : 0,
        };
        c->reports  = q.rptr_report != 0;
        by_register = by_register && c->mqd;
        driver_image(&q, c->mqd && chance(a, 128), image);
        account_remap(session_account(a->s), c->pipe, c->queue);
        tasks_remap(session_tasks(a->s), slot_of(c));
        c->shape_known = false;
        c->rptr = c->told = c->bound = c->written;
    }
    if (!choose_way(a, c, image, over))
        return false;
    image[DRIVER_WINDOW + WINDOW(CP_HQD_ACTIVE)]       = by_register && chance(a, 128); // it is not looked at
    image[DRIVER_WINDOW + WINDOW(CP_MQD_BASE_ADDR)]    = (uint32_t)c->mqd;
    image[DRIVER_WINDOW + WINDOW(CP_MQD_BASE_ADDR_HI)] = (uint32_t)(c->mqd >> 32);
    if (c->mqd && !over)
        set_image(a, c, image);
    a->held[slot_of(c)] = NULL;
    for (int n = 0; n < SLOTS; n++) // what a window holds of it is of an earlier mapping now
        if (a->held[n] == c)
            a->held[n] = NULL;
    c->control    = image[DRIVER_WINDOW + WINDOW(CP_HQD_PQ_CONTROL)];
    c->persistent = image[DRIVER_WINDOW + WINDOW(CP_HQD_PERSISTENT_STATE)];
    tally_count(a->tally, over          ? "mapped.again by ACTIVE"
                          : c->kept     ? by_register ? "mapped.again by register" : "mapped.again by window"
                          : !c->mqd     ? "mapped.without MQD"
                          : by_register ? "mapped.by register"
                                        : "mapped.by window");
    if (over)
        c->access = host_write(host(a), now(a), window_of(c, WINDOW(CP_HQD_ACTIVE)), 1);
    else if (by_register) {
        if (c->way == BELL || c->way == ONCE)
            image[DRIVER_WINDOW + WINDOW(CP_HQD_PQ_DOORBELL_CONTROL)] |= 1u << 30;
        set_image(a, c, image);
        if (a->options.refusals && chance(a, 32)) {
            uint32_t spoilt[DRIVER_MQD];
            memcpy(spoilt, image, sizeof spoilt);
            spoil_image(a, c, spoilt);
            set_image(a, c, spoilt);
        }
        c->access = driver_map_mqd(host(a), now(a), (uint32_t)c->pipe, (uint32_t)c->queue, c->mqd);
    } else
        c->access = driver_map_image(host(a), now(a), (uint32_t)c->pipe, (uint32_t)c->queue,
                                     c->way == BELL || c->way == ONCE, image);
    c->state    = COMING;
    c->came     = c->rptr;
    c->dropped  = false;
    c->asked    = true;
    c->refused  = false;
    c->crowded  = crowded;
    c->had_room = false;
    if (crowded) {
        tally_count(a->tally, "mapped.without two free epochs");
        if (!by_register)
            refusals_maybe(a, c->access, TOTEM_ERROR_HOST_MAP_NO_EPOCH, c->queue, 1);
    }
    c->worked  = slot_of(c);
    c->mapping = account_mapping(session_account(a->s), c->pipe, c->queue);
    c->began = c->behind = false;
    // Later and later at the end: switches through memory take long, and it has to come to something.
    c->kill_at = now(a) + 200 + below(a, 4000) + (now(a) > a->options.clocks ? (now(a) - a->options.clocks) / 8 : 0);
    return true;
}

static bool refused(agent *a, client *c)
{
    if (c->refusal) { // what was spoilt is put right
        uint32_t image[DRIVER_MQD];
        get_image(a, c, image);
        uint32_t *window                        = image + DRIVER_WINDOW;
        window[WINDOW(CP_HQD_PIPE_PRIORITY)]    = c->pipe_priority;
        window[WINDOW(CP_HQD_AQL_CONTROL)]      = 0;
        window[WINDOW(CP_HQD_PQ_CONTROL)]       = c->control;
        window[WINDOW(CP_HQD_PERSISTENT_STATE)] = c->persistent;
        window[WINDOW(CP_HQD_PQ_WPTR_LO)]       = c->told;
        set_image(a, c, image);
        c->refusal = 0;
    }
    c->kept  = true; // its MQD is as it was
    c->state = AWAY;
    return true;
}

// Of a dequeue request.
static uint32_t type(agent *a)
{
    return a->options.kills && chance(a, 60) ? 2 : chance(a, 128) ? 4 : chance(a, 128) ? 1 : 3;
}

// A mapping that waits. Has it failed just now, the request is refused.
static void call_off(agent *a, client *c, uint32_t type)
{
    if (!a->options.failures || type == 0) {
        clients_leave(a, c, type);
        c->dropped = type == 0;
        return;
    }
    c->kill = host(a)->count;
    clients_leave(a, c, type == 2 ? 4 : type);
    c->called_off = true;
    c->replace_at = 0;
    refusals_maybe(a, c->kill, TOTEM_ERROR_HOST_DEQUEUE, c->queue, c->type);
}

static bool arrive(agent *a, client *c)
{
    const host_access *access = &host(a)->list[c->access];
    if (!access->done)
        return true;
    if (access->response) {
        if (!c->crowded || c->full_at + 64 < access->ended)
            return broken(a, "pipe %d queue %d: its mapping was refused", c->pipe, c->queue);
        return refused(a, c);
    }
    if (c->refused && !front_of(a, c)->hqd.request[c->queue])
        return refused(a, c);
    if (front_of(a, c)->mqd.records_differ[c->queue])
        clients_mend(a, c);
    if (front_of(a, c)->mqd.records_differ[c->queue] && !c->behind) {
        c->behind = true;
        tally_count(a->tally, c->ran == slot_of(c)         ? "behind.in its slot"
                              : c->ran / QUEUES == c->pipe ? "behind.another slot"
                                                           : "behind.another pipe");
    }
    if (!c->refused && front_of(a, c)->arbiter.active[c->queue]) {
        if (c->refusal)
            return broken(a, "pipe %d queue %d: a descriptor that is refused was mapped", c->pipe, c->queue);
        c->state  = RUNNING;
        c->mapped = now(a);
        c->kept   = false;
        c->asked  = false;
    } else if (clients_stay(a, c)) {
        return true;
    } else if (front_of(a, c)->hqd.request[c->queue] == REQUEST_PRELOAD && chance(a, a->options.moves)) {
        tally_count(a->tally, "left.before it was mapped");
        call_off(a, c, chance(a, 64) ? 0 : type(a));
    } else if (front_of(a, c)->hqd.request[c->queue] == REQUEST_PRELOAD && c->hard && now(a) >= c->kill_at) {
        tally_count(a->tally, "left.behind its own waves that never end");
        call_off(a, c, type(a));
    }
    return true;
}

// ---- leaving

void clients_leave(agent *a, client *c, uint32_t type)
{
    static const char *const names[] = {"ACTIVE cleared", "1 drain", "2 reset", "3 save waves", "4 leave"};
    tally_count2(a->tally, c->mqd || !type ? "left" : "left without MQD", names[type]);
    const totem_front_out *p = front_of(a, c);
    if (tasks_inside(session_tasks(a->s), slot_of(c)))
        tally_count2(a->tally, "left inside the grid of a task", names[type]);
    if (p->flight.waves[c->queue])
        tally_count(a->tally, "left.with waves");
    if (p->execute.halted[c->queue])
        tally_count(a->tally, "left.halted");
    if (p->poll.waiting[c->queue])
        tally_count(a->tally, "left.in a smart wait");
    if (p->execute.wait_flush[c->queue])
        tally_count(a->tally, "left.in a flush");
    c->inactive = c->killing = c->killed = c->called_off = false;
    c->replace_at = c->clear_at = 0;
    c->clearing                 = false;
    if (type == 2)
        kills_ask(a, c);
    else if (type)
        driver_ask_dequeue(host(a), now(a), (uint32_t)c->pipe, (uint32_t)c->queue, type);
    else
        driver_unmap(host(a), now(a), (uint32_t)c->pipe, (uint32_t)c->queue);
    account_skip(session_account(a->s), c->pipe, c->queue, ACCOUNT_LEFT);
    c->state    = LEAVING;
    c->type     = type;
    c->answered = false;
    c->torn     = false;
    c->asked    = false;
    c->next     = now(a) + 1 + below(a, 100);
    if (a->options.kills && type != 2 && (c->hard || chance(a, type ? 40 : 128)))
        c->replace_at = now(a) + 1 + below(a, !type ? 60 : c->hard ? 3000 : 600);
    else if (type && type != 2 && c->began && chance(a, 128))
        c->next = c->clear_at = now(a) + 1 + below(a, p->flight.waves[c->queue] ? 200 : 40);
}

// Nothing of what it has not executed is expected any more; it begins anew behind it.
static void abandon(agent *a, client *c)
{
    account_drop(session_account(a->s), c->pipe, c->queue);
    c->owes_fence   = c->owes_fence || c->fences_count != c->executed;
    c->fences_count = c->executed;
    c->bad_seen     = c->bad_count;
    c->standing = c->half = c->kept = false;
    for (uint32_t n = 0; n < a->later_count;)
        if (a->later[n].of == c)
            a->later[n] = a->later[--a->later_count];
        else
            n++;
    for (uint32_t n = 0; n < a->data; n++)
        if (a->written[n].of == c &&
            memory_read32(session_memory(a->s), DATA_BASE + 4 * (uint64_t)n) != a->written[n].value)
            a->written[n].of = NULL;
}

// It has left: what is in memory must be what it was.
static bool left(agent *a, client *c)
{
    account_skip(session_account(a->s), c->pipe, c->queue, ACCOUNT_GOES_ON);
    c->state = AWAY;
    c->asked = false;
    if (!room(a, slot_of(c)))
        c->next = now(a) + 1 + below(a, 8);
    c->halts = 0;
    clients_correct(a, c);
    if (c->inactive) // as it was
        return true;
    const uint32_t report = memory_read32(session_memory(a->s), report_address(c));
    if (c->reports && c->rptr != c->came && report != c->rptr && !a->options.failures)
        return broken(a, "pipe %d queue %d: it has left at 0x%x, and its report says 0x%x", c->pipe, c->queue, c->rptr,
                      report);
    if (c->type == 0 || !c->mqd || c->torn) {
        if (c->torn) {
            tally_count(a->tally, "left.MQD torn");
            refusals_torn(a, c);
        }
        abandon(a, c);
        return true;
    }
    uint32_t image[DRIVER_MQD];
    get_image(a, c, image);
    const uint32_t *window = image + DRIVER_WINDOW;
    const uint32_t  wptr   = window[WINDOW(CP_HQD_PQ_WPTR_LO)];
    if (window[WINDOW(CP_HQD_PQ_RPTR)] != c->rptr || (wptr != c->told && !(c->once && wptr == c->guess)) ||
        (c->began && (window[WINDOW(CP_HQD_ACTIVE)] & 1)))
        return broken(a, "pipe %d queue %d: its MQD has pointers 0x%x and 0x%x, not 0x%x and 0x%x", c->pipe, c->queue,
                      window[WINDOW(CP_HQD_PQ_RPTR)], wptr, c->rptr, c->told);
    if (window[WINDOW(CP_HQD_PERSISTENT_STATE)] >> 31)
        tally_count(a->tally, "left.in a grid");
    if (window[WINDOW(CP_HQD_IB_CONTROL)] >> 31)
        tally_count(a->tally, "left.in a buffer");
    c->kept = true;
    if (c->began && (c->type == 2 || (c->killed && !c->answered)))
        return kills_left(a, c);
    a->held[slot_of(c)] = c;
    return true;
}

static bool depart(agent *a, client *c)
{
    if (c->called_off && host(a)->list[c->kill].done && host(a)->list[c->kill].response) {
        if (!c->refused) // its record is to come
            return true;
        tally_count(a->tally, "left.a mapping that had just failed");
        account_skip(session_account(a->s), c->pipe, c->queue, ACCOUNT_GOES_ON);
        c->asked = false;
        return refused(a, c);
    }
    // Its mapping was there before it was called off, and may wait for waves that never end.
    if (c->called_off && c->hard && !c->killing && !c->replace_at && host(a)->list[c->kill].done)
        c->replace_at = (now(a) > c->kill_at ? now(a) : c->kill_at) + 3000 + below(a, 3000);
    kills_pending(a, c);
    if (c->clear_at && now(a) >= c->clear_at && !c->answered) {
        c->clear_at = 0;
        c->clear    = driver_unmap(host(a), now(a), (uint32_t)c->pipe, (uint32_t)c->queue);
        c->clearing = true;
    }
    if (c->clearing)
        return true;
    const host_access *access = &host(a)->list[c->access];
    if (c->asked && !access->done)
        return true;
    if (c->asked && !(access->data & 1)) {
        if (!kills_pending(a, c) && (!c->type || c->answered || c->killed))
            return left(a, c);
        return true; // its interrupt has to come
    }
    c->access = host_read(host(a), now(a), window_of(c, WINDOW(CP_HQD_ACTIVE)));
    c->asked  = true;
    return true;
}

// ---- work

// Also of a word that only looks like one.
static bool has_dispatch(const uint32_t *words, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t op = words[n] >> 8 & 0xff;
        if (words[n] >> 30 == 3 && (op == TOTEM_OP_DISPATCH_DIRECT || op == TOTEM_OP_DISPATCH_INDIRECT))
            return true;
    }
    return false;
}

static bool give(agent *a, client *c)
{
    uint32_t       words[BATCH], used;
    char           message[256];
    const uint32_t free = c->size - (c->written - c->rptr), bad = c->bad_count, before = c->written;
    if (free < 64)
        return true;
    c->batch  = words;
    c->inside = false;
    if (c->owes_fence) {
        used          = packets_fence(a, c, words);
        c->owes_fence = false;
    } else if (c->crowd) {
        used = packets_fence(a, c, words);
        c->crowd--;
    } else if (c->burst) {
        used = packets_bare(a, c, words);
        c->burst--;
    } else if (c->launches && (used = chains_launch(a, c, words)) != 0) {
        c->launches--;
    } else if (a->options.refusals && c->shape_known && chance(a, 40)) {
        used     = packets_long(a, c, words);
        c->crowd = TOTEM_EPOCHS;
    } else if (chance(a, 40) && packets_buffer_room(c))
        used = packets_buffer(a, c, words);
    else if (a->options.errors && chance(a, 24))
        used = packets_spoil(a, c, words);
    else
        used = packets_draw(a, c, words);
    if (c->tasks && !c->launches && chance(a, 3))
        c->launches = 2 + below(a, 2 * TOTEM_ENTRIES);
    if (a->options.bare && !c->burst && chance(a, 16))
        c->burst = 8 + below(a, 24);
    if (a->options.refusals && !c->crowd && has_dispatch(words, used) && chance(a, 128))
        c->crowd = TOTEM_EPOCHS;
    if (used > free)
        return broken(a, "agent: a packet of %u dwords for a ring with room for %u", used, free);
    for (uint32_t n = 0; n < used; n++)
        memory_write32(session_memory(a->s), ring_address(c, c->written + n), words[n]);
    if (!account_stream(session_account(a->s), c->pipe, c->queue, session_memory(a->s), c->ring, c->size, c->written,
                        used, message))
        return broken(a, "%s", message);
    for (uint32_t n = bad; n < c->bad_count; n++) {
        spoiled *b = &c->bad[n];
        if (b->batch) { // in the ring
            b->position = c->written + b->offset;
            b->address  = ring_address(c, b->position);
            b->batch    = NULL;
        }
        for (uint32_t k = 0; k < b->dwords; k++)
            memory_write32(session_memory(a->s), spoiled_address(c, b, k), b->words[k]);
    }
    c->written += used;
    if ((int32_t)(c->bound - before) > 0)
        c->bound = c->written;
    return true;
}

// A packet of which only the first dwords are announced: an error, until the rest is.
static bool give_half(agent *a, client *c)
{
    const uint32_t before = c->written, bad = c->bad_count;
    if (c->told != c->written || c->size - (c->written - c->rptr) < 64 || bad == SPOILED || c->owes_fence ||
        !may_tell(a, c))
        return true;
    uint32_t words[BATCH], body = 1 + below(a, 9);
    words[0] = TYPE3(TOTEM_OP_NOP, body);
    for (uint32_t n = 0; n <= body; n++)
        memory_write32(session_memory(a->s), ring_address(c, before + n),
                       n ? (uint32_t)random_next(&a->random) : words[0]);
    c->bad[c->bad_count++] = (spoiled){.words    = {words[0]},
                                       .address  = ring_address(c, before),
                                       .position = before,
                                       .code     = TOTEM_ERROR_PACKET_COUNT_PAST_WPTR,
                                       .word     = words[0]};
    c->written             = before + 1 + body;
    c->half                = true;
    clients_tell(a, c, before + 1 + below(a, body));
    tally_count2(a->tally, "planted", totem_error_name(TOTEM_ERROR_PACKET_COUNT_PAST_WPTR));
    return true;
}

static bool work(agent *a, client *c)
{
    const bool             ended = now(a) >= a->options.clocks;
    const totem_front_out *own   = front_of(a, c);
    if (c->told == c->written && c->rptr == c->written && !own->fetch.buffer[c->queue] &&
        !own->execute.unfinished[c->queue] && own->slot_idle.idle[c->queue] &&
        !(own->arbiter.selected_valid && own->arbiter.selected == c->queue))
        c->hard = c->unheard = false;
    if (c->hard && now(a) >= c->kill_at) {
        clients_leave(a, c, chance(a, 200) ? 2 : type(a));
        return true;
    }
    if (c->half)
        return true; // until its record has come
    if (c->renew) {
        c->renew = false;
        clients_leave(a, c, !c->mqd || chance(a, 128) ? 4 : chance(a, 128) ? 1 : 3);
        return true;
    }
    if (ended) {
        if (c->owes_fence && !give(a, c))
            return false;
        if (c->told != c->written)
            ring(a, c);
        return true;
    }
    // It goes, and comes again while its epochs are out.
    if (a->options.refusals && !clients_stay(a, c) && !room(a, slot_of(c)) && chance(a, 128)) {
        clients_leave(a, c, !c->mqd || chance(a, 160) ? 0 : 4);
        return true;
    }
    if (host(a)->count - host(a)->next > 64)
        return true;
    for (uint32_t n = 1 + below(a, 6) + c->crowd + c->burst + c->launches; n; n--)
        if (!give(a, c))
            return false;
    if (c->told != c->written && chance(a, 200))
        ring(a, c);
    if (a->options.errors && chance(a, 4) && !give_half(a, c))
        return false;
    if (!a->options.waits && chance(a, 24)) {
        c->priority = below(a, 16);
        host_write(host(a), now(a), window_of(c, WINDOW(CP_HQD_QUEUE_PRIORITY)), c->priority);
    }
    if (chance(a, 24)) {
        c->pipe_priority = below(a, 3);
        host_write(host(a), now(a), window_of(c, WINDOW(CP_HQD_PIPE_PRIORITY)), c->pipe_priority);
    }
    if (chance(a, 16))
        host_write(host(a), now(a), window_of(c, WINDOW(CP_HQD_QUANTUM)), quantum(a));
    if (c->tasks && now(a) < a->options.clocks && chance(a, 20))
        chains_host(a, c);
    if (chance(a, 24))
        host_read(host(a), now(a), window_of(c, below(a, 60)));
    if (c->half)
        return true;
    if (a->options.errors && chance(a, 40))
        spoil_pointer(a, c);
    if (clients_stay(a, c))
        return true;
    if (c->tasks && c->mqd && chance(a, 2 * a->options.moves)) {
        tally_count(a->tally, "left.with tasks");
        clients_leave(a, c, chance(a, 128) ? 4 : chance(a, 128) ? 1 : 3);
        return true;
    }
    // Taken away at any time, most of all inside a grid, and mapped again later.
    const totem_front_out  *p = front_of(a, c);
    const totem_walker_out *g = &session_out(a->s)->fe[c->pipe / TOTEM_PIPES].pipe[c->pipe % TOTEM_PIPES].walker;
    const bool              grid =
        p->execute.unfinished[c->queue] || (g->busy && p->arbiter.selected_valid && p->arbiter.selected == c->queue);
    if (a->options.kills && p->flight.waves[c->queue] && chance(a, c->unheard ? 128 : 24))
        clients_leave(a, c, 2);
    else if (a->options.kills && kills_beside(a, c) && chance(a, 160)) {
        tally_count(a->tally, "left.beside a kill");
        clients_leave(a, c, chance(a, 128) ? 0 : 4);
    } else if (a->options.moves && p->flight.waves[c->queue] && chance(a, 40))
        clients_leave(a, c, 4);
    else if (chance(a, grid ? 4 * a->options.moves : a->options.moves))
        clients_leave(a, c, chance(a, 20) ? 0 : type(a));
    // An empty queue may also just be unmapped.
    else if (chance(a, 8) && c->told == c->written && c->rptr == c->written &&
             front_of(a, c)->slot_idle.idle[c->queue] && !front_of(a, c)->fetch.pending[c->queue] && host_done(host(a)))
        clients_leave(a, c, 0);
    return true;
}

// In the grid of a task: it is taken away, or another queue of its pipe may go before it.
static void stop(agent *a, client *c)
{
    const bool ended = now(a) >= a->options.clocks;
    c->until_stop    = 1 + below(a, chance(a, 128) ? 4 : 60);
    if (c->state != RUNNING || c->half || c->halts || front_of(a, c)->execute.halted[c->queue] ||
        (ended && ++c->late_stops > LATE_STOPS))
        return;
    if (!clients_stay(a, c) && chance(a, 200)) {
        clients_leave(a, c, ended ? 4 - below(a, 2) : chance(a, 20) ? 0 : type(a));
        return;
    }
    // Those that poll for others stay below all.
    tally_count(a->tally, "left inside the grid of a task.for a queue before it");
    c->priority = a->options.waits && !c->waiter ? 1 + below(a, 2) : 0;
    host_write(host(a), now(a), window_of(c, WINDOW(CP_HQD_QUEUE_PRIORITY)), c->priority);
    host_write(host(a), now(a), window_of(c, WINDOW(CP_HQD_QUANTUM)), quantum(a));
}

bool clients_look(agent *a, client *c)
{
    if (tasks_inside(session_tasks(a->s), slot_of(c)) && --c->until_stop == 0)
        stop(a, c);
    if (c->next > now(a))
        return true;
    const bool ended = now(a) >= a->options.clocks;
    // Soon, where epochs may be missing.
    const bool soon = c->state != RUNNING || (a->options.refusals && front_of(a, c)->flight.waves[c->queue]);
    c->next         = now(a) + 1 + below(a, soon || chance(a, 200) ? 60 : 3000);
    switch (c->state) {
    case AWAY:
        if (c->hard && !c->kept && front_of(a, c)->slot_idle.idle[c->queue])
            c->hard = false;
        if (a->options.kills && chance(a, c->hard && !front_of(a, c)->slot_idle.idle[c->queue] ? 128
                                          : c->once                                            ? 0
                                                                                               : 4)) {
            tally_count(a->tally, "reset.inactive slot");
            clients_leave(a, c, 2);
            c->inactive = true;
        } else if (!ended || c->kept || c->owes_fence)
            return come(a, c);
        return true;
    case COMING: return arrive(a, c);
    case LEAVING: return depart(a, c);
    default: return front_of(a, c)->execute.halted[c->queue] || c->halts ? recovery_look(a, c) : work(a, c);
    }
}

bool clients_idle(const agent *a, const client *c)
{
    return !c->used || (c->state == AWAY && !c->kept && !c->owes_fence) ||
           (c->state == RUNNING && !c->owes_fence && !c->halts && !c->pointer_bad && c->told == c->written &&
            c->rptr == c->written && !c->renew && !front_of(a, c)->execute.halted[c->queue]);
}

bool clients_done(const agent *a)
{
    for (int n = 0; n < SLOTS; n++)
        if (!clients_idle(a, &a->clients[n]))
            return false;
    return now(a) >= a->options.clocks && a->rounds_count == 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// Part of totem_runlist: rules 12 and 13 of docs/contract/runlist.md: a step of an act, and its end.

#include "totem_runlist_act.h"

#include "totem_place_values.h"

enum {
    SLOTS       = TOTEM_RUNLIST_SLOTS,
    NUMBERS     = 1 << TOTEM_BITS(SLOTS),
    ENTRIES     = TOTEM_RUN_QUEUES,
    AHEAD_PIPES = 1 << TOTEM_BITS(TOTEM_PIPE_COUNT + 1),
    COUNTS      = 1 << TOTEM_BITS(ENTRIES + 1),
    CLOCKS      = 0xffffff,
    LISTS       = 64,
    LEVELS      = 16,
    DULL        = 64,
    PLACEMENTS  = 0xffff
};

// Bits of head and tail.
typedef struct {
    unsigned low, width;
} field;

static const field process    = {37, 16};
static const field fixed      = {53, 1}; // static
static const field level      = {54, 4}; // priority
static const field state      = {60, 2};
static const field waits      = {62, 1};
static const field by_reset   = {62, 1}; // of a removed one
static const field removed    = {63, 1};
static const field place      = {0, 6};
static const field reason     = {6, 3};
static const field placements = {9, 16};
static const field quantum    = {25, 7};
static const field since      = {32, 32};

// Bits of wait.
static const field in_all  = {0, 32};
static const field longest = {32, 32};

// Bits of word.
static const field pointer = {0, 32};
static const field address = {0, 37};

static uint64_t get(uint64_t word, field f)
{
    return word >> f.low & ((UINT64_C(1) << f.width) - 1);
}

static void set(uint64_t *word, field f, uint64_t value)
{
    const uint64_t mask = ((UINT64_C(1) << f.width) - 1) << f.low;

    *word = (*word & ~mask) | (value << f.low & mask);
}

static uint8_t its_level(const totem_runlist *n)
{
    return (uint8_t)get(n->head, level);
}

// -> X n
static void go(totem_runlist *n, uint8_t phase, uint8_t step)
{
    n->phase = phase;
    n->step  = step;
}

static void turn_to(totem_runlist *n, uint8_t act, uint8_t phase)
{
    n->act = act;
    go(n, phase, 0);
}

static uint8_t its_list(const totem_runlist *n)
{
    return (uint8_t)(n->head >> level.low & (LISTS - 1)); // priority, and above it the tenant
}

static void lists(totem_runlist *n)
{
    n->list = its_list(n);
}

static void forget(totem_runlist *n)
{
    set(&n->head, state, RUN_FREE);
    set(&n->head, waits, 0);
    set(&n->head, removed, 0);
}

static void frees(totem_runlist *n, const totem_runlist *s)
{
    forget(n);
    n->removals = (TOTEM_RUNLIST_REMOVALS)((s->removals + COUNTS - 1u) % COUNTS);
}

// Into `slot`: that of the entry.
static unsigned its_slot(totem_runlist *n, const totem_runlist *s)
{
    n->slot = (uint8_t)(get(s->tail, place) % NUMBERS);
    return n->slot % SLOTS;
}

// The entry becomes free when it has left its slot.
static void removes(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    const unsigned slot = its_slot(n, s);

    if (!get(s->head, removed))
        n->removals = (TOTEM_RUNLIST_REMOVALS)((s->removals + 1u) % COUNTS);
    set(&n->head, removed, 1);
    set(&n->head, by_reset, i->command_reset);
    if (get(s->head, state) == RUN_MAPPED && i->mqd_lost[slot]) { // it has left already
        n->place_phase[slot] = PHASE_LEAVING;
        set(&n->head, state, RUN_MOVING);
        go(n, RUNLIST_STORE, 3);
    } else if (get(s->head, state) == RUN_MAPPED) {
        turn_to(n, ACT_EVICT, RUNLIST_ACT);
    } else if (i->command_reset && s->place_phase[slot] == PHASE_LEAVING && i->hqd_active[slot] &&
               s->place_entry[slot] == s->entry) {
        go(n, RUNLIST_ACCESS, 4);
    } else {
        go(n, RUNLIST_STORE, 3);
    }
}

// 13 End
static void ends(totem_runlist *n, const totem_runlist *s, uint8_t answer)
{
    n->dull = 0;
    if (s->commanded && s->sweeping && s->entry != ENTRIES - 1) {
        n->entry = (TOTEM_RUNLIST_ENTRY)(s->entry + 1);
        turn_to(n, ACT_REMOVE, RUNLIST_HEAD);
        return;
    }
    n->phase = RUNLIST_REST;
    if (s->commanded) {
        n->command_done   = true;
        n->command_answer = answer;
    }
}

static bool filled(const totem_runlist_in *i, unsigned list)
{
    return i->roster_filled[list % LISTS];
}

static uint8_t highest(const totem_runlist_in *i)
{
    unsigned found = 0;

    for (unsigned list = 0; list < LISTS; list++)
        if (filled(i, list) && list % LEVELS > found)
            found = list % LEVELS;
    return (uint8_t)found;
}

static uint32_t product(const totem_runlist *s, const totem_runlist_in *i)
{
    const uint64_t units  = get(s->tail, quantum) != 0 ? get(s->tail, quantum) : 1;
    const uint64_t clocks = units * i->settings_quantum_unit0;

    return clocks < CLOCKS ? (uint32_t)clocks : CLOCKS;
}

static bool meant(const totem_runlist *s, const totem_runlist_in *i)
{
    if (get(s->head, state) == RUN_FREE)
        return false;
    switch (i->command_op) {
    case RUN_REMOVE_ALL: return true;
    case RUN_REMOVE_PROCESS: return get(s->head, process) == i->command_process;
    case RUN_REMOVE_DYNAMIC: return get(s->head, fixed) == 0;
    default: return false;
    }
}

static void add(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    if (s->step >= 1 && s->step <= 5 && s->wrong) {
        ends(n, s, RUN_MQD);
        return;
    }
    switch (s->step) {
    case 0:
        if (get(s->head, state) != RUN_FREE) {
            ends(n, s, RUN_ENTRY);
        } else if (i->command_mqd == 0) {
            ends(n, s, RUN_MQD);
        } else {
            n->head = i->command_mqd | (uint64_t)i->command_process << 37 | (uint64_t)i->command_static << 53 |
                      (uint64_t)i->command_tenant << 58 | (uint64_t)RUN_LISTED << 60;
            n->tail = (uint64_t)PLACE_NONE << 6 | (uint64_t)i->command_quantum << 25;
            go(n, RUNLIST_ASK, 1);
        }
        break;
    case 1:
        n->wants = s->word >> 31 & 1;
        go(n, RUNLIST_ASK, 2);
        break;
    case 2:
        set(&n->head, level, s->word);
        go(n, RUNLIST_ASK, 3);
        break;
    case 3: // the read pointer, dword 138
        set(&n->tail, since, s->word);
        go(n, RUNLIST_ASK, 4);
        break;
    case 4:
        n->wants = s->wants || s->word >> 63 != 0;
        go(n, RUNLIST_ASK, 5);
        break;
    case 5: // the bell begins with the read pointer
        n->wants = s->wants || (s->word >> 32 & 127) != 0;
        set(&n->word, pointer, get(s->tail, since));
        go(n, RUNLIST_ORDER, 6);
        break;
    case 6:
        set(&n->word, address, i->command_pointer);
        go(n, RUNLIST_ASK, 7);
        break;
    case 7:
        if (s->wrong) {
            go(n, RUNLIST_ORDER, 10);
        } else {
            n->wants = s->wants || get(s->word, pointer) != get(s->tail, since);
            go(n, RUNLIST_ORDER, 8);
        }
        break;
    case 8:
        set(&n->head, waits, s->wants);
        set(&n->tail, since, s->now);
        go(n, RUNLIST_STORE, 11);
        if (s->wants) {
            lists(n);
            go(n, RUNLIST_REQUEST, 9);
        }
        break;
    case 9: go(n, RUNLIST_STORE, 11); break;
    case 10: ends(n, s, RUN_MQD); break;
    default: ends(n, s, RUN_GOOD); break;
    }
}

static void take_out(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    switch (s->step) {
    case 0:
        if (get(s->head, state) == RUN_FREE || (s->sweeping && !meant(s, i)) ||
            (get(s->head, removed) && (get(s->head, by_reset) || !i->command_reset))) {
            ends(n, s, RUN_GOOD);
        } else if (get(s->head, state) == RUN_LISTED) {
            go(n, RUNLIST_ORDER, 2);
            if (get(s->head, waits)) {
                lists(n);
                go(n, RUNLIST_REQUEST, 1);
            }
        } else {
            removes(n, s, i);
        }
        break;
    case 1: go(n, RUNLIST_ORDER, 2); break;
    case 2:
        forget(n);
        go(n, RUNLIST_STORE, 3);
        break;
    case 4: go(n, RUNLIST_STORE, 3); break;
    default: ends(n, s, RUN_GOOD); break;
    }
}

static void prioritize(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    switch (s->step) {
    case 0:
        if (get(s->head, state) == RUN_FREE) {
            ends(n, s, RUN_ENTRY);
        } else if (get(s->head, state) == RUN_LISTED && get(s->head, waits)) {
            lists(n);
            go(n, RUNLIST_REQUEST, 1);
        } else {
            set(&n->head, level, i->command_data);
            go(n, RUNLIST_STORE, 4);
            if (get(s->head, state) == RUN_MAPPED) {
                n->priority[its_slot(n, s)] = i->command_data & 15;
                go(n, RUNLIST_ACCESS, 3);
            }
        }
        break;
    case 1:
        set(&n->head, level, i->command_data);
        lists(n);
        go(n, RUNLIST_REQUEST, 2);
        break;
    case 2:
    case 3: go(n, RUNLIST_STORE, 4); break;
    default: ends(n, s, RUN_GOOD); break;
    }
}

// The entry waits from now on, if it wants.
static void begin_to_wait(totem_runlist *n, const totem_runlist *s, bool wants, uint8_t step)
{
    set(&n->head, waits, wants);
    set(&n->tail, since, s->now);
    go(n, RUNLIST_STORE, 4);
    if (wants) {
        lists(n);
        go(n, RUNLIST_REQUEST, step);
    }
}

static void ring(totem_runlist *n, const totem_runlist *s)
{
    const unsigned slot = s->slot % SLOTS;

    switch (s->step) {
    case 0:
        if (get(s->head, state) == RUN_LISTED && !get(s->head, waits)) {
            begin_to_wait(n, s, true, 1);
        } else if (get(s->head, state) == RUN_MAPPED) {
            its_slot(n, s);
            go(n, RUNLIST_ORDER, 2);
        } else {
            ends(n, s, RUN_GOOD);
        }
        break;
    case 1: go(n, RUNLIST_STORE, 4); break;
    case 2: go(n, RUNLIST_ACCESS, 3); break;
    case 3:
        n->stuck[slot] = s->stuck[slot] || s->wrong;
        n->phase       = RUNLIST_REST;
        break;
    default: ends(n, s, RUN_GOOD); break;
    }
}

static uint32_t waited(const totem_runlist *s)
{
    return s->now - (uint32_t)get(s->tail, since);
}

// The word *wait* with the wait that ends.
static uint64_t with_wait(const totem_runlist *s, uint64_t word)
{
    const uint64_t sum = get(word, in_all) + waited(s);

    set(&word, in_all, sum < UINT32_MAX ? sum : UINT32_MAX);
    if (waited(s) > get(word, longest))
        set(&word, longest, waited(s));
    return word;
}

static void come_in(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    const unsigned slot = s->slot % SLOTS;

    switch (s->step) {
    case 0:
        if (i->hqd_active[slot]) {
            n->place_phase[slot] = PHASE_RUNNING;
            n->priority[slot]    = its_level(s);
            n->ran[slot]         = 0;
            n->still[slot]       = 0;
            n->vain[slot]        = false;
            n->turn[slot]        = false;
            n->word              = with_wait(s, i->ram_read_data);
            go(n, RUNLIST_ACCESS, 1);
            break;
        }
        turn_to(n, ACT_OUT, RUNLIST_ACT);
        break;
    case 1: go(n, RUNLIST_ORDER, 2); break;
    case 2: go(n, RUNLIST_ACCESS, 3); break;
    case 3:
        n->stuck[slot] = s->wrong;
        if (get(s->head, removed)) {
            turn_to(n, ACT_EVICT, RUNLIST_HEAD);
        } else {
            set(&n->head, state, RUN_MAPPED);
            go(n, RUNLIST_STORE, 4);
        }
        break;
    default: ends(n, s, RUN_GOOD); break;
    }
}

static void go_out(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    const unsigned slot = s->slot % SLOTS;

    switch (s->step) {
    case 0:
        if (get(s->head, removed)) {
            go(n, RUNLIST_ORDER, 2);
        } else if (i->mqd_lost[slot] && s->claimed[slot]) {
            n->claimed[slot] = false;
            n->entry         = s->claimant[slot];
            turn_to(n, ACT_FILL, RUNLIST_HEAD);
            n->step = 5;
        } else if (i->mqd_lost[slot]) { // it stays where it was
            n->stuck[slot]       = true;
            n->place_phase[slot] = PHASE_RUNNING;
            set(&n->head, state, RUN_MAPPED);
            go(n, RUNLIST_STORE, 5);
        } else {
            go(n, RUNLIST_ORDER, 1);
        }
        break;
    case 1:
        set(&n->head, state, RUN_LISTED);
        begin_to_wait(n, s, s->wants, 3);
        break;
    case 2:
        frees(n, s);
        go(n, RUNLIST_STORE, 4);
        break;
    case 3: go(n, RUNLIST_STORE, 4); break;
    case 5: ends(n, s, RUN_GOOD); break;
    default:
        n->stuck[slot] = false;
        if (s->claimed[slot]) {
            n->claimed[slot] = false;
            n->entry         = s->claimant[slot];
            turn_to(n, ACT_FILL, RUNLIST_HEAD);
        } else {
            n->place_phase[slot] = PHASE_EMPTY;
            ends(n, s, RUN_GOOD);
        }
        break;
    }
}

static void fill(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    const unsigned slot = s->slot % SLOTS;

    switch (s->step) {
    case 0:
        if (get(s->head, removed)) {
            turn_to(n, ACT_OUT, RUNLIST_ACT);
        } else if (!s->owned[slot] || !i->fence_spare[slot]) {
            n->place_phase[slot] = PHASE_EMPTY;
            set(&n->head, state, RUN_LISTED);
            set(&n->head, waits, 1);
            lists(n);
            go(n, RUNLIST_REQUEST, 3);
        } else {
            n->wanted[slot] = false;
            go(n, RUNLIST_ACCESS, 1);
        }
        break;
    case 1:
    case 2:
        if (s->wrong) {
            n->act = ACT_OUT;
            go(n, RUNLIST_ORDER, 1);
        } else if (s->step == 1) {
            go(n, RUNLIST_ACCESS, 2);
        } else {
            n->place_phase[slot] = PHASE_LOADING;
            n->place_entry[slot] = s->entry;
            n->priority[slot]    = its_level(s);
            n->limit[slot]       = product(s, i);
            n->ran[slot]         = 0;
            n->settled[slot]     = false;
            ends(n, s, RUN_GOOD);
        }
        break;
    case 3: go(n, RUNLIST_STORE, 4); break;
    case 5: // the slot that it has claimed does not become free
        if (get(s->head, removed)) {
            go(n, RUNLIST_ORDER, 6);
        } else {
            set(&n->head, state, RUN_LISTED);
            set(&n->head, waits, 1);
            lists(n);
            go(n, RUNLIST_REQUEST, 3);
        }
        break;
    case 6:
        frees(n, s);
        go(n, RUNLIST_STORE, 4);
        break;
    default: ends(n, s, RUN_GOOD); break;
    }
}

static void call_off(totem_runlist *n, const totem_runlist *s)
{
    if (s->step != 0) {
        ends(n, s, RUN_GOOD);
        return;
    }
    if (s->place_phase[s->slot % SLOTS] == PHASE_LOADING)
        n->wanted[s->slot % SLOTS] = true;
    go(n, RUNLIST_ACCESS, 1);
}

// A placement, or a lull.
void totem_runlist_count(totem_runlist *n, const totem_runlist *s)
{
    n->next_yield = s->next_yield == 255 ? 255 : (uint8_t)(s->next_yield + 1);
}

// Of rule 5: ACT_CHOOSE begins.
void totem_runlist_choose(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    n->aged     = false;
    n->yielding = !s->missed && i->settings_yield != 0 && s->next_yield + 1 >= i->settings_yield;
}

static void onward(totem_runlist *n, const totem_runlist *s)
{
    const unsigned next = s->list + (s->yielding ? 1u : LEVELS);

    if (next < LISTS) {
        n->list = (uint8_t)next;
        go(n, RUNLIST_ACT, 1);
    } else if (n->aged) {
        go(n, RUNLIST_ACT, 4);
    } else {
        n->phase = RUNLIST_REST;
    }
}

static void choose_list(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    switch (s->step) {
    case 0:
        n->list = s->yielding ? 0 : highest(i);
        go(n, RUNLIST_ACT, 1);
        break;
    case 1:
        if (filled(i, s->list))
            go(n, RUNLIST_REQUEST, 2);
        else
            onward(n, s);
        break;
    case 2:
        if (!s->aged || waited(s) > s->age) {
            n->aged   = true;
            n->age    = waited(s) + 1;
            n->eldest = s->entry;
        }
        onward(n, s);
        break;
    case 4:
        n->entry = s->eldest;
        go(n, RUNLIST_HEAD, 3);
        break;
    default: turn_to(n, ACT_PLACE, RUNLIST_START); break;
    }
}

static void put(totem_runlist *n, const totem_runlist *s)
{
    const unsigned slot  = s->slot % SLOTS;
    const uint64_t count = get(s->tail, placements);

    switch (s->step) {
    case 0:
        n->missed = s->wrong && s->yielding;
        if (s->wrong || (s->missed && s->word % 8 != PLACE_FREE)) {
            n->dull  = DULL;
            n->phase = RUNLIST_REST;
        } else {
            lists(n);
            go(n, RUNLIST_REQUEST, 1);
        }
        break;
    case 1:
        set(&n->head, state, RUN_MOVING);
        set(&n->head, waits, 0);
        set(&n->tail, place, s->slot);
        set(&n->tail, reason, s->word);
        set(&n->tail, placements, count < PLACEMENTS ? count + 1 : PLACEMENTS);
        n->moves = s->moves + 1;
        n->lull  = 0;
        totem_runlist_count(n, s);
        if (s->yielding)
            n->next_yield = 0;
        go(n, RUNLIST_STORE, 2);
        break;
    default:
        if (s->place_phase[slot] == PHASE_EMPTY) {
            turn_to(n, ACT_FILL, RUNLIST_ACT);
        } else {
            n->claimed[slot]  = true;
            n->claimant[slot] = s->entry;
            n->entry          = s->place_entry[slot];
            turn_to(n, ACT_EVICT, RUNLIST_HEAD);
        }
        break;
    }
}

static void evict(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    switch (s->step) {
    case 0:
        set(&n->head, state, RUN_MOVING);
        n->word = i->ram_read_data + s->ran[s->slot % SLOTS];
        go(n, RUNLIST_STORE, 1);
        break;
    case 1: go(n, RUNLIST_ACCESS, 2); break;
    default:
        n->place_phase[s->slot % SLOTS] = PHASE_LEAVING;
        n->ran[s->slot % SLOTS]         = 0;
        ends(n, s, RUN_GOOD);
        break;
    }
}

// Of rule 5: the next pipe is looked at.
void totem_runlist_next_ahead(totem_runlist *n, const totem_runlist *s)
{
    const bool last = s->ahead_pipe == TOTEM_PIPE_COUNT - 1;

    n->ahead_pipe = (uint8_t)(last ? 0 : (s->ahead_pipe + 1u) % AHEAD_PIPES);
}

static void make_room(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    n->ahead = false;
    totem_runlist_next_ahead(n, s);
    if (s->wrong) {
        turn_to(n, ACT_CHOOSE, RUNLIST_ACT);
        totem_runlist_choose(n, s, i);
    } else {
        n->entry = s->place_entry[s->slot % SLOTS];
        turn_to(n, ACT_EVICT, RUNLIST_HEAD);
    }
}

// 12 Act
void totem_runlist_act(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    switch (s->act) {
    case ACT_ADD: add(n, s, i); break;
    case ACT_REMOVE: take_out(n, s, i); break;
    case ACT_PRIORITY: prioritize(n, s, i); break;
    case ACT_EVENT: ring(n, s); break;
    case ACT_IN: come_in(n, s, i); break;
    case ACT_OUT: go_out(n, s, i); break;
    case ACT_FILL: fill(n, s, i); break;
    case ACT_CHOOSE: choose_list(n, s, i); break;
    case ACT_PLACE: put(n, s); break;
    case ACT_EVICT: evict(n, s, i); break;
    case ACT_RESET: call_off(n, s); break;
    case ACT_AHEAD: make_room(n, s, i); break;
    default: n->phase = RUNLIST_REST; break;
    }
}

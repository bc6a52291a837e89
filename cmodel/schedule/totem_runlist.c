// SPDX-License-Identifier: Apache-2.0
//
// totem_runlist: twin of rtl/schedule/totem_runlist.v, from docs/contract/runlist.md. Rules 12 and 13 are in
// totem_runlist_act.c.

#include "totem_runlist.h"

#include "../host/totem_regs_map.h"
#include "../memory/totem_memory_values.h"
#include "../queue/totem_hqd_values.h"
#include "totem_bell_values.h"
#include "totem_place_values.h"
#include "totem_roster_values.h"
#include "totem_runlist_act.h"

enum {
    SLOTS       = TOTEM_RUNLIST_SLOTS,
    NUMBERS     = 1 << TOTEM_BITS(SLOTS),
    ENTRIES     = TOTEM_RUN_QUEUES,
    LISTS       = 64,
    PIPES       = TOTEM_PIPE_COUNT,
    QUEUES      = TOTEM_QUEUES,
    CLOCKS      = 0xffffff, // ran stops there
    STAYS       = 1 << 23,  // slot_selected: the pipe moves no queue
    TOP         = 15,
    MOST_MAPPED = 15,
    LONG        = 0xffff, // still stops there
    LEAST       = 4096,   // clocks before a move is late
    TURN        = 64,     // clocks in which a queue is selected, and has had its turn
    WINDOW      = TOTEM_REG_PIPE_BASE / 4,
    DOORBELL    = TOTEM_REG_DOORBELL_BASE / 4
};

// Words of an entry.
enum { HEAD, TAIL, WAIT, RUN, WORDS };

_Static_assert(SLOTS >= 2 && SLOTS <= 64, "FE_COUNT*PIPES*QUEUES is 2 to 64");
_Static_assert(ENTRIES >= 2 && ENTRIES <= 1024 && (ENTRIES & (ENTRIES - 1)) == 0,
               "RUN_QUEUES is a power of two from 2 to 1024");

static bool works(const totem_runlist_in *i, unsigned slot)
{
    return i->fetch_pending[slot] || i->packet_unfinished[slot] || i->runner_due[slot] || i->task_pending[slot];
}

static bool selects(const totem_runlist_in *i, unsigned slot)
{
    return i->arbiter_selected_valid[slot / QUEUES] && i->arbiter_selected[slot / QUEUES] == slot % QUEUES;
}

// It waits for its turn among equals: no better queue has the pipe.
static bool turns(const totem_runlist_in *i, unsigned slot)
{
    const unsigned pipe = slot / QUEUES, now = pipe * QUEUES + i->arbiter_selected[pipe] % QUEUES;
    const bool     outranked =
        i->arbiter_selected_valid[pipe] && i->arbiter_queue_priority[now] > i->arbiter_queue_priority[slot];
    return i->arbiter_ready[slot] && !outranked;
}

static bool quiet(const totem_runlist_in *i, unsigned slot)
{
    return i->hqd_request[slot] == REQUEST_NONE && !i->hqd_dequeuing[slot];
}

// The slot that is looked at is moved into or out of.
static bool moves(const totem_runlist *s)
{
    const uint8_t phase = s->place_phase[s->looked % SLOTS];

    return phase == PHASE_LOADING || phase == PHASE_LEAVING;
}

static bool arrived(const totem_runlist *s, const totem_runlist_in *i, unsigned slot)
{
    return s->place_phase[slot] == PHASE_LOADING && i->hqd_active[slot] && quiet(i, slot) && s->settled[slot];
}

static bool ended(const totem_runlist *s, const totem_runlist_in *i)
{
    const unsigned slot = s->looked % SLOTS;

    for (unsigned n = 0; n < SLOTS; n++)
        if (arrived(s, i, n))
            return arrived(s, i, slot);
    return moves(s) && quiet(i, slot) && s->settled[slot] && !i->hqd_active[slot] && !i->record_busy[slot];
}

static bool late(const totem_runlist *s, const totem_runlist_in *i)
{
    const unsigned slot = s->looked % SLOTS;

    if (!moves(s) || !i->hqd_active[slot] || i->settings_leave == 0)
        return false;
    return s->ran[slot] >= i->settings_leave && s->ran[slot] >= LEAST;
}

static bool scarce(const totem_runlist *s, const totem_runlist_in *i)
{
    unsigned room = 0, running = 0;

    for (unsigned n = 0; n < SLOTS; n++) {
        if (n / QUEUES != s->ahead_pipe)
            continue;
        if (s->place_phase[n] == PHASE_LOADING)
            return false;
        if (!s->owned[n])
            continue;
        running += s->place_phase[n] == PHASE_RUNNING;
        room += s->place_phase[n] == PHASE_EMPTY || (s->place_phase[n] == PHASE_LEAVING && !s->claimed[n]);
    }
    return running >= 2 && room < i->settings_spare;
}

// -- outputs ----------------------------------------------------------------------------------------------------------

static uint8_t order_op(const totem_runlist *s)
{
    switch (s->act) {
    case ACT_ADD: return s->step == 10 ? BELL_DROP : BELL_LIST;
    case ACT_EVENT:
    case ACT_IN: return BELL_TAKE;
    case ACT_OUT: return s->step == 1 ? BELL_TAKE : BELL_DROP;
    default: return BELL_DROP;
    }
}

static uint8_t request_op(const totem_runlist *s)
{
    switch (s->act) {
    case ACT_CHOOSE: return ROSTER_FIRST;
    case ACT_REMOVE:
    case ACT_PLACE: return ROSTER_REMOVE;
    case ACT_PRIORITY: return s->step == 1 ? ROSTER_REMOVE : ROSTER_PUSH;
    case ACT_FILL: return ROSTER_PUSH_FIRST;
    default: return ROSTER_PUSH;
    }
}

static void to_window(const totem_runlist *s, totem_runlist_out *o, unsigned dword, uint32_t data)
{
    o->access_address = WINDOW + s->slot / QUEUES * 0x400u + s->slot % QUEUES * 0x40u + dword;
    o->access_data    = data;
}

static void access_outputs(const totem_runlist *s, totem_runlist_out *o)
{
    const uint32_t priority = s->head >> 54 & 15;

    o->access_valid   = s->phase == RUNLIST_ACCESS;
    o->access_address = DOORBELL + s->slot / QUEUES * 8u + s->slot % QUEUES;
    o->access_data    = (uint32_t)s->word;
    o->access_entry   = s->entry;
    o->access_late    = false;
    switch (s->act) {
    case ACT_FILL:
        if (s->step == 1)
            to_window(s, o, TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI, s->head >> 29 & 0xff);
        else
            to_window(s, o, TOTEM_REG_QUEUE_MAP, (uint32_t)(s->head << 3));
        break;
    case ACT_IN:
        if (s->step == 1)
            to_window(s, o, TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY, priority);
        break;
    case ACT_PRIORITY: to_window(s, o, TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY, priority); break;
    case ACT_EVICT:
        to_window(s, o, TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST, s->head >> 62 == 3 ? DEQUEUE_RESET : DEQUEUE_LEAVE);
        break;
    case ACT_REMOVE: to_window(s, o, TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST, DEQUEUE_RESET); break;
    case ACT_RESET:
        o->access_late = s->place_phase[s->slot % SLOTS] != PHASE_LOADING;
        to_window(s, o, TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST, o->access_late ? DEQUEUE_RESET : DEQUEUE_LEAVE);
        break;
    default: break;
    }
}

// What ACT_ADD reads: parts of the MQD, then the write pointer.
static uint64_t read_addr(const totem_runlist *s)
{
    static const uint8_t beat[6] = {0, 66, 67, 69, 74, 191};
    const uint64_t       place   = s->step >= 1 && s->step <= 5 ? s->head + beat[s->step] : s->word;

    return (place & UINT64_C(0x1fffffffff)) << 3;
}

static void writes(const totem_runlist *s, totem_runlist_out *o, unsigned number, uint64_t data)
{
    o->ram_write_enable = true;
    o->ram_write_addr   = (TOTEM_RUNLIST_RAM_ADDR)(s->entry * WORDS + number);
    o->ram_write_data   = data;
}

static void ram_outputs(const totem_runlist *s, totem_runlist_out *o)
{
    unsigned number = HEAD;

    if (s->phase == RUNLIST_TAIL)
        number = TAIL;
    else if (s->phase == RUNLIST_LOADED)
        number = s->act == ACT_IN ? WAIT : RUN;
    o->ram_read_enable = s->phase == RUNLIST_HEAD || number != HEAD;
    o->ram_read_addr   = (TOTEM_RUNLIST_RAM_ADDR)(s->entry * WORDS + number);

    writes(s, o, HEAD, s->head);
    switch (s->phase) {
    case RUNLIST_STORE: break;
    case RUNLIST_STORED: writes(s, o, TAIL, s->tail); break;
    case RUNLIST_SWEEP: writes(s, o, HEAD, 0); break;
    case RUNLIST_ACT:
        if (s->act == ACT_ADD && s->step == 2)
            writes(s, o, WAIT, 0);
        else if (s->act == ACT_ADD && s->step == 3)
            writes(s, o, RUN, 0);
        else if (s->act == ACT_IN && s->step == 1)
            writes(s, o, WAIT, s->word);
        else if (s->act == ACT_EVICT && s->step == 1)
            writes(s, o, RUN, s->word);
        else
            o->ram_write_enable = false;
        break;
    default: o->ram_write_enable = false; break;
    }
}

void totem_runlist_outputs(const totem_runlist *s, totem_runlist_out *o)
{
    o->command_done   = s->command_done;
    o->command_answer = s->command_answer;
    o->removing       = s->removals != 0;
    o->event_take     = s->phase == RUNLIST_HEAD && s->act == ACT_EVENT;
    o->order_valid    = s->phase == RUNLIST_ORDER;
    o->order_op       = order_op(s);
    o->order_entry    = s->entry;
    o->order_data     = (uint32_t)s->word;
    o->request_valid  = s->phase == RUNLIST_REQUEST;
    o->request_op     = request_op(s);
    o->request_list   = s->list;
    o->request_entry  = s->entry;
    o->start          = s->phase == RUNLIST_START;
    o->start_priority = s->ahead ? 15 : s->head >> 54 & 15;
    o->start_yield    = s->yielding;
    o->slot_usable    = s->slot_usable;
    o->slot_phase     = s->slot_phase;
    o->slot_wants     = s->slot_wants;
    o->slot_parked    = s->slot_parked;
    o->slot_turn      = s->slot_turn;
    o->slot_used      = s->slot_used;
    o->slot_priority  = s->slot_priority;
    o->slot_selected  = s->slot_selected;
    o->pipe_running   = s->pipe_running;
    o->pipe_mapped    = s->pipe_mapped;
    o->pipe_empty     = s->pipe_empty;
    o->pipe_highest   = s->pipe_highest;
    access_outputs(s, o);
    o->read_valid = s->phase == RUNLIST_ASK;
    o->read_addr  = read_addr(s);
    o->read_beats = 1;
    ram_outputs(s, o);
    o->decisions = s->decisions;
    o->moves     = s->moves;
    o->idle      = s->idle;
    for (unsigned k = 0; k < SLOTS; k++) {
        o->place_phase[k] = s->place_phase[k];
        o->place_entry[k] = s->place_entry[k];
    }
}

// -- rules ------------------------------------------------------------------------------------------------------------

// 2 Slots
static void slots(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    for (unsigned k = 0; k < SLOTS; k++) {
        const bool running = s->place_phase[k] == PHASE_RUNNING;
        const bool turn    = running && selects(i, k);

        n->settled[k] = quiet(i, k);
        if (i->hqd_active[k] && i->hqd_request[k] == REQUEST_NONE)
            n->wanted[k] = works(i, k);
        if ((running ? turn : s->place_phase[k] != PHASE_EMPTY) && s->ran[k] != CLOCKS)
            n->ran[k] = s->ran[k] + 1;
        n->turn[k] = s->turn[k] || (turn && (i->packet_executed[k / QUEUES] || s->ran[k] >= TURN));
        if (turn && i->packet_executed[k / QUEUES])
            n->vain[k] = i->packet_unsuccessful[k / QUEUES];
        if (running && (!works(i, k) || (turn && !s->vain[k])))
            n->still[k] = 0;
        else if (running && (s->vain[k] || !turns(i, k)) && s->still[k] != LONG)
            n->still[k] = (uint16_t)(s->still[k] + 1);
    }
}

// Its queue has not had its turn yet: no better one takes the slot from it.
static bool shelters(const totem_runlist *s, const totem_runlist_in *i, unsigned slot)
{
    return works(i, slot) && !s->turn[slot] && s->still[slot] < i->settings_park;
}

// 3 Shown: the slot that place asks for, and its pipe.
static void show(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    const unsigned slot   = i->place_slot % SLOTS;
    const unsigned pipe   = slot / QUEUES;
    const unsigned chosen = pipe * QUEUES + i->arbiter_selected[pipe] % QUEUES;
    const uint8_t  phase  = s->place_phase[slot];
    unsigned       mapped = 0, empty = 0, highest = 0, running = 0;
    bool           moves = false;

    if (i->arbiter_selected_valid[pipe])
        running = i->arbiter_queue_priority[chosen] + 1u;

    for (unsigned k = pipe * QUEUES; k < (pipe + 1) * QUEUES; k++) {
        mapped += i->hqd_active[k] || s->place_phase[k] != PHASE_EMPTY;
        if (s->place_phase[k] == PHASE_LOADING || s->place_phase[k] == PHASE_LEAVING) {
            moves = true;
            mapped++;
            if (s->priority[k] + 1u > running)
                running = s->priority[k] + 1u;
        }
        empty += s->owned[k] && s->place_phase[k] == PHASE_EMPTY;
        if (s->place_phase[k] != PHASE_EMPTY && s->place_phase[k] != PHASE_LEAVING && s->priority[k] + 1u > highest)
            highest = s->priority[k] + 1u;
    }
    n->slot_usable = s->owned[slot] && !s->stuck[slot];
    if (phase == PHASE_EMPTY ? !i->fence_spare[slot] || i->hqd_active[slot] : i->packet_halted[slot])
        n->slot_usable = false;
    if (s->ahead && (phase != PHASE_RUNNING || pipe != s->ahead_pipe))
        n->slot_usable = false;
    n->slot_phase = SLOT_BUSY;
    if (phase == PHASE_EMPTY)
        n->slot_phase = SLOT_EMPTY;
    else if (phase == PHASE_RUNNING && !s->claimed[slot])
        n->slot_phase = SLOT_RUNNING;
    n->slot_wants    = works(i, slot);
    n->slot_parked   = s->still[slot] >= i->settings_park;
    n->slot_turn     = s->turn[slot];
    n->slot_used     = s->ran[slot] >= s->limit[slot];
    n->slot_priority = shelters(s, i, slot) ? TOP : s->priority[slot];
    n->slot_selected = s->ran[slot] < STAYS ? s->ran[slot] : STAYS - 1;
    if (!moves)
        n->slot_selected |= STAYS;
    n->pipe_running = (uint8_t)running;
    n->pipe_mapped  = (uint8_t)(mapped < MOST_MAPPED ? mapped : MOST_MAPPED);
    n->pipe_empty   = (uint8_t)empty;
    n->pipe_highest = (uint8_t)highest;
}

static void begin(totem_runlist *n, uint8_t act, uint8_t phase)
{
    n->act       = act;
    n->phase     = phase;
    n->step      = 0;
    n->commanded = false;
}

static void command(totem_runlist *n, const totem_runlist_in *i)
{
    if (i->command_op == RUN_MASK) {
        begin(n, n->act, RUNLIST_REST);
        for (unsigned k = 1; k < SLOTS; k++)
            n->owned[k] = i->command_data >> k & 1;
        n->owned[0]       = false;
        n->command_done   = true;
        n->command_answer = RUN_GOOD;
        return;
    }
    begin(n, ACT_REMOVE, RUNLIST_HEAD);
    if (i->command_op == RUN_ADD)
        n->act = ACT_ADD;
    else if (i->command_op == RUN_PRIORITY)
        n->act = ACT_PRIORITY;
    n->commanded = true;
    n->sweeping  = i->command_op >= RUN_REMOVE_PROCESS && i->command_op <= RUN_REMOVE_DYNAMIC;
    n->entry     = n->sweeping ? 0 : i->command_entry;
}

static bool filled(const totem_runlist_in *i)
{
    bool any = false;

    for (unsigned k = 0; k < LISTS; k++)
        any |= i->roster_filled[k];
    return any;
}

static bool nothing_to_do(const totem_runlist *s, const totem_runlist_in *i)
{
    const bool rests = s->phase == RUNLIST_REST || s->phase == RUNLIST_SWEEP;
    bool       work  = !rests || i->command_valid || i->bell_event_valid || filled(i);

    for (unsigned k = 0; k < SLOTS; k++)
        work |= s->place_phase[k] == PHASE_LOADING || s->place_phase[k] == PHASE_LEAVING;
    return !work;
}

// 1 Clocks
static void clocks(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    n->now          = s->now + 1;
    n->age          = s->age + 1;
    n->idle         = nothing_to_do(s, i);
    n->command_done = false;
    if (s->dull != 0)
        n->dull = (uint8_t)(s->dull - 1);
    n->lull = 0;
    if (!filled(i))
        return;
    if (s->lull >= UINT64_C(128) * i->settings_quantum_unit0)
        totem_runlist_count(n, s);
    else
        n->lull = (s->lull + 1) & 0x7fffffff;
}

// 5 Choice
static void choose(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i)
{
    const unsigned looked = s->looked % SLOTS;
    const bool     any    = s->dull == 0 && filled(i);

    if (ended(s, i)) {
        begin(n, s->place_phase[looked] == PHASE_LOADING ? ACT_IN : ACT_OUT, RUNLIST_HEAD);
        n->slot  = s->looked;
        n->entry = s->place_entry[looked];
    } else if (late(s, i)) {
        begin(n, ACT_RESET, RUNLIST_ACT);
        n->slot        = s->looked;
        n->entry       = s->place_entry[looked];
        n->ran[looked] = 0;
    } else if (i->command_valid && !s->command_done) {
        command(n, i);
    } else if (i->bell_event_valid && !(s->heard && any)) {
        begin(n, ACT_EVENT, RUNLIST_HEAD);
        n->heard = true;
        n->entry = i->bell_event_entry;
    } else if (any) {
        n->heard = false;
        n->ahead = scarce(s, i);
        if (n->ahead) {
            begin(n, ACT_AHEAD, RUNLIST_START);
        } else {
            begin(n, ACT_CHOOSE, RUNLIST_ACT);
            totem_runlist_choose(n, s, i);
            totem_runlist_next_ahead(n, s);
        }
    }
}

void totem_runlist_step(totem_runlist *s, const totem_runlist_in *i)
{
    totem_runlist n = *s; // what follows the clock edge; s stays as it was before

    clocks(&n, s, i);
    slots(&n, s, i);
    if (i->place_ask)
        show(&n, s, i);

    // 4 Looked
    if (!ended(s, i) && !late(s, i))
        n.looked = (uint8_t)(s->looked == SLOTS - 1 ? 0 : (s->looked + 1) % NUMBERS);

    switch (s->phase) {
    case RUNLIST_REST: choose(&n, s, i); break;
    // 6 Entry
    case RUNLIST_HEAD: n.phase = RUNLIST_TAIL; break;
    case RUNLIST_TAIL:
        n.head  = i->ram_read_data;
        n.phase = RUNLIST_LOADED;
        break;
    case RUNLIST_LOADED:
        n.tail  = i->ram_read_data;
        n.phase = RUNLIST_ACT;
        break;
    case RUNLIST_STORE: n.phase = RUNLIST_STORED; break;
    case RUNLIST_STORED: n.phase = RUNLIST_ACT; break;
    case RUNLIST_SWEEP:
        n.entry = (TOTEM_RUNLIST_ENTRY)((s->entry + 1) % ENTRIES);
        if (s->entry == ENTRIES - 1)
            n.phase = RUNLIST_REST;
        break;
    // 7 Bell
    case RUNLIST_ORDER:
        if (!i->bell_order_done)
            break;
        n.word = (s->word & ~UINT64_C(0xffffffff)) | i->bell_order_wptr;
        if (s->act == ACT_OUT)
            n.wants = s->wanted[s->slot % SLOTS] || i->bell_order_pending;
        n.phase = RUNLIST_ACT;
        break;
    // 8 Roster
    case RUNLIST_REQUEST:
        if (i->roster_request_ready)
            n.phase = RUNLIST_ANSWER;
        break;
    case RUNLIST_ANSWER:
        if (!i->roster_answer_valid)
            break;
        n.phase = RUNLIST_ACT;
        if (s->act == ACT_CHOOSE) {
            n.entry = i->roster_answer_entry;
            n.phase = i->roster_answer_refused ? RUNLIST_REST : RUNLIST_HEAD;
        }
        break;
    // 9 Place
    case RUNLIST_START:
        n.decisions = s->decisions + 1;
        n.phase     = RUNLIST_SCAN;
        break;
    case RUNLIST_SCAN:
        if (!i->place_done)
            break;
        n.wrong = !i->place_found;
        n.slot  = i->place_chosen;
        n.word  = (s->word & ~UINT64_C(7)) | i->place_reason;
        n.phase = RUNLIST_ACT;
        break;
    // 10 Access
    case RUNLIST_ACCESS:
        if (!i->proxy_done)
            break;
        n.wrong = i->proxy_error != 0;
        n.phase = RUNLIST_ACT;
        break;
    // 11 Memory
    case RUNLIST_ASK:
        if (i->read_ready)
            n.phase = RUNLIST_BEAT;
        break;
    case RUNLIST_BEAT:
        if (!i->data_valid)
            break;
        n.word  = i->data_word;
        n.wrong = i->data_error != MEMORY_OK;
        n.phase = RUNLIST_ACT;
        break;
    default: totem_runlist_act(&n, s, i); break;
    }

    *s = n;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd: twin of rtl/descriptor/totem_mqd.v, from docs/contract/mqd.md.

#include "totem_mqd.h"

#include "../packet/totem_pm4.h"
#include "../queue/totem_hqd_values.h"
#include "../queue/totem_phases.h"

enum { TOTEM_MQD_PHASES(TOTEM_PHASE) };
enum { PRELOAD = 1, WINDOW = 2, SAVE = 3, CLOSE = 4, SWITCH_SAVE = 5, SWITCH_LOAD = 6, END = 7 };
enum { READ = 0, WRITE = 1, LOAD = 2 };
enum { ROLL_LOAD = 0, ROLL_SAVE = 1, ROLL_CLEAR = 2 };
enum { TOP_RPTR = 93, END_RPTR = 96, END_SEQUENCE = 97, TOP_SEQUENCE = 107, PAUSE = 63 };
enum { FIRST_REGISTER = 1, LAST_REGISTER = 83, FIRST_WINDOW = 128, FIRST_LOADED = 130, LAST_WINDOW = 183 };
enum { WINDOW_ACTIVE = 2 };
// What job 4 writes of the window, in MQD dwords.
enum { CLOSE_STATE = 132, CLOSE_BUFFER = 146, CLOSE_LAST = 149 };

// Byte addresses [39:2].
#define PLACE_MASK ((1ull << 38) - 1)
#define LEFT_MASK 0xfffffu

// Window dwords that HEAD reads, in their order.
static const uint8_t head_dword[8] = {0, 1, 4, 18, 19, 21, 20, 20};

static uint64_t here(const totem_mqd *s)
{
    return (s->base + s->dword) & PLACE_MASK;
}

static bool is_register(const totem_mqd *s)
{
    return s->dword <= LAST_REGISTER;
}

static bool is_record(const totem_mqd *s)
{
    return s->dword > LAST_REGISTER && s->dword <= TOP_SEQUENCE;
}

// Last dword of what a burst may read here.
static uint64_t part_end(const totem_mqd *s)
{
    if (is_register(s))
        return LAST_REGISTER;
    return is_record(s) ? TOP_SEQUENCE : LAST_WINDOW;
}

static bool is_save(const totem_mqd *s)
{
    return s->job == SAVE || s->job == SWITCH_SAVE;
}

// A window dword that a switch does not put back into the window: the pipe itself holds it, or the host may have
// written it.
static bool is_own(const totem_mqd *s)
{
    if (is_register(s) || is_record(s))
        return false;
    switch ((s->dword - FIRST_WINDOW) & 63) {
    case 2: // ACTIVE
    case 4: // PERSISTENT_STATE
    case 5: // priorities and quantum
    case 6:
    case 7:
    case 10: // read pointer
    case 18: // indirect buffer
    case 19:
    case 20:
    case 21:
    case 24: // DEQUEUE_REQUEST
    case 54: // write pointer
    case 55: return true;
    default: return false;
    }
}

static bool ends_part(const totem_mqd *s)
{
    return s->dword == LAST_REGISTER || s->dword == LAST_WINDOW;
}

// The value goes into the bank.
static bool to_bank(const totem_mqd *s)
{
    return s->phase == SET && (s->job == PRELOAD || (s->job == SWITCH_LOAD && is_register(s)));
}

static bool is_odd(const totem_mqd *s)
{
    return (here(s) & 1) != 0;
}

static uint64_t low_word(uint64_t word, uint32_t value)
{
    return (word & ~(uint64_t)0xffffffffu) | value;
}

static uint64_t high_word(uint64_t word, uint32_t value)
{
    return (word & 0xffffffffu) | (uint64_t)value << 32;
}

// The two halves of an address as window dwords hold them: [31:2] and [39:32].
static uint64_t low_place(uint64_t place, uint32_t value)
{
    return (place & ~0x3fffffffull) | value >> 2;
}

static uint64_t high_place(uint64_t place, uint32_t value)
{
    return (place & 0x3fffffffull) | (uint64_t)(value & 0xff) << 30;
}

static uint32_t low_dword(uint64_t place)
{
    return (uint32_t)(place << 2);
}

// The port of memory is record's too: its words go first, its acknowledges have the other tag.
static bool write_taken(const totem_mqd_in *i)
{
    return i->write_ready && !i->record_write_valid;
}

static bool acknowledged(const totem_mqd_in *i)
{
    return i->write_ack && (i->ack_tag & 1) == 0;
}

// What goes to events before this block's words: all of record's, and the second one of poll.
static bool error_taken(const totem_mqd_in *i)
{
    if (i->record_error_valid)
        return false;
    if (i->poll_error_valid && i->poll_error_second)
        return false;
    return i->events_error_ready;
}

// The word that ends a job of a switch.
static void moved(const totem_mqd *s, totem_mqd_out *o)
{
    const bool good = s->code == 0;
    const bool load = s->job == SWITCH_LOAD;

    if (!load && s->job != SWITCH_SAVE)
        return;
    o->access_dword = LOAD_MOVED;
    o->access_data  = s->grid ? 4 : 0;
    if (load && good)
        o->access_data |= 1; // loaded
    if (load || (good && s->base != 0))
        o->access_data |= 2; // the MQD holds the state
    if (!good)
        o->access_data |= 8;
}

static void access_outputs(const totem_mqd *s, totem_mqd_out *o)
{
    o->access_valid = false;
    o->access_kind  = LOAD;
    o->access_queue = s->queue;
    o->access_dword = (uint8_t)((s->dword - FIRST_WINDOW) & 63);
    o->access_data  = s->value;
    switch (s->phase) {
    case HEAD:
        o->access_valid = true;
        o->access_kind  = READ;
        o->access_dword = head_dword[s->step & 7];
        break;
    case BUFFER:
        o->access_valid = true;
        o->access_dword = s->step & 4 ? LOAD_RPTR : (uint8_t)(LOAD_BUFFER + (s->step & 3));
        if (s->step & 4)
            o->access_data = s->pair & 0xffffffffu;
        else if (s->step == 0)
            o->access_data = s->place << 2;
        else if (s->step == 1)
            o->access_data = s->left;
        break;
    case SET:
        o->access_valid =
            s->job == WINDOW || s->job == CLOSE || (s->job == SWITCH_LOAD && !is_register(s) && !is_own(s));
        o->access_kind = WRITE;
        break;
    case GET:
        o->access_valid = !is_register(s);
        o->access_kind  = READ;
        break;
    case ACTIVATE:
        o->access_valid = true;
        o->access_kind  = WRITE;
        o->access_dword = WINDOW_ACTIVE;
        o->access_data  = 1;
        break;
    case FINISH:
        o->access_valid = true;
        o->access_dword = LOAD_ACTIVE;
        o->access_data  = 0;
        if (s->job == PRELOAD && s->code == 0)
            o->access_data = 1u | (uint64_t)s->preload << 1 | (uint64_t)s->grid << 2 | (uint64_t)s->turn << 3;
        moved(s, o);
        break;
    default: break;
    }
}

void totem_mqd_outputs(const totem_mqd *s, totem_mqd_out *o)
{
    const uint64_t at    = here(s);
    const uint64_t end   = (s->base + part_end(s)) & PLACE_MASK;
    const unsigned from  = at >> 1 & 15;
    const unsigned upto  = end >> 5 == at >> 5 ? (unsigned)(end >> 1 & 15) : 15;
    const uint64_t bytes = (s->strobe & 1 ? 0x0fu : 0) | (s->strobe & 2 ? 0xf0u : 0);
    const bool     read  = s->code >= TOTEM_ERROR_MEMORY_READ_SLVERR && s->code <= TOTEM_ERROR_MEMORY_READ_SLVERR + 3;

    access_outputs(s, o);
    o->bank_valid  = to_bank(s) || (s->phase == GET && is_register(s));
    o->bank_write  = s->phase == SET;
    o->bank_queue  = s->queue;
    o->bank_offset = (uint8_t)((s->dword - 1) & 127);
    o->bank_data   = s->value;

    o->ram_write_enable = s->beat_valid;
    o->ram_write_addr   = s->beat_place;
    o->ram_write_data   = s->beat;
    o->ram_read_enable  = s->phase == FIND;
    o->ram_read_addr    = (uint8_t)from;

    o->read_valid  = s->phase == ASK;
    o->read_addr   = at >> 1 << 3;
    o->read_beats  = (uint8_t)((upto - from + 1) & 31);
    o->write_valid = s->phase == PUT;
    o->write_word  = s->step == 0 ? at >> 1 << 3 | bytes << 40 : s->pair;

    o->interrupt_valid = s->phase == INTERRUPT;
    o->interrupt_word  = s->reason | (uint64_t)s->queue << 32;
    o->error_valid     = s->phase >= ERROR && s->phase != ROLL;
    o->error_word      = s->value;
    if (s->step == 0)
        o->error_word = (read ? at : s->base) << 2 | (uint64_t)s->queue << 48 | (uint64_t)s->code << 56;
    o->roll_valid = s->phase == ROLL;
    o->roll_op    = ROLL_LOAD;
    if (s->job != PRELOAD)
        o->roll_op = s->clear ? ROLL_CLEAR : ROLL_SAVE;
    o->roll_queue = s->queue;
    o->roll_base  = s->base;
    o->roll_grid  = s->grid;
    o->busy       = s->phase != IDLE;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        o->behind[q] = s->behind[q];
}

// What the window knows of the slot is read; the registers come next.
static void registers(totem_mqd *n)
{
    n->step  = 0;
    n->phase = FINISH;
    if (n->preload) {
        n->dword = FIRST_REGISTER;
        n->phase = ASK;
    }
}

static void close_window(totem_mqd *n)
{
    n->job   = CLOSE;
    n->dword = CLOSE_STATE;
    n->phase = GET;
}

static void head(totem_mqd *n, const totem_mqd *s, uint32_t data)
{
    const uint32_t pointer = data & LEFT_MASK;

    n->step = (s->step + 1) & 7;
    switch (s->step) {
    case 0: n->base = low_place(s->base, data); break;
    case 1:
        n->base = high_place(s->base, data);
        if (s->job == WINDOW) {
            n->dword = FIRST_LOADED;
            n->phase = ASK;
        } else if (s->job == SWITCH_LOAD) {
            n->dword = FIRST_REGISTER;
            n->phase = ASK;
        }
        break;
    case 2:
        n->preload = (data & 1) != 0;
        n->grid    = data >> 31 != 0;
        if (s->job == SAVE && s->base == 0) {
            close_window(n);
        } else if (s->job == SWITCH_SAVE && s->base == 0) {
            n->phase = FINISH;
        } else if (is_save(s)) {
            n->dword = FIRST_REGISTER;
            n->phase = GET;
        } else if (s->job == PRELOAD) {
            n->dword   = TOP_RPTR;
            n->unequal = false;
            n->phase   = ASK;
        }
        break;
    case 3: n->place = low_place(s->place, data); break;
    case 4: n->place = high_place(s->place, data); break;
    case 5:
        n->left = pointer;
        if (data >> 31 == 0)
            registers(n);
        break;
    default:
        n->place = (s->place + pointer) & PLACE_MASK;
        n->left  = (s->left - pointer) & LEFT_MASK;
        if (pointer < s->left) {
            n->step  = 0;
            n->phase = BUFFER;
        } else {
            registers(n);
        }
        break;
    }
}

static void beats(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    n->beat_valid = true;
    n->beat_place = s->fill;
    n->beat       = i->data_word;
    n->fill       = (s->fill + 1) & 15;
    if (i->data_error != 0 && s->code == 0) {
        n->code  = (uint8_t)(TOTEM_ERROR_MEMORY_READ_SLVERR - 1 + i->data_error);
        n->value = low_dword(here(s));
    }
    if (i->data_last)
        n->phase = n->code != 0 ? FINISH : FIND;
}

// What a switch load takes over when everything has been read.
static void keep(totem_mqd *n, const totem_mqd *s)
{
    switch ((s->dword - FIRST_WINDOW) & 63) {
    case 4: n->grid = s->value >> 31 != 0; break;
    case 10: n->pair = low_word(s->pair, s->value); break;
    case 18: n->place = low_place(s->place, s->value); break;
    case 19: n->place = high_place(s->place, s->value); break;
    case 21: n->left = s->value >> 31 != 0 ? s->value & LEFT_MASK : 0; break;
    default: break;
    }
}

// The last dword of the records: go on, or look again later.
static void compared(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i, uint32_t sequence)
{
    n->value = sequence;
    if (sequence == (uint32_t)s->pair && !s->unequal) {
        n->behind[s->queue] = false;
        n->step             = 2;
        n->phase            = BUFFER;
    } else {
        n->behind[s->queue] = true;
        n->pause            = PAUSE;
        n->phase            = i->hqd_leaving[s->queue] ? FINISH : IDLE;
    }
}

static void take(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    const uint32_t v = (uint32_t)(is_odd(s) ? i->ram_read_data >> 32 : i->ram_read_data);

    if (!is_record(s)) {
        n->value = s->dword == FIRST_LOADED ? v & ~1u : v;
        n->phase = SET;
        return;
    }
    switch (s->dword) {
    case TOP_RPTR:
        n->pair  = low_word(s->pair, v);
        n->dword = END_RPTR;
        break;
    case END_RPTR:
        n->unequal = v != (uint32_t)s->pair;
        n->dword   = END_SEQUENCE;
        break;
    case END_SEQUENCE:
        n->pair  = low_word(s->pair, v);
        n->dword = TOP_SEQUENCE;
        break;
    default: compared(n, s, i, v); return;
    }
    n->phase = here(n) >> 5 != here(s) >> 5 ? ASK : FIND;
}

// A dword of the window is as it was saved: on to the next.
static void closed(totem_mqd *n, const totem_mqd *s)
{
    n->phase = GET;
    switch (s->dword) {
    case CLOSE_STATE: n->dword = CLOSE_BUFFER; break;
    case CLOSE_LAST:
        n->value = low_dword(s->base);
        n->phase = FINISH;
        break;
    default: n->dword = (uint8_t)(s->dword + 1); break;
    }
}

static void set(totem_mqd *n, const totem_mqd *s)
{
    const bool load = s->job == SWITCH_LOAD;

    n->dword = (uint8_t)(s->dword + 1);
    if (s->dword == LAST_REGISTER && load) {
        n->dword = FIRST_LOADED;
        n->phase = ASK;
    } else if (s->dword == LAST_REGISTER) {
        n->phase = DRAIN;
    } else if (s->dword == LAST_WINDOW && load) {
        n->step  = 4;
        n->phase = BUFFER;
    } else if (s->dword == LAST_WINDOW) {
        n->phase = ACTIVATE;
    } else {
        n->phase = (here(s) & 31) == 31 ? ASK : FIND;
    }
    if (load && is_own(s))
        keep(n, s);
}

// What is saved of a window dword: the window knows everything but the grid and the buffer.
static uint32_t saved(const totem_mqd *s, const totem_mqd_in *i)
{
    const uint32_t d      = i->hqd_rdata;
    const bool     open   = i->fetch_buffer[s->queue];
    const uint64_t buffer = i->fetch_buffer_addr[s->queue];

    switch ((s->dword - FIRST_WINDOW) & 63) {
    case 2: return d & ~1u;
    case 4: {
        const bool     task = i->runner_begun[s->queue] || i->task_resume[s->queue];
        const bool     cut  = i->packet_unfinished[s->queue] || task;
        const bool     grid = cut && !i->hqd_dropping[s->queue];
        const uint32_t kept = (d & 0x7ffffffeu) | (uint32_t)grid << 31;
        if (s->job != CLOSE)
            return kept | 1u;
        if (s->code != 0)
            return kept | 1u << 31; // refused until the driver has written it
        return kept | (s->base != 0 ? 1u : 0);
    }
    case 18: return open ? low_dword(buffer) : d;
    case 19: return open ? (uint32_t)(buffer >> 30) : d;
    case 20: return open ? 0 : d;
    case 21: return open ? 1u << 31 | (d & 0x7ff00000u) | i->fetch_buffer_left[s->queue] : d & 0x7fffffffu;
    case 24: return d & ~7u;
    default: return d;
    }
}

// The value joins its pair; a full one, or the last of a part, is written, unless a write has failed.
static void pair(totem_mqd *n, const totem_mqd *s, uint32_t value)
{
    n->value = value;
    if (is_odd(s)) {
        n->pair = high_word(s->pair, value);
        n->strobe |= 2;
    } else {
        n->pair = low_word(s->pair, value);
        n->strobe |= 1;
    }
    if ((is_odd(s) || ends_part(s)) && s->code != 0) {
        n->strobe = 0;
        n->phase  = DRAIN;
    } else if (is_odd(s) || ends_part(s)) {
        n->step  = 0;
        n->phase = PUT;
    } else {
        n->dword = (uint8_t)(s->dword + 1);
        n->phase = GET;
    }
}

static void put(totem_mqd *n, const totem_mqd *s)
{
    if (s->step == 0) {
        n->step = 1;
        return;
    }
    n->strobe = 0;
    n->phase  = GET;
    if (s->dword == LAST_REGISTER)
        n->dword = FIRST_WINDOW;
    else if (s->dword == LAST_WINDOW)
        n->phase = DRAIN;
    else
        n->dword = (uint8_t)(s->dword + 1);
}

static void choose(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t q = (uint8_t)((s->queue + k) & (TOTEM_QUEUES - 1));
        if (i->hqd_request[q] != 0 && (!s->behind[q] || s->pause == 0 || i->hqd_leaving[q])) {
            n->queue  = q;
            n->job    = i->hqd_request[q];
            n->step   = 0;
            n->code   = 0;
            n->strobe = 0;
            n->turn   = false;
            n->phase  = i->hqd_request[q] == END ? FINISH : HEAD;
            return;
        }
    }
}

static uint8_t descriptor_code(uint8_t error)
{
    switch (TOTEM_ERROR_HOST_HOLE - 1 + error) {
    case TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY: return TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY;
    case TOTEM_ERROR_HOST_MAP_AQL: return TOTEM_ERROR_DESCRIPTOR_AQL;
    case TOTEM_ERROR_HOST_MAP_QUEUE_SIZE: return TOTEM_ERROR_DESCRIPTOR_QUEUE_SIZE;
    case TOTEM_ERROR_HOST_MAP_NO_EPOCH: return TOTEM_ERROR_DESCRIPTOR_NO_EPOCH;
    default: return TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
    }
}

static void activate(totem_mqd *n, const totem_mqd_in *i)
{
    n->phase = IDLE;
    if (i->hqd_error != 0) {
        n->value = i->hqd_rdata;
        n->code  = descriptor_code(i->hqd_error);
        n->phase = FINISH;
    }
}

// The list of tasks has been moved.
static void rolled(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    n->turn = i->roll_turn;
    if (i->roll_code != 0)
        n->code = i->roll_code;
    if (s->job == SAVE) {
        close_window(n);
        return;
    }
    if (i->roll_resume && s->job == PRELOAD)
        n->grid = false;
    n->value = i->roll_word;
    n->base  = i->roll_where;
    n->dword = 0;
    n->phase = FINISH;
}

static void buffer(totem_mqd *n, const totem_mqd *s)
{
    if (s->step & 4) { // the read pointer of a switch load comes first
        n->step = 0;
    } else if (s->step == 0) {
        n->step = 1;
    } else if (s->step == 1 && s->job == SWITCH_LOAD) {
        n->phase = DRAIN;
    } else if (s->step == 1) {
        registers(n);
    } else { // the sequence number was the last of the records
        n->step  = 3;
        n->phase = HEAD;
    }
}

static void finish(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i)
{
    n->behind[s->queue] = false;

    n->reason = i->hqd_rdata & 7;
    n->step   = 0;
    n->phase  = n->reason != 0 ? INTERRUPT : IDLE;
    if (s->code != 0)
        n->phase = ERROR;
}

void totem_mqd_step(totem_mqd *s, const totem_mqd_in *i)
{
    totem_mqd  n    = *s; // what follows the clock edge; s stays as it was before
    const bool sent = s->phase == PUT && s->step != 0 && write_taken(i);

    n.beat_valid = false;
    if (s->pause != 0)
        n.pause = (uint8_t)(s->pause - 1);
    n.owed = (uint8_t)((s->owed + sent - acknowledged(i)) & 127);
    if (acknowledged(i) && i->ack_error != 0 && s->code == 0)
        n.code = (uint8_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1 + i->ack_error);

    switch (s->phase) {
    case IDLE: choose(&n, s, i); break;
    case HEAD:
        if (i->hqd_done)
            head(&n, s, i->hqd_rdata);
        break;
    case BUFFER:
        if (i->hqd_done)
            buffer(&n, s);
        break;
    case ASK:
        n.fill = here(s) >> 1 & 15;
        if (i->read_ready)
            n.phase = BEATS;
        break;
    case BEATS:
        if (i->data_valid)
            beats(&n, s, i);
        break;
    case FIND:
        if (!s->beat_valid)
            n.phase = TAKE;
        break;
    case TAKE: take(&n, s, i); break;
    case SET:
        if (s->job == CLOSE) {
            if (i->hqd_done)
                closed(&n, s);
        } else if ((s->job == SWITCH_LOAD && is_own(s)) || (to_bank(s) ? i->bank_ready : i->hqd_done))
            set(&n, s);
        break;
    case GET:
        if (is_register(s) && i->bank_ready)
            n.phase = ANSWER;
        else if (!is_register(s) && i->hqd_done && s->job == CLOSE) {
            n.value = saved(s, i);
            n.phase = SET;
        } else if (!is_register(s) && i->hqd_done)
            pair(&n, s, saved(s, i));
        break;
    case ANSWER:
        if (i->bank_answer)
            pair(&n, s, i->register_ram_read_data);
        break;
    case PUT:
        if (write_taken(i))
            put(&n, s);
        break;
    case DRAIN:
        if (s->owed != 0 || !i->bank_ready)
            break;
        if (i->task_present && (s->job == PRELOAD || (s->job == SAVE && s->code == 0))) {
            n.clear = i->hqd_dropping[s->queue];
            n.phase = ROLL;
        } else if (s->job == SAVE) {
            close_window(&n);
        } else {
            if (s->code != 0)
                n.value = low_dword(s->base);
            n.phase = FINISH;
        }
        break;
    case ACTIVATE:
        if (i->hqd_done)
            activate(&n, i);
        break;
    case ROLL:
        if (i->roll_done)
            rolled(&n, s, i);
        break;
    case FINISH:
        if (i->hqd_done)
            finish(&n, s, i);
        break;
    case INTERRUPT:
        if (i->events_interrupt_ready && !i->fence_interrupt_valid)
            n.phase = IDLE;
        break;
    default:
        if (error_taken(i) && s->step == 0)
            n.step = 1;
        else if (error_taken(i))
            n.phase = s->reason != 0 ? INTERRUPT : IDLE;
        break;
    }

    *s = n;
}

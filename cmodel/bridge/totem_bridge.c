// SPDX-License-Identifier: Apache-2.0
//
// totem_bridge: executes the requests of the host at the serial line, and answers them.
// Twin of rtl/bridge/totem_bridge.v; the rules are those of docs/contract/bridge.md.

#include "totem_bridge.h"

enum { WORDS = 64, HEAD_WORDS = 2, PATIENCE = 0xffff };

static const uint32_t REGISTERS = (uint32_t)BRIDGE_REGISTERS << 20;

static bool last_word(const totem_bridge *s)
{
    if (s->phase == BRIDGE_SEND)
        return ((s->sent + 1) & 0x7f) == s->done;
    return !s->reads || s->done == 0;
}

void totem_bridge_outputs(const totem_bridge *s, totem_bridge_out *o)
{
    const uint8_t target = s->phase == BRIDGE_ACCESS ? s->target : BRIDGE_OWN; // of BRIDGE_OWN there is no valid

    o->busy                  = s->phase != BRIDGE_IDLE;
    o->request_read_enable   = s->phase == BRIDGE_AIM;
    o->request_read_addr     = s->done & (WORDS - 1);
    o->response_write_enable = s->phase == BRIDGE_STORE;
    o->response_write_addr   = s->done & (WORDS - 1);
    o->response_write_data   = s->data;
    o->response_read_enable  = s->phase == BRIDGE_LOAD;
    o->response_read_addr    = s->sent & (WORDS - 1);
    o->answer_valid          = s->phase == BRIDGE_HEAD || s->phase == BRIDGE_SEND;
    o->answer_data           = (uint32_t)s->done << 16 | (uint32_t)s->status << 8 | s->last;
    if (s->phase == BRIDGE_SEND)
        o->answer_data = s->data;
    o->answer_last     = last_word(s);
    o->memory_valid    = target == BRIDGE_TO_MEMORY;
    o->machine_valid   = target == BRIDGE_TO_MACHINE;
    o->control_valid   = target == BRIDGE_TO_CONTROL;
    o->points_valid    = target == BRIDGE_TO_POINTS;
    o->trace_valid     = target == BRIDGE_TO_TRACE;
    o->request_write   = !s->reads;
    o->request_address = s->address;
    o->request_data    = s->data;
}

// 3 Check
static void check(totem_bridge *n, const totem_bridge *s)
{
    const bool again = s->request_sequence != 0 && s->request_sequence == s->last;

    n->sent  = 0;
    n->phase = BRIDGE_HEAD;
    if (again)
        return;
    n->last   = s->request_sequence;
    n->done   = 0;
    n->reads  = s->command == BRIDGE_READ;
    n->status = BRIDGE_OK;
    if (s->command != BRIDGE_READ && s->command != BRIDGE_WRITE)
        n->status = BRIDGE_COMMAND;
    else if (s->count == 0 || s->count > WORDS)
        n->status = BRIDGE_COUNT;
    else if (s->words != (s->command == BRIDGE_READ ? HEAD_WORDS : HEAD_WORDS + s->count))
        n->status = BRIDGE_COMMAND;
    else
        n->phase = BRIDGE_RANGE;
}

// 4 Range
static void range(totem_bridge *n, const totem_bridge *s, const totem_bridge_in *i)
{
    const uint64_t limit        = (uint64_t)s->address + 4u * s->count;
    const bool     in_memory    = limit <= i->board_memory;
    const bool     in_machine   = s->address >> 20 == BRIDGE_MACHINE && limit <= 0x10100000u;
    bool           in_registers = false;
    if (s->address >> 20 == BRIDGE_REGISTERS)
        switch (s->address >> 16 & 15) {
        case BRIDGE_PAGE_WORDS: in_registers = limit <= REGISTERS + BRIDGE_END; break;
        case BRIDGE_PAGE_LIST: in_registers = limit <= REGISTERS + 0x10000u + 16u * i->board_entries; break;
        case BRIDGE_PAGE_POINTS: in_registers = limit <= REGISTERS + 0x20000u + 8u * i->board_points; break;
        case BRIDGE_PAGE_TRACE: in_registers = limit <= REGISTERS + 0x30000u + 16u * i->board_records; break;
        case BRIDGE_PAGE_FOLDS: in_registers = limit <= REGISTERS + 0x40000u + 4u * i->board_folds; break;
        default: break;
        }

    n->phase = BRIDGE_HEAD;
    if (s->address % 4 != 0 || !(in_memory || in_machine || in_registers))
        n->status = BRIDGE_ADDRESS;
    else if (i->boot_busy && (in_memory || in_machine))
        n->status = BRIDGE_BUSY;
    else
        n->phase = BRIDGE_AIM;
}

// 5 Aim
static uint8_t aim(uint32_t address)
{
    if (address >> 20 == BRIDGE_MACHINE)
        return BRIDGE_TO_MACHINE;
    if (address >> 20 != BRIDGE_REGISTERS)
        return BRIDGE_TO_MEMORY;
    switch (address >> 16 & 15) {
    case BRIDGE_PAGE_LIST: return BRIDGE_TO_CONTROL;
    case BRIDGE_PAGE_POINTS:
    case BRIDGE_PAGE_FOLDS: return BRIDGE_TO_POINTS;
    case BRIDGE_PAGE_TRACE: return BRIDGE_TO_TRACE;
    default: break;
    }
    switch (address & 0x70) {
    case BRIDGE_CONTROL: return BRIDGE_TO_CONTROL;
    case BRIDGE_STRIDE: return BRIDGE_TO_POINTS;
    case BRIDGE_TRACE_MASK:
    case BRIDGE_TRACE_BEHIND: return BRIDGE_TO_TRACE;
    default: return BRIDGE_OWN;
    }
}

static uint32_t own(uint32_t address, const totem_bridge_in *i)
{
    uint32_t own_word = 0;
    switch (address & 0x7c) {
    case BRIDGE_MAGIC: own_word = BRIDGE_MAGIC_IS; break;
    case BRIDGE_VERSION: own_word = BRIDGE_VERSION_IS; break;
    case BRIDGE_CONFIG: own_word = i->board_config; break;
    case BRIDGE_MEMORY: own_word = i->board_memory; break;
    case BRIDGE_CLOCK: own_word = i->board_clock; break;
    case BRIDGE_SIZES: own_word = (uint32_t)i->board_points << 16 | i->board_entries; break;
    case BRIDGE_FEATURES: own_word = i->board_features; break;
    case BRIDGE_BOARD: own_word = i->board_number; break;
    case BRIDGE_FOLDS: own_word = i->board_folds; break;
    case BRIDGE_DROPPED: own_word = i->frame_dropped; break;
    default: break;
    }
    return own_word;
}

// 8 Store: and a word that has been written is done, too.
static void word_done(totem_bridge *n, const totem_bridge *s)
{
    n->done    = (s->done + 1) & 0x7f;
    n->address = s->address + 4;
    n->phase   = n->done == s->count ? BRIDGE_HEAD : BRIDGE_AIM;
}

// 7 Access
static void access_word(totem_bridge *n, const totem_bridge *s, const totem_bridge_in *i)
{
    bool     answered        = false;
    uint8_t  answered_status = BRIDGE_OK;
    uint32_t answered_data   = 0;

    switch (s->target) {
    case BRIDGE_OWN:
        answered        = true;
        answered_status = s->reads ? BRIDGE_OK : BRIDGE_READONLY;
        answered_data   = own(s->address, i);
        break;
    case BRIDGE_TO_MEMORY:
        answered      = i->store_done;
        answered_data = i->store_rdata;
        break;
    case BRIDGE_TO_MACHINE:
        answered        = i->boot_machine_done;
        answered_status = i->boot_machine_status;
        answered_data   = i->boot_machine_rdata;
        break;
    case BRIDGE_TO_CONTROL:
        answered        = i->boot_control_done;
        answered_status = i->boot_control_status;
        answered_data   = i->boot_control_rdata;
        break;
    case BRIDGE_TO_POINTS:
        answered        = i->signature_done;
        answered_status = i->signature_status;
        answered_data   = i->signature_rdata;
        break;
    case BRIDGE_TO_TRACE:
        answered        = i->trace_done;
        answered_status = i->trace_status;
        answered_data   = i->trace_rdata;
        break;
    default: break;
    }

    n->patience = (uint16_t)(s->patience + 1);
    if (answered && answered_status == BRIDGE_OK) {
        n->status = BRIDGE_OK;
        if (s->reads) {
            n->data  = answered_data;
            n->phase = BRIDGE_STORE;
        } else {
            word_done(n, s);
        }
    } else if (answered) {
        n->status = answered_status;
        n->phase  = BRIDGE_HEAD;
    } else if (s->patience == PATIENCE) {
        n->status = BRIDGE_TIME_OUT;
        n->phase  = BRIDGE_HEAD;
    }
}

void totem_bridge_step(totem_bridge *s, const totem_bridge_in *i)
{
    totem_bridge n = *s; // what follows the clock edge; s stays as it was before

    switch (s->phase) {
    case BRIDGE_IDLE:
        // 1 Head
        if (i->frame_head_valid) {
            if (i->frame_head_second) {
                n.address = i->frame_head_data;
            } else {
                n.request_sequence = i->frame_head_data & 0xff;
                n.command          = i->frame_head_data >> 8 & 0xff;
                n.count            = i->frame_head_data >> 16 & 0xff;
            }
        }
        // 2 Begin
        if (i->frame_end_valid) {
            n.words = i->frame_end_words;
            n.phase = BRIDGE_CHECK;
        }
        break;
    case BRIDGE_CHECK: check(&n, s); break;
    case BRIDGE_RANGE: range(&n, s, i); break;
    case BRIDGE_AIM:
        n.patience = 0;
        n.target   = aim(s->address);
        n.phase    = s->reads ? BRIDGE_ACCESS : BRIDGE_TAKE;
        break;
    // 6 Take
    case BRIDGE_TAKE:
        n.data  = i->request_read_data;
        n.phase = BRIDGE_ACCESS;
        break;
    case BRIDGE_ACCESS: access_word(&n, s, i); break;
    case BRIDGE_STORE: word_done(&n, s); break;
    // 9 Answer
    case BRIDGE_HEAD:
    case BRIDGE_SEND:
        if (i->frame_answer_ready) {
            if (s->phase == BRIDGE_SEND)
                n.sent = (s->sent + 1) & 0x7f;
            n.phase = last_word(s) ? BRIDGE_IDLE : BRIDGE_LOAD;
        }
        break;
    case BRIDGE_LOAD: n.phase = BRIDGE_COPY; break;
    case BRIDGE_COPY:
        n.data  = i->response_read_data;
        n.phase = BRIDGE_SEND;
        break;
    default: break;
    }

    *s = n;
}

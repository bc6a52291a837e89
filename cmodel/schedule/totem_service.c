// SPDX-License-Identifier: Apache-2.0
//
// totem_service: packets of the scheduler's queue, as commands of the run list.
// Twin of rtl/schedule/totem_service.v; the rules are those of docs/contract/service.md.

#include "totem_service.h"

#include "../lib/totem_upper.h"
#include "../packet/totem_pm4.h"
#include "totem_runlist_values.h"

enum { WORDS = 7, MOST_NAMED = 4 };

static uint32_t field(uint32_t dword, unsigned high, unsigned low)
{
    return dword >> low & (uint32_t)((UINT64_C(1) << (high - low + 1)) - 1);
}

static uint8_t opcode(const totem_service *s)
{
    return (uint8_t)field(s->words[0], 15, 8);
}

static uint32_t door(const totem_service *s)
{
    return s->words[2 + s->step];
}

static bool outside(const totem_service *s)
{
    return field(door(s), 2, 2) != 0 || field(door(s), 27, 3) >= TOTEM_RUN_QUEUES;
}

static bool more(const totem_service *s)
{
    return opcode(s) == TOTEM_OP_UNMAP_QUEUES && field(s->words[1], 5, 4) == 0 &&
           s->step + 1u < field(s->words[1], 31, 29);
}

static bool sweeps(const totem_service *s)
{
    return opcode(s) == TOTEM_OP_UNMAP_QUEUES && field(s->words[1], 5, 4) != 0;
}

static bool same(const totem_service *s, const totem_service_in *i)
{
    bool equal = s->gone;
    for (unsigned n = 0; n < WORDS; n++)
        equal = equal && (i->packet_index != n || s->words[n] == i->packet_word);
    return equal;
}

static totem_upper_out upper(uint32_t dword, const totem_service_in *i)
{
    const totem_upper_in in = {.address = (uint16_t)dword, .above = i->settings_address_high};
    totem_upper_out      out;
    totem_upper_outputs(&in, &out);
    return out;
}

static uint8_t command_op(const totem_service *s)
{
    switch (opcode(s)) {
    case TOTEM_OP_SET_RESOURCES: return RUN_MASK;
    case TOTEM_OP_MAP_QUEUES: return RUN_ADD;
    default: return (uint8_t)(RUN_REMOVE + field(s->words[1], 5, 4));
    }
}

static uint32_t control(const totem_service *s)
{
    const uint32_t command = field(s->words[1], 31, 30);
    if (opcode(s) == TOTEM_OP_RUN_LIST)
        return field(s->words[3], 19, 0);
    switch (command) {
    case 0: return 1u << 24;
    case 3: return 2u << 29 | 2u << 24;
    default: return 2u << 29;
    }
}

void totem_service_outputs(const totem_service *s, totem_service_out *o)
{
    const uint32_t *d      = s->words;
    const bool      map    = opcode(s) == TOTEM_OP_MAP_QUEUES;
    const uint32_t  lowest = opcode(s) == TOTEM_OP_RUN_LIST ? d[1] : d[3];

    o->ready   = s->phase == SERVICE_TAKE;
    o->done    = s->phase == SERVICE_DONE || s->again;
    o->waiting = s->gone && s->phase != SERVICE_TAKE;
    o->again   = s->again;
    o->code    = s->code;
    o->word    = s->word;
    o->answer  = s->answer;
    o->control = control(s);
    o->address = (uint64_t)s->page << 32 | (lowest & ~3u);
    o->data    = (uint64_t)d[6] << 32 | d[5];
    o->extra   = field(d[1], 27, 0);

    o->command_valid   = s->phase == SERVICE_COMMAND;
    o->command_op      = command_op(s);
    o->command_entry   = (TOTEM_SERVICE_COMMAND_ENTRY)(field(door(s), 27, 3) % TOTEM_RUN_QUEUES);
    o->command_mqd     = o->address >> 3;
    o->command_pointer = (uint64_t)s->pointer_page << 29 | d[5] >> 3;
    o->command_process = map ? s->process : (uint16_t)d[2];
    o->command_tenant  = 0;
    o->command_quantum = s->quantum;
    o->command_static  = field(d[1], 22, 22) != 0;
    o->command_reset   = field(d[1], 1, 0) == 1;
    o->command_data    = (uint64_t)d[3] << 32 | (d[2] & ~1u);
}

static void ends(totem_service *n, const totem_service *s)
{
    n->phase = s->gone ? SERVICE_TAKE : SERVICE_DONE;
}

static void fail(totem_service *n, const totem_service *s, uint8_t code, unsigned dword)
{
    n->code = code;
    n->word = s->words[dword];
    ends(n, s);
}

// 2 Take
static void take(totem_service *n, const totem_service *s, const totem_service_in *i)
{
    n->gone = same(s, i);
    for (unsigned w = 0; w < WORDS; w++)
        if (i->packet_index == w)
            n->words[w] = i->packet_word;
    if (!i->packet_last)
        return;
    n->step = 0;
    n->gone = false;
    if (!i->packet_privileged) {
        n->code   = TOTEM_ERROR_RUNLIST_PRIVILEGE;
        n->word   = n->words[0];
        n->answer = SERVICE_PLAIN;
        n->phase  = SERVICE_DONE;
    } else if (same(s, i)) {
        n->phase = SERVICE_DONE;
    } else {
        n->code   = TOTEM_ERROR_NONE;
        n->answer = SERVICE_PLAIN;
        n->phase  = SERVICE_ACT;
    }
}

static void map_queues(totem_service *n, const totem_service *s, const totem_service_in *i)
{
    const uint32_t *d = s->words;
    if (field(d[1], 3, 2) != 0 || field(d[1], 5, 4) != 1 || field(d[1], 23, 23) != 0 || field(d[1], 28, 26) != 0 ||
        field(d[1], 31, 29) != 1)
        fail(n, s, TOTEM_ERROR_RUNLIST_LAYOUT, 1);
    else if (outside(s))
        fail(n, s, TOTEM_ERROR_RUNLIST_ENTRY, 2);
    else if (upper(d[4], i).strange)
        fail(n, s, TOTEM_ERROR_PACKET_ADDRESS, 4);
    else if (upper(d[6], i).strange)
        fail(n, s, TOTEM_ERROR_PACKET_ADDRESS, 6);
    else if (field(d[3], 2, 0) != 0)
        fail(n, s, TOTEM_ERROR_RUNLIST_MQD, 3);
    else if (field(d[5], 2, 0) != 0)
        fail(n, s, TOTEM_ERROR_RUNLIST_MQD, 5);
    else
        n->phase = SERVICE_COMMAND;
}

static void unmap_queues(totem_service *n, const totem_service *s)
{
    const uint32_t first = s->words[1], action = field(first, 1, 0), selects = field(first, 5, 4);
    const uint32_t count = field(first, 31, 29);
    if (action == 3 || (action == 2 && selects != 1) || field(first, 28, 26) != 0 ||
        (selects == 0 && (count == 0 || count > MOST_NAMED)))
        fail(n, s, TOTEM_ERROR_RUNLIST_LAYOUT, 1);
    else if (selects == 0 && outside(s))
        fail(n, s, TOTEM_ERROR_RUNLIST_ENTRY, 2u + s->step);
    else
        n->phase = SERVICE_COMMAND;
}

static void query_status(totem_service *n, const totem_service *s, const totem_service_in *i)
{
    if (field(s->words[1], 29, 28) != 0) {
        fail(n, s, TOTEM_ERROR_RUNLIST_LAYOUT, 1);
    } else if (field(s->words[1], 31, 30) != 0 && upper(s->words[4], i).strange) {
        fail(n, s, TOTEM_ERROR_PACKET_ADDRESS, 4);
    } else {
        n->answer = SERVICE_FENCE;
        ends(n, s);
    }
}

static void run_list(totem_service *n, const totem_service *s, const totem_service_in *i)
{
    const bool chain = field(s->words[3], 20, 20) != 0;
    if (field(s->words[3], 23, 23) == 0) {
        fail(n, s, TOTEM_ERROR_RUNLIST_LAYOUT, 3);
    } else if (i->packet_inside && chain) {
        n->answer = SERVICE_END;
        ends(n, s);
    } else if (i->packet_inside) {
        fail(n, s, TOTEM_ERROR_PACKET_IB_NESTED, 0);
    } else if (field(s->words[3], 19, 0) == 0) {
        fail(n, s, TOTEM_ERROR_PACKET_IB_SIZE_ZERO, 3);
    } else if (upper(s->words[2], i).strange) {
        fail(n, s, TOTEM_ERROR_PACKET_ADDRESS, 2);
    } else {
        n->answer = SERVICE_LIST;
        ends(n, s);
    }
}

// 3 Act
static void act(totem_service *n, const totem_service *s, const totem_service_in *i)
{
    n->page         = upper(s->words[opcode(s) == TOTEM_OP_RUN_LIST ? 2 : 4], i).page;
    n->pointer_page = upper(s->words[6], i).page;
    switch (opcode(s)) {
    case TOTEM_OP_SET_RESOURCES: n->phase = SERVICE_COMMAND; break;
    case TOTEM_OP_MAP_PROCESS:
        n->process = (uint16_t)s->words[1];
        n->quantum = (uint8_t)field(s->words[1], 31, 25);
        ends(n, s);
        break;
    case TOTEM_OP_MAP_QUEUES: map_queues(n, s, i); break;
    case TOTEM_OP_UNMAP_QUEUES: unmap_queues(n, s); break;
    case TOTEM_OP_QUERY_STATUS: query_status(n, s, i); break;
    case TOTEM_OP_RUN_LIST: run_list(n, s, i); break;
    default: fail(n, s, TOTEM_ERROR_RUNLIST_LAYOUT, 0); break;
    }
}

// 4 Command
static void command_done(totem_service *n, const totem_service *s, uint8_t how)
{
    if (how == RUN_ENTRY) {
        fail(n, s, TOTEM_ERROR_RUNLIST_ENTRY, 2);
    } else if (how == RUN_MQD) {
        fail(n, s, TOTEM_ERROR_RUNLIST_MQD, 3);
    } else if (more(s)) {
        n->step  = (s->step + 1u) & 3u;
        n->phase = SERVICE_ACT;
    } else if (opcode(s) == TOTEM_OP_UNMAP_QUEUES) {
        n->phase = SERVICE_LEAVE;
    } else {
        ends(n, s);
    }
}

void totem_service_step(totem_service *s, const totem_service_in *i)
{
    totem_service n       = *s; // what follows the clock edge; s stays as it was before
    const bool    command = s->phase == SERVICE_COMMAND, leave = s->phase == SERVICE_LEAVE;

    // 1 Single clock
    n.again = false;

    if (s->phase == SERVICE_TAKE && i->packet_valid)
        take(&n, s, i);
    if (s->phase == SERVICE_ACT)
        act(&n, s, i);
    if (command && i->runlist_command_done)
        command_done(&n, s, i->runlist_command_answer);

    // 5 Leave
    if (leave && !i->runlist_removing)
        ends(&n, s);

    // 6 Give up
    const bool stays = command && (i->packet_stop || sweeps(s)) && !i->runlist_command_done;
    if (!s->gone && (stays || (leave && i->runlist_removing))) {
        n.again = true;
        n.gone  = true;
    }

    // 7 Done
    if (s->phase >= SERVICE_DONE)
        n.phase = SERVICE_TAKE;

    *s = n;
}

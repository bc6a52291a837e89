// SPDX-License-Identifier: Apache-2.0
//
// totem_ledger: the host's page of the run list, and the commands of service and host to runlist.
// Twin of rtl/schedule/totem_ledger.v; the rules are those of docs/contract/ledger.md.

#include "totem_ledger.h"

#include "../host/totem_regs_map.h"
#include "../packet/totem_pm4.h"
#include "totem_runlist_values.h"

#define REGISTER(name) TOTEM_REG_RUNLIST_##name

enum {
    SLOTS       = TOTEM_FE_COUNT * TOTEM_PIPES * TOTEM_QUEUES,
    WORDS       = 8,
    ALL_BYTES   = 15,
    RESET_BIT   = 3, // of COMMAND
    BUSY_BIT    = 1, // of STATUS
    ANSWER_LOW  = 2,
    LOW_BITS    = 29, // of an address [39:3] in its low dword
    TENANT_LOW  = 16, // of PROCESS
    STATIC_BIT  = 18,
    QUANTUM_LOW = 25,
    ENTRY_LOW   = 8,  // of SLOT
    LOST_BIT    = 30, // of NOTICE
    VALID_BIT   = 31,
};

void totem_ledger_outputs(const totem_ledger *s, totem_ledger_out *o)
{
    o->host_done              = s->host_done;
    o->host_error             = s->host_error;
    o->host_rdata             = s->host_rdata;
    o->service_command_done   = s->service_command_done;
    o->service_command_answer = s->service_command_answer;
    o->command_valid          = s->command_valid;
    o->command_op             = s->command_op;
    o->command_reset          = s->command_reset;
    o->command_entry          = s->command_entry;
    o->command_mqd            = s->command_mqd;
    o->command_pointer        = s->command_pointer;
    o->command_process        = s->command_process;
    o->command_tenant         = s->command_tenant;
    o->command_quantum        = s->command_quantum;
    o->command_static         = s->command_static;
    o->command_data           = s->command_data;
    o->settings_yield         = s->settings_yield;
    o->settings_park          = s->settings_park;
    o->settings_spare         = s->settings_spare;
    o->settings_leave         = s->settings_leave;
    o->take                   = s->take;
    o->clear                  = s->clear;
    o->view_read_enable       = s->step == LEDGER_READ;
    o->view_read_addr         = (TOTEM_LEDGER_VIEW_ADDR)(s->look << 2 | s->word);
}

static bool is_word(uint8_t dword)
{
    return dword >= REGISTER(WORDS) && dword < REGISTER(WORDS) + WORDS;
}

static bool is_slot(uint8_t dword)
{
    return dword >= REGISTER(SLOT) && dword < REGISTER(SLOT) + SLOTS;
}

static bool hole(uint8_t dword)
{
    return dword > REGISTER(NOTICE_CTXID) && !is_word(dword) && !is_slot(dword);
}

static bool read_only(uint8_t dword)
{
    return (dword >= REGISTER(DECISIONS) && dword <= REGISTER(PROXY_LOST)) || dword == REGISTER(NOTICE_CTXID) ||
           is_word(dword) || is_slot(dword);
}

static uint32_t slot_value(const totem_ledger_in *i, unsigned slot)
{
    for (unsigned s = 0; s < SLOTS; s++)
        if (s == slot && i->runlist_place_phase[s] != PHASE_EMPTY)
            return i->runlist_place_phase[s] | (uint32_t)i->runlist_place_entry[s] << ENTRY_LOW;
    return 0;
}

static uint32_t read_value(const totem_ledger *s, const totem_ledger_in *i)
{
    const uint8_t dword = i->host_request_dword;

    if (is_word(dword))
        return (uint32_t)(dword % 2 == 0 ? i->view_read_data : i->view_read_data >> 32);
    if (is_slot(dword))
        return slot_value(i, dword - REGISTER(SLOT));
    switch (dword) {
    case REGISTER(YIELD): return s->settings_yield;
    case REGISTER(PARK): return s->settings_park;
    case REGISTER(SPARE): return s->settings_spare;
    case REGISTER(LEAVE): return s->settings_leave;
    case REGISTER(DECISIONS): return i->runlist_decisions;
    case REGISTER(MOVES): return i->runlist_moves;
    case REGISTER(STATUS):
        return (uint32_t)i->runlist_removing | (uint32_t)s->busy << BUSY_BIT | (uint32_t)s->answer << ANSWER_LOW;
    case REGISTER(PROXY_LOST): return i->proxy_lost;
    case REGISTER(ENTRY): return s->operand_entry;
    case REGISTER(MQD_LO): return (uint32_t)(s->operand_mqd << 3);
    case REGISTER(MQD_HI): return (uint32_t)(s->operand_mqd >> LOW_BITS);
    case REGISTER(POINTER_LO): return (uint32_t)(s->operand_pointer << 3);
    case REGISTER(POINTER_HI): return (uint32_t)(s->operand_pointer >> LOW_BITS);
    case REGISTER(PROCESS):
        return s->operand_process | (uint32_t)s->operand_tenant << TENANT_LOW |
               (uint32_t)s->operand_static << STATIC_BIT | (uint32_t)s->operand_quantum << QUANTUM_LOW;
    case REGISTER(DATA_LO): return (uint32_t)s->operand_data;
    case REGISTER(DATA_HI): return (uint32_t)(s->operand_data >> 32);
    case REGISTER(LOOK): return s->look;
    case REGISTER(NOTICE):
        return (i->notice_valid ? i->notice_entry | 1u << VALID_BIT : 0) | (uint32_t)i->notice_lost << LOST_BIT;
    case REGISTER(NOTICE_CTXID): return i->notice_valid ? i->notice_ctxid : 0;
    default: return 0;
    }
}

static uint32_t put_value(const totem_ledger_in *i, uint32_t value)
{
    uint32_t word = 0;
    for (unsigned b = 0; b < 4; b++)
        word |= ((i->host_request_strobe >> b & 1) != 0 ? i->host_request_data : value) & 0xffu << 8 * b;
    return word;
}

static bool legal(const totem_ledger_in *i, uint32_t put)
{
    const uint32_t op = put & 7;
    const bool     removal =
        op == RUN_REMOVE || op == RUN_REMOVE_PROCESS || op == RUN_REMOVE_ALL || op == RUN_REMOVE_DYNAMIC;

    switch (i->host_request_dword) {
    case REGISTER(ENTRY):
    case REGISTER(LOOK): return put < TOTEM_RUN_QUEUES;
    case REGISTER(MQD_LO):
    case REGISTER(POINTER_LO): return put % 8 == 0;
    case REGISTER(MQD_HI):
    case REGISTER(POINTER_HI): return put < 256;
    case REGISTER(COMMAND):
        return i->host_request_strobe == ALL_BYTES && put < 16 && op <= RUN_MASK && (put >> RESET_BIT == 0 || removal);
    default: return true;
    }
}

static uint8_t refusal(const totem_ledger *s, const totem_ledger_in *i, uint32_t put)
{
    const uint8_t dword  = i->host_request_dword;
    const bool    locked = dword >= REGISTER(ENTRY) && dword <= REGISTER(COMMAND) && s->busy;

    if (hole(dword))
        return TOTEM_ERROR_HOST_HOLE & 31;
    if (!i->host_request_write)
        return 0;
    if (read_only(dword))
        return TOTEM_ERROR_HOST_READ_ONLY & 31;
    if (!legal(i, put))
        return TOTEM_ERROR_HOST_VALUE & 31;
    return locked ? TOTEM_ERROR_HOST_LOCKED & 31 : 0;
}

// An address with another low or high dword.
static uint64_t with_low(uint64_t address, uint32_t put)
{
    return address >> LOW_BITS << LOW_BITS | put >> 3;
}

static uint64_t with_high(uint64_t address, uint32_t put)
{
    return (address & ((1ull << LOW_BITS) - 1)) | (uint64_t)(put & 255) << LOW_BITS;
}

// 5 Write
static void write_register(totem_ledger *n, const totem_ledger_in *i, uint32_t put)
{
    const uint32_t ones = put_value(i, 0); // what is written as 1

    switch (i->host_request_dword) {
    case REGISTER(YIELD): n->settings_yield = put & 0xff; break;
    case REGISTER(PARK): n->settings_park = put & 0xffff; break;
    case REGISTER(SPARE): n->settings_spare = put & 15; break;
    case REGISTER(LEAVE): n->settings_leave = put & 0xffffff; break;
    case REGISTER(ENTRY): n->operand_entry = put % TOTEM_RUN_QUEUES; break;
    case REGISTER(MQD_LO): n->operand_mqd = with_low(n->operand_mqd, put); break;
    case REGISTER(MQD_HI): n->operand_mqd = with_high(n->operand_mqd, put); break;
    case REGISTER(POINTER_LO): n->operand_pointer = with_low(n->operand_pointer, put); break;
    case REGISTER(POINTER_HI): n->operand_pointer = with_high(n->operand_pointer, put); break;
    case REGISTER(PROCESS):
        n->operand_process = put & 0xffff;
        n->operand_tenant  = put >> TENANT_LOW & 3;
        n->operand_static  = (put >> STATIC_BIT & 1) != 0;
        n->operand_quantum = (uint8_t)(put >> QUANTUM_LOW);
        break;
    case REGISTER(DATA_LO): n->operand_data = n->operand_data >> 32 << 32 | put; break;
    case REGISTER(DATA_HI): n->operand_data = (uint64_t)put << 32 | (uint32_t)n->operand_data; break;
    case REGISTER(LOOK): n->look = put % TOTEM_RUN_QUEUES; break;
    case REGISTER(NOTICE):
        n->take  = i->notice_valid && (ones >> VALID_BIT & 1) != 0;
        n->clear = i->notice_lost && (ones >> LOST_BIT & 1) != 0;
        break;
    default: // COMMAND
        n->operand_op    = put & 7;
        n->operand_reset = (put >> RESET_BIT & 1) != 0;
        n->busy          = true;
    }
}

// 4 Host
static void host(totem_ledger *n, const totem_ledger *s, const totem_ledger_in *i)
{
    if (s->step == LEDGER_REST) {
        if (i->host_ledger_valid && !s->host_done) {
            n->step = LEDGER_READ;
            n->word = i->host_request_dword >> 1 & 3;
        }
        return;
    }
    if (s->step == LEDGER_READ) {
        n->step = LEDGER_ACT;
        return;
    }
    const uint32_t value = read_value(s, i), put = put_value(i, value);

    n->step       = LEDGER_REST;
    n->host_done  = true;
    n->host_rdata = value;
    n->host_error = refusal(s, i, put);
    if (i->host_request_write && n->host_error == 0)
        write_register(n, i, put);
}

// 2 Answer
static void answered(totem_ledger *n, const totem_ledger *s, uint8_t answer)
{
    n->command_valid = false;
    if (s->from_host) {
        n->busy   = false;
        n->answer = answer;
    } else {
        n->service_command_done   = true;
        n->service_command_answer = answer;
    }
}

// 3 Give
static void give(totem_ledger *n, const totem_ledger *s, const totem_ledger_in *i)
{
    const bool service_asks = i->service_command_valid && !s->service_command_done;
    const bool host_goes    = s->busy && !(service_asks && s->from_host);

    if (!host_goes && !service_asks)
        return;
    n->command_valid   = true;
    n->from_host       = host_goes;
    n->command_op      = host_goes ? s->operand_op : i->service_command_op;
    n->command_reset   = host_goes ? s->operand_reset : i->service_command_reset;
    n->command_entry   = host_goes ? s->operand_entry : i->service_command_entry;
    n->command_mqd     = host_goes ? s->operand_mqd : i->service_command_mqd;
    n->command_pointer = host_goes ? s->operand_pointer : i->service_command_pointer;
    n->command_process = host_goes ? s->operand_process : i->service_command_process;
    n->command_tenant  = host_goes ? s->operand_tenant : i->service_command_tenant;
    n->command_quantum = host_goes ? s->operand_quantum : i->service_command_quantum;
    n->command_static  = host_goes ? s->operand_static : i->service_command_static;
    n->command_data    = host_goes ? s->operand_data : i->service_command_data;
}

void totem_ledger_step(totem_ledger *s, const totem_ledger_in *i)
{
    totem_ledger n = *s; // what follows the clock edge; s stays as it was before

    // 1 Defaults
    n.host_done            = false;
    n.take                 = false;
    n.clear                = false;
    n.service_command_done = false;
    if (!s->command_valid)
        give(&n, s, i);
    else if (i->runlist_command_done)
        answered(&n, s, i->runlist_command_answer);
    host(&n, s, i);
    *s = n;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem_packet: packet processor: decodes and executes PM4, finds the boundary at which a queue leaves.
// Twin of rtl/packet/totem_packet.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/packet.md.

#ifndef TOTEM_PACKET_H
#define TOTEM_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_inbox.h"
#include "../lib/totem_config.h"

typedef struct {
    totem_inbox dwords; // {error, data} from fetch
    uint8_t     phase;  // as in the contract
    uint8_t     queue;
    bool        unfinished[TOTEM_QUEUES];
    bool        halted[TOTEM_QUEUES];
    bool        wait_flush[TOTEM_QUEUES];
    bool        wait_epoch[TOTEM_QUEUES];
    bool        closed[TOTEM_QUEUES];  // the flush at the read pointer has closed its epoch
    bool        skip[TOTEM_QUEUES];    // the packet at the read pointer is to be passed, not executed
    bool        patient[TOTEM_QUEUES]; // a division has been given up: the queue's next one is not
    bool        privileged[TOTEM_QUEUES];
    uint32_t    header;
    uint8_t     fault;   // error with which the header came
    uint16_t    length;  // dwords of the packet
    uint16_t    rest;    // body dwords not yet taken
    uint8_t     place;   // number of the next body dword, from 1; stays at 7
    uint32_t    control; // control dword of the packet
    uint64_t    address; // of the packet, or of an error record
    uint64_t    data;    // data, or reference and mask, or end of the grid
    uint32_t    extra;   // int_ctxid, or offending dword
    bool        range;   // a dimension of the grid is too large
    bool        counted; // the packet is to be counted as ignored
    bool        resume;  // the dispatch is the unfinished grid
    uint16_t    waves;   // waves of a group
    uint8_t     dispatch_threads;
    uint8_t     dispatch_epoch;
    uint8_t     step; // word of a message
    uint8_t     code; // of the error
    bool        commit;
    bool        drop; // with commit: dwords taken from fetch and not executed are forgotten
    bool        open;
    bool        executed;
    bool        ignored;
    bool        bank_save;
    bool        bank_forget;
    bool        priority_write;
    bool        fence_close;
    bool        fence_write;
} totem_packet;

typedef struct {
    bool     load_valid;
    uint8_t  load_queue;
    uint8_t  load_kind;
    uint64_t load_data;
    bool     arbiter_go;
    uint8_t  arbiter_selected;
    bool     arbiter_leave;
    bool     arbiter_active[TOTEM_QUEUES];
    bool     fetch_dword_valid;
    uint32_t fetch_dword_data;
    uint8_t  fetch_dword_error;
    uint32_t fetch_available;
    bool     fetch_in_buffer;
    uint64_t fetch_position;
    uint64_t fetch_fault_position; // of the dword that comes with an error
    bool     bank_loaded;
    bool     bank_busy;
    uint16_t bank_threads;
    uint8_t  bank_partial; // of partial groups: 0 being computed, 1 in place, 2 one is 0, 3 one is above full
    uint8_t  bank_vgprs;
    uint16_t bank_lds;
    bool     bank_engines[TOTEM_SE_COUNT];
    uint32_t bank_initiator;
    bool     divide_busy;
    uint32_t divide_quotient[3];
    bool     walker_busy;
    bool     walker_stopped;
    uint8_t  fence_epoch[TOTEM_QUEUES];
    bool     fence_room[TOTEM_QUEUES];
    bool     fence_flushed[TOTEM_QUEUES];
    bool     fence_settled[TOTEM_QUEUES];
    bool     fence_ready;
    bool     poll_ended[TOTEM_QUEUES];
    uint8_t  poll_error[TOTEM_QUEUES];
    bool     poll_read_ready;
    bool     poll_packet_answer;
    bool     poll_data_valid;
    uint64_t data_word;
    uint8_t  data_error;
    bool     write_ready;
    bool     events_error_ready;
    bool     fence_halt;
    uint8_t  fence_halt_queue;
    bool     poll_halt;
    uint8_t  poll_halt_queue;
    bool     fetch_halt;
    uint8_t  fetch_halt_queue;
    bool     settings_priority_write_open;
    uint8_t  fe_number;
    bool     pipe_number;
} totem_packet_in;

typedef struct {
    bool     left;
    bool     unfinished[TOTEM_QUEUES];
    bool     halted[TOTEM_QUEUES];
    bool     wait_flush[TOTEM_QUEUES];
    bool     wait_epoch[TOTEM_QUEUES];
    bool     executed;
    uint8_t  executed_opcode;
    bool     ignored;
    bool     dword_ready;
    bool     commit;
    uint16_t commit_count;
    bool     drop;
    bool     open;
    uint64_t open_addr;
    uint32_t open_size;
    bool     bank_write;
    uint8_t  bank_offset;
    uint32_t bank_data;
    bool     bank_save;
    bool     bank_forget;
    bool     divide_valid;
    uint8_t  divide_place;
    uint32_t divide_data;
    bool     divide_start;
    bool     start;
    bool     start_resume;
    bool     start_fresh_at_zero;
    bool     start_partial;
    uint64_t start_end;
    bool     stop;
    uint8_t  dispatch_waves;
    uint8_t  dispatch_threads;
    bool     dispatch_wave32;
    uint8_t  dispatch_queue;
    uint8_t  dispatch_epoch;
    bool     fence_close;
    bool     fence_valid;
    uint64_t fence_word;
    bool     fence_write;
    bool     wait_valid;
    bool     wait_last;
    bool     wait_timer;
    uint64_t wait_word;
    bool     poll_valid;
    uint64_t poll_addr;
    bool     priority_write;
    uint8_t  priority_queue;
    uint8_t  priority_data;
    bool     write_valid;
    uint64_t write_word;
    bool     error_valid;
    uint64_t error_word;
} totem_packet_out;

void totem_packet_reset(totem_packet *s);
void totem_packet_outputs(const totem_packet *s, totem_packet_out *o);
void totem_packet_step(totem_packet *s, const totem_packet_in *i);

// The inbox holds at most two dwords; a body dword is still to come in BODY and SET.
bool totem_packet_invariant(const totem_packet *s);

#endif

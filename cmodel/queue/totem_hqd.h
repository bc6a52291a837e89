// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: host window of a pipe's queues: mapping, load bus, doorbells, status.
// Twin of rtl/queue/totem_hqd.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/hqd.md.

#ifndef TOTEM_HQD_H
#define TOTEM_HQD_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// {queue, dword}: 8 or 9 bits.
#if TOTEM_QUEUES > 4
#define TOTEM_HQD_ADDR uint16_t
#else
#define TOTEM_HQD_ADDR uint8_t
#endif

typedef struct {
    uint8_t        phase; // 0 SWEEP, 1 IDLE, 2 READ, 3 DECIDE, 4 RING, 5 MAP, 6 STORE, 7 SAVE, 8 SAVED, 9 DONE
    uint8_t        step;  // within RING and MAP
    TOTEM_HQD_ADDR addr;  // of the access
    uint32_t       word;
    uint32_t       low;
    uint8_t        size;
    bool           quiet;
    uint8_t        error;
    uint8_t        settle;
    bool           active[TOTEM_QUEUES];
    bool           leaving[TOTEM_QUEUES];
    uint8_t        dequeue[TOTEM_QUEUES]; // type of the pending dequeue request, 0 none
    uint8_t  request[TOTEM_QUEUES]; // job asked of mqd: 0 none, 1 preload, 2 window, 3 save, 5, 6 of a switch, 7 end
    bool     killing[TOTEM_QUEUES]; // a reset waits for the waves of the slot
    bool     later[TOTEM_QUEUES];   // a reset waits for the end of a save for another request
    uint16_t drains;                // dequeue requests of type 3
    bool     guest;                 // the access under way, or the last one, is mqd's
    bool     pointer;               // it is poll's
    bool     needs;                 // the mapping under way needs its MQD
    bool     described;             // it has an MQD address
    bool     load_valid;
    uint8_t  load_kind;
    uint64_t load_data;
} totem_hqd;

typedef struct {
    bool     host_valid;
    bool     host_write;
    bool     host_doorbell;
    uint8_t  host_queue;
    uint8_t  host_dword;
    uint8_t  host_strobe;
    uint32_t host_data;
    uint32_t ram_read_data;
    bool     arbiter_selected_valid;
    uint8_t  arbiter_selected;
    bool     arbiter_active[TOTEM_QUEUES];
    bool     arbiter_ready[TOTEM_QUEUES];
    uint8_t  arbiter_queue_priority[TOTEM_QUEUES];
    uint8_t  arbiter_move;
    uint8_t  arbiter_move_queue;
    bool     fetch_pending[TOTEM_QUEUES];
    bool     fetch_line[TOTEM_QUEUES];
    uint32_t fetch_rptr[TOTEM_QUEUES];
    uint32_t fetch_wptr[TOTEM_QUEUES];
    bool     fetch_reporting[TOTEM_QUEUES];
    bool     packet_unfinished[TOTEM_QUEUES];
    bool     packet_halted[TOTEM_QUEUES];
    bool     packet_wait_flush[TOTEM_QUEUES];
    bool     packet_wait_epoch[TOTEM_QUEUES];
    bool     poll_waiting[TOTEM_QUEUES];
    bool     poll_polled[TOTEM_QUEUES];
    bool     poll_once[TOTEM_QUEUES];
    bool     poll_access_valid;
    bool     poll_access_write;
    uint8_t  poll_access_queue;
    uint8_t  poll_access_dword;
    uint32_t poll_access_data;
    uint16_t fence_waves[TOTEM_QUEUES];
    bool     fence_room[TOTEM_QUEUES];
    bool     fence_flushed[TOTEM_QUEUES];
    bool     fence_idle[TOTEM_QUEUES];
    bool     fence_settled[TOTEM_QUEUES];
    bool     kill_ended[TOTEM_QUEUES];
    bool     record_busy[TOTEM_QUEUES];
    bool     record_top_pending[TOTEM_QUEUES];
    bool     record_end_pending[TOTEM_QUEUES];
    uint32_t sequence_read_data;
    bool     mqd_behind[TOTEM_QUEUES];
    bool     mqd_access_valid;
    uint8_t  mqd_access_kind;
    uint8_t  mqd_access_queue;
    uint8_t  mqd_access_dword;
    uint64_t mqd_access_data;
} totem_hqd_in;

typedef struct {
    bool           host_done;
    uint8_t        host_error; // counts only while host_done
    uint32_t       host_rdata; // counts only while host_done
    bool           ram_write_enable;
    TOTEM_HQD_ADDR ram_write_addr; // counts only while ram_write_enable
    uint32_t       ram_write_data; // counts only while ram_write_enable
    bool           ram_read_enable;
    TOTEM_HQD_ADDR ram_read_addr; // counts only while ram_read_enable
    bool           sequence_read_enable;
    uint8_t        sequence_read_addr; // counts only while sequence_read_enable
    bool           load_valid;
    uint8_t        load_queue; // counts only while load_valid
    uint8_t        load_kind;  // counts only while load_valid
    uint64_t       load_data;  // counts only while load_valid
    bool           mqd_done;
    uint8_t        mqd_error; // counts only while mqd_done
    uint32_t       mqd_rdata; // counts only while mqd_done
    bool           poll_done;
    uint8_t        poll_error; // counts only while poll_done
    uint32_t       poll_rdata; // counts only while poll_done
    uint8_t        request[TOTEM_QUEUES];
    bool           killing[TOTEM_QUEUES];
    bool           dropping[TOTEM_QUEUES];
    bool           resetting[TOTEM_QUEUES];
    bool           leaving[TOTEM_QUEUES];
    bool           parting[TOTEM_QUEUES];
    bool           dequeuing[TOTEM_QUEUES];
    bool           busy;
    uint16_t       drains;
} totem_hqd_out;

void totem_hqd_reset(totem_hqd *s);
void totem_hqd_outputs(const totem_hqd *s, totem_hqd_out *o);
void totem_hqd_step(totem_hqd *s, const totem_hqd_in *i);
bool totem_hqd_invariant(const totem_hqd *s);

#endif

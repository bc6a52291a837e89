// SPDX-License-Identifier: Apache-2.0
//
// totem_memory: AXI4 master of a front end: merges the reads and writes of its pipes, orders reads behind
// writes of the same 4 KiB, gives up what is not answered in time.
// Twin of rtl/memory/totem_memory.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/memory.md.

#ifndef TOTEM_MEMORY_H
#define TOTEM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// State addresses are [39:3], pages [39:12].
typedef struct {
    uint32_t period;
    bool     ask_valid[3 * TOTEM_PIPES];
    uint64_t ask_addr[3 * TOTEM_PIPES];
    uint8_t  ask_beats[3 * TOTEM_PIPES];
    uint8_t  read_turn;
    bool     ar_valid;
    uint8_t  ar_id;
    uint64_t ar_addr;
    uint8_t  ar_len;
    uint8_t  reads[3 * TOTEM_PIPES];      // outstanding, 0..2
    uint8_t  reads_late[3 * TOTEM_PIPES]; // responses to drop; not 0: the ID is reserved
    uint8_t  beats[3 * TOTEM_PIPES];
    uint8_t  beats_next[3 * TOTEM_PIPES];
    bool     read_old[3 * TOTEM_PIPES];
    bool     read_expired[3 * TOTEM_PIPES];
    bool     data_valid;
    uint8_t  data_target;
    uint64_t data_word;
    bool     data_last;
    uint8_t  data_error;
    uint8_t  stage; // of the write message: 0 none, 1 word 0 is taken, 2 word 1 is taken, 3 held
    uint8_t  serve;
    uint8_t  write_turn;
    uint64_t held_addr;
    uint8_t  held_strobe;
    uint8_t  held_tag;
    uint64_t held_data;
    bool     held_old;
    bool     held_fail;
    bool     aw_valid;
    bool     w_valid;
    uint8_t  aw_id;
    uint64_t aw_addr;
    uint8_t  w_strobe;
    uint64_t w_data;
    uint8_t  writes[3 * TOTEM_PIPES]; // of the streams
    uint8_t  writes_late[3 * TOTEM_PIPES];
    uint8_t  write_tag[6 * TOTEM_PIPES];  // 2w the oldest outstanding write of w, 2w+1 the next
    uint64_t write_addr[6 * TOTEM_PIPES]; // likewise, [39:2]
    bool     write_old[3 * TOTEM_PIPES];
    bool     write_expired[3 * TOTEM_PIPES];
    bool     fence_busy[TOTEM_FENCES]; // by ID: a fence write is outstanding
    bool     fence_late[TOTEM_FENCES]; // its response will be dropped: the ID is reserved
    bool     fence_old[TOTEM_FENCES];
    bool     fence_expired[TOTEM_FENCES];
    uint8_t  fence_owner[TOTEM_FENCES]; // requester
    uint8_t  fence_tag[TOTEM_FENCES];
    uint64_t fence_addr[TOTEM_FENCES]; // [39:2]
    bool     wait_old[4 * TOTEM_PIPES];
    bool     give_up[4 * TOTEM_PIPES];
    bool     ack_valid;
    uint8_t  ack_target;
    uint8_t  ack_tag;
    uint8_t  ack_error;
    uint64_t ack_addr;                  // [39:2]
    bool     told[3 * TOTEM_PIPES + 1]; // of a path: the message that it is shut has been begun
    uint8_t  error_left;                // words of the error message to be sent
    uint8_t  error_path;
} totem_memory;

typedef struct {
    bool     read_valid[3 * TOTEM_PIPES];
    uint64_t read_addr[3 * TOTEM_PIPES];
    uint8_t  read_beats[3 * TOTEM_PIPES];
    bool     write_valid[4 * TOTEM_PIPES];
    uint64_t write_word[4 * TOTEM_PIPES];
    bool     fence_write_room[TOTEM_PIPES];
    bool     packet_fence_write[TOTEM_PIPES];
    bool     record_write_valid[TOTEM_PIPES];
    uint64_t record_write_word[TOTEM_PIPES];
    uint32_t settings_timeout;
    uint32_t settings_dequeue_timeout;
    bool     kill_overdue[TOTEM_PIPES];
    bool     m_axi_awready;
    bool     m_axi_wready;
    uint8_t  m_axi_bid;
    uint8_t  m_axi_bresp;
    bool     m_axi_bvalid;
    bool     m_axi_arready;
    uint8_t  m_axi_rid;
    uint64_t m_axi_rdata;
    uint8_t  m_axi_rresp;
    bool     m_axi_rlast;
    bool     m_axi_rvalid;
    bool     events_error_ready;
} totem_memory_in;

typedef struct {
    bool     read_ready[3 * TOTEM_PIPES];
    bool     data_valid;
    uint8_t  data_target; // this and the next three count only while data_valid
    uint64_t data_word;
    bool     data_last;
    uint8_t  data_error;
    bool     write_ready[4 * TOTEM_PIPES];
    bool     ack_valid;
    uint8_t  ack_target; // this and the next three count only while ack_valid
    uint8_t  ack_tag;
    uint8_t  ack_error;
    uint64_t ack_addr;
    bool     idle;
    bool     dead;
    bool     error_valid;
    uint64_t error_word; // counts only while error_valid
    uint8_t  m_axi_awid; // the payload of a channel counts only while its valid is 1
    uint64_t m_axi_awaddr;
    uint8_t  m_axi_awlen;
    uint8_t  m_axi_awsize;
    uint8_t  m_axi_awburst;
    bool     m_axi_awvalid;
    uint64_t m_axi_wdata;
    uint8_t  m_axi_wstrb;
    bool     m_axi_wlast;
    bool     m_axi_wvalid;
    bool     m_axi_bready;
    uint8_t  m_axi_arid;
    uint64_t m_axi_araddr;
    uint8_t  m_axi_arlen;
    uint8_t  m_axi_arsize;
    uint8_t  m_axi_arburst;
    bool     m_axi_arvalid;
    bool     m_axi_rready;
} totem_memory_out;

void totem_memory_reset(totem_memory *s);
void totem_memory_outputs(const totem_memory *s, totem_memory_out *o);
void totem_memory_step(totem_memory *s, const totem_memory_in *i);

// What the proof of the step rests on: holds after reset and after every step.
bool totem_memory_invariant(const totem_memory *s);

#endif

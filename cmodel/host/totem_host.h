// SPDX-License-Identifier: Apache-2.0
//
// totem_host: AXI4-Lite slave: one register access at a time, address decode, global registers, settings.
// Twin of rtl/host/totem_host.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/host.md.

#ifndef TOTEM_HOST_H
#define TOTEM_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// Addresses are those of dwords: bits [19:2] of the byte address.
typedef struct {
    bool     aw_valid;
    uint32_t aw_addr;
    bool     w_valid;
    uint32_t w_data;
    uint8_t  w_strobe;
    bool     ar_valid;
    uint32_t ar_addr;
    bool     b_valid;
    bool     b_error;
    bool     r_valid;
    bool     r_error;
    uint32_t r_data;
    uint8_t  phase; // 0 IDLE, 1 ROUTE, 2 WAIT
    bool     write; // the access under way, or the last one, is a write
    uint32_t settings_timeout;
    uint32_t settings_quantum_unit0;
    uint32_t settings_quantum_unit1;
    uint32_t settings_turn_limit;
    bool     settings_event_on_priority_write;
    bool     settings_priority_write_open;
    bool     settings_mqd_save;
    uint32_t settings_dequeue_timeout;
    bool     settings_poll_enable;
    uint8_t  settings_poll_period;
    uint8_t  poll_once[TOTEM_PIPE_COUNT]; // queues that CP_PQ_WPTR_POLL_CNTL1 names
    uint64_t clock;
    uint32_t clock_high;
    uint8_t  error_left; // words of the error message still to be sent
    uint8_t  error_code;
    uint8_t  error_queue;
    uint32_t error_addr;
    uint32_t error_data;
    uint16_t lost;
} totem_host;

typedef struct {
    uint32_t s_axil_awaddr;
    uint8_t  s_axil_awprot;
    bool     s_axil_awvalid;
    uint32_t s_axil_wdata;
    uint8_t  s_axil_wstrb;
    bool     s_axil_wvalid;
    bool     s_axil_bready;
    uint32_t s_axil_araddr;
    uint8_t  s_axil_arprot;
    bool     s_axil_arvalid;
    bool     s_axil_rready;
    bool     hqd_done[TOTEM_PIPE_COUNT];
    uint8_t  hqd_error[TOTEM_PIPE_COUNT];
    uint32_t hqd_rdata[TOTEM_PIPE_COUNT];
    bool     tally_done[TOTEM_PIPE_COUNT];
    uint16_t tally_rdata[TOTEM_PIPE_COUNT];
    bool     wave_done[TOTEM_SE_COUNT];
    uint8_t  wave_error[TOTEM_SE_COUNT];
    uint32_t wave_rdata[TOTEM_SE_COUNT];
    bool     events_done;
    uint8_t  events_error;
    uint32_t events_rdata;
    uint16_t hqd_drains[TOTEM_PIPE_COUNT];
    uint16_t fence_lost[TOTEM_PIPE_COUNT];
    uint16_t fence_late[TOTEM_PIPE_COUNT];
    bool     machine_idle;
    bool     memory_dead[TOTEM_FE_COUNT];
    bool     events_error_ready;
} totem_host_in;

typedef struct {
    bool     s_axil_awready;
    bool     s_axil_wready;
    uint8_t  s_axil_bresp; // counts only while s_axil_bvalid
    bool     s_axil_bvalid;
    bool     s_axil_arready;
    uint32_t s_axil_rdata; // counts only while s_axil_rvalid
    uint8_t  s_axil_rresp; // counts only while s_axil_rvalid
    bool     s_axil_rvalid;
    bool     hqd_valid[TOTEM_PIPE_COUNT];
    bool     tally_valid[TOTEM_PIPE_COUNT];
    bool     wave_valid[TOTEM_SE_COUNT];
    bool     events_valid;
    bool     request_write;
    bool     request_doorbell;
    uint8_t  request_queue;
    uint8_t  request_dword;
    uint8_t  request_strobe;
    uint32_t request_data;
    uint32_t settings_timeout;
    uint32_t settings_quantum_unit0;
    uint32_t settings_quantum_unit1;
    uint32_t settings_turn_limit;
    bool     settings_event_on_priority_write;
    bool     settings_priority_write_open;
    bool     settings_mqd_save;
    uint32_t settings_dequeue_timeout;
    bool     settings_poll_enable;
    uint8_t  settings_poll_period;
    bool     poll_once[TOTEM_PIPE_COUNT * TOTEM_QUEUES];
    uint64_t clock;
    bool     error_valid;
    uint64_t error_word; // counts only while error_valid
} totem_host_out;

void totem_host_reset(totem_host *s);
void totem_host_outputs(const totem_host *s, totem_host_out *o);
void totem_host_step(totem_host *s, const totem_host_in *i);
bool totem_host_invariant(const totem_host *s);

#endif

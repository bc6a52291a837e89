// SPDX-License-Identifier: Apache-2.0
//
// totem_fe: one front end: its compute pipes, their dispatch controller and the memory port, and how they are wired.
// Twin of rtl/top/totem_fe.v. No state of its own.

#ifndef TOTEM_FE_H
#define TOTEM_FE_H

#include "../issue/totem_dc.h"
#include "../memory/totem_memory.h"
#include "../queue/totem_pipe.h"
#include "totem_config.h"

typedef struct {
    totem_pipe   pipe[TOTEM_PIPES];
    totem_dc     dc;
    totem_memory memory;
} totem_fe;

// What every block of the front end shows in this clock.
typedef struct {
    totem_pipe_out   pipe[TOTEM_PIPES];
    totem_dc_out     dc;
    totem_memory_out memory;
} totem_fe_out;

// Reports of the engines, raw: a pipe takes those that name it.
typedef struct {
    bool     grant_valid[TOTEM_SE_COUNT];
    uint8_t  grant_fe[TOTEM_SE_COUNT];
    bool     grant_pipe[TOTEM_SE_COUNT];
    uint8_t  grant_waves[TOTEM_SE_COUNT];
    uint8_t  grant_queue[TOTEM_SE_COUNT];
    uint8_t  grant_epoch[TOTEM_SE_COUNT];
    bool     release_valid[TOTEM_SE_COUNT];
    uint8_t  release_fe[TOTEM_SE_COUNT];
    bool     release_pipe[TOTEM_SE_COUNT];
    bool     release_buffer[TOTEM_SE_COUNT];
    bool     complete_valid[TOTEM_SE_COUNT];
    uint8_t  complete_fe[TOTEM_SE_COUNT];
    bool     complete_pipe[TOTEM_SE_COUNT];
    uint8_t  complete_queue[TOTEM_SE_COUNT];
    uint8_t  complete_epoch[TOTEM_SE_COUNT];
    bool     answer_valid[TOTEM_SE_COUNT]; // already of this front end
    bool     answer_pipe[TOTEM_SE_COUNT];
    uint8_t  answer_count[TOTEM_SE_COUNT];
    uint8_t  free_slots[TOTEM_SE_COUNT];
    uint16_t free_vgprs[TOTEM_SE_COUNT];
    uint16_t free_lds[TOTEM_SE_COUNT];
} totem_fe_reports;

// What the memory side drives in this clock (AXI4, names of the port without m_axi_).
typedef struct {
    bool     awready;
    bool     wready;
    uint8_t  bid;
    uint8_t  bresp;
    bool     bvalid;
    bool     arready;
    uint8_t  rid;
    uint64_t rdata;
    uint8_t  rresp;
    bool     rlast;
    bool     rvalid;
} totem_axi_in;

typedef struct {
    uint8_t             number;
    bool                host_valid[TOTEM_PIPES];
    bool                tally_host_valid[TOTEM_PIPES];
    bool                host_write;
    bool                host_doorbell;
    uint8_t             host_queue;
    uint8_t             host_dword;
    uint8_t             host_strobe;
    uint32_t            host_data;
    uint32_t            settings_timeout;
    totem_pipe_settings settings;               // for every pipe
    uint8_t             poll_once[TOTEM_PIPES]; // queues of each
    uint64_t            clock;
    bool                packet_error_ready[TOTEM_PIPES];
    bool                fence_error_ready[TOTEM_PIPES];
    bool                mqd_error_ready[TOTEM_PIPES];
    bool                fetch_error_ready[TOTEM_PIPES];
    bool                memory_error_ready;
    bool                interrupt_ready[TOTEM_PIPES];
    totem_fe_reports    reports;
    totem_axi_in        axi;
} totem_fe_in;

void totem_fe_reset(totem_fe *s);
void totem_fe_outputs(const totem_fe *s, totem_fe_out *o);
// No work anywhere in the front end and nothing outstanding at its memory port.
bool totem_fe_idle(const totem_fe_out *o);
void totem_fe_step(totem_fe *s, const totem_fe_out *o, const totem_fe_in *i);

#endif

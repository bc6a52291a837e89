// SPDX-License-Identifier: Apache-2.0
//
// totem_rest: one pipe at rest. Twin of rtl/queue/totem_rest.v, combinational, from docs/contract/rest.md.

#ifndef TOTEM_REST_H
#define TOTEM_REST_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    bool    walker_busy;
    bool    fetch_busy;
    bool    hqd_busy;
    bool    mqd_busy;
    bool    poll_busy;
    bool    record_busy[TOTEM_QUEUES];
    bool    fence_idle[TOTEM_QUEUES];
    bool    packet_unfinished[TOTEM_QUEUES];
    bool    packet_halted[TOTEM_QUEUES];
    bool    arbiter_active[TOTEM_QUEUES];
    bool    arbiter_selected_valid;
    uint8_t arbiter_selected;
    bool    fetch_pending[TOTEM_QUEUES];
    bool    poll_once[TOTEM_QUEUES];
} totem_rest_in;

typedef struct {
    bool idle;
} totem_rest_out;

void totem_rest_outputs(const totem_rest_in *i, totem_rest_out *o);

#endif

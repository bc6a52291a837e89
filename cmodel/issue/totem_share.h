// SPDX-License-Identifier: Apache-2.0
//
// totem_share: the kills of the ports of an engine share its wave interface. Twin of rtl/issue/totem_share.v,
// combinational, from docs/contract/share.md.

#ifndef TOTEM_SHARE_H
#define TOTEM_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    bool    port_kill_valid[TOTEM_FE_COUNT];
    bool    port_kill_pipe[TOTEM_FE_COUNT];
    uint8_t port_kill_queue[TOTEM_FE_COUNT];
    uint8_t port_kill_epochs[TOTEM_FE_COUNT];
} totem_share_in;

typedef struct {
    bool    kill_valid;
    uint8_t kill_path;   // counts only while kill_valid
    uint8_t kill_fe;     // counts only while kill_valid
    bool    kill_pipe;   // counts only while kill_valid
    uint8_t kill_queue;  // counts only while kill_valid
    uint8_t kill_epochs; // counts only while kill_valid
    bool    kill_ready[TOTEM_FE_COUNT];
} totem_share_out;

void totem_share_outputs(const totem_share_in *i, totem_share_out *o);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_monitor: fullness of a primitive hub as two bits, polled.
// Twin of rtl/throttle/totem_monitor.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/monitor.md.

#ifndef TOTEM_MONITOR_H
#define TOTEM_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"
#include "totem_hub.h"

typedef struct {
    uint32_t elapsed;       // clocks since the last poll, or since reset
    uint8_t  thresholds[3]; // in primitives, ascending
    bool     refused;
    uint8_t  status;
    bool     polled;
} totem_monitor;

typedef struct {
    uint8_t count[TOTEM_SE_COUNT];
    uint8_t interval;
    bool    write_valid;
    uint8_t write_thresholds[3];
} totem_monitor_in;

typedef struct {
    uint8_t thresholds[3];
    bool    refused;
    uint8_t status;
    bool    polled;
} totem_monitor_out;

void totem_monitor_reset(totem_monitor *s);
void totem_monitor_outputs(const totem_monitor *s, totem_monitor_out *o);
void totem_monitor_step(totem_monitor *s, const totem_monitor_in *i);

#endif

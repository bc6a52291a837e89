// SPDX-License-Identifier: Apache-2.0
//
// Where error messages come from: the host, then by pipe or front end. For totem_events.c and for those who follow errors.

#ifndef TOTEM_EVENTS_TERMS_H
#define TOTEM_EVENTS_TERMS_H

#include "../lib/totem_config.h"

enum {
    TOTEM_EVENTS_MQD     = 1 + 2 * TOTEM_PIPE_COUNT, // behind packet and fence of every pipe; record and poll too
    TOTEM_EVENTS_FETCH   = 1 + 3 * TOTEM_PIPE_COUNT,
    TOTEM_EVENTS_MEMORY  = 1 + 4 * TOTEM_PIPE_COUNT,
    TOTEM_EVENTS_SOURCES = 1 + 4 * TOTEM_PIPE_COUNT + TOTEM_FE_COUNT
};

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_packet: part of totem_execute: what a packet that is taken begins.

#ifndef TOTEM_EXECUTE_PACKET_H
#define TOTEM_EXECUTE_PACKET_H

#include "totem_execute.h"

#include "totem_pm4.h"

static inline bool serves(const totem_execute *s)
{
    return s->kind >= TOTEM_KIND_MODIFY;
}

// Dword address of the host port at which the window of the pipe begins.
static inline uint32_t window(const totem_execute_in *i)
{
    const uint32_t compute = TOTEM_PIPES == 2 ? i->fe_number * 2u + (i->pipe_number & 1u) : i->fe_number;
    const uint32_t number  = i->graphics ? 8u + i->fe_number : compute;
    return 0x4000 + 0x400 * number;
}

// The address is a register of it.
static inline bool own(const totem_execute *n, const totem_execute_in *i)
{
    const uint32_t place = (uint32_t)n->address;
    return place >= window(i) && place - window(i) < 0x40 * TOTEM_QUEUES;
}

// n is to send the fence message of its operands.
void totem_execute_release(totem_execute *n, const totem_execute_in *i);

// The word that n has taken.
void totem_execute_packet(totem_execute *n, const totem_execute_in *i);

#endif

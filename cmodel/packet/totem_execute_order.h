// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_order: part of totem_execute: packets of the scheduler.

#ifndef TOTEM_EXECUTE_ORDER_H
#define TOTEM_EXECUTE_ORDER_H

#include "totem_execute.h"

// n has taken a dword of such a packet.
void totem_execute_order(totem_execute *n, const totem_execute_in *i);

// The phases in which it is handed over and answered.
void totem_execute_ordered(totem_execute *n, const totem_execute *s, const totem_execute_in *i);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_wait: part of totem_execute: the phases that wait for a neighbour.

#ifndef TOTEM_EXECUTE_WAIT_H
#define TOTEM_EXECUTE_WAIT_H

#include "totem_execute.h"

void totem_execute_wait(totem_execute *n, const totem_execute *s, const totem_execute_in *i);

#endif

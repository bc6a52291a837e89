// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_copy: part of totem_execute: COPY_DATA, LOAD_SH_REG_INDEX, DMA_DATA and
// ATOMIC_MEM.

#ifndef TOTEM_EXECUTE_COPY_H
#define TOTEM_EXECUTE_COPY_H

#include "totem_execute.h"

// The packet is taken; its operands are in n.
void totem_execute_copy(totem_execute *n, const totem_execute_in *i);

// A dword `read`, or the word of memory in i, has come.
void totem_execute_copy_read(totem_execute *n, const totem_execute *s, const totem_execute_in *i, uint32_t read);

// EXECUTE_REGISTER; false: it is a queue priority, or done.
bool totem_execute_copy_register(totem_execute *n, const totem_execute *s, const totem_execute_in *i);

// EXECUTE_WRITE of a DMA_DATA or ATOMIC_MEM, behind the first word of the message.
void totem_execute_copy_written(totem_execute *n, const totem_execute *s, const totem_execute_in *i);

// EXECUTE_CONFIRM.
void totem_execute_copy_confirmed(totem_execute *n, const totem_execute *s, const totem_execute_in *i);

#endif

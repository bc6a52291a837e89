// SPDX-License-Identifier: Apache-2.0
//
// A kernel as a task: its user data 0 and 1 are the address of its descriptor, and what the kernel calls user data
// stands behind the descriptor's 64 dwords. To be included before the kernel.

#ifndef TASK_H
#define TASK_H

#include "totem_kernel.h"

#undef USER_DATA
#define USER_DATA(n) (((buffer)(uintptr_t)REGISTER(0x10))[64 + (n)])

#endif

// SPDX-License-Identifier: Apache-2.0
//
// ID of the first fence write at the memory port: a fence's ID has the top bit, that of a stream has not.

#ifndef TOTEM_MEMORY_TERMS_H
#define TOTEM_MEMORY_TERMS_H

#include "../lib/totem_config.h"

enum { TOTEM_MEMORY_FENCE_ID = 1 << (TOTEM_WRITE_ID_BITS - 1) };

#endif

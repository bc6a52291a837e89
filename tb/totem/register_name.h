// SPDX-License-Identifier: Apache-2.0
//
// Addresses of registers by name, as docs/registers.md has them: machine.MEMORY_TIMEOUT, engine[1].DURATION[3],
// pipe[2].queue[5].CP_HQD_QUANTUM, doorbell[9].
#ifndef TOTEM_REGISTER_NAME_H
#define TOTEM_REGISTER_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Byte address on the host port. False: `message` says what is wrong with the name, and which one is nearest.
bool totem_register_address(const char *name, uint32_t *address, char *message, size_t size);

#endif

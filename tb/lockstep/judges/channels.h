// SPDX-License-Identifier: Apache-2.0
//
// channels: what the memory channels of a machine with PARTITION send (docs/partition.md). Of what the front ends ask
// it knows which reads and writes there are to be; at the ports it compares what memory has taken. While no window can
// be written, blocks of 128 bytes lie in the channels in turn. It looks at nothing of routes, windows and channels.

#ifndef CHANNELS_H
#define CHANNELS_H

#include "memory.h"
#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct channels channels;

// NULL if memory is short.
channels *channels_create(void);
void      channels_destroy(channels *c);
// One clock: what front ends ask in it, what memory took at the edge before. False: the rules are broken, message.
bool channels_step(channels *c, const totem_machine_out *out, const memory *m, uint64_t clock, char message[256]);

#endif

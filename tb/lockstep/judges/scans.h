// SPDX-License-Identifier: Apache-2.0
//
// scans: the harness's own judgement of scan converters (docs/pixels.md#scan): from what leaves the hubs, pixel headers
// and kills it follows, clock by clock, which primitive a converter takes next and where each pixel wave ends, and
// compares every wave. From the primitives that wait it knows the tier of the pixel waves on offer: HP3D if that of
// their draw is, or while HP3D primitives wait at the converter. grants looks this tier up.

#ifndef SCANS_H
#define SCANS_H

#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct scans scans;

// NULL: no memory.
scans *scans_create(void);
void   scans_destroy(scans *s);
// One clock, from the first after reset on. False: a converter does not do what the rules say, message.
bool scans_step(scans *s, const totem_machine_out *out, uint64_t clock, char message[256]);

#endif

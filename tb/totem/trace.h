// SPDX-License-Identifier: Apache-2.0
//
// trace: the events of a run (docs/workloads.md) as a trace for Perfetto and chrome://tracing: slices that nest, and
// flows from doorbell to dispatch, from there to waves, and from the last wave to its fence. A clock is a microsecond.
#ifndef TOTEM_TRACE_H
#define TOTEM_TRACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct totem_trace totem_trace;

// NULL: memory is short.
totem_trace *totem_trace_open(void);
// The next event, in the order of clocks.
void totem_trace_event(totem_trace *t, json_t *event);
// Ends what is still open at that clock, writes everything to the file, frees. False: it could not be written.
bool totem_trace_close(totem_trace *t, uint64_t clock, const char *path);

#endif

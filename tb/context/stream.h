// SPDX-License-Identifier: Apache-2.0
//
// stream: reads a stream of a graphics pipe (cmodel/tool/pm4_context.h) from several files, and compares it with what
// another decoder made of them.

#ifndef STREAM_H
#define STREAM_H

#include "../../cmodel/lib/totem_config.h"
#include "../../cmodel/tool/pm4_context.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_FILES = 4, STREAM_DRAW_DWORDS = 3 };

// Reads and checks the files; beside NAME.hex a NAME.golden.txt, what another decoder made of it, is compared: the
// same context writes, by the same dwords, with the same values, no more and no less. `golden` counts them; it stays 0
// without such a file. A stream without a draw gets one at its end: `added`.
bool stream_read(totem_context_stream *s, const char *const *paths, size_t count, size_t *golden, bool *added,
                 char *message, size_t size);

// Values of CLEAR_STATE: what the stream of that file writes.
bool stream_table(uint32_t *table, const char *path, char *message, size_t size);

#endif

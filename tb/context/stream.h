// SPDX-License-Identifier: Apache-2.0
//
// stream: a PM4 stream of a graphics pipe as far as it concerns the context registers (docs/context.md): its packets,
// which registers they write, which of them are draws. A stream is read from one file of dwords or from several, one
// behind the other.

#ifndef STREAM_H
#define STREAM_H

#include "../../cmodel/lib/totem_config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_FILES = 4, STREAM_DRAW_DWORDS = 3 };

typedef enum {
    PACKET_OTHER,
    PACKET_WRITES, // of context registers
    PACKET_CLEAR,
    PACKET_DRAW,
    PACKET_DISPATCH,
    PACKET_LOAD,    // of context registers from memory, which is not at hand: they become unknown
    PACKET_BARRIER, // a driver moves no context write across it
} packet_kind;

typedef struct {
    packet_kind kind;
    uint8_t     op;
    uint32_t    at, dwords; // in the stream, with the header
    uint32_t    first, writes;
} stream_packet;

typedef struct {
    uint32_t index, data, mask;
    uint32_t dword; // of its packet
} stream_write;

typedef struct {
    stream_packet *packet;
    stream_write  *write;
    size_t         packets, writes, dwords;
    uint32_t       draws, dispatches;
    bool           added; // it has no draw: one was added at the end
} stream;

// Reads and checks the files; beside NAME.hex a NAME.golden.txt, what another decoder made of it, is compared: the
// same context writes, by the same dwords, with the same values, no more and no less. `golden` counts them; it stays 0
// without such a file.
bool stream_read(stream *s, const char *const *paths, size_t count, size_t *golden, char *message, size_t size);
void stream_free(stream *s);

// Values of CLEAR_STATE: what the stream of that file writes; the others are 0.
bool stream_table(uint32_t *table, const char *path, char *message, size_t size);

#endif

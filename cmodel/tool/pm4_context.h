// SPDX-License-Identifier: Apache-2.0
//
// A command stream of a graphics queue as far as it concerns the context registers (docs/context.md): its packets,
// which registers they write, which of them are draws; and a shadow of the registers that plays it.
//
// A stream is read from one file of dwords or from several, one behind the other. Packets and writes are counted from
// 0; offsets count dwords from the start of the stream.
#ifndef TOTEM_PM4_CONTEXT_H
#define TOTEM_PM4_CONTEXT_H

#include "pm4_decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOTEM_CONTEXT_REGISTERS = 1024 };

typedef enum {
    TOTEM_CONTEXT_OTHER,
    TOTEM_CONTEXT_WRITES, // registers, by values of the packet or of memory
    TOTEM_CONTEXT_CLEAR,
    TOTEM_CONTEXT_DRAW,
    TOTEM_CONTEXT_DISPATCH,
    TOTEM_CONTEXT_LOSS,    // changes registers in a way that the stream alone does not tell: they become unknown
    TOTEM_CONTEXT_BARRIER, // a driver moves no context write across it
} totem_context_kind;

typedef struct {
    totem_context_kind kind;
    uint8_t            op;
    uint32_t           at, dwords;    // in the stream, with the header
    uint32_t           first, writes; // of the list of writes
} totem_context_packet;

typedef struct {
    uint32_t index, data, mask;
    uint32_t dword;  // of its packet
    uint32_t loaded; // not 0: so many registers from `index` on get values of memory, which nobody knows
} totem_context_write;

typedef struct {
    totem_context_packet *packet;
    totem_context_write  *write;
    size_t                packets, writes, dwords;
    uint32_t              draws, dispatches;
} totem_context_stream;

// Values of the registers, and which of them the stream has told so far.
typedef struct {
    uint32_t value[TOTEM_CONTEXT_REGISTERS];
    bool     known[TOTEM_CONTEXT_REGISTERS];
    uint32_t unknown; // how many are not known
} totem_context_shadow;

// Appends the dwords of a file to the stream; one that begins is {0}. False: `message` names file, line and remedy, the
// stream is freed. Refused: what totem_pm4_cut calls a fault, a write outside the window, a CLEAR_STATE with a command
// other than 0, a CONTEXT_BOUNCE.
bool totem_context_add(totem_context_stream *s, const char *path, const totem_hex *hex, char *message, size_t size);
void totem_context_free(totem_context_stream *s);

// A table of CLEAR_STATE: what a stream writes; the other registers are 0.
void totem_context_table(uint32_t table[TOTEM_CONTEXT_REGISTERS], const totem_context_stream *s);

// A shadow before the first packet: all registers 0 and unknown.
void totem_context_begin(totem_context_shadow *shadow);
// What the packet does to the registers. `table`: values of CLEAR_STATE; NULL if they are not known.
void totem_context_apply(totem_context_shadow *shadow, const totem_context_stream *s,
                         const totem_context_packet *packet, const uint32_t *table);

// Digest of a full state, for comparing sets: XOR over the registers of a mix of index and value. So it can be kept up
// to date write by write.
uint64_t totem_context_mix(uint32_t index, uint32_t value);
uint64_t totem_context_digest(const uint32_t value[TOTEM_CONTEXT_REGISTERS]);

#endif

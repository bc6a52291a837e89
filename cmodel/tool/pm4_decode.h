// SPDX-License-Identifier: Apache-2.0
//
// Takes PM4 streams apart: cuts them into packets, names fields and registers, writes packets in the readable form that
// pm4_assemble.h reads. All facts come from rtl/packet/pm4.yaml (docs/pm4.md shows them).
//
// Streams are arrays of 32-bit dwords. Offsets count dwords from the start of the stream; body dwords of a packet count
// from 1, dword 0 is the header. Nothing here allocates except totem_hex_read.
#ifndef TOTEM_PM4_DECODE_H
#define TOTEM_PM4_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Whose names registers, fields and values have where chips differ. TOTEM_CHIP_ANY gives all names of a register, and
// the fields that Totem reads. Of GFX12 the tables have no graphics registers.
typedef enum { TOTEM_CHIP_ANY, TOTEM_CHIP_GFX9, TOTEM_CHIP_GFX10, TOTEM_CHIP_GFX11, TOTEM_CHIP_GFX12 } totem_chip;

// What keeps a compute queue from consuming a packet, as far as the dwords alone show it (docs/pm4.md, error codes).
typedef enum {
    TOTEM_PM4_SOUND,
    TOTEM_PM4_HEADER_TYPE, // type 0 or 1: cut as one dword
    TOTEM_PM4_OPCODE,      // no public list names the number
    TOTEM_PM4_COUNT_FORM,  // an executed packet of a size that it does not have
    TOTEM_PM4_CUT_SHORT    // the stream ends inside the packet
} totem_pm4_fault;

typedef struct {
    size_t          offset;  // of the header
    size_t          dwords;  // with the header, at least 1; reaches past the stream if it is cut short
    size_t          present; // of those, how many the stream has
    uint32_t        header;
    uint8_t         type;     // 0..3
    uint8_t         op;       // type 3 only
    bool            executed; // a compute queue has a rule for it, a graphics queue is to have one; else it is counted
    const char     *ignored;  // why this one is counted though its opcode has a rule; else NULL
    totem_pm4_fault fault;
    const char     *name; // NULL: no name
    int             form; // layout of the body, for the functions below; -1: none
} totem_pm4_packet;

// A field of a dword. `text` names the value where there is a name, else NULL.
typedef struct {
    const char *name, *text;
    uint32_t    value;
    bool        decimal; // a count: people read it in decimal
    unsigned    width;
} totem_pm4_item;

// A body dword. If it is the value of a register, `address` is that register's dword address and `register_name` its
// name, or NULL; `later_name` is what later chips call it, with | between several, only with TOTEM_CHIP_ANY.
typedef struct {
    bool           is_register, is_data;
    uint32_t       address;
    const char    *register_name, *later_name;
    size_t         items;
    totem_pm4_item item[32];
} totem_pm4_word;

// A stream read from a file, with the line of every dword. `lines` and `words` have `count` entries.
typedef struct {
    uint32_t *words, *lines;
    size_t    count;
} totem_hex;

// Whether the dwords are AQL packets, of 16 dwords each, with some work among them: Totem reads PM4.
bool totem_is_aql(const uint32_t *words, size_t count);

// Cuts the packet at `offset` < `count`. `graphics`: take the layouts of the graphics queue first, and call no size of
// an executed packet a fault. The next packet begins at offset + dwords.
void totem_pm4_cut(const uint32_t *words, size_t count, size_t offset, bool graphics, totem_pm4_packet *packet);

// Fields of body dword `number` (1 .. present - 1) of a packet cut from `words`; with a chip also `reserved`, bits
// without a name there, if they are not 0.
void totem_pm4_word_of(const totem_pm4_packet *packet, const uint32_t *words, size_t number, totem_chip chip,
                       totem_pm4_word *word);

// Whether body dword `number` is the upper dword of an address that the packet reads or writes, and bits 47:40 of that
// are not 0: then `above` is what ADDRESS_HIGH must be, 0 if bit 39 is 1 and no ADDRESS_HIGH has it.
bool totem_pm4_upper(const totem_pm4_packet *packet, const uint32_t *words, size_t number, bool graphics,
                     uint8_t *above);

// What is wrong and what to do about it, for a packet with a fault. "" for a sound one.
void totem_pm4_explain(const totem_pm4_packet *packet, char *text, size_t size);

// Writes the packet in readable form, one line without its end. Assembled again it gives the same dwords.
void totem_pm4_print(FILE *out, const totem_pm4_packet *packet, const uint32_t *words);

// Name of the register at a dword address, NULL if it has none. `later`, if not NULL, is set to what later chips call
// it (only with TOTEM_CHIP_ANY), or to NULL.
const char *totem_pm4_register_name(uint32_t address, totem_chip chip, const char **later);

// Name of an opcode, of an error code (rtl/host/errors.yaml); NULL if there is none.
const char *totem_pm4_opcode_name(uint8_t op);
const char *totem_error_name(uint8_t code);
// Code of an error name such as PACKET_OPCODE; 0 if there is none.
uint8_t totem_error_code(const char *name);
// What the error is and what the reader of its record should do; NULL if there is none of that code.
const char *totem_error_what(uint8_t code);
const char *totem_error_remedy(uint8_t code);

// Reads a file of hexadecimal dwords as $readmemh does: white space apart, // and /* */ comments, underscores ignored;
// no @ addresses. False: `message` names file, line and remedy, nothing is allocated.
bool totem_hex_read(const char *path, totem_hex *hex, char *message, size_t size);
// The same of a file of little-endian dwords; `lines` are byte offsets.
bool totem_binary_read(const char *path, totem_hex *hex, char *message, size_t size);
void totem_hex_free(totem_hex *hex);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// Puts PM4 packets together from one line of text each. Facts from rtl/packet/pm4.yaml; docs/pm4.md shows them.
//
//     NAME operand operand ...      one operand a body dword:
//         16  0x8005                the dword
//         field=value,field=value   its fields by name; a value is a number or its name. Other bits are 0
//         @0x1234567890             two dwords, for a pair ..._lo, ..._hi
//         COMPUTE_PGM_LO            for the first dword of a SET packet: the register's offset
//     NAME/0x2 ...                  bits [7:0] of the header
//     NOP                           without operands: the one-dword form 0xFFFF1000
//     FILLER                        type-2 filler 0x80000000
//     OPCODE 0x03 dword ...         a packet of any opcode
//     DWORD 0x1234 ...              dwords as they are
//
// Values of registers after a SET packet take fields too: SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS=3,WGP_MODE=1.
// Numbers are decimal or, with 0x, hexadecimal.
#ifndef TOTEM_PM4_ASSEMBLE_H
#define TOTEM_PM4_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Longest packet in dwords: a body of 0x4000 and the header.
#define TOTEM_PM4_MOST_DWORDS 0x4001
// Room for every message: the longest lists the values of a field.
#define TOTEM_PM4_MESSAGE 2048

// Assembles one packet into `words`, which has `room` dwords; `count` is set to the dwords of the packet. False:
// `message` says what is wrong and what to write instead, `words` is undefined.
bool totem_pm4_assemble(const char *text, uint32_t *words, size_t room, size_t *count, char *message, size_t size);

#endif

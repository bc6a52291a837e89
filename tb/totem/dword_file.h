// SPDX-License-Identifier: Apache-2.0
//
// The one file of dwords that a command reads, its options, and what its messages share.
#ifndef TOTEM_DWORD_FILE_H
#define TOTEM_DWORD_FILE_H

#include "../../cmodel/tool/pm4_decode.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *file;
    bool        binary; // little-endian dwords: --binary, or a name that ends in .bin
} totem_dword_file;

// Child parser of a command: FILE and --binary. Its input is a totem_dword_file, all 0.
extern const struct argp totem_dword_file_argp;

// False: a message is on standard error. Free with totem_hex_free().
bool totem_dword_file_read(const totem_dword_file *with, totem_hex *hex);

// Begins a message on standard error: file:line of the dword; in a binary file its first byte.
void totem_dword_file_place(const totem_dword_file *with, const totem_hex *hex, size_t dword);

// Exit code of a command that has written all it has to say.
int totem_written(const char *file, bool good);

#endif

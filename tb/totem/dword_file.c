// SPDX-License-Identifier: Apache-2.0
//
// The one file of dwords that a command reads.
#include "dword_file.h"

#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KEY_BINARY = 0x200 };

static const struct argp_option options[] = {
    {"binary", KEY_BINARY, NULL, 0, "The file holds little-endian dwords, whatever its name (.bin: always)", 0}, {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    totem_dword_file *with = state->input;
    switch (key) {
    case KEY_BINARY: with->binary = true; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_error(state, "one FILE only");
        with->file      = argument;
        const char *dot = strrchr(argument, '.');
        if (dot && strcmp(dot, ".bin") == 0)
            with->binary = true;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which FILE?"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp totem_dword_file_argp = {.options = options, .parser = parse};

bool totem_dword_file_read(const totem_dword_file *with, totem_hex *hex)
{
    char       message[512];
    const bool good = with->binary ? totem_binary_read(with->file, hex, message, sizeof message)
                                   : totem_hex_read(with->file, hex, message, sizeof message);
    if (!good)
        fprintf(stderr, "%s\n", message);
    return good;
}

void totem_dword_file_place(const totem_dword_file *with, const totem_hex *hex, size_t dword)
{
    fflush(stdout);
    fprintf(stderr, with->binary ? "%s: byte 0x%" PRIx32 ": " : "%s:%" PRIu32 ": ", with->file, hex->lines[dword]);
}

int totem_written(const char *file, bool good)
{
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "%s: the output cannot be written; check the disk\n", file);
        return TOTEM_EXIT_FILE;
    }
    return good ? TOTEM_EXIT_GOOD : TOTEM_EXIT_FINDING;
}

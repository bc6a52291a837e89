// SPDX-License-Identifier: Apache-2.0
//
// totem picture: a file of events as an SVG picture of turns, waits and engines (picture.h).
#include "commands.h"
#include "number.h"
#include "picture.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *file, *out;
    uint64_t    from, to; // to 0: the end
    bool        from_given;
} settings;

enum { KEY_FROM = 0x100, KEY_TO };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write the picture there (SVG; the name ends in .svg)", 0},
    {"from", KEY_FROM, "CLOCK", 0, "First clock in it (default: that of the first doorbell, turn or wave)", 0},
    {"to", KEY_TO, "CLOCK", 0, "Last clock in it (default: that of the last event)", 0},
    {0}};

static bool ends_with_svg(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".svg") == 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    settings *with   = state->input;
    uint64_t  number = 0;
    if ((key == KEY_FROM || key == KEY_TO) && !totem_number(argument, UINT32_MAX, &number))
        argp_error(state, "'%s' is no clock; " TOTEM_NUMBER_TEXT, argument);
    switch (key) {
    case 'o': with->out = argument; return 0;
    case KEY_FROM:
        with->from       = number;
        with->from_given = true;
        return 0;
    case KEY_TO: with->to = number + 1; return 0;
    case ARGP_KEY_ARG:
        if (with->file)
            argp_error(state, "one EVENTS only");
        with->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!with->file)
            argp_error(state, "which EVENTS? totem run --events writes them");
        if (!with->out)
            argp_error(state, "where to? name a file with -o");
        else if (!ends_with_svg(with->out))
            argp_error(state, "'%s': totem picture writes SVG; name the file .svg", with->out);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int totem_command_picture(int argc, char **argv)
{
    const struct argp argp = {.options  = options,
                              .parser   = parse,
                              .args_doc = "EVENTS",
                              .doc =
                                  "Draws a run from its events: which queue has each pipe, what each queue waits for, "
                                  "how full the engines are.\v" TOTEM_EXIT_TEXT};
    settings          with = {0};
    if (argp_parse(&argp, argc, argv, 0, NULL, &with))
        return TOTEM_EXIT_USAGE;
    char    message[600];
    picture p;
    int     code = picture_read(&p, with.file, message, sizeof message);
    if (!code) {
        p.first = with.from_given ? with.from : p.first;
        p.last  = with.to ? with.to : p.last;
    }
    if (!code && p.first >= p.last) {
        snprintf(message, sizeof message,
                 "%s: no clock lies from %" PRIu64 " to %" PRIu64 "; take other ones with --from "
                 "and --to",
                 with.file, p.first, p.last - 1);
        code = TOTEM_EXIT_FINDING;
    }
    FILE *out = code ? NULL : fopen(with.out, "w");
    if (out) {
        const char *slash = strrchr(with.file, '/');
        picture_draw(&p, slash ? slash + 1 : with.file, out);
    }
    const bool failed = out && (ferror(out) != 0 || ftell(out) <= 0);
    if (!code && (!out || fclose(out) != 0 || failed)) {
        snprintf(message, sizeof message, "%s cannot be written: %s; name another file", with.out, strerror(errno));
        code = TOTEM_EXIT_FILE;
    }
    if (code)
        fprintf(stderr, "%s\n", message);
    free(p.spans);
    return code;
}

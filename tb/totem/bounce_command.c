// SPDX-License-Identifier: Apache-2.0
//
// totem pm4 bounce: what a user-mode driver does to a graphics stream so that states return by hash (docs/context.md).
#include "../../cmodel/tool/pm4_bounce.h"
#include "commands.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *file, *output, *table, *digests;
    bool        json;
} settings;

enum { KEY_JSON = 0x100, KEY_TABLE, KEY_DIGESTS };

static const struct argp_option options[] = {
    {"output", 'o', "OUT", 0, "The bounced stream", 0},
    {"table", KEY_TABLE, "FILE", 0, "Values that CLEAR_STATE loads: a stream that writes them, the others are 0", 0},
    {"digests", KEY_DIGESTS, "FILE", 0, "Write there what the shadow has at each draw and dispatch", 0},
    {"json", KEY_JSON, NULL, 0, "Write the counts as JSON to standard output", 0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    settings *with = state->input;
    switch (key) {
    case 'o': with->output = argument; return 0;
    case KEY_TABLE: with->table = argument; return 0;
    case KEY_DIGESTS: with->digests = argument; return 0;
    case KEY_JSON: with->json = true; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num)
            argp_error(state, "one FILE only");
        with->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!with->file || !with->output)
            argp_error(state, "a FILE, and -o OUT for the bounced stream");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

// Reads a stream; `hex` and `s` are to be freed if all is well. Returns an exit code; otherwise the error is told.
static int load(const char *path, totem_hex *hex, totem_context_stream *s)
{
    char message[512];
    *s = (totem_context_stream){0};
    if (!totem_hex_read(path, hex, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        return TOTEM_EXIT_FILE;
    }
    if (hex->count == 0)
        snprintf(message, sizeof message, "%s:1: no dwords; a stream has at least one packet", path);
    else if (totem_context_add(s, path, hex, message, sizeof message))
        return TOTEM_EXIT_GOOD;
    fprintf(stderr, "%s\n", message);
    totem_hex_free(hex);
    return TOTEM_EXIT_FINDING;
}

// False: the file was not opened, or not all of it could be written.
static bool closed(FILE *out, const char *path)
{
    bool good = out != NULL && !ferror(out);
    if (out)
        good = fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "%s cannot be written: %s; check folder, rights and disk\n", path, strerror(errno));
    return good;
}

// A line for each draw and dispatch: dword in the plain stream, packet, digest of the registers, how many are unknown.
static bool write_digests(const char *path, const totem_context_stream *s, const uint32_t *table)
{
    totem_context_shadow shadow;
    FILE                *out = fopen(path, "w");
    totem_context_begin(&shadow);
    for (size_t n = 0; out && n < s->packets; n++) {
        const totem_context_packet *packet = &s->packet[n];
        totem_context_apply(&shadow, s, packet, table);
        if (packet->kind == TOTEM_CONTEXT_DRAW || packet->kind == TOTEM_CONTEXT_DISPATCH)
            fprintf(out, "%" PRIu32 " %s %016" PRIx64 " %" PRIu32 "\n", packet->at, totem_pm4_opcode_name(packet->op),
                    totem_context_digest(shadow.value), shadow.unknown);
    }
    return closed(out, path);
}

static bool write_output(const settings *with, const totem_bounce_plan *plan, const totem_context_stream *s,
                         const totem_hex *hex)
{
    FILE *out = fopen(with->output, "w");
    if (out) {
        fprintf(out, "// %u of %u groups of context writes stand behind a CONTEXT_BOUNCE (totem pm4 bounce).\n",
                plan->bounced, plan->groups);
        totem_bounce_write(out, plan, s, hex->words);
    }
    return closed(out, with->output);
}

static void tell(const settings *with, const totem_bounce_plan *plan, const totem_context_stream *s)
{
    const size_t dwords = s->dwords + (size_t)plan->bounced * TOTEM_BOUNCE_DWORDS;
    if (with->json) {
        json_t *result = json_pack(
            "{s:s, s:s, s:I, s:I, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "file", with->file, "output", with->output,
            "dwords", (json_int_t)s->dwords, "dwords_bounced", (json_int_t)dwords, "draws", (int)s->draws, "groups",
            (int)plan->groups, "bounced", (int)plan->bounced, "gathered", (int)plan->moved, "plain_barrier",
            (int)plan->crossed, "plain_unknown", (int)plan->unknown, "plain_long", (int)plan->large);
        json_dumpf(result, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        putchar('\n');
        json_decref(result);
        return;
    }
    fprintf(stderr, "%s: %zu dwords, %u draws, %u groups of context writes; %s: %zu dwords\n", with->file, s->dwords,
            s->draws, plan->groups, with->output, dwords);
    fprintf(stderr, "bounced %u, of which %u gathered from packets that lay apart\n", plan->bounced, plan->moved);
    fprintf(stderr, "plain %u: %u would cross a barrier, %u stand where a register is not known, %u are too long\n",
            plan->crossed + plan->unknown + plan->large, plan->crossed, plan->unknown, plan->large);
    if (plan->unknown && !with->table)
        fprintf(stderr, "CLEAR_STATE makes all registers known if --table names its values\n");
}

static int bounce(const settings *with, const uint32_t *table, const totem_context_stream *s, const totem_hex *hex)
{
    totem_bounce_plan plan;
    if (!totem_bounce_make(&plan, s, table)) {
        fprintf(stderr, "%s: out of memory; split the file\n", with->file);
        return TOTEM_EXIT_FILE;
    }
    const bool good = write_output(with, &plan, s, hex) && (!with->digests || write_digests(with->digests, s, table));
    if (good)
        tell(with, &plan, s);
    totem_bounce_free(&plan);
    return good ? TOTEM_EXIT_GOOD : TOTEM_EXIT_FILE;
}

int totem_command_bounce(int argc, char **argv)
{
    const struct argp argp = {
        .options  = options,
        .parser   = parse,
        .args_doc = "FILE -o OUT",
        .doc      = "Makes a graphics stream use bouncing: text files of hexadecimal dwords, // comments allowed.\n\n"
                    "The context registers are shadowed; before each draw with context writes their state is hashed "
                    "(XXH64), and the writes are gathered in a group behind a CONTEXT_BOUNCE in front of the draw.\v"
                    "A group stays plain if a write would have to cross an EVENT_WRITE, RELEASE_MEM, ACQUIRE_MEM, a "
                    "wait, a copy, a condition or a dispatch; if it is too long for the count (16383 dwords); and as "
                    "long as a register is not known: from the start, and behind a load or an indirect buffer, until "
                    "a CLEAR_STATE (with --table). Draws, registers and order of all else stay as they are. The "
                    "stream gets longer: adapt what says its size. Counts go to standard error.\n\n" TOTEM_EXIT_TEXT};
    settings             with = {0};
    totem_hex            hex;
    totem_context_stream s;
    uint32_t             table[TOTEM_CONTEXT_REGISTERS];
    if (argp_parse(&argp, argc, argv, 0, NULL, &with))
        return TOTEM_EXIT_USAGE;
    if (with.table) {
        const int code = load(with.table, &hex, &s);
        if (code != TOTEM_EXIT_GOOD)
            return code;
        totem_context_table(table, &s);
        totem_hex_free(&hex);
        totem_context_free(&s);
    }
    int code = load(with.file, &hex, &s);
    if (code != TOTEM_EXIT_GOOD)
        return code;
    code = bounce(&with, with.table ? table : NULL, &s, &hex);
    totem_hex_free(&hex);
    totem_context_free(&s);
    return code;
}

// SPDX-License-Identifier: Apache-2.0
//
// totem pm4 decode, totem pm4 stats; bounce_command.c has totem pm4 bounce. JSON is written with Jansson: small, kept
// up since 2009, packs whole objects in a call and escapes every string, where printf would have to be right each time.
#include "../../cmodel/packet/totem_pm4.h"
#include "../../cmodel/tool/pm4_decode.h"
#include "commands.h"
#include "dword_file.h"

#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

typedef enum { DECODE, STATS } action;

typedef struct {
    action      what;
    const char *file;
    bool        json, graphics, packets;
    totem_chip  chip;
} settings;

// What a look at a whole stream gathers.
typedef struct {
    const settings  *with;
    const totem_hex *hex;
    json_t          *json; // array of packets, or of faults
    json_t          *faults;
    size_t           packets, fault_count, fillers;
    size_t           opcode[256], opcode_dwords[256], ignored[256];
    uint32_t         written[TOTEM_WINDOW_UCONFIG_LAST + 0x10000]; // by address
    size_t           written_elsewhere;                            // of registers without a name
} walk;

enum { KEY_JSON = 0x100, KEY_QUEUE, KEY_CHIP, KEY_PACKETS };

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Write JSON", 0},
    {"queue", KEY_QUEUE, "compute|graphics", 0, "Whose stream it is (default: compute)", 0},
    {"chip", KEY_CHIP, "gfx9|gfx10|gfx11|gfx12", 0, "Whose names registers, fields and values have where chips differ",
     0},
    {"packets", KEY_PACKETS, NULL, 0, "decode: one line a packet, in the form that workload files read", 0},
    {0}};

static bool choose(const char *argument, const char *const *names, unsigned *value)
{
    for (unsigned n = 0; names[n]; n++) {
        if (strcmp(argument, names[n]) != 0)
            continue;
        *value = n;
        return true;
    }
    return false;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    static const char *const actions[] = {"decode", "stats", NULL};
    static const char *const queues[]  = {"compute", "graphics", NULL};
    static const char *const chips[]   = {"any", "gfx9", "gfx10", "gfx11", "gfx12", NULL};
    settings                *with      = state->input;
    unsigned                 value     = 0;
    switch (key) {
    case KEY_JSON: with->json = true; return 0;
    case KEY_PACKETS: with->packets = true; return 0;
    case KEY_QUEUE:
        if (!choose(argument, queues, &value))
            argp_error(state, "--queue=%s: take compute or graphics", argument);
        with->graphics = value == 1;
        return 0;
    case KEY_CHIP:
        if (!choose(argument, chips, &value))
            argp_error(state, "--chip=%s: take gfx9, gfx10, gfx11 or gfx12", argument);
        with->chip = (totem_chip)value;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0) {
            if (!choose(argument, actions, &value))
                argp_error(state, "'%s': take decode, stats or bounce", argument);
            with->what = (action)value;
        } else if (state->arg_num == 1) {
            with->file = argument;
        } else {
            argp_error(state, "one FILE only");
        }
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_error(state, "decode, stats or bounce, and a FILE");
        if (with->packets && (with->json || with->what == STATS))
            argp_error(state, "--packets goes with decode, without --json");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void print_item(const totem_pm4_item *item)
{
    printf("  %s=", item->name);
    if (item->text)
        printf("%s", item->text);
    else
        printf(item->decimal || item->value < 10 ? "%" PRIu32 : "0x%" PRIx32, item->value);
}

// A dword with one field shows it always; in others a field that is 0 and has no name for that says nothing.
static void print_items(const totem_pm4_word *word)
{
    for (size_t n = 0; n < word->items; n++)
        if (word->items == 1 || word->item[n].value || word->item[n].text)
            print_item(&word->item[n]);
}

static void print_word(const walk *w, const totem_pm4_packet *packet, size_t number, const totem_pm4_word *word)
{
    uint8_t above;
    printf("        %4zu  %08" PRIx32, number, w->hex->words[packet->offset + number]);
    if (word->is_register) {
        if (word->register_name)
            printf("  %s%s%s", word->register_name, word->later_name ? "|" : "",
                   word->later_name ? word->later_name : "");
        else
            printf("  register 0x%04" PRIx32, word->address);
    }
    // The whole dword of a register with one field of 32 bits stands in front already.
    if (!(word->is_register && word->items == 1 && word->item[0].width == 32 && !word->item[0].decimal))
        print_items(word);
    if (totem_pm4_upper(packet, w->hex->words, number, w->with->graphics, &above)) {
        if (above)
            printf("  needs ADDRESS_HIGH 0x%02x", above);
        else
            printf("  no ADDRESS_HIGH has it: bit 39 is 1");
    }
    putchar('\n');
}

static const char *not_executed(const walk *w, unsigned op)
{
    if (!w->with->graphics && totem_op_scheduled((uint8_t)op))
        return ", executed by the scheduler's queue alone";
    return w->with->graphics ? ", not executed by a graphics queue" : ", not executed by a compute queue";
}

static bool is_executed(const walk *w, unsigned op)
{
    return w->with->graphics ? totem_op_drawn((uint8_t)op) : totem_op_executed((uint8_t)op);
}

static void print_packet(const walk *w, const totem_pm4_packet *packet)
{
    printf("%6zu  %08" PRIx32 "  %s", packet->offset, packet->header, packet->name ? packet->name : "unknown");
    if (packet->type == 3 && !packet->name)
        printf(" opcode 0x%02x", packet->op);
    if (packet->type != 3 && packet->type != 2)
        printf(" header of type %u", packet->type);
    printf("  %zu dword%s", packet->dwords, packet->dwords == 1 ? "" : "s");
    if (packet->ignored)
        printf(", consumed without a rule: %s\n", packet->ignored);
    else
        printf("%s\n", packet->executed ? "" : not_executed(w, packet->op));
    for (size_t number = 1; number < packet->present; number++) {
        totem_pm4_word word;
        totem_pm4_word_of(packet, w->hex->words, number, w->with->chip, &word);
        print_word(w, packet, number, &word);
    }
}

static json_t *json_items(const totem_pm4_word *word)
{
    json_t *object = json_object();
    for (size_t n = 0; n < word->items; n++) {
        const totem_pm4_item *item = &word->item[n];
        json_object_set_new(object, item->name, json_integer(item->value));
        if (!item->text)
            continue;
        char name[64];
        snprintf(name, sizeof name, "%s_name", item->name);
        json_object_set_new(object, name, json_string(item->text));
    }
    return object;
}

static json_t *json_packet(const walk *w, const totem_pm4_packet *packet)
{
    json_t *body = json_array();
    for (size_t number = 1; number < packet->present; number++) {
        totem_pm4_word word;
        totem_pm4_word_of(packet, w->hex->words, number, w->with->chip, &word);
        json_t *entry = json_pack("{s:I}", "value", (json_int_t)w->hex->words[packet->offset + number]);
        if (word.is_register) {
            json_object_set_new(entry, "address", json_integer(word.address));
            if (word.register_name)
                json_object_set_new(entry, "register", json_string(word.register_name));
            if (word.later_name)
                json_object_set_new(entry, "register_later", json_string(word.later_name));
        }
        if (word.items)
            json_object_set_new(entry, "fields", json_items(&word));
        uint8_t above;
        if (totem_pm4_upper(packet, w->hex->words, number, w->with->graphics, &above))
            json_object_set_new(entry, "needs_address_high", json_integer(above));
        json_array_append_new(body, entry);
    }
    json_t *object = json_pack("{s:I, s:I, s:I, s:i, s:b, s:o}", "offset", (json_int_t)packet->offset, "dwords",
                               (json_int_t)packet->dwords, "header", (json_int_t)packet->header, "type", packet->type,
                               "executed", packet->executed, "body", body);
    if (packet->type == 3)
        json_object_set_new(object, "opcode", json_integer(packet->op));
    if (packet->name)
        json_object_set_new(object, "name", json_string(packet->name));
    if (packet->ignored)
        json_object_set_new(object, "ignored", json_string(packet->ignored));
    return object;
}

static void report_fault(walk *w, const totem_pm4_packet *packet)
{
    char text[256];
    totem_pm4_explain(packet, text, sizeof text);
    w->fault_count++;
    fflush(stdout);
    fprintf(stderr, "%s:%" PRIu32 ": dword %zu: %s\n", w->with->file, w->hex->lines[packet->offset], packet->offset,
            text);
    if (w->with->json)
        json_array_append_new(w->faults, json_pack("{s:I, s:I, s:s}", "line", (json_int_t)w->hex->lines[packet->offset],
                                                   "offset", (json_int_t)packet->offset, "text", text));
}

static void count_packet(walk *w, const totem_pm4_packet *packet)
{
    w->packets++;
    if (packet->type == 2)
        w->fillers++;
    if (packet->type != 3)
        return;
    w->opcode[packet->op]++;
    w->ignored[packet->op] += packet->ignored != NULL;
    w->opcode_dwords[packet->op] += packet->dwords;
    for (size_t number = 1; number < packet->present; number++) {
        totem_pm4_word word;
        totem_pm4_word_of(packet, w->hex->words, number, w->with->chip, &word);
        if (!word.is_register)
            continue;
        if (word.register_name)
            w->written[word.address]++;
        else
            w->written_elsewhere++;
    }
}

static const char *register_name(const walk *w, uint32_t address, char *text, size_t size)
{
    const char *later, *name = totem_pm4_register_name(address, w->with->chip, &later);
    snprintf(text, size, "%s%s%s", name, later ? "|" : "", later ? later : "");
    return text;
}

static void print_stats(const walk *w)
{
    printf("%zu dwords, %zu packets, %zu type-2 fillers, %zu faults\n\npackets   dwords  opcode\n", w->hex->count,
           w->packets, w->fillers, w->fault_count);
    for (unsigned op = 0; op < 256; op++) {
        if (!w->opcode[op])
            continue;
        const char *name = totem_pm4_opcode_name((uint8_t)op);
        printf("%7zu  %7zu  0x%02x %s%s", w->opcode[op], w->opcode_dwords[op], op, name ? name : "unknown",
               is_executed(w, op) ? "" : not_executed(w, op));
        if (w->ignored[op])
            printf(", %zu of them consumed without a rule", w->ignored[op]);
        putchar('\n');
    }
    printf("\n writes  register\n");
    for (uint32_t address = 0; address < LENGTH(w->written); address++) {
        char text[96];
        if (w->written[address])
            printf("%7" PRIu32 "  %s\n", w->written[address], register_name(w, address, text, sizeof text));
    }
    printf("%7zu  registers without a name\n", w->written_elsewhere);
}

static json_t *json_stats(const walk *w)
{
    json_t *opcodes = json_array(), *registers = json_object();
    for (unsigned op = 0; op < 256; op++) {
        if (!w->opcode[op])
            continue;
        const char *name = totem_pm4_opcode_name((uint8_t)op);
        json_array_append_new(opcodes,
                              json_pack("{s:i, s:s?, s:I, s:I, s:b, s:I}", "opcode", (int)op, "name", name, "packets",
                                        (json_int_t)w->opcode[op], "dwords", (json_int_t)w->opcode_dwords[op],
                                        "executed", is_executed(w, op), "ignored", (json_int_t)w->ignored[op]));
    }
    for (uint32_t address = 0; address < LENGTH(w->written); address++) {
        char text[96];
        if (w->written[address])
            json_object_set_new(registers, register_name(w, address, text, sizeof text),
                                json_integer((json_int_t)w->written[address]));
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:I, s:O}", "file", w->with->file, "dwords",
                     (json_int_t)w->hex->count, "packets", (json_int_t)w->packets, "fillers", (json_int_t)w->fillers,
                     "opcodes", opcodes, "register_writes", registers, "register_writes_elsewhere",
                     (json_int_t)w->written_elsewhere, "faults", w->faults);
}

static void finish(walk *w)
{
    json_t *result = NULL;
    if (w->with->what == STATS && !w->with->json)
        print_stats(w);
    if (w->with->json && w->with->what == STATS)
        result = json_stats(w);
    if (w->with->json && w->with->what == DECODE)
        result = json_pack("{s:s, s:I, s:O, s:O}", "file", w->with->file, "dwords", (json_int_t)w->hex->count,
                           "packets", w->json, "faults", w->faults);
    if (result) {
        json_dumpf(result, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        putchar('\n');
    }
    json_decref(result);
    json_decref(w->json);
    json_decref(w->faults);
}

int totem_command_pm4(int argc, char **argv)
{
    const struct argp argp = {
        .options  = options,
        .parser   = parse,
        .args_doc = "decode FILE\nstats FILE\nbounce FILE -o OUT",
        .doc      = "Reads a PM4 stream: a text file of hexadecimal dwords, // comments allowed.\n\n"
                    "decode prints it packet by packet; stats counts packets by opcode and register writes; "
                    "bounce wraps state changes for bouncing ('totem pm4 bounce --help').\v"
                    "Faults (unknown opcode, wrong size, a packet cut short) go to standard error with file, line "
                    "and dword; decoding goes on behind them as a queue that skips would.\n\n" TOTEM_EXIT_TEXT};
    if (argc > 1 && strcmp(argv[1], "bounce") == 0) {
        static char name[] = "totem pm4 bounce";
        argv[1]            = name;
        return totem_command_bounce(argc - 1, argv + 1);
    }
    settings with = {0};
    if (argp_parse(&argp, argc, argv, 0, NULL, &with))
        return TOTEM_EXIT_USAGE;
    char      message[512];
    totem_hex hex;
    if (!totem_hex_read(with.file, &hex, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        return TOTEM_EXIT_FILE;
    }
    if (!hex.count) {
        fprintf(stderr, "%s:1: no dwords; a stream has at least one packet\n", with.file);
        totem_hex_free(&hex);
        return TOTEM_EXIT_FINDING;
    }
    if (totem_is_aql(hex.words, hex.count)) {
        fprintf(stderr,
                "%s:%" PRIu32 ": an AQL stream of %zu packets, which Totem's queues do not read; "
                "give the PM4 of its vendor packets, or of a queue without AQL\n",
                with.file, hex.lines[0], hex.count / 16);
        totem_hex_free(&hex);
        return TOTEM_EXIT_FINDING;
    }
    static walk w;
    w = (walk){.with = &with, .hex = &hex, .json = json_array(), .faults = json_array()};
    for (size_t offset = 0; offset < hex.count;) {
        totem_pm4_packet packet;
        totem_pm4_cut(hex.words, hex.count, offset, with.graphics, &packet);
        if (with.what == STATS)
            count_packet(&w, &packet);
        else if (with.json)
            json_array_append_new(w.json, json_packet(&w, &packet));
        else if (!with.packets)
            print_packet(&w, &packet);
        else {
            totem_pm4_print(stdout, &packet, hex.words);
            putchar('\n');
        }
        if (packet.fault != TOTEM_PM4_SOUND)
            report_fault(&w, &packet);
        offset += packet.dwords;
    }
    finish(&w);
    size_t faults = w.fault_count;
    totem_hex_free(&hex);
    return totem_written(with.file, faults == 0);
}

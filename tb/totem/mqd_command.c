// SPDX-License-Identifier: Apache-2.0
//
// totem mqd: a memory queue descriptor in words, and whether Totem would map its queue.
#include "../../cmodel/tool/mqd_decode.h"
#include "commands.h"
#include "dword_file.h"
#include "mqd_dump.h"

#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    totem_dword_file from;
    bool             json;
    uint8_t          above;
    totem_chip       chip;
    unsigned long    number; // of the descriptor in a dump, from 1; 0: all
} settings;

enum { KEY_JSON = 0x100, KEY_ABOVE, KEY_CHIP, KEY_NUMBER };

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Write JSON", 0},
    {"chip", KEY_CHIP, "gfx9|gfx10|gfx11|gfx12", 0, "Whose structure it is: v9 (default) to v12", 0},
    {"address-high", KEY_ABOVE, "N", 0, "Register ADDRESS_HIGH, bits 47:40 that addresses may have (0)", 0},
    {"number", KEY_NUMBER, "N", 0, "Of a dump of several descriptors the N-th, from 1 (default: all)", 0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    settings *with = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &with->from; return 0;
    case KEY_JSON: with->json = true; return 0;
    case KEY_CHIP:
        with->chip = strcmp(argument, "gfx9") == 0    ? TOTEM_CHIP_GFX9
                     : strcmp(argument, "gfx10") == 0 ? TOTEM_CHIP_GFX10
                     : strcmp(argument, "gfx11") == 0 ? TOTEM_CHIP_GFX11
                     : strcmp(argument, "gfx12") == 0 ? TOTEM_CHIP_GFX12
                                                      : TOTEM_CHIP_ANY;
        if (with->chip == TOTEM_CHIP_ANY)
            argp_error(state, "--chip=%s: take gfx9, gfx10, gfx11 or gfx12", argument);
        return 0;
    case KEY_ABOVE: {
        char               *end;
        const unsigned long above = strtoul(argument, &end, 0);
        if (end == argument || *end || above > 255)
            argp_error(state, "--address-high=%s: not 0 to 255", argument);
        with->above = (uint8_t)above;
        return 0;
    }
    case KEY_NUMBER: {
        char *end;
        with->number = strtoul(argument, &end, 10);
        if (end == argument || *end || with->number == 0)
            argp_error(state, "--number=%s: not a number from 1 on", argument);
        return 0;
    }
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool check_size(const settings *with, const totem_hex *hex)
{
    if (hex->count >= TOTEM_MQD_LEAST && hex->count <= TOTEM_MQD_MOST)
        return true;
    if (hex->count)
        totem_dword_file_place(&with->from, hex, hex->count < TOTEM_MQD_LEAST ? hex->count - 1 : TOTEM_MQD_MOST);
    else
        fprintf(stderr, "%s: ", with->from.file);
    if (hex->count < TOTEM_MQD_LEAST)
        fprintf(stderr,
                "the file ends after %zu dwords; a descriptor has %d, at least the %d up to the end of its window\n",
                hex->count, TOTEM_MQD_DWORDS, TOTEM_MQD_LEAST);
    else
        fprintf(stderr, "more than the %d dwords of a descriptor and what drivers put behind it; give one descriptor\n",
                TOTEM_MQD_MOST);
    return false;
}

static void print_word(unsigned dword, uint32_t value, const totem_pm4_word *word)
{
    if ((!word->register_name || dword >= TOTEM_MQD_LEAST) && value == 0)
        return;
    printf("%4u  %08" PRIx32 "  %s", dword, value, word->register_name ? word->register_name : "-");
    // A field of the whole dword says nothing new.
    for (size_t n = 0; n < word->items; n++) {
        const totem_pm4_item *item = &word->item[n];
        if ((item->width == 32 && !item->decimal) || (word->items > 1 && !item->value && !item->text))
            continue;
        printf("  %s=", item->name);
        if (item->text)
            printf("%s", item->text);
        else
            printf(item->decimal || item->value < 10 ? "%" PRIu32 : "0x%" PRIx32, item->value);
    }
    if (totem_mqd_upper(dword, value))
        printf("  needs ADDRESS_HIGH 0x%02x", totem_mqd_upper(dword, value));
    putchar('\n');
}

static void print_state(const totem_mqd_state *s)
{
    printf("\nrestart: ");
    if (!s->preload)
        printf("compute registers are not preloaded");
    else if (!s->grid)
        printf("compute registers are preloaded, no grid is unfinished");
    else
        printf("an unfinished grid goes on at work-group (%" PRIu32 ", %" PRIu32 ", %" PRIu32
               "), of the seven behind it granted already: 0x%02" PRIx32,
               s->restart[0], s->restart[1], s->restart[2], s->granted);
    if (s->buffer)
        printf("; indirect buffer open at 0x%" PRIx64 ", %" PRIu32 " dwords left", s->buffer_address, s->buffer_left);
    const char *meaning = "not equal, launched work had not ended: a mapping waits for it";
    // The first switch-out has number 1.
    if (s->ended)
        meaning = s->top_sequence ? "equal, all launched work had ended" : "equal, no switch-out is recorded";
    printf("\nrecords: top of pipe rptr 0x%" PRIx32 " sequence %" PRIu32 ", end of pipe rptr 0x%" PRIx32
           " sequence %" PRIu32 ": %s\n",
           s->top_rptr, s->top_sequence, s->end_rptr, s->end_sequence, meaning);
}

static json_t *json_word(unsigned dword, uint32_t value, const totem_pm4_word *word)
{
    json_t *fields = json_object();
    for (size_t n = 0; n < word->items; n++)
        json_object_set_new(fields, word->item[n].name, json_integer(word->item[n].value));
    json_t *entry = json_pack("{s:I, s:I, s:s?, s:o}", "dword", (json_int_t)dword, "value", (json_int_t)value, "name",
                              word->register_name, "fields", fields);
    if (totem_mqd_upper(dword, value))
        json_object_set_new(entry, "needs_address_high", json_integer(totem_mqd_upper(dword, value)));
    return entry;
}

static json_t *json_state(const totem_mqd_state *s)
{
    return json_pack("{s:b, s:b, s:[I,I,I], s:I, s:b, s:I, s:I, s:{s:I, s:I}, s:{s:I, s:I}, s:b}", "preload",
                     s->preload, "unfinished_grid", s->grid, "restart", (json_int_t)s->restart[0],
                     (json_int_t)s->restart[1], (json_int_t)s->restart[2], "granted", (json_int_t)s->granted,
                     "indirect_buffer", s->buffer, "indirect_buffer_address", (json_int_t)s->buffer_address,
                     "indirect_buffer_left", (json_int_t)s->buffer_left, "top_of_pipe", "rptr", (json_int_t)s->top_rptr,
                     "sequence", (json_int_t)s->top_sequence, "end_of_pipe", "rptr", (json_int_t)s->end_rptr,
                     "sequence", (json_int_t)s->end_sequence, "records_equal", s->ended);
}

static void report_refusal(const settings *with, const totem_hex *hex, const totem_mqd_refusal *why, json_t *list)
{
    totem_pm4_word word;
    totem_mqd_word_of(hex->words, why->dword, with->chip, &word);
    const char *map = why->map_code ? totem_error_name(why->map_code) : NULL;
    totem_dword_file_place(&with->from, hex, why->dword);
    fprintf(stderr, "dword %u %s 0x%08" PRIx32 ": %s, by MAP %s: %s; %s\n", why->dword, word.register_name,
            hex->words[why->dword], totem_error_name(why->window_code), map ? map : "no error",
            totem_error_what(why->window_code), totem_error_remedy(why->window_code));
    json_array_append_new(
        list, json_pack("{s:I, s:I, s:s, s:I, s:s, s:s?, s:s, s:s}", with->from.binary ? "byte" : "line",
                        (json_int_t)hex->lines[why->dword], "dword", (json_int_t)why->dword, "name", word.register_name,
                        "value", (json_int_t)hex->words[why->dword], "error", totem_error_name(why->window_code),
                        "error_by_map", map, "what", totem_error_what(why->window_code), "remedy",
                        totem_error_remedy(why->window_code)));
}

// Whether Totem would map it. With --json its object goes to `result`.
static bool decode(const settings *with, const totem_hex *hex, json_t **result)
{
    json_t *words = json_array(), *list = json_array();
    for (unsigned dword = 0; dword < hex->count; dword++) {
        totem_pm4_word word;
        totem_mqd_word_of(hex->words, dword, with->chip, &word);
        if (!with->json)
            print_word(dword, hex->words[dword], &word);
        else if (word.register_name || hex->words[dword])
            json_array_append_new(words, json_word(dword, hex->words[dword], &word));
    }
    totem_mqd_state   state;
    totem_mqd_refusal refusals[TOTEM_MQD_REFUSALS];
    const size_t      count  = totem_mqd_check(hex->words, with->above, refusals);
    size_t            by_map = 0;
    totem_mqd_state_of(hex->words, &state);
    if (!with->json)
        print_state(&state);
    for (size_t n = 0; n < count; n++) {
        report_refusal(with, hex, &refusals[n], list);
        by_map += refusals[n].map_code != 0;
    }
    if (with->json) {
        *result = json_pack("{s:s, s:I, s:O, s:o, s:b, s:b, s:O}", "file", with->from.file, "dwords",
                            (json_int_t)hex->count, "words", words, "state", json_state(&state), "mapped", count == 0,
                            "mapped_by_map", by_map == 0, "refusals", list);
    } else {
        printf("verdict: a window written from it is %s, register MAP %s it\n", count ? "refused" : "mapped",
               by_map ? "refuses" : "maps");
    }
    json_decref(words);
    json_decref(list);
    return count == 0;
}

static void print_json(json_t *result)
{
    if (!result)
        return;
    json_dumpf(result, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(result);
}

// The descriptors of a dump that are wanted, each under its title. Those of other queues than compute are only named.
static bool decode_dump(const settings *with, const totem_mqd_dump *dump)
{
    json_t *all  = json_array();
    bool    good = true;
    if (with->number > dump->count) {
        fprintf(stderr, "%s: --number=%lu: the file has %zu descriptors\n", with->from.file, with->number, dump->count);
        good = false;
    }
    for (size_t n = 0; n < dump->count; n++) {
        const totem_mqd_dumped *d     = &dump->descriptors[n];
        const bool              other = strstr(d->title, "SDMA") != NULL;
        json_t                 *one   = NULL;
        if (with->number && with->number != n + 1)
            continue;
        if (!with->json)
            printf("%sdescriptor %zu of %zu, %s:%" PRIu32 ": %s%s\n", n && !with->number ? "\n" : "", n + 1,
                   dump->count, with->from.file, d->line, d->title, other ? ": of no compute queue, not shown" : "");
        if (!other)
            good = check_size(with, &d->hex) && decode(with, &d->hex, &one) && good;
        if (!with->json)
            continue;
        if (!one)
            one = json_object();
        json_object_set_new(one, "number", json_integer((json_int_t)n + 1));
        json_object_set_new(one, "line", json_integer((json_int_t)d->line));
        json_object_set_new(one, "title", json_string(d->title));
        json_array_append_new(all, one);
    }
    if (with->json)
        print_json(json_pack("{s:s, s:O}", "file", with->from.file, "descriptors", all));
    json_decref(all);
    return good;
}

// It is read once, so it has dwords, not the text of debugfs.
static bool is_pipe(const char *file)
{
    struct stat about;
    return stat(file, &about) == 0 && !S_ISREG(about.st_mode);
}

int totem_command_mqd(int argc, char **argv)
{
    const struct argp_child children[] = {{.argp = &totem_dword_file_argp}, {0}};
    const struct argp       argp       = {
                    .options  = options,
                    .parser   = parse,
                    .args_doc = "FILE",
                    .children = children,
                    .doc      = "Reads a memory queue descriptor (MQD, 184 to 516 dwords): a text file of hexadecimal "
                                            "dwords, // comments allowed (all that a pipe may give), binary, or the text of amdkfd's "
                                            "debugfs file mqds with those of all queues.\n"
                                            "\n"
                                            "Prints its dwords with their fields, where the queue would go on, the records of the "
                                            "pipe, and whether Totem would map the queue.\v"
                                            "Refusals go to standard error with file, line and dword, in the order in which Totem "
                                            "looks: its record has the first. Two ways lead to a mapping: writing the window and then"
                                            " ACTIVE, or register MAP, which gives the address of the descriptor itself. What depends"
                                            " on the slot (active, leaving, no free epoch) or on memory is not in the file.\n"
                                            "\n" TOTEM_EXIT_TEXT};
    settings with = {0};
    if (argp_parse(&argp, argc, argv, 0, NULL, &with))
        return TOTEM_EXIT_USAGE;
    totem_hex      hex;
    totem_mqd_dump dump = {0};
    char           message[512];
    json_t        *result = NULL;
    bool           good   = with.from.binary || is_pipe(with.from.file) ||
                totem_mqd_dump_read(with.from.file, &dump, message, sizeof message);
    if (!good) {
        fprintf(stderr, "%s\n", message);
        totem_mqd_dump_free(&dump);
        return TOTEM_EXIT_FILE;
    }
    if (dump.count) {
        good = decode_dump(&with, &dump);
        totem_mqd_dump_free(&dump);
        return totem_written(with.from.file, good);
    }
    if (!totem_dword_file_read(&with.from, &hex))
        return TOTEM_EXIT_FILE;
    good = check_size(&with, &hex) && decode(&with, &hex, &result);
    print_json(result);
    totem_hex_free(&hex);
    return totem_written(with.from.file, good);
}

// SPDX-License-Identifier: Apache-2.0
//
// totem run: options, then totem_run (run.h), then the result for people or as JSON.
#include "../../cmodel/tool/pm4_assemble.h"
#include "../../cmodel/tool/pm4_decode.h"
#include "commands.h"
#include "number.h"
#include "run.h"
#include "run_summary.h"
#include "workload.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const char       *file;
    bool              json;
    totem_run_options options;
} settings;

enum {
    KEY_JSON = 0x100,
    KEY_ENGINE,
    KEY_CYCLES,
    KEY_SEED,
    KEY_FOLDER,
    KEY_WAVES,
    KEY_EVENTS,
    KEY_TRACE,
    KEY_RESULTS,
    KEY_COVER
};

static const struct argp_option options[] = {
    {"engine", KEY_ENGINE, "both|model|rtl", 0, "What runs (default: both, in lockstep)", 0},
    {"cycles", KEY_CYCLES, "N", 0, "Most clocks, instead of the workload's", 0},
    {"seed", KEY_SEED, "N", 0, "Seed, instead of the workload's", 0},
    {"folder", KEY_FOLDER, "DIR", 0, "Write the bundle of a mismatch there", 0},
    {"waves", KEY_WAVES, "FILE", 0, "Write signal waves there (FST)", 0},
    {"events", KEY_EVENTS, "FILE", 0, "Write there what happens, a JSON object a line (not with --engine=rtl)", 0},
    {"trace", KEY_TRACE, "FILE", 0, "Write there what happens as a trace for ui.perfetto.dev (not with --engine=rtl)",
     0},
    {"results", KEY_RESULTS, "DIR", 0, "Write there what memory holds of each block of expect.results, N.hex", 0},
    {"cover", KEY_COVER, "DIR", 0, "Write the hits of functional coverage there", 0},
    {"json", KEY_JSON, NULL, 0, "Write the result as JSON", 0},
    {0}};

static uint64_t number(const char *text, uint64_t least, struct argp_state *state)
{
    uint64_t n = 0;
    if (!totem_number(text, UINT64_MAX, &n) || n < least)
        argp_error(state, "'%s' is no number from %" PRIu64 " on; " TOTEM_NUMBER_TEXT, text, least);
    return n;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    settings *with = state->input;
    switch (key) {
    case KEY_JSON: with->json = true; return 0;
    case KEY_CYCLES: with->options.cycles = number(argument, 1, state); return 0;
    case KEY_FOLDER: with->options.folder = argument; return 0;
    case KEY_COVER: with->options.cover = argument; return 0;
    case KEY_EVENTS: with->options.events = argument; return 0;
    case KEY_TRACE: with->options.trace = argument; return 0;
    case KEY_RESULTS: with->options.results = argument; return 0;
    case KEY_WAVES: with->options.waves = argument; return 0;
    case KEY_SEED:
        with->options.seed       = number(argument, 0, state);
        with->options.seed_given = true;
        return 0;
    case KEY_ENGINE:
        if (strcmp(argument, "both") == 0)
            with->options.engine = TOTEM_ENGINE_BOTH;
        else if (strcmp(argument, "model") == 0)
            with->options.engine = TOTEM_ENGINE_MODEL;
        else if (strcmp(argument, "rtl") == 0)
            with->options.engine = TOTEM_ENGINE_RTL;
        else
            argp_error(state, "--engine=%s: take both, model or rtl", argument);
        return 0;
    case ARGP_KEY_ARG:
        if (with->file)
            argp_error(state, "one WORKLOAD only");
        with->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!with->file)
            argp_error(state, "which WORKLOAD?");
        if (with->options.waves && with->options.engine == TOTEM_ENGINE_MODEL)
            argp_error(state, "--waves are those of the RTL; take --engine=both or rtl");
        if (with->options.events && with->options.engine == TOTEM_ENGINE_RTL)
            argp_error(state, "--events are those of the model; take --engine=both or model");
        if (with->options.trace && with->options.engine == TOTEM_ENGINE_RTL)
            argp_error(state, "--trace is made from events of the model; take --engine=both or model");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

// Leaves the file as it is: the run may be refused yet.
static bool can_write(const char *path, char *message, size_t size)
{
    const bool there = access(path, F_OK) == 0;
    FILE      *file  = fopen(path, "a");
    if (file)
        fclose(file);
    else
        snprintf(message, size, "%s cannot be written: %s; name another file", path, strerror(errno));
    if (file && !there)
        unlink(path);
    return file;
}

static bool folder_good(const char *path, const char *what, char *message, size_t size)
{
    struct stat folder;
    if (stat(path, &folder) == 0 && S_ISDIR(folder.st_mode) && access(path, W_OK | X_OK) == 0)
        return true;
    snprintf(message, size, "%s: %s cannot be written there; name a folder", path, what);
    return false;
}

// What the run is to write can be written: told before it, not after hours.
static bool outputs_good(const totem_run_options *o, char *message, size_t size)
{
    if ((o->cover && !folder_good(o->cover, "the hits of coverage", message, size)) ||
        (o->results && !folder_good(o->results, "results", message, size)))
        return false;
    return (!o->waves || can_write(o->waves, message, size)) && (!o->events || can_write(o->events, message, size)) &&
           (!o->trace || can_write(o->trace, message, size));
}

static json_t *pipes_of(const totem_run_result *r, const uint32_t counts[])
{
    json_t *list = json_array();
    for (uint32_t p = 0; p < r->pipes_count; p++)
        json_array_append_new(list, json_integer((json_int_t)counts[p]));
    return list;
}

static json_t *engines_of(const totem_run_result *r)
{
    json_t *engines = json_array();
    for (uint32_t e = 0; e < r->engines_count; e++) {
        json_t *engine = json_object();
        json_object_set_new(engine, "slots", totem_summary_slots(r, e));
        json_object_set_new(engine, "passed", pipes_of(r, r->engines[e].passed));
        json_object_set_new(engine, "lacked", pipes_of(r, r->engines[e].lacked));
        json_object_set_new(engine, "passed_longest", pipes_of(r, r->engines[e].passed_longest));
        json_object_set_new(engine, "lacked_longest", pipes_of(r, r->engines[e].lacked_longest));
#define SHOWN(name) #name, (json_int_t)r->engines[e].name
        if (r->engines[e].has_throttle)
            json_object_set_new(engine, "throttle",
                                json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", SHOWN(closed), SHOWN(dead), SHOWN(stall_a),
                                          SHOWN(stall_b), SHOWN(stall_c), SHOWN(status)));
#undef SHOWN
        json_array_append_new(engines, engine);
    }
    return engines;
}

static json_t *blocked_of(const totem_run_result *r)
{
    json_t *list = json_array();
    for (uint32_t n = 0; n < r->blocked_count; n++) {
        const totem_run_blocked *b = &r->blocked[n];
        json_t *entry = json_pack("{s:I, s:I, s:b, s:i, s:I, s:I, s:s}", "pipe", (json_int_t)b->pipe, "queue",
                                  (json_int_t)b->queue, "halted", b->halted, "reason", b->reason, "since",
                                  (json_int_t)b->since, "address", (json_int_t)b->address, "text", b->text);
        if (b->packet) {
            json_t *words = json_array();
            for (uint32_t k = 0; k < b->present && k < TOTEM_RUN_WORDS; k++)
                json_array_append_new(words, json_integer((json_int_t)b->words[k]));
            json_object_set_new(entry, "packet",
                                json_pack("{s:s, s:i, s:I, s:o}", "name", b->packet, "opcode", b->opcode, "dwords",
                                          (json_int_t)b->dwords, "words", words));
        }
        if (b->code) {
            json_t *record =
                json_pack("{s:s, s:I}", "code", totem_error_name(b->code), "word", (json_int_t)b->record_word);
            if (b->field)
                json_object_update_new(record, json_pack("{s:I, s:s}", "task", (json_int_t)b->task, "field", b->field));
            json_object_set_new(entry, "record", record);
        }
        if (b->goes_on)
            json_object_set_new(entry, "goes_on", json_true());
        if (b->waits) {
            json_t *wait = json_pack("{s:s, s:I, s:s, s:o, s:o, s:I}", "of", b->wait_memory ? "memory" : "register",
                                     "address", (json_int_t)b->wait_address, "function", b->wait_function, "wanted",
                                     totem_wide_json(b->wait_wanted), "mask", totem_wide_json(b->wait_mask), "reads",
                                     (json_int_t)b->polls);
            if (b->wait_memory) {
                json_object_set_new(wait, "value", totem_wide_json(b->wait_value));
                json_object_set_new(wait, "writer", b->written ? json_string(b->writer) : json_null());
            }
            json_object_set_new(entry, "wait", wait);
        }
        json_array_append_new(list, entry);
    }
    return list;
}

// Without what JSON cannot hold: bytes that are not UTF-8.
static json_t *text_json(const char *text)
{
    json_t *string = json_string(text);
    char    plain[600];
    if (string)
        return string;
    snprintf(plain, sizeof plain, "%s", text);
    for (char *c = plain; *c; c++)
        *c = (*c & 0x80) != 0 ? '?' : *c;
    return json_string(plain);
}

static void print_json(const settings *with, const totem_workload *w, const totem_run_result *r, int code)
{
    json_t *object = json_pack(
        "{s:o, s:o, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:f, s:o}", "workload",
        text_json(w->name), "file", text_json(with->file), "exit_code", code, "cycles", (json_int_t)r->cycles, "waves",
        (json_int_t)r->waves, "geometry", (json_int_t)r->geometry, "draws", (json_int_t)r->draws, "fences",
        (json_int_t)r->fences, "interrupts", (json_int_t)r->interrupts, "errors", (json_int_t)r->errors, "mismatches",
        (json_int_t)r->mismatches, "expectations", (json_int_t)r->expectations, "unmet", (json_int_t)r->unmet, "idle",
        r->idle, "seconds", r->seconds, "message", text_json(r->message));
    json_t *ignored = json_object();
    for (int op = 0; op < 256; op++)
        if (r->ignored[op])
            json_object_set_new(ignored, totem_pm4_opcode_name((uint8_t)op), json_integer((json_int_t)r->ignored[op]));
    json_object_set_new(object, "ignored", ignored);
    json_t *rings = json_array();
    for (uint32_t n = 0; n < w->rings_count; n++) {
        const uint32_t f = w->rings[n].front_end;
#define COUNTER(name) #name, (json_int_t)r->rings[f].name
        json_array_append_new(rings,
                              json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "front_end", (json_int_t)f,
                                        COUNTER(rolls), COUNTER(hits), COUNTER(misses), COUNTER(full), COUNTER(written),
                                        COUNTER(filtered), COUNTER(exposed), COUNTER(draws)));
#undef COUNTER
    }
    json_object_set_new(object, "rings", rings);
    json_object_set_new(object, "dispatches", json_integer((json_int_t)r->dispatches));
    json_object_set_new(object, "queues", totem_summary_queues(r));
    json_object_set_new(object, "engines", engines_of(r));
    if (r->entries_count)
        json_object_set_new(object, "run_list", totem_summary_entries_json(r));
    json_object_set_new(object, "records", totem_summary_records_json(r));
    json_object_set_new(object, "stuck", json_boolean(r->stuck));
    json_object_set_new(object, "blocked", blocked_of(r));
    json_t *notes = json_array();
    for (uint32_t n = 0; n < r->notes_count; n++)
        json_array_append_new(notes, json_string(r->notes[n]));
    json_object_set_new(object, "notes", notes);
    if (r->results) {
        json_t *results =
            json_pack("{s:I, s:I}", "words", (json_int_t)r->results, "differing", (json_int_t)r->differing);
        if (r->differing)
            json_object_set_new(results, "first",
                                json_pack("{s:I, s:I, s:I}", "address", (json_int_t)r->differs, "got",
                                          (json_int_t)r->got, "expected", (json_int_t)r->expected));
        json_object_set_new(object, "results", results);
    }
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(object);
}

static void print_text(const totem_workload *w, const totem_run_result *r)
{
    printf("%s (%s): %" PRIu64 " clocks in %.2f s, %s\n", w->name, w->configuration, r->cycles, r->seconds,
           r->idle    ? "ended idle"
           : r->stuck ? "nothing can go on"
                      : "stopped before it was idle");
    if (r->mismatches) {
        printf("%" PRIu64 " of %" PRIu64 " expectations met, %" PRIu64
               " mismatches; no tables: those of the model are not the RTL's\n",
               r->expectations - r->unmet, r->expectations, r->mismatches);
        return;
    }
    totem_summary_print(r);
    totem_summary_entries(r);
    printf("%" PRIu64 " waves, %" PRIu64 " fences, %" PRIu64 " interrupts, %" PRIu64 " errors\n", r->waves, r->fences,
           r->interrupts, r->errors);
    totem_summary_records(r);
    if (w->rings_count)
        printf("%" PRIu64 " draws, %" PRIu64 " geometry waves\n", r->draws, r->geometry);
    for (uint32_t e = 0; w->rings_count && e < r->engines_count; e++)
        if (r->engines[e].closed)
            printf("engine %" PRIu32 ": gate of geometry closed for %" PRIu32 " clocks; dead cycles by A %" PRIu32
                   ", B %" PRIu32 ", C %" PRIu32 " at the end\n",
                   e, r->engines[e].closed, r->engines[e].stall_a, r->engines[e].stall_b, r->engines[e].stall_c);
    printf("%" PRIu64 " of %" PRIu64 " expectations met, 0 mismatches\n", r->expectations - r->unmet, r->expectations);
    if (r->results && !r->differing)
        printf("results equal: %" PRIu64 " words\n", r->results);
    else if (r->results)
        printf("results differ: %" PRIu64 " of %" PRIu64 " words; the first, 0x%010" PRIx64 ", is 0x%08" PRIx32
               ", not 0x%08" PRIx32 "\n",
               r->differing, r->results, r->differs, r->got, r->expected);
    bool any = false;
    for (int op = 0; op < 256; op++)
        if (r->ignored[op]) {
            printf("%s%" PRIu64 " %s", any ? ", " : "consumed without a rule: ", r->ignored[op],
                   totem_pm4_opcode_name((uint8_t)op));
            any = true;
        }
    if (any)
        putchar('\n');
    for (uint32_t n = 0; n < r->blocked_count; n++)
        printf("%s\n", r->blocked[n].text);
    for (uint32_t n = 0; n < r->notes_count; n++)
        printf("%s\n", r->notes[n]);
}

// A run that was not to be; with --json as an object of its own.
static int refuse(const settings *with, const char *message, int code)
{
    fprintf(stderr, "%s\n", message);
    if (!with->json)
        return code;
    json_t *object =
        json_pack("{s:o, s:i, s:o}", "file", text_json(with->file), "exit_code", code, "message", text_json(message));
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(object);
    return code;
}

int totem_command_run(int argc, char **argv)
{
    const struct argp argp = {
        .options  = options,
        .parser   = parse,
        .args_doc = "WORKLOAD",
        .doc      = "Runs a workload file on the C model, the RTL, or both in lockstep.\v" TOTEM_EXIT_TEXT};
    settings with = {.options = {.words = argv, .progress = isatty(STDERR_FILENO) == 1}};
    if (argp_parse(&argp, argc, argv, 0, NULL, &with))
        return TOTEM_EXIT_USAGE;
    if (with.json)
        with.options.progress = false;
    char            message[TOTEM_PM4_MESSAGE + 600];
    totem_workload *workload;
    if (!totem_workload_load(with.file, &workload, message, sizeof message))
        return refuse(&with, message, TOTEM_EXIT_FILE);
    if (workload->core && with.options.engine == TOTEM_ENGINE_RTL) {
        totem_workload_place(workload, "core", message, sizeof message);
        const size_t used = strlen(message);
        snprintf(message + used, sizeof message - used, ": the cores follow the model; take --engine=both or model");
        totem_workload_free(workload);
        return refuse(&with, message, TOTEM_EXIT_USAGE);
    }
    if (!outputs_good(&with.options, message, sizeof message)) {
        totem_workload_free(workload);
        return refuse(&with, message, TOTEM_EXIT_FILE);
    }
    totem_run_result result = {0};
    const int        code   = totem_run(workload, &with.options, &result);
    // A message about a place in the file has its name already.
    const bool named = strncmp(result.message, with.file, strlen(with.file)) == 0;
    snprintf(message, sizeof message, "%s%s%s", named ? "" : with.file, named ? "" : ": ", result.message);
    if (result.cycles == 0 && (code == TOTEM_EXIT_FILE || code == TOTEM_EXIT_USAGE)) { // there was no run
        if (result.message[0])
            refuse(&with, message, code);
    } else {
        if (with.json)
            print_json(&with, workload, &result, code);
        else
            print_text(workload, &result);
        if (result.message[0])
            fprintf(stderr, "%s\n", message);
    }
    totem_workload_free(workload);
    return code;
}

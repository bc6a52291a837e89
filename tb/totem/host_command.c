// SPDX-License-Identifier: Apache-2.0
//
// totem host: a board with the machine behind a serial port (docs/bring-up.md).
#include "../../cmodel/bridge/totem_trace_values.h"
#include "commands.h"
#include "host_board.h"
#include "host_report.h"
#include "host_run.h"
#include "host_test.h"
#include "number.h"
#include "workload.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_BAUD = 1000000, DEFAULT_TIMEOUT = 1000 };

typedef struct {
    char           **words; // of the command line
    const char      *port, *report;
    uint32_t         baud, timeout;
    bool             json, show;
    uint32_t         from, bytes; // of the test; bytes 0: to the end of memory
    host_run_options run;
    bool             of_trace; // an option of the trace was given
    const char      *command;
    char           **arguments;
    int              count;
    totem_workload  *workload; // of a run
    board_plan       plan;
    json_t          *result; // what the command has to say
    char             message[2048];
} settings;

enum {
    KEY_PORT = 'p',
    KEY_BAUD = 0x300,
    KEY_TIMEOUT,
    KEY_JSON,
    KEY_REPORT,
    KEY_CLOCKS,
    KEY_STRIDE,
    KEY_BISECT,
    KEY_LOCKSTEP,
    KEY_TRACE,
    KEY_SIGNALS,
    KEY_TRIGGER,
    KEY_BEHIND,
    KEY_FROM,
    KEY_BYTES
};

static const struct argp_option options[] = {
    {"port", KEY_PORT, "DEV", 0, "Serial port of the board, as /dev/ttyUSB0", 0},
    {"baud", KEY_BAUD, "N", 0, "Its speed, that of the bitstream (default 1000000)", 0},
    {"timeout", KEY_TIMEOUT, "MS", 0, "Longest time for an answer (default 1000)", 0},
    {"report", KEY_REPORT, "FILE", 0, "Write there all that was found out, as JSON; also when something fails", 0},
    {"json", KEY_JSON, NULL, 0, "Write the result as JSON", 0},
    {"clocks", KEY_CLOCKS, "N", 0, "run: so many clocks (default: until the model is idle)", 1},
    {"stride", KEY_STRIDE, "K", 0, "run: a checkpoint every 2^K clocks (default: so that they reach over the run)", 1},
    {"bisect", KEY_BISECT, NULL, 0, "run: if signatures differ, find the first clock by shorter runs", 1},
    {"lockstep", KEY_LOCKSTEP, "FOLDER", 0,
     "run: if the board differs, compare model and Verilog up to there, and write into FOLDER where these part, in "
     "words "
     "and waves (needs Verilator)",
     1},
    {"trace", KEY_TRACE, "FILE", 0, "run: write waves of the board there, .fst or .vcd, with a GTKWave view", 1},
    {"signals", KEY_SIGNALS, "NAMES", 0, "run: signals of the trace, with commas (default: all)", 1},
    {"trigger", KEY_TRIGGER, "WHAT", 0,
     "run: the trace stops behind it: error, a signal that rises, a register that is accessed, REGISTER=VALUE or "
     "REGISTER=VALUE/BITS (default: it stops at the end)",
     1},
    {"behind", KEY_BEHIND, "N", 0, "run: so many records behind the trigger (default 256)", 1},
    {"from", KEY_FROM, "ADDRESS", 0, "test: first address (default 0)", 1},
    {"bytes", KEY_BYTES, "N", 0, "test: so many bytes (default: to the end of memory)", 1},
    {0}};

static uint64_t number(const char *text, uint64_t least, uint64_t most, struct argp_state *state)
{
    uint64_t n = 0;
    if (!totem_number(text, most, &n) || n < least)
        argp_error(state, "'%s' is no number from %" PRIu64 " to %" PRIu64 "; " TOTEM_NUMBER_TEXT, text, least, most);
    return n;
}

// Settings of the trace.
static void set_trace(int key, const char *argument, board_trace *t, struct argp_state *state)
{
    char message[512];
    if (key == KEY_SIGNALS ? !host_trace_levels(argument, &t->mask, message, sizeof message)
                           : !host_trace_trigger(argument, t, message, sizeof message))
        argp_error(state, "%s", message);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    settings *with = state->input;
    char      message[512];
    with->of_trace = with->of_trace || key == KEY_SIGNALS || key == KEY_TRIGGER || key == KEY_BEHIND;
    switch (key) {
    case KEY_PORT: with->port = argument; return 0;
    case KEY_REPORT: with->report = argument; return 0;
    case KEY_JSON: with->json = true; return 0;
    case KEY_BISECT: with->run.bisect = true; return 0;
    case KEY_LOCKSTEP: with->run.lockstep = argument; return 0;
    case KEY_TRACE:
        with->run.waves = argument;
        if (!host_trace_path(argument, message, sizeof message))
            argp_error(state, "%s", message);
        return 0;
    case KEY_SIGNALS:
    case KEY_TRIGGER: set_trace(key, argument, &with->run.trace, state); return 0;
    case KEY_BEHIND: with->run.trace.behind = (uint32_t)number(argument, 0, UINT16_MAX, state); return 0;
    case KEY_TIMEOUT: with->timeout = (uint32_t)number(argument, 1, 600000, state); return 0;
    case KEY_CLOCKS: with->run.clocks = number(argument, 1, UINT32_MAX, state); return 0;
    case KEY_STRIDE: with->run.stride = (int)number(argument, 0, 31, state); return 0;
    case KEY_FROM: with->from = (uint32_t)number(argument, 0, UINT32_MAX, state); return 0;
    case KEY_BYTES: with->bytes = (uint32_t)number(argument, 8, UINT32_MAX, state); return 0;
    case KEY_BAUD:
        with->baud = (uint32_t)number(argument, 1, UINT32_MAX, state);
        if (!host_link_baud_good(with->baud))
            argp_error(state, "--baud %s: a serial port has one of %s", argument, host_link_bauds());
        return 0;
    case ARGP_KEY_ARG:
        if (!with->command)
            with->command = argument;
        else
            with->arguments[with->count++] = argument;
        return 0;
    case ARGP_KEY_END:
        if (!with->command)
            argp_error(state, "which COMMAND: identify, read, write, reset, release, test or run?");
        if (!with->port)
            argp_error(state, "which port? --port /dev/ttyUSB0");
        if (with->of_trace && !with->run.waves)
            argp_error(state, "--signals, --trigger and --behind are of a trace; --trace FILE writes one");
        if (with->run.trace.trigger >> 30 == TRIGGER_RISE)
            with->run.trace.mask |= with->run.trace.value;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int fail(settings *with, int code, const char *message)
{
    snprintf(with->message, sizeof with->message, "%s", message);
    return code;
}

// The line failed, or the board refused.
static int broken(settings *with, const host_board *b)
{
    return fail(with, b->link.refused ? TOTEM_EXIT_FINDING : TOTEM_EXIT_FILE, b->link.message);
}

static int identify(settings *with, host_board *b)
{
    uint32_t dropped, control;
    if (!host_board_get(b, BRIDGE_DROPPED, &dropped) || !host_board_get(b, BRIDGE_CONTROL, &control))
        return broken(with, b);
    with->result = json_pack("{s:o, s:I, s:b, s:b}", "identify", host_board_json(b), "dropped", (json_int_t)dropped,
                             "in_reset", control & CONTROL_RESET, "under_way", (control & CONTROL_RUN) != 0);
    if (with->json)
        return TOTEM_EXIT_GOOD;
    host_board_print(b);
    printf("the machine is %s%s; %" PRIu32 " frames dropped since reset\n",
           control & CONTROL_RESET ? "in reset" : "out of reset", control & CONTROL_RUN ? ", a run is under way" : "",
           dropped);
    return TOTEM_EXIT_GOOD;
}

// Registers of a machine in reset are not there.
static int need_machine(settings *with, host_board *b, const host_place *place)
{
    uint32_t control;
    if ((place->address & 0xfff00000) != HOST_MACHINE)
        return TOTEM_EXIT_GOOD;
    if (!host_board_get(b, BRIDGE_CONTROL, &control))
        return broken(with, b);
    if (!(control & CONTROL_RESET))
        return TOTEM_EXIT_GOOD;
    char message[256];
    snprintf(message, sizeof message, "%s: the machine is in reset; `totem host --port %s release` lets it go",
             place->text, with->port);
    return fail(with, TOTEM_EXIT_FINDING, message);
}

static int read_places(settings *with, host_board *b)
{
    char        message[256];
    host_place *places = calloc((size_t)with->count + 1, sizeof *places);
    if (!places)
        abort();
    int code =
        with->count ? TOTEM_EXIT_GOOD : fail(with, TOTEM_EXIT_USAGE, "read what? a register's name or an address");
    for (int n = 0; n < with->count && code == TOTEM_EXIT_GOOD; n++)
        if (!host_board_place(b, with->arguments[n], &places[n], message, sizeof message))
            code = fail(with, TOTEM_EXIT_USAGE, message);
    with->result = json_array();
    for (int n = 0; n < with->count && code == TOTEM_EXIT_GOOD; n++) {
        uint32_t *words = calloc(places[n].count, sizeof *words);
        if (!words)
            abort();
        code = need_machine(with, b, &places[n]);
        if (code == TOTEM_EXIT_GOOD &&
            !host_board_transfer(b, BRIDGE_READ, places[n].address, words, places[n].count, places[n].text, with->show))
            code = broken(with, b);
        json_t *values = json_array();
        for (uint32_t k = 0; k < places[n].count && code == TOTEM_EXIT_GOOD; k++) {
            json_array_append_new(values, json_integer((json_int_t)words[k]));
            if (with->json)
                continue;
            if (places[n].count == 1)
                printf("%s 0x%08" PRIx32 "\n", places[n].text, words[k]);
            else
                printf("%s%08" PRIx32 "%s", k % 8 ? " " : "", words[k],
                       k % 8 == 7 || k + 1 == places[n].count ? "\n" : "");
        }
        json_array_append_new(with->result, json_pack("{s:s, s:I, s:o}", "what", places[n].text, "address",
                                                      (json_int_t)places[n].address, "values", values));
        free(words);
    }
    free(places);
    return code;
}

// WHAT VALUE [VALUE..] to consecutive dwords. All of it is looked at before the first write.
static int write_place(settings *with, host_board *b)
{
    char       message[256];
    host_place place;
    uint32_t   words[HOST_WORDS];
    if (with->count < 2 || with->count > HOST_WORDS + 1)
        return fail(with, TOTEM_EXIT_USAGE,
                    "write WHAT VALUE [VALUE...]: a register's name or an address, and up to 64 "
                    "dwords for it and those behind it");
    if (strchr(with->arguments[0], ':'))
        return fail(with, TOTEM_EXIT_USAGE, "write takes no :COUNT; give as many values");
    char text[160];
    snprintf(text, sizeof text, "%s:%d", with->arguments[0], with->count - 1);
    if (!host_board_place(b, text, &place, message, sizeof message))
        return fail(with, TOTEM_EXIT_USAGE, message);
    place.text = with->arguments[0];
    for (int n = 1; n < with->count; n++) {
        uint64_t value;
        if (!totem_number(with->arguments[n], UINT32_MAX, &value)) {
            snprintf(message, sizeof message, "'%s' is no dword; " TOTEM_NUMBER_TEXT, with->arguments[n]);
            return fail(with, TOTEM_EXIT_USAGE, message);
        }
        words[n - 1] = (uint32_t)value;
    }
    const int code = need_machine(with, b, &place);
    if (code != TOTEM_EXIT_GOOD)
        return code;
    return host_link_ask(&b->link, BRIDGE_WRITE, place.address, words, place.count) ? TOTEM_EXIT_GOOD : broken(with, b);
}

static int test(settings *with, host_board *b)
{
    host_test result;
    char      message[256];
    if (with->from % 8 || with->from >= b->memory || with->bytes % 8 || with->bytes > b->memory - with->from) {
        snprintf(message, sizeof message,
                 "the test takes an area of whole 8 bytes, and memory of this board ends at 0x%08" PRIx32
                 "; change --from or --bytes",
                 b->memory);
        return fail(with, TOTEM_EXIT_USAGE, message);
    }
    const host_test_verdict verdict =
        host_test_run(b, with->from, with->bytes ? with->bytes : b->memory - with->from, with->show, &result);
    with->result = host_test_json(&result);
    if (verdict == HOST_TEST_LINE)
        return broken(with, b);
    if (!with->json)
        host_test_print(&result);
    return verdict == HOST_TEST_GOOD
               ? TOTEM_EXIT_GOOD
               : fail(with, TOTEM_EXIT_FINDING, "memory of the board is not what was written to it");
}

// The workload and what it is on a board, before the port is opened.
static int prepare(settings *with)
{
    char message[2048];
    if (with->count != 1)
        return fail(with, TOTEM_EXIT_USAGE,
                    with->count ? "run one WORKLOAD only"
                                : "run which WORKLOAD? "
                                  "sim/workloads/turns.yaml is one for mini");
    if (!totem_workload_load(with->arguments[0], &with->workload, message, sizeof message))
        return fail(with, TOTEM_EXIT_FILE, message);
    if (host_run_refuses(with->workload, message, sizeof message))
        return fail(with, TOTEM_EXIT_USAGE, message);
    const int code =
        board_plan_make(with->workload, with->words, with->run.lockstep, &with->plan, message, sizeof message);
    return code == TOTEM_EXIT_GOOD ? code : fail(with, code, message);
}

static int run(settings *with, host_board *b)
{
    host_run  result;
    const int code = host_run_do(b, with->workload, &with->plan, &with->run, &result);
    with->result   = host_run_json(with->workload, &result);
    if (!with->json)
        host_run_print(with->workload, &result);
    if (result.message[0])
        fail(with, code, result.message);
    host_run_free(&result);
    return code;
}

static int reset(settings *with, host_board *b)
{
    return host_board_reset(b) ? TOTEM_EXIT_GOOD : broken(with, b);
}

static int release(settings *with, host_board *b)
{
    return host_board_set(b, BRIDGE_CONTROL, 0) ? TOTEM_EXIT_GOOD : broken(with, b);
}

static const struct {
    const char *name, *arguments, *about;
    bool        takes; // arguments
    int (*run)(settings *with, host_board *b);
} commands[] = {
    {"identify", "", "what the board is", false, identify},
    {"read", "WHAT...",
     "WHAT: a register as docs/registers.md names it (machine.STATUS), one of the bridge (bridge.NOW), or an address "
     "of "
     "memory; with :N the N dwords from there on",
     true, read_places},
    {"write", "WHAT VALUE...", "dwords, to WHAT and what follows it", true, write_place},
    {"reset", "", "holds the machine in reset, and ends a run", false, reset},
    {"release", "", "lets the machine go", false, release},
    {"test", "", "of memory, which it overwrites", false, test},
    {"run", "WORKLOAD", "on the board and on the model; compares their signatures", true, run},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static int command_of(const char *name)
{
    int n = 0;
    while (n < COMMANDS && strcmp(commands[n].name, name) != 0)
        n++;
    return n;
}

// The command, once its arguments can be right.
static int obey(settings *with, host_board *b)
{
    char      message[256];
    const int n    = command_of(with->command);
    int       code = TOTEM_EXIT_GOOD;
    if (n == COMMANDS) {
        snprintf(message, sizeof message, "there is no command '%s'; `totem host --help` lists them", with->command);
        return fail(with, TOTEM_EXIT_USAGE, message);
    }
    if (!commands[n].takes && with->count) {
        snprintf(message, sizeof message, "%s takes no argument '%s'", with->command, with->arguments[0]);
        return fail(with, TOTEM_EXIT_USAGE, message);
    }
    if (commands[n].run == run)
        code = prepare(with);
    if (code != TOTEM_EXIT_GOOD)
        return code;
    return host_board_open(b, with->port, with->baud, with->timeout) ? commands[n].run(with, b) : broken(with, b);
}

// The result on standard output or, of a command that failed, its message on standard error; the report.
static int finish(settings *with, host_board *b, int code)
{
    if (with->message[0])
        fprintf(stderr, "%s\n", with->message);
    if (with->report) {
        json_t *report = host_report_make(b, with->words, with->command, with->result, code, with->message);
        if (!host_report_write(with->report, report)) {
            fprintf(stderr, "%s cannot be written: %s; name another file\n", with->report, strerror(errno));
            code = TOTEM_EXIT_FILE;
        }
        json_decref(report);
    }
    if (with->json) {
        json_t *object = json_pack("{s:s, s:s, s:i, s:s}", "command", with->command, "port", with->port, "exit_code",
                                   code, "message", with->message);
        if (with->result)
            json_object_set(object, "result", with->result);
        json_dumpf(object, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
        putchar('\n');
        json_decref(object);
    }
    json_decref(with->result);
    return code;
}

// The text of --help; NULL without memory.
static char *make_help(void)
{
    char  *help = NULL;
    size_t size = 0;
    FILE  *out  = open_memstream(&help, &size);
    if (!out)
        return NULL;
    fprintf(out, "Talks to a board with the machine (docs/bring-up.md).\vCommands:\n");
    for (size_t n = 0; n < COMMANDS; n++)
        fprintf(out, "  %s%s%s: %s\n", commands[n].name, commands[n].arguments[0] ? " " : "", commands[n].arguments,
                commands[n].about);
    fprintf(out, "\n" TOTEM_EXIT_TEXT);
    fclose(out);
    return help;
}

int totem_command_host(int argc, char **argv)
{
    char             *help  = make_help();
    const struct argp argp  = {.options = options, .parser = parse, .args_doc = "COMMAND [ARGUMENT...]", .doc = help};
    settings          with  = {.words     = argv,
                               .baud      = DEFAULT_BAUD,
                               .timeout   = DEFAULT_TIMEOUT,
                               .show      = isatty(STDERR_FILENO) == 1,
                               .run       = {.stride = -1, .trace = {.mask = UINT32_MAX, .behind = 256}},
                               .arguments = calloc((size_t)argc + 1, sizeof *with.arguments)};
    const error_t     error = with.arguments ? argp_parse(&argp, argc, argv, 0, NULL, &with) : ENOMEM;
    free(help);
    if (error)
        return TOTEM_EXIT_USAGE;
    with.show       = with.show && !with.json;
    with.run.show   = with.show;
    host_board b    = {.link = {.fd = -1, .name = with.port, .baud = with.baud}};
    const int  code = finish(&with, &b, obey(&with, &b));
    host_link_close(&b.link);
    board_plan_free(&with.plan);
    totem_workload_free(with.workload);
    free(with.arguments);
    return code;
}

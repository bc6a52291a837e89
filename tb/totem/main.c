// SPDX-License-Identifier: Apache-2.0
//
// totem, the command-line tool: chooses the command.
#include "commands.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *about;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"pm4", "PM4 command streams: decode, stats, bounce", totem_command_pm4},
    {"mqd", "memory queue descriptors: decode, would Totem map the queue", totem_command_mqd},
    {"task", "task descriptors: fields, chains of dependents, what is refused", totem_command_task},
    {"run", "a workload on the model, the RTL or both in lockstep", totem_command_run},
    {"picture", "the events of a run as a picture: turns, waits, engines", totem_command_picture},
    {"host", "a board with the machine at a serial port: identify, test, run", totem_command_host},
};

#define COMMANDS (sizeof commands / sizeof *commands)

typedef struct {
    int first; // index in argv of the command's name
} choice;

static error_t parse(int key, char *argument, struct argp_state *state)
{
    choice *chosen = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        // What follows belongs to the command.
        (void)argument;
        chosen->first = state->next - 1;
        state->next   = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which command? 'totem --help' lists them"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

// The text of --help; NULL without memory.
static char *make_help(void)
{
    char  *help = NULL;
    size_t size = 0;
    FILE  *out  = open_memstream(&help, &size);
    if (!out)
        return NULL;
    fprintf(out, "Works with the Totem GPU command front end: command streams, workloads, runs.\vCommands:\n");
    for (size_t n = 0; n < COMMANDS; n++)
        fprintf(out, "  %-8s %s\n", commands[n].name, commands[n].about);
    fprintf(out, "\n'totem COMMAND --help' tells more.\n\n%s", TOTEM_EXIT_TEXT);
    fclose(out);
    return help;
}

int main(int argc, char **argv)
{
    argp_err_exit_status     = TOTEM_EXIT_USAGE;
    char             *help   = make_help();
    const struct argp argp   = {.parser = parse, .args_doc = "COMMAND [ARGUMENT...]", .doc = help};
    choice            chosen = {0};
    error_t           error  = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &chosen);
    free(help);
    if (error)
        return TOTEM_EXIT_USAGE;
    for (size_t n = 0; n < COMMANDS; n++) {
        if (strcmp(argv[chosen.first], commands[n].name) != 0)
            continue;
        char name[32];
        snprintf(name, sizeof name, "totem %s", commands[n].name);
        argv[chosen.first] = name;
        return commands[n].run(argc - chosen.first, argv + chosen.first);
    }
    fprintf(stderr, "totem: no command '%s'; 'totem --help' lists the commands\n", argv[chosen.first]);
    return TOTEM_EXIT_USAGE;
}

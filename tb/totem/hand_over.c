// SPDX-License-Identifier: Apache-2.0
//
// totem_run (run.h) and board_plan_make (board_plan.h) of build/totem: the run is handed over to a program of the
// workload's configuration, with the same arguments. build/lockstep/<configuration>/totem-model has the C model alone,
// totem beside it the Verilated RTL too; <configuration>-<core> the same with these cores on the wave interfaces, -1
// behind it with one as on a board. Each is made when it is first wanted, and again when its sources have changed.
#include "board_plan.h"
#include "commands.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1024 };

// Folder of the project: this program is its build/totem.
static bool own_project(char folder[ROOM])
{
    const ssize_t length = readlink("/proc/self/exe", folder, ROOM - 1);
    if (length <= 0)
        return false;
    folder[length] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    return true;
}

// Returns only if it fails: an exit code, with a message.
static int hand_over(const totem_workload *w, bool alone, const char *name_of_command, char *const *arguments,
                     char *message, size_t size)
{
    char project[ROOM], name[64], program[2 * ROOM], command[2 * ROOM + 256];
    if (!own_project(project)) {
        snprintf(message, size, "the folder of this program is not known; is /proc there?");
        return TOTEM_EXIT_FILE;
    }
    const char *core = w->core ? w->core : "", *cores = "";
    if (w->core && strcmp(name_of_command, "host") == 0)
        cores = "1";
    snprintf(name, sizeof name, "%s%s%s%s%s", w->configuration, w->core ? "-" : "", core, *cores ? "-" : "", cores);
    snprintf(program, sizeof program, "%s/build/lockstep/%s/totem%s", project, name, alone ? "-model" : "");
    // Two runs may want the same program at once: one waits for the other.
    snprintf(command, sizeof command,
             "cd '%s' && mkdir -p build/lockstep && flock build/lockstep/.%s.lock make -s -j2 -C tb/lockstep CONFIG=%s "
             "CORE=%s COUNT=%s %s >&2",
             project, name, w->configuration, core, cores, alone ? "alone" : "all");
    if (access(program, X_OK) != 0)
        fprintf(stderr, "Building %s of configuration %s (the first time; %s)\n", alone ? "the model" : "model and RTL",
                name, alone && !w->core ? "seconds" : "some minutes");
    // What the make that may have called us was told is not meant for this one.
    static const char *const foreign[] = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "NAME",  "RTL",
                                          "CORE",      "COUNT",  "COVERAGE",  "ASSERT"};
    for (size_t n = 0; n < sizeof foreign / sizeof *foreign; n++)
        unsetenv(foreign[n]);
    if (system(command) != 0) {
        snprintf(message, size, "this does not succeed: %.400s", command);
        return TOTEM_EXIT_FILE;
    }
    int count = 0;
    while (arguments[count])
        count++;
    char **words = calloc((size_t)count + 2, sizeof *words);
    if (words) {
        words[0] = program;
        words[1] = (char *)name_of_command;
        memcpy(words + 2, arguments + 1, (size_t)count * sizeof *words); // the NULL too
        fflush(NULL);
        execv(program, words);
        free(words);
    }
    snprintf(message, size, "%.400s cannot be started; remove it", program);
    return TOTEM_EXIT_FILE;
}

int totem_run(const totem_workload *w, const totem_run_options *o, totem_run_result *r)
{
    return hand_over(w, o->engine == TOTEM_ENGINE_MODEL, "run", o->words, r->message, sizeof r->message);
}

int board_plan_make(const totem_workload *w, char **words, bool rtl, board_plan *plan, char *message, size_t size)
{
    *plan = (board_plan){0};
    return hand_over(w, !rtl, "host", words, message, size);
}

// What follows is never called: there is no plan here.
void board_plan_free(board_plan *plan)
{
    (void)plan;
}

int board_model_run(const board_plan *plan, const board_run *run, board_result *r, char *message, size_t size)
{
    (void)plan, (void)run, (void)r;
    snprintf(message, size, "this program has no model");
    return TOTEM_EXIT_FILE;
}

int board_lockstep(const board_plan *plan, uint64_t clocks, const char *folder, board_shown *shown, void *user,
                   board_replay *r, char *message, size_t size)
{
    (void)plan, (void)clocks, (void)folder, (void)shown, (void)user, (void)r;
    snprintf(message, size, "this program has no model");
    return TOTEM_EXIT_FILE;
}

bool board_model_register(const board_result *r, uint32_t address, uint32_t *value)
{
    (void)r, (void)address, (void)value;
    return false;
}

uint32_t board_folds(void)
{
    return 0;
}

const char *board_fold_name(uint32_t n, const char **place)
{
    (void)n;
    return *place = "";
}

void board_result_free(board_result *r)
{
    (void)r;
}

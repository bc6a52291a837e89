// SPDX-License-Identifier: Apache-2.0
//
// Waves of a trace: a VCD file, made into FST by vcd2fst of GTKWave, and a GTKWave view of it.
#include "host_trace.h"

#include "../../cmodel/bridge/totem_trace_values.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEVELS = 32, TRIGGERED = LEVELS, ACCESS, WRITE, ERROR, ADDRESS, DATA, ROWS };

static const char *const names[] = {[TRIGGERED] = "triggered", [ACCESS] = "access",   [WRITE] = "write",
                                    [ERROR] = "error",         [ADDRESS] = "address", [DATA] = "data"};

// One trace in the file: of the board or of the model.
typedef struct {
    const char          *name;
    const board_records *r;
    uint32_t             next; // record
    uint64_t             fall; // clock in which `access` falls, 0 none
    bool                 triggered, begun;
    uint32_t             levels;
    char                 first; // identifier of its first row
} side;

static unsigned width(unsigned row)
{
    return row == ADDRESS ? 20 : row == DATA ? 32 : 1;
}

static const char *name_of(unsigned row, uint32_t mask)
{
    return row >= LEVELS ? names[row] : mask >> row & 1 ? host_trace_name(row) : NULL;
}

static void put(FILE *file, const side *s, unsigned row, uint32_t value)
{
    if (width(row) == 1) {
        fprintf(file, "%u%c\n", value & 1, s->first + (char)row);
        return;
    }
    fputc('b', file);
    for (unsigned n = width(row); n-- > 0;)
        fputc('0' + (value >> n & 1), file);
    fprintf(file, " %c\n", s->first + (char)row);
}

static const uint64_t *record(const side *s)
{
    return s->next < s->r->written ? s->r->records[s->next % s->r->most] : NULL;
}

static uint64_t soonest(const side *s)
{
    const uint64_t *next = record(s);
    const uint64_t  time = next ? (uint32_t)next[0] : UINT64_MAX;
    return s->fall && s->fall < time ? s->fall : time;
}

static void put_clock(FILE *file, side *s, uint64_t clock, uint32_t mask)
{
    const uint64_t *now = record(s);
    if (s->fall && s->fall == clock) {
        put(file, s, ACCESS, 0);
        s->fall = 0;
    }
    if (!now || (uint32_t)now[0] != clock)
        return;
    s->next++;
    const uint32_t levels = (uint32_t)(now[0] >> 32), changed = s->begun ? levels ^ s->levels : UINT32_MAX;
    const bool     triggered = s->r->state >= TRACE_BEHIND && clock >= s->r->at;
    if (!s->begun || triggered != s->triggered)
        put(file, s, TRIGGERED, triggered);
    for (unsigned n = 0; n < LEVELS; n++)
        if (name_of(n, mask) && (changed >> n & 1))
            put(file, s, n, levels >> n);
    s->levels    = levels;
    s->triggered = triggered;
    s->begun     = true;
    put(file, s, ACCESS, (uint32_t)(now[1] >> 63));
    if (!(now[1] >> 63))
        return;
    put(file, s, WRITE, now[1] >> 52 & 1);
    put(file, s, ERROR, now[1] >> 53 & 1);
    put(file, s, ADDRESS, now[1] >> 32 & 0xfffff);
    put(file, s, DATA, (uint32_t)now[1]);
    s->fall = clock + 1;
}

static void put_waves(FILE *file, side *sides, unsigned count, uint32_t mask, uint64_t end)
{
    fprintf(file, "$timescale 1ns $end\n");
    for (unsigned k = 0; k < count; k++) {
        fprintf(file, "$scope module %s $end\n", sides[k].name);
        for (unsigned n = 0; n < ROWS; n++)
            if (name_of(n, mask))
                fprintf(file, "$var wire %u %c %s $end\n", width(n), sides[k].first + (char)n, name_of(n, mask));
        fprintf(file, "$upscope $end\n");
    }
    fprintf(file, "$enddefinitions $end\n");
    for (;;) {
        uint64_t clock = UINT64_MAX;
        for (unsigned k = 0; k < count; k++)
            clock = soonest(&sides[k]) < clock ? soonest(&sides[k]) : clock;
        if (clock == UINT64_MAX)
            break;
        fprintf(file, "#%" PRIu64 "\n", clock);
        for (unsigned k = 0; k < count; k++)
            put_clock(file, &sides[k], clock, mask);
        end = clock >= end ? clock + 1 : end;
    }
    fprintf(file, "#%" PRIu64 "\n", end);
}

// The trigger with what is around it, or all.
static void put_view(FILE *file, const char *waves, const side *sides, unsigned count, uint32_t mask, uint64_t end)
{
    enum { BEFORE = 60, BEHIND = 60 };
    const board_records *r     = sides[0].r;
    const bool           fired = r->state >= TRACE_BEHIND;
    const uint64_t       first = (uint32_t)r->records[sides[0].next % r->most][0];
    const uint64_t       from  = fired && r->at > first + BEFORE ? r->at - BEFORE : first;
    const double         shown = fired ? BEFORE + BEHIND : (double)(end - from + 1);
    char                 folder[4096];
    if (waves[0] == '/' || !getcwd(folder, sizeof folder))
        fprintf(file, "[dumpfile] \"%s\"\n", waves);
    else
        fprintf(file, "[dumpfile] \"%s/%s\"\n", folder, waves);
    // GTKWave's zoom is the binary logarithm of frames of 200 pixels a unit of time; its pane has 1170.
    fprintf(file, "[timestart] %" PRIu64 "\n*%.6f %" PRId64 "\n", from, log2(1170 / shown / 200),
            fired ? (int64_t)r->at : -1);
    for (unsigned k = 0; k < count; k++) {
        fprintf(file, "@200\n-%s\n", sides[k].name);
        for (unsigned n = 0; n < ROWS; n++)
            if (name_of(n, mask) && width(n) == 1)
                fprintf(file, "@28\n%s.%s\n", sides[k].name, name_of(n, mask));
            else if (name_of(n, mask))
                fprintf(file, "@22\n%s.%s[%u:0]\n", sides[k].name, name_of(n, mask), width(n) - 1);
    }
}

static bool refuse(const char *path, const char *why, char *message, size_t size)
{
    snprintf(message, size, "%s cannot be written: %s", path, why);
    return false;
}

// Takes the VCD file away.
static bool to_fst(const char *vcd, const char *fst, char *message, size_t size)
{
    char                       program[] = "vcd2fst";
    char *const                words[]   = {program, (char *)vcd, (char *)fst, NULL};
    posix_spawn_file_actions_t actions;
    pid_t                      child;
    int                        status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawnp(&child, program, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == 0)
        waitpid(child, &status, 0);
    unlink(vcd);
    if (status == 0)
        return true;
    return refuse(fst, "vcd2fst of GTKWave does not succeed; install gtkwave, or name a file that ends in .vcd",
                  message, size);
}

bool host_waves_write(const char *path, const board_trace *t, const board_records *board, const board_records *model,
                      uint32_t end, char *message, size_t size)
{
    const bool     fst     = strcmp(path + strlen(path) - 4, ".fst") == 0;
    const unsigned count   = model ? 2 : 1;
    const uint64_t last    = board->state == TRACE_STOPPED ? 0 : end;
    side           sides[] = {{.name = "board", .r = board, .first = '!'},
                              {.name = "model", .r = model, .first = (char)('!' + ROWS)}};
    char           vcd[HOST_TRACE_PATH + 5], view[HOST_TRACE_PATH + 5];
    snprintf(vcd, sizeof vcd, "%s%s", path, fst ? ".vcd" : "");
    snprintf(view, sizeof view, "%.*s.gtkw", (int)strlen(path) - 4, path);
    for (unsigned k = 0; k < count; k++)
        sides[k].next = host_trace_first(sides[k].r, NULL);
    FILE *file = fopen(vcd, "w");
    if (!file)
        return refuse(path, strerror(errno), message, size);
    put_waves(file, sides, count, t->mask, last);
    if (fclose(file) != 0)
        return refuse(path, strerror(errno), message, size);
    if (fst && !to_fst(vcd, path, message, size))
        return false;
    file = fopen(view, "w");
    if (!file)
        return refuse(view, strerror(errno), message, size);
    sides[0].next = host_trace_first(board, NULL);
    put_view(file, path, sides, count, t->mask, end);
    return fclose(file) == 0 || refuse(view, strerror(errno), message, size);
}

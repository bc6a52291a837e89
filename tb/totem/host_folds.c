// SPDX-License-Identifier: Apache-2.0
#include "host_folds.h"

#include "../../cmodel/bridge/totem_bridge_values.h"
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HOST_FOLDS = BRIDGE_REGISTERS << 20 | BRIDGE_PAGE_FOLDS << 16 };

typedef struct {
    host_board       *b;
    const board_plan *plan;
    host_folds_run   *run;
    void             *user;
    host_folds       *f;
} finder;

bool host_folds_read(host_board *b, host_folds *f)
{
    f->count = 0;
    if (!(b->features & HOST_HAS_FOLDS))
        return true;
    if (!host_board_get(b, BRIDGE_FOLDS, &f->count))
        return false;
    if (f->count == board_folds() && f->count <= HOST_FOLDS_MOST)
        return host_board_transfer(b, BRIDGE_READ, HOST_FOLDS, f->board, f->count, "folds", false);
    snprintf(b->link.message, sizeof b->link.message,
             "the board has %" PRIu32 " folds of blocks, the model %" PRIu32 "; load a bitstream of this revision",
             f->count, board_folds());
    return false;
}

bool host_folds_equal(const host_folds *f, const board_result *m)
{
    uint32_t n = 0;
    while (n < f->count && f->board[n] == m->folds[n])
        n++;
    return n == f->count;
}

// The same run on both; `equal`: no fold differs.
static bool run_both(finder *of, uint64_t clocks, board_result *m, bool *equal)
{
    host_board     *b   = of->b;
    const board_run run = {.bytes = b->memory, .points = b->points, .stride = -1, .clocks = clocks, .folds = true};
    if (board_model_run(of->plan, &run, m, b->link.message, sizeof b->link.message) != TOTEM_EXIT_GOOD ||
        !of->run(of->user, clocks) || !host_folds_read(b, of->f))
        return false;
    *equal = host_folds_equal(of->f, m);
    of->f->runs++;
    return true;
}

static void name_blocks(host_folds *f, const board_result *m)
{
    for (uint32_t n = 0; n < f->count; n++) {
        const char *place, *block = board_fold_name(n, &place);
        if (f->board[n] != m->folds[n])
            json_array_append_new(f->blocks, json_pack("{s:s, s:s, s:I, s:I}", "block", block, "place", place, "board",
                                                       (json_int_t)f->board[n], "model", (json_int_t)m->folds[n]));
    }
}

// The blocks that differ behind a run of `clocks`, and whether the board does the same again.
static bool look(finder *of, uint64_t clocks)
{
    host_folds  *f = of->f;
    board_result m = {0};
    bool         equal, good = run_both(of, clocks, &m, &equal);
    if (good) {
        const host_folds first = *f;
        name_blocks(f, &m);
        board_result_free(&m);
        good       = run_both(of, clocks, &m, &equal);
        f->repeats = memcmp(first.board, f->board, f->count * sizeof *f->board) == 0;
    }
    board_result_free(&m);
    return good;
}

bool host_folds_find(host_board *b, const board_plan *plan, uint64_t end, host_folds_run *run, void *user, bool show,
                     host_folds *f)
{
    finder   of   = {b, plan, run, user, f};
    uint64_t from = 0, to = end;
    if (!f->count)
        return true;
    f->looked = f->repeats = true;
    f->blocks              = json_array();
    for (uint64_t clocks = end;; clocks = from + (to - from) / 2) {
        board_result m     = {0};
        bool         equal = false;
        if (show)
            fprintf(stderr,
                    "the first block differs in a clock from %" PRIu64 " to %" PRIu64 "; a run of %" PRIu64 "\n", from,
                    to - 1, clocks);
        const bool good = run_both(&of, clocks, &m, &equal);
        board_result_free(&m);
        if (!good)
            return false;
        if (equal)
            from = clocks;
        else
            to = clocks;
        if (to - from <= 1)
            break;
    }
    f->clock = from;
    return from == end || look(&of, to);
}

void host_folds_print(const host_folds *f)
{
    if (!f->looked)
        return;
    if (!f->repeats)
        printf("the board does not do the same twice: a fault of the hardware (clock, supply, timing)\n");
    else if (!json_array_size(f->blocks))
        printf("no block differs before clock %" PRIu64 ": the fault is between the machine's pins and the signature\n",
               f->clock);
    for (size_t n = 0; n < json_array_size(f->blocks); n++) {
        const json_t *each = json_array_get(f->blocks, n);
        printf("the first to differ, in clock %" PRIu64 ": block %s (%s)\n", f->clock,
               json_string_value(json_object_get(each, "block")), json_string_value(json_object_get(each, "place")));
    }
}

void host_folds_json(const host_folds *f, json_t *run)
{
    if (f->looked)
        json_object_set_new(run, "folds",
                            json_pack("{s:I, s:I, s:b, s:O}", "clock", (json_int_t)f->clock, "runs",
                                      (json_int_t)f->runs, "repeats", f->repeats, "blocks", f->blocks));
}

void host_folds_free(host_folds *f)
{
    json_decref(f->blocks);
}

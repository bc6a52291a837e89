// SPDX-License-Identifier: Apache-2.0
#include "host_folds.h"

#include "../../cmodel/bridge/totem_bridge_values.h"
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HOST_FOLDS = BRIDGE_REGISTERS << 20 | BRIDGE_PAGE_FOLDS << 16 };

bool host_folds_fit(const host_board *b, char *message, size_t size)
{
    if (!(b->features & BRIDGE_HAS_FOLDS) || (b->folds == board_folds() && b->folds <= HOST_FOLDS_MOST))
        return true;
    snprintf(message, size,
             "the board has %" PRIu32 " folds of blocks, the model %" PRIu32 "; load a bitstream of this revision",
             b->folds, board_folds());
    return false;
}

bool host_folds_read(host_board *b, host_folds *f)
{
    f->count = b->folds;
    return host_board_transfer(b, BRIDGE_READ, HOST_FOLDS, f->board, f->count, "folds", false);
}

bool host_folds_equal(const host_folds *f, const board_result *m)
{
    uint32_t n = 0;
    while (n < f->count && f->board[n] == m->folds[n])
        n++;
    return n == f->count;
}

// {block, place, board, model} of those that differ.
static json_t *differing(const host_folds *f, const board_result *m)
{
    json_t *blocks = json_array();
    for (uint32_t n = 0; n < f->count; n++) {
        const char *place, *block = board_fold_name(n, &place);
        if (f->board[n] != m->folds[n])
            json_array_append_new(blocks, json_pack("{s:s, s:s, s:I, s:I}", "block", block, "place", place, "board",
                                                    (json_int_t)f->board[n], "model", (json_int_t)m->folds[n]));
    }
    return blocks;
}

static bool run_board(host_board *b, uint64_t clocks, host_folds_run *run, void *user, host_folds *f)
{
    f->runs++;
    return run(user, clocks) && host_folds_read(b, f);
}

bool host_folds_find(host_board *b, const board_plan *plan, uint64_t end, host_folds_run *run, void *user, bool show,
                     host_folds *f)
{
    uint64_t from = 0, to = end;
    uint32_t last[HOST_FOLDS_MOST] = {0}; // of the run of `to` clocks
    if (!f->count)
        return true;
    f->looked = f->repeats = true;
    f->blocks              = json_array();
    for (uint64_t clocks = end;; clocks = from + (to - from) / 2) {
        const board_run as = {.bytes = b->memory, .points = b->points, .stride = -1, .clocks = clocks, .folds = true};
        board_result    m;
        if (show)
            fprintf(stderr,
                    "the first block differs in a clock from %" PRIu64 " to %" PRIu64 "; a run of %" PRIu64 "\n", from,
                    to - 1, clocks);
        const bool good = board_model_run(plan, &as, &m, b->link.message, sizeof b->link.message) == TOTEM_EXIT_GOOD &&
                          run_board(b, clocks, run, user, f);
        if (good && host_folds_equal(f, &m))
            from = clocks;
        else if (good) {
            to = clocks;
            memcpy(last, f->board, sizeof last);
            json_decref(f->blocks);
            f->blocks = differing(f, &m);
        }
        board_result_free(&m);
        if (!good)
            return false;
        if (to - from <= 1)
            break;
    }
    f->clock  = from;
    bool good = true;
    for (int n = 0; n < 2 && good && from != end; n++) {
        good       = run_board(b, to, run, user, f);
        f->repeats = f->repeats && memcmp(last, f->board, f->count * sizeof *last) == 0;
    }
    return good;
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

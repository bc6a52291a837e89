// SPDX-License-Identifier: Apache-2.0
//
// A workload on a board and on the model of the board: memory image and boot list, so many clocks, both signatures.
#ifndef TOTEM_HOST_RUN_H
#define TOTEM_HOST_RUN_H

#include "board_plan.h"
#include "host_board.h"
#include "host_folds.h"
#include "host_trace.h"

typedef struct {
    uint64_t    clocks; // 0: until the model is idle, at most as many as the workload says
    int         stride; // -1: so that the checkpoints reach over the run
    bool        bisect; // to the first clock that differs, with runs of other lengths
    bool        show;
    const char *lockstep; // folder for where model and Verilog part, if the board differs; NULL: they are not compared
    const char *waves;    // file of the trace; NULL: none
    board_trace trace;
} host_run_options;

// A register behind the run.
typedef struct {
    char     name[48];
    uint32_t board, model;
    bool     differs; // only if the machine was idle at the end, else the two are of different clocks
} host_run_statistic;

enum { ERROR_CLASSES = 6 };

typedef struct {
    board_result        model;
    bool                modelled, ran; // what there is
    uint32_t            status, now, points_count;
    uint64_t            loaded; // bytes of memory that were written before the run
    uint64_t            signature, *points;
    board_records       trace;
    bool                traced;
    bool                equal;
    uint64_t            from, to; // not equal: the pins part in a clock from `from` on and before `to`
    uint32_t            runs;     // made for that
    host_folds          folds;    // in which block first
    board_replay        replay;   // model and Verilog, if the board differs
    uint32_t            statistics_count, statistics_differ;
    host_run_statistic *statistics;
    uint64_t            expectations, unmet, unseen; // unseen: expectations that a board cannot show
    json_t             *texts;                       // of those unmet
    double              seconds;                     // of the run on the board
    char                message[1200];               // what went wrong first; "" nothing
} host_run;

// What no board can do of the workload, in words: true, with a message.
bool host_run_refuses(const totem_workload *w, char *message, size_t size);

// Exit code. Nothing is written to a board that the run is not for.
int host_run_do(host_board *b, const totem_workload *w, const board_plan *plan, const host_run_options *o, host_run *r);
json_t *host_run_json(const totem_workload *w, const host_run *r);
void    host_run_print(const totem_workload *w, const host_run *r);
void    host_run_free(host_run *r);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// run_results: blocks of memory beside what the host has computed of them (expect.results of a workload).

#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include "../../totem/run.h"
#include "session.h"

typedef struct {
    const totem_workload *workload;
    uint32_t              waiting;      // blocks whose fence has not been seen
    bool                 *seen;         // of each block
    char                  message[256]; // the first block that was not complete behind its fence; "" none
} run_results;

// False: memory is short.
bool run_results_open(run_results *r, const totem_workload *w);
void run_results_close(run_results *r);

// After a step: in the clock in which the write of a fence is taken, a host that polls it may read the results.
void run_results_clock(run_results *r, const session *s);

// At the end: counts of words, and the first one that differs.
void run_results_compare(const totem_workload *w, const memory *m, totem_run_result *result);

// Writes what memory holds of each block to folder/N.hex. False: it cannot be written.
bool run_results_write(const totem_workload *w, const memory *m, const char *folder);

#endif

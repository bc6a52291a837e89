// SPDX-License-Identifier: Apache-2.0
//
// run_summary: who waited in a run, and why; how full the engines were: for people and as JSON.
#ifndef TOTEM_RUN_SUMMARY_H
#define TOTEM_RUN_SUMMARY_H

#include "run.h"

#include <jansson.h>

// A row for each queue, and one for each engine.
void totem_summary_print(const totem_run_result *r);

// Queues of the run list: a line for all, and a row for each of those that waited longest.
void totem_summary_entries(const totem_run_result *r);

// The error records, at most TOTEM_RUN_RECORDS, in words.
void totem_summary_records(const totem_run_result *r);

// A number; a text of hexadecimal digits if it is beyond the integers of JSON.
json_t *totem_wide_json(uint64_t value);
json_t *totem_summary_records_json(const totem_run_result *r);
json_t *totem_summary_entries_json(const totem_run_result *r);
json_t *totem_summary_queues(const totem_run_result *r);
json_t *totem_summary_slots(const totem_run_result *r, uint32_t engine);

#endif

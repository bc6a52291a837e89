// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a workload file as they stand in it: libcyaml reads 1e5 as 1 and 09 as 0.
#ifndef TOTEM_WORKLOAD_NUMBERS_H
#define TOTEM_WORKLOAD_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

// Looks at every number of a file that libcyaml has read. False: one is written in another form; `message` says file,
// line, key and what to write.
bool totem_workload_numbers(const char *file, char *message, size_t size);

#endif

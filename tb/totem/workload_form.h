// SPDX-License-Identifier: Apache-2.0
//
// The form of a workload file: keys, kinds of values, numbers.
#ifndef TOTEM_WORKLOAD_FORM_H
#define TOTEM_WORKLOAD_FORM_H

#include <stdbool.h>
#include <stddef.h>

// Whether the file is YAML of the form that the schema wants, with no key twice and numbers of the form that number.h
// takes; else the first place that is not, with its line and path. (libcyaml names lines of its own making, and takes
// more: 010 as eight, 1e3 as 1.)
bool totem_workload_form(const char *file, char *message, size_t size);

#endif

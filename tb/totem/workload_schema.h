// SPDX-License-Identifier: Apache-2.0
//
// The keys of workload files and where their values go: the schema by which libcyaml reads them.
#ifndef TOTEM_WORKLOAD_SCHEMA_H
#define TOTEM_WORKLOAD_SCHEMA_H

#include <cyaml/cyaml.h>

// A pointer to a totem_workload.
extern const cyaml_schema_value_t totem_workload_schema;

// Before its first use: fields of task descriptors come from their table.
void totem_workload_schema_prepare(void);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// tmd_fields: fields of a task descriptor, and what the task unit refuses in them (cmodel/task/totem_tmd.h).
#ifndef TMD_FIELDS_H
#define TMD_FIELDS_H

#include "../../cmodel/task/totem_tmd.h"

// Value of a field within one dword; 0 where the version has none.
uint32_t totem_tmd_value(const uint32_t *words, unsigned version, unsigned field);
// {major, minor}, 4 bits each.
uint32_t totem_tmd_number(const uint32_t *words);
// Index in totem_tmd_versions; TOTEM_TMD_VERSIONS: unknown.
unsigned totem_tmd_version(const uint32_t *words);
// The error of the field, 0 if it is not refused. Of an unknown version the layout is the oldest one.
uint8_t totem_tmd_refused(const uint32_t *words, unsigned field);

#endif

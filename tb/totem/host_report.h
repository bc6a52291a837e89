// SPDX-License-Identifier: Apache-2.0
//
// The one file that a person with a board can send: what was asked, of which board, with which tool, on which system,
// and all that came back.
#ifndef TOTEM_HOST_REPORT_H
#define TOTEM_HOST_REPORT_H

#include "host_board.h"

json_t *host_report_make(host_board *b, char *const *words, const char *command, json_t *result, int code,
                         const char *message);
bool    host_report_write(const char *path, const json_t *report);

#endif

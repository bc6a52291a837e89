// SPDX-License-Identifier: Apache-2.0
//
// Registers of the machine that say what a run has done, of the board and of the model.
#ifndef TOTEM_HOST_STATISTICS_H
#define TOTEM_HOST_STATISTICS_H

#include "host_run.h"

// Into r->statistics. False: link.message of the board.
bool host_statistics_read(host_board *b, const totem_workload *w, host_run *r);

#endif

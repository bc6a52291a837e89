// SPDX-License-Identifier: Apache-2.0
//
// run_entries: queues of the run list in a run: what becomes of each entry, and its sums at the end
// (docs/runlist.md). They are the words of the entries (docs/contract/runlist.md).

#ifndef RUN_ENTRIES_H
#define RUN_ENTRIES_H

#include "../../totem/run.h"
#include "session.h"

// The entry whose words are complete in this clock, and what they say; false: none is.
bool run_entries_clock(const session *s, totem_run_entry *entry);
// All that were ever listed; and the sums of all.
void run_entries_end(session *s, totem_run_result *r);

#endif

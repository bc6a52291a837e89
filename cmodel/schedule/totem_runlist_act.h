// SPDX-License-Identifier: Apache-2.0
//
// Part of totem_runlist: a step of an act, and what rules outside of it have in common with it.
// s is the state before the clock edge, n that after it.

#ifndef TOTEM_RUNLIST_ACT_H
#define TOTEM_RUNLIST_ACT_H

#include "totem_runlist.h"

enum { TOTEM_RUNLIST_SLOTS = TOTEM_PIPE_COUNT * TOTEM_QUEUES };

void totem_runlist_act(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i);
void totem_runlist_count(totem_runlist *n, const totem_runlist *s);
void totem_runlist_choose(totem_runlist *n, const totem_runlist *s, const totem_runlist_in *i);
void totem_runlist_next_ahead(totem_runlist *n, const totem_runlist *s);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// Part of totem_mqd: what a phase of a load does: window and MQD are read.
// s is the state before the clock edge, n that after it.

#ifndef TOTEM_MQD_LOAD_H
#define TOTEM_MQD_LOAD_H

#include "totem_mqd.h"

void totem_mqd_head(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i);
void totem_mqd_beat(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i);
void totem_mqd_ask(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i);
void totem_mqd_take(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i);
void totem_mqd_set(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i);
void totem_mqd_buffer(totem_mqd *n, const totem_mqd *s);

#endif

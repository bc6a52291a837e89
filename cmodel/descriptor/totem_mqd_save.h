// SPDX-License-Identifier: Apache-2.0
//
// Part of totem_mqd: what a phase of a save does: registers and window are written to the MQD.
// s is the state before the clock edge, n that after it.

#ifndef TOTEM_MQD_SAVE_H
#define TOTEM_MQD_SAVE_H

#include "totem_mqd.h"

void totem_mqd_close(totem_mqd *n);
void totem_mqd_closed(totem_mqd *n, const totem_mqd *s);
void totem_mqd_collect(totem_mqd *n, const totem_mqd *s, uint32_t value);
void totem_mqd_get(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i);
void totem_mqd_put(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i, bool begins);
void totem_mqd_drain(totem_mqd *n, const totem_mqd *s, const totem_mqd_in *i);

#endif

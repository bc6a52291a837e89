// SPDX-License-Identifier: Apache-2.0
//
// base: the Verilated machine of an older revision (totem_same.v) behind plain C functions.

#ifndef BASE_H
#define BASE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct base base;

// Built with everything at 0 and in reset.
base *base_create(void);
void  base_destroy(base *b);
// One clock. Bit 0 of the inputs is the reset.
void base_step(base *b, const uint32_t *inputs);
// What its output pins show in this clock.
const uint32_t *base_pins(const base *b);

#ifdef __cplusplus
}
#endif

#endif

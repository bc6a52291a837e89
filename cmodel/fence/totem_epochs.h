// SPDX-License-Identifier: Apache-2.0
//
// Sets of epochs of a slot, bit = epoch, and places in arrays of all epochs of a pipe.

#ifndef TOTEM_EPOCHS_H
#define TOTEM_EPOCHS_H

#include "../lib/totem_config.h"

#include <stdbool.h>
#include <stdint.h>

static inline bool has(uint8_t epochs, uint8_t epoch)
{
    return (epochs >> epoch & 1) != 0;
}

static inline uint8_t with(uint8_t epochs, uint8_t epoch)
{
    return (uint8_t)(epochs | 1u << epoch);
}

static inline uint8_t without(uint8_t epochs, uint8_t epoch)
{
    return (uint8_t)(epochs & ~(1u << epoch));
}

// Place of (queue, epoch) in an array of all epochs.
static inline unsigned entry(uint8_t queue, uint8_t epoch)
{
    return (unsigned)queue * TOTEM_EPOCHS + epoch;
}

#endif

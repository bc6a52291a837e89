// SPDX-License-Identifier: Apache-2.0
//
// totem_bank_derive: part of totem_bank: what a dispatch needs of the registers of every queue (rule 2).

#ifndef TOTEM_BANK_DERIVE_H
#define TOTEM_BANK_DERIVE_H

#include "totem_bank.h"

#include "totem_pm4.h"

// A field of a generated register.
#define FIELD(word, name) ((word) >> name##_LSB & name##_MASK)

// Offset of a register from the start of the compute block.
#define OFFSET(name) (TOTEM_SH_COMPUTE_##name - TOTEM_SH_COMPUTE_FIRST)

enum { ENGINES_AT = 6 }; // bit of the derived word

static inline uint8_t engine_mask_offset(unsigned engine)
{
    static const uint8_t offset[4] = {OFFSET(STATIC_THREAD_MGMT_SE0), OFFSET(STATIC_THREAD_MGMT_SE1),
                                      OFFSET(STATIC_THREAD_MGMT_SE2), OFFSET(STATIC_THREAD_MGMT_SE3)};
    return offset[engine & 3];
}

static inline bool reads_itself(const totem_bank *s)
{
    return (s->derive_step >= DERIVE_READ_X && s->derive_step <= DERIVE_READ_Z) ||
           (s->derive_step >= DERIVE_READ_WORDS && s->derive_step < DERIVE_TAKE_SE3);
}

// The stage of the queue whose value is derived.
static inline uint8_t stage_of(const totem_bank *s)
{
    return s->stage[s->derive_queue];
}

static inline unsigned combo(const totem_bank *s)
{
    return (stage_of(s) - (unsigned)STAGE_FULL) & 7;
}

static inline bool in_table(const totem_bank *s)
{
    return stage_of(s) != STAGE_WORDS && stage_of(s) != STAGE_FULL;
}

// The register that the product reads in this clock.
unsigned totem_bank_derive_offset(const totem_bank *s);

// Rule 2: n is what follows the clock edge, word what the RAM has read.
void totem_bank_derive(totem_bank *n, const totem_bank *s, uint32_t word);

#endif

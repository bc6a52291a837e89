// SPDX-License-Identifier: Apache-2.0
//
// totem_bank_write: part of totem_bank: which write takes place in a clock, and what it writes.

#ifndef TOTEM_BANK_WRITE_H
#define TOTEM_BANK_WRITE_H

#include "totem_bank.h"

#include "totem_bank_derive.h"

static inline bool clears_to_come(const totem_bank *s)
{
    bool pending = s->clear_active;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        pending = pending || s->clear_pending[q];
    return pending;
}

static inline bool write_save(const totem_bank *s)
{
    return s->saving && !s->write_valid;
}

static inline bool write_derived(const totem_bank *s)
{
    return s->stale && !s->loading && !s->saving && !s->write_valid;
}

static inline bool write_result(const totem_bank *s)
{
    return s->derive_step == DERIVE_RESULT && !s->loading && !write_derived(s) && !s->saving && !s->write_valid;
}

// A register, a save, the derived word or a result is written.
static inline bool others_write(const totem_bank *s)
{
    return s->write_valid || write_save(s) || write_derived(s) || write_result(s);
}

static inline bool write_clear(const totem_bank *s)
{
    return s->clear_active && !others_write(s);
}

static inline bool write_access(const totem_bank *s)
{
    return s->access_valid && s->access_write && !clears_to_come(s) && !reads_itself(s) && !others_write(s);
}

static inline bool access_reads(const totem_bank *s)
{
    return s->access_valid && !s->access_write && !others_write(s) && !clears_to_come(s) && !s->loading &&
           !reads_itself(s) && !s->asked;
}

static inline uint16_t ram_place(uint8_t queue, unsigned offset)
{
    return (uint16_t)(queue * 128u + offset);
}

// Outputs to the register RAM and the launch state.
void totem_bank_write(const totem_bank *s, totem_bank_out *o);

#endif

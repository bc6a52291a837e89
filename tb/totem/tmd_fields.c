// SPDX-License-Identifier: Apache-2.0
//
// tmd_fields: see tmd_fields.h.
#define TOTEM_TMD_TABLES
#include "tmd_fields.h"

uint32_t totem_tmd_value(const uint32_t *words, unsigned version, unsigned field)
{
    const totem_tmd_field *f = &totem_tmd_fields[field];
    if (!f->name[version])
        return 0;
    const unsigned width = f->high[version] - f->low[version] + 1u;
    return words[f->low[version] / 32] >> f->low[version] % 32 & (UINT32_MAX >> (32 - width));
}

// The places of these two fields are alike in all layouts.
uint32_t totem_tmd_number(const uint32_t *words)
{
    return totem_tmd_value(words, 0, TOTEM_TMD_QMD_MAJOR_VERSION) << 4 |
           totem_tmd_value(words, 0, TOTEM_TMD_QMD_VERSION);
}

unsigned totem_tmd_version(const uint32_t *words)
{
    unsigned n = 0;
    while (n < TOTEM_TMD_VERSIONS && totem_tmd_versions[n].number != totem_tmd_number(words))
        n++;
    return n;
}

// Which of the two fields of an unknown version is the wrong one: the minor, where a layout has that major.
static unsigned wrong_version(const uint32_t *words)
{
    for (unsigned n = 0; n < TOTEM_TMD_VERSIONS; n++)
        if (totem_tmd_versions[n].number >> 4 == totem_tmd_number(words) >> 4)
            return TOTEM_TMD_QMD_VERSION;
    return TOTEM_TMD_QMD_MAJOR_VERSION;
}

uint8_t totem_tmd_refused(const uint32_t *words, unsigned field)
{
    const totem_tmd_field *f       = &totem_tmd_fields[field];
    const unsigned         version = totem_tmd_version(words);
    if (version == TOTEM_TMD_VERSIONS)
        return field == wrong_version(words) ? TOTEM_ERROR_DESCRIPTOR_TMD_VERSION : 0;
    if (!f->name[version] || !f->error || (f->when >= 0 && !totem_tmd_value(words, version, (unsigned)f->when)))
        return 0;
    const uint32_t value = f->ignored ? 0 : totem_tmd_value(words, version, field);
    const bool     wrong = (f->not_zero && value == 0) || (f->allowed && (value > 7 || !(f->allowed >> value & 1)));
    return wrong ? f->error : 0;
}

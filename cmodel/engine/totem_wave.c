// SPDX-License-Identifier: Apache-2.0
//
// totem_wave: twin of rtl/engine/totem_wave.v, from docs/contract/wave.md.

#include "totem_wave.h"

// Host registers by dword.
enum { DURATION = 0, SPREAD = 16, SEED = 32, RATE = 33, OCCUPIED_LOW = 34, OCCUPIED_HIGH = 35, DWORDS = 36 };

enum { ERROR_NONE = 0, ERROR_HOLE = 1, ERROR_READ_ONLY = 2, ERROR_VALUE = 3 };

static const uint32_t duration_mask = (1u << 30) - 1;
static const uint32_t spread_max    = 30;
static const uint32_t rate_max      = 0xffff;

void totem_wave_outputs(const totem_wave *s, totem_wave_out *o)
{
    const uint8_t  entry  = s->start_entry & 15;
    const uint32_t random = s->seed & (uint32_t)(((uint64_t)1 << (s->spread[entry] & 31)) - 1);

    o->launch_ready      = s->wait_clocks == 0;
    o->state_index       = 0;
    o->done_valid        = s->done_valid;
    o->done_slot         = s->done_slot;
    o->host_done         = s->host_done;
    o->host_error        = s->host_error;
    o->host_rdata        = s->host_rdata;
    o->time_write_enable = s->start_valid;
    o->time_write_addr   = s->start_slot;
    o->time_write_data   = s->now + (s->duration[entry] & duration_mask) + random;
    o->time_read_enable  = true;
    o->time_read_addr    = s->visit;
    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        o->occupied[slot] = s->occupied[slot];
}

// Present value of a register, 0 for a hole.
static uint32_t host_value(const totem_wave *s, uint8_t dword)
{
    uint32_t value = 0;

    for (unsigned entry = 0; entry < 16; entry++) {
        if (dword == DURATION + entry)
            value = s->duration[entry];
        if (dword == SPREAD + entry)
            value = s->spread[entry];
    }
    if (dword == SEED)
        value = s->seed;
    if (dword == RATE)
        value = s->rate;
    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        if (s->occupied[slot] && dword == OCCUPIED_LOW + slot / 32)
            value |= (uint32_t)1 << slot % 32;
    return value;
}

static uint8_t host_error_of(uint8_t dword, bool write, uint32_t value)
{
    if (dword >= DWORDS)
        return ERROR_HOLE;
    if (!write)
        return ERROR_NONE;
    if (dword >= OCCUPIED_LOW)
        return ERROR_READ_ONLY;
    if (dword < SPREAD)
        return ERROR_NONE;
    if (dword < SEED)
        return value > spread_max ? ERROR_VALUE : ERROR_NONE;
    if (dword == SEED)
        return value == 0 ? ERROR_VALUE : ERROR_NONE;
    return value > rate_max ? ERROR_VALUE : ERROR_NONE;
}

static bool is_named(const totem_wave *s, const totem_wave_in *i, unsigned slot)
{
    return s->owner_fe[slot] == i->kill_fe && s->owner_pipe[slot] == i->kill_pipe &&
           s->owner_queue[slot] == i->kill_queue && (i->kill_epochs >> s->owner_epoch[slot] & 1) != 0;
}

void totem_wave_step(totem_wave *s, const totem_wave_in *i)
{
    const bool     accept     = i->launch_valid && s->wait_clocks == 0;
    const bool     host       = i->host_valid && !s->host_done;
    const uint32_t value      = host_value(s, i->host_dword);
    const uint32_t now        = s->now;
    const bool     look_valid = s->look_valid;
    const uint8_t  look_slot  = s->look_slot & (TOTEM_SLOTS - 1);
    const uint8_t  visit      = s->visit & (TOTEM_SLOTS - 1);
    bool           named[TOTEM_SLOTS];

    // 6. Kill.
    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        named[slot] = i->kill_valid && s->occupied[slot] && !s->deaf[slot] && is_named(s, i, slot);

    // 1.
    s->now++;
    s->visit = (uint8_t)((visit + 1) & (TOTEM_SLOTS - 1));

    // 2.
    if (accept && s->rate > 1)
        s->wait_clocks = (uint16_t)(s->rate - 1);
    else if (s->wait_clocks != 0)
        s->wait_clocks = (uint16_t)(s->wait_clocks - 1);

    // 3. Seed.
    if (s->start_valid) {
        const uint32_t a = s->seed ^ s->seed << 13;
        const uint32_t b = a ^ a >> 17;
        s->seed          = b ^ b << 5;
    }

    // 4. Look.
    s->look_valid = s->occupied[visit] && !(s->start_valid && s->start_slot == visit);
    s->look_slot  = visit;

    // 5. Done.
    const bool passed = !s->endless[look_slot] && now - i->time_read_data < (uint32_t)1 << 31;
    s->done_valid     = look_valid && (s->killed[look_slot] || passed);
    if (look_valid)
        s->done_slot = look_slot;
    if (s->done_valid)
        s->occupied[look_slot] = false;

    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        s->killed[slot] = s->killed[slot] || named[slot];

    // 7. Launch.
    s->start_valid = accept;
    if (accept) {
        s->start_slot        = i->launch_slot;
        s->start_entry       = (uint8_t)(i->launch_program & 15);
        const unsigned slot  = i->launch_slot & (TOTEM_SLOTS - 1);
        const uint32_t entry = s->duration[i->launch_program & 15];

        s->occupied[slot]    = true;
        s->endless[slot]     = (entry >> 30 & 1) != 0;
        s->deaf[slot]        = entry >> 31 != 0;
        s->owner_fe[slot]    = i->launch_fe;
        s->owner_pipe[slot]  = i->launch_pipe;
        s->owner_queue[slot] = i->launch_queue;
        s->owner_epoch[slot] = i->launch_epoch;
        s->killed[slot]      = false;
    }

    // 8. Host.
    s->host_done = host;
    if (host) {
        uint32_t merged = value;
        for (unsigned byte = 0; byte < 4; byte++)
            if (i->host_strobe >> byte & 1) {
                const uint32_t mask = (uint32_t)0xff << 8 * byte;
                merged              = (merged & ~mask) | (i->host_data & mask);
            }
        s->host_error = host_error_of(i->host_dword, i->host_write, merged);
        s->host_rdata = i->host_write ? 0 : value;
        if (i->host_write && s->host_error == ERROR_NONE) {
            for (unsigned entry = 0; entry < 16; entry++) {
                if (i->host_dword == DURATION + entry)
                    s->duration[entry] = merged;
                if (i->host_dword == SPREAD + entry)
                    s->spread[entry] = (uint8_t)merged;
            }
            if (i->host_dword == SEED)
                s->seed = merged;
            if (i->host_dword == RATE)
                s->rate = (uint16_t)merged;
        }
    }
}

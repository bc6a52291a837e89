// SPDX-License-Identifier: Apache-2.0
//
// totem_wave: twin of rtl/engine/totem_wave.v, from docs/contract/wave.md.

#include "totem_wave.h"

#include "../host/totem_regs_map.h"
#include "../issue/totem_issue_values.h"
#include "../packet/totem_pm4.h"

enum { ENTRIES = 16 };

static const uint32_t duration_mask = (1u << 30) - 1;
static const uint32_t spread_max    = 30;
static const uint32_t rate_max      = 0xffff;
static const uint32_t pixels_max    = 0xfffff;
static const uint32_t refusals_max  = 3;

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
#if TOTEM_GRAPHICS
    o->time_write_data |=
        (uint64_t)s->start_entry << 32 | (uint64_t)s->start_primitives << 36 | (uint64_t)s->start_geometry << 43;
#endif
    o->export_valid      = s->phase == EXPORT_OFFER;
    o->export_slot       = s->export_slot;
    o->export_primitives = s->export_primitives;
    o->export_pixels     = s->export_pixels;
    o->task_valid        = s->task_valid;
    o->task_pointer      = s->task_pointer;
    o->task_fe           = s->task_fe;
    o->task_pipe         = s->task_pipe;
    o->task_queue        = s->task_queue;
    o->task_epoch        = s->task_epoch;
    o->time_read_enable  = true;
    o->time_read_addr    = s->visit;
    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        o->occupied[slot] = s->occupied[slot];
}

// Present value of a register, 0 for a hole.
static uint32_t host_value(const totem_wave *s, uint8_t dword)
{
    uint32_t value = 0;

    for (unsigned entry = 0; entry < ENTRIES; entry++) {
        if (dword == TOTEM_REG_ENGINE_DURATION + entry)
            value = s->duration[entry];
        if (dword == TOTEM_REG_ENGINE_SPREAD + entry)
            value = s->spread[entry];
        if (TOTEM_GRAPHICS && dword == TOTEM_REG_ENGINE_EXPORT + entry)
            value = (uint32_t)s->culled[entry] << 8 | s->multiplier[entry];
        if (TOTEM_GRAPHICS && dword == TOTEM_REG_ENGINE_PIXELS + entry)
            value = s->pixels[entry];
        if (TOTEM_TASKS && dword == TOTEM_REG_ENGINE_CHILD + entry)
            value = s->child[entry];
    }
    if (TOTEM_TASKS && dword == TOTEM_REG_ENGINE_CHILDREN)
        value = s->children;
    if (TOTEM_TASKS && dword == TOTEM_REG_ENGINE_REFUSED)
        value = s->refused;
    if (dword == TOTEM_REG_ENGINE_SEED)
        value = s->seed;
    if (dword == TOTEM_REG_ENGINE_RATE)
        value = s->rate;
    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        if (s->occupied[slot] && dword == TOTEM_REG_ENGINE_OCCUPIED_LOW + slot / 32)
            value |= (uint32_t)1 << slot % 32;
    return value;
}

static uint8_t host_error_of(uint8_t dword, bool write, uint32_t value)
{
    const bool graphics =
        TOTEM_GRAPHICS && dword >= TOTEM_REG_ENGINE_EXPORT && dword < TOTEM_REG_ENGINE_PIXELS + ENTRIES;
    const bool counter = TOTEM_TASKS && (dword == TOTEM_REG_ENGINE_CHILDREN || dword == TOTEM_REG_ENGINE_REFUSED);
    const bool child   = TOTEM_TASKS && dword >= TOTEM_REG_ENGINE_CHILD && dword < TOTEM_REG_ENGINE_CHILD + ENTRIES;
    bool       illegal = false;

    if (dword > TOTEM_REG_ENGINE_OCCUPIED_HIGH && !graphics && !counter && !child)
        return TOTEM_ERROR_HOST_HOLE & 31;
    if (!write)
        return 0;
    if (dword == TOTEM_REG_ENGINE_OCCUPIED_LOW || dword == TOTEM_REG_ENGINE_OCCUPIED_HIGH || counter)
        return TOTEM_ERROR_HOST_READ_ONLY & 31;
    if (child)
        illegal = false;
    else if (dword >= TOTEM_REG_ENGINE_PIXELS)
        illegal = value > pixels_max;
    else if (dword >= TOTEM_REG_ENGINE_EXPORT)
        illegal = (value & 7) > 4 || (value & ~(uint32_t)0xff07) != 0;
    else if (dword == TOTEM_REG_ENGINE_RATE)
        illegal = value > rate_max;
    else if (dword == TOTEM_REG_ENGINE_SEED)
        illegal = value == 0;
    else if (dword >= TOTEM_REG_ENGINE_SPREAD)
        illegal = value > spread_max;
    return illegal ? TOTEM_ERROR_HOST_VALUE & 31 : 0;
}

static bool is_named(const totem_wave *s, const totem_wave_in *i, unsigned slot)
{
    return s->owner_fe[slot] == i->kill_fe && s->owner_pipe[slot] == i->kill_pipe &&
           s->owner_queue[slot] == i->kill_queue && (i->kill_epochs >> s->owner_epoch[slot] & 1) != 0;
}

// What a look finds out about geometry, and what becomes of the export in this clock.
typedef struct {
    bool over, wants, begins, give;
} decision;

// 6 Export, continued
static void step_export(totem_wave *s, const totem_wave_in *i, decision d, uint8_t look_slot, bool killed)
{
    const uint64_t word  = i->time_read_data;
    const uint8_t  phase = s->phase, entry = s->export_entry & 15;

    if (d.give)
        s->phase = EXPORT_NONE;
    else if (phase == EXPORT_OFFER && i->export_ready)
        s->phase = EXPORT_TAKEN;
    if (d.begins) {
        s->phase             = EXPORT_MULTIPLY;
        s->export_slot       = look_slot;
        s->export_entry      = (uint8_t)(word >> 32 & 15);
        s->export_primitives = killed ? 0 : (uint16_t)(word >> 36 & 127);
    }
    if (phase == EXPORT_MULTIPLY) {
        s->phase             = EXPORT_CULL;
        s->export_primitives = (uint16_t)((uint32_t)s->export_primitives * s->multiplier[entry] & 511);
        s->export_culled     = s->culled[entry];
        s->export_pixels     = s->pixels[entry];
    }
    if (phase == EXPORT_CULL) {
        const uint32_t all   = s->export_primitives;
        s->phase             = EXPORT_OFFER;
        s->export_primitives = (uint16_t)(all - (all * s->export_culled >> 8));
    }
}

// 7 Turn of exports, continued: who was refused while another wave exported.
static void step_turn(totem_wave *s, decision d, uint8_t look_slot)
{
    const bool same = s->due_slot == look_slot;

    if (d.wants && !d.begins && !s->due_valid) {
        s->due_valid  = true;
        s->due_slot   = look_slot;
        s->due_rounds = 0;
    } else if (d.wants && !d.begins && same && s->due_rounds < refusals_max)
        s->due_rounds++;
    if (d.begins && same)
        s->due_valid = false;
}

// 8 Child tasks, continued: the wave whose turn it is asks, and has its answer. The wave in look_slot may begin to.
static void step_tasks(totem_wave *s, const totem_wave_in *i, bool ask, uint8_t look_slot)
{
    const uint8_t  turn     = s->task_turn & (TOTEM_SLOTS - 1);
    const uint32_t child    = s->child[s->entry[turn] & 15];
    const bool     answered = s->task_valid && i->task_ready;
    const bool     raise    = !s->task_valid && s->asks[turn] && child != 0;

    if (answered && i->task_refused)
        s->refused++;
    if (answered && !i->task_refused)
        s->children++;
    if (answered || (!s->task_valid && !raise)) {
        s->task_valid = false;
        s->asks[turn] = false;
        s->task_turn  = (uint8_t)((turn + 1) & (TOTEM_SLOTS - 1));
    }
    if (raise) {
        s->task_valid   = true;
        s->task_pointer = child;
        s->task_fe      = s->owner_fe[turn];
        s->task_pipe    = s->owner_pipe[turn];
        s->task_queue   = s->owner_queue[turn];
        s->task_epoch   = s->owner_epoch[turn];
    }
    if (ask) {
        s->asks[look_slot]    = true;
        s->may_ask[look_slot] = false;
    }
}

void totem_wave_step(totem_wave *s, const totem_wave_in *i)
{
    const bool     accept     = i->launch_valid && s->wait_clocks == 0;
    const bool     request    = i->host_valid && !s->host_done;
    const uint32_t present    = host_value(s, i->host_dword);
    const uint32_t now        = s->now;
    const bool     look_valid = s->look_valid;
    const uint8_t  look_slot  = s->look_slot & (TOTEM_SLOTS - 1);
    const uint8_t  visit      = s->visit & (TOTEM_SLOTS - 1);
    bool           named[TOTEM_SLOTS];

    const uint32_t passed   = now - (uint32_t)i->time_read_data;
    const bool     killed   = s->killed[look_slot];
    const bool     geometry = TOTEM_GRAPHICS && ((uint64_t)i->time_read_data >> 43 & 1) != 0;
    const bool     busy     = s->phase != EXPORT_NONE;
    decision       d;
    d.over            = look_valid && (killed || (!s->endless[look_slot] && passed < (uint32_t)1 << 31));
    d.wants           = d.over && geometry && !(busy && s->export_slot == look_slot);
    const bool barred = s->due_valid && s->due_rounds == refusals_max && s->due_slot != look_slot;
    d.begins          = d.wants && !busy && !barred;
    const bool ask = d.over && !geometry && s->may_ask[look_slot] && !killed && s->child[s->entry[look_slot] & 15] != 0;
    const bool expired = d.over && !geometry && !ask && !s->asks[look_slot];
    d.give             = !expired && (s->phase == EXPORT_TAKEN || (s->phase == EXPORT_OFFER && i->export_ready));

    // 9 Kill
    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        named[slot] = i->kill_valid && s->occupied[slot] && !s->deaf[slot] && is_named(s, i, slot);

    // 1 Clock
    s->now++;
    s->visit = (uint8_t)((visit + 1) & (TOTEM_SLOTS - 1));

    // 2 Rate
    if (accept && s->rate > 1)
        s->wait_clocks = (uint16_t)(s->rate - 1);
    else if (s->wait_clocks != 0)
        s->wait_clocks = (uint16_t)(s->wait_clocks - 1);

    // 3 Seed
    if (s->start_valid) {
        const uint32_t a = s->seed ^ s->seed << 13;
        const uint32_t b = a ^ a >> 17;
        s->seed          = b ^ b << 5;
    }

    // 4 Look
    s->look_valid = s->occupied[visit] && !(s->start_valid && s->start_slot == visit);
    s->look_valid = s->look_valid && !(d.give && s->export_slot == visit);
    s->look_slot  = visit;

    // 5 Done
    s->done_valid = expired || d.give;
    if (d.give)
        s->done_slot = s->export_slot;
    else if (look_valid)
        s->done_slot = look_slot;
    if (expired)
        s->occupied[look_slot] = false;
    if (d.give)
        s->occupied[s->export_slot & (TOTEM_SLOTS - 1)] = false;

    // 6 Export
    // 7 Turn of exports
    step_export(s, i, d, look_slot, killed);
    step_turn(s, d, look_slot);
    if (!TOTEM_GRAPHICS) {
        s->phase     = EXPORT_NONE;
        s->due_valid = false;
    }

    // 8 Child tasks
    if (TOTEM_TASKS)
        step_tasks(s, i, ask, look_slot);

    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        s->killed[slot] = s->killed[slot] || named[slot];

    // 10 Launch
    s->start_valid = accept;
    if (accept) {
        s->start_slot        = i->launch_slot;
        s->start_entry       = (uint8_t)(i->launch_program & 15);
        s->start_geometry    = TOTEM_GRAPHICS && i->launch_kind == WAVE_GEOMETRY;
        s->start_primitives  = TOTEM_GRAPHICS ? i->launch_primitives : 0;
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
        if (TOTEM_TASKS) {
            s->entry[slot]   = (uint8_t)(i->launch_program & 15);
            s->may_ask[slot] = i->launch_kind == WAVE_COMPUTE && i->launch_pipe < PIPE_GRAPHICS;
        }
    }

    // 11 Host
    s->host_done = request;
    if (request) {
        uint32_t merged = present;
        for (unsigned byte = 0; byte < 4; byte++)
            if (i->host_strobe >> byte & 1) {
                const uint32_t mask = (uint32_t)0xff << 8 * byte;
                merged              = (merged & ~mask) | (i->host_data & mask);
            }
        s->host_error = host_error_of(i->host_dword, i->host_write, merged);
        s->host_rdata = i->host_write ? 0 : present;
        if (i->host_write && s->host_error == 0) {
            for (unsigned entry = 0; entry < ENTRIES; entry++) {
                if (i->host_dword == TOTEM_REG_ENGINE_DURATION + entry)
                    s->duration[entry] = merged;
                if (i->host_dword == TOTEM_REG_ENGINE_SPREAD + entry)
                    s->spread[entry] = (uint8_t)merged;
                if (i->host_dword == TOTEM_REG_ENGINE_EXPORT + entry) {
                    s->multiplier[entry] = (uint8_t)(merged & 7);
                    s->culled[entry]     = (uint8_t)(merged >> 8);
                }
                if (i->host_dword == TOTEM_REG_ENGINE_PIXELS + entry)
                    s->pixels[entry] = merged;
                if (i->host_dword == TOTEM_REG_ENGINE_CHILD + entry)
                    s->child[entry] = merged;
            }
            if (i->host_dword == TOTEM_REG_ENGINE_SEED)
                s->seed = merged;
            if (i->host_dword == TOTEM_REG_ENGINE_RATE)
                s->rate = (uint16_t)merged;
        }
    }
}

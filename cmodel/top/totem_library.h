// SPDX-License-Identifier: Apache-2.0
//
// What stands behind `totem` of cmodel/totem.h, for the files of the library.

#ifndef TOTEM_LIBRARY_H
#define TOTEM_LIBRARY_H

#include "../totem.h"
#include "totem_machine.h"

struct totem {
    totem_machine        machine;
    totem_machine_out    out;       // what it shows in the present clock
    totem_machine_seen   seen;      // all 0 unless skipping
    totem_inputs         inputs;    // of the clock before
    totem_machine        before;    // totem_skip.h
    bool                 own_cores; // of totem_create_core
    bool                 skipping;
    uint64_t             quiet;   // clocks that may be skipped from here
    uint64_t             try_at;  // no look for quiet before this clock
    uint32_t             try_gap; // clocks between two looks, grows while they find no quiet
    uint64_t             skipped;
    uint32_t             kinds;
    totem_event_function function;
    void                *user;
};

// The wave interface of an engine: what the caller's shader core shows, as the wave engine in whose place it stands; what
// the machine shows it.
totem_wave_out        totem_engine_core(const totem_engine_pins_in *c);
totem_engine_pins_out totem_engine_pins(const totem_machine_out *o, int engine);

// What depends on the state, after it has changed from outside.
void totem_refresh(totem *t);

// Tells the events of the present clock.
void totem_watch(const totem *t);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// totem_skip: n clocks at once, where nothing but free-running counters moves.
//
// Which counters there are, and what they wait for, is read off the contracts (docs/contract): `clock` of host, `turn`
// and `source` of events, `now`, `visit` and what follows from them in wave, `wait_clocks` of wave, `period` of memory,
// `turn` of arbiter, `waited` of hold, `lacked` and `lacked_longest` of stats, `elapsed` and `polled` of monitor,
// `now`, `elapsed` and the walk of throttle. All other state changes only by what happens. For each of these blocks
// there is
//
//   totem_<block>_skip(s, .., n)   what n steps make of its counters while nothing else moves
//   totem_<block>_quiet(s, ..)     for how many steps from here that holds, as far as this block knows
//
// and for all others: a step that left a block as it was, with inputs that stay, leaves it again. So the machine is
// known to be still by one real step: if all of it is afterwards what the skip by one clock foretells, and no
// message stands at a turning arbiter, every further clock does the same until a counter reaches its mark.

#ifndef TOTEM_SKIP_H
#define TOTEM_SKIP_H

#include "totem_machine.h"

// State before a step, kept by the caller; contents of RAMs are not.
void totem_skip_keep(totem_machine *before, const totem_machine *s);

// Clocks that may be skipped from `s`: the state after a step from `before` (as kept), in which the blocks showed `o`.
// 0: not still. Holds while the inputs of the machine stay as in that step. `before` is overwritten. `shipped`: the
// step was one of the whole machine; else of the core, and what the shader cores show is one of the inputs.
uint64_t totem_skip_quiet(totem_machine *before, const totem_machine *s, const totem_machine_out *o, bool shipped);

// n clocks at once, n at most what totem_skip_quiet gave.
void totem_skip(totem_machine *s, bool shipped, uint64_t n);

#endif

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Properties in the RTL by induction (synth/formal.sh), but for the blocks of synth/formal/slow.txt: in mini, in full
# those that have several pipes or engines there (all of them, and their covers: make formal). Planted faults are
# refuted.
set -u
cd "$(dirname "$0")/../.."
. sim/tally.sh
work=build/test/formal
mkdir -p "$work"
synth/formal.sh --config full --quick >"$work/full" 2>&1
add 'full' "$work/full"
synth/formal.sh --config mini --quick >"$work/mini" 2>&1
add 'mini' "$work/mini"
synth/formal.sh --config mini inbox drain arbiter --cover 0 --plant 1 >"$work/plant" 2>&1
add 'planted faults' "$work/plant"
# Two clocks are too few for the covers of the arbiter: that must fail its run.
if synth/formal.sh --config mini arbiter --cover 2 >"$work/cover" 2>&1 ||
    ! grep -A 1 'NOT reached' "$work/cover" | grep -q 'totem_arbiter_properties.vh:[0-9]*: arbiter, cover (' "$work/cover"; then
    bad 'a cover out of reach is not told' "$work/cover"
else
    good 'a cover out of reach fails the run'
fi
finish

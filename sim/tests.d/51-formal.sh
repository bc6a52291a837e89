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
synth/formal.sh --config mini inbox drain hold --cover 0 --plant 1 >"$work/plant" 2>&1
add 'planted faults' "$work/plant"
# One clock is too few for the cover of stats: that must fail its run. What is proved, and what is not, has its name.
if synth/formal.sh --config mini stats --cover 1 >"$work/cover" 2>&1 ||
    ! grep -A 1 'NOT reached' "$work/cover" | grep -q 'totem_stats_properties.vh:[0-9]*: stats, cover ('; then
    bad 'a cover out of reach is not told' "$work/cover"
else
    good 'a cover out of reach fails the run'
fi
grep -q '^    invariants: 1 counted, 2 access' "$work/cover"
note $? 'a proof names its invariants' "$work/cover"
rm -rf "$work/root"
mkdir -p "$work/root"
cp -r rtl "$work/root"
sed -i 's/drained\[f\]) assert (kill_ended/drained[f]) assert (!kill_ended/' \
    "$work/root/rtl/queue/totem_drain_properties.vh"
synth/formal.sh --config mini drain --root "$work/root" >"$work/refuted" 2>&1
grep -A 1 'violated 0 clocks after the start' "$work/refuted" | grep -q 'drain, invariant 2 reset: A reset is'
note $? 'a property that is violated is told in the words of the contract' "$work/refuted"
finish

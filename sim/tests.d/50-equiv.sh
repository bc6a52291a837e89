#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# C model step = RTL clock for every block (synth/equiv.sh quick), and the prover itself: a fault planted on either side
# is refuted, in the wiring too, both clang levels and both RTL routes agree, broken input is refused.
set -u
cd "$(dirname "$0")/../.."
. sim/tally.sh
python=python3
[ -x .venv/bin/python ] && python=.venv/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" synth/equiv/selftest.py >"$work/self" 2>&1 &
synth/equiv.sh --config full quick --tally >"$work/full" 2>&1
synth/equiv.sh --config mini quick --tally --sanitize >"$work/mini" 2>&1
expect 'host, full with two front ends and engines' 0 ': proved;' synth/equiv.sh --config full host -P FE_COUNT=2 \
    -P SE_COUNT=2
expect 'dc, full with two engines' 0 ': proved;' synth/equiv.sh --config full dc -P SE_COUNT=2
expect 'issue, full with two front ends' 0 ': proved;' synth/equiv.sh --config full issue -P FE_COUNT=2
expect 'frames with 16 sets' 0 ': proved;' synth/equiv.sh --config mini frames -P SETS=16
wait
for name in self full mini; do
    add "$name" "$work/$name"
done
finish

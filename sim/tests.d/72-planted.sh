#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Faults planted in a copy of the RTL (sim/faults.txt) are caught: by the proof that RTL and model agree, each of them;
# by the lockstep, with the whole bundle for people, one in the arbiter and one in the fences (configuration mini).
set -u
cd "$(dirname "$0")/../.."

passed=0 failed=0
good() { passed=$((passed + 1)); echo "good    $1"; }
bad() { failed=$((failed + 1)); echo "FAILED  $1"; }

mkdir -p build/test
copy=build/test/planted
while read -r name file; do
    rm -rf "$copy"
    cp -r rtl "$copy"
    block=$(basename "$file" .v)
    block=${block#totem_}
    if .venv/bin/python sim/plant_fault.py "$name" "$copy" >/dev/null &&
        ! synth/equiv.sh "$block" --rtl "$copy/$file" >build/test/planted-$name.txt 2>&1 && grep -q ': FAILED;' build/test/planted-$name.txt; then
        good "$name is refuted by the proof of $block"
    else
        bad "$name is not refuted by the proof of $block (build/test/planted-$name.txt)"
    fi
done < <(sed -n 's/^\([a-z][a-z-]*\) \([^ ]*\) .*/\1 \2/p' sim/faults.txt)

for name in arbiter-scoreboard fence-sum; do
    if FAULT=$name CONFIG=mini WORKLOAD=sim/workloads/turns.yaml sim/demo_mismatch.sh >build/test/planted-demo-$name.txt 2>&1; then
        good "$name is found by the lockstep, bundle written"
    else
        bad "$name is not found by the lockstep"
        tail -n 20 build/test/planted-demo-$name.txt
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

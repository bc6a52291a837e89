#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make demo-mismatch: plants a fault in a copy of the RTL, runs the lockstep on it, and shows what it finds: words, an
# FST of the last clocks and a GTKWave save file in build/demo/. Exit code 0 if the fault was found.
#
# FAULT= one of sim/faults/plant_fault.py --list (default: the first); CONFIG= (default mini, which builds quickly);
# WORKLOAD= a workload of that configuration, file or name (default as workload.sh); CORE=rv32 if it has this core
set -euo pipefail
cd "$(dirname "$0")/../.."

config=${CONFIG:-mini}
found=$(sim/run/workload.sh "${WORKLOAD:-}" "$config")
fault=${FAULT:-$(python3 sim/faults/plant_fault.py --list | sed -n 1p)}
copy=build/demo/rtl
rm -rf build/demo
mkdir -p build/demo
cp -r rtl "$copy"
python3 sim/faults/plant_fault.py "$fault" "$copy"
name=demo${CORE:+-$CORE}
make -s -C tb/lockstep CONFIG="$config" CORE="${CORE:-}" NAME="$name" RTL="$PWD/$copy"
status=0
build/lockstep/"$name"/totem run --folder build/demo "${found% *}" || status=$?
if [ "$status" -eq 1 ] && [ -s build/demo/mismatch.txt ] && [ -s build/demo/mismatch.fst ] &&
    [ -s build/demo/mismatch.gtkw ]; then
    echo "The planted fault '$fault' was found: build/demo/mismatch.txt; gtkwave build/demo/mismatch.gtkw"
else
    echo "The planted fault '$fault' was NOT found (exit code $status)" >&2
    exit 1
fi

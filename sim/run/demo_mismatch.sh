#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make demo-mismatch: plants a fault in a copy of the RTL, runs the lockstep on it, and shows what it finds: words, an
# FST of the last clocks and a GTKWave save file in build/demo/. Exit code 0 if the fault was found.
#
#   sim/run/demo_mismatch.sh [--fault NAME] [--config CONFIGURATION] [--workload NAME|FILE] [--core rv32]
#
# --fault: one of sim/faults/plant_fault.py --list (default: the first). The default configuration is mini, which builds
# quickly, the workload that of sim/run/workload.sh; --core if the workload has this core.
set -euo pipefail
. "$(dirname "$0")/../options.sh"
options fault config workload core -- "$@"
cd "$(dirname "$0")/../.."

config=${config:-mini}
found=$(sim/run/workload.sh "$workload" "$config")
fault=${fault:-$(python3 sim/faults/plant_fault.py --list | sed -n 1p)}
copy=build/demo/rtl
rm -rf build/demo
mkdir -p build/demo
cp -r rtl "$copy"
python3 sim/faults/plant_fault.py "$fault" "$copy"
name=demo${core:+-$core}
make -s -C tb/lockstep CONFIG="$config" CORE="$core" NAME="$name" RTL="$PWD/$copy"
status=0
build/lockstep/"$name"/totem run --folder build/demo "${found% *}" || status=$?
if [ "$status" -eq 1 ] && [ -s build/demo/mismatch.txt ] && [ -s build/demo/mismatch.fst ] &&
    [ -s build/demo/mismatch.gtkw ]; then
    echo "The planted fault '$fault' was found: build/demo/mismatch.txt; gtkwave build/demo/mismatch.gtkw"
else
    echo "The planted fault '$fault' was NOT found (exit code $status)" >&2
    exit 1
fi

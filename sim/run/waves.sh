#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make waves: a workload into build/run/waves.fst with a GTKWave save file; opens GTKWave where there is a display.
#
#   sim/run/waves.sh [--workload NAME|FILE] [--config CONFIGURATION] [--cycles N] [--seed N]
#
# The workload is hello in full, else as make run. A run is about 300 kbyte a thousand clocks. One that --cycles cuts
# off is no failure here.
set -euo pipefail
. "$(dirname "$0")/../options.sh"
options workload config cycles seed -- "$@"
cd "$(dirname "$0")/../.."

mkdir -p build/run
status=0
case ${config:-full} in full) workload=${workload:-hello} ;; esac
found=$(sim/run/workload.sh "$workload" "$config")
rm -f build/run/waves.fst
sim/run/run.sh --workload "${found% *}" --waves build/run/waves.fst ${cycles:+--cycles "$cycles"} \
    ${seed:+--seed "$seed"} 2>&1 | tee build/run/waves.txt || status=$?
[ -z "$cycles" ] || ! grep -q 'not idle at the limit of clocks' build/run/waves.txt || status=0
[ -s build/run/waves.fst ] || { echo "waves: build/run/waves.fst was not written" >&2; exit 1; }
# Each view where something of its own happens, or at the mismatch.
.venv/bin/python sim/run/views.py "${found##* }" build/run/waves.fst build/run --mismatch build/run/waves.txt |
    tee build/run/views.txt
first=$(sed -n 's/^gtkwave \([^ ]*pipe.gtkw\) .*/\1/p' build/run/views.txt)
if [ -n "${DISPLAY:-}" ]; then
    exec gtkwave "${first:-build/run/waves.fst}"
fi
exit $status

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make waves: a workload into build/run/waves.fst with a GTKWave save file; opens GTKWave where there is a display.
#
# WORKLOAD= (default sim/workloads/hello.yaml), CYCLES= (default the workload's), CONFIG=. A run is about 300 kbyte a thousand clocks.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p build/run
status=0
WORKLOAD=${WORKLOAD:-sim/workloads/hello.yaml} WAVES=build/run/waves.fst sim/run.sh || status=$?
[ -s build/run/waves.fst ] || { echo "waves: build/run/waves.fst was not written" >&2; exit 1; }
.venv/bin/python sim/views.py "${CONFIG:-full}" build/run/waves.fst build/run
echo "gtkwave build/run/pipe.gtkw    (or host, engine, switch, launch; sim/views.py --help for other pipes, engines and clocks)"
if [ -n "${DISPLAY:-}" ]; then
    exec gtkwave build/run/pipe.gtkw
fi
exit $status

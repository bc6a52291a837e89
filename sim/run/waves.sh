#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make waves: a workload into build/run/waves.fst with a GTKWave save file; opens GTKWave where there is a display.
#
#   sim/run/waves.sh [--workload NAME|FILE] [--config full|board|mini|pole] [--cycles N] [--seed N]
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
# Where something happens: at the mismatch, else where the first queue is selected.
place=$(.venv/bin/python sim/pictures/place.py mismatch build/run/waves.txt)
if [ -z "$place" ]; then
    place=$(.venv/bin/python sim/pictures/place.py first build/run/waves.fst)
    # The engine of the first wave, if there is one.
    wave=$(.venv/bin/python sim/pictures/place.py launch build/run/waves.fst 2>/dev/null || true)
    place="$place $(grep -o -- '--engine [0-9]*' <<<"$wave" || true)"
fi
# shellcheck disable=SC2086 # options are words
.venv/bin/python sim/run/views.py "${found##* }" build/run/waves.fst build/run $place
echo "gtkwave build/run/pipe.gtkw    (or host, engine, switch, launch, context; sim/run/views.py --help for others)"
if [ -n "${DISPLAY:-}" ]; then
    exec gtkwave build/run/pipe.gtkw
fi
exit $status

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Primitives through the blocks hub and monitor, RTL and C twins in lockstep, with a count of levels, order and polls
# beside them (tb/throttle): the worked example of docs/throttle.md, and the draws of captured frames if their folder
# is there.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
work=build/test/hub
mkdir -p "$work"

build=$work/build.txt
make -s -C tb/throttle LOCKSTEP=1 >"$build" 2>&1
note $? "build" "$build"
hub=build/throttle/full-lockstep/hub
# Status 10 from clock 1000 on, 01 from 3000 on, 00 from 3500 on; with 37 polls.
expect example 0 "polls 00 12, 01 5, 10 20, 11 0" "$hub" --folder "$work" --trace "$work/example.csv" example
changes=$(awk -F, 'BEGIN { last = -1 } NR > 1 && $4 != last { printf "%s ", $1 ":" $4; last = $4 }' "$work/example.csv")
[ "$changes" = "0:0 1000:2 3000:1 3500:0 " ]
note $? "example: status changes $changes"

streams=${TOTEM_STREAMS:-../shared/streams}
for frame in materials sponza; do
    draws=$streams/workloads/crisp_${frame}_2k_draws.csv
    if [ -f "$draws" ]; then
        expect "$frame" 0 "primitives" "$hub" --folder "$work" --pixels 4 "$draws"
    elif [ -n "${TOTEM_STREAMS:-}" ]; then
        bad "$frame: TOTEM_STREAMS is $streams, which has no $draws"
    else
        echo "SKIPPED $frame: the captured draws are not in $streams/workloads; name the folder with TOTEM_STREAMS="
    fi
done
finish

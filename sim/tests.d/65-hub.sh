#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Primitives through the blocks hub and monitor, RTL and C twins in lockstep, with a count of levels, order and polls
# beside them (tb/throttle): the worked example of docs/throttle.md, and the draws of captured frames if their folder
# is there. Then draws on all rings of the machine (mix): every pixel becomes a thread, no wave is lost.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
export OPT=-O1      # the model that sim/unit.sh builds too
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
# Files that are not lists of draws.
printf 'event_id,vs_threads,ps_threads\n1,2,0\n' >"$work/none.csv"
expect 'a file without draws is refused' 2 "$work/none.csv:2: the file ends without a draw" \
    "$hub" --folder "$work" "$work/none.csv"
seq 4097 | sed 's/$/,3,1/' >"$work/many.csv"
expect 'a file with too many draws is refused' 2 "$work/many.csv:4097: more than 4096 draws" \
    "$hub" --folder "$work" "$work/many.csv"

make -s -C tb/throttle mix >"$build" 2>&1
note $? "build of mix" "$build"
# On each of four rings 5 + 2 geometry waves; 300 primitives of 14 pixels are 100 of 42, and one of 20,000.
printf '1,300,4200,0,10\n2,3,20000,0,30\n3,2,9,0,1\n4,120,40,0,5\n' >"$work/mix.csv"
for writes in '' --write=0x600c=1 '--write=0x6008=3 --write=0x6000=0x12355120'; do
    # shellcheck disable=SC2086 # options
    expect "mix ${writes:-off}: waves and pixels" 0 \
        '"geometry": 32, "threads": 96960, "asked": 96960' \
        build/throttle/full/mix $writes "$work/mix.csv"
done
expect 'mix: a write that is none is refused' 2 'mix [options] DRAWS.csv' \
    build/throttle/full/mix --write=6008 "$work/mix.csv"
expect 'mix: no draws' 2 "$work/none.csv:2: no draw with a primitive" build/throttle/full/mix "$work/none.csv"

for frame in materials:614795 sponza:1703037; do
    primitives=${frame#*:} frame=${frame%:*}
    draws=$streams/workloads/crisp_${frame}_2k_draws.csv
    if [ -f "$draws" ]; then
        expect "$frame: $primitives primitives" 0 " clocks, $primitives primitives; " \
            "$hub" --folder "$work" --pixels 4 "$draws"
    elif [ -n "${TOTEM_STREAMS:-}" ]; then
        bad "$frame: TOTEM_STREAMS is $streams, which has no $draws"
    else
        echo "SKIPPED $frame: the captured draws are not in $streams/workloads; name the folder with TOTEM_STREAMS="
    fi
done
finish

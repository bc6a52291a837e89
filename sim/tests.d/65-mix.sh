#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Draws on all rings of the machine (tb/throttle/mix_main.c), with throttling off and on: every pixel becomes a thread,
# no wave is lost.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
export OPT=-O1      # the model that sim/unit.sh builds too
work=build/test/mix
mkdir -p "$work"

make -s -C tb/throttle >"$work/build.txt" 2>&1
note $? "build of mix" "$work/build.txt"
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
printf 'event_id,vs_threads,ps_threads\n1,2,0\n' >"$work/none.csv"
expect 'mix: no draws' 2 "$work/none.csv:2: no draw with a primitive" build/throttle/full/mix "$work/none.csv"
finish

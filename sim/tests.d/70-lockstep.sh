#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Lockstep: shipped workloads, the real compute stream alone and among busy queues, random work from seeds in full, board and
# mini (pole: make regress CONFIG=pole), the directed rule tests of sim/lockstep_rules.txt.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
# The line of a log that says what was checked: how much was compared, which expectations were met, how many tests passed.
said() # log
{
    grep -aE 'words of outputs compared|expectations met|PASSED' "$1" | tail -n 1 | grep . || tail -n 1 "$1"
}
check() # name command...
{
    local name=$1 log
    shift
    log=build/test/lockstep-$name.txt
    if "$@" >"$log" 2>&1; then
        log=$(said "$log")
        good "$name${log:+: $log}"
    else
        bad "$name ($*)"
        tail -n 40 "$log"
    fi
}

mkdir -p build/test build/workloads
check build-full make -s -C tb/lockstep CONFIG=full all random
full=build/lockstep/full
check hello "$full/totem" run sim/workloads/hello.yaml
check hello-model "$full/totem" run --engine model sim/workloads/hello.yaml
check hello-rtl "$full/totem" run --engine rtl sim/workloads/hello.yaml
check compute-mix "$full/totem" run sim/workloads/compute-mix.yaml

streams=${TOTEM_STREAMS:-../shared/streams}
if [ -d "$streams" ]; then
    check stream-workloads .venv/bin/python sim/workloads/real_stream.py "$streams" build/workloads
    check stream-alone "$full/totem" run build/workloads/stream-alone.yaml
    check stream-busy "$full/totem" run build/workloads/stream-busy.yaml
elif [ -n "${TOTEM_STREAMS:-}" ]; then
    bad "streams: TOTEM_STREAMS is $streams, which is no folder"
else
    for name in stream-alone stream-busy; do
        echo "SKIPPED $name: the captured streams are not in $streams; name their folder with TOTEM_STREAMS="
    done
fi

check random-full "$full/random" --folder build/test --seeds 8 --clocks 10000
for config in mini board; do
    check build-$config make -s -C tb/lockstep CONFIG=$config all random
    [ $config != mini ] || check turns build/lockstep/mini/totem run sim/workloads/turns.yaml
    check random-$config build/lockstep/$config/random --folder build/test --seeds 6 --clocks 8000
done
for config in full mini; do
    for rules in $(sed 's/#.*//; '"$([ $config = mini ] || echo '/ mini/d;')"' s/ .*//' sim/lockstep_rules.txt); do
        check build-$rules-$config make -s -C tb/lockstep CONFIG=$config "$PWD/build/lockstep/$config/rules_$rules"
        check $rules-$config build/lockstep/$config/rules_$rules
    done
done
check worked-example build/lockstep/board/totem run sim/workloads/worked-example.yaml
finish

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Lockstep: shipped workloads, random work from seeds in full and mini (board and pole: make regress), the directed rule
# tests of sim/run/lockstep_rules.txt. The real compute stream among busy queues, on the C model (make streams: in
# lockstep).
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
# The line of a log that says what was checked: how much was compared, which expectations were met, how many tests
# passed.
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
check worked-example "$full/totem" run sim/workloads/worked-example.yaml
check make-compute-mix .venv/bin/python sim/workloads/compute_mix.py build/workloads/compute-mix-lockstep.yaml
check compute-mix "$full/totem" run build/workloads/compute-mix-lockstep.yaml

streams=${TOTEM_STREAMS:-../shared/streams}
if [ -d "$streams" ]; then
    check stream-workloads .venv/bin/python sim/workloads/real_stream.py "$streams" build/workloads
    check stream-busy "$full/totem" run --engine model build/workloads/stream-busy.yaml
elif [ -n "${TOTEM_STREAMS:-}" ]; then
    bad "streams: TOTEM_STREAMS is $streams, which is no folder"
else
    echo "SKIPPED stream-busy: the captured streams are not in $streams; name their folder with TOTEM_STREAMS="
fi

check random-full "$full/random" --folder build/test --seeds 2 --clocks 8000
check build-mini make -s -C tb/lockstep CONFIG=mini all random
check turns build/lockstep/mini/totem run sim/workloads/turns.yaml
check moves build/lockstep/mini/totem run sim/workloads/moves.yaml
check offloaded-wait build/lockstep/mini/totem run sim/workloads/offloaded-wait.yaml
check standing build/lockstep/mini/totem run sim/workloads/standing.yaml
standing=$(sed -E 's/^pipe ([0-9]) queue ([0-9]) .*: it (waits for memory|is ready|is halted).*$/\1.\2 \3/' \
    build/test/lockstep-standing.txt | grep -E '^[0-9]\.[0-9] (waits for|is) ' | tr '\n' ';')
[ "$standing" = "0.0 waits for memory;0.1 is ready;0.2 is halted;" ] && good "standing: a sentence for each" ||
    bad "standing: $standing"
grep -q '^error in clock [0-9]*: pipe 0 queue 2, PACKET_' build/test/lockstep-standing.txt && good "standing: its record" ||
    bad "standing: no record"
sed '$d' sim/workloads/standing.yaml >build/test/standing-less.yaml
! build/lockstep/mini/totem run build/test/standing-less.yaml >build/test/standing-less.txt 2>&1 &&
    grep -q 'unmet: 3 queues stand at the end, not 2' build/test/standing-less.txt && good "standing: one too many" ||
    bad "standing: one too many is not noticed"
check register-pairs build/lockstep/mini/totem run sim/workloads/register-pairs.yaml
check copy-predicate build/lockstep/mini/totem run sim/workloads/copy-predicate.yaml
check copies build/lockstep/mini/totem run sim/workloads/copies.yaml
check tlb-flush build/lockstep/mini/totem run sim/workloads/tlb-flush.yaml
check disabled-dispatch build/lockstep/mini/totem run sim/workloads/disabled-dispatch.yaml
for name in dispatch-refused long-rings mapped-by-writes run-time-arguments; do
    check $name build/lockstep/mini/totem run sim/workloads/$name.yaml
done
check trimmed-groups build/lockstep/mini/totem run sim/workloads/trimmed-groups.yaml
check upper-addresses build/lockstep/mini/totem run sim/workloads/upper-addresses.yaml
sed 's/configuration: mini/configuration: full/; s/pipe: 0, queue: 2/pipe: 5, queue: 2/' sim/workloads/moves.yaml \
    >build/workloads/moves-pipes.yaml
check moves-pipes "$full/totem" run build/workloads/moves-pipes.yaml
check random-mini build/lockstep/mini/random --folder build/test --seeds 8 --clocks 8000
sed 's/#.*//; /^ *$/d' sim/run/lockstep_rules.txt >build/test/lockstep-rules.txt
while read -r rules config tests <&3; do
    [ -n "$config" ] || continue
    check build-$rules-$config make -s -C tb/lockstep CONFIG=$config "$PWD/build/lockstep/$config/rules_$rules"
    # shellcheck disable=SC2086 # one word a test
    check $rules-$config build/lockstep/$config/rules_$rules $tests
done 3<build/test/lockstep-rules.txt
finish

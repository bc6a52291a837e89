#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Kernels on the cores of tb/core (sim/workloads/core.py), in mini in lockstep, else on the C model; every result is
# compared with the host's, and is complete when its fence is written. Four kernels in mini, one in full; in board a
# queue that goes on in another pipe, two priorities at one engine, tasks without a packet between, a wave that launches
# one, the draws of a frame that write an image; in mini a reset inside a grid, waves that never end or go wrong. What
# is wrong is told (72-planted has a fault in the RTL): cores that are done before their writes are; another result;
# keys. The promises of the wave interface: the faults of sim/faults/promise_faults.txt are named.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
python=.venv/bin/python
work=build/test/kernels
rm -rf "$work"
mkdir -p "$work" build/workloads

said() # log
{
    tr '\r' '\n' <"$1" | grep -aE '^results |expectations met' | paste -sd ',' | sed 's/,/, /g'
}
make_one() # kind config options...
{
    $python sim/workloads/core.py --configuration "$2" "${@:3}" "$1" "test-$1-$2" >"$work/log" 2>&1 ||
        bad "$1: core.py" "$work/log"
}
play() # kind config options of core.py
{
    local tool=totem engine=both wanted=', 0 mismatches$'
    [ "$2" = mini ] || { tool=totem-model engine=model wanted=' expectations met'; }
    make_one "$@"
    build/lockstep/"$2-rv32"/$tool run --engine $engine --folder build/test --events "$work/$1" --results "$work" \
        "build/workloads/test-$1-$2.yaml" >"$work/log" 2>&1 &&
        grep -q '^results equal: ' "$work/log" && grep -q "$wanted" "$work/log"
    note $? "$1, $2: $(said "$work/log")" "$work/log"
}

log=$work/log
sim/setup.sh rv32 docs >"$log" 2>&1 && flock build/.core.lock make -s -f tb/core/rules.mk kernels >>"$log" 2>&1
note $? "kernels are compiled" "$log"
for config in mini board; do
    make -s -j2 -C tb/lockstep CONFIG=$config CORE=rv32 alone $([ $config != mini ] || echo all) >"$log" 2>&1
    note $? "the machine of $config without wave engines, with cores" "$log"
done

for kernel in vecadd scan histogram; do play $kernel mini; done
play matmul mini --size 32
for case in reset endless bad-jump bad-misaligned bad-access bad-illegal; do play $case mini; done
for case in moved priorities chain child pixels; do play $case board; done
$python - "$work" <<'END' >"$log" 2>&1
import json, sys
def events(name):
    return [json.loads(line) for line in open(f"{sys.argv[1]}/{name}")]
def of(lines, event, **more):
    return [line for line in lines if line["event"] == event and all(line.get(key) == more[key] for key in more)]
moved = events("moved")
assert of(moved, "launched", pipe=0, queue=0) and of(moved, "launched", pipe=1, queue=2)
both = events("priorities")
(low,), (high,) = of(both, "fence", pipe=0), of(both, "fence", pipe=1)
assert of(both, "launched", pipe=1)[0]["clock"] > of(both, "launched", pipe=0)[0]["clock"]
assert high["clock"] < low["clock"], (high, low)
assert len(of(events("reset"), "selected", queue=0)) > 1
assert len(of(events("chain"), "executed", packet="LAUNCH_TASK")) == 1
END
note $? "the queue had waves in both pipes; the better priority came later and was over sooner" "$log"
$python sim/pictures/core.py image "$work/0.hex" 192 "$work/pixels.png" >"$log" 2>&1
note $? "the image is drawn of what memory holds" "$log"

# Four engines, on the model.
make -s -j2 -C tb/lockstep CONFIG=full CORE=rv32 alone >"$log" 2>&1
note $? "the model of full with cores" "$log"
make_one vecadd full
expect "vecadd, full" 0 "results equal: 1000 words" build/lockstep/full-rv32/totem-model run --engine model \
    build/workloads/test-vecadd-full.yaml

# What is wrong is told.
yaml=build/workloads/test-vecadd-mini.yaml
tool=build/lockstep/mini-rv32/totem-model
model() # name, code, text, sed expression
{
    sed "$4" $yaml >build/workloads/test-wrong.yaml
    expect "$1" "$2" "$3" $tool run --engine model build/workloads/test-wrong.yaml
}
first=$(sed -n '/^  results:/,/hex:/s/.*hex: //p' $yaml)
sed '3s/.*/00000001/' "build/workloads/$first" >build/workloads/test-wrong.hex
model "another result" 1 "1 of 1000 words of results differ; the first, 0x0000200008, is " \
    "s/$first/test-wrong.hex/"
model "a fence that nobody writes" 1 "no fence was written to 0x0000080008" "s/behind: .*/behind: 0x80008/"
model "no such core" 3 "core: 'x86' is not a core; take rv32" "s/core: rv32/core: x86/"
model "a table of programs" 3 "the core has no table of programs" '$aprograms: [{entry: 0, duration: 1}]'
model "another core" 2 "start the workload with build/totem" "/^core:/d"
make -s -f tb/totem/rules.mk
expect "the RTL alone" 2 "core: the cores follow the model; take --engine=both or model" \
    build/totem run --engine rtl $yaml

rm -rf "$work/core"
cp -r tb/core "$work/core"
sed -i 's/DRAIN: if (!fetch_busy \&\& !data_busy)/DRAIN: if (!fetch_busy)/' "$work"/core/*.v
! diff -rq "$work/core" tb/core >"$log"
note $? "a fault is planted in the cores" "$log"
planted=build/core/planted
make -s -f tb/core/rules.mk CONFIG=mini CORES_RTL="$PWD/$work/core" CORES_NAME=planted \
    "$PWD/$planted/libcores.a" "$PWD/$planted/verilated/verilated.o" >"$log" 2>&1 &&
    make -s -j2 -C tb/lockstep CONFIG=mini CORE=rv32 NAME=planted-rv32 CORES="$PWD/$planted/libcores.a" \
        RUNTIME="$(echo "$PWD/$planted"/verilated/verilated{,_threads}.o)" -o cores alone >>"$log" 2>&1
note $? "cores with a fault" "$log"
tool=build/lockstep/planted-rv32/totem-model
model "done before the last write" 1 "of expect.results[0] are not there yet" "s/latency: 20/latency: 400/"

$python sim/faults/promise_faults.py >"$log" 2>&1
note $? "faults of the wave interface are named: $(grep -c '^ok' "$log")" "$log"
finish

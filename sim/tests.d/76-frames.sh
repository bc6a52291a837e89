#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Dependent tasks (sim/workloads/chains.py), the captured chains too if the folder of streams is there; the worked
# example of docs/task.md, whose events are in order; tasks that name themselves (self_named.py); three chains side by
# side, whose dependents start soon (side_by_side.py).
# When writes are visible (memory.visible).
# Graphics rings: the worked examples of docs/context.md and docs/throttle.md, our own frame, of each generation, and
# the captured streams, plain and bounced, with bouncing and filter off too.
# The numbers of draws and geometry waves are those that follow from the packets, the registers of every draw those of
# the tool's shadow (sim/workloads/draws.py). A small frame with pixels beside compute queues of each priority; waves of
# each kind and pixels are as many as the packets say (sim/workloads/shares.py). In board; in full the short ones.
# The whole frame in full beside groups that wait behind its pixel waves (sim/workloads/waits.py).
# The C model runs, which is proved equal, with all judges; a run of each kind has the RTL in lockstep beside it.
# LONG=1 (make streams): all of them in lockstep, and in full too; the real compute stream among busy queues likewise.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
python=.venv/bin/python
work=build/test/frames
rm -rf "$work"
mkdir -p "$work" build/workloads

check() # name command...
{
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        good "$name"
    else
        bad "$name ($*)"
        tr '\r' '\n' <"$work/log" | tail -n 40
    fi
}
# A run of a workload, then the digests of its draws.
engine=model
[ -z "${LONG:-}" ] || engine=both
play() # name workload digests [engine]
{
    local config
    config=$(sed -n 's/^configuration: //p' "$2")
    if "build/lockstep/$config/totem" run --engine "${4:-$engine}" --json --folder build/test --events "$work/events" \
        "$2" >"$work/log" 2>&1 &&
        $python sim/workloads/draws.py "$work/events" "$3" >>"$work/log" 2>&1; then
        good "$1, $config: $(tail -n 1 "$work/log")"
    else
        bad "$1 (build/totem run $2)"
        tail -n 40 "$work/log"
    fi
}
# The worked example of throttling: geometry is granted in these clocks, in either mode.
throttled() # name workload [engine]
{
    local wanted="2128 2130 2135 2835 2874 3200 3457 3714 5100 5229 5358 5487 5616 5618 5701 5704 5708" clocks
    if ! build/lockstep/board/totem run --engine "${3:-$engine}" --folder build/test --events "$work/events" "$2" \
        >"$work/log" 2>&1; then
        bad "$1 (build/totem run $2)"
        tail -n 40 "$work/log"
        return
    fi
    clocks=$(sed -n '/"kind":"geometry"/s/^{"clock":\([0-9]*\),"event":"granted",.*/\1/p' "$work/events" |
        paste -sd ' ')
    if [ "$clocks" = "$wanted" ]; then
        good "$1: geometry is granted in its clocks"
    else
        bad "$1: geometry is granted in $clocks"
    fi
}
frame() # name options of frame.py
{
    check "make-$1" $python sim/workloads/frame.py "${@:2}" "test-$1"
}

check tool make -s -f tb/totem/rules.mk
check build-board make -s -C tb/lockstep CONFIG=board all
check build-full make -s -C tb/lockstep CONFIG=full all
board="build/lockstep/board/totem run --engine $engine --folder build/test"
made=build/workloads/test
check make-contexts $python sim/workloads/contexts.py test-contexts
play "worked examples" $made-contexts.yaml $made-contexts.digests both
check make-chains $python sim/workloads/chains.py test-chains
check "dependent tasks" build/lockstep/board/totem run --folder build/test $made-chains.yaml
check "tasks by name" $board sim/workloads/named-tasks.yaml
sed 's/BLOCK_X: 8,/BLOCK_X: 0,/; /^expect/,$d' sim/workloads/named-tasks.yaml >"$work/refused.yaml"
expect "a dependent that is refused" 1 "task second at 0x0000300100, BLOCK_X: must not be 0 (DESCRIPTOR_TMD_FIELD), \
dependent of task first at 0x0000300000" \
    build/lockstep/board/totem run --engine model "$work/refused.yaml"
sed 's/memory @0x00200000 3/memory @0x00200000 4/; /^expect/,$d' sim/workloads/named-tasks.yaml \
    >"$work/released.yaml"
expect "a release that has written another value" 0 "release 0 of task last at 0x0000300200, ended in clock " \
    build/lockstep/board/totem run --engine model "$work/released.yaml"
check make-chains-moved $python sim/workloads/chains_moved.py test-chains-moved
check "dependent tasks, moved" $board $made-chains-moved.yaml
check make-task-example $python sim/workloads/task_example.py make test-task-example
check "worked example of tasks" $board --events "$work/events" $made-task-example.yaml
check "order of the worked example" $python sim/workloads/task_example.py check "$work/events"
check make-self-named $python sim/workloads/self_named.py make test-self-named
for kind in renewed older stands crowded; do
    check "a task that names itself, $kind" $board --events "$work/events" $made-self-named-$kind.yaml
    check "its rounds, $kind" $python sim/workloads/self_named.py check $kind "$work/events"
done
check make-side-by-side $python sim/workloads/side_by_side.py make test-side-by-side
check "three chains in a queue" $board --events "$work/events" $made-side-by-side.yaml
check "every dependent starts soon" $python sim/workloads/side_by_side.py check "$work/events"
# A wait of another front end finds a write when it is accepted, or when its response comes.
for visible in accepted response; do
    cat >$made-visible-$visible.yaml <<EOF
{name: visible, configuration: full, seed: 1, cycles: 9000, memory: {latency: 400, visible: $visible}, queues: [
  {pipe: 0, queue: 0, priority: 7, pipe_priority: 1, ring: {address: 0x100000, size: 64}, map_at: 2000,
   packets: ["WRITE_DATA dst_sel=memory @0x80000 5"]},
  {pipe: 2, queue: 0, priority: 7, pipe_priority: 1, ring: {address: 0x101000, size: 64}, map_at: 0,
   packets: ["WAIT_REG_MEM function=ge,mem_space=memory @0x80000 5 0xffffffff 0"]}]}
EOF
    check "a write, $visible" build/lockstep/full/totem run --engine $engine --folder build/test \
        --events "$work/$visible" $made-visible-$visible.yaml
done
check "writes are visible then" $python - "$work" <<'EOF'
import json, sys
last = {}
for visible, late in (("accepted", 0), ("response", 400)):
    lines = [json.loads(line) for line in open(f"{sys.argv[1]}/{visible}")]
    clocks = {event: [line["clock"] for line in lines if line["event"] == event and line["address"] == 0x80000]
              for event in ("read", "write")}
    write, = clocks["write"]
    *_, vain, found = clocks["read"]
    assert vain + 400 <= write + late + 1 < found + 400 + 2, (visible, vain, found, write)
    last[visible] = found - write
assert last["accepted"] < last["response"], last
EOF
check "copies on a ring" $board sim/workloads/ring-copies.yaml
# Slices and flows of rings and of tasks.
sim/setup.sh trace >"$work/log" 2>&1 || bad 'set-up of the checks of traces'
for name in contexts chains; do
    build/lockstep/board/totem run --engine model --json --trace "$work/trace" $made-$name.yaml >"$work/result" 2>"$work/log"
    check "trace of $name" $python sim/run/check_trace.py "$work/trace" "$work/result"
done
check "atomics of two pipes" $board sim/workloads/atomics.yaml
throttled "throttling, level mode" sim/workloads/throttle.yaml both
sed 's/cntl1: 0x12355120,/cntl1: 0x12355330, cntl2: 0x544d,/' sim/workloads/throttle.yaml >$made-throttle-step.yaml
throttled "throttling, step mode" $made-throttle-step.yaml
for chip in 9 10 11; do
    frame "gfx$chip-bounced" --chip $chip --bounced
    play "frame of gfx$chip, bounced" $made-gfx$chip-bounced.yaml $made-gfx$chip-bounced.digests
done
frame gfx10 --chip 10
play "frame of gfx10" $made-gfx10.yaml $made-gfx10-bounced.digests both
frame small --draws 0 --bounced
for off in bounce filter; do
    sed "s/$off: true/$off: false/" $made-small.yaml >$made-small-$off.yaml
    play "small frame, $off off" $made-small-$off.yaml $made-small.digests
done
frame rings --draws 0 --bounced --configuration full
play "small frame on four rings" $made-rings.yaml $made-rings.digests both
# Beside compute queues.
beside() # name options of frame.py
{
    frame "$1" "${@:2}" --bounced
    play "$1" "$made-$1.yaml" "$made-$1.digests" "$(case $1 in small-all) echo both;; *) echo $engine;; esac)"
    check "shares-$1" $python sim/workloads/shares.py "$work/events" "$made-$1.json"
}
for priority in high medium low all; do
    beside small-$priority --draws 0 --compute $priority
done
# Groups of a whole engine, and of a quarter, behind the pixel waves of the frame on four rings; the C model alone.
for waves in 64 16; do
    frame waiting-$waves --waiting $waves --configuration full
    check "frame beside CS_HIGH groups of $waves waves" build/lockstep/full/totem run --engine model --folder build/test \
        --events "$work/events" "$made-waiting-$waves.yaml"
    check "CS_HIGH groups of $waves waves wait at most 4 times the longest pixel wave then running" \
        $python sim/workloads/waits.py "$work/events" "$made-waiting-$waves.json"
done
if [ -n "${LONG:-}" ]; then
    frame long --bounced --configuration full
    play "frame on four rings" $made-long.yaml $made-long.digests
    for priority in high medium low all; do
        beside long-$priority --configuration full --compute $priority
    done
fi

streams=${TOTEM_STREAMS:-../shared/streams}
if [ -d "$streams" ]; then
    check make-captured-chains $python sim/workloads/captured_chains.py "$streams" board "$work/captured-chains.yaml"
    check "captured chains of tasks" $board "$work/captured-chains.yaml"
    if [ -n "${LONG:-}" ]; then
        check make-stream-busy $python sim/workloads/real_stream.py "$streams" build/workloads
        check stream-busy build/lockstep/full/totem run --folder build/test build/workloads/stream-busy.yaml
    fi
    for config in board full; do
        check "captured-$config" $python sim/workloads/real_frame.py "$streams" $config "$work/$config"
        for file in "$work/$config"/*.yaml; do
            name=$(basename "$file" .yaml)
            if [ $config = board ] || [ -n "${LONG:-}" ] || [[ $name = glmark2* ]]; then
                play "$name" "$file" "${file%.yaml}.digests"
            fi
        done
    done
elif [ -n "${TOTEM_STREAMS:-}" ]; then
    bad "streams: TOTEM_STREAMS is $streams, which is no folder"
else
    echo "SKIPPED captured rings and chains: the captured streams are not in $streams; name their folder with TOTEM_STREAMS="
fi
finish

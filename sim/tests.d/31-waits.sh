#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Who waited, and why (docs/workloads.md): the summary of a run against its events, and the conditions by which queues
# leave their pipe, each in a run that has it. The trace of a run, as messages of Perfetto (sim/run/check_trace.py; of
# rings and tasks: 76-frames). Pictures from events (sim/run/check_picture.py). Who would
# write what a queue waits for. On the model of mini.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
python=.venv/bin/python
work=build/test/waits
tool=build/lockstep/mini/totem-model
rm -rf "$work"
mkdir -p "$work"

make -s -j2 -C tb/lockstep CONFIG=mini alone >"$work/log" 2>&1
note $? "the model of mini" "$work/log"
sed 's/^    ring:/    quantum: {enable: true, scale: 0, duration: 0}\n&/' sim/workloads/turns.yaml >"$work/quantum.yaml"
cat >"$work/polls.yaml" <<'END'
{name: polls, configuration: mini, seed: 1, cycles: 9000, memory: {latency: 40}, queues: [
  {pipe: 0, queue: 0, priority: 7, pipe_priority: 1, ring: {address: 0x100000, size: 64}, map_at: 0,
   packets: ["WAIT_REG_MEM function=eq,mem_space=memory @0x80000 5 0xffffffff 0"]},
  {pipe: 0, queue: 1, priority: 7, pipe_priority: 1, ring: {address: 0x101000, size: 64}, map_at: 0,
   packets: ["WRITE_DATA dst_sel=memory @0x80000 5"]}]}
END
cp sim/workloads/{turns,moves,offloaded-wait,standing}.yaml "$work"

# The run, then its summary from its events. Conditions in the order of their first time.
waits() # name, conditions
{
    $tool run --engine model --json --events "$work/$1.events" "$work/$1.yaml" >"$work/$1.json" 2>"$work/log" &&
        $python - "$work/$1" "$2" <<'END'
import collections, json, sys
run = json.load(open(f"{sys.argv[1]}.json"))
lines = [json.loads(line) for line in open(f"{sys.argv[1]}.events")]
of = lambda event: [line for line in lines if line["event"] == event]
conditions = list(dict.fromkeys(line["condition"] for line in of("left")))
assert conditions == json.loads(sys.argv[2]), conditions
held, slots = {}, 0
for line in of("launched") + of("done"):
    slots += line["clock"] * (1 if line["event"] == "done" else -1)
assert run["engines"][0]["slots"]["most"] <= run["engines"][0]["slots"]["count"]
assert 0 <= run["engines"][0]["slots"]["average"] - slots / run["cycles"] < 1, run["engines"]
for queue in run["queues"]:
    own = lambda line: (line.get("pipe"), line.get("queue")) == (queue["pipe"], queue["queue"])
    clocks, longest, since, reason = collections.Counter(), 0, 0, "unmapped"
    for line in [line for line in of("state") if own(line)] + [{"clock": run["cycles"], "reason": None}]:
        clocks[reason] += line["clock"] - since
        if reason not in ("works", "idle", "empty", "unmapped"):
            longest = max(longest, line["clock"] - since)
        if line["reason"] == "waits_turn": # it is ready then
            assert any(own(other) and other["clock"] <= line["clock"] for other in of("ready"))
        since, reason = line["clock"], line["reason"]
    assert {name: n for name, n in queue["clocks"].items() if n} == {name: n for name, n in clocks.items() if n}
    assert sum(clocks.values()) == run["cycles"] and queue.get("longest", {"clocks": 0})["clocks"] == longest
    turns = [line["clock"] for line in lines if own(line) and line["event"] in ("selected", "left")]
    turns += [run["cycles"] - 1] * (len(turns) % 2)
    turn = sum(b + 1 - a for a, b in zip(turns[::2], turns[1::2])) # it may leave, halted or asked, with its pipe
    kept = clocks["works"] + clocks["polls"] + clocks["idle"]
    assert kept <= turn <= kept + clocks["leaving"], (queue, clocks)
    assert abs(queue["share"] - (clocks["works"] + clocks["polls"]) / run["cycles"]) < 1e-6, queue
    at = "unmapped"
    for line in [line for line in lines if own(line) and line["event"] in ("executed", "state")]:
        if line["event"] == "state":
            at, since = line["reason"], line["clock"]
        elif at in ("works", "polls", "idle"): # a poll in vain, and nothing else, is one
            assert (at == "polls") == line.get("in_vain", False), (line, at)
            assert at != "idle" or line["clock"] <= since + 1, (line, since)
    assert not run["idle"] or at not in ("works", "polls"), (queue, since)
    left = collections.Counter(line["condition"] for line in of("left") if own(line))
    names = {"better": 1, "quantum": 2, "yields": 3, "empty": 5, "dequeue": 6, "unable": 7}
    told = collections.Counter()
    for name, times in queue["left"].items(): # what a packet gives the pipe up for: all others
        told[names.get(name, 4)] += times
    assert told == left, (queue, left)
    assert queue["waves"] == len([line for line in of("launched") if own(line)])
    assert any(map(own, of("mapped"))) and any(map(own, of("doorbell")))
heads = [line["event"] for line in lines if line["event"] in ("lacks", "fits")]
assert heads[::2] == ["lacks"] * len(heads[::2]) and heads[1::2] == ["fits"] * len(heads[1::2])
begun = [line["clock"] for line in lines if line["event"] in ("lacks", "fits")]
assert sum(b - a for a, b in zip(begun[::2], begun[1::2])) == sum(run["engines"][0]["lacked"])
assert sum(queue["lacked"] for queue in run["queues"]) == sum(run["engines"][0]["lacked"])
lacked = collections.Counter()
for begins, ends in zip(of("lacks"), of("fits")): # of one pipe and one engine
    lacked[begins["pipe"], begins["queue"]] += ends["clock"] - begins["clock"]
assert all(queue["lacked"] == lacked[queue["pipe"], queue["queue"]] for queue in run["queues"]), lacked
assert run["dispatches"] == len(of("dispatch"))
print("waits hold")
END
}
expect 'turns at flushes, and a better queue' 0 'waits hold' waits turns '[4, 5, 1]'
expect 'a quantum of 0' 0 'waits hold' waits quantum '[2, 4, 1, 5]'
expect 'a poll that yields' 0 'waits hold' waits polls '[3, 5]'
expect 'dequeues, and a halt' 0 'waits hold' waits moves '[6, 5, 7]'
expect 'a poll that ends nothing' 0 'waits hold' waits standing '[1, 5, 7]'
expect 'a smart wait' 0 'waits hold' waits offloaded-wait '[4, 5]'
row() # workload, text of the row
{
    $tool run --engine model "sim/workloads/$1.yaml" | grep -F -- "$2"
}
expect 'the table' 0 '0.3        651     162      25      35     289    3496       0   9.1 %     120     324  73 flush from 6208' \
    row turns 0.3
expect 'a queue that polls' 0 '0.0         58    6953       0      42     118      13       0  87.6 %       0       0  4915 polls from 3085' \
    row standing 4915
expect 'why queues left' 0 '0.2    left 6x: 1 a better queue was ready, 1 it was empty and another one ready, 4 flush' \
    row turns '0.2    left'
expect 'a queue that left for a smart wait' 0 '0.0    left 1x: 1 smart wait' row offloaded-wait '0.0    left'

# The trace, then traces with a planted fault each.
sim/setup.sh trace || { bad 'set-up'; finish; }
trace() # name, sed script for the trace
{
    $tool run --engine model --json --trace "$work/$1.trace" "$work/$1.yaml" >"$work/$1.json" 2>"$work/log" &&
        sed "$2" "$work/$1.trace" >"$work/changed.trace" &&
        $python sim/run/check_trace.py "$work/changed.trace" "$work/$1.json"
}
expect 'the trace of turns' 0 'the trace holds: 480 waves, 21 dispatches, 4 fences, 505 flows' trace turns ''
expect 'the trace of moves' 0 'the trace holds: 536 waves, 7 dispatches, 4 fences' trace moves ''
expect 'an end of a flow is lost' 1 'a flow lacks an end' trace turns '0,/"ph":"f"/{/"ph":"f"/d}'
expect 'a flow ends where nothing is' 1 'in no slice of its kind' trace turns '/"ph":"f"/s/"tid":0/"tid":3/'
expect 'slices that cross' 1 'AssertionError: ((1, 0)' trace turns '/"name":"dispatch"/s/"dur":/"dur":1/'
expect 'a lost fence' 1 "a flow lacks an end" trace turns '0,/"cat":"fence"/{/"cat":"fence"/d}'
expect 'a lost wave' 1 'in no slice of its kind' trace turns '0,/"ph":"X","name":"compute/{/"ph":"X","name":"compute/d}'
expect 'dispatches too many' 1 "('dispatch', 37, 21)" trace turns '/"name":"EVENT_WRITE"/s/"packet"/"dispatch"/'
expect '--trace that cannot be written' 3 "$work/none/x cannot be written" $tool run --trace="$work/none/x" \
    sim/workloads/turns.yaml
expect '--trace without a model' 2 '--trace is made from events of the model' $tool run --engine=rtl --trace=x \
    sim/workloads/turns.yaml

# Pictures, then pictures with a planted fault each, then files that are no events.
make -s -f tb/totem/rules.mk >"$work/log" 2>&1
note $? 'build/totem' "$work/log"
picture() # name, sed script for the picture, options
{
    build/totem picture "${@:3}" -o "$work/$1.svg" "$work/$1.events" && sed "$2" "$work/$1.svg" >"$work/changed.svg" &&
        $python sim/run/check_picture.py "$work/$1.events" "$work/changed.svg"
}
$python - >"$work/many.events" <<'END'
import json
begin, turn = 2_000_000_000, 30_000_000
for q in range(12):
    print(json.dumps({"clock": 0, "event": "state", "pipe": 7 - q // 6, "queue": q % 6, "reason": "waits_turn"}))
for n in range(60):
    clock, last = begin + n * turn, {"pipe": 6, "queue": (n - 1) % 6}
    print(json.dumps({"clock": clock, "event": "left", **last, "condition": 2}))
    print(json.dumps({"clock": clock, "event": "state", **last, "reason": "flush"}))
    print(json.dumps({"clock": clock, "event": "selected", "pipe": 6, "queue": n % 6}))
    print(json.dumps({"clock": clock, "event": "state", "pipe": 6, "queue": n % 6, "reason": "works"}))
END
for name in turns moves polls standing many; do
    expect "the picture of $name" 0 'the picture holds' picture $name ''
done
expect 'a part of a picture' 0 'the picture holds' picture turns '' --from 5000 --to 5999
expect 'a text on another one' 1 "('queue 0.1', 'queue 0.0')" picture turns '/>queue 0.1</s/ y="[0-9.]*"/ y="120"/'
expect 'a state of another colour' 1 "'#f59f00'" picture turns 's/#f59f00/#845ef7/'
expect 'a turn that is not there' 1 "('pipe 0', '#fdb462'" picture turns 's/#fdb462/#ffffff/'
expect 'an axis that is off' 1 'AssertionError: 6,000' picture turns 's/>5,500</>6,000</'
bad_events() # sed script for the events of turns
{
    sed "$1" "$work/turns.events" >"$work/bad.events"
    build/totem picture -o "$work/bad.svg" "$work/bad.events"
}
expect 'a line that is no JSON' 1 "$work/bad.events:3: no JSON object: " bad_events '3s/}//'
expect 'an event without its pipe' 1 'this event has no good member pipe; write the file with totem run --events' \
    bad_events '/selected/s/"pipe":0,//'
expect 'a pipe that is not there' 1 'no good member pipe' bad_events '/selected/s/"pipe":0/"pipe":99/'
expect 'a reason that is none' 1 'no queue has the reason sleeping' bad_events 's/"flush"/"sleeping"/'
expect 'clocks that go back' 1 "$work/bad.events:2: this clock is before that of the line above" bad_events \
    '1s/"clock":[0-9]*/"clock":9000/'
expect 'a wave that has not begun' 1 'a wave ends that has not begun' bad_events '/launched/d'
expect 'a file without states' 1 'no event tells a state' bad_events '/"state"/d'
expect 'an empty file' 1 'no event tells a state; write the file with totem run --events' bad_events d
expect 'no file' 3 "$work/none cannot be read: No such file" build/totem picture -o "$work/x.svg" "$work/none"
expect 'no place for the picture' 3 "$work/none/x.svg cannot be written: No such file" build/totem picture \
    -o "$work/none/x.svg" "$work/turns.events"
expect 'no clock at all' 1 'no clock lies from 9000 to 8000' build/totem picture --from 9000 --to 8000 \
    -o "$work/x.svg" "$work/turns.events"
expect 'a name of no SVG' 2 "'x.png': totem picture writes SVG; name the file .svg" build/totem picture -o x.png \
    "$work/turns.events"
expect 'no -o' 2 'where to? name a file with -o' build/totem picture "$work/turns.events"

# Who would write what a queue waits for: the sentence at the end of a run that stands.
wanted() # value, address; then the packets beside it
{
    cat >"$work/wanted.yaml" <<END
name: wanted
configuration: mini
seed: 1
cycles: 6000
memory: {latency: 40}
programs: [{entry: 0, duration: ${duration:-60}, spread: 0}]
image:
  - {address: 0x300000, packets: [NOP 0, WRITE_DATA dst_sel=memory @0x200000 1]}
queues:
  - {pipe: 0, queue: 0, priority: 7, pipe_priority: 1, ring: {address: 0x100000, size: 64}, map_at: 0,
     packets: ["WAIT_REG_MEM function=eq,mem_space=memory @$2 $1 0xffffffff 0"]}
  - pipe: 0
    queue: 1
    priority: 8
    pipe_priority: 1
    ring: {address: 0x110000, size: 64}
    map_at: 0
    ${doorbells:-}
    packets: [$3]
END
    $tool run --engine model --events "$work/wanted.events" "$work/wanted.yaml"
}
wave='SET_SH_REG COMPUTE_NUM_THREAD_X 128 1 1'
grid="$wave, 'DISPATCH_DIRECT 40 1 1 compute_shader_en=1,force_start_at_000=1'"
release="'RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe data_sel=32_bits @0x200000 1 0 0'"
doorbells='doorbells: [{at: 100, packets: 1}]' expect 'a write that no doorbell announces' 0 \
    'WRITE_DATA of pipe 0 queue 1 at 0x0000110008 would write it, but its doorbell has announced 2 of 12 dwords' \
    wanted 1 0x200000 "NOP 0, 'WRITE_DATA dst_sel=memory @0x200000 1', 'WRITE_DATA dst_sel=memory @0x200008 1'"
doorbells='doorbells: [{at: 100, packets: 1}]' expect 'a write in a buffer that no doorbell announces' 0 \
    'WRITE_DATA of pipe 0 queue 1 at 0x0000300008 would write it, but its doorbell has announced 2 of 6 dwords' \
    wanted 1 0x200000 "NOP 0, 'INDIRECT_BUFFER @0x300000 ib_size=7,valid=1'"
expect 'a write that was executed' 0 'RELEASE_MEM of pipe 0 queue 1 at 0x0000110000, executed in clock ' \
    wanted 2 0x200000 "$release"
grep -q ', executed in clock [0-9]*, writes 0x1 there$' "$work/out"
note $? 'its clock and its value' "$work/out"
expect 'a write beside it' 0 'writes it; nearest write: 0x0000200000 (8 bytes before) by RELEASE_MEM of pipe 0 queue 1' \
    wanted 1 0x200008 "$release"
grep -q '"reason":"polls","for":{"of":"memory","address":2097160,"function":"==","reference":1,"mask":4294967295}' \
    "$work/wanted.events"
note $? 'the state says for what it polls' "$work/wanted.events"
expect 'nobody writes it' 0 'reads in vain; nothing that the workload holds writes it' wanted 1 0x200080 "$release"
duration=2000 expect 'a grid that goes on' 1 'queue 1 goes on, since clock ' wanted 1 0x200080 "$grid"
grep -qE 'DISPATCH_DIRECT .*: it has its pipe; [1-9][0-9]* groups of its grid granted, [1-9][0-9]* left; ' "$work/out"
note $? 'its groups' "$work/out"
grep -q 'give more with --cycles, or see what it does with --events' "$work/out"
note $? 'no waves without the RTL' "$work/out"
finish

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The machine on a board (docs/bring-up.md) without one, in short: the board in Verilator with 64 KiB, `totem host` at
# its pseudo-terminal. Identify, memory test, a run with the model's signature, noise on the line, a planted fault that
# parts in its interval, another one in a block, which is named and which the Verilog does not have. Traces with each kind of trigger, their FST read back. A
# kernel on a board with a RISC-V core: its results, and the signature of model and Verilated core. Boards that are wrong,
# ports and workloads that are refused. `make bring-up` is the long form.
set -u
cd "$(dirname "$0")/../.."
. sim/tally.sh
work=build/test/bring-up
rm -rf $work
mkdir -p $work

make -s -f tb/totem/rules.mk >$work/log 2>&1
note $? 'build/totem' $work/log
make -s -C tb/lockstep CONFIG=mini alone >$work/log 2>&1
note $? 'the model of mini' $work/log
program=$(BOARD_BYTES=65536 fpga/board.sh --build mini 2>$work/log)
note $? 'the board in Verilator' $work/log
with_core=$(BOARD_BYTES=65536 fpga/board.sh --build mini-rv32 2>$work/log)
note $? 'a board with a core' $work/log
make -s -C tb/lockstep CONFIG=mini CORE=rv32 COUNT=1 alone >$work/log 2>&1 &&
    read -r vecadd _ < <(sim/run/workload.sh vecadd-board 2>$work/log)
note $? 'its model, and a kernel' $work/log
sim/setup.sh waves >$work/log 2>&1
note $? 'GTKWave' $work/log
[ "$failed" = 0 ] || finish

. fpga/board_process.sh
host()
{
    build/totem host --port $work/port --report $work/report.json "$@"
}
run()
{
    "build/lockstep/${model:-mini}/totem-model" host --port $work/port --report $work/report.json "$@"
}
report() # Python on the last report
{
    .venv/bin/python -c "import json; r = json.load(open('$work/report.json')); assert ($1), r"
}
turns=sim/workloads/turns.yaml

board "$program"
expect 'identify' 0 'board simulation, configuration mini (0x' host identify
expect 'memory test' 0 ' 0 wrong' host test --bytes 2048 --from 0xf800
expect 'a run: the signature of the model' 0 'equal in every clock; 480 waves, 4 fences, 4 interrupts' run run $turns
signature=$(grep -o 'board  [0-9a-f]*' $work/out)
[ -n "$signature" ]
note $? 'it says the signature'
expect 'its registers, checkpoints and report' 0 '' report '(b := r["result"]["board"])["checkpoints"] == r["result"]["model"]
    ["checkpoints"] and len(b["checkpoints"]) == b["clocks"] >> 4 and all(s["board"] == s["model"] for s in
    r["result"]["statistics"].values()) and r["tool"] and r["board"]["memory"] == 65536 and r["line"]["requests"] > 50'

# The trace, whose FST is read back: when a signal changes, and what it is in a clock.
traced() # options
{
    rm -f $work/trace.*
    run --trace $work/trace.fst "$@"
}
wave() # Python on `changes`, clocks by signal, and `at(name, clock)`
{
    fst2vcd -f $work/trace.fst -o $work/trace.vcd && .venv/bin/python - $work/trace.vcd "$1" <<'EOF'
import re
import sys
names, values, clock, scope = {}, {}, 0, ""
for line in open(sys.argv[1]):
    if found := re.match(r"\$scope module (\w+)", line):
        scope = found[1]
    elif found := re.match(r"\$var \w+ \d+ (\S+) (\w+)", line):
        names[found[1]] = f"{scope}.{found[2]}"
    elif line[0] == "#":
        clock = int(line[1:])
    elif found := re.match(r"b([01x]+) (\S+)|([01x])(\S+)", line):
        values.setdefault(names[found[2] or found[4]], []).append((clock, found[1] or found[3]))


def at(name, clock):
    return int([value for when, value in values[name] if when <= clock][-1], 2)


changes = {name: [when for when, _ in each] for name, each in values.items()}
trigger = changes["board.triggered"][-1]
assert eval(f"({sys.argv[2]})"), {name: each[-3:] for name, each in values.items()}
EOF
}
pins=irq,host_write,host_read,memory_write,memory_read
expect 'a trace' 0 'records, not triggered; equal to the model' traced --signals $pins run $turns
expect 'its waves' 0 '' wave 'at("board.access", 4243) == 1 and at("board.access", 4244) == 0 and
    at("board.address", 4243) == 0x4008 and at("board.data", 4243) == 0x3a and at("board.write", 4243) == 1'
expect 'a trigger: a register' 0 'records, triggered at clock 4243; equal to the model' traced --behind 1 \
    --trigger 'doorbell[2]=0x1a/0x1f' --signals irq run $turns
expect 'its waves: no other signal, and the end' 0 '' wave '"board.host_write" not in values and trigger == 4243 and
    changes["board.access"][-1] == 6013'
expect 'a trigger: a signal' 0 'triggered at clock 6052; equal to the model' traced --behind 5 --trigger memory_write \
    --signals $pins run $turns
expect 'its waves: it has risen there' 0 '' wave 'at("board.memory_write", trigger) == 1 and
    at("board.memory_write", trigger - 1) == 0'
grep -q '^board.memory_write$' $work/trace.gtkw && grep -q 'trace.fst"' $work/trace.gtkw
note $? 'its view' $work/trace.gtkw
expect 'a trigger: a signal of a block' 0 'equal to the model' traced --behind 40 --trigger launch --signals \
    grant,launch,free,complete run $turns
expect 'its waves: the first wave is granted, launched, ends and counts, in this order' 0 '' wave '(first := [
    next(t for t, v in values[f"board.{n}"] if v == "1") for n in ("grant", "launch", "free", "complete")])[0] < first[1]
    == trigger < first[2] <= first[3]'
expect 'as JSON' 0 '"equal": true' run --json run $turns
# Addresses of moves within 64 KiB: 0x00310008 is 0x00003408.
sed 's/0x00\(.\)\(.\)00/0x0000\1\2/; s/\(0x0000.\)1/\14/; s/\(0x0000.\)2/\18/' sim/workloads/moves.yaml \
    >$work/moves.yaml
expect 'another workload, with an error' 0 'equal in every clock' run run $work/moves.yaml
expect 'nothing of it is left, in pins and folds of blocks' 0 "$signature" run run $turns
expect 'registers by name, memory, several' 0 'machine.MAGIC 0x544f544d' host read machine.MAGIC 0x5000 bridge.NOW
expect 'a register is written' 0 '' host write machine.QUANTUM_UNIT0 0x7e7d
expect 'and read' 0 'UNIT0 0x00007e7d' host read machine.QUANTUM_UNIT0
expect 'one that only reads' 1 'the machine answered with an error' host write machine.CLOCK_LO 1
expect 'reset' 0 '' host reset
expect 'a machine in reset has no registers' 1 'release` lets it go' host read machine.MAGIC
expect 'release' 0 '' host release
for _ in {1..20}; do # the tool throws away what the board has not taken yet
    printf '\x7e\x01\x02\x01\x00\x00\x00' >$work/port
    sleep 0.2
    host read machine.QUANTUM_UNIT0 >$work/cut
    ! report 'r["dropped_by_board"]' 2>$work/log || break
done
expect 'a frame that is cut off' 0 'UNIT0 0x00001388' cat $work/cut
expect 'is counted' 0 '' report 'r["dropped_by_board"] == 1'
expect 'memory is written' 0 '' host write 0xfffc 0x12345678
expect 'an address outside' 2 '0x00010000 is outside: memory of this board ends at 0x00010000' host write 0xfffc 1 2
expect 'nothing was written' 0 '0xfffc 0x12345678' host read 0xfffc
expect 'reads too' 2 '0x00010000 is outside' host read 0xff00:65
expect 'an address of no dword' 2 "'0x11' is no address of a dword" host read 0x11
expect 'a register that there is not' 2 "no register is called 'machine.MAGIK'; the nearest is machine.MAGIC" host read \
    machine.MAGIK
expect 'one of the bridge' 2 "the bridge has no register 'LATER'" host read bridge.LATER
expect 'a value that is no number' 2 "'1e3' is no dword" host write 0x100 1e3
expect 'an area beyond memory' 2 'change --from or --bytes' host test --from 0xfff8 --bytes 16
expect 'a run without a workload' 2 'run which WORKLOAD?' host run
expect 'a workload that is not there' 3 'none.yaml' host run none.yaml
changed() # sed script for turns.yaml
{
    sed "$1" $turns >$work/changed.yaml
    host run $work/changed.yaml
}
expect 'random latency' 2 'changed.yaml:12: memory.latency_spread: the memory of a board has no random latency' changed \
    's/  latency: 20/&\n  latency_spread: 3/'
expect 'faults' 2 'memory.faults: the memory of a board has no faults' changed \
    's/  latency: 20/&\n  faults: [{address: 0x1000, kind: read_slverr, at: 0}]/'
expect 'a ring beyond memory' 2 'queues[3].ring: 0x0000100000 is outside' changed 's/0x00004000/0x00100000/'
expect 'a fence beyond memory' 2 'accesses 0x0000100000; memory of this board ends at 0x00010000' changed \
    's/@0x00005000/@0x00100000/'
expect 'too many accesses' 2 'the boot list of this board has 512 entries' changed \
    "s/^expect:/writes: [$(for n in {1..270}; do printf '{at: 1, address: 0x58, value: 0},'; done)]\n&/"
expect 'a ring that is too small for its packets' 2 'queues[0].ring: its packets are more than the ring holds' changed \
    's/size: 256/size: 64/; s/DISPATCH_DIRECT 12/NOP 1 2 3 4 5 6 7 8 9\n      - &/'
expect 'a register that reset leaves' 2 'changed.yaml:65: expect.registers[1].address: a reset leaves' changed \
    's/^expect:/&\n  registers: [{at: 9, address: 0x1058, value: 0}, {at: 9, address: 0x1054, value: 0}]/'
expect 'a core that is not there' 2 'core: this board has no core' host run "$vecadd"
sed "s/^expect:/writes: [{at: 5000, address: 0x20, value: 0}]\n&/" $turns >$work/refused.yaml
expect 'a trigger: an error' 1 'triggered at clock 5005; equal to the model' traced --behind 0 --trigger error \
    run $work/refused.yaml
expect 'its waves' 0 '' wave 'at("board.error", trigger) == at("board.host_error", trigger) == 1 and
    at("board.address", trigger) == 0x20'
expect 'a trigger that there is not' 2 "a trace has no signal 'eror'; there are irq host_write" traced --trigger eror \
    run $turns
expect 'a register that there is not' 2 'no register is called' traced --trigger machine.MAGIK run $turns
expect 'a value that is none' 2 'behind the register =VALUE or' traced --trigger machine.STATUS=1/x run $turns
expect 'a file of another kind' 2 'the name ends in .fst or .vcd' run --trace $work/trace.txt run $turns
long=$(printf 'x%.0s' {1..1020})
expect 'a name that is too long' 2 'the name has more than 1000 characters' run --trace $work/$long.fst run $turns
expect 'a trigger that is too long' 2 'a trigger has at most 127 characters' traced --trigger machine.$long run $turns
expect 'options of a trace without one' 2 '--trace FILE writes one' run --behind 256 run $turns
expect 'a trace that cannot be written' 3 'none/x.vcd cannot be written' run --trace $work/none/x.vcd run $turns
expect 'another configuration' 2 'a board has one front end' host run sim/workloads/pole.yaml
expect 'an expectation that is not met' 1 'unmet: memory 0x0000005000 is 0x00005eed, not 0x00005eee' changed \
    's/0x5eed}/0x5eee}/'
standing() # sed script for standing.yaml, in 64 KiB
{
    sed "s/0x00\(..\)00/0x0000\1/; s/size: 256/size: 64/; $1" sim/workloads/standing.yaml >$work/changed.yaml
    host run $work/changed.yaml
}
expect 'an error that is expected' 0 '4 of 4 expectations met' standing ''
expect 'one that is not' 1 'unmet: events.ERROR_COUNT[0] is 1, not 0' standing '/errors:/d; /code:/d'
expect 'another one' 1 'the first error is PACKET_COUNT_PAST_WPTR of queue 2, which expect' standing \
    's/PAST_WPTR/PAST_IB/'
expect 'of another queue' 1 'the first error is PACKET_COUNT_PAST_WPTR of queue 2, which expect' standing \
    '/code:/s/queue: 2/queue: 1/'
expect 'a baud that ports do not have' 2 'a serial port has one of 9600 ' host --baud 31250 identify
board .venv/bin/python sim/run/answers.py $work/port folds
expect 'other folds' 2 'the board has 0 folds of blocks, the model ' run run $turns
expect 'nothing was written' 0 'bridge.NOW 0x00000000' host read bridge.NOW

board "$with_core"
expect 'a board with a core' 0 'features: signature trace core' host identify
model=mini-rv32-1 expect 'it has no signals of blocks' 2 'its trace has no signals of blocks' traced --trigger grant \
    run "$vecadd"
model=mini-rv32-1 expect 'a kernel: results, and the signature of model and core' 0 \
    'equal in every clock; 16 waves, 1 fences, 1 interrupts' run run "$vecadd"
expect 'its registers and results' 0 '' report 'all(s["board"] == s["model"] for s in r["result"]["statistics"].values())
    and r["result"]["expectations"] == 6 and not r["result"]["unmet"]'
model=mini-rv32-1 expect 'for an engine without core' 2 'this program is for other cores' run run $turns
expect 'likewise by the board' 2 'this board has a RISC-V core in the place of its wave engine' host run $turns

board "$program" --noise 9000 --seed 5
expect 'noise on the line: the same signature' 0 "$signature" run run $turns
expect 'noise: memory test' 0 ' 0 wrong' host test --bytes 2048
expect 'which was there' 0 '' report 'r["dropped_by_board"] and r["line"]["retries"]'

board "$program" --plant 5000
expect 'a planted fault parts in its interval' 1 'part in a clock from 4992 to 5007' run run $turns
expect 'between pins and signature, since no block differs' 0 '' report 'r["result"]["folds"]["blocks"] == []'
expect 'and in its clock' 1 'part in a clock from 5000 to 5000' run --bisect run $turns
expect 'and in the trace' 1 'not triggered; DIFFERENT from the model' traced --signals $pins run $turns
grep -q '(clock 5000)$' $work/out
note $? 'from its clock on' $work/out
expect 'whose waves have both' 0 '' wave 'at("board.irq", 5000) != at("model.irq", 5000) and
    at("board.irq", 4999) == at("model.irq", 4999)'
board "$program" --stick 3000
expect 'a block that counts nothing any more is named' 1 ': block flight (core.g_fe' run run $turns
expect 'alone, before the pins part' 0 '' report '(f := r["result"]["folds"])["repeats"] and len(f["blocks"]) == 1
    and 3000 <= f["clock"] < r["result"]["parts"]["from"]'
expect 'the Verilog does not do it' 1 'the Verilog is equal to the model in all' host --lockstep $work/lockstep \
    run $turns
expect 'up to the clock of the board' 0 '' report '(l := r["result"]["lockstep"])["equal"] and
    l["clocks"] == r["result"]["parts"]["to"] + 1'
stop

wrong() # what, as of answers.py
{
    stop
    board .venv/bin/python sim/run/answers.py $work/port "$1"
}
wrong hash
expect 'a wrong bitstream' 1 'wrong bitstream: the board has configuration unknown (0x' run run $turns
expect 'nothing was written' 0 'bridge.NOW 0x00000000' host read bridge.NOW
wrong magic
expect 'no board' 1 'MAGIC is 0x42544f55, not 0x42544f54' host identify
wrong bit
expect 'a data line' 1 'data lines: 0x00000000 reads 0x00000000, not 0x00000020 (bits 0x00000020)' host test
wrong lines
expect 'an address line' 1 'address lines: 0x00000000 reads ' host test
wrong silent
expect 'no answer' 3 'no answer to 3 requests at 0x20000000: nothing came back' host --timeout 50 identify
wrong gone
expect 'a board that goes away' 3 'the port is gone' timeout 60 build/totem host --port $work/port \
    --timeout 50000 identify
wrong garbage
expect 'garbage' 3 'bytes came back' host --timeout 50 identify
wrong echo
expect 'RX and TX together' 3 'bytes came back' host --timeout 50 identify
expect 'a report that cannot be written' 3 'none/x cannot be written' build/totem host --port $work/port --timeout 50 \
    --report $work/none/x identify
if [ "$(id -u)" = 0 ]; then
    chmod 600 "$(readlink $work/port)"
    cp build/totem $work/totem
    expect 'a port that is not permitted' 3 'this user may not open the port' setpriv --reuid 65534 --clear-groups \
        $work/totem host --port "$(readlink $work/port)" identify
fi
stop
expect 'a port that is not there' 3 'there is no such port' host identify
expect 'a file that is no port' 3 'is no serial port' build/totem host --port Makefile identify
expect 'no port' 2 'which port?' build/totem host identify
expect 'no command' 2 'which COMMAND' build/totem host --port x
expect 'a command that there is not' 2 "there is no command 'identity'" build/totem host --port x identity
finish

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/bring-up.md without a board: the board in Verilator, `totem host` talks to it as to hardware. As it is, with noise
# on the line, with a planted fault that must part at the right place, with a Verilog that has one too, and with a core
# that runs a kernel.
#
#   fpga/bring_up.sh    configuration mini; ends in "N passed, N failed"; logs in build/bring-up/

set -u
cd "$(dirname "$0")/.."
. sim/tally.sh
config=mini
work=build/bring-up
workload=sim/workloads/turns.yaml
rm -rf $work
mkdir -p $work

make -s -f tb/totem/rules.mk >$work/log 2>&1
note $? "build/totem" $work/log
make -s -C tb/lockstep CONFIG="$config" alone >$work/log 2>&1
note $? "the model" $work/log
program=$(fpga/board.sh --build "$config" 2>$work/log)
note $? "the board in Verilator" $work/log
with_core=$(fpga/board.sh --build "$config-rv32" 2>$work/log)
note $? "a board with a core" $work/log
vecadd=$(sim/run/workload.sh vecadd-board 2>$work/log)
note $? "a kernel" $work/log
vecadd=${vecadd%% *}
[ "$failed" = 0 ] || finish

. fpga/board_process.sh
host()
{
    build/totem host --port $work/port --report $work/report.json "$@"
}
signature() # the board's of the last run
{
    sed -n 's/^signature of the board *\([0-9a-f]*\),.*/\1/p' $work/out
}
report() # Python on the last report
{
    .venv/bin/python -c "import json; r = json.load(open('$work/report.json')); assert $1, r['line']"
}

board "$program"
expect 'identify' 0 "board simulation, configuration $config" host identify
expect 'memory test' 0 ' 0 wrong' host test
expect 'workload turns: the signature of the model' 0 'equal in every clock; 480 waves, 4 fences' host run $workload
grep -q ' 0 differ from' $work/out
note $? "its registers: $(grep registers $work/out)" $work/out
first=$(signature)
expect 'again' 0 'equal in every clock' host run $workload
[ -n "$first" ] && [ "$(signature)" = "$first" ]
note $? "the same signature: $first"

board "$program" --noise 30000 --seed 7
expect 'noise on the line: identify' 0 "board simulation, configuration $config" host identify
expect 'noise: memory test' 0 ' 0 wrong' host test --bytes 65536
expect 'noise: the same signature' 0 "$first" host run $workload
expect 'noise: it was there, and told' 0 '' report 'r["dropped_by_board"] > 2 and r["line"]["retries"] > 2'

board "$program" --plant 5000
expect 'a fault planted in clock 5000 parts there' 1 'a clock from ' host run $workload
expect 'in its interval' 0 '' report \
    '(p := r["result"]["parts"])["from"] <= 5000 <= p["to"] < p["from"] + (1 << r["result"]["model"]["stride"])'
expect 'found by shorter runs' 1 'a clock from 5000 to 5000' host --bisect run $workload
board "$program" --stick 3000
expect 'a block that counts nothing from clock 3000 on is named' 1 ': block flight (core.' host run $workload

# The same with a Verilog that has a fault, too.
cp -r rtl $work/rtl && .venv/bin/python sim/faults/plant_fault.py fence-sum $work/rtl >$work/log 2>&1 &&
    make -s -C tb/lockstep CONFIG="$config" RTL="$PWD/$work/rtl" NAME="$config-bring-up" all waves >>$work/log 2>&1
note $? "a Verilog with a fault" $work/log
expect 'in lockstep it differs, too' 1 'the Verilog differs from the model, too, from clock ' \
    "build/lockstep/$config-bring-up/totem" host --port $work/port --lockstep $work/lockstep run $workload
grep -q 'flight' $work/lockstep/board.txt && [ -s $work/lockstep/board.fst ] && [ -s $work/lockstep/board.gtkw ]
note $? 'with words, waves and view' $work/lockstep/board.txt

board "$with_core"
expect 'a kernel: the signature of model and core' 0 'equal in every clock; 16 waves, 1 fences' host run "$vecadd"
finish

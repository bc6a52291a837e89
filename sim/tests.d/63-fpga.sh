#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The self-checking tops of fpga/tops.yaml, without FPGA tools. Each: the run does every kind of work that its row
# names, a short run need not; all output bits reach the signature; the RTL under Verilator gives the model's signature,
# also after a restart in the middle; a planted output bit and a planted fault of sim/faults/faults.txt give red and the
# first wrong clock. The tops of both boards pass Verilator's lint, Icarus and Yosys; the panel with its buttons and
# LEDs runs under Icarus. A wrong row, option, name or variable is refused. The folders of the boards: table, pins
# against ports, lint of the machine's tops with the vendor's cells as black boxes. The models of cells for netlists.

set -u
cd "$(dirname "$0")/../.."
unset CHECK_NAME SYNTH_RTL
. sim/tally.sh
work=build/fpga/test
rm -rf $work
mkdir -p $work

includes=() libraries=()
for area in rtl/*/; do
    includes+=("-I${area%/}" -y "${area%/}")
    libraries+=(-libdir "${area%/}")
done

while read -r top name _; do
    # The step is shorter than a run on a board: 2^18 clocks but for the model alone.
    fpga/check.sh model "$top" >$work/$top.model 2>&1
    note $? "$top: the model does all work of its row: $(grep -c '^ok' $work/$top.model) kinds" $work/$top.model
    build/fpga/$top/signature >$work/$top.again
    cmp -s $work/$top.model $work/$top.again
    note $? "$top: $(head -n 1 $work/$top.model), twice the same"
    build/fpga/$top/signature --clocks 64 --flips 40 >$work/$top.flips
    note $? "$top: $(tail -n 1 $work/$top.flips)" $work/$top.flips

    expect "$top: a run of 300 clocks need not do all work" 0 "after 300 clocks" \
        env CHECK_NAME=$top-short fpga/check.sh model "$top" --clocks 300

    export CHECK_NAME=$top-test
    fpga/check.sh simulate "$top" --clocks 262144 >$work/$top.run 2>&1
    note $? "$top under Verilator: $(cat $work/$top.run)" $work/$top.run
    run=build/fpga/$CHECK_NAME/verilated/simulate
    expect "$top: restarted in the middle, the same signature" 0 "$(head -n 1 $work/$top.run)" $run --restart 100001
    expect "$top: one output bit flipped in one clock is red, with clock and mark" 1 \
        "differ: 70001; LEDs show mark 17" $run --plant 70000
    expect "$top: in the last half, the last mark" 1 "differ: 200001; LEDs show mark 18" $run --plant 200000

    if [ "$name" = - ]; then
        bad "$top: its row names no fault of sim/faults/faults.txt"
    else
        copy=$work/rtl-$top
        cp -r rtl $copy
        .venv/bin/python sim/faults/plant_fault.py "$name" $copy >$work/plant &&
            expect "$top: fault $name in the RTL is red" 1 "first clock whose outputs differ" \
                env SYNTH_RTL=$copy CHECK_NAME=$top-planted fpga/check.sh simulate "$top" --clocks 262144
    fi
    expect "$top: an unknown option of the simulation" 2 "usage: simulate" $run --plnat 5
    expect "$top: a run without a verdict in time ends" 1 "no verdict after 5096 clocks" $run --clocks 1000
    unset CHECK_NAME

    for board in hx8k ulx3s; do
        file=fpga/$board/totem_$board.v
        paths=(-y fpga -Ibuild/fpga/$top -y build/fpga/$top)
        expect "$top on $board: Verilator" 0 "" verilator --lint-only -Wall --default-language 1364-2005 \
            "${includes[@]}" "${paths[@]}" --top-module totem_$board sim/verilator.vlt $file
        expect "$top on $board: Icarus" 0 "" \
            iverilog -g2005 -Wall -t null "${includes[@]}" "${paths[@]}" -s totem_$board $file
        [ -s $work/out ] && bad "$top on $board: Icarus warns" $work/out
        expect "$top on $board: Yosys" 0 "" yosys -q -e '.*' -p "
            verilog_defaults -add $(printf -- '-I%s ' rtl/*/) -Ibuild/fpga/$top; read_verilog -defer $file;
            hierarchy -check -top totem_$board ${libraries[*]} -libdir fpga -libdir build/fpga/$top;
            proc; opt_clean; select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr; check -assert"
    done
done < <(.venv/bin/python sim/gen/gen_fpga.py --list)

# The top that Icarus plays soonest.
CHECK_NAME=panel fpga/check.sh model monitor --clocks 100 >$work/panel.model 2>&1
iverilog -g2005 -Wall "${includes[@]}" -y fpga -Ibuild/fpga/panel -y build/fpga/panel -s totem_panel_bench \
    -o $work/panel fpga/totem_panel_bench.v >$work/panel.log 2>&1 &&
    timeout 300 vvp -n $work/panel >$work/panel.log 2>&1
add panel $work/panel.log

expect "a clock of the model by name" 0 "out free_slots                       40" \
    env CHECK_NAME=shown fpga/check.sh model pole --clocks 300 --show 0
tops=$(.venv/bin/python sim/gen/gen_fpga.py --list | cut -d ' ' -f 1 | xargs)
expect "refused: neither board nor top" 2 "alone: $tops" fpga/build.sh --check "" ""
expect "refused: a board that there is not" 2 "ulx3s: $tops mini" fpga/build.sh --check hx1k pole
expect "refused: a machine on a board without room" 2 "hx8k: $tops" fpga/build.sh --check hx8k mini
expect "refused: a block on a board with the machine alone" 2 "orangecrab: mini" fpga/build.sh --check orangecrab pole
expect "refused: a planted fault of a block in the machine" 2 "mini is the machine" \
    fpga/build.sh --check --fault ulx3s mini
expect "a board and a top" 0 "" fpga/build.sh --check ulx3s cam
expect "a board and the machine" 0 "" fpga/build.sh --check orangecrab mini
for value in abc 0 -5 2147483648; do
    expect "refused: $value clocks" 2 "--clocks has '$value': write a" fpga/build.sh --check --clocks $value hx8k pole
    expect "refused: $value clocks, model" 2 "--clocks has '$value': write a" fpga/check.sh model pole --clocks $value
done
expect "refused: FPGA_SEEDS='1 abc'" 2 "FPGA_SEEDS has 'abc': write a" \
    env FPGA_SEEDS="1 abc" fpga/build.sh --check hx8k pole

mkdir -p $work/copy
cp -r sim fpga $work/copy/
for folder in docs rtl cmodel .venv; do ln -sfn "$PWD/$folder" $work/copy/$folder; done

refused() # what, sed expression on the table, text
{
    sed "$2" fpga/tops.yaml >$work/copy/fpga/tops.yaml
    expect "refused: $1" 1 "$3" .venv/bin/python $work/copy/sim/gen/gen_fpga.py pole $work/copy/out
}
refused "a port that the block lacks" 's/^      launch_room: .*/      lunch_room: any/' "no input 'lunch_room'"
refused "a draw that there is not" 's/^      launch_room: .*/      launch_room: one_in 3/' \
    "draw 'one_in 3' of launch_room is not a power of two"
refused "a word that is no draw" 's/^      launch_room: .*/      launch_room: twice 3/' "draw 'twice 3' of launch_room"
refused "an unknown name in a rule" 's/free_slots < SLOTS/free_slots < SLUTS/' "'SLUTS' is no port"
sed 's/^      fault: "fault"/      fault: "grant_valid"/' fpga/tops.yaml >$work/copy/fpga/tops.yaml
expect "what must never be is an error in a short run too" 1 "FAIL" \
    $work/copy/fpga/check.sh model pole --clocks 300

expect "boards: tables, pins against ports" 0 "machines: mini" .venv/bin/python fpga/boards.py
wrong() # what, text, board, sed expression, file
{
    rm -rf $work/boards
    cp -r fpga $work/boards
    sed -i "$4" $work/boards/$3/$5
    expect "refused: $1" 1 "$2" .venv/bin/python fpga/boards.py $work/boards
}
wrong "a board without its clock" "clock is missing" ulx3s '/^clock:/d' board.yaml
wrong "a key that there is not" "colour is unknown" hx8k '$ a colour: red' board.yaml
wrong "a text in place of a number" "rams is 'many'" ulx3s 's/^rams: .*/rams: many/' board.yaml
wrong "memory that is no power of two" "memory is 200000" ulx3s 's/^memory: .*/memory: 200000/' board.yaml
wrong "the number of another board" "number 1 is that of" orangecrab 's/^number: .*/number: 1/' board.yaml
wrong "another oscillator" "48 MHZ, but oscillator" orangecrab 's/^oscillator: .*/oscillator: 50/' board.yaml
wrong "a LED that the board lacks" "leds is 7" ulx3s 's/^leds: .*/leds: 7/' board.yaml
wrong "a port without a pin" "port ftdi_txd of" ulx3s '/COMP "ftdi_txd"/d' ulx3s.lpf
wrong "a pin without a port" "lamp is a port of no top" orangecrab '$ a LOCATE COMP "lamp" SITE "J2";' orangecrab.lpf
wrong "a pin with two ports" "pin K4 has two" orangecrab 's/"M3"/"K4"/' orangecrab.lpf

cat >$work/EHXPLLL.v <<'END'
/* verilator lint_off UNDRIVEN */
/* verilator lint_off UNUSEDPARAM */
/* verilator lint_off UNUSEDSIGNAL */
module EHXPLLL #(
    parameter CLKI_DIV = 1, parameter CLKFB_DIV = 1, parameter CLKOP_DIV = 1, parameter CLKOP_CPHASE = 0,
    parameter CLKOP_FPHASE = 0, parameter CLKOP_ENABLE = "", parameter FEEDBK_PATH = "", parameter OUTDIVIDER_MUXA = "",
    parameter PLLRST_ENA = "", parameter INTFB_WAKE = "", parameter STDBY_ENABLE = "", parameter DPHASE_SOURCE = ""
) (
    input wire CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
    output wire CLKOP, LOCK
);
endmodule
END
for file in fpga/*/totem_*_machine.v; do
    top=$(basename "$file" .v)
    for machine in $(sed -n 's/^machines: *\[\([^]]*\)\].*/\1/p' "${file%/*}/board.yaml" | tr -d ,); do
        config=${machine%-rv32} core=()
        [ "$config" = "$machine" ] || {
            sim/setup.sh rv32
            read -ra core < <(make -s -f tb/core/rules.mk print-board)
        }
        expect "$top of $machine: Verilator" 0 "" verilator --lint-only -Wall --default-language 1364-2005 \
            -DTOTEM_CONFIG_${config^^} "${core[@]}" "${includes[@]}" -y fpga -y $work --top-module "$top" sim/verilator.vlt "$file"
    done
done

fpga/cells/test.sh >$work/cells 2>&1
add "the models of cells" $work/cells
finish

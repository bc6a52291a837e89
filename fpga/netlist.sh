#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The netlist of a board's top in Verilator, with a pseudo-terminal as its serial line: `totem host` at what synthesis
# has made. 64 KiB of memory, 4 clocks a bit. Then the same with one cell changed, which the signature must notice.
#
#   fpga/netlist.sh BOARD TOP    such as ulx3s mini; ends in "N passed, N failed"; all in build/fpga/BOARD-TOP-netlist/
#
# KEEP=1 takes the netlist that is there. The cells: fpga/cells/, and the models of the Yosys that has made the netlist.

set -u
cd "$(dirname "$0")/.."
. sim/tally.sh
fpga/build.sh --check "$1" "$2" || exit
board=$1 config=$2
work=build/fpga/$board-$config-netlist
wrapper=fpga/$board/totem_${board}_netlist.v
workload=sim/workloads/turns.yaml
case $config in
*-rv32) echo "fpga: the netlist of $config has no model; take ${config%-rv32}" >&2; exit 2 ;;
esac
[ -f "$wrapper" ] || { echo "fpga: there is no $wrapper; write it after that of ulx3s" >&2; exit 2; }
mkdir -p "$work"

make -s -f tb/totem/rules.mk >"$work/log" 2>&1
note $? "build/totem" "$work/log"
make -s -C tb/lockstep CONFIG="$config" alone >"$work/log" 2>&1
note $? "the model" "$work/log"
[ "$failed" = 0 ] || finish
[ -n "${KEEP:-}" ] || .venv/bin/python fpga/build.py netlist "$board" "$config" || exit
cells=$(.venv/bin/python -c 'import pyosys; print(pyosys.__path__[0])')/share/ecp5
. fpga/cells/cells.sh

simulation() # netlist, folder: builds it, says how many clocks a second it makes
{
    verilator --cc -O3 --x-assign unique --x-initial fast --noassert $cells_lint --top-module totem_board \
        --prefix Vtotem_board --Mdir "$2" "$wrapper" "$1" $cells_files &&
        sim/run/compile_verilated.sh "$2" Vtotem_board -O0 Vtotem_board__ALL.a verilated.o verilated_threads.o &&
        root=$(verilator --getenv VERILATOR_ROOT) &&
        $(command -v ccache || true) g++ -std=c++17 -O2 -Wall -Wextra -Werror -DNETLIST -DDIVIDE=4 -isystem "$2" \
            -isystem "$root/include" -isystem "$root/include/vltstd" -c fpga/simulate_board.cpp -o "$2/board.o" &&
        g++ "$2/board.o" "$2/Vtotem_board__ALL.a" "$2/verilated.o" "$2/verilated_threads.o" -pthread -latomic \
            -o "$2/simulate"
}

simulation "$work/netlist.v" "$work/verilated" >"$work/verilated.log" 2>&1
note $? "the netlist in Verilator: $(sed -n 's/^ *\([0-9]*  *[A-Z][A-Z0-9_]*\)$/\1/p' "$work/synth.stat" | xargs)" \
    "$work/verilated.log"
[ "$failed" = 0 ] || finish

. fpga/board_process.sh
host()
{
    build/totem host --port "$work/port" --timeout 60000 --report "$work/report.json" "$@"
}

board "$work/verilated/simulate"
expect "identify" 0 "configuration $config" host identify
expect "the machine gets out of reset" 0 "" host release
expect "a register is written" 0 "" host write machine.QUANTUM_UNIT0 0x7e7d
expect "and read, with another and memory" 0 "UNIT0 0x00007e7d" host read machine.QUANTUM_UNIT0 machine.MAGIC 0x5000
expect "memory test" 0 " 0 wrong" host test --bytes 256 --from 0xff00
expect "workload turns: the signature of the model" 0 "equal in every clock; 480 waves, 4 fences" host run $workload
cat "$work/out"

# Bit 38 has s_axil_awready, which changes from clock 0 on.
.venv/bin/python fpga/plant_cell.py "$work/netlist.v" "signature.fold_q[38]" >"$work/planted.v" 2>"$work/log" &&
    simulation "$work/planted.v" "$work/planted" >"$work/planted.log" 2>&1
note $? "a flip-flop of the signature that never changes" "$work/planted.log"
board "$work/planted/simulate"
expect "is noticed" 1 "part in a clock from 0 to" host run $workload
finish

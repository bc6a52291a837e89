#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The models of the ECP5's cells: RAMs of the board's sizes and products, netlist against RTL under Verilator, random
# accesses in each clock, with initial contents. Modes that the models lack are refused.
#
#   fpga/cells/test.sh    Debian's Yosys; ends in "N passed, N failed"

set -u
cd "$(dirname "$0")/../.."
. sim/tally.sh
work=build/fpga/cells
rm -rf $work
mkdir -p $work
cells=$(dirname "$(command -v yosys)")/../share/yosys/ecp5
. fpga/cells/cells.sh

# totem_ram with contents.
.venv/bin/python -c 'import random; [print(f"{random.getrandbits(64):016x}") for n in range(32768)]' >$work/contents
contents=
for bits in 3 4 6 7 8 9 10 11 13 15; do
    head -n $((1 << bits)) $work/contents >$work/$bits.hex
    contents="$contents    $bits: initial \$readmemh(\"$work/$bits.hex\", data_q);\n"
done
sed -e '/for (word = 0;/d' -e '/data_q\[word\] =/d' \
    -e "s|^    always @(posedge clk) begin|    generate case (ADDR_BITS)\n$contents    endcase endgenerate\n&|" \
    rtl/lib/totem_ram.v >$work/totem_ram.v
yosys -q -l $work/yosys.log -p "
    read_verilog -defer $work/totem_ram.v fpga/cells/totem_cells.v; hierarchy -check -top totem_cells
    synth_ecp5 -abc9 -top totem_cells; splitnets; rename totem_cells totem_cells_netlist
    write_verilog -noattr $work/netlist.v; tee -o $work/stat stat" >$work/log 2>&1
note $? "synthesis: $(grep -o '[A-Z][A-Z0-9_]*  *[0-9]*$' $work/stat | xargs)" $work/log

verilated() # netlist, option...
{
    verilator "${@:2}" --x-assign unique $cells_lint --top-module totem_cells_bench $work/totem_ram.v \
        fpga/cells/totem_cells.v fpga/cells/totem_cells_bench.v "$1" $cells_files
}
run()
{
    local folder=$work/verilated root
    root=$(verilator --getenv VERILATOR_ROOT)
    verilated $work/netlist.v --cc --Mdir $folder &&
        sim/run/compile_verilated.sh $folder Vtotem_cells_bench -O0 Vtotem_cells_bench__ALL.a verilated.o \
            verilated_threads.o &&
        g++ -isystem $folder -isystem "$root/include" -isystem "$root/include/vltstd" fpga/cells/simulate_cells.cpp \
            $folder/{Vtotem_cells_bench__ALL.a,verilated.o,verilated_threads.o} -pthread -latomic \
            -o $folder/simulate && $folder/simulate +verilator+rand+reset+2
}
expect "netlist and RTL are equal" 0 "1 passed, 0 failed" run
sed "s/DATA_WIDTH_A(32'd36)/DATA_WIDTH_A(32'd72)/" $work/netlist.v >$work/wide.v
expect "refused: a width that the model lacks" 1 "DP16KD_has_a_parameter" verilated $work/wide.v --lint-only
sed 's/REGMODE_B("NOREG")/REGMODE_B("OUTREG")/' $work/netlist.v >$work/outreg.v
expect "refused: an output register" 1 "DP16KD_has_a_parameter" verilated $work/outreg.v --lint-only
finish

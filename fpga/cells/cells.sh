# SPDX-License-Identifier: Apache-2.0
#
# Files of the ECP5's cells for Verilator (sourced; $cells is the folder of Yosys' models, $work a folder for what is
# made): Yosys' models, under another name where fpga/cells/ has its own.

mkdir -p "$work/cells"
for file in "$cells"/{cells_sim.v,common_sim.vh,ccu2c_sim.vh}; do
    [ ! -f "$file" ] || sed 's/^module \(DP16KD\|LUT4\)(/module yosys_\1(/' "$file" >"$work/cells/${file##*/}"
done
cells_files="-DNO_INCLUDES -I$work/cells fpga/cells/DP16KD.v fpga/cells/LUT4.v fpga/cells/MULT18X18D.v
    $work/cells/cells_sim.v"
# Yosys' files are not ours, and a netlist leaves pins open.
cells_lint="-Wno-lint -Wno-style -Wno-INITIALDLY"

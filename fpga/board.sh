#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The machine on a board, without a board: totem_board in Verilator, its serial line is a pseudo-terminal.
#
#   fpga/board.sh CONFIG [OPTION...]    prints the terminal's name and runs; options of fpga/simulate_board.cpp
#   fpga/board.sh --build CONFIG        only builds; prints the program's name
#
# CONFIG is a configuration with one front end: mini or board; mini-rv32 is mini with a RISC-V core in the place of its
# wave engine (docs/core.md). BOARD_BYTES= size of memory (default 262144). The line has
# 4 clocks a bit.

set -eu
cd "$(dirname "$0")/.."
. fpga/variables.sh
build=
[ "${1:-}" != --build ] || { build=1; shift; }
config=${1:-} bytes=${BOARD_BYTES:-262144} divide=4
case $config in
mini | board | mini-rv32) shift ;;
*) sed -n 's/^# \{0,1\}//; 3,11p' "$0" >&2; exit 2 ;;
esac
whole BOARD_BYTES "$bytes"

folder=build/fpga/board-$config-$bytes
mkdir -p "$folder"
program=$folder/simulate
if [ "$config" = "${config%-rv32}" ]; then
    options="-DTOTEM_FOLDS=$(.venv/bin/python sim/gen/gen_folds.py "$config" "$folder/wiring") -y $folder/wiring"
else
    sim/setup.sh rv32 >&2
    options="-y fpga $(make -s -f tb/core/rules.mk print-board)"
fi
libraries=
for area in rtl/*/; do libraries="$libraries -y ${area%/} -I${area%/}"; done
define=TOTEM_CONFIG_$(echo "${config%-rv32}" | tr a-z A-Z)
{
    verilator --cc -O3 --x-assign fast --x-initial fast --noassert -Wall --default-language 1364-2005 \
        --top-module totem_board -D"$define" $options -GBYTES="$bytes" -GDIVIDE=$divide -GNUMBER=0 $libraries \
        sim/verilator.vlt fpga/board.vlt fpga/totem_board.v --Mdir "$folder/verilated" --prefix Vtotem_board &&
        sim/run/compile_verilated.sh "$folder/verilated" Vtotem_board -O2 Vtotem_board__ALL.a verilated.o \
            verilated_threads.o
} >"$folder/build.log" 2>&1 || { cat "$folder/build.log" >&2; exit 1; }
root=$(verilator --getenv VERILATOR_ROOT)
$(command -v ccache || true) g++ -std=c++17 -O2 -Wall -Wextra -Werror -DDIVIDE=$divide -isystem "$folder/verilated" \
    -isystem "$root/include" -isystem "$root/include/vltstd" -c fpga/simulate_board.cpp -o "$folder/simulate.o"
g++ "$folder/simulate.o" "$folder"/verilated/Vtotem_board__ALL.a "$folder"/verilated/verilated.o \
    "$folder"/verilated/verilated_threads.o -pthread -latomic -o "$program"
if [ "$build" ]; then echo "$program"; else exec "$program" "$@"; fi

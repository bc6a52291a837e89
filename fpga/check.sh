#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The self-check of a top of fpga/tops.yaml without an FPGA.
#
#   fpga/check.sh model TOP [OPTION...]       signature by the C model and the kinds of work of the run; options of
#                                             fpga/signature.c; writes totem_expected.vh, which the RTL reads
#   fpga/check.sh model TOP --show CLOCK      inputs and outputs of that clock of the model, by name
#   fpga/check.sh simulate TOP [OPTION...]    the same top under Verilator, compared clock by clock: the first clock
#                                             whose outputs differ; options of fpga/simulate.cpp
#
# The first option may be --clocks N, another length of the run; kinds of work that it lacks are then no error.
# SYNTH_RTL= another rtl/ folder below the project (a planted fault).
# All results are in build/fpga/TOP/, or build/fpga/CHECK_NAME/.

set -eu
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { sed -n 's/^# \{0,1\}//; 3,16p' "$0" >&2; exit 2; }
what=$1 top=$2
shift 2
rtl=${SYNTH_RTL:-rtl}
folder=build/fpga/${CHECK_NAME:-$top}
python=.venv/bin/python
[ -x $python ] || python=python3
. fpga/variables.sh
length=
[ "${1:-}" != --clocks ] || { whole --clocks "${2:-}"; length="--clocks $2"; shift 2; }

$python sim/gen/gen_fpga.py "$top" "$folder"
twins=$($python sim/gen/gen_fpga.py --list | sed -n "s/^$top [^ ]* //p")
objects=
for source in "$folder/selfcheck.c" $twins fpga/signature.c; do
    object=$folder/$(basename "$source" .c).o
    gcc -std=c11 -O2 -Wall -Wextra -Wconversion -Werror -include "$folder/config.h" -Ifpga -Icmodel \
        -c "$source" -o "$object"
    [ "$source" = fpga/signature.c ] || objects="$objects $object"
done
gcc $objects "$folder/signature.o" -o "$folder/signature"
"$folder/signature" $length --expected "$folder/totem_expected.new" >"$folder/expected.log"
cmp -s "$folder/totem_expected.new" "$folder/totem_expected.vh" ||
    cp "$folder/totem_expected.new" "$folder/totem_expected.vh"

case $what in
model)
    exec "$folder/signature" $length "$@"
    ;;
simulate)
    libraries= lint=
    [ "$rtl" = rtl ] || lint=-Wno-fatal     # the text of a planted fault is not tidy
    for area in "$rtl"/*/; do libraries="$libraries -y ${area%/} -I${area%/}"; done
    OBJCACHE=$(command -v ccache || true) verilator --cc --exe --build -O3 --x-assign fast --noassert -Wall $lint \
        --default-language 1364-2005 --top-module totem_selfcheck -I"$folder" -y fpga $libraries \
        sim/verilator.vlt "$folder/totem_selfcheck.v" --Mdir "$folder/verilated" \
        -MAKEFLAGS "VM_PARALLEL_BUILDS=0 OPT_FAST=-O1" \
        -CFLAGS "-O2 -I$PWD/fpga" "$PWD/fpga/simulate.cpp" $(for object in $objects; do echo "$PWD/$object"; done) \
        -o simulate >"$folder/verilator.log" 2>&1 || { cat "$folder/verilator.log" >&2; exit 1; }
    exec "$folder/verilated/simulate" $length "$@"
    ;;
*)
    echo "check: '$what' is neither model nor simulate" >&2
    exit 2
    ;;
esac

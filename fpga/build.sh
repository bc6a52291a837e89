#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# From a top of fpga/tops.yaml, or the machine, to a bitstream, with area, clock and critical path.
#
#   fpga/build.sh [option ...] BOARD TOP
#                              BOARD is a folder of fpga/ with a board.yaml. TOP is a row of fpga/tops.yaml, or a
#                              configuration of the machine that the board's `machines` names. Bitstream and logs
#                              in build/fpga/BOARD-TOP/, with --fault in build/fpga/BOARD-TOP-fault/
#   fpga/build.sh alone TOP    the top's block alone between registers on the ECP5; logs in build/fpga/alone-TOP/
#   fpga/build.sh record       all tops, all boards and alone: rows of docs/results.md (two hours)
#   fpga/build.sh page         those rows from the logs of the last runs
#   fpga/build.sh --check ...  only checks names and numbers; needs nothing that sim/setup.sh installs
#
# Of blocks: --clocks N: another length of the run. --fault plants a fault, so that the board shows red.
# FPGA_SEEDS="1 2 3" seeds of nextpnr (default 1; record: 1 2 3); the bitstream is that of the fastest. FPGA_JOBS= runs
# at a time (default 2). FPGA_FOLDS=0: the machine without a fold beside every block.
set -eu
cd "$(dirname "$0")/.."
set -f

. fpga/variables.sh
check= options=
while :; do
    case ${1:-} in
    --check) check=1 ;;
    --fault) options="$options $1" ;;
    --clocks) whole "$1" "${2:-}"; options="$options $1 $2"; shift ;;
    -h | --help) sed -n '4,19s/^# \{0,1\}//p' fpga/build.sh; exit ;;
    -*) echo "fpga: unknown option '$1'; take --check, --clocks N, --fault or --help" >&2; exit 2 ;;
    *) break ;;
    esac
    shift
done
case "$#${1:-}" in
1record | 1page) ;;
*)
    blocks=$(sed -n '/^tops:/,$ s/^  \([A-Za-z_][A-Za-z0-9_]*\):.*/\1/p' fpga/tops.yaml | xargs)
    found= list=
    for folder in $(find fpga -mindepth 2 -maxdepth 2 -name board.yaml | sort | sed 's,/board.yaml$,,') alone; do
        board=${folder#fpga/} tops=
        if [ "$board" = alone ] || [ -f "$folder/totem_$board.v" ]; then tops=$blocks; fi
        if [ "$board" != alone ]; then
            machines=$(sed -n 's/^machines: *\[\([^]]*\)\].*/\1/p' "$folder/board.yaml" | tr -d ,)
            tops="$tops${tops:+${machines:+ }}$machines"
        fi
        list="$list
    $board: $tops"
        for top in $tops; do [ "$board $top" != "${1:-} ${2:-}" ] || found=$top; done
    done
    [ $# = 2 ] && [ -n "$found" ] || {
        echo "fpga: BOARD '${1:-}', TOP '${2:-}': there is no such pair; each BOARD with its TOPs:$list" >&2
        exit 2
    }
    case " $blocks " in
    *" $found "*) ;;
    *) [ -z "$options" ] || {
        echo "fpga:$options is for tops of single blocks ($blocks); $found is the machine" >&2
        exit 2
    } ;;
    esac
    ;;
esac
whole FPGA_JOBS "${FPGA_JOBS:-2}"
for seed in ${FPGA_SEEDS:-}; do whole "each of FPGA_SEEDS" "$seed"; done
[ -n "$check" ] || exec .venv/bin/python fpga/build.py $options "$@"

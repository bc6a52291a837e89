#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# From a top of fpga/tops.yaml to a bitstream, with area, clock and critical path.
#
#   fpga/build.sh [option ...] BOARD TOP
#                              hx8k or ulx3s; bitstream and logs in build/fpga/BOARD-TOP/, with --fault
#                              in build/fpga/BOARD-TOP-fault/
#   fpga/build.sh alone TOP    the top's block alone between registers on the ECP5; logs in build/fpga/alone-TOP/
#   fpga/build.sh record       all tops, both boards and alone: rows of docs/results.md (about half an hour)
#   fpga/build.sh page         those rows from the logs of the last runs
#   fpga/build.sh --check ...  only checks names and numbers; needs nothing that sim/setup.sh installs
#
# --clocks N: another length of the run. --fault plants a fault, so that the board shows red. FPGA_SEEDS="1 2 3" seeds
# of nextpnr (default 1; record: 1 2 3); the bitstream is that of the fastest. FPGA_JOBS= runs at a time (default 2).
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
    -h | --help) sed -n '4,17s/^# \{0,1\}//p' fpga/build.sh; exit ;;
    -*) echo "fpga: unknown option '$1'; take --check, --clocks N, --fault or --help" >&2; exit 2 ;;
    *) break ;;
    esac
    shift
done
case "$#${1:-}" in
1record | 1page) ;;
*)
    boards=$(find fpga -name 'totem_*.v' -path 'fpga/*/*' | sed 's,fpga/\([^/]*\)/.*,\1,' | sort | xargs)
    tops=$(sed -n '/^tops:/,$ s/^  \([A-Za-z_][A-Za-z0-9_]*\):.*/\1/p' fpga/tops.yaml | xargs)
    found=0
    for name in $boards alone; do [ "$name" != "${1:-}" ] || found=$((found + 1)); done
    for name in $tops; do [ "$name" != "${2:-}" ] || found=$((found + 1)); done
    [ $# = 2 ] && [ $found = 2 ] || {
        echo "fpga: BOARD '${1:-}', TOP '${2:-}': BOARD is one of $boards; TOP one of $tops (fpga/tops.yaml)" >&2
        exit 2
    }
    ;;
esac
whole FPGA_JOBS "${FPGA_JOBS:-2}"
for seed in ${FPGA_SEEDS:-}; do whole "each of FPGA_SEEDS" "$seed"; done
[ -n "$check" ] || exec .venv/bin/python fpga/build.py $options "$@"

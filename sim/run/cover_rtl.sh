#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Lines and toggles of the RTL in lockstep, configuration mini, counted by Verilator (part of make cover): random work,
# and the directed programs of what random work does not draw.
#
#   sim/run/cover_rtl.sh SEEDS CLOCKS FOLDER [RULES...]    writes FOLDER/coverage-*.dat, one a program; RULES: kill poll
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p "$3"
rm -f "$3"/coverage-*.dat
seeds=$1
clocks=$2
export TOTEM_RTL_COVERAGE=$3
shift 3
[ $# -gt 0 ] || set -- kill poll tally
out=$PWD/build/lockstep/cover-mini
rules=("${@/#/$out/rules_}")
make -s -C tb/lockstep CONFIG=mini NAME=cover-mini COVERAGE=1 random "${rules[@]}"
"$out/random" --quiet --seeds "$seeds" --clocks "$clocks"
for program in "${rules[@]}"; do "$program"; done

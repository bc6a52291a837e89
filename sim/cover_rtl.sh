#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Lines and toggles of the RTL in lockstep, configuration mini, counted by Verilator (part of make cover): random work, and the
# directed programs of what random work does not draw.
#
#   sim/cover_rtl.sh SEEDS CLOCKS FOLDER     writes FOLDER/coverage-*.dat, one a program
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$3"
rm -f "$3"/coverage-*.dat
out=$PWD/build/lockstep/cover-mini
programs=("$out/random")
for rules in kill mqd record switch tally; do programs+=("$out/rules_$rules"); done
make -s -C tb/lockstep CONFIG=mini NAME=cover-mini COVERAGE=1 random "${programs[@]:1}"
export TOTEM_RTL_COVERAGE=$3
"$out/random" --quiet --seeds "$1" --clocks "$2"
for program in "${programs[@]:1}"; do "$program"; done

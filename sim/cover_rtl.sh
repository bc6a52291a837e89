#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Lines and toggles of the RTL in random lockstep, configuration mini, counted by Verilator (part of make cover).
#
#   sim/cover_rtl.sh SEEDS CLOCKS FOLDER     writes FOLDER/coverage-*.dat, one a seed
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$3"
rm -f "$3"/coverage-*.dat
make -s -C tb/lockstep CONFIG=mini NAME=cover-mini COVERAGE=1 random
TOTEM_RTL_COVERAGE="$3" build/lockstep/cover-mini/random --quiet --seeds "$1" --clocks "$2"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make run: lockstep of model and RTL on a workload; the summary goes to the terminal, the bundle of a mismatch to
# build/run/.
#
# WORKLOAD= a file or a name, CONFIG=full|board|mini|pole (sim/run/workload.sh says what without them), CYCLES=, SEED=,
# ENGINE=both|model|rtl (model needs no Verilator), WAVES= a file for the waves of the RTL
set -euo pipefail
cd "$(dirname "$0")/../.."

found=$(sim/run/workload.sh "${WORKLOAD:-}" "${CONFIG:-}")
make -s -f tb/totem/rules.mk
mkdir -p build/run
arguments=(--folder build/run --engine "${ENGINE:-both}")
[ -z "${CYCLES:-}" ] || arguments+=(--cycles "$CYCLES")
[ -z "${SEED:-}" ] || arguments+=(--seed "$SEED")
[ -z "${WAVES:-}" ] || arguments+=(--waves "$WAVES")
exec build/totem run "${arguments[@]}" "${found% *}"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make run: lockstep of model and RTL on a workload; the summary goes to the terminal, the bundle of a mismatch to
# build/run/.
#
# WORKLOAD=file (default compute-mix.yaml, which compute_mix.py makes, for full, turns.yaml for mini,
# two-pipes.yaml for board), CYCLES=, SEED=, CONFIG=full|board|mini|pole, ENGINE=both|model|rtl
set -euo pipefail
cd "$(dirname "$0")/.."

config=${CONFIG:-full}
case $config in
full) default=build/workloads/compute-mix.yaml ;;
mini) default=sim/workloads/turns.yaml ;;
board) default=sim/workloads/two-pipes.yaml ;;
*) default= ;;
esac
workload=${WORKLOAD:-$default}
[ -n "$workload" ] || { echo "run: there is no shipped workload for $config; name one with WORKLOAD=" >&2; exit 2; }
[ "$workload" != build/workloads/compute-mix.yaml ] || .venv/bin/python sim/workloads/compute_mix.py
wanted=$(sed -n 's/^configuration: *\([a-z]*\).*/\1/p' "$workload")
[ "$wanted" = "$config" ] || { echo "run: $workload is for configuration $wanted; use CONFIG=$wanted" >&2; exit 2; }
echo "Building lockstep for configuration $config (the first time takes some minutes)"
make -s -C tb/lockstep CONFIG="$config"
mkdir -p build/run
arguments=(--folder build/run --engine "${ENGINE:-both}")
[ -z "${CYCLES:-}" ] || arguments+=(--cycles "$CYCLES")
[ -z "${SEED:-}" ] || arguments+=(--seed "$SEED")
[ -z "${WAVES:-}" ] || arguments+=(--waves "$WAVES")
"build/lockstep/$config/totem" run "${arguments[@]}" "$workload"

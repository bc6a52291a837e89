#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make run: lockstep of model and RTL on a workload; the summary goes to the terminal, the bundle of a mismatch to
# build/run/.
#
#   sim/run/run.sh [--workload NAME|FILE] [--config CONFIGURATION] [--cycles N] [--seed N]
#                  [--engine both|model|rtl] [--waves FILE]
#
# Without --workload or --config: see sim/run/workload.sh. The engine model needs no Verilator. --waves: those of the
# RTL.
set -euo pipefail
. "$(dirname "$0")/../options.sh"
options workload config cycles seed engine waves -- "$@"
cd "$(dirname "$0")/../.."

found=$(sim/run/workload.sh "$workload" "$config")
make -s -f tb/totem/rules.mk
mkdir -p build/run
exec build/totem run --folder build/run --engine "${engine:-both}" ${cycles:+--cycles "$cycles"} \
    ${seed:+--seed "$seed"} ${waves:+--waves "$waves"} "${found% *}"

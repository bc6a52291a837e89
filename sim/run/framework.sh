#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tinygrad on the machine (docs/framework.md): operations and a network on the model of mini, some of them in lockstep
# with the RTL, processes that share the model of board, and streams for three generations in lockstep.
#
#   sim/run/framework.sh [NAME...]     only these parts: model lockstep shared streams

set -eu
cd "$(dirname "$0")/../.."
export PARALLEL=0

run() # script options...
{
    script=$1
    shift
    .venv/bin/python "tb/framework/$script.py" "$@"
}
built() # variables of rules.mk
{
    make -s -f tb/framework/rules.mk "$@"
}

part()
{
    case $1 in
    model)
        built && run run && run run network && run run --spread 400 integers &&
            TOTEM_COPY=dma run run "vector addition" ;;
    lockstep) built ENGINE=both && run run --engine both "vector addition" matmul softmax "captured graph" ;;
    shared) built && built CONFIG=board && run cases ;;
    streams) built ENGINE=both && make -s -f tb/totem/rules.mk && run streams --engine both ;;
    *) echo "there is no part '$1'" >&2 && false ;;
    esac
}

bad=
for name in ${*:-model lockstep shared streams}; do
    echo "-- $name"
    part "$name" || bad="$bad $name"
done
[ -z "$bad" ] || { echo "framework: failed:$bad" >&2; exit 1; }

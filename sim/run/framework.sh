#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tinygrad on the machine (docs/framework.md): operations and a network on the model of mini, some of them in
# lockstep with the RTL, and processes that share the model of board.
#
#   sim/run/framework.sh [NAME...]     only these parts: model lockstep shared streams

set -eu
cd "$(dirname "$0")/../.."
python=.venv/bin/python
log=build/framework/log
mkdir -p build/framework
export PARALLEL=0

part() # name: runs it, and keeps what it says for the sum
{
    echo "-- $1"
    case $1 in
    model)
        make -s -f tb/framework/rules.mk
        $python tb/framework/run.py
        $python tb/framework/run.py network
        $python tb/framework/run.py --spread 400 integers
        TOTEM_COPY=dma $python tb/framework/run.py "vector addition" ;;
    lockstep)
        make -s -f tb/framework/rules.mk ENGINE=both
        $python tb/framework/run.py --engine both "vector addition" matmul softmax "captured graph" ;;
    shared)
        make -s -f tb/framework/rules.mk CONFIG=board
        $python tb/framework/cases.py ;;
    streams)
        make -s -f tb/framework/rules.mk ENGINE=both
        make -s -f tb/totem/rules.mk
        $python tb/framework/streams.py --engine both ;;
    *)
        echo "there is no part '$1'"
        false ;;
    esac
}

: >"$log"
status=0
for name in "${@:-model lockstep shared streams}"; do
    for one in $name; do
        { part "$one" || echo "1 failed"; } 2>&1 | tee -a "$log"
    done
done
! grep -q '[1-9][0-9]* failed$' "$log" || status=1
exit $status

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves C model step = RTL clock (docs/proof.md).
#
#   synth/equiv.sh BLOCK [option ...]   one block; CONFIG=full|board|mini|pole, options of synth/equiv/prove.py
#   synth/equiv.sh wiring [option ...]  the machine around the blocks, options of synth/equiv/wiring.py
#   synth/equiv.sh [all] [option ...]   every block that has contract, RTL and C, two at a time, and a table
#   synth/equiv.sh quick [option ...]   the same without the blocks of synth/equiv/slow.txt
#   synth/equiv.sh status               sums of the last results, those of synth/formal.sh too, into docs/results.md
set -eu
cd "$(dirname "$0")/.."
python=python3
[ -x .venv/bin/python ] && python=.venv/bin/python
[ $# -gt 0 ] || set -- all
case "$1" in
all | quick | status)
    exec "$python" synth/equiv/many.py "$@" --config "${CONFIG:-full}"
    ;;
wiring)
    shift
    exec "$python" synth/equiv/wiring.py --config "${CONFIG:-full}" "$@"
    ;;
*)
    block=$1
    shift
    # shellcheck disable=SC2046 # options of the block are words
    exec "$python" synth/equiv/prove.py "$block" --config "${CONFIG:-full}" \
        $(sed -n "s/^$block  *//p" synth/equiv/options.txt) "$@"
    ;;
esac

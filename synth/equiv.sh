#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves C model step = RTL clock (docs/proof.md).
#
#   synth/equiv.sh BLOCK [option ...]   one block; --config CONFIGURATION, options of synth/equiv/prove.py
#   synth/equiv.sh wiring [option ...]  the machine around the blocks, options of synth/equiv/wiring.py
#   synth/equiv.sh [all] [option ...]   every block that has contract, RTL and C, two at a time, and a table
#   synth/equiv.sh quick [option ...]   the same without the blocks of synth/equiv/slow.txt
#   synth/equiv.sh status               sums of the last results, those of synth/formal.sh too, into docs/results.md
#
# --config may stand first, too.
set -eu
cd "$(dirname "$0")/.."
python=python3
[ -x .venv/bin/python ] && python=.venv/bin/python
config=
[ "${1:-}" != --config ] || { config="--config ${2:-}"; shift $(($# > 1 ? 2 : 1)); }
what=${1:-all}
[ $# = 0 ] || shift
# shellcheck disable=SC2046,SC2086 # options are words
case $what in
all | quick | status)
    exec "$python" synth/equiv/many.py "$what" $config "$@"
    ;;
wiring)
    exec "$python" synth/equiv/wiring.py $config "$@"
    ;;
*)
    exec "$python" synth/equiv/prove.py "$what" $config $(sed -n "s/^$what  *//p" synth/equiv/options.txt) "$@"
    ;;
esac

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A framework drives the machine (docs/framework.md), on the model of mini with its cores: operations of tinygrad on the
# device TOTEM, every result as that of tinygrad's CPU device; streams of its queue for three generations. All of it, in
# lockstep too: make framework.
set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL CONFIG

. sim/tally.sh
work=build/test/framework
rm -rf "$work"
mkdir -p "$work"
log=$work/log
export PARALLEL=0
sim/setup.sh rv32 framework >"$log" 2>&1 && make -s -f tb/framework/rules.mk >>"$log" 2>&1
note $? "the machine as a program" "$log"
make -s -f tb/totem/rules.mk
for script in run streams; do
    .venv/bin/python tb/framework/$script.py >"$log" 2>&1
    add "$script.py" "$log"
done
# Writes that come late: a signal before them would show.
.venv/bin/python tb/framework/run.py --spread 400 integers >"$log" 2>&1
add "run.py, slow memory" "$log"
finish

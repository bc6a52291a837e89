#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A framework drives the machine (docs/framework.md): operations of tinygrad on the device TOTEM, on the model of mini
# with its cores; every result is that of tinygrad's CPU device.
set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL CONFIG

. sim/tally.sh
work=build/test/framework
rm -rf "$work"
mkdir -p "$work"
log=$work/log
export PARALLEL=0 CACHEDB=$PWD/build/framework/cache.db
sim/setup.sh rv32 framework >"$log" 2>&1 && make -s -f tb/framework/rules.mk >>"$log" 2>&1
note $? "the machine as a program" "$log"
.venv/bin/python tb/framework/run.py "vector addition" >"$log" 2>&1
add "run.py" "$log"
finish

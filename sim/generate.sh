#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the generators, gen_*.py in sim/gen/ and rtl/ and sim/gen/results.py, whose result belongs to the project; they
# know --check, with which nothing is written and each says whether its files are current. (A generator without --check
# writes into build/ when a run needs it.)

set -u
cd "$(dirname "$0")/.."

sim/setup.sh regs || exit 1     # the register description is read by its own compiler
passed=0
failed=0
for generator in $(grep -l -e '--check' sim/gen/gen_*.py sim/gen/results.py rtl/*/gen_*.py 2>/dev/null); do
    if .venv/bin/python "$generator" "$@"; then
        passed=$((passed + 1))
    else
        echo "FAIL $generator $*"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

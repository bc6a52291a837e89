#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The C model compiles without a warning in every configuration with gcc, in full and mini with clang too, and every
# header of it by itself.

set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL CONFIG
passed=0
failed=0

note()
{
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok   $2"
    else
        failed=$((failed + 1))
        echo "FAIL $2"
    fi
}

for configuration in $(.venv/bin/python sim/gen/gen_config.py --show | cut -d' ' -f1); do
    compilers=gcc
    case $configuration in full | mini) compilers='gcc clang-14' ;; esac
    for compiler in $compilers; do
        # With clang it is the model of the lockstep, with gcc that of the unit tests (sim/unit.sh).
        make -s -k -j2 -C cmodel CC=$compiler $([ $compiler != gcc ] || echo OPT=-O1) CONFIG=$configuration
        note $? "model $configuration $compiler"
    done
done
flags=$(make -s -C cmodel CONFIG=full print-flags)
for header in cmodel/*/*.h build/generated/cmodel/top/*.h; do
    gcc $flags -Icmodel -Wall -Wextra -Wconversion -Werror -fsyntax-only -include "$header" -x c /dev/null
    note $? "$header"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]

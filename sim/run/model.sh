#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The C model compiles without a warning in full and mini with gcc and clang, clang reads the other configurations
# without one, and every header of it stands by itself.

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
    case $configuration in
        full | mini)
            # With clang it is the model of the lockstep, with gcc that of step 40-library.
            for compiler in gcc clang-14; do
                make -s -k -j2 -C cmodel CC=$compiler $([ $compiler != gcc ] || echo OPT=-O1) CONFIG=$configuration
                note $? "model $configuration $compiler"
            done ;;
        *)
            make -s -C cmodel CC=clang-14 CONFIG=$configuration syntax
            note $? "model $configuration, read by clang-14" ;;
    esac
done
flags=$(make -s -C cmodel CONFIG=full print-flags)
for header in cmodel/*/*.h build/generated/cmodel/top/*.h; do
    gcc $flags -Icmodel -Wall -Wextra -Wconversion -Werror -fsyntax-only -include "$header" -x c /dev/null
    note $? "$header"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# C unit tests (cmocka), each program tb/unit/test_*.c under the address and undefined-behaviour sanitizers, linked with
# the blocks that it includes, or with the whole model. What was compiled before comes from ccache: a test of a block
# takes a second or few. A program that includes rules_world.h gets the harness of tb/lockstep too, without the RTL. A
# program that has nothing of a configuration is left to the step that its head names (sim/tests.d).
#
# With all programs, those of the whole machine (rules_world.h; in full each that needs it) run without the sanitizers,
# with model and harness of the lockstep, to save time: 50-equiv proves that no block of the model in mini reaches
# undefined behaviour, and libtotem runs the whole model under them. Named programs run with them, the harness too.
#
#   sim/unit.sh               all programs, each in the smallest configuration that shows its rules
#   sim/unit.sh NAME...       these, in full and mini; NAME: inbox for tb/unit/test_inbox.c; hqd for test_hqd.c and
#                             every test_hqd_*.c
#
# That RTL and model are equal is proved in both, so a rule is shown once. The smallest configuration is mini; full for
# a program with tests that mini does not have (`#if TOTEM_PIPES == 2`). A line in its head decides otherwise:
# "// Configuration: full, because ..".

set -u
cd "$(dirname "$0")/.."
unset MAKEFLAGS MAKELEVEL CONFIG
export CMOCKA_MESSAGE_OUTPUT=TAP ASAN_OPTIONS=detect_leaks=1
build=build/unit
python=$([ -x .venv/bin/python ] && echo .venv/bin/python || echo python3)
mkdir -p "$build"
passed=0
failed=0

sources=()
if [ $# -gt 0 ]; then
    for name in "$@"; do
        found=
        for source in "tb/unit/test_$name.c" "tb/unit/test_${name}"_*.c; do
            [ ! -f "$source" ] || { sources+=("$source"); found=1; }
        done
        [ "$found" ] || { echo "unit: neither tb/unit/test_$name.c nor tb/unit/test_${name}_*.c exists" >&2; exit 2; }
    done
    mapfile -t sources < <(printf '%s\n' "${sources[@]}" | sort -u) # names may overlap
else
    for source in tb/unit/test_*.c; do
        head -n 8 "$source" | grep -q 'sim/tests.d/' || sources+=("$source")
    done
fi

# Whether a program runs in a configuration.
all=$(($# == 0))
wanted() # source, configuration
{
    [ "$all" = 1 ] || return 0
    local size
    size=$(head -n 12 "$1" | sed -n 's/^\/\/ Configuration: \([a-z]*\), because .*/\1/p')
    if [ -z "$size" ]; then
        size=mini
        ! grep -Eq '^#if TOTEM_(PIPES|FE_PIPES|PIPE_COUNT|FE_COUNT|SE_COUNT|QUEUES) *(==|>)' "$1" || size=full
    fi
    [ "$size" = "$2" ]
}

# Into `parts`: the C files of the model that a program includes, by itself or by another. Fails if that is the machine.
# (All programs in mini take the library: some need it there.)
parts_of() # source
{
    local now=("$1") next name file seen=" "
    local inside                        # its own text has these
    inside=$(sed -n 's/^#include "\(.*\/\)\?\([a-z0-9_]*\.c\)".*/\2/p' "$1" | xargs)
    parts=()
    while [ ${#now[@]} != 0 ]; do
        next=()
        for name in $(sed -n 's/^#include "\(.*\/\)\?\([a-z0-9_]*\)\.[ch]".*/\2/p' "${now[@]}" | sort -u); do
            [[ $name != totem && $name != totem_machine* ]] || return 1
            [[ $seen != *" $name "* ]] || continue
            seen+="$name "
            for file in tb/unit/"$name".[ch] cmodel/*/"$name".[ch] cmodel/*/"$name"_*.c; do
                [[ ! -f $file || " ${parts[*]} ${now[*]} " == *" $file "* ]] || next+=("$file")
                [[ $file != cmodel/*.c || ! -f $file || " ${parts[*]} " == *" $file "* ||
                    " $inside " == *" ${file##*/} "* ]] || parts+=("$file")
            done
        done
        now=(${next[@]+"${next[@]}"})
    done
}

# Into `objects`: those parts, compiled.
declare -A compiled
compile_parts()
{
    local part object
    objects=()
    for part in ${parts[@]+"${parts[@]}"}; do
        object=$build/parts-$configuration/$(basename "$part" .c).o
        objects+=("$object")
        [ -z "${compiled[$object]:-}" ] || continue
        $compile $optimize $sanitize -fno-omit-frame-pointer -c "$part" -o "$object" || return 1
        compiled[$object]=1
    done
}

# The whole model, when a program first needs it: `library` with the sanitizers, `world_library` for rules_world.h.
whole() # its name, variables of make
{
    [ -z "${!1}" ] || return 0
    make -s -j2 -C cmodel CC=gcc "${@:2}" CONFIG=$configuration &&
        printf -v "$1" %s "$(make -s -C cmodel CC=gcc "${@:2}" CONFIG=$configuration print-lib)"
}

for configuration in full mini; do
    programs=()
    for source in "${sources[@]}"; do
        ! wanted "$source" $configuration || programs+=("$source")
    done
    [ ${#programs[@]} != 0 ] || continue
    mkdir -p "$build/parts-$configuration"
    sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"
    flags=$(make -s -C cmodel CONFIG=$configuration print-flags)
    compile="ccache gcc $flags -Wall -Wextra -Wconversion -Werror -O1 -g"
    compile+=" -Itb -Itb/lockstep/judges -Itb/lockstep/session"
    san=OPT=-O1
    [ $configuration = mini ] || san=OPT=-O0    # blocks alone, in few programs
    optimize=${san#OPT=}
    library=
    world_library=
    world="SAN=1 $san"
    world_compile="$compile $sanitize"
    harness=()
    if [ "$all" = 1 ]; then
        world_compile=$compile
        make -s -j2 -C tb/lockstep CONFIG=$configuration harness
        world_library=$(make -s -C tb/lockstep CONFIG=$configuration print-model)
        harness=("build/lockstep/$configuration/libharness.a")
        world_compile+=" -Ibuild/lockstep/$configuration"
    elif grep -q '"rules_world.h"' "${programs[@]}"; then
        folder=$build/harness-$configuration
        world_compile+=" -I$folder"
        mkdir -p "$folder"
        if ! "$python" sim/gen/gen_lockstep.py "$configuration" "$folder"; then
            echo "FAIL the probes of the harness cannot be generated ($configuration)"
            failed=$((failed + 1))
            continue
        fi
        for part in tb/lockstep/judges/*.c tb/icarus/rtl_absent.c "$folder/probe.c" \
            tb/lockstep/session/{cause,cores_port,difference,driver,host,memory,session}.c; do
            object=$folder/$(basename "$part" .c).o
            harness+=("$object")
            if ! $world_compile -O0 -D_GNU_SOURCE -c "$part" -o "$object"; then
                echo "FAIL $part does not compile ($configuration)"
                failed=$((failed + 1))
            fi
        done
    fi
    for source in "${programs[@]}"; do
        name=$(basename "$source" .c)
        program=$build/$name-$configuration
        if grep -q '"rules_world.h"' "$source" || { [ "$all$configuration" = 1full ] && ! parts_of "$source"; }; then
            # shellcheck disable=SC2086 # variables are words
            whole world_library $world && $world_compile -O0 -c "$source" -o "$program.o" &&
                $world_compile "$program.o" ${harness[@]+"${harness[@]}"} "${world_library%.a}_driver.a" \
                    "$world_library" "${world_library%.a}_tool.a" -lcmocka -lm -o "$program"
        else
            $compile -O0 $sanitize -c "$source" -o "$program.o" && {
                [ "$all$configuration" != 1mini ] && parts_of "$source" && compile_parts &&
                    $compile $sanitize "$program.o" ${objects[@]+"${objects[@]}"} -lcmocka -lm -o "$program" \
                        2>"$program.link" ||
                    { whole library SAN=1 "$san" &&
                        $compile $sanitize "$program.o" "$library" "${library%.a}_tool.a" -lcmocka -lm \
                            -o "$program"; }
            }
        fi
        # shellcheck disable=SC2181 # of both branches
        if [ $? != 0 ]; then
            echo "FAIL $source does not compile ($configuration)"
            failed=$((failed + 1))
            continue
        fi
        timeout 300 "$program" >"$program.log" 2>&1
        code=$?
        good=$(grep -c '^ok ' "$program.log")
        skipped=$(grep -c '^not ok .*# SKIP' "$program.log") # said in a line SKIPPED, neither passed nor failed
        bad=$(($(grep -c '^not ok ' "$program.log") - skipped))
        # A program that stops before its last test has not passed, whatever it printed until then.
        planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$program.log" | head -n 1)
        if [ "$code" != 0 ] && [ "$bad" = 0 ] || [ "$((good + bad + skipped))" != "${planned:-none}" ]; then
            bad=$((bad + 1))
        fi
        passed=$((passed + good))
        failed=$((failed + bad))
        if [ "$bad" != 0 ]; then
            echo "FAIL $source ($configuration), exit code $code"
            grep -v '^ok ' "$program.log" | head -n 40
        else
            echo "ok   $source ($configuration): $good"
            grep '^SKIPPED ' "$program.log"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]

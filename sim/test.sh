#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# All tests. A step is a command whose last line is "N passed, N failed". The first ones are listed here, the others are
# the executable files sim/tests.d/*.sh, in the order of their names. Two steps run at a time.
#
#   sim/test.sh [STEP...]     all steps, or those named (--list names them)
#   TEST_SECONDS=             limit of one step (default 2400)
#   TEST_JOBS=                steps at a time (default 2)
#
# The log of a step is build/test/<step>.log; logs of failed steps are printed. A step says what it could not test, and
# why, in lines "SKIPPED ..."; they are counted and printed at the end. The last line is the sum.

set -u
cd "$(dirname "$0")/.."
# A step that calls make is not part of the make that called us.
unset MAKEFLAGS MFLAGS MAKELEVEL CONFIG CORE WORKLOAD CYCLES SEED SEEDS ENGINE BLOCK SET STIMULI DUMP RTL CMODEL NAME \
    RECORD
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
# What two steps compile alike in different folders, from files with whole paths, is compiled once.
export CCACHE_NOHASHDIR=1

names=()
declare -A commands
step()
{
    names+=("$1")
    commands[$1]=$2
}

step generated 'sim/generate.sh --check'
step links '.venv/bin/python sim/links.py'
step ports '.venv/bin/python sim/ports.py'
step ports-self-test '.venv/bin/python sim/ports.py --self-test'
step lint-hdl 'sim/lint.sh hdl'
step model 'sim/run/model.sh'
step unit 'sim/unit.sh'
for file in sim/tests.d/*.sh; do
    [ -e "$file" ] || continue
    name=$(basename "$file" .sh)
    if [ -x "$file" ]; then
        step "$name" "$file"
    else
        step "$name" "echo '$file is not executable; run chmod +x'; echo '0 passed, 1 failed'; false"
    fi
done

if [ "${1:-}" = --list ]; then
    printf '%s\n' "${names[@]}"
    exit
fi
if [ $# -gt 0 ]; then
    for name in "$@"; do
        [ -n "${commands[$name]:-}" ] || { echo "test: there is no step '$name'; steps: ${names[*]}" >&2; exit 2; }
    done
    names=("$@")
fi

logs=build/test
mkdir -p "$logs"
rm -f "$logs"/*.log "$logs"/*.result "$logs"/*.time

# Runs one step and leaves "passed failed" in its result file.
run_step()
{
    local name=$1 log=$logs/$1.log begin=$SECONDS code line passed failed
    local TIMEFORMAT='%0U %0S' user system
    { time timeout --kill-after=10 "${TEST_SECONDS:-2400}" bash -c "${commands[$name]}" >"$log" 2>&1 </dev/null; } \
        2>"$logs/$name.time"
    code=$?
    read -r user system < <(tail -n 1 "$logs/$name.time")
    line=$(tail -n 1 "$log")
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        passed=${BASH_REMATCH[1]}
        failed=${BASH_REMATCH[2]}
    else
        passed=0
        failed=1
        echo "the step ended (exit code $code) without a line 'N passed, N failed'" >>"$log"
    fi
    # Neither a bad exit code nor a step that tested nothing may pass unseen.
    if [ "$failed" = 0 ] && { [ "$code" != 0 ] || [ "$passed" = 0 ]; }; then
        failed=1
        echo "the step ended with exit code $code after $passed tests" >>"$log"
    fi
    printf '%s %s\n' "$passed" "$failed" >"$logs/$name.result"
    printf '%-4s %-24s %6d passed %4d failed %5d s, %d s of processor%s\n' \
        "$([ "$failed" = 0 ] && echo ok || echo FAIL)" "$name" "$passed" "$failed" $((SECONDS - begin)) \
        $((user + system)) \
        "$(grep -ac '^SKIPPED ' "$log" | sed 's/^0$//; s/.*[1-9].*/  & SKIPPED/')"
}

# The longest steps begin first, so that the jobs end at about the same time.
longest=" 70-lockstep 50-equiv 78-kernels 76-frames 20-regs 51-formal ports unit lint-hdl 71-icarus 63-fpga 30-pm4 "
order=()
for name in $longest "${names[@]}"; do
    [[ " ${names[*]} " == *" $name "* && " ${order[*]} " != *" $name "* ]] && order+=("$name")
done
running=0
for name in "${order[@]}"; do
    if [ "$running" -ge "${TEST_JOBS:-2}" ]; then
        wait -n
        running=$((running - 1))
    fi
    run_step "$name" &
    running=$((running + 1))
done
wait

passed=0
failed=0
for name in "${names[@]}"; do
    if read -r good bad <"$logs/$name.result" 2>/dev/null; then
        passed=$((passed + good))
        failed=$((failed + bad))
    else
        bad=1
        failed=$((failed + 1))
    fi
    if [ "$bad" != 0 ]; then
        printf '\n---- %s: %s\n' "$name" "$logs/$name.log"
        # The lines that say what failed, then the end of the log.
        grep -m 40 -a '^FAIL' "$logs/$name.log"
        echo "     ..."
        tail -n 40 "$logs/$name.log"
    fi
done
[ "$failed" = 0 ] || echo
skipped=$(for name in "${names[@]}"; do grep -a '^SKIPPED ' "$logs/$name.log"; done)
if [ -n "$skipped" ]; then
    printf '\n%d SKIPPED, not among the passed:\n%s\n\n' "$(wc -l <<<"$skipped")" "$skipped"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

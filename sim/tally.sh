# SPDX-License-Identifier: Apache-2.0
#
# Counting for test steps (sourced by sim/tests.d/*.sh): the last line of a step is "N passed, N failed".

passed=0
failed=0
since=$SECONDS

good() # text: with the seconds since the last one, if they are many
{
    passed=$((passed + 1))
    echo "ok   $1$([ $((SECONDS - since)) -lt 5 ] || echo " [$((SECONDS - since)) s]")"
    since=$SECONDS
}

bad() # text [log]: with the first lines of the log
{
    failed=$((failed + 1))
    since=$SECONDS
    echo "FAIL $1"
    [ -z "${2:-}" ] || head -n 15 "$2" | sed 's/^/     /'
}

note() # 0 or not, text [log]
{
    if [ "$1" = 0 ]; then good "$2"; else bad "$2" "${3:-}"; fi
}

# The command must end with the exit code and its output must have the text.
expect() # name, exit code, text, command...
{
    local name=$1 code=$2 text=$3 got
    shift 3
    "$@" >"$work/out" 2>&1
    got=$?
    if [ "$got" = "$code" ] && { [ -z "$text" ] || grep -qF -- "$text" "$work/out"; }; then
        good "$name"
    else
        bad "$name: exit code $got, expected $code, and '$text' in:" "$work/out"
    fi
}

# Adds what a program counted itself: its log ends in "N passed, N failed".
add() # name, log
{
    cat "$2"
    if [[ $(tail -n 1 "$2") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] &&
        [ "$((BASH_REMATCH[1] + BASH_REMATCH[2]))" != 0 ]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
    else
        bad "$1 did not run to its end"
    fi
}

finish()
{
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" != 0 ]
    exit
}

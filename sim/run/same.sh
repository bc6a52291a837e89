#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make same: are the pins of the machine those of an older revision, clock by clock, under random work?
#
#   BASE=revision [CONFIG=full|board|mini|pole] [CYCLES=] [SEEDS=] [SEED=] [WORK=] sim/run/same.sh
#   sim/run/same.sh --rtl FOLDER       against a folder with another rtl/ (BASE= is its name in words)
#   sim/run/same.sh --help
#
# BASE    revision whose RTL it is compared with: hash, tag or branch of this repository
# CYCLES  clocks in all, over the seeds (default 1000000)
# SEEDS   at most so many seeds (default: as many as the clocks take); SEED the first (default 1)
# WORK    clocks of a seed in which new work is given (default 20000); then it goes on until all has ended
#
# The RTL of BASE is Verilated below build/same/<revision>; the present machine is the C model, which lockstep and
# proofs hold equal to the present RTL. Exit code 0: equal; 1: a difference (seed, clock, pins, both values); 2: it
# cannot run.
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() # what, remedy
{
    echo "same: $1; $2" >&2
    exit 2
}

config=${CONFIG:-full} folder=
case ${1:-} in
-h | --help)
    awk 'NR > 3 { if (!sub(/^# ?/, "")) exit; print }' "$0"
    exit
    ;;
--rtl)
    folder=${2:-}
    [ -f "$folder/top/totem.v" ] || fail "'$folder' has no top/totem.v" 'name a folder like rtl/'
    ;;
'') ;;
*) fail "unknown option '$1'" 'see sim/run/same.sh --help' ;;
esac
case $config in
full | board | mini | pole) ;;
*) fail "CONFIG=$config is not a configuration" 'take full, board, mini or pole' ;;
esac
arguments=()
for pair in "clocks CYCLES" "seeds SEEDS" "from SEED" "work WORK"; do
    value=${pair#* }
    value=${!value:-}
    [ -z "$value" ] || [[ $value =~ ^[1-9][0-9]{0,17}$ ]] || fail "${pair#* }=$value" 'take a number of at least 1'
    [ -z "$value" ] || arguments+=("--${pair% *}" "$value")
done

if [ -n "$folder" ]; then
    name=folder shown=${BASE:-$folder}
    rm -rf build/same/folder/rtl
    mkdir -p build/same/folder
    cp -r "$folder" build/same/folder/rtl
else
    [ -n "${BASE:-}" ] || fail 'no revision to compare with' 'name one with BASE=, see sim/run/same.sh --help'
    git rev-parse --git-dir >/dev/null 2>&1 ||
        fail 'this folder has no history' 'take a git clone, or another rtl/ with sim/run/same.sh --rtl FOLDER'
    if ! commit=$(git rev-parse --verify --quiet "$BASE^{commit}"); then
        [ "$(git rev-parse --is-shallow-repository)" = false ] ||
            fail "no revision '$BASE' in this clone without its history" 'git fetch --unshallow'
        fail "no revision '$BASE'" 'see git log, or git fetch'
    fi
    name=${commit:0:12} shown=$BASE
    if [ ! -d "build/same/$name/rtl" ]; then
        fresh=build/same/$name/fresh.$$
        mkdir -p "$fresh"
        git archive "$commit" rtl 2>/dev/null | tar -x -C "$fresh" 2>/dev/null || true
        if [ ! -f "$fresh/rtl/top/totem.v" ]; then
            rm -rf "$fresh"
            fail "revision '$BASE' has no machine (rtl/top/totem.v)" 'take a later one'
        fi
        mv "$fresh/rtl" "build/same/$name/rtl"
        rmdir "$fresh"
    fi
fi

echo "Building the comparison with $shown for configuration $config (the first time takes minutes, full more than ten)"
log=build/same/$name/build-$config.log
if ! make -s -C tb/same NAME="$name" CONFIG="$config" >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    fail "the comparison cannot be built ($log)" "if pins are missing or of another width, take a later revision"
fi
exec "build/same/$name/$config/same" --base "$shown" "${arguments[@]}"

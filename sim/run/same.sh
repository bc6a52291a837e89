#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make same: are the pins of the machine those of an older revision, clock by clock, under random work?
#
#   sim/run/same.sh --base REVISION [--config CONFIGURATION] [option ...]
#   sim/run/same.sh --rtl FOLDER [option ...]      against a folder with another rtl/ (--base is its name in words)
#
# --base    revision whose RTL it is compared with: hash, tag or branch of this repository
# --cycles  clocks in all, over the seeds (default 1000000)
# --seeds   at most so many seeds (default: as many as the clocks take); --seed the first (default 1)
# --work    clocks of a seed in which new work is given (default 20000); then it goes on until all has ended
#
# The RTL of the base is Verilated below build/same/<revision>; the present machine is the C model, which lockstep and
# proofs hold equal to the present RTL. Exit code 0: equal; 1: a difference (seed, clock, pins, both values); 2: it
# cannot run.
set -euo pipefail
. "$(dirname "$0")/../options.sh"
options base rtl config cycles seeds seed work -- "$@"
cd "$(dirname "$0")/../.."

fail() # what, remedy
{
    echo "same: $1; $2" >&2
    exit 2
}

config=${config:-full}
configurations=$(sim/run/configurations.sh)
case " $configurations " in
*" $config "*) ;;
*) fail "'$config' is not a configuration" "take one of: $configurations" ;;
esac
arguments=()
for pair in "clocks cycles" "seeds seeds" "from seed" "work work"; do
    value=${pair#* }
    value=${!value}
    [ -z "$value" ] || [[ $value =~ ^[1-9][0-9]{0,17}$ ]] || fail "--${pair#* } $value" 'take a number of at least 1'
    [ -z "$value" ] || arguments+=("--${pair% *}" "$value")
done

if [ -n "$rtl" ]; then
    [ -f "$rtl/top/totem.v" ] || fail "'$rtl' has no top/totem.v" 'name a folder like rtl/'
    name=folder shown=${base:-$rtl}
    rm -rf build/same/folder/rtl
    mkdir -p build/same/folder
    cp -r "$rtl" build/same/folder/rtl
else
    [ -n "$base" ] || fail 'no revision to compare with' 'name one with --base, see sim/run/same.sh --help'
    git rev-parse --git-dir >/dev/null 2>&1 ||
        fail 'this folder has no history' 'take a git clone, or another rtl/ with sim/run/same.sh --rtl FOLDER'
    if ! commit=$(git rev-parse --verify --quiet "$base^{commit}"); then
        [ "$(git rev-parse --is-shallow-repository)" = false ] ||
            fail "no revision '$base' in this clone without its history" 'git fetch --unshallow'
        fail "no revision '$base'" 'see git log, or git fetch'
    fi
    name=${commit:0:12} shown=$base
    if [ ! -d "build/same/$name/rtl" ]; then
        fresh=build/same/$name/fresh.$$
        mkdir -p "$fresh"
        git archive "$commit" rtl 2>/dev/null | tar -x -C "$fresh" 2>/dev/null || true
        if [ ! -f "$fresh/rtl/top/totem.v" ]; then
            rm -rf "$fresh"
            fail "revision '$base' has no machine (rtl/top/totem.v)" 'take a later one'
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

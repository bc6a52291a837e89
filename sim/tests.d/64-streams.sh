#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Command streams through the blocks context and frames: every register of every draw is that of a plain replay,
# bounced and plain, filter on and off, with 2, 4, 8 and 16 sets; the counts are those of an independent recount
# (tb/context). Made and random streams always, captured ones if their folder is there. RTL and C twins in lockstep
# with the sizes of full and board, C twins alone with the others.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
work=build/test/streams
python=.venv/bin/python
mkdir -p "$work"
rm -f "$work"/*.txt

# A program for each size: configuration, what is replaced, lockstep.
sizes=("full" "board" "full SETS=2" "full SETS=4" "full SETS=16" "full BANKS=8" "full SETS=2 BANKS=8")
programs=()
for size in "${sizes[@]}"; do
    read -r config set <<<"$size"
    if log=$(make -s -C tb/context CONFIG="$config" SET="$set" 2>&1); then
        name=$config
        for item in $(printf '%s\n' $set | sort); do name=$name-${item/=/}; done
        programs+=("build/context/$name/streams")
    else
        bad "build $size"
        printf '%s\n' "$log" | tail -n 20
    fi
done
for config in full board; do
    if log=$(make -s -C tb/context CONFIG=$config LOCKSTEP=1 2>&1); then
        programs+=("build/context/$config-lockstep/streams")
    else
        bad "build $config in lockstep"
        printf '%s\n' "$log" | tail -n 20
    fi
done

# One stream in all sizes; the digest of all registers of all draws must be the same everywhere.
play() # name table latency service file...
{
    local name=$1 table=$2 latency=$3 service=$4 program size log digests good=1
    shift 4
    log=$work/$name.txt
    for program in "${programs[@]}"; do
        size=$(basename "$(dirname "$program")")
        if ! timeout 600 "$program" --facts --folder "$work" --latency "$latency" --service "$service" --table "$table" \
            "$@" >"$work/one.txt" 2>&1; then
            bad "$name, $size ($program --latency $latency --service $service --table $table $*)"
            tail -n 12 "$work/one.txt"
            good=
        fi
        { echo "# $size"; cat "$work/one.txt"; } >>"$log"
    done
    digests=$(awk '$4 ~ /^(on|off)$/ { print $NF }' "$log" | sort -u | wc -l)
    [ -z "$good" ] && return
    if [ "$digests" = 1 ]; then
        good "$name: $(grep -c -E '(plain|bounced|off) +(on|off) ' "$log") runs, $(sed -n '2s/,.*//p' "$log")"
    else
        bad "$name: $digests different digests"
    fi
}
# What the log of a stream must say.
says() # name text
{
    if grep -qF -- "$2" "$work/$1.txt"; then
        good "$1: $2"
    else
        bad "$1: not found: $2"
    fi
}
# Hits of the bounced run, filter on, in a size.
hits() # name sets banks count
{
    local found
    found=$(awk -v s="$2" -v b="$3" '$1 == s && $2 == b && $3 == "bounced" && $4 == "on" { print $10 }' \
        "$work/$1.txt" | sort -u)
    if [ "$found" = "$4" ]; then
        good "$1: $4 hits with $2 sets"
    else
        bad "$1: $found hits with $2 sets, not $4"
    fi
}

$python sim/workloads/context_stream.py table "$work/table.hex"
$python sim/workloads/context_stream.py example "$work/example.hex"
play example "$work/table.hex" 150 1 "$work/example.hex"
hits example 4 8 1
for count in 2 8 9; do
    $python sim/workloads/context_stream.py cycle $count 130 "$work/cycle$count.hex"
    play cycle$count "$work/table.hex" 1500 1 "$work/cycle$count.hex"
done
$python sim/workloads/context_stream.py return "$work/return.hex"
play return "$work/table.hex" 3 1 "$work/return.hex"
hits cycle8 8 16 152
hits cycle9 8 16 0
for seed in $(seq 1 12); do
    $python sim/workloads/context_stream.py random "$seed" "$work/random$seed.hex"
    play "random$seed" "$work/table.hex" $((seed * 37 % 700 + 1)) $((seed * 7 % 30)) "$work/random$seed.hex"
done

streams=${TOTEM_STREAMS:-../shared/streams}
if [ -d "$streams" ]; then
    heaven=("$streams/umr_gfx10_navi10_heaven_ib0.hex" "$streams/umr_gfx10_navi10_heaven_ib1.hex")
    play heaven "$streams/clearstate_gfx10.hex" 1000 1 "${heaven[@]}"
    says heaven "context writes 867, of which 366 change nothing; rolls 68, by draws alone 67; states 68, different 44"
    says heaven "groups 68: bounced 63"
    hits heaven 2 16 8
    hits heaven 4 16 20
    hits heaven 8 16 24
    hits heaven 16 16 24
    play heaven-short "$streams/clearstate_gfx10.hex" 30 1 "${heaven[@]}"
    play heaven-long "$streams/clearstate_gfx10.hex" 4000 30 "${heaven[@]}"
    for part in 0 1; do
        play glmark2-ib$part "$streams/clearstate_gfx9.hex" 1000 1 "$streams/umr_gfx9_cezanne_glmark2_ib$part.hex"
    done
    for chip in 9 10; do
        play libdrm-gfx$chip "$streams/clearstate_gfx$chip.hex" 1000 1 \
            "$streams"/libdrm_gfx${chip}_{preamblecache,cached_cmd}.hex
        play clearstate-gfx$chip "$streams/clearstate_gfx$chip.hex" 1000 1 "$streams/clearstate_gfx$chip.hex"
    done
    play cik "$streams/clearstate_ci.hex" 1000 1 "$streams/clearstate_ci.hex" "$streams/radeon_cik_default_state.hex"
elif [ -n "${TOTEM_STREAMS:-}" ]; then
    bad "streams: TOTEM_STREAMS is $streams, which is no folder"
else
    for name in heaven glmark2 libdrm clearstate cik; do
        echo "SKIPPED $name: the captured streams are not in $streams; name their folder with TOTEM_STREAMS="
    done
fi
finish

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Command streams through the blocks context and frames: every register of every draw is that of a plain replay,
# bounced and plain, filter on and off, with 2 to 16 sets; the counts are those of an independent recount
# (tb/context). Made and random streams always, captured ones if their folder is there. RTL and C twins in lockstep
# with the sizes of full and board, and for two short streams with 2 and 16 sets; C twins alone with the others.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
work=build/test/streams
python=.venv/bin/python
mkdir -p "$work"
rm -f "$work"/*.txt

# A program for each size: configuration, what is replaced, lockstep.
sizes=("full" "board" "full SETS=2" "full SETS=16")
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

# For short streams only: lockstep with the fewest and the most sets.
short=()
for sets in 2 16; do
    if log=$(make -s -C tb/context SET=SETS=$sets LOCKSTEP=1 FAST=-O0 2>&1); then
        short+=("build/context/full-SETS$sets-lockstep/streams")
    else
        bad "build full SETS=$sets in lockstep"
        printf '%s\n' "$log" | tail -n 20
    fi
done

# One stream in all sizes; the digest of all registers of all draws must be the same everywhere.
play() # name table latency service file...
{
    local name=$1 table=$2 latency=$3 service=$4 program size log digests good=1
    shift 4
    log=$work/$name.txt
    for program in "${programs[@]}" "${more[@]}"; do
        size=$(basename "$(dirname "$program")")
        if ! timeout 600 "$program" --facts --folder "$work" --latency "$latency" --service "$service" \
            --table "$table" "$@" >"$work/one.txt" 2>&1; then
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

# Clocks of the bounced run against those of the plain one, filter on, in the size of a configuration.
bound() # name configuration per cent
{
    local plain bounced
    read -r plain bounced <<<"$(awk -v size="$2" '
        $1 == "#" { here = $2 == size }
        here && $4 == "on" { clocks[$3] = $5 }
        END { print clocks["plain"] + 0, clocks["bounced"] + 0 }' "$work/$1.txt")"
    if [ "$plain" -gt 0 ] && [ "$bounced" -gt 0 ] && [ $((bounced * 100)) -le $((plain * $3)) ]; then
        good "$1: $bounced clocks bounced, $plain plain in $2, at most $3 %"
    else
        bad "$1: $bounced clocks bounced, $plain plain in $2, not at most $3 %"
    fi
}

more=("${short[@]}")
$python sim/workloads/context_stream.py table "$work/table.hex"
$python sim/workloads/context_stream.py example "$work/example.hex"
play example "$work/table.hex" 150 1 "$work/example.hex"
hits example 4 8 1
$python sim/workloads/context_stream.py random 13 "$work/random13.hex"
play random13 "$work/table.hex" 40 3 "$work/random13.hex"
more=()
for count in 2 8 9; do
    $python sim/workloads/context_stream.py cycle $count 130 "$work/cycle$count.hex"
    play cycle$count "$work/table.hex" 1500 1 "$work/cycle$count.hex"
done
$python sim/workloads/context_stream.py return "$work/return.hex"
play return "$work/table.hex" 3 1 "$work/return.hex"
hits cycle8 8 16 152
hits cycle9 8 16 0
for seed in $(seq 1 4); do
    $python sim/workloads/context_stream.py random "$seed" "$work/random$seed.hex"
    play "random$seed" "$work/table.hex" $((seed * 37 % 700 + 1)) $((seed * 7 % 30)) "$work/random$seed.hex"
done

streams=${TOTEM_STREAMS:-../shared/streams}
if [ -d "$streams" ]; then
    heaven=("$streams/umr_gfx10_navi10_heaven_ib0.hex" "$streams/umr_gfx10_navi10_heaven_ib1.hex")
    play heaven "$streams/clearstate_gfx10.hex" 1000 1 "${heaven[@]}"
    says heaven "context writes 867, of which 366 change nothing; rolls 68, by draws alone 67; states 68, different 44"
    says heaven "867 draws, 6 dispatches, 867 registers as the other decoder has them"
    says heaven "groups 68: bounced 63"
    rolls=$(awk '$1 == 8 && $3 == "plain" { print $9 }' "$work/heaven.txt" | sort -u)
    [ "$rolls" = 68 ]
    note $? "heaven: $rolls rolls in the plain stream with 8 sets"
    bound heaven full 102
    bound heaven board 102
    hits heaven 2 16 8
    hits heaven 4 8 20
    hits heaven 8 16 24
    hits heaven 16 16 24
    play heaven-short "$streams/clearstate_gfx10.hex" 30 1 "${heaven[@]}"
    play heaven-long "$streams/clearstate_gfx10.hex" 4000 30 "${heaven[@]}"
    for part in 0 1; do
        play glmark2-ib$part "$streams/clearstate_gfx9.hex" 1000 1 "$streams/umr_gfx9_cezanne_glmark2_ib$part.hex"
    done
    says glmark2-ib0 "1 draws, 3 dispatches, 104 registers as the other decoder has them"
    says glmark2-ib1 "1 draws, 0 dispatches, 85 registers as the other decoder has them"
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

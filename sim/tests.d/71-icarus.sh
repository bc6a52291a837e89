#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A second simulator, one that knows unknown values: the example system of tb/soc runs a queue in configuration mini;
# recorded runs of the model (mini and board, LONG=1: full too) give the same outputs of every block in every clock
# under Icarus; planted faults (a wrong rule, a register without its value at start) are found and named.

set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL CONFIG
work=build/icarus
mkdir -p "$work"
. sim/tally.sh
export OPT=-O1      # the model that sim/unit.sh builds too

# In SystemVerilog here, in Verilog-2005 under FuseSoC (80-synth).
program=$work/soc
iverilog -g2012 -Wall -DTOTEM_CONFIG_MINI -f totem.f -s soc_bench -o "$program" tb/soc/*.v >"$program.log" 2>&1 &&
    [ ! -s "$program.log" ] && timeout 600 vvp -n "$program" >"$program.log" 2>&1
note $? 'the example system compiles as SystemVerilog, and its bench ends' "$program.log"
add 'example system' "$program.log"

build() # name, configuration, rtl folder, program (none: both)
{
    make -s -C tb/icarus NAME="$1" CONFIG="$2" RTL="$PWD/$3" ${4:+"$PWD/$work/$1/$4"} >"$work/build-$1.log" 2>&1 ||
        { cat "$work/build-$1.log"; false; }
}

# The first seed from SEED on that launches WAVES waves within CLOCKS: an idle machine would prove little.
replay() # name, seed, clocks, waves
{
    local folder=$work/$1 seed file waves
    for ((seed = $2; seed < $2 + 40; seed++)); do
        file=$folder/seed-$seed
        "$folder/record" --seed "$seed" --clocks "$3" "$file.record" >"$folder/record.log" ||
            { cat "$folder/record.log"; return 3; }
        waves=$(sed -n 's/.* \([0-9]*\) waves.*/\1/p' "$folder/record.log")
        [ "${waves:-0}" -lt "$4" ] || break
        rm "$file.record"
    done
    [ -s "$file.record" ] || { echo "no seed from $2 on launches $4 waves in $3 clocks"; return 3; }
    rm -f "$file.dump"
    timeout 900 vvp -n "$folder/replay" "+record=$file.record" "+dump=$file.dump" >"$file.vvp" 2>&1
    if [ "$(tail -n 1 "$file.vvp")" = "$3 clocks equal" ]; then
        echo "$1 $(cat "$folder/record.log")"
        return 0
    fi
    cat "$file.vvp"
    [ -s "$file.dump" ] && "$folder/record" --seed "$seed" --clocks "$3" --explain "$file.dump" | tee "$folder/why" |
        head -n 40
    return 1
}

for run in 'mini 10 4000 30' 'board 34 2000 10' ${LONG:+'full 34 2000 1'}; do
    read -r configuration seed clocks waves <<<"$run"
    build "$configuration" "$configuration" rtl && replay "$configuration" "$seed" "$clocks" "$waves"
    note $? "$configuration: $clocks clocks are the same under Icarus"
done

plant() # name, file below rtl/, text, what stands there instead, block that must be named, what its lines must say
{
    local name=$1 file=$2 old=$3 new=$4 block=$5 says=$6 code
    rm -rf "$work/$name"
    mkdir -p "$work/$name"
    cp -r rtl "$work/$name/rtl"
    OLD=$old NEW=$new python3 - "$work/$name/rtl/$file" <<'EOF' || { note 1 "planted: $name"; return; }
import os, pathlib, sys
path = pathlib.Path(sys.argv[1])
text, old = path.read_text(), os.environ["OLD"]
if text.count(old) != 1:
    sys.exit(f"'{old}' stands {text.count(old)} times in {path}; mend this test")
path.write_text(text.replace(old, os.environ["NEW"]))
EOF
    # What is recorded comes from the model, which has no fault.
    ln -sf ../mini/record "$work/$name/record"
    build "$name" mini "$work/$name/rtl" replay || { note 1 "planted: $name"; return; }
    replay "$name" 10 4000 30 >"$work/$name/log"
    code=$?
    sed -n '1,5p' "$work/$name/log"
    [ "$code" = 1 ] && grep -q "block $block\$" "$work/$name/why" && grep -q "$says" "$work/$name/why"
    note $? "planted: $name is found in $block"
}

plant wrong-slot engine/totem_wave.v 'look_valid_q ? look_slot_q : done_slot_q' 'look_valid_q ? visit_q : done_slot_q' \
    wave 'done_slot  model 0x'
plant unknown-at-start host/totem_host.v '        w_data_q      = 32'"'"'d0;
' '' host 'Icarus x'

finish

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# One block alone (make block): blocks of every kind, in configuration mini, are equal to their C twins under random
# inputs (that all are is proved, 50-equiv); parameters can be replaced; a file of stimuli gives the clocks that the
# contract says; the rules that were reached are told; bad files, parameters and Stimuli tables are refused with file
# and line; faults planted in RTL and C model are found, with words, waves and a view; two blocks run in one program.
set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL
work=build/test/blocks
rm -rf "$work"
mkdir -p "$work"
. sim/tally.sh
export FAST=-O0     # compiled sooner; what is run here is short

# Block, log, settings for make: the program is build/block/<folder>/block.
build()
{
    local log=$1
    shift
    make -s -C tb/block CONFIG=mini "$@" >"$log" 2>&1
}

# One of each kind: without state, an inbox inside, a RAM beside it, several, arrays with masks, not in the machine.
for block in any inbox bus tally fetch port hub; do
    log=$work/$block.log
    if build "$log" BLOCK="$block" &&
        timeout 100 "build/block/$block-mini/block" --seeds 2 --cycles 2000 >"$log" 2>&1; then
        good "$(tail -n 1 "$log")"
    else
        bad "$block is not built, or not equal to its C twin" "$log"
    fi
done

for case in 'inbox WIDTH=8' 'bus FE_COUNT=3 LANES=5 SOURCES=2' 'ram DEPTH=64 WIDTH=20' 'context SETS=16'; do
    read -r block values <<<"$case"
    folder=build/block/$block-mini$(tr -d = <<<" $values" | tr ' ' '\n' | sort | sed '/^$/d; s/^/-/' | tr -d '\n')
    if build "$work/set.log" BLOCK="$block" SET="$values" &&
        "$folder/block" --seeds 2 --cycles 2000 >"$work/set.log" 2>&1 &&
        grep -q "^block $block mini .*=.*: 4000 clocks, 2 seeds, 0 mismatches$" "$work/set.log"; then
        good "$(tail -n 1 "$work/set.log")"
    else
        bad "$block with $values" "$work/set.log"
    fi
done
expect 'an unknown parameter is refused' 2 "NOPE: neither a parameter of block bus nor of" \
    sim/run/block.py bus --config mini --set NOPE=3
expect 'a parameter that the C twin has fixed is refused' 2 'DEPTH of block hub cannot be replaced' \
    sim/run/block.py hub --config mini --set DEPTH=32 --cycles 100
expect 'a size that the RTL refuses is one line' 2 'block: totem_context needs SETS 2 4 8 or 16 (build/block/' \
    sim/run/block.py context --set SETS=3
[ "$(wc -l <"$work/out")" -le 2 ]
note $? 'and no output of Verilator' "$work/out"
expect 'an unknown block is refused' 2 "no block 'nope'; known: access any arbiter" sim/run/block.py nope

# The inbox holds two words; a third is refused, and what is taken comes in order.
cat >"$work/inbox.txt" <<'END'
in_valid  in_data  out_take   # two words in, both out
1 1 0x11 0
1 1 0x22 0
1 1 0x33 0
2 0 0 1
1 0 0 0
END
cat >"$work/inbox.csv" <<'END'
clock,rst,in_valid,in_data,out_take,in_ready,out_valid,out_data
0,0,1,17,0,1,0,0
1,0,1,34,0,1,1,17
2,0,1,51,0,0,1,17
3,0,0,0,1,0,1,17
4,0,0,0,1,1,1,34
5,0,0,0,0,1,0,0
END
expect 'a file of stimuli' 0 'block inbox mini: 6 clocks of' \
    sim/run/block.py inbox --config mini --stimuli "$work/inbox.txt" --dump "$work/out.csv"
cmp -s "$work/inbox.csv" "$work/out.csv"
note $? 'every clock as CSV is what the contract says' "$work/out.csv"

# Rules reached: without packets the rule of packets is not, though its condition was computed in every clock.
printf 'rst\n300 0\n' >"$work/quiet.txt"
printf 'packet_ignored\n300 0\n9 1\n' >"$work/packet.txt"
rules()
{
    sim/run/block.py "$@" --config mini
}
expect 'a rule that no input reaches is named' 0 '  2 A packet, not reached: If `packet_ignored`: `pending` = 1' \
    rules tally --stimuli "$work/quiet.txt"
grep -q '^rules reached: 0 of 2, and 1 in part, in 300 clocks, ' "$work/out" &&
    grep -q '^    cmodel/packet/totem_tally.c:[0-9]* never ran: n.pending *= true;$' "$work/out"
note $? 'with the line that never ran' "$work/out"
expect 'and with its input it is reached' 0 'rules reached: 1 of 2, and 1 in part, in 309 clocks' \
    rules tally --stimuli "$work/packet.txt"
expect 'random inputs reach every rule of inbox' 0 'rules reached: 3 of 3, in 200 clocks, seeds 1..2' \
    rules inbox --seeds 2 --cycles 100
[[ $(make -s -C tb/block BLOCK=bank print-parts) == *totem_bank.o*totem_bank_derive.o* ]]
note $? 'a twin in parts is compiled with all of them'

# Options are refused before anything is built: there is no build of this name.
option()
{
    expect "refused: $1" 2 "argument ${1%%=*}: ${1#*=}$2" sim/run/block.py bus --config mini --name never "$1"
}
option --cycles=abc ': expected a number from 1 to 18446744073709551615'
option --cycles=0 ': expected a number from 1 to'
option --seeds=-1 ': expected a number from 1 to'
option --seeds=18446744073709551616 ': expected a number from 1 to'
option --seed=1x ': expected a number from 0 to'
option --stimuli="$work/none.txt" ': cannot be read (No such file or directory)'
option --stimuli="$work" ': cannot be read (Is a directory)'
option --dump="$work/none/out.csv" ': cannot be written (No such file or directory)'
[ ! -e build/block/never-bus-mini ]
note $? 'and nothing was built'
expect 'the program refuses numbers beyond 64 bits' 2 "'18446744073709551616': expected a number from 1 to" \
    build/block/inbox-mini/block --cycles 18446744073709551616
expect '--dump runs one seed and says so' 0 'with a dump one seed is run, 3; --seeds 2 is left aside' \
    sim/run/block.py inbox --config mini --seed 3 --seeds 2 --cycles 10 --dump "$work/seed.csv"
expect 'a dump that cannot be written' 2 "$work/none/out.csv cannot be written" \
    build/block/inbox-mini/block --dump "$work/none/out.csv"
[ "$(wc -l <"$work/out")" = 1 ]
note $? 'is one line' "$work/out"

# Refused files: block, text of the file, what is said.
refuse()
{
    printf '%b' "$2" >"$work/bad.txt"
    expect "refused: $3" 2 "$work/bad.txt:$3" "build/block/$1-mini/block" --stimuli "$work/bad.txt"
}
refuse inbox 'in_valid nope\n' '1: block inbox has no input nope; its inputs are rst and'
refuse inbox 'in_valid in_ready\n' '1: block inbox has no input in_ready'
refuse inbox 'in_valid\n1 1\n3 2\n' '3: 2 does not fit in the 1 bits of in_valid'
refuse inbox 'in_valid rst\n1 1\n' '2: 1 values for 2 columns'
refuse inbox 'in_valid\n\n1 1 1 # more\n' '3: more than 1 values'
refuse inbox 'in_valid\n1 0x1g\n' "2: '0x1g' is not a number"
refuse inbox 'in_valid\n0 1\n' '2: a line of 0 clocks'
refuse inbox '# nothing\n' '1: the file is empty'
refuse bus 'source_valid[1]\n' '1: source_valid has no element 1; it has 1'
refuse bus 'source_valid[x]\n' "1: 'source_valid[x]' is not name[number]"
refuse tally 'ram_read_data\n' '1: ram_read_data is read from the memory that the bench keeps'

# Refused Stimuli tables.
mkdir -p "$work/contract"
table()
{
    {
        cat docs/contract/inbox.md
        printf '\n## Stimuli\n| port | draw |\n|---|---|\n| `%s` | %s |\n' "$1" "$2"
    } >"$work/contract/inbox.md"
    local line
    line=$(wc -l <"$work/contract/inbox.md")
    expect "refused table: $3" 1 "inbox.md:$line: $3" .venv/bin/python -c "
import sys
from pathlib import Path
sys.path.insert(0, 'sim/gen')
import contract
try:
    contract.load('inbox', Path('$work/contract'))
except contract.ContractError as error:
    sys.exit(str(error))"
}
table nope any "'nope' is not an input of inbox"
table in_ready any "'in_ready' is not an input of inbox"
table in_data 'one_in 3' 'one_in 3 of in_data is not a power of two'
table in_data 'one_in 512' 'one_in 512 of in_data is not within 2 to 256'
table in_data 'few 0' 'few 0 of in_data is not within 1 to 64'
table in_data few "draw 'few' of in_data is not known"
table in_valid '2' 'constant 2 of in_valid is not within 0 to 1'
table in_valid 'sometimes' "'sometimes' in 'sometimes' is not a parameter"

# Planted faults: block, fault, the output that differs, side, from which clock on at the earliest, and a line of RTL that
# is named. The register of memory-tag differs before the output does.
while read -r block fault output side late line; do
    rm -rf "$work/copy"
    cp -r "$side" "$work/copy"
    log=$work/$fault-$side.log
    words=build/block/planted-$block-mini
    rm -f "$words"/mismatch*
    copy=--$side=$PWD/$work/copy option=
    [ "$side" = rtl ] || option=--model
    .venv/bin/python sim/faults/plant_fault.py $option "$fault" "$work/copy" >"$log"
    sim/run/block.py "$block" --config mini --seeds 2 --cycles 400000 --name planted "$copy" >>"$log" 2>&1
    code=$?
    found=$(ls "$words"/mismatch-*.txt 2>/dev/null | head -n 1)
    began=$(sed -n 's/^It began in clock \([0-9]*\) .*/\1/p' "${found:-/dev/null}")
    clock=$(sed -n 's/^Mismatch at clock \([0-9]*\) .*/\1/p' "${found:-/dev/null}")
    if [ "$code" = 1 ] && [ "${clock:-0}" -ge "$late" ] && grep -q "^  output $output.* model .* | RTL " "$found" &&
        grep -q 'mismatches$' "$log" && [ -s "${found%.txt}.fst" ] &&
        { [ "$fault" != memory-tag ] || [ "$began" -lt "$clock" ]; } && grep -q "^    rtl/.*: .*$line" "$found" &&
        grep -q "{$output.* model} .*TOP.model.$output" "${found%.txt}.gtkw"; then
        good "$fault in $side is found in clock $clock:$(grep -m 1 "^  output $output" "$found" | tr -s ' '), waves and a view"
    else
        bad "$fault in $side is not found, or its bundle is not complete" "$log"
    fi
done <<'END'
divide divide-place read_place rtl 1 place_d  = 2'd2;
divide divide-place read_place cmodel 1 place_d  = 2'd2;
poll poll-half waiting rtl 100 waiting_d
memory memory-tag ack_tag rtl 2 write_tag_d.* = write_tag_q.i.12 + 6 +: 6.;
END

if make -s -C tb/block program MAIN=pair_main.c BLOCKS='bus port' CONFIG=mini >"$work/pair.log" 2>&1 &&
    build/block/pair-mini/program >"$work/pair.log" 2>&1; then
    good "$(tail -n 1 "$work/pair.log")"
else
    bad 'two blocks in one program' "$work/pair.log"
fi
finish

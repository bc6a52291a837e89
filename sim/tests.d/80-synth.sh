#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every block synthesizes in configuration mini, without a latch and without a net that has two drivers or none, and a
# block with such a fault is refused. Every target of totem.core runs with FuseSoC from a clean clone, in mini; synth
# and formal with one block, since the machine takes many minutes.

set -u
cd "$(dirname "$0")/../.."
. sim/tally.sh

log=build/test/synth.txt
mkdir -p build/test
synth/synth.sh quick >"$log" 2>&1
add synth "$log"

refused() # what, text before `endmodule` in the inbox, what Yosys must say
{
    local copy=build/synth-copy/rtl
    rm -rf build/synth-copy
    mkdir -p build/synth-copy
    cp -r rtl "$copy"
    TEXT=$2 perl -0pi -e 's/\nendmodule\n/\n$ENV{TEXT}\nendmodule\n/' "$copy/lib/totem_inbox.v"
    cmp -s rtl/lib/totem_inbox.v "$copy/lib/totem_inbox.v" && echo "the fault was not planted"
    if SYNTH_RTL=$copy synth/synth.sh inbox >"$log" 2>&1 || ! grep -q "$3" "$log"; then
        cat "$log"
        bad "planted: $1 is not refused"
    else
        good "planted: $1 is refused: $(grep -m 1 -o 'ERROR.*' "$log")"
    fi
}

refused 'a latch' '    reg kept; always @* if (in_valid) kept = out_take; assign in_ready = kept;' \
    'ERROR: Assertion failed: selection is not empty'
refused 'a net with two drivers' '    assign out_valid = in_valid;' "ERROR: Found .* problems in 'check -assert'"

# What the core does not list is not there.
work=build/fusesoc
rm -rf "$work"
mkdir -p "$work/clone"
sim/setup.sh fusesoc >"$log" 2>&1
note $? 'FuseSoC is set up' "$log"
cp totem.core "$work/clone"
sed -n 's/^      - \([^:]*\).*/\1/p' totem.core | sort -u | xargs -I{} cp --parents {} "$work/clone"
sed -i '/^  synth:/,/^$/s/^    description: .*/&\n    toplevel: totem_tally/' "$work/clone/totem.core"
core() # target
{
    FORMAL='tally --config mini' .venv/bin/fusesoc --cores-root "$work/clone" run --target="$1" \
        --work-root "$work/$1" totem --TOTEM_CONFIG_MINI
}
expect 'totem.core, sim' 0 '41 passed, 0 failed' core sim
expect 'totem.core, lint' 0 '' core lint
expect 'totem.core, synth' 0 '' core synth
grep -q 'TRELLIS_FF' "$work/synth/yosys.log"
note $? 'cells of an ECP5' "$work/out"
expect 'totem.core, formal' 0 'tally (mini): proved' core formal
[ "$(sed -n '/^targets:/,/^scripts:/s/^  \([a-z]*\): .*\|^  \([a-z]*\):$/\1\2/p' totem.core | paste -sd ' ')" = \
    'default sim lint synth formal' ]
note $? 'no other targets'
finish

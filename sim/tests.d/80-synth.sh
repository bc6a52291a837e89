#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every block synthesizes in configuration mini, without a latch and without a net that has two drivers or none, and a
# block with such a fault is refused.

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
finish

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Pins against an older revision (make same), mini, with the present RTL in the older one's place (no history is
# needed): it is equal; a planted difference, a pin that is gone or has another width, wrong settings are noticed.
set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL
work=build/test/same
rm -rf "$work"
mkdir -p "$work"
. sim/tally.sh
export FAST=-O0     # compiled sooner; what is run here is short
export OPT=-O1      # the model that sim/unit.sh builds too

expect 'the present RTL has the pins of the present model' 0 'pins equal to those of rtl in 80000 clocks' \
    sim/run/same.sh --config mini --work 4000 --cycles 80000 --rtl rtl

planted() # name, exit code, text, file below rtl/, sed script
{
    rm -rf "$work/rtl"
    cp -r rtl "$work/rtl"
    sed -i "$5" "$work/rtl/$4"
    if cmp -s "rtl/$4" "$work/rtl/$4"; then
        bad "$1: '$5' does not change rtl/$4; mend this test"
    else
        expect "$1" "$2" "$3" sim/run/same.sh --config mini --work 4000 --cycles 80000 --rtl "$work/rtl"
    fi
}
# One bit of the address of writes is wrong.
planted 'a planted difference is found, with seed and clock' 1 'Difference at seed 1 clock ' \
    memory/totem_memory.v 's/^\( *assign m_axi_awaddr *= \)\(.*\);/\1\2 ^ 40'"'"'d64;/'
grep -q '^  m_axi_awaddr  *build/test/same/rtl 0x[0-9a-f]*, present 0x' "$work/out"
note $? 'and with the pin and both values' "$work/out"
planted 'another width of a pin is refused' 2 'the comparison cannot be built' \
    top/totem.v 's/input  wire \[19:0\]\( *s_axil_awaddr\)/input  wire [18:0]\1/'
planted 'a pin that is gone is refused' 2 'the comparison cannot be built' \
    top/totem.v 's/^\( *output wire  *\)irq,/\1irq_other,/; s/\.irq(irq)/.irq(irq_other)/'

expect 'no revision is refused' 2 'name one with --base' sim/run/same.sh
expect 'a wrong number is refused' 2 '--cycles x; take a number' sim/run/same.sh --base HEAD --cycles x
expect 'a folder without RTL is refused' 2 "has no top/totem.v" sim/run/same.sh --rtl sim
expect 'help' 0 '--base    revision' sim/run/same.sh --help
if git rev-parse --git-dir >/dev/null 2>&1; then
    expect 'an unknown revision is refused' 2 "no revision 'no-such'" sim/run/same.sh --base no-such
    rm -rf "$work/clone"
    if git clone -q --depth 1 "file://$PWD" "$work/clone" 2>/dev/null; then
        expect 'a clone without history says so' 2 'git fetch --unshallow' \
            "$work/clone/sim/run/same.sh" --base no-such
    else
        echo 'SKIPPED same-shallow: this repository cannot be cloned'
    fi
    rm -rf "$work/clone"
else
    echo 'SKIPPED same-revision: no history here'
fi
finish

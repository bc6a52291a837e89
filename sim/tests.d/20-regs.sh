#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Registers: what is generated from rtl/host/totem.rdl is current and compiles, the blocks answer every register, hole
# and refusal as the description says (tb/regs), and planted differences are found.

set -u
cd "$(dirname "$0")/../.."
. sim/tally.sh
sim/setup.sh regs || { bad 'set-up'; finish; }
python=.venv/bin/python
work=build/regs
rm -rf "$work"
mkdir -p "$work"

# A copy of what is generated, with a change of the description or of a file.
copy()
{
    rm -rf "$work/copy"
    mkdir -p "$work/copy/rtl/host" "$work/copy/cmodel/host" "$work/copy/docs"
    cp rtl/host/totem.rdl rtl/host/totem_regs.vh "$work/copy/rtl/host/"
    cp cmodel/host/totem_regs_map.h cmodel/host/totem_regs_names.h "$work/copy/cmodel/host/"
    cp docs/registers.md "$work/copy/docs/"
}

expect "generated files are current" 0 "" $python rtl/host/gen_regs.py --check
copy
expect "so is a copy" 0 "" $python rtl/host/gen_regs.py --check --root "$work/copy"
sed -i 's/QUEUE_SIZE\[5:0\] = 9;/QUEUE_SIZE[5:0] = 10;/' "$work/copy/rtl/host/totem.rdl"
expect "planted: another reset value" 1 \
    "out of date: rtl/host/totem_regs.vh, cmodel/host/totem_regs_map.h, docs/registers.md" \
    $python rtl/host/gen_regs.py --check --root "$work/copy"
copy
for file in rtl/host/totem_regs.vh cmodel/host/totem_regs_map.h cmodel/host/totem_regs_names.h \
    docs/registers.md; do
    sed -i '$ s/$/ /' "$work/copy/$file"
done
expect "planted: all files edited by hand" 1 "out of date: rtl/host/totem_regs.vh, cmodel/host/totem_regs_map.h, \
cmodel/host/totem_regs_names.h, docs/registers.md;" $python rtl/host/gen_regs.py --check \
    --root "$work/copy"
copy
sed -i 's/ @0x04000 += 0x4;/ @0x02800 += 0x4;/' "$work/copy/rtl/host/totem.rdl"
expect "refused: blocks that overlap" 1 "overlap" $python rtl/host/gen_regs.py --check --root "$work/copy"
copy
sed -i 's/ @0x06000;/ @0x06010;/' "$work/copy/rtl/host/totem.rdl"
expect "refused: a block not on its size" 1 "no multiple of its span" $python rtl/host/gen_regs.py --check --root \
    "$work/copy"
expect "browsable pages" 0 "wrote build/docs/registers/index.html" $python rtl/host/gen_regs.py --html

cat >"$work/headers.c" <<'C'
#include "include/totem/regs.h"
#include "host/totem_regs_map.h"
_Static_assert(TOTEM_QUEUE(3, 2) + TOTEM_QUEUE_CP_HQD_PQ_CONTROL == TOTEM_REG_PIPE_BASE + 3 * TOTEM_REG_PIPE_STRIDE
               + 2 * TOTEM_REG_QUEUE_STRIDE + 4 * TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL, "the two headers agree");
int main(void) { return totem_reg_queue_reset(4) != 0x0be05301u || totem_reg_queue_kept(7) != 0x80000000u; }
C
for compiler in gcc clang-14; do
    expect "C headers, $compiler" 0 "" "$compiler" -std=c11 -Wall -Wextra -Wconversion -Werror -Wno-unused-function \
        -Icmodel \
        "$work/headers.c" -o "$work/headers"
    expect "C headers, $compiler, run" 0 "" "$work/headers"
done

# The blocks behind the host port, from `folder` for totem_regs.vh, against the cases of a configuration; of
# NAME-graphics with graphics pipes and tasks.
bench() # configuration folder [option of the bench...]
{
    local configuration=${1%-graphics} folder=$2 count sizes=()
    if [ "$configuration" != "$1" ]; then
        sizes=(GRAPHICS=1 TASKS=1)
        folder=$work/graphics
        mkdir -p "$folder"
        cp "$2/totem_regs.vh" "$folder"
        PYTHONPATH=sim/gen $python -c "import gen_config as g; name = '$configuration'
print(g.single('', name, g.overridden(name, {'GRAPHICS': 1, 'TASKS': 1}))[0])" >"$folder/totem_config.vh" || return 2
    fi
    shift 2
    iverilog -g2005 -Wall -DTOTEM_CONFIG_${configuration^^} "-I$folder" \
        $(printf -- "-I%s " rtl/*/) \
        $(printf -- "-y rtl/%s " {host,queue,packet,lib,engine,issue,graphics,throttle,task,schedule}) \
        -s totem_regs_bench -o "$work/bench.vvp" \
        tb/regs/totem_regs_bench.v || return 2
    count=$($python tb/regs/cases.py "$configuration" "$work/$configuration.hex" "${sizes[@]}") || return 2
    vvp -n "$work/bench.vvp" "+cases=$work/$configuration.hex" "+count=$count" "$@"
}
for configuration in full mini ${REGS_ALL:+mini-graphics}; do
    bench "$configuration" rtl/host >"$work/$configuration.log" 2>&1
    if [[ $(tail -n 1 "$work/$configuration.log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ &&
        ${BASH_REMATCH[1]} -gt 3000 ]]; then
        echo "$configuration: ${BASH_REMATCH[0]}"
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
    else
        echo "FAIL $configuration: the bench does not run to its end"
        failed=$((failed + 1))
    fi
    grep '^FAIL\|error\|warning' "$work/$configuration.log" | head -n 20
done

# Faults planted in the constants that the RTL uses: each must be seen by the bench.
planted()
{
    local name=$1 change=$2
    mkdir -p "$work/fault"
    sed "$change" rtl/host/totem_regs.vh >"$work/fault/totem_regs.vh"
    if cmp -s rtl/host/totem_regs.vh "$work/fault/totem_regs.vh"; then
        echo "FAIL planted: $name: nothing was changed"
        failed=$((failed + 1))
        return
    fi
    bench mini "$work/fault" +first >"$work/fault.log" 2>&1
    if grep -q '^FAIL case' "$work/fault.log"; then
        echo "ok   planted: $name"
        passed=$((passed + 1))
    else
        echo "FAIL planted: $name: not found"
        failed=$((failed + 1))
    fi
}
planted "reset value of a window dword" 's/== 17 ? 32.h00308509/== 17 ? 32'"'"'h00308501/'
planted "a hole in the machine block" '/MACHINE_EXISTS/ s/h\([0-9a-f]*\)fff$/h\17ff/'
planted "a register that is not locked while active" '/QUEUE_LIVE/ s/e4$/f4/'
finish

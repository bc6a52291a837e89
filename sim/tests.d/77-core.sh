#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# RISC-V cores behind the wave interface (tb/core), alone: the adapter is clean Verilog in Verilator, Icarus and Yosys,
# and its outputs depend on its state alone; kernels give right results; waves end by kill and error as docs/core.md
# says; planted faults are noticed by the test that is named beside them.
set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL CONFIG CORES_RTL CORES_NAME
work=build/test/core
rm -rf "$work"
mkdir -p "$work"
. sim/tally.sh
export CMOCKA_MESSAGE_OUTPUT=TAP
if ! sim/setup.sh rv32 >"$work/setup.log" 2>&1; then
    bad 'sim/setup.sh rv32' "$work/setup.log"
    finish
fi
picorv32=$(ls .venv/lib/*/site-packages/pythondata_cpu_picorv32/verilog/picorv32.v)

# -- the Verilog: 2005, no warning of ours, no latch, no output that depends on an input of the same clock; sizes beside
# the default ----------------------------------------------------------------------------------------------------------
with_yosys() # folder, parameters for hierarchy
{
    yosys -q -p "read_verilog -defer -Irtl/lib -Irtl/packet rtl/lib/totem_ram.v $picorv32 $(echo "$1"/totem_rv32*.v)
        hierarchy -check -top totem_rv32 $2; proc; opt_clean; check -assert
        select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr; flatten; opt_clean
        select -assert-none o:* %ci*:-\$dff,\$dffe,\$sdff,\$adff i:* %i" >"$work/lint.log" 2>&1
}
# shellcheck disable=SC2086 # lists
clean() # parameters NAME=value
{
    local log=$work/lint.log search='-Irtl/lib -Irtl/packet -y rtl/lib -y tb/core' parameter set= icarus= chparam=
    for parameter in "$@"; do
        set+=" -G$parameter" icarus+=" -Ptotem_rv32.$parameter" chparam+=" -chparam ${parameter/=/ }"
    done
    verilator --lint-only -Wall --default-language 1364-2005 $search $set --top-module totem_rv32 \
        tb/core/totem_rv32.vlt "$picorv32" tb/core/totem_rv32.v >"$log" 2>&1
    note $? "Verilator: totem_rv32 ${*:-full}" "$log"
    # That our files inherit the timescale of the core means nothing.
    iverilog -g2005 -Wall -Wno-timescale -t null $search $icarus -s totem_rv32 tb/core/totem_rv32.v "$picorv32" \
        >"$log" 2>&1
    [ $? = 0 ] && ! grep -v "$picorv32" "$log" >"$log.ours"
    note $? "Icarus: totem_rv32 ${*:-full}" "$log.ours"
    [ $# != 0 ] || return 0 # the RAMs of the full size take Yosys long
    with_yosys tb/core "$chparam"
    note $? "Yosys: totem_rv32 $*" "$log"
}
clean
clean SLOTS=4 QUEUES=2 EPOCHS=2 GRAPHICS=0 TASKS=0 CORES=1 LDS=128 PRIVATE=64 LINES=16
clean SLOTS=8 QUEUES=4 EPOCHS=4 CORES=3 LDS=128 PRIVATE=64 LINES=16

mkdir -p "$work/same_clock"
cp tb/core/*.v "$work/same_clock"
sed -i 's/host_done     = done_q;/host_done     = done_q \&\& host_valid;/' "$work/same_clock/totem_rv32_host.v"
! with_yosys "$work/same_clock" "-chparam SLOTS 4 -chparam CORES 1 -chparam LDS 128" &&
    grep -q '^totem_rv32/host_valid$' "$work/lint.log"
note $? 'Yosys: a planted output that depends on an input is found' "$work/lint.log"

# -- the tests -------------------------------------------------------------------------------------------------------
if ! flock build/.core.lock make -s -f tb/core/test.mk CONFIG=board >"$work/build.log" 2>&1; then
    bad 'the cores are not built' "$work/build.log"
    finish
fi
for test in kernels kills errors pins; do
    log=$work/$test.log
    timeout 200 build/core/board/test_$test >"$log" 2>&1
    code=$?
    grep '^# .* clocks$' "$log"
    tests=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$log")
    [ $code = 0 ] && [ "$(grep -c '^ok ' "$log")" = "${tests:-none}" ]
    note $? "test_$test: ${tests:-0} tests" "$log"
done

# A kernel that depends on its address, or has variables, is refused.
refused() # name, text, code
{
    mkdir -p "$work/kernel/tb/core/kernels" "$work/kernel/sim"
    cp tb/core/rules.mk "$work/kernel/tb/core"
    cp tb/core/kernels/{kernel.ld,start.S,totem_kernel.h} "$work/kernel/tb/core/kernels"
    printf '#include "totem_kernel.h"\n%s\n' "$3" >"$work/kernel/tb/core/kernels/$1.c"
    expect "$1 is refused" 2 "$2" make -s -f "$work/kernel/tb/core/rules.mk" kernels
    rm -r "$work/kernel"
}
refused kernel_with_a_variable 'a kernel has no variables' \
    'uint32_t count; void wave(void) { LOCAL(USER_DATA(0))[0] = count++; }'
refused kernel_with_a_pointer 'the program depends on its address' \
    'void wave(void) { static void (*const table[2])(void) = {wave, 0}; table[WAVE & 1](); }'

# -- planted faults: name, file, text, what to put there, program, tests ---------------------------------------------
export CORES_FAST=-O0 # compiled sooner
while IFS=% read -r name file old new program tests; do
    folder=$work/$name log=$work/$name.log
    mkdir -p "$folder"
    cp tb/core/*.v tb/core/*.vlt "$folder"
    if [ "$(grep -cF -- "$old" "$folder/$file.v")" != 1 ]; then
        bad "$name: '$old' does not stand once in tb/core/$file.v"
        continue
    fi
    OLD=$old NEW=$new perl -pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$folder/$file.v"
    if ! make -s -f tb/core/test.mk CONFIG=mini CORES_RTL="$PWD/$folder" CORES_NAME="fault-$name" TESTS="$program" \
        >"$log" 2>&1; then
        bad "$name does not compile" "$log"
        continue
    fi
    # shellcheck disable=SC2086 # list
    timeout 100 "build/core/fault-$name/test_$program" $tests >"$log" 2>&1
    grep -q '^not ok ' "$log"
    note $? "planted fault noticed: $name" "$log"
done <<'END'
done_early%totem_rv32_data%REST || !settled ||%REST ||%kills%done_behind_the_acknowledgements
barrier_early%totem_rv32_groups%busy[m] && !arrived[m] &&%1'b0 &&%kills%kills_among_groups
barrier_before_the_rest%totem_rv32_groups%current_q && !closed%current_q && 1'b0%kills%kills_among_groups
kill_drops_a_done%totem_rv32_answers%unit_done != 0 || drop_take%unit_done != 0%kills%kill_of_running_and_queued_waves
lds_shared%totem_rv32_local%place = region[n*R +: R];%place = {R{1'b0}};%kernels%matmul
window_off_by_one%totem_rv32_data%<= window_high[31:2]%< window_high[31:2]%errors%window
load_overtakes_store%totem_rv32_stores%== addr[31:3])%== ~addr[31:3])%pins%bytes_and_halves
first_is_not_inherited%totem_rv32_queue%in_first || inherit_d%in_first%kills%a_group_without_its_first_wave
END
finish

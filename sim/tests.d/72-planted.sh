#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Faults planted in a copy of the RTL (sim/faults/faults.txt) are caught: by the proof that RTL and model agree, one in
# each of four blocks (all of them: make faults); by the lockstep, with the whole bundle for people, one in the fences
# (configuration mini). Every text of the list stands exactly once in its file.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh

mkdir -p build/test
export FAST=-O0     # compiled sooner; what is run here is short
copy=build/test/planted
if .venv/bin/python sim/faults/plant_fault.py --check >build/test/planted-check.txt; then
    good "$(.venv/bin/python sim/faults/plant_fault.py --list | wc -l) faults can be planted"
else
    bad "sim/faults/faults.txt does not fit: $(cat build/test/planted-check.txt)"
fi

names="arbiter-stale fence-early port-index record-overtakes"
for name in $names; do
    file=$(sed -n "s/^$name \([^ ]*\) .*/\1/p" sim/faults/faults.txt)
    rm -rf "$copy"
    cp -r rtl "$copy"
    block=$(basename "$file" .v)
    block=${block#totem_}
    block=${block%%_*}
    log=build/test/planted-$name.txt
    if [ -n "$file" ] && .venv/bin/python sim/faults/plant_fault.py "$name" "$copy" >"$log" &&
        ! synth/equiv.sh --config mini "$block" --rtl "$copy/$file" >"$log" 2>&1 && grep -q ': FAILED;' "$log"; then
        good "$name is refuted by the proof of $block"
    else
        bad "$name is not refuted by the proof of $block ($log)"
    fi
done

# With cores on the wave interfaces, so that this lockstep is shown to compare, too.
told=build/test/planted-demo-fence-sum.txt
{
    sim/setup.sh rv32 docs && flock build/.core.lock make -s -f tb/core/rules.mk kernels &&
        .venv/bin/python sim/workloads/core.py --configuration mini vecadd test-planted &&
        sim/run/demo_mismatch.sh --fault fence-sum --core rv32 --config mini \
            --workload build/workloads/test-planted.yaml
} >"$told" 2>&1
note $? 'fence-sum is found by the lockstep, with cores; bundle written' "$told"
grep -A 12 '^It began in clock [0-9]* in block flight: everything it reads was equal$' "$told" |
    grep -q 'rtl/fence/totem_flight.v:[0-9]*: waves_d.* = total;' &&
    grep -q '{waves.0. model} .*TOP.model.core.*flight.waves' build/demo/mismatch.gtkw
note $? 'with the block in which it began, and its line' "$told"
# Of a save file: the window that it asks for, on a pane of 2000 pixels, lies in the dump.
inside()
{
    .venv/bin/python - "$1" <<'END'
import re, subprocess, sys
view = open(sys.argv[1], encoding="utf-8").read()
fst, start, zoom = (re.search(form, view, re.M)[1] for form in
                    (r'^\[dumpfile\] "(.*)"', r"^\[timestart\] (\d+)", r"^\*(\S+) "))
marker = int(re.search(r"^\*\S+ (\d+)", view, re.M)[1])
times = re.findall(r"^#(\d+)", subprocess.run(["fst2vcd", fst], capture_output=True, text=True).stdout, re.M)
end = int(start) + 2000 / 200 / 2 ** float(zoom)
print(times[0], start, marker, end, times[-1])
sys.exit(not int(times[0]) <= int(start) < marker < end <= int(times[-1]))
END
}

# Views of make waves: all at the mismatch of which the run has told; else each at its own event, with the rows that
# change there, and without those whose event or feature is not there.
work=build/test/views
rm -rf "$work"
mkdir -p "$work"
sim/setup.sh waves >"$work/out" 2>&1
note $? 'GTKWave is set up' "$work/out"
inside build/demo/mismatch.gtkw >"$work/out" 2>&1
note $? 'the view at the mismatch does not reach behind its waves' "$work/out"
views=".venv/bin/python sim/run/views.py"
clock=$(sed -n 's/^It began in clock \([0-9]*\) .*/\1/p' "$told" | head -n 1)
expect "views at the mismatch" 0 "gtkwave $work/pipe.gtkw    clock $clock: " \
    $views mini build/demo/mismatch.fst "$work" --mismatch "$told"
[ -n "$clock" ] && [ "$(grep -l "^\*[-0-9.]* ${clock}000 -1" "$work"/*.gtkw | wc -l)" = 5 ]
note $? 'five views with the marker on it'
for configuration in board full pole; do
    mkdir -p "$work/$configuration"
    $views $configuration build/demo/mismatch.fst "$work/$configuration" --marker 100 >"$work/out" 2>&1
    note $? "views of $configuration" "$work/out"
done
[ -s "$work/board/tasks.gtkw" ] && [ -s "$work/board/context.gtkw" ] && [ ! -e "$work/tasks.gtkw" ]
note $? 'those of tasks and context sets only where there are any'
while read -r filter line; do
    grep -qx "$line" "$work/$filter.filter"
    note $? "$filter: $line"
done <<'END'
opcode 15 DISPATCH_DIRECT
execute_phase 09 STOP
fence_phase 4 INTERRUPT
hqd_phase 5 MAP
window 02 CP_HQD_ACTIVE
error 22 PACKET_OPCODE
END
cat >"$work/first.vcd" <<'END'
$timescale 1ps $end
$scope module TOP $end $scope module totem_tb $end $scope module dut $end $scope module core $end
$scope module g_fe[1] $end $scope module fe $end $scope module g_pipe[0] $end $scope module pipe $end
$scope module front $end $scope module arbiter $end
$var wire 1 ! go $end $var wire 1 % selected_valid $end $var wire 4 & ready [3:0] $end
$upscope $end $upscope $end $upscope $end $upscope $end $upscope $end $upscope $end $upscope $end $upscope $end
$upscope $end $upscope $end
$enddefinitions $end
#10000
1!
1%
b0011 &
#11000
0!
#77000
1!
#78000
0!
b0001 &
#120000
END
sed -i 's/\$end \$/$end\n$/g' "$work/first.vcd"
vcd2fst "$work/first.vcd" "$work/first.fst" >"$work/out" 2>&1
expect 'a view opens at its event' 0 "gtkwave $work/pipe.gtkw    clock 77: a queue is selected (go 77)" \
    $views full "$work/first.fst" "$work"
grep -q '^no view switch: ' "$work/out" && [ ! -e "$work/switch.gtkw" ]
note $? 'without an event there is no view' "$work/out"
[ "$(sed -n 's/^+{\(.*\)} TOP.totem.*g_fe.1.*$/\1/p' "$work/pipe.gtkw" | tr '\n' ' ')" = "go ready " ]
note $? 'it has the rows that change' "$work/pipe.gtkw"

# A word of a RAM that nobody reads: only the comparison of the words sees it. In random work, which writes the same
# bundle.
rm -rf "$copy" build/test/planted-random
cp -r rtl "$copy"
log=build/test/planted-random.txt
{
    .venv/bin/python sim/faults/plant_fault.py lockstep-ram-word "$copy" &&
        make -s -C tb/lockstep CONFIG=mini NAME=demo RTL="$PWD/$copy" random &&
        build/lockstep/demo/random --seeds 20 --clocks 8000 --folder build/test/planted-random
} >$log 2>&1
seed=$(sed -n 's/^seed *\([0-9]*\) .*FAILED: Mismatch at clock .* in the words of a RAM$/\1/p' $log)
bundle=build/test/planted-random/mismatch-$seed
if [ -n "$seed" ] && grep -q 'RTL   totem_tb.dut.*tally_ram$' $log &&
    grep -Eq '^  word   [0-9]+ +model 0x[0-9a-f]+ +\| RTL 0x' $log; then
    good "lockstep-ram-word is found in random work: $(grep -m 1 '^  word' $log)"
else
    bad "lockstep-ram-word is not found in random work"
    tail -n 20 $log
fi
if [ -s "$bundle.txt" ] && [ -s "$bundle.fst" ] && grep -q 'tally_ram.write_data' "$bundle.gtkw" &&
    grep -q '^Words: .*; waves of' $log; then
    good "its bundle has words, waves and a view"
else
    bad "its bundle is not complete"
fi
finish

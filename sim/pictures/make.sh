#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Waveform pictures of the docs, from a real run, views of sim/run/views.py where these open: host.png (the first queue
# is mapped), pipe.png (it is selected), engine.png (its first waves), switch.png (a better queue interrupts a dispatch,
# then owns the pipe), launch.png (from the start of a dispatch to the first wave). GTKWave draws them on a display of
# its own (Xvfb). Drawn by matplotlib (timeline.py and a file each): turns.png, the worked example of docs/queue.md;
# pole.png, that of docs/issue.md; context-ring.png, docs/context.md; throttle-machine.png, docs/throttle.md; tasks.png,
# docs/task.md; core-matmul.png and core-pixels.png, kernels on the cores of docs/core.md, on the C model;
# framework.png, a network of docs/framework.md, on the C model;
# frame-compute.png and its table in docs/issue.md, on the C model. Drawn by the tool: waits.svg, the default
# workload, and run-list.svg.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=build/pictures
python=.venv/bin/python
mkdir -p "$work" docs/images
for config in mini full pole board; do
    make -s -C tb/lockstep CONFIG=$config
done
build/lockstep/mini/totem run --folder "$work" --waves "$work/waves.fst" sim/workloads/turns.yaml >"$work/run.txt" \
    2>&1 || { cat "$work/run.txt" >&2; exit 1; }

# Dark on white, names without their path, nothing but signals and waves; clocks in a row, so no units of time.
cat >"$work/gtkwaverc" <<'EOF'
hide_sst 1
hier_max_level 1
splash_disable 1
fontname_signals Monospace 11
fontname_waves Monospace 10
use_big_fonts 0
color_back ffffff
color_grid e4e4e4
color_grid2 e4e4e4
color_high 00619e
color_low 00619e
color_1 00619e
color_0 00619e
color_trans 00619e
color_vbox 333333
color_vtrans 333333
color_value 000000
color_time f4f4f4
color_timeb f4f4f4
color_umark c03000
color_mark c03000
color_x d00000
color_xfill ffd0d0
color_dash 333333
EOF

$python sim/run/views.py mini "$work/waves.fst" "$work" --height 1500
for view in host pipe engine switch launch; do
    rm -f "$work/$view.png"
    # The script runs once the window stands; one more turn of the event loop draws it.
    cat >"$work/$view.tcl" <<EOF
proc picture {} {
    update
    gtkwave::/File/Grab_To_File $PWD/$work/$view.png
    gtkwave::/File/Quit
    exit
}
after 1500 picture
EOF
    timeout 120 xvfb-run -a -s '-screen 0 1700x1600x24' gtkwave -r "$work/gtkwaverc" -T "$work/$view.tcl" \
        "$work/$view.gtkw" >"$work/$view.log" 2>&1 || true
    [ -s "$work/$view.png" ] || { tail -n 20 "$work/$view.log" >&2; echo "pictures: GTKWave drew nothing for $view" \
        >&2; exit 1; }
    # Away with title and tool bar, which would show the name of a folder, and with the sliders.
    convert "$work/$view.png" -gravity north -chop 0x114 -gravity southeast -chop 30x45 -trim +repage -bordercolor \
        white -border 4 -strip "docs/images/$view.png"
done

build/lockstep/full/totem run --folder "$work" --waves "$work/turns.fst" sim/workloads/worked-example.yaml \
    >"$work/turns.txt" 2>&1 || { cat "$work/turns.txt" >&2; exit 1; }
$python sim/pictures/turns.py "$work/turns.fst" docs/images/turns.png --from 4800 --to 21800

build/lockstep/pole/totem run --folder "$work" --waves "$work/pole.fst" sim/workloads/pole.yaml >"$work/pole.txt" \
    2>&1 || { cat "$work/pole.txt" >&2; exit 1; }
$python sim/pictures/pole.py "$work/pole.fst" docs/images/pole.png

board=build/lockstep/board/totem
make -s -f tb/totem/rules.mk
$python sim/workloads/contexts.py contexts >"$work/contexts.txt" 2>&1 || { cat "$work/contexts.txt" >&2; exit 1; }
$board run --folder "$work" --events "$work/contexts.jsonl" build/workloads/contexts.yaml \
    >"$work/ring.txt" 2>&1 || { cat "$work/ring.txt" >&2; exit 1; }
$python sim/pictures/context.py "$work/contexts.jsonl" docs/images/context-ring.png
$board run --folder "$work" --waves "$work/throttle.fst" sim/workloads/throttle.yaml >"$work/throttle.txt" \
    2>&1 || { cat "$work/throttle.txt" >&2; exit 1; }
$python sim/pictures/throttle.py "$work/throttle.fst" docs/images/throttle-machine.png

$python sim/workloads/task_example.py make task-example >"$work/tasks.txt"
$board run --folder "$work" --events "$work/tasks.jsonl" build/workloads/task-example.yaml \
    >"$work/tasks.txt" 2>&1 || { cat "$work/tasks.txt" >&2; exit 1; }
$python sim/workloads/task_example.py check "$work/tasks.jsonl" >"$work/tasks.txt"
$python sim/pictures/task.py "$work/tasks.jsonl" docs/images/tasks.png

sim/setup.sh rv32 >"$work/core.txt"
flock build/.core.lock make -s -f tb/core/rules.mk kernels
$python sim/workloads/core.py matmul picture-matmul >"$work/core.txt"
$python sim/workloads/core.py pixels picture-pixels >"$work/core.txt"
for picture in matmul pixels; do
    build/totem run --engine model --events "$work/$picture.jsonl" --results "$work" \
        "build/workloads/picture-$picture.yaml" >"$work/core.txt" 2>&1 || { cat "$work/core.txt" >&2; exit 1; }
done
$python sim/pictures/core.py waves "$work/matmul.jsonl" docs/images/core-matmul.png
$python sim/pictures/core.py image "$work/0.hex" 192 docs/images/core-pixels.png

sim/setup.sh framework >"$work/framework.txt"
make -s -f tb/framework/rules.mk
$python tb/framework/run.py --events "$work/network.jsonl" --kernels "$work/network.txt" network \
    >"$work/framework.txt" 2>&1 || { cat "$work/framework.txt" >&2; exit 1; }
$python sim/pictures/framework.py "$work/network.jsonl" "$work/network.txt" 10 docs/images/framework.png

$python sim/pictures/frame.py docs/images/frame-compute.png docs/issue.md >"$work/frame-compute.txt"
echo "docs/images/frame-compute.png: the table in docs/issue.md is of the same runs"

$python sim/workloads/compute_mix.py
build/totem run --engine model --events "$work/compute-mix.jsonl" build/workloads/compute-mix.yaml >"$work/mix.txt" \
    2>&1 || { cat "$work/mix.txt" >&2; exit 1; }
build/totem picture "$work/compute-mix.jsonl" -o docs/images/waits.svg
$python sim/workloads/run_list.py
build/totem run --engine model --events "$work/run-list.jsonl" build/workloads/run-list.yaml >"$work/run-list.txt" \
    2>&1 || { cat "$work/run-list.txt" >&2; exit 1; }
build/totem picture "$work/run-list.jsonl" -o docs/images/run-list.svg

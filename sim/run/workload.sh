#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# sim/run/workload.sh [WORKLOAD [CONFIG]]     the file of a workload and the configuration that it is for: "FILE CONFIG"
#
# WORKLOAD is a file, or the name of one in sim/workloads or build/workloads, without .yaml; nothing: the one that is
# shipped for CONFIG (nothing: full). compute-mix, run-list, orders, thousand, chains, chains-moved, task-example,
# contexts, those of frame.py and of core.py (vecadd, vecadd-board, matmul, scan, histogram, core-KIND) are made if they
# are wanted; a frame is made for CONFIG (nothing: board), so are the others (nothing: mini). CONFIG other than the
# workload's is refused.
set -euo pipefail
cd "$(dirname "$0")/../.."

workload=${1:-} config=${2:-}
if [ -z "$workload" ]; then
    case $config in
    full | '') workload=compute-mix ;;
    mini) workload=turns ;;
    board) workload=two-pipes ;;
    pole) workload=pole ;;
    duo) workload=run-list ;;
    *) echo "run: '$config' is not a configuration; take one of: $(sim/run/configurations.sh)" >&2; exit 2 ;;
    esac
fi
case $workload in
compute-mix | build/workloads/compute-mix.yaml)
    .venv/bin/python sim/workloads/compute_mix.py >&2
    workload=build/workloads/compute-mix.yaml
    ;;
run-list)
    .venv/bin/python sim/workloads/run_list.py >&2
    ;;
orders)
    .venv/bin/python sim/workloads/orders.py >&2
    ;;
thousand)
    .venv/bin/python sim/workloads/run_list.py --configuration full --entries 1024 --slots 0xfffffffffffffffe --work 2 \
        thousand >&2
    ;;
chains)
    .venv/bin/python sim/workloads/chains.py chains >&2
    ;;
chains-moved)
    .venv/bin/python sim/workloads/chains_moved.py chains-moved >&2
    ;;
task-example)
    .venv/bin/python sim/workloads/task_example.py make task-example >&2
    ;;
contexts)
    make -s -f tb/totem/rules.mk >&2
    .venv/bin/python sim/workloads/contexts.py contexts >&2
    ;;
vecadd | vecadd-board | matmul | scan | histogram | core-*)
    sim/setup.sh rv32 >&2
    flock build/.core.lock make -s -f tb/core/rules.mk kernels >&2
    kind=${workload#core-}
    [ "$workload" = "${workload%-board}" ] || kind="--board ${workload%-board}"
    # shellcheck disable=SC2086 # options
    .venv/bin/python sim/workloads/core.py ${config:+--configuration "$config"} $kind "$workload" >&2
    ;;
frame | frame-alone | frame-high | frame-medium | frame-low | frame-bounced | frame-small)
    options=(--configuration "${config:-board}")
    case $workload in
    *-bounced)
        make -s -f tb/totem/rules.mk >&2
        options+=(--bounced)
        ;;
    *-small) options+=(--draws 0) ;;
    *-alone) options+=(--pixels) ;;
    frame) options+=(--compute all) ;;
    *) options+=(--compute "${workload#frame-}") ;;
    esac
    .venv/bin/python sim/workloads/frame.py "${options[@]}" "$workload" >&2
    ;;
esac
if [ ! -f "$workload" ]; then
    for folder in sim build; do
        [ -f "$folder/workloads/$workload.yaml" ] || continue
        workload=$folder/workloads/$workload.yaml
        break
    done
fi
[ -f "$workload" ] || {
    names=$({ ls sim/workloads/*.yaml build/workloads/*.yaml 2>/dev/null; printf '%s.yaml\n' \
        compute-mix run-list orders thousand chains task-example contexts vecadd matmul scan histogram frame frame-{alone,high,medium,low,bounced,small}; } |
        sed 's,.*/,,; s/\.yaml$//' | sort -u | paste -sd ' ')
    echo "run: there is no workload '$workload'; take a file or one of: $names" >&2
    exit 2
}
wanted=$(sed -n "s/^configuration: *[\"']\{0,1\}\([a-z]*\).*/\1/p" "$workload" | head -n 1)
# The tool tells what is wrong with a file that names none.
[ -z "$config" ] || [ -z "$wanted" ] || [ "$wanted" = "$config" ] || {
    echo "run: $workload is for configuration $wanted, not for $config; leave the configuration away" >&2
    exit 2
}
echo "$workload ${wanted:-${config:-full}}"

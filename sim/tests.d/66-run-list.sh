#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# More queues than slots (docs/runlist.md), on the model of duo: every wave and fence of twenty queues through three
# slots, of two through many, and of one pipe's list through a single slot; of twelve that packets of the scheduler list
# and take away, and of eight with every error of these packets; and random work. tb/lockstep/judges/roster.c judges all
# of them. `make run WORKLOAD=run-list` and `WORKLOAD=orders` are the lockstep.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
work=build/test/run-list
mkdir -p "$work"
play() # program of sim/workloads, words for it
{
    .venv/bin/python "sim/workloads/$1.py" "${@:2}" run-list-test
    expect "$*" 0 '0 mismatches' \
        sim/run/run.sh --workload build/workloads/run-list-test.yaml --engine model
}
play run_list --entries 20 --slots 0xe
play run_list --entries 2 --slots 0xfffe
play run_list --entries 6 --slots 0x10
play orders --entries 12
play orders --entries 6 --slots 0x10
play orders --errors --entries 8
expect 'waiters and their producer' 0 '6 of 6 expectations met, 0 mismatches' \
    sim/run/run.sh --workload sim/workloads/waiters.yaml --engine model
for seed in $(.venv/bin/python sim/workloads/run_list_random.py --seeds); do
    play run_list_random --seed "$seed"
done
finish

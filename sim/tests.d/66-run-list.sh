#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# More queues than slots (docs/runlist.md), on the model of duo: every wave and fence of twenty queues through three
# slots, of two through many, and of one pipe's list through a single slot. `make run WORKLOAD=run-list` is the lockstep.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh
work=build/test/run-list
mkdir -p "$work"
play() # words for run_list.py
{
    .venv/bin/python sim/workloads/run_list.py "$@" run-list-test
    expect "run list: $*" 0 '0 mismatches' \
        sim/run/run.sh --workload build/workloads/run-list-test.yaml --engine model
}
play --entries 20 --slots 0xe
play --entries 2 --slots 0xfffe
play --entries 6 --slots 0x10
finish

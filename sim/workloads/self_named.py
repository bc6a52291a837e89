#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tasks that name themselves, for board; software clears their enable bit while they run.

    python3 sim/workloads/self_named.py make NAME         writes build/workloads/NAME-KIND.yaml of every kind
    python3 sim/workloads/self_named.py check KIND EVENTS says whether what happened is right

renewed, older: DEPENDENT_ACTION is 3, or the version is 02_02. Every round has a load of its own, and at most two more
begin after the write. stands: DEPENDENT_ACTION is 1. The task runs on from its entry, until its queue is mapped again:
then its descriptor is read once more. crowded: it is given back with others while a queue beside it has all entries but
one. Its rounds keep that entry, so they go on while the others wait. `check` reads the events of a run
(docs/workloads.md).
"""

import json
import sys
from pathlib import Path

import yaml

from chains import FOLDER, RELEASES, STEP, task

TASK = 0x200000
WRITTEN, MOVED = 6000, 12000        # clocks: the enable bit is cleared; the queue is mapped again
ENABLE = {"v03_00": (16, 0), "v02_02": (4, 13)}     # dword, bit
ACTIONS = {"renewed": 3, "older": None, "stands": 1, "crowded": 1}
OTHERS, BESIDE = 0x210000, 0x220000         # crowded: descriptors of the queue's other tasks, and of those beside it
LEAVES, LATE = 5200, 30000                  # crowded: the queue is dequeued and mapped again
ROUNDS = 8                          # at least, before the write, and between it and the move


def version(kind):
    return "v02_02" if kind == "older" else "v03_00"


def flag(kind):
    return TASK + 4 * ENABLE[version(kind)][0]


def crowd(queues, image, writes):
    """The host launches four other tasks, and nine of the queue beside it when the first queue leaves."""
    first = OTHERS + STEP
    for at, base, end, where in ((3900, OTHERS, first, 0), (4500, first, OTHERS + 4 * STEP, 0),
                                 (LEAVES + 200, BESIDE, BESIDE + 9 * STEP, 1 << 3 | 1)):
        for address in range(base, end, STEP):
            groups, entry = (1, 3) if where else (30, 2)
            image.append({"address": address, "dwords": task((groups, 1, 1), (128, 1, 1), entry)})
            writes += [{"at": at, "register": "tasks[0].TASK_POINTER", "value": address >> 8},
                       {"at": at, "register": "tasks[0].TASK_LAUNCH", "value": where}]
    queues[0] |= {"dequeue": [{"at": at, "type": 1} for at in (LEAVES, LATE)],
                  "map": [{"at": at, "pipe": 0, "queue": 0} for at in (LEAVES, LATE)]}
    queues.append({"pipe": 1, "queue": 1, "priority": 7, "pipe_priority": 1, "map_at": 0, "packets": ["NOP 0"],
                   "ring": {"address": 0x102000, "size": 64}})


def make(name):
    FOLDER.mkdir(parents=True, exist_ok=True)
    for kind, action in ACTIONS.items():
        words = task((3, 1, 1), (64, 1, 1), 1, release=(RELEASES, 5, 1), dependent=TASK, version=version(kind))
        if action:
            words[16] = words[16] & ~0xE | action << 1
        image, writes = [{"address": TASK, "dwords": words}], []
        dword, bit = ENABLE[version(kind)]
        queues = [{"pipe": 0, "queue": 0, "priority": 7, "pipe_priority": 1, "mqd": 0x120000, "map_at": 0,
                   "ring": {"address": 0x100000, "size": 64}, "packets": [f"LAUNCH_TASK 0x{TASK >> 8:x}"]},
                  {"pipe": 1, "queue": 0, "priority": 9, "pipe_priority": 1,
                   "map_at": LATE - 2000 if kind == "crowded" else WRITTEN,
                   "ring": {"address": 0x101000, "size": 64},
                   "packets": [f"WRITE_DATA dst_sel=memory @0x{flag(kind):x} 0x{words[dword] & ~(1 << bit):x}"]}]
        if kind == "stands":
            queues[0] |= {"dequeue": [{"at": MOVED, "type": 1}], "map": [{"at": MOVED, "pipe": 0, "queue": 1}]}
        if kind == "crowded":
            crowd(queues, image, writes)
        text = {"name": f"{name}-{kind}", "configuration": "board", "seed": 1, "cycles": 40000,
                "memory": {"latency": 100}, "image": image, "writes": writes,
                "programs": [{"entry": n, "duration": time} for n, time in ((1, 200), (2, 600), (3, 8000))],
                "queues": queues,
                "expect": {"memory": [{"address": RELEASES, "value": 5}]}}
        file = FOLDER / f"{name}-{kind}.yaml"
        file.write_text(yaml.safe_dump(text, sort_keys=False, width=120), encoding="utf-8")
        print(f"wrote {file.relative_to(FOLDER.parents[1])}")


def check(kind, path):
    events = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    steps = {step: [line["clock"] for line in events if line["event"] == "task" and line["address"] == TASK
                    and line["step"] == step] for step in ("loaded", "started", "ended", "reported")}
    write, = (line["clock"] for line in events if line["event"] == "write" and line["address"] == flag(kind) & ~7)
    before = sum(clock < write for clock in steps["started"])
    behind = len(steps["started"]) - before
    print(f"{kind}: {before} rounds before the write, {behind} behind it, {len(steps['loaded'])} loads")
    if len(steps["reported"]) != 1 or steps["reported"][0] < steps["ended"][-1]:
        sys.exit(f"{kind}: reported in {steps['reported']}")
    if before < ROUNDS:
        sys.exit(f"{kind}: too few rounds before the write")
    if kind == "crowded":
        if sum(LEAVES < clock < LATE for clock in steps["loaded"]) != 1:
            sys.exit(f"{kind}: a round of it is loaded behind the mapping: {steps['loaded']}")
    elif kind == "stands":
        if sum(write < clock < MOVED for clock in steps["started"]) < ROUNDS or len(steps["loaded"]) != 2:
            sys.exit(f"{kind}: it has not run on from its entry")
    elif behind > 2 or len(steps["loaded"]) != len(steps["started"]):
        sys.exit(f"{kind}: it has not ended within two rounds, or a round is not loaded")


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "make":
        make(sys.argv[2])
    elif len(sys.argv) == 4 and sys.argv[1] == "check" and sys.argv[2] in ACTIONS:
        check(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()

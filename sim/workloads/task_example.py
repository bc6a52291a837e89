#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The worked example of docs/task.md for board: one launch and a chain of two dependents.

    python3 sim/workloads/task_example.py make NAME         writes build/workloads/NAME.yaml
    python3 sim/workloads/task_example.py check EVENTS      says whether what happened is in order

`check` reads the events of a run (docs/workloads.md). For each task: it is loaded, starts, its waves run; when the last
one has ended its releases are written and acknowledged; then its dependent is inserted, it is reported, and the
dependent starts. A dependent is loaded while the waves of its parent run.
"""

import json
import sys
from pathlib import Path

import yaml

from chains import FOLDER, RELEASES, STEP, Memory

BASE = 0x200000
TASKS = [                       # the first and the last one release a semaphore
    {"grid": (4, 1, 1), "block": (64, 1, 1), "entry": 1, "release": (RELEASES, 0xA, 1)},
    {"grid": (6, 1, 1), "block": (32, 1, 1), "entry": 2},
    {"grid": (2, 1, 1), "block": (96, 1, 1), "entry": 1, "release": (RELEASES + 0x10, 0xC, 4)},
]
NAMES = ["original task", "dependent 1", "dependent 2"]
DURATIONS = {1: 320, 2: 400}
STEPS = ("loaded", "inserted", "launched", "started", "granted", "ended", "over", "reported")


def make(name):
    memory = Memory()
    first = memory.chain(BASE, TASKS)
    text = {"name": name, "configuration": "board", "seed": 1, "cycles": 20000,
            "memory": {"latency": 100, "visible": "response"}, "image": memory.image,
            "programs": [{"entry": entry, "duration": time} for entry, time in DURATIONS.items()],
            "queues": [{"pipe": 0, "queue": 0, "priority": 7, "pipe_priority": 1,
                        "ring": {"address": 0x100000, "size": 64}, "map_at": 0,
                        "packets": [f"LAUNCH_TASK 0x{first >> 8:x}"]}],
            "expect": {"memory": memory.values, "waves": memory.waves}}
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{name}.yaml"
    file.write_text(yaml.safe_dump(text, sort_keys=False, width=120), encoding="utf-8")
    print(f"wrote {file.relative_to(FOLDER.parents[1])}: {memory.waves} waves")


def read(path):
    """(events, [task]): of each task {step: clock}, its waves as (launched, done), and its releases as (written,
    acknowledged)."""
    events = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    tasks, waves, running = [], [], {}
    for n, each in enumerate(TASKS):
        steps = {}
        for line in events:
            if line["event"] == "task" and line["address"] == BASE + n * STEP:
                if line["step"] in steps:
                    sys.exit(f"task_example.py: task {n}: {line['step']} twice")
                steps[line["step"]] = line["clock"]
        words = {each["release"][0] & ~7, each["release"][0] + 8 & ~7} if each.get("release") else set()
        first = min(words, default=0)
        pairs = [[line["clock"] for line in events if line["event"] == event and first <= line["address"] < first + 16]
                 for event in ("write", "release")] if words else [[], []]
        tasks.append({"steps": steps, "waves": [], "releases": list(zip(*pairs, strict=True))})
    for line in events:
        key = line.get("engine"), line.get("slot")
        if line["event"] == "launched":
            running[key] = len(waves)
            waves.append([line["clock"], None])
        elif line["event"] == "done":
            waves[running.pop(key)][1] = line["clock"]
    for task, each in zip(tasks, TASKS):
        (x, y, z), (a, b, c) = each["grid"], each["block"]
        count = x * y * z * -(-a * b * c // 32)
        task["waves"], waves = [tuple(wave) for wave in waves[:count]], waves[count:]
    if waves or running:
        sys.exit("task_example.py: waves of no task")
    return events, tasks


def check(path):
    events, tasks = read(path)
    # In this order: (name, clock), each behind the one before; then pairs that stand across.
    for n, task in enumerate(tasks):
        steps = task["steps"]
        wanted = {"loaded", "inserted", "started", "granted", "ended", "over", "reported"} | ({"launched"} if not n
                                                                                          else set())
        if set(steps) != wanted:
            sys.exit(f"task {n}: its steps are {', '.join(steps)}")
        last = max(done for _, done in task["waves"])
        order = [("started", steps["started"]), ("first wave", task["waves"][0][0]), ("last wave done", last),
                 ("ended", steps["ended"])]
        order += [item for number, (written, answered) in enumerate(task["releases"]) for item in
                  ((f"release {number} written", written), (f"release {number} acknowledged", answered))
                  ] if len(task["releases"]) < 2 else [
                      ("releases written", max(written for written, _ in task["releases"])),
                      ("releases acknowledged", max(answered for _, answered in task["releases"]))]
        order.append(("over", steps["over"]))
        if n + 1 < len(tasks):
            child = tasks[n + 1]["steps"]
            order += [("dependent inserted", child["inserted"]), ("reported", steps["reported"])]
            early = [("started", steps["started"]), ("dependent loaded", child["loaded"]), ("last wave done", last)]
            begun = [("dependent inserted", child["inserted"]), ("dependent started", child["started"]),
                     ("dependent's first wave", tasks[n + 1]["waves"][0][0])]
        else:
            order.append(("reported", steps["reported"]))
            early = begun = []
        if not n:
            executed = next(line["clock"] for line in events
                            if line["event"] == "executed" and line.get("packet") == "LAUNCH_TASK")
            order = [("loaded", steps["loaded"]), ("inserted", steps["inserted"]), ("launched", steps["launched"]),
                     ("LAUNCH_TASK executed", executed), *order]
        for line in (order, early, begun):
            for (one, before), (two, behind) in zip(line, line[1:]):
                if before >= behind:
                    sys.exit(f"task {n}: {one} in clock {before}, {two} in clock {behind}")
        print(f"{NAMES[n]}: " + ", ".join(f"{name} {clock}" for name, clock in order))
    if [len(task["releases"]) > 0 for task in tasks] != ["release" in each for each in TASKS]:
        sys.exit("a release is missing")


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("make", "check"):
        sys.exit(__doc__)
    (make if sys.argv[1] == "make" else check)(sys.argv[2])


if __name__ == "__main__":
    main()

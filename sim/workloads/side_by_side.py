#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Three chains of dependents side by side in one queue, for board.

    python3 sim/workloads/side_by_side.py make NAME         writes build/workloads/NAME.yaml
    python3 sim/workloads/side_by_side.py check EVENTS      says whether every dependent starts soon

They run at once, so three parents run at any time. Each has its dependent loaded early. The oldest parent ends first,
and the registers of its dependent are written. `check` reads the events of a run (docs/workloads.md).
"""

import json
import sys
from pathlib import Path

import yaml

from chains import FOLDER, STEP, Memory

BASES = (0x200000, 0x210000, 0x220000)
LENGTH = 6
SOON = 24       # clocks from the last wave of a parent to the start of its dependent


def make(name):
    memory = Memory()
    for base in BASES:
        memory.chain(base, [{"grid": (4, 1, 1), "block": (32, 1, 1), "entry": n + 1} for n in range(LENGTH)])
    text = {"name": name, "configuration": "board", "seed": 1, "cycles": 30000,
            "memory": {"latency": 100, "visible": "response"}, "image": memory.image,
            "programs": [{"entry": n + 1, "duration": 2500 - 300 * n} for n in range(LENGTH)],
            "queues": [{"pipe": 0, "queue": 0, "priority": 7, "pipe_priority": 1,
                        "ring": {"address": 0x100000, "size": 64}, "map_at": 0,
                        "packets": [f"LAUNCH_TASK 0x{base >> 8:x}" for base in BASES]}],
            "expect": {"waves": memory.waves}}
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{name}.yaml"
    file.write_text(yaml.safe_dump(text, sort_keys=False, width=120), encoding="utf-8")
    print(f"wrote {file.relative_to(FOLDER.parents[1])}: {memory.waves} waves")


def check(path):
    events = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    steps = {(line["address"], line["step"]): line["clock"] for line in events if line["event"] == "task"}
    done = [line["clock"] for line in events if line["event"] == "done"]
    for base in BASES:
        for parent in range(base, base + (LENGTH - 1) * STEP, STEP):
            late = steps[parent + STEP, "started"] - max(clock for clock in done if clock <= steps[parent, "ended"])
            print(f"0x{parent + STEP:x}: {late} clocks behind its parent")
            if late > SOON:
                sys.exit("it starts too late")


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("make", "check"):
        sys.exit(__doc__)
    (make if sys.argv[1] == "make" else check)(sys.argv[2])


if __name__ == "__main__":
    main()

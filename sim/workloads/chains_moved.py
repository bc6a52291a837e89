#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a workload of a queue that is moved with its tasks, for board: build/workloads/NAME.yaml.

    python3 sim/workloads/chains_moved.py NAME

A queue launches four tasks and waits for the end of the last one. Meanwhile it is dequeued inside a grid, with tasks
that have not begun, and goes on in another slot; so once more, to the other pipe, while another queue runs there. Its
first task names two dependents.
"""

import sys

import yaml

from chains import FOLDER, Memory

MQD = 0x120000
RELEASES = 0x80000


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    memory = Memory()

    def task(groups, entry, release, block=(128, 1, 1)):
        return {"grid": (groups, 1, 1), "block": block, "entry": entry, "release": (RELEASES + 8 * release, release, 1)}

    first = memory.chain(0x200000, [task(40, 3, 1), task(7, 1, 2), task(5, 0, 3)])
    others = [memory.chain(0x210000, [task(60, 3, 4)]), memory.chain(0x220000, [task(50, 1, 5), task(9, 0, 6)]),
              memory.chain(0x230000, [task(3, 2, 7, (64, 2, 1))])]
    busy = memory.chain(0x240000, [task(30, 3, 8)])

    def launch(address):
        return f"LAUNCH_TASK 0x{address >> 8:x}"

    lines = [launch(address) for address in (first, *others)]
    lines += [f"WAIT_REG_MEM function=eq,mem_space=memory @0x{RELEASES + 56:x} 7 0xffffffff 16",
              "RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe data_sel=32_bits @0x80100 0x5eed 0 1"]
    memory.values.append({"address": 0x80100, "value": 0x5EED})
    queues = [{"pipe": 0, "queue": 0, "priority": 7, "pipe_priority": 1, "mqd": MQD, "map_at": 0,
               "ring": {"address": 0x100000, "size": 256}, "packets": lines,
               "dequeue": [{"at": 2500, "type": 4}, {"at": 9000, "type": 1}, {"at": 18000, "type": 3}],
               "map": [{"at": 2600, "pipe": 0, "queue": 2}, {"at": 9100, "pipe": 1, "queue": 1},
                       {"at": 18100, "pipe": 0, "queue": 0}]},
              {"pipe": 1, "queue": 0, "priority": 7, "pipe_priority": 1, "map_at": 0,
               "ring": {"address": 0x101000, "size": 256}, "packets": [launch(busy)]}]
    text = {"name": sys.argv[1], "configuration": "board", "seed": 3, "cycles": 200000, "memory": {"latency": 60},
            "image": memory.image, "programs": [{"entry": entry, "duration": time} for entry, time in
                                                {0: 40, 1: 200, 2: 90, 3: 600}.items()],
            "queues": queues, "expect": {"memory": memory.values, "waves": memory.waves}}
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{sys.argv[1]}.yaml"
    file.write_text(yaml.safe_dump(text, sort_keys=False, width=120), encoding="utf-8")
    print(f"wrote {file.relative_to(FOLDER.parents[1])}: {memory.waves} waves")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes workloads that play the real compute stream of a driver to its last dword.

    python3 sim/workloads/real_stream.py STREAMS FOLDER

STREAMS is the folder with pm4_compute_gfx11_0_0_tinygrad.hex (it is not part of the project). Writes into FOLDER
    stream-alone.yaml   the stream on one queue, nothing else
    stream-busy.yaml    the same queue among the queues of compute_mix.py
"""

import sys
from pathlib import Path

import yaml

import compute_mix

NAME = "pm4_compute_gfx11_0_0_tinygrad.hex"
TIMELINE = 0x7F0000000  # the stream's signal: it waits for 1 first and leaves 0x21
LAST = 0x21
WAVES = 472112  # of its 32 dispatches


def queue(path, pipe, number):
    return {"pipe": pipe, "queue": number, "priority": 9, "pipe_priority": 1, "ring": {"address": 0x6000000, "size": 2048},
            "map_at": 0, "hex": str(path)}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path, folder = Path(sys.argv[1]).resolve() / NAME, Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    image = [{"address": TIMELINE, "dwords": [1]}]
    expect = {"memory": [{"address": TIMELINE, "value": LAST}]}
    alone = {"name": "stream-alone", "configuration": "full", "seed": 1, "cycles": 3000000, "memory": {"latency": 100},
             "image": image, "programs": [{"entry": n, "duration": 60, "spread": 5} for n in range(16)],
             "queues": [queue(path, 0, 0)], "expect": {**expect, "fences": 4, "waves": WAVES}}
    mix = yaml.safe_load(compute_mix.generate())
    taken = {(q["pipe"], q["queue"]) for q in mix["queues"]}
    pipe, number = next((p, q) for p in range(8) for q in range(8) if (p, q) not in taken)
    busy = dict(mix, name="stream-busy", cycles=4000000)
    busy["image"] = mix.get("image", []) + image
    busy["queues"] = mix["queues"] + [queue(path, pipe, number)]
    busy["expect"] = {"memory": mix["expect"]["memory"] + expect["memory"], "fences": mix["expect"]["fences"] + 4}
    for work in (alone, busy):
        (folder / f"{work['name']}.yaml").write_text(yaml.safe_dump(work, sort_keys=False))
        print(f"{work['name']}: {len(work['queues'])} queues")


if __name__ == "__main__":
    main()

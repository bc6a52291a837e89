#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a workload that plays the frame of frame_stream.py on every graphics ring: build/workloads/NAME.yaml.

    python3 sim/workloads/frame.py [options] NAME

    --configuration board|full    (board)
    --chip 9|10|11                generation of the packets (10)
    --draws N                     draws of the material pass (200)
    --bounced                     through `totem pm4 bounce`, whose digests go to NAME.digests; needs build/totem

The rings call one indirect buffer. That of front end 0 is HP3D. How many waves the draws become is computed here from
their indices, instances and primitives (draws.py).
"""

import argparse
import subprocess
from pathlib import Path

import yaml

import draws
from frame_stream import FENCE, FRAME_NUMBER, Frame, Source, Stream, table, write

TOP = Path(__file__).resolve().parents[2]
FOLDER = TOP / "build" / "workloads"
RINGS = {"board": 1, "full": 4}
STATES = 6
BUFFER = 0x100000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--configuration", choices=sorted(RINGS), default="board")
    parser.add_argument("--chip", type=int, choices=[9, 10, 11], default=10)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--bounced", action="store_true")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    buffer, values = FOLDER / f"{options.name}.hex", FOLDER / f"{options.name}-table.hex"
    source = Source()
    stream, defaults = Stream(source, options.chip), Stream(source, options.chip)
    Frame(stream, STATES, options.draws).write()
    table(defaults)
    write(values, defaults.words, "frame.py")
    write(buffer, stream.words, "frame.py")
    begun, waves = draws.count(stream.words)
    if options.bounced:
        plain = buffer.rename(FOLDER / f"{options.name}-plain.hex")
        subprocess.run([TOP / "build" / "totem", "pm4", "bounce", f"--table={values}", plain, "-o", buffer,
                        f"--digests={FOLDER / options.name}.digests"], check=True)
    call = Stream(source, options.chip)
    call.packet("INDIRECT_BUFFER", BUFFER, 0, len(draws.read(buffer)))
    count = RINGS[options.configuration]
    work = {
        "name": options.name, "configuration": options.configuration, "seed": 1, "cycles": 400000,
        "memory": {"latency": 100, "latency_spread": 20},
        "image": [{"address": BUFFER, "hex": buffer.name}],
        "programs": [{"entry": 0, "duration": 40, "spread": 5}],
        "rings": [{"front_end": f, "ring": {"address": 0x10000 + 0x1000 * f, "size": 64}, "map_at": 0,
                   "graphics": {"hp3d": f == 0, "bounce": True, "filter": True, "generation": options.chip},
                   "table": {"hex": values.name}, "dwords": call.words} for f in range(count)],
        "expect": {"memory": [{"address": FENCE, "value": FRAME_NUMBER}], "draws": count * begun, "geometry": count * waves,
                   "fences": count, "interrupts": count}}
    (FOLDER / f"{options.name}.yaml").write_text(yaml.safe_dump(work, sort_keys=False), encoding="utf-8")
    print(f"{options.name}: on {count} rings {begun} draws, {waves} geometry waves")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes workloads that play captured graphics rings: each live window to its last packet, with its indirect buffers.

    python3 sim/workloads/real_frame.py STREAMS CONFIGURATION [FOLDER]

STREAMS is the folder with umr_gfx*_ring.hex (it is not part of the project), CONFIGURATION board or full. Writes into
FOLDER (build/workloads), as .yaml and .hex:
    heaven, glmark2                     as captured
    heaven-bounced, glmark2-bounced     the buffers through `totem pm4 bounce`; build/totem must be there
The words of COND_EXEC are not 0: at 0 a frame is skipped. What the draws become is counted from the plain buffers.
"""

import subprocess
import sys
from pathlib import Path

import yaml

import draws
from frame_stream import write

TOP = Path(__file__).resolve().parents[2]
ADDRESS = (1 << 40) - 4
NAMES = {number: name for name, number in draws.Source().numbers.items()}
# Name, chip, file, live window of the ring, file and address of each group of buffers that follow each other.
CAPTURES = [
    ("heaven", 10, "umr_gfx10_navi10_heaven", (0x300, 0x400), [[("ib0", 0x96000), ("ib1", 0xA0000)]]),
    ("glmark2", 9, "umr_gfx9_cezanne_glmark2", (0x300, 0x500), [[("ib0", 0x23000)], [("ib1", 0x12000)]])]
TABLES = {9: "clearstate_gfx9.hex", 10: "clearstate_gfx10.hex"}


def set_sizes(words, sizes):
    """Calls and chains get the sizes that their buffers have now."""
    words = list(words)
    for at, name, body in draws.packets(words, NAMES):
        if name == "INDIRECT_BUFFER":
            address = (body[1] << 32 | body[0]) & ADDRESS
            words[at + 3] = body[2] & ~0xFFFFF | sizes[address]
    return words


def bounced(buffers, table, folder, name):
    """Buffers that follow each other are one stream, which is cut behind its chains."""
    plain, out = folder / f"{name}-plain.hex", folder / f"{name}-out.hex"
    write(plain, [word for words in buffers for word in words], "real_frame.py")
    subprocess.run([TOP / "build" / "totem", "pm4", "bounce", f"--table={table}", plain, "-o", out], check=True)
    words = draws.read(out)
    ends = [at + 4 for at, packet, _ in draws.packets(words, NAMES) if packet == "INDIRECT_BUFFER"]
    cuts = [0, *ends, len(words)]
    assert len(cuts) == len(buffers) + 1
    return [words[a:b] for a, b in zip(cuts, cuts[1:])]


def expected(ring):
    """What the fences of a ring leave: the last value of each address."""
    left, fences = {}, 0
    for _, name, body in draws.packets(ring, NAMES):
        if name == "RELEASE_MEM" and body[1] >> 29 in (1, 2):
            address = (body[3] << 32 | body[2]) & ADDRESS
            left[address] = body[4]
            if body[1] >> 29 == 2:
                left[address + 4] = body[5]
    return [{"address": address, "value": value} for address, value in left.items()]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    streams, configuration = Path(sys.argv[1]).resolve(), sys.argv[2]
    folder = Path(sys.argv[3]) if len(sys.argv) == 4 else TOP / "build" / "workloads"
    folder.mkdir(parents=True, exist_ok=True)
    for name, chip, stem, (first, end), groups in CAPTURES:
        window = draws.read(streams / f"{stem}_ring.hex")[first:end]
        plain = [[draws.read(streams / f"{stem}_{file}.hex") for file, _ in group] for group in groups]
        counts = [draws.count([word for words in group for word in words]) for group in plain]
        conditions = {body[0] for _, packet, body in draws.packets(window, NAMES) if packet == "COND_EXEC"}
        for form in ("", "-bounced"):
            full_name = name + form
            buffers = [words for n, group in enumerate(plain) for words in
                       (bounced(group, streams / TABLES[chip], folder, f"{full_name}-{n}") if form else group)]
            places = [address for group in groups for _, address in group]
            sizes = {address: len(words) for address, words in zip(places, buffers)}
            image = [{"address": address, "dwords": [1]} for address in sorted(conditions)]
            for address, words in zip(places, buffers):
                write(folder / f"{full_name}-{address:x}.hex", set_sizes(words, sizes), "real_frame.py")
                image.append({"address": address, "hex": f"{full_name}-{address:x}.hex"})
            write(folder / f"{full_name}-ring.hex", set_sizes(window, sizes), "real_frame.py")
            work = {
                "name": full_name, "configuration": configuration, "seed": 1, "cycles": 3000000,
                "memory": {"latency": 100, "latency_spread": 20}, "image": image,
                "programs": [{"entry": n, "duration": 40, "spread": 5} for n in range(16)],
                "rings": [{"front_end": 0, "ring": {"address": 0x1000000, "size": 512}, "map_at": 0,
                           "graphics": {"hp3d": True, "bounce": True, "filter": True, "generation": chip},
                           "table": {"hex": str(streams / TABLES[chip])}, "hex": f"{full_name}-ring.hex"}],
                "expect": {"memory": expected(window), "draws": sum(d for d, _ in counts),
                           "geometry": sum(w for _, w in counts)}}
            (folder / f"{full_name}.yaml").write_text(yaml.safe_dump(work, sort_keys=False), encoding="utf-8")
            print(f"{full_name}: {work['expect']['draws']} draws, {work['expect']['geometry']} geometry waves")


if __name__ == "__main__":
    main()

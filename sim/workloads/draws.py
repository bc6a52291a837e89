# SPDX-License-Identifier: Apache-2.0
"""What the draws of a graphics stream become, counted from its packets alone (docs/graphics.md, docs/contract/draws.md)."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gen"))
from gen_pm4 import Source  # noqa: E402, its folder comes first

# Of a primitive type: vertices of the first primitive, of each further one.
PRIMITIVES = {0x01: (1, 1), 0x02: (2, 2), 0x03: (2, 1), 0x04: (3, 3), 0x05: (3, 1), 0x06: (3, 1), 0x07: (3, 3),
              0x0A: (4, 4), 0x0B: (4, 1), 0x0C: (6, 6), 0x0D: (6, 2), 0x11: (3, 3), 0x12: (2, 1), 0x13: (4, 4),
              0x14: (4, 2), 0x15: (3, 1)}
PATCH, WAVE = 0x09, 64
RING = 8    # events: number of the pipe of the ring of front end 0
COUNT = {"DRAW_INDEX_2": 3, "DRAW_INDEX_AUTO": 0, "DRAW_INDEX_OFFSET_2": 2}  # body dword with the number of vertices


def read(file):
    return [int(word, 16) for line in Path(file).read_text(encoding="utf-8").splitlines()
            for word in line.split("//")[0].split()]


def packets(words, names):
    """Of each packet: its place, its name, its body."""
    at = 0
    while at < len(words):
        header = words[at]
        size = 0 if header == 0xFFFF1000 or header >> 30 != 3 else (header >> 16 & 0x3FFF) + 1
        yield at, names.get(header >> 8 & 0xFF, "?"), words[at + 1:at + 1 + size]
        at += 1 + size


def written(name, body):
    """Registers that a packet sets: window, offset, value."""
    if name.startswith("SET_CONTEXT_REG_PAIRS_PACKED"):
        for k in range(1, len(body) - 2, 3):
            yield "CONTEXT", body[k] & 0xFFFF, body[k + 1]
            yield "CONTEXT", body[k] >> 16, body[k + 2]
    elif name in ("SET_CONTEXT_REG", "SET_CONTEXT_REG_INDEX", "SET_UCONFIG_REG", "SET_UCONFIG_REG_INDEX", "SET_SH_REG"):
        for k, value in enumerate(body[1:]):
            yield name.split("_")[1], (body[0] & 0xFFFF) + k, value


def issued(words, chip=10):
    """Of each draw that is issued: primitives of its geometry waves, its program's entry (of the frame's streams)."""
    source = Source()
    names = {number: name for name, number in source.numbers.items()}
    program = "SPI_SHADER_PGM_LO_VS" if chip == 9 else "SPI_SHADER_PGM_LO_ES"
    watched = {(row["window"], row["offset"]): row["name"] for row in source.graphics
               if row["name"] in ("VGT_PRIMITIVE_TYPE", "VGT_LS_HS_CONFIG", "VGT_NUM_INSTANCES", program)
               and (row["window"] != "SH" or str(chip) in row["chips"].split())}
    now = {"VGT_PRIMITIVE_TYPE": 0, "VGT_LS_HS_CONFIG": 0, "VGT_NUM_INSTANCES": 1, program: 0}
    for _, name, body in packets(words, names):
        for window, offset, value in written(name, body):
            if (window, offset) in watched:
                now[watched[window, offset]] = value
        if name == "NUM_INSTANCES":
            now["VGT_NUM_INSTANCES"] = body[0]
        elif name in COUNT:
            points = now["VGT_LS_HS_CONFIG"] >> 8 & 0x3F
            kind = now["VGT_PRIMITIVE_TYPE"] & 0x3F
            first, step = (points, points) if kind == PATCH else PRIMITIVES.get(kind, (0, 0))
            vertices, instances = body[COUNT[name]], now["VGT_NUM_INSTANCES"]
            primitives = (vertices - first) // step + 1 if step and vertices >= first else 0
            if vertices > 0 and instances > 0:
                waves = [min(WAVE, primitives - begin) for begin in range(0, primitives, WAVE)]
                yield instances * waves, now[program] & 15


def count(words):
    """Draws, and their geometry waves."""
    waves = [len(waves) for waves, _ in issued(words)]
    return len(waves), sum(waves)


def same_digests(events, digests):
    """Each draw of each ring has the context registers that the shadow of `totem pm4 bounce --digests` has there."""
    wanted = [line.split() for line in Path(digests).read_text(encoding="utf-8").splitlines()]
    wanted = [(digest, int(unknown)) for _, packet, digest, unknown in wanted if packet.startswith("DRAW")]
    seen = {}
    for line in Path(events).read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] == "draw":
            seen.setdefault(event["pipe"], []).append(event["digest"])
    for pipe, found in seen.items():
        if len(found) != len(wanted):
            sys.exit(f"pipe {pipe}: {len(found)} draws, the shadow has {len(wanted)}")
        for n, (digest, (right, unknown)) in enumerate(zip(found, wanted)):
            if digest != right and not unknown:
                sys.exit(f"pipe {pipe}: draw {n} has digest {digest}, the shadow {right}")
    known = sum(not unknown for _, unknown in wanted)
    print(f"{len(seen)} rings: the digests of {known} of {len(wanted)} draws are those of the shadow")
    return len(seen) > 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("python3 sim/workloads/draws.py EVENTS DIGESTS")
    sys.exit(not same_digests(*sys.argv[1:]))

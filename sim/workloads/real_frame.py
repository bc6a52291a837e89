#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes workloads that play captured graphics streams from a ring.

    python3 sim/workloads/real_frame.py STREAMS CONFIGURATION [FOLDER]

STREAMS is the folder of the captured streams (it is not part of the project), CONFIGURATION board or full. Writes into
FOLDER (build/workloads), each as captured and, with -bounced behind its name, through `totem pm4 bounce`:
    heaven, glmark2         live window of a ring to its last packet, with its indirect buffers
    clear-*, libdrm-*       streams of state, with a draw behind them
and NAME.digests, what the shadow of the tool has at each draw. build/totem must be there. The words of COND_EXEC are
not 0: at 0 a frame is skipped. What the draws become is counted from the packets as captured (draws.py).
"""

import subprocess
import sys
from pathlib import Path

import yaml

import draws
from frame_stream import Stream, write

TOP = Path(__file__).resolve().parents[2]
ABOVE = 0x80       # bits 47:40 of the addresses of captured buffers; those of the kernel have 0
NAMES = {number: name for name, number in draws.Source().numbers.items()}
# Name, chip, file, live window of the ring, file and address of each group of buffers that follow each other.
CAPTURES = [
    ("heaven", 10, "umr_gfx10_navi10_heaven", (0x300, 0x400), [[("ib0", 0x8000096000), ("ib1", 0x80000A0000)]]),
    ("glmark2", 9, "umr_gfx9_cezanne_glmark2", (0x300, 0x500), [[("ib0", 0x8000023000)], [("ib1", 0x8000012000)]])]
STATES = [
    ("clear-gfx9", 9, ["clearstate_gfx9"]), ("clear-gfx10", 10, ["clearstate_gfx10"]),
    ("clear-ci", 9, ["clearstate_ci", "radeon_cik_default_state"]),
    ("libdrm-gfx9", 9, ["libdrm_gfx9_preamblecache", "libdrm_gfx9_cached_cmd"]),
    ("libdrm-gfx10", 10, ["libdrm_gfx10_preamblecache", "libdrm_gfx10_cached_cmd"])]


def place(low, high):
    """Where an address of a packet is at the memory port: bit 39 stands for bits 47:40, which ADDRESS_HIGH allows."""
    return (high & 0x7F | (0x80 if high & 0xFF80 else 0)) << 32 | low & ~3


def set_sizes(words, sizes):
    """Calls and chains get the sizes that their buffers have now."""
    words = list(words)
    for at, name, body in draws.packets(words, NAMES):
        if name == "INDIRECT_BUFFER":
            address = place(body[0], body[1])
            words[at + 3] = body[2] & ~0xFFFFF | sizes[address]
    return words


def bounced(buffers, table, stem):
    """Buffers that follow each other are one stream, which is cut behind its chains. Digests of its draws too."""
    plain, out, digests = (stem.with_suffix(end) for end in (".plain", ".bounced", ".group"))
    write(plain, [word for words in buffers for word in words], "real_frame.py")
    subprocess.run([TOP / "build" / "totem", "pm4", "bounce", f"--table={table}", f"--digests={digests}", plain, "-o",
                    out], check=True, stderr=subprocess.DEVNULL)
    words = draws.read(out)
    ends = [at + 4 for at, packet, _ in draws.packets(words, NAMES) if packet == "INDIRECT_BUFFER"]
    cuts = [0, *ends, len(words)]
    assert len(cuts) == len(buffers) + 1
    return [words[a:b] for a, b in zip(cuts, cuts[1:])], digests.read_text(encoding="utf-8")


def expected(ring):
    """What the fences of a ring leave: the last value of each address."""
    left = {}
    for _, name, body in draws.packets(ring, NAMES):
        if name == "RELEASE_MEM" and body[1] >> 29 in (1, 2):
            address = place(body[2], body[3])
            left[address] = body[4]
            if body[1] >> 29 == 2:
                left[address + 4] = body[5]
    return [{"address": address, "value": value} for address, value in left.items()]


class Writer:
    def __init__(self, streams, configuration, folder):
        self.streams, self.configuration, self.folder = streams, configuration, folder
        folder.mkdir(parents=True, exist_ok=True)

    def read(self, file):
        return draws.read(self.streams / f"{file}.hex")

    def ring(self, name, chip, words, buffers, counts, digests):
        """One workload: a ring with these words, buffers by address."""
        sizes = {address: len(buffer) for address, buffer in buffers.items()}
        conditions = {place(*body[:2]) for _, packet, body in draws.packets(words, NAMES) if packet == "COND_EXEC"}
        image = [{"address": address, "dwords": [1]} for address in sorted(conditions)]
        for address, buffer in buffers.items():
            write(self.folder / f"{name}-{address:x}.hex", set_sizes(buffer, sizes), "real_frame.py")
            image.append({"address": address, "hex": f"{name}-{address:x}.hex"})
        write(self.folder / f"{name}-ring.hex", set_sizes(words, sizes), "real_frame.py")
        (self.folder / f"{name}.digests").write_text(digests, encoding="utf-8")
        work = {
            "name": name, "configuration": self.configuration, "seed": 1, "cycles": 3000000,
            "memory": {"latency": 100, "latency_spread": 20}, "image": image,
            "writes": [{"at": 0, "register": "machine.ADDRESS_HIGH", "value": ABOVE}],
            "programs": [{"entry": n, "duration": 40, "spread": 5} for n in range(16)],
            "rings": [{"front_end": 0, "ring": {"address": 0x1000000, "size": 2048}, "map_at": 0,
                       "graphics": {"hp3d": True, "bounce": True, "filter": True, "generation": chip},
                       "table": {"hex": str(self.table(chip))}, "hex": f"{name}-ring.hex"}],
            "expect": {"memory": expected(words), "draws": counts[0], "geometry": counts[1]}}
        (self.folder / f"{name}.yaml").write_text(yaml.safe_dump(work, sort_keys=False), encoding="utf-8")
        print(f"{name}: {counts[0]} draws, {counts[1]} geometry waves")

    def table(self, chip):
        return self.streams / f"clearstate_gfx{chip}.hex"

    def capture(self, name, chip, stem, window, groups):
        words = self.read(f"{stem}_ring")[slice(*window)]
        plain = [[self.read(f"{stem}_{file}") for file, _ in group] for group in groups]
        counts = [sum(pair) for pair in zip(*(draws.count(sum(group, [])) for group in plain))]
        shadows = [bounced(group, self.table(chip), self.folder / name) for group in plain]
        digests = "".join(text for _, text in shadows)
        for form, parts in (("", plain), ("-bounced", [group for group, _ in shadows])):
            addresses = [address for group in groups for _, address in group]
            self.ring(name + form, chip, words, dict(zip(addresses, sum(parts, []))), counts, digests)

    def state(self, name, chip, files):
        """Streams without a draw get one behind them, to see what they leave."""
        stream = Stream(draws.Source(), chip)
        stream.packet("CLEAR_STATE", 0)
        for file in files:
            stream.words += self.read(file)
        stream.primitive("triangle_list")
        stream.auto(3)
        (words,), digests = bounced([stream.words], self.table(chip), self.folder / name)
        self.ring(name, chip, stream.words, {}, (1, 1), digests)
        self.ring(f"{name}-bounced", chip, words, {}, (1, 1), digests)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    folder = Path(sys.argv[3]) if len(sys.argv) == 4 else TOP / "build" / "workloads"
    writer = Writer(Path(sys.argv[1]).resolve(), sys.argv[2], folder)
    for capture in CAPTURES:
        writer.capture(*capture)
    for state in STATES:
        writer.state(*state)


if __name__ == "__main__":
    main()

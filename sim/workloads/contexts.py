#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the worked examples of contexts for the ring of board: build/workloads/NAME.yaml, and NAME.digests.

    python3 sim/workloads/contexts.py NAME          needs build/totem

State A for two draws, state B for two, then A again for one. A state is three packets: colour targets, viewports,
interpolants. `totem pm4 bounce` puts each into a group: the first runs in place, that of B is a miss and rolls, the
last one is a hit.
"""

import subprocess
import sys
from pathlib import Path

import yaml

import draws
from frame_stream import Source, Stream, write

TOP = Path(__file__).resolve().parents[2]
FOLDER = TOP / "build" / "workloads"
FENCE = 0x40000
TARGETS, VIEWPORTS, INTERPOLANTS = (0x318, 60), (0x10F, 60), (0x191, 32)  # first register, registers
VERTICES = 192                                                            # points: three geometry waves
GAP = 150                                                                 # dwords: the copy ahead has ended


def stream(source):
    s = Stream(source, 10)
    s.packet("CLEAR_STATE", 0)
    s.sh(SPI_SHADER_PGM_LO_VS=0, SPI_SHADER_PGM_HI_VS=0, SPI_SHADER_PGM_RSRC1_VS=1, SPI_SHADER_PGM_RSRC2_VS=2 << 1)
    s.sh(SPI_SHADER_USER_DATA_VS_0=0x11, SPI_SHADER_USER_DATA_VS_1=0x22)
    s.set("UCONFIG", VGT_PRIMITIVE_TYPE=1)
    s.instances(1)
    s.packet("NOP", *[0] * GAP)
    for number, count in ((1, 2), (2, 2), (1, 1)):
        for first, registers in (TARGETS, VIEWPORTS, INTERPOLANTS):
            s.packet("SET_CONTEXT_REG", first, *[number << 16 | first + k for k in range(registers)])
        for _ in range(count):
            s.auto(VERTICES)
        if count == 2:
            s.packet("NOP", *[0] * GAP)
    s.release(FENCE, 1)
    return s.words


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    FOLDER.mkdir(parents=True, exist_ok=True)
    name, source = sys.argv[1], Source()
    plain, bounced, values = (FOLDER / f"{name}{part}.hex" for part in ("-plain", "", "-table"))
    words = stream(source)
    write(plain, words, "contexts.py")
    defaults = Stream(source, 10)
    defaults.context(CB_TARGET_MASK=0xFFFFFFFF, CB_SHADER_MASK=0xFFFFFFFF)
    write(values, defaults.words, "contexts.py")
    subprocess.run([TOP / "build" / "totem", "pm4", "bounce", f"--table={values}", plain, "-o", bounced,
                    f"--digests={FOLDER / name}.digests"], check=True)
    begun, waves = draws.count(words)
    work = {
        "name": name, "configuration": "board", "seed": 1, "cycles": 20000,
        "memory": {"latency": 20},
        "programs": [{"entry": 0, "duration": 260, "spread": 0}],
        "rings": [{"front_end": 0, "ring": {"address": 0x10000, "size": 2048}, "map_at": 0,
                   "table": {"hex": values.name}, "hex": bounced.name}],
        "expect": {"memory": [{"address": FENCE, "value": 1}], "draws": begun, "geometry": waves, "fences": 1,
                   "interrupts": 1}}
    (FOLDER / f"{name}.yaml").write_text(yaml.safe_dump(work, sort_keys=False), encoding="utf-8")
    print(f"{name}: {begun} draws, {waves} geometry waves")


if __name__ == "__main__":
    main()

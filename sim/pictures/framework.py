#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the kernels of a network on the machine's time line (docs/framework.md, sim/pictures/make.sh).

    python3 sim/pictures/framework.py EVENTS KERNELS COUNT PNG   the last COUNT kernels; files of tb/framework/run.py

Above, the wave slots of engine 0, a bar for each wave; below, each kernel from its dispatch to the end of its last
wave.
"""

import json
import sys
from pathlib import Path

import timeline
from timeline import COLOURS

KEPT = '"launched"', '"done"', '"dispatch"'


def main():
    events, kernels, count, png = sys.argv[1:]
    names = Path(kernels).read_text(encoding="utf-8").split()
    grids, running, bars = [], {}, []
    with open(events, encoding="utf-8") as lines:
        for text in lines:
            if not any(kept in text for kept in KEPT):
                continue
            line = json.loads(text)
            if line["event"] == "dispatch":
                grids.append([line["clock"], line["clock"], 0])
            elif line["event"] == "launched":
                running[line["slot"]] = line["clock"]
                grids[-1][2] += 1
            else:
                bars.append((line["slot"], running.pop(line["slot"]), line["clock"], len(grids) - 1))
                grids[-1][1] = line["clock"]
    if len(grids) != len(names):
        sys.exit(f"{len(grids)} grids and {len(names)} names")
    first = len(grids) - int(count)
    figure, (top, bottom) = timeline.figure(2, size=(11, 7), height_ratios=(3, 2))
    for slot, begin, end, grid in bars:
        if grid >= first:
            timeline.bar(top, slot, begin, end, COLOURS[grid % len(COLOURS)], edgecolor="white", linewidth=0.2)
    for grid, (begin, end, waves) in enumerate(grids[first:], first):
        timeline.bar(bottom, first - grid, begin, end, COLOURS[grid % len(COLOURS)])
        late = begin > (grids[first][0] + grids[-1][1]) / 2
        bottom.text(begin if late else end, first - grid, f" {names[grid]}, {waves} wave{'s' * (waves != 1)} ",
                    va="center", fontsize=8, ha="right" if late else "left")
    top.set_ylabel("wave slot")
    top.set_title("Waves", fontsize=10, loc="left")
    bottom.set_yticks([])
    bottom.set_title("Kernels, by tinygrad's names: E elementwise, r with a sum", fontsize=10, loc="left")
    timeline.clocks(bottom)
    bottom.xaxis.set_major_formatter(timeline.matplotlib.ticker.StrMethodFormatter("{x:,.0f}"))
    timeline.save(figure, png)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what the cores of tb/core did (docs/core.md, sim/pictures/make.sh).

    python3 sim/pictures/core.py waves EVENTS PNG          slots and reads of engine 0 over the clocks of a run
    python3 sim/pictures/core.py image HEX WIDTH PNG       pixels of memory, 0xAARRGGBB a dword
"""

import sys
from pathlib import Path

import timeline
from timeline import COLOURS, NOTE, plt

SCALE = 3                       # a pixel of the image


def waves(events, png):
    lines = timeline.events(events)
    running, bars, groups, asked = {}, [], [], {}
    for line in lines:
        if line.get("engine") != 0:
            continue
        if line["event"] == "launched":
            running[line["slot"]] = line["clock"]
            if line["group"] not in groups:
                groups.append(line["group"])
        elif line["event"] == "done":
            bars.append((line["slot"], running.pop(line["slot"]), line["clock"], line["group"], line["wave"]))
        elif line["event"] == "read":
            asked.setdefault(line["requester"], []).append(line["clock"])
    start = min(begin for _, begin, *_ in bars)
    fence = next(line["clock"] for line in reversed(lines) if line["event"] == "fence")
    figure, (top, bottom) = timeline.figure(2, height_ratios=(4, 1))
    for slot, begin, end, group, wave in bars:
        timeline.bar(top, slot, begin, end, COLOURS[groups.index(group) % len(COLOURS)], edgecolor="white",
                     linewidth=0.6)
        if end - begin > 0.05 * (fence - start):
            top.text((begin + end) / 2, slot, f"({group[0]}, {group[1]}) {wave}", ha="center", va="center",
                     color="white", fontsize=7, zorder=4)
    slots, cores = max(slot for slot, *_ in bars) + 1, max(asked) + 1
    for clock, text, side in ((start, f" first launch, {start:,}", "left"), (fence, f"fence, {fence:,} ", "right")):
        for axes in (top, bottom):
            timeline.at(axes, clock, color=NOTE)
        top.text(clock, slots - 0.35, text, ha=side, va="bottom", fontsize=9)
    bottom.eventplot([asked.get(core, []) for core in range(cores)], lineoffsets=range(cores), linelengths=0.7,
                     linewidths=0.5, colors="#444444")
    top.set_ylim(-0.6, slots + 0.6)
    top.set_yticks(range(slots))
    top.set_ylabel("wave slot")
    bottom.set_ylim(-0.6, cores - 0.4)
    bottom.set_yticks(range(cores))
    bottom.set_ylabel("core")
    timeline.clocks(bottom)
    bottom.xaxis.set_major_formatter(timeline.matplotlib.ticker.StrMethodFormatter("{x:,.0f}"))
    top.set_title("Waves from their launch to done: group (x, y), wave", fontsize=10, loc="left")
    bottom.set_title("Reads of memory", fontsize=10, loc="left")
    timeline.save(figure, png)
    print(f"{png}: {len(bars)} waves of {len(groups)} groups")


def image(source, width, png):
    words = [int(word, 16) for word in Path(source).read_text(encoding="utf-8").split()]
    rows = [[[word >> 16 & 255, word >> 8 & 255, word & 255] for word in words[n:n + width]]
            for n in range(0, len(words), width)]
    rows = [[pixel for pixel in row for _ in range(SCALE)] for row in rows for _ in range(SCALE)]
    plt.imsave(png, [[[value / 255 for value in pixel] for pixel in row] for row in rows],
               metadata={"Software": None})
    print(f"{png}: {width} x {len(words) // width} pixels")


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "waves":
        waves(*sys.argv[2:])
    elif len(sys.argv) == 5 and sys.argv[1] == "image":
        image(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what the cores of tb/core did (docs/core.md, sim/pictures/make.sh).

    python3 sim/pictures/core.py waves EVENTS PNG          slots and reads of engine 0 over the clocks of a run, without
                                                           tasks and graphics; pale: the wave waits for a core
    python3 sim/pictures/core.py image HEX WIDTH PNG       pixels of memory, 0xAARRGGBB a dword
"""

import sys
from pathlib import Path

import timeline
from timeline import COLOURS, GREY, NOTE, plt

SCALE = 3                       # a pixel of the image


def started(bars, asked, cores):
    """When each wave gets a core: {slot, launch: clock}. The next wave gets the lowest free core, which then reads."""
    free, found = [0] * cores, {}
    for slot, begin, end, *_ in sorted(bars, key=lambda wave: wave[1]):
        core = min(range(cores), key=lambda n: (max(free[n], begin), n))
        at = max(free[core], begin)
        found[slot, begin] = next((clock for clock in asked.get(core, []) if clock >= at), at)
        free[core] = end
    return found


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
    slots, cores = max(slot for slot, *_ in bars) + 1, max(asked) + 1
    runs = started(bars, asked, cores)
    figure, (top, bottom) = timeline.figure(2, height_ratios=(4, 1))
    for slot, begin, end, group, wave in bars:
        colour, run = COLOURS[groups.index(group) % len(COLOURS)], runs[slot, begin]
        timeline.bar(top, slot, begin, run, colour, alpha=0.22, height=0.4)
        timeline.bar(top, slot, run, end, colour, edgecolor="white", linewidth=0.6)
        if end - run > 0.05 * (fence - start):
            top.text((run + end) / 2, slot, f"({group[0]}, {group[1]}) {wave}", ha="center", va="center",
                     color="white", fontsize=7, zorder=4)
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
    top.set_title("Waves: group (x, y), wave", fontsize=10, loc="left")
    top.legend(handles=[timeline.Patch(color=GREY, alpha=0.35, label="launched, waits for a core"),
                        timeline.Patch(color=GREY, label="runs on a core, until done")], loc="upper right", ncols=2,
               bbox_to_anchor=(1, 1.12), frameon=False, fontsize=9)
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

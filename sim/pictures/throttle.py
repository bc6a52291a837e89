#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws levels of the primitive hub, status, dead cycles, gate and grants of engine 0: docs/images/throttle-machine.png
(sim/pictures/make.sh).

    python3 sim/pictures/throttle.py FST PNG
"""

import sys

import timeline
from timeline import ENGINE

DEPTH = 64
NAMES = ["00", "01", "10", "11"]
TEXTS = ["00: below 1/4", "01: 1/4 to 1/2", "10: 1/2 to 3/4", "11: 3/4 or more"]
COLOURS = ["#cfcfcf", "#f0b35b", "#d9730d", "#a3231b"]
SIGNALS = {"level": "g_graphics.pixels.hub.count", "status": "g_graphics.pixels.monitor.status",
           "count": "g_graphics.pixels.throttle.stall_a", "dead": "g_graphics.pixels.throttle.dead",
           "gate": "g_graphics.pixels.throttle.gate", "valid": "issue.grant_valid", "kind": "issue.grant_kind"}
GEOMETRY, BEGIN = 1, 1900


def clocks(fst):
    """Engine 0 of board in every clock from BEGIN on, as rows of a trace."""
    found = []
    for clock, now in timeline.named(fst, {key: ENGINE + name for key, name in SIGNALS.items()}):
        while found and found[-1]["clock"] < clock - 1:  # nothing has changed meanwhile
            found.append({**found[-1], "clock": found[-1]["clock"] + 1})
        found.append({"clock": clock, **now})
    return [row for row in found if row["clock"] >= BEGIN]


def draw(fst, png):
    table = clocks(fst)
    end = next(row["clock"] for row in reversed(table) if row["level"]) + 60
    table = [row for row in table if row["clock"] <= end]
    granted = [row for row in table if row["valid"] and row["kind"] == GEOMETRY]
    figure, (top, middle, bottom) = timeline.figure(3, size=(11, 6.8), height_ratios=(2.4, 1.9, 1.5))
    times = [row["clock"] for row in table]
    top.step(times, [row["level"] for row in table], where="post", color="#00619e", linewidth=2)
    top.set_ylim(0, DEPTH + 1)
    top.set_yticks([0, 16, 32, 48, 64])
    top.grid(axis="y", color="#c9c9c9", linewidth=0.8)
    top.set_ylabel("primitives in the\nfullest FIFO")
    middle.fill_between(times, [row["dead"] for row in table], step="post", color="#7d8fa3", linewidth=0)
    middle.set_ylim(0, 400)
    middle.set_yticks([0, 64, 128, 192, 256])
    middle.grid(axis="y", color="#c9c9c9", linewidth=0.8)
    middle.set_ylabel("dead cycles left")
    last = -1000
    for row in granted:
        later = row["clock"] - last > 60
        loads = next(after["dead"] for after in table if after["clock"] == row["clock"] + 1)
        if later and loads:
            middle.text(row["clock"] + 2, loads + 6, f"granted {row['clock']}", fontsize=8, ha="left", rotation=60,
                        rotation_mode="anchor")
        bottom.plot([row["clock"]] * 2, [-0.36, 0.36], color="#111111", linewidth=1.4)
        last = row["clock"]
    for place, (one, two, status) in enumerate(timeline.spans([(row["clock"], row["status"]) for row in table])):
        timeline.bar(bottom, 2, one, two, COLOURS[status], 0.7, NAMES[status])
        if place:
            count = next(after["count"] for after in table if after["clock"] == one + 1)
            for axes in (top, middle):
                timeline.at(axes, one)
            top.text(one - 12, 63, f"poll {one}:\ncount {count}", fontsize=9, va="top", ha="right")
    for one, two, is_open in timeline.spans([(row["clock"], row["gate"]) for row in table]):
        if not is_open:
            timeline.bar(bottom, 1, one, two, "#444444", 0.7)
    bottom.set_ylim(-0.5, 2.5)
    bottom.set_yticks([0, 1, 2], ["geometry granted", "gate closed", "status"])
    bottom.set_xlim(BEGIN, end)
    timeline.clocks(bottom, 500)
    bottom.xaxis.set_minor_locator(timeline.matplotlib.ticker.MultipleLocator(100))
    bottom.set_xlabel("clock (small marks: polls, every 100 clocks)")
    timeline.legend(figure, list(zip(COLOURS, TEXTS)), 4, title="status of the monitor, by the fullest FIFO",
                    title_fontsize=9)
    timeline.save(figure, png, 0.92)
    return "geometry granted in clocks " + " ".join(str(row["clock"]) for row in granted)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(f"{sys.argv[2]}: {draw(*sys.argv[1:])}")

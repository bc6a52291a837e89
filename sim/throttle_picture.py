#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws levels of the primitive hub and what its monitor says, from traces of tb/throttle, for sim/pictures.sh.

    python3 sim/throttle_picture.py example CSV PNG                 the worked example of docs/throttle.md
    python3 sim/throttle_picture.py machine FST PNG                 the same on the machine, with gate and grants
    python3 sim/throttle_picture.py frames PNG TITLE CSV ...        frames: title and trace in turn
"""

import csv
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402, the backend comes first
from matplotlib.patches import Patch  # noqa: E402

from pictures import Waves  # noqa: E402

DEPTH = 64
NAMES = ["00", "01", "10", "11"]
TEXTS = ["00: below 1/4", "01: 1/4 to 1/2", "10: 1/2 to 3/4", "11: 3/4 or more"]
COLOURS = ["#cfcfcf", "#f0b35b", "#d9730d", "#a3231b"]
ENGINE = "TOP.totem_tb.dut.core.g_se[0].se."
SIGNALS = {"level": "g_graphics.pixels.hub.count", "status": "g_graphics.pixels.monitor.status",
           "count": "g_graphics.pixels.throttle.stall_a", "dead": "g_graphics.pixels.throttle.dead",
           "gate": "g_graphics.pixels.throttle.gate", "valid": "issue.grant_valid", "kind": "issue.grant_kind"}
GEOMETRY, BEGIN = 1, 1900


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [{key: int(value) for key, value in row.items()} for row in csv.DictReader(file)]


def spans(table, end):
    """(first clock, clock behind the last, status) of each stretch with one status."""
    begin = 0
    for place in range(1, len(table) + 1):
        if place == len(table) or table[place]["status"] != table[begin]["status"]:
            yield table[begin]["clock"], table[place]["clock"] if place < len(table) else end, table[begin]["status"]
            begin = place


def plain(axes):
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_axisbelow(True)


def levels(axes):
    axes.set_ylim(0, DEPTH + 1)
    axes.set_yticks([0, 16, 32, 48, 64])
    axes.grid(axis="y", color="#c9c9c9", linewidth=0.8)
    axes.set_ylabel("primitives in the\nfullest FIFO")
    plain(axes)


def legend(figure):
    figure.legend(handles=[Patch(color=colour, label=text) for colour, text in zip(COLOURS, TEXTS)],
                  loc="upper center", ncols=4,
                  frameon=False, fontsize=9, title="status of the monitor, by the fullest FIFO", title_fontsize=9)


def draw_example(path, png):
    table = rows(path)
    end = table[-1]["clock"] + 1
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(11, 4.4), dpi=110, sharex=True, height_ratios=(3.2, 1))
    top.step([row["clock"] for row in table], [row["level"] for row in table], where="post", color="#00619e",
             linewidth=2)
    levels(top)
    for one, two, status in spans(table, end):
        bottom.barh(0, two - one, left=one, height=0.7, color=COLOURS[status])
        bottom.text((one + two) / 2, 0, NAMES[status], ha="center", va="center",
                    color="white" if status > 1 else "black")
        if one:
            top.axvline(one, color="#888888", linewidth=0.8, linestyle=":")
            top.text(one - 12, 61, f"poll {one}", fontsize=9, va="top", ha="right")
    for clock in (100, 3600):
        top.axvline(clock, color="#888888", linewidth=0.8, linestyle=":")
        top.text(clock + 12 if clock == 100 else clock - 4, 61 if clock == 100 else 53, f"poll {clock}:\nno change",
                 fontsize=9, va="top",
                 ha="left" if clock == 100 else "center", backgroundcolor="white")
    for clock in range(100, end, 100):
        bottom.plot([clock, clock], [-0.5, -0.36], color="#333333", linewidth=0.8)
    bottom.set_ylim(-0.6, 0.5)
    bottom.set_yticks([0], ["status"])
    bottom.set_xlim(0, end)
    bottom.xaxis.set_major_locator(matplotlib.ticker.MultipleLocator(500))
    bottom.set_xlabel("clock (small marks: polls, every 100 clocks)")
    plain(bottom)
    bottom.tick_params(axis="y", length=0)
    legend(figure)
    figure.tight_layout(rect=(0, 0, 1, 0.88))
    figure.savefig(png, metadata={"Software": None})
    return " ".join(f"{NAMES[status]} from clock {one}," for one, _, status in spans(table, end)).rstrip(",")


def clocks(fst):
    """Engine 0 of board in every clock from BEGIN on, as rows of a trace."""
    waves = Waves(fst, "|".join(re.escape(ENGINE + name) for name in SIGNALS.values()))
    found = []
    for clock, values in waves.clocks():
        now = {key: int(values.get(ENGINE + name, 0)) for key, name in SIGNALS.items()}
        while found and found[-1]["clock"] < clock - 1:  # nothing has changed meanwhile
            found.append({**found[-1], "clock": found[-1]["clock"] + 1})
        found.append({"clock": clock, **now})
    return [row for row in found if row["clock"] >= BEGIN]


def draw_machine(fst, png):
    table = clocks(fst)
    end = next(row["clock"] for row in reversed(table) if row["level"]) + 60
    table = [row for row in table if row["clock"] <= end]
    granted = [row for row in table if row["valid"] and row["kind"] == GEOMETRY]
    figure, (top, middle, bottom) = plt.subplots(3, 1, figsize=(11, 6.8), dpi=110, sharex=True,
                                                 height_ratios=(2.4, 1.9, 1.5))
    times = [row["clock"] for row in table]
    top.step(times, [row["level"] for row in table], where="post", color="#00619e", linewidth=2)
    levels(top)
    middle.fill_between(times, [row["dead"] for row in table], step="post", color="#7d8fa3", linewidth=0)
    middle.set_ylim(0, 400)
    middle.set_yticks([0, 64, 128, 192, 256])
    middle.grid(axis="y", color="#c9c9c9", linewidth=0.8)
    middle.set_ylabel("dead cycles left")
    plain(middle)
    last = -1000
    for row in granted:
        later = row["clock"] - last > 60
        loads = next(after["dead"] for after in table if after["clock"] == row["clock"] + 1)
        if later and loads:
            middle.text(row["clock"] + 2, loads + 6, f"granted {row['clock']}", fontsize=8, ha="left", rotation=60,
                        rotation_mode="anchor")
        bottom.plot([row["clock"]] * 2, [-0.36, 0.36], color="#111111", linewidth=1.4)
        last = row["clock"]
    for place, row in enumerate(spans(table, end)):
        one, two, status = row
        bottom.barh(2, two - one, left=one, height=0.7, color=COLOURS[status])
        bottom.text((one + two) / 2, 2, NAMES[status], ha="center", va="center",
                    color="white" if status > 1 else "black")
        if place:
            count = next(after["count"] for after in table if after["clock"] == one + 1)
            for axes in (top, middle):
                axes.axvline(one, color="#888888", linewidth=0.8, linestyle=":")
            top.text(one - 12, 63, f"poll {one}:\ncount {count}", fontsize=9, va="top", ha="right")
    closed = [{"clock": row["clock"], "status": row["gate"]} for row in table]
    for one, two, is_open in spans(closed, end):
        if not is_open:
            bottom.barh(1, two - one, left=one, height=0.7, color="#444444")
    bottom.set_ylim(-0.5, 2.5)
    bottom.set_yticks([0, 1, 2], ["geometry granted", "gate closed", "status"])
    bottom.set_xlim(BEGIN, end)
    bottom.xaxis.set_major_locator(matplotlib.ticker.MultipleLocator(500))
    bottom.xaxis.set_minor_locator(matplotlib.ticker.MultipleLocator(100))
    bottom.set_xlabel("clock (small marks: polls, every 100 clocks)")
    plain(bottom)
    bottom.tick_params(axis="y", length=0)
    legend(figure)
    figure.tight_layout(rect=(0, 0, 1, 0.92))
    figure.savefig(png, metadata={"Software": None})
    return "geometry granted in clocks " + " ".join(str(row["clock"]) for row in granted)


def draw_frames(png, frames):
    figure, panels = plt.subplots(len(frames), 1, figsize=(11, 2.1 * len(frames) + 0.9), dpi=110, squeeze=False)
    said = []
    for axes, (title, path) in zip(panels[:, 0], frames):
        table = rows(path)
        end = table[-1]["clock"]
        for status in range(4):
            inside = [row["status"] == status for row in table]
            axes.fill_between([row["clock"] for row in table],
                              [row["level"] if good else 0 for row, good in zip(table, inside)],
                              step="pre", color=COLOURS[status], linewidth=0)
        levels(axes)
        axes.set_xlim(0, end)
        axes.xaxis.set_major_formatter(
            matplotlib.ticker.FuncFormatter(lambda value, _: f"{value / 1e6:.1f} M" if value else "0"))
        shares = [sum(row["status"] == status for row in table) / len(table) for status in range(4)]
        text = ", ".join(f"{name} {100 * share:.1f} %" for name, share in zip(NAMES, shares))
        axes.set_title(f"{title}: of {len(table):,} polls {text}", fontsize=10, loc="left")
        said.append(f"{title} {text}")
    panels[-1, 0].set_xlabel("clock")
    legend(figure)
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.6 / figure.get_size_inches()[1]))
    figure.savefig(png, metadata={"Software": None})
    return "; ".join(said)


def main(arguments):
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10})
    if len(arguments) == 3 and arguments[0] == "example":
        print(f"{arguments[2]}: {draw_example(*arguments[1:])}")
    elif len(arguments) == 3 and arguments[0] == "machine":
        print(f"{arguments[2]}: {draw_machine(*arguments[1:])}")
    elif len(arguments) > 3 and len(arguments) % 2 == 0 and arguments[0] == "frames":
        print(f"{arguments[1]}: {draw_frames(arguments[1], list(zip(arguments[2::2], arguments[3::2])))}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

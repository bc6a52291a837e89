#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws levels of the primitive hub and what its monitor says, from traces of tb/throttle, for sim/pictures.sh.

    python3 sim/throttle_picture.py example CSV PNG                 the worked example of docs/throttle.md
    python3 sim/throttle_picture.py frames PNG TITLE CSV ...        frames: title and trace in turn
"""

import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402, the backend comes first
from matplotlib.patches import Patch  # noqa: E402

DEPTH = 64
NAMES = ["00", "01", "10", "11"]
TEXTS = ["00: below 1/4", "01: 1/4 to 1/2", "10: 1/2 to 3/4", "11: 3/4 or more"]
COLOURS = ["#cfcfcf", "#f0b35b", "#d9730d", "#a3231b"]


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
    elif len(arguments) > 3 and len(arguments) % 2 == 0 and arguments[0] == "frames":
        print(f"{arguments[1]}: {draw_frames(arguments[1], list(zip(arguments[2::2], arguments[3::2])))}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

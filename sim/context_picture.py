#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the worked examples of docs/context.md, for sim/pictures.sh.

    python3 sim/context_picture.py CSV run PNG      the whole run: sets, tags, draws and copies over time
    python3 sim/context_picture.py CSV clocks PNG   clock by clock: miss of the second state, hit of the first one
    python3 sim/context_picture.py EVENTS ring PNG  miss and hit on the ring of a whole machine

CSV is a trace of tb/context (its --trace), EVENTS what `totem run --events` wrote of sim/workloads/contexts.py.
"""

import csv
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402, the backend comes first
from matplotlib.patches import Patch  # noqa: E402

STREAM = {"clear": ("#8e3b86", "CLEAR_STATE"), "bounce": ("#d9730d", "CONTEXT_BOUNCE"),
          "writes": ("#2f7d32", "context writes"),
          "draw": ("#111111", "draw"), "other": ("#d4d4d4", "other packets")}
PACKETS = {"CLEAR_STATE": "clear", "CONTEXT_BOUNCE": "bounce", "SET_CONTEXT_REG": "writes", "DRAW_INDEX_AUTO": "draw"}
USED = ["#ffffff", "#a9cbe6", "#00619e"]
CURRENT, COPY, TAG = "#d9730d", "#8e3b86", "#2f7d32"
WAVES = ["#7d8fa3", "#00619e"]


class Trace:
    """Rows of the CSV, one a clock; numbers are numbers."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.rows = [{key: value if key == "name" or key.startswith("tag") else int(value)
                          for key, value in row.items()}
                         for row in csv.DictReader(file)]
        self.sets = sum(key.startswith("uses") for key in self.rows[0])
        self.letters = {}
        for row in self.rows:
            for number in range(self.sets):
                if row[f"tag{number}"]:
                    self.letters.setdefault(row[f"tag{number}"], chr(ord("A") + len(self.letters)))

    def spans(self, value):
        """(first clock, clock behind the last, value) of each stretch in which value(row) stays the same."""
        begin = 0
        for place in range(1, len(self.rows) + 1):
            if place == len(self.rows) or value(self.rows[place]) != value(self.rows[begin]):
                yield begin, place, value(self.rows[begin])
                begin = place

    def first(self, condition, after=0):
        return next(place for place in range(after, len(self.rows)) if condition(self.rows[place]))


class Events(Trace):
    """The same rows, from the events of ring 0; beside them bursts that its fetch asks for and geometry waves."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            events = [event for event in map(json.loads, file) if event.get("pipe") == 8]
        self.rows, self.bursts, self.waves, self.letters = [], [], [], {}
        packets = [event for event in events if event["event"] == "executed"]
        going = next(event["clock"] for event in events if event["event"] == "selected")
        wave = {}
        for event in events:
            name, clock = event["event"], event["clock"]
            if name == "sets":
                self.put(event)
            elif name == "fetch":
                self.bursts.append((clock, event["address"], event["bytes"]))
            elif name == "launched" and event["kind"] == "geometry":
                wave[event["engine"], event["slot"]] = clock
            elif name == "done" and event["kind"] == "geometry":
                self.waves.append((wave.pop((event["engine"], event["slot"])), clock, event["slot"], event["set"]))
        self.put({"clock": events[-1]["clock"] + 1})
        for row, clock in zip(self.rows, range(len(self.rows))):
            row.update(name="none", packet=-1, clock=clock, draw=0, roll=0, hit=0, miss=0)
        for number, event in enumerate(packets):
            for row in self.rows[max(going, packets[number - 1]["clock"] + 1 if number else 0):event["clock"] + 1]:
                row.update(name=PACKETS.get(event["packet"], "other"), packet=number)
        for event in events:
            name = event["answer"] if event["event"] == "lookup" else event["event"]
            if name in ("draw", "roll", "hit", "miss"):
                self.rows[event["clock"]][name] = 1

    def put(self, event):
        """Rows up to this clock are as the last one, which says what is so from its clock on."""
        while self.rows and len(self.rows) < event["clock"]:
            self.rows.append(dict(self.rows[-1]))
        if "sets" not in event:
            return
        self.sets = len(event["sets"])
        row = {"current": event["current"], "copying": int("copy_source" in event),
               "copy_source": event.get("copy_source"), "copy_target": event.get("copy_target")}
        for number, known in enumerate(event["sets"]):
            tag = known.get("tag", "")
            row.update({f"frame{number}": known["frame"], f"uses{number}": known["uses"], f"tag{number}": tag})
            if tag:
                self.letters.setdefault(tag, chr(ord("A") + len(self.letters)))
        row["spare"] = next(n for n in range(self.sets + 1) if all(n != known["frame"] for known in event["sets"]))
        self.rows.append(row)


def frame_name(trace, row, frame):
    for number in range(trace.sets):
        if row[f"frame{number}"] == frame:
            return f"set {number}"
    return "spare" if row["spare"] == frame else "table"


def draw_rows(trace, axes, begin, end, labels):
    """Stream, sets and copies in the clocks begin..end."""
    inside = lambda one, two: two > begin and one < end
    for one, two, (name, packet) in trace.spans(lambda row: (name_of(row), row.get("packet"))):
        if name in STREAM and inside(one, two):
            axes.barh(0, two - one, left=one, height=0.62, color=STREAM[name][0], align="center", zorder=2,
                      **({} if packet is None else {"edgecolor": "white", "linewidth": 1}))
    for number in range(trace.sets):
        row = 1 + number
        for one, two, uses in trace.spans(lambda line: line[f"uses{number}"]):
            if uses and inside(one, two):
                axes.barh(row, two - one, left=one, height=0.4, color=USED[min(uses, 2)], zorder=2)
        for one, two, current in trace.spans(lambda line: line["current"] == number):
            if current and inside(one, two):
                axes.plot([one, two], [row - 0.32, row - 0.32], color=CURRENT, linewidth=4, solid_capstyle="butt",
                          zorder=3)
        for one, two, tag in trace.spans(lambda line: line[f"tag{number}"]):
            if tag and inside(one, two):
                axes.plot([one, two], [row + 0.32, row + 0.32], color=TAG, linewidth=2, solid_capstyle="butt", zorder=3)
                axes.text(max(one, begin) + labels, row + 0.34, f"tag {trace.letters[tag]}", color=TAG, fontsize=8,
                          va="top", zorder=4)
    row = trace.sets + 1
    for one, two, copy in trace.spans(
            lambda line: line["copying"] and (line["copy_source"], line["copy_target"]) or None):
        if copy and inside(one, two):
            source, target = (frame_name(trace, trace.rows[one], frame) for frame in copy)
            axes.barh(row, two - one, left=one, height=0.5, color=COPY, zorder=2)
            axes.text(max(one, begin) + (min(two, end) - max(one, begin)) / 2, row, f"{source} → {target}",
                      color="white", fontsize=8, ha="center",
                      va="center", zorder=4, clip_on=True)
    axes.set_yticks(range(trace.sets + 2), ["stream", *(f"set {number}" for number in range(trace.sets)), "copy"])
    axes.invert_yaxis()
    axes.set_xlim(begin, end)
    axes.grid(axis="x", color="#e4e4e4", zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("clock")


def name_of(row):
    return row["name"] if row["name"] in STREAM else "other" if row["name"] != "none" else "none"


def legend(figure, clear, ring=False):
    handles = [Patch(color=colour, label=text) for name, (colour, text) in STREAM.items() if clear or name != "clear"]
    handles += [plt.Line2D([], [], color=CURRENT, linewidth=4, label="current set"),
                Patch(color=USED[1], label="1 draw uses it"),
                Patch(color=USED[2], label="2 draws use it"),
                plt.Line2D([], [], color=TAG, linewidth=2, label="tagged")]
    if ring:
        handles += [Patch(color="#555555", label="burst asked for"), Patch(color=WAVES[0], label="wave on set 0"),
                    Patch(color=WAVES[1], label="wave on set 1")]
    figure.legend(handles=handles, loc="upper center", ncols=6 if ring else 5, frameon=False, fontsize=9)


def events(trace):
    """Clocks of what the pictures point at."""
    bounces = [one for one, _, name in trace.spans(lambda row: name_of(row)) if name == "bounce"]
    miss = trace.first(lambda row: row["roll"], bounces[1])
    tag = trace.first(lambda row: row["tag1"] != "", miss)
    return bounces, miss, tag, trace.first(lambda row: row["hit"])


def mark(axes, number, clock, row):
    axes.text(clock, row, str(number), fontsize=9, weight="bold", ha="center", va="center", zorder=7,
              bbox={"boxstyle": "circle,pad=0.22", "facecolor": "#ffe680", "edgecolor": "#7a6a1a"})


def finish(figure, notes, clear, path, ring=False):
    """Legend above, numbered notes below."""
    legend(figure, clear, ring)
    height = figure.get_size_inches()[1]
    for line, note in enumerate(notes):
        figure.text(0.04, (0.2 * (len(notes) - line) - 0.1) / height, f"{line + 1}  {note}", fontsize=9, va="center")
    figure.tight_layout(rect=(0, 0.2 * len(notes) / height, 1, 1 - 0.5 / height))
    figure.savefig(path, metadata={"Software": None})
    plt.close(figure)


def picture_run(trace, path):
    bounces, roll, _, hit = events(trace)
    figure, axes = plt.subplots(figsize=(11, 5.6), dpi=110)
    draw_rows(trace, axes, 0, len(trace.rows), 2)
    ahead = trace.first(lambda row: row["copying"] and row["copy_target"] == row["spare"])
    clear = trace.first(lambda row: row["copying"])
    for number, clock, row in ((1, clear + 33, trace.sets + 0.42), (2, bounces[0] + 2, -0.55),
                               (3, ahead + 33, trace.sets + 0.42),
                               (4, roll, -0.55), (5, roll + 1, 1.68), (6, hit, -0.55), (7, hit + 1, 0.68)):
        mark(axes, number, clock, row)
    axes.set_ylim(trace.sets + 1.5, -0.9)
    finish(figure, ["CLEAR_STATE: set 0 takes the values of the table.",
                    "Miss. Set 0 is neither used nor tagged, so the group is executed in place, and tags the set "
                    "with hash A.",
                    "The first draw on the current set, or its tag, starts a copy of it into the spare frame: "
                    "ahead of the next roll.",
                    "Miss. Hash B is found nowhere, and two draws still use set 0: a roll. The group is executed.",
                    "The spare frame, a copy of set 0, is set 1 and current. What state B changes is written there; "
                    "then tag B.",
                    "Hit. Hash A is that of set 0: the 12 dwords of the group are skipped.",
                    "Set 0 is current again. Nothing is allocated, no register is written; the draw uses it."],
           True, path)
    return f"roll in clock {roll}, hit in clock {hit}"


def picture_clocks(trace, path):
    bounces, roll, tag, hit = events(trace)
    figure, panels = plt.subplots(1, 2, figsize=(11, 5.2), dpi=110, width_ratios=(1.75, 1))
    miss, found = bounces[1], bounces[2]
    draws = [trace.first(lambda row: row["draw"], place) for place in (miss, found)]
    for axes, begin, end, title in ((panels[0], miss - 2, draws[0] + 8, "miss"),
                                    (panels[1], found - 2, draws[1] + 8, "hit")):
        draw_rows(trace, axes, begin, end, 0.3)
        axes.set_title(title, fontsize=10, pad=8)
        axes.xaxis.set_major_locator(matplotlib.ticker.MultipleLocator(5))
        axes.xaxis.set_minor_locator(matplotlib.ticker.MultipleLocator(1))
        axes.grid(axis="x", which="minor", color="#f2f2f2", zorder=0)
        axes.set_ylim(trace.sets + 1.5, -0.9)
    left, right = panels
    for axes, number, clock, row in ((left, 1, miss + 2, -0.55), (left, 2, roll + 0.5, -0.55),
                                     (left, 3, roll + 1, 1.68),
                                     (left, 4, tag - 0.7, 2.36), (left, 5, draws[0] + 0.6, trace.sets + 1),
                                     (right, 6, hit + 0.5, -0.55),
                                     (right, 7, hit + 1, 0.68)):
        mark(axes, number, clock, row)
    finish(figure,
           ["CONTEXT_BOUNCE: header, count, two dwords of hash. Each hash dword is compared with all tags as it comes.",
                    "No tag is equal, and the current set is used: the roll, one clock behind the last hash dword.",
                    "Set 1 is current and holds the values of set 0. The writes of the group come, a dword a clock.",
                    "The last write is done: set 1 is tagged. In the same clock the first draw is issued on it.",
                    "Copy-ahead of set 1 begins.",
                    "The tag of set 0 is equal: the hit. Draws use set 1, nothing waits for them.",
                    "Set 0 is current. The next dword is that of the draw."], False, path)
    return f"miss from clock {miss}, tagged in {tag}; hit from clock {found}"


def picture_ring(trace, path):
    bounces = [one for one, _, name in trace.spans(name_of) if name == "bounce"]
    miss, found = bounces[1], bounces[2]
    roll = trace.first(lambda row: row["roll"], miss)
    tag = trace.first(lambda row: row["tag1"] != "", roll)
    left = trace.first(lambda row: row["uses0"] == 0, roll)
    hit = trace.first(lambda row: row["hit"], found)
    draws = [trace.first(lambda row: row["draw"], place) for place in (miss, found)]
    jump = next(n for n, burst in enumerate(trace.bursts) if burst[0] > hit)
    skipped = trace.bursts[jump][1] - sum(trace.bursts[jump - 1][1:])
    spans = (miss - 12, draws[0] + 65), (found - 12, draws[1] + 65)
    figure, panels = plt.subplots(1, 2, figsize=(11, 7.8), dpi=110, width_ratios=[end - begin for begin, end in spans])
    fetch, waves = trace.sets + 2, trace.sets + 3
    slots = 1 + max(wave[2] for wave in trace.waves)
    for axes, (begin, end), title in zip(panels, spans, ("miss", "hit")):
        draw_rows(trace, axes, begin, end, 2)
        for clock, _, size in trace.bursts:
            if begin <= clock < end:
                axes.barh(fetch, 5, left=clock, height=0.5 * size / 128, color="#555555", zorder=2)
        for one, two, slot, number in trace.waves:
            if two > begin and one < end:
                axes.barh(waves - 0.45 + 1.3 * slot / slots, two - one, left=one, height=0.9 / slots,
                          color=WAVES[number], align="edge", zorder=2)
        axes.set_title(title, fontsize=10, pad=8)
        axes.xaxis.set_major_locator(matplotlib.ticker.MultipleLocator(50))
        axes.set_ylim(waves + 1.0, -0.9)
    axes, other = panels
    for panel in panels:
        panel.set_yticks(range(trace.sets + 4), ["packets", *(f"set {number}" for number in range(trace.sets)), "copy",
                                                 "fetch", "waves"])
    other.set_yticklabels([])
    for panel, number, clock, row in ((axes, 1, roll - 5, -0.55), (axes, 2, roll + 4, 1.72),
                                      (axes, 3, roll + 90, -0.55), (axes, 4, left + 6, 1), (axes, 5, tag - 6, 2.36),
                                      (axes, 6, draws[0], -0.55), (other, 7, hit - 4, -0.55),
                                      (other, 8, trace.bursts[jump][0] + 13, fetch), (other, 9, draws[1], -0.55)):
        mark(panel, number, clock, row)
    finish(figure,
           ["CONTEXT_BOUNCE with hash B: no tag is equal, and the current set is used. Miss: a roll.",
            "Set 1 is current. Its frame was the spare one, which already is a copy of set 0.",
            "The group: three packets, a register a clock, into set 1. Meanwhile fetch asks for its lines.",
            "The draws of state A have ended: set 0 has no use any more, and keeps its values and tag A.",
            "The group has ended: tag B, and a copy of set 1 into the spare frame begins.",
            "The first of two draws is issued on set 1; three geometry waves each.",
            "CONTEXT_BOUNCE with hash A: it is the tag of set 0, which is current at once. Nothing is allocated; "
            "the next copy ahead is of set 0.",
            f"The group is skipped: {skipped} bytes of it are never asked for. Fetch goes on with the draw.",
            "The draw is issued on set 0; those on set 1 still run."], False, path, ring=True)
    return f"roll in clock {roll}, tag in clock {tag}, hit in clock {hit}, {skipped} bytes not fetched"


def main():
    pictures = {"run": picture_run, "clocks": picture_clocks, "ring": picture_ring}
    if len(sys.argv) != 4 or sys.argv[2] not in pictures:
        sys.exit(__doc__)
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10})
    trace = (Events if sys.argv[2] == "ring" else Trace)(sys.argv[1])
    said = pictures[sys.argv[2]](trace, sys.argv[3])
    print(f"{sys.argv[3]}: {said}")


if __name__ == "__main__":
    main()

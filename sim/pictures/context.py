#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the worked example of docs/context.md, miss and hit on the ring of a machine: docs/images/context-ring.png
(sim/pictures/make.sh).

    python3 sim/pictures/context.py EVENTS PNG      EVENTS: of a run of sim/workloads/contexts.py
"""

import sys

import timeline

STREAM = {"bounce": ("#d9730d", "CONTEXT_BOUNCE"),
          "writes": ("#2f7d32", "context writes"),
          "draw": ("#111111", "draw"), "other": ("#d4d4d4", "other packets")}
PACKETS = {"CONTEXT_BOUNCE": "bounce", "SET_CONTEXT_REG": "writes", "DRAW_INDEX_AUTO": "draw"}
USED = ["#ffffff", "#a9cbe6", "#00619e"]
CURRENT, COPY, TAG = "#d9730d", "#8e3b86", "#2f7d32"
WAVES = ["#7d8fa3", "#00619e"]


class Trace:
    """Rows of ring 0, one a clock, from its events; beside them bursts that its fetch asks for and geometry waves."""

    def __init__(self, path):
        events = [event for event in timeline.events(path) if event.get("pipe") == 8]
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

    def spans(self, value):
        return timeline.spans([(place, value(row)) for place, row in enumerate(self.rows)])

    def first(self, condition, after=0):
        return next(place for place in range(after, len(self.rows)) if condition(self.rows[place]))


def frame_name(trace, row, frame):
    for number in range(trace.sets):
        if row[f"frame{number}"] == frame:
            return f"set {number}"
    return "spare" if row["spare"] == frame else "table"


def draw_rows(trace, axes, begin, end, labels):
    """Stream, sets and copies in the clocks begin..end."""
    inside = lambda one, two: two > begin and one < end
    for one, two, (name, _) in trace.spans(lambda row: (row["name"], row["packet"])):
        if name in STREAM and inside(one, two):
            timeline.bar(axes, 0, one, two, STREAM[name][0], 0.62, edgecolor="white", linewidth=1)
    for number in range(trace.sets):
        row = 1 + number
        for one, two, uses in trace.spans(lambda line: line[f"uses{number}"]):
            if uses and inside(one, two):
                timeline.bar(axes, row, one, two, USED[min(uses, 2)], 0.4)
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
            timeline.bar(axes, row, one, two, COPY, 0.5)
            axes.text(max(one, begin) + (min(two, end) - max(one, begin)) / 2, row, f"{source} → {target}",
                      color="white", fontsize=8, ha="center",
                      va="center", zorder=4, clip_on=True)
    axes.set_xlim(begin, end)
    axes.grid(axis="x", color="#e4e4e4", zorder=0)
    timeline.clocks(axes, 50)


def mark(axes, number, clock, row):
    axes.text(clock, row, str(number), fontsize=9, weight="bold", ha="center", va="center", zorder=7,
              bbox={"boxstyle": "circle,pad=0.22", "facecolor": "#ffe680", "edgecolor": "#7a6a1a"})


def draw(trace, path):
    bounces = [one for one, _, name in trace.spans(lambda row: row["name"]) if name == "bounce"]
    miss, found = bounces[1], bounces[2]
    roll = trace.first(lambda row: row["roll"], miss)
    tag = trace.first(lambda row: row["tag1"] != "", roll)
    hit = trace.first(lambda row: row["hit"], found)
    draws = [trace.first(lambda row: row["draw"], place) for place in (miss, found)]
    jump = next(n for n, burst in enumerate(trace.bursts) if burst[0] > hit)
    skipped = trace.bursts[jump][1] - sum(trace.bursts[jump - 1][1:])
    spans = (miss - 12, draws[0] + 65), (found - 12, draws[1] + 65)
    figure, panels = timeline.figure(1, 2, (11, 7.8), width_ratios=[end - begin for begin, end in spans])
    fetch, waves = trace.sets + 2, trace.sets + 3
    slots = 1 + max(wave[2] for wave in trace.waves)
    for axes, (begin, end), title in zip(panels, spans, ("miss", "hit")):
        draw_rows(trace, axes, begin, end, 2)
        for clock, _, size in trace.bursts:
            if begin <= clock < end:
                timeline.bar(axes, fetch, clock, clock + 5, timeline.NOTE, 0.5 * size / 128)
        for one, two, slot, number in trace.waves:
            if two > begin and one < end:
                axes.barh(waves - 0.45 + 1.3 * slot / slots, two - one, left=one, height=0.9 / slots,
                          color=WAVES[number], align="edge", zorder=2)
        axes.set_title(title, fontsize=10, pad=8)
        axes.set_ylim(waves + 1.0, -0.9)
    axes, other = panels
    for panel in panels:
        panel.set_yticks(range(trace.sets + 4), ["packets", *(f"set {number}" for number in range(trace.sets)), "copy",
                                                 "fetch", "waves"])
    other.set_yticklabels([])
    for panel, number, clock, row in ((axes, 1, roll - 5, -0.55), (axes, 2, roll + 4, 1.72),
                                      (axes, 3, roll + 90, -0.55), (axes, 4, tag - 6, 2.36),
                                      (axes, 5, draws[0], -0.55), (other, 6, hit - 4, -0.55),
                                      (other, 7, trace.bursts[jump][0] + 13, fetch), (other, 8, draws[1], -0.55)):
        mark(panel, number, clock, row)
    notes = ["CONTEXT_BOUNCE with hash B: no tag is equal, and the current set is used. Miss: a roll.",
            "Set 1 is current. Its frame was the spare one, which already is a copy of set 0.",
            "The group: three packets, a register a clock, into set 1. Meanwhile fetch asks for its lines.",
            "The group has ended: tag B, and a copy of set 1 into the spare frame begins.",
            "The first of two draws is issued on set 1; three geometry waves each.",
            "CONTEXT_BOUNCE with hash A: it is the tag of set 0, which is current at once. Nothing is allocated; "
            "the next copy ahead is of set 0.",
            f"The group is skipped: {skipped} bytes of it are never asked for. Fetch goes on with the draw.",
            "The draw is issued on set 0; those on set 1 still run."]
    timeline.legend(figure, [*STREAM.values(), timeline.line(CURRENT, "current set", 4), (USED[1], "1 draw uses it"),
                             (USED[2], "2 draws use it"), timeline.line(TAG, "tagged", 2),
                             (timeline.NOTE, "burst asked for"), (WAVES[0], "wave on set 0"),
                             (WAVES[1], "wave on set 1")], 6)
    height = figure.get_size_inches()[1]
    for place, note in enumerate(notes):
        figure.text(0.04, (0.2 * (len(notes) - place) - 0.1) / height, f"{place + 1}  {note}", fontsize=9, va="center")
    timeline.save(figure, path, 1 - 0.5 / height, 0.2 * len(notes) / height)
    return f"roll in clock {roll}, tag in clock {tag}, hit in clock {hit}, {skipped} bytes not fetched"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(f"{sys.argv[2]}: {draw(Trace(sys.argv[1]), sys.argv[2])}")

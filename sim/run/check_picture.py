#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a picture of `totem picture` against the events that it was drawn from.

    check_picture.py EVENTS PICTURE

No text lies on another one or outside; the row of each queue shows each state, and that of each pipe each queue, for as
long as the events say, and the axis is in the right clocks. Rows have one colour a column, so they may be a little off.
"""
import collections
import json
import re
import sys
import xml.etree.ElementTree as xml

LEFT, COLUMNS, OFF = 96, 1000, 0.02
STATES = {"works": "#2b8a3e", "polls": "#f06595", "idle": "#d3f9d8", "waits_turn": "#f59f00", "flush": "#845ef7",
          "line": "#4dabf7", "empty": "#e9ecef", "halted": "#c92a2a", "leaving": "#868e96", "mapping": "#c0a16b"}
QUEUES = ["#80b1d3", "#fdb462", "#b3de69", "#fb8072", "#bebada", "#ffed6f", "#8dd3c7", "#fccde5"]


def spans(events):
    """{(row, colour): [(from, to)]}: rows are "queue P.Q" and "pipe P"."""
    found, begun = collections.defaultdict(list), {}
    for event in [*events, {"clock": events[-1]["clock"] + 1, "event": "end"}]:
        if event["event"] == "state":
            key, colour = f"queue {event['pipe']}.{event['queue']}", STATES.get(event["reason"])
        elif event["event"] in ("selected", "left"):
            key = f"pipe {event['pipe']}"
            colour = QUEUES[event["queue"]] if event["event"] == "selected" else None
        elif event["event"] != "end":
            continue
        for one in list(begun) if event["event"] == "end" else [key] if key in begun else []:
            since, old = begun.pop(one)
            found[one, old].append((since, event["clock"]))
        if event["event"] != "end" and colour:
            begun[key] = event["clock"], colour
    return found


def boxes(texts):
    for text in texts:
        size, x, y = int(text.get("font-size")), float(text.get("x")), float(text.get("y"))
        width = 0.55 * size * len(text.text)
        left = x - {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor")]
        yield left, y - 0.75 * size, left + width, y + 0.1 * size, text.text


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    root = xml.parse(sys.argv[2]).getroot()
    tag = lambda name: root.iter("{http://www.w3.org/2000/svg}" + name)
    texts, width, height = list(tag("text")), float(root.get("width")), float(root.get("height"))
    placed = list(boxes(texts))
    for n, (left, top, right, bottom, text) in enumerate(placed):
        assert left >= 0 and top >= 0 and right <= width and bottom <= height, (text, "lies outside")
        for other in placed[:n]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top, (text, other[4])
    first, last = (int(n.replace(",", "")) for n in re.search(r"clocks ([\d,]+) to ([\d,]+)$", texts[0].text).groups())
    scale = (last + 1 - first) / COLUMNS
    ticks = [text for text in texts if text.get("font-size") == "11" and float(text.get("y")) > height / 2
             and re.fullmatch(r"[\d,]+", text.text) and text.get("text-anchor") == "middle"]
    ticks = [text for text in ticks if text.get("y") == ticks[-1].get("y")]
    assert len(ticks) >= 3, "the axis has hardly a clock"
    for text in ticks:
        assert abs(LEFT + (int(text.text.replace(",", "")) - first) / scale - float(text.get("x"))) < 1.5, text.text
    rows = {text.text: float(text.get("y")) - (15 if text.text.startswith("pipe") else 12) for text in texts
            if re.match(r"(queue \d+\.\d|pipe \d+)$", text.text)}
    drawn = collections.Counter()
    names = {y: name for name, y in rows.items()}
    for path in tag("path"):
        for _, y, part in re.findall(r"M(\d+) (\d+)h(\d+)v", path.get("d")):
            if int(y) in names:
                drawn[names[int(y)], path.get("fill")] += int(part)
    told = spans(events)
    assert {name for name, _ in told} == set(rows), (set(rows), "are not the rows")
    for (name, colour), list_of in told.items():
        columns = sum(max(0, min(b, last + 1) - max(a, first)) for a, b in list_of) / scale
        assert abs(columns - drawn[name, colour]) < OFF * COLUMNS, (name, colour, columns, drawn[name, colour])
    print(f"the picture holds: {len(rows)} rows, {len(texts)} texts")


if __name__ == "__main__":
    main()

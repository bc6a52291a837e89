#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who got what in a run of a frame with pixels (frame.py --pixels, --compute), from its events.

    python3 sim/workloads/shares.py EVENTS DUE

DUE is the NAME.json of frame.py. Exit code 1 if a kind of work has other waves or pixels than it is to have, or if
geometry never runs beside pixel waves, or compute queues never beside either.
"""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from draws import RING

# Who competes: compute queues; of rings geometry, pixels and groups, which are of tier GFX with any ring.
KINDS = ("CS", "HP3D GS", "HP3D PS", "GFX CS", "GFX GS", "GFX PS")
LETTERS = {"compute": "CS", "geometry": "GS", "pixel": "PS"}


@dataclass
class Run:
    """Clocks are those from `begin` on."""
    due: dict
    waves: dict = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    pixels: int = 0
    spans: list = field(default_factory=list)       # of each wave its kind, engine, launched, done; by done
    ends: dict = field(default_factory=dict)        # of each pipe the clock of its last fence


def kind(event, hp3d):
    letters = LETTERS[event["kind"]]
    if event["pipe"] < RING:
        return letters
    return ("HP3D " if event["pipe"] in hp3d and letters != "CS" else "GFX ") + letters


def read(events, due):
    run = Run(json.loads(Path(due).read_text(encoding="utf-8")))
    begin, running = run.due["begin"], {}
    with open(events, encoding="utf-8") as file:
        for line in file:
            event = json.loads(line)
            what = event["event"]
            if what == "launched":
                whose = kind(event, run.due["hp3d"])
                run.waves[whose] += 1
                run.pixels += event["threads"] if event["kind"] == "pixel" else 0
                running[event["engine"], event["slot"]] = whose, event["clock"] - begin
            elif what == "done":
                whose, launched = running.pop((event["engine"], event["slot"]))
                run.spans.append((whose, event["engine"], launched, event["clock"] - begin))
            elif what == "fence":
                run.ends[event["pipe"]] = event["clock"] - begin
    return run


def together(run):
    """Pairs of compute queues, geometry and pixels that have waves at one engine in one clock."""
    changes = sorted(change for whose, engine, first, last in run.spans if whose != "GFX CS"
                     for change in ((engine, first, 1, whose[-2:]), (engine, last, -1, whose[-2:])))
    now, found = dict.fromkeys(LETTERS.values(), 0), set()
    for _, _, step, whose in changes:
        now[whose] += step
        found |= {(one, whose) for one in now if one < whose and now[one] and now[whose]}
        found |= {(whose, one) for one in now if one > whose and now[one] and now[whose]}
    return found


def wrong(run):
    """What is not as it must be."""
    waves, due = run.waves, run.due
    pairs = {"waves of compute queues": (waves["CS"], due["compute"]),
             "waves of dispatches of rings": (waves["GFX CS"], due["dispatched"]),
             "geometry waves": (waves["HP3D GS"] + waves["GFX GS"], due["geometry"]),
             "pixels": (run.pixels, due["pixels"])}
    found = [f"{name} {has}, to be {wanted}" for name, (has, wanted) in pairs.items() if has != wanted]
    seen = together(run)
    if ("GS", "PS") not in seen:
        found.append("geometry never runs beside pixel waves")
    if due["compute"] and not seen & {("CS", "GS"), ("CS", "PS")}:
        found.append("compute queues never run beside graphics")
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    run = read(*sys.argv[1:])
    if wrong(run):
        sys.exit("; ".join(wrong(run)))
    print(f"{run.pixels} pixels; waves: " + ", ".join(f"{name} {n}" for name, n in run.waves.items() if n))


if __name__ == "__main__":
    main()

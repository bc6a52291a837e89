#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the CS_HIGH groups of a frame (frame.py --waiting) wait behind pixel waves, from the events of a run.

    python3 sim/workloads/waits.py EVENTS DUE

DUE is the NAME.json of frame.py. A group waits from the clock in which the packet before its dispatch has executed to
its grant, at whatever engines. Exit code 1 if one waits longer than TIMES times the longest pixel wave that ran at its
engine meanwhile, or if groups are missing. One that finds its engine without pixel waves waits behind none.
"""

import json
import sys
from pathlib import Path

TIMES = 4
RING = 8        # pipes from here on are rings


def read(events):
    """[(clock of the packet before, of the grant, engine)], and {engine: [(launched, done)]} of pixel waves"""
    groups, spans, running, before = [], {}, {}, None
    with open(events, encoding="utf-8") as file:
        for line in file:
            event = json.loads(line)
            what = event["event"]
            if what == "executed" and event["pipe"] < RING:
                before = event["clock"]
            elif what == "granted" and event["pipe"] < RING:
                groups.append((before, event["clock"], event["engine"]))
            elif what == "launched" and event["kind"] == "pixel":
                running[event["engine"], event["slot"]] = event["clock"]
            elif what == "done" and event["kind"] == "pixel":
                spans.setdefault(event["engine"], []).append((running.pop((event["engine"], event["slot"])),
                                                              event["clock"]))
    return groups, spans


def waits(events):
    """[(clocks of the wait, longest pixel wave that ran at that engine meanwhile)] of the groups"""
    groups, spans = read(events)
    return [(grant - before, max((done - launched for launched, done in spans.get(engine, [])
                                    if launched < grant and done > before), default=0))
            for before, grant, engine in groups]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    found, due = waits(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    if len(found) != due["waiting"]:
        sys.exit(f"{len(found)} groups of CS_HIGH are granted, to be {due['waiting']}")
    wait, wave = max(found)
    late = [pair for pair in found if pair[1] and pair[0] > TIMES * pair[1]]
    if late:
        sys.exit(f"a group of CS_HIGH waits {max(late)[0]} clocks, and the longest pixel wave then is {max(late)[1]}")
    print(f"{len(found)} groups wait at most {wait} clocks; the longest pixel wave then is {wave}")


if __name__ == "__main__":
    main()

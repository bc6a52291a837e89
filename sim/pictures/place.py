#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds a place worth a picture in a run's FST (through fst2vcd, which comes with GTKWave).

    python3 sim/pictures/place.py switch FST     a queue that leaves within a dispatch and the next one that is selected
    python3 sim/pictures/place.py launch FST     the first wave
    python3 sim/pictures/place.py map FST        the first queue that is mapped
    python3 sim/pictures/place.py first FST      the first selection of a queue; nothing if the run has none
    python3 sim/pictures/place.py mismatch TEXT  that of which a run has told (its output); nothing if there is none

prints options for sim/run/views.py. Exit code 1 if the run has no such place.
"""

import re
import sys

from timeline import PIPE, Waves


def find_switch(fst):
    """(pipe, clock of stop, clock of go): within a dispatch, another queue selected soon after."""
    waves = Waves(fst, r".*\.pipe\.front\.(execute\.(stop|left)|arbiter\.(go|selected))")
    pipes = sorted({tuple(re.findall(r"g_\w+\[(\d+)\]", name)) for names in waves.names.values() for name in names})
    stops, left = {}, {}
    for clock, values in waves.clocks():
        for pipe in pipes:
            at = PIPE.format(*pipe)
            if values.get(at + "execute.stop"):
                stops.setdefault(pipe, clock)
            if values.get(at + "execute.left"):
                left[pipe] = (stops.pop(pipe, None), clock, values[at + "arbiter.selected"])
            if values.get(at + "arbiter.go") and pipe in left:
                stop, when, queue = left.pop(pipe)
                if stop is not None and clock - stop <= 30 and queue != values[at + "arbiter.selected"]:
                    waves.close()
                    return pipe, stop, clock
    return None


def find_launch(fst):
    """(pipe, engine, clock of start, clock of the first launch)"""
    waves = Waves(fst, r".*\.(execute\.start|launch\.launch_(valid|fe|pipe))")
    starts = {}
    for clock, values in waves.clocks():
        for name, value in values.items():
            if name.endswith("execute.start") and value:
                starts[tuple(re.findall(r"g_\w+\[(\d+)\]", name))] = clock
            if name.endswith("launch.launch_valid") and value:
                at = name.removesuffix("valid")
                pipe = (str(values[at + "fe"]), str(int(values[at + "pipe"])))
                waves.close()
                return pipe, re.search(r"g_se\[(\d+)\]", name).group(1), starts[pipe], clock
    return None


def find_first(fst, signal):
    """(pipe, clock): this output of an arbiter is not 0 for the first time."""
    waves = Waves(fst, rf".*\.pipe\.front\.arbiter\.{signal}")
    for clock, values in waves.clocks():
        for name, value in values.items():
            if value:
                waves.close()
                return re.findall(r"g_\w+\[(\d+)\]", name), clock
    return None


def find_mismatch(text):
    """Options for the place of which the output of a run tells; None: there is none."""
    with open(text, encoding="utf-8", errors="replace") as file:
        words = file.read()
    clock = re.search(r"^(?:Mismatch at|Broken rule:) clock (\d+)", words, re.M)
    if not clock:
        return None
    begin = max(0, int(clock[1]) - 60)
    place = re.search(r"^  RTL +(totem_tb\S+)", words, re.M)
    pipe, engine = (re.search(form, place[1] if place else "") for form in (r"g_fe\[(\d+)\].*g_pipe\[(\d+)\]",
                                                                           r"g_se\[(\d+)\]"))
    return (f"--from {begin} --to {begin + 80} --marker {clock[1]}" + (f" --pipe {pipe[1]}.{pipe[2]}" if pipe else "")
            + (f" --engine {engine[1]}" if engine else ""))


def main():
    finders = {"switch": find_switch, "launch": find_launch, "map": lambda fst: find_first(fst, "active"),
               "first": lambda fst: find_first(fst, "go"), "mismatch": find_mismatch}
    if len(sys.argv) != 3 or sys.argv[1] not in finders:
        sys.exit(__doc__)
    found = finders[sys.argv[1]](sys.argv[2])
    if found is None and sys.argv[1] in ("first", "mismatch"):
        return
    if found is None:
        sys.exit(f"pictures: {sys.argv[2]} has no {sys.argv[1]}")
    if sys.argv[1] == "mismatch":
        print(found)
    elif sys.argv[1] in ("map", "first"):
        (front, pipe), clock = found
        before, behind = (50, 30) if sys.argv[1] == "map" else (20, 80)
        begin = max(0, clock - before)
        print(f"--pipe {front}.{pipe} --from {begin} --to {begin + before + behind} --marker {clock}")
    elif sys.argv[1] == "switch":
        pipe, stop, go = found
        print(f"--pipe {'.'.join(pipe)} --from {stop - 6} --to {go + 18} --marker {go}")
    else:
        pipe, engine, start, launch = found
        print(f"--pipe {'.'.join(pipe)} --engine {engine} --from {start - 3} --to {launch + 6} --marker {start}")


if __name__ == "__main__":
    main()

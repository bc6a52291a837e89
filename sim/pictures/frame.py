#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws who holds the wave slots while frames run beside compute queues: docs/images/frame-compute.png.

    python3 sim/pictures/frame.py [--configuration board|full] PNG [PAGE]

Plays frame-alone, frame-low, frame-medium and frame-high (sim/run/workload.sh) on the C model, in `full` unless said
otherwise. Prints the table of the figure, and puts it into PAGE, between its two lines that name this script.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import timeline         # puts sim and sim/workloads on the path
import gen_config
import shares
from draws import RING
from timeline import TOP

WORK = TOP / "build/pictures"
RUNS = {"alone": "no compute", "low": "CS_LOW", "medium": "CS_MEDIUM", "high": "CS_HIGH"}
BIN = 500       # clocks
COLOURS = {"CS": "#00619e", "HP3D GS": "#f0b35b", "HP3D PS": "#d9730d", "GFX CS": "#1d4d20", "GFX GS": "#9ccf9f",
           "GFX PS": "#2f7d32"}
LABELS = {"CS": "compute queues", "HP3D GS": "HP3D geometry", "HP3D PS": "HP3D pixels",
          "GFX CS": "GFX dispatches of the rings", "GFX GS": "GFX geometry", "GFX PS": "GFX pixels"}
PARTIES = {"compute": "#00619e", "HP3D": "#a34f00", "GFX": "#1d4d20"}
FRAME = "frame-picture begin", "frame-picture end"


def play(name, config):
    """What sim/run/workload.sh NAME CONFIG becomes on the model."""
    subprocess.run(["sim/run/workload.sh", f"frame-{name}", config], cwd=TOP, check=True, stdout=subprocess.DEVNULL)
    events = WORK / f"frame-{name}.jsonl"
    done = subprocess.run(["build/totem", "run", "--engine", "model", "--events", events,
                           f"build/workloads/frame-{name}.yaml"], cwd=TOP, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"sim/pictures/frame.py: frame-{name}: {(done.stdout + done.stderr).strip()[-600:]}")
    run = shares.read(events, TOP / f"build/workloads/frame-{name}.json")
    events.unlink()
    if shares.wrong(run):
        sys.exit(f"sim/pictures/frame.py: frame-{name}: {'; '.join(shares.wrong(run))}")
    return run


def party(whose):
    return "compute" if whose == "CS" else whose.split()[0]


def finished(run):
    """{party: the clock in which the last of its fences was written}"""
    found = {}
    for pipe, clock in run.ends.items():
        name = "compute" if pipe < RING else "HP3D" if pipe in run.due["hp3d"] else "GFX"
        found[name] = max(clock, found.get(name, 0))
    return found


def held(run, bins):
    """{kind: slots that its waves hold, average of each bin}"""
    found = {whose: [0] * bins for whose in shares.KINDS}
    for whose, _, first, last in run.spans:
        row = found[whose]
        for n in range(max(first, 0) // BIN, min(last // BIN + 1, bins)):
            row[n] += (min(last, (n + 1) * BIN) - max(first, n * BIN)) / BIN
    return found


def longest(run, name, until):
    """Longest time without a launch of a party, from the begin to its end."""
    clocks = sorted(first for whose, _, first, _ in run.spans if party(whose) == name and first <= until)
    return max(after - before for before, after in zip([0, *clocks], [*clocks, until]))


def table(runs, slots):
    """Lines of the table: ends, longest times, and who got what while all have work in all runs."""
    window = min(min(finished(run).values()) for run in runs.values()) // 1000 * 1000
    names = [name for name in PARTIES if any(name in finished(run) for run in runs.values())]
    kinds = [whose for whose in shares.KINDS if any(run.waves[whose] for run in runs.values())]
    rows = {}       # what: a cell of each run

    def cell(what, value):
        rows.setdefault(what, []).append(value)

    for run in runs.values():
        ends, held_clocks, waves = finished(run), dict.fromkeys(names, 0), dict.fromkeys(kinds, 0)
        for whose, _, first, last in run.spans:
            held_clocks[party(whose)] += max(min(last, window) - first, 0)
            waves[whose] += first < window
        for name in names:
            there = name in ends
            cell(f"{name} ends, clock", f"{ends[name]:,}" if there else "-")
            cell(f"{name}: longest time without a launch", f"{longest(run, name, ends[name]):,}" if there else "-")
            cell(f"{name}: slots held until clock {window:,}", f"{100 * held_clocks[name] / slots / window:.1f} %")
        for whose in kinds:
            cell(f"{whose}: waves launched until then", f"{waves[whose]:,}")
    order = sorted((row for row in rows if any(value != "0" for value in rows[row])), key=lambda row: "waves" in row)
    lines = ["| | " + " | ".join(RUNS[name] for name in runs) + " |", "|" + "---|" * (1 + len(runs))]
    return lines + [f"| {row} | " + " | ".join(rows[row]) + " |" for row in order]


def draw(runs, slots, png):
    end = max(max(finished(run).values()) for run in runs.values())
    bins = end // BIN + 1
    figure, panels = timeline.figure(len(runs), size=(11, 2.1 * len(runs) + 0.9))
    for axes, (title, run) in zip(panels, runs.items()):
        rows = held(run, bins)
        axes.stackplot([BIN * n for n in range(bins)], *[rows[whose] for whose in shares.KINDS],
                       colors=[COLOURS[whose] for whose in shares.KINDS], step="post", linewidth=0)
        behind = 2 * end
        for clock, name in sorted(((clock, name) for name, clock in finished(run).items()), reverse=True):
            axes.axvline(clock, color=PARTIES[name], linewidth=1.6, linestyle="--")
            row = 1.03 if behind - clock > end / 8 else 1.15
            axes.text(clock - end / 250, row * slots, f"{name} ends", fontsize=9, color=PARTIES[name], ha="right")
            behind = clock
        axes.set_title(RUNS[title], fontsize=10, loc="left", weight="bold")
        axes.set_ylim(0, slots)
        axes.set_yticks([0, slots // 2, slots])
        axes.set_ylabel("wave slots held")
    panels[-1].set_xlim(0, 1.01 * end)
    timeline.clocks(panels[-1], thousands=True)
    panels[-1].set_xlabel("clock from the doorbells on")
    timeline.legend(figure, [(COLOURS[whose], label) for whose, label in LABELS.items()
                             if any(run.waves[whose] for run in runs.values())], len(LABELS))
    timeline.save(figure, png, 1 - 0.3 / figure.get_size_inches()[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--configuration", choices=["board", "full"], default="full")
    parser.add_argument("png", metavar="PNG")
    parser.add_argument("page", metavar="PAGE", nargs="?", type=Path)
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "-s", "-f", "tb/totem/rules.mk"], cwd=TOP, check=True)
    sizes = gen_config.configurations()[options.configuration]
    slots = sizes["SE_COUNT"] * sizes["SLOTS"]
    runs = {name: play(name, options.configuration) for name in RUNS}
    draw(runs, slots, options.png)
    lines = table(runs, slots)
    print("\n".join(lines))
    if options.page:
        text = options.page.read_text(encoding="utf-8").splitlines()
        begin, end = (next(n for n, line in enumerate(text) if mark in line) for mark in FRAME)
        options.page.write_text("\n".join([*text[:begin + 1], "", *lines, "", *text[end:]]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of geometry throttling on the whole machine, C model, configuration full.

    python3 sim/bench/throttle_bench.py [--png FILE] [--page FILE] [--part N] [--step N]

The captured draws of two frames (their folder: $TOTEM_STREAMS, or ../shared/streams), each on all four graphics rings,
a quarter of the frame's time apart (tb/throttle/mix_main.c has the programs and the core): throttling off, each
measurement alone, all, tuned settings, and every static limit on geometry waves (GS_LIMIT, 2 to 63); with PS_RESERVE
as after reset, and at the least that holds a pixel wave. Then the captured frame heaven on one ring. An N-th of the
threads of each draw is drawn (--part, 16); of the limits every N-th (--step, 1). Prints a table, then a line for every
goal with the settings that meet it, the best first, and a line that says whether one setting meets all.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import yaml

TOP = Path(__file__).resolve().parents[2]
sys.path += [str(TOP / "sim/gen"), str(TOP / "sim/workloads")]
import context_bench  # noqa: E402, its folder comes first
import draws  # noqa: E402
import results  # noqa: E402
from frame_stream import Source, Stream  # noqa: E402

WORK = TOP / "build/bench/throttle"
MIX = TOP / "build/throttle/full/mix"
CNTL1, CNTL2, THROTTLE, LIMIT, THRESHOLDS, RESERVE = 0x6000, 0x6004, 0x6008, 0x600C, 0x6010, 0x0D4
RESERVES = {"reset": {}, "least": {RESERVE: 1 | 16 << 8}}      # a slot and the 16 VGPR blocks of a pixel wave
MIXES = {"materials": "heavy", "sponza": "balanced"}
SLOTS = 64
# CNTL1 is 0x12355123 and CNTL2 0x0001544D after reset. B: lifetime threshold 0. C: B needs the most that its fields can
# ask for (mode 0, thresholds 9, stall threshold 1/2). tuned: that, polls of A every 100 clocks, base 128, thresholds 4,
# 16, 32; a lifetime beyond 256 clocks is 32 dead cycles, kept for at least 32,000 clocks. limited-N: a limit of N waves
# and, by C, 16 dead cycles behind every grant: N = 17 for the heavy mix, 20 for the balanced one and for both.
SPACED = {CNTL1: 0x12099123, CNTL2: 0x0001C004, THROTTLE: 2}
VARIANTS = {
    "off": {},
    "A": {THROTTLE: 1},
    "B": {CNTL2: 0x00015441, THROTTLE: 2},
    "C": {CNTL1: 0x12399123, CNTL2: 0x0001D44C, THROTTLE: 2},
    "all": {THROTTLE: 3},
    "tuned": {CNTL1: 0x12899130, CNTL2: 0x0001C904, THROTTLE: 3, THRESHOLDS: 4 | 16 << 8 | 32 << 16},
    "limited-17": {LIMIT: 17} | SPACED,
    "limited-20": {LIMIT: 20} | SPACED,
}
NAMED = {"off": "no throttling", "A": "A alone", "B": "B alone", "C": "C alone", "all": "A, B and C"}  # in the picture
COLUMNS = ("clocks", "stalls", "geometry_in_flight", "pixel_in_flight")
HEAVEN_LIMITS = (4, 8, 12, 16, 20, 24, 32, 48)
WITHIN, SLOWER = 1, 1           # the specification's goals: %


def fail(text):
    sys.exit(f"sim/bench/throttle_bench.py: {text}")


def folder():
    found = Path(os.environ.get("TOTEM_STREAMS") or TOP.parent / "shared/streams")
    if not found.is_dir():
        fail(f"no captured draws: no folder {found}; name it with TOTEM_STREAMS=")
    return found


def mix(name, writes, part):
    """What a run of a mix with these host writes says."""
    options = [f"--write={address:#x}={value:#x}" for address, value in writes.items()]
    run = subprocess.run([MIX, f"--part={part}", *options, folder() / f"workloads/crisp_{name}_2k_draws.csv"],
                         capture_output=True, text=True)
    if run.returncode:
        fail(f"{name} {options}: {(run.stdout + run.stderr).strip()[-300:]}")
    return json.loads(run.stdout)


def heaven(variant, writes):
    """Clocks of the captured frame on one ring, with pixels."""
    words = [word for file in ("ib0", "ib1") for word in
             context_bench.unchained(draws.read(folder() / f"umr_gfx10_navi10_heaven_{file}.hex"))]
    buffer = WORK / f"heaven-{variant}.hex"
    buffer.write_text("".join(f"{word:08x}\n" for word in words), encoding="utf-8")
    call = Stream(Source(), 10)
    call.packet("INDIRECT_BUFFER", 0x100000, 0, len(words))
    text = {"name": f"heaven-{variant}", "configuration": "full", "seed": 1, "cycles": 10000000,
            "memory": {"latency": context_bench.LATENCY}, "image": [{"address": 0x100000, "hex": str(buffer)}],
            "programs": [{"entry": n, "duration": 360, "pixels": 12} for n in range(16)],
            "writes": [{"at": 0, "address": address, "value": value} for address, value in writes.items()],
            "rings": [{"front_end": 0, "ring": {"address": 0x10000, "size": 64}, "map_at": 1000, "dwords": call.words,
                       "graphics": {"hp3d": False, "bounce": True, "filter": True, "generation": 10},
                       "table": {"hex": str(folder() / "clearstate_gfx10.hex")}}]}
    file = WORK / f"heaven-{variant}.yaml"
    file.write_text(yaml.safe_dump(text, sort_keys=False), encoding="utf-8")
    run = subprocess.run([TOP / "build/totem", "run", "--engine", "model", "--json", file], cwd=TOP,
                         capture_output=True, text=True)
    if run.returncode:
        fail(f"{file.name}: {(run.stdout + run.stderr).strip()[-600:]}")
    return json.loads(run.stdout)["cycles"]


def played(part, limits):
    """{(mix, reserve, variant or limit): result}; progress on stderr."""
    jobs = {(name, reserve, variant): {**RESERVES[reserve], **writes} for name in MIXES for reserve in RESERVES
            for variant, writes in (VARIANTS | {n: {LIMIT: n} for n in limits}).items()}
    found = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {pool.submit(mix, job[0], writes, part): job for job, writes in jobs.items()}
        for done in as_completed(waiting):
            found[waiting[done]] = done.result()
            print(f"\r{len(found)} of {len(jobs)} runs", end="", file=sys.stderr)
    print(file=sys.stderr)
    return {job: found[job] for job in jobs}


def goals(found, limits):
    """[(goal, {setting: figure in %}, words of the figure, limit in %, may equal it)], the reserve as after reset."""
    settings = [variant for variant in VARIANTS if variant != "off"]

    def clocks(names, which):
        return sum(found[name, "reset", which]["clocks"] for name in names)

    def more(names, than):
        return {v: 100 * (clocks(names, v) / clocks(names, than) - 1) for v in settings}

    lines = []
    for name, kind in MIXES.items():
        best = min(limits, key=lambda n: clocks([name], n))
        lines.append((f"throttle-{kind}-off", more([name], "off"), "", *((0, False) if kind == "heavy" else
                                                                         (SLOWER, True))))
        lines.append((f"throttle-{kind}-static", more([name], best), f" of GS_LIMIT {best}", WITHIN, True))
    both = min(limits, key=lambda n: clocks(MIXES, n))
    return lines + [("throttle-both", more(MIXES, both), f" of GS_LIMIT {both}", 0, False)]


def told(lines):
    """[(goal, figure of its best setting, limit, met)], and the words whether one setting meets all goals."""
    rows, missed = [], {variant: [] for variant in lines[0][1]}
    for goal, figures, of, limit, equal in lines:
        order = sorted(figures, key=figures.get)
        met = [v for v in order if figures[v] < limit or (equal and figures[v] == limit)]
        rows.append((goal, f"{figures[order[0]]:+.1f} %{of} ({', '.join(met) or f'none, best {order[0]}'})",
                     f"{'<=' if equal else '<'} {limit} %", bool(met)))
        for v in figures.keys() - met:
            missed[v].append(f"{goal} ({figures[v]:+.1f} %)")
    fewest = min(map(len, missed.values()))
    nearest = [v for v in missed if len(missed[v]) == fewest]
    if not fewest:
        return rows, ", ".join(nearest)
    return rows, "none; " + "; ".join(f"{v} misses {', '.join(missed[v])}" for v in nearest)


def spread(places, least):
    """The places, in the same order, moved apart until each is as far as that from the next."""
    order = sorted(range(len(places)), key=lambda n: places[n])
    moved = [places[n] for n in order]
    for _ in range(200):
        for n in range(len(moved) - 1):
            short = least - (moved[n + 1] - moved[n])
            if short > 0:
                moved[n], moved[n + 1] = moved[n] - short / 2, moved[n + 1] + short / 2
    return [place for _, place in sorted(zip(order, moved))]


def picture(found, limits, file):
    """A curve over the limits, and a line for every setting with its name and its thousands of clocks at the right."""
    import math

    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, 2, figsize=(12, 5.4), constrained_layout=True, sharey=True)
    for axis, (name, kind) in zip(axes, MIXES.items()):
        for reserve, line, what in (("least", ":", "least"), ("reset", "-", "as after reset")):
            axis.plot(limits, [found[name, reserve, n]["clocks"] / 1000 for n in limits], line, color="#202020",
                      linewidth=1.6, label=f"a limit alone, PS_RESERVE {what}")
        clocks = [found[name, "reset", variant]["clocks"] / 1000 for variant in VARIANTS]
        for variant, value, colour, place in zip(VARIANTS, clocks, (
                "#a3231b", "#c98a1b", "#3b7dd8", "#7a4fb0", "#d9730d", "#2a8a4a", "#b0307a", "#107070"),
                spread([math.log10(value) for value in clocks], 0.065)):
            axis.axhline(value, color=colour, linewidth=1.2, linestyle=(0, (5, 3)))
            axis.annotate(f"{NAMED.get(variant, variant)}, {value:,.0f}", (1, value), (1.06, 10 ** place),
                          axis.get_yaxis_transform(), va="center", fontsize=9, color=colour, annotation_clip=False,
                          arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.8})
        axis.set(title=f"{name} ({kind})", xlabel="GS_LIMIT: most geometry waves in flight at an engine", yscale="log",
                 xlim=(0, SLOTS), xticks=range(0, SLOTS + 1, 8))
        axis.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_major_formatter(matplotlib.ticker.StrMethodFormatter("{x:,.0f}"))
        axis.yaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        axis.yaxis.set_tick_params(labelleft=True)
        axis.grid(axis="y", color="#e6e6e6", linewidth=0.8)
        axis.set_axisbelow(True)
        axis.set_ylabel("thousand clocks")
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    handles, labels = axes[0].get_legend_handles_labels()
    handles.append(plt.Line2D([], [], color="#606060", linewidth=1.2, linestyle=(0, (5, 3))))
    figure.legend(handles, labels + ["a setting of the throttle, without or with a limit"], loc="outside lower center",
                  ncols=3, frameon=False)
    figure.savefig(file, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--png", metavar="FILE", help="a figure of the sweep")
    parser.add_argument("--page", metavar="FILE", help="the table as a page")
    parser.add_argument("--part", type=int, default=16, metavar="N")
    parser.add_argument("--step", type=int, default=1, metavar="N")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "-s", "-C", "tb/throttle"], cwd=TOP, check=True)
    subprocess.run(["make", "-s", "-f", "tb/totem/rules.mk"], cwd=TOP, check=True)
    limits = list(range(2, SLOTS, options.step))
    found = played(options.part, limits)
    if options.png:
        picture(found, limits, options.png)
    lines = ["| mix | reserve | throttle or GS_LIMIT | clocks | pixel stalls | geometry waves | pixel waves |",
             "|---|---|---|---|---|---|---|"]
    lines += [f"| {name} | {reserve} | {which} | {row['clocks']:,} | {row['stalls']:,} | "
              f"{row['geometry_in_flight']:.1f} | {row['pixel_in_flight']:.1f} |"
              for (name, reserve, which), row in found.items()]
    variants = VARIANTS | {n: {LIMIT: n} for n in HEAVEN_LIMITS}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        lines += [f"| heaven | reset | {variant} | {clocks:,} | | | |"
                  for variant, clocks in zip(variants, pool.map(heaven, variants, variants.values()))]
    print("\n".join(lines))
    if options.page:
        Path(options.page).write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows, one = told(goals(found, limits))
    if options.step == 1:
        results.record("throttle", {f"goal {name}": f"{figure}; limit {limit}" for name, figure, limit, _ in rows}
                       | {"settings that meet every goal of throttling": one}, "make bench", whole=True)
    for name, figure, limit, met in rows:
        print(f"goal {name} {figure} {limit} {'met' if met else 'missed'}")
    print(f"settings that meet every goal: {one}")


if __name__ == "__main__":
    main()

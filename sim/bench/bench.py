#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make bench: the measured figures, recorded in docs/results.md; with all histograms: build/bench/bench.md.

    python3 sim/bench/bench.py [--clocks N] [--base REVISION]

Speed is given as ratios of one run (machines are noisy): lockstep, RTL alone, C model alone on the same work in
configuration full; Icarus against Verilator in configuration mini, both with every output of every block. With a base
(make bench BASE=accd237) an older revision is built below build/bench, out of the history of this repository, and runs
in turn with the present one, which for that is built once more with the features that the older one has. Latency of the
first wave and the histogram of queue switches come from the same program (tb/lockstep/session/bench_main.c) and are
exact. A profile (google-perftools) says where the time of lockstep goes, and that of the C model alone.

The last lines say of each goal of the specification that is measured here: goal, figure, limit, met or missed.
"""

import argparse
import csv
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim/gen"))
import contract  # noqa: E402, its folder comes first
import results  # noqa: E402
from revision import revision  # noqa: E402

PAGE = ROOT / "build" / "bench" / "bench.md"
# What the first packet of a switch does (tb/lockstep/judges/switches.h), in words.
KINDS = {
    "acts": "acts: executed, written, its grid started, epoch closed, pipe given up",
    "resumes": "resumes: the unfinished grid is started again",
    "reads": "reads: to its read of memory, which it has to wait for before it acts",
    "divides": "divides: a dispatch in threads, to the start of its division, which takes 108 clocks with or without "
               "a switch",
}


def build(config, target, name=None, tree=ROOT, more=("FAST=-O2 -g1",)):
    """A build of its own, compiled for speed."""
    name = name or f"bench-{config}"
    program = tree / "build" / "lockstep" / name / target
    subprocess.run(["make", "-s", "-C", str(tree / "tb" / "lockstep"), f"CONFIG={config}", f"NAME={name}", *more,
                    str(program)], check=True)
    return program


def run(program, *arguments):
    return json.loads(subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True).stdout)


def base_tree(revision_name):
    """An older revision, out of the history of this repository."""
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
    found = git("rev-parse", "--verify", "--quiet", f"{revision_name}^{{commit}}")
    if found.returncode:
        sys.exit(f"bench: no revision '{revision_name}' here; see git log, or git fetch --unshallow")
    commit = found.stdout.decode().strip()
    tree = ROOT / "build" / "bench" / commit[:12]
    if not (tree / "tb" / "lockstep" / "Makefile").exists():
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir(parents=True)
        subprocess.run(["tar", "-x", "-C", tree], input=git("archive", commit).stdout, check=True)
        (tree / ".venv").symlink_to(ROOT / ".venv")
    return tree


def feature(tree, name):
    """Whether `full` has that feature there, as the character 0 or 1."""
    return re.search(rf"^  {name}: *\[ *([01]),", (tree / "rtl/top/config.yaml").read_text(), re.M)[1]


def alike(base):
    """The present revision, where `full` has the features that it has in the base."""
    features = {name: feature(base, name) for name in ("GRAPHICS", "TASKS")}
    if all(feature(ROOT, name) == value for name, value in features.items()):
        return ROOT
    tree = ROOT / "build" / "bench" / "alike"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, files.split("\0")):
        target = tree / name
        if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():    # make looks at times
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
    if not (tree / ".venv").exists():
        (tree / ".venv").symlink_to(ROOT / ".venv")
    text = (tree / "rtl/top/config.yaml").read_text()
    for name, value in features.items():
        text = re.sub(rf"^(  {name}: *\[ *)[01],", rf"\g<1>{value},", text, count=1, flags=re.M)
    (tree / "rtl/top/config.yaml").write_text(text)
    subprocess.run([sys.executable, "sim/gen/gen_config.py"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    return tree


# Limits of the specification's goals.
SWITCH, FIRST_WAVE, COMPARING, COLD_BUILD = 32, 12, 10, 120
MAP, SAVE = 1000, 900
DENSEST = 32    # wave starts of a real chip that are compared
SPEEDS = {"lockstep": 2.5, "RTL": 2.5, "model": 1.8}
RATES = {"lockstep": "lockstep_clocks_per_second", "RTL": "rtl_clocks_per_second", "model": "model_clocks_per_second"}


def against(base, program, clocks):
    """{what: times as fast as the base}, the best of four runs of each, in turn."""
    best = {}
    for _ in range(4):
        for which, found in (("base", run(base, str(clocks))), ("here", run(program, "speed", str(clocks)))):
            for what, key in RATES.items():
                best[which, what] = max(found[key], best.get((which, what), 0))
    return {what: best["here", what] / best["base", what] for what in RATES}


def model_over_rtl(full):
    return full[RATES["model"]] / full[RATES["RTL"]]


def compared(full):
    """What comparing adds to the time of model and RTL, in percent."""
    lockstep, rtl, model = (1 / full[key] for key in RATES.values())
    return 100 * (lockstep - rtl - model) / (rtl + model)


def cold_build():
    """Processor seconds of the build of the lockstep of full without a compiler cache."""
    name = "bench-cold"
    shutil.rmtree(ROOT / "build" / "lockstep" / name, ignore_errors=True)
    print("building the lockstep of full without a cache ...", file=sys.stderr)
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.environ["CCACHE_DISABLE"] = "1"
    build("full", "totem", name, more=())
    del os.environ["CCACHE_DISABLE"]
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime


def profile(program, what, clocks):
    """[(share, where)]: where the time of lockstep, or of model, goes, by area of RTL and model, in percent."""
    library = next(Path("/usr/lib").glob("*/libprofiler.so.0"))
    data = ROOT / "build" / "bench" / "profile"
    subprocess.run([program, what, str(clocks)], check=True, stderr=subprocess.DEVNULL,
                   env={**os.environ, "LD_PRELOAD": str(library), "CPUPROFILE": str(data),
                        "CPUPROFILE_FREQUENCY": "500"})
    text = subprocess.run(["google-pprof", "--text", "--files", program, data], check=True, capture_output=True,
                          text=True).stdout
    areas = {name: contract.load(name).area for name in contract.blocks()}
    shares = {}
    for line in text.splitlines():
        row = re.match(r" *(\d+) +[\d.]+% +[\d.]+% +\d+ +[\d.]+% (.*)", line)
        if not row:
            continue
        path = row[2]
        verilated = re.search(r"/Vtotem_tb(?:_totem_([a-z_]+?)(?:__\w*)?)?(?:__\w+)?\.(?:cpp|h)$", path)
        model = re.search(r"cmodel/([a-z]+)/", path)
        if verilated:
            where = f"RTL, {areas.get(verilated[1] or '', f'rest of {verilated[1]}' if verilated[1] else 'root')}"
        elif model:
            where = f"model, {model[1] if model[1] != 'top' else 'wiring and skipping'}"
        elif "tb/lockstep/" in path or path.endswith("probe.c"):
            where = "comparison" if re.search(r"probe|rtl\.cpp", path) else "harness"
        else:
            where = "libraries"
        shares[where] = shares.get(where, 0) + int(row[1])
    whole = sum(shares.values())
    return sorted(((100 * n / whole, where) for where, n in shares.items()), reverse=True)


def real_starts():
    """Ticks of the densest DENSEST starts of an engine in the thread trace of a real chip; None without the streams."""
    streams = Path(os.environ.get("TOTEM_STREAMS", ROOT.parent / "shared/streams"))
    path = streams / "workloads/sqtt_gfx1100_gemm_waves.csv"
    if not path.exists():
        return None
    lines = [line for line in path.read_text().splitlines() if not line.startswith("//")]
    engines = {}
    for row in csv.DictReader(lines):
        if row["event"] == "start":
            engines.setdefault((row["dispatch"], row["se"]), []).append(int(row["time"]))
    return min(times[n + DENSEST - 1] - times[n] + 1 for times in map(sorted, engines.values())
               for n in range(len(times) - DENSEST + 1))


def goals(full, ratios, cold):
    """[(goal, figure, limit, met)] of the specification's goals that are measured here."""
    kinds = {k: h for k, h in full["switches"].items() if k != "hidden"}
    late = max(clocks - (int(users) + 1) // 2 for users, clocks in full["first_wave"].items())
    found = [("switch", f"{most(kinds)} clocks", f"<= {SWITCH}", most(kinds) <= SWITCH),
             ("first-wave", f"{late} clocks", f"<= {FIRST_WAVE}", late <= FIRST_WAVE),
             ("waves-per-clock", f"{min(full['waves_per_clock']):.3f}", ">= 1", min(full["waves_per_clock"]) >= 1),
             ("map", f"{full['moves']['map']} clocks", f"<= {MAP}", full["moves"]["map"] <= MAP),
             ("save", f"{full['moves']['save']} clocks", f"<= {SAVE}", full["moves"]["save"] <= SAVE),
             ("comparing", f"{compared(full):.1f} %", f"<= {COMPARING}", compared(full) <= COMPARING),
             ("cold-build", f"{cold:.0f} s", f"<= {COLD_BUILD}", cold <= COLD_BUILD)]
    return found + [(f"{what.lower()}-speed", f"{times:.2f} x", f">= {SPEEDS[what]}", times >= SPEEDS[what])
                    for what, times in ratios.items()]


def icarus():
    """Speed of the Verilated RTL over Icarus in mini, the same recorded run, compared with the model's outputs."""
    clocks = 3000
    subprocess.run(["make", "-s", "-C", str(ROOT / "tb" / "icarus"), "CONFIG=mini"], check=True)
    folder = ROOT / "build" / "icarus" / "mini"
    record = folder / "bench.record"
    subprocess.run([folder / "record", "--seed", "1", "--clocks", str(clocks), record], stdout=subprocess.DEVNULL,
                   check=True)
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(["vvp", "-n", folder / "replay", f"+record={record}"], stdout=subprocess.PIPE, text=True,
                          check=True)
    if "clocks equal" not in done.stdout:
        sys.exit(f"bench: the replay under Icarus says: {done.stdout[-300:]}")
    slow = clocks / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began)
    program = build("mini", "random")
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([program, "--seeds", "20", "--clocks", "8000", "--quiet"], stdout=subprocess.PIPE, text=True,
                          check=True)
    fast = int(done.stdout.split()[0]) / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began)
    return fast / slow


# Clocks from, to, in words; the last bin of the program holds everything above it.
HIDDEN = [(1, 50, "1 to 50"), (51, 100, "51 to 100"), (101, 125, "101 to 125"), (126, 150, "126 to 150"),
          (151, 254, "151 to 254"), (255, 255, "255 and more")]


def count(kinds):
    return sum(h["count"] for h in kinds.values())


def mean(kinds):
    return sum(h["count"] * h["mean"] for h in kinds.values()) / max(count(kinds), 1)


def most(kinds):
    return max(h["most"] for h in kinds.values())


def page(full, icarus_ratio, ratios, base, parts):
    kinds, saved, alone = (dict(full[name]) for name in ("switches", "switches_saved", "switches_saved_alone"))
    hidden = kinds.pop("hidden")
    saved.pop("hidden")
    alone.pop("hidden")
    waits = "\n".join(f"| {name} | {sum(v for k, v in hidden['bins'].items() if low <= int(k) <= high)} |" for low,
                      high, name in HIDDEN)
    late = {name: sum(v for k, v in h["bins"].items() if int(k) > 32) for name, h in kinds.items()}
    table = "\n".join(f"| {KINDS[name]} | {h['count']} | {h['mean']} | {h['most']} | {late[name]} |" for name,
                      h in kinds.items())
    clocks = sorted({int(k) for h in kinds.values() for k in h["bins"]})
    rows = "\n".join(f"| {k} | " + " | ".join(str(h["bins"].get(str(k), "")) for h in kinds.values()) + " |"
                     for k in clocks)
    waves = "\n".join(f"| {users} | {(int(users) + 1) // 2} | {clocks} | {12 + (int(users) + 1) // 2} |" for users,
                      clocks in full["first_wave"].items())
    shares = "\n".join(f"| {where} | {share:.1f} |" for share, where in parts)
    text = f"""# Measured

Generated by `make bench` (`sim/bench/bench.py`) of revision {revision()}; configuration full unless said otherwise.

## Speed, ratios of one run

| what | figure |
|---|---|
| time that comparing adds to model and RTL | {compared(full):.1f} % |
| speed of the C model / speed of the Verilated RTL alone | {model_over_rtl(full):.2f} |
"""
    text += "".join(f"| speed of {what} / its speed at {base} | {ratio:.2f} |\n" for what, ratio in ratios.items())
    text += f"| speed of Verilator lockstep / speed of Icarus, all outputs folded (mini) | {icarus_ratio:.0f} |\n"
    text += f"""
For orientation only, {full["clocks"]} clocks on this machine:
lockstep {full["lockstep_clocks_per_second"] // 1000} k, RTL {full["rtl_clocks_per_second"] // 1000} k,
C model {full["model_clocks_per_second"] // 1000} k clocks a second of processor time, memory model and host included.

Share of the time of lockstep:

| where | percent |
|---|---|
{shares}

## First wave

Clocks from the clock in which DISPATCH_DIRECT executes to the first wave on the launch port of an empty machine.

| user data registers | 64-bit words of user data | clocks | goal |
|---|---|---|---|
{waves}

## Queue switch

Clocks from the boundary to the first packet of the next queue (docs/queue.md, bound of the switch). On the C model
alone; memory answers in 100 clocks; random mix of all queues with quanta, without malformed packets and without waits
for other queues. Counted is every switch to another queue that was ready from the boundary on. Goal: at most 32 clocks.
The run fails at a switch above it.

| first packet | switches | mean | most | above 32 |
|---|---|---|---|---|
{table}

| clocks | {" | ".join(kinds)} |
|---|{"---|" * len(kinds)}
{rows}

### Fetch that is hidden

Of the same {count(kinds)} switches {hidden["count"]} were to a queue that fetched the line at its resume position while
others ran, and had it in time: {hidden["mean"]} clocks on the average, at most {hidden["most"]}, waits behind other
fetches included. None of it is in the clocks above. The other {count(kinds) - hidden["count"]} had their lines on chip
all the time.

| clocks of hidden fetch | switches |
|---|---|
{waits}

## The sources' switch beside it

The same random mix with MQD_SAVE: lines dropped, the old queue saved in its MQD (139 dwords), the new one loaded from
there (137 dwords), first lines fetched. Every switch whose selected queue was ready at the boundary is counted; with
MQD_SAVE that needs no line.

| switch | switches | mean clocks | most | goal |
|---|---|---|---|---|
| ours | {count(kinds)} | {mean(kinds):.1f} | {most(kinds)} | 32 |
| MQD_SAVE | {count(saved)} | {mean(saved):.1f} | {most(saved)} | stated |
| MQD_SAVE, queues in one pipe only | {count(alone)} | {mean(alone):.1f} | {most(alone)} | sources: about 500 |

A save writes five to seven bursts of 128 bytes. The sources do not say what memory their
figure is of.

## Moves

Of a queue between its slot and its MQD, on an empty machine; memory answers in 100 clocks.

| what | clocks | goal |
|---|---|---|
| mapping by register MAP, with preload | {full["moves"]["map"]} | {MAP} |
| save of a dequeue | {full["moves"]["save"]} | {SAVE} |
"""
    return text


def rows(full, ratio, ratios, base, parts, of_model, cold):
    """Figures of docs/results.md."""
    kinds, saved, alone = (dict(full[name]) for name in ("switches", "switches_saved", "switches_saved_alone"))
    hidden = kinds.pop("hidden")
    saved.pop("hidden")
    alone.pop("hidden")
    speeds = [f"{name} {full[key] // 1000} k" for name, key in (
        ("lockstep", "lockstep_clocks_per_second"), ("RTL", "rtl_clocks_per_second"),
        ("C model", "model_clocks_per_second"))]
    first = {int(users): clocks for users, clocks in full["first_wave"].items()}
    late = {users: clocks for users, clocks in first.items() if clocks != 12 + (users + 1) // 2}
    found = {
        "time that comparing adds to model and RTL": f"{compared(full):.1f} %; goal at most {COMPARING} %",
        "speed of the C model / speed of the Verilated RTL alone":
            f"{model_over_rtl(full):.2f}",
        "build of the lockstep of full, no compiler cache":
            f"{cold:.0f} s of processor time; goal at most {COLD_BUILD}",
        "share of the time of lockstep, in percent":
            ", ".join(f"{where} {share:.0f}" for share, where in parts if share >= 1),
        "share of the time of the C model with host and judges, in percent":
            ", ".join(f"{where} {share:.0f}" for share, where in of_model if share >= 1),
        "speed of Verilator lockstep / speed of Icarus, all outputs folded (mini)": f"{ratio:.0f}",
        "clocks a second of processor time on that machine, for orientation": ", ".join(speeds),
        "first wave, clocks from DISPATCH_DIRECT to the launch port of an empty machine":
            "12 clocks + 1 for each 64-bit word of user data, 0 to "
            f"{(max(first) + 1) // 2} words measured; goal the same" if not late else
            "NOT 12 clocks + 1 for each 64-bit word of user data: " +
            ", ".join(f"{users} registers {clocks}" for users, clocks in late.items())}
    densest = real_starts()
    single, group = full["waves_per_clock"]
    found["waves that an engine starts in a clock"] = (
        f"{single:.3f} of two pipes with groups of one wave, {group:.3f} of one pipe with groups of two; goal 1" +
        (f"; the densest {DENSEST} starts of an engine of a real chip (gfx1100, thread trace of a matrix product) take "
         f"{densest} ticks" if densest else ""))
    found["longest wait of a group at the head of its pipe, all engines always full, waves of 200 to 263 clocks"] = (
        ", ".join(f"{tier} {clocks}"
                  for tier, clocks in zip(("CS_LOW", "CS_MEDIUM", "CS_HIGH"), full["longest_waits"])) + " clocks")
    for what, times in ratios.items():
        found[f"speed of {what} / its speed at {base}, with the features of that revision"] = (
            f"{times:.2f}; goal at least {SPEEDS[what]}")
    for name, h in kinds.items():
        above = sum(v for k, v in h["bins"].items() if int(k) > 32)
        found[f"switch, first packet {KINDS[name]}"] = (
            f"{h['count']} switches, mean {h['mean']} clocks, most {h['most']}, above 32: {above}")
    found["all switches"] = f"{count(kinds)} switches, mean {mean(kinds):.1f} clocks, most {most(kinds)}; goal 32"
    found["fetch hidden behind the turns of others"] = (
        f"{hidden['count']} of the {count(kinds)} switches, mean {hidden['mean']} clocks, most {hidden['most']}, none "
        "of it "
        "in the clocks of the switch")
    for what, h, more in (("MQD_SAVE", saved, ""), ("queues in one pipe only", alone, "; the sources say about 500")):
        found[f"the sources' switch, {what}"] = (
            f"{count(h)} switches, mean {mean(h):.1f} clocks, most {most(h)}{more}")
    found["a mapping by register MAP with preload, and a save of a dequeue, memory in 100 clocks"] = (
        f"{full['moves']['map']} and {full['moves']['save']} clocks; goals {MAP} and {SAVE}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clocks", type=int, default=10000)
    parser.add_argument("--base", default="", help="an older revision to compare the speeds with")
    options = parser.parse_args()
    program = build("full", "bench")
    if options.base:
        tree = base_tree(options.base)
        print(f"building {options.base}, and the present revision with its features (minutes) ...", file=sys.stderr)
        base = build("full", "bench", tree=tree, more=())
        same = build("full", "bench", tree=alike(tree))
    print("measuring full ...", file=sys.stderr)
    full = run(program, str(options.clocks))
    for _ in range(3):      # the best of four: other work on the machine only slows down
        again = run(program, "speed", str(options.clocks))
        full |= {key: max(full[key], again[key]) for key in RATES.values()}
    ratios = against(base, same, 6000) if options.base else {}
    parts, of_model = profile(program, "lockstep", options.clocks), profile(program, "model", 8 * options.clocks)
    cold = cold_build()
    icarus_ratio = icarus()
    text = page(full, icarus_ratio, ratios, options.base, parts)
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(text)
    print(text)
    results.record("bench", rows(full, icarus_ratio, ratios, options.base, parts, of_model, cold),
                   "make bench" + (f" BASE={options.base}" if options.base else ""), whole=True)
    for name, figure, limit, met in goals(full, ratios, cold):
        print(f"goal {name} {figure} {limit} {'met' if met else 'missed'}")


if __name__ == "__main__":
    main()

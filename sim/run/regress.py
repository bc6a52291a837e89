#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make regress: random lockstep over many seeds on all cores.

    python3 sim/run/regress.py [--seeds N] [--from SEED] [--clocks N] [--config full] [--jobs N] [--fresh] [--record]
    python3 sim/run/regress.py --shard K/N [...]       only every N-th shard, from the K-th on (0 <= K < N); no summary
    python3 sim/run/regress.py --merge [...]           no run: puts the results that are there together

Seeds are run in shards of a few seeds each. A finished shard is one file build/regress/<config>/<build>-<clocks>/<first
seed>.json, so a run that was stopped goes on where it was (--fresh forgets it), and other machines may fill the same
folder with --shard, each with its part: the list of shards follows from the options alone, <build> from the contents of
sources. A shard with a failed seed is run again. One line of progress; at the end a summary and
build/regress/<config>/summary.html. A run of all shards in mini or full also runs every directed rule test
(tb/unit/test_rules_*.c) against the RTL. --record writes the sums into docs/results.md, with <build> as
"sources". Exit code 1 if a seed failed or is missing. """

import argparse
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim/gen"))
import contract  # noqa: E402, its folder comes first
import results  # noqa: E402

LINE = re.compile(
    r"seed\s+(\d+)\s+(\d+) clocks\s+(\d+) waves\s+(\d+) packets\s+(\d+) switches\s+(\d+) errors\s+(good|FAILED.*)",
    re.S)
SHARD = 5
RULED = ("mini", "full")     # configurations that the directed rule tests are written for


def shard(program, first, count, clocks, folder):
    """Runs seeds first .. first+count-1, all of them.
    Returns [[seed, clocks, waves, packets, switches, errors, verdict]] and the tally."""
    done = subprocess.run([program, "--all", "--tally", "--from", str(first), "--seeds", str(count), "--clocks",
                           str(clocks), "--folder", str(folder)],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    found = []
    for text in re.split(r"(?m)^(?=seed )", done.stdout):
        match = LINE.match(text)
        if match:
            found.append([int(x) for x in match.groups()[:6]] +
                         [re.sub(r"(?s)\n\d+ clocks, \d+ waves, .*$", "", match.group(7)).strip()])
    tally = {name: int(number) for name, number in re.findall(r"(?m)^tally (.*?) +(\d+)$", done.stdout)}
    # A program that dies (a signal, no memory) took the rest of its shard with it: each of those seeds is a failed one.
    seen = {row[0] for row in found}
    for seed in range(first, first + count):
        if seed not in seen:
            found.append([seed, 0, 0, 0, 0, 0,
                          f"FAILED: not run to its end, exit code {done.returncode}: {done.stdout[-300:]}"])
    return sorted(found), tally


def build_of(config):
    """Digest of the sources that a result depends on: the same on every machine with the same tree."""
    digest = hashlib.sha256(config.encode())
    for path in sorted(path for pattern in ("rtl/*/*.v", "rtl/*/*.vh", "cmodel/*/*.[ch]", "tb/lockstep/*.*",
                                            "tb/lockstep/*/*", "docs/contract/*.md", "rtl/top/*.yaml",
                                            "sim/gen/gen_lockstep.py", "sim/gen/gen_machine.py",
                                            "sim/gen/machine_*.py", "sim/gen/netlist.py")
                       for path in ROOT.glob(pattern)):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def shards_of(first, seeds):
    """[(first seed, count)]; borders are at multiples of SHARD, so that runs with other ranges share their shards."""
    found, end = [], first + seeds
    while first < end:
        count = min(SHARD - first % SHARD, end - first)
        found.append((first, count))
        first += count
    return found


def load(place, first, count):
    """Rows and tally of a shard that has run, or None. The tally of a longer shard is that of all its seeds."""
    try:
        rows, tally = json.loads((place / f"{first}.json").read_text())
    except (OSError, ValueError):
        return None
    rows = [row for row in rows if first <= row[0] < first + count]
    return (rows, tally) if len(rows) == count else None


def groups_of(tallies):
    """{group: {name: count}} of all shards together, group and name as random's tally has them."""
    groups = {}
    for tally in tallies:
        for name, number in tally.items():
            group, _, rest = name.partition(".")
            groups.setdefault(group, {})
            groups[group][rest] = groups[group].get(rest, 0) + number
    return {group: dict(sorted(groups[group].items())) for group in sorted(groups)}


def ranges(seeds):
    """1 to 20, 40 to 45"""
    parts, seeds = [], sorted(seeds)
    for seed in seeds:
        if parts and seed == parts[-1][1] + 1:
            parts[-1][1] = seed
        else:
            parts.append([seed, seed])
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in parts)


def write_html(path, config, clocks, rows, groups):
    failed = [row for row in rows if row[6] != "good"]
    cells = "".join("<tr>" + "".join(f"<td>{html.escape(str(item))}</td>" for item in row) + "</tr>\n"
                    for row in failed + [row for row in rows if row[6] == "good"])
    drawn = "".join(f"<tr><td>{html.escape(group)}<td>" + html.escape(
        ", ".join(f"{name} {number}" for name, number in names.items())) + "</tr>\n" for group, names in groups.items())
    path.write_text(f"""<!doctype html>
<meta charset="utf-8"><title>Totem regression, {config}</title>
<style>body{{font:14px sans-serif;margin:2em}}td,th{{padding:.2em .8em;text-align:right}}
td:last-child{{text-align:left;white-space:pre-wrap}}</style>
<h1>Random lockstep, configuration {config}</h1>
<p>{len(rows)} seeds, {sum(row[1] for row in rows)} clocks, {sum(row[2] for row in rows)} waves, {len(failed)} failed.
Each seed gives new work for {clocks} clocks.</p>
<table><tr><th>seed<th>clocks<th>waves<th>packets<th>switches<th>errors<th>verdict</tr>
{cells}</table>
<h2>What was drawn and seen</h2>
<table>{drawn}</table>
""")


def directed(config, jobs):
    """Every directed rule test in lockstep: (tests passed, [names of programs that failed])."""
    lockstep, passed, failed = ROOT / "build" / "lockstep" / config, 0, []
    programs = [lockstep / path.stem.removeprefix("test_")
                for path in sorted((ROOT / "tb" / "unit").glob("test_rules_*.c"))]
    subprocess.run(["make", "-s", "-C", str(ROOT / "tb" / "lockstep"), f"CONFIG={config}", *map(str, programs)],
                   check=True)
    with ThreadPoolExecutor(jobs) as pool:
        runs = pool.map(lambda program: subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                                       text=True, errors="replace"), programs)
        for number, (program, run) in enumerate(zip(programs, runs), 1):
            print(f"\r{number} of {len(programs)} programs of directed rule tests, {len(failed)} failed ", end="",
                  file=sys.stderr, flush=True)
            if run.returncode:
                failed.append(program.name)
                print(run.stdout[-3000:])
            passed += sum(int(n) for n in re.findall(r"PASSED  \] (\d+) test", run.stdout))
    print(file=sys.stderr)
    return passed, failed


def record(options, rows, failed, tests):
    """Puts the sums of this configuration into docs/results.md."""
    clocks, waves, packets, switches, errors = (f"{sum(row[n] for row in rows):,}" for n in range(1, 6))
    command = f"make regress CONFIG={options.config} SEEDS={options.seeds} RECORD=1"
    if options.first != 1 or options.clocks != 20000:
        command = (f"python3 sim/run/regress.py --config {options.config} --from {options.first} "
                   f"--seeds {options.seeds} --clocks {options.clocks} --record")
    results.record("lockstep", {f"random work, {options.config}":
                   f"seeds {ranges(row[0] for row in rows)}, new work for {options.clocks:,} clocks each: {clocks} "
                   "clocks, "
                   f"{waves} waves, {packets} packets, {switches} switches, {errors} error records; {len(failed)} "
                   "seeds "
                   f"failed; {tests} directed rule tests passed; sources {build_of(options.config)}"},
                   command)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--clocks", type=int, default=20000)
    parser.add_argument("--config", type=contract.configuration, default="full")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--shard", default="0/1", metavar="K/N")
    parser.add_argument("--merge", action="store_true")
    options = parser.parse_args()
    part, parts = (int(item) for item in re.fullmatch(r"(\d+)/(\d+)", options.shard).groups()) if re.fullmatch(
        r"\d+/[1-9]\d*", options.shard) else (1, 0)
    if part >= parts:
        parser.error("--shard: K/N with 0 <= K < N")
    if options.seeds < 1:
        parser.error("--seeds: at least 1")

    folder = ROOT / "build" / "regress" / options.config
    place = folder / f"{build_of(options.config)}-{options.clocks}"
    if options.fresh:
        shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, exist_ok=True)
    shards = shards_of(options.first, options.seeds)
    results = {first: load(place, first, count) for first, count in shards}
    todo = [] if options.merge else [item for item in shards[part::parts]
                                     if results[item[0]] is None
                                     or any(row[6] != "good" for row in results[item[0]][0])]
    if todo:
        program = ROOT / "build" / "lockstep" / options.config / "random"
        subprocess.run(["make", "-s", "-C", str(ROOT / "tb" / "lockstep"), f"CONFIG={options.config}", str(program)],
                       check=True)
        began, clocks, failed = time.monotonic(), 0, 0
        with ThreadPoolExecutor(options.jobs) as pool:
            running = {pool.submit(shard, program, first, count, options.clocks, folder): first for first,
                       count in todo}
            for number, job in enumerate(as_completed(running), 1):
                first, found = running[job], job.result()
                results[first] = found
                fresh = place / f"{first}.{os.getpid()}"
                fresh.write_text(json.dumps(found))
                fresh.replace(place / f"{first}.json")      # whole or not at all
                clocks += sum(row[1] for row in found[0])
                failed += sum(row[6] != "good" for row in found[0])
                rate = clocks / (time.monotonic() - began)
                print(f"\r{number} of {len(todo)} shards, {clocks} clocks, {rate / 1000:.0f} k clocks/s, {failed} "
                      "seeds failed ", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    wanted = shards if options.merge else shards[part::parts]
    missing = [first for first, _ in wanted if results[first] is None]
    done = [results[first] for first, _ in wanted if results[first]]
    rows = sorted(row for found, _ in done for row in found)
    groups = groups_of(tally for _, tally in done)
    write_html(folder / "summary.html", options.config, options.clocks, rows, groups)
    failed = [row for row in rows if row[6] != "good"]
    ruled = options.config in RULED
    tests, broken = directed(options.config, options.jobs) if parts == 1 and not options.merge and ruled else (0, [])
    if options.record and not missing and not broken and (tests or not ruled):
        record(options, rows, failed, tests)
    for row in failed[:10]:
        print(f"seed {row[0]}: {row[6][:400]}\n  again: build/lockstep/{options.config}/random --from {row[0]} "
              f"--seeds 1 --clocks {options.clocks}")
    for group, names in groups.items():
        print(f"{group}: " + ", ".join(f"{name} {number}" for name, number in names.items()))
    print(f"seeds {ranges(row[0] for row in rows) or 'none'}: {sum(row[1] for row in rows)} clocks, "
          f"{sum(row[2] for row in rows)} waves in all; {(folder / 'summary.html').relative_to(ROOT)}")
    if missing:
        print(f"not run: the shards from {', '.join(map(str, missing[:20]))} on; run them, then --merge again")
    for name in broken:
        print(f"directed rule tests: build/lockstep/{options.config}/{name} failed")
    print(f"{len(rows) - len(failed) + tests} passed, {len(failed) + len(missing) + len(broken)} failed")
    sys.exit(bool(failed or missing or broken))


if __name__ == "__main__":
    main()

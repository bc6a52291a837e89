#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of dependent tasks on the whole machine, C model, configuration board.

    python3 sim/bench/task_bench.py [--page FILE]

The captured chains (their folder: $TOTEM_STREAMS, or ../shared/streams) and those of sim/workloads/chains.py, each
alone on a queue, on memory of several latencies whose writes are visible when their response comes. Each is run twice:

* dependent: one LAUNCH_TASK; every further task is the dependent of the one before. Descriptors are unchanged.
* idiom: the same grids as dispatches of the ring. Behind each a RELEASE_MEM; then the registers of the next one; then a
  WAIT_REG_MEM for that release, and the dispatch. These are dispatches and not launches, since a packet behind a
  LAUNCH_TASK executes before the task starts, so that its RELEASE_MEM would not wait for it. Only the wait lies between
  the two grids: registers are written while the first one runs, and the wait polls without pause.

Waves last 300 clocks and the latency, so every dependent can be loaded early. Of each dependency: clocks from the last
`done` of the first grid to the first wave of the second one, those from the last acknowledged release of the first one
on apart, and what memory takes meanwhile. Prints a table, and the lines of the goals.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import yaml

TOP = Path(__file__).resolve().parents[2]
sys.path += [str(TOP / "sim/gen"), str(TOP / "sim/workloads")]
import captured_chains  # noqa: E402, its folder comes first
import chains  # noqa: E402
import results  # noqa: E402
import tmd  # noqa: E402

WORK = TOP / "build/bench/tasks"
LATENCIES = (0, 100, 400)
RUNS_ON = 300                   # clocks for which a parent runs behind its last grant, at least
BLOCK, LDS_BLOCK = 8, 512       # registers, bytes
RING, SEMAPHORE = 0x100000, 0x90000
USER_WORDS = 1                  # 64-bit words of user data of a task: its address
FIRST_WAVE, TIMES = 24 + USER_WORDS, {100: 5, 400: 10}      # the specification's goals


def fail(text):
    sys.exit(f"sim/bench/task_bench.py: {text}")


@dataclass
class Task:
    """A descriptor and where it stands."""
    address: int
    words: list

    def get(self, name):
        version = "v03_00" if captured_chains.field("v03_00", self.words, "QMD_MAJOR_VERSION") == 3 else "v02_02"
        return captured_chains.field(version, self.words, name) if (version, name) in tmd.PLACES else 0

    @property
    def grid(self):
        return [self.get(f"GRID_{axis}") for axis in "XYZ"]

    @property
    def block(self):
        return [self.get(f"BLOCK_{axis}") for axis in "XYZ"]

    @property
    def waves(self):
        (x, y, z), (a, b, c) = self.grid, self.block
        return x * y * z * -(-a * b * c // captured_chains.WAVE)

    def releases(self):
        """Dwords that its releases write."""
        found = set()
        for n in "01":
            if self.get(f"RELEASE{n}_ENABLE"):
                low = self.get(f"RELEASE{n}_ADDRESS_HIGH") << 32 | self.get(f"RELEASE{n}_ADDRESS_LOW")
                found |= {low // 8, low // 8 + 1}
        return found

    def packets(self):
        """Registers of the same grid, as a dispatch of the ring has it; the dispatch."""
        program = (self.get("PROGRAM_HIGH") << 32 | self.get("PROGRAM_LOW")) >> 8
        vgprs = max(0, (self.get("REGISTER_COUNT") - 1) // BLOCK)
        lds = min(511, -(-self.get("LDS_SIZE") // LDS_BLOCK))
        sets = [("COMPUTE_PGM_LO", program & 0xFFFFFFFF, program >> 32), ("COMPUTE_NUM_THREAD_X", *self.block),
                ("COMPUTE_PGM_RSRC1", vgprs, 2 << 1 | lds << 15),
                ("COMPUTE_USER_DATA_0", self.address & 0xFFFFFFFF, self.address >> 32)]
        lines = [f"SET_SH_REG {name} {' '.join(map(str, values))}" for name, *values in sets]
        return lines, f"DISPATCH_DIRECT {' '.join(map(str, self.grid))} 0x8005"     # as `setup` starts a task


def own(name):
    """A chain of chains.py, every descriptor at its place."""
    kind, _, how = name.partition("-")
    every = how == "released"
    tasks = [dict(task) | ({"DEPENDENT_PREFETCH": 0} if how == "late" else {}) for task in chains.CHAINS[kind]]
    for n, task in enumerate(tasks if every else []):
        task["release"] = (chains.RELEASES + 0x20 * n, n + 1, (1, 2, 4)[n % 3])
    memory = chains.Memory()
    memory.chain(0x200000, tasks, "v02_02" if kind == "older" else "v03_00")
    return [Task(piece["address"], piece["dwords"]) for piece in memory.image]


def captured(folder):
    """{name: chain}, followed from every launch of the driver's stream."""
    words = captured_chains.read(folder / "qmd_v03_00_tinygrad_chain.hex")
    at = {captured_chains.DESCRIPTORS + n // tmd.DWORDS * captured_chains.STEP: words[n:n + tmd.DWORDS]
          for n in range(0, len(words), tmd.DWORDS)}
    lines, _ = captured_chains.packets(captured_chains.read(folder / "nv_pushbuf_v03_00_tinygrad_chain.hex"))
    found = {}
    for launch in (line for line in lines if line.startswith("LAUNCH_TASK")):
        address, chain = int(launch.split()[1], 16) << 8, []
        while True:
            chain.append(Task(address, at[address]))
            if not chain[-1].get("DEPENDENT_ENABLE"):
                break
            address = chain[-1].get("DEPENDENT_POINTER") << 8
        found[f"captured-{len(found) + 1}"] = chain
    return found


def workload(name, chain, way, latency):
    if way == "dependent":
        image = [{"address": task.address, "dwords": task.words} for task in chain]
        lines = [f"LAUNCH_TASK 0x{chain[0].address >> 8:x}"]
    else:
        image, lines = [], []
        for n, task in enumerate(chain):
            registers, dispatch = task.packets()
            wait = [f"WAIT_REG_MEM function=ge,mem_space=memory @0x{SEMAPHORE:x} {n} 0xffffffff 0"] if n else []
            lines += [*registers, *wait, dispatch, "RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe "
                      f"data_sel=32_bits @0x{SEMAPHORE:x} {n + 1} 0 0"]
    return {"name": name, "configuration": "board", "seed": 1, "cycles": 30000000,
            "memory": {"latency": latency, "visible": "response"}, "image": image,
            "programs": [{"entry": n, "duration": RUNS_ON + latency} for n in range(16)],
            "queues": [{"pipe": 0, "queue": 0, "priority": 7, "pipe_priority": 1,
                        "ring": {"address": RING, "size": 4096}, "map_at": 0, "packets": lines}],
            "expect": {"waves": sum(task.waves for task in chain)}}


def events(name, chain, way, latency):
    """Plays it; [event] without the waves between the first and the last of each grid, in the order of clocks."""
    file, told = WORK / f"{name}-{way}-{latency}.yaml", WORK / f"{name}-{way}-{latency}.jsonl"
    file.write_text(yaml.safe_dump(workload(file.stem, chain, way, latency), sort_keys=False, width=120),
                    encoding="utf-8")
    run = subprocess.run([TOP / "build/totem", "run", "--engine", "model", "--events", told, file], cwd=TOP,
                         capture_output=True, text=True)
    if run.returncode:
        fail(f"{file.name}: {(run.stdout + run.stderr).strip()[-600:]}")
    with open(told, encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines if '"executed"' not in line]
    told.unlink()
    return found


def grids(name, chain, found):
    """[(first launch, last grant, last done)] of each task with waves, None of one without."""
    clocks = {what: [line["clock"] for line in found if line["event"] == what] for what in ("launched", "done")}
    grants = [line for line in found if line["event"] == "granted"]
    spans, waves, groups = [], 0, 0
    for task in chain:
        x, y, z = task.grid
        begin, waves, groups = waves, waves + task.waves, groups + x * y * z
        if task.waves:
            spans.append((clocks["launched"][begin], grants[groups - 1]["clock"], clocks["done"][waves - 1]))
        else:
            spans.append(None)
    there = [span for span in spans if span]
    if any(one[2] >= two[0] for one, two in zip(there, there[1:])):
        fail(f"{name}: a task has started before the last wave of the one before")
    return spans


def dependencies(name, chain, way, latency):
    """[{clocks, behind, released, ..}] of each dependency between two grids with waves."""
    found = events(name, chain, way, latency)
    spans, rows = grids(name, chain, found), []
    releases = set().union(*(task.releases() for task in chain)) if way == "dependent" else set()
    for n, (one, two) in enumerate(zip(spans, spans[1:])):
        if not one or not two:
            continue
        if one[2] - one[1] < RUNS_ON:
            fail(f"{name}: a parent has ended {one[2] - one[1]} clocks behind its last grant")
        begin, end = one[2], two[0]
        between = [line for line in found if begin <= line["clock"] < end]
        acks = [line["clock"] for line in between if line["event"] == "release"]
        if bool(acks) != bool(way == "dependent" and chain[n].releases()):
            fail(f"{name}: task {n}: {len(acks)} releases are acknowledged")
        # The dependent has started before its first wave: then its own dependent is loaded, for the next dependency.
        later = chain[n + 2].address // 256 if way == "dependent" and n + 2 < len(chain) else None
        reads = [line for line in between if line["event"] == "read" and line["address"] // 256 != later]
        writes = [line for line in between if line["event"] == "write"]
        rows.append({
            "pair": n, "clocks": end - begin, "behind": end - max(acks, default=begin), "released": bool(acks),
            "early": any(line["event"] == "task" and line["step"] == "loaded" and line["clock"] < begin and
                         line["address"] == chain[n + 1].address for line in found),
            "reads": len(reads), "writes": sum(line["address"] // 8 not in releases for line in writes),
            "actions": sum(line["address"] // 8 in releases for line in writes)})
    return rows


def span(values):
    values = list(values)
    return "" if not values else str(values[0]) if min(values) == max(values) else f"{min(values)} to {max(values)}"


def mean(values):
    values = list(values)
    return f"{sum(values) / len(values):.1f}" if values else ""


def table(found, names):
    lines = ["| chain | latency | dependencies | loaded early | clocks | of these behind releases | idiom: clocks "
             "| reads, writes | releases: writes | idiom: reads, writes |", "|---|---|---|---|---|---|---|---|---|---|"]
    for name in names:
        for latency in LATENCIES:
            ours, theirs = found[name, "dependent", latency], found[name, "idiom", latency]
            lines.append(
                f"| {name} | {latency} | {len(ours)} | {sum(row['early'] for row in ours)} | "
                f"{span(row['clocks'] for row in ours)} | {span(row['behind'] for row in ours if row['released'])} | "
                f"{span(row['clocks'] for row in theirs)} | {mean(row['reads'] for row in ours)}, "
                f"{mean(row['writes'] for row in ours)} | {mean(row['actions'] for row in ours)} | "
                f"{mean(row['reads'] for row in theirs)}, {mean(row['writes'] for row in theirs)} |")
    return lines


def goals(found, names):
    """[(goal, figure, limit, met)], of dependents that were loaded early."""
    def early(latency=None):
        return [(row, found[name, "idiom", at][n]) for name in names for at in LATENCIES if latency in (None, at)
                for n, row in enumerate(found[name, "dependent", at]) if row["early"]]

    late = max(row["behind"] for row, _ in early() if row["released"])
    lines = [("task-first-wave", f"{late} clocks", f"<= {FIRST_WAVE}", late <= FIRST_WAVE)]
    for latency, times in TIMES.items():
        least = min(idiom["clocks"] / row["clocks"] for row, idiom in early(latency) if not row["released"])
        lines.append((f"task-idiom-{latency}", f"{least:.1f} x", f">= {times}", least >= times))
    accesses = max(row["reads"] + row["writes"] for row, _ in early())
    lines.append(("task-accesses", f"{accesses}", "0", accesses == 0))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", metavar="FILE", help="the table as a page")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "-s", "-f", "tb/totem/rules.mk"], cwd=TOP, check=True)
    played = {name: own(name) for name in ("network", "network-released", "network-late", "mixed", "older")}
    streams = Path(os.environ.get("TOTEM_STREAMS") or TOP.parent / "shared/streams")
    if streams.is_dir():
        played |= captured(streams)
    elif os.environ.get("TOTEM_STREAMS"):
        fail(f"TOTEM_STREAMS is {streams}, which is no folder")
    else:
        print(f"SKIPPED captured chains: no folder {streams}; name it with TOTEM_STREAMS=")
    jobs = [(name, way, latency) for name in played for way in ("dependent", "idiom") for latency in LATENCIES]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda job: dependencies(job[0], played[job[0]], *job[1:]), jobs))
    found = dict(zip(jobs, rows))
    names = [name for name in played if found[name, "dependent", LATENCIES[0]]]
    lines = table(found, names)
    print("\n".join(lines))
    if options.page:
        Path(options.page).write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = goals(found, names)
    if streams.is_dir():
        figures = {f"goal {name}": f"{figure}; limit {limit}" for name, figure, limit, _ in told}
        results.record("tasks", figures, "make bench", whole=True)
    for name, figure, limit, met in told:
        print(f"goal {name} {figure} {limit} {'met' if met else 'missed'}")


if __name__ == "__main__":
    main()

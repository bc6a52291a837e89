#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long waiting groups wait, against the two bounds of docs/issue.md; C model, configuration full.

    python3 sim/bench/waits_bench.py [--seeds N] [--record]

The hold bound: each pipe has a queue, all of one pipe priority, with small groups and groups of half an engine, so that
the engines are always full. A group waits, at one engine, for HOLD_AFTER + 2 P + 1 + P (W + 3) clocks at most (P pipes;
docs/contract/hold.md, served). W is from a grant to the end of its last wave: the launch of at most as many waves as
there are slots, the duration, a round of the wave engine over its slots, and 8 clocks on the way.

Behind pixel waves: the frame of sim/workloads/frame.py on all rings, and groups of CS_HIGH of 64 and of 16 waves
(--waiting), seeds 1 to N (4). A group is to wait for 4 times the longest pixel wave then running at most, from the
packet before its dispatch on (sim/workloads/waits.py).

The last lines say of each bound: figure, limit, met or missed. --record puts the figures into docs/results.md.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import yaml

TOP = Path(__file__).resolve().parents[2]
sys.path += [str(TOP / "sim/gen"), str(TOP / "sim/workloads")]
import gen_config  # noqa: E402, its folder comes first
import results  # noqa: E402
import waits  # noqa: E402

WORK = TOP / "build/bench/waits"
SIZES = gen_config.configurations()["full"]
PIPES = SIZES["FE_COUNT"] * SIZES["PIPES"]
TIERS = {"CS_LOW": 4096, "CS_MEDIUM": 4096, "CS_HIGH": 0}       # HOLD_AFTER as after reset
DURATION, SPREAD = 200, 6
LONGEST_WAVE = DURATION + 2 ** SPREAD - 1 + 2 * SIZES["SLOTS"] + 8


def run(name, *options):
    """What a run on the model says, as JSON."""
    done = subprocess.run([TOP / "build/totem", "run", "--engine", "model", "--json", *options,
                           TOP / f"build/workloads/{name}.yaml"], cwd=TOP, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"sim/bench/waits_bench.py: {name}: {(done.stdout + done.stderr).strip()[-600:]}")
    return json.loads(done.stdout)


def waves_of(pipe, n):
    """Waves of the groups of a dispatch: every fourth half an engine."""
    return SIZES["SLOTS"] // 2 if (n + pipe) % 4 == 0 else 1 + (5 * n + pipe) % 7


def among_equals(tier):
    """Longest wait, passed or lacking, of a pipe at an engine; all pipes of this pipe priority."""
    name = f"waits-{tier}"
    queues = [{"pipe": pipe, "queue": 0, "priority": 7, "pipe_priority": tier,
               "ring": {"address": 0x1000000 + 0x10000 * pipe, "size": 2048}, "map_at": 0, "doorbells": [{"at": 2000}],
               "packets": [line for n in range(40) for line in (
                   f"SET_SH_REG COMPUTE_NUM_THREAD_X {64 * min(waves_of(pipe, n), 16)} "
                   f"{max(waves_of(pipe, n) // 16, 1)} 1",
                   "DISPATCH_DIRECT 20 1 1 compute_shader_en=1,force_start_at_000=1")]} for pipe in range(PIPES)]
    work = {"name": name, "configuration": "full", "seed": 1, "cycles": 2000000, "memory": {"latency": 100},
            "programs": [{"entry": 0, "duration": DURATION, "spread": SPREAD}], "queues": queues, "expect": {}}
    (TOP / f"build/workloads/{name}.yaml").write_text(yaml.safe_dump(work, sort_keys=False, width=1000))
    engines = run(name)["engines"]
    return max(passed + lacked for engine in engines
               for passed, lacked in zip(engine["passed_longest"], engine["lacked_longest"]))


def behind_pixels(waves, seeds):
    """[(longest wait, longest pixel wave then running, clock of the end)] of the seeds"""
    name, events = f"waits-frame-{waves}", WORK / "events"
    subprocess.run([sys.executable, "sim/workloads/frame.py", "--configuration", "full", "--waiting", str(waves), name],
                   cwd=TOP, check=True, stdout=subprocess.DEVNULL)
    found = []
    for seed in range(1, seeds + 1):
        end = run(name, "--seed", str(seed), "--events", events)["cycles"]
        found.append((*max(waits.waits(events)), end))
        print(f"{waves} waves, seed {seed}: wait, pixel wave, end: {found[-1]}", file=sys.stderr)
        events.unlink()
    return found


def span(numbers):
    return f"{min(numbers):,} to {max(numbers):,}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    for folder in (WORK, TOP / "build/workloads"):
        folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "-s", "-f", "tb/totem/rules.mk"], cwd=TOP, check=True)
    figures, goals, words = {}, [], []
    for tier, (name, after) in enumerate(TIERS.items()):
        wait, bound = among_equals(tier), after + 2 * PIPES + 1 + PIPES * (LONGEST_WAVE + 3)
        goals.append((f"hold-{name}", wait, bound))
        words.append(f"{name} {wait:,} (bound {bound:,})")
    figures["longest wait of a group among equals at one engine, all engines always full, waves of "
            f"{DURATION} to {DURATION + 2 ** SPREAD - 1} clocks"] = ", ".join(words) + " clocks"
    for waves in (64, 16):
        found = behind_pixels(waves, options.seeds)
        goals.append((f"high-behind-pixels-{waves}", max(row[0] for row in found),
                      waits.TIMES * min(row[1] for row in found)))
        figures[f"longest wait of a CS_HIGH group of {waves} waves behind the pixel waves of a frame on four rings, "
                f"{options.seeds} seeds"] = (
            f"{span([row[0] for row in found])} clocks from the packet before its dispatch on; the longest pixel wave "
            f"then running {span([row[1] for row in found])}, goal at most {waits.TIMES} times that; the frame ends at "
            f"{span([row[2] for row in found])}")
    for what, figure in figures.items():
        print(f"{what}: {figure}")
    if options.record:
        results.record("bench", figures, "make bench")
    for name, wait, bound in goals:
        print(f"goal {name} {wait} clocks <= {bound} {'met' if wait <= bound else 'missed'}")


if __name__ == "__main__":
    main()

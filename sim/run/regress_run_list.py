#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random work of the run list (sim/workloads/run_list_random.py) in lockstep, seed after seed, on all cores.

    python3 sim/run/regress_run_list.py [--clocks N] [--from SEED] [--config duo] [--jobs N] [--record]

Seeds are played until they have N clocks together (20,000,000). One line of progress; at the end a summary. --record
writes the sums into docs/results.md. Exit code 1 if a seed failed.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim/gen"))
import results  # noqa: E402, its folder comes first

FOLDER = ROOT / "build/regress/run-list"


def play(config, seed):
    """What the run says, as JSON."""
    path = FOLDER / f"{config}-{seed}.yaml"
    draw = [sys.executable, ROOT / "sim/workloads/run_list_random.py"]
    subprocess.run([*draw, "--seed", str(seed), "--configuration", config, "--file", path], check=True)
    done = subprocess.run([ROOT / "build/totem", "run", "--json", path], cwd=ROOT, capture_output=True, text=True)
    path.unlink()
    end = json.loads(done.stdout or "{}")
    if "cycles" not in end:
        end = {"cycles": 0, "waves": 0, "mismatches": 1, "message": (done.stdout + done.stderr).strip()[-600:],
               "run_list": {"placements": 0}}
    return end


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clocks", type=int, default=20000000)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--config", default="duo")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "-s", "-f", "tb/totem/rules.mk"], cwd=ROOT, check=True)
    subprocess.run(["make", "-s", "-C", "tb/lockstep", f"CONFIG={options.config}"], cwd=ROOT, check=True)
    seed, clocks, waves, moves, failed = options.first, 0, 0, 0, []
    lock = threading.Lock()

    def work():
        nonlocal seed, clocks, waves, moves
        while True:
            with lock:
                if clocks >= options.clocks:
                    return
                mine, seed = seed, seed + 1
            end = play(options.config, mine)
            with lock:
                clocks, waves, moves = (clocks + end["cycles"], waves + end["waves"],
                                        moves + end["run_list"]["placements"])
                if end["message"]:
                    failed.append((mine, end["message"]))
                print(f"\r{clocks:,} of {options.clocks:,} clocks, {len(failed)} seeds failed ", end="",
                      file=sys.stderr, flush=True)

    threads = [threading.Thread(target=work) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(file=sys.stderr)
    for number, message in failed[:10]:
        print(f"seed {number}: {message[:400]}")
    figure = (f"seeds {options.first} to {seed - 1}: {clocks:,} clocks, {waves:,} waves, {moves:,} placements; "
              f"{len(failed)} seeds failed")
    print(figure)
    if options.record:
        results.record("lockstep", {f"random work of the run list, {options.config}": figure},
                       f"make regress-list CONFIG={options.config} CLOCKS={options.clocks} RECORD=1")
    print(f"{seed - options.first - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

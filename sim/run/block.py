#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make block: C twin and RTL of one block side by side (docs/verification.md, One block alone).

Exit code 0: equal; 1: a mismatch, with words, waves and a view in the build folder; 2: it could not run.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim/gen"))
import contract  # noqa: E402, its folder comes first
import reached  # noqa: E402
import results  # noqa: E402


def number(least):
    """For argparse: a number of 64 bits, as text."""
    def checked(text):
        if not re.fullmatch(r"[0-9]+", text) or not least <= int(text) < 2 ** 64:
            raise argparse.ArgumentTypeError(f"{text}: expected a number from {least} to {2 ** 64 - 1}")
        return text
    return checked


def file(mode):
    """For argparse: a file that can be opened; one that was not there is not left behind."""
    def checked(text):
        there = os.path.exists(text)
        try:
            with open(text, mode, encoding="utf-8"):
                pass
        except OSError as error:
            what = "read" if mode == "r" else "written"
            raise argparse.ArgumentTypeError(f"{text}: cannot be {what} ({error.strerror})") from None
        if not there:
            os.unlink(text)
        return text
    return checked


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("block", nargs="?", default="")
    add("--config", type=contract.configuration, default="full", help="configuration (default full)")
    add("--set", default="", help="parameters replaced: \"NAME=value ...\"")
    add("--seed", type=number(0), help="the first seed (default 1)")
    add("--seeds", type=number(1), help="how many (default 4)")
    add("--cycles", type=number(1), help="clocks of each seed (default 1000000)")
    add("--stimuli", type=file("r"), help="a file of inputs instead of seeds")
    add("--dump", type=file("a"), help="every clock into this file as CSV")
    add("--record", action="store_true", help="the result into docs/results.md")
    add("--rtl", help="a copy of rtl/ with a fault, absolute path")
    add("--cmodel", help="the same of cmodel/")
    add("--name", help="begins the build folder of such a copy")
    given = parser.parse_args()
    if given.block not in contract.blocks():
        what = f"no block {given.block!r}" if given.block else "name a block"
        parser.error(f"{what}; known: {' '.join(contract.blocks())}")
    given.set = " ".join(sorted(given.set.split()))
    return given


def refused_parameters(log, block):
    """The module that RTL instances to refuse its parameters, in words; None if that is not what the log says."""
    match = re.search(r"totem_(\w+?)_needs_(\w+)", log)
    if not match:
        return None
    needs = match.group(2).replace("_", " ")
    for name in contract.load(block).expressions:
        needs = needs.replace(name.replace("_", " "), name)
    return f"totem_{match.group(1)} needs {needs}"


def build(options, trace):
    """Path of the program; ends this one if it cannot be built."""
    command = ["make", "-s", "-C", str(ROOT / "tb" / "block"), *options, *(["TRACE=1"] if trace else [])]
    own = "MAKEFLAGS MFLAGS MAKELEVEL BLOCK CONFIG SET NAME RTL CMODEL TRACE".split()
    environment = {name: value for name, value in os.environ.items() if name not in own}
    out = subprocess.run([*command, "print-out"], env=environment, stdout=subprocess.PIPE, text=True)
    if out.returncode:
        sys.exit(2)
    folder = Path(os.path.relpath(out.stdout.strip()))
    log = folder / "build.log"
    with open(log, "w", encoding="utf-8") as to:
        made = subprocess.run(command, env=environment, stderr=to)
    if made.returncode:
        text = log.read_text(encoding="utf-8", errors="replace")
        short = refused_parameters(text, options[0].partition("=")[2])
        print(f"block: {short} ({log})" if short else text, file=sys.stderr)
        sys.exit(2)
    return folder / "block"


def record(given, line, rules):
    clocks, seeds, mismatches = re.search(r": (\d+) clocks, (\d+) seeds, (\d+) mismatches", line).groups()
    words = [f"BLOCK={given.block}", f"CONFIG={given.config}", *([f'SET="{given.set}"'] if given.set else []),
             f"SEED={given.seed or 1}", f"SEEDS={seeds}", f"CYCLES={given.cycles or 1000000}"]
    results.record("blocks", {", ".join([given.block, given.config, *([given.set] if given.set else [])]):
                              f"{seeds} seeds, {int(clocks):,} clocks, {mismatches} mismatches"
                              + (f", {rules[0].rpartition(', in ')[0]}" if rules else "")},
                   f"make block {' '.join(words)}")


def main():
    given = arguments()
    if given.dump and not given.stimuli and int(given.seeds or 1) != 1:
        print(f"block: with a dump one seed is run, {given.seed or 1}; --seeds {given.seeds} is left aside",
              file=sys.stderr)
    options = [f"BLOCK={given.block}", f"CONFIG={given.config}", f"SET={given.set}",
               *(f"{name.upper()}={vars(given)[name]}" for name in ("name", "rtl", "cmodel") if vars(given)[name])]
    program = build(options, trace=False)
    words = [f"--{name}={vars(given)[name]}" for name in ("seed", "seeds", "cycles", "stimuli", "dump")
             if vars(given)[name]]
    folder = program.parent
    for old in [*folder.glob("mismatch*"), *folder.glob("obj/**/*.gcda")]:
        old.unlink()
    run = subprocess.run([str(program), *words, "--folder", str(folder)], stdout=subprocess.PIPE, text=True)
    if run.returncode == 1:
        # Once more in a program that records waves: the seed that failed, which has left its words.
        failed = sorted(folder.glob("mismatch*.txt"))
        seed = re.fullmatch(r"mismatch-(\d+)", failed[0].stem) if failed else None
        words += [f"--seed={seed.group(1)}", "--seeds=1"] if seed else []
        print("The same run again, for the waves", file=sys.stderr, flush=True)
        traced = build(options, trace=True)
        again = subprocess.run([str(traced), *words, "--folder", str(folder)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
        # What it says of the mismatch has been said.
        lines = again.stderr.splitlines()
        told = [line for n, line in enumerate(lines)
                if any(re.match("It began|Waves|The second|.* cannot be", before) for before in lines[:n + 1])]
        print("\n".join(told or ["the waves cannot be recorded"]), file=sys.stderr)
    print(run.stdout, end="")
    rules = []
    if run.returncode == 0:
        clocks, seeds = re.search(r": (\d+) clocks(?:, (\d+) seeds)?", run.stdout).groups()
        first = int(given.seed or 1)
        rules = reached.told(given.block, folder, Path(given.cmodel or ROOT / "cmodel"), f"{clocks} clocks, "
                             + (f"seeds {first}..{first + int(seeds) - 1}" if seeds else f"file {given.stimuli}"))
        print("\n".join(rules))
    if run.returncode in (0, 1) and given.record:
        if given.stimuli or given.rtl or given.cmodel:
            print("block: a file of stimuli, or a copy of the sources, is not recorded", file=sys.stderr)
            return 2
        record(given, run.stdout, rules)
    return run.returncode if run.returncode in (0, 1) else 2


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make block: C twin and RTL of one block side by side (docs/verification.md, One block alone).

    sim/run/block.py [--help] [--record]

From the environment: BLOCK= (which), CONFIG= (full), SET="NAME=value ..." (parameters replaced), SEED= (1, the first),
SEEDS= (4), CYCLES= (1000000, of each seed), STIMULI=file (inputs instead of seeds), DUMP=file (every clock as CSV),
RTL= and CMODEL= (a copy with a fault, absolute path) with NAME= (begins the build folder for it).
--record puts the result into docs/results.md.
Exit code 0: equal; 1: a mismatch, with words, waves and a view in the build folder; 2: it could not run.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim/gen"))
import contract  # noqa: E402, its folder comes first
import results  # noqa: E402



def given(name, default=""):
    return os.environ.get(name, "").strip() or default


class Refused(Exception):
    """A variable that cannot be used. The text names it."""


def check_number(name, least):
    text, most = given(name), 2 ** 64 - 1
    if text and (not re.fullmatch(r"[0-9]+", text) or not least <= int(text) <= most):
        raise Refused(f"{name}={text}: expected a number from {least} to {most}")


def check_file(name, mode):
    """The file of a variable can be opened; one that was not there is not left behind."""
    path = Path(given(name))
    if not given(name):
        return
    there = path.exists()
    try:
        with open(path, mode, encoding="utf-8"):
            pass
    except OSError as error:
        what = "read" if mode == "r" else "written"
        raise Refused(f"{name}={path}: cannot be {what} ({error.strerror})") from None
    if not there:
        path.unlink()


def check():
    for name, least in (("CYCLES", 1), ("SEEDS", 1), ("SEED", 0)):
        check_number(name, least)
    check_file("STIMULI", "r")
    check_file("DUMP", "a")


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


def record(block, config, replaced, line):
    clocks, seeds, mismatches = re.search(r": (\d+) clocks, (\d+) seeds, (\d+) mismatches", line).groups()
    words = [f"BLOCK={block}", f"CONFIG={config}", *([f'SET="{replaced}"'] if replaced else []),
             f"SEED={given('SEED', '1')}", f"SEEDS={seeds}", f"CYCLES={given('CYCLES', '1000000')}"]
    results.record("blocks", {", ".join([block, config, *([replaced] if replaced else [])]):
                              f"{seeds} seeds, {int(clocks):,} clocks, {mismatches} mismatches"},
                   f"make block {' '.join(words)}")


def main(arguments):
    if arguments not in ([], ["--record"]):
        print(__doc__)
        return 0 if arguments == ["--help"] else 2
    block, config, replaced = given("BLOCK"), given("CONFIG", "full"), " ".join(sorted(given("SET").split()))
    if block not in contract.blocks():
        what = f"no block {block!r}" if block else "name a block with BLOCK="
        print(f"block: {what}; known: {' '.join(contract.blocks())}", file=sys.stderr)
        return 2
    try:
        check()
    except Refused as error:
        print(f"block: {error}", file=sys.stderr)
        return 2
    if given("DUMP") and not given("STIMULI") and given("SEEDS", "1").lstrip("0") != "1":
        print(f"block: with DUMP= one seed is run, SEED={given('SEED', '1')}; SEEDS={given('SEEDS')} is left aside",
              file=sys.stderr)
    options = [f"BLOCK={block}", f"CONFIG={config}", f"SET={replaced}",
               *(f"{name}={given(name)}" for name in ("NAME", "RTL", "CMODEL") if given(name))]
    program = build(options, trace=False)
    words = [f"--{name.lower()}={given(name)}" for name in "SEED SEEDS CYCLES STIMULI DUMP".split() if given(name)]
    folder = program.parent
    for old in folder.glob("mismatch*"):
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
        told = [line for line in again.stderr.splitlines() if "aves" in line or "second run" in line]
        print("\n".join(told or ["the waves cannot be recorded"]), file=sys.stderr)
    print(run.stdout, end="")
    if run.returncode in (0, 1) and "--record" in arguments:
        if given("STIMULI") or given("RTL") or given("CMODEL"):
            print("block: a file of stimuli, or a copy of the sources, is not recorded", file=sys.stderr)
            return 2
        record(block, config, replaced, run.stdout)
    return run.returncode if run.returncode in (0, 1) else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

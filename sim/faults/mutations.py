#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws mutations of the C twins, and says which of them the tests notice.

    python3 sim/faults/mutations.py [--mutations N] [--seed S] [--block BLOCK] [--jobs N] [MUTATION ...]

A mutation is one small change of one line: an operator exchanged, a constant one more or less, a condition negated, an
assignment or a call removed, true for false. Its name, file:line:kind:place, means the same as long as that file stays
as it is, so mutations that are named can be tried with other tests. One that does not compile, or whose object is that
of the twin as it is, is not drawn. What notices it is sought as for faults in RTL and C (sim/faults/faults.py): unit
test of the block, rule tests, random work; the first that notices ends the trial. Some mutations change nothing that a
block shows, so not all can be noticed; what counts is that no other set of tests notices more.
"""

import argparse
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import faults  # puts sim/gen on the path
import contract

EXCHANGED = {"&&": "||", "||": "&&", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-",
             "-": "+", "true": "false", "false": "true"}
ASSIGNMENT = re.compile(r"\s+[\w.>-]+(\[[^;]*?\])?\s+[|&+-]?= [^;{]*;")
CALL = re.compile(r"\s+\w+\([^;{]*\);")


def of_line(line):
    """(kind, column, end, text that stands there then) of each mutation of a line of C"""
    code = re.sub(r'"[^"]*"', lambda m: " " * len(m[0]), line.split("//")[0])
    for match in re.finditer(r" (&&|\|\||[=!]=|[<>]=?|\+|-) |\b(true|false)\b", code):
        k = 1 if match[1] else 2
        yield "exchange", match.start(k), match.end(k), EXCHANGED[match[k]]
    for match in re.finditer(r"(?<![\w.])\d+(?=\W)", code):
        yield "more", *match.span(), str(int(match[0]) + 1)
        if int(match[0]):
            yield "less", *match.span(), str(int(match[0]) - 1)
    condition = re.match(r"\s+(?:\} else |else )?if \((.*)\)( \{)?$", code.rstrip())
    if condition:
        yield "negate", *condition.span(1), f"!({condition[1]})"
    if ASSIGNMENT.fullmatch(code.rstrip()) or CALL.fullmatch(code.rstrip()):
        yield "remove", len(code) - len(code.lstrip()), len(code.rstrip()), ";"


def of_file(path):
    """name -> (line, column, end, text) of each mutation of a twin"""
    lines, file = path.read_text().splitlines(), f"{path.parent.name}/{path.name}"
    return {f"{file}:{n}:{kind}:{column}": (n, column, end, text)
            for n, line in enumerate(lines, 1) if not line.startswith("#")
            for kind, column, end, text in of_line(line)}


def twins():
    """Files of the C model that a contract describes."""
    known = set(contract.blocks())
    return [p for p in sorted((faults.TOP / "cmodel").glob("*/totem_*.c"))
            if p.parent.name not in ("tool", "top") and faults.block_of(p.name) in known]


def plant(name, folder):
    """Plants it in a copy of cmodel/; the file that was changed."""
    path = folder / name.split(":")[0]
    number, column, end, text = of_file(path)[name]
    lines = path.read_text().splitlines(keepends=True)
    line = lines[number - 1]
    lines[number - 1] = line[:column] + text + line[end:]
    path.write_text("".join(lines))
    return path


def differs(name, build, work):
    """Whether it compiles, and to something else."""
    work.mkdir(parents=True, exist_ok=True)
    source = faults.TOP / "cmodel" / name.split(":")[0]
    folder = work / "cmodel"
    (folder / source.parent.name).mkdir(parents=True, exist_ok=True)
    objects = []
    for planted in (False, True):
        path = folder / source.parent.name / source.name
        shutil.copy(source, path)
        objects.append(work / f"{planted}.o")
        command = ["ccache", "gcc", "-w", *build.flags, "-g0", "-c", str(plant(name, folder) if planted else path)]
        if subprocess.run([*command, "-o", str(objects[-1])], capture_output=True, check=False).returncode:
            return False
    return objects[0].read_bytes() != objects[1].read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="MUTATION")
    parser.add_argument("--mutations", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--block", action="append", help="only of this block (may be given again)")
    parser.add_argument("--jobs", type=int, default=1)
    a = parser.parse_args()
    builds = [faults.Build(config) for config in faults.CONFIGS]
    work = faults.OUT / "mutations"
    names = [n for p in twins() if not a.block or faults.block_of(p.name) in a.block for n in of_file(p)]
    random.Random(a.seed).shuffle(names)
    drawn = a.names or []
    while names and len(drawn) < a.mutations and not a.names:
        name = names.pop()
        if differs(name, builds[-1], work / "draw"):
            drawn.append(name)

    def one(name):
        own = work / re.sub(r"\W", "_", name)
        own.mkdir(parents=True, exist_ok=True)
        options = SimpleNamespace(every=False, seeds=12, clocks=4000)
        found = faults.tests(lambda copy: plant(name, copy), name.split(":")[0], own, builds, options, {})
        shutil.rmtree(own)
        print(name, " ".join(f"{k}: {v}" for k, v in found.items()) or "NONE", flush=True)
        return found

    with ThreadPoolExecutor(a.jobs) as pool:
        results = list(pool.map(one, drawn))
    print(f"{sum(map(bool, results))} of {len(results)} mutations noticed; "
          + ", ".join(f"{sum(k in r for r in results)} by {k}" for k in faults.TESTS))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that one step of a block's C model is one clock of its RTL. What exactly: docs/proof.md.

    prove.py BLOCK [--config CONFIGURATION] [-P NAME=VALUE ...] [--plant N] [-O 1|2]
"""

import argparse
import json
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "sim/gen"))
sys.setrecursionlimit(20000)

import contract as contracts                    # noqa: E402
import csource                                  # noqa: E402
import miter as miters                          # noqa: E402
import plant                                    # noqa: E402
import report                                   # noqa: E402
import rtl                                      # noqa: E402
import solve                                    # noqa: E402
from aig import FALSE, TRUE                     # noqa: E402
from irtext import Refused                      # noqa: E402

FAILED = (contracts.ContractError, csource.SourceError, rtl.RtlError, Refused)


class Progress:
    """What is being done, on one line of a terminal from two seconds on (every ten seconds elsewhere)."""

    def __init__(self, block, quiet):
        self.block, self.text = block, ""
        self.start = time.monotonic()
        self.done = threading.Event()
        self.thread = None
        if not quiet:
            self.thread = threading.Thread(target=self._show, daemon=True)
            self.thread.start()

    def __call__(self, text):
        self.text = text

    def _show(self):
        terminal = sys.stderr.isatty()
        while not self.done.wait(2 if terminal else 10):
            line = f"  {self.block}: {time.monotonic() - self.start:5.0f} s, {self.text}"
            print(f"\r{line:<78}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)
        if terminal and time.monotonic() - self.start > 2:
            print(f"\r{'':<78}\r", end="", file=sys.stderr, flush=True)

    def end(self):
        self.done.set()
        if self.thread:
            self.thread.join()


class Block:
    """Everything about one block that does not change from proof to proof."""

    def __init__(self, options, folder, progress):
        self.options, self.folder, self.say = options, Path(folder), progress
        contract = contracts.load(options.block, options.root / "docs" / "contract")
        config = csource.configured(options.config, options.parameters, folder)
        values = csource.parameters(options.root, list(contract.expressions), config, folder)
        values.update(options.parameters)
        self.contract = contract.resolve(values)
        self.named = {item.name: contract.named(item, self.contract.parameters)
                      for item in (*self.contract.outputs, *self.contract.state)}
        progress("clang")
        self.model = csource.build(options.root, options.block, self.contract, config, options.optimisation,
                                   folder,
                                   options.c, options.sanitize)

    def netlist(self, fault=""):
        self.say("Yosys")
        passes = ("techmap\nsimplemap\n" if self.options.gates else "") + fault
        return rtl.elaborate(self.options.root, f"totem_{self.options.block}", self.contract.parameters, self.folder,
                             self.options.rtl, passes, self.options.config)

    def miter(self, module):
        self.say("building the miter")
        return miters.build(self.contract, self.model, module)


def vacuous(miter, folder, limit, say):
    """Comparisons that never count: names of properties whose mask and constraint cannot hold."""
    goals = sorted({item.counts for item in miter.properties if item.counts not in (TRUE,)})
    say("vacuity")
    dead = set()
    if FALSE in goals:
        dead.add(FALSE)
    goals = [goal for goal in goals if goal != FALSE]
    for goal, outcome in zip(goals, solve.decide(miter.aig, goals, folder, limit)):
        if outcome.verdict == "proved":
            dead.add(goal)
    return [item.name for item in miter.properties if item.counts in dead]


def prove(block, module, limit):
    """(miter, outcomes)"""
    miter = block.miter(module)
    outcomes = solve.decide(miter.aig, [item.bad for item in miter.properties], block.folder, limit,
                            progress=block.say)
    return miter, outcomes


def first_refuted(miter, outcomes):
    return next(((item, outcome) for item, outcome in zip(miter.properties, outcomes) if outcome.verdict == "refuted"),
                None)


def planted(block, options, module):
    """Plants faults until one on each side is refuted. Returns (lines, good)."""
    lines, good = [], True
    faults = plant.rtl_faults(block.folder, 40 * options.plant, options.seed)
    refuted = equal = 0
    for fault in faults:
        if refuted >= options.plant or refuted + equal >= 8 * options.plant:
            break
        try:
            miter, outcomes = prove(block, block.netlist(fault), options.limit)
        except rtl.RtlError:        # a fault that is noticed before any proof, such as a register that is none any more
            continue
        hit = first_refuted(miter, outcomes)
        if hit:
            refuted += 1
            if refuted == 1:
                lines.append("fault in the RTL refuted: " + report.counterexample(
                    miter.aig, hit[0], miter.words, hit[1].inputs, block.named)[0].strip())
        elif all(item.verdict == "proved" for item in outcomes):
            equal += 1
    lines.append(f"faults in the RTL: {refuted} refuted, {equal} without effect")
    good &= refuted >= options.plant
    refuted = equal = 0
    for text, code, place, old, new in plant.c_faults(block.model.module, options.seed):
        if refuted >= options.plant or refuted + equal >= 8 * options.plant:
            break
        code[place] = new
        try:
            miter, outcomes = prove(block, module, options.limit)
        except Refused:
            continue
        finally:
            code[place] = old
        hit = first_refuted(miter, outcomes)
        if hit:
            refuted += 1
            if refuted == 1:
                lines.append(f"fault in C ({text}) refuted: " + report.counterexample(
                    miter.aig, hit[0], miter.words, hit[1].inputs, block.named)[0].strip())
        else:
            equal += 1
    lines.append(f"faults in C: {refuted} refuted, {equal} without effect")
    good &= refuted >= options.plant
    return lines, good


def run(options):
    start = time.monotonic()
    say = Progress(options.block, options.quiet)
    result = {"block": options.block, "config": options.config, "verdict": "FAILED"}
    with tempfile.TemporaryDirectory(prefix="totem-equiv-") as scratch:
        folder = options.keep or scratch
        Path(folder).mkdir(parents=True, exist_ok=True)
        try:
            block = Block(options, folder, say)
            module = block.netlist()
            miter, outcomes = prove(block, module, options.limit)
            count = {"proved": 0, "refuted": 0, "unknown": 0}
            for outcome in outcomes:
                count[outcome.verdict] += 1
            goals = [item.bad for item in miter.properties]
            nodes = sum(miter.aig.left[node] >= 0 for node in miter.aig.cone(
                [bit for item in miter.properties for side in item.sides for bit in side] + goals))
            result.update(state=miter.state_bits, outputs=miter.outputs, nodes=nodes, properties=len(outcomes),
                          free=miter.free, structural=sum(item.by == "structure" for item in outcomes),
                          parameters=block.contract.parameters, **count)
            shown = 0
            for item, outcome in zip(miter.properties, outcomes):
                if outcome.verdict == "refuted" and shown < options.show:
                    shown += 1
                    if shown == 1:
                        area = block.contract.area
                        print(f"Mismatch in block {options.block} {options.config}, from equal states and inputs\n"
                              f"  docs/contract/{options.block}.md  rtl/{area}/totem_{options.block}.v  "
                              f"cmodel/{area}/totem_{options.block}.c")
                    place = options.root / "rtl" / block.contract.area, options.block
                    print("\n".join(report.counterexample(miter.aig, item, miter.words, outcome.inputs, block.named,
                                                          place)))
            if count["refuted"] > shown:
                names = [item.name for item, outcome in zip(miter.properties, outcomes) if outcome.verdict == "refuted"]
                print(f"and {count['refuted'] - shown} more: {', '.join(names[shown:shown + 12])}"
                      + (", ..." if len(names) > shown + 12 else ""))
            unknown = [item.name for item, outcome in zip(miter.properties, outcomes) if outcome.verdict == "unknown"]
            if unknown:
                print(f"not decided in {options.limit} s: {', '.join(unknown[:12])}" 
                      + (", ..." if len(unknown) > 12 else ""))
            good = count["proved"] == len(outcomes) and len(outcomes) > 0
            dead = vacuous(miter, folder, min(60, options.limit), say)
            result["vacuous"] = len(dead)
            if miter.constraint == FALSE or any(name.startswith("next ") for name in dead):
                print("vacuous: no state and input satisfies invariant and assumption")
                good = False
            elif dead:
                print(f"note: never compared in this configuration: {', '.join(dead[:8])}" 
                      + (", ..." if len(dead) > 8 else ""))
            if good and options.plant:
                lines, found = planted(block, options, module)
                print("\n".join(lines))
                good &= found
            result["verdict"] = "proved" if good else "undecided" if not count["refuted"] and unknown else "FAILED"
        except FAILED as error:
            result["verdict"], result["error"] = "error", str(error)
            print(f"{options.block}: {error}")
        say.end()
    result["seconds"] = round(time.monotonic() - start, 1)
    return result


def summary(result):
    if result["verdict"] == "error":
        return f"{result['block']}: ERROR"
    return (f"{result['block']} ({result['config']}): {result['verdict']}; {result['state']} state bits, "
            f"{result['outputs']} output bits, {result['nodes']} AND nodes, {result['properties']} properties "
            f"({result['structural']} alike by structure), {result['seconds']} s")


def arguments():
    parser = argparse.ArgumentParser(description="Proves one step of the C model equal to one clock of the RTL.")
    parser.add_argument("block")
    parser.add_argument("--config", type=contracts.configuration, default="full",
                        help="configuration of rtl/top/config.yaml (default full)")
    parser.add_argument("-P", "--parameter", action="append", default=[], metavar="NAME=VALUE",
                        help="override a parameter")
    parser.add_argument("-O", dest="optimisation", choices=["1", "2"], default="1",
                        help="clang's optimisation (default 1)")
    parser.add_argument("--gates", action="store_true", help="let Yosys map the RTL to gates first (second route)")
    parser.add_argument("--sanitize", action="store_true",
                        help="also prove that no undefined behaviour is reached (clang's traps)")
    parser.add_argument("--plant", type=int, default=0, metavar="N",
                        help="afterwards refute N planted faults on each side")
    parser.add_argument("--rtl", action="append", default=[], help="another file for a module")
    parser.add_argument("--c", action="append", default=[], help="other .c and .h files for the model")
    parser.add_argument("--limit", type=int, default=600, help="processor seconds for the solvers (default 600)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="counterexamples to print (default 3)")
    parser.add_argument("--root", type=Path, default=ROOT, help="another tree of the same layout")
    parser.add_argument("--keep", help="folder for intermediate files")
    parser.add_argument("--json", help="file for the result")
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    options.parameters = {}
    for item in options.parameter:
        name, _, value = item.partition("=")
        options.parameters[name] = int(value, 0)
    return options


def main():
    options = arguments()
    result = run(options)
    print(summary(result))
    if options.json:
        Path(options.json).write_text(json.dumps(result) + "\n")
    return 0 if result["verdict"] == "proved" else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Properties of the RTL (totem_<block>_properties.vh), proved by temporal induction: in the prover's graph with CaDiCaL (frames.py),
or with --engine yosys by Yosys' `sat -tempinduct`, a second opinion that takes far longer.

    induct.py [BLOCK ...] [--config CONFIGURATION] [--engine graph|yosys] [--plant N] [--cover N] [--quick]

The result of each run without --plant and with the usual covers goes to build/formal/<configuration>/, from where
`synth/equiv.sh status` takes it into docs/results.md.

A comment in the RTL file steers how a block is proved; every such line is a run of its own:

    // formal: maxsteps=4 seq=1 params=WIDTH=8,DEPTH=4 configs=full,mini timeout=600 alone=1

maxsteps  depth of the induction (default 4); seq: first clocks in which nothing is asserted (default 1, Yosys only)
params    values of parameters for this run; the others come from the configuration
configs   only in these configurations
timeout   processor seconds (default 600)
alone     1: properties inside inner instances are left out (they are proved where they belong)
apart     1: every assertion is asked by itself, for large sizes (graph only)
covers    0: no cover is looked for in this run

Lines for files without such a comment are in options.txt. Every cover has to be reached within --cover clocks (20; 0:
none is looked for), or within those of covers.txt; a cover that is not fails the run.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "sim/gen"), str(ROOT / "synth" / "equiv"), str(ROOT / "synth" / "formal")]
import contract as contracts    # noqa: E402
import csource                  # noqa: E402
import frames                   # noqa: E402
import rtl                      # noqa: E402
import vocabulary               # noqa: E402
from revision import revision   # noqa: E402

RESULTS = ROOT / "build" / "formal"
PROPERTIES = ("$assert", "$assume")
CLOCKS = 20     # in which covers are looked for
DEFAULTS = {"maxsteps": "4", "seq": "1", "params": "", "configs": "", "timeout": "600", "alone": "0",
            "apart": "0", "covers": "1"}


class Run:
    """One proof: a block with its parameters and depth."""

    def __init__(self, block, path, config, settings, folder, root=ROOT):
        self.block, self.path, self.config, self.folder, self.root = block, path, config, Path(folder), root
        self.settings = {**DEFAULTS, **settings}
        self.plain = None       # what Yosys has made of it, without a fault
        values = {}
        try:
            contract = contracts.load(block)
            given = csource.parameters(ROOT, list(contract.expressions), config, folder)
            values = dict(contract.resolve(given).parameters)
        except contracts.ContractError:
            pass
        for item in filter(None, self.settings["params"].split(",")):
            name, _, value = item.partition("=")
            values[name] = int(value, 0)
        text = path.read_text(encoding="utf-8")
        self.parameters = {name: value for name, value in values.items()
                           if re.search(rf"\bparameter\s+(?:integer\s+|\[[^]]*\]\s*)?{name}\b", text)}
        given = {item.split("=")[0] for item in self.settings["params"].split(",") if item}
        if given - set(self.parameters):
            raise rtl.RtlError(f"{path.name}: no parameter {', '.join(sorted(given - set(self.parameters)))}")
        # A parameter that follows from others is left to the module when one of them is set for this run.
        if given:
            self.parameters = {name: value for name, value in self.parameters.items()
                               if name in given or not re.search(rf"\bparameter\s+{name}\s*=\s*[^,\n)]*[A-Z$]", text)}

    def title(self):
        own = f" {self.settings['params']}" if self.settings["params"] else ""
        return f"{self.block} ({self.config}{own})"

    def result(self):
        return RESULTS / self.config / f"{self.folder.name}.json"

    def elaborate(self):
        """Yosys commands up to the plain netlist with $assert and $assume cells."""
        top = f"totem_{self.block}"
        files = rtl.sources(self.root, top, self.root.glob("synth/formal/totem_*.v"))
        include = " ".join(f"-I{item}" for item in sorted({str(path.parent) for path in self.root.glob("rtl/*/*.v*")}))
        lines = []
        for path in files:
            formal = "-formal" if path.stem == top or self.settings["alone"] != "1" else ""
            lines.append(f"read_verilog {formal} -DTOTEM_CONFIG_{self.config.upper()} {include} {path}")
        chosen = " ".join(f"-chparam {n} {v}" for n, v in self.parameters.items())
        lines.append(f"hierarchy -check -top {top} {chosen}")
        return lines + ["proc", "flatten", "opt_clean"]

    def yosys(self, lines, name):
        path = self.folder / f"{name}.ys"
        path.write_text("\n".join(lines) + "\n")
        seconds = int(self.settings["timeout"])
        run = subprocess.run(["nice", "yosys", "-s", str(path)], capture_output=True, text=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)))
        return run.returncode, run.stdout + run.stderr

    def module(self, fault=""):
        if fault:
            return frames.elaborate(self.elaborate() + [fault], self.folder)
        if self.plain is None:
            self.plain = frames.elaborate(self.elaborate(), self.folder)
        return self.plain

    def induct(self, engine, fault="", depth=0):
        """("proved" | "refuted" | "open" | "timeout" | "error", lines, facts); with a depth only
        that one and the deepest are tried."""
        if engine == "graph":
            # Asserts in clocked blocks speak of the clock before, so one clock more than Yosys counts.
            deepest = int(self.settings["maxsteps"]) + 1
            depths = sorted({min(depth, deepest), deepest}) if depth else None
            return frames.induct(self.module(fault), deepest, self.folder, int(self.settings["timeout"]),
                                 self.settings["apart"] == "1", depths)
        lines = self.elaborate() + [fault, "chformal -cover -remove", "memory_map", "async2sync", "opt -full",
                                    "techmap", "opt -fast", "dffunmap",
                                    f"sat -tempinduct -prove-asserts -set-assumes -seq {self.settings['seq']} "
                                    f"-maxsteps {self.settings['maxsteps']} -verify"]
        code, text = self.yosys(lines, "induct")
        shown = violated(text)
        if code == 0 and "Induction step proven: SUCCESS!" in text:
            return "proved", [], {}
        if "SAT temporal induction proof finished - model found for base case: FAIL!" in text:
            return "refuted", shown, {}
        if "Reached maximum number of time steps" in text:
            return "open", shown, {}
        return ("timeout" if code < 0 else "error"), shown, {}

    def faults(self, count, seed):
        lines = self.elaborate() + [f"mutate -list {count} -seed {seed} -none -o {self.folder}/mutations.txt"]
        code, text = self.yosys(lines, "mutate")
        if code:
            raise rtl.RtlError("yosys mutate: " + text.strip()[-300:])
        return [line for line in (self.folder / "mutations.txt").read_text().splitlines()
                if line.startswith("mutate ") and "-mode none" not in line]


def cover_depth(block, config, clocks):
    """Clocks in which the covers of a block are looked for; 0 and the reason if they cannot be reached."""
    for line in (Path(__file__).parent / "covers.txt").read_text(encoding="utf-8").splitlines():
        words = line.split(None, 3)
        if words and words[0] == block and words[1] in (config, "all"):
            return int(words[2]), words[3] if len(words) > 3 else ""
    return clocks, ""


def runs(block, config, folder, root=ROOT, limit=0):
    """All runs of a block in a configuration; the RTL from another tree, and at most so many seconds, if given."""
    found = sorted(root.glob(f"rtl/*/totem_{block}.v")) or sorted(root.glob(f"synth/formal/totem_{block}.v"))
    if not found:
        raise rtl.RtlError(f"no file rtl/<area>/totem_{block}.v")
    path = found[0]
    text = path.read_text(encoding="utf-8")
    if "`ifdef FORMAL" not in text:
        raise rtl.RtlError(f"{path.name} has no properties")
    wanted = []
    lines = re.findall(r"^\s*//\s*formal:\s*(.*)$", text, re.M)
    lines = lines or re.findall(rf"^{block}\s+(.*)$", (Path(__file__).parent / "options.txt").read_text("utf-8"), re.M)
    for line in lines or [""]:
        settings = dict(word.split("=", 1) for word in line.split() if "=" in word)
        unknown = sorted(set(settings) - set(DEFAULTS))
        if unknown:
            raise rtl.RtlError(f"{path.name}: 'formal:' does not know {', '.join(unknown)}; "
                               f"it knows {', '.join(DEFAULTS)}")
        if settings.get("configs") and config not in settings["configs"].split(","):
            continue
        if limit:
            settings["timeout"] = str(min(limit, int(settings.get("timeout", DEFAULTS["timeout"]))))
        own = Path(folder) / f"{block}{len(wanted)}"
        own.mkdir(parents=True, exist_ok=True)
        (RESULTS / config).mkdir(parents=True, exist_ok=True)
        wanted.append(Run(block, path, config, settings, own, root))
    return wanted


def violated(text):
    """The part of Yosys' report that says what happens: the last steps of the counterexample."""
    at = text.rfind("Signal Name")
    lines = text[at - 80:].splitlines() if at >= 0 else text.strip().splitlines()[-12:]
    return [line for line in lines if line.strip() and "$" not in line][:60]


def short(place):
    """`file:line` as in a report, without folders and columns; behind an `if` the line of the assert."""
    match = re.search(r"([^/|]+):(\d+)(?:\.\d+-(\d+))?", place)
    return f"{match[1]}:{match[3] or match[2]}" if match else place


def told(places):
    """Lines about properties: place, number and name, and the contract's sentence."""
    lines = []
    for place in dict.fromkeys(places):
        text = vocabulary.told(place)
        lines += wrapped(f"{short(place)}: {text or 'a property without a note'}", 8)
    return list(dict.fromkeys(lines)) if len(lines) < 40 else lines


def wrapped(text, indent):
    return textwrap.wrap(text, 120, initial_indent=" " * indent, subsequent_indent=" " * (indent + 4),
                         break_long_words=False, break_on_hyphens=False)


def counted(kinds, *wanted):
    """Numbers and names in their order."""
    return ", ".join(sorted({note for kind, note in kinds if kind in wanted},
                            key=lambda note: int(re.sub(r"\D", "", note) or 0)))


def names(run, module):
    """Lines that say which properties of a module are proved, and which of the contract's are not among them."""
    found, lines = {}, []
    for said in map(vocabulary.said, dict.fromkeys(cell.get("attributes", {}).get("src", "")
                                                   for cell in module["cells"].values() if cell["type"] in PROPERTIES)):
        if said:
            found.setdefault(said[0], []).append(said[1:3])
    for block in sorted(found, key=lambda name: (name != run.block, name)):
        kinds = found[block]
        helpers = sum(kind in ("helper", "assert") for kind, _ in kinds)
        of = "" if block == run.block else f" of {block}"
        if proved := "; ".join(filter(None, (counted(kinds, "invariant"), helpers and f"{helpers} helpers"))):
            lines += wrapped(f"invariants{of}: {proved}", 4)
        if assumed := counted(kinds, "assumption"):
            lines += wrapped(f"assumed{of}: {assumed}", 4)
        if block != run.block or block not in contracts.blocks():
            continue
        left = [entry for entry in contracts.load(block).invariants
                if f"{entry.number} {entry.name.lower()}" not in {note for _, note in kinds}]
        for text, which in (("checked elsewhere, not here", True), ("nothing to prove in this size", False)):
            if those := [f"{entry.number} {entry.name.lower()}" for entry in left
                         if (vocabulary.ELSEWHERE in entry.text) == which]:
                lines += wrapped(f"{text}: {', '.join(those)}", 4)
    return lines


def examine(run, options):
    """(good, lines)"""
    start = time.monotonic()
    result = {"block": run.block, "config": run.config, "parameters": run.settings["params"]}
    verdict, detail, facts = run.induct(options.engine, depth=options.depth)
    lines, good = [], verdict == "proved"
    if good:
        module = run.module()
        count = sum(cell["type"] == "$assert" for cell in module["cells"].values())
        assumes = sum(cell["type"] == "$assume" for cell in module["cells"].values())
        if not count:
            good, verdict = False, "no assertion is left after elaboration"
        elif not frames.possible(module, 6, run.folder, 100):
            good, verdict = False, "vacuous: the assumptions exclude every run"
            lines = told(cell.get("attributes", {}).get("src", "") for cell in module["cells"].values()
                         if cell["type"] == "$assume")
        else:
            depth = f" over {facts['depth']} clocks" if "depth" in facts else ""
            result |= {"depth": facts.get("depth"), "assertions": count, "assumptions": assumes}
            verdict = f"proved{depth}, {count} assertions, {assumes} assumptions"
            lines = names(run, module)
        if good and run.settings["covers"] == "0":
            result["covers"] = "not looked for"
            lines.append("    covers: not looked for in this run")
        elif good and options.cover:
            depth, reason = cover_depth(run.block, run.config, options.cover)
            count = sum(cell["type"] == "$cover" for cell in module["cells"].values())
            found = frames.covered(module, depth, run.folder, 200) if depth and count else {}
            reached = sum(clock not in (None, -1) for clock in found.values())
            result["covers"] = f"{reached} of {count} within {depth}" if depth else f"{count} not looked for"
            if not depth:
                lines.append(f"    covers: {count} not looked for: {reason}")
            else:
                lines.append(f"    covers: {reached} of {count} reached within {depth} clocks")
                for text, clock in (("NOT reached", None), ("NOT decided in time", -1)):
                    if missed := [place for place, at in found.items() if at == clock]:
                        lines += [f"    {text}:", *told(missed)]
            if depth and (reached < len(found) or len(found) != count):
                good, verdict = False, verdict + ", a cover is not reached"
    else:
        lines = [f"    {line.strip()}" for line in detail[:1]] + told(facts.get("places") or ())
        for line in detail[1:options.lines]:
            lines += wrapped(line.strip(), 4)
        verdict = {"refuted": "refuted: reachable from the start",
                   "timeout": f"not decided in {run.settings['timeout']} s",
                   "open": f"not inductive at maxsteps={run.settings['maxsteps']} "
                           "(no violation that soon from the start)"
                   }.get(verdict, "error")
    if good and options.plant:
        refuted = lost = same = 0
        for fault in run.faults(30 * options.plant, options.seed):
            if refuted >= options.plant or refuted + lost + same >= 10 * options.plant:
                break
            try:
                kind = run.induct(options.engine, fault)[0]
            except rtl.RtlError:        # a fault that Yosys cannot elaborate, such as one in an initial value
                continue
            if kind in ("open", "timeout") and frames.bounded(run.module(fault), 12, run.folder, 60):
                kind = "refuted"
            refuted += kind == "refuted"
            lost += kind in ("open", "timeout")
            same += kind == "proved"
        lines.append(f"    planted faults: {refuted} refuted from the start, {lost} no longer provable, "
                     f"{same} not seen")
        good = refuted >= options.plant
    seconds = time.monotonic() - start
    result |= {"verdict": "proved" if good else verdict, "seconds": round(seconds, 1), "revision": revision()}
    if not options.plant and options.cover == CLOCKS and options.root == ROOT and not options.limit \
            and not options.depth:
        run.result().write_text(json.dumps(result) + "\n", encoding="utf-8")
    lines.insert(0, f"{run.title()}: {verdict}, {seconds:.1f} s")
    return good, lines


def work(run, options):
    try:
        return examine(run, options)
    except (rtl.RtlError, csource.SourceError, contracts.ContractError) as error:
        return False, [f"{run.title()}: {error}"]


def main():
    parser = argparse.ArgumentParser(description="Proves the properties in the RTL by induction.")
    parser.add_argument("block", nargs="*")
    parser.add_argument("--config", type=contracts.configuration, default="full")
    parser.add_argument("--plant", type=int, default=0, metavar="N",
                        help="afterwards refute N planted faults in each block")
    parser.add_argument("--engine", choices=["graph", "yosys"], default="graph")
    parser.add_argument("--cover", type=int, default=CLOCKS, metavar="N",
                        help="reach every cover within N clocks (default %(default)s; 0: none; covers.txt: exceptions)")
    parser.add_argument("--quick", action="store_true", help="no covers; without the blocks of synth/formal/slow.txt")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=40, help="lines of a counterexample (default 40)")
    parser.add_argument("--root", type=Path, default=ROOT, help="another tree, whose rtl/ is taken")
    parser.add_argument("--limit", type=int, default=0, help="processor seconds of a run, if less than its own")
    parser.add_argument("--depth", type=int, default=0,
                        help="try this depth and the deepest alone: told sooner if the properties do not hold any more")
    parser.add_argument("--keep", help="folder for the Yosys scripts")
    options = parser.parse_args()
    known = sorted(path.stem[len("totem_"):] for folder in ("rtl/*", "synth/formal")
                   for path in ROOT.glob(f"{folder}/totem_*.v") if "`ifdef FORMAL" in path.read_text(encoding="utf-8"))
    blocks = options.block or known
    if options.quick:
        options.cover = 0
        lines = (Path(__file__).parent / "slow.txt").read_text(encoding="utf-8").splitlines()
        words = [line.split() for line in lines if line.strip() and not line.startswith("#")]
        slow = {block: configs for block, *configs in words}
        strange = sorted(set(slow) - set(contracts.blocks()) - set(known))
        if strange:
            sys.exit(f"synth/formal/slow.txt names {', '.join(strange)}; there is no such block, take the line away")
        blocks = [block for block in blocks if block not in slow or slow[block] and options.config not in slow[block]]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="totem-formal-") as scratch:
        folder = options.keep or scratch
        wanted = []
        for block in blocks:
            try:
                wanted += runs(block, options.config, folder, options.root, options.limit)
            except (rtl.RtlError, csource.SourceError) as error:
                failed += 1
                print(f"{block}: {error}", flush=True)

        # Processes, because the processor time of the solvers is counted for each.
        with ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            for good, lines in pool.map(work, wanted, [options] * len(wanted)):
                passed += good
                failed += not good
                print("\n".join(lines), flush=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())

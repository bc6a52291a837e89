#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants every fault of sim/faults/faults.txt and says what notices it, in three scores that stand apart.

    python3 sim/faults/faults.py [--only SCORE] [--block BLOCK] [--every] [--record] [--jobs N] [--seeds N] [--limit S]
                          [NAME ...]

equivalence  the fault in the RTL alone: the proof that RTL and C model agree refutes it (mini, and full if mini does
             not see it). With one of two twins changed that is to be expected: it shows that the proof looks there.
properties   the fault in the RTL: the properties in the file of its block (`ifdef FORMAL), and nothing else, are not
             proved any more (mini). `refuted`: violated from the start; `not inductive`: the induction does not close;
             `survives`: all is proved as before, or not decided in the seconds of --limit.
tests        the same fault in RTL and C, so that equivalence holds: the unit test of the block, then the directed rule
             tests, then random work with its judges, on the C model alone; of blocks of the run list random work of its
             own, in duo, in their place. The first that notices ends the trial; with --every all of them are run. For a
             block that is not in the machine yet (tb/lockstep/instances.txt) the unit test alone. A test that fails
             without the fault too notices nothing: it ends this program.

Results are files below build/faults/results, one a fault, kept until the sources change, so that a run that was stopped
goes on. The table of all faults is build/faults.md; --record puts the three scores into docs/results.md as well. Exit
code 1 if equivalence does not refute a fault, or if no test notices one that has no reason in WAIVED.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "sim/gen"))
import contract  # noqa: E402, its folder comes first
import plant_fault  # noqa: E402
import results as recorded  # noqa: E402
from revision import revision  # noqa: E402

OUT = TOP / "build/faults"
CONFIGS = ("mini", "full")
SCORES = ("equivalence", "properties", "tests")
HARNESS = sorted(p for p in (TOP / "tb/lockstep").glob("*/*.c")
                 if not p.stem.startswith("run") and p.stem not in ("rtl_waves", "bench_main"))
# Parts of the random work, which rule tests do not need.
RANDOM = ["random_main", "bundle", *(p.stem for p in HARNESS if p.parent.name == "software")]
TESTS = ("unit", "rules", "random", "run list")
# Runs of the proof: configuration, and parameters beside it, for a feature that neither configuration has.
PROOFS = (("mini", ()), ("full", ()), ("mini", ("FE_COUNT=2", "GRAPHICS=1")))
# Faults that no test of the model alone needs to notice, because.
WAIVED = {}


def say(text):
    print(text, file=sys.stderr, flush=True)


def output(command):
    return subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True).stdout.split()


def block_of(file):
    name = Path(file).stem.removeprefix("totem_")
    parts = [block for block in contract.blocks() if name == block or name.startswith(f"{block}_")]
    return max(parts, key=len, default=name)


def tested_by(test):
    """The blocks whose unit test that file is: test_<block>.c, test_<block>_<subject>.c, of which the longest name
    counts; or those of a line `// Blocks: a, b.` in it."""
    said = re.search(r"^// Blocks: ([\w, ]+)\.$", Path(test).read_text(), re.M)
    if said:
        return said[1].split(", ")
    name = Path(test).stem.removeprefix("test_")
    sources = {p.stem.removeprefix("totem_") for p in (TOP / "cmodel").glob("*/*.c")}
    return [block_of(max((s for s in sources if name == s or name.startswith(f"{s}_")), key=len, default=""))]


def in_machine():
    """Blocks that the machine has."""
    lines = (TOP / "tb/lockstep/instances.txt").read_text().splitlines()
    return {re.match(r"\w+", line)[0] for line in lines if re.match(r"\w", line)}


def run(command, log, seconds=300, env=None):
    with open(log, "w") as file:
        try:
            code = subprocess.run(command, cwd=TOP, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  timeout=seconds, env={**os.environ, **(env or {})}).returncode
        except subprocess.TimeoutExpired:
            code = -1
    return code, Path(log).read_text(errors="replace")


class Build:
    """Model and harness of one configuration without a fault; a planted file is linked before them."""

    def __init__(self, config, blocks=True):
        self.config, self.folder = config, OUT / config
        self.folder.mkdir(parents=True, exist_ok=True)
        make = ["make", "-s", "-j2", "-C", "cmodel", f"CONFIG={config}", "CC=gcc", "OPT=-O1"]
        subprocess.run(make, cwd=TOP, check=True)
        library = output([*make, "print-lib"])[0]
        self.libraries = [library.replace(".a", "_driver.a"), library, library.replace(".a", "_tool.a")]
        subprocess.run([sys.executable, "sim/gen/gen_lockstep.py", config, str(self.folder)], cwd=TOP, check=True)
        self.flags = [*output([*make, "print-flags"]), "-D_GNU_SOURCE", "-O1", "-g", "-Itb",
                      *(f"-I{folder}" for folder in sorted({p.parent for p in HARNESS})), f"-I{self.folder}"]
        sources = [*HARNESS, TOP / "tb/icarus/rtl_absent.c", self.folder / "probe.c"]
        self.tests = sorted(p for p in (TOP / "tb/unit").glob("test_*.c") if '"rules_world.h"' in p.read_text())
        self.units = {block_of(s["cmodel"][0]): [] for s in plant_fault.faults().values() if "cmodel" in s}
        if not blocks:              # whole machine only
            self.units = {}
        units = {p: tested for p in sorted((TOP / "tb/unit").glob("test_*.c"))
                 if (tested := [block for block in tested_by(p) if block in self.units])}
        for unit, tested in units.items():
            for block in tested:
                self.units[block].append(unit.stem)
        if not all(self.units.values()):
            sys.exit(f"faults: no unit test of {', '.join(b for b, files in self.units.items() if not files)}")
        self.made = {p.stem: self.compile(p) for p in [*sources, *self.tests, *units]}
        self.core = [self.made[p.stem] for p in sources if p.stem not in RANDOM]
        self.sound = {}             # tests that have passed without a fault
        self.random = [self.made[name] for name in RANDOM]

    def compile(self, source, target=None, flags=()):
        made = target or self.folder / f"{source.stem}.o"
        subprocess.run(["ccache", "gcc", *flags, *self.flags, "-c", str(source), "-o", str(made)], cwd=TOP, check=True)
        return made

    def link(self, program, objects, libraries=()):
        command = ["gcc", *map(str, objects), *self.libraries, *libraries, "-lm", "-o", str(program)]
        subprocess.run(command, cwd=TOP, check=True)
        return [str(program)]


def run_lists(plant, work, lock=threading.Lock()):
    """What random work of the run list notices, in duo, on the C model alone. plant(compiler): the object, compiled by
    it, that stands in the place of the model's."""
    program, file = work / "run list", work / "run-list.yaml"
    with lock:
        command = ["make", "-s", "-j2", "-C", "tb/lockstep", "CONFIG=duo", "NAME=faults-duo"]
        flags = output(["make", "-s", "-C", "cmodel", "CONFIG=duo", "CC=gcc", "print-flags"])
        made = plant(["ccache", "gcc", "-w", "-O1", *flags])
        subprocess.run([*command, f"PLANTED={made}", "alone"], cwd=TOP, check=True)
        shutil.copy(TOP / "build/lockstep/faults-duo/totem-model", program)
    draw = [sys.executable, "sim/workloads/run_list_random.py"]
    for seed in output([*draw, "--seeds"]):
        subprocess.run([*draw, "--seed", seed, "--file", str(file)], cwd=TOP, check=True)
        play = [str(program), "run", "--engine", "model", "--folder", str(work), str(file)]
        code, text = run(play, work / "run-list.log")
        if code:
            said = re.search(r"^(?:Broken rule|unmet): (.*)", text, re.M)
            return f"seed {seed}: {said[1] if said else 'stops'}"
    return ""


def planted_rtl(name, work):
    copy = work / "rtl"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(TOP / "rtl", copy)
    return plant_fault.plant(name, copy)


def equivalence(name, file, work):
    """Configuration and time of the proof that refutes it, or nothing."""
    path = planted_rtl(name, work)
    if path.suffix == ".vh":            # rules that the module includes
        path = path.with_name(f"totem_{block_of(file)}.v")
    for config, parameters in PROOFS:
        begin, log = time.monotonic(), work / f"proof-{config}.log"
        options = [word for parameter in parameters for word in ("-P", parameter)]
        command = ["synth/equiv.sh", block_of(file), "--config", config, "--rtl", str(path), *options]
        _, text = run(command, log, 900)
        if ": FAILED;" in text:
            return f"{' '.join((config, *parameters))}, {time.monotonic() - begin:.0f} s"
    return ""


def properties(name, file, work, limit):
    """(noticed, what the properties of the block say within that many processor seconds)"""
    block = block_of(file)
    planted_rtl(name, work)
    begin = time.monotonic()
    options = ["--root", str(work), "--cover", "0", "--depth", "3", "--limit", str(limit)]
    command = ["synth/formal.sh", block, "--config", CONFIGS[0], *options]
    _, text = run(command, work / "properties.log", 8 * limit)
    if "has no properties" in text:
        return False, "survives: no properties"
    seconds = f"{time.monotonic() - begin:.0f} s"
    place = re.search(r"^ *(?:violated|not inductive) .*\n *\S+: (\w+, [^:\n]*)", text, re.M)
    where = f" at {place[1]}" if place else ""
    for word in ("refuted", "not inductive", "vacuous"):
        if re.search(rf"^\S.*: {word}", text, re.M):
            return True, f"{word}{where}, {seconds}"
    if re.search(r"^\d+ passed, 0 failed", text, re.M):
        return False, f"survives, {seconds}"
    if re.search(r": not decided in", text) or not re.search(r"^\d+ passed, \d+ failed", text, re.M):
        return False, f"survives: not decided, {seconds}"
    return False, "error"


def failed_test(text):
    match = re.search(r"^not ok \d+ - (\w+)", text, re.M)
    return match[1] if match else "stops"


def tests(plant, file, work, builds, a, found):
    """What notices the fault that plant(copy) puts into a copy of the model: unit, rules, random -> where. What is
    found already is not tried again."""
    retry = bool(found)     # random work has been tried
    env = {"CMOCKA_MESSAGE_OUTPUT": "TAP"}
    for build in builds:
        first = build.config == CONFIGS[0]
        if not first and found:
            break
        copy = work / "cmodel"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(TOP / "cmodel", copy)
        path = plant(copy)
        sources = [path]
        if path.suffix == ".h":         # of every file of the block that can include it
            path = path.with_name(f"totem_{block_of(file)}.c")
            sources = [path, *(part for part in sorted(path.parent.glob(f"{path.stem}_*.c"))
                               if block_of(part.name) == block_of(file))]
        def compiled(source):
            return build.compile(source, work / f"planted-{source.stem}-{build.config}.o", ["-w", f"-I{path.parent}"])

        planted = [compiled(source) for source in sources]
        note = "" if first else f" ({build.config})"

        def noticed(kind, test, objects, libraries, options=(), seconds=120):
            program = build.link(work / kind, objects, libraries)
            code, text = run([*program, *options], work / f"{test}-{build.config}.log", seconds, env)
            if code and test not in build.sound:
                sound = [build.made[test]] if kind == "unit" else [o for o in objects if o not in planted]
                program = build.link(work / kind, sound, libraries)
                build.sound[test] = run([*program, *options], work / "sound.log", seconds, env)[0] == 0
            if code and not build.sound[test]:
                sys.exit(f"faults: {test} fails in {build.config} without a fault")
            return code, text

        for unit in build.units[block_of(file)] if "unit" not in found else ():
            source = TOP / f"tb/unit/{unit}.c"
            parts = [build.made[unit], *planted]
            if f'"{path.name}"' in source.read_text():      # it has the twin inside, with a feature
                parts = [build.compile(source, work / f"{unit}.o", ["-w", f"-I{path.parent}"])]
            code, text = noticed("unit", unit, parts, ["-lcmocka"], (), 60)
            if code:
                found["unit"] = failed_test(text) + note
                break
        if block_of(file) not in in_machine() or (found and not a.every):
            continue
        if path.parent.name == "schedule":
            def compiled_for(command):
                subprocess.run([*command, f"-I{path.parent}", "-c", str(sources[0]), "-o", str(work / "planted.o")],
                               cwd=TOP, check=True)
                return work / "planted.o"

            if first and (said := run_lists(compiled_for, work)):
                found["run list"] = said
            continue
        # The machine may have the block with other sizes as well, or only so.
        planted += [compiled(source) for source in sorted((TOP / "build/generated/cmodel/top").glob("totem_*.c"))
                    if f'"{path.name}"' in source.read_text()]
        for test in build.tests if "rules" not in found else ():
            code, text = noticed("rules", test.stem, [build.made[test.stem], *planted, *build.core], ["-lcmocka"])
            if code:
                found["rules"] = f"{test.stem.removeprefix('test_')}: {failed_test(text)}{note}"
                break
        if "random" not in found and not (retry and first) and (a.every or not found):
            count = a.seeds if first else max(1, a.seeds // 4)
            options = ["--engine", "model", "--seeds", str(count), "--clocks", str(a.clocks)]
            code, text = noticed("random", "random", [*build.random, *planted, *build.core], (), options, 300)
            if code:
                seed = re.findall(r"^seed *(\d+) .*FAILED", text, re.M)
                found["random"] = (f"seed {seed[-1]}" if seed else "stops") + note
    return found


def digest(*patterns):
    """Of the files that a result rests on."""
    found = hashlib.sha256()
    for pattern in patterns:
        for path in sorted(TOP.glob(pattern)):
            found.update(path.read_bytes())
    return found.hexdigest()


def rtl_key(sides, *more):
    block = block_of(sides["rtl"][0])
    return repr(sides["rtl"]) + digest(f"rtl/*/totem_{block}*.v*", "rtl/lib/*.v", *more)


def keys(sides, a):
    """What the result of each score rests on."""
    block = block_of(sides["rtl"][0])
    proof = (f"cmodel/*/totem_{block}.[ch]", f"docs/contract/{block}.md", "synth/equiv/*.py")
    return {
        "equivalence": rtl_key(sides, *proof),
        "properties": f"{a.limit} " + rtl_key(sides, "synth/formal/*.py", "synth/formal/options.txt"),
        "tests": repr((sides.get("cmodel"), a.seeds, a.clocks, a.every)) + digest("cmodel/*/*.[ch]",
                                                                                  "tb/lockstep/*/*.[ch]",
                                                                                  "sim/workloads/run_list_random.py"),
    }


def noticed(result, score):
    """Whether that score notices the fault; None: not tried."""
    if score not in result:
        return None
    if score == "properties":
        return result[score][0]
    return any(k in result[score] for k in TESTS) if score == "tests" else bool(result[score])


def figures(results):
    """score -> (noticed, tried)"""
    found = {}
    for score in SCORES:
        tried = [n for r in results.values() if (n := noticed(r, score)) is not None]
        found[score] = (sum(tried), len(tried))
    return found


def rows(results, a):
    """Rows of docs/results.md: what each score notices, and what it does not."""
    notes = {"equivalence": "fault in the RTL alone, refuted by the proof that RTL and C are equal",
             "properties": f"fault in the RTL, noticed by the properties of its block alone, mini, {a.limit} s each",
             "tests": "same fault in RTL and C, noticed by a test on the C model alone"}
    found = {}
    for score, (count, tried) in figures(results).items():
        missed = [n for n, r in results.items() if noticed(r, score) is False]
        text = f"{count} of {tried} noticed"
        if tried < len(results):
            text += f"; {len(results) - tried} not tried"
        if score == "tests":
            each = [sum(k in r.get("tests", ()) for r in results.values()) for k in TESTS]
            text += f"; {each[0]} by the unit test of the block, {each[1]} by a directed rule test, {each[2]} by " \
                    f"random work ({a.seeds} seeds of {a.clocks} clocks), {each[3]} by that of the run list"
            text += "" if a.every else "; what one notices is not tried with the next"
        if missed:
            text += f"; not noticed: {', '.join(missed)}"
        if tried:
            found[notes[score]] = text
    return found


def blocks_table(results):
    """Noticed of tried, by block and score."""
    out = ["| block | " + " | ".join(SCORES) + " |", "|---|" + "---:|" * len(SCORES)]
    for block in sorted({r["block"] for r in results.values()}):
        own = figures({n: r for n, r in results.items() if r["block"] == block})
        cells = ["{} of {}".format(*own[s]) if own[s][1] else "-" for s in SCORES]
        out.append(f"| `{block}` | " + " | ".join(cells) + " |")
    return out


def table(results, text):
    """The page of all faults."""
    out = ["# Planted faults", "", f"Written by `make faults`: {text} Revision {revision()}.", ""]
    for score, (count, tried) in figures(results).items():
        out.append(f"* {score}: {count} of {tried} noticed")
    out += ["", *blocks_table(results), "",
            "| fault | block | equivalence | properties | unit test | directed rule test | random | run list |",
            "|---|---|---|---|---|---|---|---|"]
    for name, r in results.items():
        proof = "not run" if "equivalence" not in r else r["equivalence"] or "**none**"
        own = "not run" if "properties" not in r else r["properties"][1]
        cells = [proof, own if noticed(r, "properties") in (None, True) else f"**{own}**"]
        cells += ["not run"] * len(TESTS) if "tests" not in r else [r["tests"].get(k, "-") for k in TESTS]
        out.append(f"| `{name}` | {r['block']} | " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only these faults")
    parser.add_argument("--only", action="append", choices=SCORES, help="this score (may be given again)")
    parser.add_argument("--block", action="append", help="only faults of this block (may be given again)")
    parser.add_argument("--record", action="store_true", help="the scores into docs/results.md")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seeds", type=int, default=12,
                        help="random seeds in mini, a quarter of them in full where that is tried")
    parser.add_argument("--clocks", type=int, default=4000)
    parser.add_argument("--mini", action="store_true", help="tests in configuration mini only")
    parser.add_argument("--every", action="store_true", help="each kind of test, whether another notices or not")
    parser.add_argument("--limit", type=int, default=100,
                        help="processor seconds for the properties with one fault (default 100)")
    a = parser.parse_args()
    wanted = a.only or SCORES

    if plant_fault.check():
        sys.exit(1)
    faults = {n: s for n, s in plant_fault.faults().items() if not n.startswith("lockstep-")}
    if set(a.names) - set(faults):
        stop = ", ".join(sorted(set(a.names) - set(faults)))
        sys.exit(f"faults: no fault {stop}; `python3 sim/faults/plant_fault.py --list` names them")
    chosen = {n: s for n, s in faults.items()
              if (not a.names or n in a.names) and (not a.block or block_of(s["rtl"][0]) in a.block)}
    (OUT / "results").mkdir(parents=True, exist_ok=True)
    builds = []
    for config in (CONFIGS[:1] if a.mini else CONFIGS) if "tests" in wanted else ():
        say(f"building model and harness of {config}")
        builds.append(Build(config))
    results, begin = {}, time.monotonic()

    def read(name, sides):
        """What is known of the fault: results of the sources as they are."""
        file = OUT / "results" / f"{name}.json"
        known, now = json.loads(file.read_text()) if file.exists() else {}, keys(sides, a)
        result = {s: known[s] for s in SCORES if known.get("keys", {}).get(s) == now[s] and s in known}
        return result | {"block": block_of(sides["rtl"][0]), "tests_with": known.get("tests_with")}, now

    def one(item):
        name, sides = item
        result, now = read(name, sides)
        work = OUT / "work" / name
        work.mkdir(parents=True, exist_ok=True)
        if "equivalence" in wanted and "equivalence" not in result:
            result["equivalence"] = equivalence(name, sides["rtl"][0], work)
        if "properties" in wanted and "properties" not in result:
            result["properties"] = properties(name, sides["rtl"][0], work, a.limit)
        # A test that was added may notice what none has noticed; what was noticed stays so while the model is the same.
        if builds and "cmodel" in sides:
            unit, found = digest("tb/unit/*.[ch]"), result.get("tests")
            done = found and (not a.every or all(k in found for k in ("unit", "rules")))
            if found is None or (result["tests_with"] != unit and not done):
                result["tests"] = tests(lambda copy: plant_fault.plant(name, copy, "cmodel"), sides["cmodel"][0], work,
                                        builds, a, dict(found or {}))
            result["tests_with"] = unit
        result["keys"] = {s: now[s] for s in SCORES if s in result}
        (OUT / "results" / f"{name}.json").write_text(json.dumps(result))
        shutil.rmtree(work / "rtl", ignore_errors=True)
        shutil.rmtree(work / "cmodel", ignore_errors=True)
        for left in TESTS:
            (work / left).unlink(missing_ok=True)
        results[name] = result
        told = {"equivalence": result.get("equivalence"), "properties": result.get("properties", ("", ""))[1],
                "tests": ", ".join(f"{k}: {v}" for k, v in result.get("tests", {}).items())}
        say(f"{len(results):3} of {len(chosen)} in {time.monotonic() - begin:5.0f} s  {name:24} "
            + "; ".join(f"{s}: {told[s] or 'NONE'}" for s in SCORES if s in wanted and s in result))

    def order(item):
        """Blocks in the order in which they are wanted."""
        block = block_of(item[1]["rtl"][0])
        return a.block.index(block) if a.block else 0

    with ThreadPoolExecutor(a.jobs) as pool:
        list(pool.map(one, sorted(chosen.items(), key=order)))
    # The page has all that is known, whichever faults were wanted now.
    results = {n: results.get(n) or read(n, s)[0] for n, s in faults.items()}
    text = f"{len(results)} faults of `sim/faults/faults.txt`; tests: {a.seeds} random seeds of {a.clocks} clocks in " \
           "`mini`, and what nothing notices there is tried in `full` too."
    (TOP / "build/faults.md").write_text(table(results, text))
    if a.record:
        own = f"python3 sim/faults/faults.py --only properties --limit {a.limit} --record"
        for what, figure in rows(results, a).items():
            recorded.record("faults", {what: figure}, own if "properties" in what else "make faults RECORD=1")
    bad = 0
    for score in wanted:
        for name in chosen:
            if noticed(results[name], score) is False and not (score == "tests" and name in WAIVED):
                why = f" ({results[name][score][1]})" if score == "properties" else ""
                print(f"{score}: {name} is not noticed{why}")
                bad += score != "properties"
    for score, (count, tried) in figures({n: results[n] for n in chosen}).items():
        print(f"{score}: {count} of {tried} noticed")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

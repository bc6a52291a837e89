#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants every fault of sim/faults.txt and says what notices it.

    python3 sim/faults.py [--record] [--jobs N] [--seeds N] [NAME ...]

In the RTL: the proof of its block (configuration mini, and full if mini does not see it). The same fault in the C model, where
the list has one: the unit test of the block, the directed rule tests on the model alone, random work on the model alone (the
account of waves, self-checks and the agent's expectations), random lockstep against the RTL as it is. What needs no RTL
would notice a rule that contract, RTL and C all have wrong. For a block that is not in the machine yet
(tb/lockstep/instances.txt) the unit test alone is tried.

Results are files below build/faults/results, one a fault, kept until the sources change, so that a run that was stopped goes
on. The table is build/faults/faults.md; --record writes docs/faults.md. Exit code 1 if a fault is not refuted by its proof, or
a fault in the model by no test that needs no RTL and has no reason in WAIVED.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import plant_fault
from revision import revision

TOP = Path(__file__).resolve().parent.parent
OUT = TOP / "build/faults"
CONFIGS = ("mini", "full")
HARNESS = sorted(p.stem for p in (TOP / "tb/lockstep").glob("*.c") if not p.stem.endswith("_main") and p.stem != "run") + ["random_main"]
# Parts of the random work, which rule tests do not need.
RANDOM = ("random_main", "agent", "bundle", "clients", "kills", "packets", "recovery", "refusals", "tally", "witness")
WITHOUT_RTL = ("unit", "rules", "random")
# Faults that no test of the model alone needs to notice, because.
WAIVED = {}


def say(text):
    print(text, file=sys.stderr, flush=True)


def output(command):
    return subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True).stdout.split()


def block_of(file):
    name = Path(file).stem.removeprefix("totem_")
    return "packet" if name.startswith("packet_") else name


def tested_by(test):
    """The block whose unit test that file is: test_<block>.c, test_<block>_<subject>.c. The longest name of a source counts."""
    name = Path(test).stem.removeprefix("test_")
    sources = {p.stem.removeprefix("totem_") for p in (TOP / "cmodel").glob("*/*.c")}
    return block_of(max((s for s in sources if name == s or name.startswith(f"{s}_")), key=len, default=""))


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

    def __init__(self, config, lockstep=True, blocks=True):
        self.config, self.folder = config, OUT / config
        self.folder.mkdir(parents=True, exist_ok=True)
        make = ["make", "-s", "-j2", "-C", "cmodel", f"CONFIG={config}", "CC=gcc"]
        subprocess.run(make, cwd=TOP, check=True)
        self.library = output([*make, "print-lib"])[0]
        subprocess.run([sys.executable, "sim/gen_lockstep.py", config, str(self.folder)], cwd=TOP, check=True)
        self.flags = [*output([*make, "print-flags"]), "-D_GNU_SOURCE", "-O1", "-g", "-Itb", "-Itb/lockstep", f"-I{self.folder}"]
        sources = [TOP / f"tb/lockstep/{name}.c" for name in HARNESS] + [TOP / "tb/icarus/rtl_absent.c", self.folder / "probe.c"]
        self.tests = sorted(p for p in (TOP / "tb/unit").glob("test_*.c") if '"rules_world.h"' in p.read_text())
        self.units = {block_of(s["cmodel"][0]): [] for s in plant_fault.faults().values() if "cmodel" in s}
        if not blocks:              # whole machine only
            self.units = {}
        units = [p for p in sorted((TOP / "tb/unit").glob("test_*.c")) if tested_by(p) in self.units]
        for unit in units:
            self.units[tested_by(unit)].append(unit.stem)
        if not all(self.units.values()):
            sys.exit(f"faults: no unit test of {', '.join(b for b, files in self.units.items() if not files)}")
        made = {p.stem: self.compile(p) for p in [*sources, *self.tests, *units]}
        self.core = [made[p.stem] for p in sources if p.stem not in RANDOM]
        self.random = [made[name] for name in RANDOM]
        self.made = made
        if lockstep:
            subprocess.run(["make", "-s", "-C", "tb/lockstep", f"CONFIG={config}", "random"], cwd=TOP, check=True)

    def compile(self, source, target=None, flags=()):
        made = target or self.folder / f"{source.stem}.o"
        subprocess.run(["ccache", "gcc", *self.flags, *flags, "-c", str(source), "-o", str(made)], cwd=TOP, check=True)
        return made

    def link(self, program, objects, libraries=()):
        subprocess.run(["gcc", *map(str, objects), self.library, *libraries, "-lm", "-o", str(program)], cwd=TOP, check=True)
        return [str(program)]

    def lockstep(self, program, planted):
        """As build/lockstep/<config>/random, with the planted file before the model."""
        folder = TOP / f"build/lockstep/{self.config}"
        objects = [self.random[0], *sorted(p for p in (folder / "obj/tb/lockstep").glob("*.o") if not p.stem.endswith("_main")),
                   folder / "obj/probe.o", folder / "obj/rtl.o", folder / "obj/cmodel/tool/pm4_decode.o"]
        verilated = [folder / "verilated" / n for n in ("Vtotem_tb__ALL.a", "verilated.o", "verilated_fst_c.o", "verilated_threads.o")]
        subprocess.run(["g++", str(planted), *map(str, objects), self.library, *map(str, verilated), "-lz", "-lm", "-pthread", "-latomic", "-o", str(program)],
                       cwd=TOP, check=True)
        return [str(program)]


def prove(name, file, work):
    copy = work / "rtl"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(TOP / "rtl", copy)
    path = plant_fault.plant(name, copy)
    for config in CONFIGS:
        begin = time.monotonic()
        _, text = run(["synth/equiv.sh", block_of(file), "--rtl", str(path)], work / f"proof-{config}.log", 900, {"CONFIG": config})
        if ": FAILED;" in text:
            return f"{config}, {time.monotonic() - begin:.0f} s"
    return ""


def failed_test(text):
    match = re.search(r"^not ok \d+ - (\w+)", text, re.M)
    return match[1] if match else "stops"


def model(name, file, work, builds, seeds, clocks, found):
    """What notices the fault in the model: unit, rules, random, lockstep -> where. What is found already is not tried again."""
    retry = bool(found) # random work has been tried
    for build in builds:
        if build.config != CONFIGS[0] and any(kind in found for kind in WITHOUT_RTL):
            break
        copy = work / "cmodel"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(TOP / "cmodel", copy)
        path = plant_fault.plant(name, copy, "cmodel")
        planted = build.compile(path, work / f"planted-{build.config}.o", ["-w"])
        env = {"CMOCKA_MESSAGE_OUTPUT": "TAP"}
        note = "" if build.config == "mini" else f" ({build.config})"
        if "unit" not in found:
            for unit in build.units[block_of(file)]:
                code, text = run(build.link(work / "unit", [build.made[unit], planted], ["-lcmocka"]), work / f"{unit}.log", 60, env)
                if code:
                    found["unit"] = failed_test(text) + note
                    break
        if block_of(file) not in in_machine():
            continue
        if "rules" not in found:
            for test in build.tests:
                code, text = run(build.link(work / "rules", [build.made[test.stem], planted, *build.core], ["-lcmocka"]), work / f"{test.stem}-{build.config}.log", 120, env)
                if code:
                    found["rules"] = f"{test.stem.removeprefix('test_')}: {failed_test(text)}{note}"
                    break
        if build.config != CONFIGS[0]:
            seeds = max(1, seeds // 4)
        for kind, program in (("random", lambda: build.link(work / "random", [*build.random, planted, *build.core])), ("lockstep", lambda: build.lockstep(work / "lockstep", planted))):
            if kind in found or (retry and build.config == CONFIGS[0]):
                continue
            engine = "model" if kind == "random" else "both"
            code, text = run([*program(), "--engine", engine, "--seeds", str(seeds), "--clocks", str(clocks)], work / f"{kind}-{build.config}.log", 300)
            if code:
                seed = re.findall(r"^seed *(\d+) .*FAILED", text, re.M)
                found[kind] = (f"seed {seed[-1]}" if seed else "stops") + note
    return found


def digest(*patterns):
    """Of the files that a result rests on."""
    found = hashlib.sha256()
    for pattern in patterns:
        for path in sorted(TOP.glob(pattern)):
            found.update(path.read_bytes())
    return found.hexdigest()


def proof_key(sides):
    block = block_of(sides["rtl"][0])
    return repr(sides["rtl"]) + digest(f"rtl/*/totem_{block}*.v", f"cmodel/*/totem_{block}.[ch]", f"docs/contract/{block}.md", "rtl/lib/*.v", "synth/equiv/*.py")


def model_key(sides, a):
    return repr((sides.get("cmodel"), a.seeds, a.clocks)) + digest("cmodel/*/*.[ch]", "rtl/*/*.v", "tb/lockstep/*.[ch]")


def table(results, text):
    out = ["# Planted faults", "", f"Written by `make faults{' RECORD=1' if '--record' in sys.argv else ''}`: {text} Revision {revision()}. What it means: [verification](verification.md#planted-faults).", ""]
    total = len(results)
    with_model = [r for r in results.values() if r["model"] is not None]
    tests = [r for r in with_model if any(k in r["model"] for k in WITHOUT_RTL)]
    out += [f"**{sum(bool(r['proof']) for r in results.values())} of {total} faults in the RTL are refuted by the proof of their block.** Of {len(with_model)} planted in the C model as well,",
            f"{sum('lockstep' in r['model'] for r in with_model)} are found by random lockstep, and {len(tests)} by tests that need no RTL: "
            f"{sum('unit' in r['model'] for r in with_model)} by the unit test of the block, {sum('rules' in r['model'] for r in with_model)} by a directed rule test on the whole model, "
            f"{sum('random' in r['model'] for r in with_model)} by random work on the model alone.", "",
            "| fault | block | proof | unit test | directed rule test | random, model alone | random lockstep |", "|---|---|---|---|---|---|---|"]
    for name, r in results.items():
        m = r["model"]
        cells = ["not planted"] * 4 if m is None else [m.get(k, "-") for k in ("unit", "rules", "random", "lockstep")]
        out.append(f"| `{name}` | {r['block']} | {r['proof'] or '**none**'} | " + " | ".join(cells) + " |")
    waived = {n: why for n, why in WAIVED.items() if n in results}
    if waived:
        out += ["", "Not noticed without the RTL, and need not be:", ""] + [f"* `{n}`: {why}" for n, why in waived.items()]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only these faults")
    parser.add_argument("--record", action="store_true", help="write docs/faults.md")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seeds", type=int, default=int(os.environ.get("SEEDS") or 12), help="random seeds in mini, a quarter of them in full where that is tried")
    parser.add_argument("--clocks", type=int, default=4000)
    parser.add_argument("--no-model", action="store_true", help="proofs only")
    parser.add_argument("--mini", action="store_true", help="tests in configuration mini only")
    parser.add_argument("--no-proof", action="store_true", help="tests only")
    a = parser.parse_args()

    if plant_fault.check():
        sys.exit(1)
    faults = {n: s for n, s in plant_fault.faults().items() if not n.startswith("lockstep-") and (not a.names or n in a.names)}
    if a.names and set(a.names) - set(faults):
        sys.exit(f"faults: no fault {', '.join(sorted(set(a.names) - set(faults)))}; `python3 sim/plant_fault.py --list` names them")
    (OUT / "results").mkdir(parents=True, exist_ok=True)
    builds = []
    if not a.no_model:
        for config in CONFIGS if not a.mini else CONFIGS[:1]:
            say(f"building model, harness and RTL of {config}")
            builds.append(Build(config, any(block_of(s["rtl"][0]) in in_machine() for s in faults.values() if "cmodel" in s)))

    done, begin = 0, time.monotonic()
    results = {}

    def one(item):
        nonlocal done
        name, sides = item
        file = OUT / "results" / f"{name}.json"
        result = json.loads(file.read_text()) if file.exists() else {"proof": "not run", "model": None}
        work = OUT / "work" / name
        work.mkdir(parents=True, exist_ok=True)
        result["block"] = block_of(sides["rtl"][0])
        if not a.no_proof and result.get("proof_key") != proof_key(sides):
            result |= {"proof": prove(name, sides["rtl"][0], work), "proof_key": proof_key(sides)}
        # A test that was added or changed may notice what none has noticed; what has been noticed stays so while the model is the same.
        if builds and "cmodel" in sides:
            tests = digest("tb/unit/*.[ch]")
            found = result["model"] if result.get("model_key") == model_key(sides, a) else None
            if found is None or (result.get("tests_key") != tests and not all(k in found for k in ("unit", "rules"))):
                result |= {"model": model(name, sides["cmodel"][0], work, builds, a.seeds, a.clocks, dict(found or {})), "model_key": model_key(sides, a), "tests_key": tests}
        file.write_text(json.dumps(result))
        for left in ("rtl", "cmodel"):
            shutil.rmtree(work / left, ignore_errors=True)
        for left in ("unit", "rules", "random", "lockstep"):
            (work / left).unlink(missing_ok=True)
        results[name] = result
        done += 1
        m = result["model"]
        say(f"{done:3} of {len(faults)} in {time.monotonic() - begin:5.0f} s  {name:24} proof: {result['proof'] or 'NONE'}" +
            ("" if m is None else "; " + "; ".join(f"{k}: {m.get(k, 'no')}" for k in ("unit", "rules", "random", "lockstep"))))

    with ThreadPoolExecutor(a.jobs) as pool:
        list(pool.map(one, faults.items()))
    results = {n: results[n] for n in faults}
    page = table(results, f"{len(results)} faults of `sim/faults.txt`, {a.seeds} random seeds of {a.clocks} clocks in `mini`; what nothing notices there without the RTL is tried in `full` too.")
    target = TOP / "docs/faults.md" if a.record else OUT / "faults.md"
    target.write_text(page)
    unproved = [n for n, r in results.items() if not r["proof"]]
    unseen = [n for n, r in results.items() if r["model"] is not None and not any(k in r["model"] for k in WITHOUT_RTL) and n not in WAIVED]
    for n in unproved:
        print(f"not refuted by the proof: {n}")
    for n in unseen:
        print(f"noticed by no test without the RTL: {n}")
    print(f"{target.relative_to(TOP)}: {len(results) - len(unproved)} of {len(results)} refuted by the proof, {len(unseen)} in the model noticed by no test")
    sys.exit(1 if unproved or unseen else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs prove.py for many blocks, and wiring.py, two at a time; records sums of the results. Called by
synth/equiv.sh."""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "sim/gen"))
import contract as contracts  # noqa: E402
import gen_config  # noqa: E402
import results  # noqa: E402
from revision import revision  # noqa: E402

RESULTS = ROOT / "build" / "equiv"
INDUCTIONS = ROOT / "build" / "formal"      # of synth/formal/induct.py
WIRING = "wiring"                           # a row beside the blocks: the machine around them
TABLE = RESULTS / "proof.md"


def listed(name):
    """First words of the lines of a list in this folder."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return {line.split()[0]: line.split()[1:] for line in lines if line.strip() and not line.startswith("#")}


def ready():
    """Blocks with contract, RTL and C model, and those that lack one: (names, {name: what is missing})."""
    names, missing = [], {}
    for name in contracts.blocks():
        try:
            area = contracts.load(name).area
        except contracts.ContractError as error:
            missing[name] = str(error)
            continue
        lacks = []
        if not (ROOT / "rtl" / area / f"totem_{name}.v").exists():
            lacks.append("RTL")
        if not (ROOT / "cmodel" / area / f"totem_{name}.h").exists():
            lacks.append("C model")
        if lacks:
            missing[name] = "no " + " and no ".join(lacks)
        else:
            names.append(name)
    return names, missing


def one(name, config, options):
    path = RESULTS / config / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    program = ["wiring.py"] if name == WIRING else ["prove.py", name]
    command = ["nice", sys.executable, str(Path(__file__).parent / program[0]), *program[1:], "--config", config,
               "--quiet", "--json", str(path), *listed("options.txt").get(name, []), *options]
    run = subprocess.run(command, capture_output=True, text=True)
    result = json.loads(path.read_text()) if path.exists() else {
        "block": name, "config": config, "verdict": "error", "error": (run.stdout + run.stderr)[-2000:], "seconds": 0}
    result["revision"] = revision()
    path.write_text(json.dumps(result) + "\n")
    return result, run.stdout + run.stderr


HEAD = ("block", "state bits", "outputs", "AND nodes", "properties", "seconds", "verdict")


def row(result):
    return (result["block"],
            *(str(result.get(key, "")) for key in ("state", "outputs", "nodes", "properties", "seconds")),
            result["verdict"])


def batch(options, extra):
    names, missing = ready()
    if options.what == "quick":
        slow = listed("slow.txt")
        if strange := sorted(set(slow) - set(names) - set(missing)):
            sys.exit(f"synth/equiv/slow.txt names {', '.join(strange)}; there is no such block, take the line away")
        # A line without a configuration is for all of them.
        names = [name for name in names if name not in slow or (slow[name] and options.config not in slow[name])]
    if names:
        names.append(WIRING)
    start = time.monotonic()
    width = max([len(name) for name in names] + [5])
    form = f"{{:<{width}}} {{:>10}} {{:>8}} {{:>10}} {{:>10}} {{:>8}}  {{}}"
    print(form.format(*HEAD))
    done = bad = 0
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for result, text in pool.map(lambda name: one(name, options.config, extra), names):
            done += 1
            print(form.format(*row(result)), flush=True)
            if result["verdict"] != "proved":
                bad += 1
                print("".join(f"    {line}\n" for line in text.strip().splitlines()[:40]), end="", flush=True)
    for name, text in missing.items():
        print(f"{name:<{width}} not proved: {text}")
    print(f"{done - bad} proved, {bad} not, {len(missing)} without a twin, {time.monotonic() - start:.0f} s "
          f"({options.config})")
    if options.tally:
        print(f"{done - bad} passed, {bad} failed")
    return 1 if bad or not names else 0


def summary(done, expected):
    """A row of docs/results.md: what is proved, and by name what is not. `done`: {name: [result]}."""
    good = [name for name in expected if name in done and all(r["verdict"] == "proved" for r in done[name])]
    bad = [name for name in expected if name in done and name not in good]
    rest = [name for name in expected if name not in done]
    text = f"{len(good)} of {len(expected)} proved"
    if bad:
        text += f"; NOT proved: {', '.join(bad)}"
    if rest:
        text += f"; not run: {', '.join(rest)}" if len(rest) < len(
            good) else f", those of {', '.join(good)}; others not run"
    return text


def by_config(folder):
    """{configuration: {name: [result]}} of the results that are there."""
    found = {}
    for result in (json.loads(path.read_text()) for path in sorted(folder.glob("*/*.json"))):
        found.setdefault(result["config"], {}).setdefault(result["block"], []).append(result)
    return {config: found[config] for config in ("full", "mini", *gen_config.configurations())
            if config in found}


def revisions(done):
    return ", ".join(sorted({result.get("revision", "unknown") for each in done.values() for result in each}))


def table(form, keys, found):
    lines = [form, re.sub(r"[^|]+", "---", form)]
    for result in (r for done in found.values() for each in done.values() for r in each):
        lines.append("| " + " | ".join(str(result.get(key, "")) for key in keys) + " |")
    return lines + [""]


def status():
    """Sums of all results that are there into docs/results.md, the tables into build/equiv/proof.md."""
    names, missing = ready()
    equal, inductions = by_config(RESULTS), by_config(INDUCTIONS)
    for config, done in equal.items():
        text = summary(done, [*names, *missing, WIRING])
        results.record("proof", {f"C model = RTL, {config}: the blocks and the wiring": text},
                       f"make equiv CONFIG={config}", of=revisions(done))
    stated = [name for name in names if any("`ifdef FORMAL" in path.read_text(encoding="utf-8")
                                            for path in ROOT.glob(f"rtl/*/totem_{name}.v"))]
    for config, done in inductions.items():
        text = summary(done, stated)
        sized = {name: " and ".join(r["parameters"] for r in each) for name, each in done.items()
                 if all(r["parameters"] for r in each)}
        if sized:
            text += "; at other sizes than the configuration's: " + ", ".join(f"{n} ({p})" for n, p in sized.items())
        asserted = sum(r.get("assertions", 0) for each in done.values() for r in each)
        text += f"; {asserted} assertions, counted in each size"
        results.record("proof", {f"properties by induction, {config}: the blocks that have some": text},
                       f"make formal CONFIG={config}", of=revisions(done))
    lines = ["# Proofs, run by run", "", "C model = RTL:", ""]
    lines += table("| block | configuration | state bits | output bits | AND nodes | properties | seconds | verdict "
                   "| revision |",
                   ("block", "config", "state", "outputs", "nodes", "properties", "seconds", "verdict", "revision"),
                   equal)
    lines += ["Properties:", ""]
    lines += table("| block | configuration | parameters | assertions | assumptions | clocks of the step "
                   "| covers, within clocks | seconds | verdict | revision |",
                   ("block", "config", "parameters", "assertions", "assumptions", "depth", "covers", "seconds",
                    "verdict", "revision"), inductions)
    TABLE.write_text("\n".join(lines), encoding="utf-8")
    print(f"{TABLE.relative_to(ROOT)} written")
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["all", "quick", "status"])
    parser.add_argument("--config", type=contracts.configuration, default="full")
    parser.add_argument("--tally", action="store_true", help="last line in the form of the test runner")
    options, extra = parser.parse_known_args()
    return status() if options.what == "status" else batch(options, extra)


if __name__ == "__main__":
    sys.exit(main())

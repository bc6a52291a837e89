#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Yosys on blocks and on the whole machine, records sums in docs/results.md; the command line is that of
synth/synth.sh."""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "sim/gen"))

import gen_config  # noqa: E402 (needs the path above)
import results  # noqa: E402
from revision import revision  # noqa: E402

RTL = ROOT / os.environ.get("SYNTH_RTL", "rtl")
OUT = ROOT / "build" / ("synth" if "SYNTH_RTL" not in os.environ else "synth-copy")
PAGE = OUT / "synth.md"
SECONDS = int(os.environ.get("SYNTH_SECONDS", "1800"))
JOBS = int(os.environ.get("SYNTH_JOBS", "2"))
FLOWS = {"generic": "synth -flatten -top {top}", "ice40": "synth_ice40 -top {top}", "ecp5": "synth_ecp5 -top {top}",
         "check": "synth -flatten -noabc -noshare -top {top} -run begin:fine"}
MACHINE = {"mini": "ice40", "board": "ecp5"}
DEVICES = {"mini": ("iCE40-HX8K", 7680, 32), "board": ("ECP5-85F", 83640, 208)}
# Dead cells go first: the loop variable of a loop under a condition is a latch that nobody reads.
LATCHES = "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$sr t:$_DLATCH_* t:$_DLATCHSR_* t:$_SR_*"


def blocks():
    """{block: file} of the modules that have a contract."""
    found = {}
    for path in sorted(RTL.glob("*/totem_*.v")):
        name = path.stem.removeprefix("totem_")
        if (ROOT / "docs" / "contract" / f"{name}.md").exists():
            found[name] = path
    return found


def parameters(path, config):
    """Those of the configuration's values that the module has as parameters."""
    wanted = re.findall(r"^\s*parameter\s+([A-Z][A-Z0-9_]*)\s*=", path.read_text(), re.M)
    return {name: value for name, value in gen_config.configurations()[config].items() if name in wanted}


def result_path(name, config, flow):
    return OUT / f"{name}-{config}-{flow}.json"


def run(name, path, config, flow):
    """Synthesizes one module. Returns its entry, with `error` if it fails, and keeps it in build/synth/."""
    OUT.mkdir(parents=True, exist_ok=True)
    top = path.stem
    stem = result_path(name, config, flow).with_suffix("")
    folders = sorted(folder.relative_to(ROOT) for folder in RTL.glob("*/"))
    includes = " ".join(f"-I{folder}" for folder in folders)
    libraries = " ".join(f"-libdir {folder}" for folder in folders)
    # The machine takes its sizes from the configuration by itself, as a board would.
    chosen = "" if name == "machine" else "".join(f" -chparam {key} {value}" for key,
                                                  value in parameters(path, config).items())
    script = [f"verilog_defaults -add -DTOTEM_CONFIG_{config.upper()} {includes}",
              f"read_verilog -defer {path.relative_to(ROOT)}",
              f"hierarchy -check -top {top} {libraries}{chosen}",
              "proc", "opt_clean", LATCHES, "check -assert",
              FLOWS[flow].format(top=top),
              LATCHES, "check -assert",
              f"tee -q -o {stem}.stat stat"]
    if name == "machine":
        script.append(f"write_json {stem}.netlist")
    stem.with_suffix(".ys").write_text("\n".join(script) + "\n")
    begin = time.time()
    entry = {"name": name, "config": config, "flow": flow}
    try:
        with open(f"{stem}.log", "w", encoding="utf-8") as log:
            code = subprocess.run(["yosys", "-s", f"{stem}.ys"], cwd=ROOT, stdout=log, stderr=log,
                                  timeout=SECONDS).returncode
        if code:
            lines = Path(f"{stem}.log").read_text(errors="replace").splitlines()
            entry["error"] = next((line for line in lines if "ERROR" in line), f"yosys ended with {code}")
    except subprocess.TimeoutExpired:
        entry["error"] = f"not ready after {SECONDS} s (SYNTH_SECONDS=)"
    entry["seconds"] = round(time.time() - begin, 1)
    if "error" not in entry:
        entry["cells"] = cells(f"{stem}.stat")
    result_path(name, config, flow).write_text(json.dumps(entry, indent=1) + "\n")
    return entry


def cells(path):
    """{kind: count} of the last module of a stat report, which with -flatten is the only one."""
    text = Path(path).read_text().split("=== design hierarchy ===")[-1]
    part = text.split("Number of cells:")[-1].splitlines()[1:]
    return {match.group(1): int(match.group(2)) for match in map(re.compile(r"\s+(\S+)\s+(\d+)$").match, part) if match}


def figures(entry):
    """Columns of an entry."""
    def count(pattern):
        return sum(number for kind, number in entry["cells"].items() if re.search(pattern, kind))
    if entry["flow"] == "check":
        return {"cells": sum(entry["cells"].values())}
    if entry["flow"] == "generic":
        flip_flops = count(r"DFF")
        return {"gates": sum(entry["cells"].values()) - flip_flops, "FF": flip_flops}
    if entry["flow"] == "ice40":
        return {"LUT4": count(r"^SB_LUT4$"), "FF": count(r"^SB_DFF"), "carry": count(r"^SB_CARRY$"),
                "RAM": count(r"^SB_RAM40")}
    return {"LUT4": count(r"^LUT4$"), "FF": count(r"^TRELLIS_FF$"), "carry": count(r"^CCU2C$"),
            "LUT RAM": count(r"^TRELLIS_DPR16X4$"),
            "RAM": count(r"^DP16KD$|^PDPW16KD$"), "DSP": count(r"^MULT18X18D$")}


def line(entry):
    where = f"{entry['name']} {entry['config']} {entry['flow']}"
    if "error" in entry:
        log = result_path(entry["name"], entry["config"], entry["flow"]).with_suffix(".log")
        return f"FAIL {where}: {entry['error']} ({log})"
    return f"ok   {where:32} " + ", ".join(f"{value} {name}" for name,
                                           value in figures(entry).items()) + f"  ({entry['seconds']} s)"


def many(jobs):
    """Runs [(name, path, config, flow)]; prints as they end; returns the entries."""
    entries = []
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run, *job) for job in jobs]):
            entries.append(future.result())
            print(line(entries[-1]), flush=True)
    return entries


def load(name, config, flow):
    path = result_path(name, config, flow)
    return json.loads(path.read_text()) if path.exists() else None


def cell(entry, name):
    if entry is None:
        return "not run"
    return "fails" if "error" in entry else str(figures(entry)[name])


def page():
    version = subprocess.run(["yosys", "-V"], capture_output=True, text=True, check=True).stdout.split("(")[0].strip()
    text = ["# What the RTL costs", "",
            f"Generated by `synth/synth.sh` ({version}) of revision {revision()}; do not edit. No latch and no net "
            "with two drivers or none in any of these runs; a run that",
            "meets one is an error. Gates are Yosys' generic cells of one output after `abc`, flip-flops apart: a "
            "measure to compare blocks by, not an area.", "",
            "## Blocks, generic gates", "",
            "`synth/synth.sh`; one block with `synth/synth.sh BLOCK`. RAMs that stand beside a block are not counted "
            "in it; `ram` is one of 16 words of 64 bits, made of flip-flops.", "",
            "| block | full: gates | full: FF | mini: gates | mini: FF |", "|---|---:|---:|---:|---:|"]
    for name in blocks():
        entries = [load(name, config, "generic") for config in ("full", "mini")]
        text.append(f"| {name} | " + " | ".join(cell(entry, key) for entry in entries for key in ("gates", "FF")) +
                    " |")
    text += ["", "## The whole machine", "",
             "Top `totem` with its RAMs as block RAMs, before place and route. `synth/synth.sh machine mini`, "
             "`synth/synth.sh machine board`.", "",
             "| configuration | target | LUT4 | FF | carry cells | block RAMs | other |",
             "|---|---|---:|---:|---:|---:|---|"]
    for config, flow in MACHINE.items():
        entry = load("machine", config, flow)
        other = ""
        if entry and "error" not in entry:
            rest = figures(entry)
            other = ", ".join(f"{rest[key]} {key}" for key in ("LUT RAM", "DSP") if rest.get(key))
        text.append(f"| {config} | {flow} | " + " | ".join(cell(entry, key) for key in ("LUT4", "FF", "carry", "RAM")) +
                    f" | {other} |")
    text.append("")
    for config, (device, luts, rams) in DEVICES.items():
        entry = load("machine", config, MACHINE[config])
        text.append(f"* An {device} has {luts} LUT4 and as many flip-flops, and {rams} block RAMs"
                    + (f": {config} takes {100 * figures(entry)['LUT4'] / luts:.0f} % of its LUT4 and "
                       f"{100 * figures(entry)['RAM'] / rams:.0f} % of its RAMs."
                       if entry and "error" not in entry else "."))
    PAGE.write_text("\n".join(text) + "\n")
    print(f"{PAGE.relative_to(ROOT)} written")


def record():
    """Sums into docs/results.md: of the blocks if all have run, of each machine that has run."""
    for config in ("full", "mini"):
        entries = {name: load(name, config, "generic") for name in blocks()}
        if all(entry and "error" not in entry for entry in entries.values()):
            found = {name: figures(entry) for name, entry in entries.items()}
            largest = sorted(found, key=lambda name: -found[name]["gates"])[:3]
            results.record("synthesis", {f"blocks, {config}":
                           f"{len(found)} blocks, {sum(f['gates'] for f in found.values()):,} gates, "
                           f"{sum(f['FF'] for f in found.values()):,} FF; largest: "
                           + ", ".join(f"{name} {found[name]['gates']:,}" for name in largest)}, "make synth")
    for config, (device, luts, rams) in DEVICES.items():
        entry = load("machine", config, MACHINE[config])
        if entry and "error" not in entry:
            used = figures(entry)
            results.record("synthesis", {f"machine, {config}, {device.split('-')[0]}":
                           f"{used['LUT4']:,} LUT4, {used['FF']:,} FF, {used['carry']:,} carry cells, {used['RAM']} "
                           "block RAMs:"
                           f" {100 * used['LUT4'] / luts:.0f} % of the LUT4 and {100 * used['RAM'] / rams:.0f} % of "
                           "the RAMs "
                           f"of an {device}"}, f"synth/synth.sh machine {config}")


def main():
    words = sys.argv[1:]
    known = blocks()
    what = words[0] if words else "all"
    if what == "machine" and len(words) == 2 and words[1] in MACHINE:
        entries = many([("machine", RTL / "top" / "totem.v", words[1], MACHINE[words[1]])])
        page()
        record()
    elif len(words) > 1:
        sys.exit("synth: see the head of synth/synth.sh for what it takes")
    elif what == "all":
        jobs = [(name, path, config, "generic") for config in ("full", "mini") for name, path in known.items()]
        entries = many([("machine", RTL / "top" / "totem.v", "mini", "ice40")] + jobs)
        page()
        record()
    elif what == "quick":
        entries = many([(name, path, "mini", "check") for name, path in known.items()])
        failed = sum("error" in entry for entry in entries)
        print(f"{len(entries) - failed} passed, {failed} failed")
    elif what == "page":
        entries = []
        page()
    elif what in known:
        entries = many([(what, known[what], config, flow) for config in ("full", "mini")
                        for flow in ("generic", "ice40")])
    else:
        sys.exit(f"synth: there is no block '{what}'; blocks: {' '.join(known)}")
    sys.exit(any("error" in entry for entry in entries))


if __name__ == "__main__":
    main()

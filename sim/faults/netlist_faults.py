#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants every fault of sim/faults/netlist_faults.txt in the netlist and says what notices it.

    python3 sim/faults/netlist_faults.py [--record] [--list] [--check] [--seeds N] [--clocks N] [NAME ...]

The wiring of the machine is generated in both languages from rtl/top/machine.yaml, so what is wrong there is wrong in
RTL and C model alike, and neither lockstep nor proof sees it. Each fault is made in a copy of machine.yaml, the wiring
of the C model is generated from it, and the machine is given to random work (the account and the judges) and to the
directed rule tests, without RTL, until one notices; whoever the table expects comes first. Directed tests that fail in
a configuration without a fault are left out there.

A line of the table: name, configuration, who is expected (random, run_list: random work of the run list in duo, or a
program tb/unit/test_rules_*), what it means.
Below it, indented, what is changed: |old text| |new text|, where the old text stands exactly once in machine.yaml, or
`+ block.input: source`, a line that is added to `connect`. A line indented by eight spaces goes on with the one before
it, a space apart.

Results are files below build/netlist_faults/results, one a fault, kept until the sources change. The table is
build/netlist_faults/netlist_faults.md; --record puts the sum into docs/results.md. Exit code 1 if nothing notices a
fault.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import faults  # puts sim/gen on the path
import netlist
import results as recorded
from revision import revision

TOP = faults.TOP
TABLE = TOP / "sim/faults/netlist_faults.txt"
NETLIST = TOP / "rtl/top/machine.yaml"
OUT = TOP / "build/netlist_faults"
SHOWN = 150     # characters of a message


def stop(text):
    sys.exit(f"netlist_faults: {text}")


def read():
    """name -> {config, judge, text, edits: [(old, new)]}; old None: a line of `connect`."""
    found, name, lines = {}, None, []
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        if line.startswith(" " * 8) and lines:
            lines[-1] = (lines[-1][0], f"{lines[-1][1]} {line.strip()}")
        else:
            lines.append((number, line))
    for number, line in lines:
        where = f"{TABLE.relative_to(TOP)}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        head = re.fullmatch(r"([\w-]+) (\w+) (\w+): (.+)", line)
        edit = re.fullmatch(r"\s+\|(.+?)\| \|(.*)\|", line)
        added = re.fullmatch(r"\s+\+ (\w+\.\w+: .+)", line)
        if head:
            name = head[1]
            if name in found:
                stop(f"{where}: two faults are called {name}; rename one")
            found[name] = {"config": head[2], "judge": head[3], "text": head[4], "edits": []}
        elif name and edit:
            found[name]["edits"].append((edit[1].replace("\\n", "\n"), edit[2].replace("\\n", "\n")))
        elif name and added:
            found[name]["edits"].append((None, added[1]))
        else:
            stop(f"{where}: expected `name configuration judge: meaning`, `|old| |new|` or `+ block.input: source`")
    return found


def planted(name, fault):
    """The netlist with the fault in it."""
    text = NETLIST.read_text()
    for old, new in fault["edits"]:
        if old is None:
            what = new.split(":")[0]
            text = re.sub(rf"^  {re.escape(what)}: .*\n", "", text, flags=re.M) + f"  {new}\n"
        elif old not in text:
            stop(f"{name}: '{old}' does not stand in machine.yaml; mend {TABLE.relative_to(TOP)}")
        else:                   # the blocks of a graphics pipe repeat those of a compute pipe, which stand first
            text = text.replace(old, new, 1)
    return text


def interface(header):
    """What harness and tests see of the machine: all but the sizes of its parts."""
    return re.sub(r"^TOTEM_(ANY|EVERY|MATCH|PICK)\(.*\n", "", header.read_text(), flags=re.M)


def accepted(name, fault, work):
    """The file of the netlist with the fault, which the netlist's own rules do not refuse."""
    work.mkdir(parents=True, exist_ok=True)
    file, text = work / "machine.yaml", planted(name, fault)
    while True:
        file.write_text(text)
        try:
            netlist.load(file)
            return file
        except netlist.NetlistError as error:
            idle = re.search(r"nobody uses (.+?);", str(error))      # its other reader is in a graphics pipe, or none is
            used = re.search(r"(\S+) is under `unused` and used", str(error))
            if not idle and not used:
                stop(f"{name}: the netlist refuses it ({error}); plant what it takes")
        if idle:
            text = text.replace("\nunused: [", f"\nunused: [{idle[1]}, ", 1)
        else:
            text = re.sub(rf"\b{re.escape(used[1])},?", "", text, count=1)


def generate(name, fault, work):
    """The wiring in C, with the fault."""
    netlist_file = str(accepted(name, fault, work))
    command = [sys.executable, "sim/gen/gen_machine.py", "--netlist", netlist_file, "--c", str(work)]
    made = subprocess.run(command, cwd=TOP, capture_output=True, text=True)
    if made.returncode:
        stop(f"{name}: the generator refuses it ({made.stderr.strip()}); plant what it takes")
    source, plain = work / "totem_machine.c", TOP / "build/generated/cmodel/top/totem_machine.c"
    seen, known = interface(source.with_suffix(".h")), interface(plain.with_suffix(".h"))
    if seen != known and sorted(seen.splitlines()) == sorted(known.splitlines()):   # the same members in another order
        source.with_suffix(".h").write_text(plain.with_suffix(".h").read_text())
    elif seen != known:
        stop(f"{name}: it changes the state or the outputs of the machine; plant what keeps their shapes")
    if source.read_text() == plain.read_text():
        stop(f"{name}: it changes nothing in the C model; plant another one")
    return source


def short(text):
    return text[:SHOWN] + (".." if len(text) > SHOWN else "")


def told_by_test(text):
    """First test that failed, and why."""
    failed = re.search(r"^\[  FAILED  \] (\w+)", text, re.M)
    why = re.search(r"^(?:ERROR: |\[  ERROR   \] --- (?!\[ ))(.*)", text, re.M)
    return short(f"{failed[1] if failed else 'stops'}" + (f": {why[1]}" if why else ""))


def notices(build, planted, judge, work, a):
    """What that judge says, or nothing; planted: the wiring with the fault, in a list."""
    log = work / f"{judge}-{build.config}.log"
    if judge == "random":
        program = build.link(work / "random", [*build.random, *planted, *build.core])
        seeds = a.seeds if build.config == "mini" else max(1, a.seeds // 2)
        options = ["--engine", "model", "--seeds", str(seeds), "--clocks", str(a.clocks)]
        code, text = faults.run([*program, *options], log, 300)
        failed = re.search(r"^seed *(\d+) .*FAILED: (.*)", text, re.M)
        return code and (short(f"seed {failed[1]}: {failed[2]}") if failed else "stops")
    program = build.link(work / "rules", [build.made[f"test_{judge}"], *planted, *build.core], ["-lcmocka"])
    code, text = faults.run(program, log, 120, {"CMOCKA_MESSAGE_OUTPUT": "STDOUT"})
    return code and told_by_test(text)


def build_of(config):
    """Model and harness, and the judges: not every test is made for every configuration."""
    faults.say(f"building model and harness of {config}")
    build = faults.Build(config, blocks=False)
    build.judges = ["random", *(t.stem.removeprefix("test_") for t in build.tests)]
    build.holds = {}
    return build


def holds(build, each, a):
    """Whether a judge says nothing without a fault. Asked when it is first needed."""
    if each not in build.holds:
        work = OUT / "work" / build.config
        work.mkdir(parents=True, exist_ok=True)
        says = notices(build, [], each, work, a)
        build.holds[each] = not says
        if says and each == "random":
            stop(f"random work fails in {build.config} without a fault; mend that first")
        if says:
            faults.say(f"{build.config}: {each} is left out, without a fault it says: {says}")
    return build.holds[each]


def judge(name, fault, build, a):
    """Who notices it, what he says, and the seconds that took."""
    work = OUT / "work" / name
    begin = time.monotonic()
    if build is None:
        source, target = generate(name, fault, work), work / "planted.o"

        def plant(command):
            subprocess.run([*command, f"-I{work}", "-c", str(source), "-o", str(target)], cwd=TOP, check=True)
            return target

        says = short(faults.run_lists(plant, work))
        return {"judge": "run_list" if says else None, "says": says, "seconds": time.monotonic() - begin}
    made = build.compile(generate(name, fault, work), work / f"planted-{build.config}.o", ["-w"])
    if fault["judge"] not in build.judges:
        stop(f"{name}: there is no judge {fault['judge']} in {build.config}; take one of {', '.join(build.judges)}")
    found = {"judge": None, "says": ""}
    if not holds(build, fault["judge"], a):
        stop(f"{name}: {fault['judge']} fails in {build.config} without a fault; take another judge")
    for each in [fault["judge"], *(o for o in build.judges if o != fault["judge"])]:
        says = holds(build, each, a) and notices(build, [made], each, work, a)
        if says:
            found = {"judge": each, "says": says}
            break
    for left in ("random", "rules"):
        (work / left).unlink(missing_ok=True)
    return found | {"seconds": time.monotonic() - begin}


def key(fault, a):
    """What a result rests on."""
    sources = ("cmodel/*/*.[ch]", "rtl/top/machine.yaml", "docs/contract/*.md", "sim/gen/netlist.py",
               "sim/gen/gen_machine.py", "sim/gen/machine_c.py", "sim/gen/c_words.py", "sim/faults/netlist_faults.py",
               "tb/lockstep/*/*.[ch]", "tb/unit/*.[ch]", "sim/workloads/run_list_random.py")
    return repr((fault, a.seeds, a.clocks)) + faults.digest(*sources)


def table(known, results):
    seen = sum(bool(r["judge"]) for r in results.values())
    out = ["# Faults planted in the netlist", "",
           f"Written by `make faults`: {len(results)} faults of `sim/faults/netlist_faults.txt`. "
           f"Revision {revision()}. What it means: [verification](verification.md#planted-faults).", "",
           f"**{seen} of {len(results)} are noticed on the C model alone.** The first judge that notices one is named, "
           "with the first thing he says.", "",
           "| fault | what is wrong | configuration | noticed by | what it says |", "|---|---|---|---|---|"]
    for name, r in results.items():
        says = re.sub(r"[|<>`]", " ", r["says"])
        out.append(f"| `{name}` | {known[name]['text']} | {known[name]['config']} | {r['judge'] or '**nothing**'} "
                   f"| {says} |")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only these faults")
    parser.add_argument("--record", action="store_true", help="the sum into docs/results.md")
    parser.add_argument("--list", action="store_true", help="names and meanings, nothing is run")
    parser.add_argument("--check", action="store_true", help="the netlist takes each, nothing is run")
    parser.add_argument("--seeds", type=int, default=12,
                        help="random seeds in mini, half of them in larger configurations (default 12)")
    parser.add_argument("--clocks", type=int, default=4000, help="clocks of a seed with new work (default 4000)")
    a = parser.parse_args()

    known = read()
    if a.list:
        for name, fault in known.items():
            print(f"{name:26} {fault['config']:5} {fault['judge']:18} {fault['text']}")
        return
    if a.check:
        for name, fault in known.items():
            accepted(name, fault, OUT / "work" / name)
        print(f"{len(known)} faults of the netlist can be planted")
        return
    if set(a.names) - set(known):
        stop(f"no fault {', '.join(sorted(set(a.names) - set(known)))}; --list names them")
    chosen = {n: f for n, f in known.items() if not a.names or n in a.names}
    if a.record and len(chosen) != len(known):
        stop("--record is for the whole table; name no faults")
    (OUT / "results").mkdir(parents=True, exist_ok=True)
    results, builds, begin = {}, {}, time.monotonic()
    for name, fault in chosen.items():
        file = OUT / "results" / f"{name}.json"
        result = json.loads(file.read_text()) if file.exists() else {}
        now = key(fault, a)
        if result.get("key") != now:
            config = "run_list" if fault["judge"] == "run_list" else fault["config"]
            if config not in builds:
                builds[config] = build_of(config) if config != "run_list" else None
            result = judge(name, fault, builds[config], a) | {"key": now}
            file.write_text(json.dumps(result))
        results[name] = result
        note = "" if result["judge"] in (fault["judge"], None) else f" (expected: {fault['judge']})"
        faults.say(f"{len(results):3} of {len(chosen)} in {time.monotonic() - begin:5.0f} s  {name:26} "
                   f"{fault['config']:5} {result['seconds']:4.0f} s  "
                   f"{result['judge'] or 'NOTHING'}{note}: {result['says']}")
    target = OUT / "netlist_faults.md"
    target.write_text(table(known, results))
    unseen = [name for name, r in results.items() if not r["judge"]]
    for name in unseen:
        print(f"noticed by nothing: {name}")
    seen = len(results) - len(unseen)
    if a.record:
        judges = [r["judge"] for r in results.values()]
        each = ", ".join(f"{judge} {judges.count(judge)}" for judge in sorted({j for j in judges if j}))
        recorded.record("faults", {"in the netlist, by a test without RTL":
                        f"{seen} of {len(results)} noticed; first by: {each}" +
                        (f"; not noticed: {', '.join(unseen)}" if unseen else "")}, "make faults RECORD=1")
    print(f"{target.relative_to(TOP)}: {seen} of {len(results)} faults of the netlist are noticed")
    sys.exit(1 if unseen else 0)


if __name__ == "__main__":
    main()

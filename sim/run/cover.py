#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage: functional (every point of tb/lockstep/judges/coverage.def), lines and branches of the C model, lines and
toggles of the RTL, in one report.

    python3 sim/run/cover.py [--seeds N] [--clocks N] [--from SEED] [--config full|mini ...] [--random-only] [--no-rtl]
                         [--record]

The directed rule tests, the shipped workloads and random work run on the C model, compiled with gcov; random work runs
on the RTL too, in configuration mini, compiled by Verilator with --coverage. Hits are added over everything. The report
is build/cover/coverage.md; --record puts the sums into docs/results.md. Exit code 1 if a point is not hit and has no
reason in coverage.def (WAIVED), or if a run failed. """

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "sim/gen"))
import results  # noqa: E402, its folder comes first
from revision import revision  # noqa: E402

OUT = TOP / "build/cover"
PACKAGES = ["jansson", "libcyaml", "yaml-0.1", "libxxhash"]
HARNESS = sorted(p for p in (TOP / "tb/lockstep").glob("*/*.c") if p.stem not in ("rtl_waves", "bench_main"))
RUN = [p.stem for p in HARNESS if p.stem.split("_")[0] == "run"]    # of the tool alone
WORKLOADS = {"full": ["sim/workloads/hello.yaml", "build/workloads/compute-mix.yaml"],
             "mini": ["sim/workloads/turns.yaml"]}
# How often each configuration runs the seeds: most in mini, where queues meet more often and a clock costs less.
SHARE = {"full": 1, "mini": 2}


def say(text):
    print(text, file=sys.stderr, flush=True)


def output(command, **options):
    return subprocess.run(command, cwd=TOP, check=True, capture_output=True, text=True, **options).stdout.split()


def sh(command, log):
    with open(log, "w") as file:
        return subprocess.run(command, cwd=TOP, stdout=file, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL).returncode == 0


def rule_tests():
    return sorted(p for p in (TOP / "tb/unit").glob("test_*.c") if '"rules_world.h"' in p.read_text())


class Build:
    """Model with gcov and harness of one configuration, without Verilator; directed tests and tool, if they run."""

    def __init__(self, config, agent, random_only):
        self.config = config
        self.folder = OUT / config
        self.objects = self.folder / "model"
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.objects.rglob("*.gcda"):
            old.unlink()
        variant = ["-C", "cmodel", f"CONFIG={config}", f"BUILD={self.objects}", "CC=gcc", "CACHE=",
                   "OPT=-O1 --coverage"]
        subprocess.run(["make", "-s", f"-j{os.cpu_count()}", *variant], cwd=TOP, check=True)
        subprocess.run([sys.executable, "sim/gen/gen_lockstep.py", config, str(self.folder)], cwd=TOP, check=True)
        packages = output(["pkg-config", "--cflags", *PACKAGES])
        self.flags = [*output(["make", "-s", *variant, "print-flags"]), "-D_GNU_SOURCE", "-g",
                      "-Itb", "-Itb/totem",
                      *(f"-I{folder}" for folder in sorted({p.parent for p in HARNESS})), f"-I{self.folder}", *packages]
        sources = [agent if agent and path.stem == agent.stem else path
                   for path in HARNESS] + [TOP / "tb/icarus/rtl_absent.c", *(self.folder / f"{name}.c" for name in
                                                                              ("probe", "folds"))]
        commands = sorted(set((TOP / "tb/totem").glob("*.c")) - {TOP / "tb/totem/hand_over.c"})
        directed = [] if random_only else rule_tests()
        if not random_only:
            sources += commands + directed
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            made = dict(zip((s.stem for s in sources), pool.map(self.compile, sources)))
        main = {"random_main", "main"}
        tests = [p.stem for p in directed]
        tool = [made[p.stem] for p in commands if p.stem in made]
        core = [made[s.stem] for s in sources if s.stem not in main | set(tests) and made[s.stem] not in tool
                and s.stem not in RUN]
        self.random = self.link("random", [made["random_main"], *core])
        self.totem = None if random_only else self.link("totem", [*tool, *(made[name] for name in RUN), *core],
                                                        output(["pkg-config", "--libs", *PACKAGES]))
        self.tests = [self.link(name, [made[name], *core], ["-lcmocka"]) for name in tests]

    def compile(self, source):
        made = self.folder / f"{source.stem}.o"
        cache = ["ccache"] if shutil.which("ccache") else []
        level = "-O0" if source.stem.startswith("test_") else "-O1"     # a directed test runs for a moment
        subprocess.run([*cache, "gcc", *self.flags, level, "-c", str(source), "-o", str(made)], cwd=TOP, check=True)
        return made

    def link(self, name, objects, libraries=()):
        program = self.folder / name
        archives = [str(self.objects / name) for name in ("libtotem_driver.a", "libtotem.a", "libtotem_tool.a")]
        subprocess.run(["gcc", "--coverage", *map(str, objects), *archives, *libraries, "-lm", "-o", str(program)],
                       cwd=TOP, check=True)
        return program

    def lines(self):
        """file -> (lines, lines run, branches, branches taken), from gcov."""
        found = {}
        data = [str(p) for p in self.objects.rglob("*.gcda")]
        text = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *data], cwd=self.folder,
                              check=True, capture_output=True, text=True).stdout
        for line in text.splitlines():
            for file in json.loads(line)["files"]:
                path = Path(file["file"])
                if not {TOP / "cmodel", TOP / "build/generated/cmodel"} & set(path.parents):
                    continue
                name = str(path.relative_to(TOP))
                here = found.setdefault(name, ({}, {}))
                for entry in file["lines"]:
                    here[0][entry["line_number"]] = here[0].get(entry["line_number"], 0) + entry["count"]
                    for n, branch in enumerate(entry["branches"]):
                        key = (entry["line_number"], n)
                        here[1][key] = here[1].get(key, 0) + branch["count"]
        return found


class Points:
    """Hits of every point, added over files."""

    def __init__(self):
        self.hits, self.order, self.section, self.waiver, self.rule = Counter(), [], {}, {}, {}

    def add(self, folder):
        for file in Path(folder).glob("hits-*"):
            for line in file.read_text().splitlines():
                hits, section, name, waiver, rule = line.split("\t")
                if name not in self.section:
                    self.order.append(name)
                    self.section[name], self.waiver[name], self.rule[name] = section, waiver, rule
                self.hits[name] += int(hits)

    def missed(self):
        return [n for n in self.order if not self.hits[n]]

    def open(self):
        return [n for n in self.missed() if not self.waiver[n]]


def rtl_counts(files):
    """page -> file -> point -> hits, from Verilator's coverage data, added over files."""
    found = defaultdict(lambda: defaultdict(Counter))
    for line in (line for file in files for line in file.read_text(errors="replace").splitlines()):
        match = re.match(r"C '(.*)' (\d+)$", line)
        if not match:
            continue
        keys = dict(part.split("\x02", 1) for part in match[1].split("\x01") if "\x02" in part)
        path = Path(keys["f"])
        page = keys["page"].split("/")[0]
        if path.parent.parent.name != "rtl" or page not in ("v_line", "v_branch", "v_toggle"):
            continue
        found[page][f"{path.parent.name}/{path.name}"][keys["l"], keys.get("n", ""), keys.get("o", "")] += int(match[2])
    return found


def percent(hit, of):
    return f"{100 * hit / of:.1f}" if of else "-"


def report(points, files, rtl, what, failed):
    missed = points.missed()
    out = ["# Coverage", "",
           f"Written by `{what['command']}`: {what['text']}; revision {revision()}. How it works: "
           "[verification](verification.md#coverage).", ""]
    out += [f"**{len(points.order) - len(missed)} of {len(points.order)} points of functional coverage hit**, "
            f"{len(missed) - len(points.open())} not hit with a reason, {len(points.open())} not hit without one.", ""]
    if failed:
        out += ["Runs that failed: " + ", ".join(failed) + ".", ""]
    out += ["## Points not hit", "", "| point | rule | reason |", "|---|---|---|"]
    for name in sorted(missed, key=lambda n: bool(points.waiver[n])):
        out.append(f"| `{name}` | {points.rule[name]} | {points.waiver[name] or '**none**'} |")
    needless = [n for n in points.order if points.hits[n] and points.waiver[n]]
    if needless:
        out += ["", "Hit though a reason says that they need not be: " + ", ".join(f"`{n}`" for n in needless) + "."]
    section = None
    for name in points.order:
        if points.section[name] != section:
            section = points.section[name]
            out += ["", f"## {section}", "", "| point | rule | hits |", "|---|---|---:|"]
        out.append(f"| `{name}` | {points.rule[name]} | "
                   f"{points.hits[name] or ('none' if not points.waiver[name] else 'none, with reason')} |")
    out += ["", "## Lines and branches of the C model", "",
            "Of all configurations that ran; a branch is a direction of a jump of the compiled code.", "",
            "| file | lines | run % | branches | taken % |", "|---|---:|---:|---:|---:|"]
    sums = [0, 0, 0, 0]
    for name in sorted(files):
        lines, branches = files[name]
        row = [len(lines), sum(map(bool, lines.values())), len(branches), sum(map(bool, branches.values()))]
        sums = [a + b for a, b in zip(sums, row)]
        out.append(f"| `{name}` | {row[0]} | {percent(row[1], row[0])} | {row[2]} | {percent(row[3], row[2])} |")
    out.append(f"| all | {sums[0]} | {percent(sums[1], sums[0])} | {sums[2]} | {percent(sums[3], sums[2])} |")
    if rtl:
        out += ["", "## Lines and toggles of the RTL", "",
                "By Verilator, configuration mini, random work and directed programs in lockstep. A line is a block "
                "of statements, a toggle one bit in one direction.", "",
                "| file | lines and branches | run % | toggles | seen % |", "|---|---:|---:|---:|---:|"]
        sums = [0, 0, 0, 0]
        for name in sorted(set().union(*rtl.values())):
            lines = [v for page in ("v_line", "v_branch") for v in rtl[page].get(name, Counter()).values()]
            toggles = list(rtl["v_toggle"].get(name, Counter()).values())
            row = [len(lines), sum(map(bool, lines)), len(toggles), sum(map(bool, toggles))]
            sums = [a + b for a, b in zip(sums, row)]
            out.append(f"| `rtl/{name}` | {row[0]} | {percent(row[1], row[0])} | {row[2]} | {percent(row[3], row[2])} "
                       "|")
        out.append(f"| all | {sums[0]} | {percent(sums[1], sums[0])} | {sums[2]} | {percent(sums[3], sums[2])} |")
        out += ["", "### Statements of the RTL that never ran", "",
                "First lines of the blocks of statements and of the branches; what only a check of parameters or a "
                "state that does not occur has is among them.", ""]
        for name in sorted(set().union(*rtl.values())):
            never = sorted({int(point[0]) for page in ("v_line", "v_branch") for point,
                            hits in rtl[page].get(name, Counter()).items() if not hits})
            if never:
                out.append(f"* `rtl/{name}`: " + ", ".join(map(str, never)))
    else:
        out += ["", "## Lines and toggles of the RTL", "", "Not counted in this run (`--no-rtl`)."]
    return "\n".join(out) + "\n"


def sums(points, files, rtl, text):
    """Rows of docs/results.md."""
    missed, unexcused = len(points.missed()), len(points.open())
    lines, branches = ([v for file in files.values() for v in file[n].values()] for n in (0, 1))
    found = {
        "points of functional coverage": f"{len(points.order) - missed} of {len(points.order)} hit, "
                                         f"{missed - unexcused} not "
                                         f"hit with a reason, {unexcused} not hit without one; {text}",
        "C model, lines and branches": f"{percent(sum(map(bool, lines)), len(lines))} % of {len(lines):,} lines run, "
                                       f"{percent(sum(map(bool, branches)), len(branches))} % of {len(branches):,} "
                                       "branches taken"}
    if rtl:
        seen = [v for page in ("v_line", "v_branch") for file in rtl[page].values() for v in file.values()]
        toggles = [v for file in rtl["v_toggle"].values() for v in file.values()]
        found["RTL in mini, lines and toggles"] = (
            f"{percent(sum(map(bool, seen)), len(seen))} % of {len(seen):,} lines and branches run, "
            f"{percent(sum(map(bool, toggles)), len(toggles))} % of {len(toggles):,} toggles seen")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100,
                        help="random seeds of full; mini runs twice as many")
    parser.add_argument("--from", dest="first", type=int, default=1,
                        help="the first seed")
    parser.add_argument("--clocks", type=int, default=10000, help="clocks in which a seed gives new work")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--config", action="append", choices=list(SHARE),
                        help="only this configuration (may be repeated); all points are hit in both together")
    parser.add_argument("--random-only", action="store_true", help="without directed tests and workloads")
    parser.add_argument("--agent", type=Path,
                        help="another file in place of that of tb/lockstep with its name, to see what its draw leaves "
                             "out")
    parser.add_argument("--no-rtl", action="store_true", help="without lines and toggles of the RTL")
    parser.add_argument("--record", action="store_true", help="sums into docs/results.md")
    a = parser.parse_args()

    hits = OUT / "hits"
    hits.mkdir(parents=True, exist_ok=True)
    for old in hits.glob("hits-*"):
        old.unlink()
    builds = {}
    for config in a.config or SHARE:
        say(f"building the model of {config} with gcov")
        builds[config] = Build(config, a.agent and a.agent.resolve(), a.random_only)

    subprocess.run([sys.executable, "sim/workloads/compute_mix.py"], cwd=TOP, check=True)
    jobs = []  # name, command
    for config, build in builds.items():
        env = ["env", f"TOTEM_COVER={hits}"]
        if not a.random_only:
            jobs += [(f"{t.name}-{config}", [*env, str(t)]) for t in build.tests]
            jobs += [(f"{Path(w).stem}-{config}",
                      [str(build.totem), "run", "--engine", "model", "--cover", str(hits), w])
                     for w in WORKLOADS[config]]
        total = a.seeds * SHARE[config]
        step = max(1, min(20, total // a.jobs))
        for begin in range(0, total, step):
            jobs.append((f"random-{config}-{a.first + begin}",
                         [str(build.random), "--engine", "model", "--quiet", "--from", str(a.first + begin), "--seeds",
                          str(min(step, total - begin)),
                          "--clocks", str(a.clocks), "--cover", str(hits)]))
    if not a.no_rtl:
        jobs.insert(0, ("rtl-mini", ["sim/run/cover_rtl.sh", str(max(4, a.seeds // 10)), str(a.clocks),
                                     str(OUT / "rtl")]))

    done, failed = 0, []

    def run(job):
        nonlocal done
        good = sh(job[1], OUT / f"{job[0]}.log")
        done += 1
        if not good:
            failed.append(job[0])
        print(f"\r{done} of {len(jobs)} runs, {len(failed)} failed: {job[0]:<40}",
              end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(a.jobs) as pool:
        list(pool.map(run, jobs))
    say("")
    for name in failed:
        say(f"FAILED {name}: {OUT / name}.log")

    points = Points()
    points.add(hits)
    files = {}
    for build in builds.values():
        for name, (lines, branches) in build.lines().items():
            here = files.setdefault(name, ({}, {}))
            for mine, other in ((here[0], lines), (here[1], branches)):
                for key, count in other.items():
                    mine[key] = mine.get(key, 0) + count
    rtl = rtl_counts(sorted((OUT / "rtl").glob("coverage-*.dat"))) if not a.no_rtl else None
    directed = (f"{len(rule_tests())} programs of directed rule tests, "
                f"{sum(len(WORKLOADS[c]) for c in builds)} workloads, ")
    text = (("" if a.random_only else directed) + ", ".join(
        f"{a.seeds * SHARE[c]} random seeds in `{c}`" for c in builds) + f" of {a.clocks} clocks of new work each")
    command = "make cover RECORD=1" if sys.argv[1:] == ["--record"] else " ".join(["sim/run/cover.py", *sys.argv[1:]])
    page = report(points, files, rtl, {"command": command, "text": text}, sorted(failed))
    target = OUT / "coverage.md"
    target.write_text(page)
    if a.record:
        results.record("coverage", sums(points, files, rtl, text),
                       "make cover RECORD=1" if sys.argv[1:] == ["--record"]
                       else " ".join(["python3 sim/run/cover.py", *sys.argv[1:]]))
    for name in points.open():
        print(f"not hit: {name} ({points.section[name]}): {points.rule[name]}")
    print(f"{target.relative_to(TOP)}: {len(points.order) - len(points.missed())} of {len(points.order)} points hit, "
          f"{len(points.missed()) - len(points.open())} not hit with a reason, "
          f"{len(points.open())} not hit without one; {len(failed)} runs failed")
    sys.exit(1 if points.open() or failed or not points.order else 0)


if __name__ == "__main__":
    main()

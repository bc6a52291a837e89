#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of the run list on the whole machine (docs/runlist.md): C model, configuration full, memory of 100 clocks.

    python3 sim/bench/run_list_bench.py [--only PART ..] [--png FILE] [--record]

throughput  N queues of endless grids, quantum 3 x QUANTUM_UNIT0: waves per clock, 64 queues 100 %; moves; waits for a
            slot, at most queues / slots x 8 quanta; 63 busy queues with and without 960 idle ones
urgent      clocks from the doorbell of a queue above all to its first packet and first wave, beside N busy queues, with
            an empty slot kept (SPARE 1) and without (SPARE 0)
waiters     1,023 queues that wait for memory that one queue of the lowest priority writes, with smart waits and without
cliff       N queues of equal, finite work: clocks from the first doorbell to the last fence, and the same with a driver
            in software, which needs 20,000 clocks for a move and never lists more queues than there are slots
requests    1,024 requests of a real trace (arrivals of a service of language models), each a queue; latency
streams     copies of the five streams of a real trace (kernels of an A100), each stream a queue

The last two need the folder of the traces ($TOTEM_STREAMS, or ../shared/streams). The last lines are goals.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path += [str(TOP / "sim/gen"), str(TOP / "sim/workloads")]
import results  # noqa: E402, its folder comes first
import run_list  # noqa: E402

WORK = TOP / "build/bench/runlist"
TRACES = Path(os.environ.get("TOTEM_STREAMS", TOP / "../shared/streams")) / "workloads"
ALL = 0xFFFFFFFFFFFFFFFE        # slots but that of the scheduler
SLOTS = 63
LISTING, LATENCY, WAVE = 1300, 100, 200     # clocks from one listing to the next; of memory; of a wave
COUNTS = (8, 9, 63, 64, 65, 128, 1024)
MOVE = 20000                    # clocks that a driver in software takes
ROUND = 8 * 15000               # a quantum of selected clocks of each queue of a pipe
TURNS = "{enable: true, scale: 0, duration: 1}"


def workload(name, entries, cycles, **more):
    """Writes it. `entries`: texts of run_list.entry; more: settings of the run list, or `image`."""
    image, lines = more.pop("image", ""), run_list.head(name, "full", cycles, ALL, LATENCY, WAVE)
    for key, value in more.items():
        lines[0] = lines[0].replace(f"slots: {ALL:#x}", f"slots: {ALL:#x}, {key}: {value}")
    path = WORK / f"{name}.yaml"
    path.write_text("".join([*lines, image, "entries:\n", *entries]), encoding="utf-8")
    return path


def run(path, *options):
    """What the model says, as JSON; of a run that is cut short too."""
    print(f"{path.stem} {' '.join(map(str, options))} ...", file=sys.stderr)
    done = subprocess.run([TOP / "build/totem", "run", "--engine", "model", "--json", *map(str, options), path],
                          cwd=TOP, capture_output=True, text=True)
    end = json.loads(done.stdout or "{}")
    if "cycles" not in end:
        sys.exit(f"sim/bench/run_list_bench.py: {path.stem}: {(done.stdout + done.stderr).strip()[-600:]}")
    return end


def finished(path, *options):
    end = run(path, *options)
    if end["message"]:
        sys.exit(f"sim/bench/run_list_bench.py: {path.stem}: {end['message']}")
    return end


def events(path, begin):
    """Events from a clock on that tell of entries, packets and waves."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            if any(f'"event":"{what}"' in line for what in ("entry", "executed", "launched", "fence", "interrupt")):
                event = json.loads(line)
                if event["clock"] >= begin:
                    yield event


def endless(number, at, **more):
    return run_list.entry(number, run_list.packets(1, 65000), LISTING * (number + 1), ((at, 6),), process_quantum=3,
                          quantum=TURNS, **more)


# ---- parts: rows of the page, figures, goals

def throughput(found):
    rates, said, worst = {}, {}, 0
    for count, idle in [(n, 0) for n in COUNTS] + [(SLOTS, 960)]:
        begin = LISTING * (count + idle + 2)
        clocks = max(400000, 2 * ROUND * count // SLOTS)        # every queue had its turn, or waited too long
        entries = [endless(n, begin) for n in range(count)]
        entries += [run_list.entry(count + n, run_list.packets(1, 1), LISTING * (count + n + 1),
                                   ((LISTING * (count + n + 2), 4),)) for n in range(idle)]
        path = workload(f"busy-{count}-{idle}", entries, 10 ** 7)
        first, last = (run(path, "--cycles", begin + 100000 + more) for more in (0, clocks))
        rates[count, idle] = (last["waves"] - first["waves"]) / clocks
        busy = last["run_list"]["entries"][:count]
        longest = max(e["longest"] for e in busy)
        mean = sum(e["waited"] for e in busy) // max(1, sum(e["moves"] for e in busy))
        moves = (last["run_list"]["placements"] - first["run_list"]["placements"]) / clocks * 10 ** 6
        worst = max(worst, longest / (ROUND * count / SLOTS))
        said[count, idle] = f"{moves:.0f} moves in a million clocks, mean wait {mean:,}, longest {longest:,} clocks"
        found["rows"].append((f"{count} busy, {idle} idle", f"{rates[count, idle]:.4f} waves a clock",
                              said[count, idle]))
    least = min(rates[n, 0] for n in COUNTS) / rates[64, 0]
    beside = round(100 * rates[SLOTS, 960] / rates[SLOTS, 0], 1)
    found["figures"][f"throughput of {', '.join(map(str, COUNTS))} queues of endless grids, 64 as 100 %"] = (
        ", ".join(f"{100 * rates[n, 0] / rates[64, 0]:.1f}" for n in COUNTS) + f" %; 63 busy and 960 idle queues: "
        f"{beside} % of 63 alone; " + "; ".join(f"{n} queues: {said[n, 0]}" for n in COUNTS[-3:]))
    found["goals"] += [("runlist-throughput", f"{100 * least:.1f}", ">= 97 %", least >= 0.97),
                       ("runlist-idle-queues", beside, ">= 100 %", beside >= 100),
                       ("runlist-longest-wait", f"{worst:.2f}", "<= 1: of queues / slots x 8 quanta", worst <= 1)]


def urgent(found):
    for spare, limit in ((1, 1500), (0, 3000)):
        packets, waves = [], []
        for count in (64, 128, 1016):
            begin = LISTING * (count + 10)
            at = [begin + 60000 + 150 * count + 9001 * n for n in range(8)]     # behind the bells of the others
            entries = [endless(n, begin) for n in range(count)]
            entries += [run_list.entry(count + n, run_list.packets(1, 4), LISTING * (count + n + 1), ((at[n], 6),),
                                       priority=15, pipe_priority=2) for n in range(8)]
            path, file = workload(f"urgent-{count}-{spare}", entries, 10 ** 7, spare=spare), WORK / "events"
            run(path, "--cycles", at[-1] + 20000, "--events", file)
            slot, got = {}, {}
            for e in events(file, begin):
                if e["event"] == "entry" and e["entry"] >= count and e["state"] == "mapped":
                    slot[e["pipe"], e["queue"]] = e["entry"] - count
                elif e["event"] == "entry" and "pipe" in e and e["entry"] < count:
                    slot.pop((e["pipe"], e["queue"]), None)
                elif e["event"] in ("executed", "launched") and (e["pipe"], e["queue"]) in slot:
                    n = slot[e["pipe"], e["queue"]]
                    got.setdefault((n, e["event"]), e["clock"] - at[n])
            file.unlink()
            packets.append([got.get((n, "executed"), 10 ** 6) for n in range(8)])
            waves.append([got.get((n, "launched"), 10 ** 6) for n in range(8)])
            found["rows"].append((f"urgent beside {count}, SPARE {spare}", f"first packet {sorted(packets[-1])}",
                                  f"first wave {sorted(waves[-1])}"))
        most = max(map(max, packets))
        found["figures"][f"a queue above all beside 64, 128 and 1,016 busy ones, SPARE {spare}, 8 each"] = (
            f"first packet after {min(map(min, packets)):,} to {most:,} clocks, first wave after "
            f"{min(map(min, waves)):,} to {max(map(max, waves)):,}")
        found["goals"].append((f"runlist-urgent-spare-{spare}", most, f"<= {limit} clocks", most <= limit))


def waiters(found):
    flag = 0x700000
    for kind, more in (("smart", ",optimize_ace_offload_mode=smart_wait"), ("polling", "")):
        begin = LISTING * 1026
        setup, grid = run_list.packets(1, 1)[:4], run_list.packets(1, 1)[4:]
        wait = f"WAIT_REG_MEM function=eq,mem_space=memory @{flag:#x} 1 0xffffffff poll_interval=4{more}"
        entries = [run_list.entry(n, [*setup, wait, *grid], LISTING * (n + 1), ((begin + n, 7),)) for n in range(1023)]
        entries.append(run_list.entry(1023, [f"WRITE_DATA dst_sel=memory @{flag:#x} 1"], LISTING * 1024,
                                      ((begin + 3000, 1),), priority=0))
        end = run(workload(f"waiters-{kind}", entries, begin + 4 * 10 ** 6))
        found["figures"][f"1,023 queues that wait ({kind}) for one of the lowest priority"] = (
            f"all end {end['cycles'] - begin:,} clocks after the first doorbell")
        found["goals"].append((f"runlist-waiters-{kind}", end["message"] or "ends", "ends", not end["message"]))


def cliff(found):
    points = {"list": {}, "software": {}}
    stream = run_list.packets(8, 40)
    for count in (8, 16, 32, 48, 63, 64, 65, 72, 80, 96, 128, 192, 256):
        for how in points:
            if how == "software" and count <= SLOTS:
                points[how][count] = points["list"][count]
                continue
            begin, entries = LISTING * (min(count, SLOTS) + 2 if how == "software" else count + 2), []
            for n in range(count):
                late = how == "software" and n >= SLOTS
                at = begin + MOVE * (n - SLOTS + 1) if late else LISTING * (n + 1)
                more = {"process_quantum": 3, "quantum": TURNS}
                if how == "software" and n < count - SLOTS:
                    more["dequeue"] = f"[{{at: {begin + MOVE * (n + 1) - 2000}, type: 4}}]"
                entries.append(run_list.entry(n, stream + [run_list.fence(run_list.FENCE + 8 * n, n + 1)], at,
                                              ((at + LISTING if late else begin, len(stream) + 1),), **more))
            path, file = workload(f"cliff-{how}-{count}", entries, 3 * 10 ** 7), WORK / "events"
            run(path, "--events", file)
            last = max(e["clock"] for e in events(file, 0) if e["event"] == "fence")
            file.unlink()
            points[how][count] = last - begin
            found["rows"].append((f"{how}, {count} queues of 640 waves", f"{last - begin:,} clocks"))
    pace = {how: {n: 640 * n / clocks for n, clocks in row.items()} for how, row in points.items()}
    found["pace"] = pace
    found["figures"]["640 waves in each of 64, 128 and 256 queues, waves per clock"] = "; ".join(
        f"{name} {', '.join(f'{pace[how][n]:.2f}' for n in (64, 128, 256))}"
        for how, name in (("list", "run list"), ("software", f"driver of {MOVE:,} clocks a move")))


def percentiles(numbers):
    order = sorted(numbers)
    return ", ".join(f"{p} % {order[min(len(order) - 1, len(order) * p // 100)]:,}" for p in (50, 90, 99)) + \
        f", most {order[-1]:,}"


def rows_of(name):
    with open(TRACES / name, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("//")))


def requests(found):
    trace = rows_of("azure_llm_code_arrivals.csv")[:1024]
    begin = LISTING * 1026
    first, span = float(trace[0]["arrival_ms"]), float(trace[-1]["arrival_ms"]) - float(trace[0]["arrival_ms"])
    for clocks in (500000, 1500000):
        entries, at = [], []
        for n, row in enumerate(trace):
            at.append(begin + int((float(row["arrival_ms"]) - first) / span * clocks))
            stream = run_list.packets(1, -(-int(row["context_tokens"]) // 128))     # its context at once,
            stream += run_list.packets(min(int(row["generated_tokens"]), 40), 1)[4:]     # then a token after the other
            stream.append(run_list.fence(run_list.FENCE + 8 * n, n + 1))
            entries.append(run_list.entry(n, stream, LISTING * (n + 1),
                                          ((at[-1], len(stream)),), process_quantum=1, quantum=TURNS))
        path, file = workload(f"requests-{clocks}", entries, 10 ** 7), WORK / "events"
        finished(path, "--events", file)
        ended = {e["address"]: e["clock"] for e in events(file, begin) if e["event"] == "fence"}
        file.unlink()
        found["figures"][f"1,024 requests of a trace, each a queue, arriving in {clocks:,} clocks"] = (
            "latency " + percentiles([ended[run_list.FENCE + 8 * n] - at[n] for n in range(1024)]) + " clocks")


def streams(found):
    trace = rows_of("kineto_a100_5streams_kernels.csv")
    order = sorted({row["stream"] for row in trace})
    kernels = {s: [row for row in trace if row["stream"] == s][:16] for s in order}
    pace = {}
    for copies in (12, 40):
        begin, entries, waves = LISTING * (copies * len(order) + 2), [], 0
        for n in range(copies * len(order)):
            stream = run_list.packets(1, 1)[:4]
            for row in kernels[order[n % len(order)]]:
                groups = min(200, int(row["grid_x"]) * int(row["grid_y"]) * int(row["grid_z"]))
                stream += run_list.packets(1, groups)[4:]
                waves += 2 * groups
            stream.append(run_list.fence(run_list.FENCE + 8 * n, n + 1))
            entries.append(run_list.entry(n, stream, LISTING * (n + 1),
                                          ((begin, len(stream)),), process_quantum=1, quantum=TURNS))
        end = finished(workload(f"streams-{copies}", entries, 10 ** 7))
        pace[copies] = waves / (end["cycles"] - begin)
        found["rows"].append((f"{copies} copies of five streams", f"{end['cycles'] - begin:,} clocks",
                              f"{pace[copies]:.2f} waves a clock"))
    found["figures"]["copies of the five streams of a trace (16 kernels of each), each stream a queue"] = (
        f"12 copies (60 queues) {pace[12]:.2f} waves a clock, 40 copies (200 queues) {pace[40]:.2f}")


def draw(pace, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(8, 4.2))
    for how, name in (("list", "run list"), ("software", f"driver in software, {MOVE:,} clocks a move")):
        axes.plot(list(pace[how]), list(pace[how].values()), marker="o", label=name)
    axes.axvline(SLOTS, color="#888", linestyle=":", label=f"{SLOTS} slots")
    axes.set(xlabel="queues of 640 waves each", ylabel="waves per clock until all are done", xscale="log",
             ylim=(0, None))
    axes.set_xticks([8, 16, 32, 64, 128, 256], ["8", "16", "32", "64", "128", "256"])
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


PARTS = {part.__name__: part for part in (throughput, urgent, waiters, cliff, requests, streams)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--png", type=Path, help="picture of `cliff`")
    parser.add_argument("--record", action="store_true", help="figures into docs/results.md")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "-s", "-f", "tb/totem/rules.mk"], cwd=TOP, check=True)
    found = {"rows": [], "figures": {}, "goals": []}
    for name in options.only:
        if name in ("requests", "streams") and not TRACES.is_dir():
            print(f"SKIPPED: {name}: {TRACES} is not there")
            continue
        PARTS[name](found)
    for row in found["rows"]:
        print(" | ".join(row))
    for what, figure in found["figures"].items():
        print(f"{what}: {figure}")
    if options.png and "pace" in found:
        draw(found["pace"], options.png)
    if options.record:
        results.record("bench", found["figures"], "make bench")
    for name, figure, limit, met in found["goals"]:
        print(f"goal {name} {figure} {limit} {'met' if met else 'missed'}")


if __name__ == "__main__":
    main()

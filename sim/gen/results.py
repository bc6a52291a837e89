#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recorded figures: rows in docs/results/<topic>.json, one page docs/results.md made of them.

    sim/gen/results.py            writes the page
    sim/gen/results.py --check    says whether the page is current

A row is {"what": .., "command": .., "revision": .., "figure": ..}. A program that measures calls record(); a row takes
the place of that of the same `what`. Long tables (of each block, point, fault) belong below build/.
"""

import json
import sys
import textwrap
from pathlib import Path

from revision import revision

ROOT = Path(__file__).resolve().parents[2]
ROWS = ROOT / "docs" / "results"
PAGE = ROOT / "docs" / "results.md"
KEYS = ("what", "command", "revision", "figure")
# Title, and what a reader has to know, in the order of the page.
TOPICS = {
    "lockstep": ("Random lockstep", """
Random work on C model and Verilated RTL. Every output of every block is compared in every clock, and the harness keeps
its own account of every wave ([how](verification.md#random-work)). Each seed draws queues, priorities, memory latency,
back-pressure, faults and malformed packets. It gets new work for some clocks; then everything must end."""),
    "proof": ("Proofs", """
C model = RTL for all states and inputs, and the properties in the RTL files, by induction ([what is proved](proof.md)).
Row by row: the files below `build/equiv` and `build/formal`; `synth/equiv.sh status` makes the table
`build/equiv/proof.md` of them."""),
    "faults": ("Planted faults", """
Known mistakes put into copies of the RTL, the C model or the netlist ([how](verification.md#planted-faults)). Fault by
fault: `build/faults`."""),
    "coverage": ("Coverage", """
Situations that the rules name, and lines and branches ([how](verification.md#coverage)). Point by point:
`build/cover/coverage.md`; the reasons of points that need not be hit: `tb/lockstep/judges/coverage.def`."""),
    "bench": ("Speed and latency", """
Speeds are ratios of one run, since machines are noisy; latencies are exact. The switch from the boundary to the first
packet of the next queue ([bound](queue.md#bound-of-the-switch)), and the switch of the sources (MQD_SAVE), are measured
on the C model: memory answers in 100 clocks, random mix of all queues with quanta. Histograms:
`build/bench/bench.md`."""),
    "throttle": ("Geometry throttling", """
Draws of two captured frames on four graphics rings, on the C model, throttled and with every static limit
([throttle](throttle.md#figures)). Run by run: `build/bench/throttle.md`."""),
    "tasks": ("Dependent tasks", """
Captured and own chains of tasks on the C model, `board`, with dependent launch and with the semaphore idiom
([task](task.md#figures)). Chain by chain: `build/bench/tasks.md`."""),
    "contexts": ("Context sets", """
A graphics ring of the whole machine, C model, `full` with 2 to 16 sets ([streams](context.md#on-the-machine)). Run by
run: `build/bench/contexts.md`."""),
    "framework": ("A framework", """
tinygrad's AMD driver on the machine with cores, each result compared with that of its CPU device, bit for bit
([how](framework.md))."""),
    "blocks": ("Blocks alone", """
C twin and Verilated RTL of one block with the same random inputs, every output compared in every clock
([how](verification.md#one-block-alone))."""),
    "synthesis": ("Synthesis", """
Yosys' generic cells of one output after `abc`, flip-flops (FF) apart. This measure compares blocks; it is not an area.
No run has a latch, or a net with two drivers or none. RAMs beside a block are not counted in it. Block by block:
`build/synth/synth.md`."""),
    "boards": ("Blocks on two boards", """
The machine with memory, serial line and signature ([boards](bring-up.md)), the self-checking tops with random source,
signature and LEDs, and their blocks alone on the ECP5-85F, every input from a flip-flop and every output into one. MHz:
median of three seeds of nextpnr, then each seed. A path is described from register to register by those of its signals
that still have a name."""),
}


def load(topic):
    path = ROWS / f"{topic}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def save(topic, rows):
    """One key a line, so that a change of a figure is one line."""
    for row in rows:
        if sorted(row) != sorted(KEYS) or not all(isinstance(row[key], str) for key in KEYS):
            raise ValueError(f"a row has the texts {', '.join(KEYS)}: {row}")
    ROWS.mkdir(exist_ok=True)
    ordered = [{key: row[key] for key in KEYS} for row in rows]
    (ROWS / f"{topic}.json").write_text(json.dumps(ordered, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def record(topic, figures, command, whole=False, of=None):
    """Keeps {what: figure}, writes the page. `whole`: rows of the topic that are not among them go away."""
    old = {} if whole else {row["what"]: row for row in load(topic)}
    for what, figure in figures.items():
        old[what] = dict(what=what, command=command, revision=of or revision(), figure=figure)
    save(topic, list(old.values()))
    PAGE.write_text(page(), encoding="utf-8")
    print(f"docs/results.md: {len(figures)} figures of '{TOPICS[topic][0]}' recorded")


def item(row):
    """A row of the page, in lines of 120 columns."""
    command = row["command"].replace(" ", "\0")     # stays in one line
    text = f"**{row['what']}**: {row['figure']} (revision {row['revision']}, `{command}`)"
    return [line.replace("\0", " ") for line in textwrap.wrap(
        text, 120, initial_indent="* ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)]


def page():
    text = ["# Results", "",
            "Generated by `sim/gen/results.py` from `docs/results/*.json`. The commands of the rows write these files "
            "(`RECORD=1`).",
            "A row says what was measured, the figure, the revision that was measured, and the command."]
    for topic, (title, note) in TOPICS.items():
        rows = load(topic)
        text += ["", f"## {title}", note, ""]
        text += [line for row in rows for line in item(row)]
    return "\n".join(text) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    strange = [path.name for path in sorted(ROWS.glob("*")) if path.stem not in TOPICS or path.suffix != ".json"]
    if strange:
        sys.exit(f"docs/results: {', '.join(strange)} belongs to no topic of sim/gen/results.py")
    if sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
            sys.exit("out of date: docs/results.md; run sim/gen/results.py")
        return
    PAGE.write_text(page(), encoding="utf-8")
    print(f"docs/results.md: {sum(len(load(topic)) for topic in TOPICS)} figures")


if __name__ == "__main__":
    main()

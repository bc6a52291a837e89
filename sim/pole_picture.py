#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the totem pole of engine 0 before every grant of a run, from its FST: docs/images/pole.png (sim/pictures.sh).

    python3 sim/pole_picture.py FST PNG [--grants N]

A row for each grant, a place for each pipe, the most favoured one left: its number and the priority of its group (H, M,
L), grey if it has none. The contenders, of each front end the better of its pipes that want and fit, are bold; the pipe
that is granted is underlined.
"""

import argparse
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402, the backend comes first

from pictures import Waves  # noqa: E402

ISSUE = "TOP.totem_tb.dut.g_se[0].se.issue."
PIPES, OF_FRONT_END = 8, 2
LETTERS = {0: "L", 1: "M", 2: "H", 3: "L"}


def grants(fst, most):
    """[(clock of the decision, [pipe] from the top, {pipe: priority} of those with a group, pipes that fit, winner)]"""
    names = ("order", "head_valid", "head_priority", "wants", "fits", "grant_valid", "grant_fe", "grant_pipe")
    waves = Waves(fst, "|".join((ISSUE + name).replace("[", r"\[").replace("]", r"\]").replace(".", r"\.")
                                for name in names))
    found, before = [], None
    for clock, values in waves.clocks():
        order, heads, priority, wants, fits, valid, front, pipe = (values.get(ISSUE + name, 0) for name in names)
        if valid and before:
            found.append((*before, OF_FRONT_END * front + pipe))
            if len(found) == most:
                waves.close()
                break
        before = (clock, [order >> 3 * n & 7 for n in range(PIPES)],
                  {n: priority >> 2 * n & 3 for n in range(PIPES) if heads >> n & 1},
                  {n for n in range(PIPES) if (wants & fits) >> n & 1})
    return found


def contenders(order, priorities, fitting):
    """Of each front end the better pipe that fits: by priority, of equal ones that higher in the pole."""
    best = {}
    for pipe in sorted(fitting, key=lambda n: (-priorities[n], order.index(n)), reverse=True):
        best[pipe // OF_FRONT_END] = pipe
    return set(best.values())


def draw(found, path):
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 12})
    figure, axes = plt.subplots(figsize=(9, 0.42 * len(found) + 1.0), dpi=110)
    axes.set_xlim(-2.2, PIPES)
    axes.set_ylim(len(found) + 0.2, -1.2)
    axes.axis("off")
    axes.text(-2.1, -0.7, "clock", color="#555555", va="center")
    axes.text(0.05, -0.7, "top of the pole: least recently issued", color="#555555", va="center")
    for row, (clock, order, priorities, fitting, winner) in enumerate(found):
        axes.text(-2.1, row, f"{clock:,}", color="#555555", va="center", family="DejaVu Sans Mono")
        strong = contenders(order, priorities, fitting)
        for place, pipe in enumerate(order):
            letter = LETTERS[priorities[pipe]] if pipe in priorities else ""
            axes.text(place + 0.05, row, f"P{pipe} {letter}", va="center",
                      weight="bold" if pipe in strong else "normal",
                      color="#000000" if pipe in priorities else "#b0b0b0")
            if pipe == winner:
                axes.plot([place + 0.02, place + 0.62], [row + 0.34, row + 0.34], color="#00619e", linewidth=2.2)
    figure.tight_layout()
    figure.savefig(path, metadata={"Software": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fst")
    parser.add_argument("png")
    parser.add_argument("--grants", type=int, default=12)
    options = parser.parse_args()
    found = grants(options.fst, options.grants)
    if not found:
        sys.exit(f"pole: engine 0 grants nothing in {options.fst}")
    draw(found, options.png)
    print(f"{options.png}: " + " ".join(f"P{row[-1]}" for row in found))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the totem pole of engine 0 before every grant of a run, from its FST: docs/images/pole.png.

    python3 sim/pictures/pole.py FST PNG [--grants N]

A row for each grant, a place for each pipe, the most favoured one left: its number and the priority of its group (H, M,
L), grey if it has none. Beside the pole the rings in HP3D and in GFX, with what waits there. Contenders are bold: of
each front end the better of its pipes that want and fit, and waves of rings that do. Who is granted is underlined.
Below stands the legend.
"""

import argparse
import sys

import timeline

PIPES, OF_FRONT_END = 8, 2
LETTERS = {0: "L", 1: "M", 2: "H", 3: "L"}
WAVES = {1: "geometry", 2: "pixel"}  # by grant_kind, as the ports of issue have them
TIERS = {0: "GFX", 1: "HP3D"}
FRONT_ENDS = 4
PART = {"wants": "pipes.", "fits": "pipes."}     # in totem_issue_pipes
NAMES = ["order", "head_valid", "head_priority", "wants", "fits", "grant_valid", "grant_fe", "grant_pipe", "grant_kind",
         *(f"{wave}_{what}" for wave in WAVES.values() for what in ("valid", "hp3d", "lacks"))]


def grants(fst, most):
    """Of each grant: its clock, the pole and who waited in the clock of the decision, who was a contender, and who won.

    A pipe is its number, a ring the name of its tier.
    """
    found, before = [], None
    paths = {name: f"{timeline.ENGINE}issue.{PART.get(name, '')}{name}" for name in NAMES}
    for clock, now in timeline.named(fst, paths):
        if now["grant_valid"] and before:
            pipe, kind = OF_FRONT_END * now["grant_fe"] + now["grant_pipe"], int(now["grant_kind"])
            order = [before["order"] >> 3 * n & 7 for n in range(PIPES)]
            priorities = {n: before["head_priority"] >> 2 * n & 3 for n in range(PIPES)
                          if before["head_valid"] >> n & 1}
            fitting = {n for n in range(PIPES) if (before["wants"] & before["fits"]) >> n & 1}
            rings, strong = {}, contenders(order, priorities, fitting)
            for wave in WAVES.values():
                for front in range(FRONT_ENDS):
                    tier = TIERS[before[f"{wave}_hp3d"] >> front & 1]
                    if before[f"{wave}_valid"] >> front & 1:
                        rings[tier] = wave
                        if not now[f"{wave}_lacks"] >> front & 1:  # of the clock before
                            strong.add(tier)
            winner = TIERS[before[f"{WAVES[kind]}_hp3d"] >> now["grant_fe"] & 1] if kind else pipe
            found.append((clock - 1, order, priorities, rings, strong, winner))
            if len(found) == most:
                break
        before = now
    return found


def contenders(order, priorities, fitting):
    """Of each front end the better pipe that fits: by priority, of equal ones that higher in the pole."""
    best = {}
    for pipe in sorted(fitting, key=lambda n: (-priorities[n], order.index(n)), reverse=True):
        best[pipe // OF_FRONT_END] = pipe
    return set(best.values())


def draw(found, path):
    rings = {"HP3D": PIPES + 0.35, "GFX": PIPES + 2.25}
    figure, axes = timeline.figure(size=(11, 0.4 * len(found) + 1.7))
    axes.set_xlim(-1.5, PIPES + 3.9)
    axes.set_ylim(len(found) + 1.9, -1.2)
    axes.axis("off")
    figure.tight_layout()
    axes.text(-1.4, -0.7, "clock", color="#555555", va="center")
    axes.text(0.05, -0.7, "top of the pole: least recently issued", color="#555555", va="center")
    axes.text(PIPES - 0.4, -0.7, "most recently", color="#555555", va="center", ha="right")
    for name, place in rings.items():
        axes.text(place, -0.7, f"ring in {name}", color="#555555", va="center")

    def put(row, place, text, waits, bold, won):
        shown = axes.text(place + 0.05, row, text, va="center", weight="bold" if bold else "normal",
                          color="#000000" if waits else "#b0b0b0")
        if won:
            box = shown.get_window_extent(figure.canvas.get_renderer()).transformed(axes.transData.inverted())
            axes.plot([box.x0, box.x1], [row + 0.34, row + 0.34], color="#00619e", linewidth=2.2)

    for row, (clock, order, priorities, waiting, strong, winner) in enumerate(found):
        axes.text(-1.4, row, f"{clock:,}", color="#555555", va="center", family="DejaVu Sans Mono")
        for place, pipe in enumerate(order):
            letter = LETTERS[priorities[pipe]] if pipe in priorities else ""
            put(row, place, f"P{pipe} {letter}", pipe in priorities, pipe in strong, pipe == winner)
        for name, place in rings.items():
            put(row, place, waiting.get(name, "-"), name in waiting, name in strong, name == winner)
    axes.axhline(len(found) - 0.2, color="#d0d0d0", linewidth=0.8)
    first, second = len(found) + 0.4, len(found) + 1.3
    for row, place, text, style, what in (
            (first, -1.4, "P7", (False, False, False), "nothing to grant"),
            (first, 1.6, "P5 L", (True, False, False), "waits: no room, or a better pipe of its front end"),
            (first, 7.1, "P4 M", (True, True, False), "contender"),
            (first, 9.3, "P1 H", (True, True, True), "contender that is granted"),
            (second, -1.4, "P5", (True, False, False), "pipe 5"),
            (second, 1.6, "L, M, H", (True, False, False), "priority of its group: low, medium, high"),
            (second, 7.1, "geometry", (True, True, False), "waves of a ring: geometry or pixel")):
        put(row, place, text, *style)
        axes.text(place + {4: 0.62, 2: 0.5, 7: 0.95, 8: 1.15}[len(text)], row, what, va="center", color="#555555")
    timeline.save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fst")
    parser.add_argument("png")
    parser.add_argument("--grants", type=int, default=16)
    options = parser.parse_args()
    found = grants(options.fst, options.grants)
    if not found:
        sys.exit(f"pole: engine 0 grants nothing in {options.fst}")
    draw(found, options.png)
    print(f"{options.png}: " + " ".join(
        f"{row[-1]}:{row[3][row[-1]]}" if row[-1] in row[3] else f"P{row[-1]}" for row in found))


if __name__ == "__main__":
    main()

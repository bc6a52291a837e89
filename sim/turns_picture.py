#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the turns of the queues of a pipe from a run's FST: docs/images/turns.png (sim/pictures.sh).

    python3 sim/turns_picture.py FST PNG [--pipe FE.PIPE] [--from CLOCK] [--to CLOCK]

One row for each queue that was ever ready: a bar from the clock of its selection (go) to the clock in which it gives
the pipe up, by its priority then; a thin grey line while it is ready and another queue has the pipe.
"""

import argparse
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402, the backend comes first
from matplotlib.patches import Patch  # noqa: E402

from pictures import PIPE, Waves  # noqa: E402

COLOURS = ["#00619e", "#d9730d", "#2f7d32", "#8e3b86"]


def turns(fst, pipe):
    """(list of (queue, priority, go, left), {queue: list of (from, to) ready and waiting}, last clock)"""
    at = PIPE.format(*pipe)
    names = [at + name for name in ("arbiter.go", "arbiter.selected", "arbiter.ready", "arbiter.queue_priority",
                                    "execute.left")]
    waves = Waves(fst, "|".join(name.replace("[", r"\[").replace("]", r"\]").replace(".", r"\.") for name in names))
    found, waiting, since, open_turn, clock = [], {}, {}, None, 0
    for clock, values in waves.clocks():
        go, selected, ready, priority, left = (values.get(name, 0) for name in names)
        if left and open_turn:
            found.append((*open_turn, clock))
            open_turn = None
        if go:
            open_turn = (selected, priority >> 4 * selected & 15, clock)
        for queue in range(8):
            waits = ready >> queue & 1 and not (open_turn and open_turn[0] == queue)
            if waits and queue not in since:
                since[queue] = clock
            if not waits and queue in since:
                waiting.setdefault(queue, []).append((since.pop(queue), clock))
    if open_turn:
        found.append((*open_turn, clock))
    for queue, begin in since.items():
        waiting.setdefault(queue, []).append((begin, clock))
    return found, waiting, clock


def draw(found, waiting, begin, end, path):
    queues = sorted({turn[0] for turn in found} | set(waiting))
    levels = sorted({turn[1] for turn in found})
    colour = dict(zip(levels, COLOURS))
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "svg.hashsalt": "totem"})
    figure, axes = plt.subplots(figsize=(11, 0.42 * len(queues) + 1.1), dpi=110)
    for row, queue in enumerate(queues):
        for one, two in waiting.get(queue, []):
            axes.plot([one, two], [row, row], color="#9a9a9a", linewidth=1.6, solid_capstyle="butt", zorder=1)
    for queue, priority, go, left in found:
        axes.barh(queues.index(queue), left - go, left=go, height=0.66, color=colour[priority], zorder=2)
    axes.set_yticks(range(len(queues)), [f"Q{queue}" for queue in queues])
    axes.invert_yaxis()
    axes.set_xlim(begin, end)
    axes.xaxis.set_major_locator(matplotlib.ticker.MultipleLocator(1000))
    axes.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value / 1000:.0f}k"))
    axes.set_xlabel("clock")
    axes.grid(axis="x", color="#e4e4e4", zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    handles = [Patch(color=colour[level], label=f"runs, priority {level}") for level in levels]
    handles.append(plt.Line2D([], [], color="#9a9a9a", linewidth=1.6, label="ready, waits for its turn"))
    axes.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(handles), frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Software": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fst")
    parser.add_argument("png")
    parser.add_argument("--pipe", default="0.0")
    parser.add_argument("--from", dest="begin", type=int, default=0)
    parser.add_argument("--to", dest="end", type=int, default=0)
    options = parser.parse_args()
    found, waiting, last = turns(options.fst, options.pipe.split("."))
    if not found:
        sys.exit(f"turns: no queue of pipe {options.pipe} runs in {options.fst}")
    draw(found, waiting, options.begin, options.end or last, options.png)
    print(f"{options.png}: " + " ".join(f"Q{turn[0]}" for turn in found))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the turns of the queues of a pipe from a run's FST: docs/images/turns.png (sim/pictures/make.sh).

    python3 sim/pictures/turns.py FST PNG [--pipe FE.PIPE] [--from CLOCK] [--to CLOCK]

One row for each queue that was ever ready: a bar from the clock of its selection (go) to the clock in which it gives
the pipe up, by its priority then; a thin grey line while it is ready and another queue has the pipe.
"""

import argparse
import sys

import timeline
from timeline import COLOURS, GREY, PIPE

SIGNALS = {"go": "arbiter.go", "selected": "arbiter.selected", "ready": "arbiter.ready",
           "priority": "arbiter.queue_priority", "left": "execute.left"}


def turns(fst, pipe):
    """(list of (queue, priority, go, left), {queue: list of (from, to) ready and waiting}, last clock)"""
    found, waiting, since, turn, clock = [], {}, {}, None, 0
    for clock, now in timeline.named(fst, {key: PIPE.format(*pipe) + name for key, name in SIGNALS.items()}):
        if now["left"] and turn:
            found.append((*turn, clock))
            turn = None
        if now["go"]:
            turn = (now["selected"], now["priority"] >> 4 * now["selected"] & 15, clock)
        for queue in range(8):
            waits = now["ready"] >> queue & 1 and not (turn and turn[0] == queue)
            if waits:
                since.setdefault(queue, clock)
            elif queue in since:
                waiting.setdefault(queue, []).append((since.pop(queue), clock))
    if turn:
        found.append((*turn, clock))
    for queue, begin in since.items():
        waiting.setdefault(queue, []).append((begin, clock))
    return found, waiting, clock


def draw(found, waiting, begin, end, path):
    queues = sorted({turn[0] for turn in found} | set(waiting))
    colour = dict(zip(sorted({turn[1] for turn in found}), COLOURS))
    figure, axes = timeline.figure(size=(11, 0.42 * len(queues) + 1.1))
    for row, queue in enumerate(queues):
        for one, two in waiting.get(queue, []):
            axes.plot([one, two], [row, row], color=GREY, linewidth=1.6, solid_capstyle="butt", zorder=1)
    for queue, priority, go, left in found:
        timeline.bar(axes, queues.index(queue), go, left, colour[priority], 0.66)
    timeline.rows(axes, [f"Q{queue}" for queue in queues])
    axes.set_xlim(begin, end)
    timeline.clocks(axes, 1000, thousands=True)
    axes.grid(axis="x", color="#e4e4e4", zorder=0)
    timeline.legend(figure, [*((shade, f"runs, priority {level}") for level, shade in colour.items()),
                             timeline.line(GREY, "ready, waits for its turn")], len(colour) + 1)
    timeline.save(figure, path, 1 - 0.3 / figure.get_size_inches()[1])


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

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the worked example of docs/task.md from the events of its run: docs/images/tasks.png (sim/pictures/make.sh).

    python3 sim/pictures/task.py EVENTS PNG

Above: a row for each task, with a line for each wave; what is loaded and released; the ring. Below: from the last wave
of the original task to the first one of its dependent.
"""

import sys

import timeline
import task_example     # of sim/workloads

RING, LOAD, RELEASE, WAIT = "#9a9a9a", "#7a4fb0", "#a3231b", "#dcdcdc"
WAVES = ["#00619e", "#d9730d", "#2f7d32"]
HEIGHT = 0.8                    # of a row


def asked(events, address, loaded):
    """Clock of the first read of the descriptor there."""
    return next(line["clock"] for line in events if line["event"] == "read" and line["address"] == address and
                line["clock"] < loaded)


def whole(axes, events, tasks):
    rows = len(tasks)
    launch = [line["clock"] for line in events
              if line["event"] == "selected" or line.get("packet") == "LAUNCH_TASK"]
    timeline.bar(axes, rows, *launch[:2], RING)
    axes.text(launch[1] + 10, rows, f"LAUNCH_TASK, executed in {launch[1]}", va="center", fontsize=9)
    for n, task in enumerate(tasks):
        row, steps = rows - 1 - n, task["steps"]
        timeline.bar(axes, row, asked(events, task_example.BASE + n * task_example.STEP, steps["loaded"]),
                     steps["loaded"], LOAD)
        timeline.bar(axes, row, steps["loaded"], steps["started"], WAIT, 0.12)
        high = HEIGHT / len(task["waves"])
        for k, (begin, end) in enumerate(task["waves"]):
            timeline.bar(axes, row + HEIGHT / 2 - (k + 0.625) * high, begin, end, WAVES[n], 0.75 * high)
        end = max(done for _, done in task["waves"])
        if task["releases"]:
            timeline.bar(axes, row, min(one for one, _ in task["releases"]), max(two for _, two in task["releases"]),
                         RELEASE)
            end = max(two for _, two in task["releases"])
        axes.plot([steps["reported"]] * 2, [row - HEIGHT / 2, row + HEIGHT / 2], color="black", linewidth=1.4)
        axes.text(max(end, steps["reported"]) + 10, row, f"reported\nin {steps['reported']}", va="center", fontsize=9)
    axes.set_yticks(range(rows + 1), [*reversed(task_example.NAMES), "ring"])
    axes.set_ylim(-0.6, rows + 0.6)
    axes.set_xlim(launch[0] - 20, tasks[-1]["steps"]["reported"] + 130)
    timeline.clocks(axes, 200)


def handover(axes, tasks):
    one, two = tasks[0], tasks[1]
    last, first = max(done for _, done in one["waves"]), two["waves"][0][0]
    (written, answered), = one["releases"]
    points = [(last, "last wave done"), (one["steps"]["ended"], "its epoch is done"),
              (written, "release written"), (answered, "release acknowledged"),
              (two["steps"]["inserted"], "dependent inserted"), (two["steps"]["started"], "dependent starts"),
              (one["steps"]["reported"], "original task reported"), (first, "first wave of the dependent")]
    begin, end = last - 14, first + 14
    timeline.bar(axes, 0, begin, last, WAVES[0])
    timeline.bar(axes, 0, written, answered, RELEASE)
    timeline.bar(axes, 0, first, end, WAVES[1])
    # The labels stand in two groups, left and right of the release, each on a line of its own.
    middle = (written + answered) / 2
    groups = [[point for point in points if point[0] < middle], [point for point in points if point[0] >= middle]]
    for side, group in enumerate(groups):
        for place, (clock, text) in enumerate(group):
            level = 0.75 + 0.42 * (len(group) - 1 - place if side == 0 else place)
            axes.plot([clock, clock], [-0.4, level], color="#555555", linewidth=0.8, linestyle=":")
            axes.text(clock + 0.7 if side == 0 else clock - 0.7, level, f"{clock}  {text}", fontsize=9,
                      ha="right" if side else "left", va="center")
    axes.text(middle, 0, f"{answered - written} clocks of memory", color="white", fontsize=9, ha="center", va="center")
    axes.annotate("", (first, -0.6), (answered, -0.6), arrowprops={"arrowstyle": "<->", "linewidth": 0.9})
    axes.text(answered - 1, -0.6, f"{first - answered} clocks", fontsize=9, ha="right", va="center")
    axes.set_ylim(-0.85, 0.75 + 0.42 * max(map(len, groups)) - 0.1)
    axes.set_xlim(begin, end)
    axes.set_yticks([])
    timeline.clocks(axes, 20)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    events, tasks = task_example.read(sys.argv[1])
    figure, (top, bottom) = timeline.figure(2, size=(11, 6.6), shared=False, height_ratios=(1.25, 1))
    whole(top, events, tasks)
    handover(bottom, tasks)
    top.set_title("From the packet to the last report", fontsize=10, loc="left")
    bottom.set_title("From the last wave of the original task to its dependent", fontsize=10, loc="left")
    timeline.legend(figure, [(RING, "packet waits"), (LOAD, "descriptor is read"), (WAIT, "loaded, waits"),
                             *zip(WAVES, ("waves of the original task", "of dependent 1", "of dependent 2")),
                             (RELEASE, "releases until acknowledged")], 4)
    timeline.save(figure, sys.argv[2], 0.92)
    print(f"{sys.argv[2]}: launch to last report")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""What the pictures of docs/images have in common: values of a run by clock, rows of bars over clocks, axes, saving.

    spans(items)                    stretches in which a value stays the same
    figure(..), bar(..), save(..)   matplotlib in the style of the pages
"""

import json
import re
import sys
from itertools import groupby
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402, the backend comes first
from matplotlib.patches import Patch  # noqa: E402
from waves import Waves  # noqa: E402

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "sim/gen"), str(TOP / "sim/workloads")]
PIPE = "TOP.totem_tb.dut.core.g_fe[{}].fe.g_pipe[{}].pipe.front."
ENGINE = "TOP.totem_tb.dut.core.g_se[0].se."
COLOURS = ["#00619e", "#d9730d", "#2f7d32", "#a3231b", "#7a4fb0", "#6b6b6b"]
GREY, NOTE = "#9a9a9a", "#555555"


def named(fst, names):
    """Yields (clock, {short name: value}) of signals given as {short name: whole name}; 0 before they have a value."""
    waves = Waves(fst, "|".join(map(re.escape, names.values())))
    for clock, values in waves.clocks():
        yield clock, {short: int(values.get(whole, 0)) for short, whole in names.items()}
    waves.close()


def events(path):
    """Lines of a run's --events."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def spans(items):
    """(first clock, clock behind the last, value) of each stretch of (clock, value) with one value."""
    found = [(next(group)[0], value) for value, group in groupby(items, key=lambda item: item[1])]
    ends = [begin for begin, _ in found[1:]] + [items[-1][0] + 1]
    return [(begin, end, value) for (begin, value), end in zip(found, ends)]


def figure(rows=1, columns=1, size=(11, 6), shared=True, **options):
    """(figure, axes) without frames, in the style of the pages."""
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "svg.hashsalt": "totem"})
    made, axes = plt.subplots(rows, columns, figsize=size, dpi=110, sharex=shared and columns == 1, **options)
    for each in axes.flat if rows * columns > 1 else [axes]:
        plain(each)
    return made, axes


def plain(axes):
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_axisbelow(True)


def clocks(axes, step=None, thousands=False):
    """The axis of clocks."""
    axes.set_xlabel("clock")
    if step:
        axes.xaxis.set_major_locator(matplotlib.ticker.MultipleLocator(step))
    if thousands:
        axes.xaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(
            lambda value, _: f"{value / 1000:.0f}k" if value else "0"))


def bar(axes, row, begin, end, colour, height=0.8, text=None, **options):
    """A bar in a row, with a text in its middle."""
    axes.barh(row, end - begin, left=begin, height=height, color=colour, **{"linewidth": 0, "zorder": 2} | options)
    if text is not None:
        axes.text((begin + end) / 2, row, text, ha="center", va="center", zorder=4, clip_on=True,
                  color="black" if sum(matplotlib.colors.to_rgb(colour)) > 1.8 else "white")


def at(axes, clock, **options):
    """A dotted line at a clock."""
    axes.axvline(clock, **{"color": "#888888", "linewidth": 0.8, "linestyle": ":"} | options)


def rows(axes, names):
    """Names of the rows, the first one above."""
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()


def legend(made, entries, columns, **options):
    """Above the picture: (colour, text) of bars, or handles of matplotlib."""
    made.legend(handles=[Patch(color=entry[0], label=entry[1]) if isinstance(entry, tuple) else entry
                         for entry in entries],
                loc="upper center", ncols=columns, frameon=False, fontsize=9, **options)


def line(colour, text, width=1.6):
    return plt.Line2D([], [], color=colour, linewidth=width, label=text)


def save(made, path, top=1, bottom=0):
    """Writes the file without the day or the program's name; `top`, `bottom`: what is left of the height for axes."""
    made.tight_layout(rect=(0, bottom, 1, top))
    made.savefig(path, metadata={"Software": None})
    plt.close(made)

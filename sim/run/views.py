#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes GTKWave save files for a run's FST, each at an event of its own, with names for numbers where there are any.

    python3 sim/run/views.py CONFIG FST FOLDER [--mismatch TEXT] [--marker CLOCK] [--pipe F.P] [--engine S]

gives FOLDER/VIEW.gtkw for every view (VIEWS) whose event is in the run, and the translate filters that they name: of
opcodes, loads, words of the command bus, errors, and of the phases of blocks. It shows rows that change in its window,
and no others. TEXT: what the run has said; if it tells of a mismatch, all views are there. --marker: all are in that
clock. Front end and pipe, and engine, are those of the event, otherwise 0.
"""

import argparse
import math
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sim/gen"), str(ROOT / "sim/pictures")]
import contract  # noqa: E402, its folder comes first
import gen_config  # noqa: E402
import gen_lockstep  # noqa: E402
import gen_pm4  # noqa: E402
from waves import PS, Waves  # noqa: E402

PIXELS = 1170       # of the wave pane, in a window of 1600
FRAME = 200         # GTKWave's zoom is the binary logarithm of frames of so many pixels a unit of time
ROW = 22            # pixels of a line
MOST = 32           # clocks of a window: more cannot be read
TOP = "TOP.totem_tb.dut."

FRONT = "g_fe[F].fe.g_pipe[P].pipe.front."
PIPE = "g_fe[F].fe.g_pipe[P].pipe."
RING = "g_fe[F].fe.g_graphics.graphics_pipe."
BLOCKS = {
    **{name: FRONT + name for name in ("hqd", "arbiter", "fetch", "execute", "flight", "epoch", "fence", "bank")},
    "walker": PIPE + "walker", "dc": "g_fe[F].fe.dc", "runner": PIPE + "g_tasks.runner",
    "ring": RING + "front.execute",
    **{name: f"{RING}graphics_{name}" for name in ("render", "context", "frames", "draws")},
    "geometry": "g_se[S].se.g_fe[F].g_graphics.graphics_engine.graphics_geometry", "port": "g_se[S].se.g_fe[F].port",
    **{name: f"g_se[S].se.{name}" for name in ("issue", "launch", "retire")}, "wave": "g_se[S].wave",
    **{name: f"g_fe[F].fe.g_tasks.{name}" for name in ("tasks", "tmd_load", "setup", "finish", "lists")}}


@dataclass
class View:
    event: str          # block.signal that becomes other than 0, or the name of a finder (FINDERS)
    says: str           # what it is
    before: int         # clocks of the window before and behind it
    behind: int
    rows: list          # [(block, signals)]; with a dot it is a field of FIELDS, phase is the state of that name
    notes: list = field(default_factory=list)   # markers, each behind the one before: [(text, block.signal, value)]
    when: str = None    # feature without which there is no such view


VIEWS = {
    "host": View("hqd.active", "a queue is mapped", 14, 8, [
        ("host", ["s_axil_awready", "s_axil_wready", "s_axil_bvalid", "s_axil_bresp", "s_axil_arready", "s_axil_rvalid",
                  "s_axil_rdata", "hqd_valid", "wave_valid", "events_valid", "request_write", "request_doorbell",
                  "request_queue", "request_data", "error_valid", "error_word.code"]),
        ("hqd", ["phase", "shown_queue", "shown_dword", "host_done", "host_error", "load_valid", "load_queue",
                 "load_kind", "load_data", "offer_valid", "offer_queue", "offer_wptr", "active", "dequeuing",
                 "leaving"]),
        ("arbiter", ["active", "ready"]),
        ("events", ["interrupt_ready", "irq"])],
        [("loads", "hqd.load_valid", None), ("active", "hqd.active", None)]),
    "pipe": View("arbiter.go", "a queue is selected", 4, 24, [
        ("arbiter", [None]),
        ("fetch", ["dword_valid", "dword_data", "available", "in_buffer", "pending", "line", "read_valid",
                   "read_addr"]),
        ("execute", ["phase", "executed", "executed_opcode", "commit", "commit_count", "start", "stop", "left",
                     "halted", "wait_flush", "wait_epoch", "error_valid", "error_word.code"]),
        ("walker", ["busy", "group_valid", "group", "outstanding", "stopped", "low", "mask"]),
        ("flight", ["waves"]), ("epoch", ["flushed", "room"]),
        ("fence", ["phase", "write_valid", "interrupt_valid", "error_valid", "error_word.code"]),
        ("dc", ["take", "take_engine", "bus_valid", "bus_tag.kind", "bus_tag", "bus_word"])],
        [("go", "arbiter.go", None), ("first packet", "execute.executed", None),
         ("second", "execute.executed", None)]),
    "engine": View("issue.grant_valid", "a work-group is granted", 3, 21, [
        ("issue", ["grant_valid", "grant_fe", "grant_pipe", "grant_queue", "grant_group.x", "grant_waves",
                   "grant_vgprs", "grant_lds", "free_slots", "free_vgprs_left", "free_lds_left", "order"]),
        ("launch", ["launch_valid", "launch_fe", "launch_pipe", "launch_queue", "launch_group.x", "launch_index",
                    "launch_slot", "launch_threads", "release_valid"]),
        ("retire", ["free_valid", "free_slot", "complete_valid", "complete_queue", "complete_epoch"]),
        ("wave", ["launch_ready", "done_valid", "done_slot", "occupied"])],
        [("grant", "issue.grant_valid", None), ("launch", "launch.launch_valid", None),
         ("done", "wave.done_valid", None), ("free", "retire.free_valid", None)]),
    "switch": View("switch", "the pipe goes from one queue to another", 3, 20, [
        ("arbiter", ["ready", "selected_valid", "selected", "leave", "go"]),
        ("execute", ["phase", "executed", "executed_opcode", "start", "start_resume", "stop", "bank_save", "left",
                     "unfinished"]),
        ("bank", ["loaded"]), ("walker", ["busy", "group_valid", "outstanding", "stopped", "low"]),
        ("fetch", ["dword_valid", "dword_data"]), ("dc", ["bus_valid", "bus_tag.kind", "bus_word"])],
        [("leave", "arbiter.leave", None), ("recall", "dc.bus_tag.kind", 5), ("left", "execute.left", None),
         ("go", "arbiter.go", None), ("first packet", "execute.executed", None)]),
    "launch": View("launch", "a dispatch starts, its first wave is launched", 3, 8, [
        ("execute", ["phase", "executed", "executed_opcode", "start"]), ("walker", ["group_valid", "group.x"]),
        ("dc", ["take", "take_engine", "bus_valid", "bus_tag.kind"]), ("bus", ["lane_valid"]),
        ("port", ["head_valid", "head_group.x", "head_waves"]),
        ("issue", ["grant_valid", "grant_group.x", "free_slots"]),
        ("launch", ["launch_valid", "launch_group.x", "launch_index", "launch_slot", "launch_threads"]),
        ("wave", ["launch_ready", "occupied"])],
        [("start", "execute.start", None), ("header", "dc.bus_valid", None), ("group", "dc.bus_tag.kind", 3),
         ("grant", "issue.grant_valid", None), ("launch", "launch.launch_valid", None)]),
    "context": View("context.roll_want", "a context set is rolled", 6, 24, [
        ("ring", ["phase", "executed", "executed_opcode", "group", "commit", "start"]),
        ("render", ["phase", "hash_valid", "op_valid", "op_index", "op_data", "draw_valid", "done"]),
        ("context", ["current", "used", "has_tag", "answer_valid", "answer", "roll_want", "roll_free", "roll_set",
                     "hit_valid", "hit_set", "done", "rolls", "hits", "misses", "full_clocks"]),
        ("frames", ["roll_want", "roll_room", "changed", "copying", "copy_target", "exposed_clocks", "filtered"]),
        ("draws", ["room", "bus_valid", "bus_word", "end_valid", "end_set"]),
        ("geometry", ["head_valid", "head_state", "head_set", "head_number", "head_primitives"]),
        ("issue", ["grant_valid", "grant_kind", "grant_fe", "grant_set", "free_slots"]),
        ("launch", ["launch_valid", "launch_kind", "launch_draw", "launch_set"])],
        [("roll", "context.roll_want", None), ("copy", "frames.copying", None), ("draw", "render.draw_valid", None)],
        "GRAPHICS"),
    "tasks": View("runner.start", "a task starts", 12, 18, [
        ("runner", ["due", "go", "loading", "launch_valid", "launch_pointer", "on", "start", "taken", "granted",
                    "task_queue", "done"]),
        ("tasks", ["launch_done", "room", "pending", "written", "run", "entry", "list_valid", "list_op", "list_entry",
                   "load_valid", "load_entry", "load_pointer", "setup_valid", "setup_entry", "over_ready"]),
        ("lists", ["answer_valid", "answer_entry", "room"]),
        ("tmd_load", ["read_valid", "read_addr", "answer_valid", "answer_entry", "answer_dependent"]),
        ("finish", ["ending", "write_valid", "write_word", "over_valid", "over_entry"]),
        ("walker", ["busy", "group_valid", "group.x"]), ("issue", ["grant_valid", "grant_group.x"])],
        [("taken", "runner.taken", None), ("start", "runner.start", None), ("grant", "issue.grant_valid", None)],
        "TASKS"),
}
# Part of a word: high bit, low bit (docs/architecture.md, Words).
FIELDS = {"bus_tag.kind": (13, 11), "error_word.code": (63, 56),
          **{f"{name}.x": (15, 0) for name in ("group", "head_group", "grant_group", "launch_group")}}
FILTERS = {"executed_opcode": "opcode", "shown_dword": "window", "load_kind": "load", "bus_tag.kind": "kind",
           "error_word.code": "error"}
PHASES = ["hqd", "execute", "fence", "render"]


def values(block, of):
    """[(value in hex, name)] of what has named values in a contract; what all names begin with is left away."""
    known = contract.load(block)
    rows = [(int(row.number, 0), row.name, int(known.width_of(row))) for row in known.values if row.of == of]
    start = os.path.commonprefix([name for _, name, _ in rows])
    start = start[:start.rfind("_") + 1]
    return [(f"{number:0{(width + 3) // 4}x}", name.removeprefix(start)) for number, name, width in rows]


def phase_width(block):
    return int(next(state.width for state in contract.load(block).state if state.name == "phase"))


def phases(block):
    """[(value, name)] from the contract: in the row of the state, or below it."""
    named = values(block, "phase")
    if named:
        return named
    page = (contract.FOLDER / f"{block}.md").read_text(encoding="utf-8")
    text = re.search(r"^\| `phase` \|.*?(0 [A-Z].*)\|$", page, re.M) or \
        re.search(r"^\*\*Phases\*\*: ((?:.+\n)+)", page, re.M)
    digits = (phase_width(block) + 3) // 4
    return [(f"{int(number):0{digits}x}", name)
            for number, name in re.findall(r"(\d+)\s([A-Z]+)\b", text[1] if text else "")]


def window():
    header = (ROOT / "cmodel" / "host" / "totem_regs_names.h").read_text(encoding="utf-8")
    return [(name, int(address, 16) % 0x100 // 4)
            for name, address in re.findall(r'\{"pipe\[\]\.queue\[\]\.(\w+)", 0x(\w+),', header)]


def write_filters(folder):
    packets = gen_pm4.Source()
    names = {"opcode": [(f"{op:02x}", entry["name"]) for op, entry in sorted(packets.opcodes.items())],
             "load": values("hqd", "load_kind"),
             "kind": values("dc", "`bus_tag` [13:11]"),
             "error": [("00", "NONE")] + [(f"{error['code']:02x}", error["full"])
                                          for group in packets.errors for error in group["errors"]],
             "window": [(f"{value:02x}", name) for name, value in window()],
             **{f"{block}_phase": phases(block) for block in PHASES}}
    for name, rows in names.items():
        if not rows:
            raise SystemExit(
                f"sim/run/views.py: no names for {name}.filter; their source has another form than this expects")
        (folder / f"{name}.filter").write_text("".join(f"{value} {text}\n" for value, text in rows))


class Machine:
    """Where the blocks of a configuration stand, and their outputs."""

    def __init__(self, config):
        self.values = gen_config.configurations()[config]
        self.config = config
        self.layouts, self.model, made = {}, {}, {}
        for block, over, rtl, c, _ in gen_lockstep.instances(self.values):
            key = block, tuple(over.items())
            if key not in made:
                made[key] = gen_lockstep.Layout(block, self.values, over)
            self.layouts[rtl], self.model[rtl] = made[key], c

    def path(self, block, place):
        """Of a block of a view, below the top; place: {"F": front end, "P": pipe, "S": engine}."""
        path = BLOCKS.get(block, block)
        for letter, number in place.items():
            path = path.replace(f"[{letter}]", f"[{number}]")
        return path if path in self.layouts else f"core.{path}"     # below totem_core

    def outputs(self, path, view):
        if path not in self.layouts:
            raise SystemExit(f"sim/run/views.py: configuration {self.config} has no {path}, which view {view} shows")
        return {port.name: port for port in self.layouts[path].outputs}


def pattern(event):
    """Regular expression of the signal block.signal in any place."""
    block, _, signal = event.partition(".")
    path = re.escape(BLOCKS.get(block, block))
    return r".*\." + re.sub(r"\\\[[FPS]\\\]", r"\\[\\d+\\]", path) + r"\." + signal


def place_of(name, template):
    """{"F": .., "P": .., "S": ..} of a signal's name; what its path does not have is 0."""
    where = dict.fromkeys("FPS", "0")
    form = re.sub(r"\\\[([FPS])\\\]", r"\\[(?P<\1>\\d+)\\]", re.escape(template))
    return where | re.search(form, name).groupdict()


class Switch:
    """A queue that leaves within a dispatch, or else in any way, and the next one that is selected."""
    signals = ["execute.stop", "execute.left", "arbiter.go", "arbiter.selected"]

    def __init__(self):
        self.stops, self.left, self.best, self.inside = {}, {}, None, False

    def clock(self, clock, now):
        for pipe in {(p["F"], p["P"]) for _, p, _ in now}:
            at = {event: value for event, p, value in now if (p["F"], p["P"]) == pipe}
            if at.get("execute.stop"):
                self.stops.setdefault(pipe, clock)
            if at.get("execute.left"):
                self.left[pipe] = (self.stops.pop(pipe, None), clock, at["arbiter.selected"])
            if at.get("arbiter.go") and pipe in self.left:
                stop, left, queue = self.left.pop(pipe)
                if clock - left > 30 or queue == at["arbiter.selected"]:
                    continue
                self.inside = stop is not None and clock - stop <= 30
                if self.inside or self.best is None:
                    self.best = stop if self.inside else left, clock, clock, dict(zip("FP", pipe), S="0")
        return self.inside


class Launch:
    """The first wave, from the start of its dispatch on."""
    signals = ["execute.start", "launch.launch_valid", "launch.launch_fe", "launch.launch_pipe"]

    def __init__(self):
        self.starts, self.best = {}, None

    def clock(self, clock, now):
        for event, place, value in now:
            if event == "execute.start" and value:
                self.starts[place["F"], place["P"]] = clock
        for event, place, value in now:
            if event == "launch.launch_valid" and value:
                at = {e: int(v) for e, p, v in now if p["S"] == place["S"]}
                pipe = str(at["launch.launch_fe"]), str(at["launch.launch_pipe"])
                if pipe in self.starts:
                    start = self.starts[pipe]
                    self.best = start, clock, start, {"F": pipe[0], "P": pipe[1], "S": place["S"]}
        return self.best is not None


class First:
    """The first clock in which an output becomes other than 0: not what it already is where the FST begins."""

    def __init__(self, event):
        self.signals, self.best, self.before = [event], None, None

    def clock(self, clock, now):
        before, self.before = self.before, [bool(value) for _, _, value in now]
        for n, (_, place, value) in enumerate(now):
            if value and before and not before[n]:
                self.best = clock, clock, clock, place
                return True
        return False


FINDERS = {"switch": Switch, "launch": Launch}


def find_places(fst, views):
    """{view: (first clock, last clock, that of the marker, place)} of the views whose event is in the run."""
    finders = {view: FINDERS[what.event]() if what.event in FINDERS else First(what.event)
               for view, what in views.items()}
    waves = Waves(fst, "|".join(pattern(event) for finder in finders.values() for event in finder.signals))
    events = {event: BLOCKS[event.split(".")[0]] for finder in finders.values() for event in finder.signals}
    places = {name: [(event, place_of(name, path)) for event, path in events.items()
                     if re.fullmatch(pattern(event), name)] for names in waves.names.values() for name in names}
    open_ = dict(finders)
    for clock, now in waves.clocks():
        if not now:
            continue
        said = [(event, place, now.get(name, 0)) for name, rows in places.items() for event, place in rows]
        for view, finder in list(open_.items()):
            if finder.clock(clock, [row for row in said if row[0] in finder.signals]):
                del open_[view]
        if not open_:
            break
    waves.close()
    return {view: finder.best for view, finder in finders.items() if finder.best}


def find_mismatch(text):
    """The same of the mismatch of which the output of a run tells, or None."""
    words = Path(text).read_text(encoding="utf-8", errors="replace") if text else ""
    clock = re.search(r"^It began in clock (\d+)", words, re.M) or \
        re.search(r"^(?:Mismatch at|Broken rule:) clock (\d+)", words, re.M)
    if not clock:
        return None
    rtl = re.search(r"^  RTL +(totem_tb\S+)", words, re.M)
    found = re.search(r"(?:g_fe\[(?P<F>\d+)\])?(?:.*g_pipe\[(?P<P>\d+)\])?(?:.*g_se\[(?P<S>\d+)\])?.*$",
                      rtl[1].removeprefix("totem_tb.dut.core.") if rtl else "")
    place = {key: value or "0" for key, value in found.groupdict().items()}
    return *[int(clock[1])] * 3, place


def rows_of(machine, view, what, place):
    """[(place in the model, shown name, whole name in the FST, its bits, high, low, filter or None)]"""
    for block, wanted in what.rows:
        path = machine.path(block, place)
        ports = machine.outputs(path, view)
        for name in [n for n in wanted for n in ([n] if n else ports)]:
            if name == "phase":
                of = path.rsplit(".", 1)[-1].removeprefix("graphics_")
                bits = phase_width(of)
                yield machine.model[path], name, f"{TOP}{path}.phase_q", bits, bits - 1, 0, f"{of}_phase"
                continue
            port = ports.get(name.split(".")[0])
            if port is None:
                raise SystemExit(f"sim/run/views.py: view {view}: {path} has no output {name}")
            bits = port.width * (port.elements or 1)
            high, low = FIELDS.get(name, (bits - 1, 0))
            whole = f"{TOP}{path}.{port.name}"
            yield machine.model[path], name.replace(".", "_"), whole, bits, high, low, FILTERS.get(name)


def history(fst, windows):
    """{view: {name: {clock: value}}} of the signals of each view in its window (begin, end, names)."""
    names = {name for _, _, wanted in windows.values() for name in wanted}
    waves = Waves(fst, "|".join(map(re.escape, sorted(names))) or "-")
    found = {view: {name: {} for name in wanted} for view, (_, _, wanted) in windows.items()}
    last = max((end for _, end, _ in windows.values()), default=0)
    for clock, now in waves.clocks():
        for view, (begin, end, wanted) in windows.items():
            if begin <= clock <= end:
                for name in wanted:
                    found[view][name][clock] = int(now.get(name, 0))
        if clock > last:
            break
    waves.close()
    return found


def markers(machine, what, place, seen):
    """[(text, clock)] of the notes, in their order; the same event once more is a later one."""
    found, at, before = [], 0, None
    for text, event, wanted in what.notes:
        block, _, signal = event.partition(".")
        whole = f"{TOP}{machine.path(block, place)}.{signal.split('.')[0]}"
        high, low = FIELDS.get(signal, (63, 0))
        for clock, value in sorted(seen[whole].items()):
            part = value >> low & (1 << high - low + 1) - 1
            if clock >= at + (event == before) and (part == wanted if wanted is not None else part):
                found.append((text, clock))
                at, before = clock, event
                break
    return found


def write_view(path, fst, height, begin, end, marker, notes, rows, folder):
    zoom = math.log2(PIXELS / (PS * (end - begin)) / FRAME)
    named = [PS * clock for _, clock in notes] + [-1] * (26 - len(notes))
    lines = [f'[dumpfile] "{fst.resolve()}"', f"[timestart] {PS * begin}", "", "[pos] -1 -1",
             f"*{zoom:.6f} {PS * marker} " + " ".join(map(str, named)),
             *(f"[markername_long] {chr(65 + n)} {text}" for n, (text, _) in enumerate(notes)),
             "[sst_width] 200", "[signals_width] 340", "[sst_expanded] 1", "@24", "+{clock} TOP.clock[31:0]"]
    last = None
    for block, shown, whole, bits, high, low, filter_ in rows:
        if block != last:
            lines += ["@200", f"-{block}"]
        last = block
        lines.append("@2022" if filter_ else "@28" if high == low else "@22")
        if filter_:
            lines.append(f"^1 {(folder / filter_).resolve()}.filter")
        name = whole if bits == 1 else f"{whole}[{bits - 1}:0]"
        if high - low + 1 == bits:
            lines.append(f"+{{{shown}}} {name}")
        else:       # bits of a vector are numbered from its most significant one
            lines.append(f"#{{{shown}}} " + " ".join(f"({bits - 1 - bit}){name}" for bit in range(high, low - 1, -1)))
    count = sum(line.startswith(("-", "+", "#")) for line in lines)
    lines[2] = f"[size] 1600 {min(height, 150 + ROW * count)}"
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config", choices=gen_config.configurations())
    parser.add_argument("fst", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mismatch", help="what the run has said")
    parser.add_argument("--marker", type=int, help="clock in which all views are")
    parser.add_argument("--pipe", help="front end and pipe, F.P")
    parser.add_argument("--engine")
    parser.add_argument("--height", type=int, default=1000, help="most pixels of the window")
    given = parser.parse_args()
    machine = Machine(given.config)
    views = {view: what for view, what in VIEWS.items() if not what.when or machine.values[what.when]}
    write_filters(given.folder)
    for view in VIEWS:
        (given.folder / f"{view}.gtkw").unlink(missing_ok=True)
    at = find_mismatch(given.mismatch)
    if given.marker is not None:
        at = *[given.marker] * 3, dict.fromkeys("FPS", "0")
    places = dict.fromkeys(views, at) if at else find_places(str(given.fst), views)
    forced = dict(zip("FP", given.pipe.split("."))) if given.pipe else {}
    forced.update({"S": given.engine} if given.engine else {})
    windows, rows = {}, {}
    for view, (first, last, _, place) in places.items():
        place.update(forced)
        what = views[view]
        begin = max(0, first - (what.before if not at else 20))
        rows[view] = list(rows_of(machine, view, what, place))
        noted = [f"{TOP}{machine.path(event.split('.')[0], place)}.{event.split('.')[1]}" for _, event, _ in what.notes]
        windows[view] = begin, min(last + (what.behind if not at else 10), begin + MOST), \
            {row[2] for row in rows[view]} | set(noted)
    seen = history(str(given.fst), windows)
    for view, what in views.items():
        if view not in places:
            print(f"no view {view}: it would open where {what.says}")
            continue
        _, _, marker, place = places[view]
        begin, end, _ = windows[view]
        active = [row for row in rows[view]
                  if len({value >> row[5] & (1 << row[4] - row[5] + 1) - 1
                          for value in seen[view][row[2]].values()}) > 1]
        notes = [] if at else markers(machine, what, place, seen[view])
        write_view(given.folder / f"{view}.gtkw", given.fst, given.height, begin, end, marker, notes,
                   active or rows[view], given.folder)
        said = ", ".join(f"{text} {clock}" for text, clock in notes)
        print(f"gtkwave {given.folder / view}.gtkw    clock {marker}: " +
              ("" if at else f"{what.says}{f' ({said})' if said else ''}"))


if __name__ == "__main__":
    main()

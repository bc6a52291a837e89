#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes GTKWave save files for a run's FST: one per area, with names for numbers where a number stands for something.

    python3 sim/run/views.py CONFIG FST FOLDER [--pipe F.P] [--engine S] [--from CLOCK --to CLOCK] [--marker CLOCK]

gives FOLDER/{host,pipe,engine,switch,launch}.gtkw, with graphics pipes context.gtkw too, and the translate filters that they name: of opcodes, loads, words of
the command bus, errors, and of the phases of blocks. Front end and pipe (default 0.0) and engine (default 0) are those
that the views show. A clock of the run is 1000 units (ps) of the FST's time.
"""

import argparse
import math
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim/gen"))
import contract  # noqa: E402, its folder comes first
import gen_config  # noqa: E402
import gen_lockstep  # noqa: E402
import gen_pm4  # noqa: E402

PS = 1000           # units of the FST's time a clock
PIXELS = 1200       # of the wave pane, in a window of 1600
FRAME = 200         # GTKWave's zoom is the binary logarithm of frames of so many pixels a unit of time
ROW = 22            # pixels of a line

# View: [(RTL path of the instance, signals; None: all outputs)]; a signal with a dot is a field of FIELDS, phase is the
# state of that name.
VIEWS = {
    "host": [("host", ["s_axil_awready", "s_axil_wready", "s_axil_bvalid", "s_axil_bresp", "s_axil_arready",
                       "s_axil_rvalid", "s_axil_rdata", "hqd_valid", "wave_valid", "events_valid", "request_write",
                       "request_doorbell", "request_queue", "request_data", "error_valid", "error_word.code"]),
             ("g_fe[F].fe.g_pipe[P].pipe.front.hqd",
              ["phase", "shown_queue", "shown_dword", "host_done", "host_error", "load_valid", "load_queue",
               "load_kind", "load_data", "offer_valid", "offer_queue", "offer_wptr", "active", "dequeuing", "leaving"]),
             ("g_fe[F].fe.g_pipe[P].pipe.front.arbiter", ["active", "ready"]),
             ("events", ["interrupt_ready", "irq"])],
    "pipe": [("g_fe[F].fe.g_pipe[P].pipe.front.arbiter", [None]),
             ("g_fe[F].fe.g_pipe[P].pipe.front.fetch",
              ["dword_valid", "dword_data", "available", "in_buffer", "pending", "line", "read_valid", "read_addr"]),
             ("g_fe[F].fe.g_pipe[P].pipe.front.execute",
              ["phase", "executed", "executed_opcode", "commit", "commit_count", "start", "stop", "left", "halted",
               "wait_flush", "wait_epoch", "error_valid", "error_word.code"]),
             ("g_fe[F].fe.g_pipe[P].pipe.walker",
              ["busy", "group_valid", "group", "outstanding", "stopped", "low", "mask"]),
             ("g_fe[F].fe.g_pipe[P].pipe.front.flight", ["waves"]),
             ("g_fe[F].fe.g_pipe[P].pipe.front.epoch", ["flushed", "room"]),
             ("g_fe[F].fe.g_pipe[P].pipe.front.fence",
              ["phase", "write_valid", "interrupt_valid", "error_valid", "error_word.code"]),
             ("g_fe[F].fe.dc", ["take", "take_engine", "bus_valid", "bus_tag.kind", "bus_tag", "bus_word"])],
    "engine": [("g_se[S].se.issue", ["grant_valid", "grant_fe", "grant_pipe", "grant_queue", "grant_group.x",
                                       "grant_waves", "grant_vgprs", "grant_lds", "free_slots",
                                       "free_vgprs_left", "free_lds_left", "order"]),
               ("g_se[S].se.launch", ["launch_valid", "launch_fe", "launch_pipe", "launch_queue", "launch_group.x",
                                      "launch_index", "launch_slot", "launch_threads", "release_valid"]),
               ("g_se[S].se.retire", ["free_valid", "free_slot", "complete_valid", "complete_queue", "complete_epoch"]),
               ("g_se[S].wave", ["launch_ready", "done_valid", "done_slot", "occupied"])],
    "switch": [("g_fe[F].fe.g_pipe[P].pipe.front.arbiter", ["ready", "selected_valid", "selected", "leave", "go"]),
               ("g_fe[F].fe.g_pipe[P].pipe.front.execute",
                ["phase", "executed", "executed_opcode", "start", "start_resume", "stop", "bank_save", "left",
                 "unfinished"]),
               ("g_fe[F].fe.g_pipe[P].pipe.front.bank", ["loaded"]),
               ("g_fe[F].fe.g_pipe[P].pipe.walker", ["busy", "group_valid", "outstanding", "stopped", "low"]),
               ("g_fe[F].fe.g_pipe[P].pipe.front.fetch", ["dword_valid", "dword_data"]),
               ("g_fe[F].fe.dc", ["bus_valid", "bus_tag.kind", "bus_word"])],
    "launch": [("g_fe[F].fe.g_pipe[P].pipe.front.execute", ["phase", "executed", "executed_opcode", "start"]),
               ("g_fe[F].fe.g_pipe[P].pipe.walker", ["group_valid", "group.x"]),
               ("g_fe[F].fe.dc", ["take", "take_engine", "bus_valid", "bus_tag.kind"]),
               ("bus", ["lane_valid"]),
               ("g_se[S].se.g_fe[F].port", ["head_valid", "head_group.x", "head_waves"]),
               ("g_se[S].se.issue", ["grant_valid", "grant_group.x", "free_slots"]),
               ("g_se[S].se.launch", ["launch_valid", "launch_group.x", "launch_index", "launch_slot",
                                      "launch_threads"]),
               ("g_se[S].wave", ["launch_ready", "occupied"])],
    "context": [("g_fe[F].fe.g_graphics.graphics_pipe.front.execute",
                 ["phase", "executed", "executed_opcode", "group", "commit", "start"]),
                ("g_fe[F].fe.g_graphics.graphics_pipe.graphics_render",
                 ["phase", "hash_valid", "op_valid", "op_index", "op_data", "draw_valid", "done"]),
                ("g_fe[F].fe.g_graphics.graphics_pipe.graphics_context",
                 ["current", "used", "has_tag", "answer_valid", "answer", "roll_want", "roll_free", "roll_set",
                  "hit_valid", "hit_set", "done", "rolls", "hits", "misses", "full_clocks"]),
                ("g_fe[F].fe.g_graphics.graphics_pipe.graphics_frames",
                 ["roll_want", "roll_room", "changed", "copying", "copy_target", "exposed_clocks", "filtered"]),
                ("g_fe[F].fe.g_graphics.graphics_pipe.graphics_draws",
                 ["room", "bus_valid", "bus_word", "end_valid", "end_set"]),
                ("g_se[S].se.g_fe[F].g_graphics.graphics_engine.graphics_geometry",
                 ["head_valid", "head_state", "head_set", "head_number", "head_primitives"]),
                ("g_se[S].se.issue", ["grant_valid", "grant_kind", "grant_fe", "grant_set", "free_slots"]),
                ("g_se[S].se.launch", ["launch_valid", "launch_kind", "launch_draw", "launch_set"])],
}
# Part of a word: high bit, low bit (docs/architecture.md, Words).
FIELDS = {"bus_tag.kind": (13, 11), "error_word.code": (63, 56), "group.x": (31, 0), "head_group.x": (31, 0),
          "grant_group.x": (31, 0),
          "launch_group.x": (31, 0)}
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


def phase_lines(path, folder):
    block = path.rsplit(".", 1)[-1].removeprefix("graphics_")
    return ["@2022", f"^1 {(folder / block).resolve()}_phase.filter",
            f"+{{phase}} TOP.totem_tb.dut.{path}.phase_q[{phase_width(block) - 1}:0]"]


def signal_lines(path, port, wanted, folder):
    """Lines of one signal, shown by its name in the block."""
    bits = port.width * (port.elements or 1)
    name = f"TOP.totem_tb.dut.{path}.{port.name}"
    whole = name if bits == 1 else f"{name}[{bits - 1}:0]"
    translated = wanted in FILTERS
    lines = ["@2022" if translated else "@28" if bits == 1 else "@22"]
    if translated:
        lines.append(f"^1 {(folder / FILTERS[wanted]).resolve()}.filter")
    if wanted in FIELDS:
        high, low = FIELDS[wanted]
        # Bits of a vector are numbered from its most significant one.
        alias = wanted.replace(".", "_")
        lines.append(f"#{{{alias}}} " + " ".join(f"({bits - 1 - bit}){whole}" for bit in range(high, low - 1, -1)))
    else:
        lines.append(f"+{{{port.name}}} {whole}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config", choices=gen_config.configurations())
    parser.add_argument("fst", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pipe", default="0.0", help="front end and pipe, F.P")
    parser.add_argument("--engine", default="0")
    parser.add_argument("--from", dest="begin", type=int, default=0)
    parser.add_argument("--to", dest="end", type=int)
    parser.add_argument("--marker", type=int)
    parser.add_argument("--height", type=int, default=1000, help="most pixels of the window")
    given = parser.parse_args()
    values = gen_config.configurations()[given.config]
    layouts = {rtl: gen_lockstep.Layout(block, values, over)
               for block, over, rtl, *_ in gen_lockstep.instances(values)}
    write_filters(given.folder)
    front, pipe = given.pipe.split(".")
    span = PS * (given.end - given.begin if given.end else 100)
    zoom = math.log2(PIXELS / span / FRAME)
    for view, parts in VIEWS.items():
        if view == "context" and not values["GRAPHICS"]:
            continue
        lines = [f'[dumpfile] "{given.fst.resolve()}"', f"[timestart] {PS * given.begin}", "", "[pos] -1 -1",
                 f"*{zoom:.6f} {-1 if given.marker is None else PS * given.marker}" + " -1" * 26,
                 "[sst_width] 200", "[signals_width] 260", "[sst_expanded] 1", "@28", "+{clk} TOP.totem_tb.clk"]
        for path, wanted in parts:
            path = path.replace("[F]", f"[{front}]").replace("[P]", f"[{pipe}]").replace("[S]", f"[{given.engine}]")
            path = path if path in layouts else f"core.{path}"     # below totem_core
            if path not in layouts:
                raise SystemExit(f"sim/run/views.py: configuration {given.config} has no {path}")
            ports = {port.name: port for port in layouts[path].outputs}
            lines += ["@200", f"-{path}"]
            for name in [n for name in wanted for n in ([name] if name else ports)]:
                if name == "phase":
                    lines += phase_lines(path, given.folder)
                    continue
                if name.split(".")[0] not in ports:
                    raise SystemExit(f"sim/run/views.py: view {view}: {path} has no output {name}")
                lines += signal_lines(path, ports[name.split(".")[0]], name, given.folder)
        rows = sum(line.startswith(("-", "+", "#")) for line in lines)
        lines[2] = f"[size] 1600 {min(given.height, 170 + ROW * rows)}"
        (given.folder / f"{view}.gtkw").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

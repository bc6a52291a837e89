# SPDX-License-Identifier: Apache-2.0
"""What the logs of Yosys and nextpnr say: area, clock, and the critical path by the names of the design."""

import json
import re
from pathlib import Path

# What Yosys appends to a name for a cell or net that has none of its own.
DERIVED = re.compile(r"_(SB_|TRELLIS_|LUT4|CCU2C|PFUMX|L6MUX21|MULT18)|\$")


class Failed(Exception):
    """A step of the flow. The text says which, and where its log is."""


class Netlist:
    """Names of the signals of a synthesized design, from the netlist that nextpnr read."""

    def __init__(self, path, depth=1):
        """`depth`: a signal is named by so many of the last parts of its path."""
        self.depth = depth
        modules = json.loads(path.read_text())["modules"].values()
        module = next(one for one in modules if int(one.get("attributes", {}).get("top", "0"), 2))
        self.cells, self.nets, self.names, self.stored = module["cells"], module["netnames"], {}, {}
        for name, net in self.nets.items():
            if not net.get("hide_name") and not DERIVED.search(name):
                for bit in net["bits"]:
                    self.names.setdefault(bit, []).append(name)
        for cell in self.cells.values():
            wires = cell["connections"]
            if wires.get("Q") and (wires.get("D") or wires.get("DI")):
                self.stored[(wires.get("D") or wires.get("DI"))[0]] = wires["Q"][0]

    def of(self, bit):
        """The shortest name of a bit, a register's first; None if it has none."""
        found = self.names.get(bit, [])
        found = sorted(found, key=lambda name: (not name.endswith("_q"), "block" not in name, len(name)))
        return ".".join(found[0].split(".")[-self.depth:]) if found else None

    def net(self, text):
        """Name of a net as nextpnr writes it."""
        match = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", text)
        name, index = (text, None) if text in self.nets else match.groups()
        if name not in self.nets:
            return None
        bits, first = self.nets[name]["bits"], int(self.nets[name].get("offset", 0))
        return self.of(bits[int(index) - first if index else 0])

    def end(self, text):
        """Register that a path ends in, from its cell and pin."""
        name = re.sub(r"(_DFFLC|_LC|\$CCU2_COMB\d)$", "", text.rsplit(".", 1)[0])
        wires = self.cells.get(name, {}).get("connections", {})
        bit = wires["Q"][0] if wires.get("Q") else self.stored.get((wires.get("O") or wires.get("Z") or [None])[0])
        # Without the cell, its name begins with the register's.
        return self.of(bit) or DERIVED.split(".".join(name.split(".")[-self.depth:]))[0]


def timing(log, netlist):
    """(MHz, critical path in words) of a nextpnr log, after routing."""
    text = Path(log).read_text(errors="replace")
    found = re.findall(r"Max frequency for clock\s+'[^']*': ([\d.]+) MHz", text)
    paths = text.split("Critical path report for clock")[1:]
    if not found or not paths:
        raise Failed(f"no frequency in {log}")
    path = re.split(r"Critical path report|Max frequency", paths[-1])[0]
    signals, levels, carries, last = [], 0, 0, "?"
    for line in path.splitlines():
        setup = re.search(r"[Ss]etup\s+[\d.]+\s+[\d.]+\s+(?:Source )?(\S+)|Setup (\S+)", line)
        if setup:
            last = netlist.end(setup.group(1) or setup.group(2))
            continue
        source = re.search(r"Source (\S+)\.(\w+)", line)
        if source:
            levels += source.group(2) not in ("COUT", "FCO", "GLOBAL_BUFFER_OUTPUT")
            carries += source.group(2) in ("COUT", "FCO")
        net = re.search(r"Net (\S+) (?:budget|\()", line)
        name = netlist.net(net.group(1)) if net else None
        if name and (not signals or signals[-1] != name):
            signals.append(name)
    share = re.findall(r"([\d.]+) ns logic, ([\d.]+) ns routing", path)[-1]
    between = "".join(f", {name}" for name in signals[1:])
    begin = signals[0] if signals else "?"
    return float(found[-1]), (f"{begin}{between}, {last}: {levels - 1} LUTs and {carries} carries, "
                              f"{share[0]} ns logic, {share[1]} ns routing")


def use(log):
    """{kind: used} of nextpnr's utilisation."""
    text = Path(log).read_text(errors="replace").split("Device utilisation:")[-1]
    return {kind: int(used) for kind, used in re.findall(r"Info:\s+(\w+):\s+(\d+)/", text)}


def stat(path):
    """{cell: count} of a Yosys report on one module."""
    text = Path(path).read_text()
    found = {}
    for line in text.splitlines():
        match = re.fullmatch(r"\s+(\d+)\s+(\$?[A-Z]\w+)", line)
        if match:
            found[match.group(2)] = int(match.group(1))
    return found
